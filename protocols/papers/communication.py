"""Communication problems: the facts that the reductions of the papers rest on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ccsim import bounds, problems
from ccsim.claims import Claim, Constant, Direction, Finding, Paper, Parameter
from ccsim.claims.claim import Setting
from ccsim.plots import Line, Plot
from protocols import classical
from protocols.papers import equality_with_coins
from protocols.papers.bhattamishra2024.findings import facts

__all__ = ["CLAIMS", "PAPER"]

PAPER = Paper("communication", "Communication problems")
KUSHILEVITZ = "Kushilevitz and Nisan 1997"
LEAN = "proved for every n in Lean (communication-complexity-lean)"
PROBLEMS = ("equality", "disjointness", "index", "greater-than", "inner-product", "set-intersection-size")
BOTH_KNOW = "both parties know the answer"


def _deterministic(problem: str) -> Callable[[int], Finding]:
    """The exact cost, with a certificate."""

    def measure(length: int) -> Finding:
        return Finding.of_bracket(bounds.deterministic(facts.function(problem, length)))

    return measure


def _equality_plots() -> tuple[Plot, ...]:
    """What equality costs: for certain, with private coins, with public coins."""
    sizes = tuple(2**k for k in range(1, 9))
    costs = {n: classical.fingerprint_equality(n).cost for n in sizes}
    return (
        Plot(
            title="What equality costs",
            x="n, bits of each string",
            y="bits sent",
            lines=(
                Line("deterministic, n + 1", tuple((n, n + 1) for n in sizes)),
                Line("private coins, error 1/3: fingerprint", tuple((n, c.bits) for n, c in costs.items() if c)),
                Line("public coins, error 1/4: inner products", tuple((n, 3) for n in sizes)),
                Line(
                    "exact deterministic complexity, certified",
                    tuple((n, int(bounds.deterministic(problems.equality(n)).lower)) for n in (2, 4, 8)),
                    measured=True,
                ),
            ),
            logarithmic=True,
            note="Coins turn a linear cost into a logarithmic one, and shared coins into a constant.",
        ),
    )


def _claim(
    name: str,
    source: str,
    statement: str,
    direction: Direction,
    formula: str,
    sizes: tuple[int, ...],
    measure: Callable[[int], Finding] | None = None,
    **more: Any,
) -> Claim:
    """A claim about a problem with whose name its own begins; about the exact cost, if nothing else is measured."""
    problem = next(problem for problem in PROBLEMS if name.startswith(problem))
    settings: tuple[Setting, ...] = tuple({"length": size} for size in sizes)
    return Claim(
        name=f"communication-{name}",
        paper=PAPER,
        source=source,
        statement=statement,
        direction=direction,
        formula=formula,
        measure=measure or _deterministic(problem),
        parameters=(Parameter("length", "n", sizes[0], "size of the problem, in bits"),),
        sizes=settings,
        tags=(problem,),
        **{"hypotheses": (BOTH_KNOW,), **more},
    )


PUBLIC, PRIVATE = 3, 7  # the constants of equality with public coins, and with private ones
EXACT, LOWER, UPPER = Direction.EXACT, Direction.LOWER, Direction.UPPER

CLAIMS: tuple[Claim, ...] = (
    _claim(
        "equality",
        f"{KUSHILEVITZ}, Example 1.21; {LEAN}",
        "Equality of n-bit strings costs n + 1 bits.",
        EXACT,
        "n + 1",
        (2, 4, 8),
        plots=_equality_plots,
        proved="equality_costs",
    ),
    _claim(
        "equality-public-coins",
        f"{KUSHILEVITZ}, Example 3.13",
        "With public coins and constant error, equality costs a constant number of bits.",
        UPPER,
        "c",
        (64,),
        lambda length: equality_with_coins.public_coins(length, PUBLIC),
        constant=Constant(str(PUBLIC), "the source's, for an error of 1/4: two inner products and the answer"),
        hypotheses=(BOTH_KNOW, "error at most 1/4"),
    ),
    _claim(
        "equality-private-coins",
        f"{KUSHILEVITZ}, Example 3.9",
        "With private coins and constant error, equality costs O(log n) bits.",
        UPPER,
        "c*log(n, 2)",
        (256,),
        lambda length: equality_with_coins.private_coins(length, PRIVATE),
        constant=Constant(
            str(PRIVATE), "ours, from n = 4 on: proved at protocols.papers.equality_with_coins.private_coins"
        ),
        hypotheses=(BOTH_KNOW, "error at most 1/3"),
    ),
    _claim(
        "disjointness",
        f"{KUSHILEVITZ}, Example 1.23; {LEAN}",
        "Disjointness of two subsets of n elements costs n + 1 bits.",
        EXACT,
        "n + 1",
        (2, 4, 6),
        proved="disjointness_costs",
    ),
    _claim(
        "index-one-way",
        f"{KUSHILEVITZ}, Section 4.3; {LEAN}",
        "In one message from Alice, who holds n bits, Bob learns the bit at his position only if she sends n bits.",
        EXACT,
        "n",
        (2, 4, 8),
        facts.index,
        hypotheses=("one message from Alice", "Bob knows the answer"),
        proved="index_costs_one_message",
    ),
    _claim(
        "index-two-way",
        KUSHILEVITZ,
        "With an answer to Bob's position, the same costs no more than L(n) + 1 bits.",
        UPPER,
        "L(n) + 1",
        (2, 3, 4, 8),
    ),
    _claim(
        "greater-than",
        f"{KUSHILEVITZ}, Exercise 1.22",
        "Comparing two n-bit numbers costs n + 1 bits.",
        EXACT,
        "n + 1",
        (2, 4, 6),
    ),
    _claim(
        "inner-product",
        f"{KUSHILEVITZ}, Example 1.29",
        "The inner product of n-bit strings modulo 2 costs n + 1 bits.",
        EXACT,
        "n + 1",
        (2, 4, 6),
    ),
    _claim(
        "set-intersection-size-from-below",
        "Tamm 1995",
        "The size of the intersection of two subsets of n elements costs n + ceiling(log2(n + 1)) - 1 bits or more.",
        LOWER,
        "n + L(n + 1) - 1",
        (1, 2, 3, 4),
    ),
    _claim(
        "set-intersection-size-from-above",
        "Tamm 1995",
        "The same costs no more than n + ceiling(log2(n + 1)) bits: one party sends its set, the other the size.",
        UPPER,
        "n + L(n + 1)",
        (1, 2, 3, 4),
    ),
)
"""In the order of the problems: equality, disjointness, index, greater-than, inner product, intersection size."""
