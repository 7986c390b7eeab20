"""The Context tab kept up to date: what the next answer will read, or what this one has read and written."""

from __future__ import annotations

import logging
from array import array
from collections.abc import Callable

import msgspec
from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtGui import QGuiApplication

from core.chat.dialogue import dialogue
from core.chat.messages import Answer, Message
from core.chat.session import Session
from core.engines.host import EngineHost
from core.engines.state import Phase
from core.errors import LoupeError
from core.prompt.base import ChatMessage
from core.prompt.context import Budget, Context, Who, prompt_context, unknown_context, with_answer
from core.tasks import TaskScope
from core.tokens.vocabulary import Vocabulary
from desktop.context.model import Cache, Parts, Sight
from desktop.context.table import TokenPanel
from desktop.context.view import ContextCorner, ContextView
from desktop.kit.batcher import Batcher
from desktop.kit.bridge import bind
from desktop.kit.errors_text import describe

log = logging.getLogger(__name__)


class ContextPresenter(QObject):
    """Does nothing while its page is hidden. Renderings that were overtaken are dropped."""

    def __init__(
        self,
        view: ContextView,
        panel: TokenPanel,
        corner: ContextCorner,
        session: Session,
        engine: EngineHost,
        scope: TaskScope,
        vocabulary_of: Callable[[Answer], Vocabulary],
        open_panel: Callable[[], None],
    ) -> None:
        super().__init__(view)
        self._view, self._panel, self._corner = view, panel, corner
        self._session, self._engine, self._scope = session, engine, scope
        self._vocabulary_of, self._open_panel = vocabulary_of, open_panel
        self._number = 0  # of the last thing that was wanted
        self._known: tuple[str, Context, Parts] | None = None  # the prompt of the answer in view, by message
        self._shown = ""  # the conversation whose tokens are in view
        self._asked = ""  # the answer whose prompt is being rendered
        self._batcher = Batcher(self.refresh, parent=self)
        self._connect()

    def _connect(self) -> None:
        session, view, panel, chips = self._session, self._view, self._panel, self._view.chips
        view.shown.connect(self.refresh)
        bind(self, session.turns_changed, self.changed)
        bind(self, session.state_changed, self.changed)
        bind(self, session.grew, self.changed)
        bind(self, self._engine.state_changed, self._engine_moved)
        chips.chosen.connect(panel.table.select)
        panel.chosen.connect(chips.select)
        for source in (chips, panel.table):
            source.copy_wanted.connect(self._copy)
        chips.find_wanted.connect(self._find)
        self._corner.copy.clicked.connect(self._copy_ids)
        self._corner.form_chosen.connect(chips.set_form)

    def changed(self, *_: object) -> None:
        """Something is another: looked at once when all that comes with it has come too."""
        if self._view.isVisible():
            self._batcher.mark()

    def _engine_moved(self, _: object) -> None:
        self._known = None  # another model renders otherwise
        self.changed()

    # --- what is shown -----------------------------------------------------------------------------------

    def refresh(self, *_: object) -> None:
        """Show what is so now, as soon as it is known."""
        if not self._view.isVisible():
            return
        self._number += 1
        conversation = self._session.conversation
        path = conversation.path()
        last = path[-1] if path else None
        answer = last.answer if last is not None else None
        draft = conversation.draft
        ready = self._engine.state.phase is Phase.READY
        if last is not None and answer is not None and (answer.live or not draft.strip() or not ready):
            self._show_answer(last, answer, ready)
        elif not draft.strip() and last is None:
            self._note(
                QCoreApplication.translate(
                    "Context", "What the model will read stands here as you type a question."
                )
            )
        elif not ready:
            self._note(
                QCoreApplication.translate(
                    "Context", "What the model will read stands here when it is ready."
                )
            )
        else:
            messages = dialogue(conversation.system, path).messages
            if draft.strip():
                asked = messages[:-1] if messages and messages[-1].role == "user" else messages
                messages = (*asked, ChatMessage("user", draft))
            self._spawn(self._show_next(messages, self._number))

    async def _show_next(self, messages: tuple[ChatMessage, ...], number: int) -> None:
        engine = self._engine
        try:
            prompt = await engine.render(messages, self._session.conversation.options)
            vocabulary, info = engine.vocabulary, engine.info
        except LoupeError as error:
            if number == self._number:
                self._note(_said(error))
            return
        if number != self._number or vocabulary is None:
            return
        context = prompt_context(prompt, messages, vocabulary)
        budget = Budget(len(prompt.ids), limit=info.context_limit)
        self._show(Sight(context, vocabulary, budget, parts=_told(context), engine=info.engine))

    def _show_answer(self, message: Message, answer: Answer, ready: bool) -> None:
        ids = answer.prompt_ids
        if not ids and not len(answer.table):
            if not answer.live:
                text = QCoreApplication.translate("Context", "This answer ended before its prompt was made.")
                self._note(text)
            elif self._view.sight is None or self._shown != self._session.conversation.id:
                self._note(QCoreApplication.translate("Context", "The prompt of this answer is being made."))
            return
        known = self._known
        if known is None or known[0] != message.id:
            parts = self._why_not(answer, ready)
            if parts is None:
                if self._asked != message.id:
                    self._asked = message.id
                    self._spawn(self._tell_apart(message, answer))
                return
            known = self._known = (message.id, unknown_context(ids), parts)
        thinking = answer.thinking.tokens if answer.thinking is not None else 0
        written: array[int] = answer.table.columns["id"]
        context = with_answer(known[1], written, thinking)
        reused, cache = self._reused(message, answer)
        limit = answer.info.context_limit
        budget = Budget(len(ids), len(written), reused, limit)
        self._show(
            Sight(
                context, self._vocabulary_of(answer), budget, answer=True, live=answer.live, parts=known[2],
                cache=cache, engine=answer.info.engine,
            )
        )  # fmt: skip

    def _why_not(self, answer: Answer, ready: bool) -> Parts | None:
        """Why the prompt's messages cannot be told apart; None: they may be."""
        path = self._engine.vocabulary_path
        if not ready or path is None:
            return Parts.NOT_READY
        return None if path.name == answer.vocabulary else Parts.OTHER_MODEL

    async def _tell_apart(self, message: Message, answer: Answer) -> None:
        """Render the same messages again: who wrote what is known if the ids are the ones that were sent."""
        conversation = self._session.conversation
        messages = dialogue(conversation.system, conversation.path_to(message.parent or "")).messages
        context, parts = unknown_context(answer.prompt_ids), Parts.CHANGED
        vocabulary = self._engine.vocabulary_path
        try:
            prompt = await self._engine.render(messages, conversation.options)
            if prompt.ids == answer.prompt_ids:
                context = prompt_context(prompt, messages, self._vocabulary_of(answer))
                parts = _told(context)
        except LoupeError as error:
            log.debug("a prompt cannot be rendered again: %s", error)
        self._asked = ""
        if self._engine.vocabulary_path == vocabulary:  # else another model came meanwhile
            self._known = (message.id, context, parts)
        self.refresh()

    def _reused(self, message: Message, answer: Answer) -> tuple[int | None, Cache]:
        """Prompt tokens from the KV cache, if the engine has told."""
        if answer.finished is not None:
            told = answer.finished.reused_tokens
            return told, Cache.NOT_TOLD if told is None else Cache.TOLD
        running = self._session.running
        reading = self._session.reading if running is not None and running[1] is message else None
        if reading is not None and reading[1] is not None:
            return reading[1], Cache.TOLD
        return None, Cache.LATER if answer.live else Cache.NOT_TOLD

    def _show(self, sight: Sight) -> None:
        self._shown = self._session.conversation.id
        self._view.set_sight(sight)
        self._panel.set_sight(sight)
        self._corner.copy.setEnabled(True)

    def _note(self, text: str) -> None:
        self._view.set_note(text)
        self._panel.set_sight(None)
        self._corner.copy.setEnabled(False)

    def _spawn(self, coroutine: object) -> None:
        try:
            self._scope.spawn(coroutine)  # type: ignore[arg-type]
        except RuntimeError:  # the program is quitting
            return

    # --- what the person does ----------------------------------------------------------------------------

    def _copy(self, what: str) -> None:
        sight, token = self._view.sight, self._view.chips.current
        if sight is None or token < 0:
            return
        number = sight.context.ids[token]
        raw = sight.vocabulary.bytes_of(number)
        QGuiApplication.clipboard().setText(str(number) if what == "id" else raw.decode("utf-8", "replace"))

    def _copy_ids(self) -> None:
        if self._view.sight is not None:
            ids = self._view.sight.context.ids.tolist()
            QGuiApplication.clipboard().setText(msgspec.json.encode(ids).decode("ascii"))
            self._corner.say_copied()

    def _find(self) -> None:
        self._open_panel()
        self._panel.field.setFocus()

    def retranslate(self) -> None:
        """Another language: the words within the chips and the notes anew."""
        self._view.chips.retranslate()
        self.refresh()


def _told(context: Context) -> Parts:
    """Whether whoever rendered it told which message made which token."""
    alone = len(context.groups) == 1 and context.groups[0].who is Who.PROMPT
    return Parts.NOT_TOLD if alone else Parts.KNOWN


def _said(error: LoupeError) -> str:
    text = describe(error)
    return "\n".join(filter(None, (text.what, text.why, text.next)))
