"""The training figures of Bhattamishra and others 2024 at a scale of minutes, as they were measured.

``figures.json`` lies beside this file; ``training/figures.py`` made it. These are accuracies of float models on words
that were drawn: they prove nothing, and say how fast a kind learns rather than what it can do.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from ccsim.errors import InputError
from ccsim.plots import Line, Plot

__all__ = ["KINDS", "TASKS", "Trained", "figure_plot", "figure_plots", "figure_results", "figure_settings"]

FILE = Path(__file__).with_name("figures.json")
KINDS = ("transformer", "linear attention", "RetNet", "diagonal state space", "Mamba", "LSTM")
TASKS = {
    "index lookup": Fraction(1, 64),
    "Eq-random": Fraction(1, 2),
    "Eq-one": Fraction(1, 2),
    "nearest neighbour": Fraction(1, 2),
}
"""The tasks of the figures, and which part of the words guessing answers rightly."""


@dataclass(frozen=True)
class Trained:
    """How one network did.

    Attributes:
        task, kind, length, seed: which; a lookup has a position after so many symbols, an equality a separator in
            their middle, neighbours have so many points and labels and one point more.
        steps: of training; fewer than those of the settings if it was right early.
        right, tested: of fresh words, how many it answers rightly.
    """

    task: str
    kind: str
    length: int
    seed: int
    steps: int
    right: int
    tested: int

    @property
    def accuracy(self) -> float:
        """The part of the fresh words that is answered rightly."""
        return self.right / self.tested


def figure_results(task: str) -> tuple[Trained, ...]:
    """What was measured for a task, by kind and length.

    >>> {one.kind for one in figure_results("index lookup")} == set(KINDS)
    True
    """
    if task not in TASKS:
        raise InputError("task", task, f"one of {', '.join(TASKS)}")
    entries = [Trained(**entry) for entry in _read()["entries"] if entry["task"] == task]
    return tuple(sorted(entries, key=lambda one: (KINDS.index(one.kind), one.length, one.seed)))


def figure_settings() -> dict[str, Any]:
    """What all networks have in common: sizes, steps, symbols a batch, rate."""
    return dict(_read()["settings"])


def figure_plot(task: str) -> Plot:
    """Accuracy against length for each kind, with guessing as a line.

    >>> figure_plot("Eq-random").lines[-1].name
    'guessing'
    """
    results = figure_results(task)
    points = {kind: tuple((one.length, one.accuracy) for one in results if one.kind == kind) for kind in KINDS}
    lines = [Line(kind, own, measured=True, joined=True) for kind, own in points.items() if own]
    guess = float(TASKS[task])
    lines.append(Line("guessing", ((0, guess), (max(one.length for one in results), guess))))
    common = figure_settings()
    note = f"Speed, not ability: width {common['width']}, {common['layers']} layers, at most {common['steps']} steps"
    title = f"{task}: accuracy after a short training"
    return Plot(
        title, "N", "part of the words answered rightly", tuple(lines), note=f"{note}, {results[0].tested} words."
    )


def figure_plots(*tasks: str) -> tuple[Plot, ...]:
    """The plots of some tasks, as a claim offers them."""
    return tuple(figure_plot(task) for task in tasks)


def _read() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return read
