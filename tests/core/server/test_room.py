"""What a start may really use: of Docker's memory, of a GPU and of two disks, at this moment."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from core.errors import DockerError
from core.models.fit import Verdict, fit
from core.models.headers import Weights
from core.models.room import Room
from core.server import room as rooms
from core.server.access import LABEL_LAUNCH, Container, Gpu, Gpus, Holder, Image
from core.server.environment import memory_limit
from core.server.machine import Machine
from core.server.spec import GIB, Device
from tests.fakes.told_docker import HERE, INFO, LINUX, Docker

CARD = Gpu(0, "RTX 4080", "580.1", 16 * GIB, 9 * GIB, holders=(Holder(41, "VLLM::EngineCore", 5 * GIB),))
OURS = Container("id", "tokenloupe-vllm-1", "x", "running", {LABEL_LAUNCH: "1"})


def room(docker: Docker, device: Device = "cpu", here: Machine = LINUX, models: Path = Path("/")) -> Room:
    return asyncio.run(
        rooms.room_for(
            docker,
            models,
            device,
            version="",
            share=0.3,
            look=lambda: here,
            is_in=lambda pid, container: (pid, container) == (41, OURS.id),
        )
    )


def test_a_processor_has_what_the_container_may_use_and_what_is_free() -> None:
    found = room(Docker())
    assert (found.memory, found.free, found.why) == (memory_limit(16 * GIB), 12 * GIB, "")
    assert found.memory is not None and found.memory < 16 * GIB and found.usable == 12 * GIB


def test_the_server_that_would_be_replaced_gives_its_memory_back() -> None:
    found = room(Docker(containers=(OURS,), memory=3 * GIB))
    assert found.free == 15 * GIB
    stopped = replace(OURS, status="exited")
    assert room(Docker(containers=(stopped,), memory=3 * GIB)).free == 12 * GIB
    assert room(Docker(containers=(OURS,), memory=30 * GIB)).free == 16 * GIB  # never more than there is


def test_a_virtual_machine_does_not_tell_what_is_free_in_it() -> None:
    vm = replace(INFO, memory=8 * GIB, system="Docker Desktop")
    found = room(Docker(info=vm))
    assert (found.memory, found.free, found.image_disk) == (memory_limit(8 * GIB), None, None)


@pytest.mark.parametrize("device", ["cpu", "gpu"])
def test_what_cannot_be_asked_is_not_known_with_its_reason(device: Device) -> None:
    found = room(Docker(info=DockerError("docker.stopped")), device)
    assert (found.why, found.usable) == ("docker", None) and found.disk  # this computer's own is known
    found = room(Docker(replace(HERE, host="ssh://me@other")), device)
    assert (found.why, found.usable) == ("remote", None)


def test_a_gpu() -> None:
    found = room(Docker(gpus=Gpus((CARD,))), "gpu")
    assert (found.memory, found.free, found.share, found.name) == (16 * GIB, 9 * GIB, 0.3, "RTX 4080")
    ours = Docker(gpus=Gpus((CARD,)), containers=(OURS,))
    assert room(ours, "gpu").free == 14 * GIB


@pytest.mark.parametrize(
    ("gpus", "why"),
    [
        (Gpus(why="absent"), "absent"),
        (Gpus(), "none"),
        (Gpus((replace(CARD, parted=True),)), "parted"),
        (Gpus((replace(CARD, free=None),)), "untold"),
    ],
)
def test_a_gpu_of_which_nothing_is_told(gpus: Gpus, why: str) -> None:
    found = room(Docker(gpus=gpus), "gpu")
    assert (found.why, found.usable) == (why, None)


def test_the_image_and_the_two_disks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free: dict[str, Any] = {str(tmp_path): 7, "/docker": 9}
    monkeypatch.setattr(rooms.computer, "free_of", lambda folder: free[str(folder)])
    monkeypatch.setattr(rooms, "_one_disk", lambda first, second: False)
    info = replace(INFO, root="/docker")
    found = room(Docker(info=info), models=tmp_path)
    assert (found.disk, found.image_disk, found.image) == (7, 9, None)  # how large it is, nobody has told
    there = Docker(info=info, image=Image("id", "sha256:x", 1, "amd64"))
    assert room(there, models=tmp_path).image == 0


def test_whether_two_folders_are_on_one_disk(tmp_path: Path) -> None:
    here = room(Docker(info=replace(INFO, root=str(tmp_path))), models=tmp_path / "not" / "made" / "yet")
    assert here.one_disk and here.image_disk is not None
    if Path("/proc/self").is_dir():
        other = room(Docker(info=replace(INFO, root="/proc")), models=tmp_path)
        assert not other.one_disk


def _of_gb(billions: float, words: int) -> tuple[dict[str, Any], Weights]:
    """A model with encoders of so many parameters in 16 bits, as its name says; the KV cache is the launch's
    own 2 GiB whatever its layers are."""
    text = {
        "hidden_size": 2048,
        "intermediate_size": 8192,
        "vocab_size": words,
        "num_hidden_layers": 12,
        "num_attention_heads": 16,
        "num_key_value_heads": 4,
        "max_position_embeddings": 4096,
    }
    return {"vision_config": {}, "text_config": text}, Weights(round(2e9 * billions))


@pytest.mark.parametrize(
    ("billions", "words", "gib", "verdict"),
    [
        (0.8, 248_320, 8, Verdict.TOO_BIG),  # Qwen3.5 0.8B took about 9 GB
        (0.8, 248_320, 12, Verdict.FITS),
        (5.1, 262_144, 16, Verdict.TOO_BIG),  # Gemma 4 E2B was killed while it loaded
        (5.1, 262_144, 24, Verdict.TIGHT),
    ],
)
def test_what_was_seen_with_docker_desktop(billions: float, words: int, gib: int, verdict: Verdict) -> None:
    """The memory that it is given, less what its own system keeps, less what a container may not have."""
    vm = replace(INFO, memory=gib * GIB * 97 // 100, system="Docker Desktop")
    found = fit(*_of_gb(billions, words), room(Docker(info=vm)), kv_space=2 * GIB)
    assert found.verdict is verdict, (found.low / GIB, found.high / GIB, found.room)
