"""Binds the sampling form to the conversation in view: what it asks for, within what the engine takes."""

from __future__ import annotations

from PySide6.QtCore import QObject

from core.chat.session import Session
from core.engines.base import NOTHING, Sampling
from core.engines.host import EngineHost
from core.engines.limits import within
from desktop.sampling.form import SamplingForm


class ValuesDock(QObject):
    """The form shows the chat's own values, else those that the model recommends; what is edited in it goes
    to the session."""

    def __init__(self, form: SamplingForm, session: Session, engine: EngineHost) -> None:
        super().__init__(form)
        self._form, self._session, self._engine = form, session, engine
        form.changed.connect(self._changed)
        form.extras_changed.connect(session.set_extras)

    def show(self) -> None:
        """The conversation, or what the engine takes, is another."""
        info, conversation = self._engine.state.info, self._session.conversation
        if info is None:
            self._form.set_unknown()
            return
        chosen = conversation.sampling or info.recommended
        if info.engine == "vllm" and (moved := within(chosen, info.refuses)) != chosen:
            self._session.set_sampling(moved)  # what is shown is what is sent, and the form says why
            chosen = moved
        self._form.set_sampling(chosen, info.recommended, conversation.extras, info)

    def clear(self) -> None:
        """No form and no further fields."""
        self._session.set_extras(NOTHING)
        self.show()

    def _changed(self, sampling: Sampling) -> None:
        info = self._engine.state.info
        recommended = info.recommended if info else Sampling()
        self._session.set_sampling(None if sampling == recommended else sampling)
