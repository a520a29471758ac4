"""Chen, Peng and Wu 2024, Theoretical limitations of multi-layer transformer: layered composition, as a calculator."""

from __future__ import annotations

from ccsim import lazy
from ccsim.claims import Direction, Finding, param
from protocols.papers.sources import CHEN_2024 as PAPER

flint = lazy.load("flint")

LARGEST = 1 << 53  # lengths beyond are given as powers of two


@PAPER.claim(
    "main theorem",
    name="layered-composition",
    direction=Direction.LOWER,
    formula="floor(n**(Rational(1, 16)**l))",
    trivial="H*d*p - 1",
    unit="",
    hypotheses=(
        "a constant number of layers, and n large enough",
        "the size that is given is excluded from where this is not below its Hdp",
    ),
    sizes=({"length": 3**16, "width": 1, "precision": 3, "heads": 1}, {}, {"layers": 2}),
    tags=("function-composition", "transformer"),
)
def layered_composition(
    length: int = param("n", 1 << 20, "tokens"),
    layers: int = param("l", 1, "layers, and functions that are composed"),
    width: int = param("d", 64, "width of a head"),
    precision: int = param("p", 16, "bits of a number"),
    heads: int = param("H", 8, "attention heads"),
) -> Finding:
    """A decoder of L layers that composes L functions over n tokens has Hdp above n^(2^(-4L))."""
    size, exponent = heads * width * precision, 16**layers
    first = size**exponent
    facts = {"H d p": size, "exponent": f"1/{exponent}", "bites from": f"n = {size}^{exponent}"}
    return Finding(
        measured=int(flint.fmpz(length).root(exponent)),
        calculated=True,
        bites_from=first if first < LARGEST else None,
        facts={**facts, "bits of that n": first.bit_length()},
        note="a calculator: the number rests on the theorem alone",
    )
