"""Where the viewport stands in the document: follows the end, keeps the text at the top still."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QScrollBar

from desktop.chat.blocks import Part
from desktop.chat.stage import Stage

_ROUNDS = 16  # corrections of heights before one paint; two or three are usual
_SLICE = 4_000  # characters of a long paragraph put right per turn of the event loop
_AT_END = 4


@dataclass(frozen=True, slots=True)
class Anchor:
    """A unit of text and where its line stands on the screen."""

    block: int
    part: int
    unit: int
    screen_y: int


class Scroller(QObject):
    """Owns the scroll position. Only text that is in view is laid out, one viewport more is kept."""

    moved = Signal()
    settled = Signal()  # lines of a long paragraph were put right
    following_changed = Signal()

    def __init__(self, stage: Stage, bar: QScrollBar, page: Callable[[], int], parent: QObject) -> None:
        super().__init__(parent)
        self._stage = stage
        self._bar = bar
        self._page = page
        self._own = False  # this object is moving the bar
        self._busy = False
        self._following = True
        self._shown = range(0)
        self._kept: Anchor | None = None
        self._loose: tuple[int, int, int] | None = None  # block, part, chunk
        self._tighten = QTimer(self)
        self._tighten.setInterval(0)
        self._tighten.timeout.connect(self._tighten_slice)
        bar.valueChanged.connect(self._bar_moved)

    @property
    def top(self) -> int:
        return self._bar.value()

    @property
    def bottom(self) -> int:
        return self._bar.value() + self._page()

    @property
    def following(self) -> bool:
        return self._following

    def follow(self, on: bool = True) -> None:
        if on != self._following:
            self._following = on
            self._kept = None
            self.following_changed.emit()

    def to_end(self) -> None:
        self.follow()
        self.settle()

    def check_end(self) -> None:
        """Follow the end if it is in view."""
        self.follow(self._bar.value() >= self._bar.maximum() - _AT_END)

    # --- settling ------------------------------------------------------------------------------------

    def settle(self, anchor: Anchor | None = None) -> None:
        """Lay out what shows and put the bar right. `anchor` holds still unless the end is followed."""
        if self._busy or not self._page() or not self._stage.width:
            return
        self._busy = True
        try:
            self._fit()
            if anchor is not None and not self._following:
                self._restore(anchor)
            for _ in range(_ROUNDS):
                if self._following:
                    self._set(self._bar.maximum())
                held = None if self._following else self.anchor()
                before = self._bar.maximum()
                moved = self._lay_visible()
                self._fit()
                if held is not None and moved:
                    self._restore(held)
                if not moved and self._bar.maximum() == before:
                    break
            if self._following:
                self._set(self._bar.maximum())
        finally:
            self._busy = False
        self._forget_hidden()
        self._look_for_loose()

    def _fit(self) -> None:
        page = self._page()
        self._own = True
        self._bar.setPageStep(page)
        self._bar.setSingleStep(self._stage.metrics.line)
        self._bar.setRange(0, max(self._stage.height - page, 0))
        self._own = False

    def _set(self, value: int) -> None:
        self._own = True
        self._bar.setValue(value)
        self._own = False

    def _lay_visible(self) -> bool:
        stage, top, bottom = self._stage, self.top, self.bottom
        moved = False
        for number in stage.between(top, bottom):
            start = stage.top(number)
            for part in stage.blocks[number].parts():
                moved |= self._lay_part(part, start + part.y, top, bottom)
            stage.refresh(number)
        return moved

    def _lay_part(self, part: Part, y: int, top: int, bottom: int) -> bool:
        layout = part.layout
        if y >= bottom or y + layout.height < top:
            return False
        first = layout.chunk_at_y(max(top - y, 0))
        last = layout.chunk_at_y(max(bottom - y, 0))
        moved = layout.settle(first, last)
        page = bottom - top
        layout.keep_only(
            layout.chunk_at_y(max(top - y - page, 0)), layout.chunk_at_y(max(bottom - y + page, 0))
        )
        return moved

    def _forget_hidden(self) -> None:
        """Blocks out of view hold no layouts."""
        shown = self._stage.between(self.top - self._page(), self.bottom + self._page())
        for number in self._shown:
            if number not in shown and number < len(self._stage.blocks):
                for part in self._stage.blocks[number].parts():
                    part.layout.keep_only(-1, -2)
        self._shown = shown

    # --- anchors -------------------------------------------------------------------------------------

    def anchor(self) -> Anchor | None:
        """The first text in view whose place is known exactly; else the text at the top."""
        stage, top, bottom = self._stage, self.top, self.bottom
        fallback: Anchor | None = None
        for number, part, y in stage.parts(top, bottom):
            layout = part.layout
            order = 0 if part.thinking else 1
            first, last = layout.chunk_at_y(max(top - y, 0)), layout.chunk_at_y(max(bottom - y, 0))
            for index in range(first, last + 1):
                chunk_top = y + layout.heights.top(index)
                chunk = layout.chunk(index)
                if fallback is None:
                    fallback = Anchor(number, order, chunk.start, chunk_top - top)
                if not chunk.lines:
                    continue
                laid = layout.lay(index)
                line = next((n for n in range(len(laid.lines)) if chunk_top + laid.tops[n + 1] > top), None)
                if line is None:
                    continue
                return Anchor(number, order, laid.starts[line], chunk_top + laid.tops[line] - top)
        return fallback

    def kept_anchor(self) -> Anchor | None:
        """The anchor that holds through a series of resizes: one line each would add up to a drift."""
        if self._kept is None and not self._following:
            self._kept = self.anchor()
        return self._kept

    def _restore(self, anchor: Anchor) -> None:
        stage = self._stage
        if anchor.block >= len(stage.blocks):
            return
        part = stage.shown_part(anchor.block, anchor.part)
        if part is None:
            return
        line = part.layout.y_of(anchor.unit)
        stage.refresh(anchor.block)
        self._fit()
        self._set(stage.top(anchor.block) + part.y + line - anchor.screen_y)

    # --- long paragraphs at a new width --------------------------------------------------------------

    def _look_for_loose(self) -> None:
        self._loose = None
        for number, part, y in self._stage.parts(self.top, self.bottom):
            layout = part.layout
            found = layout.loose(
                layout.chunk_at_y(max(self.top - y, 0)), layout.chunk_at_y(max(self.bottom - y, 0))
            )
            if found is not None:
                self._loose = number, 0 if part.thinking else 1, found
                break
        if self._loose is None:
            self._tighten.stop()
        elif not self._tighten.isActive():
            self._tighten.start()

    def _tighten_slice(self) -> None:
        """A paragraph of many chunks gets its line starts right from its beginning, a slice at a time."""
        if self._loose is None:
            self._tighten.stop()
            return
        number, order, index = self._loose
        part = self._stage.shown_part(number, order) if number < len(self._stage.blocks) else None
        if part is None:
            self._loose = None
            return
        held = self._kept or self.anchor()
        ahead = part.layout.tighten(index, _SLICE)
        self._stage.refresh(number)
        self._loose = None if ahead is None else (number, order, ahead)
        if ahead is None:
            self._tighten.stop()
            self.settle(held)
        else:
            self._busy = True
            self._fit()
            if self._following:
                self._set(self._bar.maximum())
            elif held is not None:
                self._restore(held)
            self._lay_visible()
            self._busy = False
        self.settled.emit()

    @property
    def tightening(self) -> bool:
        return self._tighten.isActive()

    # --- the person scrolls --------------------------------------------------------------------------

    def _bar_moved(self, value: int) -> None:
        if self._own:
            return
        self._kept = None
        self.follow(value >= self._bar.maximum() - _AT_END)
        self.settle()
        self.moved.emit()

    def show_rect(self, top: float, bottom: float) -> bool:
        """Scroll as little as needed so that this part of the document is in view, with a line to spare.
        True if that moved the view; `moved` is not told: nobody scrolled."""
        spare = self._stage.metrics.line
        value = self.top
        if top - spare < self.top:
            value = int(top - spare)
        elif bottom + spare > self.bottom:
            value = int(bottom + spare - self._page())
        value = max(min(value, self._bar.maximum()), 0)
        if value == self.top:
            return False
        self._kept = None
        self._set(value)
        self.check_end()
        self.settle()
        return True
