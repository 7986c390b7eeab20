"""The text of "Copy report": what was started, how far it came, what was found, the end of the log."""

from __future__ import annotations

import platform
from collections.abc import Sequence

import msgspec

from core import __version__
from core.log_text import hidden, saved_lines
from core.server.finding_words import sentence
from core.server.launch_record import LaunchRecord
from core.server.state import ServerState, StepStatus

_LINES = 300  # of the log's end
_FIRST = 60  # and of its beginning


def report(state: ServerState, record: LaunchRecord | None, lines: Sequence[str]) -> str:
    """In English, redacted: no key, no name of a person or computer in it, as far as a program can tell."""
    parts = [
        f"Token Loupe {__version__}, {platform.system()} {platform.machine()}",
        f"State: {state.phase.value}" + ("" if state.ours else f", begun by {state.by or 'another'}"),
    ]
    if state.spec is not None:
        parts.append("Start: " + msgspec.json.encode(state.spec).decode())
    if record is not None:
        parts.append(
            f"Docker {record.docker or '?'}, Compose {record.compose or '?'}, vLLM {record.vllm or '?'}"
        )
        parts.append(f"Image: {record.image or '?'} {record.digest}")
        parts += [f"Command: {line}" for line in record.lines]
    parts += [
        f"  {step.phase.value}: {step.status.value}"
        + ("" if step.seconds is None else f", {step.seconds:.1f} s")
        + (f", {step.note} {dict(step.params)}" if step.note else "")
        for step in state.steps
        if step.status is not StepStatus.TODO
    ]
    if state.finding is not None:
        parts.append(f"Finding: {state.finding.code}: {sentence(state.finding)}")
        parts += [f"  {state.finding.line}"] if state.finding.line else []
    if state.error is not None:
        parts.append(f"Error: {state.error}")
    text = hidden("\n".join(parts))
    if not lines:
        return text + "\n"
    shown = list(lines)
    if len(shown) > _FIRST + _LINES:
        left_out = len(shown) - _FIRST - _LINES
        shown = [*shown[:_FIRST], f"… {left_out} lines left out …", *shown[-_LINES:]]
    return "\n".join([text, "", "Log:", *(clean for line in shown for clean in saved_lines(line)), ""])
