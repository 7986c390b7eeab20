"""The composer: Enter, compositions, Stop in place, Send when ready, height, drafts (cases G06 and G16)."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, Qt
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.chat.state import ChatState
from core.engines.state import Phase
from desktop.chat.composer import Composer
from desktop.chat.composer_state import Button, Reason, composer_state

# the paste cases of the project's case log
PASTE_CASES = json.loads(
    r"""["a\tb", "two  spaces", "line1\r\nline2", "line1\n\n\nline4", "trailing  ",
    "\u2028sep\u2029par", "zero\u200dwidth", "\u00e9 vs e\u0301", "12\u00a0kg"]"""
)


class Painted(QObject):
    """Counts the paint events of a widget."""

    def __init__(self, watched: QWidget) -> None:
        super().__init__(watched)
        self.count = 0
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


@pytest.fixture
def composer(qtbot: QtBot) -> Composer:
    made = Composer()
    qtbot.addWidget(made)
    made.resize(684, 100)
    made.set_phase(Phase.READY)
    made.set_model("SmolLM2 135M")
    made.show()
    return made


@pytest.fixture
def sent(composer: Composer) -> list[str]:
    texts: list[str] = []
    composer.send_requested.connect(texts.append)
    return texts


def enter(qtbot: QtBot, composer: Composer, *modifiers: Qt.KeyboardModifier) -> None:
    both = Qt.KeyboardModifier.NoModifier
    for modifier in modifiers:
        both |= modifier
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return, both)


def compose(composer: Composer, preedit: str, commit: str = "") -> None:
    event = QInputMethodEvent(preedit, [])
    event.setCommitString(commit)
    composer.edit.inputMethodEvent(event)


@pytest.mark.parametrize("text", PASTE_CASES)
def test_what_was_pasted_is_what_is_sent(
    composer: Composer, sent: list[str], qtbot: QtBot, text: str
) -> None:
    data = QMimeData()
    data.setText(text)
    composer.edit.insertFromMimeData(data)
    enter(qtbot, composer)
    assert sent == [text.replace("\r\n", "\n")]
    assert composer.text() == ""


def test_enter_sends_and_shift_enter_breaks_the_line(
    composer: Composer, sent: list[str], qtbot: QtBot
) -> None:
    enter(qtbot, composer)
    assert sent == []  # nothing to send
    qtbot.keyClicks(composer.edit, "one")
    enter(qtbot, composer, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(composer.edit, "two")
    assert sent == []
    enter(qtbot, composer)
    assert sent == ["one\ntwo"]


def test_ctrl_enter_by_setting(composer: Composer, sent: list[str], qtbot: QtBot) -> None:
    composer.set_send_key("ctrl_enter")
    qtbot.keyClicks(composer.edit, "one")
    enter(qtbot, composer)
    qtbot.keyClicks(composer.edit, "two")
    assert sent == []
    enter(qtbot, composer, Qt.KeyboardModifier.ControlModifier)
    assert sent == ["one\ntwo"]


def test_the_keypad_sends_too(composer: Composer, sent: list[str], qtbot: QtBot) -> None:
    qtbot.keyClicks(composer.edit, "one")
    qtbot.keyClick(composer.edit, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    assert sent == ["one"]


def test_a_held_enter_sends_once(composer: Composer, sent: list[str]) -> None:
    composer.set_text("one")
    for repeat in (False, True, True):
        composer.edit.keyPressEvent(
            QKeyEvent(
                QKeyEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", repeat
            )
        )
        composer.restore("two")
    assert sent == ["one"]


def test_enter_while_composing_never_sends(composer: Composer, sent: list[str], qtbot: QtBot) -> None:
    compose(composer, "ㄋㄧㄏㄠ")
    enter(qtbot, composer)
    enter(qtbot, composer)
    assert sent == []
    compose(composer, "", commit="你好")
    enter(qtbot, composer)
    assert sent == ["你好"]


def test_the_send_button_takes_what_is_being_composed(
    composer: Composer, sent: list[str], qtbot: QtBot
) -> None:
    qtbot.keyClicks(composer.edit, "A ")
    compose(composer, "ㄏㄠ")
    assert composer.button.isEnabled()
    qtbot.mouseClick(composer.button, Qt.MouseButton.LeftButton)
    assert sent == ["A ㄏㄠ"]


def test_send_becomes_stop_at_once_in_the_same_place(
    composer: Composer, sent: list[str], qtbot: QtBot
) -> None:
    right = composer.button.geometry().topRight()
    composer.set_text("one")

    def begin(_: str) -> None:
        composer.set_chat_state(ChatState.PREPARING)

    composer.send_requested.connect(begin)
    enter(qtbot, composer)
    assert composer.state.button is Button.STOP
    assert composer.button.geometry().topRight() == right
    composer.set_chat_state(ChatState.DECODING)
    qtbot.keyClicks(composer.edit, "next")  # may be typed meanwhile
    enter(qtbot, composer)  # queues nothing
    assert sent == ["one"]
    assert composer.text() == "next"
    assert "Esc" in composer._room.text()
    with qtbot.waitSignal(composer.stop_requested):
        qtbot.mouseClick(composer.button, Qt.MouseButton.LeftButton)
    composer.set_chat_state(ChatState.STOPPING)
    assert not composer.button.isEnabled()
    composer.set_chat_state(ChatState.STOPPED)
    assert composer.state.button is Button.SEND
    assert "Esc" not in composer._room.text()
    enter(qtbot, composer)
    assert sent == ["one", "next"]


def test_send_when_ready(composer: Composer, sent: list[str], qtbot: QtBot) -> None:
    composer.set_phase(Phase.FETCHING)
    assert not composer.button.isEnabled()
    qtbot.keyClicks(composer.edit, "early")
    assert composer.state.button is Button.WAIT
    enter(qtbot, composer)
    assert composer.queued and sent == []
    assert composer.text() == "early"  # still there, still editable
    composer.set_phase(Phase.LOADING)
    qtbot.keyClicks(composer.edit, " bird")
    composer.set_phase(Phase.READY)
    assert sent == ["early bird"]
    assert not composer.queued and composer.text() == ""


def test_send_when_ready_can_be_taken_back(composer: Composer, sent: list[str], qtbot: QtBot) -> None:
    composer.set_phase(Phase.LOADING)
    composer.set_text("early")
    qtbot.mouseClick(composer.button, Qt.MouseButton.LeftButton)
    assert composer.state.button is Button.UNWAIT
    qtbot.mouseClick(composer.button, Qt.MouseButton.LeftButton)
    composer.set_phase(Phase.READY)
    assert sent == [] and composer.text() == "early"


def test_a_failed_start_keeps_the_text_and_says_why(
    composer: Composer, sent: list[str], qtbot: QtBot
) -> None:
    composer.set_phase(Phase.LOADING)
    composer.set_text("early")
    enter(qtbot, composer)
    composer.set_phase(Phase.FAILED)
    assert composer.text() == "early" and not composer.queued
    assert not composer.button.isEnabled() and composer._room.text()
    composer.set_phase(Phase.LOADING)
    composer.set_phase(Phase.READY)
    assert sent == []


def test_room_left_and_too_much(composer: Composer, sent: list[str], qtbot: QtBot) -> None:
    composer.set_text("long")
    composer.set_room(32_617)
    assert "32" in composer._room.text()
    composer.set_room(-3)
    assert composer.state == composer_state(
        Phase.READY, ChatState.IDLE, empty=False, queued=False, over_limit=True
    )
    enter(qtbot, composer)
    assert sent == [] and composer.text() == "long"
    composer.set_room(None)
    assert composer._room.text() == ""


def test_it_grows_to_eight_lines_and_back(composer: Composer, qtbot: QtBot) -> None:
    line = composer.edit.fontMetrics().lineSpacing()
    heights = []
    for lines in (1, 2, 5, 8, 9, 30, 1):
        composer.set_text("\n".join(["x"] * lines))
        heights.append(composer.edit.height())
    assert heights[0] == pytest.approx(line, abs=3)
    assert heights[1] == pytest.approx(2 * line, abs=4)
    assert heights[3] == pytest.approx(8 * line, abs=8)
    assert heights[3] == heights[4] == heights[5]
    assert heights[6] == heights[0]
    composer.set_text("word " * 60)  # wrapped lines count too
    assert composer.edit.height() > 2 * line


def test_drafts_are_told_after_a_rest_and_emptied_by_sending(
    composer: Composer, sent: list[str], qtbot: QtBot
) -> None:
    drafts: list[str] = []
    composer.rested.connect(drafts.append)
    qtbot.keyClicks(composer.edit, "draft")
    assert drafts == []
    composer._count_timer.timeout.emit()
    assert drafts == ["draft"]
    enter(qtbot, composer)
    assert drafts == ["draft", ""]


def test_a_failed_send_puts_the_text_back_unless_something_new_is_there(composer: Composer) -> None:
    composer.restore("back\u00a0again")
    assert composer.text() == "back\u00a0again"
    composer.restore("other")
    assert composer.text() == "back\u00a0again"


def test_up_in_an_empty_box_is_not_swallowed(composer: Composer, qtbot: QtBot) -> None:
    def up() -> bool:
        event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Up, Qt.KeyboardModifier.NoModifier)
        composer.edit.keyPressEvent(event)
        return event.isAccepted()

    assert not up()
    composer.set_text("x\ny")
    assert up()
    composer.set_text("")
    compose(composer, "ㄏ")
    assert up()


def test_system_prompt(composer: Composer, qtbot: QtBot) -> None:
    got: list[str] = []
    composer.system_changed.connect(got.append)
    composer.set_system("old")
    chip = next(b for b in composer.findChildren(QPushButton) if b.text() == "System prompt")
    assert chip.isChecked()
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert composer.system.isVisible() and composer.system.edit.exact_text() == "old"
    composer.system.edit.set_exact_text("you\u00a0are\n\ttabbed")
    assert composer.close_system_editor() and got == []  # Esc changes nothing
    assert not composer.close_system_editor()
    assert "draft" in composer._room.text()
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert composer.system.edit.exact_text() == "you\u00a0are\n\ttabbed"  # and loses nothing
    rested: list[str] = []
    composer.rested.connect(rested.append)
    composer.system.accept()
    assert got == ["you\u00a0are\n\ttabbed"]
    assert rested == [""]  # the room left is another
    assert not composer.system.isVisible()


def test_cancel_throws_the_draft_of_a_system_prompt_away(composer: Composer) -> None:
    composer.set_system("old")
    composer.system.open()
    composer.system.edit.set_exact_text("new")
    composer.system._cancel.click()
    composer.system.open()
    assert composer.system.edit.exact_text() == "old"


@pytest.mark.parametrize("phase", [Phase.READY, Phase.LOADING])
def test_a_question_below_an_open_system_prompt_is_sent_with_it(
    composer: Composer, sent: list[str], qtbot: QtBot, phase: Phase
) -> None:
    order: list[str] = []
    composer.system_changed.connect(lambda text: order.append(f"system {text}"))
    composer.send_requested.connect(order.append)
    composer.set_phase(phase)
    composer.system.open()
    composer.system.edit.set_exact_text("Be short.")
    composer.set_text("Why?")
    enter(qtbot, composer)
    assert composer.system.isHidden()
    composer.set_phase(Phase.READY)
    assert order == ["system Be short.", "Why?"]


def test_a_new_placeholder_is_painted_at_once(composer: Composer, qtbot: QtBot) -> None:
    painted = Painted(composer.edit.viewport())
    composer.edit.viewport().repaint()  # what is pending
    painted.count = 0
    composer.set_model("Another")
    qtbot.waitUntil(lambda: painted.count > 0)


def test_a_folder_is_called_by_its_name(composer: Composer) -> None:
    composer.set_model("/home/me/my models/llama")
    assert "Ask llama…" in composer.edit.placeholderText()


def test_the_thinking_chip_is_there_only_if_the_family_has_it(composer: Composer, qtbot: QtBot) -> None:
    chip = composer.chips.thinking
    assert not chip.isVisible()
    composer.set_thinking(False)
    assert chip.isVisible()
    with qtbot.waitSignal(composer.thinking_changed) as signal:
        qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert signal.args == [True]
    composer.set_thinking(None)
    assert not chip.isVisible()


@pytest.mark.parametrize("chat", list(ChatState))
@pytest.mark.parametrize("phase", list(Phase))
def test_every_pair_of_states_has_a_button(phase: Phase, chat: ChatState) -> None:
    make: Callable[..., object] = composer_state
    for empty in (False, True):
        for queued in (False, True):
            state = make(phase, chat, empty=empty, queued=queued)
            assert state.enabled or state.reason is not Reason.NONE or state.button is Button.STOPPING
