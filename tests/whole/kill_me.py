"""A visit that lets an answer stream for some seconds and then says how much there was a second ago.

`python -m tests.whole.kill_me`: prints one line of JSON and goes on, until it is killed.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from tests.whole import inside
from tests.whole.quit_in import decoding

STREAMS = 2.5
LAST = 1.5  # the second before, and a write that is under way


async def visit(application: Any) -> None:
    await decoding(application)
    answer = application.session.running[1].answer
    await asyncio.sleep(STREAMS)
    before = len(answer.table)
    await asyncio.sleep(LAST)
    print(json.dumps({"worker": application.worker.pid, "a_second_ago": before}), flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    sys.exit(inside.run(visit, end=False))
