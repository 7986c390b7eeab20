"""The command line, on the window's core: `tokenloupe ask | models | pull | verify | rm | up | down |
status | logs | doctor`.

Exit codes: 0 done · 1 a fault of the program · 2 wrong usage · 3 the model cannot be used · 4 the prompt
was refused · 5 the engine failed · 6 the server in Docker did not start, or Docker refuses · 130 interrupted.
 Errors go to stderr in sentences; with --json also as a line of JSON.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import msgspec

from core import __version__
from core.cli_options import parser
from core.error_words import sentences
from core.errors import DockerError, EngineError, LoupeError, ModelError, PromptError

EXIT_CODES: tuple[tuple[type[LoupeError], int], ...] = (
    (ModelError, 3),
    (PromptError, 4),
    (EngineError, 5),
    (DockerError, 6),
)
INTERRUPTED = 130


def main(argv: Sequence[str]) -> int:
    """Run one command; returns the exit code. `--worker`, `--library` and `--download` turn this process into
    a child that another one asks."""
    if list(argv) == ["--worker"]:
        from core.worker.main import main as work

        return work()
    if list(argv) == ["--library"]:
        from core.worker.library import main as serve

        return serve()
    if list(argv) == ["--download"]:
        from core.worker.download_main import main as fetch

        return fetch()
    if list(argv)[:1] == ["--version"]:
        sys.stdout.write(f"Token Loupe {__version__}\n")
        return 0
    arguments = parser().parse_args(argv)
    logging.basicConfig(level=logging.WARNING, format="tokenloupe: %(message)s")
    as_json = bool(arguments.json)
    try:
        if arguments.command == "ask":
            from core.cli_ask import ask

            return _run(lambda: ask(arguments))
        if arguments.command in ("up", "down", "status", "logs"):
            from core import cli_server

            return _run(lambda: getattr(cli_server, arguments.command)(arguments))
        from core import cli_models, cli_report

        if arguments.command in ("pull", "verify"):
            return _run(lambda: getattr(cli_models, arguments.command)(arguments))
        if arguments.command == "rm":
            return _run(lambda: cli_models.remove(arguments))
        if arguments.command == "doctor":
            return cli_report.doctor(as_json)
        if arguments.url:
            return _run(lambda: cli_report.served(arguments))
        return cli_models.models(as_json)
    except LoupeError as error:
        return _tell(error, as_json)
    except (KeyboardInterrupt, asyncio.CancelledError):
        return INTERRUPTED
    except BrokenPipeError:
        # whoever read the output has enough; nothing more may be written, not even at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(start: Callable[[], Coroutine[Any, Any, int]]) -> int:
    """asyncio.run, with SIGTERM and a closed terminal ending as cleanly as Ctrl+C: once, since what is being
    cleaned up then must not be cut off."""

    async def run() -> int:
        task = asyncio.current_task()
        assert task is not None

        def end() -> None:
            if not task.cancelling():
                task.cancel()

        for name in ("SIGTERM", "SIGHUP", "SIGINT"):
            if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) is not signal.SIG_IGN:
                with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
                    asyncio.get_running_loop().add_signal_handler(getattr(signal, name), end)
        return await start()

    if sys.platform == "win32":
        return asyncio.run(start())
    return asyncio.run(run())


def _tell(error: LoupeError, as_json: bool) -> int:
    said = sentences(error)
    if as_json:
        line = {"type": "error", "code": error.code, "message": " ".join(said), "detail": error.detail}
        sys.stdout.write(msgspec.json.encode(line).decode() + "\n")
        sys.stdout.flush()
    sys.stderr.write(f"tokenloupe: {' '.join(said)}\n")
    if error.detail:
        sys.stderr.write("".join(f"  {line}\n" for line in error.detail.splitlines()))
    return next((code for kind, code in EXIT_CODES if isinstance(error, kind)), 1)
