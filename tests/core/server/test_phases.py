"""Log lines become steps: real logs of the CPU build, and one put together from the texts of vLLM's sources
for what only a GPU writes."""

from __future__ import annotations

import json
import re
from itertools import groupby
from pathlib import Path

import pytest

from core.server.finding_words import entry, fill
from core.server.phases import Facts, PhaseMark, PhaseReader, message_of
from core.server.state import STARTING, ServerPhase

P = ServerPhase
LOGS = Path(__file__).parents[2] / "cases" / "logs"
STEPS = (P.CREATING, P.LOADING, P.COMPILING, P.WARMING, P.ASKING)


def lines(name: str) -> list[str]:
    with (LOGS / name).open(encoding="utf-8", newline="") as file:
        return file.read().split("\n")


def read(given: list[str]) -> tuple[list[PhaseMark], Facts]:
    reader = PhaseReader()
    return [mark for line in given for mark in reader.feed(line)], reader.facts


def phases(marks: list[PhaseMark]) -> tuple[ServerPhase, ...]:
    return tuple(phase for phase, _ in groupby(mark.phase for mark in marks))


def last(marks: list[PhaseMark], phase: ServerPhase) -> PhaseMark:
    return [mark for mark in marks if mark.phase is phase][-1]


def test_a_cold_start_on_a_cpu() -> None:
    marks, facts = read(lines("start-default-cold.log"))
    assert phases(marks) == STEPS
    assert last(marks, P.CREATING) == PhaseMark(
        P.CREATING, "config_context", {"architecture": "Qwen3ForCausalLM", "context": 512}
    )
    assert last(marks, P.LOADING) == PhaseMark(P.LOADING, "loaded", {"seconds": 0.0}, 1, 1)
    assert last(marks, P.COMPILING).note == "compile_kept"
    assert last(marks, P.WARMING).params == {"tokens": 2_097_152}
    assert (facts.version, facts.cached, facts.kv_tokens, facts.concurrency) == (
        "0.32.0", False, 2_097_152, 4096.0
    )  # fmt: skip


def test_an_eager_start_has_nothing_to_compile() -> None:
    marks, facts = read(lines("start-eager.log"))
    assert phases(marks) == (P.CREATING, P.LOADING, P.WARMING, P.ASKING)
    assert facts.cached is None


def test_a_start_on_a_gpu_with_the_new_runner() -> None:
    marks, facts = read(lines("start-gpu-v2.log"))
    assert phases(marks) == STEPS
    assert last(marks, P.LOADING) == PhaseMark(
        P.LOADING, "loaded_memory", {"gib": 1.72, "seconds": 9.4}, 2, 2
    )
    assert [mark.done for mark in marks if mark.note == "shards"] == [0, 1, 2]
    assert last(marks, P.COMPILING) == PhaseMark(P.COMPILING, "compiled", {"seconds": 38.6})
    assert [(mark.done, mark.total) for mark in marks if mark.note == "graphs"] == [
        (0, 19), (10, 19), (19, 19), (11, 11)
    ]  # fmt: skip
    assert last(marks, P.WARMING) == PhaseMark(P.WARMING, "graphs_done", {"tokens": 174_592, "seconds": 4})
    assert facts == Facts(
        "0.33.0", "Qwen3_5ForConditionalGeneration", 32_768, 2, 1.72, 9.4, 38.6, False, 174_592, 5.33
    )


def test_one_object_of_json_a_line_says_the_same() -> None:
    plain, _ = read(lines("start-default-cold.log"))
    as_json = []
    for line in lines("start-default-cold.log"):
        match = re.fullmatch(r"\((\w+) pid=(\d+)\) (\w+) [\d-]+ [\d:]+ \[[^\]]+\] (.*)", line)
        as_json.append(
            json.dumps({"levelname": match[3], "process": int(match[2]), "message": match[4]})
            if match
            else line
        )
    assert sum(line.startswith("{") for line in as_json) > 50
    assert read(as_json)[0] == plain
    assert read([f"(Worker pid=7) {line}" for line in as_json])[0] == plain


def test_a_second_start_that_writes_json_and_cannot_load_what_it_kept() -> None:
    marks, facts = read(lines("start-warm-json.log"))
    assert phases(marks) == STEPS
    assert [mark.note for mark in marks if mark.phase is P.COMPILING] == [
        "compile_cold", "compile_again", "compiled_again"
    ]  # fmt: skip
    assert facts.refused
    assert (facts.version, facts.cached, facts.kv_tokens) == ("0.32.0", False, 2_097_152)


