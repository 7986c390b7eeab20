"""What the doctor says of Docker and of this computer, and what keeps one start from being."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from pathlib import Path
from typing import Any

import msgspec
import pytest

from core.errors import DockerError
from core.server import doctor, machine, start_check
from core.server.access import ALL_GPUS, LABEL_LAUNCH, Container, Endpoint, Image
from core.server.finding import Finding
from core.server.finding_words import check_text, effect, entry, sentence
from core.server.launcher import Doctor
from core.server.machine import Machine, Owner
from core.server.spec import GIB, LaunchSpec
from tests.fakes.told_docker import HERE, INFO, LINUX, SPEC, Docker


def _examine(docker: Docker, here: Machine = LINUX, owner: Owner | None = None) -> Doctor:
    found = asyncio.run(
        doctor.examine(
            docker,
            models=Path("/nowhere"),
            look=lambda: here,
            owner=lambda port: owner,
        )
    )
    for check in found.checks:
        assert entry("checks", check.note), check.note
        assert "…" not in check_text(check), check_text(check)
    for finding in (found.finding, found.no_gpu, found.no_cpu):
        assert finding is None or (finding.fixes and "…" not in sentence(finding))
    return found


def _notes(found: Doctor) -> dict[str, str]:
    return {check.code: check.note for check in found.checks}


def test_a_computer_where_all_is_well() -> None:
    found = _examine(Docker())
    assert found.finding is None and found.no_cpu is None and found.device == "cpu"
    assert found.no_gpu is not None and found.no_gpu.code == "no_gpu"
    assert _notes(found) == {
        "docker": "docker",
        "engine": "endpoint",
        "compose": "compose",
        "gpu": "gpu_none",
        "architecture": "architecture",
        "processor": "processor",
        "memory": "memory_free",
        "disk": "disk",
        "port": "port",
        "security": "security_none",
        "sharing": "sharing",
    }


@pytest.mark.parametrize(
    ("code", "params", "fixes"),
    [
        ("missing", {"places": "/usr/bin, /usr/local/bin"}, ["install_docker", "check_again", "built_in"]),
        ("stopped", {"host": "unix:///x"}, ["start_docker_command", "check_again", "built_in"]),
        ("forbidden", {"host": "unix:///x"}, ["group", "check_again", "built_in"]),
        ("starting", {}, ["check_again", "built_in"]),
        ("slow", {"command": "docker", "seconds": 20}, ["check_again", "built_in"]),
        ("context", {"name": "colima"}, ["local_context", "check_again", "built_in"]),
        (
            "host_value",
            {"value": "/run/podman.sock", "suggestion": "unix:///run/podman.sock"},
            ["docker_host", "check_again", "built_in"],
        ),
        (
            "other_socket",
            {"host": "unix:///x", "socket": "unix:///home/me/.colima/default/docker.sock"},
            ["docker_host", "check_again", "built_in"],
        ),
        ("failed", {}, ["check_again", "built_in"]),
    ],
)
def test_each_trouble_of_docker_has_its_own_step(
    code: str, params: dict[str, object], fixes: list[str]
) -> None:
    error = DockerError(f"docker.{code}", detail="", **params)
    for docker in (Docker(endpoint=error), Docker(info=error)):
        found = _examine(docker)
        assert found.finding is not None and found.finding.code == f"docker_{code}"
        assert [fix.code for fix in found.finding.fixes] == fixes
        assert found.checks[0].severity == "err"


def test_docker_desktop_can_be_started_from_here() -> None:
    """D07."""
    mac = Machine("darwin")
    found = _examine(Docker(endpoint=DockerError("docker.stopped")), mac)
    assert found.finding is not None
    assert [fix.action for fix in found.finding.fixes][:2] == ["start_docker", "check"]


def test_nothing_opens_the_socket_to_everybody() -> None:
    """D05."""
    text = (Path(__file__).parents[3] / "resources" / "findings.toml").read_text(encoding="utf-8")
    assert "chmod" not in text and "666" not in text and "777" not in text
    assert "docker.sock" not in text


@pytest.mark.parametrize(
    ("endpoint", "code"),
    [
        (msgspec.structs.replace(HERE, host="ssh://me@other"), "docker_remote"),
        (msgspec.structs.replace(HERE, host="tcp://10.0.0.1:2375"), "docker_remote"),
        (msgspec.structs.replace(HERE, host="ssh://me@localhost"), "docker_remote"),
        (msgspec.structs.replace(HERE, host="tcp://[nonsense"), "docker_remote"),
        (msgspec.structs.replace(HERE, compose=""), "docker_no_compose"),
        (msgspec.structs.replace(HERE, compose="2.20.2"), "compose_old"),
    ],
)
def test_what_keeps_a_server_from_starting_on_any_device(endpoint: Endpoint, code: str) -> None:
    found = _examine(Docker(endpoint))
    assert found.finding is not None and found.finding.code == code
    checked = _check(Docker(endpoint))
    assert checked is not None and checked.code == code


@pytest.mark.parametrize("host", ["tcp://127.0.0.1:2375", "tcp://localhost:2376", "http://[::1]:2375"])
def test_a_loopback_address_is_this_computer(host: str) -> None:
    docker = Docker(msgspec.structs.replace(HERE, host=host))
    assert _examine(docker).finding is None and _check(docker) is None


def test_another_computers_docker_is_of_no_use_even_if_it_cannot_be_reached() -> None:
    there = msgspec.structs.replace(HERE, host="ssh://me@other")
    found = _examine(Docker(there, DockerError("docker.failed", detail="ssh: no such host")))
    assert found.finding is not None and found.finding.code == "docker_remote"
    assert check_text(found.checks[0]) == "Docker of another computer: ssh://me@other"


@pytest.mark.parametrize(
    ("info", "here", "code", "note"),
    [
        ({"runtimes": ("nvidia", "runc")}, {"driver": "580.65.06", "gpus": ("RTX 4080",)}, "", "gpu"),
        ({"cdi": ("nvidia.com/gpu=0", ALL_GPUS)}, {"driver": "580.65.06"}, "", "gpu_cdi"),
        ({"cdi": (ALL_GPUS,), "system": "Docker Desktop"}, {}, "", "gpu_docker_cdi"),
        ({"cdi": (ALL_GPUS,), "runtimes": ("nvidia",)}, {"driver": "580.65.06"}, "", "gpu"),
        # there may be others than that one; the Compose file asks for all of them by their one name
        ({"cdi": ("nvidia.com/gpu=0",)}, {"driver": "580.65.06"}, "no_nvidia", "gpu_no_runtime"),
        ({}, {"driver": "580.65.06"}, "no_nvidia", "gpu_no_runtime"),
        ({"runtimes": ("nvidia",)}, {"driver": "550.90"}, "driver_old", "gpu_driver_old"),
        ({"runtimes": ("nvidia",)}, {}, "nvidia_broken", "gpu_driver_broken"),
        # in a virtual machine this computer's driver says nothing
        ({"runtimes": ("nvidia",), "system": "Docker Desktop"}, {}, "", "gpu_docker"),
        ({"runtimes": ("nvidia",), "arch": "riscv64"}, {}, "no_platform", "gpu_platform"),
    ],
)
def test_the_gpu(info: dict[str, Any], here: dict[str, Any], code: str, note: str) -> None:
    """V09 and V11, before anything is pulled."""
    docker = Docker(info=msgspec.structs.replace(INFO, **info))
    found = _examine(docker, msgspec.structs.replace(LINUX, **here))
    assert (found.no_gpu.code if found.no_gpu else "", _notes(found)["gpu"]) == (code, note)
    assert found.device == ("cpu" if code else "gpu")


@pytest.mark.parametrize(
    ("features", "code", "note"),
    [
        ({"sse4_2"}, "processor_old", "processor_missing"),
        ({"avx2"}, "", "processor_slow"),
        (None, "", "processor_unknown"),
    ],
)
def test_the_processor_is_known_before_gigabytes_are_pulled(
    features: set[str] | None, code: str, note: str
) -> None:
    """V01."""
    here = msgspec.structs.replace(LINUX, features=None if features is None else frozenset(features))
    found = _examine(Docker(), here)
    assert (found.no_cpu.code if found.no_cpu else "", _notes(found)["processor"]) == (code, note)
    assert (found.finding is None) == (not code)  # without a GPU there is no other device
    checked = _check(Docker(), here=here)
    assert (checked.code if checked else "") == code


@pytest.mark.parametrize(
    ("variables", "command"),
    [
        ({}, "docker context use default"),
        ({"DOCKER_HOST": "tcp://10.0.0.1:2375"}, "unset DOCKER_HOST"),
        ({"DOCKER_CONTEXT": "build"}, "unset DOCKER_CONTEXT"),
    ],
)
def test_the_way_back_to_the_docker_of_this_computer(
    variables: dict[str, str], command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DOCKER_HOST", "DOCKER_CONTEXT"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    found = _examine(Docker(msgspec.structs.replace(HERE, host="ssh://me@other")))
    assert found.finding is not None and "ssh://me@other" in sentence(found.finding)
    first, *others = found.finding.fixes
    assert (first.action, first.params["command"]) == ("copy", command)
    assert "{" not in effect(first) and [fix.code for fix in others] == ["check_again", "server", "built_in"]


def test_an_arm_processor_needs_nothing_special() -> None:
    found = _examine(Docker(info=msgspec.structs.replace(INFO, arch="arm64")))
    assert found.no_cpu is None and _notes(found)["processor"] == "processor_arm"
    found = _examine(Docker(info=msgspec.structs.replace(INFO, arch="s390x")))
    assert found.no_cpu is not None and found.no_cpu.code == "no_platform"


def _container(name: str, port: int = 8000, address: str = "127.0.0.1", **labels: str) -> Container:
    return Container(name, name, "x", "running", labels, ports=((address, port, 8000),))


@pytest.mark.parametrize(
    ("containers", "owner", "note"),
    [
        ((), None, "port"),
        ((), Owner(), "port_taken"),
        ((), Owner(41, "python3"), "port_process"),
        ((_container("other"),), Owner(), "port_container"),
        ((_container("other", address="10.0.0.5"),), None, "port"),
        ((_container("other", port=8001),), None, "port"),
        ((_container("x", **{LABEL_LAUNCH: "1"}),), Owner(), "port_ours"),
    ],
)
def test_who_is_on_the_port(containers: tuple[Container, ...], owner: Owner | None, note: str) -> None:
    found = _examine(Docker(containers=containers), owner=owner)
    assert _notes(found)["port"] == note
    checked = _check(Docker(containers=containers), owner=owner)
    assert (checked.code if checked else "") == (note if note not in ("port", "port_ours") else "")
    if checked is not None:
        assert [fix.code for fix in checked.fixes] == ["port", "check_again"]
        assert checked.collision is not None and checked.collision.asked == 8000


def test_memory_and_disk() -> None:
    found = _examine(Docker(info=msgspec.structs.replace(INFO, memory=2 * GIB, system="Docker Desktop")))
    assert _notes(found)["memory"] == "memory_low" and _notes(found)["disk"] == "disk_unknown"
    found = _examine(Docker(), msgspec.structs.replace(LINUX, free=GIB))
    assert _notes(found)["memory"] == "memory_free_low"


def test_selinux_and_rootless() -> None:
    for option, note in (("name=selinux", "selinux"), ("name=rootless", "rootless")):
        found = _examine(Docker(info=msgspec.structs.replace(INFO, security=(option,))))
        assert _notes(found)["security"] == note


def test_folders_that_docker_cannot_see(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """D15."""
    model = tmp_path / "models" / "one"
    model.mkdir(parents=True)
    (tmp_path / "elsewhere.json").write_text("{}")
    (model / "config.json").symlink_to(tmp_path / "elsewhere.json")
    options: dict[str, Any] = {"models": tmp_path / "models", "owner": lambda port: None}
    found = asyncio.run(doctor.examine(Docker(), look=lambda: LINUX, **options))
    (check,) = (one for one in found.checks if one.code == "sharing")
    assert check.note == "sharing_link" and check.params["path"] == "one/config.json"
    # a virtual machine of macOS sees some folders only
    monkeypatch.setattr(Path, "home", lambda: Path("/Users/me"))
    vm = Docker(info=msgspec.structs.replace(INFO, system="Docker Desktop"))
    options["models"] = Path("/opt/models")
    found = asyncio.run(doctor.examine(vm, look=lambda: Machine("darwin"), **options))
    assert _notes(found)["sharing"] == "sharing_not"


# --- one start -----------------------------------------------------------------------------------------


def _check(
    docker: Docker, spec: LaunchSpec = SPEC, here: Machine = LINUX, owner: Owner | None = None
) -> Finding | None:
    return asyncio.run(
        start_check.check_start(
            docker,
            spec,
            docker.told_info,
            look=lambda: here,
            owner=lambda port: owner,
        )
    )


def test_nothing_is_pulled_for_a_gpu_of_which_there_is_no_trace() -> None:
    spec = msgspec.structs.replace(SPEC, device="gpu")
    found = _check(Docker(), spec)
    assert found is not None and (found.code, found.severity) == ("no_gpu", "err")
    assert dict(found.fixes[0].changes) == {"device": "cpu"}
    # Docker may have a way to the GPU that it does not list: where nothing is pulled for it, it is asked
    found = _check(Docker(image=Image("id", "sha256:x", 1, "amd64")), spec)
    assert found is not None and (found.code, found.severity) == ("no_gpu", "warn")
    found = _check(Docker(), spec, msgspec.structs.replace(LINUX, driver="580.65.06"))
    assert found is not None and (found.code, found.severity) == ("no_nvidia", "warn")
    assert _check(Docker()) is None


def test_d12_a_container_of_another_project_of_our_name_is_not_replaced() -> None:
    labels = {"com.docker.compose.project": "tokenloupe", "com.docker.compose.service": "vllm"}
    foreign = Container("id", "theirs", "some/image:1", "running", labels)
    found = _check(Docker(containers=(foreign,)))
    assert found is not None and (found.code, found.severity) == ("project_taken", "err")
    assert found.params["name"] == "theirs" and "theirs" in sentence(found)
    ours = msgspec.structs.replace(foreign, labels={**labels, LABEL_LAUNCH: "x"})
    other = msgspec.structs.replace(foreign, labels={**labels, "com.docker.compose.service": "web"})
    assert _check(Docker(containers=(ours, other))) is None


def _weigh(path: Path, dtype: str, size: int) -> None:
    """A file of weights with so many bytes of them, which takes no room on disk."""
    tensor = {"dtype": dtype, "shape": [size // (4 if dtype == "F32" else 2)], "data_offsets": [0, size]}
    header = json.dumps({"one": tensor}).encode()
    path.write_bytes(len(header).to_bytes(8, "little") + header)
    os.truncate(path, path.stat().st_size + size)


@pytest.mark.parametrize(("dtype", "size"), [("BF16", 10 * GIB), ("F32", 20 * GIB)])
def test_a_model_that_does_not_fit_into_memory(tmp_path: Path, dtype: str, size: int) -> None:
    """V08. What counts is what is loaded: 16 bits of each value, and no second copy."""
    _weigh(tmp_path / "model.safetensors", dtype, size)
    _weigh(tmp_path / "consolidated.safetensors", "BF16", GIB)
    spec = msgspec.structs.replace(SPEC, folder=str(tmp_path))
    found = _check(Docker(), spec, msgspec.structs.replace(LINUX, free=13 * GIB))
    assert found is not None and (found.code, found.severity) == ("memory_low", "warn")
    found = _check(Docker(), msgspec.structs.replace(spec, memory=12 * GIB))
    assert found is not None and (found.code, found.severity) == ("memory_small", "err")
    assert found.collision is not None
    assert (found.collision.asked, found.collision.free) == (14 * GIB, 12 * GIB)
    changes = {fix.code: dict(fix.changes) for fix in found.fixes}
    assert changes["memory"] == {"memory": 16 * GIB}


def test_room_for_the_image_is_needed_only_where_it_is_not_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(start_check, "room_of", lambda root: 1_000_000_000)
    found = _check(Docker())
    assert found is not None and (found.code, found.severity) == ("disk_low", "warn")
    assert _check(Docker(image=Image("id", "sha256:x", 1, "amd64"))) is None


# --- this computer -------------------------------------------------------------------------------------


def test_the_owner_of_a_port_is_found() -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        port = server.getsockname()[1]
        found = machine.port_owner(port)
        assert found is not None
        if Path("/proc/net/tcp").exists():
            assert found == Owner(os.getpid(), Path("/proc/self/comm").read_text().strip())
    assert machine.port_owner(port) is None


def test_the_container_of_a_process(tmp_path: Path) -> None:
    id_ = "66b8ddde17991f88a"
    groups = {
        "1": f"0::/system.slice/docker-{id_}.scope\n",
        "2": f"4:memory:/docker/{id_}\n1:name=systemd:/\n",
    }
    for pid, text in {**groups, "3": "0::/user.slice\n"}.items():
        (tmp_path / "proc" / pid).mkdir(parents=True)
        (tmp_path / "proc" / pid / "cgroup").write_text(text)
    assert [machine.is_in(pid, id_, tmp_path) for pid in (1, 2, 3, 4)] == [True, True, False, False]
    assert not machine.is_in(1, "", tmp_path)


def test_what_the_system_tells(tmp_path: Path) -> None:
    files = {
        "proc/cpuinfo": "processor\t: 0\nflags\t\t: fpu avx2\n\nprocessor\t: 1\nflags\t: fpu\n",
        "proc/meminfo": "MemTotal:   16384 kB\nMemFree:  1 kB\nMemAvailable:   8192 kB\nHugePages_Total: 0\n",
        "proc/driver/nvidia/version": "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06",
        "proc/driver/nvidia/gpus/0000:01:00.0/information": "Model: \t\t NVIDIA GeForce RTX 4080\nIRQ: 1\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = machine.look(tmp_path)
    assert (found.features, found.memory, found.free) == (frozenset({"fpu", "avx2"}), 16 << 20, 8 << 20)
    assert (found.driver, found.gpus) == ("580.65.06", ("NVIDIA GeForce RTX 4080",))
    (tmp_path / "proc/driver/nvidia/version").write_text(
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.129.03  Thu Oct 19\n"
    )
    assert machine.look(tmp_path).driver == "535.129.03"
    assert machine.look(tmp_path / "nothing") == Machine()
