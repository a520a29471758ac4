"""What is made wrong under the claims about constructed models and nearly orthogonal vectors."""

from dataclasses import replace
from fractions import Fraction

from ccsim.claims import Word
from tests.claims.spoilings.constructed import (
    all_ones,
    coarser,
    deeper,
    doubled,
    evenly,
    far_more,
    flipped,
    half_the_argument,
    halved,
    instead_value,
    larger_eta,
    last_as_first,
    last_exchanged,
    lookup_bound,
    many,
    negative,
    of_half_the_difference,
    of_norm_2,
    one_sided,
    resized,
    same_address,
    times,
    times_one_more,
    told,
    too_few,
    up,
    wider,
    wrong_on_the_last_word,
)
from tests.claims.spoilings.spoiling import Spoiling, answers, instead

B = "bhattamishra2024"
MODELS = "protocols.constructions"
MEASURES = "protocols.papers.bhattamishra2024.findings"
SCALING, RECALL, PRINTED = (f"{MEASURES}.{name}" for name in ("scaling", "recall_steps", "printed_recall"))
PLAIN = "protocols.papers.plain.constructed"
EXPONENTIAL = "ccsim.arithmetic.functions:Exponential"
REFUSED = (Word.BROKEN, Word.NOT_MEASURED)
SMALL = {"length": 8}
TWELVE = {"length": 12}


def shape(change, setting, said="says that it is larger than it is"):
    return Spoiling(said, MODELS, "size_of", resized(change), setting)


def signs(setting, *more):
    """What can be wrong about nearly orthogonal vectors."""
    return (
        Spoiling("more signs by a sixteenth of the vectors", MODELS, "smallest_sign_vectors", wider, setting),
        Spoiling("three signs only", MODELS, "smallest_sign_vectors", too_few, setting),
        Spoiling("all signs the same", f"{MODELS}.vectors:SignVectors", "rows", all_ones, setting, afterwards=True),
        *more,
    )


