"""`tokenloupe ask`: one question or many, each token with its numbers, as text or as JSON lines."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from core.chat.dialogue import fit
from core.chat.running import with_seed
from core.cli_models import permit, way
from core.cli_options import chosen_sampling, out_of_range
from core.cli_server import ready_server
from core.cli_text import ProgressWords, TextPrinter, progress_line
from core.engines.base import Expanded, Finished, GenerationEvent, Sampling, TokenBatch
from core.engines.host import EngineHost
from core.engines.local.engine import LocalEngine
from core.engines.vllm.address import is_loopback
from core.engines.vllm.extras import Extras, field, structured
from core.engines.vllm.files import is_hub_id
from core.engines.vllm.host import ServerChoice, ServerEngine, Source
from core.errors import EngineError, LoupeError, PromptError
from core.models.catalog import BUILT_IN
from core.models.folder import built_in_folder
from core.models.hub_files import fetcher
from core.models.ledger import Ledger
from core.paths import default_paths
from core.prompt.base import Attachment, ChatMessage, Prompt, PromptOptions
from core.prompt.media import prepare
from core.tokens import trace
from core.tokens.decode import AnswerDecoder, Piece
from core.tokens.row import TokenRow
from core.worker.client import WorkerClient, library_worker


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of `--input`. What it leaves out comes from the command line. `messages` ends with a
    question."""

    prompt: str = ""
    system: str | None = None
    messages: tuple[ChatMessage, ...] = ()
    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None
    repetition_penalty: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    seed: int | None = None
    max_tokens: int | None = None


async def ask(arguments: argparse.Namespace) -> int:
    """Returns 0. Raises LoupeError: the model cannot be used, the prompt is refused, the engine failed."""
    questions, extras = list(read_questions(arguments)), _extras(arguments)
    worker, library = WorkerClient(), library_worker()
    printer: TextPrinter | None = None if arguments.json else TextPrinter(sys.stdout)
    files = TemporaryDirectory(prefix="tokenloupe-")
    paths = default_paths()
    small_files = fetcher(lambda: way(paths), Ledger(paths.data).note)
    allowed, own = permit(paths), Path(files.name)
    local = LocalEngine(worker, paths, allowed)
    server = ServerEngine(worker, paths, library=library, fetch=small_files, media=own, permit=allowed)
    choice = await _server(arguments)
    engine: EngineHost = local if choice is None else server
    if printer is not None:
        engine.state_changed.connect(progress_line if sys.stderr.isatty() else ProgressWords())
    try:
        if choice is not None:
            await _open(server, choice, os.environ.pop(arguments.api_key_env, ""))
        else:
            await local.open(_model(arguments), dtype=arguments.dtype, device=arguments.device)
        attached = [await prepare(library, path, Path(files.name)) for path in _files(arguments)]
        for number, question in enumerate(questions):
            asking = _Asking(arguments, engine, server.source, printer, number, extras, attached)
            await asking.run(question)
    finally:
        files.cleanup()
        await server.close()
        await library.close()
        await worker.close()
    return 0


def _files(arguments: argparse.Namespace) -> list[Path]:
    names = (*arguments.image, *arguments.sound, *arguments.video)
    return [Path(name).expanduser() for name in names]


def _model(arguments: argparse.Namespace) -> str:
    name = arguments.model or BUILT_IN
    return name if name == BUILT_IN else str(Path(name).expanduser())


async def _server(arguments: argparse.Namespace) -> ServerChoice | None:
    """The server that is asked: a named one, VLLM_URL's, the one in Docker that is ready; None: none."""
    url = arguments.url or (os.environ.get("VLLM_URL") if arguments.model is None else None)
    if url:
        return _choice(url, arguments)
    local = arguments.model is not None or (arguments.device, arguments.dtype) != ("auto", "auto")
    if local:
        return None
    found = await ready_server(default_paths(), os.environ.get(arguments.api_key_env, ""))
    if found is None or not arguments.files:
        return found
    return msgspec.structs.replace(found, files=arguments.files)


def _choice(url: str, arguments: argparse.Namespace) -> ServerChoice:
    model, files = arguments.model or "", arguments.files or ""
    if model and not files and Path(model).expanduser().is_dir():
        model, files = "", model
    return ServerChoice(url, model, files)


async def _open(server: ServerEngine, choice: ServerChoice, key: str) -> None:
    """A hub id that no served model is named after says where the files of the first one are. Of a model
    that Compose was told to serve by hand they are in the models folder, which it sees as /models."""
    try:
        await server.open(choice, key)
        return
    except EngineError as error:
        if choice.files:
            raise
        if error.code == "server.model" and is_hub_id(choice.model.partition("@")[0]):
            again = ServerChoice(choice.address, files=choice.model)
        else:
            again = by_hand(choice, error)
            if again == choice:
                raise
    await server.open(again, key)


def by_hand(choice: ServerChoice, error: EngineError) -> ServerChoice:
    root = str(error.params.get("root", ""))
    if error.code != "server.files_unknown" or not root.startswith("/models/"):
        return choice
    models, name = default_paths().models, root.removeprefix("/models/")
    places = (models / name, built_in_folder(models).parent / name)  # of the built-in one its own is seen
    folder = next((place for place in places if place.is_dir()), None)
    found = is_loopback(choice.address) and folder is not None
    return msgspec.structs.replace(choice, files=str(folder)) if found else choice


def _extras(arguments: argparse.Namespace) -> Extras:
    """Raises EngineError (server.form, server.field), PromptError for a file that cannot be read."""
    form = None
    if arguments.structured:
        kind, _, text = arguments.structured.partition("=")
        if text.startswith("@"):
            try:
                text = Path(text[1:]).expanduser().read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise PromptError("prompt.input_file", file=text[1:], detail=str(error)) from error
        form = structured(kind, text)
    pairs = [field(*pair.partition("=")[::2]) for pair in arguments.sampling]
    return Extras(form, dict(pairs))


