"""One list of models from disk, downloads, catalog and hub: which rows, under which keys, in which state."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import ModelError
from core.models.catalog import BUILT_IN, known_model
from core.models.orders import DownloadState
from core.models.search import HubModel
from core.models.store import OnDisk, StoredModel
from desktop.models.shelf import Entry, entries, row_of
from desktop.models.values import Badge, FitView, Group, State

ONE, TWO = "1" * 40, "2" * 40
QWEN = "Qwen/Qwen3.5-0.8B"
FITS = FitView(Badge.FITS)


def stored(
    id_: str = "org/name", revision: str = ONE, state: OnDisk = OnDisk.READY, **more: Any
) -> StoredModel:
    values = {"bytes": 100, "done": 100, **more}
    return StoredModel(id_, id_, revision, f"/models/{id_}@{revision}", state, **values)


def on_hub(id_: str = "org/name", revision: str = ONE, **more: Any) -> HubModel:
    values = {"model_type": "qwen3", "architectures": (), "family": "qwen3", "unsupported": "", **more}
    return HubModel(id_, revision, **values)


def shelf(
    *rows: StoredModel,
    downloads: tuple[DownloadState, ...] = (),
    found: tuple[HubModel, ...] = (),
    looked: dict[str, HubModel] | None = None,
    running: str = "",
    **more: Any,
) -> dict[str, Entry]:
    return entries(rows, downloads, found, looked or {}, running, **more)


def only(**what: Any) -> Entry:
    """The entry of org/name."""
    return shelf(*what.pop("rows", ()), **what)["org/name"]


def row(entry: Entry, view: FitView | None = None, now: float = 0.0) -> Any:
    return row_of(entry, view, now, "https://hub.example/org/name")


def test_each_model_stands_once_in_its_group() -> None:
    made = shelf(
        stored(BUILT_IN, "b" * 12),
        stored("org/here"),
        downloads=(DownloadState("org/coming", ONE, phase="fetching"),),
        found=(on_hub("org/here", TWO), on_hub(QWEN, TWO), on_hub("org/found")),
    )
    assert {key: entry.group for key, entry in made.items()} == {
        BUILT_IN: Group.HERE,
        "org/here": Group.HERE,
        "org/coming": Group.DOWNLOADING,
        QWEN: Group.SUGGESTED,
        "google/gemma-4-E2B-it": Group.SUGGESTED,
        "org/found": Group.FOUND,
    }
    assert made[QWEN].name == "Qwen3.5 0.8B"
    known = known_model(QWEN)
    assert known is not None and made[QWEN].revision == known.revision  # not the hub's newest


def test_a_commit_keeps_its_key_whatever_comes_and_goes() -> None:
    keys: dict[str, str] = {}
    assert shelf(stored(revision=TWO), keys=keys)["org/name"].revision == TWO
    both = shelf(stored(revision=ONE), stored(revision=TWO), keys=keys)
    assert both["org/name"].revision == TWO and both[f"org/name@{ONE}"].revision == ONE
    assert shelf(stored(revision=ONE), keys=keys)[f"org/name@{ONE}"].revision == ONE
    assert [row(entry).note for entry in both.values() if entry.id == "org/name"] == ["1111111", "2222222"]


def test_the_revision_that_was_typed_stands_beside_another_one() -> None:
    made = shelf(stored(revision=ONE), found=(on_hub(revision=TWO),), named=on_hub(revision=TWO))
    assert made["org/name"].on_disk and made[f"org/name@{TWO}"].state is State.ABSENT
    assert made[f"org/name@{TWO}"].group is Group.FOUND
    same = shelf(stored(revision=ONE), found=(on_hub(revision=ONE),), named=on_hub(revision=ONE))
    assert [entry.id for entry in same.values()].count("org/name") == 1
    suggested = shelf(found=(on_hub(QWEN, TWO),), named=on_hub(QWEN, TWO))
    assert suggested[QWEN].group is Group.SUGGESTED and suggested[f"{QWEN}@{TWO}"].group is Group.FOUND


def test_a_download_belongs_to_its_commit() -> None:
    coming = DownloadState("org/name", TWO, phase="fetching", commit=TWO, done=30, total=90)
    made = shelf(stored(revision=ONE), downloads=(coming,))
    assert made["org/name"].state is State.READY
    assert made[f"org/name@{TWO}"].state is State.FETCHING
    assert (made[f"org/name@{TWO}"].done, made[f"org/name@{TWO}"].size) == (30, 90)
    whole = only(
        rows=(stored(tokenizer_only=True),), downloads=(DownloadState("org/name", ONE, phase="queued"),)
    )
    assert whole.state is State.WAITING  # the rest of it


@pytest.mark.parametrize(
    ("phase", "state", "group"),
    [
        ("queued", State.WAITING, Group.DOWNLOADING),
        ("fetching", State.FETCHING, Group.DOWNLOADING),
        ("waiting", State.STALLED, Group.DOWNLOADING),
        ("checking", State.VERIFYING, Group.DOWNLOADING),
        ("paused", State.PAUSED, Group.DOWNLOADING),
        ("failed", State.FAILED, Group.DOWNLOADING),
    ],
)
def test_what_a_download_does_is_its_state(phase: Any, state: State, group: Group) -> None:
    entry = only(downloads=(DownloadState("org/name", ONE, phase=phase, left=7.0),))
    assert (entry.state, entry.group, entry.left) == (state, group, 7.0)
    assert row(entry).left == 7.0


@pytest.mark.parametrize(
    ("kept", "more", "state", "can_go"),
    [
        (OnDisk.READY, {}, State.READY, True),
        (OnDisk.DAMAGED, {"damaged": ("a",)}, State.DAMAGED, True),
        (OnDisk.PARTIAL, {}, State.PARTIAL, False),
        (OnDisk.PARTIAL, {"paused": True}, State.PAUSED, False),
        (OnDisk.VERIFYING, {}, State.PARTIAL, False),
        (OnDisk.PARTIAL, {"busy": True}, State.FETCHING, False),
        (OnDisk.VERIFYING, {"busy": True}, State.VERIFYING, False),
        (OnDisk.PARTIAL, {"busy": True, "paused": True}, State.PAUSED, False),
        (OnDisk.FOREIGN, {}, State.FOREIGN, False),
    ],
)
def test_what_lies_on_the_disk_is_its_state(
    kept: OnDisk, more: dict[str, Any], state: State, can_go: bool
) -> None:
    entry = only(rows=(stored(state=kept, **more),))
    assert (entry.state, entry.can_go) == (state, can_go)


def test_only_what_is_whole_can_be_running() -> None:
    folder = stored().folder
    assert only(rows=(stored(),), running=folder).state is State.RUNNING
    assert only(rows=(stored(state=OnDisk.DAMAGED),), running=folder).state is State.DAMAGED


def test_a_gate_is_closed_until_the_hub_gives_something_out() -> None:
    closed = only(found=(on_hub(gated=True),))
    assert closed.state is State.GATED and row(closed).page == "https://hub.example/org/name"
    looked = {f"org/name@{ONE}": on_hub(gated=True, whole=True, config={"model_type": "qwen3"})}
    assert only(found=(on_hub(gated=True),), looked=looked).state is State.ABSENT
    refused = DownloadState(
        "org/name", ONE, phase="failed", error=ModelError("hub.no_access", repo="r", page="p")
    )
    entry = only(downloads=(refused,))
    assert (entry.state, entry.group) == (State.GATED, Group.DOWNLOADING)
    assert row(entry).trouble.startswith("This account has no access")


def test_without_room_it_is_paused_and_says_how_much_is_left() -> None:
    error = ModelError("hub.room", repo="org/name", needed=4.1, free=1.2, folder="/m")
    full = only(downloads=(DownloadState("org/name", ONE, phase="failed", error=error),))
    assert (full.state, row(full).trouble) == (State.PAUSED, "Paused: 1.2 GB of disk left")


def test_a_kind_that_is_not_known_is_marked_from_its_config_alone() -> None:
    odd = on_hub(model_type="odd", family="", unsupported="family")
    assert row(only(found=(odd,)), FITS).badge is Badge.UNSUPPORTED
    # a search does not tell a config; that there is none only a look can say
    unread = on_hub(model_type="", family="", unsupported="config")
    assert row(only(found=(unread,)), None).badge is Badge.NONE  # nothing is known, so nothing is said
    looked = {f"org/name@{ONE}": on_hub(model_type="", family="", unsupported="config", whole=True)}
    assert row(only(found=(unread,), looked=looked), None).badge is Badge.UNSUPPORTED
    assert row(only(rows=(stored(unknown="odd"),)), FITS).badge is Badge.UNSUPPORTED
    assert row(only(rows=(stored(),)), FITS).badge is Badge.FITS


def test_a_row_tells_what_is_known() -> None:
    used = row(only(rows=(stored(used=1_000.0, licence="mit"),)), FITS, now=4_600.0)
    assert (used.name, used.note, used.size, used.age) == ("org/name", "1111111 · mit", 100, 3_600.0)
    assert row(only(rows=(stored(used=9_000.0),)), FITS, now=4_600.0).age == 0.0  # by a clock that went back
    assert row(only(rows=(stored(),)), FITS).age is None
    assert row(shelf(stored(QWEN, ONE))[f"{QWEN}@{ONE}"], FITS).note == f"{QWEN} · 1111111"
    small = row(only(rows=(stored(tokenizer_only=True),)), FITS)
    assert (small.badge, small.note) == (Badge.NONE, "tokenizer and template alone")
