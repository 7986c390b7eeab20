"""The real program with somebody at the keyboard: `program.py STEP…`, a process of its own for the tests.

Steps: `at:NAME` waits for a phase of the engine or a state of the chat (by its value), `ask:TEXT`, `stop`,
`greedy` (temperature 0), `again`, `settings`, `kill` (the worker), `die` (this process), `close`, `sigterm`,
`wait:N` tokens, `saved` (until the history has them), `lock` (somebody else holds the history's file from now
on), `break` (the first steps of quitting raise, and the answer's never ends), `fail` (a listener of an event
of the core raises).
Prints the pids of its children before it closes, and the last answer's state and text.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import psutil

from core.chat.messages import Conversation
from core.chat.state import ChatState
from core.engines.base import Sampling
from core.engines.state import Phase
from core.paths import default_paths
from desktop import app

LOCKS: list[sqlite3.Connection] = []


async def _never() -> None:
    await asyncio.Event().wait()


def _raise(*_: object) -> None:
    raise ValueError("broken by the test")


class Hands:
    """Does the steps; waiting is done on events, so that no state is missed."""

    def __init__(self, application: app.Application) -> None:
        self._app = application
        self._seen: list[str] = []
        self._changed = asyncio.Event()
        application.engine.state_changed.connect(lambda state: self._note(state.phase.value))
        application.session.state_changed.connect(lambda state: self._note(state.value))
        application.session.grew.connect(lambda _: self._changed.set())
        self._saved = 0  # tokens of the last answer that the history is known to have written

    def _note(self, name: str) -> None:
        self._seen.append(name)
        self._changed.set()

    async def _until_seen(self, name: str) -> None:
        known = {one.value for one in (*Phase, *ChatState)}
        assert name in known, name
        while name not in self._seen:
            self._changed.clear()
            await self._changed.wait()
        del self._seen[: self._seen.index(name) + 1]

    def _last(self) -> Any:
        path = self._app.session.conversation.path()
        return next((m.answer for m in reversed(path) if m.answer is not None), None)

    def _tokens(self) -> int:
        answer = self._last()
        return len(answer.table) if answer else 0

    async def _until(self, ready: Callable[[], bool]) -> None:
        while not ready():
            self._changed.clear()
            await self._changed.wait()

    async def _until_saved(self) -> None:
        """Until the program, of itself, has written the answer as far as it is now."""
        least, history = self._tokens(), self._app.history
        submit = history._submit

        def watched(conversation: Conversation) -> Future[bool] | None:
            count, future = self._tokens(), submit(conversation)
            if future is not None:
                asyncio.wrap_future(future).add_done_callback(lambda one: saved(count * one.result()))
            return future

        def saved(count: int) -> None:
            self._saved = count
            self._changed.set()

        history._submit = watched  # type: ignore[method-assign]
        await self._until(lambda: self._saved >= least)

    async def do(self, steps: list[str]) -> None:
        for step in steps:
            verb, _, value = step.partition(":")
            if verb == "at":
                await self._until_seen(value)
            elif verb == "ask":
                self._app.window.composer.ask(value)
            elif verb == "wait":
                await self._until(lambda least=int(value): self._tokens() >= least)
            elif verb == "saved":
                await self._until_saved()
            elif verb == "kill":
                os.kill(self._app.worker.pid or 0, signal.SIGKILL)
            elif verb == "greedy":
                self._app.session.set_sampling(Sampling(temperature=0.0, max_tokens=512))
            elif verb == "again":
                self._app.window.action.emit("ask_again")
            else:
                self._simple(verb)

    def _simple(self, verb: str) -> None:
        window = self._app.window
        if verb == "stop":
            window.composer.stop_requested.emit()
        elif verb == "settings":
            window.action.emit("settings")
        elif verb == "chat_now":  # of a first run, which gets nothing unasked
            window.centre.server.first_run.built_in_wanted.emit()
        elif verb == "lock":
            LOCKS.append(sqlite3.connect(default_paths().history, isolation_level=None))
            LOCKS[-1].execute("BEGIN IMMEDIATE")
        elif verb == "break":
            self._app.chat.keep_draft = _raise  # type: ignore[method-assign]
            self._app.session.close = _never  # type: ignore[method-assign]
            self._app.scope.close = _raise  # type: ignore[method-assign,assignment]
        elif verb == "fail":
            self._app.session.state_changed.connect(_raise)
        elif verb == "die":
            self.report()
            os.kill(os.getpid(), signal.SIGKILL)
        else:
            self.report()
            if verb == "close":
                window.close()
            else:
                os.kill(os.getpid(), getattr(signal, verb.upper()))

    def report(self) -> None:
        answer = self._last()
        error = self._app.window.centre.errors.error
        said = {
            "children": [child.pid for child in psutil.Process().children(recursive=True)],
            "state": answer.state.value if answer else "",
            "text": answer.table.text if answer else "",
            "tokens": self._tokens(),
            "saved": self._saved,
            "answers": sum(m.answer is not None for m in self._app.session.conversation.messages.values()),
            "modules": sorted({name.partition(".")[0] for name in sys.modules}),
            "error": error.code if error else "",
        }
        sys.stdout.write(json.dumps(said) + "\n")
        sys.stdout.flush()


async def _with_hands(self: app.Application) -> int:
    hands = asyncio.ensure_future(Hands(self).do(sys.argv[1:]))
    hands.add_done_callback(lambda task: task.cancelled() or task.result())
    try:
        return await _run(self)
    finally:
        hands.cancel()


if __name__ == "__main__":
    _run = app.Application.run
    app.Application.run = _with_hands  # type: ignore[method-assign]
    sys.exit(app.main())
