"""What Dyck languages of bounded depth cost, by exact costs of their matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim import bounds, problems
from ccsim.claims import Finding
from ccsim.plots import Line, Plot

__all__ = ["biting", "contiguous", "cost", "fooling_set"]

DEPTH = 2


def _dealt(length: int, alice: Any, kinds: int = 2) -> problems.SplitTask:
    return problems.dyck(length, kinds, DEPTH).split(problems.Partition.of(length, alice=alice))


def cost(length: int, kinds: int = 2) -> Finding:
    """D when one party holds the odd positions, the other the even ones, and both are to know the answer."""
    return Finding.of_bracket(bounds.deterministic(_dealt(length, range(1, length + 1, 2), kinds)))


def fooling_set(length: int) -> Finding:
    """Every word of the language as a cell, with no search: the checker refuses what is no fooling set."""
    matrix = _dealt(length, range(1, length + 1, 2)).matrix
    cells = np.argwhere(matrix.codes == 1).tolist()
    below, above = {"kind": "fooling-set", "cells": cells}, {"kind": "lines"}
    about = {"code": 1, "answer": "both"}
    size, how = len(cells), "all words | rows"
    bracket = bounds.Bracket("fooling-set", size, size, how, below, above, about, "cells", matrix=matrix)
    return Finding.of_bracket(bracket)


def contiguous(length: int) -> Finding:
    """D at every place where a word can be cut."""
    found = [Finding.of_bracket(bounds.deterministic(_dealt(length, range(1, cut + 1)))) for cut in range(1, length)]
    worst = max(found, key=_upper)
    return worst.but(facts={**worst.facts, "bits at each cut": [_upper(each) for each in found]})


def _upper(finding: Finding) -> int:
    return int((finding.bracket.upper if finding.bracket else None) or 0)


def biting() -> tuple[Plot, ...]:
    """What Dyck costs, printed and measured; and from which length on a layer is too small."""
    lengths, widths = tuple(range(2, 13, 2)), tuple(2**k for k in range(3, 11))
    measured = tuple((n, _upper(cost(n))) for n in (2, 4, 6, 8))
    excluded = {
        bits: tuple(
            (m, bounds.model("transformer", width=m, precision=bits, task="dyck").excluded_from) for m in widths
        )
        for bits in (8, 16, 32)
    }
    return (
        Plot(
            title="Dyck-(2,2), odd positions against even ones",
            x="N, length of the word",
            y="bits",
            lines=(
                Line("printed: N - 1", tuple((n, n - 1) for n in lengths)),
                Line("proved here: N + 1", tuple((n, n + 1) for n in lengths)),
                Line("exact, certified", measured, measured=True),
            ),
            note="The measured cost is the one that the documentation proves for every N.",
        ),
        Plot(
            title="From which length on Dyck-(2,2) is too much for one layer",
            x="width of the only head",
            y="N",
            lines=tuple(
                Line(f"{bits}-bit numbers", tuple((m, n) for m, n in points if n)) for bits, points in excluded.items()
            ),
            logarithmic=True,
            note="By formula: below its line a layer's protocol can say as many bits as the task needs.",
        ),
    )
