"""The Compose plugin of these tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.real.docker.packages import NotHere, compose


def _plugin(version: str) -> Path:
    try:
        return compose(version)
    except (NotHere, OSError) as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"Compose {version} could not be downloaded: {error}")


@pytest.fixture(scope="session")
def plugin() -> Path:
    return _plugin("5.6.1")


@pytest.fixture(scope="session", params=["5.6.1", "2.40.3"])
def any_plugin(request: pytest.FixtureRequest) -> Path:
    return _plugin(request.param)
