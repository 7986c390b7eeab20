"""What the Model tab shows, as values: no words, no widgets."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.engines.abilities import Ability
from core.engines.base import EngineInfo
from core.engines.state import EngineState, Phase
from core.engines.vllm.capabilities import Capabilities
from core.engines.vllm.choice import Source
from core.models.specs import Specs


@dataclass(frozen=True, slots=True)
class Speed:
    """Of the last answer of this engine; None = it could not be measured. `answers`: how many there were."""

    tokens_per_second: float | None = None
    first_ms: float | None = None
    answers: int = 0


@dataclass(frozen=True, slots=True)
class Origin:
    """Of a model known by name: "" = not known."""

    licence: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """`info`, `found`, `source`: the last known, also of a server that is gone. `found` and `source` None for
    the built-in engine. `specs` None: its config.json was not read. `serve_line`: starts vLLM with the same
    model, "" = there is none. `running`: an answer is being made; `asking`: the server is asked anew."""

    state: EngineState
    info: EngineInfo | None = None
    lines: tuple[Ability, ...] = ()
    found: Capabilities | None = None
    source: Source | None = None
    family: str = ""
    specs: Specs | None = None
    origin: Origin = field(default_factory=Origin)
    speed: Speed = field(default_factory=Speed)
    serve_line: str = ""
    running: bool = False
    asking: bool = False

    @property
    def server(self) -> bool:
        return self.state.engine == "vllm"

    @property
    def ready(self) -> bool:
        return self.state.phase is Phase.READY

    @property
    def some(self) -> bool:
        """There is a model to tell of."""
        return bool(self.lines)


@dataclass(frozen=True, slots=True)
class Learnt:
    """What states and answers of one engine and model showed so far. `info` outlives the state that told it;
    `cached`: the most prompt tokens an answer took from the KV cache; `refused`: the server's words to a
    request with numbers."""

    info: EngineInfo | None = None
    speed: Speed = field(default_factory=Speed)
    cached: int | None = None
    refused: str = ""
