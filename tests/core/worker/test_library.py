"""The library process beside the model's: it leaves with the program, and one job never waits for another."""

from __future__ import annotations

import asyncio
import subprocess

import pytest

from core.errors import WorkerLost
from core.worker import protocol
from core.worker.client import library_environment, library_worker, worker_command


def test_it_leaves_when_its_requests_end() -> None:
    done = subprocess.run(
        worker_command("--library"), env=library_environment(), input=b"", capture_output=True, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_job_that_waits_for_ever_ends_with_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "tests.fakes.keyrings.Waiting")

    async def main() -> None:
        library = library_worker()
        waiting = asyncio.Event()
        library.lines.connect(lambda line: waiting.set() if "waiting for the password" in line else None)
        reading = asyncio.ensure_future(library.ask(lambda job: protocol.ReadKey(job, "x"), protocol.KeyRead))
        await waiting.wait()
        await library.ask(protocol.CheckKeyring, protocol.Done)  # beside it
        await library.close()
        with pytest.raises(WorkerLost):
            await reading
        await library.ask(protocol.CheckKeyring, protocol.Done)  # and it comes back
        await library.close()

    asyncio.run(asyncio.wait_for(main(), 60))


def test_the_persons_hub_settings_reach_it_and_telemetry_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://hub.example")
    monkeypatch.delenv("HF_HUB_OFFLINE")
    environment = library_environment()
    assert environment["HF_ENDPOINT"] == "http://hub.example"
    assert environment["HF_HUB_DISABLE_TELEMETRY"] == "1"
    assert "HF_HUB_OFFLINE" not in environment
