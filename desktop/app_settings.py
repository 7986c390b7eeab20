"""Composes the settings when they are first wanted, not at the start: the packages' metadata take 15 ms."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from core.errors import LoupeError
from core.keys import Keys
from core.models.catalog import built_in
from core.models.ledger import Ledger
from core.observe import Event
from core.paths import Paths
from core.settings import SettingsStore
from core.tasks import TaskScope
from desktop.kit.appearance import Appearance
from desktop.window.main_window import MainWindow

if TYPE_CHECKING:
    from desktop.settings.view import SettingsView


class SettingsParts:
    """`open` and `close`; `view` is None until then. `token_changed`: the hub is asked with another token."""

    def __init__(
        self,
        window: MainWindow,
        appearance: Appearance,
        settings: SettingsStore,
        keys: Keys,
        ledger: Ledger,
        scope: TaskScope,
        paths: Paths,
        made: Callable[[SettingsView], None],
    ) -> None:
        """`made`: told once, to connect what else is shown there."""
        self._window, self._appearance, self._settings = window, appearance, settings
        self._keys, self._ledger, self._scope, self._paths = keys, ledger, scope, paths
        self._made = made
        self.view: SettingsView | None = None
        self.token_changed: Event[None] = Event()

    def open(self, place: str = "") -> None:
        """At a field of the hub's, or the page "hosts" or "about"."""
        view = self.view = self.view or self._make()
        self._window.show_page(view)
        view.open_at(place)

    def close(self) -> bool:
        return self._window.leave_page()

    def _make(self) -> SettingsView:
        from desktop.settings.hub_presenter import HubPresenter
        from desktop.settings.presenter import AboutPresenter
        from desktop.settings.view import SettingsView

        errors = self._window.centre.errors
        view = SettingsView(self._settings, self._paths, built_in(), self._window.pages)
        view.closed.connect(self.close)
        view.page.failed.connect(errors.show_error)
        view.page.folder_failed.connect(
            lambda folder: errors.show_error(LoupeError("settings.no_folder", folder=folder))
        )
        self._appearance.changed.connect(view.set_theme)
        AboutPresenter(view.about, self._scope)
        hub = HubPresenter(view, self._settings, self._keys, self._ledger, self._scope)
        hub.failed.connect(errors.show_error)
        hub.token_changed.connect(lambda: self.token_changed.emit(None))
        self._made(view)
        return view
