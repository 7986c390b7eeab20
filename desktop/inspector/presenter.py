"""When a token card opens, moves, closes, is copied or pinned: by the pointer at rest, a click or a key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from PySide6.QtCore import QObject, QPointF, QRect, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from core.observe import Event
from core.tokens.table import TokenTable
from core.tokens.vocabulary import Vocabulary
from desktop.inspector import words
from desktop.inspector.card import PinnedCard, TokenCard
from desktop.inspector.model import card_model
from desktop.inspector.sheet import WIDTH
from desktop.inspector.values import AnswerFacts, CardModel
from desktop.kit import fonts
from desktop.kit.theme import LIGHT, Theme

REST_MS = 300
GRACE_MS = 180  # from a token over the gap to its card, or back


class Ref(Protocol):
    """A token of an answer."""

    @property
    def turn_id(self) -> str: ...
    @property
    def index(self) -> int: ...


class Turn(Protocol):
    """What the card reads of an answer."""

    @property
    def table(self) -> TokenTable: ...
    @property
    def vocabulary(self) -> Vocabulary: ...
    @property
    def live(self) -> bool: ...


class View(Protocol):
    """What is needed of the transcript."""

    token_hovered: SignalInstance
    token_clicked: SignalInstance
    token_opened: SignalInstance
    cursor_moved: SignalInstance
    pin_requested: SignalInstance
    copy_requested: SignalInstance
    dismissed: SignalInstance
    scrolled: SignalInstance
    shifted: SignalInstance
    restyled: SignalInstance
    reduce_motion: bool

    def answer_turn(self, turn_id: str) -> Turn | None: ...
    def group_of(self, ref: Any) -> range: ...
    def sign_of(self, ref: Any) -> str: ...
    def token_rect(self, ref: Any, near: QPointF | None = None) -> QRect | None: ...
    def pointer_at(self) -> QPointF | None: ...
    def mark_token(self, ref: Any) -> None: ...
    def next_doubtful(self, step: int = 1) -> bool: ...


class Choices(Protocol):
    """What is needed of the settings' value."""

    @property
    def hover(self) -> str: ...
    @property
    def reduce_motion(self) -> bool: ...


class Settings(Protocol):
    """What is needed of the settings' store."""

    @property
    def value(self) -> Any: ...  # Choices
    @property
    def changed(self) -> Event[Any]: ...


class OneShot(Protocol):
    """A timer that fires once; tests give their own."""

    def start(self, milliseconds: int) -> None: ...
    def stop(self) -> None: ...


TimerFactory = Callable[[Callable[[], None]], OneShot]


