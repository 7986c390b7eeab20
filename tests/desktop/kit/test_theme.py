"""The Theme values: contrast of every pair that is drawn, and the heat scales for colour-blind eyes."""

from __future__ import annotations

import dataclasses
import itertools
import math
import re

import pytest

from desktop.kit import theme as t
from desktop.kit.theme import THEMES, Theme, contrast

ALL = list(THEMES.values())
NAMES = list(THEMES)

# Machado, Oliveira, Fernandes 2009, severity 1.0, on linear RGB.
SIGHT = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def linear(colour: str) -> list[float]:
    values = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]


def seen(colour: str, sight: str) -> list[float]:
    rgb = linear(colour)
    return [min(1.0, max(0.0, sum(m * c for m, c in zip(row, rgb, strict=True)))) for row in SIGHT[sight]]


def lab(rgb: list[float]) -> tuple[float, float, float]:
    r, g, b = rgb
    x = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047
    y = 0.2126729 * r + 0.7151522 * g + 0.0721750 * b
    z = (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883

    def f(v: float) -> float:
        return v ** (1 / 3) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116

    return 116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))


def ciede2000(one: tuple[float, float, float], two: tuple[float, float, float]) -> float:
    """Sharma, Wu, Dalal 2005."""
    (l1, a1, b1), (l2, a2, b2) = one, two
    c_mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(c_mean**7 / (c_mean**7 + 25**7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = math.degrees(math.atan2(b1, a1)) % 360, math.degrees(math.atan2(b2, a2)) % 360
    dl, dc = l2 - l1, c2 - c1
    dh = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    d_h = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(dh) / 2)
    l_m, c_m = (l1 + l2) / 2, (c1 + c2) / 2
    if c1 * c2 == 0:
        h_m = h1 + h2
    elif abs(h1 - h2) <= 180:
        h_m = (h1 + h2) / 2
    else:
        h_m = (h1 + h2 + (360 if h1 + h2 < 360 else -360)) / 2
    tt = (
        1
        - 0.17 * math.cos(math.radians(h_m - 30))
        + 0.24 * math.cos(math.radians(2 * h_m))
        + 0.32 * math.cos(math.radians(3 * h_m + 6))
        - 0.20 * math.cos(math.radians(4 * h_m - 63))
    )
    s_l = 1 + 0.015 * (l_m - 50) ** 2 / math.sqrt(20 + (l_m - 50) ** 2)
    s_c, s_h = 1 + 0.045 * c_m, 1 + 0.015 * c_m * tt
    r_c = 2 * math.sqrt(c_m**7 / (c_m**7 + 25**7))
    r_t = -math.sin(math.radians(60 * math.exp(-(((h_m - 275) / 25) ** 2)))) * r_c
    return math.sqrt((dl / s_l) ** 2 + (dc / s_c) ** 2 + (d_h / s_h) ** 2 + r_t * (dc / s_c) * (d_h / s_h))


def difference(one: str, two: str, sight: str) -> float:
    return ciede2000(lab(seen(one, sight)), lab(seen(two, sight)))


def test_ciede2000_agrees_with_the_published_pairs() -> None:
    # Sharma's test data, pairs 1, 4, 7, 13, 25
    for one, two, expected in (
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, -1.3802, -84.2814), (50, 0, -82.7485), 1.0000),
        ((50, 0, 0), (50, -1, 2), 2.3669),
        ((50, -0.001, 2.49), (50, 0.0011, -2.49), 4.7461),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ):
        assert ciede2000(one, two) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("theme", ALL, ids=NAMES)
def test_every_colour_is_a_plain_hex_value(theme: Theme) -> None:
    for field in dataclasses.fields(theme):
        value = getattr(theme, field.name)
        for colour in value if isinstance(value, tuple) else (value,):
            if isinstance(colour, str) and field.name != "name":
                assert re.fullmatch(r"#[0-9A-F]{6}", colour), field.name


@pytest.mark.parametrize(
    ("theme", "lowest"), [(t.LIGHT, 4.6), (t.DARK, 5.4), (t.HIGH_CONTRAST, 8.7)], ids=NAMES
)
def test_words_are_readable_on_every_ground(theme: Theme, lowest: float) -> None:
    grounds = (theme.surface, theme.side, theme.bg, theme.raised, theme.hover)
    inks = (theme.text, theme.text2, theme.text3, theme.accent, theme.ok, theme.warn, theme.err)
    worst = min(contrast(ink, ground) for ink in inks for ground in grounds)
    assert worst >= lowest - 0.05


