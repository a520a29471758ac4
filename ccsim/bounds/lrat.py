"""Proofs of a SAT solver that clauses cannot be satisfied, as it writes them (LRAT), and what of them is needed.

Each step is a clause that follows from earlier ones by unit propagation, and says from which (Cruz-Filipe, Heule, Hunt,
Kaufmann and Schneider-Kamp 2017). What nobody leans on is left out.
"""

from __future__ import annotations

from itertools import chain, compress
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ccsim.certificates.verify import Refused
from ccsim.certificates.verify.lrat import BASE_64, Clauses, coded

__all__ = ["Lemma", "needed", "read_proof", "shown", "signed", "written"]

ADDED = ord("a")
MOST_PROOF = 3_900_000  # characters, as it is shown


class Lemma(NamedTuple):
    """A clause and the numbers of those that it follows from: below 0 for given ones (-1 is the first), else steps."""

    clause: list[int]
    hints: list[int]


def read_proof(data: bytes, given: int, named: int | None = None) -> list[Lemma]:
    """The steps of a proof in the binary form that CaDiCaL writes on which the empty clause leans, which is the last.

    Args:
        data: the file.
        given: how many clauses the solver was given. It numbers them and its steps together, as they came.
        named: how many of these are mentioned where a step leans on them, the first ones; None: all.

    >>> [tuple(step) for step in read_proof(b"a\\x0a\\x05\\x00\\x06\\x08\\x00a\\x0c\\x00\\x0a\\x02\\x00", 4)]
    [([-2], [-3, -4]), ([], [0, -1])]
    """
    numbers = _numbers(data)
    halves, steps = numbers >> 1, _steps(numbers)
    places = np.full(int(halves.max(initial=0)) + given + len(steps) + 1, len(steps), dtype=np.int64)  # by name
    places[halves[[start - 1 for start, _, _ in steps]]] = np.arange(len(steps))
    others = np.flatnonzero(places[1:] == len(steps))[:given] + 1
    places[others] = -1 - np.arange(len(others))
    hints = places[halves]
    wanted = _leaned_on(steps, hints)
    hints = np.where(hints >= 0, (np.cumsum(wanted) - 1)[np.maximum(hints, 0)], hints)  # numbered anew
    kept = hints >= -(given if named is None else named)
    before = np.concatenate(([0], np.cumsum(kept))).tolist()
    literals, hinted = np.where(numbers & 1, -halves, halves).tolist(), hints[kept].tolist()
    left = compress(steps, wanted.tolist())
    return [Lemma(literals[a:b], hinted[before[b + 1] : before[c]]) for a, b, c in left]


