"""A model hub on the loopback, good enough for the real huggingface_hub, and its faults.

The hub answers on one port, its store for large files on another: another host to every HTTP library. It
counts the bytes that it serves. It runs in threads of its own: the program's side is another process.
"""

from __future__ import annotations

import contextlib
import hashlib
import ssl
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from http.server import ThreadingHTTPServer
from typing import Any, Literal

COMMIT = "0123456789abcdef0123456789abcdef01234567"
FILES = {
    "config.json": b'{"model_type": "llama"}',
    "generation_config.json": b'{"temperature": 0.6}',
    "tokenizer.json": b'{"vocab": "' + b"x" * 200_000 + b'"}',
    "tokenizer_config.json": b"{}",
    "chat_template.jinja": b"{{ messages }}",
    "model.safetensors": b"weights",
    "modeling_own.py": b"raise SystemExit",
    "README.md": b"# words",
}


@dataclass
class Fault:
    """What happens to the next `times` answers about a file ("" = any, "api" = the listing): after `at` bytes
    of the body, or with `status` in its place. `wrong`: the byte at `at` is another. `short`: `at` bytes are
    all there is, says the answer. `stall`: nothing more comes until `release`; `trickle`: byte by byte."""

    kind: Literal["cut", "stall", "trickle", "wrong", "short", "status"]
    file: str = ""
    at: int = 0
    times: int = 1
    status: int = 500
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Request:
    """`start`: of the range that was asked for. `sent`: bytes of the body."""

    method: str
    path: str
    file: str
    start: int
    token: str
    status: int = 0
    sent: int = 0


