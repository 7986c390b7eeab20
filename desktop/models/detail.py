"""One model in full: what it takes, how its download goes, what is on disk, and what can be done with it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractSlider, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from desktop.kit import fonts, icons
from desktop.kit.elided import ElidedLabel
from desktop.kit.errors_text import joined
from desktop.kit.style import mark
from desktop.kit.theme import LIGHT, SPACE_4, SPACE_8, SPACE_12, SPACE_16, SPACE_24, Theme
from desktop.models import words
from desktop.models.buttons import Buttons
from desktop.models.download_block import DownloadBlock
from desktop.models.fit_block import FitBlock
from desktop.models.parts import Chips, Note, button, label
from desktop.models.values import MOVING, CheckView, ModelDetail, State

_REVISION = 7  # characters of a commit, as everywhere


class Detail(QWidget):
    """`set_detail` with None: nothing is selected. `acted`: (what, key) of a button, the names of
    buttons.KINDS, "tokenizer" and "check"; `page_wanted`: of the model on the hub; `settings_wanted`: a field
    of its settings; `back_wanted`: where the list is another page."""

    acted = Signal(str, str)
    page_wanted = Signal(str)
    settings_wanted = Signal(str)
    back_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._detail: ModelDetail | None = None
        self.back = button(self, kind="flat", size="small")
        icons.dress(self.back, "chevron-left")
        self.back.clicked.connect(self.back_wanted)
        self.back.hide()
        self._area = QScrollArea(self)
        self._inside = QWidget()
        self._build()
        self._empty = label(self, "small", "text3")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.buttons = Buttons(self)
        self.buttons.acted.connect(self._act)
        self._foot = QVBoxLayout()
        self._foot.addWidget(self.buttons)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._way_back = QHBoxLayout()
        self._way_back.addWidget(self.back)
        self._way_back.addStretch(1)
        self._column.addLayout(self._way_back)
        self._column.addWidget(self._area, 1)
        self._column.addWidget(self._empty, 1)
        self._column.addLayout(self._foot)
        self._translate()
        self.set_theme(LIGHT)

    def _build(self) -> None:
        inside = self._inside
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setWidget(inside)
        inside.setAutoFillBackground(False)  # the panel's corners are round
        self._area.viewport().setAutoFillBackground(False)
        self.title = ElidedLabel(parent=inside, mode=Qt.TextElideMode.ElideMiddle)
        mark(self.title, role="card_title")
        self.id = ElidedLabel(parent=inside, mode=Qt.TextElideMode.ElideMiddle)
        mark(self.id, role="mono_small", tone="text2")
        self.chips = Chips(inside)
        self.why = Note(inside, "warn", "warn")
        self.fit = FitBlock(inside)
        self._line = QFrame(inside)
        mark(self._line, edge="top")
        self.download = DownloadBlock(inside)
        self.gated = Note(inside, "lock")
        self.kind = Note(inside)
        self.deleting = Note(inside, "disk")
        self.facts = Note(inside)
        self.licence = Note(inside)
        self.why_not = Note(inside, "warn", "warn")
        self.after = Note(inside, "play")
        self.tokenizer = button(inside, kind="link")
        self.tokenizer.clicked.connect(lambda: self._act("tokenizer"))
        self.checked = Note(inside)
        self.check = button(inside, kind="link")
        self.check.clicked.connect(lambda: self._act("check"))
        self._titles = QVBoxLayout()
        self._titles.addWidget(self.title)
        self._titles.addWidget(self.id)
        self._top, self._rest = QVBoxLayout(), QVBoxLayout()
        self._top.addLayout(self._titles)
        for one in (self.chips, self.why, self.fit):
            self._top.addWidget(one)
        self._rest.addWidget(self.download)
        for note in self._notes():
            self._rest.addWidget(note)
        for link in (self.tokenizer, self.check):
            self._rest.addWidget(link, 0, Qt.AlignmentFlag.AlignLeft)
        self._all = QVBoxLayout(inside)
        self._all.addLayout(self._top)
        self._all.addWidget(self._line)
        self._all.addLayout(self._rest)
        self._all.addStretch(1)

    def _notes(self) -> tuple[Note, ...]:
        return (
            self.gated, self.kind, self.deleting, self.facts, self.licence, self.why_not, self.after,
            self.checked,
        )  # fmt: skip

    @property
    def detail(self) -> ModelDetail | None:
        return self._detail

    def set_detail(self, detail: ModelDetail | None) -> None:
        if detail == self._detail and detail is not None:
            return
        other = detail is None or self._detail is None or detail.key != self._detail.key
        self._detail = detail
        self._draw()
        if other:
            self._area.verticalScrollBar().setValue(0)

    def set_second_page(self, on: bool) -> None:
        """The list is not beside it: there is a way back."""
        self.back.setVisible(on)
        self._space()

    def _draw(self) -> None:
        detail = self._detail
        self._area.setVisible(detail is not None)
        self.buttons.setVisible(detail is not None)
        self._empty.setVisible(detail is None)
        if detail is None:
            return
        self.title.setText(detail.name)
        self.id.setText(" · ".join(filter(None, (detail.id, detail.revision[:_REVISION]))))
        self.id.setVisible(bool(detail.id))
        self.id.setToolTip(" · ".join(filter(None, (detail.id, detail.revision))))
        self.chips.set_words(tuple(map(words.media_word, detail.media)))
        self.why.set_note(detail.why or detail.doubt)
        self.fit.set_fit(None if detail.why else detail.fit)
        self.download.set_detail(detail)
        self._draw_notes(detail)
        self._line.setVisible(bool(detail.fit and not detail.why))
        self.buttons.set_detail(detail)

    def _draw_notes(self, detail: ModelDetail) -> None:
        state = detail.state
        asked = self.tr(
            "Its makers want to know who uses it. Ask for access on its page with your account of the hub. "
            "The key of that account is entered in the settings."
        )
        self.gated.set_note((detail.trouble or asked) if state is State.GATED else "")
        self.kind.set_note(self._kind(detail))
        self.deleting.set_note(self._frees(detail))
        self.facts.set_note(self._facts(detail))
        licence = self.tr("Licence: {name}").format(name=detail.licence) if detail.licence else ""
        gated = self.tr("Gated on the hub") if detail.gated and state is not State.GATED else ""
        self.licence.set_note(" · ".join(filter(None, (licence, gated))))
        self.why_not.set_note(detail.why_not)
        after = self.tr("Starts by itself as soon as it is here and checked.")
        self.after.set_note(after if detail.start_after and state in MOVING else "")
        self.tokenizer.setVisible(state in (State.ABSENT, State.GATED))
        self.check.setVisible(detail.check is not None)
        self._draw_check(detail.check or CheckView())

    def _draw_check(self, check: CheckView) -> None:
        runs = check.state == "runs"
        self.check.setText(self.tr("Stop the check") if runs else self.tr("Check the files"))
        amount = words.of(check.done, check.total)
        text = {
            "runs": self.tr("Checking the files: {amount}").format(amount=amount if check.total else "…"),
            "good": self.tr("Every byte was read: all files are as they should be."),
            "bad": self.tr("Not as it should be: {files}").format(files=", ".join(check.files)),
        }.get(check.state, "")
        sign, tone = {"good": ("check", "ok"), "bad": ("x", "err")}.get(check.state, ("info", "text2"))
        self.checked.set_note(text, sign, tone)

    def _kind(self, detail: ModelDetail) -> str:
        if detail.state is State.FOREIGN:
            text = self.tr("Added by its path, {folder}. It is only read, never changed or deleted.")
            return text.format(folder=detail.folder or detail.id)
        if detail.tokenizer_only and detail.state not in (State.ABSENT, State.GATED):
            return self.tr(
                "Only config, tokenizer and template, for a server of yours. The weights are not here."
            )
        return ""

    def _facts(self, detail: ModelDetail) -> str:
        longest = self.tr("Made for contexts up to {tokens}.").format(tokens=words.tokens(detail.limit))
        spoken = self.tr("Languages: {names}.").format(names=", ".join(detail.languages))
        return joined(longest if detail.limit else "", spoken if detail.languages else "")

    def _frees(self, detail: ModelDetail) -> str:
        if not detail.frees:
            return ""
        size = words.size(detail.frees)
        if not detail.also_used_by:
            frees = self.tr("Deleting it frees {size}.").format(size=size)
            return joined(frees, words.why_kept(detail.used_by))
        text = self.tr("Deleting it frees {size}. It is also used by {models}.")
        return text.format(size=size, models=", ".join(detail.also_used_by))

    def _act(self, what: str) -> None:
        if self._detail is None:
            return
        if what == "page":
            self.page_wanted.emit(self._detail.page)
        elif what == "settings":
            self.settings_wanted.emit(self._detail.settings)
        else:
            self.acted.emit(what, self._detail.key)

    def set_theme(self, theme: Theme) -> None:
        px = fonts.px
        side = px(SPACE_24)
        self._top.setContentsMargins(side, px(SPACE_16) + px(4), side, px(SPACE_12))
        self._top.setSpacing(px(SPACE_12))
        self._rest.setContentsMargins(side, px(SPACE_16), side, px(SPACE_16))
        self._rest.setSpacing(px(SPACE_12))
        self._all.setContentsMargins(0, 0, 0, 0)
        self._all.setSpacing(0)
        self._titles.setSpacing(px(SPACE_4))
        self._space()
        self._foot.setContentsMargins(side, px(SPACE_8), side, px(SPACE_16) + px(2))
        self._empty.setContentsMargins(side, 0, side, 0)
        self._line.setFixedHeight(1)
        self._column.setSpacing(px(SPACE_4))
        self.chips.set_theme(theme)
        self.fit.set_theme(theme)
        self.download.set_theme(theme)
        self.buttons.set_theme(theme)
        for note in (self.why, *self._notes()):
            note.set_theme(theme)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The keys of a page scroll what is above the buttons."""
        bar = self._area.verticalScrollBar()
        if event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            up = event.key() == Qt.Key.Key_PageUp
            bar.triggerAction(
                QAbstractSlider.SliderAction.SliderPageStepSub
                if up
                else QAbstractSlider.SliderAction.SliderPageStepAdd
            )
        else:
            super().keyPressEvent(event)

    @property
    def scrolled(self) -> int:
        return self._area.verticalScrollBar().value()

    def _space(self) -> None:
        """Above the way back, where there is one."""
        shown = not self.back.isHidden()
        px = fonts.px
        self._way_back.setContentsMargins(px(SPACE_16), px(SPACE_12) if shown else 0, 0, 0)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
            self._draw()

    def _translate(self) -> None:
        self._empty.setText(self.tr("Choose a model to see whether it fits."))
        self.back.setText(self.tr("Back to the list"))
        self.tokenizer.setText(self.tr("Only its tokenizer and template"))
        self.tokenizer.setToolTip(self.tr("For a server of yours that serves this model. A few MB."))
        self.check.setToolTip(self.tr("Reads every byte and compares it with what was listed."))
