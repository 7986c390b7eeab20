"""Which hosts are asked, when and why: one line each in a small file that never grows beyond a bound."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from core.errors import ModelError, SettingsError
from core.observe import Event

NAME = "hosts.jsonl"
LARGEST = 256 * 1024  # bytes; then the older half is dropped


class Contact(msgspec.Struct, frozen=True):
    """`when`: seconds since the epoch."""

    host: str
    why: str
    when: float


class Ledger:
    """`noted` tells each new one. A file that cannot be written is no reason to stop."""

    def __init__(self, data: Path) -> None:
        self._path = data / NAME
        self.noted: Event[Contact] = Event()

    def note(self, host: str, why: str, when: float | None = None) -> None:
        contact = Contact(host, why, time.time() if when is None else when)
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("ab") as file:
                file.write(msgspec.json.encode(contact) + b"\n")
                large = file.tell() > LARGEST
            if large:
                self._drop()
        self.noted.emit(contact)

    def rows(self) -> tuple[Contact, ...]:
        """The oldest first; a line that was cut off is left out."""
        try:
            lines = self._path.read_bytes().splitlines()
        except OSError:
            return ()
        found = []
        for line in lines:
            with contextlib.suppress(msgspec.MsgspecError):
                found.append(msgspec.json.decode(line, type=Contact))
        return tuple(found)

    def clear(self) -> None:
        """Raises SettingsError("hosts.not_cleared")."""
        try:
            self._path.unlink(missing_ok=True)
        except OSError as error:
            raise SettingsError("hosts.not_cleared", path=str(self._path), detail=str(error)) from error

    def _drop(self) -> None:
        lines = self._path.read_bytes().splitlines(keepends=True)
        temporary = self._path.with_name(NAME + ".part")
        temporary.write_bytes(b"".join(lines[len(lines) // 2 :]))
        temporary.replace(self._path)


class Permit:
    """The offline switch and the ledger, for those who let other programs ask other computers."""

    def __init__(self, ledger: Ledger | None = None, offline: Callable[[], bool] = lambda: False) -> None:
        """Without a ledger nothing is noted."""
        self._ledger, self._offline = ledger, offline

    @property
    def offline(self) -> bool:
        return self._offline()

    def check(self, host: str) -> None:
        """Raises ModelError("hub.switched_off")."""
        if self._offline():
            raise ModelError("hub.switched_off", host=host)

    def note(self, host: str, why: str) -> None:
        if self._ledger is not None:
            self._ledger.note(host, why)
