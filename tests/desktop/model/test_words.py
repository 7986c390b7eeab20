"""The words of the Model tab: something for every case, and nothing that is not known."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from core.engines.abilities import NAMES, Ability, Why
from core.engines.base import EngineInfo
from core.engines.state import EngineState, Phase
from core.engines.vllm.choice import Source
from core.models.specs import Specs
from desktop.model import facts, words
from desktop.model.values import Known, Origin, Speed
from tests.desktop.model.pages import COMMIT, NOW, local, server


@pytest.mark.parametrize("why", list(Why))
def test_every_reason_has_a_sentence(why: Why) -> None:
    text = words.why(Ability("rank", "yes", why, (1234, 5678)))
    assert text and "{" not in text
    assert not text.endswith(".") and text == text.strip()


def test_every_line_and_answer_has_a_name() -> None:
    titles = [words.title(name) for name in NAMES]
    assert all(titles) and len(set(titles)) == len(titles)
    assert len({words.answer(answer) for answer in ("yes", "no", "unknown", "none")}) == 4


def test_when_it_was_asked() -> None:
    for seconds, shown in (
        (-5, "just now"), (59, "just now"), (60, "1 min ago"), (725, "12 min ago"), (7199, "119 min ago"),
        (7200, "2 h ago"), (47 * 3600, "47 h ago"), (50 * 3600, "2 days ago"),
    ):  # fmt: skip
        assert words.since(NOW - seconds, NOW) == shown
    assert words.asked(server(), NOW) == "asked 12 min ago with one-token requests"
    assert "few tokens" in words.asked(server(speculative=True), NOW)
    assert words.asked(local(), NOW) == "known without asking"


def test_an_old_server_and_one_that_is_gone_are_told() -> None:
    assert words.notes(server()) == [] and words.notes(local()) == []
    assert "0.31.1 is older than 0.32" in words.notes(server(version="0.31.1"))[0]
    assert "does not tell its version" in words.notes(server(version=None))[0]
    gone = server(version="0.31.1", phase=Phase.LOST)
    assert [note.split(".")[0] for note in words.notes(gone)] == ["The server is gone", "vLLM 0"]


def shown(found: list[facts.Fact]) -> dict[str, str]:
    return {fact.name: fact.value for fact in found}


def test_what_a_server_does_not_tell_is_said_and_not_made_up() -> None:
    page = server()
    card = shown(facts.engine(page, NOW))
    assert card["Version"] == "vLLM 0.32.0" and card["Started by"] == "somebody else, 2 h ago"
    assert card["KV cache"] == "not told by the server"
    assert (card["Log probabilities"], card["Route"]) == ("raw_logprobs", "/v1/completions")
    model = shown(facts.model(page))
    assert model["Weights"] == "on the server only"
    assert (model["Revision"], model["Kind"]) == (COMMIT[:7], "qwen3.5, text and images")
    assert (model["Layers"], model["Context"]) == ("6 attention, 18 linear", "512 of 262,144")
    whole = facts.overview(page)
    assert not {"Parameters", "Precision", "Device"} & set(shown(whole))
    assert shown(whole)["Revision"] == COMMIT
    assert [fact.told for fact in facts.not_told_by_servers()] == [False] * 3


def test_little_is_known_of_a_server_whose_files_were_not_found() -> None:
    page = server(mode="processed_logits", version=None, info=None, source=None, specs=None, family="")
    assert shown(facts.engine(page, NOW))["Version"] == "not told by the server"
    assert shown(facts.model(page)) == {
        "Revision": "not told by the server",
        "Context": "not told by the server",
        "Weights": "on the server only",
    }
    assert facts.tokenizer(page) == []
    broken = shown(facts.engine(server(broken_numbers=True), NOW))
    assert broken["Log probabilities"] == "none"


def test_the_built_in_engine() -> None:
    page = local()
    card = shown(facts.engine(page, NOW))
    assert card == {"Engine": "Built-in", "Device": "CPU", "Threads": "2",
                    "Precision": "bfloat16 (native on this device)"}  # fmt: skip
    whole = shown(facts.overview(page))
    assert (whole["Parameters"], whole["On disk"]) == ("134,515,008", "269 MB")
    assert (whole["Heads"], whole["Width"], whole["Licence"]) == (
        "9, 3 for keys and values",
        "576",
        "Apache-2.0",
    )
    assert shown(facts.tokenizer(page)) == {"From": "the model’s own folder"}
    plain = local(info=EngineInfo("local", "tiny"), specs=None, origin=Origin())
    assert set(shown(facts.overview(plain))) == {"Name", "Kind"}
    assert facts.overview(local(info=None, specs=None, origin=Origin(), family="")) == []


def test_the_persons_name_stays_out_of_paths() -> None:
    assert facts.home(str(Path.home() / "models" / "qwen")) == str(Path("~/models/qwen"))
    assert facts.home("/opt/models") == "/opt/models"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (Source("hub", "Qwen/Qwen3.5-0.8B", COMMIT), {"From": "Qwen/Qwen3.5-0.8B", "Commit": COMMIT}),
        (Source("folder", "/opt/models"), {"From": "/opt/models"}),
        (Source("server", "server"), {"From": "text from the server (/tokenize, /detokenize)"}),
    ],
)
def test_where_the_tokenizer_is_from(source: Source, found: dict[str, str]) -> None:
    assert shown(facts.tokenizer(server(source=source))) == found


def test_an_assumed_commit_is_marked() -> None:
    page = server(source=Source("hub", "Qwen/Qwen3.5-0.8B", COMMIT, assumed=True))
    assert shown(facts.model(page))["Revision"] == f"{COMMIT[:7]} (assumed)"


@pytest.mark.parametrize(
    ("specs", "kind"),
    [
        (Specs("a"), "text"),
        (Specs("a", images=True), "text and images"),
        (Specs("a", sound=True), "text and sound"),
        (Specs("a", images=True, sound=True), "text, images and sound"),
    ],
)
def test_what_a_model_reads(specs: Specs, kind: str) -> None:
    assert shown(facts.model(local(specs=specs, family="")))["Kind"] == f"a, {kind}"


def test_layers_of_other_kinds_have_their_own_words() -> None:
    specs = Specs("a", layers=5, kinds=(("full_attention", 1), ("mamba", 4)))
    assert shown(facts.model(local(specs=specs)))["Layers"] == "1 attention, 4 mamba"
    assert shown(facts.model(local()))["Layers"] == "30"


def test_speed_only_of_what_was_measured() -> None:
    assert facts.speed(local(speed=Speed())) == [] and facts.measured(local(speed=Speed())) == ""
    assert facts.speed(local(speed=Speed(28.44, 120.0, 1))) == [("28.4", "tok/s"), ("0.12 s", "first token")]
    assert [value for value, _ in facts.speed(local(speed=Speed(None, None, 1)))] == ["—", "—"]
    assert facts.measured(local(speed=Speed(answers=1))) == "last answer"
    assert facts.measured(local(speed=Speed(answers=3))) == "last of 3 answers"


def test_the_text_has_every_line_and_no_address_of_others() -> None:
    page = server()
    text = facts.as_text(page, NOW)
    for line in page.lines:
        assert words.title(line.name) in text and words.why(line) in text and line.flag in text
        assert line.evidence in text
    assert "127.0.0.1:" in text  # this computer's own
    for address in (
        "https://gpu.example.org:8000/vllm",
        "http://10.1.2.3:8000",
        "http://[fd00::7]:80",
        "http://box:1",
    ):
        assert page.found is not None
        away = msgspec.structs.replace(page.found, address=address)
        told = facts.as_text(server(found=away), NOW)
        assert address.partition("://")[2] not in told and "Address: (left out)" in told
        assert "example.org" not in told and "10.1.2.3" not in told


def test_the_state_alone_is_no_page() -> None:
    assert not Known(EngineState(Phase.CONNECTING, "tiny", engine="vllm")).some
    assert server().some and server().ready and local().some
