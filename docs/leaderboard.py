"""The leaderboard: ``python docs/leaderboard.py`` audits every model of it and writes docs/leaderboard.md.

The page gives how many minutes of one processor that took. The models are shipped (``training/leaderboard.py`` trained
them), seeds are fixed, and sets of states are limited by their number, so that cells are the same wherever limits of
the processor's time do not bind. With ``--cells FILE`` every cell is kept there as soon as it is done, and those that
are there are not made again, so that a run that was interrupted goes on.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import ccsim as cc
from ccsim.auditing import Audit
from protocols.trained import KINDS, LENGTHS, TASKS, leaderboard_model

PAGE = Path(__file__).with_name("leaderboard.md")
STATES = {10: 1 << 20, 20: 1 << 20, 50: 1 << 9}
FEWER = {("mamba", 20): 1 << 6, ("mamba", 50): 1 << 6}  # each of its states is 80 numbers
SECONDS = {"mamba": 70.0}  # for all searches of an audit; all others end by themselves
MOST_SECONDS = 2100.0
NAMES = {
    "parity": "parity",
    "majority": "majority",
    "modulo": "ones modulo 3",
    "dyck": "brackets to depth 2",
    "equality": "equality of halves",
    "recall": "fifth symbol from the end",
}
DIGITS = Decimal("0.0001")
HEAD = """<!-- Made by docs/leaderboard.py: do not edit. -->
# Leaderboard: small trained models on every word

Five kinds of small models, each trained on one task for some seconds and audited on **all** words of 10, 20 and 50
symbols. A cell is a certified interval for the accuracy, rounded outwards: **right** is every word, one number means
that every word was decided, and `< 1` that a wrong word is known. See [Audit my model](how_to/audit_my_model.md).

Models are in 16-bit fixed point, a Mamba in 20 bits. `python docs/leaderboard.py` took @MINUTES@ minutes of one
processor, with seeds fixed and limits on states. `training/leaderboard.py` trained on words of up to 50 symbols.
"""
BELOW = """
## What any model of that size can reach

No bound of `ccsim size` excludes these tasks at these sizes and lengths. From the following lengths on every model
of the size is wrong on some words of a task, or on a quarter:

