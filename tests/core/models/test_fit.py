"""Whether a model fits: the points that were measured, every summand, and each verdict with its reason."""

from __future__ import annotations

from typing import Any

import pytest

from core.models.fit import GIB, Fit, Verdict, fit
from core.models.headers import Weights
from core.models.kv import kv_of
from core.models.orders import HubSettings
from core.models.room import Room

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
CPU = Room(device="cpu", memory=64 * GIB)
GPU = Room(device="gpu", memory=24 * GIB, free=23 * GIB)

# Neither config.json is known here. Assumed: 0.8 billion parameters, as the name says, and 10.2 GB of weights
# for Gemma 4 E2B (5.1 billion), in 16 bits; the vocabularies are those of their tokenizers. The KV cache is
# the launch's own 2 GiB whatever the layers are, so the layers do not matter for what the memory must hold.
QWEN = {"model_type": "qwen3_5", "vision_config": {}, "text_config": CONFIG | {"vocab_size": 248_320}}
GEMMA = {"model_type": "gemma4", "vision_config": {}, "text_config": CONFIG | {"vocab_size": 262_144}}
QWEN_WEIGHTS, GEMMA_WEIGHTS = Weights(1_600_000_000), Weights(10_200_000_000)


def docker(memory: int) -> Room:
    return Room(device="cpu", memory=memory)


def test_qwen_takes_about_nine_gb_of_docker_s_memory() -> None:
    found = fit(QWEN, QWEN_WEIGHTS, docker(24 * GIB), 4096, kv_space=2 * GIB)
    assert found.low < 9e9 and found.high == pytest.approx(9e9, rel=0.1)
    assert found.verdict is Verdict.FITS
    assert fit(QWEN, QWEN_WEIGHTS, docker(4 * GIB), 4096, kv_space=2 * GIB).reason == "memory"


def test_gemma_is_too_big_for_16_gb_and_fits_into_24() -> None:
    small = fit(GEMMA, GEMMA_WEIGHTS, docker(16 * GIB), 4096, kv_space=2 * GIB)
    assert (small.verdict, small.reason) == (Verdict.TOO_BIG, "memory_maybe")
    assert fit(GEMMA, GEMMA_WEIGHTS, docker(24 * GIB), 4096, kv_space=2 * GIB).verdict is Verdict.FITS


def by_code(found: Fit) -> dict[str, tuple[int, int]]:
    return {part.code: (part.low, part.high) for part in found.parts}


def test_every_summand_is_kept() -> None:
    found = fit(CONFIG, WEIGHTS, CPU, 8192)
    parts = by_code(found)
    assert list(parts) == ["weights", "kv", "processes", "working", "compiling"]
    assert parts["weights"] == (WEIGHTS.bytes, WEIGHTS.bytes)
    assert parts["kv"] == (GIB, GIB)  # 0.19 GiB, in whole ones
    assert (found.low, found.high) == (sum(a for a, _ in parts.values()), sum(b for _, b in parts.values()))
    assert found.left == 64 * GIB - found.high
    assert found.kv_per_token == 2 * 2 * 4 * 128 * 12
    assert found.context == 8192


def test_what_a_start_is_spared() -> None:
    assert "compiling" not in by_code(fit(CONFIG, WEIGHTS, CPU, 8192, eager=True))
    assert "media" in by_code(fit(GEMMA, WEIGHTS, CPU, 8192))
    assert "loading" in by_code(fit(CONFIG, Weights(9 * GIB), CPU, 8192))
    assert "loading" not in by_code(fit(CONFIG, Weights(9 * GIB), GPU, 8192))


def test_loading_takes_two_of_the_weights_and_no_kv_cache() -> None:
    found = fit(CONFIG, Weights(20 * GIB), CPU, 8192, eager=True)
    processes = by_code(found)["processes"][1]
    assert found.high == 2 * 20 * GIB + processes
    assert found.low < 20 * GIB + 4 * GIB


def test_weights_of_32_bits_and_a_drafter() -> None:
    twice = Weights(2 * WEIGHTS.bytes, dtypes=(("F32", 2 * WEIGHTS.bytes),))
    assert by_code(fit(CONFIG, twice, CPU))["weights"] == by_code(fit(CONFIG, WEIGHTS, CPU))["weights"]
    more = fit(CONFIG, WEIGHTS, CPU, drafter=Weights(100))
    assert by_code(more)["weights"][0] == WEIGHTS.bytes + 100


