"""Cards of answers as servers gave them: each number of its kind, each missing one with its reason."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from core.chat.messages import Answer as Record
from core.engines.base import Extras, Sampling, Speculation, Structured
from core.engines.vllm.completions import Completions
from core.engines.vllm.rows import Mode, Reading, row
from core.tokens.row import Candidate, TokenRow
from core.tokens.vocabulary import Flag, Vocabulary
from desktop.inspector import words
from desktop.inspector.answers import facts_of
from desktop.inspector.model import card_model
from desktop.inspector.values import AnswerFacts, CardModel, Kind, Label, Note, Remark
from tests.core.engines.vllm.replay import rows
from tests.fakes.answers import Answer
from tests.fakes.cards import NOUNS, Sent, served, server

CASES = Path(__file__).parents[2] / "cases"


def vocabulary() -> Vocabulary:
    """310 ids; two of them look the same."""
    pieces = [f"t{number}".encode() for number in range(310)]
    pieces[257], pieces[258] = b" same", b" same"
    return Vocabulary.from_pieces(pieces, [Flag.NONE] * 310)


def on_record(found: list[TokenRow], record: Record) -> list[CardModel]:
    """All cards of an answer."""
    made = Answer([b"x"])
    made.vocabulary = vocabulary()
    made._decoder._vocabulary = made.vocabulary
    for one in found:
        made.row(one)
    made.finish()
    facts = facts_of(record)
    return [card_model(made.table, index, made.vocabulary, facts) for index in range(len(found))]


def reading(mode: Mode = Mode.RAW_LOGPROBS, *, greedy: bool = False) -> Reading:
    return Reading(mode, greedy, 5, ranks=True)


def notes(model: CardModel) -> list[Note]:
    return [remark.note for remark in model.remarks]


def test_facts_are_those_of_the_answer() -> None:
    counts = Speculation(1, 2, 2, (1, 2), (2, 2))
    record = server(Mode.RAW_LOGITS, "completions", speculation=counts, refused=(500, "no"))
    assert facts_of(record) == AnswerFacts(
        record.sampling, ("logit",), "vllm", "completions", Mode.RAW_LOGITS, (500, "no"), False, False, counts
    )
    older = server()
    older.info = msgspec.structs.replace(older.info, numbers="", route="")
    assert facts_of(older).mode is None  # an answer from before this was kept
    record.finished = None  # it still runs
    assert facts_of(record).refused is None
    assert facts_of(server(extras=Extras(numbers=False))).bare


def test_T05_two_of_the_same_look_are_told_apart_by_their_ids() -> None:
    found = rows("colliding_strings")
    pair = (Candidate(257, -0.5, 1), Candidate(258, -1.5, 2))
    model = on_record([TokenRow(257, 0.0, -0.5, 1, candidates=pair)], server())[0]
    assert [words.row_name(one) for one in model.rows] == ["·same  257", "·same  258"]
    # fewer than five arrived: fewer are shown
    assert all(
        len(card.rows) == len(one.candidates)
        for card, one in zip(on_record(found, server()), found, strict=True)
    )


def test_T06_a_token_without_a_number_has_none_and_its_text_is_from_its_id() -> None:
    event = json.loads((CASES / "tokens" / "echo_prompt.json").read_text())
    step = Completions().read(json.dumps(event).encode())
    found = [row(one, 0.0, reading()) for one in step.tokens]
    assert [one.id for one in found] == [33]
    model = on_record(found, server())[0]
    assert model.kind is Kind.NOTHING and model.figures == () and model.name.text == "t33"
    assert words.evidence(model) == "No numbers for this token" and not model.helpless


def test_T07_refused_numbers_are_told_with_status_and_words_and_two_ways_on() -> None:
    model = served(Sent(b"8", []), server(refused=(500, "Out of range float values")))
    assert model.remarks == (Remark(Note.REFUSED, ("500", "Out of range float values")),)
    assert model.helpless and model.rows == () and model.step is None
    asked = served(Sent(b"8", []), server(extras=Extras(numbers=False)))
    assert notes(asked) == [Note.BARE] and asked.helpless


@pytest.mark.parametrize("mode", [Mode.RAW_LOGPROBS, Mode.PROCESSED_LOGPROBS, Mode.PROCESSED_LOGITS])
def test_T09_fillers_are_never_listed_ranked_or_used_for_the_heat(mode: Mode) -> None:
    found = rows("minus_9999", reading(mode))
    for model in on_record(found, server(mode)):
        assert model.rows and all("9,999" not in one.value for one in model.rows)
        assert not any(one.cut for one in model.rows)
        if mode is not Mode.RAW_LOGPROBS:
            assert model.step is None


def test_T10_what_was_drawn_from_is_no_claim_about_the_model() -> None:
    model = served(Sent(b"8", [(b"8", 0.7), (b"1", 0.3)], 1, 1, fillers=3), server(Mode.PROCESSED_LOGPROBS))
    assert model.kind is Kind.PROCESSED and model.step is None
    assert {figure.label for figure in model.figures} == {Label.DRAWN_WITH, Label.RANK, Label.LEFT}
    assert [fact.value for fact in model.facts] == [None]


def test_T12_a_token_that_is_also_listed_has_one_row_and_shifts_no_rank() -> None:
    for model in on_record(rows("duplicate_sampled"), server()):
        ids = [one.id for one in model.rows]
        assert len(ids) == len(set(ids)) and sum(one.chosen for one in model.rows) == 1
        ranks = [one.rank for one in model.rows if one.rank is not None]
        assert ranks == sorted(ranks) and ranks[0] == 1


def test_T26_a_server_that_lists_nothing_says_so_and_leads_to_what_it_was_asked() -> None:
    model = served(Sent(b"8", []), server(Mode.NONE))
    assert notes(model) == [Note.SERVER_HAS_NONE] and model.helpless
    alone = served(Sent(b"8", [], own=0.5), server())  # no alternatives, but the token's own number
    assert alone.kind is Kind.RAW and [one.chosen for one in alone.rows] == [True]


def test_T27_a_token_without_numbers_is_said_alone_and_later_ones_go_on() -> None:
    found = on_record(rows("null_logprobs_mid"), server())
    kinds = [model.kind for model in found]
    assert Kind.NOTHING in kinds and kinds[-1] is Kind.RAW
    for model in found:
        if model.kind is Kind.NOTHING:
            assert notes(model) == [Note.NO_NUMBER] and not model.helpless


def test_a_servers_rank_may_count_ties_only_where_nothing_listed_proves_it() -> None:
    far = served(Sent(b" gum", NOUNS, 0.0004, 212), server())
    assert far.between == 206 and Note.RANK_OF_SERVER in notes(far)
    next_one = served(Sent(b" gum", NOUNS, 0.0004, 6), server())
    assert next_one.between == 0 and Note.RANK_OF_SERVER not in notes(next_one)
    without = served(Sent(b" gum", NOUNS, 0.0004), server(route="completions"))
    assert Remark(Note.RANK_NOT_SENT, flag="--enable-scale-out") in without.remarks
    unclear = served(Sent(b" gum", NOUNS, 0.0004), server())
    assert Note.RANK_UNCLEAR in notes(unclear)


def test_the_rest_is_what_raw_numbers_leave_of_the_whole() -> None:
    model = served(Sent(b"8", [(b"8", 0.6), (b"1", 0.15)], rank=1), server())
    assert model.others is not None and model.others.value == "25.0 %"
    sure = served(Sent(b"8", [(b"8", 0.99999), (b"1", 0.00001)], rank=1), server())
    assert sure.others is not None and sure.others.value == "< 0.010 %"
    too_much = served(Sent(b"8", [(b"8", 0.8), (b"1", 0.7)], rank=1), server())
    assert too_much.others is None


def test_the_flag_for_the_samplers_facts_is_that_of_the_route() -> None:
    flags = {
        route: [remark.flag for remark in served(Sent(b"8", NOUNS[:1], 0.5, 1), server(route=route)).remarks]
        for route in ("generate", "completions")
    }
    mask = "--return-sampling-mask --logprobs-mode processed_logprobs"
    assert mask in flags["generate"] and f"--enable-scale-out {mask}" in flags["completions"]


def test_settings_used_are_named_in_the_order_they_work() -> None:
    sampling = Sampling(temperature=0.5, min_p=0.1, top_k=9, presence_penalty=-1, frequency_penalty=0.5)
    model = served(Sent(b"8", [(b"8", 1.0)], rank=1), server(Mode.PROCESSED_LOGPROBS, sampling=sampling))
    assert model.remarks[0] == Remark(
        Note.PROCESSED_BY, ("presence -1", "frequency 0.5", "temperature 0.5", "min-p 0.1", "top-k 9")
    )


def test_a_form_is_said_to_mask_in_every_mode() -> None:
    form = Extras(Structured("choice", ["8", "9"]))
    for mode in (Mode.RAW_LOGPROBS, Mode.PROCESSED_LOGPROBS, Mode.RAW_LOGITS):
        model = served(Sent(b"8", [(b"8", 0.9)], rank=1), server(mode, extras=form))
        assert Note.FORM_MASK in notes(model)
        assert Note.FORM_MASK not in notes(served(Sent(b"8", [(b"8", 0.9)], rank=1), server(mode)))


def test_a_step_ends_with_a_token_of_the_models_own() -> None:
    counts = Speculation(2, 5, 3, (1, 2, 4), (3, 3, 2))
    made = Answer([b"x"]).add([b"x"] * 6, 0.5).finish()
    made.table.mark_guesses(counts.guesses or ())
    facts = AnswerFacts(engine="vllm", evidence=("model",), speculation=counts)
    steps = [card_model(made.table, index, made.vocabulary, facts).kept_guesses for index in range(6)]
    assert steps == [None, (2, 3), (2, 3), None, (1, 2), None]
    assert Note.TURNED_DOWN in notes(card_model(made.table, 1, made.vocabulary, facts))
    assert Note.TURNED_DOWN not in notes(card_model(made.table, 0, made.vocabulary, facts))
