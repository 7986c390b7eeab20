"""The settings page: each control shows one value of the settings and sets it at once."""

from __future__ import annotations

import sys

from PySide6.QtCore import QEvent, QPoint, Signal
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from core.errors import SettingsError
from core.paths import Paths
from core.settings import Settings, SettingsStore
from desktop.kit import fonts, i18n
from desktop.kit.bridge import bind
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_48, THEMES
from desktop.kit.toggle import Toggle
from desktop.settings.folders import folder_rows
from desktop.settings.hub_section import HubSection
from desktop.settings.rows import Choice, Column, Number, Row, Section
from desktop.settings.server_section import ServerSection

ZOOMS = (80, 90, 100, 110, 125, 150, 175, 200)
CANDIDATES = (5, 20)
DOUBT_PERCENT = (1, 50)
CONTROL_KEY = "⌘" if sys.platform == "darwin" else "Ctrl"


class SettingsPage(QScrollArea):
    """Shows the store's settings and writes to it; who applies them listens to the store.

    `failed` carries a LoupeError when a value was refused, `folder_failed` a path that nothing could open.
    """

    failed = Signal(object)
    folder_failed = Signal(str)

    def __init__(self, store: SettingsStore, paths: Paths, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self.setWidgetResizable(True)
        self._column = Column(self)
        mark(self._column, ground="surface")
        self._build(paths)
        self.setWidget(self._column)
        self._translate()
        self.show_settings(store.value)
        bind(self, store.changed, self.show_settings)

    def _build(self, paths: Paths) -> None:
        self.language = Choice([i18n.SYSTEM, *i18n.NAMES])
        self.theme = Choice([i18n.SYSTEM, *THEMES])
        self.zoom = Choice(ZOOMS)
        self.motion = Toggle()
        self.heat = Choice(["both", "colour", "bar", "off"])
        self.doubt = Number(*DOUBT_PERCENT, suffix=" %")
        self.hover = Choice(["hover", "ctrl", "click", "off"])
        self.candidates = Number(*CANDIDATES)
        self.send = Choice(["enter", "ctrl_enter"])
        for control, field in (
            (self.language, "language"),
            (self.theme, "theme"),
            (self.zoom, "zoom"),
            (self.heat, "heat"),
            (self.hover, "hover"),
            (self.candidates, "card_candidates"),
            (self.send, "send_key"),
        ):
            control.chosen.connect(lambda value, name=field: self._set(name, value))
        self.doubt.chosen.connect(lambda percent: self._set("doubt_threshold", percent / 100))
        self.motion.clicked.connect(lambda on: self._set("reduce_motion", on))
        self._rows = {
            name: Row(control)
            for name, control in (
                ("language", self.language),
                ("theme", self.theme),
                ("zoom", self.zoom),
                ("motion", self.motion),
                ("heat", self.heat),
                ("doubt", self.doubt),
                ("hover", self.hover),
                ("candidates", self.candidates),
                ("send", self.send),
            )
        }
        self._folders = folder_rows(paths, self._column)
        for folder in self._folders.values():
            folder.failed.connect(self.folder_failed)
        row = self._rows
        self.server = ServerSection()
        self.server.chosen.connect(self._set)
        self.hub = HubSection()
        self.hub.chosen.connect(self._set)
        self._sections = {
            "look": Section([row["language"], row["theme"], row["zoom"], row["motion"]]),
            "tokens": Section([row["heat"], row["doubt"], row["hover"], row["candidates"]]),
            "writing": Section([row["send"]]),
            "server": self.server,
            "hub": self.hub,
            "folders": Section(list(self._folders.values())),
        }
        layout: QVBoxLayout = self._column.layout_
        for section in self._sections.values():
            layout.addWidget(section)
        layout.addStretch(1)

    @property
    def settings(self) -> Settings:
        return self._store.value

    def bring_into_view(self, control: QWidget) -> None:
        """With the beginning of its section; the page is laid out first, it may never have been shown."""
        self._column.layout_.activate()
        section = next((one for one in self._sections.values() if one.isAncestorOf(control)), control)
        top = section.mapTo(self._column, QPoint(0, 0)).y()
        self.verticalScrollBar().setValue(top if section is not self._sections["look"] else 0)
        self.ensureWidgetVisible(control, 0, fonts.px(SPACE_48))

    def show_settings(self, settings: Settings, *, anew: bool = False) -> None:
        """Bring the controls to these values; sets nothing. `anew`: what was refused goes, too."""
        self.language.set_value(settings.language)
        self.theme.set_value(settings.theme)
        self.zoom.set_value(settings.zoom)
        self.motion.setChecked(settings.reduce_motion)
        self.heat.set_value(settings.heat)
        self.doubt.set_value(round(settings.doubt_threshold * 100))
        self.hover.set_value(settings.hover)
        self.candidates.set_value(settings.card_candidates)
        self.send.set_value(settings.send_key)
        self.server.show_settings(settings)
        self.hub.show_settings(settings, anew=anew)
        self._zoom_texts()

    def _set(self, name: str, value: object) -> None:
        try:
            self._store.update(**{name: value})
        except SettingsError as error:
            self.show_settings(self._store.value)
            self.failed.emit(error)

    def fit(self) -> None:
        """Sizes at the present zoom."""
        self._column.fit()
        for section in self._sections.values():
            section.fit()
        for folder in self._folders.values():
            folder.fit()

    def _zoom_texts(self) -> None:
        self.zoom.set_texts([f"{self.zoom.itemData(index)} %" for index in range(self.zoom.count())])

    def _translate(self) -> None:
        self._translate_look()
        self._translate_tokens()
        self._sections["writing"].set_text(self.tr("Writing"))
        self._rows["send"].set_text(self.tr("Send with"), self.tr("Shift+Enter always breaks the line."))
        self.send.set_texts([self.tr("Enter"), f"{CONTROL_KEY}+{self.tr('Enter')}"])
        self._sections["folders"].set_text(self.tr("Folders"))
        for name, title in (
            ("chats", self.tr("Chats and data")),
            ("models", self.tr("Models")),
            ("logs", self.tr("Log files")),
            ("settings", self.tr("Settings")),
            ("cache", self.tr("Cache: may be deleted at any time")),
        ):
            self._folders[name].set_text(title)

    def _translate_look(self) -> None:
        system = self.tr("As the system")
        rows = self._rows
        self._sections["look"].set_text(self.tr("Look"))
        rows["language"].set_text(self.tr("Language"))
        self.language.set_texts([system, *i18n.NAMES.values()])
        rows["theme"].set_text(self.tr("Theme"))
        self.theme.set_texts([system, self.tr("Light"), self.tr("Dark"), self.tr("High contrast")])
        rows["zoom"].set_text(self.tr("Size"), self.tr("Text and everything around it."))
        self._zoom_texts()
        rows["motion"].set_text(self.tr("Reduce motion"), self.tr("Nothing fades or slides."))

    def _translate_tokens(self) -> None:
        rows = self._rows
        self._sections["tokens"].set_text(self.tr("Tokens"))
        rows["heat"].set_text(self.tr("Heat"), self.tr("How a doubtful token is marked in the answer."))
        self.heat.set_texts(
            [self.tr("Colour and bar"), self.tr("Colour only"), self.tr("Bar only"), self.tr("Off")]
        )
        rows["doubt"].set_text(
            self.tr("Doubtful below"), self.tr("The probability below which a token counts as doubtful.")
        )
        rows["hover"].set_text(self.tr("Token card opens"), self.tr("Keys always open it."))
        self.hover.set_texts(
            [
                self.tr("When the pointer rests"),
                self.tr("With {key} and the pointer").format(key=CONTROL_KEY),
                self.tr("On a click"),
                self.tr("By keys only"),
            ]
        )
        rows["candidates"].set_text(
            self.tr("Candidates stored"),
            self.tr("Likeliest tokens kept at each position, from the next answer on. More take more room."),
        )

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "_sections"):
            self._translate()
