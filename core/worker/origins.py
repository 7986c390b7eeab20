"""Which characters of a rendered prompt came from which message, found by rendering twice.

A template is a program: it may trim, split or drop a message. The second rendering has a unique mark in
place of each content, which shows the template's own text between the messages; then the first must fit it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import msgspec

from core.errors import PromptError
from core.prompt.base import ChatMessage

_MARK = "\ue000{}\ue001"
_MARKS = re.compile("\ue000(\\d+)\ue001")


def origin_spans(
    text: str, messages: Sequence[ChatMessage], render: Callable[[list[ChatMessage]], str]
) -> list[tuple[int, int, int]]:
    """(start, end, message index) of every message's text in `text`, in order of place.

    `render` renders changed messages; where it refuses, or the marked text does not fit, contents are
    looked for
    in order instead. A message whose text is not found is left out (all of it counts as the template's).
    """
    marked = [msgspec.structs.replace(m, content=_MARK.format(i)) for i, m in enumerate(messages)]
    try:
        parts = _MARKS.split(render(marked))
    except PromptError:
        parts = []
    return _fit(text, parts, messages) or _search(text, messages)


def _variants(content: str) -> list[str]:
    """What templates commonly make of a content, longest first."""
    found = [content, content.lstrip(), content.rstrip(), content.strip()]
    return sorted(set(found), key=len, reverse=True)


def _fit(text: str, parts: list[str], messages: Sequence[ChatMessage]) -> list[tuple[int, int, int]]:
    """`parts` alternates template text and message numbers; [] unless all of it fits `text` exactly."""
    if len(parts) < 3 or not text.startswith(parts[0]):
        return []
    spans: list[tuple[int, int, int]] = []
    at = len(parts[0])
    for number, literal in zip(map(int, parts[1::2]), parts[2::2], strict=True):
        last = len(spans) + 1 == len(parts) // 2
        for variant in _variants(messages[number].content):
            end = at + len(variant)
            if text.startswith(variant, at) and text.startswith(literal, end):
                if last and end + len(literal) != len(text):
                    continue
                spans.append((at, end, number))
                at = end + len(literal)
                break
        else:
            return []
    return [span for span in spans if span[0] < span[1]]


def _search(text: str, messages: Sequence[ChatMessage]) -> list[tuple[int, int, int]]:
    spans: list[tuple[int, int, int]] = []
    at = 0
    for number, message in enumerate(messages):
        for variant in _variants(message.content):
            start = text.find(variant, at) if variant else -1
            if start >= 0:
                spans.append((start, start + len(variant), number))
                at = start + len(variant)
                break
    return spans
