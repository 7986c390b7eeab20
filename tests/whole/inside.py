"""Runs the real program with a coroutine inside it that presses, types and looks: for tests and shots."""

from __future__ import annotations

import asyncio
import os
import sys
import traceback
from collections.abc import Callable, Coroutine
from typing import Any

Visit = Callable[[Any], Coroutine[Any, Any, None]]


def run(visit: Visit, *, end: bool = True) -> int:
    """The program's exit code, 1 if `visit(application)` failed. With `end` it quits after the visit."""
    from desktop import app as program

    failed: list[BaseException] = []
    original: Any = program.Application.run

    async def run_with_visitor(this: Any) -> int:
        async def visitor() -> None:
            try:
                await visit(this)
            except asyncio.CancelledError:
                raise
            except BaseException as error:
                failed.append(error)
                this.quitting.request("the visitor failed")
                raise
            if end:
                this.quitting.request("the visit is over")

        this.scope.spawn(visitor())
        return int(await original(this))

    program.Application.run = run_with_visitor  # type: ignore[method-assign]
    sys.argv = ["tokenloupe"]
    code = program.main()
    for error in failed:
        traceback.print_exception(error)
    return 1 if failed else code


def patience() -> float:
    """Seconds."""
    return float(os.environ.get("PATIENCE", "180"))


async def until(ready: Callable[[], bool], limit: float | None = None) -> None:
    """Look again until it is so; `limit` in seconds, else those of PATIENCE. Raises TimeoutError."""
    limit = limit or patience()
    end = asyncio.get_running_loop().time() + limit
    while not ready():
        if asyncio.get_running_loop().time() > end:
            raise TimeoutError("a state did not come")
        await asyncio.sleep(0.02)


def is_idle(application: Any) -> bool:
    """No answer is being made, and one could be."""
    return application.session.running is None and application.session.can_ask
