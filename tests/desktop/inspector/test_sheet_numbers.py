"""No number of a card is ever cut short, however small it is."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetricsF

from core.tokens.row import Candidate, TokenRow
from desktop.inspector.items import Fill, Text
from desktop.inspector.model import card_model
from desktop.inspector.sheet import WIDTH, WIDTH_NARROW, Sheet
from desktop.inspector.values import AnswerFacts
from desktop.kit.theme import LIGHT
from tests.fakes.answers import Answer

TINY = -13.7  # 0.00011 %


@pytest.mark.parametrize("width", [WIDTH, WIDTH_NARROW])
def test_a_tiny_share_is_written_whole_beside_its_bar(qapp: object, width: int) -> None:
    answer = Answer([b"sure", b"odd"])
    listed = (Candidate(0, -0.1, 1), Candidate(1, TINY, 40_000))
    answer.row(TokenRow(1, 1.0, logprob=TINY, rank=40_000, candidates=listed)).finish()
    facts = AnswerFacts(evidence=("model",), engine="vllm")
    sheet = Sheet(card_model(answer.table, 0, answer.vocabulary, facts), LIGHT, width)
    values = [
        item
        for item in sheet.items
        if isinstance(item, Text) and item.text == "0.00011 %" and item.rect.x() > 50
    ]
    assert len(values) == 1, "the row's value, not shortened"
    value = values[0]
    assert QFontMetricsF(value.font).horizontalAdvance(value.text) <= value.rect.width()
    same_line = [
        item
        for item in sheet.items
        if isinstance(item, Fill) and value.rect.top() < item.rect.center().y() < value.rect.bottom()
    ]
    bars = [item for item in same_line if item.rect.width() < width / 2]
    assert bars and all(bar.rect.right() <= value.rect.left() for bar in bars)
