"""Text through real vocabularies: joined token text is the whole decode, and every character finds its
tokens."""

from __future__ import annotations

import random

import pytest

from core.tokens.decode import AnswerDecoder, utf16
from core.tokens.row import TokenRow
from core.tokens.table import TokenTable
from core.tokens.vocabulary import Kind
from tests.core.prompt.conftest import Family

TEXTS = {
    "english": "The capital of Australia is Canberra, isn't it?  Two  spaces.",
    "chinese": "台灣最高的山是玉山，主峯海拔 3,952 公尺。龘靐齉爩",
    "japanese": "吾輩は猫である。名前はまだ無い。𠮷野家",
    "korean": "대한민국의 수도는 서울입니다.",
    "emoji": "👨‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇹🇼 ❤️‍🔥 🧑🏿‍🚀",
    "combining": "e\u0301 a\u0308 n\u0303 Z̷̢̛a̴l̶g̵o̷ ก็ နို့",
    "arabic": "مرحبا بالعالم، كيف حالك؟ لا إله",
    "hebrew": "שָׁלוֹם עוֹלָם (abc) 123",
    "hindi": "नमस्ते दुनिया, क्षत्रिय श्री",
    "thai": "สวัสดีชาวโลก น้ำ",
    "runes": "ᚠᛇᚻ ᛒᛦᚦ 𓀀𓂀 𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
    "white space": "a\tb\r\nc\n\n\n    d\u00a0e\u2028f\u2029g\u200bh\u3000i ",
    "code": "def f(x):\n\treturn {'a': [1, 2.5e-3]}  # ok\n```",
    "specials": "before <|im_start|> between <think> <unk> <bos> after",
}


def written(family: Family, ids: list[int]) -> tuple[TokenTable, list[str]]:
    """The table and the text of each token, as an answer with these ids would have them."""
    decoder, table, texts, released = AnswerDecoder(family.vocabulary), TokenTable(), [], 0
    for token in [*ids, None]:
        pieces = decoder.finish() if token is None else decoder.feed(token)
        for piece in pieces:
            table.append(TokenRow(id=ids[released], t_ms=0.0), piece)
            texts.append(piece.text)
            released += 1
    assert released == len(ids)
    return table, texts


@pytest.mark.parametrize("name", TEXTS)
def test_joined_text_is_the_whole_decode(family: Family, name: str) -> None:
    ids = family.ids(TEXTS[name])
    table, texts = written(family, ids)
    assert "".join(texts) == table.text == family.decoded(ids)
    assert table.length == utf16(table.text)


@pytest.mark.parametrize("name", TEXTS)
def test_hover_finds_the_tokens_whose_bytes_make_the_character(family: Family, name: str) -> None:
    """Found independently, by counting bytes."""
    ids = family.ids(TEXTS[name])
    table, _ = written(family, ids)
    owners: list[int] = []  # of each byte of the text
    for index, token in enumerate(ids):
        owners += [index] * len(family.vocabulary.bytes_of(token))
    at_byte = at_unit = 0
    for character in table.text:
        width = len(character.encode())
        expected = sorted(set(owners[at_byte : at_byte + width]))
        for unit in range(at_unit, at_unit + utf16(character)):
            assert list(table.tokens_at(unit)) == expected, (character, unit)
        at_byte += width
        at_unit += utf16(character)
    assert at_byte == len(owners)


def test_random_ids_decode_as_the_library_does(family: Family) -> None:
    """Also nonsense: broken UTF-8, byte tokens in a row, special tokens anywhere."""
    chance = random.Random(family.name)
    bytes_of_one = [t for t in range(len(family.vocabulary)) if len(family.vocabulary.bytes_of(t)) == 1]
    broken = [t for t in range(len(family.vocabulary)) if not family.vocabulary.is_whole(t)]
    size = family.own.get_vocab_size()
    for _ in range(400):
        pool = chance.choice([range(size), bytes_of_one, broken or bytes_of_one])
        ids = [chance.choice(pool if chance.random() < 0.8 else range(size)) for _ in range(12)]
        table, texts = written(family, ids)
        assert "".join(texts) == table.text == family.decoded(ids), ids


def test_every_piece_of_a_split_character_shows_its_bytes(family: Family) -> None:
    ids = family.ids("龘𓂀")
    table, _ = written(family, ids)
    split = [i for i in range(len(ids)) if len(table.group(i)) > 1]
    assert split, "these characters are no single tokens in any of the vocabularies"
    for index in split:
        group = table.group(index)
        joined = b"".join(family.vocabulary.bytes_of(ids[i]) for i in group)
        assert joined.decode().strip() in "龘𓂀"
        assert all(table.span(i)[1] > table.span(i)[0] for i in group)


SPECIALS = {  # the families' own ids, from their published tokenizers
    "smollm2": {"<|endoftext|>": 0, "<|im_start|>": 1, "<|im_end|>": 2},
    "qwen3.5": {"<|endoftext|>": 248044, "<|im_start|>": 248045, "<|im_end|>": 248046},
    "qwen3": {"<|endoftext|>": 151643, "<|im_start|>": 151644, "<|im_end|>": 151645},
    "gemma4": {"<eos>": 1, "<bos>": 2, "<|turn>": 105, "<turn|>": 106, "<|image|>": 258880},
    "gemma3": {
        "<eos>": 1,
        "<bos>": 2,
        "<start_of_turn>": 105,
        "<end_of_turn>": 106,
        "<start_of_image>": 255999,
    },
    "llama3.1": {
        "<|begin_of_text|>": 128000,
        "<|end_of_text|>": 128001,
        "<|start_header_id|>": 128006,
        "<|end_header_id|>": 128007,
        "<|eot_id|>": 128009,
    },
}
THINKING = {  # one token each, and no special one: they are shown as text
    "qwen3.5": {"<think>": 248068, "</think>": 248069},
    "qwen3": {"<think>": 151667, "</think>": 151668},
    "gemma4": {"<|channel>": 100, "<channel|>": 101},
}


def test_special_tokens_are_known(family: Family) -> None:
    for text, token in SPECIALS[family.name].items():
        assert family.own.token_to_id(text) == token
        assert family.vocabulary.is_special(token)
        assert family.vocabulary.label(token) == text
    for text, token in THINKING.get(family.name, {}).items():
        assert family.own.token_to_id(text) == token
        assert not family.vocabulary.is_special(token)
    fallback = family.name.startswith("gemma")
    assert family.vocabulary.kind is (Kind.BYTE_FALLBACK if fallback else Kind.BYTE_LEVEL)
    assert family.own.get_vocab_size() == len(family.vocabulary)
