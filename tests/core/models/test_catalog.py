"""The lines that serve a model: what the shell makes of them is what vLLM is to get."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

import pytest

from core.models.catalog import (
    Drafter,
    KnownModel,
    built_in,
    known_model,
    known_models,
    serve_line,
    suggested,
)
from core.paths import resources
from core.prompt.families import families

QWEN = "2fc06364715b967f1860aea9cf38778875588b17"
GEMMA = "3e22461f65e89153144f8adb70e3b8c2cc9845a7"
DRAFTER = "2d874ef7d29f9a30599a1e4b3c1cbc9595f005df"


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


def known(id_: str) -> KnownModel:
    model = known_model(id_)
    assert model is not None
    return model


def test_the_suggestions_in_their_order() -> None:
    assert [model.id for model in suggested()] == ["built-in", "Qwen/Qwen3.5-0.8B", "google/gemma-4-E2B-it"]
    assert known_model("org/other") is None


def test_pins_media_and_drafter_are_the_family_s() -> None:
    qwen, gemma = known("Qwen/Qwen3.5-0.8B"), known("google/gemma-4-E2B-it")
    assert (qwen.revision, gemma.revision, built_in().revision) == (QWEN, GEMMA, "")
    assert qwen.drafter is None  # it guesses on a layer of its own
    assert gemma.drafter == Drafter("google/gemma-4-E2B-it-assistant", DRAFTER)
    assert qwen.media == ("image", "video")
    assert gemma.media == ("image", "sound", "video")
    assert built_in().media == ()


def test_every_family_is_known_and_no_pin_is_written_twice() -> None:
    names = {family.name for family in families()}
    assert {model.family for model in known_models()} <= names
    text = (resources() / "models.toml").read_text(encoding="utf-8")
    assert not [pin.revision for family in families() for pin in family.pinned if pin.revision in text]


def test_what_is_not_known_is_left_open() -> None:
    gemma = known("google/gemma-4-E2B-it")
    assert (gemma.licence, gemma.gated, gemma.languages, gemma.sampling) == ("", None, (), None)
    assert (built_in().licence, built_in().gated, built_in().languages) == ("Apache-2.0", False, ("en",))
