"""Thresholds of features of a few bits each, by two attention layers of logarithmic width.

In the first layer position i has one head for each bit of the i-th feature and fetches it by address; relu units look
the feature up in its table, which is part of the position's embedding. The second layer averages the features over all
positions. Bhattamishra, Hahn, Blunsom and Kanade 2024, theorem 13. The source lets a feature of fewer than k bits look
at [BOS], whose bit is 0; here [BOS] reads as the bit 0 (-1), and the table does not depend on it.

The source is silent about how a position knows which function its feature is. Here the table of 2^k bits is in the
stream, which makes the width (k + 1) r + 2^k + k + 3 for addresses of r signs. Nor does it count the bits that list the
features, of order N log N if there is no rule behind them; here they are part of the representation.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ccsim.arithmetic import IntArray, Precision, as_precision
from ccsim.errors import InputError
from ccsim.models import Transformer
from protocols.constructions.addressing import (
    hard_strength,
    least_format,
    require_addresses,
    require_hard,
    require_strength,
)
from protocols.constructions.formulas import NormalForm, SparseThreshold
from protocols.constructions.size import ConstructionSize, with_size
from protocols.constructions.start import START, StartedTransformer
from protocols.constructions.vectors import Addresses
from protocols.constructions.weights import Slots, affine, block, head, whole

SOURCE = "Bhattamishra, Hahn, Blunsom and Kanade 2024, Theorem 13"


def threshold_transformer(
    threshold: SparseThreshold | NormalForm,
    *,
    precision: int | Precision | None = None,
    addresses: Addresses | None = None,
    strength: Fraction | int | None = None,
    verify: bool = True,
) -> StartedTransformer:
    """A transformer for a threshold of k-sparse features, or a formula: k heads; its task is ``threshold.task()``.

    Positions see each other in both directions, as a feature may lie before its bits.

    Args:
        threshold: the features and the bound, or a k-CNF or k-DNF with at most N parts.
        precision: of everything; unless given, steps of 1/s, s >= N + 1 a power of two, and the range that it needs.
        addresses: N + 1 vectors of signs, the first for [BOS]; unless given, the smallest with products up to half.
        strength: the eta of the source, an exact number; unless given, the least for which fetched weights are 1.
        verify: whether the inequalities are checked, in integers; if not, a precision too small makes a wrong model.

    Raises :class:`~ccsim.errors.InputError` for a precision in which the inequalities fail.

    >>> model = threshold_transformer(SparseThreshold.majority(5))
    >>> model("01101"), model("01001"), model.mistake(SparseThreshold.majority(5).task())
    (1, 0, None)
    >>> threshold_transformer(NormalForm.parse("(x1 | !x2) & (x2 | x3)"))("101")
    1
    """
    threshold = threshold.threshold() if isinstance(threshold, NormalForm) else threshold
    if not isinstance(threshold, SparseThreshold):
        raise InputError("threshold", threshold, "a SparseThreshold or a NormalForm")
    positions = threshold.length + 1
    addresses, strength = require_addresses(addresses, positions), require_strength(strength)
    if precision is None:
        fraction_bits = (positions - 1).bit_length()
        least = hard_strength(Precision.fixed_point(1, fraction_bits), addresses)
        least = least if strength is None else int(strength * (1 << fraction_bits))
        precision = least_format(fraction_bits, max(least, (threshold.sparsity << fraction_bits) - 1))
    precision = as_precision(precision)
    steps = hard_strength(precision, addresses) if strength is None else int(strength * precision.scale // 1)
    if verify:
        require_hard(precision, addresses, steps)
        if precision.scale < positions:
            raise InputError("precision", str(precision), f"steps of at most 1/{positions}")
        if -threshold.sparsity * precision.scale < precision.low:
            raise InputError("precision", str(precision), f"one that holds -{threshold.sparsity}")
    inner = _build(threshold, precision, addresses, min(steps, precision.high))
    model = StartedTransformer(inner)
    seed_bits = addresses.seed_bits + threshold.description_bits
    size = ConstructionSize.measured(model, generated=positions * model.width, seed_bits=seed_bits, source=SOURCE)
    return with_size(model, size)


def _build(threshold: SparseThreshold, precision: Precision, addresses: Addresses, strength: int) -> Transformer:
    positions, k, signs = threshold.length + 1, max(1, threshold.sparsity), addresses.dimension
    asked = {f"asked{j}": signs for j in range(k)}
    slots = Slots(bit=1, fetched=k, table=1 << k, feature=1, mean=1, own=signs, **asked)
    one = min(precision.scale, precision.high)
    heads = []
    for j in range(k):
        query, key = [(slots[f"asked{j}"], strength)], [(slots["own"], one)]
        target = slice(slots["fetched"].start + j, slots["fetched"].start + j + 1)
        heads.append((head(precision, slots.width, query, key, slots["bit"], Fraction(1, signs)), target))
    averaging = head(precision, slots.width, [], [], slots["feature"], Fraction(1))
    tokens = np.zeros((3, slots.width), dtype=np.int64)
    tokens[:, slots["bit"]] = [[-1], [1], [-1]]
    read_out = np.zeros((slots.width, 2), dtype=np.int64)
    read_out[slots["mean"]] = [0, one]
    share = precision.scale // positions  # what one feature adds to the mean
    return Transformer(
        name=f"{threshold.task().name} by two layers ({precision.bits} bits)",
        alphabet=("0", "1", START),
        answers=(0, 1),
        token_embedding=whole(precision, tokens),
        position_embedding=whole(precision, _positions(threshold, slots, k, addresses)),
        blocks=(
            block(precision, slots.width, heads, _look_up(precision, slots, k)),
            block(precision, slots.width, [(averaging, slots["mean"])]),
        ),
        read_out=affine(precision, read_out, np.array([threshold.bound * share, 0])),
        causal=False,
    )


def _positions(threshold: SparseThreshold, slots: Slots, k: int, addresses: Addresses) -> IntArray:
    """Address, addresses of the feature's bits, and table of each position; position 1 is [BOS], whose feature is 0."""
    positions = np.zeros((threshold.length + 1, slots.width), dtype=np.int64)
    positions[:, slots["own"]] = addresses.rows(np.arange(1, threshold.length + 2))
    asked = np.ones((threshold.length + 1, k), dtype=np.int64)  # [BOS], unless there is a bit to fetch
    for place, feature in enumerate(threshold.features, start=1):
        asked[place, : len(feature.positions)] = np.array(feature.positions, dtype=np.int64) + 1
        missing = k - len(feature.positions)
        table = np.repeat(np.array(feature.table), 1 << missing)  # whatever the missing bits are
        positions[place, slots["table"]] = table
    for j in range(k):
        positions[:, slots[f"asked{j}"]] = addresses.rows(asked[:, j])
    return positions


def _look_up(precision: Precision, slots: Slots, k: int) -> list[tuple[IntArray, IntArray, str]]:
    """Unit a of 2^k: relu(sum_j a_j b_j - k + table[a]) for signs b, which is table[a] if b = a, else 0."""
    one = min(precision.scale, precision.high)
    settings = 2 * (np.arange(1 << k)[:, None] >> np.arange(k - 1, -1, -1) & 1) - 1
    first = np.zeros((slots.width, 1 << k), dtype=np.int64)
    first[slots["fetched"]] = one * settings.T
    first[slots["table"]] = one * np.eye(1 << k, dtype=np.int64)
    total = np.zeros((1 << k, slots.width), dtype=np.int64)
    total[:, slots["feature"]] = one
    nothing = np.zeros(slots.width, dtype=np.int64)
    return [(first, np.full(1 << k, -k * precision.scale), "relu"), (total, nothing, "identity")]
