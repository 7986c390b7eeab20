"""The server manager is made at the first need, once, and its events pass through."""

from __future__ import annotations

import asyncio

from core.server.spec import LaunchSpec
from core.server.state import ServerPhase
from desktop.server.late import LateLauncher
from tests.fakes.scripted_launcher import ScriptedLauncher


def test_it_is_made_once_and_passes_everything_on() -> None:
    made: list[ScriptedLauncher] = []
    loads: list[bool] = []

    def make() -> ScriptedLauncher:
        made.append(ScriptedLauncher())
        return made[-1]

    async def steps() -> None:
        late = LateLauncher(lambda: loads.append(True), make)
        seen: list[ServerPhase] = []
        lines: list[str] = []
        late.state_changed.connect(lambda state: seen.append(state.phase))
        late.log.connect(lambda pieces: lines.extend(piece.text for piece in pieces))
        assert late.report() == "" and late.state.phase is ServerPhase.ABSENT
        await late.close()
        assert made == []
        await asyncio.gather(late.look(), late.doctor())
        await late.start(LaunchSpec(model="m", folder="/m"))
        assert seen[-1] is late.state.phase is ServerPhase.READY and lines
        await late.stop()
        await late.close(leave=True)
        assert len(made) == len(loads) == 1 and made[0].calls[-1] == "close, leave"

    asyncio.run(steps())
