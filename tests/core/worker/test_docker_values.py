"""What an engine says is not trusted: whatever it is, it becomes a value that can be sent on."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.server.access import LABEL_LAUNCH, Container, ContainerEvent
from core.worker import docker_values as values
from core.worker import protocol

ID = "66b8ddde17991f88"


def inspected(**state: Any) -> dict[str, Any]:
    return {
        "Id": ID,
        "Name": "/tokenloupe-vllm-1",
        "Image": "sha256:10",
        "Args": ["serve", "/model"],
        "State": {"Status": "running", "ExitCode": 0, "StartedAt": "2026-11-30T08:00:00Z", **state},
        "Config": {"Image": "vllm/vllm-openai-cpu:v0.32.0", "Labels": {LABEL_LAUNCH: "x"}},
        "NetworkSettings": {
            "Ports": {"8000/tcp": [{"HostIp": "127.0.0.1", "HostPort": "8001"}], "9000/tcp": None}
        },
        "HostConfig": {"Memory": 6_442_450_944},
        "Mounts": [{"Type": "bind", "Source": "/models/模型 🧪", "Destination": "/model"}],
    }


def test_a_running_container() -> None:
    assert values.container(inspected(FinishedAt="0001-01-01T00:00:00Z")) == Container(
        id=ID,
        name="tokenloupe-vllm-1",
        image="vllm/vllm-openai-cpu:v0.32.0",
        status="running",
        labels={LABEL_LAUNCH: "x"},
        ports=(("127.0.0.1", 8001, 8000),),
        mounts=(("/models/模型 🧪", "/model"),),
        arguments=("serve", "/model"),
        image_id="sha256:10",
        started=1796025600.0,
        memory=6_442_450_944,
    )


@pytest.mark.parametrize(
    ("stats", "memory"),
    [
        (
            {"memory_stats": {"usage": 900, "stats": {"inactive_file": 100}}},
            800,
        ),  # version 2 of control groups
        ({"memory_stats": {"usage": 900, "stats": {"total_inactive_file": 100, "cache": 7}}}, 800),
        ({"memory_stats": {"usage": 9, "stats": {"inactive_file": 100}}}, 0),
        ({"memory_stats": {}}, 0),
        (None, 0),
    ],
)
def test_what_a_container_holds(stats: Any, memory: int) -> None:
    assert values.memory(stats) == memory


@pytest.mark.parametrize(
    ("state", "exit_code"),
    [
        ({"Status": "exited", "ExitCode": 137, "OOMKilled": True}, 137),
        ({"Status": "exited", "ExitCode": 0}, 0),
        ({"Status": "created", "ExitCode": 0}, None),
        ({"Status": "created", "ExitCode": 127, "Error": "no such file"}, 127),
        ({"Status": "restarting", "ExitCode": 1}, None),
        ({"Status": "exited", "ExitCode": None}, None),
    ],
)
def test_the_exit_code_of_what_has_ended(state: dict[str, Any], exit_code: int | None) -> None:
    found = values.container(inspected(**state))
    assert found.exit_code == exit_code
    assert found.oom_killed is bool(state.get("OOMKilled"))
    assert found.error == state.get("Error", "")


def test_an_engine_with_a_gpu_by_runtime_or_by_cdi() -> None:
    about = {"Runtimes": {"runc": {}, "nvidia": {}}, "NCPU": 8, "MemTotal": 1 << 34, "Architecture": "x86_64"}
    found = values.info(about, {"Version": "28.5.2", "ApiVersion": "1.51"})
    assert (found.nvidia, found.arch, found.cpus, found.memory) == (True, "amd64", 8, 1 << 34)
    assert not found.by_cdi
    devices = [{"Source": "cdi", "ID": "nvidia.com/gpu=all"}, {"Source": "other", "ID": "x"}]
    found = values.info({"DiscoveredDevices": devices}, {"Arch": "arm64"})
    assert found.nvidia and found.by_cdi and found.cdi == ("nvidia.com/gpu=all",) and found.arch == "arm64"
    assert not values.info({"Runtimes": {"runc": {}}}, {}).nvidia


def test_an_image_has_the_registrys_digest_or_its_own() -> None:
    raw = {"Id": "sha256:1", "RepoDigests": ["vllm/vllm-openai@sha256:2"], "Size": 9, "Architecture": "arm64"}
    assert values.image(raw).digest == "sha256:2"
    assert values.image({**raw, "RepoDigests": []}).digest == "sha256:1"


def test_events() -> None:
    raw = {
        "Type": "container",
        "Action": "die",
        "Actor": {"ID": ID, "Attributes": {"exitCode": "137", LABEL_LAUNCH: "x"}},
        "timeNano": 1796025600250000000,
    }
    labels = {"exitCode": "137", LABEL_LAUNCH: "x"}
    assert values.event(raw) == ContainerEvent("die", ID, labels, 137, 1796025600.25)
    assert values.event({**raw, "Type": "network"}) is None
    assert values.event({"Type": "container"}) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
WHOLE = inspected()


@given(st.sampled_from(sorted(WHOLE)), st.sampled_from([None, "Status", "Labels", "Ports", "ExitCode"]), JSON)
def test_anything_at_any_place_can_be_sent_on(key: str, inner: str | None, value: Any) -> None:
    raw = {**WHOLE, key: {inner: value} if inner else value}
    answer = protocol.DockerAnswer(
        1,
        info=values.info(raw, value),
        containers=(values.container(raw), values.listed(raw), values.container(value)),
        image=values.image(raw),
    )
    assert protocol.frame(answer)
    values.event(raw)
