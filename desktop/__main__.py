"""The program's entry: no arguments open the window, anything else is the command line or the worker.

Nothing of Qt is imported before that is decided.
"""

from __future__ import annotations

import sys


def main() -> int:
    if len(sys.argv) > 1:
        from core.cli import main as command

        return command(sys.argv[1:])
    from desktop.app import main as window

    return window()


if __name__ == "__main__":
    sys.exit(main())
