"""A chain of thought that composes: one layer of one head, each pass of which follows one pointer.

The prompt is the table of f, the table of g, and the token 0; each pass appends its answer, the value of f or g in turn
at the last token. So after k passes the last token is ... g(f(g(f(0)))) with k applications: what theorem 2 of Peng,
Narayanan and Papadimitriou 2024 asks a chain for.

A position of a table answers to [address of the argument, its table's sign w times], a token asks for [its own address,
the sign of the table whose turn it is, w times]. With addresses of k signs, products of at most k/3 and w = k/3 every
other position has half of the wanted one's product or less, so that attention can be hard.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.arithmetic import Precision
from ccsim.errors import Array, require_integer
from ccsim.models import OneLayerTransformer, SequenceModel
from protocols.constructions.addresses import Addresses, smallest_sign_vectors
from protocols.constructions.assembling import (
    Slots,
    Stream,
    answer_codes,
    fetching,
    measured,
    require_hard,
)

SOURCE = "Peng, Narayanan and Papadimitriou 2024, theorem 2"
THIRD = Fraction(1, 3)


def chasing_layer(values: int, thought: int = 0, *, steps: int | None = None) -> OneLayerTransformer:
    """The layer, for a prompt of two tables of ``values`` numbers, the token 0, and so many tokens after it.

    Its weights are the same for every number of tokens; what differs is how far positions go.

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
    model = _build(values, 2 * values + 1 + thought, precision, addresses, strength)
    made = model.position_embedding.size + values * model.width
    return measured(model, generated=made, seed_bits=addresses.seed_bits, source=SOURCE)


def chasing_chain(values: int, steps: int) -> list[OneLayerTransformer]:
    """The layer for each of so many passes, each one token longer than the one before.

    >>> think(chasing_chain(3, 4), [2, 0, 1, 1, 1, 2])
    [0, 2, 2, 1, 1]
    """
    return [chasing_layer(values, thought, steps=steps) for thought in range(require_integer("steps", steps, low=1))]


def think(chain: Sequence[SequenceModel], tables: Sequence[Any]) -> list[Any]:
    """The tokens of a chain of thought on two tables: 0, and each pass's answer."""
    word = [*tables, 0]
    for model in chain:
        word.append(model(tuple(word)))
    return word[len(tables) :]


@dataclass(frozen=True)
class TableAddresses:
    """An address for each argument of each of two tables: that of the argument, and the table's sign, w times.

    >>> addresses = TableAddresses(smallest_sign_vectors(8, THIRD))
    >>> 2 * addresses.largest_product <= addresses.dimension
    True
    """

    arguments: Addresses

    @property
    def signs(self) -> int:
        """w, a third of the signs of an argument, rounded up."""
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
        """Of two arguments of a table, or of one in both."""
        return max(max(0, self.arguments.largest_product) + self.signs, self.arguments.dimension - self.signs)

    @property
    def least_product(self) -> int:
        """Of two arguments in different tables."""
        return self.arguments.least_product - self.signs

    def rows(self, numbers: Any) -> Array:
        """Those of the first table's arguments, numbered from 1, and then those of the second's."""
        later, argument = np.divmod(np.asarray(numbers, dtype=np.int64) - 1, self.arguments.count)
        table = np.repeat((1 - 2 * later)[..., None], self.signs, axis=-1)
        return np.concatenate([self.arguments.rows(argument + 1), table], axis=-1)


def _build(
    values: int, length: int, precision: Precision, addresses: TableAddresses, strength: int
) -> OneLayerTransformer:
    codes = np.array(answer_codes(values))
    digits, signs, argument = codes.shape[1], addresses.dimension, addresses.arguments.dimension
    slots = Slots(code=digits, asked=signs, own=signs, found=digits)
    stream, asked = Stream(precision, slots), slots["asked"].start
    tokens = stream.numbers(values, code=codes)
    tokens[:, asked : asked + argument] = addresses.arguments.rows(np.arange(1, values + 1))
    positions = stream.numbers(length, own=addresses.rows(np.arange(1, 2 * values + 1)))
    turns = 1 - 2 * (np.arange(length - 2 * values) % 2)
    positions[2 * values :, asked + argument : slots["asked"].stop] = turns[:, None]
    return stream.transformer(
        OneLayerTransformer,
        f"chasing pointers among {values} by one layer ({precision.bits} bits)",
        range(values),
        range(values),
        stream.whole(tokens),
        stream.whole(positions),
        stream.block(stream.fetch("asked", "code", "found", strength)),
        read_out=stream.read_out(values, found=codes),
    )
