"""Attention that looks a position up by its address: index lookup, equality of two parts, pointer chasing.

*Index lookup* by one layer, with weights of exactly 1 or by the printed soft attention (Bhattamishra, Hahn, Blunsom and
Kanade 2024, theorem 1 and appendix C.2); *equality* by two (theorem 6; lemma 5 and corollary 13.1 for any partition);
*pointer chasing* by a chain of thought of one layer and head (Peng, Narayanan and Papadimitriou 2024, theorem 2).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.arithmetic import Precision, as_precision
from ccsim.errors import Array, InputError, require_integer, require_symbols
from ccsim.models import OneLayerTransformer, Transformer
from ccsim.problems import Partition, SequenceTask, Words, index_lookup
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
    require_steps,
    require_strength,
    weight_of_target,
)

LOOKUP_SOURCE = "Bhattamishra, Hahn, Blunsom and Kanade 2024, Theorem 1"
EQUALITY_SOURCE = "Bhattamishra, Hahn, Blunsom and Kanade 2024, Theorem 6"
CHASING_SOURCE = "Peng, Narayanan and Papadimitriou 2024, theorem 2"
THIRD = Fraction(1, 3)


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
) -> OneLayerTransformer:
    """A transformer for :func:`ccsim.problems.index_lookup`: one head, whose last position finds position p by address.

    The stream is [code of the symbol, address asked for, address of the position], and the read-out of a symbol is the
    product with its code. The last position has no address of its own, so that it does not find itself. If a symbol of
    the alphabet is a number from 1 to N, what is fetched gets a part of its own.

    Args:
        length: N, how many symbols come before the token p.
        alphabet: the symbols.
        precision: of everything; unless given, steps of 1/s, s >= N + 1 a power of two, and the range that it needs.
        addresses: N vectors of signs; unless given, the smallest sign vectors with products of at most half.
        strength: the eta of the source, an exact number, for which the wanted position must get more than half of the
            weight (3/4 in the source, by :func:`printed_index_strength`); unless given, the least that gives it all.

    Raises :class:`~ccsim.errors.InputError` for a precision in which the inequalities fail.

    >>> model = index_lookup_transformer(4)
    >>> model(("0", "1", "1", "0", 3)), model.width, model.precision.bits, model.mistake(index_lookup(4))
    ('1', 7, 6, None)
    """
    task = index_lookup(length, alphabet)
    digits = max(1, (len(task.answers) - 1).bit_length())
    known = require_addresses(addresses, max(length, 2))
    precision, addresses, steps = fetching(precision, task.length, known, strength, lambda rough: digits * rough.scale)
    require_number(precision, digits * precision.scale, f"the product of two codes, {digits}")
    if strength is None:
        require_hard(precision, addresses, steps)
    else:
        require_number(precision, steps, f"queries of {Fraction(steps, precision.scale)}")
        if 2 * weight_of_target(precision, addresses, steps, others=length) <= precision.scale:
            raise InputError("strength", Fraction(steps, precision.scale), "one that gives a weight above a half")
    codes = np.array(answer_codes(len(task.answers)))
    named = set(task.answers) & set(range(1, length + 1))
    into = "fetched" if named else "code"
    slots = Slots(code=digits, asked=addresses.dimension, own=addresses.dimension, fetched=digits if named else 0)
    stream = Stream(precision, slots)
    tokens = stream.numbers(len(task.alphabet))
    place_named: dict[Hashable, int] = {place: place for place in range(1, length + 1)}  # 2.0 names it as well as 2
    for rank, symbol in enumerate(task.alphabet):
        if symbol in task.answers:
            tokens[rank, slots["code"]] = codes[task.answers.index(symbol)]
        if symbol in place_named:
            tokens[rank, slots["asked"]] = addresses.rows(place_named[symbol])
    model = stream.transformer(
        OneLayerTransformer,
        f"{task.name} by one layer ({precision.bits} bits)",
        task.alphabet,
        task.answers,
        stream.whole(tokens),
        stream.embedding(length + 1, own=addresses.rows(np.arange(1, length + 1))),
        stream.block(stream.fetch("asked", "code", into, steps)),
        read_out=stream.read_out(len(task.answers), **{into: codes}),
    )
    made = model.position_embedding.size + length * model.width  # of positions and of the tokens that name them
    return measured(model, generated=made, seed_bits=addresses.seed_bits, source=LOOKUP_SOURCE)


def soft_index_lookup_transformer(
    length: int,
    alphabet: Iterable[Hashable] = "01",
    *,
    precision: int | Precision | None = None,
    addresses: Addresses | None = None,
    strength: Fraction | int | None = None,
) -> Transformer:
    """A transformer for :func:`ccsim.problems.index_lookup` of N symbols and of fewer, by the printed soft attention.

    With eta above 2 ln(3N) position p gets a weight above 3/4, so that each digit of its binary code is at least 3/4 or
    at most 1/4 in the mean; relu units turn these into 1 and 0.

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
        addresses = smallest_sign_vectors(max(length, 2), Fraction(1, 4))
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
    task, codes = index_lookup(length, symbols), (np.array(answer_codes(len(symbols))) + 1) // 2
    slots = Slots(code=codes.shape[1], asked=addresses.dimension, own=addresses.dimension)
    stream = Stream(precision, slots)
    tokens = stream.numbers(len(task.alphabet), code=codes)
    tokens[len(symbols) :, slots["asked"]] = addresses.rows(np.arange(1, length + 1))

    def positions(size: int) -> Array:
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
    model = stream.transformer(
        Transformer,
        f"{task.name} by one soft layer ({precision.bits} bits)",
        task.alphabet,
        task.answers,
        stream.whole(tokens),
        positions,
        stream.block(stream.fetch("asked", "code", "code", steps), layers=threshold),
        read_out=stream.read_out(len(symbols), bias, code=2 * codes - 1),
    )
    made = length * model.width  # of the tokens that name positions, and as much of the positions themselves
    return measured(model, generated=made, given=made, seed_bits=addresses.seed_bits, source=LOOKUP_SOURCE)


