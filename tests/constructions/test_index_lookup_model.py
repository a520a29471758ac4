"""Index lookup by one layer, hard and soft: right on every word, precise enough and not more, and run as a protocol."""

from fractions import Fraction
from math import log

import numpy as np
import pytest

import ccsim as cc
from ccsim import InputError, Partition
from ccsim.arithmetic import Precision
from ccsim.auditing import audit
from ccsim.problems import index_lookup
from protocols.constructions import (
    BinaryAddresses,
    SignVectors,
    index_lookup_transformer,
    printed_index_strength,
    size_of,
    smallest_sign_vectors,
    soft_index_lookup_transformer,
)
from protocols.constructions.assembling import hard_strength, reach, require_hard, weight_of_target
from protocols.reductions import max_logit_softmax
from tests.refusals import refuse
from tests.slow import slow


def test_right_on_every_word_of_bits():
    for length in (1, 2, 3, 5, 8):
        for addresses in (None, BinaryAddresses(length)):
            model = index_lookup_transformer(length, addresses=addresses)
            assert model.mistake(index_lookup(length)) is None, length
            assert model.layers == model.heads == 1


def test_right_on_every_word_over_other_alphabets():
    for length, alphabet in ((4, "abc"), (2, "abcdefghi"), (3, (1, 2, 7)), (4, (2.0, "x")), (5, "a")):
        assert index_lookup_transformer(length, alphabet).mistake(index_lookup(length, alphabet)) is None, alphabet


def words_against(length, places):
    """For each place, words in which all other positions say the opposite."""
    words = np.zeros((2 * len(places), length + 1), dtype=np.int64)
    words[len(places) :, :length] = 1
    row = np.arange(len(places))
    words[row, places], words[row + len(places), places] = 1, 0
    words[:, length] = 2 + np.tile(places, 2)
    return words


@pytest.mark.parametrize("length", [64, slow(1024)])
def test_right_where_all_other_positions_say_the_opposite_and_on_random_words(length):
    model, generator = index_lookup_transformer(length), np.random.default_rng(length)
    words = words_against(length, generator.permutation(length)[:24])
    random = generator.integers(0, 2, (24, length + 1))
    random[:, length] = 2 + generator.integers(0, length, 24)
    for batch in (words, random):
        np.testing.assert_array_equal(model.codes(batch), batch[np.arange(len(batch)), batch[:, length] - 2])


@pytest.mark.parametrize("length", [4, 16])
def test_the_weight_of_the_wanted_position_is_one_and_of_all_others_nothing(length):
    model = index_lookup_transformer(length)
    for place in range(1, length + 1):
        logits = model.logit_table[0, 1 + place]  # whatever symbols stand there
        assert (logits == logits[:, :1]).all()
        differences = logits[:, 0] - logits[:, 0].max()
        assert np.flatnonzero(model.exponentials(differences)).tolist() == [place - 1]


def test_the_printed_strength_gives_three_quarters_of_the_weight():
    for length in (8, 64, 256):
        strength = printed_index_strength(length, 12)
        assert 0 < strength - 2 * log(3 * length) < Fraction(1, 1000)
        addresses = smallest_sign_vectors(length, Fraction(1, 4))
        precision = Precision.fixed_point(6, 12)
        weight = weight_of_target(precision, addresses, int(strength * precision.scale), others=length)
        assert weight > Fraction(3, 4) * precision.scale
    model = index_lookup_transformer(8, strength=printed_index_strength(8, 6), precision=Precision.fixed_point(4, 6))
    assert model.mistake(index_lookup(8)) is None


def test_hard_strength_is_the_least():
    for precision in (Precision.fixed_point(6, 0), Precision.fixed_point(6, 5), Precision.polynomial(10, 2)):
        for addresses in (SignVectors(30, 40, 1), BinaryAddresses(100), BinaryAddresses(1)):
            strength = hard_strength(precision, addresses)
            require_hard(precision, addresses, strength)
            largest = max(addresses.largest_product, 0)
            assert strength - strength * largest // addresses.dimension >= reach(precision)
            assert all(
                less - less * largest // addresses.dimension < reach(precision)
                for less in range(max(0, strength - 50), strength)
            )


