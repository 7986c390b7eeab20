"""The model's worker process: runs requests in two lanes.

Lane "prompt" (tokenizer: milliseconds) runs beside lane "model" (load, generate, convert: seconds), so that
counting a draft's tokens never waits for an answer. A cancel takes effect at once, out of order.
"""

from __future__ import annotations

import queue
import threading
from typing import BinaryIO

from core import errors
from core.worker import protocol
from core.worker.job import Job
from core.worker.process import Process, take_over


class Worker(Process):
    """Dispatches requests to lanes. Services are imported when first needed: torch takes seconds."""

    def __init__(self, requests: BinaryIO, replies: BinaryIO) -> None:
        super().__init__(requests, replies)
        self._prompt: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._model: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._services = Services()

    def run(self) -> None:
        threading.Thread(target=self.read, name="requests", daemon=True).start()
        threading.Thread(target=self._lane, args=(self._prompt,), name="prompt", daemon=True).start()
        self._lane(self._model)  # the main thread: what torch likes best

    def _begin(self, job: Job) -> None:
        light = isinstance(job.request, protocol.OpenTokenizer | protocol.Render)
        (self._prompt if light else self._model).put(job)

    def _lane(self, jobs: queue.SimpleQueue[Job]) -> None:
        while True:
            self._work(jobs.get())

    def _answer(self, job: Job) -> None:
        self._services.run(job)


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
    Worker(*take_over()).run()
    return 0
