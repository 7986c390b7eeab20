"""The words of each card: labels, evidence line, reasons, the card as text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.engines.base import Sampling
from core.tokens.decode import Piece
from core.tokens.learned import LearnedVocabulary
from core.tokens.row import TokenRow
from core.tokens.table import TokenTable
from desktop.inspector import words
from desktop.inspector.model import card_model
from desktop.inspector.sentences import sentence
from desktop.inspector.values import AnswerFacts, CardModel
from tests.fakes.cards import REFUSED, cards, split

ALL = cards()

EVIDENCE = {
    "everything": "Model, and what the sampler did",
    "raw": "What the model thought (raw log probabilities)",
    "processed": "Processed: what was drawn from",
    "logits": "Raw logits: scores only",
    "greedy": "Greedy: temperature 0",
    "split": "Model and sampler · piece 1 of 2",
    "guess": "Raw · guessed ahead",
    "nothing": "No numbers from this server",
    "none": "No numbers from this server",
    "unknown": "No numbers from this server",
    "bare": "Asked for without numbers",
    "no_number": "No numbers for this token",
    "greedy_server": "Greedy: temperature 0",
    "processed_logits": "Processed logits: scores after the settings",
}


@pytest.mark.parametrize("name", EVIDENCE)
def test_evidence(name: str) -> None:
    assert words.evidence(ALL[name]) == EVIDENCE[name]


def test_evidence_of_what_is_not_listed_and_has_no_rank() -> None:
    assert words.evidence(ALL["not_listed"]).startswith("Raw · not among the 5")
    assert words.evidence(ALL["no_rank"]).endswith("rank not sent")


def test_a_guess_is_counted_within_its_step() -> None:
    assert words.guess_kept(ALL["guess"]) == "Guess kept: 2 of 2 kept in this step"
    assert words.guess_kept(replace(ALL["guess"], kept_guesses=None)) == "Guess kept"


def test_a_refusal_is_told_with_its_status_and_words() -> None:
    text = words.as_text(ALL["nothing"])
    assert "status 400" in text and text.endswith(f"Its words: {REFUSED}")


def test_what_a_number_is_in_short() -> None:
    assert "Left: 3" in words.as_text(ALL["processed"])
    assert "Left: ≥ 5" in words.as_text(ALL["processed_more"])


def test_place() -> None:
    assert words.place(ALL["nothing"]).startswith("Token 1 of 1 · id 0 · 9 byte")
    assert words.place(split()) == "Tokens 1 and 2 of 2 · one character · id 1"


def test_names_show_their_blanks() -> None:
    assert words.heading(ALL["nothing"]) == "·Canberra"
    assert words.heading(split()) == "峯"
    assert words.name(ALL["no_rank"].rows[0].name) == "·word"


def missing(model: CardModel) -> set[str]:
    return {words.missing(model) for fact in model.facts if fact.value is None}


def test_every_missing_line_has_a_reason_below_it() -> None:
    for name, model in ALL.items():
        if missing(model):
            assert model.remarks, name
    assert missing(ALL["raw"]) == {"not sent"}


def test_every_note_and_label_has_words() -> None:
    for model in ALL.values():
        for remark in model.remarks:
            said = sentence(model, remark)
            assert "{" not in said and said.endswith(":") == bool(remark.flag)
        for figure in model.figures:
            assert words.figure_label(figure)
            assert words.value(figure)


def test_the_card_as_text() -> None:
    text = words.as_text(ALL["everything"])
    assert text.splitlines()[0] == "8"
    for part in (
        "Probability: 61.3 %",
        "Rank: #1",
        "Surprise: 0.71 bits",
        "Model, and what the sampler did",
        "→ 1  8  61.3 %  (0)",
        "  2  1  19.0 %  (1)",
        "Everything else  2.9 %",
        "Candidates left: 3",
        "Drawn with: 69.6 %",
        "Entropy: 1.80 bits",
        "Bytes: 38",
        "Grey: cut by top-p 0.9.",
    ):
        assert part in text
    assert "206 more in between" in words.as_text(ALL["not_listed"])
    assert "Bytes: E5 B3 AF" in words.as_text(split())
    assert "Candidates left: not sent" in words.as_text(ALL["raw"])


def test_bytes_that_a_server_does_not_tell_are_not_made_up() -> None:
    vocabulary = LearnedVocabulary()
    vocabulary.learn(7, " \ufffd")
    table = TokenTable()
    table.append(TokenRow(7, 1.0, -0.5, 1), Piece(" \ufffd", 0, 2, 2))
    model = card_model(
        table, 0, vocabulary, AnswerFacts(sampling=Sampling(), evidence=("model",), engine="vllm")
    )
    assert (words.name(model.name), model.data) == (" \ufffd", b"")
    assert "bytes not known" in words.place(model)
    assert "Bytes" not in words.as_text(model)
