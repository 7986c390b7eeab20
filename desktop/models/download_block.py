"""How a download goes: all of it, its speed and what is left, and each file."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from desktop.kit import fonts, icons
from desktop.kit.elided import plain_tip
from desktop.kit.style import mark
from desktop.kit.theme import LIGHT, SPACE_4, SPACE_8, Theme
from desktop.models import words
from desktop.models.parts import Bar, Note, label
from desktop.models.values import HALTED, MOVING, FileRow, ModelDetail, State

_LINE: Final = 24  # px, at zoom 100 %
_ICON: Final = 13
_SIGNS: Final = {
    "done": ("check", "ok"),
    "coming": ("down", "accent"),
    "damaged": ("x", "err"),
    "todo": ("clock", "text3"),
}
_TONES: Final = {State.STALLED: "warn", State.FAILED: "err", State.PAUSED: "ctl", State.PARTIAL: "ctl"}
_LEFT: Final = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine
_RIGHT: Final = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight | Qt.TextFlag.TextSingleLine


class FileTable(QWidget):
    """One line a file: sign, name, how much of it is there. Paints what is in view."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._files: tuple[FileRow, ...] = ()
        self._theme = LIGHT
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_files(self, files: tuple[FileRow, ...]) -> None:
        if files == self._files:
            return
        if len(files) != len(self._files):
            self.updateGeometry()
        self._files = files
        self.setVisible(bool(files))
        self._translate()
        self.update()

    def _translate(self) -> None:
        self.setAccessibleName("; ".join(map(words.file_spoken, self._files)))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(0, len(self._files) * fonts.px(_LINE))

    def _shown(self, row: FileRow) -> tuple[str, str]:
        """Name as it fits, amount."""
        amount = words.file_amount(row)
        taken = QFontMetrics(fonts.font("small")).horizontalAdvance(amount)
        room = self.width() - fonts.px(_ICON) - 2 * fonts.px(SPACE_8) - taken
        metrics = QFontMetrics(fonts.font("mono_small"))
        return metrics.elidedText(row.name, Qt.TextElideMode.ElideMiddle, max(room, 0)), amount

    def paintEvent(self, event: QPaintEvent) -> None:
        px, theme = fonts.px, self._theme
        painter = QPainter(self)
        high, side = px(_LINE), px(_ICON)
        first = max(0, event.rect().top() // high)
        last = min(len(self._files), event.rect().bottom() // high + 1)
        for place in range(first, last):
            row, line = self._files[place], QRect(0, place * high, self.width(), high)
            sign, role = _SIGNS[row.state]
            picture = icons.pixmap(sign, getattr(theme, role), side, self.devicePixelRatioF())
            painter.drawPixmap(0, line.center().y() + 1 - side // 2, picture)
            name, amount = self._shown(row)
            painter.setFont(fonts.font("mono_small"))
            painter.setPen(QColor(theme.err if row.state == "damaged" else theme.text))
            painter.drawText(line.adjusted(side + px(SPACE_8), 0, 0, 0), int(_LEFT), name)
            painter.setFont(fonts.font("small"))
            painter.setPen(QColor(theme.text2))
            painter.drawText(line, int(_RIGHT), amount)
        painter.end()

    def tip(self, at: QPoint) -> str:
        """The whole name where it is shortened."""
        place = at.y() // fonts.px(_LINE)
        if not 0 <= place < len(self._files):
            return ""
        row = self._files[place]
        return row.name if self._shown(row)[0] != row.name else ""

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), plain_tip(self.tip(event.pos())), self)
            return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()


class DownloadBlock(QWidget):
    """Of a model that is being fetched or checked, was begun, or has damaged files."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._title = label(self, "body_strong", wrap=False)
        self.amount = QLabel(self)
        mark(self.amount, role="small_strong")
        self.bar = Bar(self)
        self.speed = label(self, "small", "text2", wrap=False)
        self.left = label(self, "small", "text2", wrap=False)
        self.trouble = Note(self, "warn", "warn")
        self.files = FileTable(self)
        self.kept = label(self, "small", "text2")
        self._head, self._pace = QHBoxLayout(), QHBoxLayout()
        for row, one, other in ((self._head, self._title, self.amount), (self._pace, self.speed, self.left)):
            row.addWidget(one)
            row.addStretch(1)
            row.addWidget(other)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addLayout(self._head)
        self._column.addWidget(self.bar)
        self._column.addLayout(self._pace)
        self._column.addWidget(self.trouble)
        self._column.addWidget(self.files)
        self._column.addWidget(self.kept)
        self.hide()

    def set_detail(self, detail: ModelDetail) -> None:
        state = detail.state
        going = state in MOVING | HALTED
        damaged = state is State.DAMAGED
        self.setVisible(going or damaged)
        if not (going or damaged):
            return
        self._title.setText(self.tr("Files") if damaged else self.tr("Download"))
        self.amount.setText(words.of(detail.done, detail.total) if detail.total and going else "")
        share = detail.done / detail.total if detail.total else 0.0
        self.bar.setVisible(going)
        self.bar.set_share(share, _TONES.get(state, "accent"), words.share(detail.done, detail.total))
        pace, rest = self._pace_of(detail)
        self.speed.setText(pace)
        self.left.setText(rest)
        for part in (self.speed, self.left):
            part.setVisible(bool(pace or rest))
        tone = "err" if state in (State.FAILED, State.DAMAGED) else "warn"
        self.trouble.set_note(detail.trouble or self._broken(detail), "warn", tone)
        self.files.set_files(detail.files)
        self.files.setVisible(bool(detail.files))
        self.kept.setText(
            self.tr("Kept on disk as it comes in. You can quit; it goes on from here next time.")
        )
        self.kept.setVisible(going and state is not State.VERIFYING and not detail.refused)

    def _pace_of(self, detail: ModelDetail) -> tuple[str, str]:
        state = detail.state
        if detail.elsewhere:
            return self.tr("Another window or command fetches it."), ""
        if state is State.FETCHING:
            pace = words.speed(detail.speed) if detail.speed > 0 else self.tr("begins")
            return pace, words.left(detail.left) if detail.left is not None else ""
        if state is State.STALLED:
            tried = self.tr("try {n} of {all}").format(n=detail.retry[0], all=detail.retry[1])
            return self.tr("Nothing comes at the moment"), tried if detail.retry[1] else ""
        return {
            State.WAITING: self.tr("Waits for the download before it"),
            State.VERIFYING: self._checking(detail.checked),
            State.PAUSED: self.tr("Paused"),
            State.PARTIAL: self.tr("Not finished"),
            State.FAILED: self.tr("Broke off"),
        }.get(state, ""), ""

    def _checking(self, files: tuple[int, int]) -> str:
        if not files[1]:
            return self.tr("Checking the files")
        return self.tr("Checking files {n} of {all}").format(n=files[0], all=files[1])

    def _broken(self, detail: ModelDetail) -> str:
        if detail.state is not State.DAMAGED:
            return ""
        return self.tr(
            "What is marked is missing or not what the hub lists. Repair fetches only that, the rest stays."
        )

    def set_theme(self, theme: Theme) -> None:
        px = fonts.px
        self._column.setSpacing(px(SPACE_8))
        self._head.setSpacing(px(SPACE_8))
        self._pace.setContentsMargins(0, 0, 0, px(SPACE_4))
        self.bar.set_theme(theme)
        self.trouble.set_theme(theme)
        self.files.set_theme(theme)
