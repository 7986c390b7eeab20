"""Text made by the server: prompts, tokens learned as they come, special ones, parts of characters."""

from __future__ import annotations

import json

from core.engines.state import Phase
from core.engines.vllm import parts
from core.engines.vllm.host import Source
from core.prompt.base import ChatMessage, PromptOptions
from core.tokens.decode import AnswerDecoder
from core.tokens.vocabulary import Vocabulary
from core.worker.pieces import read_pieces
from tests.core.engines.vllm.desk import CJK_IDS, HELLO, Desk, a_server, fails, run
from tests.fakes.server_tokenizer import TINY, ServerTokenizer

REAL = Vocabulary.from_pieces(*read_pieces(json.loads((TINY / "tokenizer.json").read_text(encoding="utf-8"))))
TALK = (ChatMessage("user", "Hello world"), ChatMessage("assistant", "世界"), ChatMessage("user", "峰?"))


SPOKEN = "Hello 峰🦊, 世界!"
IDS = ServerTokenizer().ids(SPOKEN)
PARTS = [id for id in IDS if not REAL.is_whole(id)]


def event(id: int) -> bytes:
    """One token with another one listed beside it."""
    names = {f"token_id:{id}": -0.5, f"token_id:{(id + 7) % 256}": -1.5}
    logprobs = {"tokens": [f"token_id:{id}"], "token_logprobs": [-0.5], "top_logprobs": [names]}
    return b"data: " + json.dumps({"choices": [{"token_ids": [id], "logprobs": logprobs}]}).encode() + b"\n\n"


STREAM = b"".join(map(event, IDS)) + b"data: [DONE]\n\n"


def text(vocabulary: Vocabulary, ids: list[int]) -> str:
    decoder = AnswerDecoder(vocabulary)
    pieces = [piece for id in ids for piece in decoder.feed(id)]
    return "".join(piece.text for piece in [*pieces, *decoder.finish()])


def test_an_answer_is_read_with_what_was_learned_and_can_be_read_later() -> None:
    async def use(desk: Desk) -> None:
        host = desk.host
        await desk.open(files="server")
        assert desk.phases == [Phase.CONNECTING, Phase.LOADING, Phase.READY]
        assert (host.source, host.has_template, host.thinking_switch) == (
            Source("server", "server"),
            True,
            False,
        )
        path = host.vocabulary_path
        assert path is not None and not path.exists()
        finished = await desk.ask()
        assert desk.ids == IDS and "text_from_server" in finished.notes
        assert host.vocabulary is not None
        kept = Vocabulary.open(path)
        for vocabulary in (host.vocabulary, kept):
            assert text(vocabulary, desk.ids) == SPOKEN
            seen = {id for row in desk.rows for id in (row.id, *(one.id for one in row.candidates))}
            assert len(seen) > len(IDS) and len(PARTS) == 13
            for id in seen:
                assert vocabulary.bytes_of(id) == REAL.bytes_of(id) or vocabulary.is_part(id)
                assert vocabulary.is_whole(id) == REAL.is_whole(id)
        assert kept.is_unused(0) and kept.label(0) == "<id 0>"  # never seen
        before = len(desk.fake.calls)
        await desk.ask()
        asked = [call.path for call in desk.fake.calls[before:]]
        assert asked.count("/detokenize") == 1  # the prompt's own text, and no token a second time

    run(a_server(stream=STREAM), use)


def test_prompts_are_those_of_the_server() -> None:
    async def use(desk: Desk) -> None:
        await desk.open()
        here = [
            await desk.host.render(TALK, PromptOptions()),
            await desk.host.render(HELLO, PromptOptions(plain=True)),
            await desk.host.render(
                (ChatMessage("system", "Be kind"), *HELLO), PromptOptions(fold_system=True)
            ),
        ]
        await desk.open(files="server")
        there = [
            await desk.host.render(TALK, PromptOptions()),
            await desk.host.render(HELLO, PromptOptions(plain=True)),
            await desk.host.render(
                (ChatMessage("system", "Be kind"), *HELLO), PromptOptions(fold_system=True)
            ),
        ]
        assert [prompt.ids for prompt in there] == [prompt.ids for prompt in here]
        assert [prompt.text for prompt in there] == [prompt.text for prompt in here]
        assert all(set(prompt.origins) == {-1} for prompt in there)  # who wrote what is not told

    run(a_server(), use)


