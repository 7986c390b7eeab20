"""Owns how standard widgets look: palette and one style sheet from a `Theme`, and the properties it reads.

Widgets say what they are by properties (set them with `mark`), the sheet says how that looks:

- `kind` of a button: primary, flat (chip, quiet action), icon (square), bar (run bar), danger, link,
  select (opens a menu of choices), segment (one of several views of a page)
- `size`: small (28 px instead of 32)
- `role`: a row of the type scale (fonts.ROLES); `tone`: text2, text3, accent, ok, warn, err
- `ground` of a container: surface, side, raised, bg, box (question, code), card, chosen (a card that is the
  first choice), segments (around such buttons), marked (a row that somebody was led to)
- `banner` of a frame: info, ok, warn, err; `edge`: top, bottom, left, right (one hairline), row (one of
  several that can be marked)
"""

from __future__ import annotations

import logging
import re
from pathlib import Path
from string import Template
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QWidget

from desktop.kit import fonts, icons
from desktop.kit.theme import Theme, mix

log = logging.getLogger(__name__)

_SHEET: Final = Template(
    """
QMainWindow, QDialog { background: $side; }
QMainWindow::separator { background: $line; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: $accent; }
QSplitter::handle { background: $line; }
QToolTip { background: $raised; color: $text; border: 1px solid $tip_line; padding: 4px 6px; }

QWidget[ground="surface"] { background: $surface; }
QWidget[ground="side"] { background: $side; }
QWidget[ground="bg"] { background: $bg; }
QWidget[ground="raised"] { background: $raised; }
QWidget[ground="box"] { background: $side; border: 1px solid $line; border-radius: 10px; }
QWidget[ground="segments"] { background: $hover; border-radius: 8px; }
QWidget[ground="card"] { background: $surface; border: 1px solid $line; border-radius: 10px; }
QWidget[ground="chosen"] { background: $surface; border: 1px solid $accent; border-radius: 10px; }
QWidget[edge="top"] { border: 0; border-top: 1px solid $line; }
QWidget[edge="bottom"] { border: 0; border-bottom: 1px solid $line; }
QWidget[edge="left"] { border: 0; border-left: 1px solid $line; }
QWidget[edge="right"] { border: 0; border-right: 1px solid $line; }
QWidget[edge="row"] { border: 0; border-top: 1px solid $line; border-left: 3px solid transparent; }
QWidget[ground="marked"] { background: $accent_soft; border-left-color: $accent; }
QFrame[banner] { border-radius: 8px; background: $accent_soft; border: 1px solid $accent_line; }
QFrame[banner="ok"] { background: $ok_soft; border-color: $ok_line; }
QFrame[banner="warn"] { background: $warn_soft; border-color: $warn_line; }
QFrame[banner="err"] { background: $err_soft; border-color: $err_line; }

QLabel { background: transparent; }
QLabel[tone="text2"], QCheckBox[tone="text2"] { color: $text2; }
QLabel[tone="text3"], QCheckBox[tone="text3"] { color: $text3; }
QLabel[tone="accent"] { color: $accent; }
QLabel[tone="ok"] { color: $ok; }
QLabel[tone="warn"] { color: $warn; }
QLabel[tone="err"] { color: $err; }
$roles

QPushButton, QToolButton {
    background: $surface; color: $text; border: 1px solid $line; border-radius: 6px;
    min-height: 30px; padding: 0 14px; font-weight: 600; outline: 0;
}
QPushButton:hover, QToolButton:hover { background: $hover; }
QPushButton:pressed, QToolButton:pressed { background: $pressed; }
QPushButton:checked, QToolButton:checked { background: $accent_soft; border-color: $accent_line; }
QPushButton:disabled, QToolButton:disabled { color: $faded; background: $side; border-color: $faded_line; }
QPushButton[scale="small"], QToolButton[scale="small"] { min-height: 26px; padding: 0 10px; }
QPushButton[kind="bar"], QToolButton[kind="bar"] { min-height: 32px; padding: 0 12px; }
QPushButton[kind="primary"] { background: $accent; color: $on_accent; border-color: $accent; }
QPushButton[kind="primary"]:hover { background: $accent_hover; border-color: $accent_hover; }
QPushButton[kind="primary"]:pressed { background: $accent_pressed; border-color: $accent_pressed; }
QPushButton[kind="primary"]:disabled { background: $faded_fill; color: $faded; border-color: $faded_line; }
QPushButton[kind="danger"] { color: $err; border-color: $err_line; }
QPushButton[kind="danger"]:hover { background: $err_soft; }
QPushButton[kind="danger"]:disabled { color: $faded; border-color: $faded_line; }
QPushButton[kind="flat"], QToolButton[kind="flat"] {
    background: transparent; border-color: transparent; color: $text2; padding: 0 8px; min-height: 26px;
}
QPushButton[kind="flat"]:hover, QToolButton[kind="flat"]:hover { background: $hover; color: $text; }
QPushButton[kind="flat"]:pressed, QToolButton[kind="flat"]:pressed { background: $pressed; }
QPushButton[kind="flat"]:checked, QToolButton[kind="flat"]:checked {
    background: $accent_soft; color: $accent;
}
QPushButton[kind="flat"]:disabled, QToolButton[kind="flat"]:disabled { color: $faded; }
QPushButton[kind="select"] { text-align: left; border-color: $ctl; padding: 0 10px; }
QPushButton[kind="link"] {
    background: transparent; border-color: transparent; color: $accent; padding: 0 2px; min-height: 22px;
}
QPushButton[kind="link"]:hover { text-decoration: underline; }
QPushButton[kind="link"]:disabled { color: $faded; background: transparent; border-color: transparent; }
QPushButton[kind="segment"] {
    background: transparent; border-color: transparent; color: $text2; padding: 0 18px; min-height: 24px;
}
QPushButton[kind="segment"]:hover { color: $text; }
QPushButton[kind="segment"]:checked { background: $surface; border-color: $line; color: $text; }
QToolButton[kind="icon"], QPushButton[kind="icon"] {
    background: transparent; border: 1px solid transparent; padding: 0;
    min-width: 30px; max-width: 30px; min-height: 30px; max-height: 30px;
}
QToolButton[kind="icon"][scale="small"], QPushButton[kind="icon"][scale="small"] {
    min-width: 26px; max-width: 26px; min-height: 26px; max-height: 26px;
}
QToolButton[kind="icon"]:hover, QPushButton[kind="icon"]:hover { background: $hover; }
QToolButton[kind="icon"]:pressed, QPushButton[kind="icon"]:pressed { background: $pressed; }
QToolButton[kind="icon"]:checked, QPushButton[kind="icon"]:checked { background: $accent_soft; }
QToolButton::menu-indicator, QPushButton::menu-indicator { image: none; width: 0; }

QLineEdit, QSpinBox, QDoubleSpinBox, QPlainTextEdit, QTextEdit, QComboBox, QKeySequenceEdit {
    background: $surface; color: $text; border: 1px solid $ctl; border-radius: 6px;
    selection-background-color: $selection; selection-color: $text; placeholder-text-color: $text3;
}
QLineEdit, QSpinBox, QDoubleSpinBox { min-height: 30px; max-height: 30px; padding: 0 10px; }
QPlainTextEdit, QTextEdit { padding: 6px 8px; }
QLineEdit[scale="small"], QSpinBox[scale="small"], QDoubleSpinBox[scale="small"] {
    min-height: 26px; max-height: 26px; padding: 0 8px;
}
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border: 2px solid $focus; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus {
    min-height: 28px; max-height: 28px; padding: 0 9px;
}
QLineEdit[scale="small"]:focus, QSpinBox[scale="small"]:focus, QDoubleSpinBox[scale="small"]:focus {
    min-height: 24px; max-height: 24px; padding: 0 7px;
}
QPlainTextEdit:focus, QTextEdit:focus { border: 2px solid $focus; padding: 5px 7px; }
QLineEdit[kind="search"] { border-color: $search_line; }
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QPlainTextEdit:disabled,
QComboBox:disabled { color: $faded; background: $side; border-color: $faded_line; }
QLineEdit[kind="plain"], QPlainTextEdit[kind="plain"], QTextEdit[kind="plain"] {
    border: 0; background: transparent; padding: 0; border-radius: 0;
}
QLineEdit[state="err"], QSpinBox[state="err"], QDoubleSpinBox[state="err"] { border-color: $err; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button {
    width: 8px; border: 0; background: transparent;
}
QSpinBox::up-arrow, QSpinBox::down-arrow, QDoubleSpinBox::up-arrow, QDoubleSpinBox::down-arrow {
    image: none; width: 0; height: 0;
}
QAbstractSpinBox QLineEdit, QAbstractSpinBox QLineEdit:focus, QComboBox QLineEdit, QComboBox QLineEdit:focus {
    border: 0; min-height: 0; max-height: 9999px; padding: 0; background: transparent;
}
QFileDialog QToolButton { padding: 0; min-width: 30px; max-width: 30px; border-color: transparent; }
QFileDialog QToolButton:checked { border-color: $accent_line; }
QLineEdit QToolButton {
    min-width: 16px; min-height: 16px; padding: 0; margin: 0; border: 0; background: transparent;
}

QComboBox { min-height: 30px; padding: 0 4px 0 10px; font-weight: 600; combobox-popup: 0; }
QComboBox[scale="small"] { min-height: 26px; }
QComboBox:focus { min-height: 28px; padding: 0 3px 0 9px; }
QComboBox[scale="small"]:focus { min-height: 24px; }
QComboBox:hover { background: $hover; }
QComboBox::drop-down { border: 0; width: 28px; }
QComboBox::down-arrow { image: url("$chevron"); width: 14px; height: 14px; }
QComboBox QAbstractItemView {
    background: $raised; color: $text; border: 1px solid $tip_line; padding: 4px; outline: 0;
    selection-background-color: $accent_soft; selection-color: $text;
}
QComboBox QAbstractItemView::item { min-height: 28px; padding: 0 8px; border-radius: 4px; }
QComboBox QAbstractItemView::item:selected { background: $accent_soft; color: $text; }

QCheckBox, QRadioButton { outline: 0; spacing: 8px; background: transparent; min-height: 24px; }
QCheckBox:disabled, QRadioButton:disabled { color: $faded; }
QCheckBox::indicator, QRadioButton::indicator {
    width: 16px; height: 16px; border: 1px solid $ctl; border-radius: 4px; background: $surface;
}
QRadioButton::indicator { border-radius: 9px; }
QCheckBox::indicator:hover, QRadioButton::indicator:hover { border-color: $accent; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url("$check_on"); }
QRadioButton::indicator:checked { border: 5px solid $accent; width: 8px; height: 8px; }
QCheckBox::indicator:disabled { border-color: $faded_line; background: $side; }

QSlider { outline: 0; background: transparent; min-height: 20px; }
QSlider::groove:horizontal { height: 4px; background: $groove; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSlider::handle:horizontal {
    width: 12px; height: 12px; margin: -6px 0; border: 2px solid $accent; border-radius: 8px;
    background: $surface;
}
QSlider::handle:horizontal:hover { background: $accent_soft; }
QSlider::handle:horizontal:disabled { border-color: $faded; }
QSlider::sub-page:horizontal:disabled { background: $faded_line; }
QProgressBar {
    background: $groove; border: 0; border-radius: 4px; min-height: 8px; max-height: 8px; color: transparent;
}
QProgressBar::chunk { background: $accent; border-radius: 4px; }

QMenu { background: $raised; color: $text; border: 1px solid $tip_line; padding: 4px; }
QMenu::item { padding: 6px 28px 6px 10px; border-radius: 4px; border: 1px solid transparent; }
QMenu::item:selected { background: $menu_hover; border-color: $menu_line; }
QMenu::item:disabled { color: $faded; }
QMenu::icon { padding-left: 8px; }
QMenu::separator { height: 1px; background: $line; margin: 4px 6px; }
QMenu::indicator { width: 16px; height: 16px; padding-left: 6px; }
QMenu::indicator:checked { image: url("$check"); }
QMenu::right-arrow { image: url("$right"); width: 12px; height: 12px; margin-right: 6px; }
QMenuBar { background: $side; color: $text; }
QMenuBar::item { padding: 4px 10px; background: transparent; border-radius: 4px; }
QMenuBar::item:selected { background: $hover; }

QAbstractItemView { background: $surface; border: 0; outline: 0; selection-color: $text; }
QAbstractItemView[ground="side"] { background: $side; }
QListView::item, QTreeView::item {
    min-height: 20px; padding: 4px 8px; border-radius: 6px; border: 1px solid transparent;
}
QListView::item:hover, QTreeView::item:hover { background: $hover; }
QListView::item:selected, QTreeView::item:selected { background: $accent_soft; color: $text; }
QListView::item:focus, QTreeView::item:focus { border-color: $focus; }
QHeaderView::section {
    background: $side; color: $text2; border: 0; border-bottom: 1px solid $line; padding: 4px 8px;
    font-weight: 600;
}

QTabWidget::pane { border: 0; border-top: 1px solid $line; }
QTabBar { outline: 0; background: transparent; qproperty-drawBase: 0; }
QTabBar::tab {
    background: transparent; color: $text2; font-weight: 600; min-height: 36px; padding: 0 2px;
    margin: 0 16px 0 0; border: 0; border-bottom: 2px solid transparent;
}
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { color: $text; border-bottom-color: $accent; }
QTabBar::tab:disabled { color: $faded; }
QTabBar::tab:focus { color: $accent; }

QDockWidget {
    color: $text; font-weight: 600; titlebar-close-icon: url("$close"); titlebar-normal-icon: url("$float");
}
QDockWidget::title { background: $side; padding: 9px 16px; text-align: left; border-bottom: 1px solid $line; }
QDockWidget::close-button, QDockWidget::float-button { border: 0; padding: 2px; border-radius: 4px; }
QDockWidget::close-button:hover, QDockWidget::float-button:hover { background: $hover; }
QStatusBar { background: $side; color: $text2; border-top: 1px solid $line; }
QStatusBar::item { border: 0; }

QScrollArea { border: 0; background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: 0; }
QScrollBar { background: transparent; border: 0; margin: 0; }
QScrollBar:vertical { width: 12px; }
QScrollBar:horizontal { height: 12px; }
QScrollBar::handle { background: $thumb; border-radius: 4px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover { background: $thumb_hover; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
"""
)


