"""Match2: the unit on all words beside a second one, and the bits that it needs, with every word in a class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from ccsim import problems
from ccsim.arithmetic import Precision
from ccsim.claims import Finding, sizes_up_to
from ccsim.errors import InputError
from protocols import constructions
from protocols.papers import oracles_averaging as plain
from protocols.papers.growing import Looked, grown
from protocols.papers.sanford2023.findings.words import answered, every_word

__all__ = ["PlainMatch2", "bits_over_modulus", "bits_with_the_shift", "every_word_of_match2", "representatives"]


class PlainMatch2(NamedTuple):
    """The unit a second time: points (cos, sin, 1), keys (cos, -sin, -1), a blank row of zeros, and a factor."""

    modulus: int
    factor: int
    steps: plain.Steps

    def point(self, symbol: int) -> tuple[int, int, int]:
        """What stands for a symbol; the modulus stands for the blank row."""
        if symbol == self.modulus:
            return 0, 0, 0
        return (*plain.circle(self.modulus, self.steps.scale)[symbol], self.steps.scale)

    def logit(self, symbol: int, other: int) -> int:
        """How much one symbol asks for another, in steps."""
        (a, b, c), (x, y, z) = self.point(symbol), self.point(other)
        return plain.clipped((a * x - b * y - c * z) * self.factor // self.steps.scale, self.steps)

    def output(self, word: Sequence[int], row: int) -> int:
        """The weights of all symbols, added up, at one row."""
        logits = [self.logit(word[row - 1], other) for other in (*word, self.modulus)]
        return sum(plain.weights(logits, self.steps.scale)[:-1])

    def fault(self, symbol: int, most: int) -> str:
        """Why not all words of so many numbers are answered rightly at a row with this symbol, or nothing.

        All symbols that do not match have logits of at most ``rest``, and the more they have the worse: so the output
        is worst where all that do not match are such ones.
        """
        scale, modulus = self.steps.scale, self.modulus
        match, blank = self.logit(symbol, -symbol % modulus), self.logit(symbol, modulus)
        others = [self.logit(symbol, other) for other in range(modulus) if (symbol + other) % modulus]
        rest = max(others, default=self.steps.low)
        if rest >= min(match, blank):
            return f"a symbol is as near to {symbol} as a match, or as the blank row"
        share = plain.exponential(rest - blank, scale)
        if 4 * most * share > most * share + scale:  # of their sum, without a match
            return f"symbols that do not match {symbol} have too large a share"
        for count in range(1, most + 1):
            given = plain.weights([match] * count + [rest] * (most - count) + [blank], scale)
            if 4 * sum(given[:count]) <= scale:
                return f"{count} matches of {symbol} have too little weight"
        return ""


def unit_of(model: Any) -> tuple[Any, PlainMatch2]:
    """A model's attention unit, and the second one with its factor and precision."""
    unit = model.layers[0].attention
    factor, steps = unit.logit_scale, plain.Steps.of(unit.precision)
    return unit, PlainMatch2(len(model.alphabet), int(factor), steps)


def every_word_of_match2(length: int, modulus: int) -> Finding:
    """The numbers in a row, a query, a key or a value, if every row of every word has the right answer."""
    model = constructions.match2_unit(length, modulus, row=None)
    words = every_word(range(modulus), length)
    wanted = [tuple(plain.match2(word, modulus, row) for row in range(1, length + 1)) for word in words]
    wrong = answered(model, words, wanted, problems.match2(length, modulus, row=None))
    unit, second = unit_of(model)
    rows: Any = np.pad(np.array(words), ((0, 0), (0, 1)), constant_values=modulus)[..., None]
    outputs = unit(rows)[:, :length, 0].tolist()
    if outputs != [[second.output(word, row) for row in range(1, length + 1)] for word in words]:
        wrong.append("the unit gives other outputs than the second one")
    symbols = np.arange(modulus + 1)[:, None]
    pairs = [[second.logit(asking, other) for other in range(modulus + 1)] for asking in range(modulus + 1)]
    if unit.logits(unit.queries(symbols), unit.keys(symbols)).tolist() != pairs:
        wrong.append("the unit has other logits than the second one")
    maps = unit.query, unit.key, unit.value
    wrong += ["a map has a bias"] if any(part.bias.any() for part in maps) else []
    width = max(unit.embed(rows).shape[-1], *(part.weights.shape[1] for part in maps))
    size, facts = constructions.size_of(model), {"precision": unit.precision.bits}
    if (size.width, size.heads, size.layers, size.precision) != (width, 1, 1, second.steps.bits):
        wrong.append(f"its size is said to be {size}")
    return Finding(measured=width, checked=len(words), of=modulus**length, violations=tuple(wrong), facts=facts)


