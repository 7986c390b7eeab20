"""From the engine in use and what its answers showed to the one value that the Model tab shows."""

from __future__ import annotations

import re
from pathlib import Path

from core.engines.abilities import Ability
from core.engines.active import ActiveEngine
from core.engines.base import EngineInfo
from core.engines.local.abilities import abilities as local_abilities
from core.engines.vllm.abilities import Seen
from core.engines.vllm.abilities import abilities as server_abilities
from core.engines.vllm.host import ServerEngine
from core.models.catalog import built_in, serve_line
from core.models.folder import built_in_folder
from core.models.specs import Specs
from desktop.model.values import Known, Learnt, Origin

_COMMIT = re.compile("[0-9a-f]{40}")


def known(
    engine: ActiveEngine,
    learnt: Learnt,
    specs: Specs | None,
    *,
    stored: int,
    models: Path,
    running: bool,
    asking: bool,
) -> Known:
    """`stored`: candidates kept at each token. `models`: the folder that holds the built-in model."""
    host, info, family = engine.host, learnt.info, engine.family
    server = host if isinstance(host, ServerEngine) else None
    return Known(
        state=engine.state,
        info=info,
        lines=_of_server(server, learnt, specs, stored) if server else _of_local(info, specs, stored),
        found=server.capabilities if server else None,
        source=server.source if server else None,
        family=family.name if family else "",
        specs=specs,
        origin=Origin() if server else _origin(info, models),
        speed=learnt.speed,
        serve_line=_line(server, info),
        running=running,
        asking=asking,
    )


def _of_local(info: EngineInfo | None, specs: Specs | None, stored: int) -> tuple[Ability, ...]:
    return local_abilities(info, specs, stored) if info is not None else ()


def _of_server(server: ServerEngine, learnt: Learnt, specs: Specs | None, stored: int) -> tuple[Ability, ...]:
    found, source = server.capabilities, server.source
    if found is None:
        return ()
    seen = Seen(learnt.cached, learnt.refused, server.compared)
    return server_abilities(
        found, specs, seen, stored, server_text=source is not None and source.kind == "server"
    )


def _origin(info: EngineInfo | None, models: Path) -> Origin:
    if info is not None and info.folder and Path(info.folder) == built_in_folder(models):
        return Origin(built_in().licence, built_in().source)
    return Origin()


def _line(server: ServerEngine | None, info: EngineInfo | None) -> str:
    """By the name that vLLM would look up, with the commit where it is one of the hub."""
    if server is None:
        return serve_line(info.folder) if info is not None and info.folder else ""
    source, found = server.source, server.capabilities
    if source is not None and source.kind == "hub":
        commit = source.revision if _COMMIT.fullmatch(source.revision) else ""
        return serve_line(source.place, revision=commit)
    return serve_line(found.root or found.model) if found is not None else ""
