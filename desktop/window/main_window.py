"""The main window: run bar, docks, centre and status bar, and what fits at its width."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QWidget

from core.chat.state import RUNNING, ChatState
from core.engines.state import EngineState, Phase
from core.log_lines import LogBuffer
from core.server.state import ServerPhase, ServerState
from desktop.chat.composer_state import readiness
from desktop.conversations.panel import ConversationsPanel
from desktop.kit.appearance import Appearance
from desktop.kit.dialogs import Question
from desktop.kit.theme import Theme
from desktop.log.panel import LogPanel, LogTools
from desktop.picker.run_bar import RunBar
from desktop.picker.run_text import RunText, device_text
from desktop.sampling.panel import SamplingPanel
from desktop.server.run_words import ServerText
from desktop.window.actions import ACTIONS, Actions, native_keys
from desktop.window.centre import Centre
from desktop.window.docks import SidePages
from desktop.window.geometry import WindowMemory
from desktop.window.keys_dialog import KeysDialog
from desktop.window.panels import Panels
from desktop.window.placement import Panel
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
        self._engine = EngineState(Phase.ABSENT)
        self._server: ServerState | None = None  # of ours, while it is the engine in use
        self._wanted = False
        self._chat = ChatState.IDLE
        self._closing = False
        self._zoom_fit = ZoomFit(self)
        self.escape_handlers: list[Callable[[], bool]] = []
        self.setWindowTitle("Token Loupe")
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.actions_ = Actions(self)
        self._make_parts(transcript, log, about)
        order_tabs(self.run_bar, self.conversations, self.centre, self.sampling, self._log_tools, self.log)
        self._connect()
        self._apply_theme(appearance.theme)
        appearance.changed.connect(self._apply_theme)
        self.panels.restore(memory)
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
        self.side = SidePages(self.sampling, lambda: (self.tr("Sampling"), self.tr("this chat")), self)
        self._log_tools = LogTools(self.log, self)
        self.panels = Panels(
            self,
            self.run_bar,
            self.centre,
            self.conversations,
            self.side,
            self.log,
            self._log_tools,
            self._appearance,
        )
        self.docks = self.panels.docks
        self.show_panel, self.toggle_panel = self.panels.show, self.panels.toggle
        self.panel_shown, self.close_overlay = self.panels.shown, self.panels.close_overlay
        self.memory = self.panels.memory

    def _connect(self) -> None:
        self.actions_.triggered.connect(self._act)
        self.run_bar.toggled.connect(lambda name, on: self.show_panel(Panel(name), on))
        self.run_bar.settings_wanted.connect(lambda: self._act("settings"))
        self.conversations.new_wanted.connect(lambda: self._act("new_chat"))
        self.conversations.delete_wanted.connect(self.ask_delete)
        self.conversations.opened.connect(lambda _: self.close_overlay())
        self.conversations.opened.connect(lambda _: self.centre.show_chat())
        self._log_tools.close_wanted.connect(lambda: self.show_panel(Panel.LOG, False))
        self.status.log_wanted.connect(lambda: self.toggle_panel(Panel.LOG))
        self.centre.empty.asked.connect(self.composer.ask)

    # what is set from outside

    def set_engine_state(self, state: EngineState) -> None:
        """The engine's phase for every part that shows or depends on it."""
        self._engine = state
        self.run_bar.set_state(state)
        self.centre.preparation.set_state(state)
        if self._server is None:
            self.composer.set_model(state.model)
        self._set_phase()
        self._draw_device()
        self._draw_busy()

    def set_server(
        self, state: ServerState | None, text: ServerText | None, *, wanted: bool, model: str
    ) -> None:
        """What the server of ours does while it is the engine in use, None = another is. `wanted`: a start is
        on its way, whatever the state says yet. `model`: what to call it."""
        self._server, self._wanted = state, wanted
        self.composer.set_model(model if state is not None else self._engine.model)
        self.run_bar.set_own(_run_text(text) if text is not None else None)
        self._set_phase()
        self._draw_busy()

    def show_server_page(self, name: str) -> None:
        """A page of the server in place of the chat, "" = the chat."""
        self.centre.show_over(name)
        self._set_phase()

    def _set_phase(self) -> None:
        # of a server of ours that is not ready its own pages tell
        away = self._server is not None and self._server.phase is not ServerPhase.READY
        self.centre.preparation.set_muted(away or bool(self.centre.over))
        ready = readiness(self._engine, self._server, self._wanted)
        self.composer.set_phase(ready.phase, connects=ready.connects, starts=ready.starts)

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

    def show_log_line(self, text: str) -> None:
        """Open the log at this line."""
        self.show_panel(Panel.LOG, True)
        self._log_tools.show_line(text)

    def log_added(self) -> None:
        """Lines were added to the log buffer (from any thread)."""
        self.log.notify()

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
            "models": self.run_bar.open_models,
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
        if self.panels.overlay.panel is not None:
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

    # events and appearance

    def _apply_theme(self, theme: Theme) -> None:
        self._zoom_fit.apply()
        self.side.head.measure()
        self._log_tools.measure()
        self.panels.measure()
        self.run_bar.set_theme(theme)
        self.status.set_theme(theme)
        self.centre.set_theme(theme)
        self.conversations.set_theme(theme)
        self.sampling.set_theme(theme)
        self.log.set_theme(theme)
        self.panels.zoomed()

    def _draw_busy(self) -> None:
        starting = self._server is not None and self._server.starting
        self.status.set_busy(starting or self._engine.phase in _BUSY or self._chat in RUNNING)

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
        self.panels.resized(event.oldSize().height() != event.size().height())

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing only asks: whoever composes the program ends everything first, then closes for real."""
        if self._closing:
            event.accept()
        else:
            event.ignore()
            self.quit_requested.emit()


def _run_text(text: ServerText) -> RunText:
    action = "cancel" if text.action == "cancel_start" else text.action
    return RunText(text.tone, text.word, text.detail, action, text.label)
