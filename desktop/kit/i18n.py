"""Owns the language: which one holds, its translators, and the switch while the program runs."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator, Signal

from core.paths import resources

log = logging.getLogger(__name__)

SYSTEM: Final = "system"
SOURCE: Final = "en"
NAMES: Final[dict[str, str]] = {"en": "English", "zh_TW": "繁體中文"}  # each in its own words


def system_language(wanted: list[str] | None = None) -> str:
    """The first of the system's languages that we speak; English if there is none.

    Simplified Chinese is another script: who prefers it gets English rather than the wrong characters.
    """
    for tag in QLocale.system().uiLanguages() if wanted is None else wanted:
        parts = tag.replace("_", "-").split("-")
        if parts[0] == "en" or tag == "C":
            return SOURCE
        if parts[0] == "zh":
            traditional = "Hant" in parts or ("Hans" not in parts and {"TW", "HK", "MO"} & set(parts))
            if traditional:
                return "zh_TW"
    return SOURCE


class Language(QObject):
    """`apply` a language; Qt then sends LanguageChange to every widget, and `changed` carries its code."""

    changed = Signal(str)

    def __init__(self, parent: QObject | None = None, folder: Path | None = None) -> None:
        super().__init__(parent)
        self._folder = folder if folder is not None else resources() / "i18n"
        self._translators: list[QTranslator] = []
        self._code = ""
        self._choice = SYSTEM

    @property
    def code(self) -> str:
        """The language that holds: "en" or "zh_TW"."""
        return self._code

    @property
    def choice(self) -> str:
        """What was asked for: a code or "system"."""
        return self._choice

    def apply(self, choice: str) -> None:
        """Speak this language; "system" or an unknown code means the system's."""
        self._choice = choice if choice in NAMES else SYSTEM
        code = self._choice if self._choice != SYSTEM else system_language()
        if code == self._code:
            return
        self._code = code
        for old in self._translators:
            QCoreApplication.removeTranslator(old)
        self._translators = self._load(code)
        # numbers and dates by the language, by the person's own region where that speaks it
        system = QLocale.system()
        locale = QLocale(code)
        QLocale.setDefault(system if system.language() == locale.language() else locale)
        for translator in self._translators:
            QCoreApplication.installTranslator(translator)
        self.changed.emit(code)

    def _load(self, code: str) -> list[QTranslator]:
        """Qt's own words first: what is installed later is asked earlier."""
        qt = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        found = []
        for name, folder in ((f"qtbase_{code}", qt), (f"tokenloupe_{code}", str(self._folder))):
            translator = QTranslator(self)
            if translator.load(name, folder):
                found.append(translator)
            elif not (code == SOURCE and name.startswith("qtbase")):
                log.warning("no translation %s in %s", name, folder)
        return found
