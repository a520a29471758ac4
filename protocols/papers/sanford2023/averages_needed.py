"""Sparse averages: what attention, recurrent and feed-forward networks must have, and why."""

from __future__ import annotations

from functools import partial

from ccsim.claims import Claim, Constant, Direction, Parameter, Role
from protocols.papers.sanford2023.findings import kernels, query, reductions
from protocols.papers.sanford2023.paper import ONE_NUMBER, VALUES, claim, rows, subset

__all__ = ["CLAIMS"]

BOB_KNOWS = "Bob knows the answer at the end, as in the protocol that the proof makes of a unit"
ALONG_AN_AXIS = "d' = 1, and so any d': a unit for vectors averages numbers along an axis"
SETS = Parameter("length", "q", 2, "size of a set: what a row averages")

needed = partial(claim, direction=Direction.LOWER)
line = partial(claim, role=Role.STEP, tags=("q-sparse-averaging", "attention"))

CLAIMS: tuple[Claim, ...] = (
    needed(
        "sparse-averaging-width",
        "An attention unit that comes within 1/(2q) of the averages of q of N rows has width c q/p or more.",
        place="the negative result for sparse averaging",
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
            ALONG_AN_AXIS,
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
    line(
        "sparse-averaging-from-below",
        "Whoever comes within 1/(2q) of the average of q rows tells whether two sets of q meet, which takes q bits.",
        place="the negative result for sparse averaging, the proof outline",
        direction=Direction.LOWER,
        formula="q",
        ours="q",
        hypotheses=(ALONG_AN_AXIS, BOB_KNOWS, "the encoding of the longer slides"),
        parameters=(SETS, Parameter("extra", "r", 0, "rows beyond 2q + 1", low=0)),
        sizes=({"length": 2}, {"length": 3, "extra": 2}, {"length": 4}),
        measure=reductions.averaging,
    ),
    line(
        "sparse-averaging-message",
        "A unit of width m is a protocol for disjointness in which Alice sends O(m p) bits, and Bob then knows.",
        place="the negative result for sparse averaging, the protocol",
        direction=Direction.UPPER,
        formula="c*m*p",
        ours="(m + 2)*p",
        constant=Constant(
            "3",
            "ours: the query, and with it the logit and the value of Alice's own row, are m + 2 <= 3m numbers; the "
            "slides name the query alone, which is m of them, and say O(m p)",
            along="keys",
        ),
        instances="units that are built here",
        hypotheses=(ALONG_AN_AXIS, BOB_KNOWS, "all pairs of sets, at each width"),
        parameters=(
            SETS,
            Parameter("keys", "m", 320, "width of queries and keys", low=10),
            Parameter("precision", "p", 16, "bits of a number", low=10),
        ),
        measure=query.message,
    ),
    needed(
        "sparse-averaging-recurrent",
        "A recurrent model for averages of one row out of N has (N - 1)/2 bits of state or more.",
        place="recurrent networks and sparse averaging",
        formula="(N - 1)/2",
        ours="N - 1",
        improvement="one message for the bit at a place, which has to tell all N - 1 earlier signs",
        hypotheses=("q = 1", ONE_NUMBER, "any error below 1", "the last row is read last; the answer is its average"),
        parameters=(rows(5),),
        sizes=({"length": 4}, {"length": 8}),
        measure=reductions.recurrent,
        tags=("q-sparse-averaging", "recurrent"),
    ),
    needed(
        "sparse-averaging-feedforward",
        "A feed-forward network that comes within 1/(2q) of the averages has a first layer of width N d'/2 or more.",
        place="feed-forward networks and sparse averaging",
        formula="N*d/2",
        ours="ceiling(N*d/2)",
        unit="units",
        instances="first layers of small whole weights",
        hypotheses=(
            "q < N/2",
            "executed: all first layers of the most units below N d'/2 with integer weights in the range that is set",
        ),
        parameters=(
            rows(4, 3),
            subset(1),
            Parameter("least", "least", -2, "the least weight", low=-9),
            Parameter("largest", "largest", 2, "the largest weight"),
            VALUES,
        ),
        sizes=(
            {},
            {"length": 5, "q": 2, "least": 0, "largest": 1},
            {"length": 3, "values": 2, "least": 0, "largest": 1},
        ),
        measure=kernels.every_narrow_layer,
        tags=("q-sparse-averaging", "feedforward"),
    ),
)
