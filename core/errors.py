"""The error tree: every failure a person can see is a LoupeError with a stable code.

Codes are looked up in `resources/errors.toml` for the command line and translated by the window;
the core itself never holds a sentence for the window.
"""

from __future__ import annotations

from collections.abc import Mapping


class LoupeError(Exception):
    """A failure with a stable `code` (dotted, as in `model.not_found`) and plain parameters.

    `detail` is foreign text (a library's or a template's own words): shown in mono, never translated.
    """

    code = "internal"

    def __init__(self, code: str = "", /, *, detail: str = "", **params: object) -> None:
        self.code = code or type(self).code
        self.detail = detail
        self.params: Mapping[str, object] = params
        super().__init__(self.code, detail, params)

    def __str__(self) -> str:
        shown = ", ".join(f"{key}={value}" for key, value in self.params.items())
        return ": ".join(part for part in (self.code, shown, self.detail) if part)


class ModelError(LoupeError):
    """A model folder is absent, damaged, or of a kind that cannot run here."""

    code = "model.failed"


class PromptError(LoupeError):
    """The messages cannot be turned into token ids (template missing, refused, context full)."""

    code = "prompt.failed"


class EngineError(LoupeError):
    """The engine could not produce (more) tokens."""

    code = "engine.failed"


class WorkerLost(EngineError):
    """The worker process ended while something waited for it."""

    code = "worker.lost"


class DockerError(LoupeError):
    """Docker is absent, stopped, forbidden or refuses; or a server in it could not be started or stopped."""

    code = "docker.failed"


class HistoryError(LoupeError):
    """Conversations cannot be read or written; the chat goes on in memory."""

    code = "history.failed"


class KeyringError(LoupeError):
    """The system's keyring cannot keep or give a server's key."""

    code = "keyring.failed"


class SettingsError(LoupeError):
    """A value in the settings file cannot be used; the default stands in."""

    code = "settings.invalid"
