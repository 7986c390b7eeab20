"""Keys in a real Secret Service: GNOME Keyring on a message bus of the test's own."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from core.keys import Keys
from core.worker.client import library_worker

jeepney = pytest.importorskip("jeepney", reason="the Secret Service is Linux's")
from jeepney.io.blocking import open_dbus_connection  # noqa: E402

MISSING = [name for name in ("dbus-daemon", "gnome-keyring-daemon") if shutil.which(name) is None]
pytestmark = pytest.mark.skipif(
    bool(MISSING) and not os.environ.get("CI"),
    reason=f"{' and '.join(MISSING)} not installed (Debian: apt install dbus gnome-keyring)",
)
SECRETS = "org.freedesktop.secrets"
ADDRESS = "http://localhost:8000"
Start = Callable[[str], None]


@contextmanager
def running(command: list[str], **options: object) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, **options)  # type: ignore[call-overload]
    try:
        yield process
    finally:
        process.terminate()
        process.communicate()


@pytest.fixture
def bus(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Its address. No screen, so that nothing can ask for a password."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "PYTHON_KEYRING_BACKEND"):
        monkeypatch.delenv(name, raising=False)
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"):
        (home / name).mkdir(mode=0o700)
        monkeypatch.setenv(name, str(home / name))
    command = ["dbus-daemon", "--session", "--nofork", "--print-address=1", f"--address=unix:dir={home}"]
    with running(command, stdout=subprocess.PIPE) as daemon:
        assert daemon.stdout is not None
        address = daemon.stdout.readline().decode().strip()
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        yield address


@contextmanager
def keyring(bus: str, password: str) -> Iterator[None]:
    """GNOME Keyring, unlocked with its password or, without one, locked. Ready when it has its name."""
    command = ["gnome-keyring-daemon", "--foreground", "--components=secrets"]
    with ExitStack() as stack:
        watch = stack.enter_context(open_dbus_connection(bus))
        rule = jeepney.MatchRule(type="signal", interface="org.freedesktop.DBus", member="NameOwnerChanged")
        rule.add_arg_condition(0, SECRETS)
        watch.send_and_get_reply(jeepney.message_bus.AddMatch(rule))
        owned = stack.enter_context(watch.filter(rule))
        daemon = stack.enter_context(
            running(
                [*command, "--unlock"] if password else command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
            )
        )
        assert daemon.stdin is not None
        daemon.stdin.write(password.encode())
        daemon.stdin.close()
        watch.recv_until_filtered(owned, timeout=30)
        daemon.stdin = None
        yield


def use(steps: Callable[[Keys], object]) -> None:
    async def main() -> None:
        library = library_worker()
        try:
            await steps(Keys(library))  # type: ignore[misc]
        finally:
            await library.close()

    asyncio.run(asyncio.wait_for(main(), 60))


def test_a_key_lies_in_the_keyring_under_our_name(bus: str) -> None:
    async def put(keys: Keys) -> None:
        assert await keys.usable() is None
        assert await keys.put(ADDRESS, "clé 鑰匙")

    async def get(keys: Keys) -> None:
        assert await keys.get(ADDRESS) == "clé 鑰匙"
        await keys.forget(ADDRESS)
        assert (await keys.get(ADDRESS), keys.problem) == ("", None)

    with keyring(bus, "password"):
        use(put)
        assert items(bus) == 1
        use(get)
        assert items(bus) == 0


def items(bus: str) -> int:
    """How many secrets the service holds of ours."""
    service = jeepney.DBusAddress("/org/freedesktop/secrets", SECRETS, "org.freedesktop.Secret.Service")
    asked = {"service": "tokenloupe", "username": ADDRESS}
    with open_dbus_connection(bus) as connection:
        reply = connection.send_and_get_reply(
            jeepney.new_method_call(service, "SearchItems", "a{ss}", (asked,))
        )
    assert jeepney.HeaderFields.error_name not in reply.header.fields
    unlocked, locked = reply.body
    return len(unlocked) + len(locked)


def test_a_locked_keyring_keeps_the_key_for_this_run(bus: str) -> None:
    async def put(keys: Keys) -> None:
        assert await keys.put(ADDRESS, "secret")

    async def locked(keys: Keys) -> None:
        assert await keys.usable() is None  # it is there; nobody is asked for its password yet
        assert await keys.get(ADDRESS) == ""
        assert keys.problem is not None and keys.problem.code == "keyring.locked"
        assert not await keys.put(ADDRESS, "another")
        assert await keys.get(ADDRESS) == "another"

    with keyring(bus, "password"):
        use(put)
    with keyring(bus, ""):
        use(locked)


def test_a_bus_without_a_keyring(bus: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")

    async def refused(keys: Keys) -> None:
        problem = await keys.usable()
        assert problem is not None and problem.code == "keyring.none"

    use(refused)
