"""The facts of engine and model for the cards, and the whole page as plain text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from core.engines.vllm.abilities import PATHS
from core.engines.vllm.address import host_of, is_loopback
from core.engines.vllm.rows import Mode
from core.models.specs import Specs
from core.tokens import figures
from desktop.model import words
from desktop.model.values import Known

_GIGA, _MEGA = 1_000_000_000, 1_000_000
_SHORT = 7  # characters of a commit
_COMMIT = 40


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of a card. `told` False: the value says that it is not known. `mono`: foreign text."""

    name: str
    value: str
    mono: bool = False
    told: bool = True


def not_told(name: str) -> Fact:
    return Fact(name, QCoreApplication.translate("ModelFacts", "not told by the server"), told=False)


def _joined(first: str, *others: str) -> str:
    for other in others:
        first = QCoreApplication.translate("ModelFacts", "{a}, {b}").format(a=first, b=other)
    return first


def engine_title(known: Known) -> str:
    if known.server:
        return QCoreApplication.translate("ModelFacts", "Server")
    return QCoreApplication.translate("ModelFacts", "Engine")


def engine(known: Known, now: float) -> list[Fact]:
    """Who answers, and how."""
    return _server(known, now) if known.server else _here(known)


def _server(known: Known, now: float) -> list[Fact]:
    found = known.found
    if found is None:
        return []
    somebody = QCoreApplication.translate("ModelFacts", "somebody else")
    if found.start is not None:
        somebody = _joined(somebody, words.since(found.start, now))
    version = QCoreApplication.translate("ModelFacts", "Version")
    kind = QCoreApplication.translate("ModelFacts", "Log probabilities")
    unsure = found.mode in (Mode.UNKNOWN, Mode.NONE)
    unclear = QCoreApplication.translate("ModelFacts", "of an unknown kind")
    none = QCoreApplication.translate("ModelFacts", "none")
    return [
        Fact(version, f"vLLM {found.version}") if found.version else not_told(version),
        Fact(QCoreApplication.translate("ModelFacts", "Address"), _place(found.address), mono=True),
        Fact(QCoreApplication.translate("ModelFacts", "Started by"), somebody),
        Fact(kind, none if found.mode is Mode.NONE else unclear, told=False)
        if unsure
        else Fact(kind, found.mode.value, mono=True),
        Fact(QCoreApplication.translate("ModelFacts", "Route"), PATHS[found.route], mono=True),
        not_told(QCoreApplication.translate("ModelFacts", "KV cache")),
    ]


def _place(address: str) -> str:
    """As it is usually written: plain http needs no saying."""
    return address.removeprefix("http://")


def _here(known: Known) -> list[Fact]:
    info = known.info
    if info is None:
        return []
    facts = [Fact(engine_title(known), QCoreApplication.translate("ModelFacts", "Built-in"))]
    if info.device:
        facts.append(Fact(QCoreApplication.translate("ModelFacts", "Device"), _device(info.device)))
    if info.device == "cpu" and info.threads:
        facts.append(Fact(QCoreApplication.translate("ModelFacts", "Threads"), figures.count(info.threads)))
    if info.dtype:
        reason = {
            "asked": QCoreApplication.translate("ModelFacts", "chosen"),
            "native_bf16": QCoreApplication.translate("ModelFacts", "native on this device"),
            "no_native_bf16": QCoreApplication.translate("ModelFacts", "no bfloat16 on this device"),
        }.get(info.dtype_reason, "")
        shown = f"{info.dtype} ({reason})" if reason else info.dtype
        facts.append(Fact(QCoreApplication.translate("ModelFacts", "Precision"), shown))
    return facts


def _device(device: str) -> str:
    return {"cpu": "CPU", "mps": "Apple GPU", "cuda": "GPU"}.get(device, device)


def model(known: Known) -> list[Fact]:
    """The card beside the lines."""
    return [*_revision(known, short=True), *_shape(known), *_weights(known)]


