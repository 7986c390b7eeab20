"""What servers take of sampling values: checked and shown from one table."""

from __future__ import annotations

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.base import Sampling
from core.engines.limits import ranges, within
from core.engines.vllm.asked import check
from core.errors import EngineError

REFUSALS = ("greedy", "min_p", "top_k")


def refused(sampling: Sampling, *refuses: str) -> str:
    """The name of the value that is not taken."""
    with pytest.raises(EngineError) as caught:
        check(sampling, refuses)
    assert caught.value.code == "server.limit"
    return str(caught.value.params["name"])


def test_greedy_refused_needs_a_temperature_and_a_top_k() -> None:
    check(Sampling(temperature=0.0))
    assert refused(Sampling(temperature=0.0, top_k=5), "greedy") == "temperature"
    assert refused(Sampling(temperature=1.0, top_k=0), "greedy") == "top_k"
    assert refused(Sampling(temperature=0.04, top_k=5), "greedy") == "temperature"
    check(Sampling(temperature=0.05, top_k=400), ("greedy",))
    moved = within(Sampling(temperature=0.0, top_k=0), ("greedy",))
    assert (moved.temperature, moved.top_k) == (0.05, 128)


def test_speculation_takes_no_min_p_and_on_some_builds_no_top_k() -> None:
    assert refused(Sampling(min_p=0.1), "min_p") == "min_p"
    assert refused(Sampling(temperature=1.0, top_k=5), "top_k") == "top_k"
    check(Sampling(temperature=0.0, top_k=5), ("top_k",))
    assert within(Sampling(temperature=1.0, top_k=5, min_p=0.1), ("min_p", "top_k")) == Sampling()
    assert within(Sampling(temperature=0.0, top_k=5), ("top_k",)).top_k == 5


def test_what_is_narrower_says_why() -> None:
    assert {one.why for one in ranges().values()} == {None}
    narrowed = {name: one.why for name, one in ranges(("greedy", "min_p")).items() if one.why}
    assert narrowed == {"temperature": "greedy", "top_k": "greedy", "min_p": "min_p"}


def test_limits_are_told_as_numbers() -> None:
    assert ranges()["temperature"].text == "0, or 0.01 … 2"
    assert ranges()["top_p"].text == "> 0 … 1"
    assert ranges(("greedy",))["top_k"].text == "1 …"
    assert ranges(("top_k",))["top_k"].text == "0"


@given(
    st.floats(0, 3), st.integers(-5, 500), st.floats(0, 1.5), st.floats(-1, 2),
    st.lists(st.sampled_from(REFUSALS), unique=True),
)  # fmt: skip
def test_moved_values_are_always_taken(
    temperature: float, top_k: int, top_p: float, min_p: float, refuses: list[str]
) -> None:
    sampling = Sampling(temperature=temperature, top_k=top_k, top_p=top_p, min_p=min_p)
    moved = within(sampling, refuses)
    check(moved, refuses)
    assert isinstance(moved.top_k, int) and math.isfinite(moved.temperature)
    assert within(moved, refuses) == moved
    assert msgspec.json.decode(msgspec.json.encode(moved), type=Sampling) == moved
