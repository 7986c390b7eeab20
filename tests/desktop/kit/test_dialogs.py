"""Questions and the error bar: awaited without nested loops, plain text, nothing left waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import delete, isValid

from core.errors import LoupeError
from desktop.kit import dialogs, fonts, style
from desktop.kit.dialogs import Question, choose_folder, confirm, folder_dialog
from desktop.kit.error_bar import ErrorBar
from desktop.kit.theme import DARK

RunQt = Callable[..., Any]


async def opened(parent: QWidget, kind: type) -> Any:
    for _ in range(100):
        await asyncio.sleep(0)
        found = parent.findChildren(kind)
        if found:
            return found[0]
    raise AssertionError("no dialog was opened")


@pytest.mark.parametrize(("press", "expected"), [("action", True), ("cancel", False)])
def test_confirm_gives_the_choice(run_qt: RunQt, press: str, expected: bool) -> None:
    async def body() -> bool:
        parent = QWidget()
        task = asyncio.ensure_future(confirm(parent, "Delete <b>", "Gone for good.", "Delete", danger=True))
        question = await opened(parent, Question)
        assert question.cancel.isDefault() and not question.action.isDefault()
        assert all(label.textFormat() == Qt.TextFormat.PlainText for label in question.findChildren(QLabel))
        getattr(question, press).click()
        return await task

    assert run_qt(body()) is expected


def test_the_verb_is_the_default_where_nothing_is_lost(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    question = Question(parent, "T", "t", "Start")
    assert question.action.isDefault()


def test_enter_presses_the_button_with_the_focus(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    for focused, expected in (("action", 1), ("cancel", 0)):
        question = Question(parent, "T", "t", "Delete", danger=True)
        results: list[int] = []
        question.finished.connect(results.append)
        with qtbot.waitActive(question):
            question.open()
            question.activateWindow()
        assert question.cancel.hasFocus()
        getattr(question, focused).setFocus()
        qtbot.keyClick(getattr(question, focused), Qt.Key.Key_Return)
        assert results == [expected]


def test_a_parent_that_goes_away_answers_no(run_qt: RunQt) -> None:
    async def body() -> bool:
        parent = QWidget()
        task = asyncio.ensure_future(confirm(parent, "T", "t", "Delete"))
        await opened(parent, Question)
        delete(parent)
        return await task

    assert run_qt(body()) is False


def test_cancelling_the_task_closes_the_question(run_qt: RunQt) -> None:
    async def body() -> bool:
        parent = QWidget()
        task = asyncio.ensure_future(confirm(parent, "T", "t", "Delete"))
        question = await opened(parent, Question)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        for _ in range(100):
            await asyncio.sleep(0)
        assert not isValid(question)
        return task.cancelled()

    assert run_qt(body())


def test_choose_folder(run_qt: RunQt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFileDialog, "open", QFileDialog.show)

    async def body(accept: bool) -> Path | None:
        parent = QWidget()
        task = asyncio.ensure_future(choose_folder(parent, "Folder", tmp_path))
        dialog = await opened(parent, QFileDialog)
        if accept:
            dialog.fileSelected.emit(str(tmp_path))
            dialog.accept()
        else:
            dialog.reject()
        return await task

    assert run_qt(body(True)) == tmp_path
    assert run_qt(body(False)) is None


def test_the_folder_dialog_starts_where_it_is_told_or_at_home(qtbot: QtBot, tmp_path: Path) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    assert folder_dialog(parent, "Folder", tmp_path).directory().path() == tmp_path.as_posix()
    for start in (None, tmp_path / "gone"):
        dialog = folder_dialog(parent, "Folder", start)
        assert dialog.directory().path() == Path.home().as_posix()
    assert dialog.labelText(QFileDialog.DialogLabel.FileName) == "Folder:"


def test_no_dialog_runs_its_own_loop() -> None:
    assert ".exec" not in Path(dialogs.__file__).read_text(encoding="utf-8")


@pytest.fixture
def bar(qtbot: QtBot) -> Iterator[ErrorBar]:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(800, 200)
    made = ErrorBar(parent, about="Token Loupe 0.1")
    made.set_theme(DARK)
    parent.show()
    yield made


def test_the_bar_tells_an_error_and_hides_when_closed(bar: ErrorBar) -> None:
    assert bar.isHidden()
    bar.show_error(LoupeError("model.not_found", folder="/<b>x</b>"), action="Choose")
    assert not bar.isHidden() and not bar.action.isHidden()
    labels = [label for label in bar.findChildren(QLabel) if label.text()]
    assert labels[0].text() == "There is no model in /<b>x</b>."
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in labels)
    bar.close_button.click()
    assert bar.isHidden() and bar.error is None


def test_only_the_error_that_is_solved_is_dismissed(bar: ErrorBar) -> None:
    bar.show_error(LoupeError("history.full", path="x"))
    bar.dismiss("model.not_found")
    assert not bar.isHidden()
    bar.dismiss("history.full")
    assert bar.isHidden()


def test_details_are_folded_and_cut(bar: ErrorBar) -> None:
    bar.show_error(LoupeError("engine.failed", detail="\n".join(f"line {i}" for i in range(50))))
    assert bar._detail.isHidden() and not bar.details.isHidden()
    bar.details.click()
    assert not bar._detail.isHidden()
    assert bar._detail.text().splitlines()[-1] == "…"
    bar.show_error(LoupeError("prompt.empty"))
    assert bar._detail.isHidden() and bar.details.isHidden()


def test_the_action_says_which_error_it_solves(bar: ErrorBar) -> None:
    seen: list[str] = []
    bar.acted.connect(seen.append)
    bar.show_error(LoupeError("model.fetch_offline"), action="Try again")
    bar.action.click()
    assert seen == ["model.fetch_offline"]


def test_the_report_is_copied(bar: ErrorBar) -> None:
    bar.show_error(LoupeError("engine.failed", detail="why"))
    bar.copy.click()
    assert QGuiApplication.clipboard().text().splitlines()[0] == "Token Loupe 0.1"


def test_several_errors_wait_for_each_other(bar: ErrorBar) -> None:
    bar.show_error(LoupeError("history.damaged", kept="x"))
    bar.show_error(LoupeError("prompt.empty"))
    assert bar.error is not None and bar.error.code == "prompt.empty"
    assert bar._count.text() == "1 of 2" and not bar._count.isHidden()
    bar.copy.click()
    report = QGuiApplication.clipboard().text()
    assert report.index("prompt.empty") < report.index("history.damaged")
    bar.close_button.click()
    assert bar.error.code == "history.damaged" and not bar.isHidden()
    assert bar._count.isHidden()
    bar.close_button.click()
    assert bar.isHidden()


def test_errors_of_one_kind_are_one_message(bar: ErrorBar) -> None:
    for name in ("zoom", "heat", "theme"):
        bar.show_error(LoupeError("settings.invalid", name=name, value="9", detail=f"why {name}"))
    assert bar._count.isHidden() and "theme" in bar._what.text() and "2 more" in bar._why.text()
    bar.details.click()
    assert all(f"why {name}" in bar._detail.text() for name in ("zoom", "heat", "theme"))
    bar.copy.click()
    assert QGuiApplication.clipboard().text().count("code: settings.invalid") == 3
    bar.close_button.click()
    assert bar.isHidden()


def test_the_same_error_again_is_told_once(bar: ErrorBar) -> None:
    for _ in range(3):
        bar.show_error(LoupeError("prompt.empty"))
    assert len(bar.errors) == 1


def test_a_solved_error_leaves_the_queue_wherever_it_stands(bar: ErrorBar) -> None:
    bar.show_error(LoupeError("history.full", path="x"))
    bar.show_error(LoupeError("prompt.empty"))
    bar.dismiss("history.full")
    assert bar.error is not None and bar.error.code == "prompt.empty" and bar._count.isHidden()


def test_icons_of_the_folder_dialog_have_room(qtbot: QtBot, tmp_path: Path) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    app.setStyleSheet(style.style_sheet(DARK, tmp_path))
    try:
        parent = QWidget()
        qtbot.addWidget(parent)
        dialog = folder_dialog(parent, "Folder", tmp_path)
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        button = next(b for b in dialog.findChildren(QToolButton) if b.objectName() == "toParentButton")
        button.ensurePolished()
        # the padding of other buttons would leave no room for the icon
        assert button.sizeHint().width() <= fonts.px(36)
    finally:
        app.setStyleSheet("")
