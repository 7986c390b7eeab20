"""Downloads with the real process and the real huggingface_hub: whole or said to be not, and why not."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import msgspec
import pytest

from core.models.manifest import read_manifest
from core.models.partial import read_listing
from core.models.store import OnDisk, Store
from core.paths import default_paths
from tests.core.models.downloading import (
    ALL,
    QUICK,
    SMALL,
    TOKEN,
    WEIGHTS,
    downloads,
    models,
    nothing_else,
    partial_folder,
    place,
    pull,
    run,
    until,
    whole,
)
from tests.fakes.hub.server import COMMIT, FILES, FakeHub, Fault

PART = f".partial/org--name@{COMMIT}/model.safetensors.part"


def files(hub: FakeHub, names: set[str] = ALL) -> dict[str, bytes]:
    return {name: hub.files[name] for name in names}


def test_whole_with_a_manifest_and_nothing_that_is_not_wanted(hub: FakeHub) -> None:
    for name in ("pytorch_model.bin", "model.gguf", "original/consolidated.safetensors", "onnx/model.onnx"):
        hub.files[name] = b"the same once more"
    for name in ("LICENSE.py", "NOTICE.pkl"):
        hub.files[name] = b"what nobody has agreed to"
    hub.files["vision/model.safetensors"] = b"more weights"
    state = pull()
    assert (state.phase, state.commit, state.folder) == ("ready", COMMIT, str(place()))
    whole(place(), files(hub, ALL | {"vision/model.safetensors"}))
    nothing_else(place())
    manifest = read_manifest(place())
    assert manifest is not None and (manifest.repo, manifest.licence) == ("org/name", "mit")
    assert all(hub.served[name] == len(hub.files[name]) for name in ALL)
    assert [row.state for row in Store(default_paths()).rows()[1:]] == [OnDisk.READY]


def test_a_licence_of_its_own_is_named(hub: FakeHub) -> None:
    hub.licence, hub.licence_name = "other", "own-research"
    pull(tokenizer_only=True)
    manifest = read_manifest(place())
    assert manifest is not None and manifest.licence == "own-research"


def test_what_is_there_is_not_asked_for(hub: FakeHub) -> None:
    pull()
    hub.requests.clear()
    assert pull(COMMIT).phase == "ready"
    assert hub.requests == []


def test_only_config_tokenizer_and_template_then_the_rest(hub: FakeHub) -> None:
    assert pull(tokenizer_only=True).phase == "ready"
    whole(place(), files(hub, SMALL))
    assert Store(default_paths()).rows()[1].tokenizer_only
    assert pull().phase == "ready"
    whole(place(), files(hub))
    nothing_else(place())
    assert hub.served["tokenizer.json"] == len(hub.files["tokenizer.json"])


def test_the_small_files_stay_in_their_place_until_all_are_here(hub: FakeHub) -> None:
    assert pull(tokenizer_only=True).phase == "ready"
    hub.faults = [Fault("status", "model.safetensors", status=404, times=9)]
    assert pull().phase == "failed"
    whole(place(), files(hub, SMALL))
    hub.faults = []
    assert pull().phase == "ready"
    whole(place(), files(hub))
    assert not partial_folder().exists()


def test_h01_goes_on_from_the_byte_after_a_cut(hub: FakeHub) -> None:
    hub.faults = [Fault("cut", "model.safetensors", 100_000), Fault("cut", "model.safetensors", 1)]
    assert pull().phase == "ready"
    whole(place(), files(hub))
    starts = [one.start for one in hub.requests if one.file == "model.safetensors" and one.sent]
    assert starts == [0, 100_000, 100_001]


def test_h01_a_mirror_without_ranges_still_ends(hub: FakeHub) -> None:
    hub.ranges, hub.faults = False, [Fault("cut", "model.safetensors", 100_000)]
    assert pull().phase == "ready"
    whole(place(), files(hub))


def test_h01_a_body_of_no_told_length_that_is_cut_goes_on_from_its_byte(hub: FakeHub) -> None:
    """As through a proxy that speaks HTTP/1.0: its end looks like the file's."""
    hub.lengths = False
    hub.faults = [Fault("cut", "model.safetensors", 100_000), Fault("cut", "model.safetensors", 200_000)]
    assert pull().phase == "ready"
    whole(place(), files(hub))
    assert hub.served["model.safetensors"] == len(WEIGHTS)


@pytest.mark.parametrize("kind", ["wrong", "short"])
def test_h04_a_wrong_file_is_fetched_once_more_and_only_that(hub: FakeHub, kind: str) -> None:
    hub.faults = [Fault(kind, "model.safetensors", 5)]  # type: ignore[arg-type]
    assert pull().phase == "ready"
    whole(place(), files(hub))
    assert hub.served["tokenizer.json"] == len(hub.files["tokenizer.json"])


