"""Numbers are written as ui.md §4 says: never a figure that is not true, never "0.0 %"."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tokens import figures


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.613, "61.3 %"),
        (0.0005, "0.050 %"),
        (0.0004, "0.040 %"),
        (0.00099999, "0.10 %"),
        (0.001, "0.1 %"),
        (0.000034, "0.0034 %"),
        (0.9994, "99.9 %"),
        (0.9995, "> 99.9 %"),
        (1 - 1e-12, "> 99.9 %"),
        (1.0, "100 %"),
        (0.0, "0 %"),
        (math.nan, "—"),
        (1e-9, "1.0 × 10⁻⁷ %"),
        (9.99e-7, "0.00010 %"),
    ],
)
def test_percent(share: float, text: str) -> None:
    assert figures.percent(share) == text


def test_percent_of_keeps_what_exp_would_lose() -> None:
    assert figures.percent_of(0.0) == "100 %"
    assert figures.percent_of(-1e-9) == "> 99.9 %"
    assert figures.percent_of(-math.inf) == "0 %"
    assert figures.percent_of(-1000.0) == "5.1 × 10⁻⁴³³ %"
    assert figures.percent_of(math.nan) == "—"


def _value(text: str) -> float:
    return float(text.replace(" %", "").replace("> ", "")) / 100


@given(st.floats(min_value=1e-6, max_value=0.9994))
def test_percent_is_close_and_never_zero(share: float) -> None:
    text = figures.percent(share)
    assert not text.startswith("0.0 ")
    if "×" not in text:
        close = 0.0005 if share >= 1e-3 else share * 0.051
        assert abs(_value(text) - share) <= close + 1e-12
        assert _value(text) > 0


@given(st.floats(min_value=1e-300, max_value=1.0))
def test_share_and_logarithm_read_alike(share: float) -> None:
    one, other = figures.percent(share), figures.percent_of(math.log(share))
    if "×" in one or "×" in other or one == other:
        return
    # log and exp may move a value over a rounding edge, not further
    assert abs(_value(one) - _value(other)) <= 0.0011


def test_bits_ranks_counts_seconds() -> None:
    assert figures.bits(0.714) == "0.71"
    assert figures.bits(-0.0) == "0.00"
    assert figures.bits(-0.001) == "0.00"
    assert figures.bits(math.inf) == "∞"
    assert figures.bits(1234.5) == "1,234.50"
    assert figures.surprise(0.0) == 0.0
    assert figures.surprise(math.log(0.25)) == pytest.approx(2.0)
    assert figures.rank(1) == "#1"
    assert figures.rank(12345) == "#12,345"
    assert figures.count(1240) == "1,240"
    assert figures.score(18.4249) == "18.42"
    assert figures.seconds(120) == "0.12"
    assert figures.seconds(3.4) == "0.003"
    assert figures.seconds(10) == "0.01"
    assert figures.seconds(3140) == "3.1"
    assert figures.seconds(999) == "1.0"
    assert figures.seconds(75_400) == "75"
