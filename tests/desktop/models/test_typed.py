"""What is typed or pasted into the search: models of the hub, folders of this computer, words."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop.models.typed import folder_of, is_meant, model_of


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("org/name", ("org/name", "")),
        ("org/name@v2", ("org/name", "v2")),
        ("https://hf.co/org/name/tree/v2", ("org/name", "v2")),
        ("https://github.com/org/name", None),
        ("gpt2", None),  # as good as any other word
        ("two words", None),
        ("/home/ana/model", None),
        ("", None),
    ],
)
def test_a_whole_name_of_a_model(text: str, meant: tuple[str, str] | None) -> None:
    assert model_of(text) == meant


@pytest.mark.parametrize(
    ("text", "folder"),
    [
        ("/home/ana/玉山 7B", Path("/home/ana/玉山 7B")),
        (' "/home/ana/model" ', Path("/home/ana/model")),
        ("file:///home/ana/%E7%8E%89%E5%B1%B1", Path("/home/ana/玉山")),
        ("~/models/a", Path.home() / "models" / "a"),
        ("models/a", None),
        ("https://hub.example/org/name", None),
        ("~", None),
        ("", None),
    ],
)
def test_a_path_of_this_computer(text: str, folder: Path | None) -> None:
    assert folder_of(text) == folder


@pytest.mark.parametrize(
    ("text", "is_it"),
    [
        ("", True),
        ("qwen", True),
        ("0.8b QWEN", True),
        ("gemma", False),
        ("Qwen/Qwen3.5-0.8B", True),
        ("Qwen/Qwen3.5-0.8B@2fc0636", True),
        ("https://huggingface.co/Qwen/Qwen3.5-0.8B/tree/main", True),
        ("https://huggingface.co/Qwen/Qwen3.5-4B", False),
    ],
)
def test_which_models_here_are_meant(text: str, is_it: bool) -> None:
    assert is_meant(text, "Qwen3.5 0.8B", "Qwen/Qwen3.5-0.8B") is is_it
