"""Composed functions and chains of thought: searches, messages and layers made wrong."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from ccsim.claims import Word
from tests.claims.spoilings.spoiling import Spoiling, answers, instead

REDUCTIONS = "protocols.reductions"
ORDER = f"{REDUCTIONS}.layer_in_order"
LAYER = f"{ORDER}:LayerInOrder"
PASS = f"{REDUCTIONS}.softmax_pass:Pass"
PART = f"{REDUCTIONS}.max_logit.parts:Part"
FIELD = "ccsim.engine.schedule:Field"
SCHEDULE = "ccsim.engine.schedule:Schedule"
PLAIN = "protocols.papers.plain.one_message"
SEARCH = f"{REDUCTIONS}.one_way_error"


def scaled(factor):
    return answers(lambda found: replace(found, lower=factor * found.lower, upper=factor * found.upper))


def of_property(change):
    """A property, cached or not, whose value is changed."""

    def wrap(original):
        get = getattr(original, "fget", None) or original.func
        return property(lambda self: change(get(self)))

    return wrap


def of_method(change):
    return lambda original: lambda self, *given, **options: change(original(self, *given, **options))


def turned(function):
    """The same function of two parties with its answers named anew."""
    return replace(function, evaluate=lambda *rows: (function.evaluate(*rows) + 1) % len(function.answers))


def upwards(original):
    return lambda numbers, scale: -original(-numbers, scale)


def right_layer(original):
    """A layer that composes two functions without an error."""

    def codes(self, words):
        n = len(self.answers)
        first = np.take_along_axis(words[:, n : 2 * n], words[:, 2 * n : 2 * n + 1], axis=1)
        return np.take_along_axis(words[:, :n], first, axis=1)[:, 0]

    return codes


def without_last(original):
    """Sums that leave out the last position."""
    return lambda self, registers, positions, symbols, last: original(
        self, registers, list(positions)[:-1], symbols[:, :-1], last
    )


SMALL = {"length": 3}
ERRORS = (
    Spoiling("twice the error", SEARCH, "least_one_way_error", scaled(2), SMALL),
    Spoiling("half the error", SEARCH, "least_one_way_error", scaled(Fraction(1, 2)), SMALL),
    Spoiling("an error of 0", SEARCH, "least_one_way_error", scaled(0), SMALL),
    Spoiling(
        "all tables in one message",
        SEARCH,
        "least_one_way_error",
        answers(lambda found: replace(found, messages=(0,) * len(found.messages))),
        SMALL,
    ),
    Spoiling("another function", SEARCH, "table_lookup", answers(turned), SMALL),
    Spoiling("strategies are left out", f"{SEARCH}.least", "strategy_matrix", answers(lambda rows: rows[::2]), SMALL),
    Spoiling(
        "sets are left out",
        PLAIN,
        "combinations_with_replacement",
        lambda original: lambda *given: list(original(*given))[1:],
        SMALL,
        (Word.BROKEN, Word.OPEN),
    ),
    Spoiling("sizes prove too much", PLAIN, "_least_wrong_by_sizes", answers(lambda least: 2 * least), SMALL),
)
CHAINS = (
    Spoiling("messages are a bit shorter", FIELD, "width", of_property(lambda width: width - 1)),
    Spoiling(
        "exp(x/2) for exp", LAYER, "exponential_table", of_property(lambda table: np.sqrt(table).astype(np.int64))
    ),
    Spoiling("rounded up", ORDER, "floor_divide", upwards),
    Spoiling("the last position is left out", LAYER, "read", without_last),
    Spoiling("another answer", LAYER, "finish", of_method(lambda codes: 1 - codes)),
    Spoiling("a bit is not counted", SCHEDULE, "bits", of_property(lambda bits: bits - 1)),
    Spoiling(
        "cost times 100",
        f"{REDUCTIONS}.sums_in_order",
        "Cost",
        lambda cost: lambda formula, values: cost(f"100*({formula})", values),
    ),
    Spoiling("nothing is checked", "ccsim.engine.level_exploration:LevelExploration", "_wrong_answer", instead(None)),
)
EXACT = (
    Spoiling("messages are a bit shorter", FIELD, "width", of_property(lambda width: width - 1)),
    Spoiling(
        "the finisher's maximum is ignored",
        PASS,
        "_maxima",
        lambda original: (
            lambda self, role, rows, known: (
                original(self, role, rows, known) if role == self.helper else original(self, role, rows, known) - 100
            )
        ),
    ),
    Spoiling("rounded up", "ccsim.models.weighting", "shares", answers(lambda weights: weights + 1)),
    Spoiling(
        "exp(x/2) for exp",
        "ccsim.models.weighting:Softmax",
        "exponentials",
        lambda original: lambda self, differences: original(self, differences // 2),
    ),
    Spoiling("always the first answer", PASS, "answer", of_method(lambda codes: 0 * codes)),
    Spoiling("a bit is not counted", SCHEDULE, "bits", of_property(lambda bits: bits - 1)),
    Spoiling("nothing is checked", "ccsim.engine.level_exploration:LevelExploration", "_wrong_answer", instead(None)),
    Spoiling("sums left out", PART, "sums", of_method(lambda sums: 0 * sums)),
)
STEPS = (
    *CHAINS,
    Spoiling("steps times 100", "protocols.papers.conversing", "_least_steps", answers(lambda steps: 100 * steps)),
    Spoiling("steps without bound", "protocols.papers.conversing", "_least_steps", instead(1)),
    Spoiling(
        "the conversation times 100",
        "ccsim.engine.level_exploration:LevelExploration",
        "worst_bits",
        of_property(lambda bits: 100 * bits),
    ),
)


SPOILINGS = {
    "peng2024-theorem-1": (
        *ERRORS,
        Spoiling(
            "another composition",
            "ccsim.problems",
            "function_composition",
            answers(turned),
            {"length": 3, "precision": 2, "speaker": "f"},
        ),
        Spoiling("a layer that is never wrong", LAYER, "codes", right_layer, {"length": 4, "width": 1, "precision": 3}),
    ),
    "peng2024-theorem-1-three-functions": ERRORS,
    "peng2024-theorem-1-tight": (
        Spoiling("another function", SEARCH, "table_lookup", answers(turned)),
        Spoiling("another composition", "ccsim.problems", "function_composition", answers(turned), {"speaker": "f"}),
        Spoiling(
            "a bit more",
            "protocols.papers.checks",
            "one_way_bits",
            answers(lambda bracket: replace(bracket, lower=bracket.lower + 1, upper=bracket.upper + 1)),
        ),
        Spoiling(
            "a bit less",
            "protocols.papers.checks",
            "one_way_bits",
            answers(lambda bracket: replace(bracket, lower=bracket.lower - 1, upper=bracket.upper - 1)),
        ),
    ),
    "peng2024-theorem-1-message": CHAINS,
    "peng2024-theorem-2": STEPS,
    "ccsim-composition-error": (
        Spoiling("half the error", PLAIN, "error_of_balls", answers(lambda error: error / 2)),
        Spoiling("a fifth more", PLAIN, "error_of_balls", answers(lambda error: error * Fraction(6, 5))),
        Spoiling("larger balls", PLAIN, "comb", answers(lambda count: count + 1)),
        Spoiling("smaller balls", PLAIN, "comb", answers(lambda count: max(1, count - 1))),
    ),
    "ccsim-composition-message-exact": (
        *EXACT,
        Spoiling(
            "the query is not said",
            f"{REDUCTIONS}.composition",
            "_named_query",
            lambda original: lambda model, query: original(model, model.alphabet[0]),
        ),
    ),
    "ccsim-chain-of-thought": CHAINS,
    "ccsim-chain-of-thought-exact": EXACT,
    "ccsim-chain-of-thought-steps": STEPS,
}
