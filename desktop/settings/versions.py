"""What this program is made of: names, versions and licences, read from what is installed. No Qt."""

from __future__ import annotations

import importlib.metadata as metadata
import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import core

HOME_PAGES: Final = {"PySide6_Essentials": "https://doc.qt.io/qtforpython-6/licenses.html"}

# What the window and the worker load, in the order in which a reader looks for them
PARTS: Final = (
    "PySide6_Essentials",
    "shiboken6",
    "qasync",
    "msgspec",
    "platformdirs",
    "httpx",
    "transformers",
    "tokenizers",
    "safetensors",
    "jinja2",
    "huggingface_hub",
    "keyring",
    "SecretStorage",  # what keyring uses on Linux
    "torch",
    "accelerate",
    "gguf",
    "numpy",
    "docker",
)


@dataclass(frozen=True, slots=True)
class Part:
    """One library: `version` is "" if it is not installed."""

    name: str
    version: str
    licence: str


def program_version() -> str:
    return core.__version__


def parts(names: Sequence[str] = PARTS) -> list[Part]:
    """Version and licence of each library that is here, Python itself first. Imports none of them."""
    found = [Part("Python", platform.python_version(), "PSF-2.0")]
    for name in names:
        try:
            about = metadata.metadata(name)
        except metadata.PackageNotFoundError:
            continue
        found.append(Part(about["Name"] or name, about["Version"] or "", licence(about)))
    return found


def licence(about: metadata.PackageMetadata) -> str:
    """The licence's short name from a package's metadata: its expression, its field or its classifiers."""
    fields = about.json
    expression = fields.get("license_expression")
    if expression:
        return str(expression)
    classifiers = [
        line.rsplit(" :: ", 1)[-1]
        for line in about.get_all("Classifier") or []
        if line.startswith("License :: ") and line.count(" :: ") > 1
    ]
    if classifiers:
        return ", ".join(dict.fromkeys(classifiers))
    field = str(fields.get("license") or "").strip()
    # some put the whole text there
    return field if field and "\n" not in field and len(field) < 80 else ""


def licence_texts(names: Sequence[str] = PARTS) -> str:
    """The full licence texts that come with the libraries here, one after the other."""
    blocks = []
    for name in names:
        try:
            files = metadata.files(name) or []
        except metadata.PackageNotFoundError:
            continue
        for file in files:
            if ".dist-info/" in str(file) and re.match(r"(LICEN[CS]E|COPYING|NOTICE)", file.name, re.I):
                try:
                    text = Path(file.locate()).read_text(encoding="utf-8", errors="replace")
                except OSError:
                    continue
                blocks.append(f"===== {name}: {file.name} =====\n\n{text.strip()}\n")
    return "\n\n".join(blocks)


def report_lines() -> list[str]:
    """Program, system and libraries, for reports. Plain English, no paths."""
    head = [
        f"Token Loupe {program_version()}",
        f"{platform.system()} {platform.release()} {platform.machine()}",
    ]
    return head + [f"{part.name} {part.version}" for part in parts()]
