"""`tokenloupe ask --url`: a real process against a server on a socket."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from core.cli_ask import by_hand
from core.engines.vllm.choice import ServerChoice
from core.errors import EngineError
from core.models.folder import built_in_folder
from core.paths import default_paths
from tests.fakes.fake_vllm import FakeVllm
from tests.fakes.server_tokenizer import ServerTokenizer

CASES = Path(__file__).parents[1] / "cases" / "sse"
CJK = (CASES / "cjk.sse").read_bytes()


def ask(
    fake: FakeVllm, *arguments: str, command: tuple[str, ...] = ("ask", "Hello"), **environment: str
) -> tuple[int, list[dict[str, Any]], str]:
    """(exit code, lines of JSON, stderr)."""

    async def main() -> tuple[int, list[dict[str, Any]], str]:
        async with fake.serve():
            own = {name: text.replace("ADDRESS", fake.address) for name, text in environment.items()}
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "desktop", *command, "--json"),
                *(argument.replace("ADDRESS", fake.address) for argument in arguments),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env={**os.environ, **own},
            )
            out, err = await process.communicate()
            assert process.returncode is not None
            return process.returncode, [json.loads(line) for line in out.splitlines()], err.decode()

    return asyncio.run(main())


@pytest.fixture
def folder(built_in_models: Path) -> str:
    return str(built_in_folder(built_in_models))


def test_an_answer_of_a_server_whose_folder_is_here(folder: str) -> None:
    fake = FakeVllm(stream=CJK, root=folder, tokenizes=False)
    code, (start, *tokens, end), err = ask(fake, "--url", "ADDRESS/v1", "--temperature", "0")
    assert (code, err) == (0, "")
    assert (start["engine"], start["model"], start["evidence"]) == ("vllm", "tiny", ["model"])
    assert (start["version"], start["route"], start["numbers"]) == ("0.32.0", "completions", "raw_logprobs")
    assert start["source"] == {
        "kind": "folder", "place": folder, "revision": start["revision"], "assumed": True
    }  # fmt: skip
    assert start["prompt_ids"] == list(fake.asked[-1].body["prompt"])
    assert [token["id"] for token in tokens] == [290, 291, 292, 293, 296, 230, 304, 294, 295, 33]
    assert all(token["logprob"] == -0.105 and "others" not in token for token in tokens)
    assert (end["finish_reason"], end["completion_tokens"]) == ("stop", 10)


def test_the_address_and_key_of_the_environment(folder: str) -> None:
    fake = FakeVllm(stream=CJK, root=folder, tokenizes=False, key="s3cret")
    code, lines, _ = ask(fake, VLLM_URL="ADDRESS", VLLM_API_KEY="s3cret")
    assert (code, lines[0]["engine"]) == (0, "vllm")
    code, lines, err = ask(fake, "--url", "ADDRESS", "--api-key-env", "OTHER", OTHER="0ther-key")
    assert (code, lines[-1]["code"]) == (5, "server.key")
    assert "0ther-key" not in err


def test_files_given_by_hand(folder: str) -> None:
    fake = FakeVllm(stream=CJK, root="/of/theirs", tokenizes=False)
    code, lines, err = ask(fake, "--url", "ADDRESS")
    assert (code, lines[-1]["code"]) == (5, "server.files_unknown")
    assert "/of/theirs" in err
    assert ask(fake, "--url", "ADDRESS", "--model", folder)[0] == 0
    assert ask(fake, "--url", "ADDRESS", "--model", "nope")[1][-1]["code"] == "server.model"


def test_another_tokenizer_than_the_server_has(folder: str) -> None:
    code, lines, _ = ask(FakeVllm(stream=CJK, root=folder), "--url", "ADDRESS")
    assert (code, [line["type"] for line in lines], lines[-1]["code"]) == (
        5,
        ["error"],
        "server.prompt_differs",
    )


def test_text_of_the_server() -> None:
    fake = FakeVllm(stream=CJK, root="/of/theirs", tokenizer=ServerTokenizer())
    code, (start, *tokens, end), _ = ask(fake, "--url", "ADDRESS", "--files", "server")
    assert (code, start["source"]) == (0, {"kind": "server", "place": "server"})
    assert "".join(token["text"] for token in tokens).startswith("你好，世界。")
    part = tokens[6]
    assert (part["text"], "bytes" in part) == ("\ufffd\ufffd", False)  # not told, so not shown
    assert "text_from_server" in end["notes"]


def test_the_models_of_a_server(folder: str) -> None:
    code, (line,), _ = ask(
        FakeVllm(root=folder, key="k"), "--url", "ADDRESS", command=("models",), VLLM_API_KEY="k"
    )
    assert code == 0
    assert line == {
        "id": "tiny",
        "root": folder,
        "family": "smollm2",
        "supported": True,
        "why": "",
        "model_type": "llama",
    }
    code, (line,), _ = ask(FakeVllm(key="k"), "--url", "ADDRESS", command=("models",))
    assert (code, line["code"]) == (5, "server.key")


@pytest.mark.parametrize("place", ["tiny", "built-in/tiny"])
def test_the_files_of_a_model_in_a_container_of_ours_are_found(home: Path, place: str) -> None:
    folder = default_paths().models / place
    choice, other = ServerChoice("http://127.0.0.1:8000"), ServerChoice("http://10.0.0.7:8000")
    unknown = EngineError("server.files_unknown", model="tiny", root="/models/tiny")
    assert by_hand(choice, unknown) == choice
    folder.mkdir(parents=True)
    assert by_hand(choice, unknown).files == str(folder)
    assert by_hand(other, unknown) == other
