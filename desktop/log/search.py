"""A search through the shown log rows that can be done in parts, while rows come and go. No Qt."""

from __future__ import annotations

from desktop.log.rows import ShownRows

PART = 2_000  # rows looked at in one turn of the event loop: some milliseconds


class Search:
    """The next row from `start` (itself included) with these words, case ignored, going round once.

    `advance` until `over`; then `found` is the row's number in the buffer, which stays the same when older
    rows are dropped, or None.
    """

    def __init__(self, rows: ShownRows, words: str, start: int, step: int) -> None:
        self._rows, self._words, self._step = rows, words.casefold(), step
        self._left = len(rows) if words else 0
        self._next = rows.number(start % len(rows)) if self._left else 0
        self.found: int | None = None

    @property
    def over(self) -> bool:
        return self.found is not None or self._left <= 0

    def advance(self, part: int = PART) -> None:
        """Look at so many more rows at most."""
        rows, words, step = self._rows, self._words, self._step
        size = len(rows)
        if not size:
            self._left = 0
            return
        row = min(rows.row_of(self._next), size - 1)
        for _ in range(min(part, self._left)):
            line = rows.line(row)
            if line is not None and words in line.text.casefold():
                self.found = line.number
                return
            row = (row + step) % size
        self._left -= part
        self._next = rows.number(row)
