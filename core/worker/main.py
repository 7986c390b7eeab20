"""The worker process: reads requests, runs them in two lanes, writes replies.

Lane "prompt" (tokenizer: milliseconds) runs beside lane "model" (load, generate, convert: seconds), so that
counting a draft's tokens never waits for an answer. A cancel takes effect at once, out of order.
"""

from __future__ import annotations

import logging
import os
import queue
import sys
import threading
import traceback
from typing import BinaryIO

import msgspec

from core import errors
from core.errors import LoupeError
from core.worker import protocol
from core.worker.job import Cancelled, Job
from core.worker.protocol import Reply, Request


class Worker:
    """Dispatches requests to lanes. Services are imported when first needed: torch takes seconds."""

    def __init__(self, requests: BinaryIO, replies: BinaryIO) -> None:
        self._requests = requests
        self._replies = replies
        self._lock = threading.Lock()
        self._jobs: dict[int, Job] = {}
        self._prompt: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._model: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._services = Services()

    def run(self) -> None:
        threading.Thread(target=self._read, name="requests", daemon=True).start()
        threading.Thread(target=self._lane, args=(self._prompt,), name="prompt", daemon=True).start()
        self._lane(self._model)  # the main thread: what torch likes best

    def _read(self) -> None:
        """Until the program has gone, with or without a word: then leave at once, whatever runs."""
        try:
            self._read_requests()
        except Exception:
            traceback.print_exc()
            os._exit(
                1
            )  # a request that cannot be read leaves its sender waiting: better to die and be missed
        os._exit(0)

    def _read_requests(self) -> None:
        decoder = msgspec.msgpack.Decoder(Request)
        while (body := protocol.read_frame(self._requests)) is not None:
            request = decoder.decode(body)
            if isinstance(request, protocol.Cancel):
                job = self._jobs.get(request.job)
                if job is not None:
                    job.cancelled.set()
                continue
            job = Job(request, self._send)
            self._jobs[job.number] = job
            light = isinstance(request, protocol.OpenTokenizer | protocol.Render)
            (self._prompt if light else self._model).put(job)

    def _lane(self, jobs: queue.SimpleQueue[Job]) -> None:
        while True:
            job = jobs.get()
            try:
                job.check()
                self._services.run(job)
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


class Services:
    """One instance of each service a process needs; only the model lane touches torch."""

    def __init__(self) -> None:
        from core.worker.prompt_service import PromptService

        self._prompt = PromptService()
        self._model: object | None = None

    def run(self, job: Job) -> None:
        request = job.request
        if isinstance(request, protocol.OpenTokenizer):
            self._prompt.open(job, request)
        elif isinstance(request, protocol.Render):
            self._prompt.render(job, request)
        else:
            self._run_model(job)

    def _run_model(self, job: Job) -> None:
        request = job.request
        try:
            import torch  # noqa: F401
        except ImportError as error:
            raise errors.ModelError("model.no_torch", detail=str(error)) from error
        if isinstance(request, protocol.Convert):
            from core.worker.convert_service import convert

            convert(job, request)
            return
        from core.worker.generate_service import ModelService

        if not isinstance(self._model, ModelService):
            self._model = ModelService()
        if isinstance(request, protocol.LoadModel):
            self._model.load(job, request)
        elif isinstance(request, protocol.UnloadModel):
            self._model.unload(job)
        elif isinstance(request, protocol.Generate):
            self._model.generate(job, request)


def main() -> int:
    """Take over stdin and stdout for the protocol; whatever libraries print goes to stderr."""
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    sys.stdout = sys.stderr
    # what the log dock shows; never a word of a prompt or an answer
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.INFO,
        format="%(asctime)s %(levelname)s %(message)s",
        datefmt="%H:%M:%S",
    )
    Worker(requests, replies).run()
    return 0
