"""What is on this computer, told from the disk alone; what is removed, and what never is."""

from __future__ import annotations

import errno
import hashlib
import os
from pathlib import Path

import msgspec
import pytest

from core.errors import ModelError
from core.models.lock import FolderLock, is_locked
from core.models.manifest import (
    Manifest,
    ManifestFile,
    hub_folder,
    read_manifest,
    remove_left_overs,
    write_manifest,
)
from core.models.orders import Order, restored, save_order, saved_orders
from core.models.partial import (
    ListedFile,
    Listing,
    is_safe,
    partial_place,
    read_listing,
    set_wanted,
    sweep,
    write_listing,
)
from core.models.store import OnDisk, Store, StoredModel
from core.paths import Paths, default_paths

COMMIT = "0123456789abcdef0123456789abcdef01234567"
FILES = {"config.json": b'{"model_type": "llama"}', "model.safetensors": b"weights", "tokenizer.json": b"{}"}


@pytest.fixture
def paths(home: Path) -> Paths:
    return default_paths()


def whole(paths: Paths, repo: str = "org/name", commit: str = COMMIT, names: tuple[str, ...] = ()) -> Path:
    folder = paths.models / hub_folder(repo, commit)
    folder.mkdir(parents=True)
    files = {name: FILES[name] for name in names or FILES}
    for name, content in files.items():
        (folder / name).write_bytes(content)
    listed = tuple(ManifestFile(n, len(c), hashlib.sha256(c).hexdigest()) for n, c in files.items())
    write_manifest(folder, Manifest(commit, listed, repo, licence="mit", gated=True))
    return folder


def begun(paths: Paths, repo: str = "org/name", commit: str = COMMIT) -> Path:
    folder = partial_place(paths.models, repo, commit)
    folder.mkdir(parents=True)
    files = (ListedFile("config.json", 10, blob="1" * 40), ListedFile("sub/model.safetensors", 90, "2" * 64))
    write_listing(folder, Listing(repo, commit, "http://hub", files, licence="mit"))
    return folder


def only(store: Store) -> StoredModel:
    built_in, row = store.rows()
    assert (built_in.id, built_in.state) == ("built-in", OnDisk.ABSENT)
    return row


def test_ready_is_a_manifest_and_every_file_in_its_size(paths: Paths) -> None:
    folder = whole(paths)
    row = only(Store(paths))
    assert (row.id, row.revision, row.folder) == ("org/name", COMMIT, str(folder))
    assert (row.state, row.bytes, row.done, row.licence, row.gated) == (OnDisk.READY, 32, 32, "mit", True)
    assert not row.tokenizer_only
    (folder / "model.safetensors").write_bytes(b"weight")
    row = only(Store(paths))
    assert (row.state, row.damaged, row.done) == (OnDisk.DAMAGED, ("model.safetensors",), 25)


def test_what_a_check_has_found_is_not_ready_for_anyone(paths: Paths) -> None:
    folder = whole(paths)
    manifest = read_manifest(folder)
    assert manifest is not None
    write_manifest(folder, msgspec.structs.replace(manifest, damaged=("model.safetensors",)))
    assert only(Store(paths)).damaged == ("model.safetensors",)


def test_a_folder_without_weights_is_for_servers_elsewhere(paths: Paths) -> None:
    whole(paths, names=("config.json", "tokenizer.json"))
    assert only(Store(paths)).tokenizer_only


def test_partial_is_n_of_m_bytes(paths: Paths) -> None:
    folder = begun(paths)
    (folder / "config.json").write_bytes(b"x" * 10)
    (folder / "sub").mkdir()
    (folder / "sub" / "model.safetensors.part").write_bytes(b"x" * 40)
    row = only(Store(paths))
    assert (row.state, row.done, row.bytes, row.paused) == (OnDisk.PARTIAL, 50, 100, False)
    assert set_wanted(folder, "paused") and only(Store(paths)).paused
    (folder / "sub" / "model.safetensors.part").rename(folder / "sub" / "model.safetensors")
    (folder / "sub" / "model.safetensors").write_bytes(b"x" * 90)
    assert only(Store(paths)).state is OnDisk.VERIFYING
    set_wanted(folder, "cancelled")
    assert len(Store(paths).rows()) == 1


