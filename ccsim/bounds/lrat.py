"""Proofs of a SAT solver that clauses cannot be satisfied, as it writes them (LRAT), and what of them is needed.

Each step is a clause that follows from earlier ones by unit propagation, and says from which (Cruz-Filipe, Heule, Hunt,
Kaufmann and Schneider-Kamp 2017). What nobody leans on is left out.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
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


def read_proof(data: bytes, given: int) -> list[Lemma]:
    """The steps of a proof in the binary form that CaDiCaL writes, up to the empty clause.

    Args:
        data: the file.
        given: how many clauses the solver was given. It numbers them and its steps together, as they came.

    >>> [tuple(step) for step in read_proof(b"a\\x0a\\x05\\x00\\x06\\x08\\x00a\\x0c\\x00\\x0a\\x02\\x00", 4)]
    [([-2], [-3, -4]), ([], [0, -1])]
    """
    numbers = _numbers(data)
    halves, steps = numbers >> 1, _steps(numbers)
    places = np.full(int(halves.max(initial=0)) + given + len(steps) + 1, len(steps), dtype=np.int64)  # by name
    places[halves[[start - 1 for start, _, _ in steps]]] = np.arange(len(steps))
    others = np.flatnonzero(places[1:] == len(steps))[:given] + 1
    places[others] = -1 - np.arange(len(others))
    literals, hints = np.where(numbers & 1, -halves, halves), places[halves]
    return [Lemma(literals[a:b].tolist(), hints[b + 1 : c].tolist()) for a, b, c in steps]


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
    numbers: list[int] = []
    for place, (clause, hints) in enumerate(steps):
        coded = sorted(2 * abs(literal) + (literal < 0) for literal in clause)
        numbers += [one - before for before, one in pairwise([0, *coded])]
        numbers += [0, *(given + place - hint if hint >= 0 else -hint for hint in hints), 0]
    return "".join(map(_digits, numbers))


def signed(coded: int) -> int:
    """A literal as solvers write it, by its number in proofs.

    >>> signed(6), signed(7)
    (3, -3)
    """
    return -(coded >> 1) if coded & 1 else coded >> 1


@lru_cache(1 << 16)
def _digits(number: int) -> str:
    return BASE_64[number] if number < 32 else BASE_64[32 + number % 32] + _digits(number // 32)


def shown(data: bytes, given: int, clauses: Clauses) -> str | None:
    """What the checker needs of the proof of a solver, or None if that is too long.

    Args:
        data: the file of a proof that is complete.
        given: how many clauses the solver was given, first of all those that the checker numbers, in their order.
        clauses: what the checker knows, before it has followed any step.
    """
    steps = needed(read_proof(data, given))
    steps = [Lemma(clause, [hint for hint in hints if hint >= -clauses.given]) for clause, hints in steps]
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
