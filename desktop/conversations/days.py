"""Groups conversations by the day they were last used, without Qt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import Enum


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """One chat as the list shows it. `updated`: seconds since the epoch."""

    id: str
    title: str
    answers: int
    updated: float


class Span(Enum):
    """How a heading names its days."""

    TODAY = "today"
    YESTERDAY = "yesterday"
    WEEK = "week"  # the five days before yesterday
    MONTH = "month"  # the rest of the last thirty days
    EARLIER = "earlier"  # a calendar month


@dataclass(frozen=True, slots=True)
class Heading:
    """`month`: the first day of the month it stands for, only for EARLIER."""

    span: Span
    month: date | None = None


def heading_of(updated: float, today: date) -> Heading:
    """The heading under which a time stands; times in the future (a clock set back) count as today."""
    day = datetime.fromtimestamp(updated).date()
    age = (today - day).days
    if age <= 0:
        return Heading(Span.TODAY)
    if age == 1:
        return Heading(Span.YESTERDAY)
    if age < 7:
        return Heading(Span.WEEK)
    if age < 30:
        return Heading(Span.MONTH)
    return Heading(Span.EARLIER, day.replace(day=1))


def group_by_day(rows: Iterable[ConversationRow], today: date) -> list[tuple[Heading, list[ConversationRow]]]:
    """Newest first, in groups; a group without rows is left out."""
    groups: dict[Heading, list[ConversationRow]] = {}
    for row in sorted(rows, key=lambda row: row.updated, reverse=True):
        groups.setdefault(heading_of(row.updated, today), []).append(row)
    return list(groups.items())


def seconds_to_midnight(now: datetime) -> float:
    """Until the headings are wrong."""
    tomorrow = datetime.combine(now.date() + timedelta(days=1), datetime.min.time())
    return (tomorrow - now).total_seconds()
