"""What a server with a tokenizer answers to POST /tokenize and /detokenize, with a model's real files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2
from tokenizers import Tokenizer

TINY = Path(__file__).parents[1] / "cases" / "models" / "smollm2-tiny"  # of a known family


class ServerTokenizer:
    """Shapes are those of 0.32.0. `has_template` False: a model without one. `shown`: ids of added tokens
    that are not special."""

    def __init__(
        self, folder: Path = TINY, *, has_template: bool = True, shown: tuple[int, ...] = ()
    ) -> None:
        self.shown = shown
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        template = (folder / "chat_template.jinja").read_text(encoding="utf-8")
        self._template = jinja2.Environment(autoescape=False).from_string(template) if has_template else None

    def answer(self, path: str, asked: dict[str, Any]) -> tuple[int, Any]:
        if path == "/detokenize":
            return 200, {"prompt": self._tokenizer.decode(asked["tokens"], skip_special_tokens=False)}
        if "messages" in asked and self._template is None:
            words = "default chat template is no longer allowed, so you must provide a chat template"
            return 400, {"error": {"message": words, "type": "BadRequestError", "param": None, "code": 400}}
        text = asked.get("prompt")
        if text is None:
            assert self._template is not None
            kwargs = asked.get("chat_template_kwargs") or {}
            text = self._template.render(messages=asked["messages"], add_generation_prompt=True, **kwargs)
        found = self._tokenizer.encode(text, add_special_tokens=asked.get("add_special_tokens", False))
        names = found.tokens if asked.get("return_token_strs") else None
        return 200, {"count": len(found.ids), "tokens": found.ids, "token_strs": names}

    def ids(self, text: str) -> list[int]:
        found: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return found

    def generated(self, id: int) -> dict[str, Any]:
        """One token that was asked for: special ones are left out of the text."""
        text = self._tokenizer.decode([id], skip_special_tokens=id not in self.shown)
        return {"finish_reason": "length", "token_ids": [id], "text": text, "logprobs": None}
