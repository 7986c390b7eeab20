"""Nothing older than a second is unwritten: without further rows, and for each conversation by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from core.chat.messages import Conversation
from core.chat.saving import EVERY, Saving
from core.chat.session import Session
from core.engines.base import TokenBatch
from tests.core.chat.desk import VOCABULARY, Clock, Desk, work
from tests.fakes.scripted_engine import HELD, PlainPrompter, ScriptedEngine, rows


@dataclass
class Timer:
    due: float
    work: Callable[[], None]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


@dataclass
class Timers:
    """A loop's `call_later` on a clock that passes only when told."""

    clock: Clock
    waiting: list[Timer] = field(default_factory=list)

    def later(self, delay: float, work: Callable[[], None]) -> Timer:
        timer = Timer(self.clock.at + delay, work)
        self.waiting.append(timer)
        return timer

    def pass_time(self, seconds: float) -> None:
        self.clock.at += seconds
        due = [one for one in self.waiting if one.due <= self.clock.at and not one.cancelled]
        self.waiting = [one for one in self.waiting if one.due > self.clock.at and not one.cancelled]
        for one in due:
            one.work()


class Written:
    """Stands for the history: notes what it was handed, and how many rows its answers had."""

    def __init__(self) -> None:
        self.posts: list[tuple[str, int]] = []
        self.users: list[object] = []

    def post(self, conversation: Conversation) -> None:
        count = sum(len(one.answer.table) for one in conversation.messages.values() if one.answer)
        self.posts.append((conversation.id, count))


def a_session(engine: ScriptedEngine, desk: Desk) -> tuple[Session, Written, Timers]:
    clock, written = Clock(), Written()
    timers = Timers(clock)
    session = Session(
        desk.scope,
        PlainPrompter(),
        written,
        clock,
        now=clock,
        later=timers.later,  # type: ignore[arg-type]
    )
    session.attach(engine, VOCABULARY, "v.vocab")
    return session, written, timers


def test_what_came_before_an_engine_stalls_is_written_within_a_second() -> None:
    async def play(desk: Desk) -> None:
        engine = ScriptedEngine([[TokenBatch(rows("one ")), TokenBatch(rows("two ")), HELD]])
        session, written, timers = a_session(engine, desk)
        asked = desk.scope.spawn(session.ask("hello"))
        await engine.reached.wait()
        assert written.posts[-1][1] == 0  # the question and the empty answer
        timers.pass_time(EVERY)
        assert written.posts[-1][1] == 8
        timers.pass_time(EVERY)
        posts = len(written.posts)
        timers.pass_time(60)
        assert len(written.posts) == posts  # nothing new: nothing is written
        session.stop()
        await asked
        await session.close()

    work(play)


def test_writing_one_conversation_does_not_put_off_another() -> None:
    clock, written = Clock(), Written()
    timers = Timers(clock)
    saving = Saving(written, clock, timers.later)  # type: ignore[arg-type]
    grows, other = Conversation(), Conversation()
    saving.now(grows)
    timers.pass_time(0.9)
    saving.soon(grows)
    saving.now(other)  # as a click in the list or typing in another chat does
    timers.pass_time(0.1)
    assert [one for one, _ in written.posts] == [grows.id, other.id, grows.id]


def test_many_changes_are_one_write_a_second_and_closing_writes_the_rest() -> None:
    clock, written = Clock(), Written()
    timers = Timers(clock)
    saving = Saving(written, clock, timers.later)  # type: ignore[arg-type]
    chat = Conversation()
    for _ in range(10):
        saving.soon(chat)
        timers.pass_time(0.25)
    assert len(written.posts) == 3  # at 0, 1 and 2 s
    saving.soon(chat)
    saving.all_now()
    assert len(written.posts) == 4
    timers.pass_time(9)
    assert len(written.posts) == 4


def test_without_a_loop_it_is_written_at_once() -> None:
    written = Written()
    saving = Saving(written, Clock())  # type: ignore[arg-type]
    chat = Conversation()
    saving.soon(chat)
    saving.soon(chat)
    assert len(written.posts) == 2


def test_a_clock_that_was_set_back_does_not_stop_the_writing() -> None:
    clock, written = Clock(), Written()
    saving = Saving(written, clock, Timers(clock).later)  # type: ignore[arg-type]
    chat = Conversation()
    saving.now(chat)
    clock.at -= 500
    saving.soon(chat)
    assert len(written.posts) == 2
