"""Models for the tests and pictures of the picker: one of every state."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from desktop.models.values import (
    Badge,
    FileRow,
    FitPart,
    FitView,
    Group,
    Machine,
    ModelDetail,
    ModelRow,
    State,
)

GIB: Final = 1 << 30
GB: Final = 1_000_000_000
DAY: Final = 86_400.0
GEMMA: Final = "google/gemma-4-E2B-it"
MACHINE: Final = Machine("RTX 4080", "gpu", round(13.9 * GIB), round(13.9 * GIB), round(15.6 * GIB), 212 * GB)


def _row(
    key: str, name: str, size: float, group: Group, state: State, badge: Badge, **rest: object
) -> ModelRow:
    values = {"note": key, **rest}
    return ModelRow(key, name, size=round(size * GB), group=group, state=state, badge=badge, **values)  # type: ignore[arg-type]


HERE, DOWNLOADING, SUGGESTED, FOUND = Group
BUILT_IN: Final = _row(
    "built-in", "SmolLM2 135M Instruct", 0.27, HERE, State.READY, Badge.FITS,
    note="built in, runs in the app or on vLLM",
)  # fmt: skip
RUNNING: Final = _row("Qwen/Qwen3.5-0.8B", "Qwen3.5 0.8B", 1.77, HERE, State.RUNNING, Badge.FITS_GPU)
OLDER: Final = _row(
    "Qwen/Qwen2.5-7B-Instruct-AWQ", "Qwen2.5 7B Instruct AWQ", 5.57, HERE, State.READY, Badge.FITS_GPU,
    age=3 * DAY + 60,
)  # fmt: skip
FETCHING: Final = _row(
    GEMMA, "Gemma 4 E2B", 10.25, DOWNLOADING, State.FETCHING, Badge.FITS_GPU, done=round(6.41 * GB), left=47.0
)
WAITING: Final = _row(
    "google/gemma-4-E2B-it-assistant", "Gemma 4 E2B drafter", 0.16, DOWNLOADING, State.WAITING, Badge.NONE
)
ABSENT: Final = _row("Qwen/Qwen3.5-4B", "Qwen3.5 4B", 9.32, SUGGESTED, State.ABSENT, Badge.FITS_GPU)
TIGHT: Final = _row("01-ai/Yi-1.5-6B-Chat", "Yi 1.5 6B Chat", 12.12, SUGGESTED, State.ABSENT, Badge.TIGHT)
GATED: Final = _row(
    "meta-llama/Llama-3.1-8B-Instruct", "Llama 3.1 8B Instruct", 16.06, SUGGESTED, State.GATED, Badge.TOO_BIG,
    page="https://huggingface.co/meta-llama/Llama-3.1-8B-Instruct",
)  # fmt: skip
UNSUPPORTED: Final = _row(
    "tiiuae/Falcon-H1-0.5B-Instruct",
    "Falcon H1 0.5B Instruct",
    1.04,
    SUGGESTED,
    State.ABSENT,
    Badge.UNSUPPORTED,
)
ROWS: Final = (BUILT_IN, RUNNING, OLDER, FETCHING, WAITING, ABSENT, TIGHT, GATED, UNSUPPORTED)

DAMAGED: Final = replace(RUNNING, state=State.DAMAGED, trouble="1 of 9 files is damaged")
FOREIGN: Final = _row(
    "/home/ana/models/玉山 7B", "玉山 7B", 14.2, HERE, State.FOREIGN, Badge.UNKNOWN, age=400 * DAY
)
PAUSED: Final = replace(FETCHING, state=State.PAUSED, left=None)
STALLED: Final = replace(
    FETCHING, key="a/stalled", name="Stalled", state=State.STALLED, left=None,
    trouble="No answer from the hub for 34 s, trying again",
)  # fmt: skip
NO_ROOM: Final = replace(
    FETCHING, key="b/full", name="A model with a name so long that it cannot stand in any row of the list",
    state=State.PAUSED, trouble="Paused: 1.2 GB of disk left",
)  # fmt: skip
FAILED: Final = replace(
    FETCHING,
    key="c/failed",
    name="Broken off",
    state=State.FAILED,
    trouble="The hub refused: too many requests",
)
VERIFYING: Final = replace(
    FETCHING, key="d/verifying", name="Checked", state=State.VERIFYING, done=round(10.25 * GB), files=(3, 9)
)
PARTIAL: Final = replace(FETCHING, key="e/partial", name="Begun last week", state=State.PARTIAL, left=None)
HIT: Final = _row(
    "HuggingFaceTB/SmolLM3-3B", "HuggingFaceTB/SmolLM3-3B", 6.15, FOUND, State.ABSENT, Badge.NONE
)
STATES: Final = (DAMAGED, FOREIGN, PAUSED, STALLED, NO_ROOM, FAILED, VERIFYING, PARTIAL, HIT)

FIT: Final = FitView(
    Badge.FITS_GPU,
    (
        FitPart("weights", round(9.55 * GIB), round(9.55 * GIB)),
        FitPart("kv", round(0.6 * GIB), round(0.9 * GIB)),
        FitPart("working", round(1.2 * GIB), round(1.8 * GIB)),
    ),
    room=round(13.9 * GIB),
    device="gpu",
    context=32_768,
)
CPU_FIT: Final = FitView(
    Badge.TOO_BIG,
    (
        FitPart("weights", round(10.26 * GIB), round(10.26 * GIB)),
        FitPart("kv", 2 * GIB, 2 * GIB),
        FitPart("processes", round(1.9 * GIB), round(2.3 * GIB)),
        FitPart("working", round(0.8 * GIB), round(1.4 * GIB)),
        FitPart("compiling", round(0.3 * GIB), round(0.9 * GIB)),
        FitPart("loading", 0, round(3.1 * GIB)),
    ),
    room=12 * GIB,
    device="cpu",
    context=131_072,
    largest=0,
    reason="memory",
)
FILES: Final = (
    FileRow("model.safetensors", round(10.21 * GB), round(6.28 * GB), "coming"),
    FileRow("tokenizer.json", 32_200_000, 32_200_000, "done"),
    FileRow("chat_template.jinja", 16_000, 16_000, "done"),
    FileRow("config.json", 4_000, 4_000, "done"),
)
DONE: Final = tuple(replace(row, done=row.size, state="done") for row in FILES)
DETAIL: Final = ModelDetail(
    GEMMA,
    "Gemma 4 E2B",
    GEMMA,
    "3e22461f65e89153144f8adb70e3b8c2cc9845a7",
    State.FETCHING,
    ("text", "image", "sound", "video"),
    131_072,
    ("English", "繁體中文"),
    FIT,
    done=round(6.31 * GB),
    total=round(10.25 * GB),
    speed=84e6,
    left=47.0,
    files=FILES,
    licence="Gemma terms",
)


def detail(state: State, **values: object) -> ModelDetail:
    """The same model in another state."""
    return replace(DETAIL, state=state, **values)  # type: ignore[arg-type]


def many(count: int) -> tuple[ModelRow, ...]:
    return tuple(
        replace(ABSENT, key=f"org/model-{at}", name=f"Model {at}", note=f"org/model-{at}", group=Group.FOUND)
        for at in range(count)
    )
