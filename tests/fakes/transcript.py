"""Helpers for tests of the transcript: turns of made-up answers, a mouse, pictures."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, Qt
from PySide6.QtGui import QImage, QMouseEvent

from desktop.chat.view import AnswerTurn, TokenRef, TranscriptView, Turn
from tests.fakes.answers import Answer, words

LONG = "The capital of Australia is Canberra, chosen as a compromise between Sydney and Melbourne. "


def turn_of(made: Answer, turn_id: str = "a", **more: object) -> AnswerTurn:
    return AnswerTurn(turn_id, made.table, made.vocabulary, **more)  # type: ignore[arg-type]


def growing(text: str) -> Answer:
    """An answer whose vocabulary knows the tokens of this text, without any yet."""
    return Answer(words(text * 2))


def show(view: TranscriptView, *turns: Turn) -> None:
    view.set_turns(turns)
    view.batcher.flush()


def grow(view: TranscriptView, turn_id: str = "a") -> None:
    view.grow(turn_id)
    view.batcher.flush()


def picture(view: TranscriptView) -> QImage:
    return view.viewport().grab().toImage()


_TYPES = {
    "press": QEvent.Type.MouseButtonPress,
    "move": QEvent.Type.MouseMove,
    "release": QEvent.Type.MouseButtonRelease,
    "double": QEvent.Type.MouseButtonDblClick,
    "hover": QEvent.Type.MouseMove,
}


def send_mouse(view: TranscriptView, point: QPointF, kind: str) -> None:
    """ "move" is with the button down, "hover" without."""
    port = view.viewport()
    down = Qt.MouseButton.NoButton if kind in ("release", "hover") else Qt.MouseButton.LeftButton
    button = Qt.MouseButton.NoButton if kind in ("move", "hover") else Qt.MouseButton.LeftButton
    place = QPointF(port.mapToGlobal(point))
    event = QMouseEvent(_TYPES[kind], point, place, button, down, Qt.KeyboardModifier.NoModifier)
    QCoreApplication.sendEvent(port, event)


def middle(view: TranscriptView, index: int, turn_id: str = "a") -> QPointF:
    """The viewport point in the middle of a token."""
    rect = view.token_rect(TokenRef(turn_id, index))
    assert rect is not None
    return QPointF(view.viewport().mapFromGlobal(rect.center()))
