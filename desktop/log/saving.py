"""Writes the shown log lines into a file, in parts, outside the window's thread."""

from __future__ import annotations

import asyncio
from pathlib import Path

from core.errors import LoupeError
from core.log_lines import LogBuffer
from desktop.log.rows import PART, ShownRows, texts


async def save(rows: ShownRows, path: str) -> None:
    """All rows there are now. Raises LoupeError("log.not_saved")."""
    numbers = rows.numbers(range(len(rows)))
    await asyncio.to_thread(_write, rows.buffer, numbers, Path(path))


def _write(buffer: LogBuffer, numbers: list[int], path: Path) -> None:
    try:
        with path.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
            for first in range(0, len(numbers), PART):
                file.write(texts(buffer, numbers[first : first + PART]))
    except OSError as error:
        raise LoupeError("log.not_saved", path=str(path), detail=str(error)) from error
