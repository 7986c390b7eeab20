"""What a command leaves behind where even its guard cannot be started."""

from __future__ import annotations

import os
import subprocess
from typing import Any

import pytest

from core.worker.command_service import started

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there is no guard")


def test_without_a_guard_it_is_still_ended_and_reaped(monkeypatch: pytest.MonkeyPatch) -> None:
    popen = subprocess.Popen

    def some(argv: list[str], **more: Any) -> subprocess.Popen[bytes]:
        if argv[1:2] == ["-c"]:
            raise BlockingIOError("no more processes")
        return popen(argv, **more)

    monkeypatch.setattr(subprocess, "Popen", some)
    with started((b"sleep", b"600"), {b"PATH": b"/bin:/usr/bin"}) as group:
        assert group.process.poll() is None
    assert group.process.returncode is not None
