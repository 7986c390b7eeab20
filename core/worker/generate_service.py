"""The generate service: loads one causal model and decodes with its own loop, token by token."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import logging
import os
import secrets
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from transformers import AutoConfig, AutoModelForCausalLM
from transformers.utils.logging import disable_progress_bar

from core.engines.base import FinishReason
from core.errors import EngineError, ModelError, PromptError
from core.tokens.vocabulary import Vocabulary
from core.worker.devices import pick_device, pick_dtype
from core.worker.distribution import Chooser
from core.worker.job import Cancelled, Job
from core.worker.prefix_cache import PrefixCache
from core.worker.protocol import Done, Generate, Generated, LoadModel, ModelReady, Reading, Rows
from core.worker.stop_strings import StopStrings

disable_progress_bar()  # type: ignore[no-untyped-call]
log = logging.getLogger(__name__)


class ModelService:
    """Holds one model and the KV cache of what it read last."""

    def __init__(self) -> None:
        self._model: Any = None
        self._cache: PrefixCache | None = None
        self._stop_ids: frozenset[int] = frozenset()
        self._limit: int | None = None

    def load(self, job: Job, request: LoadModel) -> None:
        """Load safetensors weights, never remote code. Raises ModelError."""
        self._drop()
        started = time.perf_counter()
        log.info("loading %s", request.folder)
        threads = max(1, _cores() - 1)
        torch.set_num_threads(threads)
        device = pick_device(request.device)
        dtype, reason = pick_dtype(request.dtype, device)
        model = load_causal(request.folder, dtype, device)
        job.check()
        self._model = model
        self._cache = PrefixCache(model)
        self._stop_ids = frozenset(_stop_ids(model))
        self._limit = context_limit(model.config)
        ready = ModelReady(
            job.number,
            dtype=str(model.dtype).removeprefix("torch."),
            dtype_reason=reason,
            device=device,
            threads=threads,
            parameters=sum(p.numel() for p in model.parameters()),
            context_limit=self._limit,
        )
        log.info(
            "ready after %.1f s: %.1f M parameters, %s (%s) on %s, %d thread(s)",
            time.perf_counter() - started,
            ready.parameters / 1e6,
            ready.dtype,
            reason,
            device,
            threads,
        )
        job.send(ready)

    def unload(self, job: Job) -> None:
        self._drop()
        job.send(Done(job.number))

    def _drop(self) -> None:
        """Give the memory back, to the system too."""
        self._model = self._cache = None
        gc.collect()
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        if sys.platform == "linux":
            with contextlib.suppress(OSError, AttributeError):
                ctypes.CDLL(None).malloc_trim(0)

    def generate(self, job: Job, request: Generate) -> None:
        if self._model is None or self._cache is None:
            raise EngineError("engine.no_model")
        prompt_ids = torch.frombuffer(bytearray(request.prompt_ids), dtype=torch.int32).tolist()
        if not prompt_ids:
            raise PromptError("prompt.empty")
        if self._limit is not None and len(prompt_ids) >= self._limit:
            raise PromptError("prompt.context_full", tokens=len(prompt_ids), limit=self._limit)
        try:
            with torch.inference_mode():
                Answer(job, request, prompt_ids, self._cache, self._stop_ids, self._limit).run()
        except torch.OutOfMemoryError as error:
            self._cache.reset()
            raise EngineError("engine.out_of_memory", detail=str(error).splitlines()[0]) from error
        except BaseException:
            self._cache.reset()  # half-written keys are of no use
            raise


class Answer:
    """One generation: prefill, then decode until a stop, a limit or a cancel."""

    def __init__(
        self,
        job: Job,
        request: Generate,
        prompt_ids: list[int],
        cache: PrefixCache,
        stop_ids: frozenset[int],
        limit: int | None,
    ) -> None:
        sampling = request.sampling
        self._job = job
        self._prompt_ids = prompt_ids
        self._cache = cache
        self._sampling = sampling
        self._stop_ids = frozenset(sampling.stop_token_ids) | (
            frozenset() if sampling.ignore_eos else stop_ids
        )
        vocabulary = Vocabulary.open(Path(request.vocabulary)) if sampling.stop else None
        self._strings = StopStrings(sampling.stop, vocabulary)
        room = None if limit is None else limit - len(prompt_ids)
        wanted = sampling.max_tokens
        self._limited_by_context = room is not None and (wanted is None or room < wanted)
        self._most = room if self._limited_by_context else wanted
        self._seed: int | None = None
        if not sampling.greedy:
            self._seed = sampling.seed if sampling.seed is not None else secrets.randbits(32)
        self._chooser = Chooser(prompt_ids, sampling, request.top_candidates, self._seed)
        self._count = 0
        self._first_ms: float | None = None
        self._last_ms = 0.0
        self._reused = 0

    def run(self) -> None:
        started = time.perf_counter()
        reason, stop_reason = self._decode(started)
        span = self._last_ms - (self._first_ms or 0.0)
        rate = (self._count - 1) * 1000 / span if self._count > 1 and span > 0 else None
        log.info(
            "answer: %d prompt tokens (%d known from before), %d new, first after %.0f ms, %.1f tok/s, %s",
            len(self._prompt_ids),
            self._reused,
            self._count,
            self._first_ms or 0.0,
            rate or 0.0,
            reason,
        )
        self._job.send(
            Generated(
                self._job.number,
                reason=reason,
                stop_reason=stop_reason,
                seed=self._seed,
                prompt_tokens=len(self._prompt_ids),
                completion_tokens=self._count,
                reused_tokens=self._reused,
                prefill_ms=self._first_ms,
                decode_tokens_per_second=rate,
            )
        )

    def _decode(self, started: float) -> tuple[FinishReason, str | int | None]:
        job = self._job
        if self._most is not None and self._most <= 0:
            return ("context" if self._limited_by_context else "length"), None
        self._reused = self._cache.reusable(self._prompt_ids)
        job.send(Reading(job.number, len(self._prompt_ids), self._reused))
        try:
            with self._cancel_between_layers():
                logits = self._cache.prefill(self._prompt_ids)
        except Cancelled:
            self._cache.reset()
            return "stopped", None
        while True:
            token = self._chooser.choose(logits)
            now = (time.perf_counter() - started) * 1000
            self._first_ms = now if self._first_ms is None else self._first_ms
            self._last_ms = now
            self._count += 1
            job.send(Rows(job.number, [self._chooser.describe(token, now)]))
            if token in self._stop_ids:
                return "stop", token
            if (string := self._strings.feed(token)) is not None:
                return "stop", string
            if self._count == self._most:
                return ("context" if self._limited_by_context else "length"), None
            if job.cancelled.is_set():
                return "stopped", None
            logits = self._cache.step(token)

    @contextlib.contextmanager
    def _cancel_between_layers(self) -> Iterator[None]:
        """Reading a long prompt takes minutes on a CPU: look for a cancel before each layer."""

        def check(*_: object) -> None:
            self._job.check()

        hooks = [layer.register_forward_pre_hook(check) for layer in self._cache.layers]
        try:
            yield
        finally:
            for hook in hooks:
                hook.remove()


def load_causal(folder: str, dtype: torch.dtype, device: str) -> Any:
    """A causal model in evaluation mode from safetensors. Raises ModelError."""
    try:
        config = AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except (ValueError, OSError, KeyError) as error:
        raise ModelError("model.config", detail=str(error).splitlines()[0]) from error
    auto: Any = AutoModelForCausalLM  # its types do not know output_loading_info
    try:
        model, loaded = auto.from_pretrained(
            folder,
            config=config,
            dtype=dtype,
            use_safetensors=True,
            trust_remote_code=False,
            local_files_only=True,
            output_loading_info=True,
        )
    except (ValueError, OSError, RuntimeError, KeyError, SafetensorError) as error:
        raise ModelError("model.load", detail=str(error).splitlines()[0], type=config.model_type) from error
    if loaded["missing_keys"] or loaded["mismatched_keys"]:
        # transformers fills the gaps with random numbers; what such a model says means nothing
        raise _incomplete(config, loaded)
    return model.eval().to(device)


def _incomplete(config: Any, loaded: dict[str, Any]) -> ModelError:
    named = (config.architectures or ["nothing"])[0]
    missing = sorted(map(str, loaded["missing_keys"])) + sorted(map(str, loaded["mismatched_keys"]))
    if named.endswith(("ForCausalLM", "ForConditionalGeneration", "LMHeadModel")):
        return ModelError("model.incomplete", tensors=len(missing), detail="\n".join(missing[:5]))
    return ModelError("model.not_causal", architecture=named)


def context_limit(config: Any) -> int | None:
    """Positions the model was made for, None if its config does not say."""
    text = config.get_text_config()
    limit = getattr(text, "max_position_embeddings", None)
    return int(limit) if isinstance(limit, int) and limit > 0 else None


def _stop_ids(model: Any) -> list[int]:
    found: list[int] = []
    for holder in (model.generation_config, model.config):
        ids = getattr(holder, "eos_token_id", None)
        found += [ids] if isinstance(ids, int) else list(ids or ())
        if found:
            break
    return found


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
