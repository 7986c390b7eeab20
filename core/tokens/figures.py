"""How numbers are written: percentages, bits, ranks, counts; the same in the card, the footer and the
terminal.

Nothing here is translated: units that are words ("bits", "tokens") belong to the callers.
"""

from __future__ import annotations

import math

DASH = "—"
_LN2 = math.log(2.0)
_LOG10_E = math.log10(math.e)
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_SMALLEST_PLAIN = -4  # powers of ten of a percentage below which it is written as m × 10ⁿ


def percent(share: float) -> str:
    """A probability (0..1): "61.3 %", "0.04 %", "> 99.9 %"; "100 %" only for exactly 1, "0 %" only for
    exactly 0.
    """
    if share != share:
        return DASH
    if share <= 0.0:
        return "0 %"
    return percent_of(math.log(share)) if share < 1e-3 else _ordinary(share)


def percent_of(logprob: float) -> str:
    """A probability given as its natural logarithm; stays exact where exp() is 0."""
    if logprob != logprob:
        return DASH
    if logprob == -math.inf:
        return "0 %"
    share = math.exp(min(logprob, 0.0))
    return _ordinary(share) if share >= 1e-3 else _small(logprob)


def _ordinary(share: float) -> str:
    if share >= 1.0:
        return "100 %"
    return "> 99.9 %" if share >= 0.9995 else f"{share * 100:.1f} %"


def _small(logprob: float) -> str:
    """Below 0.1 %: two significant digits."""
    power = math.floor(logprob * _LOG10_E + 2)  # of the percentage
    mantissa = 10 ** (logprob * _LOG10_E + 2 - power)
    if round(mantissa, 1) >= 10:
        mantissa, power = mantissa / 10, power + 1
    if power < _SMALLEST_PLAIN:
        return f"{mantissa:.1f} × 10{str(power).translate(_SUPERSCRIPT)} %"
    return f"{mantissa * 10.0**power:.{1 - power}f} %"


def bits(value: float) -> str:
    """An amount of information to 0.01, without its unit."""
    if value != value:
        return DASH
    if value == math.inf:
        return "∞"
    return f"{value if round(value, 2) else 0.0:,.2f}"  # no "-0.00"


def surprise(logprob: float) -> float:
    """Bits of surprise of a natural log probability."""
    return max(-logprob / _LN2, 0.0)


def count(number: int) -> str:
    """Thousands separated: "1,240"."""
    return f"{number:,}"


def rank(number: int) -> str:
    """A place in the order of likelihood: "#1"."""
    return f"#{number:,}"


def score(value: float) -> str:
    """A raw logit, which is no probability: to 0.01."""
    return DASH if value != value else f"{value if round(value, 2) else 0.0:,.2f}"


def seconds(milliseconds: float) -> str:
    """A duration, without its unit: two decimals below a second (three below 10 ms), one below a minute,
    then whole seconds."""
    value = max(milliseconds, 0.0) / 1000
    if value < 0.00995:
        return f"{value:.3f}"
    if value < 0.995:
        return f"{value:.2f}"
    return f"{value:.1f}" if value < 59.95 else f"{value:,.0f}"


def size(bytes_: int) -> str:
    """Disk and download sizes: kB below 1 MB, MB below 1 GB, then GB with two decimals."""
    if bytes_ >= 1_000_000_000:
        return f"{bytes_ / 1e9:,.2f} GB"
    return f"{bytes_ / 1e6:,.0f} MB" if bytes_ >= 1_000_000 else f"{bytes_ / 1000:,.0f} kB"