| kind | size | recall of one of $N$ bits | the same, a quarter | equality, $N$ even |
|---|---|---|---|---|
"""


def part(number: Fraction, *, up: bool) -> str:
    """Four digits, rounded outwards; an end that is not 0 or 1 is never shown as one of them.

    >>> part(Fraction(2, 3), up=False), part(1 - Fraction(1, 10**9), up=True), part(1 - Fraction(1, 10**9), up=False)
    ('0.6666', '< 1', '0.9999')
    """
    if number in (0, 1):
        return str(number)
    exact = Decimal(number.numerator) / Decimal(number.denominator)
    told = exact.quantize(DIGITS, rounding=ROUND_CEILING if up else ROUND_FLOOR)
    return "< 1" if told == 1 else "> 0" if told == 0 and not up else str(told)


def cell(found: Audit) -> str:
    """An audit in a few characters."""
    if found.verdict == "right":
        return "**right**"
    if found.accuracy is None:
        return "> 0, < 1" if found.verdict == "wrong" else "?"
    low, high = part(found.accuracy.at_least, up=False), part(found.accuracy.at_most, up=True)
    if found.accuracy.is_exact:
        return low
    return f"{low} to {high}"


def audited(task: str, kind: str, length: int) -> Audit:
    """One model on one length."""
    model = leaderboard_model(task, kind, length).model
    states = FEWER.get((kind, length), STATES[length])
    words = STATES[length] if length < 50 else 1 << 12
    seconds = MOST_SECONDS if length == 10 else SECONDS.get(kind, MOST_SECONDS)
    return cc.audit(model, TASKS[task](length), states=states, words=words, seconds=seconds, clock=time.process_time)


def constant(task: str, length: int) -> str:
    """What the best constant answer reaches."""
    counts = answer_counts(task, length)
    return part(Fraction(max(counts.values()), sum(counts.values())), up=False)


def answer_counts(task: str, length: int) -> dict[int, int]:
    """How many words want each answer: by the task's machine, where its states are few, else by what it is."""
    asked = TASKS[task](length)
    if task == "equality":
        return {0: 2**length - 2 ** (length // 2), 1: 2 ** (length // 2)}
    machine = asked.machine
    counts: dict[tuple[int, ...], int] = {tuple(machine.start.tolist()): 1}
    for position in range(1, length + 1):
        after: dict[tuple[int, ...], int] = {}
        for state, number in counts.items():
            for symbol in range(len(asked.alphabet)):
                then = tuple(machine.step(_row(state), _row(symbol), position)[0].tolist())
                after[then] = after.get(then, 0) + number
        counts = after
    told: dict[int, int] = {}
    for state, number in counts.items():
        code = int(machine.codes(_row(state))[0])
        told[code] = told.get(code, 0) + number
    return told


def _row(value: Any) -> Any:
    return np.array([value])


class Cells:
    """The texts of cells and the seconds of processor that each took, kept in a file where one is given."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.known: dict[str, list[Any]] = {}
        if path is not None and path.exists():
            self.known = json.loads(path.read_text(encoding="utf-8"))

    def __call__(self, task: str, kind: str, length: int) -> str:
        """The text of a cell, which is made if it is not there."""
        name = f"{task} {kind} {length}"
        if name not in self.known:
            begun = time.process_time()
            self.known[name] = [cell(audited(task, kind, length)), time.process_time() - begun]
            print(name, *self.known[name], flush=True)  # noqa: T201
            if self.path is not None:
                self.path.write_text(json.dumps(self.known, indent=1), encoding="utf-8")
        return str(self.known[name][0])

    @property
    def minutes(self) -> float:
        """Of processor, for all cells."""
        return sum(seconds for _, seconds in self.known.values()) / 60


def table(cells: Cells, length: int) -> Iterator[str]:
    """The lines of one length."""
    yield f"\n## {length} symbols\n\n| kind | {' | '.join(NAMES[task] for task in TASKS)} |"
    yield "|---" * (len(TASKS) + 1) + "|"
    for kind, name in KINDS.items():
        yield f"| {name} | {' | '.join(cells(task, kind, length) for task in TASKS)} |"
    yield f"| *a constant answer* | {' | '.join(constant(task, length) for task in TASKS)} |"


def sizes(kind: str) -> str:
    """What bounds imply for a size."""
    model: Any = leaderboard_model("parity", kind, 50).model
    if kind == "transformer":
        size = {"width": model.width, "precision": 16, "heads": model.heads, "head_width": model.head_width}
        told, kind = f"width {model.width}, {model.heads} heads, 16 bits", "transformer"
    else:
        precision = model.state_bits // model.units
        size, told = {"width": model.units, "precision": precision}, f"{model.units} numbers of {precision} bits"
        kind = "recurrent"
    lookup = cc.bounds.model(kind=kind, task="index-lookup", error="1/4", **size)
    equality = cc.bounds.model(kind=kind, task="equality-of-halves", **size)
    ends = (lookup.excluded_from, lookup.wrong_from, equality.excluded_from)
    return " | ".join([told, *("not known" if end is None else f"$N = {end}$" for end in ends)])


def main(arguments: list[str] | None = None) -> None:
    """Audit everything and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", type=Path, help="where cells are kept, so that a run can go on")
    cells = Cells(parser.parse_args(arguments).cells)
    tables = [line for length in LENGTHS for line in table(cells, length)]
    lines = [HEAD.rstrip().replace("@MINUTES@", f"{cells.minutes:.0f}"), *tables]
    rows = [f"| {name} | {sizes(kind)} |" for kind, name in KINDS.items()]
    PAGE.write_text("\n".join([*lines, BELOW.rstrip(), *rows, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
