"""Nearest neighbour and recall by two layers, hard and soft: right wherever the promise holds, by either route."""

import time
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest

from ccsim import InputError, TableTooLargeError
from ccsim.arithmetic import Precision
from ccsim.problems import associative_recall, multi_query_associative_recall, nearest_neighbour
from protocols.constructions import (
    BinaryAddresses,
    SignVectors,
    associative_recall_transformer,
    multi_query_recall_transformer,
    nearest_neighbour_transformer,
    size_of,
    smallest_sign_vectors,
    soft_recall_transformer,
)
from protocols.constructions.assembling import reach
from protocols.constructions.recall import (
    Margins,
    address_weights,
    copy_weights,
    largest_number,
    require_weights,
)
from tests.refusals import refuse
from tests.slow import slow
from tests.speed import patient

ROUTES = ("address", "copy")
COMPASS = [(1, 0), (0, 1), (-1, 0), (0, -1)]
CUBE = list(product((-1, 1), repeat=3))
TRIPLES = [(3, 4), (4, 3), (-3, 4), (5, 0), (0, -5)]  # of norm 25, with products from -24 to 24


@pytest.mark.parametrize("route", ROUTES)
def test_recall_on_every_word(route):
    for case in ((1, None, "01"), (3, None, "01"), (2, "abcd", "xyz"), (2, ("k", "l"), (0, 1, 2, 3, 4))):
        model = associative_recall_transformer(*case, route=route)
        assert model.mistake(associative_recall(*case)) is None, case
        assert (model.layers, model.heads) == (2, 1)
    options = {"codes": BinaryAddresses(3)} | ({"addresses": BinaryAddresses(7)} if route == "copy" else {})
    assert associative_recall_transformer(3, route=route, **options).mistake(associative_recall(3)) is None


@pytest.mark.parametrize("route", ROUTES)
def test_several_queries_on_every_word(route):
    for pairs, queries in ((1, 1), (2, 1), (2, 2), (3, 2)):
        model = multi_query_recall_transformer(pairs, queries, route=route)
        assert model.mistake(multi_query_associative_recall(pairs, queries)) is None, (pairs, queries)


@pytest.mark.parametrize(
    ("route", "pairs", "vectors", "labels", "margin"),
    [
        ("copy", 1, COMPASS, "01", 1),
        ("address", 2, COMPASS, "01", 1),
        slow("address", 3, COMPASS, "01", 1),
        ("copy", 3, COMPASS, "01", 1),
        ("address", 2, COMPASS, "abc", 2),
        ("address", 1, CUBE, "01", 2),
        slow("copy", 2, CUBE, "01", 2),
        ("address", 2, CUBE, "01", 4),
        slow("address", 2, TRIPLES, "01", 8),
        ("copy", 2, TRIPLES, "01", 1),  # one in twenty-five
    ],
)
def test_nearest_neighbour_on_every_word(route, pairs, vectors, labels, margin):
    model = nearest_neighbour_transformer(pairs, vectors, labels, margin, route=route)
    assert model.mistake(nearest_neighbour(pairs, vectors, labels, margin)) is None


@pytest.mark.parametrize("route", ROUTES)
def test_one_model_answers_prompts_of_every_length(route):
    model = associative_recall_transformer(4, route=route)
    for pairs in (1, 2, 3):
        keys = model.alphabet[:4]
        assert model.mistake(associative_recall(pairs, keys)) is None
    assert model.length is None
    for length in (2, 4, 11):
        with pytest.raises(InputError, match="odd number up to 9"):
            model.codes(np.zeros((1, length), dtype=np.int64))


@pytest.mark.parametrize("route", ROUTES)
def test_the_queries_of_a_word_are_answered_as_if_they_came_alone(route):
    several, single = (
        build(3, route=route) for build in (multi_query_recall_transformer, associative_recall_transformer)
    )
    words = multi_query_associative_recall(3).words
    rows = words.array(np.arange(words.size))
    rows = rows[multi_query_associative_recall(3).evaluate(rows) >= 0]
    values = several.values(rows)
    for query in range(3):
        alone = np.hstack([rows[:, :6], rows[:, 6 + query, None]])
        np.testing.assert_array_equal(values[:, query], single.codes(alone))


