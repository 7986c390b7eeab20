"""A virtual X11 screen for one block: Xvfb on a free display number, ended with the block."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator


def available() -> bool:
    return shutil.which("Xvfb") is not None


@contextlib.contextmanager
def virtual_screen(size: str = "1600x1200x24") -> Iterator[str]:
    """Yields the display's name, as for DISPLAY. Raises RuntimeError if the server does not start."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp"],
        pass_fds=[writing],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as answer:
            number = answer.readline().strip()  # comes when the server is ready; empty if it ends before
        if not number:
            raise RuntimeError(f"Xvfb ended with code {server.wait()}")
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()


def environment(display: str) -> dict[str, str]:
    """This process's environment with that screen instead of whatever it has."""
    left_out = ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY")
    return {key: value for key, value in os.environ.items() if key not in left_out} | {"DISPLAY": display}
