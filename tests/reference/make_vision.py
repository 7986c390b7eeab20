"""Makes a tiny random Qwen3.5 that reads pictures and video: `make_vision.py TINY TEMPLATE OUT`.

TINY: the folder of the tiny tokenizer, which is given the family's special tokens: a server reads a tokenizer
several times while it starts, the real one half a minute each. TEMPLATE: the family's own chat template.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import torch
from tokenizers import AddedToken, Tokenizer
from transformers import Qwen3_5Config, Qwen3_5ForConditionalGeneration

PIXELS = {"shortest_edge": 1024, "longest_edge": 65536}
READER = {
    "processor_class": "Qwen3VLProcessor",
    "patch_size": 16,
    "temporal_patch_size": 2,
    "merge_size": 2,
    "image_mean": [0.5, 0.5, 0.5],
    "image_std": [0.5, 0.5, 0.5],
    "size": PIXELS,
}
IMAGES = {
    "image_processor_type": "Qwen2VLImageProcessorFast",
    "do_rescale": True,
    "rescale_factor": 1 / 255,
    "do_normalize": True,
    "do_resize": True,
    "do_convert_rgb": True,
}
NAMES = {
    "image_token": "<|image_pad|>",
    "video_token": "<|video_pad|>",
    "vision_start_token": "<|vision_start|>",
    "vision_end_token": "<|vision_end|>",
}


def tokenizer(tiny: Path) -> Tokenizer:
    values = json.loads((tiny / "tokenizer.json").read_text())
    values["added_tokens"] = []
    read = Tokenizer.from_str(json.dumps(values))
    specials = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", *NAMES.values()]
    read.add_tokens([AddedToken(text, special=True, normalized=False) for text in specials])
    read.add_tokens([AddedToken(text, special=False, normalized=False) for text in ("<think>", "</think>")])
    return read


def config(read: Tokenizer) -> Qwen3_5Config:
    size = max(read.get_vocab(with_added_tokens=True).values()) + 1
    end = read.token_to_id("<|im_end|>")
    text = {
        "vocab_size": size + -size % 64,
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_hidden_layers": 4,
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
        "head_dim": 64,
        "max_position_embeddings": 2048,
        "tie_word_embeddings": False,
        "eos_token_id": end,
        "pad_token_id": end,
        "full_attention_interval": 4,
        "linear_num_key_heads": 1,
        "linear_num_value_heads": 2,
        "linear_key_head_dim": 128,
        "linear_value_head_dim": 128,
        "rope_parameters": {
            "rope_type": "default",
            "rope_theta": 1e7,
            "partial_rotary_factor": 0.25,
            "mrope_section": [4, 2, 2],
            "mrope_interleaved": True,
        },
    }
    vision = {
        "depth": 2,
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_heads": 4,
        "out_hidden_size": 64,
        "num_position_embeddings": 64,
    }
    ids = {f"{name}_id": read.token_to_id(token) for name, token in NAMES.items()}
    return Qwen3_5Config(text_config=text, vision_config=vision, **ids)


def main() -> None:
    tiny, template, out = (Path(argument) for argument in sys.argv[1:])
    read = tokenizer(tiny)
    torch.manual_seed(1)
    model = Qwen3_5ForConditionalGeneration(config(read)).to(torch.bfloat16)
    with torch.no_grad():
        model.lm_head.weight.normal_(0, 0.3)  # else its answer is one token for ever
    model.save_pretrained(out)
    read.save(str(out / "tokenizer.json"))
    shutil.copyfile(template, out / "chat_template.jinja")
    ends = {"eos_token": "<|im_end|>", "pad_token": "<|endoftext|>"}
    files = {
        "tokenizer_config": {**NAMES, **ends, "processor_class": READER["processor_class"]},
        "preprocessor_config": IMAGES | READER,
        "video_preprocessor_config": {"video_processor_type": "Qwen3VLVideoProcessor"} | READER,
        "generation_config": {"eos_token_id": read.token_to_id("<|im_end|>")},
    }
    for name, values in files.items():
        (out / f"{name}.json").write_text(json.dumps(values))


main()
