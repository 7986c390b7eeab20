"""The bytes of a container's log stream → pieces with their time and stream.

The engine cuts a line into messages of 16 KiB, each with a time of its own; here it is whole again. Keys,
homes and addresses are hidden here, before anything leaves this process.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from core.log_text import safe
from core.server.access import LogPiece
from core.worker.docker_values import seconds

HEAD = 8  # bytes before a message: stream, three zeros, length
LONGEST = 1 << 20  # bytes of a piece; a longer line comes in several


class LogReader:
    """Feed it what arrives, in pieces of any size. `framed`: False for a container with a terminal, whose
    stream is plain text and cannot tell stderr apart."""

    def __init__(self, framed: bool = True) -> None:
        self._framed = framed
        self._bytes = b""
        self._lines = {False: _Line(False), True: _Line(True)}

    def feed(self, data: bytes) -> list[LogPiece]:
        self._bytes += data
        messages = self._messages() if self._framed else self._plain()
        return [piece for error, message in messages for piece in self._lines[error].add(message)]

    def end(self) -> list[LogPiece]:
        """What has no line end yet."""
        rest = [] if self._framed else self._lines[False].add(self._bytes)
        return [*rest, *(piece for line in self._lines.values() for piece in line.end())]

    def _messages(self) -> Iterator[tuple[bool, bytes]]:
        at = 0
        while len(self._bytes) >= at + HEAD:
            end = at + HEAD + int.from_bytes(self._bytes[at + 4 : at + HEAD], "big")
            if len(self._bytes) < end:
                break
            yield self._bytes[at] == 2, self._bytes[at + HEAD : end]
            at = end
        self._bytes = self._bytes[at:]

    def _plain(self) -> Iterator[tuple[bool, bytes]]:
        *lines, self._bytes = self._bytes.split(b"\n")
        for line in lines:
            yield False, line + b"\n"
        if len(self._bytes) >= LONGEST:
            yield False, self._bytes
            self._bytes = b""


class _Line:
    """Puts the messages of one stream together."""

    def __init__(self, error: bool) -> None:
        self._error = error
        self._parts: list[bytes] = []
        self._size = 0
        self._time = 0.0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def add(self, message: bytes) -> list[LogPiece]:
        stamp, space, text = message.partition(b" ")
        time = seconds(stamp.decode("ascii", "replace")) if space and len(stamp) < 40 else 0.0
        if not time:
            text = message  # without its time: not as asked for, but nothing is lost
        if not self._parts:
            self._time = time or self._time
        whole = text.endswith(b"\n")
        self._parts.append(text[:-1] if whole else text)
        self._size += len(text)
        return [self._piece(final=whole)] if whole or self._size >= LONGEST else []

    def end(self) -> list[LogPiece]:
        return [self._piece(final=True)] if self._parts else []

    def _piece(self, *, final: bool) -> LogPiece:
        # a character cut by a piece's end belongs to the next piece
        text = self._decoder.decode(b"".join(self._parts), final)
        self._parts, self._size = [], 0
        return LogPiece(self._time, safe(text), self._error)
