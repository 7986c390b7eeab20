"""The centre of the window: tabs, heat, the transcript or the empty state, and the composer below."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QHBoxLayout,
    QPushButton,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from desktop.chat import metrics
from desktop.chat.composer import Composer
from desktop.kit import fonts
from desktop.kit.error_bar import ErrorBar
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_8, SPACE_12, SPACE_16, SPACE_24, TAB_BAR, Theme
from desktop.picker.preparation import PreparationCard
from desktop.server.pages import ServerPages
from desktop.window.empty_state import EmptyState
from desktop.window.heat_bar import HeatBar

CHAT = "chat"
_LEAST_STAGE = 140  # five lines of an answer
_ASIDE = ("timeline", "card")  # pages that can be put aside


class Centre(QWidget):
    """Holds the pieces and keeps transcript and composer in one column. Other features add pages, each with
    a tab. `tab_changed`: the id of the page in view, "chat" for the chat.

    A page of the server covers the chat; where that has messages, `aside` puts the page aside and back."""

    tab_changed = Signal(str)

    def __init__(self, transcript: QWidget, about: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, ground="surface")
        self.transcript = transcript
        self.over = ""
        self._is_aside = False
        self.tabs = QTabBar(self)
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.addTab("")
        self.tabs.setTabData(0, CHAT)
        self.heat = HeatBar(self)
        self._tab_row = QWidget(self)
        mark(self._tab_row, ground="surface", edge="bottom")
        self._tab_layout = QHBoxLayout(self._tab_row)
        self._tab_layout.addWidget(self.tabs, 1, Qt.AlignmentFlag.AlignBottom)
        self.aside = QPushButton(self)
        mark(self.aside, kind="link", role="small")
        self.aside.clicked.connect(lambda: self._put_aside(not self._is_aside))
        self._tab_layout.addWidget(self.aside)
        self._tab_layout.addWidget(self.heat)
        self.errors = ErrorBar(self, about=about)
        self.errors.installEventFilter(self)
        self.empty = EmptyState(self)
        self.preparation = PreparationCard(self)
        self.server = ServerPages(self)
        self.composer = Composer(self)
        self.errors.left.connect(self.composer.setFocus)
        self.stage = QStackedWidget(self)
        self.stage.setMinimumHeight(1)  # where all is short of room it yields, not the composer
        self.stage.addWidget(self.empty)
        self.stage.addWidget(transcript)
        for page in self.server.pages.values():
            self.stage.addWidget(page)
        self._chat: QWidget = self.empty
        self._legend_room = True
        self._bar_box = QVBoxLayout()
        self._bar_box.addWidget(self.errors)
        self._column = QVBoxLayout()
        for bar in self.server.bars:
            self._column.addWidget(bar)
        self._column.addWidget(self.preparation)
        self._column.addWidget(self.composer)
        chat = QWidget(self)
        body = QVBoxLayout(chat)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addWidget(self.stage, 1)
        body.addLayout(self._column)
        self._pages: dict[str, tuple[QWidget, QWidget | None, Callable[[], str]]] = {
            CHAT: (chat, self.heat, lambda: self.tr("Chat"))
        }
        self._body = QStackedWidget(self)
        self._body.addWidget(chat)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._tab_row)
        layout.addLayout(self._bar_box)
        layout.addWidget(self._body, 1)
        self.tabs.currentChanged.connect(self._turned)
        self._translate()

    def add_page(
        self, id_: str, page: QWidget, title: Callable[[], str], corner: QWidget | None = None
    ) -> None:
        """`title` is asked again in another language; `corner` stands at the right of the tabs while the page
        is in view."""
        self._pages[id_] = (page, corner, title)
        self._body.addWidget(page)
        if corner is not None:
            self._tab_layout.addWidget(corner)
            corner.hide()
        self.tabs.setTabData(self.tabs.addTab(title()), id_)

    @property
    def tab(self) -> str:
        """The id of the page in view."""
        return str(self.tabs.tabData(self.tabs.currentIndex()))

    def show_tab(self, id_: str) -> None:
        self.tabs.setCurrentIndex(list(self._pages).index(id_))

    def _turned(self, _: int) -> None:
        page, shown, _title = self._pages[self.tab]
        for _page, corner, _title in self._pages.values():
            if corner is not None:
                corner.setVisible(corner is shown)
        self._show_corner()
        self._body.setCurrentWidget(page)
        self.tab_changed.emit(self.tab)

    def set_theme(self, theme: Theme) -> None:
        px = fonts.px
        self._tab_row.setFixedHeight(px(TAB_BAR) + 1)
        self._bar_box.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(px(SPACE_12))
        self.heat.set_theme(theme)
        self.errors.set_theme(theme)
        self.empty.set_theme(theme)
        self.preparation.measure()
        self.server.set_theme(theme)
        self.composer.set_theme(theme)
        self._show_corner()
        self._place()

    def show_empty(self, empty: bool) -> None:
        """The empty state of a new chat, or the transcript."""
        self._chat = self.empty if empty else self.transcript
        self._show_stage()

    def show_over(self, name: str) -> None:
        """A page of the server in place of the chat; "" = the chat. The first one stands alone."""
        if name != self.over:
            self.over, self._is_aside = name, False
            alone = name == "first_run"
            self._tab_row.setHidden(alone)
            self.composer.setHidden(alone)
            self._show_stage()

    def show_chat(self) -> None:
        """Somebody wants to read a chat: what covers it is put aside."""
        self._put_aside(self.over in _ASIDE)

    def _put_aside(self, aside: bool) -> None:
        self._is_aside = aside
        self._show_stage()

    @property
    def covered(self) -> bool:
        """A page of the server stands in place of the chat."""
        return bool(self.over) and not (self._is_aside and self._chat is self.transcript)

    def _show_stage(self) -> None:
        self.stage.setCurrentWidget(self.server.pages[self.over] if self.covered else self._chat)
        self._show_corner()

    def _show_corner(self) -> None:
        """Right of the tabs: the heat, and the way between the chat and the page that covers it."""
        here = self.tab == CHAT
        both = here and self.over in _ASIDE and self._chat is self.transcript
        self.aside.setText(self._aside_text())
        self.aside.setVisible(both)
        edge = fonts.px(SPACE_16) if both and self.covered else 0  # the heat has an edge of its own
        self._tab_layout.setContentsMargins(fonts.px(SPACE_24) - 2, 0, edge, 1)
        self.heat.setVisible(here and not self.covered)
        self.heat.set_legend_room(self._legend_room and not both)

    def _aside_text(self) -> str:
        if self.covered:
            return self.tr("Show chat")
        return self.tr("Show start") if self.over == "timeline" else self.tr("Show what failed")

    def least_height(self) -> int:
        """With some lines of the transcript in view; all else as high as it is now."""
        return self.height() - self.stage.height() + fonts.px(_LEAST_STAGE)

    def set_legend_room(self, room: bool) -> None:
        self._legend_room = room
        self._show_corner()

    def _place(self) -> None:
        """The composer stands in the transcript's column, which keeps room for a scroll bar."""
        px = fonts.px
        bar = 0
        if isinstance(self.transcript, QAbstractScrollArea):
            bar = self.transcript.verticalScrollBar().sizeHint().width()
        left, wide = metrics.column(self.width() - bar)
        right = self.width() - left - wide
        self._column.setContentsMargins(left, px(SPACE_16), right, px(SPACE_24) - 2)
        self._bar_box.setContentsMargins(left, px(SPACE_8) if self.errors.isVisibleTo(self) else 0, right, 0)
        self.empty.set_bar_room(bar)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.errors and event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self._place()
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _translate(self) -> None:
        for at, (_page, _corner, title) in enumerate(self._pages.values()):
            self.tabs.setTabText(at, title())
        self.tabs.setAccessibleName(self.tr("Tabs"))
        self.aside.setText(self._aside_text())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
