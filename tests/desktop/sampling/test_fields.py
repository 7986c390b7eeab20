"""Rows of further fields: checked before they are used, kept while typed, forgotten with their chat."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QScrollBar
from pytestqt.qtbot import QtBot

from core.engines.base import Sampling
from core.engines.vllm.extras import FIELDS
from core.errors import EngineError
from desktop.sampling.fields import EXAMPLES, OWN, Fields, parsed, written

Told = list[tuple[dict[str, object], dict[str, object]]]


@pytest.fixture
def fields(qtbot: QtBot) -> Fields:
    made = Fields()
    qtbot.addWidget(made)
    made.show_values(Sampling(), {}, server=True)
    made.show()
    return made


@pytest.fixture
def told(fields: Fields) -> Told:
    got: Told = []
    fields.changed.connect(lambda own, others: got.append((own, others)))
    return got


def write(fields: Fields, name: str, text: str) -> None:
    fields.add.click()
    row = fields.rows[-1]
    row.name.setCurrentText(name)
    row.value.setText(text)
    row.value.editingFinished.emit()


@pytest.mark.parametrize("name", [*OWN, *FIELDS])
def test_every_field_has_an_example_that_is_right(name: str) -> None:
    value = parsed(name, EXAMPLES[name])
    assert parsed(name, written(value)) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("stop", '["a","b","c","d","e"]'),
        ("stop", '[""]'),
        ("presence_penalty", "3"),
        ("stop_token_ids", "[-1]"),
        ("ignore_eos", "1"),
        ("min_tokens", "nine"),
    ],
)
def test_what_is_wrong_is_refused(name: str, text: str) -> None:
    with pytest.raises(EngineError):
        parsed(name, text)


def test_a_field_is_told_with_what_it_is(fields: Fields, told: Told) -> None:
    write(fields, "min_tokens", "8")
    write(fields, "stop", '["END"]')
    own, others = told[-1]
    assert others == {"min_tokens": 8}
    assert own["stop"] == ("END",) and Sampling(**own) == Sampling(stop=("END",))  # type: ignore[arg-type]
    fields.rows[0].remove.click()
    assert told[-1][1] == {} and len(fields.rows) == 1


def test_what_is_wrong_is_not_used_and_says_why(fields: Fields, told: Told) -> None:
    write(fields, "logit_bias", '{"the": 1}')
    row = fields.rows[0]
    assert told == [] and row.value.property("state") == "err"
    assert row.error.isVisible() and row.error.text().startswith("Not used: ")
    row.value.setText('{"12": 1}')
    row.value.editingFinished.emit()
    assert told[-1][1] == {"logit_bias": {"12": 1.0}} and row.error.isHidden()


def test_rows_stay_while_they_say_the_same_and_go_with_their_chat(fields: Fields) -> None:
    write(fields, "min_tokens", "8")
    write(fields, "bad_words", "[")
    fields.show_values(Sampling(), {"min_tokens": 8}, server=True)
    assert [row.value.text() for row in fields.rows] == ["8", "["]
    fields.forget()
    fields.show_values(Sampling(), {"min_tokens": 8}, server=True)
    assert [row.value.text() for row in fields.rows] == ["8"]


def test_the_built_in_engine_has_its_own_ones_only(fields: Fields) -> None:
    fields.show_values(Sampling(ignore_eos=True, presence_penalty=0.5), {"min_tokens": 3}, server=False)
    assert [row.name.currentText() for row in fields.rows] == ["ignore_eos", "presence_penalty"]
    names = [fields.rows[0].name.itemText(index) for index in range(fields.rows[0].name.count())]
    assert names == list(OWN)


def test_names_for_a_screen_reader(fields: Fields) -> None:
    write(fields, "min_tokens", "8")
    row = fields.rows[0]
    for control in (row.name, row.value, row.remove):
        assert control.accessibleName() and control.toolTip()


def test_tab_goes_through_the_rows_from_top_to_bottom(fields: Fields) -> None:
    write(fields, "min_tokens", "8")
    write(fields, "priority", "1")
    at, seen = fields.rows[0].name, []
    for _ in range(6):
        seen.append(at)
        at = at.nextInFocusChain()  # type: ignore[assignment]
        while at.focusPolicy() == Qt.FocusPolicy.NoFocus or isinstance(at, QAbstractItemView | QScrollBar):
            at = at.nextInFocusChain()  # type: ignore[assignment]
    wanted = [control for row in fields.rows for control in (row.name, row.remove, row.value)]
    assert seen == wanted and at is fields.add
