"""What is made anew for a picture of the picker: all of it, or what a download has moved."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from core.models.orders import DownloadState
from core.models.store import OnDisk, StoredModel
from desktop.models import picture
from desktop.models.picture import Picture
from desktop.models.shelf import entries

MOVING = DownloadState("org/new", "main", phase="fetching", commit="1" * 40, done=1, total=9)
HERE = tuple(
    StoredModel(f"org/m{at}", f"org/m{at}", "2" * 40, f"/m/{at}", OnDisk.READY, 5, 5) for at in range(50)
)


def test_a_step_of_a_download_makes_its_row_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Picture(lambda model: f"https://hub.example/{model}")
    rows = {row.key: row for row in made.whole(entries(HERE, (MOVING,), (), {}, ""), {}, "")}
    assert len(rows) > 50 and rows["org/new"].done == 1
    asked: list[str] = []
    row_of = picture.row_of
    monkeypatch.setattr(picture, "row_of", lambda *said: asked.append(said[0].key) or row_of(*said))
    assert made.moved((MOVING,), {}) == {} and asked == []
    further = msgspec.structs.replace(MOVING, done=2)
    assert made.moved((further,), {}) == {"org/new": replace(rows["org/new"], done=2)}
    assert asked == ["org/new"] and made.made["org/new"].download == further


def test_what_the_search_hides_does_not_come_back_by_moving() -> None:
    made = Picture(lambda model: model)
    assert [row.key for row in made.whole(entries(HERE, (MOVING,), (), {}, ""), {}, "m7")] == ["org/m7"]
    assert made.moved((msgspec.structs.replace(MOVING, done=2),), {}) == {}