@pytest.mark.parametrize(("length", "precision"), [(3, None), (3, Precision.fixed_point(1, 0)), slow(4, None)])
def test_as_a_protocol_it_costs_no_less_than_the_task_does(length, precision):
    model = index_lookup_transformer(length, precision=precision, addresses=BinaryAddresses(length))
    task = index_lookup(length)
    for partition in (Partition.prefix(length + 1, length), Partition.odd_even(length + 1)):
        needed = cc.bounds.deterministic(task.split(partition)).lower
        for variant in ("literal", "one-sided", "compact", "cheapest"):
            protocol = max_logit_softmax(model, partition, variant=variant, task=task)
            found = protocol.explore().raise_if_wrong()
            assert found.worst_bits == protocol.cost.bits
            assert found.correct
            slack = found.worst_bits - needed
            assert slack >= 0, f"{partition}, {variant}: {found.worst_bits} bits, of {needed} that are needed"
            assert variant != "cheapest" or slack <= 2, slack


def test_the_size_is_counted_by_hand():
    model = index_lookup_transformer(16, addresses=BinaryAddresses(16))
    size, width, signs, bits = size_of(model), 9, 4, model.precision.bits
    matrices = width * signs * 2 + width * 1 * 2 + width * 2 + 2  # queries, keys, values, output, read-out
    assert (size.width, size.precision) == (width, bits)
    assert size.representation_bits == (matrices + 2 * width) * bits  # and the two symbols
    assert size.stored_bits == (matrices + 18 * width + 17 * width) * bits
    assert size_of(index_lookup_transformer(16)).width == 1 + 2 * smallest_sign_vectors(16).dimension


def test_bad_arguments_are_refused():
    refuse(
        (lambda: index_lookup_transformer(0), "length"),
        (lambda: index_lookup_transformer(16, precision=Precision.fixed_point(1, 5)), "holds queries"),
        (lambda: index_lookup_transformer(4, precision=Precision.fixed_point(0, 5)), "holds the product of two codes"),
        (lambda: index_lookup_transformer(8, "abcde", precision=Precision.fixed_point(1, 0)), "two codes, 3"),
        (lambda: index_lookup_transformer(8, strength=99, precision=Precision.fixed_point(2, 5)), "queries of 99"),
        (lambda: index_lookup_transformer(8, strength=1, precision=Precision.fixed_point(4, 10)), "above a half"),
        (lambda: index_lookup_transformer(4, addresses=BinaryAddresses(3)), "numbers"),
        (lambda: index_lookup_transformer(4, strength="x"), "strength"),
        (lambda: index_lookup_transformer(4, strength=float("nan")), "strength"),
        (lambda: index_lookup_transformer(4, addresses=5), "addresses"),
        (lambda: index_lookup_transformer(4, precision="8"), "precision"),
        (lambda: soft_index_lookup_transformer(3, (1, 7)), "not numbers from 1 to 3"),
        (lambda: soft_index_lookup_transformer(3, precision=Precision.fixed_point(1, 8)), "one that holds"),
        (lambda: soft_index_lookup_transformer(3, precision=Precision(15, -100, 100)), "1/2"),
        (lambda: soft_index_lookup_transformer(3, addresses=SignVectors(3, 1, 0)), "above 3/4"),
        (lambda: size_of("model"), "built by"),
    )


def test_right_on_every_word_of_every_length():
    for length, alphabet in ((1, "01"), (7, "01"), (5, "abc"), (3, "abcdefgh"), (3, "a")):
        model = soft_index_lookup_transformer(length, alphabet)
        for size in range(1, length + 1):
            found = audit(model, index_lookup(size, alphabet))
            assert (found.verdict, found.words) == ("right", size * len(alphabet) ** size)
        with pytest.raises(InputError, match=f"words of up to {length + 1} tokens"):
            model.codes(np.zeros((1, length + 2), dtype=np.int64))


@pytest.mark.parametrize("length", [64, slow(512)])
def test_right_where_all_other_positions_say_the_opposite(length):
    model, generator = soft_index_lookup_transformer(length), np.random.default_rng(length)
    for size in (length, length // 2 + 1, 3):
        places = generator.permutation(size)[:6]
        assert model.codes(words_against(size, places)).tolist() == [1] * len(places) + [0] * len(places)


@pytest.mark.parametrize("length", [8, 64])
def test_others_get_weight_but_less_than_a_quarter(length):
    model = soft_index_lookup_transformer(length)
    words, unit = np.pad(2 + np.arange(length)[:, None], ((0, 0), (length, 0))), model.blocks[0].attention.units[0]
    stream = model.positions(length + 1) + model.token_embedding[words]
    shares = unit.weighting.row(unit.logits(unit.queries(stream[:, -1:]), unit.keys(stream)))[:, 0]
    own, scale = shares[np.arange(length), np.arange(length)], model.precision.scale
    assert (4 * own > 3 * scale).all()
    assert (own < scale).any()
    assert ((shares > 0).sum(axis=1) > 1).any()


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
