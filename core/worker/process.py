"""What every child process does: reads requests, runs them as jobs, replies, and leaves with its parent."""

from __future__ import annotations

import logging
import os
import sys
import threading
import traceback
from abc import ABC, abstractmethod
from typing import BinaryIO

import msgspec

from core import errors
from core.errors import LoupeError
from core.worker import protocol
from core.worker.job import Cancelled, Job
from core.worker.protocol import Reply, Request


class Process(ABC):
    """A subclass says in which thread a job runs (`_begin`) and what answers it (`_answer`)."""

    def __init__(self, requests: BinaryIO, replies: BinaryIO) -> None:
        self._requests = requests
        self._replies = replies
        self._lock = threading.Lock()
        self._jobs: dict[int, Job] = {}

    @abstractmethod
    def _begin(self, job: Job) -> None:
        """Have `_work(job)` called in some other thread than this one."""

    @abstractmethod
    def _answer(self, job: Job) -> None:
        """Do what the request asks and send the replies. Raises LoupeError."""

    def read(self) -> None:
        """Until the program has gone, with or without a word: then leave at once, whatever runs."""
        try:
            self._read_requests()
        except Exception:
            traceback.print_exc()
            os._exit(
                1
            )  # a request that cannot be read leaves its sender waiting: better to die and be missed
        for job in list(self._jobs.values()):
            job.cancel()  # what it started ends too
        os._exit(0)

    def _read_requests(self) -> None:
        decoder = msgspec.msgpack.Decoder(Request)
        while (body := protocol.read_frame(self._requests)) is not None:
            request = decoder.decode(body)
            if isinstance(request, protocol.Cancel):
                job = self._jobs.get(request.job)
                if job is not None:
                    job.cancel()
                continue
            job = Job(request, self._send)
            self._jobs[job.number] = job
            self._begin(job)

    def _work(self, job: Job) -> None:
        try:
            job.check()
            self._answer(job)
        except Cancelled:
            self._fail(job, errors.EngineError("engine.cancelled"))
        except LoupeError as error:
            self._fail(job, error)
        except MemoryError:
            self._fail(job, errors.EngineError("engine.out_of_memory"))
        except Exception as error:
            traceback.print_exc()
            self._fail(job, errors.EngineError(detail=f"{type(error).__name__}: {error}"))
        finally:
            self._jobs.pop(job.number, None)

    def _fail(self, job: Job, error: LoupeError) -> None:
        params = {k: v if isinstance(v, int | float) else str(v) for k, v in error.params.items()}
        self._send(protocol.Failed(job.number, type(error).__name__, error.code, error.detail, params))

    def _send(self, reply: Reply) -> None:
        data = protocol.frame(reply)
        with self._lock:
            self._replies.write(data)
            self._replies.flush()


def take_over() -> tuple[BinaryIO, BinaryIO]:
    """stdin and stdout for the protocol; whatever libraries print goes to stderr."""
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    sys.stdout = sys.stderr
    # what the log dock shows; never a word of a prompt or an answer, and no key
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.INFO,
        format="%(asctime)s %(levelname)s %(message)s",
        datefmt="%H:%M:%S",
    )
    return requests, replies
