"""Visits with the picker of models and a real Docker Engine: from a model of the hub to a chat, and its end.

`python -m tests.whole.with_docker_models NAME`, a process of its own, in an environment that has the engine
and a hub on loopback; prints one line of JSON. With PICTURES=DIR it leaves pictures of the states there.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from core.models.catalog import BUILT_IN
from core.server.state import STARTING, ServerPhase, ServerState, Step
from desktop.kit.dialogs import Question
from desktop.models.values import Badge, State
from tests.whole import inside
from tests.whole.with_a_server import answers
from tests.whole.with_docker import until_phase
from tests.whole.with_models import MODEL, Said, detail, picture, press, until_state
from tests.whole.with_our_server import seen

P = ServerPhase
AT = STARTING.index(P.WEIGHTS)


async def open_picker(application: Any) -> Any:
    """Whatever the engine in use does; until the disk is read."""
    application.window.run_bar.models_wanted.emit()
    await inside.until(lambda: application.models.presenter is not None)
    presenter = application.models.presenter
    await inside.until(lambda: presenter.picker is not None and presenter.picker.list.row(BUILT_IN))
    return presenter.picker


async def in_docker(application: Any) -> None:
    """vLLM on the processor is the engine in use, and not started."""
    if not application.engines.ours:
        application.window.run_bar.engine_chosen.emit("docker:cpu")
    await inside.until(lambda: application.engine.state.engine == "vllm")


async def find(application: Any, *, fit: bool = True) -> Any:
    """The picker with the details of the hub's model. `fit`: Docker says how much room there is."""
    picker = await open_picker(application)
    picker.search.setText(MODEL)
    await inside.until(lambda: picker.list.row(MODEL) is not None)
    picker.select(MODEL)

    def known() -> bool:
        one = detail(picker)
        found = one.fit if one is not None and one.limit > 0 else None
        return found is not None and (found.badge is not Badge.UNKNOWN) is fit

    await inside.until(known)
    return picker


async def ask(application: Any) -> list[object]:
    await inside.until(lambda: inside.is_idle(application))
    before = len(answers(application))
    application.window.composer.ask("hello world")
    await inside.until(lambda: len(answers(application)) > before and inside.is_idle(application))
    answer = answers(application)[-1]
    return [answer.state.value, answer.info.engine, len(answer.table) > 0]


def weights(state: ServerState) -> Step:
    return state.steps[AT]


async def until_bytes(application: Any, least: int) -> Step:
    """Of the start's step of weights."""
    launcher = application.ours.launcher
    await inside.until(lambda: launcher.state.phase is P.WEIGHTS and weights(launcher.state).done > least)
    return weights(launcher.state)


# --- one after the other ------------------------------------------------------------------------------------


async def fetch(application: Any) -> Said:
    """See whether it fits, fetch, pause, and quit."""
    await in_docker(application)
    picker = await find(application)
    found = detail(picker)
    assert found is not None and found.fit is not None
    said: Said = {"fit": found.fit.badge.value, "parts": sorted(part.code for part in found.fit.parts)}
    press(picker, "get")
    await until_state(picker, State.FETCHING)
    await inside.until(lambda: (detail(picker) or found).done > 200_000)
    said["told"] = [one.name for one in (detail(picker) or found).files if one.state == "coming"]
    press(picker, "pause")
    await until_state(picker, State.PAUSED)
    await inside.until(lambda: application.models.downloads.pid is None)
    return said


