"""Reported faults of downloads and of models on disk, each by its number: the tests that hold for it.

Those that no other file has are here.
"""

from __future__ import annotations

import ast
import errno
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from huggingface_hub import constants
from huggingface_hub.utils import close_session  # type: ignore[attr-defined]

from core import error_words
from core.errors import ModelError
from core.models.folder import read_folder
from core.models.store import OnDisk, Store
from core.paths import default_paths
from core.worker import download_service
from core.worker import hub as hubs
from core.worker.download_values import Download
from core.worker.job import Job
from tests.core.models.downloading import ALL, TOKEN, models, place, pull, whole
from tests.fakes.hub.server import COMMIT, FakeHub

CORE = Path(__file__).parents[1]
# what is reported -> file below tests/core, and the beginnings of its tests' names
CASES = {
    "H01": {
        "models/test_download.py": ("test_h01_goes_on", "test_h01_a_mirror"),
        "models/test_download_queue.py": ("test_paused_is_gone", "test_a_killed_process"),
        "models/test_download_kills.py": ("test_random_cuts_and_kills",),
    },
    "H04": {"models/test_download.py": ("test_h04_a_wrong_file", "test_h04_wrong_again")},
    "H05": {
        "models/test_download.py": ("test_room_is_looked_at",),
        "models/test_verify.py": ("test_h05_a_disk_that_fills_up",),
    },
    "H06": {
        "models/test_download.py": ("test_h06_no_links_are_made",),
        "models/test_cases.py": ("test_h06_h07",),
    },
    "H07": {"models/test_cases.py": ("test_h06_h07",)},
    "H08": {
        "models/test_download.py": ("test_h08_a_stall", "test_h08_always_stalled", "test_xet_and_telemetry"),
        "models/test_download_queue.py": ("test_cancelled_leaves_nothing",),
    },
    "H09": {
        "models/test_cases.py": ("test_h09",),
        "models/test_download.py": ("test_xet_and_telemetry",),
    },
    "H10": {
        "models/test_download.py": ("test_h10_a_mirror",),
        "models/test_refusals.py": ("test_each_refusal",),
    },
    "H11": {"models/test_download.py": ("test_h11_the_limit", "test_h08_a_stall")},
    "H12": {
        "models/test_cases.py": ("test_h12_v13",),
        "models/test_download.py": ("test_h12_a_pinned_commit",),
    },
    "H13": {"models/test_verify.py": ("test_h13_a_folder_that_only_can_be_read",)},
    "H15": {
        "models/test_download.py": ("test_h15_access_is_known",),
        "models/test_download_hosts.py": ("test_the_token_goes_to_the_hub",),
        "models/test_refusals.py": ("test_each_refusal", "test_no_two_refusals"),
    },
    "H16": {
        "models/test_verify.py": ("test_h16_links_out", "test_a_link_in_the_place"),
        "server/test_mounts.py": ("test_h16_a_snapshot_is", "test_h16_a_link_that"),
    },
    "V13": {
        "models/test_cases.py": ("test_h12_v13",),
        "server/test_compose_files.py": ("test_v13_d18", "test_only_this_computer"),
    },
    "V14": {"server/test_cases.py": ("test_v14",)},
    "V22": {
        "models/test_download.py": ("test_code_of_a_model_only_for_the_commit",),
        "server/test_cases.py": ("test_v22",),
    },
}


@pytest.mark.parametrize("case", CASES)
def test_each_case_has_its_tests(case: str) -> None:
    for path, names in CASES[case].items():
        tree = ast.parse((CORE / path).read_text(encoding="utf-8"))
        there = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        for name in names:
            assert any(one.startswith(name) for one in there), f"{path}: {name}"


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What the download process does, in this one."""
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_TELEMETRY", True)
    close_session()
    yield
    close_session()


def fetched(hub: FakeHub, revision: str = COMMIT) -> str:
    """ "" or the error's code."""
    request = Download(1, "org/name", revision, str(models()), endpoint=hub.address, floor=0, tries=1)
    try:
        download_service.download(Job(request, lambda _: None), request)
    except ModelError as error:
        return error.code
    return ""


def test_h06_h07_eight_at_once_and_no_link_can_be_made(
    hub: FakeHub, here: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows for somebody who may make none. Two models, four writers each: one of them does it."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "A required privilege is not held by the client")  # WinError 1314

    monkeypatch.setattr(os, "symlink", refuse)
    monkeypatch.setattr(os, "link", refuse)
    hub.older["a" * 40] = hub.files
    for _ in range(20):
        with ThreadPoolExecutor(8) as pool:
            ends = list(pool.map(lambda revision: fetched(hub, revision), [COMMIT, "a" * 40] * 4))
        assert set(ends) <= {"", "store.busy"} and "" in ends[::2] and "" in ends[1::2], ends
        for commit in (COMMIT, "a" * 40):
            whole(place(commit), {name: hub.files[name] for name in ALL})
        shutil.rmtree(models())


NESTED = (
    "Data processing error: CAS service error : ReqwestMiddleware Error: Request failed after 5 retries: "
    'error sending request for url (https://cas.example/v1/chunk?X-Signature=secret): Client(Connect("dns'
    ' error", Custom { kind: Uncategorized, error: "failed to lookup address information" }))'
)


def test_h09_what_a_library_throws_is_short_and_its_own_words_are_folded(
    hub: FakeHub, here: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError(NESTED)

    monkeypatch.setattr(type(hubs.get_session()), "stream", broken)
    request = Download(1, "org/name", COMMIT, str(models()), endpoint=hub.address, floor=0, tries=1)
    with pytest.raises(ModelError) as caught:
        download_service.download(Job(request, lambda _: None), request)
    assert caught.value.code == "hub.failed"
    shown = error_words.sentences(caught.value)
    assert len(shown) == 3 and not any("CAS" in sentence for sentence in shown)
    assert "failed to lookup address" in caught.value.detail and "secret" not in caught.value.detail
    states = {row.id: row.state for row in Store(default_paths()).rows()}
    assert states.get("org/name") in (None, OnDisk.PARTIAL)  # whatever is left, it is not taken for whole


def test_h12_v13_a_gated_model_that_is_on_disk_needs_neither_hub_nor_token(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.gated, hub.token = True, TOKEN
    assert pull(token=TOKEN).phase == "ready"
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    hub.requests.clear()
    (row,) = [row for row in Store(default_paths()).rows() if row.id == "org/name"]
    assert (row.state, row.revision, row.gated) == (OnDisk.READY, COMMIT, True)
    assert pull(COMMIT).phase == "ready"  # Start asks for it too: nothing is to be done
    assert read_folder(Path(row.folder)).revision == COMMIT
    assert not hub.requests
