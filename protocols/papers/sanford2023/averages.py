"""Sparse averages: one attention unit is enough; what it needs, and recurrent and feed-forward networks need more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, combinations_with_replacement, product
from math import comb, isqrt

import numpy as np

from ccsim import bounds, models, problems
from ccsim.claims import Constant, Direction, Finding, Role, param, sizes_up_to
from ccsim.errors import InputError
from protocols import constructions, reductions
from protocols.papers.checks import Looked, grown, one_way_bits, reduced
from protocols.papers.sources import OURS, lengths
from protocols.papers.sources import SANFORD_2023 as PAPER
from protocols.reductions import task_reductions

MOST_SETS = 130  # up to so many sets of q rows are all looked at
DRAWN = 32  # rows in the sets that are drawn of more
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

built = partial(
    PAPER.claim,
    "the positive result for sparse averaging",
    direction=Direction.CONSTRUCTION,
    unit="numbers",
    tags=("q-sparse-averaging", "attention", "construction"),
)
wide = partial(
    built,
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
    return grown(sizes, lambda size: _averaged(size, q, values, 2 * q, _width))


@wide(name="sparse-averaging-construction-over-q", constant=Constant("8", SIGNS, along="q"), sizes=({"values": 3},))
def width_over_q(q: int = subset(64, low=2), length: int = rows(64, low=4), values: int = VALUES) -> Finding:
    """One attention unit of width O(d' + q log N) comes within e of the averages, for larger and larger sets."""
    return grown(sizes_up_to(q), lambda size: _averaged(length, size, values, 2 * size, _width))


@built(
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
    """The sizes at which growth is looked at, from ``low`` on: two or more."""
    if largest < 2 * low:
        raise InputError(name, largest, f"at least {2 * low}, so that there are two sizes or more")
    return sizes_up_to(largest, low)


def _averaged(
    length: int, q: int, values: int, inverse: int, measure: Callable[[constructions.SparseAveraging], int]
) -> Looked:
    """What is measured of a unit, which must come within 1 / inverse of the average of each set, for all values.

    An output is off by what the weights are off by, and each of its numbers is rounded down by less than a step.
    """
    average = constructions.sparse_averaging_unit(length, q, error=Fraction(1, inverse), value_width=values)
    sets, rounding = _sets_of(length, q), Fraction(isqrt(values - 1) + 1, average.precision.scale)
    wrong = [
        f"the average of the rows {chosen} may be off by {error + rounding}"
        for chosen, error in zip(sets, average.worst_errors(sets), strict=True)
        if error + rounding > average.error
    ]
    return Looked(measure(average), len(sets), comb(length, q), wrong)


def _width(average: constructions.SparseAveraging) -> int:
    row = np.array([[*range(1, average.most + 1), 1, *[0] * average.value_width]])
    return int(average.unit.embed(row).shape[-1])


def _sets_of(length: int, q: int) -> tuple[tuple[int, ...], ...]:
    """All sets of q rows, or the first, the last, the most spread out and some drawn at random, always the same."""
    if comb(length, q) <= MOST_SETS:
        return tuple(combinations(range(1, length + 1), q))
    generator, numbers = np.random.default_rng(0), np.arange(1, length + 1)
    drawn = [generator.choice(numbers, q, replace=False) for _ in range(DRAWN // q)]
    ends = [numbers[:q], numbers[-q:], numbers[(np.arange(q) * length) // q]]
    return tuple(dict.fromkeys(tuple(sorted(chosen.tolist())) for chosen in ends + drawn))


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

    The least width k whose message of (k + 2) p bits is as long as sets of q take. What it takes is certified for small
    sets, and the message is counted for small units. Beyond, the bits for q elements are q by the theorem on
    disjointness.
    """
    if length < 8 * precision:
        raise InputError("length", length, f"at least {8 * precision}: for smaller sets nothing is said")
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
        violations=tuple(wrong[:3]),
        calculated=True,
    )


def _asked(q: int, keys: int, precision: int | None) -> tuple[Looked, int]:
    """The unit for sets of q among 2q + 1 rows, with keys of so many numbers, asked about all pairs of sets.

    The protocol's answers must be the unit's, and these whether the sets meet. Its bits, and those of a number.
    """
    average = constructions.sparse_averaging_unit(2 * q + 1, q, dimension=keys, precision=precision)
    if max(average.worst_errors(combinations(range(1, 2 * q + 2), q))) > average.error:
        raise InputError("precision", precision, f"bits in which keys of {keys} numbers come within 1/(2q)")
    protocol = reductions.attention_query(average.unit, q, row=average.row, answer="bob")
    explored = protocol.explore()
    wrong = [str(violation) for violation in explored.violations]
    if not np.array_equal(protocol.function.codes, problems.intersection(q).codes):
        wrong.append("the unit does not tell whether two sets meet")
    return Looked(explored.worst_bits, explored.pairs, 4**q, wrong), average.precision.bits


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
    """Whoever comes within 1/(2q) of the average of q rows tells whether two sets of q meet, which takes q bits."""
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
        "slides name the query alone, which is m of them, and say O(m p)",
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
    improvement="one message for the bit at a place, which has to tell all N - 1 earlier signs",
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
    """A recurrent model for averages of one row out of N has (N - 1)/2 bits of state or more.

    A bit at a place as a row that names a row: every text and place, and the bits of one message.
    """
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
    bits: so many are needed, and for values of signs so many are enough.

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

    The least width not seen to be too small: of the most units below N d'/2 all first layers are gone through. Neither
    the order of the units nor, where weights of both signs are gone through, the sign of a unit changes what is
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
    """A feed-forward network that comes within 1/(2q) of the averages has a first layer of width N d' or more.

    For each direction N d' - 1 units that see all but it: they all fail, so N d' units are the least.
    """
    if 2 * q > length:
        raise InputError("q", q, f"at most half of {length}")
    size = length * values
    blind = (_blind_to(each) for each in product(range(-1, largest + 1), repeat=size) if any(each))
    return _all_fail(blind, length, q, values, size)


def _blind_to(direction: Sequence[int]) -> Layer:
    """Units whose only kernel vectors are the multiples of one, of as many entries as there are units, and one more."""
    entry = next(entry for entry in direction if entry)
    place = direction.index(entry)
    units = entry * np.eye(len(direction), dtype=np.int64)
    units[:, place] -= direction
    return np.delete(units, place, axis=0).tolist()


def _all_fail(layers: Iterable[Layer], length: int, q: int, values: int, measured: int) -> Finding:
    """For every first layer there must be two inputs that it confuses, with averages that are too far apart."""
    wrong, count = [], 0
    for layer in layers:
        network = models.FeedForward.of([list(unit) for unit in layer])
        collision = reductions.feedforward_kernel(network, length=length, q=q, dimension=values)
        count += 1
        if not (collision.verify() and collision.is_too_much):
            wrong.append(f"no two inputs show that the first layer {layer} fails")
    facts = {"first layers that were tried": count, "proof for all real ones": "docs/proofs/feedforward_kernel.md"}
    return Finding(measured=measured, calculated=True, checked=count, violations=tuple(wrong[:3]), facts=facts)
