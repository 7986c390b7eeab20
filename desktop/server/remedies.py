"""Does what the button of a fix says."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication

from core.errors import LoupeError
from core.server.finding import Fix
from core.server.spec import GIB
from core.settings import SettingsStore
from core.tasks import TaskScope

log = logging.getLogger(__name__)
# fields of a LaunchSpec that are settings too: what was mended stays mended
_KEPT: Final = {
    "gpu_share": "vllm_gpu_share",
    "port": "vllm_port",
    "device": "vllm_device",
    "version": "vllm_version",
}
_ONCE: Final = frozenset({"eager"})  # for one start only


class Remedies(QObject):
    """`changes`: of the next start, beside the settings. `start_wanted`: with them. `check_wanted`: look at
    Docker again. `built_in_wanted`, `models_wanted`, `settings_wanted`, `server_wanted`: ways that lead
    elsewhere. `failed`: a LoupeError."""

    start_wanted = Signal()
    check_wanted = Signal()
    built_in_wanted = Signal()
    models_wanted = Signal()
    settings_wanted = Signal()
    server_wanted = Signal()
    failed = Signal(object)

    def __init__(
        self,
        settings: SettingsStore,
        scope: TaskScope,
        start_docker: Callable[[], Awaitable[None]],
        parent: QObject | None = None,
    ) -> None:
        """`start_docker`: raises LoupeError."""
        super().__init__(parent)
        self._settings, self._scope, self._start_docker = settings, scope, start_docker
        self._changes: dict[str, object] = {}

    @property
    def changes(self) -> Mapping[str, object]:
        return self._changes

    def forget(self) -> None:
        """Another model or device: what was mended for the one before says nothing."""
        self._changes.clear()

    def started(self) -> None:
        """The start with the changes has begun."""
        for name in _ONCE:
            self._changes.pop(name, None)

    def do(self, fix: Fix) -> None:
        if fix.action == "start":
            self._change(fix.changes)
            self.start_wanted.emit()
        elif fix.action == "start_docker":
            try:
                self._scope.spawn(self._begin_docker(), name="start Docker")
            except RuntimeError:  # the program is quitting
                return
        elif fix.action == "open":
            QDesktopServices.openUrl(QUrl(fix.url, QUrl.ParsingMode.StrictMode))
        elif fix.action == "copy":
            QGuiApplication.clipboard().setText(str(fix.params.get("command", "")))
        else:
            {
                "check": self.check_wanted,
                "settings": self.settings_wanted,
                "models": self.models_wanted,
                "built_in": self.built_in_wanted,
                "server": self.server_wanted,
            }[fix.action].emit()

    def _change(self, changes: Mapping[str, object]) -> None:
        kept = {_KEPT[name]: value for name, value in changes.items() if name in _KEPT}
        size = changes.get("kv_bytes")
        if isinstance(size, int) and size >= GIB and size % GIB == 0:
            kept["vllm_kv_gib"] = size // GIB
        self._settings.update(**kept)
        self._changes.update(changes)

    async def _begin_docker(self) -> None:
        try:
            await self._start_docker()
        except LoupeError as error:
            log.warning("Docker cannot be started: %s", error)
            self.failed.emit(error)
        self.check_wanted.emit()
