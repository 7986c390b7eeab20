"""Puts the footers of the answers in view below them: facts, buttons, and what went wrong."""

from __future__ import annotations

from collections.abc import Callable

from core.chat.messages import Message
from core.chat.session import Session
from core.engines.host import EngineHost
from core.settings import SettingsStore
from desktop.chat import facts
from desktop.chat.composer_state import can_connect
from desktop.chat.view import TranscriptView


class Footers:
    """`cause`: why the server of ours is gone, "" while it is not, or another engine is in use."""

    def __init__(
        self,
        view: TranscriptView,
        session: Session,
        engine: EngineHost,
        settings: SettingsStore,
        speed: Callable[[], float | None],
    ) -> None:
        """`speed`: of the answer that runs."""
        self._view, self._session, self._engine = view, session, engine
        self._settings, self._speed = settings, speed
        self.cause = ""

    def show(self, message: Message) -> None:
        answer = message.answer
        if answer is None:
            return
        conversation = self._session.conversation
        last = message.id == conversation.path()[-1].id
        footer = facts.footer(
            answer,
            conversation.place(message.id),
            self._settings.value.doubt_threshold,
            can_ask=self._session.can_ask or can_connect(self._engine.state),
            speed=self._speed() if answer.live else None,
            cause=self.cause if last else "",
        )
        self._view.set_footer(message.id, footer)

    def show_all(self) -> None:
        for message in self._session.conversation.path():
            self.show(message)
