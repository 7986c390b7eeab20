"""One chunk laid out: its lines, and the way between units and pixels."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QTextFormat, QTextLayout, QTextLine, QTextOption

from desktop.chat.characters import CONTEXT, flat, has_right_to_left, shown
from desktop.chat.transcript import Chunk

PILL = -1  # a special token
WHOLE = int(QTextFormat.Property.UserProperty.value)  # of a format: what has it stays on one line


class Tint(NamedTuple):
    """What is painted behind a token: relative to its chunk, on whole pixels sideways, and its heat step."""

    rect: QRectF
    step: int


class Box(NamedTuple):
    """A character of a line: where it is painted, its units, the direction it is read in."""

    left: float
    right: float
    first: int
    last: int
    rtl: bool


class Laid:
    """Lines of one chunk. Units are those of the flow, pixels count from the chunk's top left corner.

    Text around the chunk that decides about directions is laid out with it (`before`: one invisible mark,
    `after`: some of what follows) but never becomes a line of its own.
    """

    __slots__ = (
        "_boxes",
        "_prefix",
        "ascii",
        "bidi",
        "flat",
        "guesses",
        "heat",
        "height",
        "layout",
        "line",
        "lines",
        "rtl",
        "start",
        "starts",
        "stop",
        "tops",
        "width",
        "x",
    )

    def __init__(
        self,
        chunk: Chunk,
        font: QFont,
        formats: list[QTextLayout.FormatRange],
        *,
        width: float,
        x: float,
        top: int,
        line: int,
        tab: float,
        before: str = "",
        after: str = "",
    ) -> None:
        self.start, self.stop, self.rtl = chunk.start, chunk.stop, chunk.rtl
        self.flat = flat(chunk.text)
        self.ascii = chunk.text.isascii()
        self.bidi = chunk.rtl or has_right_to_left(chunk.text) or bool(before)
        mark = CONTEXT[before]
        self._prefix = len(mark)
        self.x, self.width, self.line = x, width, line
        self.heat: list[Tint] | None = None
        self.guesses: list[QRectF] | None = None
        text = mark + shown(chunk.text, ends=bool(chunk.ending)) + after
        self.layout = QTextLayout(text, font)
        self.layout.setTextOption(_option(chunk.rtl, tab))
        self.layout.setCacheEnabled(True)
        if formats:
            for one in formats:
                one.start -= self.start - self._prefix
            self.layout.setFormats(formats)
        self._boxes: dict[int, list[Box]] = {}
        self.lines: list[QTextLine] = []
        self.starts: list[int] = []  # first unit of each line
        self.tops: list[int] = []
        whole = [(one.start, one.start + one.length) for one in formats if one.format.hasProperty(WHOLE)]
        self._break(top, chunk.size + self._prefix, whole)

    def _break(self, top: int, size: int, whole: list[tuple[int, int]]) -> None:
        y, end = top, 0
        self.layout.beginLayout()
        # text that follows only gives context: no line begins in it
        while not self.lines or end < size:
            line = self.layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(self.width)
            self._keep_whole(line, whole)
            height = line.height()
            pitch = max(self.line, int(height + 0.999))
            # by the line's own height: a fallback font may be taller than the first one
            line.setPosition(QPointF(self.x, y + (pitch - height) / 2))
            self.lines.append(line)
            self.starts.append(max(line.textStart() - self._prefix, 0) + self.start)
            self.tops.append(y)
            y += pitch
            end = line.textStart() + line.textLength()
        self.layout.endLayout()
        self.tops.append(y)
        self.height = y

    def _keep_whole(self, line: QTextLine, whole: list[tuple[int, int]]) -> None:
        """Break before what must not be broken, unless it fills the line by itself."""
        end = line.textStart() + line.textLength()
        for first, last in whole:
            if line.textStart() < first < end < last:
                line.setNumColumns(first - line.textStart(), self.width)
                return

    # --- units → pixels ------------------------------------------------------------------------------

    @property
    def shift(self) -> int:
        """Units that the layout's text has before the chunk's own."""
        return self._prefix

    def line_of(self, unit: int) -> int:
        return max(bisect_right(self.starts, unit) - 1, 0)

    def line_stop(self, number: int) -> int:
        """Unit after the last one of this line."""
        return self.starts[number + 1] if number + 1 < len(self.starts) else self.stop

    def snap(self, first: int, last: int) -> tuple[int, int]:
        """[first, last) widened to whole characters as a reader counts them."""
        if self.ascii:
            return first, last
        shift = self._prefix - self.start
        a, b = first + shift, last + shift
        layout = self.layout
        if not layout.isValidCursorPosition(a):
            a = layout.previousCursorPosition(a)
        if b > a and not layout.isValidCursorPosition(b):
            b = layout.nextCursorPosition(b)
        return max(a - shift, self.start), min(b - shift, self.stop)

    def segments(self, number: int, first: int, last: int) -> list[tuple[float, float]]:
        """Where units [first, last) of one line stand, as (left, right); more than one if directions mix."""
        line = self.lines[number]
        shift = self._prefix - self.start
        if not self.bidi:
            left = x_of(line, first + shift)
            return [(left, max(x_of(line, last + shift), left))]
        merged: list[tuple[float, float]] = []
        for box in self.boxes(number):
            if box.first >= last or box.last <= first:
                continue
            if merged and box.left <= merged[-1][1] + 1:
                merged[-1] = (merged[-1][0], max(box.right, merged[-1][1]))
            else:
                merged.append((box.left, box.right))
        return merged

    def edge(self, number: int) -> float:
        """Where the text of a line ends: its right end, the left one of a right-to-left paragraph."""
        rect = self.lines[number].naturalTextRect()
        return rect.left() if self.rtl else rect.right()

    # --- pixels → units ------------------------------------------------------------------------------

    def unit_at(self, x: float, y: float) -> tuple[int, bool]:
        """(the unit at or nearest to the point, whether the point is on text)."""
        number = self._line_at(y)
        line = self.lines[number]
        rect = line.naturalTextRect()
        on = rect.left() <= x <= rect.right()
        last = max(self.line_stop(number) - 1, self.starts[number])
        if not self.ascii:
            box = self._box_at(number, x)
            unit = box.first if box is not None else self.starts[number]
            return min(unit, last), on and box is not None
        unit = line.xToCursor(x, QTextLine.CursorPosition.CursorOnCharacter) - self._prefix + self.start
        return min(max(unit, self.starts[number]), last), on and self.stop > self.start

    def caret_at(self, x: float, y: float) -> int:
        """The unit before which a selection that ends at this point ends."""
        number = self._line_at(y)
        if not self.ascii:
            box = self._box_at(number, x)
            if box is None:
                return self.starts[number]
            left_half = x < (box.left + box.right) / 2
            return box.first if left_half != box.rtl else box.last
        line = self.lines[number]
        position = line.xToCursor(x, QTextLine.CursorPosition.CursorBetweenCharacters)
        unit = position - self._prefix + self.start
        return min(max(unit, self.starts[number]), self.line_stop(number))

    def _line_at(self, y: float) -> int:
        return min(max(bisect_right(self.tops, y) - 1, 0), len(self.lines) - 1)

    def _box_at(self, number: int, x: float) -> Box | None:
        """The character at or nearest to x."""
        boxes = self.boxes(number)
        if not boxes:
            return None
        return boxes[max(bisect_right(boxes, x, key=attrgetter("left")) - 1, 0)]

    def boxes(self, number: int) -> list[Box]:
        """The characters of a line from left to right. Worked out once a line, where text is not plain ASCII.

        Where directions mix, Qt's xToCursor and cursorToX are not to be trusted (blanks at the line's end,
        edges of runs). Sure is where the glyphs of a run begin and end, and how wide its characters are;
        single glyphs may be drawn beside their place (lam and alef).
        """
        found = self._boxes.get(number)
        if found is None:
            found = self._boxes[number] = sorted(self._measure(number), key=attrgetter("left"))
        return found

    def _measure(self, number: int) -> Iterator[Box]:
        line, layout, shift = self.lines[number], self.layout, self._prefix - self.start
        at, stop = self.starts[number] + shift, self.line_stop(number) + shift
        run: list[Box] = []  # of one direction
        while at < stop:
            following = min(max(layout.nextCursorPosition(at), at + 1), stop)
            if self.bidi:
                glyphs = line.glyphRuns(at, following - at)
                if not glyphs and self.flat[at - shift - self.start] == " ":
                    break  # blanks at the line's end hang anywhere and own nothing
                rects = [one.boundingRect() for one in glyphs]
                left = min((rect.left() for rect in rects), default=0.0)
                right = max((rect.right() for rect in rects), default=left)
                rtl = glyphs[0].isRightToLeft() if glyphs else bool(run) and run[-1].rtl
            else:
                left, right, rtl = x_of(line, at), x_of(line, following), False
            if run and run[-1].rtl != rtl:
                yield from _in_place(run)
                run = []
            run.append(Box(left, right, at - shift, following - shift, rtl))
            at = following
        yield from _in_place(run)


def _in_place(run: list[Box]) -> list[Box]:
    """The boxes of a run one beside the other, from its first edge on, if their widths fill it, or if most of
    them stand there: a ligature at the run's far edge is drawn beside its place and makes it look shorter.
    """
    boxes = [box for box in run if box.right > box.left]
    if not boxes:
        return []
    left, right = min(box.left for box in boxes), max(box.right for box in boxes)
    fills = abs(sum(box.right - box.left for box in boxes) - (right - left)) <= 1
    placed: list[Box] = []
    at = right if boxes[0].rtl else left
    for box in boxes:
        wide = box.right - box.left
        start = at - wide if box.rtl else at
        placed.append(box._replace(left=start, right=start + wide))
        at = start if box.rtl else start + wide
    agree = sum(abs(box.left - other.left) <= 1 for box, other in zip(boxes, placed, strict=True))
    return placed if fills or 2 * agree > len(boxes) else boxes


def x_of(line: QTextLine, position: int) -> float:
    """Pixel of a cursor position of the line."""
    return float(line.cursorToX(position)[0])  # type: ignore[index]  # the stubs say object


def _option(rtl: bool, tab: float) -> QTextOption:
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    # said, never guessed: a continuation would guess from its own first character
    option.setTextDirection(Qt.LayoutDirection.RightToLeft if rtl else Qt.LayoutDirection.LeftToRight)
    if rtl:
        option.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
    option.setTabStopDistance(tab)
    return option
