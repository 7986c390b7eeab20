"""Seeds, limits, stops, cancelling, and reuse of what was read: on the real built-in model."""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import signal
from array import array

import pytest

from core.engines.base import Finished, Prefilling, Sampling, TokenBatch
from core.engines.state import Phase
from core.errors import LoupeError, PromptError, WorkerLost
from core.worker import protocol
from tests.core.engines.local.conftest import Local

ASK = "Tell me a short story about a lighthouse."


def ids(local: Local, **values: object) -> list[int]:
    prompt = local.prompt(ASK)
    rows, _, _ = local.generate(
        list(prompt.ids), Sampling(**{"temperature": 1.0, "max_tokens": 16, **values})
    )
    return [row.id for row in rows]


def test_same_seed_same_answer_other_seed_another(local: Local) -> None:
    first = ids(local, seed=11)
    assert ids(local, seed=11) == first
    assert ids(local, seed=12) != first


def test_a_seed_is_drawn_and_told(local: Local) -> None:
    prompt = local.prompt(ASK)
    sampling = Sampling(temperature=1.0, max_tokens=8)
    rows, finished, _ = local.generate(list(prompt.ids), sampling)
    assert finished.seed is not None
    assert ids(local, seed=finished.seed, max_tokens=8) == [row.id for row in rows]
    _, other, _ = local.generate(list(prompt.ids), sampling)
    assert other.seed != finished.seed


def test_what_was_kept_is_told(local: Local) -> None:
    prompt = local.prompt(ASK)
    sampling = Sampling(temperature=0.8, top_k=3, top_p=0.95, seed=1, max_tokens=20)
    rows, _, _ = local.generate(list(prompt.ids), sampling)
    for row in rows:
        third = row.candidates[2].logprob
        # top-k keeps what ties with the last one, as vLLM does; which logits tie depends on the processor
        most = sum(
            1 for c in row.candidates if c.logprob is not None and third is not None and c.logprob >= third
        )
        assert row.kept_count is not None and 1 <= row.kept_count <= most
        kept = [c for c in row.candidates if c.kept]
        assert len(kept) == row.kept_count  # so few that all of them are listed
        assert next(c for c in row.candidates if c.id == row.id).kept
        weights = [math.exp((c.logprob or 0.0) / 0.8) for c in kept]
        own = math.exp((row.logprob or 0.0) / 0.8)
        assert math.exp(row.sampling_logprob or 0.0) == pytest.approx(own / sum(weights), rel=1e-9)


def test_greedy_is_certain(local: Local) -> None:
    prompt = local.prompt(ASK)
    rows, finished, _ = local.generate(list(prompt.ids), Sampling(temperature=0.0, max_tokens=6))
    assert finished.seed is None
    assert finished.reason == "length"
    assert {(row.kept_count, row.sampling_logprob) for row in rows} == {(1, 0.0)}


def test_stop_string_split_over_tokens(local: Local) -> None:
    prompt = local.prompt("What is the capital of France?")
    rows, finished, _ = local.generate(
        list(prompt.ids), Sampling(temperature=0.0, max_tokens=30, stop=("France is P", "zzz"))
    )
    assert (finished.reason, finished.stop_reason) == ("stop", "France is P")
    assert [row.id for row in rows] == [504, 3575, 282, 4649, 314, 7042]


def test_stop_ids_and_ignore_eos(local: Local) -> None:
    prompt = local.prompt("What is the capital of France?")
    greedy = Sampling(temperature=0.0, max_tokens=12)
    _, finished, _ = local.generate(list(prompt.ids), greedy)
    assert (finished.reason, finished.stop_reason) == ("stop", 2)
    rows, finished, _ = local.generate(
        list(prompt.ids), Sampling(temperature=0.0, max_tokens=12, stop_token_ids=(314,))
    )
    assert (finished.stop_reason, rows[-1].id) == (314, 314)
    rows, finished, _ = local.generate(
        list(prompt.ids), Sampling(temperature=0.0, max_tokens=12, ignore_eos=True)
    )
    assert (finished.reason, len(rows)) == ("length", 12)


def test_the_shared_prefix_is_not_read_again(local: Local) -> None:
    prompt = list(local.prompt(ASK).ids)
    rows, _, _ = local.generate(prompt, Sampling(temperature=0.0, max_tokens=8))
    longer = prompt + [row.id for row in rows] + [198, 198]
    _, finished, prefilling = local.generate(longer, Sampling(temperature=0.0, max_tokens=1))
    assert isinstance(prefilling, Prefilling)
    # the last token was drawn but not read
    assert prefilling.reused == finished.reused_tokens == len(prompt) + len(rows) - 1


