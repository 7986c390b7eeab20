"""resources/vllm.toml: the versions that can be started."""

from __future__ import annotations

import pytest

from core.errors import DockerError
from core.server.spec import VERSION
from core.server.versions import oldest_compose, version_of, versions


def test_the_default_is_first_and_known() -> None:
    assert versions()[0].version == version_of().version == version_of(VERSION).version == VERSION
    assert [one.version for one in versions()] == ["0.32.0", "0.33.0"]


def test_an_unknown_version_is_named_with_the_known_ones() -> None:
    with pytest.raises(DockerError) as caught:
        version_of("0.1")
    assert caught.value.code == "docker.version"
    assert caught.value.params == {"version": "0.1", "known": "0.32.0, 0.33.0"}


def test_the_tag_is_the_version_and_faults_are_on_platforms_there_are() -> None:
    for one in versions():
        for image in (one.cpu, one.gpu):
            assert image.download.endswith(f":v{one.version}")
            assert {platform for where in image.faults.values() for platform in where} <= set(image.platforms)
        assert one.cpu.faults and one.cpu.base and one.cpu.image != one.cpu.download
        assert one.gpu.driver > 0 and not one.gpu.faults


def test_0_33_has_one_fault_less() -> None:
    assert set(version_of("0.32.0").cpu.faults) - set(version_of("0.33.0").cpu.faults) == {"slot_mapping"}


def test_the_oldest_compose_is_a_version() -> None:
    assert tuple(map(int, oldest_compose().split("."))) >= (2, 24)
