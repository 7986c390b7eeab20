"""One test's corner of an engine: its models folder, its port, its home, and the program's own ways in."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.server.access import LABEL_LAUNCH, PROJECT
from tests.real.docker.engine import Engine

ROOT = Path(__file__).parents[3]
SECONDS = 120.0  # for whatever is waited for; a machine may be slow


def quiet_port() -> int:
    """Below those that the system gives out by itself: until it is bound, minutes may go by."""
    while True:
        port = random.randrange(20_000, 32_768)
        with contextlib.suppress(OSError), socket.socket() as one:
            one.bind(("127.0.0.1", port))
            return port


class Place:
    """`environment`: of programs that are to meet this engine, home and models folder."""

    def __init__(self, engine: Engine, home: Path, built_in: Path) -> None:
        self.engine = engine
        self.home = home
        self.models = home / "data" / "models"
        self.models.mkdir(parents=True)
        self.port = quiet_port()
        self._built_in = built_in
        self.environment = {
            **engine.environment,
            "TOKENLOUPE_HOME": str(home),
            "TOKENLOUPE_MODELS": str(self.models),
            "VLLM_PORT": str(self.port),
        }

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def model(self, name: str, /, **scenario: Any) -> Path:
        """A folder with the built-in model's files; the stand-in server plays `scenario` with it. `logs`:
        file name → text, put beside."""
        folder = self.models / name
        folder.mkdir(parents=True, exist_ok=True)
        for one in self._built_in.iterdir():
            goal = folder / one.name
            if one.is_file() and not goal.exists():
                try:
                    os.link(one, goal)
                except OSError:  # another file system
                    shutil.copy(one, goal)
        for file, text in scenario.pop("logs", {}).items():
            (folder / file).write_text(text, encoding="utf-8")
        (folder / "standin.json").write_text(json.dumps(scenario))
        return folder

    def run(
        self, *command: str, seconds: float = 300, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Any program, in the project's folder; never raises for its exit code."""
        return subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, **self.environment, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
        )

    def compose(
        self, *arguments: str, gpu: bool = False, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        files = ["compose/compose.yaml", *(["compose/compose.gpu.yaml"] if gpu else [])]
        named = [word for file in files for word in ("-f", file)]
        return self.run(self.program("docker"), "compose", *named, *arguments, **environment)

    def program(self, name: str) -> str:
        found = shutil.which(name, path=self.environment["PATH"])
        assert found is not None, name
        return found

    def tokenloupe(
        self, *arguments: str, seconds: float = 300, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        return self.run(sys.executable, "-m", "core", *arguments, seconds=seconds, **environment)

    # --- what is there ---------------------------------------------------------------------------------

    def ours(self) -> list[str]:
        """Ids of the containers that are the program's, running or not."""
        return self.engine.docker("ps", "-aq", "--no-trunc", "--filter", f"label={LABEL_LAUNCH}").split()

    def inspect(self, container: str = "") -> dict[str, Any]:
        """The one container of ours, or the one named."""
        one = container or self.ours()[0]
        found: list[dict[str, Any]] = json.loads(self.engine.docker("inspect", one))
        return found[0]

    def log(self, container: str = "") -> str:
        return self.engine.docker("logs", container or self.ours()[0])

    def get(self, path: str, key: str = "") -> tuple[int, str]:
        """(status, body); status 0 where nothing answers."""
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        request = urllib.request.Request(self.address + path, headers=headers)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=10) as reply:
                return reply.status, reply.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()
        except OSError:
            return 0, ""

    def listeners(self) -> set[str]:
        """The addresses of this machine on which something listens at our port."""
        found = set()
        for file in ("/proc/net/tcp", "/proc/net/tcp6"):
            for line in Path(file).read_text().splitlines()[1:]:
                local, state = line.split()[1], line.split()[3]
                address, _, port = local.partition(":")
                if state == "0A" and int(port, 16) == self.port:
                    short = len(address) == 8
                    found.add(socket.inet_ntoa(bytes.fromhex(address)[::-1]) if short else address)
        return found

    @staticmethod
    def until(true: Callable[[], Any], what: str) -> None:
        """Wait for something outside this process, of which nothing tells."""
        end = time.monotonic() + SECONDS
        while not true():
            assert time.monotonic() < end, f"not in {SECONDS:.0f} s: {what}"
            threading.Event().wait(0.05)

    def answers(self) -> None:
        self.until(lambda: self.get("/health")[0] == 200, "the server answers")

    def clean(self) -> None:
        """Whatever a test has left, failed or not."""
        with contextlib.suppress(subprocess.SubprocessError):
            if left := self.engine.docker("ps", "-aq").split():
                self.engine.docker("rm", "-f", "-v", *left, check=False)
            self.engine.docker("network", "prune", "-f", check=False)
            volumes = self.engine.docker("volume", "ls", "-q", "--filter", f"name={PROJECT}").split()
            if volumes:
                self.engine.docker("volume", "rm", "-f", *volumes, check=False)
