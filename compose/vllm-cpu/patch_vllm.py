"""Mends two faults of vLLM on a CPU in its installed source, each only where the source shows it.

    python3 patch_vllm.py [FOLDER]      FOLDER: of the package vllm, else the one that would be imported

Exit code 1, with nothing written, if a place looks neither faulty nor as it should: then it is another vLLM
than this was written for, and has to be looked at. Standard library only.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path

KERNEL = "v1/worker/block_table.py"
OVERRIDE = "utils/cpu_triton_utils.py"
OPERATIONS = "_custom_ops.py"


class Unknown(Exception):
    """The source is neither faulty in the way that is known, nor as it should be."""


def slot_mapping(package: Path) -> dict[str, str]:
    """Without Triton, vLLM calls this C++ stand-in with the kernel's arguments in the kernel's order. 0.32.0
    took two parameters out of the kernel and left them here, so every model's first request fails; vLLM's
    own #61992 mended it a day after the release, in the way done here."""
    kernel = _function(ast.parse(_read(package, KERNEL)), "ComputeSlotMappingKernel", "kernel")
    source = _read(package, OVERRIDE)
    override = _function(ast.parse(source), "_compute_slot_mapping_kernel_impl")
    wanted = [name.removesuffix("_ptr") for name in _parameters(kernel)]
    if _parameters(override) == wanted:
        return {}
    too_many = [name for name in _parameters(override) if name not in wanted]
    if [name for name in _parameters(override) if name not in too_many] != wanted:
        raise Unknown(f"{OVERRIDE}: parameters {_parameters(override)}, the kernel has {wanted}")
    if set(too_many) != {"block_size", "BLOCKS_PER_KV_BLOCK"} or "KV_CACHE_BLOCK_SIZE" not in wanted:
        raise Unknown(f"{OVERRIDE}: of {too_many} it is not known what replaces them")
    lines = source.splitlines(keepends=True)
    for argument in override.args.args:
        if argument.arg in too_many:
            _blank(lines, argument.lineno)
        if argument.arg == "KV_CACHE_BLOCK_SIZE":
            lines[argument.lineno - 1] = "    KV_CACHE_BLOCK_SIZE: int,\n"
    for statement in override.body:
        if isinstance(statement, ast.If) and "BLOCKS_PER_KV_BLOCK" in _names(statement):
            _blank(lines, statement.lineno, statement.end_lineno)
        else:
            _rename(lines, statement, "block_size", "KV_CACHE_BLOCK_SIZE")
    mended = "".join(lines)
    after = _function(ast.parse(mended), "_compute_slot_mapping_kernel_impl")
    if _parameters(after) != wanted or _names(after) & set(too_many):
        raise Unknown(f"{OVERRIDE}: could not be mended")
    return {OVERRIDE: mended}


def linear_input(package: Path) -> dict[str, str]:
    """oneDNN's matrix product takes only input whose last dimension is dense, and the engine ends where it is
    not: at the first sound that Gemma 4 hears."""
    source = _read(package, OPERATIONS)
    product = _function(ast.parse(source), "onednn_mm")
    calls = [
        node
        for node in ast.walk(product)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "torch.ops._C.onednn_mm"
    ]
    if len(calls) != 1 or len(calls[0].args) < 2:
        raise Unknown(f"{OPERATIONS}: onednn_mm calls its operator in another way")
    given = calls[0].args[1]
    text = ast.get_source_segment(source, given) or ""
    if ast.unparse(given).endswith(".contiguous()"):
        return {}
    if ast.unparse(given) != "x.reshape(-1, dnnl_handler.k)" or given.lineno != given.end_lineno:
        raise Unknown(f"{OPERATIONS}: onednn_mm gives its operator {ast.unparse(given)}")
    lines = source.splitlines(keepends=True)
    at = given.lineno - 1
    lines[at] = lines[at].replace(text, f"{text}.contiguous()")
    return {OPERATIONS: "".join(lines)}


FAULTS: dict[str, Callable[[Path], dict[str, str]]] = {
    "slot_mapping": slot_mapping,
    "linear_input": linear_input,
}


def patch(package: Path) -> dict[str, bool]:
    """Fault → whether it was there and is mended. All is looked at before anything is written. Raises
    Unknown."""
    found = {name: fault(package) for name, fault in FAULTS.items()}
    for files in found.values():
        for name, text in files.items():
            (package / name).write_text(text, encoding="utf-8")
    return {name: bool(files) for name, files in found.items()}


def _read(package: Path, name: str) -> str:
    try:
        return (package / name).read_text(encoding="utf-8")
    except OSError as error:
        raise Unknown(f"{name}: {error}") from error


def _function(tree: ast.Module, *path: str) -> ast.FunctionDef:
    nodes: list[ast.stmt] = tree.body
    found: ast.stmt | None = None
    for name in path:
        kinds = (ast.ClassDef, ast.FunctionDef)
        found = next((node for node in nodes if isinstance(node, kinds) and node.name == name), None)
        if found is None:
            break
        nodes = found.body
    if not isinstance(found, ast.FunctionDef):
        raise Unknown(f"there is no {'.'.join(path)}")
    return found


def _parameters(function: ast.FunctionDef) -> list[str]:
    return [argument.arg for argument in function.args.args]


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _blank(lines: list[str], first: int, last: int | None = None) -> None:
    for number in range(first, (last or first) + 1):
        lines[number - 1] = ""


def _rename(lines: list[str], statement: ast.stmt, old: str, new: str) -> None:
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and node.id == old:
            line = lines[node.lineno - 1]
            lines[node.lineno - 1] = line[: node.col_offset] + new + line[node.end_col_offset :]


def main(arguments: list[str]) -> int:
    if arguments:
        package = Path(arguments[0])
    else:
        spec = importlib.util.find_spec("vllm")  # found, not imported
        if spec is None or spec.origin is None:
            print("patch_vllm: this Python has no vllm", file=sys.stderr)
            return 1
        package = Path(spec.origin).parent
    try:
        done = patch(package)
    except (Unknown, SyntaxError) as error:
        print(f"patch_vllm: {package}: {error}", file=sys.stderr)
        print("patch_vllm: nothing was changed; this vLLM needs another patch, or none", file=sys.stderr)
        return 1
    for name, mended in done.items():
        print(f"patch_vllm: {name}: {'mended' if mended else 'not there'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
