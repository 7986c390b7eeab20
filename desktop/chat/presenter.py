"""The chat: what the session has becomes turns, what the person does becomes calls of the session."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from core.chat.messages import Answer, Conversation, Message, PromptFacts
from core.chat.session import Session
from core.chat.state import RUNNING, ChatState
from core.engines.host import EngineHost
from core.engines.state import EngineState, Phase
from core.errors import LoupeError
from core.prompt.base import Attachment
from core.settings import Settings, SettingsStore
from core.tasks import TaskScope
from desktop.chat import facts, media_words
from desktop.chat.attaching import Attaching
from desktop.chat.composer import Composer
from desktop.chat.composer_state import can_connect
from desktop.chat.footers import Footers
from desktop.chat.no_heat import no_heat
from desktop.chat.room import RoomCount
from desktop.chat.turns import AnswerTurn, QuestionTurn, TokenRef, Turn
from desktop.chat.values_dock import ValuesDock
from desktop.chat.view import TranscriptView
from desktop.chat.vocabularies import Vocabularies
from desktop.kit.bridge import bind
from desktop.sampling.panel import SamplingPanel
from desktop.sampling.summary import AnswerSummary

_TICK_MS = 250  # figures that change faster cannot be read
_WAIT_SHOWN = 1.0  # seconds of reading before it is said


class ChatWindow(Protocol):
    """What the chat needs of the window around it."""

    def set_chat_state(self, state: ChatState) -> None: ...
    def show_empty(self, empty: bool) -> None: ...
    def show_error(self, error: LoupeError) -> None: ...
    def set_speed(self, tokens_per_second: float | None) -> None: ...
    def set_context(self, used: int | None, limit: int | None = None) -> None: ...
    def set_no_heat(self, why: str) -> None: ...


class ChatPresenter(QObject):
    """Binds one session to the transcript, the composer and the sampling dock.

    `engine_wanted`: something is to be asked, and the server in use is not connected.
    """

    engine_wanted = Signal()
    log_wanted = Signal()

    def __init__(
        self,
        window: ChatWindow,
        view: TranscriptView,
        composer: Composer,
        sampling: SamplingPanel,
        session: Session,
        engine: EngineHost,
        settings: SettingsStore,
        scope: TaskScope,
        vocabularies: Path,
        *,
        attaching: Attaching,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(view)
        self._window, self._view, self._session = window, view, session
        self._composer, self._form, self._panel = composer, sampling.form, sampling.answer
        self._values = ValuesDock(sampling.form, session, engine)
        self._engine, self._settings, self._scope = engine, settings, scope
        self._attaching = attaching
        self.vocabulary_of = Vocabularies(vocabularies, engine).of
        self._clock = clock
        self._phase = engine.state.phase
        self._shown: list[str] = []  # ids of the turns in the view
        self._summary: AnswerSummary | None = None
        self._footers = Footers(view, session, engine, settings, self._live_speed)
        self._again: str | None = None  # an answer to be asked for again when the engine is ready
        self._in_view: Conversation | None = None  # whose draft stands in the composer
        self._started = 0.0
        self._tick = QTimer(self)
        self._tick.setInterval(_TICK_MS)
        self._tick.timeout.connect(self._beat)
        self._room = RoomCount(session, engine, self._spawn, composer.set_room)
        self._connect()
        self._take_settings(settings.value)
        self.show()

    def _connect(self) -> None:
        session, composer = self._session, self._composer
        bind(self, session.state_changed, self._chat_moved)
        bind(self, session.turns_changed, self._turns_changed)
        bind(self, session.grew, self._grew)
        bind(self, self._engine.state_changed, self._engine_moved)
        bind(self, self._settings.changed, self._take_settings)
        composer.send_requested.connect(self._send)
        composer.stop_requested.connect(session.stop)
        composer.rested.connect(self._rested)
        composer.system_changed.connect(session.set_system)
        composer.thinking_changed.connect(session.set_thinking)
        self._panel.token_clicked.connect(self._go_to_token)
        self._view.action.connect(self._footer_pressed)

    # --- the conversation in view ------------------------------------------------------------------------

    def show(self) -> None:
        """The session looks at another conversation: its turns, draft and values."""
        conversation = self._session.conversation
        composer = self._composer
        self.keep_draft()
        self._in_view = conversation
        self._attaching.show(conversation.id)
        composer.set_text(conversation.draft)
        composer.set_system(conversation.system)
        self._show_thinking_switch()
        self._shown = []
        self._turns_changed(conversation.id)
        self._values.show()
        self._room.count(composer.text())

    def _turns_changed(self, conversation_id: str) -> None:
        conversation = self._session.conversation
        if conversation_id != conversation.id:
            return
        path = conversation.path()
        notes = self._session.notes()
        followers = [*(message.answer for message in path[1:]), None]
        turns = [
            self._turn(message, follower, message.id in notes)
            for message, follower in zip(path, followers, strict=False)
        ]
        ids = [turn.id for turn in turns]
        common = len(self._shown)
        if ids[:common] == self._shown and self._shown:
            for turn in turns[:common]:
                self._view.update_turn(turn)
            for turn in turns[common:]:
                self._view.append_turn(turn)
        else:
            self._view.set_turns(turns)
        self._shown = ids
        self._window.show_empty(not turns)
        self._footers.show_all()
        self._watch(path)

    def _turn(self, message: Message, follower: Answer | None = None, left_out: bool = False) -> Turn:
        """`follower`: of a question, the answer in view."""
        answer = message.answer
        if answer is None:
            note = facts.note(follower, left_out=left_out)
            note = "\n".join(filter(None, (media_words.below(message, follower), note)))
            return QuestionTurn(message.id, message.text, note)
        thinking = answer.thinking
        return AnswerTurn(
            message.id,
            answer.table,
            self.vocabulary_of(answer),
            live=answer.live,
            thinking=(0, thinking.units) if thinking else None,
            cut=answer.cut,
            thinking_open=thinking is not None and not thinking.closed,
        )

    def _live_speed(self) -> float | None:
        return self._summary.figures(live=True).speed if self._summary else None

    def set_cause(self, cause: str) -> None:
        """Why the server of ours is gone, "" = it is not."""
        if cause != self._footers.cause:
            self._footers.cause = cause
            self._footers.show_all()

    def _watch(self, path: list[Message]) -> None:
        """The last answer, in the dock and the status bar."""
        last = next((message for message in reversed(path) if message.answer is not None), None)
        panel, form = self._panel, self._form
        answer = last.answer if last else None
        self._window.set_no_heat(no_heat(answer))
        if last is None or answer is None:
            self._summary = None
            panel.watch(None)
            self._window.set_speed(None)
            self._window.set_context(None)
            form.set_drawn_seed(None)
            return
        speed = answer.finished.decode_tokens_per_second if answer.finished else None
        if self._summary is None or self._summary.turn_id != last.id:
            self._summary = AnswerSummary(last.id, answer.table, self.vocabulary_of(answer))
            panel.watch(self._summary, live=answer.live, speed=speed)
        elif not answer.live:
            panel.finish(speed)
        if not answer.live:
            self._window.set_speed(speed)
        form.set_drawn_seed(answer.sampling.seed)
        self._show_context(answer)

    def _show_context(self, answer: Answer) -> None:
        info = self._engine.state.info or answer.info  # the limit is the model's that would answer next
        limit = info.context_limit
        used = len(answer.prompt_ids) + len(answer.table)
        self._window.set_context(used if answer.prompt_ids else None, limit)

    # --- a running answer --------------------------------------------------------------------------------

    def _chat_moved(self, state: ChatState) -> None:
        self._window.set_chat_state(state)
        if state is ChatState.PREPARING:
            self._started = self._clock()
        elif state is ChatState.PREFILLING:
            self._note_prompt()
        running = state in RUNNING  # the session lets go of an answer only after it has told its end
        if running and not self._tick.isActive():
            self._tick.start()
        elif not running:
            self._tick.stop()
            self._room.count(self._composer.text())  # the answer takes part of the room

    def _note_prompt(self) -> None:
        """The prompt was made, and perhaps not as usual: said below the question at once."""
        conversation, message = self._session.running or (None, None)
        if message is None or conversation is not self._session.conversation or message.answer is None:
            return
        if message.answer.prompt != PromptFacts():
            question = conversation.messages[message.parent or ""]
            self._view.update_turn(self._turn(question, message.answer))

    def _grew(self, answer_id: str) -> None:
        if self._summary is not None and self._summary.turn_id == answer_id:
            self._view.grow(answer_id)
            self._panel.mark()

    def _beat(self) -> None:
        """Four times a second while an answer runs: figures, thinking, the waiting line."""
        running = self._session.running
        if running is None or running[0] is not self._session.conversation:
            return
        message = running[1]
        answer = message.answer
        assert answer is not None
        if len(answer.table):
            self._view.set_status(message.id, "")
            if answer.thinking is not None:
                self._view.update_turn(self._turn(message))
            self._footers.show(message)
            self._show_context(answer)
            if self._summary is not None:
                self._window.set_speed(self._summary.figures(live=True).speed)
            return
        waited, known = self._clock() - self._started, self._session.reading
        if known is not None and waited >= _WAIT_SHOWN:
            self._view.set_status(message.id, facts.reading(*known, waited))

    # --- what the person does ----------------------------------------------------------------------------

    def _send(self, text: str) -> None:
        self._spawn(self._ask(text, self._attaching.take()))

    async def _ask(self, text: str, attached: tuple[Attachment, ...]) -> None:
        try:
            await self._session.ask(text, attached)
        except LoupeError as error:
            self._composer.restore(text)
            self._attaching.put_back(attached)
            self._window.show_error(error)

    async def _ask_again(self, answer_id: str, *, numbers: bool = True) -> None:
        try:
            await self._session.ask_again(answer_id, numbers=numbers)
        except LoupeError as error:
            self._window.show_error(error)

    def ask_again(self, answer_id: str) -> None:
        """At once, or as soon as the engine is ready again."""
        if self._session.can_ask:
            self._spawn(self._ask_again(answer_id))
        elif self._engine.state.phase is not Phase.READY:
            self._again = answer_id
            if can_connect(self._engine.state):
                self.engine_wanted.emit()

    def _spawn(self, coroutine: Coroutine[Any, Any, object]) -> None:
        try:
            self._scope.spawn(coroutine)
        except RuntimeError:  # the program is quitting
            return

    def _footer_pressed(self, action: str, turn_id: str) -> None:
        if action == "previous":
            self._session.select_sibling(turn_id, -1)
        elif action == "next":
            self._session.select_sibling(turn_id, 1)
        elif action == "fold":
            self._session.fold_system()
            self.ask_again(turn_id)
        elif action == "plain":
            self._session.use_plain()
            self.ask_again(turn_id)
        elif action == "clear":
            self._values.clear()
            self.ask_again(turn_id)
        elif action == "bare":
            self._spawn(self._ask_again(turn_id, numbers=False))
        elif action == "again":
            self.ask_again(turn_id)
        elif action == "log":
            self.log_wanted.emit()

    def _last_answer(self) -> str | None:
        path = self._session.conversation.path()
        return next((message.id for message in reversed(path) if message.answer is not None), None)

    def act(self, id_: str) -> None:
        """Keys of the window that are about the chat."""
        last = self._last_answer()
        if id_ == "new_chat":
            self._session.new()
            self.show()
            self._composer.setFocus()
        elif id_ == "next_doubtful":
            self._view.next_doubtful()
        elif id_ == "previous_doubtful":
            self._view.next_doubtful(-1)
        elif id_ == "tokens":
            self._view.step_in()
        elif last is not None and id_ in ("ask_again", "branch_before", "branch_after"):
            action = {"ask_again": "again", "branch_before": "previous", "branch_after": "next"}[id_]
            self._footer_pressed(action, last)

    async def open(self, conversation_id: str) -> None:
        """Show a conversation from the list."""
        if await self._session.switch(conversation_id):
            self.show()

    def keep_draft(self) -> None:
        """What is typed goes to the conversation it was typed in: before another is shown, before the end."""
        if self._in_view is not None:
            self._session.set_draft(self._composer.text(), self._in_view)

    def _go_to_token(self, turn_id: str, index: int) -> None:
        ref = TokenRef(turn_id, index)
        if self._view.reveal(ref):
            self._view.setFocus()
            self._view.token_opened.emit(ref)

    # --- room, sampling, settings ------------------------------------------------------------------------

    def _rested(self, text: str) -> None:
        self._session.set_draft(text)
        self._room.count(text)

    def _show_thinking_switch(self) -> None:
        switch = self._engine.thinking_switch and self._engine.state.phase is Phase.READY
        thinking = self._session.conversation.options.thinking
        self._composer.set_thinking((thinking is not False) if switch else None)

    def _engine_moved(self, state: EngineState) -> None:
        if state.phase is not Phase.READY:
            if state.phase is not self._phase:
                self._values.show()
                self._room.count(self._composer.text())  # what the engine before had is not said of this one
                self._footers.show_all()
            self._phase = state.phase
            return
        self._phase = state.phase
        self._values.show()
        self._show_thinking_switch()
        self._room.count(self._composer.text())
        self._footers.show_all()
        self._watch(self._session.conversation.path())
        again, self._again = self._again, None
        if again is not None and again in self._session.conversation.messages:
            self._spawn(self._ask_again(again))

    def _take_settings(self, settings: Settings) -> None:
        self._session.top_candidates = settings.card_candidates
        self._view.set_heat(settings.heat)
        self._view.set_doubt(settings.doubt_threshold)
        self._view.reduce_motion = settings.reduce_motion
        self._composer.set_send_key(settings.send_key)
        self._footers.show_all()

    def retranslate(self) -> None:
        """Another language: notes, footers and banners anew."""
        self._turns_changed(self._session.conversation.id)
