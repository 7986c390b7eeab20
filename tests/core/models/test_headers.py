"""Bytes of weights from headers alone: exact, bounded, and nothing of a damaged file is believed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from core.errors import ModelError
from core.models.headers import (
    MOST,
    Weights,
    chosen,
    read_header,
    weights_in,
    weights_indexed,
    weights_listed,
)


def save(path: Path, **tensors: torch.Tensor) -> int:
    """Bytes of the tensors themselves."""
    save_file(tensors, path, metadata={"format": "pt"})
    return sum(one.numel() * one.element_size() for one in tensors.values())


def raw(path: Path, header: object, content: bytes = b"", length: int | None = None) -> Path:
    words = header if isinstance(header, bytes) else json.dumps(header).encode()
    size = len(words) if length is None else length
    path.write_bytes(size.to_bytes(8, "little") + words + content)
    return path


def test_bytes_tensors_and_dtypes_of_two_files(tmp_path: Path) -> None:
    a = save(
        tmp_path / "model-00001-of-00002.safetensors",
        one=torch.zeros(3, 5, dtype=torch.bfloat16),
        two=torch.zeros(7, dtype=torch.float32),
    )
    b = save(tmp_path / "model-00002-of-00002.safetensors", three=torch.zeros(2, 2, dtype=torch.int8))
    found = weights_in(tmp_path)
    assert found == Weights(a + b, 3, (("BF16", 30), ("F32", 28), ("I8", 4)), 2)
    assert found.bytes < sum(path.stat().st_size for path in tmp_path.iterdir())


def test_the_built_in_model(built_in_models: Path) -> None:
    folder = next((built_in_models / "built-in").iterdir())
    found = weights_in(folder)
    # 134.5 million parameters in bfloat16, as reported; the file is a header longer
    assert found.dtypes == (("BF16", found.bytes),)
    assert round(found.bytes / 2 / 1e6, 1) == 134.5
    assert 0 < (folder / "model.safetensors").stat().st_size - found.bytes < 100_000


def test_only_the_files_that_are_loaded(tmp_path: Path) -> None:
    one = save(tmp_path / "model-1.safetensors", a=torch.zeros(10))
    save(tmp_path / "left-over.safetensors", a=torch.zeros(99))
    index = {"metadata": {"total_size": one}, "weight_map": {"a": "model-1.safetensors"}}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index))
    assert (weights_in(tmp_path).bytes, weights_in(tmp_path).files) == (one, 1)
    assert weights_indexed(index) == Weights(one, 1, files=1)


def test_a_second_copy_in_one_piece_is_left_out() -> None:
    assert chosen(["model.safetensors", "consolidated.safetensors"]) == ["model.safetensors"]
    assert chosen(["consolidated.safetensors"]) == ["consolidated.safetensors"]


def test_a_listing_of_the_hub() -> None:
    files = [("model.safetensors", 700), ("config.json", 9), ("onnx/model.safetensors", 50), ("a.gguf", 4)]
    assert weights_listed(files) == Weights(700, files=1, exact=False)
    assert weights_listed([("pytorch_model.bin", 9)]).bytes == 0


@pytest.mark.parametrize("size", [None, -1, 0, True, "many", 1.5])
def test_an_index_that_does_not_say(size: object) -> None:
    assert weights_indexed({"metadata": {"total_size": size}, "weight_map": {}}) is None


def test_what_is_served_of_them() -> None:
    mixed = Weights(100, 2, (("BF16", 60), ("F32", 40)))
    assert mixed.served({}) == 80
    assert mixed.served({"quantization_config": {"quant_method": "fp8"}}) == 100
    assert Weights(100, exact=False).served({"text_config": {"dtype": "float32"}}) == 50
    assert Weights(100, exact=False).served({"torch_dtype": "bfloat16"}) == 100


GOOD = {"t": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}


def test_a_header_is_read_and_nothing_behind_it(tmp_path: Path) -> None:
    path = raw(tmp_path / "a.safetensors", {**GOOD, "__metadata__": {"x": "y"}}, b"12345678")
    assert read_header(path) == GOOD


@pytest.mark.parametrize(
    "header",
    [
        b"{",
        b"[]",
        b"[" * 100_000,
        {"t": 1},
        {"t": {**GOOD["t"], "data_offsets": [0, 9]}},  # behind the end
        {"t": {**GOOD["t"], "data_offsets": [8, 0]}},
        {"t": {**GOOD["t"], "data_offsets": [0]}},
        {"t": {**GOOD["t"], "shape": [3]}},  # longer than its place
        {"t": {**GOOD["t"], "shape": [-2]}},
        {"t": {**GOOD["t"], "dtype": 7}},
    ],
)
def test_a_damaged_header(tmp_path: Path, header: Any) -> None:
    path = raw(tmp_path / "a.safetensors", header, b"12345678")
    with pytest.raises(ModelError) as caught:
        read_header(path)
    assert caught.value.code == "model.damaged"
    assert caught.value.params["file"] == "a.safetensors"


@pytest.mark.parametrize("length", [MOST + 1, 1 << 62, 0, 500])
def test_a_length_that_cannot_be(tmp_path: Path, length: int) -> None:
    path = raw(tmp_path / "a.safetensors", GOOD, b"12345678", length)
    with pytest.raises(ModelError, match=r"model\.damaged"):
        read_header(path)


def test_a_file_cut_in_its_header(tmp_path: Path) -> None:
    save(tmp_path / "whole.safetensors", a=torch.zeros(4))
    short = tmp_path / "short"
    short.mkdir()
    shutil.copy(tmp_path / "whole.safetensors", short / "a.safetensors")
    with (short / "a.safetensors").open("r+b") as file:
        file.truncate(20)
    with pytest.raises(ModelError, match=r"model\.damaged"):
        weights_in(short)


def test_no_weights_at_all(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"model\.no_safetensors"):
        weights_in(tmp_path)
