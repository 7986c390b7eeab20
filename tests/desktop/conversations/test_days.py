"""Which heading a conversation stands under."""

from __future__ import annotations

from datetime import date, datetime

from desktop.conversations.days import (
    ConversationRow,
    Heading,
    Span,
    group_by_day,
    heading_of,
    seconds_to_midnight,
)

TODAY = date(2026, 3, 2)


def at(*parts: int) -> float:
    return datetime(*parts).timestamp()


def test_headings_change_at_midnight_and_not_after_24_hours() -> None:
    assert heading_of(at(2026, 3, 2, 0, 1), TODAY) == Heading(Span.TODAY)
    assert heading_of(at(2026, 3, 1, 23, 59), TODAY) == Heading(Span.YESTERDAY)
    assert heading_of(at(2026, 3, 1, 0, 0), TODAY) == Heading(Span.YESTERDAY)
    assert heading_of(at(2026, 2, 28, 23, 59), TODAY) == Heading(Span.WEEK)
    assert heading_of(at(2026, 2, 24, 12, 0), TODAY) == Heading(Span.WEEK)
    assert heading_of(at(2026, 2, 23, 12, 0), TODAY) == Heading(Span.MONTH)
    assert heading_of(at(2026, 1, 31, 12, 0), TODAY) == Heading(Span.EARLIER, date(2026, 1, 1))
    assert heading_of(at(2026, 4, 1, 12, 0), TODAY) == Heading(Span.TODAY)


def test_groups_are_newest_first_and_never_empty() -> None:
    rows = [
        ConversationRow("old", "Old", 1, at(2025, 12, 5, 9, 0)),
        ConversationRow("new", "New", 2, at(2026, 3, 2, 10, 0)),
        ConversationRow("older", "Older", 1, at(2025, 12, 1, 9, 0)),
        ConversationRow("newest", "Newest", 0, at(2026, 3, 2, 11, 0)),
    ]
    groups = group_by_day(rows, TODAY)
    assert [(heading.span, [row.id for row in found]) for heading, found in groups] == [
        (Span.TODAY, ["newest", "new"]),
        (Span.EARLIER, ["old", "older"]),
    ]
    assert group_by_day([], TODAY) == []


def test_midnight() -> None:
    assert seconds_to_midnight(datetime(2026, 3, 2, 23, 59, 30)) == 30
