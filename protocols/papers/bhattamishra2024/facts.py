"""What the proofs rest on: facts on communication (appendix B.1 and E), and nearly orthogonal vectors (section B.3).

Results of ours on INDEX with coins and on how many signs are enough stand beside what they sharpen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, permutations, product
from math import comb
from typing import Any

import numpy as np

from ccsim import bounds, problems
from ccsim.claims import Constant, Direction, Finding, Role, param
from ccsim.matrices import CommunicationMatrix
from protocols import constructions, reductions
from protocols.papers import checks
from protocols.papers.checks import Looked, grown, least_number, sizes_between
from protocols.papers.intervals import flint, interval, whole_part, within
from protocols.papers.sources import BHATTAMISHRA_2024, OURS, lengths
from protocols.reductions import one_way_error
from protocols.reductions.one_way_error import syndrome

ONE_KNOWS = ("one of the two knows the answer at the end, as in the protocol of theorem 2; whichever it is",)
ONE_MESSAGE = ("one message from Alice, after which Bob knows the answer",)
COINS = ("one message from Alice, after which Bob answers", "public coins; the error is that on the worst input")
SMALL, LARGER = (param("N", default, "length of the input") for default in (2, 4))

fact = partial(BHATTAMISHRA_2024.claim, direction=Direction.LOWER)
with_coins = partial(
    OURS.claim, "docs/proofs/index_with_coins.md", sharpens="bhattamishra2024-fact-3-randomised", tags=("index",)
)


def _one_knows(function: problems.TwoPartyFunction) -> Finding:
    """The least bits if Bob knows the answer at the end; if Alice does, they must be as many."""
    bob, alice = (bounds.deterministic(function, answer=answer) for answer in ("bob", "alice"))
    same = (bob.lower, bob.upper) == (alice.lower, alice.upper)
    wrong = () if same else (f"{bob.lower} bits if Bob is to know, {alice.lower} if Alice is",)
    return Finding.of_bracket(bob, violations=wrong)


@fact("Fact 1", formula="N", hypotheses=ONE_KNOWS, sizes=lengths(2, 4), tags=("intersection", "disjointness"))
def intersection(length: int = SMALL) -> Finding:
    """Whether two subsets of N elements meet costs at least N bits."""
    return _one_knows(problems.intersection(length))


@fact("Fact 2", formula="N", hypotheses=ONE_KNOWS, sizes=lengths(2, 4), tags=("equality",))
def equality(length: int = SMALL) -> Finding:
    """Equality of N-bit strings costs at least N bits."""
    return _one_knows(problems.equality(length))


@fact(
    "Fact 3",
    formula="N",
    hypotheses=ONE_MESSAGE,
    sizes=lengths(4, 8),
    proved="index_costs_one_message",
    tags=("index",),
)
def index(length: int = LARGER) -> Finding:
    """One message from Alice, who holds N bits, must have N bits for Bob to learn the bit at his position."""
    return Finding.of_bracket(checks.one_way_bits(problems.index(length)))


@fact(
    "Fact 3",
    name="fact 3 randomised",
    formula="c*N",
    constant=Constant(
        "1 - (log(3, 2) - Rational(2, 3))",
        "1 - H(1/3) for each of N bits (Kremer, Nisan and Ron 1999; docs/proofs/index_with_coins.md)",
    ),
    ours="ceiling((1 - (log(3, 2) - Rational(2, 3)))*N)",
    hypotheses=(*ONE_MESSAGE, "public coins", "error at most 1/3"),
    tags=("index",),
)
def randomised_index(length: int = param("N", 4096, "length of the input")) -> Finding:
    """With error at most 1/3 that message still has Omega(N) bits."""
    sizes = checks.sizes_between(length, 1)
    found = {n: bounds.index_randomised(n, Fraction(1, 3)) for n in sizes}
    return Finding(
        series=tuple((n, bracket.lower) for n, bracket in found.items()),
        certificate=found[sizes[-1]].certificate,
        checked=len(found),
        of=len(sizes),
        facts={"method": found[sizes[-1]].method},
    )


@with_coins(
    name="index-least-errors",
    direction=Direction.LOWER,
    formula="1",
    unit="bits for each that entropy asks for",
    hypotheses=(*COINS, "least errors are exact, for all messages of N or fewer bits"),
    sizes=lengths(2, 3, 5),
)
def least_errors(length: int = param("N", 5, "bits that Alice holds", low=2)) -> Finding:
    """A message of b bits with the least error e that so many can have has at least (1 - H(e)) N bits, at every b.

    Measured is the least over fewer than N bits, in millionths, rounded down.
    """
    found = {bits: one_way_error.least_one_way_error(problems.index(length), bits) for bits in range(length + 1)}

    def ratio(bits: int, error: Fraction) -> Fraction:
        """The bits for each of the N (1 - H(e)) that entropy asks for."""
        terms = [-interval(p) * interval(p).log() / interval(2).log() for p in (error, 1 - error) if p]
        return Fraction(whole_part(interval(bits * 10**6) / (length * (1 - sum(terms, interval(0))))), 10**6)

    facts = {
        f"{bits} bits": f"error {each.upper}, at least {one_way_error.error_of_balls(length, 1 << bits)} by counting"
        for bits, each in found.items()
    }
    return Finding(
        measured=min(within(partial(ratio, bits, found[bits].upper)) for bits in range(1, length)),
        exact=all(each.exact for each in found.values()),
        checked=len(found),
        of=length + 1,
        facts=facts,
    )


@with_coins(
    name="index-hamming-errors",
    direction=Direction.EXACT,
    formula="1/2**r",
    unit="",
    hypotheses=COINS,
    sizes=tuple({"checks": r} for r in (2, 3, 4)),
)
def hamming_errors(checks: int = param("r", 3, "check bits of the code", low=2)) -> Finding:
    """For N = 2^r - 1 bits of INDEX a message of N - r bits errs with probability 1/(N + 1) at least, and one does so
    on every input.

    It names the nearest word of a Hamming code. Up to three check bits it is run as a protocol; beyond that all words
    are gone through by arrays, for each outcome of the coins.
    """
    n = (1 << checks) - 1
    if checks <= 3:
        found = reductions.one_way_error.syndrome_index(checks).measure_error()
        worst, count = found.worst_error, int(found.promised.sum()) * found.weight
    else:
        words, count = np.arange(1 << n), 0
        wrong = np.zeros((len(words), n), dtype=np.int64)
        for place in range(n + 1):
            said = syndrome.nearest_words(syndrome.flipped(words, place, n), checks)
            differ = syndrome.flipped(syndrome.restored_words(said, checks), place, n) ^ words
            wrong += differ[:, None] >> np.arange(n) & 1
            count += wrong.size
        worst = Fraction(int(wrong.max()), n + 1)
    least = one_way_error.error_of_balls(n, 1 << (n - checks))
    return Finding(
        measured=worst,
        checked=count,
        of=n << n + checks,
        violations=() if worst == least else (f"an error of {worst}, where counting allows {least}",),
        facts={"bits": f"{n - checks} of {n}", "by counting at least": least},
    )


@BHATTAMISHRA_2024.claim(
    "Fact 3",
    name="fact 3 both speak",
    direction=Direction.UPPER,
    formula="L(N)",
    hypotheses=("Alice knows the answer at the end",),
    sizes=lengths(4, 8),
    tags=("index",),
)
def index_for_both(length: int = LARGER) -> Finding:
    """If Bob may speak as well, log N bits are enough for the bit at his position (appendix F)."""
    return Finding.of_bracket(bounds.deterministic(problems.index(length), answer="alice"))


@fact(
    "Fact 4",
    formula="1",
    unit="leaves for each cell",
    hypotheses=("Boolean functions", "both, or either one, know the answer at the end"),
    tags=("fooling",),
)
def fooling(
    length: int = param(
        "N", 3, "most rows and columns of the tables that are gone through, which is all of them", low=2
    ),
) -> Finding:
    """A protocol of C bits has 2^C no less than the cells of any fooling set.

    The largest fooling set stands beside the least cost. One table is looked at out of each class of those that differ
    in the order of their lines.
    """
    sizes = range(2, length + 1)
    tables = [table for shape in product(sizes, sizes) for table in boolean_tables(*shape)]
    ratios, exact = [], True
    for table, knowing in product(tables, ("bob", "alice", "both")):
        matrix = CommunicationMatrix.from_array([list(row) for row in table])
        cost = bounds.deterministic(matrix, answer=knowing)
        sets = [bounds.maximum_fooling_set(matrix, code) for code in range(len(matrix.labels))]
        exact = exact and cost.exact and all(each.exact for each in sets)
        ratios.append(Fraction(1 << int(cost.lower), max(int(each.lower) for each in sets)))
    facts = {"tables": len(tables), "tables whose cost is the logarithm": sum(ratio == 1 for ratio in ratios)}
    return Finding(measured=min(ratios), exact=exact, checked=len(ratios), of=3 * len(tables), facts=facts)


def boolean_tables(rows: int, columns: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """One table of 0 and 1 out of each class of those that become one another when rows and columns are reordered.

    >>> len(list(boolean_tables(3, 3)))
    36
    """
    seen = set()
    for table in combinations_with_replacement(list(product((0, 1), repeat=columns)), rows):
        least = min(tuple(sorted(zip(*order, strict=True))) for order in permutations(list(zip(*table, strict=True))))
        if least not in seen:
            seen.add(least)
            yield table


# Nearly orthogonal vectors (section B.3): how many signs are printed and found, all products looked at

PROOF = "docs/proofs/nearly_orthogonal.md"
WITHOUT_CHANCE = "docs/proofs/derandomised_vectors.md"
SEED = "vectors of seed 0; every pair looked at"
MARGIN = param("r", 4, "1/g, for the margin g", low=2)

DRAWS = 8
MOST_SIGNS = 1 << 12
ENTRIES = (5, 4, 3, 2, 2, 1, 1, 1, 1, 1) + (0,) * 22  # of a point in 32 dimensions
DIFFERENCES_UP_TO = 16  # bits, up to which the words of all differences are looked at
QUARTER = Fraction(1, 4)

upper = partial(BHATTAMISHRA_2024.claim, direction=Direction.UPPER, tags=("vectors",), unit="signs")
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
        return Looked(vectors.dimension, comb(vectors.count, 2), comb(count, 2), wrong)

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
    told, pairs = f"{inside} of {DRAWS}", len(draws) * comb(length, 2)
    wrong = () if 2 * inside >= DRAWS else (f"only {told} draws of {signs} signs are within the bound",)
    of = DRAWS * comb(length, 2)
    return Finding(measured=signs, checked=pairs, of=of, violations=wrong, facts={"draws within the bound": told})


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
    given, enough = least_by_union(comb(length, 2), bound**2 / 2), found.series[-1][1]
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
        points = _codes(count) if vectors == "codes" else _sphere(count)
        signs = _least_map(points.shape[1], partial(_keeps, points, inverse))
        return Looked(signs, comb(len(points) + 1, 2), comb(count + 1, 2), ())

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
        looked = code.count - 1 if listed else code.dimension
        return Looked(code.dimension, looked, (1 << size) - 1 if listed else code.dimension, wrong)

    return grown([*(size for size in (4, 8, 16, 32, 64, 128, 256) if size < bits), bits], look)
