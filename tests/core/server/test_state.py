"""The state table of the server of ours: nothing is skipped, nothing runs backwards by itself."""

from __future__ import annotations

import pytest

from core.server.state import MOVES, STARTING, ServerPhase, ServerState, Step, StepStatus


def test_every_phase_has_its_moves() -> None:
    assert set(MOVES) == set(ServerPhase)
    assert all(phase not in moves for phase, moves in MOVES.items())


@pytest.mark.parametrize("phase", STARTING)
def test_a_start_never_goes_back_a_step(phase: ServerPhase) -> None:
    before = STARTING[: STARTING.index(phase)]
    assert not MOVES[phase] & set(before)
    assert {ServerPhase.STOPPING, ServerPhase.FAILED} <= MOVES[phase]  # Cancel works in every step


def test_what_runs_is_the_row_that_says_so() -> None:
    rows = (Step(ServerPhase.CHECKING, StepStatus.DONE), Step(ServerPhase.IMAGE, StepStatus.RUNNING))
    state = ServerState(ServerPhase.IMAGE, steps=rows)
    assert state.starting and state.running == rows[1]
    assert not ServerState(ServerPhase.READY).starting
