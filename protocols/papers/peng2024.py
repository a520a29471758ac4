"""Peng, Narayanan and Papadimitriou 2024, On limitations of the transformer architecture: composed functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from ccsim import engine, models, problems
from ccsim.claims import Constant, Direction, Finding, Role, param, sizes_up_to
from protocols import constructions, reductions
from protocols.classical.deterministic import width_of
from protocols.papers.checks import (
    Tally,
    drawn_until,
    grown,
    interval,
    looks_at_both,
    one_way_bits,
    sizes_between,
    whole_part,
    within,
)
from protocols.papers.sources import OURS, SLIDES, lengths
from protocols.papers.sources import PENG_2024 as PAPER

LAYERS = 5  # layers that are explored: what one of them does not show another may
MOST_TABLES, TABLES = 1 << 10, 4  # up to so many pairs of tables are all gone through, of more so few

ELEMENTS = param("n", 2, "elements of the domain", low=2)
HEADS = param("H", 1, "attention heads")
WIDTH = param("d", 2, "width of a head")
PRECISION = param("p", 6, "bits of a number", low=3)
SEED = param("seed", 0, "of the weights: the first one from here on that looks at both tables", low=0)
NARROW, FEW = param("d", 1, "width of a head"), param("p", 1, "bits")
SPEAKER = param("speaker", "g", "whose function the message is about", choices=("f", "g"))
STEPS = param("k", 2, "steps of the chain")
MANY, FINE = param("n", 1 << 16, "elements of the domain", low=2), param("p", 16, "bits of a number", low=3)

UNIFORM = "uniform and independent functions and argument, among n elements"
CHASED = "p at least log n; k steps are asked for more than 2k values in turn of two functions"
LEAST_STEPS = "floor(n/(8*(H*(d + 1)*p + L(n) + 2*log(n, 2) + 4))) + 1"
THREE = ({"length": 3}, {"length": 3, "width": 2}, {"length": 3, "precision": 2})
CHAIN = "docs/proofs/chain_of_thought.md"

composed = partial(PAPER.claim, tags=("function-composition",))
error = partial(
    composed,
    direction=Direction.LOWER,
    formula="Max(0, (n*log(n, 2) - H*(d + 1)*p)/(3*n*log(n, 2)))",
    trivial="0",
    unit="",
)
message = partial(OURS.claim, direction=Direction.UPPER, tags=("function-composition", "transformer"))
chain = partial(OURS.claim, sharpens="peng2024-theorem-2", tags=("pointer-chasing", "transformer"))


@error(
    "Theorem 1",
    hypotheses=(
        UNIFORM,
        "R > 0, and H, d, p at least 1: so n at least 3",
        "two functions, as in the paper; the slides print three",
        "measured: the least error of any message of H(d + 1)p bits about f or g to one who knows the rest",
    ),
    sizes=(*THREE, *({**size, "speaker": "f"} for size in THREE), {"length": 4, "precision": 3}, {"length": 2}),
)
def least_error(
    length: int = ELEMENTS, heads: int = HEADS, width: int = NARROW, precision: int = FEW, speaker: str = SPEAKER
) -> Finding:
    """If R = n log n - H(d + 1)p > 0, a layer errs on g(f(x)) with probability at least R/(3 n log n)."""
    bits = heads * (width + 1) * precision
    if 1 << bits >= length**length:
        return Finding(measured=Fraction(0), outside=f"H(d + 1)p = {bits} is not less than n log n")
    function = _of_speaker(length, speaker)
    least = reductions.least_one_way_error(function, bits)
    return Finding(
        measured=least.lower,
        achieved=least.upper,
        exact=least.exact,
        checked=len(least.messages),
        of=function.shape[0],
    )


def _of_speaker(length: int, speaker: str) -> problems.TwoPartyFunction:
    """Whoever sends f sends its whole table; whoever sends g is asked for g(f(x)), which is as uniform as a place."""
    return problems.function_composition(length) if speaker == "f" else reductions.table_lookup(length)


@error(
    f"Theorem 1, {SLIDES}",
    name="theorem-1-three-functions",
    hypotheses=(UNIFORM, "R > 0", "it follows from two functions: g(f(x)) is as uniform as f(x), and h is known"),
    sizes=THREE,
)
def three_functions(length: int = ELEMENTS, heads: int = HEADS, width: int = NARROW, precision: int = FEW) -> Finding:
    """If R = n log n - H(d + 1)p > 0, a layer errs on h(g(f(x))) with probability at least R/(3 n log n).

    The holder of h sends: what counts of the rest is g(f(x)), and it is uniform.
    """
    tables = list(product(range(length), repeat=length))
    counts = Counter(g[f[x]] for f, g, x in product(tables, tables, range(length)))
    finding = least_error(length, heads, width, precision, "g")
    uneven = () if len(set(counts.values())) == 1 else (f"g(f(x)) is not uniform: {dict(counts)}",)
    return finding.also(uneven, {"g(f(x))": dict(counts)})


@composed(
    f"Theorem 1, {SLIDES}: the bound is tight",
    name="theorem-1-tight",
    direction=Direction.EXACT,
    formula="ceiling(n*log(n, 2))",
    hypotheses=("read as: where R = 0 there is no error any more, and before there is; the 3 is not meant",),
    sizes=({}, {"length": 3}, {"length": 4}, {"length": 3, "speaker": "f"}),
)
def zero_error_bits(length: int = ELEMENTS, speaker: str = SPEAKER) -> Finding:
    """A message without error has n log n bits, rounded up, and no fewer."""
    return Finding.of_bracket(one_way_bits(_of_speaker(length, speaker)))


@OURS.claim(
    "docs/proofs/composed_functions.md",
    name="composition-error",
    direction=Direction.LOWER,
    sharpens="peng2024-theorem-1",
    unit="",
    hypotheses=("uniform functions and argument", "counted at this n; that it is so for all n is not proved"),
    instances="this n alone",
    sizes=lengths(4, 8, 16, 24, 48),
    tags=("function-composition",),
)
def errors_by_balls(length: int = param("n", 4, "elements of the domain", low=4)) -> Finding:
    """A message of b bits about g errs on g(f(x)) with probability at least R/(2 n log n), for every b from 2 on;
    counted for each n by itself."""
    sizes = range(2, (length**length - 1).bit_length())
    errors = {bits: reductions.one_way_error.error_of_balls(length, 1 << bits, length) for bits in sizes}
    claimed = {bits: _half(length, bits) for bits in sizes}
    closest = min(sizes, key=lambda bits: errors[bits] / claimed[bits])
    return Finding(
        measured=errors[closest],
        claimed=claimed[closest],
        formula="(n*log(n, 2) - b)/(2*n*log(n, 2)), at the b where it is closest; rounded up if irrational",
        checked=len(errors),
        of=len(sizes),
        violations=[f"{errors[b]} with {b} bits is too little" for b in sizes if errors[b] < claimed[b]],
        facts={"b": closest, "messages": f"of {sizes[0]} to {sizes[-1]} bits"},
    )


def _half(n: int, bits: int) -> Fraction:
    """R / (2 n log n); where that is irrational, the next multiple of 2^-40 above it."""
    exponent = n.bit_length() - 1
    if n == 1 << exponent:
        return Fraction(n * exponent - bits, 2 * n * exponent)
    above = within(lambda: -whole_part((bits / (n * interval(n).log_base(2)) - 1) * (1 << 39)))
    return Fraction(above, 1 << 40)


@PAPER.claim(
    "Theorem 1, proof",
    name="theorem-1-message",
    direction=Direction.UPPER,
    role=Role.STEP,
    formula="H*(d + 1)*p",
    ours="H*(d + 1)*p",
    instances="five layers drawn",
    hypotheses=(
        "the layer adds up in registers of p bits, position after position; the known function comes first",
        "the last token is a mark that everybody knows",
        "whoever receives the message answers; the answer is the layer's, bit for bit",
    ),
    sizes=({}, {"heads": 2, "width": 1}, {"length": 3, "width": 1, "precision": 4}),
    tags=("function-composition", "transformer"),
)
def message_in_order(
    length: int = ELEMENTS, width: int = WIDTH, precision: int = PRECISION, heads: int = HEADS, seed: int = SEED
) -> Finding:
    """A layer on two functions is one message: of each head d numbers and a normaliser, H(d + 1)p bits."""
    random = partial(reductions.LayerInOrder.random, length, width=width, precision=precision, heads=heads)
    return _explored(lambda each: reductions.one_message(random(seed=each)), seed, 1)


@message(
    "protocols/reductions/composition.py",
    name="composition-message-exact",
    sharpens="peng2024-theorem-1-message",
    formula="L(n) + H*(2*p + 2*(p + L(2*n + 1)) + 2*d*p)",
    instances="five layers drawn",
    hypotheses=("the layer's own answer, bit for bit, in the arithmetic of appendix B.2 of Bhattamishra et al. 2024",),
    sizes=({}, {"heads": 2, "width": 1}),
)
def exact_message(
    length: int = ELEMENTS, width: int = WIDTH, precision: int = PRECISION, heads: int = HEADS, seed: int = SEED
) -> Finding:
    """A layer that takes off a common maximum and adds up exactly sends the query, maxima, sums both ways, wider
    sums."""
    sizes: Any = {"width": width, "head_width": width, "heads": heads, "precision": precision}
    random = partial(models.OneLayerTransformer.random, range(length), length=2 * length + 1, answers=range(length))
    costs = reductions.composition_costs(random(seed=seed, **sizes))
    finding = _explored(lambda each: reductions.composition(random(seed=each, **sizes)), seed, 4)
    return finding.also(facts=costs)


@PAPER.claim(
    "Theorem 2",
    direction=Direction.LOWER,
    formula="c*sqrt(n/(H*d*p))",
    ours=LEAST_STEPS,
    constant=Constant("1/8", f"ours, for chains that are never wrong: {CHAIN}"),
    unit="steps",
    hypotheses=(
        CHASED,
        "calculated: from the bits of steps that were run, and a bound on pointer chasing that is proved there",
    ),
    sizes=({}, {"width": 4, "heads": 2, "length": 1 << 20, "precision": 20}),
    tags=("pointer-chasing", "transformer"),
)
def root_of_steps(length: int = MANY, width: int = WIDTH, precision: int = FINE, heads: int = HEADS) -> Finding:
    """A chain of thought that composes functions again and again has Omega(sqrt(n/(Hdp))) steps."""
    return _least_steps(length, width, precision, heads)


@chain(
    CHAIN,
    name="chain-of-thought-steps",
    direction=Direction.LOWER,
    formula="c*n/(H*d*p)",
    ours=LEAST_STEPS,
    constant=Constant("1/56", f"ours: {CHAIN}"),
    unit="steps",
    hypotheses=(CHASED,),
)
def steps_without_root(length: int = MANY, width: int = WIDTH, precision: int = FINE, heads: int = HEADS) -> Finding:
    """A chain of thought that is never wrong has not only sqrt(n/(Hdp)) but n/(Hdp) steps, up to a constant."""
    return _least_steps(length, width, precision, heads)


def _least_steps(length: int, width: int, precision: int, heads: int) -> Finding:
    """The least k with 8 k (b + L(n) + 2 log n + 4) > n at each size, for the bits b + L(n) of a step that was run."""
    run = chain_in_order(2, 2, width, precision, heads, 0)
    each = (run.measured or 0) // 2 - 1  # two steps on tables of two values, whose tokens take a bit

    def least(n: int) -> int:
        asked = within(lambda: n / (8 * (each + width_of(n) + 2 * interval(n).log_base(2) + 4)))
        return whole_part(asked) + 1

    return Finding(
        series=tuple((n, least(n)) for n in sizes_up_to(length, low=8)),
        calculated=True,
        checked=run.checked,
        of=run.of,
        violations=run.violations,
        outside="" if precision >= width_of(length) else "p is less than log n",
        facts={"bits of a step": f"{each} + L(n)"},
    )


@chain(
    "protocols/reductions/composition.py",
    name="chain-of-thought",
    direction=Direction.UPPER,
    formula="k*(H*(d + 1)*p + L(n))",
    instances="five chains of layers drawn",
    hypotheses=("2k rounds; both know the last token",),
    sizes=({}, {"length": 3, "steps": 3, "width": 1}),
)
def chain_in_order(
    length: int = ELEMENTS,
    steps: int = STEPS,
    width: int = WIDTH,
    precision: int = PRECISION,
    heads: int = HEADS,
    seed: int = SEED,
) -> Finding:
    """A chain of k steps of a layer that adds up in order is a conversation: sums, and the next token, each time."""
    random = partial(reductions.LayerInOrder.random, length, width=width, precision=precision, heads=heads)

    def build(each: int) -> engine.Protocol:
        return reductions.chain_in_order([random(more=written, seed=each) for written in range(-1, steps - 1)], length)

    return _explored(build, seed, 2 * steps)


@chain(
    "protocols/reductions/composition.py",
    name="chain-of-thought-exact",
    direction=Direction.UPPER,
    instances="five chains of layers drawn",
    sizes=({}, {"steps": 5}),
)
def chain_exact(
    length: int = ELEMENTS, steps: int = STEPS, width: int = WIDTH, precision: int = PRECISION, seed: int = SEED
) -> Finding:
    """A chain of k steps of a layer with a common maximum and exact sums is a conversation of 3k + 1 rounds, and of so
    many bits at each step."""
    tokens = range(2 * length + 1, 2 * length + 1 + steps)
    way = problems.Partition("A" * length + "B" * length)

    def build(each: int) -> engine.Protocol:
        sizes: Any = {"width": width, "precision": precision, "seed": each, "answers": range(length)}
        layers = [models.OneLayerTransformer.random(range(length), length=size, **sizes) for size in tokens]
        return reductions.chain_of_thought(layers, way, start=0)

    claimed = sum(4 * precision + 2 * width_of(each) + 2 * width * precision + width_of(length) for each in tokens)
    formula = "sum over the steps of 2*p + 2*(p + L(tokens)) + 2*d*p + L(n)"
    return _explored(build, seed, 3 * steps + 1).also(claimed=claimed, formula=formula)


def _explored(build: Callable[[int], engine.Protocol], seed: int, rounds: int) -> Finding:
    drawn = drawn_until(
        build, lambda each: looks_at_both(each.function.codes), seed, "whose layers look at both tables", LAYERS
    )
    explored = [protocol.explore() for protocol in drawn]
    wrong = [str(violation) for each in explored for violation in each.violations]
    wrong += [f"{each.worst_rounds} rounds, not {rounds}" for each in explored if each.worst_rounds != rounds]
    return Finding.of_exploration(explored[0], violations=wrong)


@chain(
    "protocols/constructions/lookup.py",
    name="chain-that-composes",
    direction=Direction.CONSTRUCTION,
    formula="c*log(n, 2)",
    constant=Constant("72", "two codes, and two addresses of 4/3 of k < 36 ln n signs with products within a third"),
    unit="numbers",
    hypotheses=("tables of f and g and the token 0 as a prompt; the values of f and g in turn, at most n steps",),
    tags=("pointer-chasing", "transformer", "construction"),
)
def composing_chain(
    length: int = param("n", 128, "elements of the domain", low=2), steps: int = param("k", 3, "steps")
) -> Finding:
    """One layer of one head and width O(log n), the same at every step, follows k pointers in a chain of k steps."""

    def look(values: int) -> Tally:
        layers, of = constructions.chasing_chain(values, steps), values ** (2 * values)
        if of <= MOST_TABLES:
            tables = np.array(list(product(range(values), repeat=2 * values)))
        else:
            tables = np.random.default_rng(0).integers(values, size=(TABLES, 2 * values))
        written = path = np.zeros((len(tables), 1), dtype=np.int64)
        for step, layer in enumerate(layers):
            written = np.hstack([written, layer.codes_plain(np.hstack([tables, written]))[:, None]])
            path = np.hstack([path, np.take_along_axis(tables, values * (step % 2) + path[:, -1:], axis=1)])
        wrong = [f"not {row}" for row in path[(written != path).any(axis=1)].tolist()]
        return Tally(constructions.size_of(layers[0]).width, len(tables), of, wrong)

    return grown(sizes_between(length, 2), look)
