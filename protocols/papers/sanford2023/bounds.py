"""What attention, recurrent and feed-forward networks must have."""

from __future__ import annotations

from typing import Any

from ccsim.claims import Claim, Constant, Direction, Finding, Parameter
from protocols.papers.sanford2023.findings import kernels, query, reductions
from protocols.papers.sanford2023.paper import ONE_NUMBER, claim

__all__ = ["CLAIMS"]


def _refused(length: int) -> Finding:
    """What runs one layer as a protocol refuses two, so that nothing here says anything about more layers."""
    from ccsim import Partition
    from ccsim.models import Transformer
    from protocols.reductions import max_logit_softmax

    model: Any = Transformer.random("01", length=length, width=4, heads=2, layers=2, precision=8, seed=0)
    way = Partition.odd_even(length)
    found = Finding.of_refusal(lambda: max_logit_softmax(model, way), "Corollary 13.1")
    return found.but(exact=False, note="no execution at a size can settle it")


CLAIMS: tuple[Claim, ...] = (
    claim(
        "sparse-averaging-width",
        "the negative result for sparse averaging",
        "An attention unit that comes within 1/(2q) of the averages of q of N rows has width c q/p or more.",
        Direction.LOWER,
        formula="c*q/p",
        ours="ceiling(q/p) - 2",
        unit="numbers",
        constant=Constant(
            "1/2",
            "ours: Alice's message of (m + 2) p bits tells Bob whether two sets of q meet, so (m + 2) p >= q, and "
            "q/p - 2 >= q/(2p) from q = 4p on (the source has some constant, for large q)",
        ),
        hypotheses=(
            "N of at least 2q + 1 rows",
            ONE_NUMBER,
            "width counts the numbers in a query or a key",
            "executed: units for sets of up to 3 are run as protocols, and q bits are certified up to q = 4",
        ),
        parameters=(
            Parameter("length", "q", 4096, "size of a set: what a row averages"),
            Parameter("precision", "p", 16, "bits of a number"),
        ),
        measure=query.width,
        tags=("q-sparse-averaging", "attention"),
    ),
    claim(
        "sparse-averaging-recurrent",
        "recurrent networks and sparse averaging",
        "A recurrent model for averages of one row out of N has (N - 1)/2 bits of state or more.",
        Direction.LOWER,
        formula="(N - 1)/2",
        ours="N - 1",
        improvement="one message for the bit at a place, which has to tell all N - 1 earlier signs",
        hypotheses=("q = 1", ONE_NUMBER, "any error below 1", "the last row is read last; the answer is its average"),
        parameters=(Parameter("length", "N", 5, "rows", low=2),),
        sizes=({"length": 4}, {"length": 8}),
        measure=reductions.recurrent,
        tags=("q-sparse-averaging", "recurrent"),
    ),
    claim(
        "sparse-averaging-feedforward",
        "feed-forward networks and sparse averaging",
        "A feed-forward network that comes within 1/(2q) of the averages has a first layer of width N d'/2 or more.",
        Direction.LOWER,
        formula="N/2",
        ours="ceiling(N/2)",
        unit="units",
        hypotheses=(
            ONE_NUMBER,
            "q < N/2",
            "executed: all first layers of the most units below N/2 with integer weights in the range that is set",
        ),
        parameters=(
            Parameter("length", "N", 4, "rows", low=3),
            Parameter("q", "q", 1, "size of a set"),
            Parameter("least", "least", -2, "the least weight", low=-9),
            Parameter("largest", "largest", 2, "the largest weight"),
        ),
        sizes=({}, {"length": 5, "q": 2, "least": 0, "largest": 1}),
        measure=kernels.every_narrow_layer,
        tags=("q-sparse-averaging", "feedforward"),
    ),
    claim(
        "conjecture",
        "conjecture",
        "Match3 by D layers of H heads needs m H D of order N/log N, or some size that grows with a power of N.",
        Direction.OPEN,
        unit="",
        hypotheses=("two forms: the talk has m H D = Omega(N/log N), the lecture N^Omega(1) for some of the sizes",),
        parameters=(Parameter("length", "N", 4, "symbols in the word of the model that is refused", low=2, step=2),),
        measure=_refused,
        tags=("match3", "transformer"),
    ),
)
