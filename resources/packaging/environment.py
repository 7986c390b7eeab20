"""Makes `.venv` ready for `make`: system packages, Python packages, a word before gigabytes.

Standard library only; started by the Makefile with the system's Python (3.11 or newer).
Usage: environment.py run|dev   (environment: LOCAL=0|1, the engine without or with torch)
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parents[2]
VENV = Path(os.environ.get("TOKENLOUPE_VENV", ROOT / ".venv"))
STAMP = VENV / "tokenloupe-setup.json"
CONSTRAINTS = ROOT / "constraints.txt"
GPU_PACKAGES = re.compile(r"(nvidia|cuda|triton|rocm)", re.IGNORECASE)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def stop(text: str) -> NoReturn:
    say(f"\n{text}")
    raise SystemExit(1)


# --- system packages -----------------------------------------------------------------------------------


def _preflight() -> Any:
    # by file: the package it belongs to is not installed yet
    spec = importlib.util.spec_from_file_location("preflight", ROOT / "desktop" / "preflight.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["preflight"] = module
    spec.loader.exec_module(module)
    return module


def apt_install(packages: list[str]) -> bool:
    """Install on Debian or Ubuntu as root; False if this machine does not allow it or it failed."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return False
    say(f"Installing system packages: {' '.join(packages)}")
    environ = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "update", "-qq"],
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages],
    ):
        done = subprocess.run(
            command, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        if done.returncode != 0:
            say(done.stdout.decode(errors="replace"))
            return False
    return True


def system_packages(profile: str) -> None:
    """Everything for the tests; for a run only what its window needs, and nothing without a screen."""
    if not sys.platform.startswith("linux"):
        return
    preflight = _preflight()
    if profile == "dev":
        purposes = {"qt", "xcb", "tests"}
    else:
        target = preflight.platform(os.environ)
        if target == "none":
            return
        purposes = {"qt"} | ({target} & {"xcb", "wayland"})
    absent = preflight.missing(purposes)
    if not absent:
        return
    packages = list(dict.fromkeys(need.packages["debian"] for need in absent))
    here = preflight.distribution()
    if here == "debian" and apt_install(packages):
        absent = preflight.missing(purposes)
    if absent:
        names = "\n".join(f"  {need.name}" for need in absent)
        lines = "\n".join(preflight.install_lines(absent, here))
        stop(f"These parts of the system are missing:\n{names}\nInstall them, then start again:\n{lines}")


# --- Python packages -----------------------------------------------------------------------------------


def python() -> Path:
    return VENV / "bin" / "python"


def make_venv() -> None:
    """A fresh .venv, or the existing one if its Python still runs and is new enough."""
    if python().exists():
        check = "import sys; sys.exit(sys.version_info < (3, 11))"
        if subprocess.run([python(), "-c", check], stderr=subprocess.DEVNULL).returncode == 0:
            return
        shutil.rmtree(VENV)
    if importlib.util.find_spec("ensurepip") is None:
        version = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        if not apt_install([version]):
            stop(
                f"This Python ({sys.executable}) cannot make virtual environments.\n"
                f"  Debian, Ubuntu:  sudo apt install {version}"
            )
    say(f"Setting up {VENV} with Python {sys.version.split()[0]} (the first time takes some minutes)")
    run([sys.executable, "-m", "venv", VENV])


def run(command: list[str | Path]) -> None:
    # stdin stays untouched: it may hold the question for the model
    code = subprocess.run(command, stdin=subprocess.DEVNULL, cwd=ROOT).returncode
    if code != 0:
        stop(f"This step of the set-up failed (see above):\n  {' '.join(map(str, command))}")


def pip(*arguments: str | Path) -> list[str | Path]:
    return [python(), "-m", "pip", "--disable-pip-version-check", *arguments]


def torch_is_here() -> bool:
    code = "import importlib.util, sys; sys.exit(importlib.util.find_spec('torch') is None)"
    return subprocess.run([python(), "-c", code]).returncode == 0


def torch_build() -> str:
    """Which torch pip would fetch: "cpu", "gpu" (it needs NVIDIA's packages) or "none", from its metadata."""
    command = pip("install", "--dry-run", "--quiet", "--no-deps", "--ignore-installed", "--report", "-")
    done = subprocess.run(
        [*command, "-c", CONSTRAINTS, "torch"], stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    if done.returncode != 0:
        say(done.stderr)
        return "none"
    report = json.loads(done.stdout[done.stdout.index("{") :])
    metadata = report["install"][0]["metadata"]
    here = [
        line
        for line in metadata.get("requires_dist", [])
        if "extra ==" not in line and not ("Linux" in line and not sys.platform.startswith("linux"))
    ]
    return "gpu" if any(GPU_PACKAGES.match(line) for line in here) else "cpu"


def wants_torch(before: dict[str, Any]) -> bool:
    """Whether to install torch: what LOCAL says, else what is there, else after a word about the size."""
    choice = os.environ.get("LOCAL", "")
    if choice in ("0", "1"):
        return choice == "1"
    if choice:
        stop("LOCAL is 1 (with the built-in engine) or 0 (without it).")
    if "local" in before.get("extras", []) or torch_is_here():
        return True
    if before.get("declined"):
        return False
    build = torch_build()
    if build == "none":
        stop(
            "pip finds no PyTorch for this Python and machine (see above).\n"
            "Try another Python (make PYTHON=python3.12 run), or go on without the built-in engine:\n"
            "  make run LOCAL=0"
        )
    if build == "cpu":
        return True
    say(
        "\nThe built-in engine needs PyTorch. For this machine pip would fetch the build for NVIDIA cards:\n"
        "a download of about 3 GB, about 7 GB on disk. (A CPU build that is already in .venv stays.)\n"
        "Without PyTorch, Token Loupe starts without its built-in engine:  make run LOCAL=0"
    )
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
        say("Nobody is here to ask, so the download starts now. LOCAL=0 leaves it out, LOCAL=1 hides this.\n")
        return True
    try:
        answer = input("Download it? [Y/n] ")
    except EOFError:
        answer = "n"
    return answer.strip().lower() in ("", "y", "yes")


def stamp_key() -> str:
    digest = hashlib.sha256(sys.version.encode())
    for path in (ROOT / "pyproject.toml", CONSTRAINTS, Path(__file__)):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def read_stamp() -> dict[str, Any]:
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) and python().exists() else {}


def pinned_pip() -> str:
    for line in CONSTRAINTS.read_text(encoding="utf-8").splitlines():
        if line.startswith("pip=="):
            return line.strip()
    return "pip"


def python_packages(profile: str) -> None:
    before = read_stamp()
    extras = set(before.get("extras", [])) | ({"dev"} if profile == "dev" else set())
    current = before.get("key") == stamp_key()
    forced = os.environ.get("LOCAL", "")
    if current and extras <= set(before["extras"]):
        chosen = "local" in before["extras"]
        if forced == "" or (forced == "1") == chosen:
            return
    make_venv()
    run(pip("install", "-qq", "--upgrade", pinned_pip()))
    local = wants_torch(before)
    extras = (extras - {"local"}) | ({"local"} if local else set())
    wanted = f".[{','.join(sorted(extras))}]" if extras else "."
    say("Installing Python packages")
    run(pip("install", "-qq", "-c", CONSTRAINTS, "--editable", wanted))
    stamp = {"key": stamp_key(), "extras": sorted(extras), "declined": not local}
    STAMP.write_text(json.dumps(stamp), encoding="utf-8")


def main(arguments: list[str]) -> int:
    if arguments not in (["run"], ["dev"]):
        say(__doc__ or "")
        return 2
    system_packages(arguments[0])
    python_packages(arguments[0])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
