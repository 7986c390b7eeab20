"""A server as an engine: connected, its files found, watched while idle, left without a trace."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager
from pathlib import Path

from core.engines.base import NOTHING, EngineInfo, Extras, GenerationEvent, Sampling
from core.engines.state import MOVES, EngineState, Phase
from core.engines.vllm import media, watch
from core.engines.vllm import served as menu
from core.engines.vllm.address import host_of, is_loopback
from core.engines.vllm.asked import check_prompt
from core.engines.vllm.capabilities import Capabilities
from core.engines.vllm.choice import Served, ServerChoice, Source
from core.engines.vllm.engine import VllmEngine
from core.engines.vllm.files import find, read
from core.engines.vllm.http import Server
from core.engines.vllm.local_text import LocalText
from core.engines.vllm.probe import Known, identify
from core.engines.vllm.server_text import ServerText
from core.errors import EngineError, LoupeError, PromptError
from core.models.folder import ModelFolder
from core.models.hub_files import fetch_tokenizer
from core.models.ledger import Permit
from core.observe import Event
from core.paths import Paths
from core.prompt.base import ChatMessage, MediaKind, MediaSpan, Prompt, PromptOptions
from core.prompt.families import Family, families
from core.tasks import TaskScope
from core.tokens.vocabulary import Vocabulary
from core.worker.client import WorkerClient

__all__ = ["Served", "ServerChoice", "ServerEngine", "Source"]
log = logging.getLogger(__name__)
Fetch = Callable[[WorkerClient, str, str, Path, Callable[[int, int], None]], Awaitable[Path]]


class ServerEngine:
    """One server and one of its models at a time. `open` may be called again after a failure, a loss, or for
    another choice; the caller ends an `open` that runs before it begins another or leaves.

    `capabilities`, `served`, `source`, `files` and `choice` stay when the server is lost or its files are not
    found. `files`: the folder here that has tokenizer and template.
    """

    def __init__(
        self,
        worker: WorkerClient,
        paths: Paths,
        *,
        library: WorkerClient | None = None,
        fetch: Fetch = fetch_tokenizer,
        watch_seconds: float = watch.SECONDS,
        media: Path | None = None,
        permit: Permit | None = None,
    ) -> None:
        """`library`: the worker that may use the network; `fetch` stands in for the hub. `media`: where
        attachments lie, if not with the chats. `permit`: whether another computer may be asked."""
        self._worker = worker
        self._paths = paths
        self._library = library or worker
        self._fetch_files = fetch
        self._watch_seconds = watch_seconds
        self._media = media or paths.media
        self._permit = permit or Permit()
        self._known: Known = {}
        self._connection: _Connection | None = None
        self._text: LocalText | ServerText | None = None
        self.capabilities: Capabilities | None = None
        self.served: tuple[Served, ...] = ()
        self.source: Source | None = None
        self.files: ModelFolder | None = None
        self.choice: ServerChoice | None = None
        self.state = EngineState(Phase.ABSENT, engine="vllm")
        self.state_changed: Event[EngineState] = Event()

    # --- what is ---------------------------------------------------------------------------------------

    @property
    def info(self) -> EngineInfo:
        """Raises EngineError unless READY."""
        return self._ready().engine.info

    @property
    def compared(self) -> bool | None:
        """True: the server's tokenizer made the same of a prompt as the one here. False: it has none to ask.
        None: not compared yet."""
        return self._connection.compared if self._connection is not None else None

    @property
    def family(self) -> Family | None:
        if self.files is not None:
            return self.files.family
        row = next((one for one in self.served if one.id == self.state.model), None)
        return next((one for one in families() if row is not None and one.name == row.family), None)

    @property
    def vocabulary(self) -> Vocabulary | None:
        return self._text.vocabulary if self._text else None

    @property
    def vocabulary_path(self) -> Path | None:
        return self._text.path if self._text else None

    @property
    def has_template(self) -> bool:
        return self._text is not None and self._text.has_template

    @property
    def thinking_switch(self) -> bool:
        return self._text is not None and self._text.thinking_switch

    # --- open and leave --------------------------------------------------------------------------------

    async def open(self, choice: ServerChoice, key: str = "") -> None:
        """Ask the server what it can tell, find the model's tokenizer and template, and be READY.

        On failure the state is FAILED and the error is raised ("server.files_unknown": the person has to say
        where the files are). Cancelling leaves the state ABSENT and no connection.
        """
        await self._disconnect()
        self.choice, self.source, self.capabilities, self.served = choice, None, None, ()
        self.files = None
        self._move(Phase.CONNECTING)
        connection: _Connection | None = None
        try:
            self._may_ask(choice.address)
            connection = self._connection = _Connection(choice.address, key, self._known, self._media)
            await self._open(connection, choice)
            if self._connection is not connection:
                raise EngineError("engine.no_model")
        except BaseException as error:
            if self._connection is connection:  # else whoever has left or opened anew has the word
                await self._disconnect()
                said = error if isinstance(error, LoupeError) else None
                self._move(Phase.FAILED if said else Phase.ABSENT, error=said)
            raise
        self._move(Phase.READY, info=connection.engine.info)
        connection.watching = connection.scope.spawn(self._watch(connection), name="watch server")

    def _may_ask(self, address: str) -> None:
        """Raises EngineError("server.switched_off")."""
        if not is_loopback(address):
            if self._permit.offline:
                raise EngineError("server.switched_off", address=address)
            self._permit.note(host_of(address), "vLLM")

    async def _open(self, connection: _Connection, choice: ServerChoice) -> None:
        _, listed, _ = await identify(connection.server, choice.model)
        self.served = menu.rows(listed)
        model = choice.model or menu.first(self.served)
        self.choice = choice = ServerChoice(connection.server.address, model, choice.files)
        self._check_supported(choice)
        self._move(Phase.CONNECTING)
        found = self.capabilities = await connection.engine.connect(model)
        await self._open_text(connection, choice, find(choice.files, found.model, found.root))

    async def _open_text(self, connection: _Connection, choice: ServerChoice, source: Source) -> None:
        if source.kind == "server":
            await self._open_server_text(connection, source)
            return
        folder = await self._fetch(source) if source.kind == "hub" else Path(source.place)
        self.source, self.files = read(source, folder)
        files = self.files
        self.served = tuple(
            menu.judged(row, files.model_type, files.name) if row.id == self.state.model else row
            for row in self.served
        )
        self._check_supported(choice)
        self._move(Phase.LOADING)
        self._text = LocalText(self._worker, files, self._paths.vocabularies)
        await self._text.open()
        connection.engine.describe(recommended=files.recommended, revision=self.source.revision)

    def _check_supported(self, choice: ServerChoice) -> None:
        """Of a model that is not known neither template nor markers are proved; whoever says where its files
        are wants it all the same. Raises EngineError("server.unsupported")."""
        row = next((one for one in self.served if one.id == choice.model), None)
        if row is not None and row.supported is False and not choice.files:
            raise EngineError("server.unsupported", model=row.id, type=row.model_type)

    async def _open_server_text(self, connection: _Connection, source: Source) -> None:
        self.source = source
        self._move(Phase.LOADING)
        found = connection.engine.capabilities
        self._text = ServerText(
            connection.server, found.model, self._paths.vocabularies, proves=found.speculative is False
        )
        await self._text.open()

    async def _fetch(self, source: Source) -> Path:
        self._move(Phase.FETCHING)

        def told(done: int, total: int) -> None:
            self._move(Phase.FETCHING, done=done, total=total)

        return await self._fetch_files(self._library, source.place, source.revision, self._paths.models, told)

    async def leave(self) -> None:
        await self._disconnect()
        if self.state.phase is not Phase.ABSENT:
            self._move(Phase.ABSENT)

    async def close(self) -> None:
        await self.leave()

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        text, self._text = self._text, None
        if text is not None:
            text.close()
        if connection is not None:
            await connection.close()

    # --- prompts and answers ---------------------------------------------------------------------------

    async def render(self, messages: Sequence[ChatMessage], options: PromptOptions) -> Prompt:
        """The exact ids, made here. The first prompt of each connection is held against the server's own
        tokenizer. Raises PromptError, WorkerLost, EngineError("server.prompt_differs")."""
        connection, text = self._ready(), self._text
        assert text is not None
        prompt = await text.render(messages, options)
        odd = (
            options.plain or prompt.typed_special or prompt.bos_removed
        )  # the text says other ids than are sent
        needed = isinstance(text, LocalText) and not odd
        if needed and connection.compared is None:
            with self._noticing(connection):
                connection.compared = await connection.engine.compare(prompt.text, prompt.ids)
        return prompt

    async def generate(
        self,
        prompt_ids: Sequence[int],
        sampling: Sampling,
        *,
        top_candidates: int,
        extras: Extras = NOTHING,
        media: Sequence[MediaSpan] = (),
    ) -> AsyncGenerator[GenerationEvent, None]:
        """As `VllmEngine.generate`; an error that means that the server is gone makes the state LOST."""
        connection = self._ready()
        quirks = self.family.quirks if self.family is not None else ()
        check_prompt(prompt_ids, quirks if connection.engine.capabilities.fragile else ())
        answer = connection.engine.generate(
            prompt_ids, sampling, top_candidates=top_candidates, extras=extras, media=media
        )
        if isinstance(self._text, ServerText):
            answer = self._text.known(answer)
        connection.answers += 1
        try:
            with self._noticing(connection):
                async with aclosing(answer) as events:
                    async for event in events:
                        yield event
        finally:
            connection.answers -= 1

    async def ask_again(self) -> Capabilities:
        """Ask the server anew what it can tell. Raises EngineError; what was known before then stays."""
        connection = self._ready()
        engine = connection.engine
        self.capabilities = await engine.connect(engine.capabilities.model, again=True)
        self._move(Phase.READY, info=self.info)
        return self.capabilities

    async def ask_media(self, kind: MediaKind) -> Capabilities:
        """Ask the server with a tiny file whether it takes this kind; not asked again. May take minutes on a
        CPU, and can be cancelled. Raises EngineError, WorkerLost."""
        connection, text = self._ready(), self._text
        engine = connection.engine
        if any(cell.name == media.CELLS[kind] for cell in engine.capabilities.cells):
            return engine.capabilities
        assert text is not None
        one = media.sample(kind, self._media)
        connection.answers += 1  # the watch must not take a busy server for a lost one
        try:
            prompt = await text.render((ChatMessage("user", "What is this?", (one,)),), PromptOptions())
            self.capabilities = await engine.ask_media(prompt)
        except PromptError as error:
            self.capabilities = engine.found(media.refusal(kind, error.detail or error.code))
        finally:
            connection.answers -= 1
        return self.capabilities

    async def check_media(self, kind: MediaKind) -> None:
        """Raises EngineError: media.route, media.refused, with the server's words."""
        found = await self.ask_media(kind)
        cell = found.cell(media.CELLS[kind])
        if cell.verdict == "no":
            code = "media.refused" if found.route == "generate" else "media.route"
            raise EngineError(code, kind=kind, detail=cell.evidence)

    # --- inside ----------------------------------------------------------------------------------------

    def _ready(self) -> _Connection:
        if self._connection is None or self.state.phase is not Phase.READY:
            raise EngineError("engine.no_model")
        return self._connection

    @contextmanager
    def _noticing(self, connection: _Connection) -> Iterator[None]:
        """An error that says that the server is gone makes the state LOST."""
        try:
            yield
        except EngineError as error:
            if error.code in watch.GONE:
                self._lose(connection, error)
            raise

    async def _watch(self, connection: _Connection) -> None:
        error = await watch.loss(connection.server, lambda: connection.answers > 0, self._watch_seconds)
        connection.watching = None
        self._lose(connection, error)

    def _lose(self, connection: _Connection, error: EngineError) -> None:
        if connection.watching is not None:
            connection.watching.cancel()
        if connection is self._connection and self.state.phase is Phase.READY:
            self._move(Phase.LOST, error=error)

    def _move(
        self,
        phase: Phase,
        *,
        done: int = 0,
        total: int = 0,
        info: EngineInfo | None = None,
        error: LoupeError | None = None,
    ) -> None:
        if phase is not self.state.phase and phase not in MOVES[self.state.phase]:
            log.error("engine: %s -> %s is not allowed", self.state.phase.value, phase.value)
            return
        if phase is not self.state.phase:
            log.info("engine: %s -> %s", self.state.phase.value, phase.value)
        choice = self.choice or ServerChoice("")
        self.state = EngineState(
            phase, choice.model, done, total, info, error, engine="vllm", address=choice.address
        )
        self.state_changed.emit(self.state)


class _Connection:
    """What lives from `open` to `leave`: the clients of one server and the tasks beside the answers.

    `server` is for questions beside the answers. `answers`: how many run. `compared`: see
    `ServerEngine.compared`.
    """

    def __init__(self, address: str, key: str, known: Known, files: Path) -> None:
        self.server = Server(address, key=key)
        self.engine = VllmEngine(address, key=key, known=known, files=files)
        self.scope = TaskScope()
        self.watching: asyncio.Task[None] | None = None
        self.answers = 0
        self.compared: bool | None = None

    async def close(self) -> None:
        await self.scope.close()
        await self.engine.close()
        await self.server.close()
