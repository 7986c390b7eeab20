"""The vocabularies that answers were written with, each opened once."""

from __future__ import annotations

from pathlib import Path

from core.chat.messages import Answer
from core.engines.host import EngineHost
from core.tokens.learned import LearnedVocabulary
from core.tokens.vocabulary import Vocabulary


class Vocabularies:
    """Of the files in one folder; of one that is still learned, the engine's own."""

    def __init__(self, folder: Path, engine: EngineHost) -> None:
        self._folder = folder
        self._engine = engine
        self._opened: dict[str, Vocabulary] = {}

    def of(self, answer: Answer) -> Vocabulary:
        """Of the model that wrote the answer; an empty one if its file is gone: ids then have no text."""
        name, path, learned = answer.vocabulary, self._engine.vocabulary_path, self._engine.vocabulary
        if isinstance(learned, LearnedVocabulary) and path is not None and path.name == name:
            return learned
        if name not in self._opened:
            try:
                self._opened[name] = Vocabulary.open(self._folder / name)
            except (OSError, ValueError):
                self._opened[name] = Vocabulary.from_pieces([], [])
        return self._opened[name]
