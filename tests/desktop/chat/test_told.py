"""What servers tell of an answer beside its tokens, in words; nothing they did not tell."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from core.chat.messages import Answer
from core.engines.base import EngineInfo, Extras, Speculation, Structured
from desktop.chat import facts, told
from desktop.chat.turns import Banner
from tests.core.chat.saved import answer
from tests.fakes.scripted_engine import finished

ENGINES = Path(__file__).parents[3] / "core" / "engines" / "vllm"


def served(*notes: str, extras: Extras | None = None, **changes: object) -> Answer:
    made = answer("abcd", finished=finished(4, notes=notes, **changes))
    made.info = EngineInfo("vllm", "m")
    if extras is not None:
        made.extras = extras
    return made


def shown(made: Answer) -> Banner:
    found = told.banner(made)
    assert found is not None
    return found


def parts(made: Answer) -> list[str]:
    return facts.facts(made, 0.3).split(" · ")


def test_every_code_of_an_engine_has_words_or_its_place_elsewhere() -> None:
    sources = "".join(path.read_text() for path in ENGINES.glob("*.py"))
    codes = set(re.findall(r"note\(\"(\w+)\"\)", sources))
    assert codes and codes <= {*told.WARNINGS, *told.INFO, *told.ELSEWHERE}
    for code in (*told.WARNINGS, *told.INFO):
        banner = shown(served(code))
        assert banner.what.endswith(".") and "{" not in banner.what + banner.why
    assert told.banner(served(*told.ELSEWHERE)) is None


def test_T20_counts_that_differ_are_told_with_both() -> None:
    banner = shown(served("counts_differ", server_tokens=12))
    assert (banner.what, banner.kind) == ("The server counted 12 tokens; 4 were received.", "warn")
    prompt = shown(served("prompt_count_differs", server_prompt_tokens=5))
    assert prompt.what == "The server counted 5 prompt tokens; 3 were sent."


def test_T07_refused_numbers_are_told_with_the_servers_status_and_words() -> None:
    banner = shown(served("details_refused", refused=(400, "logprobs are off")))
    assert (banner.kind, banner.why) == ("info", "It said, with status 400: logprobs are off")
    assert shown(served("details_refused", refused=(500, ""))).why == "It gave no reason but status 500."
    assert shown(served("details_refused")).why == ""


def test_T14_equal_values_make_no_statistics() -> None:
    made = served("all_certain")
    for index in range(len(made.table)):
        made.table.columns["logprob"][index] = 0.0
    assert shown(made).what == "Every token was sent as 100 % certain."
    text = facts.facts(made, 0.3)
    assert "perplexity" not in text and "doubtful" not in text
    assert "perplexity" in facts.facts(served(), 0.3)


def test_several_are_told_together_the_gravest_first() -> None:
    banner = shown(served("details_refused", "text_without_ids"))
    assert banner.kind == "warn" and banner.what.startswith("Some text came without")
    assert "refused token numbers" in banner.why
    assert facts.footer(served("text_without_ids"), (1, 1), 0.3, can_ask=True).actions == ("copy", "again")


def test_a_burst_has_no_speed_and_says_why() -> None:
    made = served("burst", decode_tokens_per_second=None, prefill_ms=None)
    assert parts(made)[1] == "speed not measurable: arrived at once"
    assert "first token" not in facts.facts(made, 0.3)


@pytest.mark.parametrize(
    ("reused", "engine", "words"),
    [(96, "vllm", "96 of 120 tokens from the cache"), (None, "vllm", ""), (0, "vllm", ""), (96, "local", "")],
)
def test_the_cached_part_of_the_prompt_only_where_a_server_told_it(
    reused: int | None, engine: str, words: str
) -> None:
    made = served(reused_tokens=reused, prompt_tokens=120)
    made.info = EngineInfo(engine, "m")  # type: ignore[arg-type]
    assert told.cached(made) == words
    assert not words or parts(made)[2:4] == ["first token 0.10 s", words]


@pytest.mark.parametrize(
    ("reason", "note", "end"),
    [
        ("unknown", "no_reason", "ended without a reason"),
        ("unknown", "aborted_by_server", "stopped by the server"),
        ("unknown", "", "ended without a reason"),
    ],
)
def test_an_end_without_a_known_reason(reason: str, note: str, end: str) -> None:
    made = served(*filter(None, [note]), reason=reason, stop_reason=None)
    assert parts(made)[-1] == end


def test_guesses_are_counted_and_marked_ones_are_exact() -> None:
    counts = Speculation(9, 20, 12)
    assert "12 guess(es) kept of 20, 9 passes with guesses" in facts.facts(served(speculation=counts), 0.3)
    assert "(may include guesses after the stop token)" in facts.facts(served(speculation=counts), 0.3)
    marked = msgspec.structs.replace(counts, guesses=(1, 2))
    assert "may include" not in facts.facts(served(speculation=marked), 0.3)


@pytest.mark.parametrize(
    ("extras", "words"),
    [
        (Extras(Structured("json", {"type": "object"})), ["form: JSON schema"]),
        (Extras(Structured("regex", "a+")), ["form: regular expression"]),
        (Extras(Structured("choice", ["a", "b"])), ["form: one of several texts"]),
        (Extras(Structured("grammar", "root")), ["form: grammar"]),
        (Extras(fields={"min_tokens": 2, "bad_words": ["x"]}), ["min_tokens, bad_words"]),
        (Extras(numbers=False), ["asked without token numbers"]),
        (Extras(), []),
    ],
)
def test_what_it_was_asked_for_stays_with_the_answer(extras: Extras, words: list[str]) -> None:
    assert list(told.asked(extras)) == words
    assert all(word in parts(served(extras=extras)) for word in words)


def test_nothing_is_told_before_the_end() -> None:
    assert told.banner(answer("ab", finished=None)) is None
