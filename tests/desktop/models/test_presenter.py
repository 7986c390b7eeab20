"""The picker at work: what a person finds, gets, uses, deletes and adds, and what is told when it fails."""

from __future__ import annotations

import asyncio

import pytest
from PySide6.QtWidgets import QLabel

from core.models.catalog import BUILT_IN
from core.models.lock import FolderLock
from core.models.manifest import is_ready
from core.models.partial import ListedFile, Listing, partial_place, write_listing
from core.paths import default_paths
from desktop.kit.dialogs import Question
from desktop.models import words
from desktop.models.buttons import offered
from desktop.models.values import Badge, CheckView, Group, State
from tests.desktop.models.desk import NAME, WEIGHTS, WHOLE, Desk, Run, lay, place
from tests.fakes.hub.server import COMMIT, FakeHub, Fault

QWEN = "Qwen/Qwen3.5-0.8B"


async def question(at: Desk) -> Question:
    await at.until(lambda: at.window.findChildren(Question))
    found: Question = at.window.findChildren(Question)[0]
    return found


def damaged(at: Desk) -> list[str]:
    return [one.name for one in at.detail.files if one.state == "damaged"]


# --- looking ----------------------------------------------------------------------------------------------


def test_it_opens_on_what_is_here_and_what_is_suggested(visit: Run, hub: FakeHub) -> None:
    async def person(at: Desk) -> None:
        at.presenter.open(at.window.rect().topLeft())
        assert at.picker.side.empty.text() == ""  # not a word before the disk is read
        await at.until(at.rows)
        assert at.rows() == [BUILT_IN, QWEN, "google/gemma-4-E2B-it"]
        assert at.picker.list.row(QWEN).badge is Badge.NONE  # not "Unknown" either
        assert hub.requests == []  # nobody asked anything

    visit(person)


def test_what_is_found_shows_more_once_it_is_looked_at(visit: Run, hub: FakeHub) -> None:
    hub.others = (FakeHub("org/second", files=WHOLE, commit="2" * 40, downloads=3),)

    async def person(at: Desk) -> None:
        await at.open()
        await at.search("org")
        assert at.rows() == [NAME, "org/second"]  # the most downloaded first
        before = at.picker.list.row("org/second")
        assert (before.size, before.badge, before.group) == (0, Badge.NONE, Group.FOUND)
        detail = await at.select("org/second")
        assert detail.limit == 0 and (detail.fit is None or detail.fit.parts == ())  # nothing is made up
        await at.until(lambda: at.detail.limit and at.picker.list.row("org/second").badge is Badge.FITS)
        assert at.detail.limit == 512 and at.detail.revision == "2" * 40 and at.detail.licence == "mit"
        assert at.picker.list.row("org/second").size > len(WEIGHTS)
        asked = len(hub.requests)
        await at.select(NAME)
        await at.select("org/second")
        await at.until(lambda: at.detail.limit)
        assert [one.path for one in hub.requests[asked:] if "org/second" in one.path] == []  # not twice

    visit(person)


def test_words_narrow_what_is_here_too_and_an_address_is_the_model_that_is_here(
    visit: Run, hub: FakeHub
) -> None:
    async def person(at: Desk) -> None:
        await at.open()
        await at.search("0.8b qwen")
        assert at.rows() == [QWEN]
        await at.fetched()
        await at.search(f"{hub.address}/{NAME}/blob/main/config.json")
        assert at.rows() == [NAME] and at.picker.list.row(NAME).group is Group.HERE
        await at.search("nobody has this")
        assert at.rows() == [] and at.picker.side.empty.text().startswith("Nothing found")

    visit(person)


def test_a_search_that_fails_says_so_until_the_next_one(visit: Run, hub: FakeHub) -> None:
    async def person(at: Desk) -> None:
        await at.open()
        hub.faults = [Fault("status", "api", times=1, status=503)]
        await at.search("org")
        assert at.picker.side.trouble.isVisible()
        at.picker.side.trouble.button.click()  # try again
        await at.until(lambda: at.rows(Group.FOUND) == [NAME])
        assert at.picker.side.trouble.isHidden()

    visit(person)


def test_after_it_is_closed_nothing_is_asked_any_more(visit: Run, hub: FakeHub) -> None:
    async def person(at: Desk) -> None:
        await at.open()
        at.picker.search.setText("org")
        assert at.presenter.escape() and at.presenter.escape()
        assert not at.presenter.escape() and not at.picker.is_open
        assert not at.picker._typing.isActive() and hub.requests == []

    visit(person)


# --- getting ----------------------------------------------------------------------------------------------


