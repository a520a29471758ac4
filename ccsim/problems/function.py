"""Functions and relations of several parties: their rule, for arrays of inputs or for single ones, and their matrix."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from numbers import Real
from typing import Any

import numpy as np

from ccsim.errors import Array, InputError, TableTooLargeError, format_count, require_memory, require_symbols
from ccsim.matrices import CommunicationMatrix, Relation
from ccsim.problems.inputs import InputSet, Integers, Restriction
from ccsim.tables import DONT_CARE, Cells, code_type

BLOCK_CELLS = 1 << 20  # how many cells of a table are evaluated at once
FEW = 3  # inputs of the first party on which a rule is tried, and one more of each other party
MOST = 24  # of their combinations that are tried one by one
EXPECTED = (
    "codes for arrays of inputs (bit strings are numbers) as for each alone, or an answer for one input of each party"
)

Evaluate = Callable[..., Any]
RETURNS = ("", "codes", "answers")


def mesh(rows: Sequence[Array]) -> list[Array]:
    count = len(rows)
    return [
        row.reshape((1,) * party + row.shape[:1] + (1,) * (count - 1 - party) + row.shape[1:])
        for party, row in enumerate(rows)
    ]


def flattened(part: InputSet, rows: Array) -> tuple[Array, tuple[int, ...]]:
    """Rows of a set of inputs along one axis, and the axes that they had."""
    axis = rows.ndim - part.array(np.zeros(1, np.int64)).ndim + 1
    return rows.reshape(-1, *rows.shape[axis:]), rows.shape[:axis]


class Rule:
    """A rule as it is given, called with one array of inputs per party, whose axes broadcast.

    At its first call it is tried on a few inputs: if it gives the same for all of them at once as for each alone, it is
    a rule for arrays, and gives codes, or answers if some of its values there are answers and no codes. Otherwise it
    may be a plain ``f(x, y)`` of values or numbers. What is neither is an :class:`~ccsim.errors.InputError`.
    """

    def __init__(
        self, name: str, inputs: Sequence[InputSet], answers: Sequence[Hashable], given: Evaluate, returns: str = ""
    ) -> None:
        if returns not in RETURNS:
            raise InputError("returns", returns, '"codes" or "answers", or nothing where the values show it')
        self.name, self.inputs, self.answers, self.given = name, tuple(inputs), tuple(answers), given
        self.returns = "codes" if isinstance(given, Rule) else returns
        self._use: Evaluate | None = None

    def __call__(self, *rows: Array) -> Any:
        if self._use is None:
            self._use = self._chosen()
        return self._use(*rows)

    def check(self, table: Array) -> None:
        """An error if a few cells of a whole table are other codes than those of their inputs alone."""
        few, cells = self._few()
        for cell in cells:
            place = tuple(int(own[at]) for own, at in zip(few, cell, strict=True))
            alone = int(np.asarray(self(*self._rows(few, cell))).reshape(-1)[0])
            if alone != table[place]:
                values = tuple(part.value(at) for part, at in zip(self.inputs, place, strict=True))
                shown = f"{table[place]} among all inputs, {alone} alone, at {values}"
                raise InputError(f"rule of {self.name}", shown, EXPECTED)

    def _few(self) -> tuple[list[Array], list[tuple[int, ...]]]:
        draw = np.random.default_rng(0)
        few: list[Array] = []
        for count, part in enumerate(self.inputs, start=FEW):
            if part.size <= count:
                few.append(part.indices())
                continue
            middle = {1 + int(draw.integers(min(part.size - 2, 1 << 62))) for _ in range(count - 2)}
            kind = np.int64 if part.size <= 1 << 62 else object
            few.append(np.array([0, *sorted(middle), part.size - 1], dtype=kind))
        cells = list(product(*map(range, map(len, few))))
        if len(cells) > MOST:
            chosen = draw.choice(len(cells), MOST - 2, replace=False)
            cells = [cells[0], cells[-1], *(cells[place] for place in chosen)]
        return few, cells

    def _chosen(self) -> Evaluate:
        few, cells = self._few()
        try:
            problem = self._compared(few, cells)
        except (InputError, TableTooLargeError, MemoryError):
            raise
        except Exception as error:  # of whatever kind: it is the rule's own
            problem = f"{type(error).__name__}: {error}"
        if not problem:
            return self._of_answers if (self.returns or self._seen(few)) == "answers" else self.given
        plain: list[tuple[Evaluate, list[int]]] = []
        for values in (True, False):
            try:
                use = self._one_by_one(values)
                plain.append((use, [int(use(*self._rows(few, cell)).item()) for cell in cells]))
            except Exception:  # it does not take inputs of this form
                continue
        if not plain or plain[0][1] != plain[-1][1]:
            raise InputError(f"rule of {self.name}", problem, EXPECTED)
        return plain[0][0]

    @cached_property
    def _meaning(self) -> dict[Any, int]:
        """The code of each answer; what is not defined is None, or -1 where that is no answer."""
        return {DONT_CARE: DONT_CARE} | {answer: code for code, answer in enumerate(self.answers)} | {None: DONT_CARE}

    def _seen(self, few: list[Array]) -> str:
        """Whether a rule for arrays returns codes or answers, by its values on a few inputs."""
        rows = mesh([part.array(own) for part, own in zip(self.inputs, few, strict=True)])
        values = list(dict.fromkeys(np.asarray(self.given(*rows)).reshape(-1).tolist()))
        either = set(range(DONT_CARE, len(self.answers)))
        answers = [value for value in values if value in self._meaning]
        only = any(value not in either for value in answers)  # they are no codes
        if only and len(answers) == len(values):
            return "answers"
        if not only and (len(answers) < len(values) or all(self._meaning.get(code, code) == code for code in either)):
            return "codes"
        shown, places = f"array of {values[:6]}", f"codes, which are places in {self.answers[:6]} and -1 for undefined"
        expected = f'returns="answers" beside the rule if these are answers, or returns="codes" if they are {places}'
        raise InputError(f"rule of {self.name}", shown, expected)

    def _of_answers(self, *rows: Array) -> Array:
        given = np.asarray(self.given(*rows))
        codes = [self._meaning.get(value) for value in given.reshape(-1).tolist()]
        if None in codes:
            wrong = given.reshape(-1)[codes.index(None)]
            raise InputError(f"what {self.name} evaluates to", wrong, f"one of the answers {self.answers[:6]}, or None")
        return np.array(codes, dtype=np.int64).reshape(given.shape)

    def _compared(self, few: list[Array], cells: list[tuple[int, ...]]) -> str:
        together = np.asarray(self.given(*mesh([part.array(own) for part, own in zip(self.inputs, few, strict=True)])))
        shape = tuple(map(len, few))
        if together.dtype.kind not in "biufO" or together.ndim > len(shape):
            return f"{together.dtype} of shape {together.shape} for inputs of shape {shape}"
        whole = np.broadcast_to(together, shape)
        for cell in cells:
            alone = np.asarray(self.given(*self._rows(few, cell)))
            if alone.size != 1 or alone.reshape(-1)[0] != whole[cell]:
                shown = [self.inputs[party].value(int(few[party][place])) for party, place in enumerate(cell)]
                return f"{whole[cell]} among other inputs, {alone.tolist()} alone, at {tuple(shown)}"
        return ""

    def _rows(self, few: list[Array], cell: tuple[int, ...]) -> list[Array]:
        return [part.array(own[[place]]) for part, own, place in zip(self.inputs, few, cell, strict=True)]

    def _one_by_one(self, values: bool) -> Evaluate:
        """The rule for arrays that asks a plain one of values, or of numbers, for each cell."""
        of_answers = {answer: code for code, answer in enumerate(self.answers)}
        of_codes = {code: code for code in range(DONT_CARE, len(self.answers))}
        codes = (of_codes if self.returns == "codes" else of_answers) | {None: DONT_CARE}

        def use(*rows: Array) -> Array:
            taken = []
            for part, row in zip(self.inputs, rows, strict=True):
                flat, axes = flattened(part, row)
                own = np.empty(len(flat), dtype=object)
                own[:] = [part.value(int(place)) for place in part.places(flat)] if values else flat.tolist()
                taken.append(own.reshape(axes))
            asked = np.broadcast(*taken)
            answers = (self.given(*cell) for cell in asked)
            plain = [codes[answer.item() if isinstance(answer, np.generic) else answer] for answer in answers]
            return np.array(plain, dtype=np.int64).reshape(asked.shape)

        return use


@dataclass(frozen=True, eq=False)
class MultipartyFunction:
    """A function of one input per party, with finite input sets and a finite answer set.

    Attributes:
        name: what tables and errors call it.
        inputs: one set of inputs per party, such as ``(BitStrings(3), Integers(8))``.
        answers: every possible answer; an answer's place is its code.
        evaluate: takes one array of inputs per party (rows as the input sets make them, with axes that
            broadcast) and returns an integer array of answer codes, ``DONT_CARE`` (-1) off the promise, or one of
            answers. A plain ``f(x, y)``, from one input of each party to an answer or None, is asked cell by cell.
            Which of these it is is seen on a few inputs (:class:`~ccsim.problems.function.Rule`).
        returns: ``"codes"`` or ``"answers"``, where the values of ``evaluate`` may be both: with the answers (-1, 1),
            1 may be that answer or its code. Without it such a rule is refused.
        parties: the names of the parties, one per input set.
        note: what it computes, in words.
    """

    name: str
    inputs: tuple[InputSet, ...]
    answers: tuple[Hashable, ...]
    evaluate: Any = field(repr=False)
    parties: tuple[str, ...] = ("alice", "bob")
    note: str = field(default="", repr=False)
    returns: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.inputs, (tuple, list)) or not all(isinstance(one, InputSet) for one in self.inputs):
            raise InputError("inputs", self.inputs, "an input set for each party, such as (Integers(4), BitStrings(2))")
        if len(self.inputs) != len(self.parties) or len(set(self.parties)) != len(self.parties):
            raise InputError("parties", self.parties, f"{len(self.inputs)} different names, one per input set")
        object.__setattr__(self, "answers", require_symbols("answers", self.answers))
        rule = Rule(self.name, self.inputs, self.answers, self.evaluate, self.returns)
        object.__setattr__(self, "evaluate", rule)

    def __call__(self, *values: Hashable) -> Any:
        if len(values) != len(self.inputs):
            raise InputError("inputs", values, f"{len(self.inputs)} inputs, one for each of {self.parties}")
        rows = [
            part.array(np.array([part.index(value)], dtype=np.int64 if part.size <= 1 << 62 else object))
            for part, value in zip(self.inputs, values, strict=True)
        ]
        code = int(self._checked(self.evaluate(*rows)).reshape(-1)[0])
        return None if code == DONT_CARE else self.answers[code]

    @cached_property
    def places(self) -> dict[Hashable, int]:
        """The code of each answer."""
        return {answer: code for code, answer in enumerate(self.answers)}

    def code(self, answer: Hashable) -> int:
        """The code of an answer."""
        if answer not in self.places:
            raise InputError("answer", answer, f"one of {self.answers}")
        return self.places[answer]

    @property
    def shape(self) -> tuple[int, ...]:
        """How many inputs each party has."""
        return tuple(part.size for part in self.inputs)

    @cached_property
    def codes(self) -> Array:
        """The whole table, one axis per party: answer codes, -1 off the promise.

        Raises :class:`~ccsim.errors.TableTooLargeError` before allocating what cannot fit.
        """
        cells = math.prod(self.shape)
        kind = np.dtype(code_type(len(self.answers)))
        require_memory(cells * kind.itemsize, f"the table of {self.name} ({' x '.join(map(format_count, self.shape))})")
        table = np.empty(self.shape, dtype=kind)
        others = [part.array(part.indices()) for part in self.inputs[1:]]
        step = max(1, BLOCK_CELLS * self.shape[0] // max(cells, 1))
        for start in range(0, self.shape[0], step):
            rows = self.inputs[0].array(np.arange(start, min(start + step, self.shape[0])))
            block = self._checked(self.evaluate(*mesh([rows, *others])))
            table[start : start + step] = np.broadcast_to(block, (len(rows), *self.shape[1:]))
        if cells:
            self.evaluate.check(table)
        table.setflags(write=False)
        return table

    is_relation = False
    """Whether several answers may be right for the same inputs."""

    def wrong(self, cells: Array, given: Array) -> Array:
        """Where codes of given answers are not right for entries of the table, :attr:`codes`, within the promise."""
        return np.asarray((cells != DONT_CARE) & (cells != given))

    def meaning(self, cell: int) -> Any:
        """What an entry of the table means: the answer, or None off the promise."""
        return None if cell == DONT_CARE else self.answers[cell]

    def is_right(self, expected: Any, answer: Hashable) -> bool:
        """Whether an answer is right where the function's value is ``expected`` (None off the promise)."""
        return expected is None or bool(answer == expected)

    def _checked(self, evaluated: Any) -> Array:
        codes: Array = np.asarray(evaluated)
        if codes.dtype == object and (strange := [code for code in codes.flat if not isinstance(code, Real)]):
            raise InputError(f"what {self.name} evaluates to", strange[0], "codes of answers")
        if codes.dtype.kind == "f" and (part := codes[codes % 1 != 0]).size:
            raise InputError(f"what {self.name} evaluates to", part.flat[0], "whole numbers: codes of answers")
        if codes.size and not DONT_CARE <= codes.min() <= codes.max() < len(self.answers):
            wrong = codes[(codes < DONT_CARE) | (codes >= len(self.answers))].flat[0]
            hint = ', or returns="answers" beside the rule' if wrong in self.places else ""
            raise InputError(f"what {self.name} evaluates to", wrong, f"codes from -1 to {len(self.answers) - 1}{hint}")
        return codes


