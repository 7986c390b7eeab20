"""The program's side of the worker process: start it, ask it, notice its death.

Plain `subprocess.Popen` with a thread a pipe, which closes it, and one that waits for the end; not asyncio's
child processes: those are missing on some loops and systems. Replies are decoded in the reader thread and
handed to the loop; requests are written by a thread of their own, since a full pipe would hold up the window.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import logging
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import IO, Any, TypeVar
from urllib.request import getproxies

import msgspec

from core import errors
from core.errors import EngineError, LoupeError, WorkerLost
from core.observe import Event
from core.worker import protocol
from core.worker.protocol import Cancel, Failed, Reply, Request

log = logging.getLogger(__name__)
R = TypeVar("R")
STOP_SECONDS = 2.0
READ_SECONDS = 1.0  # for its last words; what it has forked may hold its pipes for longer
SERVER_KEY = "VLLM_API_KEY"
TOKEN_VARIABLES = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")
_LAST_LINES = 8


def worker_command(kind: str = "--worker") -> list[str]:
    """How to start the worker: this interpreter, or this program itself where it is packaged."""
    if runs_python():
        return [sys.executable, "-P", "-m", "core", kind]
    return [sys.executable, kind]


def runs_python() -> bool:
    """False in a packaged app, whose executable is the program itself."""
    return Path(sys.executable).stem.lower().startswith("python")


def worker_environment() -> dict[str, str]:
    """No hub, no spinning OpenMP threads (they make two busy cores slower than one)."""
    return _environment(
        HF_HUB_OFFLINE="1",
        TRANSFORMERS_OFFLINE="1",
        TOKENIZERS_PARALLELISM="false",
        OMP_WAIT_POLICY="PASSIVE",
        GOMP_SPINCOUNT="0",
    )


def library_environment() -> dict[str, str]:
    """The person's own settings of hub and proxy. Tokens are told, never found (see hub_address)."""
    own = _environment(HF_HUB_DISABLE_XET="1", HF_HUB_DISABLE_IMPLICIT_TOKEN="1", **_proxies())
    return {name: value for name, value in own.items() if name not in TOKEN_VARIABLES}


def _proxies() -> dict[str, str]:
    """The system's, all in variables (where one is set the system is not asked for others), and none for this
    computer itself."""
    said = getproxies()
    given = {f"{kind}_proxy": said[kind] for kind in ("http", "https", "all") if said.get(kind)}
    no = said.get("no", "").strip()
    without = no if no == "*" else ",".join(filter(None, (no, "localhost,127.0.0.1,::1")))
    return {**given, "no_proxy": without, "NO_PROXY": without}


def inherited() -> dict[str, str]:
    """What a child process may know of the environment: all but a server's key, which none of them needs."""
    return {name: value for name, value in os.environ.items() if name != SERVER_KEY}


def _environment(**more: str) -> dict[str, str]:
    environment = {**inherited(), **more}
    environment.update(HF_HUB_DISABLE_TELEMETRY="1", PYTHONUNBUFFERED="1", PYTHONIOENCODING="utf-8")
    root = str(Path(__file__).resolve().parent.parent.parent)
    environment["PYTHONPATH"] = os.pathsep.join(p for p in (root, os.environ.get("PYTHONPATH")) if p)
    return environment


