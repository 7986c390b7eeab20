"""Facts of an answer: times, counts, and which tokens were guessed ahead, only where that is certain."""

from __future__ import annotations

import pytest

from core.engines.base import Finished
from core.engines.vllm.answer import Arrivals, speculation
from core.engines.vllm.step import Step, token
from core.engines.vllm.wire import CachedTokens, SpeculativeDecoding, Usage


def counted(*accepted: int) -> SpeculativeDecoding:
    return SpeculativeDecoding(len(accepted), sum(accepted), 3 * len(accepted), list(accepted), None)


def guesses(accepted: list[int], sizes: list[int]) -> tuple[int, ...] | None:
    found = speculation(counted(*accepted), sizes)
    assert found is not None
    return found.guesses


def test_guesses_where_the_counts_account_for_every_token() -> None:
    # prefill's token, then each step: its kept guesses and one of the model's own
    assert guesses([2, 0, 1], [1, 3, 1, 2]) == (1, 2, 5)
    assert guesses([2, 0, 1], [4, 3]) == (1, 2, 5)  # events that hold several steps
    assert guesses([0, 0], [1, 1, 1]) == ()


def test_the_last_step_may_be_cut_by_a_stop_token() -> None:
    assert guesses([2, 3], [1, 3, 2]) == (1, 2, 4, 5)
    assert guesses([3], [1, 1]) == (1,)


@pytest.mark.parametrize(
    ("accepted", "sizes"),
    [
        ([2], [1, 3, 1]),  # a step without guesses is not counted
        ([0, 0, 3, 3], [1] * 16 + [4, 4]),  # as recorded from a real server
        ([2, 0], [1, 2, 2]),  # events that do not fall on the steps' borders
        ([3, 3], [1, 2]),  # a whole step after the end
        ([], [1, 1]),
        ([-1, 3], [1, 3]),
        ([1], []),
    ],
)
def test_otherwise_none_is_marked(accepted: list[int], sizes: list[int]) -> None:
    assert guesses(accepted, sizes) is None


def test_summary_counts_without_marks() -> None:
    assert speculation(None, [1, 1]) is None
    found = speculation(SpeculativeDecoding(4, 6, 11), [1, 4, 4])
    assert found is not None and (found.steps, found.accepted, found.drafted, found.guesses) == (
        4,
        6,
        11,
        None,
    )


def test_how_many_were_offered_in_the_step_of_each_guess() -> None:
    told = SpeculativeDecoding(3, 4, 9, [2, 0, 2], [3, 3, 2])
    found = speculation(told, [1, 3, 1, 2])  # the last step is cut
    assert found is not None and (found.guesses, found.offered) == ((1, 2, 5, 6), (3, 3, 2, 2))
    odd = speculation(SpeculativeDecoding(1, 2, 1, [2], [1]), [1, 3])
    assert odd is not None and (odd.guesses, odd.offered) == ((1, 2), None)


def finished(*events: tuple[float, int], reason: str | None = "stop", **usage: object) -> Finished:
    arrivals = Arrivals(10, 64, seed=5)
    for at, count in events:
        arrivals.take(Step(tuple(token(1, -0.5, 1, []) for _ in range(count))), at)
    arrivals.take(Step(finish_reason=reason, usage=Usage(**usage) if usage else None), 9999.0)  # type: ignore[arg-type]
    return arrivals.finished()


def test_times_are_those_of_tokens() -> None:
    """T19: tokens are counted, not events; the usage event is not waited for in the speed."""
    end = finished((200.0, 1), (300.0, 4), (700.0, 5))
    assert (end.prefill_ms, end.decode_tokens_per_second) == (200.0, 18.0)
    # events that came in one piece are no speed: ten came after it, in half a second
    assert finished((200.0, 1), (200.0, 50), (700.0, 10)).decode_tokens_per_second == 20.0
    assert finished((200.0, 1)).decode_tokens_per_second is None
    assert finished().prefill_ms is None


@pytest.mark.parametrize("events", [[(5.0, 40)], [(5.0, 20), (5.0, 20)], [(5.0, 1), (5.1, 39)]])
def test_a_burst_has_no_speed(events: list[tuple[float, int]]) -> None:
    end = finished(*events)
    assert (end.prefill_ms, end.decode_tokens_per_second) == (None, None)
    assert "burst" in end.notes


def test_what_the_server_counted() -> None:
    end = finished((1.0, 1), (20.0, 1), prompt_tokens=10, completion_tokens=12)
    assert (end.completion_tokens, end.server_tokens, end.notes) == (2, 12, ("counts_differ",))
    end = finished((1.0, 1), (20.0, 1), prompt_tokens=11, completion_tokens=2)
    assert (end.server_tokens, end.notes) == (None, ("prompt_count_differs",))
    end = finished((1.0, 1), prompt_tokens=10, completion_tokens=1, prompt_tokens_details=CachedTokens(8))
    assert end.reused_tokens == 8
    assert finished((1.0, 1), prompt_tokens=10, completion_tokens=1).reused_tokens is None


def test_why_it_ended() -> None:
    assert finished((1.0, 54), reason="length").reason == "context"
    assert finished((1.0, 53), reason="length").reason == "length"
    assert finished((1.0, 1), reason="repetition").reason == "stop"
    for reason, note in ((None, "no_reason"), ("abort", "aborted_by_server")):
        end = finished((1.0, 1), reason=reason)
        assert (end.reason, note in end.notes) == ("unknown", True)
    assert finished((1.0, 1), reason="something new").reason == "unknown"
