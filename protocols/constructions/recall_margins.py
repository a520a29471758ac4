"""The inequalities behind recall in two layers, with constants that satisfy them, and the printed ones beside them.

A query x at position t looks at points x_i and labels. With addresses s of k signs, whose products lie between G- and
G+ (W apart), vectors of squared norm r^2 and integer weights A, B, C, the logits are, in steps and divided by r^2::

    points   A <x, x_i> - B <s_t, s_i> + C        the query itself is one of them: A r^2 - B k + C
    labels              - B <s_t, s_i> - C

The nearest point must be z steps above everything else, where z is what makes exponentials 0
(see :mod:`protocols.constructions.addressing`). If it beats other points by ``margin`` and has a product of at least
``best``, this holds if all of these hold, which are decided in integers::

    other points   A margin - B W                     >= z r^2
    itself         B (k - G+) - A (r^2 - best)        >= z r^2
    labels         A best - B W + 2 C                 >= z r^2

The text (Bhattamishra, Hahn, Blunsom and Kanade 2024, appendix G.2) takes B / A = 10, C = 3 for points and 6 for
labels, and products of addresses below a hundredth of the margin g. By its lemma that takes k of order log N / g^2
signs: a width of O(log N) if g is a constant; for margins that shrink, labels may copy their points (route ``copy``).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ccsim.arithmetic import Precision
from ccsim.errors import InputError
from protocols.constructions.addressing import reach
from protocols.constructions.vectors import Addresses


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

    Attributes:
        vector: A, of the vector.
        address: B, against the position itself.
        flag: C, for points (or labels) against the other kind.
    """

    vector: int
    address: int
    flag: int

    def saturated(self, precision: Precision) -> RecallWeights:
        """What a precision that is too small makes of them."""
        return RecallWeights(*(min(weight, precision.high) for weight in (self.vector, self.address, self.flag)))


def address_weights(
    precision: Precision, margins: Margins, addresses: Addresses, ahead: int | None = None
) -> RecallWeights:
    """The least A, B, C that satisfy the three inequalities, with ``ahead`` steps for z if they are given.

    Raises :class:`~ccsim.errors.InputError` if none do, as the addresses are not orthogonal enough.
    """
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

    ``addresses`` is None where labels hold copies; ``ahead`` stands for z if it is given.
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
    """A mantissa that :func:`require_weights` wants the precision to hold, and its negative."""
    a, b, c = weights.vector, weights.address, weights.flag
    products = 0 if addresses is None else b * max(addresses.largest_product, -addresses.least_product)
    logits = (a * margins.norm + products + c) // margins.norm + 1 + reach(precision)
    return max(a * margins.entry, b, c, margins.entry * precision.scale, logits)


def _spread(addresses: Addresses) -> int:
    return max(addresses.largest_product, 0) - min(addresses.least_product, 0)
