"""What the built-in engine can show: it computes everything here, from the model's own logits."""

from __future__ import annotations

from core.engines.abilities import MEDIA, Ability, Why, context
from core.engines.base import EngineInfo
from core.models.specs import Specs


def abilities(info: EngineInfo, specs: Specs | None, stored: int) -> tuple[Ability, ...]:
    """In the order of NAMES. `stored`: candidates kept at each token; `specs` None: not read."""
    return (
        Ability("probability", "yes", Why.COMPUTED),
        Ability("candidates", "yes", Why.STORED, (stored,)),
        Ability("rank", "yes", Why.RANK_COUNTED),
        Ability("left", "yes", Why.SAMPLER_HERE),
        Ability("drawn", "yes", Why.SAMPLER_HERE),
        Ability("guesses_counted", "none", Why.NO_GUESSING_HERE),
        Ability("guesses_marked", "none", Why.NO_GUESSING_HERE),
        Ability("greedy", "yes", Why.GREEDY),
        Ability("ids", "yes", Why.IDS_HERE),
        Ability("kind", "yes", Why.KIND_BOTH),
        context(info.context_limit, specs),
        Ability("cached", "yes", Why.CACHED_HERE),
        Ability("tokenizer", "yes", Why.TOKENIZER_OWN),
        Ability("stop", "yes", Why.STOP_HERE),
        *(_media(name, specs) for name in MEDIA),
    )


def _media(name: str, specs: Specs | None) -> Ability:
    if specs is None:
        return Ability(name, "unknown", Why.MODEL_NOT_READ)
    if not getattr(specs, name):
        return Ability(name, "none", Why.NO_INPUT)
    return Ability(name, "no", Why.TEXT_ONLY)