def test_a_folder_added_by_its_path_is_never_removed(paths: Paths, home: Path) -> None:
    own = home / "my 模型"
    own.mkdir()
    (own / "config.json").write_bytes(b"{}")
    copied = paths.models / "copied"
    copied.mkdir(parents=True)
    (copied / "config.json").write_bytes(b"{}")
    store = Store(paths, (str(own), str(home / "gone")))
    assert {(row.id, row.state) for row in store.rows()[1:]} == {
        (str(own), OnDisk.FOREIGN),
        (str(copied), OnDisk.FOREIGN),
    }
    for folder in (own, copied):
        with pytest.raises(ModelError) as refused:
            store.remove(str(folder))
        assert refused.value.code == "store.foreign" and folder.is_dir()


def test_a_folder_of_no_known_kind_is_named_as_such(paths: Paths, home: Path) -> None:
    blobs, folder = home / "blobs", home / "snapshot"
    for path in (blobs, folder):
        path.mkdir()
    (blobs / "1").write_text('{"model_type": "odd"}')
    (blobs / "2").write_bytes(b"w" * 500)
    (folder / "config.json").symlink_to(blobs / "1")  # as in the hub's own cache
    (folder / "model.safetensors").symlink_to(blobs / "2")
    (row,) = Store(paths, [str(folder)]).find(str(folder))
    assert (row.state, row.unknown, row.listed, row.bytes) == (OnDisk.FOREIGN, "odd", True, 521)
    (blobs / "1").write_text('{"model_type": "qwen3"}')
    (row,) = Store(paths, [str(folder)]).find(str(folder))
    assert row.unknown == ""
    for unread in ("{", "[]", '{"model_type": 7}'):
        (blobs / "1").write_text(unread)
        (row,) = Store(paths, [str(folder)]).find(str(folder))
        assert row.unknown == ""


def test_removed_says_what_is_freed_and_who_needs_it(paths: Paths) -> None:
    whole(paths, "google/gemma-4-E2B-it-assistant", "1" * 40)
    whole(paths, "google/gemma-4-E2B-it", "2" * 40)
    store = Store(paths)
    removed = store.remove("google/gemma-4-E2B-it-assistant")
    assert removed.freed > 32 and removed.users == ("google/gemma-4-E2B-it",)
    assert only(store).id == "google/gemma-4-E2B-it"
    assert [path.name for path in paths.models.iterdir()] == ["google--gemma-4-E2B-it@" + "2" * 40]


def test_one_revision_can_be_named(paths: Paths) -> None:
    whole(paths, commit="1" * 40)
    whole(paths, commit="2" * 40)
    Store(paths).remove("org/name@111")
    assert only(Store(paths)).revision == "2" * 40


def test_what_is_fetched_right_now_is_not_removed(paths: Paths) -> None:
    folder = begun(paths)
    with FolderLock(folder) as lock:
        assert lock.take() and is_locked(folder) and only(Store(paths)).busy
        with pytest.raises(ModelError) as refused:
            Store(paths).remove("org/name")
        assert refused.value.code == "store.busy"
    assert not is_locked(folder) and not only(Store(paths)).busy
    Store(paths).remove("org/name")
    assert not folder.exists()


def test_unknown_is_said(paths: Paths) -> None:
    with pytest.raises(ModelError) as refused:
        Store(paths).remove("org/none")
    assert refused.value.code == "store.unknown"


def test_used_survives_a_new_look(paths: Paths) -> None:
    whole(paths)
    assert only(Store(paths)).used == 0
    Store(paths).touch("org/name")
    assert only(Store(paths)).used > 1e9


def test_the_sweep_keeps_what_can_go_on(paths: Paths) -> None:
    kept = begun(paths)
    cancelled = begun(paths, "org/cancelled")
    set_wanted(cancelled, "cancelled")
    nameless = partial_place(paths.models, "org/nothing", COMMIT)
    nameless.mkdir()
    (nameless.parent / "gone-1").mkdir()
    sweep(paths.models)
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]
    assert read_listing(kept) is not None


@pytest.mark.parametrize(
    "path",
    [
        "Listing.json",
        "ETAGS.json",
        "TokenLoupe-Manifest.json",
        "a.PART",
        "con.txt",
        "x/Aux.json",
        "nul",
        "a.",
    ],
)
def test_names_that_another_system_takes_for_something_else_are_none(path: str) -> None:
    assert not is_safe(path)


