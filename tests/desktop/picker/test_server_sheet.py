"""The sheet of one server, against real sockets: test, connect, key, forget; errors stand in it."""

from __future__ import annotations

from typing import Any, cast

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget

from core.engines.vllm.choice import ServerChoice
from core.errors import EngineError, LoupeError
from core.keys import Keys
from core.settings import SavedServer
from desktop.picker.server_presenter import ServerPresenter
from desktop.picker.server_sheet import ServerSheet
from desktop.picker.servers import Given
from tests.desktop.picker.test_presenter import Desk
from tests.fakes.chat_desk import ChatDesk, play
from tests.fakes.fake_vllm import FakeVllm
from tests.fakes.scripted_server import HERE

Run = Any


class Sheets(Desk):
    """With the presenter of the sheet, and the sheet open."""

    def __init__(self, *scripts: list[object], **values: Any) -> None:
        super().__init__(*scripts, **values)
        self.over = QWidget()
        self.sheets = ServerPresenter(
            self.over, self.engines, cast(Keys, self.keys), self.servers, self.scope
        )

    @property
    def sheet(self) -> ServerSheet:
        assert self.sheets._sheet is not None
        return self.sheets._sheet

    @property
    def shown(self) -> str:
        """What stands below the fields, "" if nothing does."""
        sheet = self.sheet
        return "" if sheet.outcome.isHidden() else f"{sheet._what.text()}\n{sheet._rest.text()}"

    async def close(self) -> None:
        if self.sheets._sheet is not None:
            self.sheets._sheet.reject()
        await super().close()
        self.over.deleteLater()


def at(desk: ChatDesk) -> Sheets:
    assert isinstance(desk, Sheets)
    desk.sheets.open()
    return desk


def type_in(edit: QLineEdit, text: str) -> None:
    edit.clear()
    QTest.keyClicks(edit, text)


