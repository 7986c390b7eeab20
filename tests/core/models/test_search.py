"""Models on the hub, found and pinned: what the hub says, what this program makes of it, and each failure."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from core.errors import ModelError
from core.models.fit import Room, fit
from core.models.headers import Weights
from core.models.search import HubModel, Way, model_of, parse, resolve, search
from core.prompt.families import pinned
from core.worker.client import WorkerClient, library_worker
from core.worker.search_values import HubEntry

COMMIT = "0123456789abcdef0123456789abcdef01234567"
TOKEN = "hf_not_for_the_log_0123456789"
CONFIG = {
    "model_type": "llama",
    "architectures": ["LlamaForCausalLM"],
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "hidden_size": 64,
    "max_position_embeddings": 2048,
}


def row(repo: str, **more: Any) -> dict[str, Any]:
    return {
        "id": repo,
        "sha": COMMIT,
        "lastModified": "2026-03-01T12:00:00.000Z",
        "downloads": 7,
        "gated": False,
        "config": {"model_type": "llama", "architectures": ["LlamaForCausalLM"]},
        "safetensors": {"parameters": {"BF16": 1000, "F32": 10}, "total": 1010},
        "cardData": {"license": "apache-2.0", "language": ["en", "de"]},
        "tags": ["region:us"],
        **more,
    }


@dataclass
class Hub:
    """`body`: what the search answers. `status`: of every answer. `refused`: of the config.json alone."""

    rows: list[dict[str, Any]] = field(default_factory=lambda: [row("org/smollm2-a"), row("org/b")])
    body: bytes | None = None
    status: int = 200
    refused: int = 0
    hold: bool = False
    calls: list[tuple[str, dict[str, list[str]], str]] = field(default_factory=list)
    asked: threading.Event = field(default_factory=threading.Event)
    release: threading.Event = field(default_factory=threading.Event)
    port: int = 0

    @property
    def way(self) -> Way:
        return Way(endpoint=f"http://127.0.0.1:{self.port}")

    def answer(self, path: str) -> tuple[int, bytes]:
        if self.status != 200:
            return self.status, b"{}"
        if path == "/api/models":
            return 200, json.dumps(self.rows).encode() if self.body is None else self.body
        if path.startswith("/api/models/"):
            repo = path.removeprefix("/api/models/").partition("/revision/")[0]
            siblings = [
                {"rfilename": "config.json", "size": len(json.dumps(CONFIG))},
                {"rfilename": "model.safetensors", "size": 2100},
                {"rfilename": "tokenizer.json", "size": 50},
                {"rfilename": "onnx/model.safetensors", "size": 9},
                {"rfilename": "README.md", "size": 5},
            ]
            return 200, json.dumps(row(repo) | {"siblings": siblings, "private": False}).encode()
        if path.endswith(f"/resolve/{COMMIT}/config.json"):
            return self.refused or 200, json.dumps(CONFIG).encode()
        return 404, b""


def handler(hub: Hub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            hub.calls.append((parts.path, parse_qs(parts.query), self.headers.get("Authorization", "")))
            hub.asked.set()
            if hub.hold:
                hub.release.wait()
            status, body = hub.answer(parts.path)
            with contextlib.suppress(OSError):
                self.send_response(status)
                if status == 403:
                    self.send_header("X-Error-Code", "GatedRepo")
                self.send_header("X-Repo-Commit", COMMIT)
                self.send_header("ETag", '"e"')
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

    return Handler


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[Hub]:
    for name in [name for name in os.environ if name.startswith("HF_") or name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HF_HOME", str(home / "hf"))
    served = Hub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(served))
    served.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield served
    served.release.set()
    server.shutdown()
    thread.join()
    server.server_close()


def run(ask: Any) -> Any:
    async def main() -> Any:
        library = library_worker()
        lines: list[str] = []
        library.lines.connect(lines.append)
        try:
            return await asyncio.wait_for(ask(library), 60)
        finally:
            await library.close()
            assert not [line for line in lines if "Traceback" in line or TOKEN in line], lines

    return asyncio.run(main())


def test_words_are_found_the_most_downloaded_first(hub: Hub) -> None:
    told: list[tuple[str, str]] = []
    found = run(
        lambda library: search(
            library, "  tiny  words ", hub.way, limit=5, told=lambda *one: told.append(one)
        )
    )
    assert [model.id for model in found] == ["org/smollm2-a", "org/b"]
    assert told == [("127.0.0.1", "search tiny words")]
    ((path, asked, _),) = hub.calls
    assert path == "/api/models"
    assert (asked["search"], asked["sort"], asked["limit"]) == (["tiny words"], ["downloads"], ["5"])
    first = found[0]
    assert (first.family, first.unsupported, first.licence, first.languages) == (
        *("smollm2", "", "apache-2.0"),
        ("en", "de"),
    )
    assert first.weights == Weights(2040, dtypes=(("BF16", 2000), ("F32", 40)), exact=False)
    assert first.modified == 1772366400.0
    assert found[1].unsupported == "family"  # a llama of no family


def test_nothing_is_asked_for_no_words(hub: Hub) -> None:
    assert run(lambda library: search(library, "  ", hub.way)) == ()
    assert hub.calls == []


def test_never_more_rows_than_were_asked_for(hub: Hub) -> None:
    hub.rows = [row(f"org/{n}") for n in range(500)] + [{"sha": "x"}]
    assert len(run(lambda library: search(library, "x", hub.way, limit=3))) == 3
    assert len(run(lambda library: search(library, "x", hub.way, limit=1000))) == 100


def test_one_model_is_pinned_with_its_own_config(hub: Hub) -> None:
    model: HubModel = run(lambda library: resolve(library, "org/SmolLM2-tiny", hub.way))
    assert (model.revision, model.whole, model.config) == (COMMIT, True, CONFIG)
    assert (model.architectures, model.unsupported) == (("LlamaForCausalLM",), "")
    assert model.bytes == len(json.dumps(CONFIG)) + 2100 + 50
    assert model.weights is not None and (model.weights.bytes, model.weights.files) == (2100, 1)
    assert model.specs.context_limit == 2048
    room = Room(device="cpu", memory=16 << 30)
    assert fit(model.config, model.weights, room).context == 2048
    assert all(not key for _, _, key in hub.calls)


def test_a_revision_that_is_said_or_known(hub: Hub) -> None:
    run(lambda library: resolve(library, "org/name@v1.0", hub.way))
    run(lambda library: resolve(library, "Qwen/Qwen3.5-0.8B", hub.way))
    pin = pinned("Qwen/Qwen3.5-0.8B")
    assert pin is not None
    looked = [path for path, _, _ in hub.calls if path.startswith("/api/")]
    assert looked == [
        "/api/models/org/name/revision/v1.0",
        f"/api/models/Qwen/Qwen3.5-0.8B/revision/{pin.revision}",
    ]


def test_a_config_behind_a_gate_leaves_what_the_hub_tells(hub: Hub) -> None:
    hub.refused = 403
    way = Way(token=TOKEN, endpoint=hub.way.endpoint)
    model = run(lambda library: resolve(library, "org/smollm2", way))
    assert (model.whole, model.model_type, model.revision) == (False, "llama", COMMIT)
    assert {key for _, _, key in hub.calls} == {f"Bearer {TOKEN}"}
    assert TOKEN not in repr(way)


def fails(ask: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        run(ask)
    return caught.value


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"<html>", 200, "hub.search_failed"),
        (b"{}", 200, "hub.search_failed"),
        (b"[" + b" " * 9_000_000 + b"]", 200, "hub.search_failed"),
        (None, 400, "hub.search_failed"),
        (None, 429, "hub.rate_limit"),
        (None, 503, "hub.server"),
    ],
    ids=["a page", "no list", "too much", "400", "429", "503"],
)
def test_what_went_wrong_with_a_search(hub: Hub, body: bytes | None, status: int, code: str) -> None:
    hub.body, hub.status = body, status
    assert fails(lambda library: search(library, "words", hub.way)).code == code


def test_a_hub_that_is_not_there_or_switched_off(hub: Hub) -> None:
    nobody = Way(endpoint="http://127.0.0.1:1")
    error = fails(lambda library: search(library, "words", nobody))
    assert (error.code, error.params) == ("hub.search_offline", {"words": "words"})
    assert fails(lambda library: resolve(library, "org/name", nobody)).code == "hub.offline"
    away = Way(endpoint="https://hub.invalid", offline=True)
    assert fails(lambda library: search(library, "words", away)).code == "hub.switched_off"
    assert fails(lambda library: resolve(library, "no name!", hub.way)).code == "hub.name"
    assert hub.calls == []


def test_a_search_that_nobody_waits_for_any_more(hub: Hub) -> None:
    async def main(library: WorkerClient) -> str:
        hub.hold = True
        first = asyncio.ensure_future(search(library, "slow", hub.way))
        await asyncio.to_thread(hub.asked.wait, 30)
        first.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await first
        assert first.cancelled()
        hub.hold = False
        (model, _) = await search(library, "next", hub.way)
        return str(model.id)

    assert run(main) == "org/smollm2-a"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (" Qwen/Qwen3.5-0.8B ", ("Qwen/Qwen3.5-0.8B", "")),
        ("org/name@main", ("org/name", "main")),
        ("gpt2", ("gpt2", "")),
        ("https://hub.example/org/name", ("org/name", "")),
        ("https://hub.example/org/name/tree/v2?x=1", ("org/name", "v2")),
        ("two words", None),
        ("a/b/c", None),
        ("../up", None),
        ("org/na--me", None),
        ("", None),
    ],
)
def test_what_is_typed_or_pasted(text: str, meant: tuple[str, str] | None) -> None:
    assert parse(text) == meant


@pytest.mark.parametrize(
    ("config", "files", "why"),
    [
        (b"{}", (), "config"),
        (b"[]", (), "config"),
        (b"{", (), "config"),
        (b'{"model_type": 7}', (), "config"),
        (b'{"model_type": "odd", "auto_map": {"AutoModel": "x.y"}}', (), "remote_code"),
        (b'{"model_type": "odd"}', (), "family"),
        (b'{"model_type": "qwen3", "auto_map": {}}', (), ""),
        (b'{"model_type": "qwen3"}', (("pytorch_model.bin", 9),), "no_weights"),
        (b'{"model_type": "qwen3"}', (("model.safetensors", 9),), ""),
    ],
)
def test_why_a_model_is_not_supported(config: bytes, files: tuple[tuple[str, int], ...], why: str) -> None:
    assert model_of(HubEntry("org/name", config=config, files=files)).unsupported == why


def test_sizes_that_the_hub_counts_and_lists() -> None:
    entry = HubEntry("org/n", files=(("model.safetensors", 2050),), parameters={"BF16": 1000, "F32": 10})
    assert model_of(entry).weights == Weights(
        2040, dtypes=(("BF16", 2000), ("F32", 40)), files=1, exact=False
    )
    other = HubEntry("org/n", files=(("model.safetensors", 9000),), parameters={"BF16": 1000})
    assert model_of(other).weights == Weights(9000, files=1, exact=False)
    assert model_of(HubEntry("org/n", parameters={"Q4": 5})).weights is None
