"""Visits to the picker and the settings of the hub: a token, consent to code, the offline switch.

`python -m tests.whole.with_hub_settings NAME`, as `tests.whole.with_models`.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from PySide6.QtWidgets import QLabel

from desktop.models.refusals import CodeSheet
from desktop.models.values import State
from desktop.settings.token_sheet import TokenSheet
from tests.whole import inside
from tests.whole.with_models import MODEL, Said, detail, open_picker, picture, press, until_state


async def found(application: Any) -> Any:
    """The picker with the hub's model selected, once the hub has said what it is."""
    picker = await open_picker(application)
    picker.search.setText(MODEL)
    await inside.until(lambda: picker.list.row(MODEL) is not None)
    picker.select(MODEL)
    await inside.until(lambda: (one := detail(picker)) is not None and one.key == MODEL)
    return picker


async def to_settings(application: Any, picker: Any) -> Any:
    """By the button of the error; the section of the hub."""
    press(picker, "settings")
    await inside.until(lambda: application.settings_page.view is not None and not picker.is_open)
    assert application.window.pages.currentWidget() is application.settings_page.view
    return application.settings_page.view.page.hub


async def token(application: Any) -> Said:
    """A model whose makers ask who uses it: refused, the token is entered, and its download goes on."""
    picker = await found(application)
    await until_state(picker, State.GATED)
    press(picker, "get")
    await inside.until(lambda: bool((detail(picker) or object).trouble))  # type: ignore[union-attr]
    said: Said = {"refused": detail(picker).trouble}  # type: ignore[union-attr]
    await picture(application, "hub-refused")
    hub = await to_settings(application, picker)
    said["at"] = application.window.focusWidget() is hub.token.enter
    await picture(application, "hub-settings")
    hub.token.enter.click()
    (sheet,) = application.window.findChildren(TokenSheet)
    await picture(application, "hub-token")
    sheet.edit.setText(os.environ["TOKEN_TO_ENTER"])
    sheet.keep.click()
    await inside.until(lambda: bool(application.settings.value.hub_tokens))
    await inside.until(lambda: application.models.downloads.states == ())  # ready, and seen on the disk
    said["tokens"] = application.settings.value.hub_tokens
    said["note"] = hub._rows["token"]._note.text()
    hub.hosts_wanted.emit()
    rows = application.settings_page.view.hosts.rows
    await inside.until(lambda: rows.rowCount() > 0)
    said["hosts"] = sorted({rows.index(at, 1).data() for at in range(rows.rowCount())})
    await picture(application, "hub-hosts")
    application.settings_page.close()
    picker = await found(application)
    said["state"] = (await until_state(picker, State.READY)).state.value
    return said


async def code(application: Any) -> Said:
    """A model with code of its own: not fetched, then fetched by consent, and never to be started."""
    picker = await found(application)
    await inside.until(lambda: bool((detail(picker) or object).why))  # type: ignore[union-attr]
    said: Said = {"why": detail(picker).why}  # type: ignore[union-attr]
    asked: set[str] = set()
    application.models.downloads.changed.connect(lambda states: asked.update(one.repo for one in states))
    for button in ("refuse", "trust"):
        press(picker, "why")
        await inside.until(lambda: bool(application.window.findChildren(CodeSheet)))
        (sheet,) = application.window.findChildren(CodeSheet)
        said["sheet"] = [label.text() for label in sheet.findChildren(QLabel)]
        said["files"] = sheet.files.toPlainText()
        await picture(application, "hub-code")
        getattr(sheet, button).click()
        await inside.until(lambda: not application.window.findChildren(CodeSheet))
        if button == "trust":
            await inside.until(lambda: bool(asked))
        said[button] = len(asked)
    ready = await until_state(picker, State.READY)
    said["ready"] = ready.why
    said["offered"] = [what for what, one in picker.detail.buttons.buttons.items() if one.isVisible()]
    said["badge"] = picker.list.row(MODEL).badge.value
    await picture(application, "hub-code-ready")
    return said


async def offline(application: Any) -> Said:
    """Switched off, the search says so and leads to the switch; switched on, it finds at once."""
    application.settings.update(offline=True, hub_endpoint="http://hub.example")
    picker = await open_picker(application)
    picker.search.setText(MODEL)
    row = picker.side.trouble
    await inside.until(row.isVisible)
    said: Said = {"says": row.what.text()}
    await picture(application, "hub-offline")
    row.button.click()
    await inside.until(lambda: application.settings_page.view is not None and not picker.is_open)
    hub = application.settings_page.view.page.hub
    said["at"] = application.window.focusWidget() is hub.offline
    hub.offline.click()
    hub.endpoint.field.clear()
    hub.endpoint.field.editingFinished.emit()
    application.settings_page.close()
    await found(application)
    said["trouble"] = application.models.presenter.picker.side.trouble.isVisible()
    return said


VISITS: dict[str, Any] = {visit.__name__: visit for visit in (token, code, offline)}


if __name__ == "__main__":
    name = sys.argv[1]

    async def named(application: Any) -> None:
        print(json.dumps(await VISITS[name](application)), flush=True)

    sys.exit(inside.run(named))