def test_special_tokens_are_asked_about() -> None:
    async def use(desk: Desk) -> None:
        await desk.open(files="server")
        vocabulary = desk.host.vocabulary
        await desk.host.render(TALK, PromptOptions())
        assert vocabulary is not None
        for id in (305, 306, 309, 310):  # <|begin|>, <|end|>, <|user|>, <|assistant|>
            assert (vocabulary.is_special(id), vocabulary.label(id)) == (True, REAL.label(id))
        asked = [
            call
            for call in desk.fake.calls
            if call.path == "/v1/completions" and "allowed_token_ids" in call.body
        ]
        assert len(asked) == 4 and all(len(call.body["prompt"]) == 2 for call in asked)
        # top-k with speculation ends the engine of 0.32's CPU build, also one that the model recommends
        assert all((call.body["top_k"], call.body["temperature"]) == (0, 1.0) for call in asked)
        await desk.host.render((ChatMessage("user", "<think>"),), PromptOptions())
        assert not vocabulary.is_special(307)  # added, but part of the answer's text

    run(a_server(tokenizer=ServerTokenizer(shown=(307,))), use)


def test_special_tokens_where_nothing_may_be_generated() -> None:
    async def use(desk: Desk) -> None:
        await desk.open(files="server")
        await desk.host.render((ChatMessage("user", "<think>"),), PromptOptions())
        vocabulary = desk.host.vocabulary
        assert (
            vocabulary is not None and vocabulary.is_special(309) and not vocabulary.is_special(307)
        )  # by their looks
        assert not any("allowed_token_ids" in (call.body or {}) for call in desk.fake.calls)

    run(a_server(speculative=True), use)


def test_parts_whose_bytes_are_not_told() -> None:
    class Silent(ServerTokenizer):
        def answer(self, path: str, asked: dict[str, object]) -> tuple[int, dict[str, object]]:
            return super().answer(path, {**asked, "return_token_strs": False})

    async def use(desk: Desk) -> None:
        await desk.open(files="server")
        await desk.ask()
        vocabulary = desk.host.vocabulary
        assert vocabulary is not None
        assert vocabulary.is_part(230) and not vocabulary.is_whole(230)
        assert vocabulary.label(230) == "\ufffd"
        assert text(vocabulary, CJK_IDS).startswith("你好，世界。")

    run(a_server(tokenizer=Silent()), use)


def test_without_a_template_only_plain_text_can_be_completed() -> None:
    async def use(desk: Desk) -> None:
        await desk.open(files="server")
        assert not desk.host.has_template
        await fails(desk.host.render(HELLO, PromptOptions()), "prompt.no_template")
        prompt = await desk.host.render(HELLO, PromptOptions(plain=True))
        assert text(REAL, list(prompt.ids)) == prompt.text

    run(a_server(tokenizer=ServerTokenizer(has_template=False)), use)


def test_a_server_without_a_tokenizer_says_so() -> None:
    async def use(desk: Desk) -> None:
        failure = await fails(desk.open(files="server"), "server.no_tokenize")
        assert "HTTP 404" in failure.detail and desk.host.state.phase is Phase.FAILED

    run(a_server(tokenizer=None, tokenizes=False), use)


def test_bytes_are_believed_only_if_they_are_the_text() -> None:
    assert parts.exact(["å³", "°", "Ġ", "a"], "峰 a") == [b"\xe5\xb3", b"\xb0", b" ", b"a"]
    assert parts.exact(["▁", "<0xE5>", "<0xB3>", "<0xB0>", "▁a"], "峰 a") == [
        *(b" ", b"\xe5", b"\xb3", b"\xb0", b" a"),
    ]
    assert parts.exact(["å³", "Ġ", "a"], "峰 a") is None
    assert parts.exact([None, "°"], "峰") is None
    assert all(len(text) > 20 and "\ufffd" not in text for text in parts.texts())
