"""Sanford, Hsu and Telgarsky 2023, Representational strengths and limitations of transformers (arXiv 2306.02896).

It was read in two slide decks, its authors' talk of 2023 and a lecture on it of 2025.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations, combinations_with_replacement, product
from math import comb, isqrt
from typing import Any

import numpy as np

from ccsim import bounds, models, problems
from ccsim.claims import Constant, Direction, Finding, Role, param, sizes_up_to
from ccsim.errors import InputError
from protocols import constructions, reductions
from protocols.papers.checks import (
    Tally,
    compared,
    drawn_words,
    grown,
    least_number,
    one_way_bits,
    reduced,
    require_growth,
)
from protocols.papers.sources import OURS, built_here, lengths
from protocols.papers.sources import SANFORD_2023 as PAPER
from protocols.reductions import task_reductions

MOST_SETS = 130  # up to so many sets of q rows are all looked at
DRAWN_ROWS = 32  # rows in the sets that are drawn of more
CERTIFIED = (1, 2, 3, 4)  # sets of so many elements, for which the bits that it takes are certified
RUN = ((1, 6), (2, 18), (3, 27))  # sets of so many elements, and keys of so many numbers, for which a unit is run

rows = partial(param, "N", meaning="rows", low=2)
subset = partial(param, "q", meaning="size of a set")
VALUES = param("d", 1, "d', numbers in a value")
SETS = "size of a set: what a row averages"

ALL_OF_IT = "width counts the numbers in a row: query, key and value side by side"
SOME_SETS = "up to 130 sets of q rows all are looked at, of more the ends and some that are drawn"
SIGNS = "ours: the width is d' + 6 q ceiling(log2 N), and ceiling(log2 N) <= 4/3 log2 N from N = 4 on"
ALONG_AN_AXIS = "d' = 1, and so any d': a unit for vectors averages numbers along an axis"
BOB_KNOWS = "Bob knows the answer at the end, as in the protocol that the proof makes of a unit"

construction = partial(
    PAPER.claim,
    "the positive result for sparse averaging",
    direction=Direction.CONSTRUCTION,
    unit="numbers",
    tags=("q-sparse-averaging", "attention", "construction"),
)
wide = partial(
    construction,
    formula="c*(d + q*log(N, 2))",
    ours="d + 6*q*L(N)",
    hypotheses=("e = 1/(2q)", ALL_OF_IT, SOME_SETS),
)
needed = partial(PAPER.claim, direction=Direction.LOWER)
line = partial(PAPER.claim, role=Role.STEP, tags=("q-sparse-averaging", "attention"))

Layer = Sequence[Sequence[int]]


@wide(name="sparse-averaging-construction", constant=Constant("8", SIGNS), sizes=({}, {"q": 3, "values": 3}))
def width_over_length(length: int = rows(256, low=8), q: int = subset(2), values: int = VALUES) -> Finding:
    """One attention unit of width O(d' + q log N) comes within e of the averages of any q of N rows."""
    sizes = doubled("length", length, low=max(4, q))
    return grown(sizes, lambda size: _averaged(size, q, values, 2 * q, _unit_width))


@wide(name="sparse-averaging-construction-over-q", constant=Constant("8", SIGNS, along="q"), sizes=({"values": 3},))
def width_over_q(q: int = subset(64, low=2), length: int = rows(64, low=4), values: int = VALUES) -> Finding:
    """One attention unit of width O(d' + q log N) comes within e of the averages, for larger and larger sets."""
    return grown(sizes_up_to(q), lambda size: _averaged(length, size, values, 2 * size, _unit_width))


@construction(
    name="sparse-averaging-precision",
    formula="c*log(q*e*log(N, 2), 2)",
    ours="6 + L(ceiling(2*log(4*N*e)) + 2) + L(3*q*e*L(N))",
    unit="bits",
    constant=Constant("5", "ours, where (q/e) log2 N is at least 16: docs/proofs/sparse_averaging.md"),
    hypotheses=(
        SOME_SETS,
        "numbers have a fixed point, and everything is rounded down",
        "d' is at most (3 q ceiling(log2 N))^2: outputs of more numbers lose more, in the 2-norm, by rounding",
    ),
    sizes=({}, {"inverse": 100}, {"values": 3}),
)
def precision_over_length(
    length: int = rows(256, low=8),
    q: int = subset(2),
    inverse: int = param("e", 4, "one over the error that is allowed", low=2),
    values: int = VALUES,
) -> Finding:
    """Numbers of O(log((q/e) log N)) bits are enough for it."""
    if q * inverse < 8:
        raise InputError("inverse", inverse, "q times it at least 8: for less no constant is declared")
    sizes = doubled("length", length, low=max(4, q))
    return grown(sizes, lambda size: _averaged(size, q, values, inverse, lambda unit: unit.precision.bits))


def doubled(name: str, largest: int, low: int) -> tuple[int, ...]:
    if largest < 2 * low:
        raise InputError(name, largest, f"at least {2 * low}, so that there are two sizes or more")
    return sizes_up_to(largest, low)


def _averaged(
    length: int, q: int, values: int, inverse: int, measure: Callable[[constructions.SparseAveraging], int]
) -> Tally:
    """What is measured of a unit, whose errors of weights and of rounding must be within 1 / inverse."""
    average = constructions.sparse_averaging_unit(length, q, error=Fraction(1, inverse), value_width=values)
    sets, rounding = _sets_of(length, q), Fraction(isqrt(values - 1) + 1, average.precision.scale)
    wrong = [
        f"the average of the rows {chosen} may be off by {error + rounding}"
        for chosen, error in zip(sets, average.worst_errors(sets), strict=True)
        if error + rounding > average.error
    ]
    return Tally(measure(average), len(sets), comb(length, q), wrong)


def _unit_width(average: constructions.SparseAveraging) -> int:
    row = np.array([[*range(1, average.most + 1), 1, *[0] * average.value_width]])
    return int(average.unit.embed(row).shape[-1])


def _sets_of(length: int, q: int) -> tuple[tuple[int, ...], ...]:
    if comb(length, q) <= MOST_SETS:
        return tuple(combinations(range(1, length + 1), q))
    generator, numbers = np.random.default_rng(0), np.arange(1, length + 1)
    drawn = [generator.choice(numbers, q, replace=False) for _ in range(DRAWN_ROWS // q)]
    extreme = [numbers[:q], numbers[-q:], numbers[(np.arange(q) * length) // q]]
    return tuple(dict.fromkeys(tuple(sorted(chosen.tolist())) for chosen in extreme + drawn))


@line(
    "how to choose Q and K, the dual vectors",
    name="sparse-averaging-dual-vectors",
    direction=Direction.UPPER,
    formula="4*q",
    unit="",
    hypotheses=(
        "keys of 3 q ceiling(log2 N) signs",
        "products off the set are bounded from above, as on this slide",
    ),
    sizes=({"length": 8}, {"length": 12, "q": 3}, {"length": 32}),
)
def dual_vectors(length: int = rows(8), q: int = subset(2)) -> Finding:
    """Each set of q keys of signs has a vector w with products 1 on the set, at most 1/2 off it, and |w|^2 <= 4q."""
    sets, duals = list(combinations(range(1, length + 1), q)), constructions.sparse_averaging_unit(length, q).duals
    largest = max(duals.of(chosen).norm for chosen in sets)
    return Finding(measured=largest, checked=len(sets), of=comb(length, q))


@line(
    "how to choose Q and K, the weights",
    name="sparse-averaging-weights",
    direction=Direction.EXACT,
    formula="N*binomial(N, q)",
    unit="weights",
    hypotheses=("e = 1/(2q), in the precision of the unit", "counted: all rows under all sets of q rows"),
    sizes=({"length": 8}, {"length": 12, "q": 3}),
)
def weights(length: int = rows(8), q: int = subset(2)) -> Finding:
    """Softmax gives rows of the set (1 +- e/2)/q of the weight, and e/(2N) or less to each other row."""
    average, inside = constructions.sparse_averaging_unit(length, q), 0
    sets, error = list(combinations(range(1, length + 1), q)), average.error
    for chosen, row in zip(sets, average.weights(np.array(sets)).tolist(), strict=True):
        for place, weight in enumerate(row, start=1):
            share = Fraction(weight, average.precision.scale)
            named = (1 - error / 2) / q <= share <= (1 + error / 2) / q
            inside += named if place in chosen else share <= error / (2 * length)
    return Finding(measured=inside, checked=length * len(sets), of=length * comb(length, q))


@needed(
    "the negative result for sparse averaging",
    name="sparse-averaging-width",
    formula="c*q/p",
    ours="ceiling(q/p) - 2",
    unit="numbers",
    constant=Constant(
        "1/2",
        "ours: Alice's message of (m + 2) p bits tells Bob whether two sets of q meet, so (m + 2) p >= q, and "
        "q/p - 2 >= q/(2p) from q = 4p on (the source has some constant, for large q)",
    ),
    hypotheses=(
        "N of at least 2q + 1 rows",
        ALONG_AN_AXIS,
        "width counts the numbers in a query or a key",
        "executed: units for sets of up to 3 are run as protocols, and q bits are certified up to q = 4",
    ),
    tags=("q-sparse-averaging", "attention"),
)
def least_width(length: int = param("q", 4096, SETS), precision: int = param("p", 16, "bits of a number")) -> Finding:
    """An attention unit that comes within 1/(2q) of the averages of q of N rows has width c q/p or more.

    What it takes is certified for small sets, and the message is counted for small units. Beyond, the bits for q
    elements are q by the theorem on disjointness.
    """
    if length < 8 * precision:
        raise InputError("length", length, f"at least {8 * precision}: for smaller sets nothing is claimed")
    wrong: list[str] = []
    for size in CERTIFIED:
        need = from_below(size, 0)
        wrong += need.violations
        if need.bracket is None or (need.bracket.lower, need.bracket.upper) != (size, size):
            wrong.append(f"sets of {size} take {need.bracket}")
    runs = [(keys, *_asked(size, keys, None)) for size, keys in RUN]
    for keys, run, numbers in runs:
        wrong += run.wrong
        if run.value != (keys + 2) * numbers:
            wrong.append(f"{run.value} bits for keys of {keys} numbers of {numbers} bits")
    return Finding(
        series=tuple((q, max(0, -(-q // precision) - 2)) for q in sizes_up_to(length, low=4 * precision)),
        checked=sum(run.checked for _, run, _ in runs),
        violations=wrong,
        calculated=True,
    )


def _asked(q: int, keys: int, precision: int | None) -> tuple[Tally, int]:
    """The bits of the protocol for sets of q among 2q + 1 rows, and of a number, right on all pairs."""
    average = constructions.sparse_averaging_unit(2 * q + 1, q, dimension=keys, precision=precision)
    if max(average.worst_errors(combinations(range(1, 2 * q + 2), q))) > average.error:
        raise InputError("precision", precision, f"bits in which keys of {keys} numbers come within 1/(2q)")
    protocol = reductions.attention_query(average.unit, q, row=average.row, answer="bob")
    explored = protocol.explore()
    wrong = [str(violation) for violation in explored.violations]
    if not np.array_equal(protocol.function.codes, problems.intersection(q).codes):
        wrong.append("the unit does not determine whether two sets meet")
    return Tally(explored.worst_bits, explored.pairs, 4**q, wrong), average.precision.bits


@line(
    "the negative result for sparse averaging, the proof outline",
    name="sparse-averaging-from-below",
    direction=Direction.LOWER,
    formula="q",
    ours="q",
    hypotheses=(ALONG_AN_AXIS, BOB_KNOWS, "the encoding of the longer slides"),
    sizes=({"length": 2}, {"length": 3, "extra": 2}, {"length": 4}),
)
def from_below(length: int = param("q", 2, SETS), extra: int = param("r", 0, "rows beyond 2q + 1", low=0)) -> Finding:
    """An average of q rows within 1/(2q) determines whether two sets of q elements meet, which takes q bits."""
    reduction = task_reductions.intersection_to_sparse_averaging(length, 2 * length + 1 + extra)
    facts = {"rows": 2 * length + 1 + extra, "inputs": 4**length}
    return reduced(reduction, bounds.deterministic(reduction.source, answer="bob"), facts=facts)


@line(
    "the negative result for sparse averaging, the protocol",
    name="sparse-averaging-message",
    direction=Direction.UPPER,
    formula="c*m*p",
    ours="(m + 2)*p",
    constant=Constant(
        "3",
        "ours: the query, and with it the logit and the value of Alice's own row, are m + 2 <= 3m numbers; the "
        "the slides name the query alone, which is m of them, and state O(m p)",
        along="keys",
    ),
    instances="units that are built here",
    hypotheses=(ALONG_AN_AXIS, BOB_KNOWS, "all pairs of sets, at each width"),
)
def message(
    length: int = param("q", 2, SETS),
    keys: int = param("m", 320, "width of queries and keys", low=10),
    precision: int = param("p", 16, "bits of a number", low=10),
) -> Finding:
    """A unit of width m is a protocol for disjointness in which Alice sends O(m p) bits, and Bob then knows."""
    return grown(sizes_up_to(keys, low=5), lambda size: _asked(length, size, precision)[0])


@needed(
    "recurrent networks and sparse averaging",
    name="sparse-averaging-recurrent",
    formula="(N - 1)/2",
    ours="N - 1",
    improvement="one message for the bit at a place, which has to determine all N - 1 earlier signs",
    hypotheses=(
        "q = 1",
        "d' = 1: a value is one number",
        "any error below 1",
        "the last row is read last; the answer is its average",
    ),
    sizes=lengths(4, 8),
    tags=("q-sparse-averaging", "recurrent"),
)
def recurrent(length: int = rows(5)) -> Finding:
    """A recurrent model for averages of one row out of N has (N - 1)/2 bits of state or more."""
    return reduced(task_reductions.index_to_sparse_averaging(length - 1))


@OURS.claim(
    "docs/proofs/recurrent_averages.md",
    name="sparse-averaging-recurrent-state",
    direction=Direction.EXACT,
    sharpens="sanford2023-sparse-averaging-recurrent",
    formula="(N - 1)*d",
    hypotheses=("q = 1", "all words with values of d' signs, over the root of d': each prefix against each last row"),
    sizes=({"length": 3}, {"length": 4}, {"length": 3, "values": 2}, {"length": 2, "values": 3}),
    tags=("q-sparse-averaging", "recurrent"),
)
def recurrent_state(length: int = rows(4), values: int = VALUES) -> Finding:
    """What a recurrent model has to know of N - 1 rows before the last one, for averages of one row, is (N - 1) d'
    bits: they are needed, and enough if values are signs.

    A value is d' signs, divided by the root of d'; signs are what counts.
    """
    symbols = list(product(range(length), product((0, 1), repeat=values)))  # the row that is named, and the signs
    answers = [
        [[*(signs for _, signs in prefix), last][named] for named, last in symbols]
        for prefix in product(symbols, repeat=length - 1)
    ]
    codes = np.array(answers) @ (1 << np.arange(values))
    return Finding.of_bracket(one_way_bits(problems.TwoPartyFunction.from_matrix(codes)))


@needed(
    "feed-forward networks and sparse averaging",
    name="sparse-averaging-feedforward",
    formula="N*d/2",
    ours="ceiling(N*d/2)",
    unit="units",
    instances="first layers of small whole weights",
    hypotheses=(
        "q < N/2",
        "executed: all first layers of the most units below N d'/2 with integer weights in the range that is set",
    ),
    sizes=(
        {},
        {"length": 5, "q": 2, "least": 0, "largest": 1},
        {"length": 3, "values": 2, "least": 0, "largest": 1},
    ),
    tags=("q-sparse-averaging", "feedforward"),
)
def every_narrow_layer(
    length: int = rows(4, low=3),
    q: int = subset(1),
    least: int = param("least", -2, "the least weight", low=-9),
    largest: int = param("largest", 2, "the largest weight"),
    values: int = VALUES,
) -> Finding:
    """A feed-forward network that comes within 1/(2q) of the averages has a first layer of width N d'/2 or more.

    Neither the order of the units nor, where weights of both signs are gone through, the sign of a unit changes what is
    confused.
    """
    if least > largest or 2 * q >= length:
        raise InputError("least, largest, q", (least, largest, q), f"a range of weights, and q below {length}/2")
    narrow = (length * values - 1) // 2
    units = list(product(range(least, largest + 1), repeat=length * values))
    if least == -largest:
        units = [unit for unit in units if unit >= tuple(-weight for weight in unit)]
    return _all_fail(combinations_with_replacement(units, narrow), length, q, values, narrow + 1)


@OURS.claim(
    "docs/proofs/feedforward_kernel.md",
    name="sparse-averaging-feedforward-width",
    direction=Direction.LOWER,
    sharpens="sanford2023-sparse-averaging-feedforward",
    formula="N*d",
    ours="N*d",
    unit="units",
    instances="first layers blind to one direction of small whole entries",
    hypotheses=(
        "N of at least 2q",
        "executed: for each direction with whole entries from -1 to the largest, N d' - 1 units that see all else",
    ),
    sizes=({}, {"length": 5, "largest": 1}, {"values": 2, "largest": 0}),
    tags=("q-sparse-averaging", "feedforward"),
)
def every_direction(
    length: int = rows(4),
    q: int = subset(2),
    largest: int = param("largest", 2, "the largest entry of a direction", low=0),
    values: int = VALUES,
) -> Finding:
    """A feed-forward network that comes within 1/(2q) of the averages has a first layer of width N d' or more."""
    if 2 * q > length:
        raise InputError("q", q, f"at most half of {length}")
    size = length * values
    blind = (_blind_to(each) for each in product(range(-1, largest + 1), repeat=size) if any(each))
    return _all_fail(blind, length, q, values, size)


def _blind_to(direction: Sequence[int]) -> Layer:
    entry = next(entry for entry in direction if entry)
    place = direction.index(entry)
    units = entry * np.eye(len(direction), dtype=np.int64)
    units[:, place] -= direction
    return np.delete(units, place, axis=0).tolist()


def _all_fail(layers: Iterable[Layer], length: int, q: int, values: int, measured: int) -> Finding:
    wrong, count = [], 0
    for layer in layers:
        collision = reductions.feedforward_kernel(layer, length=length, q=q, dimension=values)
        count += 1
        if not (collision.verify() and collision.is_too_much):
            wrong.append(f"no two inputs show that the first layer {layer} fails")
    facts = {"first layers that were tried": count, "proof for all real ones": "docs/proofs/feedforward_kernel.md"}
    return Finding(measured=measured, calculated=True, checked=count, violations=wrong, facts=facts)


MOST_WORDS = 1 << 10  # up to so many words are all run where sizes grow
DRAWN = 16

numbers = partial(param, "N", meaning="numbers in the word")
modulus = partial(param, "M", meaning="the modulus", low=2)
MATCH2_BITS = "1 + Max(1, L(ceiling(log(18*N)))) + Max(L(8*ceiling(M**2*log(6*N))), L(16*N))"
LARGER = ({"length": 3, "modulus": 11}, {"length": 4, "modulus": 7}, {"length": 5, "modulus": 5})

BLANK = "a blank row at the end"
QUERIES_AND_KEYS = (
    "width counts the numbers in a query, a key or a value; the rows that they are cut from may have more"
)
WINDOWS = (
    "ours: the width is (2K + 1) (ceiling(log2 M) + 6 ceiling(log2 N)), where 2K + 1 <= 3K, M <= N^2, and "
    "ceiling(log2 N) <= 4/3 log2 N from N = 4 on"
)

pair = partial(
    PAPER.claim,
    "the positive result for Match2",
    direction=Direction.CONSTRUCTION,
    unit="numbers",
    built="modified: c is taken off all logits, as the printed matrices do not exist on R^3; no weight changes",
    tags=("match2", "attention", "construction"),
)
triple = partial(
    PAPER.claim,
    direction=Direction.CONSTRUCTION,
    unit="numbers",
    built="ours: the slides print no construction",
    tags=("match3", "attention", "construction"),
)
local = partial(
    triple,
    "Match3Local",
    formula="c*K*log(N, 2)",
    ours="Min(2*K + 1, N)*(L(M) + 6*L(N))",
    hypotheses=(
        ALL_OF_IT,
        "M <= N^2",
        "the digits of a row cannot be misread, whatever the others are: by the weights, exactly; some words are run",
        "the construction is ours: sparse averages of binary digits",
    ),
)


@pair(
    name="match2",
    formula="3",
    ours="3",
    hypotheses=(
        "width counts the numbers in a row, a query, a key or a value",
        BLANK,
        "c is taken off all logits, which changes no weight: docs/errata.md",
    ),
    sizes=LARGER,
)
def match2(length: int = numbers(4), modulus: int = modulus(7)) -> Finding:
    """One attention unit of width 3 computes Match2."""
    model = constructions.match2_unit(length, modulus, row=None)
    measured = max(_width_of_rows(model), _width(model))
    task = problems.match2(length, modulus, row=None)
    return compared(model, task, measured).finding(facts={"precision": model.precision.bits})


@pair(
    name="match2-precision",
    formula="c*log(M, 2)",
    ours=MATCH2_BITS,
    ours_exact=False,
    unit="bits",
    constant=Constant("8", "ours, for N <= M and M >= 4: docs/proofs/match2.md", along="modulus"),
    hypotheses=(
        "the fewest bits for which the proof of margins goes through, for all words",
        "words are run from each class: the symbol in the row that is asked, and how many match it",
    ),
)
def bits_over_modulus(length: int = numbers(4), modulus: int = modulus(256, low=8)) -> Finding:
    """Numbers of O(log M) bits are enough for it."""

    def look(size: int) -> Tally:
        bits = next(bits for bits in range(4, 61) if _margins_are_proved(length, size, bits))
        return _on_classes(constructions.match2_unit(length, size, precision=bits))

    return grown(doubled("modulus", modulus, low=max(4, length)), look)


@built_here(
    "docs/proofs/match2.md",
    name="match2-precision",
    sharpens="sanford2023-match2-precision",
    formula=MATCH2_BITS,
    hypotheses=("c = M^2 ln(6N), as printed, rounded up", "a blank row at the end"),
    sizes=({"modulus": 16}, {"modulus": 64}, {"modulus": 256}),
    tags=("match2", "attention", "construction"),
)
def bits_with_the_shift(length: int = numbers(4, low=2), modulus: int = modulus(16, low=3)) -> Finding:
    """Match2 with c taken off all logits is right on every word in 2 log2 M + 2 log2 ln N bits and a few more: no logit
    but those near the largest has to be held, so the integer part takes log2 ln N bits and not log2 c."""
    model = constructions.match2_unit(length, modulus)
    printed = constructions.match2_unit(length, modulus, precision=model.precision.bits, shifted=False)
    mistake = next(iter(_on_classes(printed).wrong), "right on one word of each class")
    return _on_classes(model).finding(facts={"logits as printed, in as many bits": mistake})


def _margins_are_proved(length: int, modulus: int, bits: int) -> bool:
    """Whether the proof of margins accepts the unit of so many bits; too few bits for its numbers are refused."""
    symbols = np.arange(modulus + 1)[:, None]
    try:
        unit: Any = constructions.match2_unit(length, modulus, precision=bits).layers[0].attention
    except InputError:
        return False
    return constructions.matching_margin(unit, length, symbols[:-1], symbols)


def _on_classes(model: Any) -> Tally:
    """The bits of a unit, run on one word of each class; the margins are proved, so no more matters."""
    length, size = model.length, len(model.alphabet)

    def words() -> Iterator[list[int]]:
        for symbol, count in product(range(size), range(length)):
            near = [(-symbol + (1 if place % 2 else -1)) % size for place in range(length - 1 - count)]
            yield [symbol, *[-symbol % size] * count, *near]

    every = np.array(list(words()))
    tally = compared(model, problems.match2(length, size), model.precision.bits, lambda _: every, most=0)
    return tally._replace(of=len(every))


@needed(
    "the negative result for Match3, the proof idea",
    name="match3",
    role=Role.STEP,
    formula="(N - 1)/2",
    ours="(N - 1)/2",
    hypotheses=(
        "any M of at least N + 1",
        "one of the two knows the answer at the end; both know the first number",
        "the numbers are ours, one encoding for M = N + 1 and N + 2 and one from N + 3 on: the slides only state "
        "which triples are to add up to 0",
    ),
    sizes=(
        {"modulus": 6, "encoding": "tight"},
        {"modulus": 7, "encoding": "tight"},
        {"modulus": 8, "encoding": "wide"},
        {"length": 9, "modulus": 12, "encoding": "wide"},
    ),
    tags=("match3", "intersection"),
)
def match3(
    length: int = numbers(5, low=5, step=2),
    modulus: int = modulus(8, low=6),
    encoding: str = param("encoding", "wide", "how sets become numbers", choices=("wide", "tight")),
) -> Finding:
    """Match3 at one row of N numbers determines whether two sets of (N - 1)/2 meet, which takes as many bits."""
    reduction = task_reductions.intersection_to_match3((length - 1) // 2, encoding, modulus)
    return reduced(reduction, bounds.deterministic(reduction.source, answer="bob"))


@needed(
    "lower bound for Match3",
    name="match3-width",
    formula="c*N/(p*H*log(log(N, 2), 2))",
    constant=Constant("1/22", "ours: docs/proofs/softmax_protocol.md; the source's was not in what was read"),
    unit="",
    hypotheses=(
        "M = N + 1",
        "p of log2(N + 1) or more, so that a number of the input is a number of the layer",
        "the row that is asked for is read out",
    ),
    sizes=({}, {"heads": 4}),
    tags=("match3", "transformer"),
)
def match3_width(
    length: int = param("N", 4161, "numbers in the word, below N + 1", low=5, step=2),
    precision: int = param("p", 16, "bits of a number", low=3),
    heads: int = param("H", 1, "attention heads"),
) -> Finding:
    """One layer of H heads that computes Match3 has width Omega(N/(p H log log N))."""

    def least(n: int) -> int:
        size = {"heads": heads, "precision": precision, "length": n, "symbols": n + 1}
        return least_number(lambda width: bounds.softmax_bits(head_width=width, **size) >= (n + 1) // 2)

    sizes = sorted({max(5, (length - 1 >> halvings) | 1) for halvings in range(7)})
    widths = [least(n) for n in sizes]
    require_growth(length, widths)
    return Finding(
        series=tuple(zip(sizes, widths, strict=True)),
        calculated=True,
        outside="" if length < 1 << precision else "p of log2(N + 1) or more",
        facts={"bits that it needs": (length + 1) // 2},
    )


@triple(
    "Match3Bigram",
    name="match3-bigram",
    formula="3",
    ours="3",
    hypotheses=(
        QUERIES_AND_KEYS,
        BLANK,
        "each row knows its position; how to come by the sum of neighbours is ours, by fetching the next number",
    ),
    sizes=LARGER,
)
def bigram(length: int = numbers(4), modulus: int = modulus(7)) -> Finding:
    """Two layers of width 3 compute Match3 for neighbours."""
    model = constructions.match3_bigram_transformer(length, modulus, row=None)
    return compared(model, problems.match3_bigram(length, modulus, row=None), _width(model)).finding()


@local(name="match3-local", constant=Constant("32", WINDOWS))
def local_over_length(
    length: int = numbers(256, low=8), modulus: int = modulus(7), window: int = param("K", 1, "how far away")
) -> Finding:
    """One layer of width O(K log N) computes Match3 for positions at most K away."""
    sizes = doubled("length", length, low=max(4, isqrt(modulus - 1) + 1))
    return grown(sizes, lambda size: _local(size, modulus, window))


@local(
    name="match3-local-over-window",
    constant=Constant(
        "32", WINDOWS, along="window", short="windows of 64 take minutes: five sizes over a factor of 16"
    ),
)
def local_over_window(
    window: int = param("K", 16, "how far away", low=2),
    length: int = numbers(33, low=4),
    modulus: int = modulus(7),
) -> Finding:
    """One layer of width O(K log N) computes Match3 for positions at most K away, for wider and wider windows."""
    if modulus > length**2:
        raise InputError("modulus", modulus, f"at most {length**2}, so that digits are few")
    return grown(sizes_up_to(window), lambda size: _local(length, modulus, size))


def _local(length: int, modulus: int, window: int) -> Tally:
    model = constructions.match3_local_unit(length, modulus, window)
    tallies = [
        _looked(replace(model, row=row), problems.match3_local(length, modulus, window, row), _width_of_rows(model))
        for row in sorted({1, length // 2 + 1, length})
    ]
    wrong = [fault for each in tallies for fault in each.wrong]
    return Tally(tallies[0].value, sum(each.checked for each in tallies), sum(each.of for each in tallies), wrong)


def _looked(model: Any, task: problems.SequenceTask, width: int) -> Tally:
    return compared(model, task, width, partial(drawn_words, count=DRAWN), most=MOST_WORDS)


@triple(
    "third-order tensor attention",
    name="match3-third-order",
    formula="c",
    ours="5",
    constant=Constant("5", "ours: four products for the cosine of a sum of three angles, and one for the blank row"),
    hypotheses=(
        "the slides state 'efficient' and give no size",
        QUERIES_AND_KEYS,
        BLANK,
        "all words are run up to N = 4",
    ),
)
def third_order(length: int = numbers(64, low=2), modulus: int = modulus(5)) -> Finding:
    """One unit of third-order attention of a width that does not grow computes Match3."""

    def look(size: int) -> Tally:
        model = constructions.match3_tensor(size, modulus)
        return _looked(model, problems.match3(size, modulus), _width(model))

    return grown(sizes_up_to(length), look)


@triple(
    "assisted Match3",
    name="match3-assisted",
    formula="c",
    ours="3",
    constant=Constant("3", "ours: points of a circle and a constant, in both layers"),
    hypotheses=(
        "the slides do not state what the assistance is: each number comes with the position of a partner here",
        "and give no size",
        QUERIES_AND_KEYS,
        BLANK,
        "all words are run up to N = 2, with whatever hints; of longer words some",
    ),
)
def assisted(length: int = numbers(64, low=2), modulus: int = modulus(5)) -> Finding:
    """A transformer of two layers of a width that does not grow computes Match3 with assistance."""

    def look(size: int) -> Tally:
        model, task = (
            constructions.assisted_match3_transformer(size, modulus),
            constructions.assisted_match3(size, modulus),
        )
        tally = _looked(model, task, _width(model))
        return tally._replace(wrong=[*tally.wrong, *_misled(task, problems.match3(size, modulus), modulus)])

    return grown(sizes_up_to(length), look)


def _misled(task: problems.SequenceTask, plain: problems.SequenceTask, modulus: int) -> list[str]:
    """Some words in which each number comes with the position of a partner, if it has one, and answers are others."""
    wrong = []
    for row in drawn_words(plain, count=DRAWN):
        word: tuple[Any, ...] = tuple(plain.alphabet[rank] for rank in row)
        partners = [
            [place for place, b in enumerate(word, 1) if any((a + b + c) % modulus == 0 for c in word)] for a in word
        ]
        hinted = tuple((own, places[0] if places else 1) for own, places in zip(word, partners, strict=True))
        wrong += [] if task(hinted) == plain(word) else [f"an honest hint misleads in {hinted}"]
    return wrong


def _width(model: Any) -> int:
    names = ("query", "key", "value", "first_key", "second_key", "first_value", "second_value")
    units = [layer.attention for layer in model.layers]
    return max(int(getattr(unit, name).weights.shape[1]) for unit in units for name in names if hasattr(unit, name))


def _width_of_rows(model: Any) -> int:
    word = np.zeros((1, model.length), dtype=np.int64)
    return int(model.layers[0].attention.embed(model.rows(word)).shape[-1])


@PAPER.claim(
    "conjecture",
    direction=Direction.OPEN,
    unit="",
    hypotheses=("two forms: the talk has m H D = Omega(N/log N), the lecture N^Omega(1) for some of the sizes",),
    tags=("match3", "transformer"),
)
def conjecture(
    length: int = param("N", 4, "symbols in the word of the model that is refused", low=2, step=2),
) -> Finding:
    """Match3 by D layers of H heads needs m H D of order N/log N, or some size that grows with a power of N."""
    sizes: Any = {"length": length, "width": 4, "layers": 2, "heads": 2, "precision": 8, "seed": 0}
    model: Any = models.Transformer.random("01", **sizes)
    return Finding.of_refusal(
        lambda: reductions.max_logit_softmax(model, problems.Partition.odd_even(length)),
        "Corollary 13.1",
        exact=False,
        note="no execution at a size can decide it",
    )
