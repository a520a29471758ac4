"""Accuracy against length as a figure, with the lengths from which bounds exclude the sizes drawn beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ccsim.plots.figures import empty_figure
from ccsim.plots.svg import PALETTE
from protocols.trained.accuracy import SIZES, TASKS, Accuracy, accuracy_results, most_accurate, size_bound

__all__ = ["accuracy_figure"]

MARKS = "os^D"
TICKS = (4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048)


def accuracy_figure(results: Sequence[Accuracy] | None = None) -> Any:
    """One part for each task; a line for each model, a vertical one where its bound begins, in the same colour.

    Open marks and dashes are the smallest model after quantisation, on all words, exactly; dots are the most that its
    state allows there. Raises :class:`~ccsim.errors.InputError` without matplotlib (the extra ``plot``).

    >>> [axes.get_title() for axes in accuracy_figure().axes]
    ['index-lookup', 'dyck']
    """
    shown = accuracy_results() if results is None else results
    figure = empty_figure(11, 5)
    for axes, task in zip(figure.subplots(1, 2, sharey=True), TASKS, strict=True):
        own = [one for one in shown if one.task == task]
        for place, architecture in enumerate(SIZES):
            _model(axes, [one for one in own if one.architecture == architecture], place)
            _bound(axes, task, architecture, place)
        _frame(axes, task, own)
    figure.axes[0].set_ylabel("part of the words answered rightly")
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize=9)
    return figure


def _model(axes: Any, entries: Sequence[Accuracy], place: int) -> None:
    colour = PALETTE[place]
    if not entries:
        return
    measured = [(one.length, one.held_out) for one in entries]
    name = f"{entries[0].architecture}, held-out words"
    axes.plot(*zip(*measured, strict=True), color=colour, marker=MARKS[place], label=name, alpha=0.85)
    exact = [(one.length, float(one.exact)) for one in entries if one.exact is not None]
    if exact:
        look = {"marker": MARKS[place], "markerfacecolor": "none", "linestyle": "--", "markersize": 9}
        axes.plot(*zip(*exact, strict=True), color=colour, label="gru quantised, all words, exact", **look)


def _bound(axes: Any, task: str, architecture: str, place: int) -> None:
    bound = size_bound(task, architecture)
    if bound.excluded_from is not None:
        axes.axvline(bound.excluded_from, color=PALETTE[place], linewidth=2, linestyle="-.")
        where = (bound.excluded_from * 1.05, 0.1)
        text = f"{architecture}: from N = {bound.excluded_from}"
        axes.annotate(
            text, where, xycoords=("data", "axes fraction"), rotation=90, fontsize=9, va="bottom", color=PALETTE[place]
        )
    if task == "index-lookup" and architecture == "gru":
        bits = bound.size["width"] * bound.size["precision"]
        lengths = range(4, 257)
        most = [float(most_accurate(bits, length)) for length in lengths]
        axes.plot(lengths, most, color=PALETTE[place], linestyle=":", label=f"most that {bits} bits of state allow")


def _frame(axes: Any, task: str, entries: Sequence[Accuracy]) -> None:
    axes.axhline(0.5, color="#999999", linewidth=1)
    axes.annotate("guessing", (72, 0.5), va="bottom", color="#666666")
    axes.set_xscale("log", base=2)
    axes.set_xticks(TICKS, [str(tick) for tick in TICKS])
    axes.set(title=task, xlabel="N", xlim=(3.6, 2600), ylim=(0, 1.04))
    free = [name for name in SIZES if size_bound(task, name).excluded_from is None]
    text, box = f"excluded at no length: {', '.join(free)}", {"facecolor": "white", "edgecolor": "none", "pad": 2}
    axes.annotate(text, (0.97, 0.94), xycoords="axes fraction", ha="right", va="top", bbox=box)
    lengths = [one.length for one in entries]
    if lengths:
        axes.axvspan(min(lengths), max(lengths), ymax=0.02, color="#bbbbbb")
        axes.annotate("trained and measured", (min(lengths), 0.035), xycoords=("data", "axes fraction"), fontsize=9)
