"""The training figure on sparse averages: an attention unit that learns to look at the rows that are named.

``averaging.json`` lies beside this file; ``training/averaging.py`` made it. A float model on words that were drawn: it
proves nothing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ccsim.errors import InputError
from ccsim.plots import Line, Plot

__all__ = ["Averaged", "averaging_matrix", "averaging_plots", "averaging_results"]

FILE = Path(__file__).with_name("averaging.json")


@dataclass(frozen=True)
class Averaged:
    """How the unit did after some steps, on fresh words.

    Attributes:
        step: T.
        mean, least: the weight that a row gives the rows that it names.
        error: the largest distance to an average, in the 2-norm.
    """

    step: int
    mean: float
    least: float
    error: float


def averaging_results() -> tuple[Averaged, ...]:
    """What was measured, by steps.

    >>> averaging_results()[-1].step
    40000
    """
    return tuple(Averaged(**entry) for entry in _read()["entries"])


def averaging_matrix(step: int) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
    """The rows that each row of the example names, and its attention matrix in thousandths, after T steps.

    >>> named, matrix = averaging_matrix(40000)
    >>> len(named), len(matrix)
    (20, 20)
    """
    read = _read()
    if str(step) not in read["matrices"]:
        raise InputError("step", step, f"one of {', '.join(read['matrices'])}")
    return tuple(map(tuple, read["example"])), tuple(map(tuple, read["matrices"][str(step)]))


def averaging_plots() -> tuple[Plot, ...]:
    """Weights and errors against the steps of training, as a claim offers them."""
    results = averaging_results()
    names = {"weight of the named rows, mean": "mean", "the same, least": "least", "largest error": "error"}
    lines = [
        Line(name, tuple((one.step, getattr(one, field)) for one in results), measured=True, joined=True)
        for name, field in names.items()
    ]
    allowed = 1 / (2 * _read()["settings"]["named"])
    lines.append(Line("1/(2q)", ((0, allowed), (results[-1].step, allowed))))
    title = "Sparse averages, q = 3 of N = 20: an attention unit in training"
    note = "A float unit of width 32 on words that were drawn; at the end each row looks at the rows that it names."
    return (Plot(title, "T, steps", "weight, or distance", tuple(lines), note=note),)


def _read() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return read
