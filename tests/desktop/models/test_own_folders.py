"""Folders of one's own and models of no known kind: added, marked, reported, and never changed or fetched."""

from __future__ import annotations

from pathlib import Path

from desktop.models.values import Badge, State
from tests.desktop.models.desk import CONFIG, NAME, WHOLE, Desk, Run, place
from tests.fakes.hub.server import COMMIT, FakeHub


def own_folder(home: Path, config: bytes = CONFIG) -> Path:
    folder = home / "玉山 7B"
    folder.mkdir()
    for name, content in {**WHOLE, "config.json": config}.items():
        (folder / name).write_bytes(content)
    return folder


def test_a_folder_is_added_by_its_path_listed_and_taken_off_again(
    visit: Run, home: Path, hub: FakeHub
) -> None:
    folder = own_folder(home)
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}

    async def person(at: Desk) -> None:
        await at.open()
        at.picker.search.setText(str(folder))
        at.picker.side.entered.emit()
        await at.until(lambda: at.picker.key == str(folder))
        foreign = await at.state(State.FOREIGN)
        assert (foreign.name, foreign.frees) == ("玉山 7B", 0) and at.picker.search.text() == ""
        await at.until(lambda: at.picker.list.row(str(folder)).badge is Badge.FITS)
        assert at.settings.value.folders == (str(folder),)
        at.press("forget")
        await at.until(lambda: at.picker.list.row(str(folder)) is None)
        assert at.settings.value.folders == ()

    visit(person)
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before
    assert hub.requests == []  # a path is nobody else's business


def test_a_folder_without_a_model_is_refused_in_the_picker(visit: Run, home: Path) -> None:
    (home / "empty").mkdir()

    async def person(at: Desk) -> None:
        await at.open()
        at.picker.folder_dropped.emit(str(home / "empty"))
        await at.until(at.picker.side.trouble.isVisible)
        assert "config.json" in at.picker.side.trouble.what.text() and at.told == []
        assert at.settings.value.folders == ()
        at.picker.close_picker()
        await at.open()
        await at.until(at.picker.side.trouble.isHidden)
        at.picker.close_picker()
        at.picker.folder_dropped.emit(str(home / "empty"))
        await at.until(lambda: at.told)  # then the window tells it

    visit(person)


def test_a_folder_of_no_known_kind_is_marked_and_can_be_reported_without_its_path(
    visit: Run, home: Path
) -> None:
    folder = own_folder(home, CONFIG.replace(b"qwen3", b"odd"))

    async def person(at: Desk) -> None:
        await at.open()
        at.picker.folder_dropped.emit(str(folder))
        foreign = await at.select(str(folder), State.FOREIGN)
        assert "odd" in foreign.doubt and at.picker.list.row(str(folder)).badge is Badge.UNSUPPORTED
        at.press("why")
        assert at.reports == [("玉山 7B", "odd")]
        at.press("use")  # it may open all the same
        assert at.engines.asked == [("start", str(folder), "local")]

    visit(person)


def test_a_kind_that_is_not_known_is_reported_and_never_fetched(visit: Run, hub: FakeHub) -> None:
    hub.files = {**WHOLE, "config.json": CONFIG.replace(b"qwen3", b"odd")}

    async def person(at: Desk) -> None:
        await at.open()
        await at.search(NAME)
        assert at.picker.list.row(NAME).badge is Badge.UNSUPPORTED
        detail = await at.select(NAME)
        assert "odd" in detail.why
        at.picker.list.chosen.emit(NAME)  # Enter, or a double click
        await at.until(lambda: at.reports)
        assert at.reports == [(NAME, "odd")] and at.downloads.states == ()

    visit(person)
    assert COMMIT not in str(list(place().parent.glob("*")))
