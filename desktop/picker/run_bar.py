"""The bar on top of the window: model, engine, state, and the buttons that open docks and settings."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QActionGroup, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QToolButton, QWidget

from core.engines.state import EngineState, Phase
from desktop.kit import fonts, icons
from desktop.kit.elided import ElidedLabel, plain_tip
from desktop.kit.style import mark
from desktop.kit.theme import RUN_BAR, SPACE_8, Theme
from desktop.picker.bar_parts import Dot, MenuButton
from desktop.picker.choices import EngineChoice, ModelChoice
from desktop.picker.engine_menu import refused_row, row
from desktop.picker.ours import DOCKER
from desktop.picker.run_text import RunText, model_note, run_text
from desktop.picker.served import file_ways
from desktop.picker.time_left import TimeLeft

_MODEL_WIDTH = (150, 226, 226)  # least, usual, most
_ENGINE_WIDTH = (84, 126, 210)
_DETAIL_FROM = 860  # window width, at zoom 100 %, from which the state has room for its detail
_ACT_ROOM = 140  # more, with a button beside it
_ACT_WORDS_FROM = 800  # below that the button has its icon only
_ICONS = {
    "cancel": "x", "cancel_download": "x", "retry": "redo", "get": "down", "start": "play", "stop": "stop"
}  # fmt: skip


class RunBar(QWidget):
    """Reads as one sentence: this model, on this engine, is in this state."""

    model_chosen = Signal(str)
    models_wanted = Signal()  # the picker of models, in place of the menu
    folder_wanted = Signal()
    engine_chosen = Signal(str)  # a server's address, "docker:gpu", "docker:cpu", "" = built-in
    server_wanted = Signal()
    doctor_wanted = Signal()
    menu_opened = Signal()  # that of the engines
    # "start" | "stop" | "cancel" | "retry" | "get" | "auto" | "hub" | "folder" | "tokenizer" |
    # "cancel_download"
    action = Signal(str)
    toggled = Signal(str, bool)  # "conversations" | "log" | "sampling"
    settings_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = EngineState(Phase.ABSENT)
        self._own: RunText | None = None
        self._coming: RunText | None = None
        self._text = RunText("", "")
        self._left = TimeLeft()
        self._choices: tuple[ModelChoice, ...] = ()
        self._current = ""
        self._folders = True
        self._servers: tuple[EngineChoice, ...] = ()
        self._address = ""
        self._keys: dict[str, str] = {}
        mark(self, ground="side", edge="bottom")
        self._build()
        self.menu, self.engine_menu = QMenu(self), QMenu(self)
        for menu in (self.menu, self.engine_menu):
            menu.setToolTipsVisible(True)
        self._translate()

    def _build(self) -> None:
        self.conversations = self._tool("sidebar", "conversations")
        self.model = MenuButton(*_MODEL_WIDTH, parent=self)
        self.model.clicked.connect(self.open_models)
        self.engine = MenuButton(*_ENGINE_WIDTH, "chip", self)
        self.engine.clicked.connect(self.open_engines)
        self.act = QPushButton(self)
        mark(self.act, kind="bar")
        self.act.clicked.connect(lambda: self.action.emit(self._text.action))
        self._dot = Dot(self)
        self._word = QLabel(self)
        self._word.setTextFormat(Qt.TextFormat.PlainText)
        mark(self._word, role="body_strong")
        self._detail = ElidedLabel(parent=self)
        mark(self._detail, role="small", tone="text2")
        self.log = self._tool("log", "log")
        self.sampling = self._tool("sliders", "sampling")
        self.settings = self._tool("gear", "")
        self._layout = QHBoxLayout(self)
        for widget in (self.conversations, self.model, self.engine, self.act):
            self._layout.addWidget(widget)
        self._layout.addWidget(self._dot)
        self._layout.addWidget(self._word)
        self._layout.addWidget(self._detail, 1)
        self._layout.addStretch()
        for widget in (self.log, self.sampling, self.settings):
            self._layout.addWidget(widget)

    def _tool(self, icon: str, panel: str) -> QToolButton:
        button = QToolButton(self)
        mark(button, kind="icon")
        icons.dress(button, icon, "text2", 18)
        if panel:
            button.setCheckable(True)
            button.clicked.connect(lambda checked: self.toggled.emit(panel, checked))
        else:
            button.clicked.connect(self.settings_wanted)
        return button

    def stops(self) -> tuple[QWidget, ...]:
        """Where the Tab key stops, in order."""
        return (
            self.conversations,
            self.model,
            self.engine,
            self.act,
            self.log,
            self.sampling,
            self.settings,
        )

    # set from outside

    def set_theme(self, theme: Theme) -> None:
        px = fonts.px
        self.setFixedHeight(px(RUN_BAR))
        self._layout.setContentsMargins(px(10), 0, px(10), px(1))
        self._layout.setSpacing(px(SPACE_8))
        self.model.set_theme(theme)
        self.engine.set_theme(theme)
        self._dot.theme = theme
        self._dot.setFixedSize(px(SPACE_8), px(SPACE_8))
        self._dot.update()

    def set_state(self, state: EngineState) -> None:
        if state.phase is not self._state.phase:
            self._left.reset()
        self._state = state
        self._draw_state()

    def set_own(self, text: RunText | None) -> None:
        """What the server of ours does; None: another engine is in use."""
        if text != self._own:
            self._own = text
            self._draw_state()

    def set_coming(self, text: RunText | None) -> None:
        """A model is fetched to be started, whatever the engine in use does; None: none is."""
        if text != self._coming:
            self._coming = text
            self._draw_state()

    def set_models(self, choices: tuple[ModelChoice, ...], current: str, *, folders: bool = True) -> None:
        """What the menu offers; `current` is a choice's key. `folders`: a model folder can be opened."""
        self._choices, self._current, self._folders = choices, current, folders
        self._draw_state()

    def set_engines(self, servers: tuple[EngineChoice, ...], current: str) -> None:
        """`current`: the key of the server in use, "" = the built-in engine."""
        self._servers, self._address = servers, current
        self._draw_engine()

    def set_checked(self, panel: str, on: bool) -> None:
        getattr(self, panel).setChecked(on)

    def set_keys(self, keys: dict[str, str]) -> None:
        """Native key texts by action, for the tooltips."""
        self._keys = keys
        self._translate()

    # the menu of models

    def open_models(self) -> None:
        """The picker for models of this computer, the menu for those of a server."""
        if self._folders:
            self.models_wanted.emit()
        else:
            self.open_menu()

    def open_menu(self) -> None:
        """Under the model button."""
        self._fill_menu()
        self.menu.popup(self.model.mapToGlobal(self.model.rect().bottomLeft()))

    def _fill_menu(self) -> None:
        self.menu.clear()
        group = QActionGroup(self.menu)
        for choice in self._choices:
            text = ("⚠ " if choice.why else "") + choice.name + (f"\t{choice.note}" if choice.note else "")
            item = row(self.menu, text, choice.tip, choice.key == self._current, group)
            item.triggered.connect(lambda _=False, key=choice.key: self.model_chosen.emit(key))
        if self._folders:
            self.menu.addSeparator()
            folder = self.menu.addAction(self.tr("Open a model folder…"))
            folder.triggered.connect(lambda: self.folder_wanted.emit())
        elif self._choices:
            self.menu.addSeparator()
            files = self.menu.addMenu(self.tr("Tokenizer of this model"))
            for action, words in (("auto", self.tr("Find it automatically")), *file_ways()):
                files.addAction(words).triggered.connect(lambda _=False, a=action: self.action.emit(a))
        else:
            self.menu.addAction(self.tr("The server’s models are not known yet")).setEnabled(False)

    # the menu of engines

    def open_engines(self) -> None:
        """Under the engine button."""
        self.menu_opened.emit()
        self._fill_engines()
        self.engine_menu.popup(self.engine.mapToGlobal(self.engine.rect().bottomLeft()))

    def _fill_engines(self) -> None:
        menu = self.engine_menu
        menu.clear()
        group = QActionGroup(menu)
        tip = self.tr("The model runs inside this program, on this computer")
        own = row(menu, self.tr("Built-in"), tip, not self._address, group)
        own.triggered.connect(lambda: self.engine_chosen.emit(""))
        for engine in self._servers:
            if engine.why:
                refused_row(menu, engine)
                continue
            text = f"VLLM_URL · {engine.name}" if engine.given else engine.name
            item = row(menu, text, engine.tip or engine.address, engine.address == self._address, group)
            item.triggered.connect(lambda _=False, address=engine.address: self.engine_chosen.emit(address))
        menu.addSeparator()
        if any(one.address.startswith(DOCKER) for one in self._servers):
            menu.addAction(self.tr("Check Docker…")).triggered.connect(lambda: self.doctor_wanted.emit())
        other = menu.addAction(self.tr("A server of mine…"))
        other.triggered.connect(lambda: self.server_wanted.emit())

    # showing

    def _draw_state(self) -> None:
        state = self._state
        seconds = self._left.feed(state.done, state.total) if state.phase is Phase.FETCHING else None
        text = self._coming or self._own or run_text(state, seconds)
        chosen = next((choice for choice in self._choices if choice.key == self._current), None)
        name = chosen.name if chosen else state.model
        self.model.set_words(name or self.tr("No model"), model_note(state.info))
        tip = chosen.tip if chosen else name
        self.model.setToolTip(plain_tip(self._with_key(tip, "models")))
        self.model.setAccessibleName(self.tr("Model: {name}").format(name=name))
        self._text = text
        if self._dot.tone != text.tone:
            self._dot.tone = text.tone
            self._dot.update()
        self._word.setText(text.word)
        self._detail.setText(text.detail)
        self._word.setToolTip(plain_tip(text.detail))
        self._fit()
        self.act.setVisible(bool(text.action))
        self.act.setAccessibleName(text.label)
        self.act.setToolTip(self._with_key(text.label, "server") if self._own else text.label)
        icon = _ICONS.get(text.action)
        if icon:
            icons.dress(self.act, icon)

    def _draw_engine(self) -> None:
        used = next((one for one in self._servers if one.address == self._address), None)
        if self._address == DOCKER:  # on a device that is not known yet
            name, tip = "vLLM", self.tr("vLLM in Docker on this computer")
        elif used is None:
            name, tip = self.tr("Built-in"), self.tr("The model runs inside this program, on this computer")
        else:
            name = used.name
            tip = used.tip or self.tr("vLLM server {address}").format(address=used.address)
        self.engine.set_words(name)
        self.engine.setToolTip(plain_tip(self.tr("Engine: {what}").format(what=tip)))
        self.engine.setAccessibleName(self.tr("Engine: {what}").format(what=name))

    @property
    def text(self) -> RunText:
        """What is shown of the state."""
        return self._text

    def _with_key(self, text: str, action: str) -> str:
        key = self._keys.get(action, "")
        return f"{text} ({key})" if key else text

    def _translate(self) -> None:
        for button, name, key in (
            (self.conversations, self.tr("Conversations"), "conversations"),
            (self.log, self.tr("Log"), "log"),
            (self.sampling, self.tr("Sampling"), "sampling"),
            (self.settings, self.tr("Settings"), "settings"),
        ):
            button.setAccessibleName(name)
            button.setToolTip(self._with_key(name, key))
        self._draw_engine()
        self._draw_state()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """The state keeps its first word, then loses its detail; then the button loses its words."""
        from_ = _DETAIL_FROM + (_ACT_ROOM if self._text.action else 0)
        self._detail.setVisible(self.width() >= fonts.px(from_))
        self.act.setText(self._text.label if self.width() >= fonts.px(_ACT_WORDS_FROM) else "")
