"""What a model's card says of it, or its tags where it says nothing."""

from __future__ import annotations

from typing import Any


def licence_of(card: Any, tags: object) -> str:
    """Its short name, "" = none is told. `card`: as the hub gives it, read by `get`."""
    licence = card.get("license")
    words = [tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []
    if not isinstance(licence, str):
        licence = next((tag.removeprefix("license:") for tag in words if tag.startswith("license:")), "")
    if licence == "other" and isinstance(card.get("license_name"), str):
        return str(card.get("license_name"))
    return licence


def languages_of(card: Any) -> tuple[str, ...]:
    said = card.get("language")
    if isinstance(said, str):
        return (said,)
    return tuple(one for one in said if isinstance(one, str)) if isinstance(said, list) else ()
