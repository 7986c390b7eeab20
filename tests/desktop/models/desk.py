"""The picker's presenter over a bare window: real downloads, store, library and settings, a hub on loopback.

The engines alone are made up: what was asked of them is kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtWidgets import QApplication, QWidget

from core.errors import LoupeError
from core.models.download import Downloads
from core.models.hub_address import Way
from core.models.manifest import Manifest, ManifestFile, hub_folder, write_manifest
from core.models.orders import HubSettings
from core.models.room import Room
from core.paths import default_paths
from core.settings import SettingsStore
from core.tasks import TaskScope
from core.worker.client import library_worker
from desktop.kit.appearance import Appearance
from desktop.models.fitting import Engine
from desktop.models.hub_look import HubLook
from desktop.models.picker import ModelPicker
from desktop.models.presenter import ModelsPresenter
from desktop.models.values import Group, ModelDetail, State, User
from tests.fakes.hub.server import COMMIT, FILES, FakeHub

NAME = "org/name"
CONFIG = (
    b'{"model_type": "qwen3", "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 2,'
    b' "head_dim": 32, "hidden_size": 64, "max_position_embeddings": 512, "torch_dtype": "bfloat16"}'
)
WEIGHTS = (
    b"\x40\0\0\0\0\0\0\0"
    + b'{"w":{"dtype":"BF16","shape":[2000],"data_offsets":[0,4000]}}'.ljust(64)
    + b"w" * 4000
)
WHOLE = {**FILES, "config.json": CONFIG, "model.safetensors": WEIGHTS}
QUICK = HubSettings(seconds=5.0, tries=2, pause=0.01, floor=0)


@contextmanager
def serving(monkeypatch: pytest.MonkeyPatch, home: Path, **values: Any) -> Iterator[FakeHub]:
    for name in [name for name in os.environ if name.startswith("HF_") or name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HF_HOME", str(home / "hf"))
    hub = FakeHub(**{"files": WHOLE, "stored": ("model.safetensors",), **values})
    with hub.serve():
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        yield hub


class MadeUpEngines:
    """`asked`: what was chosen and started."""

    def __init__(self) -> None:
        self.engine: Engine = "local"
        self.running = ""
        self.asked: list[tuple[str, ...]] = []

    def user_of(self, folder: str) -> User:
        if not folder or folder != self.running:
            return ""
        return "local" if self.engine == "local" else "server"

    async def room(self) -> Room | None:
        return None if self.engine == "local" else Room(device="cpu", memory=16 << 30, free=16 << 30)

    def choose(self, model: str) -> None:
        self.asked.append(("choose", model))

    def start(self, model: str, engine: Engine) -> None:
        self.asked.append(("start", model, engine))


class _Eyes(QObject):
    """Sees that something is drawn anew, comes or goes."""

    _CHANGES = frozenset(
        {
            QEvent.Type.UpdateRequest,
            QEvent.Type.LayoutRequest,
            QEvent.Type.ChildAdded,
            QEvent.Type.ChildRemoved,
            QEvent.Type.DeferredDelete,
            QEvent.Type.ShowToParent,
            QEvent.Type.HideToParent,
        }
    )

    def __init__(self, parent: QObject, moved: asyncio.Event) -> None:
        super().__init__(parent)
        self._moved = moved

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in self._CHANGES:
            self._moved.set()
        return False


class Desk:
    """`told`: errors that reached the window, `reports`: what was to be reported."""

    def __init__(self, window: QWidget) -> None:
        self.paths, self.window = default_paths(), window
        self.settings = SettingsStore(self.paths.settings)
        self.library, self.scope, self.engines = library_worker(), TaskScope(), MadeUpEngines()
        self.token, self.offline = "", False
        self.downloads = Downloads(self.paths, settings=lambda: QUICK, token=self._token)
        self.asked: list[str] = []
        self.hub = HubLook(self.library, self.scope, self._way, lambda _, why: self.asked.append(why))
        self.told: list[LoupeError] = []
        self.reports: list[tuple[str, str]] = []
        instance = QApplication.instance()
        assert isinstance(instance, QApplication)
        self.presenter = ModelsPresenter(
            window,
            Appearance(instance),
            self.downloads,
            self.hub,
            self.engines,
            self.settings,
            self.scope,
            self.paths,
            lambda model: f"https://hub.example/{model}",
        )
        self.presenter.failed.connect(self.told.append)
        self.presenter.report_wanted.connect(lambda *one: self.reports.append(one))
        self._moved = asyncio.Event()
        for signal in (self.presenter.failed, self.presenter.report_wanted):
            signal.connect(self._moved.set)
        for event in (self.downloads.changed, self.hub.changed, self.settings.changed):
            event.connect(lambda _: self._moved.set())
        self._eyes = _Eyes(window, self._moved)
        instance.installEventFilter(self._eyes)

    async def _token(self) -> str:
        return self.token

    async def _way(self) -> Way:
        return Way(self.token, offline=self.offline)

    @property
    def picker(self) -> ModelPicker:
        assert self.presenter.picker is not None
        return self.presenter.picker

    @property
    def detail(self) -> ModelDetail:
        found = self.picker.detail.detail
        assert found is not None
        return found

    def rows(self, group: Group | None = None) -> list[str]:
        """Keys in the list, from the top."""
        listed = self.picker.list.rows
        found = [listed.at(listed.index(at)) for at in range(listed.rowCount())]
        return [row.key for row in found if row is not None and group in (None, row.group)]

    def press(self, what: str) -> None:
        button = self.picker.detail.buttons.buttons[what]
        assert button.isVisibleTo(self.picker.detail) and button.isEnabled(), what
        button.click()

    async def until(self, ready: Callable[[], object]) -> None:
        """Looked at again whenever something has changed that can be seen or heard of."""
        while not ready():
            self._moved.clear()
            await self._moved.wait()

    async def open(self) -> None:
        self.presenter.open(QPoint(50, 50))
        await self.until(self.rows)

    async def search(self, words: str) -> None:
        """As if typed, with Enter; until the hub has answered."""
        self.picker.search.setText(words)
        self.picker.side.entered.emit()
        await self.until(lambda: self.hub.words == words and not self.hub.busy)

    async def select(self, key: str, *states: State) -> ModelDetail:
        await self.until(lambda: self.picker.list.row(key) is not None)
        self.picker.select(key)
        await self.until(lambda: (one := self.picker.detail.detail) is not None and one.key == key)
        return await self.state(*states) if states else self.detail

    async def state(self, *states: State) -> ModelDetail:
        """Of the selected model."""
        await self.until(lambda: (one := self.picker.detail.detail) is not None and one.state in states)
        return self.detail

    async def fetched(self, key: str = NAME) -> ModelDetail:
        """It is searched, got and ready."""
        await self.search(key)
        await self.select(key)
        self.press("get")
        ready = await self.state(State.READY)
        await self.until(lambda: self.detail.frees)
        return ready


Visit = Callable[[Desk], Awaitable[None]]
Run = Callable[[Visit], None]


@asynccontextmanager
async def desk(window: QWidget) -> AsyncIterator[Desk]:
    made = Desk(window)
    lines: list[str] = []
    made.library.lines.connect(lines.append)
    try:
        yield made
    finally:
        await made.downloads.close()
        await made.scope.close()
        await made.library.close()
        assert not [line for line in lines if "Traceback" in line], lines


def lay(repo: str, commit: str = COMMIT) -> Path:
    """It is on this computer, whole."""
    folder = place(commit, repo)
    folder.mkdir(parents=True)
    listed = []
    for name, content in WHOLE.items():
        if not name.endswith((".py", ".md")):
            (folder / name).write_bytes(content)
            listed.append(ManifestFile(name, len(content), hashlib.sha256(content).hexdigest()))
    write_manifest(folder, Manifest(commit, tuple(listed), repo=repo))
    return folder


def place(commit: str = COMMIT, name: str = NAME) -> Path:
    return default_paths().models / hub_folder(name, commit)
