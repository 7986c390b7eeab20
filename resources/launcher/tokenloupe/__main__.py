"""Starts the packaged app."""

import sys

from desktop.__main__ import main

sys.exit(main())
