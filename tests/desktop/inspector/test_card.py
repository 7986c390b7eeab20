"""The card's widgets: nothing overlaps or is clipped, in any theme and size; it never takes the focus."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop.inspector.card import FLAGS, PinnedCard, TokenCard
from desktop.inspector.items import Fill, Icon, Paragraph, Text
from desktop.inspector.sheet import WIDTH, WIDTH_NARROW, Sheet
from desktop.kit import fonts
from desktop.kit.theme import DARK, HIGH_CONTRAST, LIGHT, contrast
from tests.fakes.cards import cards

ALL = cards()
SCREEN = QRect(0, 0, 1280, 800)


@pytest.fixture
def host(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(1280, 800)
    made.show()
    return made


@pytest.fixture(params=[100, 150, 200])
def zoom(request: pytest.FixtureRequest) -> Iterator[int]:
    fonts.set_zoom(request.param)
    yield request.param
    fonts.set_zoom(100)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("width", [WIDTH, WIDTH_NARROW])
def test_texts_do_not_overlap_or_leave_the_card(qtbot: QtBot, name: str, width: int, zoom: int) -> None:
    sheet = Sheet(ALL[name], LIGHT, fonts.px(width))
    texts = [item for item in sheet.items if isinstance(item, Text | Paragraph)]
    assert texts
    for item in sheet.items:
        assert item.rect.left() >= 0 and item.rect.right() <= sheet.width
        assert item.rect.top() >= 0 and item.rect.bottom() <= sheet.footer
    for one, other in itertools.combinations(texts, 2):
        cross = one.rect.adjusted(1, 1, -1, -1).intersected(other.rect.adjusted(1, 1, -1, -1))
        assert cross.isEmpty(), (one, other)
    for item in texts:
        if isinstance(item, Text):
            # texts are centred in their box; only what is shortened may be wider
            assert QFontMetricsF(item.font).horizontalAdvance(item.text) <= item.rect.width() + 2, item
            assert QFontMetricsF(item.font).height() <= item.rect.height() + 2, item


@pytest.mark.parametrize("theme", [LIGHT, DARK, HIGH_CONTRAST], ids=lambda theme: theme.name)
@pytest.mark.parametrize("name", ALL)
def test_every_text_is_readable_on_what_is_behind_it(qtbot: QtBot, name: str, theme: object) -> None:
    sheet = Sheet(ALL[name], theme, WIDTH)  # type: ignore[arg-type]
    fills = [item for item in sheet.items if isinstance(item, Fill) and not item.hatch]
    for item in sheet.items:
        if isinstance(item, Text | Paragraph):
            behind = [fill.colour for fill in fills if fill.rect.contains(item.rect.center())]
            ground = behind[-1] if behind else theme.raised  # type: ignore[attr-defined]
            assert contrast(item.colour, ground) >= 4.5, (item, ground)


def test_bars_are_true_shares(qtbot: QtBot) -> None:
    sheet = Sheet(ALL["everything"], LIGHT, WIDTH)
    fills = [item for item in sheet.items if isinstance(item, Fill) and item.rect.height() == 8]
    tracks, bars = fills[::2], fills[1::2]
    model = ALL["everything"]
    shares = [row.share for row in model.rows] + [model.others.share if model.others else None]
    assert len(bars) == len(shares) == 6
    for track, bar, share in zip(tracks, bars, shares, strict=True):
        assert bar.rect.width() / track.rect.width() == pytest.approx(share, abs=0.01)
    assert [bar.hatch for bar in bars] == [False] * 5 + [True]


def test_logits_have_no_bars_and_nothing_sent_has_no_rows(qtbot: QtBot) -> None:
    for name in ("logits", "nothing"):
        sheet = Sheet(ALL[name], LIGHT, WIDTH)
        assert not [item for item in sheet.items if isinstance(item, Fill) and item.rect.height() == 8]
    assert [item.name for item in Sheet(ALL["nothing"], LIGHT, WIDTH).items if isinstance(item, Icon)] == [
        "warn"
    ]


def test_a_shortened_text_has_the_whole_as_its_tip(qtbot: QtBot) -> None:
    from dataclasses import replace

    model = ALL["raw"]
    name = replace(model.rows[0].name, text="supercalifragilistic" * 5)
    model = replace(model, rows=(replace(model.rows[0], name=name), *model.rows[1:]))
    sheet = Sheet(model, LIGHT, WIDTH)
    item = next(item for item in sheet.items if isinstance(item, Text) and item.whole)
    assert item.text.endswith("…")
    assert sheet.shortened_at(item.rect.center()) == name.text
    assert sheet.shortened_at(item.rect.center() + QPoint(0, 300)) == ""


def test_the_card_never_takes_the_focus(host: QWidget, qtbot: QtBot) -> None:
    card = TokenCard(host)
    assert card.windowType() == Qt.WindowType.ToolTip
    assert card.parentWidget() is host
    assert card.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    for widget in [card, card.body, *card.body.findChildren(QWidget)]:
        assert widget.focusPolicy() == Qt.FocusPolicy.NoFocus, widget
    for button in (card.body.pin, card.body.close_button, *card.body.copy_flags):
        assert button.accessibleName() and button.toolTip()


CORNERS = [(0, 0), (1220, 0), (0, 778), (1220, 778), (600, 400), (600, 778), (0, 400), (1220, 400)]


@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize("name", ["everything", "not_listed", "nothing"])
def test_at_every_corner_the_card_is_whole_on_its_screen(
    host: QWidget, corner: tuple[int, int], name: str
) -> None:
    card = TokenCard(host)
    token = QRect(*corner, 60, 22)
    card.pop_up(ALL[name], LIGHT, token, SCREEN, fade=False)
    assert SCREEN.contains(card.placed.rect)
    assert not card.placed.rect.intersects(token)
    assert card.body.geometry().translated(card.geometry().topLeft()) == card.placed.rect
    assert card.isVisible()


def test_on_a_low_screen_fewer_candidates_are_shown(host: QWidget) -> None:
    card = TokenCard(host)
    low = QRect(0, 0, 1280, 360)
    card.pop_up(ALL["everything"], LIGHT, QRect(600, 100, 60, 22), low, fade=False)
    assert low.contains(card.placed.rect)
    sheet = card.body.sheet
    assert sheet is not None
    assert 2 <= len(sheet.model.rows) < 5
    assert any(row.chosen for row in sheet.model.rows)


def test_the_fade_ends_with_nothing_left_behind(host: QWidget, qtbot: QtBot) -> None:
    card = TokenCard(host)
    card.pop_up(ALL["raw"], LIGHT, QRect(600, 100, 60, 22), SCREEN, fade=True)
    qtbot.waitUntil(lambda: card.body.graphicsEffect() is None)
    card.hide()
    card.pop_up(ALL["raw"], LIGHT, QRect(600, 100, 60, 22), SCREEN, fade=True)
    card.hide()
    assert card.body.graphicsEffect() is None


def test_a_flag_can_be_copied(host: QWidget) -> None:
    card = TokenCard(host)
    card.pop_up(ALL["logits"], LIGHT, QRect(600, 100, 60, 22), SCREEN, fade=False)
    assert card.body.copy_flags[0].isVisible()
    card.body.copy_flags[0].click()
    assert QGuiApplication.clipboard().text() == "--logprobs-mode raw_logits"
    card.pop_up(ALL["greedy"], LIGHT, QRect(600, 100, 60, 22), SCREEN, fade=False)
    assert not any(button.isVisible() for button in card.body.copy_flags)
    card.pop_up(ALL["no_rank"], LIGHT, QRect(600, 100, 60, 22), SCREEN, fade=False)
    card.body.copy_flags[1].click()
    assert card.body.sheet is not None and len(card.body.sheet.flags) == 2
    assert QGuiApplication.clipboard().text() == card.body.sheet.flags[1][0]


def test_no_card_has_more_flags_than_buttons_and_none_is_shortened(qtbot: QtBot) -> None:
    for name, model in ALL.items():
        sheet = Sheet(model, LIGHT, fonts.px(WIDTH_NARROW))
        assert len(sheet.flags) <= FLAGS, name
        texts = [item for item in sheet.items if isinstance(item, Text) and item.whole.startswith("--")]
        assert not texts, name


@pytest.mark.parametrize("name", ["nothing", "unknown", "none", "bare"])
def test_a_card_without_numbers_leads_on(host: QWidget, qtbot: QtBot, name: str) -> None:
    card = TokenCard(host)
    card.pop_up(ALL[name], LIGHT, QRect(600, 100, 60, 22), SCREEN, fade=False)
    body = card.body
    assert [button.isVisible() for button in (body.again, body.capabilities, body.copy, body.next)] == [
        True, True, False, False,
    ]  # fmt: skip
    for signal, button in ((body.again_wanted, body.again), (body.capabilities_wanted, body.capabilities)):
        with qtbot.waitSignal(signal):
            button.click()
    card.pop_up(ALL["no_number"], LIGHT, QRect(600, 100, 60, 22), SCREEN, fade=False)
    assert body.copy.isVisible() and not body.again.isVisible()


def test_the_pinned_card_is_a_normal_small_window(host: QWidget, qtbot: QtBot) -> None:
    window = PinnedCard(ALL["split"], LIGHT, host)
    gone: list[object] = []
    window.closed.connect(gone.append)
    window.show_at(QPoint(100, 100))
    assert window.windowType() == Qt.WindowType.Tool and window.parentWidget() is host  # stays above it
    assert "峯" in window.windowTitle()
    assert not window.body.pin.isVisible()
    assert window.body.copy.focusPolicy() != Qt.FocusPolicy.NoFocus
    QTest.keyClick(window, Qt.Key.Key_C)
    assert "Bytes: E5 B3 AF" in QGuiApplication.clipboard().text()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert len(gone) == 1


@pytest.mark.parametrize("theme", [LIGHT, DARK, HIGH_CONTRAST], ids=lambda theme: theme.name)
def test_it_paints_ink_in_the_themes_ground(host: QWidget, theme: object) -> None:
    card = TokenCard(host)
    card.pop_up(ALL["everything"], theme, QRect(600, 100, 60, 22), SCREEN, fade=False)  # type: ignore[arg-type]
    shot = card.grab().toImage()
    body = card.body.geometry()
    ground = shot.pixelColor(body.left() + 6, body.top() + 60).name().upper()
    assert ground == theme.raised  # type: ignore[attr-defined]
    colours = {
        shot.pixelColor(x, y).rgb()
        for x in range(body.left(), body.right(), 2)
        for y in range(body.top(), body.bottom(), 2)
    }
    assert len(colours) > 30
