"""Every family of problems by name, each with one instance per size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import lazy_loader as lazy

from ccsim.errors import InputError, require_integer
from ccsim.plain_data import meant
from ccsim.problems.function import (
    MultipartyFunction,
    TwoPartyFunction,
)
from ccsim.problems.languages import (
    disjointness_of_halves,
    dyck,
    equality_of_halves,
    inequality_of_halves,
    intersection_of_halves,
    majority_of_word,
    parity_of_word,
    regular_language,
)
from ccsim.problems.lookup import (
    associative_recall,
    index_lookup,
    k_hop_composition,
    k_hop_induction,
    match2,
    match3,
    match3_bigram,
    match3_local,
    multi_query_associative_recall,
    nearest_neighbour,
    q_sparse_averaging,
)
from ccsim.problems.sequence_tasks import Partition, SequenceTask
from ccsim.problems.textbook import (
    and_composition,
    clique_independent_set,
    direct_sum,
    disjointness,
    equality,
    equality_of_three,
    function_composition,
    gap_hamming,
    greater_than,
    hamming_distance,
    index,
    inner_product,
    intersection,
    majority,
    median,
    or_composition,
    parity,
    pointer_chasing,
    set_intersection_size,
    sparse_disjointness,
    xor_composition,
)
from ccsim.registry import registered

networkx = lazy.load("networkx")

GROUP = "ccsim.problems"  # of entry points


@dataclass(frozen=True)
class Problem:
    """A family of problems with one parameter.

    Attributes:
        name: lower case, with hyphens.
        summary: what is computed at size n, in one line.
        build: makes the instance of size n.
    """

    name: str
    summary: str
    build: Callable[[int], MultipartyFunction | SequenceTask] = field(repr=False)

    def function(self, n: int) -> MultipartyFunction:
        """The instance of size n as a function of the parties; of a word, Alice gets the odd positions.

        >>> find_problem("dyck").function(4).shape
        (16, 16)
        """
        built = self.build(n)
        return built.split(Partition.odd_even(built.length)) if isinstance(built, SequenceTask) else built


def _cycle(n: int) -> TwoPartyFunction:
    return clique_independent_set(networkx.cycle_graph(require_integer("n", n, low=3)))


def _nearest(n: int) -> SequenceTask:
    return nearest_neighbour(n, [(1, 0), (0, 1), (-1, 0), (0, -1)])


def _ends_with_start(n: int) -> SequenceTask:
    start = {"empty": {"a": "a", "b": "b"}}
    same = {"a": {"a": "a", "b": "a-b"}, "a-b": {"a": "a", "b": "a-b"}}
    other = {"b": {"b": "b", "a": "b-a"}, "b-a": {"b": "b", "a": "b-a"}}
    return regular_language(n, start | same | other, "empty", ["a", "b"])


def _equalities(n: int) -> list[TwoPartyFunction]:
    return [equality(2)] * require_integer("n", n, low=1)


PROBLEMS: tuple[Problem, ...] = (
    Problem("equality", "x = y, n bits each", equality),
    Problem("disjointness", "1 iff two subsets of n positions do not meet", disjointness),
    Problem("intersection", "1 iff two subsets of n positions meet (DISJ in several papers)", intersection),
    Problem(
        "sparse-disjointness",
        "1 iff two subsets of n elements with n // 3 or at least one element do not meet",
        lambda n: sparse_disjointness(n, max(1, n // 3)),
    ),
    Problem("set-intersection-size", "how many of n positions two sets share", set_intersection_size),
    Problem("greater-than", "x > y as n-bit numbers", greater_than),
    Problem("median", "the lower median of two non-empty subsets of 0..n-1 together", median),
    Problem("inner-product", "the inner product of n bits each, modulo 2", inner_product),
    Problem("index", "bit y of Alice's n-bit string", index),
    Problem("hamming-distance", "in how many of n bits x and y differ", hamming_distance),
    Problem("gap-hamming", "distance of n bits far above or far below n/2, by sqrt(n)", gap_hamming),
    Problem("parity", "the parity of n bits each, together", parity),
    Problem("majority", "more than half of n bits each, together, are ones", majority),
    Problem("clique-independent-set", "clique against independent set on a cycle of n vertices", _cycle),
    Problem("pointer-chasing", "vertex v_n of n vertices, pointers in turn", lambda n: pointer_chasing(n, n)),
    Problem("function-composition", "g(f(x)) over n elements; Bob holds g and x", function_composition),
    Problem("direct-sum-equality", "n equalities of 2 bits", lambda n: direct_sum(*_equalities(n))),
    Problem("xor-equality", "exclusive or of n equalities of 2 bits", lambda n: xor_composition(*_equalities(n))),
    Problem("and-equality", "conjunction of n equalities of 2 bits", lambda n: and_composition(*_equalities(n))),
    Problem("or-equality", "disjunction of n equalities of 2 bits", lambda n: or_composition(*_equalities(n))),
    Problem("equality-of-three", "x = y = z, n bits each, three parties", equality_of_three),
    Problem("dyck", "n brackets of 2 kinds, balanced and at most 2 deep", dyck),
    Problem("equality-of-halves", "the halves of n bits are equal", equality_of_halves),
    Problem("inequality-of-halves", "the halves of n bits differ", inequality_of_halves),
    Problem("disjointness-of-halves", "the halves of n bits share no 1", disjointness_of_halves),
    Problem("intersection-of-halves", "the halves of n bits share a 1", intersection_of_halves),
    Problem("index-lookup", "n bits, then a position: the bit there", index_lookup),
    Problem("associative-recall", "n keys with bits, then a key: its bit", associative_recall),
    Problem(
        "multi-query-associative-recall",
        "n keys with bits, then the keys in some order: their bits",
        multi_query_associative_recall,
    ),
    Problem("nearest-neighbour", "n labelled axis vectors of the plane, then a query: its label", _nearest),
    Problem(
        "q-sparse-averaging",
        "n rows that name 2 (or 1) positions each: the average of the last row",
        lambda n: q_sparse_averaging(n, min(2, n)),
    ),
    Problem("match2", "n entries modulo n + 3: x_1 + x_j = 0", lambda n: match2(n, n + 3)),
    Problem("match3", "n entries modulo n + 3: x_1 + x_j1 + x_j2 = 0", lambda n: match3(n, n + 3)),
    Problem(
        "match3-bigram",
        "n entries modulo n + 3: x_1 + x_j + x_{j+1} = 0",
        lambda n: match3_bigram(n, n + 3),
    ),
    Problem(
        "match3-local",
        "n entries modulo n + 3: match3 within distance 1",
        lambda n: match3_local(n, n + 3, 1),
    ),
    Problem(
        "k-hop-composition",
        "two tables of n values, then an argument: the composed value",
        lambda n: k_hop_composition(n, 2),
    ),
    Problem("k-hop-induction", "n symbols: two induction hops", lambda n: k_hop_induction(n, 2)),
    Problem("regular-language", "n letters a, b: the last is equal to the first", _ends_with_start),
    Problem("parity-of-word", "n bits: an odd number of ones", parity_of_word),
    Problem("majority-of-word", "n bits: more than half are ones", majority_of_word),
)
"""All families: functions of two parties, of three, and of words."""


def registered_problems() -> dict[str, Problem]:
    """Every family by name: those above, and those that other packages register under ``ccsim.problems``."""
    own = {problem.name: problem for problem in PROBLEMS}
    return own | {problem.name: problem for _, problem in registered(GROUP, Problem, own)}


def find_problem(name: str) -> Problem:
    """The family with this name; the :class:`~ccsim.errors.InputError` names those that are spelt alike.

    >>> find_problem("set-intersection-size").build(3).name
    'set_intersection_size(3)'
    """
    own = next((problem for problem in PROBLEMS if problem.name == name), None)
    if own is not None:
        return own
    known = registered_problems()
    if name not in known:
        hint = meant(str(name), known)
        raise InputError("name", name, f"one of the {len(known)} problems that `ccsim list problems` shows{hint}")
    return known[name]
