"""Every template of every family that is claimed, rendered against the family's real vocabulary."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import pytest
from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

from core.errors import ModelError
from core.models.folder import read_folder
from core.prompt.base import TEMPLATE, ChatMessage
from core.prompt.families import Family as Known
from core.prompt.families import families, family_of, pinned
from tests.conftest import test_cache
from tests.core.prompt.conftest import KNOWN, Family, Prompts, family_folder
from tests.reference.vocabularies import chat_template

SAY = [ChatMessage("system", "Be brief."), ChatMessage("user", "Hi 日本 👩‍🚀")]
TALK = [
    ChatMessage("system", "Be brief."),
    ChatMessage("user", "What is\u00a0the capital?\n\n  1. of France 👩‍🚀"),
    ChatMessage("assistant", "Paris — 巴黎."),
    ChatMessage("user", "And of 日本? 🇯🇵"),
]
_CHATML = (
    "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi 日本 👩‍🚀<|im_end|>\n"
    "<|im_start|>assistant\n"
)
_GEMMA = "<bos><|turn>system\nBe brief.<turn|>\n<|turn>user\nHi 日本 👩‍🚀<turn|>\n<|turn>model\n"
_GEMMA_THINKS = _GEMMA.replace("Be", "<|think|>\nBe")
_HEADS = "<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nHi 日本 👩‍🚀<|eot_id|>"
_OFF = "<think>\n\n</think>\n\n"
# (family, template) → SAY as it must come out: by default, with thinking, without; None: there is no switch
CLAIMS: dict[tuple[str, str], tuple[str, str | None, str | None]] = {
    ("smollm2", ""): (_CHATML, None, None),
    ("qwen3.5", "qwen3_5_think"): (_CHATML + "<think>\n", _CHATML + "<think>\n", _CHATML + _OFF),
    ("qwen3.5", "qwen3_5_nothink"): (_CHATML + _OFF, _CHATML + "<think>\n", _CHATML + _OFF),
    ("qwen3.5", "qwen3_6"): (_CHATML + "<think>\n", _CHATML + "<think>\n", _CHATML + _OFF),
    ("qwen3", "qwen3"): (_CHATML, _CHATML, _CHATML + _OFF),
    ("qwen3", "qwen3_instruct_2507"): (_CHATML, None, None),
    ("gemma4", "gemma4"): (_GEMMA, _GEMMA_THINKS, _GEMMA),
    ("gemma4", "gemma4_v2"): (_GEMMA, _GEMMA_THINKS.replace("|>\nBe", "|>Be"), _GEMMA),
    ("gemma4", "gemma4_v3"): (_GEMMA, _GEMMA_THINKS, _GEMMA),
    ("gemma4", "gemma4_v4"): (_GEMMA, _GEMMA_THINKS, _GEMMA),
    ("gemma4", "gemma4_v5"): (_GEMMA, _GEMMA_THINKS, _GEMMA),
    ("gemma3", "gemma3"): (
        "<bos><start_of_turn>user\nBe brief.\n\nHi 日本 👩‍🚀<end_of_turn>\n<start_of_turn>model\n",
        None,
        None,
    ),
    ("llama3.1", "llama3_1"): (
        "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\n"
        "Cutting Knowledge Date: December 2023\nToday Date: 26 Jul 2024\n\nBe brief."
        + _HEADS
        + "<|start_header_id|>assistant<|end_header_id|>\n\n",
        None,
        None,
    ),
}


class Claim:
    """A family's tokenizer with one of its templates, open in the worker."""

    def __init__(self, family: Family, template: str) -> None:
        self.family, self.template, self.prompts = family, template, family.prompts
        self.known = KNOWN[family.name]
        self.text = (family.folder / "chat_template.jinja").read_text(encoding="utf-8")

    def rendered(self, messages: Sequence[ChatMessage], **values: Any) -> str:
        """By Jinja itself, with what a chat template may use: not through the worker."""

        def refuse(message: str) -> NoReturn:
            raise ValueError(message)

        environment = ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols]
        )
        environment.globals["raise_exception"] = refuse
        config = json.loads((self.family.folder / "tokenizer_config.json").read_text(encoding="utf-8"))
        specials = {key: value for key, value in config.items() if key in ("bos_token", "eos_token")}
        turns = [{"role": message.role, "content": message.content} for message in messages]
        template = environment.from_string(self.text)
        return template.render(messages=turns, add_generation_prompt=True, **specials, **values)


