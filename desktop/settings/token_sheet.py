"""The sheet that takes a token of the hub: what it is for, where one is made, and where it is kept."""

from __future__ import annotations

from urllib.parse import urlsplit

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from core.errors import SettingsError
from core.models.hub_address import normal_token
from desktop.kit import accessible
from desktop.kit.dialogs import Sheet
from desktop.kit.elided import plain_tip
from desktop.kit.errors_text import describe, joined
from desktop.kit.style import mark


class TokenSheet(Sheet):
    """`given`: a token that looks like one. It is in no file and no log, and leaves the sheet only so."""

    given = Signal(str)

    def __init__(self, parent: QWidget, hub: str) -> None:
        """`hub`: its address."""
        super().__init__(parent)
        host = urlsplit(hub).netloc
        self._page = f"{hub}/settings/tokens"
        self.set_title(self.tr("Token for {host}").format(host=host))
        words = self.tr(
            "Made on your account's page there; the right to read is enough. It is kept in the keyring of "
            "this computer and sent to {host} alone."
        )
        self.add_text(words.format(host=host), "body", "text2")
        self.edit = QLineEdit(self)
        self.edit.setEchoMode(QLineEdit.EchoMode.Password)
        self.edit.setPlaceholderText("hf_…")
        self.edit.setAccessibleName(self.tr("Token"))
        self.edit.textChanged.connect(self._changed)
        self.column.addWidget(self.edit)
        self.problem = self.add_text("", "small", "err")
        self.problem.hide()
        self.page = QPushButton(self.tr("Open the page"), self)
        self.page.setToolTip(plain_tip(self._page))
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.keep = QPushButton(self.tr("Keep the token"), self)
        mark(self.keep, kind="primary")
        self.page.clicked.connect(lambda: QDesktopServices.openUrl(QUrl(self._page)))
        self.cancel.clicked.connect(self.reject)
        self.keep.clicked.connect(self._keep)
        self.add_buttons(self.cancel, self.keep, left=self.page)
        self.keep.setDefault(True)
        self._changed()
        self.edit.setFocus()

    def _changed(self) -> None:
        self.keep.setEnabled(bool(self.edit.text().strip()))
        self.problem.hide()
        self.fit()

    def _keep(self) -> None:
        try:
            token = normal_token(self.edit.text())
        except SettingsError as error:
            text = describe(error)
            self.problem.setText(joined(text.what, text.why, text.next))
            self.problem.show()
            accessible.announce(self.edit, self.problem.text())
            self.fit()
            return
        self.edit.clear()
        self.given.emit(token)
        self.accept()
