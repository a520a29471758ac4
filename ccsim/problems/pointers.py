"""Pointer chasing and the composition of two functions."""

from __future__ import annotations

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.problems.arrays import part_rows, select
from ccsim.problems.derived import Pairs
from ccsim.problems.function import TwoPartyFunction
from ccsim.problems.inputs import Integers
from ccsim.problems.words import Words


def pointer_chasing(n: int, k: int) -> TwoPartyFunction:
    """The vertex v_k that ``k`` pointers lead to from v_0 = 0, where the parties hold the pointers in turn.

    Alice holds f_A and Bob f_B, functions from {0, ..., n-1} to itself written as tuples of their ``n``
    values; v_t is f_A(v_{t-1}) for odd t and f_B(v_{t-1}) for even t. With Alice first, k messages of
    ceil(log2 n) bits are enough; with fewer than k messages, or the wrong party first, nearly n bits are
    needed (Nisan and Wigderson 1993).

    >>> pointer_chasing(3, 2)((1, 0, 0), (0, 2, 0))
    2
    """
    n, k = require_integer("n", n, low=1), require_integer("k", k, low=1)
    functions = Words.over(range(n), n)

    def evaluate(f: Array, g: Array) -> Array:
        vertex = np.zeros(np.broadcast_shapes(f.shape[:-1], g.shape[:-1]), dtype=np.int64)
        for step in range(k):
            vertex = select(g if step % 2 else f, vertex).astype(np.int64)
        return vertex

    note = f"the vertex after {k} pointers, Alice's and Bob's in turn, from vertex 0"
    inputs = (functions, functions)
    return TwoPartyFunction(f"pointer_chasing({n}, {k})", inputs, tuple(range(n)), evaluate, note=note)


def function_composition(n: int) -> TwoPartyFunction:
    """g(f(x)), where Alice holds f and Bob the pair (g, x), all over {0, ..., n-1}.

    Functions are tuples of their ``n`` values. One message from Alice to Bob needs about n log2 n bits, which
    is what one attention layer cannot carry (Peng, Narayanan and Papadimitriou 2024, theorem 1).

    >>> function_composition(3)((1, 2, 0), ((0, 0, 2), 1))
    2
    """
    n = require_integer("n", n, low=1)
    functions = Words.over(range(n), n)
    bob = Pairs((functions, Integers(n)))

    def evaluate(f: Array, pair: Array) -> Array:
        g, x = part_rows(bob, pair)
        return select(g, select(f, x).astype(np.int64))

    name = f"function_composition({n})"
    return TwoPartyFunction(name, (functions, bob), tuple(range(n)), evaluate, note="g(f(x)); Bob holds g, x")
