"""Whether the server that answers now is still the one that was asked what it can tell."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from core.engines.vllm.capabilities import Capabilities
from core.engines.vllm.http import Server
from core.engines.vllm.probe import identify, probe, started
from core.engines.vllm.wire import ServedModel
from core.errors import EngineError

log = logging.getLogger(__name__)


class Identity:
    """Version, model and start of one probed server, compared before each answer."""

    def __init__(self, server: Server, found: Capabilities) -> None:
        self._server = server
        self._found = found
        self._starts = {found.start}  # several servers behind one address have one each

    async def confirm(self) -> None:
        """Raises EngineError("server.changed") with what changed, or what `identify` raises when the server
        is gone or wants another key.

        One small question while it is the same run of the server, in which nothing can change. One that was
        started again is asked anew: if it can tell exactly the same, it is the same.
        """
        start = await started(self._server)
        if start is not None and start in self._starts:
            return
        version, served, _ = await identify(self._server)
        self._compare(version, served)
        if start in self._starts:
            return
        log.info("the server at %s was started again", self._server.address)
        again = await probe(self._server, self._found.model)
        if not again.alike(self._found):
            raise EngineError(
                "server.changed", what="settings", before=_shown(self._found), now=_shown(again)
            )
        self._starts.add(start)

    def _compare(self, version: str, served: Sequence[ServedModel]) -> None:
        found = self._found
        model = next((one for one in served if one.id == found.model), None)
        if model is None:
            others = ", ".join(one.id for one in served)
            raise EngineError("server.changed", what="model", before=found.model, now=others)
        for what, before, now in (
            ("version", found.version, version),
            ("model folder", found.root, model.root or ""),
            ("context limit", found.context_limit, model.max_model_len),
        ):
            if before != now:
                raise EngineError("server.changed", what=what, before=str(before), now=str(now))


def _shown(found: Capabilities) -> str:
    return f"{found.mode.value}, {found.route}, {found.max_logprobs} candidates"
