"""Starts and ends a real `vllm serve` of the tests' environment: in its own session, always killed."""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import signal
import socket
import subprocess
import threading
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import psutil

from tests.real.vllm.environment import folder

READY = "Application startup complete."
START_SECONDS = 600  # a cold compile cache on a busy machine


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class RealServer:
    """One running server; `log` is all it has said."""

    def __init__(self, command: Sequence[str], model: Path, port: int) -> None:
        self.port = port or free_port()
        self.model = model
        self.log: list[str] = []
        self._ready, self._ended = threading.Event(), threading.Event()
        place = folder()
        caches = place / "caches"
        self._process = subprocess.Popen(
            [
                *(str(place / "bin" / "vllm"), *command),
                *("--host", "127.0.0.1", "--port", str(self.port), "--served-model-name", "tiny"),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            env={
                **os.environ,
                "HF_HUB_OFFLINE": "1",
                "VLLM_NO_USAGE_STATS": "1",
                "VLLM_CPU_KVCACHE_SPACE": "1",
                "VLLM_CACHE_ROOT": str(caches / "vllm"),
                "TORCHINDUCTOR_CACHE_DIR": str(caches / "inductor"),
                "HF_HOME": str(caches / "hf"),
            },
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.log.append(line)
            if READY in line:
                self._ready.set()
        self._ended.set()
        self._ready.set()

    def wait(self) -> None:
        faulthandler.cancel_dump_traceback_later()  # pytest's own limit is shorter than a slow start
        came = self._ready.wait(START_SECONDS)
        said = "".join(self.log[-40:])
        assert came, f"the server was not ready in {START_SECONDS} s:\n{said}"
        # it says so a moment before the port answers
        while not self._answers():
            assert not self._ended.wait(0.05), f"the server ended while starting:\n{said}"

    def _answers(self) -> bool:
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", self.port)) == 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def exit_code(self) -> int:
        """Of a server that ends by itself."""
        return self._process.wait(120)

    def end_engine(self) -> None:
        """The process that computes, and nothing else."""
        (engine,) = (
            one
            for one in psutil.Process(self._process.pid).children(recursive=True)
            if "EngineCore" in " ".join(one.cmdline())
        )
        engine.kill()

    def crash(self) -> None:
        """All its processes at once, without a last word."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def kill(self) -> None:
        """SIGTERM, then SIGKILL for the whole session: its workers must not outlive it."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(20)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._reader.join()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def post(self, path: str, body: dict[str, Any], key: str = "") -> dict[str, Any]:
        """A plain request of our own, to hold the engine against."""
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
        request = urllib.request.Request(self.address + path, json.dumps(body).encode(), headers)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request) as response:
            value: dict[str, Any] = json.load(response)
            return value


@contextlib.contextmanager
def serving(model: Path, *flags: str, context: int = 1024, port: int = 0) -> Iterator[RealServer]:
    own = ("--max-model-len", str(context), "--max-num-seqs", "4", "--enforce-eager")
    with _running(["serve", str(model), *own, *flags], model, port) as server:
        yield server


@contextlib.contextmanager
def rendering(model: Path, *flags: str) -> Iterator[RealServer]:
    """vLLM without an engine: what it makes of messages, for which a model needs no weights."""
    with _running(["launch", "render", str(model), *flags], model, 0) as server:
        yield server


@contextlib.contextmanager
def _running(command: Sequence[str], model: Path, port: int) -> Iterator[RealServer]:
    server = RealServer(command, model, port)
    try:
        server.wait()
        yield server
    finally:
        server.kill()
