"""The messages that two parties exchange to evaluate one attention layer, and their cost.

One party, the calculator, computes the answer; the other one helps. In every variant the parties learn the last symbol,
as far as they need it, then each head's largest logit, its sum of exponentials, and its weighted sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from math import log2
from typing import Any

import numpy as np

from ccsim.arithmetic import IntArray
from ccsim.bounds import softmax_bits
from ccsim.engine import Cost
from ccsim.engine.schedule import Conclusion, Field, Known, Note, Step
from ccsim.errors import Array, InputError, require_integer
from ccsim.models.transformer import OneLayerTransformer
from ccsim.problems.inputs import Words
from ccsim.problems.sequence_tasks import SplitTask

OTHER = {"alice": "bob", "bob": "alice"}
MOST_SUM = 1 << 62  # what a field may number, and the difference of two sums, stay below
MOST_BITS = 30  # fields of twice the precision must fit in 62 bits

Look = Callable[[str, Array, Known], Array]
"""What a party sees, from its role, its rows and what is known."""


def require_layer(argument: str, model: Any) -> OneLayerTransformer:
    """The model, if it is one attention layer whose sums do not depend on the order of the positions."""
    if not isinstance(model, OneLayerTransformer):
        raise InputError(argument, model, "a OneLayerTransformer: with more layers the sums of one do not suffice")
    ties = getattr(model.tables.weighting, "ties", "average")
    if ties != "average":
        raise InputError(argument, ties, "'average': weights that do not depend on the order of the positions")
    return model


def require_printed_fields(model: OneLayerTransformer, otherwise: str = "") -> None:
    """An :class:`~ccsim.errors.InputError` unless exponentials fit in p bits, and weighted sums in 2p with a sign."""
    precision = model.precision
    if precision.bits > MOST_BITS:
        expected = f"at most {MOST_BITS} bits, so that sums of twice the precision fit in 62 bits{otherwise}"
        raise InputError("precision", precision.bits, expected)
    largest = precision.scale * int(np.abs(model.value_table).max(initial=0))
    if precision.scale >= 1 << precision.bits or largest >= 1 << max(0, 2 * precision.bits - 1):
        expected = f"one with exponentials up to 1 in p bits, and weighted sums in 2p bits{otherwise}"
        raise InputError("precision", str(precision), expected)


def fits_words(model: OneLayerTransformer) -> bool:
    """Whether the differences of two weighted sums of values are below 2^62."""
    return 2 * model.precision.scale * int(np.abs(model.value_table).max(initial=0)) < MOST_SUM


@dataclass(frozen=True, eq=False)
class Part:
    """One party's positions of the word, and what the model's tables say about them.

    Words on its positions are given as ranks in the model's alphabet. Everything is exact integers.

    Attributes:
        model: the model.
        positions: which, counted from 0.
    """

    model: OneLayerTransformer
    positions: tuple[int, ...]

    @property
    def count(self) -> int:
        return len(self.positions)

    @cached_property
    def _logits(self) -> Array:
        """By symbol at the last position, own position and own symbol: a row of one logit per head."""
        table = np.transpose(self.model.logit_table[:, :, self.positions, :], (1, 2, 3, 0))
        return np.ascontiguousarray(table.reshape(-1, self.model.heads))

    @cached_property
    def _values(self) -> list[Array]:
        """For each own position the values of each symbol there: (symbols, heads, value width)."""
        return [np.moveaxis(self.model.value_table[:, position], 0, 1) for position in self.positions]

    def logits(self, rows: Array, symbol: Array) -> Array:
        """Logits (questions, own positions, heads) for queries of this symbol at the last position."""
        symbols = len(self.model.alphabet)
        places = np.arange(self.count) * symbols + rows + (symbol.astype(np.int64) * self.count * symbols)[:, None]
        return np.asarray(self._logits.take(places, axis=0))

    def maxima(self, rows: Array, symbol: Array) -> Array:
        """The greatest logit on own positions: (questions, heads)."""
        return np.asarray(self.logits(rows, symbol).max(axis=1, initial=self.model.precision.low))

    def exponentials(self, rows: Array, symbol: Array, maximum: Array) -> Array:
        """exp(logit - maximum), rounded as the model rounds: (questions, heads, own positions)."""
        differences = self.logits(rows, symbol) - maximum[:, None, :]
        return np.ascontiguousarray(np.swapaxes(self.model.exponentials(differences), 1, 2))

    def sums(self, rows: Array, exponentials: Array, normaliser: Array) -> Array:
        """The exact sum of attention weight times value over own positions: (questions, heads, value width)."""
        weights = self.model.weights(exponentials, normaliser[:, :, None])
        result = np.zeros((len(rows), self.model.heads, self.model.head_width), dtype=np.int64)
        for place, values in enumerate(self._values):
            result += weights[:, :, place, None] * values.take(rows[:, place], axis=0)
        return result


@dataclass(frozen=True, eq=False)
class Exchange:
    """The two parts of a word, and the fields from which a variant is put together.

    Attributes:
        model: the layer.
        parts: the positions of each party.
        calculator: who ends up with the answer.
        symbols: the ranks of the symbols at a party's positions: (questions, positions).
        last: the rank of the symbol at the last position: (questions,).
        codes: the code of each of the model's answers.
        tag: what the names of fields begin with, where there are several passes.
    """

    model: OneLayerTransformer
    parts: dict[str, Part]
    calculator: str
    symbols: Look
    last: Look
    codes: Array
    tag: str = ""

    @classmethod
    def of(cls, model: OneLayerTransformer, function: SplitTask, calculator: str) -> Exchange:
        """For words that are dealt out; the last symbol is known to its holder, and to the other as ``symbol``."""
        rank, ranks, parts = {symbol: place for place, symbol in enumerate(model.alphabet)}, {}, {}
        held = (function.partition.alice, function.partition.bob)
        for role, positions, words in zip(OTHER, held, function.inputs, strict=True):
            symbols = words.alphabet if isinstance(words, Words) else ()
            ranks[role] = np.array([rank[symbol] for symbol in symbols], dtype=np.int64)
            parts[role] = Part(model, tuple(place - 1 for place in positions))

        def seen(role: str, rows: Array, known: Known) -> Array:
            return np.asarray(ranks[role].take(rows))

        def last(role: str, rows: Array, known: Known) -> Array:
            return seen(role, rows, known)[:, -1] if model.length - 1 in parts[role].positions else known["symbol"]

        return cls(model, parts, calculator, seen, last, model.codes_among(function.answers))

    @property
    def helper(self) -> str:
        """The party that is not the calculator."""
        return OTHER[self.calculator]

    @cached_property
    def holder(self) -> str:
        """The party that holds the last position."""
        return next(role for role, part in self.parts.items() if self.model.length - 1 in part.positions)

    def label(self, what: str) -> str:
        return f"{self.tag}{what}" + (f", in each of {self.model.heads} heads" if self.model.heads > 1 else "")

    def announcement(self, name: str, label: str, table: IntArray, bounds: Sequence[int]) -> list[Step]:
        """The last symbol's row of a table, in which symbols have equal rows only if nobody needs to tell them apart.

        Then both know ``symbol``, the first one with that row.
        """

        def numbers(rows: Array, known: Known) -> Array:
            return np.asarray(table[self.last(self.holder, rows, known)])

        def symbol(known: Known) -> Array:
            said = known[name].reshape(-1, 1, table.shape[1])
            return np.asarray((said == table).all(axis=2).argmax(axis=1))

        return [
            Field(self.holder, name, label, tuple(bounds), numbers),
            Conclusion("symbol", symbol, instead_of=(name,)),
        ]

    def maxima(self, role: str, rows: Array, known: Known) -> Array:
        """This party's greatest logits: (questions, heads)."""
        return self.parts[role].maxima(*self.seen(role, rows, known))

    def seen(self, role: str, rows: Array, known: Known) -> tuple[Array, Array]:
        """A party's symbols, and the last symbol."""
        return self.symbols(role, rows, known), self.last(role, rows, known)

    def notes(self) -> list[Step]:
        """The exponentials (questions, heads, own positions) of each party with any, once the maximum is known.

        Where nothing was said of it, one party holds all positions.
        """

        def value(role: str, rows: Array, known: Known) -> Array:
            name, seen = f"{self.tag}maximum", self.seen(role, rows, known)
            maximum = known[name] if name in known else self.parts[role].maxima(*seen)
            return self.parts[role].exponentials(*seen, maximum)

        return [
            Note(role, f"{self.tag}exponentials {role}", partial(value, role))
            for role, part in self.parts.items()
            if part.count
        ]

    def normalisers(self, role: str, rows: Array, known: Known) -> Array:
        """This party's part of the normalisers: (questions, heads)."""
        if not self.parts[role].count:
            return np.zeros((len(rows), self.model.heads), dtype=np.int64)
        return np.asarray(known[f"{self.tag}exponentials {role}"].sum(axis=-1))

    def normaliser_fields(self, bounds: dict[str, int]) -> list[Step]:
        """For each role its sums of exponentials, one for each head, below its bound; and the normalisers."""
        names, heads = tuple(f"{self.tag}normaliser {role}" for role in bounds), self.model.heads
        steps: list[Step] = []
        for name, (role, bound) in zip(names, bounds.items(), strict=True):
            label = self.label(f"sum of exponentials of {role}")
            steps.append(Field(role, name, label, (bound,) * heads, partial(self.normalisers, role)))
        return [*steps, Conclusion(f"{self.tag}normaliser", partial(self._total, names), instead_of=names)]

    def _total(self, names: tuple[str, ...], known: Known) -> Array:
        return np.asarray(sum(known[name].reshape(-1, self.model.heads) for name in names))

    def sums(self, role: str, rows: Array, known: Known) -> Array:
        """This party's part of the weighted sums: (questions, heads, value width)."""
        if not self.parts[role].count:
            return np.zeros((len(rows), self.model.heads, self.model.head_width), dtype=np.int64)
        name = f"{self.tag}normaliser"
        normaliser = known[name] if name in known else self.normalisers(role, rows, known)
        exponentials = known[f"{self.tag}exponentials {role}"]
        return self.parts[role].sums(self.symbols(role, rows, known), exponentials, normaliser)

    def sum_fields(self, role: str, low: Array, bounds: Array) -> list[Step]:
        """A party's weighted sums, counted from ``low``; that and the bounds are (heads, value width)."""
        name, label = f"{self.tag}sums {role}", self.label(f"weighted sums of the values of {role}")

        def numbers(rows: Array, known: Known) -> Array:
            return np.asarray((self.sums(role, rows, known) - low).reshape(len(rows), -1))

        def sums(known: Known) -> Array:
            return np.asarray(known[f"{name} counted"].reshape(-1, *low.shape) + low)

        return [
            Field(role, f"{name} counted", label, tuple(int(bound) for bound in bounds.ravel()), numbers),
            Conclusion(name, sums, instead_of=(f"{name} counted",)),
        ]

    def answer(self, role: str, rows: Array, known: Known) -> Array:
        """The code of the model's answer, from own sums and from those that the other party sent."""
        other = f"{self.tag}sums {OTHER[role]}"
        total = self.sums(role, rows, known) + known.get(other, 0)
        return np.asarray(self.codes[self.model.finish(self.last(role, rows, known), total)])

    def printed_fields(self, senders: Sequence[str], givers: Sequence[str], *, in_turn: bool = False) -> list[Step]:
        """Fields of the printed widths: maxima of p bits, sums of exponentials of p + L(N), weighted sums of 2p.

        Each sender says its maxima; ``in_turn`` the second says those of both, and the first sum of exponentials.
        """
        bits, low, heads = self.model.precision.bits, self.model.precision.low, self.model.heads
        names, steps = tuple(f"{self.tag}maximum {role}" for role in senders), list[Step]()

        def numbers(role: str, before: Sequence[str], rows: Array, known: Known) -> Array:
            said = [known[name].reshape(-1, heads) for name in before]
            return np.asarray(np.max([self.maxima(role, rows, known) - low, *said], axis=0))

        def largest(known: Known) -> Array:
            return np.asarray(np.max([known[name].reshape(-1, heads) for name in names], axis=0) + low)

        for place, role in enumerate(senders):
            before = names[:place] if in_turn else ()
            label = self.label(f"largest logit of {'both' if before else role}")
            steps.append(Field(role, names[place], label, (1 << bits,) * heads, partial(numbers, role, before)))
        if senders:
            steps.append(Conclusion(f"{self.tag}maximum", largest, instead_of=names))
        steps += self.notes()
        if senders:
            room = 1 << bits + (self.model.length - 1).bit_length()
            steps += self.normaliser_fields(dict.fromkeys(senders[:: -1 if in_turn else 1], room))
        shape = (heads, self.model.head_width)
        for role in givers:
            steps += self.sum_fields(role, np.full(shape, -(1 << 2 * bits - 1)), np.full(shape, 1 << 2 * bits))
        return steps


