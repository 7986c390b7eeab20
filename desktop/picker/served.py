"""The words of the models that a server serves: rows of the menu, and the report of one not supported."""

from __future__ import annotations

import urllib.parse
from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication

from core import ISSUES_PAGE
from core.engines.vllm.choice import Served
from desktop.picker.choices import ModelChoice


def model_choices(served: Iterable[Served]) -> tuple[ModelChoice, ...]:
    """A row a model, in the server's order."""
    return tuple(_choice(row) for row in served)


def _choice(row: Served) -> ModelChoice:
    if row.supported is None:
        return ModelChoice(row.id, row.id, QCoreApplication.translate("Served", "not known yet"))
    if row.supported:
        return ModelChoice(row.id, row.id)
    words = QCoreApplication.translate("Served", "Not supported yet: models of the type {type}")
    return ModelChoice(row.id, row.id, row.model_type, why=words.format(type=row.model_type or "?"))


def file_ways() -> tuple[tuple[str, str], ...]:
    """Where a served model's tokenizer may come from: (action, words)."""
    return (
        ("hub", QCoreApplication.translate("Served", "Hub id…")),
        ("folder", QCoreApplication.translate("Served", "Choose a folder…")),
        ("tokenizer", QCoreApplication.translate("Served", "Use the server’s tokenizer")),
    )


def report_title(model: str, model_type: str) -> str:
    """In English, for those who read it. Holds the model and its type, never a server's address."""
    return f"Support {model_type or 'this type'} models ({model})"


def report_text(model: str, model_type: str) -> str:
    return f"Model: {model}\nmodel_type: {model_type or 'not told'}\n"


def report_url(model: str, model_type: str, page: str = ISSUES_PAGE) -> str:
    """A page that files the report once the person sends it there; "" where the project has none."""
    fields = {"title": report_title(model, model_type), "body": report_text(model, model_type)}
    return f"{page}?{urllib.parse.urlencode(fields)}" if page else ""
