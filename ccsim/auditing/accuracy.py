"""On how many words a model is proved right, and on how many wrong: an interval for its accuracy."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any

from ccsim.arrays import Array


@dataclass(frozen=True)
class Accuracy:
    """What is proved of the part of all promised words of one length that a model answers rightly.

    Attributes:
        words: how many words of the length the task makes a promise on; all words, if those cannot be counted, which
            moves both ends outwards.
        right: on how many of them the model is proved right.
        wrong: on how many it is proved wrong.
        how: by what.

    >>> found = Accuracy(1 << 20, (1 << 20) - 3, 1, "an example")
    >>> found.at_most, found.is_exact
    (Fraction(1048575, 1048576), False)
    >>> print(found)
    1 - 2.87e-6 <= accuracy <= 1 - 9.53e-7 on 1048576 words: 1048573 known right, 1 known wrong (an example)
    """

    words: int
    right: int
    wrong: int
    how: str

    def __post_init__(self) -> None:
        if not (self.words > 0 <= self.right and self.wrong >= 0 and self.right + self.wrong <= self.words):
            raise ValueError(f"{self.right} right and {self.wrong} wrong of {self.words} words")

    @property
    def at_least(self) -> Fraction:
        """The lower end."""
        return Fraction(self.right, self.words)

    @property
    def at_most(self) -> Fraction:
        """The upper end."""
        return 1 - Fraction(self.wrong, self.words)

    @property
    def decided(self) -> int:
        """On how many words it is known."""
        return self.right + self.wrong

    @property
    def is_exact(self) -> bool:
        """Whether every word is decided."""
        return self.decided == self.words

    def joined(self, other: Accuracy | None) -> Accuracy:
        """The better end of two on the same words: those are proved however the others were found."""
        if other is None:
            return self
        if other.words != self.words or max(self.right, other.right) + max(self.wrong, other.wrong) > self.words:
            raise ArithmeticError(f"{self} contradicts {other}")
        how = self.how if self.decided >= other.decided else other.how
        return Accuracy(self.words, max(self.right, other.right), max(self.wrong, other.wrong), how)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {**vars(self), "at_least": str(self.at_least), "at_most": str(self.at_most)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Accuracy:
        """From plain data; raises ``TypeError`` and ``ValueError`` for what is none."""
        words, right, wrong, how = (data[name] for name in ("words", "right", "wrong", "how"))
        if not all(type(count) is int for count in (words, right, wrong)) or not isinstance(how, str):
            raise TypeError("whole numbers of words, and how they were counted")
        return cls(words, right, wrong, how)

    def __str__(self) -> str:
        counts = f"{_count(self.right)} known right, {_count(self.wrong)} known wrong ({self.how})"
        low, high = _rounded(self.at_least, up=False), _rounded(self.at_most, up=True)
        return f"{low} <= accuracy <= {high} on {_count(self.words)} words: {counts}"


@dataclass(frozen=True)
class Bracket:
    """An interval for the accuracy, and a word that is proved wrong, if there is one.

    Attributes:
        accuracy: the interval.
        first: the word, as ranks of the task.
        given: the code of the task that the model answers on it, if that is known without running it.
    """

    accuracy: Accuracy
    first: Array | None
    given: int | None = None


def is_hardly_any(decided: int, left: int) -> bool:
    """Whether so many words that were decided are less than a hundredth of those that were open."""
    return 100 * decided < left


def _count(number: int) -> str:
    return str(number) if number < 10**12 else f"≈{Decimal(number):.3g}"


def _rounded(part: Fraction, up: bool) -> str:
    """A part for people, rounded outwards; of one close to 1, what is missing."""
    if part in (0, 1):
        return str(part)
    missing = part > Fraction(9, 10)
    rounding = ROUND_CEILING if up != missing else ROUND_FLOOR
    told = 1 - part if missing else part
    digits = Context(prec=3, rounding=rounding).divide(Decimal(told.numerator), Decimal(told.denominator))
    text = f"{digits:.3g}" if digits > Decimal("0.0001") else f"{digits:.2e}"
    return f"1 - {text}" if missing else text
