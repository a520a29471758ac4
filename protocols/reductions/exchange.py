"""What two parties exchange to evaluate one attention layer between them, and what it costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from math import log2
from typing import Any

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.bounds import softmax_bits
from ccsim.engine.schedule import Conclusion, Field, Known, Note, Step
from ccsim.errors import InputError
from ccsim.models.transformer import OneLayerTransformer
from ccsim.problems.inputs import Words
from ccsim.problems.sequence.task import SplitTask

OTHER = {"alice": "bob", "bob": "alice"}
MOST_SUM = 1 << 62  # what a field may number, and the difference of two sums, stay below


def fits_words(model: OneLayerTransformer) -> bool:
    """Whether the differences of two weighted sums of values are below 2^62."""
    return 2 * model.precision.scale * int(np.abs(model.value_table).max(initial=0)) < MOST_SUM


def printed_fields_hold(model: OneLayerTransformer) -> bool:
    """Whether exponentials are below 2^p and weighted sums fit in 2p bits with a sign, for p bits of precision."""
    precision = model.precision
    largest = precision.scale * int(np.abs(model.value_table).max(initial=0))
    return precision.scale < 1 << precision.bits and largest < 1 << max(0, 2 * precision.bits - 1)


@dataclass(frozen=True, eq=False)
class Part:
    """One party's positions of the word, and what the model's tables say about them.

    Words on its positions are given as ranks in the model's alphabet. Everything is exact integers.

    Attributes:
        model: the model.
        role: whose positions.
        positions: which, counted from 0.
        ranks: the model's rank of each symbol, as the party's input set numbers them.
    """

    model: OneLayerTransformer
    role: str
    positions: tuple[int, ...]
    ranks: Array

    def read(self, rows: Array) -> Array:
        """The party's inputs as ranks in the model's alphabet."""
        return np.asarray(self.ranks.take(rows))

    @property
    def count(self) -> int:
        """How many positions the party holds."""
        return len(self.positions)

    @property
    def holds_last(self) -> bool:
        """Whether the last position, at which the model answers, is among them."""
        return self.model.length - 1 in self.positions

    def last(self, rows: Array) -> Array:
        """The symbol at the last position, for the party that holds it."""
        return np.asarray(rows[:, -1]).astype(np.int64)

    @cached_property
    def _logits(self) -> Array:
        """By symbol at the last position, own position and own symbol: a row of one logit per head."""
        table = np.transpose(self.model.logit_table[:, :, self.positions, :], (1, 2, 3, 0))
        return np.ascontiguousarray(table.reshape(-1, self.model.heads))

    @cached_property
    def _values(self) -> list[Array]:
        """For each own position the values of each symbol there: (symbols, heads, value width)."""
        return [np.moveaxis(self.model.value_table[:, position], 0, 1) for position in self.positions]

    def _places(self, rows: Array) -> Array:
        """The number of each pair of own position and symbol."""
        return np.asarray(np.arange(self.count) * len(self.model.alphabet) + rows)

    def logits(self, rows: Array, symbol: Array) -> Array:
        """Logits (questions, own positions, heads) for queries of this symbol at the last position."""
        first = symbol * (self.count * len(self.model.alphabet))
        return np.asarray(self._logits.take(self._places(rows) + first[:, None], axis=0))

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
    """The two parts of a word, and who does what: the calculator ends up with the answer."""

    model: OneLayerTransformer
    function: SplitTask
    calculator: str

    @cached_property
    def parts(self) -> dict[str, Part]:
        """By role."""
        partition = self.function.partition
        rank = {symbol: place for place, symbol in enumerate(self.model.alphabet)}
        made = {}
        for role, held, words in zip(
            ("alice", "bob"), (partition.alice, partition.bob), self.function.inputs, strict=True
        ):
            symbols = words.alphabet if isinstance(words, Words) else ()
            ranks = np.array([rank[symbol] for symbol in symbols], dtype=np.int64)
            made[role] = Part(self.model, role, tuple(place - 1 for place in held), ranks)
        return made

    def read(self, role: str, rows: Array) -> Array:
        """A party's inputs as ranks in the model's alphabet."""
        return self.parts[role].read(rows)

    def finish(self, symbol: Array, sums: Array) -> Array:
        """The model's answer, in the function's codes."""
        return self.coded(self.model.finish(symbol, sums))

    def coded(self, codes: Array) -> Array:
        """The model's answer codes as codes of the function."""
        if self.model.answers == self.function.answers:
            return codes
        return np.asarray(self.model.codes_among(self.function.answers)[codes])

    @property
    def helper(self) -> str:
        """The party that is not the calculator."""
        return OTHER[self.calculator]

    @property
    def holder(self) -> str:
        """The party that holds the last position."""
        return "alice" if self.parts["alice"].holds_last else "bob"

    def symbol(self, role: str, rows: Array, known: Known) -> Array:
        """The symbol at the last position, as far as this party needs it."""
        return self.parts[role].last(self.read(role, rows)) if role == self.holder else known["symbol"]

    def maxima(self, role: str, rows: Array, known: Known) -> Array:
        """This party's greatest logits: (questions, heads)."""
        return self.parts[role].maxima(self.read(role, rows), self.symbol(role, rows, known))

    def note(self, role: str) -> Note:
        """A party's own exponentials (questions, heads, own positions), once the maximum is known."""

        def value(rows: Array, known: Known) -> Array:
            part, symbol, rows = self.parts[role], self.symbol(role, rows, known), self.read(role, rows)
            maximum = known["maximum"] if "maximum" in known else part.maxima(rows, symbol)
            return part.exponentials(rows, symbol, maximum)

        return Note(role, f"exponentials {role}", value)

    def notes(self) -> list[Step]:
        """Those of each party that has any positions."""
        return [self.note(role) for role, part in self.parts.items() if part.count]

    def normalisers(self, role: str, rows: Array, known: Known) -> Array:
        """This party's part of the normalisers: (questions, heads)."""
        return np.asarray(known[f"exponentials {role}"].sum(axis=-1))

    def normaliser_fields(self, roles: Sequence[str], bounds: Sequence[tuple[int, ...]]) -> list[Step]:
        """Each party's sums of exponentials, one for each head, below its bounds, and the normalisers that follow."""
        names, heads = tuple(f"normaliser {role}" for role in roles), self.model.heads
        steps: list[Step] = []
        for role, name, bound in zip(roles, names, bounds, strict=True):
            label = f"sum of exponentials of {role}{self.each_head}"
            steps.append(Field(role, name, label, bound, partial(self.normalisers, role)))

        def total(known: Known) -> Array:
            return np.asarray(sum(known[name].reshape(-1, heads) for name in names))

        return [*steps, Conclusion("normaliser", total, instead_of=names)] if names else []

    def sums(self, role: str, rows: Array, known: Known) -> Array:
        """This party's part of the weighted sums: (questions, heads, value width).

        Where nothing was said of the normaliser, this party holds all positions.
        """
        if not self.parts[role].count:
            return np.zeros((len(rows), self.model.heads, self.model.head_width), dtype=np.int64)
        normaliser = known["normaliser"] if "normaliser" in known else self.normalisers(role, rows, known)
        return self.parts[role].sums(self.read(role, rows), known[f"exponentials {role}"], normaliser)

    def answer(self, role: str, rows: Array, known: Known, low: Array) -> Array:
        """The model's answer, from own sums and from those that the other party sent, counted from ``low``."""
        total = self.sums(role, rows, known)
        if sums_name(OTHER[role]) in known:
            total = total + known[sums_name(OTHER[role])].reshape(total.shape) + low
        return self.finish(self.symbol(role, rows, known), total)

    def sum_field(self, role: str, low: Array, bounds: Array) -> Field:
        """A party's weighted sums, counted from ``low``; that and the bounds are (heads, value width)."""

        def numbers(rows: Array, known: Known) -> Array:
            return np.asarray((self.sums(role, rows, known) - low).reshape(len(rows), -1))

        label = f"weighted sums of the values of {role}{self.each_head}"
        return Field(role, sums_name(role), label, tuple(int(bound) for bound in bounds.ravel()), numbers)

    @property
    def each_head(self) -> str:
        """For labels."""
        return f", in each of {self.model.heads} heads" if self.model.heads > 1 else ""


