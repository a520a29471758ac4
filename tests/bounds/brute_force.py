"""Slow and plain oracles for tiny matrices: all protocols, all rectangles, recursion by definition, no cleverness."""

from functools import cache, reduce
from itertools import product
from operator import and_

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


def subsets(size):
    return [[i for i in range(size) if mask >> i & 1] for mask in range(1, 1 << size)]


def rectangles_of(table, code):
    """All rectangles of the code, as frozensets of cells."""
    found = set()
    for rows in subsets(len(table)):
        for columns in subsets(len(table[0])):
            if all(table[r][c] in (code, -1) for r in rows for c in columns):
                found.add(frozenset(product(rows, columns)))
    return found


def fewest(table, code, once):
    """The cover or partition number, by trying one more rectangle after the other (breadth first over cell sets)."""
    own = frozenset((r, c) for r, row in enumerate(table) for c, cell in enumerate(row) if cell == code)
    parts = {found & own for found in rectangles_of(table, code)} - {frozenset()}
    if not once:
        parts = {part for part in parts if not any(part < other for other in parts)}
    states, count = {own}, 0
    while frozenset() not in states:
        count += 1
        states = {
            state - part
            for state in states
            for part in parts
            if min(state) in part and (part <= state if once else part & state)
        }
    return count


INFINITE = 99


def deterministic_by_definition(table, answer="both", rounds=None, first=None):
    """D of a list of rows of codes (-1 is free), in bits; INFINITE if the rounds do not suffice."""
    height, width = len(table), len(table[0])

    def lines(mask):
        return [i for i in range(max(height, width)) if mask >> i & 1]

    def is_leaf(rows, columns):
        if answer == "both":
            return len({table[r][c] for r in lines(rows) for c in lines(columns)} - {-1}) <= 1
        if answer == "alice":
            return all(len({table[r][c] for c in lines(columns)} - {-1}) <= 1 for r in lines(rows))
        return all(len({table[r][c] for r in lines(rows)} - {-1}) <= 1 for c in lines(columns))

    @cache
    def depth(rows, columns, left, last):
        if is_leaf(rows, columns):
            return 0
        best = INFINITE
        for party, mask in ((0, rows), (1, columns)):
            later = left
            if left is not None and last != party:
                if left == 0:
                    continue
                later = left - 1
            lowest = mask & -mask
            side = (mask - 1) & mask
            while side:
                if side & lowest:
                    parts = (side, mask & ~side)
                    worst = 0
                    for part in parts:
                        rectangle = (part, columns) if party == 0 else (rows, part)
                        worst = max(worst, depth(*rectangle, later, None if later is None else party))
                        if worst + 1 >= best:
                            break
                    best = min(best, worst + 1)
                side = (side - 1) & mask
        return best

    left, last = rounds, None
    if rounds is not None and first is not None:
        left, last = rounds - 1, 0 if first == "alice" else 1
    return depth((1 << height) - 1, (1 << width) - 1, left, last)


def least_by_definition(masks, answer="both"):
    """The least leaves and bits of a relation, given by masks of right answers: recursion over rectangles."""

    @cache
    def least(rows, columns):
        cells = [[masks[r][c] for c in columns] for r in rows]
        groups = {"both": [[cell for row in cells for cell in row]], "alice": cells, "bob": zip(*cells, strict=True)}[
            answer
        ]
        if all(reduce(and_, group) for group in groups):
            return 1, 0
        found = []
        for lines, turn in ((rows, lambda half: (half, columns)), (columns, lambda half: (rows, half))):
            for chosen in range(1, 1 << len(lines) - 1):
                pair = [tuple(x for i, x in enumerate(lines) if chosen >> i & 1 == side) for side in (0, 1)]
                one, other = (least(*turn(half)) for half in pair)
                found.append((one[0] + other[0], 1 + max(one[1], other[1])))
        return min(leaves for leaves, _ in found), min(bits for _, bits in found)

    return least(tuple(range(len(masks))), tuple(range(len(masks[0]))))


def leaves_by_definition(table, answer="both"):
    """The fewest leaves of a tree for a list of rows of codes (-1 is free)."""
    return least_by_definition([[(1 << cell if cell >= 0 else -1) for cell in row] for row in table], answer)[0]


def crown(n):
    """Zeros on the diagonal."""
    return [[int(row != column) for column in range(n)] for row in range(n)]


def cycle(n):
    """Zeros at j = i and j = i + 1 modulo n."""
    return [[int((column - row) % n > 1) for column in range(n)] for row in range(n)]


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
