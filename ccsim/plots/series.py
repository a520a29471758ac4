"""Data for plots, as claims offer them to a report."""

from __future__ import annotations

from dataclasses import dataclass

Number = int | float


@dataclass(frozen=True)
class Line:
    """One line of a plot.

    Attributes:
        name: for the legend.
        points: (x, y), in order of x.
        measured: whether the points were measured (drawn as marks) or are a formula's (drawn as a line).
    """

    name: str
    points: tuple[tuple[Number, Number], ...]
    measured: bool = False


@dataclass(frozen=True)
class Plot:
    """Lines over one axis.

    Attributes:
        title: what it shows, in a few words.
        x, y: what the axes count, with units.
        lines: what is drawn.
        logarithmic: whether both axes are logarithmic; then points must be positive.
        note: a sentence on how to read it.
    """

    title: str
    x: str
    y: str
    lines: tuple[Line, ...]
    logarithmic: bool = False
    note: str = ""