def _role_rules() -> str:
    rules = []
    for name, role in fonts.ROLES.items():
        family = ", ".join(f'"{one}"' for one in fonts.families(role.mono))
        face = f" font-family: {family};" if role.mono else ""
        weight = int(role.weight)
        rules.append(f'QWidget[role="{name}"] {{ font-size: {role.size}px; font-weight: {weight};{face} }}')
    return "\n".join(rules)


def _scaled(sheet: str) -> str:
    """All lengths of the sheet at the present zoom; hairlines stay."""
    return re.sub(r"(-?\d+)px", lambda m: f"{_length(int(m[1]))}px", sheet)


def _length(value: int) -> int:
    return -fonts.px(-value) if value < 0 else fonts.px(value)


def image(name: str, colour: str, folder: Path) -> str:
    """Path, as a style sheet writes it, of an icon file in this colour: a sheet can only name files.

    Where the folder cannot be written, the sheet goes without: no picture is worth the start of the program.
    """
    path = folder / f"{name}-{colour[1:]}.svg"
    text = icons.source(name).replace("currentColor", colour)
    try:
        if not path.is_file() or path.read_text(encoding="utf-8") != text:  # of another version, or cut off
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        log.warning("no picture for the style sheet: %s", error)
        return icons.path(name).as_posix()
    return path.as_posix()


