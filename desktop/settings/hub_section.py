"""The settings of the hub: offline, where it is and how it is reached, its token, and who was asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from core.models.hub_address import hub_of, normal_endpoint, normal_proxy
from core.settings import Settings
from desktop.kit import fonts
from desktop.kit.errors_text import joined
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_8
from desktop.kit.toggle import Toggle
from desktop.settings.rows import Number, Row, Section
from desktop.settings.text_row import TextRow

SECONDS: Final = (1, 3600)
FIELDS: Final = ("offline", "endpoint", "token", "proxy", "seconds")  # what `focus_on` knows


@dataclass(frozen=True, slots=True)
class TokenSeen:
    """Of the hub in use, never the token itself. `kept`: in the keyring. `here`: for this run only, since
    `problem` (a sentence). `variable`: the environment's, which comes first; `other`: one of the environment
    that is for `other_hub` and therefore not sent."""

    kept: bool = False
    here: bool = False
    problem: str = ""
    variable: str = ""
    other: str = ""
    other_hub: str = ""


class TokenButtons(QWidget):
    """Enter or replace it, and remove it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.remove, self.enter = QPushButton(self), QPushButton(self)
        mark(self.remove, kind="danger", size="small")
        mark(self.enter, size="small")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.addWidget(self.remove)
        self._row.addWidget(self.enter)

    def fit(self) -> None:
        self._row.setSpacing(fonts.px(SPACE_8))


class HubSection(Section):
    """`chosen`: a field of the settings and its new value. `token_wanted`, `token_removed`, `hosts_wanted`:
    its buttons."""

    chosen = Signal(str, object)
    token_wanted = Signal()
    token_removed = Signal()
    hosts_wanted = Signal()

    def __init__(self) -> None:
        self.offline = Toggle()
        self.endpoint, self.proxy = TextRow(normal_endpoint), TextRow(normal_proxy)
        self.token = TokenButtons()
        self.seconds = Number(*SECONDS, suffix=" s")
        self.hosts = QPushButton()
        mark(self.hosts, size="small")
        self._note = QLabel()
        self._note.setTextFormat(Qt.TextFormat.PlainText)
        self._note.setWordWrap(True)
        mark(self._note, role="small", tone="text2")
        self._rows: dict[str, Row] = {
            "offline": Row(self.offline),
            "endpoint": self.endpoint,
            "token": Row(self.token),
            "proxy": self.proxy,
            "seconds": Row(self.seconds),
            "hosts": Row(self.hosts),
        }
        super().__init__([*self._rows.values(), self._note])
        self._endpoint = ""
        self._seen: TokenSeen | None = None
        self.offline.clicked.connect(lambda on: self.chosen.emit("offline", on))
        self.endpoint.chosen.connect(lambda value: self.chosen.emit("hub_endpoint", value))
        self.proxy.chosen.connect(lambda value: self.chosen.emit("hub_proxy", value))
        self.seconds.chosen.connect(lambda value: self.chosen.emit("hub_seconds", value))
        self.token.enter.clicked.connect(self.token_wanted)
        self.token.remove.clicked.connect(self.token_removed)
        self.hosts.clicked.connect(self.hosts_wanted)
        self._translate()

    def show_settings(self, settings: Settings, *, anew: bool = False) -> None:
        """`anew`: what was typed and refused goes, too."""
        self.offline.setChecked(settings.offline)
        self.endpoint.set_value(settings.hub_endpoint, anew=anew)
        self.proxy.set_value(settings.hub_proxy, anew=anew)
        self.seconds.set_value(settings.hub_seconds)
        if settings.hub_endpoint != self._endpoint:
            self._endpoint = settings.hub_endpoint
            self._seen = None  # another hub has another token
            self._translate()

    def set_token(self, seen: TokenSeen) -> None:
        """What is known of the token of the hub in use."""
        self._seen = seen
        self._translate_token()

    def control(self, field: str) -> QWidget:
        """What stands for one of FIELDS: where an error's next step leads."""
        return {
            "endpoint": self.endpoint.field,
            "proxy": self.proxy.field,
            "token": self.token.enter,
            "seconds": self.seconds,
        }.get(field, self.offline)

    def fit(self) -> None:
        super().fit()
        self.token.fit()
        self._note.setContentsMargins(0, fonts.px(SPACE_8), 0, 0)

    # --- words -------------------------------------------------------------------------------------------

    def _translate(self) -> None:
        rows = self._rows
        self.set_text(self.tr("Models and network"))
        rows["offline"].set_text(
            self.tr("Offline"),
            self.tr("Nothing is searched or downloaded from another computer, and no server there is asked."),
        )
        rows["endpoint"].set_text(self.tr("Address of the hub"), self._endpoint_note())
        self.endpoint.field.setPlaceholderText(hub_of())
        rows["proxy"].set_text(
            self.tr("Proxy"), self.tr("On the way to the hub. Empty: HTTPS_PROXY, where it is set.")
        )
        self.proxy.field.setPlaceholderText("http://proxy.example:3128")
        rows["seconds"].set_text(
            self.tr("Time-out"),
            self.tr("Where no byte comes for so long, a search is given up and a download begun again."),
        )
        rows["hosts"].set_text(
            self.tr("Hosts contacted"),
            self.tr("Which computers were asked for models, packages and images, when and why."),
        )
        self.hosts.setText(self.tr("Show"))
        self.hosts.setAccessibleName(self.tr("Show the hosts contacted"))
        self._note.setText(
            self.tr("A changed value holds from the next request on. A download that runs goes on with it.")
        )
        self._translate_token()

    def _endpoint_note(self) -> str:
        note = self.tr("Of a mirror, for instance. Empty: {address}").format(address=hub_of())
        parts = urlsplit(hub_of(self._endpoint))
        if parts.scheme == "http" and not _is_here(parts.hostname or ""):
            plain = self.tr("Without https others on the way can read what is sent, a token too.")
            return f"{note}\n{plain}"
        return note

    def _translate_token(self) -> None:
        seen, host = self._seen, urlsplit(hub_of(self._endpoint)).netloc
        there = seen is not None and (seen.kept or seen.here)
        title = self.tr("Token for {host}").format(host=host)
        self._rows["token"].set_text(title, self._token_note(seen, host))
        self.token.enter.setText(self.tr("Replace…") if there else self.tr("Enter…"))
        enter = self.tr("Replace the token") if there else self.tr("Enter a token")
        self.token.enter.setAccessibleName(enter)
        self.token.remove.setText(self.tr("Remove"))
        self.token.remove.setAccessibleName(self.tr("Remove the token"))
        self.token.remove.setVisible(there)

    def _token_note(self, seen: TokenSeen | None, host: str) -> str:
        if seen is None:
            return ""
        only = self.tr("It is sent to {host} alone.").format(host=host)
        if seen.variable:
            first = self.tr("Set: {variable} of the environment, which comes before one entered here.")
            return joined(first.format(variable=seen.variable), only)
        if seen.here:
            return joined(self.tr("Set until you quit."), seen.problem, only)
        if seen.kept:
            return joined(self.tr("Set, in the keyring of this computer."), only)
        note = joined(
            seen.problem,
            self.tr("Not set. Models whose makers ask who uses them, and private ones, need it."),
        )
        if seen.other:
            other = self.tr("{variable} of the environment is for {host} and not sent to this one.")
            note = joined(note, other.format(variable=seen.other, host=seen.other_hub))
        return note

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "_seen"):
            self._translate()


def _is_here(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")
