"""Real tokens of many scripts on the screen: each token's place leads back to it, copying gives the text."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from desktop.chat.blocks import AnswerBlock
from desktop.chat.brushes import Brushes
from desktop.chat.metrics import measure
from desktop.chat.selection import answer_text
from desktop.chat.turns import AnswerTurn
from desktop.kit.theme import LIGHT
from tests.core.prompt.conftest import Family, family, prompts
from tests.core.prompt.test_real_vocabularies import TEXTS, written

__all__ = ["family", "prompts"]  # fixtures


@pytest.mark.parametrize("name", TEXTS)
def test_the_pointer_finds_the_right_token(qtbot: QtBot, family: Family, name: str) -> None:
    text = TEXTS[name] * 3
    table, _ = written(family, family.ids(text))
    block = AnswerBlock(AnswerTurn("a", table, family.vocabulary), measure(), Brushes(LIGHT))
    block.set_width(420)
    layout, tokens = block.answer.layout, block.answer.tokens
    assert tokens is not None
    layout.settle(0, len(layout.flow.chunks) - 1)
    found, missed = 0, []
    for token in range(len(table)):
        first, last = table.span(token)
        if first == last or not layout.heights[layout.flow.chunk_at(first)]:
            continue
        for rect in tokens.rects(token):
            unit = tokens.unit_at(rect.center().x(), rect.center().y())
            if rect.width() <= 4:  # a blank at a line's end has only a mark
                continue
            found += 1
            if unit is None or token not in tokens.tokens_at(unit):
                missed.append((token, rect))
    assert found >= len(table) * 0.8
    assert not missed
    assert answer_text(block) == table.text
