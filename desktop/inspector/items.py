"""What a token card is painted of."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text in its box; `whole` is what it says if it was shortened."""

    rect: QRectF
    text: str
    font: QFont
    colour: str
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft
    whole: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text of several lines."""

    rect: QRectF
    text: str
    font: QFont
    colour: str


@dataclass(frozen=True, slots=True)
class Fill:
    """A box; `hatch` for what is not a single token."""

    rect: QRectF
    colour: str
    radius: float = 0
    hatch: bool = False


@dataclass(frozen=True, slots=True)
class Icon:
    """One of our icons."""

    rect: QRectF
    name: str
    colour: str


Item = Text | Paragraph | Fill | Icon
