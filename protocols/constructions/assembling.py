"""Building blocks of constructions: slots of the residual stream, heads and blocks, logits, sizes, least precisions.

A query is E times the address that it looks for, a key is an address, and logits are divided by the k signs of one. In
steps of 1 / s the wanted position has the logit E and others at most floor(E G / k), for the largest product G. If they
are z apart, the least number of steps with floor(s exp(-z / s)) = 0, the weight is exactly 1. Bhattamishra, Hahn,
Blunsom and Kanade 2024, F.2, round weights near 1 up to 1, although B.2 rounds down: then only this gives 1.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeVar, cast

import numpy as np

from ccsim.arithmetic import Precision, as_precision, exponential
from ccsim.errors import Array, InputError
from ccsim.models import Affine, AttentionUnit, Dense, MultiHeadAttention, SequenceModel, Tokenwise, Transformer
from ccsim.models.affine import RowMap
from ccsim.models.attention import positive_rational
from ccsim.models.block import Block
from protocols.constructions.addresses import Addresses, smallest_sign_vectors

ATTRIBUTE = "construction_size"
START = "[BOS]"

Model = TypeVar("Model")
Place = str | slice
"""A part of the stream, by name or as a slice."""
Layer = tuple[Array, Array, str]
"""The weights, the bias and the activation of a dense layer, as mantissas."""


class Slots:
    def __init__(self, **sizes: int) -> None:
        stops = np.cumsum([0, *sizes.values()]).tolist()
        self._places = {name: slice(*part) for name, part in zip(sizes, pairwise(stops), strict=True)}
        self.width: int = stops[-1]

    def __getitem__(self, part: Place) -> slice:
        return part if isinstance(part, slice) else self._places[part]

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def size(self, part: Place) -> int:
        return len(range(self.width)[self[part]])


@dataclass(frozen=True, eq=False)
class Stream:
    """The stream of a model under construction; parts are slots by name, or slices, and numbers saturate."""

    precision: Precision
    slots: Slots

    @property
    def one(self) -> int:
        return min(self.precision.scale, self.precision.high)

    def numbers(self, rows: int, **parts: object) -> Array:
        table = np.zeros((rows, self.slots.width), dtype=np.int64)
        for name, part in parts.items():
            values = np.asarray(part)
            table[: len(values) if values.ndim == 2 else rows, self.slots[name]] = values
        return table

    def whole(self, numbers: object) -> Array:
        return self.precision.saturate(np.asarray(numbers) * self.precision.scale)

    def embedding(self, rows: int, **parts: object) -> Array:
        return self.whole(self.numbers(rows, **parts))

    def affine(self, weights: Array, bias: Array | None = None) -> Affine:
        given = np.zeros(weights.shape[1], dtype=np.int64) if bias is None else np.asarray(bias)
        return Affine(self.precision, self.precision.saturate(weights), self.precision.saturate(given))

    def read_out(self, answers: int, bias: Array | None = None, **parts: object) -> Affine:
        return self.affine(self.embedding(answers, **parts).T, bias)

    def _columns(self, parts: Iterable[tuple[Place, int]]) -> Array:
        every = np.eye(self.slots.width, dtype=np.int64)
        columns = [mantissa * every[:, self.slots[part]] for part, mantissa in parts]
        return np.hstack(columns) if columns else np.zeros((self.slots.width, 1), dtype=np.int64)

    def head(
        self, parts: Sequence[tuple[Place, Place, int]], value: str, into: Place, logit_scale: Fraction
    ) -> tuple[AttentionUnit, slice]:
        """A head, and where it writes: parts of query and key with their factors; uniform attention without parts."""
        query = self._columns([(asked, mantissa) for asked, _, mantissa in parts])
        key = self._columns([(own, self.one) for _, own, _ in parts])
        asks, offers, gives = map(self.affine, (query, key, self._columns([(value, self.one)])))
        return AttentionUnit(self.precision, asks, offers, gives, logit_scale=logit_scale), self.slots[into]

    def fetch(self, asked: str, value: str, into: Place, strength: int) -> tuple[AttentionUnit, slice]:
        return self.head([(asked, "own", strength)], value, into, Fraction(1, self.slots.size("own")))

    def average(self, value: str, into: str) -> tuple[AttentionUnit, slice]:
        return self.head([], value, into, Fraction(1))

    def units(
        self, inputs: Mapping[str, object], bias: object, outputs: Mapping[str, object], **added: int
    ) -> list[Layer]:
        """Relu units with whole weights (numbers, units), what they add to parts, and mantissas that are added."""
        given = np.asarray(bias)
        first: Array = np.zeros((self.slots.width, len(given)), dtype=np.int64)
        last: Array = np.zeros((len(given), self.slots.width), dtype=np.int64)
        rest = np.zeros(self.slots.width, dtype=np.int64)
        for part, weights in inputs.items():
            first[self.slots[part]] = self.one * np.asarray(weights)
        for part, weights in outputs.items():
            last[:, self.slots[part]] = self.one * np.asarray(weights)
        for part, mantissa in added.items():
            rest[self.slots[part]] = mantissa
        return [(first, given, "relu"), (last, rest, "identity")]

    def block(self, *heads: tuple[AttentionUnit, slice], layers: Sequence[Layer] = ()) -> Block:
        output = self._columns([(place, self.one) for _, place in heads]).T
        attention = MultiHeadAttention(tuple(unit for unit, _ in heads), self.affine(output))
        dense = tuple(Dense(self.affine(weights, bias), activation) for weights, bias, activation in layers)
        return Block(attention, Tokenwise(self.precision, self.slots.width, dense) if dense else None)

    def transformer(
        self,
        kind: type[Model],
        name: str,
        alphabet: Sequence[Hashable],
        answers: Sequence[Hashable],
        tokens: Array,
        positions: Array | Callable[[int], Array],
        *blocks: Block,
        read_out: Affine,
        causal: bool = True,
    ) -> Model:
        shared: dict[str, Any] = {
            "name": name,
            "alphabet": tuple(alphabet),
            "answers": tuple(answers),
            "token_embedding": tokens,
            "position_embedding": positions,
            "read_out": read_out,
            "causal": causal,
            "blocks": blocks,
        }
        return kind(**shared)


def cut(precision: Precision, width: int, start: int, count: int) -> Affine:
    weights: Array = np.zeros((width, count), dtype=np.int64)
    weights[start : start + count] = np.eye(count, dtype=np.int64) * precision.scale
    return Affine(precision, weights, np.zeros(count, dtype=np.int64))


def cut_unit(
    precision: Precision, vectors: RowMap, keys: int, values: int, logit_scale: Fraction | int = 1
) -> AttentionUnit:
    """A unit whose ``vectors`` of raw rows are a query and a key of ``keys`` numbers, then ``values`` numbers."""
    places = (0, keys), (keys, keys), (2 * keys, values)
    maps = [cut(precision, 2 * keys + values, *place) for place in places]
    return AttentionUnit(precision, maps[0], maps[1], maps[2], input_map=vectors, logit_scale=Fraction(logit_scale))


@dataclass(frozen=True)
class ConstructionSize:
    """The measured size of a model that was built weight by weight, and the growth that its source claims.

    Attributes:
        width, heads, layers: numbers in the stream at each position, the most heads in a layer, attention layers.
        precision: bits of a number.
        stored_bits: every parameter times the precision, the embeddings of all symbols and positions written out.
        representation_bits: the same without embeddings that are made on demand from a rule; the rule's seed counts.
        claimed_width, claimed_precision, claimed_bits: the claimed growth of the width, the precision and the
            representation, up to a constant, as sympy expressions in N.
        source: paper and theorem.
    """

    width: int
    heads: int
    layers: int
    precision: int
    stored_bits: int
    representation_bits: int
    claimed_width: str
    claimed_precision: str
    claimed_bits: str
    source: str


def sized(
    model: Model,
    precision: int,
    parameters: int,
    *,
    width: int,
    heads: int = 1,
    layers: int = 1,
    generated: int = 0,
    given: int = 0,
    seed_bits: int = 0,
    claimed: tuple[str, str, str] = ("log(N)", "log(N)", "log(N)**3"),
    source: str,
) -> Model:
    """The model with a size; a rule of ``seed_bits`` makes ``generated`` parameters, and ``given`` others."""
    stored, represented = (parameters + given) * precision, (parameters - generated) * precision + seed_bits
    size = ConstructionSize(width, heads, layers, precision, stored, represented, *claimed, source)
    object.__setattr__(model, ATTRIBUTE, size)
    return model


def measured(model: Model, **known: Any) -> Model:
    made: Any = model
    known = {"width": made.width, "heads": made.heads, "layers": made.layers, **known}
    return sized(model, made.precision.bits, made.parameters, **known)


def size_of(model: object) -> ConstructionSize:
    """The size of a model that a function of :mod:`protocols.constructions` has built.

    >>> from protocols.constructions import equality_transformer
    >>> size = size_of(equality_transformer(8))
    >>> size.layers, size.heads, size.claimed_width
    (2, 2, 'log(N)')
    """
    size = getattr(model, ATTRIBUTE, None)
    if not isinstance(size, ConstructionSize):
        raise InputError("model", model, "a model built by a function of protocols.constructions")
    return size


class AskingModel(SequenceModel):
    """A model whose answers are made by a transformer, with the transformer's attributes."""

    precision: Precision
    width: int
    layers: int
    heads: int
    parameters: int

    def __init__(self, transformer: Transformer) -> None:
        self.transformer = transformer
        for same in (*AskingModel.__annotations__, "name", "alphabet", "answers", "length"):
            setattr(self, same, getattr(transformer, same))


