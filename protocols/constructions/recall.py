"""Nearest neighbour and associative recall by two attention layers, with the inequalities behind them.

A query x at position t looks at points x_i and labels. With addresses s of k signs, whose products lie between G- and
G+ (W apart), vectors of squared norm r^2 and integer weights A, B, C, the logits are, in steps and divided by r^2::

    points   A <x, x_i> - B <s_t, s_i> + C        the query itself is one of them: A r^2 - B k + C
    labels              - B <s_t, s_i> - C

The nearest point, ahead of others by ``margin`` and with a product of at least ``best``, is z steps above everything
else, where z makes exponentials 0 (:mod:`protocols.constructions.assembling`), if these hold in integers::

    other points   A margin - B W                     >= z r^2
    itself         B (k - G+) - A (r^2 - best)        >= z r^2
    labels         A best - B W + 2 C                 >= z r^2

On the route ``address`` the query finds the nearest point and fetches the address of the label behind it, then the
label (Bhattamishra, Hahn, Blunsom and Kanade 2024, theorem 7 and appendix G.2, with one head): k is of order
log N / g^2 for margins g. On the route ``copy`` every label fetches the vector before it, and the query looks at labels
alone: the width does not depend on the margin. :func:`soft_recall_transformer` has the printed 9/10 of the weight, with
the wanted logit ahead by ln(18N), and sigma(a) = relu(a + 1) - relu(a - 1) - 1 on twice what is fetched.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Literal

import numpy as np

from ccsim.arithmetic import Precision, as_precision
from ccsim.errors import Array, InputError, require_memory
from ccsim.models import Transformer
from ccsim.problems import SequenceTask, associative_recall, nearest_neighbour
from protocols.constructions.addresses import Addresses, above_logarithm, hoeffding_dimension, smallest_sign_vectors
from protocols.constructions.assembling import (
    ATTRIBUTE,
    AskingModel,
    Layer,
    Slots,
    Stream,
    answer_codes,
    fetching,
    hard_strength,
    least_format,
    measured,
    reach,
    require_addresses,
    require_hard,
    require_number,
    require_strength,
    size_of,
    weight_ahead,
)

SOURCE = "Bhattamishra, Hahn, Blunsom and Kanade 2024, Theorem 7"
SURELY = 4  # no search finds vectors with far fewer than a quarter of the signs that a draw surely needs
MATRICES = 12  # queries, keys, values and outputs of two heads, and what is between
MOST_ANSWERS = 1 << 20
FINER = 2  # so many bits after the point more than (18N)^(3/2) needs: weights of others do not all vanish

Route = Literal["address", "copy"]


@dataclass(frozen=True)
class Margins:
    """What is known of the vectors of a retrieval task, all of one norm.

    Attributes:
        norm: r^2, the product of a vector with itself.
        margin: by how much the nearest point beats every other, an integer of at least 1.
        best: the least product that the nearest point can have with the query.
        entry: the largest magnitude of an entry.
    """

    norm: int
    margin: int
    best: int
    entry: int

    @property
    def largest_noise(self) -> Fraction:
        """The products of addresses, as a share of k, for which weights exist: W < margin (k - G+) / (r^2 - best)."""
        if self.norm == self.best:
            return Fraction(1)
        ratio = Fraction(self.margin, self.norm - self.best)
        return ratio / (2 + ratio)


@dataclass(frozen=True)
class RecallWeights:
    """Weights of a query, as mantissas, in the layer that looks for the nearest point.

    ``vector`` is A, of the vector; ``address`` B, against the position itself; ``flag`` C, for points against labels.
    """

    vector: int
    address: int
    flag: int


def address_weights(
    precision: Precision, margins: Margins, addresses: Addresses, ahead: int | None = None
) -> RecallWeights:
    """The least A, B, C that satisfy the three inequalities, with ``ahead`` steps for z if they are given."""
    need = (reach(precision) if ahead is None else ahead) * margins.norm
    largest, spread = max(addresses.largest_product, 0), _spread(addresses)
    room, short = addresses.dimension - largest, margins.norm - margins.best
    if short * spread >= margins.margin * room:
        raise InputError("addresses", addresses, f"products below {margins.largest_noise} of the dimension")
    vector, address = -1, 0
    while True:  # both only rise, towards a fixed point that exists
        needed = -(-(need + address * spread) // margins.margin)
        if needed == vector:
            break
        vector = needed
        address = -(-(need + vector * short) // room)
    flag = max(0, -(-(need + address * spread - vector * margins.best) // 2))
    return RecallWeights(vector, address, flag)


def copy_weights(precision: Precision, margins: Margins) -> RecallWeights:
    """The least A and C for queries that look at labels, which hold copies of their points: no address takes part."""
    need = reach(precision) * margins.norm
    vector = -(-need // margins.margin)
    return RecallWeights(vector, 0, -(-(need + vector * (margins.norm - margins.best)) // 2))


def require_weights(
    precision: Precision,
    margins: Margins,
    weights: RecallWeights,
    addresses: Addresses | None,
    ahead: int | None = None,
) -> None:
    """An :class:`~ccsim.errors.InputError` unless the inequalities hold and the precision holds everything.

    ``addresses`` is None where labels hold copies; ``ahead`` represents z if it is given.
    """
    need = (reach(precision) if ahead is None else ahead) * margins.norm
    a, b, c = weights.vector, weights.address, weights.flag
    gaps = {"other points": a * margins.margin}
    lowest, highest = a * margins.best + c, a * margins.norm + c
    if addresses is None:
        gaps["points"] = 2 * c - a * (margins.norm - margins.best)
    else:
        spread, largest = _spread(addresses), max(addresses.largest_product, 0)
        gaps["other points"] -= b * spread
        gaps["itself"] = b * (addresses.dimension - largest) - a * (margins.norm - margins.best)
        gaps["labels"] = a * margins.best - b * spread + 2 * c
        lowest, highest = lowest - b * largest, highest - b * min(addresses.least_product, 0)
    for name, gap in gaps.items():
        if gap < need:
            raise InputError("weights", weights, f"{name} at least {need} below the nearest point, not {gap}")
    top = max(a * margins.entry, b, c, margins.entry * precision.scale, highest // margins.norm)
    if top > precision.high or lowest // margins.norm - reach(precision) < precision.low:
        raise InputError("precision", str(precision), f"one that holds {Fraction(top, precision.scale)}")


def largest_number(precision: Precision, margins: Margins, weights: RecallWeights, addresses: Addresses | None) -> int:
    a, b, c = weights.vector, weights.address, weights.flag
    products = 0 if addresses is None else b * max(addresses.largest_product, -addresses.least_product)
    logits = (a * margins.norm + products + c) // margins.norm + 1 + reach(precision)
    return max(a * margins.entry, b, c, margins.entry * precision.scale, logits)


def _spread(addresses: Addresses) -> int:
    return max(addresses.largest_product, 0) - min(addresses.least_product, 0)


def nearest_neighbour_transformer(
    pairs: int,
    vectors: Iterable[tuple[int, ...]],
    labels: Iterable[Hashable] = "01",
    margin: int = 1,
    *,
    route: Route = "address",
    precision: int | Precision | None = None,
    addresses: Addresses | None = None,
) -> Transformer:
    """A transformer for :func:`ccsim.problems.nearest_neighbour`, right wherever its promise holds.

    Args:
        pairs: the most pairs; shorter prompts may come too.
        vectors: integer vectors of one norm, from which points and queries come.
        labels: the labels.
        margin: by how much the nearest point beats every other, in products of these vectors.
        route: "address" or "copy", see the head of this module.
        precision: as for :func:`index_lookup_transformer`, with s not below the positions.
        addresses: one vector of signs for each of the 2 pairs + 1 positions; unless given, the smallest sign vectors
            that the inequalities allow, with a third to spare.

    Raises :class:`~ccsim.errors.InputError` where the inequalities fail, and :class:`~ccsim.errors.TableTooLargeError`,
    before anything is built, where small margins make addresses (by ``address``) too long for this machine's memory.

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
    return plan.transformer(precision, addresses)


