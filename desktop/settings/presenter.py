"""Feeds the About page: reads what is installed in a thread, so that the window never waits for the disk."""

from __future__ import annotations

import asyncio

from shiboken6 import isValid

from core.tasks import TaskScope
from desktop.kit.bridge import starter
from desktop.settings import versions
from desktop.settings.about import AboutPage


class AboutPresenter:
    """Answers the page's wishes with tasks of `scope`."""

    def __init__(self, page: AboutPage, scope: TaskScope) -> None:
        self._page = page
        page.wanted.connect(starter(scope, self._parts, name="about: libraries"))
        page.texts_wanted.connect(starter(scope, self._texts, name="about: licence texts"))

    async def _parts(self) -> None:
        found = await asyncio.to_thread(versions.parts)
        report = await asyncio.to_thread(versions.report_lines)
        if isValid(self._page):
            self._page.show_parts(found, "\n".join(report))

    async def _texts(self) -> None:
        text = await asyncio.to_thread(versions.licence_texts)
        if isValid(self._page):
            self._page.show_texts(text)
