"""Intervals by what a model answers to all words with one ending: beside all words one by one."""

import pytest

from ccsim.auditing import Budget, OutOfBudgetError
from ccsim.auditing.product_reachability import Subject
from ccsim.auditing.state_sets import bound_by_suffixes, count_by_suffixes
from ccsim.models import GRU, LSTM, Elman, SelectiveStateSpace
from ccsim.problems import dyck, index_lookup, majority_of_word, parity_of_word, regular_language
from tests.oracles.every_word import brute_force
from tests.slow import slow

TASKS = parity_of_word(6), majority_of_word(7), index_lookup(4), dyck(4)


def compared(kind, seed):
    """A random model, and a task for it."""
    task = TASKS[seed % len(TASKS)]
    model = kind.random(task.alphabet, answers=task.answers, seed=seed, width=2, precision=(6, 9, 12)[seed % 3])
    return Subject.of(model, task)


@pytest.mark.parametrize("kind", [Elman, GRU, slow(LSTM), slow(SelectiveStateSpace)])
def test_the_true_accuracy_is_inside_and_whole_words_tell_it(kind):
    decided = 0
    for seed in range(4):
        pair = compared(kind, seed)
        promised, wrong = brute_force(pair.model, pair.task)
        for long in range(1, len(pair.symbols) + 1):
            found = count_by_suffixes(pair, long, Budget())
            told = found.accuracy
            assert told.words == promised
            assert told.right <= promised - len(wrong) <= told.words - told.wrong
            assert found.first is None or pair.wrong(found.first[None]).all()
            decided += long < len(pair.symbols) and told.decided > 0
        assert told.is_exact
    assert decided


def forgetful(answers):
    """A network of one unit that holds the last symbol, and a fiftieth of what it held before."""
    layer = Elman.layer_kind.from_arrays(16, [[1.0]], [[0.02]])
    scores = {"scores": [[-1.0], [1.0]], "scores_bias": [0.0, 0.0], "answers": answers}
    return Elman.from_arrays("01", precision=16, embedding=[[-1.0], [1.0]], layers=[layer], **scores)


def test_few_last_symbols_tell_what_is_answered_to_very_many_words():
    task = parity_of_word(70)
    pair = Subject.of(forgetful((0, 1)), task)
    told = bound_by_suffixes(pair, Budget()).accuracy
    assert (told.words, told.right, told.wrong) == (2**70, 2**69, 2**69)
    last = regular_language(70, {0: {"0": 0, "1": 1}, 1: {"0": 0, "1": 1}}, 0, [1])
    turned = Subject.of(forgetful((1, 0)), last)
    found = bound_by_suffixes(turned, Budget())
    assert (found.accuracy.right, found.accuracy.wrong) == (0, 2**70)
    assert turned.wrong(found.first[None]).all()


def test_too_many_endings_and_no_time_end_it():
    pair = compared(Elman, 0)
    assert bound_by_suffixes(pair, Budget(seconds=1e-9)) is None
    long = Subject.of(pair.model, parity_of_word(40))
    with pytest.raises(OutOfBudgetError, match="too many endings"):
        count_by_suffixes(long, 30, Budget())