def bits_over_modulus(length: int, modulus: int) -> Finding:
    """For larger and larger moduli the fewest bits for which the margins are proved; the unit is run on all classes."""
    if modulus < 2 * length:
        raise InputError("length", length, f"at most half of {modulus}, so that there are two sizes or more")

    def look(size: int) -> Looked:
        bits = next(bits for bits in range(4, 61) if proved(length, size, bits))
        wrong, count = classes(constructions.match2_unit(length, size, precision=bits), length)
        return Looked(bits, count, count, wrong)

    found = grown(sizes_up_to(modulus, low=max(4, length)), look)
    return found.but(violations=(*saturated_too_early(), *found.violations))


def saturated_too_early() -> list[str]:
    """Whether the proof refuses a unit whose least logit is -2, so that many symbols without a match add up."""
    length, modulus = 8, 16
    model: Any = constructions.match2_unit(length, modulus, precision=Precision.fixed_point(1, 20))
    words = [(0, *[1] * (length - 1)), (1, *[modulus - 1] * (length - 1))]
    wrong = (
        [] if len(answered(model, words, [0, 1])) == 1 else ["such a unit is not wrong where there is no match alone"]
    )
    return [*wrong, "the margins of such a unit are proved"] if has_margins(model, length, modulus) else wrong


def proved(length: int, modulus: int, bits: int) -> bool:
    """Whether the proof of margins accepts the unit of so many bits; too few bits for its numbers are refused."""
    try:
        return has_margins(constructions.match2_unit(length, modulus, precision=bits), length, modulus)
    except InputError:
        return False


def has_margins(model: Any, length: int, modulus: int) -> bool:
    """Whether the proof accepts a model's unit."""
    symbols = np.arange(modulus + 1)[:, None]
    return constructions.matching_margin(model.layers[0].attention, length, symbols[:-1], symbols)


def bits_with_the_shift(length: int, modulus: int) -> Finding:
    """The bits that the unit chooses, in which logits as printed, larger by c, mostly give a wrong answer."""
    model = constructions.match2_unit(length, modulus)
    wrong, count = classes(model, length)
    printed: Any = constructions.match2_unit(length, modulus, precision=model.precision.bits, shifted=False)
    words, right = zip(*representatives(length, modulus), strict=True)
    mistakes = answered(printed, words, right)
    facts = {"logits as printed, in as many bits": mistakes[0] if mistakes else "right on one word of each class"}
    return Finding(measured=model.precision.bits, checked=count, of=count, violations=tuple(wrong[:3]), facts=facts)


def classes(model: Any, length: int) -> tuple[list[str], int]:
    """What is wrong with a unit on any word, with how many words it was run: one of each class.

    A class is the symbol in row 1 and how many others match it. That the rest of a word cannot change the answer is
    seen apart, from the logits of all pairs of symbols.
    """
    unit, second = unit_of(model)
    words, wanted = zip(*representatives(length, second.modulus), strict=True)
    wrong = answered(model, words, wanted)
    faults = (second.fault(symbol, length) for symbol in range(second.modulus))
    wrong += [fault for fault in faults if fault][:1]
    if unit.precision.bits != second.steps.bits:
        wrong.append(f"numbers of {second.steps.bits} bits")
    for place in (0, len(words) // 2, len(words) - 1):
        if int(unit.output_row(model.rows(np.array([words[place]])), 1)[0, 0]) != second.output(words[place], 1):
            wrong.append(f"another output on {words[place]}")
    return wrong, len(words)


def representatives(length: int, modulus: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """A word for each symbol in row 1 and each number of matches among the others, with the answer.

    The rest is next to a match, on either side of it.
    """
    for symbol, count in product(range(modulus), range(length)):
        near = [(-symbol + (1 if place % 2 else -1)) % modulus for place in range(length - 1 - count)]
        word = (symbol, *[-symbol % modulus] * count, *near)
        yield word, plain.match2(word, modulus, 1)
