"""What stands above the footer of a failed answer, for every kind of failure."""

from __future__ import annotations

import pytest

from core.errors import EngineError, LoupeError, PromptError, WorkerLost
from desktop.chat.banners import GONE, banner


@pytest.mark.parametrize(
    ("error", "keys"),
    [
        (EngineError("engine.failed"), ["again"]),
        (PromptError("prompt.no_system_role"), ["fold", "again"]),
        (PromptError("prompt.no_template"), ["plain", "again"]),
        (EngineError("engine.no_extras"), ["clear", "again"]),
        (EngineError("server.said", detail="-inf"), ["again", "bare"]),
    ],
    ids=["other", "T22", "T24", "form and fields", "T07"],
)
def test_a_banner_has_the_way_out_before_trying_again(error: EngineError, keys: list[str]) -> None:
    shown = banner(error, 0)
    assert shown is not None and shown.what and shown.why
    assert [key for key, _ in shown.actions] == keys
    assert all(label for _, label in shown.actions)
    assert ("only the question is sent" in shown.why.lower()) == ("plain" in keys)


def test_the_servers_own_words_stay_apart_and_as_they_are() -> None:
    shown = banner(EngineError("server.refused", status=400, detail="regex:\n  [0-9]{4\n       ^"), 0)
    assert shown is not None and shown.said == "regex:\n  [0-9]{4\n       ^"
    assert "regex" not in shown.why


def test_there_is_no_banner_without_an_error() -> None:
    assert banner(None, 0) is None


@pytest.mark.parametrize("code", sorted(GONE))
def test_a_server_that_goes_in_mid_answer_is_told_with_its_cause_and_what_is_kept(code: str) -> None:
    shown = banner(EngineError(code, address="http://localhost:8000", detail="EngineCore died"), 23)
    assert shown is not None
    assert shown.what == "The server stopped in the middle of an answer"
    assert shown.why.endswith("The 23 token(s) so far are kept.")
    assert not shown.why.startswith("The 23")
    assert shown.said == ("EngineCore died" if code == "server.engine_dead" else "")
    assert shown.actions == (("log", "Show log"), ("again", "Try again"))


def test_a_server_that_goes_before_the_first_token_kept_nothing() -> None:
    shown = banner(EngineError("server.unreachable", address="http://localhost:8000"), 0)
    assert shown is not None and shown.what == "Nothing answers at http://localhost:8000."
    assert shown.actions == (("again", "Try again"),)


@pytest.mark.parametrize(
    ("error", "words"),
    [(EngineError("server.said", detail="no"), "Ask again"), (WorkerLost(reason="-9"), "Try again")],
    ids=["server lives", "worker"],
)
def test_the_button_says_what_leads_on(error: LoupeError, words: str) -> None:
    shown = banner(error, 5)
    assert shown is not None and shown.actions[0] == ("again", words)
