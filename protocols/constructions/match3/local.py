"""Match3Local by one attention unit that averages over the window."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import IntArray
from ccsim.errors import InputError
from ccsim.models.row_model import RowLayer, RowModel
from protocols.constructions.size import ConstructionSize, with_size
from protocols.constructions.sparse_averaging import SparseAveraging, averaging_size, sparse_averaging_unit


def match3_local_unit(length: int, modulus: int, window: int, *, row: int | None = 1, **options: Any) -> RowModel:
    """A model for ``match3_local(length, modulus, window, row)``: one attention unit of width O(K log N).

    Row i averages over the rows at most K away, by the keys and dual vectors of
    :func:`~protocols.constructions.sparse_averaging_unit` for 2 K + 1 rows. A value has 2 K + 1 slots, and row j writes
    the binary digits of x_j into slot j modulo 2 K + 1, which no other row of a window uses. A digit arrives as 0 or
    about 1 / (rows of the window), so the row knows all symbols of its window, and its own, and decides alone (Sanford,
    Hsu and Telgarsky 2023 state the size).

    ``options`` are those of ``sparse_averaging_unit``. Without a precision among them the weights of all windows are
    checked: no digit can be misread, in any word. It has to be refused if one could.

    >>> model = match3_local_unit(4, 7, window=1)
    >>> model((1, 2, 4, 0)), model((3, 1, 4, 0)), model((0, 3, 4, 0))
    (0, 1, 1)
    """
    length, modulus = require_integer("length", length, low=2), require_integer("modulus", modulus, low=1)
    window = require_integer("window", window, low=0)
    slots, digits = min(2 * window + 1, length), max(1, (modulus - 1).bit_length())
    average = sparse_averaging_unit(length, slots, value_width=slots * digits, **options)
    windows = [tuple(range(max(1, i - window), min(length, i + window) + 1)) for i in range(1, length + 1)]
    if "precision" not in options and not reads_every_digit(average, windows):
        raise InputError("window", window, f"a window whose digits {average.precision} can tell")
    filled = np.array([(*near, *[0] * (slots - len(near))) for near in windows])
    places = np.arange(length)

    def rows(words: IntArray) -> IntArray:
        bits = (words[..., None] >> np.arange(digits)) & 1
        values = np.zeros((*words.shape, slots, digits), dtype=np.int64)
        values[..., places, places % slots, :] = bits * average.precision.scale
        numbers = np.broadcast_to((places + 1)[:, None], (*words.shape, 1))
        near = np.broadcast_to(filled, (*words.shape, slots))
        return np.concatenate([near, numbers, values.reshape(*words.shape, -1)], axis=-1)

    def decide(rows: IntArray, outputs: IntArray) -> IntArray:
        number = rows[..., slots]
        sizes = (filled[number - 1] > 0).sum(axis=-1)[..., None]
        bits = (2 * sizes * outputs > average.precision.scale).reshape(*outputs.shape[:-1], slots, digits)
        near = (bits * (1 << np.arange(digits))).sum(axis=-1)
        own = np.take_along_axis(near, ((number - 1) % slots)[..., None], axis=-1)
        used = np.zeros(near.shape, dtype=bool)
        for place in range(slots):
            rank = filled[number - 1][..., place]
            used |= (np.arange(slots) == ((rank - 1) % slots)[..., None]) & (rank > 0)[..., None]
        sums = own[..., None] + near[..., :, None] + near[..., None, :]
        found = (sums % modulus == 0) & used[..., :, None] & used[..., None, :]
        return np.asarray(found.any(axis=(-2, -1)))[..., None].astype(np.int64)

    asked = "all rows" if row is None else f"row {row}"
    name = f"match3_local unit({length}, {modulus}, {asked}, window {window}, {average.precision.bits} bits)"
    layer = RowLayer(average.unit, decide)
    return with_size(RowModel(name, tuple(range(modulus)), (0, 1), length, rows, (layer,), row), _size(average))


def reads_every_digit(average: SparseAveraging, windows: list[tuple[int, ...]]) -> bool:
    """Whether no values in 0..1 and no rounding move a digit across 1 / (2 q) in any of these windows of q rows."""
    errors = average.worst_errors(windows)
    step = Fraction(1, average.precision.scale)
    return all(error + step < Fraction(1, 2 * len(near)) for error, near in zip(errors, windows, strict=True))


def _size(average: SparseAveraging) -> ConstructionSize:
    return replace(
        averaging_size(average),
        claimed_width="K*log(N)",
        claimed_precision="log(N)",
        claimed_bits="(K*log(N))**2*log(N)",
        source="Sanford, Hsu and Telgarsky 2023, Match3Local",
    )
