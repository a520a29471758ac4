"""What is measured about nearly orthogonal vectors (section B.3): signs that are found, all products looked at."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from ccsim.claims import Finding
from protocols import constructions
from protocols.papers.checks import Looked, grown, least_number, sizes_between
from protocols.papers.intervals import interval, within

__all__ = ["corollary", "dimension", "growth", "least_by_union", "linear_map", "tail"]

DRAWS = 8
ENTRIES = (5, 4, 3, 2, 2, 1, 1, 1, 1, 1) + (0,) * 22  # of a point in 32 dimensions
CLOSE = 1e-6  # eigenvalues in floats lead to where fractions decide


def growth(length: int, inverse: int, two_sided: bool = False) -> Finding:
    """The least signs of seed 0 for each number of vectors."""
    return grown(sizes_between(length, 3), lambda count: _found(count, inverse, two_sided), facts={"seed": 0})


def corollary(length: int) -> Finding:
    """The same with products up to a quarter."""
    return growth(length, 4)


def _found(count: int, inverse: int, two_sided: bool) -> Looked:
    """How many signs the constructions take for so many vectors, and the pairs looked at."""
    bound = Fraction(1, inverse)
    vectors = constructions.smallest_sign_vectors(count, bound, two_sided=two_sided)
    inside = vectors.within(bound, two_sided)
    wrong = [] if inside else [f"a product beyond {bound} of {vectors.dimension} signs"]
    return Looked(vectors.dimension, comb(count, 2), comb(count, 2), wrong)


def dimension(length: int, inverse: int) -> Finding:
    """The least k for which 2 N^2 exp(-k/(4 r^2)) is at most 1/2, of which half of 8 draws must be within 1/r."""
    bound = Fraction(1, inverse)
    printed = least_by_union(2 * length**2, Fraction(1, 4), Fraction(1, 2), inverse)
    found = _found(length, inverse, True)
    wrong, pairs = [*found.wrong], found.checked
    draws = [constructions.SignVectors(length, printed, seed).within(bound, True) for seed in range(DRAWS)]
    if 2 * sum(draws) < DRAWS:
        wrong.append(f"only {sum(draws)} of {DRAWS} draws of {printed} signs are within the bound")
    facts = {"draws within the bound": f"{sum(draws)} of {DRAWS}"}
    return Finding(measured=printed, checked=DRAWS * pairs, of=DRAWS * pairs, violations=tuple(wrong), facts=facts)


def least_by_union(events: int, exponent: Fraction, most: Fraction, inverse: int) -> int:
    """The least k for which events * exp(-exponent * k / r^2) is at most this, by halving, with intervals."""
    return least_number(lambda signs: _rare(events, exponent * signs / inverse**2, most))


def _rare(events: int, exponent: Fraction, most: Fraction) -> bool:
    inside = within(lambda: events * (-interval(exponent)).exp() <= interval(most))
    return bool(inside)


def tail(signs: int, inverse: int) -> Finding:
    """The share of the 2^k sequences of signs whose sum is gk or more in magnitude, one sign after the other."""
    counts = {0: 1}
    for _ in range(signs):
        counts = {total: counts.get(total - 1, 0) + counts.get(total + 1, 0) for total in range(-signs, signs + 1)}
    outside = sum(number for total, number in counts.items() if abs(total) * inverse >= signs)
    return Finding(measured=Fraction(outside, 1 << signs), checked=sum(counts.values()), of=1 << signs)


def linear_map(length: int, inverse: int, vectors: str) -> Finding:
    """The least signs for each entry of a map that keeps all products of N unit vectors to within 1/r.

    The vectors are the standard basis, as the source uses it; the binary codes of N numbers, as sections 5 and G do;
    whole points of a sphere; or all unit vectors of L(N) dimensions, which are more than N.
    """
    if vectors == "basis":
        return growth(length, inverse, two_sided=True)
    sizes, looks = sizes_between(length, 4), {"codes": _codes, "sphere": _sphere}
    if vectors == "every":
        return grown(sizes, lambda count: _least_map_of_all(count, inverse), facts={"seed": 0})
    return grown(sizes, lambda count: _least_map(looks[vectors](count), inverse), facts={"seed": 0})


def _codes(count: int) -> Any:
    """The binary digits of so many numbers, as signs."""
    return 2 * (np.arange(count)[:, None] >> np.arange((count - 1).bit_length()) & 1) - 1


def _sphere(count: int) -> Any:
    """So many different points of one norm with whole entries: one point, its entries in other orders and signs."""
    generator, points = np.random.default_rng(0), dict[bytes, Any]()
    while len(points) < count:
        point = generator.permutation(ENTRIES) * generator.choice((-1, 1), size=len(ENTRIES))
        points[point.tobytes()] = point
    return np.array(list(points.values()))


def _least_map_of_all(count: int, inverse: int) -> Looked:
    """The least k for which k rows of signs change no product of unit vectors of L(N) dimensions by more than 1/r.

    That is so if and only if kI - r(G - kI) and kI + r(G - kI) are positive semidefinite, for the rows' gram matrix G.
    """
    digits = (count - 1).bit_length()
    rows = constructions.SignVectors(digits, 1 << 12, 0).rows(np.arange(1, digits + 1))
    gram, identity = np.zeros((digits, digits), dtype=np.int64), np.eye(digits, dtype=np.int64)
    for signs in range(1, 1 << 12):
        gram += np.multiply.outer(rows[:, signs - 1], rows[:, signs - 1])
        change = inverse * (gram - signs * identity)
        guess = np.abs(np.linalg.eigvalsh(change.astype(np.float64))).max() - signs
        if guess < CLOSE and all(semidefinite((signs * identity + sign * change).tolist()) for sign in (1, -1)):
            return Looked(signs, signs, signs, ())
    return Looked(1 << 12, 0, 1, [f"no map of 2^12 signs for {digits} dimensions"])


def semidefinite(matrix: list[list[int]]) -> bool:
    """Whether a symmetric matrix is positive semidefinite, by elimination in fractions."""
    rows = [[Fraction(entry) for entry in row] for row in matrix]
    for place, pivot in enumerate(rows):
        if pivot[place] < 0 or (pivot[place] == 0 and any(pivot[place:])):
            return False
        for row in rows[place + 1 :] if pivot[place] else []:
            factor = row[place] / pivot[place]
            row[:] = [entry - factor * other for entry, other in zip(row, pivot, strict=True)]
    return True


def _least_map(points: Any, inverse: int) -> Looked:
    """The least k for which k rows of signs keep the products of points of one norm to within 1/r of it."""
    count, dimensions = points.shape
    norm, signs = int((points[0] ** 2).sum()), 1
    rows = constructions.SignVectors(dimensions, 1 << 12, 0).rows(np.arange(1, dimensions + 1))
    wrong = []
    if not ((points**2).sum(axis=1) == norm).all() or len(np.unique(points, axis=0)) != count:
        wrong.append("points of other norms, or the same twice")
    gram = np.zeros((dimensions, dimensions), dtype=np.int64)
    while not wrong:
        gram += np.multiply.outer(rows[:, signs - 1], rows[:, signs - 1])
        change = points @ (gram - signs * np.eye(dimensions, dtype=np.int64)) @ points.T
        if np.abs(change).max() * inverse <= signs * norm:
            break
        signs += 1
    return Looked(signs, comb(count + 1, 2), comb(count + 1, 2), wrong)
