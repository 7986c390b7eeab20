"""The program's entry: no arguments open the window, anything else is the command line or the worker.

Nothing of Qt is imported before that is decided.
"""

from __future__ import annotations

import sys


def main() -> int:
    if len(sys.argv) > 1:
        from core.cli import main as command

        return command(sys.argv[1:])
    from desktop import preflight

    why_not = preflight.problem()  # before Qt: without its libraries even the import fails
    if why_not:
        if sys.stderr is not None:
            sys.stderr.write(why_not + "\n")
        return 1
    from desktop.app import main as window

    return window()


if __name__ == "__main__":
    sys.exit(main())
