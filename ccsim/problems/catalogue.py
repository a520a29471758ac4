"""Every family of problems by name, each with one instance per size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ccsim.errors import InputError, require_integer
from ccsim.plain_data import meant
from ccsim.problems import languages, lookup, textbook
from ccsim.problems.function import MultipartyFunction, TwoPartyFunction
from ccsim.problems.sequence_tasks import Partition, SequenceTask
from ccsim.registry import registered

GROUP = "ccsim.problems"  # of entry points


@dataclass(frozen=True)
class Problem:
    """A family of problems with one parameter: what is computed at size n, in one line, and what builds it.

    Attributes:
        name, summary: for ``ccsim list``.
        build: from n to a function or a task.
    """

    name: str
    summary: str
    build: Callable[[int], MultipartyFunction | SequenceTask] = field(repr=False)

    def function(self, n: int) -> MultipartyFunction:
        """The instance of size n as a function of the parties; of a word, Alice gets the odd positions."""
        built = self.build(n)
        return built.split(Partition.odd_even(built.length)) if isinstance(built, SequenceTask) else built


SUMMARIES = {
    "equality": "x = y, n bits each",
    "disjointness": "1 iff two subsets of n positions do not meet",
    "intersection": "1 iff two subsets of n positions meet (DISJ in several papers)",
    "sparse-disjointness": "1 iff two subsets of n elements with n // 3 or at least one element do not meet",
    "set-intersection-size": "how many of n positions two sets share",
    "greater-than": "x > y as n-bit numbers",
    "median": "the lower median of two non-empty subsets of 0..n-1 together",
    "inner-product": "the inner product of n bits each, modulo 2",
    "index": "bit y of Alice's n-bit string",
    "hamming-distance": "in how many of n bits x and y differ",
    "gap-hamming": "distance of n bits far above or far below n/2, by sqrt(n)",
    "parity": "the parity of n bits each, together",
    "majority": "more than half of n bits each, together, are ones",
    "clique-independent-set": "clique against independent set on a cycle of n vertices",
    "pointer-chasing": "vertex v_n of n vertices, pointers in turn",
    "function-composition": "g(f(x)) over n elements; Bob holds g and x",
    "direct-sum-equality": "n equalities of 2 bits",
    "xor-equality": "exclusive or of n equalities of 2 bits",
    "and-equality": "conjunction of n equalities of 2 bits",
    "or-equality": "disjunction of n equalities of 2 bits",
    "equality-of-three": "x = y = z, n bits each, three parties",
    "dyck": "n brackets of 2 kinds, balanced and at most 2 deep",
    "equality-of-halves": "the halves of n bits are equal",
    "inequality-of-halves": "the halves of n bits differ",
    "disjointness-of-halves": "the halves of n bits share no 1",
    "intersection-of-halves": "the halves of n bits share a 1",
    "index-lookup": "n bits, then a position: the bit there",
    "associative-recall": "n keys with bits, then a key: its bit",
    "multi-query-associative-recall": "n keys with bits, then the keys in some order: their bits",
    "nearest-neighbour": "n labelled axis vectors of the plane, then a query: its label",
    "q-sparse-averaging": "n rows that name 2 (or 1) positions each: the average of the last row",
    "match2": "n entries modulo n + 3: x_1 + x_j = 0",
    "match3": "n entries modulo n + 3: x_1 + x_j1 + x_j2 = 0",
    "match3-bigram": "n entries modulo n + 3: x_1 + x_j + x_{j+1} = 0",
    "match3-local": "n entries modulo n + 3: match3 within distance 1",
    "k-hop-composition": "two tables of n values, then an argument: the composed value",
    "k-hop-induction": "n symbols: two induction hops",
    "regular-language": "n letters a, b: the last is equal to the first",
    "parity-of-word": "n bits: an odd number of ones",
    "majority-of-word": "n bits: more than half are ones",
}
"""What each family computes at size n, in one line."""


def _equalities(n: int) -> list[TwoPartyFunction]:
    return [textbook.equality(2)] * require_integer("n", n, low=1)


FIRST_IS_LAST = {
    "empty": {"a": "a", "b": "b"},
    "a": {"a": "a", "b": "a-b"},
    "a-b": {"a": "a", "b": "a-b"},
    "b": {"b": "b", "a": "b-a"},
    "b-a": {"b": "b", "a": "b-a"},
}

BUILDERS: dict[str, Callable[[int], MultipartyFunction | SequenceTask]] = {
    "sparse-disjointness": lambda n: textbook.sparse_disjointness(n, max(1, n // 3)),
    "clique-independent-set": lambda n: textbook.clique_independent_set(
        textbook.networkx.cycle_graph(require_integer("n", n, low=3))
    ),
    "pointer-chasing": lambda n: textbook.pointer_chasing(n, n),
    "direct-sum-equality": lambda n: textbook.direct_sum(*_equalities(n)),
    "xor-equality": lambda n: textbook.xor_composition(*_equalities(n)),
    "and-equality": lambda n: textbook.and_composition(*_equalities(n)),
    "or-equality": lambda n: textbook.or_composition(*_equalities(n)),
    "nearest-neighbour": lambda n: lookup.nearest_neighbour(n, [(1, 0), (0, 1), (-1, 0), (0, -1)]),
    "q-sparse-averaging": lambda n: lookup.q_sparse_averaging(n, min(2, n)),
    "match2": lambda n: lookup.match2(n, n + 3),
    "match3": lambda n: lookup.match3(n, n + 3),
    "match3-bigram": lambda n: lookup.match3_bigram(n, n + 3),
    "match3-local": lambda n: lookup.match3_local(n, n + 3, 1),
    "k-hop-composition": lambda n: lookup.k_hop_composition(n, 2),
    "k-hop-induction": lambda n: lookup.k_hop_induction(n, 2),
    "regular-language": lambda n: languages.regular_language(n, FIRST_IS_LAST, "empty", ["a", "b"]),
}
"""The instance of size n, where it is not what the function of the family's name makes of n alone."""

