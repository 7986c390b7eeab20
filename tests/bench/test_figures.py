"""The bench's arithmetic: percentiles, medians, verdicts."""

from __future__ import annotations

import json
import math
from pathlib import Path

from tests.bench import figures
from tests.bench.feed import PIECES, rows


def test_percentile_is_a_value_that_was_measured() -> None:
    assert figures.percentile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert figures.percentile(list(range(1000)), 0.999) == 998
    assert figures.percentile([5.0], 0.999) == 5.0
    assert math.isnan(figures.percentile([], 0.5))


def test_a_verdict_compares_the_median_with_the_aim() -> None:
    found = figures.collect(
        "many",
        [
            {"stall_ms_p999": 9.0, "stall_ms_max": 30.0, "idle_stall_ms_max": 10.0, "gc_ms_max": 1.0},
            {"stall_ms_p999": 99.0, "stall_ms_max": 20.0, "idle_stall_ms_max": 10.0},
            {"stall_ms_p999": 12.0, "stall_ms_max": 26.5, "idle_stall_ms_max": 10.0},
        ],
    )
    verdicts = {figure.name: figures.verdict(figure, found) for figure in found}
    assert verdicts == {
        "stall_ms_p999": "ok",
        "stall_ms_max": "over",
        "idle_stall_ms_max": "",
        "gc_ms_max": "",
    }
    ratio = figures.Figure("local_ratio", "local", (0.9, 0.8, 1.2))
    assert figures.verdict(ratio, [ratio]) == "under"


def test_the_file_says_what_is_not_known(tmp_path: Path) -> None:
    path = tmp_path / "build" / "bench.json"
    figure = figures.Figure("window_ms_cold", "start", (math.nan,))
    figures.write(path, {"runs": 1}, [figure])
    assert json.loads(path.read_text())["figures"][0]["median"] is None
    assert "window_ms_cold" in figures.table([figure])


def test_made_up_rows_are_like_the_engines() -> None:
    made = list(rows(2000, 60))
    for row in made:
        listed = {candidate.id: candidate for candidate in row.candidates}
        assert len(listed) == len(row.candidates) in (5, 6)
        assert listed[row.id].logprob == row.logprob and listed[row.id].rank == row.rank
        assert row.others is not None and -1e-9 < row.others < 1
        assert all(0 < token < len(PIECES) for token in listed)
    assert sum(len(row.candidates) == 6 for row in made) > 100
