"""The KV cache of one model and the ids it holds, so that a next turn reads only what is new."""

from __future__ import annotations

import inspect
from typing import Any

import torch
from transformers import DynamicCache
from transformers.cache_utils import DynamicLayer
from transformers.modeling_layers import GradientCheckpointingLayer


class PrefixCache:
    """Reads prompts and steps one token at a time. After an error `reset()` before the next use.

    Asking again with the same prompt must give the same numbers as before, so the logits at the end of the
    last
    prompt are kept: reading its last token alone would round differently than reading it with the others.
    """

    def __init__(self, model: Any) -> None:
        self._model = model
        names = inspect.signature(model.forward).parameters
        # transformers 5.24 renamed the argument
        self._argument = "cache" if "cache" in names else "past_key_values"
        self._keeps = "logits_to_keep" in names
        self.layers = [m for m in model.modules() if isinstance(m, GradientCheckpointingLayer)]
        self.reset()

    def reset(self) -> None:
        self._cache: Any = None
        self._ids: list[int] = []
        self._prompt_end: tuple[list[int], torch.Tensor] | None = None

    def reusable(self, prompt_ids: list[int]) -> int:
        """How many of the prompt's ids need not be read again."""
        if self._cache is None:
            return 0
        if self._prompt_end is not None and self._prompt_end[0] == prompt_ids and self._croppable():
            return len(prompt_ids)
        shared = 0
        for ours, theirs in zip(self._ids, prompt_ids, strict=False):
            if ours != theirs:
                break
            shared += 1
        shared = min(shared, len(prompt_ids) - 1)  # at least one id must be read for its logits
        return shared if shared == len(self._ids) or self._croppable() else 0

    def prefill(self, prompt_ids: list[int]) -> torch.Tensor:
        """Logits [vocabulary] after the prompt."""
        shared = self.reusable(prompt_ids)
        if shared == 0:
            self.reset()
            self._cache = DynamicCache(config=self._model.config)
        elif shared < len(self._ids):
            self._crop(shared)
        if shared == len(prompt_ids) and self._prompt_end is not None:
            return self._prompt_end[1]
        logits = self._forward(prompt_ids[shared:])
        self._prompt_end = (list(prompt_ids), logits)
        return logits

    def step(self, token: int) -> torch.Tensor:
        """Logits [vocabulary] after one more token."""
        return self._forward([token])

    def _forward(self, ids: list[int]) -> torch.Tensor:
        kept = {"logits_to_keep": 1} if self._keeps else {}
        output = self._model(
            input_ids=torch.tensor([ids], device=self._model.device),
            use_cache=True,
            **{self._argument: self._cache},
            **kept,
        )
        self._ids += ids
        logits: torch.Tensor = output.logits[0, -1]
        return logits

    def _croppable(self) -> bool:
        """Sliding windows and recurrent states have forgotten what a crop would need."""
        return all(type(layer) is DynamicLayer for layer in self._cache.layers)

    def _crop(self, length: int) -> None:
        for layer in self._cache.layers:
            layer.crop(length - layer.get_seq_length())
        del self._ids[length:]
