"""Associative recall as the source prints it: weights above 9/10, and relu units that restore the signs.

Bhattamishra, Hahn, Blunsom and Kanade 2024, theorem 7 and appendix G.2: the first layer gives the key that is asked for
more than 9/10 of the weight, so that twice the address behind it is above 1 or below -1 in each entry, whatever the
rest adds; sigma(a) = relu(a + 1) - relu(a - 1) - 1 makes 1 and -1 of it. The second layer does the same with the label.
Other positions do get weight here, unlike in :func:`protocols.constructions.associative_recall_transformer`.

The wanted logit is ahead by ln(18N) for N points with the query, as the printed eta makes it. The printed factors 10
and 3 are for addresses within a hundredth of the margin; here the least factors are taken that signs within a half
allow.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction

import numpy as np

from ccsim.arithmetic import IntArray, Precision, as_precision, exponential
from ccsim.errors import InputError
from ccsim.models import Transformer
from protocols.constructions.addressing import (
    answer_codes,
    hard_strength,
    least_format,
    require_addresses,
    require_strength,
)
from protocols.constructions.recall import SOURCE, Prompts, RecallPlan, recall_plan
from protocols.constructions.recall_margins import RecallWeights, address_weights, largest_number, require_weights
from protocols.constructions.size import ConstructionSize, with_size
from protocols.constructions.vector_bounds import above_logarithm
from protocols.constructions.vectors import Addresses, smallest_sign_vectors
from protocols.constructions.weights import Slots, affine, block, head, whole

FINER = 2  # so many bits after the point more than (18N)^(3/2) needs: weights of others do not all vanish


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
        addresses: one vector of signs for each of the 2 pairs + 1 positions; unless given, the smallest sign vectors
            with products within half.
        codes: the vectors of the keys; unless given, the smallest sign vectors with products of at most half.
        ahead: by how much the wanted logit is above all others; unless given, the first number above
            ln(18 (pairs + 1)).

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
        precision = least_format(fraction_bits, _largest(plan, rough, addresses, _steps(rough, pairs, wanted)))
    precision = as_precision(precision)
    steps = _steps(precision, pairs, wanted)
    exponent = int(exponential(precision)(np.array([-steps]))[0])
    if 10 * (precision.scale**2 // (precision.scale + (plan.positions - 1) * exponent)) <= 9 * precision.scale:
        raise InputError("ahead", Fraction(steps, precision.scale), "one that gives a weight above 9/10")
    weights = address_weights(precision, plan.margins, addresses, steps)
    require_weights(precision, plan.margins, weights, addresses, steps)
    if (largest := _largest(plan, precision, addresses, steps)) > precision.high:
        raise InputError("precision", str(precision), f"one that holds {Fraction(largest, precision.scale)}")
    model = _build(plan, precision, addresses, weights, hard_strength(precision, addresses, steps))
    table = plan.positions * model.width
    stored = len(plan.points) * model.width  # keys are made by a rule as well
    size = ConstructionSize.measured(
        model, generated=stored, given=table, seed_bits=2 * addresses.seed_bits, source=SOURCE
    )
    return with_size(model, size)


def _steps(precision: Precision, pairs: int, ahead: Fraction | None) -> int:
    """How many steps the wanted logit is above others."""
    if ahead is None:
        return above_logarithm(Fraction(precision.scale), 18 * (pairs + 1))
    return int(ahead * precision.scale // 1)


def _largest(plan: RecallPlan, precision: Precision, addresses: Addresses, steps: int) -> int:
    """The largest number, in steps: of the first layer, the second query, what sigma adds up, or two labels."""
    weights = address_weights(precision, plan.margins, addresses, steps)
    most = largest_number(precision, plan.margins, weights, addresses)
    digits = len(answer_codes(len(plan.labels))[0])
    return max(most, hard_strength(precision, addresses, steps), max(4, digits) * precision.scale)


def _build(
    plan: RecallPlan, precision: Precision, addresses: Addresses, weights: RecallWeights, strength: int
) -> Transformer:
    codes, signs, one = np.array(answer_codes(len(plan.labels))), addresses.dimension, precision.scale
    sizes = {"point": plan.rows.shape[1], "label": codes.shape[1], "kind": 1, "own": signs, "asked": signs}
    slots = Slots(**sizes, found=signs)
    query = [(slots["point"], weights.vector), (slots["kind"], weights.flag), (slots["own"], -weights.address)]
    key, own = [(slots["point"], one), (slots["kind"], one), (slots["own"], one)], [(slots["own"], one)]
    first = head(precision, slots.width, query, key, slots["asked"], Fraction(1, plan.margins.norm))
    second = head(precision, slots.width, [(slots["found"], strength)], own, slots["label"], Fraction(1, signs))
    tokens = np.zeros((len(plan.points) + len(plan.labels), slots.width), dtype=np.int64)
    tokens[: len(plan.points), slots["point"]] = plan.rows
    tokens[len(plan.points) :, slots["label"]] = 2 * codes
    table = plan.embedded(slots, addresses)
    table[:, slots["asked"]] *= 2
    read_out = np.zeros((slots.width, len(plan.labels)), dtype=np.int64)
    read_out[slots["label"]] = codes.T
    return Transformer(
        name=f"{plan.name} by two soft layers ({precision.bits} bits)",
        alphabet=(*plan.points, *plan.labels),
        answers=plan.labels,
        token_embedding=whole(precision, tokens),
        position_embedding=Prompts(whole(precision, table)),
        blocks=(
            block(precision, slots.width, [(first, slots["found"])], _sigma(slots, "found", precision)),
            block(precision, slots.width, [(second, slots["label"])], _sigma(slots, "label", precision)),
        ),
        read_out=affine(precision, whole(precision, read_out)),
    )


def _sigma(slots: Slots, part: str, precision: Precision) -> list[tuple[IntArray, IntArray, str]]:
    """relu(a + 1) - relu(a - 1) - 1 in the place of a; a = relu(a + 2) - 2 itself is taken off."""
    scale, entries = precision.scale, slots.size(part)
    first, last = np.zeros((slots.width, 3 * entries), np.int64), np.zeros((3 * entries, slots.width), np.int64)
    first[slots[part]] = scale * np.hstack([np.eye(entries, dtype=np.int64)] * 3)
    last[:, slots[part]] = scale * np.vstack([sign * np.eye(entries, dtype=np.int64) for sign in (1, -1, -1)])
    added = np.zeros(slots.width, dtype=np.int64)
    added[slots[part]] = scale
    return [(first, scale * np.repeat([1, -1, 2], entries), "relu"), (last, added, "identity")]
