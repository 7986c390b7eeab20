"""Every error code the core can raise has its words in resources/errors.toml, with parameters that exist."""

from __future__ import annotations

import ast
import string
import tomllib
from dataclasses import dataclass

from core.errors import LoupeError
from tests.architecture.sources import ROOT, calls, sources


@dataclass(frozen=True)
class Raised:
    """One place that makes an error of `code`; `open` if it passes parameters the reader cannot see (**x)."""

    where: str
    code: str
    parameters: frozenset[str]
    open: bool


def _words() -> dict[str, dict[str, str]]:
    tables = tomllib.loads((ROOT / "resources" / "errors.toml").read_text(encoding="utf-8"))
    flat: dict[str, dict[str, str]] = {}

    def walk(prefix: str, table: dict[str, object]) -> None:
        if any(isinstance(value, str) for value in table.values()):
            flat[prefix] = {key: value for key, value in table.items() if isinstance(value, str)}
        for key, value in table.items():
            if isinstance(value, dict):
                walk(f"{prefix}.{key}" if prefix else key, value)

    walk("", tables)
    return flat


def _error_classes() -> dict[str, str]:
    """class name -> its own code, for LoupeError and everything derived from it."""
    codes = {"LoupeError": LoupeError.code}
    trees = [node for source in sources() for node in ast.walk(source.tree) if isinstance(node, ast.ClassDef)]
    for _ in range(4):  # deep enough for the tree of classes
        for node in trees:
            if not any(isinstance(base, ast.Name) and base.id in codes for base in node.bases):
                continue
            own = [
                item.value.value
                for item in node.body
                if isinstance(item, ast.Assign)
                and isinstance(item.targets[0], ast.Name)
                and item.targets[0].id == "code"
                and isinstance(item.value, ast.Constant)
            ]
            base = next(base.id for base in node.bases if isinstance(base, ast.Name) and base.id in codes)
            codes[node.name] = str(own[0]) if own else codes[base]
    return codes


def _raised() -> list[Raised]:
    classes = _error_classes()
    found = []
    for source in sources():
        for name, node in calls(source):
            if name not in classes:
                continue
            first = node.args[0] if node.args else None
            given = first.value if isinstance(first, ast.Constant) else None
            if first is not None and not isinstance(given, str):
                continue  # a code carried over from elsewhere, or one that is made from a status
            code = given if isinstance(given, str) and given else classes[name]
            keywords = {keyword.arg for keyword in node.keywords}
            names = frozenset(keyword for keyword in keywords if keyword is not None)
            found.append(Raised(f"{source.path}:{node.lineno}", code, names, None in keywords))
    return found


def test_every_code_has_words() -> None:
    words = _words()
    missing = {f"{raised.code} ({raised.where})" for raised in _raised() if raised.code not in words}
    missing |= {code for code in _error_classes().values() if code not in words}
    assert not missing, "\n".join(sorted(missing))


def test_words_use_only_parameters_that_are_given() -> None:
    words = _words()
    wrong = []
    for raised in _raised():
        if raised.open:
            continue
        for part, text in words.get(raised.code, {}).items():
            used = {field for _, field, _, _ in string.Formatter().parse(text) if field}
            lacking = used - raised.parameters - {"detail"}
            if lacking:
                wrong.append(f"{raised.where}: {raised.code}.{part} uses {sorted(lacking)}")
    assert not wrong, "\n".join(wrong)


def test_every_entry_says_what_why_and_next() -> None:
    lacking = [
        f"{code}: {key}"
        for code, entry in _words().items()
        for key in ("what", "why", "next")
        if key not in entry
    ]
    assert not lacking, "\n".join(lacking)
