"""The history with real processes: killed in mid-answer, at the system's limits, and two on one file."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from core.chat.history import History
from core.chat.state import ChatState
from tests.core.chat.saved import read, with_history

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "history.sqlite3"


def _python(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60
    )


KILLED = """
import asyncio, sys
from pathlib import Path
from core.chat.history import History
from core.engines.base import Prefilling, TokenBatch
from tests.core.chat.desk import Clock, Desk
from tests.fakes.scripted_engine import HELD, ScriptedEngine, rows, said

async def main():
    clock = Clock()
    history = History(Path(sys.argv[1]), clock)
    await history.open()
    batches = [TokenBatch(rows(f"word {number} ")) for number in range(50)]
    engine = ScriptedEngine([said("whole"), [Prefilling(3, 0), *batches, HELD]])
    desk = Desk(engine, history=history, clock=clock)

    def tick(_):
        clock.at += 0.4  # a write at every third batch

    await desk.session.ask("first")
    desk.session.grew.connect(tick)
    desk.start("second")
    await desk.engine.reached.wait()
    await history.load_list()  # the writer is through with what was posted
    print(desk.session.conversation.id, len(desk.answer.table), flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


def test_a_program_killed_in_mid_answer_leaves_all_but_the_last_second(path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-c", KILLED, str(path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        said_line = process.stdout.readline()
        assert said_line, process.communicate()[1]
        identity, count = said_line.split()
    finally:
        process.kill()
        process.communicate()
    back = read(path, identity)
    whole, partial = (message.answer for message in back.path() if message.answer is not None)
    assert whole.state is ChatState.FINISHED and whole.table.text == "whole<|end|>"
    assert partial.state is ChatState.FAILED
    assert partial.error is not None and partial.error.code == "answer.interrupted"
    text = "".join(f"word {number} " for number in range(50))
    assert text.startswith(partial.table.text)
    assert int(count) - 3 * len("word 49 ") <= len(partial.table) <= int(count)
    assert partial.sampling.seed is not None and len(partial.prompt_ids) > 0


TWO = """
import asyncio, sys
from pathlib import Path
from core.chat.history import History
from tests.core.chat.saved import chat

async def main():
    history = History(Path(sys.argv[1]))
    history.problem.connect(lambda error: print(error, file=sys.stderr))
    print("ready", flush=True)
    sys.stdin.readline()
    await history.open()
    for number in range(20):
        one = chat(f"{sys.argv[2]} {number}", text="words " * 300)
        assert await history.save(one)
        question = one.add_question("more", 3.0)
        one.add_answer(question.id, chat().path()[-1].answer, 4.0)
        assert await history.save(one)
    await history.close()

asyncio.run(main())
"""


def test_two_processes_on_one_file_from_the_first_moment_do_no_harm(path: Path) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", TWO, str(path), name],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in ("a", "b")
    ]
    try:
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        for process in processes:
            _, errors = process.communicate(timeout=60)
            assert (process.returncode, errors) == (0, "")
    finally:
        for process in processes:
            process.kill()
            process.communicate()
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert db.execute("SELECT count(*) FROM conversations").fetchone()[0] == 40
        assert db.execute("SELECT count(*) FROM messages").fetchone()[0] == 160
    db.close()
    assert list(path.parent.glob("*damaged*")) == []


@pytest.mark.skipif(sys.platform == "win32", reason="no resource limits there")
def test_a_limit_of_the_system_on_the_file_is_met_as_well(path: Path) -> None:
    script = f"""
import asyncio, resource
from pathlib import Path
from core.chat.history import History
from core.logs import Logs
from tests.core.chat.saved import chat

async def main():
    Logs(None)
    history = History(Path({str(path)!r}))
    history.problem.connect(lambda error: print(error.code))
    await history.open()
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
    big = chat("big")
    big.draft = "x" * 300_000
    print(await history.save(big), [one.title for one in await history.load_list()])
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    await history.close()

asyncio.run(main())
"""
    done = _python(script)
    assert done.stdout.splitlines()[0] in ("history.io", "history.full")
    assert done.stdout.splitlines()[1:] == ["False ['big']"]
    assert done.stderr == ""
    titles: list[str] = []

    async def play(history: History) -> None:
        titles.extend(one.title for one in await history.load_list())

    assert with_history(path, play) == []
    assert titles == ["big"]
