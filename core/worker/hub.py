"""How the hub is spoken to: its API, the stream of a file from a byte on, and what its refusals mean.

The only importer of huggingface_hub: its HTTP client, headers, errors and answers are used. Its functions for
a file's content read in pieces of 10 MB, which a kill would lose; those for a listing follow redirects by
themselves. Here they are followed one by one, so that the token goes to the hub's own host alone and every
host is told, and allowed, before it is asked.
"""

from __future__ import annotations

import contextlib
import email.utils
import json
import logging
import os
import re
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode, urljoin, urlsplit
from urllib.request import (  # type: ignore[attr-defined]  # the second one is left out of the types alone
    getproxies,
    proxy_bypass_environment,
)

from huggingface_hub import (
    ModelInfo,
    close_session,
    constants,
    get_session,
    hf_hub_url,
    hf_raise_for_status,
)
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.utils import (  # type: ignore[attr-defined]  # public, says its manual
    build_hf_headers,
    validate_repo_id,
)

from core.errors import ModelError
from core.worker.job import Cancelled

TRANSIENT = frozenset({"hub.offline", "hub.stalled", "hub.server", "hub.rate_limit"})
COMMIT = re.compile(r"[0-9a-f]{40}")
MOST_FILES = 10_000  # of one model
LONGEST = 8_000_000  # bytes of an answer of its API
# the base of all that goes wrong on the way, in whatever HTTP library this release of huggingface_hub has
HTTPError: type[Exception] = HfHubHTTPError.__mro__[1]
_LOOPBACK = re.compile(r"localhost|127(\.\d+){3}|\[?::1\]?")
_PROXIES = ("https_proxy", "http_proxy", "HTTPS_PROXY", "HTTP_PROXY")
_HOPS = 5
_SHORT = 1 << 16  # bytes of an answer that is not wanted, and still read
_LONG = 1 << 20  # bytes of a body that is read from the connection itself
_AS_IT_IS = {"Accept-Encoding": "identity"}
_SIGNED = re.compile(r"(https?://[^\s?'\"]+)\?[^\s'\"]+")  # addresses of a store are signed
for _noisy in ("httpx", "httpx2"):  # they would log those
    logging.getLogger(_noisy).setLevel(logging.WARNING)
_given = {name: os.environ.get(name) for name in _PROXIES}
_session_lock = threading.Lock()


class TooLong(ValueError):
    """An answer that no hub needs."""


def use_proxy(proxy: str) -> None:
    """For all that this process asks of the hub from now on; "" = as its environment said at first."""
    with _session_lock:
        wanted = {name: proxy or _given[name] for name in _PROXIES}
        if wanted == {name: os.environ.get(name) for name in _PROXIES}:
            return
        for name, value in wanted.items():
            if value:
                os.environ[name] = value
            else:
                os.environ.pop(name, None)
        close_session()  # the next one reads the environment anew


class Meta(NamedTuple):
    """What the hub's own host says of a file, "" and None where it does not."""

    commit: str
    etag: str
    size: int | None


