"""A visit that opens what floats or waits, and then closes the window as a person would.

`python -m tests.whole.quit_in STATE`: prints the worker's process id as JSON.
(The states of engine and chat are those of tests/desktop/test_program.py.)
"""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from core.engines.state import Phase
from core.errors import ModelError
from tests.whole import inside


async def ready(application: Any) -> None:
    await inside.until(lambda: application.engine.state.phase is Phase.READY)


async def finished(application: Any) -> None:
    await ready(application)
    application.window.composer.ask("What is the capital of France?")
    await inside.until(lambda: application.session.running is not None)
    await inside.until(lambda: inside.is_idle(application))


async def waiting_to_send(application: Any) -> None:
    """The button "Send when ready" was pressed while the model loads."""
    application.window.composer.ask("Soon?")


async def card_and_pinned(application: Any) -> None:
    from desktop.chat.turns import TokenRef

    await finished(application)
    ref = TokenRef(application.session.conversation.path()[-1].id, 2)
    application.inspector.open(ref)
    application.view.pin_requested.emit(ref)
    application.inspector.open(ref)


async def settings_and_error(application: Any) -> None:
    await ready(application)
    application.window.show_error(ModelError("model.not_found", folder="/nowhere"))
    application.settings_page.open()


async def dialogs(application: Any) -> None:
    await finished(application)
    application.window.ask_delete(application.session.conversation.id)
    application.window.show_keys()


async def menu(application: Any) -> None:
    await ready(application)
    application.window.run_bar.open_menu()


STATES: dict[str, Callable[[Any], Awaitable[None]]] = {
    state.__name__: state for state in (waiting_to_send, card_and_pinned, settings_and_error, dialogs, menu)
}


def visit_in(state: str) -> inside.Visit:
    async def visit(application: Any) -> None:
        await STATES[state](application)
        print(json.dumps({"worker": application.worker.pid}), flush=True)
        application.window.close()

    return visit


if __name__ == "__main__":
    sys.exit(inside.run(visit_in(sys.argv[1]), end=False))
