"""Transformers for n-gram models: the same probability for every string, and what floating point makes of them."""

import dataclasses
import random
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccsim.errors import InputError
from ccsim.models.language_models import CappedProduct, RootCosine
from protocols.constructions.assembling import size_of
from protocols.constructions.ngrams import (
    NGramModel,
    alice,
    first_lost_maximum,
    letters,
    ngram_by_heads,
    ngram_by_layers,
    ngram_by_values,
    vowels_and_consonants,
)
from tests.refusals import refuse
from tests.slow import slow

CONSTRUCTIONS = [ngram_by_heads, ngram_by_layers, ngram_by_values]
STRINGS = [vowels_and_consonants(paragraph) for paragraph in alice()]


def all_words(symbols, length):
    return np.array(list(product(range(symbols), repeat=length)), dtype=np.int64).reshape(-1, length)


def mistakes(model, language, length):
    """How many strings of a length have another probability than in the language."""
    words = all_words(len(language.symbols), length) if length else np.zeros((1, 0), dtype=np.int64)
    strings = (tuple(language.symbols[rank] for rank in word) for word in words)
    given = model.probabilities(words)
    return sum(mine != language.probability(string) for mine, string in zip(given, strings, strict=True))


def test_the_text():
    assert len(alice()) == 5
    assert sum(map(len, STRINGS)) == 1610
    assert STRINGS[3].startswith("vc vcvccvc cvcvcc cvcc cvcc vcvcv vccvc vc")
    assert letters("A waistcoat-pocket, “no”!") == "a waistcoat pocket no"


@pytest.mark.parametrize("order", [2, 4])
def test_counts_of_a_text_by_another_way(order):
    language = NGramModel.from_strings(STRINGS, order)
    marked = ["^" * (order - 1) + string + "$" for string in STRINGS]
    grams = [text[place : place + order] for text in marked for place in range(len(text) - order + 1)]
    contexts = {gram[:-1] for gram in grams}
    for context in sorted(contexts):
        followers = [gram[-1] for gram in grams if gram[:-1] == context]
        expected = [Fraction(followers.count(after), len(followers)) for after in (*language.symbols, "$")]
        assert list(language.next_symbol(context.lstrip("^"))) == expected
    assert len(contexts) == len(language.counts)


@pytest.mark.parametrize(
    ("order", "smoothing", "longest"),
    [(2, 1, 4), (3, 0, 4), (4, 1, 4), slow(3, 0, 8), slow(5, 0, 7)],
)
@pytest.mark.parametrize("build", CONSTRUCTIONS)
def test_every_string_up_to_a_length_has_the_same_probability(build, order, smoothing, longest):
    language = NGramModel.from_strings(STRINGS, order, smoothing=smoothing)
    model = build(language)
    assert not any(mistakes(model, language, length) for length in range(longest + 1))


@pytest.mark.parametrize("build", CONSTRUCTIONS)
def test_the_paragraphs_themselves_with_all_letters(build):
    texts = [letters(paragraph)[:60] for paragraph in alice()]
    language = NGramModel.from_strings(texts, 3)
    model = build(language)
    for text in texts:
        assert model.probability(text) == language.probability(text) > 0
    assert model.probability(texts[0][::-1]) == language.probability(texts[0][::-1]) == 0


def test_next_symbol_and_strings_beyond_what_float32_can_tell():
    language = NGramModel.from_strings(STRINGS, 3, smoothing=1)
    long = "".join(random.Random(7).choices(language.symbols, k=140))
    for build in CONSTRUCTIONS:
        model = build(language)
        assert model.probability(long) == language.probability(long) > 0
        for string in ("", "v", "cc vcc"):
            assert model.next_symbol(string) == language.next_symbol(string)
            assert sum(model.next_symbol(string)) == 1


def test_a_string_that_is_never_seen_ends_in_a_context_without_counts():
    language = NGramModel.from_strings(STRINGS, 4)
    assert language.probability("   ") == 0
    assert language.next_symbol("   ") == (0, 0, 0, 1)


def test_heads_look_where_they_should_and_nowhere_else():
    language = NGramModel.from_strings(STRINGS, 5)
    for layer in ngram_by_heads(language).attended(60):
        for back, chosen in enumerate(layer):
            assert (chosen.sum(axis=1) == 1).all()
            assert (chosen.argmax(axis=1) == np.maximum(np.arange(60) - back, 0)).all()
    for layer in ngram_by_layers(language).attended(60):
        assert (layer[0].sum(axis=1) == 1).all()
        assert (layer[0].argmax(axis=1) == np.maximum(np.arange(60) - 1, 0)).all()
    [[chosen]] = ngram_by_values(language).attended(60)
    for position, row in enumerate(chosen):
        assert np.flatnonzero(row).tolist() == list(range(max(position - 3, 0), position + 1))


def test_one_layer_fewer_than_in_the_theorem_is_enough_and_two_fewer_are_not():
    language = NGramModel.from_strings(STRINGS, 4)
    model = ngram_by_layers(language, layers=2)
    assert len(model.layers) == 2
    assert mistakes(model, language, 4) == 0
    with pytest.raises(InputError, match="output"):  # the units of all contexts stay off
        dataclasses.replace(model, layers=model.layers[:1]).probability("vcvc")
    with pytest.raises(InputError, match="layers"):
        ngram_by_layers(language, layers=1)


