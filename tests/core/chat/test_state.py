"""The chat's state table."""

from __future__ import annotations

import pytest

from core.chat.state import CAN_ASK, CAN_STOP, MOVES, RUNNING, ChatState, IllegalMove, move


def test_every_state_has_its_row_and_can_be_left() -> None:
    assert set(MOVES) == set(ChatState)
    assert all(MOVES[state] for state in ChatState)


def test_every_state_is_reached_from_idle() -> None:
    reached = {ChatState.IDLE}
    while True:
        more = reached | {to for state in reached for to in MOVES[state]}
        if more == reached:
            break
        reached = more
    assert reached == set(ChatState)


def test_asking_and_stopping_exclude_each_other() -> None:
    assert RUNNING - {ChatState.STOPPING} == CAN_STOP
    assert set(ChatState) - RUNNING == CAN_ASK


def test_a_move_that_is_not_in_the_table_is_refused() -> None:
    assert move(ChatState.IDLE, ChatState.PREPARING) is ChatState.PREPARING
    with pytest.raises(IllegalMove):
        move(ChatState.IDLE, ChatState.DECODING)
