"""The chat's real widgets and presenter around a scripted engine, without a window."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import msgspec

from core.chat.history import History
from core.chat.session import Session
from core.chat.state import ChatState
from core.engines.active import ActiveEngine
from core.engines.base import EngineInfo, Sampling
from core.engines.local.engine import LocalEngine
from core.engines.state import EngineState, Phase
from core.errors import EngineError, LoupeError
from core.observe import Event
from core.paths import default_paths
from core.prompt.base import ChatMessage, Prompt, PromptOptions
from core.settings import SettingsStore
from core.tasks import TaskScope
from core.tokens.vocabulary import Vocabulary
from core.worker.client import library_worker
from desktop.chat.attaching import Attaching
from desktop.chat.blocks import AnswerBlock, QuestionBlock
from desktop.chat.composer import Composer
from desktop.chat.composer_state import can_connect
from desktop.chat.footer import BannerBar, FooterBar
from desktop.chat.presenter import ChatPresenter
from desktop.chat.view import TranscriptView
from desktop.kit.theme import LIGHT
from desktop.sampling.panel import SamplingPanel
from tests.core.chat.desk import VOCABULARY, Clock
from tests.fakes.scripted_engine import PlainPrompter, ScriptedEngine, said

INFO = EngineInfo(engine="local", model="scripted", revision="r1", context_limit=1000)


@dataclass
class ScriptedLocal(ScriptedEngine):
    """As the window sees the local engine. `opens[model]`: the error it fails with, or what it waits for.
    `lost`: it has no model any more, and nobody has been told yet."""

    state: EngineState = field(default_factory=lambda: EngineState(Phase.READY, "scripted", info=INFO))
    state_changed: Event[EngineState] = field(default_factory=Event)
    thinking_switch: bool = False
    family: None = None
    vocabulary: Vocabulary = VOCABULARY
    vocabulary_path: Path | None = Path("v.vocab")
    opened: list[str] = field(default_factory=list)
    lost: bool = False
    kinds: list[str] = field(default_factory=list)  # of files that were asked about
    refuses: LoupeError | None = None
    opens: dict[str, LoupeError | asyncio.Event] = field(default_factory=dict)
    has_template: bool = True
    prompter: PlainPrompter = field(default_factory=lambda: PlainPrompter())

    def __getattribute__(self, name: str) -> Any:
        if name == "info" and object.__getattribute__(self, "lost"):
            raise EngineError("engine.no_model")
        return object.__getattribute__(self, name)

    def move(self, phase: Phase, **changes: Any) -> None:
        values = {"info": INFO if phase is Phase.READY else None, **changes}
        self.state = EngineState(phase, "scripted", **values)
        self.state_changed.emit(self.state)

    async def render(self, messages: Sequence[ChatMessage], options: PromptOptions) -> Prompt:
        return await self.prompter.render(messages, options)

    async def check_media(self, kind: str) -> None:
        self.kinds.append(kind)
        if self.refuses is not None:
            raise self.refuses

    async def leave(self) -> None:
        self.move(Phase.ABSENT)

    async def open(self, model: str) -> None:
        self.opened.append(model)
        self.move(Phase.LOADING)
        how = self.opens.get(model)
        if isinstance(how, LoupeError):
            self.move(Phase.FAILED, error=how)
            raise how
        if how is not None:
            try:
                await how.wait()
            except asyncio.CancelledError:
                self.move(Phase.ABSENT)
                raise
        self.move(Phase.READY)


Messages = Sequence[ChatMessage]


@dataclass
class ChoosyPrompter(PlainPrompter):
    """`refuse` says for each prompt, counted or sent, what is wrong with it."""

    refuse: Callable[[Messages, PromptOptions], LoupeError | None] = lambda *_: None

    async def render(self, messages: Messages, options: PromptOptions) -> Prompt:
        error = self.refuse(messages, options)
        if error is not None:
            raise error
        return await super().render(messages, options)


@dataclass
class Window:
    """Passes on what the real window passes on, and notes the rest."""

    composer: Composer
    states: list[ChatState] = field(default_factory=list)
    phases: list[Phase] = field(default_factory=list)
    errors: list[LoupeError] = field(default_factory=list)
    empty: bool | None = None
    speed: float | None = None
    context: tuple[int | None, int | None] = (None, None)
    small_note: bool | None = None
    no_heat: str = ""
    parts: list[Any] = field(default_factory=list)  # more of what the real window tells the engine's state

    def set_chat_state(self, state: ChatState) -> None:
        self.states.append(state)
        self.composer.set_chat_state(state)

    def set_engine_state(self, state: EngineState) -> None:
        self.phases.append(state.phase)
        for part in self.parts:
            part.set_state(state)
        self.composer.set_phase(state.phase, connects=can_connect(state))

    def show_empty(self, empty: bool) -> None:
        self.empty = empty

    def show_error(self, error: LoupeError) -> None:
        self.errors.append(error)

    def set_speed(self, tokens_per_second: float | None) -> None:
        self.speed = tokens_per_second

    def set_context(self, used: int | None, limit: int | None = None) -> None:
        self.context = (used, limit)

    def set_no_heat(self, why: str) -> None:
        self.no_heat = why

    def show_small_model_note(self, on: bool) -> None:
        self.small_note = on


class ChatDesk:
    """Everything of the chat; made and closed within a running loop by `play`."""

    def __init__(
        self, *scripts: list[object], history: History | None = None, limit: int | None = 1000, **engine: Any
    ) -> None:
        self.clock = Clock()
        info = msgspec.structs.replace(INFO, context_limit=limit)
        self.prompter = ChoosyPrompter()
        script = list(scripts) or [said("fine")]
        self.engine = ScriptedLocal(script, info, prompter=self.prompter, **engine)
        self.history = history
        self.settings = SettingsStore(default_paths().settings)
        self.unexpected: list[BaseException] = []
        self.scope = TaskScope(self.unexpected.append)
        self.local = cast(LocalEngine, self.engine)
        self.active = ActiveEngine(self.local)
        self.session = Session(self.scope, self.active, history, self.clock, now=self.clock)
        if self.engine.state.phase is Phase.READY:
            self.attach()
        self.view = TranscriptView()
        self.view.reduce_motion = True
        self.view.resize(700, 500)
        self.view.set_theme(LIGHT)
        self.view.show()
        self.composer, self.sampling = Composer(), SamplingPanel()
        self.composer.set_phase(self.engine.state.phase)
        self.window = Window(self.composer)
        self.library, media = library_worker(), default_paths().media
        attaching = Attaching(self.composer, self.active, self.library, media, self.scope.spawn)
        self.chat = ChatPresenter(
            self.window, self.view, self.composer, self.sampling, self.session, self.active,
            self.settings, self.scope, default_paths().vocabularies, attaching=attaching, clock=self.clock,
        )  # fmt: skip

    def attach(self) -> None:
        self.session.attach(self.engine, VOCABULARY, "v.vocab")

    # doing

    async def rest(self) -> None:
        """Until nothing runs any more, and what was queued has arrived."""
        while self.scope._tasks:
            await asyncio.wait(set(self.scope._tasks))
        for _ in range(3):
            await asyncio.sleep(0)

    async def ask(self, text: str) -> None:
        self.composer.ask(text)
        await self.rest()

    def press(self, key: str) -> None:
        """A button of the last answer, as a click."""
        bar: FooterBar | BannerBar
        block = self.answers[-1]
        self.view.batcher.flush()
        self.view.to_end()
        for bar in (
            self.view._attachments.banners.get(block.id),
            self.view._attachments.footers.get(block.id),
        ):  # type: ignore[assignment]
            if isinstance(bar, BannerBar) and bar._banner is not None:
                keys = [action[0] for action in bar._banner.actions]
                if key in keys:
                    bar.buttons[keys.index(key)].click()
                    return
            elif isinstance(bar, FooterBar):
                button = getattr(bar, key)
                assert not button.isHidden() and button.isEnabled(), key
                button.click()
                return
        raise AssertionError(f"no button {key}")

    # seeing

    @property
    def blocks(self) -> list[QuestionBlock | AnswerBlock]:
        return list(self.view._stage.blocks)

    @property
    def answers(self) -> list[AnswerBlock]:
        return [block for block in self.blocks if isinstance(block, AnswerBlock)]

    @property
    def texts(self) -> list[str]:
        """Of all turns in view, in order."""
        return [
            block.turn.table.text if isinstance(block, AnswerBlock) else block.turn.text
            for block in self.blocks
        ]

    @property
    def notes(self) -> list[str]:
        return [block.turn.note for block in self.blocks if isinstance(block, QuestionBlock)]

    @property
    def facts(self) -> str:
        """The last answer's."""
        footer = self.answers[-1].footer
        return footer.facts if footer is not None else ""

    @property
    def actions(self) -> list[str]:
        """Of the last answer, the banner's first."""
        footer = self.answers[-1].footer
        assert footer is not None
        banner = [key for key, _ in footer.banner.actions] if footer.banner else []
        return [*banner, *footer.actions]

    async def close(self) -> None:
        await self.session.close()
        await self.scope.close()
        await self.library.close()
        if self.history is not None:
            await self.history.close()
        for widget in (self.view, self.composer, self.sampling):
            widget.close()
            widget.deleteLater()
        assert not self.unexpected, self.unexpected


Play = Callable[[ChatDesk], Coroutine[Any, Any, None]]
Run = Callable[..., Any]


def play(
    run_qt: Run, steps: Play, *scripts: list[object], make: Callable[..., ChatDesk] = ChatDesk, **engine: Any
) -> None:
    """Run `steps` at a desk whose engine plays these scripts."""

    async def body() -> None:
        desk = make(*scripts, **engine)
        try:
            await steps(desk)
        finally:
            await desk.close()

    run_qt(body(), timeout=60)


__all__ = ["INFO", "ChatDesk", "Sampling", "ScriptedLocal", "Window", "play"]
