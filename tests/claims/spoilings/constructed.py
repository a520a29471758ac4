"""What can be put in the place of functions under constructed models: each takes the original."""

from dataclasses import replace

import numpy as np

from protocols.constructions import SignVectors
from tests.claims.spoilings.spoiling import answers


def resized(change):
    """What a model says of its own size is changed by a function of its length."""
    return lambda original: lambda model: change(original(model), getattr(model, "length", None) or 16)


def flipped(original):
    """Answers 0 and 1 exchanged; of more answers all in another order."""
    return lambda self, words: (1 - original(self, words)) % len(self.answers)


def wrong_on_the_last_word(original):
    """One far-off word with another answer."""

    def codes(self, words):
        given = np.array(original(self, words))
        given[..., -1] = (given[..., -1] + 1) % len(self.answers)
        return given

    return codes


def wider(original):
    """A sixteenth of the number of vectors more signs than are needed."""
    return lambda count, *given, **options: SignVectors(
        count, original(count, *given, **options).dimension + -(-count // 16), 0
    )


def half_the_argument(original):
    """exp(x/2) for exp(x)."""
    return lambda self, mantissas: original(self, -(-np.asarray(mantissas) // 2))


def of_half_the_difference(original):
    """exp(x/2) for exp(x), in the second computation."""
    return lambda difference, scale: original(-(-difference // 2), scale)


def negative(original):
    """Numbers with the other sign."""
    return lambda self, words: -original(self, words)


def last_as_first(codes):
    """The last of some codes is the first one again."""
    return [*codes[:-1], codes[0]]


def up(original):
    """Weights rounded up."""
    return lambda exponentials, normalisers, scale: -(-np.asarray(exponentials) * scale // np.asarray(normalisers))


def times(factor):
    """A function whose value is multiplied."""
    return answers(lambda value: value * factor)


def all_ones(original):
    """No signs but 1."""
    return lambda *given, **options: np.ones_like(original(*given, **options))


def too_few(original):
    """Three signs for any number of vectors."""
    return lambda count, *given, **options: SignVectors(count, 3)


def one_sided(original):
    """Products are bounded from above only, whatever is asked for."""
    return lambda count, bound, two_sided=False: original(count, bound)


def lookup_bound(name):
    def changed(table):
        return {**table, name: (table[name][0], -2)}

    return answers(changed)


def instead_value(value):
    """A constant that is another one."""
    return lambda _: value


def told(**changes):
    """What the integers decide about the printed eta, with something else said."""
    return answers(lambda scaling: replace(scaling, **changes))


def larger_eta(original):
    """The derived eta times 100."""
    return lambda *given: replace(original(*given), derived=100 * original(*given).derived)


def many(original):
    """Hundreds of signs more than are needed."""
    return lambda count, *given, **options: SignVectors(count, 200 + original(count, *given, **options).dimension)


def far_more(original):
    """So many signs that products are next to nothing."""
    return lambda count, *given, **options: SignVectors(count, 1 << 12)


def evenly(original):
    """Weights that do not depend on the logits."""
    return lambda self, logits, allowed=None: np.full_like(logits, self.precision.scale // logits.shape[-1])


def times_one_more(original):
    """Every floor one more."""
    return lambda value: original(value) + 1


def doubled(original):
    """Weights of a query times 2."""

    def weights(*given):
        found = original(*given)
        return replace(found, vector=2 * found.vector, flag=2 * found.flag)

    return weights


def halved(original):
    """Weights of a query, halved."""

    def weights(*given):
        found = original(*given)
        return replace(found, vector=found.vector // 2)

    return weights


def last_exchanged(original):
    """The answer to the last query of each word exchanged."""

    def values(self, words):
        given = np.array(original(self, words))
        given[..., -1] = 1 - given[..., -1]
        return given

    return values


def same_address(original):
    """The first address for every position."""
    return lambda count: [original(count)[0]] * len(original(count))


def of_norm_2(original):
    """Addresses twice as long."""
    return lambda count: [tuple(2 * entry for entry in address) for address in original(count)]


def deeper(original):
    """One level more than is asked for."""
    return lambda length, brackets=2, depth=2: original(length, brackets, depth + 1)


def coarser(original):
    """Twice as many steps."""
    return lambda length, most: original(2 * length, most)
