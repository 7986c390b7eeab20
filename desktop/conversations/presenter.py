"""The list of chats: kept fresh from the history, its clicks handed to session and chat."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any

from PySide6.QtCore import QObject

from core.chat.history import History
from core.chat.session import Session
from core.tasks import TaskScope
from desktop.chat.presenter import ChatPresenter
from desktop.conversations.days import ConversationRow
from desktop.conversations.panel import ConversationsPanel
from desktop.kit.bridge import bind


class ConversationsPresenter(QObject):
    """Reads the list anew when something in it changed; changes that come together are one reading."""

    def __init__(
        self,
        panel: ConversationsPanel,
        session: Session,
        history: History,
        chat: ChatPresenter,
        scope: TaskScope,
    ) -> None:
        super().__init__(panel)
        self._panel, self._session, self._history = panel, session, history
        self._chat, self._scope = chat, scope
        self._task: asyncio.Task[None] | None = None
        self._stale = False
        bind(self, history.changed, lambda _: self.refresh())
        bind(self, session.turns_changed, lambda _: self.refresh())
        bind(self, session.state_changed, lambda _: self.refresh())
        panel.opened.connect(lambda id_: self._spawn(chat.open(id_)))
        panel.renamed.connect(lambda id_, title: self._spawn(self._rename(id_, title)))

    def refresh(self) -> None:
        self._stale = True
        if self._task is None or self._task.done():
            with contextlib.suppress(RuntimeError):  # the program is quitting
                self._task = self._scope.spawn(self._refresh(), name="list of chats")

    async def _refresh(self) -> None:
        while self._stale:
            self._stale = False
            found = await self._history.load_list()
            rows = tuple(ConversationRow(one.id, one.title, one.answers, one.updated) for one in found)
            self._panel.set_rows(rows, self._session.conversation.id)

    async def _rename(self, id_: str, title: str) -> None:
        await self._session.rename(id_, title)
        self.refresh()

    def delete(self, id_: str) -> None:
        """After the window has asked."""
        self._spawn(self._delete(id_))

    async def _delete(self, id_: str) -> None:
        current = self._session.conversation.id == id_
        await self._session.delete(id_)
        if current:
            self._chat.show()
        self.refresh()

    def _spawn(self, work: Coroutine[Any, Any, object]) -> None:
        with contextlib.suppress(RuntimeError):
            self._scope.spawn(work)
