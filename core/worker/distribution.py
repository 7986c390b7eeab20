"""From one row of logits to everything the card shows, in double precision.

Order and meaning are vLLM's (v1/sample/sampler.py): repetition, then frequency and presence penalty,
temperature,
min-p, top-k, top-p. The model's own numbers are taken from the logits as they came, before all of that.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from core.engines.base import Sampling
from core.errors import EngineError
from core.tokens.row import Candidate, TokenRow

_TOP = 1024  # a nucleus this small is found without sorting the whole vocabulary
NEGATIVE_INFINITY = float("-inf")


@dataclass
class Penalties:
    """Counts the penalties need. Frequency and presence see answer tokens only, repetition the prompt too."""

    prompt: torch.Tensor  # bool [vocabulary]
    counts: torch.Tensor  # float64 [vocabulary], answer tokens

    @classmethod
    def start(cls, prompt_ids: list[int], size: int) -> Penalties:
        seen = torch.zeros(size, dtype=torch.bool)
        seen[torch.tensor([token for token in prompt_ids if token < size], dtype=torch.long)] = True
        return cls(seen, torch.zeros(size, dtype=torch.float64))

    def add(self, token: int) -> None:
        self.counts[token] += 1

    def apply(self, logits: torch.Tensor, sampling: Sampling) -> torch.Tensor:
        """`logits` after the penalties; the same tensor if there are none."""
        r, f, p = sampling.repetition_penalty, sampling.frequency_penalty, sampling.presence_penalty
        if r != 1.0:
            repeated = self.prompt | (self.counts > 0)
            logits = torch.where(repeated, torch.where(logits > 0, logits / r, logits * r), logits)
        if f != 0.0:
            logits = logits - f * self.counts
        if p != 0.0:
            logits = logits - p * (self.counts > 0)
        return logits


def sampler_logits(logits: torch.Tensor, sampling: Sampling) -> torch.Tensor:
    """float64 [vocabulary] after temperature, min-p, top-k, top-p: −inf where a token was cut."""
    kept = logits / sampling.temperature
    if sampling.min_p > 0.0:
        # p >= min_p * max(p)  ⇔  logit >= max(logit) + log(min_p)
        floor = kept.max() + torch.log(torch.tensor(sampling.min_p, dtype=torch.float64))
        kept = kept.masked_fill(kept < floor, NEGATIVE_INFINITY)
    if 0 < sampling.top_k < kept.numel():
        threshold = torch.topk(kept, sampling.top_k).values[-1]
        kept = kept.masked_fill(kept < threshold, NEGATIVE_INFINITY)
    if sampling.top_p < 1.0:
        kept = _nucleus(kept, sampling.top_p)
    return kept


def _nucleus(logits: torch.Tensor, top_p: float) -> torch.Tensor:
    """Keep a token while the mass of the likelier ones is below top_p; the likeliest always stays.

    Where the border falls between equal logits, the lower ids are kept: as in the list of candidates.
    """
    total = torch.logsumexp(logits, 0)
    size = min(_TOP, logits.numel())
    values = torch.topk(logits, size).values
    if size < logits.numel() and torch.exp(values - total).sum() < top_p:
        values = torch.sort(logits, descending=True).values
    mass = torch.exp(values - total)
    before = torch.cumsum(mass, 0) - mass
    number = max(int(((before < top_p) & (values > NEGATIVE_INFINITY)).sum()), 1)
    return _first(logits, number, values[number - 1])


def _first(logits: torch.Tensor, number: int, border: torch.Tensor) -> torch.Tensor:
    """The `number` likeliest of `logits`, −inf for the rest; `border` is the last one's logit."""
    above = logits > border
    tied = torch.nonzero(logits == border).squeeze(1)[: number - int(above.sum())]
    kept = logits.masked_fill(~above, NEGATIVE_INFINITY)
    kept[tied] = border
    return kept


def draw(kept: torch.Tensor, generator: torch.Generator) -> int:
    """One token by inverse transform over what was kept, in id order: one number a token from the seed."""
    ids = torch.nonzero(kept > NEGATIVE_INFINITY).squeeze(1)
    mass = torch.cumsum(torch.softmax(kept[ids], 0), 0)
    at = torch.rand((), generator=generator, dtype=torch.float64) * mass[-1]
    place = int(torch.searchsorted(mass, at, right=True))
    return int(ids[min(place, ids.numel() - 1)])


