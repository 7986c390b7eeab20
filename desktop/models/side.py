"""The left of the picker: search, the hub's error, the list or why it is empty, and what the machine has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from desktop.kit import fonts, icons
from desktop.kit.elided import ElidedLabel
from desktop.kit.find_edit import FindEdit
from desktop.kit.style import mark
from desktop.kit.theme import LIGHT, RADIUS_CARD, SPACE_4, SPACE_8, SPACE_12, SPACE_16, Theme
from desktop.models import words
from desktop.models.list_view import ModelList
from desktop.models.parts import Sign, TroubleRow, label
from desktop.models.values import Group, ListPicture, Machine, ModelRow

_FOOT: Final = 37  # px, at zoom 100 %
_LONGEST: Final = 300  # characters of a search


class SearchEdit(FindEdit):
    """Down goes to the list."""

    down = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_PageDown):
            self.down.emit()
        else:
            super().keyPressEvent(event)


class Foot(QWidget):
    """What the machine has, on the panel's round corner."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._machine = Machine()
        self._chip, self._disk = Sign(self), Sign(self)
        self._chip.set_sign("chip", "text2")
        self._disk.set_sign("disk", "text2")
        self.memory, self.disk = ElidedLabel(parent=self), QLabel(self)
        for one in (self.memory, self.disk):
            mark(one, role="small", tone="text2")
        self.folder = QToolButton(self)
        mark(self.folder, kind="icon", size="small")
        icons.dress(self.folder, "folder")
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._chip)
        self._row.addWidget(self.memory)
        self._row.addWidget(self._disk)
        self._row.addWidget(self.disk)
        self._row.addStretch(1)
        self._row.addWidget(self.folder)
        self._translate()

    def set_machine(self, machine: Machine) -> None:
        self._machine = machine
        self._translate()

    def _memory(self) -> str:
        machine = self._machine
        if machine.free is None or machine.total is None:
            return machine.name
        text = self.tr("{free} of {total} GiB free")
        amount = text.format(free=words.gib(machine.free), total=words.gib(machine.total))
        return ", ".join(filter(None, (machine.name, amount)))

    def _translate(self) -> None:
        memory, disk = self._memory(), self._machine.disk
        self.memory.setText(memory)
        self.disk.setText(self.tr("{size} free").format(size=words.room(disk)) if disk is not None else "")
        for one, shown in (
            (self._chip, bool(memory)),
            (self.memory, bool(memory)),
            (self._disk, disk is not None),
            (self.disk, disk is not None),
        ):
            one.setVisible(shown)
        self.disk.setToolTip(self.tr("On the disk where the models lie"))
        self.folder.setToolTip(self.tr("Add a model's folder… (or drop it here)"))
        self.folder.setAccessibleName(self.tr("Add a model's folder…"))

    def set_theme(self, theme: Theme) -> None:
        px = fonts.px
        self._theme = theme
        self.setFixedHeight(px(_FOOT))
        self._row.setContentsMargins(px(SPACE_16) + px(2), 1, px(SPACE_8), 0)
        self._row.setSpacing(px(SPACE_8))
        self._chip.set_theme(theme)
        self._disk.set_theme(theme)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, radius = self._theme, fonts.px(RADIUS_CARD) - 1
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect())
        round_, square = QPainterPath(), QPainterPath()
        round_.addRoundedRect(area.adjusted(0, -radius, radius, 0), radius, radius)
        square.addRect(area)
        painter.fillPath(round_.intersected(square), QColor(theme.side))
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.drawLine(0, 0, self.width(), 0)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()


