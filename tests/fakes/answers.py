"""Answers made up for tests: tokens given as bytes, with whatever numbers a test needs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.tokens.decode import AnswerDecoder
from core.tokens.row import Candidate, TokenRow
from core.tokens.table import MARK_SPECIAL, TokenTable
from core.tokens.vocabulary import Flag, Kind, Vocabulary


class Answer:
    """A table that grows. A token is its bytes; every distinct one gets an id."""

    def __init__(
        self,
        tokens: Sequence[bytes] = (),
        *,
        special: Sequence[bytes] = (),
        more: Sequence[bytes] = (),
        kind: Kind = Kind.BYTE_LEVEL,
    ) -> None:
        pieces = list(dict.fromkeys([*tokens, *special, *more]))
        flags = [Flag.SPECIAL if piece in special else Flag.NONE for piece in pieces]
        self.ids = {piece: number for number, piece in enumerate(pieces)}
        self.vocabulary = Vocabulary.from_pieces(pieces or [b" "], flags or [Flag.NONE], kind)
        self.table = TokenTable()
        self._decoder = AnswerDecoder(self.vocabulary)
        self._held: list[TokenRow] = []

    def add(self, tokens: Sequence[bytes], probability: float | None = 0.5) -> Answer:
        """Append tokens that all have the same probability."""
        for token in tokens:
            self.row(self.plain(token, probability))
        return self

    def plain(self, token: bytes, probability: float | None) -> TokenRow:
        logprob = None if probability is None else math.log(probability)
        number = self.ids[token]
        listed = () if logprob is None else (Candidate(number, logprob, 1),)
        others = None if probability is None else 1 - probability
        t_ms = 100.0 * (len(self.table) + len(self._held))
        return TokenRow(number, t_ms, logprob, None if logprob is None else 1, None, listed, others)

    def row(self, row: TokenRow) -> Answer:
        self._held.append(row)
        self._take(self._decoder.feed(row.id))
        return self

    def finish(self) -> Answer:
        self._take(self._decoder.finish())
        return self

    def _take(self, pieces: list) -> None:  # type: ignore[type-arg]
        for piece in pieces:
            row = self._held.pop(0)
            special = self.vocabulary.is_special(row.id)
            self.table.append(row, piece, MARK_SPECIAL if special else 0)


def answer(tokens: Sequence[bytes], probability: float | None = 0.5, **more: object) -> Answer:
    """A finished answer of these tokens."""
    return Answer(tokens, **more).add(tokens, probability).finish()  # type: ignore[arg-type]


def words(text: str) -> list[bytes]:
    """A text as a byte-level vocabulary would roughly split it: a word with the blank before it."""
    found: list[bytes] = []
    for character in text:
        joins = found and character not in " \n" and not found[-1].endswith(b"\n")
        if joins:
            found[-1] += character.encode()
        else:
            found.append(character.encode())
    return found
