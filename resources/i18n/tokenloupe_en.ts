<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Composer</name>
    <message numerus="yes">
        <source>%Ln token(s) too many</source>
        <translation>
            <numerusform>%Ln token too many</numerusform>
            <numerusform>%Ln tokens too many</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s) left</source>
        <translation>
            <numerusform>%Ln token left</numerusform>
            <numerusform>%Ln tokens left</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Context</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n byte(s)</source>
        <translation>
            <numerusform>%n byte</numerusform>
            <numerusform>%n bytes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ConversationModel</name>
    <message numerus="yes">
        <source>%n answer(s)</source>
        <translation>
            <numerusform>%n answer</numerusform>
            <numerusform>%n answers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ErrorBar</name>
    <message numerus="yes">
        <source>%n more of this kind: see the details.</source>
        <translation>
            <numerusform>%n more of this kind: see the details.</numerusform>
            <numerusform>%n more of this kind: see the details.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Facts</name>
    <message numerus="yes">
        <source>The %n token(s) so far are kept.</source>
        <translation>
            <numerusform>The %n token so far is kept.</numerusform>
            <numerusform>The %n tokens so far are kept.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n doubtful</source>
        <translation>
            <numerusform>%n doubtful</numerusform>
            <numerusform>%n doubtful</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n begin token(s) too many taken out of the prompt.</source>
        <translation>
            <numerusform>%n begin token too many taken out of the prompt.</numerusform>
            <numerusform>%n begin tokens too many taken out of the prompt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n guess(es) kept of {drafted}, {steps} passes with guesses</source>
        <translation>
            <numerusform>%n guess kept of {drafted}, {steps} passes with guesses</numerusform>
            <numerusform>%n guesses kept of {drafted}, {steps} passes with guesses</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FollowButton</name>
    <message numerus="yes">
        <source>To the end, %n new token(s)</source>
        <translation>
            <numerusform>To the end, %n new token</numerusform>
            <numerusform>To the end, %n new tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LogTools</name>
    <message numerus="yes">
        <source>paused, %n new line(s)</source>
        <translation>
            <numerusform>paused, %n new line</numerusform>
            <numerusform>paused, %n new lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LogView</name>
    <message numerus="yes">
        <source>… %n more character(s)</source>
        <translation>
            <numerusform>… %n more character</numerusform>
            <numerusform>… %n more characters</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunBar</name>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n thread</numerusform>
            <numerusform>%n threads</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SamplingForm</name>
    <message numerus="yes">
        <source>keep the %n likeliest</source>
        <translation>
            <numerusform>keep the likeliest one</numerusform>
            <numerusform>keep the %n likeliest</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Server</name>
    <message numerus="yes">
        <source>going by %n earlier start(s) on this computer</source>
        <translation>
            <numerusform>going by %n earlier start on this computer</numerusform>
            <numerusform>going by %n earlier starts on this computer</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ThinkingLine</name>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TokenCard</name>
    <message numerus="yes">
        <source>%n byte(s)</source>
        <translation>
            <numerusform>%n byte</numerusform>
            <numerusform>%n bytes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>not among the %n listed</source>
        <translation>
            <numerusform>not the one listed</numerusform>
            <numerusform>not among the %n listed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more in between</source>
        <translation>
            <numerusform>%n more in between</numerusform>
            <numerusform>%n more in between</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TranscriptArea</name>
    <message numerus="yes">
        <source>Answer finished, %n token(s)</source>
        <translation>
            <numerusform>Answer finished, %n token</numerusform>
            <numerusform>Answer finished, %n tokens</numerusform>
        </translation>
    </message>
</context>
</TS>
