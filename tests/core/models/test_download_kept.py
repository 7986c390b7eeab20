"""What a person put there stays as it is, what failed for good is not fetched again, a model is one model."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest
from huggingface_hub import constants
from huggingface_hub.utils import close_session  # type: ignore[attr-defined]

from core.errors import ModelError
from core.models.manifest import put_in_place
from core.models.partial import ListedFile, Listing, sweep, write_listing
from core.models.store import Store
from core.paths import default_paths
from core.worker.download_service import download
from core.worker.download_values import Download
from core.worker.job import Job
from tests.core.models.downloading import (
    WEIGHTS,
    downloads,
    models,
    nothing_else,
    partial_folder,
    place,
    pull,
    run,
    start_again,
    until,
    weights,
)
from tests.fakes.hub.server import COMMIT, FakeHub, Fault

# --- folders of the person's -------------------------------------------------------------------------------


@pytest.mark.parametrize("tokenizer_only", [False, True])
def test_a_folder_of_ones_own_in_the_models_place_is_left_as_it_is(
    hub: FakeHub, tokenizer_only: bool
) -> None:
    place().mkdir(parents=True)
    mine = {"config.json": b"{}", "model.safetensors": WEIGHTS, "notes.txt": b"mine"}
    for name, content in mine.items():
        (place() / name).write_bytes(content)
    error = pull(COMMIT, tokenizer_only=tokenizer_only).error
    assert error is not None
    assert (error.code, error.params["folder"]) == ("store.in_the_way", str(place()))
    assert {path.name: path.read_bytes() for path in place().iterdir()} == mine
    assert not hub.served


def test_small_files_are_never_written_into_a_folder_of_ones_own(home: Path) -> None:
    mine, made = home / "org--name", home / "made"
    for folder in (mine, made):
        folder.mkdir()
        (folder / "config.json").write_bytes(folder.name.encode())
    with pytest.raises(ModelError) as refused:
        put_in_place(made, mine)
    assert refused.value.code == "store.in_the_way"
    assert (mine / "config.json").read_bytes() == b"org--name"


def test_a_kill_before_there_is_a_listing_leaves_nothing(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pull(tokenizer_only=True).phase == "ready"
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_TELEMETRY", True)  # as in the download process
    close_session()

    def killed(*_: object) -> None:
        raise SystemExit

    monkeypatch.setattr("core.worker.download_service.write_listing", killed)
    request = Download(1, "org/name", COMMIT, str(models()), endpoint=hub.address, floor=0)
    with pytest.raises(SystemExit):
        download(Job(request, lambda _: None), request)
    close_session()
    assert partial_folder().is_dir()
    sweep(models())
    nothing_else(place())


# --- what has failed for good ------------------------------------------------------------------------------


def test_code_that_was_refused_costs_nothing_at_the_next_try(hub: FakeHub) -> None:
    hub.files["config.json"] = json.dumps({"model_type": "own", "auto_map": {"AutoModel": "x"}}).encode()
    for _ in range(2):
        error = pull(COMMIT).error
        assert error is not None and error.code == "hub.code"
    assert set(hub.served) == {"config.json"}


@pytest.mark.parametrize("name", ["tokenizer_config.json", "processor_config.json"])
def test_code_is_named_by_other_files_too(hub: FakeHub, name: str) -> None:
    hub.files["config.json"] = b'{"model_type": "own"}'
    hub.files[name] = json.dumps({"auto_map": {"AutoTokenizer": ["x", None]}}).encode()
    error = pull(COMMIT).error
    assert error is not None and error.code == "hub.code"
    assert set(hub.served) <= {"config.json", "tokenizer_config.json", "processor_config.json"}


def test_a_spoilt_config_on_disk_does_not_hide_the_code(hub: FakeHub) -> None:
    hub.files["config.json"] = json.dumps({"model_type": "own", "auto_map": {"AutoModel": "x"}}).encode()
    pull(COMMIT)
    spoilt = b"{}".ljust(len(hub.files["config.json"]))
    (partial_folder() / "config.json").write_bytes(spoilt)
    error = pull(COMMIT).error
    assert error is not None and error.code == "hub.code"
    assert set(hub.served) == {"config.json"}


def test_what_arrived_damaged_is_not_fetched_anew_at_each_start(hub: FakeHub) -> None:
    hub.faults = [Fault("wrong", "model.safetensors", 5, times=99)]
    error = pull().error
    assert error is not None and error.code == "hub.mismatch"
    served = hub.served["model.safetensors"]
    assert start_again() == [("org/name", "paused")]
    assert hub.served["model.safetensors"] == served
    hub.faults = []
    assert pull(COMMIT).phase == "ready"


def test_a_removed_model_does_not_come_back(hub: FakeHub) -> None:
    hub.faults = [Fault("stall", "model.safetensors", 200_000)]

    async def work() -> None:
        async with downloads() as made:
            made.start("org/name")
            await weights(200_000)

    run(work)
    Store(default_paths()).remove("org/name")
    assert start_again() == []


# --- names and commits -------------------------------------------------------------------------------------


def test_what_goes_on_is_the_commit_that_was_begun(hub: FakeHub) -> None:
    hub.faults = [Fault("stall", "model.safetensors", 200_000)]

    async def work() -> None:
        async with downloads() as made:
            made.start("org/name")
            await weights(200_000)
            await made.pause("org/name")
            hub.older[COMMIT], hub.commit, hub.files = hub.files, "f" * 40, dict(hub.files)
            await made.resume("org/name")
            assert (await until(made, "ready", "failed")).commit == COMMIT

    run(work)
    assert hub.served["model.safetensors"] == len(WEIGHTS)
    nothing_else(place())


def test_another_name_of_a_model_is_the_same_model(hub: FakeHub) -> None:
    hub.aliases = ("ORG/name", "old/name")
    assert pull().phase == "ready"
    served = sum(hub.served.values())

    async def work() -> None:
        async with downloads() as made:
            for alias in hub.aliases:
                made.start(alias)
                state = await until(made, "ready", "failed")
                assert (state.phase, state.repo, state.named) == ("ready", "org/name", alias)
                made.forget(alias)

    run(work)
    assert sum(hub.served.values()) == served
    nothing_else(place())


def test_a_renamed_model_that_is_cut_is_one_after_a_start(hub: FakeHub) -> None:
    hub.aliases = ("old/name",)
    hub.faults = [Fault("stall", "model.safetensors", 200_000)]

    async def work() -> None:
        async with downloads() as made:
            made.start("old/name")
            await weights(200_000)
            assert [state.repo for state in made.states] == ["org/name"]

    run(work)
    assert start_again() == [("org/name", "ready")]
    nothing_else(place())


def test_names_that_are_one_on_some_disks_are_refused(hub: FakeHub) -> None:
    hub.files["Config.json"] = b"{}"
    error = pull().error
    assert error is not None and error.code == "hub.path"
    assert str(error.params["file"]).lower() == "config.json" and not hub.served


def test_a_disk_without_locks_is_said(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    partial_folder().mkdir(parents=True)
    small = (ListedFile("config.json", 2, blob="1" * 40),)
    write_listing(partial_folder(), Listing("org/name", COMMIT, "http://hub", small))
    monkeypatch.setattr("fcntl.flock", refuse)
    request = Download(1, "org/name", COMMIT, str(models()), floor=0)
    with pytest.raises(ModelError) as refused:
        download(Job(request, lambda _: None), request)
    assert (refused.value.code, refused.value.params["folder"]) == ("store.no_lock", str(models()))
