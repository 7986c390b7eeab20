"""Numbers of a bench: percentiles, medians over runs, the table and the JSON file."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

# name -> (aim, unit); "<=" unless the name is in MORE_IS_BETTER. None: no aim, only reported.
AIMS: dict[str, tuple[float | None, str]] = {
    "stall_ms_p999": (16.0, "ms"),
    "frame_ms_p99": (8.0, "ms"),
    "tail_lag_ms": (20.0, "ms"),
    "hover_to_card_ms": (16.0, "ms"),
    "bytes_per_token": (150.0, "bytes"),
    "window_ms_warm": (350.0, "ms"),
    "local_ratio": (1.0, ""),
    "client_ratio": (1.5, ""),
    "first_token_added_ms": (5.0, "ms"),
    "stop_ms": (20.0, "ms"),
    "log_frame_ms": (2.0, "ms"),
    "log_frame_ms_p99": (None, "ms"),
    "picker_open_ms": (100.0, "ms"),
    "picker_step_ms": (None, "ms"),
    "download_ratio": (0.95, ""),
    "download_s": (None, "s"),
    "curl_s": (None, "s"),
    "snapshot_s": (None, "s"),
    "download_snapshot_ratio": (None, ""),
    "download_curl_ratio": (None, ""),
    "download_synced_curl_ratio": (None, ""),
    "verify_ratio": (0.95, ""),
    "served_ratio": (0.98, ""),
    "start_ratio": (1.05, ""),
    "start_ratio_alike": (None, ""),
}
MORE_IS_BETTER = {"local_ratio", "served_ratio", "download_ratio", "verify_ratio"}
STALL_MAX_OVER_IDLE = 16.0


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` (0..1) of all values do not exceed; nan of nothing."""
    if not values:
        return math.nan
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


@dataclass(frozen=True)
class Figure:
    """One measured quantity over several runs."""

    name: str
    case: str
    runs: tuple[float, ...]

    @property
    def median(self) -> float:
        known = [value for value in self.runs if not math.isnan(value)]
        return statistics.median(known) if known else math.nan


def collect(case: str, runs: Sequence[dict[str, float]]) -> list[Figure]:
    names = dict.fromkeys(name for run in runs for name in run)
    return [Figure(name, case, tuple(run.get(name, math.nan) for run in runs)) for name in names]


def verdict(figure: Figure, others: Sequence[Figure]) -> str:
    """What the aim says of a figure: "ok", "over" (or "under"), or "" without an aim."""
    if figure.name == "stall_ms_max":
        idle = next((f for f in others if f.case == figure.case and f.name == "idle_stall_ms_max"), None)
        if idle is None:
            return ""
        return "ok" if figure.median <= idle.median + STALL_MAX_OVER_IDLE else "over"
    aim, _ = AIMS.get(figure.name, (None, ""))
    if aim is None or math.isnan(figure.median):
        return ""
    if figure.name in MORE_IS_BETTER:
        return "ok" if figure.median >= aim else "under"
    return "ok" if figure.median <= aim else "over"


def aim_text(figure: Figure) -> str:
    if figure.name == "stall_ms_max":
        return "<= idle + 16"
    aim, _ = AIMS.get(figure.name, (None, ""))
    if aim is None:
        return ""
    return f"{'>=' if figure.name in MORE_IS_BETTER else '<='} {aim:g}"


def table(figures: Sequence[Figure]) -> str:
    head = f"{'case':<26} {'figure':<24} {'median':>10} {'least':>10} {'most':>10} {'aim':>13}"
    lines = [head, "-" * len(head)]
    for figure in figures:
        known = [value for value in figure.runs if not math.isnan(value)]
        if not known:
            lines.append(f"{figure.case:<26} {figure.name:<24} {'-':>10}")
            continue
        numbers = f"{figure.median:>10.2f} {min(known):>10.2f} {max(known):>10.2f}"
        aim = f"{aim_text(figure):>13} {verdict(figure, figures)}"
        lines.append(f"{figure.case:<26} {figure.name:<24} {numbers} {aim}")
    return "\n".join(lines)


def write(path: Path, about: dict[str, object], figures: Sequence[Figure]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    entries = [
        {
            "case": figure.case,
            "name": figure.name,
            "median": None if math.isnan(figure.median) else figure.median,
            "runs": [None if math.isnan(value) else value for value in figure.runs],
            "aim": aim_text(figure),
            "verdict": verdict(figure, figures),
        }
        for figure in figures
    ]
    path.write_text(json.dumps({"about": about, "figures": entries}, indent=1) + "\n", encoding="utf-8")
