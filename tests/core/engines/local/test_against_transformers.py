"""The local engine beside plain transformers: the same greedy ids, the same numbers."""

from __future__ import annotations

import math

import pytest

from core.engines.base import Sampling
from tests.core.engines.local.conftest import Local, reference

QUESTIONS = [
    "What is the capital of France?",
    "Give me three tips for staying healthy.",
    "Zähle 1, 2, 3 😀 auf",
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_greedy_ids_are_generates_own(local: Local, question: str) -> None:
    """In the dtype the program chooses by itself, from a fresh conversation."""
    prompt = local.prompt(question)
    local.run(local.engine.leave())
    local.run(local.engine.open("built-in"))
    rows, finished, _ = local.generate(list(prompt.ids), Sampling(temperature=0.0, max_tokens=40))
    told = reference(
        folder=local.engine.info.folder,
        dtype=local.engine.info.dtype,
        messages=[{"role": "user", "content": question}],
        max_tokens=40,
    )
    assert list(prompt.ids) == told["prompt_ids"]
    assert [row.id for row in rows] == told["ids"]
    assert finished.completion_tokens == len(rows)


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_float32_numbers_equal_one_full_forward_pass(local_float32: Local, temperature: float) -> None:
    """Log probabilities within 1e-4, ranks wherever neighbours differ by more than that, entropy, listed
    ids.
    """
    prompt = local_float32.prompt("Name one thing people often get wrong about Canberra.")
    sampling = Sampling(temperature=temperature, seed=7, max_tokens=60)
    rows, _, _ = local_float32.generate(list(prompt.ids), sampling, top=20)
    told = reference(
        folder=local_float32.engine.info.folder,
        dtype="float32",
        full=[list(prompt.ids), [row.id for row in rows]],
        top=20,
    )
    compared = 0
    for i, row in enumerate(rows):
        assert row.logprob == pytest.approx(told["logprobs"][i], abs=1e-4)
        assert row.entropy == pytest.approx(told["entropies"][i], abs=1e-3)
        if told["gaps"][i] > 2e-4:
            assert row.rank == told["ranks"][i]
            compared += 1
        listed = {c.id: c.logprob for c in row.candidates}
        for token, logprob in told["top"][i][:15]:  # the last places may be swapped by rounding
            assert listed[token] == pytest.approx(logprob, abs=1e-4)
    assert compared > len(rows) / 2


def test_listed_and_others_are_everything(local: Local) -> None:
    prompt = local.prompt("Write a haiku about a tram.")
    rows, _, _ = local.generate(list(prompt.ids), Sampling(temperature=1.5, seed=3, max_tokens=60))
    unlisted = 0
    for row in rows:
        assert row.others is not None
        listed = sum(math.exp(c.logprob) for c in row.candidates if c.logprob is not None)
        assert listed + row.others == pytest.approx(1.0, abs=1e-6)
        assert [c.id for c in row.candidates].count(row.id) == 1
        ranks = [c.rank for c in row.candidates]
        assert ranks == sorted(ranks)  # type: ignore[type-var]
        unlisted += len(row.candidates) > 5
    assert unlisted, "at this temperature some chosen tokens stand below the five listed"
