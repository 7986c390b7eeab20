"""From a Hugging Face tokenizer's own description to the bytes of every token."""

from __future__ import annotations

from typing import Any

from core.errors import ModelError
from core.tokens.vocabulary import Flag, Kind


def byte_alphabet() -> dict[str, int]:
    """GPT-2's printable stand-ins for the 256 bytes (openai/gpt-2, encoder.py: bytes_to_unicode)."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(b): b for b in printable} | {chr(256 + i): b for i, b in enumerate(others)}


def read_pieces(description: dict[str, Any]) -> tuple[list[bytes], list[int], Kind, int]:
    """(bytes, flags, kind, strip_left) from the parsed tokenizer.json.

    Raises ModelError if the decoder is of a kind whose bytes are not known here.
    """
    vocabulary = _vocabulary(description["model"])
    added = {entry["id"]: entry for entry in description.get("added_tokens") or []}
    steps = _decoder_steps(description.get("decoder"))
    kinds = [step["type"] for step in steps]
    count = max([*vocabulary.values(), *added, -1]) + 1
    pieces, flags = [b""] * count, [int(Flag.UNUSED)] * count
    if "ByteLevel" in kinds:
        kind, strip_left, to_bytes = Kind.BYTE_LEVEL, 0, _byte_level
    elif "ByteFallback" in kinds or "Metaspace" in kinds:
        kind, strip_left = Kind.BYTE_FALLBACK, _strip_left(steps)
        to_bytes = _metaspace
    else:
        raise ModelError("model.tokenizer_unknown", kinds=", ".join(kinds) or "none")
    fallback = "ByteFallback" in kinds
    for text, token in vocabulary.items():
        pieces[token], flags[token] = to_bytes(text), int(Flag.NONE)
        if fallback and (byte := _byte_token(text)) is not None:
            pieces[token], flags[token] = bytes([byte]), int(Flag.BYTE)
    for token, entry in added.items():
        # an added token is matched as it is written, but decoded like any other
        pieces[token] = to_bytes(entry["content"])
        flags[token] = int(Flag.ADDED | (Flag.SPECIAL if entry.get("special") else Flag.NONE))
    return pieces, flags, kind, strip_left


def _vocabulary(model: dict[str, Any]) -> dict[str, int]:
    raw = model.get("vocab")
    if isinstance(raw, dict):
        return raw
    if isinstance(raw, list):  # Unigram: [token, score] pairs in id order
        return {entry[0]: index for index, entry in enumerate(raw)}
    raise ModelError("model.tokenizer_unknown", kinds=str(model.get("type")))


def _decoder_steps(decoder: dict[str, Any] | None) -> list[dict[str, Any]]:
    if decoder is None:
        return []
    if decoder["type"] == "Sequence":
        return [step for inner in decoder["decoders"] for step in _decoder_steps(inner)]
    return [decoder]


def _strip_left(steps: list[dict[str, Any]]) -> int:
    """Spaces the decoder takes off the start of a text."""
    total = 0
    for step in steps:
        if step["type"] == "Strip" and step.get("content") == " ":
            total += int(step.get("start", 0))
        elif step["type"] == "Metaspace" and step.get("prepend_scheme", "always") != "never":
            total += 1
    return total


_ALPHABET = byte_alphabet()


def _byte_level(text: str) -> bytes:
    try:
        return bytes(_ALPHABET[character] for character in text)
    except KeyError:
        return text.encode()


def _metaspace(text: str) -> bytes:
    return text.replace("▁", " ").encode()


def _byte_token(text: str) -> int | None:
    if len(text) == 6 and text.startswith("<0x") and text.endswith(">"):
        try:
            return int(text[3:5], 16)
        except ValueError:
            return None
    return None