class StartedTransformer(AskingModel):
    """A transformer that reads [BOS], its last symbol, and then the word; its parameters include those of [BOS]."""

    def __init__(self, transformer: Transformer) -> None:
        super().__init__(transformer)
        if self.alphabet[-1] != START:
            raise InputError("transformer", self.alphabet, f"one whose last symbol is {START}")
        self.alphabet, self.length = self.alphabet[:-1], None if self.length is None else self.length - 1

    def codes(self, words: Array) -> Array:
        """The answer codes (...), int64, of words (..., N)."""
        words = np.asarray(words)
        if words.ndim and words.size and int(words.max()) >= len(self.alphabet):
            raise InputError("words", int(words.max()), f"ranks from 0 to {len(self.alphabet) - 1}")
        start = np.full((*words.shape[:-1], 1), len(self.alphabet), dtype=np.int64)
        return self.transformer.codes(np.concatenate([start, words], axis=-1))


def reach(precision: Precision) -> int:
    """z: how many steps below the maximum an exponential is 0."""
    return exponential(precision).first_zero


def hard_strength(precision: Precision, addresses: Addresses, ahead: int | None = None) -> int:
    """The least mantissa E with E - floor(E G / k) >= z (or ``ahead``), even one that the precision does not hold."""
    dimension, largest = addresses.dimension, max(addresses.largest_product, 0)
    return ((reach(precision) if ahead is None else ahead) - 1) * dimension // (dimension - largest) + 1