async def go_on(application: Any) -> Said:
    """Resume, start in Docker by one click, chat; then with the built-in engine; then delete."""
    await inside.until(lambda: application.engines.ours)
    picker = await open_picker(application)
    picker.select(MODEL)
    begun = await until_state(picker, State.PAUSED)
    said: Said = {"begun": begun.done}
    press(picker, "resume")
    ready = await until_state(picker, State.READY)
    press(picker, "start")
    await until_phase(application, P.READY)
    said["docker"] = await ask(application)
    said["note"] = weights(application.ours.launcher.state).note
    picker = await open_picker(application)
    picker.select(MODEL)
    await until_state(picker, State.RUNNING)
    await picture(application, "delete-refused")
    delete = picker.detail.buttons.buttons["delete"]
    said["delete"] = delete.isVisibleTo(picker.detail), delete.isEnabled(), delete.toolTip()
    picker.close_picker()
    application.window.run_bar.engine_chosen.emit("")
    await inside.until(lambda: application.engine.state.engine == "local" and application.session.can_ask)
    said["local"] = await ask(application)
    said["stopped"] = application.ours.launcher.state.phase.value
    picker = await open_picker(application)
    now = application.engine.state.info
    picker.list.chosen.emit(BUILT_IN)
    await inside.until(lambda: application.engine.state.info not in (now, None))
    picker = await open_picker(application)
    picker.select(MODEL)
    ready = await until_state(picker, State.READY)
    await inside.until(lambda: (detail(picker) or ready).frees > 0)
    said["frees"] = (detail(picker) or ready).frees
    press(picker, "delete")
    await inside.until(lambda: bool(application.window.findChildren(Question)))
    application.window.findChildren(Question)[0].action.click()
    await inside.until(lambda: picker.list.row(MODEL) is None)
    return said


# --- one click ----------------------------------------------------------------------------------------------


async def one_click(application: Any) -> Said:
    """Start a model that is not here, cancel it in the middle, start again, chat."""
    await in_docker(application)
    picker = await find(application)
    press(picker, "start")
    await inside.until(lambda: application.window.centre.over == "timeline")
    said: Said = {"picker": picker.is_open}
    step = await until_bytes(application, 200_000)
    said["step"] = step.note, step.total > 500_000
    said["bar"] = application.window.run_bar.text.word, application.window.run_bar.act.accessibleName()
    rows = application.window.centre.server.timeline.steps.rows
    said["row"] = rows[AT].detail
    await picture(application, "one-click")
    application.window.run_bar.act.click()
    await until_phase(application, P.STOPPED)
    downloads = application.models.downloads
    await inside.until(lambda: downloads.pid is None and downloads.states[0].phase == "paused")
    said["kept"] = downloads.states[0].done
    bar = application.window.centre.server.stopped
    await inside.until(lambda: bar.isVisible())
    said["stopped"] = bar.text.text()
    await picture(application, "one-click-cancelled")
    application.window.run_bar.act.click()
    await until_phase(application, P.READY)
    said["answer"] = await ask(application)
    said["seen"] = seen(application)
    state = application.ours.launcher.state
    said["done"] = weights(state).note, state.spec.model
    return said


async def quit_in_it(application: Any) -> Said:
    """Quit while the model of a start is fetched."""
    await in_docker(application)
    press(await find(application), "start")
    step = await until_bytes(application, 200_000)
    return {"done": step.done}


async def after_it(application: Any) -> Said:
    """The download goes on by itself; the start is the person's to ask for."""
    await inside.until(lambda: application.models.downloads is not None)
    downloads = application.models.downloads
    # what the disk has is read aside: at first there is none
    await inside.until(lambda: downloads.states and all(one.phase == "ready" for one in downloads.states))
    said: Said = {"phase": application.ours.launcher.state.phase.value}
    application.window.run_bar.act.click()
    await until_phase(application, P.READY)
    said["note"] = weights(application.ours.launcher.state).note
    return said


async def without_docker(application: Any) -> Said:
    """Nothing is fetched where nothing can be started."""
    await in_docker(application)
    press(await find(application, fit=False), "start")
    await until_phase(application, P.FAILED)
    await inside.until(lambda: application.window.centre.over != "timeline")
    finding = application.ours.launcher.state.finding
    return {"finding": finding.code if finding is not None else "", "over": application.window.centre.over}


ALL = (fetch, go_on, one_click, quit_in_it, after_it, without_docker)
VISITS: dict[str, Any] = {visit.__name__: visit for visit in ALL}


if __name__ == "__main__":
    name = sys.argv[1]

    async def named(application: Any) -> None:
        print(json.dumps(await VISITS[name](application)), flush=True)

    sys.exit(inside.run(named))
