"""The model picker with 500 models: from its rows to its first picture, and a step of a download after that.

Usage: picker.py RUNS. One line of JSON a run.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QWidget

from desktop.kit.appearance import Appearance
from desktop.models.picker import ModelPicker
from tests.desktop.models import models

MODELS = 500


def run(window: QWidget, look: Appearance) -> dict[str, float]:
    picker = ModelPicker(window)
    picker.set_theme(look.theme)
    picker.change(machine=models.MACHINE)
    rows = (*models.ROWS, *models.many(MODELS))
    begin = time.perf_counter()
    picker.change(rows=rows)
    picker.select(models.GEMMA)
    picker.set_detail(models.DETAIL)
    picker.open_at(QPoint(52, 49))
    picker.grab()
    opened = time.perf_counter()
    further = replace(models.FETCHING, done=models.FETCHING.done + models.GB)
    picker.step({further.key: further}, 84e6)
    picker.set_detail(replace(models.DETAIL, done=further.done))
    picker.panel.grab()
    stepped = time.perf_counter()
    picker.close_picker()
    picker.deleteLater()
    return {"picker_open_ms": (opened - begin) * 1000, "picker_step_ms": (stepped - opened) * 1000}


def main(runs: int) -> None:
    app = QApplication([])
    look = Appearance(app)
    look.apply("light")
    window = QWidget()
    window.resize(1280, 800)
    window.show()
    for _ in range(runs):
        print(json.dumps(run(window, look)), flush=True)
    app.quit()


if __name__ == "__main__":
    main(int(sys.argv[1]))
