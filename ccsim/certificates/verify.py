"""Check certificates of bounds on communication: ``python verify.py FILE...`` prints one line for each file.

This file needs the standard library only and nothing else of ccsim: copy it and read it. It takes nothing on trust.
For each proof in a certificate it derives, from the matrix and the witness alone, the bound that the witness
proves, and accepts if that is at least (lower bounds) or at most (upper bounds) the value that is claimed. Which
witness may prove which claim is said by the tables at the end; why it does is said at each checker.

A matrix is a list of rows of codes: the place of the answer among the labels, or -1 where the answer is free (outside
the promise). Rows are Alice's inputs, columns Bob's. A set of lines is hexadecimal text (bit i is line i) or a list.
A *leaf* is where a protocol ends: a rectangle (some rows times some columns) with one answer if both parties must
know it; if only Alice must, each of its rows has one answer; if only Bob must, each column. A protocol of c bits has
at most 2^c leaves, and they divide the matrix.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from math import comb, isqrt, lcm
from operator import add
from os import PathLike
from typing import Any

__all__ = ["Refused", "check", "check_file", "load", "main", "read_matrix", "summary", "verify", "verify_text"]

Table = list[list[int]]
Data = dict[str, Any]
Value = int | Fraction

FORMAT, VERSION = "ccsim-certificate", 1
MOST_BYTES = 64 << 20  # of a file
MOST_NESTING = 400
MOST_ITEMS = 1 << 25  # numbers, texts, lists and objects in a certificate
MOST_CELLS = 1 << 22  # of a matrix
MOST_WORK = 1 << 30  # elementary steps, about; each checker says what it spends
MOST_DIGITS = 2000  # of each part of a rational
MOST_INTEGER = 10**40
CODES = 1 << 31


class Refused(ValueError):  # noqa: N818 - the verdict of a checker, not an accident
    """The certificate does not prove its claim."""


# Data that nobody vouches for


def need(condition: bool, message: str) -> None:
    """Refuse unless the condition holds."""
    if not condition:
        raise Refused(message)


def integer(value: Any, low: int, high: int) -> int:
    """An integer between two bounds, and no boolean."""
    need(type(value) is int and low <= value <= high, f"expected an integer from {low} to {high}")
    return int(value)


def items(value: Any, count: int | None = None) -> list[Any]:
    """A list, of so many items if a count is given."""
    need(isinstance(value, list), "expected a list")
    need(count in (None, len(value)), f"expected a list of {count} items")
    return list(value)


def fields(data: Any, *names: str) -> list[Any]:
    """The values of exactly these fields."""
    need(isinstance(data, dict) and set(data) == set(names), f"expected the fields: {', '.join(names) or 'none'}")
    return [data[name] for name in names]


def rational(text: Any) -> Fraction:
    """A rational from text a/b."""
    need(isinstance(text, str) and len(text) <= 2 * MOST_DIGITS, "expected a rational as text")
    need(re.fullmatch("-?[0-9]{1,2000}/[0-9]{1,2000}", text) is not None, "expected a rational a/b in digits")
    above, below = map(int, text.split("/"))
    need(below > 0, "a denominator above zero")
    return Fraction(above, below)


def common_scale(values: Iterable[Fraction], most_bits: int = 1 << 14) -> int:
    """The least common denominator, refused before it, and so every sum, grows too long."""
    scale = 1
    for value in values:
        scale = lcm(scale, value.denominator)
        need(scale.bit_length() <= most_bits, f"a common denominator of at most {most_bits} bits")
    return scale


def places(mask: int) -> list[int]:
    """The lines in a mask."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def lines_of(value: Any, size: int) -> int:
    """A set of lines as a mask, from hexadecimal text or a list of places."""
    if isinstance(value, list):
        mask = 0
        for place in value:
            mask |= 1 << integer(place, 0, size - 1)
        return mask
    need(isinstance(value, str) and len(value) <= size // 4 + 1, "expected a set of lines")
    need(re.fullmatch("[0-9a-f]+", value) is not None, "expected hexadecimal digits")
    need(int(value, 16) >> size == 0, "a set of lines that exist")
    return int(value, 16)


def bits_for(count: Value) -> int:
    """The smallest c >= 0 with 2^c >= count."""
    above = -(-Fraction(count).numerator // Fraction(count).denominator)
    return max(0, above - 1).bit_length()


def logarithm_below(value: Fraction, scale: int = 1024) -> Fraction:
    """log2 of a number rounded down to a multiple of 1/scale (0 if it is below 1): largest m, 2^m <= value^scale."""
    need(value < 1 << 2000, "a number that is not too long")
    power = max(value, Fraction(1)) ** scale if value.denominator < 1 << 2000 else Fraction(1)
    return Fraction((power.numerator // power.denominator).bit_length() - 1, scale)


class Matrix:
    """A table of codes, its lines as masks, and how much work may still be spent on it."""

    def __init__(self, table: Table, work: int = MOST_WORK) -> None:
        self.table, self.height, self.width, self.work = table, len(table), len(table[0]), work
        self.codes = {cell for row in table for cell in row} - {-1}
        self._masks: dict[tuple[int, int], list[int]] = {}

    def spend(self, steps: int) -> None:
        """Refuse what takes too long."""
        self.work -= steps
        need(self.work >= 0, "too much work to check")

    def masks(self, code: int, party: int = 0) -> list[int]:
        """For each line of a party (0: rows, 1: columns), where across it the cells have this code (-1: are free)."""
        if (code, party) not in self._masks:
            self.spend(2 * self.height * self.width)
            lines = zip(*self.table, strict=True) if party else self.table
            texts = ("".join(["1" if cell == code else "0" for cell in line[::-1]]) for line in lines)
            self._masks[code, party] = [int(text, 2) for text in texts]
        return self._masks[code, party]

    def allowed(self, code: int, party: int = 0) -> list[int]:
        """Likewise where the cells have this code or are free."""
        return [a | b for a, b in zip(self.masks(code, party), self.masks(-1, party), strict=True)]

    def fits(self, code: int, line: int, across: int, party: int = 0) -> bool:
        """Whether a line has no other code at these places across."""
        return across & ~(self.masks(code, party)[line] | self.masks(-1, party)[line]) == 0

    def cell(self, row: Any, column: Any) -> tuple[int, int]:
        """A cell of the table."""
        return integer(row, 0, self.height - 1), integer(column, 0, self.width - 1)

    def cells(self, listed: Any) -> list[tuple[int, int]]:
        """Cells of the table from a list of [row, column]."""
        return [self.cell(*items(entry, 2)) for entry in items(listed)]

    def rectangle(self, rows: Any, columns: Any) -> tuple[int, int]:
        """A rectangle as two masks."""
        return lines_of(rows, self.height), lines_of(columns, self.width)

    def part(self, rows: Any, columns: Any) -> Matrix:
        """The submatrix of some rows and columns (lists without repetition); it shares the work."""
        need(bool(rows) and bool(columns), "expected rows and columns")
        mine, yours = ([integer(line, 0, most - 1) for line in items(lines)] for lines, most in
                       ((rows, self.height), (columns, self.width)))  # fmt: skip
        need(len(set(mine)) == len(mine) and len(set(yours)) == len(yours), "different rows and different columns")
        self.spend(len(mine) * len(yours))
        return Matrix([[self.table[row][column] for column in yours] for row in mine], self.work)


# Protocol trees


def leaves(matrix: Matrix, tree: Any, rounds: int | None = None, first: str | None = None) -> Iterator[Any]:
    """The leaves of a tree, each as (leaf, rows, columns, depth); refuses a path of too many rounds.

    At a node the speaker sends 1 if its input is among ``ones``, else 0. A round is a stretch of one speaker.
    """
    left = None if rounds is None else rounds - (first is not None)
    stack = [(tree, (1 << matrix.height) - 1, (1 << matrix.width) - 1, 0, left, first)]
    while stack:
        node, rows, columns, depth, left, last = stack.pop()
        matrix.spend(64)
        need(isinstance(node, dict), "a node is an object")
        if "speaker" not in node:
            yield node, rows, columns, depth
            continue
        speaker, inputs, zero, one = fields(node, "speaker", "ones", "zero", "one")
        need(speaker in ("alice", "bob"), "a speaker is alice or bob")
        if left is not None and speaker != last:
            left -= 1
            need(left >= 0, "more rounds than allowed")
        ones = lines_of(inputs, matrix.height if speaker == "alice" else matrix.width)
        for child, part in ((zero, ~ones), (one, ones)):
            both = (rows & part, columns) if speaker == "alice" else (rows, columns & part)
            stack.append((child, *both, depth + 1, left, speaker))


def check_tree(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """A protocol, as a tree: its depth, once every cell is seen to get a right answer."""
    (tree,) = fields(witness, "tree")
    answer, deepest = parameters["answer"], 0
    for leaf, rows, columns, depth in leaves(matrix, tree, parameters["rounds"], parameters["first"]):
        deepest = max(deepest, depth)
        party, mine, across = (1, columns, rows) if answer == "bob" else (0, rows, columns)
        if "answer" in leaf:
            said = dict.fromkeys(places(mine), integer(fields(leaf, "answer")[0], 0, CODES))
        else:
            need(answer != "both", "a leaf that both know has one answer")
            pairs = [items(pair, 2) for pair in items(fields(leaf, "answers")[0])]
            said = {integer(line, 0, CODES): integer(code, 0, CODES) for line, code in pairs}
        matrix.spend(8 * mine.bit_count())
        for line in places(mine):
            need(line in said and matrix.fits(said[line], line, across, party), "a wrong answer at a leaf")
    return deepest


# Rank


def extended(basis: Any, row: int, prime: int) -> Any:
    """An echelon form over GF(2) or GF(3) with one more 0/1 row; itself if the row depends on it.

    A vector is an integer for its +1, one for its -1, and its lowest place, where it is +1.
    """
    plus, minus = row, 0
    for one, two, lowest in basis:
        if plus & lowest:
            one, two = two, one
        elif not minus & lowest:
            continue
        if prime == 2:
            plus ^= one | two
            continue
        keep, bare = ~(one | two), ~(plus | minus)
        plus, minus = plus & keep | one & bare | minus & two, minus & keep | two & bare | plus & one
    if not plus | minus:
        return basis
    lowest = (plus | minus) & -(plus | minus)
    return (*basis, (minus, plus, lowest) if minus & lowest else (plus, minus, lowest))


def rank(matrix: Matrix, rows: list[int], prime: Any) -> int:
    """The rank of 0/1 rows, given as masks, over GF(prime).

    For primes above 3 a row is one long integer, 80 bits for each column, which hold all that elimination adds to
    an entry: at most 2^17 products of two numbers below 2^31.
    """
    integer(prime, 2, (1 << 31) - 1)
    need(len(rows) <= 1 << 17 and all(prime % d for d in range(2, isqrt(prime) + 1)), "expected a prime")
    every = 0
    for row in rows:
        every |= row
    columns = places(every)
    if prime <= 3:
        short: Any = ()
        for row in rows:
            matrix.spend(16 + len(short) * (4 + every.bit_length() // 64))
            short = extended(short, row, prime)
        return len(short)
    basis: list[tuple[int, int]] = []
    for row in rows:
        matrix.spend(8 * len(columns) + len(basis) * (8 + len(columns) // 8))
        vector = _packed([row >> column & 1 for column in columns])
        for place, pivot in basis:
            head = (vector >> 80 * place & (1 << 80) - 1) % prime
            if head:
                vector += (prime - head) * pivot
        data = vector.to_bytes(10 * len(columns), "little")
        entries = [int.from_bytes(data[at : at + 10], "little") % prime for at in range(0, len(data), 10)]
        place = next((place for place, entry in enumerate(entries) if entry), -1)
        if place >= 0:
            inverse = pow(entries[place], -1, prime)
            basis.append((place, _packed([entry * inverse % prime for entry in entries])))
    return len(basis)


def _packed(entries: list[int]) -> int:
    return int.from_bytes(b"".join([entry.to_bytes(10, "little") for entry in entries]), "little")


def _indicator(matrix: Matrix, code: Any, rows: int | None = None, columns: int | None = None) -> list[int]:
    """The 0/1 rows of one answer in a rectangle, by default in the whole matrix, which must be total there."""
    rows = (1 << matrix.height) - 1 if rows is None else rows
    columns = (1 << matrix.width) - 1 if columns is None else columns
    masks, free = matrix.masks(integer(code, 0, CODES)), matrix.masks(-1)
    need(not any(free[row] & columns for row in places(rows)), "free cells have no rank")
    return [masks[row] & columns for row in places(rows)]


def check_pivots(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """The rank of a submatrix modulo a prime: rank over that field is at least it, and so is rank over the rationals,
    because a minor that is not 0 modulo a prime is not 0."""
    prime, rows, columns = fields(witness, "prime", "rows", "columns")
    need(parameters["field"] in ("rational", f"GF({prime})"), "pivots over another field")
    return rank(matrix, _indicator(matrix, parameters["code"], *matrix.rectangle(rows, columns)), prime)


def check_different_lines(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """The rank is at most the number of different rows, or columns, that are not zero."""
    fields(witness)
    _indicator(matrix, parameters["code"])
    return min(len(set(matrix.masks(parameters["code"], party)) - {0}) for party in (0, 1))


def check_elimination(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """Over GF(p) the checker finds the rank itself."""
    fields(witness)
    need(parameters["field"] != "rational", "elimination over a finite field")
    return rank(matrix, _indicator(matrix, parameters["code"]), int(parameters["field"][3:-1]))


def check_factors(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """Integer tables with left times right = denominator times the 0/1 matrix: its rank over the rationals is at most
    the number of columns of the left one."""
    left, right, denominator = fields(witness, "left", "right", "denominator")
    need(parameters["field"] == "rational", "factors over the rationals")
    rows = _indicator(matrix, parameters["code"])
    scale, inner = integer(denominator, 1, MOST_INTEGER), len(items(right))
    matrix.spend(2 * matrix.height * matrix.width * (inner + 1))
    across = [[integer(entry, -MOST_INTEGER, MOST_INTEGER) for entry in items(row, matrix.width)] for row in right]
    for row, line in zip(rows, items(left, matrix.height), strict=True):
        sums = [0] * matrix.width
        for factor, other in zip(items(line, inner), across, strict=True):
            integer(factor, -MOST_INTEGER, MOST_INTEGER)
            sums = [total + factor * entry for total, entry in zip(sums, other, strict=True)]
        need(sums == [scale * (row >> place & 1) for place in range(matrix.width)], "a product of another matrix")
    return inner


# Fooling sets


def fooling(matrix: Matrix, answer: str, listed: Any) -> list[tuple[int, int]]:
    """Promised cells of which no leaf contains two, so that each needs a leaf of its own.

    A leaf with cells (x, y) and (x', y') contains (x, y') and (x', y) too, so what they show tells them apart.
    """
    table, cells = matrix.table, matrix.cells(listed)
    matrix.spend(8 * len(cells) ** 2)
    need(all(table[row][column] >= 0 for row, column in cells), "a free cell in a fooling set")
    for place, (row, column) in enumerate(cells):
        mine, own = table[row][column], table[row]
        for other_row, other_column in cells[:place]:
            yours, along, across = table[other_row][other_column], own[other_column], table[other_row][column]
            if answer == "both":
                apart = mine != yours or along not in (-1, mine) or across not in (-1, mine)
            elif answer == "alice":
                apart = along not in (-1, mine) or across not in (-1, yours)
            else:
                apart = across not in (-1, mine) or along not in (-1, yours)
            need(apart, "two cells that one leaf may contain")
    return cells


def check_fooling_set(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """A fooling set with answers of the code that is claimed (any answers if that is null): its size."""
    cells = fooling(matrix, parameters.get("answer", "both"), *fields(witness, "cells"))
    code = parameters["code"]
    need(code is None or all(matrix.table[row][column] == code for row, column in cells), "a cell of another answer")
    return len(cells)


def check_rank_squared(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """Let A be the 0/1 matrix of the answer on the rows and columns of a fooling set of s cells, in order. The
    entrywise product of A and its transpose is the identity, and has rank at most rank(A)^2, over any field: so s is
    at most rank(A)^2 (Dietzfelbinger, Hromkovic, Schnitger 1996)."""
    (prime,) = fields(witness, "prime")
    need(parameters["answer"] == "both", "ranks are for answers that both know")
    return rank(matrix, _indicator(matrix, parameters["code"]), prime) ** 2


def check_fooling_search(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """No fooling set of the answer has more than ``at_most`` cells: shown by a bounded search of our own.

    Cells that pairwise share some leaf form a class, of which a fooling set has one cell. With s cells chosen,
    those that exclude all of them are put into at_most - s classes; a larger set needs one of the cells that are
    left over, so branch on each of these.
    """
    (most,) = fields(witness, "at_most")
    need(parameters["answer"] == "both", "the search is for answers that both know")
    at_most, together = integer(most, 0, MOST_CELLS), _sharing(matrix, integer(parameters["code"], 0, CODES))
    stack = [((1 << len(together)) - 1, 0)]
    while stack:
        fitting, chosen = stack.pop()
        need(chosen <= at_most, "a larger fooling set exists")
        rest = fitting
        for _ in range(at_most - chosen):
            members = rest
            while members:
                cell = (members & -members).bit_length() - 1
                rest &= ~(1 << cell)
                members &= together[cell] & ~(1 << cell)
                matrix.spend(len(together) // 8 + 8)
        while rest:
            cell = rest.bit_length() - 1
            rest &= ~(1 << cell)
            fitting &= ~(1 << cell)
            stack.append((fitting & ~together[cell], chosen + 1))
            matrix.spend(len(together) // 8 + 8)
    return at_most


def _sharing(matrix: Matrix, code: int) -> list[int]:
    """For each cell of the answer, as masks over these cells, those that share a leaf with it."""
    cells = [(r, c) for r, mask in enumerate(matrix.masks(code)) for c in places(mask)]
    matrix.spend(len(cells) * (matrix.height + matrix.width) + len(cells) ** 2 // 8)
    near, far = matrix.allowed(code), matrix.allowed(code, 1)
    along = {r: sum(1 << i for i, (_, c) in enumerate(cells) if near[r] >> c & 1) for r in {r for r, _ in cells}}
    across = {c: sum(1 << i for i, (r, _) in enumerate(cells) if far[c] >> r & 1) for c in {c for _, c in cells}}
    return [along[r] & across[c] for r, c in cells]


def check_lines_with_code(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """Two cells of one answer in one line, or in equal lines, never exclude each other: so a fooling set of one
    answer has at most one cell in each different row, and column, that has the answer."""
    fields(witness)
    code, count = integer(parameters["code"], 0, CODES), []
    for lines in (matrix.table, list(zip(*matrix.table, strict=True))):
        count.append(len({tuple(line) for line in lines if code in line}))
    return min(count)


# Deterministic complexity from below


def check_leaf_rank(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """Leaves by rank, see :func:`leaves_by_rank`: bits for so many leaves."""
    (primes,) = fields(witness, "primes")
    everything = ((1 << matrix.height) - 1, (1 << matrix.width) - 1)
    return bits_for(leaves_by_rank(matrix, parameters["answer"], everything, primes))


def check_fooling_bits(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """Each cell of a fooling set needs a leaf of its own: bits for so many leaves."""
    return bits_for(check_fooling_set(matrix, {"answer": parameters["answer"], "code": None}, witness))


def leaves_by_rank(matrix: Matrix, answer: str, masks: tuple[int, int], primes: Any) -> int:
    """A leaf that both know is a rectangle of one answer, so an answer needs as many leaves as the rank of its 0/1
    matrix, over any field. If one party alone knows, the 0/1 matrices of a leaf have rank at most one each: the
    largest rank counts."""
    ranks = [rank(matrix, _indicator(matrix, code, *masks), prime) for code, prime in enumerate(items(primes))]
    return sum(ranks) if answer == "both" else max(ranks, default=0)


def check_refutation(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """A list of rectangles, each shown, with those before it, to have no protocol of its depth (and rounds): the last
    is the claim. One more than its depth is needed.

    A node is [depth, limit, rows, columns, reason, ...]; the limit is null or [rounds that may still begin, who spoke
    last (0 Alice, 1 Bob, -1 nobody)]. The reasons are those of :class:`Refutation`.
    """
    said = {name: witness.pop(name) for name in ("answer", "rounds", "first") if name in witness}
    need(all(parameters[name] == value for name, value in said.items()), "a refutation of another claim")
    depth, listed = fields(witness, "depth", "nodes")
    integer(depth, 0, 64)
    rounds, first, claimed = parameters["rounds"], parameters["first"], None
    if rounds is not None:
        claimed = (rounds, -1) if first is None else (rounds - 1, 0 if first == "alice" else 1)
    proof = Refutation(matrix, parameters["answer"])
    for entry in items(listed):
        proof.add(items(entry))
    need(bool(proof.nodes), "an empty proof")
    last_depth, limit, _ = proof.nodes[-1]
    need(last_depth >= depth and limit in (None, claimed), "the last node is not the claim")
    return int(depth) + 1


class Refutation:
    """Nodes (depth, limit, (rows, columns)) that are proved: no protocol of that depth for that rectangle."""

    def __init__(self, matrix: Matrix, answer: str) -> None:
        self.matrix, self.answer = matrix, answer
        self.nodes: list[tuple[int, Any, tuple[int, int]]] = []

    def add(self, entry: list[Any]) -> None:
        """Check one more node, by its reason."""
        need(len(entry) > 4, "a node has a depth, a limit, rows, columns and a reason")
        depth, limit, rows, columns, kind, *data = entry
        integer(depth, 0, 64)
        if limit is not None:
            limit = (integer(items(limit, 2)[0], 0, 1 << 20), integer(limit[1], -1, 1))
        masks = self.matrix.rectangle(rows, columns)
        need(masks[0] > 0 and masks[1] > 0, "a rectangle without cells")
        if kind == "rank":
            leaf_count = leaves_by_rank(self.matrix, self.answer, masks, *items(data, 1))
            need(leaf_count > 1 << depth, "the ranks are too small")
        elif kind == "fooling":
            cells = fooling(self.matrix, self.answer, *items(data, 1))
            need(all(masks[0] >> row & masks[1] >> column & 1 for row, column in cells), "a cell outside")
            need(len(cells) > 1 << depth, "the fooling set is too small")
        elif kind == "three":
            need(depth == 3 and not data, "the closed form is for depth 3")
            self.three(masks)
        else:
            need(kind == "splits", "a reason is rank, fooling, three or splits")
            need(not self.is_leaf(masks), "a leaf needs no bits")
            for party, side in enumerate(items(data, 2)):
                self.side(depth, limit, masks, party, *items(side, 3))
        self.nodes.append((depth, limit, masks))

    def is_leaf(self, masks: tuple[int, int]) -> bool:
        """Whether a protocol may end here."""
        party = 1 if self.answer == "bob" else 0
        lines, across = masks if party == 0 else masks[::-1]
        seen: set[int] = set()
        for line in places(lines):
            shown = {code for code in self.matrix.codes if self.matrix.masks(code, party)[line] & across}
            seen = seen | shown if self.answer == "both" else shown
            if len(seen) > 1:
                return False
        return True

    def side(self, depth: int, limit: Any, masks: Any, party: int, fields_used: Any, numbers: Any, closed: Any) -> None:
        """Whoever speaks first splits its lines in two, and one half (with its bits) keeps depth - 1: for each split
        of this party's lines, one half contains all lines of a *core*, a rectangle without such a protocol, or has
        too many leaves by rank. Cores are nodes before, and at depth 4 also rectangles that the closed form refutes.
        """
        later = limit
        if limit is not None and limit[1] != party:
            if limit[0] == 0:
                return  # this party may not speak
            later = (limit[0] - 1, party)
        need(depth > 0, "a rectangle of depth 0 is refuted by two cells")
        cores = []
        for number in items(numbers):
            core_depth, core_limit, core = self.nodes[integer(number, 0, len(self.nodes) - 1)]
            need(core_depth >= depth - 1 and core_limit in (None, later), "a core of another depth or limit")
            need(core[0] & ~masks[0] == 0 and core[1] & ~masks[1] == 0, "a core outside its rectangle")
            cores.append(core[party])
        need(isinstance(closed, str), "cores of the closed form are text")
        for text in closed.split():
            rows, columns = self.matrix.rectangle(*items(text.split(":"), 2))
            need(depth == 4 and rows > 0 and columns > 0, "the closed form is for cores of depth 3")
            need(rows & ~masks[0] == 0 and columns & ~masks[1] == 0, "a core outside its rectangle")
            self.three((rows, columns))
            cores.append((rows, columns)[party])
        lines = places(masks[party])
        if items(fields_used):
            need(all(prime in (2, 3) for prime in fields_used), "ranks of splits are over GF(2) and GF(3)")
            caught = self.ranks_catch(masks, party, fields_used, cores, 1 << (depth - 1))
        else:
            caught = all_splits_caught(self.matrix, lines, set(cores)) if len(lines) <= 22 else branching(
                self.matrix, lines, {*cores, masks[party]})  # fmt: skip
        need(caught, "a split that nothing forbids")

    def three(self, masks: tuple[int, int]) -> None:
        """Refuse if three bits are enough for a total rectangle of answers 0 and 1, that both are to know.

        Two bits are enough iff the different rows are at most two, or among 0, 1, w and not w for some w; likewise
        for columns. Three bits, Alice first, iff the rows are two such sets: with k rows that are not constant, iff
        k < 4, or k = 4 and no row is constant or two are complements.
        """
        self.matrix.spend(64)
        need(self.answer == "both", "the closed form is for answers that both know")
        for party in (0, 1):
            lines, across = places(masks[party]), masks[1 - party]
            zeros, ones = self.matrix.masks(0, party), self.matrix.masks(1, party)
            need(all(across & ~(zeros[line] | ones[line]) == 0 for line in lines), "answers 0 and 1 only")
            shown = {ones[line] & across for line in lines}
            mixed = shown - {0, across}
            opposite = any(across ^ line in mixed for line in mixed)
            enough = len(mixed) < 4 or (len(mixed) == 4 and (len(shown) == 4 or opposite))
            need(not enough, "three bits are enough")

    def ranks_catch(self, masks: Any, party: int, primes: list[int], cores: list[int], most: int) -> bool:
        """Put line after line on a side; a branch ends when a side contains a core, or has more leaves by rank than
        ``most`` over one of the fields."""
        lines, across, codes = places(masks[party]), masks[1 - party], sorted(self.matrix.codes)
        free = self.matrix.masks(-1, party)
        need(not any(free[line] & across for line in lines), "free cells have no rank")
        rows = {line: [self.matrix.masks(code, party)[line] & across for code in codes] for line in lines}
        order = _independent_first(rows)
        ending: dict[int, list[int]] = {line: [] for line in order}
        for core in set(cores):
            ending[max(places(core), key=order.index)].append(core)

        def put(side: Any, line: int) -> Any:
            inside = side[0] | 1 << line
            self.matrix.spend(16)
            if any(core & inside == core for core in ending[line]):
                return None
            bases = []
            for prime, old in zip(primes, side[1], strict=True):
                new = [extended(basis, row, prime) for basis, row in zip(old, rows[line], strict=True)]
                self.matrix.spend(4 * sum(map(len, new)))
                ranks = [len(basis) for basis in new]
                if (sum(ranks) if self.answer == "both" else max(ranks)) > most:
                    return None
                bases.append(new)
            return inside, bases

        empty = (0, [[()] * len(codes)] * len(primes))
        stack = [(1, put(empty, order[0]), empty)]
        while stack:
            place, left, right = stack.pop()
            if left is None or right is None:
                continue
            if place == len(order):
                if right[0]:
                    return False
                continue
            stack.append((place + 1, put(left, order[place]), right))
            stack.append((place + 1, left, put(right, order[place])))
        return True


def _independent_first(rows: dict[int, list[int]]) -> list[int]:
    """An order of lines that lets ranks grow early."""
    basis: Any = ()
    first: list[int] = []
    later: list[int] = []
    for line, indicators in rows.items():
        longer = extended(basis, indicators[-1], 3)
        (later if longer is basis else first).append(line)
        basis = longer
    return first + later


def all_splits_caught(matrix: Matrix, lines: list[int], cores: set[int]) -> bool:
    """One bit per split: bit s, written in binary, says which lines share a side with the first one."""
    size = 1 << (len(lines) - 1)
    everything = (1 << size) - 1
    shares = {lines[0]: everything}
    for place, line in enumerate(lines[1:]):
        block = ((1 << (1 << place)) - 1) << (1 << place)
        width = 2 << place
        while width < size:
            block |= block << width
            width *= 2
        shares[line] = block
    caught = 1 << (size - 1)  # all lines on one side: no split
    for core in cores:
        matrix.spend(core.bit_count() * (4 + (size >> 7)))
        together = apart = everything
        for line in places(core):
            together &= shares[line]
            apart &= ~shares[line]
        caught |= together | apart
    return caught == everything


def branching(matrix: Matrix, lines: list[int], cores: set[int]) -> bool:
    """Put line after line on a side, forced ones first, until every branch completes a core. (All lines are one of
    the cores: then there is no split.)"""
    ordered = sorted(cores, key=int.bit_count)
    stack = [(1 << lines[0], 0)]
    while stack:
        state: Any = stack.pop()
        changed = True
        while changed and state:
            changed = False
            matrix.spend(4 * len(ordered))
            for core in ordered:
                left, right = state
                if core & left and core & right:
                    continue
                free = core & ~(left | right)
                if not free:
                    state = None
                    break
                if free & (free - 1) == 0 and core & (left | right):
                    state = (left, right | free) if core & left else (left | free, right)
                    changed = True
        if state:
            left, right = state
            free = next((core & ~(left | right) for core in ordered if not (core & left and core & right)), 0)
            if not free:
                return False
            low = free & -free
            stack += [(left | low, right), (left, right | low)]
    return True


# Rectangles: the largest, covers, partitions. A rectangle *of a code* has only cells of that code or free ones.


def own_rectangle(matrix: Matrix, code: int, entry: Any) -> tuple[int, int]:
    """A rectangle of one code, as two masks."""
    rows, columns = matrix.rectangle(*items(entry, 2))
    matrix.spend(4 * rows.bit_count())
    need(all(matrix.fits(code, row, columns) for row in places(rows)), "a rectangle with another answer in it")
    return rows, columns


def own_code(parameters: Data, code: Any) -> int:
    """The code that a witness is about: the claim's. (Claims about all answers, null, have a part for each.)"""
    need(parameters["code"] == integer(code, 0, CODES), "a witness for another answer")
    return int(code)


def _weights(matrix: Matrix, parameters: Data, code: int) -> Table:
    """What each cell counts inside a rectangle of this code: 1 if it has the code, 1 if free too, or as given."""
    kind = parameters["weights"]
    matrix.spend(4 * matrix.height * matrix.width)
    if kind in ("label", "all"):
        inside = (code,) if kind == "label" else (code, -1)
        return [[int(cell in inside) for cell in row] for row in matrix.table]
    given = [[integer(weight, 0, 1 << 64) for weight in items(row, matrix.width)] for row in items(kind, matrix.height)]
    pairs = [list(zip(row, line, strict=True)) for row, line in zip(matrix.table, given, strict=True)]
    return [[weight if cell in (code, -1) else 0 for cell, weight in row] for row in pairs]


def check_rectangle(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """One rectangle, of the code that is claimed (of any if that is null): a largest one weighs at least as much."""
    code, entry = fields(witness, "code", "rectangle")
    need(parameters["code"] in (None, integer(code, 0, CODES)), "a witness for another answer")
    rows, columns = own_rectangle(matrix, code, entry)
    weights = _weights(matrix, parameters, code)
    return sum(weights[row][column] for row in places(rows) for column in places(columns))


def none_heavier(matrix: Matrix, code: int, weights: Table, at_most: int) -> None:
    """Refuse unless every rectangle of this code weighs at most so much, by a search.

    Branch on a row: inside the rectangle (its columns shrink) or outside. A branch ends when all rows that are left,
    each with all its columns that are left, weigh no more than the bound. Weights are kept as bit planes.
    """
    allowed = matrix.allowed(code)
    planes = []
    for row in weights:
        top = max(row).bit_length()
        planes.append([sum(1 << c for c, weight in enumerate(row) if weight >> b & 1) for b in range(top)])
    stack = [(list(range(matrix.height)), (1 << matrix.width) - 1)]
    while stack:
        rows, columns = stack.pop()
        matrix.spend(4 * len(rows) + 16)
        gains = [(sum((columns & plane).bit_count() << b for b, plane in enumerate(planes[r])), -r) for r in rows]
        gains = [gain for gain in gains if gain[0]]
        if sum(gain for gain, _ in gains) <= at_most:
            continue
        rows, heavy = [-place for _, place in gains], 0
        for place in rows:
            for plane in planes[place]:
                heavy |= plane
        columns &= heavy
        undecided = [gain for gain in gains if columns & ~allowed[-gain[1]]]
        need(bool(undecided), "a heavier rectangle exists")
        chosen = -max(undecided)[1]
        stack += [([place for place in rows if place != chosen], columns), (rows, columns & allowed[chosen])]


def check_rectangle_bound(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """No rectangle of the code weighs more than ``at_most``: a search of the checker's own."""
    code, at_most = fields(witness, "code", "at_most")
    own_code(parameters, code)
    none_heavier(matrix, code, _weights(matrix, parameters, code), integer(at_most, 0, 1 << 128))
    return int(at_most)


def check_rectangle_matching(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """Cells of other codes, no two in a line: a rectangle misses the row or the column of each (König), so that its
    rows and columns together are at most all lines less the number of these cells."""
    code, listed = fields(witness, "code", "cells")
    own_code(parameters, code)
    cells = matrix.cells(listed)
    need(all(matrix.table[row][column] not in (code, -1) for row, column in cells), "a cell that may be inside")
    need(len({row for row, _ in cells}) == len({column for _, column in cells}) == len(cells), "two cells in a line")
    lines = matrix.height + matrix.width - len(cells)
    most = max(min(lines - rows, matrix.width) * rows for rows in range(min(lines, matrix.height) + 1))
    return most * max(map(max, _weights(matrix, parameters, code)))


def check_cover(matrix: Matrix, parameters: Data, witness: Data, once: bool = False) -> int:
    """Rectangles of the code that together contain each of its cells."""
    code, rectangles = fields(witness, "code", "rectangles")
    own = matrix.masks(own_code(parameters, code))
    left = list(own)
    for entry in items(rectangles):
        rows, columns = own_rectangle(matrix, code, entry)
        for row in places(rows):
            need(not once or columns & own[row] & ~left[row] == 0, "a cell in two rectangles")
            left[row] &= ~columns
    need(not any(left), "a cell that no rectangle contains")
    return len(rectangles)


def check_partition(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """Rectangles of the code that contain each of its cells exactly once (free cells any number of times)."""
    return check_cover(matrix, parameters, witness, once=True)


def check_cover_fooling(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """A fooling set of the code: no rectangle of the code contains two of its cells."""
    code, cells = fields(witness, "code", "cells")
    return check_fooling_set(matrix, {"code": own_code(parameters, code)}, {"cells": cells})


def check_cover_weights(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """Weights on cells of the code (dual of the fractional cover): a rectangle weighs at most ``at_most``, all cells
    together ``total``, so that at least total / at_most rectangles are needed, rounded up."""
    code, at_most, listed = fields(witness, "code", "at_most", "weights")
    own_code(parameters, code)
    weights = [[0] * matrix.width for _ in range(matrix.height)]
    for entry in items(listed):
        row, column = matrix.cell(*items(entry, 3)[:2])
        need(matrix.table[row][column] == code, "weight on a cell of another answer")
        weights[row][column] = integer(entry[2], 0, 1 << 64)
    none_heavier(matrix, code, weights, integer(at_most, 1, 1 << 64))
    return -(-sum(map(sum, weights)) // int(at_most))


def check_crown(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """Lines r_1..r_m and c_1..c_m with the code at every (r_i, c_j), i != j, and another at each (r_i, c_i).

    In a cover by k rectangles let S_i be those with r_i among their rows, T_j those with c_j among their columns:
    S_i and T_j meet iff i != j. By Bollobás's inequality (1965) m <= C(k, floor(k/2)). The least such k is proved.
    """
    code, listed = fields(witness, "code", "cells")
    own_code(parameters, code)
    cells, table = matrix.cells(listed), matrix.table
    matrix.spend(4 * len(cells) ** 2)
    for place, (row, column) in enumerate(cells):
        need(table[row][column] not in (code, -1), "the diagonal of a crown has other answers")
        for other_row, other_column in cells[:place]:
            need(table[row][other_column] == code == table[other_row][column], "not a crown")
    k = 0
    while comb(k, k // 2) < len(cells):
        k += 1
    return k if len(cells) > 1 else 0


def check_partition_rank(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """Disjoint rectangles of a total matrix add up to the 0/1 matrix of the code, each of rank one in any field."""
    code, prime, rows, columns = fields(witness, "code", "prime", "rows", "columns")
    need(not any(matrix.masks(-1)), "rank says nothing of partitions of free cells")
    own_code(parameters, code)
    return rank(matrix, _indicator(matrix, code, *matrix.rectangle(rows, columns)), prime)


def through(
    spend: Callable[[int], None], allowed: list[int], left: list[int], row: int, column: int, once: bool
) -> list[tuple[int, ...]]:
    """What a rectangle through the cell may cover of the cells that are left, per row, in a fixed order.

    For a cover only the largest such sets count; for a partition all of them.
    """
    top = {allowed[row]}  # columns that some rows share
    near = [other for other, columns in enumerate(allowed) if columns >> column & 1]
    for other in near:
        top |= {columns & allowed[other] for columns in top}
        spend(len(top))
        need(len(top) <= 20_000, "too many rectangles through a cell")
    found: set[tuple[int, ...]] = set()
    for columns in top:
        rows = sum(1 << other for other in near if columns & ~allowed[other] == 0)
        subsets = ((r, c) for c in _containing(columns, column) for r in _containing(rows, row))
        for chosen, width in subsets if once else [(rows, columns)]:
            spend(4 + len(left))
            found.add(tuple(cells & width if chosen >> place & 1 else 0 for place, cells in enumerate(left)))
            need(len(found) <= 20_000, "too many rectangles through a cell")
    if not once:
        spend(len(found) ** 2)
        pairs = [(a, list(a)) for a in found]
        found = {a for a, x in pairs if not any(a != b and all(map(_within, x, y)) for b, y in pairs)}
    return sorted(found, reverse=True)


def _within(one: int, other: int) -> bool:
    return one & ~other == 0


def _containing(mask: int, place: int) -> Iterator[int]:
    rest = subset = mask & ~(1 << place)
    while True:
        yield subset | 1 << place
        if not subset:
            return
        subset = (subset - 1) & rest


def _branch(matrix: Matrix, code: int, once: bool, left: list[int], budget: int, node: Any) -> None:
    """The node shows that the cells that are left need more rectangles than the budget."""
    free = matrix.masks(-1)
    allowed = [a | b for a, b in zip(left, free, strict=True)] if once else matrix.allowed(code)
    matrix.spend(4 * matrix.height)
    need(isinstance(node, list) and len(node) > 1, "a node is [kind, data, ...]")
    kind, data, *rest = node
    if kind == "fooling":
        cells = matrix.cells(data)
        need(not rest and all(left[row] >> column & 1 for row, column in cells), "a cell that is covered")
        matrix.spend(4 * len(cells) ** 2)
        for place, (row, column) in enumerate(cells):
            for other_row, other_column in cells[:place]:
                both = allowed[row] >> other_column & allowed[other_row] >> column & 1
                need(not both, "two cells that one rectangle may contain")
        need(len(cells) > budget, "the fooling set is too small")
    elif kind == "rank":
        need(not rest and once and not any(free), "rank is for partitions of total tables")
        need(rank(matrix, left, data) > budget, "the rank is too small")
    else:
        need(kind == "cell" and budget > 0, "a node is fooling, rank or cell, and only cell needs a budget")
        row, column = matrix.cell(*items(data, 2))
        need(bool(left[row] >> column & 1), "a cell that is covered")
        options = through(matrix.spend, allowed, left, row, column, once)
        for option, child in zip(options, items(items(rest, 1)[0], len(options)), strict=True):
            _branch(matrix, code, once, [a & ~b for a, b in zip(left, option, strict=True)], budget - 1, child)


def check_cover_branching(matrix: Matrix, parameters: Data, witness: Data, once: bool = False) -> int:
    """One more than the budget that a branching proof excludes: some rectangle must contain the chosen cell."""
    code, budget, proof = fields(witness, "code", "budget", "proof")
    own = matrix.masks(own_code(parameters, code))
    _branch(matrix, code, once, own, integer(budget, 0, 64), proof)
    return int(budget) + 1


def check_partition_branching(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """Likewise for partitions, where a rectangle must not contain a cell that is covered before."""
    return check_cover_branching(matrix, parameters, witness, once=True)


# One message. The sender holds the rows if the direction is alice-to-bob; only the receiver must answer.


def _sent(matrix: Matrix, parameters: Data) -> Table:
    """The sender's lines."""
    matrix.spend(4 * matrix.height * matrix.width)
    if parameters["direction"] == "alice-to-bob":
        return matrix.table
    return [list(column) for column in zip(*matrix.table, strict=True)]


def _conflict(matrix: Matrix, one: list[int], other: list[int]) -> bool:
    """Whether two lines have different answers somewhere: then they need different messages."""
    matrix.spend(len(one))
    return any(a != b and a >= 0 and b >= 0 for a, b in zip(one, other, strict=True))


def check_distinct(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """Lines that differ pairwise within the promise, on the listed places alone: each needs its own message, since
    the receiver answers from the message and the place."""
    chosen, at = fields(witness, "lines", "places")
    lines = _sent(matrix, parameters)
    shown = [lines[integer(line, 0, len(lines) - 1)] for line in items(chosen)]
    spots = [integer(place, 0, len(lines[0]) - 1) for place in items(at)]
    matrix.spend(len(shown) * len(spots))
    shown = [[line[place] for place in spots] for line in shown]
    if all(cell >= 0 for line in shown for cell in line):
        need(len(set(map(tuple, shown))) == len(shown), "two equal lines")
    else:
        for place, one in enumerate(shown):
            need(all(_conflict(matrix, one, other) for other in shown[:place]), "two lines that may share a message")
    return len(shown)


def check_classes(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """A message for each line such that at each place the lines of one message never disagree."""
    (classes,) = fields(witness, "classes")
    lines = _sent(matrix, parameters)
    said: dict[tuple[int, int], int] = {}
    for message, line in zip(items(classes, len(lines)), lines, strict=True):
        integer(message, 0, len(lines) - 1)
        for place, cell in enumerate(line):
            need(cell < 0 or said.setdefault((message, place), cell) == cell, "one message, two answers")
    return len(set(classes))


def check_colouring(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """So many messages are not enough: line after line, as the tree names them, gets each message that no line in
    conflict has, or one message not used before (which one is no matter); a line that can get none ends a branch."""
    limit, tree = fields(witness, "budget", "tree")
    lines = _sent(matrix, parameters)
    budget = integer(limit, 1, len(lines))
    stack: list[tuple[Any, dict[int, int]]] = [(tree, {})]
    while stack:
        node, given = stack.pop()
        line, children = integer(items(node, 2)[0], 0, len(lines) - 1), node[1]
        matrix.spend(16)
        need(line not in given, "a line once on a path")
        taken = {message for other, message in given.items() if _conflict(matrix, lines[line], lines[other])}
        used = len(set(given.values()))
        options = [message for message in range(min(used + 1, budget)) if message not in taken]
        pairs = zip(options, items(children, len(options)), strict=True)
        stack += [(child, {**given, line: message}) for message, child in pairs]
    return budget + 1


def _shattered(matrix: Matrix, lines: Table, spots: list[int]) -> bool:
    matrix.spend(len(lines) * (len(spots) + 1))
    patterns = {tuple([line[place] for place in spots]) for line in lines}
    return all(pattern in patterns for pattern in product((0, 1), repeat=len(spots)))


def check_shattered(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """Places on which the lines show all 0/1 patterns: the VC dimension is at least their number."""
    (at,) = fields(witness, "places")
    lines = _sent(matrix, parameters)
    spots = [integer(place, 0, len(lines[0]) - 1) for place in items(at)]
    need(len(spots) <= 22 and len(set(spots)) == len(spots), "at most 22 different places")
    need(_shattered(matrix, lines, spots), "a pattern is missing")
    return len(spots)


def check_vc_listing(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """The checker lists all shattered sets, each from a smaller one (a part of a shattered set is shattered)."""
    (limit,) = fields(witness, "at_most")
    at_most = integer(limit, 0, 22)
    lines = [list(line) for line in {tuple(line) for line in _sent(matrix, parameters)}]
    if 2 << at_most > len(lines):
        return at_most  # too few different lines for the patterns of one more place
    stack: list[list[int]] = [[]]
    while stack:
        spots = stack.pop()
        need(len(spots) <= at_most, "a larger shattered set")
        wider = [[*spots, place] for place in range(spots[-1] + 1 if spots else 0, len(lines[0]))]
        stack += [chosen for chosen in wider if _shattered(matrix, lines, chosen)]
    return at_most


def check_vc_bits(matrix: Matrix, parameters: Data, witness: Data) -> Fraction:
    """Kremer, Nisan, Ron (Computational Complexity 8, 1999): with public coins and error e, one-way communication is
    at least 1 - H(e) times the VC dimension of the sender's lines."""
    return inverse_capacity_bits(rational(parameters["error"])) * check_shattered(matrix, parameters, witness)


def inverse_capacity_bits(error: Fraction) -> Fraction:
    """At most 1 - H(error): with error = a/b, H = log2 b - (a log2 a + (b - a) log2 (b - a)) / b, each logarithm
    rounded to the safe side."""
    a, b = error.numerator, error.denominator
    need(0 <= 2 * a <= b <= 1000, "an error from 0 to 1/2, of denominator at most 1000")

    def below(n: int) -> Fraction:
        return logarithm_below(Fraction(n), 4096)

    above = below(b) + (Fraction(1, 4096) if b & (b - 1) else 0)
    return max(Fraction(0), 1 - above + (a * below(a) + (b - a) * below(b - a)) / b)


# Weights on cells. A protocol with public coins is a mixture of deterministic ones of as many bits.


def heaviest(matrix: Matrix, values: Table) -> int:
    """The largest sum over a rectangle: for each set of lines of the smaller side (in Gray code, so that one line
    comes or goes at a time), the lines across whose sum is positive are best. At least 0: no lines."""
    lines = [list(row) for row in values if any(row)]
    across = [list(column) for column in zip(*lines, strict=True) if any(column)]
    lines = across if len(across) < len(lines) else [list(row) for row in zip(*across, strict=True)]
    if not lines:
        return 0
    need(len(lines) <= 24, "too many lines to try all sets of")
    matrix.spend(len(lines[0]) << len(lines) + 1)
    sums, inside, best = [0] * len(lines[0]), 0, 0
    for step in range(1, 1 << len(lines)):
        place = (step & -step).bit_length() - 1
        inside ^= 1 << place
        line = lines[place] if inside >> place & 1 else [-value for value in lines[place]]
        sums = list(map(add, sums, line))
        best = max(best, sum([value for value in sums if value > 0]))
    return best


def cell_weights(matrix: Matrix, listed: Any) -> dict[tuple[int, int], Fraction]:
    """Rational weights of different cells, from [row, column, "a/b"]."""
    weights: dict[tuple[int, int], Fraction] = {}
    for entry in items(listed):
        cell = matrix.cell(*items(entry, 3)[:2])
        need(cell not in weights, "different cells")
        weights[cell] = rational(entry[2])
    common_scale(weights.values())
    return weights


def integer_table(matrix: Matrix, given: Any, low: int) -> Table:
    """A table of integers, one per cell, 0 off the promise."""
    matrix.spend(4 * matrix.height * matrix.width)
    rows = [items(row, matrix.width) for row in items(given, matrix.height)]
    pairs = [pair for row, line in zip(matrix.table, rows, strict=True) for pair in zip(row, line, strict=True)]
    need(all(integer(value, low, 1 << 80) == 0 for cell, value in pairs if cell < 0), "a weight off the promise")
    return [[integer(value, low, 1 << 80) for value in row] for row in rows]


def _signed(matrix: Matrix, weights: Any) -> tuple[Table, int]:
    """Weights with the sign of the answer (1: +, 0: -), and their sum."""
    need(matrix.codes <= {0, 1}, "answers 0 and 1")
    table = integer_table(matrix, weights, 0)
    total = sum(map(sum, table))
    need(total > 0, "some weight")
    pairs = [zip(row, line, strict=True) for row, line in zip(matrix.table, table, strict=True)]
    return [[weight if cell == 1 else -weight for cell, weight in row] for row in pairs], total


def check_biased_rectangle(matrix: Matrix, parameters: Data, witness: Data) -> Fraction:
    """One rectangle: the discrepancy, the largest |weight of 1s less weight of 0s|, is at least its own."""
    (entry,) = fields(witness, "rectangle")
    values, total = _signed(matrix, parameters["weights"])
    rows, columns = matrix.rectangle(*items(entry, 2))
    return Fraction(abs(sum(values[row][column] for row in places(rows) for column in places(columns))), total)


def check_all_sets(matrix: Matrix, parameters: Data, witness: Data) -> Fraction:
    """The checker tries all rectangles: the discrepancy itself."""
    fields(witness)
    values, total = _signed(matrix, parameters["weights"])
    return Fraction(max(heaviest(matrix, values), heaviest(matrix, [[-v for v in row] for row in values])), total)


def check_spectral(matrix: Matrix, parameters: Data, witness: Data) -> Fraction:
    """|A(R)| <= sqrt(X Y) ||A|| with X rows and Y columns that have weight, and ||A||^2k <= the largest absolute row
    sum of (A A^T)^k: so value v is proved if (v W)^2k >= (X Y)^k times that row sum, W the sum of all weights."""
    doublings, text = fields(witness, "doublings", "value")
    values, total = _signed(matrix, parameters["weights"])
    power, value = integer(doublings, 0, 7), rational(text)
    height, width = sum(map(any, values)), sum(map(any, zip(*values, strict=True)))
    if len(values) > len(values[0]):
        values = [list(column) for column in zip(*values, strict=True)]
    matrix.spend(2 * len(values) ** 2 * (len(values[0]) + power * len(values) << power))
    square = _times_transpose(values)
    for _ in range(power):
        square = _times_transpose(square)  # it is symmetric
    norm = max(sum(map(abs, row)) for row in square)
    need(value >= 0 and (value * total) ** (2 << power) >= (height * width) ** (1 << power) * norm, "too small a value")
    return value


def _times_transpose(table: Table) -> Table:
    return [[sum([a * b for a, b in zip(row, other, strict=True)]) for other in table] for row in table]


def check_signed_rectangles(matrix: Matrix, parameters: Data, witness: Data) -> Fraction:
    """Signed rectangles with weights q: for every distribution mu, the sum of q sign A_mu(R) = the sum over cells of
    mu times (the answer's sign times the signed q that lies on the cell) is at least the least such number; so one of
    the rectangles has at least that bias, divided by the sum of q, under mu."""
    (terms,) = fields(witness, "terms")
    need(matrix.codes <= {0, 1}, "answers 0 and 1")
    on, total = [[0] * matrix.width for _ in range(matrix.height)], 0
    for entry in items(terms):
        weight, sign, rows, columns = items(entry, 4)
        total += integer(weight, 1, 1 << 80)
        need(type(sign) is int and sign in (1, -1), "a sign is 1 or -1")
        masks = matrix.rectangle(rows, columns)
        matrix.spend(2 * masks[0].bit_count() * masks[1].bit_count() + 64)
        for row in places(masks[0]):
            for column in places(masks[1]):
                on[row][column] += weight * sign
    need(total > 0, "some rectangle")
    pairs = [pair for row, line in zip(matrix.table, on, strict=True) for pair in zip(row, line, strict=True)]
    return Fraction(max(0, min((value if cell else -value for cell, value in pairs if cell >= 0), default=0)), total)


def check_distribution(matrix: Matrix, parameters: Data, witness: Data) -> Value:
    """The least discrepancy of all distributions is at most that under the one given."""
    weights, proof = fields(witness, "weights", "of")
    return _checked(matrix, "discrepancy", "upper", {"weights": weights}, proof)


def check_discrepancy_bits(matrix: Matrix, parameters: Data, witness: Data) -> Fraction:
    """With error e: at least log2((1 - 2e) / discrepancy) bits, under any distribution (Kushilevitz and Nisan 1997,
    section 3.5)."""
    found, error = check_distribution(matrix, parameters, witness), rational(parameters["error"])
    need(error <= Fraction(1, 2) and found > 0, "an error up to 1/2")
    return logarithm_below((1 - 2 * error) / found)


def corruption(matrix: Matrix, parameters: Data, cells: dict[tuple[int, int], Fraction]) -> Fraction:
    """The rectangle bound (Yao 1983; smooth: Jain and Klauck 2010) of answer z: values of cells, at most 0 off z.

    Let w be the probabilities with which a protocol of error e ends in each rectangle with answer z. A z-cell is in
    w-weight from 1 - e to 1, another promised cell at most e. So the sum over cells of value times that weight is at
    least ``gain``, and at most the sum of w times the largest value M of a rectangle: the sum of w, the mean number of
    z-leaves, is at least gain / M. Only a smooth bound uses "at most 1" (values below 0 on z-cells).
    """
    code, error, smooth = integer(parameters["code"], 0, CODES), rational(parameters["error"]), parameters["smooth"]
    gain, scale = Fraction(0), common_scale(cells.values())
    values = [[0] * matrix.width for _ in range(matrix.height)]
    for (row, column), value in cells.items():
        cell = matrix.table[row][column]
        need(cell >= 0 and (cell == code or value <= 0), "promised cells, at most 0 off the answer")
        need(smooth or cell != code or value >= 0, "a value below 0 needs a smooth bound")
        gain += value * (error if cell != code else 1 - error if value > 0 else 1)
        values[row][column] = int(value * scale)
    most = Fraction(heaviest(matrix, values), scale)
    return max(Fraction(0), gain / most) if most else Fraction(0)


def check_cell_values(matrix: Matrix, parameters: Data, witness: Data) -> Fraction:
    """The rectangle bound from a table of integers, see :func:`corruption`."""
    table = integer_table(matrix, fields(witness, "values")[0], -(1 << 80))
    cells = {(i, j): Fraction(value) for i, row in enumerate(table) for j, value in enumerate(row) if value}
    return corruption(matrix, parameters, cells)


def check_smooth_dual(matrix: Matrix, parameters: Data, witness: Data) -> Fraction:
    """The smooth rectangle bound from rational values of cells, see :func:`corruption`."""
    settings = {"code": parameters["label"], "error": parameters["error"], "smooth": True}
    return corruption(matrix, settings, cell_weights(matrix, *fields(witness, "cells")))


def check_smooth_dual_bits(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """A protocol of c bits has at most 2^c leaves, and so at least the logarithm of the smooth rectangle bound."""
    label, cells = fields(witness, "label", "cells")
    return bits_for(check_smooth_dual(matrix, {**parameters, "label": label}, {"cells": cells}))


def check_corruption_bits(matrix: Matrix, parameters: Data, witness: Data) -> Fraction:
    """Likewise for the rectangle bound."""
    code, smooth, proof = fields(witness, "code", "smooth", "of")
    settings = {"code": code, "error": parameters["error"], "smooth": smooth}
    return logarithm_below(Fraction(_checked(matrix, "rectangle-bound", "lower", settings, proof)))


def weighted_rectangles(matrix: Matrix, listed: list[tuple[Any, Any, int, Any]]) -> tuple[Any, Any, Fraction]:
    """For each cell, the weight of all rectangles over it, and of those with its answer; and the weight of all."""
    every, right = ([[0] * matrix.width for _ in range(matrix.height)] for _ in range(2))
    weights = [rational(text) for *_, text in listed]
    scale = common_scale(weights)
    for (mine, yours, answer, _), weight in zip(listed, weights, strict=True):
        rows, columns = matrix.rectangle(mine, yours)
        need(weight >= 0, "weights of at least zero")
        matrix.spend(4 * rows.bit_count() * columns.bit_count() + 64)
        for row in places(rows):
            for column in places(columns):
                every[row][column] += int(weight * scale)
                right[row][column] += int(weight * scale) if matrix.table[row][column] == answer else 0
    over = [[[Fraction(value, scale) for value in row] for row in part] for part in (every, right)]
    return over[0], over[1], sum(weights, Fraction(0))


def within_error(matrix: Matrix, parameters: Data, listed: list[tuple[Any, Any, int, Any]]) -> Fraction:
    """Weights of rectangles as the rectangle bound of an answer z wants them: at least 1 - e on z-cells (at most 1 if
    smooth), at most e on other promised cells. The bound is the least sum, so at most theirs."""
    error, code = rational(parameters["error"]), integer(parameters["code"], 0, CODES)
    over, _, total = weighted_rectangles(matrix, listed)
    for row, line in zip(matrix.table, over, strict=True):
        for cell, value in zip(row, line, strict=True):
            need(cell != code or value >= 1 - error, "too little weight on a cell of the answer")
            need(cell != code or value <= 1 or not parameters["smooth"], "weight above 1 on a cell of the answer")
            need(cell in (code, -1) or value <= error, "too much weight on another answer")
    return total


def check_weights(matrix: Matrix, parameters: Data, witness: Data) -> Fraction:
    """The rectangle bound from above, see :func:`within_error`."""
    terms = [items(entry, 3) for entry in items(*fields(witness, "terms"))]
    return within_error(matrix, parameters, [(rows, columns, -1, text) for text, rows, columns in terms])


def _labelled(matrix: Matrix, witness: Data) -> list[tuple[Any, Any, int, Any]]:
    listed = [items(entry, 4) for entry in items(*fields(witness, "rectangles"))]
    return [(rows, columns, integer(code, 0, CODES), text) for rows, columns, code, text in listed]


def check_smooth_primal(matrix: Matrix, parameters: Data, witness: Data) -> Fraction:
    """The smooth rectangle bound from above, see :func:`within_error`."""
    settings = {"code": parameters["label"], "error": parameters["error"], "smooth": True}
    return within_error(matrix, settings, _labelled(matrix, witness))


def check_partition_dual(matrix: Matrix, parameters: Data, witness: Data) -> Fraction:
    """Weights mu >= 0 of promised cells and phi of any cells: the partition bound (Jain and Klauck 2010).

    For a protocol of error e let w(z, R) be the probability that rectangle R is a leaf with answer z. Each cell is in
    leaves of total weight 1, a promised one in leaves with its answer of weight at least 1 - e. If for every R and z
    the mu of R's z-cells and the phi of R add up to at most M, then M sum of w >= sum over R, z of w(z, R) (mu(R, z) +
    phi(R)) >= (1 - e) sum of mu + sum of phi, and the sum of w is the mean number of leaves, at most 2^c.
    """
    error = rational(parameters["error"])
    promised, every = (cell_weights(matrix, part) for part in fields(witness, "promised", "every"))
    need(all(w >= 0 and matrix.table[i][j] >= 0 for (i, j), w in promised.items()), "mu >= 0 is for promised cells")
    scale, most = common_scale([*promised.values(), *every.values()]), 0
    for answer in {-1, *matrix.codes}:
        values = [[0] * matrix.width for _ in range(matrix.height)]
        for (row, column), weight in every.items():
            values[row][column] += int(weight * scale)
        for (row, column), weight in promised.items():
            values[row][column] += int(weight * scale) if matrix.table[row][column] == answer else 0
        most = max(most, heaviest(matrix, values))
    value = (1 - error) * sum(promised.values(), Fraction(0)) + sum(every.values(), Fraction(0))
    return max(Fraction(0), value * scale / most) if most else Fraction(0)


def check_partition_dual_bits(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """A protocol of c bits has at most 2^c leaves, and so at least the logarithm of the partition bound."""
    return bits_for(check_partition_dual(matrix, parameters, witness))


def check_partition_primal(matrix: Matrix, parameters: Data, witness: Data) -> Fraction:
    """Weights of labelled rectangles as the partition bound wants them: it is at most their sum."""
    every, right, total = weighted_rectangles(matrix, _labelled(matrix, witness))
    least = 1 - rational(parameters["error"])
    for row, (cells, over) in enumerate(zip(matrix.table, every, strict=True)):
        for column, cell in enumerate(cells):
            need(over[column] == 1, "a cell whose rectangles do not add up to 1")
            need(cell < 0 or right[row][column] >= least, "a cell with too much error")
    return total


# Yao's game: a mixture of protocols against a distribution on cells


def _mixture(matrix: Matrix, witness: Data) -> tuple[Fraction, int]:
    """The least probability, over promised cells, that a mixture of trees is right; and the depth of the deepest."""
    bits, listed = fields(witness, "bits", "trees")
    pairs = [fields(entry, "weight", "tree") for entry in items(listed)]
    weights, deepest = [rational(text) for text, _ in pairs], 0
    scale = common_scale(weights)
    need(all(weight > 0 for weight in weights) and sum(weights) == 1, "weights above 0 with sum 1")
    success = [[0] * matrix.width for _ in range(matrix.height)]
    for (_, tree), weight in zip(pairs, weights, strict=True):
        share = int(weight * scale)
        for leaf, rows, columns, depth in leaves(matrix, tree):
            code, deepest = integer(fields(leaf, "answer")[0], 0, CODES), max(deepest, depth)
            matrix.spend(matrix.height)
            for row in places(rows):
                right = places(columns & matrix.masks(code)[row])
                matrix.spend(len(right))
                for column in right:
                    success[row][column] += share
    need(deepest <= integer(bits, 0, 64), "a tree deeper than it says")
    cells = [pair for row, line in zip(matrix.table, success, strict=True) for pair in zip(row, line, strict=True)]
    return Fraction(min((value for cell, value in cells if cell >= 0), default=scale), scale), deepest


def check_mixture_success(matrix: Matrix, parameters: Data, witness: Data) -> Fraction:
    """Trees of so many bits with probabilities: on each promised cell, the weight of those that are right."""
    success, deepest = _mixture(matrix, witness)
    need(deepest <= parameters["bits"], "a tree deeper than the bits allowed")
    return success


def check_mixture_bits(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """The bits of the deepest tree are enough if the mixture errs no more than allowed."""
    success, deepest = _mixture(matrix, witness)
    need(success >= 1 - rational(parameters["error"]), "too much error on some cell")
    return deepest


def _against(matrix: Matrix, witness: Data) -> tuple[int, Fraction]:
    """Bits, and the most weight of a distribution on which a deterministic protocol of so many bits is right.

    The best protocol is found by dynamic programming over sets of lines: with one bit more, a rectangle is split in
    two in the best way. Lines without weight are left out.
    """
    length, listed = fields(witness, "bits", "cells")
    bits, shares, table = integer(length, 0, 64), cell_weights(matrix, listed), matrix.table
    need(all(share > 0 and table[i][j] >= 0 for (i, j), share in shares.items()), "shares above 0 on promised cells")
    need(sum(shares.values()) == 1, "shares with sum 1")
    rows, columns = (sorted({cell[axis] for cell in shares}) for axis in (0, 1))
    m, n = len(rows), len(columns)
    need(max(m, n) <= 16, "too many lines")
    matrix.spend(4 * max(0, bits - 1) * (3**m * 2**n + 2**m * 3**n) + (2 * len(shares) << m + n))
    scale = common_scale(shares.values(), 64)
    values = [[0] * (1 << n) for _ in range(1 << m)]
    for answer in {table[row][column] for row, column in shares}:
        sums = [[0] * (1 << n)]
        for row in rows:
            line = [0]
            for column in columns:
                share = shares.get((row, column), Fraction(0)) if table[row][column] == answer else Fraction(0)
                line += [weight + int(share * scale) for weight in line]
            sums += [list(map(add, other, line)) for other in sums]
        values = [list(map(max, *pair)) for pair in zip(values, sums, strict=True)]
    for _ in range(bits - 1):
        across = _one_bit_more([list(line) for line in zip(*values, strict=True)])
        values = _one_bit_more(values)
        values = [list(map(max, *pair)) for pair in zip(values, zip(*across, strict=True), strict=True)]
    best = values[-1][-1]
    if bits > 0:
        for line in (values[-1], [line[-1] for line in values]):
            best = max(best, *map(add, line, reversed(line)))  # every split of all lines
    return bits, Fraction(best, scale)


def _one_bit_more(values: Table) -> Table:
    after = []
    for mask, best in enumerate(values):
        part = (mask - 1) & mask
        while part > mask ^ part:
            best = list(map(max, best, map(add, values[part], values[mask ^ part])))
            part = (part - 1) & mask
        after.append(best)
    return after


def check_hard_success(matrix: Matrix, parameters: Data, witness: Data) -> Fraction:
    """A mixture is right on some cell no more often than its best member is on average under a distribution."""
    bits, best = _against(matrix, witness)
    need(parameters["bits"] <= bits, "fewer bits than claimed")
    return best


def check_hard_bits(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """One bit more than the witness's is needed if every protocol of so many errs too often on average."""
    bits, best = _against(matrix, witness)
    need(best < 1 - rational(parameters["error"]), "a protocol of so few bits errs little enough")
    return bits + 1


# The gamma_2 norm of the signs A: 1 on cells of a label, -1 on others, 0 off the promise


def _is_positive(matrix: Matrix, entries: list[list[Fraction]]) -> bool:
    """Whether a symmetric rational matrix is positive semidefinite: elimination in integers (Bareiss 1968).

    Pivots stay positive multiples of those of L D L^T. A zero pivot must head a zero row.
    """
    need(len(entries) <= 80, "at most 80 lines of a Gram matrix")
    scale = common_scale(entry for row in entries for entry in row)
    rows = [[int(entry * scale) for entry in row] for row in entries]
    longest = max(entry.bit_length() for row in rows for entry in row)
    need(len(rows) * longest <= 1 << 14, "numbers that elimination does not make too long")
    matrix.spend(len(rows) ** 3 * 64)
    previous = 1
    while rows:
        pivot, *head = rows[0]
        if pivot < 0 or (pivot == 0 and any(head)):
            return False
        rest = [row[1:] for row in rows[1:]]
        if pivot:
            rest = [
                [(pivot * entry - top * left) // previous for entry, top in zip(row, head, strict=True)]
                for row, left in zip(rest, head, strict=True)
            ]
            previous = pivot
        rows = rest
    return True


def _sign(code: int, label: int) -> int:
    return 0 if code < 0 else 1 if code == label else -1


def check_gamma2_dual(matrix: Matrix, parameters: Data, witness: Data) -> Fraction:
    """A matrix W on some rows and columns, and diagonals D, E with [[D, -W], [-W^T, E]] positive semidefinite.

    If B = <x_i, y_j> with |x_i|^2, |y_j|^2 <= g, then 2 sum W B <= sum D_i |x_i|^2 + sum E_j |y_j|^2 <= g (tr D + tr
    E): so gamma_2(B) >= 2 <W, B> / (tr D + tr E). A matrix B with 1 <= A B <= alpha (|B| <= alpha off the promise) has
    <W, B> >= the sum of (A W)^+ - alpha (A W)^-, and off the promise -alpha |W|.
    """
    names = ("rows", "columns", "weights", "row_diagonal", "column_diagonal")
    mine, yours, table, above, below = map(items, fields(witness, *names))
    alpha, label, value = rational(parameters["alpha"]), parameters["label"], Fraction(0)
    need(len(mine) + len(yours) <= 80 and bool(mine) and bool(yours), "from 2 to 80 lines")
    part = matrix.part(mine, yours)
    weights = [[rational(text) for text in items(row, part.width)] for row in items(table, part.height)]
    first, second = [rational(text) for text in items(above, part.height)], [rational(text) for text in below]
    need(len(second) == part.width, "one diagonal entry per line")
    block = [[d if i == k else Fraction(0) for k in range(part.height)] + weights[i] for i, d in enumerate(first)]
    block += [
        [row[j] for row in weights] + [d if j == k else Fraction(0) for k in range(part.width)]
        for j, d in enumerate(second)
    ]  # the corner's sign does not matter for positivity
    need(_is_positive(matrix, block), "a block matrix that is not positive semidefinite")
    total = sum(first, Fraction(0)) + sum(second, Fraction(0))
    need(total > 0, "diagonals that are not zero")
    for cells, line in zip(part.table, weights, strict=True):
        for cell, weight in zip(cells, line, strict=True):
            signed = _sign(cell, label) * weight
            value += signed if signed > 0 else alpha * (signed if signed else -abs(weight))
    return 2 * value / total


def check_gamma2_bits(matrix: Matrix, parameters: Data, witness: Data) -> int:
    """2^c >= ((1 - 2e) gamma_2^alpha)^2 with alpha = 1 / (1 - 2e), for public coins and error e.

    A deterministic protocol of c bits has leaves l reached after a_l bits of Alice and b_l of Bob. Let x_i(l) =
    2^(-b_l / 2) and y_j(l) = +-2^(b_l / 2) on the lines of l, else 0. Row i reaches, whatever Bob says, leaves with
    sum of 2^(-b_l) = 1, and column j those with sum of 2^(b_l) <= 2^c sum of 2^(-a_l) = 2^c. So the answers' signs
    have gamma_2 <= 2^(c/2), and so has their mean over public coins, which is B (1 - 2e) for a B as in
    :func:`check_gamma2_dual`.
    """
    error = rational(parameters["error"])
    need(error < Fraction(1, 2) and "label" in witness, "an error below 1/2, and a label")
    alpha = 1 / (1 - 2 * error)
    label = integer(witness.pop("label"), 0, CODES)
    norm = check_gamma2_dual(matrix, {"alpha": f"{alpha.numerator}/{alpha.denominator}", "label": label}, witness)
    return bits_for((max(norm, Fraction(0)) / alpha) ** 2)


def check_gamma2_gram(matrix: Matrix, parameters: Data, witness: Data) -> Fraction:
    """A positive semidefinite [[P, B], [B^T, Q]] is the Gram matrix of vectors x_i, y_j with <x_i, y_j> = B_ij.

    With 1 <= A B <= alpha on promised cells and |B| <= alpha off them, gamma_2^alpha(A) is at most the largest entry
    of the diagonal. ``row_class`` and ``column_class`` say which line of B each row and column has.
    """
    triangle, upper, mine, yours = fields(witness, "gram", "rows", "row_class", "column_class")
    alpha, label, size = rational(parameters["alpha"]), parameters["label"], len(items(triangle))
    need(size <= 80, "at most 80 lines of a Gram matrix")
    gram = [[rational(text) for text in items(row, place + 1)] for place, row in enumerate(triangle)]
    above = integer(upper, 1, size - 1)
    full = [[gram[max(i, j)][min(i, j)] for j in range(size)] for i in range(size)]
    need(_is_positive(matrix, full), "a Gram matrix that is not positive semidefinite")
    rows = [integer(line, 0, above - 1) for line in items(mine, matrix.height)]
    columns = [integer(line, above, size - 1) for line in items(yours, matrix.width)]
    matrix.spend(8 * matrix.height * matrix.width)
    lines = [zip([i] * matrix.width, columns, cells, strict=True) for i, cells in zip(rows, matrix.table, strict=True)]
    for i, j, cell in {entry for line in lines for entry in line}:
        sign, entry = _sign(cell, label), full[i][j]
        need(1 <= sign * entry <= alpha if sign else abs(entry) <= alpha, "an entry outside its bounds")
    return max(full[place][place] for place in range(size))


# Witnesses made of others


def check_parts(matrix: Matrix, measure: str, side: str, parameters: Data, witness: Data) -> list[Value]:
    """What is proved of each answer, for a claim about all answers."""
    need(parameters["code"] is None, "parts are for a claim about all answers")
    parts = [fields(part, "code", "of") for part in items(*fields(witness, "parts"))]
    codes = [integer(code, 0, CODES) for code, _ in parts]
    need(sorted(codes) == sorted(matrix.codes), "one part for each answer")
    return [_checked(matrix, measure, side, {**parameters, "code": code}, of) for code, of in parts]


def check_composed(matrix: Matrix, measure: str, side: str, parameters: Data, kind: str, witness: Data) -> Value:
    """``sum``: rectangles of different answers are different, as are cells; ``each``: the largest of all answers is the
    largest of each; ``logarithm``: bits to name one of so many, rounded up; ``submatrix``: what a part needs, the
    whole needs."""
    if kind == "sum":
        need(parameters.get("answer", "both") == "both", "answers add up if both know them")
        return sum(check_parts(matrix, measure, side, parameters, witness))
    if kind == "each":
        return max(check_parts(matrix, measure, side, parameters, witness), default=0)
    if kind == "logarithm":
        need(parameters.get("code", 0) is not None, "one answer at a time")
        of_what = "cover" if measure == "nondeterministic" else "one-way-messages"
        names = PARAMETERS[of_what]
        settings = {name: value for name, value in parameters.items() if name in names}
        return bits_for(_checked(matrix, of_what, side, settings, *fields(witness, "of")))
    rows, columns, proof = fields(witness, "rows", "columns", "of")
    part = matrix.part(rows, columns)
    value = _checked(part, measure, side, parameters, proof)
    matrix.work = part.work
    return value


# Which witness may prove which claim

Checker = Callable[[Matrix, Data, Data], Value]
COMPOSED: dict[tuple[str, str], tuple[str, ...]] = {
    ("fooling-set", "upper"): ("sum",),
    ("rectangle", "upper"): ("each",),
    ("cover", "lower"): ("sum", "submatrix"),
    ("cover", "upper"): ("sum",),
    ("partition", "lower"): ("sum", "submatrix"),
    ("partition", "upper"): ("sum",),
    ("nondeterministic", "lower"): ("logarithm",),
    ("nondeterministic", "upper"): ("logarithm",),
    ("one-way", "lower"): ("logarithm",),
    ("one-way", "upper"): ("logarithm",),
    ("one-way-randomised", "upper"): ("logarithm",),
}
_COVER: dict[str, Checker] = {
    "cover-fooling": check_cover_fooling,
    "cover-weights": check_cover_weights,
    "cover-crown": check_crown,
    "cover-branching": check_cover_branching,
}
PROVES: dict[str, dict[str, dict[str, Checker]]] = {
    "deterministic": {
        "lower": {"refutation": check_refutation, "leaf-rank": check_leaf_rank, "fooling-set": check_fooling_bits},
        "upper": {"protocol-tree": check_tree},
    },
    "rank": {
        "lower": {"pivots": check_pivots},
        "upper": {
            "different-lines": check_different_lines,
            "elimination": check_elimination,
            "factors": check_factors,
        },
    },
    "fooling-set": {
        "lower": {"fooling-set": check_fooling_set},
        "upper": {
            "rank-squared": check_rank_squared,
            "lines": check_lines_with_code,
            "fooling-search": check_fooling_search,
        },
    },
    "rectangle": {
        "lower": {"rectangle": check_rectangle},
        "upper": {"rectangle-bound": check_rectangle_bound, "rectangle-matching": check_rectangle_matching},
    },
    "cover": {"lower": _COVER, "upper": {"rectangle-cover": check_cover, "rectangle-partition": check_partition}},
    "partition": {
        "lower": {**_COVER, "partition-rank": check_partition_rank, "partition-branching": check_partition_branching},
        "upper": {"rectangle-partition": check_partition},
    },
    "nondeterministic": {},
    "one-way-messages": {
        "lower": {"distinct-lines": check_distinct, "colouring-branching": check_colouring},
        "upper": {"message-classes": check_classes},
    },
    "one-way": {},
    "one-way-randomised": {"lower": {"shattered": check_vc_bits}},
    "vc-dimension": {"lower": {"shattered": check_shattered}, "upper": {"vc-listing": check_vc_listing}},
    "discrepancy": {
        "lower": {"biased-rectangle": check_biased_rectangle},
        "upper": {"all-sets": check_all_sets, "spectral": check_spectral},
    },
    "least-discrepancy": {"lower": {"mixture": check_signed_rectangles}, "upper": {"distribution": check_distribution}},
    "rectangle-bound": {"lower": {"cell-values": check_cell_values}, "upper": {"weights": check_weights}},
    "smooth-rectangle": {
        "lower": {"smooth-rectangle-dual": check_smooth_dual},
        "upper": {"smooth-rectangle-primal": check_smooth_primal},
    },
    "partition-bound": {
        "lower": {"partition-bound-dual": check_partition_dual},
        "upper": {"partition-bound-primal": check_partition_primal},
    },
    "gamma_2": {"lower": {"gamma2-dual": check_gamma2_dual}, "upper": {"gamma2-gram": check_gamma2_gram}},
    "public-coin success": {
        "lower": {"protocol-mixture": check_mixture_success},
        "upper": {"hard-distribution": check_hard_success},
    },
    "randomised": {
        "lower": {
            "hard-distribution": check_hard_bits,
            "partition-bound-dual": check_partition_dual_bits,
            "smooth-rectangle-dual": check_smooth_dual_bits,
            "gamma2-dual": check_gamma2_bits,
            "discrepancy": check_discrepancy_bits,
            "corruption": check_corruption_bits,
        },
        "upper": {"protocol-mixture": check_mixture_bits},
    },
}
UNITS = {
    "deterministic": ("bits",),
    "rank": ("", "rank"),
    "fooling-set": ("cells",),
    "rectangle": ("cells", "weight"),
    "cover": ("rectangles",),
    "partition": ("rectangles",),
    "nondeterministic": ("bits",),
    "one-way-messages": ("messages",),
    "one-way": ("bits",),
    "one-way-randomised": ("bits",),
    "smooth-rectangle": ("rectangles",),
    "partition-bound": ("rectangles",),
    "randomised": ("bits",),
}
PARAMETERS: dict[str, tuple[str, ...]] = {
    "deterministic": ("answer", "rounds", "first"),
    "rank": ("code", "field"),
    "fooling-set": ("code", "answer"),
    "rectangle": ("code", "weights"),
    "cover": ("code",),
    "partition": ("code",),
    "nondeterministic": ("code",),
    "one-way-messages": ("direction",),
    "one-way": ("direction",),
    "one-way-randomised": ("direction", "error"),
    "vc-dimension": ("direction",),
    "discrepancy": ("weights",),
    "least-discrepancy": (),
    "rectangle-bound": ("code", "error", "smooth"),
    "smooth-rectangle": ("answer", "coins", "error", "label"),
    "partition-bound": ("answer", "coins", "error"),
    "gamma_2": ("label", "alpha"),
    "public-coin success": ("answer", "coins", "bits"),
    "randomised": ("answer", "coins", "error"),
}
BOTH_KNOW = ("smooth-rectangle", "partition-bound", "public-coin success", "randomised")


def _check_parameters(measure: str, parameters: Any) -> None:
    """What a claim needs beside the matrix, and nothing else; checkers look closer at weights."""
    for name, value in zip(PARAMETERS[measure], fields(parameters, *PARAMETERS[measure]), strict=True):
        if name == "answer":
            need(value == "both" or (value in ("alice", "bob") and measure not in BOTH_KNOW), "who knows the answer")
        elif name == "rounds":
            need(value is None or integer(value, 1, 1 << 20) > 0, "rounds are null or at least 1")
        elif name == "first":
            need(value in (None, "alice", "bob"), "first is null, alice or bob")
            need(value is None or parameters["rounds"] is not None, "first goes with rounds")
        elif name in ("code", "label"):
            need((value is None and name == "code") or integer(value, 0, CODES) >= 0, "a place among the labels")
        elif name == "field":
            need(isinstance(value, str) and re.fullmatch(r"rational|GF\([0-9]{1,10}\)", value) is not None, "a field")
        elif name == "direction":
            need(value in ("alice-to-bob", "bob-to-alice"), "a direction")
        elif name == "coins":
            need(value == "public", "public coins")
        elif name == "error":
            need(0 <= rational(value) < 1, "an error from 0 to below 1")
        elif name == "alpha":
            need(rational(value) >= 1, "alpha of at least 1")
        elif name == "bits":
            integer(value, 0, 64)
        elif name == "smooth":
            need(type(value) is bool, "smooth or not")


def _checked(matrix: Matrix, measure: str, side: str, parameters: Any, witness: Any) -> Value:
    need(isinstance(measure, str) and measure in PARAMETERS, "a measure that is known")
    need(side in ("lower", "upper"), "a side is lower or upper")
    _check_parameters(measure, parameters)
    need(isinstance(witness, dict) and isinstance(witness.get("kind"), str), "a witness has a kind")
    rest = {name: value for name, value in witness.items() if name != "kind"}
    kind, kinds = witness["kind"], PROVES[measure].get(side, {})
    matrix.spend(64)
    if kind in COMPOSED.get((measure, side), ()):
        return check_composed(matrix, measure, side, parameters, kind, rest)
    need(kind in kinds, f"this kind of witness proves no {side} bound on {measure}")
    return kinds[kind](matrix, parameters, rest)


def check(table: Table, measure: str, side: str, parameters: Data, witness: Data) -> Value:
    """The bound on a measure of a table of codes that a witness proves; :class:`Refused` if it proves none.

    >>> cells = {"kind": "fooling-set", "cells": [[0, 0], [1, 1], [0, 1]]}
    >>> check([[1, 0], [0, 1]], "deterministic", "lower", {"answer": "both", "rounds": None, "first": None}, cells)
    2
    """
    try:
        return _checked(Matrix(table), measure, side, parameters, witness)
    except Refused:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, MemoryError) as error:
        raise Refused(f"malformed: {type(error).__name__}") from None


# Certificates


def _cell_of_named(name: str, n: int, x: int, y: int) -> int:
    if name in ("disjointness", "intersection"):
        return int((x & y == 0) == (name == "disjointness"))
    if name == "inner-product":
        return (x & y).bit_count() & 1
    if name == "index":
        return x >> (n - 1 - y) & 1
    return int(x == y if name == "equality" else x > y)


NAMED = ("equality", "disjointness", "intersection", "greater-than", "inner-product", "index")
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def read_matrix(data: Any) -> tuple[Table, list[Any]]:
    """The table of a certificate's matrix, and its labels.

    A named function has n bits as rows, in numerical order, and as columns (``index``: the places 1 to n, counted from
    the most significant bit). Listed rows are text of a character per cell, 0-9a-z for the place of the label and
    ``*`` for a free cell, or, where there are more than 36 labels, lists of places with -1 for a free cell.

    >>> read_matrix({"function": "equality", "n": 1}), read_matrix({"labels": ["no", "yes"], "rows": ["0*1"]})
    (([[1, 0], [0, 1]], [0, 1]), ([[0, -1, 1]], ['no', 'yes']))
    """
    if isinstance(data, dict) and "function" in data:
        name, n = fields(data, "function", "n")
        need(isinstance(name, str) and name in NAMED, f"a named function is one of {', '.join(NAMED)}")
        height, width = 1 << integer(n, 1, 22), n if name == "index" else 1 << n
        need(height * width <= MOST_CELLS, f"a matrix of at most {MOST_CELLS} cells")
        return [[_cell_of_named(name, n, x, y) for y in range(width)] for x in range(height)], [0, 1]
    labels, rows = fields(data, "labels", "rows")
    need(all(type(label) in (str, int) for label in items(labels)), "labels are texts or integers")
    need(len(set(labels)) == len(labels) <= CODES, "different labels")
    need(bool(items(rows)) and isinstance(rows[0], (str, list)) and len(rows[0]) > 0, "at least one cell")
    need(len(rows) * len(rows[0]) <= MOST_CELLS, f"a matrix of at most {MOST_CELLS} cells")
    need(all(type(row) is type(rows[0]) and len(row) == len(rows[0]) for row in rows), "rows of one length")
    if isinstance(rows[0], str):
        need(len(labels) <= len(DIGITS), "rows as text are for at most 36 labels")
        codes = {digit: place for place, digit in enumerate(DIGITS[: len(labels)])} | {"*": -1}
        need(all(set(row) <= set(codes) for row in rows), "a character per cell")
        return [[codes[digit] for digit in row] for row in rows], labels
    need(len(labels) > len(DIGITS), "rows as lists are for more than 36 labels")
    return [[integer(cell, -1, len(labels) - 1) for cell in row] for row in rows], labels


def _check_plain(data: Any) -> None:
    """Only what JSON has, no floats, and neither too deep, too large nor too long."""
    level, count = [data], 0
    for _ in range(MOST_NESTING):
        if not level:
            return
        count += len(level)
        need(count <= MOST_ITEMS, "too much data")
        inner: list[Any] = []
        for value in level:
            if type(value) is dict:
                need(all(type(name) is str for name in value), "names of fields are text")
                inner += value.values()
            elif type(value) is list:
                inner += value
            elif type(value) is int:
                need(-MOST_INTEGER < value < MOST_INTEGER, "an integer of at most 40 digits")
            else:
                need(value is None or type(value) in (str, bool), "no floating-point numbers")
        level = inner
    raise Refused(f"nested deeper than {MOST_NESTING}")


def read_value(value: Any) -> Value:
    """A bound: an integer, or a rational as text."""
    return rational(value) if isinstance(value, str) else integer(value, -MOST_INTEGER, MOST_INTEGER)


def verify(data: Any) -> list[tuple[str, Value, str]]:
    """The claims of a certificate that is given as plain data, each as (side, value, kind of witness), once proved.

    Raises:
        Refused: if the data is no certificate, or one of its claims is not proved.

    >>> proof = {"side": "lower", "value": 2, "witness": {"kind": "leaf-rank", "primes": [2, 2]}}
    >>> verify({"format": "ccsim-certificate", "version": 1, "matrix": {"function": "equality", "n": 1},
    ...         "measure": "deterministic", "unit": "bits", "proofs": [proof],
    ...         "parameters": {"answer": "both", "rounds": None, "first": None}})
    [('lower', 2, 'leaf-rank')]
    """
    try:
        return _verified(data)
    except Refused:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, MemoryError) as error:
        raise Refused(f"malformed: {type(error).__name__}") from None


def read_header(data: Any) -> Data:
    """The fields of a certificate, of the right form; proofs become [side, value, witness]."""
    _check_plain(data)
    names = ("format", "version", "matrix", "measure", "unit", "parameters", "proofs")
    head = dict(zip(names, fields(data, *names), strict=True))
    known = head["format"] == FORMAT and type(head["version"]) is int and head["version"] == VERSION
    need(known, f"expected format {FORMAT}, version {VERSION}")
    need(isinstance(head["measure"], str) and head["measure"] in PARAMETERS, "a measure that is known")
    _check_parameters(head["measure"], head["parameters"])
    units = UNITS.get(head["measure"], ("",))
    need(head["unit"] in units, f"the unit of {head['measure']} is {' or '.join(units) or 'empty'}")
    if head["measure"] == "rectangle":
        counted = isinstance(head["parameters"]["weights"], str)
        need((head["unit"] == "cells") == counted, "cells are counted, other weights added")
    head["proofs"] = [fields(proof, "side", "value", "witness") for proof in items(head["proofs"])]
    sides = [side for side, _, _ in head["proofs"]]
    need(sides in (["lower"], ["upper"], ["lower", "upper"]), "a proof of the lower side, of the upper, or both")
    need(all(isinstance(witness, dict) for _, _, witness in head["proofs"]), "a witness is an object")
    return head


def _verified(data: Any) -> list[tuple[str, Value, str]]:
    head, found = read_header(data), []
    matrix = Matrix(read_matrix(head["matrix"])[0])
    for side, value, witness in head["proofs"]:
        proved = _checked(matrix, head["measure"], side, head["parameters"], witness)
        claimed = read_value(value)
        need(proved >= claimed if side == "lower" else proved <= claimed, f"the {side} witness proves {proved} only")
        found.append((side, claimed, witness["kind"]))
    return found


def _once(pairs: list[tuple[str, Any]]) -> Data:
    need(len({name for name, _ in pairs}) == len(pairs), "a field twice")
    return dict(pairs)


def _short(digits: str) -> int:
    need(len(digits) <= 41, "an integer of at most 40 digits")
    return int(digits)


def _no_number(digits: str) -> Any:
    raise Refused("no floating-point numbers")


def load(text: str | bytes) -> Any:
    """JSON text as plain data: no field twice, no floats, no long integers, nothing too deep or too large."""
    try:
        need(len(text) <= MOST_BYTES, f"at most {MOST_BYTES} bytes")
        decoded = text.decode("utf-8") if isinstance(text, bytes) else text
        data = json.loads(
            decoded, object_pairs_hook=_once, parse_int=_short, parse_float=_no_number, parse_constant=_no_number
        )
        _check_plain(data)
        return data
    except Refused:
        raise
    except (ValueError, RecursionError, MemoryError) as error:
        raise Refused(f"not JSON: {type(error).__name__}") from None


def verify_text(text: str | bytes) -> list[tuple[str, Value, str]]:
    """Likewise for a certificate as JSON text."""
    return verify(load(text))


def summary(data: Data) -> str:
    """The claims of a certificate, once proved, in a line: "deterministic = 5 bits (both know): lower by ..."."""
    found = verify(data)
    values = {side: value for side, value, _ in found}
    if len(values) == 2:
        low, high = values["lower"], values["upper"]
        claim = f"= {low}" if low == high else f"in [{low}, {high}]"
    else:
        claim = f">= {values['lower']}" if "lower" in values else f"<= {values['upper']}"
    told = []
    for name, value in data["parameters"].items():
        if name == "answer":
            told.append("both know" if value == "both" else f"{value} knows")
        elif isinstance(value, list):
            told.append(f"given {name}")
        elif value is not None:
            told.append(f"{name} {value}")
    unit = f" {data['unit']}" if data["unit"] else ""
    how = ", ".join(f"{side} by {kind}" for side, _, kind in found)
    return f"{data['measure']} {claim}{unit}{' (' + ', '.join(told) + ')' if told else ''}: {how}"


def check_file(path: str | PathLike[str]) -> tuple[bool, str]:
    """Whether a file is accepted, and its claims or the reason why not."""
    try:
        with open(path, "rb") as file:
            return True, summary(load(file.read(MOST_BYTES + 1)))
    except (OSError, ValueError) as error:
        return False, str(error) if isinstance(error, Refused) else "the file cannot be read"


def main(names: list[str]) -> int:
    """Verify files, a line for each; 0 if all are accepted, else 1."""
    results = [(name if name.isprintable() else ascii(name), *check_file(name)) for name in names]
    for name, accepted, message in results:
        sys.stdout.write(f"{'accepted' if accepted else 'refused'} {name}: {message}\n")
    return 0 if results and all(accepted for _, accepted, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
