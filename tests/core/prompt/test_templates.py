"""Templates: one begin token, refusals with a way out, origins of every id, typed special tokens, exact
text."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from core.errors import ModelError, PromptError
from core.prompt.base import TEMPLATE, ChatMessage
from core.tokens.vocabulary import Vocabulary
from tests.core.prompt.conftest import KNOWN, Family, Prompts

CASES = Path(__file__).parents[2] / "cases"
TINY = CASES / "models" / "tiny"


def tiny(tmp_path: Path, template: str | None) -> Path:
    """The tiny model's tokenizer, made to add a begin token, with another template; None: without any."""
    folder = tmp_path / "model"
    shutil.copytree(TINY, folder)
    (folder / "chat_template.jinja").unlink()
    if template is not None:
        text = (CASES / "templates" / template).read_text() if template.endswith(".jinja") else template
        (folder / "chat_template.jinja").write_text(text)
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    begin = {"id": "<|begin|>", "ids": [305], "tokens": ["<|begin|>"]}
    tokenizer["post_processor"] = {
        "type": "TemplateProcessing",
        "single": [
            {"SpecialToken": {"id": "<|begin|>", "type_id": 0}},
            {"Sequence": {"id": "A", "type_id": 0}},
        ],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {"<|begin|>": begin},
    }
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    return folder


def system(text: str) -> ChatMessage:
    return ChatMessage("system", text)


def test_t15_exactly_one_begin_token(prompts: Prompts, tmp_path: Path) -> None:
    """The template writes one, and the tokenizer would add another."""
    ready = prompts.open(tiny(tmp_path, "bos_template.jinja"))
    assert ready.bos_id is not None
    prompt = prompts.render(["hello"])
    assert list(prompt.ids).count(ready.bos_id) == 1
    assert prompt.ids[0] == ready.bos_id


def test_t15_a_template_that_doubles_it_is_noticed(prompts: Prompts, tmp_path: Path) -> None:
    ready = prompts.open(tiny(tmp_path, "{{ bos_token }}{{ bos_token }}{{ messages[0].content }}"))
    prompt = prompts.render(["hello"])
    assert list(prompt.ids).count(ready.bos_id) == 1
    assert prompt.bos_removed == 1
    assert len(prompt.ids) == len(prompt.origins)


def test_t15_one_that_the_template_forgot_is_added(prompts: Prompts, tmp_path: Path) -> None:
    """The tokenizer says that its model wants one."""
    ready = prompts.open(tiny(tmp_path, "{{ messages[0].content }}"))
    prompt = prompts.render(["hello"])
    assert list(prompt.ids).count(ready.bos_id) == 1
    assert (prompt.ids[0], prompt.origins[0]) == (ready.bos_id, TEMPLATE)


def test_t15_a_typed_begin_token_stays(prompts: Prompts, tmp_path: Path) -> None:
    ready = prompts.open(tiny(tmp_path, "{{ bos_token }}{{ messages[0].content }}"))
    prompt = prompts.render(["<|begin|>hello"])
    assert list(prompt.ids[:2]) == [ready.bos_id, ready.bos_id]
    assert prompt.typed_special == (1,)
    assert prompt.bos_removed == 0


def test_t22_a_refused_system_message_is_said_and_can_be_folded_in(prompts: Prompts, tmp_path: Path) -> None:
    prompts.open(tiny(tmp_path, "no_system.jinja"))
    messages = [system("Be brief."), ChatMessage("user", "hello")]
    with pytest.raises(PromptError) as refused:
        prompts.render(messages)
    assert refused.value.code == "prompt.no_system_role"
    assert "takes no system message" in refused.value.detail
    folded = prompts.render(messages, fold_system=True)
    assert "Be brief.\n\nhello" in folded.text
    assert set(folded.origins) == {TEMPLATE, 1}


def test_t23_roles_that_do_not_alternate_are_named(prompts: Prompts, tmp_path: Path) -> None:
    prompts.open(tiny(tmp_path, "alternate.jinja"))
    with pytest.raises(PromptError) as refused:
        prompts.render(["one", "two"])
    assert refused.value.code == "prompt.roles_alternate"
    assert "take turns" in refused.value.detail
    assert prompts.render(["one", ChatMessage("assistant", "yes"), "two"]).ids


