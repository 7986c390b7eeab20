"""`make bench`: every figure several times, medians in a table and in build/bench.json.

BENCH_QUICK=1: one run of each, shorter. Arguments: which parts (stream, window, local, wire, log, picker,
download, fetching, served), all by default.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path

from tests import screen
from tests.bench import figures, opening
from tests.conftest import test_cache as big_cache
from tests.reference.built_in import built_in_models_folder

ROOT = Path(__file__).resolve().parents[2]
QUICK = os.environ.get("BENCH_QUICK", "") not in ("", "0")
RUNS = 1 if QUICK else 5
TOKENS = 4000 if QUICK else 20_000
PARTS = ("stream", "window", "local", "wire", "log", "picker", "download", "fetching", "served")
# name, tokens a second, tokens of a paragraph, where they come from
CASES = [
    (f"{rate} tok/s, {name}", str(rate), *how)
    for rate in (200, 1000)
    for name, how in (
        ("many paragraphs", ("60", "worker")),
        ("one paragraph", ("0", "worker")),
        ("through HTTP", ("60", "http")),
    )
]


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def lines(command: list[str], environ: dict[str, str], limit: float) -> list[dict[str, float]]:
    """What a child process measured: one JSON object a line. Raises RuntimeError if it fails."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=limit,
    )
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not found:
        raise RuntimeError(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}")
    return found


def stream(environ: dict[str, str]) -> list[figures.Figure]:
    found = []
    for case, rate, paragraph, source in CASES:
        runs = []
        for number in range(RUNS):
            say(f"{case}: run {number + 1} of {RUNS}")
            command = [sys.executable, "-m", "tests.bench.stream", rate, str(TOKENS), paragraph, source]
            runs += lines(command, environ, 300 + 3 * TOKENS / int(rate))
        found += figures.collect(case, runs)
    return found


def window(environ: dict[str, str]) -> list[figures.Figure]:
    runs = []
    for number in range(RUNS):
        say(f"window: run {number + 1} of {RUNS}")
        runs.append(opening.measure(environ))
    return figures.collect("start to first picture", runs)


def local(environ: dict[str, str]) -> list[figures.Figure]:
    say(f"built-in model beside generate(): {RUNS} runs")
    runs = lines([sys.executable, "-m", "tests.bench.local", str(RUNS)], environ, 1800)
    return figures.collect("built-in model", runs)


def wire(environ: dict[str, str]) -> list[figures.Figure]:
    say(f"vLLM client on a loopback socket: {RUNS} runs")
    runs = lines([sys.executable, "-m", "tests.bench.wire", str(RUNS)], environ, 600)
    return figures.collect("vLLM client", runs)


def log(environ: dict[str, str]) -> list[figures.Figure]:
    say(f"log dock, 100,000 lines, 5,000 a second: {RUNS} runs")
    runs = lines([sys.executable, "-m", "tests.bench.log_dock", str(RUNS)], environ, 600)
    return figures.collect("log dock", runs)


def picker(environ: dict[str, str]) -> list[figures.Figure]:
    say(f"model picker, 500 models: {RUNS} runs")
    runs = lines([sys.executable, "-m", "tests.bench.picker", str(RUNS)], environ, 600)
    return figures.collect("model picker", runs)


def download(environ: dict[str, str]) -> list[figures.Figure]:
    say(f"download beside snapshot_download and curl: {RUNS} runs")
    runs = lines([sys.executable, "-m", "tests.bench.downloads", str(RUNS)], environ, 1800)
    return figures.collect("download", runs)


def fetching(environ: dict[str, str]) -> list[figures.Figure]:
    say(f"window while ten files are fetched: {RUNS} runs")
    runs = lines([sys.executable, "-m", "tests.bench.fetching", str(RUNS)], environ, 1800)
    return figures.collect("ten files are fetched", runs)


def served(environ: dict[str, str]) -> list[figures.Figure]:
    if os.geteuid() != 0:
        say("beside plain `vllm serve`: left out, a Docker Engine of our own needs root")
        return []
    runs = min(RUNS, 2)  # minutes each
    say(f"beside plain `vllm serve`: {runs} runs")
    found = lines([sys.executable, "-m", "tests.bench.served", str(runs)], environ, 3600)
    return figures.collect("vLLM in Docker", found)


def built_in_home(home: Path) -> None:
    """A home whose built-in model is the one that the tests keep; made if it is not there yet."""
    (home / "data").mkdir(parents=True)
    (home / "data" / "models").symlink_to(built_in_models_folder(big_cache()))


def about(display: str) -> dict[str, object]:
    model = next(
        (line.split(":", 1)[1].strip() for line in _cpu_lines() if line.startswith("model name")),
        platform.processor(),
    )
    return {
        "runs": RUNS,
        "tokens": TOKENS,
        "system": platform.platform(),
        "processor": model,
        "cores": os.cpu_count(),
        "load_before": os.getloadavg()[0],
        "screen": display,
        "python": platform.python_version(),
        "pyside": version("PySide6-Essentials"),
        "torch": version("torch"),
        "transformers": version("transformers"),
    }


def _cpu_lines() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text().splitlines() if path.exists() else []


def main(arguments: list[str]) -> int:
    wanted = arguments or list(PARTS)
    if set(wanted) - set(PARTS):
        say(__doc__ or "")
        return 2
    parts: dict[str, Callable[[dict[str, str]], list[figures.Figure]]] = {
        "stream": stream,
        "window": window,
        "local": local,
        "wire": wire,
        "log": log,
        "picker": picker,
        "download": download,
        "fetching": fetching,
        "served": served,
    }
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tl-")))
        built_in_home(home)
        environ = dict(os.environ)
        display = "the system's own"
        if sys.platform.startswith("linux"):
            # the same screen everywhere: a window of the person's own would be in the way of both
            environ = screen.environment(stack.enter_context(screen.virtual_screen()))
            display = "Xvfb"
        environ |= {"TOKENLOUPE_HOME": str(home), "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT)}
        environ.pop("PYTHONDONTWRITEBYTECODE", None)  # installed programs have their bytecode
        facts = about(display)
        found = [figure for part in PARTS if part in wanted for figure in parts[part](environ)]
    path = ROOT / "build" / "bench.json"
    figures.write(path, facts, found)
    print(figures.table(found))
    print(f"\n{path.relative_to(ROOT)}: medians of {RUNS}, {facts['processor']}, {facts['cores']} cores")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
