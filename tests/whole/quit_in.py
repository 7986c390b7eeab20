"""A visit that brings the program into one state and then closes the window as a person would.

`python -m tests.whole.quit_in STATE`: prints the worker's process id and the time of closing as JSON.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

from core.chat.state import ChatState
from core.engines.state import Phase
from core.errors import ModelError
from tests.whole import inside

LONG = "Tell me a very long story about a lighthouse, a storm and the sea. " * 40


async def ready(application: Any) -> None:
    await inside.until(lambda: application.engine.state.phase is Phase.READY)


async def starting(application: Any) -> None:
    """The window has just been shown; nothing is loaded."""


async def loading(application: Any) -> None:
    await inside.until(lambda: application.engine.state.phase is Phase.LOADING)


async def asked(application: Any) -> None:
    await ready(application)
    application.window.composer.ask(LONG)
    await inside.until(lambda: application.session.running is not None)


async def prefilling(application: Any) -> None:
    await asked(application)
    await inside.until(lambda: application.session.state in (ChatState.PREFILLING, ChatState.DECODING))


async def decoding(application: Any) -> None:
    await asked(application)
    await inside.until(lambda: application.session.state is ChatState.DECODING)


async def stopping(application: Any) -> None:
    await decoding(application)
    application.window.composer.stop_requested.emit()


async def stopped(application: Any) -> None:
    await stopping(application)
    await inside.until(lambda: inside.is_idle(application))


async def finished(application: Any) -> None:
    await ready(application)
    application.window.composer.ask("What is the capital of France?")
    await inside.until(lambda: application.session.running is not None)
    await inside.until(lambda: inside.is_idle(application))


async def failed(application: Any) -> None:
    """The worker was killed while it answered."""
    await decoding(application)
    os.kill(application.worker.pid, signal.SIGKILL)
    await inside.until(lambda: application.session.running is None)


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
    application._open_settings()


async def dialog(application: Any) -> None:
    await finished(application)
    application.window.ask_delete(application.session.conversation.id)
    application.window.show_keys()


async def menu(application: Any) -> None:
    await ready(application)
    application.window.run_bar.open_menu()


async def terminated(application: Any) -> None:
    """Ended by the system, in the middle of an answer."""
    await decoding(application)
    os.kill(os.getpid(), signal.SIGTERM)


STATES: dict[str, Callable[[Any], Awaitable[None]]] = {
    state.__name__: state
    for state in (
        starting,
        loading,
        waiting_to_send,
        ready,
        asked,
        prefilling,
        decoding,
        stopping,
        stopped,
        finished,
        failed,
        card_and_pinned,
        settings_and_error,
        dialog,
        menu,
        terminated,
    )
}


async def visit(application: Any) -> None:
    await STATES[STATE](application)
    print(json.dumps({"worker": application.worker.pid, "at": time.monotonic()}), flush=True)
    if STATE != "terminated":
        application.window.close()


STATE = "ready"

if __name__ == "__main__":
    STATE = sys.argv[1]
    sys.exit(inside.run(visit, end=False))
