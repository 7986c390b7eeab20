"""Reported faults of streams and numbers, each by its number: a recorded stream through a socket in pieces of
1, 7 and all bytes, read by the engine, its text made from the ids."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from core.engines.base import Finished
from core.engines.vllm.completions import Completions
from core.engines.vllm.engine import VllmEngine
from core.engines.vllm.rows import Mode
from core.errors import EngineError
from core.tokens.decode import AnswerDecoder
from core.tokens.row import TokenRow
from core.tokens.table import TokenTable
from core.tokens.vocabulary import Vocabulary
from core.worker.pieces import read_pieces
from tests.core.engines.vllm.replay import CASES
from tests.core.engines.vllm.test_engine import Heard
from tests.fakes.fake_vllm import Call, FakeVllm, error

TINY = CASES.parent / "models" / "tiny" / "tokenizer.json"
VOCABULARY = Vocabulary.from_pieces(*read_pieces(json.loads(TINY.read_text(encoding="utf-8"))))
ALL = sorted(path.stem for path in CASES.glob("*.sse"))
SIZES = pytest.mark.parametrize("size", [1, 7, 0])


class Answer:
    """What the engine made of one stream, up to an error too."""

    def __init__(self, heard: Heard, failure: EngineError | None) -> None:
        self.rows: list[TokenRow] = heard.rows
        self.finished: Finished | None = heard.finished
        self.failure = failure
        table, decoder, at = TokenTable(), AnswerDecoder(VOCABULARY), 0
        for id in [*heard.ids, None]:
            for piece in decoder.finish() if id is None else decoder.feed(id):
                table.append(self.rows[at], piece)
                at += 1
        self.table = table
        self.text = table.text

    @property
    def ids(self) -> list[int]:
        return [row.id for row in self.rows]

    @property
    def end(self) -> Finished:
        assert self.finished is not None
        return self.finished


def answer(name: str, size: int = 0, **server: Any) -> Answer:
    body = (CASES / f"{name}.sse").read_bytes()
    ids_route = b'"request_id"' in body

    async def main() -> Answer:
        fake = FakeVllm(stream=body, chunk=size, scale_out=ids_route, **server)
        async with fake.serve():
            engine = VllmEngine(fake.address)
            heard, failure = Heard(), None
            try:
                await engine.connect()
                await heard.listen(engine)
            except EngineError as error:
                failure = error
            finally:
                await engine.close()
            return Answer(heard, failure)

    return asyncio.run(asyncio.wait_for(main(), 60))


@SIZES
@pytest.mark.parametrize("name", ALL)
def test_every_recorded_stream_says_the_same_in_any_pieces(name: str, size: int) -> None:
    one, other = answer(name, size), answer(name)
    assert (one.ids, one.text) == (other.ids, other.text) and (one.ids or one.failure or one.finished)
    for row, alike in zip(one.rows, other.rows, strict=True):
        assert (row.logprob, row.rank, row.candidates) == (alike.logprob, alike.rank, alike.candidates)
    assert (one.failure and one.failure.code) == (other.failure and other.failure.code)
    if one.finished is not None:
        assert (one.end.reason, one.end.server_tokens) == (other.end.reason, other.end.server_tokens)


@SIZES
def test_s01_pieces_end_inside_a_character(size: int) -> None:
    found = answer("cjk", size)
    assert found.text == "你好，世界。明日本語!"


@SIZES
def test_s02_pieces_end_inside_an_event(size: int) -> None:
    assert answer("cjk", size).ids == [290, 291, 292, 293, 296, 230, 304, 294, 295, 33]


@SIZES
@pytest.mark.parametrize("name", ["crlf", "bare_cr", "comments_nospace"], ids=["s03", "s05", "s06"])
def test_s03_s05_s06_other_line_ends_comments_no_space(name: str, size: int) -> None:
    found, plain = answer(name, size), answer("cjk")
    assert (found.text, found.ids, found.end.reason) == (plain.text, plain.ids, plain.end.reason)


@SIZES
def test_s07_an_error_inside_a_200(size: int) -> None:
    found = answer("error_mid", size)
    assert found.failure is not None and found.failure.code == "server.said" and found.failure.detail
    assert (found.text, found.finished) == ("Hello world", None)
    first = answer("error_first", size)
    assert first.failure is not None and first.failure.code == "server.refused"
    assert "5000 tokens" in first.failure.detail


@SIZES
def test_s09_no_reason_and_no_done(size: int) -> None:
    found = answer("no_finish", size)
    assert (found.end.reason, "no_reason" in found.end.notes) == ("unknown", True) and found.text
    assert answer("no_done", size).end.reason == "stop"


@SIZES
def test_s11_a_last_event_of_usage_alone(size: int) -> None:
    found = answer("usage_only", size)
    assert (found.failure, found.end.completion_tokens, found.end.server_tokens) == (None, 2, None)


@SIZES
def test_s12_a_connection_that_ends_inside_the_body(size: int) -> None:
    found = answer("cjk", size, cut=1000)
    assert found.failure is not None and found.failure.code == "server.cut"
    assert (found.ids, found.finished) == ([290, 291], None)


@SIZES
def test_t05_strings_that_stand_for_several_ids(size: int) -> None:
    """Two ids print alike, so the list lacks some: fewer are shown as they are, none is given a place."""
    found = answer("colliding_strings", size)
    assert found.text == "".join(VOCABULARY.bytes_of(id).decode() for id in (265, 267))
    assert all(row.rank is None and [one.id for one in row.candidates] == [row.id] for row in found.rows)
    assert all(row.logprob == -0.105 for row in found.rows)


def test_t06_prompt_tokens_echoed_are_none_of_the_answer() -> None:
    text = (CASES.parent / "tokens" / "echo_prompt.json").read_bytes()
    step = Completions().read(text)
    assert [(token.id, token.value, token.listed) for token in step.tokens] == [(33, None, ())]
    assert step.prompt_ids == (305, 256, 257)


def test_t07_a_server_that_breaks_on_numbers() -> None:
    found = answer("cjk", broken_numbers=True)
    assert found.failure is None and found.text == answer("cjk").text
    assert all(row.logprob is None and not row.candidates for row in found.rows)


@SIZES
def test_t09_fillers_are_no_candidates(size: int) -> None:
    found = answer("minus_9999", size)
    numbers = [one.logprob for row in found.rows for one in row.candidates]
    assert numbers and all(number is not None and number > -9999 for number in numbers)


def test_t10_sampling_numbers_are_called_so() -> None:
    found = answer("minus_9999", mode="processed_logprobs")
    assert all(row.logprob is None for row in found.rows)
    raw = answer("minus_9999")
    assert all(row.logprob is not None for row in raw.rows)


@SIZES
def test_t12_the_chosen_token_in_the_list_too(size: int) -> None:
    row = answer("duplicate_sampled", size).rows[0]
    assert [(one.id, one.rank) for one in row.candidates] == [(258, 1), (256, 2), (33, 3)]


@SIZES
def test_t14_every_value_exactly_nought(size: int) -> None:
    found = answer("all_zero", size)
    assert [row.logprob for row in found.rows] == [0.0] * 4 and "all_certain" in found.end.notes
    # after the sampler, certain tokens are nothing unusual
    assert "all_certain" not in answer("all_zero", size, mode="processed_logprobs").end.notes


@SIZES
def test_t19_several_tokens_in_one_event(size: int) -> None:
    found = answer("multi_token_event", size)
    assert len(found.table) == found.end.completion_tokens == 8


@SIZES
def test_t20_the_server_counted_more_than_came(size: int) -> None:
    end = answer("usage_mismatch", size).end
    assert (end.completion_tokens, end.server_tokens, "counts_differ" in end.notes) == (3, 12, True)


@pytest.mark.parametrize("allowed", [0, 3])
def test_t26_fewer_alternatives_than_asked(allowed: int) -> None:
    found = answer("cjk", max_logprobs=allowed)
    assert found.failure is None and len(found.rows) == 10


@SIZES
def test_t27_null_ids_and_numbers_in_some_events(size: int) -> None:
    found = answer("null_logprobs_mid", size)
    assert [(row.id, row.logprob) for row in found.rows] == [
        (256, -0.105), (33, -0.105), (46, None), (281, -0.105)]  # fmt: skip
    old = answer("generate_old_shape", size).rows[0]
    assert (old.id, old.logprob) == (258, -0.3)
    assert answer("generate_ok", size).ids == [256, 240, 159, 285, 33]


@SIZES
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("emoji_four_tokens", "Hi😀👩\u200d👧!"),
        ("eos_empty", "Hi<|end|>"),
        ("empty_alternatives", "Hi明"),
        ("bad_text_offset", "Hello world!"),
    ],
)
def test_t01_t02_t03_t16_text_comes_from_ids(name: str, text: str, size: int) -> None:
    assert answer(name, size).text == text


def test_v18_health_before_the_model_can_answer() -> None:
    """/health says 200 all the while; the engine is ready when the model is listed and one token came."""

    class Early(FakeVllm):
        step = 0

        def _whole(self, call: Call) -> tuple[int, Any]:
            if call.path == "/v1/models" and self.step == 0:
                return 200, {"object": "list", "data": []}
            if call.path == "/v1/completions" and self.step == 1:
                return 503, error("the model is loading", 503)
            return super()._whole(call)

    async def main() -> None:
        async with Early().serve() as fake:
            assert isinstance(fake, Early)
            engine = VllmEngine(fake.address)
            for fake.step, code in enumerate(("server.no_models", "server.refused")):
                with pytest.raises(EngineError) as caught:
                    await engine.connect()
                assert caught.value.code == code
            fake.step = 2
            assert (await engine.connect()).mode is Mode.RAW_LOGPROBS
            await engine.close()

    asyncio.run(main())
