"""Theorem 7 for margins of N^-c: the k that is printed, the k that its proof needs, and the route that repairs it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ccsim.claims import Finding, sizes_up_to
from ccsim.plots import Line, Plot
from protocols import constructions
from protocols.papers.bhattamishra2024.findings import accounts
from protocols.papers.bhattamishra2024.findings.constructions import Case, growth
from protocols.papers.bhattamishra2024.findings.retrieval import nearest_case

__all__ = ["margins", "three_dimensions"]

LEAST = 6  # points and labels
DRAWN = 12


def margins(length: int, power: int, quantity: str) -> Finding:
    """The model whose labels copy their points, for N points and labels and a margin of N^-c or less.

    Points are whole and lie on a sphere of squared radius N^c, or the next that has enough: twice as many as pairs.
    """
    facts: dict[str, Any] = {}

    def case(size: int) -> Case:
        made = nearest_case(size, size**power, most=size)
        facts.update(_facts(size, _product(made.task.positions[0][0], made.task.positions[0][0]), made))
        return made

    found = growth(length, LEAST, 2, quantity, case)
    return found.but(facts={**found.facts, **facts})


def _facts(length: int, norm: int, made: Case) -> dict[str, Any]:
    """The margin, and the signs of an address: by the proof for a constant margin and this one, at least, and here."""
    return {
        "margin": f"1/{norm}",
        "least margin that was run": Fraction(_least_gap(made), norm),
        "k = O(log N), as printed (that of margin 1)": by_lemma(length, Fraction(1)),
        "k that the proof asks for at this margin": by_lemma(length, Fraction(1, norm)),
        "k below which there are no such addresses": 2 * length,
        "k of the model that copies": made.account.signs[0].dimension,
    }


def by_lemma(points: int, margin: Fraction) -> int:
    """The signs that Lemma 2 asks for, for 2N addresses with products within a hundredth of the margin."""
    return constructions.lemma_dimension(2 * points, margin / 100)


def _least_gap(made: Case) -> int:
    """By how little the nearest point is ahead of another one, of the words that are drawn, in whole products."""
    least: list[int] = []
    for row in made.draw(made.task, count=DRAWN).tolist():
        *shown, query = (made.task.alphabet[rank] for rank in row)
        products = sorted({_product(point, query) for point in shown[::2]})
        least += [products[-1] - products[-2]] if len(products) > 1 else []
    return min(least)


def _product(first: Any, second: Any) -> int:
    return sum(int(a) * int(b) for a, b in zip(first, second, strict=True))


def three_dimensions() -> tuple[Plot, ...]:
    """How long addresses must be for margins of 1/N: as printed, as the proof needs it, and where labels copy."""
    lengths = sizes_up_to(4096, low=8)
    return (
        Plot(
            title="Theorem 7 for a margin of 1/N: signs of an address",
            x="N, points",
            y="k, signs",
            lines=(
                Line("printed: k = O(log N), as for margin 1", tuple((n, by_lemma(n, Fraction(1))) for n in lengths)),
                Line("the proof, by Lemma 2 at g = 1/N", tuple((n, by_lemma(n, Fraction(1, n))) for n in lengths)),
                Line("no addresses within g/100 below 2N", tuple((n, 2 * n) for n in lengths)),
                Line(
                    "built: labels copy their points",
                    tuple((n, accounts.Signs(2 * n + 1).dimension) for n in lengths if n <= 256),
                    measured=True,
                ),
            ),
            logarithmic=True,
            note="The repaired route needs no address near to orthogonal, whatever the margin.",
        ),
    )
