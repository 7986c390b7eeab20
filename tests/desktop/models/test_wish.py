"""One click on a model that is not here: how far it is, when it is there, and when nothing comes of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from core.errors import LoupeError, ModelError
from core.models.orders import DownloadState, Phase
from desktop.models.wish import Coming, Wishes

ONE, TWO = "1" * 40, "2" * 40


class Made:
    def __init__(self) -> None:
        self.owner = QObject()
        self.downloads: Any = SimpleNamespace(states=())
        self.wishes = Wishes(self.owner, self.downloads)
        self.shown: list[Coming | None] = []
        self.arrived: list[tuple[str, str]] = []
        self.failed: list[LoupeError] = []
        self.wishes.changed.connect(self.shown.append)
        self.wishes.arrived.connect(lambda *one: self.arrived.append(one))
        self.wishes.failed.connect(self.failed.append)

    def move(self, *states: DownloadState) -> None:
        self.downloads.states = states
        self.wishes.look()


@pytest.fixture
def made(qtbot: QtBot) -> Made:
    return Made()


def state(phase: Phase = "fetching", **more: Any) -> DownloadState:
    return DownloadState("org/name", ONE, **{"phase": phase, "commit": ONE, **more})


def want(made: Made) -> None:
    made.downloads.states = (state("queued"),)
    made.wishes.want("org/name", ONE, "Name", "cpu")


def test_it_is_told_how_far_it_is_and_started_once_when_it_is_there(made: Made) -> None:
    want(made)
    assert made.wishes.is_for("org/name", ONE) and made.wishes.model == f"org/name@{ONE}"
    made.move(state(done=25, total=100, left=9.0))
    made.move(state("checking", done=100, total=100))
    made.move(state("ready", folder="/models/name"))
    made.move(state("ready", folder="/models/name"))
    assert made.arrived == [("/models/name", "cpu")]
    assert made.shown == [
        Coming("Name"),
        Coming("Name", 0.25, 9.0),
        Coming("Name", 1.0, None, checking=True),
        None,
    ]


@pytest.mark.parametrize("phase", ["paused", "failed"])
def test_who_pauses_it_does_not_want_it_started_later(made: Made, phase: Phase) -> None:
    want(made)
    error = ModelError("hub.server", repo="org/name", status=503) if phase == "failed" else None
    made.move(state(phase, error=error))
    made.move(state("ready", folder="/models/name"))
    assert made.arrived == [] and made.shown[-1] is None
    assert made.failed == ([error] if error else [])


def test_a_download_that_is_gone_takes_the_wish_with_it(made: Made) -> None:
    want(made)
    made.move()
    assert made.wishes.model == "" and made.shown[-1] is None and made.failed == []


def test_the_last_wish_holds_and_other_downloads_are_not_meant(made: Made) -> None:
    want(made)
    made.downloads.states = (state(), DownloadState("org/other", TWO, phase="fetching", commit=TWO))
    made.wishes.want("org/other", TWO, "Other", "local")
    made.move(
        state("ready", folder="/models/name"),
        DownloadState("org/other", ONE, phase="ready", commit=ONE, folder="/models/another-commit"),
        DownloadState(
            "org/other", TWO, tokenizer_only=True, phase="ready", commit=TWO, folder="/models/small"
        ),
        DownloadState("org/other", TWO, phase="fetching", commit=TWO),
    )
    assert made.arrived == [] and made.wishes.is_for("org/other", TWO)
    made.wishes.drop()
    made.move(DownloadState("org/other", TWO, phase="ready", commit=TWO, folder="/models/other"))
    assert made.arrived == []
