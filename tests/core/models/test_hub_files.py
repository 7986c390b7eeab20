"""Files from the hub: only the small ones, complete or not at all, and each failure in its own words."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.errors import LoupeError, ModelError
from core.models.hub_address import Way
from core.models.hub_files import fetch_tokenizer
from core.models.manifest import damaged_files, read_manifest
from core.worker import protocol
from core.worker.client import library_worker
from tests.fakes.hub.server import COMMIT, FILES, FakeHub, Fault

SMALL = {name for name in FILES if name.endswith((".json", ".jinja"))}
HUGE = {**FILES, "config.json": b"x" * 9_000_000}
TOKEN = "hf_not_for_the_store_0123456789"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[FakeHub]:
    for name in [name for name in os.environ if name.startswith("HF_") or name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HF_HOME", str(home / "hf"))  # no token of the person's own
    with FakeHub().serve() as served:
        monkeypatch.setenv("HF_ENDPOINT", served.address)
        yield served


@pytest.fixture
def into(home: Path) -> Path:
    return home / "files"


def fetch(
    into: Path,
    repo: str = "org/name",
    revision: str = "",
    token: str = "",
    told: Callable[[int, int], None] = lambda *_: None,
) -> Path:
    async def main() -> Path:
        library = library_worker()
        lines: list[str] = []
        library.lines.connect(lines.append)
        try:
            fetched = fetch_tokenizer(library, repo, revision, into, told, Way(token))
            return await asyncio.wait_for(fetched, 60)
        finally:
            await library.close()
            assert not [line for line in lines if "Traceback" in line or (token and token in line)], lines

    return asyncio.run(main())


def failure(into: Path, repo: str = "org/name", revision: str = "") -> LoupeError:
    with pytest.raises(ModelError) as failed:
        fetch(into, repo, revision)
    assert left(into) == []
    return failed.value


def left(into: Path) -> list[str]:
    return sorted(path.name for path in into.iterdir()) if into.exists() else []


def test_the_small_files_and_nothing_else(hub: FakeHub, into: Path) -> None:
    steps: list[tuple[int, int]] = []
    folder = fetch(into, told=lambda done, total: steps.append((done, total)))
    assert folder == into / f"org--name@{COMMIT}"
    assert left(into) == [folder.name]
    assert {path.name for path in folder.iterdir()} == SMALL | {"tokenloupe-manifest.json"}
    assert hub.fetched == SMALL
    manifest = read_manifest(folder)
    assert manifest is not None and (manifest.repo, manifest.revision) == ("org/name", COMMIT)
    assert damaged_files(folder, manifest, content=True) == []
    total = sum(len(FILES[name]) for name in SMALL)
    assert steps[0] == (0, total) and steps[-1] == (total, total) and steps == sorted(steps)


def test_progress_is_told_in_steps_and_not_by_the_packet(hub: FakeHub, into: Path) -> None:
    hub.files["tokenizer.json"] = b"x" * 40_000_000  # hundreds of reads
    steps: list[tuple[int, int]] = []
    fetch(into, told=lambda done, total: steps.append((done, total)))
    assert 50 < len(steps) < 150


def test_a_commit_that_is_there_needs_no_hub(hub: FakeHub, into: Path) -> None:
    folder = fetch(into)
    hub.calls.clear()
    assert fetch(into, revision=COMMIT) == folder
    assert hub.calls == []


def test_without_the_hub_the_default_branch_is_what_was_fetched_last(
    hub: FakeHub, into: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = fetch(into)
    hub.commit = "f" * 40
    second = fetch(into)
    os.utime(first, (1, 1))
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert fetch(into) == second
    with pytest.raises(ModelError) as failed:
        fetch(into, revision="main")
    assert failed.value.code == "hub.offline"


def test_a_damaged_folder_is_fetched_anew(hub: FakeHub, into: Path) -> None:
    folder = fetch(into, revision=COMMIT)
    (folder / "tokenizer.json").write_bytes(b"cut")
    assert fetch(into, revision=COMMIT) == folder
    assert (folder / "tokenizer.json").read_bytes() == FILES["tokenizer.json"]
    assert left(into) == [folder.name]


def test_a_token_goes_to_the_hub_and_no_further(hub: FakeHub, into: Path) -> None:
    hub.gated, hub.token, hub.redirect = True, TOKEN, True
    fetch(into, token=TOKEN)
    seen = {("/store/" in path, key) for _, path, key in hub.calls}
    assert seen == {(False, f"Bearer {TOKEN}"), (True, "")}


def test_what_login_saved_goes_to_no_mirror(hub: FakeHub, into: Path, home: Path) -> None:
    (home / "hf").mkdir()
    (home / "hf" / "token").write_text(TOKEN)
    fetch(into)
    assert {key for _, _, key in hub.calls} == {""}


def asked(into: Path, way: Way) -> list[str]:
    """The hosts that are told, in their order, until it is here or fails."""
    told: list[str] = []

    async def main() -> None:
        library = library_worker()
        with contextlib.suppress(ModelError):
            await fetch_tokenizer(
                library, "org/name", "", into, lambda *_: None, way, lambda host, _: told.append(host)
            )
        await library.close()

    asyncio.run(asyncio.wait_for(main(), 60))
    return told


def sent_on(hub: FakeHub, host: str) -> Fault:
    url = f"http://{host}:{hub.port}/api/models/org/name?blobs=true"
    return Fault("status", "api", status=307, headers={"Location": url})


def test_each_host_that_is_sent_on_to_is_told_and_gets_no_token(hub: FakeHub, into: Path) -> None:
    hub.faults.append(sent_on(hub, "localhost"))
    assert asked(into, Way(TOKEN)) == ["127.0.0.1", "localhost"]
    assert [key for _, path, key in hub.calls if path.startswith("/api/")] == [f"Bearer {TOKEN}", ""]
    assert len(left(into)) == 1
    hub.redirect = True  # the files, too, lie elsewhere
    hub.commit = "f" * 40
    assert asked(into, Way()) == ["127.0.0.1", "localhost"]


def test_the_offline_switch_holds_for_where_one_is_sent_on_to(hub: FakeHub, into: Path) -> None:
    hub.faults.append(sent_on(hub, "hub.example"))
    assert asked(into, Way(offline=True)) == ["127.0.0.1"]
    assert left(into) == []


def test_telemetry_is_off(hub: FakeHub, into: Path) -> None:
    fetch(into)
    assert hub.agents and not [agent for agent in hub.agents if "torch" in agent]


@pytest.mark.parametrize(
    ("setting", "code"),
    [
        ({"gated": True}, "hub.no_token"),
        ({"repo": "org/other"}, "hub.no_repo"),
        ({"kind": "dataset"}, "hub.not_model"),
        ({"kind": "space"}, "hub.not_model"),
        ({"status": 403}, "hub.no_token"),
        ({"status": 500}, "hub.server"),
        ({"page": b"<html>Welcome to our hotel</html>"}, "hub.failed"),
        ({"page": b"[]"}, "hub.failed"),
        ({"commit": "../../somewhere"}, "hub.failed"),
        ({"files": {"config.json": b"{}", "model.gguf": b""}}, "hub.files_missing"),
        ({"files": {"tokenizer.json": b"{}"}}, "hub.files_missing"),
        ({"files": {"../config.json": b"{}", "../../tokenizer.json": b"{}"}}, "hub.path"),
        ({"files": {**FILES, **{f"{n}.txt": b"" for n in range(10_000)}}}, "hub.too_long"),
        ({"page": b" " * 8_000_001}, "hub.too_long"),
        ({"listed": {"config.json": {"size": 9_000_000}}}, "hub.too_large"),
        ({"files": HUGE, "listed": {"config.json": {"size": 9}}}, "hub.mismatch"),
        ({"listed": {"config.json": {"size": 5}}}, "hub.mismatch"),
        ({"listed": {"config.json": {"blobId": "1" * 40}}}, "hub.mismatch"),
        ({"faults": [Fault("cut", "config.json", times=9)]}, "hub.offline"),
    ],
)  # fmt: skip
def test_each_failure_has_its_code_and_leaves_nothing(
    hub: FakeHub, into: Path, setting: dict[str, object], code: str
) -> None:
    for name, value in setting.items():
        setattr(hub, name, value)
    assert failure(into).code == code


def test_a_connection_that_breaks_is_tried_again(hub: FakeHub, into: Path) -> None:
    hub.cut = 2
    folder = fetch(into)
    assert (folder / "tokenizer.json").read_bytes() == FILES["tokenizer.json"]


def test_a_revision_that_is_not_there(hub: FakeHub, into: Path) -> None:
    assert failure(into, revision="v2").params == {"repo": "org/name", "revision": "v2"}


@pytest.mark.parametrize("repo", ["", "a b", "../x", "a/b/c", "a/..", "/etc", "a--b/c", "org/", "http://x/y"])
def test_a_name_that_is_none_is_never_asked_for(hub: FakeHub, into: Path, repo: str) -> None:
    assert failure(into, repo).code == "hub.name"
    assert hub.calls == []


def test_offline_is_said(hub: FakeHub, into: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert failure(into).code == "hub.offline"
    monkeypatch.setenv("HF_ENDPOINT", hub.address)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert failure(into).code == "hub.offline"
    assert hub.calls == []


def test_proxies_are_used_and_named_when_they_fail(
    hub: FakeHub, into: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://hub.example.invalid")
    monkeypatch.setenv("HTTP_PROXY", hub.address)
    fetch(into)  # the fake takes whole addresses as a proxy does
    assert hub.fetched == SMALL


@pytest.mark.parametrize("number", [errno.EACCES, errno.ENOSPC])
def test_a_folder_that_cannot_be_made(
    hub: FakeHub, into: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(self: Path, *_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "mkdir", refuse)
    assert failure(into).code == ("model.disk_full" if number == errno.ENOSPC else "hub.failed")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_said(hub: FakeHub, into: Path) -> None:
    partial = into / "partial"
    partial.mkdir(parents=True)
    (partial / "tokenloupe-manifest.json.part").symlink_to("/dev/full")

    async def main() -> None:
        library = library_worker()
        with pytest.raises(ModelError) as failed:
            await library.ask(
                lambda job: protocol.FetchFiles(job, "org/name", "", str(into), str(partial), ""),
                protocol.Fetched,
            )
        await library.close()
        assert failed.value.code == "model.disk_full"
        assert left(into) == []

    asyncio.run(asyncio.wait_for(main(), 60))


def test_cancelled_in_mid_file_leaves_nothing(hub: FakeHub, into: Path) -> None:
    hub.hold = True

    async def main() -> None:
        library = library_worker()
        fetching = asyncio.ensure_future(fetch_tokenizer(library, "org/name", "", into, lambda *_: None))
        await asyncio.to_thread(hub.wait_until_it_holds)
        fetching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await fetching
        assert left(into) == []
        hub.hold = False  # and the next is not held up by the one that still waits
        folder = await fetch_tokenizer(library, "org/name", "", into, lambda *_: None)
        hub.release.set()
        await library.close()
        assert left(into) == [folder.name]

    asyncio.run(asyncio.wait_for(main(), 60))


def test_what_a_killed_program_left_is_removed(hub: FakeHub, into: Path) -> None:
    (into / ".part-999999999-abc").mkdir(parents=True)
    assert left(into) == [".part-999999999-abc"]
    folder = fetch(into)
    assert left(into) == [folder.name]
