"""The zero-error information cost of a function of two bits: certified between a concave function and a protocol.

As they talk, the inputs have weights prior(x, y) u_x v_y, with u = (1 - s, s) changed by what Alice says alone, and
v = (1 - t, t) by what Bob says. Protocols reveal the entropy at (1/2, 1/2) less what they leave, and what they can
leave is the least function of (s, t) that is concave in each and at least what is left where the answer is settled (Ma
and Ishwar 2011; Braverman, Garg, Pankratov and Weinstein 2013). On a grid it is the solution of a linear program.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Any

import lazy_loader as lazy
import numpy as np
import numpy.typing as npt

from ccsim.bounds.bracket import Bracket, Witness
from ccsim.bounds.rationals import as_text
from ccsim.bounds.solvers import linear_program
from ccsim.certificates.verify import check
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems.subject import Subject, matrix_of

scipy = lazy.load("scipy")

__all__ = ["WORST_FOR_AND", "WORST_FOR_DISJOINTNESS", "zero_error_information"]

Floats = npt.NDArray[np.float64]
Edges = dict[tuple[int, int], tuple[float, float]]
Prior = Sequence[Sequence[int | Fraction]]

WORST_FOR_AND = ((809, 2644), (2644, 3903))
"""In proportion, to four digits, the distribution under which AND reveals most (1.4923 bits)."""

WORST_FOR_DISJOINTNESS = ((3654, 3173), (3173, 0))
"""The same for AND among distributions with no (1, 1): 0.4827 bits for each place of a long DISJ."""

UNIT = 1 << 50  # of the values of the grid
BENT, EXACT = 1e-9, 1e-10  # by how much the function is bent more than it need be, and what a solver keeps to
DIGITS = 10**9  # of the bounds
STEPS = 64  # of the protocol, for each party


def zero_error_information(subject: Subject, prior: Prior, cost: str = "internal", *, grid: int = 24) -> Bracket:
    """The least information that a protocol without error reveals of a function of two bits, under a distribution.

    It may have any length and any coins, and must be right on all promised inputs, also where the prior is 0.

    Args:
        subject: a table of 2 x 2 answers.
        prior: nonnegative numbers, in proportion to the probabilities of the inputs.
        cost: ``internal``, I(X; T | Y) + I(Y; T | X), what the parties learn; or ``external``, I(X, Y; T).
        grid: places in each direction; the lower side comes near like the square of their distance.

    Returns:
        A bracket in bits. Below: a function on a grid, concave along its lines; above: a protocol of many small steps.

    >>> found = zero_error_information([[0, 0], [0, 1]], WORST_FOR_AND)
    >>> float(found.lower) > 1.4918, float(found.upper) < 1.4924  # 1.4923 in the literature
    (True, True)
    """
    matrix, start = matrix_of(subject), time.perf_counter()
    weights = _whole(prior)
    if matrix.shape != (2, 2) or len(set(matrix.codes.ravel().tolist()) - {-1}) < 2:
        raise InputError("subject", matrix, "a table of 2 x 2 cells, of which some differ")
    if cost not in ("internal", "external"):
        raise InputError("cost", cost, "'internal' or 'external'")
    if not 4 <= grid <= 200:
        raise InputError("grid", grid, "from 4 to 200")
    parameters, table = {"cost": cost, "prior": weights}, matrix.codes.tolist()
    below, above = _function(matrix, weights, grid + grid % 2), _protocol(matrix, weights)
    lower, upper = (
        check(table, "information-cost", side, parameters, witness)
        for side, witness in (("lower", below), ("upper", above))
    )
    method, seconds = "concave function | protocol", time.perf_counter() - start
    sides = (Fraction(floor(lower * DIGITS), DIGITS), Fraction(ceil(upper * DIGITS), DIGITS), method, below, above)
    return Bracket("information-cost", *sides, parameters, "bits", seconds, matrix)


def _whole(prior: Prior) -> list[int]:
    """The prior as four integers in the same proportions, row by row."""
    rows = [[*row] if isinstance(row, (Sequence, np.ndarray)) else [] for row in prior]
    flat = [entry for row in rows for entry in row]
    good = [len(row) for row in rows] == [2, 2] and all(
        isinstance(entry, (int, np.integer, Fraction)) for entry in flat
    )
    if not good or min(flat) < 0 or not any(flat):
        raise InputError("prior", prior, "2 x 2 nonnegative integers or Fractions, not all 0")
    exact = [Fraction(entry if isinstance(entry, Fraction) else int(entry)) for entry in flat]
    scale = lcm(*(entry.denominator for entry in exact))
    whole = [int(entry * scale) for entry in exact]
    if max(whole) >= 1 << 64:
        raise InputError("prior", prior, "integers below 2^64 once the denominators are cleared")
    return whole


def _edges(matrix: CommunicationMatrix, weights: list[int]) -> Edges:
    """The lines with one answer, by party and input, and the weights of their cells."""
    found: Edges = {}
    for party in (0, 1):
        for line in (0, 1):
            cells = [(line, other) if party == 0 else (other, line) for other in (0, 1)]
            if len({int(matrix.codes[cell]) for cell in cells} - {-1}) < 2:
                one, other = (float(weights[2 * x + y]) for x, y in cells)
                found[party, line] = one, other
    return found


def _function(matrix: CommunicationMatrix, weights: list[int], grid: int) -> Witness:
    """The least function on the grid that is concave along lines and above tangents on the edges, as a witness."""
    places = [Fraction(round(np.sin(np.pi * k / (2 * grid)) ** 2 * (1 << 12)), 1 << 12) for k in range(grid + 1)]
    floats, scale = np.array([float(place) for place in places]), max(weights)
    least = np.zeros((grid + 1, grid + 1))
    for (party, line), (p, q) in _edges(matrix, weights).items():
        edge = least[-line] if party == 0 else least[:, -line]
        np.maximum(edge, _tangents(floats, p / scale, q / scale), out=edge)
    values = (_concave(floats, least) + 10 * BENT).tolist()
    lines = [as_text(place) for place in places]
    exact = [[as_text(Fraction(int(np.ceil(entry * UNIT)) * scale, UNIT)) for entry in row] for row in values]
    return {"kind": "biconcave", "rows": lines, "columns": lines, "values": exact}


def _concave(places: Floats, least: Floats) -> Floats:
    """The function above some values, concave along lines, that is least at (1/2, 1/2): a linear program."""
    size, middle = len(places), int(np.flatnonzero(places == 0.5)[0])
    numbers = np.arange(size * size).reshape(size, size)
    share = np.tile((places[2:] - places[1:-1]) / (places[2:] - places[:-2]), 2 * size)
    both = np.vstack([numbers, numbers.T])
    before, here, after = (both[:, k : size - 2 + k].ravel() for k in range(3))
    rows, ones = np.arange(len(here)), np.ones(len(here))
    entries = (np.concatenate([share, -ones, 1 - share]), (np.tile(rows, 3), np.concatenate([before, here, after])))
    found = linear_program(
        (numbers == numbers[middle, middle]).astype(float).ravel(),
        A_ub=scipy.sparse.csr_matrix(entries, shape=(len(here), size * size)),
        b_ub=np.full(len(here), -BENT),
        bounds=[(value, None) for value in least.ravel()],
        method="highs",
        options={"primal_feasibility_tolerance": EXACT},
    )
    return np.asarray(found.x).reshape(size, size)


def _tangents(places: Floats, p: float, q: float) -> Floats:
    """Values on an edge such that lines between them are above the entropy: each above tangents on both sides."""
    found = np.zeros(len(places))
    if p and q:
        middles = (places[1:] + places[:-1]) / 2
        mass = p * (1 - middles) + q * middles
        slopes = np.log2(mass / (p * (1 - middles))), np.log2(mass / (q * middles))
        for ends, part in ((places[:-1], found[:-1]), (places[1:], found[1:])):
            np.maximum(part, p * (1 - ends) * slopes[0] + q * ends * slopes[1], out=part)
    return found


def _protocol(matrix: CommunicationMatrix, weights: list[int]) -> Witness:
    """The best protocol that goes to a corner in small steps: who speaks ends the talk, or moves on towards it."""
    edges = _edges(matrix, weights)
    options = [_towards(edges, goal) for goal in ((1, 1), (0, 0), (0, 1), (1, 0))]
    return {"kind": "talk", "steps": max(options, key=lambda option: option[0])[1]}


def _towards(edges: Edges, goal: tuple[int, int]) -> tuple[float, list[list[Any]]]:
    """What is left unknown by the best way to a corner, and its steps; a party goes on if its other edge is settled."""

    def entropy(party: int, line: int, place: float) -> float:
        p, q = edges.get((party, line), (0.0, 0.0))
        parts = [p * (1 - place), q * place]
        return float(sum(part * np.log2(sum(parts) / part) for part in parts if part > 0))

    def at(party: int, step: int) -> float:
        return 0.5 + (goal[party] - 0.5) * step / STEPS

    left: dict[tuple[int, int], tuple[float, int | None]] = {}
    for own in range(STEPS, -1, -1):
        for other in range(STEPS, -1, -1):
            options: list[tuple[float, int | None]] = [(0.0, None)]
            for party, step, across in ((0, own, other), (1, other, own)):
                if step == STEPS:
                    options.append((entropy(party, goal[party], at(1 - party, across)), None))
                elif (party, 1 - goal[party]) in edges:
                    onward = (STEPS + step) / (STEPS + step + 1)
                    after = left[(own + 1, other) if party == 0 else (own, other + 1)][0]
                    ended = entropy(party, 1 - goal[party], at(1 - party, across))
                    options.append(((1 - onward) * ended + onward * after, party))
            left[own, other] = max(options, key=lambda option: option[0])
    steps: list[list[Any]] = []
    here = [0, 0]
    while (speaker := left[here[0], here[1]][1]) is not None:
        here[speaker] += 1
        place = Fraction(1, 2) + (goal[speaker] - Fraction(1, 2)) * Fraction(here[speaker], STEPS)
        steps.append([speaker, as_text(1 - goal[speaker]), as_text(place)])
    return left[0, 0][0], steps