@dataclass(frozen=True, eq=False, repr=False)
class TwoPartyFunction(MultipartyFunction):
    """A function f(x, y) of Alice's input x and Bob's input y, total or under a promise.

    ``~f``, ``f & g``, ``f | g`` and ``f ^ g`` act on Boolean functions with the same input sets; a promise of
    either holds for the result. The table is computed when first asked for, in arrays.

    >>> from ccsim.problems import equality, disjointness
    >>> (~equality(2))("01", "10"), (equality(2) | disjointness(2))("00", "11")
    (1, 1)
    """

    @property
    def alice(self) -> InputSet:
        """Alice's inputs (rows)."""
        return self.inputs[0]

    @property
    def bob(self) -> InputSet:
        """Bob's inputs (columns)."""
        return self.inputs[1]

    @property
    def is_boolean(self) -> bool:
        """Whether the answers are 0 and 1."""
        return self.answers == (0, 1)

    @cached_property
    def matrix(self) -> CommunicationMatrix:
        """The communication matrix: rows are Alice's inputs, columns Bob's."""
        return CommunicationMatrix(self.codes, self.answers)

    @classmethod
    def from_matrix(cls, matrix: CommunicationMatrix | Any, name: str = "matrix") -> TwoPartyFunction:
        """The function of a matrix, or of rows of labels: Alice holds a row number and Bob a column number."""
        if not isinstance(matrix, CommunicationMatrix):
            matrix = CommunicationMatrix.from_array(matrix)
        codes, (rows, columns) = matrix.codes, matrix.shape
        inputs = (Integers(rows), Integers(columns))
        return cls(name, inputs, matrix.labels, lambda x, y: codes[x, y], returns="codes")

    @property
    def transpose(self) -> TwoPartyFunction:
        """The same function with the parties changed round."""
        name, turned = f"transpose({self.name})", self.inputs[::-1]
        return TwoPartyFunction(name, turned, self.answers, lambda x, y: self.evaluate(y, x), returns="codes")

    def restrict(self, alice: Iterable[Hashable], bob: Iterable[Hashable]) -> TwoPartyFunction:
        """The same function on fewer inputs.

        >>> from ccsim.problems import equality
        >>> equality(2).restrict(["00", "01"], ["01", "11"]).matrix.codes.tolist()
        [[0, 0], [1, 0]]
        """
        parts = [
            Restriction(part, [part.index(value) for value in values])
            for part, values in zip(self.inputs, (alice, bob), strict=True)
        ]
        return TwoPartyFunction(f"restriction of {self.name}", tuple(parts), self.answers, self.evaluate)

    def __invert__(self) -> TwoPartyFunction:
        self._require_boolean()

        def evaluate(x: Array, y: Array) -> Array:
            codes = np.asarray(self.evaluate(x, y))
            return np.where(codes == DONT_CARE, DONT_CARE, 1 - codes)

        return TwoPartyFunction(f"not {self.name}", self.inputs, (0, 1), evaluate)

    def __and__(self, other: TwoPartyFunction) -> TwoPartyFunction:
        return self._combine(other, np.bitwise_and, "and")

    def __or__(self, other: TwoPartyFunction) -> TwoPartyFunction:
        return self._combine(other, np.bitwise_or, "or")

    def __xor__(self, other: TwoPartyFunction) -> TwoPartyFunction:
        return self._combine(other, np.bitwise_xor, "xor")

    def _combine(self, other: TwoPartyFunction, operation: Evaluate, word: str) -> TwoPartyFunction:
        if not isinstance(other, TwoPartyFunction):
            return NotImplemented
        self._require_boolean()
        other._require_boolean()
        if self.inputs != other.inputs:
            names = self.name, other.name
            raise InputError("functions", names, f"the same inputs: {self.inputs} != {other.inputs}")

        def evaluate(x: Array, y: Array) -> Array:
            a, b = np.asarray(self.evaluate(x, y), np.int64), np.asarray(other.evaluate(x, y), np.int64)
            return np.where((a == DONT_CARE) | (b == DONT_CARE), DONT_CARE, operation(a, b))

        return TwoPartyFunction(f"({self.name} {word} {other.name})", self.inputs, (0, 1), evaluate)

    def _require_boolean(self) -> None:
        if not self.is_boolean:
            raise InputError("function", self.name, f"a Boolean function, not one with answers {self.answers[:6]}")


