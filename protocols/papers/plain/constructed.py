"""Second computations for the constructed transformers: nothing here calls the arithmetic or the models of ``ccsim``.

Exponentials and logarithms are intervals (Arb), everything else is integers: signs from the documented hash, written a
second time; the least dimension of nearly orthogonal vectors, by adding one sign after the other; softmax rows and
whole forward passes on mantissas, rounded down as in appendix B.2 of Bhattamishra, Hahn, Blunsom and Kanade 2024.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from protocols.papers.plain.intervals import exponential_down, interval, whole_part, within

__all__ = [
    "binary_logarithm",
    "first_zero",
    "forward_outputs",
    "hard_steps",
    "interval",
    "largest_products",
    "least_signs",
    "natural_logarithm",
    "only_fraction",
    "signs",
    "softmax_rows",
    "softmax_weights",
    "whole_part",
    "within",
]

Array = npt.NDArray[Any]

WORD = (1 << 64) - 1


def only_fraction(compute: Any) -> Fraction:
    """The fraction with a denominator of at most 1000 that is the value of a function, to 10^-100."""
    nearby = int(within(lambda: whole_part(compute() * 10**9 + interval(Fraction(1, 2)))))
    found = Fraction(nearby, 10**9).limit_denominator(1000)
    if not within(lambda: abs(compute() - interval(found)) < 1e-100):
        raise ArithmeticError(f"{nearby} / 10^9 is near to no such fraction")
    return found


def natural_logarithm(number: Fraction | int) -> Any:
    """ln of a rational number, as an interval; to be called under :func:`within`."""
    return interval(number).log()


def binary_logarithm(number: int) -> int:
    """ceiling(log2) of a number of at least 1."""
    digits = 0
    while 2**digits < number:
        digits += 1
    return digits


def first_zero(scale: int) -> int:
    """The least n with scale * exp(-n / scale) below 1: the first whole number above scale * ln(scale)."""
    if scale == 1:
        return 1
    return int(within(lambda: whole_part(natural_logarithm(scale) * scale))) + 1


def hard_steps(scale: int, dimension: int, largest: int, ahead: int | None = None) -> int:
    """The least strength E with E - floor(E G / k) at least :func:`first_zero`, or what is given, by counting up."""
    strength = need = first_zero(scale) if ahead is None else ahead
    while strength - strength * max(largest, 0) // dimension < need:
        strength += max(1, need - (strength - strength * max(largest, 0) // dimension))
    while strength > 1 and (strength - 1) - (strength - 1) * max(largest, 0) // dimension >= need:
        strength -= 1
    return strength


def signs(count: int, dimension: int, seed: int = 0) -> Array:
    """The signs of vectors 1..count, from the hash that ``protocols.constructions.vectors`` documents."""
    blocks = (dimension + 63) // 64
    rows = np.empty((count, 64 * blocks), dtype=np.int16)
    for vector in range(1, count + 1):
        for block in range(blocks):
            bits = _hash(seed, vector, block)
            rows[vector - 1, 64 * block : 64 * block + 64] = [1 if bits >> place & 1 else -1 for place in range(64)]
    return rows[:, :dimension]


@cache
def _hash(seed: int, vector: int, block: int) -> int:
    number = (0x9E3779B97F4A7C15 * seed + 0xBF58476D1CE4E5B9 * vector + 0x94D049BB133111EB * block) % 2**64
    for _ in range(2):
        number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        number = (number ^ (number >> 27)) * 0x94D049BB133111EB % 2**64
        number = number ^ (number >> 31)
    return number


def largest_products(rows: Array) -> tuple[int, int]:
    """The least and the largest product of two different rows: whole numbers below 2^53, so exact in float64."""
    products = rows.astype(np.float64) @ rows.astype(np.float64).T
    apart = products[~np.eye(len(rows), dtype=bool)]
    return (int(apart.min()), int(apart.max())) if apart.size else (0, 0)


@cache
def least_signs(count: int, bound: Fraction, two_sided: bool = False) -> int:
    """The least k for which the first k signs of seed 0 keep all products within bound * k, by trying one by one."""
    width = 64
    while True:
        rows, apart = signs(count, width), np.triu(np.ones((count, count), dtype=bool), 1)
        products = np.zeros((count, count), dtype=np.int16)
        for dimension in range(1, width + 1):
            column = rows[:, dimension - 1]
            products += np.multiply.outer(column, column)
            inside = products[apart]
            largest = max(int(inside.max(initial=0)), -int(inside.min(initial=0)) if two_sided else 0)
            if largest * bound.denominator <= dimension * bound.numerator:
                return dimension
        width += 64


def softmax_weights(logits: list[int], scale: int, to_nearest: bool = False) -> list[int]:
    """The weights of a row of logits: exponentials rounded, added up exactly, each share rounded."""
    most = max(logits)
    exponentials = [_exponential(logit - most, scale, to_nearest) for logit in logits]
    return [int(_divided(each * scale, sum(exponentials), to_nearest)) for each in exponentials]


def softmax_rows(logits: Array, seen: Array, scale: int, to_nearest: bool = False) -> Array:
    """The same for many rows, of which only the places ``seen`` get weight."""
    most = np.where(seen, logits, logits[seen].min()).max(axis=-1, keepdims=True)
    different, places = np.unique(np.where(seen, most - logits, 0), return_inverse=True)
    steps = np.array([_exponential(-int(below), scale, to_nearest) for below in different], dtype=object)
    exponentials = np.where(seen, steps[places.reshape(logits.shape)], 0)
    return np.asarray(_divided(exponentials * scale, exponentials.sum(axis=-1, keepdims=True), to_nearest))


def _divided(number: Any, by: Any, to_nearest: bool) -> Any:
    """number / by as a whole number: the floor, or the nearest one, from a half on the one above."""
    return (2 * number + by) // (2 * by) if to_nearest else number // by


def _exponential(difference: int, scale: int, to_nearest: bool) -> int:
    """The steps of 1/scale in exp(difference / scale), rounded down, or to the nearest: in half steps, rounded down."""
    return (exponential_down(2 * difference, 2 * scale) + 1) // 2 if to_nearest else exponential_down(difference, scale)


class _Numbers(NamedTuple):
    """Numbers from low to high, in steps of 1/scale, and how results become such numbers."""

    scale: int
    low: int
    high: int
    to_nearest: bool


def forward_outputs(model: Any, words: Array, to_nearest: bool = False) -> Array:
    """The read-out at every position (words, N, answers) of a one-layer or deep transformer, from its arrays alone.

    For models with residuals, affine maps, relu units, and neither norms nor declared functions. Every result is
    rounded down, or all of them to the nearest number.
    """
    precision, words = model.precision, np.asarray(words, dtype=np.int64)
    low, high = precision.low, precision.high
    numbers = _Numbers(precision.scale, low, high, to_nearest)
    given = model.position_embedding
    positions = given(words.shape[1]) if callable(given) else given
    stream = np.clip(np.asarray(model.token_embedding)[words] + positions, low, high).astype(object)
    for block in model.all_blocks:
        if block.norms.all or not block.residual:
            raise ValueError("norms, or a block without residuals")
        heads = [_head(unit, stream, model.causal, numbers) for unit in block.attention.units]
        added = _affine(block.attention.output, np.concatenate(heads, axis=-1), numbers)
        stream = np.clip(stream + added, low, high)
        inner = stream
        for layer in block.tokenwise.layers if block.tokenwise else ():
            inner = _affine(layer.affine, inner, numbers)
            inner = {"relu": np.maximum(inner, 0), "identity": inner}[layer.activation]
        stream = np.clip(stream + inner, low, high) if block.tokenwise else stream
    return _affine(model.read_out, stream, numbers)


def _affine(part: Any, rows: Array, numbers: _Numbers) -> Array:
    """x W, rounded, and b, saturated, one product of a row and a column after the other."""
    weights, bias = np.asarray(part.weights).astype(object), np.asarray(part.bias).astype(object)
    products = _divided(np.dot(rows, weights), numbers.scale, numbers.to_nearest)
    return np.asarray(np.clip(products + bias, numbers.low, numbers.high))


def _head(unit: Any, stream: Array, causal: bool, numbers: _Numbers) -> Array:
    scale, low, high, to_nearest = numbers
    queries, keys, values = (_affine(part, stream, numbers) for part in (unit.query, unit.key, unit.value))
    factor = Fraction(unit.logit_scale)
    outputs = np.zeros_like(values)
    for word in range(len(stream)):
        products = np.dot(queries[word], keys[word].T) * factor.numerator
        logits = np.clip(_divided(products, scale * factor.denominator, to_nearest), low, high)
        for position in range(stream.shape[1]):
            seen = position + 1 if causal else stream.shape[1]
            weights = softmax_weights([int(logit) for logit in logits[position, :seen]], scale, to_nearest)
            sums = np.dot(np.array(weights, dtype=object), values[word, :seen])
            outputs[word, position] = _divided(sums, scale, to_nearest)
    return np.clip(outputs, low, high)
