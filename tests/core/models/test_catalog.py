"""The lines that serve a model: what the shell makes of them is what vLLM is to get."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

import pytest

from core.models.catalog import serve_line

QWEN = "2fc06364715b967f1860aea9cf38778875588b17"
GEMMA = "3e22461f65e89153144f8adb70e3b8c2cc9845a7"


def as_the_shell_reads(line: str) -> list[str]:
    code = "import json, sys; print(json.dumps(sys.argv[1:]))"
    script = f'vllm() {{ {shlex.quote(sys.executable)} -c {shlex.quote(code)} "$@"; }}\n{line}\n'
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    return list(json.loads(done.stdout))


def test_a_pinned_model_with_its_speculation() -> None:
    line = serve_line("google/gemma-4-E2B-it")
    assert line.split("\n") == [
        f"vllm serve google/gemma-4-E2B-it --revision {GEMMA} --enable-scale-out \\",
        '  --speculative-config \'{"method": "mtp", "model": "google/gemma-4-E2B-it-assistant", '
        '"revision": "2d874ef7d29f9a30599a1e4b3c1cbc9595f005df", "num_speculative_tokens": 6}\' \\',
        "  --per-request-spec-decode-metrics detailed",
    ]
    words = as_the_shell_reads(line)
    assert words[:2] == ["serve", "google/gemma-4-E2B-it"]
    config = json.loads(words[words.index("--speculative-config") + 1])
    assert (config["method"], config["num_speculative_tokens"]) == ("mtp", 6)


def test_the_same_without_speculation_and_on_another_port() -> None:
    assert as_the_shell_reads(serve_line("Qwen/Qwen3.5-0.8B", port=8001, speculative=False)) == [
        *("serve", "Qwen/Qwen3.5-0.8B", "--revision", QWEN, "--port", "8001", "--enable-scale-out"),
    ]
    config = serve_line("Qwen/Qwen3.5-0.8B").split("\n")[1]
    assert config == """  --speculative-config '{"method": "mtp", "num_speculative_tokens": 2}' \\"""


@pytest.mark.parametrize("model", ["org/other", "/models/my model", "/it's; rm -rf $HOME `x`"])
def test_a_model_that_is_not_known_is_served_as_it_is(model: str) -> None:
    assert as_the_shell_reads(serve_line(model)) == ["serve", model, "--enable-scale-out"]


def test_a_revision_that_is_given_wins() -> None:
    words = as_the_shell_reads(serve_line("Qwen/Qwen3.5-0.8B", revision="main", speculative=False))
    assert words[2:4] == ["--revision", "main"]
