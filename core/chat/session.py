"""The session: the conversation in view, and at most one answer being made, whichever engine makes it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import msgspec

from core.chat.dialogue import notes
from core.chat.history import History
from core.chat.messages import Answer, Conversation, Message, clean, title_of
from core.chat.running import Equipment, Running, with_seed
from core.chat.saving import Later, Saving, on_the_loop
from core.chat.state import CAN_ASK, CAN_STOP, RUNNING, ChatState, move
from core.chat.thinking import ThinkingMarkers
from core.engines.base import Engine, Extras, Sampling
from core.errors import EngineError, LoupeError
from core.observe import Event
from core.prompt.base import Attachment, Prompter
from core.tasks import TaskScope
from core.tokens.table import TokenTable
from core.tokens.vocabulary import Vocabulary


class Session:
    """Asks an engine and keeps the conversation; knows neither a window nor which engine it has.

    `state_changed`: the new state. `turns_changed`: id of the conversation whose messages, chosen path or
    turn states changed. `grew`: id of the answer whose table has new rows. `failed`: the error of an answer;
    it stands in the answer too. An answer goes on when another conversation is opened: look at `running`.
    """

    def __init__(
        self,
        scope: TaskScope,
        prompter: Prompter,
        history: History | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        now: Callable[[], float] = time.time,
        later: Later = on_the_loop,
    ) -> None:
        self._scope = scope
        self._prompter = prompter
        self._history = history
        self._now = now  # for dates
        self._saving = Saving(history, clock, later)
        self._state = ChatState.IDLE
        self._equipment: Equipment | None = None
        self._run: Running | None = None
        self._pump: asyncio.Task[None] | None = None
        self.top_candidates = 5
        self.state_changed: Event[ChatState] = Event()
        self.turns_changed: Event[str] = Event()
        self.grew: Event[str] = Event()
        self.failed: Event[LoupeError] = Event()
        self.conversation = self._fresh()
        if history is not None:
            history.users.append(self._files)

    # --- what is ---------------------------------------------------------------------------------------

    @property
    def state(self) -> ChatState:
        return self._state

    @property
    def can_ask(self) -> bool:
        return self._equipment is not None and self._state in CAN_ASK

    @property
    def can_stop(self) -> bool:
        return self._state in CAN_STOP

    @property
    def running(self) -> tuple[Conversation, Message] | None:
        """The conversation and the answer that is being made."""
        return (self._run.conversation, self._run.message) if self._run else None

    @property
    def reading(self) -> tuple[int, int | None] | None:
        """(prompt tokens, of them reused if it is told) as soon as the engine has said so."""
        known = self._run.prefilling if self._run else None
        return (known.total, known.reused) if known else None

    def notes(self) -> dict[str, str]:
        """Message id → code, for turns of the conversation in view that the next prompt leaves out."""
        return notes(self.conversation)

    # --- which conversation, which engine ---------------------------------------------------------------

    def attach(
        self,
        engine: Engine | None,
        vocabulary: Vocabulary | None,
        vocabulary_file: str = "",
        markers: ThinkingMarkers | None = None,
    ) -> None:
        """Use this engine from the next question on. An answer that runs keeps the one it began with."""
        if engine is None or vocabulary is None:
            self._equipment = None
        else:
            self._equipment = Equipment(engine, vocabulary, vocabulary_file, markers)

    def _files(self, _: str) -> tuple[str, ...]:
        """Names of the files that the answers to come are read with."""
        return () if self._equipment is None else (self._equipment.vocabulary_file,)

    def new(self) -> Conversation:
        """Begin an empty conversation; it is kept as soon as something is in it."""
        return self.open(self._fresh())

    def open(self, conversation: Conversation) -> Conversation:
        """Look at another conversation. One whose answer runs is taken as it is in memory."""
        self._saving.now(self.conversation)
        if self._run is not None and self._run.conversation.id == conversation.id:
            conversation = self._run.conversation
        self.conversation = conversation
        if self._run is None and self._state is not ChatState.IDLE:
            self._move(ChatState.IDLE)
        self.turns_changed.emit(conversation.id)
        return conversation

    async def switch(self, conversation_id: str) -> bool:
        """Open a conversation from the history; False if it is not there (any more) or cannot be read."""
        known = self._in_memory(conversation_id)
        if known is None and self._history is not None:
            known = await self._history.load(conversation_id)
        if known is not None and known is not self.conversation:
            self.open(known)
        return known is not None

    async def rename(self, conversation_id: str, title: str) -> None:
        """Any conversation, in view or not. An empty title gives the first question's back."""
        title = " ".join(clean(title).split())
        known = self._in_memory(conversation_id)
        if known is None:
            if self._history is not None and title:
                await self._history.rename(conversation_id, title)
            return
        first = known.children(None)
        known.title = title or (title_of(first[0].text) if first else "")
        self._changed(known)

    async def delete(self, conversation_id: str) -> None:
        """Delete a conversation for good; an answer running in it is stopped first."""
        if self._run is not None and self._run.conversation.id == conversation_id:
            ended = self._run.ended
            self.stop()
            await ended.wait()
        if self._history is not None:
            await self._history.delete(conversation_id)
        if self.conversation.id == conversation_id:
            self.conversation = self._fresh()  # not through open(), which would save the deleted one
            self.new()

    # --- ask and stop ------------------------------------------------------------------------------------

    async def ask(self, text: str, attachments: tuple[Attachment, ...] = ()) -> None:
        """Ask and return when the answer has ended, well or not; what went wrong is in the answer.

        Raises LoupeError("chat.busy"), EngineError("engine.no_model") before anything is changed.
        """
        text = clean(text)
        equipment = self._ready()
        if not text.strip() and not attachments:
            return
        conversation = self.conversation
        question = conversation.add_question(text, self._now(), attachments)
        conversation.draft = ""
        await self._answer(conversation, question, equipment)

    async def ask_again(self, answer_id: str, *, numbers: bool = True) -> None:
        """Another answer to the same question, beside this one, or one to a question that has none.

        `numbers` False: this once without token numbers, where a server fails over them. Raises as `ask`
        does.
        """
        equipment = self._ready()
        message = self.conversation.messages[answer_id]
        question = message if message.role == "user" else self.conversation.messages[message.parent or ""]
        self.conversation.select(question.id)
        await self._answer(self.conversation, question, equipment, numbers=numbers)

    def stop(self) -> None:
        """Stop the running answer within one token; what came of it is kept."""
        if self.can_stop and self._run is not None:
            self._move(ChatState.STOPPING)
            if self._pump is not None:
                self._pump.cancel()

    async def close(self) -> None:
        """Stop, wait until the answer is on record, hand everything to the history."""
        if self._run is not None:
            ended = self._run.ended
            self.stop()
            await ended.wait()
        self._saving.all_now()
        self._saving.now(self.conversation)

    # --- changes to the conversation in view -------------------------------------------------------------

    def set_system(self, text: str) -> None:
        self._change(system=clean(text))

    def set_sampling(self, sampling: Sampling | None) -> None:
        """None: the model's recommended values."""
        self._change(sampling=sampling)

    def set_extras(self, extras: Extras) -> None:
        """What servers are asked for beside the sampling values."""
        self._change(extras=extras)

    def set_draft(self, text: str, conversation: Conversation | None = None) -> None:
        """Remember what stands in the input box, of the conversation in view or of one that was just left;
        written at most once a second, and when it is left."""
        if conversation is None or conversation is self.conversation:
            self.conversation.draft = clean(text)
            self._saving.soon(self.conversation)
        elif conversation.draft != clean(text):
            conversation.draft = clean(text)
            self._saving.now(conversation)

    def set_thinking(self, wanted: bool | None) -> None:
        """None: as the template does it."""
        self._change(options=msgspec.structs.replace(self.conversation.options, thinking=wanted))

    def fold_system(self, on: bool = True) -> None:
        """The way out when a template takes no system text: the first question takes it. Then ask again."""
        self._change(options=msgspec.structs.replace(self.conversation.options, fold_system=on))

    def use_plain(self, on: bool = True) -> None:
        """The way out when a model has no template: the question is completed as it is. Then ask again."""
        self._change(options=msgspec.structs.replace(self.conversation.options, plain=on))

    def select_sibling(self, message_id: str, step: int) -> None:
        """Go `step` alternatives on from this message; at the ends nothing happens."""
        siblings = self.conversation.siblings(message_id)
        at = self.conversation.place(message_id)[0] - 1 + step
        if 0 <= at < len(siblings) and step:
            self.conversation.select(siblings[at].id)
            self._changed(self.conversation)

    # --- inside ------------------------------------------------------------------------------------------

    def _fresh(self) -> Conversation:
        now = self._now()
        return Conversation(created=now, updated=now)

    def _in_memory(self, conversation_id: str) -> Conversation | None:
        running = [self._run.conversation] if self._run else []
        return next((one for one in [self.conversation, *running] if one.id == conversation_id), None)

    def _ready(self) -> Equipment:
        if self._run is not None:
            raise LoupeError("chat.busy")
        if self._equipment is None:
            raise EngineError("engine.no_model")
        self._equipment.engine.info  # noqa: B018 — raises if the engine has lost its model
        return self._equipment

    async def _answer(
        self, conversation: Conversation, question: Message, equipment: Equipment, *, numbers: bool = True
    ) -> None:
        started = self._now()
        info = equipment.engine.info
        sampling = with_seed(conversation.sampling or info.recommended)
        extras = (
            conversation.extras if numbers else msgspec.structs.replace(conversation.extras, numbers=False)
        )
        answer = Answer(TokenTable(), equipment.vocabulary_file, sampling, info, started, extras=extras)
        message = conversation.add_answer(question.id, answer, started)
        conversation.updated = started

        def grew() -> None:
            self.grew.emit(message.id)
            self._saving.soon(conversation)

        run = Running(
            conversation, message, answer, equipment, self.top_candidates, moved=self._moved, grew=grew
        )
        self._run = run
        self._move(ChatState.PREPARING)
        self._changed(conversation)
        try:
            if self._state is ChatState.PREPARING:  # a listener may have stopped it already
                self._pump = self._scope.spawn(run.produce(self._prompter), name="answer")
                await self._wait(self._pump)
        finally:
            self._end(run)

    async def _wait(self, pump: asyncio.Task[None]) -> None:
        """Until the pump has ended, by itself or by `stop`. Cancelling this task stops the answer too."""
        try:
            await asyncio.wait({pump})
        except asyncio.CancelledError:
            if self.can_stop:
                self._move(ChatState.STOPPING)
            pump.cancel()
            await asyncio.wait({pump})
            raise

    def _end(self, run: Running) -> None:
        self._pump = None
        end = run.close()
        if end is ChatState.STOPPED and self._state is not ChatState.STOPPING:
            self._move(ChatState.STOPPING)
        run.conversation.updated = self._now()
        self._move(end)
        self._run = None
        run.ended.set()
        self._changed(run.conversation)
        if run.error is not None:
            self.failed.emit(run.error)

    def _moved(self, to: ChatState) -> None:
        """A move the running answer asks for: repeated ones and those overtaken by Stop are none."""
        if self._state in RUNNING and self._state not in (to, ChatState.STOPPING):
            self._move(to)

    def _move(self, to: ChatState) -> None:
        self._state = move(self._state, to)
        if self._run is not None:
            self._run.answer.state = to
        self.state_changed.emit(to)

    def _change(self, **values: object) -> None:
        for name, value in values.items():
            setattr(self.conversation, name, value)
        self._changed(self.conversation)

    def _changed(self, conversation: Conversation) -> None:
        self._saving.now(conversation)
        self.turns_changed.emit(conversation.id)