async def cancelled(local: Local, ids: list[int], *, after: int) -> tuple[int, protocol.Generated]:
    """Cancel once `after` tokens have arrived (0: while the prompt is read), and hear the worker out."""
    sampling = Sampling(temperature=0.0, max_tokens=400)
    vocabulary = str(local.engine.vocabulary_path)
    seen = 0
    number = 0

    def make(job: int) -> protocol.Generate:
        nonlocal number
        number = job
        return protocol.Generate(job, array("I", ids).tobytes(), sampling, 5, vocabulary)

    async for reply in local.worker.stream(make):
        if isinstance(reply, protocol.Generated):
            return seen, reply
        seen += isinstance(reply, protocol.Rows)
        if seen == after:
            local.worker._send(protocol.Cancel(number))
    raise AssertionError("no end came")


def test_stop_acts_within_one_token_and_the_next_question_works(local: Local) -> None:
    """What the worker counts, not what arrives: of 400 tokens it makes no more than the one it was at, and
    perhaps one that was on its way."""
    prompt = list(local.prompt(ASK).ids)
    _, end = local.run(cancelled(local, prompt, after=3))
    assert end.reason == "stopped"
    assert 3 <= end.completion_tokens <= 5
    rows, finished, prefilling = local.generate(prompt, Sampling(temperature=0.0, max_tokens=4))
    assert (len(rows), finished.reason) == (4, "length")
    assert prefilling.reused == len(prompt)


def test_closing_the_answer_is_a_stop(local: Local) -> None:
    prompt = list(local.prompt(ASK).ids)
    heard: list[str] = []
    disconnect = local.worker.lines.connect(heard.append)

    async def stop_after(count: int) -> None:
        events = local.engine.generate(prompt, Sampling(temperature=0.0, max_tokens=400), top_candidates=5)
        async with contextlib.aclosing(events):
            async for event in events:
                count -= isinstance(event, TokenBatch)
                if count == 0:
                    return

    local.run(stop_after(3))
    local.generate(prompt, Sampling(temperature=0.0, max_tokens=1))
    disconnect()
    ended = [line for line in heard if " answer: " in line]
    assert ended[0].endswith("stopped")


def test_reading_a_long_prompt_can_be_stopped(local: Local) -> None:
    """The cancel is seen between layers: no token ever comes, and what was half read is not used."""
    seen, end = local.run(cancelled(local, [198] * 4000, after=0))
    assert (seen, end.reason, end.completion_tokens) == (0, "stopped", 0)
    rows, _, prefilling = local.generate(list(local.prompt(ASK).ids), Sampling(temperature=0.0, max_tokens=2))
    assert prefilling.reused == 0
    assert len(rows) == 2


def test_a_full_context_is_refused(local: Local) -> None:
    limit = local.engine.info.context_limit
    assert limit == 8192
    with pytest.raises(PromptError) as refused:
        local.generate([198] * limit, Sampling(max_tokens=1))
    assert refused.value.code == "prompt.context_full"
    assert refused.value.params == {"tokens": limit, "limit": limit}


def test_killed_worker_is_an_error_with_a_reason_and_can_be_started_again(local: Local) -> None:
    prompt = list(local.prompt(ASK).ids)
    states: list[Phase] = []
    disconnect = local.engine.state_changed.connect(lambda state: states.append(state.phase))

    async def kill_in_mid_answer() -> tuple[int, LoupeError]:
        seen = 0
        events = local.engine.generate(prompt, Sampling(temperature=0.0, max_tokens=400), top_candidates=5)
        try:
            async for event in events:
                seen += isinstance(event, TokenBatch)
                assert not isinstance(event, Finished)
                if seen == 3:
                    assert local.worker.pid is not None
                    os.kill(local.worker.pid, signal.SIGKILL)
        except LoupeError as error:
            return seen, error
        raise AssertionError("the answer went on without a worker")

    seen, error = local.run(asyncio.wait_for(kill_in_mid_answer(), 30))
    assert seen >= 3
    assert isinstance(error, WorkerLost)
    assert error.params["reason"] == "SIGKILL"
    assert states == [Phase.LOST]
    disconnect()
    local.run(local.engine.open("built-in"))
    rows, _, _ = local.generate(prompt, Sampling(temperature=0.0, max_tokens=2))
    assert len(rows) == 2
