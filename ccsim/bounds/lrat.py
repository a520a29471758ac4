"""Proofs of a SAT solver that clauses cannot be satisfied, as it writes them (LRAT), and what of them is needed.

Each step is a clause that follows from earlier ones by unit propagation, and says from which (Cruz-Filipe, Heule, Hunt,
Kaufmann and Schneider-Kamp 2017). What nobody leans on is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import count, islice, pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ccsim.certificates.verify import Refused
from ccsim.certificates.verify.lrat import BASE_64, Clauses

__all__ = ["Lemma", "needed", "read_proof", "shown", "written"]

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
    steps = list(_steps(data))
    places = {name: place for place, (name, _, _) in enumerate(steps)}
    names = islice((name for name in count(1) if name not in places), given)
    places |= {name: -1 - place for place, name in enumerate(names)}
    return [Lemma(clause, [places[hint] for hint in hints]) for _, clause, hints in steps]


def _steps(data: bytes) -> Iterator[tuple[int, list[int], list[int]]]:
    numbers, place = _numbers(data).tolist(), 0
    while place < len(numbers):
        middle = numbers.index(0, place)
        if numbers[place] == ADDED:
            name, *clause = numbers[place + 1 : middle]
            place, middle = middle, numbers.index(0, middle + 1)
            hints = [one >> 1 for one in numbers[place + 1 : middle]]
            yield name >> 1, [-(one >> 1) if one & 1 else one >> 1 for one in clause], hints
            if not clause:
                return
        place = middle + 1


def _numbers(data: bytes) -> npt.NDArray[np.int64]:
    """Seven bits in a byte, the least first; the top bit says that there is more. Marks are read as numbers, too."""
    raw = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(raw < 128)
    starts = np.concatenate(([0], ends[:-1] + 1))
    longest = int((ends - starts).max(initial=0))
    found = np.zeros(len(ends), dtype=np.int64)
    for place in range(longest + 1):
        here = starts + place <= ends
        found[here] |= (raw[starts[here] + place].astype(np.int64) & 127) << 7 * place
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
        used = clauses.follow(clause, [hint + given if hint >= 0 else -1 - hint for hint in hints])
        found.append(Lemma(clause, [hint - given if hint >= given else -1 - hint for hint in used]))
    return needed(found)
