"""local_ratio: our engine with every detail beside transformers' own generate(), turn about, in one run.

Both greedy, the same prompt and number of tokens, one process each with the same threads and dtype; the rate
is taken from the first to the last token, where tokens arrive. Usage: local.py RUNS → one JSON line a run.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from core.engines.base import Sampling, TokenBatch
from core.engines.local.engine import LocalEngine
from core.models.catalog import BUILT_IN
from core.paths import default_paths
from core.prompt.base import ChatMessage, PromptOptions
from core.prompt.worker_prompter import WorkerPrompter
from core.worker.client import WorkerClient, worker_environment

TOKENS = 128
QUESTION = "Write a long story about a lighthouse keeper and the sea."

PEER = """
import json, sys, time, torch
from transformers import AutoModelForCausalLM, StoppingCriteria, StoppingCriteriaList
folder, dtype, threads, tokens = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
torch.set_num_threads(threads)
dtype = getattr(torch, dtype)
model = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype, local_files_only=True).eval()
class Clock(StoppingCriteria):
    def __call__(self, ids, scores, **_):
        self.times.append(time.perf_counter())
        return torch.zeros(ids.shape[0], dtype=torch.bool)
clock = Clock()
for line in sys.stdin:
    ids = torch.tensor([json.loads(line)])
    clock.times = []
    with torch.inference_mode():
        model.generate(ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=tokens,
                       min_new_tokens=tokens, stopping_criteria=StoppingCriteriaList([clock]))
    print((len(clock.times) - 1) / (clock.times[-1] - clock.times[0]), flush=True)
"""


async def ours(engine: LocalEngine, ids: list[int], sampling: Sampling) -> float:
    arrived: list[float] = []
    answer = engine.generate(ids, sampling, top_candidates=5)
    async with contextlib.aclosing(answer):
        async for event in answer:
            if isinstance(event, TokenBatch):
                arrived += [time.perf_counter()] * len(event.rows)
    assert len(arrived) == TOKENS
    return (TOKENS - 1) / (arrived[-1] - arrived[0])


async def main(runs: int) -> None:
    worker = WorkerClient()
    engine = LocalEngine(worker, default_paths())
    peer = None
    try:
        await engine.open(BUILT_IN)
        prompt = await WorkerPrompter(worker).render((ChatMessage("user", QUESTION),), PromptOptions())
        ids = list(prompt.ids)
        info = engine.info
        command = [sys.executable, "-W", "ignore", "-c", PEER]
        arguments = [info.folder, info.dtype, str(info.threads), str(TOKENS)]
        peer = subprocess.Popen(  # noqa: ASYNC220 - nothing else runs on this loop
            [*command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=worker_environment(),
            text=True,
        )
        assert peer.stdin is not None and peer.stdout is not None
        greedy = Sampling(temperature=0.0, max_tokens=TOKENS, ignore_eos=True)
        drawn = Sampling(temperature=0.7, top_p=0.9, top_k=50, seed=1, max_tokens=TOKENS, ignore_eos=True)
        for run in range(runs + 1):
            own = await ours(engine, ids, greedy)
            sampled = await ours(engine, ids, drawn)
            peer.stdin.write(json.dumps(ids) + "\n")
            peer.stdin.flush()
            theirs = float(await asyncio.to_thread(peer.stdout.readline))
            if run == 0:
                continue  # warms both up
            figures = {
                "local_ratio": own / theirs,
                "local_tokens_per_s": own,
                "local_sampled_tokens_per_s": sampled,
                "generate_tokens_per_s": theirs,
            }
            print(json.dumps(figures), flush=True)
    finally:
        if peer is not None:
            peer.kill()
            peer.wait()
        await worker.close()


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parents[2])
    asyncio.run(main(int(sys.argv[1])))
