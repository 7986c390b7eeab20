"""The token table: columnar, append-only record of one answer.

About 110 bytes a token with five candidates and the chosen one (bench: `bytes_per_token`). A missing number
is NaN in a float column and `ABSENT` in an integer one, and comes back as None.
"""

from __future__ import annotations

import math
import struct
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from core.tokens.decode import Piece, utf16
from core.tokens.row import Candidate, TokenRow

ABSENT = 0xFFFFFFFF
MARK_SPECIAL = 1
MARK_SPLIT = 2
MARK_AFTER_STOP = 4  # produced after (or as part of) the stop string: not part of the answer's text
MARK_GUESS = 8
MARK_GUESS_KNOWN = 16
MARK_THINKING = 32

_COLUMNS: tuple[tuple[str, str], ...] = (
    ("id", "I"),
    ("t_ms", "f"),
    ("logprob", "d"),
    ("rank", "I"),
    ("entropy", "f"),
    ("others", "f"),
    ("kept_count", "I"),
    ("sampling_logprob", "f"),
    ("start", "I"),
    ("end", "I"),
    ("stop", "I"),
    ("mark", "B"),
    ("first_candidate", "I"),
)
_CANDIDATE_COLUMNS: tuple[tuple[str, str], ...] = (
    ("candidate_id", "I"),
    ("candidate_logprob", "f"),
    ("candidate_rank", "I"),
    ("candidate_kept", "b"),
)


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _count(value: int | None) -> int:
    return ABSENT if value is None else value


def _known(value: float) -> float | None:
    return None if value != value else value


def _counted(value: int) -> int | None:
    return None if value == ABSENT else value


