"""Nearest neighbour and associative recall by two attention layers.

Two routes, both of which answer for every prompt x_1 y_1 ... x_n y_n x up to a length:

- ``address``: in the first layer the query finds the nearest point and fetches the address of the label behind it; in
  the second it fetches the label there. Bhattamishra, Hahn, Blunsom and Kanade 2024, theorem 7. The query must not find
  itself, so the first layer weighs vectors against addresses, and the addresses must be more orthogonal the smaller the
  margin is; see :mod:`protocols.constructions.recall_margins` for the constants, those printed and those used here.
- ``copy``: in the first layer every label fetches the vector before it; in the second the query looks at labels alone.
  Vectors and addresses never meet in one logit, so the width does not depend on the margin at all.

The text lets 9/10 of the weight suffice and restores signs by relu units. Here the weight is 1, which costs a constant
factor in the weights of queries and saves these units. Its theorem counts two heads; one is enough.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from ccsim.arithmetic import IntArray, Precision, as_precision
from ccsim.errors import InputError
from ccsim.memory import require_memory
from ccsim.models import Transformer
from ccsim.problems import SequenceTask, associative_recall, nearest_neighbour
from protocols.constructions.addressing import (
    answer_codes,
    hard_strength,
    least_format,
    require_addresses,
    require_hard,
)
from protocols.constructions.multi_query import MultiQueryTransformer
from protocols.constructions.recall_margins import (
    Margins,
    RecallWeights,
    address_weights,
    copy_weights,
    largest_number,
    require_weights,
)
from protocols.constructions.size import ConstructionSize, with_size
from protocols.constructions.vector_bounds import hoeffding_dimension
from protocols.constructions.vectors import Addresses, smallest_sign_vectors
from protocols.constructions.weights import Slots, affine, block, head, whole

SOURCE = "Bhattamishra, Hahn, Blunsom and Kanade 2024, Theorem 7"

Route = Literal["address", "copy"]

SURELY = 4  # far fewer than a quarter of the signs that a draw surely needs are not found by any search
MATRICES = 12  # queries, keys, values and outputs of two heads, and what is between


def nearest_neighbour_transformer(
    pairs: int,
    vectors: Iterable[tuple[int, ...]],
    labels: Iterable[Hashable] = "01",
    margin: int = 1,
    *,
    route: Route = "address",
    precision: int | Precision | None = None,
    addresses: Addresses | None = None,
    verify: bool = True,
) -> Transformer:
    """A transformer for :func:`ccsim.problems.nearest_neighbour`, right wherever its promise holds.

    Args:
        pairs: the most pairs; shorter prompts may come too.
        vectors: integer vectors of one norm, from which points and queries come.
        labels: the labels.
        margin: by how much the nearest point beats every other, in products of these vectors.
        route: "address" or "copy", see the head of this module.
        precision: of everything; unless given, steps of 1/s, s a power of two not below the positions, and the range
            that it needs.
        addresses: one vector of signs for each of the 2 pairs + 1 positions; unless given, the smallest sign vectors
            that the inequalities allow, with a third to spare.
        verify: whether the inequalities are checked, in integers; if not, a precision too small makes a wrong model.

    Raises :class:`~ccsim.errors.InputError` for a precision or addresses with which the inequalities fail, and
    :class:`~ccsim.errors.TableTooLargeError`, before anything is searched for or built, where small margins make the
    addresses of the route by address too long for this machine's memory; the route "copy" does without.

    >>> compass = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    >>> model = nearest_neighbour_transformer(2, compass)
    >>> model(((1, 0), "0", (0, -1), "1", (-1, 0))), model.mistake(nearest_neighbour(2, compass))
    ('1', None)
    """
    task = nearest_neighbour(pairs, vectors, labels, margin)
    points = task.positions[0]
    rows = np.array(points, dtype=np.int64)
    gram = rows @ rows.T
    norm = int(gram[0, 0])
    best = min(norm, int(gram.min()) + (margin if pairs > 1 else 0))
    known = Margins(norm, margin, best, int(np.abs(rows).max()))
    plan = RecallPlan(task.name, points, rows, task.positions[1], pairs, 1, known, route)
    return plan.transformer(precision, addresses, verify)


def associative_recall_transformer(
    pairs: int,
    keys: Iterable[Hashable] | None = None,
    values: Iterable[Hashable] = "01",
    *,
    route: Route = "address",
    precision: int | Precision | None = None,
    addresses: Addresses | None = None,
    codes: Addresses | None = None,
    verify: bool = True,
) -> Transformer:
    """A transformer for :func:`ccsim.problems.associative_recall`: the nearest key is the one asked for.

    ``codes`` are the vectors of the keys; unless given, the smallest sign vectors with products of at most half, so
    that the margin is a constant. (The source takes binary digits, whose margin is 2/log N; the addresses must then be
    more orthogonal.) For the rest see :func:`nearest_neighbour_transformer`.

    >>> model = associative_recall_transformer(3)
    >>> model("a0b1c0b"), model("c1a0c"), model.mistake(associative_recall(3))
    ('1', '1', None)
    """
    plan = recall_plan(pairs, 1, keys, values, route, codes)
    return plan.transformer(precision, addresses, verify)


def multi_query_recall_transformer(
    pairs: int,
    queries: int | None = None,
    keys: Iterable[Hashable] | None = None,
    values: Iterable[Hashable] = "01",
    *,
    route: Route = "address",
    precision: int | Precision | None = None,
    addresses: Addresses | None = None,
    codes: Addresses | None = None,
    verify: bool = True,
) -> MultiQueryTransformer:
    """A model for :func:`ccsim.problems.multi_query_associative_recall`: one pass, read out at each query's position.

    Queries may be any different keys of the word, in any order; a query sees the others as points that are not its
    own key. For the arguments see :func:`associative_recall_transformer`.

    >>> from ccsim.problems import multi_query_associative_recall
    >>> model = multi_query_recall_transformer(2)
    >>> model("a0b1ba"), model.mistake(multi_query_associative_recall(2))
    (('1', '0'), None)
    """
    plan = recall_plan(pairs, pairs if queries is None else queries, keys, values, route, codes)
    inner = plan.transformer(precision, addresses, verify)
    model = MultiQueryTransformer(inner, plan.queries)
    return with_size(model, inner.construction_size)  # type: ignore[attr-defined]


def recall_plan(
    pairs: int,
    queries: int,
    keys: Iterable[Hashable] | None,
    values: Iterable[Hashable],
    route: Route,
    codes: Addresses | None,
) -> RecallPlan:
    """What is needed for recall of values by keys, whose vectors are ``codes``."""
    task: SequenceTask = associative_recall(pairs, keys, values)
    names, labels = task.positions[:2]
    if not 1 <= queries <= pairs:
        raise InputError("queries", queries, f"from 1 to {pairs} queries")
    if set(names) & set(labels):
        raise InputError("values", labels, "values that are no keys")
    codes = require_addresses(codes, max(2, len(names)), "codes")
    rows = codes.rows(np.arange(1, len(names) + 1))
    margin = codes.dimension - max(0, codes.largest_product)
    known = Margins(codes.dimension, margin, codes.dimension, 1)
    name = f"recall({pairs} pairs, {len(names)} keys, {len(labels)} values)"
    return RecallPlan(name, names, rows, labels, pairs, queries, known, route)


@dataclass(frozen=True, eq=False)
class RecallPlan:
    """What is to be retrieved, and by which route."""

    name: str
    points: tuple[Hashable, ...]
    rows: IntArray
    labels: tuple[Hashable, ...]
    pairs: int
    queries: int
    margins: Margins
    route: Route

    def __post_init__(self) -> None:
        if self.route not in ("address", "copy"):
            raise InputError("route", self.route, "'address' or 'copy'")

    @property
    def positions(self) -> int:
        """The most positions of a word."""
        return 2 * self.pairs + self.queries

    def transformer(self, precision: int | Precision | None, addresses: Addresses | None, verify: bool) -> Transformer:
        """The model, verified and with its size."""
        by_address = self.route == "address"
        if addresses is None:
            noise = min(Fraction(1, 2), self.margins.largest_noise * 2 / 3) if by_address else Fraction(1, 2)
            self._require_room(hoeffding_dimension(self.positions, noise) // SURELY)
            addresses = smallest_sign_vectors(self.positions, noise, two_sided=by_address)
        self._require_room(addresses.dimension)
        addresses = require_addresses(addresses, self.positions)
        if precision is None:
            precision = self._default(addresses)
        precision = as_precision(precision)
        weights, strength = self._weights(precision, addresses), hard_strength(precision, addresses)
        digits = max(1, (len(self.labels) - 1).bit_length())
        if verify:
            require_weights(precision, self.margins, weights, addresses if by_address else None)
            require_hard(precision, addresses, strength)
            if digits * precision.scale > precision.high:
                raise InputError("precision", str(precision), f"one that holds the product of two labels, {digits}")
        model = self._build(precision, addresses, weights.saturated(precision), min(strength, precision.high), digits)
        table = self.positions * model.width
        stored = 0 if callable(model.position_embedding) else table
        points = len(self.points) * model.width if self.margins.entry == 1 and self.margins.norm > 1 else 0
        size = ConstructionSize.measured(
            model, generated=stored + points, given=table - stored, seed_bits=2 * addresses.seed_bits, source=SOURCE
        )
        return with_size(model, size)

    def _require_room(self, signs: int) -> None:
        """Refuse addresses of so many signs if the matrices of two heads have no room."""
        entries, few = self.rows.shape[1], "" if self.route == "copy" else "; few by route='copy'"
        width, columns = 2 * entries + 3 * signs + 2, entries + signs + 1
        require_memory(MATRICES * width * columns * 8, f"{self.name} with long addresses ({signs} signs{few})")

    def _weights(self, precision: Precision, addresses: Addresses) -> RecallWeights:
        if self.route == "copy":
            return copy_weights(precision, self.margins)
        return address_weights(precision, self.margins, addresses)

    def _default(self, addresses: Addresses) -> Precision:
        fraction_bits = (self.positions - 1).bit_length()
        precision = Precision.fixed_point(1, fraction_bits)
        weights, used = self._weights(precision, addresses), addresses if self.route == "address" else None
        most = largest_number(precision, self.margins, weights, used)
        digits = max(1, (len(self.labels) - 1).bit_length())
        return least_format(fraction_bits, max(most, hard_strength(precision, addresses), digits * precision.scale))

    def _build(
        self, precision: Precision, addresses: Addresses, weights: RecallWeights, strength: int, digits: int
    ) -> Transformer:
        entries, signs = self.rows.shape[1], addresses.dimension
        one = min(precision.scale, precision.high)
        sizes = {"point": entries, "label": digits, "kind": 1, "own": signs, "asked": signs}
        slots = Slots(**sizes, found=signs if self.route == "address" else entries)
        width, by_vector, by_address = slots.width, Fraction(1, self.margins.norm), Fraction(1, signs)
        own = [(slots["own"], one)]
        if self.route == "address":
            query = [(slots["point"], weights.vector), (slots["kind"], weights.flag), (slots["own"], -weights.address)]
            key = [(slots["point"], one), (slots["kind"], one), (slots["own"], one)]
            first = head(precision, width, query, key, slots["asked"], by_vector)
            second = head(precision, width, [(slots["found"], strength)], own, slots["label"], by_address)
        else:
            first = head(precision, width, [(slots["asked"], strength)], own, slots["point"], by_address)
            query = [(slots["point"], weights.vector), (slots["kind"], -weights.flag)]
            key = [(slots["found"], one), (slots["kind"], one)]
            second = head(precision, width, query, key, slots["label"], by_vector)
        codes = np.array(answer_codes(len(self.labels)))
        tokens = np.zeros((len(self.points) + len(self.labels), width), dtype=np.int64)
        tokens[: len(self.points), slots["point"]] = self.rows
        tokens[len(self.points) :, slots["label"]] = codes
        read_out = np.zeros((width, len(self.labels)), dtype=np.int64)
        read_out[slots["label"]] = codes.T
        table = whole(precision, self.embedded(slots, addresses))
        return Transformer(
            name=f"{self.name} by two layers, {self.route} ({precision.bits} bits)",
            alphabet=(*self.points, *self.labels),
            answers=self.labels,
            token_embedding=whole(precision, tokens),
            position_embedding=table if self.queries > 1 else Prompts(table),
            blocks=(
                block(precision, width, [(first, slots["found"])]),
                block(precision, width, [(second, slots["label"])]),
            ),
            read_out=affine(precision, whole(precision, read_out)),
        )

    def embedded(self, slots: Slots, addresses: Addresses) -> IntArray:
        """Kind, address, and the address that is asked for (or, on the route by address, handed out)."""
        numbers = np.arange(1, self.positions + 1)
        is_label = (numbers % 2 == 0) & (numbers <= 2 * self.pairs)
        is_paired = (numbers % 2 == 1) & (numbers <= 2 * self.pairs)
        table = np.zeros((self.positions, slots.width), dtype=np.int64)
        if self.route == "address":
            table[:, slots["kind"]] = np.where(is_label, -1, 1)[:, None]
            other = numbers + is_paired
        else:
            table[:, slots["kind"]] = np.where(is_label, 1, -1)[:, None]
            other = numbers - is_label
        table[:, slots["own"]] = addresses.rows(numbers)
        table[:, slots["asked"]] = addresses.rows(other)
        return table


@dataclass(frozen=True, eq=False)
class Prompts:
    """The embeddings of the positions of prompts x_1 y_1 ... x of every length up to the longest."""

    table: IntArray

    def __call__(self, length: int) -> IntArray:
        """The embeddings of the positions of a prompt of this odd length."""
        if length % 2 == 0 or length > len(self.table):
            raise InputError("length", length, f"an odd number up to {len(self.table)}")
        return self.table[:length]
