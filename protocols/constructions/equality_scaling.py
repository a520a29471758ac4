"""What the printed strength of attention does in the construction for equality, decided in integers.

Bhattamishra, Hahn, Blunsom and Kanade 2024, appendix F.2, take eta = ln N + K ln 2N for numbers in steps of N^-K, so
that exp(eta) is N (2N)^K. Logits are eta times products of addresses. In general the partner's product is at least 3/4
and others are at most 1/4, a gap of eta/2; for vectors of signs the partner's product is 1, a gap of 3 eta/4.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

from ccsim.arguments import require_integer


@dataclass(frozen=True)
class EqualityScaling:
    """The printed eta at one length and one precision of steps N^-K, beside what it is to do.

    Attributes:
        length: N.
        exponent: K.
        printed: ln N + K ln 2N, as a float to look at.
        derived: the least eta that the displayed inequality allows, 2 ln((N-1)(2 N^K - 1)).
        needed: where exponentials begin to round down to 0 for vectors of signs: above (4/3) K ln N.
        printed_satisfies_its_inequality: whether the printed eta is at least the derived one.
        printed_makes_others_zero: whether exp(-3 eta/4) < N^-K for the printed eta: all others get the weight 0, and
            the partner 1. It says 8^K N^3 > N^K, which is so for K up to 3 at every N.
        half_the_gap_is_enough: whether exp(-eta/2) < N^-K already, as it is to be without vectors of signs.
        other_weights_vanish: whether eta = K ln 2N makes exp(-3 eta/4) less than 1 / (2 N^K).
    """

    length: int
    exponent: int
    printed: float
    derived: float
    needed: float
    printed_satisfies_its_inequality: bool
    printed_makes_others_zero: bool
    half_the_gap_is_enough: bool
    other_weights_vanish: bool


def equality_scaling(length: int, exponent: int) -> EqualityScaling:
    """The printed eta of theorem 6 against what it is to do; see ``docs/proofs/equality_scaling.md``.

    >>> scaling = equality_scaling(64, 2)
    >>> scaling.printed_satisfies_its_inequality, scaling.printed_makes_others_zero, scaling.half_the_gap_is_enough
    (False, True, False)
    >>> equality_scaling(4096, 4).printed_makes_others_zero
    False
    """
    length, exponent = require_integer("length", length, low=2), require_integer("exponent", exponent, low=1)
    power, doubled = length**exponent, (2 * length) ** exponent
    bound = (length - 1) * (2 * power - 1)
    return EqualityScaling(
        length=length,
        exponent=exponent,
        printed=log(length) + exponent * log(2 * length),
        derived=2 * log(bound),
        needed=4 * exponent * log(length) / 3,
        printed_satisfies_its_inequality=length * doubled >= bound**2,
        printed_makes_others_zero=(length * doubled) ** 3 > power**4,
        half_the_gap_is_enough=length * doubled > power**2,
        other_weights_vanish=doubled**3 > (2 * power) ** 4,
    )
