"""What can be done about an error of the hub: which errors lead where, from one table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from PySide6.QtCore import QCoreApplication

from core.errors import LoupeError
from desktop.kit.errors_text import describe, joined
from desktop.models.values import Trouble

Field = Literal["", "token", "proxy", "endpoint", "offline"]
RETRY: Final = "retry"  # the code of a Trouble whose button asks again


@dataclass(frozen=True, slots=True)
class Step:
    """`settings`: a field of the hub's settings. `page`: the model's page on the hub. `refused`: the sheet
    about what is not fetched as it is. `again`: another try may help; `first`: but the settings come before
    it."""

    settings: Field = ""
    page: bool = False
    refused: bool = False
    again: bool = True
    first: bool = False


AGAIN: Final = Step()
CLOSED: Final = Step("token", page=True)  # its makers let in whom they know
_STEPS: Final = {
    "hub.no_token": CLOSED,
    "hub.gated": CLOSED,
    "hub.bad_token": Step("token", first=True),
    "hub.no_access": Step(page=True),
    "hub.no_repo": Step("token"),
    "hub.not_model": Step(page=True, again=False),
    "hub.files_missing": Step(page=True, again=False),
    "hub.no_revision": Step(page=True, again=False),
    "hub.rate_limit": Step("token", first=True),
    "hub.offline": Step("proxy"),
    "hub.proxy": Step("proxy", first=True),
    "hub.headers": Step("endpoint", first=True),
    "hub.other_commit": Step("endpoint", first=True),
    "hub.switched_off": Step("offline", again=False, first=True),
    "hub.search_switched_off": Step("offline", again=False, first=True),
    "hub.code": Step(refused=True, again=False),
    "hub.no_safetensors": Step(refused=True, again=False),
    "hub.path": Step(page=True, again=False),
    "hub.too_large": Step(page=True, again=False),
    "hub.too_long": Step(page=True, again=False),
    "hub.name": Step(again=False),
}


def step_of(error: LoupeError | None) -> Step:
    """None: nothing has failed, and nothing is to be tried again but what the state offers."""
    return _STEPS.get(error.code, AGAIN) if error is not None else AGAIN


def settings_word(field: str) -> str:
    """Of the button that leads to a field of the settings."""
    if field == "token":
        return QCoreApplication.translate("Models", "Enter a token…")
    return QCoreApplication.translate("Models", "Settings…")


def trouble_of(error: LoupeError | None) -> Trouble | None:
    """As a row above the list; its code is RETRY or a field of the settings."""
    if error is None:
        return None
    text, step = describe(error), step_of(error)
    if step.first:
        return Trouble(text.what, text.next, settings_word(step.settings), step.settings)
    again = QCoreApplication.translate("Models", "Try again")
    return Trouble(text.what, text.next, again, RETRY)


def problem_of(error: LoupeError | None) -> Trouble | None:
    """Of what was done in the picker: nothing of it is tried again by itself."""
    if error is None:
        return None
    text = describe(error)
    return Trouble(text.what, joined(text.why, text.next))