@pytest.fixture(scope="module", params=list(CLAIMS), ids="-".join)
def claim(
    request: pytest.FixtureRequest, prompts: Prompts, tmp_path_factory: pytest.TempPathFactory
) -> Claim:
    name, template = request.param
    source = family_folder(name, request)
    if not template:
        return Claim(Family(name, source, prompts), template)
    folder = tmp_path_factory.mktemp(template)
    for file in ("tokenizer.json", "tokenizer_config.json"):
        (folder / file).symlink_to(source / file)
    (folder / "chat_template.jinja").write_text(chat_template(template, test_cache()), encoding="utf-8")
    return Claim(Family(name, folder, prompts), template)


def test_every_family_has_a_claim_and_every_claim_a_family() -> None:
    assert {name for name, _ in CLAIMS} == set(KNOWN)


def test_the_prompt_is_what_the_family_wants(claim: Claim) -> None:
    default, on, off = CLAIMS[claim.family.name, claim.template]
    assert claim.prompts.render(SAY).text == default
    assert claim.family.ready.thinking_switch is (on is not None)
    for thinking, expected in ((True, on), (False, off)):
        if expected is not None:
            prompt = claim.prompts.render(SAY, thinking=thinking)
            assert prompt.text == expected
            assert prompt.thinking_open is prompt.text.endswith("<think>\n")


@pytest.mark.parametrize("messages", [SAY, TALK, TALK[1:]], ids=["one", "turns", "no system"])
def test_ids_are_the_tokenizer_applied_to_the_rendered_text(
    claim: Claim, messages: list[ChatMessage]
) -> None:
    prompt = claim.prompts.render(messages)
    assert prompt.text == claim.rendered(messages)
    assert list(prompt.ids) == claim.family.ids(prompt.text)
    assert claim.family.decoded(prompt.ids) == prompt.text
    assert (prompt.typed_special, prompt.bos_removed) == ((), 0)


def test_every_token_knows_where_it_came_from(claim: Claim) -> None:
    prompt = claim.prompts.render(TALK)
    parts = list(zip(prompt.ids, prompt.origins, strict=True))
    for index, message in enumerate(TALK):
        own = [token for token, origin in parts if origin == index]
        assert claim.family.decoded(own).strip() == message.content
    rest = claim.family.decoded([token for token, origin in parts if origin == TEMPLATE])
    assert not any(message.content in rest for message in TALK)


def test_earlier_thinking_is_dropped(claim: Claim) -> None:
    if claim.known.thinking is None or claim.template == "qwen3_instruct_2507":
        return  # nothing to drop: the model does not think
    begin, end = claim.known.thinking
    thought = ChatMessage("assistant", f"{begin}\nsecret\n{end}\n\nParis.")
    prompt = claim.prompts.render([TALK[1], thought, TALK[3]])
    assert "secret" not in prompt.text
    assert "Paris." in prompt.text
    assert list(prompt.ids) == claim.family.ids(prompt.text)


def test_typed_specials_are_marked(claim: Claim) -> None:
    """As the engine that serves the model would read them, and said."""
    for stop in claim.known.stops:
        prompt = claim.prompts.render([f"before {stop} after"])
        (position,) = prompt.typed_special
        assert prompt.ids[position] == claim.family.own.token_to_id(stop)
        assert prompt.origins[position] == 0


