"""What is told of a server's abilities: never more than its answers prove, and the flag that would help."""

from __future__ import annotations

import ast
import asyncio
from pathlib import Path

import msgspec
import pytest

from core.engines.abilities import NAMES, Ability, Why
from core.engines.base import EngineInfo
from core.engines.local.abilities import abilities as local_abilities
from core.engines.vllm import probe
from core.engines.vllm.abilities import LINES, Seen, abilities
from core.engines.vllm.capabilities import Capabilities
from core.engines.vllm.http import Server
from core.engines.vllm.rows import Mode
from core.models.specs import Specs
from tests.fakes.fake_vllm import ONE_TOKEN, FakeVllm

NOTHING = Seen()
PLAIN = Specs("llama", context_limit=8192)
NUMBERS = ("probability", "candidates", "rank", "drawn", "kind")
SEEING = Specs("qwen3_5", context_limit=262144, images=True, video=True)


def found(**changes: object) -> Capabilities:
    async def main() -> Capabilities:
        fake = FakeVllm(**changes)  # type: ignore[arg-type]
        async with fake.serve(), Server(fake.address) as server:
            return await probe.probe(server)

    return asyncio.run(main())


def told(
    matrix: Capabilities, specs: Specs | None = PLAIN, seen: Seen = NOTHING, *, server_text: bool = False
) -> dict[str, Ability]:
    lines = abilities(matrix, specs, seen, 5, server_text=server_text)
    assert tuple(line.name for line in lines) == NAMES
    return {line.name: line for line in lines}


