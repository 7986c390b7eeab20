"""Visits with a server: a fake on loopback that serves the built-in model's own folder.

`python -m tests.whole.with_a_server NAME`, a process of its own; prints one line of JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from core.engines.state import Phase
from core.models.embedded import open_built_in
from core.paths import default_paths
from tests.fakes.fake_vllm import FakeVllm
from tests.whole import inside

STREAM = (Path(__file__).parents[1] / "cases" / "sse" / "cjk.sse").read_bytes()
Said = dict[str, Any]


def fake_server() -> FakeVllm:
    folder = open_built_in(default_paths().models).path
    return FakeVllm(root=folder, model="small", stream=STREAM, chunk=64, tokenizes=False)


def answers(application: Any) -> list[Any]:
    return [message.answer for message in application.session.conversation.path() if message.answer]


async def connect(application: Any, address: str) -> None:
    """Through the sheet."""
    application.window.run_bar.server_wanted.emit()
    sheet = application.servers._sheet
    sheet.address.setText(address)
    sheet.connect_button.click()
    await inside.until(lambda: application.servers._sheet is None)


async def ask(application: Any, text: str) -> None:
    application.window.composer.ask(text)
    await inside.until(lambda: application.session.running is not None)
    await inside.until(lambda: application.session.running is None)


async def half_an_answer(application: Any, fake: FakeVllm) -> None:
    fake.stream, fake.hold = STREAM[: len(STREAM) // 2], True
    application.window.composer.ask("Once more")
    await inside.until(
        lambda: application.session.running is not None and len(answers(application)[-1].table) > 2
    )


async def first_road(application: Any) -> Said:
    """Test, connect, ask, look at a token, lose the server in mid-answer, try again."""
    from desktop.chat.turns import TokenRef

    window, session = application.window, application.session
    await inside.until(lambda: application.engine.state.phase is Phase.READY)
    async with fake_server().serve() as fake:
        window.run_bar.server_wanted.emit()
        sheet = application.servers._sheet
        sheet.address.setText(f"{fake.address.removeprefix('http://')}/v1/")
        sheet.address.editingFinished.emit()
        sheet.test_button.click()
        await inside.until(lambda: bool(sheet._rest.text()) and sheet.connect_button.isEnabled())
        said: Said = {"tested": sheet._what.text(), "engine_meanwhile": application.engine.state.engine}
        said["normalised"] = sheet.address.text() == fake.address
        sheet.connect_button.click()
        await inside.until(lambda: application.servers._sheet is None)
        said["run_bar"] = window.run_bar.text.word, window.run_bar.text.detail.split(" · ")[-1]
        said["remembered"] = [one.address for one in application.settings.value.servers] == [fake.address]
        await ask(application, "Hello")
        (answer,) = answers(application)
        said["answer"] = answer.state.value, len(answer.table), answer.info.engine, answer.info.version
        application.inspector.open(TokenRef(session.conversation.path()[-1].id, 1))
        said["card"] = application.inspector._the_card().isVisible()
        application.inspector.close()

        await half_an_answer(application, fake)
        window.composer.set_text("typed meanwhile")
        await fake.end()
        await inside.until(lambda: session.running is None)
        said["lost"] = answers(application)[-1].state.value, application.engine.state.phase.value
        said["kept"] = len(answers(application)[-1].table) > 2
        said["log"] = application.log_lines.last.text.replace(fake.address, "HERE")
        said["composer"] = window.composer.button.text(), window.composer.text()

        fake.stream, fake.hold = STREAM, False
        await fake.begin()
        application.chat.ask_again(session.conversation.path()[-1].id)
        await inside.until(lambda: answers(application)[-1].state.value == "finished")
        said["again"] = len(answers(application)[-1].table), application.engine.state.phase.value
    return said


async def given(application: Any) -> Said:
    """VLLM_URL names a server."""
    await inside.until(lambda: application.engine.state.phase is Phase.READY)
    bar = application.window.run_bar
    bar.open_engines()
    items = [action for action in bar.engine_menu.actions() if not action.isSeparator()]
    said = {
        "engine": application.engine.state.engine,
        "menu": [action.text() for action in items],
        "chosen": [action.isChecked() for action in items].index(True),
        "settings": (application.settings.value.server, len(application.settings.value.servers)),
    }
    bar.engine_menu.close()
    await ask(application, "Hello")
    said["tokens"] = len(answers(application)[-1].table)
    return said


async def asked_greedily(application: Any) -> Said:
    """VLLM_URL names a server, which is asked at temperature 0 and then ends."""
    from core.engines.base import Sampling

    await inside.until(lambda: application.engine.state.phase is Phase.READY)
    application.session.set_sampling(Sampling(temperature=0.0, max_tokens=12))
    await ask(application, "What is the capital of France?")
    (answer,) = answers(application)
    table = answer.table
    return {
        "state": answer.state.value,
        "prompt_ids": list(answer.prompt_ids),
        "ids": [table.id(index) for index in range(len(table))],
        "logprobs": [table.logprob(index) for index in range(len(table))],
        "text": table.text,
    }


async def connecting(application: Any) -> Said:
    """Quit while something takes the connection and says nothing."""
    silent = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    address = f"http://127.0.0.1:{silent.sockets[0].getsockname()[1]}"
    application.engines.join(address)
    await inside.until(lambda: application.engine.state.phase is Phase.CONNECTING)
    return {}


async def testing(application: Any) -> Said:
    """Quit while the sheet asks a server."""
    silent = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    application.window.run_bar.server_wanted.emit()
    sheet = application.servers._sheet
    sheet.address.setText(f"127.0.0.1:{silent.sockets[0].getsockname()[1]}")
    sheet.key.setText("secret")
    sheet.test_button.click()
    await inside.until(lambda: not sheet.test_button.isEnabled())
    return {}


async def answering(application: Any) -> Said:
    """Quit in the middle of a server's answer."""
    fake = fake_server()
    await fake.begin()
    await connect(application, fake.address)
    await half_an_answer(application, fake)
    return {}


async def lost(application: Any) -> Said:
    """Quit when the server is gone."""
    async with fake_server().serve() as fake:
        await connect(application, fake.address)
        await half_an_answer(application, fake)
    await inside.until(lambda: application.engine.state.phase is Phase.LOST)
    return {}


VISITS = {
    visit.__name__: visit
    for visit in (first_road, given, asked_greedily, connecting, testing, answering, lost)
}


if __name__ == "__main__":
    name = sys.argv[1]

    async def named(application: Any) -> None:
        print(json.dumps(await VISITS[name](application)), flush=True)

    sys.exit(inside.run(named))
