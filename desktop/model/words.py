"""The words of the abilities: name, answer and reason of each line, and what stands above them."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from core.engines.abilities import Ability, Answer, Why
from core.engines.state import Phase
from core.tokens import figures
from desktop.model.values import Known


def title(name: str) -> str:
    """What a line is about."""
    return {
        "probability": QCoreApplication.translate("Abilities", "Model probability"),
        "candidates": QCoreApplication.translate("Abilities", "Likeliest tokens"),
        "rank": QCoreApplication.translate("Abilities", "Rank of every token"),
        "left": QCoreApplication.translate("Abilities", "Candidates left"),
        "drawn": QCoreApplication.translate("Abilities", "Probability drawn with"),
        "guesses_counted": QCoreApplication.translate("Abilities", "Guesses counted"),
        "guesses_marked": QCoreApplication.translate("Abilities", "Guesses marked"),
        "greedy": QCoreApplication.translate("Abilities", "Temperature 0"),
        "ids": QCoreApplication.translate("Abilities", "Token ids in and out"),
        "kind": QCoreApplication.translate("Abilities", "Kind of the numbers"),
        "context": QCoreApplication.translate("Abilities", "Context limit"),
        "cached": QCoreApplication.translate("Abilities", "Cached prompt part"),
        "tokenizer": QCoreApplication.translate("Abilities", "Same tokenizer"),
        "stop": QCoreApplication.translate("Abilities", "Stop reaches the engine"),
        "images": QCoreApplication.translate("Abilities", "Images"),
        "sound": QCoreApplication.translate("Abilities", "Sound"),
        "video": QCoreApplication.translate("Abilities", "Video"),
    }[name]


def answer(which: Answer) -> str:
    return {
        "yes": QCoreApplication.translate("Abilities", "yes"),
        "no": QCoreApplication.translate("Abilities", "no"),
        "unknown": QCoreApplication.translate("Abilities", "unknown"),
        "none": QCoreApplication.translate("Abilities", "n/a"),
    }[which]


def why(line: Ability) -> str:
    """The reason in a short sentence, its numbers filled in."""
    values = [figures.count(value) if isinstance(value, int) else value for value in line.values]
    return _sentence(line.why).format(*values)


def _sentence(why: Why) -> str:
    return (_numbers() | _sampler() | _others())[why]


def _numbers() -> dict[Why, str]:
    return {
        Why.COMPUTED: QCoreApplication.translate("Abilities", "computed here for the whole vocabulary"),
        Why.RANK_COUNTED: QCoreApplication.translate("Abilities", "counted here over the whole vocabulary"),
        Why.SAMPLER_HERE: QCoreApplication.translate("Abilities", "drawn here, so nothing of it is hidden"),
        Why.NO_NUMBERS: QCoreApplication.translate("Abilities", "this server sends no numbers"),
        Why.NUMBERS_REFUSED: QCoreApplication.translate(
            "Abilities",
            "it refused an answer because of the numbers, so none are asked for",
        ),
        Why.UNCLEAR: QCoreApplication.translate(
            "Abilities",
            "its one-token answers do not tell which kind of numbers these are",
        ),
        Why.RAW: QCoreApplication.translate("Abilities", "raw log probabilities, from {0}"),
        Why.PROCESSED: QCoreApplication.translate(
            "Abilities",
            "it sends what was drawn from, not what the model thought",
        ),
        Why.LOGITS: QCoreApplication.translate(
            "Abilities",
            "it sends logits: scores, which are no probabilities",
        ),
        Why.STORED: QCoreApplication.translate("Abilities", "{0} kept at each token (settings)"),
        Why.LISTED: QCoreApplication.translate("Abilities", "up to {0} at each token"),
        Why.LISTED_AT_LEAST: QCoreApplication.translate("Abilities", "at least {0} at each token"),
        Why.LISTED_LEFT: QCoreApplication.translate(
            "Abilities",
            "up to {0} at each token, of those that the sampler left",
        ),
        Why.LISTED_SCORES: QCoreApplication.translate("Abilities", "up to {0} at each token, as scores"),
        Why.LISTED_UNCLEAR: QCoreApplication.translate(
            "Abilities",
            "{0} come, not shown: of which kind they are is not known",
        ),
        Why.LISTED_NONE: QCoreApplication.translate(
            "Abilities",
            "only the number of the token itself is allowed",
        ),
        Why.RANKS_SENT: QCoreApplication.translate(
            "Abilities", "also of tokens not listed; ties are counted again here"
        ),
        Why.RANKS_OF_LISTED: QCoreApplication.translate("Abilities", "only of the {0} listed"),
        Why.KIND_BOTH: QCoreApplication.translate(
            "Abilities",
            "what the model thought, and what the sampler made of it",
        ),
        Why.KIND_RAW: QCoreApplication.translate(
            "Abilities", "raw: what the model thought, before any sampling"
        ),
        Why.KIND_PROCESSED: QCoreApplication.translate(
            "Abilities", "processed: what was drawn from, after all sampling settings"
        ),
        Why.KIND_LOGITS: QCoreApplication.translate("Abilities", "raw logits: scores before any sampling"),
        Why.KIND_PROCESSED_LOGITS: QCoreApplication.translate(
            "Abilities",
            "processed logits: scores after all sampling settings",
        ),
    }


def _sampler() -> dict[Why, str]:
    return {
        Why.MASK: QCoreApplication.translate("Abilities", "from the sampling mask of each token"),
        Why.LEFT_IF_FEW: QCoreApplication.translate(
            "Abilities", "where fewer than {0} are left; always with this flag, which refuses temperature 0"
        ),
        Why.SAMPLER_NOT_SENT: QCoreApplication.translate(
            "Abilities", "not sent; with this flag in place of the model’s own numbers"
        ),
        Why.DRAWN_SENT: QCoreApplication.translate(
            "Abilities",
            "sent in place of the model’s own probability",
        ),
        Why.NO_GUESSING: QCoreApplication.translate(
            "Abilities", "this server guesses nothing ahead (--speculative-config)"
        ),
        Why.NO_GUESSING_HERE: QCoreApplication.translate(
            "Abilities",
            "the built-in engine guesses nothing ahead",
        ),
        Why.GUESSING_NOT_TOLD: QCoreApplication.translate(
            "Abilities",
            "not told; the first answer with counts would show it",
        ),
        Why.GUESSES_COUNTED: QCoreApplication.translate(
            "Abilities",
            "counts come with each answer; they may include guesses after the stop token",
        ),
        Why.GUESSES_NOT_COUNTED: QCoreApplication.translate(
            "Abilities", "it guesses ahead and sends no counts"
        ),
        Why.GUESSES_EACH_STEP: QCoreApplication.translate(
            "Abilities",
            "where the counts of each step account for every token",
        ),
        Why.GUESSES_WITHOUT_STEPS: QCoreApplication.translate(
            "Abilities", "told only by counts of each step"
        ),
        Why.GUESSES_NO_STEP_YET: QCoreApplication.translate(
            "Abilities", "nothing was guessed while it was asked; the first guesses will tell"
        ),
        Why.GREEDY: QCoreApplication.translate("Abilities", "greedy answers allowed"),
        Why.GREEDY_REFUSED: QCoreApplication.translate(
            "Abilities",
            "refused, as servers with sampling masks do; 0.05 is the lowest",
        ),
    }


def _others() -> dict[Why, str]:
    return {
        Why.IDS_SENT: QCoreApplication.translate("Abilities", "the prompt is sent as ids, to {0}"),
        Why.IDS_HERE: QCoreApplication.translate("Abilities", "the prompt is given to the model as ids"),
        Why.CONTEXT: QCoreApplication.translate("Abilities", "{0} tokens"),
        Why.CONTEXT_OF: QCoreApplication.translate("Abilities", "{0} of the {1} tokens that the model can"),
        Why.CONTEXT_NOT_TOLD: QCoreApplication.translate(
            "Abilities",
            "not told; an answer ends when the server says so",
        ),
        Why.CACHED_HERE: QCoreApplication.translate("Abilities", "kept from one answer to the next"),
        Why.CACHED_SEEN: QCoreApplication.translate(
            "Abilities",
            "told with each answer; up to {0} tokens of a prompt so far",
        ),
        Why.CACHED_NOT_SEEN: QCoreApplication.translate(
            "Abilities",
            "seen with the first answer that reuses a prompt; needs this flag",
        ),
        Why.TOKENIZER_OWN: QCoreApplication.translate("Abilities", "one tokenizer: the model’s own, here"),
        Why.TOKENIZER_SAME: QCoreApplication.translate(
            "Abilities",
            "the server’s gave the same ids for a prompt",
        ),
        Why.TOKENIZER_NOT_COMPARED: QCoreApplication.translate(
            "Abilities",
            "the first prompt is held against the server’s own",
        ),
        Why.TOKENIZER_NOT_SERVED: QCoreApplication.translate(
            "Abilities", "this server tokenizes nothing for others (/tokenize)"
        ),
        Why.TOKENIZER_SERVER: QCoreApplication.translate(
            "Abilities",
            "prompts are tokenized by the server itself",
        ),
        Why.STOP_HERE: QCoreApplication.translate("Abilities", "within one token"),
        Why.STOP_NOT_SEEN: QCoreApplication.translate(
            "Abilities", "Stop closes the connection, which ends it in vLLM; not seen here yet"
        ),
        Why.NO_INPUT: QCoreApplication.translate("Abilities", "this model has no such input"),
        Why.TEXT_ONLY: QCoreApplication.translate(
            "Abilities",
            "the model can, the built-in engine reads text only",
        ),
        Why.MEDIA_ROUTE: QCoreApplication.translate("Abilities", "the model can, this route takes text only"),
        Why.MEDIA_NOT_ASKED: QCoreApplication.translate(
            "Abilities",
            "the model can; the server was not asked yet",
        ),
        Why.MEDIA_TAKEN: QCoreApplication.translate("Abilities", "the server took a tiny one"),
        Why.MEDIA_REFUSED: QCoreApplication.translate("Abilities", "the server refused a tiny one"),
        Why.MEDIA_UNCLEAR: QCoreApplication.translate(
            "Abilities", "the server took a tiny one, but said of no token that it stands for it"
        ),
        Why.MODEL_NOT_READ: QCoreApplication.translate("Abilities", "the model’s config.json was not read"),
    }


def heading(known: Known) -> str:
    if known.server:
        return QCoreApplication.translate("Abilities", "What this server can show")
    return QCoreApplication.translate("Abilities", "What the built-in engine can show")


def asked(known: Known, now: float) -> str:
    """When and how the lines were found out."""
    if known.asking:
        return QCoreApplication.translate("Abilities", "asking…")
    if known.found is None:
        return QCoreApplication.translate("Abilities", "known without asking")
    ago = since(known.found.asked, now)
    if known.found.speculative:  # one of the questions is longer
        return QCoreApplication.translate("Abilities", "asked {ago} with requests of few tokens").format(
            ago=ago
        )
    return QCoreApplication.translate("Abilities", "asked {ago} with one-token requests").format(ago=ago)


def since(then: float, now: float) -> str:
    """As in "12 min ago"."""
    minutes = int(max(now - then, 0) // 60)
    if minutes < 1:
        return QCoreApplication.translate("Abilities", "just now")
    if minutes < 120:
        return QCoreApplication.translate("Abilities", "{n} min ago").format(n=minutes)
    if minutes < 48 * 60:
        return QCoreApplication.translate("Abilities", "{n} h ago").format(n=minutes // 60)
    return QCoreApplication.translate("Abilities", "{n} days ago").format(n=minutes // (24 * 60))


def notes(known: Known) -> list[str]:
    """What has to be said before the lines: a server that is gone, or older than what is known here."""
    said = []
    if known.state.phase is Phase.LOST:
        said.append(
            QCoreApplication.translate("Abilities", "The server is gone. This is what it could show.")
            if known.server
            else QCoreApplication.translate("Abilities", "The engine ended. This is what it can show.")
        )
    found = known.found
    if found is not None and not found.version:
        said.append(
            QCoreApplication.translate(
                "Abilities",
                "The server does not tell its version. Text, ids and what is marked yes were seen in its "
                "answers; the flags are those of vLLM 0.32.",
            )
        )
    elif found is not None and not found.current:
        said.append(
            QCoreApplication.translate(
                "Abilities",
                "vLLM {version} is older than 0.32. Text, ids and what is marked yes were seen in its "
                "answers; the flags are those of 0.32.",
            ).format(version=found.version)
        )
    return said
