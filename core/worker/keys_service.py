"""The keyring service: keys of servers in the keyring of the system, and in no other place.

The only importer of `keyring`, which loads D-Bus, ctypes or cryptography and may wait for a person: so it
runs in a process of its own kind, never in the window's.
"""

from __future__ import annotations

import threading

import keyring
import keyring.errors
from keyring.backend import KeyringBackend
from keyring.backends.chainer import ChainerBackend

from core.errors import KeyringError
from core.worker import protocol
from core.worker.job import Job
from core.worker.protocol import Done, KeyRead

SERVICE = "tokenloupe"
# no keyring at all; one that forgets; and ones that write a file anybody can read
_ABSENT = ("keyring.backends.fail", "keyring.backends.null", "keyring.backends.chainer")
_UNSAFE = ("keyrings.alt", "keyrings.cryptfile")
_finding = threading.Lock()


def answer(job: Job) -> None:
    """Answer one request about keys. Raises KeyringError: none, unsafe, locked, failed."""
    request = job.request
    secret = request.key if isinstance(request, protocol.WriteKey) else ""
    try:
        backend = _backend()
        if isinstance(request, protocol.ReadKey):
            job.send(KeyRead(job.number, backend.get_password(SERVICE, request.address) or ""))
            return
        if isinstance(request, protocol.WriteKey):
            backend.set_password(SERVICE, request.address, secret)
        elif isinstance(request, protocol.ForgetKey):
            _forget(backend, request.address)
        job.send(Done(job.number))
    except KeyringError:
        raise
    except keyring.errors.KeyringLocked as error:
        raise KeyringError("keyring.locked", detail=_words(error, secret)) from None
    except (keyring.errors.InitError, keyring.errors.NoKeyringError) as error:
        raise KeyringError("keyring.none", detail=_words(error, secret)) from None
    except Exception as error:  # backends raise what their system gives them; no traceback may show the key
        raise KeyringError("keyring.failed", detail=_words(error, secret)) from None


def _words(error: Exception, secret: str) -> str:
    text = f"{type(error).__name__}: {error}"
    return text.replace(secret, "…") if secret else text


def _backend() -> KeyringBackend:
    with _finding:
        try:
            found = keyring.get_keyring()
        except Exception as error:  # whatever a configured backend raises when it is loaded
            raise KeyringError("keyring.none", detail=f"{type(error).__name__}: {error}") from None
    if isinstance(found, ChainerBackend):
        # each of its own: the chain would fall back to an unsafe one without a word
        found = next((one for one in found.backends if not _is(one, _ABSENT + _UNSAFE)), found)
    name = f"{type(found).__module__}.{type(found).__qualname__}"
    if _is(found, _ABSENT):
        raise KeyringError("keyring.none", detail=name)
    if _is(found, _UNSAFE) or "plaintext" in name.lower():
        raise KeyringError("keyring.unsafe", backend=name)
    return found


def _is(backend: KeyringBackend, modules: tuple[str, ...]) -> bool:
    return f"{type(backend).__module__}.".startswith(tuple(f"{module}." for module in modules))


def _forget(backend: KeyringBackend, address: str) -> None:
    if backend.get_password(SERVICE, address) is not None:
        backend.delete_password(SERVICE, address)
