"""What the proofs rest on: facts on communication (appendix B.1 and E), what languages cost two parties (Lemma 1 and
section 4.2), and nearly orthogonal vectors (section B.3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, permutations, product
from math import comb
from typing import Any

import numpy as np

from ccsim import bounds, families, problems
from ccsim.bounds.bracket import Side
from ccsim.claims import Constant, Direction, Finding, Role, param
from ccsim.matrices import CommunicationMatrix
from ccsim.models.automata import Automaton
from ccsim.plots import Line, Plot
from protocols import constructions, reductions
from protocols.papers.checks import (
    Tally,
    flint,
    grown,
    interval,
    least_number,
    one_way_bits,
    sizes_between,
    whole_part,
    within,
)
from protocols.papers.sources import BHATTAMISHRA_2024, OURS, lengths
from protocols.reductions import one_way_error

ONE_KNOWS = ("one of the two knows the answer at the end, as in the protocol of theorem 2; whichever it is",)
ONE_MESSAGE = ("one message from Alice, after which Bob knows the answer",)
COINS = ("one message from Alice, after which Bob answers", "public coins; the error is that on the worst input")
SMALL, LARGER = (param("N", default, "length of the input") for default in (2, 4))

at_least = partial(BHATTAMISHRA_2024.claim, direction=Direction.LOWER)
with_coins = partial(
    OURS.claim, "docs/proofs/index_with_coins.md", sharpens="bhattamishra2024-fact-3-randomised", tags=("index",)
)


def _one_knows(function: problems.TwoPartyFunction) -> Finding:
    bob, alice = (bounds.deterministic(function, answer=answer) for answer in ("bob", "alice"))
    same = (bob.lower, bob.upper) == (alice.lower, alice.upper)
    wrong = () if same else (f"{bob.lower} bits if Bob is to know, {alice.lower} if Alice is",)
    return Finding.of_bracket(bob, violations=wrong)


@at_least("Fact 1", formula="N", hypotheses=ONE_KNOWS, sizes=lengths(2, 4), tags=("intersection", "disjointness"))
def intersection(length: int = SMALL) -> Finding:
    """Whether two subsets of N elements meet costs at least N bits."""
    return _one_knows(problems.intersection(length))


@at_least("Fact 2", formula="N", hypotheses=ONE_KNOWS, sizes=lengths(2, 4), tags=("equality",))
def equality(length: int = SMALL) -> Finding:
    """Equality of N-bit strings costs at least N bits."""
    return _one_knows(problems.equality(length))


@at_least(
    "Fact 3",
    formula="N",
    hypotheses=ONE_MESSAGE,
    sizes=lengths(4, 8),
    proved="index_costs_one_message",
    tags=("index",),
)
def index(length: int = LARGER) -> Finding:
    """One message from Alice, who holds N bits, must have N bits for Bob to learn the bit at his position."""
    return Finding.of_bracket(one_way_bits(problems.index(length)))


@at_least(
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
    sizes = sizes_between(length, 1)
    brackets = {n: bounds.index_randomised(n, Fraction(1, 3)) for n in sizes}
    return Finding(
        series=tuple((n, bracket.lower) for n, bracket in brackets.items()),
        certificate=brackets[sizes[-1]].certificate,
        checked=len(brackets),
        of=len(sizes),
        facts={"method": brackets[sizes[-1]].method},
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
    """If e is the least error of messages of b bits, then b is at least (1 - H(e)) N, for every b."""
    brackets = {bits: one_way_error.least_one_way_error(problems.index(length), bits) for bits in range(length + 1)}

    def ratio(bits: int, error: Fraction) -> Fraction:
        terms = [-interval(p) * interval(p).log() / interval(2).log() for p in (error, 1 - error) if p]
        return Fraction(whole_part(interval(bits * 10**6) / (length * (1 - sum(terms, interval(0))))), 10**6)

    facts = {
        f"{bits} bits": f"error {each.upper}, at least {one_way_error.error_of_balls(length, 1 << bits)} by counting"
        for bits, each in brackets.items()
    }
    return Finding(
        measured=min(within(partial(ratio, bits, brackets[bits].upper)) for bits in range(1, length)),
        exact=all(each.exact for each in brackets.values()),
        checked=len(brackets),
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
    on every input."""
    n = (1 << checks) - 1
    if checks <= 3:
        measured = reductions.one_way_error.syndrome_index(checks).measure_error()
        worst, count = measured.worst_error, int(measured.promised.sum()) * measured.weight
    else:
        words, count = np.arange(1 << n), 0
        wrong = np.zeros((len(words), n), dtype=np.int64)
        for place in range(n + 1):
            sent = one_way_error.nearest_words(one_way_error.flipped(words, place, n), checks)
            differ = one_way_error.flipped(one_way_error.restored_words(sent, checks), place, n) ^ words
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


