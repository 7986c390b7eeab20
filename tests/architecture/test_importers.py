"""One importer per heavy dependency, and no task, loop or thread made on the side."""

from __future__ import annotations

import ast

import pytest

from tests.architecture.sources import Source, calls, dotted, imports, sources

# dependency -> files (or folders, with a slash at the end) that may import it
ALLOWED = {
    "qasync": ("desktop/loop.py",),
    "docker": ("core/worker/docker_service.py",),
    "huggingface_hub": ("core/worker/hub.py",),
    "transformers": ("core/worker/",),
    "torch": ("core/worker/",),
    "tokenizers": ("core/worker/",),
    "accelerate": ("core/worker/",),
    "safetensors": ("core/worker/",),
    "gguf": ("core/worker/",),
    "numpy": ("core/worker/",),
    "PIL": ("core/worker/media_service.py",),
    "soundfile": ("core/worker/media_service.py",),
    "httpx": ("core/engines/vllm/http.py",),
    "keyring": ("core/worker/keys_service.py",),
    "sqlite3": ("core/chat/",),
    "PySide6": ("desktop/",),
    "shiboken6": ("desktop/",),
}


@pytest.mark.parametrize("dependency", sorted(ALLOWED))
def test_one_importer(dependency: str) -> None:
    wrong = [
        f"{source.path}:{line}"
        for source in sources()
        for name, line in imports(source)
        if name.split(".")[0] == dependency
        and not any(
            source.path.startswith(place) if place.endswith("/") else source.path == place
            for place in ALLOWED[dependency]
        )
    ]
    assert not wrong, f"{dependency} is imported in " + ", ".join(wrong)


def test_tasks_are_made_in_one_place() -> None:
    makers = {"create_task", "ensure_future", "run_coroutine_threadsafe", "new_event_loop", "set_event_loop"}
    allowed = {
        "core/tasks.py": {"create_task"},
        "desktop/loop.py": {"create_task", "ensure_future", "set_event_loop"},
    }
    wrong = [
        f"{source.path}:{node.lineno} {name}"
        for source in sources()
        for name, node in calls(source)
        if name in makers and name not in allowed.get(source.path, set())
    ]
    assert not wrong, "\n".join(wrong)


CHILDREN = {"create_subprocess_exec", "create_subprocess_shell", "subprocess_exec", "subprocess_shell"}


def _asyncio_children(source: Source) -> list[str]:
    found = [f"{source.path}:{node.lineno} {name}" for name, node in calls(source) if name in CHILDREN]
    imported = [(name, line) for name, line in imports(source) if name.startswith("asyncio.subprocess")]
    return found + [f"{source.path}:{line} {name}" for name, line in imported]


def test_q03_nobody_uses_asyncios_child_processes() -> None:
    """Qt's loop has none on Windows and macOS: `subprocess.Popen` and a thread for each pipe instead."""
    wrong = [line for source in sources() for line in _asyncio_children(source)]
    assert not wrong, "\n".join(wrong)


def test_the_check_for_child_processes_sees_them() -> None:
    text = (
        "await asyncio.create_subprocess_exec('x')\nloop.subprocess_shell(p, 'x')\n"
        "import asyncio.subprocess\nfrom asyncio.subprocess import PIPE\n"
    )
    assert len(_asyncio_children(Source("x", "x.py", text, ast.parse(text)))) >= 4


NESTED = {"exec", "exec_", "processEvents"}
STATIC_DIALOGS = {
    "QMessageBox": {"about", "aboutQt", "critical", "information", "question", "warning"},
    "QFileDialog": {
        "getExistingDirectory",
        "getExistingDirectoryUrl",
        "getOpenFileName",
        "getOpenFileNames",
        "getOpenFileUrl",
        "getOpenFileUrls",
        "getSaveFileName",
        "getSaveFileUrl",
    },
    "QInputDialog": {"getDouble", "getInt", "getItem", "getMultiLineText", "getText"},
    "QColorDialog": {"getColor"},
    "QFontDialog": {"getFont"},
}


def _nested_loops(source: Source) -> list[str]:
    found = []
    for name, node in calls(source):
        whole = dotted(node.func) if isinstance(node.func, (ast.Attribute, ast.Name)) else ""
        owner = whole.split(".")[-2] if "." in whole else ""
        if name in NESTED or name in STATIC_DIALOGS.get(owner, ()):
            found.append(f"{source.path}:{node.lineno} {whole or name}")
        if name == "QEventLoop" and source.path != "desktop/loop.py":
            found.append(f"{source.path}:{node.lineno} QEventLoop")
    return found


def test_no_nested_event_loop() -> None:
    """A nested loop inside a coroutine ends other tasks for good; popup(), open() and futures instead."""
    wrong = [line for source in sources() for line in _nested_loops(source)]
    assert not wrong, "\n".join(wrong)


def test_the_check_for_nested_loops_sees_them() -> None:
    text = "menu.exec(p)\nQMessageBox.question(w)\nQtWidgets.QFileDialog.getOpenFileName()\nQEventLoop()\n"
    assert len(_nested_loops(Source("x", "desktop/x.py", text, ast.parse(text)))) == 4


def test_no_sleep_in_a_slot() -> None:
    """time.sleep blocks the window; only the worker (its own process) may."""
    wrong = [
        f"{source.path}:{node.lineno}"
        for source in sources()
        for name, node in calls(source)
        if dotted(node.func) == "time.sleep" and not source.path.startswith("core/worker/")
    ]
    assert not wrong, "\n".join(wrong)
