"""What the sizes of the constructed models must be, worked out again from the lengths and from the signs of addresses.

Everything here is integers and intervals of :mod:`protocols.papers.plain.constructed`; nothing calls the constructions.
Which numbers a model must hold is written in ``docs/proofs/nearly_orthogonal.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from protocols.papers.plain.constructed import first_zero, hard_steps, largest_products, least_signs, signs, whole_part
from protocols.papers.plain.constructed import natural_logarithm as ln
from protocols.papers.plain.constructed import within as by_intervals

__all__ = ["Account", "Signs", "equality", "index_lookup", "nearest", "proved_signs", "recall", "thresholds"]

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Signs:
    """The vectors of a model: the least k for which the first k signs of the documented hash are far enough apart.

    Attributes:
        count, bound, two_sided: how many vectors, and within which share of k their products are.
    """

    count: int
    bound: Fraction = HALF
    two_sided: bool = False

    @property
    def dimension(self) -> int:
        """k."""
        return least_signs(self.count, self.bound, self.two_sided)

    @property
    def products(self) -> tuple[int, int]:
        """The least and the largest product of two of them."""
        return largest_products(signs(self.count, self.dimension))

    @property
    def proved(self) -> int:
        """How many signs are known to be enough."""
        return proved_signs(self.count, self.bound, self.two_sided)


@dataclass(frozen=True)
class Account:
    """A model's size as it must be.

    Attributes:
        width, precision, heads, layers: of the model.
        signs: the families of vectors that it holds.
    """

    width: int
    precision: int
    heads: int
    layers: int
    signs: tuple[Signs, ...]


def proved_signs(count: int, bound: Fraction, two_sided: bool = False) -> int:
    """The first whole number above (2 / g^2) ln(pairs); of twice the pairs, if products count from both sides."""
    events = count * (count - 1) // (1 if two_sided else 2)
    if events < 2:
        return 1
    return 1 + int(by_intervals(lambda: whole_part(ln(events) * int(2 * bound.denominator**2) / bound.numerator**2)))


def _bits(positions: int, largest: Callable[[int], int]) -> int:
    """A sign, enough bits after the point to tell one position, and as many before it as the largest number needs."""
    after = 0
    while 2**after < positions:
        after += 1
    number, before = largest(2**after), 1
    while number >= 2 ** (before + after):
        before += 1
    return 1 + before + after


def index_lookup(length: int) -> Account:
    """A code of one sign, the address asked for, the own address; no number is larger than a query."""
    own = Signs(max(length, 2))
    precision = _bits(length + 1, lambda scale: max(hard_steps(scale, own.dimension, own.products[1]), scale))
    return Account(1 + 2 * own.dimension, precision, 1, 1, (own,))


def equality(length: int) -> Account:
    """Five numbers (bit, partner, itself, difference, mean), the own address, the address asked for."""
    own = Signs(length)
    precision = _bits(length, lambda scale: hard_steps(scale, own.dimension, own.products[1]))
    return Account(5 + 2 * own.dimension, precision, 2, 2, (own,))


def thresholds(sparsity: int) -> Callable[[int], Account]:
    """Bit, feature and mean, k fetched bits, a table of 2^k, the own address and k addresses that are asked for."""

    def account(length: int) -> Account:
        own = Signs(length + 1)

        def largest(scale: int) -> int:
            return max(hard_steps(scale, own.dimension, own.products[1]), sparsity * scale - 1)

        width = (sparsity + 1) * own.dimension + 2**sparsity + sparsity + 3
        return Account(width, _bits(length + 1, largest), sparsity, 2, (own,))

    return account


def recall(queries: Callable[[int], int]) -> Callable[[int], Account]:
    """A code, a label and a kind; the own address, the address behind it, and the address that is found."""

    def account(length: int) -> Account:
        positions = length + queries(length)
        codes, own = Signs(max(2, length // 2)), Signs(positions, HALF, two_sided=True)
        width = codes.dimension + 3 * own.dimension + 2
        return Account(width, _bits(positions, lambda scale: _by_address(scale, codes, own)), 1, 2, (codes, own))

    return account


def _by_address(scale: int, codes: Signs, own: Signs) -> int:
    """The largest number where keys are codes: weights A, B, C of the query (see recall_margins), and its logits."""
    norm, signs, zero = codes.dimension, own.dimension, first_zero(scale)
    least, most = min(own.products[0], 0), max(own.products[1], 0)
    margin, need = norm - max(codes.products[1], 0), zero * norm
    against = -(-need // (signs - most))
    apart = need + against * (most - least)
    vector = -(-apart // margin)
    flag = max(0, -(-(apart - vector * norm) // 2))
    logits = (vector * norm + against * max(most, -least) + flag) // norm + 1 + zero
    return max(vector, against, flag, scale, logits, hard_steps(scale, signs, most))


def nearest(length: int, gram: list[list[int]], entry: int) -> Account:
    """Points of whole numbers, of one norm, that labels copy: two points, two addresses, label and kind."""
    own, norm = Signs(length + 1), gram[0][0]
    best = min(norm, min(min(row) for row in gram) + 1)
    dimension = 3

    def largest(scale: int) -> int:
        zero = first_zero(scale)
        vector = zero * norm  # the margin is 1
        flag = -(-(zero * norm + vector * (norm - best)) // 2)
        logits = (vector * norm + flag) // norm + 1 + zero
        return max(vector * entry, flag, entry * scale, logits, hard_steps(scale, own.dimension, own.products[1]))

    width = 2 * dimension + 2 * own.dimension + 2
    return Account(width, _bits(length + 1, largest), 1, 2, (own,))
