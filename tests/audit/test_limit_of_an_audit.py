"""The limit on the time is that of the whole audit: what its parts are given, told without any real clock."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import ccsim as cc
from ccsim.auditing import Budget, auditor, automaton_task, modular_counting, recurrent, sampled_words
from ccsim.auditing.product_reachability import Subject
from ccsim.auditing.sampled_words import accepted_words, critical_words, run_words
from ccsim.models import Automaton, from_task
from ccsim.problems import majority_of_word, parity_of_word
from ccsim.problems.inputs import Words


def test_a_part_never_ends_after_the_whole():
    now = SimpleNamespace(time=0.0)
    whole = Budget(seconds=8.0, clock=lambda: now.time)
    now.time = 4.0
    half = whole.part(1 / 2)
    assert (whole.left, half.seconds, half.left) == (4.0, 2.0, 2.0)
    now.time = 5.0
    assert half.part().seconds == 1.0
    now.time = 9.0
    assert whole.left == 0
    late = whole.part()
    assert 0 < late.seconds < 1e-6
    now.time = 9.5
    with pytest.raises(cc.auditing.OutOfBudgetError, match="out of time before it began"):
        late.require_time("nothing")


def test_all_parts_end_with_the_audit_and_the_interval_has_its_share(monkeypatch):
    """Every part here takes all that it is given."""
    now, ends = SimpleNamespace(time=0.0), []

    def slow(name, result):
        def part(*given):
            budget = next(each for each in given if isinstance(each, Budget))
            ends.append((name, now.time, now.time + budget.left))
            now.time += budget.left
            if name == "product":
                raise cc.auditing.OutOfBudgetError("out of time")
            return result

        return part

    tried = recurrent.Outcome("undecided", "out of time")
    monkeypatch.setattr(auditor, "bound_by_last_symbol", slow("last symbol", None))
    for name, result in {"_product": None, "try_words": tried, "birthday_search": {}}.items():
        monkeypatch.setattr(recurrent, name, slow(name.strip("_"), result))
    monkeypatch.setattr(recurrent, "bound_by_suffixes", slow("endings", None))
    monkeypatch.setattr(recurrent, "bound_by_covers", slow("interval", None))
    model = cc.models.LSTM.random("01", width=2, precision=8, seed=0)
    found = cc.audit(model, majority_of_word(61), seconds=100.0, clock=lambda: now.time)
    names = ["last symbol", "product", "try_words", "birthday_search", "endings", "interval"]
    assert [name for name, _, _ in ends] == names
    assert max(end for _, _, end in ends) == found.seconds == pytest.approx(100)
    after_exact, (_, start, end) = 100 - ends[1][2], ends[-1]
    assert end - start > after_exact / 4


def test_words_beyond_the_time_are_not_run():
    now = SimpleNamespace(time=0.0)
    task, model = parity_of_word(8), cc.models.TransitionTable.random("01", states=3, seed=0)
    pair = Subject.of(model, task)

    def wrong(words):  # a second for each word
        now.time += len(words)
        return np.zeros(len(words), dtype=bool)

    object.__setattr__(pair, "wrong", wrong)
    blocks = np.split(task.words.array(np.arange(60)), [4, 12, 28])
    found = run_words(pair, blocks, Budget(seconds=20.0, clock=lambda: now.time))
    assert (found.words, now.time) == (20, 20.0)


def test_one_word_is_run_where_a_block_takes_too_long(monkeypatch):
    monkeypatch.setattr(sampled_words, "likely_seconds", lambda model, words, clock: float(len(words)))
    task, model = parity_of_word(8), cc.models.TransitionTable.random("01", states=3, seed=0)
    words = task.words.array(np.arange(60))
    for seconds, run, likely in ((20.0, 1, 0), (0.5, 0, 1), (90.0, 60, 0)):
        found = run_words(Subject.of(model, task), [words], Budget(seconds=seconds, clock=lambda: 0.0))
        assert (found.words >= run, found.words > 0, found.too_long) == (True, run > 0, likely)
        assert found.words == run or found.first is not None


def test_no_words_are_drawn_after_the_time():
    now = SimpleNamespace(time=0.0)
    task = majority_of_word(61)
    budget = Budget(seconds=1.0, clock=lambda: now.time)
    blocks = critical_words(task, 64, np.random.default_rng(0), budget)
    next(blocks)
    now.time = 2.0
    assert [len(block) for block in blocks] == [17]  # uniform words of another size, which take no search
    assert accepted_words(task, 1, 5, np.random.default_rng(0), budget) is None
    assert accepted_words(task, 1, 5, np.random.default_rng(0)) is not None


@pytest.mark.parametrize("states", [33, 64])
def test_states_that_are_all_apart_may_come_together_before_they_are_too_many(states):
    """A tree of all words of up to five symbols, and one state behind it: 64 in all, and 32 at most at one position."""
    table = [[2 * state + 1, 2 * state + 2] for state in range(31)] + [[63, 63]] * 33
    tree = Automaton.of("01", table, [state & 1 for state in range(63)] + [0])
    found = cc.audit(tree, automaton_task(tree, 12), states=states)
    assert found.verdict == "right"


def test_words_of_one_letter_are_apart_and_yet_one_at_each_position():
    model = from_task(modular_counting(400, 300, "a"))
    found = cc.audit(model, modular_counting(400, 300, "a"), states=100)
    assert (found.verdict, found.words, found.searched["pairs"]) == ("right", 1, 1)


def test_long_words_are_read_without_their_numbers():
    """The number of a word has as many digits as the word has symbols: to work it out takes their square."""
    task = parity_of_word(1 << 16)

    def refuse(*_):
        raise AssertionError("the number of a long word")

    words = type("Words", (Words,), {"index": refuse, "array": refuse})(task.words.positions)
    assert replace(task, words=words)("01" * (1 << 15)) == 0
    with pytest.raises(cc.InputError, match="at position 2 one of '0', '1', not 'x'"):
        parity_of_word(3)("0x1")
