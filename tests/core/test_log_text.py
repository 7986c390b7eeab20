"""Keys, homes and addresses do not leave the program; what is needed to understand a log stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import log_text
from core.log_text import hidden, safe, saved_lines


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("HF_TOKEN=hf_abcdefghijklmnopqrst", "HF_TOKEN=[hidden]"),
        ("using hf_abcdefghijklmnopqrst here", "using [hidden] here"),
        ("Authorization: Bearer abcdefghijkl", "Authorization: [hidden]"),
        ("args: {'api_key': ['s3cret-one'], 'port': 8000}", "args: {'api_key': [hidden], 'port': 8000}"),
        ("--api-key s3cret", "--api-key [hidden]"),
        ("mkdir /home/mei ling/x", "mkdir ~ ling/x"),
        ("reading '/home/mei/models/a b'", "reading '~/models/a b'"),
        ("reading /Users/mei/models", "reading ~/models"),
        (r'"C:\\Users\\mei\\models"', r'"~\\models"'),
        (r"C:\Users\mei\models", r"~\models"),
        ("peer 192.168.1.20:5000 closed", "peer [address]:5000 closed"),
        ("mq_connect_ip=10.0.0.7 (local)", "mq_connect_ip=[address] (local)"),
        ("from 10.0.0.7.", "from [address]."),
        ("peer fe80::1ff:fe23:4567:890a%eth0 closed", "peer [address] closed"),
        ("listening on [2001:db8::17]:8000", "listening on [[address]]:8000"),
        ("DOCKER_HOST=ssh://mei@gpu-box", "DOCKER_HOST=ssh://[hidden]@[address]"),
        ("dial tcp://gpu-box:2375: refused", "dial tcp://[address]:2375: refused"),
        ("proxy http://cache.corp:3128", "proxy http://[address]:3128"),
    ],
)
def test_what_is_hidden(line: str, shown: str) -> None:
    assert hidden(line) == shown
    assert hidden(shown) == shown


@pytest.mark.parametrize(
    "line",
    [
        "(APIServer pid=1) INFO 11-29 14:19:17 [api_utils.py:286] Starting vLLM server on http://127.0.0.1:8000",
        "Starting vLLM server on http://0.0.0.0:8000",
        'INFO:     127.0.0.1:45062 - "GET /health HTTP/1.1" 200 OK',
        "nvidia-cudnn-cu13==9.1.0.70 and v1.2.3.4",
        "listening on [::1]:8000 and [::]:8000",
        "std::vector at torch/csrc/c10::Error",
        "CPU KV cache size: 2,097,152 tokens, Maximum concurrency for 512 tokens per request: 4096.00x",
        "bos token id 17, token 17: 'the'",
        "see https://docs.vllm.ai/en/latest/getting_started",
        "VLLM_CACHE=/root/.cache/vllm, model /models/served",
        "2026-11-30 08:02:36,201 and 08:02:36",
    ],
)
def test_what_stays(line: str) -> None:
    assert hidden(line) == line


def test_the_persons_own_home_with_a_blank_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/data/people/mei ling"))
    log_text._own_home.cache_clear()
    try:
        assert hidden("no such file: /data/people/mei ling/a.json") == "no such file: ~/a.json"
    finally:
        log_text._own_home.cache_clear()


def test_a_home_that_names_nobody_is_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/root"))
    log_text._own_home.cache_clear()
    try:
        assert hidden("/root/.cache") == "/root/.cache"
    finally:
        log_text._own_home.cache_clear()


def test_saved_lines_are_what_a_terminal_would_show() -> None:
    piece = safe("\rLoading:   0% | 0/2\rLoading: 100% | 2/2\n\x1b[31mERROR\x1b[0m hf_abcdefghijklmnopqrst")
    assert list(saved_lines(piece)) == ["Loading: 100% | 2/2", "ERROR [hidden]"]


def test_an_endless_line_is_cut() -> None:
    (line,) = saved_lines("x" * 1_000_000)
    assert len(line) == 4096


def test_a_real_log_stays_readable_and_has_no_address_of_anyone() -> None:
    text = (Path(__file__).parents[1] / "cases" / "logs" / "start-default-cold.log").read_text()
    assert hidden(text) == text
