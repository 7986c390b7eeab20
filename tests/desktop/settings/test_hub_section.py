"""The settings of the hub: what is typed is checked, the token is a word of state, hosts are listed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.models.catalog import built_in
from core.models.ledger import Contact
from core.paths import default_paths
from core.settings import SettingsStore
from desktop.settings.hub_section import FIELDS, HubSection, TokenSeen
from desktop.settings.text_row import TextRow
from desktop.settings.token_sheet import TokenSheet
from desktop.settings.view import SettingsView


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_ENDPOINT", raising=False)


@pytest.fixture
def store(tmp_path: Path) -> SettingsStore:
    return SettingsStore(tmp_path / "settings.json")


@pytest.fixture
def view(store: SettingsStore, qtbot: QtBot) -> Iterator[SettingsView]:
    made = SettingsView(store, default_paths(), built_in())
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    yield made


@pytest.fixture
def section(view: SettingsView) -> HubSection:
    return view.page.hub


def enter(row: TextRow, text: str) -> None:
    row.field.setText(text)
    QTest.keyClick(row.field, Qt.Key.Key_Return)


def note(section: HubSection, name: str) -> str:
    return section._rows[name]._note.text()


def test_each_value_is_kept_at_once(section: HubSection, store: SettingsStore) -> None:
    enter(section.endpoint, " https://Mirror.example/hub/ ")
    enter(section.proxy, "http://proxy.example:3128")
    section.seconds.setValue(90)
    section.offline.click()
    value = SettingsStore(store.path).value
    assert (value.hub_endpoint, value.hub_proxy) == (
        "https://mirror.example/hub",
        "http://proxy.example:3128",
    )
    assert (value.hub_seconds, value.offline) == (90, True)
    assert section.endpoint.field.text() == "https://mirror.example/hub"
    enter(section.endpoint, "")
    assert store.value.hub_endpoint == ""


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("endpoint", "mirror example"),
        ("endpoint", "ftp://mirror.example"),
        ("proxy", "proxy"),
        ("proxy", "http://me:secret@proxy.example:3128"),
    ],
)
def test_what_is_no_address_says_so_and_is_not_kept(
    section: HubSection, store: SettingsStore, name: str, bad: str
) -> None:
    row: TextRow = getattr(section, name)
    before = store.path.read_text() if store.path.exists() else ""
    enter(row, bad)
    assert row.problem.isVisible() and row.problem.text().endswith(".")
    assert "secret" not in row.problem.text()
    assert (store.path.read_text() if store.path.exists() else "") == before
    assert row.field.text() == bad  # to be corrected
    store.update(zoom=110)  # another setting leaves it there
    assert row.field.text() == bad and row.problem.isVisible()
    enter(row, "http://127.0.0.1:8080")
    assert row.problem.isHidden() and "http://127.0.0.1:8080" in store.path.read_text()


def test_what_was_refused_is_gone_when_the_settings_are_opened_again(view: SettingsView) -> None:
    row = view.page.hub.endpoint
    enter(row, "nothing")
    view.open_at()
    assert row.field.text() == "" and row.problem.isHidden()


def test_leaving_a_field_takes_what_is_in_it(view: SettingsView, store: SettingsStore, qtbot: QtBot) -> None:
    view.activateWindow()
    row = view.page.hub.proxy
    row.field.setFocus()
    QTest.keyClicks(row.field, "http://10.0.0.1:8080")
    assert store.value.hub_proxy == ""
    view.page.hub.seconds.setFocus()
    assert store.value.hub_proxy == "http://10.0.0.1:8080"


def test_an_address_without_https_is_warned_of_but_for_this_computer(section: HubSection) -> None:
    enter(section.endpoint, "http://mirror.example")
    assert "Without https" in note(section, "endpoint")
    for safe in ("http://127.0.0.1:8080", "https://mirror.example", ""):
        enter(section.endpoint, safe)
        assert "Without https" not in note(section, "endpoint")


def test_the_environments_hub_is_named(
    section: HubSection, monkeypatch: pytest.MonkeyPatch, store: SettingsStore
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "https://mirror.example/")
    section._translate()
    assert section.endpoint.field.placeholderText() == "https://mirror.example"
    assert section._rows["token"]._title.text() == "Token for mirror.example"


@pytest.mark.parametrize(
    ("seen", "words", "removable"),
    [
        (TokenSeen(), "Not set.", False),
        (TokenSeen(kept=True), "in the keyring of this computer. It is sent to huggingface.co alone.", True),
        (TokenSeen(here=True, problem="There is no keyring."), "until you quit. There is no keyring.", True),
        (TokenSeen(variable="HF_TOKEN"), "Set: HF_TOKEN of the environment, which comes before", False),
        (TokenSeen(kept=True, variable="HF_TOKEN"), "Set: HF_TOKEN of the environment", True),
        (TokenSeen(other="HF_TOKEN", other_hub="a.example"), "HF_TOKEN of the environment is for a.", False),
    ],
)
def test_a_token_is_shown_as_a_state(
    section: HubSection, seen: TokenSeen, words: str, removable: bool
) -> None:
    section.set_token(seen)
    assert words in note(section, "token")
    assert section.token.remove.isVisible() == removable
    assert section.token.enter.text() == ("Replace…" if removable else "Enter…")


def test_another_hub_has_another_token(section: HubSection) -> None:
    section.set_token(TokenSeen(kept=True))
    enter(section.endpoint, "https://mirror.example")
    assert section._rows["token"]._title.text() == "Token for mirror.example"
    assert note(section, "token") == "" and not section.token.remove.isVisible()


@pytest.mark.parametrize("field", FIELDS)
def test_an_errors_next_step_leads_to_its_field(view: SettingsView, field: str) -> None:
    view.tabs.setCurrentIndex(2)
    view.open_at(field)
    control = view.page.hub.control(field)
    assert view.tabs.currentIndex() == 0 and view.focusWidget() is control
    place = control.mapTo(view.page.viewport(), control.rect().center())
    assert view.page.viewport().rect().contains(place)


# --- the sheet of the token -------------------------------------------------------------------------------


@pytest.fixture
def sheet(view: SettingsView) -> TokenSheet:
    made = TokenSheet(view, "https://mirror.example/hub")
    made.show()
    return made


def test_a_token_is_hidden_while_it_is_typed_and_told_once(sheet: TokenSheet, qtbot: QtBot) -> None:
    assert sheet.edit.echoMode() == sheet.edit.EchoMode.Password
    assert not sheet.keep.isEnabled()
    assert "https://mirror.example/hub/settings/tokens" in sheet.page.toolTip()
    sheet.edit.setText(" hf_abc \n")
    with qtbot.waitSignal(sheet.given) as told:
        QTest.keyClick(sheet.edit, Qt.Key.Key_Return)
    assert told.args == ["hf_abc"] and sheet.edit.text() == ""


def test_what_is_no_token_is_not_told(sheet: TokenSheet) -> None:
    heard: list[str] = []
    sheet.given.connect(heard.append)
    sheet.edit.setText("two words")
    sheet.keep.click()
    assert heard == [] and sheet.problem.isVisible() and "two words" not in sheet.problem.text()
    sheet.edit.setText("hf_abc")
    assert sheet.problem.isHidden()


# --- the page of hosts ------------------------------------------------------------------------------------


def test_hosts_are_listed_the_latest_first_in_words(view: SettingsView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(view.hosts.wanted):
        view.page.hub.hosts.click()
    assert view.tabs.currentIndex() == 1 and view.hosts.empty.isVisible()
    assert not view.hosts.clear.isEnabled()
    view.hosts.set_contacts(
        (Contact("huggingface.co", "search small words", 0.0), Contact("huggingface.co", "list org/a", 1.0))
    )
    view.hosts.add(Contact("cdn.example", "files of org/a", 2.0))
    view.hosts.add(Contact("docker.io", "image vllm/a:1", 2.5))
    view.hosts.add(Contact("cdn.example", "something else", 3.0))
    rows = view.hosts.rows
    seen = [tuple(rows.index(row, column).data() for column in (1, 2)) for row in range(rows.rowCount())]
    assert seen == [
        ("cdn.example", "something else"),
        ("docker.io", "Image vllm/a:1, by Docker"),
        ("cdn.example", "Files of org/a"),
        ("huggingface.co", "List of the files of org/a"),
        ("huggingface.co", "Search for “small words”"),
    ]
    assert view.hosts.table.isVisible() and view.hosts.empty.isHidden()
    with qtbot.waitSignal(view.hosts.clear_wanted):
        view.hosts.clear.click()
    assert QApplication.focusWidget() is None or view.isAncestorOf(QApplication.focusWidget())


def test_foreign_words_stay_plain_and_as_they_are(view: SettingsView) -> None:
    view.hosts.set_contacts((Contact("<b>x</b>", "search {what} <i>", 0.0),))
    rows = view.hosts.rows
    assert rows.index(0, 1).data() == "<b>x</b>"
    assert "<b>" not in rows.index(0, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert rows.index(0, 2).data() == "Search for “{what} <i>”"
