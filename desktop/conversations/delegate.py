"""Paints a row of the conversation list and makes the editor that renames it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from desktop.conversations.days import ConversationRow
from desktop.conversations.model import ROW_ROLE, ConversationModel
from desktop.kit import fonts
from desktop.kit.elided import plain_tip
from desktop.kit.style import mark
from desktop.kit.theme import LIGHT, LIST_GAP, RADIUS_CONTROL, ROW, SPACE_8, SPACE_12, Theme

_HEADING = 34
_EDGE = 3  # the accent bar of the open chat
_TITLE_LENGTH = 200


class ConversationDelegate(QStyledItemDelegate):
    """Two lines a chat; the one open now has the accent bar, whatever row the keyboard is on."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.theme: Theme = LIGHT
        self.current = ""  # id of the open chat

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        chat = isinstance(index.data(ROW_ROLE), ConversationRow)
        return QSize(0, fonts.px(ROW + LIST_GAP if chat else _HEADING))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(ROW_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(row, ConversationRow):
            self._paint_row(painter, option, index, row)
        else:
            painter.setFont(fonts.font("caption_strong"))
            painter.setPen(QColor(self.theme.text3))
            inner = option.rect.adjusted(fonts.px(SPACE_12), 0, -fonts.px(SPACE_12), -fonts.px(6))
            flags = Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft
            painter.drawText(inner, flags, str(index.data() or ""))
        painter.restore()

    def _paint_row(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
        row: ConversationRow,
    ) -> None:
        theme, px = self.theme, fonts.px
        box = QRectF(option.rect.adjusted(0, 0, 0, -px(LIST_GAP)))
        opened = row.id == self.current
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        ground = theme.accent_soft if opened else theme.hover if hovered else None
        if ground is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(ground))
            painter.drawRoundedRect(box, px(RADIUS_CONTROL), px(RADIUS_CONTROL))
        if opened:
            bar = QRectF(box.left(), box.top() + px(10), px(_EDGE), box.height() - 2 * px(10))
            painter.setBrush(QColor(theme.accent))
            painter.drawRoundedRect(bar, px(_EDGE) / 2, px(_EDGE) / 2)
        if option.state & QStyle.StateFlag.State_HasFocus and self._shows_focus(option):
            painter.setPen(QColor(theme.focus))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(
                box.adjusted(0.5, 0.5, -0.5, -0.5), px(RADIUS_CONTROL), px(RADIUS_CONTROL)
            )
        title, note = self._lines(option.rect)
        model = index.model()
        assert isinstance(model, ConversationModel)
        self._text(painter, title, model.title(row), "body_strong" if opened else "body", theme.text)
        self._text(painter, note, model.note(row), "caption", theme.text2 if opened else theme.text3)

    @staticmethod
    def _shows_focus(option: QStyleOptionViewItem) -> bool:
        view = option.widget
        return isinstance(view, QAbstractItemView) and view.hasFocus()

    @staticmethod
    def _lines(rect: QRect) -> tuple[QRect, QRect]:
        px = fonts.px
        inner = rect.adjusted(px(SPACE_12), px(4), -px(SPACE_8), -px(LIST_GAP) - px(4))
        half = inner.height() * 20 // 36
        top = QRect(inner.left(), inner.top(), inner.width(), half)
        return top, QRect(inner.left(), inner.top() + half, inner.width(), inner.height() - half)

    @staticmethod
    def _text(painter: QPainter, area: QRect, text: str, role: str, colour: str) -> None:
        painter.setFont(fonts.font(role))
        painter.setPen(QColor(colour))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, area.width())
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine
        painter.drawText(area, flags, shown)

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        """Elided titles are whole in the tooltip."""
        row = index.data(ROW_ROLE)
        if isinstance(row, ConversationRow):
            metrics = QFontMetrics(fonts.font("body_strong"))
            if metrics.horizontalAdvance(row.title) > self._lines(option.rect)[0].width():
                QToolTip.showText(event.globalPos(), plain_tip(row.title), view)
                return True
        QToolTip.hideText()
        return True

    # renaming

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        editor = QLineEdit(parent)
        editor.setMaxLength(_TITLE_LENGTH)
        editor.setAccessibleName(self.tr("Title of the chat"))
        mark(editor, size="small")
        return editor

    def updateEditorGeometry(
        self,
        editor: QWidget,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        height = editor.sizeHint().height()
        rect = option.rect
        top = rect.top() + (rect.height() - fonts.px(LIST_GAP) - height) // 2
        editor.setGeometry(rect.left() + fonts.px(4), top, rect.width() - 2 * fonts.px(4), height)
