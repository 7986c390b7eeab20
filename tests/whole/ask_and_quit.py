"""A visit: wait for the model, ask, wait for the answer, say what it was and what is loaded, quit.

Run as a process of its own: `python -m tests.whole.ask_and_quit QUESTION`; prints one line of JSON.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from core.engines.base import Sampling
from core.engines.state import Phase
from tests.whole import inside


async def visit(application: Any) -> None:
    from PySide6.QtGui import QGuiApplication

    window, session = application.window, application.session
    await inside.until(lambda: application.engine.state.phase is Phase.READY)
    at_start = sorted({name.split(".")[0] for name in sys.modules})
    session.set_sampling(Sampling(temperature=0.0, max_tokens=64))
    window.composer.ask(QUESTION)
    await inside.until(lambda: session.running is not None)
    await inside.until(lambda: inside.is_idle(application))
    answer = session.conversation.path()[-1].answer
    said = {
        "platform": QGuiApplication.platformName(),
        "visible": window.isVisible(),
        "exposed": window.windowHandle().isExposed(),
        "text": answer.table.text,
        "tokens": len(answer.table),
        "at_start": at_start,
        "after": sorted({name.split(".")[0] for name in sys.modules}),
    }
    print(json.dumps(said), flush=True)


QUESTION = "What is the capital of France?"

if __name__ == "__main__":
    QUESTION = sys.argv[1]
    sys.exit(inside.run(visit))
