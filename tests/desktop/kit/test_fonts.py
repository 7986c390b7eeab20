"""Fonts that stand behind the names: whatever this machine has, the first one writes Latin text as Latin."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication

from desktop.kit import fonts


@pytest.mark.parametrize("mono", [False, True])
def test_every_family_exists_so_that_none_is_passed_over(qapp: QApplication, mono: bool) -> None:
    found = fonts.families(mono)
    assert found
    assert all(QFontDatabase.hasFamily(family) for family in found), found