class Hub:
    """`told(host, why)` is called before each host is asked. `token`: "" = none. `seconds`: with no byte."""

    def __init__(
        self, endpoint: str, token: str, *, offline: bool, seconds: float, told: Callable[[str, str], None]
    ) -> None:
        self.endpoint = (endpoint or constants.ENDPOINT).rstrip("/")
        self._token, self._offline, self._seconds, self._told = token, offline, seconds, told

    def look_up(self, repo: str, revision: str, check: Callable[[], None] = lambda: None) -> ModelInfo:
        """With its commit, and its files' sizes and hashes. `check` raises to end it. Raises ModelError."""
        at = f"/revision/{quote(revision, safe='')}" if revision else ""
        try:
            validate_repo_id(repo)
            path = f"/api/models/{repo}{at}"
            found: ModelInfo = ModelInfo(  # type: ignore[no-untyped-call]
                **self.ask(path, f"list {repo}", {"blobs": "true"}, check=check)
            )
        except TooLong as error:
            raise _too_long(repo) from error
        except Exception as error:
            raise self.explained(error, repo, revision) from error
        if not COMMIT.fullmatch(str(found.sha)):  # it becomes part of a path
            raise ModelError("hub.failed", repo=repo, detail=f"the commit is {found.sha!r}")
        if len(found.siblings or ()) > MOST_FILES:
            raise _too_long(repo)
        return found

    def ask(
        self,
        path: str,
        why: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        check: Callable[[], None] = lambda: None,
    ) -> Any:
        """The JSON at a path of the API. Raises TooLong, and what goes wrong as it is (see `explained`)."""
        url = f"{self.endpoint}{path}" + (f"?{urlencode(parameters, doseq=True)}" if parameters else "")
        with self._answer(url, why) as (answer, _):
            return json.loads(short(answer, check))

    def head(self, repo: str, commit: str, path: str) -> Meta:
        """What the hub says of a file: whether it gives it out at all. Raises ModelError."""
        try:
            url = hf_hub_url(repo, path, revision=commit, endpoint=self.endpoint)
            with self._answer(url, f"files of {repo}", _AS_IT_IS, method="HEAD") as (answer, meta):
                answer.read()  # nothing, and its connection can be used again
                return meta
        except Exception as error:
            raise self.explained(error, repo, commit) from error

    @contextlib.contextmanager
    def open(self, repo: str, commit: str, path: str, start: int = 0) -> Iterator[tuple[Any, Meta]]:
        """The answer, whose body is to be read, and what the hub said of the file. Raises what goes wrong as
        it is (see `explained`)."""
        url = hf_hub_url(repo, path, revision=commit, endpoint=self.endpoint)
        headers = _AS_IT_IS | ({"Range": f"bytes={start}-"} if start else {})
        with self._answer(url, f"files of {repo}", headers) as found:
            yield found

    @contextlib.contextmanager
    def _answer(
        self, url: str, why: str, headers: Mapping[str, str] | None = None, *, method: str = "GET"
    ) -> Iterator[tuple[Any, Meta]]:
        """To a HEAD the hub's own host alone answers: where it sends us on, it has said what it knows."""
        meta = Meta("", "", None)
        for _ in range(_HOPS):
            own = _origin(url) == _origin(self.endpoint)
            self._ask(url, why)
            sent = {**build_hf_headers(token=(self._token or False) if own else False), **(headers or {})}
            with get_session().stream(
                method, url, headers=sent, follow_redirects=False, timeout=self._seconds
            ) as answer:
                meta = _meta(answer) if own else meta
                if answer.has_redirect_location:
                    if 0 <= _length(answer) < _SHORT:
                        answer.read()  # then its connection can be used again
                    url = urljoin(url, answer.headers["Location"])
                    if method != "HEAD" or _origin(url) == _origin(self.endpoint):
                        continue
                if answer.is_error:
                    answer.read()  # the error's words
                    hf_raise_for_status(answer)
                yield answer, meta
                return
        raise ValueError(f"more than {_HOPS} redirects")

    def body(
        self, answer: Any, repo: str, buffer: Callable[[], bytearray]
    ) -> Iterator[bytes | memoryview[int]]:
        """What is to come of a file, as it comes. Raises ModelError and what `explained` knows.

        The HTTP library hands out small pieces, each copied three times. Only the beginning of a long body is
        taken from it (its own buffer is empty after the first piece), the rest from the connection itself,
        into what `buffer` gives.
        """
        pieces = answer.iter_raw()
        first = next(pieces, b"")
        yield first
        left = _length(answer) - len(first)
        connection = _connection(answer) if left > _LONG else None
        if connection is None:
            yield from pieces
            return
        connection.settimeout(self._seconds)
        while left:
            room = memoryview(buffer())[:left]
            try:
                count = connection.recv_into(room)
            except TimeoutError as error:
                raise ModelError("hub.stalled", repo=repo, seconds=round(self._seconds)) from error
            except OSError as error:  # one of the network, not of the disk
                raise ModelError("hub.offline", repo=repo, detail=self._clean(error)) from error
            if not count:
                raise ModelError("hub.offline", repo=repo, detail=f"cut {left} bytes before the end")
            left -= count
            yield room[:count]

    def check(self, meta: Meta, commit: str) -> None:
        """Raises ModelError("hub.headers") for a mirror that leaves out what every hub says."""
        lacking = [
            name
            for name, value in (("X-Repo-Commit", meta.commit), ("ETag", meta.etag), ("size", meta.size))
            if value in ("", None)
        ]
        if lacking:
            raise ModelError("hub.headers", endpoint=self.endpoint, header=", ".join(lacking))
        if meta.commit != commit:
            raise ModelError("hub.other_commit", endpoint=self.endpoint, expected=commit, got=meta.commit)

    def _ask(self, url: str, why: str) -> None:
        asked = filter(None, (url, _proxy_of(url)))
        for host in [host_allowed(one, offline=self._offline) for one in asked]:
            self._told(host, why)

    def explained(self, error: Exception, repo: str, revision: str) -> Exception:
        """What the hub or the way to it says, in our words; errors of the disk as they are."""
        if isinstance(error, ModelError | Cancelled):
            return error
        answer = getattr(error, "response", None)
        if isinstance(error, HfHubHTTPError) and answer is not None:
            return self._refusal(error, answer, repo, revision)
        detail = self._clean(error)
        if isinstance(error, HFValidationError):
            return ModelError("hub.name", repo=repo)
        if isinstance(error, OfflineModeIsEnabled):
            return ModelError("hub.offline", repo=repo, detail=detail)
        if isinstance(error, HTTPError):
            return self._no_answer(error, repo, detail)
        if isinstance(error, OSError):
            return error
        # what answers is no hub: a web page, other fields, an address that is none
        return ModelError("hub.failed", repo=repo, detail=f"{type(error).__name__}: {detail}")

    def _refusal(self, error: Exception, answer: Any, repo: str, revision: str) -> ModelError:
        status, detail = answer.status_code, self._clean(error)
        said = answer.headers.get("X-Error-Message", "").lower()
        page = f"{self.endpoint}/{repo}"
        if status == 429:
            return ModelError("hub.rate_limit", repo=repo, seconds=retry_after(answer.headers))
        if status == 407:
            return ModelError("hub.proxy", endpoint=self.endpoint, detail=detail)
        if status == 401 and self._token and ("invalid" in said or isinstance(error, GatedRepoError)):
            return ModelError("hub.bad_token", repo=repo)
        if status == 403 and self._token:
            return ModelError("hub.no_access", repo=repo, page=page)
        if isinstance(error, GatedRepoError) or status == 403:
            return ModelError("hub.no_token", repo=repo, page=page)
        if isinstance(error, RevisionNotFoundError):
            return ModelError("hub.no_revision", repo=repo, revision=revision)
        if isinstance(error, RepositoryNotFoundError):
            kind = self._other_kind(repo)
            if kind:
                return ModelError("hub.not_model", repo=repo, kind=kind)
            return ModelError("hub.no_repo", repo=repo)
        if status == 401:
            if self._token:
                return ModelError("hub.bad_token", repo=repo)
            return ModelError("hub.no_token", repo=repo, page=page)
        if status >= 500 or status == 408:
            return ModelError("hub.server", repo=repo, status=status, detail=detail)
        return ModelError("hub.failed", repo=repo, detail=detail)

    def _no_answer(self, error: Exception, repo: str, detail: str) -> ModelError:
        kinds = {kind.__name__ for kind in type(error).__mro__}
        detail = detail or type(error).__name__
        if "CERTIFICATE_VERIFY_FAILED" in detail or "certificate verify failed" in detail:
            return ModelError("hub.certificate", endpoint=self.endpoint, detail=detail)
        if "ProxyError" in kinds:
            return ModelError("hub.proxy", endpoint=self.endpoint, detail=detail)
        if "TimeoutException" in kinds and "ConnectTimeout" not in kinds:
            return ModelError("hub.stalled", repo=repo, seconds=round(self._seconds))
        return ModelError("hub.offline", repo=repo, detail=detail)

    def _other_kind(self, repo: str) -> str:
        """ "dataset" or "space" if the hub has one of that name."""
        for kind in ("dataset", "space"):
            path = f"/api/{kind}s/{repo}"
            refused = contextlib.suppress(HTTPError, ModelError, ValueError)
            with refused, self._answer(f"{self.endpoint}{path}", f"list {repo}"):
                return kind
        return ""

    def _clean(self, error: Exception) -> str:
        text = _SIGNED.sub(r"\1?…", str(error).strip())
        return text.replace(self._token, "…") if self._token else text