def overview(known: Known) -> list[Fact]:
    """All that is known of the model."""
    info = known.info
    facts = []
    if info is not None:
        facts.append(Fact(QCoreApplication.translate("ModelFacts", "Name"), info.model))
    facts += _revision(known, short=False)
    if known.origin.licence:
        facts.append(Fact(QCoreApplication.translate("ModelFacts", "Licence"), known.origin.licence))
    if known.origin.source:
        facts.append(Fact(QCoreApplication.translate("ModelFacts", "Source"), known.origin.source))
    facts += _shape(known, heads=True)
    if not known.server and info is not None and info.parameters is not None:
        name = QCoreApplication.translate("ModelFacts", "Parameters")
        facts.append(Fact(name, figures.count(info.parameters)))
    facts += _weights(known)
    if not known.server and info is not None and info.folder:
        facts.append(Fact(QCoreApplication.translate("ModelFacts", "Folder"), home(info.folder), mono=True))
    return facts


def _revision(known: Known, *, short: bool) -> list[Fact]:
    info, source = known.info, known.source
    revision = (source.revision if source is not None else "") or (info.revision if info is not None else "")
    name = QCoreApplication.translate("ModelFacts", "Revision")
    if not revision:
        return [not_told(name)] if known.server else []
    shown = revision[:_SHORT] if short and len(revision) == _COMMIT else revision
    if source is not None and source.assumed:
        shown = QCoreApplication.translate("ModelFacts", "{commit} (assumed)").format(commit=shown)
    return [Fact(name, shown, mono=True)]


def _shape(known: Known, *, heads: bool = False) -> list[Fact]:
    specs = known.specs
    facts = []
    kind = QCoreApplication.translate("ModelFacts", "Kind")
    if specs is None:
        if known.family:
            facts.append(Fact(kind, known.family))
    else:
        name = known.family or specs.model_type
        facts.append(Fact(kind, _joined(name, _inputs(known))))
        facts += _layers(known)
        facts += _heads(specs) if heads else []
        if specs.vocabulary is not None:
            vocabulary = QCoreApplication.translate("ModelFacts", "Vocabulary")
            facts.append(Fact(vocabulary, _tokens(specs.vocabulary)))
    return [*facts, *_context(known)]


def _inputs(known: Known) -> str:
    specs = known.specs
    assert specs is not None
    if specs.images and specs.sound:
        return QCoreApplication.translate("ModelFacts", "text, images and sound")
    if specs.images:
        return QCoreApplication.translate("ModelFacts", "text and images")
    if specs.sound:
        return QCoreApplication.translate("ModelFacts", "text and sound")
    return QCoreApplication.translate("ModelFacts", "text")


def _layers(known: Known) -> list[Fact]:
    specs = known.specs
    if specs is None or specs.layers is None:
        return []
    kinds = {
        "full_attention": QCoreApplication.translate("ModelFacts", "{n} attention"),
        "sliding_attention": QCoreApplication.translate("ModelFacts", "{n} sliding"),
        "linear_attention": QCoreApplication.translate("ModelFacts", "{n} linear"),
    }
    parts = [
        kinds[kind].format(n=number) if kind in kinds else f"{number} {kind}" for kind, number in specs.kinds
    ]
    shown = _joined(*parts) if parts else figures.count(specs.layers)
    return [Fact(QCoreApplication.translate("ModelFacts", "Layers"), shown)]


def _heads(specs: Specs) -> list[Fact]:
    facts = []
    if specs.heads is not None:
        heads = figures.count(specs.heads)
        if specs.kv_heads is not None and specs.kv_heads != specs.heads:
            shared = QCoreApplication.translate("ModelFacts", "{n}, {kv} for keys and values")
            heads = shared.format(n=heads, kv=figures.count(specs.kv_heads))
        facts.append(Fact(QCoreApplication.translate("ModelFacts", "Heads"), heads))
    if specs.width is not None:
        facts.append(Fact(QCoreApplication.translate("ModelFacts", "Width"), figures.count(specs.width)))
    return facts


def _tokens(count: int) -> str:
    return QCoreApplication.translate("ModelFacts", "{n} tokens").format(n=figures.count(count))


def _context(known: Known) -> list[Fact]:
    name = QCoreApplication.translate("ModelFacts", "Context")
    limit = known.info.context_limit if known.info is not None else None
    own = known.specs.context_limit if known.specs is not None else None
    if limit is None:
        return [not_told(name)] if known.server else []
    if own is None or own == limit:
        return [Fact(name, _tokens(limit))]
    of = QCoreApplication.translate("ModelFacts", "{n} of {most}")
    return [Fact(name, of.format(n=figures.count(limit), most=figures.count(own)))]


