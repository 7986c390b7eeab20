"""Backends for `keyring`, named in PYTHON_KEYRING_BACKEND and loaded by the library process."""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path

from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked


class Kept(KeyringBackend):
    """Keeps keys in a file of the test's home, so that they outlive a process."""

    priority = 1.0  # type: ignore[assignment]

    @property
    def _file(self) -> Path:
        return Path(os.environ["TOKENLOUPE_HOME"]) / "fake-keyring.json"

    def _read(self) -> dict[str, str]:
        found = json.loads(self._file.read_text(encoding="utf-8")) if self._file.exists() else {}
        return dict(found)

    def get_password(self, service: str, username: str) -> str | None:
        return self._read().get(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        self._file.write_text(json.dumps({**self._read(), f"{service} {username}": password}))

    def delete_password(self, service: str, username: str) -> None:
        kept = self._read()
        del kept[f"{service} {username}"]
        self._file.write_text(json.dumps(kept))


class Plaintext(Kept):
    """By its name one of those that anybody can read."""


class Locked(Kept):
    """The person closed the window that asks for the password."""

    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked("Failed to unlock the collection!")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise KeyringLocked("Failed to unlock the collection!")


class Waiting(Kept):
    """Waits for a person for ever, and says when it began."""

    def get_password(self, service: str, username: str) -> str | None:
        print("waiting for the password", file=sys.stderr, flush=True)
        threading.Event().wait()
        return None

    def set_password(self, service: str, username: str, password: str) -> None:
        self.get_password(service, username)


class Talkative(Kept):
    """Fails with the key in its words, as a backend made of a command line may."""

    def set_password(self, service: str, username: str, password: str) -> None:
        raise ValueError(f"store --password {password} failed")
