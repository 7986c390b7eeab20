"""What the transcript is told: frozen values of turns, tokens, footers and banners. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from core.tokens.table import TokenTable
from core.tokens.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class QuestionTurn:
    """What the person asked; `note` stands small below it."""

    id: str
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class AnswerTurn:
    """An answer and its growing table, which the view reads and never copies.

    `thinking` and `cut` are UTF-16 offsets in the table's text: [first, last) of the thinking part, markers
    included, and the end of the answer's text (what comes after a stop string is greyed). `thinking_open`: no
    end of it has come, all that follows its first offset is thinking, and the second offset means nothing.
    """

    id: str
    table: TokenTable
    vocabulary: Vocabulary
    live: bool = False
    thinking: tuple[int, int] | None = None
    cut: int | None = None
    thinking_open: bool = False


Turn = QuestionTurn | AnswerTurn


@dataclass(frozen=True, slots=True)
class TokenRef:
    """One token of one answer."""

    turn_id: str
    index: int


@dataclass(frozen=True, slots=True)
class Banner:
    """What went wrong with an answer, why, what to do; `actions` are (key, label), told as `action`. `said`:
    the words of others, as they are."""

    what: str
    why: str = ""
    kind: str = "err"  # "err" | "warn" | "info"
    actions: tuple[tuple[str, str], ...] = ()
    said: str = ""


@dataclass(frozen=True, slots=True)
class Footer:
    """The line under an answer. `branch`: (this, of how many); `actions`: of "copy", "again"."""

    facts: str = ""
    branch: tuple[int, int] | None = None
    actions: tuple[str, ...] = ()
    banner: Banner | None = None
