"""Every length at once: bounds that hold for all n, by finite automata."""

from __future__ import annotations

from ccsim.claims import Claim, Direction, Parameter
from protocols.papers.ours.findings import every_length as findings
from protocols.papers.ours.paper import result

__all__ = ["CLAIMS"]

BOTH_KNOW = "both parties know the answer"

CLAIMS: tuple[Claim, ...] = (
    result(
        "dyck-every-length",
        "Dyck-(2,2) under the odd/even split takes exactly N + 1 bits at every even N: one certificate proves both "
        "sides for all of them.",
        direction=Direction.EXACT,
        sharpens="bhattamishra2024-lemma-1",
        proof="docs/theory.md",
        formula="N + 1",
        unit="bits",
        hypotheses=(BOTH_KNOW,),
        parameters=(Parameter("length", "N", 4, "symbols of a word", low=2, step=2),),
        sizes=({"length": 2}, {"length": 4}, {"length": 100}, {"length": 1000}),
        measure=findings.dyck,
        tags=("formal-languages", "every-length"),
    ),
    result(
        "blanks-every-length",
        "(ab)* with blanks under the odd/even split needs ceil(log2((3^n + (-1)^n)/2)) bits at every N = 2n, by a "
        "regular fooling set; so no one-layer transformer of fixed size recognises it.",
        direction=Direction.LOWER,
        sharpens="bhattamishra2024-lemma-1",
        proof="docs/languages.md",
        formula="ceiling(log(3**(N/2) + (-1)**(N/2), 2)) - 1",
        unit="bits",
        hypotheses=(BOTH_KNOW,),
        parameters=(Parameter("length", "N", 4, "symbols of a word", low=2, step=2),),
        sizes=({"length": 2}, {"length": 4}, {"length": 6}),
        measure=findings.blanks,
        tags=("formal-languages", "every-length"),
    ),
    result(
        "classes-every-length",
        "For every automaton of so many states over two letters and a blank, certificates for all n show that its "
        "language costs a constant at most, log n at least, or n at least, up to constants: one of the three.",
        direction=Direction.EXACT,
        sharpens="bhattamishra2024-lemma-1",
        proof="docs/languages.md",
        formula="1",
        unit="",
        hypotheses=(
            BOTH_KNOW,
            "letters or blanks are dealt to both in turn",
            "O(log n) from above is a protocol by landmarks, proved in docs/languages.md and run at n = 1 alone",
        ),
        parameters=(Parameter("states", "s", 2, "states of the automata", low=1),),
        sizes=({"states": 1}, {"states": 2}),
        measure=findings.classes,
        tags=("formal-languages", "every-length"),
    ),
)
