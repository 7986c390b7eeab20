"""The facts of one answer, gathered while it arrives: times, counts, guesses, and what must be said of it."""

from __future__ import annotations

from collections.abc import Sequence

from core.engines.base import Finished, FinishReason, Speculation
from core.engines.timing import timing
from core.engines.vllm.step import Step
from core.engines.vllm.wire import SpeculativeDecoding, Usage

_REASONS: dict[str, FinishReason] = {"stop": "stop", "length": "length", "repetition": "stop"}


class Arrivals:
    """One answer's tokens as they came. Times in milliseconds from the request. `models_own`: their numbers
    are the model's, which is hardly ever certain of all; after a sampler or a form it is nothing unusual."""

    def __init__(self, prompt_tokens: int, context_limit: int | None, seed: int | None) -> None:
        self._prompt_tokens = prompt_tokens
        self._limit = context_limit
        self._seed = seed
        self._first: float | None = None  # when the first piece with tokens came,
        self._at_first = 0  # and how many it brought
        self._last = 0.0
        self._sizes: list[int] = []  # tokens of each event
        self._all_certain = True
        self._reason: str | None = None
        self._stop_reason: str | int | None = None
        self._usage: Usage | None = None
        self._counts: SpeculativeDecoding | None = None
        self._notes: list[str] = []
        self._refused: tuple[int, str] | None = None
        self.models_own = True
        self.tokens = 0

    def read(self, tokens: int) -> None:
        """The prompt is known to be so long."""
        self._prompt_tokens = tokens

    def note(self, code: str) -> None:
        if code not in self._notes:
            self._notes.append(code)

    def refuse(self, status: int, words: str) -> None:
        """The server gives this answer only without numbers."""
        self._refused = status, words
        self.note("details_refused")

    def take(self, step: Step, at: float) -> None:
        """One event that came at `at`."""
        if step.tokens:
            if self._first is None:
                self._first = at
            if at == self._first:
                self._at_first += len(step.tokens)
            self._last = at
            self._sizes.append(len(step.tokens))
            self.tokens += len(step.tokens)
            self._all_certain = self._all_certain and all(token.value == 0.0 for token in step.tokens)
        if step.unknown_text:
            self.note("text_without_ids")
        if step.finish_reason is not None:
            self._reason, self._stop_reason = step.finish_reason, step.stop_reason
        if step.usage is not None:
            self._usage = step.usage
        if step.metrics is not None and step.metrics.speculative_decoding is not None:
            self._counts = step.metrics.speculative_decoding

    @property
    def ended(self) -> bool:
        """The server said why it ended, or counted what it sent."""
        return self._reason is not None or self._usage is not None

    @property
    def cached_tokens(self) -> int | None:
        details = self._usage.prompt_tokens_details if self._usage else None
        return details.cached_tokens if details else None

    def finished(self) -> Finished:
        usage = self._usage
        counted = usage.completion_tokens if usage else None
        differs = counted is not None and counted != self.tokens
        if differs:
            self.note("counts_differ")
        read = usage.prompt_tokens if usage else 0
        misread = read not in (0, self._prompt_tokens)
        if misread:
            self.note("prompt_count_differs")
        if self.tokens > 1 and self._all_certain and self.models_own:
            self.note("all_certain")
        prefill, speed = self._timing()
        return Finished(
            reason=self._ending(),
            stop_reason=self._stop_reason,
            seed=self._seed,
            prompt_tokens=self._prompt_tokens,
            completion_tokens=self.tokens,
            reused_tokens=self.cached_tokens,
            prefill_ms=prefill,
            decode_tokens_per_second=speed,
            server_tokens=counted if differs else None,
            server_prompt_tokens=read if misread else None,
            refused=self._refused,
            speculation=speculation(self._counts, self._sizes),
            notes=tuple(self._notes),
        )

    def _ending(self) -> FinishReason:
        if self._reason is None:
            self.note("no_reason")
        elif self._reason == "abort":
            self.note("aborted_by_server")
        reason = _REASONS.get(self._reason or "", "unknown")
        full = self._limit is not None and self._prompt_tokens + self.tokens >= self._limit
        return "context" if reason == "length" and full else reason

    def _timing(self) -> tuple[float | None, float | None]:
        if self._first is None:
            return None, None
        times = timing(self._first, self._last, self.tokens, self.tokens - self._at_first)
        if times == (None, None):
            self.note("burst")
        return times


def speculation(counts: SpeculativeDecoding | None, sizes: Sequence[int]) -> Speculation | None:
    """Counts as told; the guesses that were kept only if the steps account for every token.

    The first token is the prefill's; each step then gives its kept guesses and one token of the model's own.
    Only the last step may be cut (stop token, limit). Steps without guesses are not counted, so events that
    do not fall on the steps' borders mean that the counts tell nothing of single tokens.
    """
    if counts is None:
        return None
    guesses = _guesses(counts.per_step_accepted, sizes)
    return Speculation(
        steps=counts.num_spec_steps,
        drafted=counts.num_draft_tokens,
        accepted=counts.num_accepted_draft_tokens,
        guesses=guesses,
        offered=None if guesses is None else _offered(counts, len(guesses)),
    )


def _offered(counts: SpeculativeDecoding, guesses: int) -> tuple[int, ...] | None:
    accepted, drafted = counts.per_step_accepted or (), counts.per_step_drafted or ()
    if len(accepted) != len(drafted) or any(kept > of for kept, of in zip(accepted, drafted, strict=True)):
        return None
    each = [of for kept, of in zip(accepted, drafted, strict=True) for _ in range(kept)]
    return tuple(each[:guesses])


def _guesses(accepted: Sequence[int] | None, sizes: Sequence[int]) -> tuple[int, ...] | None:
    tokens = sum(sizes)
    if not accepted or not tokens:
        return None
    guesses: list[int] = []
    borders = {0, 1}
    at = 1
    for kept in accepted:
        if at >= tokens or kept < 0:
            return None  # a step after the end
        guesses += range(at, min(at + kept, tokens))
        at += kept + 1
        borders.add(min(at, tokens))
    if at < tokens:
        return None
    events, border = list(sizes), 0
    for size in events:
        border += size
        if border not in borders:
            return None
    return tuple(guesses)
