"""The bar on top of the window: model, engine, state, and the buttons that open docks and settings."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QToolButton, QWidget

from core.engines.state import EngineState, Phase
from desktop.kit import fonts, icons
from desktop.kit.elided import ElidedLabel, plain_tip
from desktop.kit.style import mark
from desktop.kit.theme import ICON, LIGHT, RUN_BAR, SPACE_4, SPACE_8, SPACE_12, Theme
from desktop.picker.choices import ModelChoice
from desktop.picker.run_text import RunText, model_note, run_text
from desktop.picker.time_left import TimeLeft

_MODEL_WIDTH = 226
_DETAIL_FROM = 860  # window width, at zoom 100 %, from which the state has room for its detail


class Dot(QWidget):
    """The state's colour, never alone: a word stands beside it. No tone: an outline."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = LIGHT
        self.tone = ""
        self.setFixedSize(fonts.px(SPACE_8), fonts.px(SPACE_8))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.tone:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(getattr(self.theme, self.tone)))
            painter.drawEllipse(QRectF(self.rect()))
        else:
            painter.setPen(QPen(QColor(self.theme.text3), 1.5))
            painter.drawEllipse(QRectF(self.rect()).adjusted(1, 1, -1, -1))
        painter.end()


class ModelButton(QPushButton):
    """Name, a grey note and an arrow; opens the menu of models."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, kind="bar")
        self._colour = LIGHT.text2
        self._name = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle, parent=self)
        mark(self._name, role="body_strong")
        self._note = ElidedLabel(parent=self)
        mark(self._note, role="caption", tone="text3")
        self._layout = QHBoxLayout(self)
        self._layout.addWidget(self._name)
        self._layout.addWidget(self._note)
        self._layout.addStretch(1)
        for label in (self._name, self._note):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def set_model(self, name: str, note: str) -> None:
        self._name.setText(name)
        self._note.setText(note)
        # a note of three letters and an ellipsis says nothing: the name gets the room
        self._fit_note()

    def _fit_note(self) -> None:
        pad = self._layout.contentsMargins()
        room = self.width() - pad.left() - pad.right() - self._layout.spacing()
        wanted = self._name.sizeHint().width() + self._note.sizeHint().width()
        self._note.setVisible(bool(self._note.text()) and wanted <= room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_note()

    def set_theme(self, theme: Theme) -> None:
        self._colour = theme.text2
        pad = fonts.px(SPACE_12)
        self._layout.setContentsMargins(pad, 0, pad + fonts.px(ICON) + fonts.px(SPACE_4), 0)
        self._layout.setSpacing(fonts.px(SPACE_8))
        self.setMaximumWidth(fonts.px(_MODEL_WIDTH))
        self.setMinimumWidth(fonts.px(_MODEL_WIDTH) * 2 // 3)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(fonts.px(_MODEL_WIDTH), super().sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        side = fonts.px(ICON) - 2
        painter = QPainter(self)
        arrow = icons.pixmap("chevron-down", self._colour, side, self.devicePixelRatioF())
        painter.drawPixmap(self.width() - side - fonts.px(SPACE_12), (self.height() - side) // 2, arrow)
        painter.end()


class RunBar(QWidget):
    """Reads as one sentence: this model, on this engine, is in this state."""

    model_chosen = Signal(str)
    folder_wanted = Signal()
    action = Signal(str)  # "cancel" | "retry" | "get"
    toggled = Signal(str, bool)  # "conversations" | "log" | "sampling"
    settings_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = EngineState(Phase.ABSENT)
        self._text = RunText("", "")
        self._left = TimeLeft()
        self._choices: tuple[ModelChoice, ...] = ()
        self._current = ""
        self._keys: dict[str, str] = {}
        mark(self, ground="side", edge="bottom")
        self._build()
        self.menu = QMenu(self)
        self._translate()

    def _build(self) -> None:
        self.conversations = self._tool("sidebar", "conversations")
        self.model = ModelButton(self)
        self.model.clicked.connect(self.open_menu)
        self._engine_icon = QLabel(self)
        self._engine = QLabel(self)
        mark(self._engine, role="body_strong")
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
        for widget in (self.conversations, self.model, self._engine_icon, self._engine, self.act):
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
        return self.conversations, self.model, self.act, self.log, self.sampling, self.settings

    # set from outside

    def set_theme(self, theme: Theme) -> None:
        px = fonts.px
        self.setFixedHeight(px(RUN_BAR))
        self._layout.setContentsMargins(px(10), 0, px(10), px(1))
        self._layout.setSpacing(px(SPACE_8))
        self.model.set_theme(theme)
        side = px(ICON)
        self._engine_icon.setPixmap(icons.pixmap("chip", theme.text2, side, self.devicePixelRatioF()))
        self._engine_icon.setContentsMargins(px(SPACE_8), 0, 0, 0)
        self._engine.setContentsMargins(0, 0, px(SPACE_12), 0)
        self._dot.theme = theme
        self._dot.setFixedSize(px(SPACE_8), px(SPACE_8))
        self._dot.update()

    def set_state(self, state: EngineState) -> None:
        if state.phase is not self._state.phase:
            self._left.reset()
        self._state = state
        self._draw_state()

    def set_models(self, choices: tuple[ModelChoice, ...], current: str) -> None:
        """What the menu offers; `current` is a choice's key."""
        self._choices, self._current = choices, current
        self._draw_state()

    def set_checked(self, panel: str, on: bool) -> None:
        getattr(self, panel).setChecked(on)

    def set_keys(self, keys: dict[str, str]) -> None:
        """Native key texts by action, for the tooltips."""
        self._keys = keys
        self._translate()

    # the menu of models

    def open_menu(self) -> None:
        """Under the model button."""
        self._fill_menu()
        self.menu.popup(self.model.mapToGlobal(self.model.rect().bottomLeft()))

    def _fill_menu(self) -> None:
        self.menu.clear()
        group = QActionGroup(self.menu)
        for choice in self._choices:
            text = choice.name + (f"\t{choice.note}" if choice.note else "")
            item = QAction(text.replace("&", "&&"), self.menu)
            item.setCheckable(True)
            item.setChecked(choice.key == self._current)
            item.setToolTip(plain_tip(choice.key))
            item.triggered.connect(lambda _=False, key=choice.key: self.model_chosen.emit(key))
            group.addAction(item)
            self.menu.addAction(item)
        self.menu.addSeparator()
        folder = self.menu.addAction(self.tr("Open a model folder…"))
        folder.triggered.connect(lambda: self.folder_wanted.emit())

    # showing

    def _draw_state(self) -> None:
        state = self._state
        seconds = self._left.feed(state.done, state.total) if state.phase is Phase.FETCHING else None
        text = run_text(state, seconds)
        chosen = next((choice for choice in self._choices if choice.key == self._current), None)
        name = chosen.name if chosen else state.model
        self.model.set_model(name or self.tr("No model"), model_note(state.info))
        tip = chosen.tip if chosen else name
        self.model.setToolTip(plain_tip(self._with_key(tip, "models")))
        self.model.setAccessibleName(self.tr("Model: {name}").format(name=name))
        self._text = text
        if self._dot.tone != text.tone:
            self._dot.tone = text.tone
            self._dot.update()
        self._word.setText(text.word)
        self._detail.setText(text.detail)
        self.act.setVisible(bool(text.action))
        self.act.setText(text.label)
        icon = {"cancel": "x", "retry": "redo", "get": "down"}.get(text.action)
        if icon:
            icons.dress(self.act, icon)

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
        self._engine.setText(self.tr("Built-in"))
        tip = self.tr("The engine: the model runs inside this program, on this computer")
        self._engine.setToolTip(tip)
        self._engine_icon.setToolTip(tip)
        self._draw_state()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # the state keeps its first word, then loses its detail
        self._detail.setVisible(self.width() >= fonts.px(_DETAIL_FROM))
