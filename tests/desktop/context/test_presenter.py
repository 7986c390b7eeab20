"""Which tokens the tab shows, when it works at all, and what is copied: with the real session and widgets."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from core.chat.messages import Answer, Thinking
from core.engines.base import Prefilling, TokenBatch
from core.engines.state import Phase
from core.errors import PromptError
from core.prompt.context import Who
from core.tokens.vocabulary import Vocabulary
from desktop.context.model import Cache, Parts, Sight
from desktop.context.tab import ContextTab
from desktop.kit.theme import LIGHT
from tests.core.chat.desk import VOCABULARY
from tests.fakes.chat_desk import ChatDesk, play
from tests.fakes.scripted_engine import HELD, finished, row, rows

Run = Any
OTHER = Vocabulary.from_pieces([b"?"], [0])


class Window(QWidget):
    """Centre and side of the window, as far as the tab needs them."""

    tab_changed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.side = "chat"
        self.panels = 0

    def add_page(self, id_: str, page: QWidget, title: object, corner: QWidget | None = None) -> None:
        page.setParent(self)
        if corner is not None:
            corner.setParent(self)

    def add(self, tab: str, panel: QWidget, title: object) -> None:
        panel.setParent(self)

    def show_for(self, tab: str) -> None:
        self.side = tab

    def open_panel(self) -> None:
        self.panels += 1


class Desk(ChatDesk):
    """The chat's desk with the tab beside it, in view from the start."""

    def __init__(self, *scripts: list[object], **more: Any) -> None:
        super().__init__(*scripts, **more)
        self.around = Window()
        self.tab = ContextTab(
            self.around, self.around, self.composer.rested, self.session, self.engine, self.scope,
            self.vocabulary_of, self.around.open_panel,
        )  # fmt: skip
        self.tab.set_theme(LIGHT)
        self.tab.view.resize(600, 500)
        self.tab.view.show()
        self.around.resize(600, 500)
        self.around.show()

    def vocabulary_of(self, answer: Answer) -> Vocabulary:
        return VOCABULARY if answer.vocabulary == "v.vocab" else OTHER

    async def rest(self) -> None:
        """Until nothing runs, and the tab has looked at what came of it."""
        await super().rest()
        while self.tab.presenter._batcher.pending or self.scope._tasks:
            self.tab.presenter._batcher.flush()
            await super().rest()

    async def type(self, text: str) -> None:
        self.composer.set_text(text)
        self.composer.rested.emit(text)
        await self.rest()

    @property
    def sight(self) -> Sight:
        assert self.tab.view.sight is not None, self.tab.view.note.text()
        return self.tab.view.sight

    @property
    def shown(self) -> list[tuple[Who, str]]:
        """Whose each group is, and its text."""
        ids = self.sight.context.ids
        return [
            (
                group.who,
                b"".join(VOCABULARY.bytes_of(token) for token in ids[group.first : group.last]).decode(),
            )
            for group in self.sight.context.groups
        ]

    @property
    def note(self) -> str:
        return "" if self.tab.view.sight is not None else self.tab.view.note.text()

    async def close(self) -> None:
        await super().close()
        self.around.close()
        self.around.deleteLater()


def at_desk(run_qt: Run, steps: Any, *scripts: list[object], **more: Any) -> None:
    play(run_qt, steps, *scripts, make=Desk, **more)


# --- what is shown ------------------------------------------------------------------------------------------


def test_an_empty_chat_says_what_will_stand_here(run_qt: Run) -> None:
    async def steps(desk: Desk) -> None:
        assert "as you type" in desk.note

    at_desk(run_qt, steps)


def test_a_draft_is_the_next_prompt_exactly(run_qt: Run) -> None:
    async def steps(desk: Desk) -> None:
        desk.session.set_system("Rhyme.")
        await desk.type("hello")
        assert desk.shown == [(Who.SYSTEM, "system:Rhyme."), (Who.USER, ";user:hello"), (Who.NEXT, ";")]
        assert not desk.sight.answer and desk.sight.cache is Cache.LATER
        assert desk.sight.budget.limit == 1000 and desk.sight.budget.total == len(desk.sight.context.ids)

    at_desk(run_qt, steps)