@dataclass(frozen=True, eq=False, repr=False)
class TwoPartyRelation(TwoPartyFunction):
    """A relation of row and column numbers: any answer that is right will do, the same one for both parties.

    The entries of :attr:`codes` are masks of right answers.

    >>> from ccsim.problems import karchmer_wigderson
    >>> game = TwoPartyRelation.of(karchmer_wigderson("0110"))
    >>> game(0, 0), game.is_right(game(0, 0), 2)
    (frozenset({2}), True)
    """

    is_relation = True

    @classmethod
    def of(cls, relation: Relation) -> TwoPartyRelation:
        """The relation, on row and column numbers."""
        allowed, (rows, columns) = relation.allowed, relation.shape
        inputs = (Integers(rows), Integers(columns))
        return cls(relation.name, inputs, relation.labels, lambda x, y: allowed[x, y], returns="codes")

    def wrong(self, cells: Array, given: Array) -> Array:
        known = given >= 0
        return np.asarray(~known | ((cells >> np.where(known, given, 0) & 1) == 0))

    def meaning(self, cell: int) -> frozenset[Hashable]:
        return frozenset(answer for place, answer in enumerate(self.answers) if cell >> place & 1)

    def is_right(self, expected: Any, answer: Hashable) -> bool:
        return answer in expected

    def __call__(self, *values: Hashable) -> Any:
        x, y = (part.index(value) for part, value in zip(self.inputs, values, strict=True))
        return self.meaning(int(self.codes[x, y]))

    @cached_property
    def codes(self) -> Array:
        """Masks of right answers: bit k of an entry is answer k."""
        x, y = (np.arange(part.size) for part in self.inputs)
        return np.asarray(self.evaluate(x[:, None], y[None, :]))

    @property
    def matrix(self) -> CommunicationMatrix:
        """A relation has no matrix of answers."""
        raise InputError("function", self.name, "a function: bounds of a relation are asked of the Relation itself")


def as_function(function: Any) -> MultipartyFunction:
    """What a protocol computes, from what people write: a function, a relation, a matrix, or rows of labels."""
    if isinstance(function, MultipartyFunction):
        return function
    if isinstance(function, Relation):
        return TwoPartyRelation.of(function)
    if isinstance(function, (CommunicationMatrix, list, tuple)) or hasattr(function, "__array__"):
        return TwoPartyFunction.from_matrix(function)
    expected = "a function such as equality(3), a Relation, a CommunicationMatrix, or rows of labels"
    raise InputError("function", function, expected)


# a matrix, a function that has one, or rows of labels: lists of lists, an array, a table of pandas
Subject = CommunicationMatrix | TwoPartyFunction | Cells


def matrix_of(subject: Subject) -> CommunicationMatrix:
    if isinstance(subject, CommunicationMatrix):
        return subject
    if isinstance(subject, TwoPartyFunction):
        return subject.matrix
    if hasattr(subject, "__array__") or (isinstance(subject, Sequence) and not isinstance(subject, str | bytes)):
        return CommunicationMatrix.from_array(subject)
    raise InputError("subject", subject, "a communication matrix, a two-party function, or rows of cells")
