"""What the tests of downloads begin with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.models.downloading import hub_of
from tests.fakes.hub.server import FakeHub


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[FakeHub]:
    with hub_of(monkeypatch, home) as served:
        yield served
