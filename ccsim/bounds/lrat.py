"""Proofs of a SAT solver that clauses cannot be satisfied, as it writes them (LRAT), and what of them is needed.

Each step is a clause that follows from earlier ones by unit propagation, and says from which (Cruz-Filipe, Heule, Hunt,
Kaufmann and Schneider-Kamp 2017). What nobody leans on is left out.
"""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ccsim.certificates.verify import Refused
from ccsim.certificates.verify.lrat import BASE_64, CoverClauses

ADDED = ord("a")
MOST_PROOF = 3_900_000  # characters, as it is shown
Numbers = npt.NDArray[np.int64]


class Lemma(NamedTuple):
    """A clause and the numbers of those that it follows from: below 0 for given ones (-1 is the first), else steps."""

    clause: list[int]
    hints: list[int]


class _Flat(NamedTuple):
    literals: Numbers
    clauses: Numbers  # where these end, for each step
    hints: Numbers
    ends: Numbers

    def lemmas(self) -> list[Lemma]:
        literals, hints = self.literals.tolist(), self.hints.tolist()
        clauses, ends = [0, *self.clauses.tolist()], [0, *self.ends.tolist()]
        return [
            Lemma(literals[a:b], hints[c:d])
            for a, b, c, d in zip(clauses[:-1], clauses[1:], ends[:-1], ends[1:], strict=True)
        ]


def read_proof(data: bytes, given: int, named: int | None = None) -> list[Lemma]:
    """The steps of a proof in the binary form that CaDiCaL writes on which the empty clause leans, which is the last.

    Args:
        data: the file.
        given: how many clauses the solver was given. It numbers them and its steps together, as they came.
        named: how many of these are mentioned where a step leans on them, the first ones; None: all.

    >>> [tuple(step) for step in read_proof(b"a\\x0a\\x05\\x00\\x06\\x08\\x00a\\x0c\\x00\\x0a\\x02\\x00", 4)]
    [([-2], [-3, -4]), ([], [0, -1])]
    """
    return _read(data, given, given if named is None else named).lemmas()


def _read(data: bytes, given: int, named: int) -> _Flat:
    numbers = _numbers(data)
    halves, (starts, middles, ends) = numbers >> 1, _steps(numbers)
    count = len(starts)
    places = np.full(int(halves.max(initial=0)) + given + count + 1, count, dtype=np.int64)  # by name
    places[halves[starts - 1]] = np.arange(count)
    others = np.flatnonzero(places[1:] == count)[:given] + 1
    places[others] = -1 - np.arange(len(others))
    inside = np.zeros(len(numbers) + 1, dtype=np.int64)  # 1 more where hints begin, 1 less where they end
    inside[middles + 1], inside[ends] = 1, inside[ends] - 1
    at = np.flatnonzero(np.cumsum(inside)[:-1])
    hints, owners = places[halves[at]], np.searchsorted(ends, at)
    wanted = _leaned_on(hints, owners, count)
    kept = wanted[owners] & (hints >= -named)
    hints, owners = hints[kept], owners[kept]
    hints = np.where(hints >= 0, (np.cumsum(wanted) - 1)[np.maximum(hints, 0)], hints)  # numbered anew
    inside[:] = 0
    inside[starts[wanted]] = 1
    inside[middles[wanted]] -= 1
    at = np.flatnonzero(np.cumsum(inside)[:-1])
    literals = np.where(numbers[at] & 1, -halves[at], halves[at])
    lengths = (middles - starts)[wanted], np.bincount(owners, minlength=count)[wanted]
    return _Flat(literals, np.cumsum(lengths[0]), hints, np.cumsum(lengths[1]))


def _leaned_on(hints: Numbers, owners: Numbers, count: int) -> npt.NDArray[np.bool_]:
    steps = hints >= 0
    before, ends = hints[steps].tolist(), np.searchsorted(owners[steps], np.arange(count + 1)).tolist()
    wanted = bytearray(count + 1)  # one more for what is no step
    wanted[count - 1] = 1
    for place in range(count - 1, -1, -1):
        if wanted[place]:
            for one in before[ends[place] : ends[place + 1]]:
                wanted[one] = 1
    return np.frombuffer(wanted, dtype=np.bool_)[:count]


def _steps(numbers: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Where the clauses of steps begin and end, and where what they follow from ends, up to the first empty clause.

    A mark is odd where clauses are added, and numbers of clauses are even."""
    zeros = np.flatnonzero(numbers == 0)
    starts = np.concatenate(([0], zeros + 1))[:-1]
    added = np.flatnonzero(numbers[starts] == ADDED)
    added = added[added + 1 < len(zeros)]
    empty = np.flatnonzero(starts[added] + 2 == zeros[added])
    added = added[: int(empty[0]) + 1] if empty.size else added
    return starts[added] + 2, zeros[added], zeros[added + 1]


def _numbers(data: bytes) -> Numbers:
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
    literals, clauses = _flat([step.clause for step in steps])
    return _written(_Flat(literals, clauses, *_flat([step.hints for step in steps])), given)


def _flat(lists: list[list[int]]) -> tuple[Numbers, Numbers]:
    ends = np.cumsum(np.fromiter(map(len, lists), dtype=np.int64, count=len(lists)))
    return np.fromiter(chain.from_iterable(lists), dtype=np.int64), ends


def _written(steps: _Flat, given: int) -> str:
    order = np.arange(len(steps.ends))
    owners, hinted = (np.repeat(order, np.diff(ends, prepend=0)) for ends in (steps.clauses, steps.ends))
    found = np.zeros(len(steps.literals) + len(steps.hints) + 2 * len(order), dtype=np.int64)
    codes = 2 * abs(steps.literals) + (steps.literals < 0)
    ascending = np.sort(codes + (owners << 40)) & (1 << 40) - 1
    first = np.diff(owners, prepend=-1) != 0
    before = np.concatenate(([0], steps.ends[:-1]))
    found[np.arange(len(codes)) + (before + 2 * order)[owners]] = ascending - np.where(first, 0, np.roll(ascending, 1))
    backwards = np.where(steps.hints >= 0, given + hinted - steps.hints, -steps.hints)
    found[np.arange(len(backwards)) + (steps.clauses + 2 * order + 1)[hinted]] = backwards
    return _text(found)


def _text(numbers: Numbers) -> str:
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


def shown(data: bytes, given: int, clauses: CoverClauses) -> str | None:
    """What the checker needs of the proof of a solver, or None if that is too long.

    Args:
        data: the file of a proof that is complete.
        given: how many clauses the solver was given, first of all those that the checker numbers, in their order.
        clauses: what the checker knows, before it has followed any step.
    """
    steps = _read(data, given, clauses.given)
    proof = _written(steps, clauses.given)
    if len(proof) > MOST_PROOF:  # what the checker does not need is left out, which takes as long as to check it
        try:
            proof = written(_followed(steps.lemmas(), clauses), clauses.given)
        except Refused:  # it takes the checker too long
            return None
    return proof if len(proof) <= MOST_PROOF else None


def _followed(steps: list[Lemma], clauses: CoverClauses) -> list[Lemma]:
    """The steps with those hints alone that the checker needs, which follows more clauses than are named to it."""
    given, found = clauses.given, []
    for clause, hints in steps:
        literals = [2 * abs(literal) + (literal < 0) for literal in clause]
        used = clauses.follow(literals, [hint + given if hint >= 0 else -1 - hint for hint in hints])
        found.append(Lemma(clause, [hint - given if hint >= given else -1 - hint for hint in used]))
    return needed(found)
