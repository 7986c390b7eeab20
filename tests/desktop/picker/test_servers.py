"""A server in place of the built-in engine: chosen, remembered, refused, lost, and asked about its files."""

from __future__ import annotations

import asyncio
from typing import Any

from PySide6.QtWidgets import QMenu

from core.chat.state import ChatState
from core.engines.base import Prefilling, TokenBatch
from core.engines.state import Phase
from core.engines.vllm.choice import ServerChoice
from core.errors import EngineError, ModelError
from core.models.catalog import BUILT_IN
from core.settings import SavedServer
from desktop.chat.composer_state import Button
from desktop.picker.questions import ReportSheet
from desktop.picker.servers import Given, from_environment
from tests.desktop.picker.test_presenter import Desk
from tests.fakes.chat_desk import ChatDesk, play
from tests.fakes.scripted_engine import HELD, rows, said
from tests.fakes.scripted_server import HERE

Run = Any
THERE = "http://gpu.lan:9000"
GONE = EngineError("server.cut", address=HERE)


def at(desk: ChatDesk) -> Desk:
    assert isinstance(desk, Desk)
    return desk


def test_a_server_is_connected_remembered_and_asked(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk = at(desk)
        desk.engines.start()
        await desk.rest()
        desk.engines.join(HERE)
        await desk.rest()
        assert desk.server.opened == [(ServerChoice(HERE), "")]
        assert desk.engine.state.phase is Phase.ABSENT  # the built-in engine was left
        assert desk.settings.value.server == HERE
        assert desk.settings.value.servers == (SavedServer(HERE, model="org/served"),)
        await desk.ask("one")
        assert desk.texts == ["one", "served<|end|>"]
        answer = desk.session.conversation.path()[-1].answer
        assert answer is not None and answer.vocabulary == "s.vocab" and answer.info.engine == "vllm"
        desk.bar.engine_chosen.emit("")
        await desk.rest()
        assert desk.settings.value.server == "" and desk.server.left == 1
        await desk.ask("two")
        assert desk.texts[-1] == "fine<|end|>"

    play(run_qt, steps, make=Desk)


def test_the_server_of_the_settings_is_opened_with_its_model_files_and_key(run_qt: Run) -> None:
    saved = SavedServer(HERE, "alias", {"alias": "org/served"}, key=True)

    async def steps(desk: ChatDesk) -> None:
        desk = at(desk)
        desk.keys.kept[HERE] = "secret"
        desk.engines.start()
        await desk.rest()
        assert desk.engine.opened == []
        assert desk.server.opened == [(ServerChoice(HERE, "alias", "org/served"), "secret")]

    play(run_qt, steps, make=Desk, servers=(saved,), server=HERE)


def test_the_environments_server_wins_and_is_never_written(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk = at(desk)
        desk.engines.start()
        await desk.rest()
        assert desk.server.opened == [(ServerChoice(THERE), "given")]
        desk.bar.open_engines()
        texts = [action.text() for action in desk.bar.engine_menu.actions() if not action.isSeparator()]
        assert texts == ["Built-in", "VLLM_URL · gpu.lan:9000", "localhost:8000", "A server of mine…"]
        desk.bar.engine_menu.close()
        desk.bar.model_chosen.emit("alias")
        await desk.rest()
        assert desk.server.opened[-1] == (ServerChoice(THERE, "alias"), "given")
        assert desk.settings.value.servers == (SavedServer(HERE),)
        assert desk.settings.value.server == HERE
        desk.bar.engine_chosen.emit("")
        await desk.rest()
        assert desk.engine.opened == [BUILT_IN] and desk.settings.value.server == ""

    play(run_qt, steps, make=Desk, given=Given(THERE, "given"), servers=(SavedServer(HERE),), server=HERE)


def test_what_the_environment_may_say() -> None:
    assert from_environment({}) is None and from_environment({"VLLM_URL": "  "}) is None
    assert from_environment({"VLLM_URL": "localhost:8000/v1/"}) == Given(HERE)
    assert from_environment({"VLLM_URL": HERE, "VLLM_API_KEY": "k"}) == Given(HERE, "k")
    assert from_environment({"VLLM_URL": "ftp://x"}) == Given("ftp://x")  # connecting says what is wrong


def test_the_engine_changed_in_mid_answer_stops_it_first(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk = at(desk)
        desk.engines.start()
        await desk.rest()
        desk.composer.ask("long?")
        await desk.engine.reached.wait()
        desk.engines.join(HERE)
        await desk.rest()
        answer = desk.session.conversation.path()[-1].answer
        assert answer is not None and answer.state is ChatState.STOPPED
        assert desk.texts == ["long?", "half"] and desk.engine.closed == 1
        assert desk.session.can_ask

    play(run_qt, steps, [Prefilling(3, 0), TokenBatch(rows("half")), HELD], make=Desk)


def test_a_server_that_goes_in_mid_answer_keeps_it_and_the_banner_leads_on(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk = at(desk)
        desk.engines.start()
        await desk.rest()
        desk.composer.ask("long?")
        await desk.server.reached.wait()
        desk.composer.set_text("typed meanwhile")
        desk.server.move(Phase.LOST, error=GONE)
        desk.server.go.set()
        await desk.rest()
        assert desk.actions[:2] == ["log", "again"] and desk.texts == ["long?", "half"]
        assert desk.bar.text.word == "Server gone" and desk.bar.text.action == "retry"
        assert desk.composer.text() == "typed meanwhile"
        assert desk.composer.state.button is Button.CONNECT
        assert desk.card.isHidden()  # the banner tells
        assert len(desk.server.opened) == 1  # nothing by itself
        desk.server.scripts.append(said("served"))
        desk.press("again")
        await desk.rest()
        assert len(desk.server.opened) == 2
        assert desk.texts == ["long?", "served<|end|>"]

    script: list[object] = [Prefilling(3, 0), TokenBatch(rows("half")), HELD, GONE]
    play(run_qt, steps, make=Desk, answers=script, servers=(SavedServer(HERE),), server=HERE)


def test_connect_and_send(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk = at(desk)
        desk.server.opens[HERE] = EngineError("server.unreachable", address=HERE)
        desk.engines.start()
        await desk.rest()
        desk.composer.ask("one")
        await desk.rest()
        assert len(desk.server.opened) == 2
        assert desk.composer.text() == "one" and not desk.composer.queued  # it failed again: kept as text
        del desk.server.opens[HERE]
        desk.composer.button.click()
        await desk.rest()
        assert desk.texts == ["one", "served<|end|>"] and desk.composer.text() == ""

    play(run_qt, steps, make=Desk, servers=(SavedServer(HERE),), server=HERE)


def test_cancel_while_connecting(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk = at(desk)
        desk.server.opens[HERE] = asyncio.Event()
        desk.engines.start()
        await desk.turns()
        assert (desk.bar.text.word, desk.bar.text.detail) == ("Connecting", "localhost:8000")
        desk.bar.act.click()
        await desk.rest()
        assert (desk.bar.text.word, desk.bar.text.label) == ("Not connected", "Connect")
        assert desk.settings.value.servers == (SavedServer(HERE),)

    play(run_qt, steps, make=Desk, servers=(SavedServer(HERE),), server=HERE)


def test_a_server_that_was_never_reached_is_not_remembered(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk = at(desk)
        desk.server.opens[THERE] = EngineError("server.unreachable", address=THERE)
        desk.engines.join(THERE)
        await desk.rest()
        assert desk.settings.value.servers == () and desk.settings.value.server == ""
        assert desk.bar.text.detail == f"Nothing answers at {THERE}."
        assert [button.text() for button in desk.card.buttons] == ["Address and key…", "Try again"]

    play(run_qt, steps, make=Desk)


def test_files_that_are_not_known_are_asked_for_and_remembered(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk = at(desk)
        desk.server.opens[HERE] = EngineError("server.files_unknown", model="org/served", root="/x")
        desk.engines.start()
        await desk.rest()
        texts = [button.text() for button in desk.card.buttons]
        assert texts == ["Hub id…", "Choose a folder…", "Use the server’s tokenizer"]
        assert desk.composer.state.button is Button.SEND and not desk.composer.state.enabled
        del desk.server.opens[HERE]
        desk.card.buttons[2].click()
        await desk.rest()
        assert desk.server.opened[-1][0] == ServerChoice(HERE, "org/served", "server")
        assert desk.settings.value.servers == (SavedServer(HERE, "org/served", {"org/served": "server"}),)
        assert desk.card.isHidden() and desk.session.can_ask

    play(run_qt, steps, make=Desk, servers=(SavedServer(HERE),), server=HERE)


def test_files_that_were_the_wrong_ones_can_be_chosen_anew(run_qt: Run) -> None:
    """A hub id that is not there; and, of a model that is ready, by its menu."""

    async def steps(desk: ChatDesk) -> None:
        desk = at(desk)
        desk.server.opens[HERE] = ModelError("model.not_found", folder="org/wrong")
        desk.engines.start()
        await desk.rest()
        assert [button.text() for button in desk.card.buttons][-2:] == [
            "Use the server’s tokenizer",
            "Try again",
        ]
        del desk.server.opens[HERE]
        desk.engines.choose_files("org/right")
        await desk.rest()
        for row in (3, 0):
            desk.bar.open_menu()
            menu = desk.bar.menu.actions()[-1].menu()
            assert isinstance(menu, QMenu)
            menu.actions()[row].trigger()
            desk.bar.menu.close()
            await desk.rest()
        files = [choice.files for choice, _ in desk.server.opened]
        assert files == ["org/wrong", "org/right", "server", ""]

    saved = SavedServer(HERE, "org/served", {"org/served": "org/wrong"})
    play(run_qt, steps, make=Desk, servers=(saved,), server=HERE)


def test_a_model_that_is_not_supported_says_why_and_leaves_the_present_one(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk = at(desk)
        desk.engines.start()
        await desk.rest()
        desk.bar.open_menu()
        texts = [action.text() for action in desk.bar.menu.actions() if not action.isSeparator()]
        rows = ["org/served", "⚠ org/strange\tmamba9", "alias\tnot known yet"]
        assert texts == [*rows, "Tokenizer of this model"]
        assert "mamba9" in desk.bar.menu.actions()[1].toolTip()
        desk.bar.menu.actions()[1].trigger()
        desk.bar.menu.close()
        await desk.rest()
        assert len(desk.server.opened) == 1 and desk.session.can_ask
        assert not desk.card.isHidden() and "mamba9" in desk.card._why.text()
        desk.card.buttons[1].click()
        assert desk.card.isHidden()

    play(run_qt, steps, make=Desk, servers=(SavedServer(HERE),), server=HERE)


def test_a_server_with_nothing_else_than_a_model_not_supported(run_qt: Run) -> None:
    """Says why and offers the report, at the start, too."""

    async def steps(desk: ChatDesk) -> None:
        desk = at(desk)
        desk.server.opens[HERE] = EngineError("server.unsupported", model="org/strange", type="mamba9")
        desk.engines.start()
        await desk.rest()
        assert not desk.card.isHidden() and "mamba9" in desk.card._why.text()
        desk.card.buttons[0].click()
        (sheet,) = desk.bar.window().findChildren(ReportSheet)
        assert "org/strange" in sheet.text.text() and "mamba9" in sheet.text.text()
        sheet.reject()

    saved = SavedServer(HERE, "org/strange")
    play(run_qt, steps, make=Desk, servers=(saved,), server=HERE)


def test_a_key_is_kept_and_forgotten_with_its_server(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk = at(desk)
        assert await desk.engines.keep_key(HERE, "secret") is True
        desk.engines.join(HERE)
        await desk.rest()
        assert desk.server.opened[-1][1] == "secret"
        assert desk.settings.value.servers == (SavedServer(HERE, "org/served", key=True),)
        await desk.engines.forget(HERE)
        await desk.rest()
        assert desk.settings.value.servers == () and desk.keys.kept == {}
        assert desk.engine.state.phase is Phase.READY  # the built-in engine stands in

    play(run_qt, steps, make=Desk)


def test_without_a_keyring_the_key_holds_for_this_run(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk = at(desk)
        desk.keys.keyring = False
        assert await desk.engines.keep_key(HERE, "secret") is False
        desk.engines.join(HERE)
        await desk.rest()
        desk.engines.act("retry")
        await desk.rest()
        assert [key for _, key in desk.server.opened] == ["secret", "secret"]
        assert desk.settings.value.servers == (SavedServer(HERE, "org/served"),)

    play(run_qt, steps, make=Desk)
