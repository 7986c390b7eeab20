"""The model picker: a panel over the window with the list, the details, the search and the machine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import (
    QEasingCurve,
    QEvent,
    QObject,
    QPoint,
    QPropertyAnimation,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from desktop.kit import fonts
from desktop.kit.theme import LIGHT, RADIUS_CARD, SHADOW, SPACE_4, SPACE_12, SPACE_16, Theme
from desktop.models.detail import Detail
from desktop.models.side import ListSide
from desktop.models.values import ModelDetail, ModelRow

WIDTH: Final = 900  # px, at zoom 100 %
HEIGHT: Final = 700
BOTH_FROM: Final = 760  # of the panel; below it the details are a second page
_LIST: Final = 532
_SHADOW: Final = 12
_SHADOW_SHARE: Final = 0.6  # of the theme's, beside the panel
_SCRIM: Final = 0.7  # of what the theme's shadow is


class ModelPicker(QWidget):
    """Covers its parent while it is open. `open_at` and `close_picker`; `escape` does what Esc does here.

    `selected`: the details of this key are wanted ("" = of none). `searched`: the words, a moment after the
    last key. `chosen`: by Enter, a double click, or the button where no start is needed.
    `start_wanted` of a model that is not on disk means: fetch, check and start it.
    """

    selected = Signal(str)
    chosen = Signal(str)
    get_wanted = Signal(str)
    pause_wanted = Signal(str)
    resume_wanted = Signal(str)
    cancel_wanted = Signal(str)
    delete_wanted = Signal(str)
    forget_wanted = Signal(str)
    repair_wanted = Signal(str)
    start_wanted = Signal(str)
    why_wanted = Signal(str)
    tokenizer_only_wanted = Signal(str)
    check_wanted = Signal(str)
    page_wanted = Signal(str)
    settings_wanted = Signal(str)
    searched = Signal(str)
    folder_wanted = Signal()
    folder_dropped = Signal(str)
    trouble_acted = Signal(str)
    opened = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self._theme = LIGHT
        self._anchor = QPoint(0, 0)
        self._second = False  # the details are the page in view, where there is room for one
        self._before: QWidget | None = None
        self.panel = QFrame(self)
        self.side = ListSide(self.panel)
        self.detail = Detail(self.panel)
        self.list, self.search = self.side.list, self.side.search
        row = QHBoxLayout(self.panel)
        row.setSpacing(0)
        row.addWidget(self.side)
        row.addWidget(self.detail, 1)
        self._row = row
        self._slide = QPropertyAnimation(self.panel, b"pos", self)
        self._slide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(250)
        self._typing.timeout.connect(lambda: self.searched.emit(self.search.text().strip()))
        self.setAcceptDrops(True)
        self._connect()
        parent.installEventFilter(self)
        self._translate()
        self.set_theme(LIGHT)
        self.hide()

    def _connect(self) -> None:
        self.list.selected.connect(self.selected)
        self.list.chosen.connect(self._choose)
        self.list.acted.connect(self._act)
        self.list.delete_pressed.connect(self._delete)
        self.detail.acted.connect(self._act)
        self.detail.page_wanted.connect(self.page_wanted)
        self.detail.settings_wanted.connect(self.settings_wanted)
        self.detail.back_wanted.connect(lambda: self._turn(False))
        self.search.textChanged.connect(lambda: self._typing.start())
        self.search.left.connect(self.close_picker)
        self.side.folder.clicked.connect(self.folder_wanted)
        self.side.trouble.acted.connect(self.trouble_acted)
        self.side.entered.connect(self._search_now)

    # what is shown

    def change(self, **changes: Any) -> None:
        """Fields of a ListPicture; drawn once, however many they are."""
        self.side.change(**changes)

    def step(self, rows: Mapping[str, ModelRow], speed: float) -> None:
        """These rows, by key, have other numbers; all others stay as they are."""
        self.side.step(rows, speed)

    def set_detail(self, detail: ModelDetail | None) -> None:
        """Of the selected model; while it is not known yet, None."""
        self.detail.set_detail(detail)

    def select(self, key: str) -> None:
        self.list.select(key)

    @property
    def key(self) -> str:
        """Of the selected model, "" = none."""
        return self.list.key

    # opening and closing

    @property
    def is_open(self) -> bool:
        return self.isVisible()

    def open_at(self, anchor: QPoint, milliseconds: int = 0) -> None:
        """Below this point of the parent, with the left edges in line; `milliseconds` 0 = no motion."""
        window = self.window()
        self._before = window.focusWidget() if not self.is_open else self._before
        self._anchor = anchor
        self._second = False
        self.show()
        self.raise_()
        self._place()
        if milliseconds:
            end = self.panel.pos()
            self._slide.setStartValue(end - QPoint(0, fonts.px(SPACE_12)))
            self._slide.setEndValue(end)
            self._slide.setDuration(milliseconds)
            self._slide.start()
        self.search.setFocus(Qt.FocusReason.PopupFocusReason)
        self.search.selectAll()
        self.opened.emit()

    def close_picker(self) -> None:
        if not self.is_open:
            return
        self._slide.stop()
        self._typing.stop()  # nobody waits for it any more
        self.hide()
        before, self._before = self._before, None
        if before is not None and before.isVisible():
            before.setFocus(Qt.FocusReason.PopupFocusReason)
        self.closed.emit()

    def escape(self) -> bool:
        """The nearest thing that Esc closes here: words of the search, the second page, the picker."""
        if not self.is_open:
            return False
        if self.search.hasFocus() and self.search.text():
            self.search.clear()
        elif self._second and not self.has_both:
            self._turn(False)
        else:
            self.close_picker()
        return True

    # acting

    def _act(self, what: str, key: str) -> None:
        row = self.list.row(key)
        if what == "ask":
            self._turn(True)
            if row is not None and row.page:
                self.page_wanted.emit(row.page)
            return
        if what == "":  # a click on the row itself
            self._turn(True)
            return
        signals = {
            "get": self.get_wanted,
            "pause": self.pause_wanted,
            "resume": self.resume_wanted,
            "cancel": self.cancel_wanted,
            "delete": self.delete_wanted,
            "forget": self.forget_wanted,
            "repair": self.repair_wanted,
            "start": self.start_wanted,
            "use": self.chosen,
            "why": self.why_wanted,
            "tokenizer": self.tokenizer_only_wanted,
            "check": self.check_wanted,
        }
        signals[what].emit(key)

    def _choose(self, key: str) -> None:
        self.chosen.emit(key)

    def _delete(self, key: str) -> None:
        """By its key on the keyboard: only where the details offer it."""
        detail = self.detail.detail
        made = self.detail.buttons.buttons["delete"]
        if detail is not None and detail.key == key and made.isVisibleTo(self.detail) and made.isEnabled():
            self.delete_wanted.emit(key)

    def _search_now(self) -> None:
        """Enter does not wait."""
        self._typing.stop()
        self.searched.emit(self.search.text().strip())

    # places

    @property
    def has_both(self) -> bool:
        """Whether list and details stand beside each other."""
        return self.panel.width() >= fonts.px(BOTH_FROM)

    def _turn(self, second: bool) -> None:
        if self.has_both:
            return
        self._second = second
        self._show_pages()
        if second:
            self.detail.back.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_pages(self) -> None:
        both = self.has_both
        self.detail.set_second_page(not both)
        self.side.setVisible(both or not self._second)
        self.detail.setVisible(both or self._second)
        if both:
            self.side.setFixedWidth(fonts.px(_LIST) * self.panel.width() // fonts.px(WIDTH))
        else:
            self.side.setMinimumWidth(0)
            self.side.setMaximumWidth(self.panel.width())

    def _place(self) -> None:
        self.setGeometry(self._over.rect())
        edge = fonts.px(SPACE_16)
        top = min(self._anchor.y(), max(edge, self.height() - fonts.px(320)))
        wide = min(fonts.px(WIDTH), self.width() - 2 * edge)
        high = min(fonts.px(HEIGHT), self.height() - top - edge)
        left = max(edge, min(self._anchor.x(), self.width() - wide - edge))
        self._slide.stop()
        self.panel.setGeometry(QRect(QPoint(left, top), QSize(wide, high)))
        self._show_pages()

    # events

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.is_open and watched is self._over:
            self._place()
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self.panel.geometry().contains(event.position().toPoint()):
            self.close_picker()
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escape()
        event.accept()  # what is below does not hear the keys of the picker

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab stays within the panel."""
        stops = [one for one in self._stops() if one.isVisibleTo(self) and one.isEnabled()]
        here = self.window().focusWidget()
        if here not in stops:
            return super().focusNextPrevChild(forward)
        step = 1 if forward else -1
        stops[(stops.index(here) + step) % len(stops)].setFocus(
            Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        )
        return True

    def _stops(self) -> tuple[QWidget, ...]:
        side, detail = self.side, self.detail
        pressed = tuple(detail.buttons.buttons.values())
        return (
            side.search, side.trouble.button, side.list, side.folder, detail.back, detail.tokenizer,
            detail.check, *pressed,
        )  # fmt: skip

    @staticmethod
    def _folder_of(event: QDropEvent) -> str:
        """The one folder that is dragged, "" = something else."""
        urls = event.mimeData().urls()
        path = urls[0].toLocalFile() if len(urls) == 1 and urls[0].isLocalFile() else ""
        return path if path and Path(path).is_dir() else ""

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self._folder_of(event):
            event.acceptProposedAction()
            self.side.set_dropping(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.side.set_dropping(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self.side.set_dropping(False)
        folder = self._folder_of(event)
        if folder:
            event.acceptProposedAction()
            self.folder_dropped.emit(folder)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, radius = self._theme, fonts.px(RADIUS_CARD)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shade = QColor(SHADOW)
        shade.setAlphaF(theme.shadow_alpha / 255 * _SCRIM if theme.shadow_alpha else _SCRIM)
        # what the picker belongs to, above its upper edge, stays clear
        painter.fillRect(self.rect().adjusted(0, self.panel.y() + fonts.px(SPACE_4), 0, 0), shade)
        box = QRectF(self.panel.geometry())
        if theme.shadow_alpha:
            self._paint_shadow(painter, box, radius)
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.setBrush(QColor(theme.surface))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        painter.end()

    def _paint_shadow(self, painter: QPainter, box: QRectF, radius: float) -> None:
        """Rings that fade: what lies below the panel is not painted."""
        soft, count = QColor(SHADOW), fonts.px(_SHADOW)
        strongest = self._theme.shadow_alpha / 255 * _SHADOW_SHARE
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for out in range(count):
            soft.setAlphaF(strongest * (1 - out / count) ** 2)
            painter.setPen(QPen(soft, 1.5))
            ring = box.adjusted(-out, 2 - out, out, 2 + out)
            painter.drawRoundedRect(ring, radius + out, radius + out)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._row.setContentsMargins(1, 1, 1, 1)
        self.side.set_theme(theme)
        self.detail.set_theme(theme)
        if self.is_open:
            self._place()
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()

    def _translate(self) -> None:
        self.panel.setAccessibleName(self.tr("Choose a model"))
