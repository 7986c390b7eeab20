"""Records of launches on a real disk: whole at every moment, bounded, without keys; estimates from them."""

from __future__ import annotations

import asyncio
import gzip
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from core.log_text import safe
from core.server.access import LogPiece
from core.server.estimates import Estimates, estimates
from core.server.finding import Finding
from core.server.launch_log import HEAD_BYTES, TAIL_BYTES, LaunchLog, read_log
from core.server.launch_record import LaunchRecord, PhaseTime
from core.server.launches import KEPT, Launch, Launches
from core.server.spec import LaunchSpec
from core.server.state import ServerPhase
from tests.fakes.server_room import Room, begin, run

P = ServerPhase
SPEC = LaunchSpec(model="tiny", folder="/models/tiny", revision="r1")
LOGS = Path(__file__).parents[2] / "cases" / "logs"
KEY = "hf_abcdefghijklmnopqrst"


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def launches(tmp_path: Path, clock: Clock) -> Launches:
    return Launches(tmp_path / "launches", clock=clock)


def pieces(*lines: str) -> list[LogPiece]:
    return [LogPiece(0.0, line) for line in lines]


def start(launches: Launches, clock: Clock, seconds: dict[ServerPhase, float], **changes: object) -> Launch:
    launch = launches.begin(msgspec.structs.replace(SPEC, **changes))
    for phase, time in seconds.items():
        launch.phase(phase)
        clock.now += time
    launch.phase(P.READY)
    launch.end("stopped")
    clock.now += 60
    return launch


def test_a_record_is_whole_after_every_step(launches: Launches, clock: Clock) -> None:
    launch = launches.begin(SPEC, by="cli", image="vllm/x:1", command=("serve", "m"))
    (record,) = launches.all()
    assert (record.id, record.result, record.ready, record.phases) == (launch.id, "", 0.0, ())
    assert (record.by, record.image, record.command) == ("cli", "vllm/x:1", ("serve", "m"))
    launch.phase(P.CHECKING)
    clock.now += 0.5
    launch.phase(P.LOADING)
    (record,) = launches.all()  # as a killed program would leave it
    assert record.phases == (
        PhaseTime(P.CHECKING, 1_800_000_000.0, 0.5), PhaseTime(P.LOADING, 1_800_000_000.5)
    )  # fmt: skip
    clock.now += 2
    for line in (LOGS / "start-default-cold.log").read_text().splitlines():
        launch.reader.feed(line)
    launch.add(pieces("a line"))
    launch.phase(P.READY)
    clock.now += 100
    launch.end("stopped")
    (record,) = launches.all()
    assert record.phases[-1].seconds == 2
    assert (record.result, record.vllm, record.facts.kv_tokens) == ("stopped", "0.32.0", 2_097_152)
    assert record.ended - record.ready == 100
    assert {path.name for path in launch.folder.iterdir()} == {"record.json", "log.gz"}


def test_why_it_failed_is_kept(launches: Launches) -> None:
    launch = launches.begin(SPEC)
    launch.end("failed", Finding("kv_small", {"gib": 1.4}, line=f"ValueError at 10.0.0.7: {KEY}"))
    record = launches.read(launch.id)
    assert record is not None
    assert record.finding == Finding("kv_small", {"gib": 1.4}, line="ValueError at [address]: [hidden]")


def test_no_key_is_in_any_file(launches: Launches) -> None:
    shown = {"VLLM_PORT": "8000", "TOKENLOUPE_MODEL_PATH": "/models/tiny"}
    environment = {"VLLM_API_KEY": "s3cret-key", "HF_TOKEN": KEY, "TOKENLOUPE_TOKEN": "s3cret-key", **shown}
    command = ("m", "--api-key", "s3cret-key", f"--api-key={KEY}")
    launch = launches.begin(SPEC, environment=environment, command=command)
    launch.update(error=f"refused: Authorization: Bearer {KEY}")
    launch.add(pieces(safe(f"non-default args: {{'api_key': ['{KEY}']}}"), "fine"))
    launch.end("failed", error=f"token {KEY}")
    everything = b"".join(
        gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for path in launch.folder.iterdir()
    )
    assert KEY.encode() not in everything
    assert b"s3cret-key" not in everything
    assert launch.record.environment == shown
    assert list(launches.log(launch.id)) == ["non-default args: {'api_key': [hidden]}", "fine"]


