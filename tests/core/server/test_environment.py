"""From a LaunchSpec to Compose and vLLM, and back from a container."""

from __future__ import annotations

import json
import re
import shlex
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import DockerError, LoupeError
from core.models.manifest import hub_folder
from core.paths import compose_files
from core.server.access import LABEL_LAUNCH, LABEL_SPEC, Container
from core.server.environment import ComposeCall, command_line, launch, serve_arguments, spec_of
from core.server.key_mark import LABEL_KEY
from core.server.mounts import mount_of
from core.server.spec import GIB, LaunchSpec
from tests.core.server.composing import CDI, CPU, GPU, config, served, service, whole_paths

KEY = "sk-secret-1 $x"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "Modèles: 模型 $x"
    folder.mkdir()
    return folder


def _spec(folder: Path, **values: Any) -> LaunchSpec:
    return LaunchSpec(**{"model": "org/one", "folder": str(folder), **values})


def _launch(spec: LaunchSpec, **options: Any) -> ComposeCall:
    return launch(spec, launch_id="20261130-1", models=Path("/nowhere"), **options)


def _made(plugin: Path, call: ComposeCall) -> dict[str, Any]:
    """What Compose makes of it, with variables of the person's own that must not come in between."""
    own = {"VLLM_SPECULATIVE_CONFIG": "{}", "VLLM_MAX_MODEL_LEN": "7", "VLLM_ENFORCE_EAGER": "1"}
    own |= {"VLLM_API_KEY": "own", "VLLM_MODEL": "own", "VLLM_MEMORY_LIMIT": "1g", "COMPOSE_PROFILES": "base"}
    return service(config(plugin, call.files, {**own, **call.environment}))


# --- to Compose -----------------------------------------------------------------------------------------


def test_the_files_ship_with_the_program(folder: Path) -> None:
    for device, names in (("cpu", CPU), ("gpu", GPU)):
        assert _launch(_spec(folder, device=device)).files == whole_paths(names)
        with_selinux = _launch(_spec(folder, device=device), selinux=True).files
        assert with_selinux == whole_paths((*names, "compose.selinux.yaml"))
    assert _launch(_spec(folder, device="gpu"), cdi=True).files == whole_paths(CDI)
    assert _launch(_spec(folder), cdi=True).files == whole_paths(CPU)
    assert all(Path(file).is_file() for file in (*with_selinux, *whole_paths(CDI)))


