"""What a person chooses of a server, and what is found there: values only."""

from __future__ import annotations

from typing import Literal

import msgspec

FROM_SERVER = "server"  # a choice of files: no tokenizer here, text comes from the server


class ServerChoice(msgspec.Struct, frozen=True):
    """`model` "": the first that is supported. `files`: where tokenizer and template come from: "" = find
    out, "org/name[@revision]" of the hub, a folder's path, or "server" = text from the server."""

    address: str
    model: str = ""
    files: str = ""


class Served(msgspec.Struct, frozen=True):
    """One model that a server lists. `family` and `model_type` "": not known. `supported` None: nothing is
    known of it yet, since its config was not read; `why`: code of the reason when it is False."""

    id: str
    root: str
    family: str = ""
    supported: bool | None = None
    why: str = ""
    model_type: str = ""


class Source(msgspec.Struct, frozen=True):
    """Where tokenizer and template come from. `assumed`: servers never tell their commit, and no pin of ours
    says it either."""

    kind: Literal["folder", "hub", "server"]
    place: str
    revision: str = ""
    assumed: bool = False
