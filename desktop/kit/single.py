"""One window a data folder: the first start holds a lock and listens, a later one asks it to come forward."""

from __future__ import annotations

import hashlib
import logging
import os
import sys
from enum import Enum
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

log = logging.getLogger(__name__)

_CONNECT_MS = 500
_ANSWER_MS = 10_000  # at most: it may be busy
_LONGEST_MESSAGE = 4096
_PATH_LIMIT = 100  # bytes of a Unix socket's path, less on a Mac than on Linux
_RAISE = b"raise "
_ANSWER = b"ok\n"
_ACTIVATION = "XDG_ACTIVATION_TOKEN"


class Claim(Enum):
    """`FIRST`: we are the window. `RAISED`: the other one came forward. `SILENT`: it did not answer."""

    FIRST = "first"
    RAISED = "raised"
    SILENT = "silent"


def server_name(folder: Path) -> str:
    """The socket of one data folder: inside it where that works, else a name made from its path."""
    if sys.platform != "win32":
        inside = str(folder / "window.socket")
        if len(os.fsencode(inside)) < _PATH_LIMIT:
            return inside
    digest = hashlib.sha256(os.fsencode(folder.absolute())).hexdigest()[:16]
    return f"tokenloupe-{digest}"


class SingleInstance(QObject):
    """Owns the lock and the socket in `folder`; `close()` (or the process's end) frees both.

    The lock decides who is first, so two starts at the same moment cannot both win, and a socket left by a
    crash can be removed without asking whose it is.
    """

    raise_requested = Signal()

    def __init__(self, folder: Path, parent: QObject | None = None, *, answer_ms: int = _ANSWER_MS) -> None:
        super().__init__(parent)
        self._folder = folder
        self._answer_ms = answer_ms
        self._name = server_name(folder)
        self._lock: QLockFile | None = None
        self._server: QLocalServer | None = None

    def claim(self) -> Claim:
        """Become the first, or ask the first to show its window (blocks for 10.5 s at most)."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            log.warning("no folder for the lock: %s", self._folder, exc_info=True)
            return Claim.FIRST
        lock = QLockFile(str(self._folder / "window.lock"))
        lock.setStaleLockTime(0)  # stale only when its process is gone: a window may stay open for days
        if lock.tryLock(0):
            self._lock = lock
            self._listen()
            return Claim.FIRST
        if lock.error() is not QLockFile.LockError.LockFailedError:
            # a read-only folder is no reason to show no window
            log.warning("the lock cannot be taken: %s", lock.error())
            return Claim.FIRST
        return Claim.RAISED if self._ask_first() else Claim.SILENT

    def close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None

    def _listen(self) -> None:
        QLocalServer.removeServer(self._name)  # left by a crash: the lock says that nobody listens
        server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        server.newConnection.connect(self._welcome)
        if not server.listen(self._name):
            log.warning("no second start will be noticed: %s", server.errorString())
            return
        self._server = server

    def _welcome(self) -> None:
        server = self._server
        while server is not None and (socket := server.nextPendingConnection()) is not None:
            socket.readyRead.connect(lambda socket=socket: self._read(socket))
            socket.disconnected.connect(socket.deleteLater)
            if socket.bytesAvailable():
                self._read(socket)

    def _read(self, socket: QLocalSocket) -> None:
        if not socket.canReadLine():
            if socket.bytesAvailable() > _LONGEST_MESSAGE:
                socket.abort()
            return
        message = bytes(socket.readLine(_LONGEST_MESSAGE).data()).strip()
        if message.startswith(_RAISE.strip()):
            # under Wayland a window may only come forward with the token the second start was given
            token = message.removeprefix(_RAISE.strip()).strip().decode("ascii", "ignore")
            if token:
                os.environ[_ACTIVATION] = token
            self.raise_requested.emit()
            socket.write(_ANSWER)
            socket.flush()
        socket.disconnectFromServer()

    def _ask_first(self) -> bool:
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(_CONNECT_MS):
            log.warning("the first window does not listen: %s", socket.errorString())
            return False
        token = os.environ.get(_ACTIVATION, "").encode("ascii", "ignore")[:1024]
        socket.write(_RAISE + token.replace(b"\n", b"") + b"\n")
        socket.flush()
        answered = socket.waitForReadyRead(self._answer_ms) and socket.readLine(16).data() == _ANSWER
        socket.abort()
        return answered