def test_every_cell_that_the_probe_can_fill_has_its_line() -> None:
    assert probe.__file__ is not None
    tree = ast.parse(Path(probe.__file__).read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    says = [call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "_say"]
    names = {call.args[0].value for call in says if isinstance(call.args[0], ast.Constant)}
    assert names and len(says) == sum(isinstance(call.args[0], ast.Constant) for call in says)
    assert names == set(LINES)
    assert set(LINES.values()) <= {*NAMES, ""}
    assert {cell.name for cell in found(speculative=True, scale_out=True).cells} == set(LINES)


def test_without_flags() -> None:
    lines = told(found())
    assert (lines["probability"].answer, lines["probability"].values) == ("yes", ("/v1/completions",))
    assert (lines["candidates"].answer, lines["candidates"].values) == ("yes", (20,))
    rank = lines["rank"]
    assert (rank.answer, rank.flag) == ("no", "--enable-scale-out")
    assert "Scale-out endpoints are disabled" in rank.evidence
    assert lines["left"].flag == (
        "--enable-scale-out --return-sampling-mask --logprobs-mode processed_logprobs"
    )
    assert (lines["drawn"].answer, lines["drawn"].flag) == ("no", "--logprobs-mode processed_logprobs")
    assert {lines[name].answer for name in ("guesses_counted", "guesses_marked")} == {"none"}
    assert lines["greedy"].answer == "yes"
    assert lines["kind"].why is Why.KIND_RAW
    assert (lines["context"].why, lines["context"].values) == (Why.CONTEXT_OF, (512, 8192))


def test_with_scale_out() -> None:
    lines = told(found(scale_out=True))
    assert (lines["rank"].answer, lines["rank"].flag) == ("yes", "")
    assert lines["left"].flag == "--return-sampling-mask --logprobs-mode processed_logprobs"
    assert lines["ids"].values == ("/inference/v1/generate",)


@pytest.mark.parametrize("mode", [mode for mode in Mode if mode.value in ONE_TOKEN])
def test_the_models_own_probability_only_from_raw_log_probabilities(mode: Mode) -> None:
    lines = told(found(mode=mode.value, scale_out=True))
    raw, processed = mode is Mode.RAW_LOGPROBS, mode is Mode.PROCESSED_LOGPROBS
    assert lines["probability"].answer == ("yes" if raw else "no")
    assert lines["probability"].flag == ("" if raw else "--logprobs-mode raw_logprobs")
    assert lines["drawn"].answer == ("yes" if processed else "no")
    assert lines["left"].why is (Why.LEFT_IF_FEW if mode.processed else Why.SAMPLER_NOT_SENT)
    assert lines["kind"].answer == "yes"


def test_what_is_counted_from_the_list_is_as_long_as_what_is_asked_for() -> None:
    """Five are shown: six are asked for on the route of ids, five on the other."""
    assert told(found(mode="processed_logprobs", scale_out=True))["left"].values == (6,)
    assert told(found(mode="processed_logprobs"))["left"].values == (5,)
    assert told(found(mode="processed_logprobs", max_logprobs=3))["left"].values == (3,)
    assert told(found())["rank"].values == (5,)
    assert told(found(max_logprobs=2))["rank"].values == (2,)


def test_masks_show_what_was_left_and_cost_temperature_0() -> None:
    lines = told(found(mode="processed_logprobs", scale_out=True, sampling_mask=True))
    assert (lines["left"].answer, lines["left"].why, lines["left"].flag) == ("yes", Why.MASK, "")
    assert (lines["greedy"].answer, lines["greedy"].why) == ("no", Why.GREEDY_REFUSED)
    assert "temperature > 0" in lines["greedy"].evidence


def test_a_server_that_breaks_on_numbers_shows_none() -> None:
    lines = told(found(broken_numbers=True))
    for name in NUMBERS:
        assert (lines[name].answer, lines[name].why, lines[name].flag) == ("no", Why.NO_NUMBERS, "")
        assert "JSON compliant" in lines[name].evidence


def test_numbers_that_an_answer_was_refused_for_are_not_promised() -> None:
    lines = told(found(scale_out=True), seen=Seen(refused="logprobs are broken"))
    for name in NUMBERS:
        assert (lines[name].answer, lines[name].evidence) == ("no", "logprobs are broken")


@pytest.mark.parametrize(("allowed", "answer", "flag"), [(0, "no", "--max-logprobs 20"), (20, "yes", "")])
def test_few_candidates(allowed: int, answer: str, flag: str) -> None:
    line = told(found(max_logprobs=allowed))["candidates"]
    assert (line.answer, line.flag) == (answer, flag)
    assert told(found(max_logprobs=3))["candidates"].flag == "--max-logprobs 20"
    assert told(found(max_logprobs=100))["candidates"].why is Why.LISTED_AT_LEAST


def test_numbers_of_an_unknown_kind_are_unknown() -> None:
    lines = told(msgspec.structs.replace(found(scale_out=True), mode=Mode.UNKNOWN))
    for name in NUMBERS:
        assert lines[name].answer == "unknown"


def test_guesses() -> None:
    matrix = found(scale_out=True, speculative=True)

    def guesses(**changes: object) -> tuple[Ability, Ability]:
        lines = told(msgspec.structs.replace(matrix, **changes))
        return lines["guesses_counted"], lines["guesses_marked"]

    flag = "--per-request-spec-decode-metrics detailed"
    for metrics, answers, wanted in (
        ("none", ("no", "no"), (flag, flag)),
        ("summary", ("yes", "no"), ("", flag)),
        ("detailed", ("yes", "yes"), ("", "")),
    ):
        lines = guesses(speculation_metrics=metrics)
        assert tuple(line.answer for line in lines) == answers
        assert tuple(line.flag for line in lines) == wanted
    assert {line.answer for line in guesses(speculative=None, speculation_metrics=None)} == {"unknown"}
    early = tuple(
        msgspec.structs.replace(cell, verdict="unknown") if cell.name == "speculation_metrics" else cell
        for cell in matrix.cells
    )
    counted, marked = guesses(speculation_metrics="summary", cells=early)
    assert (counted.answer, marked.answer, marked.why) == ("yes", "unknown", Why.GUESSES_NO_STEP_YET)


def test_what_only_answers_show_is_unknown_until_then() -> None:
    matrix = found()
    lines = told(matrix)
    assert (lines["cached"].answer, lines["cached"].flag) == ("unknown", "--enable-prompt-tokens-details")
    assert lines["tokenizer"].answer == lines["stop"].answer == "unknown"
    lines = told(matrix, seen=Seen(cached=48, compared=True))
    assert (lines["cached"].answer, lines["cached"].values) == ("yes", (48,))
    assert lines["tokenizer"].answer == "yes"
    assert told(matrix, server_text=True)["tokenizer"].why is Why.TOKENIZER_SERVER


def test_media_by_the_model_and_the_route() -> None:
    plain, scaled = found(), found(scale_out=True)
    assert {told(plain)[name].answer for name in ("images", "sound", "video")} == {"none"}
    assert {told(plain, None)[name].answer for name in ("images", "sound", "video")} == {"unknown"}
    off = told(plain, SEEING)
    assert (off["images"].answer, off["images"].flag) == ("no", "--enable-scale-out")
    assert off["sound"].answer == "none"
    assert {told(scaled, SEEING)[name].answer for name in ("images", "video")} == {"unknown"}


def test_no_limit_told() -> None:
    matrix = msgspec.structs.replace(found(), context_limit=None)
    assert told(matrix)["context"].answer == "unknown"


def test_the_built_in_engine_shows_all_that_its_model_has() -> None:
    info = EngineInfo(engine="local", model="tiny", context_limit=8192)
    lines = {line.name: line for line in local_abilities(info, PLAIN, 5)}
    assert tuple(lines) == NAMES
    assert {name for name, line in lines.items() if line.answer == "yes"} == set(NAMES) - {
        "guesses_counted", "guesses_marked", "images", "sound", "video"}  # fmt: skip
    assert lines["context"].why is Why.CONTEXT
    assert not any(line.flag for line in lines.values())
    other = {line.name: line for line in local_abilities(info, SEEING, 5)}
    assert (other["images"].answer, other["images"].why) == ("no", Why.TEXT_ONLY)
    unread = {line.name: line for line in local_abilities(info, None, 5)}
    assert unread["images"].answer == "unknown"