def test_d19_a_variable_asks_for_the_label(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for value, asked in (("1", True), ("0", False), ("", False)):
        monkeypatch.setenv("TOKENLOUPE_SELINUX", value)
        assert ("selinux" in _launch(_spec(folder)).files[-1]) is asked


def test_every_variable_of_the_files_is_given(folder: Path) -> None:
    """So that no variable of the person's own shell changes what a window starts."""
    text = "".join(path.read_text() for path in compose_files().glob("*.yaml"))
    named = set(re.findall(r"(?<!\$)\$\{(\w+)", text)) | {"VLLM_API_KEY"}
    assert named - set(_launch(_spec(folder)).environment) == {"XDG_DATA_HOME", "HOME"}


specs = st.builds(
    dict,
    model=st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20),
    device=st.sampled_from(["cpu", "gpu"]),
    version=st.sampled_from(["0.32.0", "0.33.0"]),
    port=st.integers(1024, 65535),
    kv_bytes=st.integers(1, 64 * GIB),
    gpu_share=st.floats(0.01, 1),
    context=st.none() | st.integers(1, 10**6),
    speculative=st.sampled_from(["", '{"method": "mtp", "num_speculative_tokens": 2, "x": "a \\"b\\" $c"}']),
    eager=st.booleans(),
    memory=st.none() | st.integers(GIB, 64 * GIB),
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=specs)
def test_a_spec_reaches_vllm_and_comes_back(plugin: Path, values: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "m $x: 模"
        folder.mkdir()
        spec = _spec(folder, **values)
        vllm = _made(plugin, _launch(spec, key=KEY, key_mark="salt:hash"))
        assert served(vllm, Path(place))[1:] == serve_arguments(spec, mount_of(spec, folder))
    assert vllm["ports"][0]["published"] == str(spec.port)
    assert vllm["environment"]["VLLM_API_KEY"] == KEY
    if spec.device == "cpu":
        assert int(vllm["environment"]["VLLM_CPU_KVCACHE_SPACE"]) == -(-spec.kv_bytes // GIB)
    assert vllm["volumes"][0]["source"] == str(folder) and vllm["volumes"][0]["read_only"]
    assert int(vllm.get("mem_limit", 0)) == (spec.memory or 0)
    assert vllm["labels"][LABEL_LAUNCH] == "20261130-1" and vllm["labels"][LABEL_KEY] == "salt:hash"
    assert spec_of(Container("1", "n", vllm["image"], "running", vllm["labels"])) == spec


def test_v08_without_a_limit_of_its_own_it_leaves_docker_a_tenth(plugin: Path, folder: Path) -> None:
    spec = _spec(folder)
    vllm = _made(plugin, _launch(spec, engine_memory=30 * GIB))
    assert int(vllm["mem_limit"]) == 27 * GIB
    assert "mem_limit" not in _made(plugin, _launch(spec))
    own = _made(plugin, _launch(msgspec.structs.replace(spec, memory=5 * GIB), engine_memory=30 * GIB))
    assert int(own["mem_limit"]) == 5 * GIB


def test_the_drafter_is_named_by_its_place_in_the_container(plugin: Path, tmp_path: Path) -> None:
    model, drafter = tmp_path / "org--m@1", tmp_path / "org--d@2"
    model.mkdir(), drafter.mkdir()
    asked = {"method": "mtp", "model": "org/d", "revision": "2", "num_speculative_tokens": 4}
    spec = _spec(model, device="gpu", speculative=json.dumps(asked), drafter=str(drafter))
    vllm = _made(plugin, launch(spec, launch_id="1", models=tmp_path))
    assert vllm["volumes"][0]["source"] == str(tmp_path) and vllm["volumes"][0]["target"] == "/models"
    arguments = served(vllm, tmp_path)
    said = json.loads(next(one for one in arguments if "speculative" in one).partition("=")[2])
    assert said == {"method": "mtp", "model": "/models/org--d@2", "num_speculative_tokens": 4}
    assert arguments[1] == "/models/org--m@1"


def test_which_image_comes_from_a_registry_and_which_is_built(folder: Path) -> None:
    on_cpu, on_gpu = _launch(_spec(folder)), _launch(_spec(folder, device="gpu"))
    assert (on_cpu.builds, on_cpu.pull, on_cpu.download) == (True, "base", "vllm/vllm-openai-cpu:v0.32.0")
    assert (on_gpu.builds, on_gpu.pull, on_gpu.download) == (False, "vllm", on_gpu.image)


def test_d20_values_from_a_file_edited_on_windows(
    plugin: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VLLM_IMAGE", "\ufeffexample/image:v1\r")
    call = _launch(_spec(folder, device="gpu", version="0.32.0\r\n", model="\ufefforg/one\r"))
    assert call.image == _made(plugin, call)["image"] == "example/image:v1"
    assert "\r" not in repr(call.environment["VLLM_MODEL"] + call.environment["VLLM_VERSION"])


def test_an_unknown_version_is_no_start(folder: Path) -> None:
    with pytest.raises(DockerError) as caught:
        _launch(_spec(folder, version="9"))
    assert caught.value.code == "docker.version"


# --- the lines of its record ----------------------------------------------------------------------------


@pytest.mark.parametrize("device", ["cpu", "gpu"])
def test_the_recorded_line_starts_the_same_server(plugin: Path, folder: Path, device: str) -> None:
    spec = _spec(folder, device=device, context=100, model="a 'b' $c", speculative='{"a": 1}')
    compose, serve = command_line(spec, models=folder.parent)
    words = shlex.split(compose)
    at = words.index("docker")
    environment = dict(word.split("=", 1) for word in words[:at])
    files = [words[at + 1 :][n + 1] for n, word in enumerate(words[at + 1 :]) if word == "-f"]
    again = service(config(plugin, files, environment))
    same = _made(plugin, _launch(spec))
    for one in (again, same):
        one["labels"] = {
            key: value for key, value in one["labels"].items() if "launch" not in key and "spec" not in key
        }
        one["environment"].pop("VLLM_API_KEY")
    assert again == same
    assert shlex.split(serve) == ["vllm", *served(same, folder.parent)]


# --- and back -------------------------------------------------------------------------------------------


def _by_hand(vllm: Mapping[str, Any], **values: Any) -> Container:
    """The container that Docker would make of it."""
    bind, port = vllm["volumes"][0], vllm["ports"][0]
    return Container(
        **{
            "id": "1",
            "name": "tokenloupe-vllm-1",
            "image": vllm["image"],
            "status": "running",
            "labels": vllm["labels"],
            "ports": ((port["host_ip"], int(port["published"]), port["target"]),),
            "mounts": ((bind["source"], bind["target"]),),
            "arguments": (*vllm["entrypoint"][1:], *vllm["command"]),
            **values,
        }
    )


@pytest.mark.parametrize("files", [CPU, GPU])
def test_a_server_started_by_hand_is_understood(plugin: Path, tmp_path: Path, files: tuple[str, ...]) -> None:
    values = {
        "TOKENLOUPE_MODELS": str(tmp_path),
        "VLLM_MODEL": "org/m",
        "VLLM_REVISION": "abc",
        "VLLM_PORT": "9000",
        "VLLM_MAX_MODEL_LEN": "512",
        "VLLM_ENFORCE_EAGER": "1",
        "VLLM_SPECULATIVE_CONFIG": '{"a": "b=c"}',
        "VLLM_CPU_KVCACHE_SPACE": "3",
        "VLLM_KV_CACHE_MEMORY_BYTES": str(3 * GIB),
        "VLLM_GPU_MEMORY_UTILIZATION": "0.3",
        "VLLM_VERSION": "0.33.0",
    }
    container = _by_hand(service(config(plugin, whole_paths(files), values)))
    assert spec_of(container) == LaunchSpec(
        model="org/m",
        folder=str(tmp_path / hub_folder("org/m", "abc")),
        revision="abc",
        device="gpu" if files == GPU else "cpu",
        version="0.33.0",
        port=9000,
        kv_bytes=3 * GIB,
        context=512,
        speculative='{"a": "b=c"}',
        eager=True,
    )


def test_by_hand_a_plain_folder_and_one_given_by_its_path(plugin: Path, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    values = {"TOKENLOUPE_MODELS": str(tmp_path), "VLLM_MODEL": "plain"}
    found = spec_of(_by_hand(service(config(plugin, whole_paths(CPU), values))))
    assert found is not None and found.folder == str(tmp_path / "plain")
    values |= {"TOKENLOUPE_MODEL_PATH": "/models/a/b", "VLLM_MODEL": "x"}
    found = spec_of(_by_hand(service(config(plugin, whole_paths(CPU), values))))
    assert found is not None and found.folder == str(tmp_path / "a" / "b")


@pytest.mark.parametrize(
    "container",
    [
        Container("1", "other", "vllm/vllm-openai:v0.32.0", "running"),
        Container("1", "n", "i", "running", {LABEL_LAUNCH: "by-hand", LABEL_SPEC: ""}),
        Container("1", "n", "i", "running", {LABEL_LAUNCH: "1", LABEL_SPEC: "{"}, arguments=("serve",)),
    ],
)
def test_what_cannot_be_read_is_no_spec(container: Container) -> None:
    assert spec_of(container) is None


@pytest.mark.parametrize(
    "argument",
    [
        "--gpu-memory-utilization=nan",
        "--gpu-memory-utilization=much",
        "--max-model-len=auto",
        "--kv-cache-memory-bytes=2G",
    ],
)
def test_odd_arguments_by_hand_are_left_at_their_defaults(argument: str) -> None:
    labels = {LABEL_LAUNCH: "by-hand"}
    arguments = ("--served-model-name=m", argument)
    container = Container("1", "n", "i", "running", labels, arguments=arguments)
    assert spec_of(container) == LaunchSpec(model="m", folder="")


def test_no_file_of_this_computer_is_read_for_an_error() -> None:
    with pytest.raises(LoupeError):
        _launch(LaunchSpec(model="m", folder="/nowhere/at/all"))
