"""What all three constructions share: from marks of the last n - 1 symbols to the weights of the next."""

from __future__ import annotations

import numpy as np

from ccsim.arithmetic import IntArray
from protocols.constructions.ngrams.model import NGramModel


def one_hot(language: NGramModel) -> IntArray:
    """The unit vectors of the beginning mark and the symbols, one per row."""
    return np.eye(len(language.symbols) + 1, dtype=np.int64)


def and_units(language: NGramModel) -> tuple[IntArray, IntArray]:
    """One relu unit per context, 1 if each symbol of it has its mark and else 0: a layer (weights, bias).

    The marks are one block of 1 + symbols numbers per place of the context, the latest first. A unit adds up the n - 1
    marks of its context, less n - 2.
    """
    block, places = len(language.symbols) + 1, language.order - 1
    weights = np.zeros((places * block, len(language.contexts)), dtype=np.int64)
    for unit, context in enumerate(language.contexts):
        for place, rank in enumerate(reversed(context)):
            weights[place * block + rank, unit] = 1
    return weights, np.full(len(language.contexts), 1 - places)
