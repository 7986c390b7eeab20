"""Batches lose nothing, keep the order, and no message is too large for a frame."""

from __future__ import annotations

import threading

from core.worker.batches import LARGEST, MOST, WAITING, Batches


def test_all_of_it_in_order_and_in_messages_that_fit() -> None:
    """G01."""
    sent: list[list[str]] = []
    small, large = [str(n) for n in range(3 * MOST)], ["x" * (LARGEST // 3)] * 10
    with Batches[str](sent.append, len) as batches:
        for item in (*small, *large, "last"):
            batches.add(item)
    assert [item for part in sent for item in part] == [*small, *large, "last"]
    assert all(part and len(part) <= MOST and sum(map(len, part)) <= LARGEST for part in sent)


def test_who_adds_faster_than_is_sent_waits() -> None:
    go, full = threading.Event(), threading.Event()
    sent = 0

    def send(part: list[int]) -> None:
        nonlocal sent
        go.wait()
        sent += len(part)

    def add() -> None:
        for n in range(2 * WAITING + 2 * MOST):
            if n == WAITING:
                full.set()
            batches.add(n)

    with Batches[int](send, lambda _: 0) as batches:
        thread = threading.Thread(target=add)
        thread.start()
        assert full.wait(30)
        thread.join(0.05)
        assert thread.is_alive()  # at most one batch is being sent and one is full
        go.set()
        thread.join()
    assert sent == 2 * WAITING + 2 * MOST
