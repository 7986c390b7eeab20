"""The sampler's arithmetic beside a plain copy of vLLM's order in numpy, and beside cases known by hand."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.engines.base import Sampling
from core.errors import EngineError
from core.worker.distribution import Chooser, Penalties, sampler_logits

INF = float("inf")


def plain(logits: np.ndarray, sampling: Sampling, prompt: list[int], answer: list[int]) -> np.ndarray:
    """Penalties → temperature → min-p → top-k → top-p, one token at a time, −inf where cut."""
    x = logits.astype(np.float64).copy()
    counts = Counter(answer)
    for token in range(len(x)):
        if token in prompt or counts[token]:
            x[token] = (
                x[token] / sampling.repetition_penalty
                if x[token] > 0
                else x[token] * sampling.repetition_penalty
            )
        x[token] -= sampling.frequency_penalty * counts[token]
        x[token] -= sampling.presence_penalty * (counts[token] > 0)
    x = x / sampling.temperature
    share = np.exp(x - x.max()) / np.exp(x - x.max()).sum()
    x[share < sampling.min_p * share.max()] = -INF
    if sampling.top_k:
        border = np.sort(x)[::-1][min(sampling.top_k, len(x)) - 1]
        x[x < border] = -INF
    if sampling.top_p < 1:
        share = np.exp(x - x.max()) / np.exp(x - x.max()).sum()
        before = 0.0
        for place, token in enumerate(sorted(range(len(x)), key=lambda i: (-x[i], i))):
            if place and before >= sampling.top_p:
                x[token] = -INF
            before += share[token]
    return x


def ours(logits: np.ndarray, sampling: Sampling, prompt: list[int], answer: list[int]) -> np.ndarray:
    penalties = Penalties.start(prompt, len(logits))
    for token in answer:
        penalties.add(token)
    return sampler_logits(penalties.apply(torch.from_numpy(logits), sampling), sampling).numpy()


# quarters, as bfloat16 has them: ties are common
LOGITS = st.lists(st.integers(-40, 40).map(lambda n: n / 4), min_size=3, max_size=30)


@given(
    logits=LOGITS,
    temperature=st.sampled_from([0.1, 0.7, 1.0, 2.0]),
    top_k=st.integers(0, 12),
    # away from sums that rounding could put on either side
    top_p=st.sampled_from([1.0, 0.9137, 0.5171, 0.1093]),
    min_p=st.sampled_from([0.0, 0.0513, 0.3137]),
    repetition=st.sampled_from([1.0, 1.3, 0.7]),
    frequency=st.sampled_from([0.0, 0.5, -0.25]),
    presence=st.sampled_from([0.0, 1.0]),
    seen=st.lists(st.integers(0, 2), max_size=4),
    answer=st.lists(st.integers(0, 2), max_size=4),
)
def test_the_order_is_vllms(
    logits: list[float],
    temperature: float,
    top_k: int,
    top_p: float,
    min_p: float,
    repetition: float,
    frequency: float,
    presence: float,
    seen: list[int],
    answer: list[int],
) -> None:
    sampling = Sampling(
        temperature=temperature,
        top_k=top_k,
        top_p=top_p,
        min_p=min_p,
        repetition_penalty=repetition,
        frequency_penalty=frequency,
        presence_penalty=presence,
    )
    array = np.array(logits, dtype=np.float64)
    expected = plain(array, sampling, seen, answer)
    found = ours(array, sampling, seen, answer)
    assert (np.isfinite(found) == np.isfinite(expected)).all()
    kept = np.isfinite(expected)
    assert found[kept] == pytest.approx(expected[kept], rel=1e-12)


def kept(logits: list[float], **values: float) -> list[int]:
    out = ours(np.array(logits, dtype=np.float64), Sampling(**values), [], [])  # type: ignore[arg-type]
    return np.flatnonzero(np.isfinite(out)).tolist()


def test_top_k_keeps_all_that_tie_with_the_last() -> None:
    assert kept([1.0, 3.0, 2.0, 2.0, 0.0], top_k=2) == [1, 2, 3]


def test_top_p_breaks_ties_by_the_lower_id_however_many_there_are() -> None:
    assert kept([0.0] * 500, top_p=0.01) == [0, 1, 2, 3, 4]
    assert kept([0.0] * 3000, top_p=0.0099) == list(range(30))
    assert kept([-1.0, 2.0, 2.0, 2.0], top_p=0.5) == [1, 2]


def test_top_p_reaches_beyond_the_first_thousand() -> None:
    assert len(kept([0.0] * 3000, top_p=0.5)) == 1500


def test_the_likeliest_always_stays() -> None:
    assert kept([5.0, 0.0, 0.0], top_p=1e-6) == [0]
    assert kept([5.0, 0.0, 0.0], min_p=1.0) == [0]


def test_penalties_see_what_they_should() -> None:
    """Frequency and presence: answer tokens only. Repetition: the prompt too, and divides or multiplies."""
    logits = np.array([2.0, -2.0, 2.0, 1.0])
    assert ours(logits, Sampling(repetition_penalty=2.0), [0, 1], []).tolist() == [1.0, -4.0, 2.0, 1.0]
    assert ours(logits, Sampling(frequency_penalty=0.5), [0], [2, 2]).tolist() == [2.0, -2.0, 1.0, 1.0]
    assert ours(logits, Sampling(presence_penalty=0.5), [0], [2, 2]).tolist() == [2.0, -2.0, 1.5, 1.0]


def test_prompt_ids_beyond_the_logits_touch_no_other_token() -> None:
    logits = np.array([2.0, 1.0])
    assert ours(logits, Sampling(repetition_penalty=2.0), [7], []).tolist() == [2.0, 1.0]


@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("bad", [[1.0, math.nan, 0.0], [1.0, INF, 0.0], [-INF, -INF, -INF]])
def test_logits_that_are_no_numbers_end_the_answer(bad: list[float], temperature: float) -> None:
    chooser = Chooser([0], Sampling(temperature=temperature, top_p=0.9), 2, 1)
    with pytest.raises(EngineError) as error:
        chooser.choose(torch.tensor(bad))
    assert error.value.code == "engine.not_a_number"


def test_tokens_that_are_masked_are_no_candidates_of_worth() -> None:
    """−inf is a real logit: probability 0, and never drawn."""
    chooser = Chooser([0], Sampling(temperature=1.0), 3, 1)
    logits = torch.tensor([0.0, -INF, 0.0])
    assert {chooser.choose(logits) for _ in range(30)} == {0, 2}
    row = chooser.describe(0, 0.0)
    assert row.kept_count == 2
    assert row.entropy == pytest.approx(1.0)
    assert row.others == 0.0
    assert row.candidates[-1].logprob == -INF


@given(logits=LOGITS, seed=st.integers(0, 2**31))
def test_what_is_described_is_the_distribution(logits: list[float], seed: int) -> None:
    """Beside numpy: log probability, strict rank, entropy, and listed + others = 1."""
    chooser = Chooser([0], Sampling(temperature=1.5, top_p=0.8), 4, seed)
    token = chooser.choose(torch.tensor(logits, dtype=torch.bfloat16))
    row = chooser.describe(token, 1.0)
    x = np.array(logits)
    share = np.exp(x - x.max()) / np.exp(x - x.max()).sum()
    assert row.id == token
    assert row.logprob == pytest.approx(math.log(share[token]), abs=1e-9)
    assert row.rank == 1 + int((x > x[token]).sum())
    assert row.entropy == pytest.approx(float(-(share * np.log2(share)).sum()), abs=1e-9)
    listed = [c.id for c in row.candidates]
    best = sorted(range(len(x)), key=lambda i: (-x[i], i))[:4]
    assert listed == [*best, *([token] if token not in best else [])]
    assert [c.rank for c in row.candidates] == [1 + int((x > x[i]).sum()) for i in listed]
    assert row.others == pytest.approx(float(np.delete(share, listed).sum()), abs=1e-12)
    total = sum(math.exp(c.logprob or 0.0) for c in row.candidates) + (row.others or 0.0)
    assert total == pytest.approx(1.0, abs=1e-9)
    reference = plain(x, Sampling(temperature=1.5, top_p=0.8), [], [])
    assert row.kept_count == int(np.isfinite(reference).sum())
    assert [c.kept for c in row.candidates] == [bool(np.isfinite(reference[i])) for i in listed]
    weights = np.exp(reference[np.isfinite(reference)] - reference.max())
    own = math.exp(reference[token] - reference.max()) / weights.sum()
    assert math.exp(row.sampling_logprob or 0.0) == pytest.approx(own, rel=1e-9)


def test_draws_follow_the_distribution() -> None:
    """Three thousand draws, each share within five standard deviations; the seed is fixed."""
    logits = torch.log(torch.tensor([0.5, 0.3, 0.15, 0.05], dtype=torch.float64))
    chooser = Chooser([0], Sampling(temperature=1.0), 4, 1234)
    drawn = Counter(chooser.choose(logits) for _ in range(3000))
    for token, share in enumerate((0.5, 0.3, 0.15, 0.05)):
        spread = math.sqrt(3000 * share * (1 - share))
        assert abs(drawn[token] - 3000 * share) < 5 * spread
