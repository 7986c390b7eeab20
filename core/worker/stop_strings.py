"""Stop strings: found in the decoded text, also when spread over tokens."""

from __future__ import annotations

from core.tokens.decode import AnswerDecoder
from core.tokens.vocabulary import Vocabulary


class StopStrings:
    """Feed tokens, learn which stop string came first. Costs nothing without stop strings."""

    def __init__(self, strings: tuple[str, ...], vocabulary: Vocabulary | None) -> None:
        self._strings = tuple(string for string in strings if string)
        self._decoder = AnswerDecoder(vocabulary) if self._strings and vocabulary else None
        self._longest = max(map(len, self._strings), default=0)
        self._tail = ""

    def feed(self, token: int) -> str | None:
        """The stop string that begins first in the text so far, or None."""
        if self._decoder is None:
            return None
        text = self._tail + "".join(piece.text for piece in self._decoder.feed(token))
        found = [(text.find(string), string) for string in self._strings if string in text]
        self._tail = text[len(text) - self._longest + 1 :] if self._longest > 1 else ""
        return min(found)[1] if found else None
