"""The words about servers: run bar, what a test found, the report of a model, the id of the hub."""

from __future__ import annotations

import urllib.parse
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.engines.state import EngineState, Phase
from core.engines.vllm.capabilities import Capabilities
from core.engines.vllm.engine import VllmEngine
from core.engines.vllm.rows import Mode
from core.errors import EngineError
from desktop.picker.found import headline, lines
from desktop.picker.questions import HubSheet, ReportSheet
from desktop.picker.run_text import RunText, run_text
from desktop.picker.served import model_choices, report_url
from tests.fakes.fake_vllm import FakeVllm
from tests.fakes.scripted_server import HERE, SERVER_INFO, SERVES

PAGE = "https://example.org/issues/new"


def said(phase: Phase, error: EngineError | None = None) -> RunText:
    info = SERVER_INFO if phase is Phase.READY else None
    return run_text(EngineState(phase, "m", info=info, error=error, engine="vllm", address=HERE))


def test_the_run_bar_of_a_server() -> None:
    gone = EngineError("server.cut", address=HERE)
    off = EngineError("server.unreachable", address=HERE)
    assert said(Phase.CONNECTING) == RunText("accent", "Connecting", "localhost:8000", "cancel", "Cancel")
    assert said(Phase.READY) == RunText("ok", "Ready", "vLLM 0.32.0")
    lost, failed, absent = said(Phase.LOST, gone), said(Phase.FAILED, off), said(Phase.ABSENT)
    assert (lost.word, lost.detail) == ("Server gone", "The connection to the server broke.")
    assert (failed.word, failed.detail) == ("Not connected", f"Nothing answers at {HERE}.")
    assert (absent.word, absent.label, absent.tone) == ("Not connected", "Connect", "")
    assert {one.action for one in (lost, failed, absent)} == {"retry"}


def test_rows_of_the_model_menu() -> None:
    known, strange, alias = model_choices(SERVES)
    assert (known.note, known.why) == ("", "")
    assert strange.note == "mamba9" and "mamba9" in strange.why
    assert (alias.note, alias.why) == ("not known yet", "")


@pytest.fixture
def found(run_qt: Any) -> Capabilities:
    async def main() -> Capabilities:
        async with FakeVllm().serve() as fake:
            engine = VllmEngine(fake.address)
            try:
                return await engine.connect()
            finally:
                await engine.close()

    made: Capabilities = run_qt(main())
    return made


def test_what_a_test_found(found: Capabilities) -> None:
    assert headline(found) == "vLLM 0.32.0 answers."
    assert lines(found)[-1].startswith("Ranks: of listed tokens only (--enable-scale-out")
    words = set()
    for mode in Mode:
        told = lines(msgspec.structs.replace(found, mode=mode))
        words.add(told[2])
        assert any(line.startswith("Ranks") for line in told) is (mode not in (Mode.NONE, Mode.UNKNOWN))
    assert len(words) == len(Mode)


def test_what_is_not_told_is_not_made_up(found: Capabilities) -> None:
    less = msgspec.structs.replace(
        found, version="", context_limit=None, greedy=False, served=tuple("abcdefgh")
    )
    assert headline(less) == "A server answers, and does not tell its version."
    told = lines(less)
    assert told[:2] == ["Models: a, b, c, d, e, f, …", "Context: not told"]
    assert "It refuses temperature 0." in told and told[-1].startswith("Older than vLLM 0.32")


def test_a_report_holds_the_model_and_its_type_and_nothing_else() -> None:
    url = report_url("org/strange & co", "mamba9", PAGE)
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)
    assert query == {
        "title": ["Support mamba9 models (org/strange & co)"],
        "body": ["Model: org/strange & co\nmodel_type: mamba9\n"],
    }


def test_the_report_is_shown_before_its_page_opens(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()) or True)
    parent = QWidget()
    qtbot.addWidget(parent)
    sheet = ReportSheet(parent, "org/strange", "mamba9", PAGE)
    sheet.open()
    assert "model_type: mamba9" in sheet.text.text() and opened == []
    assert sheet.address.text().replace("\u200b", "") == report_url("org/strange", "mamba9", PAGE)
    sheet.copy.click()
    assert "mamba9" in QGuiApplication.clipboard().text()
    sheet.open_page.click()
    assert len(opened) == 1


def test_without_a_page_the_report_is_there_to_copy(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    sheet = ReportSheet(parent, "org/strange", "mamba9", "")
    sheet.open()
    assert sheet.open_page.isHidden() and sheet.address.isHidden() and sheet.copy.isDefault()
    sheet.copy.click()
    assert "mamba9" in QGuiApplication.clipboard().text()


def test_the_id_of_the_hub(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    sheet = HubSheet(parent, "alias")
    sheet.open()
    for text, good in (("", False), ("alias", False), ("org/name@", False), ("org/name@abc", True)):
        sheet.edit.setText(text)
        assert sheet.use.isEnabled() is good, text
    sheet.edit.setText(" org/name ")
    with qtbot.waitSignal(sheet.chosen) as signal:
        QTest.keyClick(sheet.edit, Qt.Key.Key_Return)
    assert signal.args == ["org/name"]
