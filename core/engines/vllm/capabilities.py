"""What one server was asked and answered: yes, no or unknown, each with its evidence."""

from __future__ import annotations

from typing import Literal

import msgspec

from core.engines.limits import Refusal
from core.engines.vllm.rows import Mode

Verdict = Literal["yes", "no", "unknown"]
Route = Literal["generate", "completions"]


class Cell(msgspec.Struct, frozen=True):
    """One line of the matrix. `value`: what was found, as data; `evidence`: what was asked and answered, in
    the server's own words where there are any. Not translated."""

    name: str
    verdict: Verdict
    value: str
    evidence: str


class Capabilities(msgspec.Struct, frozen=True):
    """The matrix and what the engine reads from it.

    `version` "" = not told. `root`: the model's folder or hub id on the server. `max_logprobs`: the most
    alternatives it lists, None = no numbers at all; at least that many where the cell says so.
    `speculative`, `speculation_metrics`, `cached_tokens` None: not known. `start`: when its counters began,
    which tells one run of a server from the next. `fragile`: it looks like a CPU build whose engine dies of
    requests that others answer. `asked`: when it was asked, in seconds since the epoch.
    """

    address: str
    version: str
    model: str
    served: tuple[str, ...]
    root: str
    context_limit: int | None
    route: Route
    mode: Mode
    max_logprobs: int | None
    greedy: bool
    sampling_mask: bool
    speculative: bool | None
    speculation_metrics: Literal["none", "summary", "detailed"] | None
    cached_tokens: bool | None
    fragile: bool
    start: float | None
    cells: tuple[Cell, ...]
    asked: float = 0.0

    def cell(self, name: str) -> Cell:
        """Raises KeyError."""
        found = next((cell for cell in self.cells if cell.name == name), None)
        if found is None:
            raise KeyError(name)
        return found

    def alike(self, other: Capabilities) -> bool:
        """True if numbers of the one may be read as numbers of the other: all but when it started."""
        return _meaning(self) == _meaning(other)

    @property
    def refuses(self) -> tuple[Refusal, ...]:
        """Sampling values that it does not take, or dies of."""
        refused: tuple[tuple[Refusal, bool], ...] = (
            ("greedy", not self.greedy),
            ("min_p", bool(self.speculative)),
            ("top_k", self.fragile_top_k),
        )
        return tuple(name for name, is_so in refused if is_so)

    @property
    def fragile_top_k(self) -> bool:
        """Seen on 0.32.0 with speculation: a request with top-k and a step without guesses ends the engine
        (`max()` of nothing)."""
        return self.fragile and bool(self.speculative)

    @property
    def current(self) -> bool:
        """False for servers before 0.32: text and ids as far as proved, nothing else promised."""
        return version_of(self.version) >= (0, 32)


def _meaning(one: Capabilities) -> tuple[object, ...]:
    return (
        one.version,
        one.model,
        one.root,
        one.context_limit,
        one.route,
        one.mode,
        one.max_logprobs,
        one.greedy,
    )


def version_of(text: str) -> tuple[int, int]:
    """(major, minor) of "0.32.0+cpu"; (0, 0) if it says none."""
    parts = text.split("+")[0].split(".")
    try:
        return int(parts[0]), int(parts[1])
    except (IndexError, ValueError):
        return 0, 0
