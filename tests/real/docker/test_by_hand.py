"""The project's own Compose files as a person uses them, without the program: `docker compose`, `make`."""

from __future__ import annotations

import json
import subprocess

from core.server.access import LABEL_LAUNCH, LABEL_SPEC
from tests.real.docker.conftest import Corner
from tests.real.docker.engine import Engine
from tests.real.docker.place import Place

# what a person, a hub or a template may have in a name
AWKWARD = 'a b/ünï—模型 $HOME ${X:-y} \'one\' "two" {"k": [1]} c:d'
KEY = "a key: $ecret 'with' \"quotes\""


def said(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_up_and_down(serving: Place) -> None:
    serving.model("one")
    said(serving.compose("up", "-d", VLLM_MODEL="one", VLLM_API_KEY=KEY))
    serving.answers()
    assert serving.get("/v1/models")[0] == 401
    status, models = serving.get("/v1/models", KEY)
    assert status == 200 and [one["id"] for one in json.loads(models)["data"]] == ["one"]
    container = serving.inspect()
    labels = container["Config"]["Labels"]
    assert labels[LABEL_LAUNCH] == "by-hand" and labels[LABEL_SPEC] == ""
    assert serving.listeners() == {"127.0.0.1"}
    # the key is in its environment alone
    container["Config"].pop("Env")
    assert "ecret" not in json.dumps(container) and "ecret" not in serving.log()
    touched = serving.engine.docker("exec", container["Id"], "touch", "/models/one/new", check=False)
    assert "Read-only file system" in touched
    serving.until(lambda: "0.32.0" in serving.log(), "its version is said")
    serving.until(lambda: "Detected the chat template" in serving.log(), "its chat template is said")
    said(serving.compose("up", "-d", VLLM_MODEL="one", VLLM_API_KEY=KEY))
    assert serving.ours() == [container["Id"]], "nothing has changed: the same container goes on"
    said(serving.compose("down"))
    assert serving.ours() == [] and serving.listeners() == set()
    volumes = serving.engine.docker("volume", "ls", "-q")
    assert volumes == "tokenloupe_vllm-cache", "what was compiled stays"


def test_a_name_arrives_as_it_is(serving: Place) -> None:
    serving.model(AWKWARD)
    said(serving.compose("up", "-d", VLLM_MODEL=AWKWARD))
    serving.answers()
    (served,) = json.loads(serving.get("/v1/models")[1])["data"]
    assert served["id"] == AWKWARD and served["root"] == f"/models/{AWKWARD}"


def test_a_model_that_is_not_there_is_named_with_those_that_are(serving: Place) -> None:
    serving.model("one")
    serving.compose("up", "-d", VLLM_MODEL="two")
    serving.until(lambda: serving.inspect()["State"]["Status"] == "exited", "it has ended")
    assert serving.inspect()["State"]["ExitCode"] == 1
    serving.until(lambda: "no folder /models/two" in serving.log(), "the folder is named")
    serving.until(lambda: "\none" in serving.log(), "those that are there are named")


def test_make_does_the_same(serving: Place) -> None:
    serving.model("one")
    said(serving.run("make", "vllm-up", VLLM_MODEL="one"))
    serving.answers()
    assert len(serving.ours()) == 1
    said(serving.run("make", "vllm-down"))
    assert serving.ours() == []


def test_a_gpu(gpu_engine: Engine, corner: Corner) -> None:
    place = corner(gpu_engine)
    place.model("one")
    said(place.compose("up", "-d", gpu=True, VLLM_MODEL="one"))
    place.answers()
    assert "--gpu-memory-utilization=0.3" in place.inspect()["Args"]
    assert "VLLM_CPU_KVCACHE_SPACE" not in json.dumps(place.inspect()["Config"]["Env"])


def refused(place: Place, words: str) -> None:
    place.model("one")
    done = place.compose("up", "-d", gpu=True, VLLM_MODEL="one")
    assert done.returncode != 0 and words in done.stderr
    assert place.inspect()["State"]["Status"] == "created"
    assert place.listeners() == set()


def test_a_gpu_without_its_toolkit(serving: Place) -> None:
    refused(serving, "could not select device driver")


def test_a_gpu_with_a_broken_driver(gpu_engine: Engine, corner: Corner) -> None:
    (gpu_engine.place / "stub").write_text("broken")
    try:
        refused(corner(gpu_engine), "libnvidia-ml.so.1")
    finally:
        (gpu_engine.place / "stub").write_text("good")


def test_the_oldest_engine_and_compose(stock_engine: Engine, corner: Corner) -> None:
    place = corner(stock_engine)
    place.model("one")
    said(place.compose("up", "-d", VLLM_MODEL="one"))
    place.answers()
    assert place.inspect()["Config"]["Labels"][LABEL_LAUNCH] == "by-hand"
    said(place.compose("down"))
    assert place.ours() == []
