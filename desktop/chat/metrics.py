"""The lengths and fonts that the transcript is laid out with, all at the present zoom."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QFont, QFontMetricsF

from desktop.kit import fonts
from desktop.kit.theme import CONTROL_SMALL, RADIUS_BOX, RADIUS_TOKEN, SPACE_8, SPACE_12, SPACE_16

COLUMN = 684  # widest text column
MARGIN = 32
MARGIN_NARROW = 16
NARROW = 480


@dataclass(frozen=True)
class Metrics:
    """Pixels. `line`, `code_line`: from one line to the next. `pad_*`: space inside a box or beside text."""

    font: QFont
    code_font: QFont
    special_font: QFont
    line: int
    code_line: int
    blank: int
    space: float  # width of a blank in answer text
    mean: float  # of an ordinary character, for estimates
    em: int
    gap_small: int
    gap: int
    gap_large: int
    row: int
    token_inset: int
    token_radius: int
    pill_pad: int  # within a pill beside its text
    pill_gap: int  # from the text before to a pill's text
    box_radius: int
    tab: float

    @property
    def code_inset(self) -> int:
        return max((self.code_line - (self.line - 2 * self.token_inset)) // 2, 1)


def measure() -> Metrics:
    """The metrics at the present zoom and with the fonts that are here."""
    answer = fonts.font("answer")
    code = fonts.font("mono")
    special = fonts.font("mono")
    special.setPixelSize(fonts.px(12))
    of_answer = QFontMetricsF(answer)
    return Metrics(
        font=answer,
        code_font=code,
        special_font=special,
        line=fonts.line_height("answer"),
        code_line=fonts.line_height("mono"),
        blank=fonts.px(SPACE_12),
        space=of_answer.horizontalAdvance(" "),
        mean=of_answer.horizontalAdvance("the quick brown fox jumps over a lazy dog") / 41,
        em=answer.pixelSize(),
        gap_small=fonts.px(SPACE_8),
        gap=fonts.px(SPACE_12),
        gap_large=fonts.px(SPACE_16),
        row=fonts.px(CONTROL_SMALL + 2),
        token_inset=fonts.px(3),
        token_radius=fonts.px(RADIUS_TOKEN),
        pill_pad=fonts.px(5),
        pill_gap=fonts.px(8),
        box_radius=fonts.px(RADIUS_BOX),
        tab=4 * QFontMetricsF(code).horizontalAdvance(" "),
    )


def column(width: int) -> tuple[int, int]:
    """(left edge, width) of the text column in a view this wide; composer and transcript share it."""
    widest = fonts.px(COLUMN)
    margin = fonts.px(MARGIN if width >= fonts.px(NARROW) else MARGIN_NARROW)
    text = max(min(widest, width - 2 * margin), fonts.px(120))
    return max((width - text) // 2, 0), text
