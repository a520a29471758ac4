"""Exact deterministic communication complexity: an optimal tree, and a proof that none is shorter."""

from ccsim.bounds.tree_search.solver import (
    solve_deterministic,
    stages_of_deterministic,
)
from ccsim.bounds.tree_search.tree import depth_of

__all__ = ["depth_of", "solve_deterministic", "stages_of_deterministic"]
