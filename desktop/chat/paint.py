"""Paints what shows of the transcript: boxes, tints, selection, text, marks, caret."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from desktop.chat.blocks import NOTE_FLAGS, AnswerBlock, Part, QuestionBlock
from desktop.chat.laid import Laid, x_of
from desktop.chat.selection import Selection
from desktop.chat.stage import Stage
from desktop.chat.turns import TokenRef
from desktop.kit import fonts


@dataclass(slots=True)
class Marks:
    """What is marked now. `pulse`: 0..1, how strong the waiting dot is."""

    hovered: TokenRef | None = None
    cursor: TokenRef | None = None
    heat: str = "both"
    pulse: float = 1.0


class TranscriptPainter:
    """Costs what shows, nothing else."""

    def __init__(self, stage: Stage, selection: Selection) -> None:
        self._stage = stage
        self._selection = selection

    def paint(self, painter: QPainter, origin: int, top: int, bottom: int, marks: Marks) -> None:
        """The document between two y's; the viewport's origin is at y `origin` of it."""
        stage = self._stage
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(0, -origin)
        for number in stage.between(top, bottom):
            block = stage.blocks[number]
            y = stage.top(number)
            if isinstance(block, QuestionBlock):
                self._question(painter, block, y)
            else:
                self._under(painter, block, y, marks)
            for part in block.parts():
                self._part(painter, number, part, y + part.y, top, bottom, marks)
            if isinstance(block, AnswerBlock):
                self._over(painter, block, y)
        self._rings(painter, marks)

    # --- blocks --------------------------------------------------------------------------------------

    def _question(self, painter: QPainter, block: QuestionBlock, y: int) -> None:
        stage, m = self._stage, self._stage.metrics
        box = QRectF(stage.left, y, stage.width, block.box_height)
        stage.brushes.box(painter, box, m.box_radius)
        if block.note_height:
            painter.setFont(fonts.font("small"))
            painter.setPen(stage.brushes.text3)
            note = QRectF(
                stage.left + m.gap_large,
                y + block.box_height - m.gap_small - block.note_height,
                stage.width - 2 * m.gap_large,
                block.note_height,
            )
            painter.drawText(note, NOTE_FLAGS, block.turn.note)

    def _under(self, painter: QPainter, block: AnswerBlock, y: int, marks: Marks) -> None:
        """The waiting line, and the rule beside unfolded thinking."""
        stage, m = self._stage, self._stage.metrics
        if block.thinking is not None and block.unfolded:
            rule = QRectF(stage.left + 1, y + m.row, 2, block.thinking.layout.height)
            painter.fillRect(rule, stage.brushes.line)
        if not block.waits:
            return
        line = QRectF(stage.left, y + block.text_bottom, stage.width, m.line)
        size = fonts.px(8) * (0.7 + 0.3 * marks.pulse)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(stage.brushes.accent)
        painter.setOpacity(0.45 + 0.55 * marks.pulse)
        painter.drawEllipse(QPointF(line.left() + fonts.px(5), line.center().y()), size / 2, size / 2)
        painter.setOpacity(1)
        painter.setFont(fonts.font("small"))
        painter.setPen(stage.brushes.text3)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        painter.drawText(line.adjusted(fonts.px(18), 0, 0, 0), flags, block.status)

    def _over(self, painter: QPainter, block: AnswerBlock, y: int) -> None:
        """The caret of a running answer, and the line over the footer."""
        stage = self._stage
        if block.footer_height:
            line = QRectF(stage.left, y + block.footer_top, stage.width, 1)
            painter.fillRect(line, stage.brushes.line)
        if block.turn.live and not block.waits:
            box = self.caret(block)
            if box is not None:
                painter.fillRect(box.translated(stage.left, y), stage.brushes.accent)

    def caret(self, block: AnswerBlock) -> QRectF | None:
        """After the last character; None while only folded thinking grows."""
        part = None
        for shown in block.parts():
            part = shown
            if block.turn.thinking_open and shown.thinking:
                break
        if part is None or (block.turn.thinking_open and not part.thinking):
            return None
        layout, m = part.layout, self._stage.metrics
        index = len(layout.flow.chunks) - 1
        while index and not layout.chunk(index).size and not layout.boxed(index):
            index -= 1
        laid = layout.lay(index)
        if not laid.lines:
            return None
        number = len(laid.lines) - 1
        edge = x_of(laid.lines[number], laid.shift + laid.stop - laid.start)
        inset = m.code_inset if layout.boxed(index) else m.token_inset + 1
        x = part.x + edge + (-4 if laid.rtl else 2)
        top = part.y + layout.heights.top(index) + laid.tops[number]
        return QRectF(x, top + inset, 2, laid.line - 2 * inset)

    # --- text ----------------------------------------------------------------------------------------

    def _part(
        self, painter: QPainter, number: int, part: Part, y: int, top: int, bottom: int, marks: Marks
    ) -> None:
        layout = part.layout
        if y >= bottom or y + layout.height <= top:
            return
        stage = self._stage
        first = layout.chunk_at_y(max(top - y, 0))
        last = layout.chunk_at_y(max(bottom - y, 0))
        self._boxes(painter, part, y, first, last)
        selected = self._selection.within(number, part)
        x, chunk_y = stage.left + part.x, y + layout.heights.top(first)
        for index in range(first, last + 1):
            laid = layout.lay(index)
            at = QPointF(x, chunk_y)
            if part.tokens is not None:
                tints, guesses = part.tokens.tints(index), part.tokens.guesses(index)
                if tints or guesses:
                    painter.translate(at)
                    stage.brushes.tints(painter, tints, stage.metrics.token_radius, marks.heat)
                    stage.brushes.guesses(painter, guesses)
                    painter.translate(-at)
            if selected is not None and selected[0] < layout.chunk(index).end and selected[1] > laid.start:
                self._selected(painter, laid, layout.chunk(index).ending, at, *selected)
            painter.setPen(stage.brushes.text)
            if laid.lines:
                laid.layout.draw(painter, at)
            chunk_y += layout.heights[index]

    def _boxes(self, painter: QPainter, part: Part, y: int, first: int, last: int) -> None:
        """Side boxes behind code blocks, one for all their chunks that show."""
        stage, layout = self._stage, part.layout
        index = first
        while index <= last:
            if not layout.boxed(index):
                index += 1
                continue
            begin = index
            while index < last and layout.chunk(index + 1).box == layout.chunk(begin).box:
                index += 1
            opens, closes = layout.box_edges(begin)[0], layout.box_edges(index)[1]
            beyond = 2 * stage.metrics.box_radius  # an edge out of view stays out of view
            box_top = y + layout.heights.top(begin) + (opens or -beyond)
            box_bottom = y + layout.heights.top(index) + layout.heights[index] - (closes or -beyond)
            width = layout.width
            painter.save()
            painter.setClipRect(
                QRectF(
                    stage.left + part.x,
                    y + layout.heights.top(begin),
                    width,
                    layout.heights.top(index) + layout.heights[index] - layout.heights.top(begin),
                )
            )
            stage.brushes.box(
                painter,
                QRectF(stage.left + part.x, box_top, width, box_bottom - box_top),
                stage.metrics.box_radius,
            )
            painter.restore()
            index += 1

    def _selected(
        self, painter: QPainter, laid: Laid, ending: str, at: QPointF, first: int, last: int
    ) -> None:
        colour = self._stage.brushes.selection
        a, b = max(first, laid.start), min(last, laid.stop)
        for number in range(len(laid.lines)):
            low, high = max(a, laid.starts[number]), min(b, laid.line_stop(number))
            height = laid.tops[number + 1] - laid.tops[number]
            y = at.y() + laid.tops[number]
            if low < high:
                for left, right in laid.segments(number, low, high):
                    x = math.floor(at.x() + left)
                    painter.fillRect(QRectF(x, y, math.ceil(at.x() + right) - x, height), colour)
            if ending and number == len(laid.lines) - 1 and first <= laid.stop < last:
                edge = laid.edge(number)
                wide = self._stage.metrics.space
                start = at.x() + (edge - wide if laid.rtl else edge)
                painter.fillRect(QRectF(start, y, wide, height), colour)

    def _rings(self, painter: QPainter, marks: Marks) -> None:
        """Around all tokens that share the character; the cursor's own over that of an open card."""
        for ref, cursor in ((marks.hovered, False), (marks.cursor, True)):
            if ref is None or self._stage.part_of(ref) is None:
                continue
            seen: set[tuple[float, float]] = set()
            for index in self._stage.group(ref):
                one = TokenRef(ref.turn_id, index)
                for rect in self._stage.rects(one):
                    if (rect.x(), rect.y()) not in seen:
                        seen.add((rect.x(), rect.y()))
                        self._stage.brushes.ring(painter, rect, cursor=cursor)
                        if self._stage.is_line_end(one):
                            self._line_end(painter, rect)

    def _line_end(self, painter: QPainter, rect: QRectF) -> None:
        """A token of line ends only shows what it is while it is marked."""
        painter.setFont(fonts.font("small"))
        painter.setPen(self._stage.brushes.text3)
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, "↵")
