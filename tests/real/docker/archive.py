"""Writes the file system of an image as one tar archive, from files of this machine, for `docker import`."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import IO

_LEFT_OUT = {"test", "idlelib", "tkinter", "ensurepip", "site-packages", "dist-packages"}
_LINKED = ("bin", "sbin", "lib", "lib64")  # into usr, as on Debian
_EMPTY = ("proc", "sys", "dev", "root", "srv", "etc", "run", "var/tmp", "vllm-workspace", "models")
_NOT_NEEDED = ("/usr/share/doc/", "/usr/share/man/", "/usr/share/locale/", "/usr/share/info/", "/var/")


class _Pipe:
    """What an archive is written to when it only goes forward."""

    def __init__(self, out: IO[bytes]) -> None:
        self.write = out.write

    def tell(self) -> int:
        return 0


class Archive:
    """A system without packages so far: folders, root's account."""

    def __init__(self, out: IO[bytes]) -> None:
        self._tar = tarfile.open(fileobj=_Pipe(out), mode="w")  # noqa: SIM115 - closed by `close`
        self._out = out
        self._there: set[str] = set()
        self._as_they_are: list[str] = []
        for folder in _EMPTY:
            self._folder(folder)
        self._folder("tmp", 0o1777)
        for name in _LINKED:
            self._folder(f"usr/{name}")
            self.link(name, f"usr/{name}")
        self.text("etc/passwd", "root:x:0:0:root:/root:/bin/sh\n")
        self.text("etc/group", "root:x:0:\n")

    def close(self) -> None:
        """What comes under its own name follows as tar writes it, which is 10 times as fast."""
        command = ["tar", "-c", "-C", "/", "--no-recursion", "--null", "--verbatim-files-from", "-T", "-"]
        self._out.flush()  # the archive goes on: no end is written
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=self._out) as process:
            assert process.stdin is not None
            process.stdin.write(b"".join(os.fsencode(name) + b"\0" for name in self._as_they_are))
        if process.returncode != 0:
            raise subprocess.CalledProcessError(process.returncode, command)

    def _new(self, name: str) -> str:
        """The path inside, "" where there is one already."""
        inside = name.lstrip("/")
        if inside.split("/")[0] in _LINKED and "/" in inside:
            inside = f"usr/{inside}"
        if inside in self._there:
            return ""
        self._there.add(inside)
        return inside

    def _folder(self, name: str, mode: int = 0o755) -> None:
        member = tarfile.TarInfo(name)
        member.type, member.mode = tarfile.DIRTYPE, mode
        self._tar.addfile(member)

    def link(self, name: str, target: str) -> None:
        if inside := self._new(name):
            member = tarfile.TarInfo(inside)
            member.type, member.linkname = tarfile.SYMTYPE, target
            self._tar.addfile(member)

    def text(self, name: str, text: str, mode: int = 0o644) -> None:
        if inside := self._new(name):
            member = tarfile.TarInfo(inside)
            member.size, member.mode = len(text.encode()), mode
            self._tar.addfile(member, io.BytesIO(text.encode()))

    def add(self, path: Path, name: str = "") -> None:
        """A file or a link as it is, or a folder with all that is in it."""
        if path.is_dir() and not path.is_symlink():
            for one in sorted(path.iterdir()):
                self.add(one, f"{name or path}/{one.name}")
        elif inside := self._new(name or str(path)):
            if (_real(Path("/", inside).parent), Path(inside).name) == (_real(path.parent), path.name):
                self._as_they_are.append(inside)
            else:
                self._tar.add(path, inside, recursive=False)

    def shell(self) -> None:
        """Busybox, under all its names."""
        busybox = shutil.which("busybox")
        assert busybox is not None
        self.add(Path(busybox).resolve(), "usr/bin/busybox")
        for name in _lines(busybox, "--list"):
            if name != "busybox":
                self.link(f"usr/bin/{name}", "busybox")

    def python(self) -> None:
        """The interpreter below the environment that runs this, at its own path, with what it links to."""
        python = Path(sys.executable).resolve()
        library = Path(sysconfig.get_path("stdlib"))
        self.add(python)
        self.link("usr/bin/python3", str(python))
        for name in (python.name, "python3"):  # what an environment's own link names
            self.link(str(Path(sys.base_prefix) / "bin" / name), str(python))
        for one in sorted(library.iterdir()):
            if one.name not in _LEFT_OUT and not one.name.startswith("config-"):
                self.add(one)
        self.libraries([python, *(library / "lib-dynload").glob("*.so")])

    def libraries(self, programs: Iterable[Path]) -> None:
        """The shared libraries that these need, under the names they are asked for."""
        for line in _lines("ldd", *map(str, programs)):
            words = line.split()
            path = words[2] if "=>" in words and len(words) > 2 else words[0] if words else ""
            if path.startswith("/") and not path.endswith(":"):
                self.add(Path(path).resolve(), path)

    def packages(self, names: Sequence[str]) -> None:
        """Installed Debian packages and all they depend on, without their documentation."""
        limits = ("recommends", "suggests", "conflicts", "breaks", "replaces", "enhances")
        options = ("--recurse", "--installed", *(f"--no-{one}" for one in limits))
        wanted = [
            line
            for line in _lines("apt-cache", "depends", *options, *names)
            if not line.startswith((" ", "<"))
        ]
        for line in _lines("dpkg-query", "-L", *sorted(set(wanted))):
            path = Path(line)
            if (
                line.startswith("/")
                and not line.startswith(_NOT_NEEDED)
                and (path.is_symlink() or path.is_file())
            ):
                self.add(path)


@cache
def _real(folder: Path) -> Path:
    return folder.resolve()


def _lines(*command: str) -> Iterator[str]:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    yield from done.stdout.splitlines()


def bring(
    fill: Callable[[Archive], None],
    settings: Sequence[str],
    names: Sequence[str],
    environment: dict[str, str] | None = None,
) -> None:
    """Into the engine of `environment`, under each of `names`. Raises CalledProcessError."""
    whole = {**os.environ, **(environment or {})}
    docker = shutil.which("docker", path=whole["PATH"]) or "docker"
    command = [docker, "import", *(word for one in settings for word in ("--change", one)), "-", names[0]]
    process = subprocess.Popen(command, env=whole, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    assert process.stdin is not None
    with process.stdin:
        archive = Archive(process.stdin)
        fill(archive)
        archive.close()
    if process.wait() != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    for name in names[1:]:
        subprocess.run([docker, "tag", names[0], name], check=True, env=whole)
