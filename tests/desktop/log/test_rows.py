"""The filtered rows of the log view follow a buffer that grows, redraws its last line and drops its first."""

from __future__ import annotations

import pytest

from core.log_lines import Level, LogBuffer
from desktop.log.rows import ShownRows, body
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
    assert line is not None and body(line) == "core: started"
    first, second = rows.texts(range(2)).splitlines()
    assert first == "14:31:06 INFO core: started"
    assert second == "x" * 4096 + " … +4"
