"""Visits with the picker of models, against a hub on loopback that HF_ENDPOINT names.

`python -m tests.whole.with_models NAME`, a process of its own; prints one line of JSON. With PICTURES=DIR it
leaves pictures of the states there.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from core.engines.base import Sampling
from core.engines.state import Phase
from core.models.catalog import BUILT_IN
from core.models.partial import partial_place
from core.paths import default_paths
from desktop.kit.dialogs import Question
from desktop.models.values import Badge, ModelDetail, State
from tests.fakes.hub.answers import RELEASE
from tests.fakes.hub.server import COMMIT
from tests.whole import inside
from tests.whole.with_a_server import answers

Said = dict[str, Any]
MODEL = "org/name"
WEIGHTS = "model.safetensors"
HELD_AT = 200_000  # bytes of an answer with the weights that come before it is held back
PENDING = Qt.WidgetAttribute.WA_PendingResizeEvent


async def picture(application: Any, name: str) -> None:
    folder = os.environ.get("PICTURES")
    if folder:
        application.window.resize(1280, 800)
        for _ in range(50):  # until all of it has its place
            await inside.until(lambda: not application.window.testAttribute(PENDING))
            await asyncio.sleep(0)
        application.window.grab().save(str(Path(folder) / f"{name}.png"))


async def open_picker(application: Any) -> Any:
    """By its key; until the disk is read."""
    await inside.until(lambda: application.engine.state.phase is Phase.READY)
    application.window._act("models")
    await inside.until(lambda: application.models.presenter is not None)
    presenter = application.models.presenter
    await inside.until(lambda: (one := presenter.picker) is not None and one.is_open)
    await inside.until(lambda: presenter.picker.list.row(BUILT_IN) is not None)
    return presenter.picker


def detail(picker: Any) -> ModelDetail | None:
    found: ModelDetail | None = picker.detail.detail
    return found


def press(picker: Any, what: str) -> None:
    button: QPushButton = picker.detail.buttons.buttons[what]
    assert button.isVisibleTo(picker.detail) and button.isEnabled(), what
    button.click()


async def until_state(picker: Any, *states: State) -> ModelDetail:
    await inside.until(lambda: (said := detail(picker)) is not None and said.state in states)
    said = detail(picker)
    assert said is not None
    return said


def weights_there() -> int:
    """Bytes that have come so far. What is told of them lags a little."""
    part = partial_place(default_paths().models, MODEL, COMMIT) / f"{WEIGHTS}.part"
    return part.stat().st_size if part.exists() else 0


async def begin(application: Any) -> Said:
    """Paste its id, see whether it fits, fetch it, pause, go on, and quit in the middle."""
    picker = await open_picker(application)
    await picture(application, "models-open")
    picker.search.setText(MODEL)
    await inside.until(lambda: picker.list.row(MODEL) is not None)
    picker.select(MODEL)
    await inside.until(
        lambda: (one := detail(picker)) is not None and one.key == MODEL and one.fit is not None
    )
    found = detail(picker)
    assert found is not None and found.fit is not None
    row = picker.list.row(MODEL)
    said: Said = {
        "badge": (row.badge.value, found.fit.badge.value),
        "summands": sorted(part.code for part in found.fit.parts),
        "found": (found.state.value, found.revision, found.licence),
    }
    await picture(application, "models-found")
    press(picker, "get")
    await until_state(picker, State.FETCHING)
    await inside.until(
        lambda: [one.name for one in (detail(picker) or found).files if one.state == "coming"] == [WEIGHTS]
    )
    await inside.until(lambda: weights_there() >= HELD_AT)
    await picture(application, "models-fetching")
    press(picker, "pause")
    await until_state(picker, State.PAUSED)
    await inside.until(lambda: application.models.downloads.pid is None)
    await picture(application, "models-paused")
    press(picker, "resume")
    await until_state(picker, State.FETCHING)
    await inside.until(lambda: weights_there() >= 2 * HELD_AT)
    said["quit"] = application.models.downloads.states[0].phase
    return said


async def go_on(application: Any) -> Said:
    """It goes on by itself; wanted by one click while the built-in model answers; then it is deleted."""
    picker = await open_picker(application)
    picker.select(MODEL)
    begun = await until_state(picker, State.FETCHING)
    said: Said = {"begun": begun.done}
    before = application.engine.state.info
    press(picker, "use")
    picker.close_picker()
    bar = application.window.run_bar
    await inside.until(lambda: bar.text.action == "cancel_download")
    said["bar"] = bar.text.word, bar.act.accessibleName(), application.session.can_ask
    await picture(application, "models-coming")
    await asyncio.to_thread(lambda: urlopen(os.environ["HF_ENDPOINT"] + RELEASE).close())
    await inside.until(lambda: MODEL.replace("/", "--") in application.settings.value.model)
    await inside.until(lambda: application.engine.state.info not in (before, None))
    await inside.until(lambda: inside.is_idle(application))
    said["bar after"] = bar.text.word
    application.session.set_sampling(Sampling(temperature=0.0, max_tokens=8))
    application.window.composer.ask("hello world")
    await inside.until(lambda: bool(answers(application)) and inside.is_idle(application))
    (answer,) = answers(application)
    said["answer"] = answer.state.value, len(answer.table)

    picker = await open_picker(application)
    await inside.until(lambda: picker.list.row(MODEL).state is State.RUNNING)
    await picture(application, "models-running")
    said["used"] = picker.list.row(MODEL).age is not None
    now = application.engine.state.info
    picker.list.chosen.emit(BUILT_IN)
    await inside.until(lambda: application.engine.state.info not in (now, None))
    picker = await open_picker(application)
    picker.select(MODEL)
    ready = await until_state(picker, State.READY)
    await inside.until(lambda: (detail(picker) or ready).frees > 0)
    press(picker, "delete")
    await inside.until(lambda: bool(application.window.findChildren(Question)))
    await picture(application, "models-delete")
    application.window.findChildren(Question)[0].action.click()
    await inside.until(lambda: picker.list.row(MODEL) is None)
    said["folders"] = application.settings.value.folders
    said["badge"] = picker.list.row(BUILT_IN).badge not in (Badge.NONE, Badge.UNKNOWN)
    return said


async def wrong_byte(application: Any) -> Said:
    """A byte that is wrong while its size is right is found by a check, and what is damaged repaired."""
    picker = await open_picker(application)
    await inside.until(lambda: picker.list.row(MODEL) is not None)
    picker.select(MODEL)
    await until_state(picker, State.READY)
    picker.detail.check.click()
    damaged = await until_state(picker, State.DAMAGED)
    await inside.until(lambda: bool((detail(picker) or damaged).files))
    await picture(application, "models-damaged")
    said: Said = {"files": [one.name for one in (detail(picker) or damaged).files if one.state == "damaged"]}
    press(picker, "repair")
    await until_state(picker, State.READY)
    return said


VISITS: dict[str, Any] = {visit.__name__: visit for visit in (begin, go_on, wrong_byte)}


if __name__ == "__main__":
    name = sys.argv[1]

    async def named(application: Any) -> None:
        print(json.dumps(await VISITS[name](application)), flush=True)

    sys.exit(inside.run(named))
