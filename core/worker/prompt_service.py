"""The prompt service: messages → template → exact ids, each with its origin. Works without torch."""

from __future__ import annotations

import json
from array import array
from pathlib import Path
from typing import Any

from core.errors import ModelError, PromptError
from core.prompt.base import TEMPLATE, Attachment, ChatMessage, MediaKind, MediaSpan, folded
from core.tokens.vocabulary import Flag, write_vocabulary
from core.worker.job import Job
from core.worker.origins import origin_spans
from core.worker.pieces import read_pieces
from core.worker.protocol import OpenTokenizer, Render, Rendered, TokenizerReady


class PromptService:
    """Holds one tokenizer."""

    def __init__(self) -> None:
        self._tokenizer: Any = None
        self._thinking: tuple[str, str] | None = None
        self._media: dict[int, MediaKind] = {}  # placeholder → what it stands for
        self._special: frozenset[int] = frozenset()
        self._adds_bos = False

    def open(self, job: Job, request: OpenTokenizer) -> None:
        """Load the tokenizer and write its vocabulary blob. Raises ModelError."""
        from transformers import AutoTokenizer
        from transformers.utils import logging

        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        try:
            tokenizer = AutoTokenizer.from_pretrained(
                request.folder, local_files_only=True, trust_remote_code=False
            )
        except Exception as error:
            raise ModelError("model.tokenizer", detail=f"{type(error).__name__}: {error}") from error
        backend = getattr(tokenizer, "backend_tokenizer", None)
        if backend is None:
            raise ModelError("model.tokenizer_unknown", kinds=type(tokenizer).__name__)
        pieces, flags, kind, strip_left = read_pieces(json.loads(backend.to_str()))
        blob = write_vocabulary(Path(request.vocabularies), pieces, flags, kind, strip_left)
        self._tokenizer, self._thinking = tokenizer, request.thinking
        self._media = {backend.token_to_id(token): kind for kind, token in request.media.items()}
        self._special = frozenset(i for i, flag in enumerate(flags) if flag & Flag.SPECIAL)
        bos = tokenizer.bos_token_id
        self._adds_bos = bos is not None and tokenizer("a")["input_ids"][:1] == [bos]
        template = tokenizer.chat_template
        text = template if isinstance(template, str) else json.dumps(template or "")
        eos = tokenizer.eos_token_id
        job.send(
            TokenizerReady(
                job.number,
                vocabulary=str(blob),
                has_template=bool(template),
                thinking_switch="enable_thinking" in text,
                bos_id=bos,
                stop_ids=() if eos is None else (eos,),
            )
        )

    def render(self, job: Job, request: Render) -> None:
        """Render and tokenize. Raises PromptError with the template's own words."""
        if self._tokenizer is None:
            raise PromptError("prompt.no_tokenizer")
        messages = list(request.messages)
        options = request.options
        indices = list(range(len(messages)))
        attached = [(index, one) for index, message in enumerate(messages) for one in message.attachments]
        for _, one in attached:
            if one.kind not in self._media.values():
                raise PromptError("prompt.no_media", kind=one.kind)
        if options.fold_system:
            messages, indices = folded(messages)
        if options.plain:
            if attached:
                raise PromptError("prompt.plain_only_text")
            text = messages[-1].content if messages else ""
            spans = [(0, len(text), indices[-1])] if text else []
        else:
            text = self._apply(messages, options.thinking)
            spans = origin_spans(text, messages, lambda changed: self._apply(changed, options.thinking))
            spans = [(start, end, indices[message]) for start, end, message in spans]
        job.send(self._tokenize(job, text, spans, attached, plain=options.plain))

    def _apply(self, messages: list[ChatMessage], thinking: bool | None) -> str:
        if not self._tokenizer.chat_template:
            raise PromptError("prompt.no_template")
        extra = {} if thinking is None else {"enable_thinking": thinking}
        try:
            text = self._tokenizer.apply_chat_template(
                [{"role": message.role, "content": _content(message)} for message in messages],
                tokenize=False,
                add_generation_prompt=True,
                **extra,
            )
        except Exception as error:
            raise self._refusal(messages, thinking, error) from error
        return str(text)

    def _refusal(self, messages: list[ChatMessage], thinking: bool | None, error: Exception) -> PromptError:
        """Say which of the known reasons it is, found by trying, not by the template's wording."""
        roles = [message.role for message in messages]
        if roles[:1] == ["system"] and len(messages) > 1:
            try:
                self._apply(messages[1:], thinking)
            except PromptError:
                pass
            else:
                return PromptError("prompt.no_system_role", detail=str(error))
        spoken = [role for role in roles if role != "system"]
        alternating = all(role == ("user", "assistant")[i % 2] for i, role in enumerate(spoken))
        code = "prompt.template_refused" if alternating else "prompt.roles_alternate"
        return PromptError(code, detail=str(error))

    def _tokenize(
        self,
        job: Job,
        text: str,
        spans: list[tuple[int, int, int]],
        attached: list[tuple[int, Attachment]],
        *,
        plain: bool,
    ) -> Rendered:
        tokenizer = self._tokenizer
        # The template writes its own begin token; without a template the tokenizer does.
        encoded = tokenizer(text, add_special_tokens=plain, return_offsets_mapping=True)
        ids = array("I", encoded["input_ids"])
        offsets = [tuple(pair) for pair in encoded["offset_mapping"]]
        origins = array("i", origins_of(offsets, spans))
        bos = tokenizer.bos_token_id
        removed = 0
        while bos is not None and len(ids) > 1 and ids[0] == bos and ids[1] == bos and origins[1] == TEMPLATE:
            del ids[1], origins[1]
            removed += 1
        if self._adds_bos and not plain and (not ids or ids[0] != bos):
            ids.insert(0, bos)
            origins.insert(0, TEMPLATE)
        typed = tuple(i for i, t in enumerate(ids) if origins[i] != TEMPLATE and t in self._special)
        opened = bool(self._thinking) and text.rstrip().endswith(self._thinking[0])  # type: ignore[index]
        return Rendered(
            job.number,
            ids=ids.tobytes(),
            origins=origins.tobytes(),
            text=text,
            typed_special=typed,
            thinking_open=opened,
            bos_removed=removed,
            media=self._placeholders(ids, origins, attached),
        )

    def _placeholders(
        self, ids: array[int], origins: array[int], attached: list[tuple[int, Attachment]]
    ) -> tuple[MediaSpan, ...]:
        """Where the template put each attachment. Raises PromptError where it did not, or where a person
        typed a placeholder, for which a server would take the attachment."""
        spans: list[MediaSpan] = []
        for kind in sorted({one.kind for _, one in attached}):
            mine = [(message, one) for message, one in attached if one.kind == kind]
            places = [at for at, token in enumerate(ids) if self._media.get(token) == kind]
            if any(origins[at] != TEMPLATE for at in places):
                raise PromptError("prompt.placeholder_typed", token=self._tokenizer.decode([ids[places[0]]]))
            if len(places) != len(mine):
                raise PromptError("prompt.no_media", kind=kind)
            spans += [MediaSpan(one, message, at) for (message, one), at in zip(mine, places, strict=True)]
        return tuple(sorted(spans, key=lambda span: span.first))


def _content(message: ChatMessage) -> object:
    """Text alone is a string, since many templates take nothing else."""
    if not message.attachments:
        return message.content
    names = {"image": "image", "sound": "audio", "video": "video"}
    parts: list[dict[str, str]] = [{"type": names[one.kind]} for one in message.attachments]
    return [*parts, {"type": "text", "text": message.content}] if message.content else parts


def origins_of(offsets: list[tuple[int, int]], spans: list[tuple[int, int, int]]) -> list[int]:
    """For each token's character range the message it lies in, or TEMPLATE. Both lists are in order.

    A token that straddles a border belongs to the message it has a part in.
    """
    origins: list[int] = []
    at = 0
    for start, end in offsets:
        while at < len(spans) and spans[at][1] <= start:
            at += 1
        inside = at < len(spans) and spans[at][0] < end and start < end
        origins.append(spans[at][2] if inside else TEMPLATE)
    return origins