def test_every_note_has_its_sentence_and_all_its_parameters() -> None:
    found = {mark.note: mark for name in LOGS.glob("start-*.log") for mark in read(lines(name.name))[0]}
    found |= {mark.note: mark for mark in read(["Auto-fit max_model_len: reduced from 32768 to 9216 to"])[0]}
    assert len(found) > 12
    for note, mark in found.items():
        if note:
            text = fill(entry("steps", note)["text"], mark.params)
            assert text
            assert "…" not in text


def test_code_from_the_cache_passes_compiling_at_once() -> None:
    marks, facts = read(
        [
            "(Worker pid=7) INFO 11-29 14:19:44 [x.py:1] Warming up model for the compilation...",
            "(Worker pid=7) INFO 11-29 14:19:44 [x:1] [backbone] Directly load AOT compilation from path /x",
            "(Worker pid=7) INFO 11-29 14:19:44 [x.py:1] [backbone] torch.compile took 0.42 s in total",
            "(Worker pid=7) INFO 11-29 14:19:45 [x.py:1] Warming up done.",
        ]
    )
    assert [mark.note for mark in marks] == ["compile_cold", "compile_warm", "warming"]
    assert (facts.cached, facts.compile_seconds) == (True, 0.4)


def test_one_part_compiled_anew_is_not_from_the_cache() -> None:
    marks, facts = read(
        [
            "INFO 11-29 14:19:44 [x:1] [backbone] Compiling a graph for compile range (1, 2048) takes 9.00 s",
            "INFO 11-29 14:19:44 [x:1] [eagle_head] Directly load the compiled graph(s) for compile range x",
            "INFO 11-29 14:19:44 [x.py:1] torch.compile took 9.50 s in total",
        ]
    )
    assert facts.cached is False
    assert marks[-1] == PhaseMark(P.COMPILING, "compiled", {"seconds": 9.5})


def test_the_banner_with_colours_and_without() -> None:
    banner = "  ▄▄ ▄█ █     █     █ ▀▄▀ █  version 0.32.0"
    coloured = f"\x1b[1;36m(APIServer pid=1)\x1b[0;0m INFO 11-29 14:19:17 [a.py:1] {banner}"
    for line in (coloured, f"(APIServer pid=1) INFO 11-29 14:19:17 [a.py:1] {banner}"):
        (mark,) = PhaseReader().feed(line)
        assert mark == PhaseMark(P.CREATING, "importing", {"version": "0.32.0"})


@pytest.mark.parametrize(
    "name", ["start-warm-json.log", "start-default-cold.log", "start-eager.log", "start-gpu-v2.log"]
)
def test_phases_never_go_backwards_in_whatever_order_the_pipes_are_read(name: str) -> None:
    given = lines(name)
    for order in (given[::-1], given[::2] + given[1::2], given + given):
        reader, at = PhaseReader(), 0
        for line in order:
            for mark in reader.feed(line):
                assert STARTING.index(mark.phase) >= at
                at = STARTING.index(mark.phase)
                assert mark.phase is reader.phase


def test_what_only_quotes_a_step_is_none() -> None:
    quoted = "(APIServer pid=1) INFO 11-29 14:31:06 [a.py:1] args: {'model': 'Starting to load model x'}"
    access = 'INFO:     127.0.0.1:45062 - "GET /Application startup complete. HTTP/1.1" 200 OK'
    assert (
        read([quoted, access, "Loading weights", "{", '{"message": 7}', '{"a": ["Warming up done."]}'])[0]
        == []
    )


def test_a_shortened_context_is_told() -> None:
    (mark,), facts = read(
        ["INFO 11-29 14:31:06 [a.py:1] Auto-fit max_model_len: reduced from 32768 to 9216 to"]
    )
    assert (mark.note, mark.params, facts.context) == ("shortened", {"before": 32768, "context": 9216}, 9216)


def test_lines_of_the_serving_server_cost_nothing() -> None:
    reader = PhaseReader()
    reader.feed("INFO:     Application startup complete.")
    assert reader.feed("(APIServer pid=1) INFO 11-29 14:31:06 [a.py:1] Warming up done.") == []


def test_a_message_of_megabytes_is_looked_at_in_front_only() -> None:
    assert len(message_of("(EngineCore pid=1) INFO 11-29 14:19:32 [core.py:133] " + "x" * 5_000_000)) <= 2048
