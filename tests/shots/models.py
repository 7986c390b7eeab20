"""The scenes of the model picker: its list, its details in every state, its errors, from values made up here.

The panel lies over the real window, below the button of the model.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QPoint

from desktop.models.picker import ModelPicker
from desktop.models.values import Badge, CheckView, FileRow, FitView, ModelDetail, State, Trouble
from tests.desktop.models import models as m
from tests.shots.stage import ALL, BOTH, LIGHT, Stage

ANCHOR: Final = QPoint(52, 49)
DRAFTER: Final = "Gemma 4 E2B"


def details() -> dict[str, tuple[ModelDetail, tuple[str, ...]]]:
    """What the details show, and in which themes."""
    damaged = (replace(m.FILES[0], state="damaged"), *m.FILES[1:])
    tight = replace(m.FIT, badge=Badge.TIGHT, room=round(12.9 * m.GIB), reason="memory", largest=41_216)
    still = {
        "disk_needed": round(10.25 * m.GB),
        "disk_free": 212 * m.GB,
        "image": None,
        "image_free": 40 * m.GB,
    }
    unknown = replace(m.FIT, badge=Badge.UNKNOWN, room=None, reason="room", detail="absent", largest=None)
    too_little = (
        "1.2 GB of disk is left; 4.1 GB must be free to go on. It goes on by itself when there is room."
    )
    return {
        "absent": (m.detail(State.ABSENT, fit=replace(m.CPU_FIT, **still)), ALL),
        "no-smi": (m.detail(State.ABSENT, fit=unknown), LIGHT),
        "tight": (m.detail(State.ABSENT, fit=tight), LIGHT),
        "unknown": (m.detail(State.ABSENT, fit=FitView(Badge.UNKNOWN, reason="weights")), LIGHT),
        "gated": (m.detail(State.GATED, gated=True, page="https://huggingface.co/" + m.GEMMA), BOTH),
        "unsupported": (
            m.detail(State.ABSENT, why="Token Loupe knows no chat template for this family: falcon_h1."),
            LIGHT,
        ),
        "no-room": (m.detail(State.PAUSED, trouble=too_little), BOTH),
        "stalled": (m.detail(State.STALLED, retry=(2, 8), speed=0.0, left=None), LIGHT),
        "verifying": (
            m.detail(State.VERIFYING, files=m.DONE, done=m.DETAIL.total, checked=(3, 9), start_after=True),
            LIGHT,
        ),
        "damaged": (m.detail(State.DAMAGED, files=damaged, frees=round(10.25 * m.GB)), ALL),
        "ready": (
            m.detail(
                State.READY,
                frees=round(10.25 * m.GB),
                also_used_by=(DRAFTER, "Qwen3.5 0.8B"),
                check=CheckView("good"),
            ),
            BOTH,
        ),
        "check": (
            m.detail(State.READY, check=CheckView("runs", round(3.2 * m.GB), round(10.25 * m.GB))),
            BOTH,
        ),
        "elsewhere": (m.detail(State.FETCHING, elsewhere=True, speed=0.0, left=None), LIGHT),
        "foreign": (
            m.detail(
                State.FOREIGN,
                folder="/home/ana/models/玉山 7B",
                listed=True,
                doubt="Models of the type falcon_h1 are not supported yet.",
            ),
            LIGHT,
        ),
        "files": (
            m.detail(
                State.FETCHING,
                files=tuple(
                    FileRow(f"model-{at:05}-of-00030-with-a-long-name.safetensors", m.GB) for at in range(30)
                ),
            ),
            LIGHT,
        ),
    }


class Models(Stage):
    """Pictures over the window; nothing of the program's own state is changed but its theme."""

    SCENES: Final = ("picker",)

    def _made(self) -> ModelPicker:
        made = ModelPicker(self.window)
        self.app.appearance.changed.connect(made.set_theme)
        made.set_theme(self.app.appearance.theme)
        made.change(machine=m.MACHINE)
        made.change(speed=84e6)
        made.change(rows=m.ROWS)
        made.select(m.GEMMA)
        made.set_detail(m.DETAIL)
        made.open_at(ANCHOR)
        return made

    async def picker(self) -> None:
        self.window.resize(1280, 800)
        made = self._made()
        await self.shoot("picker", ALL)
        for name, (detail, themes) in details().items():
            made.set_detail(detail)
            await self.shoot(f"picker-{name}", themes)
        made.set_detail(m.DETAIL)
        made.change(rows=m.STATES)
        made.list.select(m.NO_ROOM.key)
        made.list.setFocus()
        await self.shoot("picker-states", ALL)
        await self._hub(made)
        made.change(trouble=None)
        for width, height in ((900, 700), (720, 520)):
            self.window.resize(width, height)
            made.change(rows=m.ROWS)
            made.select(m.GEMMA)
            made.set_detail(m.DETAIL)
            await self.shoot(f"picker-narrow-{width}", BOTH)
        made.list.acted.emit("", m.GEMMA)
        await self.shoot("picker-narrow-detail", BOTH)
        made.close_picker()
        self.app.appearance.changed.disconnect(made.set_theme)
        made.deleteLater()
        self.window.resize(1280, 800)
        await self.settle()

    async def _hub(self, made: ModelPicker) -> None:
        made.search.setText("smol")
        made.change(rows=(m.HIT, *m.many(40)))
        made.change(busy=True)
        await self.shoot("picker-found", LIGHT)
        made.change(busy=False)
        trouble = Trouble(
            "The hub answers too many requests from this address with a pause of 5 minutes.",
            "A key of your own account has its own allowance.",
            "Enter a key",
            "hub.rate",
        )
        made.change(trouble=trouble)
        await self.shoot("picker-trouble", ALL)
        made.change(trouble=None)
        made.change(rows=())
        made.set_detail(None)
        await self.shoot("picker-nothing", BOTH)
        made.search.setText("")