def associative_recall_transformer(
    pairs: int,
    keys: Iterable[Hashable] | None = None,
    values: Iterable[Hashable] = "01",
    *,
    route: Route = "address",
    precision: int | Precision | None = None,
    addresses: Addresses | None = None,
    codes: Addresses | None = None,
) -> Transformer:
    """A transformer for :func:`ccsim.problems.associative_recall`: the nearest key is the one asked for.

    ``codes`` are the vectors of the keys; unless given, the smallest sign vectors with products of at most half, so
    that the margin is a constant. For the rest see :func:`nearest_neighbour_transformer`.

    >>> model = associative_recall_transformer(3)
    >>> model("a0b1c0b"), model("c1a0c"), model.mistake(associative_recall(3))
    ('1', '1', None)
    """
    plan = recall_plan(pairs, 1, keys, values, route, codes)
    return plan.transformer(precision, addresses)


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
) -> MultiQueryTransformer:
    """A model for :func:`ccsim.problems.multi_query_associative_recall`: one pass, read out at each query's position.

    Queries may be any different keys of the word, in any order. Arguments are those of
    :func:`associative_recall_transformer`.

    >>> from ccsim.problems import multi_query_associative_recall
    >>> model = multi_query_recall_transformer(2)
    >>> model("a0b1ba"), model.mistake(multi_query_associative_recall(2))
    (('1', '0'), None)
    """
    plan = recall_plan(pairs, pairs if queries is None else queries, keys, values, route, codes)
    inner = plan.transformer(precision, addresses)
    model = MultiQueryTransformer(inner, plan.queries)
    object.__setattr__(model, ATTRIBUTE, size_of(inner))
    return model


