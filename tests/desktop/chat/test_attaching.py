"""Attaching files: dropped, pasted, shown as chips, sent with the question, said below it; refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PIL import Image
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMimeData, Qt, QUrl
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from core.engines.base import Expanded
from core.errors import PromptError
from core.paths import default_paths
from core.prompt.base import MediaSpan
from desktop.chat.blocks import QuestionBlock
from desktop.chat.composer_state import Reason
from tests.fakes.chat_desk import ChatDesk, play
from tests.fakes.scripted_engine import said


def picture(folder: Path, name: str = "cat & dog.png") -> Path:
    Image.new("RGB", (8, 6), (200, 10, 10)).save(folder / name)
    return folder / name


def files(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def chips(desk: ChatDesk) -> list[str]:
    return [button.text() for button in desk.composer.attached.stops()]  # type: ignore[attr-defined]


def questions(desk: ChatDesk) -> list[QuestionBlock]:
    return [block for block in desk.blocks if isinstance(block, QuestionBlock)]


def test_a_file_that_waits_is_in_use_by_its_chat_alone(run_qt: Any, tmp_path: Path) -> None:
    async def steps(desk: ChatDesk) -> None:
        attaching, here = desk.chat._attaching, desk.session.conversation.id
        desk.composer.edit.insertFromMimeData(files(picture(tmp_path)))
        assert attaching.files("") == set()
        await desk.rest()
        (name,) = attaching.files("")
        assert (default_paths().media / name).is_file()
        assert attaching.files(here) == set()
        await desk.ask("What is this?")
        assert attaching.files("") == set()

    play(run_qt, steps, said("A cat."))


def test_a_dropped_file_goes_with_the_question(run_qt: Any, tmp_path: Path) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk.composer.edit.insertFromMimeData(files(picture(tmp_path)))
        assert desk.composer.text() == ""  # its address is not typed
        assert chips(desk) == ["cat && dog.png · preparing"]
        assert desk.composer.state.reason is Reason.ATTACHING
        await desk.rest()
        (shown,) = chips(desk)
        assert shown.startswith("cat && dog.png · 8 × 6 · ")
        assert desk.composer.state.enabled  # a picture alone is a question too
        await desk.ask("What is this?")
        (span,) = desk.engine.media
        assert span.attachment.name == "cat & dog.png"
        assert (default_paths().media / span.attachment.digest).is_file()
        assert desk.engine.kinds == ["image"]
        assert chips(desk) == []
        note = questions(desk)[0].turn.note
        assert note.startswith("cat & dog.png · picture · 8 × 6 · ")
        assert note.endswith("tokens not known: expanded by the server")
        await desk.ask("And now?")
        assert len(desk.engine.media) == 1
        assert questions(desk)[1].turn.note == ""

    play(run_qt, steps)


def test_the_room_left_is_not_known_with_a_file(run_qt: Any, tmp_path: Path) -> None:
    async def steps(desk: ChatDesk) -> None:
        composer = desk.composer
        composer.edit.setPlainText("What is this?")
        composer.set_room(900)
        assert "900" in composer._room.text()
        composer.edit.insertFromMimeData(files(picture(tmp_path)))
        assert "900" not in composer._room.text()  # what a server makes of it is told with the answer
        await desk.rest()

    play(run_qt, steps)


def test_its_tokens_are_said_when_they_are_known(run_qt: Any, tmp_path: Path) -> None:
    begin, *rest = said("A cat.")
    script = [begin, None, *rest]

    async def steps(desk: ChatDesk) -> None:
        desk.composer.edit.files_given.emit([picture(tmp_path)])
        await desk.rest()
        found = desk.chat._attaching._items[desk.session.conversation.id][0].attachment
        assert found is not None
        script[1] = Expanded((1, 1, 1, 1, 2), (MediaSpan(found, 0, 0, 4, expanded=True),))
        await desk.ask("?")
        assert questions(desk)[0].turn.note.endswith(" · 4 token(s)")

    play(run_qt, steps, script)


def test_a_refused_kind_says_why_and_is_not_sent(run_qt: Any, tmp_path: Path) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk.engine.refuses = PromptError("prompt.media_local")
        text = tmp_path / "notes.txt"
        text.write_text("no picture")
        desk.composer.set_text("What?")
        desk.composer.edit.files_given.emit([picture(tmp_path), text])
        await desk.rest()
        assert [shown.split(" · ")[1] for shown in chips(desk)] == ["cannot be sent"] * 2
        engine, file = desk.composer.attached.stops()
        assert "takes no attachments" in engine.toolTip()
        assert "takes no attachments" in engine.accessibleName()
        assert "no picture, sound or video" in file.toolTip()
        assert (desk.composer.state.enabled, desk.composer.state.reason) == (False, Reason.REFUSED)
        for button in (file, engine):
            button.setFocus()
            QTest.keyClick(button, Qt.Key.Key_Delete)
        assert chips(desk) == []
        assert desk.composer.state.enabled
        assert desk.composer.text() == "What?"

    play(run_qt, steps)


def test_one_that_is_still_being_prepared_can_be_removed(run_qt: Any, tmp_path: Path) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk.composer.edit.files_given.emit([picture(tmp_path)])
        (button,) = desk.composer.attached.stops()
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        await desk.rest()
        assert chips(desk) == []
        assert desk.engine.kinds == []

    play(run_qt, steps)


def test_a_picture_from_the_clipboard_has_a_name_and_leaves_no_file(run_qt: Any, tmp_path: Path) -> None:
    image, buffer = QImage(5, 4, QImage.Format.Format_RGB32), QBuffer()
    image.fill(Qt.GlobalColor.blue)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    ready, packed, table = QMimeData(), QMimeData(), QMimeData()
    ready.setData("image/png", QByteArray(buffer.data()))
    packed.setImageData(image)
    table.setImageData(image)
    table.setText("1\t2")

    async def steps(desk: ChatDesk) -> None:
        for data in (ready, packed):
            assert desk.composer.edit.canInsertFromMimeData(data)
            desk.composer.edit.insertFromMimeData(data)
        await desk.rest()
        assert [shown.rsplit(" · ", 1)[0] for shown in chips(desk)] == ["Pasted picture · 5 × 4"] * 2
        desk.composer.edit.insertFromMimeData(table)  # a spreadsheet's cells are text first
        assert desk.composer.text() == "1\t2"
        assert len(chips(desk)) == 2

    play(run_qt, steps)


def test_each_chat_keeps_its_own(run_qt: Any, tmp_path: Path) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk.composer.edit.files_given.emit([picture(tmp_path)])
        await desk.rest()
        desk.chat.act("new_chat")
        assert chips(desk) == []

    play(run_qt, steps)


def test_a_question_that_could_not_be_asked_keeps_them(run_qt: Any, tmp_path: Path) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk.composer.edit.files_given.emit([picture(tmp_path)])
        await desk.rest()
        desk.engine.lost = True
        await desk.ask("What?")
        assert desk.composer.text() == "What?"
        assert len(chips(desk)) == 1

    play(run_qt, steps)
