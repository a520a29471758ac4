"""All task reductions by the names of the problem and the task."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

from ccsim.arguments import require_integer
from ccsim.errors import InputError
from ccsim.problems import SequenceTask, TwoPartyFunction, find_problem
from protocols.reductions.task_reductions.chasing import function_composition_to_two_hops, pointer_chasing_to_hops
from protocols.reductions.task_reductions.comparing import (
    disjointness_to_halves,
    equality_to_dyck,
    equality_to_equality_of_halves,
    equality_to_inequality_of_halves,
    intersection_to_halves,
    intersection_to_match3,
    intersection_to_sparse_averaging,
)
from protocols.reductions.task_reductions.reduction import TaskReduction, negation
from protocols.reductions.task_reductions.retrieval import (
    index_to_associative_recall,
    index_to_index_lookup,
    index_to_induction,
    index_to_nearest_neighbour,
    index_to_sparse_averaging,
    intersection_to_multi_query_recall,
)


@dataclass(frozen=True)
class Reducible:
    """A family of task reductions, one for each size of the problem.

    Attributes:
        problem, task: names of families, as in ``ccsim.problems.PROBLEMS``.
        build: makes the reduction for size n; some take more by keyword.
        sizes: small sizes at which every input can be checked at once.
    """

    problem: str
    task: str
    build: Callable[..., TaskReduction] = field(repr=False)
    sizes: tuple[int, ...] = (1, 2, 3)


REDUCTIONS: tuple[Reducible, ...] = (
    Reducible("index", "index-lookup", index_to_index_lookup, (1, 2, 3, 8)),
    Reducible("index", "associative-recall", index_to_associative_recall, (1, 2, 3, 8)),
    Reducible("index", "nearest-neighbour", index_to_nearest_neighbour, (1, 2, 3, 5)),
    Reducible("index", "k-hop-induction", index_to_induction, (1, 2, 3, 8)),
    Reducible("index", "q-sparse-averaging", index_to_sparse_averaging, (1, 2, 3, 8)),
    Reducible("intersection", "multi-query-associative-recall", intersection_to_multi_query_recall, (1, 2, 3, 6)),
    Reducible("intersection", "intersection-of-halves", intersection_to_halves, (1, 2, 3, 8)),
    Reducible("disjointness", "disjointness-of-halves", disjointness_to_halves, (1, 2, 3, 8)),
    Reducible("equality", "equality-of-halves", equality_to_equality_of_halves, (1, 2, 3, 8)),
    Reducible("equality", "inequality-of-halves", equality_to_inequality_of_halves, (1, 2, 3, 8)),
    Reducible("equality", "dyck", equality_to_dyck, (1, 3, 5, 7, 9)),
    Reducible("intersection", "q-sparse-averaging", intersection_to_sparse_averaging, (1, 2, 3, 4)),
    Reducible("intersection", "match3", intersection_to_match3, (1, 2, 3, 4)),
    Reducible("function-composition", "k-hop-composition", function_composition_to_two_hops, (1, 2, 3)),
    Reducible("pointer-chasing", "k-hop-composition", pointer_chasing_to_hops, (1, 2, 3)),
)
"""Every family of task reductions that is known by name."""

OPPOSITES = {"disjointness": "intersection", "intersection": "disjointness"}


def reduce(
    problem: str | TwoPartyFunction, task: str | SequenceTask, n: int | None = None, **options: Any
) -> TaskReduction:
    """How Alice and Bob encode their inputs to a problem into a word of a task, so that its answer gives theirs.

    Args:
        problem: a two-party function, or the name of a family (``"index"``); disjointness and intersection,
            which are each other's negation, both reach whatever one of them reaches.
        task: a task on words, or the name of a family (``"index-lookup"``).
        n: the size of the problem; not needed if one of them is given as an object.
        options: passed on to the reduction, such as ``encoding="tight"`` for Match3.

    Raises :class:`~ccsim.errors.InputError` for a pair that is not known, with those that are, and for an
    object that is not the one that the reduction of this size makes.

    >>> reduce("disjointness", "match3", n=2).word("01", "11")
    (1, 0, 3, 5, 4)
    >>> from ccsim.problems import dyck
    >>> reduce("equality", dyck(4)).source.name
    'equality(3)'
    """
    names = _family("problem", problem, TwoPartyFunction), _family("task", task, SequenceTask)
    build = _builder(*names, options)
    if n is None:
        return _fitting(build, names, problem, task, options)
    made = build(require_integer("n", n, low=1), **options)
    _require_same("problem", problem, made.source)
    _require_same("task", task, made.task)
    return made


def _family(argument: str, given: Any, kind: type[TwoPartyFunction] | type[SequenceTask]) -> str:
    """The name of a family: given, or the first part of an object's name."""
    if isinstance(given, kind):
        return given.name.partition("(")[0].replace("_", "-")
    if not isinstance(given, str):
        raise InputError(argument, given, f"the name of a family, or a {kind.__name__}")
    return given.strip().lower().replace("_", "-")


def _require_options(build: Callable[..., TaskReduction], options: dict[str, Any]) -> None:
    """Every option is one that the reduction takes besides its size."""
    known = list(signature(build).parameters)[1:]
    for option, value in options.items():
        if option not in known:
            raise InputError(option, value, f"no such option, but {', '.join(known) or 'none at all'}")


def _builder(problem: str, task: str, options: dict[str, Any]) -> Callable[..., TaskReduction]:
    by_name = {(known.problem, known.task): known.build for known in REDUCTIONS}
    if (problem, task) in by_name:
        _require_options(by_name[problem, task], options)
        return by_name[problem, task]
    opposite = OPPOSITES.get(problem, "")
    if (opposite, task) not in by_name:
        listed = ", ".join(f"{known.problem} -> {known.task}" for known in REDUCTIONS)
        raise InputError("problem, task", (problem, task), f"one of {listed}")
    _require_options(by_name[opposite, task], options)

    def build(n: int, **options: Any) -> TaskReduction:
        direct = by_name[opposite, task](n, **options)
        source = find_problem(problem).function(n)
        assert isinstance(source, TwoPartyFunction)
        whole = negation(source, direct.source).then(direct)
        assert isinstance(whole, TaskReduction)
        return whole

    return build


def _fitting(
    build: Callable[..., TaskReduction], names: tuple[str, str], problem: Any, task: Any, options: Any
) -> TaskReduction:
    """The reduction whose source or task is the given object: the size is the first that fits."""
    objects: list[Any] = [given for given in (problem, task) if not isinstance(given, str)]
    if not objects:
        raise InputError("n", None, f"the size of {names[0]}, or one of the two as an object")
    most = max(int(number) for given in objects for number in re.findall(r"\d+", given.name) or ["1"])
    for n in range(1, most + 1):
        try:
            made = build(n, **options)
        except InputError:  # not every size has a reduction
            continue
        pairs = ((problem, made.source), (task, made.task))
        if all(isinstance(given, str) or given.name == own.name for given, own in pairs):
            return made
    told = ", ".join(given.name for given in objects)
    raise InputError("problem, task", told, f"what {names[0]} -> {names[1]} makes at some size n")


def _require_same(argument: str, given: Any, made: Any) -> None:
    if not isinstance(given, str) and given.name != made.name:
        raise InputError(argument, given.name, made.name)
