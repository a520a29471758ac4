"""Spoilings of what is claimed about bounded brackets by two and three layers and by simple networks."""

from dataclasses import replace
from importlib import import_module

import numpy as np

from tests.claims.spoilings.constructed import (
    deeper,
    flipped,
    half_the_argument,
    resized,
    times,
    wrong_on_the_last_word,
)
from tests.claims.spoilings.of_recurrent import deeper as deeper_automaton
from tests.claims.spoilings.of_recurrent import forgetting, of_half
from tests.claims.spoilings.spoiling import Spoiling, answers

B, MODELS, PARTS = "bhattamishra2024", "protocols.constructions", "protocols.constructions.dyck.parts"
TRANSFORMER, ELMAN = "ccsim.models:Transformer", "ccsim.models.recurrent.elman"
RECOGNISER = "protocols.constructions.dyck.recogniser"
SHORT = {"length": 12}


def one_kind(codes):
    """The same code for all kinds."""
    return [codes[0]] * len(codes)


def exchanged_at_the_end(original):
    """Another answer at the last place of every word."""

    def outputs(self, words, places):
        given = np.array(original(self, words, places))
        given[..., -1, :] = -given[..., -1, :]
        return given

    return outputs


def without_sums(original):
    """Nothing is made of the sums of codes."""

    def faults(made):
        (units, *first), *rest = original(made)
        units[made.slots["open"]] = 0
        return [(units, *first), *rest]

    return faults


def partners_everywhere(_):
    """The faults of depth 2: every kind that is found counts, and no sum."""
    return lambda made: import_module(RECOGNISER)._faults(made)


def shape(change, said):
    return Spoiling(said, MODELS, "size_of", resized(change), SHORT)


BUILT = (
    Spoiling("wrong on the last word only", TRANSFORMER, "codes", wrong_on_the_last_word, SHORT),
    Spoiling("exp(x/2) for exp(x)", "ccsim.arithmetic.functions:Exponential", "__call__", half_the_argument, SHORT),
    Spoiling("kinds of brackets not told apart", PARTS, "answer_codes", answers(one_kind), SHORT),
    Spoiling("positions twice as far apart", PARTS, "reach", times(2), SHORT),
    shape(lambda size, length: replace(size, width=size.width + length), "width + N"),
)
LANGUAGE = (
    Spoiling("answers exchanged", TRANSFORMER, "codes", flipped, SHORT),
    Spoiling("a language of one level more", "ccsim.problems", "dyck", deeper, SHORT),
)

SPOILINGS = {
    f"{B}-section-4-1-dyck-by-two-layers": (*LANGUAGE, *BUILT),
    f"{B}-section-4-1-dyck-by-two-layers-precision": (
        Spoiling("positions twice as far apart", PARTS, "reach", times(2), SHORT),
        shape(lambda size, _: replace(size, precision=size.precision - 1), "one bit less than it has"),
    ),
    f"{B}-section-4-1-next-brackets-by-two-layers": (
        Spoiling("another answer at the end of a word", TRANSFORMER, "outputs_at", exchanged_at_the_end, SHORT),
        *BUILT,
    ),
    f"{B}-section-4-1-dyck-by-a-simple-network": (
        Spoiling("a unit forgotten", f"{ELMAN}:ElmanLayer", "step", forgetting, {"length": 8}),
        Spoiling("sigmoids of half the argument", ELMAN, "apply", of_half, {"length": 8, "activation": "sigmoid"}),
        Spoiling(
            "a language of one level more", "ccsim.models.automata", "dyck_automaton", deeper_automaton, {"length": 8}
        ),
    ),
    "ccsim-dyck-by-two-layers-at-depth-3": (
        Spoiling("codes of what is open not looked at", RECOGNISER, "_faults_at_depth_3", without_sums, SHORT),
        Spoiling("partners by parity everywhere", RECOGNISER, "_faults_at_depth_3", partners_everywhere, SHORT),
        *LANGUAGE,
        BUILT[0],
        *BUILT[2:],
    ),
    "ccsim-dyck-by-three-layers": (*LANGUAGE, *BUILT),
}
