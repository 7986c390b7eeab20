"""Which of the containers of ours counts, and which start it belongs to."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from core.server.access import BY_HAND, LABEL_LAUNCH, Container
from core.server.environment import spec_of
from core.server.spec import LaunchSpec

_RUNS = ("running", "paused", "restarting")


def runs(container: Container) -> bool:
    return container.status in _RUNS


def pick(containers: Sequence[Container]) -> Container | None:
    """The one that counts of several: one that runs, the newest of them."""
    return max(containers, key=lambda one: (runs(one), one.started, one.id), default=None)


def launch_of(container: Container) -> str:
    return container.labels.get(LABEL_LAUNCH, "")


def by_hand(container: Container) -> bool:
    return launch_of(container) == BY_HAND


def known_spec(container: Container, served: Sequence[str] = ()) -> LaunchSpec:
    """As its label or arguments say. `served`: the models that it lists, where it answers: of one whose
    arguments name none."""
    spec = spec_of(container)
    if spec is not None:
        return spec
    name = served[0] if served else container.image
    port = next((outside for _, outside, inside in container.ports if inside == 8000), 0)
    return msgspec.convert({"model": name, "folder": "", "port": port or 8000}, LaunchSpec)
