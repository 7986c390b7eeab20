"""The real program fed by `tests.bench.feed`: one answer streams, then the pointer rests on its tokens.

A process of its own for each run (`python -m tests.bench.stream RATE TOKENS PARAGRAPH [http]`); prints one
line of JSON. With `http` the tokens come from a server, through the vLLM engine.
Looks from outside wherever it can: it types into the composer, moves the pointer, and times the event loop,
what a frame costs (taking the new rows in, laying out, painting) and when each token has been painted.
"""

from __future__ import annotations

import bisect
import json
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QCursor, QMouseEvent
from PySide6.QtWidgets import QApplication

from tests.bench import paced
from tests.bench.figures import percentile
from tests.bench.probe import Collections, Heartbeat, Timed, resident, stalls

IDLE_SECONDS = 5.0
HOVERS = 12


class Run(QObject):
    """Goes from step to step on timers of its own; `finish` writes the figures and ends the program."""

    def __init__(self, rate: int, tokens: int, paragraph: int, clock: Path) -> None:
        super().__init__()
        self._order = {"rate": rate, "tokens": tokens, "paragraph": paragraph}
        self._clock = clock
        self._beat = Heartbeat()
        self._collections = Collections()
        self._timed = Timed(self._frame_part)
        self._shown = 0
        self._pictures: list[tuple[float, int]] = []  # (time, rows in it)
        self._hovers: list[float] = []
        self._rested = 0.0
        self._figures: dict[str, float] = {}
        self._window: Any = None
        self._view: Any = None
        self._resident = 0

    # --- step by step ------------------------------------------------------------------------------------

    def install(self) -> None:
        """Before the window is made."""
        from desktop.chat.view import TranscriptView
        from desktop.inspector.presenter import InspectorPresenter

        self._timed.wrap(TranscriptView, "_drain")
        self._timed.wrap(TranscriptView, "paintEvent", ends_frame=True)
        original: Any = InspectorPresenter._rested

        def rested(presenter: Any) -> None:
            self._rested = time.perf_counter()  # the delay is over
            original(presenter)

        InspectorPresenter._rested = rested  # type: ignore[method-assign]

    def begin(self, window: Any) -> None:
        from desktop.chat.composer import Composer
        from desktop.chat.view import TranscriptView

        self._window = window
        self._view = window.findChild(TranscriptView)
        self._composer = window.findChild(Composer)
        self._until(self._ready, self._idle)

    def _idle(self) -> None:
        self._beat.start()
        QTimer.singleShot(int(IDLE_SECONDS * 1000), self._stream)

    def _stream(self) -> None:
        late = self._beat.stop()
        self._figures |= stalls(late, "idle_")
        self._timed.start()
        self._pictures.clear()
        self._resident = resident()
        self._collections.start()
        self._beat.start()
        self._composer.ask(json.dumps(self._order))
        self._until(self._ended, self._measured)

    def _ended(self) -> bool:
        table = self._table()
        return table is not None and len(table) >= self._order["tokens"] and self._ready()

    def _ready(self) -> bool:
        from desktop.chat.composer_state import Button, Reason

        state = self._composer.state
        return state.button is Button.SEND and state.reason in (Reason.NONE, Reason.EMPTY)

    def _measured(self) -> None:
        pauses = self._collections.stop()
        table = self._table()
        late = self._beat.stop()
        frames = list(self._timed.frames)
        self._figures |= stalls(late)
        self._figures["frame_ms_p99"] = percentile(frames, 0.99)
        self._figures["frame_ms_median"] = percentile(frames, 0.5)
        self._figures["frame_ms_max"] = max(frames)
        self._figures["frames"] = len(frames)
        self._figures["gc_ms_max"] = max(pauses, default=0.0)
        self._figures["gc_ms_sum"] = sum(pauses)
        self._figures["gc_count"] = len(pauses)
        held = [*table.columns.values(), *table._chunks, *table._tail]
        self._figures["bytes_per_token"] = sum(map(sys.getsizeof, held)) / len(table)
        self._figures["resident_bytes_per_token"] = (resident() - self._resident) / len(table)
        self._figures |= self._lags(table)
        self._view.to_end()
        # the screen's own pointer must not lie on a card: that would keep it open
        QCursor.setPos(self._window.screen().geometry().bottomRight())
        QTimer.singleShot(200, self._hover)

    def _lags(self, table: Any) -> dict[str, float]:
        """From the moment the feed made a token to the end of the paint that first had it."""
        counts = [count for _, count in self._pictures]
        lags = []
        for index, stamp in enumerate(self._stamps(table)):
            at = bisect.bisect_right(counts, index)
            if at < len(counts):
                lags.append((self._pictures[at][0] - stamp) * 1000)
        return {
            "tail_lag_ms": percentile(lags, 0.5),
            "tail_lag_ms_p99": percentile(lags, 0.99),
            "tail_lag_ms_max": max(lags),
        }

    def _stamps(self, table: Any) -> list[float]:
        """When each token was made, in seconds of the steady clock that all processes share."""
        told = json.loads(self._clock.read_text())
        if isinstance(told, list):
            return told
        return [told / 1e9 + stamp / 1000 for stamp in table.columns["t_ms"]]

    def _hover(self) -> None:
        """The pointer rests on token after token: from the end of the delay until the card is painted."""
        if len(self._hovers) == HOVERS:
            self._finish()
            return
        self._move(self._place(len(self._hovers)))

        def shown() -> None:
            self._hovers.append((time.perf_counter() - self._rested) * 1000)
            self._move(QPointF(2, 2))
            QTimer.singleShot(400, self._hover)

        CardWatch(self, shown)

    def _finish(self) -> None:
        self._figures["hover_to_card_ms"] = percentile(self._hovers, 0.5)
        self._figures["hover_to_card_ms_max"] = max(self._hovers)
        print(json.dumps(self._figures), flush=True)
        os.kill(os.getpid(), signal.SIGTERM)

    # --- tools -------------------------------------------------------------------------------------------

    def _frame_part(self, view: Any, name: str) -> None:
        if name == "paintEvent":
            self._pictures.append((time.perf_counter(), self._shown))
        elif self._view is not None:
            table = self._table()
            self._shown = len(table) if table is not None else 0

    def _table(self) -> Any:
        from desktop.chat.turns import AnswerTurn

        answers = [block.turn for block in self._view._stage.blocks if isinstance(block.turn, AnswerTurn)]
        return answers[-1].table if answers else None

    def _until(self, ready: Callable[[], bool], then: Callable[[], None]) -> None:
        def look() -> None:
            if ready():
                timer.stop()
                timer.deleteLater()
                then()

        timer = QTimer(self)
        timer.setInterval(50)
        timer.timeout.connect(look)
        timer.start()

    def _place(self, number: int) -> QPointF:
        """A point of the viewport on some token: `number` chooses where to look first."""
        viewport = self._view.viewport()
        left, width = self._view.column()
        height = viewport.height()
        for step in range(400):
            x = left + 20 + (number * 97 + step * 13) % max(1, width - 60)
            y = 20 + (number * 53 + step * 7) % max(1, height - 200)
            if self._view.token_at(QPointF(x, y)) is not None:
                return QPointF(x, y)
        raise RuntimeError("no token in view")

    def _move(self, point: QPointF) -> None:
        viewport = self._view.viewport()
        event = QMouseEvent(
            QEvent.Type.MouseMove,
            point,
            viewport.mapToGlobal(point),
            Qt.MouseButton.NoButton,
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QCoreApplication.sendEvent(viewport, event)


class CardWatch(QObject):
    """Calls `shown` once, when a token card has been painted and flushed."""

    def __init__(self, parent: QObject, shown: Callable[[], None]) -> None:
        super().__init__(parent)
        self._shown = shown
        QApplication.instance().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        from desktop.inspector.card import TokenCard

        if event.type() == QEvent.Type.Paint and isinstance(watched, TokenCard):
            QApplication.instance().removeEventFilter(self)
            QTimer.singleShot(0, self._shown)  # after the paint
        return False


def server(stack: ExitStack, order: tuple[int, int, int], clock: Path) -> None:
    """Run one for this process, and have the program connect to it at its start."""
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    process = spawn.Process(target=paced.serve, args=(there, order, clock))
    process.start()
    os.environ["VLLM_URL"] = here.recv()
    stack.callback(process.join)
    stack.callback(here.send, None)


def main(arguments: list[str]) -> int:
    rate, tokens, paragraph = map(int, arguments[:3])
    from core.worker import client
    from desktop.__main__ import main as program
    from desktop.window.main_window import MainWindow

    with ExitStack() as folders:
        clock = Path(folders.enter_context(tempfile.TemporaryDirectory())) / "clock"
        os.environ["TOKENLOUPE_FEED_CLOCK"] = str(clock)
        own = client.worker_command
        feed = [sys.executable, "-m", "tests.bench.feed", "--worker"]
        client.worker_command = lambda *service: own(*service) if service else feed
        if "http" in arguments:
            server(folders, (rate, tokens, paragraph), clock)
        run = Run(rate, tokens, paragraph, clock)
        run.install()
        begun: list[Any] = []
        original: Any = MainWindow.event

        def event(window: Any, happened: QEvent) -> bool:
            done = bool(original(window, happened))
            if happened.type() == QEvent.Type.UpdateRequest and not begun:
                begun.append(window)
                run.begin(window)
            return done

        MainWindow.event = event  # type: ignore[method-assign]
        sys.argv = ["tokenloupe"]
        return int(program() or 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
