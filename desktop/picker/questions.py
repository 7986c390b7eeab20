"""Two small sheets about one served model: where its files are, and the report that it is not supported."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from core import ISSUES_PAGE
from core.engines.vllm.choice import FROM_SERVER
from core.engines.vllm.files import is_hub_id
from desktop.kit.dialogs import Sheet, folder_dialog
from desktop.kit.style import mark
from desktop.picker.served import report_text, report_title, report_url

_REPORT_WIDTH = 480


class HubSheet(Sheet):
    """Asks which model of the hub a served one is. `chosen`: `org/name` or `org/name@revision`."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget, model: str, known: str = "") -> None:
        super().__init__(parent)
        self.set_title(self.tr("Which model of the hub is it?"))
        words = self.tr(
            "The server calls it {model}. Its tokenizer and template are needed here. They are small; the "
            "weights are not fetched."
        )
        self.add_text(words.format(model=model), "body", "text2")
        self.edit = QLineEdit(known, self)
        self.edit.setPlaceholderText("org/name")
        self.edit.setAccessibleName(self.tr("Hub id"))
        self.edit.setToolTip(self.tr("org/name, or org/name@revision for a certain commit"))
        self.edit.textChanged.connect(self._changed)
        self.column.addWidget(self.edit)
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.use = QPushButton(self.tr("Use this model"), self)
        mark(self.use, kind="primary")
        self.cancel.clicked.connect(self.reject)
        self.use.clicked.connect(self._use)
        self.add_buttons(self.cancel, self.use)
        self.use.setDefault(True)
        self._changed()
        self.edit.setFocus()

    def _changed(self) -> None:
        name, at, revision = self.edit.text().strip().partition("@")
        self.use.setEnabled(is_hub_id(name) and bool(revision) == bool(at))

    def _use(self) -> None:
        self.chosen.emit(self.edit.text().strip())
        self.accept()


class ReportSheet(Sheet):
    """Shows the report word for word, to copy, or before a browser opens its page where there is one."""

    def __init__(self, parent: QWidget, model: str, model_type: str, page: str = ISSUES_PAGE) -> None:
        super().__init__(parent, _REPORT_WIDTH)
        self.set_title(self.tr("Report this model"))
        self._url = report_url(model, model_type, page)
        self._text = f"{report_title(model, model_type)}\n\n{report_text(model, model_type)}"
        opens = self.tr(
            "A page opens in your browser with the text below. Nothing is sent before you send it there. The "
            "address of your server is not in it."
        )
        copied = self.tr("To send to whoever gave you this program. The address of your server is not in it.")
        self.add_text(opens if self._url else copied, "body", "text2")
        self.text = self.add_text(self._text.strip(), "mono_small")
        broken = re.sub(r"([&+?=]|%0A)", "\\1\u200b", self._url)  # a label breaks lines between words only
        self.address = self.add_text(broken, "mono_small", "text3")
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.copy = QPushButton(self.tr("Copy the text"), self)
        self.open_page = QPushButton(self.tr("Open the page"), self)
        self.open_page.setVisible(bool(self._url))
        self.address.setVisible(bool(self._url))
        first = self.open_page if self._url else self.copy
        mark(first, kind="primary")
        self.cancel.clicked.connect(self.reject)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._text))
        self.open_page.clicked.connect(self._open)
        self.add_buttons(self.cancel, self.copy, self.open_page)
        first.setDefault(True)
        first.setFocus()

    def _open(self) -> None:
        QDesktopServices.openUrl(QUrl(self._url, QUrl.ParsingMode.StrictMode))
        self.accept()


def ask_folder(window: QWidget, title: str, known: Sequence[str], chosen: Callable[[str], object]) -> None:
    """`known`: folders of before; the dialog begins beside the last one."""
    dialog = folder_dialog(window, title, Path(known[0]).parent if known else None)
    dialog.fileSelected.connect(chosen)
    dialog.open()


def ask_hub(window: QWidget, model: str, known: str, chosen: Callable[[str], object]) -> None:
    """`known`: where the files of this served model came from before."""
    hub_id = "" if known == FROM_SERVER or Path(known).is_absolute() else known
    sheet = HubSheet(window, model, hub_id)
    sheet.chosen.connect(chosen)
    sheet.open()
