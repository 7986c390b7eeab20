"""Attachments in the families' own templates: one placeholder each, where it stands and whose it is."""

from __future__ import annotations

import msgspec
import pytest

from core.errors import PromptError
from core.prompt.base import TEMPLATE, Attachment, ChatMessage
from tests.core.prompt.conftest import KNOWN, Family

PICTURE = Attachment("image", "a.png", "0" * 64, "image/png", 70, 8, 8)
OTHER = msgspec.structs.replace(PICTURE, name="b.png", digest="1" * 64)
SOUND = Attachment("sound", "c.wav", "2" * 64, "audio/wav", 70, seconds=1.0)
VIDEO = Attachment("video", "d.mp4", "3" * 64, "video/mp4", 70)
OF = {"image": PICTURE, "sound": SOUND, "video": VIDEO}


def test_each_kind_that_is_claimed_has_its_place_and_the_others_none(family: Family) -> None:
    known = KNOWN[family.name]
    family.prompts.open(family.folder, known)
    for kind, attachment in OF.items():
        messages = [ChatMessage("user", "What is this? 日本", (attachment,))]
        if kind not in known.media:
            with pytest.raises(PromptError) as refused:
                family.prompts.render(messages)
            assert refused.value.code == "prompt.no_media"
            continue
        prompt = family.prompts.render(messages)
        (span,) = prompt.media
        assert (span.attachment, span.message, span.count, span.expanded) == (attachment, 0, 1, False)
        assert prompt.ids[span.first] == family.own.token_to_id(known.media[kind].token)
        assert prompt.text.count(known.media[kind].text) == 1
        assert list(prompt.ids) == family.ids(prompt.text)
        own = [token for token, origin in zip(prompt.ids, prompt.origins, strict=True) if origin == 0]
        assert family.decoded(own).strip() == "What is this? 日本"


def test_several_stand_in_their_order_beside_their_own_message(family: Family) -> None:
    if "image" not in KNOWN[family.name].media:
        return  # said by the test above
    family.prompts.open(family.folder, KNOWN[family.name])
    messages = [
        ChatMessage("system", "Be brief."),
        ChatMessage("user", "First.", (PICTURE, OTHER)),
        ChatMessage("assistant", "A cat."),
        ChatMessage("user", "", (OTHER,)),
    ]
    prompt = family.prompts.render(messages)
    assert [(span.attachment, span.message) for span in prompt.media] == [
        (PICTURE, 1),
        (OTHER, 1),
        (OTHER, 3),
    ]
    firsts = [span.first for span in prompt.media]
    assert firsts == sorted(set(firsts))
    assert all(prompt.origins[first] == TEMPLATE for first in firsts)


def test_a_typed_placeholder_beside_an_attachment_is_refused(family: Family) -> None:
    placeholder = KNOWN[family.name].media.get("image")
    if placeholder is None:
        return
    family.prompts.open(family.folder, KNOWN[family.name])
    typed = f"what is {placeholder.token}?"
    with pytest.raises(PromptError) as refused:
        family.prompts.render([ChatMessage("user", typed, (PICTURE,))])
    assert refused.value.code == "prompt.placeholder_typed"
    assert refused.value.params["token"] == placeholder.token
    assert family.prompts.render([typed]).media == ()


def test_without_a_template_there_is_no_place(family: Family) -> None:
    family.prompts.open(family.folder, KNOWN[family.name])
    with pytest.raises(PromptError) as refused:
        family.prompts.render([ChatMessage("user", "a", (PICTURE,))], plain=True)
    reads = "image" in KNOWN[family.name].media
    assert refused.value.code == ("prompt.plain_only_text" if reads else "prompt.no_media")
