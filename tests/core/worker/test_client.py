"""The worker's process from outside: its death is an event with a reason, never a hang or a left-over."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import psutil
import pytest

from core.errors import EngineError, LoupeError, ModelError, PromptError, WorkerLost
from core.prompt.base import ChatMessage, PromptOptions
from core.worker import client, protocol
from core.worker.client import WorkerClient, exit_reason, library_environment, worker_environment

TINY = Path(__file__).parents[2] / "cases" / "models" / "tiny"
Use = Callable[[WorkerClient], Coroutine[Any, Any, None]]


def with_worker(use: Use, command: list[str] | None = None) -> None:
    async def main() -> None:
        worker = WorkerClient(command)
        try:
            await asyncio.wait_for(use(worker), 300)
        finally:
            await worker.close()
        assert worker.pid is None

    asyncio.run(main())


async def open_tiny(worker: WorkerClient, folder: Path) -> protocol.TokenizerReady:
    return await worker.ask(
        lambda job: protocol.OpenTokenizer(job, str(TINY), str(folder), None), protocol.TokenizerReady
    )


def render(job: int) -> protocol.Render:
    return protocol.Render(job, (ChatMessage("user", "hi"),), PromptOptions())


def test_a_failed_request_is_a_typed_error_and_the_next_one_works(tmp_path: Path) -> None:
    async def use(worker: WorkerClient) -> None:
        with pytest.raises(PromptError) as early:
            await worker.ask(render, protocol.Rendered)
        assert early.value.code == "prompt.no_tokenizer"
        with pytest.raises(ModelError):
            await worker.ask(
                lambda job: protocol.OpenTokenizer(job, str(tmp_path), str(tmp_path), None),
                protocol.TokenizerReady,
            )
        await open_tiny(worker, tmp_path)
        assert (await worker.ask(render, protocol.Rendered)).text.endswith("<|assistant|>")

    with_worker(use)


def test_a_cancel_of_who_waits_for_a_cancelled_job_leaves_nothing_behind() -> None:
    async def use(worker: WorkerClient) -> None:
        async def follow() -> None:
            async with contextlib.aclosing(worker.stream(render, settle=60)) as replies:
                async for _ in replies:
                    pass

        task = asyncio.ensure_future(follow())
        for _ in range(2):
            await asyncio.wait({task}, timeout=0.1)
            task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not worker._jobs

    with_worker(use, [sys.executable, "-c", "import sys; sys.stdin.read()"])


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_death_is_an_error_with_a_reason_and_the_next_request_starts_anew(
    tmp_path: Path, number: signal.Signals
) -> None:
    async def use(worker: WorkerClient) -> None:
        await open_tiny(worker, tmp_path)
        heard: list[WorkerLost] = []
        worker.lost.connect(heard.append)
        first = worker.pid
        assert first is not None
        # the process is stopped, so that the request surely waits when it dies
        os.kill(first, signal.SIGSTOP)
        waiting = asyncio.ensure_future(worker.ask(render, protocol.Rendered))
        await asyncio.sleep(0)
        os.kill(first, number)
        os.kill(first, signal.SIGCONT)
        with pytest.raises(WorkerLost) as lost:
            await waiting
        assert lost.value.params["reason"] == number.name
        assert heard == [lost.value]
        await open_tiny(worker, tmp_path)
        assert worker.pid not in (None, first)

    with_worker(use)


def test_its_last_words_are_told() -> None:
    script = "import sys; sys.stderr.write('first\\nout of luck\\n'); sys.exit(3)"

    async def use(worker: WorkerClient) -> None:
        lines: list[str] = []
        worker.lines.connect(lines.append)
        with pytest.raises(WorkerLost) as lost:
            await worker.ask(render, protocol.Rendered)
        assert lost.value.params["reason"] == "exit 3"
        assert lost.value.detail == "first\nout of luck"
        assert lines == ["first", "out of luck"]

    with_worker(use, [sys.executable, "-c", script])


def test_its_end_is_noticed_while_what_it_forked_holds_its_pipes() -> None:
    script = "import os, sys; os._exit(3) if os.fork() else sys.stdin.buffer.read()"

    async def use(worker: WorkerClient) -> None:
        with pytest.raises(WorkerLost) as lost:
            await worker.ask(render, protocol.Rendered)
        assert lost.value.params["reason"] == "exit 3"

    with_worker(use, [sys.executable, "-c", script])


def test_closing_waits_for_its_last_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "READ_SECONDS", 60.0)
    script = """
import os, signal, sys
if os.fork():
    sys.stdin.buffer.read()
else:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    print(os.getpid(), file=sys.stderr, flush=True)
    signal.sigwait({signal.SIGTERM})
    print("its last words", file=sys.stderr)
