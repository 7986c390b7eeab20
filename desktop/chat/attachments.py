"""Keeps the answers' widgets where the scrolled text is: made when they come into view, hidden out of it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QRect, Signal
from PySide6.QtWidgets import QAbstractButton, QWidget

from desktop.chat.blocks import AnswerBlock, Part
from desktop.chat.footer import BannerBar, CodeCopy, FooterBar, ThinkingLine
from desktop.chat.selection import plain
from desktop.chat.stage import Stage


class Attachments(QObject):
    """Footers, banners and thinking lines of the answers in view."""

    pressed = Signal(str, str)  # what, turn id
    unfolded = Signal(str, bool)

    def __init__(self, stage: Stage, viewport: QWidget) -> None:
        super().__init__(viewport)
        self._stage = stage
        self._viewport = viewport
        self.footers: dict[str, FooterBar] = {}
        self.banners: dict[str, BannerBar] = {}
        self.lines: dict[str, ThinkingLine] = {}
        self.copies: dict[tuple[str, int, int], CodeCopy] = {}  # turn, part, code block
        self._ordered: list[QWidget] = []

    def drop_missing(self) -> None:
        """Turns are gone: so are their widgets."""
        kept = {block.id for block in self._stage.blocks}
        for pool in (self.footers, self.banners, self.lines):
            for turn_id in [turn_id for turn_id in pool if turn_id not in kept]:
                pool.pop(turn_id).deleteLater()
        for key in [key for key in self.copies if key[0] not in kept]:
            self.copies.pop(key).deleteLater()

    def measure_banner(self, block: AnswerBlock) -> None:
        """A banner's height depends on its words: known before it comes into view."""
        banner = block.footer.banner if block.footer is not None else None
        if banner is None:
            block.banner_height = 0
            if block.id in self.banners:
                self.banners.pop(block.id).deleteLater()
            return
        bar = self.banners.get(block.id)
        if bar is None:
            bar = self.banners[block.id] = BannerBar(self._viewport)
            bar.pressed.connect(lambda key, turn_id=block.id: self.pressed.emit(key, turn_id))
        bar.show_banner(banner, self._stage.brushes.theme)
        bar.ensurePolished()
        block.banner_height = bar.height_for(self._stage.width)

    def place(self, top: int, bottom: int) -> None:
        """Put everything where the document between two y's has it."""
        stage = self._stage
        shown: set[QWidget] = set()
        for number in stage.between(top, bottom):
            block = stage.blocks[number]
            if isinstance(block, AnswerBlock):
                self._place(block, stage.top(number) - top, bottom - top, shown)
        for number, part, y in stage.parts(top, bottom):
            if part.tokens is not None:
                self._place_copies(stage.blocks[number].id, part, y, top, bottom, shown)
        for pool in (self.footers, self.banners, self.lines, self.copies):
            for widget in pool.values():
                if widget not in shown and not widget.isHidden():
                    widget.hide()
        self._order(shown)

    def _order(self, shown: set[QWidget]) -> None:
        """Tab goes from the transcript through what shows of its widgets, from top to bottom."""
        wanted = sorted(shown, key=lambda widget: (widget.y(), widget.x()))
        if wanted == self._ordered:
            return
        self._ordered = wanted
        before: QWidget | None = self._viewport.parentWidget()
        for widget in wanted:
            inner: list[QWidget] = [*widget.findChildren(QAbstractButton)] or [widget]
            for control in inner:
                if before is not None:
                    QWidget.setTabOrder(before, control)
                before = control

    def _place_copies(
        self, turn_id: str, part: Part, y: int, top: int, bottom: int, shown: set[QWidget]
    ) -> None:
        """A button in the corner of each code block whose beginning shows."""
        layout = part.layout
        first, last = layout.chunk_at_y(max(top - y, 0)), layout.chunk_at_y(max(bottom - y, 0))
        for index in range(first, last + 1):
            if not layout.boxed(index) or not layout.box_edges(index)[0]:
                continue
            box = layout.chunk(index).box
            key = (turn_id, 0 if part.thinking else 1, box)
            button = self.copies.get(key)
            if button is None:
                button = self.copies[key] = CodeCopy(self._viewport)
            button.source = partial(self._code, part, index)
            side, gap = button.sizeHint().height(), self._stage.metrics.gap_small // 2
            edge = y + layout.heights.top(index) + layout.box_edges(index)[0] - top
            right = self._stage.left + part.x + layout.width
            self._put(button, QRect(right - side - gap, edge + gap, side, side), shown)

    def _code(self, part: Part, index: int) -> str:
        table = part.tokens.table if part.tokens is not None else None
        return plain(part, table, *part.layout.code(index))

    def _place(self, block: AnswerBlock, y: int, page: int, shown: set[QWidget]) -> None:
        stage, m = self._stage, self._stage.metrics
        if block.thinking is not None and -m.row < y < page:
            line = self._line(block)
            self._put(line, QRect(stage.left - m.gap_small, y, line.sizeHint().width(), m.row), shown)
        at = y + block.footer_top
        if block.footer_height:
            if -m.row < at < page:
                bar = self._footer(block)
                self._put(bar, QRect(stage.left, at + 1, stage.width, m.row), shown)
            at += block.footer_height
        if block.banner_height and at + m.gap_small < page:
            self._put(
                self.banners[block.id],
                QRect(stage.left, at + m.gap_small, stage.width, block.banner_height),
                shown,
            )

    def _put(self, widget: QWidget, rect: QRect, shown: set[QWidget]) -> None:
        shown.add(widget)
        if widget.geometry() != rect:
            widget.setGeometry(rect)
        if widget.isHidden():
            widget.show()

    def _footer(self, block: AnswerBlock) -> FooterBar:
        bar = self.footers.get(block.id)
        if bar is None:
            bar = self.footers[block.id] = FooterBar(self._viewport)
            bar.pressed.connect(lambda key, turn_id=block.id: self.pressed.emit(key, turn_id))
        if block.footer is not None:
            bar.show_footer(block.footer)
        return bar

    def _line(self, block: AnswerBlock) -> ThinkingLine:
        line = self.lines.get(block.id)
        if line is None:
            line = self.lines[block.id] = ThinkingLine(self._viewport)
            line.wanted.connect(lambda on, turn_id=block.id: self.unfolded.emit(turn_id, on))
        tokens = block.thinking_tokens
        times = block.turn.table.columns["t_ms"]
        spent = times[tokens.stop - 1] - times[tokens.start] if len(tokens) > 1 else None
        ended = not block.turn.thinking_open
        line.tell(
            len(tokens),
            spent,
            going_on=block.turn.live and not ended,
            ended=ended,
            open_=block.unfolded,
        )
        return line
