"""What the benchmarks of measures have in common: a bracket with its certificate beside a rival's number."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ccsim.bounds.bracket import Bracket
from ccsim.bounds.scheduler import Clock

__all__ = ["MISSING", "Case", "compared"]

Case = tuple[str, dict[str, Any], Callable[[], Bracket], str, Callable[[], Any]]
"""What is asked, of which matrix, function or relation, our bracket, the rival's name, and what the rival does."""
MISSING = "not installed"


def compared(
    case: str, subject: dict[str, Any], ours: Callable[[], Bracket], name: str, rival: Callable[[], Any], seconds: float
) -> dict[str, Any]:
    """One line, in seconds of the clock; the ratio says how many times slower the rival was (at least, if stopped)."""
    start = time.perf_counter()
    bracket = ours()
    mine = time.perf_counter() - start
    start = time.perf_counter()
    if bracket.lower_witness or bracket.upper_witness:
        replace(bracket, **subject).certificate.verify()
    check = time.perf_counter() - start
    start = time.perf_counter()
    found = list(Clock.within(seconds).run(lambda tell: tell(rival())))
    theirs = time.perf_counter() - start
    return {
        "case": case,
        "result": f"[{_short(bracket.lower)}, {_short(bracket.upper)}]",
        "seconds": round(mine, 2),
        "check": round(check, 2),
        "rival": name,
        "rival result": _short(found[0]) if found else "stopped",
        "rival seconds": round(theirs, 2),
        "ratio": "-" if found == [MISSING] else f"{'' if found else '> '}{theirs / max(mine, 1e-3):.1f}",
    }


def _short(value: Any) -> str:
    return "?" if value is None else f"{float(value):.4g}" if isinstance(value, (Fraction, float)) else str(value)