@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda _: b"", lambda _: b"\xff{"])
def test_a_half_written_record_is_passed_over(
    launches: Launches, clock: Clock, damage: Callable[[bytes], bytes]
) -> None:
    whole = launches.begin(SPEC)
    clock.now += 1
    broken = launches.begin(SPEC)
    file = broken.folder / "record.json"
    file.write_bytes(damage(file.read_bytes()))
    assert [record.id for record in launches.all()] == [whole.id]
    assert launches.read(broken.id) is None


def test_the_log_of_a_killed_program_can_be_read(tmp_path: Path) -> None:
    log = LaunchLog(tmp_path)
    log.add(["first"])
    log.sync()
    log.add(["lost"])
    assert list(read_log(tmp_path)) == ["first"]
    file = tmp_path / "log.gz"
    for cut in range(file.stat().st_size):  # as if the disk had taken only so much
        (tmp_path / "cut").mkdir(exist_ok=True)
        (tmp_path / "cut" / "log.gz").write_bytes(file.read_bytes()[:cut])
        assert list(read_log(tmp_path / "cut")) in ([], ["first"], ["fir"], ["f"], ["fi"], ["firs"])
    log.close()


def test_of_an_endless_log_the_beginning_and_the_end_are_kept(tmp_path: Path) -> None:
    log = LaunchLog(tmp_path)
    line = "x" * 99
    count = (HEAD_BYTES + TAIL_BYTES) * 2 // 110
    for at in range(0, count, 1000):
        log.add([f"{number:010d} {line[:98]}" for number in range(at, at + 1000)])
    between = list(read_log(tmp_path))  # while it is written
    log.close()
    lines = list(read_log(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["log.gz"]
    (gap,) = [at for at, text in enumerate(lines) if "left out" in text]
    assert lines[0].startswith("0000000000")
    numbers = [int(text[:10]) for text in lines[:gap]], [int(text[:10]) for text in lines[gap + 1 :]]
    assert numbers[0] == list(range(len(numbers[0])))
    assert numbers[1] == list(range(numbers[1][0], numbers[1][-1] + 1))
    assert numbers[1][-1] == (count - 1) // 1000 * 1000 + 999
    assert HEAD_BYTES * 0.99 < gap * 110 <= HEAD_BYTES
    assert TAIL_BYTES * 0.85 < len(numbers[1]) * 110 <= TAIL_BYTES
    said = int("".join(c for c in lines[gap] if c.isdigit()))
    assert said == (numbers[1][0] - numbers[0][-1] - 1) * 110
    assert between[0] == lines[0]
    assert len(gzip.decompress((tmp_path / "log.gz").read_bytes()).splitlines()) == len(lines)


def test_a_full_disk_stops_no_start(launches: Launches, monkeypatch: pytest.MonkeyPatch) -> None:
    launch = launches.begin(SPEC)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "open", full)
    monkeypatch.setattr("core.server.launches._write_whole", full)
    launch.phase(P.CHECKING)
    launch.add(pieces("a line"))
    launch.end("failed")


def test_only_the_newest_are_kept(launches: Launches, clock: Clock) -> None:
    for number in range(6):
        launch = launches.begin(SPEC, id=f"launch-{number}")
        clock.now += 1
        for file in launch.folder.iterdir():
            os.utime(file, (clock.now, clock.now))
    (launches.folder / "notes of mine").mkdir()
    ids = [f"launch-{number}" for number in (5, 4, 3, 2, 1, 0)]
    assert [record.id for record in launches.all()] == ids
    launches.prune(kept=4)
    assert [record.id for record in launches.all()] == ids[:4]
    launches.prune(kept_bytes=1)
    assert [record.id for record in launches.all()] == ids[:1]
    assert (launches.folder / "notes of mine").is_dir()  # not ours


def test_a_record_is_gone_on_with_by_another_run(tmp_path: Path, clock: Clock) -> None:
    launch = Launches(tmp_path, clock=clock).begin(SPEC, by="cli")
    launch.add(pieces("one"))
    launch.phase(P.CREATING)
    launch.close()
    clock.now += 3
    launches = Launches(tmp_path, clock=clock)
    again = launches.resume(launch.id, SPEC)
    again.add(pieces("one", "two"))
    again.phase(P.LOADING)
    again.close()
    assert again.record.by == "cli"
    assert [step.seconds for step in again.record.phases] == [3, None]
    assert list(launches.log(launch.id)) == ["one", "two"]


@pytest.mark.parametrize("launch", ["by-hand", "../../etc", "", ".", "a/b"])
def test_an_id_that_is_no_name_of_a_folder_gets_one(launches: Launches, launch: str) -> None:
    made = launches.resume(launch, SPEC)
    assert made.folder.parent == launches.folder
    assert launches.read(launch) is None
    assert made.record.by == ("hand" if launch == "by-hand" else "window")


def test_estimates_are_the_median_of_the_last_five(launches: Launches, clock: Clock) -> None:
    assert estimates(launches.all(), SPEC) == Estimates()
    for seconds in (100.0, 1.0, 9.0, 3.0, 2.0, 8.0):
        start(launches, clock, {P.CHECKING: 0.5, P.LOADING: seconds})
    found = estimates(launches.all(), SPEC)
    assert found.earlier == 5
    assert found.seconds == pytest.approx({P.CHECKING: 0.5, P.LOADING: 3.0})


@pytest.mark.parametrize(
    ("changes", "counts"),
    [
        ({}, True),
        ({"port": 9000, "kv_bytes": 1 << 30, "gpu_share": 0.5, "model": "other name"}, True),
        ({"folder": "/models/other"}, False),
        ({"revision": "r2"}, False),
        ({"device": "gpu"}, False),
        ({"version": "0.33.0"}, False),
        ({"context": 2048}, False),
        ({"eager": True}, False),
        ({"speculative": "{}"}, False),
    ],
)
def test_only_alike_starts_count(
    launches: Launches, clock: Clock, changes: dict[str, object], counts: bool
) -> None:
    start(launches, clock, {P.LOADING: 3.0}, **changes)
    assert bool(estimates(launches.all(), SPEC).earlier) is counts


def test_starts_that_came_to_nothing_do_not_count() -> None:
    phases = (PhaseTime(P.LOADING, 0.0, 5.0),)
    failed = LaunchRecord(id="a", began=1, spec=SPEC, phases=phases, result="failed")
    lost = LaunchRecord(id="b", began=1, spec=SPEC, phases=phases, result="lost", ready=9.0)
    assert estimates([failed], SPEC).seconds == {}
    assert estimates([lost], SPEC).seconds == {P.LOADING: 5.0}


def test_old_records_are_removed_outside_of_the_loops_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """To look at 40 of them takes 16 ms."""
    threads: list[bool] = []
    prune = Launches.prune

    def noting(self: Launches, **limits: int) -> None:
        threads.append(threading.current_thread() is threading.main_thread())
        prune(self, **limits)

    monkeypatch.setattr(Launches, "prune", noting)

    async def body(room: Room) -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        program = room.program()
        for number in range(KEPT + 2):
            program._tools.launches.begin(room.spec, id=f"old-{number}")
        assert not threads
        start = begin(program.start(room.spec))
        while not start.done():  # a real thread takes real time
            await asyncio.wait({start}, timeout=0.01)
            await room.time.pass_(1)
        assert threads == [False] and len(list(program._tools.launches.all())) == KEPT + 1

    run(body)
