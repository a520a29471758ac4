"""A bracket that gets better as bounds are found, on either side."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ccsim.bounds.bracket import Bracket, Witness

Finding = tuple[str, int, str, Witness]
"""A side, the value that is proved, the method, and the witness."""


def improved(best: Bracket, findings: Iterable[Finding]) -> Iterator[Bracket]:
    """The bracket, and what it becomes by each finding that is better, until it is exact.

    >>> trivial = Bracket("sign-rank", 0, 4, "trivial | lines", unit="")
    >>> found = [("upper", 5, "worse", {}), ("lower", 3, "forster", {}), ("upper", 3, "factors", {})]
    >>> [str(one) for one in improved(trivial, found)][1:]
    ['sign-rank in [3, 4] (forster | lines)', 'sign-rank = 3 (forster | factors)']
    """
    start = time.perf_counter()
    yield best
    if best.exact:
        return
    for side, value, method, witness in findings:
        below, _, above = best.method.partition(" | ")
        seconds = time.perf_counter() - start
        if side == "lower" and value > best.lower:
            best = replace(best, lower=value, lower_witness=witness, method=f"{method} | {above}", seconds=seconds)
        elif side == "upper" and (best.upper is None or value < best.upper):
            best = replace(best, upper=value, upper_witness=witness, method=f"{below} | {method}", seconds=seconds)
        else:
            continue
        yield best
        if best.exact:
            return
