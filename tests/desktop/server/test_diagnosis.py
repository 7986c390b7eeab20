"""The diagnosis card: its words, what is drawn, its ways out, and the line that says why."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QApplication, QPushButton, QToolTip
from pytestqt.qtbot import QtBot

from core.errors import DockerError
from core.server.finding import Collision, Finding
from core.server.spec import GIB
from desktop.kit.theme import DARK, HIGH_CONTRAST, THEMES, Theme, contrast, mix
from desktop.server import amounts
from desktop.server.amounts import Amounts
from desktop.server.diagnosis import DiagnosisCard
from tests.desktop.server.starts import LINE, MEMORY, finding


@pytest.fixture
def card(qtbot: QtBot) -> DiagnosisCard:
    made = DiagnosisCard()
    qtbot.addWidget(made)
    made.resize(900, 560)
    made.set_finding(finding(MEMORY))
    made.show()
    return made


def test_it_says_what_and_why_and_draws_the_numbers(card: DiagnosisCard) -> None:
    assert card.what.text() == "The GPU has too little free memory"
    assert "14.34 GiB" in card.why.text()
    assert card.sign.sign == "err"
    assert not card.amounts.isHidden()
    for part in (
        "RTX 4080, 15.59 GiB",
        "asked 14.34 GiB, 4.50 GiB more than is free",
        "free 9.84 GiB",
        "python3",
    ):
        assert part in card.amounts.accessibleName()


def test_each_way_out_has_a_button_and_the_first_is_primary(card: DiagnosisCard, qtbot: QtBot) -> None:
    kinds = [row.button.property("kind") for row in card.fixes.rows]
    assert kinds == ["primary", None, None]
    for row, fix in zip(card.fixes.rows, finding().fixes, strict=True):
        with qtbot.waitSignal(card.fix_wanted) as told:
            qtbot.mouseClick(row.button, Qt.MouseButton.LeftButton)
        assert told.args == [fix]


def test_a_command_stands_in_mono_and_can_be_copied(card: DiagnosisCard, qtbot: QtBot) -> None:
    row = card.fixes.rows[2]
    assert row.line is not None
    assert row.line.text.text() == "sudo usermod -aG docker $USER"
    assert row.effect.isHidden()  # it would say the same
    qtbot.mouseClick(row.line.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "sudo usermod -aG docker $USER"
    assert card.fixes.rows[0].line is None


def test_the_same_finding_again_keeps_the_focus(card: DiagnosisCard) -> None:
    button = card.fixes.rows[1].button
    button.setFocus()
    card.set_finding(finding(MEMORY))
    assert card.fixes.rows[1].button is button and button.hasFocus()
    card.set_finding(finding())
    assert card.fixes.rows[1].button is not button


def test_log_and_report(card: DiagnosisCard, qtbot: QtBot) -> None:
    with qtbot.waitSignal(card.log_wanted) as told:
        qtbot.mouseClick(card.log_button, Qt.MouseButton.LeftButton)
    assert told.args == [LINE]
    with qtbot.waitSignal(card.report_wanted):
        qtbot.mouseClick(card.report_button, Qt.MouseButton.LeftButton)


def test_the_line_is_shortened_whole_in_the_tooltip_and_can_be_copied(
    card: DiagnosisCard, qtbot: QtBot
) -> None:
    line = card.line
    card.log_button.setFocus()
    assert line.is_elided
    assert line.elided_text.endswith("…")
    middle = line.rect().center()
    QApplication.sendEvent(line, QHelpEvent(QEvent.Type.ToolTip, middle, line.mapToGlobal(middle)))
    assert LINE[:60] in QToolTip.text()
    QToolTip.hideText()
    line.selectAll()
    assert line.selectedText() == LINE
    assert line.accessibleName() == "What vLLM said"


def test_several_lines_are_shown_as_a_block(card: DiagnosisCard, qtbot: QtBot) -> None:
    text = "\n".join(f"line {n}" for n in range(12))
    card.set_finding(Finding("unknown", line=text, logged=True))
    assert card.line.isHidden() and not card.block.isHidden()
    assert card.block.text().splitlines()[-1] == "…"
    assert "line 11" in card.block.toolTip()
    with qtbot.waitSignal(card.log_wanted) as told:
        card.log_button.click()
    assert told.args == ["line 0"]
    assert card._do.isHidden()


def test_without_a_line_or_numbers_their_places_are_gone(card: DiagnosisCard) -> None:
    card.set_finding(Finding("docker_stopped", severity="warn"))
    assert card.amounts.isHidden() and card._box.isHidden() and card._said.isHidden()
    assert card.sign.sign == "warn"


def test_what_stands_in_no_log_is_not_shown_there(card: DiagnosisCard) -> None:
    assert not card.log_button.isHidden()
    card.set_finding(Finding("port_taken", {"port": 8000}, "address already in use"))
    assert not card.line.isHidden() and card.log_button.isHidden()
    card.set_finding(finding())
    assert not card.log_button.isHidden()


def test_an_error_that_nobody_knows_is_told_with_its_own_words(card: DiagnosisCard) -> None:
    card.set_error(DockerError("docker.failed", detail="Error response from daemon: <b>no</b>"))
    assert card.what.text()
    assert card._said.text() == "What Docker said"
    assert card.line.text() == "Error response from daemon: <b>no</b>"
    assert card.log_button.isHidden()


def test_the_keyboard_comes_to_the_ways_out_before_the_line(card: DiagnosisCard) -> None:
    first, *rest = (row.button for row in card.fixes.rows)
    wanted = [*rest, card.line, card.log_button, card.report_button]
    stops = []
    at = first.nextInFocusChain()
    while at is not None and at is not first:
        stops.append(at)
        at = at.nextInFocusChain()
    assert [stop for stop in stops if stop in wanted] == wanted


def test_every_button_has_a_name(card: DiagnosisCard) -> None:
    for button in card.findChildren(QPushButton):
        assert button.text() or button.accessibleName()


@pytest.mark.parametrize(
    "collision",
    [
        MEMORY,
        Collision("gpu", "bytes", 40 * GIB, 2 * GIB, 16 * GIB),
        Collision("disk", "bytes", 14e9, 0.0, 200e9),
        Collision("kv_cache", "tokens", 262_144, 87_376),
        Collision("kv_cache", "tokens", 1, 0),
        Collision("memory", "bytes", 1.0, 2.0, 0.0),
        Collision("port", "port", 8000, 0, None, "a program with a very long name that goes on and on"),
    ],
)
def test_any_numbers_can_be_drawn_at_any_width(collision: Collision, qtbot: QtBot) -> None:
    made = Amounts()
    qtbot.addWidget(made)
    made.set_collision(collision)
    for theme in (DARK, HIGH_CONTRAST):
        made.set_theme(theme)
        for width in (40, 200, 900):
            made.resize(width, made.sizeHint().height())
            assert not made.grab().isNull()
    assert made.accessibleName()


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_words_on_the_bar_can_be_read(theme: Theme) -> None:
    assert contrast(theme.surface, mix(theme.text2, theme.surface, amounts.SHADES[0])) >= 4.5
    assert contrast(theme.ok, theme.ok_soft) >= 4.5


def test_a_port_names_who_has_it(qtbot: QtBot) -> None:
    made = Amounts()
    qtbot.addWidget(made)
    made.set_collision(Collision("port", "port", 8000, 0, None, "python3 (pid 4121)"))
    assert made.accessibleName() == "The server wants port 8000, python3 (pid 4121) has it"
    made.set_collision(Collision("port", "port", 8000, 0))
    assert made.accessibleName() == "The server wants port 8000, Another program has it"


def test_shortened_words_of_the_drawing_are_whole_in_its_tooltip(qtbot: QtBot) -> None:
    made = Amounts()
    qtbot.addWidget(made)
    made.set_collision(Collision("port", "port", 8000, 0, None, "python3 " * 20))
    made.resize(300, made.sizeHint().height())
    made.grab()
    point = QPoint(200, 20)
    QApplication.sendEvent(made, QHelpEvent(QEvent.Type.ToolTip, point, made.mapToGlobal(point)))
    assert "python3 python3" in QToolTip.text()
    QToolTip.hideText()
