"""What a server is found to be, from the answers that each kind of start gives."""

from __future__ import annotations

import asyncio

import pytest

from core.engines.vllm.capabilities import Capabilities, version_of
from core.engines.vllm.http import Server
from core.engines.vllm.probe import judge, probe
from core.engines.vllm.rows import Mode
from core.engines.vllm.step import Step, token
from core.errors import EngineError
from tests.fakes.fake_vllm import ONE_TOKEN, FakeVllm


def probed(fake: FakeVllm, model: str = "") -> Capabilities:
    async def main() -> Capabilities:
        async with fake.serve(), Server(fake.address) as server:
            return await probe(server, model)

    return asyncio.run(main())


@pytest.mark.parametrize("mode", [mode for mode in Mode if mode.value in ONE_TOKEN])
@pytest.mark.parametrize("scale_out", [False, True])
def test_each_mode_on_each_route(mode: Mode, scale_out: bool) -> None:
    found = probed(FakeVllm(mode=mode.value, scale_out=scale_out))
    assert (found.mode, found.route) == (mode, "generate" if scale_out else "completions")
    assert (found.version, found.context_limit, found.max_logprobs) == ("0.32.0", 512, 20)
    assert (found.greedy, found.sampling_mask) == (True, False)
    assert found.cell("scale_out").verdict == ("yes" if scale_out else "no")
    assert all(cell.evidence for cell in found.cells)


def test_every_prompt_has_two_tokens_and_every_probe_asks_for_one() -> None:
    fake = FakeVllm(mode="processed_logprobs", scale_out=True)
    probed(fake)
    asked = [call.body for call in fake.calls if call.body and "token_ids" in call.body]
    assert asked and all(len(body["token_ids"]) >= 2 for body in asked)
    assert all(body["sampling_params"]["max_tokens"] == 1 for body in asked)


@pytest.mark.parametrize("mode", ["raw_logprobs", "processed_logprobs"])
@pytest.mark.parametrize("allowed", [0, 1, 2, 3])
def test_fewer_alternatives_than_asked(mode: str, allowed: int) -> None:
    """T26: the server's own limit is read from its words and kept to."""
    found = probed(FakeVllm(mode=mode, max_logprobs=allowed))
    assert found.max_logprobs == allowed
    assert found.mode.value == mode


def test_a_server_that_breaks_on_numbers_gives_none() -> None:
    """T07."""
    found = probed(FakeVllm(broken_numbers=True))
    assert (found.mode, found.max_logprobs) == (Mode.NONE, None)
    assert "JSON compliant" in found.cell("numbers").evidence


def test_masks_and_a_refused_greedy() -> None:
    found = probed(FakeVllm(mode="processed_logprobs", scale_out=True, sampling_mask=True))
    assert (found.sampling_mask, found.greedy) == (True, False)
    assert "temperature > 0" in found.cell("greedy").evidence
    hidden = probed(
        FakeVllm(mode="processed_logprobs", sampling_mask=True)
    )  # masks show on the other route only
    assert (hidden.sampling_mask, hidden.greedy) == (False, False)


@pytest.mark.parametrize("mode", [mode for mode in Mode if mode.value in ONE_TOKEN])
def test_a_server_that_guesses_ahead_is_never_asked_for_top_k(mode: Mode) -> None:
    """0.32's CPU build dies of it: seen on the real one."""
    fake = FakeVllm(mode=mode.value, scale_out=True, speculative=True, block_size=128)
    found = probed(fake)
    assert (found.mode, found.speculative, found.fragile_top_k) == (mode, True, True)
    asked = [call.body["sampling_params"] for call in fake.calls if call.body and "token_ids" in call.body]
    assert asked and all(values["top_k"] == 0 or values["temperature"] == 0 for values in asked)
    assert probed(FakeVllm(speculative=True)).fragile_top_k is False
    masked = FakeVllm(mode="processed_logprobs", scale_out=True, speculative=True, sampling_mask=True)
    assert probed(masked).sampling_mask is True


def test_what_is_not_told_is_unknown() -> None:
    found = probed(FakeVllm(version=None, metrics=False))
    assert (found.version, found.start, found.speculative, found.speculation_metrics) == (
        "",
        None,
        None,
        None,
    )
    assert not found.current
    assert {found.cell(name).verdict for name in ("version", "speculation", "speculation_metrics")} == {
        "unknown"
    }


def test_another_model_than_is_served() -> None:
    with pytest.raises(EngineError) as caught:
        probed(FakeVllm(), "gpt-9")
    assert (caught.value.code, caught.value.params["served"]) == ("server.model", "tiny")


def test_versions() -> None:
    assert [version_of(text) for text in ("0.32.0+cpu", "0.9", "1.2.3rc1", "", "dev")] == [
        (0, 32), (0, 9), (1, 2), (0, 0), (0, 0)]  # fmt: skip
    assert probed(FakeVllm(version="0.31.1")).current is False


def step(*values: float) -> Step:
    return Step((token(0, values[0], 1, list(enumerate(values))),))


def test_in_doubt_nothing_is_claimed() -> None:
    """Logits that are all very negative look like unlikely log probabilities."""
    low = step(-11.0, -12.0, -12.5, -13.0, -14.0)
    assert judge([low], 2, 5)[0] is Mode.UNKNOWN
    assert judge([low, step(3.0, 1.0, 0.5, 0.1, 0.0)], 2, 5)[0] is Mode.RAW_LOGITS
    assert judge([step(-11.0, -12.0, -9999.0, -9999.0)], 2, 5)[0] is Mode.PROCESSED_LOGITS
    assert judge([step(-0.5, -0.6, -0.7)], 2, 5)[0] is Mode.RAW_LOGITS  # adds up to more than 1
    assert judge([Step()], 2, 5)[0] is Mode.UNKNOWN
