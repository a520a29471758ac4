"""``ccsim size`` for tasks that people bring: what they ask of a size at one length, counted."""

from __future__ import annotations

from typing import Any

from ccsim.arguments import require_integer
from ccsim.auditing.budget import Budget
from ccsim.auditing.needs import two_way_need
from ccsim.auditing.prefixes import PrefixClasses
from ccsim.auditing.result import count_text
from ccsim.auditing.tasks import read_task
from ccsim.auditing.words import machine_of
from ccsim.bounds.models.sizes import Size, read_size
from ccsim.cli.output import say
from ccsim.errors import InputError
from ccsim.models.comparison import Comparison
from ccsim.problems import SequenceTask

__all__ = ["tell_own_size"]

MOST_LENGTH = 1 << 12
SECONDS = 20.0
MOST_CLASSES = 1 << 17


def tell_own_size(text: str, length: int | None, sizes: dict[str, Any]) -> bool:
    """Say what a task needs at a length and what a size has there; whether the size is excluded.

    Raises :class:`~ccsim.errors.InputError` for tasks whose classes of prefixes, or whose matrix, is too large.
    """
    if length is None:
        raise InputError("--length", "not given", f"a length, as needs of the task {text} are counted at one length")
    task = read_task(text, require_integer("length", length, 1, MOST_LENGTH))
    return (_tell_recurrent if sizes["kind"] == "recurrent" else _tell_transformer)(task, sizes)


def _tell_recurrent(task: SequenceTask, sizes: dict[str, Any]) -> bool:
    machine = machine_of(task)
    symbols = Comparison.ranks_allowed(task)
    limits = Budget(states=MOST_CLASSES, seconds=SECONDS)
    classes = None if machine is None else PrefixClasses.of(machine, symbols, limits)
    if classes is None:
        expected = "a task that is asked of all words and whose prefixes can be counted, read from left to right"
        raise InputError("--task", task.name, expected)
    has, (read, most) = _size(task, sizes).own_cost(task.length), classes.worst
    needed, wrong = (most - 1).bit_length(), classes.least_wrong(has)
    _tell_both(task, sizes, needed, has)
    if wrong:
        say(f"  every such model is wrong on {count_text(wrong)} of {count_text(classes.words)} words or more", 4)
    say(f"  after {read} symbols there are {most} classes of prefixes that some end tells apart, counted", 4)
    return has < needed


def _tell_transformer(task: SequenceTask, sizes: dict[str, Any]) -> bool:
    best = two_way_need(task, SECONDS)
    if best is None:
        raise InputError("--length", task.length, "a length at which the matrix of the task is small enough")
    needed = best[0]
    has = _size(task, sizes).own_cost(task.length) + (len(task.answers) - 1).bit_length() - 1  # one for two answers
    _tell_both(task, sizes, needed, has)
    say(f"  two parties with {best[1]} exchange at least {needed} bits: a lower bound that is proved at this length", 4)
    return has < needed


def _size(task: SequenceTask, sizes: dict[str, Any]) -> Size:
    known = {"heads": 1, "head_width": None, "window": None} | sizes
    return read_size(**known, symbols=lambda _: len(task.alphabet))


def _tell_both(task: SequenceTask, sizes: dict[str, Any], needed: int, has: int) -> None:
    excluded = "excluded" if has < needed else "not excluded"
    kind = "recurrent" if sizes["kind"] == "recurrent" else "one layer of a transformer"
    size = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in sizes.items() if name != "kind")
    bits = "1 bit" if needed == 1 else f"{needed} bits"
    say(f"{kind} with {size} on {task.name}: {excluded} at N = {task.length} (needs {bits}, it has {has})", 2)
