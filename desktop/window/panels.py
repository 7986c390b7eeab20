"""The docks around the chat as one: which are shown, how large, and which comes as an overlay."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRect, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow

from desktop.conversations.panel import ConversationsPanel
from desktop.kit import fonts
from desktop.kit.appearance import Appearance
from desktop.kit.theme import PANEL_MS
from desktop.log.panel import LogPanel, LogTools
from desktop.picker.run_bar import RunBar
from desktop.window.centre import Centre
from desktop.window.docks import SIZES, Dock, Overlay, SidePages
from desktop.window.geometry import (
    WindowMemory,
    encode_geometry,
    encode_state,
    restore_geometry,
    restore_state,
)
from desktop.window.placement import LEGEND_FROM, Panel, Placement


class Panels(QObject):
    """`docks` by panel; `overlay` shows one of them where there is no room beside the chat."""

    def __init__(
        self,
        window: QMainWindow,
        bar: RunBar,
        centre: Centre,
        conversations: ConversationsPanel,
        side: SidePages,
        log: LogPanel,
        log_tools: LogTools,
        appearance: Appearance,
    ) -> None:
        super().__init__(window)
        self._window, self._bar, self._centre = window, bar, centre
        self._appearance = appearance
        self._placement = Placement()
        self._arranging = False
        # no tabs: a dock behind another would be open and unseen
        window.setDockOptions(QMainWindow.DockOption.AnimatedDocks | QMainWindow.DockOption.AllowNestedDocks)
        window.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        window.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        self.docks = {
            Panel.CONVERSATIONS: Dock(Panel.CONVERSATIONS, conversations.head, conversations, window),
            Panel.SAMPLING: Dock(Panel.SAMPLING, side.head, side, window),
            Panel.LOG: Dock(Panel.LOG, log_tools, log, window),
        }
        self.sizes = dict(SIZES)
        for dock in self.docks.values():
            dock.closed.connect(lambda panel: self.show(panel, False))
            dock.sized.connect(self._dock_sized)
        self.overlay = Overlay(window)
        self.overlay.close_wanted.connect(self.close_overlay)

    # what is set from outside

    def restore(self, memory: WindowMemory) -> None:
        restore_geometry(self._window, memory.geometry)
        restore_state(self._window, memory.state, self._placement.wanted, self.sizes)
        self._placement.resize(self._design_width())
        self._arrange()

    def memory(self) -> WindowMemory:
        """Place, size and docks, for the settings."""
        self.close_overlay()
        state = encode_state(self._window, self._placement.wanted, self.sizes)
        return WindowMemory(encode_geometry(self._window), state)

    def show(self, panel: Panel, on: bool) -> None:
        """Dock or overlay, by what fits."""
        self._placement.set_shown(panel, on)
        self._arrange()
        if panel is Panel.LOG and on:
            self._fit_log()
        if not on and not self._centre.composer.edit.hasFocus():
            self._centre.composer.setFocus()

    def toggle(self, panel: Panel) -> None:
        self.show(panel, not self._placement.shown(panel))

    def shown(self, panel: Panel) -> bool:
        return self._placement.shown(panel)

    def close_overlay(self) -> None:
        if self._placement.overlay is not None:
            self.show(self._placement.overlay, False)

    def measure(self) -> None:
        """Sizes at the present zoom."""
        for dock in self.docks.values():
            dock.measure()

    def zoomed(self) -> None:
        """After everything else has its new size."""
        self._placement.resize(self._design_width())
        self._arrange()
        if self._window.isVisible():  # the zoom may have changed
            self._give_sizes()
            QTimer.singleShot(0, self, self._fit_log)  # when the centre is laid out

    def resized(self, higher_or_lower: bool) -> None:
        """The window has another size."""
        before = sum(map(self._placement.has_room, Panel))
        self._placement.resize(self._design_width())
        self._arrange()
        if sum(map(self._placement.has_room, Panel)) > before:
            self._give_sizes()
        if higher_or_lower:
            self._fit_log()
        if self.overlay.panel is not None:
            self._place_overlay()

    # arranging

    def _arrange(self) -> None:
        """Make docks and overlay what the placement says."""
        self._arranging = True
        placement = self._placement
        if self.overlay.panel is not placement.overlay:
            self.overlay.close_panel()
        for panel, dock in self.docks.items():
            docked = placement.docked(panel)
            if dock.isHidden() == docked:
                dock.setVisible(docked)
        if placement.overlay is not None and self.overlay.panel is None:
            self._place_overlay()
            dock = self.docks[placement.overlay]
            self.overlay.open(dock, self._appearance.duration(PANEL_MS))
        for panel in Panel:
            self._bar.set_checked(panel.value, placement.shown(panel))
        self._centre.set_legend_room(placement.width >= LEGEND_FROM)
        self._arranging = False

    def _dock_sized(self, panel: Panel) -> None:
        """Remembered if the person draws an edge: with the pointer, and no dock in the air for which the
        others make room. All else is the layout's doing."""
        drawn = bool(QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton)
        if not drawn or self._arranging or any(dock.isFloating() for dock in self.docks.values()):
            return
        self.sizes[panel] = round(self.docks[panel].extent * 100 / fonts.zoom())

    def _give_sizes(self) -> None:
        """Docks that come back have the sizes they left with, not those that a narrow window gave them."""
        self._arranging = True
        layout = self._window.layout()
        if layout is not None:
            layout.activate()
        for panel, dock in self.docks.items():
            if self._placement.docked(panel):
                dock.take(self._extent(panel))
        self._arranging = False

    def _extent(self, panel: Panel) -> int:
        """As large as the person made it; the log only as high as leaves a readable part of the chat."""
        wished = fonts.px(self.sizes[panel])
        if panel is not Panel.LOG:
            return wished
        room = self._window.height() - self._bar.height() - self._window.statusBar().height() - 1
        least = self.docks[panel].minimumSizeHint().height()
        return min(wished, max(room - self._centre.least_height(), least))

    def _fit_log(self) -> None:
        """The room changed, or the log came: there is less than it wishes, or enough again."""
        if self._placement.docked(Panel.LOG) and self.docks[Panel.LOG].extent != self._extent(Panel.LOG):
            self._give_sizes()

    def _place_overlay(self) -> None:
        top = self._bar.height()
        bottom = self._window.height() - self._window.statusBar().height()
        self.overlay.set_area(QRect(0, top, self._window.width(), bottom - top))

    def _design_width(self) -> float:
        """The window's width as if the zoom were 100 %."""
        return self._window.width() * 100 / fonts.zoom()
