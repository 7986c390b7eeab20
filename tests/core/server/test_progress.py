"""Compose's progress of four versions, recorded on real engines, and what ends up in a report."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.server.access import Progress
from core.server.progress import BUILD, OUTPUT, ProgressLines, ProgressReader, PullBytes, parse, readable

CASES = Path(__file__).parents[2] / "cases" / "progress"
VERSIONS = ("2.20.2", "2.40.3", "5.6.1")  # plain text, the first JSON, the second


def read(name: str) -> list[Progress]:
    reader = ProgressReader()
    text = (CASES / name).read_bytes().decode()
    return [found for line in text.split("\n") for found in reader.feed(line)]


def sums(found: list[Progress]) -> list[tuple[int, int]]:
    return [(one.current, one.total) for one in found if one.status == "pulling"]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_start_is_the_same_in_every_version(version: str) -> None:
    found = [(one.id.split()[0], one.status) for one in read(f"compose-{version}-up.txt")]
    assert list(dict.fromkeys(found)) == [
        ("Network", "creating"),
        ("Network", "created"),
        ("Container", "creating"),
        ("Container", "created"),
        ("Container", "starting"),
        ("Container", "started"),
    ]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_bytes_of_a_pull_are_summed_over_its_layers(version: str) -> None:
    found = read(f"compose-{version}-pull.txt")
    amounts = sums(found)
    assert amounts == sorted(amounts)
    assert amounts[0] == (0, 0)
    assert amounts[-1][0] == amounts[-1][1] == pytest.approx(60_006_980, rel=0.001)
    assert found[-1].status == "pulled"
    layers = {one.id: one.parent for one in found if one.parent}
    assert set(layers) == {"4c5a3ec3e98b", "1d92c41db8b9", "e3ecfbb2adcb"}
    assert set(layers.values()) == {found[0].id}


def test_how_much_comes_is_not_said_before_each_layer_has_told_its_size() -> None:
    pull = PullBytes()
    assert pull.add(Progress("a", "waiting", "", "x", 0, 0)) == (0, 0)
    assert pull.add(Progress("b", "downloading", "", "x", 5, 9)) == (5, 0)
    assert pull.add(Progress("c", "already exists", "", "x", 0, 0)) == (5, 0)
    assert pull.add(Progress("a", "downloading", "", "x", 1, 4)) == (6, 13)


def test_the_base_of_a_build_is_a_pull_too() -> None:
    found = read("compose-5.6.1-build.txt")
    assert sums(found) == sorted(sums(found))
    assert sums(found)[-1] == pytest.approx((60_001_899, 60_001_899), rel=0.001)
    steps = [one.text for one in found if one.status == "building" and one.parent == BUILD]
    assert any(text.endswith("oops quoted") for text in steps)
    assert found[-1].status == OUTPUT and "did not complete successfully" in found[-1].text


@pytest.mark.parametrize("version", VERSIONS)
def test_a_pull_is_a_few_lines_of_a_log_however_often_it_tells_its_bytes(version: str) -> None:
    found = read(f"compose-{version}-pull.txt")
    lines = ProgressLines()
    said = [line for one in found if (line := lines.feed(one))]
    assert said[0].endswith("pulling") and said[-1].endswith("pulled")
    assert len(said) == len(set(said)) < len(found) / 2
    assert any(line.startswith("1d92c41db8b9 extracting") for line in said)


def test_what_a_build_says_is_in_the_log_word_for_word() -> None:
    lines = ProgressLines()
    said = [line for one in read("compose-5.6.1-build.txt") if (line := lines.feed(one))]
    assert said[0] == "Image own/x:1 building"
    assert '#6 [2/2] RUN echo oops "quoted" >&2; false' in said and '#6 0.217 oops "quoted"' not in said
    assert "#6 0.217 oops quoted" in said and said[-1].startswith("failed to solve: process")
    assert not any(line.startswith("build ") for line in said), "sums are ours"


def test_d23_cursor_codes_and_carriage_returns() -> None:
    found = read("pull_progress_ansi.txt")
    assert {one.id for one in found} >= {"layer 0", "layer 1", "layer 2"}
    assert not any("\x1b" in one.id + one.text or "\r" in one.id + one.text for one in found)
    assert sums(found) == sorted(sums(found))
    assert sums(found)[-1][1] == 270_000_000


def test_d10_a_layer_that_begins_anew_does_not_take_bytes_back() -> None:
    reader = ProgressReader()
    line = '{"id":"1d92c41db8b9","parent_id":"Image x","status":"Working","text":"Downloading",%s}'
    seen = []
    for amount in ('"current":700,"total":1000', '"current":100,"total":1000', '"current":800,"total":1000'):
        layer, whole = reader.feed(line % amount)
        seen.append((layer.current, whole.current, whole.total))
    assert seen == [(700, 700, 1000), (700, 700, 1000), (800, 800, 1000)]


@pytest.mark.parametrize(
    ("line", "status", "text"),
    [
        ('{"id":"Container a","status":"Healthy"}', "healthy", ""),
        ('{"id":"Container a","status":"Done","text":"Healthy"}', "healthy", ""),
        (" Container a  Healthy", "healthy", ""),
        ('{"id":"vllm","text":"Error","status":"no such host"}', "error", "no such host"),
        ('{"id":"Image x","status":"Error","text":"Error","details":"denied"}', "error", "denied"),
        ('{"error":true,"message":"no \\u003cspace\\u003e"}', "error", "no <space>"),
        (
            "Error response from daemon: Running out of room",
            OUTPUT,
            "Error response from daemon: Running out of room",
        ),
        ("{not json", OUTPUT, "{not json"),
        ('{"id":7,"status":["x"],"current":"many"}', OUTPUT, '{"id":7,"status":["x"],"current":"many"}'),
        ("Step 3/9 : RUN pip install x", "building", "RUN pip install x"),
    ],
)
def test_lines_of_all_kinds(line: str, status: str, text: str) -> None:
    found = parse(line)
    assert found is not None
    assert (found.status, found.text) == (status, text)


@pytest.mark.parametrize("line", ["", "  \r", "\x1b[2K\x1b[1A"])
def test_nothing_is_told_of_an_empty_line(line: str) -> None:
    assert ProgressReader().feed(line) == ()


def test_errors_in_json_become_words() -> None:
    text = (
        '{"id":"Container a","status":"Working","text":"Starting"}\n'
        '{"error":true,"message":"Error response from daemon: could not select device driver \\"nvidia\\""}\n'
        "plain \x1b[31mred\x1b[0m\n"
    )
    assert readable(text).splitlines() == [
        "Container a starting",
        'Error response from daemon: could not select device driver "nvidia"',
        "plain red",
    ]
