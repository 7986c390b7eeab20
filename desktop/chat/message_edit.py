"""The text field of the composer: what Enter means in it, and how high it is."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QBuffer, QEvent, QIODevice, QMimeData, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from desktop.chat.exact_text import ExactTextEdit
from desktop.kit.style import mark

_PICTURES = ("image/png", "image/jpeg", "image/bmp", "image/tiff")
LINES = 8  # it grows to this many, then it scrolls


class MessageEdit(ExactTextEdit):
    """The question: Enter sends (or Ctrl+Enter, by setting); ↑ in an empty box goes on to its parent."""

    send_pressed = Signal()
    files_given = Signal(list)  # of paths: dropped or pasted
    picture_given = Signal(bytes)  # pasted, without a file

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

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return bool(_files(source)) or _has_picture(source) or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        files = _files(source)
        if files:
            self.files_given.emit(files)
        elif source.hasText() or not _has_picture(source):  # cells of a table come as a picture too
            super().insertFromMimeData(source)
        elif data := _picture(source):
            self.picture_given.emit(data)

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


def _files(source: QMimeData) -> list[Path]:
    """Those on this computer, if all are."""
    urls = source.urls()
    return (
        [Path(url.toLocalFile()) for url in urls] if urls and all(url.isLocalFile() for url in urls) else []
    )


def _has_picture(source: QMimeData) -> bool:
    return source.hasImage() or any(map(source.hasFormat, _PICTURES))


def _picture(source: QMimeData) -> bytes:
    """As it was copied where it is offered so; packing a large one here would hold up the window."""
    for kind in _PICTURES:
        if source.hasFormat(kind):
            return bytes(source.data(kind).data())
    image, buffer = source.imageData(), QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not isinstance(image, QImage) or not image.save(buffer, "BMP"):  # type: ignore[call-overload]
        return b""
    return bytes(buffer.data().data())