@at_least(
    "Fact 4",
    formula="1",
    unit="leaves for each cell",
    hypotheses=("Boolean functions", "both, or either one, know the answer at the end"),
    tags=("fooling",),
)
def fooling(
    length: int = param("N", 3, "most rows and columns of the tables, all of which are checked", low=2),
) -> Finding:
    """A protocol of C bits has 2^C no less than the cells of any fooling set."""
    sizes = range(2, length + 1)
    tables = [table for shape in product(sizes, sizes) for table in boolean_tables(*shape)]
    ratios, exact = [], True
    for table, knowing in product(tables, ("bob", "alice", "both")):
        matrix = CommunicationMatrix.from_array([list(row) for row in table])
        cost = bounds.deterministic(matrix, answer=knowing)
        sets = [bounds.maximum_fooling_set(matrix, label) for label in matrix.labels]
        exact = exact and cost.exact and all(each.exact for each in sets)
        ratios.append(Fraction(1 << int(cost.lower), max(int(each.lower) for each in sets)))
    facts = {"tables": len(tables), "tables whose cost is the logarithm": sum(ratio == 1 for ratio in ratios)}
    return Finding(measured=min(ratios), exact=exact, checked=len(ratios), of=3 * len(tables), facts=facts)


def boolean_tables(rows: int, columns: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """One table of 0 and 1 out of each class of those that become one another when rows and columns are reordered."""
    seen = set()
    for table in combinations_with_replacement(list(product((0, 1), repeat=columns)), rows):
        least = min(tuple(sorted(zip(*order, strict=True))) for order in permutations(list(zip(*table, strict=True))))
        if least not in seen:
            seen.add(least)
            yield table


# What formal languages cost, odd positions against even ones (Lemma 1) and cut in two (section 4.2)

EVEN, WORD = (param("N", 4, what, low=2, step=2) for what in ("length of the input", "symbols of a word"))
BOTH = "both parties are to know the output, as Lemma 1 has it ('to each compute')"
BOTH_KNOW = ("both parties know the answer",)
FAR = 1 << 12  # turns at which a bound that grows is asked for

on_dyck = partial(OURS.claim, sharpens="bhattamishra2024-lemma-1")
at_every_length = partial(on_dyck, tags=("formal-languages", "every-length"))


def _split_dyck(length: int, alice: Iterable[int], kinds: int = 2) -> problems.SplitTask:
    return problems.dyck(length, kinds, 2).split(problems.Partition.of(length, alice=alice))


def _odd_even_cost(length: int, kinds: int = 2) -> Finding:
    return Finding.of_bracket(bounds.deterministic(_split_dyck(length, range(1, length + 1, 2), kinds)))


def _biting() -> tuple[Plot, ...]:
    sizes, widths = tuple(range(2, 13, 2)), tuple(2**k for k in range(3, 11))
    excluded = {
        bits: tuple(
            (m, bounds.model("transformer", width=m, precision=bits, task="dyck").excluded_from) for m in widths
        )
        for bits in (8, 16, 32)
    }
    return (
        Plot(
            title="Dyck-(2,2), odd positions against even ones",
            x="N, length of the word",
            y="bits",
            lines=(
                Line("printed: N - 1", tuple((n, n - 1) for n in sizes)),
                Line("proved here: N + 1", tuple((n, n + 1) for n in sizes)),
                Line("exact, certified", tuple((n, _upper(_odd_even_cost(n))) for n in (2, 4, 6, 8)), measured=True),
            ),
            note="The measured cost is the one that the documentation proves for every N.",
        ),
        Plot(
            title="From which length on Dyck-(2,2) is too much for one layer",
            x="width of the only head",
            y="N",
            lines=tuple(
                Line(f"{bits}-bit numbers", tuple((m, n) for m, n in points if n)) for bits, points in excluded.items()
            ),
            logarithmic=True,
            note="By formula: below its line a layer's protocol can say as many bits as the task needs.",
        ),
    )


@at_least(
    "Lemma 1",
    formula="N - 1",
    ours="N + 1",
    improvement="the leaf-rank bound, which counts the leaves of both answers (docs/proofs/dyck_odd_even.md)",
    hypotheses=(BOTH,),
    sizes=lengths(4, 6, 8),
    plots=_biting,
    tags=("dyck",),
    proved="dyck_of_two_kinds_costs",
)
def dyck(length: int = EVEN) -> Finding:
    """Dyck-(2,2) costs N - 1 bits or more if one party holds the odd positions and the other the even ones."""
    return _odd_even_cost(length)


@at_least(
    "Lemma 1",
    name="lemma 1 fooling set",
    role=Role.STEP,
    formula="2**(N - 1)",
    ours="2**(N - 1)",
    unit="cells",
    sizes=lengths(4, 6, 8),
    tags=("dyck", "fooling"),
    proved="dyck_fooling_set",
)
def dyck_fooling_set(length: int = EVEN) -> Finding:
    """All 2^(N-1) words of Dyck-(2,2) of length N are a fooling set."""
    matrix = _split_dyck(length, range(1, length + 1, 2)).matrix
    cells = np.argwhere(matrix.codes == 1).tolist()
    below = Side(len(cells), "all words", {"kind": "fooling-set", "cells": cells})
    above, about = Side(len(cells), "rows", {"kind": "lines"}), {"code": 1, "answer": "both"}
    bracket = bounds.Bracket("fooling-set", below, above, about, "cells", matrix=matrix)
    return Finding.of_bracket(bracket)


@on_dyck(
    "docs/proofs/dyck_odd_even.md",
    name="dyck-odd-even",
    direction=Direction.EXACT,
    formula="L((2*k)**(N/2) + 1)",
    hypotheses=BOTH_KNOW,
    sizes=({"length": 6}, {"length": 8, "kinds": 1}, {"length": 4, "kinds": 3}),
    tags=("dyck",),
    proved="dyck_odd_even_costs",
)
def dyck_of_kinds(length: int = EVEN, kinds: int = param("k", 2, "kinds of brackets")) -> Finding:
    """Dyck-(k,2), odd positions against even ones, costs ceiling(log2((2k)^(N/2) + 1)) bits: N + 1 for two kinds."""
    return _odd_even_cost(length, kinds)


@at_every_length(
    "docs/theory.md",
    name="dyck-every-length",
    direction=Direction.EXACT,
    formula="N + 1",
    hypotheses=BOTH_KNOW,
    sizes=lengths(2, 4, 100, 1000),
)
def dyck_at_every_length(length: int = WORD) -> Finding:
    """Dyck-(2,2) under the odd/even split takes exactly N + 1 bits at every even N: one certificate proves both sides
    for all of them."""
    certificate = bounds.task_certificate("dyck")
    assert certificate is not None
    sides = {2 * n: (certificate.lower(n), certificate.upper(n)) for n in range(1, length // 2 + 1)}
    return Finding(
        measured=sides[length][0],
        checked=len(sides),
        of=length // 2,
        violations=[f"from {low} to {high} bits at N = {n}" for n, (low, high) in sides.items() if low != high],
        every_length=certificate,
    )


@at_every_length(
    "docs/languages.md",
    name="blanks-every-length",
    direction=Direction.LOWER,
    formula="ceiling(log(3**(N/2) + (-1)**(N/2), 2)) - 1",
    hypotheses=BOTH_KNOW,
    sizes=lengths(2, 4, 6),
)
def blanks_at_every_length(length: int = WORD) -> Finding:
    """(ab)* with blanks under the odd/even split needs ceil(log2((3^n + (-1)^n)/2)) bits at every N = 2n, by a regular
    fooling set; so no one-layer transformer of fixed size recognises it."""
    language = {0: {"a": 1, "_": 0}, 1: {"b": 0, "_": 1}}
    task = problems.regular_language(length, language, 0, {0}, "ab_")
    family = families.partitioned(Automaton.from_transitions(language, 0, {0}, "ab_"), "AB")
    words = families.regular_fooling_set(family, 1)
    assert words is not None
    certificate = families.FamilyCertificate.of(family, lower={"kind": "regular-fooling-set", "words": words.to_json()})
    bracket = bounds.deterministic(task.split(problems.Partition.odd_even(length)))
    counted, expected = words.counts(length // 2)[-1], (3 ** (length // 2) + (-1) ** (length // 2)) // 2
    wrong = () if counted == expected else (f"{counted} words, not {expected}",)
    return Finding.of_bracket(bracket, violations=wrong, every_length=certificate)


@at_every_length(
    "docs/languages.md",
    name="classes-every-length",
    direction=Direction.EXACT,
    formula="1",
    unit="",
    hypotheses=(
        *BOTH_KNOW,
        "both hold letters or blanks in turn",
        "O(log n) from above is a protocol by landmarks, proved in docs/languages.md and run at n = 1 alone",
    ),
    sizes=({"states": 1}, {"states": 2}),
)
def classes_at_every_length(states: int = param("s", 2, "states of the automata", low=1)) -> Finding:
    """For every automaton of s states over two letters and a blank, certificates for all n show that its language costs
    at most a constant, or at least log n, or at least n, up to constants."""
    every = {
        Automaton.of("ab", table, outputs).minimise()
        for table in product(product(range(states), repeat=2), repeat=states)
        for outputs in product((0, 1), repeat=states)
    }
    kinds = [_proved(automaton) for automaton in every]
    wrong = tuple(kind for kind in kinds if kind.startswith("not"))
    facts = {kind: kinds.count(kind) for kind in sorted(set(kinds))}
    share = Fraction(len(every) - len(wrong), len(every))
    return Finding(measured=share, checked=len(kinds), of=len(every), violations=wrong, facts=facts)


def _proved(automaton: Automaton) -> str:
    language = families.language(automaton, longest=0)
    kind, proof = language.classification.deterministic, language.proof
    if proof is None:
        return f"not proved: {language.left_out}"
    if kind == families.CONSTANT:
        return kind if proof.upper(FAR) == proof.upper(1) else f"not {kind}: bits at each block"
    if kind == families.LOGARITHMIC:
        above = families.landmark_protocol(automaton, families.transition_monoid(automaton))
        least = FAR.bit_length() - 2
        if above is None or not above.protocol(1).explore().correct:
            return f"not {kind}: no logarithmic protocol"
    else:
        least = FAR // (2 * language.reduction.block) + 1 if language.reduction else FAR
    lower = proof.lower(FAR) or 0
    return kind if lower >= least else f"not {kind}: {lower} bits at {FAR} turns"


@BHATTAMISHRA_2024.claim(
    "Section 4.2",
    name="section 4.2 contiguous partitions",
    direction=Direction.UPPER,
    formula="L(8) + 1",
    hypotheses=("both know the answer: three bits for one of seven stacks or none, one for the answer",),
    sizes=lengths(4, 6),
    tags=("dyck",),
)
def dyck_cut_anywhere(length: int = EVEN) -> Finding:
    """Cut anywhere, a word of Dyck-(2,2) costs few bits: what is open is at most two brackets."""
    findings = [
        Finding.of_bracket(bounds.deterministic(_split_dyck(length, range(1, cut + 1)))) for cut in range(1, length)
    ]
    worst = max(findings, key=_upper)
    return worst.also(facts={"bits at each cut": [_upper(each) for each in findings]})


def _upper(finding: Finding) -> int:
    return int((finding.bracket.upper if finding.bracket else None) or 0)


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
    bound = Fraction(1, inverse)

    def look(count: int) -> Tally:
        vectors = constructions.smallest_sign_vectors(count, bound, two_sided=two_sided)
        inside = vectors.within(bound, two_sided)
        wrong = [] if inside else [f"a product beyond {bound} of {vectors.dimension} signs"]
        return Tally(vectors.dimension, comb(vectors.count, 2), comb(count, 2), wrong)

    return grown(sizes_between(length, 3), look)


@upper(
    "Lemma 2",
    name="lemma-2-dimension",
    direction=Direction.EXACT,
    role=Role.STEP,
    formula="floor(8*r**2*log(2*N)) + 1",
    sizes=lengths(16, 256),
    hypotheses=("vectors of that many signs are drawn with the seeds 0 to 7", SEED),
)
def dimension(length: int = param("N", 16, "vectors", low=3), inverse: int = MARGIN) -> Finding:
    """The union bound 2 N^2 exp(-k g^2/4) is at most 1/2 from k = (8/g^2) ln 2N on, so that half of all draws are
    within g from both sides."""
    signs = least_by_union(2 * length**2, Fraction(1, 4 * inverse**2), Fraction(1, 2))
    draws = [constructions.SignVectors(length, signs, seed) for seed in range(DRAWS)]
    inside = sum(vectors.within(Fraction(1, inverse), True) for vectors in draws)
    share, pairs = f"{inside} of {DRAWS}", len(draws) * comb(length, 2)
    wrong = () if 2 * inside >= DRAWS else (f"only {share} draws of {signs} signs are within the bound",)
    of = DRAWS * comb(length, 2)
    return Finding(measured=signs, checked=pairs, of=of, violations=wrong, facts={"draws within the bound": share})


def least_by_union(events: int, exponent: Fraction, most: Fraction = Fraction(1)) -> int:

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
    printed."""
    bound, least = Fraction(1, inverse), _least_signs(length, inverse)
    given, enough = least_by_union(comb(length, 2), bound**2 / 2), least.series[-1][1]
    wrong = () if enough <= given else (f"{enough} signs are needed with seed 0",)
    facts = {"seed 0": enough, "by counting all sequences": constructions.union_dimension(length, bound)}
    return least.also(wrong, facts, series=(), measured=given)


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

    Every unit vector of L(N) dimensions is more than N of them.
    """
    if vectors == "basis":
        return _least_signs(length, inverse, two_sided=True)

    def look(count: int) -> Tally:
        if vectors == "every":
            signs = _least_map((count - 1).bit_length(), partial(_keeps_all, inverse))
            return Tally(signs, signs, signs, ())
        digits = np.arange(count)[:, None] >> np.arange((count - 1).bit_length()) & 1
        points = 2 * digits - 1 if vectors == "codes" else _sphere(count)
        signs = _least_map(points.shape[1], partial(_keeps, points, inverse))
        return Tally(signs, comb(len(points) + 1, 2), comb(count + 1, 2), ())

    return grown(sizes_between(length, 4), look)


def _sphere(count: int) -> Any:
    generator, points = np.random.default_rng(0), dict[bytes, Any]()
    while len(points) < count:
        point = generator.permutation(ENTRIES) * generator.choice((-1, 1), size=len(ENTRIES))
        points[point.tobytes()] = point
    return np.array(list(points.values()))


def _keeps(points: Any, inverse: int, change: Any, signs: int) -> bool:
    return bool(np.abs(points @ change @ points.T).max() * inverse <= signs * (points[0] ** 2).sum())


def _keeps_all(inverse: int, change: Any, signs: int) -> bool:
    """No product of unit vectors changes by more than 1/r iff kI - rC and kI + rC are positive semidefinite.

    That is so iff the coefficients of their characteristic polynomials, all of whose roots are real, alternate in sign.
    """
    for sign in (1, -1):
        matrix = signs * np.eye(len(change), dtype=np.int64) + sign * inverse * change
        falling = flint.fmpz_mat(matrix.tolist()).charpoly().coeffs()[::-1]
        if any((-1) ** place * int(each) < 0 for place, each in enumerate(falling)):
            return False
    return True


def _least_map(dimensions: int, near: Callable[[Any, int], bool]) -> int:
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

    def look(size: int) -> Tally:
        code, listed = constructions.shortest_code(1 << size, QUARTER), size <= DIFFERENCES_UP_TO
        largest = code.largest_product if listed else code.proved_product
        wrong = [f"a word of sum {largest}"] if largest > code.dimension * QUARTER else []
        looked = code.count - 1 if listed else code.dimension
        return Tally(code.dimension, looked, (1 << size) - 1 if listed else code.dimension, wrong)

    return grown([*(size for size in (4, 8, 16, 32, 64, 128, 256) if size < bits), bits], look)