def test_what_the_file_names_is_one_token_each(claim: Claim) -> None:
    for stop in claim.known.stops:
        assert len(claim.family.ids(stop)) == 1
    for placeholder in claim.known.media.values():
        assert len(claim.family.ids(placeholder.token)) == 1
        assert placeholder.text.count(placeholder.token) == 1
        assert placeholder.text in claim.text


# --- the file, and folders ------------------------------------------------------------------------------


def name_for(known: Known) -> str:
    return f"Some-{known.name_contains[0]}-1B" if known.name_contains else "some-model"


@pytest.mark.parametrize("known", families(), ids=lambda known: known.name)
def test_a_family_is_found_by_type_and_name(known: Known) -> None:
    for model_type in known.model_types:
        assert family_of(model_type, name_for(known)) is known
    if known.name_contains:
        assert family_of(known.model_types[0], "some-model") is None
    for pin in known.pinned:
        assert pinned(pin.model) is pin
        assert len(pin.revision) == 40
        assert isinstance(json.loads(pin.speculative), dict)


def test_real_names_find_their_family_and_strangers_none() -> None:
    found = {
        ("llama", "meta-llama/Llama-3.1-8B-Instruct"): "llama3.1",
        ("llama", "meta-llama/Meta-Llama-3.1-70B-Instruct"): "llama3.1",
        ("llama", "HuggingFaceTB/SmolLM2-135M-Instruct"): "smollm2",
        ("qwen3_5", "Qwen/Qwen3.5-0.8B"): "qwen3.5",
        ("gemma4", "google/gemma-4-E2B-it"): "gemma4",
    }
    for (model_type, name), family in found.items():
        known = family_of(model_type, name)
        assert known is not None
        assert known.name == family
    for model_type, name in (
        ("llama", "meta-llama/Llama-3.2-1B-Instruct"),
        ("qwen2", "deepseek-ai/DeepSeek-R1-Distill-Qwen-7B"),
        ("mistral", "mistralai/Mistral-7B-Instruct-v0.3"),
        ("", ""),
    ):
        assert family_of(model_type, name) is None
    assert pinned("somebody/else") is None


def small_files(known: Known, folder: Path, request: pytest.FixtureRequest) -> Path:
    """What is fetched of a served model: no weights."""
    path = folder / name_for(known)
    path.mkdir()
    source = family_folder(known.name, request)
    for file in ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja"):
        (path / file).symlink_to(source / file)
    (path / "config.json").write_text(json.dumps({"model_type": known.model_types[0]}))
    return path


@pytest.mark.parametrize("known", families(), ids=lambda known: known.name)
def test_a_folder_without_weights_is_enough(
    known: Known, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    path = small_files(known, tmp_path, request)
    assert read_folder(path, weights=False).family is known
    with pytest.raises(ModelError) as refused:
        read_folder(path)
    assert refused.value.code == "model.no_safetensors"


@pytest.mark.parametrize("known", families(), ids=lambda known: known.name)
def test_code_of_a_folder_is_never_run(
    known: Known, tmp_path: Path, request: pytest.FixtureRequest, prompts: Prompts
) -> None:
    """Opened without it or not at all; a stranger with weights is refused at once."""
    path = small_files(known, tmp_path, request)
    ran = tmp_path / "ran"
    (path / "trap.py").write_text(f"open({str(ran)!r}, 'w')\nclass Trap: ...\n")
    traps = {"auto_map": {"AutoTokenizer": ["trap.Trap", None]}, "tokenizer_class": "Trap"}
    (path / "tokenizer_config.json").unlink()
    (path / "tokenizer_config.json").write_text(json.dumps(traps))
    for model_type in (known.model_types[0], "zebramoon"):
        (path / "config.json").write_text(json.dumps(traps | {"model_type": model_type}))
        with contextlib.suppress(ModelError):
            prompts.open(path)
        assert not ran.exists()
    (path / "model.safetensors").touch()
    with pytest.raises(ModelError) as refused:
        read_folder(path)
    assert refused.value.code == "model.remote_code"