@pytest.mark.parametrize(("kind", "got", "asked"), [("wrong", "", 2), ("short", "5 bytes", 4)])
def test_h04_wrong_again_says_what_was_expected_and_what_came(
    hub: FakeHub, kind: str, got: str, asked: int
) -> None:
    hub.faults = [Fault(kind, "model.safetensors", 5, times=9)]  # type: ignore[arg-type]
    error = pull().error
    assert error is not None and error.code == "hub.mismatch"
    assert error.params["file"] == "model.safetensors"
    assert str(error.params["got"]).endswith(got) and error.params["got"] != error.params["expected"]
    assert hub.faults[0].times == 9 - asked  # fetched twice, not for ever
    assert not place().exists()


def test_h08_a_stall_is_noticed_and_asked_again(hub: FakeHub) -> None:
    hub.faults = [Fault("stall", "model.safetensors", 70_000)]

    async def work() -> None:
        async with downloads(msgspec.structs.replace(QUICK, seconds=1.0)) as made:
            made.start("org/name")
            waiting = await until(made, "waiting")
            assert (waiting.problem, waiting.tries) == ("hub.stalled", 1)
            assert (await until(made, "ready", "failed")).phase == "ready"
            assert made.states[0].problem == ""

    run(work)
    whole(place(), files(hub))


def test_h08_always_stalled_is_said(hub: FakeHub) -> None:
    hub.faults = [Fault("stall", "model.safetensors", 0, times=9)]
    error = pull(settings=msgspec.structs.replace(QUICK, seconds=0.3)).error
    assert error is not None and (error.code, error.params["seconds"]) == ("hub.stalled", 0)


def test_h11_the_limit_of_a_slow_answer_can_be_set(hub: FakeHub) -> None:
    hub.head_seconds = 1.0
    error = pull(settings=msgspec.structs.replace(QUICK, seconds=0.3, tries=2)).error
    assert error is not None and error.code == "hub.stalled"
    assert pull().phase == "ready"


@pytest.mark.parametrize(
    ("setting", "code"),
    [
        ({"repo": "org/other"}, "hub.no_repo"),
        ({"kind": "dataset"}, "hub.not_model"),
        ({"page": b"<html>Welcome to our hotel</html>"}, "hub.failed"),
        ({"commit": "../../somewhere"}, "hub.failed"),
        ({"files": {"config.json": b"{}", "pytorch_model.bin": b"x"}}, "hub.no_safetensors"),
        ({"files": {"tokenizer.json": b"{}", "model.safetensors": b"x"}}, "hub.files_missing"),
        ({"files": {**FILES, "../config.json": b"{}"}}, "hub.path"),
        ({"hide": ("X-Repo-Commit",)}, "hub.headers"),
        ({"hide": ("ETag",)}, "hub.headers"),
        ({"hide": ("size",), "store": False}, "hub.headers"),
        ({"hide": ("blobId",)}, "hub.headers"),
        ({"faults": [Fault("status", "api", times=99, status=503)]}, "hub.server"),
        ({"faults": [Fault("status", "model.safetensors", times=99, status=500)]}, "hub.server"),
        ({"status": 407}, "hub.proxy"),
    ],
)  # fmt: skip
def test_each_failure_has_its_code_and_nothing_looks_ready(
    hub: FakeHub, setting: dict[str, object], code: str
) -> None:
    for name, value in setting.items():
        setattr(hub, name, value)
    error = pull().error
    assert error is not None and error.code == code
    assert not [row for row in Store(default_paths()).rows() if row.state is OnDisk.READY]


def test_h10_a_mirror_is_named_with_what_it_leaves_out(hub: FakeHub) -> None:
    hub.hide = ("X-Repo-Commit",)
    error = pull().error
    assert error is not None and error.params == {"endpoint": hub.address, "header": "X-Repo-Commit"}
    assert not [one for one in hub.requests if one.sent]


def test_h15_access_is_known_before_any_file_and_told_apart(hub: FakeHub) -> None:
    hub.gated, hub.token = True, TOKEN
    codes = []
    for token in ("", "hf_another"):
        error = pull(token=token).error
        assert error is not None
        codes.append(error.code)
    hub.denied = True
    error = pull(token=TOKEN).error
    assert error is not None and error.params["page"] == f"{hub.address}/org/name"
    assert [*codes, error.code] == ["hub.no_token", "hub.bad_token", "hub.no_access"]
    assert not hub.served
    hub.denied = False
    assert pull(token=TOKEN).phase == "ready"
    manifest = read_manifest(place())
    assert manifest is not None and manifest.gated


