"""The log file: secrets hidden, tracebacks only there, and no failure of its own ever leaves it."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import pytest

from core.logs import FILE, HIDDEN, Logs, redact

SECRETS = [
    ("Authorization: Bearer abc.def-123456", "abc.def"),
    ('{"authorization": "Basic dXNlcjpwYXNz"}', "dXNlcjpwYXNz"),
    ("headers={'Authorization': b'Bearer sk-0123456789abcdef'}", "sk-0123456789abcdef"),
    ("curl -H 'X-Api-Key: 0123456789abcdef'", "0123456789abcdef"),
    ("using hf_AbCdEfGhIjKlMnOpQrStUv now", "hf_AbCdEf"),
    ("key sk-proj-AbCdEfGhIjKlMnOp", "AbCdEfGhIjKlMnOp"),
    ("HF_TOKEN=hf_AbCdEfGhIjKlMnOpQrStUv", "AbCdEf"),
    ("OPENAI_API_KEY=verysecret", "verysecret"),
    ("vllm serve --api-key verysecret --port 8000", "verysecret"),
    ("password: hunter2", "hunter2"),
    ("http://me:hunter2@proxy.example:3128/", "hunter2"),
    ("token=ab12cd34ef56gh78ij90kl", "ab12cd34"),
    ("Cookie: session=abcdef; other=1", "abcdef"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc_DEF-1", "eyJzdWIi"),
    ("-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----", "MIIEvQ"),
]
HARMLESS = [
    "token 17 has 3 bytes, token_id=17 tokens=12 max_tokens: 256",
    "token=12345678901234567890123",
    "the next token: 'hello'",
    "stopped at token </think>",
    "loaded /models/SmolLM2-135M-Instruct in 1.2 s",
    "https://example.org/page@2x.png",
    "tokenizer=/models/a-long-folder-name-here/tokenizer.json",
]


@pytest.mark.parametrize(("text", "secret"), SECRETS)
def test_secrets_are_hidden(text: str, secret: str) -> None:
    assert secret not in redact(text)
    assert HIDDEN in redact(text)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact(text) == text


def test_the_file_has_the_traceback_and_listeners_the_line(tmp_path: Path) -> None:
    lines: list[tuple[str, int]] = []
    with Logs(tmp_path / "logs") as logs:
        stop = logs.listen(lambda line, level: lines.append((line, level)))
        try:
            raise ValueError("api_key=verysecret")
        except ValueError:
            logging.getLogger("core.test").exception("it failed with %s", "password=hunter2")
        logging.getLogger("core.test").debug("not asked for")
        stop()
        logging.getLogger("core.test").info("after")
    text = (tmp_path / "logs" / FILE).read_text(encoding="utf-8")
    assert "Traceback" in text and "after" in text
    assert "verysecret" not in text and "hunter2" not in text
    assert len(lines) == 1
    assert lines[0][1] == logging.ERROR
    assert "Traceback" not in lines[0][0] and "hunter2" not in lines[0][0] and "it failed" in lines[0][0]


def test_closing_leaves_the_root_logger_as_it_was(tmp_path: Path) -> None:
    root = logging.getLogger()
    before = (root.level, list(root.handlers))
    logs = Logs(tmp_path, level=logging.DEBUG)
    logs.listen(lambda line, level: None)
    logs.close()
    assert (root.level, list(root.handlers)) == before


def test_it_rotates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.logs.SIZE", 2000)
    with Logs(tmp_path):
        for number in range(200):
            logging.getLogger("core.test").info("line %d %s", number, "x" * 60)
    files = sorted(entry.name for entry in tmp_path.iterdir())
    assert files == [FILE, f"{FILE}.1", f"{FILE}.2", f"{FILE}.3"]
    assert all(entry.stat().st_size <= 2000 for entry in tmp_path.iterdir())


def test_no_folder_no_stderr_no_crash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    blocker = tmp_path / "logs"
    blocker.write_text("")
    with Logs(blocker) as logs:
        assert logs.path is None
        monkeypatch.setattr(sys, "stderr", None)  # a packaged app without a console
        logging.getLogger("core.test").error("nobody listens")
    monkeypatch.undo()
    assert capfd.readouterr().err == ""


def test_a_write_or_a_listener_that_fails_is_silent(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(line: str, level: int) -> None:
        raise RuntimeError(line)

    with Logs(tmp_path) as logs:
        logs.listen(broken)
        record = logging.LogRecord("core.test", logging.INFO, __file__, 1, "wrong %d", ("x",), None)
        for handler in logging.getLogger().handlers:
            if type(handler).__module__ == "core.logs":  # pytest's own rightly raises
                handler.handle(record)
        logging.getLogger("core.test").info("next \ud800")
    assert capfd.readouterr().err == ""
    assert "next" in (tmp_path / FILE).read_text(encoding="utf-8")
