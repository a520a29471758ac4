"""Language models by hard attention, in exact integer and rational arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from ccsim.arithmetic import exact_matmul, narrow
from ccsim.errors import Array, InputError, require_integer, require_symbols
from ccsim.problems.inputs import sample

__all__ = ["CappedProduct", "HardAttentionLanguageModel", "HardAttentionLayer", "PositionalHead", "RootCosine", "Score"]


class Score(Protocol):
    def order(self, query: Array, first: Array, second: Array) -> Array:
        """The sign (-1, 0, 1) of score(query, first) - score(query, second); axes before the last one broadcast."""


@dataclass(frozen=True)
class RootCosine:
    """The inner product of unit vectors (sqrt(a / (a + b)), sqrt(b / (a + b))), a, b >= 0; compared by squaring."""

    def order(self, query: Array, first: Array, second: Array) -> Array:
        """The sign of sqrt(q1 f1 |s|) + sqrt(q2 f2 |s|) - sqrt(q1 s1 |f|) - sqrt(q2 s2 |f|), with |k| = k1 + k2."""
        query, first, second = (np.asarray(part).astype(object) for part in (query, first, second))
        left = query * first * second.sum(axis=-1, keepdims=True)
        right = query * second * first.sum(axis=-1, keepdims=True)
        # Both sides squared: a + sqrt(b) against sqrt(c).
        whole = left.sum(axis=-1) - right.sum(axis=-1)
        return _sign_of_roots(whole, 4 * left.prod(axis=-1), 4 * right.prod(axis=-1))


def _sign_of_roots(whole: Array, plus: Array, minus: Array) -> Array:
    """The sign of a + sqrt(b) - sqrt(c) for integers a and b, c >= 0."""
    one, other = _sign(whole), _sign(plus - minus)
    rest = whole * whole - plus - minus  # |a| > |sqrt b - sqrt c| where rest + 2 sqrt(b c) > 0
    product = 4 * plus * minus
    stronger = np.where(_sign(rest) >= 0, np.maximum(_sign(rest), _sign(product)), _sign(product - rest * rest))
    opposed = np.where(stronger > 0, one, np.where(stronger < 0, other, 0))
    return np.where(one * other < 0, opposed, np.sign(one + other))


def _sign(values: Array) -> Array:
    return np.asarray(np.asarray(values > 0).astype(np.int64) - np.asarray(values < 0).astype(np.int64))


@dataclass(frozen=True)
class CappedProduct:
    """min(<query, key>, 0) for integer vectors: every product of 0 or more is as good as the next."""

    def order(self, query: Array, first: Array, second: Array) -> Array:
        query, first, second = (np.asarray(part).astype(object) for part in (query, first, second))
        products = [np.minimum((query * key).sum(axis=-1), 0) for key in (first, second)]
        return _sign(products[0] - products[1])


def product(rows: Array, matrix: Array) -> Array:
    """rows (..., a) times an integer matrix (a, b), exact: int64, or an object array of integers or Fractions."""
    if rows.dtype != object:
        return exact_matmul(rows, matrix)
    result = np.zeros((*rows.shape[:-1], matrix.shape[1]), dtype=object)
    for row, column in zip(*np.nonzero(matrix), strict=True):
        weight = int(matrix[row, column])
        result[..., column] += rows[..., row] if weight == 1 else weight * rows[..., row]
    return result


@dataclass(frozen=True, eq=False)
class PositionalHead:
    """Hard attention of position t to 1..t: averages of values, where scores of encoded positions are largest."""

    query: Array
    key: Array
    value: Array
    score: Score

    def chosen(self, encoding: Array) -> Array:
        """For each position (row) those that it averages, bool of shape (T, T), from the encodings (T, numbers)."""
        queries, keys = product(encoding, self.query), product(encoding, self.key)
        positions = np.arange(len(encoding))
        chosen = np.zeros((len(encoding), len(encoding)), dtype=bool)
        chosen[:, 0] = True
        best = np.zeros(len(encoding), dtype=np.int64)
        for place in range(1, len(encoding)):
            order = self.score.order(queries[place:], keys[place], keys[best[place:]])
            better = positions[place:][order > 0]
            chosen[better] = False
            chosen[place:, place] = order >= 0
            best[better] = place
        return chosen

    def attend(self, content: Array, chosen: Array) -> Array:
        values, counts = product(content, self.value), chosen.sum(axis=1)
        if (counts == 1).all():
            return np.asarray(values[:, chosen.argmax(axis=1)])
        averages = np.empty(values.shape, dtype=object)
        for position, row in enumerate(chosen):
            total = values[:, row].astype(object).sum(axis=1)
            averages[:, position] = total * Fraction(1, int(counts[position]))
        return averages


@dataclass(frozen=True, eq=False)
class HardAttentionLayer:
    """Heads whose averages are added up, and added to the content (``residual``) or put in its place."""

    heads: tuple[PositionalHead, ...]
    residual: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "heads", tuple(self.heads))
        if not self.heads:
            raise InputError("heads", self.heads, "one or more heads")

    def chosen(self, encoding: Array) -> list[Array]:
        return [head.chosen(encoding) for head in self.heads]

    def __call__(self, content: Array, chosen: list[Array]) -> Array:
        averages = [head.attend(content, places) for head, places in zip(self.heads, chosen, strict=True)]
        total = sum(averages[1:], start=averages[0])
        return content + total if self.residual else total


Layer = tuple[Array, Array]
BLOCK_NUMBERS = 1 << 22  # how many units of the token-wise part are held at once


@dataclass(frozen=True, eq=False)
class HardAttentionLanguageModel:
    """A distribution over all strings, p(y) = p(end | y) times the product of p(y_t | y_1 .. y_(t-1)).

    Content (the symbol at a position) goes through the layers; layers of relu units make whole numbers of the content
    at the last position, and the output matrix makes one weight for each next symbol and the end. A probability is the
    weight over the sum of all: softmax of the weights' logarithms.

    Attributes:
        name, symbols: what it is called, and the symbols of the strings.
        padding: how many beginning marks come before a string, 1 or more.
        embedding: integers, shape (1 + symbols, content width); the first row is the beginning mark's.
        encoding: from positions (T,) to the integers (T, numbers) that queries and keys are made of.
        layers: hard attention, one or more.
        tokenwise: layers x -> relu(x W + b) of integers, one or more.
        output: integers of 0 or more, shape (units of the last layer, symbols + 1); the last column is the end's.
        amplitude: a factor of the content at each position, or None for 1.
        total: the content is scaled to this sum before the token-wise part, or not at all if it is None.
    """

    name: str
    symbols: tuple[Hashable, ...]
    padding: int
    embedding: Array = field(repr=False)
    encoding: Callable[[Array], Array] = field(repr=False)
    layers: tuple[HardAttentionLayer, ...] = field(repr=False)
    tokenwise: tuple[Layer, ...] = field(repr=False)
    output: Array = field(repr=False)
    amplitude: Callable[[int], Fraction] | None = field(default=None, repr=False)
    total: int | None = field(default=None, repr=False)
    _chosen: dict[str, Any] = field(init=False, default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "symbols", require_symbols("symbols", self.symbols))
        require_integer("padding", self.padding, low=1)
        if not self.layers or not self.tokenwise:
            raise InputError("layers", self.layers, "one or more layers of attention and of units")
        if len(self.embedding) != 1 + len(self.symbols):
            raise InputError("embedding", self.embedding.shape, f"{1 + len(self.symbols)} rows")
        if self.output.shape != (len(self.tokenwise[-1][1]), 1 + len(self.symbols)) or int(self.output.min()) < 0:
            raise InputError("output", self.output.shape, "a weight of 0 or more for each unit and next symbol")

    @property
    def heads(self) -> int:
        """How many heads the layer with the most of them has."""
        return max(len(layer.heads) for layer in self.layers)

    @property
    def width(self) -> int:
        """How many numbers a position holds: content and encoding."""
        return int(self.embedding.shape[1] + self.encoding(np.array([1])).shape[1])

    @property
    def parameters(self) -> int:
        """How many numbers describe the model, without the encoding of positions."""
        heads = [
            part.size for layer in self.layers for head in layer.heads for part in (head.query, head.key, head.value)
        ]
        units = [part.size for layer in self.tokenwise for part in layer]
        return int(self.embedding.size + sum(heads) + sum(units) + self.output.size)

    def ranks(self, string: Sequence[Hashable]) -> Array:
        """The ranks of a string's symbols, shape (length,)."""
        rank = {symbol: place for place, symbol in enumerate(self.symbols)}
        for symbol in string:
            if symbol not in rank:
                raise InputError("string", string, f"symbols among {sample(self.symbols)}, not {symbol!r}")
        return np.array([rank[symbol] for symbol in string], dtype=np.int64)

    def next_weights(self, words: Array) -> Array:
        """The weights of each next symbol and the end after every prefix, the empty one first.

        ``words`` are ranks, shape (batch, length); the result is (batch, length + 1, symbols + 1).
        """
        words = np.asarray(words)
        marked = np.pad(words + 1, ((0, 0), (self.padding, 0)))
        rows = self._content(marked)[:, self.padding - 1 :]
        shape = rows.shape[:2]
        rows = rows.reshape(-1, rows.shape[-1])
        if self.total is not None:
            rows = rows * (Fraction(self.total) / rows.sum(axis=-1))[:, None]
        rows = _whole(rows)
        size = max(1, BLOCK_NUMBERS // max(len(bias) for _, bias in self.tokenwise))
        weights = np.concatenate([self._weights(rows[start : start + size]) for start in range(0, len(rows), size)])
        if not weights.any(axis=-1).all():
            raise InputError("output", self.name, "some positive weight after every prefix")
        return weights.reshape(*shape, -1)

    def next_symbol(self, string: Sequence[Hashable]) -> tuple[Fraction, ...]:
        """The probabilities of each next symbol, and of the end, after this string."""
        weights = self.next_weights(self.ranks(string)[None])[0, -1]
        return tuple(Fraction(int(weight), int(weights.sum())) for weight in weights)

    def probabilities(self, words: Array) -> list[Fraction]:
        """The probability of each string, of ranks (batch, length)."""
        words = np.asarray(words)
        weights = self.next_weights(words).astype(object)
        ended = np.pad(words, ((0, 0), (0, 1)), constant_values=len(self.symbols))
        taken = np.take_along_axis(weights, ended[..., None], axis=-1)[..., 0].prod(axis=-1)
        return [Fraction(*pair) for pair in zip(taken, weights.sum(axis=-1).prod(axis=-1), strict=True)]

    def probability(self, string: Sequence[Hashable]) -> Fraction:
        """The probability of one string."""
        return self.probabilities(self.ranks(string)[None])[0]

    def _content(self, marked: Array) -> Array:
        content = self.embedding[marked]
        if self.amplitude is not None:
            factors = [self.amplitude(position) for position in range(1, marked.shape[1] + 1)]
            content = content * np.array(factors, dtype=object)[:, None]
        for layer, chosen in zip(self.layers, self.attended(marked.shape[1]), strict=True):
            content = layer(content, chosen)
        return content

    def attended(self, length: int) -> list[list[Array]]:
        """For each layer and head, which positions each of the first ``length`` averages, bool (length, length)."""
        if len(self._chosen.get("encoding", ())) < length:
            encoding = self.encoding(np.arange(1, length + 1))
            self._chosen.update(encoding=encoding, layers=[layer.chosen(encoding) for layer in self.layers])
        return [[chosen[:length, :length] for chosen in layer] for layer in self._chosen["layers"]]

    def _weights(self, rows: Array) -> Array:
        for weights, bias in self.tokenwise:
            rows = np.maximum(product(rows, weights) + bias, 0)
        return product(rows, self.output)


def _whole(rows: Array) -> Array:
    if rows.dtype != object:
        return rows
    if any(Fraction(number).denominator != 1 for number in rows.flat):
        raise InputError("content", rows, "whole numbers for the token-wise part")
    return narrow(np.vectorize(int, otypes=[object])(rows))
