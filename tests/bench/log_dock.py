"""log_frame_ms: what one frame of the log dock costs with a full ring while 5,000 lines a second arrive.

Run as a child: one JSON line a run. A frame is taking in what arrived since the last one and painting it.
"""

from __future__ import annotations

import json
import sys
import time

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from core.log_lines import CAPACITY, LogBuffer
from desktop.kit.theme import LIGHT
from desktop.log.panel import LogPanel
from desktop.log.view import LogView
from tests.bench.figures import percentile

RATE = 5_000  # lines a second
FRAMES_A_SECOND = 60
FRAMES = 600
LINE = (
    "(EngineCore pid=77) INFO 11-29 14:31:56 [backends.py:302] Compiling a graph for compile range ({}, 2048)"
)


class Painted:
    """Seconds that the view spent in painting since it was last asked."""

    def __init__(self) -> None:
        self.seconds = 0.0
        original = LogView.paintEvent

        def paint(view: LogView, event: object) -> None:
            begin = time.perf_counter()
            original(view, event)  # type: ignore[arg-type]
            self.seconds += time.perf_counter() - begin

        LogView.paintEvent = paint  # type: ignore[method-assign,assignment]


def run(painted: Painted) -> dict[str, float]:
    buffer = LogBuffer()
    for number in range(CAPACITY):
        buffer.add(LINE.format(number))
    panel = LogPanel(buffer)
    panel.set_theme(LIGHT)
    panel.resize(1280, 250)
    panel.show()
    while panel.view.rows.behind:
        panel.view.batcher.flush()
    costs = []
    for frame in range(FRAMES):
        due = RATE * (frame + 1) // FRAMES_A_SECOND - RATE * frame // FRAMES_A_SECOND
        for number in range(due):
            buffer.add(LINE.format(number))
        panel.notify()
        QApplication.sendPostedEvents(panel)
        painted.seconds = 0.0
        begin = time.perf_counter()
        panel.view.batcher.flush()
        taken = time.perf_counter() - begin
        QApplication.sendPostedEvents(None, QEvent.Type.UpdateRequest)
        QApplication.sendPostedEvents(None, QEvent.Type.UpdateLater)
        panel.view.viewport().repaint()
        costs.append((taken + painted.seconds) * 1000)
    panel.close()
    return {"log_frame_ms": percentile(costs, 0.5), "log_frame_ms_p99": percentile(costs, 0.99)}


def main(runs: int) -> None:
    app = QApplication([])
    painted = Painted()
    for _ in range(runs):
        print(json.dumps(run(painted)), flush=True)
    app.quit()


if __name__ == "__main__":
    main(int(sys.argv[1]))
