"""Protocol trees, and mixtures of them: protocol-tree, protocol-mixture, hard-distribution."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations
from operator import add
from typing import Any

from .claims import Claim, proves
from .matrices import CODES, Matrix, Table, Value, common_scale, fields, integer, items, need, rational, scaled


def leaves(matrix: Matrix, tree: Any, rounds: int | None = None, first: str | None = None) -> Iterator[Any]:
    """The leaves of a tree, each as (leaf, rows, columns, depth); refuses a path of too many rounds.

    At a node the speaker sends 1 if its input is among ``ones``, else 0. A round is a stretch of one speaker.
    """
    left = None if rounds is None else rounds - (first is not None)
    stack = [(tree, (1 << matrix.height) - 1, (1 << matrix.width) - 1, 0, left, first)]
    while stack:
        node, rows, columns, depth, left, last = stack.pop()
        matrix.spend(120 + 5 * sum(matrix.long))
        need(isinstance(node, dict), "a node is an object")
        if "speaker" not in node:
            yield node, rows, columns, depth
            continue
        speaker, inputs, zero, one = fields(node, "speaker", "ones", "zero", "one")
        need(speaker in ("alice", "bob"), "a speaker is alice or bob")
        if left is not None and speaker != last:
            left -= 1
            need(left >= 0, "more rounds than allowed")
        ones = matrix.lines(inputs, matrix.height if speaker == "alice" else matrix.width)
        for child, part in ((zero, ~ones), (one, ones)):
            both = (rows & part, columns) if speaker == "alice" else (rows, columns & part)
            stack.append((child, *both, depth + 1, left, speaker))


@proves("protocol-tree", "upper deterministic", "upper leaves", "upper quantum")
def check_tree(claim: Claim, tree: Any) -> int:
    """A protocol, as a tree: its depth, or its leaves, once every cell is seen to get a right answer. Qubits are
    as good as bits."""
    matrix, parameters, deepest, count = claim.matrix, claim.parameters, 0, 0
    for leaf, rows, columns, depth in leaves(matrix, tree, parameters.get("rounds"), parameters.get("first")):
        deepest, count = max(deepest, depth), count + 1
        party, mine, across = (1, columns, rows) if claim.answer == "bob" else (0, rows, columns)
        own = matrix.places(mine)
        matrix.spend(8 * len(own))
        if "answer" in leaf:
            said = dict.fromkeys(own, integer(fields(leaf, "answer")[0], 0, CODES))
        else:
            need(claim.answer != "both", "a leaf that both know has one answer")
            pairs = [items(pair, 2) for pair in items(fields(leaf, "answers")[0])]
            said = {integer(line, 0, CODES): integer(code, 0, CODES) for line, code in pairs}
        for line in own:
            need(line in said and matrix.fits(said[line], line, across, party), "a wrong answer at a leaf")
    return count if claim.measure == "leaves" else deepest


Weighted = tuple[int, int, int, int]  # a rectangle, its answer and its weight, in units of a common scale


def weighted(matrix: Matrix, listed: Iterable[Weighted], most: int) -> tuple[Table, Table]:
    """For each cell, the weight of all rectangles over it, and of those with its answer. Together they weigh at most
    ``most``."""
    size, bits = matrix.size, most.bit_length()
    matrix.spend(2 * size, 2 * size * (8 if bits < 9 else 40 + bits // 7))
    every, right = ([[0] * matrix.width for _ in range(matrix.height)] for _ in range(2))
    for rows, columns, answer, share in listed:
        need(share >= 0, "weights of at least zero")
        across = matrix.places(columns)
        matrix.spend((12 + (bits >> 7)) * rows.bit_count() * len(across))
        for row in matrix.places(rows):
            for column in across:
                every[row][column] += share
                right[row][column] += share if matrix.table[row][column] == answer else 0
    return every, right


@proves("protocol-mixture", "lower public-coin success", "upper randomised", "upper quantum")
def check_mixture(claim: Claim, trees: Any) -> Value:
    """Trees with probabilities: they succeed on a cell with the weight of those that are right there. At least so much
    success, over all promised cells, is had with the bits of the deepest tree; they are enough for so little error,
    and so are qubits, where parties that share an entangled state draw a tree by measuring it."""
    entries = [fields(entry, "weight", "tree") for entry in items(trees)]
    (shares, scale), matrix, depths = mixed(text for text, _ in entries), claim.matrix, {0}

    def reached() -> Iterator[Weighted]:
        for share, (_, tree) in zip(shares, entries, strict=True):
            for leaf, rows, columns, depth in leaves(matrix, tree):
                depths.add(depth)
                yield rows, columns, integer(fields(leaf, "answer")[0], 0, CODES), share

    _, right = weighted(matrix, reached(), scale)
    return success_or_bits(claim, matrix.table, right, scale, max(depths))


def mixed(texts: Iterable[Any]) -> tuple[list[int], int]:
    """Probabilities in units of a common denominator, and that."""
    weights = [rational(text) for text in texts]
    scale = common_scale(weights)
    shares = [scaled(weight, scale) for weight in weights]
    need(min(shares, default=0) >= 0 and sum(shares) == scale, "weights of at least zero, with sum 1")
    return shares, scale


def success_or_bits(claim: Claim, table: Iterable[Iterable[int]], right: Table, scale: int, bits: int) -> Value:
    """The success of a mixture of protocols of so many bits, right with these shares on the cells of a table; or these
    bits, where the claim is that they are enough."""
    pairs = (pair for lines in zip(table, right, strict=True) for pair in zip(*lines, strict=True))
    success = Fraction(min((value for cell, value in pairs if cell >= 0), default=scale), scale)
    if "bits" in claim.parameters:
        need(bits <= claim.parameters["bits"], "more bits than allowed")
        return success
    need(success >= 1 - claim.error, "too much error on some cell")
    return bits


@proves("hard-distribution", "upper public-coin success", "lower randomised")
def check_hard(claim: Claim, bits: Any, cells: Any) -> Value:
    """A mixture of protocols is right on some cell no more often than its best member is on average under a
    distribution (Yao 1977): so the success of that one is not exceeded with so many bits, and one bit more is needed
    if that is too much error.

    The best protocol is found by dynamic programming over sets of lines. After its last bit a protocol gives one of
    two answers, and each line of whoever speaks takes the better one. With one bit more, a rectangle is split in two in
    the best way; with the first bit, all rows or all columns are. Lines without weight are left out.
    """
    answers, scale = weights_of_answers(claim, cells, 64)
    need(len(answers[0][0]) <= 16, "too many lines")
    return most_or_bits(claim, most_answered(claim.matrix, answers, integer(bits, 0, 64)), scale, bits)


def weights_of_answers(claim: Claim, cells: Any, most_bits: int) -> tuple[list[Table], int]:
    """For each answer, what cells of a distribution weigh that have it, with lines of the sender, or of Alice, as rows,
    of which there are at most 16; and the unit."""
    matrix, listed = claim.matrix, claim.matrix.cells(cells, 1)
    shares = {(row, column): rational(text) for row, column, text in listed}
    good = all(share > 0 and matrix.table[i][j] >= 0 for (i, j), share in shares.items())
    scale = common_scale(shares.values(), most_bits)
    need(good and sum(shares.values()) == 1, "shares of promised cells, with sum 1")
    mine, yours = ({line: place for place, line in enumerate(sorted({cell[axis] for cell in shares}))}
                   for axis in (claim.party, 1 - claim.party))  # fmt: skip
    need(len(mine) <= 16, "too many lines")
    answers = {matrix.table[row][column] for row, column in shares}
    matrix.spend(len(answers) * len(mine) * (len(yours) + 20), 10 * len(answers) * len(mine) * (len(yours) + 10))
    tables = {answer: [[0] * len(yours) for _ in mine] for answer in answers}
    for cell, share in shares.items():
        line, place = mine[cell[claim.party]], yours[cell[1 - claim.party]]
        tables[matrix.table[cell[0]][cell[1]]][line][place] = scaled(share, scale)
    return list(tables.values()), scale


def most_or_bits(claim: Claim, best: int, scale: int, bits: int) -> Value:
    """The most success of so many bits; or one bit more, where the claim is that these are not enough."""
    success = Fraction(best, scale)
    if "bits" in claim.parameters:
        need(claim.parameters["bits"] <= bits, "fewer bits than claimed")
        return success
    need(success < 1 - claim.error, "a protocol of so few bits errs little enough")
    return bits + 1


def most_answered(matrix: Matrix, answers: list[Table], bits: int) -> int:
    """The most weight on which a protocol of so many bits is right; for each answer, what cells weigh that have it."""
    m, n = len(answers[0]), len(answers[0][0])
    pairs = list(combinations(answers, 2)) or [(answers[0], answers[0])]
    matrix.spend(len(pairs) * (3 * m * n + 100), 8 * len(pairs) * (m * n + 10 * n + 30))
    both = [[pair, turned(*pair)] for pair in pairs]
    if bits < 2:
        alone = max(sum(map(sum, table)) for table in answers)
        return max([alone, *(said_by_rows(*two) for one in both for two in one if bits)])
    if bits == 2:
        matrix.spend(3 * len(pairs) * ((n + 5 << m) + (m + 5 << n)), 100 * (n + 2 << m) + 100 * (m + 2 << n))
        best = 0
        for count, one in zip((m, n), zip(*both, strict=True), strict=True):
            line = [0] * (1 << count)
            for two in one:
                line = list(map(max, line, last_bit(*two)))
            best = max(best, *map(add, line, line[::-1]))
        return best
    matrix.spend(3 * (bits - 3) * (3**m * 2**n + 2**m * 3**n) + 3 * (3**m + 3**n), 250 << m + n)
    matrix.spend(16 * len(pairs) << m + n)
    values = [[0] * (1 << n) for _ in range(1 << m)]
    for pair in pairs:
        values = larger(values, every_last_bit(*pair))
        values = larger(values, turned(every_last_bit(*turned(*pair)))[0])
    for _ in range(bits - 3):
        values = larger(_one_bit_more(values), turned(_one_bit_more(turned(values)[0]))[0])
    lines = (split_lines(values), split_lines(turned(values)[0]))
    return int(max(max(map(add, line, line[::-1])) for line in lines))


def turned(*tables: Table) -> tuple[Table, ...]:
    """The tables with rows and columns exchanged."""
    return tuple([list(line) for line in zip(*table, strict=True)] for table in tables)


def larger(one: Table, other: Table) -> Table:
    return [list(map(max, *pair)) for pair in zip(one, other, strict=True)]


def sums_of_sets(lines: Table) -> Table:
    sums = [[0] * len(lines[0])]
    for line in lines:
        sums += [list(map(add, other, line)) for other in sums]
    return sums


def said_by_rows(one: Table, other: Table) -> int:
    """The weight of one of two answers, of which each row says one."""
    return sum(max(sum(mine), sum(yours)) for mine, yours in zip(one, other, strict=True))


def last_bit(one: Table, other: Table) -> list[int]:
    """For each set of rows, with all columns: the most weight of one of two answers, as one of the parties says."""
    own = sums_of_sets([[max(sum(mine), sum(yours))] for mine, yours in zip(one, other, strict=True)])
    pairs = zip(sums_of_sets(one), sums_of_sets(other), own, strict=True)
    return [max(sum(map(max, mine, yours)), here) for mine, yours, (here,) in pairs]


def every_last_bit(one: Table, other: Table) -> Table:
    """For each set of rows and each set of columns: the most weight of two answers, of which the row says one."""
    sides = (turned(sums_of_sets(turned(table)[0]))[0] for table in (one, other))
    return sums_of_sets(larger(*sides))


def split_lines(values: Table) -> list[int]:
    """For each set of rows, with all columns: the most weight of it in two parts, split by rows or by columns."""
    return in_two([line[-1] for line in values], [max(map(add, line, line[::-1])) for line in values])


def in_two(whole: list[int], known: list[int]) -> list[int]:
    """For each set, the most that two parts of it have together, or what is known to be had."""
    best = known.copy()
    for mask in range(len(whole)):
        part = (mask - 1) & mask
        while part > mask ^ part:
            best[mask] = max(best[mask], whole[part] + whole[mask ^ part])
            part = (part - 1) & mask
    return best


def _one_bit_more(values: Table) -> Table:
    after = []
    for mask, best in enumerate(values):
        part = (mask - 1) & mask
        while part > mask ^ part:
            best = list(map(max, best, map(add, values[part], values[mask ^ part])))
            part = (part - 1) & mask
        after.append(best)
    return after
