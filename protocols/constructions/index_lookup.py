"""Index lookup by one layer: with weights of exactly 1, and by soft attention as it is printed.

Index lookup by one attention layer of logarithmic width.

The last token p asks with E times the address of p; every position answers to its own address, and gives the binary
code of its symbol. Bhattamishra, Hahn, Blunsom and Kanade 2024, theorem 1: width and precision O(log N), where a
recurrent model needs N bits of state (theorem 3).

Index lookup as the source prints it: a weight above 3/4 and a threshold, for all words of up to N symbols.

Bhattamishra, Hahn, Blunsom and Kanade 2024, theorem 1 and appendix C.2: the embedding of a symbol is its binary code,
no address to ask for, and the address of its position; that of the token p is the address of p, and nothing else. With
eta above 2 ln(3N) attention gives position p more than 3/4, so that each digit of its code is at least 3/4 or at most
1/4 in the mean; relu units turn these into 1 and 0. Other positions do get weight here, unlike in
:func:`protocols.constructions.index_lookup_transformer`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction

import numpy as np

from ccsim.arithmetic import IntArray, Precision, as_precision
from ccsim.errors import InputError, require_integer, require_symbols
from ccsim.models import OneLayerTransformer, Transformer
from ccsim.problems import SequenceTask, index_lookup
from protocols.constructions.addresses import Addresses, above_logarithm, smallest_sign_vectors
from protocols.constructions.assembling import (
    Slots,
    Stream,
    answer_codes,
    fetching,
    least_format,
    measured,
    require_addresses,
    require_hard,
    require_number,
    require_strength,
    weight_of_target,
)

SOURCE = "Bhattamishra, Hahn, Blunsom and Kanade 2024, Theorem 1"


def printed_index_strength(length: int, fraction_bits: int) -> Fraction:
    """The printed eta > 2 ln(3N), rounded up to so many bits after the point.

    >>> printed_index_strength(1024, 4)
    Fraction(257, 16)
    """
    length, scale = (
        require_integer("length", length, low=1),
        1 << require_integer("fraction_bits", fraction_bits, low=0),
    )
    return Fraction(above_logarithm(Fraction(2 * scale), 3 * length), scale)


def index_lookup_transformer(
    length: int,
    alphabet: Iterable[Hashable] = "01",
    *,
    precision: int | Precision | None = None,
    addresses: Addresses | None = None,
    strength: Fraction | int | None = None,
    verify: bool = True,
) -> OneLayerTransformer:
    """A transformer for :func:`ccsim.problems.index_lookup`: one head, whose last position finds position p by address.

    The stream is [code of the symbol, address asked for, address of the position]; a code is a vector of signs, so the
    read-out of a symbol is the product with its code. The token p holds its address in the second part, positions
    1..N hold theirs in the third, and the last position has none, so that it does not find itself. If a symbol of the
    alphabet is a number from 1 to N, what is found gets a part of its own.

    Args:
        length: N, how many symbols come before the token p.
        alphabet: the symbols.
        precision: of everything; unless given, steps of 1/s, s >= N + 1 a power of two, and the range that it needs.
        addresses: N vectors of signs; unless given, the smallest sign vectors with products of at most half.
        strength: the eta of the source, an exact number; unless given, the least for which all other positions get the
            weight 0. Then it is enough that the wanted one gets more than half; the source asks for 3/4, by
            :func:`printed_index_strength`.
        verify: whether the inequalities are checked, in integers; if not, a precision too small makes a wrong model.

    Raises :class:`~ccsim.errors.InputError` for a precision in which the inequalities fail.

    >>> model = index_lookup_transformer(4)
    >>> model(("0", "1", "1", "0", 3)), model.width, model.precision.bits, model.mistake(index_lookup(4))
    ('1', 7, 6, None)
    """
    task = index_lookup(length, alphabet)
    digits = max(1, (len(task.answers) - 1).bit_length())
    known = require_addresses(addresses, max(length, 2))
    precision, addresses, steps = fetching(precision, task.length, known, strength, lambda rough: digits * rough.scale)
    if verify:
        require_number(precision, digits * precision.scale, f"the product of two codes, {digits}")
        if strength is None:
            require_hard(precision, addresses, steps)
        else:
            require_number(precision, steps, f"queries of {Fraction(steps, precision.scale)}")
            if 2 * weight_of_target(precision, addresses, steps, others=length) <= precision.scale:
                raise InputError("strength", Fraction(steps, precision.scale), "one that gives a weight above a half")
    model = _build(task, length, precision, addresses, min(steps, precision.high))
    made = model.position_embedding.size + length * model.width  # of positions and of the tokens that name them
    return measured(model, generated=made, seed_bits=addresses.seed_bits, source=SOURCE)


def _build(
    task: SequenceTask, length: int, precision: Precision, addresses: Addresses, strength: int
) -> OneLayerTransformer:
    codes = np.array(answer_codes(len(task.answers)))
    digits, named = codes.shape[1], set(task.answers) & set(range(1, length + 1))
    signs, found = addresses.dimension, "found" if named else "code"
    slots = Slots(code=digits, asked=signs, own=signs, found=digits if named else 0)
    stream = Stream(precision, slots)
    tokens = stream.numbers(len(task.alphabet))
    place_named: dict[Hashable, int] = {place: place for place in range(1, length + 1)}  # 2.0 names it as well as 2
    for rank, symbol in enumerate(task.alphabet):
        if symbol in task.answers:
            tokens[rank, slots["code"]] = codes[task.answers.index(symbol)]
        if symbol in place_named:
            tokens[rank, slots["asked"]] = addresses.rows(place_named[symbol])
    return stream.transformer(
        OneLayerTransformer,
        f"{task.name} by one layer ({precision.bits} bits)",
        task.alphabet,
        task.answers,
        stream.whole(tokens),
        stream.embedding(length + 1, own=addresses.rows(np.arange(1, length + 1))),
        stream.block(stream.fetch("asked", "code", found, strength)),
        read_out=stream.read_out(len(task.answers), **{found: codes}),
    )


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
    require_number(precision, largest)
    if 4 * weight_of_target(precision, addresses, steps, others=length) <= 3 * precision.scale:
        raise InputError("strength", eta, "one that gives a weight above 3/4")
    model = _soft_model(length, symbols, precision, addresses, steps)
    made = length * model.width  # of the tokens that name positions, and as much of the positions themselves
    return measured(model, generated=made, given=made, seed_bits=addresses.seed_bits, source=SOURCE)


def _largest(scale: int, eta: Fraction, symbols: int) -> int:
    """The largest number, in steps: a query, the 2 of the threshold, or the digits of a code."""
    return max(int(eta * scale // 1), scale * max(2, len(answer_codes(symbols)[0])))


def _soft_model(
    length: int, symbols: tuple[Hashable, ...], precision: Precision, addresses: Addresses, strength: int
) -> Transformer:
    task = index_lookup(length, symbols)
    codes = (np.array(answer_codes(len(symbols))) + 1) // 2
    slots = Slots(code=codes.shape[1], asked=addresses.dimension, own=addresses.dimension)
    stream = Stream(precision, slots)
    tokens = stream.numbers(len(task.alphabet), code=codes)
    tokens[len(symbols) :, slots["asked"]] = addresses.rows(np.arange(1, length + 1))

    def positions(size: int) -> IntArray:
        """For words of so many positions: an address for each but the last, which holds the token p."""
        if size > length + 1:
            raise InputError("word", size, f"words of up to {length + 1} tokens")
        return stream.embedding(size, **({"own": addresses.rows(np.arange(1, size))} if size > 1 else {}))

    # relu(2z - 1/2) - relu(2z - 3/2) is 1 for z of 3/4 or more and 0 for a quarter or less; z itself is taken off.
    scale, digit = precision.scale, np.eye(codes.shape[1], dtype=np.int64)
    threshold = stream.units(
        {"code": np.hstack([2 * digit, 2 * digit, digit])},
        np.repeat([-scale // 2, -3 * scale // 2, 0], len(digit)),
        {"code": np.vstack([digit, -digit, -digit])},
    )
    bias = -scale * codes.sum(axis=1)  # the product is 0 for the code itself, below it for others
    return stream.transformer(
        Transformer,
        f"{task.name} by one soft layer ({precision.bits} bits)",
        task.alphabet,
        task.answers,
        stream.whole(tokens),
        positions,
        stream.block(stream.fetch("asked", "code", "code", strength), layers=threshold),
        read_out=stream.read_out(len(symbols), bias, code=2 * codes - 1),
    )
