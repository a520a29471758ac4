"""Match3 with assistance: each symbol comes with the position of a partner."""

from __future__ import annotations

import itertools

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import IntArray, Precision
from ccsim.models.row_model import RowLayer, RowModel
from ccsim.problems.sequence.task import SequenceTask
from ccsim.problems.words import Words
from protocols.constructions.match2 import threshold
from protocols.constructions.match3.pairs import two_layer_size, two_units
from protocols.constructions.size import with_size


def assisted_match3(length: int, modulus: int, row: int = 1) -> SequenceTask:
    """Symbols are (x_i, h_i) with a hint h_i in 1..length; is x_i + x_(h_i) + x_j = 0 modulo M for some j?

    Where the hint is the position of a partner whenever there is one, this is the answer of Match3; where it is not,
    an answer 1 is still right for Match3. The source (Sanford, Hsu and Telgarsky, talk of 2023) says that a standard
    transformer computes Match3 with assistance, and not what the assistance is: this is our reading.

    >>> task = assisted_match3(3, 7)
    >>> task(((1, 2), (2, 1), (4, 1))), task(((1, 1), (2, 1), (4, 1)))
    (1, 0)
    """
    length, modulus = require_integer("length", length, low=1), require_integer("modulus", modulus, low=1)
    row = require_integer("row", row, low=1, high=length)
    symbols = list(itertools.product(range(modulus), range(1, length + 1)))

    def evaluate(words: IntArray) -> IntArray:
        numbers = words.astype(np.int64) // length
        partner = np.take_along_axis(numbers, words[..., row - 1 : row].astype(np.int64) % length, axis=-1)
        return np.asarray(((numbers[..., row - 1 : row] + partner + numbers) % modulus == 0).any(axis=-1)).astype(int)

    name = f"assisted_match3({length}, {modulus}, row {row})"
    note = f"row {row}: 1 iff x_i + x_h + x_j = 0 for the hinted h and some j modulo {modulus}"
    return SequenceTask(name, Words.over(symbols, length), (0, 1), evaluate, note=note)


def assisted_match3_transformer(
    length: int, modulus: int, *, precision: int | Precision | None = None, row: int = 1
) -> RowModel:
    """A model for ``assisted_match3(length, modulus, row)``: two layers whose queries and keys have width 3.

    Layer 1 fetches the symbol at the hinted position; layer 2 is Match2 with queries of x_i + x_(h_i) and keys of x_j.

    >>> model = assisted_match3_transformer(3, 7)
    >>> model(((1, 2), (2, 1), (4, 1))), model(((1, 1), (2, 1), (4, 1)))
    (1, 0)
    """
    length, modulus = require_integer("length", length, low=1), require_integer("modulus", modulus, low=1)
    fetch, match = two_units(length, modulus, precision)
    blank = modulus + 1

    def rows(words: IntArray) -> IntArray:
        symbols, hints = words.astype(np.int64) // length, words.astype(np.int64) % length + 1
        symbols = np.pad(symbols, ((0, 0), (0, 1)), constant_values=blank)
        hints = np.pad(hints, ((0, 0), (0, 1)), constant_values=length + 1)
        return np.stack([symbols, hints, np.broadcast_to(np.arange(1, length + 2), symbols.shape)], axis=-1)

    def add(rows: IntArray, fetched: IntArray) -> IntArray:
        symbols = rows[..., 0]
        sums = np.where(symbols == blank, blank, (symbols + fetched[..., 0]) % modulus)
        return np.stack([sums, symbols], axis=-1)

    bits = fetch.precision.bits
    layers = (RowLayer(fetch, add), RowLayer(match, threshold(match.precision)))
    name = f"assisted match3 transformer({length}, {modulus}, row {row}, {bits} bits)"
    alphabet = assisted_match3(length, modulus, row).alphabet
    model = RowModel(name, alphabet, (0, 1), length, rows, layers, row)
    return with_size(model, two_layer_size(length, modulus, bits, "Sanford, Hsu and Telgarsky 2023, assisted Match3"))
