"""Q03: the worker runs where asyncio has no child processes, as with Qt's loop on Windows."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, NoReturn

import pytest

from core.worker import protocol
from core.worker.client import WorkerClient

TINY = Path(__file__).parents[2] / "cases" / "models" / "tiny"


def test_the_worker_needs_none_of_asyncios_child_processes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def missing(*_: Any, **__: Any) -> NoReturn:
        raise NotImplementedError

    monkeypatch.setattr(asyncio, "create_subprocess_exec", missing)
    monkeypatch.setattr(asyncio, "create_subprocess_shell", missing)
    monkeypatch.setattr(asyncio.base_events.BaseEventLoop, "subprocess_exec", missing)
    monkeypatch.setattr(asyncio.base_events.BaseEventLoop, "subprocess_shell", missing)

    async def main() -> None:
        worker = WorkerClient()
        try:
            ready = await asyncio.wait_for(
                worker.ask(
                    lambda job: protocol.OpenTokenizer(job, str(TINY), str(tmp_path), None),
                    protocol.TokenizerReady,
                ),
                60,
            )
            assert ready.vocabulary.startswith(str(tmp_path))
        finally:
            await worker.close()

    asyncio.run(main())