def long_words(pairs, generator, count):
    words = np.empty((count, 3 * pairs), dtype=np.int64)
    for word in words:
        word[0 : 2 * pairs : 2], word[2 * pairs :] = generator.permutation(pairs), generator.permutation(pairs)
        word[1 : 2 * pairs : 2] = pairs + generator.integers(0, 2, pairs)
    return words


def wanted(words, pairs):
    held = np.empty((len(words), pairs), dtype=np.int64)
    np.put_along_axis(held, words[:, 0 : 2 * pairs : 2], words[:, 1 : 2 * pairs : 2], axis=1)
    return np.take_along_axis(held, words[:, 2 * pairs :], axis=1) - pairs


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(("pairs", "count"), [(32, 8), slow(1024, 1)])
def test_long_words_with_as_many_queries_as_pairs(route, pairs, count):
    generator = np.random.default_rng(pairs)
    words = long_words(pairs, generator, count)
    codes = smallest_sign_vectors(pairs)
    rows = codes.rows(np.arange(1, pairs + 1))
    close = np.argwhere(np.triu(rows @ rows.T == codes.largest_product, 1))[0]  # the two keys most alike
    words[0, [1, 3]], words[0, 2 * pairs : 2 * pairs + 2] = [pairs, pairs + 1], close
    rest = np.setdiff1d(np.arange(pairs), close)
    words[0, 0 : 2 * pairs : 2] = np.concatenate([close, rest])
    words[0, 2 * pairs + 2 :] = rest
    model = multi_query_recall_transformer(pairs, route=route)
    np.testing.assert_array_equal(model.values(words), wanted(words, pairs))
    with pytest.raises(InputError, match="tuples of answers"):
        model.codes(words)


@pytest.mark.parametrize(
    "margins", [Margins(1, 1, 0, 1), Margins(3, 2, -1, 1), Margins(25, 8, -16, 5), Margins(40, 20, 40, 1)]
)
def test_weights_are_the_least_that_satisfy_the_inequalities(margins):
    precision = Precision.fixed_point(9, margins.entry)
    bound = min(Fraction(1, 2), margins.largest_noise / 2)
    addresses = smallest_sign_vectors(9, bound, two_sided=True)
    least, wide = address_weights(precision, margins, addresses), Precision.fixed_point(40, 0)
    need = reach(precision) * margins.norm
    spread = max(addresses.largest_product, 0) - min(addresses.least_product, 0)
    room = addresses.dimension - max(addresses.largest_product, 0)

    def fine(a, b, c):
        return (
            a * margins.margin - b * spread >= need
            and b * room - a * (margins.norm - margins.best) >= need
            and a * margins.best - b * spread + 2 * c >= need
        )

    assert fine(least.vector, least.address, least.flag)
    for a in range(max(0, least.vector - 3), least.vector + 1):
        for b in range(max(0, least.address - 3), least.address + 1):
            smaller = (a, b) != (least.vector, least.address)
            assert not smaller or not fine(a, b, 10**9)
    assert least.flag == 0 or not fine(least.vector, least.address, least.flag - 1)
    copied = copy_weights(precision, margins)
    assert copied.vector * margins.margin >= need > (copied.vector - 1) * margins.margin
    require_weights(Precision(precision.scale, wide.low, wide.high), margins, least, addresses)
    require_weights(Precision(precision.scale, wide.low, wide.high), margins, copied, None)
    most = largest_number(precision, margins, least, addresses)
    require_weights(Precision(precision.scale, -most, most), margins, least, addresses)