def _weights(known: Known) -> list[Fact]:
    if known.server:
        name = QCoreApplication.translate("ModelFacts", "Weights")
        return [Fact(name, QCoreApplication.translate("ModelFacts", "on the server only"))]
    if known.specs is None or not known.specs.weights:
        return []
    return [Fact(QCoreApplication.translate("ModelFacts", "On disk"), figures.size(known.specs.weights))]


def home(path: str) -> str:
    """A path without the person's name in it."""
    try:
        return str(Path("~") / Path(path).relative_to(Path.home()))
    except (ValueError, RuntimeError):
        return path


def not_told_by_servers() -> list[Fact]:
    """What a server keeps to itself; none of it is made up here."""
    return [
        not_told(QCoreApplication.translate("ModelFacts", "Device")),
        not_told(QCoreApplication.translate("ModelFacts", "Precision")),
        not_told(QCoreApplication.translate("ModelFacts", "Parameters")),
    ]


def tokenizer(known: Known) -> list[Fact]:
    """Where prompts get their ids from."""
    source = known.source
    name = QCoreApplication.translate("ModelFacts", "From")
    if source is None:
        if known.server:
            return []
        return [Fact(name, QCoreApplication.translate("ModelFacts", "the model’s own folder"))]
    if source.kind == "server":
        text = QCoreApplication.translate("ModelFacts", "text from the server (/tokenize, /detokenize)")
        return [Fact(name, text)]
    if source.kind == "folder":
        return [Fact(name, home(source.place), mono=True)]
    facts = [Fact(name, source.place, mono=True)]
    commit = QCoreApplication.translate("ModelFacts", "Commit")
    if source.revision:
        facts.append(Fact(commit, source.revision, mono=True))
    return facts


def speed(known: Known) -> list[tuple[str, str]]:
    """(figure, what it is); empty before the first answer."""
    seen = known.speed
    if not seen.answers:
        return []
    rate, first = seen.tokens_per_second, seen.first_ms
    return [
        (
            f"{rate:,.1f}" if rate is not None else figures.DASH,
            QCoreApplication.translate("ModelFacts", "tok/s"),
        ),
        (
            f"{figures.seconds(first)} s" if first is not None else figures.DASH,
            QCoreApplication.translate("ModelFacts", "first token"),
        ),
    ]


def measured(known: Known) -> str:
    """Which answers the figures are of."""
    count = known.speed.answers
    if count < 2:
        return QCoreApplication.translate("ModelFacts", "last answer") if count else ""
    return QCoreApplication.translate("ModelFacts", "last of {n} answers").format(n=figures.count(count))


def as_text(known: Known, now: float) -> str:
    """The whole page as plain text for a report: no address unless it is this computer's own."""
    blocks = [[words.heading(known), words.asked(known, now), *words.notes(known)]]
    for line in known.lines:
        shown = f"{words.answer(line.answer):8} {words.title(line.name)}: {words.why(line)}"
        more = [f"         {part}" for part in (line.evidence, line.flag) if part]
        blocks[0] += [shown, *more]
    for name, facts in (
        (engine_title(known), engine(known, now)),
        (QCoreApplication.translate("ModelFacts", "Model"), overview(known)),
        (QCoreApplication.translate("ModelFacts", "Tokenizer and template"), tokenizer(known)),
    ):
        blocks.append([name, *(f"{fact.name}: {fact.value}" for fact in facts)])
    figures_ = [f"{name}: {value}" for value, name in speed(known)]
    if figures_:
        heading = f"{QCoreApplication.translate('ModelFacts', 'Speed here')} ({measured(known)})"
        blocks.append([heading, *figures_])
    return _without_address("\n\n".join("\n".join(block) for block in blocks), known) + "\n"


def _without_address(text: str, known: Known) -> str:
    address = known.found.address if known.found is not None else ""
    if not address or is_loopback(address):
        return text
    left_out = QCoreApplication.translate("ModelFacts", "(left out)")
    host = host_of(address)
    named = (host,) if "." in host or ":" in host else ()  # a bare name may be any word of the page
    for part in (address, address.partition("://")[2], *named):
        text = text.replace(part, left_out)
    return text
