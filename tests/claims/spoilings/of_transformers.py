"""What is made wrong under the claims on one attention layer, on its arithmetic, and on two layers."""

from dataclasses import replace

from ccsim.claims import Word
from tests.claims.spoilings.spoiling import Spoiling, answers, instead
from tests.claims.spoilings.wrong_layers import (
    a_step_more,
    all_but_one,
    believing,
    built_for_equality,
    built_for_halves,
    deeper,
    flipped_on_the_last_word,
    growing,
    half_the_cost,
    half_the_exponent,
    half_the_words,
    nearest,
    needs,
    nothing_wrong,
    of_the_opposite,
    one_less,
    one_more,
    plus,
    refusing_all,
    rounded_up,
    saturated_to_even,
    second_is_silent,
    stuck,
    the_opposite,
    unsaturated,
    wider,
)

B = "bhattamishra2024"
COMPACT = "protocols.reductions.max_logit.compact"
PARTS = "protocols.reductions.max_logit.parts"
PROTOCOL = "protocols.reductions.max_logit.protocol"
SOFTMAX = "ccsim.models.weighting:Softmax"
MEASURES = "protocols.papers.bhattamishra2024.findings"
TODAY = "protocols.papers.ours.findings.layers_of_today"


BRACKETS = (
    Spoiling("a bit more is claimed", "ccsim.bounds", "deterministic", one_more),
    Spoiling("a bit less is claimed", "ccsim.bounds", "deterministic", one_less),
    Spoiling("a certificate of another function", "ccsim.bounds", "deterministic", of_the_opposite),
    Spoiling("a checker that believes", "ccsim.certificates.verify", "verify", believing),
)

DYCK = (
    Spoiling("the library goes three deep", "ccsim.problems", "dyck", deeper, {"length": 6}),
    Spoiling("the stack goes three deep", f"{MEASURES}.dyck", "DEPTH", lambda _: 3, {"length": 6}),
    Spoiling("any bracket closes any", "protocols.papers.plain.brackets", "CLOSING", lambda _: "))}>"),
)

SPOKEN = (
    Spoiling("a step more in each sum", f"{PARTS}:Exchange", "normalisers", a_step_more),
    Spoiling("a step more in each weighted sum", f"{PARTS}:Part", "sums", a_step_more),
    Spoiling("a step more in each largest logit", f"{PARTS}:Part", "maxima", a_step_more),
    Spoiling("a bit more in each field", "ccsim.engine.schedule:Field", "width", wider),
)

ARITHMETIC = (
    Spoiling("exp(x/2) for exp", SOFTMAX, "exponentials", half_the_exponent),
    Spoiling("exp a step too large", SOFTMAX, "exponentials", a_step_more),
    Spoiling("weights rounded up", SOFTMAX, "weights", rounded_up),
    Spoiling("products rounded to nearest", "ccsim.models.affine", "floor_divide", nearest),
)

