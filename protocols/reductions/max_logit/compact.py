"""A cheaper max-logit softmax protocol: every field numbers only what its sender can mean at that point.

What is saved against the printed protocol, and why the answer stays the model's own, bit for bit:

- *The last symbol.* The other party needs only its logits, so the symbols with equal logits everywhere share a code.
- *The maximum.* A party's greatest logit is one of its at most positions * symbols logits, so its place among these is
  sent instead of p bits. A maximum not above the least that the other party can have is never the maximum of all, so
  all such share one code; the reply tells only whether, and by how much, the other maximum is above it.
- *The normaliser.* Exponentials are at most 1, so the sum over k positions has k * scale + 1 values.
- *The weighted sums.* Attention weights sum up to at most 1, so a coordinate lies between the least and the greatest
  value in it (or 0), and numbers of several coordinates are packed without a remainder of a bit each.
- One party calculates; the other receives the answer if it must know it.
"""

from __future__ import annotations

import numpy as np

from ccsim.arrays import Array
from ccsim.engine import Cost
from ccsim.engine.schedule import Conclusion, Field, Known, Schedule, Step, StepFunction
from ccsim.errors import InputError
from protocols.reductions.max_logit.parts import OTHER, Exchange, Part, fits_words, said_answer


def compact_schedule(exchange: Exchange, knowing: tuple[str, ...], first: str) -> tuple[Schedule, Cost]:
    """The cheaper protocol, in which ``first`` is the first to name its maximum."""
    if not fits_words(exchange.model):
        expected = "one whose weighted sums fit in 61 bits; variant='symbols' takes more"
        raise InputError("precision", str(exchange.model.precision), expected)
    steps: list[Step] = []
    calculator, helper = exchange.parts[exchange.calculator], exchange.parts[exchange.helper]
    widths: dict[str, int] = {}
    if helper.count:
        steps += _announcement(exchange)
        widths["symbol"] = _bits(steps)
        steps += Maxima(exchange, first).steps()
        widths["maxima"] = _bits(steps) - sum(widths.values())
    steps += exchange.notes() if helper.count else [exchange.note(calculator.role)]
    if helper.count:
        roles, most = (exchange.helper, exchange.calculator), exchange.model.precision.scale  # of one exponential
        bounds = [(exchange.parts[role].count * most + 1,) * exchange.model.heads for role in roles]
        steps += exchange.normaliser_fields(roles, bounds)
        widths["normalisers"] = _bits(steps) - sum(widths.values())
        steps.append(exchange.sum_field(helper.role, *_sum_range(helper)))
        widths["sums"] = _bits(steps) - sum(widths.values())
    low = _sum_range(helper)[0]

    def finish(rows: Array, known: Known) -> Array:
        return exchange.answer(calculator.role, rows, known, low)

    return _with_answer(exchange, knowing, steps, finish, widths)


def announcement_schedule(exchange: Exchange, knowing: tuple[str, ...]) -> tuple[Schedule, Cost]:
    """The helper names its symbols, as far as the model tells them apart, and the calculator runs the model."""
    helper, calculator = exchange.parts[exchange.helper], exchange.parts[exchange.calculator]
    alike = [_first_alike(_told_apart(exchange, place)) for place in helper.positions]
    codes = [np.unique(first, return_inverse=True) for first in alike]
    bounds = tuple(len(representatives) for representatives, _ in codes)

    def numbers(rows: Array, known: Known) -> Array:
        rows = helper.read(rows)
        columns = [code[rows[:, place]] for place, (_, code) in enumerate(codes)]
        return np.stack(columns, axis=1) if columns else np.zeros((len(rows), 0), dtype=np.int64)

    def finish(rows: Array, known: Known) -> Array:
        words = np.zeros((len(rows), exchange.model.length), dtype=np.int64)
        words[:, list(calculator.positions)] = calculator.read(rows)
        said = known["symbols"].reshape(len(rows), -1)
        for place, (position, (representatives, _)) in enumerate(zip(helper.positions, codes, strict=True)):
            words[:, position] = representatives[said[:, place]]
        return exchange.coded(exchange.model.codes(words))

    if len(bounds) > 0:
        said: list[Step] = [Field(helper.role, "symbols", f"the symbols of {helper.role}", bounds, numbers)]
    else:
        said = [Conclusion("symbols", lambda known: np.zeros((1, 0), dtype=np.int64))]
    return _with_answer(exchange, knowing, said, finish, {"symbols": _bits(said)})


