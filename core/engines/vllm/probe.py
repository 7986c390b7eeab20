"""Asks a server what it can tell: with the cheapest questions that decide, and one token at a time.

Every prompt has at least two ordinary tokens: a prompt of one kills Qwen3.5 on the CPU build of 0.32.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Sequence
from typing import Literal

import msgspec

from core.engines.base import Sampling
from core.engines.vllm.asked import Asked
from core.engines.vllm.capabilities import Capabilities, Cell, Verdict, version_of
from core.engines.vllm.completions import Completions
from core.engines.vllm.generate import PATH as GENERATE
from core.engines.vllm.generate import Generate
from core.engines.vllm.http import Reply, Server, together
from core.engines.vllm.metrics import Gauges, read_metrics
from core.engines.vllm.rows import Mode
from core.engines.vllm.step import Step
from core.engines.vllm.wire import ServedModel, ServedModels, Tokenized, Version
from core.errors import EngineError

_LISTED = 5
_TEXTS = ("The weather today", "Once upon a time", "def main(")
_SOME_IDS = (100, 200, 300)  # where the server tokenizes nothing; every vocabulary has them
_ALLOWED = re.compile(r"greater than max allowed: (-?\d+)")
# long and repetitive enough that a drafter of any kind has something to guess
_REPETITIVE = "one two three four one two three four one two three four one two three four"
_PROBE_SECONDS = 300.0
_ONE_COUNTER = "/metrics/?name[]=vllm:prompt_tokens_created"


async def identify(server: Server, model: str = "") -> tuple[str, tuple[ServedModel, ...], ServedModel]:
    """(version, models served, the one meant). Raises EngineError: unreachable, key, no_models, model."""
    reply, told = await together(server.get("/v1/models"), server.get("/version"))
    served = _served(server.address, reply)
    try:
        version = msgspec.json.decode(told.body, type=Version).version if told.status == 200 else ""
    except msgspec.DecodeError:
        version = ""
    chosen = next((one for one in served if one.id == model), None) if model else served[0]
    if chosen is None:
        raise EngineError("server.model", model=model, served=", ".join(one.id for one in served))
    return version, served, chosen


def _served(address: str, reply: Reply) -> tuple[ServedModel, ...]:
    if reply.status in (401, 403):
        raise EngineError("server.key", address=address, detail=reply.message)
    try:
        served = msgspec.json.decode(reply.body, type=ServedModels).data if reply.status == 200 else []
    except msgspec.DecodeError:
        served = []
    if not served:
        raise EngineError("server.no_models", address=address, detail=f"HTTP {reply.status}")
    return tuple(served)


Known = dict[tuple[object, ...], Capabilities]


async def probe(server: Server, model: str = "", known: Known | None = None) -> Capabilities:
    """The whole matrix of one server and model. Raises EngineError if it cannot be used at all.

    What `known` has of the same run of the same server is not asked again; what is found is put into it.
    """
    version, served, chosen = await identify(server, model)
    start = await started(server)
    key = (server.address, version, chosen, start)
    if known is not None and start is not None and key in known:
        return known[key]
    found = await _Probe(server, version, served, chosen).run()
    if known is not None:
        known[key] = found
    return found


async def started(server: Server) -> float | None:
    """When the server's counters began; None if it does not tell. One counter of the many is enough, where
    the server can be asked for one."""
    for path in (_ONE_COUNTER, "/metrics"):
        reply = await server.get(path)
        start = read_metrics(reply.body).start if reply.status == 200 else None
        if start is not None:
            return start
    return None


class _Probe:
    """The questions for one model, in the order in which one answer shapes the next."""

    def __init__(
        self, server: Server, version: str, served: Sequence[ServedModel], chosen: ServedModel
    ) -> None:
        self._server = server
        self._version = version
        self._served = served
        self._model = chosen
        self._cells: list[Cell] = []
        self._route: Generate | Completions = Completions()
        self._prompts: list[tuple[int, ...]] = []
        self._cut, self._left = Sampling(temperature=1.0, top_k=2, seed=0), 2

    async def run(self) -> Capabilities:
        self._say("version", "yes" if self._version else "unknown", self._version, "GET /version")
        limit = self._model.max_model_len
        self._say(
            "context_limit",
            "yes" if limit else "unknown",
            str(limit or ""),
            "max_model_len in GET /v1/models",
        )
        await self._scale_out()
        self._prompts = [await self._tokens(text) for text in _TEXTS]
        gauges = await self._gauges()
        if gauges.speculative is not False:
            # 0.32's CPU build dies of top-k with speculation; top-p shows the same
            self._cut, self._left = Sampling(temperature=1.0, top_p=1e-4, seed=0), 1
        most, first = await self._numbers()
        mode = await self._mode(most, first)
        if most is not None:
            most = await self._most(most)
        greedy = await self._greedy(mode)
        mask = self._mask(first)
        speculation = await self._speculation(gauges)
        self._say("cached_tokens", "unknown", "", "seen with the first answer that reuses a prompt")
        return Capabilities(
            address=self._server.address,
            version=self._version,
            model=self._model.id,
            served=tuple(one.id for one in self._served),
            root=self._model.root or "",
            context_limit=limit,
            route="generate" if isinstance(self._route, Generate) else "completions",
            mode=mode,
            max_logprobs=most,
            greedy=greedy,
            sampling_mask=mask,
            speculative=gauges.speculative,
            speculation_metrics=speculation,
            fragile=gauges.cpu and version_of(self._version) < (0, 33),
            cached_tokens=None,
            start=gauges.start,
            cells=tuple(self._cells),
            asked=time.time(),
        )

    def _say(self, name: str, verdict: Verdict, value: str, evidence: str) -> None:
        self._cells.append(Cell(name, verdict, value, evidence))

    async def _scale_out(self) -> None:
        """An empty body is refused as such (400, 422) where the route is on, and with 403 where it is off."""
        reply = await self._server.post(GENERATE, b"{}", seconds=30)
        on = reply.status in (400, 422)
        if on:
            self._route = Generate()
        if reply.status == 401:
            raise EngineError("server.key", address=self._server.address, detail=reply.message)
        words = "an empty request is refused as such" if on else reply.message
        self._say("scale_out", "yes" if on else "no", "", f"POST {GENERATE}: {reply.status} {words}")

    async def _tokens(self, text: str) -> tuple[int, ...]:
        body = {"model": self._model.id, "prompt": text, "add_special_tokens": False}
        reply = await self._server.post("/tokenize", msgspec.json.encode(body), seconds=30)
        try:
            ids = msgspec.json.decode(reply.body, type=Tokenized).tokens if reply.status == 200 else []
        except msgspec.DecodeError:
            ids = []
        return tuple(ids) if len(ids) >= 2 else _SOME_IDS

    async def _one(
        self, prompt: tuple[int, ...], sampling: Sampling, logprobs: int | None, tokens: int = 1
    ) -> tuple[Reply, Step | None]:
        """One short generation; the step is None where the server refused."""
        asked = Asked(self._model.id, prompt, sampling, tokens, logprobs, stream=False)
        reply = await self._server.post(self._route.path, self._route.body(asked), seconds=_PROBE_SECONDS)
        if reply.status in (401, 403):
            raise EngineError("server.key", address=self._server.address, detail=reply.message)
        if reply.status != 200:
            return reply, None
        step = self._route.read(reply.body)
        return (reply, None) if step.error is not None else (reply, step)

    async def _numbers(self) -> tuple[int | None, Step]:
        """How many alternatives it lists (5 → what it allows → none), and the answer that shows it."""
        reply, step = await self._one(self._prompts[0], self._cut, _LISTED)
        if step is None and "top_k" in reply.message:  # masks need one
            self._cut, self._left = Sampling(temperature=1.0, top_k=2, seed=0), 2
            reply, step = await self._one(self._prompts[0], self._cut, _LISTED)
        said = f"{_LISTED} asked for"
        listed: int | None = _LISTED
        if step is None and (found := _ALLOWED.search(reply.message)):
            said = reply.message
            listed = max(int(found[1]), 0)
            reply, step = await self._one(self._prompts[0], self._cut, listed)
        if step is None and reply.status in (400, 422, 500):
            said = reply.message
            listed = None
            reply, step = await self._one(self._prompts[0], self._cut, None)
        if step is None or not step.tokens:
            raise EngineError("server.refused", status=reply.status, detail=reply.message)
        if listed is not None and step.tokens[0].value is None and not step.tokens[0].fillers:
            listed = None
            said += ", none came"
        self._say("numbers", "no" if listed is None else "yes", "" if listed is None else str(listed), said)
        return listed, step

    async def _mode(self, listed: int | None, first: Step) -> Mode:
        """Temperature 1 and top-k 2 tell the modes apart; in doubt, with two more prompts."""
        if listed is None:
            self._say("logprobs_mode", "no", Mode.NONE.value, "the server sends no numbers")
            return Mode.NONE
        steps = [first]
        if self._left > 1 and listed <= self._left:
            self._cut, self._left, steps = msgspec.structs.replace(self._cut, top_k=1), 1, []
        mode, words = judge(steps, self._left, listed)
        for prompt in self._prompts[len(steps) :]:
            if mode is not Mode.UNKNOWN:
                break
            _, step = await self._one(prompt, self._cut, listed)
            steps += [step] if step is not None else []
            mode, words = judge(steps, self._left, listed)
        how = f"top-k {self._cut.top_k}" if self._cut.top_k else f"top-p {self._cut.top_p:g}"
        verdict: Verdict = "unknown" if mode is Mode.UNKNOWN else "yes"
        self._say("logprobs_mode", verdict, mode.value, f"temperature 1, {how}, {words}")
        return mode

    async def _most(self, listed: int) -> int:
        """One more than vLLM's default is refused with the number that is allowed."""
        asked = 21
        reply, step = await self._one(self._prompts[0], self._cut, asked)
        if step is not None:
            self._say("max_logprobs", "yes", f"{asked}+", f"{asked} asked for, and accepted")
            return asked
        found = _ALLOWED.search(reply.message)
        most = max(int(found[1]), listed) if found else listed
        self._say("max_logprobs", "yes", str(most), reply.message)
        return most

    async def _greedy(self, mode: Mode) -> bool:
        """Masks need processed log probabilities, and a server with masks refuses temperature 0."""
        if mode in (Mode.RAW_LOGPROBS, Mode.RAW_LOGITS, Mode.PROCESSED_LOGITS):
            words = "only servers with processed log probabilities can refuse it"
            self._say("greedy", "yes", "", words)
            return True
        reply, step = await self._one(self._prompts[0], Sampling(temperature=0.0), None)
        self._say(
            "greedy", "no" if step is None else "yes", "", reply.message if step is None else "accepted"
        )
        return step is not None

    def _mask(self, first: Step) -> bool:
        if not isinstance(self._route, Generate):
            self._say("sampling_mask", "no", "", "only the generate route can send it (--enable-scale-out)")
            return False
        there = any(token.mask is not None for token in first.tokens)
        self._say(
            "sampling_mask", "yes" if there else "no", "", f"sampling_mask {'came' if there else 'is null'}"
        )
        return there

    async def _gauges(self) -> Gauges:
        reply = await self._server.get("/metrics")
        if reply.status != 200:
            self._say("speculation", "unknown", "", f"GET /metrics: {reply.status}")
            return Gauges()
        gauges = read_metrics(reply.body)
        verdict: Verdict = "unknown" if gauges.speculative is None else "yes" if gauges.speculative else "no"
        words = "vllm:spec_decode counters in GET /metrics" + ("" if gauges.speculative else ": none")
        self._say("speculation", verdict, "", words)
        return gauges

    async def _speculation(self, gauges: Gauges) -> Literal["none", "summary", "detailed"] | None:
        """The counts come with an answer; a dozen tokens after a repetitive prompt give the drafter work."""
        if gauges.speculative is False:
            self._say("speculation_metrics", "no", "none", "nothing is guessed ahead")
            return "none"
        if gauges.speculative is None:
            self._say("speculation_metrics", "unknown", "", "seen with the first answer")
            return None
        prompt = await self._tokens(_REPETITIVE)
        _, step = await self._one(
            prompt, Sampling(temperature=0.0 if self._takes_greedy() else 0.05, top_k=1), None, tokens=12
        )
        counts = step.metrics.speculative_decoding if step is not None and step.metrics is not None else None
        if counts is None:
            self._say("speculation_metrics", "no", "none", "an answer came without counts")
            return "none"
        if counts.per_step_accepted:
            self._say("speculation_metrics", "yes", "detailed", "an answer came with counts of each step")
            return "detailed"
        sure = counts.num_spec_steps > 0
        words = "an answer came with counts" + ("" if sure else ", of no step yet")
        self._say("speculation_metrics", "yes" if sure else "unknown", "summary", words)
        return "summary"

    def _takes_greedy(self) -> bool:
        return any(cell.name == "greedy" and cell.verdict == "yes" for cell in self._cells)