@pytest.mark.parametrize("order", [2, 4])
def test_sizes(order):
    language = NGramModel.from_strings(STRINGS, order)
    symbols = len(language.symbols) + 1
    by_heads, by_layers, by_values = (size_of(build(language, length=1000)) for build in CONSTRUCTIONS)
    assert (by_heads.heads, by_heads.layers, by_heads.width) == (order - 1, 1, (order - 1) * (symbols + 2))
    assert (by_layers.heads, by_layers.layers, by_layers.width) == (1, order - 1, (order - 1) * symbols + 4)
    assert (by_values.heads, by_values.layers, by_values.width) == (1, 1, symbols + 2)
    assert by_heads.precision == by_layers.precision == 10
    assert by_values.precision == (10 ** (1000 + order - 1)).bit_length() > 3300
    assert len(ngram_by_values(language).tokenwise) == order - 1 + 1


@given(st.lists(st.integers(0, 10**12), min_size=6, max_size=6))
def test_root_cosine_against_an_interval_of_many_digits(numbers):
    query, first, second = (np.array(numbers[place : place + 2]) + np.array([1, 0]) for place in (0, 2, 4))
    with mpmath.workdps(120):

        def score(key):
            products = [mpmath.sqrt(mpmath.mpf(int(q)) * int(k)) for q, k in zip(query, key, strict=True)]
            return mpmath.fsum(products) / mpmath.sqrt(int(key.sum()))

        difference = score(first) - score(second)
        expected = 0 if abs(difference) < mpmath.mpf(10) ** -90 else int(mpmath.sign(difference))
    assert int(RootCosine().order(query, first, second)) == expected
    assert int(RootCosine().order(query, second, first)) == -expected


def test_root_cosine_on_multiples_and_neighbours():
    score = RootCosine()
    assert int(score.order(np.array([1, 5]), np.array([2, 10]), np.array([1, 5]))) == 0
    assert int(score.order(np.array([1, 0]), np.array([0, 1]), np.array([0, 3]))) == 0
    places = np.arange(2, 400)
    keys = np.stack([np.ones_like(places), places - 1], axis=-1)
    for other in (-1, 1):
        assert (score.order(keys, keys, keys + np.array([0, other])) == 1).all()


def test_capped_product():
    score = CappedProduct()
    keys = np.array([[-2], [-1], [0], [1], [2]])
    assert score.order(np.array([3]), keys, np.array([0])).tolist() == [-1, -1, 0, 0, 0]


def lost(kind, place):
    """The earlier positions with a score as large as that of the position itself, each looked at."""
    one, places = np.ones(1, dtype=kind), np.arange(1, place + 1).astype(kind)
    shares = one / places
    scores = np.sqrt(shares) * np.sqrt(shares[-1:]) + np.sqrt(one - shares) * np.sqrt(one - shares[-1:])
    return (np.flatnonzero(scores[:-1] >= scores[-1]) + 1).tolist()


@pytest.mark.parametrize(("kind", "expected"), [("float16", 8), ("float32", 123)])
def test_first_lost_maximum_by_looking_at_every_position(kind, expected):
    assert first_lost_maximum(kind) == expected
    assert [place for place in range(2, expected + 1) if lost(kind, place)] == [expected]


def test_first_lost_maximum_in_double_precision():
    assert (lost("float64", 79_683), lost("float64", 79_684)) == ([], [79_683])
    assert first_lost_maximum("float64", limit=1000) is None


def test_bad_input_names_the_argument():
    refuse(
        (lambda: NGramModel.from_strings(STRINGS, 1), "order"),
        (lambda: NGramModel.from_strings(5, 2), "strings"),
        (lambda: NGramModel.from_strings(["ab"], 2, symbols="a"), "strings = .*symbols among 'a'"),
        (lambda: NGramModel.from_strings(["ab"], 2).probability("z"), "string = 'z'"),
        (lambda: NGramModel(2, ("a",), {(0,): (1,)}), "counts"),
        (lambda: NGramModel(2, ("a",), {(2,): (1, 1)}), "counts"),
        (lambda: NGramModel(3, ("a",), {(1, 0): (1, 1)}), "counts"),
        (lambda: NGramModel(2, ("a",), {(1,): (1.5, 0.5)}), "counts = 1.5"),
        (lambda: NGramModel(2, ("a",), 5), "counts"),
        (lambda: first_lost_maximum("float12"), "dtype"),
        (lambda: ngram_by_heads(NGramModel.from_strings(["ab"], 2), length=-1), "length"),
        (lambda: first_lost_maximum("int32"), "dtype"),
        *((lambda build=build: build(5), "language") for build in CONSTRUCTIONS),
        (lambda: first_lost_maximum("float16", limit=0), "limit"),
        (lambda: ngram_by_heads(NGramModel.from_strings(["ab"], 2)).probability("abc"), "string"),
    )
