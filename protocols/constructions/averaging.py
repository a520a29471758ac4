"""Attention as an average: over a set that each position names, or over the whole word.

Sparse averaging by one unit has keys of random signs, and queries that are dual to the keys of a subset. Uniform
attention of width 2N sees the whole word: position i holds -N code in coordinate i and the least number, -N K,
elsewhere, for codes 0..K. So the head gives -code_j - (N-1) K in coordinate j, in steps, and relu units decide on small
integers. These tasks need linear width, up to a logarithm (Bhattamishra and others 2024, theorems 5, 10 and 12).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from ccsim.arithmetic import Precision
from ccsim.errors import Array, InputError, require_integer
from ccsim.models import OneLayerTransformer
from ccsim.models.attention import AttentionUnit, positive_rational
from ccsim.models.automata import dyck_automaton
from ccsim.models.encoded import RowModel
from ccsim.problems.languages import bracket_symbols
from protocols.constructions.addresses import DualVectors, SignVectors, least_integer_above, natural_logarithm
from protocols.constructions.assembling import Layer, Slots, Stream, cut_unit, sized


@dataclass(frozen=True, eq=False)
class SparseAveraging:
    """An attention unit whose row i is the average of the values in the rows that row i names; see its maker.

    A raw row holds the numbers of the rows it names (from 1, filled up with 0), its own number, and its value.

    Attributes:
        length, most: N, how many rows there are; q, the most rows that one names.
        error: the accuracy that is meant.
        duals: the dual vectors of the keys.
        sharpness: alpha, the logit of a row that is named.
        precision: of all numbers.
        value_width: d', how many numbers a value has.
    """

    length: int
    most: int
    error: Fraction
    duals: DualVectors
    sharpness: int
    precision: Precision
    value_width: int = 1

    @property
    def dimension(self) -> int:
        """m', how many signs a key has."""
        return self.duals.vectors.dimension

    @property
    def width(self) -> int:
        """m = 2 m' + d': the query, the key and the value of a row."""
        return self.value_width + 2 * self.dimension

    @cached_property
    def unit(self) -> AttentionUnit:
        """The attention unit: queries, keys and values are cut out of the vectors of width m."""
        return cut_unit(self.precision, self.vectors, self.dimension, self.value_width)

    def row(self, place: int, chosen: Sequence[int], sign: int) -> tuple[int, ...]:
        """One raw row with a value of one number, -1 or 1, as the protocol for disjointness writes it."""
        return (*chosen, *[0] * (self.most - len(chosen)), place, sign * self.precision.scale)

    def vectors(self, rows: Array) -> Array:
        """The vectors (alpha w; signs; value) of raw rows (..., q + 1 + d'), mantissas."""
        flat = rows.reshape(-1, rows.shape[-1])
        queries = self.queries(flat[:, : self.most])
        keys = self.duals.signs[flat[:, self.most] - 1] * self.precision.scale
        return np.hstack([queries, keys, flat[:, self.most + 1 :]]).reshape(*rows.shape[:-1], self.width)

    def queries(self, subsets: Array) -> Array:
        """alpha times the dual vectors of subsets (..., q), rounded to the nearest mantissas: (..., dimension)."""
        kinds, places = np.unique(subsets.reshape(-1, subsets.shape[-1]), axis=0, return_inverse=True)
        factor = self.sharpness * self.precision.scale
        table = np.array([self.duals.scaled([number for number in kind if number], factor) for kind in kinds.tolist()])
        return self.precision.saturate(table[places.reshape(-1)].reshape(*subsets.shape[:-1], self.dimension))

    def weights(self, subsets: Array) -> Array:
        """The weights that all rows get under each subset (batch, q): mantissas (batch, N), rounded as in the unit."""
        keys = self.duals.signs * self.precision.scale
        return self.unit.weighting.row(self.unit.logits(self.queries(subsets), keys))

    def worst_errors(self, subsets: Iterable[Sequence[int]]) -> list[Fraction]:
        """For each subset, the largest distance to the true average that values in the unit ball can cause, exact.

        It is the sum of the differences of weights, and at most one step more by rounding the sum.
        """
        named = [tuple(subset) for subset in subsets]
        for subset in named:
            if len(set(subset)) < len(subset):
                raise InputError("subsets", subset, "different rows")
        padded = np.array([(*subset, *[0] * (self.most - len(subset))) for subset in named])
        scale = self.precision.scale
        errors = []
        for subset, weights in zip(named, self.weights(padded), strict=True):
            wanted = np.zeros(self.length, dtype=np.int64)
            wanted[np.array(subset) - 1] = scale
            errors.append(Fraction(int(np.abs(weights * len(subset) - wanted).sum()), scale * len(subset)))
        return errors

    def sized(self, model: RowModel, claimed: tuple[str, str, str], part: str) -> RowModel:
        """A model of this unit with its size, where a rule makes the table of N keys."""
        maps, keys = self.width * (2 * self.dimension + self.value_width), self.length * self.dimension
        made = {"width": self.width, "given": keys, "seed_bits": self.duals.vectors.seed_bits}
        source = f"Sanford, Hsu and Telgarsky 2023, {part}"
        return sized(model, self.precision.bits, maps, **made, claimed=claimed, source=source)


