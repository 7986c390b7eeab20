"""Why a server did not start: real logs of failed starts, and what is told by exit code and circumstances."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import msgspec
import pytest

from core.server import cause
from core.server.access import DockerInfo
from core.server.environment import memory_limit
from core.server.evidence import Evidence
from core.server.finding_words import sentence
from core.server.findings import diagnose, diagnose_aside
from core.server.spec import GIB, LaunchSpec

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
    assert (found.code, found.line[: len(line)], found.logged) == (code, line, True)


def test_a_line_that_is_cut_stands_in_the_log_and_dockers_own_words_do_not() -> None:
    log = (f"ValueError: {'long ' * 200}",)
    found = diagnose(Evidence(spec=SPEC, log=log, exit_code=1))
    assert found.line.endswith("…") and found.logged
    found = diagnose(
        Evidence(spec=SPEC, log=log, error="Error: failed to bind host port: address already in use")
    )
    assert (found.code, found.logged) == ("port_taken", False)


def test_of_a_server_that_served_only_its_end_counts() -> None:
    """An error that it survived hours ago is no cause; nor is what was written before it was ready."""
    survived = "(APIServer pid=1) ERROR 11-29 14:00:00 [x.py:1] torch.OutOfMemoryError: CUDA out of memory"
    ready = "INFO:     Application startup complete."
    busy = tuple(f"(APIServer pid=1) ERROR 11-29 15:00:00 [x.py:1] bad request {i}" for i in range(500))
    end = (
        "(EngineCore pid=7) ERROR 11-29 20:00:00 [core.py:1512] EngineCore encountered a fatal error.",
        "(EngineCore pid=7) ERROR 11-29 20:00:00 [core.py:1512] Traceback (most recent call last):",
        "(EngineCore pid=7) ERROR 11-29 20:00:00 [core.py:1512] RuntimeError: made up",
    )
    for log in ((survived, ready, *end), (ready, survived, *busy, *end)):
        found = diagnose(Evidence(spec=SPEC, log=log, exit_code=0, ready=True))
        assert found.code == "engine_died"
    assert found.line == "RuntimeError: made up" or found.line.startswith("bad request")
    assert diagnose(Evidence(spec=SPEC, log=(ready, *end), exit_code=0, ready=True)).line == end[-1][-21:]


def test_a_container_that_never_ran() -> None:
    assert diagnose(Evidence(spec=SPEC)).code == "interrupted"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("OSError: [Errno 28] No space left on device: '/dev/shm/psm_1a2b'", "shm"),
        ("RuntimeError: unable to write to file </torch_12_3>: No space left on device (28)", "shm"),
        ("OSError: [Errno 28] No space left on device: '/root/.cache/vllm/x'", "disk_full"),
    ],
)
def test_which_room_is_full(line: str, code: str) -> None:
    assert (
        diagnose(Evidence(spec=SPEC, exit_code=1, log=(f"ERROR 01-01 00:00:00 [a.py:1] {line}",))).code
        == code
    )


def test_what_docker_names_is_told() -> None:
    missing = "Error response from daemon: manifest for vllm/vllm-openai:v9 not found: manifest unknown"
    found = diagnose(Evidence(spec=SPEC, error=missing))
    assert (found.code, found.params["image"]) == ("tag_missing", "vllm/vllm-openai:v9")
    denied = "Mounts denied: \nThe path /Volumes/x y is not shared from the host and is not known to Docker."
    assert diagnose(Evidence(spec=SPEC, error=denied)).params["path"] == "/Volumes/x y"


@pytest.mark.parametrize(
    ("said", "line"),
    [
        (  # BuildKit, whose steps run side by side
            "#7 0.1 a\n#8 0.2 b\n#7 0.3 c  \n#8 DONE 0.4s\n#7 ERROR: process x did not complete successfully:"
            " exit code: 1\n------\n > [2/2] RUN x:\n0.1 a\n0.3 c\n------\nfailed to solve: process",
            "a\nc\n#7 ERROR: process x did not complete successfully: exit code: 1",
        ),
        (  # the builder before it
            "Step 2/2 : RUN x\n ---> Running in 0a\na\nb\nc\nd\ne\nThe command x returned a non-zero code: 1",
            "b\nc\nd\ne\nThe command x returned a non-zero code: 1",
        ),
        ("failed to solve: process", "failed to solve: process"),
    ],
)
def test_of_a_build_that_failed_the_last_words_of_its_step_are_told(said: str, line: str) -> None:
    found = diagnose(Evidence(spec=SPEC, error=said))
    assert (found.code, found.line) == ("build_failed", line)


def test_killed_for_memory_by_us_or_by_another() -> None:
    """V05."""
    limit = DockerInfo(
        version="28", api="1.51", arch="amd64", cpus=2, memory=8 * GIB, system="Docker Desktop"
    )
    spec = msgspec.structs.replace(SPEC, device="cpu", kv_bytes=4 * GIB, memory=6 * GIB)
    evidence = Evidence(spec=spec, exit_code=137, oom_killed=True, info=limit, weights=3 * GIB)
    found = diagnose(evidence)
    assert found.code == "oom"
    assert found.collision is not None
    assert (found.collision.asked, found.collision.free) == (7 * GIB, 6 * GIB)
    changes = {fix.code: dict(fix.changes) for fix in found.fixes}
    assert changes["memory"] == {"memory": 8 * GIB} and changes["kv_less"] == {"kv_bytes": 2 * GIB}
    assert "docker_memory" in changes  # Docker Desktop has a machine of its own
    usual = msgspec.structs.replace(spec, memory=None)
    found = diagnose(msgspec.structs.replace(evidence, spec=usual))
    assert found.params["free"] == memory_limit(8 * GIB) / GIB < 8
    assert diagnose(Evidence(spec=spec, exit_code=137, info=limit)).code == "killed"


def _info(arch: str = "amd64", **more: object) -> DockerInfo:
    return msgspec.structs.replace(
        DockerInfo(version="28", api="1.51", arch=arch, cpus=2, memory=8 * GIB), **more
    )


def test_an_illegal_instruction_is_the_processor_or_the_emulation() -> None:
    """V01 and V03."""
    found = diagnose(Evidence(spec=SPEC, exit_code=132, info=_info(), image_arch="amd64"))
    assert (found.code, found.params["needed"]) == ("processor", "AVX2 or AVX-512")
    assert [fix.code for fix in found.fixes][-2:] == ["built_in", "server"]
    foreign = Evidence(spec=SPEC, exit_code=132, info=_info("arm64"), image_arch="amd64")
    found = diagnose(foreign)
    assert found.code == "emulated" and found.fixes[0].code == "other_image"
    assert "amd64" in sentence(found) and "arm64" in sentence(found)
    assert diagnose(msgspec.structs.replace(foreign, exit_code=139)).code == "emulated"
    assert diagnose(Evidence(spec=SPEC, exit_code=139)).code == "crashed"


def test_an_end_without_a_word() -> None:
    assert diagnose(Evidence(spec=SPEC, exit_code=0, log=("INFO all well",))).code == "ended"
    assert diagnose(Evidence(spec=SPEC, exit_code=143, ready=True)).code == "ended"
    assert diagnose(Evidence(spec=SPEC, exit_code=1, ready=True)).code == "engine_died"
    assert diagnose(Evidence(spec=SPEC, gone=True, ready=True)).code == "gone"
    assert diagnose(Evidence(spec=SPEC, error="Error response from daemon: odd")).code == "docker_failed"
    nothing = diagnose(Evidence(spec=SPEC, exit_code=1))
    assert (nothing.code, nothing.line) == ("unknown", "")
    assert [fix.code for fix in nothing.fixes] == ["eager", "retry"]
    eager = msgspec.structs.replace(SPEC, eager=True)
    assert [fix.code for fix in diagnose(Evidence(spec=eager, exit_code=1)).fixes] == ["retry"]


def test_what_docker_says_comes_before_what_the_log_says() -> None:
    log = ("OSError: [Errno 98] Address already in use",)
    error = 'Error response from daemon: could not select device driver "nvidia" with capabilities: [[gpu]]'
    assert diagnose(Evidence(spec=SPEC, error=error, log=log)).code == "no_nvidia"
    # a line that only says that it ended does not
    error = "container tokenloupe-vllm-1 exited (1)"
    assert diagnose(Evidence(spec=SPEC, error=error, log=log, exit_code=1)).code == "port_taken"
    refused = diagnose(Evidence(spec=SPEC, error=error, exit_code=1))
    assert (refused.code, refused.line) == ("docker_failed", error)
    # Compose's JSON is read as its message
    error = '{"error":true,"message":"Error response from daemon: toomanyrequests: \\"slow down\\""}'
    found = diagnose(Evidence(spec=SPEC, error=error))
    assert (found.code, found.line) == (
        "rate_limit",
        'Error response from daemon: toomanyrequests: "slow down"',
    )


def test_selinux_is_named_where_it_is_on() -> None:
    """D19."""
    log = ("PermissionError: [Errno 13] Permission denied: '/models/qwen/config.json'",)
    found = diagnose(Evidence(spec=SPEC, log=log, exit_code=1, info=_info(security=("name=selinux",))))
    assert found.code == "selinux" and "SELinux" in sentence(found)
    assert found.fixes[0].params["command"] == "sudo chcon -Rt container_file_t /home/me/models/qwen"
    assert diagnose(Evidence(spec=SPEC, log=log, exit_code=1, info=_info())).code == "unreadable"


def test_a_list_of_hundreds_of_names_is_not_shown() -> None:
    """V15."""
    names = ", ".join(f"'Name{i}ForCausalLM'" for i in range(300))
    text = (
        f"ValueError: Model architectures ['Odd'] are not supported for now. Supported architectures: {names}"
    )
    found = diagnose(Evidence(spec=SPEC, log=(text,), exit_code=1))
    assert found.code == "architecture" and len(found.line) <= 401
    assert "'Odd'" in sentence(found) and "Name0" not in sentence(found)


def test_a_full_disk_is_docker_s_and_nothing_is_pruned() -> None:
    """D24."""
    table = "TYPE    TOTAL    SIZE\nImages  3        60GB\n"
    for text in ("write /x: no space left on device", "mkdir /var/lib/docker/x: input/output error"):
        found = diagnose(Evidence(spec=SPEC, error=text, disk=table))
        assert found.line.splitlines() == [text, "", *table.splitlines()]
        assert (found.code, found.fixes[0].params["command"]) == ("disk_full", "docker system df")


def test_others_go_on_while_a_log_full_of_errors_is_looked_at() -> None:
    log = tuple(f"(EngineCore pid=7) ERROR x frame {i}: KeyError: {i}" for i in range(8000))

    async def turns() -> int:
        found, turns = asyncio.ensure_future(diagnose_aside(Evidence(spec=SPEC, log=log, exit_code=1))), 0
        while not found.done():
            await asyncio.sleep(0)
            turns += 1
        return turns

    assert asyncio.run(turns()) > 20


def test_a_log_is_searched_in_parts_that_are_short_and_leave_nothing_out() -> None:
    """One search of 30 MB would hold the interpreter for 80 ms."""
    lines = [f"line {number} {'x' * (number % 4000)}" for number in range(10_000)]
    parts = list(cause._blocks(lines))
    assert "\n".join(parts).split("\n") == lines and len(parts) > 100
    assert max(map(len, parts)) < cause._BLOCK + 5000
    assert list(cause._blocks([])) == []


@pytest.mark.parametrize("ending", ["\r", ""])
def test_time_does_not_explode(ending: str) -> None:
    """G03: a line of 5 MB without an end, and 100,000 lines that all look like trouble."""
    long = ("(port is a/b " * 400_000 + ending, "max seq len (" * 400_000, "KeyError: 'x" + " " * 5_000_000)
    many = tuple(f"(EngineCore pid=7) ERROR x frame {i}: Available memory on node" for i in range(100_000))
    began = time.process_time()
    assert (
        diagnose(Evidence(spec=SPEC, log=(*many, *long, *many), error=long[0], exit_code=1)).code == "unknown"
    )
    assert time.process_time() - began < 10  # some 2 s here; quadratic would be hours
