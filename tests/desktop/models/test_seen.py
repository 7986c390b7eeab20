"""What fits of all models at once: of those here by their files, of others by what the hub has said."""

from __future__ import annotations

from pathlib import Path

import msgspec

from core.models.headers import Weights
from core.models.room import Room
from core.models.search import HubModel
from core.models.store import OnDisk, StoredModel
from desktop.models.fitting import Place
from desktop.models.seen import fits_of
from desktop.models.shelf import Entry
from desktop.models.values import Badge
from tests.desktop.models.desk import CONFIG, WEIGHTS

GIB = 1 << 30
PLACE = Place("local", Room(device="gpu", memory=8 * GIB, free=8 * GIB, disk=100 * GIB))
KNOWN = msgspec.json.decode(CONFIG)


def on_hub(size: int, *, whole: bool) -> Entry:
    config = KNOWN if whole else {"model_type": "qwen3"}
    hub = HubModel("org/name", "1" * 40, "qwen3", (), "qwen3", "", config=config, whole=whole)
    return Entry("k", "org/name", hub=msgspec.structs.replace(hub, weights=Weights(size), bytes=size))


def here(folder: Path, **more: bool) -> Entry:
    stored = StoredModel("org/name", "org/name", "1" * 40, str(folder), OnDisk.READY, **more)
    return Entry("k", "org/name", stored)


def badge(entry: Entry) -> Badge | None:
    view = fits_of({"k": entry}, PLACE).get("k")
    return view.badge if view is not None else None


def test_what_the_hub_says_is_enough_once_the_config_was_read() -> None:
    assert badge(on_hub(GIB, whole=True)) is Badge.FITS
    assert badge(on_hub(20 * GIB, whole=True)) is Badge.TOO_BIG


def test_a_row_of_a_search_claims_no_more_than_its_size() -> None:
    assert badge(on_hub(GIB, whole=False)) is None  # not "its config does not say"
    assert badge(on_hub(20 * GIB, whole=False)) is Badge.TOO_BIG  # its weights alone are
    assert badge(Entry("k", "org/name")) is None


def test_what_is_here_is_judged_by_its_files(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_bytes(CONFIG)
    assert badge(here(tmp_path)) is Badge.UNKNOWN  # without weights
    (tmp_path / "model.safetensors").write_bytes(WEIGHTS)
    assert badge(here(tmp_path)) is Badge.FITS
    assert badge(here(tmp_path, tokenizer_only=True)) is None
    (tmp_path / "config.json").write_text("{")
    assert badge(here(tmp_path)) is Badge.UNKNOWN
