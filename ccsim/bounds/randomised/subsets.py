"""Functions of how many elements two sets have in common, at every length: gamma_2 on the sets of one size.

Weights that depend on the number of common elements alone make a matrix with few eigenvalues, which are integers over
integers (the Johnson scheme: Delsarte 1973). The best weights are a linear program of as many variables; Razborov
(2003) proves by such weights that disjointness of n elements needs the root of n bits, even of qubits.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np

from ccsim.arguments import require_integer
from ccsim.bounds.bracket import Bracket, Witness
from ccsim.bounds.rationals import as_text
from ccsim.bounds.solvers import linear_program
from ccsim.certificates.verify.claims import Claim as CheckedClaim
from ccsim.certificates.verify.matrices import Unwritten
from ccsim.certificates.verify.norms import COMMON, signed_counts
from ccsim.errors import InputError

__all__ = ["LONGEST", "bits_of_sets", "disjointness_randomised"]

LONGEST = 1 << 12
"""The most elements that the checker looks at."""

MEASURES = {
    "randomised": ("bits", {"answer": "both", "coins": "public"}),
    "private-coins": ("bits", {}),
    "quantum": ("qubits", {}),
}
"""What the norm bounds, with units and parameters."""

MOST_SIZE = 64  # of the sets
FINE = 1 << 40
LARGEST = 1 << 63  # weight; the checker takes twice that
WORSE = 0.9  # of the best, from which on larger sets are not tried


def disjointness_randomised(n: int, error: Fraction | str = Fraction(1, 3)) -> Bracket:
    """The bits for disjointness of ``n`` elements with public coins and this error, between gamma_2 and n + 1.

    Args:
        n: elements, at most 4096. No table of 2^n rows is written out.
        error: a rational of at least 0 and below 1/2.

    >>> disjointness_randomised(16).certificate.verify()
    'randomised >= 4 bits (both know, coins public, error 1/3) of disjointness, n = 16
    (2^16 x 2^16, sha256 91493f32424a): lower by bits-of'
    """
    return bits_of_sets("disjointness", n, error)


def bits_of_sets(name: str, n: int, error: Fraction | str, measure: str = "randomised") -> Bracket:
    """Likewise for a function that the checker knows by how many elements are common to two sets.

    Args:
        name, n: the function.
        error: as above.
        measure: ``randomised``, ``private-coins``, which need at least what public ones need, or ``quantum``.

    >>> bits_of_sets("inner-product", 16, "1/3").lower, bits_of_sets("inner-product", 16, "1/3", "quantum").lower
    (11, 6)
    """
    if measure not in MEASURES:
        raise InputError("measure", measure, f"one of {', '.join(MEASURES)}")
    n, allowed = require_integer("n", n, low=2, high=LONGEST), Fraction(error)
    if name not in COMMON:
        raise InputError("name", name, f"one of {', '.join(COMMON)}")
    if not 0 <= allowed < Fraction(1, 2):
        raise InputError("error", error, "at least 0 and below 1/2")
    unit, parameters = MEASURES[measure]
    parameters = {**parameters, "error": as_text(allowed)}
    of = _best(name, n, 1 / (1 - 2 * allowed))
    witness: Witness = {"kind": "bits-of", "measure": "gamma_2", "given": {"label": 1}, "of": of}
    if measure == "private-coins":
        witness = {"kind": "public-coins", "of": witness}
    proved = CheckedClaim(Unwritten(name, n), measure, "lower", parameters).proved(witness)
    named, method = (name, n), "gamma_2 of sets | all bits"
    return Bracket(measure, proved, n + 1, method, witness, None, parameters, unit, function=named)


def _best(name: str, n: int, alpha: Fraction) -> Witness:
    """The size, and the weights, for which gamma_2 is largest; larger sets are tried as long as that helps."""
    best, witness = 0.0, dict[str, object]()
    for size in range(1, min(n // 2, MOST_SIZE) + 1):
        value, weights = _weights(name, n, size, float(alpha))
        if not witness or value > best:
            best = value
            fine = min(float(FINE), LARGEST / max(map(abs, weights)))
            witness = {"kind": "subsets", "size": size, "weights": [round(weight * fine) for weight in weights]}
        elif value < WORSE * best:
            break
    return witness


def _weights(name: str, n: int, size: int, alpha: float) -> tuple[float, list[float]]:
    """The value, and the weight of all pairs with so many common elements, where no eigenvalue is above 1 (floats)."""
    places = range(size + 1)
    across = [comb(size, common) * comb(n - size, size - common) for common in places]
    counts = (signed_counts(n, size, pairs) for pairs in places)
    values = np.array([[own / every for own, every in zip(line, across, strict=True)] for line in counts])
    signs = np.array([1.0 if COMMON[name](common) else -1.0 for common in places])
    gain = np.concatenate([np.ones(size + 1), np.full(size + 1, -alpha)])
    both = np.hstack([values * signs, -values * signs])
    found = linear_program(-gain, A_ub=np.vstack([both, -both]), b_ub=np.ones(2 * size + 2))
    if found.status != 0:
        return 0.0, [1.0] * (size + 1)
    right, wrong = found.x[: size + 1], found.x[size + 1 :]
    return -float(found.fun), (signs * (right - wrong)).tolist()
