"""Who may import whom: core never the window, kit no feature, nobody in a circle."""

from __future__ import annotations

from tests.architecture.sources import LAYERS, Source, imports, sources

# Where everything meets; no rule about features applies to them.
COMPOSITION = {
    "desktop.app",
    "desktop.app_models",
    "desktop.app_server",
    "desktop.app_settings",
    "desktop.__main__",
    "core.cli",
    "core.cli_ask",
    "core.cli_hub",
    "core.cli_models",
    "core.cli_options",
    "core.cli_report",
    "core.cli_server",
    "core.cli_steps",
    "core.cli_text",
    "core.__main__",
}
# Protocols, values and one file format: a feature's public words, which stand below every feature.
INTERFACES = {
    "core.engines.base",
    "core.engines.state",
    "core.engines.timing",
    "core.models.lock",
    "core.models.manifest",
    "core.models.partial",
    "core.models.room",
    "core.models.verify",
    "core.prompt.base",
    "core.server.access",
    "core.server.finding",
    "core.server.launcher",
    "core.server.spec",
    "core.server.state",
    "core.tokens.row",
}

# What a feature may know of the others of its layer, beside the interfaces above and the ground below.
# A new edge is a decision: it is written down here, or the features meet in the composition root instead.
GROUND = {
    "core", "core.errors", "core.file_lock", "core.observe", "core.paths", "core.sentences", "core.tasks",
}  # fmt: skip
MAY_KNOW: dict[str, set[str]] = {
    # core: tokens and worker below, chat and engines above; an engine and the chat never know each other
    "core.chat": {"core.tokens"},
    "core.keys": {"core.worker"},  # the keyring waits in another process
    "core.engines": {"core.models", "core.prompt", "core.tokens", "core.worker"},
    "core.models": {"core.prompt", "core.worker"},
    "core.prompt": {"core.tokens", "core.worker"},
    # Docker is spoken to in another process; the log is shown, recorded without keys, and told in sentences
    "core.server": {
        "core.log_lines",
        "core.log_text",
        "core.logs",
        "core.models",
        "core.sentences",
        "core.settings",
        "core.worker",
    },
    "core.log_text": {"core.log_lines", "core.logs"},
    "core.worker": {"core.log_text", "core.tokens"},
    # desktop: every feature stands on the kit; the window holds the features' widgets
    "desktop.kit": set(),
    "desktop.loop": {"desktop.kit"},
    "desktop.context": {"desktop.kit"},
    "desktop.inspector": {"desktop.kit"},
    "desktop.log": {"desktop.kit"},
    "desktop.model": {"desktop.kit"},
    "desktop.models": {"desktop.kit"},
    "desktop.picker": {"desktop.kit"},
    "desktop.sampling": {"desktop.kit"},
    "desktop.server": {"desktop.kit"},
    "desktop.settings": {"desktop.kit"},
    "desktop.chat": {"desktop.kit", "desktop.sampling"},  # one presenter fills the form of its conversation
    "desktop.conversations": {"desktop.kit", "desktop.chat"},  # a click opens a chat
    "desktop.window": {
        "desktop.kit",
        "desktop.chat",
        "desktop.conversations",
        "desktop.log",
        "desktop.picker",
        "desktop.sampling",
        "desktop.server",
    },
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


def _undeclared(edges: dict[str, set[str]], package: dict[str, str]) -> list[str]:
    """Edges between features of one layer that MAY_KNOW does not state."""
    wrong = []
    for name, targets in sorted(edges.items()):
        if name in COMPOSITION or name in INTERFACES:
            continue
        own = package[name]
        for target in sorted(targets - COMPOSITION - INTERFACES):
            other = package[target]
            same_layer = own.split(".")[0] == other.split(".")[0]
            if same_layer and own != other and other not in GROUND | MAY_KNOW.get(own, set()):
                wrong.append(f"{name} imports {target}")
    return wrong


def test_features_of_a_layer_meet_where_the_table_says_or_in_the_composition_root() -> None:
    package = {source.name: source.package for source in sources()}
    wrong = _undeclared(_edges(lazy=True), package)
    assert not wrong, "not in MAY_KNOW:\n" + "\n".join(wrong)


def test_the_check_of_the_table_sees_what_it_does_not_state() -> None:
    package = {
        "desktop.log.view": "desktop.log",
        "desktop.chat.view": "desktop.chat",
        "core.tasks": "core.tasks",
    }
    edges = {"desktop.log.view": {"desktop.chat.view", "core.tasks"}}
    assert _undeclared(edges, package) == ["desktop.log.view imports desktop.chat.view"]


def test_the_table_is_no_longer_than_the_program() -> None:
    """An edge that nobody uses any more is taken out, and the table itself has no circle."""
    package = {source.name: source.package for source in sources()}
    used: dict[str, set[str]] = {}
    for name, targets in _edges(lazy=True).items():
        if name not in COMPOSITION:
            used.setdefault(package[name], set()).update(package[target] for target in targets)
    unused = [
        f"{own} -> {other}" for own, others in MAY_KNOW.items() for other in others - used.get(own, set())
    ]
    assert not unused, "\n".join(unused)
    assert not (circle := _circle(MAY_KNOW)), " -> ".join(circle)


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
        and not name.startswith(("core.errors", "core.file_lock", "core.tokens", "core.observe"))
    ]
    assert not wrong, "\n".join(wrong)
