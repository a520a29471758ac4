"""All words at once by sets of states: for each, how many words lead into it, and what the task wants of them.

A recurrent model whose states are too many is followed on zonotopes of states. Where there are too many of these, near
ones with one state of the task become one. So every word's state is in the zonotope in which the word is counted, and
where the model has one answer on all of a zonotope, all its words are proved right, or wrong.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ccsim.arithmetic import Zonotopes
from ccsim.arrays import Array
from ccsim.auditing.accuracy import Accuracy, Bracket, is_hardly_any
from ccsim.auditing.budget import Budget, OutOfBudgetError
from ccsim.auditing.clusters import cluster_numbers, joined
from ccsim.auditing.outranked import possible_answers
from ccsim.auditing.sides import different_rows_of
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from ccsim.models.comparison import Comparison
from ccsim.models.model import SequenceModel
from ccsim.models.reachability import History, way_back
from ccsim.models.recurrent import RecurrentStack
from ccsim.plain_data import counted
from ccsim.problems.sequence.machine import TaskMachine

BLOCK_ENTRIES = 1 << 21  # numbers of generators that are stepped at once
WORD_BITS = 62
MOST_BITS = 24  # of a number: more, and products might not fit in 64 bits, nor tables in memory
FEW_SETS = 64
MOST_ENTRIES = 1 << 25  # numbers of all generators at one position, before sets are put together
MOST_UNITS = 32  # models with more units keep fewer generators
TRIAL_SETS = 1 << 10  # up to so many both ways are tried
TRIAL_SHARE = 1 / 32  # of the time, if the way before takes no more


WAYS = True, False
"""Whether sets are never put together after different last symbols, which many a model keeps far apart."""


@dataclass(frozen=True, eq=False)
class Cover:
    """The sets of states after so many symbols.

    Attributes:
        states: the sets, a batch (sets, units).
        wanted: the state of the task for each set, shape (sets, units of the task).
        counts: how many words lead into each: int64, or Python integers where these do not fit.
        read: how many symbols were read.
        history: where each set came from.
    """

    states: Zonotopes
    wanted: Array
    counts: Array
    read: int = 0
    history: History = field(default=(), repr=False)

    def blocks(self, symbols: Array) -> list[tuple[Array, Array]]:
        """All pairs of the number of a set and a symbol, symbols first, in blocks."""
        numbers, read = np.repeat(np.arange(len(self.states)), len(symbols)), np.tile(symbols, len(self.states))
        size = max(1, BLOCK_ENTRIES // (4 * self.states.generators[0].size))
        return [(numbers[at : at + size], read[at : at + size]) for at in range(0, len(numbers), size)]


def is_followed(model: SequenceModel) -> bool:
    """Whether sets of this model's states can be followed: all that it does is known for zonotopes as well."""
    if not isinstance(model, RecurrentStack):
        return False
    numbers = {model.precision, *model.state_precisions}
    if any(max(one.bits, one.scale.bit_length()) > MOST_BITS for one in numbers):
        return False
    try:
        model.scored(Zonotopes.points(model.start()[None], 1), np.zeros(1, dtype=np.int64))
    except (InputError, TypeError, AttributeError):
        return False
    return True


def bracket_by_covers(
    beside: Comparison, machine: TaskMachine, symbols: list[Array], budget: Budget, settled: bool = False
) -> Bracket | None:
    """The interval from more and more sets of states until every word is decided, or time or states are over.

    None if not even the first cover was finished, and where no word is promised. If the verdict is ``settled``, it is
    also the end when two rounds running decide hardly any of the words that were open.
    """
    best, most, idle, limit = None, FEW_SETS, 0, _limit(beside, symbols, budget)
    ways: tuple[bool, ...] = WAYS
    while True:
        before = budget.spent
        found: list[Bracket] = []
        try:
            for by_symbol in ways:
                early = most == FEW_SETS or budget.spent - before < TRIAL_SHARE * budget.seconds
                if not found or (early and _open(found)):
                    found.append(count_by_cover(beside, machine, symbols, most, budget, by_symbol))
        except OutOfBudgetError:
            return _best(best, found)
        took = (budget.spent - before) / len(found)
        if most >= TRIAL_SETS or len(found) < len(ways):  # from now on only in the way that decides more
            ways = (ways[int(np.argmax([bracket.accuracy.decided for bracket in found]))],)
        last, best = best, _best(best, found)
        assert best is not None
        idle = 0 if _moved(last, best) else idle + 1
        more = int(most * min(4, 0.9 * (budget.seconds - budget.spent) / max(took * len(ways), 1e-6)))
        if best.accuracy.is_exact or more < 1.3 * most or most >= limit or (settled and idle >= 2):
            return best
        most = min(more, limit)


