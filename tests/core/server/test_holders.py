"""A server that several programs hold goes on until the last of them ends."""

from __future__ import annotations

from pathlib import Path

from core.server.holders import Holders
from core.server.lock import Lock
from core.server.state import ServerPhase
from tests.fakes.server_room import Room, begin, die, loading, phase_of, run

P = ServerPhase


def test_who_holds_it_is_seen_by_the_others_until_it_lets_go(tmp_path: Path) -> None:
    one, other = Holders(tmp_path / "holders"), Holders(tmp_path / "holders")
    assert not one.others()
    one.hold("job", True)
    one.hold("server", True)
    assert other.others() and not one.others()
    one.hold("job", False)
    assert other.others()
    one.hold("server", False)
    assert not other.others() and not list((tmp_path / "holders").iterdir())
    one.hold("server", True)
    one.close()
    one.hold("job", True)
    assert not other.others()


def test_a_dead_holders_file_holds_nothing_and_goes(tmp_path: Path) -> None:
    dead = tmp_path / "0123.lock"
    dead.write_bytes(b"1\n")
    assert not Holders(tmp_path).others() and not dead.exists()


def test_a_holders_file_that_was_taken_for_a_dead_ones_is_made_anew(tmp_path: Path) -> None:
    one = Holders(tmp_path)
    take, once = one._lock.take, iter((True,))

    def late() -> bool:
        """Another has looked between the file's making and its lock."""
        done = take()
        if next(once, False):
            one._path.unlink()
        return done

    one._lock.take = late  # type: ignore[method-assign]
    one.hold("server", True)
    assert Holders(tmp_path).others()
    one.close()


def test_a_look_that_takes_long_keeps_nobody_from_holding_it(tmp_path: Path) -> None:
    one = Holders(tmp_path)
    look = Lock(one._path)
    assert look.take()
    one.hold("server", True)
    look.free()
    assert Holders(tmp_path).others()
    one.close()
    assert not Holders(tmp_path).others()


def test_a_folder_that_cannot_be_written_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    one = Holders(tmp_path / "file" / "holders")
    one.hold("server", True)
    assert not one.others()
    one.close()


def test_a_window_that_joined_leaves_the_server_to_the_one_that_started_it() -> None:
    async def body(room: Room) -> None:
        one, other = room.program(), room.program()
        await room.does(other.look())
        await room.does(one.start(room.spec))
        await room.time.until(lambda: phase_of(other) is P.READY)
        assert other.shared and not one.shared, "who only looks on holds nothing"
        await room.does(other.join())
        assert one.shared
        await room.does(other.close())
        await room.time.pass_(3)
        assert phase_of(one) is P.READY and room.docker.box.running and not one.shared
        await room.does(one.close())
        assert not room.docker.boxes

    run(body)


def test_the_last_one_stops_it_whoever_started_it() -> None:
    async def body(room: Room) -> None:
        one, other = room.program(), room.program()
        await room.does(one.start(room.spec))
        await room.does(other.look())
        await room.does(other.join())
        await room.does(one.close())
        await room.time.pass_(3)
        assert phase_of(other) is P.READY and room.docker.box.running
        await room.does(other.close())
        assert not room.docker.boxes

    run(body)


def test_of_two_that_end_at_once_one_is_the_last() -> None:
    async def body(room: Room) -> None:
        one, other = room.program(), room.program()
        await room.does(one.start(room.spec))
        await room.does(other.look())
        await room.does(other.join())
        ends = [begin(program.close()) for program in (one, other)]
        await room.time.until(lambda: all(end.done() for end in ends))
        assert not room.docker.boxes

    run(body)


def test_one_that_was_killed_holds_nothing_any_more() -> None:
    async def body(room: Room) -> None:
        one, other = room.program(), room.program()
        await room.does(one.start(room.spec))
        await room.does(other.look())
        await room.does(other.join())
        await die(room, one)
        assert not other.shared
        await room.does(other.close())
        assert not room.docker.boxes

    run(body)


def test_another_engine_in_one_window_leaves_the_server_to_the_other() -> None:
    async def body(room: Room) -> None:
        one, other = room.program(), room.program()
        await room.does(one.start(room.spec))
        await room.does(other.look())
        await room.does(other.join())
        await room.does(other.leave())
        assert phase_of(one) is P.READY and phase_of(other) is P.READY and not one.shared
        await room.does(one.leave())
        assert not room.docker.boxes

    run(body)


def test_a_start_that_another_waits_for_goes_on_without_its_window() -> None:
    async def body(room: Room) -> None:
        one, other = room.program(), room.program()
        await room.does(other.look())
        room.docker.on_up = loading
        begin(one.start(room.spec))
        await room.time.until(lambda: phase_of(one) is P.LOADING)
        await room.time.until(lambda: phase_of(other) is P.LOADING)
        joining = begin(other.join())
        await room.time.pass_(1)
        await room.does(one.close())
        room.docker.box.up("tiny")
        await room.time.until(joining.done)
        joining.result()
        assert phase_of(other) is P.READY and room.docker.box.running

    run(body)
