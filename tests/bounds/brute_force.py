"""Slow and plain oracles for tiny matrices: all protocols, all rectangles, no cleverness."""

from functools import cache
from itertools import product

import numpy as np
from scipy.optimize import linprog

from ccsim.certificates.certificate import claim_parameters
from ccsim.certificates.verify import Refused, check
from ccsim.matrices import CommunicationMatrix
from tests.certificates.mutations import mutated_witness


def splits(lines):
    """All ways to divide a set of lines in two non-empty parts."""
    first, *rest = sorted(lines)
    for choice in product((0, 1), repeat=len(rest)):
        part = frozenset([first] + [line for line, taken in zip(rest, choice, strict=True) if taken])
        if part != lines:
            yield part, lines - part


def answer_tables(rows, columns, labels, bits):
    """What every protocol of so many bits answers: a set of tuples, one answer per cell."""

    @cache
    def tables(mine, yours, left):
        found = {frozenset(((r, c), label) for r in mine for c in yours) for label in range(labels)}
        if left:
            for one, other in splits(mine):
                found |= {a | b for a in tables(one, yours, left - 1) for b in tables(other, yours, left - 1)}
            for one, other in splits(yours):
                found |= {a | b for a in tables(mine, one, left - 1) for b in tables(mine, other, left - 1)}
        return found

    cells = list(product(range(rows), range(columns)))
    every = tables(frozenset(range(rows)), frozenset(range(columns)), bits)
    return np.array([[dict(table)[cell] for cell in cells] for table in every])


def success(codes, bits):
    """The value of Yao's game over all protocols, as a float."""
    labels = max(1, int(codes.max()) + 1)
    answers = answer_tables(*codes.shape, labels, bits)
    promised = codes.ravel() >= 0
    right = np.unique((answers == codes.ravel())[:, promised], axis=0).astype(float)
    return game_value(right)


def game_value(gains):
    """The value of a game for the player who mixes rows, as a float."""
    rows, columns = gains.shape
    result = linprog(
        np.append(np.zeros(rows), -1),
        A_ub=np.column_stack([-gains.T, np.ones(columns)]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0)[None, :],
        b_eq=[1],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return float(-result.fun)


def rectangles(shape):
    """All rectangles as 0/1 tables."""
    sides = [list(product((0, 1), repeat=lines))[1:] for lines in shape]
    return [np.outer(mine, yours) for mine in sides[0] for yours in sides[1]]


def partition_value(codes, error):
    """The partition bound over all labelled rectangles, as a float, from its primal."""
    labels = max(1, int(codes.max()) + 1)
    shapes = rectangles(codes.shape)
    every = np.array([shape.ravel() for shape in shapes for _ in range(labels)], dtype=float).T
    right = np.array([(shape * (codes == label)).ravel() for shape in shapes for label in range(labels)], dtype=float).T
    promised = codes.ravel() >= 0
    result = linprog(
        np.ones(every.shape[1]),
        A_ub=-right[promised],
        b_ub=np.full(promised.sum(), error - 1.0),
        A_eq=every,
        b_eq=np.ones(codes.size),
    )
    return result.fun


def smooth_value(codes, error, label):
    """The smooth rectangle bound of a label, as a float, from its primal."""
    shapes = np.array([shape.ravel() for shape in rectangles(codes.shape)], dtype=float).T
    inside = codes.ravel() == label
    outside = (codes.ravel() >= 0) & ~inside
    limits = np.concatenate([-shapes[inside], shapes[inside], shapes[outside]])
    bounds = [error - 1.0] * inside.sum() + [1.0] * inside.sum() + [error] * outside.sum()
    return linprog(np.ones(shapes.shape[1]), A_ub=limits, b_ub=bounds).fun


def named(name, n):
    """The table of a named function of two n-bit numbers."""
    x = np.arange(1 << n)
    tables = {
        "EQ": x[:, None] == x,
        "DISJ": (x[:, None] & x) == 0,
        "GT": x[:, None] > x,
        "IP": np.bitwise_count(x[:, None] & x) & 1,
        "SIZE": np.bitwise_count(x[:, None] & x),
        "INDEX": x[:, None] >> np.arange(n) & 1,
    }
    return tables[name].astype(int)


def matrix_of(codes):
    return CommunicationMatrix(codes, tuple(range(max(2, int(codes.max()) + 1))))


def checked(bracket, matrix):
    """Each side that has a value again by its checker; nothing costs at least 0."""
    for side in ("lower", "upper"):
        value, witness = getattr(bracket, side), getattr(bracket, f"{side}_witness")
        if value is not None and (witness or value):
            assert proved(bracket, matrix, side, witness) == value
    return bracket


def proved(bracket, matrix, side, witness):
    return check(matrix.codes.tolist(), bracket.measure, side, claim_parameters(bracket), witness)


def accepted_mutations(bracket, matrix, random, count):
    """How many changed witnesses are accepted; none of them proves more than the bracket."""
    accepted = 0
    for side in ("lower", "upper"):
        for _ in range(count):
            wrong = mutated_witness(getattr(bracket, f"{side}_witness"), random)
            try:
                value = proved(bracket, matrix, side, wrong)
            except Refused:
                continue
            accepted += 1
            assert value <= bracket.upper if side == "lower" else value >= bracket.lower
    return accepted