def judge(steps: Sequence[Step], left: int, listed: int) -> tuple[Mode, str]:
    """The mode that these one-token answers prove, and in which words; UNKNOWN where they do not.

    A value above 0 or probabilities that add up to more than 1 are logits; fillers in the places that
    the sampler cut (all but `left`) are a processed mode. Raw log probabilities are believed when those
    listed make up a share that no logits would make up by chance on every prompt asked.
    """
    values = [
        [token.value, *(one.value for one in token.listed)]
        for step in steps
        for token in step.tokens
        if token.value is not None
    ]
    fillers = [token.fillers for step in steps for token in step.tokens]
    if not values:
        return Mode.UNKNOWN, "no numbers came"
    sums = [math.fsum(math.exp(min(value, 50.0)) for value in one if value is not None) for one in values]
    highest = max(value for one in values for value in one if value is not None)
    logits = highest > 1e-3 or max(sums) > 1 + 1e-3
    shown = ", ".join(f"{value:.4g}" for value in values[0] if value is not None)
    words = f"{listed} listed: {shown}; {max(fillers)} more at −9999"
    processed = max(fillers) > 0
    if logits:
        sure = processed or listed > left
        return (Mode.PROCESSED_LOGITS if processed else Mode.RAW_LOGITS) if sure else Mode.UNKNOWN, words
    if processed:
        # what is left adds up to 1; logits that are all negative do not
        exact = all(abs(total - 1) < 1e-2 for total in sums)
        return (Mode.PROCESSED_LOGPROBS if exact else Mode.PROCESSED_LOGITS), words
    if listed <= left:
        exact = all(abs(total - 1) < 1e-6 for total in sums)
        if exact and len(steps) > 2:
            return Mode.PROCESSED_LOGPROBS, words
        return (Mode.RAW_LOGPROBS if not exact and min(sums) > 0.01 else Mode.UNKNOWN), words
    return (Mode.RAW_LOGPROBS if min(sums) > 0.01 else Mode.UNKNOWN), words
