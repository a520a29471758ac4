"""Formal languages and transformers: what the survey of Strobl and others 2024 lists, and executes at small N."""

from __future__ import annotations

from functools import partial

from ccsim.claims import Claim, Direction, Paper, Parameter
from protocols.papers.recognising import (
    MODULAR,
    STAR_FREE,
    circuits,
    layer_fails_on_parity,
    majority,
    modular,
    parity_by_soft_attention,
    shuffled_brackets,
    star_free,
)
from protocols.papers.stated import stated

__all__ = ["CLAIMS", "PAPER"]

PAPER = Paper("strobl2024", "Strobl and others 2024")
SLIDES = "as printed in the slides of Mallick and Paul 2025"
ALL_WORDS = "all words up to a length, in exact arithmetic"

recognised = partial(
    stated,
    PAPER,
    direction=Direction.CONSTRUCTION,
    formula="0",
    unit="words that are wrong",
    tags=("formal-languages", "construction"),
)


def _length(default: int) -> Parameter:
    return Parameter("length", "N", default, "length of the longest words; all are gone through")


def _listed(row: str) -> str:
    return f"table of surveyed claims, row '{row}', {SLIDES}"


CLAIMS: tuple[Claim, ...] = (
    recognised(
        "majority",
        "Transformers with average-hard attention and no positions recognise MAJORITY.",
        place=_listed("MAJORITY, Perez et al. 2019, none, average-hard"),
        hypotheses=(ALL_WORDS, "one head in one layer"),
        parameters=(_length(10),),
        measure=majority,
    ),
    recognised(
        "shuffle-dyck",
        "Transformers with softmax, future mask and no positions recognise SHUFFLE-DYCK-k.",
        place=_listed("SHUFFLE-DYCK-k, Bhattamishra et al. 2020a, none, softmax, future mask"),
        hypotheses=(ALL_WORDS, "two layers, all of whose scores are 0"),
        parameters=(_length(5), Parameter("kinds", "k", 2, "kinds of brackets")),
        sizes=({}, {"kinds": 1, "length": 10}),
        measure=shuffled_brackets,
    ),
    recognised(
        "parity-soft",
        "Transformers with softmax and the positions i/n and (-1)^i recognise PARITY.",
        place=_listed("Parity, Chiang and Cholak 2022, i/n, (-1)^i, softmax"),
        hypotheses=(ALL_WORDS, "two layers; scores of ln(3)/2 either way, so that all weights are fractions"),
        parameters=(_length(8),),
        measure=parity_by_soft_attention,
    ),
    stated(
        PAPER,
        "parity-left-hard",
        "With left-hard attention transformers cannot recognise PARITY; here one layer of H heads, on H + 1 bits.",
        place=f"'Transfomers LM with left-hard attention cannot recognize PARITY', {SLIDES}",
        direction=Direction.LOWER,
        formula="H + 1",
        unit="heads",
        instances="one layer",
        hypotheses=(
            "one layer of H heads, on words of H + 1 bits, read at a mark behind them",
            "any scores, values and token-wise part: what heads choose is all that reaches the mark",
            "more layers: the restrictions of Hahn 2020 are not executed",
        ),
        parameters=(Parameter("heads", "H", 2, "heads of the layer"),),
        sizes=({"heads": 1}, {"heads": 2}, {"heads": 3}),
        measure=layer_fails_on_parity,
        tags=("formal-languages",),
    ),
    stated(
        PAPER,
        "ac0",
        "What leftmost-hard attention recognises is in AC0; here D layers on one bit of content, in depth 3D + 2.",
        place=f"'Transformers with left-most [...] hard attention can only recognise languages in AC0', {SLIDES}",
        direction=Direction.UPPER,
        ours="3*D + 2",
        built="ours: the depth 3D + 2 is that of our circuits; the statement gives no number",
        instances="eight models drawn",
        unit="gates on a path",
        hypotheses=(
            "D layers of one head; any scores of positions and contents; one bit of content, any update of it",
            "and, or, not gates, any number of inputs",
            "at most 1 + N + D N (4 N + 4) gates, counted",
        ),
        parameters=(Parameter("length", "N", 6, "bits of a word"), Parameter("layers", "D", 2, "layers")),
        sizes=({"length": 4}, {"length": 6}, {"length": 8}, {"layers": 3}),
        measure=circuits,
        tags=("formal-languages",),
    ),
    recognised(
        "star-free",
        "Rightmost-hard attention, masked, without positions, recognises what FO defines; here five languages.",
        place=_listed("FO, Angluin et al. 2023, none, rightmost-hard, strict future mask"),
        instances="five languages",
        hypotheses=(
            ALL_WORDS,
            "of the equality, that every definable language is recognised: a head for each 'since' of its formula",
            "five languages, checked to be star-free by their monoids",
        ),
        parameters=(
            _length(8),
            Parameter("language", "language", "contains-ab", "which language", choices=tuple(STAR_FREE)),
        ),
        sizes=tuple({"language": name, "length": 8 if name != "a-then-only-c" else 6} for name in STAR_FREE),
        measure=star_free,
    ),
    recognised(
        "first-order-modular",
        "With positions modulo a number, it recognises what FO[MOD] defines; here three languages, not in FO.",
        place=_listed("FO[MOD], Angluin et al. 2023, sinusoidal, rightmost-hard, strict future mask"),
        instances="three languages",
        hypotheses=(
            ALL_WORDS,
            "of the equality, that every definable language is recognised",
            "positions by remainders, which sinusoidal positions of rational frequency tell",
            "three languages, none of them star-free",
        ),
        parameters=(
            _length(8),
            Parameter("language", "language", "even-length", "which language", choices=tuple(MODULAR)),
        ),
        sizes=tuple({"language": name} for name in MODULAR),
        measure=modular,
    ),
)
