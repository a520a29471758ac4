"""An n-gram model by one head in one layer."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ccsim.arithmetic import IntArray
from ccsim.models.language import CappedProduct, HardAttentionLanguageModel, HardAttentionLayer, PositionalHead
from protocols.constructions.ngrams.history import and_units, one_hot
from protocols.constructions.ngrams.model import NGramModel, require_language
from protocols.constructions.ngrams.sizes import LENGTH, sized


def ngram_by_values(language: NGramModel, *, length: int = LENGTH) -> HardAttentionLanguageModel:
    """A transformer with one head in one layer with the same probabilities (Svete and Cotterell 2024, theorem 3.3).

    The content of position j is 10^-j times the unit vector of its symbol. The score min(j - (t - n + 2), 0) is largest
    at the last n - 1 positions alone, which are averaged. Scaled to the sum 11...1, each symbol has a number of n - 1
    decimal digits: a 1 where that symbol stands. Digits come out one a layer, the oldest first, by two relu units each:
    relu(r - 10^e + 1) - relu(r - 10^e) is 1 if the rest r has this digit, since without it r < 10^e. So n - 1 layers
    of units lead to those of the contexts.

    The numbers 10^-j need a number of bits that grows with the length of the string, here as in theory: the two
    other constructions have positions of logarithmic size.

    It reads strings of every length; ``length`` is the one for which its size is stated.

    >>> language = NGramModel.from_strings(["aab", "ab"], order=3)
    >>> model = ngram_by_values(language)
    >>> model.probability("aab") == language.probability("aab"), model.heads, len(model.layers), model.width
    (True, 1, 1, 5)
    """
    require_language(language)
    block, places = len(language.symbols) + 1, language.order - 1

    def encoding(positions: IntArray) -> IntArray:
        return np.stack([np.ones_like(positions), positions], axis=-1)

    # From (1, t): the query (t - n + 2, 1) and the key (-1, j), so that their product is j - (t - n + 2).
    query, key = np.array([[1 - places, 1], [1, 0]]), np.array([[-1, 0], [0, 1]])
    head = PositionalHead(query, key, np.eye(block, dtype=np.int64), CappedProduct())
    digits, last = _digit_layers(block, places)
    context_weights, bias = and_units(language)
    model = HardAttentionLanguageModel(
        f"{language.order}-grams by values",
        language.symbols,
        places,
        one_hot(language),
        encoding,
        (HardAttentionLayer((head,), residual=False),),
        (*digits, (last @ context_weights, bias)),
        language.weights,
        amplitude=lambda position: Fraction(1, 10**position),
        total=(10**places - 1) // 9,
    )
    source = "Svete and Cotterell 2024, theorem 3.3"
    return sized(model, length, width="S + 2", precision="N", source=source)


def _digit_layers(block: int, places: int) -> tuple[list[tuple[IntArray, IntArray]], IntArray]:
    """Layers of units from ``block`` numbers to their digits, and the matrix from the last units to the digits.

    For each number the units are the number itself, then two per digit found so far, the highest first. The matrix
    puts out the digits in blocks, the lowest digit of every number first: that is where the latest symbol stands.
    """
    layers = []
    unit = np.eye(block, dtype=np.int64)
    for found in range(places):
        power = 10 ** (places - 1 - found)
        rest = np.array([1, *(sign * 10 ** (places - 1 - place) for place in range(found) for sign in (-1, 1))])
        keep = np.eye(1 + 2 * found, dtype=np.int64)
        layers.append(
            (
                np.kron(unit, np.column_stack([keep, rest, rest])),
                np.tile([*[0] * (1 + 2 * found), 1 - power, -power], block),
            )
        )
    last = np.zeros((block * (1 + 2 * places), places * block), dtype=np.int64)
    for number in range(block):
        for place in range(places):
            first = number * (1 + 2 * places) + 1 + 2 * place
            last[first : first + 2, (places - 1 - place) * block + number] = 1, -1
    return layers, last
