"""`make run` without a screen: picks the question (Q, standard input, a sample) and asks it in the terminal.

Standard library only. Usage: ask.py PROGRAM [ARGUMENT…]; the question is appended as one last argument.
"""

from __future__ import annotations

import os
import select
import stat
import sys

SAMPLE = "What is the capital of France?"
FIRST_WAIT = 2.0  # seconds for the first byte of an open pipe that may never carry one
NEXT_WAIT = 10.0  # seconds between later bytes


def from_stdin(descriptor: int = 0) -> str:
    """The text on standard input if it is a file or a pipe; "" for a terminal, nothing, or a silent pipe."""
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError:
        return ""  # closed
    if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
        return ""
    parts: list[bytes] = []
    while True:
        if not stat.S_ISREG(mode):
            wait = NEXT_WAIT if parts else FIRST_WAIT
            if not select.select([descriptor], [], [], wait)[0]:
                break
        part = os.read(descriptor, 1 << 16)
        if not part:
            break
        parts.append(part)
    return b"".join(parts).decode("utf-8", errors="replace")


def question(environ: dict[str, str]) -> str:
    """Q as it is, else standard input without its last line end, else the sample."""
    text = environ.get("TOKENLOUPE_Q", "")
    if text.strip():
        return text
    text = from_stdin().rstrip("\r\n")
    return text if text.strip() else SAMPLE


def main(command: list[str]) -> int:
    asked = question(dict(os.environ))
    if not os.environ.get("TOKENLOUPE_Q", "").strip() and asked == SAMPLE:
        print('No screen here, so the question is asked in the terminal (make run Q="…" asks yours).\n')
    sys.stdout.flush()
    try:
        os.execv(command[0], [*command, "--", asked])
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
