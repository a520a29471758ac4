"""Nearly orthogonal vectors (section B.3): how many signs are printed, proved and found."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ccsim.claims import Claim, Direction, Finding, Parameter
from protocols.papers.bhattamishra2024.paper import claim

__all__ = ["CLAIMS"]


def _found(length: int, inverse: int, two_sided: bool = False) -> Finding:
    """The least dimension of the seeded vectors, with all products looked at again, from the documented hash."""
    import numpy as np

    from protocols.constructions import hoeffding_dimension, lemma_dimension, smallest_sign_vectors, union_dimension

    bound = Fraction(1, inverse)
    vectors = smallest_sign_vectors(length, bound, two_sided=two_sided)
    rows = vectors.rows(np.arange(1, length + 1))
    products = rows @ rows.T
    others = products[~np.eye(length, dtype=bool)]
    largest = int(max(others.max(initial=0), -others.min(initial=0) if two_sided else 0))
    wrong = [] if (abs(rows) == 1).all() else ["an entry is no sign"]
    wrong += [f"product {largest} of {vectors.dimension} signs"] if largest * inverse > vectors.dimension else []
    pairs = length * (length - 1) // 2
    facts: dict[str, Any] = {"largest product": largest, "seed": vectors.seed}
    if not two_sided:
        facts["printed"], facts["Hoeffding"] = lemma_dimension(length, bound), hoeffding_dimension(length, bound)
        facts["expectation below 1"] = union_dimension(length, bound)
    return Finding(measured=vectors.dimension, checked=pairs, of=pairs, violations=tuple(wrong), facts=facts)


def _quarter(length: int) -> Finding:
    return _found(length, 4)


def _map(length: int, inverse: int) -> Finding:
    return _found(length, inverse, two_sided=True)


def _tail(signs: int, inverse: int) -> Finding:
    """How many of the 2^k sequences of signs have a sum of at least g k in magnitude, counted by binomials."""
    from math import comb

    outside = sum(comb(signs, ones) for ones in range(signs + 1) if abs(2 * ones - signs) * inverse >= signs)
    return Finding(measured=Fraction(outside, 1 << signs))


MARGIN = Parameter("inverse", "r", 4, "1/g, for the margin g", low=2)

CLAIMS: tuple[Claim, ...] = (
    claim(
        "Lemma 2",
        "N vectors of (8/g^2) ln 2N signs exist, no two with a product above g of their length.",
        Direction.UPPER,
        formula="floor(8*r**2*log(2*N)) + 1",
        ours="floor(2*r**2*log(N*(N - 1)/2)) + 1",
        ours_exact=False,
        unit="signs",
        lengths=(16, 256, 1024),
        low=3,
        meaning="vectors",
        more=(MARGIN,),
        measure=_found,
        tags=("vectors",),
        hypotheses=("ours: the same argument with the exponent of Hoeffding 1963", "seed 0, all pairs looked at"),
    ),
    claim(
        "Lemma 2: tail",
        "The sum of k random signs is at least gk in magnitude with probability at most 2 exp(-k g^2/4).",
        Direction.UPPER,
        formula="2*exp(-Rational(1, 4)*k/r**2)",
        ours="2*exp(-Rational(1, 2)*k/r**2)",
        ours_exact=False,
        unit="",
        more=(Parameter("signs", "k", 64, "signs"), MARGIN),
        sizes=({"signs": 64}, {"signs": 256}),
        measure=_tail,
        tags=("vectors",),
        hypotheses=("ours: Hoeffding 1963",),
    ),
    claim(
        "Lemma 3",
        "O(log N/g^2) signs for each of N directions keep all products to within g, from either side.",
        Direction.UPPER,
        formula="c*r**2*log(N, 2)",
        ours="floor(2*r**2*log(N*(N - 1))) + 1",
        ours_exact=False,
        unit="signs",
        lengths=(16, 256),
        low=3,
        meaning="vectors: the standard basis, as the constructions use it",
        more=(MARGIN,),
        measure=_map,
        tags=("vectors",),
    ),
    claim(
        "Corollary 8.1",
        "N vectors of O(log N) signs exist whose products are 1 with themselves and at most 1/4 with others.",
        Direction.UPPER,
        formula="c*log(N, 2)",
        ours="floor(32*log(N*(N - 1)/2)) + 1",
        ours_exact=False,
        unit="signs",
        lengths=(64, 1024),
        low=3,
        meaning="vectors",
        measure=_quarter,
        tags=("vectors",),
    ),
)
