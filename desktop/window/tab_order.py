"""The order in which the Tab key walks through the window."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtWidgets import QWidget

from desktop.conversations.panel import ConversationsPanel
from desktop.log.panel import LogPanel, LogTools
from desktop.picker.run_bar import RunBar
from desktop.sampling.panel import SamplingPanel
from desktop.window.centre import Centre


def order_tabs(
    run_bar: RunBar,
    conversations: ConversationsPanel,
    centre: Centre,
    sampling: SamplingPanel,
    tools: LogTools,
    log: LogPanel,
) -> None:
    """Run bar → conversations → tabs → transcript → the server's lines → composer → docks."""
    stops: list[QWidget] = [
        *run_bar.stops(),
        conversations.new,
        conversations.list,
        centre.tabs,
        centre.aside,
        centre.heat.button,
        centre.heat.why,
        *centre.empty.samples,
        centre.empty.server,
        centre.transcript,
        *centre.server.stops(),
        *centre.composer.stops(),
        *sampling.form.stops(),
        *sampling.answer.rows,
        *tools.stops(),
        log.view,
    ]
    for one, following in pairwise(stops):
        QWidget.setTabOrder(one, following)