def fetching(
    precision: int | Precision | None,
    positions: int,
    addresses: Addresses | None,
    strength: Fraction | int | None,
    largest: Callable[[Precision], int] = lambda rough: 0,
) -> tuple[Precision, Addresses, int]:
    """What positions that fetch by address need: the format, the addresses, and the mantissa of the strength.

    Unless given: steps of 1/s, s a power of two not below the positions, and the range that the queries and ``largest``
    (a mantissa) need; the smallest sign vectors; and the least strength that is hard. A strength is rounded down.
    """
    known, given = require_addresses(addresses, positions), require_strength(strength)

    def steps(precision: Precision) -> int:
        return hard_strength(precision, known) if given is None else int(given * precision.scale // 1)

    if precision is None:
        bits = (positions - 1).bit_length()
        rough = Precision.fixed_point(1, bits)
        precision = least_format(bits, max(steps(rough), largest(rough)))
    precision = as_precision(precision)
    return precision, known, steps(precision)


def require_number(precision: Precision, mantissa: int, named: object = None) -> None:
    if not precision.low <= mantissa <= precision.high:
        number = Fraction(mantissa, precision.scale) if named is None else named
        raise InputError("precision", str(precision), f"one that holds {number}")


def require_steps(precision: Precision, positions: int) -> None:
    if precision.scale < positions:
        raise InputError("precision", str(precision), f"steps of at most 1/{positions}")


def require_strength(strength: object) -> Fraction | None:
    return None if strength is None else positive_rational("strength", strength)


def require_addresses(addresses: object, count: int, argument: str = "addresses") -> Addresses:
    if addresses is None:
        return smallest_sign_vectors(count)
    if not hasattr(addresses, "rows") or not hasattr(addresses, "largest_product"):
        raise InputError(argument, addresses, "vectors of signs, such as smallest_sign_vectors makes, or None")
    return cast(Addresses, addresses)


def require_hard(precision: Precision, addresses: Addresses, strength: int) -> None:
    """Refuse a strength with which the weight of the position asked for is not 1, decided in integers."""
    require_number(precision, strength, f"queries of {Fraction(strength, precision.scale)}")
    require_number(precision, precision.scale)
    gap = strength - strength * max(addresses.largest_product, 0) // addresses.dimension  # 0: without an address
    if gap < reach(precision):
        raise InputError("strength", strength, f"at least {hard_strength(precision, addresses)} steps")


def weight_of_target(precision: Precision, addresses: Addresses, strength: int, others: int) -> int:
    largest = max(addresses.largest_product, 0)  # 0 is the logit of a position without an address
    return weight_ahead(precision, strength - strength * largest // addresses.dimension, others)


def weight_ahead(precision: Precision, gap: int, others: int) -> int:
    exponent = int(exponential(precision)(np.array([-gap]))[0])
    return precision.scale**2 // (precision.scale + others * exponent)


def least_format(fraction_bits: int, largest: int, at_least: int = 1) -> Precision:
    integer_bits = max(at_least, (largest >> fraction_bits).bit_length())
    return Precision.fixed_point(integer_bits, fraction_bits)


def answer_codes(count: int) -> list[list[int]]:
    digits = max(1, (count - 1).bit_length())
    return [[2 * (place >> digit & 1) - 1 for digit in range(digits)] for place in range(count)]
