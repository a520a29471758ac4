"""Checks for exercises: each reports whether an answer is right, or why not, and never what would have been right.

What is asked is computed when it is checked, so the exercises of ``notebooks/`` have no list of answers, and a teacher
can ask the same of any other function, protocol or model. An answer that is still ``...`` is none yet.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import wraps
from typing import Any

import numpy as np

from ccsim.bounds import deterministic, first_clash, leaf_rank, one_way
from ccsim.certificates.verify.certificates import with_unit
from ccsim.engine.protocol import Protocol
from ccsim.errors import InputError, PartyError, ProtocolError
from ccsim.matrices import CommunicationMatrix
from ccsim.models import SequenceModel
from ccsim.models.recurrent import RecurrentModel
from ccsim.plain_data import counted
from ccsim.problems import SequenceTask, TwoPartyFunction

__all__ = [
    "Reply",
    "check_confusion",
    "check_cost",
    "check_deterministic",
    "check_error",
    "check_fooling_set",
    "check_gap",
    "check_model",
    "check_number",
    "check_one_way",
    "check_protocol",
    "check_rectangle",
    "check_that",
]


@dataclass(frozen=True)
class Reply:
    """Whether an answer is right, None if there is none yet; and why, in a sentence.

    Attributes:
        right, reason: the verdict, and a sentence.
    """

    right: bool | None
    reason: str

    def __bool__(self) -> bool:
        return self.right is True

    def __str__(self) -> str:
        verdict = {True: "right", False: "not yet", None: "no answer yet"}[self.right]
        return f"{verdict}: {self.reason}"

    __repr__ = __str__


def asked(check: Callable[..., Reply]) -> Callable[..., Reply]:
    """Let a check say what is wrong with an answer that is missing or is none at all."""

    @wraps(check)
    def checked(*arguments: Any, **options: Any) -> Reply:
        answers = [*arguments, *options.values()]
        parts = [part for answer in answers if isinstance(answer, list | tuple) for part in answer]
        if any(given is ... for given in answers + parts):
            return Reply(None, "put your answer in place of the three dots")
        try:
            return check(*arguments, **options)
        except (InputError, PartyError, ProtocolError) as error:
            return Reply(False, str(error))
        except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
            return Reply(False, f"this answer cannot be tried: {error}")

    return checked


@asked
def check_number(given: Any, wanted: Callable[[], Any], unit: str = "") -> Reply:
    """Whether a number is the one that ``wanted`` computes: too small, too large, or right.

    >>> check_number(5, lambda: 2 + 2), check_number(4, lambda: 2 + 2, "bits"), check_number(..., lambda: 0).right
    (not yet: 5 is too large, right: 4 bits, None)
    """
    if isinstance(given, bool) or not isinstance(given, (int, float, Fraction, np.integer)):
        return Reply(False, f"{given!r} is not a number")
    right = wanted()
    if given == right:
        return Reply(True, with_unit(given, unit))
    return Reply(False, f"{given} is too {'small' if given < right else 'large'}")


@asked
def check_that(given: Any, holds: Callable[..., bool], statement: str) -> Reply:
    """Whether what is asked holds for an answer; a tuple is spread over the arguments of ``holds``.

    >>> check_that((3, 4), lambda a, b: a * a + b * b == 25, "the squares add up to 25")
    right: the squares add up to 25
    """
    right = bool(holds(*given) if isinstance(given, tuple) else holds(given))
    return Reply(right, statement if right else f"it does not hold that {statement}")


@asked
def check_rectangle(
    function: TwoPartyFunction, rows: Iterable[Any], columns: Iterable[Any], answer: Any, at_least: int = 1
) -> Reply:
    """Whether rows times columns, as inputs of Alice and Bob, have one answer, in at least so many different cells.

    >>> from ccsim.problems import disjointness
    >>> check_rectangle(disjointness(2), ["00", "01"], ["00", "11"], 1)
    not yet: the cell (01, 11) has the answer 0
    """
    chosen = [
        list(dict.fromkeys(_places(part, values)))  # a row or column that is named twice is one
        for part, values in zip(function.inputs, (rows, columns), strict=True)
    ]
    cells = len(chosen[0]) * len(chosen[1])
    for row, column in itertools.product(*chosen):
        if (other := function.matrix[row, column]) != answer:
            return Reply(False, f"the cell {_cell(function, (row, column))} has the answer {other}")
    if cells < at_least:
        return Reply(
            False, f"it has the answer {answer} only, but in {counted(cells, 'cell')}: {at_least} are possible"
        )
    return Reply(True, f"{counted(cells, 'cell')}, all of them {answer}")


@asked
def check_fooling_set(function: TwoPartyFunction, pairs: Iterable[Any], size: int = 1) -> Reply:
    """Whether pairs of inputs are a fooling set of at least so many cells; answers may be mixed.

    >>> from ccsim.problems import equality
    >>> check_fooling_set(equality(2), [("00", "00"), ("01", "00"), ("10", "11")])
    not yet: (01, 00) and (10, 11) can share a leaf: all four corners have the answer 0
    """
    listed = list(pairs)
    for pair in listed:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            return Reply(False, f"{pair!r} is not a pair (x, y)")
    cells = [(_places(function.alice, [x])[0], _places(function.bob, [y])[0]) for x, y in listed]
    if len(set(cells)) < len(cells):
        return Reply(False, "a pair appears twice")
    clash = first_clash(function.matrix, cells)
    if clash is not None:
        names = " and ".join(_cell(function, cell) for cell in clash)
        answer = function.matrix[clash[0]]
        return Reply(False, f"{names} can share a leaf: all four corners have the answer {answer}")
    if len(cells) < size:
        return Reply(False, f"a fooling set, but of {counted(len(cells), 'cell')}: there is one of {size}")
    least = counted((len(cells) - 1).bit_length(), "bit")
    return Reply(True, f"no leaf holds two of these {counted(len(cells), 'cell')}, so at least {least}")


@asked
def check_deterministic(given: Any, function: TwoPartyFunction | CommunicationMatrix, seconds: float = 20.0) -> Reply:
    """Whether D(f), with both knowing the answer, is so many bits; the exact search decides.

    >>> from ccsim.problems import equality
    >>> check_deterministic(2, equality(2)), check_deterministic(3, equality(2))
    (not yet: 2 bits would be too few: there is a refutation, right: 3 bits)
    """
    result = deterministic(function, seconds=seconds)
    if isinstance(given, bool) or not isinstance(given, int | np.integer):
        return Reply(False, f"{given!r} is not a number of bits")
    if given < result.lower:
        return Reply(False, f"{counted(int(given), 'bit')} would be too few: there is a refutation")
    if result.upper is not None and given > result.upper:
        return Reply(False, f"{counted(int(given), 'bit')} would be more than needed: there is a better protocol")
    if not result.exact:
        return Reply(None, "the search ran out of time; ask about a smaller function")
    return Reply(True, counted(int(given), "bit"))


@asked
def check_gap(rows: Sequence[Sequence[int]]) -> Reply:
    """Whether a 0/1 matrix costs more bits than its ranks give: D above the leaf-rank bound."""
    matrix = CommunicationMatrix.from_array(rows)
    if not matrix.is_boolean:
        return Reply(False, "the cells must be 0 and 1")
    ranks, result = leaf_rank(matrix).bits, deterministic(matrix, seconds=20.0)
    if result.lower > ranks:
        return Reply(True, f"the ranks give {counted(ranks, 'bit')}, and {result.lower} are needed")
    return Reply(False, f"the ranks give {counted(ranks, 'bit')}, and {result.upper} suffice")


@asked
def check_one_way(given: int, function: TwoPartyFunction, direction: str = "alice-to-bob") -> Reply:
    """Whether one message takes so many bits: the logarithm of how many rows (columns) are different, rounded up.

    >>> from ccsim.problems import index
    >>> check_one_way(3, index(3)), check_one_way(3, index(3), "bob-to-alice")
    (right: 3 bits, not yet: 3 is too large)
    """
    return check_number(given, lambda: one_way(function.matrix, direction).lower, "bits")


def _places(part: Any, values: Iterable[Any]) -> list[int]:
    return [part.index(part.parse(value) if isinstance(value, str) else value) for value in values]


def _cell(function: TwoPartyFunction, cell: tuple[int, int]) -> str:
    values = [part.value(place) for part, place in zip(function.inputs, cell, strict=True)]
    texts = ["".join(map(str, value)) if isinstance(value, tuple) else str(value) for value in values]
    return f"({', '.join(texts)})"


@asked
def check_protocol(protocol: Any, function: TwoPartyFunction, most_bits: int | None = None) -> Reply:
    """Whether a deterministic protocol computes a function on all inputs, with at most so many bits at worst.

    >>> from ccsim.problems import equality
    >>> from protocols.classical import trivial
    >>> check_protocol(trivial(equality(3)), equality(3), 3)
    not yet: it is correct, but sends 4 bits at worst: 3 suffice
    """
    if not isinstance(protocol, Protocol):
        return Reply(False, f"{protocol!r} is not a Protocol")
    own = protocol.function
    if own.shape != function.shape or own.answers != function.answers or (own.codes != function.codes).any():
        return Reply(False, f"{protocol.function.name} is another function than {function.name}")
    if not protocol.deterministic:
        return Reply(False, "it draws coins, and what is asked is a deterministic protocol")
    result = protocol.explore()
    if not result.correct:
        return Reply(False, str(result.violations[0]))
    bits = f"{counted(result.worst_bits, 'bit')} at worst"
    if most_bits is not None and result.worst_bits > most_bits:
        return Reply(False, f"it is correct, but sends {bits}: {most_bits} suffice")
    return Reply(True, f"correct on all {counted(result.pairs, 'input')}, with {bits}")


@asked
def check_cost(given: int, protocol: Protocol) -> Reply:
    """Whether a deterministic protocol sends exactly so many bits at worst; it is explored to find out."""
    return check_number(given, lambda: protocol.explore().worst_bits, "bits")


@asked
def check_error(pair: tuple[Any, Any], protocol: Protocol, least: Fraction | float | None = None) -> Reply:
    """Whether a protocol with coins errs on a pair of inputs with probability ``least`` or more (None: its worst).

    >>> from protocols.classical import inner_product_equality
    >>> check_error(("01", "01"), inner_product_equality(2, 1))
    not yet: on this pair it errs with probability 0
    """
    measured = protocol.measure_error()
    if measured.violations:
        return Reply(False, f"it is no protocol: {measured.violations[0]}")
    error = measured.error(*pair)
    wanted = measured.worst_error if least is None else least
    return Reply(error >= wanted, f"on this pair it errs with probability {error}")


@asked
def check_confusion(words: Any, model: RecurrentModel, task: SequenceTask, split: int) -> Reply:
    """Whether a model is in one state after ``split`` symbols of two words that the task tells apart, and agree then.

    >>> from ccsim.models import TransitionTable
    >>> from ccsim.problems import equality_of_halves
    >>> parity = TransitionTable("01", (0, 1), [[[0, 1], [1, 0]]], [0, 1])
    >>> check_confusion(("0101", "1001"), parity, equality_of_halves(4), 2)
    right: the same state after 2 symbols, the answers are 1 and 0, and the model answers 0 to both
    """
    if not isinstance(words, list | tuple) or len(words) != 2:
        return Reply(False, f"{words!r} are not two words")
    first, second = (tuple(word) for word in words)
    wanted = task(first), task(second)
    if first[split:] != second[split:]:
        return Reply(False, f"the words differ after the first {counted(split, 'symbol')}, too")
    ranks = np.array([[model.alphabet.index(symbol) for symbol in word[:split]] for word in (first, second)])
    states = model.run(ranks)
    if (states[0] != states[1]).any():
        return Reply(False, f"after {counted(split, 'symbol')} the states are different")
    if wanted[0] == wanted[1]:
        return Reply(False, f"the state is the same, but so is the answer that the task wants, {wanted[0]}")
    reason = f"the answers are {wanted[0]} and {wanted[1]}, and the model answers {model(first)} to both"
    return Reply(True, f"the same state after {counted(split, 'symbol')}, {reason}")


@asked
def check_model(model: Any, task: SequenceTask, most_state_bits: int | None = None) -> Reply:
    """Whether a model is right on every word of a task, with a state of at most so many bits if it is recurrent.

    >>> from ccsim.models import dyck_automaton
    >>> from ccsim.problems import dyck
    >>> check_model(dyck_automaton(2, 2), dyck(6), most_state_bits=3)
    right: it agrees with dyck(6, 2, 2) on all words
    """
    if not isinstance(model, SequenceModel):
        return Reply(False, f"{model!r} is not a SequenceModel")
    wrong = model.mistake(task)
    if wrong is not None:
        shown = wrong if isinstance(wrong, str) else " ".join(map(str, wrong))
        return Reply(False, f"on {shown} it answers {model(wrong)}, and {task(wrong)} is right")
    bits = getattr(model, "state_bits", None)
    if most_state_bits is not None and (bits is None or bits > most_state_bits):
        has = "bits of state that are not counted" if bits is None else counted(bits, "bit of state")
        return Reply(False, f"it is right, but has {has}: {most_state_bits} suffice")
    return Reply(True, f"it agrees with {task.name} on all words")
