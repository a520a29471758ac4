"""What is made wrong under each claim on matches of two and three."""

from tests.claims.spoilings import averaged as ways
from tests.claims.spoilings.averaged import AVERAGING, HALF, LAST, MATCH2, MEASURES, ORACLES, REDUCTIONS, UNIT, UP, at
from tests.claims.spoilings.spoiling import Spoiling, answers, instead

FOUR, EIGHT, SIXTEEN, WINDOW = {"length": 4}, {"length": 8}, {"length": 16}, {"window": 2, "length": 9}
PAIRS = "protocols.constructions.match3.pairs"
PRINTED = f"{MEASURES}.printed_match2"
OTHER_POINTS = Spoiling("points in another order", MATCH2, "circle_points", answers(lambda points: points[::-1]))
WIDER = Spoiling("wider layers", f"{MEASURES}.triples", "layer_widths", answers(lambda widths: [*widths, 204]))
TENSOR = "ccsim.models.tensor_attention:TensorAttention"

SPOILINGS = {
    "sanford2023-match2": (
        LAST,
        HALF,
        UP,
        OTHER_POINTS,
        Spoiling("maps with a bias", MATCH2, "_map", ways.with_a_bias),
        Spoiling("logits with another factor", MATCH2, "printed_factor", instead(3)),
    ),
    "sanford2023-match2-precision": (
        Spoiling("every margin is proved", MATCH2, "matching_margin", instead(True), {"modulus": 16}),
        Spoiling("margins only in many bits", MATCH2, "matching_margin", ways.only_in_many_bits, {"modulus": 16}),
        Spoiling("bits like M", MATCH2, "matching_margin", ways.only_in_as_many_bits_as_symbols, {"modulus": 64}),
        at(LAST, modulus=16),
    ),
    "sanford2023-match2-matrices": (
        Spoiling("a rank of 3", ORACLES, "rank_modulo", instead(3)),
        Spoiling("no key of the blank row", PRINTED, "printed_rows", answers(lambda rows: [*rows[:-1], [0] * 6])),
        Spoiling("maps with a bias", MATCH2, "_map", ways.with_a_bias),
        OTHER_POINTS,
    ),
    "sanford2023-match2-weights": (
        Spoiling(
            "exponentials of less", PRINTED, "exponentials", answers(lambda table: [each.root(32) for each in table])
        ),
        Spoiling("a unit with another factor", MATCH2, "printed_factor", instead(2)),
        HALF,
    ),
    "sanford2023-match3": (
        Spoiling("numbers that are all 0", f"{REDUCTIONS}.comparing", "_number", instead(0)),
        Spoiling("numbers one less", f"{REDUCTIONS}.comparing", "_number", answers(lambda number: max(0, number - 1))),
        Spoiling("the bits of another function", "ccsim.bounds", "deterministic", ways.about_equality),
        Spoiling("both parties know", "ccsim.bounds", "deterministic", ways.both_know),
        Spoiling("a bit more", "ccsim.bounds", "deterministic", answers(ways.one_bit_more)),
    ),
    "sanford2023-match3-bigram": (
        LAST,
        UP,
        WIDER,
        Spoiling("other neighbours", ORACLES, "bigram", ways.of_a_shorter_word),
        Spoiling(
            "the second layer alone",
            "protocols.constructions",
            "match3_bigram_transformer",
            answers(ways.changed(layers=lambda layers: layers[1:])),
        ),
    ),
    "sanford2023-match3-local": (
        at(LAST, **EIGHT),
        Spoiling("signs like N q", AVERAGING, "SignVectors", ways.six_signs_for_each, EIGHT),
        Spoiling("windows that end early", ORACLES, "match3", ways.of_a_smaller_window, EIGHT),
        Spoiling("outputs rounded up", UNIT, "finish", answers(lambda output: output + 1), EIGHT),
    ),
    "sanford2023-match3-local-over-window": (
        at(LAST, **WINDOW),
        Spoiling("outputs rounded up", UNIT, "finish", answers(lambda output: output + 1), WINDOW),
        Spoiling("signs like N q", AVERAGING, "SignVectors", ways.six_signs_for_each, WINDOW),
    ),
    "sanford2023-match3-third-order": (
        at(LAST, **FOUR),
        Spoiling("outputs rounded up", TENSOR, "attend", answers(lambda output: output + 1), FOUR),
        Spoiling("numbers that are not seen", ORACLES, "match3", ways.of_a_shorter_word, FOUR),
    ),
    "sanford2023-match3-assisted": (
        at(LAST, **FOUR),
        at(WIDER, **FOUR),
        Spoiling("outputs rounded up", UNIT, "finish", answers(lambda output: output + 1), FOUR),
        Spoiling(
            "hints that mislead", f"{MEASURES}.triples", "honest", answers(ways.hinting_at_the_first), {"length": 8}
        ),
    ),
    "sanford2023-conjecture": (
        Spoiling("two layers are not refused", "protocols.reductions.max_logit.protocol", "_check", instead(None)),
    ),
    "ccsim-match3-normaliser": (
        Spoiling("one digit less is told", f"{MEASURES}.normalisers", "significant", ways.one_digit_less, SIXTEEN),
        Spoiling("sums told exactly", f"{MEASURES}.normalisers", "significant", ways.exactly),
    ),
    "ccsim-match2-precision": (
        Spoiling("six bits fewer", MATCH2, "_numbers", ways.six_bits_fewer),
        Spoiling("points in fewer steps", MATCH2, "circle_points", answers(lambda points: points // 8 * 8)),
        LAST,
    ),
}
