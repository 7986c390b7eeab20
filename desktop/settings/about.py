"""The About page: version, the built-in model and its origin, libraries, licences, where data lies."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from core.models.catalog import KnownModel
from core.paths import Paths
from desktop.kit import fonts, icons
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_2, SPACE_4, SPACE_8, SPACE_12, SPACE_16, SPACE_24
from desktop.settings.rows import Column, Section
from desktop.settings.versions import Part, program_version

_LOGO = 48
_TEXT_HEIGHT = 320


def _label(parent: QWidget, role: str, tone: str = "", *, selectable: bool = False) -> QLabel:
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    mark(label, role=role, **({"tone": tone} if tone else {}))
    if selectable:
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


class AboutPage(QScrollArea):
    """What is shown here is read from what is installed. `wanted` asks for the list of libraries at the first
    sight of the page, `texts_wanted` for the licence texts; `copy_wanted` for the report of versions.
    """

    wanted = Signal()
    texts_wanted = Signal()

    def __init__(self, paths: Paths, model: KnownModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._paths, self._model = paths, model
        self._asked = False
        self._report = ""
        self.setWidgetResizable(True)
        self._column = Column(self)
        mark(self._column, ground="surface")
        self._build()
        self.setWidget(self._column)
        self.fit()
        self._translate()

    def _build(self) -> None:
        column = self._column
        self._logo = QLabel(column)
        self._name = _label(column, "title")
        self._version = _label(column, "body", "text2", selectable=True)
        self.copy = QPushButton(column)
        icons.dress(self.copy, "copy")
        self.copy.setEnabled(False)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._report))
        names = QVBoxLayout()
        names.setSpacing(0)
        names.addStretch(1)
        names.addWidget(self._name)
        names.addWidget(self._version)
        names.addStretch(1)
        self._head = QHBoxLayout()
        self._head.addWidget(self._logo)
        self._head.addLayout(names, 1)
        self._head.addWidget(self.copy)

        self._licence = _label(column, "body", "text2")
        self._model_text = _label(column, "body", "text2")
        self._model_source = _label(column, "small", "text3", selectable=True)
        self._model_note = _label(column, "small", "text3")
        self._table = QWidget(column)
        self._grid = QGridLayout(self._table)
        self._grid.setColumnStretch(2, 1)
        self._qt = _label(column, "small", "text3")
        self.show_texts_button = QPushButton(column)
        self.show_texts_button.clicked.connect(self.texts_wanted)
        buttons = QWidget(column)
        line = QHBoxLayout(buttons)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.show_texts_button)
        line.addStretch(1)
        self._texts = QPlainTextEdit(column)
        self._texts.setReadOnly(True)
        mark(self._texts, role="mono_small")
        self._texts.hide()
        self._places = _label(column, "mono_small", "text2", selectable=True)

        self._sections = {
            "model": Section([self._model_text, self._model_source, self._model_note]),
            "places": Section([self._places]),
            "licence": Section([self._licence]),
            "parts": Section([self._table, self._qt, buttons, self._texts]),
        }
        layout = column.layout_
        layout.addLayout(self._head)
        for section in self._sections.values():
            layout.addWidget(section)
        layout.addStretch(1)

    def fit(self) -> None:
        """Sizes at the present zoom."""
        self._column.fit()
        side = fonts.px(_LOGO)
        self._logo.setPixmap(icons.pixmap("app", "", side, self.devicePixelRatioF()))
        self._logo.setFixedSize(QSize(side, side))
        self._head.setContentsMargins(0, fonts.px(SPACE_24), 0, 0)
        self._head.setSpacing(fonts.px(SPACE_16))
        self._grid.setContentsMargins(0, 0, 0, fonts.px(SPACE_8))
        self._grid.setHorizontalSpacing(fonts.px(SPACE_16))
        self._grid.setVerticalSpacing(fonts.px(SPACE_4))
        self._texts.setFixedHeight(fonts.px(_TEXT_HEIGHT))
        self._model_source.setContentsMargins(0, fonts.px(SPACE_2), 0, fonts.px(SPACE_2))
        self._qt.setContentsMargins(0, 0, 0, fonts.px(SPACE_12))
        for section in self._sections.values():
            section.fit()

    def show_parts(self, parts: Sequence[Part], report: str) -> None:
        """The libraries, a line each; `report` is what Copy versions copies."""
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for row, part in enumerate(parts):
            for column, (text, tone) in enumerate(
                ((part.name, ""), (part.version, "text2"), (part.licence or "–", "text3"))
            ):
                label = _label(self._table, "small", tone)
                label.setText(text)
                label.setWordWrap(column == 2)
                self._grid.addWidget(label, row, column, Qt.AlignmentFlag.AlignTop)
        self._report = report
        self.copy.setEnabled(bool(report))

    def show_texts(self, text: str) -> None:
        """The licence texts, under the list."""
        self._texts.setPlainText(text)
        self._texts.show()
        self.show_texts_button.hide()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._asked:
            self._asked = True
            self.wanted.emit()

    def _translate(self) -> None:
        self._name.setText("Token Loupe")
        self._version.setText(self.tr("Version {version}").format(version=program_version()))
        self.copy.setText(self.tr("Copy versions"))
        self._sections["model"].set_text(self.tr("Built-in model"))
        self._model_text.setText(
            self.tr("{name}, licence {licence}.").format(name=self._model.name, licence=self._model.licence)
        )
        self._model_source.setText(self._model.source)
        self._model_note.setText(
            self.tr(
                "The weights were changed: unpacked from a smaller number format. "
                "It is a small model and often wrong; that makes its doubts easy to see."
            )
        )
        self._sections["places"].set_text(self.tr("Where your data lies"))
        self._places.setText("\n".join(self._place_lines()))
        self._sections["licence"].set_text(self.tr("Licence"))
        self._licence.setText(self.tr("Token Loupe is free software under the Apache License 2.0."))
        self._sections["parts"].set_text(self.tr("Made with"))
        self._qt.setText(
            self.tr("Qt and PySide6 are used under the LGPL 3; you may replace their libraries by your own.")
        )
        self.show_texts_button.setText(self.tr("Show licence texts"))
        self._texts.setAccessibleName(self.tr("Licence texts"))

    def _place_lines(self) -> list[str]:
        places: list[tuple[str, Path]] = [
            (self.tr("Chats"), self._paths.history),
            (self.tr("Models"), self._paths.models),
            (self.tr("Log files"), self._paths.logs),
            (self.tr("Settings"), self._paths.settings),
            (self.tr("Cache"), self._paths.cache),
        ]
        return [self.tr("{kind}: {path}").format(kind=kind, path=path) for kind, path in places]

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "_sections"):
            self._translate()
