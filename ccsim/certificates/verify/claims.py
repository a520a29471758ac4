"""Claims about matrices: how untrusted data is read, tables of codes with a budget of work, and kinds of witnesses."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from hashlib import sha256
from math import isqrt, lcm

TYPE_CHECKING = False  # that of "typing", whose import is a tenth of what "ccsim verify" takes
if TYPE_CHECKING:
    from typing import Any as Any
else:
    Any = object

Table = list[list[int]]
Data = dict[str, Any]
Value = int | Fraction
MOST_CELLS = 1 << 22  # of a matrix
MOST_INTEGER = 10**40
MOST_PRIME = (1 << 31) - 1
CODES = 1 << 31


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
    if not condition:
        raise kind(message)


def integer(value: Any, low: int, high: int) -> int:
    """An integer between two bounds, and no boolean."""
    need(type(value) is int and low <= value <= high, f"expected an integer from {low} to {high}")
    return int(value)


def items(value: Any, count: int | None = None) -> list[Any]:
    need(isinstance(value, list) and count in (None, len(value)), f"expected a list of {count or 'some'} items")
    return list(value)


def indices(value: Any, size: int, count: int | None = None, least: int = 0) -> list[int]:
    return [integer(entry, least, size - 1) for entry in items(value, count)]


def read_labels(labels: Any, least: int = 1, most: int = CODES) -> list[Any]:
    need(all(type(label) in (str, int) for label in items(labels)), "labels are texts or integers")
    need(least <= len(set(labels)) == len(labels) <= most, f"from {least} to {most} different labels")
    return list(labels)


def fields(data: Any, *names: str) -> list[Any]:
    need(isinstance(data, dict) and set(data) == set(names), f"expected the fields: {', '.join(names) or 'none'}")
    return [data[name] for name in names]


def rational(text: Any) -> Fraction:
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
    data = bytearray(size // 8 + 1)
    for place in places:
        data[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(data, "little")


def is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, isqrt(number) + 1))


def prime_of(field: Any) -> int:
    """The number p of a field that is given as GF(p); 0 if it is another text."""
    good = re.fullmatch(r"GF\(([1-9][0-9]{0,9})\)", field) if isinstance(field, str) else None
    return int(good[1]) if good else 0


def scaled(value: Fraction, scale: int) -> int:
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


def digest(data: Any) -> str:
    return sha256(json.dumps(data, separators=(",", ":")).encode()).hexdigest()


MOST_WORK = 1 << 30  # steps of about 20 ns; each checker states what it spends
MOST_ROOM = 1 << 29  # bytes of what checkers keep


class WorkBudget:
    """How much work and room may still be spent."""

    def __init__(self, left: list[int] | None = None) -> None:
        self.left = left or [MOST_WORK, MOST_ROOM]

    def spend(self, steps: int, room: int = 0) -> None:
        self.left[0] -= steps
        self.left[1] -= room
        if min(self.left) < 0:
            raise TooLarge("too much work to check")


class Matrix(WorkBudget):
    """A table of codes, with its rows and columns as masks."""

    function: tuple[str, int] | None = None  # the name and size of the function that it is, of those known here

    def __init__(self, table: Table, left: list[int] | None = None) -> None:
        self.table, self.height, self.width = table, len(table), len(table[0])
        self.size = self.height * self.width
        self.codes = sorted(set().union(*table) - {-1})
        super().__init__(left)
        self.long = (self.width >> 9, self.height >> 9)  # steps of operations on masks across a row, a column
        self._masks: dict[tuple[int, int], list[int]] = {}

    def masks(self, code: int, party: int = 0) -> list[int]:
        """For each row (party 0) or column (party 1), the cells of it that have this code (-1: that are undefined)."""
        if (code, party) not in self._masks:
            count, across = (self.width, self.height) if party else (self.height, self.width)
            self.spend(3 * self.size + 30 * count)
            masks = marked(self.table, {code}, party)
            self.spend(0, 8 * count + (36 + across // 7) * (count - masks.count(0)))
            self._masks[code, party] = masks
        return self._masks[code, party]

    def allowed(self, code: int, party: int = 0) -> list[int]:
        """Likewise the cells that have this code or are undefined."""
        own, free = self.masks(code, party), self.masks(-1, party)
        self.spend(len(own) * (5 + self.long[party]), len(own) * (44 + (self.height, self.width)[1 - party] // 7))
        return [a | b for a, b in zip(own, free, strict=True)]

    def fits(self, code: int, row: int, across: int, party: int = 0) -> bool:
        """Whether a row (for party 1: a column) has no other code at these places."""
        self.spend(42 + 4 * self.long[party])
        return across & ~(self.masks(code, party)[row] | self.masks(-1, party)[row]) == 0

    def places(self, mask: int) -> list[int]:
        self.spend(20 + 8 * mask.bit_count() + mask.bit_length() // 8)
        text, places = bin(mask)[:1:-1], []
        place = text.find("1")
        while place >= 0:
            places.append(place)
            place = text.find("1", place + 1)
        return places

    def subset(self, value: Any, size: int) -> int:
        """A set of rows or columns as a mask, from hexadecimal text or a list of places."""
        if isinstance(value, list):
            self.spend(50 + 20 * len(value) + size // 64, size // 7)
            return mask_of(indices(value, size), size)
        good = isinstance(value, str) and len(value) <= size // 4 + 1 and re.fullmatch("[0-9a-f]+", value)
        need(bool(good) and int(value, 16) >> size == 0, "expected a set of rows or columns, in hexadecimal digits")
        return int(value, 16)

    def cells(self, listed: Any, more: int = 0) -> list[Any]:
        """Cells of the table from a list of [row, column], each with so many entries ``more``, and then once."""
        for row, column, *_ in (items(entry, 2 + more) for entry in items(listed)):
            integer(row, 0, self.height - 1)
            integer(column, 0, self.width - 1)
        need(not more or len({tuple(entry[:2]) for entry in listed}) == len(listed), "different cells")
        return [tuple(entry) for entry in listed]

    def rectangle(self, rows: Any, columns: Any) -> tuple[int, int]:
        """A rectangle as two masks."""
        return self.subset(rows, self.height), self.subset(columns, self.width)

    @property
    def content(self) -> Any:
        return self.table

    def part(self, rows: Any, columns: Any) -> Matrix:
        """The submatrix of some rows and columns (lists without repetition); it shares the work."""
        mine, yours = indices(rows, self.height), indices(columns, self.width)
        need(0 < len(mine) == len(set(mine)) and 0 < len(yours) == len(set(yours)), "different rows and columns")
        self.spend(4 * (len(mine) + 4) * len(yours) + 100, 8 * (len(mine) + 1) * len(yours) + 100 * len(mine))
        return Matrix([[self.table[row][column] for column in yours] for row in mine], self.left)


def marked(table: Table, wanted: set[int], party: int) -> list[int]:
    rows = list(zip(*table, strict=True)) if party else table
    try:  # ten times as fast
        digits = bytes(ord("1") if cell in wanted else ord("0") for cell in range(256))
        return [int(bytes(row)[::-1].translate(digits), 2) for row in rows]
    except ValueError:  # cells below 0, or above 255
        return [int("".join(["1" if cell in wanted else "0" for cell in row[::-1]]), 2) for row in rows]


class Unwritten(Matrix):
    """A named function whose table is not written out: only what its definition alone proves is looked at."""

    def __init__(self, name: str, n: int) -> None:
        WorkBudget.__init__(self)
        self.function = name, n

    def __getattr__(self, name: str) -> Any:
        raise TooLarge(f"a matrix of at most {MOST_CELLS} cells")


class RelationTable(Matrix):
    """A table of sets of right answers, as masks over the labels; what is about one answer in a cell is refused."""

    def __init__(self, sets: Table, labels: int) -> None:
        self.sets, self.height, self.width = sets, len(sets), len(sets[0])
        self.size = self.height * self.width
        self.codes = list(range(labels))
        WorkBudget.__init__(self)
        self.long = (self.width >> 9, self.height >> 9)
        self._right: dict[tuple[int, int], list[int]] = {}

    def __getattr__(self, name: str) -> Any:
        raise Refused("this kind of witness is about functions")

    def masks(self, code: int, party: int = 0) -> list[int]:
        raise Refused("this kind of witness is about functions")

    def allowed(self, code: int, party: int = 0) -> list[int]:
        if (code, party) not in self._right:
            need(code < len(self.codes), "an answer that is none of the labels")
            self.spend(5 * self.size, self.size)
            right = {cell for row in self.sets for cell in row if cell >> code & 1}
            self._right[code, party] = marked(self.sets, right, party)
        return self._right[code, party]

    def fits(self, code: int, row: int, across: int, party: int = 0) -> bool:
        self.spend(42 + 4 * self.long[party])
        return across & ~self.allowed(code, party)[row] == 0

    @property
    def content(self) -> Any:
        return {"allowed": self.sets}


Checker = Callable[..., Any]
Checkers = dict[tuple[str, str], dict[str, Checker]]  # (measure, side) -> kind of witness -> checker
Measures = dict[str, tuple[tuple[str, ...], tuple[str, ...]]]  # units of the value, and parameters of the claim
MEASURES: Measures = {
    "deterministic": (("bits",), ("answer", "rounds", "first")),
    "leaves": (("leaves",), ("answer",)),
    "rank": (("", "rank"), ("code", "field")),
    "nonnegative-rank": (("",), ("values",)),
    "sign-rank": (("",), ("label",)),
    "approximate-rank": (("",), ("label", "error")),
    "fooling-set": (("cells",), ("code", "answer")),
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
}
PARAMETERS = {measure: names for measure, (_, names) in MEASURES.items()}
FORMS: dict[str, Callable[[Any], bool]] = {  # what a parameter may be
    "answer": lambda value: value in ("both", "alice", "bob"),
    "rounds": lambda value: value is None or integer(value, 1, 1 << 20) > 0,
    "first": lambda value: value in (None, "alice", "bob"),
    "code": lambda value: value is None or integer(value, 0, CODES) >= 0,
    "label": lambda value: integer(value, 0, CODES) >= 0,
    "field": lambda value: value == "rational" or is_prime(integer(prime_of(value), 2, MOST_PRIME)),
    "weights": lambda value: value in ("label", "all") or isinstance(value, list),
    "direction": lambda value: value in ("alice-to-bob", "bob-to-alice"),
    "coins": lambda value: bool(value == "public"),
    "error": lambda value: 0 <= rational(value) < 1,
    "alpha": lambda value: rational(value) >= 1,
    "bits": lambda value: integer(value, 0, 64) >= 0,
    "smooth": lambda value: type(value) is bool,
    "values": lambda value: all(integer(entry, 0, CODES) >= 0 for entry in items(value)),
}
GONE = {  # kinds that were checked once, for claims on these measures
    "branching": ("cover", "partition"),
    "chain-clauses": ("cover", "partition"),
    "chains": ("cover", "partition"),
    "corruption": ("rectangle-bound",),
    "fooling-lrat": ("fooling-set",),
    "line-sets": ("cover", "partition"),
    "norm": ("approximate-rank",),
    "rank-squared": ("fooling-set",),
    "spectral": ("discrepancy",),
    "subsets": ("gamma_2",),
    "theta": ("fooling-set",),
    "triangular-set": ("rank",),
}
GONE_MEASURES = ("blackboard", "information-cost", "one-way-private", "private-coins", "rectangle")
LAST = "commit 1c13397"  # of ccsim, whose checker accepts all of them; there was no release
PROVES: Checkers = {}


def proves(kind: str, *claims: str, table: Checkers = PROVES) -> Callable[[Checker], Checker]:

    def enter(checker: Checker) -> Checker:
        for claim in claims:
            side, measure = claim.split(" ", 1)
            table.setdefault((measure, side), {})[kind] = checker
        return checker

    return enter


class Statement:
    measures, checkers, scope = MEASURES, PROVES, ""

    def __init__(self, measure: Any, side: Any, parameters: Any) -> None:
        check_parameters(measure, parameters, self.measures)
        need(side in ("lower", "upper"), "a side is lower or upper")
        self.measure, self.side, self.parameters = measure, side, parameters
        self.answer = parameters.get("answer", "both")

    @property
    def code(self) -> int:
        return integer(self.parameters["code"], 0, CODES)

    def proved(self, witness: Any) -> Any:
        need(isinstance(witness, dict) and isinstance(witness.get("kind"), str), "a witness has a kind")
        kind, measure = witness["kind"], self.measure
        checker = self.checkers.get((measure, self.side), {}).get(kind)
        if checker is None:
            need(measure not in GONE.get(kind, ()), gone("kind", kind))
            raise Refused(f"this kind of witness proves no {self.side} bound on {measure}{self.scope}")
        names = checker.__code__.co_varnames[1 : checker.__code__.co_argcount]
        return checker(self, *fields(witness, "kind", *names)[1:])


class MatrixClaim(Statement):
    def __init__(self, matrix: Matrix, measure: Any, side: Any, parameters: Any) -> None:
        super().__init__(measure, side, parameters)
        matrix.spend(200)
        self.matrix = matrix
        self.error = rational(parameters.get("error", "0/1"))
        turned = parameters.get("direction") == "bob-to-alice"
        self.party = int(turned)  # who sends the one message: 0 has the rows, 1 the columns

    def other(self, witness: Any, **changed: Any) -> Value:
        """The bound that a witness proves for another claim."""
        now = {"matrix": self.matrix, "measure": self.measure, "side": self.side, "parameters": self.parameters}
        value: Value = MatrixClaim(**{**now, **changed}).proved(witness)
        return value

    def on(self, matrix: Matrix) -> MatrixClaim:
        return MatrixClaim(matrix, self.measure, self.side, self.parameters)


def gone(what: str, name: str) -> str:
    """That this is no longer checked, and what checks it."""
    return f"{what} {name!r} is no longer checked; ccsim of {LAST}, or earlier, accepts it"


def check_parameters(measure: Any, parameters: Any, measures: Measures) -> None:
    """What a claim needs beside the matrix, and nothing else; checkers look closer at weights."""
    need(measure not in GONE_MEASURES, gone("measure", str(measure)))
    need(isinstance(measure, str) and measure in measures, "a measure that is known")
    names = measures[measure][1]
    for name, value in zip(names, fields(parameters, *names), strict=True):
        need(FORMS[name](value), f"another value of {name}")
    need(parameters.get("first") is None or parameters["rounds"] is not None, "first goes with rounds")
    other = parameters.get("answer", "both") == "both" or measure in ("deterministic", "leaves", "fooling-set")
    need(other, "both parties know the answer")


@proves("parts", "lower cover", "upper cover", "lower partition", "upper partition", "upper fooling-set",
        "lower rectangle", "upper rectangle", "lower leaves")  # fmt: skip
def check_parts(claim: MatrixClaim, parts: Any) -> Value:
    """A claim about all answers, by one about each that occurs, in order: rectangles of different answers are
    different, and the cells of one answer in a fooling set are one, so these add up.

    The leaves with an answer that both know divide its cells among them: a claim about leaves is by the partition of
    each answer. In a relation an answer has no cells of its own."""
    measure, shared = claim.measure, dict(claim.parameters)
    if measure == "leaves":
        one = not isinstance(claim.matrix, RelationTable)
        need(claim.answer == "both" and one, "one answer in a cell, that both know")
        measure, shared = "partition", {"code": None}
    need(shared["code"] is None, "parts are for a claim about all answers")
    codes = claim.matrix.codes
    pairs = zip(codes, items(parts, len(codes)), strict=True)
    values = [claim.other(part, measure=measure, parameters={**shared, "code": code}) for code, part in pairs]
    return sum(values)


@proves("submatrix", "lower cover", "lower partition", "lower sign-rank")
def check_submatrix(claim: MatrixClaim, rows: Any, columns: Any, of: Any) -> Value:
    """What a part needs, the whole needs."""
    return claim.other(of, matrix=claim.matrix.part(rows, columns))


BITS_OF = {
    ("nondeterministic", "lower"): ("cover",),
    ("nondeterministic", "upper"): ("cover",),
    ("one-way", "lower"): ("one-way-messages", "deterministic"),
    ("one-way", "upper"): ("one-way-messages",),
    ("one-way-randomised", "lower"): ("vc-dimension", "randomised"),
    ("one-way-randomised", "upper"): ("one-way-messages",),
    ("randomised", "lower"): ("discrepancy", "rectangle-bound", "partition-bound", "gamma_2"),
    ("deterministic", "lower"): ("leaves",),
    ("quantum", "lower"): ("gamma_2",),
}


@proves("bits-of", *(f"{side} {measure}" for measure, side in BITS_OF))
def check_bits(claim: MatrixClaim, measure: Any, given: Any, of: Any) -> int:
    """Bits from another measure, with the parameters that are ``given`` and those of the claim.

    To name one of so many rectangles (for a prover) or messages takes the logarithm, rounded up; a protocol of c bits
    has at most 2^c leaves. With public coins a protocol of c bits and error e is a mixture of trees of at most 2^c
    leaves, which is at least the rectangle and partition bounds, see :func:`check_cell_weights`; and 2^c >= (1 - 2e) /
    discrepancy for any distribution (Kushilevitz and Nisan 1997, section 3.5). With alpha = 1 / (1 - 2e), 2^c >=
    (gamma_2^alpha / alpha)^2: a tree has leaves l reached after a_l bits of Alice and b_l of Bob. Let x_i(l) = 2^(-b_l
    / 2) and y_j(l) = +-2^(b_l / 2) on the rows and columns of l, else 0. Row i reaches, whatever Bob sends, leaves with
    sum of 2^(-b_l) = 1, and column j those with sum of 2^(b_l) <= 2^c sum of 2^(-a_l) = 2^c. So the answers' signs have
    gamma_2 <= 2^(c/2), and so has their mean over public coins, which is B (1 - 2e) for a B as in
    :func:`check_gamma2_dual`. A qubit is two such bits, if entanglement is shared (by teleportation); then a leaf has
    operators M(l), N(l), products of what each party measured on its way, and x_i(l) = 2^(-b_l / 2) M* M, y_j(l) =
    +-2^(b_l / 2) N* N, applied to the shared state: M* M and N* N are at most 1, and the same sums hold of them, so
    gamma_2 <= 2^c for c qubits. One message with public coins has c >= (1 - H(e)) d, d the VC dimension (Kremer, Nisan,
    Ron 1999): with e = a/b, and H the binary entropy, 2^(bc) >= (2^b a^a (b - a)^(b - a) / b^b)^d. Whoever receives the
    one message may send back the answer, one of those that occur: then both know it, with as much error.
    """
    need(measure in BITS_OF[claim.measure, claim.side], "these bits are not of that measure")
    shared = {name: claim.parameters[name] for name in PARAMETERS[measure] if name in claim.parameters}
    if measure == "gamma_2":
        need(2 * claim.error < 1, "an error below 1/2")
        alpha = 1 / (1 - 2 * claim.error)
        shared["alpha"] = f"{alpha.numerator}/{alpha.denominator}"
    need(isinstance(given, dict) and not set(given) & set(shared), "only what the claim does not state is given")
    side = "upper" if measure == "discrepancy" else claim.side
    value = claim.other(of, measure=measure, side=side, parameters={**given, **shared})
    if measure in ("deterministic", "randomised"):
        need(given.get("answer") == "both" and given.get("rounds") is None, "both know the answer, in any rounds")
        return max(0, int(value) - bits_for(len(claim.matrix.codes)))
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
