"""An answer as text: what is not known is said to be so, and what an engine told besides in plain words."""

from __future__ import annotations

import io

import pytest

from core.cli_text import TextPrinter
from core.engines.base import EngineInfo, Finished, Sampling, Speculation
from core.tokens.decode import Piece
from core.tokens.row import Candidate, TokenRow
from tests.fakes.scripted_engine import byte_vocabulary

VOCABULARY = byte_vocabulary()


def printed(row: TokenRow, *evidence: str) -> str:
    out = io.StringIO()
    printer = TextPrinter(out)
    info = EngineInfo("vllm", "tiny", evidence=evidence)  # type: ignore[arg-type]
    printer.start(info, "hi", 3, Sampling(temperature=0.0))
    printer.token(0, row, Piece("a", 1, 0, 1), VOCABULARY)
    return out.getvalue().splitlines()[-1]


def ended(*notes: str, **facts: object) -> list[str]:
    out = io.StringIO()
    whole = {"stop_reason": None, "seed": 1, "prompt_tokens": 3, "completion_tokens": 40, **facts}
    unknown = {"reused_tokens": None, "prefill_ms": None, "decode_tokens_per_second": None}
    TextPrinter(out).end(Finished("stop", **unknown, **whole, notes=notes))  # type: ignore[arg-type]
    return out.getvalue().splitlines()[-1].split(" · ")


@pytest.mark.parametrize(("evidence", "own"), [("model", -2.0), ("sampling", None), ("logit", None)])
def test_a_rank_that_is_not_known_is_more_than_what_is_listed(evidence: str, own: float | None) -> None:
    listed = (Candidate(98, -0.5), Candidate(99, -1.0), Candidate(97, -2.0))
    assert " > #2 " in printed(TokenRow(97, 0.0, logprob=own, candidates=listed), evidence)
    assert " #7 " in printed(TokenRow(97, 0.0, logprob=own, rank=7, candidates=listed), evidence)
    assert "#" not in printed(TokenRow(97, 0.0), "absent")


def test_guesses() -> None:
    told = Speculation(9, 20, 12, guesses=(1, 2), offered=(2, 2))
    assert ended(speculation=told)[1] == "12 guesses kept of 20, 9 passes"
    summary = Speculation(1, 1200, 1)
    words = "1 guess kept of 1,200, 1 pass (may include guesses after the stop token)"
    assert ended(speculation=summary)[1] == words


def test_notes_in_plain_words() -> None:
    found = ended(
        "counts_differ", "prompt_count_differs", "burst", server_tokens=1041, server_prompt_tokens=5
    )
    assert found[2:] == [
        "the server counted 1,041 tokens",
        "the server counted 5 prompt tokens",
        "the tokens came all at once, so their speed is not known",
    ]


def test_every_note_of_an_answer_has_words() -> None:
    """But the one that repeats the reason."""
    codes = (
        "counts_differ", "prompt_count_differs", "text_without_ids", "burst", "all_certain",
        "details_refused", "form_masked", "aborted_by_server", "text_from_server",
    )  # fmt: skip
    assert len(ended(*codes)) == 2 + len(codes)
    assert len(ended("no_reason")) == 2