def model(module, owner, setting):
    """What can be wrong about a model: its answers, its exponentials, its strength, what it says of its size."""
    kind = f"ccsim.models:{owner}"
    return (
        Spoiling("answers exchanged", kind, "codes", flipped, setting),
        Spoiling("wrong on the last word only", kind, "codes", wrong_on_the_last_word, setting),
        Spoiling("exp(x/2) for exp(x)", EXPONENTIAL, "__call__", half_the_argument, setting),
        Spoiling("a strength times 100", f"{MODELS}.{module}", "hard_strength", times(100), setting),
        shape(lambda size, length: replace(size, width=size.width + length), setting, "width + N"),
        shape(lambda size, length: replace(size, width=size.width + -(-(length**2) // 16)), setting, "width + N^2/16"),
    )


def precision(module, setting):
    """What can be wrong about a precision."""
    return (
        Spoiling("a strength times 100", f"{MODELS}.{module}", "hard_strength", times(100), setting),
        shape(lambda size, _: replace(size, precision=size.precision - 1), setting, "one bit less than it has"),
    )


def bounds(name):
    return (
        Spoiling("a bound of -2", MODELS, "printed_recall_constants", lookup_bound(name)),
        Spoiling("addresses times -2", f"{MEASURES}.printed_recall", "OWN", instead_value(-2)),
        Spoiling("a label of -2.3", f"{MEASURES}.printed_recall", "LABEL", instead_value(Fraction(-23, 30))),
    )


def stored(setting):
    """What can be wrong about the bits that describe a model."""
    return (
        shape(
            lambda size, _: replace(size, representation_bits=size.representation_bits // 2), setting, "half the bits"
        ),
    )


SPOILINGS = {
    f"{B}-lemma-2": signs({"length": 6}),
    f"{B}-lemma-2-dimension": (
        *signs({"length": 16}),
        Spoiling("the printed k is 3", MODELS, "lemma_dimension", instead(3), {"length": 16}),
    ),
    f"{B}-lemma-2-tail": (
        Spoiling("binomials off by one", f"{MEASURES}.vectors", "comb", answers(lambda value: value + 1)),
        Spoiling("no sequence has so large a sum", f"{MEASURES}.vectors", "Fraction", lambda _: lambda *given: 3),
    ),
    f"{B}-lemma-3": (
        Spoiling("from above only", MODELS, "smallest_sign_vectors", one_sided, {"length": 64}),
        Spoiling("three signs only", MODELS, "smallest_sign_vectors", too_few, {"length": 64}),
        Spoiling(
            "all signs the same",
            f"{MODELS}.vectors:SignVectors",
            "rows",
            all_ones,
            {"length": 8, "vectors": "codes"},
            afterwards=True,
        ),
    ),
    f"{B}-corollary-8-1": signs({"length": 6}),
    f"{B}-theorem-1": model("index_lookup", "OneLayerTransformer", SMALL),
    f"{B}-theorem-1-precision": precision("index_lookup", SMALL),
    f"{B}-theorem-1-soft": (
        *model("soft_lookup", "Transformer", SMALL)[:2],
        Spoiling("exp(x/2) for exp(x)", EXPONENTIAL, "__call__", half_the_argument, SMALL, REFUSED),
        Spoiling("no threshold", f"{MODELS}.soft_lookup", "_threshold", instead([]), SMALL),
        Spoiling(
            "half of eta", f"{MODELS}.soft_lookup", "printed_index_strength", times(Fraction(1, 2)), SMALL, REFUSED
        ),
        Spoiling("weights rounded up", "ccsim.models.weighting", "shares", up, SMALL),
        shape(lambda size, length: replace(size, width=size.width + length), SMALL, "width + N"),
    ),
    f"{B}-theorem-1-soft-precision": (
        Spoiling("twice eta", f"{MODELS}.soft_lookup", "printed_index_strength", times(2), SMALL),
        shape(lambda size, _: replace(size, precision=size.precision - 1), SMALL, "one bit less than it has"),
    ),
    f"{B}-theorem-1-weight": (
        Spoiling("exp(x/2) for exp(x)", EXPONENTIAL, "__call__", half_the_argument),
        Spoiling("weights rounded up", "ccsim.models.weighting", "shares", up),
        Spoiling("half the strength", MODELS, "printed_index_strength", times(Fraction(1, 2))),
        Spoiling(
            "all signs the same", f"{MODELS}.vectors:SignVectors", "rows", all_ones, words=REFUSED, afterwards=True
        ),
    ),
    f"{B}-theorem-6": model("equality", "Transformer", SMALL),
    f"{B}-theorem-6-precision": precision("equality", SMALL),
    f"{B}-theorem-6-representation": precision("equality", {"length": 32})[:1] + stored({"length": 32}),
    f"{B}-theorem-6-weight-one": (
        Spoiling("exp(x/2) for exp(x)", EXPONENTIAL, "__call__", half_the_argument),
        Spoiling("answers exchanged", "ccsim.models:Transformer", "codes", flipped),
        Spoiling("wrong on the last word only", "ccsim.models:Transformer", "codes", wrong_on_the_last_word),
        Spoiling("half the printed eta", SCALING, "_printed_eta", times(Fraction(1, 2)), words=REFUSED),
        Spoiling("the integers say otherwise", MODELS, "equality_scaling", told(printed_makes_others_zero=False)),
    ),
    f"{B}-theorem-6-any-alphabet": (
        *model("equality", "Transformer", SMALL),
        Spoiling("two symbols with one code", f"{MODELS}.equality", "answer_codes", answers(last_as_first), SMALL),
    ),
    f"{B}-theorem-6-to-the-nearest": (
        Spoiling("exp(x/2) for exp(x)", PLAIN, "exponential_down", of_half_the_difference),
        Spoiling("half of every logarithm", f"{MEASURES}.nearest", "ln", times(Fraction(1, 2))),
        Spoiling("divided so that weights are lost", PLAIN, "_divided", answers(lambda value: value - (value > 0))),
        Spoiling("outputs of the model exchanged", "ccsim.models:Transformer", "outputs", negative),
    ),
    f"{B}-theorem-6-printed-scaling": (
        Spoiling("the derived eta times 100", MODELS, "equality_scaling", larger_eta),
        Spoiling("the integers say otherwise", MODELS, "equality_scaling", told(printed_satisfies_its_inequality=True)),
        Spoiling("the displayed fraction without its exponential", SCALING, "_worst_weight", instead(1)),
        Spoiling("half of every logarithm", SCALING, "ln", times(Fraction(1, 2))),
    ),
    f"{B}-theorem-6-other-weights": (
        Spoiling("all signs the same", PLAIN, "signs", all_ones, {"length": 16}),
        Spoiling("far more signs", MODELS, "smallest_sign_vectors", far_more, {"exponent": 1}, (Word.HOLDS,)),
    ),
    f"{B}-theorem-6-rounding": (
        Spoiling("weights shared evenly", "ccsim.models.weighting:Softmax", "row", evenly),
        Spoiling("exp(x/2) for exp(x)", EXPONENTIAL, "__call__", half_the_argument, {"exponent": 2}),
        Spoiling("rounded to the step above", PLAIN, "whole_part", times_one_more),
    ),
    f"{B}-theorem-7": (
        *model("recall", "Transformer", {"length": 12, "task": "associative-recall"}),
        Spoiling(
            "one value of many wrong",
            f"{MODELS}.multi_query:MultiQueryTransformer",
            "values",
            last_exchanged,
            {"length": 12, "task": "multi-query-associative-recall"},
        ),
        Spoiling("weights of copies times 2", f"{MODELS}.recall", "copy_weights", doubled, {"length": 12}),
        Spoiling("weights of copies halved", f"{MODELS}.recall", "copy_weights", halved, {"length": 12}, REFUSED),
        Spoiling("labels of farther points", "ccsim.models:Transformer", "codes", flipped, {"length": 12}),
    ),
    f"{B}-theorem-7-precision": (
        *precision("recall", {"length": 12, "task": "associative-recall"}),
        Spoiling("weights of copies times 2", f"{MODELS}.recall", "copy_weights", doubled, {"length": 12}),
    ),
    f"{B}-theorem-7-margins": (
        Spoiling("weights of copies times 2", f"{MODELS}.recall", "copy_weights", doubled, TWELVE),
        Spoiling("weights of copies halved", f"{MODELS}.recall", "copy_weights", halved, TWELVE, REFUSED),
        Spoiling("labels of farther points", "ccsim.models:Transformer", "codes", flipped, TWELVE),
        shape(lambda size, length: replace(size, width=size.width + length), TWELVE, "width + N"),
    ),
    f"{B}-theorem-7-margins-precision": (
        Spoiling("weights of copies times 2", f"{MODELS}.recall", "copy_weights", doubled, TWELVE),
        shape(lambda size, _: replace(size, precision=size.precision - 1), TWELVE, "one bit less than it has"),
    ),
    f"{B}-theorem-7-soft": (
        *model("soft_recall", "Transformer", TWELVE)[:2],
        *model("soft_recall", "Transformer", TWELVE)[3:5],
        Spoiling("exp(x/2) for exp(x)", EXPONENTIAL, "__call__", half_the_argument, TWELVE, REFUSED),
        Spoiling("no sigma", f"{MODELS}.soft_recall", "_sigma", instead([]), TWELVE),
        Spoiling(
            "half as far ahead", f"{MODELS}.soft_recall", "_steps", answers(lambda steps: steps // 2), TWELVE, REFUSED
        ),
        Spoiling("weights rounded up", "ccsim.models.weighting", "shares", up, TWELVE),
        Spoiling("others get nothing", f"{MODELS}.soft_recall", "_steps", times(4), {"length": 24}),
    ),
    f"{B}-theorem-7-soft-precision": precision("soft_recall", TWELVE),
    f"{B}-theorem-7-binary-codes": (
        Spoiling(
            "one value of many wrong", f"{MODELS}.multi_query:MultiQueryTransformer", "values", last_exchanged, TWELVE
        ),
        Spoiling("signs in place of digits", MODELS, "BinaryAddresses", instead(None), TWELVE, REFUSED),
        Spoiling("three signs only", f"{MODELS}.recall", "smallest_sign_vectors", too_few, TWELVE, REFUSED),
        shape(lambda size, length: replace(size, width=size.width + length), TWELVE, "width + N"),
    ),
    f"{B}-theorem-7-binary-codes-precision": precision("recall", TWELVE),
    f"{B}-theorem-7-representation": precision("recall", {"length": 16})[:1] + stored({"length": 16}),
    f"{B}-theorem-7-inner-products": (
        Spoiling("a factor of 2 in keys", PRINTED, "KEY", instead_value(2)),
        Spoiling("a label of -2.3", PRINTED, "LABEL", instead_value(Fraction(-23, 10))),
        Spoiling("addresses times -9", PRINTED, "OWN", instead_value(-9)),
    ),
    f"{B}-theorem-7-points": bounds("points"),
    f"{B}-theorem-7-itself": bounds("itself"),
    f"{B}-theorem-7-labels": bounds("labels"),
    f"{B}-theorem-7-weight": (
        Spoiling("half of every logarithm in the printed layers", PRINTED, "ln", times(Fraction(1, 2)), {"pairs": 2}),
        Spoiling("half of every logarithm in the displayed line", RECALL, "ln", times(Fraction(1, 2)), {"pairs": 2}),
        Spoiling("addresses times 0", PRINTED, "OWN", instead_value(0), {"pairs": 2}),
    ),
    f"{B}-theorem-7-printed-layers": (
        Spoiling("addresses times 0", PRINTED, "OWN", instead_value(0)),
        Spoiling("a label of 2", PRINTED, "LABEL", instead_value(2)),
        Spoiling("the same address everywhere", PRINTED, "orthogonal", same_address),
    ),
    f"{B}-theorem-7-second-query": (
        Spoiling("addresses of norm 2", PRINTED, "orthogonal", of_norm_2),
        Spoiling("the same signs, not divided", RECALL, "isqrt", instead(1), words=REFUSED),
    ),
    f"{B}-theorem-7-address-signs": (
        Spoiling("all signs the same", RECALL, "_sylvester", all_ones, {"length": 8}),
        Spoiling("fewer signs are enough", RECALL, "_together", instead(True), {"length": 8}),
    ),
    f"{B}-theorem-13": (
        *model("thresholds", "Transformer", SMALL)[2:],
        Spoiling("answers exchanged", f"{MODELS}.start:StartedTransformer", "codes", flipped, SMALL),
        Spoiling("weights rounded up", "ccsim.models.weighting", "shares", up, SMALL),
        Spoiling(
            "a feature of all tables inverted",
            f"{MODELS}.formulas:SparseFeature",
            "evaluate",
            flipped,
            {"length": 8, "function": "drawn"},
        ),
    ),
    f"{B}-theorem-13-precision": precision("thresholds", {"length": 16, "function": "drawn"}),
    "ccsim-dyck-linear-width": (
        Spoiling("a language of depth 3", "ccsim.problems", "dyck", deeper, {"length": 6}),
        Spoiling("answers exchanged", "ccsim.models:OneLayerTransformer", "codes", flipped),
        Spoiling("wrong on the last word only", "ccsim.models:OneLayerTransformer", "codes", wrong_on_the_last_word),
        Spoiling("two numbers more", f"{MODELS}.uniform_attention", "_precision", coarser),
    ),
    "ccsim-equality-linear-width": (
        Spoiling("answers exchanged", "ccsim.models:OneLayerTransformer", "codes", flipped),
        Spoiling("wrong on the last word only", "ccsim.models:OneLayerTransformer", "codes", wrong_on_the_last_word),
        Spoiling("two numbers more", f"{MODELS}.uniform_attention", "_precision", coarser),
    ),
    "ccsim-nearly-orthogonal-signs": signs(
        {"length": 6},
        Spoiling("100 times as many by formula", MODELS, "hoeffding_dimension", times(100), {"length": 6}),
    ),
    "ccsim-recall-addresses": (
        Spoiling("three signs only", MODELS, "smallest_sign_vectors", too_few, {"length": 4}, REFUSED),
        Spoiling("half the weights", f"{MODELS}.recall", "address_weights", halved, {"length": 4}, REFUSED),
        Spoiling("answers exchanged", "ccsim.models:Transformer", "codes", flipped, {"length": 4}),
        Spoiling("200 signs more", MODELS, "smallest_sign_vectors", many, {"length": 4}),
    ),
    "ccsim-nearest-at-any-margin": (
        Spoiling("answers exchanged", "ccsim.models:Transformer", "codes", flipped),
        Spoiling("weights of copies halved", f"{MODELS}.recall", "copy_weights", halved, words=REFUSED),
        shape(lambda size, length: replace(size, width=size.width + length), {}, "width + N"),
        Spoiling("addresses with products up to a tenth", f"{MODELS}.recall", "smallest_sign_vectors", many),
    ),
}
