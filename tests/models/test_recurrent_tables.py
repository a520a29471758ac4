"""Transition tables against a loop over symbols, and two models compared on all words of any length."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import InputError
from ccsim.models import Automaton, Elman, TransitionTable, dyck_automaton, first_difference
from ccsim.problems import dyck, index_lookup, parity_of_word
from tests.refusals import refused


def run_by_hand(model, word):
    """The answer, symbol by symbol."""
    state = model.first
    for place, symbol in enumerate(word):
        state = int(model.tables[place if model.length else 0][state, model.alphabet.index(symbol)])
    return model.answers[int(model.outputs[state])]


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 9), st.integers(1, 3), st.integers(0, 10**6), st.booleans())
def test_tables_do_what_a_loop_does(states, symbols, seed, positional):
    length = 5 if positional else None
    alphabet = "abc"[:symbols]
    model = TransitionTable.random(alphabet, states=states, seed=seed, answers="xyz", length=length)
    assert model.state_bits == (states - 1).bit_length()
    words = list(itertools.product(alphabet, repeat=5))
    ranks = np.array([[alphabet.index(symbol) for symbol in word] for word in words])
    expected = [run_by_hand(model, word) for word in words]
    assert [model.answers[code] for code in model.codes(ranks)] == expected
    assert model("".join(words[-1])) == expected[-1]


def test_tables_of_different_heights_at_each_position():
    model = TransitionTable("ab", "xyz", ([[0, 1]], [[0, 1], [2, 2]]), [0, 1, 2], length=2)
    assert model.state_bits == 2
    assert [model(word) for word in ("aa", "ab", "ba", "bb")] == ["x", "y", "z", "z"]
    with pytest.raises(InputError, match="2 symbols"):
        model("aab")


def test_tables_that_do_not_fit_are_refused():
    for make, words in [
        (lambda: TransitionTable("ab", (0, 1), [[[0, 1], [1, 2]]], [0, 1]), r"= 2: expected numbers from 0 to 1"),
        (lambda: TransitionTable("ab", (0, 1), [[[0, -1], [1, 1]]], [0, 1]), r"tables\[0\] = -1"),
        (lambda: TransitionTable("ab", (0, 1), [[[0], [1]]], [0, 1]), "a column for each of 2 symbols"),
        (lambda: TransitionTable("ab", (0, 1), [[[0.0, 1.0], [1, 1]]], [0, 1]), "integers along 2 axes"),
        (lambda: TransitionTable("ab", (0, 1), [[[0, 1], [1, 0]]], [0, 2]), "outputs = 2"),
        (lambda: TransitionTable("ab", (0, 1), [[[0, 1], [1, 0]]], [0]), r"= 1: expected numbers from 0 to 0"),
        (lambda: TransitionTable("ab", (0, 1), [[[0, 1], [1, 0]]], [0, 1], first=2), "first"),
        (lambda: TransitionTable("ab", (0, 1), [[[0, 1], [1, 0]]], [0, 1], length=2), "2 tables"),
        (lambda: TransitionTable("ab", (0, 0), [[[0, 1], [1, 0]]], [0, 1]), "answers"),
        (lambda: TransitionTable.random("ab", states=0, seed=0), "states"),
        (lambda: Automaton("ab", (0, 1), [[[0, 1], [1, 0]]], [0, 1], length=1), "words of every length"),
    ]:
        with refused(words):
            make()


def test_a_model_knows_on_which_word_it_errs():
    parity = TransitionTable("01", (0, 1), [[[0, 1], [1, 0]]], [0, 1])
    assert parity.is_right(parity_of_word(10))
    forgetful = TransitionTable("01", (0, 1), [[[0, 1], [0, 1]]], [0, 1])
    assert forgetful.mistake(parity_of_word(5)) == "00010"
    assert not forgetful.is_right(parity_of_word(5))
    with pytest.raises(InputError, match="one that transition table reads"):
        parity.mistake(dyck(4))


def test_the_models_own_task_is_what_it_computes():
    model = TransitionTable.random("01", states=5, seed=2, answers="xyz")
    task = model.task(7)
    assert task.name == model.name
    assert task.answers == ("x", "y", "z")
    assert [task(word) for word in ("0000000", "1011001")] == [model("0000000"), model("1011001")]
    assert model.is_right(task)
    words = index_lookup(3, "10").words  # symbols in another order, and others
    wide = TransitionTable.random(("1", 3, "0", 2, 1), states=7, seed=3)
    restricted = wide.task(words=words)
    assert all(restricted(word) == wide(word) for word in words)
    with pytest.raises(InputError, match="4 positions"):
        wide.task(5, words)


# Two models on all words


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 4), st.integers(1, 4), st.integers(0, 10**6), st.integers(1, 6))
def test_differences_are_found_iff_there_are_any(states, others, seed, length):
    left = TransitionTable.random("ab", states=states, seed=seed)
    right = TransitionTable.random("ab", states=others, seed=-seed - 1, length=length if seed % 2 else None)
    wrong = [word for word in itertools.product("ab", repeat=length) if left(word) != right(word)]
    found = first_difference(left, right, length)
    assert found in wrong if wrong else found is None
    assert first_difference(left, left, length) is None


def test_answers_are_compared_as_values():
    left = TransitionTable("ab", (0, 1), [[[0, 1], [1, 0]]], [0, 1])
    right = TransitionTable("ab", (1, 0), [[[0, 1], [1, 0]]], [1, 0])
    other = TransitionTable("ab", ("no", "yes"), [[[0, 1], [1, 0]]], [0, 1])
    assert first_difference(left, right, 9) is None
    assert first_difference(left, other, 2) is not None


def test_bounded_brackets_at_every_length():
    """Dyck-(2,2) on all 4^length words: seven stacks against a machine that counts open brackets to depth 3."""
    for length in [1, 2, 7, 400, 1001]:
        assert first_difference(dyck_automaton(2, 2), dyck_automaton(2, 2), length) is None, length
        found = first_difference(dyck_automaton(2, 2), dyck_automaton(2, 3), length)
        if length < 6 or length % 2:
            assert found is None, length
        else:
            assert len(found) == length, length
            assert (dyck_automaton(2, 2)(found), dyck_automaton(2, 3)(found)) == (0, 1), length


def test_too_many_pairs_and_other_alphabets_are_refused():
    left = Elman.random("ab", width=2, precision=12, seed=0)
    with pytest.raises(InputError, match="most_pairs"):
        first_difference(left, left, 20, most_pairs=100)
    with pytest.raises(InputError, match="alphabet"):
        first_difference(left, Elman.random("ba", width=2, precision=12, seed=0), 3)
    with pytest.raises(InputError, match="length"):
        first_difference(left, TransitionTable.random("ab", states=2, seed=0, length=4), 3)
