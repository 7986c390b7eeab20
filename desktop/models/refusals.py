"""What is not fetched as it is: a model's own program code, and weights that can hide some. Their sheets."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Final

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices, QFontMetrics
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QWidget

from core.models.download import Downloads
from core.models.search import HubModel
from desktop.kit import fonts
from desktop.kit.dialogs import Sheet
from desktop.kit.elided import plain_tip
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_16
from desktop.models import words
from desktop.models.hub_look import HubLook
from desktop.models.shelf import Entry

_WIDTH: Final = 520  # px, at zoom 100 %
_LINES: Final = 8  # of the list of files; it scrolls


class _RefusalSheet(Sheet):
    """A title, paragraphs, and the files that it is about, every one of them."""

    def add_files(self, lines: list[str], name: str) -> None:
        self.files = QPlainTextEdit("\n".join(lines), self)
        self.files.setReadOnly(True)
        self.files.setTabChangesFocus(True)
        self.files.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.files.setAccessibleName(name)
        mark(self.files, role="mono_small")
        self.files.ensurePolished()
        line = QFontMetrics(self.files.font()).lineSpacing()
        self.files.setFixedHeight(min(len(lines) + 1, _LINES) * line + fonts.px(SPACE_16))
        self.column.addWidget(self.files)


class CodeSheet(_RefusalSheet):
    """Asks for consent to fetch one model with its code, at one commit. `agreed`: given."""

    agreed = Signal()

    def __init__(self, parent: QWidget, model: HubModel, page: str) -> None:
        """`page`: of the model on the hub."""
        super().__init__(parent, _WIDTH)
        self._code = f"{page}/tree/{model.revision}"
        self.set_title(self.tr("{model} brings program code of its own").format(model=model.id))
        self.add_text(
            self.tr(
                "To open it, this code would have to be run. It could do all that you can do on this "
                "computer: read your files, send them away, delete them."
            ),
            "body",
        )
        commit = self.tr("Its code at commit {commit}:").format(commit=model.revision)
        self.add_text(commit, "small", "text2")
        files = [f"{name}  {words.size(size)}" for name, size in model.code]
        self.add_files(
            files or [self.tr("None lies beside it: its config names code of another model.")],
            self.tr("Files with code"),
        )
        self.add_text(
            self.tr(
                "Token Loupe runs no model's code: neither the built-in engine nor the vLLM that it starts "
                "will open this model. Fetching it is of use for a server that you start yourself."
            ),
            "body",
        )
        self.add_text(
            self.tr("Your consent is for this commit alone. It is noted beside its files, nowhere else."),
            "small",
            "text2",
        )
        self.read = QPushButton(self.tr("Read the code"), self)
        self.read.setToolTip(plain_tip(self._code))
        self.trust = QPushButton(self.tr("I trust this code"), self)
        self.refuse = QPushButton(self.tr("Do not fetch"), self)
        mark(self.trust, kind="danger")
        mark(self.refuse, kind="primary")
        self.read.clicked.connect(lambda: QDesktopServices.openUrl(QUrl(self._code)))
        self.trust.clicked.connect(self._agree)
        self.refuse.clicked.connect(self.reject)
        self.add_buttons(self.trust, self.refuse, left=self.read)
        self.refuse.setDefault(True)
        self.refuse.setFocus()
        self.fit()

    def _agree(self) -> None:
        self.agreed.emit()
        self.accept()


class WeightsSheet(_RefusalSheet):
    """Says that these weights are never fetched, and what else there is. `others`: look for another one;
    `report`: that this one is missed."""

    others = Signal()
    report = Signal()

    def __init__(self, parent: QWidget, model: HubModel) -> None:
        super().__init__(parent, _WIDTH)
        self.set_title(self.tr("{model} has no weights as safetensors").format(model=model.id))
        self.add_text(
            self.tr(
                "Pickled weights (.bin, .pt and the like) can run program code when they are opened; weights "
                "in other formats are not read by the engines here. They are never fetched, and no consent "
                "changes that."
            ),
            "body",
        )
        if model.unsafe:
            self.add_files(list(model.unsafe), self.tr("Weights that are not fetched"))
        self.add_text(
            self.tr("Its makers or somebody else may have the same model as safetensors."), "body", "text2"
        )
        self.report_button = QPushButton(self.tr("Report this model…"), self)
        self.cancel = QPushButton(self.tr("Close"), self)
        self.search = QPushButton(self.tr("Look for another one"), self)
        mark(self.search, kind="primary")
        self.report_button.clicked.connect(lambda: self._leave(self.report.emit))
        self.cancel.clicked.connect(self.reject)
        self.search.clicked.connect(lambda: self._leave(self.others.emit))
        self.add_buttons(self.cancel, self.search, left=self.report_button)
        self.search.setDefault(True)
        self.search.setFocus()
        self.fit()

    def _leave(self, tell: Callable[[], object]) -> None:
        self.accept()
        tell()


class Refusals:
    """Tells why a model is refused, by what the hub says of it now."""

    def __init__(
        self,
        window: QWidget,
        hub: HubLook,
        downloads: Downloads,
        page: Callable[[str], str],
        *,
        find: Callable[[str], object],
        report: Callable[[str, str], object],
        spawn: Callable[[Callable[[], Coroutine[Any, Any, None]]], object],
    ) -> None:
        """`find(words)`: search for them. `report(model, model_type)`."""
        self._window, self._hub, self._downloads, self._page = window, hub, downloads, page
        self._find, self._report, self._spawn = find, report, spawn

    def explain(self, entry: Entry) -> None:
        """The sheet about its code or its weights, or the report where it is of a kind that is not known."""
        stored = entry.stored
        if stored is not None and entry.on_disk and stored.unknown and not stored.code:
            self._report(entry.name, stored.unknown)  # a path of one's own is not in it
        else:
            self._spawn(lambda: self._explain(entry))

    async def _explain(self, entry: Entry) -> None:
        """Raises LoupeError: the hub does not say."""
        known = entry.hub
        if entry.download is None and known is not None and not (known.needs_code or known.lacks_weights):
            self._report(entry.id, known.model_type)
            return
        model = await self._hub.ask(entry.id, entry.revision)
        if model.lacks_weights:
            self._about_weights(model)
        elif model.needs_code or _refused(entry) == "hub.code":
            self._about_code(model)
        else:
            self._report(model.id, model.model_type)

    def _about_code(self, model: HubModel) -> None:
        sheet = CodeSheet(self._window, model, self._page(model.id))
        sheet.agreed.connect(lambda: self._downloads.start(model.id, model.revision, consent=model.revision))
        sheet.open()

    def _about_weights(self, model: HubModel) -> None:
        sheet = WeightsSheet(self._window, model)
        sheet.others.connect(lambda: self._find(model.id.rpartition("/")[2]))
        sheet.report.connect(lambda: self._report(model.id, model.model_type))
        sheet.open()


def _refused(entry: Entry) -> str:
    """Why its download was, as an error's code."""
    error = entry.download.error if entry.download is not None else None
    return error.code if error is not None else ""
