"""What a growing answer costs in a long chat: characters laid out, which no machine does faster or slower."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.chat.history import History
from core.chat.messages import Conversation
from core.engines.base import Prefilling, TokenBatch
from tests.core.chat.saved import answer
from tests.fakes.chat_desk import ChatDesk, play
from tests.fakes.scripted_engine import finished, rows
from tests.fakes.transcript import LONG

Run = Any
A_FRAME = 2500  # characters: what a view full of text and a growing paragraph hold, with room to spare


def script(text: str, tokens: int) -> list[object]:
    """The text in batches of this many tokens, one token a byte."""
    raw = text.encode()
    batches = [TokenBatch(rows(raw[at : at + tokens])) for at in range(0, len(raw), tokens)]
    return [Prefilling(3, 0), *batches, finished(len(raw))]


def laid(desk: ChatDesk) -> int:
    return sum(part.layout.laid_characters for block in desk.blocks for part in block.parts())


def count_drains(desk: ChatDesk) -> list[int]:
    """Filled, while an answer grows, with the characters that each frame lays out."""
    costs: list[int] = []

    def drained(_: str) -> None:
        before = laid(desk)
        desk.view.batcher.flush()
        costs.append(laid(desk) - before)

    desk.session.grew.connect(drained)
    return costs


def test_g05_a_saved_chat_of_70_000_tokens_does_not_slow_down_the_next_answer(
    run_qt: Run, tmp_path: Path
) -> None:
    text = (LONG * 12 + "\n\n") * 64
    saved = Conversation(title="long", created=1.0, updated=2.0)
    question = saved.add_question("a long one", 1.0)
    saved.add_answer(question.id, answer(text[:70_000]), 1.0)
    costs: dict[str, list[int]] = {}

    async def steps(desk: ChatDesk) -> None:
        assert desk.history is not None
        assert await desk.history.save(saved)
        desk.composer.rested.emit("")
        fresh = count_drains(desk)
        await desk.ask("in a new chat")
        costs["new"] = list(fresh)
        fresh.clear()
        await desk.chat.open(saved.id)
        assert len(desk.answers[0].turn.table) == 70_000
        assert laid(desk) < 20_000  # only what shows
        await desk.ask("go on")
        costs["after"] = list(fresh)

    history = History(tmp_path / "history.sqlite3")
    play(
        run_qt,
        steps,
        script(LONG * 20, 3),
        make=lambda *scripts: ChatDesk(*scripts, history=history, limit=None),
    )
    assert len(costs["after"]) == len(costs["new"]) > 500
    assert max(costs["after"]) < A_FRAME
    assert sum(costs["after"]) < 1.2 * sum(costs["new"]) + A_FRAME


def test_g04_8_000_tokens_in_a_chat_of_100_turns_cost_the_same_from_first_to_last(run_qt: Run) -> None:
    chat = Conversation(title="many", created=1.0, updated=2.0)
    for number in range(50):
        question = chat.add_question(f"question {number}", 1.0)
        chat.add_answer(question.id, answer(LONG * 3), 1.0)
    costs: list[int] = []

    async def steps(desk: ChatDesk) -> None:
        desk.session.open(chat)
        desk.chat.show()
        assert len(desk.blocks) == 100
        drains = count_drains(desk)
        await desk.ask("a very long one")
        assert len(desk.answers[-1].turn.table) == 8_000
        costs.extend(drains)

    text = ((LONG * 4 + "\n\n") * 40)[:8_000]
    play(run_qt, steps, script(text, 4), limit=None)
    assert len(costs) > 1_900
    assert max(costs) < A_FRAME
    quarter = len(costs) // 4
    parts = [sum(costs[at : at + quarter]) / quarter for at in range(0, 4 * quarter, quarter)]
    assert max(parts) < 1.3 * min(parts), parts
