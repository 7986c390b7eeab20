"""Too little GPU memory: what the doctor says, what a start is warned of, and who holds it when it fails."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from core.server import doctor, start_check
from core.server.access import LABEL_LAUNCH, Check, Container, Gpu, Gpus, Holder
from core.server.evidence import Evidence
from core.server.finding import Finding
from core.server.finding_words import check_text, effect, entry, sentence
from core.server.findings import diagnose
from core.server.launcher import Doctor
from core.server.machine import Machine
from core.server.spec import GIB
from core.server.tools import NotStarted
from tests.fakes.server_room import Room, run
from tests.fakes.told_docker import HERE, INFO, LINUX, SPEC, Docker

MIB = 1 << 20
PYTHON, XORG = Holder(4121, "python3", 4813 * MIB), Holder(812, "Xorg", 455 * MIB)
CARD = Gpu(0, "NVIDIA RTX 4080", "580.65.06", 16376 * MIB, 10073 * MIB, holders=(PYTHON, XORG))
RUNTIME = replace(INFO, runtimes=("nvidia", "runc"))
DRIVER = replace(LINUX, driver="580.65.06", gpus=("NVIDIA RTX 4080",))
SMALL = (
    "(EngineCore pid=88) ERROR 11-29 14:40:31 [core.py:1098] ValueError: Free memory on device cuda:0 "
    "(9.84/15.59 GiB) on startup is less than desired GPU memory utilization (0.92, 14.34 GiB). Decrease GPU "
    "memory utilization or reduce GPU memory used by other processes."
)


def examine(gpus: Gpus, here: Machine = DRIVER, info: object = RUNTIME) -> Doctor:
    docker = Docker(info=info, gpus=gpus)  # type: ignore[arg-type]
    return asyncio.run(
        doctor.examine(docker, models=Path("/nowhere"), look=lambda: here, owner=lambda port: None)
    )


def memory_of(found: Doctor) -> Check | None:
    return next((one for one in found.checks if one.code == "gpu_memory"), None)


def test_the_doctor_says_what_is_free_and_who_holds_most() -> None:
    check = memory_of(examine(Gpus((CARD,))))
    assert check is not None and check.severity == "ok"
    assert check_text(check) == "9.8 GiB of 16.0 GiB is free; python3 (pid 4121) holds 4.7 GiB"
    other = replace(CARD, index=1)
    check = memory_of(examine(Gpus((replace(CARD, holders=()), other))))
    assert check is not None and check_text(check) == "GPU 0: 9.8 GiB of 16.0 GiB is free"


@pytest.mark.parametrize(
    ("gpus", "note"),
    [
        (Gpus(why="absent"), "gpu_memory_absent"),
        (Gpus(why="slow"), "gpu_memory_slow"),
        (Gpus(why="failed", detail="Unknown Error"), "gpu_memory_failed"),
        (Gpus((replace(CARD, parted=True),)), "gpu_memory_parted"),
        (Gpus((replace(CARD, total=None),)), "gpu_memory_untold"),
    ],
)
def test_what_it_does_not_know_it_says_with_the_reason(gpus: Gpus, note: str) -> None:
    found = examine(gpus)
    check = memory_of(found)
    assert check is not None and (check.severity, check.note) == ("unknown", note)
    assert entry("checks", note) and found.device == "gpu"  # no reason not to start there


def test_where_there_is_no_gpu_nothing_is_said_of_its_memory() -> None:
    assert memory_of(examine(Gpus(why="absent"), LINUX, INFO)) is None
    vm = replace(INFO, system="Docker Desktop")
    assert memory_of(examine(Gpus((CARD,)), DRIVER, vm)) is None  # here is one, in Docker's machine none


def test_a_driver_that_does_not_answer_is_told_in_its_own_words() -> None:
    said = "Failed to initialize NVML: Driver/library version mismatch"
    found = examine(Gpus(why="failed", detail=said))
    assert found.no_gpu is not None and (found.no_gpu.code, found.no_gpu.line) == ("nvidia_broken", said)
    assert found.device == "cpu"


def test_a_driver_that_only_nvidia_smi_knows() -> None:
    """As on WSL, where the system has no files of it."""
    found = examine(Gpus((CARD,)), LINUX)
    assert found.no_gpu is None and found.device == "gpu"


# --- before a start ---------------------------------------------------------------------------------------


def check(gpus: Gpus, share: float = 0.92, containers: tuple[Container, ...] = ()) -> Finding | None:
    docker = Docker(info=RUNTIME, gpus=gpus, containers=containers)
    spec = replace(SPEC, device="gpu", gpu_share=share)
    return asyncio.run(
        start_check.check_start(docker, spec, RUNTIME, HERE, look=lambda: DRIVER, owner=lambda port: None)
    )


@pytest.fixture(autouse=True)
def _room_for_images(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start_check, "room_of", lambda root: 1 << 50)


def test_a_share_that_is_not_free_is_a_warning_with_its_ways_out() -> None:
    """V07, before anything is pulled or made."""
    found = check(Gpus((CARD,)))
    assert found is not None and (found.code, found.severity) == ("gpu_low", "warn")
    assert "14.71 GiB" in sentence(found) and "92 %" in sentence(found) and "9.84 GiB" in sentence(found)
    share, close, cpu = found.fixes
    assert dict(share.changes) == {"gpu_share": 0.6} and dict(cpu.changes) == {"device": "cpu"}
    assert effect(close) == "Close python3 (pid 4121), which holds 4.70 GiB, then check again."
    assert found.collision is not None and found.collision.name == "NVIDIA RTX 4080"
    assert [part.name for part in found.collision.taken] == ["python3", "Xorg", "gpu_rest"]


@pytest.mark.parametrize(
    ("gpus", "share"),
    [
        (Gpus((CARD,)), 0.6),
        (Gpus(why="absent"), 0.92),
        (Gpus((replace(CARD, parted=True),)), 0.92),
        (Gpus((replace(CARD, free=None),)), 0.92),
    ],
)
def test_enough_or_nothing_known_is_no_warning(gpus: Gpus, share: float) -> None:
    assert check(gpus, share) is None


def test_what_our_own_server_holds_will_be_free() -> None:
    ours = Container("id", "tokenloupe-vllm-1", "x", "running", {LABEL_LAUNCH: "1"})
    assert check(Gpus((CARD,)), containers=(ours,)) is None


# --- after a failure ----------------------------------------------------------------------------------------


def test_who_holds_the_memory_stands_in_the_diagnosis() -> None:
    found = diagnose(Evidence(spec=replace(SPEC, device="gpu"), log=(SMALL,), gpus=Gpus((CARD,))))
    assert found.code == "gpu_memory" and found.collision is not None
    assert found.collision.name == "NVIDIA RTX 4080"
    taken = {part.name: round(part.amount / GIB, 2) for part in found.collision.taken}
    assert taken == {"python3": 4.7, "Xorg": 0.44, "gpu_rest": 0.61}  # of the 5.75 that are not free
    assert "python3 (pid 4121)" in effect(found.fixes[1])


def test_the_gpu_that_the_line_names() -> None:
    other = replace(CARD, index=1, name="NVIDIA RTX 3060", holders=())
    log = (SMALL.replace("cuda:0", "cuda:1"),)
    found = diagnose(Evidence(log=log, gpus=Gpus((CARD, other))))
    assert found.collision is not None and found.collision.name == "NVIDIA RTX 3060"
    assert "Close other programs" in effect(found.fixes[1])
    found = diagnose(Evidence(log=log, gpus=Gpus(why="absent")))
    assert found.collision is not None and (found.collision.name, found.collision.taken) == ("cuda:1", ())


OOM = (
    "(EngineCore pid=88) ERROR 11-29 14:40:31 [core.py:9] torch.OutOfMemoryError: CUDA out of memory. "
    "Tried to allocate 1.16 GiB. GPU 0 has a total capacity of 15.59 GiB of which 960.50 MiB is free. "
    "Process 4121 has 4.70 GiB memory in use. Including non-PyTorch memory, this process has "
    "9.50 GiB memory in use. Of the allocated memory 9.10 GiB is allocated by PyTorch."
)


def test_memory_that_ran_out_while_it_loaded() -> None:
    """The server itself is gone when nvidia-smi is asked; it has said what it held."""
    found = diagnose(Evidence(log=(OOM,), gpus=Gpus((CARD,))))
    assert found.code == "gpu_oom" and found.collision is not None
    collision = found.collision
    assert [round(value / GIB, 2) for value in (collision.asked, collision.free)] == [1.16, 0.94]
    assert [part.name for part in collision.taken] == ["server", "python3", "Xorg"]
    short = diagnose(Evidence(log=(OOM.split(" GPU 0")[0],)))
    assert (short.code, short.collision) == ("gpu_oom", None)


def test_it_is_asked_for_when_a_start_fails_for_it() -> None:
    async def body(room: Room) -> None:
        docker, program = room.docker, room.program()
        docker.found_gpus = Gpus((CARD,))
        docker.on_up = lambda box: box.end(1, SMALL)
        with pytest.raises(NotStarted) as raised:
            await room.does(program.start(room.spec))
        collision = raised.value.finding.collision
        assert collision is not None and collision.taken[0].name == "python3"
        docker.on_up = lambda box: box.end(1, "SomethingElseError: no memory in it")
        docker.calls.clear()
        with pytest.raises(NotStarted):
            await room.does(program.start(room.spec))
        assert "gpus" not in docker.calls

    run(body)
