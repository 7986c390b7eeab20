"""A damaged byte is found, named, and mended by fetching that file alone; reading never writes."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from core.models.manifest import NAME as MANIFEST
from core.models.manifest import (
    Manifest,
    ManifestFile,
    is_ready,
    put_in_place,
    read_manifest,
    write_manifest,
)
from core.models.store import OnDisk, Store
from core.models.verify import damaged, links_out
from core.paths import default_paths
from core.worker.download_values import Verified
from tests.core.models.downloading import (
    ALL,
    QUICK,
    downloads,
    nothing_else,
    place,
    pull,
    run,
    until,
    weights,
    whole,
)
from tests.fakes.hub.server import COMMIT, FakeHub, Fault


def verified(folder: Path) -> Verified:
    async def work() -> Verified:
        async with downloads() as made:
            return await made.verify(folder)  # type: ignore[no-any-return]

    return run(work)  # type: ignore[no-any-return]


def spoil(path: Path, at: int = 1000) -> None:
    """One bit; the size stays."""
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)


def test_a_wrong_byte_is_named_and_only_that_file_is_fetched(hub: FakeHub) -> None:
    pull()
    assert verified(place()).damaged == ()
    spoil(place() / "model.safetensors")
    assert is_ready(place())  # by its size
    assert verified(place()).damaged == ("model.safetensors",)
    row = Store(default_paths()).rows()[1]
    assert (row.state, row.damaged) == (OnDisk.DAMAGED, ("model.safetensors",))
    hub.requests.clear()
    assert pull(COMMIT).phase == "ready"
    assert dict(hub.served) == {"model.safetensors": len(hub.files["model.safetensors"])}
    whole(place(), {name: hub.files[name] for name in ALL})
    nothing_else(place())
    assert Store(default_paths()).rows()[1].state is OnDisk.READY


def test_a_file_that_is_gone_is_fetched_again(hub: FakeHub) -> None:
    pull()
    (place() / "tokenizer.json").unlink()
    hub.requests.clear()
    assert pull(COMMIT).phase == "ready"
    assert set(hub.served) == {"tokenizer.json"}
    whole(place(), {name: hub.files[name] for name in ALL})


def test_a_repair_without_the_hub_loses_nothing(hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    pull()
    (place() / "tokenizer.json").unlink()
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert pull(COMMIT).phase == "failed"
    assert (place() / "model.safetensors").is_file()


def test_what_a_check_found_wrong_and_is_right_again_is_ready(hub: FakeHub) -> None:
    pull()
    spoil(place() / "model.safetensors")
    assert verified(place()).damaged
    spoil(place() / "model.safetensors")
    assert not verified(place()).damaged
    assert is_ready(place())


def test_h13_a_folder_that_only_can_be_read_is_checked_without_writing(hub: FakeHub) -> None:
    pull()
    for path in (*place().iterdir(), place()):
        path.chmod(path.stat().st_mode & ~0o222)
    before = {path.name: path.stat().st_mtime_ns for path in (*place().iterdir(), place())}
    assert verified(place()).damaged == ()
    assert {path.name: path.stat().st_mtime_ns for path in (*place().iterdir(), place())} == before
    place().chmod(0o755)


def test_h16_links_out_of_the_folder_are_named(hub: FakeHub, home: Path) -> None:
    pull()
    (home / "elsewhere").write_bytes(b"x")
    (place() / "outside").symlink_to(home / "elsewhere")
    (place() / "inside").symlink_to("config.json")
    assert verified(place()).links == ("outside",) == links_out(place())


def test_a_link_in_the_place_of_a_file_is_not_the_file(hub: FakeHub, home: Path) -> None:
    pull()
    (place() / "model.safetensors").rename(home / "weights")
    (place() / "model.safetensors").symlink_to(home / "weights")
    assert verified(place()).damaged == ("model.safetensors",)


def test_the_check_can_be_ended(hub: FakeHub) -> None:
    pull()

    class Ended(Exception):
        pass

    def end(_: int) -> None:
        raise Ended

    manifest = read_manifest(place())
    assert manifest is not None
    with pytest.raises(Ended):
        damaged(place(), manifest, end)


def _mounted(folder: Path, size: str) -> bool:
    if sys.platform != "linux" or os.geteuid() != 0:
        return False
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], capture_output=True
    )
    return done.returncode == 0


def test_h05_a_disk_that_fills_up_keeps_what_is_there(
    hub: FakeHub, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = home / "disk"
    disk.mkdir()
    if not _mounted(disk, "2m"):
        pytest.skip("no small file system can be mounted here")
    try:
        monkeypatch.setenv("TOKENLOUPE_MODELS", str(disk / "models"))
        (disk / "other").write_bytes(b"x" * 1_000_000)
        error = pull(settings=msgspec.structs.replace(QUICK, floor=10_000_000)).error
        assert error is not None and error.code == "hub.room" and not hub.served
        # all of it would fit by now, but another program fills the disk meanwhile
        (disk / "other").unlink()
        hub.faults = [Fault("stall", "model.safetensors", 200_000)]

        async def work() -> str:
            async with downloads() as made:
                made.start("org/name", COMMIT)
                await weights(200_000)
                with (disk / "other").open("wb") as file, contextlib.suppress(OSError):
                    file.write(b"x" * 2_000_000)
                hub.release.set()
                state = await until(made, "failed", "ready")
                assert state.error is not None, state
                return state.error.code

        assert run(work) == "hub.room"  # with its figures
        row = next(row for row in Store(default_paths()).rows() if row.id == "org/name")
        assert row.state is OnDisk.PARTIAL and row.done > 0
        (disk / "other").unlink()
        assert pull(COMMIT).phase == "ready"
        whole(place(), {name: hub.files[name] for name in ALL})
        starts = [one.start for one in hub.requests if one.file == "model.safetensors" and one.sent]
        assert starts[0] == 0 and starts[-1] >= 200_000
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def test_small_files_of_a_damaged_model_are_mended_without_its_weights_being_lost(home: Path) -> None:
    folder, partial = home / "org--name", home / "made"
    for path in (folder, partial):
        path.mkdir()
    (folder / "model.safetensors").write_bytes(b"gigabytes")
    write_manifest(folder, Manifest(COMMIT, (ManifestFile("config.json", 2, "0" * 64),), "org/name"))
    for name in ("config.json", "tokenizer.json"):
        (partial / name).write_bytes(b"{}")
    put_in_place(partial, folder)
    assert sorted(path.name for path in folder.iterdir()) == [
        "config.json",
        "model.safetensors",
        "tokenizer.json",
        MANIFEST,
    ]