def style_sheet(theme: Theme, folder: Path) -> str:
    """The program's one style sheet; `folder` keeps the few coloured images that it names."""
    high = theme.name == "high_contrast"

    def soft(colour: str, ground: str) -> str:
        return colour if high else mix(colour, ground, 0.35)

    values = {name: getattr(theme, name) for name in Theme.__dataclass_fields__}
    values |= {
        "roles": _role_rules(),
        "pressed": mix(theme.text, theme.hover, 0.08),
        "accent_pressed": mix(theme.accent, theme.text, 0.85),
        "faded": mix(theme.text3, theme.surface, 0.65),
        "faded_line": mix(theme.line, theme.surface, 0.6) if high else theme.line,
        "faded_fill": theme.hover,
        "tip_line": theme.line,
        "menu_hover": theme.hover if high else mix(theme.text, theme.raised, 0.08),
        "menu_line": theme.line if high else mix(theme.text, theme.raised, 0.08),
        "search_line": theme.line,
        "groove": theme.line,
        "accent_line": soft(theme.accent, theme.accent_soft),
        "ok_line": soft(theme.ok, theme.ok_soft),
        "warn_line": soft(theme.warn, theme.warn_soft),
        "err_line": soft(theme.err, theme.err_soft),
        "thumb": theme.ctl if high else mix(theme.ctl, theme.surface, 0.45),
        "thumb_hover": theme.ctl,
        "chevron": image("chevron-down", theme.text2, folder),
        "right": image("chevron-right", theme.text2, folder),
        "close": image("x", theme.text2, folder),
        "float": image("arrow", theme.text2, folder),
        "check": image("check", theme.accent, folder),
        "check_on": image("check", theme.on_accent, folder),
    }
    return _scaled(_SHEET.substitute(values))


