"""The check of a model that is on disk: every byte of it is read."""

from __future__ import annotations

from pathlib import Path

from core.errors import ModelError
from core.models.manifest import read_manifest
from core.models.verify import damaged, links_out, note_damaged
from core.worker.download_values import Downloading, Verified, VerifyModel
from core.worker.job import Job
from core.worker.meter import Meter


def verify(job: Job, request: VerifyModel) -> None:
    """Read every byte of a finished folder; what is found stays in its manifest where that can be written."""
    folder = Path(request.folder)
    manifest = read_manifest(folder)
    if manifest is None:
        raise ModelError("store.no_manifest", folder=request.folder)
    total = sum(one.size for one in manifest.files)
    meter = Meter(total)

    def read(count: int) -> None:
        job.check()
        if meter.add(count):
            job.send(
                Downloading(
                    job.number,
                    "checking",
                    manifest.revision,
                    done=meter.done,
                    total=total,
                    speed=meter.speed,
                    left=meter.left,
                )
            )

    bad = damaged(folder, manifest, read)
    note_damaged(folder, bad)
    job.send(Verified(job.number, len(manifest.files), total, bad, links_out(folder)))
