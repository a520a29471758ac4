"""Index lookup by weights above 3/4 and a threshold: right on every word, of every length up to N."""

from fractions import Fraction

import numpy as np
import pytest

from ccsim import InputError
from ccsim.arithmetic import Precision
from ccsim.auditing import audit
from ccsim.problems import index_lookup
from protocols.constructions import (
    SignVectors,
    printed_index_strength,
    size_of,
    smallest_sign_vectors,
    soft_index_lookup_transformer,
)
from protocols.constructions.assembling import weight_of_target


@pytest.mark.parametrize(
    ("length", "alphabet"), [(1, "01"), (2, "abc"), (8, "01"), (6, "abc"), (4, "abcdefgh"), (3, "a")]
)
def test_right_on_every_word_of_every_length(length, alphabet):
    model = soft_index_lookup_transformer(length, alphabet)
    for size in range(1, length + 1):
        found = audit(model, index_lookup(size, alphabet))
        assert (found.verdict, found.words) == ("right", size * len(alphabet) ** size)
    with pytest.raises(InputError, match=f"words of up to {length + 1} tokens"):
        model.codes(np.zeros((1, length + 2), dtype=np.int64))


@pytest.mark.parametrize("length", [64, 512])
def test_right_where_all_other_positions_say_the_opposite(length):
    model, generator = soft_index_lookup_transformer(length), np.random.default_rng(length)
    for size in (length, length // 2 + 1, 3):
        places = generator.permutation(size)[:6]
        words = np.zeros((2 * len(places), size + 1), dtype=np.int64)
        words[len(places) :, :size] = 1
        row = np.arange(len(places))
        words[row, places], words[row + len(places), places] = 1, 0
        words[:, size] = 2 + np.tile(places, 2)
        assert model.codes(words).tolist() == [1] * len(places) + [0] * len(places)


def weights(model, word):
    """The weights that the last position gives on a word of ranks."""
    unit = model.blocks[0].attention.units[0]
    stream = model.positions(len(word)) + model.token_embedding[word]
    return unit.weighting.row(unit.logits(unit.queries(stream[-1:]), unit.keys(stream)))[0]


@pytest.mark.parametrize("length", [8, 64])
def test_others_get_weight_but_less_than_a_quarter(length):
    model = soft_index_lookup_transformer(length)
    shares = np.array([weights(model, [0] * length + [2 + place]) for place in range(length)])
    own, scale = shares[np.arange(length), np.arange(length)], model.precision.scale
    assert (4 * own > 3 * scale).all()
    assert (own < scale).any()
    assert ((shares > 0).sum(axis=1) > 1).any()


def test_the_width_is_as_printed():
    for length, alphabet, digits in ((16, "01", 1), (16, "abcde", 3)):
        addresses = smallest_sign_vectors(length, Fraction(1, 4))
        model = soft_index_lookup_transformer(length, alphabet, addresses=addresses)
        assert model.width == digits + 2 * addresses.dimension
        assert size_of(model).layers == model.heads == 1


def test_a_strength_that_gives_less_than_three_quarters_is_refused():
    length, addresses = 8, smallest_sign_vectors(8, Fraction(1, 4))
    least = soft_index_lookup_transformer(length, addresses=addresses).precision
    weak = next(  # the largest strength that is not enough
        steps
        for steps in range(least.high, 0, -1)
        if 4 * weight_of_target(least, addresses, steps, length) <= 3 * least.scale
    )
    enough = Fraction(weak + 1, least.scale)
    assert enough < printed_index_strength(length, 10)
    model = soft_index_lookup_transformer(length, addresses=addresses, precision=least, strength=enough)
    assert model.mistake(index_lookup(length)) is None
    for strength in (Fraction(weak, least.scale), Fraction(1, least.scale)):
        with pytest.raises(InputError, match="above 3/4"):
            soft_index_lookup_transformer(length, addresses=addresses, precision=least, strength=strength)


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="not numbers from 1 to 3"):
        soft_index_lookup_transformer(3, (1, 7))
    with pytest.raises(InputError, match="one that holds"):
        soft_index_lookup_transformer(3, precision=Precision.fixed_point(1, 8))
    with pytest.raises(InputError, match="1/2"):
        soft_index_lookup_transformer(3, precision=Precision(15, -100, 100))
    with pytest.raises(InputError, match="above 3/4"):
        soft_index_lookup_transformer(3, addresses=SignVectors(3, 1, 0))
