"""At which lengths a language excludes a size of one-layer transformers, by any of the partitions looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ccsim.arguments import require_integer
from ccsim.bounds.models.protocol_bits import hypotheses, softmax_bits
from ccsim.bounds.models.sizes import MOST_PRECISION

FARTHEST = 1 << 13  # positions up to which a model is compared
LARGEST_STEP = 12  # the least common multiple of the periods


@dataclass(frozen=True)
class Exclusion:
    """The lengths, up to 2^13, at which no one-layer transformer of a size recognises a language.

    Attributes:
        lengths: all of them, rising.
    """

    lengths: tuple[int, ...]

    @property
    def first(self) -> int | None:
        """The least excluded length; None if there is none."""
        return self.lengths[0] if self.lengths else None

    @cached_property
    def tail(self) -> tuple[int, int] | None:
        """The least step of which all multiples are excluded from some length up to 2^13, and that length."""
        excluded = set(self.lengths)
        for step in range(1, LARGEST_STEP + 1):
            length = FARTHEST // step * step
            while length > 0 and length in excluded:
                length -= step
            if 2 * (length + step) <= FARTHEST:
                return step, length + step
        return None

    @property
    def told(self) -> str:
        """Which lengths, in words; the hypotheses are not among them."""
        if self.first is None:
            return f"excluded at no length up to {FARTHEST}"
        if self.tail is None:
            return f"excluded at {len(self.lengths)} lengths up to {FARTHEST}, the first N = {self.first}"
        step, start = self.tail
        every = {1: "every N", 2: "every even N"}.get(step, f"every N that {step} divides")
        before = "" if self.first == start else f", and first at N = {self.first}"
        others = "" if step == 1 else "; not known at all others"
        return f"excluded at {every} from {start} to {FARTHEST}{before}{others}"

    @property
    def hypotheses(self) -> str:
        """What is assumed of the model."""
        return hypotheses("transformer")


def exclusion(
    needs: Sequence[tuple[str, Sequence[int]]], *, width: int, heads: int, precision: int, symbols: int, blank: bool
) -> Exclusion:
    """The lengths at which some partition needs more bits than the protocol of the model has there.

    Args:
        needs: of each periodic partition, the bits that 1, 2, ... periods need.
        width, heads, precision: of the model.
        symbols: of the alphabet, with the blank.
        blank: whether a blank may stand anywhere; then positions after the last full period are blanks, known to both.

    >>> exclusion([("AB", [9 * n for n in range(1, 4097)])], width=1, heads=1, precision=8, symbols=2, blank=False).told
    'excluded at every even N from 10 to 8192; not known at all others'
    """
    size = {
        "head_width": require_integer("width", width, low=1),
        "heads": require_integer("heads", heads, low=1),
        "precision": require_integer("precision", precision, low=3, high=MOST_PRECISION),
        "symbols": symbols,
    }
    excluded = []
    for length in range(1, FARTHEST + 1):
        most: dict[int, int] = {}  # bits that are needed, by how many positions Alice holds
        for partition, bits in needs:
            periods, rest = divmod(length, len(partition))
            if periods and (blank or not rest):
                least = periods * partition.count("A")
                for held in range(least, least + rest + 1):
                    most[held] = max(most.get(held, 0), bits[periods - 1])
        if any(softmax_bits(**size, length=length, held=held) < need for held, need in most.items()):
            excluded.append(length)
    return Exclusion(tuple(excluded))
