"""Text made by the server: prompts by its POST /tokenize, tokens by its /detokenize, learned as they come."""

from __future__ import annotations

import re
import uuid
from array import array
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from contextlib import aclosing, suppress
from pathlib import Path

import msgspec

from core.engines.base import Finished, GenerationEvent, TokenBatch
from core.engines.vllm import parts
from core.engines.vllm.completions import PATH as COMPLETIONS
from core.engines.vllm.http import Reply, Server
from core.engines.vllm.wire import CompletionChunk, Detokenized, Tokenized, TokenNames
from core.errors import EngineError, PromptError
from core.prompt.base import TEMPLATE, ChatMessage, Prompt, PromptOptions, folded
from core.tokens.learned import LearnedVocabulary
from core.tokens.row import TokenRow

NOTE = "text_from_server"
_SECONDS = 60.0
_MARKUP = re.compile(r"<[^<>\s]+>|\[[^\[\]\s]+\]")
_SOME_TEXT = "The weather today"


class ServerText:
    """One model's. Which message a prompt's token comes from is not told: the server renders it as one.

    `proves`: a token may be generated to see whether it is a special one.
    """

    def __init__(self, server: Server, model: str, vocabularies: Path, *, proves: bool) -> None:
        self._server = server
        self._model = model
        self._proves = proves
        self._around: tuple[int, str, str] | None = None
        self._parts: dict[int, bytes] | None = None
        self.path = vocabularies / f"learned-{uuid.uuid4().hex}.vocab"
        self.vocabulary = LearnedVocabulary()
        self.has_template = False
        self.thinking_switch = False

    async def open(self) -> None:
        """See what the server can do. Raises EngineError("server.no_tokenize") if it makes no ids."""
        question = [{"role": "user", "content": _SOME_TEXT}]
        reply = await self._tokenize(messages=question)
        self.has_template = reply.status == 200
        if not self.has_template:
            reply = await self._tokenize(prompt=_SOME_TEXT, add_special_tokens=False)
        if reply.status != 200:
            raise self._no_tokenizer(reply)
        if self.has_template:
            on, off = [
                _ids(await self._tokenize(messages=question, chat_template_kwargs={"enable_thinking": value}))
                for value in (True, False)
            ]
            self.thinking_switch = on != off
        await self._find_context()

    async def render(self, messages: Sequence[ChatMessage], options: PromptOptions) -> Prompt:
        """Raises PromptError with the server's words, EngineError."""
        if any(message.attachments for message in messages):
            raise PromptError("prompt.media_files")
        if options.plain:
            text = messages[-1].content if messages else ""
            reply = await self._tokenize(prompt=text, add_special_tokens=True)
        else:
            sent = folded(messages)[0] if options.fold_system else messages
            kwargs = {} if options.thinking is None else {"enable_thinking": options.thinking}
            texts = [{"role": message.role, "content": message.content} for message in sent]
            reply = await self._tokenize(
                messages=texts, add_generation_prompt=True, chat_template_kwargs=kwargs
            )
        if reply.status in (400, 422) and not options.plain:
            code = "prompt.template_refused" if self.has_template else "prompt.no_template"
            raise PromptError(code, detail=reply.message)
        ids = _ids(reply)
        if ids is None:
            raise self._no_tokenizer(reply)
        await self.learn(ids)
        return Prompt(array("I", ids), array("i", [TEMPLATE]) * len(ids), await self._text(ids))

    async def known(
        self, events: AsyncGenerator[GenerationEvent, None]
    ) -> AsyncGenerator[GenerationEvent, None]:
        """The same events, each token's text known before it comes. The vocabulary is saved at the end."""
        try:
            async with aclosing(events):
                async for event in events:
                    if isinstance(event, TokenBatch):
                        await self.learn(id for row in event.rows for id in _ids_of(row))
                    elif isinstance(event, Finished):
                        event = msgspec.structs.replace(event, notes=(*event.notes, NOTE))
                    yield event
        finally:
            with suppress(OSError):  # the answer then has no text when it is read again, which is said there
                self.vocabulary.save(self.path)

    def close(self) -> None:
        """Nothing is open."""

    # --- learning --------------------------------------------------------------------------------------

    async def learn(self, ids: Iterable[int]) -> None:
        """Ask for the text of those that are not known yet. Raises EngineError."""
        new = [id for id in dict.fromkeys(ids) if id not in self.vocabulary]
        texts = await self._texts(new)
        if self._parts is None and any("\ufffd" in text for text in texts):
            self._parts = await self._find_parts()
        for id, text in zip(new, texts, strict=True):
            if "\ufffd" in text and self._parts is not None and id in self._parts:
                self.vocabulary.learn_bytes(id, self._parts[id])
            else:
                self.vocabulary.learn(id, text, special=await self._is_special(id, text))

    async def _texts(self, ids: Sequence[int]) -> list[str]:
        """Each as it reads between two ordinary tokens: at the start of a text some would lose a blank."""
        if not ids:
            return []
        if self._around is None:
            return [await self._text([id]) for id in ids]
        between, first, later = self._around
        whole = await self._text([between, *(one for id in ids for one in (id, between))])
        if not whole.startswith(first) or not whole.endswith(later):
            return [await self._text([id]) for id in ids]
        if len(ids) == 1:
            return [whole[len(first) : len(whole) - len(later)]]
        texts = whole[len(first) :].split(later)
        if len(texts) == len(ids) + 1 and texts[-1] == "":
            return texts[:-1]
        half = len(ids) // 2  # one of them reads like the token between
        return await self._texts(ids[:half]) + await self._texts(ids[half:])

    async def _find_context(self) -> None:
        """An ordinary token, what it reads at the start of a text, and what it reads later."""
        ids = _ids(await self._tokenize(prompt=_SOME_TEXT, add_special_tokens=False)) or ()
        if len(ids) < 2:
            return
        first, both = await self._text(ids[1:2]), await self._text([ids[1], ids[1]])
        later = both[len(first) :]
        if first and later and both.startswith(first):
            self._around = ids[1], first, later

    async def _find_parts(self) -> dict[int, bytes]:
        """Exact bytes of many tokens, parts of characters among them; empty where none can be believed."""
        found: dict[int, bytes] = {}
        for text in parts.texts():
            reply = await self._tokenize(prompt=text, add_special_tokens=False, return_token_strs=True)
            ids = _ids(reply)
            with suppress(msgspec.DecodeError):
                names = msgspec.json.decode(reply.body, type=TokenNames).token_strs
                exact = parts.exact(names or (), text)
                found.update(zip(ids or (), exact or (), strict=False))
        return found

    async def _is_special(self, id: int, text: str) -> bool:
        """Whether it is a token that answers do not show. Only what looks like one is asked about: the server
        generates it, and leaves special ones out of the text. Where that cannot be asked, `<|name|>` is."""
        if not _MARKUP.fullmatch(text):
            return False
        if self._proves and self._around is not None:
            ordinary = self._around[0]
            body = {
                "model": self._model,
                "prompt": [ordinary, ordinary],
                "max_tokens": 1,
                "temperature": 1.0,
                "top_k": 0,  # with speculation on 0.32's CPU build any other ends the engine
                "top_p": 1.0,
                "allowed_token_ids": [id],
                "skip_special_tokens": True,
                "return_token_ids": True,
            }
            with suppress(EngineError, msgspec.DecodeError):
                reply = await self._server.post(COMPLETIONS, msgspec.json.encode(body), seconds=10)
                for choice in msgspec.json.decode(reply.body, type=CompletionChunk).choices or ():
                    if choice.token_ids == [id]:
                        return not choice.text
        return text.startswith("<|") and text.endswith("|>")

    # --- the two routes --------------------------------------------------------------------------------

    async def _tokenize(self, **asked: object) -> Reply:
        body = msgspec.json.encode({"model": self._model, **asked})
        return await self._server.post("/tokenize", body, seconds=_SECONDS)

    async def _text(self, ids: Sequence[int]) -> str:
        body = msgspec.json.encode({"model": self._model, "tokens": ids})
        reply = await self._server.post("/detokenize", body, seconds=_SECONDS)
        try:
            if reply.status == 200:
                return msgspec.json.decode(reply.body, type=Detokenized).prompt
        except msgspec.DecodeError:
            pass
        raise self._no_tokenizer(reply)

    def _no_tokenizer(self, reply: Reply) -> EngineError:
        said = f"HTTP {reply.status} {reply.message}"
        return EngineError("server.no_tokenize", address=self._server.address, detail=said)


def _ids(reply: Reply) -> list[int] | None:
    """None where there are none."""
    try:
        return msgspec.json.decode(reply.body, type=Tokenized).tokens if reply.status == 200 else None
    except msgspec.DecodeError:
        return None


def _ids_of(row: TokenRow) -> Iterator[int]:
    yield row.id
    yield from (one.id for one in row.candidates)
