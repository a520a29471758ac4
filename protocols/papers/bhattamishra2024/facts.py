"""The facts from communication complexity that the proofs use (appendix B.1 and E), and results of ours on INDEX."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, permutations, product

import numpy as np

from ccsim import bounds, problems
from ccsim.claims import Constant, Direction, Finding, param
from ccsim.matrices import CommunicationMatrix
from protocols import reductions
from protocols.papers import checks
from protocols.papers.intervals import interval, whole_part, within
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
        of=len(found),
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
        worst = reductions.one_way_error.syndrome_index(checks).measure_error().worst_error
    else:
        words = np.arange(1 << n)
        wrong = np.zeros((len(words), n), dtype=np.int64)
        for place in range(n + 1):
            said = syndrome.nearest_words(syndrome.flipped(words, place, n), checks)
            differ = syndrome.flipped(syndrome.restored_words(said, checks), place, n) ^ words
            wrong += differ[:, None] >> np.arange(n) & 1
        worst = Fraction(int(wrong.max()), n + 1)
    least = one_way_error.error_of_balls(n, 1 << (n - checks))
    return Finding(
        measured=worst,
        checked=n << n + checks,
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
