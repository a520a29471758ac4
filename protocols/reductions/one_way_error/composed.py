"""What is left of composing two functions when both parties know where the first one is looked up."""

from __future__ import annotations

from ccsim.arguments import require_integer
from ccsim.problems import Partition, TwoPartyFunction, index_lookup


def table_lookup(n: int) -> TwoPartyFunction:
    """g(j), where Alice holds a table g of ``n`` values from {1, ..., n}, and Bob a position j in it.

    This is what is left of g(f(x)) when both know x, Alice holds g, and Bob f: only j = f(x) matters, and it
    is uniform if f is. Symmetries carry every pair of inputs to every other one.

    >>> table_lookup(2).shape
    (4, 2)
    """
    n = require_integer("n", n, low=1)
    task = index_lookup(n, tuple(range(1, n + 1)))
    return task.split(Partition.prefix(n + 1, n))
