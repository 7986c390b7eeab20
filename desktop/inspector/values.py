"""The values a token card is made of: no words, no widgets. What is missing is None."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto

from core.engines.base import Evidence, Sampling, Speculation
from core.engines.vllm.rows import Mode


@dataclass(frozen=True, slots=True)
class AnswerFacts:
    """What is known of the answer a token belongs to.

    `evidence`: kinds of numbers the engine gave. Only of a server: `route` that the answer took, `mode`: what
    its numbers are (None = not kept), `refused`: status and words with which it refused numbers, `bare`: the
    person wanted none, `masked`: the answer had a form, `speculation`: what became of guesses.
    """

    sampling: Sampling = field(default_factory=Sampling)
    evidence: tuple[Evidence, ...] = ("model", "sampling")
    engine: str = "local"
    route: str = ""
    mode: Mode | None = None
    refused: tuple[int, str] | None = None
    bare: bool = False
    masked: bool = False
    speculation: Speculation | None = None

    @property
    def server(self) -> bool:
        return self.engine == "vllm"


class Kind(Enum):
    """Which kind of numbers the card has."""

    EVERYTHING = auto()  # the model's own, and what the sampler did
    RAW = auto()  # the model's own only
    PROCESSED = auto()  # what was drawn from only
    LOGITS = auto()  # scores, which are no probabilities
    PROCESSED_LOGITS = auto()  # the same, after the settings
    NOTHING = auto()

    @property
    def scores(self) -> bool:
        return self in (Kind.LOGITS, Kind.PROCESSED_LOGITS)

    @property
    def model(self) -> bool:
        """The model's own probabilities."""
        return self in (Kind.EVERYTHING, Kind.RAW)


class Label(Enum):
    """What a number is."""

    PROBABILITY = auto()
    RANK = auto()
    SURPRISE = auto()
    DRAWN_WITH = auto()
    LEFT = auto()
    SCORE = auto()
    PIECE = auto()
    ALL_PIECES = auto()
    ENTROPY = auto()
    MODEL_PROBABILITY = auto()


class Note(Enum):
    """A sentence of explanation; its parameters come with it."""

    CUT_BY = auto()  # grey: surely cut by each of these, as in top-p 0.90
    CUT_BY_ONE_OF = auto()  # it cannot be told by which
    CUT_GREEDY = auto()
    SAMPLER_NOT_SENT = auto()
    PROCESSED_BY = auto()
    PROCESSED_GREEDY = auto()
    MODEL_NOT_SENT = auto()
    SCORES_ONLY = auto()
    RANK_NOT_SENT = auto()
    RANK_UNCLEAR = auto()  # what was sent does not fit together
    RANK_OF_SERVER = auto()
    FORM_MASK = auto()
    TURNED_DOWN = auto()
    STEP_PIECES = auto()
    NO_NUMBER = auto()  # for this token, whatever the others have
    REFUSED = auto()
    BARE = auto()
    UNCLEAR = auto()  # what the numbers are
    SERVER_HAS_NONE = auto()
    AFTER_STOP = auto()
    MISSING = auto()


# what can only be changed by asking another way, or a server that was started in another way
HELPLESS = frozenset({Note.REFUSED, Note.BARE, Note.UNCLEAR, Note.SERVER_HAS_NONE})


class Shape(Enum):
    """How a token's name is to be shown."""

    TEXT = auto()
    BYTES = auto()
    SPECIAL = auto()
    EMPTY = auto()


@dataclass(frozen=True, slots=True)
class Name:
    """A token's own text, bytes ("E5 B3") or special name."""

    text: str
    shape: Shape


@dataclass(frozen=True, slots=True)
class Figure:
    """One of the large numbers. `unit` "bits" or "". `number`: which piece, for PIECE."""

    label: Label
    value: str
    unit: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """A candidate. `share` None: no bar. `rank` None: not known, shown as "?". `twin`: another row looks the
    same."""

    id: int
    name: Name
    rank: int | None
    value: str
    share: float | None
    chosen: bool
    cut: bool
    twin: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """A line of the sampler's facts; `value` None = not sent."""

    label: Label
    value: str | None
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A token that shares characters with others."""

    index: int
    id: int
    data: bytes
    logprob: float | None


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence below the numbers, with what it names, and the flag it speaks of, to copy."""

    note: Note
    values: tuple[str, ...] = ()
    flag: str = ""


@dataclass(frozen=True, slots=True)
class CardModel:
    """Everything a card shows, in the order it shows it."""

    index: int
    total: int  # 0: the answer still grows
    id: int
    name: Name
    bytes_count: int
    step: int | None  # heat of the chip; None = no number to colour by
    kind: Kind
    greedy: bool
    listed: bool
    ranked: bool
    guess: bool | None
    kept_guesses: tuple[int, int] | None  # in this token's step: (kept, of so many offered)
    figures: tuple[Figure, ...]
    rows: tuple[Row, ...]
    between: int  # tokens between the last row before the chosen one and the chosen one; 0 = no such line
    others: Row | None  # `name` is not used
    facts: tuple[Fact, ...]
    remarks: tuple[Remark, ...]
    pieces: tuple[Piece, ...]  # empty unless several tokens make one character
    sign: str  # what the pieces make
    data: bytes
    engine: str

    @property
    def helpless(self) -> bool:
        """There are no numbers, and a server has to be asked for them in another way."""
        return any(remark.note in HELPLESS for remark in self.remarks)

    @property
    def piece(self) -> int:
        """Which piece this token is, from 1; 0 if it is whole."""
        return next((n for n, piece in enumerate(self.pieces, 1) if piece.index == self.index), 0)
