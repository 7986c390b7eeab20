"""The page "Hosts contacted": each host that was asked for models, when and why, the latest first."""

from __future__ import annotations

import time
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QLabel, QPushButton, QTreeView, QVBoxLayout, QWidget

from core.models.ledger import Contact
from desktop.kit import fonts, icons
from desktop.kit.elided import plain_tip
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_8, SPACE_16, SPACE_24

_WHEN, _HOST = 180, 240  # px, at zoom 100 %
_Index = QModelIndex | QPersistentModelIndex
_NONE: Final = QModelIndex()


class HostRows(QAbstractTableModel):
    """When, host, why; as many rows as the ledger keeps."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._contacts: list[Contact] = []  # the oldest first

    def set_contacts(self, contacts: tuple[Contact, ...]) -> None:
        """The oldest first."""
        self.beginResetModel()
        self._contacts = list(contacts)
        self.endResetModel()

    def add(self, contact: Contact) -> None:
        self.beginInsertRows(_NONE, 0, 0)
        self._contacts.append(contact)
        self.endInsertRows()

    def rowCount(self, parent: _Index = _NONE) -> int:
        return 0 if parent.isValid() else len(self._contacts)

    def columnCount(self, parent: _Index = _NONE) -> int:
        return 3

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(index)
        return plain_tip(self._text(index)) if role == Qt.ItemDataRole.ToolTipRole else None

    def _text(self, index: _Index) -> str:
        contact = self._contacts[-1 - index.row()]
        if index.column() == 0:
            return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(contact.when))
        return contact.host if index.column() == 1 else self._why(contact.why)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or orientation != Qt.Orientation.Horizontal:
            return None
        return (self.tr("When"), self.tr("Host"), self.tr("Why"))[section]

    def _why(self, why: str) -> str:
        """The ledger's words in the present language; others as they are."""
        for begin, words in (
            ("list ", self.tr("List of the files of {what}")),
            ("files of ", self.tr("Files of {what}")),
            ("search ", self.tr("Search for “{what}”")),
            ("package ", self.tr("Package {what}, by pip")),
            ("image ", self.tr("Image {what}, by Docker")),
        ):
            if why.startswith(begin):
                return words.format(what=why.removeprefix(begin))
        return why

    def retranslate(self) -> None:
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, 2)
        if self._contacts:
            self.dataChanged.emit(self.index(0, 2), self.index(len(self._contacts) - 1, 2))


class HostsPage(QWidget):
    """`wanted`: at every sight of the page, the rows are to be read. `clear_wanted`: its button."""

    wanted = Signal()
    clear_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, ground="surface")
        self._about, self.empty = QLabel(self), QLabel(self)
        for label, role, tone in ((self._about, "body", "text2"), (self.empty, "small", "text3")):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            mark(label, role=role, tone=tone)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.clear = QPushButton(self)
        mark(self.clear, size="small")
        icons.dress(self.clear, "trash")
        self.clear.clicked.connect(self.clear_wanted)
        self.rows = HostRows(self)
        self.table = QTreeView(self)
        self.table.setModel(self.rows)
        self.table.setRootIsDecorated(False)
        self.table.setUniformRowHeights(True)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.table.header()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._head = QHBoxLayout()
        self._head.addWidget(self._about, 1)
        self._head.addWidget(self.clear, 0, Qt.AlignmentFlag.AlignTop)
        self._column = QVBoxLayout(self)
        self._column.addLayout(self._head)
        self._column.addWidget(self.table, 1)
        self._column.addWidget(self.empty, 1)
        self.fit()
        self._translate()
        self._show()

    def set_contacts(self, contacts: tuple[Contact, ...]) -> None:
        """The oldest first."""
        self.rows.set_contacts(contacts)
        self._show()

    def add(self, contact: Contact) -> None:
        """One that is asked now."""
        self.rows.add(contact)
        if self.rows.rowCount() == 1:
            self._show()

    def fit(self) -> None:
        """Sizes at the present zoom."""
        side, px = fonts.px(SPACE_24), fonts.px
        self._column.setContentsMargins(side, px(SPACE_16), side, px(SPACE_16))
        self._column.setSpacing(px(SPACE_16))
        self._head.setSpacing(px(SPACE_8))
        self.table.header().resizeSection(0, px(_WHEN))
        self.table.header().resizeSection(1, px(_HOST))

    def _show(self) -> None:
        there = self.rows.rowCount() > 0
        self.table.setVisible(there)
        self.empty.setVisible(not there)
        self.clear.setEnabled(there)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.wanted.emit()

    def _translate(self) -> None:
        self._about.setText(
            self.tr(
                "Every computer that was asked for models, packages or images, the latest first. The list "
                "stays on this computer; its older half goes when it grows long."
            )
        )
        self.empty.setText(self.tr("No host has been contacted yet."))
        self.clear.setText(self.tr("Clear"))
        self.clear.setAccessibleName(self.tr("Clear the list of hosts"))
        self.table.setAccessibleName(self.tr("Hosts contacted"))
        self.rows.retranslate()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "rows"):
            self._translate()