def _with_answer(
    exchange: Exchange, knowing: tuple[str, ...], steps: list[Step], finish: StepFunction, widths: dict[str, int]
) -> tuple[Schedule, Cost]:
    """The schedule in which the calculator finishes, and tells the answer if the other party must know it."""
    formula = " + ".join(widths) or "0"
    if exchange.helper not in knowing:
        return Schedule(tuple(steps), {exchange.calculator: finish}), Cost(formula, widths)
    answers = len(exchange.function.answers)
    steps = [*steps, Field(exchange.calculator, "answer", "the answer", (answers,), finish)]
    given = dict.fromkeys(knowing, said_answer)
    return Schedule(tuple(steps), given), Cost(f"{formula} + L(answers)", {**widths, "answers": answers})


def _bits(steps: list[Step]) -> int:
    return sum(step.width for step in steps if isinstance(step, Field))


def _first_alike(rows: Array) -> Array:
    """For each row, the first row equal to it."""
    _, first, place = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return np.asarray(first[place.ravel()])


def _query_signature(exchange: Exchange) -> Array:
    """What the logits say of each symbol at the last position: one row per symbol."""
    table = np.moveaxis(exchange.model.logit_table, 1, 0)  # last symbol, head, position, symbol
    symbols = np.arange(len(table))
    own = table[symbols, :, -1, symbols]
    return np.concatenate([table[:, :, :-1].reshape(len(table), -1), own], axis=1)


def _told_apart(exchange: Exchange, position: int) -> Array:
    """What the model sees of each symbol at a position: one row per symbol."""
    model = exchange.model
    if position == model.length - 1:
        return np.asarray(model.embedding_table[-1])
    logits = np.moveaxis(model.logit_table[:, :, position, :], -1, 0)
    values = np.moveaxis(model.value_table[:, position], 1, 0)
    return np.concatenate([logits.reshape(len(logits), -1), values.reshape(len(values), -1)], axis=1)


def _announcement(exchange: Exchange) -> list[Step]:
    """The last symbol, as far as the helper (or, if the helper holds it, the calculator) needs it."""
    last = exchange.model.length - 1
    signature = _query_signature(exchange) if exchange.holder == exchange.calculator else _told_apart(exchange, last)
    representatives, code = np.unique(_first_alike(signature), return_inverse=True)

    def numbers(rows: Array, known: Known) -> Array:
        return np.asarray(code[exchange.symbol(exchange.holder, rows, known)])

    field = Field(exchange.holder, "query", "the last symbol, as far as it matters", (len(representatives),), numbers)
    return [field, Conclusion("symbol", lambda known: np.asarray(representatives[known["query"]]))]


def _sum_range(part: Part) -> tuple[Array, Array]:
    """The least value of each coordinate of a party's weighted sums, and how many values there are."""
    model = part.model
    values = model.value_table[:, list(part.positions)].reshape(model.heads, -1, model.head_width)
    low = model.precision.scale * values.min(axis=1, initial=0)
    high = model.precision.scale * values.max(axis=1, initial=0)
    return low, high - low + 1


NOT_ABOVE = int(np.iinfo(np.int64).min)  # stands for every maximum that is never above the other party's


