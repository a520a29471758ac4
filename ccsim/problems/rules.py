"""Rules of functions: for arrays of inputs, checked on a few one by one, or for one input of each party."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.cells import DONT_CARE
from ccsim.errors import InputError, TableTooLargeError
from ccsim.problems.inputs import InputSet

FEW = 3  # inputs of the first party on which a rule is tried, and one more of each other party
MOST = 24  # of their combinations that are tried one by one
EXPECTED = (
    "codes for arrays of inputs (bit strings are numbers) as for each alone, or an answer for one input of each party"
)

Given = Callable[..., Any]
RETURNS = ("", "codes", "answers")


def mesh(rows: Sequence[Array]) -> list[Array]:
    """Give each party's rows an axis of their own, ahead of the axes of the row itself."""
    count = len(rows)
    return [
        row.reshape((1,) * party + row.shape[:1] + (1,) * (count - 1 - party) + row.shape[1:])
        for party, row in enumerate(rows)
    ]


class Rule:
    """A rule as it is given, called with one array of inputs per party, whose axes broadcast.

    At its first call it is tried on a few inputs, the first and the last among them: if it gives the same for all of
    them at once as for each alone, it is a rule for arrays, and gives codes, or answers if some of its values there
    are answers and no codes. Where all of them may be either, as 1 may be with the answers (-1, 1), ``returns`` has to
    say which they are. Otherwise it may be a plain ``f(x, y)``, which takes one input of each party, as a value or as
    a number, and gives an answer (or None off the promise). What is neither is an :class:`~ccsim.errors.InputError`.
    """

    def __init__(
        self, name: str, inputs: Sequence[InputSet], answers: Sequence[Hashable], given: Given, returns: str = ""
    ) -> None:
        if returns not in RETURNS:
            raise InputError("returns", returns, '"codes" or "answers", or nothing where the values show it')
        self.name, self.inputs, self.answers, self.given = name, tuple(inputs), tuple(answers), given
        self.returns = "codes" if isinstance(given, Rule) else returns
        self._use: Given | None = None

    def __call__(self, *rows: Array) -> Any:
        """The codes for these inputs."""
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
                told = f"{table[place]} among all inputs, {alone} alone, at {values}"
                raise InputError(f"rule of {self.name}", told, EXPECTED)

    def _few(self) -> tuple[list[Array], list[tuple[int, ...]]]:
        draw = np.random.default_rng(0)
        few = [_some(part, FEW + party, draw) for party, part in enumerate(self.inputs)]
        cells = list(product(*map(range, map(len, few))))
        if len(cells) > MOST:
            chosen = draw.choice(len(cells), MOST - 2, replace=False)
            cells = [cells[0], cells[-1], *(cells[place] for place in chosen)]
        return few, cells

    def _chosen(self) -> Given:
        few, cells = self._few()
        try:
            problem = self._compared(few, cells)
        except (InputError, TableTooLargeError, MemoryError):
            raise
        except Exception as error:  # of whatever kind: it is the rule's own
            problem = f"{type(error).__name__}: {error}"
        if not problem:
            return self._of_answers if (self.returns or self._seen(few)) == "answers" else self.given
        plain: list[tuple[Given, list[int]]] = []
        for take in (_values, _numbers):
            try:
                use = self._one_by_one(take)
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
        """The codes of the answers that a rule for arrays gives."""
        given = np.asarray(self.given(*rows))
        codes = [self._meaning.get(value) for value in given.reshape(-1).tolist()]
        if None in codes:
            wrong = given.reshape(-1)[codes.index(None)]
            raise InputError(f"what {self.name} evaluates to", wrong, f"one of the answers {self.answers[:6]}, or None")
        return np.array(codes, dtype=np.int64).reshape(given.shape)

    def _compared(self, few: list[Array], cells: list[tuple[int, ...]]) -> str:
        """Where the rule differs between inputs together and each alone; nothing: nowhere."""
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

    def _one_by_one(self, take: Callable[[InputSet, Array], list[Any]]) -> Given:
        """The rule for arrays that asks a plain one for each cell."""
        of_answers = {answer: code for code, answer in enumerate(self.answers)}
        of_codes = {code: code for code in range(DONT_CARE, len(self.answers))}
        codes = (of_codes if self.returns == "codes" else of_answers) | {None: DONT_CARE}

        def use(*rows: Array) -> Array:
            axes = [
                row.ndim - part.array(np.zeros(1, np.int64)).ndim + 1
                for row, part in zip(rows, self.inputs, strict=True)
            ]
            heads = [row.shape[:axis] for row, axis in zip(rows, axes, strict=True)]
            taken = []
            for part, row, head, axis in zip(self.inputs, rows, heads, axes, strict=True):
                own = np.empty(int(np.prod(head)), dtype=object)
                own[:] = take(part, row.reshape(-1, *row.shape[axis:]))
                taken.append(own.reshape(head))
            asked = np.broadcast(*taken)
            found = [codes[_scalar(self.given(*cell))] for cell in asked]
            return np.array(found, dtype=np.int64).reshape(asked.shape)

        return use


def _values(part: InputSet, rows: Array) -> list[Any]:
    return [part.value(int(place)) for place in part.places(rows)]


def _numbers(_: InputSet, rows: Array) -> list[Any]:
    return list(rows.tolist())


def _scalar(answer: Any) -> Any:
    """An answer that may come as one of numpy's."""
    return answer.item() if isinstance(answer, np.generic) else answer


def _some(part: InputSet, count: int, draw: np.random.Generator) -> Array:
    """The first and the last index of a set, and some between."""
    if part.size <= count:
        return part.indices()
    kind = np.int64 if part.size <= 1 << 62 else object
    middle = {1 + int(draw.integers(min(part.size - 2, 1 << 62))) for _ in range(count - 2)}
    return np.array([0, *sorted(middle), part.size - 1], dtype=kind)
