"""The server host: connecting, the model to begin with, where its files are."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer
from tokenizers.processors import TemplateProcessing

from core.engines.state import Phase
from core.engines.vllm.host import Served, ServerChoice, Source
from core.errors import EngineError, ModelError
from core.models.folder import read_folder
from core.models.ledger import Permit
from core.prompt.base import ChatMessage, PromptOptions
from core.prompt.families import pinned
from core.worker.client import WorkerClient
from tests.core.engines.vllm.desk import CJK_IDS, GREEDY, HELLO, Desk, a_server, fails, run
from tests.fakes.server_tokenizer import TINY, ServerTokenizer

ELSEWHERE = "/of/theirs"


def test_a_server_whose_folder_can_be_read_here() -> None:
    async def use(desk: Desk) -> None:
        host = desk.host
        with pytest.raises(EngineError):
            host.info  # noqa: B018
        await desk.open()
        assert desk.phases == [Phase.CONNECTING, Phase.LOADING, Phase.READY]
        state = host.state
        assert (state.model, state.address, state.engine) == ("tiny", desk.fake.address, "vllm")
        files = read_folder(TINY, weights=False)
        assert host.source == Source("folder", str(TINY), files.revision, assumed=True)
        info = host.info
        assert state.info == info
        assert (info.engine, info.model, info.version) == ("vllm", "tiny", "0.32.0")
        assert (info.route, info.numbers, info.revision) == ("completions", "raw_logprobs", files.revision)
        assert info.recommended == files.recommended
        assert host.has_template and not host.thinking_switch
        assert host.vocabulary is not None and host.vocabulary_path is not None
        finished = await desk.ask()
        assert (desk.ids, finished.reason) == (CJK_IDS, "stop")
        assert "text_from_server" not in finished.notes
        await host.leave()
        assert (host.state.phase, host.vocabulary) == (Phase.ABSENT, None)
        await fails(host.render(HELLO, PromptOptions()), "engine.no_model")

    run(a_server(), use)


def test_the_offline_switch_keeps_from_other_computers_only() -> None:
    async def use(desk: Desk) -> None:
        elsewhere = desk.host.open(ServerChoice("http://198.51.100.7:8000"))
        await fails(elsewhere, "server.switched_off")
        assert desk.host.state.phase is Phase.FAILED
        await desk.open()
        assert desk.host.state.phase is Phase.READY

    run(a_server(), use, permit=Permit(None, lambda: True))


def test_m03_any_form_of_the_address_and_no_server() -> None:
    async def use(desk: Desk) -> None:
        for form in ("", "/", "/v1", "/v1/", "/v1/models"):
            await desk.host.open(ServerChoice(desk.fake.address + form))
            assert desk.host.state.address == desk.fake.address
        desk.fake.vllm = False
        await fails(desk.open(), "server.no_models")
        assert (desk.host.state.phase, desk.host.served) == (Phase.FAILED, ())
        await fails(desk.host.open(ServerChoice("http://a b")), "server.address")

    run(a_server(prefix="/behind/it"), use)


def test_v18_health_answers_before_the_model_does() -> None:
    async def use(desk: Desk) -> None:
        desk.fake.lists = desk.fake.generates = False
        await fails(desk.open(), "server.no_models")
        desk.fake.lists = True
        failure = await fails(desk.open(), "server.refused")
        assert (failure.params["status"], desk.host.state.phase) == (503, Phase.FAILED)
        assert Phase.READY not in desk.phases
        desk.fake.generates = True
        await desk.open()
        assert desk.host.state.phase is Phase.READY

    run(a_server(), use)


def _config(folder: Path, model_type: str) -> str:
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"model_type": model_type}), encoding="utf-8")
    return str(folder)


def test_every_model_is_listed_with_what_its_config_says(tmp_path: Path) -> None:
    strange = _config(tmp_path / "strange", "strange")
    known = _config(tmp_path / "Qwen3-tiny", "qwen3")
    others = {"known": known, "far": ELSEWHERE, "Qwen/Qwen3.5-0.8B": "Qwen/Qwen3.5-0.8B"}

    async def use(desk: Desk) -> None:
        await fails(desk.open(), "model.no_tokenizer")  # the first supported one was tried
        assert desk.host.state.model == "known"
        assert desk.host.served == (
            Served("tiny", strange, "", False, "family_unknown", "strange"),
            Served("known", known, "qwen3", True, "", "qwen3"),
            Served("far", ELSEWHERE),
            Served("Qwen/Qwen3.5-0.8B", "Qwen/Qwen3.5-0.8B", "qwen3.5", True),
        )
        desk.fake.others = {"far": ELSEWHERE}
        await fails(desk.open(), "server.files_unknown")  # else the first that may be
        assert desk.host.state.model == "far"
        desk.fake.others = {}
        failure = await fails(desk.open(), "server.unsupported")
        assert failure.params == {"model": "tiny", "type": "strange"}
        state = desk.host.state
        assert (state.phase, state.model, state.error) == (Phase.FAILED, "tiny", failure)
        assert desk.host.served[0].supported is False  # and what was found stays
        await fails(desk.open(files=strange), "model.no_tokenizer")  # who names its files wants it knowingly
        failure = await fails(desk.open("nope"), "server.model")
        assert failure.params["served"] == "tiny"

    run(a_server(root=strange, others=others), use)


def test_what_was_found_stays_while_the_person_is_asked_for_files(tmp_path: Path) -> None:
    async def use(desk: Desk) -> None:
        failure = await fails(desk.open(), "server.files_unknown")
        assert failure.params == {"model": "tiny", "root": ELSEWHERE}
        host = desk.host
        assert (host.state.phase, host.state.error, host.source) == (Phase.FAILED, failure, None)
        assert host.capabilities is not None and host.served == (Served("tiny", ELSEWHERE),)
        before = len(desk.fake.calls)
        await desk.open(files=str(TINY))
        assert host.source is not None and host.source.kind == "folder"
        assert host.served[0].model_type == "llama"
        assert not any(
            call.path == "/v1/completions" for call in desk.fake.calls[before:]
        )  # not probed again
        await fails(desk.open(files=str(tmp_path / "none")), "model.not_found")

    run(a_server(root=ELSEWHERE), use)


class Hub:
    """Stands in for the hub: the tiny model's files, whatever is asked for."""

    def __init__(self, error: ModelError | None = None) -> None:
        self.asked: list[tuple[str, str]] = []
        self.waits: asyncio.Event | None = None
        self._error = error

    async def fetch(
        self, library: WorkerClient, repo: str, revision: str, into: Path, told: Callable[[int, int], None]
    ) -> Path:
        self.asked.append((repo, revision))
        told(5, 10)
        if self.waits is not None:
            await self.waits.wait()
        if self._error is not None:
            raise self._error
        pin, folder = pinned(repo), into / "fetched"
        shutil.copytree(TINY, folder, dirs_exist_ok=True)
        if pin is not None:  # with its own type
            (folder / "config.json").write_text('{"model_type": "gemma4"}', encoding="utf-8")
        return folder


