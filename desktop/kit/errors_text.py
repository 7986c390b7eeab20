"""Owns the words of errors in the window: code and parameters in, translated sentences out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication

from core.error_words import entry, fill, words
from core.errors import LoupeError

CONTEXT: Final = "Errors"


@dataclass(frozen=True, slots=True)
class ErrorText:
    """`what` failed, `why`, what to do `next`; `detail` is foreign text: plain, in mono, untranslated."""

    what: str
    why: str
    next: str
    detail: str

    @property
    def line(self) -> str:
        """What and why in one line, for narrow places."""
        return joined(self.what, self.why)


def joined(*sentences: str) -> str:
    """Sentences in one line: Chinese ones end in full-width marks, which bring their own space."""
    text = ""
    for sentence in filter(None, sentences):
        gap = "" if not text or text[-1] in "。！？：；" else " "
        text += gap + sentence
    return text


def describe(error: LoupeError) -> ErrorText:
    """The error in the present language. Never raises: an unknown code has its family's words."""
    known = entry(error.code)

    def sentence(part: str) -> str:
        english = known.get(part, "")
        if not english:
            return ""
        return fill(QCoreApplication.translate(CONTEXT, english), error)

    detail = error.detail if error.code in words() else ": ".join(filter(None, (error.code, error.detail)))
    return ErrorText(sentence("what"), sentence("why"), sentence("next"), detail)


def report(error: LoupeError, about: str) -> str:
    """Plain text for "Copy report": code, parameters and foreign text, in English, with `about` first."""
    known = entry(error.code)
    parameters = [f"{name}: {value}" for name, value in error.params.items()]
    lines = [about, f"code: {error.code}", fill(known.get("what", ""), error), *parameters, error.detail]
    return "\n".join(line for line in lines if line)
