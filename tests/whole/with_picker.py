"""Visits to the picker of models: what is found on the hub, typed, pasted and dropped, by the keys alone.

`python -m tests.whole.with_picker NAME`, as `tests.whole.with_models`.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.engines.state import Phase
from desktop.kit.dialogs import Question
from desktop.models.values import Badge, Group, State
from desktop.picker.questions import ReportSheet
from tests.whole import inside
from tests.whole.with_models import Said, detail, open_picker, picture, press, until_state

PLAIN, GATED, ODD, LAST = "org/name", "org/gated", "org/odd", "org/last"
OLDER = "f" * 40  # a commit of the first


def rows(picker: Any, group: Group | None = None) -> list[str]:
    """Keys in the list, from the top."""
    listed = picker.list.rows
    found = [listed.at(listed.index(at)) for at in range(listed.rowCount())]
    return [row.key for row in found if row is not None and group in (None, row.group)]


async def found(application: Any, words: str, *keys: str) -> None:
    """The hub has answered, and these are in the list."""
    picker, hub = application.models.presenter.picker, application.models.presenter._hub
    picker.search.setText(words)
    await inside.until(lambda: hub.words == words and not hub.busy)
    await inside.until(lambda: all(picker.list.row(key) is not None for key in keys))


async def selected(picker: Any, key: str) -> Any:
    picker.select(key)
    await inside.until(lambda: (one := detail(picker)) is not None and one.key == key)
    return detail(picker)


async def search(application: Any) -> Said:
    picker = await open_picker(application)
    said: Said = {"first": rows(picker)}
    await found(application, "org", PLAIN, GATED, ODD, LAST)
    said["found"] = rows(picker, Group.FOUND)
    await picture(application, "search")
    said["before"] = (await selected(picker, LAST)).limit
    await inside.until(lambda: detail(picker).limit > 0 and picker.list.row(LAST).badge is not Badge.NONE)
    await picture(application, "search-looked")
    said["after"] = detail(picker).limit, picker.list.row(LAST).badge.value
    await selected(picker, GATED)
    await inside.until(lambda: picker.list.row(GATED).size > 0)
    gated = detail(picker)
    said["gated"] = gated.state.value, gated.page.rpartition("/")[2]
    await picture(application, "search-gated")
    said["odd"] = picker.list.row(ODD).badge.value
    odd = await selected(picker, ODD)
    said["why"] = odd.why
    await picture(application, "search-odd")
    press(picker, "why")
    await inside.until(lambda: bool(application.window.findChildren(ReportSheet)))
    (sheet,) = application.window.findChildren(ReportSheet)
    said["report"] = sheet.text.text()
    await picture(application, "search-report")
    sheet.close()
    return said


async def ids(application: Any) -> Said:
    """The address of a page, a commit beside another one, and what is there already."""
    picker = await open_picker(application)
    address = application.models._hub_settings().endpoint or os.environ["HF_ENDPOINT"]
    await found(application, f"{address}/{PLAIN}/tree/{OLDER}", PLAIN)
    picker.select(PLAIN)
    await inside.until(lambda: (one := detail(picker)) is not None and one.limit > 0)
    said: Said = {"older": detail(picker).revision}
    press(picker, "get")
    await until_state(picker, State.READY)
    await found(application, f"{address}/{PLAIN}", PLAIN)
    said["there"] = rows(picker), detail(picker).revision
    await found(application, f"{PLAIN}@main", PLAIN)
    await picture(application, "ids-two")
    (other,) = [key for key in rows(picker) if key != PLAIN]
    said["two"] = other, picker.list.row(other).note, picker.list.row(other).group.value
    await selected(picker, other)
    press(picker, "get")
    await until_state(picker, State.READY)
    picker.search.clear()
    await inside.until(lambda: len(rows(picker)) > 2)
    said["here"] = rows(picker, Group.HERE)
    await picture(application, "ids-here")
    return said


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def written(folder: Path) -> dict[str, int]:
    """When each of its files was changed last."""
    return {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}


async def small(application: Any) -> Said:
    """Config, tokenizer and template alone; then the rest of it."""
    picker = await open_picker(application)
    await found(application, PLAIN, PLAIN)
    await selected(picker, PLAIN)
    await picture(application, "small-absent")
    assert picker.detail.tokenizer.isVisibleTo(picker.detail)
    picker.detail.tokenizer.click()
    ready = await until_state(picker, State.READY)
    await picture(application, "small-ready")
    folder = Path(ready.folder)
    said: Said = {"only": ready.tokenizer_only, "files": names(folder)}
    said["offered"] = [what for what, one in picker.detail.buttons.buttons.items() if not one.isHidden()]
    press(picker, "get")
    await inside.until(lambda: (one := detail(picker)) is not None and not one.tokenizer_only)
    whole = await until_state(picker, State.READY)
    said["whole"] = names(Path(whole.folder))
    said["left"] = names(folder.parent)
    return said


def drop(picker: Any, folder: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(folder))])
    at, how = QPointF(300, 300), (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton)
    none = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(picker, QDragEnterEvent(at.toPoint(), *how, none))
    QApplication.sendEvent(picker, QDropEvent(at, *how, none))


async def folder(application: Any) -> Said:
    """A folder of the person's own is dropped and used, and never changed."""
    own, empty = Path(os.environ["OWN"]), Path(os.environ["OWN"]).parent / "no model"
    empty.mkdir()
    before = written(own)
    picker = await open_picker(application)
    drop(picker, empty)
    await inside.until(
        lambda: picker.side.trouble.isVisible() or application.window.centre.errors.isVisible()
    )
    said: Said = {"told in the picker": picker.side.trouble.isVisible()}
    await picture(application, "folder-none")
    drop(picker, own)
    foreign = await until_state(picker, State.FOREIGN)
    await picture(application, "folder-foreign")
    said["foreign"] = foreign.name, foreign.frees, picker.side.trouble.isVisible()
    said["offered"] = [what for what, one in picker.detail.buttons.buttons.items() if not one.isHidden()]
    picker.list.setFocus()
    QTest.keyClick(picker.list, Qt.Key.Key_Delete)
    engine = application.engine.state.info
    press(picker, "use")
    await inside.until(lambda: application.engine.state.info not in (engine, None))
    await inside.until(lambda: inside.is_idle(application))
    said["model"] = application.settings.value.model
    said["unchanged"] = written(own) == before
    picker = await open_picker(application)
    picker.search.setText(str(own))
    await inside.until(lambda: picker.search.text() == "" and picker.key == str(own))
    said["typed"] = detail(picker).state.value
    return said


