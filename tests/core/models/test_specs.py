"""What a config.json says of its model, and nothing that it does not say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import ModelError
from core.models.specs import Specs, read_specs, specs_of


def test_the_built_in_model(built_in_models: Path) -> None:
    folder = next((built_in_models / "built-in").iterdir())
    specs = read_specs(folder)
    assert specs.weights == (folder / "model.safetensors").stat().st_size
    assert (specs.model_type, specs.layers, specs.kinds) == ("llama", 30, ())
    assert (specs.heads, specs.kv_heads, specs.width) == (9, 3, 576)
    assert (specs.vocabulary, specs.context_limit) == (49152, 8192)
    assert not (specs.images or specs.sound or specs.video)


def test_a_model_of_several_parts_and_kinds_of_layers() -> None:
    specs = specs_of(
        {
            "model_type": "qwen3_5",
            "vision_config": {"num_hidden_layers": 12},
            "video_token_id": 7,
            "text_config": {
                "num_hidden_layers": 4,
                "layer_types": ["linear_attention"] * 3 + ["full_attention"],
                "vocab_size": 248320,
            },
        }
    )
    assert specs.kinds == (("linear_attention", 3), ("full_attention", 1))
    assert (specs.layers, specs.vocabulary) == (4, 248320)
    assert (specs.images, specs.sound, specs.video) == (True, False, True)


@pytest.mark.parametrize("value", [True, -1, 0, "30", 1.5, None, []])
def test_a_value_that_is_none_is_not_known(value: object) -> None:
    assert specs_of({"num_hidden_layers": value, "layer_types": value, "text_config": value}) == Specs("")


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 5000, '"a"'])
def test_a_broken_file(tmp_path: Path, text: str) -> None:
    with pytest.raises(ModelError):
        read_specs(tmp_path)
    (tmp_path / "config.json").write_text(text)
    with pytest.raises(ModelError) as caught:
        read_specs(tmp_path)
    assert caught.value.code == "model.config"
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "tiny"}))
    assert read_specs(tmp_path) == Specs("tiny")
