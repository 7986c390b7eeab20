"""The log's tools and the question at the end by the keyboard alone, with a scripted manager: a process of
its own that prints what was seen, and then what was called of the manager."""

from __future__ import annotations

import json
import sys
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.log.panel import LogTools
from tests.fakes.scripted_launcher import ScriptedLauncher
from tests.whole import inside
from tests.whole.with_our_server import MADE, Said, _scripted, choose, served


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """By whatever has the keyboard."""
    QTest.keyClick(QApplication.focusWidget(), key, modifiers)


async def keys(application: Any) -> None:
    window, question = application.window, application.ours.quit_question
    async with served().serve() as fake:
        launcher = await choose(application, fake)
        window.run_bar.act.click()
        await inside.until(lambda: application.session.can_ask)
        window.raise_()
        window.activateWindow()
        await inside.until(window.isActiveWindow)
        window.composer.edit.setFocus()
        press(Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
        await inside.until(window.log.view.isVisible)
        launcher.log_cleared.emit(None)
        launcher.say(*(f"{'ERROR' if at % 10 == 0 else 'INFO'} line {at}" for at in range(100)))
        said = await _log_tools(window.log, window.findChildren(LogTools)[0], launcher)
        window.composer.edit.setFocus()
        QTest.keyClicks(window.composer.edit, "typed")
        press(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        press(Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        said["typed"] = QApplication.clipboard().text()
        press(Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
        await inside.until(lambda: question.sheet is not None and question.sheet.isActiveWindow())
        stops = [QApplication.focusWidget().text()]
        for _ in range(3):
            press(Qt.Key.Key_Tab)
            stops.append(QApplication.focusWidget().text())
        said["stops"] = stops
        press(Qt.Key.Key_Escape)
        await inside.until(lambda: question.sheet is None)
        said["quitting"] = application.quitting.requested
        window.close()
        await inside.until(lambda: question.sheet is not None and question.sheet.isActiveWindow())
        question.sheet.remember.setFocus()
        press(Qt.Key.Key_Space)
        question.sheet.leave.setFocus()
        print(json.dumps(said), flush=True)
        press(Qt.Key.Key_Return)


async def _log_tools(panel: Any, tools: LogTools, launcher: ScriptedLauncher) -> Said:
    rows, counts = panel.view.rows, []

    async def count(wanted: int) -> None:
        await inside.until(lambda: len(rows) == wanted, 10)
        counts.append(len(rows))

    await count(100)
    tools.level.setFocus()
    press(Qt.Key.Key_End)
    await count(10)
    press(Qt.Key.Key_Home)
    await count(100)
    tools.search.setFocus()
    QTest.keyClicks(tools.search, "line 7")
    tools.filter.setFocus()
    press(Qt.Key.Key_Space)
    await count(11)  # 7 and 70 to 79
    press(Qt.Key.Key_Space)
    await count(100)
    tools.pause.setFocus()
    press(Qt.Key.Key_Space)
    launcher.say("INFO meanwhile")
    await inside.until(lambda: "1 new line" in tools._title.text())
    press(Qt.Key.Key_Space)
    await count(101)
    tools.copy.setFocus()
    panel.view._select(-1, -1)
    press(Qt.Key.Key_Space)
    copied = len(QApplication.clipboard().text().splitlines())
    tools.clear.setFocus()
    press(Qt.Key.Key_Space)
    return {"counts": counts, "copied": copied, "empty": panel._empty.text()}


if __name__ == "__main__":
    from core.server import controller

    controller.ServerController = _scripted  # type: ignore[misc,assignment]
    code = inside.run(keys)
    print(json.dumps(MADE[-1].calls), flush=True)
    sys.exit(code)
