"""The engine against every fault a server, a gateway or a network can play."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import aclosing
from typing import Any

import pytest

from core.engines.base import NOTHING, Extras, Finished, Prefilling, Sampling, TokenBatch
from core.engines.vllm.engine import VllmEngine
from core.engines.vllm.rows import Mode
from core.errors import EngineError
from core.tokens.row import TokenRow
from tests.core.engines.vllm.replay import CASES
from tests.fakes.fake_vllm import FakeVllm, error

PROMPT = [1, 2, 3]
GREEDY = Sampling(temperature=0.0, max_tokens=20)


def recorded(name: str) -> bytes:
    return (CASES / f"{name}.sse").read_bytes()


class Heard:
    """What came of one answer, up to an error too."""

    def __init__(self) -> None:
        self.rows: list[TokenRow] = []
        self.finished: Finished | None = None

    async def listen(
        self, engine: VllmEngine, sampling: Sampling = GREEDY, extras: Extras = NOTHING
    ) -> Heard:
        asked = engine.generate(PROMPT, sampling, top_candidates=5, extras=extras)
        async with aclosing(asked) as events:
            async for event in events:
                if isinstance(event, TokenBatch):
                    self.rows += event.rows
                elif isinstance(event, Finished):
                    self.finished = event
        return self

    @property
    def ids(self) -> list[int]:
        return [row.id for row in self.rows]

    @property
    def end(self) -> Finished:
        assert self.finished is not None
        return self.finished


def run(
    server: FakeVllm, use: Callable[[FakeVllm, VllmEngine], Coroutine[Any, Any, None]], **engine: Any
) -> None:
    """Serve, connect, use, and close everything."""

    async def main() -> None:
        async with server.serve():
            one = VllmEngine(server.address, **engine)
            try:
                await one.connect()
                await use(server, one)
            finally:
                await one.close()

    asyncio.run(asyncio.wait_for(main(), 60))


async def fails(engine: VllmEngine, heard: Heard | None = None) -> EngineError:
    with pytest.raises(EngineError) as caught:
        await (heard or Heard()).listen(engine)
    return caught.value


@pytest.mark.parametrize("chunk", [1, 7, 0])
@pytest.mark.parametrize("name", ["cjk", "crlf", "bare_cr", "comments_nospace"])
def test_recorded_answers_at_any_chunk_size(name: str, chunk: int) -> None:
    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        heard = await Heard().listen(engine)
        assert heard.ids == [290, 291, 292, 293, 296, 230, 304, 294, 295, 33]
        assert all(row.logprob == -0.105 for row in heard.rows)
        assert (heard.end.reason, heard.end.completion_tokens, heard.end.server_tokens) == ("stop", 10, None)

    run(FakeVllm(stream=recorded(name), chunk=chunk), use)


def test_route_of_ids() -> None:
    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        assert engine.capabilities.route == "generate"
        heard = await Heard().listen(engine)
        assert (heard.ids, heard.end.reason) == ([256, 240, 159, 285, 33], "stop")
        assert server.asked[-1].path == "/inference/v1/generate"
        assert server.asked[-1].body["sampling_params"]["logprobs"] == 6

    run(FakeVllm(stream=recorded("generate_ok"), scale_out=True), use)


@pytest.mark.parametrize(
    ("name", "reason", "notes"),
    [
        ("no_finish", "unknown", ("no_reason",)),
        ("no_done", "stop", ()),
        ("usage_only", "stop", ()),
        ("usage_mismatch", "stop", ("counts_differ",)),
        ("all_zero", "length", ("all_certain",)),
        ("null_logprobs_mid", "stop", ("text_without_ids", "counts_differ")),
        ("past_stop", "stop", ()),
    ],
)
def test_ends_are_told_as_they_are(name: str, reason: str, notes: tuple[str, ...]) -> None:
    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        end = (await Heard().listen(engine)).end
        # the pieces come from a socket: whether they make a burst is for another test
        found = tuple(note for note in end.notes if note not in ("burst", "prompt_count_differs"))
        assert (end.reason, found) == (reason, notes)
        if name == "usage_mismatch":
            assert (end.completion_tokens, end.server_tokens) == (3, 12)

    run(FakeVllm(stream=recorded(name)), use)


def test_an_error_inside_a_200() -> None:
    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        heard = Heard()
        failure = await fails(engine, heard)
        assert (failure.code, heard.ids, heard.finished) == ("server.said", [256, 257], None)
        assert failure.detail
        server.stream = recorded("error_first")
        heard = Heard()
        failure = await fails(engine, heard)
        assert (failure.code, heard.ids) == ("server.refused", [])
        assert "5000 tokens" in failure.detail
        server.stream = recorded("cjk")
        assert (await Heard().listen(engine)).end.reason == "stop"  # the next question works

    run(FakeVllm(stream=recorded("error_mid")), use)


@pytest.mark.parametrize("cut", [300, 1000])
def test_a_connection_cut_inside_the_body(cut: int) -> None:
    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        heard = Heard()
        failure = await fails(engine, heard)
        assert failure.code == "server.cut"
        assert heard.ids == [290, 291][: cut // 400]
        server.cut = None
        assert len((await Heard().listen(engine)).ids) == 10

    run(FakeVllm(stream=recorded("cjk"), cut=cut), use)


def test_a_body_that_ends_inside_an_event() -> None:
    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        assert (await fails(engine)).code == "server.cut"

    run(FakeVllm(stream=recorded("cjk")[:600]), use)


def test_s15_stop_closes_the_connection() -> None:
    """S15: the server sees the close as soon as the generator is closed, and before the next request."""

    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        async with aclosing(engine.generate(PROMPT, GREEDY, top_candidates=5)) as events:
            async for event in events:
                if isinstance(event, TokenBatch):
                    break
        await server.closed_by_client.wait()

    run(FakeVllm(stream=recorded("no_finish").split(b"\n\n")[0] + b"\n\n", hold=True), use)


def test_s14_stop_before_the_first_token() -> None:
    """S14: headers may come after any time; giving up is the person's choice alone."""

    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        server.release = asyncio.Event()
        stopped = asyncio.create_task(Heard().listen(engine))
        await server.streaming.wait()
        stopped.cancel()
        await asyncio.wait([stopped])
        assert stopped.cancelled()
        server.release.set()
        assert len((await Heard().listen(engine)).ids) == 10

    run(FakeVllm(stream=recorded("cjk")), use)


