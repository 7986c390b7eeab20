"""A vocabulary that is learned token by token, where no tokenizer is here: what a server says its ids read.

Texts are learned; a token that is only part of a character reads U+FFFD, unless its bytes could be learned.
"""

from __future__ import annotations

import tempfile
from array import array
from pathlib import Path

from core.tokens.vocabulary import HEADER, MAGIC, Flag, Kind, Vocabulary


class LearnedVocabulary(Vocabulary):
    """Grows with `learn`; nothing that was learned changes. `save` writes what `Vocabulary.open` reads."""

    def __init__(self) -> None:
        super().__init__(_body({}, {}))
        self._pieces: dict[int, bytes] = {}
        self._marks: dict[int, Flag] = {}

    def __contains__(self, token: int) -> bool:
        return token in self._pieces

    def learn(self, token: int, text: str, *, special: bool = False) -> None:
        """`text`: as the token reads within an answer; with U+FFFD in it, it is no whole characters."""
        mark = Flag.PART if "\ufffd" in text else Flag.SPECIAL if special else Flag.NONE
        self._keep(token, text.encode("utf-8", "replace"), mark)

    def learn_bytes(self, token: int, raw: bytes) -> None:
        """Of a part of a character whose bytes are known after all."""
        self._keep(token, raw, Flag.NONE)

    def _keep(self, token: int, raw: bytes, mark: Flag) -> None:
        self._pieces[token], self._marks[token] = raw, mark
        self.count = max(self.count, token + 1)

    def bytes_of(self, token: int) -> bytes:
        return self._pieces.get(token, b"")

    def flags_of(self, token: int) -> Flag:
        return self._marks.get(token, Flag.UNUSED)

    def is_special(self, token: int) -> bool:
        return self._marks.get(token) == Flag.SPECIAL

    def is_byte(self, token: int) -> bool:
        return False

    def is_unused(self, token: int) -> bool:
        return token not in self._pieces

    def save(self, path: Path) -> None:
        """Write it over what was saved before; who has that open keeps it. Raises OSError."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
            temporary = Path(file.name)
            try:
                file.write(_body(self._pieces, self._marks))
                file.close()
                temporary.replace(path)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise


def _body(pieces: dict[int, bytes], marks: dict[int, Flag]) -> bytes:
    """The layout of core/tokens/vocabulary.py; fast where ids are few and far between."""
    ids = sorted(pieces)
    count = ids[-1] + 1 if ids else 0
    offsets, flags, at = array("I"), bytearray([Flag.UNUSED]) * count, 0
    for id in ids:
        offsets.extend(array("I", [at]) * (id + 1 - len(offsets)))
        at += len(pieces[id])
        flags[id] = marks[id]
    offsets.append(at)
    header = HEADER.pack(MAGIC, count, int(Kind.BYTE_LEVEL), 0, at, 0, 0, 0, 0)
    return b"".join((header, offsets.tobytes(), bytes(flags), *(pieces[id] for id in ids)))
