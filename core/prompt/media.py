"""Attachments: which files can be attached, and how they become what is sent."""

from __future__ import annotations

from pathlib import Path

from core.prompt.base import Attachment
from core.worker import protocol
from core.worker.client import WorkerClient


async def prepare(library: WorkerClient, path: Path, folder: Path, *, name: str = "") -> Attachment:
    """Make `path` ready to be sent and keep that in `folder`. The kind is what the file is, whatever its
    name says: a picture becomes an upright PNG, sound a WAV with one channel, a video stays as it is.

    `name`: shown in place of the file's. Cancelling ends it. Raises PromptError (media.unreadable,
    media.unknown, media.too_large), WorkerLost.
    """
    shown = (name or path.name).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    reply = await library.ask(
        lambda job: protocol.PrepareMedia(job, bytes(path), shown, str(folder)), protocol.MediaReady
    )
    return reply.attachment
