"""The settings of vLLM in Docker: what the next start is, what it may take, and what comes of it at quit."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from core.server.versions import versions
from core.settings import Settings
from desktop.kit import fonts
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_8, SPACE_12
from desktop.settings.rows import Choice, Number, Row, Section

PORTS = (1024, 65535)
KV_GIB = (1, 1024)
PERCENT = (5, 100)  # of a GPU's memory


class RestartRow(QWidget):
    """Says when a changed value holds. `wanted`: its button, which is there while a server runs."""

    wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = QLabel(self)
        self.text.setWordWrap(True)
        mark(self.text, role="small", tone="text2")
        self.button = QPushButton(self)
        mark(self.button, size="small")
        self.button.clicked.connect(self.wanted)
        self._layout = QHBoxLayout(self)
        self._layout.addWidget(self.text, 1)
        self._layout.addWidget(self.button)
        self.fit()

    def fit(self) -> None:
        self._layout.setContentsMargins(0, fonts.px(SPACE_8), 0, 0)
        self._layout.setSpacing(fonts.px(SPACE_12))


class ServerSection(Section):
    """`chosen`: a field of the settings and its new value. `restart_wanted`, `doctor_wanted`: its buttons."""

    chosen = Signal(str, object)
    restart_wanted = Signal()
    doctor_wanted = Signal()

    def __init__(self) -> None:
        self.device = Choice(["auto", "gpu", "cpu"])
        self.version = Choice(["", *(one.version for one in versions()[1:])])
        self.kv = Number(*KV_GIB, suffix=" GiB")
        self.share = Number(*PERCENT, suffix=" %")
        self.port = Number(*PORTS)
        self.on_quit = Choice(["ask", "stop", "leave"])
        self.doctor = QPushButton()
        self.restart = RestartRow()
        self._rows = {
            name: Row(control)
            for name, control in (
                ("device", self.device),
                ("version", self.version),
                ("kv", self.kv),
                ("share", self.share),
                ("port", self.port),
                ("quit", self.on_quit),
                ("docker", self.doctor),
            )
        }
        super().__init__([*self._rows.values(), self.restart])
        self._alive = self._changed = False
        self._endpoint = ""
        for control, field in (
            (self.device, "vllm_device"),
            (self.version, "vllm_version"),
            (self.kv, "vllm_kv_gib"),
            (self.port, "vllm_port"),
            (self.on_quit, "on_quit"),
        ):
            control.chosen.connect(lambda value, name=field: self._choose(name, value))
        self.share.chosen.connect(lambda percent: self._choose("vllm_gpu_share", percent / 100))
        self.doctor.clicked.connect(self.doctor_wanted)
        self.restart.wanted.connect(self._restart)
        self._translate()

    def _choose(self, name: str, value: object) -> None:
        if name != "on_quit":
            self._changed = True
        self.chosen.emit(name, value)
        self._draw_restart()

    def _restart(self) -> None:
        self._changed = False
        self._draw_restart()
        self.restart_wanted.emit()

    def show_settings(self, settings: Settings) -> None:
        self.device.set_value(settings.vllm_device)
        self.version.set_value(settings.vllm_version)
        self.kv.set_value(settings.vllm_kv_gib)
        self.share.set_value(round(settings.vllm_gpu_share * 100))
        self.port.set_value(settings.vllm_port)
        self.on_quit.set_value(settings.on_quit)

    def set_alive(self, alive: bool) -> None:
        """A server of ours starts or runs, by what the settings said when it was started."""
        if not alive:
            self._changed = False
        self._alive = alive
        self._draw_restart()

    def set_endpoint(self, where: str) -> None:
        """The Docker in use, "" = none is known."""
        self._endpoint = where
        self._translate()

    def _draw_restart(self) -> None:
        running = self._alive and self._changed
        self.restart.button.setVisible(running)
        self.restart.text.setText(
            self.tr("The server that runs was started with other values. They hold from its next start.")
            if running
            else self.tr("A changed value holds from the next start.")
        )

    def fit(self) -> None:
        super().fit()
        self.restart.fit()

    def _translate(self) -> None:
        rows = self._rows
        self.set_text(self.tr("vLLM in Docker"))
        rows["device"].set_text(
            self.tr("Device"), self.tr("Automatic: the GPU where Docker can use one, else the CPU.")
        )
        self.device.set_texts([self.tr("Automatic"), "GPU", "CPU"])
        rows["version"].set_text(self.tr("Version"), self.tr("Another one gets its own container image."))
        default = self.tr("{version}, recommended").format(version=versions()[0].version)
        self.version.set_texts([default, *(one.version for one in versions()[1:])])
        rows["kv"].set_text(
            self.tr("KV cache"), self.tr("Memory for the tokens of all chats. More allows longer chats.")
        )
        rows["share"].set_text(
            self.tr("Share of the GPU"), self.tr("Of its whole memory, which must be free at the start.")
        )
        rows["port"].set_text(self.tr("Port"), self.tr("Where the server answers, on this computer only."))
        rows["quit"].set_text(self.tr("At quit"), self.tr("What becomes of a server that was started here."))
        self.on_quit.set_texts([self.tr("Ask"), self.tr("Stop the server"), self.tr("Leave it running")])
        where = self._endpoint or self.tr("Not found yet.")
        rows["docker"].set_text(self.tr("Docker in use"), where)
        self.doctor.setText(self.tr("Check Docker…"))
        self.doctor.setAccessibleName(self.tr("Check Docker…"))
        self.restart.button.setText(self.tr("Restart now"))
        self.restart.button.setToolTip(self.tr("Stops the server and starts it with these values"))
        self._draw_restart()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "_rows"):
            self._translate()
