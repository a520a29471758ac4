"""Match3 at its first row, and sets written as numbers for it, from the definitions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

__all__ = ["match3_table", "tight_word", "triple_at_first"]


def triple_at_first(numbers: Sequence[int], modulus: int) -> int:
    """Whether the first number and some two add up to 0."""
    return int(any((numbers[0] + one + other) % modulus == 0 for one, other in product(numbers, repeat=2)))


def tight_word(mine: Sequence[int], others: Sequence[int]) -> tuple[int, ...]:
    """Two sets of n elements as N = 2n + 1 numbers modulo N + 1.

    The first is 1; element i becomes 2(i - 1) in one set and -1 - 2(i - 1) in the other, and what is in none becomes 1.
    """
    modulus = 2 * len(mine) + 2
    first = [2 * i if held else 1 for i, held in enumerate(mine)]
    second = [modulus - 1 - 2 * i if held else 1 for i, held in enumerate(others)]
    return (1, *first, *second)


def match3_table(size: int) -> list[list[int]]:
    """Rows are one party's sets of so many elements, columns the other's."""
    sets = list(product((0, 1), repeat=size))
    return [[triple_at_first(tight_word(a, b), 2 * size + 2) for b in sets] for a in sets]