def recall_plan(
    pairs: int,
    queries: int,
    keys: Iterable[Hashable] | None,
    values: Iterable[Hashable],
    route: Route,
    codes: Addresses | None,
) -> RecallPlan:
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
    name: str
    points: tuple[Hashable, ...]
    rows: Array
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
        return 2 * self.pairs + self.queries

    def transformer(self, precision: int | Precision | None, addresses: Addresses | None) -> Transformer:
        by_address = self.route == "address"
        if addresses is None:
            noise = min(Fraction(1, 2), self.margins.largest_noise * 2 / 3) if by_address else Fraction(1, 2)
            self._require_room(hoeffding_dimension(self.positions, noise) // SURELY)
            addresses = smallest_sign_vectors(self.positions, noise, two_sided=by_address)
        self._require_room(addresses.dimension)
        addresses = require_addresses(addresses, self.positions)
        digits, used = max(1, (len(self.labels) - 1).bit_length()), addresses if by_address else None

        def weights_in(precision: Precision) -> RecallWeights:
            if used is None:
                return copy_weights(precision, self.margins)
            return address_weights(precision, self.margins, used)

        def largest(rough: Precision) -> int:
            return max(largest_number(rough, self.margins, weights_in(rough), used), digits * rough.scale)

        precision, _, strength = fetching(precision, self.positions, addresses, None, largest)
        weights = weights_in(precision)
        require_weights(precision, self.margins, weights, used)
        require_hard(precision, addresses, strength)
        require_number(precision, digits * precision.scale, f"the product of two labels, {digits}")
        model = self.model(precision, addresses, weights, strength)
        table = self.positions * model.width
        stored = 0 if callable(model.position_embedding) else table
        points = len(self.points) * model.width if self.margins.entry == 1 and self.margins.norm > 1 else 0
        return measured(
            model, generated=stored + points, given=table - stored, seed_bits=2 * addresses.seed_bits, source=SOURCE
        )

    def _require_room(self, signs: int) -> None:
        entries, few = self.rows.shape[1], "" if self.route == "copy" else "; few by route='copy'"
        width, columns = 2 * entries + 3 * signs + 2, entries + signs + 1
        require_memory(MATRICES * width * columns * 8, f"{self.name} with long addresses ({signs} signs{few})")

    def model(
        self, precision: Precision, addresses: Addresses, weights: RecallWeights, strength: int, soft: bool = False
    ) -> Transformer:
        entries, signs, by_address = self.rows.shape[1], addresses.dimension, self.route == "address"
        codes, twice = np.array(answer_codes(len(self.labels))), 2 if soft else 1
        sizes = {"point": entries, "label": codes.shape[1], "kind": 1, "own": signs, "asked": signs}
        slots = Slots(**sizes, fetched=signs if by_address else entries)
        stream, by_vector = Stream(precision, slots), Fraction(1, self.margins.norm)
        if by_address:
            vector, flag, address = weights.vector, weights.flag, -weights.address
            parts = [("point", "point", vector), ("kind", "kind", flag), ("own", "own", address)]
            first = stream.head(parts, "asked", "fetched", by_vector)
            second = stream.fetch("fetched", "label", "label", strength)
        else:
            first = stream.fetch("asked", "point", "fetched", strength)
            parts = [("point", "fetched", weights.vector), ("kind", "kind", -weights.flag)]
            second = stream.head(parts, "label", "label", by_vector)
        tokens = stream.numbers(len(self.points) + len(self.labels), point=self.rows)
        tokens[len(self.points) :, slots["label"]] = twice * codes
        table = stream.whole(self._embedded(stream, addresses, twice))

        def prompt(length: int) -> Array:
            if length % 2 == 0 or length > len(table):
                raise InputError("length", length, f"an odd number up to {len(table)}")
            return table[:length]

        restored = [_sigma(stream, part) if soft else [] for part in ("fetched", "label")]
        return stream.transformer(
            Transformer,
            f"{self.name} by two {'soft layers' if soft else f'layers, {self.route}'} ({precision.bits} bits)",
            (*self.points, *self.labels),
            self.labels,
            stream.whole(tokens),
            table if self.queries > 1 else prompt,
            stream.block(first, layers=restored[0]),
            stream.block(second, layers=restored[1]),
            read_out=stream.read_out(len(self.labels), label=codes),
        )

    def _embedded(self, stream: Stream, addresses: Addresses, times: int) -> Array:
        """Kind, address, and the address that is asked for (or, on the route by address, given away)."""
        numbers, by_address = np.arange(1, self.positions + 1), self.route == "address"
        is_label = (numbers % 2 == 0) & (numbers <= 2 * self.pairs)
        is_paired = (numbers % 2 == 1) & (numbers <= 2 * self.pairs)
        return stream.numbers(
            self.positions,
            kind=np.where(is_label == by_address, -1, 1)[:, None],
            own=addresses.rows(numbers),
            asked=times * addresses.rows(numbers + is_paired if by_address else numbers - is_label),
        )


class MultiQueryTransformer(AskingModel):
    """A transformer for single queries, read out at each of the last ``queries`` positions: a tuple of answers."""

    def __init__(self, transformer: Transformer, queries: int) -> None:
        super().__init__(transformer)
        self.queries, self.name = queries, f"{self.name}, {queries} queries"
        few = len(self.answers) ** queries <= MOST_ANSWERS
        self.answers = tuple(product(self.answers, repeat=queries)) if few else ()

    def values(self, words: Array) -> Array:
        """The code of the answer to each query, int64 of shape (..., queries), on words (..., N)."""
        length = np.asarray(words).shape[-1]
        return np.asarray(self.transformer.outputs_at(words, np.arange(length - self.queries, length)).argmax(axis=-1))

    def codes(self, words: Array) -> Array:
        """The codes of the tuples of answers, int64; only for up to 2^20 tuples, see :meth:`values` for more."""
        if not self.answers:
            expected = f"at most {MOST_ANSWERS} tuples of answers; values() has no limit"
            raise InputError("queries", self.queries, expected)
        weights = len(self.transformer.answers) ** np.arange(self.queries)[::-1]
        return np.asarray(self.values(words) @ weights)


def soft_recall_transformer(
    pairs: int,
    keys: Iterable[Hashable] | None = None,
    values: Iterable[Hashable] = "01",
    *,
    precision: int | Precision | None = None,
    addresses: Addresses | None = None,
    codes: Addresses | None = None,
    ahead: Fraction | int | None = None,
) -> Transformer:
    """A transformer for :func:`ccsim.problems.associative_recall`, by the printed soft attention and sigma.

    Args:
        pairs: the most pairs; shorter prompts may come too.
        keys, values: what is recalled by, and what; the letters and two bits, unless given.
        precision: of everything; unless given, steps of 1/s with s >= 4 (18 (pairs + 1))^(3/2) a power of two, and
            the range that it needs.
        addresses: of the 2 pairs + 1 positions; unless given, the smallest sign vectors with products within half.
        codes: the vectors of the keys; unless given, the smallest sign vectors with products of at most half.
        ahead: by how much the wanted logit is above all others; unless given, just above ln(18 (pairs + 1)).

    Raises :class:`~ccsim.errors.InputError` if the wanted position may get 9/10 of the weight or less.

    >>> model = soft_recall_transformer(3)
    >>> model("a0b1c0b"), model("c1a0c"), model.layers, model.heads
    ('1', '1', 2, 1)
    """
    plan, wanted = recall_plan(pairs, 1, keys, values, "address", codes), require_strength(ahead)
    if addresses is None:
        addresses = smallest_sign_vectors(plan.positions, Fraction(1, 2), two_sided=True)
    addresses = require_addresses(addresses, plan.positions)
    if precision is None:
        fraction_bits = -(-3 * (18 * (pairs + 1) - 1).bit_length() // 2) + FINER
        rough = Precision.fixed_point(1, fraction_bits)
        precision = least_format(fraction_bits, _largest_of_soft(plan, rough, addresses, _steps(rough, pairs, wanted)))
    precision = as_precision(precision)
    steps = _steps(precision, pairs, wanted)
    if 10 * weight_ahead(precision, steps, plan.positions - 1) <= 9 * precision.scale:
        raise InputError("ahead", Fraction(steps, precision.scale), "one that gives a weight above 9/10")
    weights = address_weights(precision, plan.margins, addresses, steps)
    require_weights(precision, plan.margins, weights, addresses, steps)
    require_number(precision, _largest_of_soft(plan, precision, addresses, steps))
    model = plan.model(precision, addresses, weights, hard_strength(precision, addresses, steps), soft=True)
    table = plan.positions * model.width
    stored = len(plan.points) * model.width  # keys are made by a rule as well
    return measured(model, generated=stored, given=table, seed_bits=2 * addresses.seed_bits, source=SOURCE)


def _steps(precision: Precision, pairs: int, ahead: Fraction | None) -> int:
    if ahead is None:
        return above_logarithm(Fraction(precision.scale), 18 * (pairs + 1))
    return int(ahead * precision.scale // 1)


def _largest_of_soft(plan: RecallPlan, precision: Precision, addresses: Addresses, steps: int) -> int:
    """The largest number, in steps: of the first layer, the second query, what sigma adds up, or two labels."""
    weights = address_weights(precision, plan.margins, addresses, steps)
    most = largest_number(precision, plan.margins, weights, addresses)
    digits = len(answer_codes(len(plan.labels))[0])
    return max(most, hard_strength(precision, addresses, steps), max(4, digits) * precision.scale)


def _sigma(stream: Stream, part: str) -> list[Layer]:
    """relu(a + 1) - relu(a - 1) - 1 in the place of a; a = relu(a + 2) - 2 itself is taken off."""
    scale, entry = stream.precision.scale, np.eye(stream.slots.size(part), dtype=np.int64)
    bias, signs = scale * np.repeat([1, -1, 2], len(entry)), np.vstack([entry, -entry, -entry])
    return stream.units({part: np.hstack([entry] * 3)}, bias, {part: signs}, **{part: scale})