def _largest(scale: int, eta: Fraction, symbols: int) -> int:
    """The largest number, in steps: a query, the 2 of the threshold, or the digits of a code."""
    return max(int(eta * scale // 1), scale * max(2, len(answer_codes(symbols)[0])))


def equality_of_parts(
    partition: Partition | str, *, unequal: bool = False, alphabet: Iterable[Hashable] = "01"
) -> SequenceTask:
    """Whether the symbols at Alice's positions are those at Bob's, in order; if ``unequal``, whether they differ.

    Split by this partition it is EQ, on N/2 bits if these are the symbols: then it takes N/2 + 1 bits of communication.

    >>> task = equality_of_parts(Partition.odd_even(4))
    >>> task("0011"), task("0101")
    (1, 0)
    """
    if isinstance(partition, str):
        partition = Partition(partition)
    if not isinstance(partition, Partition):
        raise InputError("partition", partition, "a Partition, or its letters A and B")
    earlier, later = _pairs(partition)

    def evaluate(word: Array) -> Array:
        differs = (word[..., earlier - 1] != word[..., later - 1]).any(axis=-1)
        return np.asarray(differs == unequal, dtype=np.int8)

    kind = "inequality" if unequal else "equality"
    note = f"1 iff the symbols of one part {'differ from' if unequal else 'are'} those of the other"
    words = Words.over(require_symbols("alphabet", alphabet), partition.length)
    over = "" if len(words.alphabet) == 2 else f", {len(words.alphabet)} symbols"
    return SequenceTask(f"{kind}_of_parts({partition}{over})", words, (0, 1), evaluate, note=note)


def equality_transformer(
    length: int,
    *,
    unequal: bool = False,
    alphabet: Iterable[Hashable] = "01",
    partition: Partition | None = None,
    heads: int = 2,
    precision: int | Precision | None = None,
    addresses: Addresses | None = None,
    strength: Fraction | int | None = None,
    verify: bool = True,
) -> Transformer:
    """A transformer for :func:`ccsim.problems.equality_of_halves`, or for :func:`equality_of_parts`.

    The mean of the differences over all positions is 0 if there is none, and otherwise at least 1/N.

    Args:
        length: N, even.
        unequal: whether it answers 1 where the parts differ.
        alphabet: the symbols; each has a code of signs, log2 of their number.
        partition: Alice's positions are compared with Bob's, as many, in order; None means the two halves.
        heads: 2, or 1: then a position's own bit comes from the residual stream, as the source states it may.
        precision, addresses, strength: as for :func:`index_lookup_transformer`, for s >= N; a strength must give
            fetched weights of 1.
        verify: whether the inequalities are checked, in integers; if not, a precision too small makes a wrong model.

    Raises :class:`~ccsim.errors.InputError` for parts of different sizes, and where the inequalities fail.

    >>> model = equality_transformer(8)
    >>> model("01100110"), model("01100111"), model.width, model.precision.bits
    (1, 0, 19, 6)
    """
    length = require_integer("length", length, low=2)
    partition = Partition.prefix(length, length // 2) if partition is None else partition
    if not isinstance(partition, Partition) or partition.length != length:
        raise InputError("partition", partition, f"a partition of {length} positions")
    earlier, later = _pairs(partition)
    heads, symbols = require_integer("heads", heads, low=1, high=2), require_symbols("alphabet", alphabet)
    precision, addresses, steps = fetching(precision, length, addresses, strength)
    if verify:
        require_hard(precision, addresses, steps)
        require_steps(precision, length)
    signs, codes, strength = addresses.dimension, np.array(answer_codes(len(symbols))), min(steps, precision.high)
    digits = codes.shape[1]
    slots = Slots(code=digits, partner=digits, same=(heads - 1) * digits, differs=1, mean=1, own=signs, asked=signs)
    stream, asked = Stream(precision, slots), np.arange(1, length + 1)
    asked[later - 1] = earlier
    fetched = [stream.fetch("asked", "code", "partner", strength)]
    if heads == 2:
        fetched.append(stream.fetch("own", "code", "same", strength))
    compared = np.hstack([np.eye(digits, dtype=np.int64), -np.eye(digits, dtype=np.int64)])
    compare = stream.units(  # so many digits differ, or as many as the precision holds
        {"same" if heads == 2 else "code": compared, "partner": -compared},
        np.full(2 * digits, -stream.one),
        {"differs": np.ones((2 * digits, 1), dtype=np.int64)},
    )
    one_step = np.array([0, 0 if unequal else 1])  # less than any mean but 0
    over = "bits" if symbols == ("0", "1") else f"symbols of {len(symbols)}"
    model = stream.transformer(
        Transformer,
        f"{'inequality' if unequal else 'equality'} of {length} {over} by two layers ({precision.bits} bits)",
        symbols,
        (0, 1),
        stream.embedding(len(symbols), code=codes),
        stream.embedding(length, own=addresses.rows(np.arange(1, length + 1)), asked=addresses.rows(asked)),
        stream.block(*fetched, layers=compare),
        stream.block(stream.average("differs", "mean")),
        read_out=stream.read_out(2, one_step, mean=[[0], [1]] if unequal else [[1], [0]]),
    )
    return measured(model, generated=length * model.width, seed_bits=addresses.seed_bits, source=EQUALITY_SOURCE)


def _pairs(partition: Partition) -> Array:
    """The positions that are compared, shape (2, N/2), the earlier of each pair first."""
    if len(partition.alice) != len(partition.bob):
        raise InputError("partition", partition, "as many positions for Alice as for Bob: an even length")
    return np.sort(np.array([partition.alice, partition.bob]), axis=0)


def chasing_layer(values: int, thought: int = 0, *, steps: int | None = None) -> OneLayerTransformer:
    """The layer, for a prompt of two tables of ``values`` numbers, the token 0, and so many tokens after it.

    Its answer is the value of f or g in turn at the last token, by the same weights for every number of tokens: k
    passes give ... g(f(g(f(0)))) with k applications.

    Args:
        values: n, how many values and arguments there are.
        thought: how many tokens the chain has appended.
        steps: for how many passes the precision is to be enough; one more than ``thought`` unless given.

    >>> layer = chasing_layer(3)
    >>> layer((2, 0, 1, 1, 1, 2, 0)), layer.length, layer.heads
    (2, 7, 1)
    """
    values = require_integer("values", values, low=2)
    thought = require_integer("thought", thought, low=0)
    steps = require_integer("steps", thought + 1 if steps is None else steps, low=thought + 1)
    addresses = TableAddresses(smallest_sign_vectors(values, THIRD))
    digits = max(1, (values - 1).bit_length())
    precision, _, strength = fetching(None, 2 * values + steps, addresses, None, lambda rough: digits * rough.scale)
    require_hard(precision, addresses, strength)
    codes, length = np.array(answer_codes(values)), 2 * values + 1 + thought
    digits, signs, argument = codes.shape[1], addresses.dimension, addresses.arguments.dimension
    slots = Slots(code=digits, asked=signs, own=signs, fetched=digits)
    stream, asked = Stream(precision, slots), slots["asked"].start
    tokens = stream.numbers(values, code=codes)
    tokens[:, asked : asked + argument] = addresses.arguments.rows(np.arange(1, values + 1))
    positions = stream.numbers(length, own=addresses.rows(np.arange(1, 2 * values + 1)))
    turns = 1 - 2 * (np.arange(length - 2 * values) % 2)
    positions[2 * values :, asked + argument : slots["asked"].stop] = turns[:, None]
    model = stream.transformer(
        OneLayerTransformer,
        f"chasing pointers among {values} by one layer ({precision.bits} bits)",
        range(values),
        range(values),
        stream.whole(tokens),
        stream.whole(positions),
        stream.block(stream.fetch("asked", "code", "fetched", strength)),
        read_out=stream.read_out(values, fetched=codes),
    )
    made = model.position_embedding.size + values * model.width
    return measured(model, generated=made, seed_bits=addresses.seed_bits, source=CHASING_SOURCE)


def chasing_chain(values: int, steps: int) -> list[OneLayerTransformer]:
    """The layer for each of so many passes, each one token longer than the one before.

    >>> word = [2, 0, 1, 1, 1, 2, 0]
    >>> for layer in chasing_chain(3, 4):
    ...     word.append(layer(tuple(word)))
    >>> word[6:]
    [0, 2, 2, 1, 1]
    """
    return [chasing_layer(values, thought, steps=steps) for thought in range(require_integer("steps", steps, low=1))]


@dataclass(frozen=True)
class TableAddresses:
    """The address of an argument, and w = k/3 times the table's sign: others have half the product or less."""

    arguments: Addresses

    @property
    def signs(self) -> int:
        return -(-self.arguments.dimension // 3)

    @property
    def count(self) -> int:
        return 2 * self.arguments.count

    @property
    def dimension(self) -> int:
        return self.arguments.dimension + self.signs

    @property
    def seed_bits(self) -> int:
        return self.arguments.seed_bits

    @property
    def largest_product(self) -> int:
        return max(max(0, self.arguments.largest_product) + self.signs, self.arguments.dimension - self.signs)

    @property
    def least_product(self) -> int:
        return self.arguments.least_product - self.signs

    def rows(self, numbers: Any) -> Array:
        """Those of the first table's arguments, numbered from 1, and then those of the second's."""
        later, argument = np.divmod(np.asarray(numbers, dtype=np.int64) - 1, self.arguments.count)
        table = np.repeat((1 - 2 * later)[..., None], self.signs, axis=-1)
        return np.concatenate([self.arguments.rows(argument + 1), table], axis=-1)
