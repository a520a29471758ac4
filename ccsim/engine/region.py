"""The set of inputs that reach a node: a rectangle for inputs in hand, a cylinder intersection on foreheads."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.engine.views import View
from ccsim.matrices import DONT_CARE
from ccsim.memory import require_memory


class Region(ABC):
    """Inputs that cannot be told apart by what was said."""

    sets: Mapping[str, Array]

    @abstractmethod
    def split(self, role: str, keys: Array) -> list[tuple[int, Region]]:
        """The parts in which ``role``'s views have equal keys, in order of the key; empty parts are left out."""

    @abstractmethod
    def cells(self, table: Array) -> Array:
        """The function's codes on this region."""

    @abstractmethod
    def spread(self, role: str, values: Array) -> Array:
        """Values for each of ``role``'s views, so that they broadcast against :meth:`cells`."""

    @abstractmethod
    def inputs_at(self, table: Array, place: int) -> tuple[int, ...]:
        """The input indices, one per player, of a place in the flattened :meth:`cells`."""


def whole_region(views: Sequence[View], shape: tuple[int, ...]) -> Region:
    """All inputs."""
    if any(view.together for view in views):
        # One row of indices per player, one flat index, one view per player, and what dividing them takes.
        cells = math.prod(shape)
        require_memory(8 * cells * (4 * len(shape) + 2), f"the {cells} inputs on foreheads")
        places = np.indices(shape).reshape(len(shape), -1)
        return CylinderIntersection.of(views, shape, places)
    sets = {view.role: np.arange(view.size, dtype=_index_type(view.size)) for view in views}
    players = [view for view in views if view.seen]
    return Rectangle(sets, tuple(view.role for view in players), tuple(view.coins for view in players))


@dataclass(frozen=True, eq=False)
class Rectangle(Region):
    """A product of one set of views per role; views are inputs times private coins."""

    sets: Mapping[str, Array]
    players: tuple[str, ...]
    coins: tuple[int, ...]

    def inputs(self, player: int) -> Array:
        """The input index of each view of a player (with repetitions, if it has coins)."""
        views = self.sets[self.players[player]]
        return views if self.coins[player] == 1 else views // self.coins[player]

    def split(self, role: str, keys: Array) -> list[tuple[int, Region]]:
        """Only this role's set is divided."""
        views = self.sets[role]
        return [(key, replace(self, sets={**self.sets, role: part})) for key, part in _groups(views, keys)]

    def cells(self, table: Array) -> Array:
        """A subtable."""
        return table[np.ix_(*(self.inputs(player) for player in range(len(self.players))))]

    def spread(self, role: str, values: Array) -> Array:
        """Values along this role's axis."""
        if role not in self.players:
            return values.reshape((1,) * len(self.players))
        shape = [1] * len(self.players)
        shape[self.players.index(role)] = -1
        return values.reshape(shape)

    def inputs_at(self, table: Array, place: int) -> tuple[int, ...]:
        """From the place in the subtable."""
        inputs = [self.inputs(player) for player in range(len(self.players))]
        digits = np.unravel_index(place, [len(part) for part in inputs])
        return tuple(int(part[digit]) for part, digit in zip(inputs, digits, strict=True))


@dataclass(frozen=True, eq=False)
class CylinderIntersection(Region):
    """Explicit inputs (flat indices), and for each role the views that they give it."""

    sets: Mapping[str, Array]
    shape: tuple[int, ...]
    flat: Array
    seen: Mapping[str, Array]

    @classmethod
    def of(cls, views: Sequence[View], shape: tuple[int, ...], places: Array) -> CylinderIntersection:
        """All inputs of a shape, given as one row of indices per player."""
        seen = {}
        for own, view in enumerate(views):
            others = [player for player in range(len(shape)) if player != own]
            seen[view.role] = np.ravel_multi_index(
                tuple(places[player] for player in others), tuple(shape[player] for player in others)
            )
        sets = {role: np.unique(indices) for role, indices in seen.items()}
        return cls(sets, shape, np.ravel_multi_index(tuple(places), shape), seen)

    def split(self, role: str, keys: Array) -> list[tuple[int, Region]]:
        """Inputs whose view of this role has the key; other roles' views shrink with them."""
        cell_keys = keys[np.searchsorted(self.sets[role], self.seen[role])]
        parts: list[tuple[int, Region]] = []
        for key, chosen in _groups(np.arange(len(self.flat)), cell_keys):
            seen = {name: indices[chosen] for name, indices in self.seen.items()}
            sets = {name: np.unique(indices) for name, indices in seen.items()}
            parts.append((key, replace(self, sets=sets, flat=self.flat[chosen], seen=seen)))
        return parts

    def cells(self, table: Array) -> Array:
        """One code per input."""
        return table.ravel()[self.flat]

    def spread(self, role: str, values: Array) -> Array:
        """One value per input."""
        return values[np.searchsorted(self.sets[role], self.seen[role])]

    def inputs_at(self, table: Array, place: int) -> tuple[int, ...]:
        """From the flat index."""
        return tuple(int(digit) for digit in np.unravel_index(int(self.flat[place]), self.shape))


def legal(cells: Array) -> Array:
    """Which cells are inside the promise."""
    return np.asarray(cells != DONT_CARE)


def _groups(items: Array, keys: Array) -> list[tuple[int, Array]]:
    """Items with equal keys, in order of the key."""
    if len(keys) == 1 or bool((keys == keys[0]).all()):
        return [(int(keys[0]), items)]
    low, high = int(keys.min()), int(keys.max())
    if high == low + 1:
        is_low = keys == low
        return [(low, items[is_low]), (high, items[~is_low])]
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.diff(ordered)) + 1
    return [(int(keys[part[0]]), items[part]) for part in np.split(order, starts)]


def _index_type(size: int) -> type[np.integer[Any]]:
    return next(kind for kind in (np.uint16, np.uint32, np.int64) if size - 1 <= np.iinfo(kind).max)
