"""Forms and other fields: checked before they are sent, since servers ignore what they do not know."""

from __future__ import annotations

import msgspec
import pytest

from core.engines.base import Sampling
from core.engines.vllm import completions, generate
from core.engines.vllm.asked import Asked
from core.engines.vllm.extras import FIELDS, Extras, check, field, structured
from core.errors import EngineError


@pytest.mark.parametrize(
    ("form", "text", "value"),
    [
        ("json", '{"type": "object"}', {"type": "object"}),
        ("regex", "[a-z]+", "[a-z]+"),
        ("choice", "yes\nno", ["yes", "no"]),
        ("choice", '["a b", "c"]', ["a b", "c"]),
        ("grammar", 'root ::= "x"', 'root ::= "x"'),
    ],
)
def test_forms(form: str, text: str, value: object) -> None:
    asked = Asked("m", (1, 2), Sampling(), 5, None, extras=Extras(structured(form, text)))
    wanted = {form: value}
    assert msgspec.json.decode(completions.body(asked))["structured_outputs"] == wanted
    assert msgspec.json.decode(generate.body(asked))["sampling_params"]["structured_outputs"] == wanted


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("json", "{"),
        ("json", "[]"),
        ("regex", "("),
        ("regex", " "),
        ("choice", ""),
        ("choice", "[1]"),
        ("choice", "a\n\nb"),
        ("grammar", ""),
        ("yaml", "a"),
    ],
)
def test_a_form_that_no_server_takes(form: str, text: str) -> None:
    with pytest.raises(EngineError) as caught:
        structured(form, text)
    assert caught.value.code == "server.form"


def test_fields_stand_where_each_route_reads_them() -> None:
    fields = dict([field("min_tokens", "3"), field("logit_bias", '{"5": -1.5}'), field("priority", "2")])
    asked = Asked("m", (1, 2), Sampling(), 5, None, extras=Extras(fields=fields))
    flat = msgspec.json.decode(completions.body(asked))
    nested = msgspec.json.decode(generate.body(asked))
    assert (flat["min_tokens"], flat["logit_bias"], flat["priority"]) == (3, {"5": -1.5}, 2)
    assert (nested["sampling_params"]["min_tokens"], nested["priority"]) == (3, 2)
    assert "priority" not in nested["sampling_params"]


@pytest.mark.parametrize(
    ("name", "value"), [("temprature", "1"), ("min_tokens", '"x"'), ("bad_words", "{"), ("", "1")]
)
def test_a_field_that_is_unknown_or_of_another_kind(name: str, value: str) -> None:
    with pytest.raises(EngineError) as caught:
        field(name, value)
    assert caught.value.code == "server.field"


def test_limits() -> None:
    biased = Extras(fields={"logit_bias": {"5": 1.0}})
    check(biased, Sampling(), speculative=False, route="generate")
    for extras, sampling, speculative in (
        (biased, Sampling(), True),
        (Extras(fields={"min_tokens": 9}), Sampling(max_tokens=8), False),
    ):
        with pytest.raises(EngineError) as caught:
            check(extras, sampling, speculative=speculative, route="generate")
        assert caught.value.code == "server.limit"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("min_tokens", "-1"),
        ("logit_bias", '{"the": 1}'),
        ("allowed_token_ids", "[]"),
        ("stream_interval", "0"),
        ("repetition_detection", '{"max": 3}'),
        ("cache_salt", '"a/b"'),
        ("cache_salt", '""'),
        ("skip_reading_prefix_cache", "1"),
    ],
)
def test_values_that_every_server_refuses(name: str, value: str) -> None:
    with pytest.raises(EngineError) as caught:
        field(name, value)
    assert caught.value.code == "server.field"


def test_a_field_of_one_route_is_never_sent_to_the_other_where_it_means_nothing() -> None:
    alone = Extras(fields={"skip_reading_prefix_cache": True})
    check(alone, Sampling(), speculative=False, route="generate")
    with pytest.raises(EngineError) as caught:
        check(alone, Sampling(), speculative=False, route="completions")
    assert caught.value.params["limit"] == "--enable-scale-out"
    renamed = Asked("m", (1, 2), Sampling(), 5, None, extras=Extras(fields={"extra_args": {"x": 1}}))
    assert msgspec.json.decode(completions.body(renamed))["vllm_xargs"] == {"x": 1}
    assert msgspec.json.decode(generate.body(renamed))["sampling_params"]["extra_args"] == {"x": 1}


def test_what_this_program_sets_or_reads_itself_is_no_field() -> None:
    assert not {"n", "logprobs", "prompt_logprobs", "logprob_token_ids", "detokenize", "stop"} & set(FIELDS)
