"""What one layer and two compute: models built weight by weight, run and measured (sections 5, C, F and G)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from inspect import Signature, signature
from itertools import product
from math import isqrt, prod
from typing import Any, Literal

import numpy as np

from ccsim import problems
from ccsim.claims import Constant, Direction, Finding, param
from protocols import constructions
from protocols.papers.bhattamishra2024.facts import PROOF, least_by_union
from protocols.papers.checks import (
    Tally,
    compared,
    drawn_recall,
    drawn_words,
    first_difference,
    grown,
    sizes_between,
)
from protocols.papers.sources import BHATTAMISHRA_2024 as PAPER
from protocols.papers.sources import OURS, built_here, lengths

LOOKED_AT = ("every word up to 2^14 of them, beyond these words drawn at random and neighbours with different answers",)
EVERY_WORD = "every word up to 2^16 of them, beyond these words drawn at random and neighbours with different answers"
ALL = {"width": 1 << 14, "precision": 1 << 8}  # up to so many words of a length are all gone through
MOST_DRAWN = {"width": 12, "precision": 4}  # else so many are drawn

SIGNS = "floor(8*log(N*(N - 1)/2)) + 1"
HALF = "8 ln(N(N-1)/2) + 1 signs are enough for products within a half (Hoeffding)"
NUMBERS = "steps of 1/(N+1) or less, numbers up to twice ln(2N)"
RECALLED = "a code of e signs and three addresses of s: e + 3s + 2 numbers"

theorem = partial(PAPER.claim, direction=Direction.CONSTRUCTION, formula="c*log(N, 2)", hypotheses=LOOKED_AT)


def proved(value: int, why: str) -> Constant:
    return Constant(str(value), f"{why} ({PROOF})")


AS_WELL = "Its precision is O(log N) as well."


def sized(
    declare: Callable[..., Any], precision: Mapping[str, Any], as_well: str = AS_WELL, **width: Any
) -> Callable[[Callable[..., Finding]], None]:
    """Two claims on the models of one construction: on their width, and that their precision is O(log N) as well.

    What is decorated takes "width" or "precision", and then the parameters of both claims.
    """

    def declared(measure: Callable[..., Finding]) -> None:
        def of(quantity: str, statement: str | None) -> Callable[..., Finding]:
            def measured(**setting: Any) -> Finding:
                return measure(quantity, **setting)

            measured.__doc__ = statement
            measured.__signature__ = Signature([*signature(measure).parameters.values()][1:])  # type: ignore[attr-defined]
            return measured

        declare(**{"unit": "numbers", **width})(of("width", measure.__doc__))
        declare(**precision)(of("precision", as_well))

    return declared


@dataclass(frozen=True)
class Case:
    """A model, its task, and ``others`` that must be right too; ``answers`` where words are too many."""

    model: Any
    task: problems.SequenceTask
    draw: Callable[..., Any] = drawn_words
    run: Callable[[Any], Any] | None = None
    others: Sequence[tuple[Any, problems.SequenceTask]] = ()
    answers: Callable[[int], Tally] | None = None
    faults: Sequence[str] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


def growth(case: Callable[[int], Case], length: int, quantity: str, low: int = 4, step: int = 2) -> Finding:
    facts: dict[str, Any] = {}  # of the last one

    def look(size: int) -> Tally:
        last = case(size)
        facts.update(facts_of(last))
        return tally_of(last, quantity)

    return grown(sizes_between(length, low, step), look, facts=facts)


def facts_of(case: Case) -> dict[str, Any]:
    inner = getattr(case.model, "transformer", case.model)  # in a model that puts [BOS] first, or has several queries
    shape = {"width": inner.width, "precision": inner.precision.bits, "heads": inner.heads, "layers": inner.layers}
    return {**shape, **case.facts}


def tally_of(case: Case, quantity: str) -> Tally:
    draw, most = partial(case.draw, count=MOST_DRAWN[quantity]), ALL[quantity]
    tally = (
        compared(case.model, case.task, None, draw, case.run, most)
        if case.answers is None
        else case.answers(MOST_DRAWN[quantity])
    )
    wrong = [*tally.wrong, *case.faults]
    for model, task in case.others if quantity == "width" else ():
        wrong += [f"{task.name}: {each}" for each in compared(model, task, None, draw, most=most).wrong]
    return tally._replace(value=facts_of(case)[quantity], wrong=wrong)


def stream_of(model: Any, words: Any) -> Any:
    return model.token_embedding[words] + model.positions(words.shape[1])


def attended(block: Any, stream: Any, wanted: Any, least: Fraction, shared: bool) -> list[str]:
    """Whether the last position gives one position of each word more than a part of its weight, and others some."""
    unit = block.attention.units[0]
    given = unit.weighting.row(unit.logits(unit.queries(stream[:, -1:]), unit.keys(stream))[:, 0])
    own, scale = int(given[np.arange(len(given)), wanted].min()), unit.precision.scale
    wrong = [] if own > least * scale else [f"a weight of {own} steps of {scale}"]
    return wrong + (["no other position has any weight"] if shared and (given > 0).sum() <= len(given) else [])


# Theorem 1: index lookup

lookup = partial(theorem, "Theorem 1", tags=("transformer", "index-lookup", "construction"))
LOOKUP = param("N", 512, "length of the input", low=8)
SOFT_LOOKUP = param("N", 256, "length of the input", low=4)


def _lookup(size: int) -> Case:
    model = constructions.index_lookup_transformer(size)
    run = model.codes if size <= 64 else model.codes_plain  # its tables grow with the cube of the length
    rows, others = model.position_embedding, []
    for fewer in range(1, size if size <= 9 else 1):
        cut = replace(model, position_embedding=rows[[*range(fewer), size]])
        others.append((cut, problems.index_lookup(fewer)))
    return Case(model, problems.index_lookup(size), run=run, others=others)


@sized(
    lookup,
    {"name": "theorem-1-precision", "constant": proved(4, NUMBERS)},
    constant=proved(24, f"2k + 1 numbers for k signs, and {HALF}"),
    ours=f"2*({SIGNS}) + 1",
    ours_exact=False,
    hypotheses=(*LOOKED_AT, "an alphabet of two symbols; shorter words up to N = 9, with the same weights"),
)
def lookup_size(quantity: str, length: int = LOOKUP) -> Finding:
    """For every N there is a transformer with one layer, of width O(log N), that looks symbols up by position."""
    return growth(_lookup, length, quantity, step=1)


def _soft_lookup(size: int) -> Case:
    """Weights are looked at up to 32 symbols, all shorter words up to 8; the threshold must give the code itself."""
    model, places = constructions.soft_index_lookup_transformer(size), np.arange(size)
    fewer, faults = range(1, size) if size <= 8 else (3, size // 2 + 1), list[str]()
    if size <= 32:
        words, scale = np.hstack([np.eye(size, dtype=np.int64), 2 + places[:, None]]), model.precision.scale
        other = np.hstack([1 - words[:, :-1], words[:, -1:]])
        faults = attended(model.blocks[0], stream_of(model, words), places, Fraction(3, 4), True)
        if model.outputs(np.concatenate([words, other])).tolist() != [[-scale, 0]] * size + [[0, -scale]] * size:
            faults.append("the threshold does not give a code")
    others = [(model, problems.index_lookup(each)) for each in fewer]
    return Case(model, problems.index_lookup(size), others=others, faults=faults)


@sized(
    lookup,
    {"name": "theorem-1-soft-precision", "constant": proved(6, "steps of 1/(16 N^(3/2)), numbers up to 2 ln 3N")},
    name="theorem-1-soft",
    constant=proved(
        89, "2k + 1 numbers for k signs, and 32 ln(N(N-1)/2) + 1 signs are enough for products within a quarter"
    ),
    hypotheses=(
        *LOOKED_AT,
        "eta is the first number above 2 ln(3N); steps so fine that the weights of others do not all vanish",
        "weights up to N = 32 looked at; all shorter words up to N = 8, some of them beyond",
    ),
)
def soft_lookup_size(quantity: str, length: int = SOFT_LOOKUP) -> Finding:
    """The same with the printed attention: a weight above 3/4, not 1, and a threshold; for all words of up to N symbols
    (appendix C.2)."""
    return growth(_soft_lookup, length, quantity, step=1)


# Theorem 6: equality of halves

equality = partial(theorem, "Theorem 6", tags=("transformer", "two-layers", "equality-of-halves", "construction"))
HALVES = param("N", 512, "length of the input", low=8, step=2)


def _equality(size: int, symbols: int = 2) -> Case:
    alphabet, way = tuple(map(str, range(symbols))), "A" * (size // 2) + "B" * (size // 2)
    build = partial(constructions.equality_transformer, size, alphabet=alphabet)
    task = partial(constructions.equality_of_parts, way, alphabet=alphabet)
    wanted = problems.equality_of_halves(size) if symbols == 2 else task()
    return Case(build(), wanted, others=[(build(unequal=True), task(unequal=True))])


@sized(
    equality,
    {"name": "theorem-6-precision", "constant": proved(4, NUMBERS)},
    constant=proved(26, f"2k + 5 numbers for k signs, and {HALF}"),
    ours=f"2*({SIGNS}) + 5",
    ours_exact=False,
)
def equality_size(quantity: str, length: int = HALVES) -> Finding:
    """For every N there is a transformer with two layers and two heads, of width O(log N), that decides whether the
    halves of a word are equal."""
    return growth(_equality, length, quantity)


@equality(
    name="theorem-6-any-alphabet",
    unit="numbers",
    constant=proved(28, f"2k + 3d + 2 numbers for k signs and codes of d up to 3, and {HALF}"),
    instances="alphabets of so many symbols",
    sizes=({"symbols": 5},),
)
def equality_over_any_alphabet(
    length: int = param("N", 256, "length of the input", low=4, step=2),
    symbols: int = param("S", 5, "symbols of the alphabet", low=2),
) -> Finding:
    """The construction works for sequences over any finite alphabet (section 5.1)."""
    return growth(partial(_equality, symbols=symbols), length, "width")


# One layer of linear width

linear = partial(built_here, "protocols/constructions/averaging.py", formula="2*N", unit="numbers")


@linear(
    name="equality-linear-width",
    sharpens="bhattamishra2024-theorem-12",
    sizes=lengths(6, 10, 64),
    tags=("transformer", "equality-of-halves", "construction"),
    hypotheses=(EVERY_WORD, "ceiling(log2(2N + 1)) bits; layers of relu units after the head"),
)
def equality_by_one_layer(length: int = param("N", 6, "length of the input", low=2, step=2)) -> Finding:
    """One layer of width 2N with one head and uniform attention decides whether two halves are equal: linear width is
    enough."""
    model, task = constructions.equality_by_uniform_attention(length), problems.equality_of_halves(length)
    return compared(model, task, model.width).finding(facts={"precision": model.precision.bits})


# Theorem 7: nearest neighbours, and recall of the value of a key

TASKS = ("nearest-neighbour", "associative-recall", "multi-query-associative-recall")
TASK = param("task", TASKS[0], "what is retrieved", choices=TASKS)
COMPASS = ((1, 0), (0, 1), (-1, 0), (0, -1))
PAIRS = param("N", 384, "points and labels before the query", low=12, step=2)
POWER = param("e", 2, "the margin is N^-e or less")

retrieved = partial(theorem, "Theorem 7", tags=("transformer", "two-layers", *TASKS, "construction"))
nearest = partial(
    theorem,
    "Theorem 7",
    sizes=({"power": 1}, {"power": 2}),
    built="modified: labels copy their points in the first layer, where G.2 lets the query fetch an address",
    tags=("transformer", "two-layers", TASKS[0], "construction"),
)
recalled = partial(theorem, "Theorem 7", tags=("transformer", "two-layers", TASKS[1], "construction"))
queried = partial(theorem, "Theorem 7", tags=("transformer", "two-layers", TASKS[2], "construction"))


@sized(
    retrieved,
    {
        "name": "theorem-7-precision",
        "constant": proved(5, "numbers up to R^2 ln(2N + 2) for a margin of 1/R, R up to N"),
        "sizes": tuple({"task": task} for task in TASKS[:2]),
    },
    constant=proved(70, RECALLED),
    instances="one family of points or keys",
    sizes=tuple({"task": task} for task in TASKS),
    hypotheses=(
        *LOOKED_AT,
        "nearest-neighbour: whole points of a sphere, margin at least 1/N; labels copy their points, unlike in G.2",
        "recall: keys are signs with products within a half; the query fetches the address of the label, as in G.2",
        "one head, where the theorem allows two",
    ),
)
def retrieval_size(quantity: str, length: int = PAIRS, task: str = TASK) -> Finding:
    """For every N there is a transformer with two layers, of width O(log N), that answers with the label of the nearest
    of N points, if it is nearer than others by a margin of N^-c; and so it recalls the value of a key."""
    return growth(RETRIEVED[task], length, quantity, low=6)


def _nearest(length: int, square: int = 1, most: int | None = None) -> Case:
    """The first ``most`` points, or all, of a sphere with as many as pairs; the margin is 1 of the squared radius."""
    pairs = length // 2
    points = sphere(pairs, square)[:most]
    norm = sum(entry**2 for entry in points[0])
    model = constructions.nearest_neighbour_transformer(pairs, points, route="copy")
    return Case(
        model,
        problems.nearest_neighbour(pairs, points),
        _drawn_points,
        others=[(model, problems.nearest_neighbour(2, points))] if pairs == 3 else (),
        faults=[f"a margin of 1/{norm}, less than 1/{length}"] if square == 1 and norm > length else (),
        facts={"margin": f"1/{norm}"},
    )


def _drawn_points(task: problems.SequenceTask, count: int) -> Any:
    """Words whose nearest point is ahead of one other by as little as can be; every other with that label turned."""
    generator, pairs, points = np.random.default_rng(0), len(task.positions) // 2, len(task.positions[0])
    gram = np.array(task.positions[0]) @ np.array(task.positions[0]).T
    rank = np.array([task.alphabet.index(symbol) for symbol in (*task.positions[0], *task.positions[1])])
    words = np.empty((count, 2 * pairs + 1), dtype=np.int64)
    for row in range(0, count, 2):
        query = int(generator.integers(points))
        products = np.unique(gram[query])
        upper = products[len(products) // 2 :]
        gaps = upper - products[len(products) // 2 - 1 : -1]
        nearest = generator.choice(np.flatnonzero(np.isin(gram[query], upper[gaps == gaps.min()])))
        behind = np.flatnonzero(gram[query] < gram[query, nearest])
        others = generator.choice(behind, size=pairs, replace=len(behind) < pairs)
        others[0] = behind[gram[query, behind].argmax()]
        place, labels = int(generator.integers(pairs)), generator.integers(2, size=pairs)
        others[place] = nearest
        words[row, 0:-1:2], words[row, 1::2], words[row, -1] = rank[others], rank[points + labels], rank[query]
        words[row + 1] = words[row]
        words[row + 1, 2 * place + 1] = rank[points + 1 - labels[place]]
    return words


def sphere(points: int, square: int = 1) -> list[tuple[int, int, int]]:
    while True:
        side = range(-isqrt(square), isqrt(square) + 1)
        rest = ((a, b, square - a * a - b * b) for a, b in product(side, side))
        halves = [(a, b, isqrt(c)) for a, b, c in rest if c >= 0 and isqrt(c) ** 2 == c]
        listed = [*halves, *((a, b, -c) for a, b, c in halves if c)]
        if len(listed) >= points:
            return listed
        square += 1


def _recall(length: int, soft: bool = False) -> Case:
    pairs, task = length // 2, problems.associative_recall(length // 2)
    build = constructions.soft_recall_transformer if soft else constructions.associative_recall_transformer
    model = build(pairs)
    shorter = (problems.associative_recall(each, task.positions[0]) for each in range(1, pairs) if pairs == 3)
    return Case(model, task, drawn_recall, others=[(model, each) for each in shorter])


def _queries(length: int, codes: Any = None, facts: Mapping[str, Any] | None = None) -> Case:
    pairs = length // 2
    model = constructions.multi_query_recall_transformer(pairs, codes=codes)
    made = Case(model, problems.multi_query_associative_recall(min(pairs, 3)), facts=facts or {})
    return made if pairs <= 3 else replace(made, answers=partial(_drawn_queries, model, pairs))


RETRIEVED: Mapping[str, Callable[[int], Case]] = dict(zip(TASKS, (_nearest, _recall, _queries), strict=True))


def _drawn_queries(model: Any, pairs: int, count: int) -> Tally:
    """Keys in any order with values, and all keys in another order: every other word with one value turned."""
    generator, count = np.random.default_rng(0), max(2, count // 4)
    keys, asked = (generator.permuted(np.tile(np.arange(pairs), (count, 1)), axis=1) for _ in range(2))
    values = generator.integers(2, size=(count, pairs))
    keys[1::2], values[1::2] = keys[0 : count // 2 * 2 : 2], values[0 : count // 2 * 2 : 2]
    values[np.arange(1, count, 2), generator.integers(pairs, size=count // 2)] ^= 1
    words = np.empty((count, 3 * pairs), dtype=np.int64)
    words[:, 0 : 2 * pairs : 2], words[:, 1 : 2 * pairs : 2], words[:, 2 * pairs :] = keys, pairs + values, asked
    names = np.array(model.alphabet, dtype=object)
    wanted = np.take_along_axis(values, np.argsort(keys, axis=1), axis=1)[np.arange(count)[:, None], asked]
    wrong = first_difference(model.values(words).reshape(-1), wanted.reshape(-1))
    faults = [] if wrong is None else [f"wrong on {' '.join(names[words[wrong // pairs]])}"]
    return Tally(None, count, prod([pairs, 2] * pairs + [pairs] * pairs), faults)


@sized(
    nearest,
    {
        "name": "theorem-7-margins-precision",
        "formula": "c*(2*e + 1)*log(N, 2)",
        "constant": proved(2, "numbers up to R^2 ln(2N + 2) for a margin of 1/R, R about N^e"),
    },
    name="theorem-7-margins",
    constant=proved(
        23, "2s + 8 numbers for points in space and addresses of s signs, and 8 ln(N(N+1)/2) + 1 signs are enough"
    ),
    instances="one family of points",
    hypotheses=(
        *LOOKED_AT,
        "margins of N^-1 and N^-2; labels copy their points: the printed route needs 2N signs or more there, see "
        "docs/errata.md",
    ),
)
def margins_size(quantity: str, length: int = PAIRS, power: int = POWER) -> Finding:
    """The width is O(log N) for every margin g >= N^-c, whatever the constant c (section 5.2)."""
    return growth(lambda size: _nearest(size, size**power, most=size), length, quantity, low=6)


@OURS.claim(
    PROOF,
    name="nearest-at-any-margin",
    direction=Direction.EXACT,
    sharpens="bhattamishra2024-theorem-7",
    formula="0",
    unit="numbers more",
    instances="points of one sphere",
    sizes=({"square": 100}, {"square": 2000}, {"length": 64, "square": 1000}),
    tags=("transformer", "two-layers", "nearest-neighbour"),
    hypotheses=("points of whole numbers on a sphere of squared radius R; words drawn with the least margin",),
)
def at_any_margin(
    length: int = param("N", 16, "points and labels before the query", low=4, step=2),
    square: int = param("R", 100, "the margin is 1/R or less: the least squared radius", low=1),
) -> Finding:
    """If labels copy their points in the first layer, the width does not depend on the margin: it is 2s + 8 for points
    in space and s signs, and no number more for a smaller margin."""
    case = _nearest(length, square)
    near, far = tally_of(_nearest(length), "width"), tally_of(case, "width")
    tally = Tally(far.value - near.value, near.checked + far.checked, near.of + far.of, [*near.wrong, *far.wrong])
    return tally.finding(facts=facts_of(case))


@OURS.claim(
    PROOF,
    name="recall-addresses",
    direction=Direction.EXACT,
    sharpens="bhattamishra2024-theorem-7",
    formula="floor(Rational(81, 2)*log(N*(N + 1))) + 1",
    unit="signs",
    instances="points in four directions",
    sizes=lengths(6, 16, 32),
    tags=("transformer", "two-layers", "nearest-neighbour", "vectors"),
    hypotheses=(EVERY_WORD, "points are four directions; the other inequalities are checked when the model is built"),
)
def recall_addresses(length: int = param("N", 6, "points and labels before the query", low=4, step=2)) -> Finding:
    """For margin 1, addresses within 2/9 of orthogonal let the query find the nearest point, where the proof takes
    1/100: (81/2) ln(N(N+1)) signs are enough."""
    pairs, bound = length // 2, Fraction(2, 9)
    given = least_by_union(length * (length + 1), bound**2 / 2)
    chosen = constructions.smallest_sign_vectors(length + 1, bound, two_sided=True)
    model = constructions.nearest_neighbour_transformer(pairs, COMPASS, addresses=chosen)
    task, draw = problems.nearest_neighbour(pairs, COMPASS), partial(_drawn_points, count=32)
    wrong = [] if chosen.dimension <= given else [f"{chosen.dimension} signs are needed with seed 0"]
    facts = {
        "width": model.width,
        "seed 0": chosen.dimension,
        "by lemma 2 and g/100": constructions.lemma_dimension(length, Fraction(1, 100)),
    }
    return compared(model, task, given, draw).finding(facts=facts).also(wrong)


def _soft_recall(size: int) -> Case:
    """Up to 48 positions each key of one word is asked for; from 12 pairs on others must have some weight."""
    made = _recall(size, soft=True)
    if size > 48:
        return made
    pairs, model, faults = size // 2, made.model, list[str]()
    places, scale = np.arange(pairs), model.precision.scale
    pairs_of_ranks = np.stack([places, pairs + places % 2], axis=1).reshape(-1)
    stream = stream_of(model, np.hstack([np.tile(pairs_of_ranks, (pairs, 1)), places[:, None]]))
    for layer, block in enumerate(model.blocks):
        faults += attended(block, stream, 2 * places + layer, Fraction(9, 10), pairs >= 12)
        stream = block(stream, model.causal)
    signs = stream[:, -1, -model.blocks[0].attention.units[0].value.weights.shape[1] :]
    if {*np.abs(signs).flat, *np.abs(model.read_out(stream[:, -1])).flat} != {scale}:
        faults.append("sigma does not give signs")
    return replace(made, faults=faults)


@sized(
    recalled,
    {
        "name": "theorem-7-soft-precision",
        "constant": proved(8, "steps of 1/(4 (18N)^(3/2)), numbers of order ln N"),
    },
    name="theorem-7-soft",
    constant=proved(70, RECALLED),
    hypotheses=(
        *LOOKED_AT,
        "the wanted logit is ahead by ln(18N), as by the printed eta; steps so fine that others have weight",
        "weights of both layers up to N = 48 looked at",
    ),
)
def soft_recall_size(quantity: str, length: int = PAIRS) -> Finding:
    """The same with the printed attention: weights above 9/10, not 1, and sigma, of relu units, which makes signs of
    what is fetched (appendix G.2); for recall of the value of a key."""
    return growth(_soft_recall, length, quantity, low=6)


def _binary_codes(size: int) -> Case:
    codes = constructions.BinaryAddresses(max(2, size // 2))
    return _queries(size, codes, {"margin": f"{codes.dimension - codes.largest_product}/{codes.dimension}"})


@sized(
    queried,
    {"name": "theorem-7-binary-codes-precision", "constant": proved(5, "numbers of order log^2 N ln N")},
    name="theorem-7-binary-codes",
    constant=proved(70, "a code of ceiling(log2 N) - 1 signs and three addresses of s: e + 3s + 2 numbers"),
    hypotheses=(
        *LOOKED_AT,
        "the query fetches the address of the label, as in G.2; as it is equal to its key, signs within a half are "
        "enough, where the printed k is of order log^3 N at this margin",
    ),
)
def binary_codes_size(quantity: str, length: int = PAIRS) -> Finding:
    """Symbols as normalised binary digits have a margin of 1/log N or more, so the construction does multi-query recall
    on them (appendix G)."""
    return growth(_binary_codes, length, quantity, low=6)


# Theorem 13: thresholds of sparse features

MOST_BITS = 3  # of a feature, literals of a clause, and how much a feature weighs at most


def _chain(length: int) -> constructions.SparseThreshold:
    clauses = " & ".join(f"(x{place} | !x{place + 1})" for place in range(1, length))
    return constructions.NormalForm.parse(clauses).threshold()


def _drawn(length: int, weights: Sequence[int]) -> constructions.SparseThreshold:
    """Whether features that are 1 weigh more than half of all: of up to three bits (of none, the constant 0), the first
    of three, with tables at random. What weighs twice is given twice."""
    generator, features = np.random.default_rng(length), list[constructions.SparseFeature]()
    for place, weight in enumerate(weights):
        bits = generator.permutation(length)[: MOST_BITS if place == 0 else int(generator.integers(MOST_BITS + 1))]
        table = generator.integers(2, size=1 << len(bits)) if len(bits) else np.zeros(1, dtype=np.int64)
        features += weight * [constructions.SparseFeature(tuple((bits + 1).tolist()), tuple(table.tolist()))]
    return constructions.SparseThreshold(length, tuple(features), sum(weights) // 2)


def _weighted(length: int) -> constructions.SparseThreshold:
    generator, weights = np.random.default_rng(length + 1), [1]
    while sum(weights) + MOST_BITS <= length:
        weights.append(int(generator.integers(1, MOST_BITS + 1)))
    return _drawn(length, weights)


def _normal_form(length: int, kind: Literal["cnf", "dnf"]) -> constructions.SparseThreshold:
    """Parts of three literals, or of as many as there are bits, at random: N of them, or about twice log2 N if that is
    less, so that neither answer is rare."""
    generator, parts = np.random.default_rng(length), []
    for _ in range(min(length, 2 * length.bit_length())):
        bits = generator.permutation(length)[:MOST_BITS] + 1
        parts.append(tuple((bits * generator.choice([-1, 1], size=len(bits))).tolist()))
    return constructions.NormalForm(kind, length, tuple(parts)).threshold()


THRESHOLDS: Mapping[str, Callable[[int], constructions.SparseThreshold]] = {
    "majority": constructions.SparseThreshold.majority,
    "intersection": lambda length: constructions.SparseThreshold.halves(length, lambda a, b: a and b, "any"),
    "equality": lambda length: constructions.SparseThreshold.halves(length, lambda a, b: a == b, "all"),
    "formula": _chain,
    "drawn": lambda length: _drawn(length, [1] * length),
    "weighted": _weighted,
    "cnf": partial(_normal_form, kind="cnf"),
    "dnf": partial(_normal_form, kind="dnf"),
}
thresholds = partial(theorem, "Theorem 13", tags=("transformer", "two-layers", "thresholds", "construction"))
FEATURES = param("N", 256, "length of the input", low=8, step=2)
FUNCTION = param("function", "majority", "which one", choices=tuple(THRESHOLDS))


def _threshold(size: int, function: str) -> Case:
    threshold = THRESHOLDS[function](size)
    return Case(constructions.threshold_transformer(threshold), threshold.task())


@sized(
    thresholds,
    {"name": "theorem-13-precision", "constant": proved(4, NUMBERS), "sizes": ({"function": "drawn"},)},
    constant=proved(50, "(k + 1) r + 2^k + k + 3 numbers for r signs and k up to 3"),
    instances="eight functions",
    sizes=tuple({"function": function} for function in THRESHOLDS),
    hypotheses=(
        *LOOKED_AT,
        "k is 1 for majority, 2 for functions of two halves and a chain of clauses, 3 for what is drawn at random: "
        "features, features that count up to three times, clauses and terms",
    ),
)
def threshold_size(quantity: str, length: int = FEATURES, function: str = FUNCTION) -> Finding:
    """For every threshold of at most N features of k bits there is a transformer with two layers and k heads, of width
    O(log N), that computes it, for constant k."""
    return growth(partial(_threshold, function=function), length, quantity)
