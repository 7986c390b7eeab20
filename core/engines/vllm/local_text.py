"""Text made here: template, tokenizer and vocabulary of a folder, opened in the worker."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.models.folder import ModelFolder
from core.prompt.base import ChatMessage, Prompt, PromptOptions
from core.prompt.worker_prompter import WorkerPrompter
from core.tokens.vocabulary import Vocabulary
from core.worker.client import WorkerClient


class LocalText:
    """One folder's. A worker that was lost is started again at the next prompt."""

    def __init__(self, worker: WorkerClient, files: ModelFolder, vocabularies: Path) -> None:
        self._prompter = WorkerPrompter(worker)
        self._files = files
        self._vocabularies = vocabularies
        self._open = False
        self._forget = worker.lost.connect(lambda _: self._lost())
        self.has_template = False
        self.thinking_switch = False
        self.path = Path()
        self.vocabulary = Vocabulary.from_pieces([], [])

    async def open(self) -> None:
        """Raises ModelError, WorkerLost."""
        opened = await self._prompter.open(self._files.path, self._vocabularies, self._files.family)
        self.path = Path(opened.vocabulary)
        self.vocabulary = Vocabulary.open(self.path)
        self.has_template, self.thinking_switch = opened.has_template, opened.thinking_switch
        self._open = True

    async def render(self, messages: Sequence[ChatMessage], options: PromptOptions) -> Prompt:
        """Raises PromptError, ModelError, WorkerLost."""
        if not self._open:
            await self.open()
        return await self._prompter.render(messages, options)

    def close(self) -> None:
        self._forget()

    def _lost(self) -> None:
        self._open = False
