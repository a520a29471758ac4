"""One attention layer as a two-way protocol, for any partition, and what follows (sections 4, B.2, D, E, F).

It cannot say fewer bits than its task needs. Where that excludes something both are formulas, and nothing is run.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from typing import Any

import numpy as np

from ccsim import bounds, models, problems
from ccsim.arithmetic import Precision
from ccsim.claims import Constant, Direction, Finding, Role, param, sizes_up_to
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from protocols import constructions, reductions
from protocols.constructions.languages import Circuit
from protocols.papers.bhattamishra2024.facts import BOTH, EVEN
from protocols.papers.checks import Tally, drawn_words, every_word, grown, require_growth, sizes_between, words_of_bits
from protocols.papers.sources import BHATTAMISHRA_2024, OURS, lengths

LENGTH = param("N", 4, "length of the input", low=2)
WIDTH = param("m", 4, "width of the model, of each head too")
PRECISION = param("p", 8, "bits of a number", low=3)
HEADS = param("H", 1, "attention heads")
SEED = param("seed", 0, "of the weights that are drawn: the first one from here on", low=0)
SYMBOLS = param("S", 2, "symbols of the alphabet", low=2)

claim = BHATTAMISHRA_2024.claim
two_layers = partial(claim, tags=("transformer", "two-layers"))

# Theorem 4: protocols of one layer, run

PRINTED = "3*m*(p + log(N, 2))*H"
ONE_SIDED = "m*p + H*(2*p + 2*(p + L(N)) + 2*m*p) + 1"
PROOF = "docs/proofs/softmax_protocol.md"
softmax = partial(
    claim,
    "Theorem 4",
    direction=Direction.UPPER,
    formula=PRINTED,
    instances="some layers of this size, drawn and made",
    tags=("transformer", "max-logit-softmax"),
)
sharper = partial(
    OURS.claim,
    PROOF,
    direction=Direction.UPPER,
    sharpens="bhattamishra2024-theorem-4",
    tags=("transformer", "max-logit-softmax"),
)


@softmax(
    ours="m*p + H*(2*p + 2*(p + L(N)) + 4*m*p)",
    built="modified: x_N is announced once for all heads, which costs less than is printed",
    hypotheses=(
        BOTH,
        "d = m",
        "the printed steps add up to more than the printed total: theorem-4-four-steps; the total is kept to by the "
        "compact protocol: theorem-4-compact",
    ),
    sizes=(
        {},
        {"width": 8, "heads": 2},
        {"length": 64, "width": 8, "precision": 16},
        {"length": 256, "width": 8, "precision": 16},
    ),
)
def as_printed(
    length: int = LENGTH, width: int = WIDTH, precision: int = PRECISION, heads: int = HEADS, seed: int = SEED
) -> Finding:
    """Two parties compute a one-layer transformer with 3m(p + log N)H bits, whoever holds what; here by the max-logit
    softmax protocol of the proof, each message as it is printed."""
    finding = executed(_of_bits(length, width, precision, heads, seed), ("literal",))
    naming = {"bits if the party with fewer symbols names them, at odd and even positions": length // 2 + 1}
    return finding.also(facts=naming)


@softmax(
    name="theorem 4 four steps",
    role=Role.STEP,
    ours=ONE_SIDED,
    repair="Appendix D, the total: x_N and the steps add up to dp + H(4p + 2 log N + 2mp) and a bit with sums sent one "
    "way, and to 2mpH more both ways, as printed. Read O(m(p + log N)H), which is all that is used. One way, the 3 is "
    "right just where 3mH log N is H(4p + 2L(N)) + 1 or more",
    hypotheses=("d = m", "x_N is announced once for all heads"),
    sizes=(
        {},
        {"width": 8},
        {"width": 8, "heads": 2},
        {"length": 64, "width": 8, "precision": 16},
        {"length": 64, "width": 1, "precision": 10},
    ),
)
def sent_one_way(
    length: int = LENGTH, width: int = WIDTH, precision: int = PRECISION, heads: int = HEADS, seed: int = SEED
) -> Finding:
    """The four steps of the proof take no more than 3m(p + log N)H bits; here with the sums of the fourth sent one way,
    and the answer back."""
    finding = one_sided(length, width, precision, heads, seed)
    literal = reductions.softmax_costs([width], [precision], [heads], [length])[0]["literal"]
    return finding.also(facts={"bits with sums sent both ways, as printed": literal})


@sharper(
    name="softmax-one-sided",
    formula=ONE_SIDED,
    ours=ONE_SIDED,
    instances="layers drawn",
    hypotheses=("both parties know the output", "d = m"),
    sizes=({"width": 8}, {"width": 3, "precision": 9, "heads": 3}, {"length": 64, "width": 8, "precision": 16}),
)
def one_sided(
    length: int = LENGTH, width: int = WIDTH, precision: int = PRECISION, heads: int = HEADS, seed: int = SEED
) -> Finding:
    """With weighted sums sent one way and the answer back, a layer costs mp + H(2p + 2(p + L(N)) + 2mp) + 1 bits."""
    return executed(_of_bits(length, width, precision, heads, seed), ("one-sided",))


@softmax(
    name="theorem 4 compact",
    # each field of both parties at most one bit above its logarithm
    ours="L(S) + 2*H*log(N*S/2, 2) + 2*H*log(N/2*2**(p - 2) + 1, 2) "
    "+ ceiling(H*m*log(2**(p - 2)*(2**p - 1) + 1, 2)) + 5",
    ours_exact=False,
    built="ours: the compact protocol is not the printed one",
    hypotheses=(
        BOTH,
        "d = m",
        "the largest logit is subtracted, numbers are rounded down (appendices B.2, D)",
        "a width of 3 or more, or numbers of appendix B.2, from -N^K to N^K in steps of N^-K, which take 2K log N + 1 "
        "bits or more: K is some constant that is large enough there, 1 or 2 here",
    ),
    sizes=(
        {"length": 128, "width": 1, "precision": 16},
        {},
        {"width": 3, "precision": 9, "heads": 2, "symbols": 3, "seed": 5},
        {"length": 8, "width": 3, "precision": 10, "heads": 3},
        {"length": 200, "width": 3},
        {"length": 400, "width": 3, "precision": 9, "heads": 2},
        {"length": 400, "width": 3, "precision": 19},
        {"length": 128, "width": 1, "precision": 30},
        {"length": 128, "width": 1, "precision": 10},
    ),
)
def compact(
    length: int = LENGTH,
    width: int = WIDTH,
    precision: int = PRECISION,
    heads: int = HEADS,
    symbols: int = SYMBOLS,
    seed: int = SEED,
) -> Finding:
    """Two parties compute a one-layer transformer with 3m(p + log N)H bits, whoever holds what; here by the compact
    protocol, which numbers the values of each field.

    A narrower layer than three is run in the numbers of appendix B.2 alone, if there are any of so many bits.
    """
    printed = formats(length, precision)[-1:] if width < 3 else formats(length, precision)
    finding = executed(layers(length, width, heads, precision, symbols, seed, printed), ("cheapest", "compact"))
    naming = finding.facts["bits, cheapest"]
    facts = {"fewer bits name all symbols of one party": naming} if naming < finding.facts["bits, compact"] else {}
    too_few = width < 3 and 2 * length**2 >= 1 << precision
    outside = "appendix B.2: numbers from -N to N in steps of 1/N take more bits" if too_few else ""
    return finding.also(facts=facts, outside=outside)


@sharper(
    name="softmax-compact",
    formula="L(S) + ceiling(H*log(ceiling(N/2)*S, 2)) + ceiling(H*log(floor(N/2)*S, 2))"
    " + ceiling(H*log(ceiling(N/2)*2**(p - 2) + 1, 2)) + ceiling(H*log(floor(N/2)*2**(p - 2) + 1, 2))"
    " + ceiling(H*m*log(2**(p - 2)*(2**p - 1) + 1, 2)) + 1",
    hypotheses=("both parties know the output", "odd positions against even ones", "steps of 2^(2-p) or more"),
    sizes=(
        {"length": 6, "width": 1, "precision": 7, "symbols": 5},
        {"length": 8, "width": 2, "precision": 10, "heads": 2},
        {"length": 200, "width": 3},
    ),
    proved="one_layer_exchange_suffices",
)
def compact_at_most(
    length: int = LENGTH, width: int = WIDTH, precision: int = PRECISION, heads: int = HEADS, symbols: int = SYMBOLS
) -> Finding:
    """If each field numbers only what can be meant there, a layer costs about 2mp bits, whatever its weights."""
    made = [spread_layer(length, width, heads, numbers, symbols) for numbers in formats(length, precision)]
    return executed(made, ("compact",), [problems.Partition.odd_even(length)])


MOST_EXPLORED = 1 << 14  # words; of more some are drawn, on which protocols are run
RUN = 2  # words of each answer among these


def executed(layers: Sequence[Any], variants: Sequence[str], ways: Sequence[Any] = ()) -> Finding:
    """The most bits of the last of several variants of the protocol on all words, or on drawn ones."""
    bits, wrong, checked, of, telling = dict.fromkeys(variants, 0), list[str](), 0, 0, False
    for layer in layers:
        words, size = np.array(words_of(layer.length, len(layer.alphabet))), len(layer.alphabet) ** layer.length
        codes, everything = layer.codes(words), size <= MOST_EXPLORED
        telling |= len(np.unique(codes)) > 1
        some = np.concatenate([words[codes == code][:RUN] for code in np.unique(codes)])
        for place, way in enumerate(ways or ways_of(layer.length)):
            for variant in variants if everything or not place else variants[-1:]:
                protocol = reductions.max_logit_softmax(layer, way, variant=variant)
                sent, count, faults = _explored(protocol) if everything else _run(protocol, layer, way, some)
                if protocol.cost is None or protocol.cost.bits != sent:
                    faults.append(f"{protocol.name} sends {sent} bits, not {protocol.cost}")
                bits[variant], wrong = max(bits[variant], sent), wrong + faults
                checked, of = checked + count, of + size
    if not telling:
        raise InputError("precision", str(layers[-1].precision), "numbers with which some layer tells words apart")
    facts = {"layers": len(layers), **{f"bits, {name}": most for name, most in bits.items()}}
    return Finding(measured=bits[variants[-1]], checked=checked, of=of, violations=wrong, facts=facts)


def _explored(protocol: Any) -> tuple[int, int, list[str]]:
    explored = protocol.explore()
    return explored.worst_bits, explored.pairs, [str(violation) for violation in explored.violations]


def _run(protocol: Any, layer: Any, way: Any, words: Any) -> tuple[int, int, list[str]]:
    split, wrong, bits = layer.task().split(way).split, [], 0
    for word, code in zip(words.tolist(), layer.codes(words).tolist(), strict=True):
        run = protocol.run(*split(tuple(word)))
        bits = max(bits, run.bits)
        if run.answers != dict.fromkeys(("alice", "bob"), layer.answers[code]):
            wrong.append(f"{protocol.name} answers wrongly on {word}")
    return bits, len(words), wrong


def ways_of(length: int) -> list[Any]:
    if length <= 4:
        return list(problems.Partition.all(length))
    uneven = [place for place in range(1, length + 1) if place * place % 7 in (2, 4)]
    return [problems.Partition.odd_even(length), problems.Partition.of(length, alice=uneven)]


def formats(length: int, precision: int) -> list[Any]:
    """The format with 2^(p-2) steps in 1, and that of appendix B.2, -N^K to N^K in steps of N^-K, for the largest K.

    Of more than 16 bits that one alone, as exponentials in so fine steps take long.
    """
    exponent = 0
    while length > 1 and 2 * length ** (2 * exponent + 2) + 1 <= 1 << precision:
        exponent += 1
    finest = Precision.fixed_point(1, precision - 2)
    printed = [Precision.polynomial(length, exponent)] if exponent else []
    return [finest, *printed] if precision <= 16 or not printed else printed


def words_of(length: int, symbols: int) -> list[tuple[int, ...]]:
    if symbols**length <= 1 << 10:
        return list(product(range(symbols), repeat=length))
    generator = random.Random(0)
    drawn = [tuple(generator.randrange(symbols) for _ in range(length)) for _ in range(24)]
    return [*drawn, (0,) * length, (symbols - 1,) * length]


def layers(
    length: int, width: int, heads: int, precision: int, symbols: int, seed: int, printed: Sequence[Any] = ()
) -> list[Any]:
    """In each format a layer drawn from the first seed on with two answers, if any, and a spread one.

    What is drawn has a residual, norms from width 2 on (they are 0 at 1), and a part behind attention (appendix A, 5).
    """
    sizes: dict[str, Any] = {"length": length, "width": width, "heads": heads, "head_width": width, "key_width": width}
    sizes["layer_norm"] = width > 1 and "before"
    made, words = [], np.array(words_of(length, symbols))
    for first, numbers in enumerate(printed or formats(length, precision), start=seed):
        for each in range(first, first + 64):
            model = models.OneLayerTransformer.random(range(symbols), precision=numbers, seed=each, **sizes)
            if np.ptp(model.codes(words)):
                break
        made += [model, spread_layer(length, width, heads, numbers, symbols)]
    return made


def _of_bits(length: int, width: int, precision: int, heads: int, seed: int) -> list[Any]:
    return [layer for layer in layers(length, width, heads, precision, 2, seed) if layer.precision.bits == precision]


def spread_layer(length: int, width: int, heads: int, numbers: Any, symbols: int) -> Any:
    """A layer that uses its numbers to the full, so that few messages can be left out of its protocol.

    Every position and symbol has a number e of its own, if there are so many. Keys are e, queries about -3/4 of the
    last e, values 4/3 of e or more, of changing sign. The answer is whether the sum of all heads is at its median over
    some words.
    """
    read_off = spread_over(length, width, heads, numbers, symbols, 0)
    sums = sorted((read_off.outputs(np.array(words_of(length, symbols)[:48]))[:, 1] - 1).tolist())
    middle = sums[len(sums) // 2]
    return spread_over(length, width, heads, numbers, symbols, middle if middle > sums[0] else middle + 1)


def spread_over(length: int, width: int, heads: int, numbers: Any, symbols: int, threshold: int) -> Any:
    scale, top = numbers.scale, numbers.high
    reach = min(3 * (top + 1) // 4, 3 * scale // 2)
    block = Fraction(2 * reach, symbols)
    signs = np.array([(-1) ** place for place in range(width)], dtype=object)
    unit = np.array([int(place == 0) for place in range(width)], dtype=object)
    first = np.outer(unit, unit)
    return models.OneLayerTransformer.from_arrays(
        range(symbols),
        precision=numbers,
        token_embedding=[[Fraction(-reach + int(a * block), scale)] * width for a in range(symbols)],
        position_embedding=[[Fraction(int(i * block / length), scale)] * width for i in range(length)],
        query=[Fraction(-3, 4) * first] * heads,
        key=[first] * heads,
        value=[np.diag(Fraction(min(top, -(-4 * top * scale // (3 * reach))), scale) * signs)] * heads,
        output=[np.outer(Fraction(max(1, scale // (heads * width)), scale) * signs, unit)] * heads,
        read_out=np.outer(unit, [0, 1]),
        read_out_bias=[0, Fraction(min(max(numbers.low, 1 - threshold), top), scale)],
        residual=False,
        name=f"spread layer (length {length}, width {width}, {heads} heads, {symbols} symbols, {numbers})",
    )


# What one layer must have, and what shallow circuits compute


# for each pair of places, clauses or terms of two literals, which say whether the bit is to be 1; the gate of two
# literals, the gate of all of these, and the depth
TERMS: dict[str, tuple[tuple[tuple[int, int], ...], str, str, int]] = {
    "equality": (((0, 1), (1, 0)), "or", "and", 3),
    "intersection": (((1, 1),), "and", "or", 2),
}


@claim(
    "Section 4.2",
    name="section 4.2 ac0",
    direction=Direction.CONSTRUCTION,
    formula="c*N",
    constant=Constant("1", "two clauses, or one term, for each of N/2 places"),
    unit="terms",
    hypotheses=(
        "circuits of depth 3 and 2; for both the source states 2-CNF, see docs/errata.md",
        "every word up to N = 14, beyond these words that are drawn, and neighbours with different answers",
    ),
    sizes=tuple({"function": function} for function in TERMS),
    tags=("circuit", "equality-of-halves"),
)
def terms_of_two_literals(
    length: int = param("N", 256, "length of the input", low=4, step=2),
    function: str = param("f", "equality", "which one", choices=tuple(TERMS)),
) -> Finding:
    """EQ as a 2-CNF, Disj as a 2-DNF, have O(N) terms, so that circuits of constant depth and linear size compute
    them."""
    pairs, inner, outer, depth = TERMS[function]
    task_of = problems.equality_of_halves if function == "equality" else problems.intersection_of_halves

    def look(size: int) -> Tally:
        circuit, task = Circuit(), task_of(size)
        ones = [circuit.add("input") for _ in range(size)]
        literals = [circuit.add("not", [one]) for one in ones], ones
        gates = [
            circuit.add(inner, [literals[first][place], literals[second][place + size // 2]])
            for place in range(size // 2)
            for first, second in pairs
        ]
        circuit.add(outer, gates)
        words = every_word(task) if task.words.size <= MOST_EXPLORED else drawn_words(task, count=64)
        bits = np.array([int(str(symbol)) for symbol in task.alphabet])[words]
        given, wanted = circuit.values(bits), np.array(task.answers)[np.asarray(task.evaluate(words))]
        wrong = [] if np.array_equal(given, wanted) else [f"another answer on {bits[(given != wanted).argmax()]}"]
        wrong += [] if circuit.depth == depth else [f"a depth of {circuit.depth}"]
        return Tally(len(gates), len(words), task.words.size, wrong)

    return grown(sizes_between(length, 4, 2), look)


@claim(
    "Theorem 5",
    direction=Direction.LOWER,
    formula="(N - 1)/(3*(p + log(N, 2)))",
    trivial="1",
    unit="",
    hypotheses=("mH as the bits of our protocol leave it, N + 1 of which are needed",),
    sizes=({}, {"length": 1024}, {"length": 16384}, {"length": 16384, "heads": 4}),
    tags=("transformer", "dyck"),
)
def dyck_width(
    length: int = param("N", 8, "length of the input", low=2, step=2),
    precision: int = param("p", 16, "bits of a number", low=3),
    heads: int = HEADS,
) -> Finding:
    """A one-layer transformer for Dyck-(2,2) has mH of (N - 1)/(3(p + log N)) or more (Theorem 10 in the appendix)."""
    excluded = bounds.model("transformer", width=1, precision=precision, heads=heads, task="dyck", length=length)
    least = excluded.smallest_width or 1
    return Finding(
        measured=least * heads,
        calculated=True,
        outside="a width for which our protocol may exceed the total of Theorem 4" if least == 1 else "",
        facts={"bits that the task needs": excluded.needed_bits, "smallest width of a head": least},
        every_length=bounds.task_certificate("dyck"),
    )


@claim(
    "Theorem 12",
    direction=Direction.LOWER,
    formula="c*N",
    constant=Constant("1/10", f"ours: {PROOF}, from the count of the compact protocol"),
    unit="",
    hypotheses=("the numbers of appendix B.2, so that p is log2 N or more", "N of at least 10"),
    sizes=({}, {"exponent": 2, "heads": 3}),
    tags=("transformer", "inequality-of-halves", "equality"),
)
def halves_product(
    length: int = param("N", 4096, "length of the input", low=2, step=2),
    exponent: int = param("K", 1, "K: numbers go from -N^K to N^K in steps of N^-K"),
    heads: int = HEADS,
) -> Finding:
    """A one-layer transformer for the inequality of two halves has mpH = Omega(N)."""
    given: dict[str, Any] = {"width": 1, "heads": heads, "task": "inequality-of-halves"}
    numbers = {n: Precision.polynomial(n, exponent) for n in sizes_up_to(length, low=2, step=2)}
    excluded = {n: bounds.model("transformer", precision=each, length=n, **given) for n, each in numbers.items()}
    widths = [each.smallest_width or 1 for each in excluded.values()]
    require_growth(length, widths)
    series = tuple((n, width * numbers[n].bits * heads) for n, width in zip(numbers, widths, strict=True))
    return Finding(series=series, calculated=True, every_length=bounds.task_certificate("inequality-of-halves"))


# Two layers: those that are built for every balanced partition, run, and what their own answers cost

CERTIFIED = (4, 8, 12)  # lengths at which the bits that are needed are certified for all answers of the model
BUILT = f"ours: {PROOF}, from m = 2k + 5, H = 2 and p of at most 3 log N"
LARGE = param("N", 256, "length of the input", low=128, step=2)


@two_layers(
    "Lemma 5",
    direction=Direction.LOWER,
    formula="N/2",
    ours="N/2",
    hypotheses=("one party is to know the output; the least over partitions and parties",),
    sizes=lengths(4, 6, 8),
)
def any_balanced_partition(length: int = EVEN) -> Finding:
    """For every balanced partition there is a function of small two-layer transformers that costs N/2 bits or more."""
    faults = list[str]()
    halves = list(combinations(range(1, length + 1), length // 2))
    for alice in halves:
        model = _built(way := problems.Partition.of(length, alice=list(alice)))
        table, faults = _own_answers(model, way), faults + _size_faults(model)
        if not np.array_equal(table, 1 - np.eye(len(table))):
            faults.append(f"{model.name} is not the inequality of the parts of {way}")
    finding = _cost(table)  # which is the same for all of them
    return finding.also(faults, {"partitions": len(halves)})


@two_layers(
    "Corollary 13.1",
    name="corollary 13.1 size",
    role=Role.STEP,
    direction=Direction.CONSTRUCTION,
    formula="c*log(N, 2)**2",
    constant=Constant("134", BUILT),
    unit="",
    hypotheses=("odd positions against even ones; every place at which two words differ, and equal words beside it",),
)
def two_layers_size(length: int = LARGE) -> Finding:
    """These layers have mpH = O(log^2 N)."""

    def look(n: int) -> Tally:
        model = _built(way := problems.Partition.odd_even(n))
        size, half, wrong = constructions.size_of(model), n // 2, _size_faults(model)
        same = np.random.default_rng(0).integers(2, size=(half, half))
        words = np.block([[same, same], [same, same ^ np.eye(half, dtype=np.int64)]])
        if model.codes(words[:, _order(way)]).tolist() != [0] * half + [1] * half:
            wrong.append(f"{model.name} is wrong on a word of {n} bits")
        return Tally(size.width * size.precision * size.heads, n, 2**n, wrong)

    return grown(sizes_up_to(length, low=2, step=2), look)


@two_layers(
    "Corollary 13.1",
    direction=Direction.LOWER,
    formula="c*N/log(N, 2)**2",
    constant=Constant("1/300", f"{BUILT}, as built"),
    unit="",
    hypotheses=("N/2 bits are needed: certified for the models' own answers at N = 4, 8 and 12, and Fact 2",),
)
def overhead(length: int = LARGE) -> Finding:
    """If two layers are computed with O(mpH g(N)) bits for any partition, then g(N) = Omega(N/log^2 N)."""
    finding = two_layers_size(length)
    costs = [_own_cost(n) for n in CERTIFIED]
    faults = () if [2 * cost for cost in costs] == list(CERTIFIED) else (f"{costs} bits needed at N = {CERTIFIED}",)
    series = tuple((n, Fraction(n, 2) / Fraction(str(bits))) for n, bits in finding.series)
    return finding.also(faults, series=series, calculated=True)


@OURS.claim(
    "protocols.reductions.max_logit_softmax",
    name="two-layers-refused",
    direction=Direction.REFUSAL,
    sharpens="bhattamishra2024-corollary-13-1",
    tags=("transformer", "two-layers"),
)
def two_layers_refused(length: int = LENGTH) -> Finding:
    """The reduction of one layer refuses a transformer with two, because no such protocol is cheap for all of them."""
    sizes: dict[str, Any] = {"length": length, "width": 4, "heads": 2, "precision": 8, "seed": 0}
    way, one = problems.Partition.odd_even(length), models.OneLayerTransformer.random("01", **sizes)
    two: Any = models.Transformer.random("01", layers=2, **sizes)
    wrong = map(str, reductions.max_logit_softmax(one, way).explore().violations)
    refusal = Finding.of_refusal(lambda: reductions.max_logit_softmax(two, way), "Corollary 13.1", checked=2)
    return refusal.also(wrong)


def _built(way: Any) -> Any:
    return constructions.equality_transformer(way.length, partition=way, unequal=True)


def _size_faults(model: Any) -> list[str]:
    shape = f"{model.layers} layers of {model.heads} heads and {model.precision.bits} bits at N = {model.length}"
    small = (model.layers, model.heads) == (2, 2) and 2**model.precision.bits <= model.length**3
    return [] if small else [shape]


def _order(way: Any) -> Any:
    return np.argsort([*way.alice, *way.bob])


def _own_answers(model: Any, way: Any) -> Any:
    side = 2 ** (way.length // 2)
    return np.asarray(model.codes(words_of_bits(way.length)[:, _order(way)])).reshape(side, side)


def _cost(table: Any) -> Finding:
    matrix = CommunicationMatrix.from_array(table)
    return min((Finding.of_bracket(bounds.deterministic(matrix, answer=one)) for one in ("alice", "bob")), key=_lower)


def _lower(finding: Finding) -> int:
    return int(finding.bracket.lower) if finding.bracket else 0


def _own_cost(length: int) -> int:
    model = _built(way := problems.Partition.odd_even(length))
    return _lower(_cost(_own_answers(model, way)))