class ListSide(QWidget):
    """`entered`: Enter in the search."""

    entered = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._picture = ListPicture()
        self._dropping = False
        self.search = SearchEdit(self)
        self.search.setMaxLength(_LONGEST)
        self.trouble = TroubleRow(self)
        self.list = ModelList(self)
        self.empty = label(self, "small", "text3")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.asking = label(self, "caption", "text3")
        self.foot = Foot(self)
        self.folder = self.foot.folder
        self._icon = self.search.addAction(
            icons.icon("search", LIGHT.text2), SearchEdit.ActionPosition.LeadingPosition
        )
        self._top = QVBoxLayout()
        self._top.addWidget(self.search)
        self._top.addWidget(self.trouble)
        self._column = QVBoxLayout(self)
        self._column.setSpacing(0)
        self._column.setContentsMargins(0, 0, 1, 0)
        self._column.addLayout(self._top)
        self._column.addWidget(self.list, 1)
        self._column.addWidget(self.empty, 1)
        self._column.addWidget(self.asking)
        self._column.addWidget(self.foot)
        self.search.step.connect(lambda _: self.entered.emit())
        self.search.down.connect(self._to_list)
        self.search.textChanged.connect(lambda: self._draw())
        self.list.typed.connect(self._type)
        self.list.up.connect(lambda: self.search.setFocus(Qt.FocusReason.OtherFocusReason))
        self._translate()
        self._draw()

    def change(self, **changes: Any) -> None:
        """Fields of the picture; drawn once, however many they are."""
        picture = replace(self._picture, **changes)
        if picture != self._picture:
            self._picture = picture
            self.foot.set_machine(picture.machine)
            self.trouble.set_trouble(picture.trouble)
            self._draw()

    def step(self, rows: Mapping[str, ModelRow], speed: float) -> None:
        """A step of a download: to compare and paint all rows again for it is dear."""
        before = self._picture
        shown = tuple(rows.get(row.key, row) for row in before.rows or ())
        self._picture = replace(before, rows=shown, speed=speed)
        if not self.list.rows.step(rows, {Group.DOWNLOADING: self._speed}):
            self._draw()

    @property
    def _speed(self) -> str:
        return words.speed(self._picture.speed) if self._picture.speed > 0 else ""

    def set_dropping(self, on: bool) -> None:
        self._dropping = on
        self.update()

    def _draw(self) -> None:
        picture = self._picture
        rows = picture.rows or ()
        here = sum(row.size for row in rows if row.group is Group.HERE)
        notes = {
            Group.HERE: words.size(here) if here else "",
            Group.DOWNLOADING: self._speed,
            Group.SUGGESTED: self._for_machine(),
        }
        self.list.set_rows(rows, notes)
        if not rows and self.list.hasFocus():
            self.search.setFocus(Qt.FocusReason.OtherFocusReason)
        self.list.setVisible(bool(rows))
        self.empty.setVisible(not rows)
        self.empty.setText(self._why_empty() if picture.rows is not None else "")
        self.asking.setVisible(picture.busy and bool(rows))

    def _for_machine(self) -> str:
        machine = self._picture.machine
        if machine.room is None:
            return ""
        if machine.device == "gpu":
            return self.tr("for {n} GiB of GPU memory").format(n=words.gib(machine.room))
        return self.tr("for {n} GiB of memory").format(n=words.gib(machine.room))

    def _why_empty(self) -> str:
        typed = self.search.text().strip()
        if self._picture.busy:
            return self.tr("Asking the hub…")
        if not typed:
            return self.tr("No models yet. Search the hub, or drop a model's folder here.")
        if not self.trouble.isHidden():
            return ""
        return self.tr("Nothing found for “{words}”.").format(words=typed)

    def _to_list(self) -> None:
        if self._picture.rows:
            if not self.list.currentIndex().isValid():
                self.list.setCurrentIndex(self.list.rows.nearest(0))
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _type(self, text: str) -> None:
        """A letter typed in the list goes to the search."""
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)
        self.search.setText(self.search.text() + text)

    def set_theme(self, theme: Theme) -> None:
        px = fonts.px
        self._theme = theme
        self._top.setContentsMargins(px(SPACE_16) - 1, px(SPACE_16) - 1, px(SPACE_16), px(SPACE_8))
        self._top.setSpacing(px(SPACE_8))
        self.empty.setContentsMargins(px(SPACE_16), 0, px(SPACE_16), 0)
        self.asking.setContentsMargins(px(SPACE_16) + px(SPACE_4), px(SPACE_4), px(SPACE_12), px(SPACE_4))
        self._icon.setIcon(icons.icon("search", theme.text2, px(14)))
        self.trouble.set_theme(theme)
        self.list.set_theme(theme)
        self.foot.set_theme(theme)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QPen(QColor(self._theme.line), 1))
        painter.drawLine(self.width() - 1, 0, self.width() - 1, self.height())
        if self._dropping:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(self._theme.accent), 2))
            edge = fonts.px(SPACE_8)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(4, 4, -4, -4), edge, edge)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
            self._draw()

    def _translate(self) -> None:
        words_ = self.tr("Search, or paste a model id")
        self.search.setPlaceholderText(words_)
        self.search.setAccessibleName(words_)
        self.asking.setText(self.tr("Asking the hub…"))
