"""Restricted isometry and orthogonality, as the slides quote it from Candes and Tao 2005: exactly, in integers.

For products G of vectors of m signs the property (q, d) is: for any q of them, all eigenvalues of their products are
from (1 - d) m to (1 + d) m; and for any q and any other 2 q, the products between them are a matrix of norm at most
d m. Here q is 1 or 2, so these are conditions on two numbers and on matrices of two rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from ccsim.claims import Finding, sizes_up_to
from protocols import constructions
from protocols.papers.growing import Looked, grown

__all__ = ["dual_lemma", "signs_needed"]

DELTA = Fraction(1, 4)
APART = Fraction(53, 300)  # a little less than d / sqrt(2): two such products have a norm below d


def signs_needed(length: int) -> Finding:
    """For more and more vectors, how many signs some of them have that have the property (1, 1/4)."""

    def look(size: int) -> Looked:
        vectors = constructions.smallest_sign_vectors(size, APART, two_sided=True)
        rows = vectors.rows(range(1, size + 1)).tolist()
        wrong = [*property_of_one(products(rows), vectors.dimension)]
        if {len(row) for row in rows} != {vectors.dimension} or len(rows) != size:
            wrong.append(f"not {size} vectors of {vectors.dimension} signs")
        return Looked(vectors.dimension, 1, 1, wrong)

    return grown(sizes_up_to(length, low=4), look)


def products(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """The products of all vectors of signs, which are kept as numbers in binary to be compared bit by bit."""
    packed = [sum(1 << place for place, sign in enumerate(row) if sign == 1) for row in rows]
    size = len(rows[0])
    return [[size - 2 * (one ^ other).bit_count() for other in packed] for one in packed]


def property_of_one(gram: Sequence[Sequence[int]], size: int) -> Iterator[str]:
    """Why vectors do not have the property (1, d): a length, or one of them and the two that come nearest to it."""
    for place, row in enumerate(gram):
        if row[place] != size:
            yield f"vector {place + 1} has the squared length {row[place]}"
        most = sorted((product * product for other, product in enumerate(row) if other != place), reverse=True)
        if sum(most[:2]) > (DELTA * size) ** 2:
            yield f"vector {place + 1} is too near to two others"


def dual_lemma(length: int, signs: int) -> Finding:
    """The largest product of a dual vector with a key off its set, of all sets of one or two keys."""
    duals = constructions.DualVectors(constructions.SignVectors(length, signs))
    rows = duals.signs.tolist()
    outside = "" if property_of_two(products(rows), signs) else "the vectors do not have the property (2, 1/4)"
    sets = [chosen for size in (1, 2) for chosen in combinations(range(1, length + 1), size)]
    largest, wrong = Fraction(0), []
    for chosen in sets:
        dual = duals.of(chosen)
        held = [
            (Fraction(part, dual.denominator), rows[k - 1])
            for part, k in zip(dual.numerators, dual.support, strict=True)
        ]
        vector = [sum(part * row[place] for part, row in held) for place in range(signs)]
        found = [sum(a * b for a, b in zip(vector, row, strict=True)) for row in rows]
        if any(found[k - 1] != 1 for k in chosen):
            wrong.append(f"a product with one of {chosen} is not 1")
        if signs * sum(entry * entry for entry in vector) > 4 * len(chosen):
            wrong.append(f"the dual vector of {chosen} is too long")
        largest = max(largest, *(abs(found[k]) for k in range(length) if k + 1 not in chosen))
    count = len(sets)
    return Finding(measured=largest, checked=count, of=count, violations=tuple(wrong[:3]), outside=outside)


def property_of_two(gram: Sequence[Sequence[int]], size: int) -> bool:
    """Whether vectors have the property (2, d)."""
    square, places = (DELTA * size) ** 2, range(len(gram))
    if any(gram[k][k] != size for k in places):
        return False
    for a, b in combinations(places, 2):
        if abs(gram[a][b]) > DELTA * size:  # eigenvalues m - |G| and m + |G|
            return False
        for four in combinations([k for k in places if k not in (a, b)], 4):
            first, second = (sum(gram[k][t] ** 2 for t in four) for k in (a, b))
            mixed = sum(gram[a][t] * gram[b][t] for t in four)
            if max(first, second) > square or (square - first) * (square - second) < mixed * mixed:
                return False
    return True