class Chooser:
    """Chooses tokens of one answer and says all there is to say about each choice."""

    def __init__(self, prompt_ids: list[int], sampling: Sampling, top_candidates: int, seed: int | None):
        self._sampling = sampling
        self._top = top_candidates
        self._prompt_ids = prompt_ids
        self._penalties: Penalties | None = None
        self._generator = torch.Generator()
        if seed is not None:
            self._generator.manual_seed(seed)

    def choose(self, logits: torch.Tensor) -> int:
        """The next token. `logits`: [vocabulary], any dtype and device; kept for `describe`."""
        raw = logits.detach().to("cpu", torch.float64)
        if not bool(torch.isfinite(raw.max())):  # a NaN anywhere, +inf, or nothing but −inf
            raise EngineError("engine.not_a_number")
        self._raw = raw
        if self._penalties is None:
            self._penalties = Penalties.start(self._prompt_ids, raw.numel())
        penalised = self._penalties.apply(raw, self._sampling)
        if self._sampling.greedy:
            self._kept = None
            token = int(torch.argmax(penalised))
        else:
            self._kept = sampler_logits(penalised, self._sampling)
            token = draw(self._kept, self._generator)
        self._penalties.add(token)
        return token

    def describe(self, token: int, t_ms: float) -> TokenRow:
        """All numbers of the token `choose` gave last."""
        raw = self._raw
        peak = raw.max()
        shifted = (raw - peak).clamp_min(-1e4)  # exp of it is 0, and 0 * -inf would be NaN
        mass = torch.exp(shifted)
        total = mass.sum()
        log_total = torch.log(total)
        entropy = (log_total - (mass * shifted).sum() / total) / 0.6931471805599453
        listed = self._listed(token)
        values = raw[listed]
        logprobs = (values - peak - log_total).tolist()
        ranks = self._ranks(listed, values, token)
        mass[listed] = 0.0
        kept = self._kept_among(listed, token)
        candidates = tuple(map(Candidate, listed.tolist(), logprobs, ranks, kept))
        chosen = next(c for c in candidates if c.id == token)
        kept_count, sampling_logprob = 1, 0.0
        if self._kept is not None:
            kept_count = int((self._kept > NEGATIVE_INFINITY).sum())
            sampling_logprob = float(self._kept[token] - torch.logsumexp(self._kept, 0))
        return TokenRow(
            id=token,
            t_ms=t_ms,
            logprob=chosen.logprob,
            rank=chosen.rank,
            entropy=max(float(entropy), 0.0),
            candidates=candidates,
            others=float(mass.sum() / total),
            kept_count=kept_count,
            sampling_logprob=min(sampling_logprob, 0.0),
        )

    def _listed(self, token: int) -> torch.Tensor:
        """Ids of the likeliest tokens, ties by lower id, and the chosen one behind them if it is not
        there.
        """
        raw = self._raw
        size = min(self._top, raw.numel())
        values, indices = torch.topk(raw, size)
        border = values[-1]
        above = indices[values > border]
        tied = torch.nonzero(raw == border).squeeze(1)[: size - above.numel()]
        ids = torch.cat([above, tied])
        order = sorted(range(size), key=lambda i: (-float(raw[ids[i]]), int(ids[i])))
        ids = ids[torch.tensor(order, dtype=torch.long)]
        if not bool((ids == token).any()):
            ids = torch.cat([ids, torch.tensor([token])])
        return ids

    def _ranks(self, listed: torch.Tensor, values: torch.Tensor, token: int) -> list[int]:
        """1 + the number strictly more likely. Among the top all likelier ones are listed; below they are
        counted.
        """
        numbers = values.tolist()
        ranks = [1 + sum(other > number for other in numbers) for number in numbers]
        if len(numbers) > self._top:  # the chosen one stands below the listed
            ranks[-1] = 1 + int((self._raw > self._raw[token]).sum())
        return ranks

    def _kept_among(self, listed: torch.Tensor, token: int) -> list[bool]:
        if self._kept is None:
            return [candidate == token for candidate in listed.tolist()]
        return (self._kept[listed] > NEGATIVE_INFINITY).tolist()
