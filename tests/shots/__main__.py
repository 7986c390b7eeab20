"""`make shots`: pictures of the window's main states to build/shots/: the real program on the real model.

One process for each language and scale (`tests.shots.director`); the states in light and dark, the main ones
in high contrast too. Names: STATE-THEME-LANGUAGE-SCALEx.png.
Arguments: which of en-1, en-2, zh_TW-1, zh_TW-2; after `--` which scenes (SCENES in `director`, `servers`,
`launching`, `models`), then the other pictures are left as they are.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.__main__ import built_in_home

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "build" / "shots"
VARIANTS = ("en-1", "en-2", "zh_TW-1", "zh_TW-2")


def main(arguments: list[str]) -> int:
    wanted, scenes = arguments, list[str]()
    if "--" in arguments:
        at = arguments.index("--")
        wanted, scenes = arguments[:at], arguments[at + 1 :]
    wanted = wanted or list(VARIANTS)
    if set(wanted) - set(VARIANTS):
        print(__doc__)
        return 2
    TARGET.mkdir(parents=True, exist_ok=True)
    failed = []
    for variant in wanted:
        language, scale = variant.rsplit("-", 1)
        for old in TARGET.glob(f"*-{language}-{scale}x.png"):
            if not scenes:
                old.unlink()
        with tempfile.TemporaryDirectory(prefix="tl-") as folder:
            built_in_home(Path(folder))
            environ = {
                **os.environ,
                "TOKENLOUPE_HOME": folder,
                "QT_QPA_PLATFORM": f"offscreen:configfile={_screen(Path(folder))}",
                "QT_SCALE_FACTOR": scale,
                "LC_ALL": "C.UTF-8",
                "PYTHONPATH": str(ROOT),
            }
            command = [sys.executable, "-m", "tests.shots.director", language, scale, str(TARGET), *scenes]
            code = subprocess.run(command, cwd=ROOT, env=environ, stdin=subprocess.DEVNULL).returncode
        count = len(list(TARGET.glob(f"*-{language}-{scale}x.png")))
        print(f"{variant}: {count} pictures, exit code {code}", flush=True)
        if code != 0 or count == 0:
            failed.append(variant)
    print(TARGET.relative_to(ROOT))
    return 1 if failed else 0


def _screen(folder: Path) -> Path:
    """One that has room for the window at every scale; the usual one has 800 × 800 points."""
    path = folder / "screen.json"
    screen = {"name": "shots", "x": 0, "y": 0, "width": 3200, "height": 2400}
    path.write_text(json.dumps({"screens": [screen | {"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}]}))
    return path


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
