"""The event reader on recorded streams and on its own corners, whatever the chunks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.vllm.sse import DONE, SseReader
from core.errors import EngineError

CASES = Path(__file__).parents[3] / "cases" / "sse"
RECORDED = sorted(path.name for path in CASES.glob("*.sse"))


def pieces(body: bytes, size: int) -> Iterator[bytes]:
    step = size or max(1, len(body))
    yield from (body[at : at + step] for at in range(0, len(body), step))


def read(body: bytes, size: int = 0) -> list[bytes]:
    reader = SseReader()
    events = [event for piece in pieces(body, size) for event in reader.feed(piece)]
    return events + reader.close()


@pytest.mark.parametrize("size", [1, 7, 4096, 0])
@pytest.mark.parametrize("name", RECORDED)
def test_recorded_streams_read_alike_at_any_chunk_size(name: str, size: int) -> None:
    body = (CASES / name).read_bytes()
    lines = body.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    wanted = [line.removeprefix(b"data:").strip() for line in lines if line.startswith(b"data:")]
    assert read(body, size) == wanted
    assert all(event == DONE or event.startswith(b"{") for event in wanted)


@pytest.mark.parametrize("name", ["crlf.sse", "bare_cr.sse", "comments_nospace.sse"])
@pytest.mark.parametrize("size", [1, 7, 0])
def test_other_line_ends_say_the_same(name: str, size: int) -> None:
    assert read((CASES / name).read_bytes(), size) == read((CASES / "cjk.sse").read_bytes())


def test_an_event_is_given_out_with_the_byte_that_ends_it() -> None:
    for end in (b"\n\n", b"\r\r", b"\r\n\r"):  # the LF of the last CRLF may still come: it changes nothing
        reader = SseReader()
        events = [
            reader.feed(b"data: a" + end[:at] if at == 0 else end[at - 1 : at]) for at in range(len(end) + 1)
        ]
        assert events[-1] == [b"a"] and not any(events[:-1])
    reader = SseReader()
    assert reader.feed(b"data: a\r\n\r") == [b"a"]
    assert reader.feed(b"\ndata: b\r\n\r\n") == [b"b"]


def test_fields_comments_and_several_data_lines() -> None:
    body = b": hello\nevent: x\nid: 7\nretry: 5\ndata: one\ndata:two\ndata:  three\ndatum: no\n\n\n\ndata\n\n"
    assert read(body) == [b"one\ntwo\n three", b""]


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    for size in (1, 2, 3, 0):
        assert read(b"\xef\xbb\xbfdata: a\n\ndata: b\n\n", size) == [b"a", b"b"]
    assert read(b"\xef\xbb", 1) == []


@pytest.mark.parametrize("size", [1, 7, 0])
def test_the_end_of_the_body_ends_the_event(size: int) -> None:
    assert read(b"data: a\n\ndata: b", size) == [b"a", b"b"]
    assert read(b"data: a\n\ndata: b\n", size) == [b"a", b"b"]
    assert read(b"", size) == []


def test_long_lines_up_to_the_limit_and_a_clear_error_above() -> None:
    line = b"data: " + b"x" * 2_000_000 + b"\n\n"
    assert [len(event) for event in read(line, 65536)] == [2_000_000]
    reader = SseReader(limit=1000)
    with pytest.raises(EngineError) as caught:
        for _ in range(100):
            reader.feed(b"data: " + b"y" * 50)
    assert caught.value.code == "server.line_too_long"
    reader = SseReader(limit=1000)
    with pytest.raises(EngineError):
        for _ in range(100):  # many short lines of one event are as long as one line
            reader.feed(b"data: " + b"y" * 50 + b"\n")


@given(
    st.lists(st.binary(max_size=20).filter(lambda b: b"\r" not in b and b"\n" not in b), max_size=8),
    st.sampled_from([b"\n", b"\r\n", b"\r"]),
    st.integers(1, 30),
)
def test_any_split_of_any_events(payloads: list[bytes], end: bytes, size: int) -> None:
    body = b"".join(b"data: " + payload + end + end for payload in payloads)
    assert read(body, size) == payloads
