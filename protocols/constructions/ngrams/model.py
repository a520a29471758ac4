"""n-gram language models with exact probabilities, estimated from strings."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np

from ccsim.arguments import require_integer, require_symbols
from ccsim.arithmetic import IntArray
from ccsim.errors import InputError
from ccsim.problems.inputs import sample

Context = tuple[int, ...]

MOST_COUNT = 1 << 48
"""The largest count, so that the sum of a context's counts is an int64."""

BEGIN = 0
"""The rank of the mark that stands n - 1 times before every string; symbols have the ranks from 1 on."""


@dataclass(frozen=True)
class NGramModel:
    """The next symbol depends on the n - 1 before it: p(y) = p(end | y) times the product of p(y_t | context).

    Attributes:
        order: n, at least 2.
        symbols: the symbols of the strings.
        counts: for each context, n - 1 ranks from the oldest on, how often each symbol and then the end follow it.

    A probability is a count over the sum of the context's counts. A context that has no counts ends the string. With
    counts from strings and no smoothing that is never seen: a prefix of positive probability has only n-grams of the
    strings, so it ends in a context that some symbol, or the end, follows there.

    >>> model = NGramModel.from_strings(["aab", "ab"], order=2)
    >>> model.probability("aab"), model.probability("b")
    (Fraction(2, 9), Fraction(0, 1))
    """

    order: int
    symbols: tuple[Hashable, ...]
    counts: Mapping[Context, tuple[int, ...]] = field(repr=False)

    def __post_init__(self) -> None:
        require_integer("order", self.order, low=2)
        object.__setattr__(self, "symbols", require_symbols("symbols", self.symbols))
        if not isinstance(self.counts, Mapping):
            raise InputError("counts", self.counts, "counts of each context")
        for context, counts in self.counts.items():
            if not self._is_context(context) or np.shape(counts) != (len(self.symbols) + 1,):
                expected = (
                    f"{self.order - 1} ranks up to {len(self.symbols)}, marks first, and {len(self.symbols) + 1} counts"
                )
                raise InputError("counts", (context, counts), expected)
            for count in counts:
                require_integer("counts", count, low=0, high=MOST_COUNT)

    @classmethod
    def from_strings(
        cls, strings: Iterable[Sequence[Hashable]], order: int, symbols: Iterable[Hashable] = (), smoothing: int = 0
    ) -> NGramModel:
        """Counted in strings; ``smoothing`` is added to every count of every context.

        The symbols are those given, or else those of the strings in sorted order.
        """
        order, smoothing = require_integer("order", order, low=2), require_integer("smoothing", smoothing, low=0)
        try:
            given = [tuple(string) for string in strings]
        except TypeError as error:
            raise InputError("strings", strings, "a list of strings of symbols") from error
        known = require_symbols(
            "symbols", symbols or sorted({symbol for string in given for symbol in string}, key=str)
        )
        rank = {symbol: place for place, symbol in enumerate(known, start=1)}
        seen: Counter[tuple[Context, int]] = Counter()
        for string in given:
            if not set(string) <= set(rank):
                raise InputError("strings", string, f"symbols among {sample(known)}")
            ranks = (BEGIN,) * (order - 1) + tuple(rank[symbol] for symbol in string) + (len(known) + 1,)
            for end in range(order - 1, len(ranks)):
                seen[ranks[end - order + 1 : end], ranks[end] - 1] += 1
        contexts = _contexts(len(known), order) if smoothing else {context for context, _ in seen}
        follows = range(len(known) + 1)
        return cls(order, known, {c: tuple(seen[c, place] + smoothing for place in follows) for c in sorted(contexts)})

    def _is_context(self, context: Context) -> bool:
        """Whether these are n - 1 ranks, beginning marks first."""
        marks = sum(rank == BEGIN for rank in context)
        rest = context[marks:]
        return len(context) == self.order - 1 and all(rank in range(1, len(self.symbols) + 1) for rank in rest)

    @cached_property
    def contexts(self) -> tuple[Context, ...]:
        """All contexts that a string can have: some beginning marks, then symbols."""
        return tuple(_contexts(len(self.symbols), self.order))

    @cached_property
    def weights(self) -> IntArray:
        """The counts of all :attr:`contexts`, shape (contexts, symbols + 1); a context without any ends the string."""
        unseen = (0,) * len(self.symbols) + (1,)
        rows = [self.counts.get(context, unseen) for context in self.contexts]
        return np.array([row if any(row) else unseen for row in rows], dtype=np.int64)

    def next_symbol(self, string: Sequence[Hashable]) -> tuple[Fraction, ...]:
        """The probabilities of each next symbol, and of the end, after this string."""
        if not set(string) <= set(self.symbols):
            raise InputError("string", string, f"symbols among {sample(self.symbols)}")
        ranks = (BEGIN,) * (self.order - 1) + tuple(self.symbols.index(symbol) + 1 for symbol in string)
        counts = self.counts.get(ranks[len(ranks) - self.order + 1 :], ())
        if not any(counts):
            return (Fraction(0),) * len(self.symbols) + (Fraction(1),)
        return tuple(Fraction(count, sum(counts)) for count in counts)

    def probability(self, string: Sequence[Hashable]) -> Fraction:
        """The probability of one string."""
        result = self.next_symbol(string)[-1]
        for place, symbol in enumerate(string):
            result *= self.next_symbol(string[:place])[self.symbols.index(symbol)]
        return result


def _contexts(symbols: int, order: int) -> list[Context]:
    ranks = range(1, symbols + 1)
    return [
        (BEGIN,) * (order - 1 - held) + word for held in range(order) for word in itertools.product(ranks, repeat=held)
    ]


def require_language(language: object) -> None:
    """An :class:`~ccsim.errors.InputError` unless this is an n-gram model."""
    if not isinstance(language, NGramModel):
        raise InputError("language", language, "an NGramModel")
