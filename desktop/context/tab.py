"""The Context tab put into the window: its page, its corner, its table in the right dock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QCoreApplication, SignalInstance
from PySide6.QtWidgets import QWidget

from core.chat.messages import Answer
from core.chat.session import Session
from core.engines.host import EngineHost
from core.tasks import TaskScope
from core.tokens.vocabulary import Vocabulary
from desktop.context.presenter import ContextPresenter
from desktop.context.table import TokenPanel
from desktop.context.view import ContextCorner, ContextView
from desktop.kit.theme import Theme

PAGE = "context"


class Pages(Protocol):
    """The centre of the window."""

    tab_changed: SignalInstance

    def add_page(
        self, id_: str, page: QWidget, title: Callable[[], str], corner: QWidget | None = None
    ) -> None: ...


class Side(Protocol):
    """The right dock."""

    def add(self, tab: str, panel: QWidget, title: Callable[[], tuple[str, str]]) -> None: ...
    def show_for(self, tab: str) -> None: ...


class ContextTab:
    """`rested`: the question being written did not change for a moment. `open_panel`: show the right dock."""

    def __init__(
        self,
        pages: Pages,
        side: Side,
        rested: SignalInstance,
        session: Session,
        engine: EngineHost,
        scope: TaskScope,
        vocabulary_of: Callable[[Answer], Vocabulary],
        open_panel: Callable[[], None],
    ) -> None:
        self.view, self.panel, self.corner = ContextView(), TokenPanel(), ContextCorner()
        self.presenter = ContextPresenter(
            self.view, self.panel, self.corner, session, engine, scope, vocabulary_of, open_panel
        )
        rested.connect(self.presenter.changed)
        pages.add_page(PAGE, self.view, _title, self.corner)
        side.add(PAGE, self.panel, lambda: (QCoreApplication.translate("Context", "Tokens"), ""))
        pages.tab_changed.connect(side.show_for)
        QWidget.setTabOrder(self.corner.copy, self.corner.forms)
        QWidget.setTabOrder(self.corner.forms, self.view.chips)

    def set_theme(self, theme: Theme) -> None:
        for part in (self.view, self.panel, self.corner):
            part.set_theme(theme)

    def retranslate(self) -> None:
        self.presenter.retranslate()


def _title() -> str:
    return QCoreApplication.translate("Context", "Context")