"""

    async def use(worker: WorkerClient) -> None:
        lines: asyncio.Queue[str] = asyncio.Queue()
        worker.lines.connect(lines.put_nowait)
        worker.start()
        forked = int(await lines.get())
        assert worker.pid is not None
        process = psutil.Process(worker.pid)
        closing = asyncio.ensure_future(worker.close())
        done, _ = await asyncio.wait({closing}, timeout=0.2)
        assert not done
        os.kill(forked, signal.SIGTERM)
        await closing
        assert await lines.get() == "its last words"
        assert not process.is_running()

    with_worker(use, [sys.executable, "-c", script])


def test_whoever_waits_for_a_killed_worker_hears_of_it_when_the_kill_is_cancelled() -> None:
    async def use(worker: WorkerClient) -> None:
        worker.start()
        waiting = asyncio.ensure_future(worker.ask(render, protocol.Rendered))
        await asyncio.sleep(0)
        killing = asyncio.ensure_future(worker.kill())
        await asyncio.sleep(0)
        killing.cancel()
        await asyncio.wait({killing})
        with pytest.raises(WorkerLost) as lost:
            await waiting
        assert lost.value.params["reason"] == "SIGKILL"

    with_worker(use, [sys.executable, "-c", "import sys; sys.stdin.read()"])


@pytest.mark.parametrize(
    "script",
    [
        "import sys; sys.stdout.buffer.write(b'\\xff' * 64); sys.stdout.flush(); sys.stdin.read()",
        "import sys; sys.stdout.buffer.write(b'\\x04\\0\\0\\0nope'); sys.stdout.flush(); sys.stdin.read()",
    ],
    ids=["huge frame", "no message"],
)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_nonsense_on_the_pipe_ends_it(script: str) -> None:
    async def use(worker: WorkerClient) -> None:
        with pytest.raises(WorkerLost):
            await worker.ask(render, protocol.Rendered)

    with_worker(use, [sys.executable, "-c", script])


def test_a_worker_that_cannot_start_is_an_error() -> None:
    async def use(worker: WorkerClient) -> None:
        with pytest.raises(WorkerLost) as lost:
            await worker.ask(render, protocol.Rendered)
        assert lost.value.code == "worker.start"

    with_worker(use, ["/no/such/program"])


def test_closing_ends_a_worker_that_does_not_listen() -> None:
    script = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: signal.pause()"

    async def use(worker: WorkerClient) -> None:
        worker.start()
        pid = worker.pid
        assert pid is not None
        await worker.close()
        assert not psutil.pid_exists(pid)

    with_worker(use, [sys.executable, "-c", script])


def test_a_cancelled_caller_cancels_the_job(tmp_path: Path) -> None:
    async def use(worker: WorkerClient) -> None:
        await open_tiny(worker, tmp_path)
        task = asyncio.ensure_future(worker.ask(render, protocol.Rendered))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await worker.ask(render, protocol.Rendered)

    with_worker(use)


def test_when_the_program_is_killed_the_worker_leaves(tmp_path: Path) -> None:
    program = """
import asyncio, sys
from core.worker.client import WorkerClient
async def main():
    worker = WorkerClient()
    worker.start()
    print(worker.pid, flush=True)
    await asyncio.Event().wait()
asyncio.run(main())
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        worker = psutil.Process(int(process.stdout.readline()))
        process.kill()
        process.wait()
    _, alive = psutil.wait_procs([worker], timeout=30)
    assert not alive


def test_a_request_that_cannot_be_said_is_a_typed_error(tmp_path: Path) -> None:
    async def use(worker: WorkerClient) -> None:
        await open_tiny(worker, tmp_path)
        for text, code in (
            ("half \ud800", "worker.unsayable"),
            ("x" * protocol.MAX_FRAME, "worker.too_large"),
        ):
            message = ChatMessage("user", text)
            with pytest.raises(EngineError) as refused:
                await worker.ask(
                    lambda job, message=message: protocol.Render(job, (message,), PromptOptions()),
                    protocol.Rendered,
                )
            assert refused.value.code == code
        assert await worker.ask(render, protocol.Rendered)

    with_worker(use)


def test_a_worker_that_cannot_read_a_request_dies_and_is_missed() -> None:
    """Not a hang: whoever waits hears of it."""

    async def use(worker: WorkerClient) -> None:
        worker.start()
        waiting = asyncio.ensure_future(worker.ask(render, protocol.Rendered))
        worker._outbox.put(b"\x04\0\0\0nope")
        with pytest.raises(LoupeError) as lost:
            await waiting
            await worker.ask(render, protocol.Rendered)
        assert lost.value.code in ("worker.lost", "prompt.no_tokenizer")

    with_worker(use)


def test_a_servers_key_is_not_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither to the worker nor to the library; what they need of the environment is."""
    monkeypatch.setenv("VLLM_API_KEY", "s3cret")
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy")
    script = "import os; print(os.environ.get('VLLM_API_KEY'), os.environ.get('HTTPS_PROXY'))"
    for environment in (worker_environment, library_environment):
        seen = subprocess.run(
            [sys.executable, "-c", script], env=environment(), capture_output=True, text=True, check=True
        )
        assert seen.stdout.split() == ["None", "http://proxy"]


def test_exit_reasons() -> None:
    assert exit_reason(-9) == "SIGKILL"
    assert exit_reason(1) == "exit 1"
    assert exit_reason(-250) == "exit -250"
    assert exit_reason(None) == "SIGKILL"
