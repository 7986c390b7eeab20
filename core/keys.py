"""Keys of servers: in the keyring of the system, or in memory for this run where there is none to trust.

A key is in no file, log, argument or environment variable of ours. Every call ends within a time limit, and
can be cancelled, whatever the keyring waits for.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TypeVar

from core.errors import KeyringError, LoupeError
from core.worker import protocol
from core.worker.client import WorkerClient
from core.worker.protocol import Request

R = TypeVar("R")
WAIT_SECONDS = 60.0  # a locked keyring asks the person for its password meanwhile
log = logging.getLogger(__name__)


class Keys:
    """One key an address, which must be a normalised one (core.engines.vllm.address).

    `problem` is why the last call did without the keyring, None if it did not.
    """

    def __init__(self, library: WorkerClient, *, wait_seconds: float = WAIT_SECONDS) -> None:
        self._library = library
        self._wait = wait_seconds
        self._here: dict[str, str] = {}  # what the keyring could not take
        self.problem: LoupeError | None = None

    async def get(self, address: str) -> str:
        """The key, "" if there is none or the keyring does not give it (see `problem`)."""
        if address in self._here:
            return self._here[address]
        found = await self._ask(lambda job: protocol.ReadKey(job, address), protocol.KeyRead)
        return found.key if isinstance(found, protocol.KeyRead) else ""

    def has(self, address: str) -> bool:
        """Whether there is a key for this run only."""
        return address in self._here

    async def put(self, address: str, key: str) -> bool:
        """Keep the key; False = for this run only, since the keyring does not take it (see `problem`)."""
        self._here[address] = key
        kept = await self._ask(lambda job: protocol.WriteKey(job, address, key), protocol.Done)
        if isinstance(kept, LoupeError):
            return False
        self._here.pop(address, None)
        return True

    async def forget(self, address: str) -> None:
        self._here.pop(address, None)
        await self._ask(lambda job: protocol.ForgetKey(job, address), protocol.Done)

    async def usable(self) -> LoupeError | None:
        """None if the keyring can keep keys, else why it cannot. Does not unlock it."""
        said = await self._ask(protocol.CheckKeyring, protocol.Done)
        return said if isinstance(said, LoupeError) else None

    async def _ask(self, make: Callable[[int], Request], answer: type[R]) -> R | LoupeError:
        try:
            async with asyncio.timeout(self._wait):
                reply = await self._library.ask(make, answer)
            self.problem = None
            return reply
        except TimeoutError:
            self.problem = KeyringError("keyring.slow", seconds=round(self._wait))
        except LoupeError as error:
            self.problem = error
        log.info("the keyring was not used: %s", self.problem)
        return self.problem