@pytest.mark.parametrize("theme", ALL, ids=NAMES)
def test_words_on_soft_colours_accent_and_selection(theme: Theme) -> None:
    for ink, soft in (
        (theme.accent, theme.accent_soft),
        (theme.ok, theme.ok_soft),
        (theme.warn, theme.warn_soft),
        (theme.err, theme.err_soft),
    ):
        assert contrast(ink, soft) >= 4.65
        assert contrast(theme.text, soft) >= 4.65
    assert contrast(theme.on_accent, theme.accent) >= 6.15
    assert contrast(theme.on_accent, theme.accent_hover) >= 6.15
    assert contrast(theme.text, theme.selection) >= 4.5
    assert contrast(theme.text2, theme.accent_soft) >= 4.5


@pytest.mark.parametrize("theme", ALL, ids=NAMES)
def test_controls_and_focus_stand_out(theme: Theme) -> None:
    for ground in (theme.surface, theme.side):
        assert contrast(theme.ctl, ground) >= 3.05
        assert contrast(theme.focus, ground) >= 3.0


@pytest.mark.parametrize("theme", ALL, ids=NAMES)
@pytest.mark.parametrize("scale", ["heat_probability", "heat_rank", "heat_surprise"])
def test_text_and_bar_are_readable_on_heat(theme: Theme, scale: str) -> None:
    steps = getattr(theme, scale)
    assert steps[0] == theme.surface, "a sure token has no mark"
    for step in steps:
        assert contrast(theme.text, step) >= 4.55
        assert contrast(theme.doubt_bar, step) >= 3.55


@pytest.mark.parametrize("theme", ALL, ids=NAMES)
@pytest.mark.parametrize("sight", SIGHT)
def test_heat_steps_differ_for_every_sight(theme: Theme, sight: str) -> None:
    for ramp in (theme.heat_probability, theme.heat_surprise):
        assert min(difference(a, b, sight) for a, b in itertools.pairwise(ramp)) >= 5.25
    bands = itertools.combinations(theme.heat_rank, 2)
    assert min(difference(a, b, sight) for a, b in bands) >= 13.45


@pytest.mark.parametrize(
    ("percent", "step"),
    [
        (100, 0),
        (90, 0),
        (89.9, 1),
        (70, 1),
        (69.9, 2),
        (50, 2),
        (49.9, 3),
        (30, 3),
        (29.9, 4),
        (15, 4),
        (14.9, 5),
        (5, 5),
        (4.9, 6),
        (1e-9, 6),
    ],
)
def test_heat_step_limits(percent: float, step: int) -> None:
    assert t.heat_step(math.log(percent / 100)) == step


def test_heat_step_of_unknown_and_impossible() -> None:
    assert t.heat_step(math.nan) == 0
    assert t.heat_step(-math.inf) == 6
    assert t.heat_step(0.0) == 0
    assert t.heat_step(1e-9) == 0


def test_surprise_and_rank_steps() -> None:
    assert [t.surprise_step(v) for v in (0, 0.49, 0.5, 1, 2, 4, 6, 7.99, 8, 30)] == [
        0,
        0,
        1,
        2,
        3,
        4,
        5,
        5,
        6,
        6,
    ]
    assert t.surprise_step(math.nan) == 0
    assert [t.rank_step(v) for v in (0, 1, 2, 10, 11, 100, 101, 1000, 1001)] == [0, 0, 1, 1, 2, 2, 3, 3, 4]


def test_bars_grow_with_doubt() -> None:
    assert [t.bar_height(step) for step in range(7)] == [0, 0, 0, 1, 1, 2, 3]
    assert [t.rank_bar_height(band) for band in range(5)] == [0, 0, 1, 2, 3]
    assert [t.bar_pixels(t.HIGH_CONTRAST, h) for h in (0, 1, 2, 3)] == [0, 2, 3, 4]
    assert t.bar_pixels(t.LIGHT, 3) == 3


def test_mix() -> None:
    assert t.mix("#FFFFFF", "#000000", 0.5) in ("#808080", "#7F7F7F")
    assert t.mix("#123456", "#000000", 1.0) == "#123456"
