"""The median of two sets by binary search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ccsim.engine import AnswerEach, Cost, Protocol, Receive, Said, SendEach, array_party
from ccsim.problems import median
from ccsim.problems.arrays import popcount
from protocols.classical.widths import width_of

__all__ = ["median_search"]


def median_search(n: int) -> Protocol:
    """The lower median of two non-empty subsets of {0, ..., n-1} together, by binary search over the elements.

    Alice sends the size of her set. Then L(n) times she sends how many of her elements are at most m, the
    middle of the elements still possible, and Bob replies whether at least half of all elements are.
    Both know the answer. Deterministic.

    Cost: exactly L(n) + L(n) (L(n+1) + 1) bits, O(log^2 n); O(log n) is possible
    (Kushilevitz and Nisan 1997, chapter 1).

    >>> median_search(5).run({0, 4}, {3, 4}).answer, median_search(5).explore().worst_bits
    (3, 15)
    """
    function = median(n)
    size_width, count_width = width_of(n), width_of(n + 1)

    def up_to(sets: Any, element: int) -> Any:
        return popcount(sets & ((2 << element) - 1))

    @array_party
    def alice(sets: Any, heard: Any) -> Any:
        low, high = _possible(n, heard)
        if not heard:
            return SendEach(popcount(sets) - 1, size_width, "|x| - 1")
        if len(heard) % 2 == 0:
            return Receive(width=1)
        if low == high:
            return AnswerEach(low)
        middle = (low + high) // 2
        return SendEach(up_to(sets, middle), count_width, f"how many elements of x are at most {middle}")

    @array_party
    def bob(sets: Any, heard: Any) -> Any:
        low, high = _possible(n, heard)
        if not heard:
            return Receive(width=size_width)
        if len(heard) % 2:
            return AnswerEach(low) if low == high else Receive(width=count_width)
        total = heard[0].bits.to_unsigned() + 1 + popcount(sets)
        middle = (low + high) // 2
        count = heard[-1].bits.to_unsigned() + up_to(sets, middle)
        return SendEach(2 * count >= total, 1, f"the median is at most {middle}")

    return Protocol(
        f"median_search({n})",
        function,
        {"alice": alice, "bob": bob},
        cost=Cost("L(n) + L(n) * (L(n + 1) + 1)", {"n": n}),
        source="Kushilevitz and Nisan 1997, chapter 1",
    )


def _possible(n: int, heard: Sequence[Said]) -> tuple[int, int]:
    """The smallest and the largest element that the median can be after Bob's replies."""
    low, high = 0, n - 1
    for reply in heard[2::2]:
        middle = (low + high) // 2
        low, high = (low, middle) if reply.bits[0] else (middle + 1, high)
    return low, high