def test_the_space_of_the_launch_and_what_the_context_needs() -> None:
    set_aside = fit(CONFIG, WEIGHTS, CPU, 8192, kv_space=3 * GIB)
    assert (set_aside.kv_space, set_aside.reason) == (3 * GIB, "")
    longer = fit(CONFIG, WEIGHTS, CPU, 1_000_000, kv_space=3 * GIB)
    assert longer.kv_space == -(-kv_of(CONFIG).bytes(1_000_000) // GIB) * GIB > 3 * GIB
    assert (longer.verdict, longer.reason) == (Verdict.FITS, "kv_space")
    assert fit(CONFIG, WEIGHTS, CPU).context == 32768  # its own


def test_what_is_not_known_of_a_gpu_is_a_range() -> None:
    sliding = CONFIG | {"layer_types": ["sliding_attention"] * 11 + ["full_attention"], "sliding_window": 512}
    low, high = by_code(fit(sliding, WEIGHTS, GPU, 8192))["kv"]
    assert low == kv_of(sliding, "gpu").exact(8192) < high == kv_of(sliding, "gpu").bytes(8192)
    assert by_code(fit(sliding, WEIGHTS, GPU, 8192, kv_space=2 * GIB))["kv"] == (2 * GIB, 2 * GIB)


def test_the_longest_context_for_which_there_is_room() -> None:
    exact = fit(CONFIG, WEIGHTS, GPU, 256)
    room = Room(device="gpu", memory=exact.high + kv_of(CONFIG, "gpu").bytes(9000))
    longest = fit(CONFIG, WEIGHTS, room, 256).largest
    assert longest is not None and 9000 <= longest < 9600  # and the space of the 256
    assert fit(CONFIG, WEIGHTS, CPU).largest == 32768
    assert fit(CONFIG, WEIGHTS, Room(device="cpu", memory=5 * GIB)).largest == 0
    assert fit(CONFIG, WEIGHTS, Room(device="cpu")).largest is None


@pytest.mark.parametrize(
    ("more", "verdict", "reason"),
    [
        (1.2, Verdict.FITS, ""),
        (1.11, Verdict.FITS, ""),
        (1.09, Verdict.TIGHT, "memory"),
        (1.0, Verdict.TIGHT, "memory"),
        (0.99, Verdict.TOO_BIG, "memory_maybe"),
        (0.4, Verdict.TOO_BIG, "memory"),
    ],
)
def test_verdicts_by_the_upper_estimate(more: float, verdict: Verdict, reason: str) -> None:
    high = fit(CONFIG, WEIGHTS, CPU, 8192).high
    found = fit(CONFIG, WEIGHTS, docker(int(high * more)), 8192)
    assert (found.verdict, found.reason) == (verdict, reason)


def test_only_what_is_free_can_be_used() -> None:
    busy = Room(device="cpu", memory=64 * GIB, free=2 * GIB)
    assert (busy.usable, fit(CONFIG, WEIGHTS, busy, 8192).verdict) == (2 * GIB, Verdict.TOO_BIG)
    assert Room(device="cpu", memory=3, free=9).usable == 3


def test_a_gpu_that_is_not_free_enough_to_begin() -> None:
    shared = Room(device="gpu", memory=100 * GIB, free=28 * GIB, share=0.3)
    assert fit(CONFIG, WEIGHTS, shared, 8192).reason == "share"
    assert fit(CONFIG, WEIGHTS, Room(device="gpu", memory=24 * GIB, share=0.3), 8192).reason == ""


def test_room_on_the_disk_with_the_image() -> None:
    room = Room(device="cpu", memory=64 * GIB, disk=10_000_000_000, image=8_500_000_000, one_disk=True)
    found = fit(CONFIG, WEIGHTS, room, 8192, download=1_900_000_000)
    assert (found.disk, found.verdict, found.reason) == (10_400_000_000, Verdict.TOO_BIG, "disk")
    assert fit(CONFIG, WEIGHTS, room, 8192).verdict is Verdict.FITS  # the weights are there


def test_a_download_leaves_room_on_the_disk_as_it_says_when_it_begins() -> None:
    for disk, reason in ((2_269_999_999, "disk"), (2_270_000_000, "")):
        room = Room(device="cpu", memory=64 * GIB, disk=disk)
        found = fit(CONFIG, WEIGHTS, room, 8192, download=1_770_000_000)
        assert (found.reason, found.disk, found.spare) == (reason, 1_770_000_000, HubSettings().floor)


@pytest.mark.parametrize(
    ("image", "free", "reason"),
    [(8_500_000_000, 8_000_000_000, "image"), (8_500_000_000, None, ""), (None, 1, ""), (0, 1, "")],
)
def test_the_image_on_a_disk_of_its_own(image: int | None, free: int | None, reason: str) -> None:
    """What is not known decides nothing."""
    room = Room(device="cpu", memory=64 * GIB, disk=10_000_000_000, image=image, image_disk=free)
    found = fit(CONFIG, WEIGHTS, room, 8192, download=1_900_000_000)
    assert (found.disk, found.reason) == (1_900_000_000, reason)


def test_no_context_is_longer_than_the_kv_cache_that_is_set_aside() -> None:
    found = fit(CONFIG, WEIGHTS, CPU, kv_space=GIB // 2)
    assert (found.reason, found.kv_space) == ("", GIB)
    long = CONFIG | {"max_position_embeddings": 1_000_000}
    found = fit(long, WEIGHTS, CPU, kv_space=GIB)
    assert found.reason == "kv_space" and found.largest is not None
    assert kv_of(long).bytes(found.largest) <= GIB < kv_of(long).bytes(found.largest + 128)


@pytest.mark.parametrize(
    ("config", "weights", "room", "reason", "detail"),
    [
        (CONFIG, None, CPU, "weights", ""),
        (CONFIG, Weights(0), CPU, "weights", ""),
        (CONFIG, WEIGHTS, Room(device="gpu"), "room", ""),
        (CONFIG | {"kv_lora_rank": 512}, WEIGHTS, CPU, "config", "MLA"),
        ({}, WEIGHTS, CPU, "config", "num_hidden_layers = None"),
        (CONFIG | {"max_position_embeddings": None}, WEIGHTS, CPU, "context", ""),
    ],
)
def test_what_is_not_known(
    config: dict[str, Any], weights: Weights | None, room: Room, reason: str, detail: str
) -> None:
    found = fit(config, weights, room)
    assert (found.verdict, found.reason, found.detail) == (Verdict.UNKNOWN, reason, detail)


def test_what_does_not_fit_by_its_weights_alone_needs_no_config() -> None:
    found = fit({}, Weights(100 * GIB), CPU)
    assert (found.verdict, found.reason) == (Verdict.TOO_BIG, "memory")
