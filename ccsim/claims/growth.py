"""Growth, judged over sizes: every value on the right side of the declared curve, and the trend no steeper than it."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from ccsim.claims.claim import Claim, Direction, Finding, Setting, Value, compare, short_text

FEWEST, SPAN = 5, 64
STEEPER = Fraction(3, 2)  # from the middle of the sizes on, a value may rise so many times as much as its curve
BENT = Fraction(4, 3)  # and so many times as much as it did before, where its curve rises as much as it did


def sizes_up_to(largest: int, low: int = 1, step: int = 1) -> tuple[int, ...]:
    """The sizes at which growth is looked at: the largest, its half, and so on, over a factor of 64, from ``low`` on.

    All are multiples of ``step``.

    >>> sizes_up_to(512), sizes_up_to(40, low=4, step=2)
    ((8, 16, 32, 64, 128, 256, 512), (4, 6, 10, 20, 40))
    """
    halves = {max(low, -(-(largest >> halvings) // step) * step) for halvings in range(SPAN.bit_length())}
    return tuple(sorted(size for size in halves if size <= largest))


def curve(claim: Claim, setting: Setting, size: int) -> Value:
    assert claim.constant is not None
    return claim.claimed({**setting, claim.constant.along: size})


def growth_fault(claim: Claim, setting: Setting, finding: Finding) -> str:
    """Why the values of a finding do not bear out the growth that is claimed, or nothing if they do.

    Every value must be on its side of the curve. From the middle of the sizes on, what is bounded from above may rise
    1.5 times as much as the curve does, and not bend upwards; what is bounded from below must rise two thirds as much.
    """
    constant, series = claim.constant, finding.series
    assert constant is not None
    sizes = [size for size, _ in series]
    if len(sizes) < 2 or sizes != sorted(set(sizes)):
        return f"growth needs values at two sizes or more, in order, not at {sizes}"
    if not constant.short and setting in claim.settings() and not _wide(sizes):
        return f"growth needs {FEWEST} sizes over a factor of {SPAN}, not {sizes}"
    below = claim.direction in (Direction.LOWER, Direction.OPEN)
    for size, value in series:
        claimed = curve(claim, setting, size)
        if compare(value, claimed) == (-1 if below else 1):
            side, formula = "below" if below else "above", f"{claim.formula}, c = {constant.value}"
            return f"{short_text(value)} at {constant.along}={size}, {side} {short_text(claimed)} ({formula})"
    return "" if constant.short else _steep(claim, setting, finding, below)


def _wide(sizes: list[int]) -> bool:
    return len(sizes) >= FEWEST and sizes[-1] >= SPAN * sizes[0]


def _steep(claim: Claim, setting: Setting, finding: Finding, below: bool) -> str:
    middle, last = finding.series[len(finding.series) // 2], finding.series[-1]
    risen = last[1] - middle[1]
    allowed = curve(claim, setting, last[0]) - curve(claim, setting, middle[0])
    factor = 1 / STEEPER if below else STEEPER
    if compare(risen, factor * allowed) == (-1 if below else 1):
        how = "less" if below else "more"
        return (
            f"from size {middle[0]} to {last[0]} it rises by {short_text(risen)}, "
            f"{how} than {factor} times the {short_text(allowed)} of {claim.formula}"
        )
    return "" if below else _bent(claim, setting, finding)


def _bent(claim: Claim, setting: Setting, finding: Finding) -> str:
    """Whether values rise faster and faster, compared with their curve: an affine function of it does not.

    They rise 4/3 times as much in the second half, each rise given 1, as whole numbers are rounded, and more and more
    steeply: so what a search finds, which goes up and down, is left out, and what is constant before it rises.
    """
    values = [value for _, value in finding.series]
    curves = [curve(claim, setting, size) for size, _ in finding.series]
    middle = len(values) // 2
    before, risen = values[middle] - values[0], values[-1] - values[middle]
    before = before if compare(before, 0) > 0 else 0
    expected, allowed = curves[middle] - curves[0], curves[-1] - curves[middle]
    if compare((risen - 1) * expected, BENT * (before + 1) * allowed) <= 0:
        return ""
    if not _steeper_and_steeper(values[min(middle, len(values) - 3) :], curves[min(middle, len(values) - 3) :]):
        return ""
    first, half, last = (finding.series[place][0] for place in (0, middle, -1))
    return (
        f"it bends upwards: it rises by {short_text(risen)} from size {half} to {last}, after {short_text(before)} "
        f"from {first}, where {claim.formula} rises by {short_text(allowed)} after {short_text(expected)}"
    )


def _steeper_and_steeper(values: list[Value], curves: list[Value]) -> bool:
    """Whether each step is as steep as the one before, but for 1, and the last one steeper, compared with the curve."""
    steps = [(b - a, d - c) for (a, b), (c, d) in zip(pairwise(values), pairwise(curves), strict=True)]
    pairs = list(pairwise(steps))
    if any(compare(rise * before, (earlier - 1) * along) < 0 for (earlier, before), (rise, along) in pairs):
        return False
    return any(compare(rise * before, earlier * along) > 0 for (earlier, before), (rise, along) in pairs[-1:])
