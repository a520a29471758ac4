"""Rotary positions in a ``config.json`` of Hugging Face: plain, or scaled for words longer than those in training."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, log, pi

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.configuration_entries import Entries
from ccsim.models.rotary import Waves

__all__ = ["rope_waves"]

LONGEST = 2048  # max_position_embeddings of the library, if nothing is said


@dataclass(frozen=True)
class _Scaled:
    """What a rule of scaling is told: the waves without it, its entries, N, and the longest word in training."""

    waves: Waves
    entries: Entries
    length: int
    longest: int

    def factor(self) -> float:
        """By how much words are longer."""
        found = self.entries.number("factor")
        if found < 1:
            raise InputError(f"{self.entries.where}factor", found, "a number of at least 1")
        return found

    def first_longest(self) -> int:
        """The longest word in training before it was scaled."""
        return self.entries.integer("original_max_position_embeddings", usual=self.longest)

    def shared(self, shares: Array) -> Waves:
        """The waves with factors of their angles, each the float64 that it is."""
        return replace(self.waves, shares=tuple(Fraction(float(share)) for share in shares))


def rope_waves(entries: Entries, width: int, length: int) -> Waves:
    """How queries and keys of so many numbers turn in words of ``length`` symbols.

    Known are ``rope_theta``, where it stands since version 5 of the library or before, and these kinds of scaling:
    ``linear``, ``dynamic``, ``llama3`` and ``yarn``, with the formulas of the library (``modeling_rope_utils``) in
    float64. ``dynamic`` changes the base where words are longer than ``max_position_embeddings``.
    """
    base = entries.number("rope_theta", usual=10_000.0, low=1.0)
    longest = entries.integer("max_position_embeddings", usual=LONGEST)
    waves = Waves(width, Fraction(base))
    for name in ("rope_parameters", "rope_scaling"):
        table = entries.given(name)
        if table is not None:
            waves = _scaled(Entries(table, f"config.{name}."), waves, length, longest)
    return waves


def _scaled(inner: Entries, waves: Waves, length: int, longest: int) -> Waves:
    kinds = {each: inner.given(each) for each in ("rope_type", "type")}
    inner.only("partial_rotary_factor", 1, 1.0)
    waves = replace(waves, base=Fraction(inner.number("rope_theta", usual=float(waves.base), low=1.0)))
    name, kind = next(((name, kind) for name, kind in kinds.items() if kind is not None), ("rope_type", "default"))
    if kind == "default":
        inner.given("factor")  # the library reads none here
    elif not isinstance(kind, str) or kind not in RULES:
        known = ", ".join(["default", *RULES])
        raise InputError(f"{inner.where}{name}", kind, f"one of {known}: others are not supported")
    else:
        waves = RULES[kind](_Scaled(waves, inner, length, longest))
    inner.require_known()
    return waves


def _linear(given: _Scaled) -> Waves:
    """Every angle is divided by the factor."""
    return given.shared(np.full(given.waves.width // 2, 1 / given.factor()))


def _dynamic(given: _Scaled) -> Waves:
    """A larger base for words that are longer than in training."""
    width, factor = given.waves.width, given.factor()
    given.entries.given("original_max_position_embeddings")  # the library does not use it here
    if given.length <= given.longest:
        return given.waves
    if width == 2:
        raise InputError("config.head_dim", width, "above 2 for dynamic rotary positions")
    growth = (factor * given.length / given.longest - (factor - 1)) ** (width / (width - 2))
    return replace(given.waves, base=Fraction(float(given.waves.base) * growth))


def _llama3(given: _Scaled) -> Waves:
    """Llama 3.1: long waves are divided by the factor, short ones are kept, and between there is something between."""
    factor, longest = given.factor(), given.first_longest()
    low, high = given.entries.number("low_freq_factor"), given.entries.number("high_freq_factor")
    if low >= high:
        raise InputError(f"{given.entries.where}high_freq_factor", high, f"a number above low_freq_factor {low:g}")
    turns = longest * given.waves.floats / (2 * pi)  # of each wave in the longest word
    between = np.clip((turns - low) / (high - low), 0, 1)
    return given.shared((1 - between) / factor + between)


def _yarn(given: _Scaled) -> Waves:
    """YaRN (Peng et al. 2023): the same by the number of the pair, and cosine and sine are stretched."""
    factor, longest, entries, width = given.factor(), given.first_longest(), given.entries, given.waves.width

    def pair(turns: float) -> float:
        return width * log(longest / (turns * 2 * pi)) / (2 * log(float(given.waves.base)))

    low, high = pair(entries.number("beta_fast", usual=32.0)), pair(entries.number("beta_slow", usual=1.0))
    if entries.flag("truncate", usual=True):
        low, high = floor(low), ceil(high)
    low, high = max(low, 0), min(high, width - 1)
    ramp = np.clip((np.arange(width // 2) - low) / (high - low if high != low else 0.001), 0, 1)
    waves = given.shared(ramp / factor + (1 - ramp))
    return replace(waves, stretch=Fraction(_stretch(entries, factor)))


def _stretch(entries: Entries, factor: float) -> float:
    """What cosine and sine are multiplied by: as it is said, or 0.1 log(factor) + 1, or a quotient of two such."""
    said = entries.maybe("attention_factor")
    above, below = entries.maybe("mscale"), entries.maybe("mscale_all_dim")
    if said is not None:
        return said
    first, second = (above, below) if above is not None and below is not None else (1.0, 0.0)
    return (0.1 * first * log(factor) + 1) / (0.1 * second * log(factor) + 1)


RULES: Mapping[str, Callable[[_Scaled], Waves]] = {
    "linear": _linear,
    "dynamic": _dynamic,
    "llama3": _llama3,
    "yarn": _yarn,
}
"""By the name of the scaling."""
