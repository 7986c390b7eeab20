"""What a person without a mouse does with the server's log and at the end, in the running program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.architecture.sources import ROOT


def test_the_log_and_the_end_by_keys_alone(built_in_home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.whole.with_keys"],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith("VLLM")}
        | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")
    said, calls = (json.loads(line) for line in done.stdout.splitlines())
    assert said["counts"] == [100, 10, 100, 11, 100, 101] and said["copied"] == 101
    assert said["typed"] == "typed"  # and the end is no crash, whatever is on the clipboard
    assert said["empty"] == "New lines appear here."
    assert said["stops"] == ["Stop the server", "Remember this choice", "Cancel", "Leave it running"]
    assert said["quitting"] is False and calls[-1] == "close, leave"
