"""Settings: value by value, atomic with a backup, and nothing in the file can stop the start."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SettingsError
from core.settings import Settings, SettingsStore, load, save


def test_no_file_gives_the_defaults_without_a_word(tmp_path: Path) -> None:
    assert load(tmp_path / "none" / "settings.json") == (Settings(), [])


def test_saved_settings_come_back_and_the_one_before_is_the_backup(tmp_path: Path) -> None:
    path = tmp_path / "config" / "settings.json"
    first = Settings(theme="dark", zoom=150, notices=("small-model",))
    second = Settings(theme="light", language="zh_TW", model="/models/größe 模型")
    save(path, first)
    save(path, second)
    assert load(path) == (second, [])
    assert load(path.with_name("settings.json.bak")) == (first, [])
    assert sorted(entry.name for entry in path.parent.iterdir()) == ["settings.json", "settings.json.bak"]


def test_a_bad_value_costs_only_itself_and_the_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    text = json.dumps(
        {"theme": "mauve", "zoom": 900, "language": "en", "card_candidates": "5", "new_key": [1]}
    )
    path.write_text(text)
    settings, problems = load(path)
    assert settings == Settings(language="en")
    assert [problem.params["name"] for problem in problems] == ["theme", "zoom", "card_candidates"]
    assert {problem.code for problem in problems} == {"settings.invalid"}
    assert (tmp_path / "settings.json.broken").read_text() == text


@pytest.mark.parametrize(
    "raw", [b"", b"\x00" * 512, b"{", b"[]", b"null", b'"x"', b"\xff\xfe{}", b"[" * 100_000]
)
def test_a_file_that_is_none_gives_way_to_the_backup(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "settings.json"
    good = Settings(theme="dark")
    save(path, good)
    save(path, Settings(theme="light"))
    path.write_bytes(raw)
    settings, problems = load(path)
    assert settings == good
    assert [problem.code for problem in problems] == ["settings.damaged"]
    assert (tmp_path / "settings.json.broken").read_bytes() == raw
    save(path, settings)
    assert load(path) == (good, [])


def test_damaged_without_a_backup_or_with_a_damaged_one(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"{{{")
    (tmp_path / "settings.json.bak").write_bytes(b"}}}")
    settings, problems = load(path)
    assert settings == Settings()
    assert [problem.code for problem in problems] == ["settings.damaged"]


def test_a_folder_in_place_of_the_file_is_a_problem_and_no_crash(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.mkdir()
    settings, problems = load(path)
    assert settings == Settings()
    assert [problem.code for problem in problems] == ["settings.unreadable"]
    with pytest.raises(SettingsError) as caught:
        save(path, settings)
    assert caught.value.code == "settings.not_saved"
    assert list(tmp_path.glob("*.part*")) == []


@given(
    st.dictionaries(
        st.sampled_from(Settings.__struct_fields__),
        st.one_of(
            st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.text(), max_size=2)
        ),
    )
)
def test_no_value_whatever_stops_the_start(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, object]
) -> None:
    path = tmp_path_factory.mktemp("any") / "settings.json"
    path.write_text(json.dumps(values), encoding="utf-8")
    settings, problems = load(path)
    bad = {problem.params.get("name") for problem in problems}
    for name in Settings.__struct_fields__:
        if name in bad or name not in values:
            assert getattr(settings, name) == getattr(Settings(), name)


def test_the_store_tells_and_writes_each_change_once(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    store = SettingsStore(path)
    seen: list[Settings] = []
    store.changed.connect(seen.append)
    store.update(theme="dark", zoom=120)
    store.update(theme="dark")
    assert seen == [Settings(theme="dark", zoom=120)]
    assert load(path) == (seen[0], [])
    store.remember("small-model")
    store.remember("small-model")
    assert len(seen) == 2
    assert store.noticed("small-model") and SettingsStore(path).noticed("small-model")


def test_the_store_refuses_what_a_file_may_not_hold(tmp_path: Path) -> None:
    store = SettingsStore(tmp_path / "settings.json")
    for change in ({"zoom": 10}, {"theme": "mauve"}, {"colour": "red"}):
        with pytest.raises(SettingsError):
            store.update(**change)
    assert store.value == Settings()


def test_a_change_that_cannot_be_written_still_counts_and_is_said(tmp_path: Path) -> None:
    blocker = tmp_path / "config"
    blocker.write_text("a file where the folder should be")
    store = SettingsStore(blocker / "settings.json")
    failures: list[str] = []
    store.failed.connect(lambda error: failures.append(error.code))
    store.update(theme="dark")
    assert store.value.theme == "dark"
    assert failures == ["settings.not_saved"]


def test_what_could_not_be_used_stands_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"theme": "mauve", "zoom": 900}))
    SettingsStore(path)
    told = [record.getMessage() for record in caplog.records]
    assert any("theme" in line for line in told) and any("zoom" in line for line in told)
