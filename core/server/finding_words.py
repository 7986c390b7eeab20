"""The English words of findings, fixes, steps and checks, from resources/findings.toml.

The command line prints them as they are; the window translates them first, in Qt's context "Findings".
"""

from __future__ import annotations

from typing import Final, Literal

from core import sentences
from core.sentences import Words, fill
from core.server.access import Check
from core.server.finding import Finding, Fix

FILE: Final = "findings.toml"
PARTS: Final = ("what", "why", "title", "effect", "button", "text")  # the only values that are sentences
Table = Literal["finding", "fix", "steps", "checks", "amounts"]

__all__ = ["FILE", "PARTS", "Table", "check_text", "effect", "entry", "fill", "sentence", "title"]


def entry(table: Table, code: str) -> Words:
    """The sentences of a code by their part; of a finding that is not known those of "unknown", else none."""
    words = sentences.words(FILE)
    found = words.get(f"{table}.{code}") or (words["finding.unknown"] if table == "finding" else {})
    return {part: found[part] for part in PARTS if part in found}


def sentence(finding: Finding) -> str:
    """What happened and why, in one line."""
    known = entry("finding", finding.code)
    return " ".join(fill(known[part], finding.params) for part in ("what", "why") if known.get(part))


def title(fix: Fix) -> str:
    return fill(entry("fix", fix.code).get("title", fix.code), fix.params)


def effect(fix: Fix) -> str:
    """What the fix brings, "" where its title says it all."""
    return fill(entry("fix", fix.code).get("effect", ""), fix.params)


def check_text(check: Check) -> str:
    return fill(entry("checks", check.note).get("text", check.note), check.params)
