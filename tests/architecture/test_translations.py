"""The translations are whole: every string of window and errors, compiled, by the wording rules."""

from __future__ import annotations

import subprocess
import sys

from tests.architecture.sources import ROOT


def test_translations_are_complete_and_compiled() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "resources" / "i18n" / "update.py"), "--check"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