def _limit(beside: Comparison, symbols: list[Array], budget: Budget) -> int:
    """How many sets may be held."""
    model = beside.model
    assert isinstance(model, RecurrentStack)
    each = model.units * (model.units + _kept(model.units)) * max(map(len, symbols))
    return max(FEW_SETS, min(budget.states, MOST_ENTRIES // each))


def _open(found: list[Bracket]) -> bool:
    """Whether none of these is one point."""
    return not any(bracket.accuracy.is_exact for bracket in found)


def _best(known: Bracket | None, found: list[Bracket]) -> Bracket | None:
    """The better ends, and the first word that is proved wrong."""
    for bracket in found:
        if known is not None:
            first = known.first if bracket.first is None else bracket.first
            bracket = Bracket(bracket.accuracy.joined(known.accuracy), first)
        known = bracket
    return known


def _moved(before: Bracket | None, after: Bracket) -> bool:
    """Whether more than hardly any of the words that were open have been decided."""
    if before is None:
        return True
    old, new = before.accuracy, after.accuracy
    return not is_hardly_any(new.decided - old.decided, old.words - old.decided)


def count_by_cover(
    beside: Comparison, machine: TaskMachine, symbols: list[Array], most: int, budget: Budget, by_symbol: bool = False
) -> Bracket:
    """The interval from at most ``most`` sets of states at each position, or one for each state of the task there.

    ``by_symbol``: or one for each of these with each last symbol.

    Raises :class:`~ccsim.auditing.budget.OutOfBudgetError` if the time is over, or the task has too many states.
    """
    model = beside.model
    assert isinstance(model, RecurrentStack)
    words, units = math.prod(len(choices) for choices in symbols), model.units
    start = Zonotopes.points(model.start()[None], units + _kept(units))
    counts = np.ones(1, dtype=np.int64 if words.bit_length() <= WORD_BITS else object)
    cover = Cover(start, np.asarray(machine.start, dtype=np.int64)[None], counts)
    for choices in symbols[:-1]:
        cover = _after(cover, beside, machine, choices, most, by_symbol, budget)
    return _counted(cover, beside, machine, symbols[-1], budget)


def _kept(units: int) -> int:
    """How many generators a set keeps of its own, beside one for each unit: the fewer, the more sets for the time."""
    return units if units <= MOST_UNITS else units // 2


def _after(
    cover: Cover,
    beside: Comparison,
    machine: TaskMachine,
    symbols: Array,
    most: int,
    by_symbol: bool,
    budget: Budget,
) -> Cover:
    """The sets after one more symbol, any of these, put together where they are too many."""
    position, model = cover.read + 1, beside.model
    assert isinstance(model, RecurrentStack)
    parts: list[Any] = []
    for numbers, read in cover.blocks(symbols):
        budget.require_time(f"{len(cover.counts)} sets of states after {cover.read} symbols")
        sets: Any = cover.states[numbers]
        parts.append(model.step(sets, beside.read(read), position))
    states: Any = np.concatenate(parts, axis=0)
    numbers, read = np.repeat(np.arange(len(cover.counts)), len(symbols)), np.tile(symbols, len(cover.counts))
    wanted, counts = machine.step(cover.wanted[numbers], read, position), cover.counts[numbers]
    different, _, classes = different_rows_of(wanted)
    if by_symbol:
        classes = different_rows_of(np.stack([classes, read], axis=1))[2]
    budget.require_states(len(different), "states of the task", f"{cover.read} symbols")
    clusters = np.arange(len(counts))
    if len(counts) > most:
        weights = np.asarray(counts / counts.max(), dtype=np.float64)
        clusters = cluster_numbers(states.low.astype(float), states.high.astype(float), classes, weights, most)
    around, grouping = joined(states, clusters, _kept(model.units))
    first = grouping.order[grouping.starts]
    counts = np.add.reduceat(counts[grouping.order], grouping.starts)
    return Cover(around, wanted[first], counts, position, (*cover.history, (first, symbols)))


def _counted(cover: Cover, beside: Comparison, machine: TaskMachine, symbols: Array, budget: Budget) -> Bracket:
    """Which sets have one answer when one of these symbols ends the word."""
    model, position = beside.model, cover.read + 1
    assert isinstance(model, RecurrentStack)
    promised, right, wrong, first = 0, 0, 0, None
    for numbers, read in cover.blocks(symbols):
        budget.require_time(f"{len(cover.counts)} sets of states after {cover.read} symbols")
        scores = model.scored(cover.states[numbers], beside.read(read))
        possible = possible_answers(scores, beside.renamed, len(beside.task.answers))
        codes = machine.codes(machine.step(cover.wanted[numbers], read, position))
        asked = codes != DONT_CARE
        can = asked & possible[np.arange(len(codes)), np.maximum(codes, 0)]
        counts, refuted = cover.counts[numbers].astype(object), asked & ~can
        promised += int(counts[asked].sum())
        right += int(counts[can & (possible.sum(axis=1) == 1)].sum())
        wrong += int(counts[refuted].sum())
        if first is None and refuted.any():
            place = int(np.argmax(refuted))
            first = np.append(way_back(cover.history, int(numbers[place])), read[place])
    if not promised:
        raise OutOfBudgetError("no word is promised")
    how = f"by at most {counted(len(cover.counts), 'set of states')} at one position"
    return Bracket(Accuracy(promised, right, wrong, how), first)
