"""The filtered rows of the log view follow a buffer that grows, redraws its last line and drops its first."""

from __future__ import annotations

import pytest

from core.log_lines import Level, LogBuffer
from desktop.log.rows import PART, ShownRows, parts, texts
from desktop.log.search import Search


def shown(rows: ShownRows) -> list[str]:
    return [line.text if (line := rows.line(row)) else "?" for row in range(len(rows))]


def test_the_filter_is_kept_up_to_date() -> None:
    log = LogBuffer(100)
    rows = ShownRows(log)
    for text in ("INFO a", "WARNING b", "ERROR c", "plain"):
        log.add(text)
    rows.refresh()
    assert shown(rows) == ["INFO a", "WARNING b", "ERROR c", "plain"]
    rows.set_minimum(Level.WARNING)
    assert shown(rows) == ["WARNING b", "ERROR c"]
    log.add("INFO d")
    log.add("ERROR e")
    rows.refresh()
    assert shown(rows) == ["WARNING b", "ERROR c", "ERROR e"]
    rows.set_minimum(Level.UNKNOWN)
    assert len(rows) == 6


def test_dropped_lines_leave_the_top_and_are_counted() -> None:
    log = LogBuffer(4)
    rows = ShownRows(log)
    for index in range(4):
        log.add(f"{index}")
    assert rows.refresh() == 0
    for index in range(4, 7):
        log.add(f"{index}")
    assert rows.refresh() == 3
    assert shown(rows) == ["3", "4", "5", "6"]


def test_many_dropped_lines_do_not_pile_up() -> None:
    log = LogBuffer(10)
    rows = ShownRows(log)
    for index in range(10_000):
        log.add(str(index))
        rows.refresh()
    assert shown(rows) == [str(index) for index in range(9_990, 10_000)]
    assert len(rows._numbers) < 2_100


def test_a_redraw_moves_in_and_out_of_the_filter() -> None:
    log = LogBuffer(10)
    rows = ShownRows(log)
    rows.set_minimum(Level.WARNING)
    log.add("WARNING 1 %\r")
    rows.refresh()
    assert shown(rows) == ["WARNING 1 %"]
    log.add("INFO 2 %\r")
    rows.refresh()
    assert shown(rows) == []
    log.add("ERROR 3 %")
    log.add("ERROR next")
    rows.refresh()
    assert shown(rows) == ["ERROR 3 %", "ERROR next"]


def find(rows: ShownRows, words: str, start: int, step: int) -> int | None:
    search = Search(rows, words, start, step)
    while not search.over:
        search.advance()
    return None if search.found is None else rows.row_of(search.found)


def test_find_goes_round_in_both_directions() -> None:
    log = LogBuffer(10)
    rows = ShownRows(log)
    for text in ("Straße", "two", "three", "TWO"):
        log.add(text)
    rows.refresh()
    assert find(rows, "two", 0, 1) == 1
    assert find(rows, "two", 2, 1) == 3
    assert find(rows, "two", 0, -1) == 3
    assert find(rows, "two", 4, 1) == 1
    assert find(rows, "STRASSE", 3, 1) == 0
    assert find(rows, "none", 0, 1) is None
    assert find(rows, "", 0, 1) is None


@pytest.mark.parametrize("step", [1, -1])
@pytest.mark.parametrize("start", [0, 4, 9])
def test_a_search_in_parts_looks_at_every_row_once(step: int, start: int) -> None:
    log = LogBuffer(100)
    rows = ShownRows(log)
    for number in range(10):
        log.add(f"line {number}.")
    rows.refresh()
    for wanted in range(10):
        search = Search(rows, f"{wanted}.", start, step)
        parts = 0
        while not search.over:
            search.advance(3)
            parts += 1
        assert search.found == rows.number(wanted) and parts <= 4
    search = Search(rows, "none", start, step)
    for _ in range(4):
        assert not search.over
        search.advance(3)
    assert search.over and search.found is None


