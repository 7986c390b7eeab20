"""A start of a model that is not on this computer: checked, fetched and started in one timeline."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from core.errors import LoupeError, ModelError
from core.models.download import Downloads
from core.models.headers import Weights
from core.models.manifest import hub_folder, is_ready
from core.models.orders import DownloadState
from core.models.partial import partial_place, read_listing
from core.models.search import HubModel
from core.paths import default_paths
from core.server.access import DockerInfo, Endpoint
from core.server.choose import coming, spec_of_coming
from core.server.fetching import HubSource, fetch_model
from core.server.finding import Finding
from core.server.launcher import Doctor
from core.server.launches import Launches
from core.server.spec import LaunchSpec
from core.server.state import STARTING, ServerPhase, StepStatus
from core.server.tools import NotStarted
from core.settings import Settings
from tests.core.models.downloading import hub_of, models
from tests.fakes.hub.server import COMMIT, FakeHub
from tests.fakes.server_room import Room, begin, phase_of, phases, run

P = ServerPhase
AT = STARTING.index(P.WEIGHTS)


def test_what_is_fetched_is_a_step_of_the_start() -> None:
    async def body(room: Room) -> None:
        program, source = room.program(), room.source
        seen = phases(program)
        task = begin(program.start(source.spec))
        await room.time.until(lambda: source.told)
        assert program.state.phase is P.WEIGHTS and "compose up" not in room.docker.calls
        await room.time.pass_(10)
        source.tell(phase="fetching", done=500, total=2_000, speed=50.0, left=30.0)
        step = program.state.steps[AT]
        assert (step.note, step.done, step.total, step.speed) == ("weights_fetch", 500, 2_000, 50.0)
        assert step.left == 30.0 and step.estimate == pytest.approx(40.0)
        await room.time.pass_(1)
        source.tell(phase="waiting", done=500, total=2_000, tries=2)
        step = program.state.steps[AT]
        assert (step.note, step.params, step.left, step.estimate) == (
            "weights_again",
            {"number": 2},
            None,
            None,
        )
        source.tell(phase="checking", done=1_000, total=2_000)
        assert program.state.steps[AT].note == "weights_check"
        source.arrive()
        await room.time.until(task.done)
        assert seen == [P.ABSENT, *STARTING, P.READY]
        assert program.state.steps[AT].note == "weights_fetched"
        assert program.state.spec == source.spec and source.cut == 0

    run(body)


def test_the_next_start_expects_no_download() -> None:
    async def body(room: Room) -> None:
        program, source = room.program(), room.source
        room.docker.images.clear()
        task = begin(program.start(source.spec))
        await room.time.until(lambda: source.told)
        await room.time.pass_(600)
        source.arrive()
        await room.time.until(task.done)
        seconds, earlier = Launches(room.paths.data / "launches").estimates(source.spec)
        assert earlier == 1 and P.CREATING in seconds
        assert P.WEIGHTS not in seconds and P.IMAGE not in seconds

    run(body)


def test_cancelled_in_the_middle_and_then_again() -> None:
    async def body(room: Room) -> None:
        program, source = room.program(), room.source
        task = begin(program.start(source.spec))
        await room.time.until(lambda: source.told)
        source.tell(phase="fetching", done=500, total=2_000)
        task.cancel()
        await room.time.until(task.done)
        assert task.cancelled() and source.cut == 1 and phase_of(program) is P.STOPPED
        step = program.state.steps[AT]
        assert (step.status, step.done, step.total) == (StepStatus.RUNNING, 500, 2_000)
        task = begin(program.start(source.spec))
        source.arrive()
        await room.time.until(task.done)
        assert phase_of(program) is P.READY

    run(body)


def test_nothing_is_fetched_where_docker_does_not_answer() -> None:
    async def body(room: Room) -> None:
        room.docker.leave()
        with pytest.raises(LoupeError):
            await room.does(room.program().start(room.source.spec))
        assert room.source.weighed == 0 and room.source.told is None

    run(body)


def test_no_image_is_fetched_for_a_model_that_cannot_be_had() -> None:
    async def body(room: Room) -> None:
        room.docker.images.clear()
        room.source.refuses = ModelError("hub.no_repo", repo="org/new")
        program = room.program()
        with pytest.raises(ModelError):
            await room.does(program.start(room.source.spec))
        assert program.state.phase is P.FAILED and program.state.error is room.source.refuses
        assert "compose pull" not in room.docker.calls

    run(body)


def test_what_does_not_fit_is_said_before_a_byte_is_fetched() -> None:
    async def body(room: Room) -> None:
        sizes: list[int] = []

        async def check(
            spec: LaunchSpec, info: DockerInfo, endpoint: Endpoint, coming: int
        ) -> Finding | None:
            sizes.append(coming)
            return Finding("memory_small")

        room.source.weights = 99
        with pytest.raises(NotStarted):
            await room.does(room.program(check=check).start(room.source.spec))
        assert sizes == [99] and room.source.told is None

    run(body)


def test_a_newer_wish_ends_the_download() -> None:
    async def body(room: Room) -> None:
        program, source = room.program(), room.source
        first = begin(program.start(source.spec))
        await room.time.until(lambda: source.told)
        await room.does(program.start(room.spec))
        assert first.cancelled() and source.cut == 1
        assert program.state.phase is P.READY and program.state.spec == room.spec

    run(body)


def test_the_end_of_the_program_ends_the_download() -> None:
    async def body(room: Room) -> None:
        program, source = room.program(), room.source
        task = begin(program.start(source.spec))
        await room.time.until(lambda: source.told)
        await room.does(program.close(leave=True))
        assert task.cancelled() and source.cut == 1 and not room.docker.boxes

    run(body)


def test_a_model_to_come_is_known_by_the_place_where_it_will_be(tmp_path: Path) -> None:
    folder = tmp_path / hub_folder("org/name", COMMIT)
    assert coming(folder, tmp_path)
    spec = spec_of_coming(Settings(vllm_port=8123), folder, {}, Doctor(device="gpu"))
    assert (spec.model, spec.revision, spec.folder) == ("org/name", COMMIT, str(folder))
    assert (spec.device, spec.port) == ("gpu", 8123)
    for other in ("built-in", "name", "org--name@main", ".partial"):
        assert not coming(tmp_path / other, tmp_path)
    assert not coming(folder, tmp_path / "elsewhere")
    folder.mkdir()
    assert not coming(folder, tmp_path)


# --- with the hub's files ---------------------------------------------------------------------------------


@pytest.fixture
def hub(home: Path, monkeypatch: pytest.MonkeyPatch) -> FakeHub:  # type: ignore[misc]
    with hub_of(monkeypatch, home) as made:
        made.files["model.safetensors"] = b"w" * 1_000_000
        made.stored = ("model.safetensors",)
        yield made


def spec_of(hub: FakeHub) -> LaunchSpec:
    return LaunchSpec(model=hub.repo, folder=str(models() / hub_folder(hub.repo, COMMIT)), revision=COMMIT)


def test_cut_off_it_is_paused_and_goes_on_from_its_bytes(hub: FakeHub) -> None:
    partial = partial_place(models(), hub.repo, COMMIT)

    async def body() -> None:
        downloads = Downloads(default_paths())
        half = asyncio.Event()
        hub.pace = 0.1

        def tell(state: DownloadState) -> None:
            if state.file == "model.safetensors" and state.file_done > 100_000:
                half.set()

        task = asyncio.create_task(fetch_model(downloads, hub.repo, COMMIT, tell))
        await half.wait()
        task.cancel()
        await asyncio.wait({task})
        assert task.cancelled() and downloads.pid is None
        listing = read_listing(partial)
        assert listing is not None and listing.wanted == "paused"
        there = (partial / "model.safetensors.part").stat().st_size
        hub.pace = 0.0
        await fetch_model(downloads, hub.repo, COMMIT, tell)
        await downloads.close()
        starts = [one.start for one in hub.requests if one.file == "model.safetensors" and one.sent]
        assert starts == [0, there] and is_ready(models() / hub_folder(hub.repo, COMMIT))

    asyncio.run(body())


def test_at_the_end_of_the_program_it_is_not_paused(hub: FakeHub) -> None:
    async def body() -> None:
        downloads = Downloads(default_paths())
        hub.hold = True
        task = asyncio.create_task(fetch_model(downloads, hub.repo, COMMIT, lambda _: None))
        await asyncio.to_thread(hub.wait_until_it_holds)
        await downloads.close()
        task.cancel()
        await asyncio.wait({task})
        listing = read_listing(partial_place(models(), hub.repo, COMMIT))
        assert listing is not None and listing.wanted == "fetch"

    asyncio.run(body())


def test_one_that_somebody_pauses_is_waited_for_and_one_that_is_cancelled_is_not(hub: FakeHub) -> None:
    async def body() -> None:
        downloads = Downloads(default_paths())
        told: list[DownloadState] = []
        hub.hold = True
        task = asyncio.create_task(fetch_model(downloads, hub.repo, COMMIT, told.append))
        await asyncio.to_thread(hub.wait_until_it_holds)
        await downloads.pause(hub.repo)
        assert told[-1].phase == "paused" and not task.done()
        await downloads.resume(hub.repo)
        assert told[-1].phase != "paused"
        await downloads.cancel(hub.repo)
        with pytest.raises(ModelError) as caught:
            await task
        assert caught.value.code == "hub.cancelled"
        await downloads.close()

    asyncio.run(body())


def test_a_source_says_what_is_known_before_the_download(hub: FakeHub) -> None:
    spec = spec_of(hub)
    asked: list[str] = []
    config = {"dtype": "float32"}  # and served in 16 bits
    model = HubModel(
        hub.repo, COMMIT, "llama", (), "llama", "", config=config, weights=Weights(246), whole=True
    )

    async def look(named: str) -> HubModel:
        asked.append(named)
        return model

    async def body() -> None:
        nonlocal model
        downloads = Downloads(default_paths())

        async def made() -> Downloads:
            return downloads

        source = HubSource(models(), made, look)
        assert source.lacks(spec) and await source.weigh(spec) == 123
        model = HubModel(hub.repo, COMMIT, "", (), "", "config", gated=True)
        with pytest.raises(ModelError) as caught:
            await source.weigh(spec)
        assert caught.value.code == "hub.gated"
        hub.hold = True
        task = asyncio.create_task(source.fetch(spec, lambda _: None))
        await asyncio.to_thread(hub.wait_until_it_holds)
        assert asked == [f"{hub.repo}@{COMMIT}"] * 2
        assert await source.weigh(spec) == 1_000_000 and len(asked) == 2  # its listing is on disk
        hub.release.set()
        assert await task == spec and not source.lacks(spec)
        await downloads.close()

    asyncio.run(body())
