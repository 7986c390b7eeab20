"""Pages of the Model tab for tests: a probed stand-in of a server, and the built-in engine."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import cache
from typing import Any

import msgspec

from core.engines.base import EngineInfo
from core.engines.local.abilities import abilities as local_abilities
from core.engines.state import EngineState, Phase
from core.engines.vllm import probe
from core.engines.vllm.abilities import Seen, abilities
from core.engines.vllm.capabilities import Capabilities
from core.engines.vllm.choice import Source
from core.engines.vllm.http import Server
from core.models.specs import Specs
from desktop.model.values import Known, Origin, Speed
from tests.fakes.fake_vllm import FakeVllm

NOW = 1_800_000_000.0
COMMIT = "2fc06364715b967f1860aea9cf38778875588b17"
QWEN = Specs(
    "qwen3_5", 24, (("full_attention", 6), ("linear_attention", 18)), 8, 2, 1024, 248320, 262144,
    images=True, video=True,
)  # fmt: skip
SMOL = Specs("llama", 30, (), 9, 3, 576, 49152, 8192, weights=269_060_552)
SMOL_INFO = EngineInfo(
    "local", "SmolLM2 135M Instruct", "/opt/models/smol", "0.1.2", "bfloat16", "native_bf16", "cpu", 2, 8192,
    134_515_008,
)  # fmt: skip


@cache
def probed(fake: str) -> Capabilities:
    async def main() -> Capabilities:
        server = FakeVllm(**msgspec.json.decode(fake))
        async with server.serve(), Server(server.address) as client:
            return await probe.probe(client)

    found = asyncio.run(main())
    return msgspec.structs.replace(
        found, address="http://127.0.0.1:8000", asked=NOW - 725, start=NOW - 2 * 3600
    )


def server(*, phase: Phase = Phase.READY, found: Capabilities | None = None, **changes: Any) -> Known:
    """`changes`: fields of the page, or of the stand-in that is asked."""
    page = {name: changes.pop(name) for name in tuple(changes) if name in Known.__dataclass_fields__}
    found = found or probed(msgspec.json.encode(changes).decode())
    info = EngineInfo("vllm", "Qwen/Qwen3.5-0.8B", context_limit=found.context_limit)
    specs = page.get("specs", QWEN)
    made = Known(
        state=EngineState(phase, info.model, info=info, engine="vllm", address=found.address),
        info=info,
        lines=abilities(found, specs, Seen(), 5),
        found=found,
        source=Source("hub", "Qwen/Qwen3.5-0.8B", COMMIT),
        family="qwen3.5",
        specs=QWEN,
        serve_line=f"vllm serve Qwen/Qwen3.5-0.8B --revision {COMMIT} --enable-scale-out",
    )
    return replace(made, **page)


def local(**page: Any) -> Known:
    made = Known(
        state=EngineState(Phase.READY, SMOL_INFO.model, info=SMOL_INFO),
        info=SMOL_INFO,
        lines=local_abilities(SMOL_INFO, SMOL, 5),
        family="smollm2",
        specs=SMOL,
        origin=Origin("Apache-2.0", "HuggingFaceTB/SmolLM2-135M-Instruct"),
        speed=Speed(28.4, 120.0, 3),
        serve_line="vllm serve /opt/models/smol --enable-scale-out",
    )
    return replace(made, **page)
