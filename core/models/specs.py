"""What a model is made of, as its config.json says it: layers, heads, vocabulary, what it can read."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from core.errors import ModelError


class Specs(msgspec.Struct, frozen=True):
    """None: the file does not say. `kinds`: kinds of layers with how many of each, in the file's own words;
    empty where all are alike. `images`, `sound`, `video`: it names such an input. `weights`: bytes of the
    weights in the folder, 0 = none there."""

    model_type: str
    layers: int | None = None
    kinds: tuple[tuple[str, int], ...] = ()
    heads: int | None = None
    kv_heads: int | None = None
    width: int | None = None
    vocabulary: int | None = None
    context_limit: int | None = None
    images: bool = False
    sound: bool = False
    video: bool = False
    weights: int = 0


def read_specs(folder: Path) -> Specs:
    """Reads one small file and looks at the sizes of the others. Raises ModelError("model.config")."""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        if not isinstance(config, dict):
            raise ValueError("not an object")
        weights = sum(file.stat().st_size for file in folder.glob("*.safetensors"))
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError("model.config", folder=str(folder), detail=str(error)) from error
    return specs_of(config, weights)


def specs_of(config: dict[str, Any], weights: int = 0) -> Specs:
    """From the contents of a config.json; of a model with several parts, the one that writes text."""
    part = config.get("text_config")
    text = part if isinstance(part, dict) else config
    kinds = text.get("layer_types")
    counted = Counter(kind for kind in kinds if isinstance(kind, str)) if isinstance(kinds, list) else {}
    return Specs(
        model_type=str(config.get("model_type") or ""),
        layers=_number(text, "num_hidden_layers"),
        kinds=tuple(counted.items()) if len(counted) > 1 else (),
        heads=_number(text, "num_attention_heads"),
        kv_heads=_number(text, "num_key_value_heads"),
        width=_number(text, "hidden_size"),
        vocabulary=_number(text, "vocab_size"),
        context_limit=_number(text, "max_position_embeddings"),
        images=isinstance(config.get("vision_config"), dict),
        sound=isinstance(config.get("audio_config"), dict),
        video=isinstance(config.get("vision_config"), dict) and _number(config, "video_token_id") is not None,
        weights=weights,
    )


def _number(config: dict[str, Any], name: str) -> int | None:
    value = config.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
