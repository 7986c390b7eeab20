"""Slider positions and typed values of the sampling dock."""

from __future__ import annotations

import pytest

from core.engines.limits import Range
from desktop.sampling.scales import SCALES, STEPS, Scale, narrowed, seed_from, tokens_from


@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale.name)
def test_a_slider_gives_back_the_values_it_can_show(scale: Scale) -> None:
    for position in range(0, STEPS + 1, 25):
        value = scale.value(position)
        assert scale.low <= value <= scale.high
        assert scale.value(scale.position(value)) == pytest.approx(value, abs=10**-scale.decimals)
    assert scale.position(scale.end) == STEPS
    assert scale.position(scale.high) == STEPS
    assert scale.position(scale.low) == 0


def test_recommended_values_are_hit_exactly() -> None:
    by_name = {scale.name: scale for scale in SCALES}
    for name, value in (
        ("temperature", 0.2),
        ("temperature", 1.0),
        ("top_k", 20),
        ("top_k", 40),
        ("top_p", 0.95),
        ("repetition_penalty", 1.0),
    ):
        scale = by_name[name]
        assert scale.value(scale.position(value)) == pytest.approx(value)


def test_seeds() -> None:
    assert seed_from("") is None
    assert seed_from(" 4217 ") == 4217
    assert seed_from("4,217") == 4217
    for bad in ("x", "-1", "1.5", str(2**63)):
        with pytest.raises(ValueError):
            seed_from(bad)


def test_limits() -> None:
    assert tokens_from(" ") is None
    assert tokens_from("512") == 512
    for bad in ("0", "-4", "many"):
        with pytest.raises(ValueError):
            tokens_from(bad)


def test_a_scale_is_narrowed_to_what_an_engine_takes() -> None:
    temperature, top_k = SCALES[0], SCALES[1]
    assert narrowed(temperature, Range(0.01, 2.0, zero=True)).low == 0.0
    assert narrowed(temperature, Range(0.05, 2.0)).high == 2.0
    shorter = narrowed(top_k, Range(1, end=128))
    assert (shorter.value(0), shorter.value(STEPS), shorter.high) == (1, 128, top_k.high)
