"""The Prompter that asks the worker: template and tokenizer run there."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from pathlib import Path

from core.prompt.base import ChatMessage, Prompt, PromptOptions
from core.prompt.families import Family
from core.worker import protocol
from core.worker.client import WorkerClient


class WorkerPrompter:
    """Renders with whatever tokenizer the worker has open."""

    def __init__(self, worker: WorkerClient) -> None:
        self._worker = worker

    async def open(self, folder: str, vocabularies: Path, family: Family | None) -> protocol.TokenizerReady:
        """Open a folder's tokenizer in place of the one before; works without torch. Raises ModelError,
        WorkerLost."""
        thinking = family.thinking if family else None
        media = {kind: one.token for kind, one in family.media.items()} if family else {}
        return await self._worker.ask(
            lambda job: protocol.OpenTokenizer(job, folder, str(vocabularies), thinking, media),
            protocol.TokenizerReady,
        )

    async def render(self, messages: Sequence[ChatMessage], options: PromptOptions) -> Prompt:
        """Exact ids of the conversation with an opened answer at the end. Raises PromptError, WorkerLost."""
        reply = await self._worker.ask(
            lambda job: protocol.Render(job, tuple(messages), options), protocol.Rendered
        )
        ids, origins = array("I"), array("i")
        ids.frombytes(reply.ids)
        origins.frombytes(reply.origins)
        return Prompt(
            ids=ids,
            origins=origins,
            text=reply.text,
            typed_special=reply.typed_special,
            thinking_open=reply.thinking_open,
            bos_removed=reply.bos_removed,
            media=reply.media,
        )
