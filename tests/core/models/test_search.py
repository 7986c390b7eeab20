"""Models on the hub, found and pinned: what the hub says, what this program makes of it, and each failure."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import HfApi, close_session, constants

from core.errors import ModelError
from core.models.fit import fit
from core.models.headers import Weights
from core.models.hub_files import fetch_tokenizer
from core.models.room import Room
from core.models.search import HubModel, Way, model_of, parse, resolve, search
from core.prompt.families import pinned
from core.worker.client import WorkerClient, library_worker
from core.worker.search_values import HubEntry
from tests.fakes.hub.server import COMMIT, FakeHub, Fault

TOKEN = "hf_not_for_the_log_0123456789"
CONFIG = {
    "model_type": "llama",
    "architectures": ["LlamaForCausalLM"],
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "hidden_size": 64,
    "max_position_embeddings": 2048,
}
FILES = {
    "config.json": json.dumps(CONFIG).encode(),
    "model.safetensors": b"w" * 2100,
    "tokenizer.json": b"t" * 50,
    "onnx/model.safetensors": b"o" * 9,
    "README.md": b"words",
}
COUNTED = {"BF16": 1000, "F32": 10}


def model(repo: str, downloads: int = 7, **more: Any) -> FakeHub:
    values = {"files": FILES, "licence": "apache-2.0", "languages": ("en", "de"), "parameters": COUNTED}
    return FakeHub(repo, downloads=downloads, **{**values, **more})


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[FakeHub]:
    for name in [name for name in os.environ if name.startswith("HF_") or name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HF_HOME", str(home / "hf"))
    made = model("org/name")
    made.others = (model("org/b", 3), model("org/SmolLM2-tiny", 900))
    with made.serve():
        yield made


def way(hub: FakeHub, token: str = "") -> Way:
    return Way(token, hub.address)


def asked(hub: FakeHub) -> list[str]:
    """The addresses, without their host."""
    return [one.path for one in hub.requests]


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


def test_words_are_found_the_most_downloaded_first(hub: FakeHub) -> None:
    told: list[tuple[str, str]] = []
    found = run(
        lambda library: search(library, "  org  / ", way(hub), limit=5, told=lambda *one: told.append(one))
    )
    assert [model.id for model in found] == ["org/SmolLM2-tiny", "org/name", "org/b"]
    assert told == [("127.0.0.1", "search org /")]
    assert asked(hub) == ["/api/models"]
    first = found[0]
    assert (first.family, first.unsupported, first.licence, first.languages) == (
        *("smollm2", "", "apache-2.0"),
        ("en", "de"),
    )
    assert first.weights == Weights(2040, dtypes=(("BF16", 2000), ("F32", 40)), exact=False)
    assert (first.revision, first.whole, first.specs.context_limit) == (COMMIT, False, None)
    assert (first.downloads, first.modified) == (900, 1772366400.0)
    assert found[1].unsupported == "family"  # a llama of no family


def test_nothing_is_asked_for_no_words(hub: FakeHub) -> None:
    assert run(lambda library: search(library, "  ", way(hub))) == ()
    assert hub.requests == []


def test_never_more_rows_than_were_asked_for(hub: FakeHub) -> None:
    hub.others = tuple(model(f"org/x-{n}", n) for n in range(500))

    async def main(library: WorkerClient) -> list[list[HubModel]]:
        return [list(await search(library, "x-", way(hub), limit=limit)) for limit in (3, 1000)]

    few, most = run(main)
    assert [one.id for one in few] == ["org/x-499", "org/x-498", "org/x-497"]
    assert len(most) == 100
    assert len(asked(hub)) == 2  # each is one page


def test_the_hub_that_is_asked_here_is_one_to_its_own_library(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_TELEMETRY", True)  # for which it would ask the real hub
    hub.others = tuple(model(f"org/x-{n}", n) for n in range(25))
    hub.page_rows = 10
    library = HfApi(endpoint=hub.address, token=False)
    found = list(library.list_models(search="x-", sort="downloads", expand=["sha", "gated", "safetensors"]))
    assert [one.id for one in found] == [f"org/x-{n}" for n in reversed(range(25))]
    assert len(asked(hub)) == 3
    assert {one.sha for one in found} == {COMMIT}
    assert found[0].safetensors is not None and found[0].safetensors.parameters == COUNTED
    assert (found[0].config, found[0].card_data) == (None, None)  # not asked for
    (first,) = library.list_models(search="x-24", full=True, cardData=True, fetch_config=True)
    assert first.siblings is not None and {one.rfilename for one in first.siblings} == set(FILES)
    assert (first.config or {}).keys() == {"model_type", "architectures"}  # a hub tells no more of it
    assert first.card_data is not None and first.card_data["license"] == "apache-2.0"
    close_session()


def test_one_model_is_pinned_with_its_own_config(hub: FakeHub) -> None:
    found: HubModel = run(lambda library: resolve(library, "org/SmolLM2-tiny", way(hub)))
    assert (found.revision, found.whole, found.config) == (COMMIT, True, CONFIG)
    assert (found.architectures, found.unsupported) == (("LlamaForCausalLM",), "")
    assert found.bytes == len(FILES["config.json"]) + 2100 + 50
    assert found.weights is not None and (found.weights.bytes, found.weights.files) == (2100, 1)
    assert found.specs.context_limit == 2048
    room = Room(device="cpu", memory=16 << 30)
    assert fit(found.config, found.weights, room).context == 2048
    assert not any(one.token for one in hub.requests)


def test_a_revision_that_is_said_or_known(hub: FakeHub) -> None:
    older, pin = "f" * 40, pinned("Qwen/Qwen3.5-0.8B")
    assert pin is not None
    hub.older = {older: FILES}
    hub.others = (model("Qwen/Qwen3.5-0.8B", older={pin.revision: FILES}),)

    async def main(library: WorkerClient) -> list[str]:
        texts = (f"org/name@{older}", f"{hub.address}/org/name/tree/main", "Qwen/Qwen3.5-0.8B")
        return [(await resolve(library, text, way(hub))).revision for text in texts]

    assert run(main) == [older, COMMIT, pin.revision]
    assert [path for path in asked(hub) if path.startswith("/api/")] == [
        f"/api/models/org/name/revision/{older}",
        "/api/models/org/name/revision/main",
        f"/api/models/Qwen/Qwen3.5-0.8B/revision/{pin.revision}",
    ]


def test_a_config_behind_a_gate_leaves_what_the_hub_tells(hub: FakeHub) -> None:
    hub.repo, hub.gated, hub.denied, hub.token = "org/smollm2", True, True, TOKEN
    found = run(lambda library: resolve(library, "org/smollm2", way(hub, TOKEN)))
    assert (found.gated, found.whole, found.model_type, found.revision) == (True, False, "llama", COMMIT)
    assert {one.token for one in hub.requests} == {f"Bearer {TOKEN}"}
    assert TOKEN not in repr(way(hub, TOKEN))


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
        (b"", 400, "hub.search_failed"),
        (b"", 429, "hub.rate_limit"),
        (b"", 503, "hub.server"),
    ],
    ids=["a page", "no list", "too much", "400", "429", "503"],
)
def test_what_went_wrong_with_a_search(hub: FakeHub, body: bytes, status: int, code: str) -> None:
    hub.page, hub.status = body, status
    assert fails(lambda library: search(library, "words", way(hub))).code == code


def test_a_hub_that_is_not_there_or_switched_off(hub: FakeHub) -> None:
    nobody = Way(endpoint="http://127.0.0.1:1")
    error = fails(lambda library: search(library, "words", nobody))
    assert (error.code, error.params) == ("hub.search_offline", {"words": "words"})
    assert fails(lambda library: resolve(library, "org/name", nobody)).code == "hub.offline"
    away = Way(endpoint="https://hub.invalid", offline=True)
    assert fails(lambda library: search(library, "words", away)).code == "hub.search_switched_off"
    assert fails(lambda library: resolve(library, "no name!", way(hub))).code == "hub.name"
    assert hub.requests == []


def test_h11_the_limit_of_an_answer_can_be_set(hub: FakeHub, home: Path) -> None:
    hub.faults = [Fault("stall", "api", times=9)]
    short = Way(endpoint=hub.address, seconds=0.3)
    error = fails(lambda library: search(library, "words", short))
    assert (error.code, error.detail) == ("hub.search_offline", "hub.stalled")
    asks = (
        lambda library: resolve(library, "org/name", short),
        lambda library: fetch_tokenizer(library, "org/name", "", home / "files", lambda *_: None, short),
    )
    for ask in asks:
        error = fails(ask)
        assert (error.code, error.params["seconds"]) == ("hub.stalled", 0)


def test_a_search_that_nobody_waits_for_any_more(hub: FakeHub) -> None:
    hub.faults = [Fault("stall", "api")]

    async def main(library: WorkerClient) -> str:
        first = asyncio.ensure_future(search(library, "slow", way(hub)))
        await asyncio.to_thread(hub.wait_until_it_holds)
        first.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await first
        assert first.cancelled()
        (found,) = await search(library, "tiny", way(hub))
        return str(found.id)

    assert run(main) == "org/SmolLM2-tiny"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (" Qwen/Qwen3.5-0.8B ", ("Qwen/Qwen3.5-0.8B", "")),
        ("org/name@main", ("org/name", "main")),
        ("gpt2", ("gpt2", "")),
        ("https://huggingface.co/org/name", ("org/name", "")),
        ("https://huggingface.co/org/name/tree/v2?x=1", ("org/name", "v2")),
        ("https://huggingface.co/gpt2", ("gpt2", "")),
        ("https://huggingface.co/org/name/blob/v2/config.json", ("org/name", "v2")),
        ("https://huggingface.co/org/name/tree/refs%2Fpr%2F1", ("org/name", "refs/pr/1")),
        ("huggingface.co/org/name/", ("org/name", "")),
        ("org.example/name-1.5@refs/pr/1", ("org.example/name-1.5", "refs/pr/1")),
        ("https://huggingface.co/datasets/org/name", None),
        ("https://huggingface.co", None),
        ("https://github.com/org/name", None),
        ("github.com/org/name", None),
        ("https://huggingface.co.example/org/name", None),
        ("two words", None),
        ("a/b/c", None),
        ("../up", None),
        ("org/na--me", None),
        ("", None),
    ],
)
def test_what_is_typed_or_pasted(text: str, meant: tuple[str, str] | None) -> None:
    assert parse(text) == meant


def test_an_address_of_the_hub_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    address = "http://127.0.0.1:8080/org/name"
    assert parse(address) is None
    assert parse(address, "http://127.0.0.1:8080") == ("org/name", "")
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:8080/")
    assert parse(address) == ("org/name", "")


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
