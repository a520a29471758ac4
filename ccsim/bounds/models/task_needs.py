"""What tasks need: how many bits have to pass, as formulas in the length, for every family that has one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ccsim.errors import InputError
from ccsim.problems import SequenceTask


@dataclass(frozen=True)
class Requirement:
    """How many bits a task needs, as formulas in its length N.

    Attributes:
        one_way: least bits of state between two positions of a left-to-right pass, for the worst split.
        two_way: D under the worst partition when both parties learn the answer, or None if it is small.
        symbols: how many symbols a position can have, as a formula.
        step: lengths are multiples of this.
        reason: why, in a line.
        one_way_theorem, two_way_theorem: the theorem of ``proofs/EveryLength.v`` for every N, if Coq has one.
    """

    one_way: str
    two_way: str | None
    symbols: str
    step: int
    reason: str
    one_way_theorem: str = ""
    two_way_theorem: str = ""


_HALVES = "the halves are the inputs of {}, whose complexity is N/2 + 1 (leaf rank); its rows are all different"

_INDEX = "index_costs_one_message"

REQUIREMENTS: Mapping[str, Requirement] = {
    "dyck": Requirement(
        "Min(3, N)",
        "N + 1",
        "4",
        2,
        "odd/even positions: a permutation of 2^(N-1) words and a zero row, so leaf rank gives N + 1 "
        "(Dyck-(2,2)); left to right the open brackets or a failure: three states at length 2, six from 4 on",
        two_way_theorem="dyck_of_two_kinds_costs",
    ),
    "index-lookup": Requirement("N", None, "N + 2", 1, "INDEX one-way: all 2^N prefixes of N bits differ", _INDEX),
    "associative-recall": Requirement("N", None, "N + 2", 1, "INDEX one-way: N keys in order with N bits", _INDEX),
    "multi-query-associative-recall": Requirement(
        "N", None, "N + 2", 1, "N keys in order with N bits, any of them asked for", _INDEX
    ),
    "equality-of-halves": Requirement("N/2", "N/2 + 1", "2", 2, _HALVES.format("EQ"), two_way_theorem="equality_costs"),
    "inequality-of-halves": Requirement("N/2", "N/2 + 1", "2", 2, _HALVES.format("INEQ")),
    "disjointness-of-halves": Requirement(
        "N/2", "N/2 + 1", "2", 2, _HALVES.format("DISJ"), two_way_theorem="disjointness_costs"
    ),
    "intersection-of-halves": Requirement("N/2", "N/2 + 1", "2", 2, _HALVES.format("the intersection")),
}


def as_function(formula: str) -> Callable[[int], int]:
    """A formula of the table as a function of N: a multiple of N or N/2 and a constant, or the least of N and one."""
    slope, _, constant = formula.partition(" + ")
    if slope.isdigit():
        return lambda at: int(slope)
    if found := re.fullmatch(r"Min\((\d+), N\)", formula):
        most = int(found[1])
        return lambda at: min(most, at)
    halves = slope == "N/2"
    return lambda at: (at // 2 if halves else at) + int(constant or 0)


def task_family(task: str | SequenceTask, length: int | None) -> tuple[str, int | None]:
    """The family, and the length asked about: of a task, that of the formulas, unless another one is given."""
    if not isinstance(task, str | SequenceTask):
        raise InputError("task", task, f"a task, or one of {', '.join(REQUIREMENTS)}")
    name = (task if isinstance(task, str) else task.name.split("(")[0]).replace("_", "-")
    if name not in REQUIREMENTS:
        raise InputError("task", task, f"one of {', '.join(REQUIREMENTS)}")
    if isinstance(task, str):
        return name, length
    own = formula_length(name, task)
    return name, own if length is None else length


def formula_length(name: str, task: SequenceTask) -> int:
    """The N of the formulas: of lookup and recall the number of symbols or pairs, else of positions.

    It is the first number in the name of a task. Recall with fewer queries than pairs needs as many bits, since any
    key may be asked for, and so do larger sets of symbols, keys and values.
    """
    numbers = [int(digits) for digits in re.findall(r"(?<=[(, ])[0-9]+(?=[,)])", task.name)]
    first, second = (*numbers, 0, 0)[:2]
    positions = {
        "index-lookup": first + 1,
        "associative-recall": 2 * first + 1,
        "multi-query-associative-recall": 2 * first + second,
    }.get(name, first)
    if not first or positions != task.length:
        raise InputError("task", task.name, f"a task of ccsim.problems, or the name {name} and a length")
    if name == "dyck" and numbers[1:] != [2, 2]:
        raise InputError("task", task.name, "Dyck-(2, 2): two kinds of brackets, nested to depth 2")
    if len(task.answers) < 2:
        raise InputError("task", task.name, "at least two answers: with one symbol or value nothing has to be known")
    return first