def test_weights_that_miss_an_inequality_by_one_are_refused():
    precision, margins = Precision.fixed_point(12, 3), Margins(3, 2, -1, 1)
    addresses = smallest_sign_vectors(9, margins.largest_noise / 2, two_sided=True)
    right = address_weights(precision, margins, addresses)
    copied = copy_weights(precision, margins)
    refuse(
        *(
            (partial(require_weights, precision, margins, weights, used), words)
            for weights, used, words in (
                (replace(right, vector=right.vector - 1), addresses, "other points"),
                (replace(right, address=right.address - 1), addresses, "itself"),
                (replace(right, flag=right.flag - 1), addresses, "labels"),
                (replace(copied, flag=copied.flag - 1), None, "points"),
            )
        )
    )


def test_bad_arguments_are_refused():
    refuse(
        (lambda: soft_recall_transformer(3, ahead=Fraction(39, 10)), "above 9/10"),  # 1 / (1 + 6 exp(-3.9)) is 0.892
        (lambda: soft_recall_transformer(3, precision=Precision.fixed_point(1, 12)), "one that holds"),
        (lambda: associative_recall_transformer(2, "abc", "ax"), "no keys"),
        (lambda: associative_recall_transformer(2, route="walk"), "route"),
        (lambda: associative_recall_transformer(2, codes=5), "codes"),
        (lambda: nearest_neighbour_transformer(2, 5), "vectors"),
        (lambda: multi_query_recall_transformer(2, 3), "queries"),
        (lambda: associative_recall_transformer(2, precision=Precision.fixed_point(1, 4)), "holds"),
        (lambda: nearest_neighbour_transformer(2, CUBE, addresses=SignVectors(5, 8, 0)), "addresses"),
        (lambda: nearest_neighbour_transformer(2, [(1, 0), (1, 1)]), "norm"),
        (lambda: nearest_neighbour_transformer(0, COMPASS), "pairs"),
    )


def test_addresses_too_long_for_memory_are_refused_before_they_are_searched_for():
    circle = [(a, b) for a in range(-5, 6) for b in range(-5, 6) if a * a + b * b == 25]
    start = time.monotonic()
    with pytest.raises(TableTooLargeError, match="few by route='copy'"):
        nearest_neighbour_transformer(3, circle)
    assert time.monotonic() - start < patient(5)
    assert nearest_neighbour_transformer(3, circle, route="copy").width < 30


def test_right_on_every_prompt_of_every_length():
    for pairs, values in ((1, "01"), (3, "01"), (2, "012")):
        model, keys = soft_recall_transformer(pairs, values=values), "abc"[:pairs]
        for size in range(1, pairs + 1):
            assert model.mistake(associative_recall(size, keys, values)) is None, (pairs, size)
    binary = soft_recall_transformer(3, codes=BinaryAddresses(3))
    assert binary.mistake(associative_recall(3)) is None
    assert binary.width == 2 + 3 * smallest_sign_vectors(7, Fraction(1, 2), two_sided=True).dimension + 2
    assert (size_of(binary).layers, size_of(binary).heads) == (2, 1)


def test_the_second_layer_restores_the_label_from_less_than_all_of_the_weight():
    pairs = 24
    model = soft_recall_transformer(pairs)
    places = np.arange(pairs)
    told = np.stack([places, pairs + places % 2], axis=1).reshape(-1)
    words = np.hstack([np.tile(told, (pairs, 1)), places[:, None]])
    stream = model.token_embedding[words] + model.positions(words.shape[1])
    for block in model.blocks:
        unit = block.attention.units[0]
        given = unit.weighting.row(unit.logits(unit.queries(stream[:, -1:]), unit.keys(stream))[:, 0])
        largest = given.max(axis=1)
        assert (10 * largest > 9 * model.precision.scale).all()
        assert (largest < model.precision.scale).any()
        stream = block(stream, model.causal)
    outputs = model.outputs(words)
    assert outputs.tolist() == [[s * model.precision.scale for s in ((1, -1), (-1, 1))[place % 2]] for place in places]
