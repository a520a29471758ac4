"""Index lookup by one attention layer of logarithmic width.

The last token p asks with E times the address of p; every position answers to its own address, and gives the binary
code of its symbol. Bhattamishra, Hahn, Blunsom and Kanade 2024, theorem 1: width and precision O(log N), where a
recurrent model needs N bits of state (theorem 3).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import Precision, as_precision
from ccsim.errors import InputError
from ccsim.models import OneLayerTransformer
from ccsim.problems import SequenceTask, index_lookup
from protocols.constructions.addressing import (
    answer_codes,
    hard_strength,
    least_format,
    require_addresses,
    require_hard,
    require_strength,
    weight_of_target,
)
from protocols.constructions.size import ConstructionSize, with_size
from protocols.constructions.vector_bounds import above_logarithm
from protocols.constructions.vectors import Addresses
from protocols.constructions.weights import Slots, affine, block, head, whole

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
    addresses, strength = require_addresses(addresses, max(length, 2)), require_strength(strength)
    if precision is None:
        precision = _default(task.length, addresses, strength, len(task.answers))
    precision = as_precision(precision)
    steps = hard_strength(precision, addresses) if strength is None else int(strength * precision.scale // 1)
    if verify:
        _verify(precision, addresses, steps, length, len(task.answers), hard=strength is None)
    model = _build(task, length, precision, addresses, min(steps, precision.high))
    made = model.position_embedding.size + length * model.width  # of positions and of the tokens that name them
    size = ConstructionSize.measured(model, generated=made, seed_bits=addresses.seed_bits, source=SOURCE)
    return with_size(model, size)


def _default(positions: int, addresses: Addresses, strength: Fraction | int | None, answers: int) -> Precision:
    fraction_bits = (positions - 1).bit_length()
    precision = Precision.fixed_point(1, fraction_bits)
    steps = hard_strength(precision, addresses) if strength is None else int(strength * precision.scale // 1)
    digits = max(1, (answers - 1).bit_length())
    return least_format(fraction_bits, max(steps, digits * precision.scale))


def _verify(precision: Precision, addresses: Addresses, strength: int, length: int, answers: int, hard: bool) -> None:
    digits = max(1, (answers - 1).bit_length())
    if digits * precision.scale > precision.high:
        raise InputError("precision", str(precision), f"one that holds the product of two codes, {digits}")
    if hard:
        require_hard(precision, addresses, strength)
        return
    if strength > precision.high:
        raise InputError(
            "precision", str(precision), f"one that holds queries of {Fraction(strength, precision.scale)}"
        )
    if 2 * weight_of_target(precision, addresses, strength, others=length) <= precision.scale:
        raise InputError("strength", Fraction(strength, precision.scale), "one that gives a weight above a half")


def _build(
    task: SequenceTask, length: int, precision: Precision, addresses: Addresses, strength: int
) -> OneLayerTransformer:
    codes = np.array(answer_codes(len(task.answers)))
    digits, named = codes.shape[1], set(task.answers) & set(range(1, length + 1))
    slots = Slots(code=digits, asked=addresses.dimension, own=addresses.dimension, found=digits if named else 0)
    found = slots["found" if named else "code"]
    tokens = np.zeros((len(task.alphabet), slots.width), dtype=np.int64)
    place_named: dict[Hashable, int] = {place: place for place in range(1, length + 1)}  # 2.0 names it as well as 2
    for rank, symbol in enumerate(task.alphabet):
        if symbol in task.answers:
            tokens[rank, slots["code"]] = codes[task.answers.index(symbol)]
        if symbol in place_named:
            tokens[rank, slots["asked"]] = addresses.rows(place_named[symbol])
    positions = np.zeros((length + 1, slots.width), dtype=np.int64)
    positions[:length, slots["own"]] = addresses.rows(np.arange(1, length + 1))
    read_out = np.zeros((slots.width, len(task.answers)), dtype=np.int64)
    read_out[found] = codes.T
    one = min(precision.scale, precision.high)
    finder = head(
        precision,
        slots.width,
        query=[(slots["asked"], strength)],
        key=[(slots["own"], one)],
        value=slots["code"],
        logit_scale=Fraction(1, addresses.dimension),
    )
    return OneLayerTransformer(
        name=f"{task.name} by one layer ({precision.bits} bits)",
        alphabet=task.alphabet,
        answers=task.answers,
        token_embedding=whole(precision, tokens),
        position_embedding=whole(precision, positions),
        block=block(precision, slots.width, [(finder, found)]),
        read_out=affine(precision, whole(precision, read_out)),
    )
