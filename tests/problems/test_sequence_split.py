"""Tasks on words as functions of two parties."""

import numpy as np
import pytest
from hypothesis import given
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

TASKS = [dyck(4), index_lookup(3), associative_recall(2), match3(3, 5), q_sparse_averaging(3, 1)]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_every_cell_of_every_split_is_the_answer_on_the_joined_word(task):
    table = task.codes()
    for partition in Partition.all(task.length):
        split = task.split(partition)
        codes = split.codes
        assert codes.size == len(table)
        for place in range(0, len(table), 7):
            word = task.words.value(place)
            x, y = split.deal(word)
            assert split.join(x, y) == word
            assert codes[split.alice.index(x), split.bob.index(y)] == table[place]


@given(st.sampled_from(TASKS), st.data())
def test_deal_and_join_are_inverse(task, data):
    partition = data.draw(st.text("AB", min_size=task.length, max_size=task.length).map(Partition))
    word = task.words.value(data.draw(st.integers(0, task.words.size - 1)))
    split = task.split(partition)
    x, y = split.deal(word)
    assert split.join(x, y) == word
    assert split(x, y) == task(word)
    assert task.split(partition.swap()).deal(word) == (y, x)


def test_halves_split_in_the_middle_are_the_classical_problems():
    middle = Partition.prefix(6, 3)
    assert equality_of_halves(6).split(middle).matrix == equality(3).matrix
    assert intersection_of_halves(6).split(middle).matrix == intersection(3).matrix


def test_lookup_split_before_the_last_token_is_index():
    split = index_lookup(3).split(Partition.prefix(4, 3))
    assert split.codes.tolist() == index(3).codes.tolist()
    assert split.deal(("0", "1", "0", 2)) == ("010", (2,))


def test_a_party_may_hold_nothing():
    split = dyck(2).split(Partition("AA"))
    assert split.shape == (16, 1)
    assert split("()", "") == 1
    assert split.deal("()") == ("()", "")


def test_ranks_beyond_a_byte_are_kept():
    task = SequenceTask(
        "sum",
        Words.over(range(300), 2),
        (0, 1),
        lambda word: (word.sum(axis=-1, dtype=np.int64) > 400).astype(int),
    )
    split = task.split(Partition("BA"))
    assert split((299,), (299,)) == 1
    assert split((250,), (150,)) == 0
    assert split.codes.shape == (300, 300)


def test_a_split_task_knows_where_it_comes_from():
    task, partition = dyck(4), Partition.odd_even(4)
    split = task.split(partition)
    assert (split.task, split.partition) == (task, partition)
    assert split.name == "dyck(4, 2, 2) split ABAB"
    assert split.answers == task.answers
    assert "ABAB" in repr(split)
    assert (~split).codes.tolist() == (1 - split.codes).tolist()


def test_tasks_describe_themselves():
    task = index_lookup(2)
    assert (task.length, task.alphabet) == (3, ("0", "1", 1, 2))
    assert task.positions == (("0", "1"), ("0", "1"), (1, 2))
    assert not task.is_boolean
    assert dyck(2).is_boolean


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


def test_words_and_partitions_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match="4 symbols, not 3"):
        dyck(4)("(()")
    with pytest.raises(InputError, match=r"at position 2 one of .* not 'x'"):
        dyck(4)("(x()")
    with pytest.raises(InputError, match="a partition of 4 positions"):
        dyck(4).split(Partition("ABA"))
    with pytest.raises(InputError, match="a partition of 4 positions"):
        dyck(4).split("ABAB")
    split = dyck(4).split(Partition("ABAB"))
    with pytest.raises(InputError, match="word = '\\(\\)'"):
        split.deal("()")
    with pytest.raises(InputError, match="2 symbols, not 1"):
        split.join("(", "()")
    with pytest.raises(InputError, match="words of at least one symbol"):
        SequenceTask("empty", Words(()), (0, 1), lambda word: word)
    with pytest.raises(InputError, match="one or more answers"):
        SequenceTask("none", Words.over("ab", 1), (), lambda word: word)
