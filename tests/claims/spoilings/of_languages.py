"""Recognisers of formal languages and chains of thought made wrong: averages, choices, circuits, states, tapes."""

from fractions import Fraction

import numpy as np

from tests.claims.spoilings.of_composition import of_method
from tests.claims.spoilings.spoiling import Spoiling, answers, instead

LANGUAGES = "protocols.constructions.languages"
AVERAGES = f"{LANGUAGES}.averages"
MASKED = f"{LANGUAGES}.masked_attention"
LISTS = f"{LANGUAGES}.decision_lists"
CIRCUIT = f"{LANGUAGES}.circuits:Circuit"
TABULATED = f"{LANGUAGES}.circuits:TabulatedHardAttention"
STATES = f"{LANGUAGES}.state_chain"
TAPE = f"{LANGUAGES}.turing_chain"
CHAIN = f"{LANGUAGES}.probabilistic_chain"
PLAIN = "protocols.papers.plain.languages"


def exchanged(codes):
    return 1 - codes


def one_wrong(codes):
    """The last of several words is answered wrongly."""
    return np.concatenate([codes[:-1], 1 - codes[-1:]])


OFF = Spoiling("an average off by a hundredth", AVERAGES, "averaged", answers(lambda found: found + Fraction(1, 100)))
LEVEL = Spoiling(
    "heads that lean to no side",
    AVERAGES,
    "averaged",
    lambda original: lambda values, weights: original(values, np.ones_like(weights)),
)


def averages_of(model, first, *rest):
    last = Spoiling("the last word wrong", f"{AVERAGES}:{model}", "codes", of_method(one_wrong))
    return (first, last, *rest)


def leftmost(original):
    """The leftmost of those with the largest score."""

    def attend(scores, values):
        found = np.zeros_like(values)
        for place in range(1, scores.shape[-1]):
            best = scores[..., :place].argmax(axis=-1)
            found[..., place] = np.take_along_axis(values, best[..., None], axis=-1)[..., 0]
        return found

    return attend


def unmasked(original):
    """A position sees itself too."""
    return lambda scores, values: original(*(np.pad(each, ((0, 0), (0, 1))) for each in (scores, values)))[..., 1:]


def one_that_knows(choices):
    words = np.arange(len(choices[0]))
    return [*choices, np.bitwise_count(words).astype(np.int64) & 1]


def with_a_gate(circuit):
    circuit.add("or", [len(circuit.gates) - 1])
    return circuit


def earlier(original):
    return lambda scores: int(np.argmax(scores))


def one_less(found):
    last = list(found)[-1]
    return {**found, last: found[last] / 2}


def another_ratio(original):
    return lambda self, ratio=3: original(self, 5)


DEFINED = (
    Spoiling("the last word wrong", f"{MASKED}:MaskedHardAttention", "codes", of_method(one_wrong)),
    Spoiling("the leftmost is chosen", MASKED, "attended", leftmost, {"language": "ab-star"}),
    Spoiling("a position sees itself", MASKED, "attended", unmasked, {"language": "ab-star"}),
    Spoiling("another monoid", PLAIN, "is_aperiodic", answers(lambda found: not found)),
)
HEADS = (
    Spoiling("a head that knows parity", LISTS, "choices_of_heads", answers(one_that_knows)),
    Spoiling("anything settles parity", LISTS, "settles_parity", instead(True)),
)

SPOILINGS = {
    "strobl2024-majority": averages_of("MajorityByAverages", OFF),
    "strobl2024-shuffle-dyck": averages_of(
        "ShuffledDyckByAverages",
        OFF,
        Spoiling("nothing is cut off", AVERAGES, "_relu", lambda _: lambda values: values),
    ),
    "strobl2024-parity-soft": averages_of(
        "ParityBySoftAttention",
        LEVEL,
        Spoiling("nothing is cut off", AVERAGES, "_relu", lambda _: lambda values: values),
        Spoiling("the heads exchanged", f"{AVERAGES}:ParityBySoftAttention", "differences", of_method(np.negative)),
    ),
    "strobl2024-parity-left-hard": HEADS,
    "strobl2024-ac0": (
        Spoiling("the last gate turned", CIRCUIT, "values", of_method(exchanged)),
        Spoiling("another model", TABULATED, "codes", of_method(exchanged)),
        Spoiling("a gate more", TABULATED, "circuit", of_method(with_a_gate)),
        Spoiling("no word matters", TABULATED, "codes", of_method(lambda codes: 0 * codes)),
    ),
    "strobl2024-star-free": DEFINED,
    "strobl2024-first-order-modular": (
        DEFINED[0],
        Spoiling(
            "positions from 0",
            f"{MASKED}:MaskedHardAttention",
            "_start",
            of_method(lambda found: np.roll(found, 1, axis=-1)),
        ),
        DEFINED[3],
    ),
    "nowak2024-regular": (
        Spoiling(
            "a symbol too early",
            STATES,
            "_chosen",
            lambda original: lambda scores, values: np.maximum(0, original(scores, values) - 1),
        ),
        Spoiling(
            "the first state forever", f"{STATES}:StateChain", "next_tokens", of_method(lambda found: 0 * found + 3)
        ),
        Spoiling(
            "the last answer wrong",
            f"{STATES}:StateChain",
            "extend",
            of_method(lambda found: (found[0], one_wrong(found[1]))),
        ),
    ),
    "nowak2024-turing": (
        Spoiling("a step too few", f"{TAPE}:TuringChain", "run", of_method(lambda steps: steps[:-1] or steps * 2)),
        Spoiling("what was written first", TAPE, "_latest", earlier),
    ),
    "nowak2024-regular-distributions": (
        Spoiling("half of the last string", CHAIN, "string_probabilities", answers(one_less)),
        Spoiling(
            "another order of states",
            CHAIN,
            "ngram_by_heads",
            lambda original: (
                lambda language: original(
                    type(language)(2, language.symbols, {**language.counts, (0,): language.counts[(2,)]})
                )
            ),
        ),
    ),
    "ccsim-parity-heads": tuple(
        Spoiling(each.said, each.owner, each.attribute, each.wrap, {"length": 3}) for each in HEADS
    ),
    "ccsim-parity-margin": (
        Spoiling(
            "twice as large", f"{AVERAGES}:ParityBySoftAttention", "differences", of_method(lambda found: 2 * found)
        ),
        Spoiling("another ratio", f"{AVERAGES}:ParityBySoftAttention", "__init__", another_ratio),
    ),
    "ccsim-state-chain": (
        Spoiling(
            "a token more",
            f"{STATES}:StateChain",
            "extend",
            of_method(lambda found: (np.pad(found[0], ((0, 0), (1, 0))), found[1])),
        ),
        Spoiling(
            "a wrong answer", f"{STATES}:StateChain", "extend", of_method(lambda found: (found[0], one_wrong(found[1])))
        ),
    ),
}
