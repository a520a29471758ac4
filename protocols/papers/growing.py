"""Growth: the same thing looked at in larger and larger sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ccsim.claims import Finding
from ccsim.claims.values import Value

__all__ = ["Looked", "grown"]

MOST_TOLD = 3


class Looked(NamedTuple):
    """What came of one size: the value, how many cases were gone through, of how many, and what was wrong."""

    value: Value
    checked: int
    of: int
    wrong: Sequence[str]


def grown(sizes: Iterable[int], look: Callable[[int], Looked], **more: Any) -> Finding:
    """A series of what is found at each size; whatever is wrong is told with the size where it is."""
    found = {size: look(size) for size in sizes}
    wrong = [f"{fault} (at {size})" for size, looked in found.items() for fault in looked.wrong]
    return Finding(
        series=tuple((size, looked.value) for size, looked in found.items()),
        checked=sum(looked.checked for looked in found.values()),
        of=sum(looked.of for looked in found.values()),
        violations=tuple(wrong[:MOST_TOLD]),
        **more,
    )
