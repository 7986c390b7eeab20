"""What the disk says of the models, read in a thread: which there are, how much room, and what fits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.models.store import StoredModel
from desktop.models.fitting import Place, fit_of_folder, fit_view
from desktop.models.shelf import Entry
from desktop.models.values import Badge, FitView


@dataclass(frozen=True, slots=True)
class Seen:
    """`fits`: by key, of those of which enough is known. `place`: None = nothing was read yet."""

    stored: tuple[StoredModel, ...] = ()
    fits: Mapping[str, FitView] = field(default_factory=dict)
    place: Place | None = None


def fits_of(made: Mapping[str, Entry], place: Place) -> dict[str, FitView]:
    """Whether each fits there. Reads the config and the headers of those on disk."""
    fits: dict[str, FitView] = {}
    for key, entry in made.items():
        if entry.on_disk and entry.stored is not None and not entry.stored.tokenizer_only:
            fits[key] = fit_of_folder(Path(entry.stored.folder), place)
        elif (hub := entry.hub) is not None and hub.config:
            view = fit_view(hub.config, hub.weights, place, download=max(0, hub.bytes - entry.done))
            # a row of a search has a few words of the config: what it lacks there is not what the model lacks
            if hub.whole or view.badge is Badge.TOO_BIG:
                fits[key] = view
    return fits
