"""When the card opens and closes. Time is a hand that the test moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.engines.vllm.rows import Mode
from core.observe import Event
from core.settings import Settings
from desktop.chat.view import AnswerTurn, QuestionTurn, TokenRef, TranscriptView
from desktop.inspector.card import TokenCard
from desktop.inspector.presenter import GRACE_MS, REST_MS, InspectorPresenter
from desktop.inspector.values import AnswerFacts
from desktop.kit.theme import DARK, LIGHT
from tests.fakes.answers import Answer, answer, words

TEXT = "The capital of Australia is Canberra and not Sydney. "


@dataclass
class Hand:
    """Timers that fire when told."""

    timers: list[HandTimer] = field(default_factory=list)

    def make(self, call: Callable[[], None]) -> HandTimer:
        timer = HandTimer(call)
        self.timers.append(timer)
        return timer

    def pass_(self, milliseconds: int) -> None:
        for timer in self.timers:
            if timer.left is not None:
                timer.left -= milliseconds
                if timer.left <= 0:
                    timer.left = None
                    timer.call()


@dataclass
class HandTimer:
    call: Callable[[], None]
    left: int | None = None

    def start(self, milliseconds: int) -> None:
        self.left = milliseconds

    def stop(self) -> None:
        self.left = None


@dataclass
class Store:
    value: Settings = field(default_factory=lambda: Settings(reduce_motion=True))
    changed: Event[Settings] = field(default_factory=Event)


@dataclass
class Desk:
    """A view with one presenter."""

    view: TranscriptView
    presenter: InspectorPresenter
    hand: Hand
    store: Store
    ctrl: list[bool]

    @property
    def card(self) -> TokenCard:
        assert self.presenter.card is not None
        return self.presenter.card

    def open_at(self) -> int | None:
        ref = self.presenter.shown
        visible = self.presenter.card is not None and self.presenter.card.isVisible()
        assert visible == (ref is not None)
        return ref.index if ref is not None else None

    def hover(self, index: int | None) -> None:
        point = QPointF(690, 490)
        if index is not None:
            rect = self.view.token_rect(TokenRef("a", index))
            assert rect is not None
            point = QPointF(self.view.viewport().mapFromGlobal(rect.center()))
        self.mouse(QEvent.Type.MouseMove, point)

    def click(self, index: int) -> None:
        rect = self.view.token_rect(TokenRef("a", index))
        assert rect is not None
        point = QPointF(self.view.viewport().mapFromGlobal(rect.center()))
        self.mouse(QEvent.Type.MouseButtonPress, point)
        self.mouse(QEvent.Type.MouseButtonRelease, point)

    def mouse(self, kind: QEvent.Type, point: QPointF) -> None:
        none = Qt.MouseButton.NoButton
        button = none if kind == QEvent.Type.MouseMove else Qt.MouseButton.LeftButton
        down = Qt.MouseButton.LeftButton if kind == QEvent.Type.MouseButtonPress else none
        port = self.view.viewport()
        place = QPointF(port.mapToGlobal(point))
        event = QMouseEvent(kind, point, place, button, down, Qt.KeyboardModifier.NoModifier)
        QCoreApplication.sendEvent(port, event)

    def set(self, **changes: object) -> None:
        self.store.value = Settings(**{"reduce_motion": True, **changes})  # type: ignore[arg-type]


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    view = TranscriptView()
    qtbot.addWidget(view)
    view.reduce_motion = True
    view.resize(700, 500)
    hand, store, ctrl = Hand(), Store(), [False]
    presenter = InspectorPresenter(
        view, lambda turn_id: AnswerFacts(), store, timer=hand.make, ctrl_down=lambda: ctrl[0]
    )
    view.set_theme(LIGHT)
    made = answer(words(TEXT), 0.118)
    view.set_turns([QuestionTurn("q", "?"), AnswerTurn("a", made.table, made.vocabulary)])
    view.show()
    return Desk(view, presenter, hand, store, ctrl)


def test_it_opens_after_a_rest(desk: Desk) -> None:
    desk.hover(2)
    assert desk.open_at() is None
    desk.hand.pass_(REST_MS - 1)
    assert desk.open_at() is None
    desk.hand.pass_(1)
    assert desk.open_at() == 2
    assert desk.view._marks.hovered == TokenRef("a", 2)


def test_the_first_card_is_made_while_the_pointer_comes_to_rest(desk: Desk) -> None:
    desk.hover(2)
    assert desk.presenter.card is not None
    assert not desk.presenter.card.isVisible()
    desk.hover(None)
    desk.hand.pass_(10 * REST_MS)
    assert desk.open_at() is None


def test_moving_on_before_the_rest_starts_anew(desk: Desk) -> None:
    desk.hover(2)
    desk.hand.pass_(REST_MS - 50)
    desk.hover(3)
    desk.hand.pass_(REST_MS - 50)
    assert desk.open_at() is None
    desk.hand.pass_(50)
    assert desk.open_at() == 3


def test_a_neighbour_takes_the_card_without_delay(desk: Desk) -> None:
    desk.hover(2)
    desk.hand.pass_(REST_MS)
    desk.hover(3)
    assert desk.open_at() == 3


def test_it_closes_a_moment_after_the_pointer_left(desk: Desk) -> None:
    desk.hover(2)
    desk.hand.pass_(REST_MS)
    desk.hover(None)
    assert desk.open_at() == 2
    desk.hand.pass_(GRACE_MS)
    assert desk.open_at() is None
    assert desk.view._marks.hovered is None


def test_a_pointer_on_the_card_keeps_it_open(desk: Desk) -> None:
    desk.hover(2)
    desk.hand.pass_(REST_MS)
    desk.hover(None)
    desk.card.entered.emit()
    desk.hand.pass_(10 * GRACE_MS)
    assert desk.open_at() == 2
    desk.card.left.emit()
    desk.hand.pass_(GRACE_MS)
    assert desk.open_at() is None


def test_a_click_opens_at_once_and_holds(desk: Desk) -> None:
    desk.click(4)
    assert desk.open_at() == 4
    desk.hover(None)
    desk.hand.pass_(10 * GRACE_MS)
    assert desk.open_at() == 4
    desk.hover(6)
    assert desk.open_at() == 4
    desk.hand.pass_(REST_MS)
    assert desk.open_at() == 6
    assert desk.presenter.close()
    assert not desk.presenter.close()


def test_keys_open_and_the_card_goes_with_the_cursor(desk: Desk) -> None:
    desk.view.set_cursor(TokenRef("a", 1))
    assert desk.open_at() is None
    QTest.keyClick(desk.view, Qt.Key.Key_Return)
    assert desk.open_at() == 1
    QTest.keyClick(desk.view, Qt.Key.Key_Right)
    assert desk.open_at() == 2


@pytest.mark.parametrize(
    ("mode", "ctrl", "opens"),
    [
        ("hover", False, True),
        ("ctrl", False, False),
        ("ctrl", True, True),
        ("click", True, False),
        ("off", True, False),
    ],
)
def test_the_settings_decide_about_hovering(desk: Desk, mode: str, ctrl: bool, opens: bool) -> None:
    desk.set(hover=mode)
    desk.ctrl[0] = ctrl
    desk.hover(2)
    desk.hand.pass_(REST_MS)
    assert (desk.open_at() == 2) is opens


@pytest.mark.parametrize(
    ("mode", "opens"), [("hover", True), ("ctrl", True), ("click", True), ("off", False)]
)
def test_a_click_opens_unless_it_is_off(desk: Desk, mode: str, opens: bool) -> None:
    desk.set(hover=mode)
    desk.click(2)
    assert (desk.open_at() == 2) is opens
    QTest.keyClick(desk.view, Qt.Key.Key_Return)  # the keyboard always can
    assert desk.open_at() == 2


def test_scrolling_hides_it(desk: Desk) -> None:
    made = answer(words(TEXT * 60))
    desk.view.set_turns([AnswerTurn("a", made.table, made.vocabulary)])
    desk.view.reveal(TokenRef("a", 300))
    QTest.keyClick(desk.view, Qt.Key.Key_Return)
    assert desk.open_at() == 300
    bar = desk.view.verticalScrollBar()
    bar.setValue(bar.value() + 40)
    assert desk.open_at() is None


def test_while_the_answer_grows_it_goes_with_its_token(desk: Desk) -> None:
    made = Answer(words(TEXT * 2)).add(words(TEXT * 60))
    desk.view.set_turns([AnswerTurn("a", made.table, made.vocabulary, live=True)])
    index = len(made.table) - 3
    desk.view.set_cursor(TokenRef("a", index))
    QTest.keyClick(desk.view, Qt.Key.Key_Return)
    before = desk.card.placed.rect.top()
    made.add(words(TEXT * 3))
    desk.view.grow("a")
    desk.view.batcher.flush()
    assert desk.open_at() == index
    assert desk.card.placed.rect.top() != before
    for _ in range(20):
        made.add(words(TEXT * 3))
        desk.view.grow("a")
        desk.view.batcher.flush()
    assert desk.open_at() is None  # its token left the view


def test_other_turns_and_a_drag_close_it(desk: Desk) -> None:
    desk.click(1)
    desk.view.set_turns([])
    assert desk.open_at() is None


def test_copy_of_the_token_and_of_the_card(desk: Desk) -> None:
    desk.view.set_cursor(TokenRef("a", 1))
    QTest.keyClick(desk.view, Qt.Key.Key_C)
    assert QGuiApplication.clipboard().text() == " capital"
    QTest.keyClick(desk.view, Qt.Key.Key_Return)
    desk.card.body.copy.click()
    assert "Probability: 11.8 %" in QGuiApplication.clipboard().text()


def test_pin_makes_a_window_and_leaves_the_card_free(desk: Desk) -> None:
    desk.view.set_cursor(TokenRef("a", 1))
    QTest.keyClick(desk.view, Qt.Key.Key_P)
    assert desk.open_at() is None
    assert len(desk.presenter.pinned) == 1
    window = desk.presenter.pinned[0]
    assert window.isVisible()
    desk.click(3)
    desk.card.body.pin.click()
    assert len(desk.presenter.pinned) == 2
    window.close()
    assert len(desk.presenter.pinned) == 1
    desk.presenter.close_all()
    assert desk.presenter.pinned == []


def test_next_goes_to_the_next_doubtful_token(desk: Desk) -> None:
    desk.click(1)
    desk.card.body.next.click()
    assert desk.open_at() == 2


def test_the_close_button_closes(desk: Desk) -> None:
    desk.click(1)
    desk.card.body.close_button.click()
    assert desk.open_at() is None


def test_pieces_of_a_character_are_one_card_stepped_by_arrows(desk: Desk) -> None:
    made = answer([b"a ", b"\xe5\xb3", b"\xaf", b" b"], 0.3)
    desk.view.set_turns([AnswerTurn("a", made.table, made.vocabulary)])
    desk.click(2)
    sheet = desk.card.body.sheet
    assert sheet is not None and sheet.model.piece == 1 and sheet.model.sign == "峯"
    QTest.keyClick(desk.view, Qt.Key.Key_Right)
    sheet = desk.card.body.sheet
    assert sheet is not None and sheet.model.piece == 2
    desk.hover(1)  # the same character: the piece that is shown stays
    desk.hand.pass_(REST_MS)
    assert desk.open_at() == 2


def test_a_new_theme_reaches_open_and_pinned_cards(desk: Desk) -> None:
    desk.view.set_cursor(TokenRef("a", 1))
    QTest.keyClick(desk.view, Qt.Key.Key_P)
    desk.click(3)
    desk.view.set_theme(DARK)
    assert desk.open_at() == 3
    sheet, pinned = desk.card.body.sheet, desk.presenter.pinned[0].body.sheet
    assert sheet is not None and sheet.theme is DARK
    assert pinned is not None and pinned.theme is DARK


def test_a_token_is_pinned_once(desk: Desk) -> None:
    for _ in range(2):
        desk.view.set_cursor(TokenRef("a", 1))
        QTest.keyClick(desk.view, Qt.Key.Key_P)
    assert [window.ref for window in desk.presenter.pinned] == [TokenRef("a", 1)]
    assert desk.open_at() is None


def test_a_growing_answer_has_no_total_yet(desk: Desk) -> None:
    made = answer(words(TEXT), 0.118)
    desk.view.set_turns([AnswerTurn("a", made.table, made.vocabulary, live=True)])
    desk.presenter.open(TokenRef("a", 1))
    assert desk.card.body.accessibleDescription().splitlines()[1].startswith("Token 2 ·")
    desk.view.set_turns([AnswerTurn("a", made.table, made.vocabulary)])
    desk.presenter.open(TokenRef("a", 1))
    assert desk.card.body.accessibleDescription().splitlines()[1].startswith("Token 2 of")


def test_a_card_without_numbers_asks_again_and_leads_to_the_capabilities(desk: Desk, qtbot: QtBot) -> None:
    """From the floating card and from a pinned one."""
    desk.presenter._facts_for = lambda turn_id: AnswerFacts(engine="vllm", evidence=(), mode=Mode.NONE)
    ref = TokenRef("a", 2)
    desk.presenter.open(ref)
    with qtbot.waitSignal(desk.presenter.again_wanted) as asked:
        desk.card.body.again.click()
    assert asked.args == ["a"] and desk.open_at() is None
    desk.presenter.open(ref)
    desk.view.pin_requested.emit(ref)
    body = desk.presenter.pinned[0].body
    with qtbot.waitSignal(desk.presenter.capability_wanted) as wanted:
        body.capabilities.click()
    assert wanted.args == ["probability"]
    with qtbot.waitSignal(desk.presenter.again_wanted) as asked:
        body.again.click()
    assert asked.args == ["a"]
    desk.presenter.close_all()
