"""Packaging: the mirrored block is current, and a wheel runs away from the checkout with all it needs."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from tests.architecture.sources import ROOT

PARTS = ("core", "desktop", "resources", "compose", "pyproject.toml", "README.md", "LICENSE")


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "resources" / "packaging" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pyproject_mirrors_briefcase_toml() -> None:
    assert script("sync").main(["--check"]) == 0


def test_the_bundle_has_what_the_wheel_has() -> None:
    tables = tomllib.loads((ROOT / "briefcase.toml").read_text(encoding="utf-8"))
    sources = tables["tool"]["briefcase"]["app"]["tokenloupe"]["sources"]
    assert {"core", "desktop", "resources", "compose"} <= set(sources)


def test_sync_replaces_an_old_block_and_refuses_what_is_no_packaging() -> None:
    sync = script("sync")
    project = '[project]\nname = "x"\n'
    first = sync.mirrored(project, "# comment\n\n[tool.briefcase]\na = 1\n")
    second = sync.mirrored(first, "[tool.briefcase]\na = 2\n")
    assert tomllib.loads(second) == {"project": {"name": "x"}, "tool": {"briefcase": {"a": 2}}}
    assert sync.mirrored(second, "[tool.briefcase]\na = 2\n") == second
    with pytest.raises(ValueError, match="only"):
        sync.mirrored(project, "[tool.ruff]\na = 1\n")


def test_every_requirement_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pins = {
        line.split("==")[0].lower().replace("_", "-")
        for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
        if "==" in line
    }
    named = list(project["dependencies"])
    for extra in project["optional-dependencies"].values():
        named += extra
    names = {
        item.split(">")[0].split("=")[0].split("<")[0].strip().lower().replace("_", "-") for item in named
    }
    assert not names - pins


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from a copy of the tree, as the checkout must not be littered."""
    source = tmp_path_factory.mktemp("source")
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, source / part, ignore=shutil.ignore_patterns("__pycache__"))
        elif (ROOT / part).exists():
            shutil.copy(ROOT / part, source / part)
    target = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    done = subprocess.run(
        [*command, "--no-index", "--wheel-dir", target, source], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return next(target.glob("*.whl"))


def test_the_wheel_holds_every_resource_and_no_script(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    left_out = ("resources/packaging/", "resources/launcher/")
    data = {
        str(path.relative_to(ROOT))
        for folder in ("core", "desktop", "resources")
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
        and path.suffix in (".toml", ".svg", ".qm", ".py")
        and path.name != "update.py"
        and "__pycache__" not in path.parts
    }
    # Docker reads them where the program is installed, all of them
    data |= {
        str(path.relative_to(ROOT))
        for path in (ROOT / "compose").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    missing = {name for name in data if not name.startswith(left_out)} - names
    assert not missing, sorted(missing)
    assert not [name for name in names if name.startswith(("tests/", *left_out))]


def test_the_wheel_runs_away_from_the_checkout(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "installed"
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--target",
        target,
    ]
    subprocess.run([*install, wheel], check=True, capture_output=True, timeout=300)
    environ = {**os.environ, "PYTHONPATH": str(target)}
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    def run(*command: str) -> str:
        done = subprocess.run(
            [sys.executable, *command],
            cwd=elsewhere,
            env=environ,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    place = run("-c", "import core.paths; print(core.paths.resources())").strip()
    assert Path(place) == target / "resources"
    assert (
        Path(run("-c", "import core.paths; print(core.paths.compose_files())").strip()) == target / "compose"
    )
    assert (target / "compose" / "compose.yaml").is_file()
    assert run("-m", "desktop", "--version").startswith("Token Loupe ")
    assert run("-m", "desktop", "doctor")