@pytest.mark.parametrize(
    ("root", "files", "asked", "assumed"),
    [
        ("org/smollm2", "", ("org/smollm2", ""), True),
        (ELSEWHERE, "org/name", ("org/name", ""), True),
        (ELSEWHERE, "org/name@v2", ("org/name", "v2"), True),
        ("google/gemma-4-E2B-it", "", ("google/gemma-4-E2B-it", ""), False),
    ],
)
def test_files_of_the_hub(root: str, files: str, asked: tuple[str, str], assumed: bool) -> None:
    hub = Hub()
    pin = pinned(asked[0])

    async def use(desk: Desk) -> None:
        await desk.open(files=files)
        assert desk.phases == [Phase.CONNECTING, Phase.FETCHING, Phase.LOADING, Phase.READY]
        assert any((state.done, state.total) == (5, 10) for state in desk.states)
        assert hub.asked == [(asked[0], pin.revision if pin else asked[1])]
        source = desk.host.source
        assert source is not None
        assert (source.kind, source.place, source.assumed) == ("hub", asked[0], assumed)
        assert source.revision == desk.host.info.revision != ""
        if pin is not None:
            assert source.revision == pin.revision

    run(a_server(root=root), use, fetch=hub.fetch)


def test_a_model_of_the_hub_that_is_not_known() -> None:
    """Told by its config; who names its files wants it knowingly."""
    hub = Hub()

    async def use(desk: Desk) -> None:
        failure = await fails(desk.open(), "server.unsupported")
        assert failure.params == {"model": "tiny", "type": "llama"}
        assert Phase.LOADING not in desk.phases
        assert desk.host.served[0].why == "family_unknown"
        await desk.open(files="org/name")
        assert desk.host.state.phase is Phase.READY

    run(a_server(root="org/name"), use, fetch=hub.fetch)


@pytest.mark.parametrize(("block_size", "version"), [(128, "0.32.0"), (16, "0.32.0"), (128, "0.33.0")])
def test_a_prompt_of_one_token_never_goes_to_a_server_that_dies_of_it(
    block_size: int, version: str, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(TINY, tmp_path / "Qwen3.5-tiny"))
    (folder / "config.json").write_text('{"model_type": "qwen3_5"}', encoding="utf-8")

    async def use(desk: Desk) -> None:
        await desk.open()
        assert desk.host.family is not None and desk.host.family.name == "qwen3.5"
        before = len(desk.fake.asked)
        short = desk.host.generate([5], GREEDY, top_candidates=5)
        if (block_size, version) == (128, "0.32.0"):
            failure = await fails(anext(short), "server.limit")
            assert (failure.params["name"], failure.params["value"]) == ("prompt tokens", "1")
            assert "one token" in failure.detail
            assert len(desk.fake.asked) == before
        else:
            assert await anext(short)
        await short.aclose()
        await desk.ask()
        assert desk.ids == CJK_IDS

    run(a_server(root=str(folder), block_size=block_size, version=version), use)


