"""A plain text input that gives back exactly what was typed and pasted, and never loses a composition.

`QPlainTextEdit.toPlainText()` turns no-break spaces into spaces and both Unicode separators into line
feeds, and a pasted U+2029 becomes a block like any other. Token ids would differ: text goes in and out here.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QGuiApplication,
    QInputMethodEvent,
    QKeyEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from desktop.kit.caret import CaretRest

_PARAGRAPH = "\u2029"
# noncharacters: no text contains them, and the document keeps them inside a block
_PARAGRAPH_KEPT = "\ufdd5"
_FRAMES_KEPT = {"\ufdd0": "\ufdd6", "\ufdd1": "\ufdd7"}  # Qt's own marks, they would split a block
_INTO = str.maketrans({_PARAGRAPH: _PARAGRAPH_KEPT, **_FRAMES_KEPT})
_OUT = str.maketrans({_PARAGRAPH_KEPT: _PARAGRAPH, **{kept: mark for mark, kept in _FRAMES_KEPT.items()}})

ENTER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def to_document(text: str) -> str:
    """`text` as the document can hold it: CRLF and CR are line ends, the rest survives."""
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(_INTO)


def from_document(text: str) -> str:
    return text.translate(_OUT)


class ExactTextEdit(QPlainTextEdit):
    """Plain text in and out without a change but CRLF → LF; Tab moves the focus, pasted tabs stay."""

    composing_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._preedit = ""
        self._caret = CaretRest(self)
        self.setTabChangesFocus(True)

    # text

    def exact_text(self) -> str:
        """The text without what an input method is still composing."""
        lines = []
        block = self.document().begin()
        while block.isValid():
            lines.append(block.text())
            block = block.next()
        return from_document("\n".join(lines))

    def set_exact_text(self, text: str) -> None:
        """Replace all text (as a new document: nothing to undo) and put the cursor at its end."""
        self.setPlainText(to_document(text))
        self.moveCursor(QTextCursor.MoveOperation.End)

    def insert_exact_text(self, text: str) -> None:
        self.textCursor().insertText(to_document(text))
        self.ensureCursorVisible()

    def selected_exact_text(self) -> str:
        return from_document(self.textCursor().selectedText().replace(_PARAGRAPH, "\n"))

    def is_empty(self) -> bool:
        return self.document().isEmpty() and not self._preedit

    def is_blank(self) -> bool:
        """Nothing but white space; asked at each key, so it stops at the first character."""
        block = self.document().begin()
        while block.isValid():
            if block.text().strip():
                return False
            block = block.next()
        return True

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        # a dropped file offers its address as text: nobody meant to type that
        return source.hasText() and (not source.hasUrls() or source.hasFormat("text/plain"))

    def insertFromMimeData(self, source: QMimeData) -> None:
        if self.canInsertFromMimeData(source):
            self.insert_exact_text(source.text())

    def createMimeDataFromSelection(self) -> QMimeData:
        # made by Qt, not here: the clipboard's outlives the interpreter, and its end would be a crash
        data = super().createMimeDataFromSelection()
        data.text()  # Qt fills it at its first reading
        data.clear()
        data.setText(self.selected_exact_text())
        return data

    # composing

    @property
    def composing(self) -> bool:
        """An input method shows text that is not yet part of the document."""
        return bool(self._preedit)

    def commit_preedit(self) -> None:
        """Take what is being composed as typed: before sending, and when the focus leaves."""
        if not self._preedit:
            return
        QGuiApplication.inputMethod().commit()
        if self._preedit:  # no input method answered: keep the text, then have it forget the composition
            event = QInputMethodEvent()
            event.setCommitString(self._preedit)
            self.inputMethodEvent(event)
            QGuiApplication.inputMethod().reset()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._caret.stir()
        super().inputMethodEvent(event)
        before, self._preedit = self._preedit, event.preeditString()
        if bool(before) != bool(self._preedit):
            self.composing_changed.emit(bool(self._preedit))

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._caret.stir()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._caret.leave()
        self.commit_preedit()
        super().focusOutEvent(event)

    # keys

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._preedit
            and event.key() == Qt.Key.Key_Escape
        ):
            event.accept()  # it ends the composition, not the answer
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._caret.stir()
        if self._preedit and event.key() in (*ENTER_KEYS, Qt.Key.Key_Escape):
            event.accept()  # belongs to the input method
            return
        if event.key() in ENTER_KEYS:
            self.enter_pressed(event)
            return
        super().keyPressEvent(event)

    def enter_pressed(self, event: QKeyEvent) -> None:
        """Break the line. (Qt would insert U+2028 for Shift+Enter, which is another token.)"""
        self.textCursor().insertBlock()
        self.ensureCursorVisible()
        event.accept()
