"""Index lookup as the source prints it: a weight above 3/4 and a threshold, for all words of up to N symbols.

Bhattamishra, Hahn, Blunsom and Kanade 2024, theorem 1 and appendix C.2: the embedding of a symbol is its binary code,
no address to ask for, and the address of its position; that of the token p is the address of p, and nothing else. With
eta above 2 ln(3N) attention gives position p more than 3/4, so that each digit of its code is at least 3/4 or at most
1/4 in the mean; relu units turn these into 1 and 0. Other positions do get weight here, unlike in
:func:`protocols.constructions.index_lookup_transformer`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction

import numpy as np

from ccsim.arguments import require_integer, require_symbols
from ccsim.arithmetic import IntArray, Precision, as_precision
from ccsim.errors import InputError
from ccsim.models import Transformer
from ccsim.problems import index_lookup
from protocols.constructions.addressing import (
    answer_codes,
    least_format,
    require_addresses,
    require_strength,
    weight_of_target,
)
from protocols.constructions.index_lookup import SOURCE, printed_index_strength
from protocols.constructions.size import ConstructionSize, with_size
from protocols.constructions.vectors import Addresses, smallest_sign_vectors
from protocols.constructions.weights import Slots, affine, block, head, whole

QUARTER = Fraction(1, 4)


def soft_index_lookup_transformer(
    length: int,
    alphabet: Iterable[Hashable] = "01",
    *,
    precision: int | Precision | None = None,
    addresses: Addresses | None = None,
    strength: Fraction | int | None = None,
) -> Transformer:
    """A transformer for :func:`ccsim.problems.index_lookup` of N symbols and of fewer, by the printed soft attention.

    Args:
        length: N, the most symbols before the token p.
        alphabet: the symbols, none of which is a number from 1 to N.
        precision: of everything; unless given, steps of 1/s with s >= 16 N^(3/2) a power of two, in which weights of
            others do not vanish as exp(-3 eta/4) is (3N)^(-3/2), and the range that it needs.
        addresses: N vectors of signs; unless given, the smallest sign vectors with products of at most a quarter.
        strength: eta; unless given, the first number of the precision above 2 ln(3N).

    Raises :class:`~ccsim.errors.InputError` if position p may get a weight of 3/4 or less, decided in integers.

    >>> model = soft_index_lookup_transformer(6, "abc")
    >>> model(("a", "b", "c", 2)), model(("a", "b", "c", "c", "b", "a", 4)), model.width, model.precision.bits
    ('b', 'c', 130, 13)
    """
    length = require_integer("length", length, low=1)
    symbols = require_symbols("alphabet", alphabet)
    if set(symbols) & set(range(1, length + 1)):
        raise InputError("alphabet", symbols, f"symbols that are not numbers from 1 to {length}")
    if addresses is None:
        addresses = smallest_sign_vectors(max(length, 2), QUARTER)
    addresses, eta = require_addresses(addresses, length), require_strength(strength)
    if precision is None:
        fraction_bits = -(-3 * (max(length, 2) - 1).bit_length() // 2) + 4
        eta = printed_index_strength(length, fraction_bits) if eta is None else eta
        precision = least_format(fraction_bits, _largest(1 << fraction_bits, eta, len(symbols)))
    precision = as_precision(precision)
    if precision.scale % 2:
        raise InputError("precision", str(precision), "one that has the number 1/2")
    if eta is None:
        eta = printed_index_strength(length, precision.scale.bit_length() - 1)
    steps = int(eta * precision.scale // 1)
    largest = _largest(precision.scale, eta, len(symbols))
    if largest > precision.high:
        raise InputError("precision", str(precision), f"one that holds {Fraction(largest, precision.scale)}")
    if 4 * weight_of_target(precision, addresses, steps, others=length) <= 3 * precision.scale:
        raise InputError("strength", eta, "one that gives a weight above 3/4")
    model = _build(length, symbols, precision, addresses, steps)
    made = length * model.width  # of the tokens that name positions, and as much of the positions themselves
    size = ConstructionSize.measured(model, generated=made, given=made, seed_bits=addresses.seed_bits, source=SOURCE)
    return with_size(model, size)


def _largest(scale: int, eta: Fraction, symbols: int) -> int:
    """The largest number, in steps: a query, the 2 of the threshold, or the digits of a code."""
    return max(int(eta * scale // 1), scale * max(2, len(answer_codes(symbols)[0])))


def _build(
    length: int, symbols: tuple[Hashable, ...], precision: Precision, addresses: Addresses, strength: int
) -> Transformer:
    task, one = index_lookup(length, symbols), precision.scale
    codes = (np.array(answer_codes(len(symbols))) + 1) // 2
    slots = Slots(code=codes.shape[1], asked=addresses.dimension, own=addresses.dimension)
    tokens = np.zeros((len(task.alphabet), slots.width), dtype=np.int64)
    tokens[: len(symbols), slots["code"]] = codes
    tokens[len(symbols) :, slots["asked"]] = addresses.rows(np.arange(1, length + 1))
    asked, own = [(slots["asked"], strength)], [(slots["own"], one)]
    finder = head(precision, slots.width, asked, own, slots["code"], Fraction(1, addresses.dimension))
    read_out = np.zeros((slots.width, len(symbols)), dtype=np.int64)
    read_out[slots["code"]] = one * (2 * codes.T - 1)
    return Transformer(
        name=f"{task.name} by one soft layer ({precision.bits} bits)",
        alphabet=task.alphabet,
        answers=task.answers,
        token_embedding=whole(precision, tokens),
        position_embedding=_positions(length, slots, precision, addresses),
        blocks=(block(precision, slots.width, [(finder, slots["code"])], _threshold(slots, precision)),),
        read_out=affine(precision, read_out, -one * codes.sum(axis=1)),  # 0 for the code itself, below it for others
    )


def _positions(length: int, slots: Slots, precision: Precision, addresses: Addresses) -> Callable[[int], IntArray]:
    """For words of so many positions: an address for each but the last, which holds the token p."""

    def positions(size: int) -> IntArray:
        if size > length + 1:
            raise InputError("word", size, f"words of up to {length + 1} tokens")
        embedded = np.zeros((size, slots.width), dtype=np.int64)
        if size > 1:
            embedded[:-1, slots["own"]] = addresses.rows(np.arange(1, size))
        return whole(precision, embedded)

    return positions


def _threshold(slots: Slots, precision: Precision) -> list[tuple[IntArray, IntArray, str]]:
    """relu(2z - 1/2) - relu(2z - 3/2) is 1 for z of 3/4 or more and 0 for a quarter or less; z itself is taken off."""
    scale, digits = precision.scale, slots.size("code")
    first, last = np.zeros((slots.width, 3 * digits), np.int64), np.zeros((3 * digits, slots.width), np.int64)
    first[slots["code"]] = scale * np.hstack([part * np.eye(digits, dtype=np.int64) for part in (2, 2, 1)])
    bias = np.repeat([-scale // 2, -3 * scale // 2, 0], digits)
    last[:, slots["code"]] = scale * np.vstack([part * np.eye(digits, dtype=np.int64) for part in (1, -1, -1)])
    return [(first, bias, "relu"), (last, np.zeros(slots.width, dtype=np.int64), "identity")]
