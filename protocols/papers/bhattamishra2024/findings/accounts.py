"""What the sizes of the constructed models must be, worked out again from the lengths and from the signs of addresses.

Everything here is integers and intervals of :mod:`protocols.papers.plain.constructed`; nothing calls the constructions.
Which numbers a model must hold is written in ``docs/proofs/nearly_orthogonal.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from protocols.papers.plain.constructed import (
    binary_logarithm,
    first_zero,
    hard_steps,
    largest_products,
    least_signs,
    signs,
    whole_part,
)
from protocols.papers.plain.constructed import natural_logarithm as ln
from protocols.papers.plain.constructed import within as by_intervals

__all__ = [
    "Account",
    "Digits",
    "Signs",
    "brackets",
    "equality",
    "index_lookup",
    "nearest",
    "proved_signs",
    "recall",
    "soft_lookup",
    "soft_recall",
    "thresholds",
]

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


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
class Digits:
    """Codes of binary digits, so many that all differ: two of them differ in one digit at least, or in all."""

    count: int

    @property
    def dimension(self) -> int:
        """The digits that are needed, at least one."""
        return max(1, binary_logarithm(self.count))

    @property
    def products(self) -> tuple[int, int]:
        """Of codes that differ everywhere, and in one digit only."""
        return -self.dimension, self.dimension - 2


@dataclass(frozen=True)
class Account:
    """A model's size as it must be.

    Attributes:
        width, precision, heads, layers: of the model.
        signs: the families of vectors that it holds.
        queries: for each layer the largest weight of a query, in steps: how strongly it must look, and no more.
    """

    width: int
    precision: int
    heads: int
    layers: int
    signs: tuple[Signs, ...]
    queries: tuple[int, ...]


def proved_signs(count: int, bound: Fraction, two_sided: bool = False) -> int:
    """The first whole number above (2 / g^2) ln(pairs); of twice the pairs, if products count from both sides."""
    events = count * (count - 1) // (1 if two_sided else 2)
    if events < 2:
        return 1
    return 1 + int(by_intervals(lambda: whole_part(ln(events) * int(2 * bound.denominator**2) / bound.numerator**2)))


def _steps(positions: int) -> int:
    """How many steps make 1: the least power of two that is not below the positions."""
    steps = 1
    while steps < positions:
        steps *= 2
    return steps


def _bits(steps: int, largest: int) -> int:
    """A sign, the bits after the point, and as many before it as the largest number needs, at least one."""
    after = steps.bit_length() - 1
    before = 1
    while largest >= 2 ** (before + after):
        before += 1
    return 1 + before + after


def _strength(steps: int, own: Signs) -> int:
    return hard_steps(steps, own.dimension, own.products[1])


def index_lookup(length: int) -> Account:
    """A code of one sign, the address asked for, the own address; no number is larger than a query."""
    own, steps = Signs(max(length, 2)), _steps(length + 1)
    strength = _strength(steps, own)
    return Account(1 + 2 * own.dimension, _bits(steps, max(strength, steps)), 1, 1, (own,), (strength,))


def soft_lookup(length: int) -> Account:
    """A digit of the code, the address asked for, the own address; eta is the first step above 2 ln 3N."""
    own, steps = Signs(max(length, 2), QUARTER), 16
    while steps**2 < 256 * _steps(max(length, 2)) ** 3:
        steps *= 2
    eta = 1 + int(by_intervals(lambda: whole_part(2 * ln(3 * length) * steps)))
    return Account(1 + 2 * own.dimension, _bits(steps, max(eta, 2 * steps)), 1, 1, (own,), (eta,))


def equality(length: int, symbols: int = 2) -> Account:
    """Three codes (own, partner, itself), difference and mean, the own address, the address asked for."""
    own, steps = Signs(length), _steps(length)
    strength = _strength(steps, own)
    return Account(
        2 + 3 * max(1, binary_logarithm(symbols)) + 2 * own.dimension,
        _bits(steps, strength),
        2,
        2,
        (own,),
        (strength, 0),
    )


def thresholds(sparsity: int) -> Callable[[int], Account]:
    """Bit, feature and mean, k fetched bits, a table of 2^k, the own address and k addresses that are asked for."""

    def account(length: int) -> Account:
        own, steps = Signs(length + 1), _steps(length + 1)
        strength = _strength(steps, own)
        width = (sparsity + 1) * own.dimension + 2**sparsity + sparsity + 3
        precision = _bits(steps, max(strength, sparsity * steps - 1))
        return Account(width, precision, sparsity, 2, (own,), (strength, 0))

    return account


def recall(queries: Callable[[int], int], codes: type[Signs] | type[Digits] = Signs) -> Callable[[int], Account]:
    """A code, a label and a kind; the own address, the address behind it, and the address that is found."""

    def account(length: int) -> Account:
        positions = length + queries(length)
        keys, own, steps = codes(max(2, length // 2)), Signs(positions, HALF, two_sided=True), _steps(positions)
        width, strength = keys.dimension + 3 * own.dimension + 2, _strength(steps, own)
        weights, logits = _by_address(steps, keys, own, first_zero(steps))
        precision = _bits(steps, max(*weights, steps, logits, strength))
        signs = (keys, own) if isinstance(keys, Signs) else (own,)
        return Account(width, precision, 1, 2, signs, (max(weights), strength))

    return account


def soft_recall(length: int) -> Account:
    """The same numbers at each position; logits are ahead by the first step above ln(18N), N points with the query."""
    points, steps = length // 2 + 1, 4
    while steps**2 < 16 * _steps(18 * points) ** 3:
        steps *= 2
    keys, own = Signs(max(2, length // 2)), Signs(length + 1, HALF, two_sided=True)
    ahead = 1 + int(by_intervals(lambda: whole_part(ln(18 * points) * steps)))
    strength = hard_steps(steps, own.dimension, own.products[1], ahead)
    weights, logits = _by_address(steps, keys, own, ahead)
    precision = _bits(steps, max(*weights, 4 * steps, logits, strength))
    return Account(keys.dimension + 3 * own.dimension + 2, precision, 1, 2, (keys, own), (max(weights), strength))


def _by_address(steps: int, codes: Signs | Digits, own: Signs, ahead: int) -> tuple[tuple[int, int, int], int]:
    """The weights A, B, C of the query where keys are codes (see recall_margins), and its largest logit."""
    norm, signs, zero = codes.dimension, own.dimension, first_zero(steps)
    least, most = min(own.products[0], 0), max(own.products[1], 0)
    margin, need = norm - max(codes.products[1], 0), ahead * norm
    against = -(-need // (signs - most))
    apart = need + against * (most - least)
    vector = -(-apart // margin)
    flag = max(0, -(-(apart - vector * norm) // 2))
    logits = (vector * norm + against * max(most, -least) + flag) // norm + 1 + zero
    return (vector, against, flag), logits


def nearest(length: int, gram: list[list[int]], entry: int) -> Account:
    """Points of whole numbers in space, of one norm, that labels copy: two points, two addresses, label and kind."""
    own, steps, norm = Signs(length + 1), _steps(length + 1), gram[0][0]
    best, zero, strength = min(norm, min(min(row) for row in gram) + 1), first_zero(steps), _strength(steps, own)
    vector = zero * norm  # the margin is 1
    flag = -(-(zero * norm + vector * (norm - best)) // 2)
    logits = (vector * norm + flag) // norm + 1 + zero
    precision = _bits(steps, max(vector * entry, flag, entry * steps, logits, strength))
    return Account(2 * 3 + 2 * own.dimension + 2, precision, 1, 2, (own,), (strength, max(vector, flag)))


def brackets(length: int, kinds: int, depth: int, layers: int | None) -> Account:
    """Sign, kind, 1, place, share, depth and the kind that is found; a parity, or a number for each depth; the faults.

    Two or three layers say whether a word belongs; those of None say what may follow, and hold no faults. Two layers at
    depth 3 hold codes with signs as well, and the sum of those of all that is open.
    """
    digits, steps = max(1, binary_logarithm(kinds)), _steps(max(length, 2))
    zero, faults = first_zero(steps), 0 if layers is None else 3
    levels = 1 if layers == 2 else depth + 1
    opened = 2 * digits if (layers, depth) == (2, 3) else 0
    width, strength = 5 + 2 * digits + levels + faults + opened, zero * length
    largest = max(3 * zero * length, steps**2, (depth + 1) * steps)
    queries = {2: (strength, 0), 3: (0, strength, 0), None: (0, strength)}[layers]
    heads = (3 if opened else 2) if layers == 2 else 1
    return Account(width, _bits(steps, largest), heads, len(queries), (), queries)
