"""What is kept of a container's log."""

from __future__ import annotations

from core.log_lines import LONGEST
from core.server.access import LogPiece
from core.server.watch import Tail


def test_beginning_and_end_of_a_log_and_of_a_line_are_kept_and_no_more() -> None:
    """Case G03: a line of megabytes, and many of them."""
    tail = Tail()
    tail.add(tuple(LogPiece(n, f"{n} begins {'x' * 1_000_000} {n} ends") for n in range(3)))
    for n in range(20_000):
        tail.add((LogPiece(n, str(n)),))
    kept = [piece.text for piece in tail]
    assert len(kept) == len(tail) == 8000
    assert (kept[3], kept[-1]) == ("0", "19999")
    assert all(
        text.startswith(f"{n} begins x") and text.endswith(f"x {n} ends") for n, text in enumerate(kept[:3])
    )
    assert sum(map(len, kept)) < 3 * (2 * LONGEST + 1) + 50_000
