"""How each measure is answered: at once what is known without work, then step by step what a search proves."""

from ccsim.bounds.steps.deterministic import deterministic_steps, one_way_steps
from ccsim.bounds.steps.fooling import fooling_steps
from ccsim.bounds.steps.leaves import leaf_steps
from ccsim.bounds.steps.randomised import discrepancy_steps, quantum_steps, randomised_steps
from ccsim.bounds.steps.rectangles import cover_steps, partition_steps, rank_steps
from ccsim.bounds.steps.success import success_steps

__all__ = [
    "cover_steps",
    "deterministic_steps",
    "discrepancy_steps",
    "fooling_steps",
    "leaf_steps",
    "one_way_steps",
    "partition_steps",
    "quantum_steps",
    "randomised_steps",
    "rank_steps",
    "success_steps",
]
