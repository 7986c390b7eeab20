"""What a start needs on this computer, brought or held against what it should be: the image, the weights."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from core.errors import ModelError
from core.models.ledger import Ledger, Permit
from core.models.manifest import Manifest, ManifestFile, write_manifest
from core.server.access import Ended
from core.server.spec import Device
from core.server.state import ServerPhase, StepStatus
from core.server.tools import NotStarted
from core.server.versions import version_of
from tests.fakes.server_room import Room, run

P = ServerPhase
BUILD = Path(__file__).parents[2] / "cases" / "progress" / "compose-5.6.1-build.txt"


def test_an_image_is_pulled_again_where_it_breaks_off_and_its_bytes_never_go_back() -> None:
    """D10."""

    async def body(room: Room) -> None:
        room.docker.images.clear()
        room.docker.pulls = [Ended(1, err="unexpected EOF"), Ended(1, err="read: connection reset by peer")]
        program = room.program()
        amounts: list[int] = []
        notes: list[tuple[str, object]] = []

        def note(state: object) -> None:
            step = program.state.steps[1] if program.state.steps else None
            if step is not None and step.status is StepStatus.RUNNING:
                amounts.append(step.done)
                notes.append((step.note, step.params.get("number")))

        program.state_changed.connect(note)
        await room.does(program.start(room.spec))
        assert ("image_again", 2) in notes and ("image_again", 3) in notes
        assert amounts == sorted(amounts) and amounts[-1] > 0
        assert room.docker.calls.count("compose pull") == 3
        assert room.time.now >= 7

    run(body)


def test_offline_no_image_is_pulled_and_the_error_says_so() -> None:
    async def body(room: Room) -> None:
        ledger = Ledger(room.paths.data)
        offline = True
        room.permit = Permit(ledger, lambda: offline)
        room.docker.images.clear()
        program = room.program()
        with pytest.raises(ModelError) as caught:
            await room.does(program.start(room.spec))
        assert (caught.value.code, caught.value.params["host"]) == ("hub.switched_off", "docker.io")
        assert program.state.phase is P.FAILED and program.state.error is caught.value
        assert room.docker.calls.count("compose pull") == 0 and ledger.rows() == ()
        offline = False
        await room.does(program.start(room.spec))
        assert program.state.phase is P.READY
        ((host, why),) = {(row.host, row.why) for row in ledger.rows()}
        assert host == "docker.io" and why.startswith("image vllm/")

    run(body)


def test_an_image_that_is_here_needs_no_permission() -> None:
    async def body(room: Room) -> None:
        room.permit = Permit(None, lambda: True)
        program = room.program()
        await room.does(program.start(room.spec))
        assert program.state.phase is P.READY

    run(body)


def test_an_image_that_is_not_there_is_no_reason_to_try_again() -> None:
    async def body(room: Room) -> None:
        room.docker.images.clear()
        room.docker.pulls = [Ended(1, err="manifest for some/image:1 not found: manifest unknown")]
        program = room.program()
        with pytest.raises(NotStarted):
            await room.does(program.start(room.spec))
        assert room.docker.calls.count("compose pull") == 1
        assert program.state.phase is P.FAILED and program.state.finding is not None
        assert program.state.finding.code == "tag_missing"

    run(body)


@pytest.mark.parametrize("device", ["cpu", "gpu"])
def test_an_image_for_another_processor_is_replaced_by_the_right_one(device: Device) -> None:
    async def body(room: Room) -> None:
        spec = msgspec.structs.replace(room.spec, device=device)
        image = version_of(spec.version).on(device)
        room.docker.foreign = {image.image, image.download}
        program = room.program()
        await room.does(program.start(spec))
        assert program.state.phase is P.READY
        assert room.docker.calls.count("compose pull") == 1
        await room.does(program.stop())
        await room.does(program.start(spec))
        assert room.docker.calls.count("compose pull") == 1  # it is here now

    run(body)


def test_what_is_built_is_built_from_the_right_image_that_is_here() -> None:
    async def body(room: Room) -> None:
        room.docker.foreign = {version_of(room.spec.version).cpu.image}
        program = room.program()
        await room.does(program.start(room.spec))
        assert "compose pull" not in room.docker.calls and "compose build" in room.docker.calls

    run(body)


def test_a_build_that_fails_stands_in_log_record_and_report_and_says_why() -> None:
    steps, _, failed = BUILD.read_text().rstrip().rpartition("\n")

    async def body(room: Room) -> None:
        room.docker.images.clear()
        room.docker.pulls = [Ended(0), Ended(1, out=steps, err=f"{failed}\nHF_TOKEN=hf_{'a' * 34}")]
        program = room.program()
        lines: list[str] = []
        program.log.connect(lambda pieces: lines.extend(piece.text for piece in pieces))
        with pytest.raises(NotStarted):
            await room.does(program.start(room.spec))
        finding = program.state.finding
        assert finding is not None and finding.code == "build_failed" and finding.logged
        why, which = finding.line.splitlines()
        assert why == "oops quoted" and which.startswith("#6 ERROR: process")
        said = "#6 0.217 oops quoted"
        assert said in lines and said in program.report()
        assert said in list(program._tools.launches.log(program.state.launch))
        assert lines[-1] == "HF_TOKEN=[hidden]"
        await room.does(program.start(room.other))
        assert said not in program.report(), "it is of another start"

    run(body)


def test_weights_are_held_against_their_manifest() -> None:
    async def body(room: Room) -> None:
        files = (ManifestFile("model.safetensors", 11, "0" * 64),)
        write_manifest(Path(room.spec.folder), Manifest("r1", files))
        program = room.program()
        with pytest.raises(ModelError, match="damaged"):
            await room.does(program.start(room.spec))
        assert program.state.phase is P.FAILED and program.state.error is not None
        assert "compose up" not in room.docker.calls

    run(body)