def test_closing_in_mid_answer_is_no_cancellation() -> None:
    """Also while the server's identity is asked: who waits for the answer was not cancelled, and is told."""

    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        events = engine.generate(PROMPT, GREEDY, top_candidates=5)
        assert isinstance(await anext(events), Prefilling)
        answer = asyncio.create_task(anext(events))
        await engine.close()
        with pytest.raises(EngineError) as caught:
            await answer
        assert caught.value.code == "engine.no_model"

    run(FakeVllm(stream=recorded("cjk"), hold=True), use)


def test_done_ends_the_answer_though_the_connection_stays_open() -> None:
    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        assert (await Heard().listen(engine)).end.reason == "stop"
        await server.closed_by_client.wait()

    run(FakeVllm(stream=recorded("cjk"), hold=True), use)


def test_silence_between_tokens_has_a_limit() -> None:
    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        heard = Heard()
        failure = await fails(engine, heard)
        assert (failure.code, heard.ids) == ("server.stalled", [256])

    first = recorded("no_finish").split(b"\n\n")[0] + b"\n\n"
    run(FakeVllm(stream=first, hold=True), use, stall=0.05)


def test_s13_a_long_line() -> None:
    """S13: two megabytes in one event."""

    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        assert (await Heard().listen(engine)).ids == [5]

    event = b'data: {"choices":[{"text":"%s","token_ids":[5],"finish_reason":"stop"}]}\n\n' % (
        b"x" * 2_000_000
    )
    run(FakeVllm(stream=event + b"data: [DONE]\n\n", chunk=65536), use)


def test_s16_tokens_that_come_at_once_have_no_speed() -> None:
    """S16: a proxy held them back."""

    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        heard = await Heard().listen(engine)
        assert len(heard.ids) == 10
        assert (heard.end.decode_tokens_per_second, heard.end.prefill_ms) == (None, None)
        assert "burst" in heard.end.notes

    run(FakeVllm(stream=recorded("cjk")), use, clock=lambda: 1.0)


def test_numbers_that_break_the_server_are_given_up_once_and_said() -> None:
    """T07."""

    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        server.broken_numbers = True
        heard = await Heard().listen(engine)
        assert len(heard.ids) == 10 and "details_refused" in heard.end.notes
        assert all(row.logprob is None and not row.candidates for row in heard.rows)
        assert engine.refused is not None and "JSON compliant" in engine.refused[1]
        assert engine.info.evidence == ("absent",)
        before = len(server.calls)
        again = await Heard().listen(engine)
        assert again.end.refused == engine.refused and "details_refused" in again.end.notes
        asked = [call for call in server.calls[before:] if call.method == "POST"]
        assert [call.body["logprobs"] for call in asked] == [None]  # remembered: not tried again

    run(FakeVllm(stream=recorded("cjk")), use)


def test_an_answer_without_numbers_if_so_wanted() -> None:
    """T07: where a server fails over its numbers in mid-answer, the person asks again without them."""

    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        bare = await Heard().listen(engine, extras=Extras(numbers=False))
        assert server.asked[-1].body["logprobs"] is None
        assert all(row.logprob is None and not row.candidates for row in bare.rows)
        assert "details_refused" not in bare.end.notes and engine.refused is None
        assert any(row.logprob is not None for row in (await Heard().listen(engine)).rows)

    run(FakeVllm(stream=recorded("cjk")), use)


