"""Where a card goes: 8 px below its token, above if there is no room, slid sideways, whole on its screen."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QSize


@dataclass(frozen=True, slots=True)
class Placed:
    """`rect` of the card's body; `arrow_x` from its left edge; `above`: the arrow is at its bottom.

    `arrow` False: the card had to lie over the token, so it points at nothing.
    """

    rect: QRect
    above: bool
    arrow_x: int
    arrow: bool = True


def place(token: QRect, size: QSize, screen: QRect, gap: int, margin: int, corner: int) -> Placed:
    """All in screen pixels. `screen`: the room there is; `margin` is kept to its edges if possible;
    `corner`: how near to the card's corner the arrow may come."""
    token = QRect(token)
    if not screen.contains(token):  # half out of the screen, as its window may be
        token.moveTop(max(min(token.top(), screen.bottom() + 1 - token.height()), screen.top()))
        token.moveLeft(max(min(token.left(), screen.right() + 1 - token.width()), screen.left()))
    room = screen.adjusted(margin, margin, -margin, -margin)
    width, height = min(size.width(), screen.width()), min(size.height(), screen.height())
    below, above = room.bottom() + 1 - (token.bottom() + 1 + gap), token.top() - gap - room.top()
    middle = token.center().x()
    left = _kept(middle - width // 2, width, room, screen)
    arrow_x = min(max(middle - left, corner), width - corner)
    if height <= below:
        return Placed(QRect(QPoint(left, token.bottom() + 1 + gap), QSize(width, height)), False, arrow_x)
    if height <= above:
        top = token.top() - gap - height
        return Placed(QRect(QPoint(left, top), QSize(width, height)), True, arrow_x)
    return _beside(token, QSize(width, height), room, screen, gap)


def _kept(start: int, size: int, room: QRect, screen: QRect) -> int:
    """A left edge that keeps the card in the room, else at least on the screen."""
    within = room if size <= room.width() else screen
    return max(min(start, within.right() + 1 - size), within.left())


def _beside(token: QRect, size: QSize, room: QRect, screen: QRect, gap: int) -> Placed:
    """Neither below nor above: to the right or left of the token, else over it."""
    top = token.center().y() - size.height() // 2
    within = room if size.height() <= room.height() else screen
    top = max(min(top, within.bottom() + 1 - size.height()), within.top())
    if token.right() + 1 + gap + size.width() <= screen.right() + 1:
        left = token.right() + 1 + gap
    elif token.left() - gap - size.width() >= screen.left():
        left = token.left() - gap - size.width()
    else:
        left = _kept(token.center().x() - size.width() // 2, size.width(), room, screen)
    return Placed(QRect(QPoint(left, top), size), False, size.width() // 2, arrow=False)
