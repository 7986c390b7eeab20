"""Through us beside plain `vllm serve`, on the real CPU server: start to ready, and tokens a second.

The plain one runs on this machine with the flags of compose/ and where it keeps things, and once more with
compose/'s VLLM_USE_AOT_COMPILE=0, which alone makes a start much shorter: `start_ratio_alike` is beside that
one. Ours runs in a container of a Docker Engine of the tests' own, started by the controller and asked by our
engine. All with a warm compile cache, in turns. Ready is who has answered a token with its log probabilities:
vLLM compiles for the first of them, and our probe asks for it. As in a window, Docker was looked at before
Start.
`python -m tests.bench.served RUNS` prints one JSON object a run; needs root (tests/real/docker).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

from core.engines.base import Sampling, TokenBatch
from core.engines.vllm.engine import VllmEngine
from core.models.folder import built_in_folder
from core.server.spec import LaunchSpec
from core.server.state import STARTING, ServerPhase, ServerState
from core.server.versions import version_of
from tests.conftest import test_cache as big_cache
from tests.real.docker.engine import Engine, held
from tests.real.docker.image import bring_real
from tests.real.docker.place import Place
from tests.real.docker.programs import program, spec_for
from tests.real.vllm.environment import folder
from tests.real.vllm.server import free_port
from tests.reference.built_in import built_in_models_folder

TOKENS = 400
PROMPT = [1, 4093, 198, 1780, 314, 260, 3575, 282, 4649, 47, 2, 198, 1, 520, 9531, 198]
CPU = version_of().cpu


@contextlib.contextmanager
def plain(spec: LaunchSpec, caches: Path, **more: str) -> Iterator[tuple[float, str]]:
    """(seconds from the start of the process to the first answer with log probabilities, address)."""
    port = free_port()
    command = [
        *(str(folder() / "bin" / "vllm"), "serve", spec.folder, "--host", "127.0.0.1", "--port", str(port)),
        *(f"--served-model-name={spec.model}", "--enable-scale-out", "--enable-prompt-tokens-details"),
        *("--skip-mm-profiling",),
    ]
    environment = {
        **os.environ,
        "HF_HUB_OFFLINE": "1",
        "TRANSFORMERS_OFFLINE": "1",
        "VLLM_NO_USAGE_STATS": "1",
        "VLLM_CPU_KVCACHE_SPACE": str(spec.kv_bytes >> 30),
        "VLLM_CACHE_ROOT": str(caches / "vllm"),
        "TORCHINDUCTOR_CACHE_DIR": str(caches / "inductor"),
        "HF_HOME": str(caches / "hf"),
        **more,
    }
    begin = time.monotonic()
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        address = f"http://127.0.0.1:{port}"
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        while True:
            with contextlib.suppress(OSError), opener.open(f"{address}/health", timeout=5):
                break
            assert process.poll() is None, "the plain server ended"
            time.sleep(0.05)
        _answer(address, spec.model, 1)
        yield time.monotonic() - begin, address
    finally:
        process.terminate()
        process.wait(60)


def _answer(address: str, model: str, tokens: int) -> list[tuple[float, bytes]]:
    """(time, line) of each piece, as fast as a client can read that looks into nothing."""
    sampling = {"temperature": 0.0, "max_tokens": tokens, "ignore_eos": True, "logprobs": 6}
    body = {"model": model, "token_ids": PROMPT, "stream": True, "sampling_params": sampling}
    request = urllib.request.Request(
        f"{address}/inference/v1/generate", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request) as reply:
        return [(time.monotonic(), line) for line in reply if line.startswith(b"data: {")]


def plain_rate(address: str, model: str) -> float:
    """Tokens a second after the first."""
    came = _answer(address, model, TOKENS)
    # a server under load puts several tokens into one line: counted once all are here
    times = [at for at, line in came for _ in _ids(line)]
    return _rate(times)


def _ids(line: bytes) -> list[int]:
    choices = json.loads(line.removeprefix(b"data: ")).get("choices") or [{}]
    return choices[0].get("token_ids") or []


def _rate(times: list[float]) -> float:
    """Tokens a second after those that came first, at once."""
    assert len(times) == TOKENS, f"{len(times)} of {TOKENS} tokens"
    return sum(at > times[0] for at in times) / (times[-1] - times[0])


async def our_rate(address: str) -> float:
    engine = VllmEngine(address)
    try:
        await engine.connect()
        times: list[float] = []
        sampling = Sampling(temperature=0.0, max_tokens=TOKENS, ignore_eos=True)
        async with aclosing(engine.generate(PROMPT, sampling, top_candidates=5)) as events:
            async for event in events:
                if isinstance(event, TokenBatch):
                    times += [time.monotonic()] * len(event.rows)
        return _rate(times)
    finally:
        await engine.close()


async def through_us(spec: LaunchSpec) -> tuple[float, float]:
    """(seconds from Start to READY without the image's step, tokens a second)."""
    async with program() as ours:
        await ours.launcher.doctor()
        begin = time.monotonic()
        image = 0.0

        def note(state: ServerState) -> None:
            nonlocal image
            step = next((one for one in state.steps if one.phase is ServerPhase.IMAGE), None)
            image = (step.seconds if step is not None else None) or image

        ours.launcher.state_changed.connect(note)
        assert ServerPhase.IMAGE in STARTING
        await ours.launcher.start(spec)
        ready = time.monotonic() - begin - image
        steps = {step.phase.value: round(step.seconds or 0.0, 2) for step in ours.state.steps}
        print(steps, file=sys.stderr)
        rates = [await our_rate(spec.address) for _ in range(3)]
        await ours.launcher.stop()
        return ready, sorted(rates)[1]


def run(spec: LaunchSpec, caches: Path) -> dict[str, float]:
    with plain(spec, caches) as (seconds, address):
        rates = sorted(plain_rate(address, spec.model) for _ in range(3))
    with plain(spec, caches / "alike", VLLM_USE_AOT_COMPILE="0") as (alike, _):
        pass
    ready, rate = asyncio.run(through_us(spec))
    return {
        "served_ratio": rate / rates[1],
        "start_ratio": ready / seconds,
        "start_ratio_alike": ready / alike,
        "plain_start_s": seconds,
        "plain_tokens_s": rates[1],
    }


def main(runs: int) -> None:
    with tempfile.TemporaryDirectory(prefix="tl-served-") as home:
        place = Path(home)
        with held(place / "engine") as engine:
            _measure(runs, place, engine)


def _measure(runs: int, home: Path, engine: Engine) -> None:
    bring_real([CPU.base], engine.environment)
    engine.docker("compose", "-f", "compose/compose.yaml", "build", "vllm", seconds=600)
    corner = Place(engine, home / "home", built_in_folder(built_in_models_folder(big_cache())))
    os.environ.update(corner.environment)
    spec = spec_for(corner, corner.model("SmolLM2-135M-Instruct"))
    try:
        run(spec, home / "caches")  # both caches are warm after it
        for _ in range(runs):
            print(json.dumps(run(spec, home / "caches")), flush=True)
    finally:
        corner.clean()


if __name__ == "__main__":
    main(int(sys.argv[1]))
