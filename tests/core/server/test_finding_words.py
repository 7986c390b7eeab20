"""resources/findings.toml is whole: every code that the core names has words, every fix can be pressed."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from typing import get_args

import pytest

from core import sentences
from core.errors import DockerError
from core.server import finding_words
from core.server.access import Check
from core.server.finding import Action, Collision, Finding, Fix
from core.server.findings import make, of_error
from tests.architecture.sources import ROOT, sources

# no trouble with Docker, or it carries its own finding
TOLD_BY_THEMSELVES = {
    f"docker.{name}"
    for name in ("busy", "cancelled", "lost", "not_ours", "not_started", "nothing", "version")
}
TABLES = sentences.tables(finding_words.FILE)


def _named(pattern: str) -> set[str]:
    """Codes that the server's part of the core names, as the first group of `pattern`."""
    own = [source for source in sources("core") if source.package == "core.server"]
    texts = [(ROOT / source.path).read_text(encoding="utf-8") for source in own]
    return {code for text in texts for code in re.findall(pattern, text)}


@pytest.mark.parametrize("code", sorted(TABLES["finding"]))
def test_a_finding_is_whole(code: str) -> None:
    table = TABLES["finding"][code]
    assert set(table) <= {"what", "why", "fixes", "docker", "engine", "collision"}
    assert table["what"].endswith(".") and set(table["fixes"]) <= set(TABLES["fix"])
    if "collision" in table:
        assert table["collision"]["amount"] in TABLES["amounts"]
    for entry in (*table.get("docker", ()), *table.get("engine", ())):
        assert set(entry) <= {"find", "take", "rank", "params"} and entry["find"]
        assert entry.get("rank", 0) in (0, 1)


def test_every_fix_is_used_and_can_be_pressed() -> None:
    used = {fix for table in TABLES["finding"].values() for fix in table["fixes"]}
    assert used == set(TABLES["fix"])
    for code, table in TABLES["fix"].items():
        assert table["title"] and table["button"], code
        assert table.get("action", "start") in get_args(Action)
        assert (table.get("action") == "open") == ("url" in table), code


def _fields(table: dict[str, object]) -> Iterator[tuple[str, str]]:
    for part in finding_words.PARTS:
        text = table.get(part, "")
        assert isinstance(text, str)
        for _, field, spec, _ in string.Formatter().parse(text):
            if field is not None:
                yield field, spec or ""


def test_sentences_can_be_filled_with_anything() -> None:
    """Absent parameters show as an ellipsis, text in a number's place as it is."""
    for name in ("finding", "fix", "steps", "checks", "amounts"):
        for code, table in TABLES[name].items():
            for field, spec in _fields(table):
                assert field.isidentifier() and re.fullmatch(r"(?:,|d|\.\df)?", spec), (name, code, field)
                for params in ({}, {field: "text"}, {field: 7}):
                    finding_words.fill(f"{{{field}:{spec}}}", params)
    assert finding_words.sentence(Finding("port_taken")).startswith("Port … is taken.")
    assert finding_words.sentence(Finding("port_taken", {"port": 8000})).startswith("Port 8000 is taken.")
    assert finding_words.title(Fix("context", "start", {"context": 17472})).endswith("17,472 tokens")


def test_a_code_that_is_not_known_has_the_words_of_the_unknown() -> None:
    assert finding_words.sentence(Finding("nosuch")).startswith("The server did not start.")
    assert finding_words.check_text(Check("gpu", "ok", "nosuch")) == "nosuch"


def test_every_error_of_docker_is_a_finding() -> None:
    codes = _named(r"DockerError\(\s*\"(docker\.[a-z_]+)\"") | _named(r"\"(docker\.[a-z_]+)\",\s*r\"")
    assert {"docker.missing", "docker.stopped", "docker.host_value"} <= codes
    for code in sorted(codes):
        found = of_error(DockerError(code))
        assert (found is None) == (code in TOLD_BY_THEMSELVES), code
        assert found is None or found.code == code.replace(".", "_")


def test_an_error_in_docker_s_own_words_is_read() -> None:
    said = "Error response from daemon: write /x: no space left on device"
    found = of_error(DockerError("docker.failed", detail=said))
    assert found is not None and (found.code, found.line) == ("disk_full", said)


def test_every_note_and_check_that_the_core_names_has_words() -> None:
    notes = _named(r"\.note\(\s*\"(\w+)\"") | _named(r"PhaseMark\(P\.\w+, \"(\w+)\"") | {"shards", "loaded"}
    assert len(notes) > 10 and notes <= set(TABLES["steps"]), notes - set(TABLES["steps"])
    checks = _named(r"Check\(\s*\"\w+\", (?:\"\w+\"|[\w ]+ if \w+ else \w+), \"(\w+)\"")
    assert len(checks) > 15 and checks <= set(TABLES["checks"]), checks - set(TABLES["checks"])
    made = _named(r"\bmake\(\s*\"(\w+)\"")
    assert len(made) > 8 and made <= set(TABLES["finding"]), made - set(TABLES["finding"])


def test_no_bar_is_drawn_where_nothing_collides() -> None:
    assert make("oom", {"asked": 3.0, "free": 8.0}).collision is None
    assert make("oom", {"asked": 3.0}).collision is None
    found = make("kv_tokens", {"asked": 40000, "free": 9216}).collision
    assert found == Collision("kv_cache", "tokens", 40000, 9216)
