"""A model's details: numbers as ranges, the verdict, the download, what each state offers."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QPoint, Qt, QTranslator
from PySide6.QtWidgets import QScrollArea
from pytestqt.qtbot import QtBot

from desktop.models import words
from desktop.models.buttons import offered
from desktop.models.detail import Detail
from desktop.models.values import Badge, FileRow, FitPart, FitView, State
from tests.desktop.models import models as m


@pytest.fixture
def detail(qtbot: QtBot) -> Detail:
    made = Detail()
    qtbot.addWidget(made)
    made.resize(368, 700)
    made.set_detail(m.DETAIL)
    made.show()
    return made


def shown(detail: Detail) -> list[str]:
    return [what for what, made in detail.buttons.buttons.items() if made.isVisible()]


def test_name_revision_media_and_licence(detail: Detail) -> None:
    assert detail.title.text() == "Gemma 4 E2B"
    assert detail.id.text() == "google/gemma-4-E2B-it · 3e22461"
    assert detail.chips.accessibleName() == "text, image, sound, video"
    assert detail.licence.text.text() == "Licence: Gemma terms"
    assert detail.facts.text.text() == "Made for contexts up to 131,072 tokens. Languages: English, 繁體中文."
    detail.set_detail(replace(m.DETAIL, limit=0, languages=()))
    assert detail.facts.isHidden()


def test_the_fit_is_told_in_ranges(detail: Detail) -> None:
    assert detail.fit.at.text() == "at 32,768 tokens"
    said = detail.fit.table.accessibleName()
    for part in (
        "Weights 9.55 GiB",
        "KV cache 0.6 to 0.9 GiB",
        "Working memory 1.2 to 1.8 GiB",
        "11.3 to 12.2 of 13.9 GiB",
        "Fits. Speed is not known on this computer yet.",
    ):
        assert part in said
    assert detail.fit.verdict.sign.sign == "check"
    assert words.spare(m.FIT) == "1.7 left" and detail.fit.largest.isHidden()


@pytest.mark.parametrize(
    ("fit", "sentence", "sign"),
    [
        (m.CPU_FIT, "Too big: at least 3.3 GiB more than there is.", "x"),
        (
            replace(m.CPU_FIT, reason="disk", disk_needed=10 * m.GB, disk_spare=m.GB, disk_free=4 * m.GB),
            "Too big for the disk: it needs 11.00 GB, 4.00 GB is free.",
            "x",
        ),
        (
            replace(m.FIT, badge=Badge.TIGHT, reason="memory"),
            "Tight: with the upper estimate, less than a tenth is left.",
            "warn",
        ),
        (
            FitView(Badge.UNKNOWN, reason="weights"),
            "Not known: the hub does not tell the size of its weights.",
            "info",
        ),
        (replace(m.FIT, speed="About 90 tokens a second."), "Fits. About 90 tokens a second.", "check"),
    ],
)
def test_the_verdict_says_why(detail: Detail, fit: FitView, sentence: str, sign: str) -> None:
    detail.set_detail(m.detail(State.ABSENT, fit=fit))
    assert (detail.fit.verdict.text.text(), detail.fit.verdict.sign.sign) == (sentence, sign)
    assert detail.fit.table.isHidden() == (not fit.parts)


def test_the_largest_context_that_fits(detail: Detail) -> None:
    detail.set_detail(m.detail(State.ABSENT, fit=replace(m.FIT, largest=41_216)))
    assert detail.fit.largest.text() == "41,216 tokens"
    detail.set_detail(m.detail(State.ABSENT, fit=m.CPU_FIT))
    assert detail.fit.largest.text() == "none fits"


@pytest.mark.parametrize(
    ("fit", "disk", "image"),
    [
        (m.FIT, "", ""),
        (replace(m.FIT, disk_needed=2 * m.GB, disk_free=200 * m.GB), "2.00 GB of 200 GB free", ""),
        (replace(m.FIT, image=None), "", "size not known"),
        (replace(m.FIT, image=None, image_free=40 * m.GB), "", "size not known, 40.00 GB free"),
        (replace(m.FIT, image=8 * m.GB, image_free=40 * m.GB), "", "8.00 GB of 40.00 GB free"),
    ],
)
def test_what_is_still_to_come_to_the_disks(detail: Detail, fit: FitView, disk: str, image: str) -> None:
    detail.set_detail(m.detail(State.ABSENT, fit=fit))
    assert (detail.fit.disk.text(), detail.fit.image.text()) == (disk, image)
    assert (detail.fit.disk.isHidden(), detail.fit.image.isHidden()) == (not disk, not image)
    assert all(value in detail.fit.table.accessibleName() for value in (disk, image))


def test_ranges_are_never_more_exact_than_they_are() -> None:
    gib = m.GIB
    assert words.memory(round(9.55 * gib), round(9.55 * gib)) == "9.55 GiB"
    assert words.memory(round(0.61 * gib), round(0.62 * gib)) == "0.6 GiB"
    assert words.memory(0, round(3.1 * gib)) == "up to 3.1 GiB"
    assert words.memory(round(0.02 * gib), round(0.03 * gib)) == "0.02 to 0.03 GiB"
    fit = FitView(Badge.UNKNOWN, (FitPart("weights", gib, gib),), reason="room")
    assert words.needs(fit) == "1.00 GiB"


def test_the_download_all_of_it_and_each_file(detail: Detail) -> None:
    block = detail.download
    assert (block.amount.text(), block.speed.text(), block.left.text()) == (
        "6.31 of 10.25 GB",
        "84 MB/s",
        "47 s left",
    )
    assert block.bar.share == pytest.approx(6.31 / 10.25) and block.bar.accessibleName() == "61 %"
    said = block.files.accessibleName()
    assert said.startswith("model.safetensors, coming, 6.28 / 10.21 GB; tokenizer.json, there, 32.2 MB;")
    assert block.kept.text() == "Kept on disk as it comes in. You can quit; it goes on from here next time."


@pytest.mark.parametrize(
    ("state", "values", "pace"),
    [
        (State.WAITING, {}, ("Waits for the download before it", "")),
        (State.STALLED, {"retry": (2, 8)}, ("Nothing comes at the moment", "try 2 of 8")),
        (State.VERIFYING, {"checked": (3, 9)}, ("Checking files 3 of 9", "")),
        (State.PAUSED, {}, ("Paused", "")),
        (State.PARTIAL, {}, ("Not finished", "")),
        (State.FAILED, {}, ("Broke off", "")),
        (State.FETCHING, {"speed": 0.0, "left": None}, ("begins", "")),
    ],
)
def test_what_a_download_does_is_said(
    detail: Detail, state: State, values: dict[str, object], pace: tuple[str, str]
) -> None:
    detail.set_detail(m.detail(state, **values))
    assert (detail.download.speed.text(), detail.download.left.text()) == pace


@pytest.mark.parametrize(
    ("state", "values", "wanted"),
    [
        (State.ABSENT, {}, ("get", "start")),
        (State.ABSENT, {"use": True}, ("get", "use")),
        (State.ABSENT, {"why": "no"}, ("why",)),
        (State.GATED, {"page": "https://x"}, ("get", "page")),
        (State.GATED, {}, ("get",)),
        (State.WAITING, {}, ("pause", "cancel", "start")),
        (State.FETCHING, {"start_after": True}, ("pause", "cancel")),
        (State.FETCHING, {"elsewhere": True}, ("start",)),
        (State.VERIFYING, {}, ("cancel", "start")),
        (State.PARTIAL, {}, ("cancel", "resume")),
        (State.FAILED, {}, ("cancel", "resume")),
        (State.DAMAGED, {"frees": 1}, ("delete", "repair")),
        (State.READY, {"frees": 1}, ("delete", "start")),
        (State.READY, {"frees": 1, "tokenizer_only": True}, ("delete", "get")),
        (State.READY, {"why": "no", "frees": 1}, ("delete",)),
        (State.RUNNING, {"frees": 1}, ("delete",)),
        (State.GATED, {"trouble": "refused"}, ("cancel", "get")),
        (State.FOREIGN, {}, ("start",)),
        (State.FOREIGN, {"listed": True, "doubt": "odd"}, ("forget", "why", "start")),
        (State.RUNNING, {"listed": True}, ()),
    ],
)
def test_what_each_state_offers(
    detail: Detail, state: State, values: dict[str, object], wanted: tuple[str, ...]
) -> None:
    made = m.detail(state, **values)
    assert offered(made) == wanted
    detail.set_detail(made)
    assert set(shown(detail)) == set(wanted)
    primary = [what for what in wanted if detail.buttons.buttons[what].property("kind") == "primary"]
    assert len(primary) <= 1


def test_a_running_model_cannot_be_deleted_and_one_without_room_not_started(detail: Detail) -> None:
    detail.set_detail(m.detail(State.RUNNING, frees=m.GB))
    delete = detail.buttons.buttons["delete"]
    assert not delete.isEnabled() and delete.toolTip()
    detail.set_detail(m.detail(State.READY, frees=m.GB, used_by="server"))  # of another window
    assert not delete.isEnabled() and "server in Docker" in delete.toolTip()
    assert detail.deleting.text.text().endswith(delete.toolTip())  # by the keys nobody comes to that button
    detail.set_detail(m.detail(State.RUNNING, frees=m.GB, used_by="local"))
    assert not delete.isEnabled() and "built-in engine" in delete.toolTip()
    detail.set_detail(m.detail(State.READY, frees=m.GB, why_not="Docker is not running."))
    assert delete.isEnabled() and not delete.toolTip()
    assert not detail.buttons.buttons["start"].isEnabled()
    assert detail.why_not.text.text() == "Docker is not running."


def test_a_button_that_goes_hands_its_focus_on(detail: Detail) -> None:
    pause = detail.buttons.buttons["pause"]
    pause.setFocus()
    detail.set_detail(m.detail(State.FETCHING, done=7 * m.GB))
    assert pause.hasFocus()  # progress takes nothing away
    detail.set_detail(m.detail(State.PAUSED))
    assert detail.buttons.buttons["resume"].hasFocus()


def test_what_deleting_frees_and_who_else_needs_it(detail: Detail) -> None:
    detail.set_detail(m.detail(State.READY, frees=1_770_000_000))
    assert detail.deleting.text.text() == "Deleting it frees 1.77 GB."
    detail.set_detail(m.detail(State.READY, frees=1_770_000_000, also_used_by=("Gemma 4 E2B",)))
    assert detail.deleting.text.text() == "Deleting it frees 1.77 GB. It is also used by Gemma 4 E2B."


def test_damaged_foreign_gated_and_tokenizer_only_are_explained(detail: Detail) -> None:
    files = (FileRow("model.safetensors", m.GB, state="damaged"), *m.FILES[1:])
    detail.set_detail(m.detail(State.DAMAGED, files=files, frees=m.GB))
    assert "Repair fetches only that" in detail.download.trouble.text.text()
    assert "model.safetensors, damaged" in detail.download.files.accessibleName()
    assert detail.download.bar.isHidden() and detail.download.kept.isHidden()
    detail.set_detail(m.detail(State.FOREIGN, folder="/home/ana/玉山"))
    assert "/home/ana/玉山" in detail.kind.text.text() and "never changed" in detail.kind.text.text()
    detail.set_detail(m.detail(State.GATED, page="https://x"))
    assert "Ask for access" in detail.gated.text.text() and detail.tokenizer.isVisible()
    detail.set_detail(m.detail(State.READY, tokenizer_only=True))
    assert "The weights are not here" in detail.kind.text.text() and detail.tokenizer.isHidden()
    assert detail.gated.isHidden()


def test_nothing_selected_and_the_way_back(detail: Detail, qtbot: QtBot) -> None:
    detail.set_detail(None)
    detail.set_second_page(True)
    assert shown(detail) == [] and detail.back.isVisible()
    with qtbot.waitSignal(detail.back_wanted):
        qtbot.mouseClick(detail.back, Qt.MouseButton.LeftButton)


def test_long_file_names_are_whole_in_the_tooltip(detail: Detail) -> None:
    long = FileRow("model-00001-of-00030-with-a-very-long-name-indeed.safetensors", m.GB)
    detail.set_detail(m.detail(State.FETCHING, files=(long, *m.FILES[1:])))
    assert detail.download.files.tip(QPoint(20, 4)) == long.name
    assert detail.download.files.tip(QPoint(20, 30)) == ""


def test_many_files_scroll_by_the_keys_of_a_page_and_another_model_begins_at_the_top(
    detail: Detail, qtbot: QtBot
) -> None:
    files = tuple(FileRow(f"model-{at}.safetensors", m.GB) for at in range(40))
    detail.set_detail(m.detail(State.FETCHING, files=files))
    pause = detail.buttons.buttons["pause"]
    pause.setFocus()
    area = detail.findChild(QScrollArea)
    assert area is not None
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    qtbot.keyClick(pause, Qt.Key.Key_PageDown)
    down = detail.scrolled
    assert down > 0
    detail.set_detail(m.detail(State.FETCHING, files=files, done=7 * m.GB))
    assert detail.scrolled == down  # progress moves nothing
    qtbot.keyClick(pause, Qt.Key.Key_PageUp)
    assert detail.scrolled < down
    qtbot.keyClick(pause, Qt.Key.Key_PageDown)
    detail.set_detail(m.detail(State.FETCHING, key="another", files=files))
    assert detail.scrolled == 0


class Backwards(QTranslator):
    """Another language: every text reversed, but not what stands in braces."""

    def isEmpty(self) -> bool:
        return False

    def translate(self, context: str, text: str, note: str | None = None, n: int = -1) -> str:
        return re.sub(r"{(.*?)}", lambda found: f"{{{found[1][::-1]}}}", text[::-1].translate(_BRACES))


_BRACES = str.maketrans("{}", "}{")


def test_another_language_is_spoken_at_once(detail: Detail, qtbot: QtBot) -> None:
    other = Backwards()
    app = QCoreApplication.instance()
    assert app is not None
    app.installTranslator(other)
    try:
        qtbot.waitUntil(lambda: detail.buttons.buttons["pause"].text() == "esuaP")
        assert "sthgieW 9.55 GiB" in detail.fit.table.accessibleName()
        assert detail.chips.accessibleName() == "txet, egami, dnuos, oediv"
    finally:
        app.removeTranslator(other)


@pytest.mark.parametrize("width", [300, 368, 688])
def test_its_buttons_never_make_it_wider(detail: Detail, width: int) -> None:
    for state in State:
        detail.set_detail(m.detail(state, frees=m.GB, page="https://x"))
        detail.resize(width, 700)
        for made in detail.buttons.buttons.values():
            if made.isVisible():
                assert detail.buttons.rect().contains(made.geometry()), (state, made.text())
