"""The token goes from its sheet into the keyring and no other place; hosts are read and cleared."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from core.keys import Keys
from core.models.catalog import built_in
from core.models.hub_address import HUB
from core.models.ledger import Ledger
from core.paths import default_paths
from core.settings import SettingsStore
from core.tasks import TaskScope
from core.worker.client import library_worker
from desktop.kit.bridge import emitted
from desktop.settings.hub_presenter import HubPresenter
from desktop.settings.token_sheet import TokenSheet
from desktop.settings.view import SettingsView

TOKEN = "hf_not_for_any_eye_0123456789"
MIRROR = "https://mirror.example"


class Desk:
    """The settings with a real library process, and a ledger of its own."""

    def __init__(self) -> None:
        self.store = SettingsStore(default_paths().settings)
        self.scope, self.library = TaskScope(), library_worker()
        self.keys, self.ledger = Keys(self.library), Ledger(default_paths().data)
        self.view = SettingsView(self.store, default_paths(), built_in())
        self.hub = HubPresenter(self.view, self.store, self.keys, self.ledger, self.scope)
        self.failed: list[Any] = []
        self.hub.failed.connect(self.failed.append)

    @property
    def note(self) -> str:
        return self.view.page.hub._rows["token"]._note.text()

    async def give(self, token: str) -> None:
        changed = asyncio.ensure_future(emitted(self.hub.token_changed))
        await asyncio.sleep(0)
        self.view.page.hub.token.enter.click()
        (sheet,) = self.view.findChildren(TokenSheet)
        sheet.edit.setText(token)
        sheet.keep.click()
        await changed

    async def done(self) -> None:
        await asyncio.gather(*self.scope._tasks)

    async def close(self) -> None:
        await self.scope.close()
        await self.library.close()
        self.view.deleteLater()


Story = Callable[[Desk], Coroutine[Any, Any, None]]


@pytest.fixture
def told(run_qt: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[[Story, str], None]:
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)

    def run(story: Story, backend: str) -> None:
        monkeypatch.setenv("PYTHON_KEYRING_BACKEND", f"tests.fakes.keyrings.{backend}")

        async def body() -> None:
            desk = Desk()
            try:
                await story(desk)
            finally:
                await desk.close()

        run_qt(body(), timeout=60)

    return run


def files_with(text: str, home: Path) -> set[str]:
    return {path.name for path in home.rglob("*") if path.is_file() and text.encode() in path.read_bytes()}


def test_a_token_is_kept_in_the_keyring_alone(told: Callable[[Story, str], None], home: Path) -> None:
    async def story(desk: Desk) -> None:
        assert "Not set." in desk.note
        await desk.give(TOKEN)
        assert "in the keyring" in desk.note and "huggingface.co alone" in desk.note
        assert desk.store.value.hub_tokens == (HUB,)
        assert await desk.keys.get(HUB) == TOKEN
        desk.store.update(hub_endpoint=MIRROR)
        assert "Not set." in desk.note and "mirror.example" in desk.view.page.hub._rows["token"]._title.text()
        await desk.give("hf_for_the_mirror")
        desk.store.update(hub_endpoint="")
        assert "in the keyring" in desk.note
        assert await desk.keys.get(HUB) == TOKEN  # each hub its own

    told(story, "Kept")
    assert files_with(TOKEN, home) == {"fake-keyring.json"}


def test_a_token_is_removed_from_the_keyring(told: Callable[[Story, str], None], home: Path) -> None:
    async def story(desk: Desk) -> None:
        await desk.give(TOKEN)
        desk.view.page.hub.token.remove.click()
        await desk.done()
        assert "Not set." in desk.note and desk.store.value.hub_tokens == ()
        assert await desk.keys.get(HUB) == "" and desk.failed == []

    told(story, "Kept")
    assert files_with(TOKEN, home) == set()


def test_without_a_keyring_to_trust_it_is_for_this_run_and_says_why(
    told: Callable[[Story, str], None], home: Path
) -> None:
    async def story(desk: Desk) -> None:
        await desk.give(TOKEN)
        assert "until you quit" in desk.note and "not safe" in desk.note
        assert desk.store.value.hub_tokens == () and desk.keys.has(HUB)
        desk.view.page.hub.token.remove.click()
        await desk.done()
        assert not desk.keys.has(HUB) and "Not set." in desk.note

    told(story, "Plaintext")
    assert files_with(TOKEN, home) == set()


def test_a_keyring_that_stays_locked_keeps_what_it_has(
    told: Callable[[Story, str], None], home: Path
) -> None:
    async def story(desk: Desk) -> None:
        desk.store.update(hub_tokens=(HUB,))
        desk.hub._show_token()
        desk.view.page.hub.token.remove.click()
        await desk.done()
        assert [error.code for error in desk.failed] == ["keyring.locked"]
        assert "in the keyring" in desk.note and desk.store.value.hub_tokens == (HUB,)

    told(story, "Locked")


def test_the_environments_token_comes_first_and_is_shown_so(
    told: Callable[[Story, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "x")

    async def story(desk: Desk) -> None:
        monkeypatch.setenv("HF_TOKEN", TOKEN)
        desk.hub._show_token()
        assert "HF_TOKEN of the environment" in desk.note and TOKEN not in desk.note
        desk.store.update(hub_endpoint=MIRROR)
        assert "is for huggingface.co and not sent to this one" in desk.note

    told(story, "Kept")


def test_hosts_are_read_when_the_page_is_seen_and_cleared(
    told: Callable[[Story, str], None], home: Path
) -> None:
    async def story(desk: Desk) -> None:
        desk.ledger.note("huggingface.co", "list org/a")
        desk.view.show()
        desk.view.open_at("hosts")
        await desk.done()
        rows = desk.view.hosts.rows
        assert rows.rowCount() == 1
        desk.ledger.note("cdn.example", "files of org/a")  # while it is seen
        assert (rows.rowCount(), rows.index(0, 1).data()) == (2, "cdn.example")
        desk.view.hosts.clear.click()
        await desk.done()
        assert rows.rowCount() == 0 and desk.ledger.rows() == ()
        desk.ledger.note("huggingface.co", "list org/b")
        assert rows.rowCount() == 1 and len(desk.ledger.rows()) == 1

    told(story, "Kept")


def test_a_list_that_cannot_be_cleared_says_so(told: Callable[[Story, str], None], home: Path) -> None:
    async def story(desk: Desk) -> None:
        folder = default_paths().data / "hosts.jsonl"
        folder.mkdir(parents=True)
        desk.view.hosts.clear_wanted.emit()
        await desk.done()
        assert [error.code for error in desk.failed] == ["hosts.not_cleared"]

    told(story, "Kept")
