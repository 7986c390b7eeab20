"""What is asked before a model is deleted, or fetched though it is too big."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from desktop.kit.dialogs import confirm
from desktop.models import words
from desktop.models.values import FitView


async def delete(window: QWidget, name: str, frees: int, users: tuple[str, ...]) -> bool:
    """`frees`: bytes. `users`: names of the models on disk that need it."""
    title = QCoreApplication.translate("Models", "Delete {name}?").format(name=name)
    size = words.size(frees)
    text = QCoreApplication.translate(
        "Models", "This frees {size}. To use the model again, it has to be fetched again."
    ).format(size=size)
    if users:
        needs = QCoreApplication.translate("Models", "It is also used by {models}.")
        text = f"{text}\n{needs.format(models=', '.join(users))}"
    action = QCoreApplication.translate("Models", "Delete")
    return await confirm(window, title, text, action, danger=True)


async def too_big(window: QWidget, name: str, view: FitView) -> bool:
    title = QCoreApplication.translate("Models", "Fetch {name} all the same?").format(name=name)
    action = QCoreApplication.translate("Models", "Fetch and start")
    return await confirm(window, title, words.verdict(view), action)