LAYER = (
    Spoiling("the second maximum is ignored", f"{COMPACT}:Maxima", "_maximum", second_is_silent),
    Spoiling("half the cost is told", PROTOCOL, "compact_schedule", half_the_cost),
    Spoiling("a bit more in each field", "ccsim.engine.schedule:Field", "width", wider),
    Spoiling("200 bits more by the formula", "ccsim.bounds.models.protocol_bits", "softmax_bits", plus(200)),
    Spoiling(
        "half the bits by the formula", "ccsim.bounds.models.protocol_bits", "softmax_bits", answers(lambda n: n // 2)
    ),
    Spoiling("one far-off word", "ccsim.models:OneLayerTransformer", "codes", flipped_on_the_last_word),
    Spoiling("an exploration that sees nothing", "ccsim.engine.protocol:Protocol", "explore", nothing_wrong),
    Spoiling("an exploration of half the words", "ccsim.engine.protocol:Protocol", "explore", half_the_words),
)

RUN = (
    LAYER[0],
    LAYER[1],
    Spoiling(
        "half the bits by the formula", "ccsim.bounds.models.protocol_bits", "softmax_bits", answers(lambda n: n // 2)
    ),
    Spoiling("200 bits more by the formula", "ccsim.bounds.models.protocol_bits", "softmax_bits", plus(200)),
    Spoiling("a checker that believes", "ccsim.certificates.verify", "verify", believing),
    Spoiling("a bit more is certified", "ccsim.bounds", "deterministic", one_more),
)

ROUNDED = tuple(
    Spoiling(said, owner, attribute, wrap, {"operation": operation})
    for operation, said, owner, attribute, wrap in (
        ("numbers", "a step more", "ccsim.arithmetic:Precision", "quantise", a_step_more),
        ("numbers", "quotients to nearest", "ccsim.arithmetic.precision", "floor_divide", nearest),
        ("products", "rounded to nearest", "ccsim.models.affine", "floor_divide", nearest),
        ("products", "not kept in range", "ccsim.arithmetic:Precision", "saturate", lambda _: lambda self, x: x),
        ("exponentials", "exp(x/2)", SOFTMAX, "exponentials", half_the_exponent),
        ("exponentials", "a step more", SOFTMAX, "exponentials", a_step_more),
        ("exponentials", "a step more in a new table", "ccsim.arithmetic:Exponential", "__call__", a_step_more),
        ("weights", "rounded up", SOFTMAX, "weights", rounded_up),
        ("weights", "a step more", SOFTMAX, "weights", a_step_more),
        ("sums", "not kept in range", "ccsim.models.affine", "saturate", unsaturated),
        ("sums", "cases left out", f"{MEASURES}.arithmetic", "_pairs", all_but_one),
    )
)

NEED = (
    Spoiling("Dyck needs N + 1000", "ccsim.bounds.models.model_size", "REQUIREMENTS", needs("dyck", "N + 1000")),
    Spoiling("Dyck needs N", "ccsim.bounds.models.model_size", "REQUIREMENTS", needs("dyck", "N")),
    Spoiling("half the bits in the bound", "ccsim.bounds.models.sizes", "softmax_bits", answers(lambda n: n // 2)),
    Spoiling("the bound's width and one", "ccsim.bounds.models.model_size", "_smallest", plus(1)),
    Spoiling(
        "the stack goes three deep", "protocols.papers.plain.brackets", "balanced", lambda _: lambda w, d: int(not w)
    ),
)

HALVES = (
    Spoiling(
        "halves need N + 1", "ccsim.bounds.models.model_size", "REQUIREMENTS", needs("inequality-of-halves", "N + 1")
    ),
    Spoiling("half the bits in the bound", "ccsim.bounds.models.sizes", "softmax_bits", answers(lambda n: n // 2)),
    Spoiling("widths that do not grow", f"{MEASURES}.widths:Size", "least_width", stuck),
)

SPOILINGS = {
    "bhattamishra2024-section-4-2-ac0": (
        Spoiling(
            "answers exchanged",
            "protocols.constructions.languages:Circuit",
            "values",
            lambda original: lambda self, words: 1 - original(self, words),
            {"length": 8},
        ),
        Spoiling(
            "one clause of each place",
            "protocols.papers.bhattamishra2024.findings.shallow",
            "PAIRS",
            lambda table: {name: (clauses[:1], plain) for name, (clauses, plain) in table.items()},
            {"length": 8},
        ),
    ),
    f"{B}-section-4-2-disj": (
        Spoiling(
            "equality for intersection",
            "protocols.papers.plain.halves",
            "halves_meet",
            lambda _: lambda word: int(word[: len(word) // 2] == word[len(word) // 2 :]),
            {"length": 6},
        ),
        Spoiling(
            "the first of three for their majority",
            "protocols.papers.bhattamishra2024.findings.shallow",
            "_majority",
            lambda _: lambda three: three[0],
            {"length": 6},
        ),
    ),
    f"{B}-appendix-b-2-how-many-numbers": (
        Spoiling(
            "a number less", "ccsim.arithmetic:Precision", "polynomial", answers(lambda p: replace(p, high=p.high - 1))
        ),
        Spoiling("a listing without the last", f"{MEASURES}.arithmetic", "_listed", all_but_one),
        Spoiling(
            "steps of half the size",
            "ccsim.arithmetic:Precision",
            "polynomial",
            answers(lambda p: replace(p, scale=2 * p.scale)),
        ),
    ),
    f"{B}-appendix-b-2-bits": (
        Spoiling("a bit more", "ccsim.arithmetic:Precision", "bits", wider),
        Spoiling(
            "no negative numbers", f"{MEASURES}.arithmetic", "_listed", answers(lambda x: [z for z in x if z >= 0])
        ),
    ),
    f"{B}-appendix-b-2-rounded-down": ROUNDED,
    f"{B}-appendix-d-sums-of-exponentials": (
        Spoiling("not kept in range", "ccsim.models.affine", "saturate", unsaturated),
        Spoiling("sums of even steps only", "ccsim.models.affine", "saturate", saturated_to_even),
    ),
    f"{B}-theorem-4-four-steps": (*SPOKEN, *ARITHMETIC),
    f"{B}-theorem-4": (
        *SPOKEN,
        *ARITHMETIC,
        Spoiling(
            "sums sent one way",
            "protocols.reductions.max_logit.literal:_Literal",
            "_speaks",
            lambda f: lambda s, r: r == "bob" and f(s, r),
        ),
    ),
    f"{B}-theorem-4-compact": (*LAYER, *ARITHMETIC),
    f"{B}-lemma-1": (*BRACKETS, *DYCK),
    f"{B}-lemma-1-fooling-set": (
        Spoiling("a checker that believes", "ccsim.certificates.verify", "verify", believing),
        Spoiling("a word is left out of the listing", "protocols.papers.plain.brackets", "listed_words", all_but_one),
        *DYCK,
    ),
    f"{B}-section-4-2-contiguous-partitions": (*BRACKETS, *DYCK),
    f"{B}-theorem-5": tuple(replace(each, setting={"length": 1024}) for each in (*RUN, *NEED)),
    f"{B}-theorem-12": (*RUN, *HALVES),
    f"{B}-lemma-5": (
        *BRACKETS,
        Spoiling("built for equality", "protocols.constructions", "equality_transformer", built_for_equality),
        Spoiling("built for halves", "protocols.constructions", "equality_transformer", built_for_halves),
        Spoiling("one far-off word", "ccsim.models:Transformer", "codes", flipped_on_the_last_word),
        Spoiling("width and N", "protocols.constructions", "size_of", growing),
        Spoiling("exp(x/2) for exp", SOFTMAX, "exponentials", half_the_exponent),
    ),
    f"{B}-corollary-13-1-size": (
        Spoiling("width and N/2", "protocols.constructions", "size_of", growing),
        Spoiling("built for equality", "protocols.constructions", "equality_transformer", built_for_equality),
        Spoiling("built for halves", "protocols.constructions", "equality_transformer", built_for_halves),
    ),
    f"{B}-corollary-13-1": (
        Spoiling("width and N/2", "protocols.constructions", "size_of", growing),
        Spoiling("built for equality", "protocols.constructions", "equality_transformer", built_for_equality),
        Spoiling("built for halves", "protocols.constructions", "equality_transformer", built_for_halves),
        Spoiling("a bit more is certified", "ccsim.bounds", "deterministic", one_more),
    ),
    "sanford2023-match3-width": (
        *RUN,
        Spoiling("pairs for triples", "protocols.papers.plain.triples", "triple_at_first", instead(1)),
        Spoiling("widths that do not grow", f"{MEASURES}.widths:Size", "least_width", stuck),
    ),
    "ccsim-softmax-one-sided": (*SPOKEN, *ARITHMETIC),
    "ccsim-softmax-compact": LAYER,
    "ccsim-softmax-of-today": (
        Spoiling("weighted sums with the other sign", f"{PARTS}:Part", "sums", the_opposite),
        *SPOKEN[3:4],
        Spoiling("an exploration that sees nothing", "ccsim.engine.protocol:Protocol", "explore", nothing_wrong),
        Spoiling("a plain layer in place of it", TODAY, "_options", answers(lambda _: {}), {"kind": "bloom"}),
        Spoiling("half the words", "ccsim.engine.protocol:Protocol", "explore", half_the_words),
    ),
    "ccsim-softmax-within-the-printed-total": (
        LAYER[0],
        LAYER[1],
        Spoiling("200 bits more", "protocols.reductions.max_logit.costs", "softmax_bits", plus(200)),
        Spoiling("a dearer count", f"{MEASURES}.softmax", "most_compact", answers(lambda n: 2 * n)),
    ),
    "ccsim-dyck-odd-even": (*BRACKETS, *DYCK),
    "ccsim-two-layers-refused": (
        Spoiling("nothing is refused", PROTOCOL, "_check", instead(None)),
        Spoiling("everything is refused", PROTOCOL, "_check", refusing_all, words=(Word.BROKEN, Word.NOT_MEASURED)),
    ),
}
