"""A recognised cause: what failed, the numbers that collide, the line that says so, and what mends it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

Value = str | int | float
# what a fix does when its button is pressed
Action = Literal[
    "start",  # start again with `changes` in the LaunchSpec
    "check",  # look again: the person has changed something meanwhile
    "start_docker",  # start Docker Desktop, OrbStack, Colima … where that can be done without a password
    "settings",  # open the settings at the server's part
    "models",  # open the list of models
    "open",  # open the page `url`
    "copy",  # copy the command in `params["command"]`
    "built_in",  # use the built-in engine
    "server",  # use a server by its address
]


class Fix(msgspec.Struct, frozen=True):
    """One way out. `code` finds its words in resources/findings.toml; `params` fill them. `changes`: fields
    of LaunchSpec and their new values. `url` for "open"."""

    code: str
    action: Action
    params: Mapping[str, Value] = {}
    changes: Mapping[str, str | int | float | bool | None] = {}
    url: str = ""


class Part(msgspec.Struct, frozen=True):
    """A piece of the bar that shows what is taken. `name`: foreign text or a code of findings.toml."""

    name: str
    amount: float


class Collision(msgspec.Struct, frozen=True):
    """Two numbers that do not go together, in the same unit: `asked` is more than `free` of `total`.

    `unit`: "bytes" | "tokens" | "port". `what`: code of findings.toml for the whole ("gpu", "docker_memory",
    "disk", "kv_cache"), `name` what it is called there ("NVIDIA RTX 4080"). `taken`: known parts of what is
    not free, largest first; they need not add up to all of it.
    """

    what: str
    unit: Literal["bytes", "tokens", "port"]
    asked: float
    free: float
    total: float | None = None
    name: str = ""
    taken: tuple[Part, ...] = ()


class Finding(msgspec.Struct, frozen=True):
    """`code` finds the sentences in resources/findings.toml ("unknown": none was recognised). `line`: the
    root-cause line as the server or Docker wrote it, "" if there is none. `severity`: "warn" does not keep a
    start from happening. `logged`: the (first) line stands in the server's log."""

    code: str
    params: Mapping[str, Value] = {}
    line: str = ""
    collision: Collision | None = None
    fixes: tuple[Fix, ...] = ()
    severity: Literal["err", "warn"] = "err"
    logged: bool = False