def read_questions(arguments: argparse.Namespace) -> Iterator[Question]:
    """From the command line, a file of JSON lines, or standard input. Raises PromptError naming the line."""
    if arguments.input is None:
        text = arguments.text
        if text is None or text == "-":
            told = text == "-" or not _files(arguments)  # a picture alone is a question too
            silent = sys.stdin is None or (text is None and sys.stdin.isatty())
            text = "" if silent or not told else sys.stdin.read()
        if not text.strip() and not _files(arguments):
            raise PromptError("prompt.empty")
        yield Question(prompt=text.removesuffix("\n") if text != arguments.text else text)
        return
    try:
        lines = Path(arguments.input).read_text(encoding="utf-8").split("\n")  # not at U+2028 in a string
    except (OSError, UnicodeDecodeError) as error:
        raise PromptError("prompt.input_file", file=arguments.input, detail=str(error)) from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            question = msgspec.json.decode(line, type=Question | str)
        except msgspec.MsgspecError as error:
            raise PromptError(
                "prompt.input_line", file=arguments.input, line=number, detail=str(error)
            ) from error
        question = Question(prompt=question) if isinstance(question, str) else question
        if not question.prompt.strip() and not question.messages:
            raise PromptError("prompt.input_line", file=arguments.input, line=number, detail="no prompt")
        problem = out_of_range(question)
        if problem:
            raise PromptError("prompt.input_line", file=arguments.input, line=number, detail=problem)
        yield question


class _Asking:
    """One question: render, check the room, generate, print as it comes."""

    def __init__(
        self,
        arguments: argparse.Namespace,
        engine: EngineHost,
        source: Source | None,
        printer: TextPrinter | None,
        number: int,
        extras: Extras,
        attached: list[Attachment],
    ) -> None:
        self._arguments = arguments
        self._attached = tuple(attached)
        self._extras = extras
        self._engine = engine
        self._source = source
        self._printer = printer
        self._number = number

    async def run(self, question: Question) -> None:
        messages = self._messages(question)
        options = PromptOptions(
            thinking=None if self._arguments.thinking is None else self._arguments.thinking == "on",
            plain=self._arguments.plain,
        )
        prompt = await self._engine.render(messages, options)
        info = self._engine.info
        sampling = with_seed(fit(prompt, messages, self._sampling(question), info.context_limit))
        self._start(messages, prompt, sampling)
        events = self._engine.generate(
            prompt.ids,
            sampling,
            top_candidates=self._arguments.top_candidates,
            extras=self._extras,
            media=prompt.media,
        )
        await self._stream(events)

    def _messages(self, question: Question) -> tuple[ChatMessage, ...]:
        if question.messages:
            if self._arguments.plain and len(question.messages) > 1:
                raise PromptError("prompt.plain_only_text")
            *before, last = question.messages
            return (*before, msgspec.structs.replace(last, attachments=self._attached))
        system = self._arguments.system if question.system is None else question.system
        if system and self._arguments.plain:
            raise PromptError("prompt.plain_only_text")
        first = (ChatMessage("system", system),) if system else ()
        return (*first, ChatMessage("user", question.prompt, self._attached))

    def _sampling(self, question: Question) -> Sampling:
        sampling = chosen_sampling(self._arguments, self._engine.info.recommended)
        own = {name: getattr(question, name) for name in question.__struct_fields__[3:]}
        return msgspec.structs.replace(sampling, **{k: v for k, v in own.items() if v is not None})

    def _start(self, messages: tuple[ChatMessage, ...], prompt: Prompt, sampling: Sampling) -> None:
        info = self._engine.info
        if self._printer is not None:
            self._printer.start(info, messages[-1].content, len(prompt.ids), sampling)
            return
        record = trace.start(info, prompt.ids, sampling, self._extras, prompt.media)
        if self._source is not None:
            record["source"] = {
                name: value for name, value in msgspec.to_builtins(self._source).items() if value
            }
        if self._arguments.input is not None:
            record["input"] = self._number
        _write(record)

    def _expanded(self, read: Expanded) -> None:
        if self._printer is not None:
            self._printer.expanded(read)
        else:
            _write(trace.expanded(read))

    async def _stream(self, events: AsyncGenerator[GenerationEvent, None]) -> None:
        vocabulary = self._engine.vocabulary
        assert vocabulary is not None
        decoder, waiting, index = AnswerDecoder(vocabulary), list[TokenRow](), 0
        scores = "logit" in self._engine.info.evidence

        def released(pieces: list[Piece]) -> None:
            nonlocal index
            for piece in pieces:
                row = waiting.pop(0)
                if self._printer is not None:
                    self._printer.token(index, row, piece, vocabulary)
                else:
                    _write(trace.token(index, row, piece.text, vocabulary, scores=scores))
                index += 1

        finished: Finished | None = None
        try:
            async with aclosing(events):
                async for event in events:
                    if isinstance(event, TokenBatch):
                        for row in event.rows:
                            waiting.append(row)
                            released(decoder.feed(row.id))
                    elif isinstance(event, Expanded):
                        self._expanded(event)
                    elif isinstance(event, Finished):
                        finished = event
        except LoupeError:
            released(decoder.finish())
            raise
        released(decoder.finish())
        if finished is None:
            raise EngineError("engine.ended_early")
        if self._printer is not None:
            self._printer.end(finished)
        else:
            _write(trace.end(finished))


def _write(record: dict[str, Any]) -> None:
    sys.stdout.write(trace.line(record))
    sys.stdout.flush()
