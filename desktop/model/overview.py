"""The Overview: all that is known of the model, where its tokenizer is from, and how vLLM serves it."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.kit import fonts
from desktop.model import facts
from desktop.model.cards import GAP, Card, CodeLine, FactTable, label
from desktop.model.values import Known


class Overview(QWidget):
    """A column of cards; one without anything to say is hidden."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.model, self.tokenizer, self.hidden, self.serve = (Card(self) for _ in range(4))
        self._tables = {card: FactTable(card) for card in (self.model, self.tokenizer, self.hidden)}
        self._tokenizer_note = label(self.tokenizer, "small", "text3")
        self._hidden_note = label(self.hidden, "small", "text3")
        self._serve_note = label(self.serve, "small", "text3")
        self.line = CodeLine(self.serve)
        for card, table in self._tables.items():
            card.body.addWidget(table)
        self.tokenizer.body.addWidget(self._tokenizer_note)
        self.hidden.body.addWidget(self._hidden_note)
        self.serve.body.addWidget(self.line)
        self.serve.body.addWidget(self._serve_note)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        for card in (self.model, self.tokenizer, self.hidden, self.serve):
            self._layout.addWidget(card)
        self._layout.addStretch(1)

    def show_known(self, known: Known) -> None:
        self.model.set_title(self.tr("Model"))
        self._tables[self.model].set_facts(facts.overview(known))
        self.tokenizer.set_title(self.tr("Tokenizer and template"))
        self._tables[self.tokenizer].set_facts(facts.tokenizer(known))
        note = self._about_tokenizer(known)
        self._tokenizer_note.setText(note)
        self._tokenizer_note.setVisible(bool(note))
        self.tokenizer.setVisible(not known.server or known.source is not None)
        self.hidden.set_title(self.tr("What this server does not tell"))
        self._tables[self.hidden].set_facts(facts.not_told_by_servers())
        self._hidden_note.setText(
            self.tr(
                "At temperature 0 its text may differ from the built-in engine’s: it computes in its own "
                "precision and order, so candidates that are almost equally likely can change places."
            )
        )
        self.hidden.setVisible(known.server)
        self.serve.set_title(self.tr("Serve this model with vLLM"))
        self.line.set_text(known.serve_line, self.tr("Copy the line"))
        self._serve_note.setText(self.tr("vLLM 0.32 or newer; with what stands here it shows the most."))
        self.serve.setVisible(bool(known.serve_line))

    def _about_tokenizer(self, known: Known) -> str:
        source = known.source
        if source is None:
            return ""
        if source.kind == "server":
            return self.tr("Prompts are tokenized by the server; no files of the model lie here.")
        if source.assumed:
            return self.tr(
                "Commit assumed: a server never tells which one it runs. The first prompt is held "
                "against its own tokenizer."
            )
        return self.tr("Prompts are made here, from these files, and sent as ids.")

    def fit(self) -> None:
        self._layout.setSpacing(fonts.px(GAP))
        for card, table in self._tables.items():
            card.fit()
            table.fit()
        self.serve.fit()
        self.line.fit()
