"""Check certificates of bounds on communication: ``python verify.py FILE...`` prints one line for each file.

This file needs the standard library only and nothing else of ccsim: copy it and read it. It takes nothing on trust.
For each proof in a certificate it derives, from the matrix and the witness alone, the bound that the witness
proves, and accepts if that is at least (lower bounds) or at most (upper bounds) the value that is claimed. At each
checker stands which claims its kind of witness proves, and why; its arguments after the first are the witness's fields.

A matrix is a list of rows of codes: the place of the answer among the labels, or -1 where the answer is free (outside
the promise). Rows are Alice's inputs, columns Bob's. A set of lines is hexadecimal text (bit i is line i) or a list.
A *leaf* is where a protocol ends: a rectangle (some rows times some columns) with one answer if both parties must
know it; if only Alice must, each of its rows has one answer; if only Bob must, each column. A protocol of c bits has
at most 2^c leaves, and they divide the matrix.

Contents::

     1. Data that nobody vouches for
     2. Witnesses made of others: parts, submatrix, bits-of
     3. Protocol trees, and mixtures of them: protocol-tree, protocol-mixture, hard-distribution
     4. Rank: pivots, elimination, lines, factors, minor, support, forster, plane, vc, signs
     5. Fooling sets: fooling-set, rank-squared, fooling-search, fooling-orbits
     6. Deterministic complexity from below: refutation
     7. Rectangles: the largest, covers, partitions: rectangle, rectangle-search, rectangle-matching, rectangles,
        cover-weights, crown, line-sets, lrat
     8. One message: only the receiver must answer: distinct-lines, message-classes, branching, shattered, all-patterns,
        vc-listing, hard-for-messages, message-mixture
     9. Weights on cells and on rectangles: biased-rectangle, all-sets, spectral, diagonals, distribution,
        weighted-rectangles, cell-weights
    10. The gamma_2 norm: gamma2-dual, gamma2-gram, norm
    11. Leaves of protocols: leaf-rank, khrapchenko, all-rectangles
    12. More than two parties: board-tree, all-boxes, merged
    13. Information: biconcave, talk
    14. Every length at once: regular-fooling-set, triangular-set, triangular-complement, tensor-power,
        tensor-shifts, substitution, regular-distinct-lines, finite-state-parties
    15. Certificates
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import reduce
from hashlib import sha256
from itertools import accumulate, combinations, pairwise, product
from math import comb, gcd, isqrt, lcm, prod
from operator import add, mul, or_
from os import PathLike
from typing import Any

__all__ = [
    "Refused",
    "TooLarge",
    "check",
    "check_file",
    "load",
    "main",
    "read_matrix",
    "report",
    "report_file",
    "summary",
    "verify",
    "verify_text",
]

Table = list[list[int]]
Data = dict[str, Any]
Value = int | Fraction
Checker = Callable[..., Value]

FORMAT, VERSION = "ccsim-certificate", 1
MOST_BYTES = 64 << 20  # of a file
MOST_NESTING = 400
MOST_ITEMS = 1 << 25  # numbers, texts, lists and objects in a certificate
MOST_CELLS = 1 << 22  # of a matrix
MOST_WORK = 1 << 30  # steps of about 20 ns; each checker says what it spends
MOST_ROOM = 1 << 29  # bytes of what checkers keep
MOST_INTEGER = 10**40
MOST_PRIME = (1 << 31) - 1
CODES = 1 << 31

MEASURES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {  # units of the value, and parameters of the claim
    "deterministic": (("bits",), ("answer", "rounds", "first")),
    "leaves": (("leaves",), ("answer",)),
    "rank": (("", "rank"), ("code", "field")),
    "nonnegative-rank": (("",), ("values",)),
    "sign-rank": (("",), ("label",)),
    "approximate-rank": (("",), ("label", "error")),
    "fooling-set": (("cells",), ("code", "answer")),
    "rectangle": (("cells", "weight"), ("code", "weights")),
    "cover": (("rectangles",), ("code",)),
    "partition": (("rectangles",), ("code",)),
    "nondeterministic": (("bits",), ("code",)),
    "one-way-messages": (("messages",), ("direction",)),
    "one-way": (("bits",), ("direction",)),
    "one-way-randomised": (("bits",), ("direction", "error")),
    "one-way success": (("",), ("direction", "bits")),
    "vc-dimension": (("",), ("direction",)),
    "discrepancy": (("",), ("weights",)),
    "least-discrepancy": (("",), ()),
    "rectangle-bound": (("", "rectangles"), ("code", "error", "smooth")),
    "partition-bound": (("rectangles",), ("answer", "coins", "error")),
    "gamma_2": (("",), ("label", "alpha")),
    "public-coin success": (("",), ("answer", "coins", "bits")),
    "randomised": (("bits",), ("answer", "coins", "error")),
    "quantum": (("qubits",), ("error",)),
    "blackboard": (("bits",), ("parties",)),
    "information-cost": (("bits",), ("cost", "prior")),
}
PARAMETERS = {measure: names for measure, (_, names) in MEASURES.items()}
FORMS: dict[str, Callable[[Any], bool]] = {  # what a parameter may be
    "answer": lambda value: value in ("both", "alice", "bob"),
    "rounds": lambda value: value is None or integer(value, 1, 1 << 20) > 0,
    "first": lambda value: value in (None, "alice", "bob"),
    "code": lambda value: value is None or integer(value, 0, CODES) >= 0,
    "label": lambda value: integer(value, 0, CODES) >= 0,
    "field": lambda value: value == "rational" or is_prime(integer(_prime_of(value), 2, MOST_PRIME)),
    "weights": lambda value: value in ("label", "all") or isinstance(value, list),
    "direction": lambda value: value in ("alice-to-bob", "bob-to-alice"),
    "coins": lambda value: bool(value == "public"),
    "error": lambda value: 0 <= rational(value) < 1,
    "alpha": lambda value: rational(value) >= 1,
    "bits": lambda value: integer(value, 0, 64) >= 0,
    "smooth": lambda value: type(value) is bool,
    "cost": lambda value: value in ("internal", "external"),
    "prior": lambda value: sum(integer(weight, 0, 1 << 64) for weight in items(value, 4)) > 0,
    "parties": lambda value: len(items(value)) in range(2, 17) and all(integer(size, 1, CODES) > 0 for size in value),
    "values": lambda value: all(integer(entry, 0, CODES) >= 0 for entry in items(value)),
}
PROVES: dict[tuple[str, str], dict[str, Checker]] = {}  # (measure, side) -> kind of witness -> checker


def proves(kind: str, *claims: str) -> Callable[[Checker], Checker]:
    """Enter a checker in the table, for these claims: side and measure."""

    def enter(checker: Checker) -> Checker:
        for claim in claims:
            side, measure = claim.split(" ", 1)
            PROVES.setdefault((measure, side), {})[kind] = checker
        return checker

    return enter


# Chapter 1. Data that nobody vouches for


class Refused(ValueError):  # noqa: N818 - the verdict of a checker, not an accident
    """The certificate does not prove its claim."""


class TooLarge(Refused):
    """Whether it does is not looked at: that takes more than the checker spends."""


@contextmanager
def refusing() -> Iterator[None]:
    """Refuse what is malformed in any other way, too."""
    try:
        yield
    except Refused:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, MemoryError) as error:
        raise Refused(f"malformed: {type(error).__name__}") from None


def need(condition: bool, message: str, kind: type[Refused] = Refused) -> None:
    """Refuse unless the condition holds."""
    if not condition:
        raise kind(message)


def integer(value: Any, low: int, high: int) -> int:
    """An integer between two bounds, and no boolean."""
    need(type(value) is int and low <= value <= high, f"expected an integer from {low} to {high}")
    return int(value)


def items(value: Any, count: int | None = None) -> list[Any]:
    """A list, of so many items if a count is given."""
    need(isinstance(value, list) and count in (None, len(value)), f"expected a list of {count or 'some'} items")
    return list(value)


def fields(data: Any, *names: str) -> list[Any]:
    """The values of exactly these fields."""
    need(isinstance(data, dict) and set(data) == set(names), f"expected the fields: {', '.join(names) or 'none'}")
    return [data[name] for name in names]


def rational(text: Any) -> Fraction:
    """A rational from text a/b."""
    good = isinstance(text, str) and len(text) <= 4001 and re.fullmatch("-?[0-9]{1,2000}/[0-9]{1,2000}", text)
    need(bool(good), "expected a rational as text a/b")
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


def mask_of(places: Iterable[int], size: int) -> int:
    """Places below a size as a mask."""
    data = bytearray(size // 8 + 1)
    for place in places:
        data[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(data, "little")


def is_prime(number: int) -> bool:
    """Whether a number is a prime, by trial."""
    return number > 1 and all(number % divisor for divisor in range(2, isqrt(number) + 1))


def _prime_of(field: Any) -> int:
    good = re.fullmatch(r"GF\(([1-9][0-9]{0,9})\)", field) if isinstance(field, str) else None
    return int(good[1]) if good else 0


def scaled(value: Fraction, scale: int) -> int:
    """A rational in units of a common denominator."""
    return value.numerator * (scale // value.denominator)


def bits_for(count: Value) -> int:
    """The smallest c >= 0 with 2^c >= count."""
    return max(0, -(-count.numerator // count.denominator) - 1).bit_length()


def bits_for_power(base: Fraction, exponent: int) -> int:
    """The smallest c >= 0 with 2^c >= base^exponent, for a base above 0, by powers alone."""
    above, below = int(base.numerator**exponent), int(base.denominator**exponent)
    bits = max(0, above.bit_length() - below.bit_length() - 1)
    while below << bits < above:
        bits += 1
    return bits


class Matrix:
    """A table of codes, its lines as masks, and how much work and room may still be spent on it."""

    function: tuple[str, int] | None = None  # the name and size of the function that it is, of those known here

    def __init__(self, table: Table, left: list[int] | None = None) -> None:
        self.table, self.height, self.width = table, len(table), len(table[0])
        self.codes = sorted({cell for row in table for cell in row} - {-1})
        self.left = left or [MOST_WORK, MOST_ROOM]
        self.long = (self.width >> 9, self.height >> 9)  # steps of operations on masks across a row, a column
        self._masks: dict[tuple[int, int], list[int]] = {}

    def spend(self, steps: int, room: int = 0) -> None:
        """Refuse what takes too long, or too many bytes."""
        self.left[0] -= steps
        self.left[1] -= room
        if min(self.left) < 0:
            raise TooLarge("too much work to check")

    def masks(self, code: int, party: int = 0) -> list[int]:
        """For each line of a party (0: rows, 1: columns), where across it the cells have this code (-1: are free)."""
        if (code, party) not in self._masks:
            count, across = (self.width, self.height) if party else (self.height, self.width)
            self.spend(3 * count * across + 30 * count)
            lines = zip(*self.table, strict=True) if party else self.table
            texts = ("".join(["1" if cell == code else "0" for cell in line[::-1]]) for line in lines)
            found = [int(text, 2) for text in texts]
            self.spend(0, 8 * count + (36 + across // 7) * (count - found.count(0)))
            self._masks[code, party] = found
        return self._masks[code, party]

    def allowed(self, code: int, party: int = 0) -> list[int]:
        """Likewise where the cells have this code or are free."""
        own, free = self.masks(code, party), self.masks(-1, party)
        self.spend(len(own) * (5 + self.long[party]), len(own) * (44 + (self.height, self.width)[1 - party] // 7))
        return [a | b for a, b in zip(own, free, strict=True)]

    def fits(self, code: int, line: int, across: int, party: int = 0) -> bool:
        """Whether a line has no other code at these places across."""
        self.spend(42 + 4 * self.long[party])
        return across & ~(self.masks(code, party)[line] | self.masks(-1, party)[line]) == 0

    def places(self, mask: int) -> list[int]:
        """The places in a mask, in order."""
        self.spend(20 + 8 * mask.bit_count() + mask.bit_length() // 8)
        text, found = bin(mask)[:1:-1], []
        place = text.find("1")
        while place >= 0:
            found.append(place)
            place = text.find("1", place + 1)
        return found

    def lines(self, value: Any, size: int) -> int:
        """A set of lines as a mask, from hexadecimal text or a list of places."""
        if isinstance(value, list):
            self.spend(50 + 20 * len(value) + size // 64, size // 7)
            return mask_of((integer(place, 0, size - 1) for place in value), size)
        good = isinstance(value, str) and len(value) <= size // 4 + 1 and re.fullmatch("[0-9a-f]+", value)
        need(bool(good) and int(value, 16) >> size == 0, "expected a set of lines, in hexadecimal digits")
        return int(value, 16)

    def cells(self, listed: Any, more: int = 0) -> list[Any]:
        """Cells of the table from a list of [row, column], each with so many entries ``more``."""
        for row, column, *_ in (items(entry, 2 + more) for entry in items(listed)):
            integer(row, 0, self.height - 1)
            integer(column, 0, self.width - 1)
        return [tuple(entry) for entry in listed]

    def rectangle(self, rows: Any, columns: Any) -> tuple[int, int]:
        """A rectangle as two masks."""
        return self.lines(rows, self.height), self.lines(columns, self.width)

    @property
    def content(self) -> Any:
        """All cells, for a hash."""
        return self.table

    def part(self, rows: Any, columns: Any) -> Matrix:
        """The submatrix of some rows and columns (lists without repetition); it shares the work."""
        mine, yours = ([integer(line, 0, most - 1) for line in items(lines)] for lines, most in
                       ((rows, self.height), (columns, self.width)))  # fmt: skip
        need(0 < len(mine) == len(set(mine)) and 0 < len(yours) == len(set(yours)), "different rows and columns")
        self.spend(4 * (len(mine) + 4) * len(yours) + 100, 8 * (len(mine) + 1) * len(yours) + 100 * len(mine))
        return Matrix([[self.table[row][column] for column in yours] for row in mine], self.left)


class Unwritten(Matrix):
    """A named function whose table is not written out: only what its definition alone proves is looked at."""

    def __init__(self, name: str, n: int) -> None:
        self.function, self.left = (name, n), [MOST_WORK, MOST_ROOM]

    def __getattr__(self, name: str) -> Any:
        raise TooLarge(f"a matrix of at most {MOST_CELLS} cells")


class Relation(Matrix):
    """A table of sets of right answers, as masks over the labels; what is about one answer in a cell is refused."""

    def __init__(self, sets: Table, labels: int) -> None:
        self.sets, self.height, self.width = sets, len(sets), len(sets[0])
        self.codes, self.left = list(range(labels)), [MOST_WORK, MOST_ROOM]
        self.long = (self.width >> 9, self.height >> 9)
        self._right: dict[tuple[int, int], list[int]] = {}

    def __getattr__(self, name: str) -> Any:
        raise Refused("this kind of witness is about functions")

    def masks(self, code: int, party: int = 0) -> list[int]:
        """A cell has no one code."""
        raise Refused("this kind of witness is about functions")

    def allowed(self, code: int, party: int = 0) -> list[int]:
        """For each line of a party, where across it the answer is right."""
        if (code, party) not in self._right:
            need(code < len(self.codes), "an answer that is none of the labels")
            self.spend(5 * self.height * self.width, self.height * self.width)
            lines = zip(*self.sets, strict=True) if party else self.sets
            texts = ("".join(["1" if cell >> code & 1 else "0" for cell in line[::-1]]) for line in lines)
            self._right[code, party] = [int(text, 2) for text in texts]
        return self._right[code, party]

    def fits(self, code: int, line: int, across: int, party: int = 0) -> bool:
        """Whether an answer is right at these places across a line."""
        self.spend(42 + 4 * self.long[party])
        return across & ~self.allowed(code, party)[line] == 0

    @property
    def content(self) -> Any:
        """All cells."""
        return {"allowed": self.sets}


class Claim:
    """One side of a measure of a matrix, with its parameters."""

    def __init__(self, matrix: Matrix, measure: Any, side: Any, parameters: Any) -> None:
        check_parameters(measure, parameters)
        need(side in ("lower", "upper"), "a side is lower or upper")
        self.matrix, self.measure, self.side, self.parameters = matrix, measure, side, parameters
        self.answer = parameters.get("answer", "both")
        self.error = rational(parameters.get("error", "0/1"))
        self.party = int(parameters.get("direction") == "bob-to-alice")  # whose lines the sender of one message has

    @property
    def code(self) -> int:
        """The code that the claim is about, where it is about one answer."""
        return integer(self.parameters["code"], 0, CODES)

    def proved(self, witness: Any) -> Value:
        """The bound that a witness proves."""
        need(isinstance(witness, dict) and isinstance(witness.get("kind"), str), "a witness has a kind")
        checker = PROVES[self.measure, self.side].get(witness["kind"])
        if checker is None:
            raise Refused(f"this kind of witness proves no {self.side} bound on {self.measure}")
        names = checker.__code__.co_varnames[1 : checker.__code__.co_argcount]
        self.matrix.spend(200)
        return checker(self, *fields(witness, "kind", *names)[1:])

    def other(self, witness: Any, **changed: Any) -> Value:
        """The bound that a witness proves for another claim."""
        now = {"matrix": self.matrix, "measure": self.measure, "side": self.side, "parameters": self.parameters}
        return Claim(**{**now, **changed}).proved(witness)

    def on(self, matrix: Matrix) -> Claim:
        """The same claim about another matrix."""
        return Claim(matrix, self.measure, self.side, self.parameters)


def check_parameters(measure: Any, parameters: Any) -> None:
    """What a claim needs beside the matrix, and nothing else; checkers look closer at weights."""
    need(isinstance(measure, str) and measure in MEASURES, "a measure that is known")
    for name, value in zip(PARAMETERS[measure], fields(parameters, *PARAMETERS[measure]), strict=True):
        need(FORMS[name](value), f"another value of {name}")
    need(parameters.get("first") is None or parameters["rounds"] is not None, "first goes with rounds")
    other = parameters.get("answer", "both") == "both" or measure in ("deterministic", "leaves", "fooling-set")
    need(other, "both parties know the answer")


# Chapter 2. Witnesses made of others


@proves("parts", "lower cover", "upper cover", "lower partition", "upper partition", "upper fooling-set",
        "lower rectangle", "upper rectangle")  # fmt: skip
def check_parts(claim: Claim, parts: Any) -> Value:
    """A claim about all answers, by one about each that occurs, in order: rectangles of different answers are
    different, and the cells of one answer in a fooling set are one, so these add up; a largest rectangle has one.
    Free cells may lie in a rectangle of any answer, also where none occurs: there, it is that of the first."""
    need(claim.parameters["code"] is None, "parts are for a claim about all answers")
    codes = claim.matrix.codes or [0] * (claim.measure == "rectangle")
    pairs = zip(codes, items(parts, len(codes)), strict=True)
    values = [claim.other(part, parameters={**claim.parameters, "code": code}) for code, part in pairs]
    return max(values, default=0) if claim.measure == "rectangle" else sum(values)


@proves("submatrix", "lower cover", "lower partition")
def check_submatrix(claim: Claim, rows: Any, columns: Any, of: Any) -> Value:
    """What a part needs, the whole needs."""
    return claim.other(of, matrix=claim.matrix.part(rows, columns))


BITS_OF = {
    ("nondeterministic", "lower"): ("cover",),
    ("nondeterministic", "upper"): ("cover",),
    ("one-way", "lower"): ("one-way-messages",),
    ("one-way", "upper"): ("one-way-messages",),
    ("one-way-randomised", "lower"): ("vc-dimension",),
    ("one-way-randomised", "upper"): ("one-way-messages",),
    ("randomised", "lower"): ("discrepancy", "rectangle-bound", "partition-bound", "gamma_2"),
    ("deterministic", "lower"): ("leaves",),
    ("quantum", "lower"): ("gamma_2",),
}


@proves("bits-of", *(f"{side} {measure}" for measure, side in BITS_OF))
def check_bits(claim: Claim, measure: Any, given: Any, of: Any) -> int:
    """Bits from another measure, with the parameters that are ``given`` and those of the claim.

    To name one of so many rectangles (for a prover) or messages takes the logarithm, rounded up; a protocol of c bits
    has at most 2^c leaves. With public coins a
    protocol of c bits and error e is a mixture of trees of at most 2^c leaves, which is at least the rectangle and
    partition bounds, see :func:`check_cell_weights`; and 2^c >= (1 - 2e) / discrepancy for any distribution
    (Kushilevitz and Nisan 1997, section 3.5). With alpha = 1 / (1 - 2e), 2^c >= (gamma_2^alpha / alpha)^2: a tree has
    leaves l reached after a_l bits of Alice and b_l of Bob. Let x_i(l) = 2^(-b_l / 2) and y_j(l) = +-2^(b_l / 2) on
    the lines of l, else 0. Row i reaches, whatever Bob says, leaves with sum of 2^(-b_l) = 1, and column j those with
    sum of 2^(b_l) <= 2^c sum of 2^(-a_l) = 2^c. So the answers' signs have gamma_2 <= 2^(c/2), and so has their mean
    over public coins, which is B (1 - 2e) for a B as in :func:`check_gamma2_dual`. A qubit is two such bits, if
    entanglement is shared (by teleportation); then a leaf has operators M(l), N(l), products of what each party
    measured on its way, and x_i(l) = 2^(-b_l / 2) M* M, y_j(l) = +-2^(b_l / 2) N* N, applied to the shared state: M* M
    and N* N are at most 1, and the same sums hold of them, so gamma_2 <= 2^c for c qubits. One message with public
    coins has c >= (1 - H(e)) d, d the VC dimension (Kremer, Nisan, Ron 1999): with e = a/b, and H the binary entropy,
    2^(bc) >= (2^b a^a (b - a)^(b - a) / b^b)^d.
    """
    need(measure in BITS_OF[claim.measure, claim.side], "these bits are not of that measure")
    shared = {name: claim.parameters[name] for name in PARAMETERS[measure] if name in claim.parameters}
    if measure == "gamma_2":
        need(2 * claim.error < 1, "an error below 1/2")
        alpha = 1 / (1 - 2 * claim.error)
        shared["alpha"] = f"{alpha.numerator}/{alpha.denominator}"
    need(isinstance(given, dict) and not set(given) & set(shared), "only what the claim does not say is given")
    side = "upper" if measure == "discrepancy" else claim.side
    value = claim.other(of, measure=measure, side=side, parameters={**given, **shared})
    if measure == "vc-dimension":
        a, b = claim.error.numerator, claim.error.denominator
        need(2 * a <= b <= 1000, "an error up to 1/2, of denominator at most 1000")
        messages = Fraction(2**b * a**a * (b - a) ** (b - a), b**b)
        claim.matrix.spend((int(value) * messages.numerator.bit_length() // 64) ** 2 // 64)
        return -(-bits_for_power(messages, int(value)) // b)
    if measure == "discrepancy":
        need(value > 0, "a discrepancy above 0")
        value = (1 - 2 * claim.error) / value
    power = 0 if measure != "gamma_2" else 1 if claim.measure == "quantum" else 2
    return bits_for((max(value, 0) * (1 - 2 * claim.error)) ** power if power else value)


# Chapter 3. Protocol trees, and mixtures of them


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
    size, bits = matrix.height * matrix.width, most.bit_length()
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


@proves("protocol-mixture", "lower public-coin success", "upper randomised")
def check_mixture(claim: Claim, trees: Any) -> Value:
    """Trees with probabilities: they succeed on a cell with the weight of those that are right there. At least so much
    success, over all promised cells, is had with the bits of the deepest tree; they are enough for so little error."""
    entries = [fields(entry, "weight", "tree") for entry in items(trees)]
    weights, matrix, depths = [rational(text) for text, _ in entries], claim.matrix, {0}
    scale = common_scale(weights)
    shares = [scaled(weight, scale) for weight in weights]
    need(min(shares, default=0) >= 0 and sum(shares) == scale, "weights of at least zero, with sum 1")

    def reached() -> Iterator[Weighted]:
        for share, (_, tree) in zip(shares, entries, strict=True):
            for leaf, rows, columns, depth in leaves(matrix, tree):
                depths.add(depth)
                yield rows, columns, integer(fields(leaf, "answer")[0], 0, CODES), share

    _, right = weighted(matrix, reached(), scale)
    pairs = (pair for lines in zip(matrix.table, right, strict=True) for pair in zip(*lines, strict=True))
    success = Fraction(min((value for cell, value in pairs if cell >= 0), default=scale), scale)
    if claim.measure == "public-coin success":
        need(max(depths) <= claim.parameters["bits"], "a tree deeper than the bits allowed")
        return success
    need(success >= 1 - claim.error, "too much error on some cell")
    return max(depths)


@proves("hard-distribution", "upper public-coin success", "lower randomised")
def check_hard(claim: Claim, bits: Any, cells: Any) -> Value:
    """A mixture of protocols is right on some cell no more often than its best member is on average under a
    distribution (Yao 1977): so the success of that one is not exceeded with so many bits, and one bit more is needed
    if that is too much error.

    The best protocol is found by dynamic programming over sets of lines. After its last bit a protocol gives one of
    two answers, and each line of whoever speaks takes the better one. With one bit more, a rectangle is split in two in
    the best way; with the first bit, all rows or all columns are. Lines without weight are left out.
    """
    matrix, listed = claim.matrix, claim.matrix.cells(cells, 1)
    integer(bits, 0, 64)
    shares = {(row, column): rational(text) for row, column, text in listed}
    good = all(share > 0 and matrix.table[i][j] >= 0 for (i, j), share in shares.items())
    scale = common_scale(shares.values(), 64)
    need(good and len(shares) == len(listed) and sum(shares.values()) == 1, "shares of promised cells, with sum 1")
    rows, columns = (sorted({cell[axis] for cell in shares}) for axis in (0, 1))
    need(max(len(rows), len(columns)) <= 16, "too many lines")
    heavy: dict[int, Table] = {}  # for each answer, where it is right, and what that weighs
    for (row, column), share in shares.items():
        table = heavy.setdefault(matrix.table[row][column], [[0] * len(columns) for _ in rows])
        table[rows.index(row)][columns.index(column)] = scaled(share, scale)
    best = most_answered(matrix, list(heavy.values()), bits)
    if claim.measure == "public-coin success":
        need(claim.parameters["bits"] <= bits, "fewer bits than claimed")
        return Fraction(best, scale)
    need(Fraction(best, scale) < 1 - claim.error, "a protocol of so few bits errs little enough")
    return int(bits) + 1


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
    """The larger numbers of two tables."""
    return [list(map(max, *pair)) for pair in zip(one, other, strict=True)]


def sums_of_sets(lines: Table) -> Table:
    """For each set of lines, their sum."""
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


# Chapter 4. Rank


def extended(matrix: Matrix, basis: Any, row: int, columns: list[int], prime: int) -> Any:
    """An echelon form over GF(prime) with one more 0/1 row, given as a mask; itself if the row depends on it.

    A vector over GF(2) is a mask, and has its place as a mask with one bit. Else it is one long integer, 80 bits for
    each column, which hold all that elimination adds to an entry: at most 2^17 products of two numbers below 2^31. A
    basis has (place of the first entry, in bits; vector) with a 1 there.
    """
    if prime == 2:
        matrix.spend(40 + len(basis) * (4 + matrix.long[0] + matrix.long[1]))
        for place, pivot in basis:
            if row & place:
                row ^= pivot
        return (*basis, (row & -row, row)) if row else basis
    matrix.spend(30 + 16 * len(columns) + len(basis) * (20 + len(columns) // 6))
    text, lane = bin(row)[:1:-1].ljust(columns[-1] + 1 if columns else 0, "0"), (1 << 80) - 1
    vector = int.from_bytes(b"".join([(text[column] == "1").to_bytes(10, "little") for column in columns]), "little")
    for place, pivot in basis:
        head = (vector >> place & lane) % prime
        if head:
            vector += (prime - head) * pivot
    data = vector.to_bytes(10 * len(columns), "little")
    entries = [int.from_bytes(data[at : at + 10], "little") % prime for at in range(0, len(data), 10)]
    place = next((place for place, entry in enumerate(entries) if entry), -1)
    if place < 0:
        return basis
    inverse = pow(entries[place], -1, prime)
    scaled = b"".join([(entry * inverse % prime).to_bytes(10, "little") for entry in entries])
    return (*basis, (80 * place, int.from_bytes(scaled, "little")))


def rank(matrix: Matrix, rows: list[int], prime: Any) -> int:
    """The rank of 0/1 rows, given as masks, over GF(prime)."""
    matrix.spend(100 + 3 * isqrt(integer(prime, 2, MOST_PRIME)))
    need(len(rows) <= 1 << 17 and is_prime(prime), "expected a prime")
    every, basis = 0, ()
    for row in rows:
        every |= row
    columns = matrix.places(every)
    for row in rows:
        basis = extended(matrix, basis, row, columns, prime)
    return len(basis)


def indicator(matrix: Matrix, code: int, rows: int = -1, columns: int = -1) -> list[int]:
    """The 0/1 rows of one answer in a rectangle, by default in the whole matrix, which must be total there."""
    masks, free, places = matrix.masks(code), matrix.masks(-1), matrix.places(rows & (1 << matrix.height) - 1)
    matrix.spend(len(places) * (8 + 2 * matrix.long[0]))
    need(not any(free[row] & columns for row in places), "free cells have no rank")
    return [masks[row] & columns for row in places]


@proves("pivots", "lower rank", "lower partition")
def check_pivots(claim: Claim, prime: Any, rows: Any, columns: Any) -> int:
    """The rank of a submatrix modulo a prime: rank over that field is at least it, and so is rank over the rationals,
    because a minor that is not 0 modulo a prime is not 0. Disjoint rectangles of an answer add up to its 0/1 matrix,
    and each has rank one over any field."""
    right = claim.measure == "partition" or claim.parameters["field"] in ("rational", f"GF({prime})")
    need(right, "pivots over another field")
    return rank(claim.matrix, indicator(claim.matrix, claim.code, *claim.matrix.rectangle(rows, columns)), prime)


@proves("elimination", "upper rank")
def check_elimination(claim: Claim, primes: Any) -> int:
    """Over GF(p) the checker finds the rank itself. The rational rank is at most r if it is modulo different primes
    whose product is above every minor of r + 1 = k rows: these minors are 0 modulo the product. By Hadamard a 0/1
    minor is at most (k + 1)^((k + 1) / 2) / 2^k."""
    need(0 < len(items(primes)) == len(set(primes)) <= 1 << 15, "different primes")
    rows = sorted(set(indicator(claim.matrix, claim.code)))
    most = max(rank(claim.matrix, rows, prime) for prime in primes)
    if claim.parameters["field"] == "rational":
        claim.matrix.spend(len(primes) ** 2)
        product = prod(primes) << most + 1
        need(product.bit_length() < 1 << 20 and product**2 > (most + 2) ** (most + 2), "too few primes")
    else:
        need(claim.parameters["field"] == f"GF({primes[0]})" and len(primes) == 1, "elimination over another field")
    return most


@proves("lines", "upper rank", "upper fooling-set", "upper nonnegative-rank", "upper sign-rank",
        "upper approximate-rank")  # fmt: skip
def check_lines(claim: Claim) -> int:
    """The rank is at most the number of different rows (or columns) of the 0/1 matrix that are not zero. So is a
    fooling set of the answer: two cells in equal such rows never exclude each other. The nonnegative rank is at most
    that of the numbers' different rows that are not zero, sign rank and approximate rank that of the signs' different
    rows: each row is a vector of its own, times one of ones and zeros."""
    if claim.measure in ("rank", "fooling-set"):
        if claim.measure == "rank":
            indicator(claim.matrix, claim.code)
        return min(len(set(claim.matrix.masks(claim.code, party)) - {0}) for party in (0, 1))
    known = claim.measure == "nonnegative-rank"
    table = numbers(claim, claim.parameters["values"]) if known else sign_rows(claim)
    sides: list[list[tuple[int, ...]]] = [[tuple(row) for row in table], list(zip(*table, strict=True))]
    claim.matrix.spend(4 * claim.matrix.height * claim.matrix.width, 18 * claim.matrix.height * claim.matrix.width)
    return min(len({line for line in lines if any(line)}) for lines in sides)


def lines_of_rationals(matrix: Matrix, listed: Any, count: int, size: int) -> tuple[Table, int]:
    """So many lists of so many rationals, in units of a common denominator of at most 1024 bits, and that."""
    matrix.spend(150 * count * (size + 1))
    lines = [[rational(text) for text in items(line, size)] for line in items(listed, count)]
    scale = common_scale((value for line in lines for value in line), 1 << 10)
    whole = [[scaled(value, scale) for value in line] for line in lines]
    need(most_bits_of([*whole, [0]]) <= 1 << 11, "numbers that get too long")
    return whole, scale


def numbers(claim: Claim, values: list[int]) -> Table:
    """The matrix with a number for each answer."""
    matrix = claim.matrix
    matrix.spend(3 * matrix.height * matrix.width, 9 * matrix.height * matrix.width)
    need(all(0 <= code < len(values) for row in matrix.table for code in set(row)), "a number for every cell")
    return [[values[cell] for cell in row] for row in matrix.table]


@proves("factors", "upper nonnegative-rank", "upper sign-rank", "upper approximate-rank")
def check_factors(claim: Claim, rows: Any, columns: Any) -> int:
    """Vectors u_i of the rows and v_j of the columns, in so many dimensions as the matrix B = <u_i, v_j> has rank at
    most. Nonnegative rank: no entry is below 0, and B is the matrix itself. Sign rank: B is above 0 on cells of the
    label, and below 0 on others. Approximate rank: there B is within e of 1, of -1; |B| <= 1 + e off the promise."""
    matrix = claim.matrix
    size = len(items(items(rows, matrix.height)[0]))
    (left, one), (right, other) = (lines_of_rationals(matrix, listed, count, size) for listed, count in
                                   ((rows, matrix.height), (columns, matrix.width)))  # fmt: skip
    long = max((abs(entry).bit_length() for line in left + right for entry in line), default=0)
    matrix.spend(matrix.height * matrix.width * (25 + size * (4 + (long >> 6) + (long >> 7) ** 2)))
    unit, allowed = one * other, check_entry(claim)
    for line, cells in zip(left, matrix.table, strict=True):
        for vector, cell in zip(right, cells, strict=True):
            allowed(sum([a * b for a, b in zip(line, vector, strict=True)]), cell, unit)
    if claim.measure == "nonnegative-rank":
        need(min((entry for line in left + right for entry in line), default=0) >= 0, "an entry below 0")
    return size


def check_entry(claim: Claim) -> Callable[[int, int, int], None]:
    """Whether a number, in some units, may stand in place of an answer."""
    values, error = claim.parameters.get("values", []), claim.error

    def equal(entry: int, cell: int, unit: int) -> None:
        need(0 <= cell < len(values) and entry == values[cell] * unit, "another matrix")

    def signed_right(entry: int, cell: int, unit: int) -> None:
        need(cell < 0 or sign(claim, cell) * entry > 0, "an entry of the wrong sign")

    def near(entry: int, cell: int, unit: int) -> None:
        most = (error.denominator + error.numerator) * unit
        own = sign(claim, cell) * entry * error.denominator
        need(abs(entry) * error.denominator <= most, "an entry that is too large")
        need(cell < 0 or own >= (error.denominator - error.numerator) * unit, "an entry too far away")

    return {"nonnegative-rank": equal, "sign-rank": signed_right, "approximate-rank": near}[claim.measure]


@proves("minor", "lower nonnegative-rank")
def check_minor(claim: Claim, prime: Any, rows: Any, columns: Any) -> int:
    """The rank modulo a prime of a submatrix, which is at most the rational rank, and so the nonnegative rank."""
    claim.matrix.spend(100 + 3 * isqrt(integer(prime, 2, MOST_PRIME)))
    need(is_prime(prime), "expected a prime")
    part = claim.matrix.part(rows, columns)
    left = [[entry % prime for entry in row] for row in numbers(claim.on(part), claim.parameters["values"])]
    found = 0
    while left and left[0]:
        claim.matrix.spend(40 + 9 * len(left) * len(left[0]))
        pivot = next((row for row in left if row[0]), None)
        if pivot is not None:
            left.remove(pivot)
            found, inverse = found + 1, pow(pivot[0], -1, prime)
            scaled_pivot = [entry * inverse % prime for entry in pivot]
            left = [[(a - row[0] * b) % prime for a, b in zip(row, scaled_pivot, strict=True)] for row in left]
        left = [row[1:] for row in left]
    return found


@proves("support", "lower nonnegative-rank")
def check_support(claim: Claim, of: Any) -> Value:
    """Where a sum of nonnegative matrices of rank one is not 0, one of them is not: so the rectangles of these cover
    the cells that are not 0, and there are as many as such a cover needs."""
    table = [[int(entry > 0) for entry in row] for row in numbers(claim, claim.parameters["values"])]
    return claim.other(of, matrix=Matrix(table, claim.matrix.left), measure="cover", parameters={"code": 1})


def sign_rows(claim: Claim) -> Table:
    """The matrix of signs, which must be total."""
    claim.matrix.spend(4 * claim.matrix.height * claim.matrix.width, 9 * claim.matrix.height * claim.matrix.width)
    need(-1 not in map(min, claim.matrix.table), "free cells have no sign")
    return [[sign(claim, cell) for cell in row] for row in claim.matrix.table]


@proves("forster", "lower sign-rank")
def check_forster(claim: Claim, doublings: Any, rows: Any, columns: Any) -> int:
    """The sign rank is at least sqrt(X Y) / ||A|| (Forster 2002), A the signs on X rows and Y columns; the norm as for
    :func:`check_spectral`, ||A||^2k <= the largest absolute row sum of (A A^T)^k: the least d with d^2k times that at
    least (X Y)^k."""
    power, part = integer(doublings, 0, 5), claim.matrix.part(rows, columns)
    values = sign_rows(claim.on(part))
    size = part.height * part.width
    if part.height > part.width:
        values = [list(column) for column in zip(*values, strict=True)]
    claim.matrix.spend(4 * len(values) ** 2 * (len(values[0]) + power * len(values) << power))
    for _ in range(power + 1):
        values = [[sum([a * b for a, b in zip(row, other, strict=True)]) for other in values] for row in values]
    norm, dimension = max(sum(map(abs, row)) for row in values), 1
    while dimension ** (2 << power) * norm < size ** (1 << power):
        dimension += 1
    return dimension


@proves("plane", "lower sign-rank")
def check_plane(claim: Claim) -> int:
    """Whether one dimension is enough, or two; if not, three are needed. (Off a promise: one, if there is a cell.)

    In one, all rows are equal or opposite to the first. In two, turn the plane so that u_0 = (0, 1): then v_j is, but
    for a positive factor, A_0j (t_j, 1), where all t_j may be taken to be different. So A_ij A_0j, in the order of the
    t_j, changes its sign at most once in each row. Of each row or its opposite take the places of +1 that do not have
    the first column: in this order they are ends, of which one contains the other. So some column is such that these
    sets are a chain.
    """
    if -1 in map(min, claim.matrix.table):
        return int(bool(claim.matrix.codes))
    table, width = sign_rows(claim), claim.matrix.width
    claim.matrix.spend(5 * claim.matrix.height * width)
    sets = {mask_of((j for j, entry in enumerate(row) if entry != table[0][j]), width) for row in table}
    whole = (1 << width) - 1
    if sets <= {0, whole}:
        return 1
    claim.matrix.spend(width * len(sets) * (40 + (width >> 6)))
    for column in range(width):
        chain = sorted({whole ^ own if own >> column & 1 else own for own in sets}, key=int.bit_count)
        if all(one & ~other == 0 for one, other in pairwise(chain)):
            return 2
    return 3


@proves("vc", "lower sign-rank")
def check_vc(claim: Claim, direction: Any, of: Any) -> Value:
    """Signs of <u_i, v_j> show all patterns on k vectors v_j only if these are independent (if a sum of c_j v_j is 0,
    no u has <u, v_j> of the sign of c_j for all j): in k dimensions or more. Likewise with rows and columns exchanged.
    """
    need(set(claim.matrix.codes) <= {0, 1} and -1 not in map(min, claim.matrix.table), "answers 0 and 1")
    return claim.other(of, measure="vc-dimension", parameters={"direction": direction})


@proves("signs", "lower approximate-rank")
def check_signs(claim: Claim, of: Any) -> Value:
    """What is within less than 1 of a sign has this sign: so the sign rank is no larger."""
    return claim.other(of, measure="sign-rank", parameters={"label": claim.parameters["label"]})


# Chapter 5. Fooling sets


def sharing(matrix: Matrix, answer: str, cells: list[tuple[int, int]]) -> Iterator[int]:
    """For each of some promised cells, as masks over them, those that a leaf may contain together with it.

    A leaf with cells (x, y) and (x', y') contains (x, y') and (x', y) too. If Alice must know the answer, (x, y') is
    free or has the answer of (x, y), and (x', y) is free or has that of (x', y'); likewise if Bob must, with rows and
    columns exchanged; if both must, (x, y) and (x', y') have the same answer.
    """
    party, size = int(answer == "bob"), len(cells)
    own = [matrix.table[row][column] for row, column in cells]
    need(min(own, default=0) >= 0, "a free cell in a fooling set")
    lines = grouped([(cell[party], code) for cell, code in zip(cells, own, strict=True)])
    spots = grouped([cell[1 - party] for cell in cells])
    step, groups = 5 + (size >> 8), len(lines) + len(spots)
    room = groups * (100 + size // 3)
    matrix.spend(30 * size + groups * (10 + 2 * step) + 2 * size * step, room)
    masks = [{key: mask_of(bits, size) for key, bits in groups.items()} for groups in (lines, spots, grouped(own))]
    near, far = dict.fromkeys(lines, 0), dict.fromkeys(spots, 0)
    reached = mask_of(spots, max(matrix.height, matrix.width))
    for (line, code), mine in masks[0].items():
        across = matrix.masks(code, party)[line] | matrix.masks(-1, party)[line]
        for spot in matrix.places(across & reached):
            near[line, code] |= masks[1][spot]
            far[spot] |= mine
            matrix.spend(10 + 2 * step)
    for cell, code in zip(cells, own, strict=True):
        both = near[cell[party], code] & far[cell[1 - party]]
        yield both & masks[2][code] if answer == "both" else both
    matrix.spend(0, -room)


def grouped(keys: Iterable[Any]) -> dict[Any, list[int]]:
    """The places of each key in a list."""
    found: dict[Any, list[int]] = {}
    for place, key in enumerate(keys):
        found.setdefault(key, []).append(place)
    return found


def fooling(matrix: Matrix, answer: str, listed: Any) -> list[tuple[int, int]]:
    """Promised cells of which no leaf contains two, so that each needs a leaf of its own."""
    cells = matrix.cells(listed)
    together = sharing(matrix, answer, cells)
    need(all(mask == 1 << place for place, mask in enumerate(together)), "two cells that one leaf may contain")
    return cells


@proves("fooling-set", "lower fooling-set", "lower cover", "lower partition", "lower leaves")
def check_fooling_set(claim: Claim, cells: Any) -> int:
    """A fooling set with answers of the code that is claimed (any if that is null): its size. No rectangle of one
    answer contains two of its cells, and no leaf."""
    found, code = fooling(claim.matrix, claim.answer, cells), claim.parameters.get("code")
    need(all(code in (None, claim.matrix.table[row][column]) for row, column in found), "a cell of another answer")
    return len(found)


@proves("rank-squared", "upper fooling-set")
def check_rank_squared(claim: Claim, prime: Any) -> int:
    """Let A be the 0/1 matrix of the answer on the rows and columns of a fooling set of s cells, in order. The
    entrywise product of A and its transpose is the identity, and has rank at most rank(A)^2, over any field: so s is
    at most rank(A)^2 (Dietzfelbinger, Hromkovic, Schnitger 1996)."""
    return rank(claim.matrix, indicator(claim.matrix, claim.code), prime) ** 2


@proves("fooling-search", "upper fooling-set")
def check_fooling_search(claim: Claim, at_most: Any, cells: Any) -> int:
    """No fooling set has more than ``at_most`` cells: shown by a bounded search of our own, over all cells, which are
    listed in an order that makes it short.

    Cells that pairwise share some leaf form a class, of which a fooling set has one cell. With s cells chosen,
    those that exclude all of them are put into at_most - s classes; a larger set needs one of the cells that are
    left over, so branch on each of these.
    """
    _, together = all_cells(claim, cells)
    most = integer(at_most, 0, MOST_CELLS)
    none_larger(claim.matrix, together, (1 << len(together)) - 1, most)
    return most


def all_cells(claim: Claim, cells: Any) -> tuple[list[tuple[int, int]], list[int]]:
    """All cells that the claim is about, as they are listed, and which may share a leaf with each."""
    matrix, code, listed = claim.matrix, claim.parameters["code"], claim.matrix.cells(cells)
    count = sum(cell >= 0 and code in (None, cell) for row in matrix.table for cell in row)
    good = all(code in (None, matrix.table[row][column]) for row, column in listed)
    need(good and len(set(listed)) == len(listed) == count, "not each cell once")
    matrix.spend(0, count * (50 + count // 7))
    return listed, list(sharing(matrix, claim.answer, listed))


def none_larger(matrix: Matrix, together: list[int], fitting: int, most: int) -> None:
    """Refuse unless no fooling set of these cells has more than ``most``: by the search that is told above."""
    step = 30 + (len(together) >> 6)
    stack = [unclassed(matrix, together, fitting, most, step)]
    while stack:
        fitting, rest, more = stack.pop()
        if rest:
            place = rest.bit_length() - 1
            fitting ^= 1 << place
            stack.append((fitting, rest ^ 1 << place, more))
            stack.append(unclassed(matrix, together, fitting & ~together[place], more - 1, step))


def unclassed(matrix: Matrix, together: list[int], fitting: int, more: int, step: int) -> tuple[int, int, int]:
    """Cells, those of them that are left over once there are so many classes, and how many classes that are."""
    matrix.spend(step)
    need(more >= 0, "a larger fooling set exists")
    rest = fitting
    for _ in range(more):
        if not rest:
            break
        members = rest
        while members:
            cell = members & -members
            rest ^= cell
            members &= together[cell.bit_length() - 1] & ~cell
            matrix.spend(step)
    return fitting, rest, more


@proves("fooling-orbits", "upper fooling-set")
def check_fooling_orbits(claim: Claim, at_most: Any, cells: Any, symmetries: Any) -> int:
    """No fooling set has more than ``at_most`` cells: by a search like that of fooling-search, with symmetries.

    A symmetry moves rows and columns so that no cell of the table changes, and so takes fooling sets to fooling sets.
    Let F be cells that some symmetries take to themselves. If one of them is in no large enough set of cells of F,
    neither is any to which the symmetries take it: all of these are left out, and the search goes on with the others.
    The tree has the symmetries of each such F with a branch for each cell that is tried, or null for a plain search.
    """
    most, (listed, together) = integer(at_most, 0, MOST_CELLS), all_cells(claim, cells)
    places = {cell: place for place, cell in enumerate(listed)}
    by_orbits(claim.matrix, places, together, (1 << len(together)) - 1, most, symmetries)
    return most


def by_orbits(
    matrix: Matrix, places: dict[tuple[int, int], int], together: list[int], fitting: int, most: int, tree: Any
) -> None:
    """Refuse unless no fooling set of these cells has more than ``most``."""
    if tree is None:
        none_larger(matrix, together, fitting, most)
        return
    step = 30 + (len(together) >> 6)
    moves, branches = [moved(matrix, places, fitting, entry) for entry in items(items(tree, 2)[0])], items(tree[1])
    for branch in branches:
        fitting, rest, _ = unclassed(matrix, together, fitting, most, step)
        need(bool(rest), "a branch too many")
        place = rest.bit_length() - 1
        by_orbits(matrix, places, together, fitting & ~together[place], most - 1, branch)
        fitting &= ~orbit_of(matrix, moves, place)
    need(not unclassed(matrix, together, fitting, most, step)[1], "cells that are left over")


def moved(matrix: Matrix, places: dict[tuple[int, int], int], fitting: int, symmetry: Any) -> dict[int, int]:
    """Where a symmetry, given as the images of rows and of columns, takes each of some cells: to one of them."""
    height, width = matrix.height, matrix.width
    matrix.spend(20 * (height + width) + 10 * height * width + 20 * len(places), 100 * len(places))
    rows, columns = (items(lines, count) for lines, count in zip(items(symmetry, 2), (height, width), strict=True))
    for lines, count in ((rows, height), (columns, width)):
        need(len({integer(line, 0, count - 1) for line in lines}) == count, "a permutation")
    same = all([matrix.table[r][c] for c in columns] == row for r, row in zip(rows, matrix.table, strict=True))
    need(same, "a symmetry that changes the matrix")
    cells = {(row, column): place for (row, column), place in places.items() if fitting >> place & 1}
    found = {place: places[rows[row], columns[column]] for (row, column), place in cells.items()}
    need(all(fitting >> image & 1 for image in found.values()), "a symmetry that leads out of the cells")
    return found


def orbit_of(matrix: Matrix, moves: list[dict[int, int]], place: int) -> int:
    """All cells to which moves take a cell, as a mask."""
    found, queue = {place}, [place]
    for one in queue:
        matrix.spend(20 + 10 * len(moves))
        for image in {move[one] for move in moves} - found:
            found.add(image)
            queue.append(image)
    return mask_of(found, max(found) + 1)


# Chapter 6. Deterministic complexity from below


Node = tuple[int, Any, tuple[int, int]]  # depth, limit and the two masks of a rectangle


@proves("refutation", "lower deterministic")
def check_refutation(claim: Claim, nodes: Any) -> int:
    """A list of rectangles, each shown, with those before it, to have no protocol of its depth (and rounds): the last
    is the claim, and one more than its depth is needed.

    A node is [depth, limit, rows, columns, reason, ...]; the limit is null or [rounds that may still begin, who spoke
    last (0 Alice, 1 Bob, -1 nobody)]. The reasons: too many leaves by ``rank``; by a ``fooling`` set; the closed form
    for ``three`` bits, or all splits for ``four``; or all ``splits`` of the rows, and all of the columns, are refuted
    by nodes before, or by their images under symmetries (``orbits``).
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
        need(isinstance(kind, str) and kind in REASONS, f"a reason is one of {', '.join(REASONS)}")
        REASONS[kind](claim, proved, (depth, limit, masks), *data)
        proved.append((depth, limit, masks))
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


def refuted_by_rank(claim: Claim, proved: list[Node], node: Node, primes: Any) -> None:
    """The ranks of its answers need more leaves than there are."""
    depth, _, masks = node
    need(leaves_by_rank(claim.matrix, claim.answer, masks, primes) > 1 << depth, "the ranks are too small")


def refuted_by_fooling(claim: Claim, proved: list[Node], node: Node, listed: Any) -> None:
    """A fooling set inside has more cells than there are leaves."""
    depth, _, masks = node
    cells = fooling(claim.matrix, claim.answer, listed)
    claim.matrix.spend(len(cells) * (10 + sum(claim.matrix.long)))
    need(all(masks[0] >> row & masks[1] >> column & 1 for row, column in cells), "a cell outside")
    need(len(cells) > 1 << depth, "the fooling set is too small")


def refuted_by_closed_form(claim: Claim, proved: list[Node], node: Node) -> None:
    """Three bits are not enough."""
    depth, _, masks = node
    need(depth == 3, "the closed form is for depth 3")
    more_than_three_bits(claim.matrix, claim.answer, masks)


def refuted_by_all_splits(claim: Claim, proved: list[Node], node: Node) -> None:
    """Four bits are not enough."""
    depth, _, masks = node
    need(depth == 4, "all splits are gone through for depth 4")
    more_than_four_bits(claim.matrix, claim.answer, masks)


def refuted_by_orbits(claim: Claim, proved: list[Node], node: Node, rows: Any, columns: Any, symmetries: Any) -> None:
    """As by splits, where a core stands for its images, too.

    A symmetry is a permutation of the rectangle's rows and one of its columns that take each cell to one with the same
    code (or both free): what has no protocol is taken to what has none. It is written as the images of the rows in
    order, and those of the columns.
    """
    matrix, places = claim.matrix, [claim.matrix.places(mask) for mask in node[2]]
    listed = []
    for pair in items(symmetries):
        images = [[integer(line, 0, 1 << 22) for line in items(lines)] for lines in items(pair, 2)]
        matrix.spend(100 + 12 * len(places[0]) * len(places[1]) + 30 * len(places[0] + places[1]), 200 * len(places[1]))
        need(list(map(sorted, images)) == places, "a symmetry takes lines to all lines")
        for row, image in zip(places[0], images[0], strict=True):
            own, other = matrix.table[row], matrix.table[image]
            need([own[a] for a in places[1]] == [other[a] for a in images[1]], "a symmetry keeps the codes")
        listed.append(tuple(dict(zip(*pair, strict=True)) for pair in zip(places, images, strict=True)))
    refuted_by_splits(claim, proved, node, rows, columns, listed)


def refuted_by_splits(
    claim: Claim, proved: list[Node], node: Node, rows: Any, columns: Any, symmetries: Any = ()
) -> None:
    """Not a leaf, and whoever speaks first leaves a half that is refuted."""
    matrix, (depth, _, masks) = claim.matrix, node
    need(depth > 0, "splits are for a depth above 0")
    party = int(claim.answer == "bob")
    marks, lines, across = (
        [matrix.masks(code, party) for code in matrix.codes],
        matrix.places(masks[party]),
        masks[1 - party],
    )
    matrix.spend(len(lines) * (30 + len(marks) * (6 + matrix.long[party])))
    shown = [{code for code, mark in enumerate(marks) if mark[line] & across} for line in lines]
    shown = [set().union(*shown)] if claim.answer == "both" else shown
    need(any(len(codes) > 1 for codes in shown), "a leaf needs no bits")
    for speaker, side in enumerate((rows, columns)):
        every_split(claim, proved, node, speaker, side, symmetries)


REASONS: dict[str, Callable[..., None]] = {
    "rank": refuted_by_rank,
    "fooling": refuted_by_fooling,
    "three": refuted_by_closed_form,
    "four": refuted_by_all_splits,
    "splits": refuted_by_splits,
    "orbits": refuted_by_orbits,
}


def more_than_three_bits(matrix: Matrix, answer: str, masks: tuple[int, int]) -> None:
    """Refuse if three bits are enough for a total rectangle of answers 0 and 1, that both are to know.

    Two bits are enough iff the different rows are at most two, or among 0, 1, w and not w for some w; likewise
    for columns. Three bits, Alice first, iff the rows are two such sets: with k rows that are not constant, iff
    k < 4, or k = 4 and no row is constant or two are complements.
    """
    need(answer == "both", "the closed form is for answers that both know")
    for party in (0, 1):
        lines, across = matrix.places(masks[party]), masks[1 - party]
        matrix.spend(40 + len(lines) * (28 + 4 * matrix.long[party]))
        zeros, ones = matrix.masks(0, party), matrix.masks(1, party)
        need(all(across & ~(zeros[line] | ones[line]) == 0 for line in lines), "answers 0 and 1 only")
        need(not three_are_enough([ones[line] & across for line in lines], across), "three bits are enough")


def three_are_enough(lines: Iterable[int], across: int) -> bool:
    """Whether these lines of one party are two sets that two bits settle each, if it speaks first."""
    shown = set(lines)
    mixed = shown - {0, across}
    if len(mixed) != 4:
        return len(mixed) < 4
    return len(shown) == 4 or any(across ^ line in mixed for line in mixed)


def more_than_four_bits(matrix: Matrix, answer: str, masks: tuple[int, int]) -> None:
    """Refuse if four bits are enough for such a rectangle: if three are, or if the lines of a party can be split in two
    halves for which three are. Equal lines may go to the same half.

    Lines are put on a side one after the other. If three bits are not enough for a side, they are not for more lines.
    The lines across fall into classes that are equal on a side: these classes are the side's columns.
    """
    more_than_three_bits(matrix, answer, masks)
    for party in (0, 1):
        across, ones = masks[1 - party], matrix.masks(1, party)
        lines = telling_first(matrix, {ones[line] & across for line in matrix.places(masks[party])}, across)
        few, step = len(set(lines) - {0, across}) <= 8, 150 + 20 * matrix.long[party]
        empty: Any = ((), ((across, 0),), 0)
        stack = [(1, with_line(empty, lines[0], across), empty)]
        while stack:
            place, one, other = stack.pop()
            if one is None or other is None or not (few or one[1] or other[1]):
                continue  # two sides that the party itself settles have at most eight lines that are not constant
            need(place < len(lines), "four bits are enough")
            matrix.spend(2 * step)
            stack.append((place + 1, one, with_line(other, lines[place], across)))
            stack.append((place + 1, with_line(one, lines[place], across), other))


def with_line(side: Any, line: int, across: int) -> Any:
    """A side with one more line, or None if three bits are not enough then: its lines, classes of the lines across,
    each with its answers on the side, and how many lines there are. Lines or classes are None if they are too many.
    """
    own, classes, size = side
    if own is not None:
        own = (*own, line) if three_are_enough((*own, line), across) else None
    if classes is not None:
        both = (
            (part, 2 * shown + bit) for mask, shown in classes for part, bit in ((mask & line, 1), (mask & ~line, 0))
        )
        classes = tuple((part, shown) for part, shown in both if part)
        if not three_are_enough([shown for _, shown in classes], (2 << size) - 1):
            classes = None
    return None if own is None and classes is None else (own, classes, size + 1)


def telling_first(matrix: Matrix, lines: Iterable[int], across: int) -> list[int]:
    """The lines, ordered so that each tells as many of the classes across apart as it can."""
    left, classes, order = sorted(lines), [across], list[int]()
    while classes and left:
        matrix.spend(len(left) * (20 + len(classes) * (6 + across.bit_length() // 1000)))
        best = max(left, key=lambda line: sum([0 != part & line != part for part in classes]))
        left.remove(best)
        order.append(best)
        parts = [part for mask in classes for part in (mask & best, mask & ~best)]
        classes = [part for part in parts if part & (part - 1)]
    return order + left


def every_split(claim: Claim, proved: Any, node: Node, party: int, given: Any, symmetries: Any) -> None:
    """Whoever speaks first splits its lines in two, and one half (with its bits) keeps depth - 1: for each split
    of this party's lines, one half contains all lines of a *core*, a rectangle without such a protocol, or has
    too many leaves by rank over one of the fields. Put line after line on a side; a branch ends when a side is
    caught. Independent lines come first, so that ranks grow early; without ranks, lines of many cores.
    """
    (depth, limit, masks), matrix = node, claim.matrix
    primes, numbers, closed = items(given, 3)
    if limit is not None and limit[1] != party and limit[0] == 0:
        return  # this party may not speak
    cores = cores_of(claim, proved, node, party, numbers, closed)
    need(items(primes) in ([], [2], [3], [2, 3], [3, 2]), "ranks of splits are over GF(2) and GF(3)")
    lines, across, spots = matrix.places(masks[party]), masks[1 - party], matrix.places(masks[1 - party])
    matrix.spend(len(lines) * (30 + (len(matrix.codes) + 1) * (8 + matrix.long[party])))
    rows = {line: [matrix.masks(code, party)[line] & across for code in matrix.codes] for line in lines}
    need(not primes or not any(matrix.masks(-1, party)[line] & across for line in lines), "free cells have no rank")
    halves = halves_of(matrix, {core[party] for core in cores}, [images[party] for images in symmetries])
    held = Counter(line for half in halves for line in half)
    order = sorted(lines, key=lambda line: -held[line])
    order = independent_first(matrix, {line: rows[line][-1] for line in lines}, spots) if primes else order
    halves = early_last(matrix, halves, order)
    last, without = endings(matrix, halves, order)
    step, size = 60 + (len(halves) >> 9), matrix.height + matrix.width
    matrix.spend(len(halves) * (20 + (size >> 9)), len(halves) * (60 + size // 7 + len(order)))
    named = [mask_of(half, size) for half in halves]

    def put(side: Any, line: int) -> Any:
        """A side (halves that it may still contain, bases, lines) with one more line; if refuted, because of which."""
        matrix.spend(step)
        caught = side[0] & last[line]
        if caught:
            return named[caught.bit_length() - 1]
        bases = []
        for prime, old in zip(primes, side[1], strict=True):
            new = [extended(matrix, basis, row, spots, prime) for basis, row in zip(old, rows[line], strict=True)]
            ranks = [len(basis) for basis in new]
            if (sum(ranks) if claim.answer == "both" else max(ranks)) > 1 << depth - 1:
                return side[2] | 1 << line
            bases.append(new)
        return side[0], bases, side[2] | 1 << line

    empty = ((1 << len(halves)) - 1, [[()] * len(matrix.codes)] * len(primes), 0)
    all_refuted(order, empty, put, lambda side, line: (side[0] & without[line], *side[1:]))


def all_refuted(order: list[int], empty: Any, put: Callable[..., Any], across: Callable[..., Any]) -> None:
    """Refuse if lines can be put on two sides, both with some, without a side being refuted.

    The first line is on the left. A branch that is given up leaves behind lines because of which: as they are placed,
    no way to place the others helps. So if the last line is not one of them, it need not be tried on the other side.
    """
    stack: list[list[Any]] = [
        [empty, empty, 0]
    ]  # left, right, and what speaks against the last line's being on the left
    why: Any = None
    while stack:
        left, right, against = stack[-1]
        line, bit = order[len(stack) - 1], 1 << order[len(stack) - 1]
        if why is None:
            found, moved = put(left, line), across(right, line)
        elif against or not why & bit:
            why = (against | why) & ~bit if why & bit else why
            stack.pop()
            continue
        else:
            stack[-1][2] = why
            if len(stack) == 1:
                return  # the first line is on the left
            found, moved = put(right, line), across(left, line)
        why = found if isinstance(found, int) else None
        if why is None:
            pair = [moved, found] if stack[-1][2] else [found, moved]
            if len(stack) == len(order):
                need(not pair[1][2], "a split that nothing forbids")
                why = pair[0][2]
            else:
                stack.append([*pair, 0])


def halves_of(matrix: Matrix, masks: set[int], symmetries: list[dict[int, int]]) -> list[tuple[int, ...]]:
    """The lines of some sets, and of their images."""
    halves = set()
    for mask in sorted(masks):
        half = matrix.places(mask)
        size = (1 + len(symmetries)) * (12 + len(half))
        matrix.spend(20 * size, 64 * size)
        halves |= {tuple(half), *(tuple(sorted([images[line] for line in half])) for images in symmetries)}
    return sorted(halves)


def early_last(matrix: Matrix, halves: list[tuple[int, ...]], order: list[int]) -> list[tuple[int, ...]]:
    """Sets of lines, those at the end whose lines are placed early: why a side is caught should be because of such."""
    position = {line: place for place, line in enumerate(order)}
    matrix.spend(20 * sum(map(len, halves)) + 50 * len(halves), 16 * sum(map(len, halves)) + 100 * len(halves))
    return sorted(halves, key=lambda half: sorted([-position[line] for line in half]))


def endings(matrix: Matrix, halves: list[tuple[int, ...]], order: list[int]) -> tuple[dict[int, int], dict[int, int]]:
    """For each line, as masks over some sets of lines: those that it is the last of in an order, those it is not in."""
    size, position = len(halves), {line: place for place, line in enumerate(order)}
    total = sum(map(len, halves))
    matrix.spend(20 * (total + size) + len(order) * (20 + (size >> 5)), 40 * total + len(order) * (200 + size))
    last: dict[int, list[int]] = {line: [] for line in order}
    inside: dict[int, list[int]] = {line: [] for line in order}
    for number, half in enumerate(halves):
        last[max(half, key=position.__getitem__)].append(number)
        for line in half:
            inside[line].append(number)
    without = {line: ((1 << size) - 1) & ~mask_of(numbers, size) for line, numbers in inside.items()}
    return {line: mask_of(numbers, size) for line, numbers in last.items()}, without


def independent_first(matrix: Matrix, rows: dict[int, int], spots: list[int]) -> list[int]:
    """The lines in order, those before the others whose 0/1 rows are independent over GF(3)."""
    basis, dependent = (), set()
    for line, row in rows.items():
        longer = extended(matrix, basis, row, spots, 3)
        if longer is basis:
            dependent.add(line)
        basis = longer
    return [line for line in rows if line not in dependent] + sorted(dependent)


def cores_of(claim: Claim, proved: Any, node: Any, party: int, numbers: Any, closed: Any) -> list[tuple[int, int]]:
    """Rectangles inside a node that have no protocol of one bit less once this party has spoken: nodes before, by
    number, and at depth 4 also rectangles that the closed form refutes, as text.
    """
    (depth, limit, masks), cores = node, []
    later = limit if limit is None or limit[1] == party else (limit[0] - 1, party)
    for number in items(numbers):
        core_depth, core_limit, core = proved[integer(number, 0, len(proved) - 1)]
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


# Chapter 7. Rectangles: the largest, covers, partitions
# A rectangle *of a code* has only cells of that code or free ones.


def own_rectangle(claim: Claim, entry: Any) -> tuple[int, int]:
    """A rectangle of the code that is claimed, as two masks."""
    rows, columns = claim.matrix.rectangle(*items(entry, 2))
    good = all(claim.matrix.fits(claim.code, row, columns) for row in claim.matrix.places(rows))
    need(good, "a rectangle with another answer in it")
    return rows, columns


def cell_weights(claim: Claim) -> Table:
    """What each cell counts inside a rectangle of this code: 1 if it has the code, 1 if free too, or as given."""
    matrix, given = claim.matrix, claim.parameters["weights"]
    matrix.spend(10 * matrix.height * matrix.width)
    if given == "label":
        return [[int(cell == claim.code) for cell in row] for row in matrix.table]
    table = [[1] * matrix.width] * matrix.height if given == "all" else integer_table(matrix, given, 0)
    pairs = [zip(row, line, strict=True) for row, line in zip(matrix.table, table, strict=True)]
    return [[weight if cell in (claim.code, -1) else 0 for cell, weight in row] for row in pairs]


@proves("rectangle", "lower rectangle")
def check_rectangle(claim: Claim, rectangle: Any) -> int:
    """One rectangle of the code: a largest one weighs at least as much."""
    (rows, columns), weights = own_rectangle(claim, rectangle), cell_weights(claim)
    return inside(claim.matrix, weights, rows, columns)


def inside(matrix: Matrix, table: Table, rows: int, columns: int) -> int:
    """The sum of a table over a rectangle."""
    across = matrix.places(columns)
    matrix.spend(4 * rows.bit_count() * len(across))
    return sum(sum([table[row][column] for column in across]) for row in matrix.places(rows))


def none_heavier(claim: Claim, weights: Table, at_most: int) -> None:
    """Refuse unless every rectangle of this code weighs at most so much, by a search.

    Branch on a row: inside the rectangle (its columns shrink) or outside. A branch ends when all rows that are left,
    each with all its columns that are left, weigh no more than the bound. Weights are kept as bit planes.
    """
    matrix, allowed = claim.matrix, claim.matrix.allowed(claim.code)
    planes = [bit_planes(matrix, row) for row in weights]
    stack = [(list(range(matrix.height)), (1 << matrix.width) - 1)]
    while stack:
        rows, columns = stack.pop()
        matrix.spend(
            30 + len(rows) * (60 + matrix.long[0]) + sum([len(planes[row]) for row in rows]) * (12 + matrix.long[0])
        )
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


def bit_planes(matrix: Matrix, weights: list[int]) -> list[int]:
    """The weights of a row in binary: for each bit, the columns whose weight has it."""
    top = max(weights).bit_length()
    matrix.spend(5 * matrix.width + top * (20 + matrix.width // 30), 8 * top * (5 + matrix.width // 60))
    heavy = [(column, weight) for column, weight in enumerate(weights) if weight]
    matrix.spend(top * 4 * len(heavy))
    return [mask_of((column for column, weight in heavy if weight >> bit & 1), matrix.width) for bit in range(top)]


@proves("rectangle-search", "upper rectangle")
def check_rectangle_search(claim: Claim, at_most: Any) -> int:
    """No rectangle of the code weighs more than ``at_most``: a search of the checker's own."""
    none_heavier(claim, cell_weights(claim), integer(at_most, 0, 1 << 128))
    return int(at_most)


@proves("rectangle-matching", "upper rectangle")
def check_matching(claim: Claim, cells: Any) -> int:
    """Cells of other codes, no two in a line: a rectangle misses the row or the column of each (König), so that its
    rows and columns together are at most all lines less the number of these cells."""
    matrix, listed = claim.matrix, claim.matrix.cells(cells)
    need(all(matrix.table[row][column] not in (claim.code, -1) for row, column in listed), "a cell that may be inside")
    need(len({row for row, _ in listed}) == len({column for _, column in listed}) == len(listed), "two in a line")
    lines = matrix.height + matrix.width - len(listed)
    most = max(min(lines - rows, matrix.width) * rows for rows in range(min(lines, matrix.height) + 1))
    return most * max(map(max, cell_weights(claim)))


@proves("rectangles", "upper cover", "upper partition")
def check_rectangles(claim: Claim, rectangles: Any) -> int:
    """Rectangles of the code that together contain each of its cells; for a partition exactly once (free cells any
    number of times)."""
    own = claim.matrix.masks(claim.code)
    left = list(own)
    for entry in items(rectangles):
        rows, columns = own_rectangle(claim, entry)
        for row in claim.matrix.places(rows):
            claim.matrix.spend(8 + 4 * claim.matrix.long[0])
            need(claim.measure == "cover" or columns & own[row] & ~left[row] == 0, "a cell in two rectangles")
            left[row] &= ~columns
    need(not any(left), "a cell that no rectangle contains")
    return len(rectangles)


@proves("cover-weights", "lower cover", "lower partition")
def check_cover_weights(claim: Claim, at_most: Any, weights: Any) -> int:
    """Weights on cells of the code (dual of the fractional cover): a rectangle weighs at most ``at_most``, all cells
    together ``total``, so that at least total / at_most rectangles are needed, rounded up."""
    table = [[0] * claim.matrix.width for _ in range(claim.matrix.height)]
    for row, column, weight in claim.matrix.cells(weights, 1):
        need(claim.matrix.table[row][column] == claim.code, "weight on a cell of another answer")
        table[row][column] = integer(weight, 0, 1 << 64)
    none_heavier(claim, table, integer(at_most, 1, 1 << 64))
    return -(-sum(map(sum, table)) // int(at_most))


@proves("crown", "lower cover", "lower partition")
def check_crown(claim: Claim, cells: Any) -> int:
    """Lines r_1..r_m and c_1..c_m with the code at every (r_i, c_j), i != j, and another at each (r_i, c_i).

    In a cover by k rectangles let S_i be those with r_i among their rows, T_j those with c_j among their columns:
    S_i and T_j meet iff i != j. By Bollobás's inequality (1965) m <= C(k, floor(k/2)). The least such k is proved.
    """
    code, listed, table = claim.code, claim.matrix.cells(cells), claim.matrix.table
    claim.matrix.spend(3 * len(listed) ** 2)
    for place, (row, column) in enumerate(listed):
        need(table[row][column] not in (code, -1), "the diagonal of a crown has other answers")
        good = all(table[row][c] == code == table[r][column] for r, c in listed[:place])
        need(good, "not a crown")
    return next(k for k in range(len(listed) + 1) if len(listed) < 2 or comb(k, k // 2) >= len(listed))


@proves("line-sets", "lower cover", "lower partition")
def check_line_sets(claim: Claim, budget: Any) -> int:
    """No cover has ``budget`` rectangles, or fewer: shown by a search of the checker's own, so that one more is needed.

    Of k rectangles let S(r) be those with row r among their rows, and B(c) the union of S(r) over the rows with another
    code at (r, c), none of which contains column c. A cell (r, c) with the code is in a rectangle of S(r), so that S(r)
    is no part of B(c); free cells ask for nothing. Rows get such sets one after the other, the row that may have the
    fewest first; rectangles that are in the same sets so far are alike, so that of a class the first ones are chosen.
    """
    search, matrix = LineSets(claim, integer(budget, 0, 14)), claim.matrix
    stack = [search.children(*search.start())]
    while stack:
        deeper = next(stack[-1], None)
        if deeper is None:
            stack.pop()
        else:
            stack.append(search.children(*deeper))
        matrix.spend(10, search.room if deeper is not None else -search.room)
    return search.size + 1


class LineSets:
    """The search of :func:`check_line_sets`. Sets over k rectangles are numbers below 2^k, and what a row may have, a
    mask over these. A node has the sets of some rows, B of each column, and what each other row may have."""

    def __init__(self, claim: Claim, size: int) -> None:
        self.matrix, self.size = claim.matrix, size
        own, allowed, every = (
            self.matrix.masks(claim.code),
            self.matrix.allowed(claim.code),
            (1 << claim.matrix.width) - 1,
        )
        self.shown = [(mine, every & ~fitting) for mine, fitting in zip(own, allowed, strict=True)]
        self.families: tuple[dict[int, int], dict[int, int]] = ({}, {})  # parts of a set, and sets that it is part of
        self.step = 8 + (1 << size >> 8)
        self.room = 200 * (self.matrix.height + self.matrix.width) + (self.matrix.height << size) // 7 + (44 << size)

    def start(self) -> tuple[Any, list[int]]:
        """The node without any sets, and all rectangles, which are alike."""
        self.matrix.spend(self.matrix.height * self.step, 2 * self.room)
        left = {row: (1 << (1 << self.size)) - 1 - (mine > 0) for row, (mine, _) in enumerate(self.shown)}
        return ({}, [0] * self.matrix.width, left), [(1 << self.size) - 1]

    def family(self, known: dict[int, int], first: int, more: int) -> int:
        """All sets that are a first one and some of the rectangles ``more``."""
        key = first | more << self.size
        if key not in known:
            self.matrix.spend(2 * self.size * self.step + (1 << self.size >> 2), 200 + (1 << self.size) // 7)
            known[key] = 1 << first
            for place in self.matrix.places(more):
                known[key] |= known[key] << (1 << place)
        return known[key]

    def longer(self, node: Any, row: int, chosen: int) -> Any:
        """The node once this row has this set; None if some row has no set left."""
        sets, barred, left = {**node[0], row: chosen}, list(node[1]), {r: may for r, may in node[2].items() if r != row}
        (mine, foreign), shown, step = self.shown[row], self.shown, self.step
        self.matrix.spend(self.matrix.width + len(shown) * (1 << self.size >> 3))  # so many bytes at least
        for column in self.matrix.places(mine | foreign):
            if foreign >> column & 1:
                barred[column] |= chosen
            self.matrix.spend(len(shown) * (10 + step + 3 * self.matrix.long[0]))
            missing = {s & ~barred[column] for r, s in sets.items() if shown[r][0] >> column & 1}
            if 0 in missing:
                return None
            parts, wholes = self.family(self.families[0], 0, barred[column]), 0
            for some in missing:
                wholes |= self.family(self.families[1], some, (1 << self.size) - 1 & ~some)
            for r in left:
                left[r] &= ~((parts if shown[r][0] >> column & 1 else 0) | (wholes if shown[r][1] >> column & 1 else 0))
        return (sets, barred, left) if all(left.values()) else None

    def children(self, node: Any, alike: list[int]) -> Iterator[Any]:
        """The nodes one row further, each with what is alike there."""
        need(bool(node[2]), "a cover by so few rectangles")
        row = min(node[2], key=lambda r: node[2][r].bit_count())
        self.matrix.spend(len(node[2]) * self.step + node[2][row].bit_count() * (20 + 10 * len(alike)))
        for chosen in self.matrix.places(node[2][row]):
            halves = [(some & chosen, some & ~chosen) for some in alike]
            if all(inside <= outside & -outside or not outside for inside, outside in halves):
                child = self.longer(node, row, chosen)
                if child is not None:
                    yield child, [some for pair in halves for some in pair if some]


@proves("lrat", "lower cover", "lower partition")
def check_lrat(claim: Claim, budget: Any, apart: Any, proof: Any) -> int:
    """No cover has ``budget`` rectangles, or fewer: shown by clauses that follow from what holds in a cover.

    Variables say that a rectangle has a row, has a column, covers a cell. Clauses: a cell with the code is covered by
    some rectangle; what covers a cell has its row and its column; no rectangle has a row and a column at whose crossing
    another code stands. Cells ``apart`` are a fooling set: no two in one rectangle, so that the first is in the first
    one, and so on, once these are numbered so. A step of the proof is a clause and which earlier ones it follows from:
    if all of its literals are false, one after the other has no literal left but one, which so is true, and in the end
    there is a contradiction. The last clause is empty. This is LRAT (Cruz-Filipe, Heule, Hunt, Kaufmann and
    Schneider-Kamp 2017), with clauses of two literals left unsaid.
    """
    clauses = CoverClauses(claim, integer(budget, 0, MOST_CELLS))
    fixed, lemma = fooling(claim.matrix, "both", apart), [0]
    need(len(fixed) <= clauses.size, "more cells apart than rectangles")
    for number, (row, column) in enumerate(fixed):
        need(claim.matrix.table[row][column] == claim.code, "a cell of another answer")
        for line in (row, claim.matrix.height + column):
            clauses.start |= clauses.falsified(clauses.literal(line, number))
    for lemma, hints in steps_of(claim.matrix, proof, len(clauses.cells)):
        clauses.follow(lemma, hints)
    need(not lemma, "a proof ends with the empty clause")
    return clauses.size + 1


BASE_64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
SIX_BITS = {digit: value for value, digit in enumerate(BASE_64)}


def steps_of(matrix: Matrix, text: Any, cells: int) -> Iterator[tuple[list[int], list[int]]]:
    """The steps of a proof, as clauses and numbers of clauses: those of the cells, then those of the proof.

    A step is a clause, 0, what it follows from, 0. A literal is 2 * variable, and 1 more if it is denied; from one to
    the next, which is larger, the difference is written. A clause is its number and 1 if it is that of a cell, and
    else the number of cells and how many steps ago it was.
    """
    step: tuple[list[int], list[int]] = [], []
    side = place = 0
    for number in written_numbers(matrix, text):
        if number:
            step[side].append(number)
        elif side:
            literals = [-(one >> 1) if one & 1 else one >> 1 for one in accumulate(step[0])]
            yield literals, [one - 1 if one <= cells else 2 * cells + place - one for one in step[1]]
            step, place = ([], []), place + 1
        side ^= not number
    need(not side and not step[0], "a step that is not ended")


def written_numbers(matrix: Matrix, text: Any) -> Iterator[int]:
    """Numbers from a text: five bits to a digit, the least first, and 32 more if there is another one."""
    need(isinstance(text, str), "expected a text")
    matrix.spend(20 * len(text))
    value = shift = 0
    for digit in text:
        bits = SIX_BITS[digit]
        value |= (bits & 31) << shift
        shift += 5
        if bits < 32:
            yield value
            value = shift = 0
        need(shift < 60, "a number of at most 60 bits")
    need(not shift, "a number that is not ended")


class CoverClauses:
    """The clauses of :func:`check_lrat`. A place is a row, or the height and a column, or all lines and the number of a
    cell with the code, row by row; a literal is place * size + rectangle + 1, or less than zero if that is not so."""

    def __init__(self, claim: Claim, size: int) -> None:
        self.matrix, self.size, matrix = claim.matrix, size, claim.matrix
        self.lines, every = matrix.height + matrix.width, (1 << matrix.width) - 1
        self.inside: Table = [[] for _ in range(self.lines)]  # of each line, the places of its cells
        self.foreign: Table = [[] for _ in range(self.lines)]  # and the lines that cross it at another code
        self.cells: list[tuple[int, int]] = []
        matrix.spend(40 * matrix.height * matrix.width, 120 * matrix.height * matrix.width + 300 * self.lines)
        pairs = zip(matrix.masks(claim.code), matrix.allowed(claim.code), strict=True)
        for row, (own, allowed) in enumerate(pairs):
            for column in matrix.places(own):
                for line in (row, matrix.height + column):
                    self.inside[line].append(self.lines + len(self.cells))
                self.cells.append((row, matrix.height + column))
            for column in matrix.places(every & ~allowed):
                self.foreign[row].append(matrix.height + column)
                self.foreign[matrix.height + column].append(row)
        self.most = (self.lines + len(self.cells)) * size
        self.start: set[int] = set()  # literals that are false from the first
        self.covered: dict[int, frozenset[int]] = {}  # clauses of cells
        self.lemmas: list[frozenset[int]] = []
        self.known: dict[int, frozenset[int]] = {}

    def literal(self, place: int, number: int) -> int:
        """That a rectangle of this number has this line, or covers this cell."""
        return place * self.size + number + 1

    def falsified(self, literal: int) -> frozenset[int]:
        """The literals that are false once this one is true, by the clauses of two literals."""
        if literal not in self.known:
            place, number = divmod(integer(abs(literal), 1, self.most) - 1, self.size)
            named = (place,) if place < self.lines else self.cells[place - self.lines]
            true = named if literal > 0 else ()
            lines = {line for one in true for line in self.foreign[one]}
            lines.update([place] if literal < 0 and place < self.lines else [])
            self.matrix.spend(200 + sum([len(self.foreign[line]) for line in true]) * 5)
            steps = sum([len(self.inside[line]) for line in lines])
            self.matrix.spend(12 * (len(lines) + steps), 400 + 150 * (len(lines) + min(steps, len(self.cells))))
            false = lines.union(*(self.inside[line] for line in lines))
            own = {-literal, *(-self.literal(line, number) for line in true)}
            self.known[literal] = frozenset(own.union(self.literal(one, number) for one in false))
        return self.known[literal]

    def clause(self, number: int) -> frozenset[int]:
        """A clause by its number: that of a cell, or one that has been proved."""
        need(number >= 0, "a clause of the proof")
        if number >= len(self.cells):
            return self.lemmas[number - len(self.cells)]
        if number not in self.covered:
            self.matrix.spend(6 * self.size, 300 + 100 * self.size)
            first = self.literal(self.lines + number, 0)
            self.covered[number] = frozenset(range(first, first + self.size))
        return self.covered[number]

    def follow(self, lemma: list[int], hints: list[int]) -> list[int]:
        """Take one more clause, if it follows; which of the hints that took."""
        false: set[int] = set()  # beside those of the start
        used, refuted, steps, start = [], False, 100 + 10 * len(lemma), self.start
        for literal in lemma:
            more = self.falsified(-literal)
            steps += 20 + 5 * len(more)
            false |= more
        for hint in hints:
            clause = self.clause(hint)
            left = clause - false - start
            steps += 25 + 4 * len(clause)
            need(len(left) < 2, "a clause with two literals left")
            refuted = not left
            if refuted:
                used.append(hint)
                break
            (true,) = left
            if -true not in false and -true not in start:
                used.append(hint)
                more = self.falsified(true)
                steps += 20 + 5 * len(more)
                false |= more
        self.matrix.spend(steps + 5 * len(false) * (not refuted), 300 + 100 * len(lemma))
        refuted = refuted or any(-literal in false or -literal in start for literal in false)
        need(refuted, "a clause that does not follow")
        self.lemmas.append(frozenset(lemma))
        return used


# Chapter 8. One message: only the receiver must answer


def conflict(claim: Claim, one: int, other: int) -> bool:
    """Whether two lines of the sender have different answers somewhere: then they need different messages."""
    matrix, party = claim.matrix, claim.party
    matrix.spend(36 + (8 + 2 * matrix.long[party]) * len(matrix.codes))
    free = matrix.masks(-1, party)[other]
    lines = (matrix.masks(code, party) for code in matrix.codes)
    return any(mask[one] & ~(mask[other] | free) for mask in lines)


@proves("distinct-lines", "lower one-way-messages")
def check_distinct(claim: Claim, lines: Any) -> int:
    """Lines of the sender that differ pairwise within the promise: each needs its own message."""
    matrix, size = claim.matrix, (claim.matrix.height, claim.matrix.width)[claim.party]
    shown = [integer(line, 0, size - 1) for line in items(lines)]
    need(len(set(shown)) == len(shown), "a line twice")
    matrix.spend(2 * matrix.height * matrix.width)
    table = list(zip(*matrix.table, strict=True)) if claim.party else matrix.table
    picked = {line: tuple(table[line]) for line in shown}
    if any(-1 in line for line in picked.values()):
        need(all(conflict(claim, a, b) for place, a in enumerate(shown) for b in shown[:place]), "lines that agree")
    need(len(set(picked.values())) == len(picked), "two equal lines")
    return len(picked)


@proves("message-classes", "upper one-way-messages")
def check_classes(claim: Claim, classes: Any) -> int:
    """A message for each line of the sender such that at each place the lines of one message never disagree."""
    matrix, party, taken = claim.matrix, claim.party, dict[int, int]()
    size = (matrix.height, matrix.width)[party]
    messages = [integer(message, 0, size - 1) for message in items(classes, size)]
    for code in matrix.codes:
        matrix.spend((25 + 3 * matrix.long[party]) * size)
        shown = dict.fromkeys(messages, 0)
        for message, mask in zip(messages, matrix.masks(code, party), strict=True):
            shown[message] |= mask
        for message, mask in shown.items():
            need(taken.get(message, 0) & mask == 0, "one message, two answers")
            taken[message] = taken.get(message, 0) | mask
    return len(set(messages))


@proves("branching", "lower one-way-messages", "lower cover", "lower partition")
def check_branching(claim: Claim, budget: Any, proof: Any) -> int:
    """So many messages (rectangles) are not enough: line after line (cell after cell), as the proof names them depth
    first, joins each class that it may join, or is the first of one more class, as long as there are not too many; a
    branch ends where there is no choice. A class is a pair of masks: its lines, or the rows and columns of its cells.
    """
    matrix, size = claim.matrix, integer(budget, 0, MOST_CELLS)
    joined = joined_lines if claim.measure == "one-way-messages" else joined_cells
    room = 300 + (matrix.height + matrix.width) // 7
    stack: list[tuple[Classes, int, Classes]] = [((), 0, ())]  # classes, and by what one of them is replaced
    for item in items(proof):
        classes, place, grown = stack.pop()
        classes, options = (*classes[:place], *grown, *classes[place + 1 :]), []
        for place in range(min(len(classes) + 1, size)):
            matrix.spend(80 + 2 * len(classes))
            now = joined(claim, (*classes, (0, 0))[place], (*classes[:place], *classes[place + 1 :]), item)
            if now is not None:
                options.append((classes, place, (now,)))
        matrix.spend(60, room * len(options))
        stack += options[::-1]
    need(not stack, "a branch that is not followed to its end")
    return size + 1


Classes = tuple[tuple[int, int], ...]


def joined_lines(claim: Claim, own: tuple[int, int], others: Classes, line: Any) -> tuple[int, int] | None:
    """A class with one more line, or None: lines with one message are never in conflict."""
    integer(line, 0, (claim.matrix.height, claim.matrix.width)[claim.party] - 1)
    if any(conflict(claim, line, other) for other in claim.matrix.places(own[0])):
        return None
    return own[0] | 1 << line, 0


def joined_cells(claim: Claim, own: tuple[int, int], others: Classes, cell: Any) -> tuple[int, int] | None:
    """A class with one more cell, or None: cells in one rectangle span one with the code; in a partition, those of
    two classes have no cell of the code in common."""
    ((row, column),), matrix = claim.matrix.cells([cell]), claim.matrix
    masks = matrix.masks(claim.code)
    need(bool(masks[row] >> column & 1), "a cell of another answer")
    rows, columns = own[0] | 1 << row, own[1] | 1 << column
    lines = matrix.places(rows)
    if not all(matrix.fits(claim.code, line, columns) for line in lines):
        return None
    if claim.measure == "partition":
        matrix.spend(len(lines) * len(others) * (16 + matrix.long[0] + matrix.long[1]))
        pairs = ((line, both) for line in lines for r, both in others if r >> line & 1)
        if any(masks[line] & columns & both for line, both in pairs):
            return None
    return rows, columns


def shattered(claim: Claim, mask: int) -> bool:
    """Whether the sender's lines show all 0/1 patterns on these places."""
    zeros, ones = (claim.matrix.masks(code, claim.party) for code in (0, 1))
    claim.matrix.spend((8 + 2 * claim.matrix.long[claim.party]) * len(ones))
    shown = {one & mask for zero, one in zip(zeros, ones, strict=True) if mask & ~(zero | one) == 0}
    return len(shown) == 1 << mask.bit_count()


@proves("shattered", "lower vc-dimension")
def check_shattered(claim: Claim, places: Any) -> int:
    """Places on which the lines show all 0/1 patterns: the VC dimension is at least their number."""
    mask = claim.matrix.lines(places, (claim.matrix.width, claim.matrix.height)[claim.party])
    need(mask.bit_count() <= 22 and shattered(claim, mask), "a pattern is missing")
    return mask.bit_count()


@proves("all-patterns", "lower vc-dimension")
def check_all_patterns(claim: Claim) -> int:
    """The rows of INDEX are all words of n bits, and its columns their n places: all of these show all patterns. It is
    named, and no table of its 2^n rows is written out."""
    name, n = claim.matrix.function or ("", 0)
    need(name == "index" and claim.party == 0, "Alice's words for INDEX")
    return n


@proves("vc-listing", "upper vc-dimension")
def check_vc_listing(claim: Claim, at_most: Any) -> int:
    """The checker lists all shattered sets, each from a smaller one (a part of a shattered set is shattered), unless
    there are too few different lines for the patterns of one more place."""
    matrix, size = claim.matrix, (claim.matrix.width, claim.matrix.height)[claim.party]
    lines = set(zip(*(matrix.masks(code, claim.party) for code in (0, 1)), strict=True))
    stack: list[tuple[int, ...]] = [()] if 2 << integer(at_most, 0, 22) <= len(lines) else []
    while stack:
        chosen = stack.pop()
        need(len(chosen) <= at_most, "a larger shattered set")
        mask = sum([1 << place for place in chosen])
        for place in range(chosen[-1] + 1 if chosen else 0, size):
            matrix.spend(20 + 2 * matrix.long[claim.party], 120)
            if shattered(claim, mask | 1 << place):
                stack.append((*chosen, place))
    return int(at_most)


def sender_cells(claim: Claim, cells: Any) -> tuple[list[Table], int]:
    """For each answer, what cells of a distribution weigh that have it, lines of the sender as rows; and the unit."""
    matrix, listed = claim.matrix, claim.matrix.cells(cells, 1)
    shares = {(row, column): rational(text) for row, column, text in listed}
    good = all(share > 0 and matrix.table[i][j] >= 0 for (i, j), share in shares.items())
    scale = common_scale(shares.values(), 1024)
    need(good and len(shares) == len(listed) and sum(shares.values()) == 1, "shares of promised cells, with sum 1")
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


@proves("hard-for-messages", "upper one-way success", "lower one-way-randomised")
def check_hard_for_messages(claim: Claim, bits: Any, cells: Any) -> Value:
    """A distribution, as for :func:`check_hard`, and one message of so many bits: it divides the lines of the sender,
    and for each message and each line of the receiver the answer of most weight is given. With twice as many messages,
    lines are divided in two in the best way, by dynamic programming over sets of lines."""
    integer(bits, 0, 64)
    answers, scale = sender_cells(claim, cells)
    size, width = len(answers[0]), len(answers[0][0])
    times = min(bits, (size - 1).bit_length())  # more messages than lines are of no use
    long = 1 + (scale.bit_length() >> 7)
    claim.matrix.spend(
        (4 * len(answers) * width * long + 40 << size) + 8 * 3**size * times * long,
        (40 + scale.bit_length() // 7) * (len(answers) * width + 5) << size,
    )
    sums = zip(*(sums_of_sets(table) for table in answers), strict=True)
    best = [sum(map(max, *lines)) if len(lines) > 1 else sum(lines[0]) for lines in sums]
    for _ in range(times - 1):
        best = in_two(best, best)
    most = max(map(add, best, best[::-1])) if times else best[-1]
    if claim.measure == "one-way success":
        need(claim.parameters["bits"] <= bits, "fewer bits than claimed")
        return Fraction(most, scale)
    need(Fraction(most, scale) < 1 - claim.error, "a message of so few bits errs little enough")
    return int(bits) + 1


@proves("message-mixture", "lower one-way success", "upper one-way-randomised")
def check_message_mixture(claim: Claim, protocols: Any) -> Value:
    """Protocols of one message with probabilities: each has a message for each line of the sender, and for each message
    the answers of the receiver. Success is counted on each promised cell."""
    entries = [fields(entry, "weight", "messages", "answers") for entry in items(protocols)]
    weights, matrix = [rational(text) for text, *_ in entries], claim.matrix
    scale = common_scale(weights)
    need(min(weights, default=0) >= 0 and sum(weights) == 1, "weights of at least zero, with sum 1")
    matrix.spend(4 * matrix.height * matrix.width, 16 * matrix.height * matrix.width)
    lines = list(zip(*matrix.table, strict=True)) if claim.party else matrix.table
    right, most = [[0] * len(lines[0]) for _ in lines], 1
    for weight, (_, messages, answers) in zip(weights, entries, strict=True):
        matrix.spend(
            (10 + (scale.bit_length() >> 6)) * matrix.height * matrix.width + 50, 8 * matrix.height * matrix.width
        )
        said, share = [items(line, len(lines[0])) for line in items(answers)], scaled(weight, scale)
        most = max(most, len(said))
        for place, (message, line) in enumerate(zip(items(messages, len(lines)), lines, strict=True)):
            told = said[integer(message, 0, len(said) - 1)]
            pairs = zip(right[place], line, told, strict=True)
            right[place] = [sum_ + share if cell == answer else sum_ for sum_, cell, answer in pairs]
    cells = (pair for both in zip(lines, right, strict=True) for pair in zip(*both, strict=True))
    success = Fraction(min((value for cell, value in cells if cell >= 0), default=scale), scale)
    if claim.measure == "one-way success":
        need(most <= 1 << claim.parameters["bits"], "more messages than bits allow")
        return success
    need(success >= 1 - claim.error, "too much error on some cell")
    return bits_for(most)


# Chapter 9. Weights on cells and on rectangles


def extremes(matrix: Matrix, values: Table) -> tuple[int, int]:
    """The largest sum over a rectangle, and that of the opposite values: for each set of lines of the smaller side (in
    Gray code, so that one line comes or goes at a time), the lines across whose sum is positive (negative) are best.
    At least 0: no lines."""
    matrix.spend(2 * matrix.height * matrix.width)
    lines = [list(row) for row in values if any(row)]
    across = [list(column) for column in zip(*lines, strict=True) if any(column)]
    lines = across if len(across) < len(lines) else [list(row) for row in zip(*across, strict=True)]
    if not lines:
        return 0, 0
    need(len(lines) <= 24, "too many lines to try all sets of")
    bits = max(abs(value) for line in lines for value in line).bit_length()
    matrix.spend((len(lines[0]) * (2 + 2 * (bits > 30) + (bits >> 7)) + 15) << len(lines))
    sums, chosen, total, most, least = [0] * len(lines[0]), 0, 0, 0, 0
    totals, opposite = list(map(sum, lines)), [[-value for value in line] for line in lines]
    for step in range(1, 1 << len(lines)):
        place = (step & -step).bit_length() - 1
        chosen ^= 1 << place
        come = chosen >> place & 1
        sums = list(map(add, sums, lines[place] if come else opposite[place]))
        total += totals[place] if come else -totals[place]
        both = sum(map(abs, sums))  # positive sums less negative ones; the total is positive ones and negative ones
        most, least = max(most, both + total), max(least, both - total)
    return most // 2, least // 2


def integer_table(matrix: Matrix, given: Any, low: int) -> Table:
    """A table of integers, one per cell."""
    matrix.spend(10 * matrix.height * matrix.width + 30 * matrix.height)
    rows = [items(row, matrix.width) for row in items(given, matrix.height)]
    return [[integer(value, low, 1 << 80) for value in row] for row in rows]


def signed(claim: Claim) -> tuple[Table, int]:
    """The weights of a distribution with the sign of the answer (1: +, 0: -), and their sum."""
    need(set(claim.matrix.codes) <= {0, 1}, "answers 0 and 1")
    table = integer_table(claim.matrix, claim.parameters["weights"], 0)
    pairs = [list(zip(row, line, strict=True)) for row, line in zip(claim.matrix.table, table, strict=True)]
    need(any(map(any, table)), "some weight")
    need(not any(weight for row in pairs for cell, weight in row if cell < 0), "a weight off the promise")
    return [[weight if cell == 1 else -weight for cell, weight in row] for row in pairs], sum(map(sum, table))


@proves("biased-rectangle", "lower discrepancy")
def check_biased_rectangle(claim: Claim, rectangle: Any) -> Fraction:
    """One rectangle: the discrepancy, the largest |weight of 1s less weight of 0s|, is at least its own."""
    values, total = signed(claim)
    rows, columns = claim.matrix.rectangle(*items(rectangle, 2))
    return Fraction(abs(inside(claim.matrix, values, rows, columns)), total)


@proves("all-sets", "upper discrepancy")
def check_all_sets(claim: Claim) -> Fraction:
    """The checker tries all rectangles: the discrepancy itself."""
    values, total = signed(claim)
    return Fraction(max(extremes(claim.matrix, values)), total)


@proves("spectral", "upper discrepancy")
def check_spectral(claim: Claim, doublings: Any, value: Any) -> Fraction:
    """|A(R)| <= sqrt(X Y) ||A|| with X rows and Y columns that have weight, and ||A||^2k <= the largest absolute row
    sum of (A A^T)^k: so value v is proved if (v W)^2k >= (X Y)^k times that row sum, W the sum of all weights."""
    (values, total), power, proved = signed(claim), integer(doublings, 0, 7), rational(value)
    height, width = sum(map(any, values)), sum(map(any, zip(*values, strict=True)))
    if len(values) > len(values[0]):
        values = [list(column) for column in zip(*values, strict=True)]
    claim.matrix.spend(4 * len(values) ** 2 * (len(values[0]) + power * len(values) << power))
    for _ in range(power + 1):  # A A^T, and then its squares: it is symmetric
        values = [[sum([a * b for a, b in zip(row, other, strict=True)]) for other in values] for row in values]
    most = (height * width) ** (1 << power) * max(sum(map(abs, row)) for row in values)
    need(proved >= 0 and (proved * total) ** (2 << power) >= most, "too small a value")
    return proved


@proves("diagonals", "upper discrepancy")
def check_diagonals(claim: Claim, most: Any, least: Any) -> Fraction:
    """Weights of lines that bound the sum over every rectangle, see :func:`no_rectangle_above`, and the same for the
    opposite values."""
    values, total = signed(claim)
    opposite = [[-value for value in row] for row in values]
    sides = zip((values, opposite), (most, least), strict=True)
    return max(no_rectangle_above(claim.matrix, table, given) for table, given in sides) / total


def no_rectangle_above(matrix: Matrix, values: Table, diagonal: Any) -> Fraction:
    """At most so much is the sum of a table V over any rectangle, by a weight d for the whole and one for each line.

    Let s and t be 1 on the lines of the rectangle, else -1. With the sums a of rows of V, b of columns, and c of all,
    four times the sum is c + a s + b t + s V t. If [[2d, -a, -b], [-a, 2D, -V], [-b, -V^T, 2E]] is positive
    semidefinite, then its form at (1, s, t) says that this is at most c + d + sum of D + sum of E."""
    size = 1 + matrix.height + matrix.width
    need(size <= 520, "at most 519 lines")
    weights = [rational(text) for text in items(diagonal, size)]
    scale = common_scale(weights, 256)
    matrix.spend(10 * size**2, 120 * size**2)
    sums = [*map(sum, values), *map(sum, zip(*values, strict=True))]
    lower = [[-scale * sums[place - 1] for _ in range(place > 0)] + [0] * place for place in range(size)]
    for row, line in enumerate(values, 1):
        for column, value in enumerate(line, matrix.height + 1):
            lower[column][row] = -scale * value
    for place, weight in enumerate(weights):
        lower[place][place:] = [2 * scaled(weight, scale)]
    nearly_factorised(matrix, lower)
    return (sum(map(sum, values)) + sum(weights, Fraction(0))) / 4


@proves("distribution", "upper least-discrepancy")
def check_distribution(claim: Claim, weights: Any, of: Any) -> Value:
    """The least discrepancy of all distributions is at most that under the one given."""
    return claim.other(of, measure="discrepancy", parameters={"weights": weights})


@proves("weighted-rectangles", "upper rectangle-bound", "upper partition-bound", "lower least-discrepancy")
def check_weighted_rectangles(claim: Claim, rectangles: Any) -> Fraction:
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
    triples = (cell for lines in zip(matrix.table, every, right, strict=True) for cell in zip(*lines, strict=True))
    if claim.measure == "least-discrepancy":
        need(total > 0 and {*matrix.codes, *(code for _, _, code, _ in listed)} <= {0, 1}, "some weight, answers 0, 1")
        worst = min(2 * own - all_ for cell, all_, own in triples if cell >= 0)
        return max(Fraction(0), Fraction(worst, sum(shares)))
    need(partition or all(code == claim.code for _, _, code, _ in listed), "a rectangle of another answer")
    least, most = (1 - claim.error) * scale, claim.error * scale
    matrix.spend((30 + (scale.bit_length() >> 6)) * matrix.height * matrix.width)
    for cell, weight, own in triples:
        if partition:
            need(weight == scale and (cell < 0 or own >= least), "a cell with other weight than 1, or too much error")
        elif cell == claim.code:
            need(least <= weight and (weight <= scale or not claim.parameters["smooth"]), "too little or much weight")
        else:
            need(cell < 0 or weight <= most, "too much weight on another answer")
    return total


@proves("cell-weights", "lower rectangle-bound", "lower partition-bound")
def check_cell_weights(claim: Claim, cells: Any) -> Fraction:
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
    need(len(given) == len(listed), "different cells")
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
        most = max(most, extremes(matrix, values)[0])
    gain = (1 - claim.error) * sum(mu for mu, _ in weights.values()) + sum(phi for _, phi in weights.values())
    return max(Fraction(0), gain / most) if most else Fraction(0)


# Chapter 10. The gamma_2 norm
# Of the signs A: 1 on cells of a label, -1 on others, 0 off the promise.


def positive(matrix: Matrix, triangle: Any) -> list[list[Fraction]]:
    """A symmetric rational matrix, from its rows up to the diagonal, once it is seen to be positive semidefinite: up to
    80 lines by elimination in integers (Bareiss 1968). Pivots stay positive multiples of those of L D L^T, and a zero
    pivot must head a zero row. For more lines, see :func:`nearly_factorised`."""
    size = len(items(triangle))
    need(0 < size <= 520, "at most 520 lines of a Gram matrix")
    matrix.spend(400 * size**2, 400 * size**2)
    lower = [[rational(text) for text in items(row, place + 1)] for place, row in enumerate(triangle)]
    full = [[lower[max(i, j)][min(i, j)] for j in range(size)] for i in range(size)]
    scale = common_scale(entry for row in lower for entry in row)
    if size > 80:
        nearly_factorised(matrix, [[scaled(entry, scale) for entry in row] for row in lower])
        return full
    rows, previous = [[int(entry * scale) for entry in row] for row in full], 1
    need(size * most_bits_of(rows) <= 1 << 14, "numbers that get too long")
    matrix.spend(size**3 * (30 + ((size * most_bits_of(rows)) ** 2 >> 18)))
    while rows:
        pivot, *head = rows[0]
        need(pivot > 0 or (pivot == 0 and not any(head)), "a matrix that is not positive semidefinite")
        rest = [row[1:] for row in rows[1:]]
        if pivot:
            rest = [
                [(pivot * entry - top * left) // previous for entry, top in zip(row, head, strict=True)]
                for row, left in zip(rest, head, strict=True)
            ]
            previous = pivot
        rows = rest
    return full


def nearly_factorised(matrix: Matrix, lower: Table) -> None:
    """Refuse unless a symmetric integer matrix, given up to its diagonal, is seen to be positive semidefinite.

    Cholesky's factor L is computed in integers, each entry rounded. What is left, S - L L^T, has entries of at most
    half a diagonal entry of L. Diagonal entries of L are so small that on each diagonal place at least the sum of all
    that is left in its row remains: a symmetric matrix of this kind is positive semidefinite, and so is S. Before, S
    is multiplied by a power of 4, so that little is lost."""
    size, factor = len(lower), Table()
    used = max(most_bits_of(lower), 1)
    need(used <= 256, "shorter numbers")
    shift = 2 * max(0, 64 - used // 2)
    matrix.spend(size**3 * (1 + (used >> 7)), 80 * size**2)
    for place, row in enumerate(lower):
        line, lost = list[int](), 0
        for other, entry in zip(factor, row, strict=False):
            rest = (entry << shift) - sum(map(mul, line, other))
            near = (2 * rest + other[-1]) // (2 * other[-1])
            line.append(near)
            lost += abs(rest - near * other[-1])
        rest = (row[-1] << shift) - sum(map(mul, line, line))
        most = isqrt(max(rest, 0))
        rest -= lost + (size - place) * (most // 2 + 1)
        need(rest > 0, "a matrix that is not seen to be positive semidefinite")
        factor.append([*line, isqrt(rest)])


def most_bits_of(rows: Table) -> int:
    """The bits of the longest number."""
    return max(entry.bit_length() for row in rows for entry in row)


def sign(claim: Claim, cell: int) -> int:
    """The sign of an answer."""
    return 0 if cell < 0 else 1 if cell == claim.parameters["label"] else -1


@proves("gamma2-dual", "lower gamma_2")
def check_gamma2_dual(claim: Claim, gram: Any, rows: Any, columns: Any) -> Fraction:
    """A matrix W on some rows and columns, and diagonals D, E with [[D, -W], [-W^T, E]] positive semidefinite.

    If B = <x_i, y_j> with |x_i|^2, |y_j|^2 <= g, then 2 sum W B <= sum D_i |x_i|^2 + sum E_j |y_j|^2 <= g (tr D + tr
    E): so gamma_2(B) >= 2 <W, B> / (tr D + tr E). A matrix B with 1 <= A B <= alpha (|B| <= alpha off the promise) has
    <W, B> >= the sum of (A W)^+ - alpha (A W)^-, and off the promise -alpha |W|.
    """
    full, part, value = positive(claim.matrix, gram), claim.matrix.part(rows, columns), Fraction(0)
    above, alpha, size = part.height, rational(claim.parameters["alpha"]), len(full)
    need(part.height + part.width == size, "one line of the block matrix per row and column")
    blocks = [range(above), range(above, size)]
    need(not any(full[i][j] for block in blocks for i in block for j in block if i != j), "D and E are diagonal")
    total = sum((full[i][i] for i in range(size)), Fraction(0))
    need(total > 0, "diagonals that are not zero")
    for cells, line in zip(part.table, full, strict=False):
        for cell, entry in zip(cells, line[above:], strict=True):
            product = -sign(claim, cell) * entry
            value += product if product > 0 else alpha * (product if product else -abs(entry))
    return 2 * value / total


@proves("gamma2-gram", "upper gamma_2")
def check_gamma2_gram(claim: Claim, gram: Any, rows: Any, columns: Any) -> Fraction:
    """A positive semidefinite [[P, B], [B^T, Q]] is the Gram matrix of vectors x_i, y_j with <x_i, y_j> = B_ij.

    With 1 <= A B <= alpha on promised cells and |B| <= alpha off them, gamma_2^alpha(A) is at most the largest entry
    of the diagonal. ``rows`` and ``columns`` say which line of the matrix each row and column has.
    """
    full, matrix, alpha = positive(claim.matrix, gram), claim.matrix, rational(claim.parameters["alpha"])
    mine, yours = ([integer(line, 0, len(full) - 1) for line in items(lines, count)]
                   for lines, count in ((rows, matrix.height), (columns, matrix.width)))  # fmt: skip
    matrix.spend(10 * matrix.height * matrix.width)
    lines = [zip([i] * matrix.width, yours, cells, strict=True) for i, cells in zip(mine, matrix.table, strict=True)]
    for i, j, cell in {entry for line in lines for entry in line}:
        own, entry = sign(claim, cell), full[i][j]
        need(1 <= own * entry <= alpha if own else abs(entry) <= alpha, "an entry outside its bounds")
    return max(full[place][place] for place in range(len(full)))


@proves("norm", "lower approximate-rank")
def check_norm(claim: Claim, of: Any) -> int:
    """At least (gamma_2^alpha / alpha)^2, with alpha = (1 + e) / (1 - e).

    Let B be within e of the signs, and of rank r. With W, D, E as in :func:`check_gamma2_dual`, W = sqrt(D) K sqrt(E)
    for a matrix K of norm at most 1: so <W, B> is at most the sum of the singular values of sqrt(D) B sqrt(E), which
    is at most sqrt(r) times the root of the sum of their squares, sum of D_i B_ij^2 E_j <= (1 + e)^2 tr D tr E. So
    2 <W, B> / (tr D + tr E) <= sqrt(r) (1 + e), and B / (1 - e) is a matrix as there.
    """
    alpha = (1 + claim.error) / (1 - claim.error)
    parameters = {"label": claim.parameters["label"], "alpha": f"{alpha.numerator}/{alpha.denominator}"}
    value = max(Fraction(0), Fraction(claim.other(of, measure="gamma_2", parameters=parameters)) / alpha) ** 2
    return -(-value.numerator // value.denominator)


# Chapter 11. Leaves of protocols
# How few a tree has that is right. A table of numbers below 2^15 is one long integer, with a lane of 16 bits for each.

LANE, FAR = 16, 1 << 13


@proves("leaf-rank", "lower leaves")
def check_leaf_rank(claim: Claim, primes: Any) -> int:
    """As many leaves as the ranks of all answers, see :func:`leaves_by_rank`."""
    return leaves_by_rank(claim.matrix, claim.answer, (-1, -1), primes)


@proves("khrapchenko", "lower leaves")
def check_khrapchenko(claim: Claim, cells: Any) -> int:
    """Cells of which no two in a line share a right answer, if both must know it (Khrapchenko 1971, for formulas).

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
        for party in (0, 1):
            need(
                len({cell[party] for cell in shared}) == len(shared),
                "two cells in a line with a right answer in common",
            )
    area = len({row for row, _ in listed}) * len({column for _, column in listed})
    return -(-(len(listed) ** 2) // area)


@proves("all-rectangles", "lower leaves", "lower deterministic")
def check_all_rectangles(claim: Claim, rows: Any, columns: Any) -> int:
    """What a protocol for some rows and columns takes, and so at least one for all: by dynamic programming over all
    rectangles in them. One that is no leaf is first split, by either party, in two: it has the leaves of both halves,
    and one bit more than the worse one. (More than FAR is not counted, which changes no claim but to a weaker one.)

    Sets of lines are numbers. Those of the party by which a leaf is told are done by size, with a lane for each set
    across; then, with a lane for each set of that size, the sets across.
    """
    matrix, party = claim.matrix, int(claim.answer == "bob")
    pair = [matrix.places(mask) for mask in matrix.rectangle(rows, columns)]
    own, across = pair[party], pair[1 - party]
    m, n = len(own), len(across)
    need(0 < m <= 16 and 0 < n <= 16, "from 1 to 16 rows and columns")
    counted = claim.measure == "leaves"
    matrix.spend(work_of_all(m, n, counted), 8 << m + n)
    least = b"\1\0" if counted else b"\0\0"
    known = []
    for sets in leaf_sets(claim, own, across):
        text = f"{sets:0{1 << n}b}"[::-1].encode()
        known.append(int.from_bytes(text.replace(b"0", FAR.to_bytes(2, "little")).replace(b"1", least), "little"))
    for size in range(1, m + 1):
        group = [one for one in range(1 << m) if one.bit_count() == size]
        for one in group:
            known[one] = best_split(known, one, 1 << n, counted)
        turned = lanes_turned([known[one] for one in group], 1 << n)
        for other in range(1, 1 << n):
            turned[other] = best_split(turned, other, len(group), counted)
        for one, values in zip(group, lanes_turned(turned, len(group)), strict=True):
            known[one] = values
    return known[-1] >> LANE * ((1 << n) - 1)


def work_of_all(own: int, across: int, counted: bool) -> int:
    """What it takes to go through all rectangles of so many lines, for leaves or for bits."""
    return int(24 * (3**own + own * 3**across) + (3**own * 2**across + 2**own * 3**across) // (4 if counted else 2))


def leaf_sets(claim: Claim, own: list[int], across: list[int]) -> list[int]:
    """For each set of own lines, the sets across that are a leaf with it, a bit for each: one answer is right on all
    cells, or, for a party that alone must know it, one on each of its lines."""
    matrix, count, right = claim.matrix, len(across), []
    for code in matrix.codes or [-1]:
        matrix.spend((20 + (1 << count) // 256) << len(own))
        allowed, options = matrix.allowed(code, int(claim.answer == "bob")), []
        for line in own:
            sets = 1
            for place in [place for place, other in enumerate(across) if allowed[line] >> other & 1]:
                sets |= sets << (1 << place)
            options.append(sets)
        right.append(options)
    if claim.answer != "both":
        right = [[reduce(or_, options) for options in zip(*right, strict=True)]]
    found = [0] * (1 << len(own))
    for options in right:
        shared = [(1 << (1 << count)) - 1]
        for sets in options:
            shared += [old & sets for old in shared]
        found = list(map(or_, found, shared))
    return found


def best_split(known: list[int], lines: int, count: int, counted: bool) -> int:
    """What a set of lines takes, lane by lane, once it may be split in two in any way: leaves, or else bits."""
    ones = int.from_bytes(b"\1\0" * count, "little")
    guard, best, part = ones << LANE - 1, known[lines], (lines - 1) & lines
    while part > lines ^ part:
        one, other = known[part], known[lines ^ part]
        both = one + other
        if not counted:
            both += ones - lower_lanes(one, other, guard)  # the higher, and one
        best = lower_lanes(best, both, guard)
        part = (part - 1) & lines
    return best


def lower_lanes(one: int, other: int, guard: int) -> int:
    """In each lane the lower of two numbers; ``guard`` has the highest bit of each lane."""
    above = ((one | guard) - other) & guard
    return one ^ ((one ^ other) & (above - (above >> LANE - 1)))


def lanes_turned(lines: list[int], count: int) -> list[int]:
    """A table of lanes by columns instead of rows, of which each has so many."""
    cells = memoryview(b"".join([line.to_bytes(2 * count, "little") for line in lines])).cast("H")
    return [int.from_bytes(cells[place::count].tobytes(), "little") for place in range(count)]


# Chapter 12. More than two parties
# Each has an input in its hand, and all read a blackboard. The rows of the matrix are the inputs of the first party,
# its columns those of all others together, in lexicographic order; a box is a set of inputs for each party.


def sizes_of(claim: Claim) -> list[int]:
    """How many inputs each party has."""
    sizes = list(claim.parameters["parties"])
    need(sizes[0] == claim.matrix.height and prod(sizes[1:]) == claim.matrix.width, "a matrix of these parties")
    return sizes


def columns_of(sizes: list[int], masks: list[int]) -> int:
    """The columns of a set of inputs for each party but the first."""
    found, stride = 1, 1
    for size, mask in zip(sizes[:0:-1], masks[:0:-1], strict=True):
        found = reduce(or_, (found << place * stride for place in range(size) if mask >> place & 1), 0)
        stride *= size
    return found


@proves("board-tree", "upper blackboard")
def check_board_tree(claim: Claim, tree: Any) -> int:
    """A protocol, as a tree: at a node party number ``speaker`` (0, 1, ...) writes 1 if its input is among ``ones``,
    else 0. Its depth is enough, once every cell of the box at each leaf has the answer there, or is free."""
    matrix, sizes, deepest = claim.matrix, sizes_of(claim), 0
    stack: list[tuple[Any, list[int], int]] = [(tree, [(1 << size) - 1 for size in sizes], 0)]
    while stack:
        node, masks, depth = stack.pop()
        matrix.spend(150 + sum(sizes))
        need(isinstance(node, dict), "a node is an object")
        if "speaker" in node:
            speaker, inputs, zero, one = fields(node, "speaker", "ones", "zero", "one")
            ones = matrix.lines(inputs, sizes[integer(speaker, 0, len(sizes) - 1)])
            for child, part in ((zero, ~ones), (one, ones)):
                own = [mask & part if party == speaker else mask for party, mask in enumerate(masks)]
                stack.append((child, own, depth + 1))
            continue
        answer, deepest = integer(fields(node, "answer")[0], 0, CODES), max(deepest, depth)
        matrix.spend(20 * sum(sizes) + sum(sizes) * (matrix.width >> 9))
        across = columns_of(sizes, masks)
        good = all(matrix.fits(answer, row, across) for row in matrix.places(masks[0]))
        need(good, "a wrong answer at a leaf")
    return deepest


@proves("all-boxes", "lower blackboard")
def check_all_boxes(claim: Claim, inputs: Any) -> int:
    """The least depth for some inputs of each party, and so at least one for all, by dynamic programming over all boxes
    of these: a leaf has one answer; any other box is split in two, in the best way, by one of the parties, and takes a
    bit more than the worse half. A box is a number, the sets of its parties side by side: its parts are before it."""
    matrix, whole, offsets, total = claim.matrix, sizes_of(claim), list[int](), 0
    chosen = [[integer(place, 0, size - 1) for place in items(own)] for own, size in
              zip(items(inputs, len(whole)), whole, strict=True)]  # fmt: skip
    need(all(0 < len(own) == len(set(own)) for own in chosen), "different inputs of each party")
    for own in chosen:
        offsets.append(total)
        total += len(own)
    need(total <= 22, "too many boxes")
    count = 1 << total
    splits = sum(3 ** len(own) * (count >> len(own)) for own in chosen) // 2
    matrix.spend(10 * splits + 60 * count * len(chosen), 80 * count)
    seen, least = [0] * count, [0] * count  # the answers in a box, as a mask
    for cell in product(*map(enumerate, chosen)):
        box, place = sum(1 << offset + number for offset, (number, _) in zip(offsets, cell, strict=True)), 0
        for size, (_, one) in zip(whole, cell, strict=True):
            place = place * size + one
        code = matrix.table[place // matrix.width][place % matrix.width]
        seen[box] = 0 if code < 0 else 1 << matrix.codes.index(code)
    for box in range(count):
        sets = [(offset, box >> offset & (1 << len(own)) - 1) for offset, own in zip(offsets, chosen, strict=True)]
        wide = [(offset, mask) for offset, mask in sets if mask & mask - 1]
        if not wide or not all(mask for _, mask in sets):
            continue
        offset, mask = wide[0]
        seen[box] = seen[box ^ (mask & -mask) << offset] | seen[box ^ (mask & mask - 1) << offset]
        if seen[box] & seen[box] - 1:
            least[box] = 1 + best_of_boxes(least, box, wide)
    return least[-1]


def best_of_boxes(least: list[int], box: int, wide: list[tuple[int, int]]) -> int:
    """The best worse half over all splits of a box by a party with several inputs."""
    best = FAR
    for offset, mask in wide:
        part = (mask - 1) & mask
        while part > mask ^ part:
            best = min(best, max(least[box ^ part << offset], least[box ^ (mask ^ part) << offset]))
            part = (part - 1) & mask
    return best


@proves("merged", "lower blackboard")
def check_merged(claim: Claim, parties: Any, of: Any) -> Value:
    """Two parties can play all: one the ``parties``, the other the rest. So what two need in bits, all need."""
    sizes, matrix = sizes_of(claim), claim.matrix
    mine = [integer(party, 0, len(sizes) - 1) for party in items(parties)]
    need(0 < len(set(mine)) == len(mine) < len(sizes), "some of the parties, and not all")
    matrix.spend(12 * len(sizes) * matrix.height * matrix.width, 9 * matrix.height * matrix.width)
    order = [*mine, *(party for party in range(len(sizes)) if party not in mine)]
    strides = [prod(sizes[party + 1 :]) for party in range(len(sizes))]
    places = [0]
    for party in order:
        places = [place + strides[party] * one for place in places for one in range(sizes[party])]
    width = prod(sizes[party] for party in order[len(mine) :])
    cells = [matrix.table[place // matrix.width][place % matrix.width] for place in places]
    table = [cells[start : start + width] for start in range(0, len(cells), width)]
    plain = {"answer": "both", "rounds": None, "first": None}
    return claim.other(of, matrix=Matrix(table, matrix.left), measure="deterministic", parameters=plain)


# Chapter 13. Information
# What protocols without error reveal of inputs in {0, 1} x {0, 1}, in bits, whatever their length and their coins. As
# they talk, the inputs have weights prior(x, y) u_x v_y: what Alice says changes u alone, and what Bob says v. Let
# u = (1 - s, s) and v = (1 - t, t), and begin at s = t = 1/2.

PLACES = 48
Edges = dict[tuple[int, int], tuple[int, int]]  # (party, place): the prior of the two cells of a line


def log2_between(number: int) -> tuple[int, int]:
    """Integers around the logarithm, in units of 2^-PLACES: digit after digit, by squaring a mantissa of 160 bits that
    is kept between two integers."""
    whole = number.bit_length() - 1
    low = (number << 160) >> whole
    high, digits = low + (low << whole != number << 160), 0
    for left in range(PLACES - 1, -1, -1):
        low, high, digits = low * low >> 160, -(-high * high >> 160), 2 * digits
        if low >> 161:
            low, high, digits = low >> 1, -(-high >> 1), digits + 1
        elif high >> 161:  # not told apart
            return (whole << PLACES) + (digits << left), (whole << PLACES) + (digits + 2 << left)
    return (whole << PLACES) + digits, (whole << PLACES) + digits + 1


def log2_bound(value: Fraction, above: bool) -> Fraction:
    """A rational at most, or at least, the logarithm of a positive one."""
    one, other = log2_between(value.numerator), log2_between(value.denominator)
    return Fraction(one[above] - other[not above], 1 << PLACES)


def pair_entropy(p: Fraction, q: Fraction, above: bool) -> Fraction:
    """A bound on p log((p + q) / p) + q log((p + q) / q), which is 0 if p or q is."""
    if not p or not q:
        return Fraction(0)
    return p * log2_bound((p + q) / p, above) + q * log2_bound((p + q) / q, above)


def uncertainty(claim: Claim, above: bool) -> tuple[Fraction, int]:
    """A bound on H(X | Y) + H(Y | X), or, for what an onlooker learns, on H(X, Y), times the sum of the prior; that."""
    prior, matrix = claim.parameters["prior"], claim.matrix
    need(matrix.height == matrix.width == 2 and len(matrix.codes) > 1, "two inputs each, and different answers")
    found, total = Fraction(0), sum(prior)
    for place, weight in enumerate(prior):
        row, column = weight + prior[place ^ 1], weight + prior[place ^ 2]
        inside = (
            Fraction(row * column, weight**2 or 1)
            if claim.parameters["cost"] == "internal"
            else Fraction(total, weight or 1)
        )
        found += weight * log2_bound(inside, above) if weight else 0
    claim.matrix.spend(20_000)
    return found, total


def settled_edges(claim: Claim) -> Edges:
    """The lines of the table with one answer, as (party, place), each with the prior of its cells: once it is known
    that an input is there, what is left to learn is the entropy of these two, whoever looks."""
    prior, table, found = claim.parameters["prior"], claim.matrix.table, Edges()
    for party, line in product((0, 1), (0, 1)):
        cells = [(line, other) if party == 0 else (other, line) for other in (0, 1)]
        if len({table[x][y] for x, y in cells} - {-1}) < 2:
            one, other = (prior[2 * x + y] for x, y in cells)
            found[party, line] = one, other
    return found


@proves("biconcave", "lower information-cost")
def check_biconcave(claim: Claim, rows: Any, columns: Any, values: Any) -> Fraction:
    """A function g on a grid of places s and t, concave along its lines, at least 0 at the corners, and at least the
    entropy that is left on an edge where the answer is settled.

    A message reveals what it lowers H(X | Y) + H(Y | X) by in the mean (H(X, Y) for an onlooker). So what is revealed
    in all is that at the beginning less its mean at the ends, where the answer is settled: on such an edge, or at a
    corner. Let g go on bilinearly between its places: along a line it is a mean of concave sequences, so it is concave,
    and its mean after a message is not above what it was. So the mean of what is left at the ends is at most
    g(1/2, 1/2), where the weights are a quarter of the prior. On an edge the entropy is below its tangents; on each
    interval g is above the one in the middle.
    """
    matrix, (beginning, total) = claim.matrix, uncertainty(claim, False)
    s, t = ([rational(text) for text in items(places)] for places in (rows, columns))
    for places in (s, t):
        good = 2 < len(places) <= 1000 and places[0] == 0 and places[-1] == 1 and Fraction(1, 2) in places
        need(good and all(one < other for one, other in pairwise(places)), "places from 0 to 1 in order, and 1/2")
    whole, unit = lines_of_rationals(matrix, values, len(s), len(t))
    turned = [list(column) for column in zip(*whole, strict=True)]
    for places, lines in ((t, whole), (s, turned)):
        scale = common_scale(places, 1 << 10)
        steps = [scaled(other - one, scale) for one, other in pairwise(places)]
        matrix.spend(60 * len(s) * len(t))
        for line in lines:
            rises = [other - one for one, other in pairwise(line)]
            pairs = zip(pairwise(rises), pairwise(steps), strict=True)
            need(all(one * after >= other * before for (one, other), (before, after) in pairs), "not concave")
    need(min(whole[0][0], whole[0][-1], whole[-1][0], whole[-1][-1]) >= 0, "below 0 at a corner")
    for (party, place), pair in settled_edges(claim).items():
        edge = (whole if party == 0 else turned)[-place]
        matrix.spend(20_000 * len(edge))
        above_entropy(pair, t if party == 0 else s, [Fraction(value, unit) for value in edge])
    left = Fraction(whole[s.index(Fraction(1, 2))][t.index(Fraction(1, 2))], unit)
    return max(Fraction(0), (beginning - 4 * left) / total)


def above_entropy(pair: tuple[int, int], places: list[Fraction], edge: list[Fraction]) -> None:
    """Whether values on an edge, and lines between them, are at least the entropy of (1 - z) p and z q at all z."""
    p, q = pair
    need(min(edge) >= 0, "below 0 on an edge")
    for (low, high), ends in zip(pairwise(places), pairwise(edge), strict=True):
        middle = (low + high) / 2
        if p and q:
            mass = p * (1 - middle) + q * middle
            slopes = log2_bound(mass / (p * (1 - middle)), True), log2_bound(mass / (q * middle), True)
            tangent = (p * (1 - z) * slopes[0] + q * z * slopes[1] for z in (low, high))
            need(
                all(value >= bound for value, bound in zip(ends, tangent, strict=True)), "below the entropy on an edge"
            )


@proves("talk", "upper information-cost")
def check_talk(claim: Claim, steps: Any) -> Fraction:
    """A protocol: at each step party 0 or 1 moves its place to ``other``, where the answer is settled and the talk
    ends, or to ``next``, with the chances that keep the mean. At the last place, if the answer is not settled there,
    both tell all. It reveals what was unknown at the beginning less what is so at its ends."""
    (beginning, total), edges, known, rest = uncertainty(claim, True), settled_edges(claim), Fraction(0), 1 << 128
    at = [Fraction(1, 2), Fraction(1, 2)]
    for entry in [items(entry, 3) for entry in items(steps)]:
        party, other, after = integer(entry[0], 0, 1), rational(entry[1]), rational(entry[2])
        need(max(other.denominator, after.denominator) < 1 << 64 and 0 <= after <= 1 and other in (0, 1), "a place")
        need(other < at[party] <= after or after <= at[party] < other, "a place between two")
        claim.matrix.spend(20_000)
        onward = (at[party] - other) / (after - other)
        known += Fraction(rest, 1 << 128) * (1 - onward) * left_on_edge(edges, party, int(other), at[1 - party])
        known, rest = Fraction(int(known * (1 << 64)), 1 << 64), int(rest * onward)
        at[party] = after
    for party in (0, 1):
        if at[party] in (0, 1):
            known += Fraction(rest, 1 << 128) * left_on_edge(edges, party, int(at[party]), at[1 - party], end=True)
            break
    return (beginning - 4 * known) / total


def left_on_edge(edges: Edges, party: int, line: int, place: Fraction, end: bool = False) -> Fraction:
    """At most what is unknown at a place on an edge, where the answer must be settled; at the end, if it is."""
    need(end or (party, line) in edges or place in (0, 1), "an end where the answer is not settled")
    p, q = edges.get((party, line), (0, 0))
    return pair_entropy(p * (1 - place), q * place, False)


# Chapter 14. Every length at once
#
# A *family* is a function for every n: an automaton reads n blocks of Alice and n blocks of Bob side by side, pair by
# pair, and its last state has the answer. Claims are about all n >= 1. What grows with n is a *count*: the number of
# words of length n of a finite automaton, whose recurrence is derived here in exact integers.

FAMILY_FORMAT = "ccsim-certificate-for-every-length"
FAMILY_MEASURES: dict[str, tuple[str, tuple[str, ...]]] = {  # unit, and parameters of the claim
    "deterministic": ("bits", ("answer",)),
    "fooling-set": ("cells", ("code", "answer")),
    "rank": ("", ("code", "field")),
    "one-way-messages": ("messages", ("direction",)),
    "one-way": ("bits", ("direction",)),
}
ALWAYS: dict[tuple[str, str], dict[str, Callable[..., Any]]] = {}  # (measure, side) -> kind of witness -> checker
MOST_COUNTED = 64  # states of an automaton whose words are counted
Triple = tuple[int, int, int]  # Alice's letter, Bob's letter, next state
Count = tuple[list[int], list[int]]
"""The first values of a count, for n = 1, 2, ..., and the recurrence by which the others follow, the nearest first."""


def always(kind: str, *claims: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Enter a checker for families in the table, for these claims: side and measure."""

    def enter(checker: Callable[..., Any]) -> Callable[..., Any]:
        for claim in claims:
            side, measure = claim.split(" ", 1)
            ALWAYS.setdefault((measure, side), {})[kind] = checker
        return checker

    return enter


class Family:
    """An automaton that reads pairs: ``table[state][x][y]`` is the next state, ``outputs[state]`` the code."""

    def __init__(self, table: Any, outputs: Any, first: Any, labels: list[Any]) -> None:
        self.left = [MOST_WORK]
        size = len(items(table))
        need(0 < size <= 1 << 12 and bool(items(table[0])) and bool(items(table[0][0])), "an automaton with letters")
        self.alice, self.bob, self.labels = len(table[0]), len(table[0][0]), labels
        need(size * self.alice * self.bob <= 1 << 20, "a table of a readable size", TooLarge)
        self.table = [
            [[integer(state, 0, size - 1) for state in items(line, self.bob)] for line in items(lines, self.alice)]
            for lines in table
        ]
        self.outputs = [integer(code, -1, len(labels) - 1) for code in items(outputs, size)]
        self.first = integer(first, 0, size - 1)

    def spend(self, steps: int) -> None:
        """Refuse what takes too long."""
        self.left[0] -= steps
        need(self.left[0] >= 0, "too much work to check", TooLarge)

    def after_some(self) -> set[int]:
        """The states that are reached by words of one block or more."""
        follow = [{state for line in lines for state in line} for lines in self.table]
        self.spend(len(self.table) * self.alice * self.bob)
        return reached_from(self, follow[self.first], lambda state: follow[state])


def reached_from(family: Family, starts: Iterable[Any], follow: Callable[[Any], Iterable[Any]]) -> set[Any]:
    """All that can be reached from some starts."""
    seen = set(starts)
    stack = list(seen)
    while stack:
        family.spend(20)
        for state in follow(stack.pop()):
            family.spend(20)
            if state not in seen:
                family.spend(300)  # for the room, too
                seen.add(state)
                stack.append(state)
    return seen


FAMILIES: dict[str, tuple[Any, list[int]]] = {  # table[state][x][y], and the answer of each state; 0 is the first
    "equality": ([[[0, 1], [1, 0]], [[1, 1], [1, 1]]], [1, 0]),
    "disjointness": ([[[0, 0], [0, 1]], [[1, 1], [1, 1]]], [1, 0]),
    "intersection": ([[[0, 0], [0, 1]], [[1, 1], [1, 1]]], [0, 1]),
    "greater-than": ([[[0, 1], [2, 0]], [[1, 1], [1, 1]], [[2, 2], [2, 2]]], [0, 0, 1]),
    "inner-product": ([[[0, 0], [0, 1]], [[1, 1], [1, 0]]], [0, 1]),
}


def read_family(data: Any) -> Family:
    """A family: a function known here of n bits each, the most significant one first; a table over pairs of letters;
    or a language whose words are dealt by a partition (one letter A or B per position) that is repeated n times."""
    if "function" in data:
        need(isinstance(fields(data, "function")[0], str), "the name of a function")
        need(data["function"] in FAMILIES, f"a function known here is one of {', '.join(FAMILIES)}")
        return Family(*FAMILIES[data["function"]], 0, [0, 1])
    if "partition" in data:
        return dealt(*fields(data, "symbols", "table", "outputs", "first", "labels", "partition"))
    table, outputs, first, labels = fields(data, "table", "outputs", "first", "labels")
    return Family(table, outputs, first, read_labels(labels))


def read_labels(labels: Any) -> list[Any]:
    """Different answers, texts or integers."""
    need(all(type(label) in (str, int) for label in items(labels)), "labels are texts or integers")
    need(0 < len(set(labels)) == len(labels) <= CODES, "different labels")
    return list(labels)


def dealt(symbols: Any, table: Any, outputs: Any, first: Any, labels: Any, partition: Any) -> Family:
    """The family of a language: a block of a party is its letters in one turn of the partition, the first one most
    significant."""
    size, count = len(read_labels(symbols)), len(items(table))
    good = isinstance(partition, str) and re.fullmatch("[AB]{1,16}", partition)
    need(bool(good) and {"A", "B"} == set(partition), "a partition is a text of letters A and B, at least one of each")
    need(count * size ** len(partition) <= 1 << 20, "a table of a readable size", TooLarge)
    lines = [[integer(state, 0, count - 1) for state in items(line, size)] for line in table]
    mine = [partition[:place].count(partition[place]) for place in range(len(partition))]
    powers = [size ** (partition.count(owner) - 1 - place) for owner, place in zip(partition, mine, strict=True)]

    def after(state: int, x: int, y: int) -> int:
        for owner, power in zip(partition, powers, strict=True):
            state = lines[state][(x if owner == "A" else y) // power % size]
        return state

    blocks = [range(size ** partition.count(owner)) for owner in "AB"]
    pairs = [[[after(state, x, y) for y in blocks[1]] for x in blocks[0]] for state in range(count)]
    return Family(pairs, outputs, first, read_labels(labels))


class FamilyClaim:
    """One side of a measure of a family, with its parameters."""

    def __init__(self, family: Family, measure: Any, side: Any, parameters: Any) -> None:
        need(isinstance(measure, str) and measure in FAMILY_MEASURES, "a measure that is known")
        names = FAMILY_MEASURES[measure][1]
        for name, value in zip(names, fields(parameters, *names), strict=True):
            need(FORMS[name](value), f"another value of {name}")
        need(side in ("lower", "upper"), "a side is lower or upper")
        code = parameters.get("code")
        need(code is None or code < len(family.labels), "a claim about none of the labels")
        self.family, self.measure, self.side, self.parameters = family, measure, side, parameters
        self.answer = parameters.get("answer", "both")

    def proved(self, witness: Any) -> Any:
        """The bound that a witness proves: a count from below, from above bits per block and bits at the end."""
        need(isinstance(witness, dict) and isinstance(witness.get("kind"), str), "a witness has a kind")
        checker = ALWAYS.get((self.measure, self.side), {}).get(witness["kind"])
        if checker is None:
            raise Refused(f"this kind of witness proves no {self.side} bound on {self.measure} for every length")
        names = checker.__code__.co_varnames[1 : checker.__code__.co_argcount]
        return checker(self, *fields(witness, "kind", *names)[1:])


class PairWords:
    """A finite automaton that accepts words over pairs of letters: from each state some steps, [x, y, next state],
    at most one for each pair. So its words are its paths, and they are counted as paths."""

    def __init__(self, family: Family, data: Any) -> None:
        steps, accepting, first = fields(data, "steps", "accepting", "first")
        size = len(items(steps))
        need(0 < size <= MOST_COUNTED, f"an automaton of 1 to {MOST_COUNTED} states", TooLarge)
        self.first, self.family = integer(first, 0, size - 1), family
        self.steps: list[list[Triple]] = []
        self.accepting = {integer(state, 0, size - 1) for state in items(accepting)}
        for listed in steps:
            family.spend(30 * len(items(listed)) + 30)
            triples = [
                (integer(x, 0, family.alice - 1), integer(y, 0, family.bob - 1), integer(after, 0, size - 1))
                for x, y, after in (items(step, 3) for step in listed)
            ]
            need(len(triples) == len({triple[:2] for triple in triples}), "two steps for one pair of letters")
            self.steps.append(triples)

    def count(self) -> Count:
        """How many words there are of each length."""
        size = len(self.steps)
        self.family.spend(60 * size * (size**2 + sum(map(len, self.steps))))
        ways, counts = {self.first: 1}, []
        for _ in range(2 * size + 2):
            after: dict[int, int] = {}
            for state, number in ways.items():
                for _, _, other in self.steps[state]:
                    after[other] = after.get(other, 0) + number
            ways = after
            counts.append(sum(ways.get(state, 0) for state in self.accepting))
        return recurrence(counts)

    def parted(self) -> Iterator[tuple[int, int, int, int]]:
        """The answers that two different accepted words of one length can lead to: those of (x, y), (x', y'), (x, y')
        and (x', y). At their first difference, the first word takes the step that is listed earlier."""
        family, table, steps = self.family, self.family.table, self.steps
        walked = reached_from(
            family,
            [(self.first, family.first)],
            lambda pair: [(after, table[pair[1]][x][y]) for x, y, after in steps[pair[0]]],
        )

        def both(now: tuple[int, ...], pairs: Iterable[tuple[Triple, Triple]]) -> Iterator[tuple[int, ...]]:
            one, two, three, four = (table[state] for state in now)
            return ((s, t, one[x][y], two[u][w], three[x][w], four[u][y]) for (x, y, s), (u, w, t) in pairs)

        def follow(now: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
            return both(now[2:], product(steps[now[0]], steps[now[1]]))

        family.spend(20 * sum(len(steps[own]) ** 2 for own, _ in walked))
        starts = {now for own, state in walked for now in both((state,) * 4, combinations(steps[own], 2))}
        family.spend(300 * len(starts))
        for s, t, one, two, three, four in reached_from(family, starts, follow):
            if s in self.accepting and t in self.accepting:
                yield tuple(family.outputs[state] for state in (one, two, three, four))

    def answers(self) -> set[int]:
        """The answers on accepted words of at least one block."""
        table, starts = self.family.table, self.steps[self.first]
        found = reached_from(
            self.family,
            [(after, table[self.family.first][x][y]) for x, y, after in starts],
            lambda pair: [(after, table[pair[1]][x][y]) for x, y, after in self.steps[pair[0]]],
        )
        return {self.family.outputs[state] for own, state in found if own in self.accepting}


def recurrence(counts: list[int]) -> Count:
    """The shortest linear recurrence of a sequence that has one of order k, from 2 k + 2 of its values (Massey 1969).

    It is the sequence's for ever, too: its order is at most k, and two sequences with recurrences of orders d and e
    that agree on d + e values agree everywhere, as their difference has a recurrence of order d + e.
    """
    now, before, order, shift, last = [Fraction(1)], [Fraction(1)], 0, 1, Fraction(1)
    for at in range(len(counts)):
        wrong = sum((now[back] * counts[at - back] for back in range(order + 1) if back < len(now)), Fraction(0))
        if wrong:
            kept, size = now, max(len(now), len(before) + shift)
            now = now + [Fraction(0)] * (size - len(now))
            for place, value in enumerate(before):
                now[place + shift] -= wrong / last * value
            if 2 * order <= at:
                order, before, last, shift = at + 1 - order, kept, wrong, 0
        shift += 1
    back = [-value for value in (now + [Fraction(0)] * order)[1 : order + 1]]
    need(all(value.denominator == 1 for value in back) and 2 * order + 2 <= len(counts), "no recurrence in integers")
    return counts[:order], [int(value) for value in back]


def values_of(count: Count, size: int) -> list[int]:
    """The first values of a count."""
    found = list(count[0])
    while len(found) < size:
        found.append(sum(factor * found[-1 - back] for back, factor in enumerate(count[1])))
    return found[:size]


def fools(answer: str, codes: tuple[int, int, int, int]) -> bool:
    """Whether no leaf contains two cells: those of (x, y), (x', y'), (x, y') and (x', y) are given, -1 where free."""
    one, two, three, four = codes
    if answer == "both":
        return len({code for code in codes if code >= 0}) > 1
    pairs = ((one, three), (two, four)) if answer == "alice" else ((one, four), (two, three))
    return any(left != right and min(left, right) >= 0 for left, right in pairs)


@always("regular-fooling-set", "lower deterministic", "lower fooling-set")
def check_regular_fooling_set(claim: FamilyClaim, words: Any) -> Count:
    """No leaf contains two accepted words of one length: each pair of them is followed through the automata, with the
    two mixed words, and at the end something disagrees, as for a fooling set. So for each n there are at least as many
    leaves as words of length n. If the claim is about one answer, all of them have it."""
    accepted, code = PairWords(claim.family, words), claim.parameters.get("code")
    need(min(accepted.answers(), default=0) >= 0, "a free cell in a fooling set")
    need(code is None or accepted.answers() <= {code}, "a word with another answer")
    need(all(fools(claim.answer, codes) for codes in accepted.parted()), "two words that a leaf may contain")
    return accepted.count()


@always("triangular-set", "lower rank")
def check_triangular_set(claim: FamilyClaim, words: Any) -> Count:
    """The rows and columns of the accepted words of one length, in order (the first difference decides, by the order in
    which the steps of a state are listed), have the answer on the diagonal, and another one above it: a triangular
    matrix, whose rank over every field is the number of words."""
    accepted, code = PairWords(claim.family, words), integer(claim.parameters["code"], 0, CODES)
    total(claim.family)
    need(accepted.answers() <= {code}, "a word with another answer")
    need(all(codes[2] != code for codes in accepted.parted()), "the answer above the diagonal")
    return accepted.count()


@always("triangular-complement", "lower deterministic")
def check_triangular_complement(claim: FamilyClaim, code: Any, words: Any, silent: Any) -> Count:
    """A triangular set of c words for an answer, as above: so many leaves have this answer. The 0/1 matrix of all other
    answers together is all ones less that of this one; so on these lines its rank is c - 1 at least, and there are as
    many leaves of other answers. If a row (or a column) shows the answer in none of the columns (rows) of these words,
    all ones are a row of the matrix, and its rank is c; if both do, and their common cell does not either, it is c + 1.
    A silent line is a list of letters, the last of which is repeated for ever."""
    need(claim.answer == "both", "both parties know the answer")
    family, rank_claim = claim.family, {"code": code, "field": "rational"}
    one = FamilyClaim(family, "rank", "lower", rank_claim)
    lines = [None if line is None else silent_line(line, size) for line, size in
             zip(fields(silent, "alice", "bob"), (family.alice, family.bob), strict=True)]  # fmt: skip
    count, accepted = check_triangular_set(one, words), PairWords(family, words)
    for party, line in enumerate(lines):
        need(line is None or silent_on(accepted, line, party, code), "a line that is not silent")
    both = lines[0] is not None and lines[1] is not None
    need(not both or silent_together(family, lines, code), "two lines that meet in the answer")
    more = sum(line is not None for line in lines) - 1
    return recurrence([2 * value + more for value in values_of(count, 2 * len(count[0]) + 4)])


def silent_line(line: Any, letters: int) -> list[int]:
    """A line for every n: its letters, the last one for ever."""
    need(bool(items(line)) and len(line) <= MOST_COUNTED, "a line of some letters")
    return [integer(letter, 0, letters - 1) for letter in line]


def silent_on(accepted: PairWords, line: list[int], party: int, code: int) -> bool:
    """Whether a line of a party never shows the answer with the other party's part of an accepted word."""
    family, last = accepted.family, len(line) - 1

    def follow(now: tuple[int, int, int]) -> list[tuple[int, int, int]]:
        own, state, place = now
        rows = family.table[state]
        return [
            (after, rows[x][line[place]] if party else rows[line[place]][y], min(place + 1, last))
            for x, y, after in accepted.steps[own]
        ]

    found = reached_from(family, follow((accepted.first, family.first, 0)), follow)
    return all(own not in accepted.accepting or family.outputs[state] != code for own, state, _ in found)


def silent_together(family: Family, lines: list[Any], code: int) -> bool:
    """Whether two lines for every n never show the answer where they meet."""

    def follow(now: tuple[int, int]) -> list[tuple[int, int]]:
        state, place = now
        x, y = (line[min(place, len(line) - 1)] for line in lines)
        return [(family.table[state][x][y], min(place + 1, MOST_COUNTED))]

    found = reached_from(family, follow((family.first, 0)), follow)
    return all(family.outputs[state] != code for state, _ in found)


def total(family: Family) -> None:
    """Refuse free cells, which have no rank."""
    need(all(family.outputs[state] >= 0 for state in family.after_some()), "free cells have no rank")


@always("tensor-power", "lower rank", "lower deterministic")
def check_tensor_power(claim: FamilyClaim, weights: Any) -> Count:
    """Weights of states (1 at the start) that each pair of letters multiplies by a number of its own, b(x, y), make the
    matrix of the last states' weights the n-th tensor power of b, of rank r^n if b has rank r. If moreover the last
    state's weight is w where the answer is v and some w' elsewhere, this matrix less w' in all cells is w - w' times
    the 0/1 matrix of v, whose rank is thus r^n at least, or r^n - 1 if w' is not 0. Leaves of different answers are
    different, and those of one are at least as many as its rank, over the rationals."""
    family = claim.family
    total(family)
    field = claim.parameters.get("field", "rational")
    prime = 0 if field == "rational" else _prime_of(field)
    base = tensor_rank(family, weights, prime)
    weighing = [value % prime for value in weights] if prime else weights
    codes = (
        range(len(family.labels)) if claim.measure == "deterministic" else [integer(claim.parameters["code"], 0, CODES)]
    )
    need(claim.answer == "both", "both parties know the answer")
    lost = [loss for loss in (lost_rank(family, weighing, code) for code in codes) if loss is not None]
    need(bool(lost), "other weights for no answer")
    return recurrence([max(0, len(lost) * base**n - sum(lost)) for n in range(1, 8)])


@always("tensor-shifts", "lower deterministic")
def check_tensor_shifts(claim: FamilyClaim, prime: Any, code: Any, weights: Any, terms: Any) -> Count:
    """Weights modulo a prime as for a tensor power: the matrix of the last states' weights has rank r^n over GF(p). Let
    the weight of every state t be a sum of m terms, each a factor times whether the answer is v after t and a fixed
    word of k pairs. Then that matrix is a sum of m multiples of parts of the 0/1 matrix of v for n + k letters: of
    those lines that end in one of these words. So the rank of that, and the leaves with this answer, are at least
    r^n / m; r^(n - j) is not more, where r^j >= m."""
    family = claim.family
    total(family)
    need(claim.answer == "both", "both parties know the answer")
    need(is_prime(integer(prime, 2, 1 << 16)), "expected a prime")
    integer(code, 0, len(family.labels) - 1)
    base, after, listed = tensor_rank(family, weights, prime), family.after_some(), items(terms)
    sums, lengths = dict.fromkeys(after, 0), {0} if not listed else set()
    for factor, word in (items(term, 2) for term in listed):
        lengths.add(len(items(word)))
        pairs = [items(pair, 2) for pair in word]
        for state in after:
            family.spend(20 * len(pairs) + 20)
            last = state
            for x, y in pairs:
                last = family.table[last][integer(x, 0, family.alice - 1)][integer(y, 0, family.bob - 1)]
            sums[state] += integer(factor, 0, prime - 1) * (family.outputs[last] == code)
    good = all((sums[state] - weights[state]) % prime == 0 for state in after)
    need(good and len(lengths) == 1, "weights that are no such sums, of words of one length")
    lost = next(power for power in range(64) if max(base, 2) ** power >= len(listed)) + lengths.pop()
    return recurrence([base ** max(0, n - lost) if base else 0 for n in range(1, 2 * lost + 8)])


def tensor_rank(family: Family, weights: Any, prime: int) -> int:
    """The rank of one block of the matrix of weights of the last states, once it is seen to be a tensor power."""
    weighing = [integer(value, -(10**6), 10**6) for value in items(weights, len(family.table))]
    block = [[weighing[state] for state in line] for line in family.table[family.first]]
    need(weighing[family.first] == 1, "a weight of 1 at the start")
    for state in family.after_some() | {family.first}:
        family.spend(20 * family.alice * family.bob)
        for lines, factors in zip(family.table[state], block, strict=True):
            for after, factor in zip(lines, factors, strict=True):
                wrong = weighing[after] - weighing[state] * factor
                need(wrong % prime == 0 if prime else wrong == 0, "a pair of letters multiplies by two numbers")
    return plain_rank(family, block, prime)


@always("substitution", "lower deterministic")
def check_substitution(claim: FamilyClaim, prefix: Any, alice: Any, bob: Any, suffixes: Any, of: Any) -> Count:
    """A smaller problem inside: its letters are written as words of k letters of each party, between a prefix and a
    suffix that both know. There are k suffixes, each a pair longer than the one before, so that every length from some
    one on is reached; with each of them the smaller family has the same bound. What a part needs, the whole needs."""
    family = claim.family
    words = [[items(word) for word in items(listed)] for listed in (alice, bob)]
    size = len(words[0][0])
    need({len(word) for listed in words for word in listed} == {size} != {0}, "words of one length")
    need(len(items(suffixes)) == size <= MOST_COUNTED, "as many suffixes as letters in a word")
    shortest = len(items(suffixes[0]))
    need([len(items(suffix)) for suffix in suffixes] == [*range(shortest, shortest + size)], "suffixes of all lengths")

    def led(state: int, pairs: Iterable[Any]) -> int:
        for x, y in pairs:
            family.spend(20)
            state = family.table[state][integer(x, 0, family.alice - 1)][integer(y, 0, family.bob - 1)]
        return state

    states = range(len(family.table))
    family.spend(200 * size * len(states) * len(words[0]) * len(words[1]))
    table = [[[led(q, zip(x, y, strict=True)) for y in words[1]] for x in words[0]] for q in states]
    found = []
    for suffix in suffixes:
        outputs = [family.outputs[led(q, (items(pair, 2) for pair in suffix))] for q in states]
        smaller = Family(table, outputs, led(family.first, (items(pair, 2) for pair in items(prefix))), family.labels)
        smaller.left = family.left
        found.append(FamilyClaim(smaller, claim.measure, claim.side, claim.parameters).proved(of))
    need(found == [found[0]] * size, "another bound with another suffix")
    before = len(prefix) + shortest
    order = before + size * (len(found[0][0]) + 1)
    need(order <= 4 * MOST_COUNTED, "a longer substitution than is looked at", TooLarge)
    inner = [0, *values_of(found[0], 2 * order + 2)]
    return recurrence([inner[max(0, n - before) // size] for n in range(1, 2 * order + 3)])


def lost_rank(family: Family, weighing: list[int], code: int) -> int | None:
    """What subtracting the weight of all other answers takes from the rank; None if there is no one such weight."""
    own, others = (
        {weighing[state] for state in family.after_some() if (family.outputs[state] == code) is same}
        for same in (True, False)
    )
    if len(own) != 1 or len(others) > 1 or own == others:
        return None
    return int(bool(others) and others != {0})


def plain_rank(family: Family, rows: Table, prime: int) -> int:
    """The rank of a matrix of integers, over the rationals or modulo a prime."""
    family.spend(400 * len(rows) * len(rows[0]) * min(len(rows), len(rows[0])))
    left, found = [[Fraction(value % prime if prime else value) for value in row] for row in rows], 0
    for column in range(len(rows[0])):
        place = next((at for at in range(found, len(left)) if left[at][column]), None)
        if place is None:
            continue
        left[found], left[place] = left[place], left[found]
        for at in range(found + 1, len(left)):
            head = left[at][column] / left[found][column] if not prime else (
                left[at][column] * pow(int(left[found][column]), -1, prime))  # fmt: skip
            left[at] = [value - head * pivot for value, pivot in zip(left[at], left[found], strict=True)]
            left[at] = [value % prime for value in left[at]] if prime else left[at]
        found += 1
    return found


@always("regular-distinct-lines", "lower one-way-messages", "lower one-way")
def check_regular_distinct_lines(claim: FamilyClaim, lines: Any) -> Count:
    """For each two accepted words of the sender of one length, some word of the receiver has different answers: all
    pairs of states that some word of the receiver leads to are followed together. Lines that differ need different
    messages."""
    family = claim.family
    table = family.table
    if claim.parameters["direction"] == "bob-to-alice":
        table = [[list(column) for column in zip(*lines_of, strict=True)] for lines_of in table]
    receiver, sender = len(table[0][0]), Family(table, family.outputs, family.first, family.labels)
    sender.left = family.left
    steps, accepting, first = fields(lines, "steps", "accepting", "first")
    single = [[[x, 0, after] for x, after in (items(step, 2) for step in items(listed))] for listed in items(steps)]
    accepted = PairWords(sender, {"steps": single, "accepting": accepting, "first": first})

    def after(states: frozenset[tuple[int, int]], x: int, u: int) -> frozenset[tuple[int, int]]:
        found = frozenset((table[p][x][y], table[q][u][y]) for p, q in states for y in range(receiver))
        family.spend(300 * len(found) + 10 * len(states) * receiver)
        return found

    walked = reached_from(
        family,
        [(accepted.first, frozenset([(family.first, family.first)]))],
        lambda now: [(s, after(now[1], x, x)) for x, _, s in accepted.steps[now[0]]],
    )
    starts = [
        (s, t, after(states, x, u))
        for own, states in walked
        for (x, _, s), (u, _, t) in combinations(accepted.steps[own], 2)
    ]
    found = reached_from(
        family,
        starts,
        lambda now: [
            (s, t, after(now[2], x, u))
            for (x, _, s), (u, _, t) in product(accepted.steps[now[0]], accepted.steps[now[1]])
        ],
    )
    for own, other, states in found:
        if own in accepted.accepting and other in accepted.accepting:
            answers = ((family.outputs[p], family.outputs[q]) for p, q in states)
            need(any(p != q and min(p, q) >= 0 for p, q in answers), "two words that one message may stand for")
    return accepted.count()


@always("finite-state-parties", "upper deterministic", "upper one-way")
def check_parties(
    claim: FamilyClaim, speaker: Any, says: Any, replies: Any, hears: Any, keeps: Any, last: Any, answers: Any
) -> tuple[int, int]:
    """Two parties with finitely many states each. At each block the speaker says one of so many symbols, by its state
    and its letter; the other replies, by its own, and by what was said; then both go to their next states. After the
    last block the speaker says one symbol more, by its state, from which the other knows the answer, and tells it if
    both must know it. If the answer is right in all states that the parties and the family can reach together, these
    bits, so many for each block and so many at the end, are enough for every n. One message has no replies."""
    family, alone = claim.family, claim.measure == "one-way"
    need(speaker in ("alice", "bob"), "a speaker is alice or bob")
    need(not alone or claim.parameters["direction"].startswith(speaker), "another speaker")
    need(alone or claim.answer == "both", "both parties know the answer")
    turned = speaker == "bob"
    mine, yours = (family.bob, family.alice) if turned else (family.alice, family.bob)
    own, other = len(items(says)), len(items(replies))
    need(0 < own * other <= 1 << 16, "parties of some states", TooLarge)
    said, ends = 1 + widest(says, 2), 1 + widest(last, 1)
    heard = 1 + widest(replies, 3)
    shaped(says, (own, mine), said)
    shaped(replies, (other, yours, said), heard)
    shaped(hears, (own, mine, heard), own)
    shaped(keeps, (other, yours, said), other)
    shaped(last, (own,), ends)
    shaped(answers, (other, ends), len(family.labels))
    need(not alone or heard == 1, "a reply in one message")

    def follow(now: tuple[int, int, int]) -> Iterator[tuple[int, int, int]]:
        a, b, state = now
        lines = family.table[state]
        return (
            (hears[a][x][replies[b][y][says[a][x]]], keeps[b][y][says[a][x]], lines[y][x] if turned else lines[x][y])
            for x in range(mine)
            for y in range(yours)
        )

    for a, b, state in reached_from(family, follow((0, 0, family.first)), follow):
        need(family.outputs[state] in (-1, answers[b][last[a]]), "a wrong answer at the end")
    return bits_for(said) + bits_for(heard), bits_for(ends) + (0 if alone else bits_for(len(family.labels)))


def widest(data: Any, depth: int) -> int:
    """The largest number in lists of lists."""
    inner = [widest(part, depth - 1) if depth > 1 else integer(part, 0, 1 << 16) for part in items(data)]
    return max(inner, default=0)


def shaped(data: Any, sizes: tuple[int, ...], below: int) -> None:
    """Refuse all but lists of lists of these lengths of numbers below a bound."""
    for part in items(data, sizes[0]):
        if len(sizes) > 1:
            shaped(part, sizes[1:], below)
        else:
            integer(part, 0, below - 1)


# What a count says, in closed form where its roots are integers


Term = tuple[int, int, Fraction]
"""A root r, a power j and a coefficient c: c n^j r^n."""


def closed_form(count: Count) -> tuple[list[Term], int] | None:
    """A count as a sum of terms, and the n from which on it is that; None if its roots are not small integers."""
    back = list(count[1])
    while back and not back[-1]:
        back.pop()
    start = len(count[1]) - len(back) + 1
    roots: list[tuple[int, int]] = []
    left = [1, *(-factor for factor in back)]
    for root in sorted((sign * size for size in range(1, 257) for sign in (1, -1)), key=abs):
        while len(left) > 1 and sum(value * root ** (len(left) - 1 - at) for at, value in enumerate(left)) == 0:
            roots.append((root, sum(other == root for other, _ in roots)))
            quotient = [left[0]]
            for value in left[1:-1]:
                quotient.append(value + root * quotient[-1])
            left = quotient
    if len(left) > 1 or len(roots) > 8:
        return None
    values = values_of(count, start - 1 + len(roots))[start - 1 :]
    rows = [
        [*(Fraction(n**power * root**n) for root, power in roots), Fraction(value)]
        for n, value in enumerate(values, start)
    ]
    terms = [(root, power, factor) for (root, power), factor in zip(roots, solved(rows), strict=True) if factor]
    return sorted(terms, key=lambda term: (abs(term[0]), term[0], term[1]), reverse=True), start


def stretched_form(count: Count) -> tuple[Count, int, int] | None:
    """A count d, k and b, if c(n) = d(floor((n - b) / k)) for all n >= b + k, and 0 before; else None."""
    order = len(count[0])
    values = values_of(count, 4 * order + 4)
    zeros = next((place for place, value in enumerate(values) if value), len(values))
    turns = [place for place in range(zeros, len(values)) if place and values[place] != values[place - 1]]
    stretch = gcd(*(later - place for place, later in pairwise([zeros, *turns])))
    before = zeros + 1 - stretch
    if stretch < 2 or before < 0 or order // stretch < 1:
        return None
    picked = values_of(count, zeros + stretch * (2 * order + 2))[zeros::stretch]
    try:
        inner = recurrence(picked[: 2 * (order // stretch + 1) + 2])
    except Refused:
        return None
    most = 2 * (order + zeros + stretch * (len(inner[0]) + 1))  # orders of both sides together, and more
    again = [0, *values_of(inner, most)]
    same = all(value == again[max(0, n - before) // stretch] for n, value in enumerate(values_of(count, most), 1))
    return (inner, stretch, before) if same and closed_form(inner) is not None else None


def solved(rows: list[list[Fraction]]) -> list[Fraction]:
    """The solution of as many independent linear equations as unknowns: coefficients and right side in a row."""
    for column in range(len(rows)):
        place = next(at for at in range(column, len(rows)) if rows[at][column])
        rows[column], rows[place] = rows[place], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for at, row in enumerate(rows):
            if at != column:
                rows[at] = [value - row[column] * pivot for value, pivot in zip(row, rows[column], strict=True)]
    return [row[-1] for row in rows]


def written(terms: list[Term]) -> str:
    """A sum of terms for people: "2^n + 1".

    >>> written([(2, 0, Fraction(1, 2)), (1, 1, Fraction(-3)), (-1, 0, Fraction(1))])
    '2^n/2 - 3*n + (-1)^n'
    """
    text = ""
    for root, power, factor in terms:
        parts = [] if abs(factor.numerator) == 1 and (power or root != 1) else [str(abs(factor.numerator))]
        parts += ["n" if power == 1 else f"n^{power}"] if power else []
        parts += [f"{root}^n" if root > 1 else f"({root})^n"] if root != 1 else []
        sign = ("- " if factor < 0 else "+ ") if text else ("-" if factor < 0 else "")
        text += (
            (" " if text else "")
            + sign
            + "*".join(parts)
            + (f"/{factor.denominator}" if factor.denominator > 1 else "")
        )
    return text or "0"


def count_text(count: Count, bits: bool) -> tuple[str, str, int]:
    """A count, or the bits that number so many, for people; what its names stand for; and the n from which on it is
    that."""
    closed = closed_form(count)
    stretched = stretched_form(count) if closed is None else None
    if stretched is not None:
        inner, stretch, before = stretched
        text, _, start = count_text(inner, bits)
        place = f"floor((n - {before})/{stretch})" if before else f"floor(n/{stretch})"
        return text.replace("n", "m"), f", m = {place},", before + stretch * start
    if closed is None:
        first = ", ".join(f"c({n}) = {value}" for n, value in enumerate(count[0], 1))
        steps = " + ".join(
            f"{factor} c(n-{back})".replace("-1 ", "-", 1) if factor != 1 else f"c(n-{back})"
            for back, factor in enumerate(count[1], 1)
            if factor
        )
        return "ceil(log2(c(n)))" if bits else "c(n)", f", c(n) = {steps}, {first},".replace("+ -", "- "), 1
    terms, start = closed
    return (bits_text(terms) if bits else written(terms)), "", start


def bits_text(terms: list[Term]) -> str:
    """The bits that number as many as a sum of terms says."""
    root, power, factor = terms[0] if terms else (1, 0, Fraction(0))
    if len(terms) <= 1 and power == 0 and root == 1:
        return str(bits_for(factor))
    sizes = [value.bit_length() - 1 for value in (root, factor.numerator, factor.denominator)]
    powers = root == 1 << sizes[0] and factor == Fraction(1 << sizes[1], 1 << sizes[2]) if root > 0 else False
    if len(terms) == 1 and power == 0 and powers:
        return linear_text(sizes[0], sizes[1] - sizes[2])
    return f"ceil(log2({written(terms)}))"


def linear_text(slope: int, constant: int) -> str:
    """A linear formula for people."""
    head = ("n" if slope == 1 else f"{slope}*n") if slope else ""
    if not head:
        return str(constant)
    return head + (f" {'+' if constant > 0 else '-'} {abs(constant)}" if constant else "")


def statement(measure: str, side: str, value: Any) -> str:
    """A bound for every length, for people."""
    unit = FAMILY_MEASURES[measure][0]
    unit = f" {unit}" if unit else ""
    if side == "upper":
        return f"<= {linear_text(*value)}{unit} for all n >= 1"
    text, where, start = count_text(value, unit == " bits")
    small = [bits_for(number) if unit == " bits" else number for number in values_of(value, start - 1)]
    before = f" ({', '.join(f'{number} at n = {n}' for n, number in enumerate(small, 1))})" if any(small) else ""
    return f">= {text}{unit}{where} for all n >= {start}{before}"


@refusing()
def proved_always(family: Any, measure: str, side: str, parameters: Data, witness: Data) -> Any:
    """What a witness proves of a family that is given as plain data: a count from below, from above bits per block and
    bits at the end; :class:`Refused` if it proves nothing.

    >>> diagonal = {"steps": [[[0, 0, 0], [1, 1, 0]]], "accepting": [0], "first": 0}
    >>> witness = {"kind": "regular-fooling-set", "words": diagonal}
    >>> proved_always({"function": "equality"}, "deterministic", "lower", {"answer": "both"}, witness)
    ([2], [2])
    """
    return FamilyClaim(read_family(family), measure, side, parameters).proved(witness)


@refusing()
def report_family(data: Any) -> Data:
    """What a certificate for every length proves, as plain data, once it is proved."""
    check_plain(data)
    form, version, told, measure, unit, parameters, listed = fields(
        data, "format", "version", "family", "measure", "unit", "parameters", "proofs"
    )
    need(form == FAMILY_FORMAT and type(version) is int and version == VERSION, f"expected {FAMILY_FORMAT}, {VERSION}")
    family, found, sides = read_family(told), [], []
    for proof in items(listed):
        side, value, witness = fields(proof, "side", "value", "witness")
        claim = FamilyClaim(family, measure, side, parameters)
        proved = claim.proved(witness)
        need(items(value) == [*map(plain_part, proved)], f"the {side} witness proves {[*map(plain_part, proved)]}")
        found.append({"side": side, "statement": statement(measure, side, proved), "kind": witness["kind"]})
        sides.append(side)
    need(unit == FAMILY_MEASURES[measure][0], f"the unit of {measure} is {FAMILY_MEASURES[measure][0] or 'empty'}")
    need(sides in (["lower"], ["upper"], ["lower", "upper"]), "a proof of the lower side, of the upper, or both")
    return {
        "family": family_text(told, family),
        "letters": [family.alice, family.bob],
        "states": len(family.table),
        "sha256": digest([family.table, family.outputs, family.first, family.labels]),
        "measure": measure,
        "unit": unit,
        "parameters": dict(told_parameters(parameters, family.labels)),
        "proofs": found,
    }


def plain_part(part: Any) -> Any:
    """A part of a bound as plain data."""
    return list(part) if isinstance(part, (list, tuple)) else part


def family_text(told: Data, family: Family) -> str:
    """What a family is, for people."""
    if "function" in told:
        return f"{told['function']}, n bits each"
    states = f"{len(family.table)} states"
    if "partition" in told:
        turn = told["partition"]
        return f"a language of {len(told['symbols'])} letters, {states}, dealt {turn}: words of length {len(turn)} n"
    return f"a family of {family.alice} x {family.bob} letters, {states}"


def family_line(told: Data) -> str:
    """A report on a certificate for every length, in a line."""
    given = ", ".join(words(name, value) for name, value in told["parameters"].items())
    claims = ", ".join(proof["statement"] for proof in told["proofs"])
    how = ", ".join(f"{proof['side']} by {proof['kind']}" for proof in told["proofs"])
    about = f"{told['family']} (sha256 {told['sha256'][:12]})"
    return f"{told['measure']} {claims} ({given}) of {about}: {how}"


# Chapter 15. Certificates


@refusing()
def check(table: Table, measure: str, side: str, parameters: Data, witness: Data) -> Value:
    """The bound on a measure of a table of codes that a witness proves; :class:`Refused` if it proves none.

    >>> witness = {"kind": "refutation", "nodes": [[1, None, "3", "3", "fooling", [[0, 0], [1, 1], [0, 1]]]]}
    >>> check([[1, 0], [0, 1]], "deterministic", "lower", {"answer": "both", "rounds": None, "first": None}, witness)
    2
    """
    return Claim(Matrix(table), measure, side, parameters).proved(witness)


NAMED: dict[str, Callable[[int, int, int], int]] = {
    "equality": lambda n, x, y: int(x == y),
    "disjointness": lambda n, x, y: int(x & y == 0),
    "intersection": lambda n, x, y: int(x & y != 0),
    "greater-than": lambda n, x, y: int(x > y),
    "inner-product": lambda n, x, y: (x & y).bit_count() & 1,
    "index": lambda n, x, y: x >> (n - 1 - y) & 1,
}
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
Known = Callable[[str, int], tuple[Table, list[Any]] | None]
"""The table and the labels of a function by name and size; None: not known."""


def known_here(name: str, n: int) -> tuple[Table, list[Any]] | None:
    """A function that this file knows, of n bits as rows, in numerical order, and as columns (``index``: the places 1
    to n, counted from the most significant bit)."""
    if name not in NAMED:
        return None
    width = n if name == "index" else 1 << min(n, 22)
    need(n <= 22 and width << n <= MOST_CELLS, f"a matrix of at most {MOST_CELLS} cells", TooLarge)
    return [[NAMED[name](n, x, y) for y in range(width)] for x in range(1 << n)], [0, 1]


@refusing()
def read_matrix(data: Any, known: Known = known_here) -> tuple[Table, list[Any]]:
    """The table of a certificate's matrix, and its labels.

    It is a function's that is known here, see :func:`known_here`, or its rows are listed: text of a character per
    cell, 0-9a-z for the place of the label and ``*`` for a free cell, or, where there are more than 36 labels, lists of
    places with -1 for a free cell. Rows that are said to be those of a function are compared with it if it is known.

    >>> read_matrix({"function": "equality", "n": 1}), read_matrix({"labels": ["no", "yes"], "rows": ["0*1"]})
    (([[1, 0], [0, 1]], [0, 1]), ([[0, -1, 1]], ['no', 'yes']))
    """
    name, n = function_of(data)
    if name is not None and "rows" not in data:
        fields(data, "function", "n")
        found = known_here(name, n)
        if found is None:
            raise Refused(f"a function without its rows is one of {', '.join(NAMED)}")
        return found
    read = read_rows(*fields({key: data[key] for key in data if key not in ("function", "n")}, "labels", "rows"))
    function = None if name is None else known_here(name, n) or known(name, n)
    need(function in (None, read), f"the cells are not those of {name}, n = {n}")
    return read


def function_of(data: Any) -> tuple[str | None, int]:
    """The name and the size of the function whose matrix this is said to be, if it is."""
    need(isinstance(data, dict), "a matrix is an object")
    if "function" not in data and "n" not in data:
        return None, 0
    name = data["function"]
    need(isinstance(name, str) and bool(re.fullmatch("[a-z0-9-]{1,60}", name)), "the name of a function")
    return name, integer(data["n"], 1, 1 << 20 if "rows" not in data else 64)


def matrix_of(data: Any, known: Known = known_here) -> tuple[Matrix, list[Any]]:
    """The matrix of a certificate, and its labels; one that is named and too large to write out is left unwritten."""
    name, n = function_of(data)
    if "allowed" in data:
        return read_relation(*fields(data, "labels", "allowed"))
    try:
        table, labels = read_matrix(data, known)
    except TooLarge:
        if name is None or name not in NAMED or "rows" in data:
            raise
        return Unwritten(name, n), [0, 1]
    matrix = Matrix(table)
    matrix.function = (name, n) if name in NAMED else None
    return matrix, labels


def read_rows(labels: Any, rows: Any) -> tuple[Table, list[Any]]:
    """The table and the labels, from rows that are listed."""
    need(all(type(label) in (str, int) for label in items(labels)), "labels are texts or integers")
    need(len(set(labels)) == len(labels) <= CODES, "different labels")
    kind = str if len(labels) <= len(DIGITS) else list
    need(bool(items(rows)) and all(type(row) is kind for row in rows), "rows are text, or lists for over 36 labels")
    need({len(row) for row in rows} == {len(rows[0]) or -1}, "rows of one length, at least one")
    need(len(rows) * len(rows[0]) <= MOST_CELLS, f"a matrix of at most {MOST_CELLS} cells", TooLarge)
    if kind is list:
        return [[integer(cell, -1, len(labels) - 1) for cell in row] for row in rows], labels
    codes = {digit: place for place, digit in enumerate(DIGITS[: len(labels)])} | {"*": -1}
    return [[codes[digit] for digit in row] for row in rows], labels


def read_relation(labels: Any, allowed: Any) -> tuple[Relation, list[Any]]:
    """A relation: a list of cells for each row, a cell as a number whose bit k says whether label k is right there."""
    need(0 < len(items(labels)) <= 128 and all(type(label) in (str, int) for label in labels), "from 1 to 128 labels")
    need(len(set(labels)) == len(labels), "different labels")
    need({len(items(row)) for row in items(allowed)} == {len(allowed[0]) or -1}, "rows of one length, at least one")
    need(len(allowed) * len(allowed[0]) <= MOST_CELLS, f"a matrix of at most {MOST_CELLS} cells", TooLarge)
    sets = [[integer(cell, 1, (1 << len(labels)) - 1) for cell in row] for row in allowed]
    return Relation(sets, len(labels)), labels


def check_plain(data: Any) -> None:
    """Only what JSON has, no floats, and neither too deep, too large nor too long."""
    level, count = [data], 0
    for _ in range(MOST_NESTING):
        count += len(level)
        need(count <= MOST_ITEMS, "too much data", TooLarge)
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
    need(not level, f"nested deeper than {MOST_NESTING}")


def read_value(value: Any) -> Value:
    """A bound: an integer, or a rational as text."""
    return rational(value) if isinstance(value, str) else integer(value, -MOST_INTEGER, MOST_INTEGER)


def read_header(data: Any) -> Data:
    """The fields of a certificate, of the right form; proofs become [side, value, witness]."""
    check_plain(data)
    names = ("format", "version", "matrix", "measure", "unit", "parameters", "proofs")
    head = dict(zip(names, fields(data, *names), strict=True))
    known = head["format"] == FORMAT and type(head["version"]) is int and head["version"] == VERSION
    need(known, f"expected format {FORMAT}, version {VERSION}")
    check_parameters(head["measure"], head["parameters"])
    units = MEASURES[head["measure"]][0]
    need(head["unit"] in units, f"the unit of {head['measure']} is {' or '.join(units) or 'empty'}")
    counted = head["measure"] != "rectangle" or isinstance(head["parameters"]["weights"], str)
    need(counted != (head["unit"] == "weight"), "cells are counted, other weights added")
    head["proofs"] = [fields(proof, "side", "value", "witness") for proof in items(head["proofs"])]
    sides = [side for side, _, _ in head["proofs"]]
    need(sides in (["lower"], ["upper"], ["lower", "upper"]), "a proof of the lower side, of the upper, or both")
    need(all(isinstance(witness, dict) for _, _, witness in head["proofs"]), "a witness is an object")
    return head


@refusing()
def verify(data: Any) -> list[tuple[str, Value, str]]:
    """The claims of a certificate that is given as plain data, each as (side, value, kind of witness), once proved.

    Raises:
        Refused: if the data is no certificate, or one of its claims is not proved.

    >>> node = [1, None, "3", "3", "rank", [2, 2]]
    >>> proof = {"side": "lower", "value": 2, "witness": {"kind": "refutation", "nodes": [node]}}
    >>> verify({"format": "ccsim-certificate", "version": 1, "matrix": {"function": "equality", "n": 1},
    ...         "measure": "deterministic", "unit": "bits", "proofs": [proof],
    ...         "parameters": {"answer": "both", "rounds": None, "first": None}})
    [('lower', 2, 'refutation')]
    """
    return proofs(read_header(data), *matrix_of(data["matrix"]))


def proofs(head: Data, matrix: Matrix, labels: list[Any]) -> list[tuple[str, Value, str]]:
    """The claims of a certificate whose header and matrix have been read, once proved."""
    found = []
    for name in ("code", "label"):
        code = head["parameters"].get(name)
        need(code is None or code < len(labels), "a claim about none of the labels")
    measured = not isinstance(matrix, Relation) or head["measure"] in ("deterministic", "leaves")
    need(measured, "relations have a deterministic complexity and leaves only")
    for side, value, witness in head["proofs"]:
        proved, claimed = Claim(matrix, head["measure"], side, head["parameters"]).proved(witness), read_value(value)
        need(proved >= claimed if side == "lower" else proved <= claimed, f"the {side} witness proves {proved} only")
        found.append((side, claimed, witness["kind"]))
    need(len(found) < 2 or found[0][1] <= found[1][1], "more from below than from above")
    return found


def _once(pairs: list[tuple[str, Any]]) -> Data:
    need(len({name for name, _ in pairs}) == len(pairs), "a field twice")
    return dict(pairs)


@refusing()
def load(text: str | bytes) -> Any:
    """JSON text as plain data: no field twice, no floats, no long integers, nothing too deep or too large."""
    need(len(text) <= MOST_BYTES, f"at most {MOST_BYTES} bytes", TooLarge)
    decoded = text.decode("utf-8") if isinstance(text, bytes) else text
    data = json.loads(
        decoded,
        object_pairs_hook=_once,
        parse_int=lambda digits: integer(int(digits[:42]), -MOST_INTEGER, MOST_INTEGER),
    )
    check_plain(data)
    return data


def verify_text(text: str | bytes) -> list[tuple[str, Value, str]]:
    """Likewise for a certificate as JSON text."""
    return verify(load(text))


def digest(data: Any) -> str:
    """A hash (SHA-256) of plain data: equal for equal data only, for all that anybody knows."""
    return sha256(json.dumps(data, separators=(",", ":")).encode()).hexdigest()


@refusing()
def report(data: Any, known: Known = known_here) -> Data:
    """What a certificate proves, as plain data, once it is proved.

    Its fields: ``function`` and ``n`` (null where no function is named), ``compared`` (whether the cells are known to
    be those of that function), ``rows``, ``columns``, ``labels`` (how many), ``sha256`` (of labels and codes, however
    they are given; where they are not written out, of name and size), ``measure``, ``unit``, ``parameters`` (with the
    label itself instead of its code), ``relation`` (whether it is about one), and ``proofs``. Of a certificate for
    every length, see :func:`report_family`.
    """
    if isinstance(data, dict) and data.get("format") == FAMILY_FORMAT:
        return report_family(data)
    head = read_header(data)
    (name, n), (matrix, labels) = function_of(head["matrix"]), matrix_of(head["matrix"], known)
    found, written = proofs(head, matrix, labels), not isinstance(matrix, Unwritten)
    return {
        "function": name,
        "n": n if name is not None else None,
        "compared": name is not None and (name in NAMED or known(name, n) is not None),
        "rows": matrix.height if written else f"2^{n}",
        "columns": matrix.width if written else n if name == "index" else f"2^{n}",
        "labels": len(labels),
        "relation": isinstance(matrix, Relation),
        "sha256": digest([labels, matrix.content] if written else [name, n]),
        "measure": head["measure"],
        "unit": head["unit"],
        "parameters": dict(told_parameters(head["parameters"], labels)),
        "proofs": [{"side": side, "value": _plain(value), "kind": kind} for side, value, kind in found],
    }


def told_parameters(parameters: Data, labels: list[Any]) -> Iterator[tuple[str, Any]]:
    """Parameters with the label itself instead of its code, and with the hash of weights."""
    for name, value in parameters.items():
        if name in ("code", "label"):
            yield "label", None if value is None else labels[value]
        else:
            short = name in ("values", "parties", "prior") and len(value) <= 16
            text = f"sha256 {digest(value)}" if isinstance(value, list) else value
            yield name, ", ".join(map(str, value)) if short else text


def _plain(value: Value) -> int | str:
    return value if isinstance(value, int) else f"{value.numerator}/{value.denominator}"


def summary(data: Data, known: Known = known_here) -> str:
    """The claims of a certificate, once proved, in a line: "deterministic = 5 bits (both know) of a matrix ..."."""
    return line(report(data, known))


def line(told: Data) -> str:
    """A report in a line."""
    if "family" in told:
        return family_line(told)
    values = {proof["side"]: read_value(proof["value"]) for proof in told["proofs"]}
    claim = f">= {values['lower']}" if "lower" in values else f"<= {values['upper']}"
    if len(values) == 2:
        low, high = values["lower"], values["upper"]
        claim = f"= {low}" if low == high else f"in [{low}, {high}]"
    claim += f" {told['unit']}" if told["unit"] else ""
    given = ", ".join(words(name, value) for name, value in told["parameters"].items() if (name, value) not in UNSAID)
    unnamed = "a relation" if told["relation"] else "a matrix"
    matrix = unnamed if told["function"] is None else f"{told['function']}, n = {told['n']}"
    size = f"{told['rows']} x {told['columns']}, sha256 {told['sha256'][:12]}"
    size += ", not compared with the function" if told["function"] is not None and not told["compared"] else ""
    how = ", ".join(f"{proof['side']} by {proof['kind']}" for proof in told["proofs"])
    return f"{told['measure']} {claim}{f' ({given})' if given else ''} of {matrix} ({size}): {how}"


UNSAID = (("rounds", None), ("first", None), ("smooth", False))


def words(name: str, value: Any) -> str:
    """A parameter for people."""
    if name == "answer":
        return "both know" if value == "both" else f"{value} knows"
    if name == "label":
        text = "every label" if value is None else f"label {value!a}"
        return text if len(text) <= 80 else f"{text[:77]}..."
    return f"{name} {value[:19]}" if name == "weights" else f"{name} {value}"


def report_file(path: str | PathLike[str], known: Known = known_here) -> Data:
    """Whether a file is ``accepted``, a ``message``, which is its claims or the reason why not, and its report as
    ``certificate`` (null if it is refused)."""
    try:
        with open(path, "rb") as file:
            told = report(load(file.read(MOST_BYTES + 1)), known)
    except (OSError, ValueError) as error:
        message = str(error) if isinstance(error, Refused) else "the file cannot be read"
        return {"accepted": False, "message": message, "certificate": None}
    return {"accepted": True, "message": line(told), "certificate": told}


def check_file(path: str | PathLike[str]) -> tuple[bool, str]:
    """Whether a file is accepted, and its claims or the reason why not."""
    found = report_file(path)
    return found["accepted"], found["message"]


def main(names: list[str]) -> int:
    """Verify files, a line for each; 0 if all are accepted, else 1."""
    results = [(name if name.isprintable() else ascii(name), *check_file(name)) for name in names]
    for name, accepted, message in results:
        sys.stdout.write(f"{'accepted' if accepted else 'refused'} {name}: {message}\n")
    return 0 if results and all(accepted for _, accepted, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