@dataclass(slots=True)
class TokenTable:
    """Columns of equal length; row i is token i of the answer. `text` is the joined decode."""

    columns: dict[str, array[Any]] = field(
        default_factory=lambda: {name: array(code) for name, code in _COLUMNS + _CANDIDATE_COLUMNS}
    )
    length: int = 0  # UTF-16 units of text
    _chunks: list[str] = field(default_factory=list)
    _tail: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.columns["id"])

    @property
    def text(self) -> str:
        """The whole text, special tokens included, U+FFFD for what is no text. O(text): not for each
        token.
        """
        return "".join(self._chunks) + "".join(self._tail)

    def text_from(self, index: int) -> str:
        """The text of tokens `index` and later: O(that text), so that a view can follow a growing table."""
        missing = self.length - self.text_start(index) if index < len(self) else 0
        parts: list[str] = []
        for part in chain(reversed(self._tail), reversed(self._chunks)):
            if missing <= 0:
                break
            parts.append(part)
            missing -= utf16(part)
        text = "".join(reversed(parts))
        if missing < 0:  # the first part began before the token did
            text = text.encode("utf-16-le")[-2 * missing :].decode("utf-16-le")
        return text

    def append(self, row: TokenRow, piece: Piece, mark: int = 0) -> None:
        """Add one token: O(candidates)."""
        c = self.columns
        if row.guess is not None:
            mark |= MARK_GUESS_KNOWN | (MARK_GUESS if row.guess else 0)
        if piece.split:
            mark |= MARK_SPLIT
        c["id"].append(row.id)
        c["t_ms"].append(row.t_ms)
        c["logprob"].append(_number(row.logprob))
        c["rank"].append(_count(row.rank))
        c["entropy"].append(_number(row.entropy))
        c["others"].append(_number(row.others))
        c["kept_count"].append(_count(row.kept_count))
        c["sampling_logprob"].append(_number(row.sampling_logprob))
        c["start"].append(piece.start)
        c["end"].append(piece.end)
        c["stop"].append(piece.stop)
        c["mark"].append(mark)
        ids, logprobs = c["candidate_id"], c["candidate_logprob"]
        ranks, kept = c["candidate_rank"], c["candidate_kept"]
        c["first_candidate"].append(len(ids))
        for one in row.candidates:  # six times as often as the rest: no calls of our own
            ids.append(one.id)
            logprobs.append(math.nan if one.logprob is None else one.logprob)
            ranks.append(ABSENT if one.rank is None else one.rank)
            kept.append(-1 if one.kept is None else one.kept)
        self._tail.append(piece.text)
        if len(self._tail) == 256:  # a string object costs more than the text in it
            self._chunks.append("".join(self._tail))
            self._tail.clear()
        self.length = piece.end

    def mark_guesses(self, kept: Iterable[int]) -> None:
        """It is known now which tokens were guessed ahead and kept: these, and no others."""
        marks = self.columns["mark"]
        for index in range(len(marks)):
            marks[index] = int(marks[index]) & ~MARK_GUESS | MARK_GUESS_KNOWN
        for index in kept:
            if index < len(marks):
                marks[index] = int(marks[index]) | MARK_GUESS

    def row(self, index: int) -> TokenRow:
        """Row `index` as it was appended (candidate log probabilities in single precision)."""
        c = self.columns
        mark = int(c["mark"][index])
        first = int(c["first_candidate"][index])
        last = int(c["first_candidate"][index + 1]) if index + 1 < len(self) else len(c["candidate_id"])
        token, logprob = int(c["id"][index]), _known(c["logprob"][index])
        candidates = tuple(
            Candidate(
                int(c["candidate_id"][i]),
                # the chosen token's own number is kept in double precision; without one (numbers that are
                # not the model's) the candidate's stands
                logprob
                if c["candidate_id"][i] == token and logprob is not None
                else _known(c["candidate_logprob"][i]),
                _counted(int(c["candidate_rank"][i])),
                None if c["candidate_kept"][i] < 0 else bool(c["candidate_kept"][i]),
            )
            for i in range(first, last)
        )
        return TokenRow(
            id=token,
            t_ms=c["t_ms"][index],
            logprob=logprob,
            rank=_counted(int(c["rank"][index])),
            entropy=_known(c["entropy"][index]),
            candidates=candidates,
            others=_known(c["others"][index]),
            kept_count=_counted(int(c["kept_count"][index])),
            sampling_logprob=_known(c["sampling_logprob"][index]),
            guess=bool(mark & MARK_GUESS) if mark & MARK_GUESS_KNOWN else None,
        )

    def id(self, index: int) -> int:
        return int(self.columns["id"][index])

    def mark(self, index: int) -> int:
        return int(self.columns["mark"][index])

    def logprob(self, index: int) -> float | None:
        return _known(self.columns["logprob"][index])

    def text_start(self, index: int) -> int:
        """First UTF-16 unit of the text that became complete with this token."""
        return int(self.columns["end"][index - 1]) if index else 0

    def text_end(self, index: int) -> int:
        return int(self.columns["end"][index])

    def span(self, index: int) -> tuple[int, int]:
        """[first, last) UTF-16 units the token has a part in; empty for a token without visible text."""
        return int(self.columns["start"][index]), int(self.columns["stop"][index])

    def tokens_at(self, unit: int) -> range:
        """The tokens that have a part in the character at this UTF-16 unit: O(log n + pieces)."""
        starts, stops = self.columns["start"], self.columns["stop"]
        last = bisect_right(starts, unit)
        first = last
        while first and stops[first - 1] > unit:
            first -= 1
        while first < last and stops[first] <= unit:  # tokens without text beside the character
            first += 1
        return range(first, last)

    def group(self, index: int) -> range:
        """The tokens that share a character with this one, itself included."""
        starts, stops = self.columns["start"], self.columns["stop"]
        first = last = index
        while first and self.mark(first) & MARK_SPLIT and stops[first - 1] > starts[first]:
            first -= 1
        while last + 1 < len(self) and self.mark(last) & MARK_SPLIT and stops[last] > starts[last + 1]:
            last += 1
        return range(first, last + 1)

    def pack(self, first: int = 0) -> bytes:
        """Rows from `first` on as compressed columns (for history)."""
        return zlib.compress(self.raw(first), 1)

    def raw(self, first: int = 0) -> bytes:
        """What `pack` compresses: a copy of the columns, so that another thread can do the rest."""
        c = self.columns
        base = int(c["first_candidate"][first]) if first < len(self) else len(c["candidate_id"])
        chunks = [struct.pack("<II", len(self) - first, len(c["candidate_id"]) - base)]
        for name, _ in _COLUMNS:
            column = c[name][first:]
            if name == "first_candidate":
                column = array("I", (int(value) - base for value in column))
            chunks.append(column.tobytes())
        chunks += [c[name][base:].tobytes() for name, _ in _CANDIDATE_COLUMNS]
        return b"".join(chunks)

    def extend_packed(self, packed: bytes, text: str) -> None:
        """Append rows packed by `pack` and their joined text. Raises ValueError if the bytes are damaged."""
        try:
            data = zlib.decompress(packed)
            rows, candidates = struct.unpack_from("<II", data)
            read: dict[str, array[Any]] = {}
            at = 8
            for names, size in ((_COLUMNS, rows), (_CANDIDATE_COLUMNS, candidates)):
                for name, code in names:
                    column: array[Any] = array(code)
                    width = column.itemsize * size
                    column.frombytes(data[at : at + width])
                    if len(column) != size:
                        raise ValueError("short column")
                    read[name] = column
                    at += width
            units = int(read["end"][-1]) - self.length if rows else 0
            if at != len(data) or units != utf16(text):
                raise ValueError("size mismatch")
        except (zlib.error, struct.error, ValueError) as error:
            raise ValueError("damaged token table") from error
        base = len(self.columns["candidate_id"])
        read["first_candidate"] = array("I", (int(value) + base for value in read["first_candidate"]))
        for name, column in read.items():
            self.columns[name].extend(column)
        self._chunks += ["".join(self._tail), text]
        self._tail.clear()
        if rows:
            self.length = int(self.columns["end"][-1])
