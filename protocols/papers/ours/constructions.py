"""Results of this project on constructed models: linear width for one layer, fewer signs, any margin."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from ccsim import problems
from ccsim.claims import Claim, Constant, Direction, Finding, Parameter
from protocols import constructions
from protocols.papers import checks
from protocols.papers.bhattamishra2024.findings import bracket_layers, retrieval, vectors
from protocols.papers.bhattamishra2024.findings.derandomised import by_conditional_expectations
from protocols.papers.ours.paper import construction, result

__all__ = ["CLAIMS"]

B = "bhattamishra2024"
COMPASS = ((1, 0), (0, 1), (-1, 0), (0, -1))

LOOKED_AT = "every word up to 2^16 of them, beyond these words drawn at random and neighbours with different answers"


def uniform(task: str) -> Callable[[int], Finding]:
    """What measures the one layer with uniform attention for a task: its width, and whether it is right."""

    def measure(length: int) -> Finding:
        model = getattr(constructions, f"{task.split('_')[0]}_by_uniform_attention")(length)
        width, facts = model.token_embedding.shape[1], {"precision": model.precision.bits}
        return checks.built(model, getattr(problems, task)(length), width, facts=facts)

    return measure


def signs(length: int, inverse: int) -> Finding:
    """The signs that the proof gives; vectors of seed 0 may need no more, every product looked at."""
    bound = Fraction(1, inverse)
    found, given = vectors.growth(length, inverse), constructions.hoeffding_dimension(length, bound)
    enough = found.series[-1][1]
    wrong = [*found.violations] if enough <= given else [f"{enough} signs are needed with seed 0"]
    facts = {"seed 0": enough, "by counting all sequences": constructions.union_dimension(length, bound)}
    return Finding(measured=given, checked=found.checked, of=found.of, violations=tuple(wrong), facts=facts)


def _proved(events: int, bound: Fraction) -> int:
    """The least k for which events * exp(-k g^2/2) is at most 1: by Hoeffding, some vectors are then within g."""
    exponent = Fraction(1, 2) * bound.numerator**2
    return vectors.least_by_union(events, exponent, Fraction(1), bound.denominator)


def addresses(length: int) -> Finding:
    """The addresses of the model for the nearest of four directions, whose margin is 1, and whether it is right."""
    pairs, within = length // 2, Fraction(2, 9)
    chosen = constructions.smallest_sign_vectors(length + 1, within, two_sided=True)
    given = _proved(length * (length + 1), within)
    model = constructions.nearest_neighbour_transformer(pairs, COMPASS, addresses=chosen)
    found = checks.built(model, problems.nearest_neighbour(pairs, COMPASS), given, _directions)
    wrong = [] if chosen.dimension <= given else [f"{chosen.dimension} signs are needed with seed 0"]
    facts = {
        "width": model.width,
        "seed 0": chosen.dimension,
        "by lemma 2 and g/100": constructions.lemma_dimension(length, Fraction(1, 100)),
    }
    return found.but(violations=(*found.violations, *wrong), facts=facts)


def _directions(task: Any, count: int = 32) -> Any:
    """Prompts with one point in the direction of the query, or beside it, others farther; every other label turned."""
    generator, pairs = np.random.default_rng(0), len(task.positions) // 2
    rank = np.array([task.alphabet.index(symbol) for symbol in (*COMPASS, *task.positions[1])])
    words = np.empty((count, 2 * pairs + 1), dtype=np.int64)
    for row in range(0, count, 2):
        query, turn, place = (int(generator.integers(size)) for size in (4, 2, pairs))
        farther = generator.integers(1, 4, size=pairs) if turn == 0 else np.full(pairs, 2)
        points, labels = (query + farther) % 4, generator.integers(2, size=pairs)
        points[place] = (query + turn) % 4
        words[row, 0:-1:2], words[row, 1::2], words[row, -1] = rank[points], rank[4 + labels], rank[query]
        words[row + 1] = words[row]
        words[row + 1, 2 * place + 1] = rank[5 - labels[place]]
    return words


def any_margin(length: int, square: int) -> Finding:
    """How much wider the model whose labels copy their points is for a margin of 1/R or less than for a large one.

    Points lie on a sphere of squared radius R, or the next that has enough.
    """
    near, far = retrieval.at_any_margin(length, 1), retrieval.at_any_margin(length, square)
    wrong = (*near.violations, *far.violations)
    checked, of = near.checked + far.checked, (near.of or 0) + (far.of or 0)
    difference = (far.measured or 0) - (near.measured or 0)
    return Finding(measured=difference, checked=checked, of=of, violations=wrong, facts=far.facts)


nearby = partial(result, direction=Direction.EXACT, proof="docs/proofs/nearly_orthogonal.md")


def _linear(task: str, theorem: str, does: str, most: int, lengths: tuple[int, ...]) -> Claim:
    return construction(
        f"{task.split('_')[0]}-linear-width",
        f"One layer of width 2N with one head and uniform attention {does}: linear width is enough.",
        sharpens=f"{B}-theorem-{theorem}",
        proof="protocols/constructions/uniform_attention.py",
        formula="2*N",
        unit="numbers",
        parameters=(Parameter("length", "N", lengths[0], "length of the input", low=2, step=2),),
        sizes=tuple({"length": length} for length in lengths),
        measure=uniform(task),
        tags=("transformer", task.replace("_", "-"), "construction"),
        hypotheses=(LOOKED_AT, f"ceiling(log2({2 * most}N + 1)) bits; layers of relu units after the head"),
    )


CLAIMS: tuple[Claim, ...] = (
    _linear("dyck", "5", "recognises Dyck-(2,2)", 3, (4, 6, 8)),
    _linear("equality_of_halves", "12", "decides whether two halves are equal", 1, (6, 10, 64)),
    result(
        "dyck-by-two-layers-at-depth-3",
        "Two layers, of a width that does not grow with N, say whether a word is in Dyck-(2,3).",
        sharpens=f"{B}-section-4-1-dyck-by-two-layers",
        proof="docs/proofs/dyck_layers.md",
        direction=Direction.CONSTRUCTION,
        formula="c",
        constant=Constant("13", "9 numbers, and four codes of one sign (docs/proofs/dyck_layers.md)"),
        unit="numbers",
        parameters=(Parameter("length", "N", 384, "length of the word", low=6, step=2),),
        measure=partial(bracket_layers.recognised, kinds=2, depth=3, layers=2, quantity="width"),
        tags=("transformer", "two-layers", "dyck", "construction"),
        hypotheses=("every word of 6 symbols, beyond these words of the language and words that nearly are",),
    ),
    result(
        "dyck-by-three-layers",
        "Three layers, of a width that does not grow with N, say whether a word is in Dyck-(2,k), for every k.",
        sharpens=f"{B}-section-4-1-dyck-by-two-layers",
        proof="docs/proofs/dyck_layers.md",
        direction=Direction.CONSTRUCTION,
        formula="c*(11 + k)",
        constant=Constant("1", "9 + k numbers, and two codes of one sign (docs/proofs/dyck_layers.md)"),
        unit="numbers",
        parameters=(
            Parameter("length", "N", 384, "length of the word", low=6, step=2),
            Parameter("depth", "k", 4, "brackets that may be open at once"),
        ),
        sizes=({"depth": 4},),
        measure=partial(bracket_layers.recognised, kinds=2, layers=3, quantity="width"),
        tags=("transformer", "dyck", "construction"),
        hypotheses=("every word of 6 symbols, beyond these words of the language and words that nearly are",),
    ),
    nearby(
        "nearly-orthogonal-signs",
        "N vectors of (2/g^2) ln(N(N-1)/2) signs exist, no two with a product above g of their length: half as many as "
        "are printed.",
        sharpens=f"{B}-lemma-2",
        formula="floor(2*r**2*log(N*(N - 1)/2)) + 1",
        unit="signs",
        parameters=(
            Parameter("length", "N", 256, "vectors", low=3),
            Parameter("inverse", "r", 4, "1/g, for the margin g", low=2),
        ),
        sizes=({"length": 256}, {"length": 64, "inverse": 8}),
        measure=signs,
        tags=("vectors",),
        hypotheses=("vectors of seed 0 and those of the smaller sizes; every pair looked at",),
    ),
    result(
        "conditional-signs",
        "N vectors of (2/g^2) ln N signs are made one by one by conditional expectations, no two with a product above "
        "g of their length: a quarter of what is printed.",
        direction=Direction.UPPER,
        sharpens=f"{B}-lemma-2",
        proof="docs/proofs/derandomised_vectors.md",
        formula="floor(2*r**2*log(N)) + 1",
        unit="signs",
        parameters=(
            Parameter("length", "N", 64, "vectors", low=3),
            Parameter("inverse", "r", 4, "1/g, for the margin g", low=2),
        ),
        sizes=({"length": 64}, {"length": 256}, {"length": 32, "inverse": 8}),
        measure=by_conditional_expectations,
        tags=("vectors",),
        hypotheses=("no chance; every pair looked at", "polynomial time, with all earlier vectors kept"),
    ),
    nearby(
        "recall-addresses",
        "For margin 1, addresses within 2/9 of orthogonal let the query find the nearest point, where the proof takes "
        "1/100: (81/2) ln(N(N+1)) signs are enough.",
        sharpens=f"{B}-theorem-7",
        formula="floor(Rational(81, 2)*log(N*(N + 1))) + 1",
        unit="signs",
        parameters=(Parameter("length", "N", 6, "points and labels before the query", low=4, step=2),),
        instances="points in four directions",
        sizes=({"length": 6}, {"length": 16}, {"length": 32}),
        measure=addresses,
        tags=("transformer", "two-layers", "nearest-neighbour", "vectors"),
        hypotheses=(
            LOOKED_AT,
            "points are four directions; the other inequalities are checked when the model is built",
        ),
    ),
    nearby(
        "nearest-at-any-margin",
        "If labels copy their points in the first layer, the width does not depend on the margin: it is 2s + 8 for "
        "points in space and s signs, and no number more for a smaller margin.",
        sharpens=f"{B}-theorem-7",
        formula="0",
        unit="numbers more",
        parameters=(
            Parameter("length", "N", 16, "points and labels before the query", low=4, step=2),
            Parameter("square", "R", 100, "the margin is 1/R or less: the least squared radius", low=1),
        ),
        instances="points of one sphere",
        sizes=({"square": 100}, {"square": 2000}, {"length": 64, "square": 1000}),
        measure=any_margin,
        tags=("transformer", "two-layers", "nearest-neighbour"),
        hypotheses=("points of whole numbers on a sphere of squared radius R; words drawn with the least margin",),
    ),
)
