"""Says in words why Qt cannot open a window here, before Qt itself would abort without any.

Imports neither Qt nor the core: it must also run where Qt's own libraries are incomplete, and it is
loaded by file from the set-up program, before anything is installed.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

_DATA = Path(__file__).resolve().parent.parent / "resources" / "system_libraries.toml"
_FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")
INSTALL = {
    "debian": ("Debian, Ubuntu", "sudo apt install"),
    "fedora": ("Fedora", "sudo dnf install"),
    "arch": ("Arch Linux", "sudo pacman -S"),
    "suse": ("openSUSE", "sudo zypper install"),
}


@dataclass(frozen=True, slots=True)
class Need:
    """One thing of the system: a shared library, a program or a font."""

    name: str
    kind: str  # "file" | "program" | "font"
    purpose: str  # "qt" | "xcb" | "wayland" | "tests"
    packages: Mapping[str, str]


def needs(purposes: Iterable[str]) -> list[Need]:
    """What the given purposes need, in the order of the data file."""
    wanted = set(purposes)
    found = []
    for entry in tomllib.loads(_DATA.read_text(encoding="utf-8"))["library"]:
        kind = next(kind for kind in ("file", "program", "font") if kind in entry)
        if entry["for"] in wanted:
            found.append(Need(entry[kind], kind, entry["for"], entry["packages"]))
    return found


def _present(need: Need, load: Callable[[str], object]) -> bool:
    if need.kind == "program":
        return shutil.which(need.name) is not None
    if need.kind == "font":
        return any(
            next(Path(folder).expanduser().rglob(need.name), None) is not None for folder in _FONT_FOLDERS
        )
    try:
        load(need.name)
    except OSError:
        return False
    return True


def missing(purposes: Iterable[str], load: Callable[[str], object] = ctypes.CDLL) -> list[Need]:
    """What is not there. Libraries are tried by loading them, as Qt will: a damaged file counts as absent."""
    return [need for need in needs(purposes) if not _present(need, load)]


def distribution(os_release: str = "/etc/os-release") -> str:
    """The key of INSTALL that fits this machine, or "" if it is not known."""
    try:
        text = Path(os_release).read_text(encoding="utf-8")
    except OSError:
        return ""
    fields = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    words = " ".join(fields.get(key, "").strip("\"'") for key in ("ID", "ID_LIKE")).split()
    names = {"ubuntu": "debian", "rhel": "fedora", "centos": "fedora", "opensuse": "suse", "sles": "suse"}
    for word in words:
        key = names.get(word, word)
        if key in INSTALL:
            return key
    return ""


def install_lines(absent: Iterable[Need], here: str) -> list[str]:
    """The command that installs what is absent: for this distribution, or one line for each known."""
    absent = list(absent)
    lines = []
    for key, (title, command) in INSTALL.items():
        if here in ("", key):
            packages = dict.fromkeys(need.packages[key] for need in absent)
            lines.append(f"  {title}:  {command} {' '.join(packages)}")
    return lines


def _x_server_answers(load: Callable[[str], ctypes.CDLL]) -> bool:
    xcb = load("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    if xcb.xcb_connection_has_error(connection) == 0:
        # Kept open to the process's end: a bare X server resets itself when its last client leaves, and would
        # refuse Qt while it does.
        return True
    xcb.xcb_disconnect(connection)
    return False


def platform(environ: Mapping[str, str]) -> str:
    """What Qt will draw on: "xcb", "wayland", "none" (no screen at all) or another plugin's name."""
    chosen = environ.get("QT_QPA_PLATFORM", "").split(":")[0].split(";")[0]
    if chosen:
        return "wayland" if chosen.startswith("wayland") else chosen
    if environ.get("WAYLAND_DISPLAY"):
        return "wayland"
    return "xcb" if environ.get("DISPLAY") else "none"


def problem(
    environ: Mapping[str, str] | None = None,
    *,
    system: str = sys.platform,
    load: Callable[[str], ctypes.CDLL] = ctypes.CDLL,
    os_release: str = "/etc/os-release",
) -> str:
    """Why no window can open here, as text for the terminal; "" if nothing is known to stand against it."""
    environ = os.environ if environ is None else environ
    if not system.startswith("linux"):
        return ""
    target = platform(environ)
    purposes = {"qt"} | ({target} & {"xcb", "wayland"})
    absent = missing(purposes, load)
    if target == "wayland" and environ.get("DISPLAY") and "QT_QPA_PLATFORM" not in environ:
        # Qt falls back to X11 when the Wayland plugin cannot load
        absent = [need for need in absent if need.purpose == "qt"]
    if absent:
        lines = ["Token Loupe cannot open its window: these system libraries are missing:"]
        lines += [f"  {need.name}" for need in absent]
        lines += ["Install them, then start again:", *install_lines(absent, distribution(os_release))]
        return "\n".join(lines)
    hint = 'Without a screen, ask in the terminal:  tokenloupe ask "your question"'
    if target == "none":
        said = "there is no screen (neither DISPLAY nor WAYLAND_DISPLAY is set)"
        return f"Token Loupe cannot open its window: {said}.\n{hint}"
    if target == "xcb" and not _x_server_answers(load):
        display = environ.get("DISPLAY", "")
        said = f"no X server answers at DISPLAY={display!r}" if display else "DISPLAY is not set"
        return f"Token Loupe cannot open its window: {said}.\n{hint}"
    return ""
