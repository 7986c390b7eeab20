"""Words of errors: filled, translated, and never a failure of their own."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from core.errors import LoupeError, PromptError, WorkerLost
from desktop.kit import errors_text
from desktop.kit.errors_text import describe
from desktop.kit.i18n import Language


def test_parameters_are_filled_and_numbers_separated(qapp) -> None:
    text = describe(PromptError("prompt.context_full", tokens=12345, limit=8192))
    assert text.what == "The chat is too long for this model."
    assert text.why == "It has 12,345 tokens; the model reads 8,192 at most."
    assert text.next
    assert text.line == f"{text.what} {text.why}"


def test_foreign_text_is_kept_apart_and_never_filled(qapp) -> None:
    text = describe(LoupeError("engine.failed", detail="<b>{oops}</b>"))
    assert text.detail == "<b>{oops}</b>"


def test_a_missing_parameter_shows_as_unknown(qapp) -> None:
    assert describe(WorkerLost()).what == "The model's process ended by itself (…)."


@pytest.mark.parametrize("value", ["{tokens}", "{0}", "{", "%1"])
def test_braces_in_a_parameter_are_text(qapp, value: str) -> None:
    assert value in describe(LoupeError("model.not_found", folder=value)).what


def test_unknown_codes_have_their_familys_words_and_say_the_code(qapp) -> None:
    text = describe(LoupeError("model.of_the_future", detail="x"))
    assert text.what == errors_text.words()["model.failed"]["what"]
    assert text.detail == "model.of_the_future: x"
    assert describe(LoupeError("nonsense")).what == errors_text.words()["internal"]["what"]


def test_chinese(qtbot: QtBot) -> None:
    language = Language()
    language.apply("zh_TW")
    try:
        text = describe(PromptError("prompt.context_full", tokens=12345, limit=8192))
        assert text.why == "它有 12,345 個 token，模型最多讀 8,192 個。"
        assert text.line == text.what + text.why, "no space after a full-width mark"
    finally:
        language.apply("en")


def test_the_report_is_english_and_whole(qapp) -> None:
    error = LoupeError("model.not_found", detail="foreign", folder="/x")
    assert errors_text.report(error, "Token Loupe 0.1").splitlines() == [
        "Token Loupe 0.1",
        "code: model.not_found",
        "There is no model in /x.",
        "folder: /x",
        "foreign",
    ]
