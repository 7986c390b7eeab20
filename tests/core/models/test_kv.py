"""KV space as vLLM counts it: what real servers logged, and the arithmetic of each kind of layers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.models.kv import Kv, Unknown, kv_of

GIB = 1 << 30
LLAMA: dict[str, Any] = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_hidden_layers": 4,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "head_dim": 64,
    "max_position_embeddings": 512,
}
GEMMA = LLAMA | {
    "model_type": "gemma4_text",
    "layer_types": ["sliding_attention", "sliding_attention", "full_attention", "full_attention"],
    "sliding_window": 16,
    "per_layer_config": {"2": {"head_dim": 512}, "3": {"head_dim": 512}},
}
QWEN = LLAMA | {
    "model_type": "qwen3_5_text",
    "full_attention_interval": 4,
    "linear_num_key_heads": 1,
    "linear_num_value_heads": 2,
    "linear_key_head_dim": 128,
    "linear_value_head_dim": 128,
    "linear_conv_kernel_dim": 4,
}


@pytest.mark.parametrize(
    ("config", "context", "logged"),
    [(LLAMA, 512, 1_048_576), (GEMMA, 512, 174_762), (QWEN, 512, 699_008)],
    ids=["llama", "gemma4", "qwen3.5"],
)
def test_what_a_server_of_vllm_0_32_logged_with_one_gib(
    config: dict[str, Any], context: int, logged: int
) -> None:
    """`CPU KV cache size: N tokens` with VLLM_CPU_KVCACHE_SPACE=1 and these configs."""
    kv = kv_of(config)
    assert kv.tokens(GIB, context) == logged
    assert GIB / kv.per_token(context) == pytest.approx(logged, rel=0.001)


def test_the_built_in_model_as_it_was_logged(built_in_models: Path) -> None:
    """46,592 tokens with 1 GiB and a context of 2048."""
    folder = next((built_in_models / "built-in").iterdir())
    kv = kv_of(json.loads((folder / "config.json").read_text()))
    assert kv.tokens(GIB, 2048) == 46_592
    assert kv.per_token(2048) == 2 * 2 * 3 * 64 * 30  # keys and values, 2 bytes, heads, width, layers


def test_a_request_takes_whole_blocks_and_one_is_held_back() -> None:
    kv = kv_of(LLAMA)
    block = 4 * 128 * 256
    assert [kv.bytes(context) for context in (1, 128, 129)] == [2 * block, 2 * block, 3 * block]
    assert kv.exact(129) == 4 * 129 * 256
    assert kv_of(LLAMA, "gpu").bytes(1) == 2 * block // 8  # blocks of 16 tokens


def test_the_longest_request_is_the_longest() -> None:
    kv = kv_of(LLAMA)
    space = kv.bytes(300)
    longest = kv.largest(space, 4096)
    assert kv.bytes(longest) <= space < kv.bytes(longest + 1)
    assert kv.largest(space, 200) == 200
    assert kv.largest(kv.bytes(1) - 1, 4096) == 0


def without(config: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in config.items() if name not in names}


def test_heads_that_the_file_leaves_out() -> None:
    config = without(LLAMA, "head_dim", "num_key_value_heads")
    assert kv_of(config).exact(1) == 4 * 2 * 2 * 32 * 2  # as many as the others, 64 ÷ 2 wide


def test_layers_that_share_keep_none() -> None:
    kinds = ["sliding_attention", "full_attention", "sliding_attention", "full_attention"]
    both = GEMMA | {"layer_types": kinds, "num_kv_shared_layers": 2}
    both["per_layer_config"] = {"1": {"head_dim": 512}, "3": {"head_dim": 512}}
    # one of each kind; the window of 16 in front of 512 wide heads
    assert kv_of(both).exact(100) == 2 * 2 * (64 * 16 + 512 * 100)
    assert kv_of(both | {"num_kv_shared_layers": 0}).exact(100) == 2 * kv_of(both).exact(100)
    # none before it is of its kind: it keeps its own
    alone = both | {"layer_types": ["sliding_attention"] * 3 + ["full_attention"], "num_kv_shared_layers": 1}
    assert len(kv_of(alone).layers) == 4


def test_the_old_names_of_wide_heads() -> None:
    old = without(GEMMA, "per_layer_config") | {"global_head_dim": 512, "num_global_key_value_heads": 2}
    assert kv_of(old) == kv_of(GEMMA)  # the heads only where keys are values, too
    wider = kv_of(old | {"attention_k_eq_v": True})
    assert wider.exact(100) == 2 * 2 * 2 * (64 * 16 + 2 * 512 * 100)


def test_a_window_takes_what_is_computed_at_once_and_no_more() -> None:
    windows = GEMMA | {"sliding_window": 512, "max_position_embeddings": 131072}
    kv = kv_of(windows)
    full = kv_of(without(windows, "layer_types", "sliding_window") | {"model_type": "llama"})
    step = kv.blocks(131072) - kv.blocks(65536)
    assert step == 65536 // 128  # the full layers' alone grow
    assert kv.blocks(131072) - 131072 // 128 == -(-(511 + 2048) // 1024) + 1
    assert kv.exact(131072) - kv.exact(65536) == 2 * 2 * 2 * 512 * 65536
    assert full.exact(65536) > 0


def test_encoders_make_the_step_longer() -> None:
    text = GEMMA | {"sliding_window": 512}
    seen = {"model_type": "gemma4", "vision_config": {}, "text_config": text}
    assert (kv_of(text).at_once, kv_of(seen).at_once, kv_of(text, "gpu").at_once) == (2048, 2496, 4096)


def test_a_state_that_is_kept_in_float32() -> None:
    """It makes the block longer, and each request has two of each."""
    single = kv_of(QWEN | {"mamba_ssm_dtype": "float32"})
    assert single.block_bytes == 640 * 256
    assert single.blocks(512) == 1 + 3 * 2
    assert single.exact(0) == 3 * (512 * 3 * 2 + 2 * 128 * 128 * 4)
    guessing = kv_of(QWEN | {"mtp_num_hidden_layers": 1}, guesses=2)
    assert guessing.exact(0) == 3 * (512 * 5 * 2 + 2 * 128 * 128 * 2)
    assert len(guessing.layers) == 5


def test_more_layers_of_a_kind_than_of_the_other() -> None:
    def of(sliding: int, full: int) -> Kv:
        kinds = ["sliding_attention"] * sliding + ["full_attention"] * full
        return kv_of(
            LLAMA | {"num_hidden_layers": sliding + full, "layer_types": kinds, "sliding_window": 64}
        )

    page = 128 * 256
    assert [of(5, 4).block_bytes, of(6, 4).block_bytes] == [5 * page, 4 * page]
    # 6 and 4: groups of 4, so two of 3 and one of 4
    assert sorted(group.count for group in of(6, 4).groups) == [1, 2]


def test_all_layers_slide() -> None:
    kv = kv_of(LLAMA | {"model_type": "mistral", "sliding_window": 100})
    assert kv.exact(10_000) == 4 * 256 * 100
    assert kv_of(LLAMA | {"sliding_window": 100, "use_sliding_window": False}) == kv_of(LLAMA)


def test_scales_for_eight_bits() -> None:
    scheme = {"quantization_config": {"kv_cache_scheme": {"num_bits": 8, "type": "float"}}}
    assert kv_of(LLAMA | scheme).exact(100) * 2 == kv_of(LLAMA).exact(100)
    assert kv_of(LLAMA | {"quantization_config": {"quant_method": "awq"}}) == kv_of(LLAMA)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"kv_lora_rank": 512}, "MLA"),
        ({"mamba_d_state": 16}, "Mamba"),
        ({"layer_types": ["full_attention"] * 3 + ["conv"]}, "conv"),
        ({"is_encoder_decoder": True}, "encoder and decoder"),
        ({"sliding_window": 4096}, "sliding_window of llama"),
        ({"num_hidden_layers": None}, "num_hidden_layers = None"),
        ({"num_hidden_layers": "many"}, "num_hidden_layers = many"),
        ({"num_key_value_heads": -1}, "num_key_value_heads = -1"),
        ({"layer_types": ["linear_attention"] * 4}, "linear_num_key_heads = None"),
    ],
)
def test_what_is_not_known_is_said(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(Unknown, match=said):
        kv_of(LLAMA | changes)