async def again(application: Any) -> Said:
    """The model of the last visit is open."""
    await inside.until(lambda: inside.is_idle(application))
    picker = await open_picker(application)
    own = os.environ["OWN"]
    await inside.until(lambda: picker.list.row(own) is not None)
    return {"bar": application.window.run_bar.model.accessibleName(), "row": picker.list.row(own).state.value}


async def keys(application: Any) -> Said:
    """No pointer at all: open, search, look, get, delete, close."""
    window = application.window
    window.activateWindow()
    await inside.until(lambda: application.engine.state.phase is Phase.READY)
    QTest.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    await inside.until(lambda: application.models.presenter is not None)
    await inside.until(lambda: (one := application.models.presenter.picker) is not None and rows(one) != [])
    picker = application.models.presenter.picker
    said: Said = {"focus": focus(picker)}
    QTest.keyClicks(window.focusWidget(), PLAIN)
    await inside.until(lambda: picker.list.row(PLAIN) is not None)
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Down)
    said["down"] = focus(picker), picker.key
    await inside.until(lambda: (one := detail(picker)) is not None and one.fit is not None)
    stops = []
    for _ in range(8):
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        stops.append(focus(picker))
        if stops[-1] == "get":
            break
    said["stops"] = stops
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Space)
    await until_state(picker, State.READY)
    picker.list.setFocus()
    await inside.until(lambda: (one := detail(picker)) is not None and one.frees > 0)
    QTest.keyClick(picker.list, Qt.Key.Key_Delete)
    await inside.until(lambda: bool(window.findChildren(Question)))
    (question,) = window.findChildren(Question)
    said["asked"] = question.windowTitle()
    QTest.keyClick(question, Qt.Key.Key_Escape)
    await inside.until(lambda: not window.findChildren(Question))
    said["kept"] = picker.list.row(PLAIN).state.value, focus(picker)
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
    said["closed"] = not picker.is_open, type(window.focusWidget()).__name__
    return said


def focus(picker: Any) -> str:
    """What has the focus: a part of the picker or a button by its name, "" = something else."""
    parts = {"list": picker.list, "search": picker.search, "folder": picker.side.folder}
    parts |= {"tokenizer": picker.detail.tokenizer, **picker.detail.buttons.buttons}
    here = picker.window().focusWidget()
    return next((name for name, one in parts.items() if one is here), "")


VISITS: dict[str, Any] = {visit.__name__: visit for visit in (search, ids, small, folder, again, keys)}


if __name__ == "__main__":
    name = sys.argv[1]

    async def named(application: Any) -> None:
        print(json.dumps(await VISITS[name](application)), flush=True)

    sys.exit(inside.run(named))
