"""What communication says about the size of models: exact thresholds against plain counting."""

import pytest
import sympy

from ccsim import InputError, bounds
from ccsim.bounds.model_size import REQUIREMENTS, recurrent_bits, softmax_bits
from ccsim.problems import dyck, equality_of_halves, index_lookup


@pytest.mark.parametrize("task", REQUIREMENTS)
@pytest.mark.parametrize("kind", ["recurrent", "transformer"])
@pytest.mark.parametrize(("width", "precision", "heads"), [(1, 3, 1), (2, 8, 2), (8, 16, 1)])
def test_excluded_from_is_where_plain_counting_puts_it(kind, task, width, precision, heads):
    step = REQUIREMENTS[task].step
    found = bounds.model(kind, width=width, precision=precision, heads=heads, task=task)
    lengths = range(max(2, step), 1200, step)
    excluded = [
        bounds.model(kind, width=width, precision=precision, heads=heads, task=task, length=length).excluded
        for length in lengths
    ]
    if found.excluded_from is None:
        assert not any(excluded[-20:])
        assert found.vacuous
        return
    plain = max((length for length, out in zip(lengths, excluded, strict=True) if not out), default=0) + step
    assert found.excluded_from == max(plain, step)
    assert not found.vacuous


def test_known_thresholds():
    assert recurrent_bits(4, 8) == 32
    found = bounds.model("recurrent", width=4, precision=8, task="index-lookup", length=33)
    assert (found.excluded_from, found.excluded, found.smallest_width) == (33, True, 5)
    assert bounds.model("recurrent", width=4, precision=8, task="index-lookup", length=32).vacuous
    real = bounds.model("transformer", width=128, precision=32, task="dyck", length=512)
    assert real.excluded is False
    assert real.excluded_from > 7000
    assert "vacuous at N = 512" in str(real)


def test_the_smallest_width_is_the_least_that_is_not_excluded():
    for length in (64, 256, 1024):
        least = bounds.model("transformer", width=1, precision=8, task="dyck", length=length).smallest_width
        assert not bounds.model("transformer", width=least, precision=8, task="dyck", length=length).excluded
        if least > 1:
            assert bounds.model("transformer", width=least - 1, precision=8, task="dyck", length=length).excluded
        found = bounds.model("transformer", width=1, precision=8, task="dyck", length=length)
        value = found.closed_form().subs(
            dict(zip(sorted(found.closed_form().free_symbols, key=str), (1, length, 8, 4), strict=False))
        )
        assert sympy.N(value) <= least


def test_tasks_are_taken_as_objects_and_lengths_with_them():
    assert bounds.model("transformer", width=4, precision=8, task=dyck(8)).length == 8
    assert bounds.model("recurrent", width=4, precision=8, task=index_lookup(5)).length == 5
    assert bounds.model("recurrent", width=1, precision=3, task=equality_of_halves(16)).excluded


def test_transformers_are_not_bounded_where_two_parties_need_little():
    found = bounds.model("transformer", width=1, precision=3, task="index-lookup", length=10**6)
    assert found.vacuous
    assert "vacuous at every length" in str(found)
    assert found.closed_form() is None


def test_the_inequality_is_the_exact_one():
    found = bounds.model("recurrent", width=4, precision=8, task="index-lookup", length=64)
    m, p, n = (sympy.Symbol(name, positive=True, integer=True) for name in "mpN")
    assert found.equation == (m * p >= n)
    found = bounds.model("transformer", width=4, precision=8, heads=2, task="dyck", length=64)
    values = {"N": 64, "H": 2, "p": 8, "s": 4, "v": 4}
    at = {sympy.Symbol(name, positive=True, integer=True): value for name, value in values.items()}
    bits = softmax_bits(head_width=4, heads=2, precision=8, length=64, symbols=4)
    assert found.equation.lhs.subs(at) == bits == found.protocol_bits


@pytest.mark.parametrize(
    ("argument", "value"),
    [("kind", "perceptron"), ("task", "chess"), ("width", 0), ("heads", 0), ("precision", 2), ("length", 7)],
)
def test_bad_input_names_the_argument(argument, value):
    arguments = {"kind": "transformer", "width": 4, "precision": 8, "task": "dyck", "heads": 1, "length": 8}
    with pytest.raises(InputError, match=argument):
        bounds.model(**{**arguments, argument: value})
