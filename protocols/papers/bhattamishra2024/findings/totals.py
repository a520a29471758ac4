"""The total of Theorem 4 at sizes beyond those that are run, for all weights."""

from __future__ import annotations

from itertools import product

from ccsim.arithmetic import Precision
from ccsim.claims import Finding
from protocols import reductions
from protocols.papers.bhattamishra2024.findings.softmax import printed_steps
from protocols.papers.bhattamishra2024.findings.widths import Size, run_faults

__all__ = ["within_the_total"]


def within_the_total(length: int, width: int, precision: int, heads: int, symbols: int) -> Finding:
    """The most bits of the compact protocol, or of naming half of the input, whatever the weights, at a large size.

    On a grid of sizes with at most N symbols, widths of 3 or more keep to the total of Theorem 4, and so does width 2
    with at most N^(2/3) symbols.
    """
    faults, facts = run_faults(80, 4, Precision.fixed_point(1, 8), 1)
    row = reductions.softmax_costs([width], [precision], [heads], [length], symbols=symbols)[0]
    said = Size(length, symbols, precision, 1 << precision - 2, heads).bits(width)
    least = min(said, _naming(length, symbols))
    printed = (printed_steps(length, width, precision, heads, 2), printed_steps(length, width, precision, heads, 1) + 1)
    told = tuple(row[name] for name in ("compact", "cheapest", "literal", "one-sided"))
    if told != (said, least, *printed):
        faults.append(f"softmax_costs has {told} bits, not {(said, least, *printed)}")
    grid = list(product((2, 3, 4, 7), (3, 5, 8, 16, 30), (1, 2, 5), (2, 7, 16, 100, 1024)))
    faults += [f"above the total of Theorem 4 at m, p, H, N = {place}" for place in grid if _over(*place)][:1]
    held = width >= 3 and symbols <= length
    return Finding(
        measured=least,
        calculated=True,
        checked=len(grid),
        violations=tuple(faults),
        outside="" if held else "m of at least 3, at most N symbols",
        facts={"compact": said, **facts},
    )


def _naming(length: int, symbols: int) -> int:
    """The bits of naming half of the input, and the answer."""
    return int(symbols ** (length // 2) - 1).bit_length() + 1


def _over(width: int, precision: int, heads: int, length: int) -> bool:
    """Whether the count is above 3m(p + log N)H for some alphabet that the proof admits; by powers of two alone."""
    most = length if width > 2 else max(k for k in range(1, length + 1) if k**3 <= length**2)
    for symbols in {1, 2, most}:
        said = Size(length, symbols, precision, 1 << precision - 2, heads).bits(width) - 3 * width * precision * heads
        if said > 0 and 2**said > length ** (3 * width * heads):
            return True
    return False
