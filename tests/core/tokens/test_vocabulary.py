"""The vocabulary's blob: what was written is what is mapped, and a damaged file is refused."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tokens.vocabulary import HEADER, Flag, Kind, Vocabulary, write_vocabulary

entries = st.tuples(st.binary(max_size=8), st.sampled_from([0, 1, 2, 4, 5, 8]))


@given(st.lists(entries, max_size=20), st.sampled_from(list(Kind)), st.integers(0, 2))
def test_round_trip(
    tmp_path_factory: pytest.TempPathFactory, made: list[tuple[bytes, int]], kind: Kind, strip: int
) -> None:
    folder = tmp_path_factory.mktemp("vocabulary")
    pieces, flags = [piece for piece, _ in made], [flag for _, flag in made]
    path = write_vocabulary(folder, pieces, flags, kind, strip)
    vocabulary = Vocabulary.open(path)
    assert (len(vocabulary), vocabulary.kind, vocabulary.strip_left) == (len(made), kind, strip)
    assert [vocabulary.bytes_of(token) for token in range(len(made))] == pieces
    assert [vocabulary.flags_of(token) for token in range(len(made))] == flags
    for token, flag in enumerate(flags):
        assert vocabulary.is_special(token) == bool(flag & Flag.SPECIAL)
        assert vocabulary.is_byte(token) == bool(flag & Flag.BYTE)
        assert vocabulary.is_unused(token) == bool(flag & Flag.UNUSED)
        assert vocabulary.label(token)
    memory = Vocabulary.from_pieces(pieces, flags, kind, strip)
    assert [memory.bytes_of(token) for token in range(len(made))] == pieces


def test_the_file_is_named_by_its_content_and_written_once(tmp_path: Path) -> None:
    first = write_vocabulary(tmp_path, [b"a", b"b"], [0, 0], Kind.BYTE_LEVEL)
    stamp = first.stat().st_mtime_ns
    assert write_vocabulary(tmp_path, [b"a", b"b"], [0, 0], Kind.BYTE_LEVEL) == first
    assert first.stat().st_mtime_ns == stamp
    assert write_vocabulary(tmp_path, [b"a", b"b"], [0, 1], Kind.BYTE_LEVEL) != first
    assert len(list(tmp_path.iterdir())) == 2


def test_a_file_cut_short_is_written_anew(tmp_path: Path) -> None:
    path = write_vocabulary(tmp_path, [b"abc"], [0], Kind.BYTE_LEVEL)
    os.truncate(path, 20)
    assert write_vocabulary(tmp_path, [b"abc"], [0], Kind.BYTE_LEVEL) == path
    assert Vocabulary.open(path).bytes_of(0) == b"abc"


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("core.tokens.vocabulary.os.replace", refuse)
    with pytest.raises(OSError, match="disk full"):
        write_vocabulary(tmp_path, [b"abc"], [0], Kind.BYTE_LEVEL)
    assert list(tmp_path.iterdir()) == []


def test_every_shorter_file_is_refused(tmp_path: Path) -> None:
    raw = write_vocabulary(tmp_path, [b"abc", b"d"], [0, 1], Kind.BYTE_LEVEL).read_bytes()
    for size in range(len(raw)):
        with pytest.raises(ValueError):
            Vocabulary(raw[:size])
    broken = tmp_path / "broken.vocab"
    broken.write_bytes(b"")
    with pytest.raises(ValueError):
        Vocabulary.open(broken)
    with pytest.raises(OSError):
        Vocabulary.open(tmp_path / "none.vocab")


def test_a_wrong_header_is_refused(tmp_path: Path) -> None:
    raw = write_vocabulary(tmp_path, [b"abc"], [0], Kind.BYTE_LEVEL).read_bytes()
    with pytest.raises(ValueError):
        Vocabulary(b"TLVOCAB2" + raw[8:])
    with pytest.raises(ValueError):  # a kind of joining that is not known
        Vocabulary(raw[:12] + struct.pack("<I", 7) + raw[16:])
    with pytest.raises(ValueError):  # more tokens than there are bytes
        Vocabulary(raw[:8] + struct.pack("<I", 2**31) + raw[12:])
    assert HEADER.size == 40


def test_ids_that_do_not_exist() -> None:
    vocabulary = Vocabulary.from_pieces([b"a"], [Flag.NONE])
    for token in (-1, 1, 2**32):
        assert vocabulary.bytes_of(token) == b""
        assert vocabulary.flags_of(token) == Flag.UNUSED
        assert (
            vocabulary.is_unused(token) and not vocabulary.is_special(token) and not vocabulary.is_byte(token)
        )
        assert vocabulary.label(token) == f"<id {token}>"
        assert not vocabulary.is_whole(token)


@pytest.mark.parametrize(
    ("raw", "label", "whole"),
    [
        (b" the", " the", True),
        ("明".encode(), "明", True),
        (b"\xe5\xb3", "E5 B3", False),
        (b"\xff", "FF", False),
        (b"", "<id 0>", False),
        (b"\x00", "\x00", True),
        (b"<|end|>", "<|end|>", True),
    ],
)
def test_labels_are_never_empty(raw: bytes, label: str, whole: bool) -> None:
    vocabulary = Vocabulary.from_pieces([raw], [Flag.NONE])
    assert vocabulary.label(0) == label
    assert vocabulary.is_whole(0) is whole
