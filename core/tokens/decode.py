"""Token ids → text, one token at a time, so that joined text equals the decode of the whole list.

A token whose bytes do not yet make whole characters is held back until they do, so that every released
piece is final: its text (what became complete with it) and its span (every UTF-16 unit it has a part in).
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator

import msgspec

from core.tokens.vocabulary import Kind, Vocabulary


class Piece(msgspec.Struct, frozen=True, gc=False):
    """The text side of one token. Offsets are UTF-16 units from the start of the answer's text.

    `text` became complete with this token and ends at `end`; joined texts are the whole decode. The token
    has a
    part in [`start`, `stop`): for a piece of a split character that is the whole character. `split` marks
    a token that shares a character with a neighbour.
    """

    text: str
    start: int
    end: int
    stop: int
    split: bool = False


def utf16(text: str) -> int:
    """Length in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


class AnswerDecoder:
    """Decodes one answer. `feed` returns the pieces that became final, `finish` the rest, in token order."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._run = _ByteRun()
        self._held = 0  # tokens held back
        self._at = 0  # UTF-16 units released
        self._strip = vocabulary.strip_left

    @property
    def held(self) -> int:
        """Number of tokens fed but not yet released."""
        return self._held

    def feed(self, token: int) -> list[Piece]:
        vocabulary = self._vocabulary
        raw = vocabulary.bytes_of(token)
        if vocabulary.kind is Kind.BYTE_LEVEL:
            if not self._held and raw.isascii():  # the common case, at C speed
                return [self._whole(raw.decode("ascii"))]
            self._held += 1
            self._run.add(raw)
            return [] if self._run.incomplete else self._release(fallback=False)
        if vocabulary.is_byte(token) or (self._held and vocabulary.is_unused(token)):
            # an id without a token is not there for a decoder: the run of bytes goes on over it
            self._held += 1
            self._run.add(raw)
            return []
        pieces = self._release(fallback=True) if self._held else []
        pieces.append(self._whole(raw.decode("utf-8", "replace")))
        return pieces

    def finish(self) -> list[Piece]:
        """The answer is over: release what is held, broken characters as U+FFFD."""
        return self._release(fallback=self._vocabulary.kind is Kind.BYTE_FALLBACK) if self._held else []

    def _whole(self, text: str) -> Piece:
        if self._strip:
            text = "".join(self._stripped(text))
        start = self._at
        self._at += utf16(text)
        return Piece(text, start, self._at, self._at)

    def _stripped(self, characters: Iterable[str]) -> Iterator[str]:
        """Spaces at the very start of the answer become nothing, as many as the vocabulary says."""
        for character in characters:
            if self._strip and character == " ":
                self._strip -= 1
                yield ""
            else:
                self._strip = 0
                yield character

    def _release(self, *, fallback: bool) -> list[Piece]:
        characters, sizes = self._run.decode(fallback=fallback)
        self._run = _ByteRun()
        self._held = 0
        if self._strip:
            kept = self._stripped(character for character, _ in characters)
            characters = [(text, width) for text, (_, width) in zip(kept, characters, strict=True)]
        return self._spread(characters, sizes)

    def _spread(self, characters: list[tuple[str, int]], sizes: list[int]) -> list[Piece]:
        """Give each held token the characters it completes and those it has a part in."""
        pieces: list[Piece] = []
        index = 0  # character under the read position
        used = 0  # bytes of it already covered by earlier tokens
        at = self._at
        for size in sizes:
            start, text, left = at, "", size
            split = used > 0 and size > 0
            while left and index < len(characters):
                character, width = characters[index]
                step = min(width - used, left)
                used += step
                left -= step
                if used == width:
                    text += character
                    at += utf16(character)
                    index, used = index + 1, 0
            stop = at
            if used:
                split = True
                stop = at + utf16(characters[index][0])
            pieces.append(Piece(text, start, at, stop, split))
        self._at = at
        return pieces


class _ByteRun:
    """Bytes of the held tokens and whether they end inside a character."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._check = codecs.getincrementaldecoder("utf-8")("replace")

    def add(self, raw: bytes) -> None:
        self._parts.append(raw)
        self._check.decode(raw)

    @property
    def incomplete(self) -> bool:
        return bool(self._check.getstate()[0])

    def decode(self, *, fallback: bool) -> tuple[list[tuple[str, int]], list[int]]:
        """(characters with their widths in bytes, bytes per token)."""
        raw = b"".join(self._parts)
        sizes = [len(part) for part in self._parts]
        try:
            return [(ch, len(ch.encode())) for ch in raw.decode("utf-8")], sizes
        except UnicodeDecodeError:
            pass
        if fallback:
            return [("\ufffd", 1)] * len(raw), sizes
        characters: list[tuple[str, int]] = []
        position = 0
        while position < len(raw):
            try:
                tail = raw[position:].decode("utf-8")
            except UnicodeDecodeError as error:
                valid = raw[position : position + error.start].decode("utf-8")
                characters += [(ch, len(ch.encode())) for ch in valid]
                characters.append(("\ufffd", error.end - error.start))
                position += error.end
            else:
                characters += [(ch, len(ch.encode())) for ch in tail]
                break
        return characters, sizes