def host_allowed(address: str, *, offline: bool) -> str:
    """The host of an address. Raises ModelError("hub.switched_off") for another computer's."""
    host = urlsplit(address).hostname or address
    if offline and not _LOOPBACK.fullmatch(host):
        raise ModelError("hub.switched_off", host=host)
    return host


def _proxy_of(url: str) -> str:
    """Who is asked for it in its host's place, by what the HTTP library reads too; "" = nobody."""
    proxies, parts = getproxies(), urlsplit(url)
    proxy = str(proxies.get(parts.scheme) or proxies.get("all") or "")
    if not proxy or proxy_bypass_environment(parts.hostname or "", proxies):
        return ""
    return proxy if "://" in proxy else f"http://{proxy}"


def short(answer: Any, check: Callable[[], None], limit: int = LONGEST) -> bytes:
    """The body of an answer that is read whole. Raises TooLong."""
    content = bytearray()
    for block in answer.iter_bytes():
        check()
        content += block
        if len(content) > limit:
            raise TooLong(f"an answer of more than {limit} bytes")
    return bytes(content)


def _too_long(repo: str) -> ModelError:
    return ModelError("hub.too_long", repo=repo, limit=MOST_FILES)


def retry_after(headers: Any) -> int:
    """Seconds, 0 if it is not said. A date is read by the clock of who wrote it, not by ours."""
    said = headers.get("Retry-After", "").strip()
    if said.isdecimal():
        return int(said)
    with contextlib.suppress(TypeError, ValueError):
        until = email.utils.parsedate_to_datetime(said).timestamp()
        now = time.time()
        with contextlib.suppress(TypeError, ValueError):
            now = email.utils.parsedate_to_datetime(headers.get("Date")).timestamp()
        return max(0, round(until - now))
    return 0


