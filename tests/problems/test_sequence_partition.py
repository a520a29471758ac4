"""Partitions of the positions of a word."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccsim.errors import InputError
from ccsim.problems import Partition

partitions = st.text("AB", min_size=1, max_size=12).map(Partition)


@given(partitions, st.data())
def test_what_is_dealt_is_joined_again(partition, data):
    word = data.draw(st.lists(st.integers(), min_size=partition.length, max_size=partition.length))
    x, y = partition.deal(word)
    assert partition.join(x, y) == tuple(word)
    assert partition.swap().deal(word) == (y, x)
    assert list(x) == [word[place - 1] for place in partition.alice]


@given(partitions)
def test_a_partition_is_a_value(partition):
    again = Partition.of(partition.length, alice=partition.alice, bob=partition.bob)
    assert again == partition == partition.swap().swap() == pickle.loads(pickle.dumps(partition))
    assert hash(again) == hash(partition)
    assert eval(repr(partition)) == partition
    assert Partition(str(partition)) == partition
    assert sorted(partition.alice + partition.bob) == list(range(1, partition.length + 1))


def test_constructors():
    assert str(Partition.prefix(4, 0)) == "BBBB"
    assert str(Partition.prefix(4, 4)) == "AAAA"
    assert str(Partition.odd_even(4)) == "ABAB"
    assert str(Partition.of(4, alice=[4, 1])) == "ABBA"
    assert str(Partition.of(3, alice=[], bob=[1, 2, 3])) == "BBB"
    assert len(set(Partition.all(5))) == 32


BAD = [
    (lambda: Partition(""), "one or more letters"),
    (lambda: Partition(["A"]), "one or more letters"),
    (lambda: Partition("ABC"), "A or B at position 3, not 'C'"),
    (lambda: Partition.of(3, alice=[4]), "alice position = 4: expected an integer from 1 to 3"),
    (lambda: Partition.of(3, alice=[0]), "alice position = 0"),
    (lambda: Partition.of(3, alice=["1"]), "alice position = '1'"),
    (lambda: Partition.of(3, alice=[1.0]), r"alice position = 1\.0"),
    (lambda: Partition.of(3, alice=[1, 1]), "alice position = 1: expected each position given once"),
    (
        lambda: Partition.of(3, alice=[1, 2], bob=[2, 3]),
        "bob position = 2: expected each position given once",
    ),
    (lambda: Partition.of(3, alice=[1], bob=[3]), "position = 2: expected each position given to"),
    (lambda: Partition.of(3, alice=[1], bob=[]), "position = 2"),
    (lambda: Partition.of(0, alice=[]), "length = 0"),
    (lambda: Partition.prefix(3, 4), "split = 4: expected an integer from 0 to 3"),
    (lambda: Partition.odd_even("4"), "length = '4'"),
    (lambda: Partition.all(0), "length = 0"),
    (lambda: Partition("AB").deal("abc"), "2 symbols, not 3"),
    (lambda: Partition("AB").join("ab", "c"), "x = 'ab': expected 1 symbol, not 2"),
    (lambda: Partition("AB").join("a", ""), "y = '': expected 1 symbol, not 0"),
]


@pytest.mark.parametrize(("attempt", "message"), BAD)
def test_a_position_that_does_not_fit_is_named(attempt, message):
    with pytest.raises(InputError, match=message):
        attempt()
