"""Depth and leaves of protocol trees.

Where either party may speak, "rows" are the inputs of the party in question, and "columns" those of the other one.
For all-rectangles a table of numbers below 2^15 is one long integer, with a lane of 16 bits for each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import or_

from .claims import (
    CODES,
    Any,
    Matrix,
    MatrixClaim,
    Refused,
    Table,
    fields,
    gone,
    indices,
    integer,
    items,
    mask_of,
    need,
    proves,
)
from .fooling import fooling
from .ranks import extended, indicator, rank


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
        ones = matrix.subset(inputs, matrix.height if speaker == "alice" else matrix.width)
        for child, part in ((zero, ~ones), (one, ones)):
            both = (rows & part, columns) if speaker == "alice" else (rows, columns & part)
            stack.append((child, *both, depth + 1, left, speaker))


@proves("protocol-tree", "upper deterministic", "upper leaves", "upper quantum")
def check_tree(claim: MatrixClaim, tree: Any) -> int:
    """A protocol, as a tree: its depth, or its leaves, once every cell is seen to get a right answer. Qubits are
    as good as bits."""
    matrix, parameters, deepest, count = claim.matrix, claim.parameters, 0, 0
    for leaf, rows, columns, depth in leaves(matrix, tree, parameters.get("rounds"), parameters.get("first")):
        deepest, count = max(deepest, depth), count + 1
        party, mine, across = (1, columns, rows) if claim.answer == "bob" else (0, rows, columns)
        own = matrix.places(mine)
        matrix.spend(8 * len(own))
        if "answer" in leaf:
            answers = dict.fromkeys(own, integer(fields(leaf, "answer")[0], 0, CODES))
        else:
            need(claim.answer != "both", "a leaf that both know has one answer")
            pairs = [items(pair, 2) for pair in items(fields(leaf, "answers")[0])]
            answers = {integer(row, 0, CODES): integer(code, 0, CODES) for row, code in pairs}
        for row in own:
            need(row in answers and matrix.fits(answers[row], row, across, party), "a wrong answer at a leaf")
    return count if claim.measure == "leaves" else deepest


Node = tuple[int, Any, tuple[int, int]]  # depth, limit and the two masks of a rectangle


def more_than_three_bits(matrix: Matrix, answer: str, masks: tuple[int, int]) -> None:
    """Refuse if three bits are enough for a total rectangle of answers 0 and 1, that both are to know.

    Two bits are enough iff the different rows are at most two, or among 0, 1, w and not w for some w; likewise
    for columns. Three bits, Alice first, iff the rows are two such sets: with k rows that are not constant, iff
    k < 4, or k = 4 and no row is constant or two are complements.
    """
    need(answer == "both", "the closed form is for answers that both know")
    for party in (0, 1):
        rows, across = matrix.places(masks[party]), masks[1 - party]
        matrix.spend(40 + len(rows) * (28 + 4 * matrix.long[party]))
        zeros, ones = matrix.masks(0, party), matrix.masks(1, party)
        need(all(across & ~(zeros[row] | ones[row]) == 0 for row in rows), "answers 0 and 1 only")
        need(not three_are_enough([ones[row] & across for row in rows], across), "three bits are enough")


def three_are_enough(rows: Iterable[int], across: int) -> bool:
    """Whether three bits are enough, the party of these rows first: two bits for each of two sets of them."""
    shown = set(rows)
    mixed = shown - {0, across}
    if len(mixed) != 4:
        return len(mixed) < 4
    return len(shown) == 4 or any(across ^ row in mixed for row in mixed)


def more_than_four_bits(matrix: Matrix, answer: str, masks: tuple[int, int]) -> None:
    """Refuse if four bits are enough for such a rectangle: if three are, or if the rows of a party can be split in two
    halves for which three are. Equal rows may go to the same half.

    Rows are put on a side one after the other. If three bits are not enough for a side, they are not for more rows.
    Columns that are equal on a side are one class; the classes are the side's columns.
    """
    more_than_three_bits(matrix, answer, masks)
    for party in (0, 1):
        across, ones = masks[1 - party], matrix.masks(1, party)
        rows = separating_first(matrix, {ones[row] & across for row in matrix.places(masks[party])}, across)
        few, step = len(set(rows) - {0, across}) <= 8, 150 + 20 * matrix.long[party]
        empty: Any = ((), ((across, 0),), 0)
        stack = [(1, with_row(empty, rows[0], across), empty)]
        while stack:
            place, one, other = stack.pop()
            if one is None or other is None or not (few or one[1] or other[1]):
                continue  # each side needs its rows first: at most eight are not constant
            need(place < len(rows), "four bits are enough")
            matrix.spend(2 * step)
            stack.append((place + 1, one, with_row(other, rows[place], across)))
            stack.append((place + 1, with_row(one, rows[place], across), other))


def with_row(side: Any, row: int, across: int) -> Any:
    """A side with one more row, or None if three bits are not enough then: its rows, classes of the columns,
    each with its answers on the side, and how many rows there are. Rows or classes are None if they are too many.
    """
    own, classes, size = side
    if own is not None:
        own = (*own, row) if three_are_enough((*own, row), across) else None
    if classes is not None:
        both = ((part, 2 * shown + bit) for mask, shown in classes for part, bit in ((mask & row, 1), (mask & ~row, 0)))
        classes = tuple((part, shown) for part, shown in both if part)
        if not three_are_enough([shown for _, shown in classes], (2 << size) - 1):
            classes = None
    return None if own is None and classes is None else (own, classes, size + 1)


def separating_first(matrix: Matrix, rows: Iterable[int], across: int) -> list[int]:
    """The rows, ordered so that each separates as many of the classes of columns as it can."""
    left, classes, order = sorted(rows), [across], list[int]()
    while classes and left:
        matrix.spend(len(left) * (20 + len(classes) * (6 + across.bit_length() // 1000)))
        best = max(left, key=lambda row: sum([0 != part & row != part for part in classes]))
        left.remove(best)
        order.append(best)
        parts = [part for mask in classes for part in (mask & best, mask & ~best)]
        classes = [part for part in parts if part & (part - 1)]
    return order + left


def every_split(claim: MatrixClaim, proved: Any, node: Node, party: int, given: Any) -> None:
    """Whoever speaks first splits its rows in two, and one half (with its bits) keeps depth - 1: for each split
    of this party's rows, one half contains all rows of a *core*, a rectangle without such a protocol, or has
    too many leaves by rank over one of the fields. Put row after row on a side; a branch ends when a side is
    caught. Independent rows come first, so that ranks grow early; without ranks, rows of many cores.
    """
    (depth, limit, masks), matrix = node, claim.matrix
    primes, numbers, closed = items(given, 3)
    need(items(primes) in ([], [2], [3], [2, 3], [3, 2]), "ranks of splits are over GF(2) and GF(3)")
    if limit is not None and limit[1] != party and limit[0] == 0:  # this party may not speak: only the form counts
        indices(numbers, len(proved))  # nodes before
        need(isinstance(closed, str), "the closed form is text")
        return
    cores = cores_of(claim, proved, node, party, numbers, closed)
    rows, across, spots = matrix.places(masks[party]), masks[1 - party], matrix.places(masks[1 - party])
    matrix.spend(len(rows) * (30 + (len(matrix.codes) + 1) * (8 + matrix.long[party])))
    shown = {row: [matrix.masks(code, party)[row] & across for code in matrix.codes] for row in rows}
    partial = bool(primes) and any(matrix.masks(-1, party)[row] & across for row in rows)
    need(not partial, "undefined entries have no rank")
    halves = halves_of(matrix, {core[party] for core in cores})
    held = Counter(row for half in halves for row in half)
    order = sorted(rows, key=lambda row: -held[row])
    order = independent_first(matrix, {row: shown[row][-1] for row in rows}, spots) if primes else order
    halves, count = placed(matrix, halves, order), len(order)
    last, without = last_and_absent(matrix, halves, count)
    matrix.spend(len(halves) * (20 + (count >> 9)), len(halves) * (60 + count) + (count**2 // 8 if primes else 0))

    def too_many(new: list[Any], place: int) -> bool:
        """Extend the bases of the side that a row was put on; whether their ranks are more than its leaves."""
        right, bases, masks = new[2] >> place, list(new[4]), shown[order[place]]
        pairs = zip(primes, bases[right], strict=True)
        bases[right] = [[extended(matrix, basis, mask, spots, prime) for basis, mask in zip(old, masks, strict=True)]
                        for prime, old in pairs]  # fmt: skip
        new[4] = bases
        ranks = [[len(basis) for basis in side_bases] for side_bases in bases[right]]
        return max(map(sum if claim.answer == "both" else max, ranks)) > 1 << depth - 1

    empty = [[()] * len(matrix.codes)] * len(primes)
    named = [mask_of(half, count) for half in halves]
    all_refuted(matrix, last, without, named, (empty, empty), too_many if primes else None)


def all_refuted(
    matrix: Matrix,
    last: list[int],
    without: list[int],
    named: list[int],
    known: Any = None,
    too_many: Callable[[list[Any], int], bool] | None = None,
) -> None:
    """Refuse if rows can be put on two sides, both with some, without a side being refuted: because it contains a set
    of rows, or by what else is known of it.

    Rows are their places in the order in which they are put, the first one on the left. A branch that is given up
    leaves behind rows because of which: as they are placed, no way to place the others helps. So if the last row is
    not one of them, it need not be tried on the other side. Sets that a side may still contain are masks: this takes
    most certificates their time, so nothing is called inside the loop where only sets refute a side.
    """
    count, every = len(last), (1 << len(named)) - 1
    step = 25 + (len(named) >> 9) + (count >> 7)
    # what the left and the right may still contain, rows on the right, what speaks against the last row's being left
    stack: list[list[Any]] = [[every, every, 0, 0, known]]
    why = None
    while stack:
        matrix.spend(16 * step)
        for _ in range(16):
            left, right, sent, against, known = stack[-1]
            place = len(stack) - 1
            bit = 1 << place
            if why is None:
                caught, new = left & last[place], [left, right & without[place], sent, 0, known]
            elif against or not why & bit:
                why = (against | why) & ~bit if why & bit else why
                stack.pop()
                if not stack:
                    return
                continue
            else:
                stack[-1][3] = why
                if len(stack) == 1:
                    return  # the first row is on the left
                caught, new = right & last[place], [left & without[place], right, sent | bit, 0, known]
            if caught:
                why = named[caught.bit_length() - 1]
            elif too_many is not None and too_many(new, place):
                why = new[2] if new[2] & bit else 2 * bit - 1 ^ new[2]
            elif len(stack) < count:
                why = None
                stack.append(new)
            else:
                need(not new[2], "a split that nothing forbids")
                why = (1 << count) - 1


def halves_of(matrix: Matrix, masks: set[int]) -> list[tuple[int, ...]]:
    halves = []
    for mask in masks:
        half = matrix.places(mask)
        matrix.spend(20 * (12 + len(half)), 64 * (12 + len(half)))
        halves.append(tuple(half))
    return sorted(halves)


def placed(matrix: Matrix, halves: list[tuple[int, ...]], order: list[int]) -> list[tuple[int, ...]]:
    """Sets of rows as their places in an order, those at the end whose rows are placed early: why a side is caught
    should be because of such."""
    position, total = {row: place for place, row in enumerate(order)}, sum(map(len, halves))
    matrix.spend(20 * total + 50 * len(halves), 24 * total + 160 * len(halves))
    sets = [tuple(sorted([position[row] for row in half])) for half in halves]
    return sorted(sets, key=lambda half: [-place for place in half[::-1]])


def last_and_absent(matrix: Matrix, halves: list[tuple[int, ...]], count: int) -> tuple[list[int], list[int]]:
    """For each of so many places, as masks over some sets: those that it is the last of, those it is not in."""
    size, total = len(halves), sum(map(len, halves))
    matrix.spend(20 * (total + size) + count * (20 + (size >> 5)), 40 * total + count * (200 + size))
    last: Table = [[] for _ in range(count)]
    inside: Table = [[] for _ in range(count)]
    for number, half in enumerate(halves):
        last[half[-1]].append(number)
        for place in half:
            inside[place].append(number)
    every = (1 << size) - 1
    return [mask_of(numbers, size) for numbers in last], [every & ~mask_of(numbers, size) for numbers in inside]


def independent_first(matrix: Matrix, rows: dict[int, int], spots: list[int]) -> list[int]:
    """The rows in order, those before the others whose 0/1 masks are independent over GF(3)."""
    basis, dependent = (), set()
    for row, mask in rows.items():
        longer = extended(matrix, basis, mask, spots, 3)
        if longer is basis:
            dependent.add(row)
        basis = longer
    return [row for row in rows if row not in dependent] + sorted(dependent)


def cores_of(
    claim: MatrixClaim, proved: Any, node: Any, party: int, numbers: Any, closed: Any
) -> list[tuple[int, int]]:
    """Rectangles inside a node that have no protocol of one bit less once this party has spoken: nodes before, by
    number, and at depth 4 also rectangles that the closed form refutes, as text.
    """
    (depth, limit, masks), cores = node, []
    later = limit if limit is None or limit[1] == party else (limit[0] - 1, party)
    for number in indices(numbers, len(proved)):
        core_depth, core_limit, core = proved[number]
        need(core_depth >= depth - 1 and core_limit in (None, later), "a core of another depth or limit")
        cores.append(core)
    need(isinstance(closed, str) and (depth == 4 or not closed), "the closed form is text, for cores of depth 3")
    for text in closed.split():
        cores.append(claim.matrix.rectangle(*items(text.split(":"), 2)))
        need(min(cores[-1]) > 0, "a core without cells")
        more_than_three_bits(claim.matrix, claim.answer, cores[-1])
    claim.matrix.spend(len(cores) * (60 + 4 * sum(claim.matrix.long)))
    need(all(core[0] & ~masks[0] == 0 == core[1] & ~masks[1] for core in cores), "a core outside its rectangle")
    return cores


@proves("refutation", "lower deterministic")
def check_refutation(claim: MatrixClaim, nodes: Any) -> int:
    """A list of rectangles, each shown, with those before it, to have no protocol of its depth (and rounds): the last
    is the claim, and one more than its depth is needed.

    A node is [depth, limit, rows, columns, reason, ...]; the limit is null or [rounds that may still begin, who spoke
    last (0 Alice, 1 Bob, -1 nobody)]. The reasons: too many leaves by ``rank``; by a ``fooling`` set; the closed form
    for ``three`` bits, or all splits for ``four``; or all ``splits`` of the rows, and all of the columns, are refuted
    by nodes before.
    """
    matrix, limit = claim.matrix, None
    proved: list[Node] = []
    for entry in items(nodes):
        depth, limit, rows, columns, kind, *data = items(entry)
        integer(depth, 0, 64)
        if limit is not None:
            limit = (integer(items(limit, 2)[0], 0, 1 << 20), integer(limit[1], -1, 1))
        masks = matrix.rectangle(rows, columns)
        matrix.spend(200 + 2 * sum(matrix.long))
        need(masks[0] > 0 and masks[1] > 0, "a rectangle without cells")
        node: Node = depth, limit, masks
        match kind, *data:
            case "rank", primes:
                need(leaves_by_rank(matrix, claim.answer, masks, primes) > 1 << depth, "the ranks are too small")
            case "fooling", listed:
                cells = fooling(matrix, claim.answer, listed)
                matrix.spend(len(cells) * (10 + sum(matrix.long)))
                need(all(masks[0] >> row & masks[1] >> column & 1 for row, column in cells), "a cell outside")
                need(len(cells) > 1 << depth, "the fooling set is too small")
            case ("three",):
                need(depth == 3, "the closed form is for depth 3")
                more_than_three_bits(matrix, claim.answer, masks)
            case ("four",):
                need(depth == 4, "all splits are gone through for depth 4")
                more_than_four_bits(matrix, claim.answer, masks)
            case "splits", *sides:
                somebody_speaks(claim, node)
                for speaker, side in enumerate(items(sides, 2)):
                    every_split(claim, proved, node, speaker, side)
            case _:
                need(kind not in ("orbits", "tight", "given"), gone("reason", kind))
                raise Refused("a reason is rank, fooling, three, four or splits")
        proved.append(node)
    if limit is not None:
        rounds, first = claim.parameters["rounds"], claim.parameters["first"]
        claimed = (rounds, -1) if first is None else (rounds - 1, ("alice", "bob").index(first))
        need(limit == claimed, "the last node is not the claim")
    return proved[-1][0] + 1 if proved else 0


def leaves_by_rank(matrix: Matrix, answer: str, masks: tuple[int, int], primes: Any) -> int:
    """A leaf that both know is a rectangle of one answer, so an answer needs as many leaves as the rank of its 0/1
    matrix, over any field. If one party alone knows, the 0/1 matrices of a leaf have rank at most one each: the
    largest rank counts."""
    ranks = [rank(matrix, indicator(matrix, code, *masks), prime) for code, prime in enumerate(items(primes))]
    return sum(ranks) if answer == "both" else max(ranks, default=0)


def somebody_speaks(claim: MatrixClaim, node: Node) -> None:
    matrix, (depth, _, masks) = claim.matrix, node
    need(depth > 0, "splits are for a depth above 0")
    party = int(claim.answer == "bob")
    marks = [matrix.masks(code, party) for code in matrix.codes]
    rows, across = matrix.places(masks[party]), masks[1 - party]
    matrix.spend(len(rows) * (30 + len(marks) * (6 + matrix.long[party])))
    shown = [{code for code, mark in enumerate(marks) if mark[row] & across} for row in rows]
    shown = [set().union(*shown)] if claim.answer == "both" else shown
    need(any(len(codes) > 1 for codes in shown), "a leaf needs no bits")


LANE, FAR = 16, 1 << 13


@proves("leaf-rank", "lower leaves")
def check_leaf_rank(claim: MatrixClaim, primes: Any) -> int:
    """As many leaves as the ranks of all answers, see :func:`leaves_by_rank`."""
    need(not any(claim.matrix.masks(-1)), "undefined entries have no rank")
    return leaves_by_rank(claim.matrix, claim.answer, (-1, -1), primes)


@proves("khrapchenko", "lower leaves")
def check_khrapchenko(claim: MatrixClaim, cells: Any) -> int:
    """Cells of which no two in a row or column share a right answer, if both must know it (Khrapchenko 1971).

    In a leaf of a rows and b columns those inside, k of them, share one: they are in different rows and in different
    columns, and k^2 <= ab. On the rows R and the columns C of all these cells the leaves' parts have areas with sum
    |R||C|. By Cauchy and Schwarz, (sum of k)^2 <= (sum of k^2 / ab) (sum of ab) <= L |R||C|.
    """
    matrix, listed = claim.matrix, claim.matrix.cells(cells)
    need(claim.answer == "both" and bool(matrix.codes), "an answer that both know")
    need(0 < len(set(listed)) == len(listed), "different cells")
    for code in matrix.codes:
        allowed = matrix.allowed(code)
        matrix.spend(30 * len(listed))
        shared = [(row, column) for row, column in listed if allowed[row] >> column & 1]
        apart = all(len({cell[party] for cell in shared}) == len(shared) for party in (0, 1))
        need(apart, "two cells in a row or column with a right answer in common")
    area = len({row for row, _ in listed}) * len({column for _, column in listed})
    return -(-(len(listed) ** 2) // area)


@proves("all-rectangles", "lower leaves", "lower deterministic")
def check_all_rectangles(claim: MatrixClaim, rows: Any, columns: Any) -> int:
    """What a protocol for some rows and columns takes, and so at least one for all: by dynamic programming over all
    rectangles in them. One that is no leaf is first split, by either party, in two: it has the leaves of both halves,
    and one bit more than the worse one. (More than FAR is not counted, which changes no claim but to a weaker one.)
    """
    matrix, party = claim.matrix, int(claim.answer == "bob")
    pair = [matrix.places(mask) for mask in matrix.rectangle(rows, columns)]
    own, across = pair[party], pair[1 - party]
    m, n = len(own), len(across)
    need(0 < m <= 16 and 0 < n <= 16, "from 1 to 16 rows and columns")
    return least_of_all(claim, own, across)[-1] >> LANE * ((1 << n) - 1)


def least_of_all(claim: MatrixClaim, own: list[int], across: list[int]) -> list[int]:
    """What each set of rows takes with each set of columns, lane by lane; sets are numbers.

    Sets of rows are done by size, with a lane for each set of columns; then, with a lane for each set of rows of that
    size, the sets of columns.
    """
    m, n, counted = len(own), len(across), claim.measure == "leaves"
    claim.matrix.spend(work_of_all(m, n, counted), 8 << m + n)
    least = b"\1\0" if counted else b"\0\0"
    known = []
    for sets in leaf_sets(claim, own, across):
        text = f"{sets:0{1 << n}b}"[::-1].encode()
        known.append(int.from_bytes(text.replace(b"0", FAR.to_bytes(2, "little")).replace(b"1", least), "little"))
    for size in range(1, m + 1):
        group = [one for one in range(1 << m) if one.bit_count() == size]
        for one in group:
            known[one] = best_split(known, one, 1 << n, counted)
        transposed = lanes_transposed([known[one] for one in group], 1 << n)
        for other in range(1, 1 << n):
            transposed[other] = best_split(transposed, other, len(group), counted)
        for one, values in zip(group, lanes_transposed(transposed, len(group)), strict=True):
            known[one] = values
    return known


def work_of_all(own: int, across: int, counted: bool) -> int:
    """What it takes to go through all rectangles of so many rows and columns, for leaves or for bits."""
    return int(24 * (3**own + own * 3**across) + (3**own * 2**across + 2**own * 3**across) // (4 if counted else 2))


def leaf_sets(claim: MatrixClaim, own: list[int], across: list[int]) -> list[int]:
    """For each set of rows, the sets of columns that are a leaf with it, a bit for each: one answer is right on all
    cells, or, if only the party of the rows must know it, one on each row."""
    matrix, count, right = claim.matrix, len(across), []
    for code in matrix.codes or [-1]:
        matrix.spend((20 + (1 << count) // 256) << len(own))
        allowed, options = matrix.allowed(code, int(claim.answer == "bob")), []
        for row in own:
            sets = 1
            for place in [place for place, other in enumerate(across) if allowed[row] >> other & 1]:
                sets |= sets << (1 << place)
            options.append(sets)
        right.append(options)
    if claim.answer != "both":
        right = [[reduce(or_, options) for options in zip(*right, strict=True)]]
    united = [0] * (1 << len(own))
    for options in right:
        shared = [(1 << (1 << count)) - 1]
        for sets in options:
            shared += [old & sets for old in shared]
        united = list(map(or_, united, shared))
    return united


def best_split(known: list[int], rows: int, count: int, counted: bool) -> int:
    """What a set of rows takes, lane by lane, once it may be split in two in any way: leaves, or else bits."""
    ones = int.from_bytes(b"\1\0" * count, "little")
    guard, best, part = ones << LANE - 1, known[rows], (rows - 1) & rows
    while part > rows ^ part:
        one, other = known[part], known[rows ^ part]
        both = one + other
        if not counted:
            both += ones - lower_lanes(one, other, guard)  # the higher, and one
        best = lower_lanes(best, both, guard)
        part = (part - 1) & rows
    return best


def lower_lanes(one: int, other: int, guard: int) -> int:
    """In each lane the lower of two numbers; ``guard`` has the highest bit of each lane."""
    above = ((one | guard) - other) & guard
    return one ^ ((one ^ other) & (above - (above >> LANE - 1)))


def lanes_transposed(rows: list[int], count: int) -> list[int]:
    """A table of lanes by columns instead of rows, of which each has so many."""
    cells = memoryview(b"".join([row.to_bytes(2 * count, "little") for row in rows])).cast("H")
    return [int.from_bytes(cells[place::count].tobytes(), "little") for place in range(count)]
