"""Ways in which averages, matches and their bounds are made wrong."""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from tests.claims.spoilings.spoiling import Spoiling

AVERAGING = "protocols.constructions.sparse_averaging"
DUALS = "protocols.constructions.dual_vectors:DualVectors"
MATCH2 = "protocols.constructions.match2"
MEASURES = "protocols.papers.sanford2023.findings"
ORACLES = "protocols.papers.oracles_averaging"
QUERY = "protocols.reductions.attention_query:_Averaging"
REDUCTIONS = "protocols.reductions.task_reductions"
UNIT = "ccsim.models.attention:AttentionUnit"


def at(spoiling, **setting):
    """The same, measured elsewhere."""
    return replace(spoiling, setting=setting)


def changed(**parts):
    """A frozen value with other attributes, each made from the old one."""
    return lambda found: replace(found, **{name: make(getattr(found, name)) for name, make in parts.items()})


# The arithmetic


def of_half_the_difference(original):
    return lambda self, mantissas: original(self, np.asarray(mantissas) // 2)


def rounded_up(_):
    return lambda exponentials, normalisers, scale: -(-np.asarray(exponentials) * scale // normalisers)


def wrong_on_the_last(original):
    """A model that is wrong on one word alone, the last of those that are asked."""

    def codes(self, words):
        found = original(self, words).copy()
        found.reshape(-1)[-1] ^= 1
        return found

    return codes


HALF = Spoiling("exp(x/2) for exp", "ccsim.arithmetic.functions:Exponential", "__call__", of_half_the_difference)
UP = Spoiling("weights rounded up", "ccsim.models.weighting", "shares", rounded_up)
LAST = Spoiling("wrong on the last word", "ccsim.models.row_model:RowModel", "codes", wrong_on_the_last)


# The units


def with_dimension(size):
    """A unit with another number of signs."""
    return lambda original: lambda length, q, **rest: original(length, q, **{**rest, "dimension": size(length, q)})


def no_errors(_):
    return lambda self, subsets: [Fraction(0) for _ in subsets]


def squared_only_once(original):
    """The product of the distances, without the squares."""
    return lambda self, chosen: (*original(self, chosen)[: len(chosen) + 1], *[0] * (2 * self.most - len(chosen)))


def six_bits_fewer(original):
    """Numbers of six bits fewer than are chosen."""

    def numbers(length, factor, shifted, precision):
        chosen = original(length, factor, shifted, precision)
        return chosen if precision is not None else original(length, factor, shifted, chosen.bits - 6)

    return numbers


def with_a_bias(original):
    """Maps that add a step."""
    return lambda precision, weights, bias=None: original(precision, weights, [1] * weights.shape[1])


def only_in_as_many_bits_as_symbols(original):
    return lambda unit, length, queries, keys: (
        2 * unit.precision.bits >= len(queries) and original(unit, length, queries, keys)
    )


def six_signs_for_each(original):
    return lambda count, size, seed: original(count, 6 * count, seed)


def of_a_smaller_window(original):
    return lambda word, modulus, row, window=None: original(word, modulus, row, window and window - 1)


def hinting_at_the_first(word):
    return tuple((number, 1) for number, _ in word)


def only_in_many_bits(original):
    """A proof that wants four bits more than it needs."""

    def margin(unit, *given):
        return unit.precision.bits > 24 and original(unit, *given)

    return margin


# The reductions and what is certified


def one_bit_more(bracket):
    return replace(bracket, lower=bracket.lower + 1, upper=bracket.upper + 1)


def about_equality(_):
    """The certified bits of another function, which are as many."""
    from ccsim.bounds import deterministic
    from ccsim.problems import equality

    return lambda source, **options: deterministic(equality(len(source.alice.value(0))), **options)


def about_the_opposite(original):
    """The certified bits of one message for the opposite function."""
    from ccsim.problems import TwoPartyFunction

    def bits(function, *given):
        opposite = TwoPartyFunction(
            function.name, function.inputs, function.answers, lambda x, y: 1 - function.evaluate(x, y)
        )
        return original(opposite, *given)

    return bits


def both_know(original):
    return lambda source, **options: original(source)


def swapped_signs(original):
    def reduction(n, length=None):
        made = original(n, length)
        return replace(made, encode_bob=lambda bits: tuple((y, -z) for y, z in made.encode_bob(bits)))

    return reduction


def without_the_value(original):
    return lambda self, send: original(self, send)[:-1]


def with_a_copy_of_the_value(original):
    def steps(self, send):
        said = original(self, send)
        return [*said, replace(said[-1], name="again")]

    return steps


def turned_round(original):
    return lambda *given, **options: 1 - original(*given, **options)


def of_a_shorter_word(original):
    return lambda word, *rest: original(word[:-1] if len(word) > 1 else word, *rest)


def first_rows(_):
    """The rows that come first, whatever their values add up to."""
    return lambda vector, dimension, q: (tuple(range(1, q + 1)), Fraction(1))


def one_digit_less(original):
    """A sum cut to one significant bit less."""
    return lambda total, precision: original(total, precision - 1)


def exactly(_):
    """A sum as it is."""
    return lambda total, precision: (total, 0)


def first_number(output):
    """All numbers but the first made 0."""
    return output * (np.arange(output.shape[-1]) == 0)
