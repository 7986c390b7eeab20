"""A part on disk: what was written is there and hashed, however it ends; a disk that fails is told."""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path

import pytest

from core.models.partial import ListedFile
from core.models.verify import Hashes
from core.worker import part_file
from core.worker.part_file import PartFile
from tests.fakes.hub.server import blob_id, sha256

BLOCKS = [os.urandom(1 + 7919 * number) for number in range(100)]
ALL = b"".join(BLOCKS)


def hashes() -> Hashes:
    return Hashes(ListedFile("x", len(ALL), blob=blob_id(ALL)))


@pytest.fixture
def syncs(monkeypatch: pytest.MonkeyPatch) -> None:
    """After each block."""
    monkeypatch.setattr(part_file, "_SYNC", 1)


def test_all_is_on_disk_and_hashed(tmp_path: Path, syncs: None) -> None:
    made = hashes()
    for half in (BLOCKS[:50], BLOCKS[50:]):  # a second one goes on
        with PartFile(tmp_path / "x.part", made) as part:
            for block in half:
                part.write(block)
    assert (tmp_path / "x.part").read_bytes() == ALL
    assert (made.sha256, made.got) == (sha256(ALL), made.expected)


def test_what_is_written_is_there_before_the_next_block(tmp_path: Path) -> None:
    with PartFile(tmp_path / "x.part", hashes()) as part:
        for number, block in enumerate(BLOCKS, 1):
            part.write(block)
            assert (tmp_path / "x.part").stat().st_size == sum(map(len, BLOCKS[:number]))


def test_what_fills_its_buffers_is_hashed_before_they_are_filled_again(tmp_path: Path) -> None:
    made, seen = hashes(), set()
    with PartFile(tmp_path / "x.part", made) as part:
        for block in BLOCKS:
            buffer = part.buffer()
            seen.add(id(buffer))
            buffer[: len(block)] = block
            part.write(memoryview(buffer)[: len(block)])
    assert made.sha256 == sha256((tmp_path / "x.part").read_bytes()) == sha256(ALL)
    assert len(seen) < len(BLOCKS) / 2


def test_after_a_break_the_hashes_are_those_of_what_is_on_disk(tmp_path: Path) -> None:
    made = hashes()
    with pytest.raises(RuntimeError), PartFile(tmp_path / "x.part", made) as part:
        for block in BLOCKS[:30]:
            part.write(block)
        raise RuntimeError
    assert made.sha256 == sha256((tmp_path / "x.part").read_bytes()) == sha256(b"".join(BLOCKS[:30]))


def test_a_sync_that_failed_is_told_at_the_end(
    tmp_path: Path, syncs: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.EIO, "the disk is broken")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="broken"), PartFile(tmp_path / "x.part", hashes()) as part:
        for block in BLOCKS:
            part.write(block)


def test_all_are_synced_and_a_failure_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / str(number) for number in range(20)]
    for path in paths:
        path.touch()
    numbers = {path.stat().st_ino for path in paths}
    synced: set[int] = set()
    monkeypatch.setattr(os, "fsync", lambda file: synced.add(os.fstat(file).st_ino))
    part_file.sync_all(paths)
    assert synced == numbers
    paths[7].unlink()
    with pytest.raises(FileNotFoundError):
        part_file.sync_all(paths)


def test_who_cancels_does_not_wait_for_a_slow_disk(
    tmp_path: Path, syncs: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, release = threading.Event(), threading.Event()

    def wait(_: int) -> None:
        begun.set()
        release.wait()

    monkeypatch.setattr(os, "fsync", wait)
    with pytest.raises(RuntimeError), PartFile(tmp_path / "x.part", hashes()) as part:
        part.write(BLOCKS[1])
        begun.wait()
        raise RuntimeError
    (thread,) = [one for one in threading.enumerate() if one.name == "sync"]
    release.set()
    thread.join()


def test_no_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "mine").write_bytes(b"mine")
    (tmp_path / "x.part").symlink_to(tmp_path / "mine")
    with pytest.raises(OSError):
        PartFile(tmp_path / "x.part", hashes())
    assert (tmp_path / "mine").read_bytes() == b"mine"
