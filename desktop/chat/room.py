"""How much room the next prompt leaves: counted by the real template and tokenizer, the latest text only."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from typing import Any

from core.chat.dialogue import dialogue
from core.chat.session import Session
from core.engines.host import EngineHost
from core.engines.state import Phase
from core.errors import LoupeError
from core.prompt.base import ChatMessage

log = logging.getLogger(__name__)


class RoomCount:
    """`count(text)` tells `show` the tokens left, None where not known; an overtaken count is dropped."""

    def __init__(
        self,
        session: Session,
        engine: EngineHost,
        spawn: Callable[[Coroutine[Any, Any, object]], None],
        show: Callable[[int | None], None],
    ) -> None:
        self._session, self._engine = session, engine
        self._spawn, self._show = spawn, show
        self._number = 0

    def count(self, text: str) -> None:
        self._number += 1
        if self._engine.state.phase is Phase.READY:
            self._spawn(self._count(text, self._number))
        else:
            self._show(None)

    async def _count(self, text: str, number: int) -> None:
        conversation = self._session.conversation
        asked = dialogue(conversation.system, conversation.path()).messages
        if asked and asked[-1].role == "user":
            asked = asked[:-1]
        left: int | None = None
        try:
            limit = self._engine.info.context_limit
            prompt = await self._engine.render((*asked, ChatMessage("user", text)), conversation.options)
            known = limit is not None and all(span.expanded for span in prompt.media)
            left = limit - len(prompt.ids) if limit is not None and known else None
        except LoupeError as error:  # sending it will say why
            log.debug("the room left is not known: %s", error)
        if number == self._number:
            self._show(left)