def test_an_answer_is_shown_with_the_prompt_that_was_sent(run_qt: Run) -> None:
    async def steps(desk: Desk) -> None:
        await desk.ask("hello")
        await desk.rest()
        assert desk.sight.answer and desk.sight.parts is Parts.KNOWN
        assert "".join(text for _, text in desk.shown) == "user:hello;fine<|end|>"
        assert desk.shown[-1][0] is Who.ASSISTANT and desk.shown[-1][1].endswith("fine<|end|>")
        assert (desk.sight.budget.read, desk.sight.budget.written, desk.sight.budget.reused) == (11, 5, 0)

    at_desk(run_qt, steps)


def test_a_draft_after_an_answer_is_the_next_prompt_again(run_qt: Run) -> None:
    async def steps(desk: Desk) -> None:
        await desk.ask("hello")
        await desk.type("more")
        assert "".join(text for _, text in desk.shown) == "user:hello;assistant:fine;user:more;"
        await desk.type("")
        assert desk.sight.answer

    at_desk(run_qt, steps)


def test_an_answer_that_runs_grows_whatever_is_typed(run_qt: Run) -> None:
    script = [Prefilling(11, 7), TokenBatch(rows("ab")), HELD, TokenBatch([row(67, 1.0)]), HELD, finished(3)]

    async def steps(desk: Desk) -> None:
        desk.composer.ask("hello")
        await desk.engine.reached.wait()
        await settled(desk)
        desk.composer.set_text("next")
        desk.composer.rested.emit("next")
        await settled(desk)
        assert desk.sight.live and desk.shown[-1][1].endswith("ab")
        assert (desk.sight.budget.reused, desk.sight.cache) == (7, Cache.TOLD)
        desk.engine.reached.clear()
        desk.engine.go.set()
        await desk.rest()
        desk.tab.presenter._batcher.flush()

    at_desk(run_qt, steps, script)


async def settled(desk: Desk) -> None:
    """What the tab wants rendered is rendered; the answer still runs."""
    for _ in range(20):
        await asyncio.sleep(0)
    desk.tab.presenter._batcher.flush()


def test_thinking_stands_before_the_answer(run_qt: Run) -> None:
    async def steps(desk: Desk) -> None:
        await desk.ask("hello")
        answer = desk.session.conversation.path()[-1].answer
        assert answer is not None
        answer.thinking = Thinking(2, 2, closed=True)
        desk.tab.presenter.refresh()
        assert [who for who, _ in desk.shown][-2:] == [Who.THINKING, Who.ASSISTANT]

    at_desk(run_qt, steps)


# --- what is not known --------------------------------------------------------------------------------------


def test_an_answer_of_another_vocabulary_is_shown_by_that_and_in_one_piece(run_qt: Run) -> None:
    async def steps(desk: Desk) -> None:
        await desk.ask("hello")
        message = desk.session.conversation.path()[-1]
        assert message.answer is not None
        message.answer.vocabulary = "other.vocab"
        desk.tab.presenter._known = None
        desk.tab.presenter.refresh()
        assert desk.sight.parts is Parts.OTHER_MODEL and desk.sight.vocabulary is OTHER
        assert [group.who for group in desk.sight.context.groups] == [Who.PROMPT, Who.ASSISTANT]

    at_desk(run_qt, steps)


def test_what_gives_other_ids_today_is_not_told_apart(run_qt: Run) -> None:
    async def steps(desk: Desk) -> None:
        await desk.ask("hello")
        desk.session.set_system("new")
        desk.tab.presenter._known = None
        desk.tab.presenter.refresh()
        await desk.rest()
        assert desk.sight.parts is Parts.CHANGED
        assert desk.shown[0] == (Who.PROMPT, "user:hello;")

    at_desk(run_qt, steps)


def test_without_a_ready_engine_the_answer_is_readable_and_the_next_prompt_waits(run_qt: Run) -> None:
    async def steps(desk: Desk) -> None:
        await desk.ask("hello")
        lost = msgspec.structs.replace(desk.engine.state, phase=Phase.LOST, info=None)
        desk.engine.state = lost
        desk.engine.state_changed.emit(lost)
        await desk.type("more")
        assert desk.sight.answer and desk.sight.parts is Parts.NOT_READY
        desk.session.new()
        desk.chat.show()
        await desk.type("more")
        assert "when it is ready" in desk.note

    at_desk(run_qt, steps)


def test_a_template_that_refuses_says_why(run_qt: Run) -> None:
    async def steps(desk: Desk) -> None:
        desk.prompter.refuse = lambda *_: PromptError("prompt.no_template")
        await desk.type("hello")
        assert desk.note

    at_desk(run_qt, steps)


