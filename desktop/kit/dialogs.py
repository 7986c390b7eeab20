"""Owns questions to the person without nested loops: a confirmation, a folder, a file."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.kit import fonts
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_8, SPACE_12, SPACE_24

_WIDTH = 420


class Sheet(QDialog):
    """A dialog over the window: a title, then whatever is added to `column`, then a row of buttons."""

    def __init__(self, parent: QWidget, width: int = _WIDTH) -> None:
        """`width`: at zoom 100 %."""
        super().__init__(parent)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        mark(self, ground="raised")
        self.column = QVBoxLayout(self)
        pad = fonts.px(SPACE_24)
        self.column.setContentsMargins(pad, pad, pad, pad)
        self.column.setSpacing(fonts.px(SPACE_12))
        self.setFixedWidth(fonts.px(width))

    def set_title(self, title: str) -> None:
        self.setWindowTitle(title)
        self.add_text(title, "section")

    def add_text(self, text: str, role: str, tone: str = "text") -> QLabel:
        """A paragraph of plain text."""
        label = QLabel(text, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        mark(label, role=role, tone=tone)
        self.column.addWidget(label)
        return label

    def fit(self) -> None:
        """As high as what it shows needs."""
        self.column.activate()
        self.resize(self.width(), self.column.totalHeightForWidth(self.width()))

    def add_buttons(self, *buttons: QPushButton, left: QPushButton | None = None) -> None:
        """At the right, the one that does what the sheet is for last; `left` stands apart."""
        row = QHBoxLayout()
        row.setSpacing(fonts.px(SPACE_8))
        if left is not None:
            row.addWidget(left)
        row.addStretch()
        for button in buttons:
            row.addWidget(button)
        for button in (*buttons, *([left] if left is not None else [])):
            button.setAutoDefault(True)  # Enter presses the one with the focus
        self.column.addSpacing(fonts.px(SPACE_8))
        self.column.addLayout(row)


class Question(Sheet):
    """One sentence, its consequence and two buttons: a verb, and Cancel (the default of a dangerous one)."""

    def __init__(self, parent: QWidget, title: str, text: str, action: str, *, danger: bool = False) -> None:
        super().__init__(parent)
        self.set_title(title)
        self.add_text(text, "body", "text2")
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.action = QPushButton(action, self)
        mark(self.action, kind="danger" if danger else "primary")
        self.cancel.clicked.connect(self.reject)
        self.action.clicked.connect(self.accept)
        self.add_buttons(self.cancel, self.action)
        default = self.cancel if danger else self.action
        default.setDefault(True)
        default.setFocus()


async def confirm(parent: QWidget, title: str, text: str, action: str, *, danger: bool = False) -> bool:
    """Ask; True only if the person chose `action` (a verb: "Delete chat"). All text is shown as plain text.

    A cancelled task or a parent that goes away closes the question: False, nothing is left waiting.
    """
    dialog = Question(parent, title, text, action, danger=danger)
    return await _finished(dialog) == QDialog.DialogCode.Accepted


def folder_dialog(parent: QWidget, title: str, start: Path | None = None) -> QFileDialog:
    """A dialog that chooses an existing folder, in our own words: `open` it, then hear `fileSelected`.

    `start`: the folder it shows first; one that is not there, like none, means the home folder.
    """
    dialog = QFileDialog(parent, title, str(start if start is not None and start.is_dir() else Path.home()))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    label = QFileDialog.DialogLabel
    for which, text in (
        (label.LookIn, QCoreApplication.translate("FolderDialog", "Look in:")),
        (label.FileName, QCoreApplication.translate("FolderDialog", "Folder:")),
        (label.FileType, QCoreApplication.translate("FolderDialog", "Files of type:")),
        (label.Accept, QCoreApplication.translate("FolderDialog", "Choose")),
        (label.Reject, QCoreApplication.translate("FolderDialog", "Cancel")),
    ):
        dialog.setLabelText(which, text)
    return dialog


def file_dialog(parent: QWidget, title: str, name: str, chosen: Callable[[str], None]) -> QFileDialog:
    """A dialog that asks where a file is to be written, beginning with `name` in the home folder: `open` it;
    `chosen` gets the path. An existing file is asked about."""
    dialog = QFileDialog(parent, title, str(Path.home()))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.selectFile(name)
    dialog.fileSelected.connect(chosen)
    return dialog


async def choose_folder(parent: QWidget, title: str, start: Path | None = None) -> Path | None:
    """Let the person choose an existing folder; None if they did not."""
    dialog = folder_dialog(parent, title, start)
    chosen: list[str] = []
    dialog.fileSelected.connect(chosen.append)
    accepted = await _finished(dialog) == QDialog.DialogCode.Accepted
    return Path(chosen[0]) if accepted and chosen else None


async def choose_files(parent: QWidget, title: str) -> list[Path]:
    """Let the person choose existing files; none if they did not."""
    dialog = QFileDialog(parent, title, str(Path.home()))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    chosen: list[str] = []
    dialog.filesSelected.connect(chosen.extend)
    accepted = await _finished(dialog) == QDialog.DialogCode.Accepted
    return [Path(name) for name in chosen] if accepted else []


async def _finished(dialog: QDialog) -> int:
    """Open a dialog and wait for its result without a loop of its own."""
    future: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def settle(result: int) -> None:
        if not future.done():
            future.set_result(result)

    dialog.finished.connect(settle)
    dialog.destroyed.connect(lambda *_: settle(int(QDialog.DialogCode.Rejected)))
    dialog.open()
    try:
        return await future
    except asyncio.CancelledError:
        dialog.reject()
        raise
