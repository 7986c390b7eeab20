"""What the window shows of the server of ours in the centre: one page at a time, and two lines above the
composer."""

from __future__ import annotations

from typing import Final, Protocol

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from core.server.state import ServerState
from desktop.kit.theme import Theme
from desktop.server.diagnosis import DiagnosisCard
from desktop.server.first_run import WIDTH as FIRST_RUN_WIDTH
from desktop.server.first_run import FirstRun
from desktop.server.parts import Page
from desktop.server.run_words import ServerText
from desktop.server.sheets import FoundBanner
from desktop.server.stopped import StoppedBar
from desktop.server.timeline import Timeline

_WIDTH: Final = 952  # px of timeline and card at zoom 100 %


class LaunchWindow(Protocol):
    """What the server of ours needs of the window around it."""

    def set_server(
        self, state: ServerState | None, text: ServerText | None, *, wanted: bool, model: str
    ) -> None:
        """None: another engine is in use. `model`: its name."""
        ...

    def show_server_page(self, name: str) -> None:
        """ "timeline", "card" or "first_run" in place of the chat, "" = the chat."""
        ...


class ServerPages(QObject):
    """`pages` stand in place of the chat, by name; `bars` above the composer."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.timeline, self.card, self.first_run = Timeline(), DiagnosisCard(), FirstRun()
        self.stopped, self.found = StoppedBar(parent), FoundBanner(parent)
        self.pages: dict[str, Page] = {
            "timeline": Page(self.timeline, _WIDTH, parent, self.timeline.running_part),
            "card": Page(self.card, _WIDTH, parent),
            "first_run": Page(self.first_run, FIRST_RUN_WIDTH, parent),
        }
        self.timeline.stepped.connect(self.pages["timeline"].look)
        self.bars: tuple[QWidget, ...] = (self.found, self.stopped)

    def stops(self) -> tuple[QWidget, ...]:
        """In the order of the Tab key; where the card's ways out come and go it puts them in itself."""
        found = self.found
        return (
            self.timeline.steps,
            *self.card.stops(),
            *(found.stop, found.join, found.clean),
            self.stopped.start,
        )

    def set_theme(self, theme: Theme) -> None:
        for page in self.pages.values():
            page.set_theme(theme)
        self.found.set_theme(theme)
        self.stopped.set_theme(theme)