def test_a_fetch_that_fails_or_is_given_up() -> None:
    hub = Hub(ModelError("hub.offline"))

    async def use(desk: Desk) -> None:
        await fails(desk.open(), "hub.offline")
        assert desk.host.state.phase is Phase.FAILED
        hub.waits = asyncio.Event()
        attempt = asyncio.ensure_future(desk.open())
        await desk.until(Phase.FETCHING)
        attempt.cancel()
        await asyncio.wait([attempt])
        assert (attempt.cancelled(), desk.host.state.phase) == (True, Phase.ABSENT)

    run(a_server(root="org/name"), use, fetch=hub.fetch)


@pytest.mark.parametrize("path", ["/v1/models", "/v1/completions", "/tokenize"])
def test_giving_up_while_it_connects(path: str) -> None:
    async def use(desk: Desk) -> None:
        asked, wait = asyncio.Event(), asyncio.Event()
        answer = desk.fake._answer

        async def slow(call: Any, reader: Any, writer: Any) -> bool:
            if call.path == path:
                asked.set()
                await wait.wait()
            return await answer(call, reader, writer)

        desk.fake._answer = slow  # type: ignore[method-assign]
        attempt = asyncio.ensure_future(desk.open())
        await asked.wait()
        attempt.cancel()
        await asyncio.wait([attempt])
        wait.set()
        assert (attempt.cancelled(), desk.host.state.phase) == (True, Phase.ABSENT)
        await desk.open()
        assert desk.host.state.phase is Phase.READY

    run(a_server(), use)


def test_the_first_prompt_is_held_against_the_servers_tokenizer() -> None:
    async def use(desk: Desk) -> None:
        await desk.open()
        assert desk.host.compared is None
        desk.fake.tokenizer = None  # which makes 11, 12, 13 of everything
        for _ in range(2):  # never ignored
            await fails(desk.host.render(HELLO, PromptOptions()), "server.prompt_differs")
        typed = (ChatMessage("user", "<|end|>"),)
        await desk.host.render(typed, PromptOptions())  # special tokens a person typed: read otherwise there
        desk.fake.tokenizer = a_server().tokenizer
        await desk.host.render(HELLO, PromptOptions())
        assert desk.host.compared is True
        before = len(desk.fake.calls)
        await desk.host.render(HELLO, PromptOptions())
        assert len(desk.fake.calls) == before

    run(a_server(), use)


def test_another_server_before_the_first_prompt_is_no_matter_of_tokenizers() -> None:
    async def use(desk: Desk) -> None:
        await desk.open()
        desk.fake.tokenizer, desk.fake.model, desk.fake.start = None, "other", desk.fake.start + 60
        await fails(desk.host.render(HELLO, PromptOptions()), "server.changed")
        assert desk.host.state.phase is Phase.LOST

    run(a_server(), use)


def test_a_begin_token_that_the_template_leaves_to_the_tokenizer(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(TINY, tmp_path / "smollm2"))
    template = folder / "chat_template.jinja"
    template.write_text(
        template.read_text(encoding="utf-8").replace("{{ '<|begin|>' }}", ""), encoding="utf-8"
    )
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.post_processor = TemplateProcessing("<|begin|> $A", special_tokens=[("<|begin|>", 305)])
    tokenizer.save(str(folder / "tokenizer.json"))

    async def use(desk: Desk) -> None:
        await desk.open()
        prompt = await desk.host.render(HELLO, PromptOptions())
        assert (prompt.ids[0], prompt.text.startswith("<|begin|>"), desk.host.compared) == (305, False, True)

    run(a_server(root=str(folder), tokenizer=ServerTokenizer(folder)), use)


def test_asking_anew_what_it_can_tell() -> None:
    async def use(desk: Desk) -> None:
        await desk.open()
        desk.fake.mode = "raw_logits"
        found = await desk.host.ask_again()
        assert found is desk.host.capabilities and found.mode.value == "raw_logits"
        assert desk.host.state.info is not None and desk.host.state.info.numbers == "raw_logits"

    run(a_server(), use)


def test_a_worker_that_was_lost_is_started_again() -> None:
    async def use(desk: Desk) -> None:
        await desk.open()
        lost = asyncio.Event()
        desk.worker.lost.connect(lambda _: lost.set())
        assert desk.worker._process is not None
        desk.worker._process.kill()
        await lost.wait()
        assert len((await desk.host.render(HELLO, PromptOptions())).ids) > 2

    run(a_server(), use, worker=WorkerClient())
