"""Equality and inequality by two attention layers of logarithmic width, for the halves of a word or any two parts.

In the first layer one head of each position of the second part fetches the symbol of its partner in the first part, by
address, another its own; relu units compare their codes. The second layer averages the differences over all positions:
the mean is 0 if there is none, and at least 1/N, which the precision can tell from 0, if there is one. Bhattamishra,
Hahn, Blunsom and Kanade 2024, theorem 6, for bits as for any finite alphabet (section 5.1); with the positions
renumbered, lemma 5 and corollary 13.1: no protocol for models of two layers is cheap under every partition.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction

import numpy as np

from ccsim.arithmetic import Precision
from ccsim.errors import Array, InputError, require_integer, require_symbols
from ccsim.models import Transformer
from ccsim.problems import Partition, SequenceTask, Words
from protocols.constructions.addresses import Addresses
from protocols.constructions.assembling import (
    Slots,
    Stream,
    answer_codes,
    fetching,
    measured,
    require_hard,
    require_steps,
)

SOURCE = "Bhattamishra, Hahn, Blunsom and Kanade 2024, Theorem 6"


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
    pairs = np.array(_pairs(partition.length, partition, None)) - 1

    def evaluate(word: Array) -> Array:
        differs = (word[..., pairs[:, 0]] != word[..., pairs[:, 1]]).any(axis=-1)
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
    order: Iterable[int] | None = None,
    heads: int = 2,
    precision: int | Precision | None = None,
    addresses: Addresses | None = None,
    strength: Fraction | int | None = None,
    verify: bool = True,
) -> Transformer:
    """A transformer for :func:`ccsim.problems.equality_of_halves`, or for :func:`equality_of_parts`.

    Args:
        length: N, even.
        unequal: whether it answers 1 where the parts differ.
        alphabet: the symbols; each has a code of signs, log2 of their number.
        partition: Alice's positions are compared with Bob's, as many, in order; None means the two halves.
        order: the positions 1..N in another order, of which the two halves are compared.
        heads: 2, or 1: then a position's own bit comes from the residual stream, as the source says it may.
        precision: of everything; unless given, steps of 1/s with s >= N a power of two, and the range that it needs.
        addresses: N vectors of signs; unless given, the smallest sign vectors with products of at most half.
        strength: the eta of the source, an exact number; unless given, the least for which fetched weights are 1.
        verify: whether the inequalities are checked, in integers; if not, a precision too small makes a wrong model.

    Raises :class:`~ccsim.errors.InputError` for parts of different sizes, and for a precision in which the
    inequalities fail.

    >>> model = equality_transformer(8)
    >>> model("01100110"), model("01100111"), model.width, model.precision.bits
    (1, 0, 19, 6)
    >>> equality_transformer(4, partition=Partition.odd_even(4)).mistake(equality_of_parts(Partition.odd_even(4)))
    """
    length = require_integer("length", length, low=2)
    pairs = _pairs(length, partition, order)
    heads, symbols = require_integer("heads", heads, low=1, high=2), require_symbols("alphabet", alphabet)
    precision, addresses, steps = fetching(precision, length, addresses, strength)
    if verify:
        require_hard(precision, addresses, steps)
        require_steps(precision, length)
    model = _build(length, pairs, unequal, symbols, heads, precision, addresses, min(steps, precision.high))
    return measured(model, generated=length * model.width, seed_bits=addresses.seed_bits, source=SOURCE)


def _pairs(length: int, partition: Partition | None, order: Iterable[int] | None) -> list[tuple[int, int]]:
    """The positions that are compared, the earlier one first."""
    if partition is not None and order is not None:
        raise InputError("order", order, "a partition or an order, not both")
    if partition is not None:
        if not isinstance(partition, Partition) or partition.length != length:
            raise InputError("partition", partition, f"a partition of {length} positions")
        if len(partition.alice) != len(partition.bob):
            raise InputError("partition", partition, "as many positions for Alice as for Bob")
        order = partition.alice + partition.bob
    if order is None:
        order = range(1, length + 1)
    if not isinstance(order, Iterable):
        raise InputError("order", order, f"the positions 1 to {length}, each once")
    places = [require_integer("order", place, low=1, high=length) for place in order]
    if length % 2:
        raise InputError("length", length, "an even number, for two halves")
    if sorted(places) != list(range(1, length + 1)):
        raise InputError("order", places, f"the positions 1 to {length}, each once")
    halves = zip(places[: length // 2], places[length // 2 :], strict=True)
    return [(min(pair), max(pair)) for pair in halves]


def _build(
    length: int,
    pairs: list[tuple[int, int]],
    unequal: bool,
    symbols: tuple[Hashable, ...],
    heads: int,
    precision: Precision,
    addresses: Addresses,
    strength: int,
) -> Transformer:
    signs, codes = addresses.dimension, np.array(answer_codes(len(symbols)))
    digits = codes.shape[1]
    slots = Slots(code=digits, partner=digits, same=(heads - 1) * digits, differs=1, mean=1, own=signs, asked=signs)
    stream, asked = Stream(precision, slots), np.arange(1, length + 1)
    asked[[later - 1 for _, later in pairs]] = [earlier for earlier, _ in pairs]
    fetching = [stream.fetch("asked", "code", "partner", strength)]
    if heads == 2:
        fetching.append(stream.fetch("own", "code", "same", strength))
    compared = np.hstack([np.eye(digits, dtype=np.int64), -np.eye(digits, dtype=np.int64)])
    compare = stream.units(  # so many digits differ, or as many as can be said
        {"same" if heads == 2 else "code": compared, "partner": -compared},
        np.full(2 * digits, -stream.one),
        {"differs": np.ones((2 * digits, 1), dtype=np.int64)},
    )
    one_step = np.array([0, 0 if unequal else 1])  # less than any mean but 0
    kind = "inequality" if unequal else "equality"
    over = "bits" if symbols == ("0", "1") else f"symbols of {len(symbols)}"
    return stream.transformer(
        Transformer,
        f"{kind} of {length} {over} by two layers ({precision.bits} bits)",
        symbols,
        (0, 1),
        stream.embedding(len(symbols), code=codes),
        stream.embedding(length, own=addresses.rows(np.arange(1, length + 1)), asked=addresses.rows(asked)),
        stream.block(*fetching, layers=compare),
        stream.block(stream.average("differs", "mean")),
        read_out=stream.read_out(2, one_step, mean=[[0], [1]] if unequal else [[1], [0]]),
    )
