"""How the command line shows an answer to a person: one line a token, then the answer as text."""

from __future__ import annotations

import sys
from typing import TextIO

from core.engines.base import EngineInfo, Expanded, Finished, Sampling, Speculation
from core.engines.state import EngineState, Phase
from core.models.catalog import built_in
from core.tokens import figures
from core.tokens.decode import Piece
from core.tokens.place import rank_text
from core.tokens.row import TokenRow
from core.tokens.vocabulary import Vocabulary

_WIDTH = 16
_LISTED = 3
# so that a token stays on its line and blanks are seen
_VISIBLE = str.maketrans({" ": "·", "\n": "↵", "\t": "→", "\r": "␍"})
_REASONS = {
    "stop": "the model ended its answer",
    "length": "the limit of new tokens was reached (--max-tokens)",
    "context": "the model's context is full",
    "stopped": "stopped",
    "unknown": "the server gave no reason for the end",
}
_NOTES = {
    "counts_differ": "the server counted {server} tokens",
    "prompt_count_differs": "the server counted {prompt} prompt tokens",
    "text_without_ids": "some text came without token ids and is missing here",
    "burst": "the tokens came all at once, so their speed is not known",
    "all_certain": "every token was sent as certain",
    "details_refused": "asked again without numbers, which the server refused",
    "form_masked": "the numbers are those after the form's mask",
    "aborted_by_server": "the server ended it",
    "text_from_server": "the text is what the server says of its tokens",
}


def visible(text: str) -> str:
    """Text on one line: blanks as signs, other controls escaped."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text.translate(_VISIBLE))


def shown(vocabulary: Vocabulary, token: int) -> str:
    """A token's label on one line; bytes that are no whole characters as <E5 B3>."""
    label = vocabulary.label(token)
    return visible(label) if vocabulary.is_whole(token) or label.startswith("<") else f"<{label}>"


def cell(text: str, width: int = _WIDTH) -> str:
    """Padded or cut to a column, counting wide characters as two."""
    shown, used = "", 0
    for character in text:
        size = 2 if ord(character) >= 0x1100 and not 0x2000 <= ord(character) < 0x2E80 else 1
        if used + size > width - (1 if len(shown) < len(text) - 1 else 0):
            return shown + "…" + " " * (width - used - 1)
        shown, used = shown + character, used + size
    return shown + " " * (width - used)


class TextPrinter:
    """Prints one answer after another."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._text = ""
        self._said_small = False
        self._model = True  # the numbers are the model's own
        self._scores = False  # the listed numbers are no probabilities

    def _line(self, text: str = "") -> None:
        self._out.write(text + "\n")
        self._out.flush()

    def start(self, info: EngineInfo, question: str, prompt_tokens: int, sampling: Sampling) -> None:
        self._text = ""
        self._model = "model" in info.evidence
        self._scores = "logit" in info.evidence
        threads = f", {info.threads} thread{'s' * (info.threads != 1)}" if info.device == "cpu" else ""
        place = f"{info.dtype} on {info.device}{threads}" if info.device else "on a vLLM server"
        self._line(f"{info.model} · {place}")
        if built_in().small and info.model == built_in().name and not self._said_small:
            self._said_small = True
            self._line("A small model: good for looking at tokens, often wrong about facts.")
        drawn = "greedy" if sampling.greedy else f"temperature {sampling.temperature:g}, seed {sampling.seed}"
        tokens = "prompt token" if prompt_tokens == 1 else "prompt tokens"
        self._line(f"Question ({prompt_tokens} {tokens}, {drawn}): {question}")
        self._line()
        head = f"{'#':>4}  {cell('token')} {'probability':>11} {'rank':>7} {'drawn with':>10}   likeliest"
        self._line(head)

    def expanded(self, read: Expanded) -> None:
        """What the server made of each attachment."""
        for one in read.media:
            self._line(f"      {one.attachment.name}: {one.count} of {len(read.ids)} prompt tokens")

    def token(self, index: int, row: TokenRow, piece: Piece, vocabulary: Vocabulary) -> None:
        if not vocabulary.is_special(row.id):
            self._text += piece.text
        unknown = figures.DASH
        share = unknown if row.logprob is None else figures.percent_of(row.logprob)
        rank = rank_text(row, model=self._model)
        drawn = unknown if row.sampling_logprob is None else figures.percent_of(row.sampling_logprob)
        written = figures.score if self._scores else figures.percent_of
        listed = "  ".join(
            f"{shown(vocabulary, c.id)} {written(c.logprob)}"
            for c in row.candidates[:_LISTED]
            if c.logprob is not None
        )
        label = cell(shown(vocabulary, row.id))
        self._line(f"{index:>4}  {label} {share:>11} {rank:>7} {drawn:>10}   {listed}")

    def end(self, finished: Finished) -> None:
        self._line()
        text = self._text
        if isinstance(finished.stop_reason, str) and finished.stop_reason in text:
            text = text[: text.index(finished.stop_reason)]
        self._line(text)
        self._line()
        facts = [f"{figures.count(finished.completion_tokens)} tokens"]
        if finished.decode_tokens_per_second is not None:
            facts.append(f"{finished.decode_tokens_per_second:.1f} tok/s")
        if finished.prefill_ms is not None:
            facts.append(f"first token {figures.seconds(finished.prefill_ms)} s")
        if finished.speculation is not None:
            facts.append(_guesses(finished.speculation))
        facts.append(_REASONS[finished.reason])
        facts += [_note(note, finished) for note in finished.notes if note in _NOTES]
        self._line(" · ".join(facts))


def _guesses(counts: Speculation) -> str:
    kept, passes = figures.count(counts.accepted), figures.count(counts.steps)
    text = f"{kept} guess{'es' * (counts.accepted != 1)} kept of {figures.count(counts.drafted)}"
    text += f", {passes} pass{'es' * (counts.steps != 1)}"
    return text if counts.guesses is not None else f"{text} (may include guesses after the stop token)"


def _note(code: str, finished: Finished) -> str:
    counted = {"server": finished.server_tokens, "prompt": finished.server_prompt_tokens}
    return _NOTES[code].format(
        **{name: figures.DASH if n is None else figures.count(n) for name, n in counted.items()}
    )


_MAKING = {
    Phase.FETCHING: "Downloading the built-in model",
    Phase.CONVERTING: "Converting the built-in model",
    Phase.VERIFYING: "Checking the built-in model",
}
_OF_A_SERVER = {
    Phase.CONNECTING: "Asking the server what it can tell",
    Phase.FETCHING: "Downloading the model's tokenizer",
}


def _making(state: EngineState) -> str:
    return (_MAKING if state.engine == "local" else _OF_A_SERVER).get(state.phase, "")


class ProgressWords:
    """Where stderr is no terminal: one line for each long step, so that nobody waits in silence."""

    def __init__(self) -> None:
        self._told = ""

    def __call__(self, state: EngineState) -> None:
        text = _making(state)
        if text and text != self._told:
            self._told = text
            sys.stderr.write(f"{text} …\n")
            sys.stderr.flush()


def progress_line(state: EngineState) -> None:
    """On a terminal: what is being prepared, on one line of stderr that is overwritten."""
    loading = "Loading the model" if state.engine == "local" else "Loading the model's tokenizer"
    text = loading if state.phase is Phase.LOADING else _making(state)
    if text and state.total:
        text += f" {state.done * 100 // state.total} %"
    sys.stderr.write(f"\r\x1b[K{text}")
    sys.stderr.flush()
