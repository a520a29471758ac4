"""Nearly orthogonal vectors (section B.3): how many signs are printed and found, all products looked at."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import comb
from typing import Any

import numpy as np

from ccsim.claims import Constant, Direction, Finding, Role, param
from protocols import constructions
from protocols.papers.checks import Looked, grown, least_number, sizes_between
from protocols.papers.intervals import flint, interval, within
from protocols.papers.sources import BHATTAMISHRA_2024 as PAPER
from protocols.papers.sources import OURS, lengths

PROOF = "docs/proofs/nearly_orthogonal.md"
WITHOUT_CHANCE = "docs/proofs/derandomised_vectors.md"
SEED = "vectors of seed 0; every pair looked at"
MARGIN = param("r", 4, "1/g, for the margin g", low=2)

DRAWS = 8
MOST_SIGNS = 1 << 12
ENTRIES = (5, 4, 3, 2, 2, 1, 1, 1, 1, 1) + (0,) * 22  # of a point in 32 dimensions
DIFFERENCES_UP_TO = 16  # bits, up to which the words of all differences are looked at
QUARTER = Fraction(1, 4)

upper = partial(PAPER.claim, direction=Direction.UPPER, tags=("vectors",), unit="signs")
result = partial(OURS.claim, tags=("vectors",), unit="signs")


@upper(
    "Lemma 2",
    formula="c*r**2*log(N, 2)",
    constant=Constant("3", f"(2/g^2) ln(N(N-1)/2) + 1 signs are enough, by Hoeffding ({PROOF})"),
    ours="floor(2*r**2*log(N*(N - 1)/2)) + 1",
    ours_exact=False,
    hypotheses=(SEED,),
)
def least_signs(length: int = param("N", 512, "vectors", low=6), inverse: int = MARGIN) -> Finding:
    """N vectors of O(log N / g^2) signs exist, no two with a product above g of their length."""
    return _least_signs(length, inverse)


def _least_signs(length: int, inverse: int, two_sided: bool = False) -> Finding:
    """The least signs of seed 0 for each number of vectors."""
    bound = Fraction(1, inverse)

    def look(count: int) -> Looked:
        vectors = constructions.smallest_sign_vectors(count, bound, two_sided=two_sided)
        inside = vectors.within(bound, two_sided)
        wrong = [] if inside else [f"a product beyond {bound} of {vectors.dimension} signs"]
        return Looked(vectors.dimension, comb(count, 2), comb(count, 2), wrong)

    return grown(sizes_between(length, 3), look, facts={"seed": 0})


@upper(
    "Lemma 2",
    name="lemma-2-dimension",
    direction=Direction.EXACT,
    role=Role.STEP,
    formula="floor(8*r**2*log(2*N)) + 1",
    sizes=lengths(16, 256),
    hypotheses=("of so many signs, the seeds 0 to 7 are drawn", SEED),
)
def dimension(length: int = param("N", 16, "vectors", low=3), inverse: int = MARGIN) -> Finding:
    """The union bound 2 N^2 exp(-k g^2/4) is at most 1/2 from k = (8/g^2) ln 2N on, so that half of all draws are
    within g from both sides."""
    signs = least_by_union(2 * length**2, Fraction(1, 4 * inverse**2), Fraction(1, 2))
    draws = [constructions.SignVectors(length, signs, seed) for seed in range(DRAWS)]
    inside = sum(vectors.within(Fraction(1, inverse), True) for vectors in draws)
    told, pairs = f"{inside} of {DRAWS}", DRAWS * comb(length, 2)
    wrong = () if 2 * inside >= DRAWS else (f"only {told} draws of {signs} signs are within the bound",)
    return Finding(measured=signs, checked=pairs, of=pairs, violations=wrong, facts={"draws within the bound": told})


def least_by_union(events: int, exponent: Fraction, most: Fraction = Fraction(1)) -> int:
    """The least k for which events * exp(-exponent * k) is at most this, by halving, with intervals."""

    def rare(signs: int) -> bool:
        return bool(within(lambda: events * (-interval(exponent * signs)).exp() <= interval(most)))

    return least_number(rare)


@upper(
    "Lemma 2",
    name="lemma-2-tail",
    role=Role.STEP,
    formula="2*exp(-Rational(1, 4)*k/r**2)",
    ours="2*exp(-Rational(1, 2)*k/r**2)",
    ours_exact=False,
    unit="",
    sizes=({"signs": 16}, {"signs": 64}, {"signs": 256}),
    hypotheses=("all sequences of signs are counted; our account is the better exponent of Hoeffding 1963",),
)
def tail(signs: int = param("k", 16, "signs"), inverse: int = MARGIN) -> Finding:
    """The sum of k random signs is at least gk in magnitude with probability at most 2 exp(-k g^2/4)."""
    counts = {signs - 2 * minus: comb(signs, minus) for minus in range(signs + 1)}
    outside = sum(number for total, number in counts.items() if abs(total) * inverse >= signs)
    return Finding(measured=Fraction(outside, 1 << signs), checked=sum(counts.values()), of=1 << signs)


@result(
    PROOF,
    name="nearly-orthogonal-signs",
    direction=Direction.EXACT,
    sharpens="bhattamishra2024-lemma-2",
    formula="floor(2*r**2*log(N*(N - 1)/2)) + 1",
    sizes=({"length": 256}, {"length": 64, "inverse": 8}),
    hypotheses=("vectors of seed 0 and those of the smaller sizes; every pair looked at",),
)
def proved_signs(length: int = param("N", 256, "vectors", low=3), inverse: int = MARGIN) -> Finding:
    """N vectors of (2/g^2) ln(N(N-1)/2) signs exist, no two with a product above g of their length: half as many as are
    printed.

    The signs that the proof gives; vectors of seed 0 may need no more.
    """
    bound, found = Fraction(1, inverse), _least_signs(length, inverse)
    given, enough = constructions.hoeffding_dimension(length, bound), found.series[-1][1]
    wrong = () if enough <= given else (f"{enough} signs are needed with seed 0",)
    facts = {"seed 0": enough, "by counting all sequences": constructions.union_dimension(length, bound)}
    return found.but(series=(), measured=given, violations=(*found.violations, *wrong), facts=facts)


@result(
    WITHOUT_CHANCE,
    name="conditional-signs",
    direction=Direction.UPPER,
    sharpens="bhattamishra2024-lemma-2",
    formula="floor(2*r**2*log(N)) + 1",
    sizes=({"length": 64}, {"length": 256}, {"length": 32, "inverse": 8}),
    hypotheses=("no chance; every pair looked at", "polynomial time, with all earlier vectors kept"),
)
def by_conditional_expectations(length: int = param("N", 64, "vectors", low=3), inverse: int = MARGIN) -> Finding:
    """N vectors of (2/g^2) ln N signs are made one by one by conditional expectations, no two with a product above g of
    their length: a quarter of what is printed."""
    rows = constructions.conditional_vectors(length, Fraction(1, inverse)).astype(np.int64)
    signs, (one, other) = rows.shape[1], np.triu_indices(length, 1)
    products = (rows @ rows.T)[one, other]
    largest = int(products.max())
    return Finding(
        measured=signs,
        checked=len(products),
        of=comb(length, 2),
        violations=() if largest * inverse <= signs else (f"a product of {largest} of {signs} signs",),
        facts={"signs for a draw": constructions.hoeffding_dimension(length, Fraction(1, inverse))},
    )


@upper(
    "Lemma 3",
    formula="c*r**2*log(N, 2)",
    constant=Constant("13", f"6 r^2 ln(2N(N+1)) + 1 signs are enough ({PROOF})"),
    instances="the vectors that are named",
    sizes=({"vectors": "basis"}, {"vectors": "codes"}, {"vectors": "sphere"}, {"vectors": "every"}),
    hypotheses=(
        "vectors of the standard basis, as B.3 uses it; binary codes of N numbers; N whole points of a sphere in "
        "32 dimensions; or every unit vector of L(N) dimensions at once, by positive semidefinite matrices",
        SEED,
    ),
)
def linear_map(
    length: int = param("N", 256, "vectors", low=8),
    vectors: str = param("vectors", "basis", "which vectors are mapped", choices=("basis", "codes", "sphere", "every")),
    inverse: int = MARGIN,
) -> Finding:
    """Some map to O(log N / g^2) signs for each direction keeps all products of N unit vectors to within g.

    The least signs for each entry of a map; every unit vector of L(N) dimensions is more than N of them.
    """
    if vectors == "basis":
        return _least_signs(length, inverse, two_sided=True)

    def look(count: int) -> Looked:
        if vectors == "every":
            signs = _least_map((count - 1).bit_length(), partial(_keeps_all, inverse))
            return Looked(signs, signs, signs, ())
        points, pairs = _codes(count) if vectors == "codes" else _sphere(count), comb(count + 1, 2)
        return Looked(_least_map(points.shape[1], partial(_keeps, points, inverse)), pairs, pairs, ())

    return grown(sizes_between(length, 4), look, facts={"seed": 0})


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


def _keeps(points: Any, inverse: int, change: Any, signs: int) -> bool:
    """Whether the products of points of one norm change by no more than 1/r of it."""
    return bool(np.abs(points @ change @ points.T).max() * inverse <= signs * (points[0] ** 2).sum())


def _keeps_all(inverse: int, change: Any, signs: int) -> bool:
    """Whether no product of unit vectors changes by more than 1/r.

    That is so if and only if kI - rC and kI + rC are positive semidefinite, for the change C: if the coefficients of
    their characteristic polynomials, all of whose roots are real, alternate in sign.
    """
    for sign in (1, -1):
        matrix = signs * np.eye(len(change), dtype=np.int64) + sign * inverse * change
        falling = flint.fmpz_mat(matrix.tolist()).charpoly().coeffs()[::-1]
        if any((-1) ** place * int(each) < 0 for place, each in enumerate(falling)):
            return False
    return True


def _least_map(dimensions: int, near: Callable[[Any, int], bool]) -> int:
    """The least k for which k rows of signs, of seed 0, change little: their gram matrix, less k times the identity."""
    rows = constructions.SignVectors(dimensions, MOST_SIGNS, 0).rows(np.arange(1, dimensions + 1))
    change, identity = np.zeros((dimensions, dimensions), dtype=np.int64), np.eye(dimensions, dtype=np.int64)
    for signs, row in enumerate(rows.T, start=1):
        change += np.multiply.outer(row, row) - identity
        if near(change, signs):
            return signs
    raise ArithmeticError(f"no map of {MOST_SIGNS} signs for {dimensions} dimensions")


@upper(
    "Corollary 8.1",
    formula="c*log(N, 2)",
    constant=Constant("48", f"32 ln(N(N-1)/2) + 1 signs are enough, by Hoeffding ({PROOF})"),
    ours="floor(32*log(N*(N - 1)/2)) + 1",
    ours_exact=False,
    hypotheses=(SEED,),
)
def within_a_quarter(length: int = param("N", 256, "vectors", low=6)) -> Finding:
    """N vectors of O(log N) signs exist whose products are 1 with themselves and at most 1/4 with others."""
    return _least_signs(length, 4)


@upper(
    "Corollary 8.1",
    name="corollary-8-1-in-logarithmic-space",
    formula="c*e",
    constant=Constant("550", f"8 points for each digit, 68 m + 1 signs for m bits of it ({WITHOUT_CHANCE})", "bits"),
    hypotheses=(
        "measured are signs; that a vector takes logarithmic space and polynomial time is seen from how it is made",
        "a code of small bias in the place of the derandomised lemma that is cited, which is not in the text",
        "all pairs up to 256 vectors, all differences up to 2^16, beyond them by the distance of the code",
    ),
)
def in_logarithmic_space(bits: int = param("e", 256, "log N for N vectors", low=4)) -> Finding:
    """Vectors of O(log N) signs, each of which can be made by itself, are as near to orthogonal (section B.3)."""

    def look(size: int) -> Looked:
        code, listed = constructions.shortest_code(1 << size, QUARTER), size <= DIFFERENCES_UP_TO
        largest = code.largest_product if listed else code.proved_product
        wrong = [f"a word of sum {largest}"] if largest > code.dimension * QUARTER else []
        cases = (1 << size) - 1 if listed else code.dimension
        return Looked(code.dimension, cases, cases, wrong)

    return grown([*(size for size in (4, 8, 16, 32, 64, 128, 256) if size < bits), bits], look)
