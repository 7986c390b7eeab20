"""The rows that say where data lies, with Open and Copy."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from core.paths import Paths
from desktop.kit import fonts, icons
from desktop.kit.elided import ElidedLabel
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_2, SPACE_4, SPACE_8

log = logging.getLogger(__name__)


def open_folder(folder: Path) -> bool:
    """Show a folder in the system's file manager; it is created if it is not there yet."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        log.warning("%s cannot be created: %s", folder, error)
        return False
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


class FolderRow(QWidget):
    """One folder: what lies there, its path, Open, Copy."""

    failed = Signal(str)

    def __init__(
        self, folder: Path, opener: Callable[[Path], bool] = open_folder, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._folder = folder
        self._opener = opener
        self._title = QLabel(self)
        mark(self._title, role="body_strong")
        self._path = ElidedLabel(str(folder), self, Qt.TextElideMode.ElideMiddle)
        mark(self._path, role="mono_small", tone="text3")
        self.open_button, self.copy_button = QPushButton(self), QToolButton(self)
        mark(self.open_button, size="small")
        mark(self.copy_button, kind="icon", size="small")
        icons.dress(self.open_button, "folder")
        icons.dress(self.copy_button, "copy")
        self.open_button.clicked.connect(self._open)
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(str(self._folder)))
        self._words = QVBoxLayout()
        self._words.addWidget(self._title)
        self._words.addWidget(self._path)
        self._layout = QHBoxLayout(self)
        self._layout.addLayout(self._words, 1)
        self._layout.addWidget(self.open_button)
        self._layout.addWidget(self.copy_button)
        mark(self, edge="bottom")
        self.fit()
        self._translate()

    def set_text(self, title: str) -> None:
        self._title.setText(title)
        self._translate()

    def fit(self) -> None:
        self._words.setSpacing(fonts.px(SPACE_2))
        self._layout.setSpacing(fonts.px(SPACE_4))
        self._layout.setContentsMargins(0, fonts.px(SPACE_8), 0, fonts.px(SPACE_8))

    def _open(self) -> None:
        if not self._opener(self._folder):
            self.failed.emit(str(self._folder))

    def _translate(self) -> None:
        self.open_button.setText(self.tr("Open"))
        self.open_button.setAccessibleName(self.tr("Open the folder: {name}").format(name=self._title.text()))
        copy = self.tr("Copy the path")
        self.copy_button.setToolTip(copy)
        self.copy_button.setAccessibleName(f"{copy}: {self._title.text()}")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()


def folder_rows(paths: Paths, parent: QWidget) -> dict[str, FolderRow]:
    """A row for each kind of data, by kind."""
    return {
        kind: FolderRow(folder, parent=parent)
        for kind, folder in (
            ("chats", paths.data),
            ("models", paths.models),
            ("logs", paths.logs),
            ("settings", paths.config),
            ("cache", paths.cache),
        )
    }
