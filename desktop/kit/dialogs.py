"""Owns questions to the person without nested loops: a confirmation, a folder, each awaited."""

from __future__ import annotations

import asyncio
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.kit import fonts
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_8, SPACE_12, SPACE_24

_WIDTH = 420


class Question(QDialog):
    """A sheet with one sentence, its consequence and two buttons: a verb, and Cancel (the default)."""

    def __init__(self, parent: QWidget, title: str, text: str, action: str, *, danger: bool = False) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        mark(self, ground="raised")
        head, body = QLabel(title, self), QLabel(text, self)
        for label, role in ((head, "section"), (body, "body")):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            mark(label, role=role)
        mark(body, tone="text2")
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.action = QPushButton(action, self)
        mark(self.action, kind="danger" if danger else "primary")
        default = self.cancel if danger else self.action
        for button in (self.cancel, self.action):
            button.setAutoDefault(True)  # Enter presses the one with the focus
        default.setDefault(True)
        self.cancel.clicked.connect(self.reject)
        self.action.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.setSpacing(fonts.px(SPACE_8))
        buttons.addStretch()
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.action)
        column = QVBoxLayout(self)
        pad = fonts.px(SPACE_24)
        column.setContentsMargins(pad, pad, pad, pad)
        column.setSpacing(fonts.px(SPACE_12))
        column.addWidget(head)
        column.addWidget(body)
        column.addSpacing(fonts.px(SPACE_8))
        column.addLayout(buttons)
        self.setFixedWidth(fonts.px(_WIDTH))
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


async def choose_folder(parent: QWidget, title: str, start: Path | None = None) -> Path | None:
    """Let the person choose an existing folder; None if they did not."""
    dialog = folder_dialog(parent, title, start)
    chosen: list[str] = []
    dialog.fileSelected.connect(chosen.append)
    accepted = await _finished(dialog) == QDialog.DialogCode.Accepted
    return Path(chosen[0]) if accepted and chosen else None


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
