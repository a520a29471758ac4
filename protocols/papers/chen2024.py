"""Chen, Peng and Wu 2024, Theoretical limitations of multi-layer transformer: layered composition, as a calculator."""

from __future__ import annotations

import lazy_loader as lazy

from ccsim.claims import Claim, Direction, Finding, Paper, Parameter
from protocols.papers.stated import stated

__all__ = ["CLAIMS", "PAPER", "integer_root"]

flint = lazy.load("flint")

PAPER = Paper("chen2024", "Chen, Peng and Wu 2024")
LARGEST = 1 << 53  # lengths beyond are told as powers of two


def integer_root(number: int, exponent: int) -> int:
    """The largest integer whose power is no more than a number.

    >>> integer_root(2**16 - 1, 16), integer_root(3**16, 16)
    (1, 3)
    """
    return int(flint.fmpz(number).root(exponent))


def _composition(length: int, layers: int, width: int, precision: int, heads: int) -> Finding:
    """What the theorem says at one size, by integers: no execution here shows it.

    The theorem is about decoders of any constant depth; what would have to be run is a conversation of many parties.
    """
    size, exponent = heads * width * precision, 16**layers
    root = integer_root(length, exponent)
    first = size**exponent
    facts = {"H d p": size, "exponent": f"1/{exponent}", "bites from": f"n = {size}^{exponent}"}
    facts["bits of that n"] = first.bit_length()
    return Finding(
        measured=root,
        calculated=True,
        bites_from=first if first < LARGEST else None,
        facts=facts,
        note="a calculator: nothing stands behind the number but the theorem",
    )


CLAIMS: tuple[Claim, ...] = (
    stated(
        PAPER,
        "layered-composition",
        "A decoder of L layers that composes L functions over n tokens has Hdp above n^(2^(-4L)).",
        place="main theorem",
        direction=Direction.LOWER,
        formula="floor(n**(Rational(1, 16)**l))",
        trivial="H*d*p - 1",
        unit="",
        hypotheses=(
            "a constant number of layers, and n large enough",
            "the size that is given is excluded from where this is not below its Hdp",
        ),
        parameters=(
            Parameter("length", "n", 1 << 20, "tokens"),
            Parameter("layers", "l", 1, "layers, and functions that are composed"),
            Parameter("width", "d", 64, "width of a head"),
            Parameter("precision", "p", 16, "bits of a number"),
            Parameter("heads", "H", 8, "attention heads"),
        ),
        sizes=({"length": 3**16, "width": 1, "precision": 3, "heads": 1}, {}, {"layers": 2}),
        measure=_composition,
        tags=("function-composition", "transformer"),
    ),
)
