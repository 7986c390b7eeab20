"""Visits with a real Docker Engine: the real manager, whatever image serves under its name.

`python -m tests.whole.with_docker NAME MODEL`, a process of its own, in an environment that has the engine;
prints one line of JSON. MODEL: a folder. With PICTURES=DIR it leaves pictures of the states there.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from typing import Any

from core.engines.state import Phase
from core.server.state import ServerPhase, ServerState
from tests.whole import inside
from tests.whole.with_a_server import answers
from tests.whole.with_our_server import picture, seen

Said = dict[str, Any]
P = ServerPhase
MODEL: list[str] = []  # of the command line, which the program's own takes the place of


def phase(application: Any) -> ServerPhase:
    return application.ours.launcher.state.phase  # type: ignore[no-any-return]


async def until_phase(application: Any, wanted: ServerPhase) -> None:
    """From now on, however short it is. Raises TimeoutError."""
    launcher = application.ours.launcher
    found: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def look(state: ServerState) -> None:
        if found.done():
            return
        if state.phase is wanted:
            found.set_result(None)
        elif state.phase is P.FAILED:
            found.set_exception(AssertionError(f"{state.finding or state.error}\n{launcher.report()}"))

    disconnect = launcher.state_changed.connect(look)
    look(launcher.state)
    try:
        await asyncio.wait_for(found, inside.patience())
    finally:
        disconnect()


async def start(application: Any) -> None:
    """By the button, on the CPU, with the model of the command line."""
    application.settings.update(model=MODEL[0], vllm_device="cpu")
    await inside.until(lambda: application.engine.state.phase is not Phase.LOADING)
    if not application.engines.ours:
        application.window.run_bar.engine_chosen.emit("docker:cpu")
        await inside.until(lambda: application.engine.state.engine == "vllm")
    application.window.run_bar.act.click()


async def first_road(application: Any) -> Said:
    """Start, watch, ask, look at a token, stop, start again; the log streams meanwhile."""
    from desktop.chat.turns import TokenRef

    await start(application)
    pages: list[str] = []
    phases: list[str] = []
    application.ours.launcher.state_changed.connect(lambda state: phases.append(state.phase.value))
    application.ours.launcher.state_changed.connect(lambda _: pages.append(application.window.centre.over))
    application.window.composer.ask("Hello")
    await until_phase(application, P.LOADING)
    await picture(application, "docker-starting")
    await until_phase(application, P.READY)
    await inside.until(lambda: bool(answers(application)) and application.session.running is None)
    await picture(application, "docker-ready")
    (answer,) = answers(application)
    said: Said = {"answer": [answer.state.value, len(answer.table), answer.info.engine]}
    said["error"] = str(answer.error or "")
    said["ranks"] = [answer.table.row(at).rank for at in range(min(3, len(answer.table)))]
    said["candidates"] = len(answer.table.row(0).candidates)
    application.inspector.open(TokenRef(application.session.conversation.path()[-1].id, 0))
    said["card"] = application.inspector._the_card().isVisible()
    application.inspector.close()
    said["log"] = len(application.log_lines)
    said["seen"] = seen(application)
    said["phases"] = list(dict.fromkeys(phases))
    said["timeline"] = "timeline" in pages
    application.window.run_bar.act.click()
    await until_phase(application, P.STOPPED)
    began = time.monotonic()
    application.window.run_bar.act.click()
    await until_phase(application, P.READY)
    await inside.until(lambda: application.session.can_ask)
    said["again"] = round(time.monotonic() - began, 1)
    return said


async def starting(application: Any) -> Said:
    """Quit in the middle of a start."""
    await start(application)
    name = os.environ.get("AT", "loading")
    await until_phase(application, P(name))
    return {}


async def ready(application: Any) -> Said:
    """Quit while it is ready."""
    await start(application)
    await until_phase(application, P.READY)
    return {"container": application.ours.launcher.state.container}


async def lost(application: Any) -> Said:
    """Quit after its server was killed."""
    said = await ready(application)
    kill = ["docker", "kill", said["container"]]
    await asyncio.to_thread(subprocess.run, kill, check=True, stdout=subprocess.DEVNULL)
    await until_phase(application, P.LOST)
    return {**said, "holds": application.ours.launch.holds}


async def waiting(application: Any) -> Said:
    """Ready until somebody ends the process."""
    await ready(application)
    print(json.dumps({"ready": True}), flush=True)
    await asyncio.Event().wait()
    return {}


async def leaving(application: Any) -> Said:
    """Quit while it is ready, and leave it running."""
    application.settings.update(on_quit="leave")
    return await ready(application)


async def joining(application: Any) -> Said:
    """The server of the window before is joined, asked, and stopped at the end."""
    application.settings.update(on_quit="stop")
    await inside.until(lambda: application.session.can_ask)
    application.window.composer.ask("Hello")
    await inside.until(lambda: bool(answers(application)) and application.session.running is None)
    answer = answers(application)[-1]
    return {"container": application.ours.launcher.state.container, "answer": answer.state.value}


ALL = (first_road, starting, ready, lost, waiting, leaving, joining)
VISITS: dict[str, Any] = {visit.__name__: visit for visit in ALL}


if __name__ == "__main__":
    visit = sys.argv[1]
    MODEL.append(sys.argv[2])

    async def named(application: Any) -> None:
        print(json.dumps(await VISITS[visit](application)), flush=True)

    sys.exit(inside.run(named))
