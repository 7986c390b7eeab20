"""An own Docker Engine for the tests: own data root, socket, network bridge and configuration, below DIR.

    python -m tests.real.docker.engine up DIR [--suite stock] [--compose 2.40.3]
                                              [--stub good] [--runtime nvidia] [--cdi]
    . DIR/env                                 DOCKER_HOST, DOCKER_CONFIG and PATH for docker and Compose
    python -m tests.real.docker.engine down DIR

`--stub`: a hook in the place of NVIDIA's, so that a GPU can be asked for: "good" does nothing, "broken"
fails as a broken driver does; DIR/stub says which, and may be rewritten while the engine runs. `--runtime
nvidia`: the engine lists that runtime. `--cdi`: it hands in a made-up nvidia.com/gpu (not of suite stock), by
DIR/cdi, which may be rewritten as well. `hold DIR …` is `up`, then `down` as soon as its standard input ends:
so an engine goes with the tests that started it, however they end.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.real.docker import packages
from tests.real.docker.machine import addresses, below, free_memory, processes
from tests.real.docker.packages import NotHere

_HOOK = """#!/bin/sh
cat >/dev/null
[ "$(cat "{place}/stub")" = good ] && exit 0
echo "nvidia-container-cli: initialization error: load library failed: libnvidia-ml.so.1: \
cannot open shared object file: no such file or directory: unknown" >&2
exit 1
"""

GPU_NODE, GPU_VARIABLE = "/dev/made-up-gpu", "MADE_UP_GPU=here"
_GPU = {"deviceNodes": [{"path": GPU_NODE, "hostPath": "/dev/null"}], "env": [GPU_VARIABLE]}
_CDI = {
    "cdiVersion": "0.5.0",
    "kind": "nvidia.com/gpu",
    "devices": [{"name": "all", "containerEdits": _GPU}],
}

GIB = 1 << 30


class Engine:
    """One engine below `place`. Programs that use it need `environment`."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.socket = place / "docker.sock"
        self.log = place / "log"

    @property
    def host(self) -> str:
        return f"unix://{self.socket}"

    @property
    def environment(self) -> dict[str, str]:
        return {
            "DOCKER_HOST": self.host,
            "DOCKER_CONFIG": str(self.place / "config"),
            "PATH": f"{self.place / 'bin'}{os.pathsep}{os.environ['PATH']}",
        }

    @property
    def _pool(self) -> str:
        """What its addresses begin with: a /16 of its own."""
        return (self.place / "pool").read_text()

    @property
    def _bridge(self) -> str:
        return f"tl{self._pool.partition('.')[2]}"

    def _choose_pool(self) -> None:
        """Several engines on one machine must not give the same address twice."""
        taken = [address for _, address in addresses()]
        free = [f"10.{number}" for number in range(64, 192)]
        free = [one for one in free if not any(address.startswith(f"{one}.") for address in taken)]
        if not free:
            raise NotHere("no addresses are left")
        (self.place / "pool").write_text(random.choice(free))

    def docker(self, *arguments: str, check: bool = True, seconds: float = 120) -> str:
        """What the docker program says on stdout and stderr. Raises CalledProcessError unless `check` is
        False."""
        environment = {**os.environ, **self.environment}
        program = shutil.which("docker", path=environment["PATH"]) or "docker"
        done = subprocess.run(
            [program, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=seconds,
        )
        if check and done.returncode != 0:
            raise subprocess.CalledProcessError(done.returncode, ["docker", *arguments], done.stdout)
        return done.stdout.strip()

    # --- up --------------------------------------------------------------------------------------------

    def up(
        self,
        *,
        suite: str = "",
        compose: str = packages.COMPOSE,
        stub: str = "",
        runtime: str = "",
        cdi: bool = False,
    ) -> None:
        """Start it: of the newest suite that works, or of `suite`. Raises NotHere."""
        packages.system()
        plugin = packages.compose(compose)
        said: list[str] = []
        for name in (suite,) if suite else packages.NEWEST_FIRST:
            self.down()
            try:
                root = packages.engine(name)
                self._lay_out(root, plugin, stub, runtime, cdi)
                self._start()
                return
            except NotHere as error:
                said.append(f"{name}: {error}")
        self.down()
        raise NotHere("no Docker Engine of the tests' own: " + " · ".join(said))

    def _lay_out(self, root: Path, plugin: Path, stub: str, runtime: str, cdi: bool) -> None:
        programs, plugins = self.place / "bin", self.place / "config" / "cli-plugins"
        for folder in (programs, plugins):
            folder.mkdir(parents=True, exist_ok=True)
        self._choose_pool()
        for one in (*(root / "usr/sbin").iterdir(), *(root / "usr/bin").iterdir()):
            (programs / one.name).symlink_to(one)
        (programs / "docker-init").unlink(missing_ok=True)
        (programs / "docker-init").symlink_to(shutil.which("tini") or "/usr/bin/tini")
        buildx = root / "usr/libexec/docker/cli-plugins/docker-buildx"
        if buildx.exists():
            (plugins / "docker-buildx").symlink_to(buildx)
        (plugins / "docker-compose").symlink_to(plugin)
        (self.place / "config" / "config.json").write_text("{}\n")
        settings: dict[str, object] = {
            "default-address-pools": [{"base": f"{self._pool}.128.0/17", "size": 24}],
        }
        if runtime:
            settings["runtimes"] = {runtime: {"path": "runc"}}
        if stub:
            (self.place / "stub").write_text(stub + "\n")
            hook = programs / "nvidia-container-runtime-hook"
            hook.write_text(_HOOK.format(place=self.place))
            hook.chmod(0o755)
        if cdi:
            (self.place / "cdi").mkdir()
            (self.place / "cdi" / "nvidia.json").write_text(json.dumps(_CDI))
            settings |= {"cdi-spec-dirs": [str(self.place / "cdi")], "features": {"cdi": True}}
        (self.place / "daemon.json").write_text(json.dumps(settings) + "\n")
        lines = [f'export {name}="{value}"\n' for name, value in self.environment.items()]
        (self.place / "env").write_text("".join(lines))

    def _start(self) -> None:
        (self.place / "data").mkdir()
        if free_memory() > 12 * GIB:  # the real image is 3 GB: on a disk, minutes to write and to remove
            packages.run("mount", "-t", "tmpfs", "-o", "size=64g", "tmpfs", str(self.place / "data"))
        packages.run("ip", "link", "add", "name", self._bridge, "type", "bridge")
        packages.run("ip", "addr", "add", f"{self._pool}.0.1/24", "dev", self._bridge)
        packages.run("ip", "link", "set", self._bridge, "up")
        with self.log.open("wb") as log:
            process = subprocess.Popen(
                self._daemon(),
                env={**os.environ, **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._answers(lambda: process.poll() is None)

    def _daemon(self) -> list[str]:
        return [
            str(self.place / "bin" / "dockerd"),
            *("--config-file", str(self.place / "daemon.json")),
            *("--data-root", str(self.place / "data"), "--exec-root", str(self.place / "run")),
            *("--pidfile", str(self.place / "pid"), "--host", self.host, "--bridge", self._bridge),
            # ports of 127.0.0.1 go through the proxy anyway; the machine's own rules stay as they are
            *("--iptables=false", "--ip6tables=false"),
        ]

    def _answers(self, runs: Callable[[], bool]) -> None:
        end = time.monotonic() + 60
        while time.monotonic() < end and runs():
            if self.socket.exists():
                with contextlib.suppress(subprocess.SubprocessError):
                    self.docker("info", seconds=10)
                    return
            threading.Event().wait(0.1)
        raise NotHere(f"dockerd did not start: {self.log.read_text(errors='replace')[-800:]}")

    # --- away ------------------------------------------------------------------------------------------

    @property
    def running(self) -> bool:
        return self._alive() is not None

    def stop(self) -> None:
        """The daemon ends, and its containers with it; all of it stays where it is."""
        pid = self._alive()
        assert pid is not None
        os.kill(pid, signal.SIGTERM)
        self._wait(pid, 120)
        assert not self.running, "dockerd goes on"

    def again(self) -> None:
        """The daemon anew, on what is there; no child of this process. Raises NotHere."""
        with self.log.open("ab") as log:
            subprocess.run(
                ["setsid", "--fork", *self._daemon()],
                env={**os.environ, **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                check=True,
            )
        self._answers(lambda: True)

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """The daemon takes questions and answers none; containers go on."""
        pid = self._alive()
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(pid, signal.SIGCONT)

    # --- down ------------------------------------------------------------------------------------------

    def down(self) -> None:
        """End its containers and itself, and leave nothing: processes, mounts, network devices, files."""
        if self._alive() is not None:
            with contextlib.suppress(subprocess.SubprocessError, OSError):
                if running := self.docker("ps", "-q", seconds=20).split():
                    self.docker("kill", *running, check=False, seconds=30)
                self.docker("network", "prune", "-f", check=False, seconds=20)
        for number in (signal.SIGTERM, signal.SIGKILL):
            if (pid := self._alive()) is not None:
                os.kill(pid, number)
                self._wait(pid, 30)
        # of an engine that was killed: its containers live on below their own parents
        for pid in processes(str(self.place / "run")):
            for one in (*below(pid), pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(one, signal.SIGKILL)
        for line in reversed(Path("/proc/self/mounts").read_text().splitlines()):
            point = line.split(" ")[1]
            if point.startswith(f"{self.place}/"):
                subprocess.run(["umount", "-l", point], stderr=subprocess.DEVNULL)
        self._remove_bridges()
        shutil.rmtree(self.place, ignore_errors=True)

    def _alive(self) -> int | None:
        """The daemon's process, if it is still that."""
        try:
            pid = int((self.place / "pid").read_text())
            said = Path(f"/proc/{pid}/cmdline").read_bytes()
        except (OSError, ValueError):
            return None
        return pid if str(self.place).encode() in said else None

    def _wait(self, pid: int, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and self._alive() == pid:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)  # where it is a child of this process
            threading.Event().wait(0.05)  # it may be no child of this process

    def _remove_bridges(self) -> None:
        if not (self.place / "pool").exists():  # it has made none
            return
        for device, address in addresses():
            if address.startswith(f"{self._pool}.") and device.startswith(("tl", "br-")):
                subprocess.run(["ip", "link", "delete", device], stderr=subprocess.DEVNULL)


@contextlib.contextmanager
def held(place: Path, *options: str) -> Iterator[Engine]:
    """An engine that ends with this process, however it ends. Raises NotHere."""
    for old in place.parent.glob("tl-docker-*/holder"):  # whose holder was killed as well
        if not _holds(old):
            Engine(old.parent).down()
    holder = subprocess.Popen(
        [sys.executable, "-m", "tests.real.docker.engine", "hold", str(place), *options],
        cwd=Path(__file__).parents[3],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl+C must not reach it
    )
    assert holder.stdin is not None and holder.stdout is not None
    try:
        said = holder.stdout.readline().strip()
        if said != "up":
            raise NotHere(said or "the engine's holder died")
        yield Engine(place)
    finally:
        holder.stdin.close()
        holder.wait()  # on a busy disk its files take long to go
        holder.stdout.close()


def _holds(file: Path) -> bool:
    try:
        pid = int(file.read_text())
        return b"tests.real.docker.engine" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except (OSError, ValueError):
        return False


def _hold(engine: Engine, chosen: dict[str, Any]) -> int:
    def end(*_: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, end)
    try:
        engine.up(**chosen)
        (engine.place / "holder").write_text(str(os.getpid()))
        print("up", flush=True)
        sys.stdin.read()
    except NotHere as error:
        print(" ".join(str(error).split()), flush=True)
        return 1
    except KeyboardInterrupt:
        pass
    finally:
        engine.down()
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("command", choices=("up", "down", "hold"))
    parser.add_argument("place", type=Path)
    parser.add_argument("--suite", choices=packages.NEWEST_FIRST, default="")
    parser.add_argument("--compose", default=packages.COMPOSE)
    parser.add_argument("--stub", choices=("good", "broken"), default="")
    parser.add_argument("--runtime", default="")
    parser.add_argument("--cdi", action="store_true")
    options = parser.parse_args()
    engine = Engine(options.place.absolute())
    chosen = {name: getattr(options, name) for name in ("suite", "compose", "stub", "runtime", "cdi")}
    if options.command == "hold":
        return _hold(engine, chosen)
    if options.command == "down":
        engine.down()
        return 0
    begun = time.monotonic()
    try:
        engine.up(**chosen)
    except NotHere as error:
        print(error, file=sys.stderr)
        return 1
    version = engine.docker("version", "-f", "{{.Server.Version}}")
    print(f"Docker Engine {version} in {time.monotonic() - begun:.1f} s: . {engine.place}/env")
    return 0


if __name__ == "__main__":
    sys.exit(main())