def test_an_answer_without_a_prompt_says_so(run_qt: Run) -> None:
    async def steps(desk: Desk) -> None:
        desk.prompter.refuse = lambda *_: PromptError("prompt.no_template")
        await desk.ask("hello")
        await desk.type("")
        assert "before its prompt was made" in desk.note

    at_desk(run_qt, steps)


def test_where_there_is_nothing_there_is_nothing_to_copy_or_to_find(run_qt: Run) -> None:
    async def steps(desk: Desk) -> None:
        assert not desk.tab.corner.copy.isEnabled()
        await desk.type("hello")
        assert desk.tab.corner.copy.isEnabled() and desk.tab.panel.table.count
        await desk.type("")
        assert not desk.tab.corner.copy.isEnabled() and not desk.tab.panel.table.count

    at_desk(run_qt, steps)


def test_a_prompt_in_the_making_is_not_shown_as_nothing(run_qt: Run) -> None:
    async def steps(desk: Desk) -> None:
        await desk.type("hello")
        desk.prompter.hold = asyncio.Event()
        desk.prompter.reached.clear()
        desk.composer.ask("hello")
        await desk.prompter.reached.wait()
        assert "".join(text for _, text in desk.shown) == "user:hello;"
        desk.prompter.hold.set()
        await desk.rest()
        assert desk.sight.answer

    at_desk(run_qt, steps)


# --- when it works ------------------------------------------------------------------------------------------


def test_hidden_it_renders_nothing_and_shows_all_when_it_comes_back(run_qt: Run) -> None:
    async def steps(desk: Desk) -> None:
        desk.tab.view.hide()
        await desk.rest()
        asked = len(desk.prompter.asked)
        desk.session.set_draft("hello")
        desk.tab.presenter.refresh()
        desk.session.set_system("Rhyme.")
        await desk.rest()
        assert len(desk.prompter.asked) == asked
        desk.tab.view.show()
        await desk.rest()
        assert "".join(text for _, text in desk.shown) == "system:Rhyme.;user:hello;"

    at_desk(run_qt, steps)


def test_an_overtaken_rendering_is_dropped(run_qt: Run) -> None:
    async def steps(desk: Desk) -> None:
        desk.prompter.hold = asyncio.Event()
        for text in ("first", "second"):
            desk.session.set_draft(text)
            desk.tab.presenter.refresh()
        await desk.prompter.reached.wait()
        shown: list[Sight] = []
        desk.tab.presenter._show = shown.append  # type: ignore[method-assign]
        desk.prompter.hold.set()
        await desk.rest()
        assert len(shown) == 1 and len(shown[0].context.ids) == len("user:second;")

    at_desk(run_qt, steps)


# --- what the person does -----------------------------------------------------------------------------------


def test_the_cursor_is_shared_both_ways(run_qt: Run) -> None:
    async def steps(desk: Desk) -> None:
        await desk.type("hello")
        desk.tab.view.chips.chosen.emit(3)
        assert desk.tab.panel.table.current == 3
        desk.tab.panel.chosen.emit(5)
        assert desk.tab.view.chips.current == 5

    at_desk(run_qt, steps)


def test_copies_are_exact(run_qt: Run) -> None:
    async def steps(desk: Desk) -> None:
        await desk.type("hello")
        clipboard = QGuiApplication.clipboard()
        desk.tab.corner.copy.click()
        assert msgspec.json.decode(clipboard.text()) == list(b"user:hello;")
        assert desk.tab.corner.copy.text() == "Copied"
        desk.tab.view.chips.select(5)
        desk.tab.view.chips.copy_wanted.emit("id")
        assert clipboard.text() == str(ord("h"))
        desk.tab.panel.table.copy_wanted.emit("text")
        assert clipboard.text() == "h"

    at_desk(run_qt, steps)


def test_find_opens_the_dock(run_qt: Run) -> None:
    async def steps(desk: Desk) -> None:
        desk.tab.view.chips.find_wanted.emit()
        assert desk.around.panels == 1
        desk.around.tab_changed.emit("context")
        assert desk.around.side == "context"

    at_desk(run_qt, steps)


def test_another_language_changes_nothing_else(run_qt: Run) -> None:
    async def steps(desk: Desk) -> None:
        await desk.type("hello")
        before = desk.sight
        desk.tab.retranslate()
        await desk.rest()
        assert desk.sight.context == before.context

    at_desk(run_qt, steps)
