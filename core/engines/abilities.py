"""What an engine can show of an answer, one line for each ability: yes or no, why, and what would change it.

Values only: the words belong to whoever shows them.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Literal

import msgspec

from core.models.specs import Specs

Answer = Literal["yes", "no", "unknown", "none"]  # none: there is nothing here that could be shown

# in the order in which they are shown
NAMES = (
    "probability",
    "candidates",
    "rank",
    "left",
    "drawn",
    "guesses_counted",
    "guesses_marked",
    "greedy",
    "ids",
    "kind",
    "context",
    "cached",
    "tokenizer",
    "stop",
    "images",
    "sound",
    "video",
)
MEDIA = ("images", "sound", "video")


class Why(Enum):
    """The reason of a line; its `values` fill the sentence."""

    COMPUTED = auto()  # here, from all logits
    RANK_COUNTED = auto()
    SAMPLER_HERE = auto()
    NO_NUMBERS = auto()
    NUMBERS_REFUSED = auto()
    UNCLEAR = auto()  # which kind of numbers
    RAW = auto()
    PROCESSED = auto()
    LOGITS = auto()
    STORED = auto()
    LISTED = auto()
    LISTED_AT_LEAST = auto()
    LISTED_LEFT = auto()  # only those that the sampler left
    LISTED_SCORES = auto()
    LISTED_UNCLEAR = auto()
    LISTED_NONE = auto()
    RANKS_SENT = auto()
    RANKS_OF_LISTED = auto()
    MASK = auto()
    LEFT_IF_FEW = auto()
    SAMPLER_NOT_SENT = auto()
    DRAWN_SENT = auto()
    NO_GUESSING = auto()
    NO_GUESSING_HERE = auto()
    GUESSING_NOT_TOLD = auto()
    GUESSES_COUNTED = auto()
    GUESSES_NOT_COUNTED = auto()
    GUESSES_EACH_STEP = auto()
    GUESSES_WITHOUT_STEPS = auto()
    GUESSES_NO_STEP_YET = auto()
    GREEDY = auto()
    GREEDY_REFUSED = auto()
    IDS_SENT = auto()
    IDS_HERE = auto()
    KIND_BOTH = auto()
    KIND_RAW = auto()
    KIND_PROCESSED = auto()
    KIND_LOGITS = auto()
    KIND_PROCESSED_LOGITS = auto()
    CONTEXT = auto()
    CONTEXT_OF = auto()
    CONTEXT_NOT_TOLD = auto()
    CACHED_HERE = auto()
    CACHED_SEEN = auto()
    CACHED_NOT_SEEN = auto()
    TOKENIZER_OWN = auto()
    TOKENIZER_SAME = auto()
    TOKENIZER_NOT_COMPARED = auto()
    TOKENIZER_NOT_SERVED = auto()
    TOKENIZER_SERVER = auto()
    STOP_HERE = auto()
    STOP_NOT_SEEN = auto()
    NO_INPUT = auto()
    TEXT_ONLY = auto()
    MEDIA_ROUTE = auto()
    MEDIA_NOT_ASKED = auto()
    MEDIA_TAKEN = auto()
    MEDIA_REFUSED = auto()
    MEDIA_UNCLEAR = auto()
    MODEL_NOT_READ = auto()


class Ability(msgspec.Struct, frozen=True):
    """`evidence`: what was asked and answered, in the server's own words where there are any; not
    translated. `flag`: of `vllm serve`, that would change a "no"."""

    name: str
    answer: Answer
    why: Why
    values: tuple[str | int, ...] = ()
    evidence: str = ""
    flag: str = ""


def context(limit: int | None, specs: Specs | None, evidence: str = "") -> Ability:
    """The limit in force and, where it is another, the model's own."""
    if limit is None:
        return Ability("context", "unknown", Why.CONTEXT_NOT_TOLD, evidence=evidence)
    own = specs.context_limit if specs is not None else None
    if own is None or own == limit:
        return Ability("context", "yes", Why.CONTEXT, (limit,), evidence)
    return Ability("context", "yes", Why.CONTEXT_OF, (limit, own), evidence)
