"""Why a server did not start: real logs of failed starts, and what is told by exit code and circumstances."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.server.evidence import Evidence
from core.server.findings import diagnose
from core.server.spec import LaunchSpec

LOGS = Path(__file__).parents[2] / "cases" / "logs"
SPEC = LaunchSpec(model="qwen", folder="/home/me/models/qwen", device="gpu")


def _log(name: str) -> tuple[str, ...]:
    return tuple((LOGS / name).read_text(encoding="utf-8", errors="replace").split("\n"))


@pytest.mark.parametrize(
    ("name", "code", "line"),
    [
        ("fail-bad-choice.log", "bad_choice", "vllm serve: error: argument --logprobs-mode: invalid choice"),
        ("fail-bad-quant.log", "quantization", "Value error, Unknown quantization method: nope."),
        ("fail-bad-reasoning-parser.log", "reasoning_parser", "KeyError: \"Reasoning parser 'nope'"),
        ("fail-hub-name.log", "offline", "huggingface_hub.errors.LocalEntryNotFoundError: Cannot find"),
        ("fail-kv-blocks-override.log", "kv_small", "ValueError: To serve at least one request"),
        ("fail-kv-bytes.log", "kv_small", "ValueError: To serve at least one request"),
        ("fail-kv-over-ram.log", "cpu_kv", "ValueError: Available memory on node 0 (18.2/20.71 GiB)"),
        ("fail-kv-too-small.log", "kv_small", "ValueError: To serve at least one request"),
        ("fail-len-over-model.log", "context_long", "Value error, User-specified max_model_len (99999)"),
        ("fail-memory-utilization.stdout.log", "cpu_share", "ValueError: Available memory on node 0 (21.09"),
        ("fail-no-chat-tool-parser.log", "tool_parser", "TypeError: Error: --enable-auto-tool-choice"),
        ("fail-no-config.log", "no_config", "Value error, Invalid repository ID or local directory"),
        ("fail-no-weights.log", "no_weights", "RuntimeError: Cannot find any model weights with"),
        ("fail-port-taken.log", "port_taken", "OSError: [Errno 98] Address already in use"),
        ("fail-qwen3_5-without-torchvision.log", "image_broken", "ModuleNotFoundError: No module named"),
        ("fail-return-sampling-mask.log", "sampling_mask", "Value error, sampling distribution replay"),
        ("fail-torchvision-from-pypi.log", "image_broken", "RuntimeError: operator torchvision::nms"),
        ("fail-tp2.log", "tensor_parallel", "Value error, Total number of attention heads (4)"),
        ("fail-truncated-weights.log", "weights_damaged", "safetensors._safetensors_rust.SafetensorError"),
        ("fail-unknown-flag.log", "unknown_flag", "vllm: error: unrecognized arguments: --no-such-flag 3"),
        ("fail-v2-runner.log", "model_runner", "Value error, Model Runner V2 requires Triton."),
        ("fail-wrong-path.log", "offline", "huggingface_hub.errors.HFValidationError: Repo id must be"),
        ("crash-engine-dead-at-first-request.log", "cpu_model", "RuntimeError: Unexpected head dim size, 32"),
        ("cuda_too_old_late.log", "driver_old", "RuntimeError: The NVIDIA driver on your system is too old"),
        ("generic_tail.log", "unknown", "NotImplementedError: kernel for dtype float8"),
        ("gpu_free_low.log", "gpu_memory", "ValueError: Free memory on device cuda:0 (7.31/8.0 GiB)"),
        ("kv_small_v0.log", "kv_tokens", "ValueError: The model's max seq len (40000)"),
        ("kv_small_v1.log", "kv_small", "ValueError: To serve at least one request"),
        ("kv_small_v1_old.log", "kv_small", "ValueError: To serve at least one request"),
        ("offline_path.log", "offline", "Repo id must be in the form"),
        ("qemu_sigill.log", "emulated", "qemu: uncaught target signal 4 (Illegal instruction)"),
        ("shm.log", "shm", "NCCL WARN Error while creating shared memory segment"),
    ],
)
def test_a_failed_start_is_known_by_its_first_cause(name: str, code: str, line: str) -> None:
    found = diagnose(Evidence(spec=SPEC, log=_log(name), exit_code=1, ready=name.startswith("crash")))
    assert (found.code, found.line[: len(line)]) == (code, line)
