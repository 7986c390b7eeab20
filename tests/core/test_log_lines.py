"""The ring buffer behind the log dock."""

from __future__ import annotations

import pytest

from core.log_lines import LONGEST, Level, LogBuffer, strip_escapes


def buffer(capacity: int = 100) -> LogBuffer:
    return LogBuffer(capacity, clock=lambda: 12.5)


def texts(log: LogBuffer) -> list[str]:
    return [line.text for line in log.after(0)]


def test_lines_are_numbered_and_read_after_a_seq() -> None:
    log = buffer()
    log.add("one")
    log.add("two\nthree\n")
    assert texts(log) == ["one", "two", "three"]
    assert [line.text for line in log.after(1)] == ["two", "three"]
    assert log.after(log.seq) == []
    assert log.last is not None and log.last.time == 12.5
    assert log.line(2).text == "two"


def test_the_oldest_line_is_dropped_at_capacity() -> None:
    """G01."""
    log = buffer(3)
    for index in range(10):
        log.add(f"line {index}")
    assert texts(log) == ["line 7", "line 8", "line 9"]
    assert log.first_number == 8
    assert log.line(8).text == "line 7"
    assert [line.number for line in log.after(9)] == [10]
    with pytest.raises(KeyError):
        log.line(7)
    with pytest.raises(KeyError):
        log.line(11)


@pytest.mark.parametrize("capacity", [2, 100])
def test_a_progress_bar_replaces_its_own_line(capacity: int) -> None:
    """M02."""
    log = buffer(capacity)
    log.add("before")
    log.add("  1 %\r")
    seen = log.seq
    log.add(" 50 %\r 51 %\r")
    log.add("100 %")
    log.add("after")
    assert texts(log)[-2:] == ["100 %", "after"]
    changed = log.after(seen)
    assert [(line.number, line.text) for line in changed] == [(2, "100 %"), (3, "after")]


def test_a_leading_return_replaces_too_and_an_empty_redraw_keeps_the_line() -> None:
    log = buffer()
    log.add("\r 10 %")
    log.add("\r 20 %")
    log.add("\r")
    log.add("")
    assert texts(log) == [" 20 %"]
    log.add("")
    assert texts(log) == [" 20 %", ""]


def test_crlf_is_a_line_end_and_not_a_redraw() -> None:
    log = buffer()
    log.add("one\r\ntwo\r\n")
    assert texts(log) == ["one", "two"]
    log.add("three")
    assert texts(log) == ["one", "two", "three"]


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[1;38;5;42mbold\x1b[K", "bold"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b(Bplain", "plain"),
        ("cut off \x1b[3", "cut off "),
        ("a\tb", "a\tb"),
        ("bell\x07 nul\x00", "bell␇ nul␀"),
        ("山 é 🙂", "山 é 🙂"),
    ],
)
def test_escapes_are_stripped(raw: str, shown: str) -> None:
    """M02."""
    assert strip_escapes(raw) == shown


def test_a_long_line_is_cut_with_a_count() -> None:
    """G03."""
    log = buffer()
    log.add("x" * (LONGEST + 7))
    log.add("y" * 1_000_000)
    log.add("z" * LONGEST)
    one, two, three = log.after(0)
    assert (len(one.text), one.cut) == (LONGEST, 7)
    assert (len(two.text), two.cut) == (LONGEST, 1_000_000 - LONGEST)
    assert three.cut == 0


def test_levels_come_from_the_prefix() -> None:
    log = buffer()
    log.add("2026-11-29 14:31:23 WARNING core.worker: slow")
    log.add("CRITICAL: no memory")
    log.add("plain words")
    log.add("x" * 200 + " ERROR")
    log.add("told", 20)
    log.add("told", 50)
    assert [line.level for line in log.after(0)] == [
        Level.WARNING,
        Level.ERROR,
        Level.UNKNOWN,
        Level.UNKNOWN,
        Level.INFO,
        Level.ERROR,
    ]


def test_a_whole_traceback_is_an_error() -> None:
    log = buffer()
    for line in (
        "Traceback (most recent call last):",
        '  File "x.py", line 1, in f',
        "    g()",
        "ValueError: no",
        "next",
    ):
        log.add(line)
    assert [line.level for line in log.after(0)] == [Level.ERROR] * 4 + [Level.UNKNOWN]
