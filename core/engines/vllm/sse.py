"""A byte-level reader of server-sent events: any chunk size, any line end, stated memory bound.

Follows the event stream format of the HTML standard (§9.2.6), with one leniency: an event that the end of
the body leaves without its blank line is still given out, since servers are known to forget it.
"""

from __future__ import annotations

import re

from core.errors import EngineError

LIMIT = 16 * 1024 * 1024
DONE = b"[DONE]"
_LINE_END = re.compile(rb"[\r\n]")
_BOM = b"\xef\xbb\xbf"


class SseReader:
    """Turns chunks of a body into the data of its events. One reader for one body."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._buffer = bytearray()  # the line that is not complete yet
        self._searched = 0  # bytes of it known to hold no line end
        self._data: list[bytes] = []  # data lines of the event that is not complete yet
        self._size = 0  # their bytes
        self._skip_line_feed = False  # the last byte read was a CR: an LF now belongs to it
        self._first = True

    def feed(self, chunk: bytes) -> list[bytes]:
        """The data of every event that became complete.

        Raises EngineError("server.line_too_long") when one event passes the limit.
        """
        if not (self._buffer or self._data or self._skip_line_feed or self._first):
            quick = _quick(chunk)
            if quick is not None:
                return quick
        self._buffer += chunk
        if self._first and not self._begin():
            return []
        events: list[bytes] = []
        start = self._after_carriage_return()
        at = max(start, self._searched)
        while (found := _LINE_END.search(self._buffer, at)) is not None:
            end = found.start()
            self._line(bytes(self._buffer[start:end]), events)
            start = end + 1
            if self._buffer[end] == 0x0D:
                if start == len(self._buffer):
                    self._skip_line_feed = True
                elif self._buffer[start] == 0x0A:
                    start += 1
            at = start
        del self._buffer[:start]
        self._searched = len(self._buffer)
        if len(self._buffer) + self._size > self._limit:
            raise EngineError("server.line_too_long", limit=self._limit)
        return events

    def close(self) -> list[bytes]:
        """The body has ended: what an event without its blank line held."""
        events: list[bytes] = []
        if self._buffer:
            self._line(bytes(self._buffer), events)
            self._buffer.clear()
        self._line(b"", events)
        return events

    def _begin(self) -> bool:
        """Drop a byte order mark; False while it is not known whether there is one."""
        if len(self._buffer) < len(_BOM) and _BOM.startswith(self._buffer):
            return False
        self._first = False
        if self._buffer.startswith(_BOM):
            del self._buffer[: len(_BOM)]
        return True

    def _after_carriage_return(self) -> int:
        if not (self._skip_line_feed and self._buffer):
            return 0
        self._skip_line_feed = False
        return 1 if self._buffer[0] == 0x0A else 0

    def _line(self, line: bytes, events: list[bytes]) -> None:
        if not line:
            if self._data:
                events.append(b"\n".join(self._data))
                self._data, self._size = [], 0
            return
        name, _, value = line.partition(b":")
        if name == b"data":  # a line that begins with ":" is a comment, any other field is not ours
            value = value.removeprefix(b" ")
            self._data.append(value)
            self._size += len(value) + 1


def _quick(chunk: bytes) -> list[bytes] | None:
    """Whole events as vLLM writes them, or None: the common case at C speed."""
    if not chunk.startswith(b"data: ") or not chunk.endswith(b"\n\n") or b"\r" in chunk:
        return None
    events = chunk[6:-2].split(b"\n\ndata: ")
    return events if chunk.count(b"\n") == 2 * len(events) else None
