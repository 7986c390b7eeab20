"""The whole program with VLLM_URL: what stands in its window is what the server says to a plain request."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.real.vllm.server import serving
from tests.whole.test_servers import run


def test_a_greedy_answer_is_the_servers_own(model: Path, built_in_home: Path) -> None:
    with serving(model) as server:
        said = run("asked_greedily", VLLM_URL=f"localhost:{server.port}/v1")
        body = {
            "model": "tiny", "prompt": said["prompt_ids"], "temperature": 0, "max_tokens": 12, "logprobs": 1,
            "return_tokens_as_token_ids": True, "return_token_ids": True,
        }  # fmt: skip
        (choice,) = server.post("/v1/completions", body)["choices"]
    # how soon the model ends depends on the processor's kernels
    assert said["state"] == "finished" and 0 < len(said["ids"]) <= 12
    assert said["ids"] == choice["token_ids"]
    assert said["logprobs"] == pytest.approx(choice["logprobs"]["token_logprobs"], abs=1e-6)
