"""Every family can be found by name and built at several sizes."""

import re

import pytest

from ccsim.errors import InputError
from ccsim.problems import PROBLEMS, MultipartyFunction, SequenceTask, find_problem


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.name)
def test_a_problem_is_built_and_evaluated_at_size_four(problem):
    built = problem.build(4)
    assert built.note
    assert problem.summary
    assert find_problem(problem.name) is problem
    if isinstance(built, SequenceTask):
        assert built.name.startswith(problem.name.replace("-", "_"))
        word = built.words.value(0)
        assert built(word) in (*built.answers, None)
    else:
        assert isinstance(built, MultipartyFunction)
        assert built(*(part.value(0) for part in built.inputs)) in (*built.answers, None)


def test_names_are_distinct_and_written_with_hyphens():
    names = [problem.name for problem in PROBLEMS]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.name)
def test_a_size_of_nothing_is_refused(problem):
    with pytest.raises(InputError):
        problem.build(0)


def test_an_unknown_name_is_answered_with_similar_ones():
    with pytest.raises(InputError, match=r"name = 'greater_then': expected one of the .* did you mean greater-than"):
        find_problem("greater_then")
    with pytest.raises(InputError, match=r"one of the [0-9]+ problems that `ccsim list problems` shows$"):
        find_problem("xyzzy")


def test_the_first_letter_comes_back_at_the_end():
    task = find_problem("regular-language").build(3)
    assert list(task.accepted()) == ["aaa", "aba", "bab", "bbb"]