def _length(answer: Any) -> int:
    """Bytes of a body that comes as it is, on a connection that is for it alone; -1: not so, or not known."""
    headers = answer.headers
    if answer.http_version != "HTTP/1.1" or "Transfer-Encoding" in headers or "Content-Encoding" in headers:
        return -1
    said = headers.get("Content-Length", "")
    return int(said) if said.isdecimal() else -1


def _connection(answer: Any) -> Any:
    """The socket that a body comes from, as plain bytes; None where there is TLS within TLS, or no socket."""
    stream = answer.extensions.get("network_stream")
    if stream is None or isinstance(stream.get_extra_info("ssl_object"), ssl.SSLObject):
        return None
    return stream.get_extra_info("socket")


def _meta(answer: Any) -> Meta:
    headers = answer.headers
    etag = headers.get("X-Linked-Etag") or headers.get("ETag") or ""
    size = headers.get("X-Linked-Size", "")
    if not size and not answer.has_redirect_location:
        size = headers.get("Content-Range", "").rpartition("/")[2] or headers.get("Content-Length", "")
    return Meta(
        headers.get("X-Repo-Commit", ""),
        etag.strip().removeprefix("W/").strip('"'),
        int(size) if size.isdecimal() else None,
    )


def _origin(url: str) -> tuple[str, str, int]:
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return parts.scheme, parts.hostname or "", port