class InspectorPresenter(QObject):
    """One floating card for one transcript, and any number of pinned ones.

    `again_wanted`: id of an answer without numbers. `capability_wanted`: what of the engine is to be shown.

    `timer` makes the two timers (rest before opening, grace before closing) from what they call.
    """

    again_wanted = Signal(str)
    capability_wanted = Signal(str)

    def __init__(
        self,
        view: View,
        facts_for: Callable[[str], AnswerFacts],
        settings: Settings,
        *,
        timer: TimerFactory | None = None,
        ctrl_down: Callable[[], bool] | None = None,
    ) -> None:
        parent = view if isinstance(view, QWidget) else None
        super().__init__(parent)
        self._view = view
        self._facts_for = facts_for
        self._settings = settings
        self._theme: Theme = LIGHT
        self._ctrl_down = ctrl_down or _ctrl_is_down
        make = timer or self._qt_timer
        self._rest = make(self._rested)
        self._grace = make(self._grace_over)
        self._hovered: Ref | None = None
        self._shown: Ref | None = None
        self._model: CardModel | None = None
        self._held = False  # opened by key or click: a pointer that wanders off does not close it
        self._on_card = False
        self.card: TokenCard | None = None
        self.pinned: list[PinnedCard] = []
        self._connect()

    def _qt_timer(self, call: Callable[[], None]) -> OneShot:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(call)
        return timer

    def _connect(self) -> None:
        view = self._view
        view.token_hovered.connect(self._hover)
        view.token_clicked.connect(self._clicked)
        view.token_opened.connect(self.open)
        view.cursor_moved.connect(self._cursor_moved)
        view.pin_requested.connect(self._pin_token)
        view.copy_requested.connect(self._copy_token)
        view.dismissed.connect(self.close)
        view.scrolled.connect(self.close)
        view.shifted.connect(self._shifted)
        view.restyled.connect(self._restyled)

    # --- opening and closing -------------------------------------------------------------------------

    @property
    def shown(self) -> Ref | None:
        """The token whose card is open."""
        return self._shown

    def open(self, ref: Ref) -> None:
        """At once, by key or click; it stays until it is closed or another token takes it."""
        self._rest.stop()
        self._grace.stop()
        self._held = self._show(ref)

    def _clicked(self, ref: Ref) -> None:
        if self._settings.value.hover == "off":
            self.close()
        else:
            self.open(ref)

    def close(self) -> bool:
        """Close the floating card. False if none was open."""
        self._rest.stop()
        self._grace.stop()
        self._held = False
        self._on_card = False
        if self._shown is None:
            return False
        self._shown = None
        self._model = None
        if self.card is not None:
            self.card.hide()
        self._view.mark_token(None)
        return True

    def close_all(self) -> None:
        """The program ends: pinned cards too."""
        self.close()
        for window in list(self.pinned):
            window.close()
        self.pinned.clear()

    def _show(self, ref: Ref) -> bool:
        turn = self._view.answer_turn(ref.turn_id)
        near = self._view.pointer_at() if ref == self._hovered else None
        rect = self._view.token_rect(ref, near)
        if turn is None or rect is None or not 0 <= ref.index < len(turn.table):
            return False
        self._shown = ref
        self._model = self._build(ref, turn)
        card = self._the_card()
        card.pop_up(
            self._model, self._theme, rect, self._room(rect), fade=not self._settings.value.reduce_motion
        )
        self._view.mark_token(ref)
        return True

    def _build(self, ref: Ref, turn: Turn) -> CardModel:
        facts = self._facts_for(ref.turn_id)
        group = self._view.group_of(ref)
        sign = self._view.sign_of(ref) if len(group) > 1 else ""
        model = card_model(turn.table, ref.index, turn.vocabulary, facts, group, sign)
        return replace(model, total=0) if turn.live else model

    def _the_card(self) -> TokenCard:
        if self.card is None:
            parent = self._view.window() if isinstance(self._view, QWidget) else QWidget()
            self.card = TokenCard(parent)
            self.card.entered.connect(self._entered)
            self.card.left.connect(self._left)
            self.card.body.closed.connect(self.close)
            self.card.body.pinned.connect(self._pin_shown)
            self.card.body.copied.connect(self.copy)
            self.card.body.again_wanted.connect(lambda: self._ask_again(self._shown))
            self.card.body.capabilities_wanted.connect(self._show_capabilities)
            self.card.body.next_wanted.connect(lambda: self._view.next_doubtful(1))
        return self.card

    def _warm(self, ref: Ref) -> None:
        """The first card costs fonts and icons: paid while the pointer comes to rest."""
        turn = self._view.answer_turn(ref.turn_id)
        if self.card is None and turn is not None and ref.index < len(turn.table):
            card = self._the_card()
            card.body.show_model(self._build(ref, turn), self._theme, fonts.px(WIDTH))
            card.body.grab()

    def _room(self, rect: QRect) -> QRect:
        """What is free of the screen that the token is on."""
        screen = QGuiApplication.screenAt(rect.center())
        if screen is None and isinstance(self._view, QWidget):
            screen = self._view.screen()
        return (screen or QGuiApplication.primaryScreen()).availableGeometry()

    # --- the pointer ---------------------------------------------------------------------------------

    def _hovers(self) -> bool:
        mode = self._settings.value.hover
        return mode == "hover" or (mode == "ctrl" and self._ctrl_down())

    def _hover(self, ref: Ref | None) -> None:
        self._hovered = ref
        self._rest.stop()
        if ref is None:
            self._start_closing()
            return
        if not self._hovers():
            return
        if ref == self._shown or self._same_sign(ref):
            self._grace.stop()
        elif self._shown is not None and not self._held:
            self._grace.stop()
            if not self._show(ref):  # a neighbour takes the card without delay
                self.close()
        else:
            self._rest.start(REST_MS)
            self._warm(ref)

    def _same_sign(self, ref: Ref) -> bool:
        """A pointer on a character of several tokens stays with the piece that is shown."""
        shown = self._shown
        if shown is None or shown.turn_id != ref.turn_id:
            return False
        return shown.index in self._view.group_of(ref)

    def _rested(self) -> None:
        if self._hovered is not None and self._hovers():
            self._held = False
            self._show(self._hovered)

    def _start_closing(self) -> None:
        if self._shown is not None and not self._held and not self._on_card:
            self._grace.start(GRACE_MS)

    def _grace_over(self) -> None:
        if self._hovered is None and not self._on_card and not self._held:
            self.close()

    def _entered(self) -> None:
        self._on_card = True
        self._grace.stop()
        self._rest.stop()

    def _left(self) -> None:
        self._on_card = False
        if self._hovered is None:
            self._start_closing()

    # --- the keyboard and the text -------------------------------------------------------------------

    def _cursor_moved(self, ref: Ref | None) -> None:
        """An open card goes with the token cursor."""
        if ref is None:
            return
        if self._shown is not None and self._held and ref != self._shown and not self._show(ref):
            self.close()

    def _shifted(self) -> None:
        """The text moved by itself: an answer grows."""
        if self._shown is None or self.card is None:
            return
        rect = self._view.token_rect(self._shown)
        if rect is None:
            self.close()
        else:
            self.card.move_to(rect, self._room(rect))

    def _restyled(self, theme: Theme) -> None:
        self._theme = theme
        shown, held = self._shown, self._held
        self.close()
        for window in self.pinned:
            window.set_theme(theme)
        if shown is not None and held:
            self.open(shown)

    # --- copy and pin --------------------------------------------------------------------------------

    def copy(self) -> None:
        """The open card as text."""
        if self._model is not None:
            QGuiApplication.clipboard().setText(words.as_text(self._model))

    def _copy_token(self, ref: Ref) -> None:
        """The token's own characters, as they are; of a token without any, what it is called."""
        turn = self._view.answer_turn(ref.turn_id)
        if turn is None:
            return
        number = turn.table.id(ref.index)
        raw = turn.vocabulary.bytes_of(number)
        text = raw.decode() if turn.vocabulary.is_whole(number) else turn.vocabulary.label(number)
        QGuiApplication.clipboard().setText(text)

    def _pin_token(self, ref: Ref) -> None:
        if ref != self._shown:
            self.open(ref)
        self._pin_shown()

    def _pin_shown(self) -> None:
        if self._model is None or self._shown is None or self.card is None:
            return
        ref, corner = self._shown, self.card.placed.rect.topLeft()
        there = next((one for one in self.pinned if one.ref == ref), None)
        if there is not None:
            self.close()
            there.come_forward()
            return
        parent = self._view.window() if isinstance(self._view, QWidget) else self.card
        window = PinnedCard(self._model, self._theme, parent, ref)
        window.closed.connect(self._unpinned)
        window.body.again_wanted.connect(lambda: self._ask_again(ref))
        window.body.capabilities_wanted.connect(self._show_capabilities)
        self.pinned.append(window)
        self.close()
        window.show_at(corner)

    def _ask_again(self, ref: Ref | None) -> None:
        if ref is not None:
            self.close()
            self.again_wanted.emit(ref.turn_id)

    def _show_capabilities(self) -> None:
        self.close()
        self.capability_wanted.emit("probability")

    def _unpinned(self, window: object) -> None:
        self.pinned = [one for one in self.pinned if one is not window]


def _ctrl_is_down() -> bool:
    return bool(QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ControlModifier)
