"""The settings in place of the chat: the tabs Settings, Hosts contacted and About, and the way back."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QTabBar, QToolButton, QVBoxLayout, QWidget

from core.models.catalog import KnownModel
from core.paths import Paths
from core.settings import SettingsStore
from desktop.kit import fonts, icons
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_8, SPACE_24, TAB_BAR, Theme
from desktop.settings.about import AboutPage
from desktop.settings.hosts_page import HostsPage
from desktop.settings.page import SettingsPage


class SettingsView(QWidget):
    """Fills the centre of the window; Esc or the cross emits `closed`."""

    closed = Signal()

    def __init__(
        self, store: SettingsStore, paths: Paths, model: KnownModel, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        mark(self, ground="surface")
        # made where they stay: a tree of widgets that changes its parent is polished a second time
        self._stack = QStackedWidget(self)
        self.page = SettingsPage(store, paths, self._stack)
        self.about = AboutPage(paths, model, self._stack)
        self.tabs = QTabBar(self)
        self.tabs.setExpanding(False)
        self.hosts = HostsPage(self._stack)
        for page in (self.page, self.hosts, self.about):
            self.tabs.addTab("")
            self._stack.addWidget(page)
        self.page.hub.hosts_wanted.connect(lambda: self.open_at("hosts"))
        self.tabs.currentChanged.connect(self._stack.setCurrentIndex)
        self.close_button = QToolButton(self)
        mark(self.close_button, kind="icon")
        icons.dress(self.close_button, "x")
        self.close_button.clicked.connect(self.closed)
        self._bar = QWidget(self)
        mark(self._bar, edge="bottom")
        self._row = QHBoxLayout(self._bar)
        self._row.addWidget(self.tabs, 1, Qt.AlignmentFlag.AlignBottom)
        self._row.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._bar)
        column.addWidget(self._stack, 1)
        self._fit()
        self._translate()

    def open_at(self, place: str = "") -> None:
        """Show the settings with the focus in them, at a field of the hub's (see hub_section.FIELDS) if one
        is named, or the page "hosts" or "about"."""
        self.page.show_settings(self.page.settings, anew=True)
        pages = {"hosts": (1, self.hosts.clear), "about": (2, self.about.copy)}
        field = self.page.hub.control(place) if place else self.page.language
        index, control = pages.get(place, (0, field))
        self.tabs.setCurrentIndex(index)
        control.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if index == 0:
            self.page.bring_into_view(control)

    def set_theme(self, theme: Theme) -> None:
        """A new look, or a new zoom."""
        self._fit()
        self.page.fit()
        self.hosts.fit()
        self.about.fit()

    def _fit(self) -> None:
        self._bar.setFixedHeight(fonts.px(TAB_BAR) + 1)
        self._row.setContentsMargins(fonts.px(SPACE_24), 0, fonts.px(SPACE_8), 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def _translate(self) -> None:
        self.tabs.setTabText(0, self.tr("Settings"))
        self.tabs.setTabText(1, self.tr("Hosts contacted"))
        self.tabs.setTabText(2, self.tr("About"))
        self.page.setAccessibleName(self.tr("Settings"))
        self.about.setAccessibleName(self.tr("About"))
        close = self.tr("Back to the chat")
        self.close_button.setAccessibleName(close)
        self.close_button.setToolTip(self.tr("{what} ({key})").format(what=close, key="Esc"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "_row"):
            self._translate()
