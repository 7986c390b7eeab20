"""Why an answer has no heat, in words."""

from __future__ import annotations

import msgspec
import pytest

from core.chat.messages import Answer
from core.engines.base import EngineInfo, Evidence, Extras
from desktop.chat.no_heat import no_heat
from tests.core.chat.saved import answer
from tests.fakes.scripted_engine import finished


def of_server(*evidence: Evidence) -> Answer:
    return answer("ab", info=EngineInfo("vllm", "m", evidence=evidence))


def test_an_answer_with_the_models_probabilities_has_heat() -> None:
    assert no_heat(None) == ""
    assert no_heat(answer("ab")) == ""
    assert no_heat(of_server("model")) == ""


@pytest.mark.parametrize(
    ("made", "word"),
    [
        (of_server("logit"), "scores"),
        (of_server("sampling"), "drawn from"),
        (of_server("absent"), "no numbers"),
    ],
    ids=["logits", "processed", "nothing"],
)
def test_other_numbers_are_no_heat(made: Answer, word: str) -> None:
    assert word in no_heat(made)


def test_an_answer_without_the_numbers_its_server_has() -> None:
    made = of_server("model")
    made.extras = Extras(numbers=False)
    assert "asked for without" in no_heat(made)
    refused = of_server("model")
    refused.finished = msgspec.structs.replace(finished(2), refused=(500, "no"))
    assert "refused" in no_heat(refused)
