"""The trace: exactly the keys of format 1, nothing that is not known, and texts that join to the whole."""

from __future__ import annotations

import json
import math

from hypothesis import given
from hypothesis import strategies as st

from core.chat.writer import AnswerWriter
from core.engines.base import EngineInfo, Extras, Sampling, Structured
from core.tokens import trace
from core.tokens.decode import AnswerDecoder
from core.tokens.row import Candidate, TokenRow
from tests.core.chat.saved import answer
from tests.fakes.scripted_engine import END, byte_vocabulary, finished, row, rows

VOCABULARY = byte_vocabulary()
INFO = EngineInfo("local", "SmolLM2", revision="abc", dtype="float32", evidence=("model", "sampling"))


def told(value: dict[str, object]) -> dict[str, object]:
    """As whoever reads the line sees it."""
    line = trace.line(value)
    assert line.endswith("\n") and line.count("\n") == 1
    return json.loads(line)  # type: ignore[no-any-return]


def test_the_start_says_what_was_asked() -> None:
    line = told(trace.start(INFO, [1, 2, 3], Sampling(temperature=0.0, stop=("\n",))))
    assert list(line) == [
        "type", "format", "engine", "model", "revision", "dtype", "prompt_ids", "sampling", "evidence",
    ]  # fmt: skip
    assert (line["type"], line["format"], line["prompt_ids"]) == ("start", 1, [1, 2, 3])
    assert line["evidence"] == ["model", "greedy"]
    assert told(trace.start(INFO, [1], Sampling(temperature=0.5)))["evidence"] == ["model", "sampling"]
    sampling = line["sampling"]
    assert isinstance(sampling, dict)
    assert (sampling["temperature"], sampling["stop"], sampling["top_k"]) == (0.0, ["\n"], 0)
    assert "seed" not in sampling and "max_tokens" not in sampling  # not drawn, not limited
    assert told(trace.start(INFO, [], Sampling(seed=0, max_tokens=5)))["sampling"]["seed"] == 0  # type: ignore[index]


def test_what_the_engine_does_not_say_is_absent_from_the_start() -> None:
    line = told(trace.start(EngineInfo("vllm", "m"), [], Sampling()))
    assert "revision" not in line and "dtype" not in line


def test_a_token_with_everything() -> None:
    full = TokenRow(
        65, 12.5, -0.5, 2, 1.25, (Candidate(66, -0.25, 1, True), Candidate(65, -0.5, 2, False)),
        0.125, 40, -0.1, True,
    )  # fmt: skip
    assert told(trace.token(3, full, "A", VOCABULARY)) == {
        "type": "token", "index": 3, "id": 65, "text": "A", "bytes": "41", "special": False, "t_ms": 12.5,
        "logprob": -0.5, "rank": 2, "entropy": 1.25,
        "candidates": [
            {"id": 66, "text": "B", "logprob": -0.25, "rank": 1, "kept": True},
            {"id": 65, "text": "A", "logprob": -0.5, "rank": 2, "kept": False},
        ],
        "others": 0.125, "kept_count": 40, "sampling_logprob": -0.1, "guess": True,
    }  # fmt: skip


def test_a_token_of_which_nothing_is_known() -> None:
    assert told(trace.token(0, TokenRow(END, 0.0), "<|end|>", VOCABULARY)) == {
        "type": "token", "index": 0, "id": END, "text": "<|end|>", "bytes": b"<|end|>".hex(), "special": True,
        "t_ms": 0.0,
    }  # fmt: skip


def test_zero_and_false_are_known_and_what_is_no_number_is_not() -> None:
    known = told(trace.token(0, TokenRow(65, 0.0, 0.0, 1, 0.0, (), 0.0, 1, 0.0, False), "A", VOCABULARY))
    assert (known["logprob"], known["others"], known["guess"], known["entropy"]) == (0.0, 0.0, False, 0.0)
    odd = TokenRow(65, 0.0, math.nan, None, math.inf, (Candidate(66, -math.inf, None, None),))
    line = told(trace.token(0, odd, "A", VOCABULARY))
    assert "logprob" not in line and "entropy" not in line
    assert line["candidates"] == [{"id": 66, "text": "B"}]