def test_a_test_lists_what_was_found_and_leaves_the_engine_in_use(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk = at(desk)
        desk.engines.start()
        await desk.rest()
        async with FakeVllm(scale_out=True, mode="processed_logprobs", key="secret").serve() as fake:
            type_in(desk.sheet.address, f"{fake.address}/v1/models")
            type_in(desk.sheet.key, "secret")
            desk.sheet.test_button.click()
            await desk.rest()
        assert desk.shown.splitlines() == [
            "vLLM 0.32.0 answers.",
            "Models: tiny",
            "Context: 512 tokens",
            "Numbers of each token: what was drawn from (processed log probabilities)",
            "Ranks: of every token",
        ]
        assert desk.server.opened == [] and desk.session.can_ask
        assert desk.keys.kept == {} and desk.settings.value.servers == ()  # only looked at

    play(run_qt, steps, make=Sheets)


def test_errors_stand_in_the_sheet(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk = at(desk)
        assert not desk.sheet.test_button.isEnabled()  # no address yet
        type_in(desk.sheet.address, "ftp://somewhere")
        desk.sheet.test_button.click()
        assert desk.shown.startswith("ftp://somewhere is no address of a server.")
        async with FakeVllm(key="secret").serve() as fake:
            type_in(desk.sheet.address, fake.address)
            assert desk.shown == ""  # it was about the address before
            desk.sheet.test_button.click()
            await desk.rest()
            assert desk.shown.startswith(f"{fake.address} did not accept the key.")
            assert "Give the key" in desk.shown
        desk.sheet.test_button.click()
        await desk.rest()
        assert desk.shown.startswith(f"Nothing answers at {fake.address}.")

    play(run_qt, steps, make=Sheets)


def test_connecting_closes_the_sheet_and_keeps_the_key(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk = at(desk)
        type_in(desk.sheet.address, "localhost:8000/v1/")
        type_in(desk.sheet.key, "secret")
        QTest.keyClick(desk.sheet.key, Qt.Key.Key_Return)
        await desk.rest()
        assert desk.sheets._sheet is None
        assert desk.server.opened == [(ServerChoice(HERE), "secret")]
        assert desk.settings.value.servers == (SavedServer(HERE, "org/served", key=True),)
        desk.sheets.open()
        assert desk.sheet.address.text() == HERE and desk.sheet.key.text() == ""
        assert desk.sheet.key_note.text() == "A key is kept in the keyring of this computer."

    play(run_qt, steps, make=Sheets)


def test_a_server_that_cannot_be_connected_leaves_the_sheet_open(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk = at(desk)
        desk.keys.keyring = False
        told: list[LoupeError] = []
        desk.sheets.not_kept.connect(told.append)
        desk.server.opens[HERE] = EngineError("server.key", address=HERE)
        type_in(desk.sheet.address, HERE)
        type_in(desk.sheet.key, "wrong")
        desk.sheet.connect_button.click()
        await desk.rest()
        assert desk.shown.startswith(f"{HERE} did not accept the key.")
        assert desk.sheet.key_note.text() == "No keyring here: the key is kept for this run only."
        assert desk.sheet.connect_button.isEnabled() and not desk.sheet.key.isReadOnly()
        assert told == []
        del desk.server.opens[HERE]
        type_in(desk.sheet.key, "right")
        desk.sheet.connect_button.click()
        await desk.rest()
        assert desk.sheets._sheet is None and desk.server.opened[-1][1] == "right"
        assert [error.code for error in told] == ["keyring.none"]  # the sheet that said it is gone

    play(run_qt, steps, make=Sheets)


def test_a_server_whose_files_are_unknown_is_asked_about_in_the_card(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk = at(desk)
        desk.server.opens[HERE] = EngineError("server.files_unknown", model="org/served", root="/x")
        type_in(desk.sheet.address, HERE)
        desk.sheet.connect_button.click()
        await desk.rest()
        assert desk.sheets._sheet is None and not desk.card.isHidden()

    play(run_qt, steps, make=Sheets)


def test_forgetting(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk = at(desk)
        desk.keys.kept[HERE] = "secret"
        assert desk.sheet.address.text() == HERE and not desk.sheet.forget_button.isHidden()
        type_in(desk.sheet.address, "elsewhere:1")
        assert desk.sheet.forget_button.isHidden()
        type_in(desk.sheet.address, HERE)
        desk.sheet.forget_button.click()
        await desk.rest()
        assert desk.sheets._sheet is None
        assert desk.settings.value.servers == () and desk.keys.kept == {}
        assert desk.bar.engine.accessibleName() == "Engine: Built-in"

    play(run_qt, steps, make=Sheets, servers=(SavedServer(HERE, key=True),), server=HERE)


def test_the_environments_key_is_said_and_used_for_a_test(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        async with FakeVllm(key="given").serve() as fake:
            desk.servers.given = Given(fake.address, "given")  # type: ignore[attr-defined]
            desk.engines._address = fake.address  # type: ignore[attr-defined]
            desk = at(desk)
            assert desk.sheet.key_note.text().startswith("VLLM_API_KEY is used")
            desk.sheet.test_button.click()
            await desk.rest()
            assert desk.shown.startswith("vLLM 0.32.0 answers.")

    play(run_qt, steps, make=Sheets)


def test_closing_the_sheet_ends_the_test(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk = at(desk)
        async with FakeVllm().serve() as fake:
            type_in(desk.sheet.address, fake.address)
            desk.sheet.test_button.click()
            desk.sheet.reject()
            await desk.rest()
            assert desk.sheets._sheet is None and desk.unexpected == []

    play(run_qt, steps, make=Sheets)


def test_every_field_and_button_has_a_name(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk = at(desk)
        sheet = desk.sheet
        assert sheet.address.accessibleName() == "Address" and sheet.key.accessibleName() == "Key"
        assert sheet.key.echoMode() is QLineEdit.EchoMode.Password
        assert all(button.text() for button in (sheet.cancel, sheet.test_button, sheet.connect_button))

    play(run_qt, steps, make=Sheets)
