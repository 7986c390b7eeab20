"""The source files as parsed trees: what the architecture tests look at."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LAYERS = ("core", "desktop")


@dataclass(frozen=True)
class Source:
    """One module: its dotted name, path from the root, text and tree."""

    name: str
    path: str
    text: str
    tree: ast.Module

    @property
    def package(self) -> str:
        """The feature folder it belongs to (`core.chat`), or its own name on the top level of a layer."""
        return ".".join(self.name.split(".")[:2])


@cache
def sources(*folders: str) -> tuple[Source, ...]:
    found = []
    for folder in folders or LAYERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            relative = path.relative_to(ROOT)
            parts = list(relative.with_suffix("").parts)
            if parts[-1] == "__init__":
                parts.pop()
            text = path.read_text(encoding="utf-8")
            found.append(Source(".".join(parts), str(relative), text, ast.parse(text, str(relative))))
    return tuple(found)


def _only_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and dotted(node.test).split(".")[-1] == "TYPE_CHECKING"


def _nodes(tree: ast.AST, lazy: bool) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if _only_for_types(node):
            continue
        if not lazy and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        yield node
        yield from _nodes(node, lazy)


def imports(source: Source, *, lazy: bool = True) -> Iterator[tuple[str, int]]:
    """(dotted module, line) of everything imported at run time; without `lazy` only when it is loaded."""
    for node in _nodes(source.tree, lazy):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            assert node.level == 0, f"{source.path}:{node.lineno}: relative import"
            yield node.module, node.lineno
            for alias in node.names:
                yield f"{node.module}.{alias.name}", node.lineno


def calls(source: Source) -> Iterator[tuple[str, ast.Call]]:
    """(last name, node) of every call: `x.y.exec()` gives "exec"."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                yield node.func.attr, node
            elif isinstance(node.func, ast.Name):
                yield node.func.id, node


def dotted(node: ast.expr) -> str:
    """`QMenu.exec` for the expression of that name; "" for anything that is not a plain chain."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return f"{before}.{node.attr}" if before else ""
    return ""