class WorkerClient:
    """One worker process, started on first use and again after its death.

    `lines` carries what it writes to stderr, `lost` the error if it ends by itself. Both are emitted on the
    event loop that used it. `close()` ends the process and waits for it; with `idle_seconds` it also ends by
    itself when nothing was asked for so long.
    """

    def __init__(
        self,
        command: list[str] | None = None,
        *,
        environment: Callable[[], dict[str, str]] = worker_environment,
        idle_seconds: float | None = None,
    ) -> None:
        self._command = command or worker_command()
        self._environment = environment
        self._idle_seconds = idle_seconds
        self._idle: asyncio.TimerHandle | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._readers: tuple[threading.Thread, ...] = ()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._jobs: dict[int, asyncio.Queue[Reply | LoupeError]] = {}
        self._next_job = 1
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._last_lines: list[str] = []
        self._closing = False
        self.lines: Event[str] = Event()
        self.lost: Event[WorkerLost] = Event()

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start the process if it is not running. Raises WorkerLost if it cannot be started."""
        if self._process is not None:
            return
        self._loop = asyncio.get_running_loop()
        self._last_lines = []
        try:
            process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=self._environment(),
                bufsize=0,
                start_new_session=True,  # Ctrl+C in a terminal is for the program, which then ends the worker
            )
        except OSError as error:
            raise WorkerLost("worker.start", detail=str(error)) from error
        self._process = process
        self._outbox = queue.SimpleQueue()
        self._readers = (
            self._thread(self._read_replies, process, self._loop),
            self._thread(self._read_lines, process.stderr, self._loop),
        )
        self._thread(self._write_requests, process.stdin, self._outbox)
        self._thread(self._wait, process, self._outbox, self._readers, self._loop)

    @staticmethod
    def _thread(target: Callable[..., None], *args: object) -> threading.Thread:
        thread = threading.Thread(target=target, args=args, name=f"worker{target.__name__}", daemon=True)
        thread.start()
        return thread

    async def ask(
        self,
        make: Callable[[int], Request],
        answer: type[R],
        on_progress: Callable[[protocol.Progress], None] | None = None,
    ) -> R:
        """Send one request and return its final reply. Cancelling the caller cancels the job."""
        async with contextlib.aclosing(self.stream(make)) as replies:
            async for reply in replies:
                if isinstance(reply, answer):
                    return reply
                if isinstance(reply, protocol.Progress) and on_progress is not None:
                    on_progress(reply)
        raise EngineError("internal", detail=f"no {answer.__name__} from the worker")

    async def stream(
        self, make: Callable[[int], Request], *, settle: float = 0.0
    ) -> AsyncGenerator[Any, None]:
        """Send one request and yield every reply; closing the generator early cancels the job, and waits up
        to `settle` seconds until the job has in fact ended.

        Raises the typed error of a `Failed` reply, or WorkerLost.
        """
        self.start()
        self._stay()
        job, self._next_job = self._next_job, self._next_job + 1
        replies: asyncio.Queue[Reply | LoupeError] = asyncio.Queue()
        self._jobs[job] = replies
        finished = False
        try:
            self._send(make(job))
            while not finished:
                reply = await replies.get()
                finished = not isinstance(reply, protocol.PARTIAL)
                if isinstance(reply, LoupeError):
                    raise reply
                if isinstance(reply, Failed):
                    kind = getattr(errors, reply.kind, EngineError)
                    raise kind(reply.code, detail=reply.detail, **reply.params)
                yield reply
        finally:
            try:
                if not finished and self._process is not None:
                    self._send(Cancel(job))
                    await self._settled(replies, settle)
            finally:  # whoever waits for the job's end may be cancelled once more
                self._jobs.pop(job, None)
                self._leave_when_idle()

    @staticmethod
    async def _settled(replies: asyncio.Queue[Reply | LoupeError], seconds: float) -> None:
        if seconds > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    while isinstance(await replies.get(), protocol.PARTIAL):
                        pass

    def _stay(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None

    def _leave_when_idle(self) -> None:
        self._stay()
        waiting = self._jobs or self._closing or self._process is None
        if self._idle_seconds is not None and not waiting:
            self._idle = asyncio.get_running_loop().call_later(self._idle_seconds, self._leave)

    def _leave(self) -> None:
        """The process leaves when its requests end; its waiting thread reaps it."""
        self._idle = None
        self._process = None
        self._outbox.put(None)

    def _send(self, request: Request) -> None:
        """Raises EngineError for what cannot be said to the worker: it must not die of it."""
        try:
            data = protocol.frame(request)
        except (UnicodeEncodeError, OverflowError) as error:
            raise EngineError("worker.unsayable", detail=str(error)) from error
        if len(data) > protocol.MAX_FRAME:
            raise EngineError("worker.too_large", bytes=len(data), limit=protocol.MAX_FRAME)
        self._outbox.put(data)

    @staticmethod
    def _write_requests(stdin: IO[bytes], outbox: queue.SimpleQueue[bytes | None]) -> None:
        # a broken pipe is the worker's death, which the waiting thread tells
        with contextlib.suppress(OSError), stdin as pipe:
            while (data := outbox.get()) is not None:
                pipe.write(data)

    def _read_replies(self, process: subprocess.Popen[bytes], loop: asyncio.AbstractEventLoop) -> None:
        decoder = msgspec.msgpack.Decoder(Reply)
        assert isinstance(process.stdout, io.RawIOBase)
        with io.BufferedReader(process.stdout, 1 << 16) as reader:
            try:
                while (body := protocol.read_frame(reader)) is not None:
                    self._post(loop, self._deliver, decoder.decode(body))
            except (ValueError, msgspec.MsgspecError):
                log.exception("the worker sent something unreadable")
                process.kill()

    def _read_lines(self, stderr: IO[bytes], loop: asyncio.AbstractEventLoop) -> None:
        pending = b""
        with stderr as pipe:
            while chunk := pipe.read(1 << 14):
                *lines, pending = (pending + chunk).split(b"\n")
                if len(pending) > 1 << 16:
                    lines.append(pending)
                    pending = b""
                for line in lines:
                    self._post(loop, self._line, line.decode("utf-8", "replace"))
        if pending:
            self._post(loop, self._line, pending.decode("utf-8", "replace"))

    def _wait(
        self,
        process: subprocess.Popen[bytes],
        outbox: queue.SimpleQueue[bytes | None],
        readers: tuple[threading.Thread, ...],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        """Not by the end of its output: what it has forked may still hold that."""
        process.wait()
        outbox.put(None)
        deadline = time.monotonic() + READ_SECONDS
        for reader in readers:  # its last lines explain the death
            reader.join(max(0.0, deadline - time.monotonic()))
        self._post(loop, self._ended, process)

    @staticmethod
    def _post(loop: asyncio.AbstractEventLoop, function: Callable[[Any], None], value: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is left to tell
            loop.call_soon_threadsafe(function, value)

    def _line(self, line: str) -> None:
        self._last_lines = [*self._last_lines[1 - _LAST_LINES :], line]
        self.lines.emit(line)

    def _deliver(self, reply: Reply) -> None:
        replies = self._jobs.get(reply.job)
        if replies is not None:
            replies.put_nowait(reply)

    def _ended(self, process: subprocess.Popen[bytes]) -> None:
        if process is not self._process:
            return
        self._stay()
        self._process = None
        error = WorkerLost(
            # its routine messages do not explain a death
            detail="\n".join(line for line in self._last_lines if line.strip() and " INFO " not in line),
            reason=exit_reason(process.returncode),
        )
        for replies in self._jobs.values():
            replies.put_nowait(error)
        if not self._closing:
            log.warning("the worker ended by itself: %s", error)
            self.lost.emit(error)

    async def close(self) -> None:
        """End the process: ask, then kill after two seconds. Safe to call twice."""
        self._closing = True
        self._stay()
        try:
            process = self._process
            if process is None:
                return
            self._outbox.put(None)  # the worker leaves when its requests end
            for kill in (None, process.terminate, process.kill):
                if kill is not None:
                    kill()
                if await self._gone(process):
                    break
            self._ended(process)
        finally:
            self._closing = False

    async def kill(self) -> None:
        """End the process at once and wait until it is gone. It starts again when asked."""
        process = self._process
        if process is None:
            return
        self._closing = True
        try:
            process.kill()
            while not await self._gone(process):
                pass
        finally:  # also if the wait is cancelled: its end, which is near, is no surprise
            self._ended(process)
            self._closing = False

    async def _gone(self, process: subprocess.Popen[bytes]) -> bool:
        """Until it has ended and its last words are read; False if it has not ended in a second."""
        readers = self._readers
        if not await _within(STOP_SECONDS / 2, lambda: process.poll() is not None):
            return False
        await _within(READ_SECONDS, lambda: not any(reader.is_alive() for reader in readers))
        return True


async def _within(seconds: float, done: Callable[[], bool]) -> bool:
    deadline = asyncio.get_running_loop().time() + seconds
    while not done():
        if asyncio.get_running_loop().time() > deadline:
            return False
        await asyncio.sleep(0.01)
    return True


def library_worker() -> WorkerClient:
    """The process for the hub and the keyring (core/worker/library.py), beside the model's. Whoever makes it
    closes it; it is there only while it has something to do, and a minute longer.
    """
    return WorkerClient(worker_command("--library"), environment=library_environment, idle_seconds=60)


def download_worker(**settings: str) -> WorkerClient:
    """The process that fetches and checks models (core/worker/download_main.py). `settings`: of its
    environment."""
    return WorkerClient(
        worker_command("--download"), environment=lambda: library_environment() | settings, idle_seconds=10
    )


def exit_reason(code: int | None) -> str:
    """Signal name ("SIGKILL") or "exit 1": plain words for a process's end. None: killed, not yet reaped."""
    if code is None:
        return "SIGKILL"
    if code < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit {code}"
