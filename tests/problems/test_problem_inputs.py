"""Input sets: every index, value, row and text leads back to where it came from."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.bits import Bits
from ccsim.errors import InputError
from ccsim.problems import BitStrings, Integers, Listed, Pairs, Restriction, Subsets, Words
from tests.cases import cases

WORDS = Words((("a", "b"), ("b", "c", "d"), (1, 2, 13)))

SETS = [
    BitStrings(0),
    BitStrings(4),
    BitStrings(62),
    BitStrings(63),
    BitStrings(500),
    Integers(1),
    Integers(7, low=-3),
    Words(()),
    Words.over("abc", 3),
    Words.over("ab", 90),
    Words.over(range(300), 2),
    WORDS,
    Listed(["north", "south", ("up", 1)]),
    Listed([3, 1, 2]),
    Subsets(5, [2]),
    Subsets(4, range(5)),
    Pairs((BitStrings(2), Integers(3, low=1), Subsets(3, [1, 2]))),
    Pairs((BitStrings(40), BitStrings(40))),
    Restriction(WORDS, [17, 0, 4]),
    Restriction(BitStrings(80), [2**79, 3]),
]

in_some_set = st.sampled_from(SETS).flatmap(lambda inputs: st.tuples(st.just(inputs), st.integers(0, inputs.size - 1)))


@settings(max_examples=60, deadline=None)
@given(in_some_set)
def test_an_index_leads_to_a_value_a_text_and_a_row_and_back(case):
    inputs, place = case
    value = inputs.value(place)
    hash(value)
    assert inputs.index(value) == place
    assert value in inputs
    assert inputs.parse(inputs.show(value)) == value
    kind = np.int64 if inputs.size <= 1 << 62 else object
    rows = inputs.array(np.array([place, 0], dtype=kind))
    assert len(rows) == 2
    assert inputs.places(rows).tolist() == [place, 0]


@cases("inputs", [inputs for inputs in SETS if inputs.size < 1000])
def test_a_small_set_lists_itself_in_order(inputs):
    values = list(inputs)
    assert len(set(values)) == len(values) == inputs.size == len(inputs.indices())
    assert len(inputs.array(inputs.indices())) == inputs.size
    assert [inputs.index(value) for value in values] == list(range(inputs.size))


@cases("inputs", SETS)
def test_an_index_outside_is_refused(inputs):
    for place in (-1, inputs.size):
        with pytest.raises(InputError, match=f"index = {str(place)[:100]}"):
            inputs.value(place)


def test_words_are_ordered_by_their_first_position_first():
    assert list(Words.over("ab", 2)) == ["aa", "ab", "ba", "bb"]
    assert list(WORDS) == list(itertools.product(*WORDS.positions))
    assert WORDS.alphabet == ("a", "b", "c", "d", 1, 2, 13)
    assert WORDS.array(np.array([17])).tolist() == [[1, 3, 6]]


def test_inputs_are_written_in_several_ways():
    assert WORDS.parse("a, d, 13") == ("a", "d", 13)
    assert Words.over("ab", 2).parse("ba") == "ba"
    assert BitStrings(3).index("110") == BitStrings(3).index(Bits("110")) == 6
    assert Subsets(5, [2]).index({1, 3}) == Subsets(5, [2]).index(frozenset({3, 1}))
    assert Subsets(5, [2]).parse("{3, 1}") == frozenset({1, 3})


BAD = [
    (lambda: BitStrings(-1), "length = -1: expected at least 0 bits"),
    (lambda: BitStrings(2).index("001"), "a string of exactly 2 bits"),
    (lambda: BitStrings(2).index("0x"), "a string of exactly 2 bits"),
    (lambda: BitStrings(2).index(1), "a string of exactly 2 bits"),
    (lambda: Integers(0), "count = 0"),
    (lambda: Integers(3).index(3), "an integer from 0 to 2"),
    (lambda: Integers(3).index("1"), "an integer from 0 to 2"),
    (lambda: Integers(3).parse("one"), "input = 'one'"),
    (lambda: Words.over("", 2), "one or more symbols"),
    (lambda: Words.over("aa", 2), "all different"),
    (lambda: WORDS.index(("a", "d")), "3 symbols, not 2"),
    (lambda: WORDS.index(("a", "a", 1)), "at position 2 one of 'b', 'c', 'd', not 'a'"),
    (lambda: WORDS.index(7), "a word of 3 symbols"),
    (lambda: WORDS.parse("a b c"), "at position 3"),
    (lambda: Listed([]), "one or more inputs"),
    (lambda: Listed([1, 1]), "all different"),
    (lambda: Listed([1, 2], np.zeros(3)), "one row for each of 2 values"),
    (lambda: Listed(["north"]).index("west"), "one of 'north'"),
    (lambda: Listed(["north"]).index(["north"]), "one of 'north'"),
    (lambda: Listed(["north"]).parse("west"), "one of 'north'"),
    (lambda: Subsets(63, [1]), "1 <= ground <= 62"),
    (lambda: Subsets(3, [4]), "sizes up to it"),
    (lambda: Subsets(3, []), "sizes up to it"),
    (lambda: Subsets(40, [20]), r"at most 2\^22 subsets"),
    (lambda: Subsets(4, [2]).parse("a b"), "input = 'a b'"),
    (lambda: Subsets(4, [2]).index({1, 2, 3}), "with 2 elements"),
    (lambda: SETS[16].index(("00", 1)), "a tuple of"),
    (lambda: SETS[16].parse("00|1"), "a tuple of"),
    (lambda: SETS[16].index(("00", 4, frozenset({1}))), "an integer from 1 to 3"),
    (lambda: Restriction(Integers(3), []), "one or more inputs"),
    (lambda: Restriction(Integers(3), [1, 1]), "all different"),
    (lambda: Restriction(Integers(3), [1]).index(2), "one of 1 chosen inputs"),
]


@cases(("attempt", "message"), BAD)
def test_what_is_not_in_a_set_is_refused_in_its_words(attempt, message):
    with pytest.raises(InputError, match=message):
        attempt()