class Maxima:
    """Both parties name their greatest logits, one after the other, as places in lists that both know.

    Tables are by last symbol and head; lists of different lengths are filled up at the end.
    """

    def __init__(self, exchange: Exchange, first: str) -> None:
        self.exchange, self.first = exchange, first
        self.second = OTHER[first]
        mine, theirs = self._reachable(exchange.parts[first]), self._reachable(exchange.parts[self.second])
        above = [[_above(a, b[0]) for a, b in zip(*lists, strict=True)] for lists in zip(mine, theirs, strict=True)]
        below = [
            [np.searchsorted(b, a, side="right") for a, b in zip(*lists, strict=True)]
            for lists in zip(above, theirs, strict=True)
        ]
        self.first_values, self.second_values, self.below = _filled(above), _filled(theirs), _filled(below)
        least = [[int(b[0]) for b in row] for row in theirs]
        self.first_places = self._places(exchange.parts[first], above, least)
        self.second_places = self._places(exchange.parts[self.second], theirs, least)
        self.first_bounds = _longest(above)
        replies = [
            [int((len(b) - skipped + (a != NOT_ABOVE)).max()) for a, b, skipped in zip(*lists, strict=True)]
            for lists in zip(above, theirs, below, strict=True)
        ]
        self.second_bounds = tuple(int(bound) for bound in np.array(replies).max(axis=0))

    def steps(self) -> list[Step]:
        """Two fields, and the maximum that follows."""
        return [
            Field(self.first, "first maxima", self._label(self.first), self.first_bounds, self._first_numbers),
            Field(self.second, "second maxima", self._label(self.second), self.second_bounds, self._second_numbers),
            Conclusion("maximum", self._maximum, instead_of=("first maxima", "second maxima")),
        ]

    def _label(self, role: str) -> str:
        return f"largest logit of {role}{', if above' if role == self.second else ''}{self.exchange.each_head}"

    def _reachable(self, part: Part) -> list[list[Array]]:
        """The values that the party's maximum can have, in order; at the last position the symbol is known."""
        table, last = self.exchange.model.logit_table, self.exchange.model.length - 1
        return [
            [
                _maxima([table[head, c, i, [c]] if i == last else table[head, c, i] for i in part.positions])
                for head in range(self.exchange.model.heads)
            ]
            for c in range(len(self.exchange.model.alphabet))
        ]

    def _places(self, part: Part, lists: list[list[Array]], least: list[list[int]]) -> Array:
        """By last symbol, own position, own symbol and head: the place in the list that this logit would claim.

        Logits not above ``least`` claim the first place. The greatest logit claims the greatest place, which is its
        own, because it is in the list.
        """
        table = self.exchange.model.logit_table[:, :, list(part.positions), :]
        places = np.empty((*table.shape[1:], len(table)), dtype=np.int64)
        for c, head in np.ndindex(*table.shape[1::-1]):
            found = np.searchsorted(lists[c][head], table[head, c])
            places[c, :, :, head] = np.where(table[head, c] <= least[c][head], 0, found)
        return places

    def _claimed(self, places: Array, role: str, rows: Array, known: Known) -> tuple[Array, Array]:
        symbol, rows = self.exchange.symbol(role, rows, known), self.exchange.read(role, rows)
        return symbol, places[symbol[:, None], np.arange(rows.shape[1]), rows].max(axis=1)

    def _first_numbers(self, rows: Array, known: Known) -> Array:
        return self._claimed(self.first_places, self.first, rows, known)[1]

    def _second_numbers(self, rows: Array, known: Known) -> Array:
        symbol, place = self._claimed(self.second_places, self.second, rows, known)
        if self.second == self.exchange.holder and "symbol" in known:
            symbol = known["symbol"]
        _, value, below = self._after_first(symbol, known)
        return np.where(value == NOT_ABOVE, place, np.maximum(place - below + 1, 0))

    def _after_first(self, symbol: Array, known: Known) -> tuple[tuple[Array, Array], Array, Array]:
        """Where to look, the first party's maximum, and how many of the other's values are not above it."""
        where = symbol[:, None], np.arange(self.exchange.model.heads)
        place = known["first maxima"].reshape(len(symbol), -1)
        return where, self.first_values[(*where, place)], self.below[(*where, place)]

    def _maximum(self, known: Known) -> Array:
        reply = known["second maxima"].reshape(-1, self.exchange.model.heads)
        where, value, below = self._after_first(known["symbol"], known)
        missing = value == NOT_ABOVE
        place = np.where(missing, reply, np.maximum(below + reply - 1, 0))
        other = self.second_values[(*where, np.minimum(place, self.second_values.shape[-1] - 1))]
        return np.where(missing | (reply > 0), other, value)


def _maxima(choices: list[Array]) -> Array:
    """The values that the greatest of one choice per position can have, in order."""
    values = np.unique(np.concatenate(choices))
    return np.asarray(values[values >= max(int(choice.min()) for choice in choices)])


def _above(values: Array, least: int) -> Array:
    """The values above the least one of the other party, after one that stands for all the rest, if there are any."""
    above = values[values > least]
    return above if len(above) == len(values) else np.concatenate([[NOT_ABOVE], above])


def _filled(lists: list[list[Array]]) -> Array:
    """Lists by last symbol and head as one array, filled up with their last entries."""
    longest = max(len(values) for row in lists for values in row)
    return np.array([[np.pad(values, (0, longest - len(values)), mode="edge") for values in row] for row in lists])


def _longest(lists: list[list[Array]]) -> tuple[int, ...]:
    """For each head, the length of the longest list."""
    return tuple(int(length) for length in np.array([[len(values) for values in row] for row in lists]).max(axis=0))
