"""Finds boxes of states that no word leads out of: around states that were reached, grown until nothing sticks out.

There is a box for each state of the task with each choice of the last few letters: what a model forgets is not in the
way then. All of this is a search; :class:`~ccsim.auditing.invariants.Invariant` checks what it finds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ccsim.arithmetic import Zonotopes
from ccsim.arrays import Array
from ccsim.auditing.budget import Budget, OutOfBudgetError
from ccsim.auditing.invariants import Invariant, followed
from ccsim.auditing.sides import Table
from ccsim.models.comparison import Comparison
from ccsim.models.recurrent import RecurrentStack

__all__ = ["find_invariant"]

WAYS = ((1, 1), (1, 3), (2, 2), (2, 5), (4, 1), (4, 6), (6, 2), (6, 8), (8, 1), (8, 8), (10, 8))
"""How many last letters tell boxes apart, and how many symbols it may take from box to box."""
SAMPLES = 256  # states of a box from which words go on
ROUNDS = 48
MOST_BOXES = 1 << 12
MOST_ENTRIES = 1 << 26  # of generators of all sets that are followed at once
GROWN = 64  # so often boxes grow
PATIENCE, MOST_MORE = 4, 12  # a side that grows for long grows by more and more
MARGIN = 8  # a box grows by 1 / 8 more than it must


def find_invariant(beside: Comparison, task: Table, budget: Budget) -> Invariant | None:
    """Boxes that prove the model right on words of every length; None if none are found, or the time is over."""
    if task.depth is not None or not isinstance(beside.model, RecurrentStack):
        return None
    try:
        for letters, ahead in WAYS:
            found = _Search(beside, task, letters, ahead, budget).run()
            if found is not None:
                return found
    except OutOfBudgetError:
        pass
    return None


@dataclass(frozen=True, eq=False)
class _Search:
    """One way to find them: boxes have numbers (state of the task, last letters), keyed by ``state * size + letters``.

    Last letters are numbers in the base of the alphabet behind a leading 1; at the start of a word they are fewer.
    """

    beside: Comparison
    task: Table
    letters: int
    ahead: int
    budget: Budget

    @property
    def alphabet(self) -> int:
        """How many symbols there are."""
        return int(self.task.table.shape[1])

    def after(self, keys: Array) -> Array:
        """The keys after each symbol, shape (keys, symbols)."""
        whole = self.alphabet**self.letters
        states, last = np.divmod(keys, 2 * whole)
        fresh = last[:, None] * self.alphabet + np.arange(self.alphabet)
        fresh = np.where(fresh >= 2 * whole, whole + fresh % whole, fresh) if self.alphabet > 1 else fresh * 0 + 1
        return np.asarray(self.task.table[states] * 2 * whole + fresh)

    def states_of(self, keys: Array) -> Array:
        """The states of the task."""
        return np.asarray(keys // (2 * self.alphabet**self.letters))

    def run(self) -> Invariant | None:
        """The boxes, grown; None if these ways lead to none."""
        model = self.beside.model
        assert isinstance(model, RecurrentStack)
        reached = self._reached(model)
        if reached is None:
            return None
        keys, low, high = reached
        least, most = (np.array([getattr(each, end) for each in model.state_precisions]) for end in ("low", "high"))
        margin = np.where((keys == 1)[:, None] & (self.letters > 0), 0, (high - low) // MARGIN + 1)
        low, high = np.maximum(low - margin, least), np.minimum(high + margin, most)
        streaks = np.zeros_like(low)
        for _ in range(GROWN):
            made = Invariant(low, high, self.states_of(keys), self.ahead)
            sticks_out = self._sticking_out(made, keys)
            if sticks_out is None:
                return None
            places, lowest, highest = sticks_out
            if not len(places):
                return made
            down, up = low.copy(), high.copy()
            np.minimum.at(down, places, lowest)
            np.maximum.at(up, places, highest)
            streaks = np.where((down < low) | (up > high), streaks + 1, streaks)
            more = np.left_shift(1, np.minimum(streaks // PATIENCE, MOST_MORE))
            low = np.maximum(np.where(down < low, down - (low - down) * more // MARGIN - 1, low), least)
            high = np.minimum(np.where(up > high, up + (up - high) * more // MARGIN + 1, high), most)
        return None

    def _reached(self, model: RecurrentStack) -> tuple[Array, Array, Array] | None:
        """The keys in order, and bounds of the states that words reach, as many words for each key."""
        generator = np.random.default_rng(self.budget.seed)
        keys, states = np.ones(1, dtype=np.int64), model.start()[None].astype(np.int64)
        bounds = keys, states, states
        for _ in range(ROUNDS):
            self.budget.require_time("states that words reach")
            symbols = np.tile(np.arange(self.alphabet), len(keys))
            fresh = self.after(keys).reshape(-1)
            stepped = model.step(np.repeat(states, self.alphabet, axis=0), self.beside.read(symbols), 1)
            order = np.lexsort((generator.random(len(fresh)), fresh))
            fresh, stepped = fresh[order], stepped[order]
            bounds = _hulls(
                np.concatenate([bounds[0], fresh]), *(np.concatenate([part, stepped]) for part in bounds[1:])
            )
            if len(bounds[0]) > MOST_BOXES:
                return None
            starts = np.flatnonzero(np.diff(fresh, prepend=-1))
            place = np.arange(len(fresh)) - np.repeat(starts, np.diff(starts, append=len(fresh)))
            few = place < max(4, min(SAMPLES, (1 << 14) // len(bounds[0])))
            keys, states = fresh[few], stepped[few]
        return bounds

    def _sticking_out(self, boxes: Invariant, keys: Array) -> tuple[Array, Array, Array] | None:
        """What lies in no box after ``ahead`` symbols: places of the boxes it should be in, and its bounds.

        None if an answer is not right, or there is too much to follow.
        """
        sets, at = Zonotopes.boxes(boxes.low, boxes.high), keys
        for far in range(self.ahead):
            if len(sets) * self.alphabet * sets.shape[1] * (sets.count + sets.shape[1]) > MOST_ENTRIES:
                return None
            step = followed(sets, self.states_of(at), self.beside, self.task, self.budget)
            if not step.right.all():
                return None
            at = self.after(at).reshape(-1)
            places = np.minimum(np.searchsorted(keys, at), len(keys) - 1)
            if (keys[places] != at).any():
                return None
            low, high = step.states.low, step.states.high
            out = ~((boxes.low[places] <= low) & (high <= boxes.high[places])).all(axis=1)
            if far + 1 == self.ahead or not out.any():
                return places[out], low[out], high[out]
            sets, at = step.states[out].with_rest_as_generators(), at[out]
        raise AssertionError


def _hulls(keys: Array, low: Array, high: Array) -> tuple[Array, Array, Array]:
    """Each key once, in order, with the least and the largest of its bounds."""
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
    return keys[order][starts], np.minimum.reduceat(low[order], starts), np.maximum.reduceat(high[order], starts)