def sparse_averaging_unit(
    length: int,
    most: int,
    *,
    error: Fraction | float | None = None,
    dimension: int | None = None,
    precision: int | Precision | None = None,
    value_width: int = 1,
    seed: int = 0,
) -> SparseAveraging:
    """One attention unit that averages over q rows out of N, each row its own (Sanford, Hsu and Telgarsky 2023).

    Row i has the key u_i of m' random signs over sqrt(m'), and the query alpha w for the dual vector w of the rows it
    names: <u_j, w> is 1 for these and at most 1/2 for all others. So named rows are ahead of the rest by alpha / 2,
    with alpha = ceiling(2 ln(4 N / error)), and softmax averages them.

    Args:
        length, most: N and q.
        error: how far from the average a row may be in the 2-norm; 1/(2 q) if None.
        dimension: m'; 3 q ceiling(log2 N) if None (the source has "of order q log N"). A dual vector that does not
            exist is refused when its subset comes up.
        precision: of all numbers; a number of bits is split into a sign, what alpha needs, and the rest after the
            point. None chooses log2 of m' / error (of sqrt(d') / error, if that is more), and 5 bits more: products
            with a query are then off by error / 64 at most.
        value_width: d'.
        seed: of the signs.

    >>> average = sparse_averaging_unit(16, 2)
    >>> average.width, average.sharpness, average.precision.bits
    (49, 12, 17)
    >>> max(average.worst_errors([(1, 2), (3, 16)])) < average.error
    True
    """
    length = require_integer("length", length, low=2)
    most = require_integer("most", most, low=1, high=length)
    accuracy = Fraction(1, 2 * most) if error is None else positive_rational("error", error)
    if accuracy >= 1:
        raise InputError("error", error, "a number between 0 and 1")
    digits = (length - 1).bit_length()
    size = 3 * most * digits if dimension is None else require_integer("dimension", dimension, low=1)
    value_width = require_integer("value_width", value_width, low=1)
    sharpness = least_integer_above(lambda: natural_logarithm(4 * length / accuracy) * 2)
    integer = (sharpness + 1).bit_length()
    if precision is None:
        steps = max(size, 1 + math.isqrt(value_width - 1)) / accuracy
        precision = 1 + integer + 5 + (math.ceil(steps) - 1).bit_length()
    if not isinstance(precision, Precision):
        bits = require_integer("precision", precision, low=integer + 2, high=60)
        precision = Precision.fixed_point(integer, bits - 1 - integer)
    precision.require(np.array([precision.scale]), "precision")  # the number 1
    duals = DualVectors(SignVectors(length, size, seed))
    return SparseAveraging(length, most, accuracy, duals, sharpness, precision, value_width)


@dataclass(frozen=True, eq=False)
class Decoder(Stream):
    """Uniform attention over N positions in steps of 1/N, and layers on whole numbers that decide."""

    length: int
    layers: list[Layer]

    @classmethod
    def of(cls, length: int, most: int) -> Decoder:
        slots = Slots(embedded=length, fetched=length)
        made = cls(Precision(length, -length * most, length * most), slots, length, [])
        every = np.eye(length, dtype=np.int64)
        made.add(np.vstack([0 * every, -every]), np.full(length, -(length - 1) * most))
        return made

    def add(self, weights: Array, bias: Sequence[int] | Array, activation: str = "relu") -> None:
        """Exact integer weights * input + bias; a bias counts steps."""
        self.layers.append((np.asarray(weights) * self.precision.scale, np.asarray(bias), activation))

    def reader(self, name: str, alphabet: Sequence[Hashable], last: Array, one_if: str) -> OneLayerTransformer:
        """The answer depends on whether none or some of the last units is on (coordinate 1 holds -N K at the end)."""
        width, low, scale = self.slots.width, self.precision.low, self.precision.scale
        self.add(np.pad(last[:, None], ((0, 0), (0, width - 1))), np.zeros(width, np.int64), "identity")
        codes = np.arange(len(alphabet))[:, None] * np.ones(self.length, dtype=np.int64)
        counted = np.zeros((width, 2), dtype=np.int64)
        counted[0, 0 if one_if == "none" else 1] = scale
        # The count against 1 if none is to be answered by 1, else 0 against the count; the first wins a tie.
        bias = np.array([-low, 1]) if one_if == "none" else np.array([0, -low])
        positions = low * (1 - np.eye(self.length, dtype=np.int64))
        return self.transformer(
            OneLayerTransformer,
            name,
            alphabet,
            (0, 1),
            np.hstack([-codes * scale, 0 * codes]),
            np.hstack([positions, 0 * positions]),
            self.block(self.average("embedded", "fetched"), layers=self.layers),
            read_out=self.affine(counted, bias),
        )


