"""The download process: models of the hub, and the check of those on disk. It may be killed at any moment.

Each job has a thread of its own, as in the library process; this one is apart, so that a cancel can end it.
"""

from __future__ import annotations

import threading

from core.worker.download_values import Download, VerifyModel
from core.worker.job import Job
from core.worker.process import Process, take_over


class Downloader(Process):
    def _begin(self, job: Job) -> None:
        threading.Thread(target=self._work, args=(job,), name=f"job {job.number}", daemon=True).start()

    def _answer(self, job: Job) -> None:
        from core.worker import download_service, verify_service

        if isinstance(job.request, Download):
            download_service.download(job, job.request)
        elif isinstance(job.request, VerifyModel):
            verify_service.verify(job, job.request)


def main() -> int:
    Downloader(*take_over()).read()
    return 0