def sums_name(role: str) -> str:
    """The name of the field of a party's weighted sums."""
    return f"sums {role}"


def said_answer(rows: Array, known: Known) -> Array:
    """The answer, for a party to which it was said."""
    return known["answer"]


MOST_SIZE = 1 << 20
PRINTED = "3*m*(p + log(N, 2))*H"


def printed_bound(width: int, precision: int, heads: int, length: int) -> float:
    """The bound that Theorem 4 of Bhattamishra et al. 2024 prints, in bits: 3m(p + log N)H.

    >>> printed_bound(8, 16, 1, 256)
    576.0
    """
    sizes = {"width": width, "precision": precision, "heads": heads, "length": length}
    width, precision, heads, length = (require_integer(name, size, low=1) for name, size in sizes.items())
    return 3 * width * (precision + log2(length)) * heads


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

    The model has value width m in each head, as in the paper, both parties hold positions, and ``symbols`` is the
    size of the alphabet. ``literal`` is m p + H(2p + 2(p + L(N)) + 4mp); ``one-sided`` sends sums one way and the
    answer back. ``compact`` is the most that variant can cost at odd/even positions when nothing is known of the
    weights (:func:`ccsim.bounds.softmax_bits`); ``cheapest`` is the less of that and naming k symbols.
    ``literal within printed`` says whether the printed steps keep to the printed total, ``one-sided within printed``
    the same of that protocol; neither is about the theorem, whose total ``cheapest`` keeps to from a width of 3 on.

    >>> row, = softmax_costs([8], [16], [1], [256])
    >>> row["printed"], row["literal"], row["one-sided"], row["literal within printed"]
    (576.0, 720, 465, False)
    """
    symbols, answers = require_integer("symbols", symbols, low=1), require_integer("answers", answers, low=1)
    sizes = _sizes("widths", widths, 1), _sizes("precisions", precisions, 3), _sizes("heads", heads, 1)
    rows = []
    for width, precision, head_count, length in product(*sizes, _sizes("lengths", lengths, 1)):
        printed = printed_bound(width, precision, head_count, length)
        literal = _literal(width, precision, head_count, length)
        one_sided = literal - 2 * width * precision * head_count + (answers - 1).bit_length()
        compact = softmax_bits(
            head_width=width, heads=head_count, precision=precision, length=length, symbols=symbols, answers=answers
        )
        naming = (symbols ** (length // 2) - 1).bit_length() + (answers - 1).bit_length()
        rows.append(
            {
                "m": width,
                "p": precision,
                "H": head_count,
                "N": length,
                "printed": printed,
                "literal": literal,
                "one-sided": one_sided,
                "compact": compact,
                "cheapest": min(compact, naming),
                "literal within printed": literal <= printed,
                "one-sided within printed": one_sided <= printed,
            }
        )
    return rows


def _sizes(argument: str, given: object, low: int) -> list[int]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(argument, given, f"a list of integers of at least {low}")
    return [require_integer(argument, size, low=low, high=MOST_SIZE) for size in given]


def _literal(width: int, precision: int, heads: int, length: int) -> int:
    digits = (length - 1).bit_length()
    return width * precision + heads * (2 * precision + 2 * (precision + digits) + 4 * width * precision)