def equality_by_uniform_attention(length: int) -> OneLayerTransformer:
    """A transformer for ``equality_of_halves(length)``: adds up the relu units of a_j - b_j and b_j - a_j.

    >>> model = equality_by_uniform_attention(6)
    >>> model("011011"), model("011010"), model.width, model.precision.bits
    (1, 0, 12, 4)
    """
    half, layers = _half(length), Decoder.of(length, most=1)
    difference = np.vstack([np.eye(half, dtype=np.int64), -np.eye(half, dtype=np.int64)])
    layers.add(np.hstack([difference, -difference]), np.zeros(length, dtype=np.int64))
    units = np.ones(length, dtype=np.int64)
    return layers.reader(f"equality by uniform attention({length})", "01", units, one_if="none")


def disjointness_by_uniform_attention(length: int) -> OneLayerTransformer:
    """A transformer for ``disjointness_of_halves(length)``: adds up the relu units of a_j + b_j - 1.

    >>> model = disjointness_by_uniform_attention(6)
    >>> model("011100"), model("011010")
    (1, 0)
    """
    half, layers = _half(length), Decoder.of(length, most=1)
    layers.add(np.vstack([np.eye(half, dtype=np.int64)] * 2), np.full(half, -1))
    units = np.ones(half, dtype=np.int64)
    return layers.reader(f"disjointness by uniform attention({length})", "01", units, one_if="none")


def dyck_by_uniform_attention(length: int, brackets: int = 2, depth: int = 2) -> OneLayerTransformer:
    """A transformer for ``dyck(length, brackets, depth)``: each layer is a step of the automaton of the stacks.

    >>> model = dyck_by_uniform_attention(4)
    >>> model("[()]"), model("[(])"), model.width, model.precision.bits, len(model.tokenwise.layers)
    (1, 0, 8, 5, 8)
    """
    length, symbols = require_integer("length", length, low=2), bracket_symbols(brackets)
    table = dyck_automaton(brackets, require_integer("depth", depth, low=1)).table[:-1]  # without that of failed words
    transitions = {place: int(after) for place, after in np.ndenumerate(table) if after < len(table)}
    # Weights of 2 have to fit.
    layers = Decoder.of(length, most=max(2, len(symbols) - 1))
    last = _automaton(layers, transitions, length, len(symbols), accepting=0)
    name = f"Dyck by uniform attention({length}, {brackets}, {depth})"
    return layers.reader(name, symbols, last, one_if="some")


def _half(length: int) -> int:
    length = require_integer("length", length, low=2)
    if length % 2:
        raise InputError("length", length, "an even number, for two halves")
    return length // 2


def _automaton(
    layers: Decoder, transitions: dict[tuple[int, int], int], length: int, symbols: int, accepting: int
) -> Array:
    """Layers that run an automaton from state 0 on the codes of a word; which of the last units reach ``accepting``.

    Missing transitions fail. [code = s] is relu(code - s + 1) - 2 relu(code - s) + relu(code - s - 1). A unit of layer
    i is on if the word takes its transition at step i (in this state, and this symbol comes); later symbols are carried
    along.
    """
    offsets = np.arange(-1, symbols + 1)
    layers.add(np.kron(np.eye(length, dtype=np.int64), np.ones((1, len(offsets)), np.int64)), np.tile(-offsets, length))
    bump = np.zeros((len(offsets), symbols), dtype=np.int64)
    for symbol in range(symbols):
        bump[symbol : symbol + 3, symbol] = (1, -2, 1)
    layers.add(np.kron(np.eye(length, dtype=np.int64), bump), np.zeros(length * symbols, dtype=np.int64))
    taken: list[tuple[int, int]] = []  # the transitions whose units come first in the layer
    for step in range(length):
        live = [key for key in sorted(transitions) if step or key[0] == 0]
        rest = symbols * (length - step)
        weights = np.zeros((len(taken) + rest, len(live) + rest - symbols), dtype=np.int64)
        bias = np.zeros(len(live) + rest - symbols, dtype=np.int64)
        for unit, (state, symbol) in enumerate(live):
            weights[: len(taken), unit] = [transitions[key] == state for key in taken]
            weights[len(taken) + symbol, unit] = 1
            bias[unit] = -1 if step else 0
        weights[len(taken) + symbols :, len(live) :] = np.eye(rest - symbols, dtype=np.int64)
        layers.add(weights, bias)
        taken = live
    return np.array([int(transitions[key] == accepting) for key in taken])
