"""The command service: runs one program, tells its lines, and leaves nothing of it behind.

A command has a process group of its own. It ends with the job, and with this process: a guard, a shell that
waits at a pipe of ours, notices even a SIGKILL. Neither the values of the environment nor the arguments are
ever logged.
"""

from __future__ import annotations

import codecs
import contextlib
import logging
import os
import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from core.errors import DockerError
from core.worker.batches import Batches
from core.worker.job import Job
from core.worker.protocol import CommandEnded, Output, RunCommand

log = logging.getLogger(__name__)
KEPT = 64 * 1024  # characters of each stream that are told at the end
LONGEST = 64 * 1024  # characters of one line; what is longer comes in several
GRACE = 1.5  # seconds between asking a group to end and killing it
_ENDS = re.compile(r"\r\n|\n|\r(?!\Z)")  # a carriage return at the very end may be half of a line end
_GUARD = 'read -r _ || { kill -TERM "-$0"; sleep 1; kill -KILL "-$0"; } 2>/dev/null'


def run(job: Job, request: RunCommand) -> None:
    """Run it to its end. Raises DockerError: docker.missing, docker.slow; Cancelled after it was reaped."""
    with Batches[tuple[bool, str]](
        lambda lines: job.send(Output(job.number, lines)), lambda line: len(line[1])
    ) as batches:
        readers = [
            _Reader(lambda text: batches.add((False, text))),
            _Reader(lambda text: batches.add((True, text))),
        ]
        with started(request.argv, request.environment) as group, job.ended_by(group.end):
            threads = [
                threading.Thread(target=reader.read, args=(pipe,), name="pipe", daemon=True)
                for reader, pipe in zip(readers, (group.process.stdout, group.process.stderr), strict=True)
            ]
            for thread in threads:
                thread.start()
            in_time = group.wait(request.limit)
            for thread in threads:
                thread.join(GRACE)  # something it started may keep the pipe open
        for thread in threads:
            thread.join(GRACE)
    job.check()
    if not in_time:
        # no arguments: the name and the word after it say enough, and hold no secret
        program, *words = map(os.fsdecode, request.argv[:2])
        name = " ".join([Path(program).name, *words])
        raise DockerError("docker.slow", command=name, seconds=round(request.limit))
    job.send(CommandEnded(job.number, group.process.returncode, readers[0].tail, readers[1].tail))


class _Reader:
    """Bytes of a pipe → lines; \\n, \\r\\n and a lone \\r end one. Broken UTF-8 becomes U+FFFD."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._pending = ""
        self.tail = ""

    def read(self, pipe: IO[bytes] | None) -> None:
        assert pipe is not None
        with contextlib.suppress(OSError, ValueError):  # closed by its owner
            while chunk := os.read(pipe.fileno(), 1 << 16):
                self._add(self._decoder.decode(chunk))
        self._add(self._decoder.decode(b"", final=True))
        if self._pending:
            self._tell(self._pending.rstrip("\r"))
            self._pending = ""

    def _add(self, text: str) -> None:
        self.tail = (self.tail + text)[-KEPT:]
        *lines, self._pending = _ENDS.split(self._pending + text)
        while len(self._pending) > LONGEST:
            lines.append(self._pending[:LONGEST])
            self._pending = self._pending[LONGEST:]
        for line in lines:
            self._tell(line)


class Group:
    """A running command with all that it starts."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._guard = _guard(process.pid)
        self._ending: threading.Timer | None = None

    def wait(self, limit: float = 0.0) -> bool:
        """Until it has ended; False if `limit` seconds (0 = none) were not enough, and it was ended."""
        try:
            self.process.wait(limit or None)
        except subprocess.TimeoutExpired:
            self.end()
            self.process.wait()
            return False
        return True

    def said(self) -> str:
        """What it has written to stderr, without waiting: something that goes on may hold the pipe open."""
        pipe = self.process.stderr
        if pipe is None:
            return ""
        with contextlib.suppress(OSError):
            os.set_blocking(pipe.fileno(), False)
            return (pipe.read(1 << 16) or b"").decode("utf-8", "replace").strip()
        return ""

    def end(self) -> None:
        """Ask it to end, and kill it soon after; returns at once, from any thread."""
        if self._ending is None:
            self._ending = threading.Timer(GRACE, self.kill)
            self._ending.daemon = True
            self._ending.start()
            self._signal("SIGTERM")

    def kill(self) -> None:
        self._signal("SIGKILL")

    def _signal(self, name: str) -> None:
        if os.name == "nt":
            # a group there is only for Ctrl+Break: the tree is ended by the system's own tool
            with contextlib.suppress(OSError, subprocess.SubprocessError):
                subprocess.run(
                    ["taskkill", "/T", "/F", "/PID", str(self.process.pid)],
                    capture_output=True,
                    timeout=GRACE,
                )
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.Signals[name])

    def close(self) -> None:
        """Reap it; what is left of its group is killed."""
        if self.process.poll() is None:
            self.end()
            self.process.wait()
        if self._ending is not None:
            self._ending.cancel()
        self.kill()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        if self._guard is not None:
            with contextlib.suppress(OSError):
                self._guard.communicate(b"\n")  # it has read a word: all is well: it leaves without a signal


@contextlib.contextmanager
def started(
    argv: Sequence[bytes],
    environment: Mapping[bytes, bytes],
    *,
    stdin: int = subprocess.DEVNULL,
    stdout: int = subprocess.PIPE,
) -> Iterator[Group]:
    """The running Group, ended and reaped at the exit. Raises DockerError: docker.missing, docker.failed."""
    try:
        process = subprocess.Popen(
            [os.fsdecode(word) for word in argv],
            env={os.fsdecode(name): os.fsdecode(value) for name, value in environment.items()},
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except FileNotFoundError as error:
        raise DockerError("docker.missing", places=os.fsdecode(argv[0])) from error
    except (OSError, ValueError) as error:  # no right to run it, not of this system, a NUL in a value
        raise DockerError("docker.failed", detail=str(error)) from error
    group = Group(process)
    try:
        yield group
    finally:
        group.close()


def _guard(group: int) -> subprocess.Popen[bytes] | None:
    """A shell that ends the group when this process is gone, however it went."""
    shell = shutil.which("sh", path="/bin:/usr/bin") if os.name != "nt" else None
    if shell is None:
        return None
    try:
        return subprocess.Popen(
            [shell, "-c", _GUARD, str(group)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={"PATH": "/bin:/usr/bin"},
        )
    except OSError as error:  # no more processes: the command, which runs, must not be forgotten for that
        log.warning("a command runs without its guard: %s", error)
        return None
