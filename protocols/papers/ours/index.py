"""INDEX with public coins: how little one message of so many bits can err."""

from __future__ import annotations

from ccsim.claims import Claim, Direction, Parameter
from protocols.papers.ours.findings import index_with_coins as findings
from protocols.papers.ours.paper import result

__all__ = ["CLAIMS"]

PROOF = "docs/proofs/index_with_coins.md"
COINS = ("one message from Alice, after which Bob answers", "public coins; the error is that on the worst input")

CLAIMS: tuple[Claim, ...] = (
    result(
        "index-least-errors",
        "A message of b bits with the least error e that so many can have has at least (1 - H(e)) N bits, at every b.",
        direction=Direction.LOWER,
        sharpens="bhattamishra2024-fact-3-randomised",
        proof=PROOF,
        formula="1",
        unit="bits for each that entropy asks for",
        hypotheses=(*COINS, "least errors are exact, for all messages of N or fewer bits"),
        parameters=(Parameter("length", "N", 5, "bits that Alice holds", low=2),),
        sizes=tuple({"length": n} for n in (2, 3, 5)),
        measure=findings.least_errors,
        tags=("index",),
    ),
    result(
        "index-hamming-errors",
        "For N = 2^r - 1 bits of INDEX a message of N - r bits errs with probability 1/(N + 1) at least, and one does "
        "so on every input.",
        direction=Direction.EXACT,
        sharpens="bhattamishra2024-fact-3-randomised",
        proof=PROOF,
        formula="1/2**r",
        unit="",
        hypotheses=COINS,
        parameters=(Parameter("checks", "r", 3, "check bits of the code", low=2),),
        sizes=tuple({"checks": r} for r in (2, 3, 4)),
        measure=findings.hamming,
        tags=("index",),
    ),
)
"""Results of this project."""