def test_t24_template_file_is_found_and_its_absence_leaves_plain_completion(
    prompts: Prompts, tmp_path: Path
) -> None:
    assert prompts.open(TINY).has_template
    ready = prompts.open(tiny(tmp_path, None))
    assert not ready.has_template
    with pytest.raises(PromptError) as refused:
        prompts.render(["Once upon"])
    assert refused.value.code == "prompt.no_template"
    plain = prompts.render(["Once upon"], plain=True)
    vocabulary = Vocabulary.open(Path(ready.vocabulary))
    assert b"".join(map(vocabulary.bytes_of, plain.ids)).endswith(b"Once upon")
    assert list(plain.ids).count(ready.bos_id) == 1


def test_t25_thinking_that_starts_in_the_prompt_is_known(prompts: Prompts, tmp_path: Path) -> None:
    prompts.open(tiny(tmp_path, "think_prefill.jinja"), KNOWN["qwen3.5"])
    assert prompts.render(["why"]).thinking_open
    prompts.open(TINY, KNOWN["qwen3.5"])
    assert not prompts.render(["why"]).thinking_open


def test_a_template_runs_in_a_sandbox(prompts: Prompts, tmp_path: Path) -> None:
    """Attribute walks to Python's insides are refused, not run."""
    for attack in (
        "{{ ''.__class__.__mro__[1].__subclasses__() }}",
        "{{ messages.append(1) }}",
        "{{ cycler.__init__.__globals__.os.system('true') }}",
    ):
        prompts.open(tiny(tmp_path / str(len(attack)), attack))
        with pytest.raises(PromptError) as refused:
            prompts.render(["hello"])
        assert refused.value.code == "prompt.template_refused"


def test_a_broken_template_is_an_error_with_its_own_words(prompts: Prompts, tmp_path: Path) -> None:
    prompts.open(tiny(tmp_path, "{% for m in messages %}{{ m.content }"))
    with pytest.raises(PromptError) as refused:
        prompts.render(["hello"])
    assert refused.value.code == "prompt.template_refused"
    assert refused.value.detail


def test_a_folder_without_a_tokenizer_is_an_error(prompts: Prompts, tmp_path: Path) -> None:
    with pytest.raises(ModelError) as refused:
        prompts.open(tmp_path)
    assert refused.value.code == "model.tokenizer"


@pytest.mark.parametrize("text", json.loads((CASES / "tokens" / "paste_cases.json").read_text()))
def test_g16_text_reaches_the_ids_unchanged(prompts: Prompts, text: str) -> None:
    """Tabs, double spaces, CRLF, line and paragraph separators, joiners: sent ids decode to the same text."""
    vocabulary = Vocabulary.open(Path(prompts.open(TINY).vocabulary))
    prompt = prompts.render([text])
    own = [token for token, origin in zip(prompt.ids, prompt.origins, strict=True) if origin == 0]
    assert b"".join(map(vocabulary.bytes_of, own)).decode() == text


def test_every_id_knows_where_it_came_from(family: Family) -> None:
    """In the families' own templates: a message's ids decode to that message, the rest is the template's."""
    messages = [
        system("You are terse."),
        ChatMessage("user", "What is\u00a0the capital?\n\n  1. of France"),
        ChatMessage("assistant", "Paris."),
        ChatMessage("user", "And of 日本? 👩‍🚀"),
    ]
    family.prompts.open(family.folder)
    prompt = family.prompts.render(messages)
    assert len(prompt.ids) == len(prompt.origins)
    for index, message in enumerate(messages):
        own = [t for t, origin in zip(prompt.ids, prompt.origins, strict=True) if origin == index]
        assert family.decoded(own).strip() == message.content
    rest = [t for t, origin in zip(prompt.ids, prompt.origins, strict=True) if origin == TEMPLATE]
    assert not any(message.content in family.decoded(rest) for message in messages)
    assert family.decoded(prompt.ids) == prompt.text
    assert prompt.typed_special == ()


def test_typed_special_tokens_are_marked(family: Family) -> None:
    """They are tokenized as the template engine does it, and the prompt says so."""
    special = KNOWN[family.name].stops[0]
    family.prompts.open(family.folder)
    prompt = family.prompts.render([f"before {special} after"])
    assert len(prompt.typed_special) == 1
    position = prompt.typed_special[0]
    assert prompt.ids[position] == family.own.token_to_id(special)
    assert prompt.origins[position] == 0
