"""Owns the design tokens: the frozen `Theme` with every colour of the program, the sizes, the heat steps.

No Qt in here: `style.py` turns a Theme into a palette and a style sheet, painters read its fields.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

# Sizes at zoom 100 % (13 px body text); `style.Scale` multiplies them.
SPACE_2: Final = 2
SPACE_4: Final = 4
SPACE_8: Final = 8
SPACE_12: Final = 12
SPACE_16: Final = 16
SPACE_24: Final = 24
SPACE_32: Final = 32
SPACE_48: Final = 48

RADIUS_TOKEN: Final = 3
RADIUS_CONTROL: Final = 6
RADIUS_BANNER: Final = 8
RADIUS_BOX: Final = 10
RADIUS_CARD: Final = 12

CONTROL: Final = 32
CONTROL_SMALL: Final = 28
CONTROL_BAR: Final = 34
ROW: Final = 44
ROW_LOG: Final = 20
LIST_GAP: Final = 2
RUN_BAR: Final = 52
TAB_BAR: Final = 40
STATUS_BAR: Final = 26

LINE: Final = 1
FOCUS_WIDTH: Final = 2
ICON: Final = 16
ICON_BAR: Final = 18

BASE_PX: Final = 13
ZOOM_MIN: Final = 80
ZOOM_MAX: Final = 200

SHADOW: Final = "#000000"  # of what floats, at the theme's `shadow_alpha`

# Milliseconds; all become 0 with "reduce motion".
CARD_FADE_MS: Final = 90
PANEL_MS: Final = 120

Ramp5 = tuple[str, str, str, str, str]
Ramp7 = tuple[str, str, str, str, str, str, str]


@dataclass(frozen=True, slots=True)
class Theme:
    """All colours of one appearance as "#RRGGBB", named by role; `bar_extra` px go on top of a heat bar."""

    name: str
    dark: bool
    bg: str
    surface: str
    side: str
    raised: str
    hover: str
    line: str
    ctl: str
    text: str
    text2: str
    text3: str
    accent: str
    accent_hover: str
    accent_soft: str
    on_accent: str
    ok: str
    ok_soft: str
    warn: str
    warn_soft: str
    err: str
    err_soft: str
    selection: str
    focus: str
    doubt_bar: str
    shadow_alpha: int  # 0..255, black; 0 = borders only
    heat_probability: Ramp7
    heat_rank: Ramp5
    heat_surprise: Ramp7
    bar_extra: int = 0


LIGHT: Final = Theme(
    name="light",
    dark=False,
    bg="#F1F3F4",
    surface="#FFFFFF",
    side="#F7F8F9",
    raised="#FFFFFF",
    hover="#EDEFF1",
    line="#E2E5E8",
    ctl="#868F99",
    text="#15181C",
    text2="#454D56",
    text3="#626B75",
    accent="#0B6B74",
    accent_hover="#095A62",
    accent_soft="#DFF1F2",
    on_accent="#FFFFFF",
    ok="#1B7A4B",
    ok_soft="#E2F4EA",
    warn="#8A5300",
    warn_soft="#FFF3D9",
    err="#B4261E",
    err_soft="#FDECEA",
    selection="#CDE7EA",
    focus="#0B6B74",
    doubt_bar="#4A2400",
    shadow_alpha=46,
    heat_probability=("#FFFFFF", "#FFF5DE", "#FFE9BC", "#FFD98F", "#FFC25C", "#F9A43A", "#EE8431"),
    heat_rank=("#FFFFFF", "#B9DCFE", "#FBE16C", "#E69A64", "#C07FCB"),
    heat_surprise=("#FFFFFF", "#E7EAFF", "#CED3FE", "#B4BDFC", "#9BA6F7", "#8190F1", "#657BEB"),
)

DARK: Final = Theme(
    name="dark",
    dark=True,
    bg="#0E1012",
    surface="#16191C",
    side="#121417",
    raised="#202429",
    hover="#22262B",
    line="#2A2F35",
    ctl="#6F7983",
    text="#E9EBEE",
    text2="#B8BFC7",
    text3="#929BA5",
    accent="#58C4CC",
    accent_hover="#7AD4DA",
    accent_soft="#143438",
    on_accent="#06282B",
    ok="#62CC97",
    ok_soft="#12301F",
    warn="#F0B65B",
    warn_soft="#352711",
    err="#FF8F85",
    err_soft="#3A1B19",
    selection="#1F4A50",
    focus="#58C4CC",
    doubt_bar="#FFD694",
    shadow_alpha=140,
    heat_probability=("#16191C", "#2B2217", "#3D2D18", "#503918", "#634617", "#775315", "#8B6011"),
    heat_rank=("#16191C", "#003551", "#473D15", "#99591B", "#7E5495"),
    heat_surprise=("#16191C", "#27233A", "#322E55", "#3C3971", "#46448F", "#4E50AE", "#565CCE"),
)

HIGH_CONTRAST: Final = Theme(
    name="high_contrast",
    dark=True,
    bg="#000000",
    surface="#000000",
    side="#000000",
    raised="#000000",
    hover="#1A1A1A",
    line="#FFFFFF",
    ctl="#FFFFFF",
    text="#FFFFFF",
    text2="#FFFFFF",
    text3="#E0E0E0",
    accent="#5CF0FF",
    accent_hover="#A6F7FF",
    accent_soft="#003A40",
    on_accent="#000000",
    ok="#6BFFB0",
    ok_soft="#000000",
    warn="#FFD24D",
    warn_soft="#000000",
    err="#FF9D94",
    err_soft="#000000",
    selection="#005F69",
    focus="#FFFF00",
    doubt_bar="#FFFFFF",
    shadow_alpha=0,
    heat_probability=("#000000", "#20170B", "#36260F", "#4E3511", "#674611", "#81570F", "#9C680A"),
    heat_rank=("#000000", "#004261", "#4F4319", "#AC5D0A", "#8B5BA7"),
    heat_surprise=("#000000", "#181929", "#242848", "#2F3869", "#38498D", "#3F5BB2", "#446ED9"),
    bar_extra=1,
)

THEMES: Final[dict[str, Theme]] = {theme.name: theme for theme in (LIGHT, DARK, HIGH_CONTRAST)}

# Lower limits of the steps 0..5; below the last one is step 6. Compared as logarithms: no exp() per token.
PROBABILITY_LIMITS: Final = (0.90, 0.70, 0.50, 0.30, 0.15, 0.05)
_LOG_LIMITS: Final = tuple(math.log(limit) for limit in PROBABILITY_LIMITS)
SURPRISE_LIMITS: Final = (0.5, 1.0, 2.0, 4.0, 6.0, 8.0)
RANK_LIMITS: Final = (1, 10, 100, 1000)

_BARS_7: Final = (0, 0, 0, 1, 1, 2, 3)
_BARS_RANK: Final = (0, 0, 1, 2, 3)


def heat_step(logprob: float) -> int:
    """Step 0 (≥ 90 %) to 6 (< 5 %) of a natural log probability. NaN is unknown and takes step 0: no mark."""
    if logprob != logprob:
        return 0
    for step, limit in enumerate(_LOG_LIMITS):
        if logprob >= limit:
            return step
    return 6


def surprise_step(bits: float) -> int:
    """Step 0 (< 0.5 bits) to 6 (≥ 8 bits). NaN takes step 0."""
    for step, limit in enumerate(SURPRISE_LIMITS):
        if bits < limit:
            return step
    return 0 if bits != bits else 6


def rank_step(rank: int) -> int:
    """Band 0 (#1), 1 (≤ 10), 2 (≤ 100), 3 (≤ 1,000), 4 (beyond). 0 or less is unknown: band 0."""
    for step, limit in enumerate(RANK_LIMITS):
        if rank <= limit:
            return step
    return 4


def bar_height(step: int) -> int:
    """Pixels of the doubt bar at the bottom edge of a token of this step (then see `bar_pixels`)."""
    return _BARS_7[step]


def rank_bar_height(band: int) -> int:
    """Pixels of the doubt bar of a token of this rank band."""
    return _BARS_RANK[band]


def bar_pixels(theme: Theme, height: int) -> int:
    """A bar's height as this theme draws it: none stays none, the others grow by `bar_extra`."""
    return height + theme.bar_extra if height else 0


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def luminance(colour: str) -> float:
    """Relative luminance, 0..1 (WCAG 2.2)."""
    r, g, b = (
        v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
        for v in (c / 255 for c in _channels(colour))
    )
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, 1..21 (WCAG 2.2)."""
    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def mix(colour: str, into: str, share: float) -> str:
    """`share` (0..1) of `colour` over `into`, opaque: for disabled controls and other half tones."""
    pairs = zip(_channels(colour), _channels(into), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02X}" for a, b in pairs)
