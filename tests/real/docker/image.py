"""The images that the tests serve with, made from this machine's files: no registry, no build.

    python -m tests.real.docker.image NAME …           the stand-in server, in the engine of DOCKER_HOST
    python -m tests.real.docker.image --real NAME …    the real vLLM 0.32.0 for CPUs

On 2 idle cores: the stand-in about 3 s and 130 MB; the real one 75 s of processor time and 2.8 GB.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.real.docker.archive import Archive, bring
from tests.real.vllm.environment import folder, ready

HERE = Path(__file__).parent
FAKES = HERE.parents[1] / "fakes"
LOGS = HERE.parents[1] / "cases" / "logs"
_PACKAGES = ("jinja2", "markupsafe", "tokenizers")  # of the environment that runs this
# lscpu at the start, a compiler and openssl at the first request for log probabilities
_SYSTEM = ("bash", "coreutils", "grep", "sed", "util-linux", "libnuma1", "libgomp1", "g++", "openssl")
_SETTINGS = ('ENTRYPOINT ["vllm","serve"]', "WORKDIR /vllm-workspace")


def stand_in(archive: Archive) -> None:
    archive.shell()
    archive.python()
    for name in _PACKAGES:
        spec = importlib.util.find_spec(name)
        assert spec is not None and spec.origin is not None
        package = Path(spec.origin).parent
        archive.add(package, f"opt/standin/{name}")
        archive.libraries(package.glob("*.so"))
    for name in ("fake_vllm.py", "server_tokenizer.py"):
        archive.add(FAKES / name, f"opt/standin/tests/fakes/{name}")
    archive.add(HERE / "standin", "opt/standin")
    archive.add(LOGS / "start-default-cold.log", "opt/standin/start.log")
    archive.text("usr/local/bin/vllm", '#!/bin/sh\nexec python3 /opt/standin/vllm.py "$@"\n', 0o755)


def real(archive: Archive) -> None:
    archive.packages(_SYSTEM)
    archive.shell()  # whatever is not there yet
    archive.python()
    include = Path(sys.base_prefix) / "include"
    if include.is_dir():
        archive.add(include)
    place = folder()
    for one in sorted(place.iterdir()):
        if one.name != "caches":
            archive.add(one)
    archive.link("usr/local/bin/vllm", str(place / "bin" / "vllm"))
    archive.add(Path("/etc/ld.so.cache"))


def bring_stand_in(names: Sequence[str], environment: dict[str, str] | None = None) -> None:
    path = "ENV PATH=/usr/local/bin:/usr/bin:/bin"
    bring(stand_in, (*_SETTINGS, path, "ENV PYTHONDONTWRITEBYTECODE=1"), names, environment)


def bring_real(names: Sequence[str], environment: dict[str, str] | None = None) -> None:
    """Raises FileNotFoundError where tests/real/vllm/environment.py has not built it."""
    if not ready(folder()):
        raise FileNotFoundError(f"no vLLM in {folder()}: python tests/real/vllm/environment.py")
    path = f"ENV PATH={folder()}/bin:/usr/local/bin:/usr/bin:/bin"
    bring(real, (*_SETTINGS, path), names, environment)


if __name__ == "__main__":
    words = sys.argv[1:]
    if words[:1] == ["--real"]:
        bring_real(words[1:])
    else:
        bring_stand_in(words)
