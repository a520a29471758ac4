"""The verdicts that are known: of claims at a setting the word, the value, and how many cases are gone through.

A slow test of the documentation compares all verdicts at default settings with those that are kept.
"""

from fractions import Fraction
from math import exp

import pytest

from ccsim.claims import check_claim, registered_claims
from protocols.papers.strobl2024 import MODULAR, STAR_FREE
from tests.slow import slow

A, B, S = "sanford2023-sparse-averaging", "bhattamishra2024", "sanford2023"
LARGE = {"precision": 16, "heads": 8}
DRAWN, INSTANCES = "holds on drawn cases (at 2 sizes to 12)", "holds on instances (at 2 sizes to 12)"
MODIFIED = "holds on drawn cases, modified (at 2 sizes to 12)"


def layer(*values):
    return dict(zip(("length", "heads", "width", "precision", "speaker"), values, strict=False))


def setting_of(name, given):
    """A claim, and its first setting with what is given in its place."""
    claim = registered_claims()[name]
    return claim, claim.setting({**claim.sizes[0], **given})


KNOWN = [
    ("communication-equality", {"length": 3}, "tight for every N", 4),
    ("communication-disjointness", {"length": 3}, "tight for every N", 4),
    ("communication-index-one-way", {"length": 3}, "tight for every N", 3),
    ("communication-index-two-way", {"length": 3}, "tight", 3),
    ("communication-greater-than", {"length": 3}, "tight", 4),
    ("communication-inner-product", {"length": 3}, "tight", 4),
    ("communication-set-intersection-size-from-above", {"length": 4}, "holds", 6),
    ("communication-set-intersection-size-from-below", {"length": 4}, "tight", 6),
    (f"{B}-fact-1", {"length": 3}, "tight", 3),
    (f"{B}-fact-2", {"length": 3}, "tight", 3),
    (f"{B}-fact-3", {"length": 5}, "tight for every N", 5),
    (f"{B}-fact-3-randomised", {"length": 256}, "holds (at 7 sizes to 256)", 21),
    ("ccsim-index-least-errors", {"length": 4}, "holds", 1.643167),
    ("ccsim-index-hamming-errors", {"checks": 3}, "tight", Fraction(1, 8)),
    (f"{B}-fact-3-both-speak", {"length": 5}, "tight", 3),
    (f"{B}-fact-4", {"length": 2}, "tight", 1),
    *(
        (f"{B}-theorem-2", {"kind": kind, "length": 2}, "tight on instances", bits)
        for kind, bits in {"elman": 20, "lstm": 40, "gru": 20, "linear-attention": 60}.items()
    ),
    (f"{B}-theorem-2", {"kind": "selective", "length": 2, "layers": 1, "precision": 6}, "tight on instances", 24),
    (f"{B}-theorem-3", {"length": 5}, "tight", 5),
    (f"{B}-proposition-9", {"length": 5}, "tight", 5),
    (f"{B}-section-4-1-dyck-by-a-recurrent-model", {"length": 100}, "tight", 3),
    (f"{B}-section-4-1-dyck-by-a-recurrent-model", {"length": 2}, "tight", 3),
    (f"{B}-section-4-1-states-of-dyck", {}, "tight", 7),
    (f"{B}-theorem-8", {"length": 6}, "tight", 3),
    (f"{B}-theorem-8-multi-query-associative-recall", {"length": 8}, "tight", 4),
    (f"{B}-lemma-4", {"states": 8, "seed": 3}, "tight on instances", 3),
    (f"{B}-lemma-4-automata-of-models", {"kind": "gru"}, "tight on instances", 3),
    (f"{B}-lemma-4-automata-of-models", {"kind": "copies", "seed": 5}, "tight on instances", 3),
    (f"{B}-theorem-11", {"length": 6}, "tight", 3),
    (f"{B}-theorem-11-states", {"length": 6}, "tight", 8),
    ("sanford2024-induction-head-message", {"length": 4}, "tight", 4),
    ("sanford2024-induction-head-width", {"length": 6, "precision": 2, "heads": 1}, "calculated", 2),
    ("sanford2024-induction-head-width", {"length": 128, **LARGE}, "vacuous here (bites from N = 257)", 1),
    ("sanford2024-induction-head-width", {"length": 65536, **LARGE}, "calculated", 511),
    ("chen2024-layered-composition", {"length": 1 << 20}, "vacuous here (bites from N = 43046721)", 2),
    ("chen2024-layered-composition", {"length": 4**16 - 1}, "calculated", 3),
    ("kozachinskiy2024-composition", {"length": 2}, "tight", 2),
    ("ccsim-index-lookup-register", {"length": 5}, "tight", 5),
    ("ccsim-recall-in-order", {"length": 5}, "tight", 5),
    ("ccsim-recall-in-any-order-from-below", {"length": 2}, "tight for every N", 2),
    ("ccsim-recall-in-any-order", {"length": 3}, "tight", 4),
    ("ccsim-multi-query-recall-in-order", {"length": 6}, "tight", 3),
    ("ccsim-multi-query-recall-in-any-order-from-below", {"length": 4}, "tight", 2),
    ("ccsim-multi-query-recall-in-any-order", {"length": 6}, "tight", 4),
    ("ccsim-splitting-dimension-of-disjointness", {"length": 4}, "tight", 2),
    ("ccsim-splitting-dimension-of-equality", {"length": 4}, "tight", 1),
    (f"{B}-theorem-4", {"length": 8, "width": 8, "precision": 3}, "holds on instances, modified", 138),
    (f"{B}-theorem-4-four-steps", {"length": 8, "width": 8, "precision": 3}, "holds on instances", 91),
    (f"{B}-lemma-1", {"length": 6}, "improved for every N", 7),
    (f"{B}-lemma-1-fooling-set", {"length": 4}, "tight for every N", 8),
    (f"{B}-section-4-2-contiguous-partitions", {"length": 6}, "tight", 4),
    (f"{B}-section-4-2-ac0", {"length": 8}, "holds (at 2 sizes to 8)", 8),
    (f"{B}-theorem-5", {"length": 8}, "vacuous here (bites from N = 68)", 1),
    (f"{B}-theorem-5", {"length": 16384}, "calculated", 544),
    (f"{B}-theorem-12", {}, "calculated", 1352),
    (f"{B}-section-4-2-disjointness-by-a-recurrent-model", {"length": 6}, "tight for every N", 3),
    (f"{B}-appendix-e-states", {"states": 5, "length": 6}, "tight on instances", 3),
    (f"{B}-appendix-e-variety", {}, "holds for every N", 84),
    (f"{B}-lemma-5", {"length": 4}, "tight", 2),
    ("ccsim-softmax-one-sided", {"width": 8}, "tight on instances", 229),
    ("ccsim-softmax-compact", {"length": 6, "width": 1, "precision": 8, "symbols": 5}, "tight for every N", 42),
    ("ccsim-dyck-odd-even", {"length": 4, "kinds": 3}, "tight for every N", 6),
    ("ccsim-two-layers-refused", {}, "holds on instances", None),
    ("sanford2023-match3-width", {}, "calculated", 66),
    (f"{B}-lemma-2", {"length": 6}, "holds (at 2 sizes to 6)", None),
    (f"{B}-lemma-2-dimension", {"length": 16}, "tight", 444),
    (f"{B}-lemma-2-tail", {"signs": 4, "inverse": 2}, "holds", Fraction(5, 8)),
    (f"{B}-lemma-3", {"length": 64}, "holds on instances (at 2 sizes to 64)", 162),
    (f"{B}-lemma-3", {"length": 64, "vectors": "codes"}, "holds on instances (at 2 sizes to 64)", 83),
    (f"{B}-corollary-8-1", {"length": 64}, "holds (at 2 sizes to 64)", 162),
    ("ccsim-conditional-signs", {"length": 64}, "holds", 69),
    (f"{B}-theorem-1", {"length": 8}, "holds (at 2 sizes to 8)", 15),
    (f"{B}-theorem-1-precision", {"length": 16}, "holds on drawn cases (at 2 sizes to 16)", 9),
    (f"{B}-theorem-1-soft-precision", {"length": 16}, "holds on drawn cases (at 2 sizes to 16)", 14),
    (f"{B}-section-4-1-dyck-by-two-layers", {"length": 12}, DRAWN, 11),
    (f"{B}-section-4-1-dyck-by-two-layers-precision", {"length": 12}, DRAWN, 12),
    (f"{B}-theorem-6-precision", {"length": 16}, "holds on drawn cases (at 2 sizes to 16)", 8),
    (f"{B}-theorem-7", {"length": 12, "task": "nearest-neighbour"}, INSTANCES, 32),
    (f"{B}-theorem-7", {"length": 12, "task": "associative-recall"}, INSTANCES, 81),
    (f"{B}-theorem-7-precision", {"length": 12}, DRAWN, 9),
    (f"{B}-theorem-7-margins", {"length": 12, "power": 2}, "holds on instances, modified (at 2 sizes to 12)", 32),
    (f"{B}-theorem-7-margins-precision", {"length": 12, "power": 2}, MODIFIED, 21),
    (f"{B}-theorem-7-binary-codes-precision", {"length": 12}, DRAWN, 11),
    (f"{B}-theorem-13", {"length": 8, "function": "equality"}, "holds on instances (at 2 sizes to 8)", 30),
    (f"{B}-theorem-13", {"length": 8, "function": "dnf"}, "holds on instances (at 2 sizes to 8)", 42),
    (f"{B}-theorem-13-precision", {"length": 16}, "holds on drawn cases (at 2 sizes to 16)", 9),
    ("ccsim-dyck-linear-width", {"length": 6}, "tight", 12),
    ("ccsim-dyck-by-two-layers-at-depth-3", {"length": 12}, DRAWN, 13),
    ("ccsim-dyck-by-three-layers", {"length": 12, "depth": 3}, DRAWN, 14),
    ("ccsim-equality-linear-width", {"length": 6}, "tight", 12),
    ("ccsim-nearly-orthogonal-signs", {"length": 64}, "tight", 244),
    ("ccsim-recall-addresses", {"length": 16}, "tight on instances", 228),
    ("ccsim-nearest-at-any-margin", {"square": 100}, "tight on instances", 0),
    (f"{A}-precision", {"length": 32, "inverse": 100}, "holds on drawn cases (at 4 sizes to 32)", 23),
    (f"{A}-dual-vectors", {"length": 8}, "holds", Fraction(9, 2)),
    (f"{A}-weights", {"length": 5}, "tight", 50),
    (f"{A}-width", {}, "calculated", 254),
    (f"{A}-from-below", {"length": 3, "extra": 2}, "tight", 3),
    (f"{A}-message", {"keys": 20}, "holds on instances (at 3 sizes to 20)", 352),
    (f"{A}-recurrent", {"length": 6}, "improved", 5),
    (f"{A}-feedforward", {"length": 3}, "calculated", 2),
    (f"{S}-match2", {"length": 3, "modulus": 5}, "tight, modified", 3),
    (f"{S}-match3", {"length": 7, "modulus": 8, "encoding": "tight"}, "tight", 3),
    (f"{S}-match3", {"length": 7, "modulus": 20, "encoding": "wide"}, "tight", 3),
    (f"{S}-match3-bigram", {"length": 3, "modulus": 5}, "tight, ours", 3),
    (f"{S}-match3-local", {"length": 16, "window": 2}, "holds on drawn cases, ours (at 3 sizes to 16)", 135),
    (f"{S}-match3-third-order", {"length": 4}, "holds, ours (at 3 sizes to 4)", 5),
    (f"{S}-match3-assisted", {"length": 8}, "holds on drawn cases, ours (at 4 sizes to 8)", 3),
    (f"{S}-conjecture", {}, "open", None),
    ("ccsim-sparse-averaging-recurrent-state", {"length": 3}, "tight", 2),
    ("ccsim-sparse-averaging-recurrent-state", {"length": 3, "values": 2}, "tight", 4),
    ("ccsim-sparse-averaging-feedforward-width", {}, "calculated", 4),
    ("ccsim-match2-precision", {"modulus": 64}, "tight", 21),
    ("peng2024-theorem-1", layer(2, 1, 1, 1, "g"), "vacuous here (bites from N = 3)", 0),
    ("peng2024-theorem-1", layer(2, 1, 1, 1, "f"), "vacuous here (bites from N = 3)", 0),
    ("peng2024-theorem-1", layer(3, 1, 1, 1, "g"), "holds", Fraction(1, 3)),
    ("peng2024-theorem-1", layer(3, 1, 1, 2, "g"), "holds", Fraction(11, 81)),
    ("peng2024-theorem-1", layer(3, 1, 4, 1, "g"), "vacuous here (bites from N = 4)", 0),
    ("peng2024-theorem-1", layer(4, 1, 1, 2, "g"), "holds", Fraction(9, 32)),
    ("peng2024-theorem-1-three-functions", layer(3, 2, 1, 1), "holds", Fraction(11, 81)),
    ("peng2024-theorem-1-tight", {"length": 2}, "tight", 2),
    ("peng2024-theorem-1-tight", {"length": 3, "speaker": "f"}, "tight", 5),
    ("peng2024-theorem-1-tight", {"length": 4}, "tight", 8),
    ("ccsim-composition-error", {"length": 4}, "holds on instances", Fraction(9, 32)),
    ("ccsim-composition-error", {"length": 6}, "holds on instances", None),
    ("ccsim-ngrams-by-sparse-attention", {"length": 512}, "holds (at 7 sizes to 512)", 1074788095),
    ("ccsim-ngrams-by-soft-attention", {"length": 512}, "holds (at 7 sizes to 512)", 6704877039),
    ("ccsim-chain-that-composes", {"length": 8}, "holds on drawn cases (at 2 sizes to 8)", 46),
    ("svete2024-theorem-3-1", {"length": 3, "order": 3}, "tight on instances", 2),
    ("svete2024-theorem-3-2", {"length": 3, "order": 3}, "tight on instances", 2),
    ("svete2024-theorem-3-3", {"length": 3, "order": 3}, "tight on instances", 1),
    ("svete2024-scores", {"length": 12, "order": 5}, "tight", 42),
    ("svete2024-scores", {"length": 12, "order": 5, "query": "first"}, "tight", 42),
    ("ccsim-ngrams-by-layers", {"length": 3, "order": 3}, "tight on instances", 1),
    ("ccsim-ngrams-by-layers", {"length": 3, "order": 5}, "tight on instances", 3),
    ("ccsim-ngrams-in-floating-point", {"kind": "float16"}, "tight", 8),
    ("ccsim-ngrams-in-floating-point", {"kind": "float32"}, "tight", 123),
    ("trivial-equality", {"length": 5}, "tight", 6),
    ("two-way-index", {"length": 9}, "tight", 5),
    ("inner-product-equality", {"length": 2}, "tight", 3),
    ("fingerprint-equality", {"length": 5}, "tight", 10),
    ("yannakakis", {"length": 5}, "holds", 10),
    ("median-search", {"length": 5}, "tight", 15),
    ("strobl2024-majority", {"length": 7}, "tight", 0),
    ("strobl2024-shuffle-dyck", {"length": 4}, "tight", 0),
    ("strobl2024-shuffle-dyck", {"length": 3, "kinds": 3}, "tight", 0),
    ("strobl2024-parity-soft", {"length": 6}, "tight, ours", 0),
    ("strobl2024-parity-left-hard", {"heads": 1}, "tight on instances", 2),
    ("strobl2024-ac0", {"length": 5, "layers": 1}, "holds on instances, ours", 5),
    ("strobl2024-ac0", {"length": 5, "layers": 2}, "holds on instances, ours", 8),
    *(("strobl2024-star-free", {"length": 4, "language": name}, "tight on instances", 0) for name in STAR_FREE),
    *(("strobl2024-first-order-modular", {"length": 4, "language": name}, "tight on instances", 0) for name in MODULAR),
    ("nowak2024-regular", {"length": 3}, "tight on instances, ours", 0),
    ("nowak2024-regular-distributions", {"length": 3}, "tight on instances", 0),
    ("nowak2024-turing", {"length": 4}, "tight on instances, ours", 0),
    ("nowak2024-turing", {"length": 5, "machine": "as-then-bs"}, "tight on instances, ours", 0),
    ("ccsim-parity-heads", {"length": 2}, "tight", 2),
    ("ccsim-parity-heads", {"length": 3}, "tight", 3),
    ("ccsim-parity-margin", {"length": 1}, "tight", Fraction(1, 4)),
    ("ccsim-dyck-every-length", {"length": 60}, "tight for every N", 61),
    ("ccsim-blanks-every-length", {"length": 4}, "holds for every N", 4),
    ("ccsim-classes-every-length", {"states": 2}, "tight", 1),
    ("ccsim-state-chain", {"length": 4}, "tight on instances", 5),
]
LONG = [
    ("communication-equality-public-coins", {"length": 4}, "holds (at 3 sizes to 4)", 3),
    (f"{B}-lemma-4", {"states": 5, "seed": 7}, "holds on instances", 3),
    ("sanford2024-induction-head-width", {"length": 7, "precision": 2, "heads": 1}, "calculated", 3),
    (f"{B}-theorem-4-compact", {"length": 128, "width": 3, "precision": 5}, "holds on instances, ours", 54),
    (f"{B}-theorem-4-compact", {"length": 64, "width": 1, "precision": 14}, "holds on instances, ours", 57),
    (f"{B}-theorem-4-compact", {"length": 64, "width": 1, "precision": 13}, "vacuous here", None),
    (f"{B}-lemma-3", {"length": 64, "vectors": "every"}, "holds on instances (at 2 sizes to 64)", 161),
    (f"{B}-corollary-8-1-in-logarithmic-space", {"bits": 64}, "holds (at 5 sizes to 64)", 16848),
    (f"{B}-theorem-1-soft", {"length": 8}, "holds (at 2 sizes to 8)", 129),
    (f"{B}-section-4-1-next-brackets-by-two-layers", {"length": 12, "depth": 3}, DRAWN, 11),
    (f"{B}-theorem-6-any-alphabet", {"length": 8, "symbols": 3}, "holds on instances (at 2 sizes to 8)", 22),
    (f"{B}-theorem-7", {"length": 12, "task": "multi-query-associative-recall"}, INSTANCES, 81),
    (f"{B}-theorem-7-soft", {"length": 12}, DRAWN, 81),
    (f"{B}-theorem-7-soft-precision", {"length": 12}, DRAWN, 20),
    (f"{B}-theorem-7-binary-codes", {"length": 12}, DRAWN, 77),
    (f"{B}-theorem-13", {"length": 8, "function": "drawn"}, "holds on instances (at 2 sizes to 8)", 42),
    (f"{B}-theorem-13", {"length": 8, "function": "weighted"}, "holds on instances (at 2 sizes to 8)", 42),
    (f"{A}-construction", {"length": 100, "q": 5, "values": 2}, "holds on drawn cases (at 6 sizes to 100)", 212),
    (f"{A}-construction-over-q", {"q": 8, "length": 16}, "holds on drawn cases (at 4 sizes to 8)", 195),
    (f"{S}-match2-precision", {"modulus": 64}, "holds, modified (at 5 sizes to 64)", 18),
    (f"{S}-match3", {"length": 7, "modulus": 9, "encoding": "tight"}, "tight", 3),
    (f"{S}-match3-local-over-window", {"window": 2, "length": 9}, "holds on drawn cases, ours (at 2 sizes to 2)", 135),
    ("peng2024-theorem-1", layer(3, 1, 2, 1, "g"), "holds", Fraction(19, 81)),
    ("peng2024-theorem-1", layer(4, 1, 1, 3, "g"), "holds", Fraction(3, 16)),
    ("peng2024-theorem-2", {"precision": 15}, "vacuous here", 85),
    ("ccsim-chain-of-thought", {"steps": 3}, "tight on instances", 57),
    ("ccsim-ngrams-by-heads", {"length": 3, "order": 5}, "tight on instances", 3),
    ("strobl2024-parity-left-hard", {"heads": 3}, "calculated", 4),
]


