"""Mirrors briefcase.toml between two markers at the end of pyproject.toml; `--check` only compares.

Standard library only. Usage: sync.py [--check]
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BEGIN = "# --- from briefcase.toml by resources/packaging/sync.py: edit there ---"
END = "# --- end of briefcase.toml ---"


def block(source: str) -> str:
    """What of briefcase.toml is mirrored: all but its leading comment. Raises ValueError on bad TOML."""
    tables = tomllib.loads(source)
    if list(tables) != ["tool"] or list(tables["tool"]) != ["briefcase"]:
        raise ValueError("briefcase.toml may hold only [tool.briefcase…] tables")
    lines = source.splitlines()
    first = next(index for index, line in enumerate(lines) if line.startswith("["))
    return "\n".join(lines[first:]).strip()


def mirrored(project: str, source: str) -> str:
    """pyproject.toml's text with the block replaced, or added at its end."""
    head = project.split(BEGIN)[0].rstrip() if BEGIN in project else project.rstrip()
    tail = project.split(END, 1)[1].strip() if END in project else ""
    if tail:
        raise ValueError(f"nothing may follow the line {END!r} in pyproject.toml")
    return f"{head}\n\n{BEGIN}\n{block(source)}\n{END}\n"


def main(arguments: list[str]) -> int:
    source = (ROOT / "briefcase.toml").read_text(encoding="utf-8")
    target = ROOT / "pyproject.toml"
    project = target.read_text(encoding="utf-8")
    wanted = mirrored(project, source)
    tomllib.loads(wanted)
    if wanted == project:
        return 0
    if "--check" in arguments:
        print("pyproject.toml does not mirror briefcase.toml: run python resources/packaging/sync.py")
        return 1
    target.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
