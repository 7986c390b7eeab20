"""A container's log stream: frames, times, lines that the engine has cut."""

from __future__ import annotations

import random

import pytest

from core.server.access import LogPiece
from core.worker.docker_log import LONGEST, LogReader
from core.worker.docker_values import seconds

STAMP = "2026-11-30T08:00:00.250000000Z"
TIME = 1796025600.25


def message(text: str | bytes, *, error: bool = False, stamp: str = STAMP) -> bytes:
    body = f"{stamp} ".encode() + (text.encode() if isinstance(text, str) else text)
    return bytes([2 if error else 1, 0, 0, 0]) + len(body).to_bytes(4, "big") + body


def read(data: bytes, *sizes: int, framed: bool = True) -> list[LogPiece]:
    reader, found, at = LogReader(framed), [], 0
    for size in sizes or (len(data),):
        found += reader.feed(data[at : at + size])
        at += size
    return [*found, *reader.feed(data[at:]), *reader.end()]


def test_both_streams_with_their_time() -> None:
    data = message("one\n") + message("two\r\n", error=True) + message("\n") + message("half")
    assert read(data) == [
        LogPiece(TIME, "one"),
        LogPiece(TIME, "two\r", error=True),
        LogPiece(TIME, ""),
        LogPiece(TIME, "half"),
    ]


def test_pieces_of_any_size_give_the_same() -> None:
    data = b"".join(message(f"línea {n} 模型 \U0001f9ea\n", error=n % 3 == 0) for n in range(50))
    chosen = random.Random(4)
    sizes = [chosen.randint(1, 40) for _ in range(60)]
    assert read(data, *sizes) == read(data)
    assert len(read(data)) == 50


def test_a_line_that_the_engine_has_cut_is_one_again_beside_the_other_stream() -> None:
    whole = ("é模" * 9000 + "\n").encode()
    cuts = [whole[start : start + 16384] for start in range(0, len(whole), 16384)]
    later = "2026-11-30T08:00:09Z"
    first, *rest = [message(cut, stamp=STAMP if n == 0 else later) for n, cut in enumerate(cuts)]
    data = first + message("between\n", error=True) + b"".join(rest)
    assert read(data) == [LogPiece(TIME, "between", error=True), LogPiece(TIME, "é模" * 9000)]


def test_an_endless_line_comes_in_several_pieces_and_loses_nothing() -> None:
    """G03."""
    whole = ("模" * (LONGEST // 2) + "\n").encode()
    data = b"".join(message(whole[start : start + 16384]) for start in range(0, len(whole), 16384))
    pieces = read(data)
    assert len(pieces) == 2
    assert "".join(piece.text for piece in pieces) == "模" * (LONGEST // 2)


def test_a_terminal_has_one_stream_without_frames() -> None:
    data = f"{STAMP} a\r\n{STAMP} b".encode()
    assert read(data, 5, 30, framed=False) == [LogPiece(TIME, "a\r"), LogPiece(TIME, "b")]


def test_a_terminals_endless_line_is_not_kept_until_it_ends() -> None:
    reader = LogReader(framed=False)
    found = [piece for _ in range(9) for piece in reader.feed(b"x" * (LONGEST // 4))]
    assert [len(piece.text) for piece in found] == [LONGEST, LONGEST]


def test_nothing_secret_leaves_and_a_bar_can_still_redraw_itself() -> None:
    """Escapes go first: they could hide a key."""
    secret = "api_key=\x1b[1msk-abcd\x1b[0mefghijklmnopqrst"
    (piece,) = read(message(f"\rLoading 0%\rLoading 100% {secret} /home/someone/x 10.0.0.7\n"))
    assert piece.text == "\rLoading 0%\rLoading 100% api_key=[hidden] ~/x [address]"


def test_what_is_no_text_is_shown_as_such() -> None:
    assert read(message(b"Mod\xe8les\n")) == [LogPiece(TIME, "Mod\ufffdles")]


def test_without_a_time_nothing_is_lost() -> None:
    body = b"no time here\n"
    data = b"\x01\0\0\0" + len(body).to_bytes(4, "big") + body
    assert read(data) == [LogPiece(0.0, "no time here")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (STAMP, TIME),
        ("2026-11-30T08:00:00Z", 1796025600.0),
        ("2026-11-30T09:00:00.25+01:00", TIME),
        ("0001-01-01T00:00:00Z", 0.0),
        ("", 0.0),
        (None, 0.0),
        (17, 0.0),
    ],
)
def test_times(text: object, expected: float) -> None:
    assert seconds(text) == expected
