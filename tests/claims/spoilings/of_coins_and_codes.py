"""What is made wrong under the claims about INDEX with coins, vectors without chance, and a chain that composes."""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from tests.claims.spoilings.constructed import flipped, half_the_argument, resized
from tests.claims.spoilings.of_composition import scaled
from tests.claims.spoilings.spoiling import Spoiling, answers

ERRORS, MODELS = "protocols.reductions.one_way_error", "protocols.constructions"
EXPONENTIAL = "ccsim.arithmetic.functions:Exponential"
SCORES = "protocols.papers.ours.findings.sparse_scores"
SMALL, SIX, FOUR = {"length": 3}, {"length": 6}, {"bits": 8}


def in_finer_steps(original):
    """Weights counted in steps of a sixteenth."""
    return lambda t, head, strength, steps: original(t, head, strength, 16 * steps)


def code(change):
    """A code of which something is changed."""
    return answers(lambda found: replace(found, **change(found)))


def fewer_points(found):
    return {"points": max(found.digits, found.points // 2)}


def one_mask(found):
    return {"masks": found.masks[:1] * found.spelt}


def spelt_often(found):
    return {"masks": found.masks * 60}


def negated(original):
    return lambda self, number, place: -original(self, number, place)


def wider_by_a_half(rows):
    return np.concatenate([rows, rows[:, : rows.shape[1] + 1 >> 1]] * 2, axis=1)


def wider(size, length):
    return replace(size, width=size.width + length)


SPOILINGS = {
    "ccsim-index-least-errors": (
        Spoiling("half the error", ERRORS, "least_one_way_error", scaled(Fraction(1, 2)), SMALL),
        Spoiling("twice the error", ERRORS, "least_one_way_error", scaled(2), SMALL),
        Spoiling("counting says twice as much", ERRORS, "error_of_balls", answers(lambda error: 2 * error), SMALL),
        Spoiling(
            "a hundredth more in the game",
            ERRORS,
            "least_worst_error",
            answers(lambda found: replace(found, error=found.error + Fraction(1, 100))),
            {"length": 2},
        ),
    ),
    "ccsim-index-hamming-errors": (
        Spoiling("no place is flipped", f"{ERRORS}.syndrome", "flipped", lambda _: lambda words, *rest: words),
        Spoiling("half of what counting says", ERRORS, "error_of_balls", answers(lambda error: error / 2)),
        Spoiling("words restored wrongly", f"{ERRORS}.syndrome", "restored_words", answers(lambda words: words ^ 1)),
    ),
    "bhattamishra2024-corollary-8-1-in-logarithmic-space": (
        Spoiling("half of the points", MODELS, "shortest_code", code(fewer_points), {"bits": 16}),
        Spoiling("every mask the same", MODELS, "shortest_code", code(one_mask), FOUR),
        Spoiling("a sign of its own that is another", f"{MODELS}.derandomised:CodeAddresses", "sign", negated, FOUR),
        Spoiling("spelt sixty times", MODELS, "shortest_code", code(spelt_often), FOUR),
    ),
    "ccsim-conditional-signs": (
        Spoiling("all signs the same", MODELS, "conditional_vectors", answers(np.abs)),
        Spoiling("three times the signs", MODELS, "conditional_vectors", answers(wider_by_a_half)),
        Spoiling("a vector too few", MODELS, "conditional_vectors", answers(lambda rows: rows[1:])),
    ),
    "ccsim-chain-that-composes": (
        Spoiling("answers exchanged", "ccsim.models:OneLayerTransformer", "codes", flipped, {"length": 8}),
        Spoiling(
            "exp(x/2) for exp(x)",
            "ccsim.arithmetic.functions:Exponential",
            "__call__",
            half_the_argument,
            {"length": 8},
        ),
        Spoiling("width + n", MODELS, "size_of", resized(wider), {"length": 8}),
    ),
    "ccsim-ngrams-by-soft-attention": (
        Spoiling("half the strength", SCORES, "_least_soft_strength", answers(lambda strength: strength // 2), SIX),
        Spoiling("30 times the strength", SCORES, "_least_soft_strength", answers(lambda strength: 30 * strength), SIX),
        Spoiling("steps 16 times as fine", SCORES, "_others", in_finer_steps, SIX),
    ),
    "ccsim-ngrams-by-sparse-attention": (
        Spoiling("half the strength", SCORES, "_least_strength", answers(lambda strength: strength // 2), SIX),
        Spoiling("30 times the strength", SCORES, "_least_strength", answers(lambda strength: 30 * strength), SIX),
        Spoiling("weight for all", SCORES, "sparsemax_support", lambda _: lambda scores: [*range(len(scores))], SIX),
    ),
}