@dataclass
class FakeHub:
    """`others`: models beside its own, of which nothing but their files, commits and what is said of them
    counts. `page_rows`: of one page of a search. `parameters`: how many of each dtype it counts.
    `files`: name → content of `commit`, `older`: those of other commits. `listed`: what the hub says of a
    file instead of the truth. `stored`: those in the store for large ones, sent on to it where `store` is
    true. `redirect`: every file is sent on to another name of this host; `onward`: to another hub, by its
    address. `gated`: files need `token`; `denied`: not even that is enough. `hide`: headers and fields that
    a mirror leaves out. `ranges`: parts of files can be asked for. `etags`: a mirror's own. `cut`: how many
    answers of a file still break in the middle. `hold`: a file's second half waits for `release`. `page`:
    what every address answers, as in a hotel's network, with `status`. `skew`: seconds by which its clock is
    ahead. `pace`: seconds between two blocks. `head_seconds`: before it answers about a file without its
    content. `tls`: hub and store are spoken to through it. `lengths`: bodies of the store say how long they
    are. `licence_name`: of one that the hub has no short name for. `aliases`: other names of the model, which
    the hub sends on to its own."""

    repo: str = "org/name"
    commit: str = COMMIT
    branch: str = "main"
    kind: str = "model"
    files: dict[str, bytes] = field(default_factory=lambda: dict(FILES))
    older: dict[str, dict[str, bytes]] = field(default_factory=dict)
    listed: dict[str, dict[str, Any]] = field(default_factory=dict)
    stored: tuple[str, ...] = ("tokenizer.json",)
    licence: str = "mit"
    licence_name: str = ""
    languages: tuple[str, ...] = ("en",)
    downloads: int = 7
    parameters: dict[str, int] = field(default_factory=dict)
    others: tuple[FakeHub, ...] = ()
    page_rows: int = 1000
    store: bool = False
    gated: bool = False
    token: str = ""
    denied: bool = False
    cut: int = 0
    redirect: bool = False
    onward: str = ""
    hold: bool = False
    hide: tuple[str, ...] = ()
    ranges: bool = True
    lengths: bool = True
    aliases: tuple[str, ...] = ()
    etags: dict[str, str] = field(default_factory=dict)
    page: bytes = b""
    status: int = 0
    skew: float = 0.0
    pace: float = 0.0
    head_seconds: float = 0.0
    tls: ssl.SSLContext | None = None
    block: int = 1 << 16
    faults: list[Fault] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    calls: list[tuple[str, str, str]] = field(default_factory=list)  # method, path, Authorization
    agents: set[str] = field(default_factory=set)
    connections: int = 0
    release: threading.Event = field(default_factory=threading.Event)
    holding: threading.Event = field(default_factory=threading.Event)
    port: int = 0
    store_port: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def address(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}"

    @property
    def scheme(self) -> str:
        return "https" if self.tls else "http"

    @property
    def models(self) -> tuple[FakeHub, ...]:
        return (self, *self.others)

    def of(self, repo: str) -> FakeHub | None:
        return next((one for one in self.models if one.repo == repo), None)

    @property
    def fetched(self) -> set[str]:
        return {path.rsplit("/", 1)[-1] for _, path, _ in self.calls if "/resolve/" in path}

    @property
    def served(self) -> Counter[str]:
        """Bytes of each file that were given out."""
        count: Counter[str] = Counter()
        for one in list(self.requests):
            if one.sent:
                count[one.file] += one.sent
        return count

    def wait_until_it_holds(self) -> None:
        """In a thread, which the end of a loop waits for: not without a limit."""
        assert self.holding.wait(120), "nobody has asked for what is held back"

    @contextlib.contextmanager
    def serve(self) -> Iterator[FakeHub]:
        from tests.fakes.hub.answers import Handler

        servers = [
            _Server(("127.0.0.1", 0), type("Handler", (Handler,), {"hub": self, "is_store": is_store}))
            for is_store in (False, True)
        ]
        for server in servers if self.tls else ():
            server.socket = self.tls.wrap_socket(
                server.socket, server_side=True, do_handshake_on_connect=False
            )
        self.port, self.store_port = (server.server_address[1] for server in servers)
        threads = [
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
            for server in servers
        ]
        for thread in threads:
            thread.start()
        try:
            yield self
        finally:
            self.release.set()
            for server in servers:
                server.shutdown()
            for thread in threads:
                thread.join()
            for server in servers:
                server.server_close()  # waits for the answers that still run

    def at(self, revision: str) -> dict[str, bytes] | None:
        """The files of a branch or commit; None: there is no such."""
        if revision in ("", self.branch, self.commit):
            return self.files
        return self.older.get(revision)

    def siblings(self, revision: str = "") -> list[dict[str, Any]]:
        return [
            {k: v for k, v in {**self._sibling(name, content), **self.listed.get(name, {})}.items()
             if k not in self.hide}
            for name, content in (self.at(revision) or {}).items()
        ]  # fmt: skip

    def tree(self, revision: str) -> list[dict[str, Any]]:
        """The listing that snapshot_download asks for."""
        found = []
        for one in self.siblings(revision):
            entry = {"type": "file", "path": one["rfilename"], "oid": one["blobId"], "size": one["size"]}
            if "lfs" in one:
                entry["lfs"] = {"oid": one["lfs"]["sha256"], "size": one["size"], "pointerSize": 134}
            found.append(entry)
        return found

    def _sibling(self, name: str, content: bytes) -> dict[str, Any]:
        entry: dict[str, Any] = {"rfilename": name, "size": len(content), "blobId": blob_id(content)}
        if name in self.stored:
            entry["blobId"] = "0" * 40  # of the pointer, not of the content
            entry["lfs"] = {"sha256": sha256(content), "size": len(content), "pointerSize": 134}
        return entry

    def etag(self, name: str, content: bytes) -> str:
        return self.etags.get(name) or (sha256 if name in self.stored else blob_id)(content)

    def take_fault(self, file: str, method: str = "GET") -> Fault | None:
        with self.lock:
            for fault in self.faults:
                fits = fault.file in ("", file) and (method == "GET" or fault.kind == "status")
                if fits and fault.times > 0:
                    fault.times -= 1
                    return fault
        return None


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """A program that was killed in mid-word is no fault of the hub; the others fail their test anyway."""


@lru_cache(maxsize=64)
def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@lru_cache(maxsize=64)
def blob_id(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