def said_answer(rows: Array, known: Known) -> Array:
    return known["answer"]


def printed_formula(senders: int, givers: int) -> str:
    """The bits of :meth:`Exchange.printed_fields`, in H, p, v and N."""
    return f"H*({senders}*p + {senders}*(p + L(N)) + {2 * givers}*v*p)"


MOST_SIZE = 1 << 20


def softmax_costs(
    widths: Iterable[int],
    precisions: Iterable[int],
    heads: Iterable[int],
    lengths: Iterable[int],
    *,
    symbols: int = 2,
    answers: int = 2,
) -> list[dict[str, Any]]:
    """For each (m, p, H, N): the printed bound and the exact cost of each protocol, in bits; both know the answer.

    The printed bound is 3m(p + log N)H (Theorem 4 of Bhattamishra et al. 2024). The model has value width m in each
    head, as in the paper, both parties hold positions, and ``symbols`` is the size of the alphabet. ``literal`` is
    m p + H(2p + 2(p + L(N)) + 4mp); ``one-sided`` sends sums one way and the answer back. ``compact`` is the most that
    variant can cost at odd/even positions when nothing is known of the weights (:func:`ccsim.bounds.softmax_bits`);
    ``cheapest`` is the less of that and naming k symbols. ``literal within printed`` says whether the printed steps
    keep to the printed total, ``one-sided within printed`` the same of that protocol; neither is about the theorem,
    whose total ``cheapest`` keeps to from a width of 3 on.

    >>> row, = softmax_costs([8], [16], [1], [256])
    >>> row["printed"], row["literal"], row["one-sided"], row["literal within printed"]
    (576.0, 720, 465, False)
    """
    symbols, answers = require_integer("symbols", symbols, low=1), require_integer("answers", answers, low=1)
    sizes = _sizes("widths", widths, 1), _sizes("precisions", precisions, 3), _sizes("heads", heads, 1)
    told, rows = (answers - 1).bit_length(), []
    for m, p, H, N in product(*sizes, _sizes("lengths", lengths, 1)):
        row: dict[str, Any] = {"m": m, "p": p, "H": H, "N": N, "printed": 3 * m * (p + log2(N)) * H}
        for name, givers in (("literal", 2), ("one-sided", 1)):
            bits = Cost(f"m*p + {printed_formula(2, givers)}", {"m": m, "p": p, "H": H, "N": N, "v": m}).bits
            row[name] = bits if givers == 2 else bits + told
        size = {"head_width": m, "heads": H, "precision": p, "length": N, "symbols": symbols, "answers": answers}
        row["compact"] = softmax_bits(**size)
        row["cheapest"] = min(row["compact"], (symbols ** (N // 2) - 1).bit_length() + told)
        rows.append(row | {f"{name} within printed": row[name] <= row["printed"] for name in ("literal", "one-sided")})
    return rows


def _sizes(argument: str, given: object, low: int) -> list[int]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(argument, given, f"a list of integers of at least {low}")
    return [require_integer(argument, size, low=low, high=MOST_SIZE) for size in given]
