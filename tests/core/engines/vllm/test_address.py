"""Addresses as people type them, and proxies that must never be in the way."""

from __future__ import annotations

import asyncio

import pytest

from core.engines.vllm.address import is_loopback, normalise, proxy_for
from core.engines.vllm.engine import VllmEngine
from core.engines.vllm.http import Server
from core.errors import EngineError
from tests.fakes.fake_vllm import FakeVllm


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("localhost:8000", "http://localhost:8000"),
        (" http://localhost:8000/ ", "http://localhost:8000"),
        ("http://localhost:8000/v1", "http://localhost:8000"),
        ("http://localhost:8000/v1/", "http://localhost:8000"),
        ("http://localhost:8000/v1/completions", "http://localhost:8000"),
        ("http://h/v1/chat/completions", "http://h"),
        ("http://h:1/inference/v1/generate", "http://h:1"),
        ("https://gpu.example/team/llm/v1//", "https://gpu.example/team/llm"),
        ("HTTPS://GPU.Example:8443", "https://gpu.example:8443"),
        ("0.0.0.0:8000", "http://127.0.0.1:8000"),
        ("http://[::]:8000", "http://[::1]:8000"),
        ("[::1]:8000", "http://[::1]:8000"),
        ("http://user:secret@h:8000/?q=1#x", "http://h:8000"),
    ],
)
def test_all_forms_of_an_address(typed: str, meant: str) -> None:
    assert normalise(typed) == meant
    assert normalise(meant) == meant


@pytest.mark.parametrize(
    "typed", ["", "ftp://h", "http://", "http://h:x", "http://h:99999", "a b", "http://[::1", "h\x00"]
)
def test_what_is_no_address_is_said(typed: str) -> None:
    with pytest.raises(EngineError) as caught:
        normalise(typed)
    assert caught.value.code == "server.address"


def test_loopback_by_name_and_number() -> None:
    for address in ("http://localhost:1", "http://a.localhost", "http://127.9.9.9", "http://[::1]:8000"):
        assert is_loopback(address)
    for address in ("http://localhost.example", "http://128.0.0.1", "http://10.0.0.1"):
        assert not is_loopback(address)


@pytest.fixture
def dead_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)


def test_s17_proxies_are_for_others(dead_proxy: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """S17."""
    assert proxy_for("http://localhost:8000") is None
    assert proxy_for("http://127.0.0.1:8000") is None
    assert proxy_for("http://gpu.example") == "http://127.0.0.1:9"
    monkeypatch.setenv("no_proxy", "gpu.example, 10.0.0.0/8,[fd00::]/16")
    assert proxy_for("https://gpu.example:8443") is None
    assert proxy_for("http://10.1.2.3:8000") is None
    assert proxy_for("http://11.1.2.3:8000") == "http://127.0.0.1:9"


def test_a_local_server_is_reached_past_a_dead_proxy(dead_proxy: None) -> None:
    async def main() -> None:
        async with FakeVllm().serve() as fake, Server(fake.address) as server:
            assert (await server.get("/version")).status == 200

    asyncio.run(main())


@pytest.mark.parametrize("broken", ["socks9://x", "http://[bad", "://", "http://h:99999"])
def test_a_broken_proxy_setting_is_never_fatal(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.setenv("http_proxy", broken)

    async def main() -> None:
        async with Server("http://gpu.example") as server:
            await server.open()
            assert server.proxy is None

    asyncio.run(main())


@pytest.mark.parametrize("form", ["{}", "{}/", "{}/v1", "{}/v1/", "{}/v1/models"])
@pytest.mark.parametrize("prefix", ["", "/team/llm"])
def test_m03_every_form_finds_the_server(form: str, prefix: str) -> None:
    """M03."""

    async def main() -> None:
        async with FakeVllm(prefix=prefix).serve() as fake:
            engine = VllmEngine(form.format(fake.address))
            assert (await engine.connect()).model == "tiny"
            await engine.close()

    asyncio.run(main())


def test_what_is_no_vllm_server_is_said() -> None:
    async def code(fake: FakeVllm, key: str = "") -> str:
        async with fake.serve():
            engine = VllmEngine(fake.address, key=key)
            with pytest.raises(EngineError) as caught:
                await engine.connect()
            await engine.close()
            return caught.value.code

    async def main() -> None:
        assert await code(FakeVllm(vllm=False)) == "server.no_models"
        assert await code(FakeVllm(key="secret")) == "server.key"
        assert await code(FakeVllm(key="secret"), "wrong") == "server.key"
        closed = FakeVllm()
        async with closed.serve():
            pass
        engine = VllmEngine(closed.address)
        with pytest.raises(EngineError) as caught:
            await engine.connect()
        assert caught.value.code == "server.unreachable"
        await engine.close()

    asyncio.run(main())


def test_a_key_is_sent_and_never_shown() -> None:
    async def main() -> None:
        async with FakeVllm(key="s3cret").serve() as fake:
            engine = VllmEngine(fake.address, key="s3cret")
            found = await engine.connect()
            assert "s3cret" not in repr(found) and "s3cret" not in repr(vars(engine))
            await engine.close()

    asyncio.run(main())
    with pytest.raises(EngineError) as caught:
        VllmEngine("localhost:1", key="schlüssel\n")
    assert caught.value.code == "server.key"
