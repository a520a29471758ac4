"""What no table mixes: statements of a paper, steps of its proofs, this project's results, and what is calculated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ccsim.claims.claim import Role
from ccsim.claims.verdict import Verdict, Word

__all__ = ["parts_of"]

PARTS = {
    Role.STATEMENT.value: "statements",
    Role.STEP.value: "steps of proofs and constructions",
    Role.RESULT.value: "results",
}
CALCULATED = "calculated from formulas, not measured"


def parts_of(verdicts: Iterable[Verdict]) -> Iterator[tuple[str, str, list[Verdict]]]:
    """The paper, the name of the part, and its verdicts in their order: papers as they come, parts in this order."""
    rows = list(verdicts)
    for paper in dict.fromkeys(row.paper for row in rows):
        for part in (*PARTS.values(), CALCULATED):
            chosen = [row for row in rows if row.paper == paper and _part(row) == part]
            if chosen:
                yield paper, part, chosen


def _part(row: Verdict) -> str:
    return CALCULATED if row.word is Word.CALCULATED else PARTS[row.role]
