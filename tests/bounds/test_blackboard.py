"""Several parties at a blackboard: at tiny sizes as the definition says; two parties as before; spoilt proofs."""

from __future__ import annotations

import copy
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.bounds import blackboard, deterministic
from ccsim.bounds.multiparty.blackboard import MOST_TABLE
from ccsim.certificates.verify import Refused, check
from ccsim.errors import InputError
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


@pytest.mark.parametrize(
    ("subject", "bits"),
    [
        (equality_of_three(1), 3),
        (equality_of_three(2), 4),
        (MAJORITY, 3),
        (np.zeros((2, 2, 2), dtype=int), 0),
        (np.indices((2, 2, 2)).sum(axis=0) % 2, 3),
        ([[[0, None], [None, 1]], [[0, 1], [1, 1]]], 2),
        (np.indices((2, 2, 2, 2)).min(axis=0), 4),
        ([[["yes", "no"]]], 1),
    ],
)
def test_known_complexities(subject, bits):
    found = blackboard(subject)
    assert (found.lower, found.upper) == (bits, bits)
    assert found.certificate.verify().startswith(f"blackboard = {bits} bit{'s' * (bits != 1)} (")


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


@settings(max_examples=25, deadline=None)
@given(tables)
def test_small_tables_cost_what_the_definition_says(codes):
    found = blackboard([[[None if cell < 0 else cell for cell in row] for row in plane] for plane in codes.tolist()])
    assert found.lower == found.upper == by_definition(codes)
    assert found.certificate.verify()
    order = np.random.default_rng(0).permutation(3)
    turned = np.transpose(codes, order)
    again = check(
        turned.reshape(len(turned), -1).tolist(), "blackboard", "lower", {"parties": list(turned.shape)},
        {"kind": "all-boxes", "inputs": [list(range(size)) for size in turned.shape]},
    )  # fmt: skip
    assert again == found.lower


def test_larger_tables_have_both_sides():
    found = blackboard(equality_of_three(3), time_limit=patient(5))
    assert (found.lower, found.upper) == (4, 5)
    assert found.upper == blackboard_equality(3).explore().worst_bits
    assert found.certificate.verify().endswith("lower by merged, upper by board-tree")


def spoilt(found, side, change):
    witness = copy.deepcopy(getattr(found, f"{side}_witness"))
    change(witness)
    table, parameters = found.matrix.codes.tolist(), found.parameters
    try:
        return check(table, found.measure, side, parameters, witness)
    except Refused:
        return None


def test_spoilt_proofs_prove_no_more():
    found = blackboard(MAJORITY)
    assert spoilt(found, "upper", lambda witness: None) == 3
    for change in (
        lambda witness: witness["tree"].update(speaker=3),
        lambda witness: witness["tree"].update(ones=[]),
        lambda witness: witness["tree"].update(zero={"answer": 0}),
        lambda witness: witness["tree"].update(ones=[2]),
    ):
        assert spoilt(found, "upper", change) is None
    for change, bits in (
        (lambda witness: witness["inputs"].pop(), None),
        (lambda witness: witness["inputs"][0].append(0), None),
        (lambda witness: witness["inputs"][0].pop(), 2),
        (lambda witness: witness["inputs"][0].append(2), None),
    ):
        assert spoilt(found, "lower", change) == bits
    for parties in ([2, 2, 3], [2, 4, 2], [8], [4, 2], [2, 2, 2, 2]):
        with pytest.raises(Refused):
            check(found.matrix.codes.tolist(), "blackboard", "upper", {"parties": parties}, found.upper_witness)
    merged = blackboard(equality_of_three(3), time_limit=patient(5))
    for parties in ([], [0, 1, 2], [0, 0], [3]):
        assert spoilt(merged, "lower", lambda witness, parties=parties: witness.update(parties=parties)) is None


def test_bad_questions_are_refused():
    with pytest.raises(InputError, match="axes"):
        blackboard([0, 1])
    with pytest.raises(InputError, match="cells"):
        blackboard(np.zeros((2, MOST_TABLE), dtype=int))
    with pytest.raises(InputError):
        blackboard([[[0, 1], [1]], [[0, 1], [1, 0]]])
