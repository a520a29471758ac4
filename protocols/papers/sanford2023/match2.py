"""Match2: one attention unit is enough; how it is built, line by line."""

from __future__ import annotations

from functools import partial

from ccsim.claims import Claim, Constant, Direction, Role
from protocols.papers.sanford2023.findings import matching, printed_match2
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

line = partial(claim, role=Role.STEP, direction=Direction.EXACT, tags=("match2", "attention"))

CLAIMS: tuple[Claim, ...] = (
    pair(
        "match2",
        "One attention unit of width 3 computes Match2.",
        formula="3",
        ours="3",
        hypotheses=(
            "width counts the numbers in a row, a query, a key or a value",
            BLANK,
            "c is taken off all logits, which changes no weight: see the step on its matrices",
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
    line(
        "match2-matrices",
        "An embedding in R^3 and 3 x 3 matrices give queries c (cos, sin, 1) and 0, keys (cos, -sin, 0) and e_3.",
        place="Match2, how to choose Q and K",
        formula="3",
        ours="4",
        unit="numbers",
        repair="Lecture of 2025, first slide 'How to choose Q, K?' on Match2: the queries of three symbols span R^3: "
        "Q is invertible, the blank row is embedded as 0, and its key is 0 and not e_3. Read the keys (cos, -sin, -1) "
        "and 0: all logits are lower by c, which changes no weight, and (cos, sin, 1) and 0 with Q = c I and "
        "K = diag(1, -1, -1) do it. (Or embed in R^4.) The theorem's m = 3 stands.",
        hypotheses=("counted: the least k for which R^k will do", "M of at least 3"),
        parameters=(modulus(5, 3),),
        sizes=({"modulus": 3}, {"modulus": 4}, {"modulus": 7}),
        measure=printed_match2.coordinates,
    ),
    line(
        "match2-weights",
        "Symbols get 1/(6N) of the weight or less if x_i + x_j is not 0 (mod N), else 1/(b + 1) +- 1/(6N).",
        place="Match2, how to choose Q and K",
        formula="N",
        ours="M",
        unit="",
        repair="Lecture of 2025, last slide on Match2, in four lines: read 'mod M', as in the definition of Match2 and "
        "on the slides before; with it, and no other modulus, all weights and outputs are where the slide has them.",
        hypotheses=("c = M^2 ln(6N)", "measured: the modulus with which the line is right in all rows of all words"),
        parameters=(numbers(3, 2), modulus(5)),
        measure=printed_match2.modulus_of_the_weights,
    ),
)
