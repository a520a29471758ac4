"""Ways to make protocols, arithmetic, brackets and built models wrong."""

from dataclasses import replace

import numpy as np

from ccsim.certificates.verify.reading import read_value
from ccsim.matrices import CommunicationMatrix
from tests.claims.spoilings.spoiling import answers


def plus(number):
    return answers(lambda found: found + number)


def second_is_silent(original):
    """The reply to the first maximum is taken to be 'yours is the maximum'."""
    return lambda self, known: original(self, {**known, "second maxima": known["second maxima"] * 0})


def half_the_cost(original):
    def cheaper(*given, **options):
        schedule, cost = original(*given, **options)
        return schedule, replace(cost, formula=f"floor(({cost.formula})/2)")

    return cheaper


def wider(original):
    return property(lambda self: original.fget(self) + 1)


def flipped_on_the_last_word(original):
    def codes(self, words):
        found = np.array(original(self, words))
        return found ^ (np.asarray(words) == len(self.alphabet) - 1).all(axis=-1)

    return codes


def nothing_wrong(original):
    return lambda self, **options: replace(original(self, **options), violations=())


def half_the_words(original):
    def explore(self, **options):
        found = original(self, **options)
        return replace(found, pairs=found.pairs // 2)

    return explore


def rounded_up(original):
    return lambda self, e, z: -(-np.asarray(e) * self.precision.scale // np.asarray(z))


def half_the_exponent(original):
    return lambda self, differences: original(self, np.asarray(differences) // 2)


def the_opposite(original):
    return lambda self, *given, **options: -original(self, *given, **options)


def a_step_more(original):
    return lambda self, *given, **options: original(self, *given, **options) + 1


def nearest(original):
    return lambda above, below: original(above + below // 2, below)


def unsaturated(original):
    return lambda precision, values: values


def saturated_to_even(original):
    return lambda precision, values: original(precision, values) // 2 * 2


def one_more(original):
    def bracket(*given, **options):
        found = original(*given, **options)
        return replace(found, lower=found.lower + 1, upper=found.upper + 1)

    return bracket


def one_less(original):
    def bracket(*given, **options):
        found = original(*given, **options)
        return replace(found, lower=found.lower - 1, upper=found.upper - 1)

    return bracket


def of_the_opposite(original):
    """A bracket of another function: every answer is exchanged."""

    def bracket(matrix, **options):
        return original(CommunicationMatrix(1 - matrix.codes, matrix.labels), **options)

    return bracket


def believing(original):
    """A checker that takes every certificate at its word."""
    return lambda data: [(proof["side"], read_value(proof["value"]), "") for proof in data["proofs"]]


def deeper(original):
    return lambda length, kinds=2, depth=2: original(length, kinds, 3)


def needs(task, formula):
    return lambda original: {**original, task: replace(original[task], two_way=formula)}


def all_but_one(original):
    return lambda *given: list(original(*given))[:-1]


def built_for_equality(original):
    return lambda length, **options: original(length, **{**options, "unequal": False})


def built_for_halves(original):
    return lambda length, **options: original(length, **{**options, "partition": None})


def growing(original):
    """A size that grows like the length."""
    return lambda model: replace(original(model), width=original(model).width + model.length // 2)


def stuck(original):
    """Widths that do not grow."""
    return lambda self, needed: 2


def refusing_all(original):
    def check(*given):
        return original(object(), *given[1:])

    return check
