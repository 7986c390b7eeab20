"""The mouse over the transcript: which token it rests on, clicks, and selection by dragging."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from desktop.chat.selection import Selection
from desktop.chat.stage import Place, Stage
from desktop.chat.turns import TokenRef

_AUTOSCROLL_MS = 30
_FASTEST = 60  # pixels a step


class Pointer(QObject):
    """Works only when the token or the selection changes. `to_document` maps a viewport point."""

    hovered = Signal(object)  # TokenRef or None
    clicked = Signal(object)
    selection_changed = Signal()
    selected = Signal()  # the button was let go
    scroll_by = Signal(int)

    def __init__(
        self,
        stage: Stage,
        selection: Selection,
        to_document: Callable[[QPointF], QPointF],
        page: Callable[[], int],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._stage = stage
        self._selection = selection
        self._to_document = to_document
        self._page = page
        self.token: TokenRef | None = None
        self._at: QPointF | None = None  # in the viewport
        self._pressed: QPointF | None = None
        self._press_place: Place | None = None
        self._dragging = False
        self._autoscroll = QTimer(self)
        self._autoscroll.setInterval(_AUTOSCROLL_MS)
        self._autoscroll.timeout.connect(self._scroll_on)

    @property
    def at(self) -> QPointF | None:
        return self._at

    @property
    def dragging(self) -> bool:
        return self._dragging

    def token_at(self, point: QPointF) -> TokenRef | None:
        """The token at a viewport point; the first of those that share the character."""
        found = self._stage.tokens_at(self._to_document(point))
        return TokenRef(found[0], found[1].start) if found is not None else None

    def move(self, event: QMouseEvent) -> None:
        self._at = event.position()
        if self._pressed is not None and event.buttons() & Qt.MouseButton.LeftButton:
            far = (self._at - self._pressed).manhattanLength() >= QApplication.startDragDistance()
            if far and not self._dragging:
                self._dragging = True
                self._set_token(None)
            if self._dragging:
                self._drag()
            return
        self.look()

    def look(self) -> None:
        """Ask again what is under the pointer: it moved, or the text did."""
        if self._at is not None and not self._dragging:
            self._set_token(self.token_at(self._at))

    def leave(self) -> None:
        self._at = None
        self._set_token(None)

    def _set_token(self, token: TokenRef | None) -> None:
        if token != self.token:
            self.token = token
            self.hovered.emit(token)

    def press(self, event: QMouseEvent) -> None:
        point = event.position()
        place = self._stage.place_at(self._to_document(point))
        self._pressed = point
        self._dragging = False
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self._selection.anchor and place:
            self._selection.set(self._selection.anchor, place)
            self._press_place = self._selection.anchor
        else:
            self._selection.clear()
            self._press_place = place
        self.selection_changed.emit()

    def release(self, event: QMouseEvent) -> None:
        self._autoscroll.stop()
        was_drag, self._dragging = self._dragging, False
        pressed, self._pressed = self._pressed, None
        if was_drag or pressed is None:
            self.selected.emit()
            self.look()
            return
        if self._selection.empty:
            self.clicked.emit(self.token_at(event.position()))

    def double_click(self, event: QMouseEvent) -> None:
        place = self._stage.place_at(self._to_document(event.position()), between=False)
        if place is not None:
            self._selection.select_word(place)
            self.selection_changed.emit()
        self._pressed = None

    def _drag(self) -> None:
        if self._at is None or self._press_place is None:
            return
        place = self._stage.place_at(self._to_document(self._at))
        if place is not None:
            self._selection.set(self._press_place, place)
            self.selection_changed.emit()
        outside = self._beyond()
        if outside and not self._autoscroll.isActive():
            self._autoscroll.start()
        elif not outside:
            self._autoscroll.stop()

    def _beyond(self) -> int:
        """How far the pointer is above (negative) or below the viewport."""
        if self._at is None:
            return 0
        y = int(self._at.y())
        return y if y < 0 else max(y - self._page(), 0)

    def _scroll_on(self) -> None:
        beyond = self._beyond()
        if not beyond or not self._dragging:
            self._autoscroll.stop()
            return
        step = max(-_FASTEST, min(_FASTEST, beyond))
        self.scroll_by.emit(step)
        self._drag()
