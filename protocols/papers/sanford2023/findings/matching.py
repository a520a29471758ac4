"""Match2: the unit on all words, and the bits that it needs, with every word in a class."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from ccsim import problems
from ccsim.claims import Finding, sizes_up_to
from ccsim.errors import InputError
from protocols import constructions
from protocols.papers.checks import Looked, grown
from protocols.papers.sanford2023.findings.words import answered, every_word

__all__ = ["bits_over_modulus", "bits_with_the_shift", "every_word_of_match2", "representatives"]


def every_word_of_match2(length: int, modulus: int) -> Finding:
    """The numbers in a row, a query, a key or a value, if every row of every word has the right answer."""
    model = constructions.match2_unit(length, modulus, row=None)
    words = every_word(range(modulus), length)
    unit: Any = model.layers[0].attention
    wrong = answered(model, words, problems.match2(length, modulus, row=None))
    rows: Any = np.pad(np.array(words), ((0, 0), (0, 1)), constant_values=modulus)[..., None]
    maps = unit.query, unit.key, unit.value
    width = max(unit.embed(rows).shape[-1], *(part.weights.shape[1] for part in maps))
    facts = {"precision": unit.precision.bits}
    return Finding(measured=width, checked=len(words), of=modulus**length, violations=tuple(wrong[:3]), facts=facts)


def bits_over_modulus(length: int, modulus: int) -> Finding:
    """For larger and larger moduli the fewest bits for which the margins are proved; the unit is run on all classes."""
    if modulus < 2 * length:
        raise InputError("length", length, f"at most half of {modulus}, so that there are two sizes or more")

    def look(size: int) -> Looked:
        bits = next(bits for bits in range(4, 61) if proved(length, size, bits))
        wrong, count = classes(constructions.match2_unit(length, size, precision=bits), length)
        return Looked(bits, count, size * length, wrong)

    return grown(sizes_up_to(modulus, low=max(4, length)), look)


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
    mistakes = answered(printed, list(representatives(length, modulus)), problems.match2(length, modulus))
    facts = {"logits as printed, in as many bits": mistakes[0] if mistakes else "right on one word of each class"}
    of = modulus * length
    return Finding(measured=model.precision.bits, checked=count, of=of, violations=tuple(wrong[:3]), facts=facts)


def classes(model: Any, length: int) -> tuple[list[str], int]:
    """What is wrong with a unit on any word, with how many words it was run: one of each class.

    A class is the symbol in row 1 and how many others match it. The rest of a word cannot change the answer where the
    margins are proved.
    """
    modulus = len(model.alphabet)
    words = list(representatives(length, modulus))
    return answered(model, words, problems.match2(length, modulus)), len(words)


def representatives(length: int, modulus: int) -> Iterator[tuple[int, ...]]:
    """A word for each symbol in row 1 and each number of matches among the others.

    The rest is next to a match, on either side of it.
    """
    for symbol, count in product(range(modulus), range(length)):
        near = [(-symbol + (1 if place % 2 else -1)) % modulus for place in range(length - 1 - count)]
        yield (symbol, *[-symbol % modulus] * count, *near)
