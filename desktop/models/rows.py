"""The models as Qt sees them: a heading for each group, then its models, one row each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop.models import words
from desktop.models.values import Group, ModelRow

ROW_ROLE: Final = Qt.ItemDataRole.UserRole  # a ModelRow, or a Heading
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Heading:
    group: Group
    note: str = ""


class Kind(Enum):
    """What decides how high a row is."""

    HEADING = 0
    PLAIN = 1
    BAR = 2


class ModelRows(QAbstractListModel):
    """Rows change in place while the same models stand in the same order: selection and place stay."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Heading | ModelRow] = []
        self._kinds: list[Kind] = []
        self._places: dict[str, int] = {}

    def show(self, models: tuple[ModelRow, ...], notes: Mapping[Group, str]) -> bool:
        """Whether the rows are others now. `notes`: at the right of the headings."""
        rows: list[Heading | ModelRow] = []
        for group in Group:
            members = [row for row in models if row.group is group]
            if members:
                rows += [Heading(group, notes.get(group, "")), *members]
        if [_identity(row) for row in rows] == [_identity(row) for row in self._rows]:
            changed = [at for at, row in enumerate(rows) if row != self._rows[at]]
            self._rows = rows
            for at in changed:
                self.dataChanged.emit(self.index(at), self.index(at))
            return False
        self.beginResetModel()
        self._rows = rows
        self._kinds = list(map(_kind, rows))
        self._places = {row.key: at for at, row in enumerate(rows) if isinstance(row, ModelRow)}
        self.endResetModel()
        return True

    def step(self, models: Mapping[str, ModelRow], notes: Mapping[Group, str]) -> bool:
        """Other numbers in rows that stay where they are; False, and nothing is changed: one does not."""
        changed: dict[int, Heading | ModelRow] = {
            self._places[key]: row for key, row in models.items() if key in self._places
        }
        for at, row in enumerate(self._rows):
            if isinstance(row, Heading) and notes.get(row.group, row.note) != row.note:
                changed[at] = Heading(row.group, notes[row.group])
        if any(_identity(row) != _identity(self._rows[at]) for at, row in changed.items()):
            return False
        for at, row in changed.items():
            self._rows[at] = row
            self.dataChanged.emit(self.index(at), self.index(at))
        return True

    def at(self, index: Index) -> ModelRow | None:
        """The model in a row; None for a heading."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        return row if isinstance(row, ModelRow) else None

    def kind(self, place: int) -> Kind:
        return self._kinds[place]

    def index_of(self, key: str) -> QModelIndex:
        at = self._places.get(key)
        return QModelIndex() if at is None else self.index(at)

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(self._places)

    def nearest(self, at: int) -> QModelIndex:
        """The model in or after this row, else the last one."""
        places = self._places.values()
        found = min((place for place in places if place >= at), default=max(places, default=-1))
        return self.index(found) if found >= 0 else QModelIndex()

    # Qt's side

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if isinstance(row, Heading):
            text = words.group_word(row.group)
            if role == Qt.ItemDataRole.AccessibleTextRole:
                return ", ".join(filter(None, (text, row.note)))
            return text if role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return words.spoken(row)
        return row.name if role == Qt.ItemDataRole.DisplayRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if self.at(index) is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


def _identity(row: Heading | ModelRow) -> object:
    """A row that gets a bar is another: it is higher."""
    return row.group if isinstance(row, Heading) else (row.key, row.group, row.has_bar)


def _kind(row: Heading | ModelRow) -> Kind:
    if isinstance(row, Heading):
        return Kind.HEADING
    return Kind.BAR if row.has_bar else Kind.PLAIN
