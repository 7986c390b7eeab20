"""What a server in Docker sees of this computer: the model's files and no more, by links it can follow."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import ModelError
from core.server.mounts import Mount, mount_of
from core.server.spec import LaunchSpec


def _folder(place: Path, *names: str) -> Path:
    place.mkdir(parents=True)
    for name in names or ("config.json", "model.safetensors"):
        (place / name).write_text("{}")
    return place


def _cached(hub: Path, name: str = "models--org--one") -> Path:
    """A snapshot as the hub's own cache has it: links to blobs beside it."""
    cache = hub / name
    snapshot = cache / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    (cache / "blobs").mkdir()
    for name in ("config.json", "model.safetensors"):
        (cache / "blobs" / f"sha-{name}").write_text("{}")
        (snapshot / name).symlink_to(f"../../blobs/sha-{name}")
    return snapshot


def _mount(folder: Path, models: Path, drafter: Path | None = None) -> Mount:
    spec = LaunchSpec(model="m", folder=str(folder), drafter=str(drafter) if drafter else "")
    return mount_of(spec, models)


def _code(folder: Path, models: Path, drafter: Path | None = None) -> tuple[str, dict[str, object]]:
    with pytest.raises(ModelError) as caught:
        _mount(folder, models, drafter)
    return caught.value.code, dict(caught.value.params)


@pytest.mark.parametrize("name", ["plain", "Modèles 模型 🧪", "a:b", "org--one@1"])
def test_only_the_models_own_folder_is_seen(tmp_path: Path, name: str) -> None:
    folder = _folder(tmp_path / name)
    mount = _mount(folder, tmp_path)
    assert mount == Mount(str(folder), f"/models/{name}", f"/models/{name}")


def test_h16_a_snapshot_is_mounted_with_the_blobs_it_points_to(tmp_path: Path) -> None:
    snapshot = _cached(tmp_path / "hub")
    mount = _mount(snapshot, tmp_path / "models")
    assert mount.source == str(tmp_path / "hub" / "models--org--one")
    assert mount.model == "/models/models--org--one/snapshots/abc"
    # what the container would find there
    inside = Path(mount.source) / Path(mount.model).relative_to(mount.target)
    assert inside == snapshot and (inside / "config.json").resolve().is_relative_to(mount.source)


def test_h16_a_snapshot_of_real_files_needs_no_more_than_itself(tmp_path: Path) -> None:
    snapshot = _folder(tmp_path / "hub" / "models--org--one" / "snapshots" / "abc")
    assert _mount(snapshot, tmp_path).source == str(snapshot)


def test_a_link_to_the_folder_is_the_folder(tmp_path: Path) -> None:
    folder = _folder(tmp_path / "real")
    (tmp_path / "link").symlink_to(folder)
    assert _mount(tmp_path / "link", tmp_path).source == str(folder)


def test_links_inside_and_files_that_no_server_reads_are_no_matter(tmp_path: Path) -> None:
    folder = _folder(tmp_path / "one")
    (folder / "sub").mkdir()
    (folder / "sub" / "x.json").symlink_to("../config.json")
    (folder / "README.md").symlink_to("/nowhere")
    assert _mount(folder, tmp_path).source == str(folder)


@pytest.mark.parametrize(
    "to", ["../elsewhere.json", "/etc/hostname", "gone.json", "../hub/blobs/x", "config.json"]
)
def test_h16_a_link_that_a_container_could_not_follow_is_told_before(tmp_path: Path, to: str) -> None:
    (tmp_path / "elsewhere.json").write_text("{}")
    folder = _folder(tmp_path / "one", "model.safetensors")
    (folder / "config.json").symlink_to(to)
    code, params = _code(folder, tmp_path)
    assert (code, params) == ("model.links", {"folder": str(folder), "file": "config.json", "target": to})


def test_h16_an_absolute_link_cannot_be_followed_even_to_its_own_cache(tmp_path: Path) -> None:
    snapshot = _cached(tmp_path)
    (snapshot / "config.json").unlink()
    (snapshot / "config.json").symlink_to(tmp_path / "models--org--one" / "blobs" / "sha-config.json")
    assert _code(snapshot, tmp_path)[0] == "model.links"


def test_h16_a_chain_that_leaves_on_its_way_cannot_be_followed(tmp_path: Path) -> None:
    folder = _folder(tmp_path / "one", "real.json")
    (tmp_path / "outside.json").symlink_to("one/real.json")
    (folder / "config.json").symlink_to("../outside.json")
    assert _code(folder, tmp_path)[0] == "model.links"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert _code(tmp_path / "no", tmp_path) == ("model.not_found", {"folder": str(tmp_path / "no")})


def test_model_and_drafter_are_seen_through_the_models_folder(tmp_path: Path) -> None:
    models = tmp_path / "models"
    model, drafter = _folder(models / "org--m@1"), _folder(models / "deeper" / "d")
    mount = _mount(model, models, drafter)
    assert mount == Mount(str(models), "/models", "/models/org--m@1", "/models/deeper/d")


def test_model_and_drafter_side_by_side_elsewhere(tmp_path: Path) -> None:
    model, drafter = _cached(tmp_path / "hub", "models--o--m"), _cached(tmp_path / "hub", "models--o--d")
    mount = _mount(model, tmp_path / "models", drafter)
    assert mount.source == str(tmp_path / "hub")
    assert mount.drafter == "/models/models--o--d/snapshots/abc"


def test_model_and_drafter_far_apart_would_show_too_much(tmp_path: Path) -> None:
    model, drafter = _folder(tmp_path / "a" / "m"), _folder(tmp_path / "b" / "d")
    code, params = _code(model, tmp_path / "models", drafter)
    assert (code, params["folder"]) == ("model.drafter", str(drafter))
