"""INDEX with public coins at every length: the bound by entropy, as a certificate of a line.

A message that lets Bob know each of n independent bits with error e has at least (1 - H(e)) n bits (Kremer, Nisan and
Ron 1999; the proof stands in docs/theory.md under bits-of). For all n that is one argument; at each n that is asked for
the checker decides, in integers, how many whole bits it makes.
"""

from __future__ import annotations

from fractions import Fraction

from ccsim.arguments import require_integer
from ccsim.bounds.bracket import Bracket, Witness
from ccsim.bounds.rationals import as_text
from ccsim.certificates.verify.claims import Claim as CheckedClaim
from ccsim.certificates.verify.matrices import Unwritten
from ccsim.errors import InputError

LONGEST_INDEX = 1 << 20
"""The longest INDEX that the checker looks at."""


def index_randomised(n: int, error: Fraction | str = Fraction(1, 3)) -> Bracket:
    """The bits of one message for INDEX of ``n`` bits with public coins and this error, between entropy and all n bits.

    Args:
        n: bits that Alice holds, at most 2^20. No table of 2^n rows is written out.
        error: a rational of at most 1/2 and denominator at most 1000.

    >>> index_randomised(1000).certificate.verify()
    'one-way-randomised >= 82 bits (direction alice-to-bob, error 1/3) of index, n = 1000
    (2^1000 x 1000, sha256 9d070cadf500): lower by bits-of'
    """
    n, allowed = require_integer("n", n, low=1, high=LONGEST_INDEX), Fraction(error)
    if not 0 <= allowed <= Fraction(1, 2) or allowed.denominator > 1000:
        raise InputError("error", error, "from 0 to 1/2, of denominator at most 1000")
    parameters = {"direction": "alice-to-bob", "error": as_text(allowed)}
    patterns = {"kind": "all-patterns"}
    witness: Witness = {"kind": "bits-of", "measure": "vc-dimension", "given": {}, "of": patterns}
    proved = CheckedClaim(Unwritten("index", n), "one-way-randomised", "lower", parameters).proved(witness)
    named = ("index", n)
    return Bracket(
        "one-way-randomised", proved, n, "entropy | all bits", witness, None, parameters, "bits", function=named
    )


def keeps_entropy_bound(error: Fraction, n: int, bits: int) -> bool:
    """Whether b >= (1 - H(e)) n, in integers: with e = r / s, 2^(bs) s^(ns) >= 2^(ns) r^(nr) (s - r)^(n(s - r)).

    >>> keeps_entropy_bound(Fraction(1, 4), 3, 1), keeps_entropy_bound(Fraction(1, 10), 3, 1)
    (True, False)
    """
    r, s = error.numerator, error.denominator
    allowed, needed = s ** (n * s) << bits * s, r ** (n * r) * (s - r) ** (n * (s - r)) << n * s
    return bool(allowed >= needed)
