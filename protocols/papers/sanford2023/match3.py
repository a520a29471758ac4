"""Match3: what one layer must have, and which relatives of it one or two layers compute."""

from __future__ import annotations

from functools import partial

from ccsim.claims import Claim, Constant, Direction, Finding, Parameter, Role
from protocols.papers.bhattamishra2024.findings import two_layers, widths
from protocols.papers.sanford2023.averages import ALL_OF_IT
from protocols.papers.sanford2023.findings import reductions, triples
from protocols.papers.sanford2023.paper import BLANK, LARGER, WORD, claim, modulus, numbers

__all__ = ["CLAIMS"]

QUERIES_AND_KEYS = (
    "width counts the numbers in a query, a key or a value; the rows that they are cut from may have more"
)
WINDOWS = (
    "ours: the width is (2K + 1) (ceiling(log2 M) + 6 ceiling(log2 N)), where 2K + 1 <= 3K, M <= N^2, and "
    "ceiling(log2 N) <= 4/3 log2 N from N = 4 on"
)
UNPRINTED = "ours: the slides print no construction"
DIGITS = "the digits of a row cannot be misread, whatever the others are: by the weights, exactly; some words are run"

triple = partial(
    claim,
    direction=Direction.CONSTRUCTION,
    unit="numbers",
    tags=("match3", "attention", "construction"),
    built=UNPRINTED,
)
local = partial(
    triple,
    place="Match3Local",
    formula="c*K*log(N, 2)",
    ours="Min(2*K + 1, N)*(L(M) + 6*L(N))",
    hypotheses=(ALL_OF_IT, "M <= N^2", DIGITS, "the construction is ours: sparse averages of binary digits"),
)
constant = partial(triple, formula="c", parameters=(numbers(64, 2), modulus(5)))


def _refused(length: int) -> Finding:
    """What runs one layer as a protocol refuses two, so that nothing here says anything about more layers."""
    note = "no execution at a size can settle it"
    return two_layers.refused(length).but(checked=0, exact=False, note=note)


CLAIMS: tuple[Claim, ...] = (
    claim(
        "match3",
        "Match3 at one row of N numbers tells whether two sets of (N - 1)/2 meet, which takes as many bits.",
        place="the negative result for Match3, the proof idea",
        role=Role.STEP,
        direction=Direction.LOWER,
        formula="(N - 1)/2",
        ours="(N - 1)/2",
        hypotheses=(
            "any M of at least N + 1",
            "one of the two knows the answer at the end; both know the first number",
            "the numbers are ours, one encoding for M = N + 1 and N + 2 and one from N + 3 on: the slides only say "
            "which triples are to add up to 0",
        ),
        parameters=(
            Parameter("length", "N", 5, "numbers in the word", low=5, step=2),
            modulus(8, 6),
            Parameter("encoding", "encoding", "wide", "how sets become numbers", choices=("wide", "tight")),
        ),
        sizes=(
            {"modulus": 6, "encoding": "tight"},
            {"modulus": 7, "encoding": "tight"},
            {"modulus": 8, "encoding": "wide"},
            {"length": 9, "modulus": 12, "encoding": "wide"},
        ),
        measure=reductions.triples,
        tags=("match3", "intersection"),
    ),
    claim(
        "match3-width",
        "One layer of H heads that computes Match3 has width Omega(N/(p H log log N)).",
        place="lower bound for Match3",
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
    triple(
        "match3-bigram",
        "Two layers of width 3 compute Match3 for neighbours.",
        place="Match3Bigram",
        formula="3",
        ours="3",
        hypotheses=(
            QUERIES_AND_KEYS,
            BLANK,
            "each row knows its position; how to come by the sum of neighbours is ours, by fetching the next number",
        ),
        parameters=WORD,
        sizes=LARGER,
        measure=triples.bigram,
    ),
    local(
        "match3-local",
        "One layer of width O(K log N) computes Match3 for positions at most K away.",
        constant=Constant("32", WINDOWS),
        parameters=(numbers(256, 8), modulus(7), Parameter("window", "K", 1, "how far away")),
        measure=triples.local_over_length,
    ),
    local(
        "match3-local-over-window",
        "One layer of width O(K log N) computes Match3 for positions at most K away, for wider and wider windows.",
        constant=Constant(
            "32", WINDOWS, along="window", short="windows of 64 take minutes: five sizes over a factor of 16"
        ),
        parameters=(Parameter("window", "K", 16, "how far away", low=2), numbers(33, 4), modulus(7)),
        measure=triples.local_over_window,
    ),
    constant(
        "match3-third-order",
        "One unit of third-order attention of a width that does not grow computes Match3.",
        place="third-order tensor attention",
        ours="5",
        constant=Constant(
            "5", "ours: four products for the cosine of a sum of three angles, and one for the blank row"
        ),
        hypotheses=(
            "the slides say 'efficient' and give no size",
            QUERIES_AND_KEYS,
            BLANK,
            "all words are run up to N = 4",
        ),
        measure=triples.third_order,
    ),
    constant(
        "match3-assisted",
        "A transformer of two layers of a width that does not grow computes Match3 with assistance.",
        place="assisted Match3",
        ours="3",
        constant=Constant("3", "ours: points of a circle and a constant, in both layers"),
        hypotheses=(
            "the slides do not say what the assistance is: each number comes with the position of a partner here",
            "and give no size",
            QUERIES_AND_KEYS,
            BLANK,
            "all words are run up to N = 2, with whatever hints; of longer words some",
        ),
        measure=triples.assisted,
    ),
    claim(
        "conjecture",
        "Match3 by D layers of H heads needs m H D of order N/log N, or some size that grows with a power of N.",
        place="conjecture",
        direction=Direction.OPEN,
        unit="",
        hypotheses=("two forms: the talk has m H D = Omega(N/log N), the lecture N^Omega(1) for some of the sizes",),
        parameters=(Parameter("length", "N", 4, "symbols in the word of the model that is refused", low=2, step=2),),
        measure=_refused,
        tags=("match3", "transformer"),
    ),
)
