"""The window as a whole: docks by width, overlays, Esc, closing, keys, memory, stillness."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from core.chat.state import ChatState
from core.engines.base import EngineInfo, Sampling
from core.engines.state import EngineState, Phase
from core.log_lines import LogBuffer
from core.server.finding import Finding, Fix
from desktop.chat.view import TranscriptView
from desktop.conversations.days import ConversationRow
from desktop.kit.appearance import Appearance
from desktop.kit.dialogs import Question
from desktop.kit.i18n import Language
from desktop.picker.run_text import device_text
from desktop.window.actions import ACTIONS
from desktop.window.geometry import WindowMemory
from desktop.window.keys_dialog import KeysDialog, key_rows
from desktop.window.main_window import MainWindow
from desktop.window.placement import Panel

INFO = EngineInfo("local", "SmolLM2 135M", revision="12fd25f7", dtype="bf16", device="cpu", threads=3)
READY = EngineState(Phase.READY, "SmolLM2 135M", info=INFO)


@pytest.fixture
def appearance(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Appearance]:
    made = Appearance(qapp, tmp_path_factory.getbasetemp() / "style")
    made.set_reduce_motion(True)
    made.apply("light")
    yield made
    made.set_zoom(100)
    qapp.setStyleSheet("")  # it names files of this run


@pytest.fixture
def window(qtbot: QtBot, appearance: Appearance) -> MainWindow:
    return make(qtbot, appearance)


def make(qtbot: QtBot, appearance: Appearance, memory: WindowMemory | None = None) -> MainWindow:
    made = MainWindow(TranscriptView(), appearance, LogBuffer(), memory or WindowMemory())
    qtbot.addWidget(made, before_close_func=MainWindow.close_for_real)
    made.set_engine_state(READY)
    made.sampling.form.set_sampling(Sampling(), Sampling())
    made.resize(1280, 800)
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    return made


def test_sizes_of_the_design(window: MainWindow) -> None:
    assert window.size() == QSize(1280, 800)
    assert window.run_bar.height() == 52
    assert window.statusBar().height() == 26
    assert window.conversations.width() == pytest.approx(224, abs=1)
    assert window.sampling.width() == pytest.approx(296, abs=1)
    assert window.docks[Panel.LOG].isHidden()
    assert window.composer.width() <= 684
    box = window.composer._box
    assert box.height() == 100
    bottom = box.mapTo(window, box.rect().bottomLeft()).y()
    assert window.statusBar().y() - bottom == pytest.approx(24, abs=2)
    window.show_panel(Panel.LOG, True)
    assert window.docks[Panel.LOG].height() == pytest.approx(250, abs=2)


def test_nothing_is_wider_than_the_smallest_window(window: MainWindow) -> None:
    window.resize(720, 520)
    assert window.size() == QSize(720, 520)
    assert window.minimumSizeHint().width() <= 720
    window.show_panel(Panel.LOG, True)
    window.set_engine_state(EngineState(Phase.FETCHING, "A model with a very long name", 41, 93))
    window.composer.set_text("x\n" * 20)
    assert window.size() == QSize(720, 520)
    box = window.composer._box
    assert window.rect().contains(box.mapTo(window, box.rect().bottomRight()))


def test_docks_leave_by_width_and_come_back(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1090, 700)
    assert not window.sampling.isVisible() and window.conversations.isVisible()
    assert not window.run_bar.sampling.isChecked()
    window.resize(900, 700)
    assert not window.conversations.isVisible()
    window.resize(770, 700)
    assert not window.centre.heat.steps.isVisible() and window.centre.heat.button.isVisible()
    window.resize(1280, 800)
    assert window.sampling.isVisible() and window.conversations.isVisible()
    assert window.run_bar.sampling.isChecked()
    qtbot.waitUntil(lambda: abs(window.conversations.width() - 224) <= 1)
    qtbot.waitUntil(lambda: abs(window.sampling.width() - 296) <= 1)


def test_an_overlay_closes_by_esc_and_by_a_click_outside(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(900, 700)
    qtbot.mouseClick(window.run_bar.conversations, Qt.MouseButton.LeftButton)
    assert window.conversations.isVisible() and window.run_bar.conversations.isChecked()
    assert window.conversations.window() is window
    # it lies over the chat and takes no room from it
    assert window.centre.width() == 900
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.conversations.isVisible() and not window.run_bar.conversations.isChecked()
    window.show_panel(Panel.SAMPLING, True)
    assert window.sampling.isVisible()
    qtbot.mouseClick(
        window.panels.overlay, Qt.MouseButton.LeftButton, pos=window.panels.overlay.rect().center()
    )
    assert not window.sampling.isVisible()
    assert window.composer.edit.hasFocus()


def test_opening_a_chat_closes_the_overlay(window: MainWindow) -> None:
    window.resize(900, 700)
    window.show_panel(Panel.CONVERSATIONS, True)
    window.conversations.opened.emit("a")
    assert not window.conversations.isVisible()


def test_an_overlay_becomes_a_dock_in_a_wide_window(window: MainWindow) -> None:
    window.resize(900, 700)
    window.show_panel(Panel.SAMPLING, True)
    window.resize(1280, 800)
    assert window.sampling.isVisible()
    assert window.docks[Panel.SAMPLING].isVisible()
    assert window.panels.overlay.isHidden()


def test_a_large_zoom_counts_as_a_narrow_window(window: MainWindow, appearance: Appearance) -> None:
    appearance.set_zoom(200)
    assert not window.sampling.isVisible() and not window.conversations.isVisible()
    appearance.set_zoom(100)
    assert window.sampling.isVisible()


def test_esc_goes_one_step_a_press_and_stops_last(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(900, 700)
    window.set_chat_state(ChatState.DECODING)
    card = [True]

    def close_card() -> bool:
        was, card[0] = card[0], False
        return was

    window.escape_handlers.append(close_card)
    window.show_panel(Panel.SAMPLING, True)
    window.composer.system.open()
    with qtbot.assertNotEmitted(window.composer.stop_requested):
        qtbot.keyClick(window, Qt.Key.Key_Escape)
        assert not card[0] and window.sampling.isVisible()
        qtbot.keyClick(window, Qt.Key.Key_Escape)
        assert not window.sampling.isVisible()
        qtbot.keyClick(window.composer.system.edit, Qt.Key.Key_Escape)
        assert not window.composer.system.isVisible()
    with qtbot.waitSignal(window.composer.stop_requested):
        qtbot.keyClick(window.composer.edit, Qt.Key.Key_Escape)
    window.set_chat_state(ChatState.STOPPED)
    with qtbot.assertNotEmitted(window.composer.stop_requested):
        qtbot.keyClick(window.composer.edit, Qt.Key.Key_Escape)


@pytest.mark.parametrize("spec", ACTIONS, ids=lambda spec: spec.id)
def test_every_key_works_while_text_is_typed(window: MainWindow, qtbot: QtBot, spec: object) -> None:
    got: list[str] = []
    window.actions_.triggered.disconnect()
    window.actions_.triggered.connect(got.append)
    window.composer.edit.setFocus()
    window.composer.set_text("some text")
    for key in spec.keys:  # type: ignore[attr-defined]
        combination = QKeySequence(key)[0]
        qtbot.keyClick(window.composer.edit, combination.key(), combination.keyboardModifiers())
    assert got == [spec.id] * len(spec.keys)  # type: ignore[attr-defined]
    assert window.composer.text() == "some text"


def test_no_two_actions_share_a_key() -> None:
    keys = [key for spec in ACTIONS for key in spec.keys]
    assert len(keys) == len(set(keys))


def test_the_list_of_keys_names_all(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(window, Qt.Key.Key_F1)
    dialog = window.findChild(KeysDialog)
    assert dialog is not None and dialog.isVisible()
    assert window.rect().size().expandedTo(dialog.size()) == window.size()
    assert len(key_rows()) >= len(ACTIONS)
    dialog.close()


def test_closing_only_asks(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.quit_requested):
        event = QCloseEvent()
        QApplication.sendEvent(window, event)
    assert not event.isAccepted() and window.isVisible()
    with qtbot.waitSignal(window.quit_requested):
        qtbot.keyClick(window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    window.close_for_real()
    assert not window.isVisible()


def test_deleting_a_chat_asks_first(window: MainWindow, qtbot: QtBot) -> None:
    window.conversations.set_rows((ConversationRow("a", "<b>Tea</b>", 1, 0.0),), "a")
    for answer, deleted in (("cancel", []), ("action", ["a"])):
        got: list[str] = []
        window.delete_confirmed.connect(got.append)
        window.conversations.delete_wanted.emit("a")
        question = next(one for one in window.findChildren(Question) if one.isVisible())
        qtbot.mouseClick(getattr(question, answer), Qt.MouseButton.LeftButton)
        assert got == deleted
        window.delete_confirmed.disconnect(got.append)


def test_docks_and_place_are_remembered(window: MainWindow, qtbot: QtBot, appearance: Appearance) -> None:
    window.setGeometry(10, 20, 1200, 700)
    window.show_panel(Panel.CONVERSATIONS, False)
    window.show_panel(Panel.LOG, True)
    memory = window.memory()
    other = MainWindow(TranscriptView(), appearance, LogBuffer(), memory)
    qtbot.addWidget(other, before_close_func=MainWindow.close_for_real)
    other.resize(1200, 700)
    other.show()
    assert not other.conversations.isVisible()
    assert other.sampling.isVisible() and other.log.isVisible()


def test_a_narrow_window_does_not_forget_the_docks(
    window: MainWindow, qtbot: QtBot, appearance: Appearance
) -> None:
    window.show_panel(Panel.SAMPLING, True)
    window.resize(800, 600)
    window.show_panel(Panel.SAMPLING, True)  # open as an overlay while it is saved
    memory = window.memory()
    other = MainWindow(TranscriptView(), appearance, LogBuffer(), memory)
    qtbot.addWidget(other, before_close_func=MainWindow.close_for_real)
    other.resize(800, 600)
    other.show()
    assert not other.sampling.isVisible()
    other.resize(1280, 800)
    assert other.sampling.isVisible() and other.conversations.isVisible()
    qtbot.waitUntil(lambda: abs(other.sampling.width() - 296) <= 1)


@pytest.mark.parametrize("memory", [WindowMemory("!!", "!!"), WindowMemory("AAAA", '{"open":1}')])
def test_damaged_memory_opens_the_default(qtbot: QtBot, appearance: Appearance, memory: WindowMemory) -> None:
    window = make(qtbot, appearance, memory)
    assert window.sampling.isVisible() and not window.log.isVisible()


def test_a_sample_question_is_sent(window: MainWindow, qtbot: QtBot) -> None:
    button = window.centre.empty.samples[1]
    with qtbot.waitSignal(window.composer.send_requested) as signal:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert signal.args == [button.text()]
    window.set_engine_state(EngineState(Phase.LOADING, "SmolLM2 135M"))
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.composer.queued


def test_come_forward(window: MainWindow) -> None:
    window.showMinimized()
    window.come_forward()
    assert not window.isMinimized() and window.isVisible()


class Paints(QObject):
    """Counts paint events of every widget."""

    def __init__(self) -> None:
        super().__init__()
        self.painted: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and isinstance(watched, QWidget):
            self.painted.append(type(watched).__name__)
        return False


def test_an_idle_window_paints_nothing(window: MainWindow, qtbot: QtBot, qapp: QApplication) -> None:
    window.show_panel(Panel.LOG, True)
    window.log.view.rows.buffer.add("INFO line")
    window.log_added()
    window.status.set_line(window.log.view.rows.buffer.last)
    window.composer.edit._caret.timer.timeout.emit()  # nobody has typed for a while
    assert QGuiApplication.styleHints().cursorFlashTime() == 0
    counter = Paints()
    qapp.installEventFilter(counter)

    def still() -> bool:
        counter.painted.clear()
        qapp.sendPostedEvents()
        return not counter.painted and not ticking(window)

    qtbot.waitUntil(still)
    qapp.removeEventFilter(counter)
    window.set_chat_state(ChatState.DECODING)
    assert ticking(window)  # the age of the last log line counts while something runs
    window.set_chat_state(ChatState.FINISHED)
    assert not ticking(window)
    window.composer.edit._caret.stir()
    assert QGuiApplication.styleHints().cursorFlashTime() > 0


def ticking(window: MainWindow) -> list[QTimer]:
    """Timers that would wake an idle window; midnight and the resting caret are no ticks."""
    idle = (window.conversations._midnight, window.composer.edit._caret.timer)
    return [timer for timer in window.findChildren(QTimer) if timer.isActive() and timer not in idle]


def test_every_icon_button_has_a_name_and_a_tooltip(window: MainWindow) -> None:
    for button in window.findChildren(QAbstractButton):
        if button.isVisible() and not button.text() and type(button).__name__ != "TokenRow":
            assert button.accessibleName(), button.objectName() or type(button)
            assert button.toolTip(), button.accessibleName()


def test_tab_order(window: MainWindow, qtbot: QtBot, qapp: QApplication) -> None:
    window.show_panel(Panel.LOG, True)
    window.log.view.rows.buffer.add("a line")
    window.log_added()
    qtbot.waitUntil(window.log.view.isVisible)
    window.conversations.set_rows((ConversationRow("a", "Tea", 1, 0.0),), "a")
    window.composer.set_text("x")
    window.centre.server.stopped.set_model("Small")
    window.run_bar.conversations.setFocus()
    seen: list[QWidget] = []
    for _ in range(80):
        focus = qapp.focusWidget()
        assert focus is not None
        if focus in seen:
            break
        seen.append(focus)
        qtbot.keyClick(focus, Qt.Key.Key_Tab)
    assert qapp.focusWidget() is seen[0]  # all the way round: nothing keeps the keyboard
    order = [
        window.run_bar.model,
        window.run_bar.settings,
        window.conversations.new,
        window.conversations.list,
        window.centre.tabs,
        window.centre.heat.button,
        window.centre.server.stopped.start,
        window.composer.edit,
        window.composer.button,
        window.sampling.form.rows["temperature"].slider,
        window.sampling.form.limit.input,
        window.log.view,
    ]
    assert [widget for widget in seen if widget in order] == order


def test_the_keyboard_comes_to_the_ways_out_of_a_failure_before_the_composer(
    window: MainWindow, qtbot: QtBot, qapp: QApplication
) -> None:
    card = window.centre.server.card
    fixes = (
        Fix("share", "start", {"percent": 60, "asked": 1.0, "total": 2.0, "free": 1.0}),
        Fix("cpu", "start"),
    )
    card.set_finding(Finding("gpu_memory", line="ValueError: no", fixes=fixes[:1], logged=True))
    card.set_runs("Small")
    card.set_finding(Finding("gpu_memory", line="ValueError: no", fixes=fixes, logged=True))
    window.show_server_page("card")
    window.run_bar.settings.setFocus()
    seen: list[QWidget] = []
    while (focus := qapp.focusWidget()) is not None and focus not in seen:
        seen.append(focus)
        qtbot.keyClick(focus, Qt.Key.Key_Tab)
    ways = [row.button for row in card.fixes.rows]
    order = [
        window.centre.tabs,
        *ways,
        card.back_button,
        card.line,
        card.log_button,
        card.report_button,
        window.composer.edit,
    ]
    assert [widget for widget in seen if widget in order] == order


def test_the_device_is_said_in_the_language_of_the_moment(window: MainWindow, appearance: Appearance) -> None:
    language = Language()
    try:
        language.apply("zh_TW")
        QApplication.sendEvent(window, QEvent(QEvent.Type.LanguageChange))
        assert window.status.device.text() == device_text(INFO)
        assert "thread" not in window.status.device.text()
    finally:
        language.apply("en")
