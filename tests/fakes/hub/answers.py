"""What the hub and its store answer, request by request."""

from __future__ import annotations

import contextlib
import email.utils
import json
import socket
import time
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, unquote, urlsplit

from tests.fakes.hub.search import row, search
from tests.fakes.hub.server import FakeHub, Fault, Request, blob_id

RELEASE = "/release"  # asked by a process that is not the hub's own
SIGNATURE = "X-Signature=do-not-tell-0123456789"


class Handler(BaseHTTPRequestHandler):
    hub: FakeHub
    is_store: bool
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # a head and its few bytes of body go out without a wait for each other

    def setup(self) -> None:
        self.hub.connections += 1
        # small, so that what is counted as sent is not far from what has arrived
        self.request.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, max(1 << 15, self.hub.block))
        super().setup()

    def log_message(self, *_: object) -> None:
        pass

    def date_time_string(self, timestamp: float | None = None) -> str:
        return email.utils.formatdate((timestamp or time.time()) + self.hub.skew, usegmt=True)

    def do_GET(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        if self.hub.head_seconds:
            self.hub.release.wait(self.hub.head_seconds)
        self._answer()

    def do_CONNECT(self) -> None:
        """Asked as a proxy: it lets nobody through."""
        self.log = Request(self.command, self.path, "", 0, "")
        self._say(self.hub.status or 501, b"")

    def _answer(self) -> None:
        hub, path = self.hub, unquote(urlsplit(self.path).path)
        token = self.headers.get("Authorization", "")
        start = self.headers.get("Range", "").removeprefix("bytes=").partition("-")[0]
        self.log = Request(self.command, path, "", int(start or 0), token)
        hub.requests.append(self.log)
        hub.calls.append((self.command, path, token))
        hub.agents.add(self.headers.get("User-Agent", ""))
        with contextlib.suppress(OSError):  # the program has gone, which some tests want
            if path == RELEASE:
                hub.release.set()
                self._say(200, b"")
            elif hub.page or hub.status:
                self._say(hub.status or 200, hub.page)
            elif self.is_store or path.startswith("/store/"):
                self._store(path.removeprefix("/store/").lstrip("/"))
            elif path.startswith("/api/"):
                self._api(path)
            else:
                self._resolve(path)

    def _api(self, path: str) -> None:
        hub = self.hub
        kind, _, rest = path.removeprefix("/api/").partition("/")
        if f"{hub.repo}/tree/" in rest:
            self._say(200, json.dumps(hub.tree(rest.rpartition("/")[2])).encode())
            return
        repo, _, revision = rest.partition("/revision/")
        model = hub.of(repo)
        if repo in hub.aliases:
            self._say(307, b"", {"Location": self.path.replace(repo, hub.repo)})
            return
        fault = hub.take_fault("api")
        if fault is not None and fault.kind == "stall":
            hub.holding.set()
            hub.release.wait()
        if fault is not None and fault.kind == "status":
            self._say(fault.status, b"", fault.headers)
        elif hub.token and self.log.token not in ("", f"Bearer {hub.token}"):
            self._say(401, b"", {"X-Error-Message": "Invalid credentials in Authorization header"})
        elif kind == "models" and not rest:
            self._search()
        elif kind != f"{hub.kind}s" or model is None:
            # what the hub says to somebody who has not signed in
            self._say(401, b"", {"X-Error-Code": "RepoNotFound", "X-Error-Message": "Repository not found"})
        elif model.at(revision) is None:
            self._say(404, b"", {"X-Error-Code": "RevisionNotFound"})
        else:
            sha = revision if revision in model.older else model.commit
            body = row(model) | {"sha": sha, "siblings": model.siblings(revision)}
            self._say(200, json.dumps(body).encode(), {"Content-Type": "application/json"})

    def _search(self) -> None:
        rows, following = search(self.hub, parse_qs(urlsplit(self.path).query))
        headers = {"Content-Type": "application/json"}
        if following:
            headers["Link"] = f'<{self.hub.address}/api/models?{following}>; rel="next"'
        self._say(200, json.dumps(rows).encode(), headers)

    def _resolve(self, path: str) -> None:
        hub = self.hub
        repo, _, rest = path[1:].partition("/resolve/")
        revision, _, name = rest.partition("/")
        model = hub.of(repo)
        files = model.at(revision) if model is not None and revision != model.branch else None
        self.log.file = name
        stored = hub.store and model is not None and name in model.stored
        fault = None if stored else hub.take_fault(name, self.command)
        if fault is not None and fault.kind == "status":
            self._say(fault.status, b"", fault.headers)
        elif model is not None and model.gated and (self.log.token != f"Bearer {hub.token}" or model.denied):
            known = self.log.token == f"Bearer {hub.token}"
            wrong = bool(self.log.token) and not known
            said = "Invalid credentials in Authorization header" if wrong else "Access is restricted"
            self._say(403 if known else 401, b"", {"X-Error-Code": "GatedRepo", "X-Error-Message": said})
        elif files is None or name not in files:
            self._say(404, b"", {"X-Error-Code": "EntryNotFound"})
        elif hub.onward:
            said = self._said_of(name, files[name], revision, linked=True)
            self._say(302, b"", {**said, "Location": hub.onward + self.path})
        elif hub.redirect or stored:
            host = f"localhost:{hub.port}/store" if hub.redirect else f"127.0.0.1:{hub.store_port}"
            headers = self._said_of(name, files[name], revision, linked=True)
            url = f"{hub.scheme}://{host}/{revision}/{name}?{SIGNATURE}"
            self._say(302, b"", {**headers, "Location": url})
        else:
            self._file(name, files[name], self._said_of(name, files[name], revision), fault)

    def _store(self, path: str) -> None:
        revision, _, name = path.partition("/")
        files = next(filter(None, (one.at(revision) for one in self.hub.models)), {})
        self.log.file = name
        fault = self.hub.take_fault(name, self.command)
        if fault is not None and fault.kind == "status":
            self._say(fault.status, b"", fault.headers)
        elif self.log.token:
            self._say(400, b"a token came here")
        elif name not in files:
            self._say(404, b"")
        else:
            # a store has names of its own for what it keeps
            self._file(name, files[name], {"ETag": f'"{blob_id(files[name])}-1"'}, fault)

    def _said_of(self, name: str, content: bytes, commit: str, *, linked: bool = False) -> dict[str, str]:
        etag = f'"{self.hub.etag(name, content)}"'
        said = {"X-Repo-Commit": commit, "ETag": etag, "Accept-Ranges": "bytes"}
        if linked:
            said |= {"X-Linked-Size": str(len(content)), "X-Linked-Etag": etag}
        hidden = [*self.hub.hide, *(("X-Linked-Etag",) if "ETag" in self.hub.hide else ())]
        return {key: value for key, value in said.items() if key not in hidden}

    def _file(self, name: str, content: bytes, headers: dict[str, str], fault: Fault | None) -> None:
        hub, start = self.hub, self.log.start if self.hub.ranges else 0
        if fault is not None and fault.kind == "short":
            content = content[: fault.at]
        if fault is not None and fault.kind == "wrong":
            content = content[: fault.at] + bytes([content[fault.at] ^ 1]) + content[fault.at + 1 :]
        if start >= len(content) > 0 and start:
            self._say(416, b"", {"Content-Range": f"bytes */{len(content)}"})
            return
        self._begin(206 if start else 200)
        for key, value in headers.items():
            self.send_header(key, value)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        if "size" in hub.hide and self.command == "HEAD":
            pass
        elif "size" in hub.hide or (not hub.lengths and self.is_store):
            self.send_header("Connection", "close")
            self.close_connection = True
        else:
            self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        if self.command != "HEAD":
            self._body(memoryview(content)[start:], fault)

    def _body(self, body: memoryview, fault: Fault | None) -> None:
        hub, half = self.hub, len(body) // 2
        with hub.lock:
            cut = hub.cut > 0
            hub.cut -= cut
        breaks = fault is not None and fault.kind in ("cut", "stall", "trickle")
        end = fault.at if fault is not None and breaks else half if cut else len(body)
        self._write(body[: half if hub.hold else end])
        if cut or (fault is not None and fault.kind == "cut"):
            self.close_connection = True
        elif hub.hold or (fault is not None and fault.kind == "stall"):
            hub.holding.set()
            hub.release.wait()
            self._write(body[half if hub.hold else end :])
        elif fault is not None and fault.kind == "trickle":
            while end < len(body) and not hub.release.wait(0.2):
                self._write(body[end : end + 1])
                end += 1
            self._write(body[end:])

    def _write(self, body: memoryview) -> None:
        for place in range(0, len(body), self.hub.block):
            block = body[place : place + self.hub.block]
            self.wfile.write(block)
            self.log.sent += len(block)
            if self.hub.pace:
                self.hub.release.wait(self.hub.pace)

    def _begin(self, status: int) -> None:
        self.log.status = status
        self.send_response(status)

    def _say(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self._begin(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
