"""The part "This answer": figures while it grows, rows that lead to their tokens, no work when hidden."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.tokens.table import TokenTable
from core.tokens.vocabulary import Vocabulary
from desktop.sampling.answer_panel import AnswerPanel
from desktop.sampling.summary import AnswerSummary

from .test_summary import VOCABULARY, append


@pytest.fixture
def panel(qtbot: QtBot) -> AnswerPanel:
    made = AnswerPanel()
    qtbot.addWidget(made)
    made.resize(296, 400)
    made.show()
    return made


@pytest.fixture
def table() -> TokenTable:
    made = TokenTable()
    for index, probability in enumerate((0.9, 0.2, 0.5, 0.046, 0.7, 0.3, 0.8)):
        append(made, index, probability, index * 50.0)
    return made


def test_figures_and_rows(panel: AnswerPanel, table: TokenTable, qtbot: QtBot) -> None:
    assert panel._empty.isVisible()
    panel.watch(AnswerSummary("turn", table, VOCABULARY), live=True)
    assert not panel._empty.isVisible()
    assert panel._tokens.value.text() == "7"
    assert panel._rate.value.text() == "20.0"
    rows = [row for row in panel.rows if row.isVisible()]
    assert len(rows) == 5
    assert rows[0].accessibleName() == " w3, token 4, 4.6 %"
    with qtbot.waitSignal(panel.token_clicked) as signal:
        qtbot.mouseClick(rows[0], Qt.MouseButton.LeftButton)
    assert signal.args == ["turn", 3]
    with qtbot.waitSignal(panel.token_clicked):
        qtbot.keyClick(rows[1], Qt.Key.Key_Space)


def test_it_looks_four_times_a_second_at_most(panel: AnswerPanel, table: TokenTable) -> None:
    panel.watch(AnswerSummary("turn", table, VOCABULARY), live=True)
    for index in range(20):
        append(table, index, 0.5, 1000.0 + index)
        panel.mark()
    assert panel._tokens.value.text() == "7"
    panel._timer.timeout.emit()
    assert panel._tokens.value.text() == "27"


def test_the_end_shows_the_engines_speed_at_once(panel: AnswerPanel, table: TokenTable) -> None:
    panel.watch(AnswerSummary("turn", table, VOCABULARY), live=True)
    append(table, 8, 0.5)
    panel.finish(12.34)
    assert panel._tokens.value.text() == "8"
    assert panel._rate.value.text() == "12.3"
    assert panel._state.text() == ""


def test_hidden_it_does_nothing(panel: AnswerPanel, table: TokenTable) -> None:
    summary = AnswerSummary("turn", table, VOCABULARY)
    panel.hide()
    panel.watch(summary, live=True)
    panel.mark()
    assert not panel._timer.isActive() and summary._seen == 0
    panel.show()
    assert panel._tokens.value.text() == "7"


def test_no_numbers_are_a_dash_and_no_list(panel: AnswerPanel) -> None:
    table = TokenTable()
    append(table, 1, None)
    panel.watch(AnswerSummary("turn", table, Vocabulary.from_pieces([b"a", b"b"], [0, 0])))
    assert panel._perplexity.value.text() == "—"
    assert not any(row.isVisible() for row in panel.rows)
    panel.watch(None)
    assert panel._empty.isVisible()


def test_an_answer_without_tokens_yet_is_said_to_read(panel: AnswerPanel) -> None:
    panel.watch(AnswerSummary("turn", TokenTable(), VOCABULARY), live=True)
    assert panel._empty.isVisible() and "Reading" in panel._empty.text()
    panel.watch(None)
    assert "Ask" in panel._empty.text()
