"""Two prefixes that a recurrent model takes for one, and a word on which it is therefore wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ccsim.arrays import Array
from ccsim.auditing.apart import tell_apart
from ccsim.auditing.budget import Budget, OutOfBudgetError
from ccsim.auditing.failure import Failure, StateCollision, wanted
from ccsim.auditing.sides import Layer, Rules, task_rules
from ccsim.auditing.walk import Pairs
from ccsim.models.comparison import Comparison
from ccsim.models.recurrent import RecurrentModel
from ccsim.problems.sequence.machine import TaskMachine

MOST_TRIES = 8  # pairs of one position that are looked at
MOST_IN_ALL = 256
FAMILY = 1 << 14  # prefixes of a family


class Collider:
    """Looks, position by position, for equal states of the model that go with different states of the task.

    Attributes:
        failure: the first word on which the model is wrong that was found in this way.
    """

    def __init__(self, beside: Comparison, machine: TaskMachine, symbols: list[Array]) -> None:
        self.beside, self.machine, self.symbols = beside, machine, symbols
        self.failure: Failure | None = None
        self.tries = 0

    def look(self, pairs: Pairs) -> None:
        """Look among the pairs at one position."""
        if self.failure is not None or self.tries >= MOST_IN_ALL:
            return
        mine, theirs = pairs.numbers
        same = np.flatnonzero(mine[1:] == mine[:-1])
        if not len(same):
            return
        for place in same[np.unique(np.linspace(0, len(same) - 1, MOST_TRIES).astype(np.int64))]:
            self.tries += 1
            states = [pairs.right.rows[theirs[pair]] for pair in (place, place + 1)]
            end = tell_apart(self.machine, states[0], states[1], pairs.read, self.symbols)
            if end is not None:
                self._found([pairs.prefix(int(pair)) for pair in (place, place + 1)], end)
                return

    def _found(self, prefixes: list[Array], end: Array) -> None:
        beside, model = self.beside, self.beside.model
        assert isinstance(model, RecurrentModel)
        one, two, last = (beside.word(part) for part in (*prefixes, end))
        states = [model.run(beside.read(prefix)[None])[0] for prefix in prefixes]
        answers = wanted(beside.task, one + last, two + last)
        if not np.array_equal(*states) or answers[0] == answers[1]:
            raise ArithmeticError("a collision that was found is not one")
        state = tuple(int(number) for number in states[0])
        collision = StateCollision((one, two), last, (answers[0], answers[1]), state)
        self.failure = Failure.by(collision, collision.words, model, beside.task, "equal states")


def birthday_search(collider: Collider, rules: Rules, budget: Budget) -> dict[str, int]:
    """Look for a collision among structured families of prefixes, where not all can be gone through.

    All prefixes are held up to some length; then each is continued with one and the same symbol, for every symbol in
    turn, and with drawn ones: what a model has read long ago tends to fade, and states that fade become equal. Tells
    how many prefixes there were, and of how many symbols.
    """
    machine, symbols = collider.machine, collider.symbols
    held = min(budget.states, FAMILY)
    trunk = Pairs.start(Layer.start(rules), Layer.start(task_rules(machine)), 1, 1)
    searched = {"prefixes": 1, "longest_prefix": 0}

    def extend(pairs: Pairs, choices: Array) -> Pairs:
        grown = _uncounted(pairs).after(choices, budget)
        searched["prefixes"] += len(grown.keys)
        searched["longest_prefix"] = max(searched["longest_prefix"], grown.read)
        collider.look(grown)
        return grown

    try:
        while trunk.read < len(symbols) - 1 and len(trunk.keys) * len(symbols[trunk.read]) <= held:
            trunk = extend(trunk, symbols[trunk.read])
            if collider.failure is not None:
                return searched
        generator = np.random.default_rng(budget.seed)
        most = max(len(choices) for choices in symbols)
        for family in range(most + 2):
            branch = trunk
            while branch.read < len(symbols) - 1 and collider.failure is None:
                choices = symbols[branch.read]
                place = family % len(choices) if family < most else int(generator.integers(0, len(choices)))
                branch = extend(branch, choices[place : place + 1])
            if collider.failure is not None:
                break
    except OutOfBudgetError:
        pass
    return searched


def _uncounted(pairs: Pairs) -> Pairs:
    """The same pairs, one word each: how many there are does not matter here."""
    return replace(pairs, counts=np.ones(len(pairs.keys), dtype=np.int64))
