"""The event loop's life: results, errors, the quit order, signals, and what hangs being left behind."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QTimer, qWarning
from PySide6.QtWidgets import QApplication, QPushButton

from core.errors import LoupeError
from desktop import loop
from desktop.kit.reporter import Reporter

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def the_run_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long this process is held up: the limits of an end here would end all the tests with it."""
    monkeypatch.setattr(loop, "leave", lambda code: None)


async def turns() -> None:
    """Let Qt and asyncio deliver what is queued."""
    for _ in range(10):
        await asyncio.sleep(0)


NEVER: list[asyncio.Event] = []  # held, or a task that waits for nothing reachable would be collected


async def forever() -> None:
    NEVER.append(asyncio.Event())
    await NEVER[-1].wait()


class Box(QObject):
    """Keeps what the reporter tells."""

    def __init__(self, reporter: Reporter) -> None:
        super().__init__()
        self.errors: list[LoupeError] = []
        reporter.failed.connect(self.errors.append)


def test_gives_the_exit_code_and_runs_main_on_qts_loop(qapp: QApplication) -> None:
    seen = []

    async def main() -> int:
        QTimer.singleShot(0, lambda: seen.append("qt"))
        await turns()
        seen.append(await asyncio.to_thread(lambda: threading.current_thread().name))
        return 7

    assert loop.run(main) == 7
    assert seen[0] == "qt" and seen[1].startswith("loupe-pool")
    assert not qapp.quitOnLastWindowClosed()


def test_needs_an_application(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QApplication, "instance", lambda: None)

    async def main() -> int:
        return 0

    with pytest.raises(RuntimeError, match="QApplication"):
        loop.run(main)


def test_main_that_raises_is_reported_and_gives_1(qapp: QApplication, caplog) -> None:
    async def main() -> int:
        raise LoupeError("model.not_found", path="x")

    assert loop.run(main) == 1
    assert any("main() failed" in record.message for record in caplog.records)


def test_quit_order_main_sees_the_request_and_cleans_up_with_awaits(qapp: QApplication) -> None:
    """Q02: every task is cancelled and awaited before the loop closes."""
    quitting = loop.Quitting()
    steps = []

    async def stream() -> None:
        try:
            await forever()
        finally:
            await asyncio.sleep(0)
            steps.append("stream ended")

    async def main() -> int:
        owned = asyncio.ensure_future(stream())
        asyncio.ensure_future(stream()).set_name("forgotten")
        asyncio.get_running_loop().call_soon(quitting.request, "test")
        await quitting.wait()
        owned.cancel()
        await asyncio.gather(owned, return_exceptions=True)
        steps.append("main ended")
        return 0

    assert loop.run(main, quitting=quitting) == 0
    assert steps == ["stream ended", "main ended", "stream ended"]


def test_in_debug_mode_nothing_is_said_of_pending_tasks(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, caplog
) -> None:
    monkeypatch.setenv("PYTHONASYNCIODEBUG", "1")
    caplog.set_level(logging.WARNING, "asyncio")

    async def main() -> int:
        asyncio.get_running_loop().set_debug(True)
        asyncio.ensure_future(forever()).set_name("forgotten")
        await asyncio.sleep(0)
        return 0

    assert loop.run(main) == 0
    assert not [r for r in caplog.records if "destroyed" in r.message]


def test_main_that_does_not_end_is_cancelled(qapp: QApplication, caplog) -> None:
    quitting = loop.Quitting()

    async def main() -> int:
        quitting.request("test")
        await forever()
        return 0

    assert loop.run(main, quitting=quitting, limit=0.3) == 1
    assert any("did not end" in record.message for record in caplog.records)


def test_a_request_made_before_the_loop_runs_counts(qapp: QApplication) -> None:
    quitting = loop.Quitting()
    quitting.request("early")
    heard: list[str] = []
    quitting.on_request(lambda: heard.append(quitting.reason))

    async def main() -> int:
        await quitting.wait()
        return 0

    assert loop.run(main, quitting=quitting) == 0
    assert heard == ["early"]


def test_qt_ending_its_loop_becomes_a_request_to_quit(qapp: QApplication) -> None:
    quitting = loop.Quitting()

    async def main() -> int:
        QTimer.singleShot(0, qapp.exit)
        await quitting.wait()
        await asyncio.sleep(0)
        return 3

    assert loop.run(main, quitting=quitting) == 3
    assert "outside" in quitting.reason


def test_a_raising_slot_is_told_once_and_the_program_goes_on(qapp: QApplication, caplog) -> None:
    """Q07: also with no stderr at all, as in a windowed build."""
    reporter = Reporter()
    box = Box(reporter)

    def fails() -> None:
        raise ValueError("in a slot")

    async def main() -> int:
        button = QPushButton()
        button.clicked.connect(fails)
        for _ in range(3):
            button.click()
        await turns()
        return 0

    stderr = sys.stderr
    sys.stderr = None
    try:
        assert loop.run(main, reporter=reporter) == 0
    finally:
        sys.stderr = stderr
    assert [(error.code, error.detail) for error in box.errors] == [("internal", "ValueError: in a slot")]
    records = [record for record in caplog.records if record.name == "loupe.uncaught"]
    assert len(records) == 3 and records[0].exc_info is not None


