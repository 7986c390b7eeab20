"""The text field of the composer: what Enter means in it, and how high it is."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from desktop.chat.exact_text import ExactTextEdit
from desktop.kit.style import mark

LINES = 8  # it grows to this many, then it scrolls


class MessageEdit(ExactTextEdit):
    """The question: Enter sends (or Ctrl+Enter, by setting); ↑ in an empty box goes on to its parent."""

    send_pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.ctrl_sends = False
        mark(self, kind="plain", role="answer")
        self.document().setDocumentMargin(0)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().documentLayout().documentSizeChanged.connect(self.fit)
        self.composing_changed.connect(lambda _: self.fit())

    def enter_pressed(self, event: QKeyEvent) -> None:
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        control = modifiers == Qt.KeyboardModifier.ControlModifier
        if control or (modifiers == Qt.KeyboardModifier.NoModifier and not self.ctrl_sends):
            if not event.isAutoRepeat():  # a key held down after the question must not send the next
                self.send_pressed.emit()
            event.accept()
        else:
            super().enter_pressed(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if event.key() == Qt.Key.Key_Up and plain and self.is_empty():
            event.ignore()  # there is nowhere to go in here
            return
        super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            QTimer.singleShot(0, self, self.fit)
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """As high as its text, between one line and LINES."""
        line = self.fontMetrics().lineSpacing()
        most = line * LINES
        layout = self.document().documentLayout()
        height = 0.0
        block = self.document().begin()
        while block.isValid() and height <= most:
            # a fallback font can be taller than the first one: ask, do not count
            height += layout.blockBoundingRect(block).height()
            block = block.next()
        scrolls = height > most + 1
        self.setVerticalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAsNeeded if scrolls else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )
        wanted = int(max(line, min(height, most))) + 1
        if wanted != self.maximumHeight():
            self.setFixedHeight(wanted)
            if not scrolls:
                self.verticalScrollBar().setValue(0)
