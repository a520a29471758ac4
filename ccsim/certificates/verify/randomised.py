"""Discrepancy, rectangle and partition bounds by weights on cells and on rectangles; and mixtures of protocols."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations
from math import floor
from operator import add, itemgetter

from .claims import (
    CODES,
    Any,
    Matrix,
    MatrixClaim,
    Table,
    Value,
    common_scale,
    fields,
    indices,
    integer,
    items,
    need,
    proves,
    rational,
    scaled,
)
from .ranks import nearly_factorised
from .trees import leaves

ROOM = 1 << 26  # bytes of sums that are kept


def largest_sum(matrix: Matrix, values: Table, known: int = 0) -> int:
    """The largest sum over a rectangle, if it is above a known one that is at least 0, of all sets of rows (or of
    columns, if these are fewer): for each, the columns whose sum is positive are best. This is its gain.

    The gain of a set is at most those of its two parts, among the first rows and among the others. So a part is joined
    with those that gain more than what it lacks, which are first where all are in order of their gains. One number has
    a lane for each of them, with the sum of a column over it and ``half``, that is more than all entries add up to: the
    first bit of a lane states whether the sum is 0 or more."""
    matrix.spend(2 * matrix.size)
    rows = [list(row) for row in values if any(row)]
    across = [list(column) for column in zip(*rows, strict=True) if any(column)]
    rows = across if len(across) < len(rows) else [list(row) for row in zip(*across, strict=True)]
    if not rows:
        return known
    need(len(rows) <= 34, "at most 34 rows or columns, of which all sets are tried")
    count, middle, size = len(rows[0]), len(rows) // 2, sum(sum(map(abs, row)) for row in rows).bit_length() // 8 + 1
    room = min(ROOM, count * size << len(rows)) + ((40 + size) * count + 200 << len(rows) - middle + 1)
    matrix.spend((30 + size // 8) * (count + 8) << len(rows) - middle, room)
    first = by_gain(sums_of_sets(rows[:middle]) if middle else [[0] * count])
    others = by_gain(sums_of_sets(rows[middle:]))
    lacks, width = [-gain for gain, _ in others], 8 * size
    joined = others[: bisect_left(lacks, first[0][0] - known)]
    ones, zero = in_lanes([1] * len(joined), size), 1 << width - 1
    columns = [in_lanes([zero + entry for entry in own], size) for own in zip(*[own for _, own in joined], strict=True)]
    parts: dict[tuple[int, int], int] = {}  # a column with an entry added, where that is positive, in enough lanes
    for gain, sums in first:
        fit = bisect_left(lacks, gain - known)
        if not fit:
            break
        matrix.spend((count + 8 + width // 2) * (20 + width * fit // 500))
        lanes = (1 << width * fit) - 1
        units, positive = ones & lanes, 0
        for place in enumerate(sums):
            if place not in parts:
                matrix.spend(10 + width * fit // 200)
                if len(parts) * size * len(joined) > ROOM:
                    parts.clear()
                own = (columns[place[0]] & lanes) + place[1] * units
                signs = own & units << width - 1
                parts[place] = own & signs - (signs >> width - 1)
            positive += parts[place] & lanes
        known = larger_lane(positive, known, units, width)
    matrix.spend(0, -room)
    return known


def by_gain(sums: Table) -> list[tuple[int, list[int]]]:
    """What is positive in each of these adds up to its gain; the largest is first."""
    return sorted([(sum([entry for entry in own if entry > 0]), own) for own in sums], key=itemgetter(0), reverse=True)


def in_lanes(entries: Iterable[int], size: int) -> int:
    """One number with each entry in a lane of so many bytes, the first one lowest."""
    return int.from_bytes(b"".join([entry.to_bytes(size, "little") for entry in entries]), "little")


def larger_lane(lanes: int, known: int, ones: int, width: int) -> int:
    """The largest number in a lane, if it is above a known one; all are below half of what a lane holds."""
    alive = (lanes + ((1 << width - 1) - 1 - known) * ones) >> width - 1 & ones
    if not alive:
        return known
    largest = 0
    for bit in range(width - 2, -1, -1):
        here = lanes >> bit & alive
        if here:
            alive, largest = here, largest | 1 << bit
    return largest


def signed(claim: MatrixClaim) -> tuple[Table, int]:
    """The weights of a distribution with the sign of the answer (1: +, 0: -), and their sum."""
    need(set(claim.matrix.codes) <= {0, 1}, "answers 0 and 1")
    matrix = claim.matrix
    matrix.spend(10 * matrix.size + 30 * matrix.height)
    rows = items(claim.parameters["weights"], matrix.height)
    table = [indices(row, (1 << 80) + 1, matrix.width) for row in rows]
    pairs = [list(zip(row, own, strict=True)) for row, own in zip(claim.matrix.table, table, strict=True)]
    need(any(map(any, table)), "some weight")
    need(not any(weight for row in pairs for cell, weight in row if cell < 0), "a weight off the promise")
    return [[weight if cell == 1 else -weight for cell, weight in row] for row in pairs], sum(map(sum, table))


def opposite(values: Table) -> Table:
    return [[-value for value in row] for row in values]


@proves("biased-rectangle", "lower discrepancy")
def check_biased_rectangle(claim: MatrixClaim, rectangle: Any) -> Fraction:
    """One rectangle: the discrepancy, the largest |weight of 1s less weight of 0s|, is at least its own."""
    values, total = signed(claim)
    rows, columns = map(claim.matrix.places, claim.matrix.rectangle(*items(rectangle, 2)))
    claim.matrix.spend(4 * len(rows) * len(columns))
    return Fraction(abs(sum(sum([values[row][column] for column in columns]) for row in rows)), total)


@proves("all-sets", "upper discrepancy")
def check_all_sets(claim: MatrixClaim) -> Fraction:
    """The checker tries all rectangles: the discrepancy itself."""
    values, total = signed(claim)
    most = 0
    for table in sorted([values, opposite(values)], key=lambda table: sum(map(sum, table)), reverse=True):
        most = largest_sum(claim.matrix, table, most)  # what is small has less to try once much is known
    return Fraction(most, total)


@proves("diagonals", "upper discrepancy")
def check_diagonals(claim: MatrixClaim, most: Any, least: Any) -> Fraction:
    """Weights of rows and columns that bound the sum over every rectangle, see :func:`no_rectangle_above`, and the same
    for the opposite values. These sums are integers."""
    values, total = signed(claim)
    sides = zip((values, opposite(values)), (most, least), strict=True)
    return Fraction(max(floor(no_rectangle_above(claim.matrix, table, given)) for table, given in sides), total)


def no_rectangle_above(matrix: Matrix, values: Table, diagonal: Any) -> Fraction:
    """At most so much is the sum of a table V over any rectangle, by a weight d for the whole and one for each row
    and column.

    Let s and t be 1 on the rows and columns of the rectangle, else -1. With the sums a of rows of V, b of columns, and
    c of all, four times the sum is c + a s + b t + s V t. If [[2d, -a, -b], [-a, 2D, -V], [-b, -V^T, 2E]] is positive
    semidefinite, then its form at (1, s, t) states that this is at most c + d + sum of D + sum of E."""
    size = 1 + matrix.height + matrix.width
    need(size <= 520, "at most 519 rows and columns")
    weights = [rational(text) for text in items(diagonal, size)]
    scale = common_scale(weights, 256)
    matrix.spend(10 * size**2, 120 * size**2)
    nearly_factorised(matrix, bordered(values, weights, scale))
    return (sum(map(sum, values)) + sum(weights, Fraction(0))) / 4


def bordered(values: Table, weights: list[Fraction], scale: int) -> Table:
    """The matrix of :func:`no_rectangle_above` up to its diagonal, in units of which so many are 1: rows, columns and,
    last, the whole, as it would fill what is 0."""
    whole, *others = weights
    lower = [[0] * place for place in range(len(others))]
    lower.append([-scale * total for total in [*map(sum, values), *map(sum, zip(*values, strict=True))]])
    for row, listed in enumerate(values):
        for column, value in enumerate(listed, len(values)):
            lower[column][row] = -scale * value
    for above, weight in zip(lower, [*others, whole], strict=True):
        above.append(2 * scaled(weight, scale))
    return lower


@proves("distribution", "upper least-discrepancy")
def check_distribution(claim: MatrixClaim, weights: Any, of: Any) -> Value:
    """The least discrepancy of all distributions is at most that under the one given."""
    return claim.other(of, measure="discrepancy", parameters={"weights": weights})


@proves("weighted-rectangles", "upper rectangle-bound", "upper partition-bound", "lower least-discrepancy")
def check_weighted_rectangles(claim: MatrixClaim, rectangles: Any) -> Fraction:
    """Weights of rectangles with answers. Either bound is the least sum of weights such that, for the partition bound,
    each cell is in weight 1, and promised ones in weight at least 1 - e with their answer; for the rectangle bound of
    an answer, its cells are in weight at least 1 - e (at most 1 if smooth), others that are promised in at most e.

    For the least discrepancy: under a distribution mu, the sum of weight w times the bias of each rectangle towards
    its answer is the mean over mu of (weight with the answer of the cell, less weight without). If that is always at
    least b, then some rectangle has at least the bias b / (sum of w).
    """
    matrix, partition = claim.matrix, claim.measure == "partition-bound"
    entries = [items(entry, 4) for entry in items(rectangles)]
    weights = [rational(weight) for *_, weight in entries]
    scale = common_scale(weights)
    shares = [scaled(weight, scale) for weight in weights]
    listed = [(*matrix.rectangle(rows, columns), integer(code, 0, CODES), share)
              for (rows, columns, code, _), share in zip(entries, shares, strict=True)]  # fmt: skip
    every, right = weighted(matrix, listed, sum(map(abs, shares)))
    total = Fraction(sum(shares), scale)
    triples = (cell for each in zip(matrix.table, every, right, strict=True) for cell in zip(*each, strict=True))
    if claim.measure == "least-discrepancy":
        need(total > 0 and {*matrix.codes, *(code for _, _, code, _ in listed)} <= {0, 1}, "some weight, answers 0, 1")
        need(bool(matrix.codes), "a distribution on promised cells")
        worst = min(2 * own - all_ for cell, all_, own in triples if cell >= 0)
        return max(Fraction(0), Fraction(worst, sum(shares)))
    need(partition or all(code == claim.code for _, _, code, _ in listed), "a rectangle of another answer")
    least, most = (1 - claim.error) * scale, claim.error * scale
    matrix.spend((30 + (scale.bit_length() >> 6)) * matrix.size)
    for cell, weight, own in triples:
        if partition:
            need(weight == scale and (cell < 0 or own >= least), "a cell with other weight than 1, or too much error")
        elif cell == claim.code:
            need(least <= weight and (weight <= scale or not claim.parameters["smooth"]), "too little or much weight")
        else:
            need(cell < 0 or weight <= most, "too much weight on another answer")
    return total


@proves("cell-weights", "lower rectangle-bound", "lower partition-bound")
def check_cell_weights(claim: MatrixClaim, cells: Any) -> Fraction:
    """Weights mu >= 0 of promised cells and phi of any: the partition bound, and the rectangle bound of an answer z
    (Yao 1983; Jain and Klauck 2010).

    For a protocol of error e let w(z, R) be the probability that rectangle R is a leaf with answer z. Each cell is in
    leaves of total weight 1, a promised one in leaves with its answer of weight at least 1 - e. If for every R and z
    the mu of R's z-cells and the phi of R add up to at most M, then M sum of w >= sum over R, z of w(z, R) (mu(R, z) +
    phi(R)) >= gain = (1 - e) sum of mu + sum of phi, and the sum of w is the mean number of leaves, at most 2^c.

    The rectangle bound counts leaves of one answer z only. A z-cell is in weight W from 1 - e to 1 ("at most 1" is
    for the smooth bound only), so there (mu + phi) W >= (1 - e) mu + phi if phi <= 0, and = 0 if not smooth. Another
    promised cell is in weight W <= e, so there phi W >= e phi >= (1 - e) mu + phi if mu <= -phi. Free cells have 0.
    """
    matrix, listed = claim.matrix, claim.matrix.cells(cells, 2)
    given = {(row, column): (rational(mu), rational(phi)) for row, column, mu, phi in listed}
    scale, most = common_scale(value for pair in given.values() for value in pair), 0
    weights = {cell: (scaled(mu, scale), scaled(phi, scale)) for cell, (mu, phi) in given.items()}
    for (row, column), (mu, phi) in weights.items():
        cell = matrix.table[row][column]
        need(mu == 0 or (mu > 0 and cell >= 0), "mu >= 0 is for promised cells")
        if claim.measure == "rectangle-bound":
            negative = claim.parameters["smooth"] if cell == claim.code else cell >= 0
            need(phi == 0 or (phi < 0 and negative), "phi is 0, or below 0 where it may be")
            need(cell == claim.code or mu <= -phi, "mu is at most -phi on other answers")
    for answer in [claim.code] if claim.measure == "rectangle-bound" else [-1, *matrix.codes]:
        matrix.spend(matrix.height * (10 + matrix.width // 2) + 20 * len(weights))
        values = [[0] * matrix.width for _ in range(matrix.height)]
        for (row, column), (mu, phi) in weights.items():
            values[row][column] = mu + phi if matrix.table[row][column] == answer else phi
        most = largest_sum(matrix, values, most)
    gain = (1 - claim.error) * sum(mu for mu, _ in weights.values()) + sum(phi for _, phi in weights.values())
    return max(Fraction(0), gain / most) if most else Fraction(0)


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
def check_mixture(claim: MatrixClaim, trees: Any) -> Value:
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
    weights = [rational(text) for text in texts]
    scale = common_scale(weights)
    shares = [scaled(weight, scale) for weight in weights]
    need(min(shares, default=0) >= 0 and sum(shares) == scale, "weights of at least zero, with sum 1")
    return shares, scale


def success_or_bits(claim: MatrixClaim, table: Iterable[Iterable[int]], right: Table, scale: int, bits: int) -> Value:
    """The success of a mixture of protocols of so many bits, right with these shares on the cells of a table; or these
    bits, where the claim is that they are enough."""
    pairs = (pair for rows in zip(table, right, strict=True) for pair in zip(*rows, strict=True))
    success = Fraction(min((value for cell, value in pairs if cell >= 0), default=scale), scale)
    if "bits" in claim.parameters:
        need(bits <= claim.parameters["bits"], "more bits than allowed")
        return success
    need(success >= 1 - claim.error, "too much error on some cell")
    return bits


@proves("hard-distribution", "upper public-coin success", "lower randomised")
def check_hard(claim: MatrixClaim, bits: Any, cells: Any) -> Value:
    """A mixture of protocols is right on some cell no more often than its best member is on average under a
    distribution (Yao 1977): so the success of that one is not exceeded with so many bits, and one bit more is needed
    if that is too much error.

    The best protocol is found by dynamic programming over sets of rows. After its last bit a protocol gives one of
    two answers, and each input of whoever speaks takes the better one. With one bit more, a rectangle is split in two
    in the best way; with the first bit, all rows or all columns are. Rows and columns without weight are left out.
    """
    answers, scale = weights_of_answers(claim, cells, 64)
    need(len(answers[0][0]) <= 16, "at most 16 rows and columns with weight")
    return most_or_bits(claim, most_answered(claim.matrix, answers, integer(bits, 0, 64)), scale, bits)


def weights_of_answers(claim: MatrixClaim, cells: Any, most_bits: int) -> tuple[list[Table], int]:
    """For each answer, what cells of a distribution weigh that have it, with inputs of the sender, or of Alice, as
    rows, of which there are at most 16; and the unit."""
    matrix, listed = claim.matrix, claim.matrix.cells(cells, 1)
    shares = {(row, column): rational(text) for row, column, text in listed}
    good = all(share > 0 and matrix.table[i][j] >= 0 for (i, j), share in shares.items())
    scale = common_scale(shares.values(), most_bits)
    need(good and sum(shares.values()) == 1, "shares of promised cells, with sum 1")
    mine, yours = ({own: place for place, own in enumerate(sorted({cell[axis] for cell in shares}))}
                   for axis in (claim.party, 1 - claim.party))  # fmt: skip
    need(len(mine) <= 16, "at most 16 rows and columns with weight")
    answers = {matrix.table[row][column] for row, column in shares}
    matrix.spend(len(answers) * len(mine) * (len(yours) + 20), 10 * len(answers) * len(mine) * (len(yours) + 10))
    tables = {answer: [[0] * len(yours) for _ in mine] for answer in answers}
    for cell, share in shares.items():
        row, place = mine[cell[claim.party]], yours[cell[1 - claim.party]]
        tables[matrix.table[cell[0]][cell[1]]][row][place] = scaled(share, scale)
    return list(tables.values()), scale


def most_or_bits(claim: MatrixClaim, best: int, scale: int, bits: int) -> Value:
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
    both = [[pair, transposed(*pair)] for pair in pairs]
    if bits < 2:
        alone = max(sum(map(sum, table)) for table in answers)
        return max([alone, *(answered_by_rows(*two) for one in both for two in one if bits)])
    if bits == 2:
        matrix.spend(3 * len(pairs) * ((n + 5 << m) + (m + 5 << n)), 100 * (n + 2 << m) + 100 * (m + 2 << n))
        best = 0
        for count, one in zip((m, n), zip(*both, strict=True), strict=True):
            row = [0] * (1 << count)
            for two in one:
                row = list(map(max, row, last_bit(*two)))
            best = max(best, *map(add, row, row[::-1]))
        return best
    matrix.spend(3 * (bits - 3) * (3**m * 2**n + 2**m * 3**n) + 3 * (3**m + 3**n), 250 << m + n)
    matrix.spend(16 * len(pairs) << m + n)
    values = [[0] * (1 << n) for _ in range(1 << m)]
    for pair in pairs:
        values = larger(values, every_last_bit(*pair))
        values = larger(values, transposed(every_last_bit(*transposed(*pair)))[0])
    for _ in range(bits - 3):
        values = larger(_one_bit_more(values), transposed(_one_bit_more(transposed(values)[0]))[0])
    sides = (split_once(values), split_once(transposed(values)[0]))
    return int(max(max(map(add, side, side[::-1])) for side in sides))


def transposed(*tables: Table) -> tuple[Table, ...]:
    return tuple([list(row) for row in zip(*table, strict=True)] for table in tables)


def larger(one: Table, other: Table) -> Table:
    return [list(map(max, *pair)) for pair in zip(one, other, strict=True)]


def sums_of_sets(rows: Table) -> Table:
    sums = [[0] * len(rows[0])]
    for row in rows:
        sums += [list(map(add, other, row)) for other in sums]
    return sums


def answered_by_rows(one: Table, other: Table) -> int:
    """The weight of one of two answers, of which each row has one."""
    return sum(max(sum(mine), sum(yours)) for mine, yours in zip(one, other, strict=True))


def last_bit(one: Table, other: Table) -> list[int]:
    """For each set of rows, with all columns: the most weight of one of two answers, as one of the parties chooses."""
    own = sums_of_sets([[max(sum(mine), sum(yours))] for mine, yours in zip(one, other, strict=True)])
    pairs = zip(sums_of_sets(one), sums_of_sets(other), own, strict=True)
    return [max(sum(map(max, mine, yours)), here) for mine, yours, (here,) in pairs]


def every_last_bit(one: Table, other: Table) -> Table:
    """For each set of rows and each set of columns: the most weight of two answers, of which the row chooses one."""
    sides = (transposed(sums_of_sets(transposed(table)[0]))[0] for table in (one, other))
    return sums_of_sets(larger(*sides))


def split_once(values: Table) -> list[int]:
    """For each set of rows, with all columns: the most weight of it in two parts, split by rows or by columns."""
    return in_two([row[-1] for row in values], [max(map(add, row, row[::-1])) for row in values])


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
