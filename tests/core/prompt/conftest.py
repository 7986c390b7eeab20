"""A worker whose prompt service has one of the real tokenizers open."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from core.models.folder import built_in_folder
from core.prompt.base import ChatMessage, Prompt, PromptOptions
from core.prompt.families import Family as Known
from core.prompt.families import families
from core.prompt.worker_prompter import WorkerPrompter
from core.tokens.vocabulary import Vocabulary
from core.worker import protocol
from core.worker.client import WorkerClient
from tests.conftest import test_cache
from tests.reference.vocabularies import tokenizer_folder

KNOWN = {known.name: known for known in families()}


class Prompts:
    """Renders with one worker; `open` changes the tokenizer."""

    def __init__(self, vocabularies: Path) -> None:
        self.runner = asyncio.Runner()
        self.worker = WorkerClient()
        self._vocabularies = vocabularies

    def open(self, folder: Path, family: Known | None = None) -> protocol.TokenizerReady:
        return self.runner.run(WorkerPrompter(self.worker).open(str(folder), self._vocabularies, family))

    def render(self, messages: Sequence[ChatMessage | str], **options: Any) -> Prompt:
        """A plain string is a question."""
        asked = [m if isinstance(m, ChatMessage) else ChatMessage("user", m) for m in messages]
        return self.runner.run(WorkerPrompter(self.worker).render(asked, PromptOptions(**options)))

    def close(self) -> None:
        self.runner.run(self.worker.close())
        self.runner.close()


@pytest.fixture(scope="module")
def prompts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prompts]:
    prompts = Prompts(tmp_path_factory.mktemp("vocabularies"))
    yield prompts
    prompts.close()


class Family:
    """A real tokenizer: its folder, the program's vocabulary of it, and the tokenizers library's own
    object."""

    def __init__(self, name: str, folder: Path, prompts: Prompts) -> None:
        from tokenizers import Tokenizer

        self.name, self.folder, self.prompts = name, folder, prompts
        self.ready = prompts.open(folder, KNOWN[name])
        self.vocabulary = Vocabulary.open(Path(self.ready.vocabulary))
        self.own = Tokenizer.from_file(str(folder / "tokenizer.json"))

    def ids(self, text: str) -> list[int]:
        return self.own.encode(text, add_special_tokens=False).ids

    def decoded(self, ids: Sequence[int]) -> str:
        return self.own.decode(list(ids), skip_special_tokens=False)


def family_folder(name: str, request: pytest.FixtureRequest) -> Path:
    if name == "smollm2":
        return built_in_folder(request.getfixturevalue("built_in_models"))
    return tokenizer_folder(name, test_cache())


@pytest.fixture(scope="module", params=list(KNOWN))
def family(request: pytest.FixtureRequest, prompts: Prompts) -> Family:
    """Every family that is claimed, so that none can be without a vocabulary that the tests hold."""
    return Family(request.param, family_folder(request.param, request), prompts)