def test_get_pause_go_on_and_use(visit: Run, hub: FakeHub) -> None:
    hub.files = {**WHOLE, "tokenizer.json": b"t" * 600_000}

    async def person(at: Desk) -> None:
        await at.open()
        await at.search(NAME)
        await at.select(NAME)
        await at.until(lambda: at.detail.limit)
        hub.hold = True
        at.press("get")
        await at.state(State.FETCHING)
        assert at.picker.list.row(NAME).group is Group.DOWNLOADING
        await asyncio.to_thread(hub.wait_until_it_holds)
        at.press("pause")
        await at.state(State.PAUSED)
        hub.hold = False
        hub.release.set()
        at.press("resume")  # the process that was paused may still be ending
        await at.state(State.READY)
        assert is_ready(place()) and at.downloads.states == ()
        at.press("use")
        assert at.engines.asked == [("start", str(place()), "local")] and not at.picker.is_open

    visit(person)


def test_with_a_server_it_is_chosen_by_enter_and_started_by_its_button(
    visit: Run,
) -> None:
    async def person(at: Desk) -> None:
        at.engines.engine = "cpu"
        await at.open()
        await at.fetched()
        at.picker.list.chosen.emit(NAME)
        assert at.engines.asked == [("choose", str(place()))]
        await at.open()
        await at.select(NAME, State.READY)
        at.press("start")
        assert at.engines.asked[1:] == [("start", str(place()), "cpu")]

    visit(person)


