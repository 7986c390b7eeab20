"""What safetensors files hold, from their headers or their index alone: bytes, tensors and dtypes.

A file begins with the length of its header, 8 bytes in little-endian order, and the header as JSON: for each
tensor its dtype, its shape and where it lies. The tensors themselves are never read.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, TypeGuard

import msgspec

from core.errors import ModelError

INDEX: Final = "model.safetensors.index.json"
MOST: Final = 100_000_000  # bytes of a header or index; safetensors itself takes no longer header
# bytes of one value; those with less than a byte are told by their place in the file
_WIDTH: Final[Mapping[str, int]] = {
    **dict.fromkeys(("F64", "I64", "U64", "C64"), 8),
    **dict.fromkeys(("F32", "I32", "U32"), 4),
    **dict.fromkeys(("F16", "BF16", "I16", "U16"), 2),
    **dict.fromkeys(("F8_E4M3", "F8_E5M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "I8", "U8", "BOOL"), 1),
}


class Weights(msgspec.Struct, frozen=True):
    """`bytes`: of all tensors as they are stored. `dtypes`: bytes by dtype, the most first, empty where it is
    not known. `exact`: from headers or an index; else from the sizes of files, a header longer each."""

    bytes: int
    tensors: int = 0
    dtypes: tuple[tuple[str, int], ...] = ()
    files: int = 0
    exact: bool = True

    def served(self, config: Mapping[str, Any]) -> int:
        """Bytes once loaded: what is stored in float32 is served in 16 bits, but for what belongs to a
        quantization."""
        if isinstance(config.get("quantization_config"), Mapping):
            return self.bytes
        if self.dtypes:
            return sum(
                size * 2 // _WIDTH[name] if name in ("F32", "F64") else size for name, size in self.dtypes
            )
        text = config.get("text_config")
        said = [part.get("dtype") or part.get("torch_dtype") for part in (config, text or {})]
        return self.bytes // 2 if "float32" in said else self.bytes


def weights_in(folder: Path) -> Weights:
    """Of a folder's own files, without those that its index does not name.

    Raises ModelError: no_safetensors, damaged.
    """
    try:
        names = {path.name for path in folder.glob("*.safetensors")}
        wanted = chosen(names, _index(folder))
        headers = [read_header(folder / name) for name in wanted]
    except OSError as error:
        raise ModelError(
            "model.damaged", folder=str(folder), file=Path(error.filename or folder).name
        ) from error
    if not headers:
        raise ModelError("model.no_safetensors", folder=str(folder))
    return _sum(headers)


def weights_listed(files: Iterable[tuple[str, int]]) -> Weights:
    """From the names and sizes that a hub lists, before anything is fetched: a header too much at most."""
    sizes = dict(files)
    wanted = chosen(name for name in sizes if "/" not in name and name.endswith(".safetensors"))
    return Weights(sum(sizes[name] for name in wanted), files=len(wanted), exact=False)


def weights_counted(parameters: Mapping[str, int]) -> Weights | None:
    """From the number of values by dtype, as a hub tells it; None for a dtype whose width is not known."""
    if not parameters or not parameters.keys() <= _WIDTH.keys():
        return None
    sizes = Counter({name: number * _WIDTH[name] for name, number in parameters.items()})
    return Weights(sizes.total(), dtypes=tuple(sizes.most_common()), exact=False)


def served_in(folder: Path, listed: Weights | None = None) -> int:
    """Bytes of a folder's weights once they are loaded, as its config says; 0 where its files do not tell.
    `listed`: where they are still to come."""
    try:
        weights = listed or weights_in(folder)
    except ModelError:
        return 0
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        config = {}
    return weights.served(config if isinstance(config, dict) else {})


def weights_indexed(index: Mapping[str, Any]) -> Weights | None:
    """From the content of an index, None where it does not say."""
    metadata, placed = index.get("metadata"), index.get("weight_map")
    size = metadata.get("total_size") if isinstance(metadata, Mapping) else None
    if isinstance(size, float) and size.is_integer():
        size = int(size)
    if not isinstance(size, int) or isinstance(size, bool) or size <= 0 or not isinstance(placed, Mapping):
        return None
    return Weights(size, tensors=len(placed), files=len({str(name) for name in placed.values()}))


def chosen(names: Iterable[str], index: Mapping[str, Any] | None = None) -> list[str]:
    """The files that are loaded: those of the index, or all but a second copy in one piece."""
    found = sorted(names)
    placed = (index or {}).get("weight_map")
    if isinstance(placed, Mapping):
        listed = {str(name) for name in placed.values()}
        return [name for name in found if name in listed]
    others = [name for name in found if not name.startswith("consolidated")]
    return others or found


def read_header(path: Path) -> dict[str, Any]:
    """Tensors by name. Raises ModelError("model.damaged"), OSError."""
    with path.open("rb") as file:
        start = file.read(8)
        length = int.from_bytes(start, "little")
        whole = path.stat().st_size - 8
        if len(start) < 8 or not 2 <= length <= min(MOST, whole):
            raise _damaged(path, f"a header of {length} bytes")
        content = file.read(length)
    try:
        header = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise _damaged(path, str(error)) from error
    if not isinstance(header, dict):
        raise _damaged(path, "not an object")
    header.pop("__metadata__", None)
    for name, tensor in header.items():
        if not _is_whole(tensor, whole - length):
            raise _damaged(path, f"tensor {name}: {tensor}")
    return header


def _is_whole(tensor: object, room: int) -> bool:
    """Within the file, and as long as dtype and shape say."""
    if not isinstance(tensor, dict):
        return False
    dtype, shape, place = tensor.get("dtype"), tensor.get("shape"), tensor.get("data_offsets")
    if not isinstance(dtype, str) or not _numbers(shape) or not _numbers(place) or len(place) != 2:
        return False
    width = _WIDTH.get(dtype)
    size = place[1] - place[0]
    return size >= 0 and place[1] <= room and (width is None or size == width * math.prod(shape))


def _numbers(value: object) -> TypeGuard[list[int]]:
    return isinstance(value, list) and all(type(one) is int and one >= 0 for one in value)


def _sum(headers: Iterable[Mapping[str, Any]]) -> Weights:
    sizes: Counter[str] = Counter()
    tensors = files = 0
    for header in headers:
        files += 1
        tensors += len(header)
        for tensor in header.values():
            sizes[tensor["dtype"]] += tensor["data_offsets"][1] - tensor["data_offsets"][0]
    return Weights(sizes.total(), tensors, tuple(sizes.most_common()), files)


def _index(folder: Path) -> Mapping[str, Any] | None:
    path = folder / INDEX
    if not path.is_file():
        return None
    if path.stat().st_size > MOST:
        raise _damaged(path, f"{path.stat().st_size} bytes")
    try:
        value = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise _damaged(path, str(error)) from error
    return value if isinstance(value, dict) else None


def _damaged(path: Path, detail: str) -> ModelError:
    return ModelError("model.damaged", folder=str(path.parent), file=path.name, detail=detail)
