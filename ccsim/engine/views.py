"""What each party sees: its own input, or everybody else's on the forehead, with its private coins."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.engine.coins import Coins
from ccsim.engine.model import REFEREE, CommunicationModel
from ccsim.memory import require_memory
from ccsim.problems.function import MultipartyFunction
from ccsim.problems.inputs import InputSet


@dataclass(frozen=True)
class View:
    """Everything that one party can see before the first message.

    A view has an index: the index of what it sees of the inputs, times the number of private coin outcomes,
    plus the outcome. In this way a private coin is a second part of a party's input.
    """

    role: str
    seen: tuple[InputSet, ...]
    together: bool  # on the forehead: the inputs that are seen come as one tuple
    private: Coins | None = None
    public: int | None = field(default=None, compare=False)

    @cached_property
    def inputs(self) -> int:
        """How many different things the party can see of the inputs."""
        return math.prod(part.size for part in self.seen)

    @cached_property
    def coins(self) -> int:
        """How many outcomes its private coins have."""
        return self.private.size if self.private else 1

    @property
    def size(self) -> int:
        """How many views there are."""
        return self.inputs * self.coins

    def _split(self, inputs: Any) -> list[Any]:
        if len(self.seen) == 1:
            return [inputs]
        digits = []
        for part in reversed(self.seen):
            digits.append(inputs % part.size)  # not divmod, which object arrays do not have
            inputs = inputs // part.size
        return digits[::-1]

    def values(self, index: int) -> tuple[Any, ...]:
        """The inputs that are seen, as values."""
        if index in self._known:
            return self._known[index]
        values = self._values(index)
        if len(self._known) < 1 << 16:
            self._known[index] = values
        return values

    @cached_property
    def _known(self) -> dict[int, tuple[Any, ...]]:
        return {}

    def _values(self, index: int) -> tuple[Any, ...]:
        digits = self._split(index // self.coins)
        return tuple(part.value(int(digit)) for part, digit in zip(self.seen, digits, strict=True))

    def arguments(self, index: int) -> tuple[tuple[Any, ...], dict[str, int]]:
        """How a generator party is called: positional inputs, and coins by keyword."""
        values = self.values(index)
        coins = {} if self.public is None else {"public": self.public}
        if self.private:
            coins["private"] = index % self.coins
        return ((values,) if self.together else values), coins

    def rows(self, indices: Array) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """How an array party is called for these views: arrays, and coins by keyword."""
        inputs = indices // self.coins if self.private else indices
        arrays: tuple[Any, ...] = tuple(
            _read_only(rows[digit] if rows is not None else part.array(digit).copy())
            for part, rows, digit in zip(self.seen, self._tables, self._split(inputs), strict=True)
        )
        coins: dict[str, Any] = {} if self.public is None else {"public": self.public}
        if self.private:
            coins["private"] = _read_only(indices % self.coins)
        return ((arrays,) if self.together else arrays), coins

    @cached_property
    def _tables(self) -> list[Array | None]:
        """All rows of each input set that is small enough to keep."""
        tables: list[Array | None] = []
        for part in self.seen:
            if part.size <= 1 << 22:
                require_memory(64 * part.size, f"the inputs that {self.role} sees")
                tables.append(part.array(np.arange(part.size)))
            else:
                tables.append(None)
        return tables

    def show(self, index: int) -> dict[str, Any]:
        """The view for a report: inputs as text, and the private coin if there is one."""
        values = [part.show(value) for part, value in zip(self.seen, self.values(index), strict=True)]
        shown: dict[str, Any] = {self.role: values[0] if len(values) == 1 else values}
        if self.private:
            shown[f"{self.role}'s coin"] = index % self.coins
        return shown


def views_of(
    function: MultipartyFunction,
    model: CommunicationModel,
    private: Mapping[str, Coins],
    public: int | None = None,
) -> tuple[View, ...]:
    """One view per role of the model, in order."""
    views = []
    for place, role in enumerate(model.roles):
        if role == REFEREE:
            seen: tuple[InputSet, ...] = ()
        elif model.forehead:
            seen = (*function.inputs[:place], *function.inputs[place + 1 :])
        else:
            seen = (function.inputs[place],)
        views.append(View(role, seen, model.forehead, private.get(role), public))
    return tuple(views)


def _read_only(array: Array) -> Array:
    array.setflags(write=False)
    return array
