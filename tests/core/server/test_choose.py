"""What a start will be: the settings, the environment over them, and the model's own files."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from core.engines.base import Sampling
from core.errors import DockerError, ModelError, SettingsError
from core.models.folder import ModelFolder, built_in_folder
from core.models.manifest import Manifest, ManifestFile, hub_folder, write_manifest
from core.prompt.families import family_of, pinned
from core.server.choose import (
    device_from,
    doctor_looks_for,
    hub_name,
    model_folder,
    read_model,
    served_name,
    spec_from,
    speculation,
)
from core.server.launcher import Doctor
from core.server.spec import GIB, LaunchSpec
from core.settings import Settings

COMMIT = "2fc06364715b967f1860aea9cf38778875588b17"
GPU = Doctor(device="gpu")


def folder(path: Path, model_type: str = "llama", name: str = "") -> ModelFolder:
    name = name or path.name
    return ModelFolder(
        str(path), name, model_type, family_of(model_type, name), "r1", 1, Sampling(max_tokens=9), False, None
    )


def on_disk(path: Path, config: dict[str, object], *, repo: str = "") -> Path:
    path.mkdir(parents=True)
    (path / "config.json").write_text(json.dumps(config))
    (path / "tokenizer.json").write_text("{}")
    (path / "model.safetensors").write_bytes(b"")
    if repo:
        write_manifest(path, Manifest(COMMIT, (), repo))
    return path


def test_the_settings_are_the_start(tmp_path: Path) -> None:
    settings = Settings(
        vllm_device="cpu", vllm_version="0.33.0", vllm_port=9000, vllm_kv_gib=3, vllm_gpu_share=0.5
    )
    spec = spec_from(settings, folder(tmp_path / "我的 model"), {}, GPU, models=tmp_path)
    assert spec == LaunchSpec(
        model="我的 model",
        folder=str(tmp_path / "我的 model"),
        revision="r1",
        device="cpu",
        version="0.33.0",
        port=9000,
        kv_bytes=3 * GIB,
        gpu_share=0.5,
    )


def test_the_environment_wins(tmp_path: Path) -> None:
    environ = {"TOKENLOUPE_VLLM_DEVICE": "GPU\r", "VLLM_PORT": " 8123"}
    spec = spec_from(Settings(vllm_device="cpu"), folder(tmp_path), environ, Doctor(), models=tmp_path)
    assert (spec.device, spec.port) == ("gpu", 8123)
    empty = {"TOKENLOUPE_VLLM_DEVICE": "", "VLLM_PORT": ""}
    spec = spec_from(Settings(vllm_port=9000), folder(tmp_path), empty, GPU, models=tmp_path)
    assert (spec.device, spec.port) == ("gpu", 9000)


def test_the_doctor_looks_at_the_port_of_the_start() -> None:
    settings = Settings(vllm_port=9000, vllm_version="0.33.0")
    assert doctor_looks_for(settings, {}) == (9000, "0.33.0")
    assert doctor_looks_for(settings, {"VLLM_PORT": "8123"}) == (8123, "0.33.0")
    assert doctor_looks_for(settings, {"VLLM_PORT": "none"}) == (9000, "0.33.0")


def test_auto_is_what_the_doctor_says() -> None:
    assert device_from(Settings(), {}, Doctor(device="cpu")) == "cpu"
    assert device_from(Settings(vllm_device="cpu"), {"TOKENLOUPE_VLLM_DEVICE": "auto"}, GPU) == "gpu"


@pytest.mark.parametrize(
    "environ",
    [
        {"VLLM_PORT": "tcp://10.0.0.1:80"},
        {"VLLM_PORT": "0"},
        {"VLLM_PORT": "70000"},
        {"VLLM_PORT": "８０００"},
        {"TOKENLOUPE_VLLM_DEVICE": "cuda"},
    ],
)
def test_a_bad_variable_is_named(tmp_path: Path, environ: dict[str, str]) -> None:
    with pytest.raises(SettingsError) as caught:
        spec_from(Settings(), folder(tmp_path), environ, GPU, models=tmp_path)
    assert caught.value.code == "settings.variable"
    assert caught.value.params["name"] == next(iter(environ))


def test_a_version_that_nobody_knows(tmp_path: Path) -> None:
    with pytest.raises(DockerError) as caught:
        spec_from(Settings(vllm_version="0.1.0"), folder(tmp_path), {}, GPU, models=tmp_path)
    assert caught.value.code == "docker.version"


def test_names_are_those_of_the_hub_where_they_are_known(tmp_path: Path) -> None:
    built_in = built_in_folder(tmp_path)
    assert served_name(folder(built_in), tmp_path) == "SmolLM2-135M-Instruct"
    made = on_disk(tmp_path / "x", {"model_type": "qwen3_5"}, repo="Qwen/Qwen3.5-0.8B")
    assert served_name(folder(made), tmp_path) == "Qwen/Qwen3.5-0.8B"
    assert hub_name(tmp_path / hub_folder("a-b/c--d", COMMIT)) == "a-b/c--d"
    assert hub_name(tmp_path / "models--a--b.c" / "snapshots" / COMMIT) == "a/b.c"
    assert hub_name(tmp_path / "a--b@main") == ""
    assert served_name(folder(tmp_path / "mine"), tmp_path) == "mine"


def test_families_are_found_by_the_name_of_the_hub(tmp_path: Path) -> None:
    """A llama is of no family of ours unless its name says which."""
    path = on_disk(tmp_path / "x", {"model_type": "llama"}, repo="HuggingFaceTB/SmolLM2-360M-Instruct")
    found = read_model(path, tmp_path)
    assert found.family is not None
    assert found.family.name == "smollm2"
    assert found.revision == COMMIT


def test_qwen_guesses_by_its_own_layers_on_a_gpu_only(tmp_path: Path) -> None:
    path = on_disk(tmp_path / "x", {"text_config": {"mtp_num_hidden_layers": 1}})
    qwen = folder(path, "qwen3_5", "any")
    found = speculation(qwen, "gpu", tmp_path)
    assert json.loads(found.config) == {"method": "mtp", "num_speculative_tokens": 2}
    assert (found.drafter, found.why) == ("", "")
    assert speculation(qwen, "cpu", tmp_path).why == "device"
    (path / "config.json").write_text('{"text_config": {}}')
    assert speculation(qwen, "gpu", tmp_path).why == "model"
    assert speculation(folder(path), "gpu", tmp_path).why == "model"


def test_gemma_guesses_with_its_drafter_where_that_is_on_disk(tmp_path: Path) -> None:
    pin = pinned("google/gemma-4-E2B-it")
    assert pin is not None
    config = json.loads(pin.speculative)
    gemma = folder(on_disk(tmp_path / "g", {}, repo=pin.model), "gemma4", "g")
    found = speculation(gemma, "gpu", tmp_path)
    assert (found.config, found.why, found.missing) == ("", "drafter", config["model"])
    drafter = on_disk(tmp_path / hub_folder(config["model"], config["revision"]), {})
    found = speculation(gemma, "gpu", tmp_path)
    assert (found.drafter, found.why) == (str(drafter), "")
    assert json.loads(found.config) == {**config, "num_speculative_tokens": 4}
    other = folder(on_disk(tmp_path / "h", {}, repo="google/gemma-4-31B"), "gemma4", "h")
    assert speculation(other, "gpu", tmp_path).why == "model"  # its drafter is another
    spec = spec_from(Settings(), gemma, {}, GPU, models=tmp_path)
    assert (spec.speculative, spec.drafter) == (found.config, found.drafter)
    spec = spec_from(Settings(speculation=False), gemma, {}, GPU, models=tmp_path)
    assert (spec.speculative, spec.drafter) == ("", "")


def test_a_model_is_found_by_folder_and_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    models = tmp_path / "models"
    assert model_folder("built-in", models) == built_in_folder(models)
    named = on_disk(models / hub_folder("Qwen/Qwen3.5-0.8B", COMMIT), {})
    assert model_folder(named.name, models) == named
    assert model_folder("Qwen/Qwen3.5-0.8B", models) == named
    small = on_disk(models / hub_folder("Qwen/Qwen3.5-0.8B", "0" * 40), {})  # its name comes first
    write_manifest(small, Manifest("0" * 40, (ManifestFile("config.json", 2, ""),), "Qwen/Qwen3.5-0.8B"))
    assert model_folder("Qwen/Qwen3.5-0.8B", models) == named
    own = on_disk(tmp_path / "own", {})
    assert model_folder(str(own), models) == own
    monkeypatch.chdir(tmp_path)
    assert model_folder("own", models) == own
    (models / ".part-1-x").mkdir()
    for missing in ("nope", ".part-1-x", str(tmp_path / "none")):
        with pytest.raises(ModelError) as caught:
            model_folder(missing, models)
        assert caught.value.code == "model.not_found"


def test_equal_choices_are_equal_starts(tmp_path: Path) -> None:
    one = spec_from(Settings(), folder(tmp_path), {}, GPU, models=tmp_path)
    assert one == spec_from(Settings(), folder(tmp_path), {}, GPU, models=tmp_path)
    assert msgspec.json.decode(msgspec.json.encode(one), type=LaunchSpec) == one
