"""What the picker says of a model's fit: against what a start may really use, unknown with its reason."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from core.models.fit import GIB
from core.models.headers import Weights
from core.models.room import Room
from core.server.access import NoGpus
from core.settings import Settings
from desktop.models import words
from desktop.models.fitting import fit_view, place_of
from desktop.models.values import Badge

CONFIG: dict[str, Any] = {
    "model_type": "llama",
    "hidden_size": 2048,
    "intermediate_size": 8192,
    "vocab_size": 65536,
    "num_hidden_layers": 12,
    "num_attention_heads": 16,
    "num_key_value_heads": 4,
    "max_position_embeddings": 32768,
}
WEIGHTS = Weights(1_900_000_000, exact=False)
CARD = Room(device="gpu", memory=16 * GIB, free=14 * GIB, share=0.3, name="RTX 4080", disk=10**11)
SETTINGS = Settings()


def test_a_gpu_of_which_everything_is_told(tmp_path: Path) -> None:
    place = place_of("gpu", SETTINGS, tmp_path, CARD)
    machine = place.machine
    assert (machine.name, machine.free, machine.total) == ("RTX 4080", 14 * GIB, 16 * GIB)
    view = fit_view(CONFIG, WEIGHTS, place, download=2_000_000_000)
    assert (view.badge, view.room, view.disk_needed) == (Badge.FITS_GPU, 14 * GIB, 2_000_000_000)
    assert view.largest == 32768
    busy = fit_view(CONFIG, WEIGHTS, replace(place, room=Room(device="gpu", memory=16 * GIB, free=3 * GIB)))
    assert busy.badge is Badge.TOO_BIG


def test_a_share_that_others_hold(tmp_path: Path) -> None:
    room = Room(device="gpu", memory=80 * GIB, free=20 * GIB, share=0.3)
    view = fit_view(CONFIG, WEIGHTS, place_of("gpu", SETTINGS, tmp_path, room))
    assert (view.badge, view.reason) == (Badge.TOO_BIG, "share")


def test_docker_s_memory_and_what_is_free_of_it(tmp_path: Path) -> None:
    vm = place_of("cpu", SETTINGS, tmp_path, Room(device="cpu", memory=14 * GIB))
    assert vm.machine.free is None and vm.machine.room == 14 * GIB  # what is free there is not told
    here = place_of("cpu", SETTINGS, tmp_path, Room(device="cpu", memory=14 * GIB, free=6 * GIB))
    assert fit_view(CONFIG, WEIGHTS, vm).badge is Badge.FITS_CPU
    assert fit_view(CONFIG, WEIGHTS, here).badge is Badge.TOO_BIG


@pytest.mark.parametrize("why", ["asked", "docker", *filter(None, get_args(NoGpus))])
def test_each_reason_for_not_knowing_has_its_own_sentence(tmp_path: Path, why: str) -> None:
    view = fit_view(CONFIG, WEIGHTS, place_of("gpu", SETTINGS, tmp_path, Room(device="gpu", why=why)))
    assert (view.badge, view.reason, view.detail) == (Badge.UNKNOWN, "room", why)
    assert words.verdict(view) != words.verdict(replace(view, detail="some other"))


@pytest.mark.parametrize("told", [None, Room(device="cpu", memory=64 * GIB)])
def test_what_was_told_of_another_device_says_nothing(tmp_path: Path, told: Room | None) -> None:
    place = place_of("gpu", SETTINGS, tmp_path, told)
    assert place.room.why == "asked" and place.room.usable is None and place.room.disk


def test_a_context_that_does_not_fit_into_the_kv_cache_is_tight_and_says_how_long_it_may_be(
    tmp_path: Path,
) -> None:
    """vLLM would refuse to start with the model's own."""
    long = CONFIG | {"max_position_embeddings": 1_000_000}
    view = fit_view(long, WEIGHTS, place_of("cpu", SETTINGS, tmp_path, Room(device="cpu", memory=99 * GIB)))
    assert (view.badge, view.reason) == (Badge.TIGHT, "kv_space")
    assert view.largest is not None and 0 < view.largest < 1_000_000


def test_the_image_that_is_still_to_come(tmp_path: Path) -> None:
    def view(**room: Any) -> tuple[int | None, int | None, int]:
        told = Room(device="cpu", memory=64 * GIB, disk=10**11, **room)
        found = fit_view(CONFIG, WEIGHTS, place_of("cpu", SETTINGS, tmp_path, told), download=5)
        return found.image, found.image_free, found.disk_needed

    assert view(image=None, image_disk=7) == (None, 7, 5)
    assert view(image=3, image_disk=7) == (3, 7, 5)
    assert view(image=3, image_disk=7, one_disk=True) == (0, 7, 8)
    assert view() == (0, None, 5)


def test_the_built_in_engine_works_on_one_question(tmp_path: Path) -> None:
    """Not on as many as a server: their logits would be 0.7 GB of Qwen3.5's words."""

    def working(words: int) -> int:
        view = fit_view(CONFIG | {"vocab_size": words}, WEIGHTS, place_of("local", SETTINGS, tmp_path, None))
        assert view.context == 8192
        return next(part.high for part in view.parts if part.code == "working")

    assert working(248_320) - working(0) == 3 * 248_320 * 4
    assert working(0) == 2 * 8192 * (4 * 2048 + 2 * 8192) * 2  # a prompt is read in one step


def test_the_built_in_engine_has_this_computer_s_memory(tmp_path: Path) -> None:
    place = place_of("local", SETTINGS, tmp_path, CARD)
    assert place.kv_space is None and place.room.name == "" and place.machine.name == ""
    assert place.room.disk is not None
