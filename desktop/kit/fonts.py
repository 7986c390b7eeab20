"""Owns the type scale: which family, size and weight each role has, and the zoom that all sizes share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo

_UI_FIRST: Final = ("Inter",)
_MONO_FIRST: Final = ("JetBrains Mono",)
_UI_CJK: Final = ("Noto Sans TC", "Noto Sans CJK TC", "PingFang TC", "Microsoft JhengHei UI")
_MONO_CJK: Final = ("Noto Sans Mono CJK TC", "Sarasa Mono TC", "PingFang TC", "MingLiU")

NORMAL: Final = QFont.Weight.Normal
STRONG: Final = QFont.Weight.DemiBold


@dataclass(frozen=True, slots=True)
class TypeRole:
    """One row of the type scale: pixels at zoom 100 %, line height likewise."""

    size: int
    line: int
    weight: QFont.Weight
    mono: bool = False


ROLES: Final[dict[str, TypeRole]] = {
    "title": TypeRole(21, 28, STRONG),
    "card_title": TypeRole(18, 24, STRONG),
    "section": TypeRole(15, 22, STRONG),
    "body": TypeRole(13, 20, NORMAL),
    "body_strong": TypeRole(13, 20, STRONG),
    "small": TypeRole(12, 18, NORMAL),
    "small_strong": TypeRole(12, 18, STRONG),
    "caption": TypeRole(11, 16, NORMAL),
    "caption_strong": TypeRole(11, 16, STRONG),
    "answer": TypeRole(15, 28, NORMAL),
    "mono": TypeRole(13, 20, NORMAL, mono=True),
    "mono_small": TypeRole(11, 20, NORMAL, mono=True),
}

_zoom = 100


def set_zoom(percent: int) -> None:
    """Size of everything, 100 = as designed. `Appearance` calls this; others only read."""
    global _zoom
    _zoom = percent


def zoom() -> int:
    return _zoom


def px(value: float) -> int:
    """A design length in pixels at the present zoom; hairlines (≤ 1) stay as they are."""
    if value <= 1:
        return round(value)
    return max(1, round(value * _zoom / 100))


@cache
def families(mono: bool) -> tuple[str, ...]:
    """Families by preference, only such that exist here, so that no lookup fails while painting."""
    kind = QFontDatabase.SystemFont.FixedFont if mono else QFontDatabase.SystemFont.GeneralFont
    # The system may name only a kind ("Sans Serif"), which would lose to the first family that does exist: a
    # Chinese one, with full-width apostrophes. QFontInfo gives the family behind the name.
    system = QFontInfo(QFontDatabase.systemFont(kind)).family()
    first, cjk = (_MONO_FIRST, _MONO_CJK) if mono else (_UI_FIRST, _UI_CJK)
    present = [name for name in first if QFontDatabase.hasFamily(name)]
    present.append(system)
    present += [name for name in cjk if QFontDatabase.hasFamily(name)]
    return tuple(dict.fromkeys(present))


def font(role: str) -> QFont:
    """The font of a role of the type scale, at the present zoom. Raises KeyError for an unknown role."""
    found = ROLES[role]
    made = QFont(list(families(found.mono)))
    made.setPixelSize(px(found.size))
    made.setWeight(found.weight)
    if found.mono or role == "answer":
        # where tokens are looked at, a ligature would hide where one ends and the next begins
        for tag in ("liga", "clig"):
            made.setFeature(QFont.Tag(tag), 0)
    if found.mono:
        made.setFeature(QFont.Tag("calt"), 0)  # elsewhere it shapes whole scripts
        made.setStyleHint(QFont.StyleHint.Monospace)
        made.setFixedPitch(True)
    else:
        made.setFeature(QFont.Tag("tnum"), 1)
    return made


def line_height(role: str) -> int:
    """Pixels from one line to the next for a role, at the present zoom."""
    return px(ROLES[role].line)