def test_what_another_window_fetches_is_watched_and_offered_once_it_has_ended(
    visit: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.models.presenter._AGAIN", 0.01)
    folder = partial_place(default_paths().models, NAME, COMMIT)
    folder.mkdir(parents=True)
    listed = ListedFile("model.safetensors", len(WEIGHTS), sha256="2" * 64)
    write_listing(folder, Listing(NAME, COMMIT, "http://hub", (listed,)))

    async def person(at: Desk) -> None:
        with FolderLock(folder) as lock:
            assert lock.take()
            await at.open()
            detail = await at.select(NAME, State.FETCHING)
            assert detail.elsewhere and detail.done == 0 and offered(detail) == ("use",)
            assert "Another window" in at.picker.detail.download.speed.text()
            (folder / "model.safetensors.part").write_bytes(WEIGHTS[:70])
            await at.until(lambda: at.detail.done == 70)
        await at.state(State.PARTIAL)
        assert offered(at.detail) == ("cancel", "resume")

    visit(person)


def test_only_the_small_files_and_then_the_rest(visit: Run, hub: FakeHub) -> None:
    async def person(at: Desk) -> None:
        await at.open()
        await at.search(NAME)
        await at.select(NAME)
        at.picker.detail.tokenizer.click()
        ready = await at.state(State.READY)
        assert ready.tokenizer_only and ready.fit is None and not (place() / "model.safetensors").exists()
        at.picker.list.chosen.emit(NAME)  # nothing to open
        assert at.engines.asked == []
        before = len(hub.requests)
        at.press("get")
        await at.until(lambda: not at.detail.tokenizer_only and at.detail.state is State.READY)
        assert {one.file for one in hub.requests[before:] if one.sent and one.file} == {"model.safetensors"}

    visit(person)


def test_small_files_alone_are_repaired_alone(visit: Run, hub: FakeHub) -> None:
    async def person(at: Desk) -> None:
        at.downloads.start(NAME, tokenizer_only=True)
        await at.open()
        await at.select(NAME, State.READY)
        (place() / "tokenizer.json").write_bytes(b"cut")
        at.presenter.refresh()
        await at.state(State.DAMAGED)
        at.press("repair")
        assert (await at.state(State.READY)).tokenizer_only and is_ready(place())
        assert hub.served["model.safetensors"] == 0

    visit(person)


def test_what_is_damaged_is_repaired_alone(visit: Run, hub: FakeHub) -> None:
    async def person(at: Desk) -> None:
        await at.open()
        await at.fetched()
        (place() / "tokenizer.json").unlink()
        at.presenter.refresh()
        await at.state(State.DAMAGED)
        await at.until(lambda: damaged(at))
        assert damaged(at) == ["tokenizer.json"]
        before = len(hub.requests)
        at.press("repair")
        await at.state(State.READY)
        assert {one.file for one in hub.requests[before:] if one.sent and one.file} == {"tokenizer.json"}

    visit(person)


def test_a_wrong_byte_of_the_right_size_is_found_by_a_check(visit: Run, hub: FakeHub) -> None:
    async def person(at: Desk) -> None:
        await at.open()
        await at.fetched()
        link, said = at.picker.detail.check, at.picker.detail.checked
        link.click()
        assert link.text() == "Stop the check" and said.isVisible()
        link.click()
        assert link.text() == "Check the files" and said.isHidden()
        link.click()
        await at.until(lambda: at.detail.check == CheckView("good"))
        assert "as they should be" in said.text.text()
        (place() / "model.safetensors").write_bytes(WEIGHTS[:-1] + b"x")
        link.click()
        await at.state(State.DAMAGED)
        await at.until(lambda: damaged(at))
        assert damaged(at) == ["model.safetensors"]
        assert link.isHidden() and said.isHidden()
        at.press("repair")
        await at.state(State.READY)
        assert (place() / "model.safetensors").read_bytes() == WEIGHTS
        assert at.detail.check == CheckView() and said.isHidden()  # what was found is no more

    visit(person)


def test_a_commit_beside_another_one(visit: Run, hub: FakeHub) -> None:
    older = "f" * 40
    hub.older = {older: WHOLE}

    async def person(at: Desk) -> None:
        await at.open()
        await at.fetched()
        await at.search(f"{NAME}@{older}")
        other = f"{NAME}@{older}"
        assert at.rows() == [NAME, other]
        detail = await at.select(other)
        assert (detail.revision, detail.state) == (older, State.ABSENT)
        at.press("get")
        await at.state(State.READY)
        assert is_ready(place()) and is_ready(place(older))
        await at.until(lambda: at.detail.frees)
        at.press("delete")
        (await question(at)).action.click()
        await at.until(lambda: not place(older).exists())
        assert is_ready(place())

    visit(person)


def test_a_gate(visit: Run, hub: FakeHub) -> None:
    hub.gated, hub.token = True, "hf_secret"

    async def person(at: Desk) -> None:
        await at.open()
        await at.search(NAME)
        gated = await at.select(NAME, State.GATED)
        assert gated.page == f"https://hub.example/{NAME}"
        at.press("get")  # without a token
        await at.until(lambda: at.detail.trouble)
        assert at.detail.state is State.GATED and at.picker.list.row(NAME).group is Group.DOWNLOADING
        assert "has not signed in" in at.picker.detail.gated.text.text()
        at.press("cancel")
        await at.until(lambda: at.downloads.states == ())
        at.token = hub.token
        await at.search(NAME)
        await at.select(NAME, State.ABSENT)
        assert at.detail.gated
        at.press("get")
        await at.state(State.READY)

    visit(person)


# --- deleting ---------------------------------------------------------------------------------------------


def test_deleting_says_what_it_frees_and_forgets_that_it_was_used_last(
    visit: Run,
) -> None:
    async def person(at: Desk) -> None:
        await at.open()
        ready = await at.fetched()
        at.settings.update(model=ready.folder)
        at.press("delete")
        asked = await question(at)
        asked.cancel.click()
        await at.until(lambda: not at.window.findChildren(Question))
        assert is_ready(place())
        at.press("delete")
        (await question(at)).action.click()
        await at.until(lambda: at.settings.value.model == BUILT_IN)
        assert not place().exists()

    visit(person)


def test_deleting_names_the_models_that_need_it(visit: Run) -> None:
    drafter, model = "google/gemma-4-E2B-it-assistant", "google/gemma-4-E2B-it"
    folders = [lay(drafter, "d" * 40), lay(model, "e" * 40)]

    async def person(at: Desk) -> None:
        await at.open()
        await at.select(drafter, State.READY)
        await at.until(lambda: at.detail.also_used_by)
        at.press("delete")
        asked = await question(at)
        said = " ".join(label.text() for label in asked.findChildren(QLabel))
        assert f"Delete {drafter}?" in said and "It is also used by Gemma 4 E2B." in said
        assert f"frees {words.size(at.detail.frees)}" in said
        asked.action.click()
        await at.until(lambda: at.picker.list.row(drafter) is None)
        assert [folder.exists() for folder in folders] == [False, True]
        assert at.picker.list.row(f"{model}@{'e' * 40}").note == f"{model} · eeeeeee"  # not the pinned one

    visit(person)


def test_a_hundred_models_are_listed_and_narrowed(visit: Run) -> None:
    for number in range(100):
        lay(f"org/model-{number}")

    async def person(at: Desk) -> None:
        await at.open()
        assert len(at.rows(Group.HERE)) == 101
        await at.search("model-7")
        assert len(at.rows(Group.HERE)) == 11

    visit(person)


def test_what_runs_is_not_deleted_even_if_it_began_while_the_question_stood(
    visit: Run,
) -> None:
    async def person(at: Desk) -> None:
        await at.open()
        ready = await at.fetched()
        at.press("delete")
        asked = await question(at)
        at.engines.running = ready.folder
        asked.action.click()
        await at.until(lambda: not at.window.findChildren(Question))
        at.presenter.refresh()
        await at.state(State.RUNNING)
        assert is_ready(place()) and not at.picker.detail.buttons.buttons["delete"].isEnabled()

    visit(person)
