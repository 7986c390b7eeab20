"""What a server made of the placeholders in a prompt: it puts a file's tokens in place of each one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from core.engines.base import Expanded
from core.engines.vllm.attached import NAMES
from core.engines.vllm.wire import PlaceholderRange
from core.errors import EngineError
from core.prompt.base import MediaSpan

_AROUND = 2  # a server may take up to so many of the template's tokens beside a placeholder with it


def expanded(
    sent: Sequence[int],
    spans: Sequence[MediaSpan],
    told: Sequence[int],
    ranges: dict[str, list[PlaceholderRange]] | None,
) -> Expanded:
    """The prompt as it was read, proved against the prompt as it was sent: outside the ranges both are the
    same, and each range stands where its placeholder stood.

    Raises EngineError("server.prompt_differs").
    """
    places = _places(spans, ranges or {}, len(told))
    segments = [tuple(told[a:b]) for a, b in _between(places, len(told))]
    if not _fits(tuple(sent), [span.first for span in spans], segments):
        same = (at for at, (one, other) in enumerate(zip(sent, told, strict=False)) if one != other)
        raise EngineError("server.prompt_differs", position=next(same, min(len(sent), len(told))))
    media = tuple(
        msgspec.structs.replace(span, first=first, count=last - first, expanded=True)
        for span, (first, last) in zip(spans, places, strict=True)
    )
    return Expanded(tuple(told), media)


def _places(
    spans: Sequence[MediaSpan], ranges: dict[str, list[PlaceholderRange]], size: int
) -> list[tuple[int, int]]:
    """[first, last) of each span among the told ids: the n-th of a kind is the n-th range of that kind."""
    left = {kind: iter(sorted(ranges.get(name) or [], key=_offset)) for kind, name in NAMES.items()}
    places: list[tuple[int, int]] = []
    for span in spans:
        one = next(left[span.attachment.kind], None)
        if one is None or one.length < 1 or one.offset < (places[-1][1] if places else 0):
            raise EngineError("server.prompt_differs", position=span.first)
        places.append((one.offset, one.offset + one.length))
    if any(next(rest, None) is not None for rest in left.values()) or (places and places[-1][1] > size):
        raise EngineError("server.prompt_differs", position=spans[-1].first if spans else 0)
    return places


def _offset(one: PlaceholderRange) -> int:
    return one.offset


def _between(places: Sequence[tuple[int, int]], size: int) -> Iterator[tuple[int, int]]:
    at = 0
    for first, last in places:
        yield at, first
        at = last
    yield at, size


def _fits(sent: tuple[int, ...], positions: Sequence[int], segments: Sequence[tuple[int, ...]]) -> bool:
    """`sent` is the segments in order with a placeholder, and little more, between each two."""
    first, *rest = segments
    if sent[: len(first)] != first:
        return False
    if not positions:
        return len(sent) == len(first)
    position = positions[0]
    if not position - _AROUND <= len(first) <= position:
        return False
    return any(
        _fits(sent[end:], [at - end for at in positions[1:]], rest)
        for end in range(position + 1, min(position + _AROUND + 1, len(sent)) + 1)
    )
