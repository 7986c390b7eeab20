"""What was typed or pasted into the search: a model of the hub, a folder of this computer, or words."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from core.models.search import parse


def model_of(text: str, endpoint: str = "") -> tuple[str, str] | None:
    """Its "org/name" and revision ("" = none was said), None = no whole name stands there."""
    meant = None if folder_of(text) is not None else parse(text, endpoint)
    return meant if meant is not None and "/" in meant[0] else None


def folder_of(text: str) -> Path | None:
    """An absolute path, which may lead nowhere; None = it is none."""
    text = text.strip().strip("\"'")
    if text.startswith("file:"):
        text = url2pathname(urlsplit(text).path)
    path = Path.home() / text[2:] if text.startswith("~/") else Path(text)
    return path if text and path.is_absolute() else None


def is_meant(text: str, *said: str) -> bool:
    """Whether a model of which this is said is among those that are looked for."""
    model = model_of(text)
    whole = " ".join(said).lower()
    return all(word in whole for word in (model[0] if model is not None else text).lower().split())
