"""Does what the button of a fix says."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Final

from PySide6.QtCore import QObject, QProcess, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication

from core.server.finding import Fix
from core.server.spec import GIB
from core.settings import SettingsStore

log = logging.getLogger(__name__)
# fields of a LaunchSpec that are settings too: what was mended stays mended, until the person sets another
_SETTINGS: Final = {
    "gpu_share": "vllm_gpu_share",
    "port": "vllm_port",
    "device": "vllm_device",
    "version": "vllm_version",
    "kv_bytes": "vllm_kv_gib",
    "speculative": "speculation",
    "drafter": "speculation",
}
# of a Mac: the program that runs the Docker of a context, where it is not Docker Desktop
_APPS: Final = {"orbstack": "OrbStack", "rancher-desktop": "Rancher Desktop"}
_ONCE: Final = frozenset({"eager"})  # for one start only


class Remedies(QObject):
    """`changes`: of the next start, beside the settings. `start_wanted`: with them. `check_wanted`: look at
    Docker again. `built_in_wanted`, `models_wanted`, `settings_wanted`, `server_wanted`: ways that lead
    elsewhere."""

    start_wanted = Signal()
    check_wanted = Signal()
    built_in_wanted = Signal()
    models_wanted = Signal()
    settings_wanted = Signal()
    server_wanted = Signal()

    def __init__(
        self,
        settings: SettingsStore,
        context: Callable[[], str],
        parent: QObject | None = None,
    ) -> None:
        """`context`: of the Docker in use."""
        super().__init__(parent)
        self._settings, self._context = settings, context
        self._changes: dict[str, tuple[object, object]] = {}  # with what the setting of it was then

    @property
    def changes(self) -> Mapping[str, object]:
        return {name: value for name, (value, then) in self._changes.items() if self._setting(name) == then}

    def _setting(self, name: str) -> object:
        return getattr(self._settings.value, _SETTINGS[name]) if name in _SETTINGS else None

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
            self._start_docker()
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
        kept = {_SETTINGS[name]: value for name, value in changes.items() if name in _SETTINGS}
        size = kept.pop("vllm_kv_gib", None)
        if isinstance(size, int) and size >= GIB and size % GIB == 0:
            kept["vllm_kv_gib"] = size // GIB
        if "speculation" in kept:
            kept["speculation"] = bool(kept["speculation"])
        self._settings.update(**kept)
        self._changes.update({name: (value, self._setting(name)) for name, value in changes.items()})

    def _start_docker(self) -> None:
        """The program that the context belongs to; starting it is the system's doing, and takes a while."""
        app = _APPS.get(self._context(), "Docker")
        if not QProcess.startDetached("open", ["-a", app])[0]:
            log.warning("%s cannot be opened", app)
        self.check_wanted.emit()
