"""Every failure text known of Docker, Compose, registries and vLLM is recognised, and something mends it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import pytest

from core.server.evidence import Evidence
from core.server.finding_words import effect, entry, fill, sentence, title
from core.server.findings import diagnose
from core.server.spec import GIB, LaunchSpec

SPEC = LaunchSpec(
    model="qwen",
    folder="/home/me/models/qwen",
    device="gpu",
    context=8192,
    speculative='{"method":"mtp","num_speculative_tokens":2}',
)
TEXTS = tomllib.loads(
    (Path(__file__).parents[2] / "cases" / "logs" / "texts.toml").read_text(encoding="utf-8")
)


def _check_words(evidence: Evidence, code: str) -> None:
    found = diagnose(evidence, free_port=lambda port: port + 1)
    assert found.code == code
    words = entry("finding", code)
    assert words["what"] and "{" not in sentence(found)
    assert "…" not in fill(words["what"], found.params)
    assert found.line
    assert found.fixes, "nothing mends it"
    for fix in found.fixes:
        assert "…" not in title(fix) + effect(fix)
        assert entry("fix", fix.code)["button"]
        assert fix.action != "open" or fix.url.startswith("https://")
        assert fix.action != "copy" or fix.params["command"]
        assert not set(fix.changes) - set(LaunchSpec.__struct_fields__)


@pytest.mark.parametrize(("code", "text"), TEXTS["docker"])
def test_words_of_docker(code: str, text: str) -> None:
    versions = ("0.32.0", "0.33.0")
    _check_words(Evidence(spec=SPEC, error=text, versions=versions), code)
    # Compose 2 begins an error with a small letter where Compose 5 has a large one
    _check_words(Evidence(spec=SPEC, error=f"vllm Error {text.lower()}", versions=versions), code)


@pytest.mark.parametrize(("code", "text"), [one for one in TEXTS["engine"] if not one[0].startswith("gpu_")])
def test_no_share_of_a_gpu_mends_a_start_on_the_processor(code: str, text: str) -> None:
    """Nothing there is told it: the KV cache has a size, with which no share is looked at."""
    spec = msgspec.structs.replace(SPEC, device="cpu")
    found = diagnose(Evidence(spec=spec, log=(text,), exit_code=1))
    assert not any("gpu_share" in fix.changes for fix in found.fixes)
    if code in ("cpu_share", "cpu_used"):
        assert found.fixes[0].changes == {"kv_bytes": GIB}


@pytest.mark.parametrize(("code", "text"), TEXTS["engine"])
def test_words_of_the_engine(code: str, text: str) -> None:
    """As the last words of the engine, with the server's own last line after them."""
    log = (
        "(APIServer pid=1) INFO 11-29 14:20:10 [api_utils.py:286] non-default args: {'model': 'x'}",
        "(APIServer pid=1) WARNING 11-29 14:20:10 [x.py:255] OSError: [Errno 98] Address already in use",
        "(EngineCore pid=7) ERROR 11-29 14:20:20 [core.py:1510] EngineCore failed to start.",
        "(EngineCore pid=7) ERROR 11-29 14:20:20 [core.py:1510] Traceback (most recent call last):",
        f"(EngineCore pid=7) ERROR 11-29 14:20:20 [core.py:1510] {text.removeprefix('ERROR ')}",
        "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}",
    )
    versions = ("0.32.0", "0.33.0")
    _check_words(Evidence(spec=SPEC, log=log, exit_code=1, versions=versions), code)
    _check_words(Evidence(spec=SPEC, log=(text,), exit_code=1, versions=versions), code)
