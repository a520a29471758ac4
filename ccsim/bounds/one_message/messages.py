"""One-way communication: a single message, after which the receiver answers.

Two lines of the sender need different messages iff they conflict: they have different answers at a place within the
promise. Lines that do not conflict pairwise have a common completion, because they must agree place by place; so the
least number of messages is the chromatic number of the conflict graph: the number of different lines if the function
is total. Its logarithm, rounded up, is the one-way deterministic complexity in bits.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bounds.bracket import Bracket, Witness
from ccsim.bounds.fooling.clique import OutOfTimeError, maximum_clique
from ccsim.bounds.rank.over_fields import pack_rows
from ccsim.certificates.verify import check
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE, CommunicationMatrix
from ccsim.problems.subject import Subject, matrix_of

Array = npt.NDArray[Any]
DIRECTIONS = ("alice-to-bob", "bob-to-alice")
NODES = 5_000
SURE = 1 << 16  # cells beyond which equal lines are not compared again by the checker


def sender_lines(matrix: CommunicationMatrix, direction: str) -> Array:
    """The codes with the sender's inputs as rows."""
    if direction not in DIRECTIONS:
        raise InputError("direction", direction, f"one of {DIRECTIONS}")
    return matrix.codes if direction == DIRECTIONS[0] else np.ascontiguousarray(matrix.codes.T)


def one_way(matrix: Subject, direction: str = "alice-to-bob", *, time_limit: float | None = 30.0) -> Bracket:
    """Deterministic one-way complexity in bits; only the receiver learns the answer.

    Args:
        matrix: total or partial.
        direction: ``"alice-to-bob"`` (Alice speaks) or ``"bob-to-alice"``.
        time_limit: seconds (only partial functions may need it).

    >>> print(one_way(CommunicationMatrix.from_array([[0, 0], [0, 1], [1, 0], [1, 1], [1, 1]])))
    one-way = 2 bits (distinct-lines | message-classes)
    """
    matrix = matrix_of(matrix)
    found = one_way_messages(matrix, direction, time_limit=time_limit, only_bits=True)
    bits = [(int(value or 1) - 1).bit_length() for value in (found.lower, found.upper)]
    sides = [
        {"kind": "bits-of", "measure": found.measure, "given": {}, "of": side}
        for side in (found.lower_witness, found.upper_witness)
    ]
    return Bracket(
        "one-way", bits[0], bits[1], found.method, sides[0], sides[1], found.parameters, "bits", found.seconds
    )


def one_way_messages(
    matrix: Subject,
    direction: str = "alice-to-bob",
    *,
    time_limit: float | None = 30.0,
    only_bits: bool = False,
) -> Bracket:
    """The least number of different messages.

    Args:
        matrix: total or partial.
        direction: who speaks.
        time_limit: seconds.
        only_bits: stop as soon as both sides need equally many bits.

    Returns:
        A bracket in messages. Below: lines that differ pairwise, or a branching proof of the colouring; above: the
        message of each line.
    """
    matrix = matrix_of(matrix)
    start = time.monotonic()
    deadline = None if time_limit is None else start + time_limit
    lines = sender_lines(matrix, direction)
    _, first, classes = np.unique(lines, axis=0, return_index=True, return_inverse=True)
    classes, parameters = classes.ravel(), {"direction": direction}
    if matrix.is_total:
        lower = _distinct(sorted(first.tolist()))
        upper: Witness = {"kind": "message-classes", "classes": classes.tolist()}
    else:
        lower, upper = _colour(lines, first, classes, deadline, only_bits)
    if matrix.is_total and matrix.codes.size > SURE:
        low = high = len(first)
    else:
        table = matrix.codes.tolist()
        low = int(check(table, "one-way-messages", "lower", parameters, lower))
        high = int(check(table, "one-way-messages", "upper", parameters, upper))
    method, seconds = f"{lower['kind']} | {upper['kind']}", time.monotonic() - start
    return Bracket("one-way-messages", low, high, method, lower, upper, parameters, "messages", seconds)


def _distinct(chosen: list[int]) -> Witness:
    """Lines in pairwise conflict."""
    return {"kind": "distinct-lines", "lines": chosen}


