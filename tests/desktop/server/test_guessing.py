"""The switch of guessing ahead: where it can be switched, what it does, and why it cannot."""

from __future__ import annotations

from typing import Any

from core.errors import ModelError
from core.server.choose import Speculation
from core.server.spec import Device
from desktop.sampling.guessing import GuessRow
from desktop.server.guessing import GuessPresenter
from tests.fakes.chat_desk import ChatDesk, play
from tests.fakes.launch_desk import LaunchDesk

Run = Any
CAN = Speculation('{"method": "mtp"}')


class GuessDesk(LaunchDesk):
    """`known`: what is right for a model on the GPU."""

    def __init__(self, *scripts: list[object], known: Speculation = CAN, **how: Any) -> None:
        super().__init__(*scripts, **how)
        self.known, self.asked, self.broken = known, list[tuple[str, Device]](), False
        self.row = GuessRow()
        self.guessing = GuessPresenter(
            self.parent, self.row, self.launch, self.settings, self.scope, self._guesses
        )
        self.row.chosen.connect(self.guessing.chosen)
        self.guessing.restart_wanted.connect(self.engines.open_own)

    async def _guesses(self, model: str, device: Device) -> Speculation:
        self.asked.append((model, device))
        if self.broken:
            raise ModelError("model.not_found", folder=model)
        return self.known if device == "gpu" else Speculation(why="device")

    async def close(self) -> None:
        self.row.deleteLater()
        await super().close()


def run(run_qt: Run, steps: Any, **how: Any) -> None:
    async def typed(desk: ChatDesk) -> None:
        assert isinstance(desk, GuessDesk)
        desk.engines.start()
        desk.settings.update(vllm_device="gpu")
        await desk.rest()
        await steps(desk)

    play(run_qt, typed, make=GuessDesk, **how)


def test_switching_it_restarts_a_server_that_runs(run_qt: Run) -> None:
    async def steps(desk: GuessDesk) -> None:
        assert not desk.row.isHidden() and desk.row.toggle.isEnabled() and desk.row.toggle.isChecked()
        assert "next start" in desk.row.note.text()
        desk.row.toggle.click()
        await desk.rest()
        assert not desk.settings.value.speculation and desk.launcher.specs == []
        desk.bar.action.emit("start")
        await desk.rest()
        assert "restarts the server" in desk.row.note.text()
        desk.row.toggle.click()
        await desk.rest()
        assert desk.settings.value.speculation and len(desk.launcher.specs) == 2

    run(run_qt, steps)


def test_where_it_cannot_be_it_says_why(run_qt: Run) -> None:
    async def steps(desk: GuessDesk) -> None:
        assert not desk.row.toggle.isEnabled() and "org/drafter" in desk.row.note.text()
        desk.settings.update(vllm_device="cpu")
        await desk.rest()
        assert not desk.row.toggle.isChecked() and "CPU" in desk.row.note.text()
        desk.engines.use("")
        await desk.rest()
        assert desk.row.isHidden()

    run(run_qt, steps, known=Speculation(why="drafter", missing="org/drafter"))


def test_it_is_asked_once_for_a_model_and_a_device(run_qt: Run) -> None:
    async def steps(desk: GuessDesk) -> None:
        desk.settings.update(zoom=110)
        desk.settings.update(zoom=100)
        desk.broken = True
        desk.engines.choose("/models/other")
        await desk.rest()
        assert desk.asked == [("built-in", "gpu"), ("/models/other", "gpu")]
        assert not desk.row.toggle.isEnabled()

    run(run_qt, steps)
