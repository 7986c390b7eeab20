"""Which device and number format a model runs in, and why."""

from __future__ import annotations

import platform
from pathlib import Path

import torch

from core.errors import EngineError

_DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}


def pick_device(wanted: str) -> str:
    """For "auto" prefer CUDA, then MPS. Raises EngineError for one that is not here."""
    present = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    if wanted == "auto":
        return next(device for device, here in present.items() if here)
    if not present.get(wanted, False):
        raise EngineError("engine.no_device", device=wanted)
    return wanted


def pick_dtype(wanted: str, device: str) -> tuple[torch.dtype, str]:
    """(dtype, reason). The reason is a stable word: asked, native_bf16, no_native_bf16."""
    if wanted != "auto":
        if wanted not in _DTYPES:
            raise EngineError("engine.no_dtype", dtype=wanted)
        return _DTYPES[wanted], "asked"
    native = {
        "cuda": lambda: torch.cuda.is_bf16_supported(including_emulation=False),
        "mps": lambda: torch.backends.mps.is_macos_or_newer(14, 0),
        "cpu": native_bf16,
    }
    if native[device]():
        return torch.bfloat16, "native_bf16"
    return torch.float32, "no_native_bf16"


def native_bf16() -> bool:
    """True if this processor multiplies bfloat16 by itself (AVX512-BF16, AMX, Arm BF16)."""
    if platform.system() == "Linux":
        try:
            flags = set(Path("/proc/cpuinfo").read_text(encoding="ascii", errors="ignore").split())
        except OSError:
            return False
        return bool(flags & {"avx512_bf16", "amx_bf16", "bf16"})
    return False