def test_another_server_on_the_port_is_noticed() -> None:
    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        await Heard().listen(engine)
        server.model, server.start = "other", server.start + 60
        failure = await fails(engine)
        assert (failure.code, failure.params["what"]) == ("server.changed", "model")
        server.model, server.root = "tiny", "/models/other"
        failure = await fails(engine)
        assert (failure.code, failure.params["what"]) == ("server.changed", "model folder")
        server.root, server.version = "/models/tiny", "0.33.0"
        assert (await fails(engine)).params["what"] == "version"
        server.version, server.mode = "0.32.0", "raw_logits"
        assert (await fails(engine)).params["what"] == "settings"
        server.mode = "raw_logprobs"  # started again, and the same in everything
        assert len((await Heard().listen(engine)).ids) == 10
        server.key = "secret"
        assert (await fails(engine)).code == "server.key"

    run(FakeVllm(stream=recorded("cjk")), use)


def test_a_server_that_is_gone_and_comes_back() -> None:
    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        await Heard().listen(engine)
        await server.end()
        assert (await fails(engine)).code == "server.unreachable"
        await server.begin()
        assert len((await Heard().listen(engine)).ids) == 10

    run(FakeVllm(stream=recorded("cjk")), use)


def test_a_dead_engine_is_told_from_a_refusal() -> None:
    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        words = "EngineCore encountered an issue. See stack trace (above) for the root cause."
        server.stream_status, server.healthy = (500, error(words, 500)), False
        failure = await fails(engine)
        assert (failure.code, failure.detail) == ("server.engine_dead", words)
        server.stream_status, server.healthy = (400, error("too long", 400)), True
        failure = await fails(engine)
        assert (failure.code, failure.params["status"], failure.detail) == ("server.refused", 400, "too long")
        server.stream_status, server.healthy, server.stream = None, False, recorded("error_mid")
        heard = Heard()
        failure = await fails(engine, heard)
        assert (failure.code, heard.ids) == ("server.engine_dead", [256, 257])

    run(FakeVllm(stream=recorded("cjk")), use)


def test_a_prompt_that_was_read_otherwise_is_an_error() -> None:
    event = b'data: {"choices":[{"token_ids":[5],"prompt_token_ids":[1,2,9,3]}]}\n\n'

    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        failure = await fails(engine)
        assert (failure.code, failure.params["position"]) == ("server.prompt_differs", 2)

    run(FakeVllm(stream=event), use)


def test_what_is_known_of_a_server_is_not_asked_again() -> None:
    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        before = len(server.calls)
        first = engine.capabilities
        assert await engine.connect() is first
        assert {call.path for call in server.calls[before:]} == {"/v1/models", "/version", "/metrics/"}
        assert await engine.connect(again=True) is not first
        server.start += 60  # another run of it
        assert await engine.connect() is not first

    run(FakeVllm(), use)


def test_a_server_without_counters_is_known_by_its_process() -> None:
    """Else one that was started again with other numbers would be read as the one before."""

    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        assert len((await Heard().listen(engine)).ids) == 10
        server.start += 60
        server.mode = "processed_logprobs"
        failure = await fails(engine)
        assert (failure.code, failure.params["what"]) == ("server.changed", "settings")

    run(FakeVllm(stream=recorded("cjk"), counters=False), use)


def test_limits_are_checked_before_anything_is_sent() -> None:
    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        before = len(server.calls)
        with pytest.raises(EngineError) as caught:
            await Heard().listen(engine, Sampling(temperature=2.5))
        assert (caught.value.code, len(server.calls)) == ("server.limit", before)

    run(FakeVllm(stream=recorded("cjk")), use)


def test_processed_numbers_are_what_was_drawn_from() -> None:
    """T10."""

    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        assert engine.capabilities.mode is Mode.PROCESSED_LOGPROBS
        assert engine.info.evidence == ("sampling",)
        heard = await Heard().listen(engine, Sampling(temperature=0.8, seed=1, max_tokens=1))
        assert [(row.logprob, row.sampling_logprob, row.kept_count) for row in heard.rows] == [
            (None, -0.51, 2)
        ]

    run(FakeVllm(stream=recorded("minus_9999"), mode="processed_logprobs"), use)


def test_a_seed_is_drawn_where_none_is_given() -> None:
    async def use(server: FakeVllm, engine: VllmEngine) -> None:
        end = (await Heard().listen(engine, Sampling(max_tokens=5))).end
        assert end.seed is not None and server.asked[-1].body["seed"] == end.seed
        assert (await Heard().listen(engine, Sampling(temperature=0.0))).end.seed is None
        assert server.asked[-1].body["max_tokens"] == 512 - len(PROMPT)

    run(FakeVllm(stream=recorded("cjk")), use)
