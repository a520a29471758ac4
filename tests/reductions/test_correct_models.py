"""Models that are right on every word of a task: their protocols cost at least what the task needs."""

import pytest

from ccsim import Partition, bounds
from ccsim.problems import disjointness_of_halves, dyck, equality_of_halves
from protocols.constructions.uniform_attention import (
    disjointness_by_uniform_attention,
    dyck_by_uniform_attention,
    equality_by_uniform_attention,
)
from protocols.reductions import max_logit_softmax

CASES = [
    *((dyck_by_uniform_attention, dyck, length, Partition.odd_even(length), length + 1) for length in (4, 6, 8)),
    *(
        (build, task, length, Partition.prefix(length, length // 2), length // 2 + 1)
        for length in (4, 6, 8)
        for build, task in (
            (equality_by_uniform_attention, equality_of_halves),
            (disjointness_by_uniform_attention, disjointness_of_halves),
        )
    ),
]


@pytest.mark.parametrize(("build", "task", "length", "partition", "needed"), CASES)
def test_a_right_model_has_a_protocol_that_costs_what_the_task_needs(build, task, length, partition, needed):
    model, task = build(length), task(length)
    assert model.is_right(task)
    complexity = bounds.deterministic(task.split(partition))
    assert (complexity.lower, complexity.upper) == (needed, needed)
    for variant in ("literal", "one-sided", "compact", "cheapest"):
        protocol = max_logit_softmax(model, partition, variant=variant, task=task)
        found = protocol.explore().raise_if_wrong()
        assert found.worst_bits == protocol.cost.bits >= needed
        assert variant != "cheapest" or found.worst_bits == needed  # naming the symbols of one party is optimal here
