"""Runs the real Compose plugin over the project's files, and what it says under a real shell. No engine."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.paths import compose_files

CPU = ("compose.yaml",)
GPU = ("compose.yaml", "compose.gpu.yaml")
CDI = (*GPU, "compose.cdi.yaml")
_FAKE = """#!/bin/sh
printf '%s\\0' "$@"
"""


def whole_paths(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(str(compose_files() / name) for name in names)


def config(
    plugin: Path, files: Sequence[str], environment: Mapping[str, str], *options: str
) -> dict[str, Any]:
    """What Compose makes of the files. Raises CalledProcessError."""
    command = [str(plugin)]
    for file in files:
        command += ["-f", file]
    done = subprocess.run(
        [*command, *options, "--profile", "*", "config", "--format", "json"],
        env={"PATH": os.environ["PATH"], "HOME": "/home/somebody", **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
    )
    if done.returncode != 0:
        raise subprocess.CalledProcessError(done.returncode, command, done.stdout, done.stderr)
    # a $ is doubled, so that the text could be read as a Compose file again
    model: dict[str, Any] = json.loads(done.stdout.decode("utf-8").replace("$$", "$"))
    return model


def service(model: Mapping[str, Any]) -> dict[str, Any]:
    vllm: dict[str, Any] = model["services"]["vllm"]
    return vllm


def served(
    vllm: Mapping[str, Any], folder: Path, *, models: Path | None = None, shell: Sequence[str] = ("/bin/sh",)
) -> list[str]:
    """The arguments that a program called vllm gets from the container's command, run by a shell here. In
    `folder` that program is made; `models` stands for /models. Raises CalledProcessError."""
    program = folder / "vllm"
    program.write_text(_FAKE)
    program.chmod(0o755)
    words = [*shell, *vllm["entrypoint"][1:], *vllm["command"]]
    if models is not None:
        words = [word.replace("/models", str(models)) if "\n" in word else word for word in words]
    environment = {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    if done.returncode != 0:
        raise subprocess.CalledProcessError(done.returncode, words, done.stdout, done.stderr)
    return done.stdout.decode("utf-8").split("\0")[:-1]
