"""The form of an answer: checked before it is used, with the place of what is wrong."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.engines.base import Structured
from core.engines.vllm.extras import FORMS, structured
from desktop.sampling.form_editor import EXAMPLES, FormEditor, written


@pytest.fixture
def editor(qtbot: QtBot) -> FormEditor:
    made = FormEditor()
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def told(editor: FormEditor) -> list[Structured | None]:
    got: list[Structured | None] = []
    editor.changed.connect(got.append)
    return got


def write(editor: FormEditor, kind: str, text: str) -> None:
    editor.kind.setCurrentIndex(editor.kind.findData(kind))
    editor.kind.activated.emit(editor.kind.currentIndex())
    editor.text.setPlainText(text)
    assert editor._rest.isActive()
    editor._rest.stop()
    editor._rest.timeout.emit()


@pytest.mark.parametrize("kind", FORMS)
def test_every_form_has_an_example_that_is_right_and_comes_back_as_it_was(kind: str) -> None:
    form = structured(kind, EXAMPLES[kind])
    assert structured(kind, written(form)) == form


@pytest.mark.parametrize("choices", [["a\nb", "c"], [" a", "b"], ["[x]", "y"]])
def test_choices_that_are_no_plain_lines_come_back_too(choices: list[str]) -> None:
    assert structured("choice", written(Structured("choice", choices))).value == choices


def test_a_form_is_told_when_typing_rests(editor: FormEditor, told: list[Structured | None]) -> None:
    write(editor, "choice", "yes\nno")
    assert told == [Structured("choice", ["yes", "no"])]
    editor.kind.setCurrentIndex(0)
    editor.kind.activated.emit(0)
    assert told[-1] is None and editor.text.isHidden()


@pytest.mark.parametrize(
    ("kind", "text", "place"),
    [
        ("regex", "a(b", "position 1"),
        ("json", '{"type":', "line 1 column 9"),
        ("choice", "a\n\nb", "none of them"),
    ],
)
def test_what_is_wrong_is_not_used_and_says_where(
    editor: FormEditor, told: list[Structured | None], kind: str, text: str, place: str
) -> None:
    write(editor, kind, "x" if kind != "json" else "{}")
    write(editor, kind, text)
    assert told[-1] is None
    assert (
        editor.error.isVisible()
        and editor.error.text().startswith("Not used: ")
        and place in editor.error.text()
    )
    editor.show_form(None)  # what is being typed stays
    assert editor.text.toPlainText() == text
    editor.forget()
    editor.show_form(None)  # another chat
    assert editor.text.toPlainText() == "" and editor.error.isHidden()


def test_a_form_is_shown_without_being_told(editor: FormEditor, told: list[Structured | None]) -> None:
    editor.show_form(Structured("json", {"type": "object"}))
    assert editor.kind.currentData() == "json" and '"object"' in editor.text.toPlainText()
    assert told == [] and not editor._rest.isActive()


def test_an_empty_form_is_none_and_says_so(editor: FormEditor, told: list[Structured | None]) -> None:
    write(editor, "regex", " ")
    assert told == [] and "nothing is written" in editor.error.text()


def test_names_for_a_screen_reader(editor: FormEditor) -> None:
    for control in (editor.kind, editor.text):
        assert control.accessibleName() and control.toolTip()
    assert all(label.text() for label in editor.findChildren(QLabel) if label.isVisible())
