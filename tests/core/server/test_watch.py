"""What is kept of a container's log, and how it is taken in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from core.log_lines import LONGEST
from core.server.access import LogPiece
from core.server.controller import ServerController
from core.server.state import ServerPhase
from core.server.tools import NotStarted
from core.server.watch import Tail
from tests.fakes.server_room import Room, begin, loading, run

MANY = [f"line {n}" for n in range(2_000)]


def test_beginning_and_end_of_a_log_and_of_a_line_are_kept_and_no_more() -> None:
    """Case G03: a line of megabytes, and many of them."""
    tail = Tail()
    tail.add(tuple(LogPiece(n, f"{n} begins {'x' * 1_000_000} {n} ends") for n in range(3)))
    for n in range(20_000):
        tail.add((LogPiece(n, str(n)),))
    kept = [piece.text for piece in tail]
    assert len(kept) == len(tail) == 8000
    assert (kept[3], kept[-1]) == ("0", "19999")
    assert all(
        text.startswith(f"{n} begins x") and text.endswith(f"x {n} ends") for n, text in enumerate(kept[:3])
    )
    assert sum(map(len, kept)) < 3 * (2 * LONGEST + 1) + 50_000


def follow(program: ServerController) -> tuple[list[int], list[str]]:
    """The sizes of what comes of its log, and the lines; what else the loop had to do is done in between."""
    sizes: list[int] = []
    lines: list[str] = []
    waiting: list[None] = []

    def take(pieces: tuple[LogPiece, ...]) -> None:
        assert not waiting
        waiting.append(None)
        asyncio.get_running_loop().call_soon(waiting.clear)
        sizes.append(len(pieces))
        lines.extend(piece.text for piece in pieces)

    program.log.connect(take)
    return sizes, lines


def test_many_lines_at_once_are_taken_in_parts_with_a_turn_of_the_loop_between() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        sizes, lines = follow(program)
        room.docker.on_up = loading
        task = begin(program.start(room.spec))
        await room.time.until(lambda: lines)
        room.docker.box.say(*MANY)
        room.docker.box.say(*["x" * 30_000] * 5)  # long ones in smaller parts
        room.docker.box.up("tiny")
        await room.time.until(task.done)
        at = lines.index(MANY[0])
        assert lines[at : at + len(MANY)] == MANY
        assert max(sizes) == 200 and 2 in sizes

    run(body)


def test_the_log_of_a_container_that_has_ended_comes_in_parts_too() -> None:
    async def body(room: Room) -> None:
        first = room.program()
        await room.does(first.start(room.spec))
        await first.close(leave=True)
        room.docker.box.end(1, *MANY)
        program = room.program()
        sizes, lines = follow(program)
        await room.does(program.look())
        assert lines[-len(MANY) :] == MANY and max(sizes) == 200

    run(body)


def test_the_last_lines_of_a_container_that_has_ended_may_come_late() -> None:
    async def body(room: Room) -> None:
        at_once = room.docker.logs

        async def late(
            id_: str, *, since: float = 0.0, follow: bool = True
        ) -> AsyncGenerator[tuple[LogPiece, ...], None]:
            async for batch in at_once(id_, since=since, follow=follow):
                yield batch
            await room.time.sleep(10)
            reason = "RuntimeError: Cannot find any model weights with `/models/tiny`"
            yield (LogPiece(room.time.wall(), reason),)

        room.docker.logs = late  # type: ignore[method-assign]
        program = room.program()
        room.docker.on_up = loading
        task = begin(program.start(room.spec))
        await room.time.until(lambda: program.state.phase is ServerPhase.LOADING)
        room.docker.box.end(1)
        await room.time.until(task.done)
        error = task.exception()
        assert isinstance(error, NotStarted) and error.finding.code == "no_weights"

    run(body)
