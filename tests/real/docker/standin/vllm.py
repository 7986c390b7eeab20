"""The program `vllm` of the stand-in image: starts as 0.32.0 says it does, then answers as the tests' fake.

A file standin.json in the model's folder tells what goes wrong (the variable STANDIN does the same):
{"pace": 0.2, "seconds": {"loading": 5}, "loading": {"do": "end", "log": "file beside it", "code": 1}}
`pace`, `seconds`: how long a phase takes. A phase's name → what happens at its end; "asked": at a question,
which streams, as no probe does. `do`: end, memory, wait (until the file `for` lies beside it), hang, deaf
(hang without a signal's effect), flood, long, dead (503 for `seconds`, then exit code 0).
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from tests.fakes.fake_vllm import Call, FakeVllm, error  # noqa: E402
from tests.fakes.server_tokenizer import ServerTokenizer  # noqa: E402

# the line that ends each phase, in order; what follows the last is up to "startup complete"
PHASES = {
    "creating": "Initializing a V1 LLM engine",
    "loading": "Loading weights took",
    "compiling": "Warming up done.",
    "warming": "init engine (profile",
    "ready": "Application startup complete.",
}
ANSWER = "This server only stands in for a real one, and its numbers are made up."
DEAD = "EngineCore encountered an issue. See stack trace (above) for the root cause."
FATAL = "EngineCore encountered a fatal error."
MIB = 1 << 20


def say(line: str) -> None:
    """On the stream that the real one uses for it."""
    out = re.match(r"\((APIServer|EngineCore|Worker|VllmWorker)|INFO: +\d", line) is not None
    stream = sys.stdout if out else sys.stderr
    stream.write(line + "\n")
    stream.flush()


class Arguments:
    """Of `vllm serve`: known long options with or without a value."""

    def __init__(self, words: list[str]) -> None:
        self.values: dict[str, str] = {}
        loose: list[str] = []
        known = set((HERE / "flags.txt").read_text().split())
        unknown: list[str] = []
        at = 0
        while at < len(words):
            name, equals, value = words[at].partition("=")
            at += 1
            if not name.startswith("-"):
                loose.append(words[at - 1])
                continue
            if not equals and at < len(words) and not words[at].startswith("--"):
                value = words[at]
                at += 1
            if name not in known and not name.startswith("-O"):
                unknown.append(" ".join(filter(None, (name, value))))
            self.values[name] = value
        if unknown:
            print(f"vllm: error: unrecognized arguments: {' '.join(unknown)}", file=sys.stderr)
            sys.exit(2)
        self.model = loose[0] if loose else self.values.get("--model", "")

    def get(self, name: str, default: str = "") -> str:
        return self.values.get(name) or default


class StandIn(FakeVllm):
    """The fake, on every address of the container, with a tokenizer and a stream of its own."""

    scenario: dict[str, Any]

    async def begin(self) -> None:
        self._server = await asyncio.start_server(self._accept, "0.0.0.0", self.port)

    async def _answer(self, call: Call, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        event = self.scenario.get("asked")
        if event is not None and isinstance(call.body, dict) and call.body.get("stream"):
            if event["do"] != "dead":
                happen(event, self)
            elif self.healthy:
                self.healthy = self.generates = False
                asyncio.get_running_loop().call_later(float(event.get("seconds", 4)), end_dead)
                say("(EngineCore pid=21) ERROR 11-30 10:00:00 [core.py:9] " + FATAL)
        again = await super()._answer(call, reader, writer)
        status = "200 OK" if self.healthy else "503 Service Unavailable"
        say(f'INFO:     127.0.0.1:40000 - "{call.method} {call.path} HTTP/1.1" {status}')
        return again

    def _one(self, body: dict[str, Any], *, generate: bool) -> tuple[int, Any]:
        if not self.healthy:
            return 500, error(DEAD, 500)
        return super()._one(body, generate=generate)

    async def _stream(self, call: Call, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        asked = call.body.get("sampling_params", call.body)
        prompt = call.body.get("token_ids") or call.body.get("prompt") or ()
        self.stream = self._events(asked, len(prompt), generate=call.path != "/v1/completions")
        self.chunk = 400
        return await super()._stream(call, reader, writer)

    def _events(self, asked: dict[str, Any], prompt: int, *, generate: bool) -> bytes:
        if not self.healthy:
            return f"data: {json.dumps(error(DEAD, 500))}\n\ndata: [DONE]\n\n".encode()
        ids = self.tokenizer.ids(ANSWER) if self.tokenizer is not None else [2089, 392, 1122]
        ids = ids[: asked.get("max_tokens") or len(ids)]
        lines = []
        for at, id in enumerate(ids):
            last = at == len(ids) - 1
            choice = {"index": 0, "token_ids": [id], "finish_reason": ("length" if last else None)}
            # every third token was the second most likely one
            rank, others = (2 if at % 3 == 2 else 1), [one for one in (300, 301, 302, 303, 304) if one != id]
            values = [-0.5, -1.5, -2.5, -3.5, -4.5]
            order = [*others[: rank - 1], id, *others[rank - 1 :]][: max(asked.get("logprobs") or 1, rank)]
            top = [
                {"token_id": one, "logprob": value, "rank": place}
                for place, (one, value) in enumerate(zip(order, values, strict=False), 1)
            ]
            if generate:
                choice["logprobs"] = {"content": [{**top[rank - 1], "top_logprobs": top}]}
            else:
                choice["text"] = ""
                choice["logprobs"] = {
                    "tokens": [f"token_id:{id}"],
                    "token_logprobs": [values[rank - 1]],
                    "top_logprobs": [{f"token_id:{one['token_id']}": one["logprob"] for one in top}],
                }
            lines.append({"request_id": "generate-tokens-x", "choices": [choice]})
        usage = {"prompt_tokens": prompt, "completion_tokens": len(ids), "total_tokens": prompt + len(ids)}
        lines.append({"request_id": "generate-tokens-x", "choices": [], "usage": usage})
        return b"".join(f"data: {json.dumps(one)}\n\n".encode() for one in lines) + b"data: [DONE]\n\n"


def end_dead() -> None:
    say("(APIServer pid=1) INFO 11-30 10:00:04 [launcher.py:304] [shutdown] API server: shutting down")
    os._exit(0)  # as the real one does


def happen(event: dict[str, Any], server: FakeVllm | None = None, folder: Path = Path()) -> None:
    what = event["do"]
    if what == "end":
        if event.get("log"):
            for line in (folder / event["log"]).read_text(errors="replace").splitlines():
                say(line)
        os._exit(int(event.get("code", 1)))
    if what == "memory":
        held = []
        while True:
            held.append(b"x" * (16 * MIB))  # written to, so really there
    while what == "wait" and not (folder / event["for"]).exists():
        threading.Event().wait(0.05)
    if what == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while what in ("hang", "deaf"):
        threading.Event().wait()
    if what == "flood":
        for number in range(int(event.get("lines", 100_000))):
            sys.stdout.write(f"(Worker pid=20) INFO 11-30 10:00:00 [flood.py:1] line {number}\n")
        sys.stdout.flush()
    if what == "long":
        say(f"(Worker pid=20) INFO 11-30 10:00:00 [long.py:1] {'x' * int(event.get('bytes', 5 * MIB))}")


def start(arguments: Arguments, scenario: dict[str, Any], folder: Path, names: dict[str, str]) -> None:
    """The log of a start, phase by phase."""
    phases = list(PHASES)
    if "--enforce-eager" in arguments.values:
        scenario = {**scenario, "seconds": {**scenario.get("seconds", {}), "compiling": 0}}
    at = 0
    threading.Event().wait(seconds(scenario, phases[0]))
    for line in (HERE / "start.log").read_text().splitlines():
        for old, new in names.items():
            line = line.replace(old, new)
        say(re.sub(r"\d\d-\d\d \d\d:\d\d:\d\d", time.strftime("%m-%d %H:%M:%S"), line, count=1))
        if at < len(phases) and PHASES[phases[at]] in line:
            if phases[at] in scenario:
                happen(scenario[phases[at]], folder=folder)
            at += 1
            if at == len(phases):
                return
            if at < len(phases) - 1:  # nothing is waited for between the last words and the open port
                threading.Event().wait(seconds(scenario, phases[at]))


def seconds(scenario: dict[str, Any], phase: str) -> float:
    return float(
        scenario.get("seconds", {}).get(phase, scenario.get("pace", os.environ.get("STANDIN_PACE", 0.2)))
    )


def main(words: list[str]) -> None:
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))  # what runs as process 1 has no default for it
    signal.signal(signal.SIGINT, lambda *_: os._exit(0))
    if words[:1] != ["serve"]:
        print(os.environ.get("STANDIN_VERSION", "0.32.0"))
        return
    arguments = Arguments(words[1:])
    folder = Path(arguments.model)
    told = folder / "standin.json"
    scenario = json.loads(told.read_text() if told.is_file() else os.environ.get("STANDIN", "{}"))
    if not (folder / "config.json").is_file():
        words = f"Value error, Invalid repository ID or local directory specified: '{folder}'."
        happen({"do": "end", "code": print(words, file=sys.stderr) or 1})
    config = json.loads((folder / "config.json").read_text())
    limit = int(arguments.get("--max-model-len", str(config.get("max_position_embeddings", 512))))
    served = arguments.get("--served-model-name", arguments.model)
    names = {
        "MODEL_DIR": str(folder),
        "Qwen3ForCausalLM": config.get("architectures", ["Qwen3ForCausalLM"])[0],
        "max model len 512": f"max model len {limit}",
        "127.0.0.1:8000": f"{arguments.get('--host', '0.0.0.0')}:{arguments.get('--port', '8000')}",
    }
    begun = time.time()
    start(arguments, scenario, folder, names)
    template = (folder / "chat_template.jinja").is_file()
    server = StandIn(
        version=os.environ.get("STANDIN_VERSION", "0.32.0"),
        model=served,
        root=str(folder),
        max_model_len=limit,
        key=arguments.get("--api-key", os.environ.get("VLLM_API_KEY", "")),
        scale_out="--enable-scale-out" in arguments.values,
        mode=arguments.get("--logprobs-mode", "raw_logprobs"),
        start=begun,
        port=int(arguments.get("--port", "8000")),
        tokenizer=ServerTokenizer(folder, has_template=template)
        if (folder / "tokenizer.json").is_file()
        else None,
    )
    server.scenario = scenario

    async def serve() -> None:
        await server.begin()
        await asyncio.Event().wait()

    asyncio.run(serve())


if __name__ == "__main__":
    main(sys.argv[1:])
