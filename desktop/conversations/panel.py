"""The panel of conversations: a button for a new one and the list by day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QLabel,
    QListView,
    QMenu,
    QPushButton,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from desktop.conversations.days import ConversationRow, seconds_to_midnight
from desktop.conversations.delegate import ConversationDelegate
from desktop.conversations.model import ConversationModel
from desktop.kit import fonts
from desktop.kit.icons import dress
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_4, SPACE_8, SPACE_12, Theme

WIDTH = 224  # of the panel, at zoom 100 %


class ConversationList(QListView):
    """Enter opens, F2 renames, Delete asks to delete."""

    open_pressed = Signal(QModelIndex)
    delete_pressed = Signal(QModelIndex)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, ground="side")
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        editing = self.state() is QAbstractItemView.State.EditingState
        if not editing and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_pressed.emit(self.currentIndex())
        elif not editing and event.key() == Qt.Key.Key_Delete:
            self.delete_pressed.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)


class ConversationsPanel(QWidget):
    """`set_rows` shows the chats; what the person does comes out as signals with ids."""

    new_wanted = Signal()
    opened = Signal(str)
    renamed = Signal(str, str)
    delete_wanted = Signal(str)  # not asked yet: the window asks

    def __init__(self, parent: QWidget | None = None, now: Callable[[], datetime] = datetime.now) -> None:
        super().__init__(parent)
        self._now = now
        self._rows: tuple[ConversationRow, ...] = ()
        self._current = ""
        self._waiting = False  # new rows came while a title was being edited
        mark(self, ground="side")
        self.head = QWidget(self)  # the dock's title bar
        mark(self.head, ground="side")
        self.new = QPushButton(self.head)
        dress(self.new, "plus")
        self.new.clicked.connect(self.new_wanted)
        self.model = ConversationModel(self)
        self.model.renamed.connect(self.renamed)
        self.delegate = ConversationDelegate(self)
        self.delegate.closeEditor.connect(self._editor_closed)
        self.list = ConversationList(self)
        self.list.setModel(self.model)
        self.list.setItemDelegate(self.delegate)
        self.list.clicked.connect(self._open)
        self.list.open_pressed.connect(self._open)
        self.list.delete_pressed.connect(self._delete)
        self.list.customContextMenuRequested.connect(self._open_menu)
        self._empty = QLabel(self)
        self._empty.setWordWrap(True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        mark(self._empty, role="small", tone="text3")
        self.menu = QMenu(self)
        self._head_layout = QVBoxLayout(self.head)
        self._head_layout.addWidget(self.new)
        self._layout = QVBoxLayout(self)
        self._stack = QStackedLayout()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.list)
        self._layout.addLayout(self._stack)
        self._midnight = QTimer(self)
        self._midnight.setSingleShot(True)
        self._midnight.timeout.connect(self._show)
        self._measure()
        self._translate()

    def setFocus(self, reason: Qt.FocusReason = Qt.FocusReason.OtherFocusReason) -> None:
        """Into the list; not by a focus proxy, which would stand in the Tab order by itself."""
        self.list.setFocus(reason)

    def _measure(self) -> None:
        px = fonts.px
        self._head_layout.setContentsMargins(px(SPACE_12), px(SPACE_12), px(SPACE_12), px(SPACE_4))
        self._layout.setContentsMargins(px(SPACE_8), 0, px(SPACE_8), px(SPACE_8))
        self._empty.setContentsMargins(px(SPACE_8), px(SPACE_12), px(SPACE_8), 0)

    def sizeHint(self) -> QSize:
        return QSize(fonts.px(WIDTH), super().sizeHint().height())

    def set_theme(self, theme: Theme) -> None:
        self.delegate.theme = theme
        self._measure()
        self.list.doItemsLayout()
        self.list.viewport().update()

    def set_rows(self, rows: tuple[ConversationRow, ...], current: str) -> None:
        """All chats in any order, and the id of the open one ("" = a new one that is not in the list)."""
        self._rows, self._current = rows, current
        if self.list.state() is QAbstractItemView.State.EditingState:
            self._waiting = True
            return
        self._show()

    def _show(self) -> None:
        now = self._now()
        self.model.show(self._rows, now.date())
        self.delegate.current = self._current
        self.list.viewport().update()
        index = self.model.index_of(self._current)
        if index.isValid() and self.list.currentIndex() != index:
            self.list.setCurrentIndex(index)
            self.list.scrollTo(index)
        self._stack.setCurrentWidget(self.list if self._rows else self._empty)
        self._midnight.start(int(seconds_to_midnight(now) * 1000) + 1000)

    def rename(self, id_: str) -> None:
        """Edit a title in place."""
        index = self.model.index_of(id_)
        if index.isValid():
            self.list.setCurrentIndex(index)
            self.list.scrollTo(index)
            self.list.edit(index)

    def _editor_closed(self, _editor: QWidget, _hint: QAbstractItemDelegate.EndEditHint) -> None:
        # the view still counts as editing while it tells us
        if self._waiting:
            self._waiting = False
            QTimer.singleShot(0, self, self._show)

    def _open(self, index: QModelIndex) -> None:
        row = self.model.at(index)
        if row is not None:
            self.opened.emit(row.id)

    def _delete(self, index: QModelIndex) -> None:
        row = self.model.at(index)
        if row is not None:
            self.delete_wanted.emit(row.id)

    def _open_menu(self, at: QPoint) -> None:
        row = self.model.at(self.list.indexAt(at))
        if row is None:
            return
        self.menu.clear()
        for text, icon, act in (
            (self.tr("Open"), "", lambda: self.opened.emit(row.id)),
            (self.tr("Rename\tF2"), "pencil", lambda: self.rename(row.id)),
            (self.tr("Delete…\tDel"), "trash", lambda: self.delete_wanted.emit(row.id)),
        ):
            item = self.menu.addAction(text)
            if icon:
                dress(item, icon)
            item.triggered.connect(lambda _=False, act=act: act())
        self.menu.popup(self.list.viewport().mapToGlobal(at))

    def title_of(self, id_: str) -> str:
        """As the list shows it, for the question before deleting."""
        row = self.model.at(self.model.index_of(id_))
        return self.model.title(row) if row is not None else ""

    def _translate(self) -> None:
        self.new.setText(self.tr("New chat"))
        self.list.setAccessibleName(self.tr("Conversations"))
        self._empty.setText(self.tr("Your chats will be listed here."))
        self.list.viewport().update()

    def set_new_tip(self, tip: str) -> None:
        self.new.setToolTip(tip)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
