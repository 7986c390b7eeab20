"""Keys: kept in the keyring, or for this run where there is none to trust; nothing hangs, nothing leaks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import psutil
import pytest

from core.errors import LoupeError
from core.keys import Keys
from core.worker import protocol
from core.worker.client import WorkerClient, library_worker

ADDRESS = "http://localhost:8000"
KEY = "sk-not-for-any-eye-0123456789"
Use = Callable[[WorkerClient], Coroutine[Any, Any, None]]


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    def choose(name: str) -> None:
        path = name if "." in name else f"tests.fakes.keyrings.{name}"
        monkeypatch.setenv("PYTHON_KEYRING_BACKEND", path)

    return choose


def with_library(use: Use) -> None:
    async def main() -> None:
        library = library_worker()
        try:
            await asyncio.wait_for(use(library), 60)
        finally:
            await library.close()
        assert library.pid is None

    asyncio.run(main())


def code(problem: LoupeError | None) -> str:
    return problem.code if problem is not None else ""


def test_a_key_outlives_the_process_until_it_is_forgotten(backend: Callable[[str], None]) -> None:
    backend("Kept")

    async def first(library: WorkerClient) -> None:
        keys = Keys(library)
        assert await keys.usable() is None
        assert await keys.get(ADDRESS) == ""
        assert await keys.put(ADDRESS, KEY)
        assert await keys.put("http://localhost:8001", "another")

    async def second(library: WorkerClient) -> None:
        keys = Keys(library)
        assert await keys.get(ADDRESS) == KEY
        await keys.forget(ADDRESS)
        assert (await keys.get(ADDRESS), await keys.get("http://localhost:8001")) == ("", "another")
        await keys.forget(ADDRESS)  # twice does no harm
        assert keys.problem is None

    with_library(first)
    with_library(second)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("keyring.backends.fail.Keyring", "keyring.none"),
        ("keyring.backends.null.Keyring", "keyring.none"),
        ("no.such.module", "keyring.none"),
        ("Plaintext", "keyring.unsafe"),
        ("Locked", "keyring.locked"),
        ("Talkative", "keyring.failed"),
    ],
)
def test_without_a_keyring_to_trust_a_key_is_kept_for_this_run(
    backend: Callable[[str], None], home: Path, name: str, why: str
) -> None:
    backend(name)

    async def use(library: WorkerClient) -> None:
        keys = Keys(library)
        assert not await keys.put(ADDRESS, KEY)
        assert code(keys.problem) == why
        assert KEY not in str(keys.problem)
        assert await keys.get(ADDRESS) == KEY
        assert code(await keys.usable()) == (why if why in ("keyring.none", "keyring.unsafe") else "")
        await keys.forget(ADDRESS)
        assert await keys.get(ADDRESS) == ""

    with_library(use)
    assert not (home / "fake-keyring.json").exists()


def test_a_keyring_that_waits_for_ever_is_left_and_does_not_hold_up_others(
    backend: Callable[[str], None],
) -> None:
    backend("Waiting")

    async def use(library: WorkerClient) -> None:
        keys = Keys(library, wait_seconds=0.01)
        assert await keys.get(ADDRESS) == ""
        assert code(keys.problem) == "keyring.slow"
        assert not await keys.put(ADDRESS, KEY)
        assert await Keys(library).usable() is None  # beside those that still wait

    with_library(use)


def test_waiting_can_be_cancelled(backend: Callable[[str], None]) -> None:
    backend("Waiting")

    async def use(library: WorkerClient) -> None:
        began = asyncio.Event()
        library.lines.connect(lambda line: began.set() if "waiting for the password" in line else None)
        reading = asyncio.ensure_future(Keys(library).get(ADDRESS))
        await began.wait()
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading

    with_library(use)


def test_a_library_process_that_dies_is_a_reason_and_no_error(backend: Callable[[str], None]) -> None:
    backend("Waiting")

    async def use(library: WorkerClient) -> None:
        keys = Keys(library)
        library.lines.connect(lambda line: psutil.Process(library.pid).kill() if "waiting" in line else None)
        assert await keys.get(ADDRESS) == ""
        assert code(keys.problem) == "worker.lost"

    with_library(use)


@pytest.mark.chatty_asyncio
def test_no_eye_sees_a_key(backend: Callable[[str], None], caplog: pytest.LogCaptureFixture) -> None:
    """Not in the log, even of a debugging loop that names every value it hands on, nor in the process."""
    backend("Kept")
    caplog.set_level(logging.DEBUG)

    async def use(library: WorkerClient) -> None:
        loop = asyncio.get_running_loop()
        loop.set_debug(True)
        loop.slow_callback_duration = 0  # logs each callback with its arguments
        lines: list[str] = []
        library.lines.connect(lines.append)
        keys = Keys(library)
        assert await keys.put(ADDRESS, KEY)
        assert await Keys(library).get(ADDRESS) == KEY
        process = psutil.Process(library.pid)
        assert KEY not in " ".join([*process.cmdline(), *process.environ().values(), *lines])

    with_library(use)
    assert "KeyRead" in caplog.text  # it was handed on under those eyes
    assert KEY not in caplog.text


def test_messages_with_secrets_do_not_show_them() -> None:
    for message in (
        protocol.WriteKey(1, ADDRESS, KEY),
        protocol.KeyRead(1, KEY),
        protocol.FetchFiles(1, "org/name", "", "/into", "/partial", KEY),
    ):
        assert KEY not in repr(message) and KEY not in str(message)


def test_the_process_ends_when_nothing_is_asked_and_comes_back(backend: Callable[[str], None]) -> None:
    backend("Kept")

    async def main() -> None:
        library = library_worker()
        library._idle_seconds = 0.01
        lost: list[LoupeError] = []
        library.lost.connect(lost.append)
        keys = Keys(library)
        await keys.put(ADDRESS, KEY)
        first = library.pid
        assert first is not None
        process = psutil.Process(first)
        await asyncio.to_thread(process.wait, 30)
        assert library.pid is None
        assert await keys.get(ADDRESS) == KEY
        assert library.pid not in (None, first)
        await library.close()
        assert not lost

    asyncio.run(main())
