"""What vLLM 0.33 sends otherwise than 0.32, by its source: whole lists, new fields, an abort before the first
token, other words for a dead engine."""

from __future__ import annotations

import pytest

from tests.core.engines.vllm.test_cases import SIZES, answer


@SIZES
def test_lists_are_whole_and_ranks_may_be_missing(size: int) -> None:
    found = answer("v33_generate", size, version="0.33.0")
    assert found.failure is None
    first, far, last = found.rows
    assert [one.id for one in first.candidates] == [256, 33, 46, 264, 280]
    # the chosen one stands far below, and all that were asked for are there beside it
    assert [(one.id, one.rank) for one in far.candidates] == [
        (33, 1), (46, 2), (264, 3), (280, 4), (281, 5), (299, 812)]  # fmt: skip
    assert (far.logprob, far.rank) == (-9.25, 812)
    assert (last.logprob, last.rank) == (None, None)  # −9999 says nothing
    assert (found.end.reason, found.end.stop_reason) == ("stop", 33)
    assert found.end.speculation is not None
    assert (found.end.speculation.steps, found.end.speculation.guesses) == (2, ())


@SIZES
def test_keep_alive_comments_and_new_fields(size: int) -> None:
    found = answer("v33_completions", size, version="0.33.0")
    assert (found.text, found.end.reason, found.end.reused_tokens) == ("Hello world", "length", 2)
    assert [row.logprob for row in found.rows] == [-0.105, -0.105]


@SIZES
def test_an_abort_before_the_first_token(size: int) -> None:
    found = answer("v33_aborted_first", size, version="0.33.0")
    assert (found.failure, found.rows, found.end.reason) == (None, [], "unknown")
    assert "aborted_by_server" in found.end.notes


@SIZES
@pytest.mark.parametrize("healthy", [True, False])
def test_a_dead_engine_is_told_by_its_health_and_not_by_words(size: int, healthy: bool) -> None:
    found = answer("v33_engine_dead", size, version="0.33.0", healthy=healthy)
    assert found.failure is not None
    assert found.failure.code == ("server.said" if healthy else "server.engine_dead")
    assert found.failure.detail == "The server had an error while processing your request."
    assert found.ids == [256]
