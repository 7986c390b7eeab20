"""Who may import whom: core never the window, kit no feature, nobody in a circle."""

from __future__ import annotations

from tests.architecture.sources import LAYERS, Source, imports, sources

# Where everything meets; no rule about features applies to them.
COMPOSITION = {
    "desktop.app",
    "desktop.__main__",
    "core.cli",
    "core.cli_ask",
    "core.cli_options",
    "core.cli_report",
    "core.cli_text",
    "core.__main__",
}
# Protocols, values and one file format: a feature's public words, which stand below every feature.
INTERFACES = {
    "core.engines.base",
    "core.engines.state",
    "core.models.manifest",
    "core.prompt.base",
    "core.tokens.row",
}


def _modules() -> dict[str, Source]:
    return {source.name: source for source in sources()}


def _edges(*, lazy: bool) -> dict[str, set[str]]:
    """module -> modules of ours it imports."""
    known = _modules()
    edges: dict[str, set[str]] = {}
    for source in known.values():
        targets = {name for name, _ in imports(source, lazy=lazy) if name in known}
        # `from core.tokens import table` imports the package and the module: keep the module
        edges[source.name] = {
            target for target in targets if not any(other.startswith(f"{target}.") for other in targets)
        }
    return edges


def test_core_imports_neither_the_window_nor_tests() -> None:
    wrong = [
        f"{source.path}:{line} imports {name}"
        for source in sources("core")
        for name, line in imports(source)
        if name.split(".")[0] in ("desktop", "tests", "PySide6", "shiboken6", "qasync")
    ]
    assert not wrong, "\n".join(wrong)


def test_nothing_imports_tests_or_the_packaging_scripts() -> None:
    wrong = [
        f"{source.path}:{line} imports {name}"
        for source in sources()
        for name, line in imports(source)
        if name.split(".")[0] == "tests" or name.startswith("resources.")
    ]
    assert not wrong, "\n".join(wrong)


def test_the_kit_knows_no_feature() -> None:
    wrong = [
        f"{source.path}:{line} imports {name}"
        for source in sources("desktop")
        if source.package == "desktop.kit"
        for name, line in imports(source)
        if name.startswith("desktop.") and not name.startswith("desktop.kit")
    ]
    assert not wrong, "\n".join(wrong)


def _circle(edges: dict[str, set[str]]) -> list[str]:
    """One circle as a list of names, or []."""
    done: set[str] = set()
    path: list[str] = []

    def visit(node: str) -> list[str]:
        if node in path:
            return [*path[path.index(node) :], node]
        if node in done:
            return []
        path.append(node)
        for target in sorted(edges.get(node, ())):
            found = visit(target)
            if found:
                return found
        path.pop()
        done.add(node)
        return []

    for start in sorted(edges):
        found = visit(start)
        if found:
            return found
    return []


def test_modules_are_in_no_circle() -> None:
    assert not (circle := _circle(_edges(lazy=True))), " -> ".join(circle)


def test_features_are_in_no_circle() -> None:
    package = {
        source.name: source.name if source.name in INTERFACES else source.package for source in sources()
    }
    edges: dict[str, set[str]] = {}
    for name, targets in _edges(lazy=True).items():
        if name in COMPOSITION:
            continue
        for target in targets - COMPOSITION:
            if package[name] != package[target]:
                edges.setdefault(package[name], set()).add(package[target])
    assert not (circle := _circle(edges)), " -> ".join(circle)


def test_nobody_imports_the_composition_root() -> None:
    wrong = [
        f"{source.path}:{line} imports {name}"
        for source in sources()
        if source.name not in COMPOSITION
        for name, line in imports(source)
        if name in COMPOSITION
    ]
    assert not wrong, "\n".join(wrong)


def test_only_the_two_layers_exist() -> None:
    assert {source.name.split(".")[0] for source in sources()} == set(LAYERS)


def test_interfaces_stand_below_every_feature() -> None:
    wrong = [
        f"{source.path}:{line} imports {name}"
        for source in sources("core")
        if source.name in INTERFACES
        for name, line in imports(source)
        if name in {other.name for other in sources("core")}
        and name not in INTERFACES
        and source.package != name
        and not name.startswith(("core.errors", "core.tokens", "core.observe"))
    ]
    assert not wrong, "\n".join(wrong)
