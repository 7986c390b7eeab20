"""Which docks stand beside the chat at a window's width, and which come as overlays. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

RIGHT_FROM = 1100  # window width, at zoom 100 %, from which the right dock has room
LEFT_FROM = 901
LEGEND_FROM = 780


class Panel(Enum):
    """The docks, by what they hold."""

    CONVERSATIONS = "conversations"
    SAMPLING = "sampling"
    LOG = "log"


_ROOM: dict[Panel, int] = {Panel.CONVERSATIONS: LEFT_FROM, Panel.SAMPLING: RIGHT_FROM, Panel.LOG: 0}


@dataclass(slots=True)
class Placement:
    """`wanted`: what the person has open where there is room. `overlay`: the one shown over the chat."""

    wanted: dict[Panel, bool] = field(
        default_factory=lambda: {Panel.CONVERSATIONS: True, Panel.SAMPLING: True, Panel.LOG: False}
    )
    width: float = 1280.0
    overlay: Panel | None = None

    def has_room(self, panel: Panel) -> bool:
        return self.width >= _ROOM[panel]

    def docked(self, panel: Panel) -> bool:
        """It stands beside the chat now."""
        return self.wanted[panel] and self.has_room(panel)

    def shown(self, panel: Panel) -> bool:
        return self.docked(panel) or self.overlay is panel

    def resize(self, width: float) -> None:
        """`width` at zoom 100 %. An overlay whose dock has room again becomes that dock."""
        self.width = width
        if self.overlay is not None and self.has_room(self.overlay):
            self.wanted[self.overlay] = True
            self.overlay = None

    def set_shown(self, panel: Panel, on: bool) -> None:
        """The person's wish, by a key or a button."""
        if self.has_room(panel):
            self.wanted[panel] = on
        elif on:
            self.overlay = panel
        elif self.overlay is panel:
            self.overlay = None
