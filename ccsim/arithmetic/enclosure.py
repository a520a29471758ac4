"""What stands for many arrays of integers at once: a set that holds every one of them.

The exact operations of this package take an enclosure where they take an array, and give an enclosure of all that they
could give (where types say an array, as models pass on what they get). So a model that is written in these operations
says without further ado what it can do on a whole set.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from ccsim.errors import Array


class Enclosure(ABC):
    """A set of arrays of integers of one shape; the first axis is a batch of sets."""

    @abstractmethod
    def matmul(self, weights: Any) -> Array:
        """The product of the last axis with a matrix of integers."""

    @abstractmethod
    def plus_product(self, pairs: tuple[tuple[Any, Any], ...]) -> Array:
        """The sum of the products of so many pairs, of which some parts may be arrays; ``self`` is one of the parts."""

    @abstractmethod
    def weighted_mean(self, scale: int, share: Any, one: Any, two: Any) -> Array:
        """(scale - share) one + share two, for shares from 0 to ``scale``; ``self`` is one of the three."""

    @abstractmethod
    def floor_divided(self, divisor: Any) -> Array:
        """The quotients by a positive integer, rounded down."""

    @abstractmethod
    def saturated(self, low: int, high: int) -> Array:
        """Each number moved to the nearest one from ``low`` to ``high``."""

    @abstractmethod
    def mapped(self, function: Callable[[Any], Any], name: str, argument: Any, result: Any) -> Array:
        """An elementary function of that name, from one precision to another; ``function`` works it out on arrays."""


def enclosed(*values: Any) -> Enclosure | None:
    """The first enclosure among these, or None.

    >>> enclosed(1, [0, 0, 0]) is None
    True
    """
    return next((value for value in values if isinstance(value, Enclosure)), None)
