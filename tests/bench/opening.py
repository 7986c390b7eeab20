"""window_ms: from the start of the process to the first complete picture of the main window.

`warm`: files in the system's cache. `cold`: the files of Python, Qt and ours dropped from it before the start
(posix_fadvise; what another process has mapped stays). `floor`: an empty QMainWindow, the same way.
Run as a child (`python -m tests.bench.opening child ours|floor`) it opens the window and prints one line.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FLOOR = """
import sys, time
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QMainWindow
class Window(QMainWindow):
    def event(self, event):
        done = super().event(event)
        if event.type() == QEvent.Type.UpdateRequest:
            print("painted", time.monotonic_ns(), flush=True)
            QApplication.quit()
        return done
app = QApplication([])
window = Window()
window.resize(1280, 800)
window.show()
app.exec()
"""


def ours() -> int:
    """The real program; after its first picture it is asked to end as by a signal."""
    import signal

    from PySide6.QtCore import QEvent

    from desktop.__main__ import main
    from desktop.window.main_window import MainWindow

    original: Any = MainWindow.event
    told = False

    def event(window: Any, happened: QEvent) -> bool:
        nonlocal told
        done = bool(original(window, happened))
        if happened.type() == QEvent.Type.UpdateRequest and not told:
            told = True
            print("painted", time.monotonic_ns(), flush=True)
            os.kill(os.getpid(), signal.SIGTERM)
        return done

    MainWindow.event = event  # type: ignore[method-assign]
    sys.argv = ["tokenloupe"]
    return int(main() or 0)


def start(what: str, environ: dict[str, str]) -> float:
    """Milliseconds from the start of the process to its picture. Raises RuntimeError if it fails."""
    began = time.monotonic_ns()
    command = (
        [sys.executable, "-c", FLOOR] if what == "floor" else [sys.executable, "-m", __spec__.name, "child"]
    )
    done = subprocess.run(
        command, cwd=ROOT, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
    )
    if done.returncode != 0 or "painted" not in done.stdout:
        raise RuntimeError(f"{what}: exit code {done.returncode}\n{done.stderr}")
    return (int(done.stdout.split()[1]) - began) / 1e6


def forget_files() -> int:
    """Drop the files of Python, its packages and this checkout from the page cache; how many were dropped."""
    if not hasattr(os, "posix_fadvise"):
        return 0
    os.sync()
    count = 0
    stdlib = Path(os.__file__).parent
    packages = [Path(entry) for entry in sys.path if entry.endswith("site-packages")]
    for folder in (stdlib, *packages, ROOT / "core", ROOT / "desktop", ROOT / "resources"):
        for path in folder.rglob("*"):
            if path.suffix not in (".py", ".pyc", ".so", ".toml", ".svg", ".qm") and ".so." not in path.name:
                continue
            with contextlib.suppress(OSError):
                descriptor = os.open(path, os.O_RDONLY)
                try:
                    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
                finally:
                    os.close(descriptor)
                count += 1
    return count


def measure(environ: dict[str, str]) -> dict[str, float]:
    """One run of each kind, warm ones after a start that is not counted."""
    figures = {}
    start("ours", environ)
    figures["window_ms_warm"] = start("ours", environ)
    start("floor", environ)
    figures["empty_window_ms_warm"] = start("floor", environ)
    if forget_files():
        figures["window_ms_cold"] = start("ours", environ)
        forget_files()
        figures["empty_window_ms_cold"] = start("floor", environ)
    return figures


if __name__ == "__main__":
    sys.exit(ours())
