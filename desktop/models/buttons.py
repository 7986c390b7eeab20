"""The buttons below a model's details: which there are in which state, from one table."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QPushButton, QSizePolicy, QWidget

from desktop.kit import fonts, icons
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_8, Theme
from desktop.models.next_steps import settings_word
from desktop.models.parts import button
from desktop.models.values import HALTED, MOVING, ModelDetail, State
from desktop.models.words import why_kept

# what -> (kind, icon), in the order in which they stand; the primary one is last
KINDS: Final = {
    "pause": ("", "pause"),
    "delete": ("", "trash"),
    "forget": ("", "x"),
    "cancel": ("danger", ""),
    "get": ("", "down"),
    "why": ("", "info"),
    "settings": ("", "gear"),
    "resume": ("primary", ""),
    "repair": ("primary", ""),
    "page": ("primary", ""),
    "start": ("primary", ""),
    "use": ("primary", ""),
}

_SAVED: Final = 8  # px that a small button is narrower, at zoom 100 %


def offered(detail: ModelDetail) -> tuple[str, ...]:
    """What can be done with the model now."""
    state = detail.state
    run = "use" if detail.use else "start"
    if detail.elsewhere:  # which is waited for, then
        return (run,)
    if detail.why and state in (State.ABSENT, State.GATED):
        return ("why",)
    if state is State.ABSENT:
        return ("get", run)
    settings = ("settings",) if detail.settings else ()
    page = ("page",) if detail.page else ()
    if state is State.GATED:
        cancel = ("cancel",) if detail.trouble else ()  # it was asked for, and refused
        return (*cancel, "get", *settings, *page)
    if state in MOVING:
        pause = () if state is State.VERIFYING else ("pause",)
        return (*pause, "cancel") if detail.start_after else (*pause, "cancel", run)
    if state in HALTED:
        refused = ("why",) if detail.refused else ()
        return ("cancel", *refused, *settings, *(("resume",) if detail.again else page))
    delete = ("delete",) if detail.frees else ()
    if detail.listed and state is not State.RUNNING:
        delete = ("forget",)
    if state is State.DAMAGED:
        return (*delete, "repair")
    if detail.why:
        return delete
    if state is State.RUNNING:
        return delete
    doubt = ("why",) if detail.doubt else ()
    return (*delete, "get") if detail.tokenizer_only else (*delete, *doubt, run)


class Buttons(QWidget):
    """`acted` carries what was pressed: a name of KINDS."""

    acted = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._detail: ModelDetail | None = None
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSizeConstraint(QBoxLayout.SizeConstraint.SetNoConstraint)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._small = False
        self.buttons: dict[str, QPushButton] = {}
        for what, (kind, icon) in KINDS.items():
            made = button(self, **({"kind": kind} if kind else {}))
            if icon:
                icons.dress(made, icon)
            made.clicked.connect(lambda _=False, what=what: self.acted.emit(what))
            made.hide()
            self.buttons[what] = made
            self._row.addWidget(made, 1 if kind == "primary" else 0)
        self._row.addStretch(0)

    def set_detail(self, detail: ModelDetail) -> None:
        """A button that had the focus and goes gives it to the last one of those that come."""
        self._detail = detail
        wanted = offered(detail)
        focused = next((what for what, one in self.buttons.items() if one.hasFocus()), "")
        for what, text in self._words(detail).items():
            self.buttons[what].setText(text)
        for what, made in self.buttons.items():
            made.setVisible(what in wanted)
        self._arm(detail, wanted)
        self._fit()
        if focused and focused not in wanted and wanted:
            self.buttons[wanted[-1]].setFocus(Qt.FocusReason.OtherFocusReason)

    def _words(self, detail: ModelDetail) -> dict[str, str]:
        start, use = self.tr("Start"), self.tr("Use")
        if detail.state in MOVING:
            start, use = self.tr("Start when done"), self.tr("Use when done")
        elif detail.state is State.ABSENT:
            start, use = self.tr("Get and start"), self.tr("Get and use")
        return {
            "pause": self.tr("Pause"),
            "delete": self.tr("Delete"),
            "forget": self.tr("Take off the list"),
            "cancel": self.tr("Cancel"),
            "get": self.tr("I have access") if detail.state is State.GATED else self._get(detail),
            "why": self.tr("More about it…") if detail.refused else self.tr("Why"),
            "settings": settings_word(detail.settings),
            "resume": self.tr("Try again") if detail.state is State.FAILED else self.tr("Resume"),
            "repair": self.tr("Repair"),
            "page": self.tr("Open its page"),
            "start": start,
            "use": use,
        }

    def _get(self, detail: ModelDetail) -> str:
        return self.tr("Get its weights") if detail.tokenizer_only else self.tr("Get")

    def _arm(self, detail: ModelDetail, wanted: tuple[str, ...]) -> None:
        for what in ("start", "use"):
            made = self.buttons[what]
            made.setEnabled(not detail.why_not)
            made.setToolTip(detail.why_not)
        running = detail.state is State.RUNNING
        delete = self.buttons["delete"]
        delete.setEnabled(not running and not detail.used_by)
        delete.setToolTip(why_kept(detail.used_by or ("server" if running else "")))
        self.buttons["forget"].setToolTip(self.tr("The folder and its files stay as they are"))
        cancel = self.tr("Removes what has come in so far") if "cancel" in wanted else ""
        self.buttons["cancel"].setToolTip(cancel)
        for what in ("get", "settings"):  # where nothing else is to be done
            alone = wanted[-1:] == (what,)
            mark(self.buttons[what], kind="primary" if alone else "")
            icons.dress(self.buttons[what], KINDS[what][1], "on_accent" if alone else "text2")

    def set_theme(self, theme: Theme) -> None:
        self._row.setSpacing(fonts.px(SPACE_8) - 2)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Smaller where they do not fit beside each other, else below each other."""
        shown = [made for made in self.buttons.values() if not made.isHidden()]
        gaps = self._row.spacing() * max(len(shown) - 1, 0)
        saved = len(shown) * fonts.px(_SAVED)
        small = sum(made.sizeHint().width() for made in shown) + gaps - (0 if self._small else saved)
        narrow = small > self.width()
        self._small = not narrow and small + saved > self.width()
        for made in self.buttons.values():
            mark(made, size="small" if self._small else "")
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if self._row.direction() != way:
            self._row.setDirection(way)
