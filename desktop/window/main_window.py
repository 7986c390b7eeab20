"""The main window: run bar, docks, centre and status bar, and what fits at its width."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QWidget

from core.chat.state import RUNNING, ChatState
from core.engines.state import EngineState, Phase
from core.log_lines import LogBuffer
from desktop.chat.composer_state import can_connect
from desktop.conversations.panel import ConversationsPanel
from desktop.kit import fonts
from desktop.kit.appearance import Appearance
from desktop.kit.dialogs import Question
from desktop.kit.theme import PANEL_MS, Theme
from desktop.log.panel import LogPanel, LogTools
from desktop.picker.run_bar import RunBar
from desktop.picker.run_text import device_text
from desktop.sampling.panel import SamplingPanel
from desktop.window.actions import ACTIONS, Actions, native_keys
from desktop.window.centre import Centre
from desktop.window.docks import SIZES, Dock, Overlay, SidePages
from desktop.window.geometry import (
    WindowMemory,
    encode_geometry,
    encode_state,
    restore_geometry,
    restore_state,
)
from desktop.window.keys_dialog import KeysDialog
from desktop.window.placement import LEGEND_FROM, Panel, Placement
from desktop.window.status_bar import StatusBar, StatusFrame
from desktop.window.tab_order import order_tabs
from desktop.window.zoom_fit import ZoomFit

_BUSY = frozenset({Phase.CONNECTING, Phase.FETCHING, Phase.CONVERTING, Phase.VERIFYING, Phase.LOADING})


class MainWindow(QMainWindow):
    """Public parts: `run_bar`, `conversations`, `centre` (with `composer`, `heat`, `errors`, `preparation`,
    `empty`), `sampling` (`form`, `answer`), `log`, `status`. Their signals are connected by whoever composes
    the program; the signals here are what keys and questions of the window itself decide.

    `escape_handlers`: called in order at Esc before the answer is stopped; the first that returns True ends
    it.
    """

    action = Signal(str)  # an id of actions.ACTIONS that is not the window's own business
    delete_confirmed = Signal(str)  # conversation id, after the question
    quit_requested = Signal()

    def __init__(
        self,
        transcript: QWidget,
        appearance: Appearance,
        log: LogBuffer,
        memory: WindowMemory,
        *,
        about: str = "Token Loupe",
    ) -> None:
        super().__init__()
        self._appearance = appearance
        self._placement = Placement()
        self._engine = EngineState(Phase.ABSENT)
        self._chat = ChatState.IDLE
        self._closing = False
        self._arranging = False
        self._zoom_fit = ZoomFit(self)
        self.escape_handlers: list[Callable[[], bool]] = []
        self.setWindowTitle("Token Loupe")
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.actions_ = Actions(self)
        self._make_parts(transcript, log, about)
        self._make_docks()
        order_tabs(self.run_bar, self.conversations, self.centre, self.sampling, self._log_tools, self.log)
        self._connect()
        self._apply_theme(appearance.theme)
        appearance.changed.connect(self._apply_theme)
        restore_geometry(self, memory.geometry)
        restore_state(self, memory.state, self._placement.wanted, self._sizes)
        self._placement.resize(self._design_width())
        self._arrange()
        self._translate()
        self.composer.setFocus()

    # building

    def _make_parts(self, transcript: QWidget, log: LogBuffer, about: str) -> None:
        self.run_bar = RunBar(self)
        self.setMenuWidget(self.run_bar)
        self.centre = Centre(transcript, about, self)
        self.pages = QStackedWidget(self)  # the chat, or one page in its place
        self.pages.addWidget(self.centre)
        self.setCentralWidget(self.pages)
        self.composer = self.centre.composer
        self.show_empty = self.centre.show_empty
        self.show_error = self.centre.errors.show_error
        self.set_no_heat = self.centre.heat.set_reason
        self.show_small_model_note = self.centre.empty.show_small_model_note
        self.conversations = ConversationsPanel(self)
        self.sampling = SamplingPanel(self)
        self.log = LogPanel(log, self)
        self.status = StatusBar(self)
        self.setStatusBar(StatusFrame(self.status, self))

    def _make_docks(self) -> None:
        # no tabs: a dock behind another would be open and unseen
        self.setDockOptions(QMainWindow.DockOption.AnimatedDocks | QMainWindow.DockOption.AllowNestedDocks)
        self.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        self.side = SidePages(self.sampling, lambda: (self.tr("Sampling"), self.tr("this chat")), self)
        self._log_tools = LogTools(self.log.view, self)
        self.docks = {
            Panel.CONVERSATIONS: Dock(Panel.CONVERSATIONS, self.conversations.head, self.conversations, self),
            Panel.SAMPLING: Dock(Panel.SAMPLING, self.side.head, self.side, self),
            Panel.LOG: Dock(Panel.LOG, self._log_tools, self.log, self),
        }
        self._sizes = dict(SIZES)
        for dock in self.docks.values():
            dock.closed.connect(lambda panel: self.show_panel(panel, False))
            dock.sized.connect(self._dock_sized)
        self._overlay = Overlay(self)
        self._overlay.close_wanted.connect(self.close_overlay)

    def _connect(self) -> None:
        self.actions_.triggered.connect(self._act)
        self.run_bar.toggled.connect(lambda name, on: self.show_panel(Panel(name), on))
        self.run_bar.settings_wanted.connect(lambda: self._act("settings"))
        self.conversations.new_wanted.connect(lambda: self._act("new_chat"))
        self.conversations.delete_wanted.connect(self.ask_delete)
        self.conversations.opened.connect(lambda _: self.close_overlay())
        self._log_tools.close_wanted.connect(lambda: self.show_panel(Panel.LOG, False))
        self.status.log_wanted.connect(lambda: self.toggle_panel(Panel.LOG))
        self.centre.empty.asked.connect(self.composer.ask)

    # what is set from outside

    def set_engine_state(self, state: EngineState) -> None:
        """The engine's phase for every part that shows or depends on it."""
        self._engine = state
        self.run_bar.set_state(state)
        self.centre.preparation.set_state(state)
        self.composer.set_model(state.model)
        self.composer.set_phase(state.phase, connects=can_connect(state))
        self._draw_device()
        self._draw_busy()

    def _draw_device(self) -> None:
        info = self._engine.info
        self.status.set_device(device_text(info) if info is not None else "")

    def set_chat_state(self, state: ChatState) -> None:
        self._chat = state
        self.composer.set_chat_state(state)
        self._draw_busy()

    def set_speed(self, tokens_per_second: float | None) -> None:
        self.status.set_speed(tokens_per_second)

    def set_context(self, used: int | None, limit: int | None = None) -> None:
        self.status.set_context(used, limit)

    def log_added(self) -> None:
        """Lines were added to the log buffer (from any thread)."""
        self.log.notify()

    def memory(self) -> WindowMemory:
        """Place, size and docks, for the settings."""
        self.close_overlay()
        state = encode_state(self, self._placement.wanted, self._sizes)
        return WindowMemory(encode_geometry(self), state)

    def show_page(self, page: QWidget) -> None:
        """A page in place of the chat (the settings)."""
        if self.pages.indexOf(page) < 0:
            self.pages.addWidget(page)
        self.pages.setCurrentWidget(page)

    def leave_page(self) -> bool:
        """Back to the chat. False if it is there already."""
        if self.pages.currentWidget() is self.centre:
            return False
        self.pages.setCurrentWidget(self.centre)
        self.composer.setFocus()
        return True

    def come_forward(self) -> None:
        """Another start asked for the window."""
        if self.isMinimized():
            self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def close_for_real(self) -> None:
        self._closing = True
        self.close()

    # keys

    def _act(self, id_: str) -> None:
        own: dict[str, Callable[[], object]] = {
            "conversations": lambda: self.toggle_panel(Panel.CONVERSATIONS),
            "sampling": lambda: self.toggle_panel(Panel.SAMPLING),
            "log": lambda: self.toggle_panel(Panel.LOG),
            "models": self.run_bar.open_menu,
            "chat": self._write,
            "context": lambda: self.centre.show_tab("context"),
            "model": lambda: self.centre.show_tab("model"),
            "heat": self.centre.heat.toggle,
            "keys": self.show_keys,
            "escape": self.escape,
            "quit": self.quit_requested.emit,
        }
        if id_ in own:
            own[id_]()
        else:
            self.action.emit(id_)

    def _write(self) -> None:
        self.centre.show_tab("chat")
        self.composer.setFocus()

    def escape(self) -> None:
        """Close what is open, nearest first, one a press; else stop the answer."""
        if any(handler() for handler in tuple(self.escape_handlers)):
            return
        if self._overlay.panel is not None:
            self.close_overlay()
        elif self.composer.close_system_editor():
            return
        elif self._chat in RUNNING:
            self.composer.stop_requested.emit()

    def show_keys(self) -> None:
        hidden = frozenset(spec.id for spec in ACTIONS if not self.actions_[spec.id].isVisible())
        KeysDialog(self, hidden).open()

    def ask_delete(self, id_: str) -> None:
        """Deleting a chat is one of the two things that ask first."""
        title = self.conversations.title_of(id_)
        question = Question(
            self,
            self.tr("Delete this chat?"),
            self.tr("“{title}” and the numbers of all its tokens are deleted for good.").format(title=title),
            self.tr("Delete chat"),
            danger=True,
        )
        question.accepted.connect(lambda: self.delete_confirmed.emit(id_))
        question.open()

    # panels

    def show_panel(self, panel: Panel, on: bool) -> None:
        """Dock or overlay, by what fits."""
        self._placement.set_shown(panel, on)
        self._arrange()
        if panel is Panel.LOG and on:
            self._fit_log()
        if not on and not self.composer.edit.hasFocus():
            self.composer.setFocus()

    def toggle_panel(self, panel: Panel) -> None:
        self.show_panel(panel, not self._placement.shown(panel))

    def panel_shown(self, panel: Panel) -> bool:
        return self._placement.shown(panel)

    def close_overlay(self) -> None:
        if self._placement.overlay is not None:
            self.show_panel(self._placement.overlay, False)

    def _arrange(self) -> None:
        """Make docks and overlay what the placement says."""
        self._arranging = True
        placement = self._placement
        if self._overlay.panel is not placement.overlay:
            self._overlay.close_panel()
        for panel, dock in self.docks.items():
            docked = placement.docked(panel)
            if dock.isHidden() == docked:
                dock.setVisible(docked)
        if placement.overlay is not None and self._overlay.panel is None:
            self._place_overlay()
            dock = self.docks[placement.overlay]
            self._overlay.open(dock, self._appearance.duration(PANEL_MS))
        for panel in Panel:
            self.run_bar.set_checked(panel.value, placement.shown(panel))
        self.centre.set_legend_room(placement.width >= LEGEND_FROM)
        self._arranging = False

    def _dock_sized(self, panel: Panel) -> None:
        """Remembered if the person draws an edge: with the pointer, and no dock in the air for which the
        others make room. All else is the layout's doing."""
        drawn = bool(QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton)
        if not drawn or self._arranging or any(dock.isFloating() for dock in self.docks.values()):
            return
        self._sizes[panel] = round(self.docks[panel].extent * 100 / fonts.zoom())

    def _give_sizes(self) -> None:
        """Docks that come back have the sizes they left with, not those that a narrow window gave them."""
        self._arranging = True
        layout = self.layout()
        if layout is not None:
            layout.activate()
        for panel, dock in self.docks.items():
            if self._placement.docked(panel):
                dock.take(self._extent(panel))
        self._arranging = False

    def _extent(self, panel: Panel) -> int:
        """As large as the person made it; the log only as high as leaves a readable part of the chat."""
        wished = fonts.px(self._sizes[panel])
        if panel is not Panel.LOG:
            return wished
        room = self.height() - self.run_bar.height() - self.statusBar().height() - 1
        least = self.docks[panel].minimumSizeHint().height()
        return min(wished, max(room - self.centre.least_height(), least))

    def _fit_log(self) -> None:
        """The room changed, or the log came: there is less than it wishes, or enough again."""
        if self._placement.docked(Panel.LOG) and self.docks[Panel.LOG].extent != self._extent(Panel.LOG):
            self._give_sizes()

    def _place_overlay(self) -> None:
        top = self.run_bar.height()
        bottom = self.height() - self.statusBar().height()
        self._overlay.set_area(QRect(0, top, self.width(), bottom - top))

    def _design_width(self) -> float:
        """The window's width as if the zoom were 100 %."""
        return self.width() * 100 / fonts.zoom()

    # events and appearance

    def _apply_theme(self, theme: Theme) -> None:
        self._zoom_fit.apply()
        self.side.head.measure()
        self._log_tools.measure()
        for dock in self.docks.values():
            dock.measure()
        self.run_bar.set_theme(theme)
        self.status.set_theme(theme)
        self.centre.set_theme(theme)
        self.conversations.set_theme(theme)
        self.sampling.set_theme(theme)
        self.log.set_theme(theme)
        self._placement.resize(self._design_width())
        self._arrange()
        if self.isVisible():  # the zoom may have changed
            self._give_sizes()
            QTimer.singleShot(0, self, self._fit_log)  # when the centre is laid out

    def _draw_busy(self) -> None:
        self.status.set_busy(self._engine.phase in _BUSY or self._chat in RUNNING)

    def _translate(self) -> None:
        keys = native_keys()
        self.actions_.translate()
        self._draw_device()
        self.run_bar.set_keys(keys)
        self.side.translate()
        self.conversations.set_new_tip(f"{self.tr('New chat')} ({keys['new_chat']})")
        self.centre.heat.set_tip(f"{self.tr('How doubt is shown')} ({keys['heat']})")
        self.status.set_log_tip(f"{self.tr('Log')} ({keys['log']})")
        for panel, title in (
            (Panel.CONVERSATIONS, self.tr("Conversations")),
            (Panel.SAMPLING, self.tr("Sampling")),
            (Panel.LOG, self.tr("Log")),
        ):
            self.docks[panel].setWindowTitle(title)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        before = sum(map(self._placement.has_room, Panel))
        self._placement.resize(self._design_width())
        self._arrange()
        if sum(map(self._placement.has_room, Panel)) > before:
            self._give_sizes()
        if event.oldSize().height() != event.size().height():
            self._fit_log()
        if self._overlay.panel is not None:
            self._place_overlay()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing only asks: whoever composes the program ends everything first, then closes for real."""
        if self._closing:
            event.accept()
        else:
            event.ignore()
            self.quit_requested.emit()
