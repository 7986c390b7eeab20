"""The program's own log: a rotating file with secrets blacked out, and its lines for whoever listens."""

from __future__ import annotations

import logging
import logging.handlers
import re
from collections.abc import Callable
from pathlib import Path

FILE = "tokenloupe.log"
SIZE = 1_000_000  # bytes of one file
KEPT = 3  # older files
HIDDEN = "[hidden]"

_KEYS = (
    r"[\w-]*(?:api[_-]?key|access[_-]?key|secret|passw(?:or)?d|passwd|credential)[\w-]*"
    r"|(?:[\w-]*[_-])?(?:auth|access|bearer|refresh|hub|hf|id)[_-]?token"
)
_REDACTIONS: tuple[tuple[re.Pattern[str], str], ...] = (
    # a header is hidden to the end of what can belong to it: "Basic abc==", "Bearer abc"
    (
        re.compile(r"(?i)\b((?:proxy-)?authorization['\"]?\s*[:=]\s*(?:b?['\"])?)(?:[a-z]+\s+)?[^\s'\",;]+"),
        r"\1",
    ),
    (re.compile(r"(?i)\b((?:set-)?cookie['\"]?\s*:\s*['\"]?)[^'\"\r\n]+"), r"\1"),
    (re.compile(r"(?i)\b(bearer\s+)[\w.~+/=-]{8,}"), r"\1"),
    (re.compile(rf"(?i)(?<![\w-])((?:{_KEYS})['\"]?\s*(?:=|:)\s*)[\[(]['\"][^\])\n]*[\])]"), r"\1"),  # a list
    (re.compile(rf"(?i)(?<![\w-])((?:{_KEYS})['\"]?\s*(?:=|:)\s*(?:b?['\"])?)[^\s'\",;&)}}]+"), r"\1"),
    (re.compile(r"(?i)(--(?:api-key|token|password|secret)[ =]['\"]?)[^\s'\"]+"), r"\1"),
    # a bare `token=` is hidden only if it is as long as a key: this program says "token 17" all day
    (re.compile(r"(?i)\b(token['\"]?\s*(?:=|:)\s*['\"]?)(?=[\w.~+/-]*[a-z_])[\w.~+/-]{20,}={0,2}"), r"\1"),
    (re.compile(r"\b()(?:hf_|sk-|gh[pousr]_|github_pat_|xox[abprs]-|AKIA)[\w-]{12,}"), r"\1"),
    (re.compile(r"\b()eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"), r"\1"),  # JSON web tokens
    (re.compile(r"(\b[a-z][a-z0-9+.-]*://)[^\s/@:]*(?::[^\s/@]*)?@"), r"\1"),  # https://user:secret@host
    (re.compile(r"()-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.S), ""),
)


def redact(text: str) -> str:
    """`text` with keys, passwords, tokens of services and Authorization headers replaced by "[hidden]"."""
    for pattern, keep in _REDACTIONS:
        suffix = "@" if keep and "://" in pattern.pattern else ""
        text = pattern.sub(keep + HIDDEN + suffix, text)
    return text


class _Redacting(logging.Formatter):
    """Formats first, so that nothing in arguments or tracebacks escapes the redaction."""

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))


class _QuietFile(logging.handlers.RotatingFileHandler):
    """A log that cannot be written (disk full, folder gone) must neither stop the program nor fill stderr,
    which a packaged app may not even have."""

    def handleError(self, record: logging.LogRecord) -> None:
        pass


class LineHandler(logging.Handler):
    """Hands each finished line with its level to `sink`, in the thread that logged it."""

    def __init__(self, sink: Callable[[str, int], None], level: int = logging.INFO) -> None:
        super().__init__(level)
        self._sink = sink
        self.setFormatter(_Redacting("%(asctime)s %(levelname)s %(name)s: %(message)s", "%H:%M:%S"))

    def emit(self, record: logging.LogRecord) -> None:
        try:
            copy = logging.makeLogRecord({**record.__dict__, "exc_info": None, "exc_text": None})
            self._sink(self.format(copy), record.levelno)  # tracebacks stay in the file
        except Exception:  # whatever a listener does, logging goes on
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:
        pass


class Logs:
    """The handlers on the root logger; `close()` takes them off again. Used as a context manager or not."""

    def __init__(self, folder: Path | None, *, level: int = logging.INFO) -> None:
        self.path: Path | None = None
        self._root = logging.getLogger()
        self._level_before = self._root.level
        self._handlers: list[logging.Handler] = []
        self._root.setLevel(level)
        # without any handler Python would print warnings to stderr
        self._add(self._file(folder) if folder else logging.NullHandler())
        for noisy in ("asyncio", "httpx", "httpcore", "urllib3", "docker", "filelock"):
            logging.getLogger(noisy).setLevel(logging.WARNING)

    def _file(self, folder: Path) -> logging.Handler:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            handler = _QuietFile(
                folder / FILE, maxBytes=SIZE, backupCount=KEPT, encoding="utf-8", errors="replace"
            )
        except OSError:
            return logging.NullHandler()
        handler.setFormatter(_Redacting("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"))
        self.path = folder / FILE
        return handler

    def _add(self, handler: logging.Handler) -> None:
        self._handlers.append(handler)
        self._root.addHandler(handler)

    def listen(self, sink: Callable[[str, int], None], level: int = logging.INFO) -> Callable[[], None]:
        """Call `sink(line, level)` for each new line, from any thread; returns what ends it."""
        handler = LineHandler(sink, level)
        self._add(handler)

        def stop() -> None:
            self._root.removeHandler(handler)
            if handler in self._handlers:
                self._handlers.remove(handler)
            handler.close()

        return stop

    def close(self) -> None:
        for handler in self._handlers:
            self._root.removeHandler(handler)
            handler.close()
        self._handlers.clear()
        self._root.setLevel(self._level_before)

    def __enter__(self) -> Logs:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
