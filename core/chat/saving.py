"""When a conversation goes to the history: at once, or at the latest a second after something grew in it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from core.chat.history import History
from core.chat.messages import Conversation

EVERY = 1.0  # seconds between two writes of a growing answer


class Handle(Protocol):
    def cancel(self) -> None: ...


Later = Callable[[float, Callable[[], None]], Handle]


def on_the_loop(delay: float, work: Callable[[], None]) -> Handle:
    return asyncio.get_running_loop().call_later(delay, work)


class Saving:
    """Keeps the time of each conversation's last write, and a timer for each that has something unwritten.

    The timer does not depend on more rows: what came before an engine stalls is written all the same.
    """

    def __init__(
        self, history: History | None, clock: Callable[[], float], later: Later = on_the_loop
    ) -> None:
        self._history = history
        self._clock = clock
        self._later = later
        self._saved: dict[str, float] = {}  # one number for each conversation opened in this run
        self._waiting: dict[str, tuple[Handle, Conversation]] = {}

    def now(self, conversation: Conversation) -> None:
        self._saved[conversation.id] = self._clock()
        waiting = self._waiting.pop(conversation.id, None)
        if waiting is not None:
            waiting[0].cancel()
        if self._history is not None:
            self._history.post(conversation)

    def soon(self, conversation: Conversation) -> None:
        """Now if its last write is a second ago, else when it is."""
        passed = self._clock() - self._saved.get(conversation.id, float("-inf"))
        if not 0 <= passed < EVERY:
            self.now(conversation)
        elif conversation.id not in self._waiting:
            try:
                handle = self._later(EVERY - passed, lambda: self.now(conversation))
            except RuntimeError:  # no loop runs (the program ends): the last chance
                self.now(conversation)
                return
            self._waiting[conversation.id] = (handle, conversation)

    def all_now(self) -> None:
        """What still waits for its second."""
        for _, conversation in list(self._waiting.values()):
            self.now(conversation)
