"""Information without error: the constants of the literature, protocols that reveal it, and what is not accepted."""

from __future__ import annotations

import copy
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccsim.bounds import WORST_FOR_AND, WORST_FOR_DISJOINTNESS, information_cost, zero_error_information
from ccsim.bounds.information.logarithms import LogSum
from ccsim.certificates import verify as checker
from ccsim.certificates.verify import Refused, check
from ccsim.errors import InputError
from ccsim.problems import intersection
from protocols.classical import trivial

AND = [[0, 0], [0, 1]]
EVEN = ((1, 1), (1, 1))


@pytest.mark.parametrize(
    ("prior", "cost", "value"),
    [
        (WORST_FOR_AND, "internal", 1.4923),  # Braverman, Garg, Pankratov and Weinstein 2013, also the next two
        (WORST_FOR_DISJOINTNESS, "internal", 0.4827),
        (((0, 1), (1, 1)), "external", math.log2(3)),
    ],
)
def test_the_constants_of_the_literature(prior, cost, value):
    found = zero_error_information(AND, prior, cost)
    assert 0.99 * value < found.lower <= found.upper < 1.001 * value
    assert found.lower - 1e-4 < value < found.upper + 1e-4
    assert found.certificate.verify().endswith("lower by biconcave, upper by talk")


@pytest.mark.parametrize(
    ("table", "prior", "value"),
    [
        ([[0, 1], [1, 0]], EVEN, 2),  # all must be told
        ([[0, 0], [1, 1]], EVEN, 1),  # and here Alice's input
        ([[0, 0], [1, 1]], ((1, 0), (0, 1)), 0),  # which Bob knows
        ([[0, None], [None, 1]], EVEN, 1),  # where the promise lets either tell
        (AND, ((1, 0), (0, 0)), 0),
    ],
)
def test_what_is_known_exactly(table, prior, value):
    found = zero_error_information(table, prior, grid=12)
    assert value - 0.02 < found.lower <= value <= found.upper < value + 1e-6


def revealed(prior, steps, cost):
    """What the protocol of a witness reveals, from the joint distribution of inputs and ends, in floats."""
    mu = np.array(prior, dtype=float) / np.sum(prior)
    at, chances, ends = [0.5, 0.5], [np.ones(2), np.ones(2)], []
    for party, other, after in steps:
        other, after = (float(Fraction(text)) for text in (other, after))
        onward = (at[party] - other) / (after - other)
        for share, place, ending in ((1 - onward, other, True), (onward, after, False)):
            said = share * np.array([(1 - place) / (1 - at[party]), place / at[party]])
            if ending:
                own = [chances[0], chances[1]]
                own[party] = own[party] * said
                ends.append(np.outer(own[0], own[1]))
            else:
                going = said
        chances[party] = chances[party] * going
        at[party] = after
        if after == 1:
            break
    rest = np.outer(chances[0], chances[1])
    last = [rest * (np.arange(4).reshape(2, 2) == place) for place in range(4)]  # all is told
    joint = np.array([mu * end for end in [*ends, *last]])
    entropy = lambda array: -sum(p * math.log2(p) for p in np.ravel(array) if p > 1e-15)  # noqa: E731
    if cost == "external":
        return entropy(mu) + entropy(joint.sum(axis=(1, 2))) - entropy(joint)
    parts = [(mu.sum(axis=axis - 1), joint.sum(axis=axis)) for axis in (1, 2)]
    given = sum(entropy(both) - entropy(one) for one, both in parts)
    return given - 2 * (entropy(joint) - entropy(mu))


@pytest.mark.parametrize("cost", ["internal", "external"])
def test_the_protocol_reveals_what_is_said(cost):
    rng = np.random.default_rng(1)
    for prior in (WORST_FOR_AND, EVEN, *rng.integers(1, 9, (4, 2, 2)).tolist()):
        steps = [[0, "0/1", "2/3"], [1, "0/1", "3/4"], [0, "0/1", "5/6"], [1, "0/1", "9/10"]]
        parameters = {"cost": cost, "prior": [entry for row in prior for entry in row]}
        value = check(AND, "information-cost", "upper", parameters, {"kind": "talk", "steps": steps})
        assert float(value) == pytest.approx(revealed(prior, steps, cost), abs=1e-9)
        assert zero_error_information(AND, prior, cost, grid=8).lower <= value


