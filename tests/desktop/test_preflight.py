"""Case G15: Qt cannot load its X11 plugin. Words that name the package, never an abort."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

from desktop import preflight

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X11 and Wayland are Linux's")


class Libraries:
    """Stands for ctypes.CDLL: loads everything but what is named."""

    def __init__(self, *absent: str) -> None:
        self.absent = absent

    def __call__(self, name: str) -> ctypes.CDLL:
        if name in self.absent:
            raise OSError(f"{name}: cannot open shared object file")
        return ctypes.CDLL(None)


def _release(tmp_path: Path, text: str) -> str:
    path = tmp_path / "os-release"
    path.write_text(text)
    return str(path)


def _problem(environ: dict[str, str], *absent: str, os_release: str = "/nowhere") -> str:
    return preflight.problem(environ, system="linux", load=Libraries(*absent), os_release=os_release)


def test_a_missing_library_is_named_with_its_package_for_every_distribution() -> None:
    text = _problem({"DISPLAY": ":0"}, "libxcb-cursor.so.0")
    assert "libxcb-cursor.so.0" in text
    for command in (
        "Debian, Ubuntu:  sudo apt install libxcb-cursor0",
        "Fedora:  sudo dnf install xcb-util-cursor",
        "Arch Linux:  sudo pacman -S xcb-util-cursor",
        "openSUSE:  sudo zypper install libxcb-cursor0",
    ):
        assert command in text


@pytest.mark.parametrize(
    ("release", "command"),
    [
        ('ID=debian\nVERSION_ID="12"\n', "sudo apt install libxcb-cursor0"),
        ("ID=ubuntu\nID_LIKE=debian\n", "sudo apt install libxcb-cursor0"),
        ('ID="linuxmint"\nID_LIKE="ubuntu debian"\n', "sudo apt install libxcb-cursor0"),
        ('ID="rocky"\nID_LIKE="rhel centos fedora"\n', "sudo dnf install xcb-util-cursor"),
        ('ID="opensuse-tumbleweed"\nID_LIKE="opensuse suse"\n', "sudo zypper install libxcb-cursor0"),
    ],
)
def test_only_the_own_distribution_if_it_is_known(release: str, command: str, tmp_path: Path) -> None:
    text = _problem({"DISPLAY": ":0"}, "libxcb-cursor.so.0", os_release=_release(tmp_path, release))
    assert [line for line in text.splitlines() if "sudo" in line] == [
        line for line in text.splitlines() if command in line
    ]


def test_several_libraries_of_one_package_are_one_word() -> None:
    text = _problem({"DISPLAY": ":0"}, "libxcb-randr.so.0", "libxcb-shm.so.0")
    assert "sudo dnf install libxcb\n" in text + "\n"


def test_what_is_not_needed_here_is_not_missed() -> None:
    x_only = "libxcb-cursor.so.0"
    assert _problem({"QT_QPA_PLATFORM": "offscreen"}, x_only) == ""
    assert _problem({"QT_QPA_PLATFORM": "wayland-egl"}, x_only) == ""
    assert _problem({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, x_only) == ""
    assert "libxcb-cursor0" in _problem({"QT_QPA_PLATFORM": "xcb"}, x_only)
    assert preflight.problem({}, system="darwin", load=Libraries(x_only)) == ""


def test_wayland_falls_back_to_x11_only_if_there_is_one() -> None:
    assert _problem({"WAYLAND_DISPLAY": "w", "DISPLAY": ":0"}, "libwayland-cursor.so.0") == ""
    assert "libwayland-cursor0" in _problem({"WAYLAND_DISPLAY": "w"}, "libwayland-cursor.so.0")


def test_without_a_screen_the_terminal_is_offered() -> None:
    assert "tokenloupe ask" in _problem({})


@linux
def test_a_server_that_does_not_answer_is_said() -> None:
    text = preflight.problem({"DISPLAY": os.environ.get("DISPLAY", "")} | {"QT_QPA_PLATFORM": "xcb"})
    assert text == "" or "X server" in text or "DISPLAY is not set" in text


def test_every_entry_names_a_package_for_every_distribution() -> None:
    for need in preflight.needs({"qt", "xcb", "wayland", "tests"}):
        assert set(need.packages) == set(preflight.INSTALL), need.name


@linux
def test_the_list_covers_what_the_installed_qt_links_to() -> None:
    """ldd on the X11 plugin: every library that is not Qt's own or the C runtime's is in the data file."""
    import PySide6

    plugin = Path(PySide6.__file__).parent / "Qt" / "plugins" / "platforms" / "libqxcb.so"
    done = subprocess.run(["ldd", plugin], capture_output=True, text=True, check=True)
    listed = {need.name for need in preflight.needs({"qt", "xcb"})}
    direct = {line.split()[0] for line in done.stdout.splitlines() if "libxcb" in line or "xkb" in line}
    assert direct - listed == set()


@linux
def test_the_program_itself_says_it_and_does_not_abort(tmp_path: Path) -> None:
    """A damaged libxcb-cursor stands for a missing one: the loader refuses it just the same."""
    (tmp_path / "libxcb-cursor.so.0").write_bytes(b"")
    environ = {key: value for key, value in os.environ.items() if not key.startswith(("QT_", "WAYLAND"))}
    environ |= {"DISPLAY": ":0", "LD_LIBRARY_PATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "desktop"],
        env=environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1, done.stderr
    assert "libxcb-cursor0" in done.stderr
    assert "Traceback" not in done.stderr
