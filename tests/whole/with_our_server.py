"""Visits with the server of ours: a scripted manager in place of Docker, a fake server on loopback behind it.

`python -m tests.whole.with_our_server NAME`, a process of its own; prints one line of JSON. With PICTURES=DIR
it leaves pictures of the states there.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtGui import QSessionManager
from PySide6.QtWidgets import QApplication

from core.engines.state import Phase
from core.models.embedded import open_built_in
from core.models.room import Room
from core.paths import default_paths
from core.server.access import Check
from core.server.finding import Collision, Finding, Fix, Part
from core.server.launcher import Doctor
from core.server.spec import GIB
from core.server.state import ServerPhase
from tests.fakes.fake_vllm import FakeVllm
from tests.fakes.scripted_launcher import ScriptedLauncher
from tests.whole import inside
from tests.whole.with_a_server import STREAM, answers, half_an_answer

Said = dict[str, Any]
P = ServerPhase
NO_ROOM = Finding(
    "gpu_memory",
    {"asked": 14.34, "free": 9.84, "total": 15.59, "percent": 92},
    line="ValueError: Free memory on device cuda:0 (9.84/15.59 GiB) on startup is less than desired",
    collision=Collision("gpu", "bytes", 14.34 * GIB, 9.84 * GIB, 15.59 * GIB, "NVIDIA RTX 4080",
                        (Part("python3", 4.7 * GIB),)),
    fixes=(Fix("share", "start", {"percent": 60, "asked": 9.35, "total": 15.59, "free": 9.84},
               {"gpu_share": 0.6}),
           Fix("check_again", "check")),
)  # fmt: skip
OUT_OF_MEMORY = Finding("oom", {"free": 8.0, "asked": 9.1})
NO_GPU = Finding("no_gpu")
DOCTOR = Doctor((Check("docker", "ok"), Check("compose", "ok")), no_gpu=NO_GPU)
MADE: list[ScriptedLauncher] = []


def _scripted(docker: object, paths: object, ask_: Any, **_: object) -> ScriptedLauncher:
    made = ScriptedLauncher(ask_)
    made.found_doctor = DOCTOR
    MADE.append(made)
    return made


def served() -> FakeVllm:
    folder = open_built_in(default_paths().models)
    name = folder.name.replace(" ", "-")
    return FakeVllm(root=folder.path, model=name, stream=STREAM, chunk=64, tokenizes=False)


async def picture(application: Any, name: str, widget: Any = None) -> None:
    folder = os.environ.get("PICTURES")
    if folder:
        application.window.resize(1280, 800)
        still = asyncio.get_running_loop().create_future()
        await asyncio.wait({still}, timeout=0.4)  # what moves comes to rest
        shown = application.window if widget is None else widget
        shown.grab().save(str(Path(folder) / f"{name}.png"))


def seen(application: Any) -> list[str]:
    """Dot's word, button, what stands in the centre, and the composer's button."""
    window = application.window
    over = window.centre.over or ("chat" if window.centre.stage.isVisible() else "")
    return [
        window.run_bar.text.word,
        window.run_bar.act.accessibleName(),
        over,
        window.composer.button.text(),
    ]


async def until_phase(application: Any, phase: ServerPhase) -> None:
    await inside.until(lambda: application.ours.launcher.state.phase is phase)


async def choose(application: Any, fake: FakeVllm) -> ScriptedLauncher:
    """vLLM on the CPU, through the menu."""
    await inside.until(lambda: application.engine.state.phase is Phase.READY)
    application.settings.update(vllm_port=int(fake.address.rpartition(":")[2]))
    await inside.until(lambda: application.ours.launch.doctor is not None)
    bar = application.window.run_bar
    bar.open_engines()
    await picture(application, "menu", bar.engine_menu)
    row = next(one for one in bar.engine_menu.actions() if one.text() == "vLLM CPU")
    row.trigger()
    bar.engine_menu.close()
    await inside.until(lambda: application.engine.state.engine == "vllm")
    await inside.until(lambda: application.local.state.phase is Phase.ABSENT)  # the model is given back
    return MADE[-1]


async def killed(application: Any, launcher: ScriptedLauncher, fake: FakeVllm) -> None:
    """By the kernel, while it is ready: its container has ended, and is there."""
    launcher.move(P.LOST, finding=OUT_OF_MEMORY)
    await fake.end()
    await inside.until(lambda: application.session.running is None)
    await inside.until(lambda: application.window.run_bar.text.word == "Server gone")


async def life(application: Any) -> None:
    """Start, ready, ask, stop, start again, fail, mend, lose, start again."""
    window = application.window
    async with served().serve() as fake:
        launcher = await choose(application, fake)
        said: Said = {"chosen": seen(application)}
        await picture(application, "chosen")
        gate = launcher.holds[P.COMPILING] = asyncio.Event()
        window.run_bar.act.click()
        await until_phase(application, P.COMPILING)
        window.composer.set_text("Hello")
        said["starting"] = seen(application)
        await picture(application, "starting")
        window.composer.button.click()  # send when ready
        said["waits"] = seen(application)[3]
        gate.set()
        await inside.until(lambda: bool(answers(application)) and application.session.running is None)
        said["ready"] = seen(application)
        await picture(application, "ready")
        (answer,) = answers(application)
        said["answer"] = answer.state.value, len(answer.table), answer.info.engine
        said["log"] = application.log_lines.last.text

        window.run_bar.act.click()
        await until_phase(application, P.STOPPED)
        await inside.until(lambda: application.server.state.phase is Phase.ABSENT)
        said["stopped"] = seen(application)
        await picture(application, "stopped")

        launcher.fails[P.LOADING] = NO_ROOM
        window.run_bar.act.click()
        await until_phase(application, P.FAILED)
        await inside.until(lambda: not application.ours.launch._wanted)
        said["failed"] = seen(application)
        said["text"] = window.composer.text()
        await picture(application, "failed")
        application.ours.remedies.do(NO_ROOM.fixes[0])
        await until_phase(application, P.READY)
        await inside.until(lambda: application.session.can_ask)
        said["share"] = launcher.specs[-1].gpu_share

        await half_an_answer(application, fake)
        window.composer.set_text("typed meanwhile")
        await killed(application, launcher, fake)
        said["lost"] = seen(application)
        said["kept"] = len(answers(application)[-1].table) > 2
        application.view.batcher.flush()
        application.view.to_end()
        await inside.until(lambda: bool(application.view._stage.blocks[-1].footer.banner))
        actions = application.view._stage.blocks[-1].footer.banner.actions
        said["banner"] = [*(id_ for id_, _ in actions), actions[-1][1]]
        await picture(application, "lost")
        fake.stream, fake.hold = STREAM, False
        await fake.begin()
        window.composer.button.click()  # start and send
        await inside.until(lambda: answers(application)[-1].state.value == "finished")
        said["again"] = seen(application)
        said["starts"] = len(launcher.specs)
        await quit_by_the_sheet(application, said)


async def quit_by_the_sheet(application: Any, said: Said) -> None:
    window, question = application.window, application.ours.quit_question
    window.close()
    await inside.until(lambda: question.sheet is not None)
    await picture(application, "quit", question.sheet)
    question.sheet.cancel.click()
    await inside.until(lambda: question.sheet is None)
    said["quitting"] = application.quitting.requested
    window.close()
    await inside.until(lambda: question.sheet is not None)
    print(json.dumps(said), flush=True)
    question.sheet.stop.click()


async def first_run(application: Any) -> Said:
    """Nothing is on disk."""
    await inside.until(lambda: application.ours.launch.doctor is not None)
    window = application.window
    await picture(application, "first-run")
    return {
        "seen": window.centre.over,
        "composer": window.composer.isVisible(),
        "specs": len(MADE[-1].specs),
        "downloads": [str(path) for path in default_paths().models.rglob("*")],
    }


async def starting(application: Any) -> Said:
    """Quit by a signal in the middle of a start."""
    async with served().serve() as fake:
        launcher = await choose(application, fake)
        launcher.holds[P.WARMING] = asyncio.Event()
        application.window.run_bar.act.click()
        await until_phase(application, P.WARMING)
    return {}


async def lost(application: Any) -> None:
    """The window is closed after its server was killed, whatever is to become of one that runs."""
    async with served().serve() as fake:
        launcher = await choose(application, fake)
        application.window.run_bar.act.click()
        await inside.until(lambda: application.session.can_ask)
        await killed(application, launcher, fake)
        question, asked = application.ours.quit_question, []
        for choice in ("ask", "leave"):
            application.settings.update(on_quit=choice)
            question.ask("m", lambda: asked.append(question.leave))
        application.window.close()
        print(json.dumps({"leaves": asked, "asked": question.sheet is not None}), flush=True)


async def log_out(application: Any, choice: str = "ask") -> None:
    """The system ends the session while a server runs."""
    async with served().serve() as fake:
        await choose(application, fake)
        application.settings.update(on_quit=choice)
        application.window.run_bar.act.click()
        await inside.until(lambda: application.session.can_ask)
        application.window.composer.set_text("a draft")
        manager = QObject()  # only the system has a real one
        pointer = shiboken6.getCppPointer(manager)[0]
        QApplication.instance().commitDataRequest.emit(shiboken6.wrapInstance(pointer, QSessionManager))
        said = {"draft": application.session.conversation.draft, "quits": application.quitting.requested}
        application.window.close()
        asked = application.ours.quit_question.sheet is not None
        print(json.dumps({**said, "asked": asked, "reason": application.quitting.reason}), flush=True)


async def log_out_leaving(application: Any) -> None:
    await log_out(application, "leave")


async def told(application: Any, name: str) -> tuple[str, ...]:
    """What the picker says of the built-in model, once it is opened."""
    application.window._act("models")
    await inside.until(lambda: application.models.presenter is not None)
    presenter, room = application.models.presenter, MADE[-1].found_room
    await inside.until(lambda: (place := presenter._seen.place) and place.room == room)
    await inside.until(lambda: (shown := presenter.picker.detail.detail) and shown.fit)
    await picture(application, f"fit-{name}")
    picker = presenter.picker
    picker.close_picker()
    badge = picker.detail.detail.fit.badge.value
    block = picker.detail.fit
    return badge, block.verdict.text.text(), block.image.text(), picker.side.foot.memory.text()


async def fit(application: Any) -> Said:
    """Whether a model fits is told anew at each opening of the picker."""
    async with served().serve() as fake:
        launcher = await choose(application, fake)
        said: Said = {}
        for name, room in (
            ("stopped", Room(device="cpu", why="docker")),
            ("little", Room(device="cpu", memory=GIB)),
            ("much", Room(device="cpu", memory=32 * GIB, free=16 * GIB, image=None, image_disk=40 * 10**9)),
        ):
            launcher.found_room = room
            said[name] = await told(application, name)
        return said


VISITS: dict[str, Any] = {
    visit.__name__: visit for visit in (life, first_run, starting, lost, log_out, log_out_leaving, fit)
}


if __name__ == "__main__":
    name = sys.argv[1]

    async def named(application: Any) -> None:
        said = await VISITS[name](application)
        if said is not None:
            print(json.dumps(said), flush=True)

    from core.server import controller

    controller.ServerController = _scripted  # type: ignore[misc,assignment]
    code = inside.run(named)
    print(json.dumps(MADE[-1].calls), flush=True)
    sys.exit(code)
