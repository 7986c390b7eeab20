"""A model's own code, weights that can hide some: what the sheets say, what consent does and does not."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from core.models.download import Downloads
from core.models.hub_address import Way
from core.models.manifest import hub_folder
from core.models.orders import DownloadState, HubSettings
from core.models.search import HubModel
from core.models.store import OnDisk, Store
from core.paths import default_paths
from core.settings import SettingsStore
from core.tasks import TaskScope
from core.worker.client import library_worker
from desktop.models.deeds import Deeds
from desktop.models.details import Looked, detail_of
from desktop.models.hub_look import HubLook
from desktop.models.refusals import CodeSheet, Refusals, WeightsSheet
from desktop.models.shelf import Entry, entries, row_of
from desktop.models.values import Badge, State
from tests.fakes.hub.server import COMMIT, FILES, FakeHub

CONFIG = {"model_type": "own", "auto_map": {"AutoModel": "modeling_own.Model"}}
CODE = HubModel(
    "org/own",
    COMMIT,
    "own",
    (),
    "",
    "remote_code",
    files=(("config.json", 90), ("model.safetensors", 9), ("modeling_own.py", 1_500), ("sub/tools.py", 16)),
    code=(("modeling_own.py", 1_500), ("sub/tools.py", 16)),
    config=CONFIG,
    whole=True,
)


def said(sheet: QWidget) -> str:
    return " ".join(label.text() for label in sheet.findChildren(QLabel))


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[QWidget]:
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    yield made


def test_the_sheet_about_code_names_model_commit_and_every_file(window: QWidget) -> None:
    sheet = CodeSheet(window, CODE, "https://hub.example/org/own")
    sheet.open()
    text = said(sheet)
    assert "org/own brings program code of its own" in text and COMMIT in text
    assert "runs no model's code" in text and "for this commit alone" in text
    assert sheet.files.toPlainText() == "modeling_own.py  2 kB\nsub/tools.py  1 kB"
    assert f"https://hub.example/org/own/tree/{COMMIT}" in sheet.read.toolTip()
    for one in (sheet.files, sheet.read, sheet.trust, sheet.refuse):
        assert one.accessibleName() or one.text(), one


def test_enter_and_escape_do_not_agree(window: QWidget) -> None:
    heard: list[bool] = []
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
        sheet = CodeSheet(window, CODE, "https://hub.example/org/own")
        sheet.agreed.connect(lambda: heard.append(True))
        sheet.open()
        assert sheet.refuse.isDefault()
        QTest.keyClick(sheet, key)
        assert sheet.isHidden()
    assert heard == []
    sheet = CodeSheet(window, CODE, "https://hub.example/org/own")
    sheet.agreed.connect(lambda: heard.append(True))
    sheet.open()
    sheet.trust.click()
    assert heard == [True] and sheet.isHidden()


def test_weights_that_can_hide_code_have_no_consent_but_ways_out(window: QWidget, qtbot: QtBot) -> None:
    files = (("config.json", 90), ("pytorch_model.bin", 9), ("model.gguf", 9))
    model = HubModel(
        "org/<b>old",
        COMMIT,
        "llama",
        (),
        "",
        "no_weights",
        files=files,
        unsafe=("pytorch_model.bin", "model.gguf"),
        whole=True,
    )
    sheet = WeightsSheet(window, model)
    sheet.open()
    text = said(sheet)
    assert "org/<b>old has no weights as safetensors" in text and "no consent changes that" in text
    assert sheet.files.toPlainText() == "pytorch_model.bin\nmodel.gguf"
    with qtbot.waitSignal(sheet.others):
        sheet.search.click()
    with qtbot.waitSignal(WeightsSheet(window, model).report):
        window.findChildren(WeightsSheet)[-1].report_button.click()
    for label in sheet.findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText


# --- with a hub -------------------------------------------------------------------------------------------


class Desk:
    """A real download process and a real library process, before a hub on loopback."""

    def __init__(self, window: QWidget) -> None:
        paths = default_paths()
        self.library, self.scope = library_worker(), TaskScope()
        quick = HubSettings(seconds=5.0, tries=2, pause=0.01, floor=0)
        self.downloads = Downloads(paths, settings=lambda: quick)
        self.hub = HubLook(self.library, self.scope, self._way, lambda *_: None)
        self.deeds = Deeds(window, self.downloads, SettingsStore(paths.settings), paths, lambda: "")
        self.found: list[str] = []
        self.reported: list[tuple[str, str]] = []
        self.window = window
        self.refusals = Refusals(
            window,
            self.hub,
            self.downloads,
            lambda model: f"https://hub.example/{model}",
            find=self.found.append,
            report=lambda *one: self.reported.append(one),
            spawn=lambda work: self.scope.spawn(work(), name="refusal"),
        )

    async def _way(self) -> Way:
        return Way()

    def entry(self, key: str = "org/name") -> Entry:
        stored = Store(default_paths()).rows()
        return entries(stored, self.downloads.states, (), self.hub.looked, "")[key]

    async def until(self, *phases: str) -> DownloadState:
        found: asyncio.Future[DownloadState] = asyncio.get_running_loop().create_future()

        def look(states: tuple[DownloadState, ...]) -> None:
            for state in states:
                if state.phase in phases and not found.done():
                    found.set_result(state)

        ended = self.downloads.changed.connect(look)
        look(self.downloads.states)
        try:
            return await found
        finally:
            ended()

    async def explain(self) -> None:
        self.refusals.explain(self.entry())
        await asyncio.gather(*self.scope._tasks)

    async def close(self) -> None:
        await self.scope.close()
        await self.downloads.close()
        await self.library.close()


Story = Callable[[Desk], Coroutine[Any, Any, None]]


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[FakeHub]:
    for name in [name for name in os.environ if name.startswith("HF_") or name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HF_HOME", str(home / "hf"))
    with FakeHub(files={**FILES, "config.json": json.dumps(CONFIG).encode()}).serve() as made:
        monkeypatch.setenv("HF_ENDPOINT", made.address)
        yield made


@pytest.fixture
def told(run_qt: Callable[..., Any], window: QWidget) -> Callable[[Story], None]:
    def run(story: Story) -> None:
        async def body() -> None:
            desk = Desk(window)
            try:
                await story(desk)
            finally:
                await desk.close()

        run_qt(body(), timeout=60)

    return run


def test_consent_fetches_one_commit_with_its_code_and_is_asked_for_anew_at_another(
    hub: FakeHub, told: Callable[[Story], None], window: QWidget
) -> None:
    other = "b" * 40
    hub.older[other] = dict(hub.files)

    async def story(desk: Desk) -> None:
        desk.downloads.start("org/name")
        assert (await desk.until("failed")).error.code == "hub.code"  # type: ignore[union-attr]
        assert hub.served["modeling_own.py"] == 0
        await desk.explain()
        (sheet,) = window.findChildren(CodeSheet)
        assert sheet.files.toPlainText() == "modeling_own.py  1 kB" and COMMIT in said(sheet)
        sheet.trust.click()
        state = await desk.until("ready")
        assert (Path(state.folder) / "modeling_own.py").read_bytes() == FILES["modeling_own.py"]
        desk.downloads.start("org/name", other)
        state = await desk.until("failed")
        assert state.error is not None and (state.error.code, state.commit) == ("hub.code", other)

    told(story)


def test_not_fetching_asks_the_hub_for_no_code(
    hub: FakeHub, told: Callable[[Story], None], window: QWidget
) -> None:
    async def story(desk: Desk) -> None:
        desk.downloads.start("org/name")
        await desk.until("failed")
        await desk.explain()
        (sheet,) = window.findChildren(CodeSheet)
        sheet.refuse.click()
        assert [state.phase for state in desk.downloads.states] == ["failed"]

    told(story)
    assert hub.served["modeling_own.py"] == 0 and hub.served["model.safetensors"] == 0


def test_what_was_fetched_by_consent_is_no_model_to_start_and_can_be_repaired(
    hub: FakeHub, told: Callable[[Story], None]
) -> None:
    async def story(desk: Desk) -> None:
        desk.downloads.start("org/name", COMMIT, consent=COMMIT)
        await desk.until("ready")
        desk.downloads.forget("org/name")
        entry = desk.entry()
        assert entry.stored is not None and entry.stored.code
        assert row_of(entry, None, 0.0, "").badge is Badge.UNSUPPORTED
        detail = detail_of(entry, Looked(), None, page="", use=False, start_after=False)
        assert detail.state is State.READY and "program code of its own" in detail.why
        weights = default_paths().models / hub_folder("org/name", COMMIT) / "model.safetensors"
        weights.unlink()
        entry = desk.entry()
        assert entry.state is State.DAMAGED
        await desk.deeds.get(entry)  # consent was given for this commit
        await desk.until("ready")

    told(story)
    assert hub.served["modeling_own.py"] == len(FILES["modeling_own.py"])
    (row,) = (row for row in Store(default_paths()).rows() if row.id == "org/name")
    assert (row.state, row.code) == (OnDisk.READY, True)


def test_pickled_weights_lead_to_another_model_or_a_report(
    hub: FakeHub, told: Callable[[Story], None], window: QWidget
) -> None:
    hub.files = {**hub.files, "config.json": b'{"model_type": "llama"}', "pytorch_model.bin": b"pickle"}
    del hub.files["model.safetensors"]

    async def story(desk: Desk) -> None:
        desk.downloads.start("org/name", consent=COMMIT)
        assert (await desk.until("failed")).error.code == "hub.no_safetensors"  # type: ignore[union-attr]
        await desk.explain()
        (sheet,) = window.findChildren(WeightsSheet)
        sheet.search.click()
        assert desk.found == ["name"]
        await desk.explain()
        window.findChildren(WeightsSheet)[-1].report_button.click()
        assert desk.reported == [("org/name", "llama")]

    told(story)
    assert hub.served["pytorch_model.bin"] == 0


def test_a_kind_that_is_not_known_is_reported_without_asking_the_hub(
    hub: FakeHub, told: Callable[[Story], None]
) -> None:
    async def story(desk: Desk) -> None:
        known = HubModel("org/odd", COMMIT, "odd", (), "", "family", files=CODE.files, whole=True)
        desk.refusals.explain(Entry("org/odd", "org/odd", hub=known))
        await asyncio.gather(*desk.scope._tasks)
        assert desk.reported == [("org/odd", "odd")]

    told(story)
    assert hub.calls == []
