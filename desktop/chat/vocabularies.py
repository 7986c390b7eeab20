"""The vocabularies that answers were written with, each opened once."""

from __future__ import annotations

from pathlib import Path

from core.chat.messages import Answer
from core.tokens.vocabulary import Vocabulary


class Vocabularies:
    """Of the files in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._opened: dict[str, Vocabulary] = {}

    def of(self, answer: Answer) -> Vocabulary:
        """Of the model that wrote the answer; an empty one if its file is gone: ids then have no text."""
        name = answer.vocabulary
        if name not in self._opened:
            try:
                self._opened[name] = Vocabulary.open(self._folder / name)
            except (OSError, ValueError):
                self._opened[name] = Vocabulary.from_pieces([], [])
        return self._opened[name]
