"""What a real process loads: the core without Qt, the window without torch, and one Python fault of Qt's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.architecture.sources import ROOT, sources


def _python(code: str, *arguments: str, cwd: Path = ROOT) -> str:
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=cwd,
        env=environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


BLOCK_AND_IMPORT = """
import importlib, sys
blocked = sys.argv[1].split(",")
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in blocked:
            raise ImportError(f"{name} is blocked here")
sys.meta_path.insert(0, Block())
for name in sys.argv[2:]:
    importlib.import_module(name)
print(" ".join(sys.modules))
"""


def test_core_loads_without_qt() -> None:
    names = [source.name for source in sources("core") if not source.name.endswith("__main__")]
    _python(BLOCK_AND_IMPORT, "PySide6,shiboken6,qasync", *names)


def test_what_the_window_imports_holds_no_model_library() -> None:
    """The whole window, and the core outside the worker, load where no model library is installed."""
    names = [
        source.name
        for source in sources()
        if not source.name.endswith("__main__") and source.package != "core.worker"
    ]
    loaded = set(_python(BLOCK_AND_IMPORT, "torch,transformers,tokenizers", *names).split())
    assert not loaded & {"docker", "huggingface_hub", "keyring", "numpy", "safetensors", "gguf"}


def test_the_library_process_holds_no_model_library() -> None:
    """The hub, the keyring and Docker are asked by a process that stays small."""
    services = ("library", "keys_service", "hub_service", "docker_service")
    names = [f"core.worker.{service}" for service in services]
    loaded = set(_python(BLOCK_AND_IMPORT, "torch,transformers,tokenizers,PySide6", *names).split())
    assert {"keyring", "huggingface_hub", "docker"} <= loaded


def test_qt_keeps_the_references_of_none_and_true() -> None:
    """PySide6 6.12.0 takes one reference too many on Python 3.11 and aborts after some thousand calls.

    When this passes with a newer release, the upper bound in pyproject.toml may go.
    """
    code = """
import sys
from PySide6.QtCore import QObject, Signal
class Thing(QObject):
    happened = Signal()
thing = Thing()
def drift():
    before = sys.getrefcount(None), sys.getrefcount(True)
    for _ in range(50):
        thing.setObjectName("x")
        thing.happened.emit()
    return sys.getrefcount(None) - before[0], sys.getrefcount(True) - before[1]
drift()
print(*drift())
"""
    none, true = map(int, _python(code).split())
    assert abs(none) < 25 and abs(true) < 25
