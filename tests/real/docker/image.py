"""Makes the stand-in server's image: this machine's Python and busybox, with the program `vllm` in it.

    python -m tests.real.docker.image NAME …     in the engine of DOCKER_HOST, under each of these names

No registry and no build: one archive that `docker import` reads. About 3 s and 60 MB.
"""

from __future__ import annotations

import importlib.util
import io
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

HERE = Path(__file__).parent
FAKES = HERE.parents[1] / "fakes"
_LEFT_OUT = {"__pycache__", "test", "idlelib", "tkinter", "ensurepip", "site-packages", "dist-packages"}
_PACKAGES = ("jinja2", "markupsafe", "tokenizers")  # of the environment that runs this
_SET = (
    'ENTRYPOINT ["vllm","serve"]',
    "ENV PATH=/usr/local/bin:/usr/bin:/bin",
    "ENV PYTHONDONTWRITEBYTECODE=1",
    "WORKDIR /vllm-workspace",
)


def write(archive: Path) -> None:
    """The whole file system, as a tar archive."""
    library = Path(sysconfig.get_path("stdlib"))
    python = Path(sys.executable).resolve()
    with tarfile.open(archive, "w") as tar:
        for folder in ("proc", "sys", "dev", "root", "srv", "etc", "vllm-workspace", "models"):
            _folder(tar, folder)
        _folder(tar, "tmp", 0o1777)
        _folder(tar, "var/tmp", 0o1777)
        _text(tar, "etc/passwd", "root:x:0:0:root:/root:/bin/sh\n")
        _text(tar, "etc/group", "root:x:0:\n")
        _shell(tar)
        tar.add(python, _inside(python))
        _link(tar, "usr/bin/python3", str(python))
        tar.add(library, _inside(library), filter=_kept)
        for name in _PACKAGES:
            place = importlib.util.find_spec(name)
            assert place is not None and place.origin is not None
            tar.add(Path(place.origin).parent, f"opt/standin/{name}", filter=_kept)
        for name in ("fake_vllm.py", "server_tokenizer.py"):
            tar.add(FAKES / name, f"opt/standin/tests/fakes/{name}")
        for one in (HERE / "standin").iterdir():
            tar.add(one, f"opt/standin/{one.name}", filter=_kept)
        _text(tar, "usr/local/bin/vllm", '#!/bin/sh\nexec python3 /opt/standin/vllm.py "$@"\n', 0o755)
        for file in sorted(set(_needed(python, library))):
            tar.add(file.resolve(), _inside(file))


def _shell(tar: tarfile.TarFile) -> None:
    busybox = shutil.which("busybox")
    assert busybox is not None
    tar.add(Path(busybox).resolve(), "bin/busybox")
    names = subprocess.run([busybox, "--list"], check=True, capture_output=True, text=True).stdout.split()
    for name in names:
        if name != "busybox":
            _link(tar, f"bin/{name}", "busybox")


def _needed(python: Path, library: Path) -> Iterator[Path]:
    """The shared libraries of Python, its modules and the packages."""
    files = [python, *(library / "lib-dynload").glob("*.so")]
    for name in _PACKAGES:
        place = importlib.util.find_spec(name)
        assert place is not None and place.origin is not None
        files += Path(place.origin).parent.glob("*.so")
    said = subprocess.run(["ldd", *map(str, files)], capture_output=True, text=True).stdout
    for line in said.splitlines():
        words = line.split()
        path = words[2] if "=>" in words and len(words) > 2 else words[0] if words else ""
        if path.startswith("/") and not path.endswith(":"):
            yield Path(path)


def _kept(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    parts = Path(member.name).parts
    return None if _LEFT_OUT & set(parts) or any(part.startswith("config-") for part in parts) else member


def _inside(path: Path) -> str:
    return str(path).lstrip("/")


def _folder(tar: tarfile.TarFile, name: str, mode: int = 0o755) -> None:
    member = tarfile.TarInfo(name)
    member.type, member.mode = tarfile.DIRTYPE, mode
    tar.addfile(member)


def _link(tar: tarfile.TarFile, name: str, target: str) -> None:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = tarfile.SYMTYPE, target
    tar.addfile(member)


def _text(tar: tarfile.TarFile, name: str, text: str, mode: int = 0o644) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(text.encode()), mode
    tar.addfile(member, io.BytesIO(text.encode()))


def bring(names: Sequence[str], environment: dict[str, str] | None = None) -> None:
    """Into the engine of `environment`, under each of `names`. Raises CalledProcessError."""
    environment = {**os.environ, **(environment or {})}
    docker = shutil.which("docker", path=environment["PATH"]) or "docker"
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "image.tar"
        write(archive)
        settings = [word for one in _SET for word in ("--change", one)]
        command = [docker, "import", *settings, str(archive), names[0]]
        subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    for name in names[1:]:
        subprocess.run([docker, "tag", names[0], name], check=True, env=environment)


if __name__ == "__main__":
    bring(sys.argv[1:] or ["tokenloupe/standin:test"])
