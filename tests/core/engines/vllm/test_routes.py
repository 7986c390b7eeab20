"""Both routes: what is asked, and what recorded events say, at any chunk size."""

from __future__ import annotations

import json

import msgspec
import pytest

from core.engines.base import Sampling
from core.engines.vllm import completions, generate
from core.engines.vllm.asked import Asked, check
from core.engines.vllm.completions import Completions
from core.engines.vllm.generate import Generate
from core.errors import EngineError
from tests.core.engines.vllm.replay import CASES, steps, tokens

ALL = sorted(path.stem for path in CASES.glob("*.sse"))
IDS = {
    "cjk": [290, 291, 292, 293, 296, 230, 304, 294, 295, 33],
    "bare_cr": [290, 291, 292, 293, 296, 230, 304, 294, 295, 33],
    "crlf": [290, 291, 292, 293, 296, 230, 304, 294, 295, 33],
    "comments_nospace": [290, 291, 292, 293, 296, 230, 304, 294, 295, 33],
    "multi_token_event": [256, 257, 33, 270, 277, 58, 278, 46],
    "past_stop": [271, 274, 275, 276],
    "eos_empty": [258, 306],
    "generate_ok": [256, 240, 159, 285, 33],
    "generate_old_shape": [258],
    "null_logprobs_mid": [256, 33, 46, 281],
    "all_zero": [256, 257, 33, 46],
    "usage_only": [256, 33],
}


@pytest.mark.parametrize("size", [1, 7, 0])
@pytest.mark.parametrize("name", ALL)
def test_any_chunk_size_says_the_same(name: str, size: int) -> None:
    assert steps(name, size) == steps(name)
    if name in IDS:
        assert [token.id for token in tokens(name, size)] == IDS[name]


def test_ends_usage_and_errors() -> None:
    assert [step.finish_reason for step in steps("usage_only")] == [None, "stop", None]
    assert steps("usage_only")[-1].usage.completion_tokens == 2  # type: ignore[union-attr]
    assert steps("past_stop")[0].stop_reason == " STOP"
    assert [step.finish_reason for step in steps("no_finish")] == [None] * len(steps("no_finish"))
    assert steps("error_first")[0].error == "prompt of 5000 tokens is longer than 4096 (made-up text)"
    assert [step.error for step in steps("error_mid")][:2] == [None, None]
    assert steps("error_mid")[2].error


def test_null_ids_and_null_numbers_shift_nothing() -> None:
    """T27: a token without numbers has none; one without an id is no token, its text is told apart."""
    found = tokens("null_logprobs_mid")
    assert [(token.id, token.value) for token in found] == [
        (256, -0.105),
        (33, -0.105),
        (46, None),
        (281, -0.105),
    ]
    assert [step.unknown_text for step in steps("null_logprobs_mid")] == ["", " world", "", "", "", ""]
    old = tokens("generate_old_shape")[0]
    assert (old.value, [one.id for one in old.listed]) == (-0.3, [256])


def test_lists_of_another_length_give_no_numbers() -> None:
    event = {
        "choices": [
            {
                "token_ids": [1, 2],
                "logprobs": {
                    "tokens": ["token_id:1"],
                    "token_logprobs": [-1.0],
                    "top_logprobs": [{"token_id:1": -1.0}],
                },
            }
        ]
    }
    found = Completions().read(json.dumps(event).encode()).tokens
    assert [(token.id, token.value, token.listed) for token in found] == [(1, None, ()), (2, None, ())]


@pytest.mark.parametrize(
    "event",
    [
        b"",
        b"{",
        b"[]",
        b'{"choices":[{"token_ids":["x"]}]}',
        b'{"choices":7}',
        b'{"choices":[{"token_ids":[1]',
        b"\xff",
    ],
)
def test_a_damaged_event_is_an_error_and_not_a_gap(event: bytes) -> None:
    for route in (Completions(), Generate()):
        with pytest.raises(EngineError) as caught:
            route.read(event)
        assert caught.value.code == "server.unreadable"


def test_numbers_that_json_does_not_know_are_no_numbers() -> None:
    event = (
        b'{"choices":[{"token_ids":[5],"logprobs":{"tokens":["token_id:5"],"token_logprobs":[NaN],'
        b'"top_logprobs":[{"token_id:6":-Infinity,"token_id:7":-1.0}]}}]}'
    )
    token = Completions().read(event).tokens[0]
    assert (token.value, [one.id for one in token.listed], token.gaps) == (None, [7], True)


def test_strings_that_are_no_ids_leave_gaps() -> None:
    """T05: keys by text collapse, so the list is not the whole top and gives no exact ranks."""
    found = tokens("colliding_strings") + tokens("empty_alternatives")
    assert any(token.gaps for token in found)
    assert all(one.id >= 0 for token in found for one in token.listed)


SAMPLING = Sampling(temperature=0.5, top_k=3, stop=("a",), stop_token_ids=(2,), seed=7)


def test_every_sampling_value_is_sent_on_both_routes() -> None:
    asked = Asked("m", (1, 2), SAMPLING, 9, 6)
    flat = msgspec.json.decode(completions.body(asked))
    nested = msgspec.json.decode(generate.body(asked))
    named = {"temperature", "top_k", "top_p", "min_p", "repetition_penalty", "presence_penalty",
             "frequency_penalty", "seed", "max_tokens", "stop", "stop_token_ids", "ignore_eos",
             "logprobs"}  # fmt: skip
    assert named <= flat.keys() and named <= nested["sampling_params"].keys()
    assert {name: flat[name] for name in named} == {name: nested["sampling_params"][name] for name in named}
    assert flat["prompt"] == nested["token_ids"] == [1, 2]
    assert flat["return_token_ids"] and flat["return_tokens_as_token_ids"] and nested["return_token_ids"]
    assert flat["stream_options"] == nested["stream_options"] == {"include_usage": True}


@pytest.mark.parametrize(
    "change",
    [
        {"temperature": 2.1},
        {"temperature": 0.001},
        {"top_p": 0.0},
        {"stop": ("a", "b", "c", "d", "e")},
        {"stop": ("",)},
        {"min_p": 1.5},
        {"presence_penalty": 3.0},
        {"max_tokens": 0},
        {"top_k": -1},
    ],
)
def test_limits_are_checked_before_sending(change: dict[str, object]) -> None:
    with pytest.raises(EngineError) as caught:
        check(msgspec.structs.replace(Sampling(), **change))
    assert caught.value.code == "server.limit"
