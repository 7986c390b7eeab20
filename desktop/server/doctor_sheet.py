"""What was found about Docker on this computer, in a sheet of its own."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from core.server.finding import Fix
from core.server.launcher import Doctor
from desktop.kit.dialogs import Sheet
from desktop.kit.style import mark
from desktop.server.doctor_view import BESIDE, DoctorCard
from desktop.server.parts import label

_WIDTH = 640


class DoctorSheet(Sheet):
    """`fix_wanted` carries a Fix of the finding, `check_wanted`: ask anew. The Docker in use is named."""

    fix_wanted = Signal(object)
    check_wanted = Signal()

    def __init__(self, parent: QWidget, doctor: Doctor | None) -> None:
        super().__init__(parent, _WIDTH)
        self.set_title(self.tr("Docker on this computer"))
        self.card = DoctorCard(self, alone=True)
        self.card.fix_wanted.connect(self._fix)
        self.column.addWidget(self.card)
        self.endpoint = label(self, "small", "text2")
        self.column.addWidget(self.endpoint)
        self.again = QPushButton(self.tr("Check again"), self)
        self.close_button = QPushButton(self.tr("Close"), self)
        mark(self.close_button, kind="primary")
        self.again.clicked.connect(self._check)
        self.close_button.clicked.connect(self.accept)
        self.add_buttons(self.again, self.close_button)
        self.close_button.setDefault(True)
        self.set_doctor(doctor)

    def event(self, event: QEvent) -> bool:
        """What the card's parts need changes once more when they know their widths."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit()
        return done

    def _fix(self, fix: Fix) -> None:
        """A way that leads elsewhere leaves this sheet."""
        if fix.action in BESIDE:
            self.accept()
        self.fix_wanted.emit(fix)

    def _check(self) -> None:
        self.set_doctor(None)
        self.check_wanted.emit()

    def set_doctor(self, doctor: Doctor | None) -> None:
        """None while it is asked."""
        self.card.set_doctor(doctor)
        text = endpoint_text(doctor)
        self.endpoint.setText(self.tr("Docker in use: {where}").format(where=text) if text else "")
        self.endpoint.setVisible(bool(text))
        self.fit()


def endpoint_text(doctor: Doctor | None) -> str:
    """Which Docker is spoken to: its context and where it answers; "" if none is known."""
    if doctor is None or doctor.endpoint is None:
        return ""
    return " · ".join(part for part in (doctor.endpoint.context, doctor.endpoint.host) if part)
