"""The run bar and the preparation card in every phase."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.engines.base import EngineInfo
from core.engines.state import EngineState, Phase
from core.errors import ModelError
from core.settings import BUILT_IN
from core.tokens import figures
from desktop.picker.choices import EngineChoice, ModelChoice, folder_choices, remember
from desktop.picker.preparation import PreparationCard
from desktop.picker.run_bar import RunBar
from desktop.picker.run_text import RunText, run_text, time_left

MODEL = "SmolLM2 135M Instruct"
INFO = EngineInfo("local", MODEL, revision="12fd25f77366", dtype="bf16", device="cpu", threads=1)
ERROR = ModelError("model.failed", detail="<b>traceback</b>")
CHOICES = (ModelChoice(BUILT_IN, MODEL, "built in"), ModelChoice("/m/Qwen & co", "Qwen & co"))


def state(phase: Phase, done: int = 0, total: int = 0) -> EngineState:
    failed = phase in (Phase.FAILED, Phase.LOST)
    return EngineState(
        phase, MODEL, done, total, INFO if phase is Phase.READY else None, ERROR if failed else None
    )


@pytest.fixture
def bar(qtbot: QtBot) -> RunBar:
    made = RunBar()
    qtbot.addWidget(made)
    made.resize(1280, 52)
    made.set_models(CHOICES, BUILT_IN)
    made.show()
    return made


@pytest.mark.parametrize("phase", list(Phase))
def test_every_phase_has_a_word_and_its_button(bar: RunBar, phase: Phase) -> None:
    bar.set_state(state(phase, 41_000_000, 93_000_000))
    assert bar._word.text()
    wanted = {
        Phase.ABSENT: "get",
        Phase.CONNECTING: "cancel",
        Phase.FETCHING: "cancel",
        Phase.CONVERTING: "cancel",
        Phase.VERIFYING: "cancel",
        Phase.FAILED: "retry",
        Phase.LOST: "retry",
    }.get(phase, "")
    assert bar.text.action == wanted
    assert bar.act.isVisible() is bool(wanted)


def test_the_button_says_what_it_does(bar: RunBar, qtbot: QtBot) -> None:
    for phase, action in ((Phase.FETCHING, "cancel"), (Phase.FAILED, "retry"), (Phase.ABSENT, "get")):
        bar.set_state(state(phase))
        with qtbot.waitSignal(bar.action) as signal:
            qtbot.mouseClick(bar.act, Qt.MouseButton.LeftButton)
        assert signal.args == [action]


def test_words() -> None:
    assert run_text(state(Phase.FETCHING, 41_000_000, 93_000_000)).detail == "44 %"
    assert run_text(state(Phase.FETCHING, 41_000_000, 93_000_000), 47.2).detail == "44 % · 47 s left"
    assert run_text(state(Phase.FETCHING, 41_000_000)).detail == "41 MB"
    assert run_text(state(Phase.VERIFYING, 3, 9)).detail == "3 of 9"
    assert run_text(state(Phase.ABSENT, 0, 93_000_000)).detail == "93 MB"
    assert run_text(state(Phase.READY)).detail.startswith("CPU · 1 thread")
    assert figures.size(2_340_000_000) == "2.34 GB" and figures.size(900) == "1 kB"
    assert time_left(0.2) == "1 s left" and time_left(200) == "3 min left" and time_left(None) == ""


def test_the_menu_of_models(bar: RunBar, qtbot: QtBot) -> None:
    bar.open_menu()
    actions = [action for action in bar.menu.actions() if not action.isSeparator()]
    assert [action.isChecked() for action in actions] == [True, False, False]
    assert actions[1].text() == "Qwen && co"
    with qtbot.waitSignal(bar.model_chosen) as signal:
        actions[1].trigger()
    assert signal.args == ["/m/Qwen & co"]
    with qtbot.waitSignal(bar.folder_wanted):
        actions[2].trigger()
    bar.menu.close()


def test_long_names_are_elided_and_whole_in_the_tooltip(bar: RunBar) -> None:
    name = "A-model-with-a-name-that-no-button-can-hold-Instruct"
    bar.set_models((ModelChoice("/m/" + name, name),), "/m/" + name)
    assert bar.model._name.is_elided
    assert name in bar.model.toolTip()
    assert bar.model.width() <= 226


def test_a_narrow_bar_keeps_the_word_and_loses_the_detail(bar: RunBar) -> None:
    bar.set_state(state(Phase.READY))
    assert bar._detail.isVisible()
    bar.resize(720, 52)
    assert bar._word.isVisible() and not bar._detail.isVisible()
    bar.set_state(state(Phase.FETCHING, 1, 2))
    assert bar.minimumSizeHint().width() <= 720


def test_panels_and_settings(bar: RunBar, qtbot: QtBot) -> None:
    bar.set_keys({"log": "Ctrl+J"})
    assert bar.log.toolTip() == "Log (Ctrl+J)" and bar.log.accessibleName() == "Log"
    with qtbot.waitSignal(bar.toggled) as signal:
        bar.log.click()
    assert signal.args == ["log", True]
    with qtbot.waitSignal(bar.settings_wanted):
        bar.settings.click()


@pytest.mark.parametrize("phase", list(Phase))
def test_the_card_stands_only_when_there_is_something_to_do(qtbot: QtBot, phase: Phase) -> None:
    card = PreparationCard()
    qtbot.addWidget(card)
    card.set_state(state(phase, 41, 93))
    assert card.isHidden() is (phase in (Phase.READY, Phase.CONNECTING, Phase.LOADING, Phase.CLOSED))
    if not card.isHidden():
        assert card._title.text() and card.buttons[0].text()
        with qtbot.waitSignal(card.action):
            card.buttons[0].click()


def test_the_card_shows_foreign_text_as_plain_text(qtbot: QtBot) -> None:
    card = PreparationCard()
    qtbot.addWidget(card)
    card.set_state(state(Phase.FAILED))
    assert card._detail.textFormat() is Qt.TextFormat.PlainText
    assert "<b>traceback</b>" in card._detail.text()
    card.set_state(state(Phase.READY))
    assert card.isHidden()


def test_choices_of_folders() -> None:
    assert [choice.name for choice in folder_choices(["/a/Qwen", "/b/Llama", "/a/Qwen"])] == ["Qwen", "Llama"]
    assert [choice.note for choice in folder_choices(["/a/Qwen", "/b/Qwen"])] == ["a", "b"]
    assert remember(["/a", "/b", "/c"], "/b") == ["/b", "/a", "/c"]
    assert len(remember([f"/{index}" for index in range(20)], "/new")) == 6


@pytest.mark.parametrize("name", ["vLLM CPU", "vLLM GPU", "vLLM", "Built-in"])
def test_a_short_name_of_an_engine_is_whole_where_the_bar_is_narrow(bar: RunBar, name: str) -> None:
    bar.set_engines((EngineChoice("docker:cpu", name),), "docker:cpu")
    bar.set_models((ModelChoice("/m", "A model with a name that takes all the room there is"),), "/m")
    bar.set_own(RunText("err", "Did not start, and says so", "", "retry", "Try again"))
    bar.resize(bar.minimumSizeHint().width(), 52)
    assert bar.engine._name.elided_text() == name
    assert bar.model._name.is_elided
