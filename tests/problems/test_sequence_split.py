"""Partitions of the positions of a word, and tasks on words as functions of two parties."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.errors import InputError, TableTooLargeError
from ccsim.problems import (
    Partition,
    SequenceTask,
    Words,
    associative_recall,
    dyck,
    equality,
    equality_of_halves,
    index,
    index_lookup,
    intersection,
    intersection_of_halves,
    match3,
    q_sparse_averaging,
)
from tests.cases import cases

FEW = settings(max_examples=30, deadline=None)

TASKS = [dyck(4), index_lookup(3), associative_recall(2), match3(3, 5), q_sparse_averaging(3, 1)]


@cases("task", TASKS)
def test_every_cell_of_every_split_is_the_answer_on_the_joined_word(task):
    table = task.codes()
    for partition in Partition.all(task.length):
        split = task.split(partition)
        codes = split.codes
        assert codes.size == len(table)
        for place in range(0, len(table), 7):
            word = task.words.value(place)
            x, y = split.split(word)
            assert split.join(x, y) == word
            assert codes[split.alice.index(x), split.bob.index(y)] == table[place]


@FEW
@given(st.sampled_from(TASKS), st.data())
def test_deal_and_join_are_inverse(task, data):
    partition = data.draw(st.text("AB", min_size=task.length, max_size=task.length).map(Partition))
    word = task.words.value(data.draw(st.integers(0, task.words.size - 1)))
    split = task.split(partition)
    x, y = split.split(word)
    assert split.join(x, y) == word
    assert split(x, y) == task(word)
    assert task.split(partition.swap()).split(word) == (y, x)


def test_halves_split_in_the_middle_are_the_classical_problems():
    middle = Partition.prefix(6, 3)
    assert equality_of_halves(6).split(middle).matrix == equality(3).matrix
    assert intersection_of_halves(6).split(middle).matrix == intersection(3).matrix


def test_lookup_split_before_the_last_token_is_index():
    split = index_lookup(3).split(Partition.prefix(4, 3))
    assert split.codes.tolist() == index(3).codes.tolist()
    assert split.split(("0", "1", "0", 2)) == ("010", (2,))


def test_a_party_may_hold_nothing():
    split = dyck(2).split(Partition("AA"))
    assert split.shape == (16, 1)
    assert split("()", "") == 1
    assert split.split("()") == ("()", "")


def test_ranks_beyond_a_byte_are_kept():
    words, rule = Words.over(range(300), 2), lambda word: (word.sum(axis=-1, dtype=np.int64) > 400).astype(int)
    task = SequenceTask("sum", words, (0, 1), rule)
    split = task.split(Partition("BA"))
    assert split((299,), (299,)) == 1
    assert split((250,), (150,)) == 0
    assert split.codes.shape == (300, 300)


def test_a_split_task_knows_where_it_comes_from():
    task, partition = dyck(4), Partition.odd_even(4)
    split = task.split(partition)
    assert (split.task, split.partition, split.answers) == (task, partition, task.answers)
    assert "ABAB" in repr(split)
    assert (~split).codes.tolist() == (1 - split.codes).tolist()


def test_accepted_words_come_lazily_and_in_order():
    accepted = dyck(40, 1, 40).accepted()
    with pytest.raises(InputError, match="a Boolean task"):
        index_lookup(2).accepted()
    assert iter(accepted) is accepted
    assert list(dyck(4, 1, 2).accepted()) == ["(())", "()()"]


def test_tables_that_cannot_fit_are_refused():
    with pytest.raises(TableTooLargeError, match="dyck"):
        dyck(100).codes()
    with pytest.raises(TableTooLargeError, match="split"):
        _ = dyck(100).split(Partition.odd_even(100)).codes


partitions = st.text("AB", min_size=1, max_size=12).map(Partition)


@FEW
@given(partitions)
def test_a_partition_is_a_value(partition):
    again = Partition.of(partition.length, alice=partition.alice, bob=partition.bob)
    assert again == partition == partition.swap().swap() == pickle.loads(pickle.dumps(partition))
    assert hash(again) == hash(partition)
    assert eval(repr(partition)) == partition
    assert Partition(str(partition)) == partition
    positions = range(1, partition.length + 1)
    assert sorted(partition.alice + partition.bob) == list(positions)
    assert partition.split(positions) == (partition.alice, partition.bob)
    assert partition.join(partition.alice, partition.bob) == tuple(positions)


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
    (lambda: Partition("ABC"), "a text of one or more letters A and B"),
    (lambda: Partition.of(3, alice=[4]), "alice position = 4: expected an integer from 1 to 3"),
    (lambda: Partition.of(3, alice=[0]), "alice position = 0"),
    (lambda: Partition.of(3, alice=["1"]), "alice position = '1'"),
    (lambda: Partition.of(3, alice=[1.0]), r"alice position = 1\.0"),
    (lambda: Partition.of(3, alice=[1, 1]), "alice position = 1: expected each position given once"),
    (lambda: Partition.of(3, alice=[1, 2], bob=[2, 3]), "bob position = 2: expected each position given once"),
    (lambda: Partition.of(3, alice=[1], bob=[3]), "position = 2: expected each position given to"),
    (lambda: Partition.of(3, alice=[1], bob=[]), "position = 2"),
    (lambda: Partition.of(0, alice=[]), "length = 0"),
    (lambda: Partition.prefix(3, 4), "split = 4: expected an integer from 0 to 3"),
    (lambda: Partition.odd_even("4"), "length = '4'"),
    (lambda: Partition.all(0), "length = 0"),
    (lambda: Partition("AB").split("abc"), "2 symbols, not 3"),
    (lambda: Partition("AB").join("ab", "c"), "x = 'ab': expected 1 symbol, not 2"),
    (lambda: Partition("AB").join("a", ""), "y = '': expected 1 symbol, not 0"),
    (lambda: dyck(4)("(()"), "4 symbols, not 3"),
    (lambda: dyck(4)("(x()"), r"at position 2 one of .* not 'x'"),
    (lambda: dyck(4).split(Partition("ABA")), "a partition of 4 positions"),
    (lambda: dyck(4).split("ABAB"), "a partition of 4 positions"),
    (lambda: dyck(4).split(Partition("ABAB")).split("()"), r"word = '\(\)'"),
    (lambda: dyck(4).split(Partition("ABAB")).join("(", "()"), "2 symbols, not 1"),
    (lambda: SequenceTask("empty", Words(()), (0, 1), lambda word: word), "words of at least one symbol"),
    (lambda: SequenceTask("none", Words.over("ab", 1), (), lambda word: word), "one or more answers"),
]


@cases(("attempt", "message"), BAD)
def test_a_position_that_does_not_fit_is_named(attempt, message):
    with pytest.raises(InputError, match=message):
        attempt()
