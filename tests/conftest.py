"""Ground of every test: own folders, no network, no stray Qt message, no task left behind."""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import locale
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import hypothesis
import pytest

T = TypeVar("T")

# Before anything imports Qt: no screen, one scale, one language, whatever the person's own settings are.
os.environ["QT_QPA_PLATFORM"] = os.environ.get("TOKENLOUPE_TEST_PLATFORM", "offscreen")
os.environ["LC_ALL"] = "C.UTF-8"
os.environ["QT_API"] = "pyside6"
os.environ["OMP_WAIT_POLICY"] = "PASSIVE"  # torch in tests: spinning threads starve everything beside them
os.environ["GOMP_SPINCOUNT"] = "0"
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"  # never the person's own keys
for _name in ("LANGUAGE", "QT_SCALE_FACTOR", "QT_FONT_DPI", "QT_STYLE_OVERRIDE", "QT_QPA_PLATFORMTHEME"):
    os.environ.pop(_name, None)
try:
    locale.setlocale(locale.LC_ALL, "C.UTF-8")
except locale.Error:  # macOS before 15 has no C.UTF-8
    locale.setlocale(locale.LC_ALL, "C")


# No test depends on how fast a machine is, not even by Hypothesis' own defaults.
hypothesis.settings.register_profile(
    "unhurried", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("unhurried")


# --- network -------------------------------------------------------------------------------------------


class NetworkUsed(BaseException):
    """A test reached for the network. BaseException: no handler of the program may swallow it."""


def _loopback(host: object) -> bool:
    if host in (None, "", "localhost", b"localhost"):
        return True
    try:
        return ipaddress.ip_address(host.decode() if isinstance(host, bytes) else str(host)).is_loopback
    except ValueError:
        return False


def _forbid_network(event: str, args: tuple[Any, ...]) -> None:
    # An audit hook sees what every library of this process does, asyncio's own sockets too.
    if event in ("socket.connect", "socket.sendto"):
        address = args[1]
        if isinstance(address, tuple) and not _loopback(address[0]):
            raise NetworkUsed(f"connection to {address[0]}:{address[1]}")
    elif event == "socket.getaddrinfo" and not _loopback(args[0]):
        raise NetworkUsed(f"name look-up of {args[0]}")


sys.addaudithook(_forbid_network)


# --- folders -------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """TOKENLOUPE_HOME of this test. Short, since a socket's path below it may have about 100 bytes."""
    folder = Path(tempfile.mkdtemp(prefix="tl-"))
    monkeypatch.setenv("TOKENLOUPE_HOME", str(folder))
    monkeypatch.delenv("TOKENLOUPE_MODELS", raising=False)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def test_cache() -> Path:
    """Where big downloads of the tests are kept between runs: outside the tree and the person's own data."""
    base = os.environ.get("TOKENLOUPE_TEST_CACHE")
    if base:
        return Path(base)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tokenloupe-tests"


test_cache.__test__ = False  # type: ignore[attr-defined]  # a function, not a test


# --- asyncio -------------------------------------------------------------------------------------------

_leaked: list[str] = []


def _note_leaks(loop: asyncio.AbstractEventLoop) -> None:
    _leaked.extend(repr(task) for task in asyncio.all_tasks(loop))


_cancel_all_tasks = asyncio.runners._cancel_all_tasks  # type: ignore[attr-defined]


def _cancel_and_note(loop: asyncio.AbstractEventLoop) -> None:
    # asyncio.run cancels what is left over without a word; here that is a failure.
    _note_leaks(loop)
    _cancel_all_tasks(loop)


asyncio.runners._cancel_all_tasks = _cancel_and_note  # type: ignore[attr-defined]


class _Errors(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture(autouse=True)
def quiet_asyncio(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fails on tasks left behind and on errors that asyncio would only log."""
    _leaked.clear()
    handler = _Errors()
    logger = logging.getLogger("asyncio")
    logger.addHandler(handler)
    yield
    gc.collect(0)  # a forgotten task complains when it is collected: within its own test
    logger.removeHandler(handler)
    if request.node.get_closest_marker("chatty_asyncio") is None:
        assert not handler.lines, "asyncio logged an error:\n" + "\n".join(handler.lines)
    assert not _leaked, "tasks were still running at the end:\n" + "\n".join(_leaked)


RunAsync = Callable[[Coroutine[Any, Any, T]], T]


@pytest.fixture
def run_qt(qapp: object) -> Iterator[Callable[..., Any]]:
    """`run_qt(coroutine, timeout=60)` runs it on a fresh Qt event loop, which it closes.

    Inside, await a future bound to a signal; never use qtbot's waiting functions there (nested loops).
    """
    import qasync

    def run(coroutine: Coroutine[Any, Any, T], timeout: float = 60) -> T:
        loop = qasync.QEventLoop(qapp)
        asyncio.set_event_loop(loop)
        try:
            return loop.run_until_complete(asyncio.wait_for(coroutine, timeout))  # type: ignore[no-any-return]
        finally:
            left = asyncio.all_tasks(loop)
            _leaked.extend(repr(task) for task in left)
            for task in left:
                task.cancel()
            if left:
                loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()
            asyncio.set_event_loop(None)
            # its timers are Qt's: collected by another thread, they would take the process down later
            del loop
            gc.collect()

    yield run


# --- Qt ------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def no_window_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """A window left open by one test must not disturb the next."""
    yield
    if "PySide6.QtWidgets" not in sys.modules:
        return
    from PySide6.QtCore import QCoreApplication, QEvent
    from PySide6.QtWidgets import QApplication

    if not isinstance(QApplication.instance(), QApplication):
        return
    for widget in QApplication.topLevelWidgets():
        widget.hide()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


# --- the real built-in model ---------------------------------------------------------------------------


@pytest.fixture(scope="session")
def built_in_models() -> Path:
    """A models folder that holds the real built-in model, made once and kept between runs by its version."""
    from tests.reference.built_in import built_in_models_folder

    return built_in_models_folder(test_cache())


@pytest.fixture
def built_in_home(home: Path, built_in_models: Path) -> Path:
    """This test's home, with the built-in model in its data folder."""
    (home / "data").mkdir()
    (home / "data" / "models").symlink_to(built_in_models)
    return home
