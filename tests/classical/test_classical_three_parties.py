"""The same problem on the forehead, on a blackboard, and from hand to hand."""

import pytest

from ccsim.problems import equality_of_three
from protocols.classical import blackboard_equality, forehead_equality, point_to_point_equality

CASES = [
    (forehead_equality, lambda n: 2),
    (blackboard_equality, lambda n: n + 2),
    (point_to_point_equality, lambda n: 2 * n + 3),
]


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize(("build", "bits"), CASES)
def test_correct_and_as_dear_as_claimed(build, bits, n):
    protocol = build(n)
    found = protocol.explore().raise_if_wrong()
    assert found.worst_bits == protocol.cost.bits == bits(n)
    assert found.pairs == 8**n


@pytest.mark.parametrize("build", [forehead_equality, blackboard_equality, point_to_point_equality])
def test_all_three_know(build):
    run = build(30).run("01" * 15, "01" * 15, "01" * 15)
    assert run.answers == {"alice": 1, "bob": 1, "carol": 1}
    assert build(30).run("01" * 15, "01" * 15, "10" * 15).answers == {"alice": 0, "bob": 0, "carol": 0}


def test_the_function():
    function = equality_of_three(2)
    assert function.codes.sum() == 4
    assert all(function.codes[x, x, x] for x in range(4))
