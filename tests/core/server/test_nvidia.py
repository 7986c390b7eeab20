"""What nvidia-smi says, or why it says nothing: its tables as it prints them, and a program in its place."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from core.server import contexts, nvidia
from core.server.access import Gpu, Gpus, Holder
from core.server.docker import DockerCli
from core.worker.client import library_worker

MIB = 1 << 20
TWO = """\
1, GPU-b, 24564, 24130, 580.65.06, Disabled, NVIDIA GeForce RTX 4090
0, GPU-a, 16376, 10073, 580.65.06, [N/A], NVIDIA GeForce RTX 4080
"""
HELD = """\
GPU-a, 812, 455, /usr/lib/xorg/Xorg
GPU-a, 4121, 4813, /home/ana/venv/bin/python3, with a comma
GPU-a, 5000, [N/A], [Not Found]
GPU-b, 900, 30, /opt/google/chrome/chrome --type=gpu-process --user-data-dir=/home/ana/x
"""
# an answer for each of the two questions; STUB says which fault it has
PROGRAM = """#!/bin/sh
[ "$STUB" = hang ] && exec sleep 600
[ "$STUB" = driver ] && echo "NVIDIA-SMI has failed because it couldn't communicate with it." && exit 9
[ "$STUB" = none ] && echo "No devices were found" && exit 6
[ "$STUB" = silent ] && exit 3
case "$1" in
--query-gpu=*) [ "$STUB" = empty ] || echo "0, GPU-a, 16376, 10073, 580.65.06, [N/A], NVIDIA RTX 4080" ;;
--query-compute-apps=*) [ "$STUB" = half ] && exit 1; echo "GPU-a, 4121, 4813, /usr/bin/python3" ;;
esac
"""


def test_both_tables() -> None:
    found = nvidia.read(TWO, HELD)
    assert [gpu.index for gpu in found.all] == [0, 1] and found.unknown == ""
    first = found.first
    assert first == Gpu(
        0,
        "NVIDIA GeForce RTX 4080",
        "580.65.06",
        16376 * MIB,
        10073 * MIB,
        holders=(
            Holder(4121, "python3, with a comma", 4813 * MIB),
            Holder(812, "Xorg", 455 * MIB),
            Holder(5000, "", None),
        ),
    )
    assert first.holder == first.holders[0]
    assert found.all[1].holders == (Holder(900, "chrome", 30 * MIB),)


@pytest.mark.parametrize(
    ("about", "unknown"),
    [
        ("0, GPU-a, [N/A], [N/A], 580.95.05, [N/A], NVIDIA GB10", "untold"),  # shares the computer's memory
        ("0, GPU-a, 81559, [Insufficient Permissions], 580.1, Disabled, NVIDIA H100", "untold"),
        ("0, GPU-a, 81559, 80000, 580.1, Enabled, NVIDIA H100", "parted"),
        ("0, GPU-a, 16376, 10073, [Unknown Error], Disabled, X", ""),
        ("", "none"),
        ("a table of some other kind\n0, GPU-a", "none"),
    ],
)
def test_what_is_not_told_is_not_known(about: str, unknown: str) -> None:
    assert nvidia.read(about).unknown == unknown


def test_who_holds_it_may_be_untold() -> None:
    one = nvidia.read(TWO, "GPU-a, 4121, [N/A], python3\nGPU-z, 1, 5, x\nnonsense").first
    assert one is not None and one.holders == (Holder(4121, "python3", None),) and one.holder is None


# --- the program ----------------------------------------------------------------------------------------

Asked = Callable[[str], Gpus]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Asked:
    """By the real child process, with a program that has this fault; "absent": with none."""
    monkeypatch.setattr(contexts, "_FOLDERS", ())
    monkeypatch.setattr(nvidia, "_FOLDERS", ())
    program = tmp_path / "nvidia-smi"
    program.write_text(PROGRAM)
    program.chmod(0o755)

    def of(fault: str) -> Gpus:
        folder = tmp_path if fault != "absent" else tmp_path / "nowhere"
        environment = {"PATH": f"{folder}:/usr/bin:/bin", "STUB": fault}

        async def asked() -> Gpus:
            library = library_worker()
            try:
                found = await DockerCli(library, environment).gpus()
                assert await _nothing_runs(library.pid)
                return found
            finally:
                await library.close()

        return asyncio.run(asyncio.wait_for(asked(), 60))

    return of


async def _nothing_runs(pid: int | None) -> bool:
    children = psutil.Process(pid).children(recursive=True)
    _, alive = await asyncio.to_thread(psutil.wait_procs, children, 5)
    return not [one for one in alive if one.status() != psutil.STATUS_ZOMBIE]


posix = pytest.mark.skipif(os.name == "nt", reason="the program is a shell script")


@posix
def test_the_program_is_asked_for_both(ask: Asked) -> None:
    found = ask("")
    assert found.first is not None and found.first.holders == (Holder(4121, "python3", 4813 * MIB),)
    without = ask("half")  # memory is known all the same
    assert without.first is not None and without.first.total == 16376 * MIB and not without.first.holders


@posix
@pytest.mark.parametrize(
    ("fault", "why", "detail"),
    [
        ("absent", "absent", ""),
        ("none", "none", ""),
        ("empty", "none", ""),
        ("driver", "failed", "NVIDIA-SMI has failed"),
        ("silent", "failed", "exit code 3"),
    ],
)
def test_why_it_tells_nothing(ask: Asked, fault: str, why: str, detail: str) -> None:
    found = ask(fault)
    assert (found.all, found.why, found.unknown) == ((), why, why)
    assert found.detail.startswith(detail)


@posix
def test_one_that_hangs_is_ended(ask: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvidia, "SECONDS", 0.3)
    assert ask("hang").why == "slow"


@posix
def test_another_computer_is_not_asked_about(tmp_path: Path) -> None:
    """This computer's GPU is none of a Docker's elsewhere."""
    docker = tmp_path / "docker"
    docker.write_text('#!/bin/sh\necho \'[{"Name": "x", "Endpoints": {"docker": {"Host": "ssh://b"}}}]\'\n')
    docker.chmod(0o755)

    async def asked() -> Gpus:
        library = library_worker()
        try:
            access = DockerCli(library, {"PATH": f"{tmp_path}:/usr/bin:/bin"})
            assert (await access.find()).remote
            return await access.gpus()
        finally:
            await library.close()

    assert asyncio.run(asyncio.wait_for(asked(), 60)).why == "remote"