@settings(max_examples=8, deadline=None)
@example([5, 0, 0, 7], 0)
@given(st.lists(st.integers(0, 9), min_size=4, max_size=4).filter(any), st.integers(1, 14))
def test_no_protocol_reveals_less(prior, number):
    table = [[number >> 0 & 1, number >> 1 & 1], [number >> 2 & 1, number >> 3 & 1]] if number else AND
    found = zero_error_information(table, (prior[:2], prior[2:]), grid=8)
    assert 0 <= found.lower <= found.upper
    assert found.certificate.verify()
    whole = np.array(prior, dtype=object).reshape(2, 2)
    if table == AND:
        assert LogSum.of(found.lower) <= information_cost(trivial(intersection(1)), whole).internal


def spoilt(found, side, change):
    witness = copy.deepcopy(getattr(found, f"{side}_witness"))
    change(witness)
    try:
        return check(found.matrix.codes.tolist(), found.measure, side, found.parameters, witness)
    except Refused:
        return None


def test_spoilt_proofs_are_refused():
    found = zero_error_information(AND, WORST_FOR_AND, grid=8)

    def put(row, column, entry):
        return lambda witness: witness["values"][row].__setitem__(column, entry)

    assert spoilt(found, "lower", lambda witness: None) >= found.lower
    middle = Fraction(found.lower_witness["values"][4][4])
    lower = middle - Fraction(1, 100)
    for change in (
        put(4, 4, f"{lower.numerator}/{lower.denominator}"),
        put(0, 0, "-1/1"),
        put(0, 4, "0/1"),
        put(8, 8, "-1/1"),
        put(3, 3, "9999/1"),
        lambda witness: witness["rows"].reverse(),
        lambda witness: witness["rows"].__setitem__(4, "51/100"),
        lambda witness: witness["values"].pop(),
    ):
        assert spoilt(found, "lower", change) is None
    flat = {"kind": "biconcave", "rows": ["0/1", "1/2", "1/1"], "columns": ["0/1", "1/2", "1/1"]}
    with pytest.raises(Refused, match="entropy"):
        check(AND, "information-cost", "lower", found.parameters, {**flat, "values": [["0/1"] * 3] * 3})
    with pytest.raises(Refused, match="different answers"):
        check([[0, 0], [0, 0]], "information-cost", "lower", found.parameters, found.lower_witness)
    for step in ([0, "1/1", "1/4"], [0, "0/1", "1/4"], [0, "1/4", "3/4"], [0, "0/1", "5/4"], [2, "0/1", "3/4"]):
        assert spoilt(found, "upper", lambda witness, step=step: witness["steps"].insert(0, step)) is None


def test_logarithms_are_between():
    for number in (1, 2, 3, 5, 7, 1000003, 3**200):
        low, high = checker.information.log2_between(number)
        inside = LogSum.log2(number)
        assert LogSum.of(Fraction(low, 1 << checker.information.PLACES)) <= inside
        assert inside <= Fraction(high, 1 << checker.information.PLACES)
        assert high - low <= 2


def test_a_finer_grid_proves_no_less():
    values = [zero_error_information(AND, WORST_FOR_AND, grid=grid).lower for grid in (4, 8, 16)]
    assert values == sorted(values)


def test_bad_questions_are_refused():
    for table in ([[0, 1]], [[0, 0], [0, 0]], [[0, None], [None, None]]):
        with pytest.raises(InputError, match="2 x 2"):
            zero_error_information(table, EVEN)
    for prior in ([1, 1], ((1, 1),), ((0, 0), (0, 0)), ((1, -1), (1, 1)), ((0.5, 0.5), (0, 0)), ((1 << 70, 1), (1, 1))):
        with pytest.raises(InputError, match="prior"):
            zero_error_information(AND, prior)
    with pytest.raises(InputError, match="cost"):
        zero_error_information(AND, EVEN, "secret")
    with pytest.raises(InputError, match="grid"):
        zero_error_information(AND, EVEN, grid=2)


def test_bounds_on_logarithms_are_on_their_sides():
    for value in (Fraction(3, 7), Fraction(7, 3), Fraction(5), Fraction(1, 1000003)):
        below, above = (checker.information.log2_bound(value, side) for side in (False, True))
        assert LogSum.of(below) <= LogSum.log2(value)
        assert LogSum.log2(value) <= LogSum.of(above)
        assert above - below < Fraction(1, 1 << 40)
