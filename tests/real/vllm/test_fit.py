"""What is told of a model before it is started, against a real server: KV space, weights, memory."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from core.models.fit import GIB, Verdict, fit
from core.models.headers import weights_in
from core.models.kv import kv_of
from core.models.room import Room
from tests.real.vllm.conftest import made
from tests.real.vllm.server import RealServer, serving

CONTEXT = 8192
_LOGGED = re.compile(r"CPU KV cache size: ([\d,]+) tokens, Maximum concurrency for ([\d,]+) tokens")
LONG = {"max_position_embeddings": CONTEXT}
# by the kind of tests/reference/make_model.py: what is changed in its config.json. Weights are not read where
# they would not go with it.
CHANGED: Mapping[str, Mapping[str, Any]] = {
    "llama": LONG,
    "gemma4": LONG
    | {
        "layer_types": ["sliding_attention", "full_attention"] * 2 + ["sliding_attention", "full_attention"],
        "num_hidden_layers": 6,
        "num_kv_shared_layers": 2,
        "sliding_window": 512,
        "per_layer_config": {str(index): {"head_dim": 512} for index in (1, 3, 5)},
    },
    "qwen3.5-wide": LONG | {"mamba_ssm_dtype": "float32"},
}


def logged(server: RealServer) -> tuple[int, int]:
    """Tokens, and the context for which they were counted."""
    found = [match for line in server.log if (match := _LOGGED.search(line))]
    assert len(found) == 1, "".join(server.log)
    tokens, context = (int(number.replace(",", "")) for number in found[0].groups())
    return tokens, context


@pytest.mark.parametrize("kind", CHANGED)
def test_kv_bytes_for_each_token(kind: str, tmp_path: Path, model: Path) -> None:
    """`model` only tells that there is a server. One GiB: the least that the CPU build takes."""
    folder = made(kind, tmp_path)
    config = json.loads((folder / "config.json").read_text()) | CHANGED[kind]
    (folder / "config.json").write_text(json.dumps(config))
    with serving(folder, "--load-format", "dummy", context=CONTEXT) as server:
        tokens, context = logged(server)
    kv = kv_of(config)
    assert context == CONTEXT
    assert kv.per_token(CONTEXT) == pytest.approx(GIB / tokens, rel=0.01)
    assert kv.tokens(GIB, CONTEXT) == tokens


def memory(session: int) -> int:
    """Proportional set sizes of all its processes, in bytes."""
    total = 0
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdecimal() and os.getsid(int(process.name)) == session:
                lines = (process / "smaps_rollup").read_text().splitlines()
                total += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
        except OSError:
            continue  # it has ended meanwhile
    return total


def test_the_built_in_model_takes_what_was_told(model: Path) -> None:
    config = json.loads((model / "config.json").read_text())
    room = Room(device="cpu", memory=64 * GIB)
    told = fit(config, weights_in(model), room, 2048, kv_space=GIB, eager=True)
    with serving(model, context=2048) as server:
        tokens, _ = logged(server)
        answer = server.post("/v1/completions", {"model": "tiny", "prompt": [1] * 1500, "max_tokens": 20})
        taken = memory(server._process.pid)
    assert answer["usage"]["completion_tokens"] > 0
    assert told.kv_per_token == pytest.approx(GIB / tokens, rel=0.01)
    assert told.verdict is Verdict.FITS
    # a machine that shares more of the libraries takes less: what is told is a range, and its middle is meant
    assert (told.low + told.high) / 2 == pytest.approx(taken, rel=0.1)
    assert told.low < taken * 1.05 and taken < told.high * 1.05