_functions = vars(textbook) | vars(languages) | vars(lookup)
PROBLEMS = tuple(
    Problem(name, summary, BUILDERS.get(name) or _functions[name.replace("-", "_")])
    for name, summary in SUMMARIES.items()
)
"""All families: functions of two parties, of three, and of words."""


SHORT: dict[str, str] = {
    short: function.__name__.replace("_", "-")
    for short, function in vars(textbook).items()
    if short.isupper() and callable(function)
}
"""Names in full by those that people type: EQ, DISJ and others, which the textbook functions have."""


def full_name(name: str) -> str:
    """The name in the catalogue of a problem that may be written short, in capitals or with underscores.

    >>> full_name("disj"), full_name("Greater_Than")
    ('disjointness', 'greater-than')
    """
    plain = str(name).lower().replace("_", "-")
    return SHORT.get(plain.upper(), plain)


def registered_problems() -> dict[str, Problem]:
    """Every family by name: those above, and those that other packages register under ``ccsim.problems``."""
    own = {problem.name: problem for problem in PROBLEMS}
    return own | {problem.name: problem for _, problem in registered(GROUP, Problem, own)}


def find_problem(name: str) -> Problem:
    """The family with this name, or short name; the :class:`~ccsim.errors.InputError` names those that are spelt alike.

    >>> find_problem("EQ").name
    'equality'
    >>> find_problem("set-intersection-size").build(3).name
    'set_intersection_size(3)'
    """
    own = next((problem for problem in PROBLEMS if problem.name == full_name(name)), None)
    if own is not None:
        return own
    known = registered_problems()
    if name not in known:
        hint = meant(str(name), [*known, *SHORT])
        raise InputError("name", name, f"one of the {len(known)} problems that `ccsim list problems` shows{hint}")
    return known[name]
