"""Makes a tiny random model folder with the tiny tokenizer: `make_model.py KIND TOKENIZER_FOLDER OUT`.

KIND: llama, qwen3.5 (recurrent and full attention), gemma4 (sliding and full attention), bert (not causal).
Untied or widely initialised weights: others repeat their last token for ever, which hides cache faults.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModel, AutoModelForCausalLM
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

VOCABULARY = 311
COMMON: dict[str, Any] = {
    "vocab_size": VOCABULARY,
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 4,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "head_dim": 64,
    "max_position_embeddings": 512,
    "initializer_range": 0.2,
    "tie_word_embeddings": False,
    "bos_token_id": 305,
    "eos_token_id": 306,
    "pad_token_id": 306,
}
KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "llama": ("llama", COMMON),
    "qwen3.5": (
        "qwen3_5_text",
        COMMON
        | {
            "full_attention_interval": 4,
            "linear_num_key_heads": 1,
            "linear_num_value_heads": 2,
            "linear_key_head_dim": 32,
            "linear_value_head_dim": 32,
            "rope_parameters": {
                "rope_type": "default",
                "rope_theta": 1e7,
                "partial_rotary_factor": 0.25,
                "mrope_section": [4, 2, 2],
                "mrope_interleaved": True,
            },
        },
    ),
    "gemma4": (
        "gemma4_text",
        COMMON
        | {
            "layer_types": ["sliding_attention", "sliding_attention", "full_attention", "full_attention"],
            "sliding_window": 16,
            "hidden_size_per_layer_input": 16,
            "vocab_size_per_layer_input": VOCABULARY,
            "num_kv_shared_layers": 0,
        },
    ),
    "bert": (
        "bert",
        {
            "vocab_size": VOCABULARY,
            "hidden_size": 32,
            "num_hidden_layers": 1,
            "num_attention_heads": 1,
            "intermediate_size": 32,
        },
    ),
}
# vLLM's CPU build takes no narrower heads
KINDS["qwen3.5-wide"] = (
    "qwen3_5_text",
    KINDS["qwen3.5"][1] | {"linear_key_head_dim": 128, "linear_value_head_dim": 128},
)
# a drafter for gemma4: every layer shares the target's keys and values
_DRAFTER = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "layer_types": ["sliding_attention", "full_attention"],
    "hidden_size_per_layer_input": 0,
    "vocab_size_per_layer_input": 0,
    "num_kv_shared_layers": 2,
}
KINDS["gemma4-assistant"] = (
    "gemma4_assistant",
    {"text_config": KINDS["gemma4"][1] | _DRAFTER, "backbone_hidden_size": 64},
)


def main() -> None:
    kind, tokenizer, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    torch.manual_seed(1)
    model_type, values = KINDS[kind]
    config = CONFIG_MAPPING[model_type](**values)
    auto = AutoModel if kind == "bert" else AutoModelForCausalLM
    auto.from_config(config).save_pretrained(out)
    for name in ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja"):
        shutil.copyfile(tokenizer / name, out / name)
    generation = {"eos_token_id": 306, "temperature": 0.9, "top_k": 30, "do_sample": True}
    (out / "generation_config.json").write_text(json.dumps(generation))


main()