def test_cancelling_what_a_slot_awaits_is_silent(qapp: QApplication, caplog) -> None:
    """Q01: Stop while something waits is no error."""
    reporter = Reporter()
    box = Box(reporter)

    async def main() -> int:
        task = asyncio.ensure_future(forever())
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        reporter.report(asyncio.CancelledError(), "a slot")
        await turns()
        return 0

    assert loop.run(main, reporter=reporter) == 0
    assert box.errors == []
    assert not [r for r in caplog.records if r.levelno >= logging.WARNING]


def test_errors_of_callbacks_and_threads_come_to_the_same_place(qapp: QApplication, caplog) -> None:
    reporter = Reporter()
    box = Box(reporter)

    def fails(text: str) -> None:
        raise LoupeError("engine.failed", detail=text)

    async def main() -> int:
        asyncio.get_running_loop().call_soon(fails, "callback")
        await turns()
        reporter._clock = lambda: 1e9  # later: told again
        thread = threading.Thread(target=fails, args=("thread",))
        thread.start()
        thread.join()
        await turns()
        return 0

    assert loop.run(main, reporter=reporter) == 0
    assert [error.detail for error in box.errors] == ["callback", "thread"]


def test_a_failing_error_bar_does_not_recurse(qapp: QApplication, caplog) -> None:
    reporter = Reporter()
    calls = []

    def bar(error: LoupeError) -> None:
        calls.append(error)
        raise TypeError("the bar itself fails")

    reporter.failed.connect(bar)

    async def main() -> int:
        for number in range(3):
            reporter.report(ValueError(str(number)))
            await turns()
        return 0

    assert loop.run(main, reporter=reporter) == 0
    # three errors, the bar's own failure once; that one is told too, and fails again, and is then known
    assert len(calls) == 4


def test_the_hooks_are_given_back(qapp: QApplication) -> None:
    hooks = (sys.excepthook, threading.excepthook, sys.unraisablehook, signal.getsignal(signal.SIGINT))

    async def main() -> int:
        assert sys.excepthook is not hooks[0]
        return 0

    loop.run(main)
    assert hooks == (
        sys.excepthook,
        threading.excepthook,
        sys.unraisablehook,
        signal.getsignal(signal.SIGINT),
    )


def test_qt_messages_go_to_the_log(qapp: QApplication, caplog) -> None:
    async def main() -> int:
        qWarning("a word from Qt")
        return 0

    loop.run(main)
    assert [record.message for record in caplog.records if record.name == "qt"] == ["a word from Qt"]


PROGRAM = """
import asyncio, logging, sys, time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
logging.basicConfig(filename=sys.argv[1], level=logging.INFO)
from desktop import loop
app = QApplication([])
quitting = loop.Quitting()
async def main():
    {body}
code = loop.run(main, quitting=quitting, limit={limit})
print("ended", code, quitting.reason, flush=True)
sys.exit(code)
"""


def start(tmp_path: Path, body: str, limit: float = 5.0) -> subprocess.Popen[str]:
    code = PROGRAM.format(body=textwrap.dedent(body).strip().replace("\n", "\n    "), limit=limit)
    return subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "log")],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


WAITS = """
    print("ready", flush=True)
    await quitting.wait()
    await asyncio.sleep(0)
    print("cleaned", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_end_the_program_cleanly_while_it_rests(tmp_path: Path, number: signal.Signals) -> None:
    process = start(tmp_path, WAITS)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (0, "")
    assert out == f"cleaned\nended 0 {number.name}\n"


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
def test_a_second_ctrl_c_ends_it_at_once(tmp_path: Path) -> None:
    body = """
        print("ready", flush=True)
        await quitting.wait()
        print("slow", flush=True)
        await asyncio.sleep(3600)
    """
    process = start(tmp_path, body, limit=60)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "slow\n"
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == -signal.SIGINT


def test_a_blocked_loop_is_left_anyway_and_said_in_the_log(tmp_path: Path) -> None:
    body = """
        quitting.request("test")
        time.sleep(3600)
    """
    process = start(tmp_path, body, limit=0.3)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (1, "", "")
    assert "leaving anyway" in (tmp_path / "log").read_text()


def test_a_stuck_thread_does_not_hold_up_the_end(tmp_path: Path) -> None:
    body = """
        asyncio.get_running_loop().run_in_executor(None, time.sleep, 3600)
        quitting.request("test")
    """
    process = start(tmp_path, body, limit=1.0)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")
    assert "is stuck" in (tmp_path / "log").read_text()


def test_a_stuck_history_does_not_hold_up_the_end(tmp_path: Path) -> None:
    """A disk that hangs: the history closes without its thread, for which Python would wait."""
    body = """
        from pathlib import Path
        from core.chat.history import History
        from core.chat.store import Store
        Store.db = lambda self: time.sleep(3600)
        history = History(Path(sys.argv[1]).with_name("history.sqlite3"))
        opening = asyncio.ensure_future(history.open())
        await asyncio.sleep(0)
        quitting.request("test")
        await history.close()
    """
    process = start(tmp_path, body, limit=4.0)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")
    assert "thread history_0 is stuck" in (tmp_path / "log").read_text()


def test_the_binding_is_fixed_whatever_the_environment_says(tmp_path: Path) -> None:
    """Q06."""
    code = "import desktop.loop as l; print(l.qasync.QtModuleName)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=30,
        env={**os.environ, "QT_API": "pyqt6"},
    )
    assert (done.stdout, done.stderr) == ("PySide6\n", "")
