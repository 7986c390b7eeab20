"""The KV cache of a model in vLLM: bytes for so many tokens, from its config.json alone.

What vLLM 0.32 does (v1/core/kv_cache_utils.py, v1/kv_cache_interface.py, platforms/interface.py), followed
here with one process for one model:

- A layer keeps, per token, keys and values of each of its KV heads. Layers that share the keys and values of
  an earlier one keep none. A layer of linear attention keeps a state of one size instead, and with prefix
  caching, which is on by itself, two of them for each request.
- A pool of blocks serves all layers. A block holds 128 tokens on a processor, 16 on a GPU. Beside linear
  attention it grows, in such steps, until the keys and values in it take no less than a state; the state is
  padded to that.
- Layers of one kind are a group; their blocks count together. Where several kinds are mixed, all pages must
  be of one size: a smaller page takes more tokens where it goes into the largest, and is padded where not.
  The kinds are then cut into groups with as many layers as the rarest kind has, or the commonest where that
  has less than half as many again; a block of the pool is as wide as one group, and each group takes its own.
- Full attention takes blocks for all tokens of a request, a sliding window for the window and what is
  computed at once (`max_num_batched_tokens`), and one block more. One block of the pool is always held back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

import msgspec

Config = Mapping[str, Any]
Device = Literal["cpu", "gpu"]
_BLOCK: Final[Mapping[Device, int]] = {"cpu": 128, "gpu": 16}  # tokens
_AT_ONCE: Final = 2048  # tokens of one step of a server, where no flag says otherwise
_AT_ONCE_VIDEO: Final = 32 * 78  # Gemma 4 with its encoders: a video's frames must fit in one step
_STEPS: Final[Mapping[Device, int]] = {"cpu": 1, "gpu": 2}  # under way together: a GPU schedules ahead
# names that a config.json has only where layers keep something that is not counted here
_FOREIGN: Final = {
    "kv_lora_rank": "MLA",
    "mamba_d_state": "Mamba",
    "state_size": "Mamba",
    "ssm_state_size": "Mamba",
    "ssm_cfg": "Mamba",
    "hybrid_override_pattern": "Mamba",
    "attn_layer_period": "Mamba",
    "attention_chunk_size": "chunks",
    "conv_L_cache": "convolution",
}


class Unknown(ValueError):
    """The arithmetic is not known for this model; the text says what of it."""


class _Layer(msgspec.Struct, frozen=True):
    """`token`: bytes it keeps for each token, 0 for one that keeps a `state`. `window`: 0 = all tokens."""

    token: int = 0
    window: int = 0
    state: int = 0


class _Group(msgspec.Struct, frozen=True):
    """`count` groups of one kind, with `block` tokens in a block."""

    count: int
    block: int = 0
    window: int = 0
    states: int = 0


class Kv(msgspec.Struct, frozen=True):
    """`block_bytes`: of one block of the pool. `token`, `state`: bytes for each token of full attention, and
    for each request whatever its length, without what blocks waste; windows are in neither."""

    block_bytes: int
    groups: tuple[_Group, ...]
    layers: tuple[_Layer, ...]
    at_once: int

    def blocks(self, context: int) -> int:
        """That a request of so many tokens takes."""
        return sum(one.count * self._of(one, context) for one in self.groups)

    def _of(self, group: _Group, context: int) -> int:
        if group.states:
            return group.states
        if group.window:
            return _parts(min(group.window - 1 + self.at_once, context), group.block) + 1
        return _parts(context, group.block)

    def bytes(self, context: int) -> int:
        """Of the KV cache for one request of so many tokens; with less space vLLM refuses to start."""
        return (self.blocks(context) + 1) * self.block_bytes if self.groups else 0

    def exact(self, context: int) -> int:
        """The same without blocks and padding: the least that any arrangement takes."""
        return sum(
            one.state or one.token * (min(context, one.window) if one.window else context)
            for one in self.layers
        )

    def per_token(self, context: int) -> float:
        """Space for each token as vLLM counts it: KV space ÷ this = the tokens that its log names."""
        return self.blocks(context) * self.block_bytes / context

    def tokens(self, space: int, context: int) -> int:
        """What a server with so much space says that it holds, in requests of `context` tokens."""
        blocks = space // self.block_bytes if self.block_bytes else 0
        return int(blocks / self.blocks(context) * context) if blocks else 0

    def largest(self, space: int, limit: int) -> int:
        """The longest request that fits, at most `limit`; 0 = not one token does."""
        low, high = 0, limit
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.bytes(middle) <= space else (low, middle - 1)
        return low


def kv_of(config: Config, device: Device = "cpu", *, guesses: int = 0) -> Kv:
    """From the contents of a config.json. `guesses`: of a model that guesses ahead with a layer of its own.

    Raises Unknown: another kind of layers, or a number that the file does not say.
    """
    text = text_of(config)
    layers = _layers(config, text, guesses)
    video = config.get("model_type") == "gemma4" and isinstance(config.get("vision_config"), Mapping)
    at_once = (_AT_ONCE_VIDEO if video else _AT_ONCE) * _STEPS[device]
    block = _BLOCK[device]
    widest = max((one.state for one in layers), default=0)
    if widest:
        token = next((one.token for one in layers if one.token), 0)
        if not token:
            raise Unknown("linear attention alone")
        block *= _parts(widest, block * token)
        page = block * token
        layers = [msgspec.structs.replace(one, state=page) if one.state else one for one in layers]
        padded = _arranged(layers, block, at_once, 2 + guesses)
        return msgspec.structs.replace(padded, layers=tuple(_layers(config, text, guesses)))
    return _arranged(layers, block, at_once, 2)


def text_of(config: Config) -> Config:
    """Of a model with several parts, the one that writes text."""
    part = config.get("text_config")
    return part if isinstance(part, Mapping) else config


def _arranged(layers: list[_Layer], block: int, at_once: int, states: int) -> Kv:
    """Blocks and groups."""
    if not layers:
        return Kv(0, (), (), at_once)
    kinds = {(bool(one.state), one.window) for one in layers}
    if len(kinds) == 1:  # one kind, whatever the sizes: its layers lie side by side
        first = layers[0]
        width = sum(one.state or one.token * block for one in layers)
        group = _Group(1, block, first.window, states if first.state else 0)
        return Kv(width, (group,), tuple(layers), at_once)
    page = max(one.state or one.token * block for one in layers)
    same = Counter(layers)
    fewest, most = min(same.values()), max(same.values())
    size = most if most < fewest * 1.5 else fewest
    groups = []
    for one, number in same.items():
        own = one.token * block
        longer = block * (page // own) if own and page % own == 0 else block
        groups.append(_Group(_parts(number, size), longer, one.window, states if one.state else 0))
    widest = max(_parts(number, one.count) for number, one in zip(same.values(), groups, strict=True))
    return Kv(widest * page, tuple(groups), tuple(layers), at_once)


def _layers(config: Config, text: Config, guesses: int) -> list[_Layer]:
    for name, kind in _FOREIGN.items():
        if text.get(name):
            raise Unknown(kind)
    if config.get("is_encoder_decoder"):
        raise Unknown("encoder and decoder")
    total = _number(text, "num_hidden_layers")
    kinds = _kinds(text, total)
    shared = _number(text, "num_kv_shared_layers", 0)
    first_shared = total - shared if 0 < shared < total else total
    each = _bytes_each(config, text)
    found: list[_Layer] = []
    for index, kind in enumerate(kinds):
        if kind == "linear_attention":
            found.append(_Layer(state=_state(text, guesses)))
        elif kind in ("full_attention", "sliding_attention"):
            if index >= first_shared and kind in kinds[:first_shared]:
                continue
            heads, width = _heads(text, index, kind)
            window = _number(text, "sliding_window") if kind == "sliding_attention" else 0
            found.append(_Layer(2 * heads * width * each, window))
        else:
            raise Unknown(kind)
    if guesses and _number(text, "mtp_num_hidden_layers", 0):
        heads, width = _heads(text, total, "full_attention")
        found += [_Layer(2 * heads * width * each)] * _number(text, "mtp_num_hidden_layers", 0)
    return found


# where the file names no kinds: whether the layer of this index (from 1) slides
_PATTERNS: Final[Mapping[str, Callable[[Config, int], bool]]] = {
    "gemma2": lambda text, at: at % 2 == 1,
    "gpt_oss": lambda text, at: at % 2 == 1,
    "gemma3_text": lambda text, at: at % _number(text, "sliding_window_pattern", 6) != 0,
    "gemma4_text": lambda text, at: at % 6 != 0 and at != text.get("num_hidden_layers"),
    "mistral": lambda text, at: True,
    "phi3": lambda text, at: True,
    "starcoder2": lambda text, at: True,
}


def _kinds(text: Config, total: int) -> list[str]:
    kinds = text.get("layer_types")
    if isinstance(kinds, list) and len(kinds) >= total:
        return [str(kind) for kind in kinds[:total]]
    if text.get("linear_num_value_heads"):
        every = _number(text, "full_attention_interval", 4)
        return ["full_attention" if at % every == 0 else "linear_attention" for at in range(1, total + 1)]
    if not text.get("sliding_window") or text.get("use_sliding_window") is False:
        return ["full_attention"] * total
    model_type = str(text.get("model_type") or "")
    slides = _PATTERNS.get(model_type)
    if slides is None:
        raise Unknown(f"sliding_window of {model_type or '?'}")
    return ["sliding_attention" if slides(text, at) else "full_attention" for at in range(1, total + 1)]


def _heads(text: Config, index: int, kind: str) -> tuple[int, int]:
    """KV heads and their width of one layer."""
    heads = _number(text, "num_key_value_heads", 0) or _number(text, "num_attention_heads")
    width = _number(text, "head_dim", 0)
    if not width:
        width = _number(text, "hidden_size") // _number(text, "num_attention_heads")
    own = text.get("per_layer_config")
    if isinstance(own, Mapping):
        layer = own.get(str(index), own.get(index))
        if isinstance(layer, Mapping):
            return _number(layer, "num_key_value_heads", heads), _number(layer, "head_dim", width)
    elif kind == "full_attention" and str(text.get("model_type")).startswith("gemma4"):
        width = _number(text, "global_head_dim", 512)
        if text.get("attention_k_eq_v"):  # both are still kept
            heads = _number(text, "num_global_key_value_heads", heads)
    return heads, width


def _state(text: Config, guesses: int) -> int:
    """Of a gated delta net: the last inputs of its convolution, and a matrix for each value head.

    Where the file does not say in which dtype, in the model's; a processor with AVX512-BF16 takes float32.
    """
    key = _number(text, "linear_num_key_heads") * _number(text, "linear_key_head_dim")
    values, width = _number(text, "linear_num_value_heads"), _number(text, "linear_value_head_dim")
    rows = _number(text, "linear_conv_kernel_dim", 4) - 1 + guesses
    matrix = values * width * _number(text, "linear_key_head_dim")
    each = 4 if text.get("mamba_ssm_dtype") == "float32" else 2
    return (2 * key + values * width) * rows * 2 + matrix * each


def _bytes_each(config: Config, text: Config) -> int:
    """Of one number: 2 (float32 files are served in 16 bits), or 1 where the files bring scales for 8."""
    for place in (config, text):
        quantization = place.get("quantization_config")
        if isinstance(quantization, Mapping):
            scheme = quantization.get("kv_cache_scheme")
            if isinstance(scheme, Mapping) and scheme.get("num_bits") == 8:
                return 1
            if str(quantization.get("kv_cache_quant_algo") or "").upper() == "FP8":
                return 1
    return 2


def _number(text: Config, name: str, missing: int | None = None) -> int:
    value = text.get(name)
    if value is None and missing is not None:
        return missing
    if not isinstance(value, int) or isinstance(value, bool) or value < 0 or (missing is None and value == 0):
        raise Unknown(f"{name} = {value}")
    return value


def _parts(amount: int, size: int) -> int:
    return -(-amount // size)
