"""A card is whole on the screen of its token, wherever the token is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect, QSize

from desktop.inspector.placement import place

SCREEN = QRect(0, 0, 1280, 800)
SECOND = QRect(1280, -200, 1920, 1080)
CARD = QSize(340, 430)
TOKEN = QSize(60, 22)


def put(x: int, y: int, screen: QRect = SCREEN, size: QSize = CARD):  # type: ignore[no-untyped-def]
    return place(QRect(x, y, TOKEN.width(), TOKEN.height()), size, screen, 8, 4, 18)


def test_below_with_the_arrow_on_the_tokens_middle() -> None:
    placed = put(600, 100)
    assert placed.rect == QRect(629 - 170, 130, 340, 430)
    assert not placed.above and placed.arrow
    assert abs(placed.rect.left() + placed.arrow_x - 629) <= 1


def test_above_where_there_is_no_room_below() -> None:
    placed = put(600, 700)
    assert placed.above
    assert placed.rect.bottom() == 700 - 8 - 1


def test_at_the_edges_it_slides_sideways() -> None:
    assert put(0, 100).rect.left() == 4
    assert put(1220, 100).rect.right() == 1280 - 4 - 1
    assert put(0, 100).arrow_x >= 18
    assert put(1270, 100).arrow_x <= 340 - 18


def test_beside_the_token_where_neither_above_nor_below_fits() -> None:
    placed = put(600, 380, QRect(0, 0, 1280, 600))
    assert not placed.arrow
    assert placed.rect.left() == 600 + 60 + 8
    assert not placed.rect.intersects(QRect(600, 380, 60, 22))


def test_on_a_second_screen_it_stays_there() -> None:
    placed = put(1290, 850, SECOND)
    assert SECOND.contains(placed.rect)


@given(
    x=st.integers(0, 1279),
    y=st.integers(0, 799),
    width=st.integers(100, 1400),
    height=st.integers(60, 1000),
    screen=st.sampled_from([SCREEN, QRect(0, 30, 1024, 700), QRect(-1920, 0, 3200, 1800)]),
)
def test_always_whole_on_the_screen(x: int, y: int, width: int, height: int, screen: QRect) -> None:
    token = QRect(x, y, 60, 22)
    placed = place(token, QSize(width, height), screen, 8, 4, 18)
    assert screen.contains(placed.rect)
    assert placed.rect.width() == min(width, screen.width())
    if placed.arrow and screen.contains(token):
        assert not placed.rect.intersects(token)
        assert placed.above == (placed.rect.bottom() < token.top())
