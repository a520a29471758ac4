"""The least error of one message: against all divisions by brute force."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ccsim as cc
from ccsim.bounds import one_way_messages, one_way_success
from ccsim.bounds.one_message import keeps_entropy_bound
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import equality, function_composition, index
from protocols.reductions.one_way_error import (
    Division,
    error_of_balls,
    least_one_way_error,
    nearest_words,
    restored_words,
    syndrome_index,
    table_lookup,
)
from tests.refusals import refuse
from tests.slow import slow


def divisions(count: int, messages: int) -> Iterator[list[int]]:
    """All divisions into at most so many messages, each once."""

    def extend(start: list[int]) -> Iterator[list[int]]:
        if len(start) == count:
            yield start
            return
        for message in range(min(max(start, default=-1) + 2, messages)):
            yield from extend([*start, message])

    return extend([])


def cost_of(messages: list[int], codes: np.ndarray, weights: np.ndarray) -> int:
    """What the best answers leave wrong."""
    wrong = int(weights.sum())
    for message in set(messages):
        rows = [row for row, sent in enumerate(messages) if sent == message]
        for column in range(codes.shape[1]):
            labels = {int(code) for code in codes[rows, column] if code >= 0}
            wrong -= max(
                (int(weights[rows, column][codes[rows, column] == label].sum()) for label in labels), default=0
            )
    return wrong


@st.composite
def problems(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    cells = st.lists(st.integers(-1, 2), min_size=rows * columns, max_size=rows * columns)
    codes = np.array(draw(cells)).reshape(rows, columns)
    numbers = st.lists(st.integers(0, 3), min_size=rows * columns, max_size=rows * columns)
    weights = np.where(codes >= 0, np.array(draw(numbers)).reshape(rows, columns), 0)
    if not weights.any():
        codes[0, 0], weights[0, 0] = 0, 1
    return codes, weights


def function_of(codes: np.ndarray) -> cc.TwoPartyFunction:
    return cc.TwoPartyFunction.from_matrix(CommunicationMatrix(codes.astype(np.int8), (0, 1, 2)))


@settings(max_examples=25, deadline=None)
@given(problems(), st.integers(0, 3))
def test_the_best_division_by_brute_force(problem: tuple[np.ndarray, np.ndarray], bits: int) -> None:
    codes, weights = problem
    found = least_one_way_error(function_of(codes), bits, weights=weights)
    best = min(cost_of(messages, codes, weights) for messages in divisions(len(codes), 1 << bits))
    assert found.exact
    assert found.upper == Fraction(best, int(weights.sum()))
    assert max(found.messages) < 1 << bits
    assert Fraction(cost_of(list(found.messages), codes, weights), int(weights.sum())) == found.upper


@settings(max_examples=12, deadline=None)
@given(problems())
def test_no_error_is_left_from_the_one_way_complexity_on(problem: tuple[np.ndarray, np.ndarray]) -> None:
    codes, _ = problem
    function = function_of(codes)
    messages = one_way_messages(function.matrix).upper
    bits = (messages - 1).bit_length()
    assert least_one_way_error(function, bits).upper == 0
    if bits:
        assert least_one_way_error(function, bits - 1).lower > 0


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1 << 32), st.integers(2, 4), st.booleans(), st.booleans())
def test_proofs_do_not_rely_on_a_lucky_search(seed: int, messages: int, by_classes: bool, near: bool) -> None:
    """From a bad division, or one that is nearly best, either way of going through all cases ends at the best."""
    generator = np.random.Generator(np.random.PCG64(seed))
    costs = generator.integers(0, 6, size=(int(generator.integers(messages, 9)), int(generator.integers(4, 8))))
    chosen = np.array(list(itertools.combinations(range(len(costs)), messages)))
    best = int(costs[chosen].min(axis=1).sum(axis=1).min())
    division = Unlucky(costs, messages)
    assert division.lower <= best
    if near:
        division.upper = best + 1
    assert division._choose_classes() if by_classes else division._choose_strategies()
    assert division.lower == division.upper == best == division._cost(division.strategies)


class Unlucky(Division):
    """Begins with one strategy for everything."""

    def _local_search(self) -> list[int]:
        return [int(self.costs.sum(axis=1).argmax())] * self.messages


LOOKUP = {
    2: ["1/2", "1/4", "0"],
    3: ["2/3", "13/27", "1/3", "19/81", "11/81", "0"],
}


def test_a_message_about_a_table_is_a_code() -> None:
    """Values found by looking at all sets of 2^bits words of length n for the least average distance."""
    for n, bits in [(n, bits) for n, values in LOOKUP.items() for bits in range(len(values))]:
        found = least_one_way_error(table_lookup(n), bits)
        assert found.exact
        assert str(found.upper) == LOOKUP[n][bits]
        if bits <= 2:
            words = np.array(list(itertools.product(range(n), repeat=n)))
            distances = (words[:, None] != words[None, :]).sum(axis=2)
            chosen = np.array(list(itertools.combinations(range(len(words)), 1 << bits)))
            best = distances[chosen].min(axis=1).sum(axis=1).min()
            assert found.upper == Fraction(int(best), n * n**n)


COMPOSED = {2: ["1/4", "1/8", "0"], 3: ["10/27", "226/729", "52/243", "104/729", "56/729", "0"]}
FOUR = ["3/4", "157/256", "15/32", "25/64", "9/32", None, None, "1/8", "0"]


@pytest.mark.parametrize(
    ("function", "values", "bits"),
    [
        (table_lookup(4), FOUR, (0, 1, 8)),
        slow(table_lookup(4), FOUR, (3, 4, 7)),
        (function_composition(2), COMPOSED[2], range(3)),
        (function_composition(3), COMPOSED[3], (0, 4, 5)),
        slow(function_composition(3), COMPOSED[3], (1, 3)),
    ],
)
def test_tables_of_four_values_and_compositions(
    function: cc.TwoPartyFunction, values: list[str], bits: Iterable[int]
) -> None:
    for length in bits:
        found = least_one_way_error(function, length)
        assert found.exact
        assert str(found.upper) == values[length]


def test_what_is_not_proved_stays_a_bracket(monkeypatch: pytest.MonkeyPatch) -> None:
    from protocols.reductions import one_way_error

    monkeypatch.setattr(one_way_error, "MOST_CHOICES", 10)
    monkeypatch.setattr(one_way_error, "MOST_CLASSES", 10)
    found = least_one_way_error(table_lookup(3), 1)
    assert not found.exact
    assert found.lower < found.upper == Fraction(13, 27)
    assert str(found) == "least error of 1 bit in [38/81, 13/27]"


def test_permutations_are_the_hardest_second_functions() -> None:
    """With g a permutation the answer tells f(x), so the least error is that of looking up f."""
    for n, bits in itertools.product((2, 3), (0, 1, 3)):
        function = function_composition(n)
        weights = np.array([[len(set(g)) == n for g, _ in function.bob]] * n**n).astype(np.int64)
        found = least_one_way_error(function, bits, weights=weights)
        assert found.exact
        assert found.upper == least_one_way_error(table_lookup(n), bits).upper


# Bad input


def test_what_does_not_fit_is_refused() -> None:
    refuse(
        *((partial(least_one_way_error, index(2), bits), "bits = ") for bits in (-1, 1.5, 17)),
        *(
            (partial(least_one_way_error, index(2), 1, weights=weights), "weights = ")
            for weights in (np.ones((4, 3), int), np.ones((4, 2)), -np.ones((4, 2), int), np.zeros((4, 2), int))
        ),
        (lambda: least_one_way_error(equality(5), 1), "strategies of the receiver"),
        (lambda: least_one_way_error(5, 2), "function"),  # type: ignore[arg-type]
        (lambda: table_lookup(0), "n = 0"),
    )


def test_entropy_and_counting_are_below_the_exact_errors():
    for n in range(1, 6):
        for bits in range(n + 1):
            found = least_one_way_error(index(n), bits)
            assert error_of_balls(n, 1 << bits) <= found.upper
            assert keeps_entropy_bound(found.upper, n, bits)
        assert found.upper == 0


def test_uniform_inputs_are_the_hardest():
    for n, bits in ((1, 0), (2, 1), (3, 1)):
        assert 1 - one_way_success(index(n), bits).lower == least_one_way_error(index(n), bits).upper


def test_a_hamming_code_reaches_what_counting_allows():
    for checks in (2, 3):
        n = (1 << checks) - 1
        found = syndrome_index(checks).measure_error()
        assert (found.worst_error, found.exact, found.worst_bits) == (Fraction(1, n + 1), True, n - checks)
        assert found.worst_error == error_of_balls(n, 1 << (n - checks))


def test_nearest_words_are_at_most_a_flip_away():
    for checks in (2, 3, 4):
        n = (1 << checks) - 1
        words = np.arange(1 << n)
        near = restored_words(nearest_words(words, checks), checks)
        assert np.bitwise_count(words ^ near).max() == 1
        assert len(np.unique(near)) == 1 << (n - checks)