def test_candidates_have_a_label_even_if_they_are_no_text() -> None:
    line = told(
        trace.token(
            0, TokenRow(65, 0.0, candidates=(Candidate(0xE5, -1.0), Candidate(999, -2.0))), "A", VOCABULARY
        )
    )
    assert [one["text"] for one in line["candidates"]] == ["E5", "<id 999>"]  # type: ignore[union-attr, attr-defined]


def test_the_end() -> None:
    assert told(trace.end(finished(7))) == {
        "type": "end", "finish_reason": "stop", "stop_reason": END, "prompt_tokens": 3,
        "completion_tokens": 7, "reused_tokens": 0, "prefill_ms": 100.0, "decode_tokens_per_second": 50.0,
    }  # fmt: skip
    short = told(
        trace.end(
            finished(1, stop_reason=None, prefill_ms=None, decode_tokens_per_second=None, reason="length")
        )
    )
    assert set(short) == {"type", "finish_reason", "prompt_tokens", "completion_tokens", "reused_tokens"}
    assert "reused_tokens" not in trace.end(finished(1, reused_tokens=None))  # not told


@given(st.text(max_size=12), st.binary(max_size=4))
def test_live_and_stored_give_the_same_lines_and_texts_join_to_the_whole(text: str, broken: bytes) -> None:
    tokens = [*rows(text.encode() + broken, at=0.0, step=1.0), row(END, 64.0)]
    stored = answer("")
    writer = AnswerWriter(stored, VOCABULARY)
    decoder = AnswerDecoder(VOCABULARY)
    pieces = [piece for one in tokens for piece in decoder.feed(one.id)] + decoder.finish()
    streamed: list[dict[str, object]] = [
        trace.token(index, one, piece.text, VOCABULARY)
        for index, (one, piece) in enumerate(zip(tokens, pieces, strict=True))
    ]
    writer.add(tokens)
    writer.close(finished(len(tokens)))
    lines = list(
        trace.answer(INFO, stored.prompt_ids, stored.sampling, stored.table, VOCABULARY, stored.finished)
    )
    assert [line["type"] for line in lines] == ["start", *["token"] * len(tokens), "end"]
    assert "".join(str(line["text"]) for line in streamed) == stored.table.text
    assert [line["index"] for line in streamed] == list(range(len(tokens)))
    for mine, theirs in zip(streamed, lines[1:-1], strict=True):
        told(mine)
        assert mine.keys() == theirs.keys()
        for key in ("id", "text", "bytes", "special", "logprob", "rank", "t_ms"):
            assert mine[key] == theirs[key]


def test_an_answer_that_an_error_ended_has_no_end_line() -> None:
    lines = list(trace.answer(INFO, [], Sampling(), answer("hm").table, VOCABULARY, None))
    assert [line["type"] for line in lines] == ["start", "token", "token"]


def test_a_score_is_never_called_a_log_probability() -> None:
    row = TokenRow(65, 0.0, None, 1, candidates=(Candidate(65, 18.42, 1), Candidate(66, 17.25, 2)))
    line = told(trace.token(0, row, "A", VOCABULARY, scores=True))
    assert "logprob" not in line
    assert line["candidates"] == [
        {"id": 65, "text": "A", "score": 18.42, "rank": 1},
        {"id": 66, "text": "B", "score": 17.25, "rank": 2},
    ]


def test_the_start_says_what_a_server_was_asked_for() -> None:
    info = EngineInfo(
        "vllm", "m", version="0.32.0", route="generate", numbers="raw_logits", evidence=("logit",)
    )
    extras = Extras(Structured("choice", ["a", "b"]), {"min_tokens": 2})
    line = told(trace.start(info, [1], Sampling(), extras))
    assert (line["structured"], line["fields"]) == ({"choice": ["a", "b"]}, {"min_tokens": 2})
    assert (line["version"], line["route"], line["numbers"]) == ("0.32.0", "generate", "raw_logits")
    plain = told(trace.start(info, [1], Sampling()))
    assert "structured" not in plain and "fields" not in plain
