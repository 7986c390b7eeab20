"""What keeps the tree readable: short files, one sentence each, plain names, colours in one place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.architecture.sources import ROOT, calls, dotted, sources

MAX_LINES = 400
MAX_FUNCTION = 80  # about 60 is the aim; the reader's minute matters more than the figure
DRAWERS = {"utils", "util", "helpers", "helper", "misc", "common", "manager", "stuff", "lib", "shared"}


def test_files_are_short() -> None:
    long = {
        source.path: len(source.text.splitlines())
        for source in sources("core", "desktop", "tests", "resources")
        if len(source.text.splitlines()) > MAX_LINES
    }
    assert not long, long


def test_functions_are_short() -> None:
    long = [
        f"{source.path}:{node.lineno} {node.name} ({node.end_lineno - node.lineno + 1})"
        for source in sources("core", "desktop", "tests", "resources")
        for node in ast.walk(source.tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > MAX_FUNCTION
    ]
    assert not long, "\n".join(long)


def test_every_module_says_what_it_owns() -> None:
    silent = [
        source.path
        for source in sources("core", "desktop", "tests", "resources")
        if source.tree.body and not ast.get_docstring(source.tree)
    ]
    assert not silent, silent


def test_no_drawers() -> None:
    drawers = [
        source.path
        for source in sources("core", "desktop", "tests", "resources")
        if DRAWERS & set(source.name.split("."))
    ]
    assert not drawers, drawers


COLOUR = re.compile(r"#[0-9a-fA-F]{6}(?:[0-9a-fA-F]{2})?\b|#[0-9a-fA-F]{3}\b(?=[\"';])|\brgba?\(")
QT_COLOUR = re.compile(
    r"\bQColor\(\s*[\d\"']|\bQColor\.fromRgb\(\s*\d|GlobalColor\.|\bQt\.(?:red|blue|green|black|white)\b"
)


def test_colours_come_from_the_theme() -> None:
    wrong = []
    for source in sources("desktop"):
        if source.path == "desktop/kit/theme.py":
            continue
        for number, line in enumerate(source.text.splitlines(), 1):
            code = line.split("  # ")[0]
            if COLOUR.search(code) or QT_COLOUR.search(code):
                if "GlobalColor.transparent" in code:
                    continue  # the absence of a colour
                wrong.append(f"{source.path}:{number} {line.strip()}")
    assert not wrong, "\n".join(wrong)


NEVER = 60  # seconds: a task that sleeps so long stands for one that hangs


def _pauses(tree: ast.AST, polling: bool = False) -> Iterator[ast.Call]:
    """Calls that wait for time to pass. Looking again in a loop until something is so is not such a wait."""
    for node in ast.iter_child_nodes(tree):
        inside = polling or isinstance(node, ast.While)
        if isinstance(node, ast.Call) and isinstance(node.func, (ast.Attribute, ast.Name)):
            whole = dotted(node.func)
            first = node.args[0] if node.args else None
            seconds = first.value if isinstance(first, ast.Constant) else None
            harmless = isinstance(seconds, (int, float)) and (seconds == 0 or seconds >= NEVER)
            pause = whole in ("time.sleep", "qtbot.wait", "QTest.qWait", "QTest.qSleep")
            if pause or (whole == "asyncio.sleep" and not harmless and not inside):
                yield node
        yield from _pauses(node, inside)


def test_tests_never_wait_for_a_clock() -> None:
    wrong = [
        f"{source.path}:{node.lineno} {dotted(node.func)}"
        for source in sources("tests")
        # measurements and pictures, not tests
        if not source.path.startswith(("tests/bench/", "tests/shots/"))
        for node in _pauses(source.tree)
    ]
    assert not wrong, "\n".join(wrong)


def test_nothing_is_said_on_the_side() -> None:
    """print() belongs to the command line only; everything else logs."""
    wrong = [
        f"{source.path}:{node.lineno}"
        for source in sources()
        for name, node in calls(source)
        if name == "print" and isinstance(node.func, ast.Name) and not source.path.startswith("core/cli")
    ]
    assert not wrong, "\n".join(wrong)


def test_tests_mirror_the_source() -> None:
    """A folder of tests/core or tests/desktop is a folder of the source."""
    strange = [
        str(folder.relative_to(ROOT))
        for layer in ("core", "desktop")
        for folder in (ROOT / "tests" / layer).rglob("*")
        if folder.is_dir()
        and folder.name not in ("__pycache__", "data", "fakes")
        and not (ROOT / folder.relative_to(ROOT / "tests")).is_dir()
    ]
    assert not strange, strange