def test_a_rate_limit_is_waited_out_by_the_clock_of_the_hub(hub: FakeHub) -> None:
    hub.skew = 86_400.0
    soon = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + hub.skew + 1))
    hub.faults = [Fault("status", "api", status=429, headers={"Retry-After": soon})]

    async def work() -> None:
        async with downloads() as made:
            made.start("org/name")
            waiting = await until(made, "waiting")
            assert waiting.problem == "hub.rate_limit" and waiting.wait <= 2
            assert (await until(made, "ready", "failed")).phase == "ready"

    run(work)


def test_a_rate_limit_of_hours_is_said_at_once(hub: FakeHub) -> None:
    hub.faults = [Fault("status", "api", status=429, headers={"Retry-After": "7200"}, times=99)]
    error = pull().error
    assert error is not None and (error.code, error.params["seconds"]) == ("hub.rate_limit", 7200)


def test_offline_and_a_dead_proxy_are_told_apart(hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    error = pull().error
    assert error is not None and error.code == "hub.offline"
    monkeypatch.setenv("HF_ENDPOINT", "https://hub.example.invalid")
    error = pull(settings=msgspec.structs.replace(QUICK, proxy=f"{hub.address}")).error
    assert error is not None and error.code == "hub.proxy"


def test_code_of_a_model_only_for_the_commit_that_was_agreed_to(hub: FakeHub) -> None:
    hub.files["config.json"] = json.dumps({"model_type": "own", "auto_map": {"AutoModel": "x"}}).encode()
    error = pull().error
    assert error is not None and (error.code, error.params["commit"]) == ("hub.code", COMMIT)
    assert hub.served["model.safetensors"] == 0
    error = pull(consent="f" * 40).error
    assert error is not None and error.code == "hub.code"
    assert pull(COMMIT, consent=COMMIT).phase == "ready"
    whole(place(), files(hub, ALL | {"modeling_own.py"}))


def test_two_revisions_lie_beside_each_other(hub: FakeHub) -> None:
    other = "a" * 40
    hub.older[other] = {**hub.files, "config.json": b'{"model_type": "llama", "old": 1}'}
    assert pull().phase == pull(other).phase == "ready"
    whole(place(other), {name: hub.older[other][name] for name in ALL})
    nothing_else(place(), place(other))


def test_another_file_under_the_same_commit_begins_at_zero(hub: FakeHub) -> None:
    hub.etags = {"model.safetensors": "first"}
    hub.files["model.safetensors"] = WEIGHTS
    hub.faults = [Fault("cut", "model.safetensors", 300_000, times=3)]
    settings = msgspec.structs.replace(QUICK, tries=1)
    assert pull(settings=settings).phase == "failed"
    assert (models() / PART).stat().st_size == 300_000
    hub.etags, hub.faults = {"model.safetensors": "second"}, []
    assert pull(settings=settings).phase == "ready"
    assert [one.start for one in hub.requests if one.file == "model.safetensors" and one.sent][-1] == 0


def test_room_is_looked_at_before_anything_is_fetched(hub: FakeHub) -> None:
    error = pull(settings=msgspec.structs.replace(QUICK, floor=1 << 60)).error
    assert error is not None and error.code == "hub.room"
    assert not hub.served
    assert Store(default_paths()).rows()[1].state is OnDisk.PARTIAL


def test_h06_no_links_are_made_and_none_is_followed(hub: FakeHub, home: Path) -> None:
    outside = home / "outside"
    outside.write_bytes(b"mine")
    hub.faults = [Fault("cut", "model.safetensors", 10)]
    pull(settings=msgspec.structs.replace(QUICK, tries=1))
    part = models() / PART
    part.unlink()
    part.symlink_to(outside)
    assert pull(COMMIT).phase == "ready"
    assert outside.read_bytes() == b"mine"
    whole(place(), files(hub))


def test_h12_a_pinned_commit_goes_on_without_the_listing_being_asked_again(hub: FakeHub) -> None:
    hub.faults = [Fault("cut", "model.safetensors", 300_000)]
    pull(settings=msgspec.structs.replace(QUICK, tries=1))
    listing = read_listing((models() / PART).parent)
    assert listing is not None and listing.commit == COMMIT and {one.path for one in listing.files} == ALL
    hub.requests.clear()
    assert pull(COMMIT).phase == "ready"
    assert not [one for one in hub.requests if one.path.startswith("/api/")]
    assert hub.served["model.safetensors"] == len(WEIGHTS) - 300_000


@pytest.mark.parametrize("name", ["模型 with blanks", "long" * 50])
def test_models_lie_anywhere(hub: FakeHub, home: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("TOKENLOUPE_MODELS", str(home / name / name))
    assert pull().phase == "ready"
    assert place().is_relative_to(home / name)
    whole(place(), files(hub))


def test_xet_and_telemetry_are_off(hub: FakeHub) -> None:
    pull()
    assert hub.agents and not [agent for agent in hub.agents if "torch" in agent]
    assert not [one.path for one in hub.requests if "xet" in one.path]
    assert os.environ.get("HF_HUB_DISABLE_XET") is None
