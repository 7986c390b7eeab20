"""The card's values: only what was sent, each number of a named kind, a reason for what is missing."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.base import Sampling
from core.tokens.row import Candidate, TokenRow
from core.tokens.table import MARK_AFTER_STOP
from desktop.inspector.model import byte_boxes, card_model, limited, token_name
from desktop.inspector.values import AnswerFacts, CardModel, Kind, Label, Note, Remark, Shape
from tests.fakes.answers import Answer, answer
from tests.fakes.cards import EVERYTHING, NOUNS, RAW, Listed, cards, one, split

ALL = cards()


def figures(model: CardModel) -> dict[Label, str]:
    return {figure.label: figure.value for figure in model.figures}


def facts(model: CardModel) -> dict[Label, str | None]:
    return {fact.label: fact.value for fact in model.facts}


def notes(model: CardModel) -> list[Note]:
    return [remark.note for remark in model.remarks]


def test_everything() -> None:
    model = ALL["everything"]
    assert model.kind is Kind.EVERYTHING
    assert figures(model) == {Label.PROBABILITY: "61.3 %", Label.RANK: "#1", Label.SURPRISE: "0.71"}
    assert [row.value for row in model.rows] == ["61.3 %", "19.0 %", "9.8 %", "4.1 %", "2.9 %"]
    assert [row.cut for row in model.rows] == [False, False, False, True, True]
    assert [row.chosen for row in model.rows] == [True, False, False, False, False]
    assert model.others is not None and model.others.value == "2.9 %"
    assert facts(model) == {Label.LEFT: "3", Label.DRAWN_WITH: "69.6 %", Label.ENTROPY: "1.80"}
    assert model.remarks == (Remark(Note.CUT_BY, ("top-p 0.9",)),)
    assert model.step == 2
    assert model.listed and not model.between


def test_raw() -> None:
    model = ALL["raw"]
    assert model.kind is Kind.RAW
    assert facts(model) == {Label.LEFT: None, Label.DRAWN_WITH: None}
    assert notes(model) == [Note.SAMPLER_NOT_SENT]
    assert not any(row.cut for row in model.rows)


def test_processed_claims_no_probability_of_the_model() -> None:
    model = ALL["processed"]
    assert model.kind is Kind.PROCESSED
    assert figures(model) == {Label.DRAWN_WITH: "69.6 %", Label.RANK: "#1", Label.LEFT: "3"}
    assert facts(model) == {Label.MODEL_PROBABILITY: None}
    assert model.step is None
    assert model.others is None
    assert model.remarks == (
        Remark(Note.PROCESSED_BY, ("temperature 0.95", "top-k 40", "top-p 0.9")),
        Remark(Note.MODEL_NOT_SENT, flag="--logprobs-mode raw_logprobs"),
    )


def test_logits_are_never_shares() -> None:
    model = ALL["logits"]
    assert model.kind is Kind.LOGITS
    assert figures(model) == {Label.SCORE: "18.42", Label.RANK: "#1", Label.PROBABILITY: "—"}
    assert all(row.share is None and "%" not in row.value for row in model.rows)
    assert model.others is None and model.step is None
    assert model.remarks == (Remark(Note.SCORES_ONLY, flag="--logprobs-mode raw_logits"),)  # start without


def test_an_unknown_rank_is_more_than_the_listed_that_are_likelier() -> None:
    model = ALL["no_rank"]
    assert figures(model)[Label.RANK] == "> #5"
    assert model.rows[-1].rank is None and model.rows[-1].chosen
    assert model.between == 0
    assert Note.RANK_NOT_SENT in notes(model)
    within = Listed(NOUNS[1][0], NOUNS, 0.18, None)
    assert figures(one(within, RAW))[Label.RANK] == "#2"


def test_greedy() -> None:
    model = ALL["greedy"]
    assert model.greedy
    assert facts(model)[Label.LEFT] == "1"
    assert facts(model)[Label.DRAWN_WITH] == "100 %"
    assert [row.cut for row in model.rows] == [False, True, True, True, True]
    assert notes(model) == [Note.CUT_GREEDY]


def test_greedy_is_known_without_being_sent() -> None:
    listed = Listed(b"8", [(b"8", 0.6), (b"1", 0.2)], others=None)
    model = one(listed, AnswerFacts(Sampling(temperature=0), ("model",), "vllm"))
    assert facts(model) == {Label.LEFT: "1", Label.DRAWN_WITH: "100 %"}
    assert [row.cut for row in model.rows] == [False, True]


def test_not_listed() -> None:
    model = ALL["not_listed"]
    assert not model.listed
    assert model.between == 206
    assert model.rows[-1].chosen and model.rows[-1].rank == 212
    assert figures(model)[Label.PROBABILITY] == "0.040 %"


def test_the_last_of_the_listed_is_listed() -> None:
    shares = [*NOUNS[:4], (b" gum", 0.01)]
    model = one(Listed(b" gum", shares, 0.2, 5), EVERYTHING)
    assert model.listed and model.between == 0


def test_split_character() -> None:
    first, second = split(), split(piece=1)
    assert first.sign == second.sign == "峯"
    assert (first.piece, second.piece) == (1, 2)
    assert [(figure.label, figure.value, figure.number) for figure in first.figures] == [
        (Label.PIECE, "34.1 %", 1),
        (Label.PIECE, "99.8 %", 2),
        (Label.SURPRISE, "1.56", 0),
    ]
    assert first.rows[1].name.text == "E5 B3"
    assert first.rows[1].name.shape is Shape.BYTES
    assert second.rows[0].chosen
    assert byte_boxes(first) == (("E5", 1), ("B3", 1), ("AF", 2))
    assert first.step == 3  # of the least likely piece
    assert Note.STEP_PIECES in notes(first)


def test_many_pieces_have_one_figure_for_all() -> None:
    made = answer([bytes([byte]) for byte in "👩".encode()], 0.5)
    model = card_model(made.table, 2, made.vocabulary, EVERYTHING)
    assert [figure.label for figure in model.figures] == [Label.PIECE, Label.ALL_PIECES, Label.SURPRISE]
    assert [figure.value for figure in model.figures] == ["50.0 %", "6.2 %", "4.00"]
    assert model.piece == 3


def test_signs_joined_by_the_reader_are_a_group_of_the_views() -> None:
    made = answer(["👩".encode(), "\u200d".encode(), "💻".encode()], 0.5)
    alone = card_model(made.table, 0, made.vocabulary, EVERYTHING)
    assert not alone.pieces
    together = card_model(made.table, 0, made.vocabulary, EVERYTHING, range(3), "👩\u200d💻")
    assert len(together.pieces) == 3
    assert together.sign == "👩\u200d💻"


def test_nothing_sent() -> None:
    model = ALL["nothing"]
    assert model.kind is Kind.NOTHING
    assert model.figures == () and model.rows == () and model.facts == () and model.others is None
    assert model.step is None
    assert notes(model) == [Note.REFUSED] and model.helpless
    assert model.data == b" Canberra"


def test_a_guess_that_was_kept() -> None:
    assert ALL["guess"].guess is True
    assert ALL["raw"].guess is None


def test_special_and_stopped_tokens_have_no_heat() -> None:
    made = Answer([b"a"], special=(b"<|x|>",)).add([b"a", b"<|x|>"], 0.01).finish()
    model = card_model(made.table, 1, made.vocabulary, EVERYTHING)
    assert model.name.shape is Shape.SPECIAL and model.step is None
    made.table.columns["mark"][0] |= MARK_AFTER_STOP  # type: ignore[operator]
    model = card_model(made.table, 0, made.vocabulary, EVERYTHING)
    assert model.step is None and Note.AFTER_STOP in notes(model)


def test_names_are_never_empty_and_tell_blanks() -> None:
    made = answer([b"a", b""], special=(b"<|x|>",))
    assert token_name(made.vocabulary, made.ids[b""]).shape is Shape.EMPTY
    assert token_name(made.vocabulary, 10**6).text == "<id 1000000>"
    assert token_name(made.vocabulary, made.ids[b"<|x|>"]).shape is Shape.SPECIAL


def test_duplicates_and_fillers_are_dropped() -> None:
    made = Answer([b"a", b"b", b"c"])
    a, b, c = (made.ids[piece] for piece in (b"a", b"b", b"c"))
    half = math.log(0.5)
    candidates = (
        Candidate(a, half, 1),
        Candidate(a, half, 1),
        Candidate(b, -9999.0, None),
        Candidate(c, math.nan, None),
    )
    made.row(TokenRow(a, 1.0, half, 1, None, candidates, 0.5)).finish()
    model = card_model(made.table, 0, made.vocabulary, RAW)
    assert [row.id for row in model.rows] == [a]


def test_a_number_that_is_none_is_never_shown() -> None:
    made = Answer([b"a"])
    for logprob in (math.nan, -9999.0, None):
        made.row(TokenRow(0, 1.0, logprob, None, None, (), None))
    made.finish()
    for index in range(3):
        model = card_model(made.table, index, made.vocabulary, EVERYTHING)
        assert model.kind is Kind.NOTHING


def test_what_is_missing_from_our_own_engine_is_said() -> None:
    model = one(Listed(b"8", [(b"8", 0.6)], 0.4, 1, kept=3, drawn=0.7), EVERYTHING)
    assert facts(model)[Label.ENTROPY] is None
    assert Note.MISSING in notes(model)
    assert Note.MISSING not in notes(ALL["everything"])


@given(st.lists(st.floats(0.001, 1.0), min_size=2, max_size=20), st.integers(2, 20))
def test_shares_add_up_to_the_whole_even_with_fewer_rows(weights: list[float], rows: int) -> None:
    total = sum(weights) * 1.25
    shares = [(bytes([65 + n]), weight / total) for n, weight in enumerate(sorted(weights, reverse=True))]
    others = 1 - sum(share for _, share in shares)
    model = one(Listed(shares[-1][0], shares, others, len(shares), 9, 0.1, 1.0), EVERYTHING)
    for shown in (model, limited(model, rows)):
        assert shown.others is not None and shown.others.share is not None
        whole = sum(row.share or 0.0 for row in shown.rows) + shown.others.share
        assert whole == pytest.approx(1.0, abs=1e-6)
        assert sum(row.chosen for row in shown.rows) == 1
        assert len(shown.rows) <= max(rows, 2) or shown is model


def test_others_is_what_was_sent() -> None:
    assert one(Listed(b"8", [(b"8", 0.6)], 0.1), RAW).others.share == pytest.approx(0.1)  # type: ignore[union-attr]
    assert one(Listed(b"8", [(b"8", 0.6)], None), EVERYTHING).others is None


def test_a_token_that_is_not_there() -> None:
    made = answer([b"a"])
    for index in (-1, 1):
        with pytest.raises(IndexError):
            card_model(made.table, index, made.vocabulary, EVERYTHING)


def test_many_bytes_are_cut_with_a_sign() -> None:
    made = answer([b"x" * 40])
    boxes = byte_boxes(card_model(made.table, 0, made.vocabulary, EVERYTHING))
    assert len(boxes) == 16
    assert boxes[-1] == ("", 0)
