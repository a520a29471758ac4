"""Peng, Narayanan and Papadimitriou 2024, On limitations of the transformer architecture: function composition."""

from __future__ import annotations

from functools import partial

from ccsim.claims import Claim, Constant, Direction, Paper, Parameter, Role
from ccsim.claims.claim import Setting
from protocols.papers.composing import least_error, three_functions, zero_error_bits
from protocols.papers.conversing import message_in_order, steps
from protocols.papers.stated import stated

__all__ = ["CHAIN", "CHASED", "CLAIMS", "ELEMENTS", "LAYER", "LEAST_STEPS", "PAPER", "SEED"]

PAPER = Paper("peng2024", "Peng, Narayanan and Papadimitriou 2024")
SLIDES = "as printed in the slides of Mallick and Paul 2025"

ELEMENTS = Parameter("length", "n", 2, "elements of the domain", low=2)
HEADS = Parameter("heads", "H", 1, "attention heads")
LAYER = (
    Parameter("width", "d", 2, "width of a head"),
    Parameter("precision", "p", 6, "bits of a number", low=3),
    HEADS,
)
SEED = Parameter("seed", "seed", 0, "of the weights: the first one from here on that looks at both tables", low=0)
SMALL = (ELEMENTS, HEADS, Parameter("width", "d", 1, "width of a head"), Parameter("precision", "p", 1, "bits"))
SPEAKER = Parameter("speaker", "speaker", "g", "whose function the message is about", choices=("f", "g"))
CHAIN = (
    Parameter("length", "n", 1 << 16, "elements of the domain", low=2),
    LAYER[0],
    Parameter("precision", "p", 16, "bits of a number", low=3),
    HEADS,
)
CHASED = "p at least log n; k steps are asked for more than 2k values in turn of two functions"
LEAST_STEPS = "floor(n/(8*(H*(d + 1)*p + L(n) + 2*log(n, 2) + 4))) + 1"

ERROR = "Max(0, (n*log(n, 2) - H*(d + 1)*p)/(3*n*log(n, 2)))"
UNIFORM = "uniform and independent functions and argument, among n elements"
THREE: tuple[Setting, ...] = ({"length": 3}, {"length": 3, "width": 2}, {"length": 3, "precision": 2})

claim = partial(stated, PAPER)
composed = partial(claim, tags=("function-composition",))
error = partial(composed, direction=Direction.LOWER, formula=ERROR, trivial="0", unit="")

CLAIMS: tuple[Claim, ...] = (
    error(
        "theorem-1",
        "If R = n log n - H(d + 1)p > 0, a layer errs on g(f(x)) with probability at least R/(3 n log n).",
        place="Theorem 1",
        hypotheses=(
            UNIFORM,
            "R > 0, and H, d, p at least 1: so n at least 3",
            "two functions, as in the paper; the slides print three",
            "measured: the least error of any message of H(d + 1)p bits about f or g to one who knows the rest",
        ),
        parameters=(*SMALL, SPEAKER),
        sizes=(
            *THREE,
            *({**size, "speaker": "f"} for size in THREE),
            {"length": 4, "precision": 3},
            {"length": 2},
        ),
        measure=least_error,
    ),
    error(
        "theorem-1-three-functions",
        "If R = n log n - H(d + 1)p > 0, a layer errs on h(g(f(x))) with probability at least R/(3 n log n).",
        place=f"Theorem 1, {SLIDES}",
        hypotheses=(UNIFORM, "R > 0", "it follows from two functions: g(f(x)) is as uniform as f(x), and h is told"),
        parameters=SMALL,
        sizes=THREE,
        measure=three_functions,
    ),
    composed(
        "theorem-1-tight",
        "A message without error has n log n bits, rounded up, and no fewer.",
        place=f"Theorem 1, {SLIDES}: the bound is tight",
        direction=Direction.EXACT,
        formula="ceiling(n*log(n, 2))",
        hypotheses=("read as: where R = 0 there is no error any more, and before there is; the 3 is not meant",),
        parameters=(ELEMENTS, SPEAKER),
        sizes=({}, {"length": 3}, {"length": 4}, {"length": 3, "speaker": "f"}),
        measure=zero_error_bits,
    ),
    claim(
        "theorem-1-message",
        "A layer on two functions is one message: of each head d numbers and a normaliser, H(d + 1)p bits.",
        place="Theorem 1, proof",
        direction=Direction.UPPER,
        role=Role.STEP,
        formula="H*(d + 1)*p",
        ours="H*(d + 1)*p",
        instances="five layers drawn",
        hypotheses=(
            "the layer adds up in registers of p bits, position after position; the told function stands first",
            "the last token is a mark that everybody knows",
            "whoever receives the message answers; the answer is the layer's, bit for bit",
        ),
        parameters=(ELEMENTS, *LAYER, SEED),
        sizes=({}, {"heads": 2, "width": 1}, {"length": 3, "width": 1, "precision": 4}),
        measure=message_in_order,
        tags=("function-composition", "transformer"),
    ),
    claim(
        "theorem-2",
        "A chain of thought that composes functions again and again has Omega(sqrt(n/(Hdp))) steps.",
        place="Theorem 2",
        direction=Direction.LOWER,
        formula="c*sqrt(n/(H*d*p))",
        ours=LEAST_STEPS,
        constant=Constant("1/8", "ours, for chains that are never wrong: docs/proofs/chain_of_thought.md"),
        unit="steps",
        hypotheses=(
            CHASED,
            "calculated: from the bits of steps that were run, and a bound on pointer chasing that is proved there",
        ),
        parameters=CHAIN,
        sizes=({}, {"width": 4, "heads": 2, "length": 1 << 20, "precision": 20}),
        measure=steps,
        tags=("pointer-chasing", "transformer"),
    ),
)
