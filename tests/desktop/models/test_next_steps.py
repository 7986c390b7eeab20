"""An error of the hub has its next step as a button, wherever the sentence names one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.error_words import words
from core.errors import ModelError
from core.models.orders import DownloadState
from desktop.models.buttons import offered
from desktop.models.details import Looked, detail_of
from desktop.models.next_steps import _STEPS, RETRY, step_of, trouble_of
from desktop.models.picker import ModelPicker
from desktop.models.shelf import Entry
from desktop.models.values import ModelDetail, State

PAGE = "https://hub.example/org/name"
OTHERS = {"hub.gated"}  # of a start of a server, which no picker makes
HUB = sorted(code for code in words() if code.startswith("hub.") and code not in OTHERS)
VALUES = {
    "repo": "org/name", "page": PAGE, "seconds": 30, "status": 500, "endpoint": "https://hub.example",
    "header": "ETag", "expected": "a", "got": "b", "host": "hub.example", "file": "x", "found": "a.bin",
    "commit": "c" * 40, "needed": 2.0, "free": 1.0, "folder": "/m", "words": "w", "kind": "dataset",
    "revision": "r", "limit": 1, "tries": 2, "detail": "its words",
}  # fmt: skip


def failed(code: str) -> ModelDetail:
    state = DownloadState("org/name", phase="failed", error=ModelError(code, **VALUES))  # type: ignore[arg-type]
    entry = Entry("org/name", "org/name", download=state)
    return detail_of(entry, Looked(), None, page=PAGE, use=False, start_after=False)


@pytest.fixture
def picker(qtbot: QtBot) -> Iterator[ModelPicker]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1280, 800)
    window.show()
    made = ModelPicker(window)
    made.open_at(QPoint(52, 49))
    yield made


@pytest.mark.parametrize("code", HUB)
def test_what_the_sentence_says_next_is_a_button(code: str) -> None:
    said, detail = words()[code]["next"], failed(code)
    buttons = offered(detail)
    if "settings" in said or "offline switch" in words()[code]["what"]:
        assert detail.settings and "settings" in buttons, said
    if "{page}" in said:
        assert "page" in buttons, said
    if any(phrase in said.lower() for phrase in ("try again", "go on", "again later")):
        assert {"resume", "get"} & set(buttons) or not detail.again, said
    assert detail.trouble
    if code in ("hub.code", "hub.no_safetensors"):
        assert buttons == ("cancel", "why")


def test_the_table_has_no_code_that_nobody_knows() -> None:
    assert set(_STEPS) <= set(words())
    assert step_of(None).again and step_of(ModelError("model.disk_full", folder="/m")).again


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("hub.no_token", ("cancel", "get", "settings", "page")),
        ("hub.bad_token", ("cancel", "get", "settings")),
        ("hub.no_access", ("cancel", "get", "page")),
        ("hub.proxy", ("cancel", "settings", "resume")),
        ("hub.switched_off", ("cancel", "settings")),
        ("hub.certificate", ("cancel", "resume")),
        ("hub.not_model", ("cancel", "page")),
        ("hub.room", ("cancel", "resume")),
    ],
)
def test_each_error_offers_its_own(picker: ModelPicker, code: str, wanted: tuple[str, ...]) -> None:
    detail = failed(code)
    assert offered(detail) == wanted
    picker.set_detail(detail)
    pane = picker.detail
    shown = pane.gated if detail.state is State.GATED else pane.download.trouble
    assert shown.isVisible() and shown.text.text() == detail.trouble
    seen = [what for what, one in pane.buttons.buttons.items() if one.isVisible()]
    primary = [what for what in seen if pane.buttons.buttons[what].property("kind") == "primary"]
    assert set(seen) == set(wanted) and primary == [wanted[-1]]


@pytest.mark.parametrize(
    ("code", "field"),
    [
        ("hub.no_token", "token"),
        ("hub.bad_token", "token"),
        ("hub.proxy", "proxy"),
        ("hub.headers", "endpoint"),
        ("hub.switched_off", "offline"),
    ],
)
def test_the_button_tells_which_field_of_the_settings(
    picker: ModelPicker, qtbot: QtBot, code: str, field: str
) -> None:
    picker.set_detail(failed(code))
    made = picker.detail.buttons.buttons["settings"]
    assert made.text() == ("Enter a token…" if field == "token" else "Settings…")
    with qtbot.waitSignal(picker.settings_wanted) as told:
        qtbot.mouseClick(made, Qt.MouseButton.LeftButton)
    assert told.args == [field]


def test_a_refusal_leads_to_its_sheet(picker: ModelPicker, qtbot: QtBot) -> None:
    picker.set_detail(failed("hub.code"))
    assert picker.detail.buttons.buttons["why"].text() == "More about it…"
    with qtbot.waitSignal(picker.why_wanted) as told:
        qtbot.mouseClick(picker.detail.buttons.buttons["why"], Qt.MouseButton.LeftButton)
    assert told.args == ["org/name"]


def test_the_row_above_the_list_leads_there_too(picker: ModelPicker, qtbot: QtBot) -> None:
    for code, action, carried in (
        ("hub.search_offline", "Try again", RETRY),
        ("hub.rate_limit", "Enter a token…", "token"),
        ("hub.search_switched_off", "Settings…", "offline"),
    ):
        picker.change(trouble=trouble_of(ModelError(code, **VALUES)))  # type: ignore[arg-type]
        row = picker.side.trouble
        assert row.button.text() == action
        with qtbot.waitSignal(picker.trouble_acted) as told:
            qtbot.mouseClick(row.button, Qt.MouseButton.LeftButton)
        assert told.args == [carried]
    assert trouble_of(None) is None