def test_a_search_goes_on_while_old_lines_are_dropped() -> None:
    log = LogBuffer(10)
    rows = ShownRows(log)
    for number in range(10):
        log.add(f"line {number}.")
    rows.refresh()
    search = Search(rows, "9.", 0, 1)
    search.advance(3)
    for number in range(10, 15):
        log.add(f"line {number}.")
    rows.refresh()
    while not search.over:
        search.advance(3)
    assert search.found is not None and log.line(search.found).text == "line 9."


def test_copied_text_keeps_prefix_and_says_what_was_cut() -> None:
    log = LogBuffer(10)
    rows = ShownRows(log)
    log.add("14:31:06 INFO core: started")
    log.add("x" * 4100)
    rows.refresh()
    line = rows.line(0)
    assert line is not None and parts(line) == ("", "core: started")
    first, second = texts(log, rows.numbers(range(2))).splitlines()
    assert first == "14:31:06 INFO core: started"
    assert second == "x" * 4096 + " … +4"


VLLM = "(EngineCore pid=77) WARNING 11-29 14:31:23 [system_utils.py:255] Found ulimit of 20000."


@pytest.mark.parametrize(
    ("text", "source", "rest"),
    [
        (VLLM, "system_utils.py:255", "Found ulimit of 20000."),
        ("(Worker_TP0 pid=1) INFO 11-29 14:31:23 [model.py:1]   x", "model.py:1", "  x"),
        ("(APIServer pid=1) INFO:     127.0.0.1:3 - GET", "", "127.0.0.1:3 - GET"),
        ("INFO:     Application startup complete.", "", "Application startup complete."),
        ("2026-11-29 14:31:06,123 INFO core: started", "", "core: started"),
        ("no prefix [a.py:1] at all", "", "no prefix [a.py:1] at all"),
    ],
)
def test_what_stands_in_its_own_column_is_not_shown_twice(text: str, source: str, rest: str) -> None:
    log = LogBuffer(10)
    rows = ShownRows(log)
    log.add(text)
    rows.refresh()
    line = rows.line(0)
    assert line is not None and parts(line) == (source, rest) and rows.source == len(source)


def test_only_lines_with_these_words() -> None:
    log = LogBuffer(10)
    rows = ShownRows(log)
    for text in ("INFO Loading", "ERROR loading", "INFO other"):
        log.add(text)
    rows.refresh()
    rows.set_words("LOADING")
    assert shown(rows) == ["INFO Loading", "ERROR loading"]
    rows.set_minimum(Level.ERROR)
    log.add("ERROR loading again")
    rows.refresh()
    assert shown(rows) == ["ERROR loading", "ERROR loading again"]
    rows.set_words("")
    rows.set_minimum(Level.UNKNOWN)
    assert len(rows) == 4


def test_a_flood_is_taken_in_by_parts() -> None:
    log = LogBuffer(10 * PART)
    rows = ShownRows(log)
    for index in range(2 * PART + 1):
        log.add(str(index))
    taken = []
    while rows.behind:
        rows.refresh()
        taken.append(len(rows))
    assert taken == [PART, 2 * PART, 2 * PART + 1]


def test_a_cleared_log_is_empty_and_goes_on() -> None:
    log = LogBuffer(10)
    rows = ShownRows(log)
    log.add("one")
    log.add("two\r")
    rows.refresh()
    log.clear()
    log.add("three")
    rows.refresh()
    assert shown(rows) == ["three"] and rows.behind == 0
    log.clear()
    rows.refresh()
    assert len(rows) == 0


def test_lines_dropped_while_they_are_written_are_left_out() -> None:
    log = LogBuffer(2)
    rows = ShownRows(log)
    log.add("one")
    log.add("two")
    rows.refresh()
    numbers = rows.numbers(range(2))
    log.add("three")
    assert texts(log, numbers) == "two\n"
