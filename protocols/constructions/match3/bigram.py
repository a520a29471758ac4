"""Match3Bigram by two layers of width 3."""

from __future__ import annotations

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import IntArray, Precision
from ccsim.models.row_model import RowLayer, RowModel
from protocols.constructions.match2 import threshold
from protocols.constructions.match3.pairs import two_layer_size, two_units
from protocols.constructions.size import with_size


def match3_bigram_transformer(
    length: int, modulus: int, *, precision: int | Precision | None = None, row: int | None = 1
) -> RowModel:
    """A model for ``match3_bigram(length, modulus, row)``: two layers whose queries and keys have width 3.

    Layer 1 fetches the next symbol, and each position adds it to its own: y_j = x_j + x_(j+1). Layer 2 is Match2 with
    queries of x_i and keys of y_j. Position N finds the blank row next and takes a key that matches nothing. (Sanford,
    Hsu and Telgarsky 2023 state the sizes; how to come by the sum is left open there.)

    >>> model = match3_bigram_transformer(3, 7)
    >>> model((1, 2, 4)), model((2, 1, 4)), model((1, 6, 6))
    (1, 1, 0)
    """
    length, modulus = require_integer("length", length, low=1), require_integer("modulus", modulus, low=1)
    fetch, match = two_units(length, modulus, precision)
    nothing, blank = modulus, modulus + 1

    def rows(words: IntArray) -> IntArray:
        symbols = np.pad(words.astype(np.int64), ((0, 0), (0, 1)), constant_values=blank)
        own = np.broadcast_to(np.arange(1, length + 2), symbols.shape)
        return np.stack([symbols, own + 1, own], axis=-1)

    def add(rows: IntArray, fetched: IntArray) -> IntArray:
        symbols, following = rows[..., 0], fetched[..., 0]
        sums = np.where(following == blank, nothing, (symbols + following) % modulus)
        return np.stack([symbols, np.where(symbols == blank, blank, sums)], axis=-1)

    bits, asked = fetch.precision.bits, "all rows" if row is None else f"row {row}"
    layers = (RowLayer(fetch, add), RowLayer(match, threshold(match.precision)))
    name = f"match3_bigram transformer({length}, {modulus}, {asked}, {bits} bits)"
    model = RowModel(name, tuple(range(modulus)), (0, 1), length, rows, layers, row)
    return with_size(model, two_layer_size(length, modulus, bits, "Sanford, Hsu and Telgarsky 2023, Match3Bigram"))
