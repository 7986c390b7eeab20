"""Languages: which one is chosen, the switch at run time, and that the translations are complete."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from types import ModuleType

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale
from PySide6.QtWidgets import QDialogButtonBox, QWidget
from pytestqt.qtbot import QtBot

from core.paths import resources
from core.server.finding_words import entry
from desktop.kit.errors_text import words
from desktop.kit.i18n import Language, system_language


def load_update() -> ModuleType:
    spec = importlib.util.spec_from_file_location("i18n_update", resources() / "i18n" / "update.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


update = load_update()


@pytest.fixture
def language(qapp) -> Iterator[Language]:
    made = Language()
    before = QLocale()
    yield made
    made.apply("en")
    QLocale.setDefault(before)


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        (["zh-Hant-TW", "zh-TW", "zh"], "zh_TW"),
        (["zh-TW"], "zh_TW"),
        (["zh_HK"], "zh_TW"),
        (["zh-Hant"], "zh_TW"),
        (["zh-Hans-CN", "zh-CN", "zh"], "en"),
        (["zh-Hans-HK"], "en"),
        (["zh"], "en"),
        (["en-GB", "zh-TW"], "en"),
        (["de-DE", "zh-Hant-TW"], "zh_TW"),
        (["de-DE"], "en"),
        (["C"], "en"),
        ([], "en"),
    ],
)
def test_the_systems_language(wanted: list[str], code: str) -> None:
    assert system_language(wanted) == code


def test_switching_tells_widgets_and_qts_own_words_too(language: Language, qtbot: QtBot) -> None:
    class Listens(QWidget):
        heard = 0

        def changeEvent(self, event: QEvent) -> None:
            self.heard += event.type() == QEvent.Type.LanguageChange

    widget = Listens()
    qtbot.addWidget(widget)
    language.apply("zh_TW")
    qtbot.waitUntil(lambda: widget.heard > 0)
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    qtbot.addWidget(box)
    assert box.button(QDialogButtonBox.StandardButton.Cancel).text() == "取消"
    assert (language.code, language.choice) == ("zh_TW", "zh_TW")
    assert QLocale().language() == QLocale.Language.Chinese


def test_applying_the_same_again_says_nothing(language: Language) -> None:
    heard: list[str] = []
    language.changed.connect(heard.append)
    language.apply("zh_TW")
    language.apply("zh_TW")
    language.apply("en")
    assert heard == ["zh_TW", "en"]


def test_an_unknown_language_is_the_systems(language: Language) -> None:
    language.apply("xx")
    assert language.choice == "system"
    assert language.code in ("en", "zh_TW")


def test_every_sentence_of_an_error_is_collected() -> None:
    found = {call.source for call in update.file_strings() if call.context == "Errors"}
    assert found == {text for entry in words().values() for text in entry.values()}


def test_every_sentence_of_a_finding_is_collected() -> None:
    """A pattern of a log is none, nor is a page or a command."""
    found = {call.source for call in update.file_strings() if call.context == "Findings"}
    assert {entry("finding", "port_taken")["what"], entry("fix", "port")["button"]} <= found
    assert not [text for text in found if text.startswith("https://") or "(?" in text]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("使用 GPU 計算。", None),
        ("使用GPU", "no space between Han and Latin"),
        ("共 3個", "no space between Han and Latin"),
        ("好, 下一步", "half-width punctuation after Han"),
        ("(說明)", "half-width punctuation after Han"),
        ("請稍候", "您 or 請"),
        ("好 。", "a space beside full-width punctuation"),
        ("讀取 config.json。", None),
        ("用 --dtype auto：好", None),
    ],
)
def test_wording_rules(text: str, fault: str | None) -> None:
    assert list(update.wording(text)) == ([fault] if fault else [])


def message(source: str, *translations: str, numerus: bool = False, unfinished: bool = False):
    return update.Message("C", source, "", translations, unfinished, numerus)


def test_faults_of_a_translation() -> None:
    assert not list(update.faults(message("Open %1", "開啟 %1"), True))
    assert list(update.faults(message("Open %1", "開啟"), True))
    assert list(update.faults(message("In {folder}", "在 {folde}"), True))
    assert list(update.faults(message("Open", ""), True))
    assert list(update.faults(message("Open", "開啟", unfinished=True), True))
    assert not list(update.faults(message("%n token(s)", "one token", "%n tokens", numerus=True), False))
    assert list(update.faults(message("%n token(s)", "個 token", numerus=True), True))
    assert list(update.faults(message("%n token(s)", "%n 個 token"), True)), "a number without a count"


def test_strings_are_found_whatever_the_arguments_look_like(
    tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "desktop").mkdir()
    (tmp_path / "desktop" / "a.py").write_text(
        "class One:\n"
        "    def f(self):\n"
        "        self.tr('a “quoted” …')\n"
        "        self.tr('%n b', '', len(self.x.y))\n"
        "        QCoreApplication.translate('Two', '%n c', 'why', model.count)\n"
    )
    monkeypatch.setattr(update, "ROOT", tmp_path)
    sentence = update.Call("Errors", "An error {path}.", "", False)
    monkeypatch.setattr(update, "file_strings", lambda: iter([sentence]))
    found = list(update.window_strings())
    assert [(call.context, call.source, call.comment, call.numerus) for call in found] == [
        ("One", "a “quoted” …", "", False),
        ("One", "%n b", "", True),
        ("Two", "%n c", "why", True),
    ]
    update.collect(tmp_path)
    got = {
        (m.context, m.source, m.comment, m.numerus) for m in update.messages(tmp_path / "tokenloupe_zh_TW.ts")
    }
    assert got == {
        *((c.context, c.source, c.comment, c.numerus) for c in found),
        ("Errors", "An error {path}.", "", False),
    }
    plural = {m.source for m in update.messages(tmp_path / "tokenloupe_en.ts")}
    assert plural == {"%n b", "%n c"}


def test_what_cannot_be_read_is_said(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "desktop").mkdir()
    (tmp_path / "desktop" / "a.py").write_text("class One:\n    def f(self, x):\n        self.tr(f'{x}')\n")
    monkeypatch.setattr(update, "ROOT", tmp_path)
    with pytest.raises(SystemExit, match="only literal strings"):
        list(update.window_strings())


def test_english_plurals_at_run_time(language: Language) -> None:
    language.apply("zh_TW")
    language.apply("en")
    for count, expected in ((1, "1 token"), (2, "2 tokens")):
        assert QCoreApplication.translate("Facts", "%n token(s)", "", count) == expected
