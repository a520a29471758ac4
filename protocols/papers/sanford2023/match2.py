"""Match2: one attention unit is enough."""

from __future__ import annotations

from functools import partial

from ccsim.claims import Claim, Constant, Direction
from protocols.papers.sanford2023.findings import matching
from protocols.papers.sanford2023.paper import BLANK, LARGER, WORD, claim, modulus, numbers

__all__ = ["CLAIMS"]

pair = partial(
    claim,
    place="the positive result for Match2",
    direction=Direction.CONSTRUCTION,
    unit="numbers",
    tags=("match2", "attention", "construction"),
)
SHIFTED = "modified: c is taken off all logits, as the printed matrices do not exist on R^3; no weight changes"

CLAIMS: tuple[Claim, ...] = (
    pair(
        "match2",
        "One attention unit of width 3 computes Match2.",
        formula="3",
        ours="3",
        hypotheses=(
            "width counts the numbers in a row, a query, a key or a value",
            BLANK,
            "c is taken off all logits, which changes no weight: docs/errata.md",
        ),
        built=SHIFTED,
        parameters=WORD,
        sizes=LARGER,
        measure=matching.every_word_of_match2,
    ),
    pair(
        "match2-precision",
        "Numbers of O(log M) bits are enough for it.",
        formula="c*log(M, 2)",
        ours="1 + Max(1, L(ceiling(log(18*N)))) + Max(L(8*ceiling(M**2*log(6*N))), L(16*N))",
        ours_exact=False,
        unit="bits",
        constant=Constant("8", "ours, for N <= M and M >= 4: docs/proofs/match2.md", along="modulus"),
        hypotheses=(
            "the fewest bits for which the proof of margins goes through, for all words",
            "words are run from each class: the symbol in the row that is asked, and how many match it",
        ),
        built=SHIFTED,
        parameters=(numbers(4), modulus(256, 8)),
        measure=matching.bits_over_modulus,
    ),
)
