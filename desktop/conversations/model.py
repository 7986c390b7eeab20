"""The list of conversations as Qt sees it: headings and chats, one row each."""

from __future__ import annotations

from datetime import date
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QDate,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from desktop.conversations.days import ConversationRow, Heading, Span, group_by_day

ROW_ROLE = Qt.ItemDataRole.UserRole  # a ConversationRow, None for a heading
Index = QModelIndex | QPersistentModelIndex


class ConversationModel(QAbstractListModel):
    """Rows change in place when only titles and counts did: an open editor and the scroll position stay."""

    renamed = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Heading | ConversationRow] = []

    def show(self, conversations: tuple[ConversationRow, ...], today: date) -> None:
        rows: list[Heading | ConversationRow] = []
        for heading, members in group_by_day(conversations, today):
            rows += [heading, *members]
        if [_identity(row) for row in rows] == [_identity(row) for row in self._rows]:
            changed = [at for at, row in enumerate(rows) if row != self._rows[at]]
            self._rows = rows
            for at in changed:
                self.dataChanged.emit(self.index(at), self.index(at))
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def at(self, index: Index) -> ConversationRow | None:
        """The chat in a row; None for a heading."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        return row if isinstance(row, ConversationRow) else None

    def index_of(self, id_: str) -> QModelIndex:
        for at, row in enumerate(self._rows):
            if isinstance(row, ConversationRow) and row.id == id_:
                return self.index(at)
        return QModelIndex()

    def note(self, row: ConversationRow) -> str:
        """The second line of a row."""
        if not row.answers:
            return self.tr("no answer yet")
        return self.tr("%n answer(s)", "", row.answers)

    def title(self, row: ConversationRow) -> str:
        return row.title or self.tr("New chat")

    # Qt's side

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if isinstance(row, Heading):
            return self._heading(row) if role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.title(row)
        if role == Qt.ItemDataRole.EditRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self.title(row)}, {self.note(row)}"
        return row if role == ROW_ROLE else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if self.at(index) is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self.at(index)
        title = " ".join(str(value).split())
        if row is None or role != Qt.ItemDataRole.EditRole or not title or title == row.title:
            return False
        self.renamed.emit(row.id, title)  # whoever keeps the chats answers with new rows
        return True

    def _heading(self, heading: Heading) -> str:
        if heading.span is Span.EARLIER and heading.month is not None:
            month = QDate(heading.month.year, heading.month.month, 1)
            return QLocale().toString(month, self.tr("MMMM yyyy", "date format of a month's heading"))
        return {
            Span.TODAY: self.tr("Today"),
            Span.YESTERDAY: self.tr("Yesterday"),
            Span.WEEK: self.tr("Last 7 days"),
            Span.MONTH: self.tr("Last 30 days"),
        }[heading.span]


def _identity(row: Heading | ConversationRow) -> object:
    return row if isinstance(row, Heading) else row.id
