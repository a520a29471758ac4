"""The least machine for a task of one length, by its prefixes and what can still follow (Myhill 1957, Nerode 1958).

Two prefixes of one length must lead to different states iff some suffix gives them different answers. For a total task
this is an equivalence, and its classes at each length are the states of the one least machine. Under a promise it is
not: prefixes that differ only off the promise may share a state, but not any way one likes, and a least machine is hard
to find. The machine made here is then right on every promised word, and not always the least.
"""

from __future__ import annotations

import numpy as np

from ccsim.arrays import Array
from ccsim.matrices import DONT_CARE
from ccsim.models.reachability import different_rows
from ccsim.models.recurrent.table import TransitionTable
from ccsim.problems.sequence.task import SequenceTask


def from_task(task: SequenceTask) -> TransitionTable:
    """A machine with a table for each position that gives the task's answer on every promised word.

    For a total task it has, after each number of symbols, exactly as many states as there are classes of prefixes: no
    recurrent model has fewer. ``tables[t]`` has a row for each state after t symbols. On words that are no words of
    the task (a symbol where it may not stand) and off the promise, the answer is arbitrary.

    Raises :class:`~ccsim.errors.TableTooLargeError` if the task's table cannot fit.

    >>> from ccsim.problems import equality_of_halves, parity_of_word
    >>> [len(table) for table in from_task(parity_of_word(4)).tables]
    [1, 2, 2, 2]
    >>> [len(table) for table in from_task(equality_of_halves(6)).tables]
    [1, 2, 4, 8, 5, 3]
    """
    states = np.asarray(task.codes(), dtype=np.int64)  # for each word, the state that it must end in
    tables = []
    for symbols in reversed(task.positions):
        rows, states = _merged(states.reshape(-1, len(symbols)))
        table = np.zeros((len(rows), len(task.alphabet)), dtype=np.int64)
        table[:, [task.alphabet.index(symbol) for symbol in symbols]] = np.maximum(rows, 0)
        tables.append(table)
    first = max(int(states[0]), 0)
    return TransitionTable(
        task.alphabet,
        task.answers,
        tuple(tables[::-1]),
        np.arange(len(task.answers)),
        first,
        task.length,
        f"least machine for {task.name}",
    )


def _merged(rows: Array) -> tuple[Array, Array]:
    """The different rows, with rows that agree wherever both are settled made one; and which each row became.

    A row without any settled entry becomes nothing: -1. Rows are taken one after the other, the most settled first,
    and put together with the first that does not contradict them.
    """
    different, _, places = different_rows(rows)
    settled = different != DONT_CARE
    if settled.all():
        return different, places
    number = np.full(len(different), DONT_CARE, dtype=np.int64)
    kept = np.empty_like(different)
    count = 0
    for row in np.argsort(-settled.sum(axis=1), kind="stable"):
        if not settled[row].any():
            continue
        clash = (kept[:count] != different[row]) & (kept[:count] != DONT_CARE) & settled[row]
        fitting = np.flatnonzero(~clash.any(axis=1))
        chosen = int(fitting[0]) if len(fitting) else count
        if chosen == count:
            kept[count] = different[row]
            count += 1
        else:
            kept[chosen] = np.where(settled[row], different[row], kept[chosen])
        number[row] = chosen
    if not count:  # nothing is promised
        return np.zeros((1, rows.shape[1]), dtype=np.int64), np.full(len(rows), DONT_CARE, dtype=np.int64)
    return kept[:count], number[places]
