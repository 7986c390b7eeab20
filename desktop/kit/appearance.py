"""Owns the present look: which `Theme` holds, the zoom, reduced motion, and who is told when they change."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFontDatabase, QFontInfo, QGuiApplication
from PySide6.QtWidgets import QApplication, QToolTip

from core.paths import default_paths
from desktop.kit import fonts, icons, style
from desktop.kit.theme import BASE_PX, LIGHT, THEMES, ZOOM_MAX, ZOOM_MIN, Theme

SYSTEM = "system"


class Appearance(QObject):
    """`apply` a theme by name (or "system") and `set_zoom`; `changed` carries the Theme after each change.

    `folder` (below the cache folder if not given) keeps a few small images that the style sheet names.
    """

    changed = Signal(object)

    def __init__(self, app: QApplication, folder: Path | None = None) -> None:
        super().__init__(app)
        self._app = app
        self._folder = folder if folder is not None else default_paths().cache / "style"
        self._choice = SYSTEM
        self._percent = 100
        self._reduce_motion = False
        self._theme = LIGHT
        self._drawn: tuple[str, int] | None = None
        app.setStyle("Fusion")
        app.setWindowIcon(icons.app_icon())
        hints = app.styleHints()
        hints.colorSchemeChanged.connect(self._system_changed)
        if hasattr(hints, "accessibility"):  # Qt 6.10 and later
            hints.accessibility().contrastPreferenceChanged.connect(self._system_changed)
        app.screenAdded.connect(self._screen_added)

    @property
    def theme(self) -> Theme:
        return self._theme

    @property
    def choice(self) -> str:
        """What was asked for: a theme's name or "system"."""
        return self._choice

    @property
    def zoom(self) -> int:
        return self._percent

    @property
    def reduce_motion(self) -> bool:
        return self._reduce_motion

    def duration(self, milliseconds: int) -> int:
        """How long an animation takes: 0 with reduced motion."""
        return 0 if self._reduce_motion else milliseconds

    def set_reduce_motion(self, on: bool) -> None:
        self._reduce_motion = on

    def apply(self, choice: str) -> None:
        """Take a theme by name, or the system's choice; an unknown name counts as "system"."""
        self.take(choice, self._percent)

    def set_zoom(self, percent: int) -> None:
        """Size of everything, kept within 80 to 200 %."""
        self.take(self._choice, percent)

    def take(self, choice: str, percent: int) -> None:
        """Theme and zoom in one step: everything is drawn anew once, or not at all if nothing changes."""
        self._choice = choice if choice in THEMES else SYSTEM
        self._percent = min(max(percent, ZOOM_MIN), ZOOM_MAX)
        self._tell_system()
        self._draw()

    def _tell_system(self) -> None:
        # so that window frames and native menus match; has no effect where the platform knows no scheme
        hints = self._app.styleHints()
        if self._choice == SYSTEM:
            hints.unsetColorScheme()
        else:
            dark = THEMES[self._choice].dark
            hints.setColorScheme(Qt.ColorScheme.Dark if dark else Qt.ColorScheme.Light)

    def _system_changed(self) -> None:
        if self._choice == SYSTEM:
            self._draw()

    def _screen_added(self) -> None:
        icons.tinted.retint(self._theme)

    def _draw(self) -> None:
        self._theme = THEMES[self._choice if self._choice != SYSTEM else system_theme()]
        percent = round(self._percent * _system_scale())
        if self._drawn == (self._theme.name, percent):
            return
        self._drawn = (self._theme.name, percent)
        fonts.set_zoom(percent)
        self._app.setPalette(style.palette(self._theme))
        QToolTip.setPalette(style.palette(self._theme))
        self._app.setFont(fonts.font("body"))
        QToolTip.setFont(fonts.font("small"))
        self._app.setStyleSheet(style.style_sheet(self._theme, self._folder))
        icons.tinted.retint(self._theme)
        self.changed.emit(self._theme)


def system_theme() -> str:
    """The theme that the system's contrast and colour preferences ask for; light if it says nothing."""
    hints = QGuiApplication.styleHints()
    if (
        hasattr(hints, "accessibility")
        and hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast
    ):
        return "high_contrast"
    return "dark" if hints.colorScheme() == Qt.ColorScheme.Dark else "light"


def _system_scale() -> float:
    """How much larger than usual the system's text is; a system font smaller than ours changes nothing."""
    general = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    pixels = QFontInfo(general).pixelSize()
    return min(max(pixels / BASE_PX, 1.0), 2.0) if pixels > BASE_PX + 2 else 1.0
