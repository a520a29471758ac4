"""Several parties at a blackboard: at tiny sizes as the definition says; two parties as before."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.bounds import blackboard, deterministic
from ccsim.problems import equality_of_three, greater_than
from protocols.classical import blackboard_equality
from tests.speed import patient

MAJORITY = [[[0, 0], [0, 1]], [[0, 1], [1, 1]]]


def by_definition(codes):
    """The least depth of a protocol: one answer, or a party splits its inputs in two."""

    @cache
    def bits(box):
        seen = {int(codes[cell]) for cell in product(*box)} - {-1}
        if len(seen) < 2:
            return 0
        halves = []
        for party, own in enumerate(box):
            for chosen in product((0, 1), repeat=len(own)):
                parts = [tuple(x for x, bit in zip(own, chosen, strict=True) if bit == side) for side in (0, 1)]
                if all(parts):
                    halves.append(1 + max(bits((*box[:party], part, *box[party + 1 :])) for part in parts))
        return min(halves)

    return bits(tuple(tuple(range(size)) for size in codes.shape))


def test_known_complexities():
    for subject, bits in [
        (equality_of_three(1), 3),
        (equality_of_three(2), 4),
        (MAJORITY, 3),
        (np.zeros((2, 2, 2), dtype=int), 0),
        (np.indices((2, 2, 2)).sum(axis=0) % 2, 3),
        ([[[0, None], [None, 1]], [[0, 1], [1, 1]]], 2),
        (np.indices((2, 2, 2, 2)).min(axis=0), 4),
        ([[["yes", "no"]]], 1),
    ]:
        found = blackboard(subject)
        assert (found.lower, found.upper) == (bits, bits)


def test_two_parties_at_a_blackboard_are_two_parties():
    rng = np.random.default_rng(1)
    for table in (greater_than(2).codes, *rng.integers(0, 3, (5, 4, 5))):
        assert blackboard(table).lower == deterministic(table).lower


cells = st.integers(-1, 2)
tables = st.tuples(*[st.integers(1, 3)] * 3).flatmap(
    lambda shape: st.lists(cells, min_size=int(np.prod(shape)), max_size=int(np.prod(shape))).map(
        lambda entries: np.array(entries).reshape(shape)
    )
)


@settings(max_examples=10, deadline=None)
@given(tables)
def test_small_tables_cost_what_the_definition_says(codes):
    found = blackboard([[[None if cell < 0 else cell for cell in row] for row in plane] for plane in codes.tolist()])
    assert found.lower == found.upper == by_definition(codes)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("subject", "bits"),
    [
        (equality_of_three(3), 5),
        (np.frompyfunc(lambda *sets: int(sets[0] & sets[1] & sets[2] == 0), 3, 1)(*np.indices((8, 8, 8))), 6),
    ],
)
def test_three_bits_of_three_parties(subject, bits):
    found = blackboard(subject)
    assert (found.lower, found.upper) == (bits, bits)


def test_larger_tables_have_both_sides():
    found = blackboard(equality_of_three(4), seconds=patient(5))
    assert 5 <= found.lower <= blackboard_equality(4).explore().worst_bits <= found.upper == 9