def palette(theme: Theme) -> QPalette:
    """The palette for what paints without the style sheet: painters, selections, links, tool tips."""
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    made = QPalette()
    for which, colour in (
        (role.Window, theme.side),
        (role.WindowText, theme.text),
        (role.Base, theme.surface),
        (role.AlternateBase, theme.side),
        (role.Text, theme.text),
        (role.Button, theme.surface),
        (role.ButtonText, theme.text),
        (role.BrightText, theme.err),
        (role.ToolTipBase, theme.raised),
        (role.ToolTipText, theme.text),
        (role.PlaceholderText, theme.text3),
        (role.Highlight, theme.selection),
        (role.HighlightedText, theme.text),
        (role.Link, theme.accent),
        (role.LinkVisited, theme.accent),
        (role.Light, theme.raised),
        (role.Midlight, theme.hover),
        (role.Mid, theme.line),
        (role.Dark, theme.ctl),
        (role.Shadow, theme.line),
        (role.Accent, theme.accent),
    ):
        made.setColor(which, QColor(colour))
    for which in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(group.Disabled, which, QColor(mix(theme.text3, theme.surface, 0.65)))
    return made


def mark(widget: QWidget, **properties: str) -> None:
    """Say what a widget is (`kind="primary"`, `tone="text2"`, …); repolishes it if it is shown already."""
    changed = False
    if "size" in properties:  # QWidget has a property of that name already
        properties["scale"] = properties.pop("size")
    for name, value in properties.items():
        if widget.property(name) != value:
            widget.setProperty(name, value)
            changed = True
    if "ground" in properties or "edge" in properties or "banner" in properties:
        widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    if changed and widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
        widget.style().unpolish(widget)
        widget.style().polish(widget)
        widget.update()
