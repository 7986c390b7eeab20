"""The sampling form: sliders and boxes hold one number, Reset, the seed, and what is told when."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.engines.base import NOTHING, EngineInfo, Extras, Sampling, Structured
from desktop.sampling.form import SamplingForm
from desktop.sampling.scales import STEPS

RECOMMENDED = Sampling(temperature=0.2, top_p=0.9, stop=("END",))


@pytest.fixture
def form(qtbot: QtBot) -> SamplingForm:
    made = SamplingForm()
    qtbot.addWidget(made)
    made.set_sampling(RECOMMENDED, RECOMMENDED)
    made.show()
    return made


@pytest.fixture
def told(form: SamplingForm) -> list[Sampling]:
    got: list[Sampling] = []
    form.changed.connect(got.append)
    return got


def rest(form: SamplingForm) -> None:
    if form._tell_timer.isActive():
        form._tell_timer.stop()
        form._tell_timer.timeout.emit()


def test_showing_tells_nothing(form: SamplingForm, told: list[Sampling]) -> None:
    form.set_sampling(Sampling(top_k=40, seed=7), RECOMMENDED)
    rest(form)
    assert told == []
    assert form.rows["top_k"].box.value() == 40
    assert form.seed.input.text() == "7"


def test_a_typed_value_is_exact_and_moves_the_slider(form: SamplingForm, told: list[Sampling]) -> None:
    row = form.rows["top_k"]
    row.box.setValue(37)
    rest(form)
    assert told == [msgspec.structs.replace(RECOMMENDED, top_k=37)]
    assert isinstance(told[0].top_k, int)
    assert row.slider.value() == row.scale.position(37)
    assert row.box.value() == 37  # the slider is coarser and must not change it


def test_a_moving_slider_is_told_once_it_rests(form: SamplingForm, told: list[Sampling]) -> None:
    slider = form.rows["temperature"].slider
    for position in range(100, 500, 50):
        slider.setValue(position)
    assert told == []
    rest(form)
    assert [one.temperature for one in told] == [0.9]
    assert form.rows["temperature"].box.value() == 0.9


def test_reset_gives_back_the_models_values(form: SamplingForm, told: list[Sampling]) -> None:
    assert not form.reset.isEnabled()
    form.rows["min_p"].box.setValue(0.1)
    assert form.reset.isEnabled()
    form.reset.click()
    rest(form)
    assert told[-1] == RECOMMENDED
    assert not form.reset.isEnabled() and form.rows["min_p"].box.value() == 0


def test_what_has_no_control_is_kept(form: SamplingForm, told: list[Sampling]) -> None:
    form.rows["top_p"].box.setValue(0.5)
    rest(form)
    assert told[0].stop == ("END",)


def test_the_seed(form: SamplingForm, told: list[Sampling], qtbot: QtBot) -> None:
    form.set_drawn_seed(4217)
    assert form._drawn_note.isVisible() and "4217" in form._drawn_note.text()
    qtbot.mouseClick(form.keep, Qt.MouseButton.LeftButton)
    rest(form)
    assert told[-1].seed == 4217 and form.seed.input.text() == "4217"
    assert not form._drawn_note.isVisible()
    form.seed.input.setText("")
    form.seed.input.editingFinished.emit()
    rest(form)
    assert told[-1].seed is None and form._drawn_note.isVisible()


@pytest.mark.parametrize("text", ["abc", "-1", "1e9"])
def test_a_bad_number_is_marked_and_not_told(form: SamplingForm, told: list[Sampling], text: str) -> None:
    for field in (form.seed.input, form.limit.input):
        field.setText(text)
        field.editingFinished.emit()
        assert field.property("state") == "err"
    rest(form)
    assert told == []
    form.limit.input.setText("512")
    form.limit.input.editingFinished.emit()
    rest(form)
    assert told[-1].max_tokens == 512 and form.limit.input.property("state") == ""


def test_meanings_follow_the_values(form: SamplingForm) -> None:
    rows = form.rows
    form.set_sampling(Sampling(temperature=0.0, top_k=40, repetition_penalty=1.3), RECOMMENDED)
    assert rows["temperature"]._meaning.text() == "always the likeliest"
    assert rows["top_k"]._meaning.text() == "no effect at temperature 0"
    assert rows["min_p"]._meaning.text() == "off"
    assert rows["repetition_penalty"]._meaning.text() == "repeats less likely"
    form.set_sampling(Sampling(top_p=0.95), RECOMMENDED)
    assert rows["top_p"]._meaning.text() == "then the likeliest 95 %"


def test_names_for_a_screen_reader(form: SamplingForm) -> None:
    for row in form.rows.values():
        assert row.slider.accessibleName() and row.box.accessibleName()


def test_what_is_not_known_is_not_made_up(form: SamplingForm) -> None:
    form.set_unknown()
    assert not form.isEnabled()
    assert all(row.box.text() == "—" and not row._meaning.text() for row in form.rows.values())
    assert form.limit.input.placeholderText() == "—"
    form.set_sampling(Sampling(temperature=0.7), Sampling())
    assert form.isEnabled() and form.rows["temperature"].box.text() == "0.70"
    assert form.rows["top_k"].box.text() == "0"


def test_what_a_server_refuses_is_out_of_reach_and_says_why(form: SamplingForm) -> None:
    info = EngineInfo("vllm", "m", refuses=("greedy", "min_p"))
    form.set_sampling(Sampling(top_k=40), Sampling(top_k=40), info=info)
    temperature, top_k, min_p = (form.rows[name] for name in ("temperature", "top_k", "min_p"))
    assert (temperature.box.minimum(), temperature.box.maximum()) == (0.05, 2.0)
    assert temperature.scale.value(0) == 0.05
    assert top_k.box.minimum() == 1 and top_k.scale.value(STEPS) == 128
    assert not min_p.box.isEnabled() and not min_p.slider.isEnabled()
    assert form._limits.text().count("\n") == 1
    for row in (temperature, top_k, min_p):
        assert row.box.toolTip() and row.box.toolTip() in form._limits.text()
    form.set_sampling(Sampling(), Sampling(), info=EngineInfo("local", "m"))
    assert temperature.box.minimum() == 0 and min_p.box.isEnabled() and form._limits.isHidden()
    assert temperature.box.maximum() == 10


def test_top_k_comes_back_at_temperature_0_where_only_drawing_with_it_is_deadly(form: SamplingForm) -> None:
    info = EngineInfo("vllm", "m", refuses=("top_k",))
    form.set_sampling(Sampling(), Sampling(), info=info)
    assert not form.rows["top_k"].box.isEnabled() and "CPU build" in form.rows["top_k"].box.toolTip()
    form.set_sampling(Sampling(temperature=0.0), Sampling(), info=info)
    assert form.rows["top_k"].box.isEnabled()


def test_a_field_of_every_engine_is_a_value_like_the_others(form: SamplingForm, told: list[Sampling]) -> None:
    row = form.more.fields.rows[0]
    assert row.name.currentText() == "stop" and row.value.text() == '["END"]'
    row.value.setText('["A", "B"]')
    row.value.editingFinished.emit()
    rest(form)
    assert told[-1].stop == ("A", "B")
    form.reset.click()
    rest(form)
    assert told[-1] == RECOMMENDED and form.more.fields.rows[0].value.text() == '["END"]'


def test_the_form_of_the_answer_is_told_apart_from_the_values(
    form: SamplingForm, told: list[Sampling]
) -> None:
    got: list[Extras] = []
    form.extras_changed.connect(got.append)
    extras = Extras(Structured("choice", ["a"]))
    form.set_sampling(Sampling(), Sampling(), extras, EngineInfo("vllm", "m"))
    assert got == []
    form.more.form.kind.setCurrentIndex(0)
    form.more.form.kind.activated.emit(0)
    assert got == [NOTHING] and told == []
