"""The filtered rows of the log view follow a buffer that grows, redraws its last line and drops its first."""

from __future__ import annotations

from core.log_lines import Level, LogBuffer
from desktop.log.rows import ShownRows, body


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


def test_find_goes_round_in_both_directions() -> None:
    log = LogBuffer(10)
    rows = ShownRows(log)
    for text in ("Straße", "two", "three", "TWO"):
        log.add(text)
    rows.refresh()
    assert rows.find("two", 0, 1) == 1
    assert rows.find("two", 2, 1) == 3
    assert rows.find("two", 0, -1) == 3
    assert rows.find("STRASSE", 3, 1) == 0
    assert rows.find("none", 0, 1) is None
    assert rows.find("", 0, 1) is None


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