def _colour(
    lines: Array, first: Array, classes: Array, deadline: float | None, only_bits: bool
) -> tuple[Witness, Witness]:
    """Both sides for a partial function: clique and greedy colouring, then one branching after the other."""
    small = lines[first]
    graph = _conflicts(small)
    try:
        end = time.monotonic() + 5.0 if deadline is None else min(deadline, time.monotonic() + 5.0)
        clique, _ = maximum_clique(graph, [], end)
    except OutOfTimeError as stopped:
        clique, _ = stopped.args
    lower = _distinct([int(first[vertex]) for vertex in clique])
    search = _Colouring(graph, clique, deadline)
    colours, low = search.greedy(), max(len(clique), 1)
    while low < max(colours) + 1:
        if only_bits:
            if (low - 1).bit_length() == max(colours).bit_length():
                break
            low = 1 << (low - 1).bit_length()  # only whether so many suffice matters
        if low >= max(colours) + 1:
            break
        try:
            tree, found = search.decide(low)
            proof = [int(first[vertex]) for vertex in tree]
        except (TimeoutError, RecursionError):  # too deep a tree is no proof that anybody would read
            break
        if found is not None:
            colours = found
            continue
        lower = {"kind": "branching", "budget": low, "proof": proof}
        low += 1
    return lower, {"kind": "message-classes", "classes": [colours[int(place)] for place in classes]}


def _conflicts(lines: Array) -> list[int]:
    apart = np.zeros((len(lines), len(lines)), dtype=bool)
    for column in lines.T:
        promised = column != DONT_CARE
        apart |= (column[:, None] != column[None, :]) & promised[:, None] & promised[None, :]
    return pack_rows(apart)


class _Colouring:
    """Colour with the fewest choices first (Brélaz 1979: DSATUR), keeping the tree as a proof if it fails."""

    def __init__(self, graph: list[int], clique: list[int], deadline: float | None) -> None:
        self.graph, self.clique, self.deadline, self.nodes = graph, clique, deadline, NODES

    def greedy(self) -> list[int]:
        """A colouring in the same order, without going back."""
        seen, given = [0] * len(self.graph), [-1] * len(self.graph)
        left, clique = set(range(len(self.graph))), set(self.clique)
        while left:
            vertex = max(left, key=lambda v: (v in clique, seen[v].bit_count(), self.graph[v].bit_count(), -v))
            colour = (~seen[vertex] & (seen[vertex] + 1)).bit_length() - 1  # the lowest that no neighbour has
            given[vertex] = colour
            left.remove(vertex)
            for other in left:
                if self.graph[vertex] >> other & 1:
                    seen[other] |= 1 << colour
        return given

    def decide(self, colours: int) -> tuple[list[int], list[int] | None]:
        """A tree that refutes this number of colours, depth first, or a colouring; TimeoutError if not in time."""
        self.nodes = NODES
        return self._node({}, colours)

    def _node(self, given: dict[int, int], colours: int) -> tuple[list[int], list[int] | None]:
        self.nodes -= 1
        if self.nodes < 0 or (self.deadline is not None and time.monotonic() > self.deadline):
            raise TimeoutError
        if len(given) == len(self.graph):
            return [], [given[vertex] for vertex in range(len(self.graph))]
        vertex, taken = self._next(given)
        tree = [vertex]
        for colour in range(min(max(given.values(), default=-1) + 2, colours)):
            if not taken >> colour & 1:
                below, found = self._node({**given, vertex: colour}, colours)
                if found is not None:
                    return [], found
                tree += below
        return tree, None

    def _next(self, given: dict[int, int]) -> tuple[int, int]:
        """The clique first; then the vertex that sees the most colours."""
        best = (-1, -1, 0, 0)
        for vertex, around in enumerate(self.graph):
            if vertex not in given:
                taken = 0
                for other, colour in given.items():
                    if around >> other & 1:
                        taken |= 1 << colour
                key = (len(self.graph) if vertex in self.clique else taken.bit_count(), around.bit_count())
                best = max(best, (*key, -vertex, taken))
        return -best[2], best[3]
