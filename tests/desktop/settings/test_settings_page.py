"""The settings page and the About page: values both ways, at once, in both languages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from core.models.catalog import built_in
from core.paths import default_paths
from core.settings import SettingsStore
from core.tasks import TaskScope
from desktop.kit import fonts
from desktop.kit.appearance import Appearance
from desktop.kit.i18n import Language
from desktop.settings import folders, versions
from desktop.settings.apply import follow
from desktop.settings.folders import FolderRow
from desktop.settings.presenter import AboutPresenter
from desktop.settings.rows import Choice
from desktop.settings.view import SettingsView


@pytest.fixture
def store(tmp_path: Path) -> SettingsStore:
    return SettingsStore(tmp_path / "settings.json")


@pytest.fixture
def view(store: SettingsStore, qtbot: QtBot) -> Iterator[SettingsView]:
    made = SettingsView(store, default_paths(), built_in())
    qtbot.addWidget(made)
    yield made


def choose(control: Choice, value: object) -> None:
    control.setCurrentIndex(control.findData(value))
    control.activated.emit(control.currentIndex())


@pytest.mark.parametrize(
    ("control", "field", "value"),
    [
        ("language", "language", "zh_TW"),
        ("theme", "theme", "high_contrast"),
        ("zoom", "zoom", 150),
        ("heat", "heat", "bar"),
        ("hover", "hover", "ctrl"),
        ("send", "send_key", "ctrl_enter"),
    ],
)
def test_a_choice_is_kept_at_once(
    view: SettingsView, store: SettingsStore, control: str, field: str, value: object
) -> None:
    choose(getattr(view.page, control), value)
    assert getattr(store.value, field) == value
    assert getattr(SettingsStore(store.path).value, field) == value


def test_numbers_and_the_switch_are_kept(view: SettingsView, store: SettingsStore) -> None:
    view.page.candidates.setValue(20)
    view.page.doubt.setValue(10)
    view.page.motion.click()
    assert store.value.card_candidates == 20
    assert store.value.doubt_threshold == pytest.approx(0.10)
    assert store.value.reduce_motion is True


def test_values_from_elsewhere_are_shown_and_not_written_back(
    view: SettingsView, store: SettingsStore
) -> None:
    told: list[object] = []
    store.changed.connect(told.append)
    store.update(zoom=133, theme="dark", doubt_threshold=0.2, reduce_motion=True)
    page = view.page
    assert (page.zoom.value(), page.zoom.currentText()) == (133, "133 %")
    assert (page.theme.value(), page.doubt.value(), page.motion.isChecked()) == ("dark", 20, True)
    assert len(told) == 1


def test_a_value_that_is_refused_is_said_and_taken_back(view: SettingsView, store: SettingsStore) -> None:
    failed: list[Any] = []
    view.page.failed.connect(failed.append)
    view.page.zoom.addItem("9", 9)
    choose(view.page.zoom, 9)
    assert [error.code for error in failed] == ["settings.invalid"]
    assert view.page.zoom.value() == 100


def test_the_wheel_never_changes_a_setting(view: SettingsView, store: SettingsStore) -> None:
    before = store.value
    for control in (view.page.zoom, view.page.candidates):
        event = QWheelEvent(
            QPointF(5, 5), QPointF(5, 5), QPoint(), QPoint(0, -120),
            Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(control, event)
    assert store.value == before


def test_everything_has_a_name_and_is_plain_text(view: SettingsView) -> None:
    for row in view.page._rows.values():
        assert row.control.accessibleName()
    for button in view.findChildren(QAbstractButton):
        assert button.text() or button.accessibleName(), button
        if not button.text() and button.isVisibleTo(view) and button.parent() is view._bar:
            assert button.toolTip()
    for label in view.findChildren(QLabel):
        if label.text():
            assert label.textFormat() == Qt.TextFormat.PlainText or label.text().isascii()


def test_the_language_switches_while_it_is_shown(
    view: SettingsView, store: SettingsStore, qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    language, appearance = Language(), Appearance(qapp, tmp_path)
    follow(store, appearance, language)
    choose(view.page.language, "en")
    view.show()
    english = view.tabs.tabText(2)
    try:
        choose(view.page.language, "zh_TW")
        qtbot.waitUntil(lambda: view.tabs.tabText(2) != english)
        assert view.tabs.tabText(2) == "關於"
        choose(view.page.zoom, 150)
        assert appearance.zoom == 150 and fonts.px(32) == 48
    finally:
        store.update(language="en", zoom=100, theme="light")
        appearance.deleteLater()


def test_escape_and_the_cross_lead_back(view: SettingsView, qtbot: QtBot) -> None:
    closed: list[int] = []
    view.closed.connect(lambda: closed.append(1))
    view.show()
    QTest.keyClick(view, Qt.Key.Key_Escape)
    view.close_button.click()
    assert closed == [1, 1]


def test_folders_open_or_say_that_they_could_not(qtbot: QtBot, tmp_path: Path) -> None:
    opened: list[Path] = []
    failed: list[str] = []
    parent = QWidget()
    qtbot.addWidget(parent)
    good = FolderRow(tmp_path, lambda folder: bool(opened.append(folder)) or True, parent)
    bad = FolderRow(tmp_path, lambda folder: False, parent)
    bad.failed.connect(failed.append)
    good.open_button.click()
    bad.open_button.click()
    assert (opened, failed) == ([tmp_path], [str(tmp_path)])
    good.copy_button.click()
    assert QGuiApplication.clipboard().text() == str(tmp_path)


def test_a_folder_is_made_before_it_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    urls: list[str] = []
    monkeypatch.setattr(
        folders.QDesktopServices, "openUrl", lambda url: bool(urls.append(url.toLocalFile())) or True
    )
    assert folders.open_folder(tmp_path / "new")
    assert (tmp_path / "new").is_dir() and urls == [str(tmp_path / "new")]
    (tmp_path / "file").write_text("x")
    assert not folders.open_folder(tmp_path / "file" / "below")


def test_about_reads_what_is_installed_when_it_is_first_seen(
    store: SettingsStore, run_qt: Callable[..., Any]
) -> None:
    async def body() -> None:
        view = SettingsView(store, default_paths(), built_in())
        scope = TaskScope()
        presenter = AboutPresenter(view.about, scope)
        view.show()
        assert not view.about.copy.isEnabled()
        view.open_at("about")
        await asyncio.gather(*scope._tasks)
        assert view.about.copy.isEnabled()
        view.about.copy.click()
        view.about.show_texts_button.click()
        await asyncio.gather(*scope._tasks)
        assert view.about._texts.isVisible()
        assert "Apache" in view.about._texts.toPlainText()
        await scope.close()
        view.about.texts_wanted.emit()  # too late: nothing happens
        del presenter
        view.deleteLater()

    run_qt(body())
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("Token Loupe ") and "qasync" in copied


def test_about_names_the_model_its_licence_and_its_origin(view: SettingsView) -> None:
    words = " ".join(label.text() for label in view.about.findChildren(QLabel))
    assert "SmolLM2" in words and "Apache-2.0" in words and "HuggingFaceTB" in words
    assert str(default_paths().history) in words


def test_versions_import_nothing_and_skip_what_is_absent() -> None:
    found = versions.parts(["qasync", "no-such-package"])
    assert [part.name for part in found] == ["Python", "qasync"]
    assert all(part.version and part.licence for part in found)
    assert "Copyright" in versions.licence_texts(["qasync", "no-such-package"])
