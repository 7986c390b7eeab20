"""The library process: keyring, hub, files to attach and Docker, slow libraries that need no model.

Each job has a thread of its own: a keyring may wait for its password, a download for a slow network, and
neither may keep the other waiting. Threads that nobody waits for any more end with the process.
"""

from __future__ import annotations

import threading

from core.worker import protocol
from core.worker.job import Job
from core.worker.process import Process, take_over
from core.worker.search_values import LookUpModel, SearchHub


class Library(Process):
    """Services are imported when first needed."""

    def _begin(self, job: Job) -> None:
        threading.Thread(target=self._work, args=(job,), name=f"job {job.number}", daemon=True).start()

    def _answer(self, job: Job) -> None:
        if isinstance(job.request, protocol.FetchFiles):
            from core.worker.hub_service import fetch

            fetch(job, job.request)
        elif isinstance(job.request, SearchHub | LookUpModel):
            from core.worker.search_service import answer as look

            look(job, job.request)
        elif isinstance(job.request, protocol.PrepareMedia):
            from core.worker.media_service import prepare

            prepare(job, job.request)
        elif isinstance(job.request, protocol.RunCommand):
            from core.worker.command_service import run

            run(job, job.request)
        elif isinstance(job.request, protocol.AskDocker | protocol.FollowEvents | protocol.FollowLog):
            from core.worker import docker_service

            docker_service.answer(job)
        else:
            from core.worker.keys_service import answer

            answer(job)


def main() -> int:
    Library(*take_over()).read()
    return 0
