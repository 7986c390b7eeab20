"""The scenes of a server's start: timeline, diagnosis, first run and what is asked, from values made up here.

Each widget stands in a page of its own, as wide as the window's centre.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.server.access import Check
from core.server.finding import Collision, Finding, Fix, Part, Value
from core.server.launcher import Doctor
from core.server.spec import GIB, LaunchSpec
from core.server.state import STARTING, ServerPhase, ServerState, Step, StepStatus
from desktop.kit.style import mark
from desktop.server.diagnosis import DiagnosisCard
from desktop.server.doctor_view import ModelRow
from desktop.server.first_run import WIDTH as FIRST_RUN
from desktop.server.first_run import FirstRun
from desktop.server.parts import Page
from desktop.server.sheets import FoundBanner, QuitSheet
from desktop.server.stopped import StoppedBar
from desktop.server.timeline import Timeline
from tests.shots.stage import ALL, BOTH, LIGHT, Stage

MODEL: Final = "Qwen3.5 0.8B"
WIDE: Final = 1055  # the centre beside the conversations, at 1280
COLUMN: Final = 950
SPEC: Final = LaunchSpec(model="Qwen/Qwen3.5-0.8B", folder="/home/ana/models/qwen", device="gpu")
NOTES: Final[dict[ServerPhase, tuple[str, dict[str, Value]]]] = {
    ServerPhase.CHECKING: ("docker", {"version": "29.1.3", "device": "GPU"}),
    ServerPhase.IMAGE: ("image_here", {}),
    ServerPhase.WEIGHTS: ("weights_here", {"size": 1.77}),
    ServerPhase.CREATING: ("config", {"architecture": "Qwen3_5ForConditionalGeneration"}),
    ServerPhase.LOADING: ("loaded_memory", {"gib": 1.72, "seconds": 9.4}),
    ServerPhase.COMPILING: ("compile_cold", {}),
    ServerPhase.WARMING: ("kv_cache", {"tokens": 182_144}),
    ServerPhase.ASKING: ("probe", {}),
}
TOOK: Final = (0.6, 0.2, 1.9, 11.5, 9.4, 68.0, 16.0, 3.0)


def start(at: ServerPhase, spent: float, *, earlier: int = 0, done: int = 0, total: int = 0) -> ServerState:
    """A start that is at this step for `spent` seconds; it began at 0 of the clock."""
    steps, began = [], 0.0
    here = STARTING.index(at)
    for place, (phase, took) in enumerate(zip(STARTING, TOOK, strict=True)):
        note, params = NOTES[phase]
        estimate = took if earlier else None
        if place < here:
            steps.append(Step(phase, StepStatus.DONE, began, took, estimate, note, params))
            began += took
        elif place == here:
            if total:
                note, params = "image_pull", {}
            steps.append(Step(phase, StepStatus.RUNNING, began, spent, estimate, note, params, done, total))
        else:
            steps.append(Step(phase, estimate=estimate))
    return ServerState(phase=at, spec=SPEC, steps=tuple(steps), began=0.0, earlier=earlier, last_line_at=None)


def now(state: ServerState) -> float:
    step = state.running
    return 0.0 if step is None else (step.began or 0.0) + (step.seconds or 0.0)


def gpu_memory() -> Finding:
    taken = (Part("python3", 4.70 * GIB), Part("Xorg", 0.46 * GIB), Part("gpu_rest", 0.59 * GIB))
    return Finding(
        "gpu_memory",
        {"asked": 14.34, "free": 9.84, "percent": 92},
        line="ValueError: Free memory on device cuda:0 (9.84/15.59 GiB) on startup is less than desired GPU "
        "memory utilization (0.92, 14.34 GiB). Decrease GPU memory utilization or reduce GPU memory used by "
        "other processes.",
        collision=Collision("gpu", "bytes", 14.34 * GIB, 9.84 * GIB, 15.59 * GIB, "NVIDIA RTX 4080", taken),
        fixes=(
            Fix("share", "start", {"percent": 60, "asked": 9.35, "total": 15.59, "free": 9.84}),
            Fix("free_gpu_of", "check", {"name": "python3", "pid": 4121, "held": 4.70}),
            Fix("cpu", "start"),
        ),
        logged=True,
    )


def gpu_oom() -> Finding:
    taken = (Part("server", 9.50 * GIB), Part("python3", 4.70 * GIB), Part("gpu_rest", 0.45 * GIB))
    return Finding(
        "gpu_oom",
        line="torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.16 GiB. GPU 0 has a total "
        "capacity of 15.59 GiB of which 960.50 MiB is free.",
        collision=Collision("gpu", "bytes", 1.16 * GIB, 0.94 * GIB, 15.59 * GIB, "NVIDIA RTX 4080", taken),
        fixes=(Fix("free_gpu_of", "check", {"name": "python3", "pid": 4121, "held": 4.70}),),
        logged=True,
    )


def findings() -> dict[str, Finding]:
    return {
        "gpu": gpu_memory(),
        "gpu-oom": gpu_oom(),
        "port": Finding(
            "port_taken",
            {"port": 8000},
            line="Error response from daemon: failed to set up container networking: driver failed "
            "programming external connectivity: failed to bind host port 127.0.0.1:8000/tcp: "
            "address already in use",
            collision=Collision("port", "port", 8000, 0, None, "python3 (pid 4121)"),
            fixes=(Fix("port", "start", {"port": 8001}), Fix("check_again", "check")),
        ),
        "tokens": Finding(
            "kv_tokens",
            {"asked": 262_144, "free": 87_376},
            line="ValueError: The model's max seq len (262144) is larger than the maximum number of tokens "
            "that can be stored in KV cache (87376).",
            collision=Collision("kv_cache", "tokens", 262_144, 87_376),
            fixes=(
                Fix("context", "start", {"context": 87_376}),
                Fix("kv_more", "start", {"now": 2.0, "then": 6.0}),
            ),
            logged=True,
        ),
        "unknown": Finding(
            "unknown",
            line="(EngineCore pid=77) ERROR 11-29 14:40:31 [core.py:1098] EngineCore failed to start.\n"
            "Traceback (most recent call last):\n"
            '  File "/usr/local/lib/python3.12/dist-packages/vllm/v1/engine/core.py", line 1089, in run\n'
            "    engine_core = EngineCoreProc(*args, **kwargs)\n"
            "RuntimeError: something that nobody has seen before",
            fixes=(Fix("eager", "start"), Fix("retry", "start")),
            logged=True,
        ),
    }


def _doctor(code: str, fixes: tuple[Fix, ...], **params: Any) -> Doctor:
    checks = (
        Check("docker", "err", code, params),
        Check("gpu", "ok", "gpu", {"name": "NVIDIA RTX 4080", "driver": "575.57.08"}),
        Check("disk", "warn", "disk_low", {"free": 9.4, "needed": 14.0}),
    )
    return Doctor(checks, Finding(code, params, fixes=fixes))


def doctors() -> dict[str, Doctor | None]:
    again = Fix("check_again", "check")
    command = {"command": "sudo systemctl start docker"}
    stopped = (Fix("start_docker", "start_docker"), Fix("start_docker_command", "copy", command), again)
    group = {"command": "sudo usermod -aG docker $USER"}
    fine = (
        Check("docker", "ok", "docker", {"version": "29.1.3", "system": "Debian GNU/Linux 13"}),
        Check("compose", "ok", "compose", {"version": "2.40.3"}),
        Check("gpu", "ok", "gpu", {"name": "NVIDIA RTX 4080", "driver": "580.65.06"}),
        Check(
            "gpu_memory",
            "ok",
            "gpu_memory_held",
            {"gpu": "", "free": 9.84, "total": 15.99, "name": "python3", "pid": 4121, "held": 4.70},
        ),
        Check("memory", "ok", "memory", {"total": 31.2}),
        Check("disk", "unknown", "disk_unknown"),
        Check("port", "err", "port_process", {"port": 8000, "name": "python3", "pid": 4121}),
    )
    return {
        "looking": None,
        "stopped": _doctor("docker_stopped", stopped),
        "missing": _doctor("docker_missing", (Fix("install_docker", "open"), again)),
        "forbidden": _doctor("docker_forbidden", (Fix("group", "copy", group), again)),
        "no-compose": _doctor("docker_no_compose", (Fix("compose_plugin", "open"), again)),
        "remote": _doctor(
            "docker_remote",
            (Fix("local_context", "copy", {"command": "docker context use default"}), again),
            host="ssh://ana@build",
        ),
        "starting": _doctor("docker_starting", (again,)),
        "fine": Doctor(fine),
    }


class Launching(Stage):
    """Pictures of the widgets alone; nothing of the program's own state is changed but its theme."""

    SCENES: Final = ("timeline", "diagnosis", "first_run", "asking")

    async def page(
        self,
        name: str,
        content: Any,
        height: int,
        themes: tuple[str, ...] = BOTH,
        width: int = WIDE,
        column: int = COLUMN,
    ) -> None:
        """One picture a theme of a page with this content."""
        host = QWidget()
        mark(host, ground="surface")
        layout = QVBoxLayout(host)
        layout.setContentsMargins(0, 0, 0, 0)
        page = Page(content, column, host)
        layout.addWidget(page)
        host.resize(width, height)
        host.show()
        host.setFocus()
        for theme in themes:
            self.app.settings.update(theme=theme)
            page.set_theme(self.app.appearance.theme)
            await self.settle()
            path = self.folder / f"{name}-{theme}-{self.ending}.png"
            if not host.grab().save(str(path)):
                raise OSError(f"cannot write {path}")
        host.hide()
        host.deleteLater()

    async def timeline(self) -> None:
        P = ServerPhase
        pull = start(P.IMAGE, 83.0, done=3_412_000_000, total=8_915_000_000)
        quiet = start(P.COMPILING, 41.0, earlier=4)
        scenes: dict[str, tuple[ServerState, float | None, tuple[str, ...], int]] = {
            "first": (start(P.LOADING, 7.4), 3.0, BOTH, WIDE),
            "usual": (quiet, 8.0, ALL, WIDE),
            "quiet": (quiet, 34.0, LIGHT, WIDE),
            "late": (start(P.COMPILING, 131.0, earlier=4), 34.0, BOTH, WIDE),
            "pulling": (pull, None, BOTH, WIDE),
            "narrow": (quiet, 8.0, LIGHT, 640),
        }
        for name, (state, age, themes, width) in scenes.items():
            await self._timeline(name, state, age, themes, width)

    async def _timeline(
        self, name: str, state: ServerState, age: float | None, themes: tuple[str, ...], width: int
    ) -> None:
        time = now(state)
        if age is not None:
            state = msgspec.structs.replace(state, last_line_at=time - age)
        made = Timeline(clock=lambda: time)
        made.set_reduce_motion(True)
        made.set_state(state, MODEL)
        made.steps.set_turn(0.7)
        await self.page(f"start-{name}", made, 440, themes, width)

    async def diagnosis(self) -> None:
        for name, finding in findings().items():
            made = DiagnosisCard()
            made.set_finding(finding)
            await self.page(f"diagnosis-{name}", made, 560, ALL if name == "gpu" else BOTH)
        made = DiagnosisCard()
        made.set_finding(gpu_memory())
        await self.page("diagnosis-narrow", made, 720, LIGHT, 560)

    async def first_run(self) -> None:
        for name, doctor in doctors().items():
            made = FirstRun()
            made.set_built_in("SmolLM2 135M Instruct", 93_000_000)
            made.set_doctor(doctor)
            made.set_model(ModelRow(MODEL, self._note()))
            themes = ALL if name == "stopped" else BOTH if name == "fine" else LIGHT
            await self.page(f"first-run-{name}", made, 720, themes, 1280, FIRST_RUN)
        made = FirstRun()
        made.set_built_in("SmolLM2 135M Instruct", 93_000_000)
        made.set_doctor(doctors()["stopped"])
        made.set_model(ModelRow(MODEL, self._note()))
        await self.page("first-run-narrow", made, 760, LIGHT, 500, FIRST_RUN)

    @staticmethod
    def _note() -> str:
        return "1.77 GB · bf16 · 2fc0636"

    async def asking(self) -> None:
        sheet = QuitSheet(self.window, MODEL)
        sheet.open()
        await self.shoot("quit", ALL)
        sheet.reject()
        await self.settle()
        for name, tell in self._banners().items():
            await self.page(f"found-{name}", tell(), 120, BOTH, WIDE, 684)
        bar = StoppedBar()
        bar.set_model(MODEL)
        await self.page("stopped-server", bar, 100, BOTH, WIDE, 684)

    @staticmethod
    def _banners() -> dict[str, Callable[[], FoundBanner]]:
        def running() -> FoundBanner:
            made = FoundBanner()
            made.show_running(MODEL)
            return made

        def left() -> FoundBanner:
            made = FoundBanner()
            made.show_left_over(MODEL)
            return made

        return {"running": running, "left-over": left}
