"""What one layer must have to compute Match3: from the bits of its protocol."""

from __future__ import annotations

from ccsim.claims import Claim, Constant, Direction, Parameter
from protocols.papers.bhattamishra2024.findings import widths
from protocols.papers.sanford2023.paper import PAPER

__all__ = ["CLAIMS"]

CLAIMS: tuple[Claim, ...] = (
    Claim(
        name="sanford2023-match3-width",
        paper=PAPER,
        source=f"{PAPER.citation}, lower bound for Match3",
        statement="One layer of H heads that computes Match3 has width Omega(N/(p H log log N)).",
        direction=Direction.LOWER,
        formula="c*N/(p*H*log(log(N, 2), 2))",
        constant=Constant("1/22", "ours: docs/proofs/softmax_protocol.md; the source's was not in what was read"),
        unit="",
        hypotheses=(
            "M = N + 1",
            "p of log2(N + 1) or more, so that a number of the input is a number of the layer",
            "the row that is asked for is read out",
        ),
        parameters=(
            Parameter("length", "N", 4161, "numbers in the word, below N + 1", low=5, step=2),
            Parameter("precision", "p", 16, "bits of a number", low=3),
            Parameter("heads", "H", 1, "attention heads"),
        ),
        sizes=({}, {"heads": 4}),
        measure=widths.match3_width,
        tags=("match3", "transformer"),
    ),
)
