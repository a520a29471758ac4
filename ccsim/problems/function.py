"""Functions and relations of several parties: their rule, their matrix, and what is composed of copies of them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.cells import DONT_CARE, Cells, code_type
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.memory import format_count, require_memory
from ccsim.problems.inputs import InputSet, Integers, Pairs, Restriction, part_rows
from ccsim.problems.rules import Rule, mesh
from ccsim.relations import Relation

Evaluate = Callable[..., Any]

BLOCK_CELLS = 1 << 20  # how many cells of a table are evaluated at once


@dataclass(frozen=True, eq=False)
class MultipartyFunction:
    """A function of one input per party, with finite input sets and a finite answer set.

    Attributes:
        name: what it is called, with its parameters.
        inputs: one input set per party.
        answers: every possible answer; an answer's place is its code.
        evaluate: takes one array of inputs per party (rows as the input sets make them, with axes that
            broadcast) and returns an integer array of answer codes, ``DONT_CARE`` (-1) off the promise; a plain
            ``f(x, y)``, from one input of each party to an answer or None, is accepted, too, and asked cell by cell.
            Which of both it is is seen on a few inputs (:class:`~ccsim.problems.rules.Rule`), and so is an array of
            answers in place of codes.
        parties: their names, in order.
        note: one line for people.
        returns: ``"codes"`` or ``"answers"``, where the values of ``evaluate`` may be both: with the answers (-1, 1),
            1 may be that answer or its code. Without it such a rule is refused.
    """

    name: str
    inputs: tuple[InputSet, ...]
    answers: tuple[Hashable, ...]
    evaluate: Any = field(repr=False)
    parties: tuple[str, ...] = ("alice", "bob")
    note: str = field(default="", repr=False)
    returns: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if len(self.inputs) != len(self.parties) or len(set(self.parties)) != len(self.parties):
            raise InputError("parties", self.parties, f"{len(self.inputs)} different names, one per input set")
        if not self.answers or len(set(self.answers)) != len(self.answers):
            raise InputError("answers", self.answers, "one or more answers, all different")
        rule = Rule(self.name, self.inputs, self.answers, self.evaluate, self.returns)
        object.__setattr__(self, "evaluate", rule)

    def __call__(self, *values: Hashable) -> Any:
        """The answer on one input per party, or None outside the promise."""
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
        """Where the codes of given answers are not right, within the promise.

        Args:
            cells: entries of the table, :attr:`codes`.
            given: codes of answers, of a shape that broadcasts against it.
        """
        return np.asarray((cells != DONT_CARE) & (cells != given))

    def meaning(self, cell: int) -> Any:
        """What an entry of the table says: the answer, or None off the promise."""
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
        codes = matrix.codes
        rows, columns = matrix.shape
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
        self._same_inputs(other)

        def evaluate(x: Array, y: Array) -> Array:
            a, b = np.asarray(self.evaluate(x, y), np.int64), np.asarray(other.evaluate(x, y), np.int64)
            return np.where((a == DONT_CARE) | (b == DONT_CARE), DONT_CARE, operation(a, b))

        return TwoPartyFunction(f"({self.name} {word} {other.name})", self.inputs, (0, 1), evaluate)

    def _require_boolean(self) -> None:
        if not self.is_boolean:
            raise InputError("function", self.name, f"a Boolean function, not one with answers {self.answers[:6]}")

    def _same_inputs(self, other: TwoPartyFunction) -> None:
        if self.inputs != other.inputs:
            raise InputError("functions", (self.name, other.name), f"the same inputs: {self.inputs} != {other.inputs}")


class TwoPartyRelation(TwoPartyFunction):
    """A relation as what a protocol computes: any answer that is right will do, the same one for both parties.

    Alice holds a row number, Bob a column number. The entries of :attr:`codes` are masks of right answers.

    >>> from ccsim.problems import karchmer_wigderson
    >>> game = TwoPartyRelation.of(karchmer_wigderson("0110"))
    >>> game(0, 0), game.is_right(game(0, 0), 2)
    (frozenset({2}), True)
    """

    is_relation = True

    @classmethod
    def of(cls, relation: Relation) -> TwoPartyRelation:
        """The relation, on row and column numbers."""
        rows, columns = relation.shape
        allowed = relation.allowed
        inputs = (Integers(rows), Integers(columns))
        return cls(relation.name, inputs, relation.labels, lambda x, y: allowed[x, y], returns="codes")

    def wrong(self, cells: Array, given: Array) -> Array:
        """Where an answer is not among the right ones."""
        known = given >= 0
        return np.asarray(~known | ((cells >> np.where(known, given, 0) & 1) == 0))

    def meaning(self, cell: int) -> frozenset[Hashable]:
        """The right answers of a mask."""
        return frozenset(answer for place, answer in enumerate(self.answers) if cell >> place & 1)

    def is_right(self, expected: Any, answer: Hashable) -> bool:
        """Whether an answer is one of the right ones."""
        return answer in expected

    def __call__(self, *values: Hashable) -> Any:
        """The right answers on one input of each party."""
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
    """What a protocol computes, from what people write: a function, a relation, a matrix, or rows of labels.

    >>> as_function([[1, 0], [0, 1]]).shape
    (2, 2)
    """
    if isinstance(function, MultipartyFunction):
        return function
    if isinstance(function, Relation):
        return TwoPartyRelation.of(function)
    if isinstance(function, (CommunicationMatrix, list, tuple)) or hasattr(function, "__array__"):
        return TwoPartyFunction.from_matrix(function)
    expected = "a function such as equality(3), a Relation, a CommunicationMatrix, or rows of labels"
    raise InputError("function", function, expected)


MOST_ANSWERS = 1 << 20
"""The largest number of answers that a direct sum may have."""


def direct_sum(*functions: TwoPartyFunction) -> TwoPartyFunction:
    """All of several problems on independent inputs: the answer is the tuple of their answers.

    Each party holds a tuple with one input for each function. Inputs are outside the promise as soon as one
    of them is. Whether the cost is the sum of the costs is the direct-sum question (Karchmer, Raz and
    Wigderson 1995). At most 2^20 answers in all.

    >>> from ccsim.problems import equality, greater_than
    >>> direct_sum(equality(2), greater_than(2))(("01", "11"), ("01", "10"))
    (1, 1)
    """
    _require_functions(functions)
    count = math.prod(len(function.answers) for function in functions)
    if count > MOST_ANSWERS:
        names = [function.name for function in functions]
        raise InputError("functions", names, f"at most 2^20 answers in all, not {count}")

    def combine(codes: list[Array]) -> Array:
        whole = np.zeros((), dtype=np.int64)
        for function, code in zip(functions, codes, strict=True):
            whole = whole * len(function.answers) + code
        return np.asarray(whole)

    answers = tuple(itertools.product(*(function.answers for function in functions)))
    return _compose("direct_sum", functions, answers, combine, "the tuple of all answers")


def xor_composition(*functions: TwoPartyFunction) -> TwoPartyFunction:
    """The exclusive or of several Boolean functions on independent inputs, each party holding tuples.

    >>> from ccsim.problems import equality
    >>> xor_composition(equality(1), equality(1)).matrix.codes.tolist()
    [[0, 1, 1, 0], [1, 0, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0]]
    """
    return _boolean("xor", functions, np.bitwise_xor)


def and_composition(*functions: TwoPartyFunction) -> TwoPartyFunction:
    """Whether all of several Boolean functions on independent inputs are 1, each party holding tuples.

    >>> from ccsim.problems import equality
    >>> and_composition(equality(1), equality(2))(("0", "11"), ("0", "11"))
    1
    """
    return _boolean("and", functions, np.bitwise_and)


def or_composition(*functions: TwoPartyFunction) -> TwoPartyFunction:
    """Whether one of several Boolean functions on independent inputs is 1, each party holding tuples.

    >>> from ccsim.problems import intersection
    >>> two = or_composition(intersection(1), intersection(1))
    >>> two.matrix == intersection(2).matrix
    True
    """
    return _boolean("or", functions, np.bitwise_or)


def _boolean(
    word: str, functions: tuple[TwoPartyFunction, ...], operation: Callable[[Array, Array], Array]
) -> TwoPartyFunction:
    _require_functions(functions)
    for function in functions:
        if not function.is_boolean:
            raise InputError("functions", function.name, f"answers 0 and 1, not {function.answers[:6]}")

    def combine(codes: list[Array]) -> Array:
        whole = codes[0]
        for code in codes[1:]:
            whole = operation(whole, code)
        return whole

    return _compose(f"{word}_composition", functions, (0, 1), combine, f"the {word} of the answers")


def _compose(
    name: str,
    functions: tuple[TwoPartyFunction, ...],
    answers: tuple[Any, ...],
    combine: Callable[[list[Array]], Array],
    note: str,
) -> TwoPartyFunction:
    alice = Pairs(tuple(function.alice for function in functions))
    bob = Pairs(tuple(function.bob for function in functions))

    def evaluate(x: Array, y: Array) -> Array:
        rows = zip(functions, part_rows(alice, x), part_rows(bob, y), strict=True)
        codes = [np.asarray(function.evaluate(a, b), dtype=np.int64) for function, a, b in rows]
        promised = np.logical_and.reduce([code != DONT_CARE for code in np.broadcast_arrays(*codes)])
        return np.where(promised, combine(codes), DONT_CARE)

    whole = f"{name}({', '.join(function.name for function in functions)})"
    return TwoPartyFunction(whole, (alice, bob), answers, evaluate, note=note, returns="codes")


def _require_functions(functions: tuple[object, ...]) -> None:
    if not functions:
        raise InputError("functions", functions, "one or more two-party functions")
    for function in functions:
        if not isinstance(function, TwoPartyFunction):
            raise InputError("functions", function, "two-party functions")


Subject = CommunicationMatrix | TwoPartyFunction | Cells
"""A matrix, a function that has one, or rows of labels: lists of lists, an array, a table of pandas; None is free."""


def matrix_of(subject: Subject) -> CommunicationMatrix:
    """The matrix that is meant; :class:`~ccsim.errors.InputError` for what is none.

    >>> matrix_of([[1, 0], [0, 1]]).labels
    (0, 1)
    >>> import numpy as np
    >>> from ccsim.problems import equality
    >>> matrix_of(equality(1)) == matrix_of(np.eye(2, dtype=int))
    True
    """
    if isinstance(subject, CommunicationMatrix):
        return subject
    if isinstance(subject, TwoPartyFunction):
        return subject.matrix
    if hasattr(subject, "__array__") or (isinstance(subject, Sequence) and not isinstance(subject, str | bytes)):
        return CommunicationMatrix.from_array(subject)
    raise InputError("subject", subject, "a communication matrix, a two-party function, or rows of cells")