@pytest.mark.parametrize(
    "path",
    ["", "/a", "../a", "a/../b", "a//b", "./a", "a\\b", "c:x", "a\n", "a.part", "listing.json", "a/", "x/."],
)
def test_names_that_lead_elsewhere_are_none(path: str) -> None:
    assert not is_safe(path)


@pytest.mark.parametrize("path", ["config.json", "a b/模型.safetensors", ".hidden", "console.json"])
def test_ordinary_names_are_names(path: str) -> None:
    assert is_safe(path)


# --- whole and tokenizer only ------------------------------------------------------------------------------


def test_a_tokenizer_that_is_fetched_beside_it_does_not_hide_a_ready_model(paths: Paths) -> None:
    whole(paths)
    folder = partial_place(paths.models, "org/name", COMMIT, tokenizer_only=True)
    folder.mkdir(parents=True)
    small = (ListedFile("config.json", 10, blob="1" * 40),)
    write_listing(folder, Listing("org/name", COMMIT, "http://hub", small, tokenizer_only=True))
    rows = [(row.tokenizer_only, row.state) for row in Store(paths).find("org/name")]
    assert rows == [(True, OnDisk.PARTIAL), (False, OnDisk.READY)]


# --- what is removed, and what is not ----------------------------------------------------------------------


def test_a_link_to_a_model_elsewhere_is_removed_and_frees_nothing(paths: Paths, home: Path) -> None:
    place = whole(paths)
    place.rename(home / "larger disk")
    place.symlink_to(home / "larger disk")
    assert Store(paths).remove("org/name").freed == 0
    assert (home / "larger disk" / "model.safetensors").is_file()
    assert [*paths.models.iterdir()] == []


def test_what_could_not_be_removed_is_said(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    whole(paths)

    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    with monkeypatch.context() as patch, pytest.raises(ModelError) as refused:
        patch.setattr("shutil.rmtree", refuse)
        Store(paths).remove("org/name")
    assert refused.value.code == "store.not_removed" and "Permission denied" in refused.value.detail


def test_the_orders_of_a_model_go_with_it_and_those_of_others_stay(paths: Paths) -> None:
    begun(paths)  # its listing was asked for as "", the default branch
    begun(paths, "org/other")
    for order in (Order("org/name"), Order("org/name", "other-branch"), Order("org/other")):
        save_order(paths.models, order)
    Store(paths).remove(f"org/name@{COMMIT}")
    left = [(order.repo, order.revision) for _, order in saved_orders(paths.models)]
    assert left == [("org/name", "other-branch"), ("org/other", "")]
    begun(paths)
    Store(paths).remove("org/name")
    assert [order.repo for _, order in saved_orders(paths.models)] == ["org/other"]


def test_what_is_cancelled_is_swept_even_when_it_was_complete(paths: Paths) -> None:
    folder = begun(paths)
    write_manifest(folder, Manifest(COMMIT, (), "org/name"))
    set_wanted(folder, "cancelled")
    assert restored(paths.models) == []
    sweep(paths.models)
    assert not folder.exists()


def test_left_overs_are_known_by_their_exact_name_and_by_their_lock(paths: Paths) -> None:
    names = (".backup-999999999-old", ".part-999999999-gone", ".part-999999999-elsewhere")
    backup, gone, elsewhere = (paths.models / name for name in names)
    for folder in (backup, gone, elsewhere):
        folder.mkdir(parents=True)
    with FolderLock(elsewhere) as lock:  # by a process of another machine or container
        assert lock.take()
        remove_left_overs(paths.models)
    assert [folder.exists() for folder in (backup, gone, elsewhere)] == [True, False, True]
    assert not [*paths.models.glob("*.lock"), *paths.models.glob(".*.lock")]


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOTSUP])
def test_a_file_system_without_locks_is_no_other_process(
    paths: Paths, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    folder = begun(paths)

    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    with FolderLock(folder) as lock:
        assert lock.take()
        monkeypatch.setattr("fcntl.flock", refuse)
        assert not is_locked(folder)
    with pytest.raises(ModelError) as refused:
        Store(paths).remove("org/name")
    assert refused.value.code == "store.not_removed" and os.strerror(number) in refused.value.detail
    sweep(paths.models)
    assert folder.exists()
