"""The folded part of the dock: what only servers take, and what they decide."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from core.engines.base import NOTHING, EngineInfo, Extras, Sampling, Structured
from desktop.sampling.more import More, reasons

SERVER = EngineInfo("vllm", "m")
LOCAL = EngineInfo("local", "m")
FORM = Extras(Structured("choice", ["a", "b"]), {"min_tokens": 3})


@pytest.fixture
def more(qtbot: QtBot) -> More:
    made = More()
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def told(more: More) -> list[Extras]:
    got: list[Extras] = []
    more.extras_changed.connect(got.append)
    return got


def test_it_is_folded_unless_something_is_set(more: More) -> None:
    more.show_values(Sampling(), NOTHING, SERVER)
    assert more.form.isHidden() and more.head.text() == "More"
    more.head.click()
    assert more.form.isVisible() and more.fields.isVisible()
    more.head.click()
    assert more.form.isHidden()
    more.show_values(Sampling(), FORM, SERVER)
    assert more.form.isVisible() and more.head.text() == "More (2)"


def test_form_and_fields_are_told_together(more: More, told: list[Extras]) -> None:
    more.show_values(Sampling(), FORM, SERVER)
    more.fields.rows[0].remove.click()
    assert told[-1] == Extras(FORM.structured)
    more.form.kind.setCurrentIndex(0)
    more.form.kind.activated.emit(0)
    assert told[-1] == NOTHING


def test_values_of_every_engine_go_to_the_sampling(more: More, told: list[Extras]) -> None:
    got: list[dict[str, object]] = []
    more.sampling_changed.connect(got.append)
    more.show_values(Sampling(stop=("END",)), NOTHING, LOCAL)
    more.fields.rows[0].remove.click()
    assert got[-1]["stop"] == () and told == []


def test_the_built_in_engine_has_no_form_and_says_so(more: More, told: list[Extras]) -> None:
    more.show_values(Sampling(), NOTHING, LOCAL)
    assert more._only.isHidden() and more.clear.isHidden()
    more.head.click()
    assert not more.form.isEnabled() and more._only.text().startswith("Only vLLM servers")
    assert more._guessing.isHidden()
    more.show_values(Sampling(), FORM, LOCAL)
    assert more._only.text().startswith("Set for a server")
    more.clear.click()
    assert told == [NOTHING] and more.clear.isHidden()


@pytest.mark.parametrize(("speculative", "words"), [(True, "on, by "), (False, "off."), (None, "not told.")])
def test_guessing_ahead_is_the_servers(more: More, speculative: bool | None, words: str) -> None:
    more.show_values(Sampling(), NOTHING, EngineInfo("vllm", "m", speculative=speculative))
    more.head.click()
    text = more._guessing.text()
    assert text.startswith(f"Guessing ahead: {words}") and "--speculative-config" in text


def test_every_refusal_has_its_reason() -> None:
    assert list(reasons(("greedy", "min_p", "top_k"))) == ["greedy", "min_p", "top_k"]
    assert reasons(()) == {}
