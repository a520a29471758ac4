"""The same pictures as figures of matplotlib (the extra ``plot``), to be saved as PDF or PNG."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from ccsim.errors import InputError
from ccsim.plots.attention import attention_weights
from ccsim.plots.curves import Plot
from ccsim.plots.matrix import COLOURS, UNDEFINED, Rectangle, as_matrix, as_rectangles, owners
from ccsim.plots.svg import PALETTE
from ccsim.problems.function import Subject

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra, which only figures need

THIN = 4  # times as long as wide
LETTERS = 60  # of a line of a title
MARKS, DASHES = "os^D", ("-", "--", ":", "-.")


def empty_figure(width: float, height: float) -> Figure:
    try:
        from matplotlib.figure import Figure  # an extra, which only figures need
    except ImportError:
        raise InputError("matplotlib", None, "the extra 'plot' to be installed: pip install 'ccsim[plot]'") from None
    return Figure(figsize=(width, height), layout="constrained")


def matrix_figure(
    subject: Subject, *, rectangles: Iterable[Rectangle] = (), cells: Iterable[tuple[int, int]] = ()
) -> Figure:
    """A matrix with the lines between rectangles and rings on cells; see :func:`ccsim.plots.matrix_picture`."""
    from matplotlib.colors import ListedColormap  # an extra, which only figures need

    matrix = as_matrix(subject)
    codes, many = matrix.codes.astype(np.int64), len(COLOURS)
    figure = empty_figure(5, 5)
    axes = figure.subplots()
    shown = np.where(codes < 0, many, codes % many)
    thin = max(matrix.shape) > THIN * min(matrix.shape)  # then cells are no squares, so that all can be seen
    axes.imshow(
        shown,
        cmap=ListedColormap([*COLOURS, UNDEFINED]),
        vmin=0,
        vmax=many,
        interpolation="none",
        aspect="auto" if thin else "equal",
    )
    owner = owners(as_rectangles(rectangles, matrix.shape), matrix.shape)
    wide = 1.2 if max(matrix.shape) <= 64 else 0.2
    down, across = np.nonzero(owner[1:] != owner[:-1]), np.nonzero(owner[:, 1:] != owner[:, :-1])
    axes.hlines(down[0] + 0.5, down[1] - 0.5, down[1] + 0.5, colors="black", linewidth=wide)
    axes.vlines(across[1] + 0.5, across[0] - 0.5, across[0] + 0.5, colors="black", linewidth=wide)
    places = np.array([(row, column) for row, column in cells]).reshape(-1, 2)
    if len(places):
        size = (180 / max(matrix.shape)) ** 2
        axes.scatter(
            places[:, 1], places[:, 0], s=max(size, 3), facecolors="none", edgecolors=PALETTE[1], linewidths=1.5
        )
    axes.set(xticks=[], yticks=[], xlabel="Bob", ylabel="Alice")
    return figure


def plot_figure(plot: Plot) -> Figure:
    """Lines of formulas and marks of measurements; see :func:`ccsim.plots.plot_picture`."""
    figure = empty_figure(6.4, 4.2)
    axes = figure.subplots()
    for place, line in enumerate(plot.lines):
        look: dict[str, Any] = (
            {"marker": MARKS[place % 4], "linestyle": "none"}
            if line.measured
            else {"linestyle": DASHES[place % 4], "linewidth": 2}
        )
        axes.plot(*zip(*line.points, strict=True), color=PALETTE[place % 7], label=line.name, **look)
    if plot.logarithmic:
        axes.set(xscale="log", yscale="log")
    else:
        axes.set_ylim(bottom=0)
    axes.set(xlabel=plot.x, ylabel=plot.y, title=fill(plot.title, LETTERS))
    axes.grid(color="#dddddd")
    axes.legend()
    return figure


def attention_figure(model: Any, word: Sequence[Hashable]) -> Figure:
    """The attention weights of a model on a word; see :func:`ccsim.plots.attention_picture`."""
    from matplotlib.colors import PowerNorm  # an extra, which only figures need

    layers = attention_weights(model, word)
    shades = PowerNorm(0.5, vmin=0, vmax=1)  # dark like the root, so that equal shares of many can be seen
    heads = max(map(len, layers))
    figure = empty_figure(1 + 3.2 * heads, 3.2 * len(layers))
    grid = figure.subplots(len(layers), heads, squeeze=False)
    image: Any = None
    for layer, weights in enumerate(layers):
        for head, table in enumerate(weights):
            axes = grid[layer, head]
            image = axes.imshow(table, norm=shades, cmap="Blues", aspect="auto", interpolation="none")
            axes.set(title=f"layer {layer + 1}, head {head + 1}", xlabel="position", ylabel="row")
            if len(table) == 1:
                axes.set(yticks=[], ylabel="last row")
        for empty in grid[layer, len(weights) :]:
            empty.set_axis_off()
    figure.colorbar(image, ax=list(grid.flat), label="weight")
    return figure
