"""Communication problems: the facts that the reductions of the papers rest on, and what equality costs with coins."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import prod
from typing import Any

from ccsim import bounds, engine, problems
from ccsim.claims import Constant, Direction, Finding, param, sizes_up_to
from ccsim.plots import Line, Plot
from protocols import classical
from protocols.classical.fingerprints import first_primes, most_prime_factors
from protocols.papers.checks import Tally, grown, one_way_bits
from protocols.papers.sources import COMMUNICATION, lengths

KUSHILEVITZ = "Kushilevitz and Nisan 1997"
LEAN = "proved for every n in Lean (communication-complexity-lean)"
BOTH_KNOW = "both parties know the answer"
MEANING = "size of the problem, in bits"

EVERY = 4  # up to so many bits all inputs and all coins are gone through
DRAWN = 36  # runs on drawn inputs and coins at each larger size

fact = partial(COMMUNICATION.claim, "", hypotheses=(BOTH_KNOW,))


def plain(
    problem: Callable[[int], Any], which: str, statement: str, bound: Any = bounds.deterministic, **more: Any
) -> None:
    """Declare what a problem costs; ``which`` of its claims follows its name."""

    def measure(length: int = param("n", more["sizes"][0]["length"], MEANING)) -> Finding:
        return Finding.of_bracket(bound(problem(length)))

    measure.__doc__ = statement
    name = problem.__name__.replace("_", "-")
    fact(name=f"{name}{which}", tags=(name,), **more)(measure)


exact = partial(plain, direction=Direction.EXACT, formula="n + 1")
size_of_intersection = partial(plain, problems.set_intersection_size, source="Tamm 1995", sizes=lengths(1, 2, 3, 4))


def _equality_plots() -> tuple[Plot, ...]:
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


exact(
    problems.equality,
    "",
    "Equality of n-bit strings costs n + 1 bits.",
    source=f"{KUSHILEVITZ}, Example 1.21; {LEAN}",
    sizes=lengths(2, 4, 8),
    plots=_equality_plots,
    proved="equality_costs",
)


@fact(
    name="equality-public-coins",
    source=f"{KUSHILEVITZ}, Example 3.13",
    direction=Direction.UPPER,
    formula="c",
    constant=Constant("3", "the source's, for an error of 1/4: two inner products and the answer"),
    hypotheses=(BOTH_KNOW, "error at most 1/4"),
    sizes=lengths(64),
    tags=("equality",),
)
def equality_with_public_coins(length: int = param("n", 64, MEANING)) -> Finding:
    """With public coins and constant error, equality costs a constant number of bits.

    Alice sends <x, r> and <x, s> modulo 2 for two shared strings, Bob whether <y, r> and <y, s> are the same: t + 1 = 3
    bits for t = 2 strings. For z = x + y other than 0 half of all strings r have <z, r> = 0 (flip r where z has its
    first 1: that pairs those that do with those that do not), so both do for a quarter of all pairs of strings.
    """

    def look(n: int) -> Tally:
        def same_products(x: int, y: int, coins: int) -> bool:
            strings = coins >> n, coins & ((1 << n) - 1)
            return all((x & string).bit_count() % 2 == (y & string).bit_count() % 2 for string in strings)

        return _looked(n, classical.inner_product_equality(n), Fraction(1, 4), same_products)

    return grown(sizes_up_to(length), look)


@fact(
    name="equality-private-coins",
    source=f"{KUSHILEVITZ}, Example 3.9",
    direction=Direction.UPPER,
    formula="c*log(n, 2)",
    constant=Constant("7", "ours, from n = 4 on: proved at protocols.papers.communication.equality_with_private_coins"),
    hypotheses=(BOTH_KNOW, "error at most 1/3"),
    sizes=lengths(256),
    tags=("equality",),
)
def equality_with_private_coins(length: int = param("n", 256, MEANING)) -> Finding:
    """With private coins and constant error, equality costs O(log n) bits.

    A positive number below 2^n has at most k different prime factors, where k is the most primes whose product is below
    2^n; so among the first P = 3k primes at most a third divide x - y. Alice sends which prime, and the residue modulo
    it, Bob whether his is the same: L(P) + L(p) + 1 bits, where p is the P-th prime. That is no more than 7 log2 n bits
    from n = 4 on: k < n, as k different primes have a product above 2^k; p <= P^2; so the bits are at most 3 log2(3n) +
    3 < 3 log2 n + 7.76, which is below 7 log2 n there. The pair of the product of the first k primes and 0 has an error
    of exactly k/P.
    """

    def look(n: int) -> Tally:
        protocol = classical.fingerprint_equality(n)
        primes = first_primes(protocol.private["alice"].size)
        looked = _looked(n, protocol, Fraction(1, 3), lambda x, y, place: (x - y) % primes[place] == 0)
        worst = f"{prod(primes[: most_prime_factors(n)]):0{n}b}"
        runs = [protocol.run(worst, "0" * n, private={"alice": place}) for place in range(len(primes))]
        taken = sum(run.answer == 1 for run in runs)
        wrong = [] if 3 * taken <= len(runs) else [f"{taken} of {len(runs)} primes take {worst} for 0"]
        bits = max(looked.value, *(run.bits for run in runs))
        return Tally(bits, looked.checked + (n > EVERY) * len(runs), looked.of, [*looked.wrong, *wrong])

    return grown(sizes_up_to(length, low=4), look)


def _looked(n: int, protocol: engine.Protocol, error: Fraction, expected: Callable[[int, int, int], bool]) -> Tally:
    """The most bits on all inputs and coins or on drawn ones, a third of them equal; what is wrong."""
    outcomes = (protocol.public or protocol.private["alice"]).size
    if n <= EVERY:
        measured = protocol.measure_error()
        wrong = [str(violation) for violation in measured.violations]
        if not measured.exact or measured.worst_error > error:
            wrong.append(f"error {measured.worst_error}, {measured.outcomes} outcomes of coins tried")
        return Tally(measured.worst_bits, int(measured.promised.sum()) * measured.weight, 4**n * outcomes, wrong)
    generator, bits, wrong = random.Random(n), 0, []
    for number in range(DRAWN):
        x, coins = generator.randrange(1 << n), generator.randrange(outcomes)
        y = (x, x ^ 1 << generator.randrange(n), generator.randrange(1 << n))[number % 3]
        own, shared = ({}, coins) if protocol.public else ({"alice": coins}, None)
        run = protocol.run(f"{x:0{n}b}", f"{y:0{n}b}", public=shared, private=own)
        bits = max(bits, run.bits)
        wrong += [] if run.answer == expected(x, y, coins) else [f"answers {run.answer} on {x}, {y} with coins {coins}"]
    return Tally(bits, DRAWN, 4**n * outcomes, wrong)


exact(
    problems.disjointness,
    "",
    "Disjointness of two subsets of n elements costs n + 1 bits.",
    source=f"{KUSHILEVITZ}, Example 1.23; {LEAN}",
    sizes=lengths(2, 4, 6),
    proved="disjointness_costs",
)
plain(
    problems.index,
    "-one-way",
    "In one message from Alice, who holds n bits, Bob learns the bit at his position only if she sends n bits.",
    one_way_bits,
    source=f"{KUSHILEVITZ}, Section 4.3; {LEAN}",
    direction=Direction.EXACT,
    formula="n",
    hypotheses=("one message from Alice", "Bob knows the answer"),
    sizes=lengths(2, 4, 8),
    proved="index_costs_one_message",
)
plain(
    problems.index,
    "-two-way",
    "With an answer to Bob's position, the same costs no more than L(n) + 1 bits.",
    source=KUSHILEVITZ,
    direction=Direction.UPPER,
    formula="L(n) + 1",
    sizes=lengths(2, 3, 4, 8),
)
for problem, statement, place in (
    (problems.greater_than, "Comparing two n-bit numbers costs n + 1 bits.", "Exercise 1.22"),
    (problems.inner_product, "The inner product of n-bit strings modulo 2 costs n + 1 bits.", "Example 1.29"),
):
    exact(problem, "", statement, source=f"{KUSHILEVITZ}, {place}", sizes=lengths(2, 4, 6))
size_of_intersection(
    "-from-below",
    "The size of the intersection of two subsets of n elements costs n + ceiling(log2(n + 1)) - 1 bits or more.",
    direction=Direction.LOWER,
    formula="n + L(n + 1) - 1",
)
size_of_intersection(
    "-from-above",
    "The same costs no more than n + ceiling(log2(n + 1)) bits: one party sends its set, the other the size.",
    direction=Direction.UPPER,
    formula="n + L(n + 1)",
)
