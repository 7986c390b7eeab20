"""Reported faults of starts, each by its number: a log or words of Docker, and the way out that it has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import DockerError, ModelError
from core.models.folder import read_folder
from core.server.access import Ended, LogPiece
from core.server.evidence import Evidence
from core.server.finding import Finding
from core.server.finding_words import sentence
from core.server.findings import diagnose
from core.server.spec import LaunchSpec
from core.server.tools import NotStarted
from core.worker import docker_service
from core.worker.job import Job
from core.worker.protocol import DockerAccess, FollowLog
from tests.fakes.server_room import Room, run

CASES = Path(__file__).parents[2] / "cases"
SPEC = LaunchSpec(model="qwen", folder="/home/me/models/qwen", device="gpu")


def explained(name: str, code: int = 1) -> Finding:
    log = tuple((CASES / "logs" / name).read_text(encoding="utf-8", errors="replace").split("\n"))
    return diagnose(Evidence(spec=SPEC, log=log, exit_code=code, versions=("0.32.0", "0.33.0")))


def changes(found: Finding) -> dict[str, dict[str, object]]:
    return {fix.code: dict(fix.changes) for fix in found.fixes}


@pytest.mark.parametrize(
    ("name", "tokens"), [("kv_small_v0", 9216), ("kv_small_v1", 17472), ("kv_small_v1_old", 20000)]
)
def test_v04_the_context_that_fits_is_one_click(name: str, tokens: int) -> None:
    """What the log names; half of what was asked for where it names nothing."""
    found = explained(f"{name}.log")
    assert changes(found)["context"] == {"context": tokens}
    assert found.collision is not None and "40,000" in sentence(found)


def test_v07_a_share_that_is_free_is_one_click() -> None:
    found = explained("gpu_free_low.log")
    assert "7.36" in sentence(found) and "7.31" in sentence(found)
    share = changes(found)["share"]["gpu_share"]
    assert isinstance(share, float) and 0.8 < share < 7.31 / 8


REFUSED = (
    "error running hook #0: error running hook: exit status 1, stdout: , stderr: nvidia-container-cli: "
    "requirement error: unsatisfied condition: cuda>=13.0, please update your driver to a newer version"
)


def test_v09_v10_an_old_driver_is_named_early_or_late_with_two_ways_out() -> None:
    for found in (diagnose(Evidence(spec=SPEC, error=REFUSED)), explained("cuda_too_old_late.log")):
        assert found.code == "driver_old" and "13.0" in sentence(found)
        assert changes(found)["cpu"] == {"device": "cpu"} and "driver" in changes(found)


def test_v14_a_path_that_is_taken_for_a_name_is_named_with_the_version() -> None:
    found = explained("offline_path.log")
    assert "/models/tiny" in sentence(found) and "0.32.0" in sentence(found)


def test_v21_the_engines_first_error_is_shown_and_not_the_last_line() -> None:
    found = explained("generic_tail.log")
    assert found.line.startswith("NotImplementedError: kernel for dtype float8")
    last = (CASES / "logs" / "generic_tail.log").read_text().strip().splitlines()[-1]
    assert found.line not in last and last not in found.line


def test_v22_code_of_a_model_is_found_before_a_start_and_never_turned_on(tmp_path: Path) -> None:
    config = (CASES / "models" / "remote_code" / "config.json").read_text()
    (tmp_path / "config.json").write_text(config)
    (tmp_path / "model.safetensors").touch()
    (tmp_path / "tokenizer.json").touch()
    with pytest.raises(ModelError) as caught:
        read_folder(tmp_path)
    assert caught.value.code == "model.remote_code"
    for said in (
        "Do you wish to run the custom code? [y/N] EOFError: EOF when reading a line",
        "ValueError: Please pass the argument `trust_remote_code=True` to allow custom code to be run.",
    ):
        found = diagnose(Evidence(spec=SPEC, log=(said,), exit_code=1))
        assert found.code == "remote_code"
        assert not any(fix.changes for fix in found.fixes)  # nothing that would allow it


def test_d09_a_refused_pull_is_told_and_not_tried_again() -> None:
    async def body(room: Room) -> None:
        room.docker.images.clear()
        room.docker.pulls = [Ended(1, err="toomanyrequests: You have reached your pull rate limit.")] * 2
        with pytest.raises(NotStarted) as caught:
            await room.does(room.program().start(room.spec))
        assert caught.value.finding.code == "rate_limit" and room.docker.calls.count("compose pull") == 1

    run(body)


def test_d15_a_folder_that_docker_may_not_see_is_named() -> None:
    said = "Error response from daemon: Mounts denied: \nThe path /opt/models is not shared from the host"
    found = diagnose(Evidence(spec=SPEC, error=said))
    assert found.code == "mount_denied" and "/opt/models" in sentence(found)


def test_d24_a_full_disk_of_docker_comes_with_what_docker_keeps_there() -> None:
    async def body(room: Room) -> None:
        room.docker.table = "TYPE    SIZE\nImages  60GB"
        room.docker.up_fails = Ended(1, err="write /x: no space left on device")
        with pytest.raises(NotStarted) as caught:
            await room.does(room.program().start(room.spec))
        assert caught.value.finding.code == "disk_full" and "Images  60GB" in caught.value.finding.line
        room.docker.fail("disk", DockerError("docker.slow"))
        with pytest.raises(NotStarted) as caught:
            await room.does(room.program().start(room.spec))
        assert caught.value.finding.line == "write /x: no space left on device"

    run(body)


def test_m02_a_log_of_colours_and_bars_is_clean_when_it_is_saved() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        seen: list[LogPiece] = []
        program.log.connect(seen.extend)
        room.docker.on_up = lambda box: box.end(1, "\x1b[31mERROR\x1b[0m bad\r", "\r 0%\r50%\r100%")
        with pytest.raises(NotStarted):
            await room.does(program.start(room.spec))
        assert [piece.text for piece in seen] == ["ERROR bad\r", "\r 0%\r50%\r100%"]
        assert program.report().rstrip().splitlines()[-2:] == ["ERROR bad", "100%"]

    run(body)


def test_g02_of_a_long_log_only_the_end_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, object] = {}

    class Client:
        def __init__(self, *_: object) -> None: ...

        def inspect_container(self, _: str) -> dict[str, object]:
            return {}

        def follow(self, path: str, *_: str, **parameters: object) -> object:
            asked.update(parameters)
            raise OSError(path)

        def close(self) -> None: ...

    monkeypatch.setattr(docker_service, "_Client", Client)
    access = DockerAccess("unix:///none", (), {}, 1.0)
    with pytest.raises(DockerError):
        docker_service.answer(Job(FollowLog(1, access, "c", 0.0), lambda _: None))
    assert json.dumps(asked["tail"]) == "100000" and (asked["since"], asked["follow"]) == ("0", 1)
