"""The real vLLM 0.32.0 in a container, by the project's own Compose files, from the command line."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from tests.real.docker.place import Place
from tests.real.docker.programs import nothing, program, spec_for, visit
from tests.real.vllm.conftest import made


def up(place: Place, model: str, *settings: str) -> None:
    """A start that comes to its end."""
    wanted = [word for one in ("context=512", "kv_bytes=1073741824", *settings) for word in ("--set", one)]
    done = place.tokenloupe("up", "--model", model, "--wait", *wanted, "--json", seconds=900)
    assert done.returncode == 0, done.stderr + place.tokenloupe("logs").stdout[-4000:]
    assert json.loads(done.stdout.splitlines()[-1])["phase"] == "ready"


def ask(place: Place, *arguments: str) -> list[dict[str, Any]]:
    asked = ("What is the capital of France?", "--temperature", "0", "--max-tokens", "8", "--json")
    done = place.tokenloupe("ask", *asked, *arguments)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_up_ask_down(really_serving: Place) -> None:
    """What is said is what the built-in engine says."""
    place = really_serving
    place.model("one")
    up(place, "one", "eager=true")
    start, *tokens, _ = ask(place)
    assert start["engine"] == "vllm" and start["numbers"] == "raw_logprobs" and start["route"] == "generate"
    assert all(one["rank"] == 1 and len(one["candidates"]) > 1 for one in tokens)
    by_address = ask(place, "--url", place.address)
    assert [one["id"] for one in by_address[1:-1]] == [one["id"] for one in tokens]
    own = ask(place, "--model", "built-in")[1:-1]
    assert [one["id"] for one in own][:3] == [one["id"] for one in tokens][:3]
    assert place.tokenloupe("down").returncode == 0
    assert place.ours() == [] and place.listeners() == set()


def compiled(place: Place) -> set[str]:
    """The libraries that were compiled for models, as the volume holds them."""
    find = ("find", "/root/.cache/vllm", "-name", "*.so")
    return set(place.engine.docker("exec", place.ours()[0], *find).split())


def test_a_second_start_compiles_nothing(really_serving: Place) -> None:
    """Of a tiny model: compiling one of 30 layers takes many times as long."""
    place = really_serving
    made("llama", place.models)
    up(place, "llama")
    image, libraries = place.inspect()["Image"], compiled(place)
    assert libraries
    assert place.tokenloupe("down").returncode == 0
    up(place, "llama")
    assert place.inspect()["Image"] == image
    assert compiled(place) == libraries
    assert "Compiling model again" not in place.engine.docker("logs", place.ours()[0])
    assert place.tokenloupe("down").returncode == 0
    assert place.ours() == []


def test_in_the_window(really_serving: Place) -> None:
    """Start, timeline, log, question, card, Stop, start again, quit: of the built-in model, compiled."""
    said = visit(really_serving, "first_road", really_serving.model("one"), seconds=900)
    assert said["answer"][0] == "finished" and said["answer"][2] == "vllm", said
    assert said["ranks"][0] == 1 and said["candidates"] > 1 and said["card"]
    assert said["timeline"] and {"loading", "compiling", "warming", "asking", "ready"} <= set(said["phases"])
    assert said["log"] > 50
    assert really_serving.ours() == [] and really_serving.listeners() == set()


def test_less_memory_than_it_needs(really_serving: Place) -> None:
    model = really_serving.model("one")

    async def story() -> None:
        async with program(check=nothing) as window:
            spec = spec_for(really_serving, model, memory=1200 << 20, eager=True, context=1024)
            found = await window.fails(spec)
            assert found.code == "oom", (found, window.log[-20:])

    asyncio.run(story())
    assert really_serving.ours() == []