CASES = {  # how many are gone through
    (f"{A}-weights", 5): 50,
    (f"{S}-match3-local", 16): 144,
    (f"{S}-match3-third-order", 4): 655,
    ("svete2024-theorem-3-1", 3): 40,
    ("svete2024-theorem-3-2", 3): 40,
    ("svete2024-theorem-3-3", 3): 40,
    ("strobl2024-majority", 7): 254,
    ("strobl2024-shuffle-dyck", 3): 258,
    ("strobl2024-parity-soft", 6): 126,
    ("strobl2024-ac0", 5): 256,
    ("nowak2024-regular", 3): 960,
    ("nowak2024-regular-distributions", 3): 15,
    ("nowak2024-turing", 4): 31,
}


@pytest.mark.parametrize("known", [KNOWN, slow(LONG)], ids=["quick", "long"])
def test_the_known_verdicts(known):
    for name, given, told, measured in known:
        verdict = check_claim(*setting_of(name, given))
        assert verdict.description == told, (name, given, verdict.reason)
        assert measured is None or verdict.measured == pytest.approx(float(measured)), (name, given)
        assert verdict.checked == CASES.get((name, given.get("length")), verdict.checked), (name, given)


CLAIMED = [
    (f"{B}-theorem-4", {}, 120),
    (f"{B}-theorem-4", {"length": 16, "width": 8, "precision": 3}, 168),
    (f"{B}-lemma-1", {"length": 6}, 5),
    (f"{B}-theorem-5", {"length": 1024}, Fraction(341, 26)),
    (f"{B}-theorem-12", {}, Fraction(2048, 5)),
    (f"{B}-lemma-5", {"length": 4}, 2),
    (f"{B}-corollary-13-1", {}, Fraction(1, 75)),
    (f"{B}-corollary-13-1-size", {}, 8576),
    ("sanford2023-match3", {}, 2),
    ("sanford2023-match3-width", {}, 3.2948833906222603),
    ("sanford2023-sparse-averaging-width", {}, 128),
    (f"{B}-lemma-2-tail", {"signs": 64, "inverse": 4}, 2 * exp(-1)),
    (f"{B}-lemma-2", {"length": 512, "inverse": 4}, 3 * 16 * 9),
    (f"{B}-lemma-3", {"length": 256, "inverse": 4}, 13 * 16 * 8),
    (f"{B}-corollary-8-1", {"length": 512}, 48 * 9),
    (f"{B}-theorem-1", {"length": 512}, 24 * 9),
    (f"{B}-theorem-6", {"length": 512}, 26 * 9),
    (f"{B}-theorem-13", {"length": 512}, 50 * 9),
]


def test_the_values_that_are_claimed():
    for name, given, claimed in CLAIMED:
        claim, setting = setting_of(name, given)
        assert float(claim.claimed(setting)) == pytest.approx(float(claimed)), (name, given)


OUTSIDE = [
    (f"{A}-width", {"length": 16}),
    (f"{A}-precision", {"q": 1, "inverse": 3}),
    (f"{A}-message", {"keys": 20, "precision": 10, "length": 3}),
    (f"{A}-feedforward", {"length": 4, "q": 2}),
    (f"{S}-match2-precision", {"modulus": 8, "length": 16}),
    (f"{S}-match3-local", {"length": 8, "modulus": 50}),
    (f"{S}-match3", {"length": 7, "modulus": 20, "encoding": "tight"}),
    ("ccsim-sparse-averaging-feedforward-width", {"length": 3}),
]


def test_what_a_claim_is_not_about_is_not_measured():
    for name, given in OUTSIDE:
        verdict = check_claim(*setting_of(name, given))
        assert verdict.description == "not measured", name
        assert "expected" in verdict.reason
