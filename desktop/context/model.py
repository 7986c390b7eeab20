"""What the Context tab shows, as values: no words, no widgets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from core.prompt.context import Budget, Context
from core.tokens.label import matches
from core.tokens.vocabulary import Vocabulary

SEARCHED = 4000  # tokens looked at in one go


class Form(Enum):
    """How chips name their tokens."""

    TOKENS = "tokens"
    IDS = "ids"
    TEXT = "text"


class Parts(Enum):
    """Whether it is known which message a token comes from, else why not."""

    KNOWN = auto()
    OTHER_MODEL = auto()  # the vocabulary of the engine in use is not the answer's
    NOT_READY = auto()  # no engine can render the messages now
    NOT_TOLD = auto()  # who rendered the prompt tells no origins
    CHANGED = auto()  # the same messages give other ids today


class Cache(Enum):
    """What the engine told about its KV cache."""

    TOLD = auto()
    LATER = auto()  # it tells when it reads the prompt
    NOT_TOLD = auto()


@dataclass(frozen=True, slots=True)
class Sight:
    """`answer`: a prompt that was sent and what was written to it, not the next prompt. `live`: it grows.
    `engine`: which kind was or will be asked."""

    context: Context
    vocabulary: Vocabulary
    budget: Budget
    answer: bool = False
    live: bool = False
    parts: Parts = Parts.KNOWN
    cache: Cache = Cache.LATER
    engine: str = "local"

    def continues(self, before: Sight | None) -> bool:
        """All that `before` has is in here unchanged; at most its last group is longer, and more follow."""
        if before is None or self.vocabulary is not before.vocabulary:
            return False
        own, old = self.context, before.context
        count = len(old.groups)
        if not count or len(own.groups) < count or own.media != old.media or own.typed != old.typed:
            return False
        same = all(
            one.last == other.last for one, other in zip(own.groups[: count - 1], old.groups, strict=False)
        )
        first = own.groups[count - 1].first == old.groups[-1].first
        longer = own.groups[count - 1].last >= old.groups[-1].last
        return same and first and longer and own.ids[: len(old.ids)] == old.ids


class Finder:
    """Looks for words or an id from one token on, all around, in bounded parts: `advance` until `over`."""

    def __init__(self, ids: Sequence[int], vocabulary: Vocabulary, words: str, start: int, step: int) -> None:
        self._ids, self._vocabulary, self._words, self._step = ids, vocabulary, words, step
        self._at = start % len(ids) if ids else 0
        self._left = len(ids) if words else 0
        self._known: dict[int, bool] = {}
        self.found: int | None = None

    @property
    def over(self) -> bool:
        return self.found is not None or not self._left

    def advance(self, most: int = SEARCHED) -> None:
        ids, known = self._ids, self._known
        for _ in range(min(most, self._left)):
            token = ids[self._at]
            hit = known.get(token)
            if hit is None:
                hit = known[token] = matches(self._vocabulary, token, self._words)
            if hit:
                self.found = self._at
                return
            self._left -= 1
            self._at = (self._at + self._step) % len(ids)
