"""`python -m core`: the command line without the window; `--worker` turns this process into the worker."""

from __future__ import annotations

import sys

from core.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