def _leaned_on(steps: list[tuple[int, int, int]], hints: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Per step, whether the last one leans on it; two more places are for what is no step."""
    wanted = np.zeros(len(steps) + 2, dtype=np.bool_)
    wanted[len(steps) - 1] = True
    places = np.maximum(hints, -1)
    for place in range(len(steps) - 1, -1, -1):
        if wanted[place]:
            _, before, end = steps[place]
            wanted[places[before + 1 : end]] = True
    wanted[len(steps) :] = False
    return wanted


def _steps(numbers: npt.NDArray[np.int64]) -> list[tuple[int, int, int]]:
    """Where the clause of each step begins and ends, and where the clauses that it follows from end."""
    zeros = np.flatnonzero(numbers == 0)
    starts = np.concatenate(([0], zeros + 1))[:-1]
    added = (numbers[starts] == ADDED).tolist()
    begins, ends, place, steps = starts.tolist(), zeros.tolist(), 0, []
    while place < len(ends):
        if added[place]:
            steps.append((begins[place] + 2, ends[place], ends[place + 1]))
            if steps[-1][0] == ends[place]:
                break
        place += 1 + added[place]
    return steps


def _numbers(data: bytes) -> npt.NDArray[np.int64]:
    """Seven bits in a byte, the least first; the top bit says that there is more. Marks are read as numbers, too."""
    raw = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(raw < 128)
    starts = np.concatenate(([0], ends[:-1] + 1))
    found = (raw[starts] & 127).astype(np.int64)
    longer, place = np.flatnonzero(ends > starts), 1
    while longer.size:
        found[longer] |= (raw[starts[longer] + place].astype(np.int64) & 127) << 7 * place
        longer = longer[ends[longer] > starts[longer] + place]
        place += 1
    return found


def needed(steps: list[Lemma]) -> list[Lemma]:
    """The steps on which the last one leans, numbered anew."""
    wanted = {len(steps) - 1}
    for place in range(len(steps) - 1, -1, -1):
        if place in wanted:
            wanted.update(steps[place].hints)
    kept = sorted(place for place in wanted if place >= 0)
    now = {place: number for number, place in enumerate(kept)}
    return [Lemma(steps[place].clause, [now.get(hint, hint) for hint in steps[place].hints]) for place in kept]


def written(steps: list[Lemma], given: int) -> str:
    """A proof as the checker reads it (see :func:`ccsim.certificates.verify.lrat.steps_of`).

    Args:
        steps: given clauses, of which the checker knows the numbers, by -1 - number.
        given: how many these are.

    >>> written([Lemma([3, -1], [-1]), Lemma([], [0])], 1)
    'DDABAACA'
    """
    clauses, literals = _flat([step.clause for step in steps])
    order = np.lexsort((2 * abs(literals) + (literals < 0), clauses))
    ascending = (2 * abs(literals) + (literals < 0))[order]
    first = np.diff(clauses, prepend=-1) != 0
    owners, hints = _flat([step.hints for step in steps])
    differences = ascending - np.where(first, 0, np.roll(ascending, 1))
    backwards = np.where(hints >= 0, given + owners - hints, -hints)
    ends = np.arange(len(steps))  # of clauses, and of steps
    keys = np.concatenate([2 * clauses, 2 * ends, 2 * owners + 1, 2 * ends + 1])
    numbers = np.concatenate([differences, 0 * ends, backwards, 0 * ends])
    return _text(numbers[np.argsort(keys, kind="stable")])


def _flat(lists: list[list[int]]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """All numbers one after the other, and for each the place of its list."""
    owners = np.repeat(np.arange(len(lists)), np.fromiter(map(len, lists), dtype=np.int64))
    return owners, np.fromiter(chain.from_iterable(lists), dtype=np.int64, count=len(owners))


def _text(numbers: npt.NDArray[np.int64]) -> str:
    """Five bits to a digit, the least first, and 32 more if there is another one."""
    letters, left, place = np.frombuffer(BASE_64.encode(), dtype=np.uint8), numbers, 0
    lengths = np.ones(len(numbers), dtype=np.int64)
    for bits in range(5, 60, 5):
        lengths += numbers >= 1 << bits
    starts = np.cumsum(lengths) - lengths
    found = np.zeros(int(lengths.sum()), dtype=np.uint8)
    while left.size:
        more = left >= 32
        found[starts + place] = letters[(left & 31) + 32 * more]
        left, starts, place = left[more] >> 5, starts[more], place + 1
    return found.tobytes().decode()


def signed(coded: int) -> int:
    """A literal as solvers write it, by its number in proofs.

    >>> signed(6), signed(7)
    (3, -3)
    """
    return -(coded >> 1) if coded & 1 else coded >> 1


def shown(data: bytes, given: int, clauses: Clauses) -> str | None:
    """What the checker needs of the proof of a solver, or None if that is too long.

    Args:
        data: the file of a proof that is complete.
        given: how many clauses the solver was given, first of all those that the checker numbers, in their order.
        clauses: what the checker knows, before it has followed any step.
    """
    steps = read_proof(data, given, clauses.given)
    proof = written(steps, clauses.given)
    if len(proof) > MOST_PROOF:  # what the checker does not need is left out, which takes as long as to check it
        try:
            proof = written(_followed(steps, clauses), clauses.given)
        except Refused:  # it takes the checker too long
            return None
    return proof if len(proof) <= MOST_PROOF else None


def _followed(steps: list[Lemma], clauses: Clauses) -> list[Lemma]:
    """The steps with those hints alone that the checker needs, which follows more clauses than are named to it."""
    given, found = clauses.given, []
    for clause, hints in steps:
        used = clauses.follow(
            [coded(literal) for literal in clause], [hint + given if hint >= 0 else -1 - hint for hint in hints]
        )
        found.append(Lemma(clause, [hint - given if hint >= given else -1 - hint for hint in used]))
    return needed(found)
