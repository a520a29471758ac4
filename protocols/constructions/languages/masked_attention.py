"""Star-free languages by hard attention: one head for each ``Since``, one layer for each time that it is nested."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np

from ccsim.arguments import require_symbols
from ccsim.arrays import Array
from ccsim.models import SequenceModel
from protocols.constructions.languages.formulas import And, Formula, Not, Position, Since, Symbol, nesting, parts_of

Unit = tuple[int, dict[int, int], int]


@dataclass(frozen=True, eq=False)
class MaskedHardAttention(SequenceModel):
    """Rightmost hard attention over the positions strictly before, on content of 0s and 1s, read at an end mark.

    Attributes:
        name: what it is called.
        alphabet: the symbols of words; their rank is the number of symbols for the end mark.
        given: for each number of the content, the formula that fills it at the start, or None.
        layers: for each layer its heads, each (where it writes, its keys' weights, its value), and then its relu units,
            each (where it writes, weights by place of the content, bias), one after the other.
        accepting: the number that is read at the end mark.
    """

    name: str
    alphabet: tuple[Hashable, ...]
    given: tuple[Formula | None, ...] = field(repr=False)
    layers: tuple[tuple[tuple[tuple[int, int, int], ...], tuple[Unit, ...]], ...] = field(repr=False)
    accepting: int
    answers: tuple[Hashable, ...] = (0, 1)
    length: int | None = None

    @property
    def attention_layers(self) -> int:
        """How many layers have a head."""
        return sum(bool(heads) for heads, _ in self.layers)

    def codes(self, words: Array) -> Array:
        """1 for accepted words of ranks (..., N), the empty one too."""
        words = np.asarray(words)
        marked = np.pad(words, [(0, 0)] * (words.ndim - 1) + [(0, 1)], constant_values=len(self.alphabet))
        content = np.zeros((*marked.shape, len(self.given)), dtype=np.int64)
        for place, formula in enumerate(self.given):
            content[..., place] = self._start(formula, marked)
        for heads, units in self.layers:
            for place, blocked, value in heads:
                content[..., place] = attended(-content[..., blocked], content[..., value])
            for place, weights, bias in units:
                total = sum(weight * content[..., source] for source, weight in weights.items())
                content[..., place] = np.maximum(total + bias, 0)
        return np.asarray(content[..., -1, self.accepting])

    def _start(self, formula: Formula | None, marked: Array) -> Array | int:
        match formula:
            case Symbol(symbol):
                return np.asarray(marked == self.alphabet.index(symbol))
            case Position(modulus, remainder):
                return np.asarray(np.arange(1, marked.shape[-1] + 1) % modulus == remainder)
        return 0


def attended(scores: Array, values: Array) -> Array:
    """For each position the value at the rightmost of those before it with the largest score; 0 at the first."""
    found = np.zeros_like(values)
    best, held = scores[..., 0], values[..., 0]
    for place in range(1, scores.shape[-1]):
        found[..., place] = held
        better = scores[..., place] >= best
        best, held = np.where(better, scores[..., place], best), np.where(better, values[..., place], held)
    return found


def hard_attention(formula: Formula, alphabet: str) -> MaskedHardAttention:
    """The transformer that accepts a word iff a formula holds at the end mark behind it (Angluin et al. 2023).

    The head of ``held since then`` scores -1 where held is true and then is not, and 0 elsewhere. The rightmost 0 is
    where the search backwards stops: either then is true there, or nothing was found; that is the value. If all scores
    are -1, then is false everywhere, and the value is 0 too. Positions are encoded only if the formula speaks of them.

    >>> from protocols.constructions.languages import And, Symbol, before, previous
    >>> model = hard_attention(before(And(Symbol("b"), previous(Symbol("a")))), "ab")
    >>> model("bbab"), model("bbaa"), model.attention_layers
    (1, 0, 2)
    """
    number: dict[Formula, int] = {}
    _enter(formula, number)
    blocked = {part: len(number) + place for place, part in enumerate(f for f in number if isinstance(f, Since))}
    layers = []
    for level in range(nesting(formula) + 1):
        now = [part for part in number if nesting(part) == level]
        heads = tuple((number[f], blocked[f], number[f.then]) for f in now if isinstance(f, Since))
        units = [_unit(part, number) for part in now if not isinstance(part, Symbol | Position | Since)]
        units += [
            (place, {number[f.held]: 1, number[f.then]: -1}, 0)
            for f, place in blocked.items()
            if nesting(f) == level + 1
        ]
        layers.append((heads, tuple(units)))
    given = tuple(part if isinstance(part, Symbol | Position) else None for part in number)
    symbols = require_symbols("alphabet", alphabet)
    return MaskedHardAttention(
        "hard attention", symbols, given + (None,) * len(blocked), tuple(layers), number[formula]
    )


def _enter(formula: Formula, number: dict[Formula, int]) -> None:
    """Number a formula after those that it is made of."""
    for part in parts_of(formula):
        _enter(part, number)
    number.setdefault(formula, len(number))


def _unit(formula: Formula, number: dict[Formula, int]) -> Unit:
    """The relu unit of what is not, of what both are, and of what is always true."""
    match formula:
        case Not(inner):
            return number[formula], {number[inner]: -1}, 1
        case And(left, right) if left != right:
            return number[formula], {number[left]: 1, number[right]: 1}, -1
        case And(left, _):
            return number[formula], {number[left]: 1}, 0
    return number[formula], {}, 1
