"""A model hub on a real socket with the routes and headers that huggingface_hub needs, and its faults.

Each attribute is one fault or setting. It runs in threads of its own: the program's side is another process.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

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
class FakeHub:
    """`files`: name → content. `listed`: what the hub says of a file instead of the truth. `stored`: those in
    the store for large ones. `gated`: files need `token`. `kind`: "model", "dataset" or "space". `cut`: how
    many answers of a file still break in the middle. `redirect`: files are sent on to another host, as from
    the hub to its store. `hold`: a file's second half waits for `release`. `page`: what every address
    answers, as in a hotel's network, with `status`."""

    repo: str = "org/name"
    commit: str = COMMIT
    branch: str = "main"
    kind: str = "model"
    files: dict[str, bytes] = field(default_factory=lambda: dict(FILES))
    listed: dict[str, dict[str, Any]] = field(default_factory=dict)
    stored: tuple[str, ...] = ("tokenizer.json",)
    gated: bool = False
    token: str = ""
    cut: int = 0
    redirect: bool = False
    hold: bool = False
    page: bytes = b""
    status: int = 0
    calls: list[tuple[str, str, str]] = field(default_factory=list)  # method, path, Authorization
    agents: set[str] = field(default_factory=set)
    release: threading.Event = field(default_factory=threading.Event)
    holding: threading.Event = field(default_factory=threading.Event)
    port: int = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def fetched(self) -> set[str]:
        return {path.rsplit("/", 1)[-1] for _, path, _ in self.calls if "/resolve/" in path}

    @contextlib.contextmanager
    def serve(self) -> Iterator[FakeHub]:
        server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"hub": self}))
        self.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield self
        finally:
            self.release.set()
            server.shutdown()
            thread.join()
            server.server_close()  # waits for the answers that still run

    def siblings(self) -> list[dict[str, Any]]:
        return [
            {**self._sibling(name, content), **self.listed.get(name, {})}
            for name, content in self.files.items()
        ]

    def _sibling(self, name: str, content: bytes) -> dict[str, Any]:
        blob = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
        entry: dict[str, Any] = {"rfilename": name, "size": len(content), "blobId": blob}
        if name in self.stored:
            entry["blobId"] = "0" * 40  # of the pointer, not of the content
            sha256 = hashlib.sha256(content).hexdigest()
            entry["lfs"] = {"sha256": sha256, "size": len(content), "pointerSize": 134}
        return entry


class _Handler(BaseHTTPRequestHandler):
    hub: FakeHub
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        hub, path = self.hub, unquote(urlsplit(self.path).path)
        hub.calls.append(("GET", path, self.headers.get("Authorization", "")))
        hub.agents.add(self.headers.get("User-Agent", ""))
        if hub.page or hub.status:
            self._say(hub.status or 200, hub.page)
        elif path.startswith("/store/"):
            self._file(path.removeprefix("/store/"))
        elif path.startswith("/api/"):
            self._api(path)
        else:
            self._resolve(path)

    def _api(self, path: str) -> None:
        hub = self.hub
        kind, _, rest = path.removeprefix("/api/").partition("/")
        repo, _, revision = rest.partition("/revision/")
        if kind != f"{hub.kind}s" or repo != hub.repo:
            # what the hub says to somebody who has not signed in
            self._say(401, b"", {"X-Error-Code": "RepoNotFound", "X-Error-Message": "Repository not found"})
        elif revision not in ("", hub.branch, hub.commit):
            self._say(404, b"", {"X-Error-Code": "RevisionNotFound"})
        else:
            body = {"id": repo, "sha": hub.commit, "siblings": hub.siblings(), "private": False}
            self._say(200, json.dumps(body).encode(), {"Content-Type": "application/json"})

    def _resolve(self, path: str) -> None:
        hub = self.hub
        repo, _, rest = path[1:].partition("/resolve/")
        revision, _, name = rest.partition("/")
        if hub.gated and self.headers.get("Authorization") != f"Bearer {hub.token}":
            self._say(401, b"", {"X-Error-Code": "GatedRepo", "X-Error-Message": "Access is restricted"})
        elif repo != hub.repo or revision != hub.commit or name not in hub.files:
            self._say(404, b"", {"X-Error-Code": "EntryNotFound"})
        elif hub.redirect:
            # another name of this machine is another host
            self._say(302, b"", {"Location": f"http://localhost:{hub.port}/store/{name}"})
        else:
            self._file(name)

    def _file(self, name: str) -> None:
        hub, content = self.hub, self.hub.files[name]
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("X-Repo-Commit", hub.commit)
        self.send_header("ETag", f'"{hashlib.sha1(content).hexdigest()}"')
        self.end_headers()
        half = len(content) // 2
        with contextlib.suppress(OSError):  # the program has gone, which some tests want
            self.wfile.write(content[:half])
            self.wfile.flush()
            if hub.cut > 0:
                hub.cut -= 1
                self.close_connection = True
                return
            if hub.hold:
                hub.holding.set()
                hub.release.wait()
            self.wfile.write(content[half:])

    def _say(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
