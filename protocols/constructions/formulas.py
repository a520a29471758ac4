"""Boolean formulas and thresholds of features that look at a few bits each.

Numbers in clauses are literals: i is bit i of the word, counted from 1, and -i its negation, as in the DIMACS format.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.problems import SequenceTask, Words

MOST_BITS = 12  # a feature is a table of 2^12 bits at most


@dataclass(frozen=True)
class SparseFeature:
    """A function of a few bits of a word, as a table.

    Attributes:
        positions: the bits, counted from 1, all different; none makes a constant.
        table: the value for each setting of these bits, the first bit being the most significant.

    >>> both = SparseFeature.of((1, 3), lambda a, b: a and b)
    >>> both, both.evaluate(np.array([[1, 0, 1], [1, 1, 0]])).tolist()
    (SparseFeature(positions=(1, 3), table=(0, 0, 0, 1)), [1, 0])
    """

    positions: tuple[int, ...]
    table: tuple[int, ...]

    def __post_init__(self) -> None:
        for position in self.positions:
            require_integer("positions", position, low=1)
        if len(set(self.positions)) != len(self.positions) or len(self.positions) > MOST_BITS:
            raise InputError("positions", self.positions, f"at most {MOST_BITS} positions, all different")
        if len(self.table) != 1 << len(self.positions) or not set(self.table) <= {0, 1}:
            raise InputError("table", self.table, f"{1 << len(self.positions)} entries, 0 or 1")

    @classmethod
    def of(cls, positions: Iterable[int], function: Callable[..., Any]) -> SparseFeature:
        """From a function of the bits at these positions."""
        places = tuple(positions)
        return cls(places, tuple(int(bool(function(*bits))) for bits in product((0, 1), repeat=len(places))))

    @classmethod
    def of_literals(cls, literals: Iterable[int], how: Literal["any", "all"]) -> SparseFeature:
        """A clause (some literal is true) or a term (all are). Literals may repeat or contradict each other.

        >>> SparseFeature.of_literals([1, -2], "any").table
        (1, 0, 1, 1)
        """
        given = tuple(literals)
        places = tuple(dict.fromkeys(abs(literal) for literal in given))
        test = all if _require_how(how) == "all" else any

        def value(*bits: int) -> bool:
            held = dict(zip(places, bits, strict=True))
            return test(held[abs(literal)] == (literal > 0) for literal in given)

        return cls.of(places, value)

    def evaluate(self, bits: Array) -> Array:
        """The values (...) on arrays of bits (..., N)."""
        index = np.zeros(bits.shape[:-1], dtype=np.int64)
        for position in self.positions:
            index = 2 * index + bits[..., position - 1]
        return np.asarray(np.array(self.table)[index])


@dataclass(frozen=True)
class SparseThreshold:
    """Th_b of features: 1 if more than b of them are 1.

    Attributes:
        length: N, how many bits a word has.
        features: at most N of them.
        bound: b.
        by_rule: whether the features follow from their numbers by one short rule, so that no list of them is needed.

    >>> SparseThreshold.majority(3).task()("101")
    1
    """

    length: int
    features: tuple[SparseFeature, ...]
    bound: int
    by_rule: bool = False

    def __post_init__(self) -> None:
        require_integer("length", self.length, low=1)
        if not isinstance(self.features, tuple) or not all(isinstance(part, SparseFeature) for part in self.features):
            raise InputError("features", self.features, "a tuple of SparseFeature")
        if not 1 <= len(self.features) <= self.length:
            raise InputError(
                "features", len(self.features), f"from 1 to {self.length} features, as there are positions"
            )
        for feature in self.features:
            for position in feature.positions:
                require_integer("positions", position, low=1, high=self.length)
        require_integer("bound", self.bound, low=0, high=len(self.features))

    @classmethod
    def majority(cls, length: int) -> SparseThreshold:
        """Whether more than half of the bits are 1."""
        length = require_integer("length", length, low=1)
        bits = tuple(SparseFeature((position,), (0, 1)) for position in range(1, length + 1))
        return cls(length, bits, length // 2, by_rule=True)

    @classmethod
    def halves(cls, length: int, function: Callable[[int, int], Any], how: Literal["any", "all"]) -> SparseThreshold:
        """Whether a function of two bits is 1 for any, or for all, of the pairs (i, N/2 + i).

        >>> SparseThreshold.halves(4, lambda a, b: a and b, "any").task()("0101")  # the halves intersect
        1
        """
        length = require_integer("length", length, low=2)
        if length % 2:
            raise InputError("length", length, "an even number, for two halves")
        half, least = length // 2, 0 if _require_how(how) == "any" else length // 2 - 1
        pairs = tuple(SparseFeature.of((place, half + place), function) for place in range(1, half + 1))
        return cls(length, pairs, least, by_rule=True)

    @property
    def sparsity(self) -> int:
        """k, the most bits that a feature depends on."""
        return max(len(feature.positions) for feature in self.features)

    @property
    def description_bits(self) -> int:
        """The bits of a list of the features, their positions and tables; 0 if there is a rule."""
        if self.by_rule:
            return 0
        digits = (self.length - 1).bit_length()
        return sum(digits * len(feature.positions) + len(feature.table) for feature in self.features)

    def task(self) -> SequenceTask:
        """The function as a task on words of bits."""

        def evaluate(word: Array) -> Array:
            count = np.zeros(word.shape[:-1], dtype=np.int64)
            for feature in self.features:
                count += feature.evaluate(word)
            return np.asarray(count > self.bound, dtype=np.int8)

        name = (
            f"threshold({self.length}, {len(self.features)} features of {self.sparsity} bits, more than {self.bound})"
        )
        note = f"1 iff more than {self.bound} of the features are 1"
        return SequenceTask(name, Words.over("01", self.length), (0, 1), evaluate, note=note)


@dataclass(frozen=True)
class NormalForm:
    """A formula in conjunctive or disjunctive normal form.

    Attributes:
        kind: "cnf", a conjunction of clauses, or "dnf", a disjunction of terms.
        length: N, how many bits a word has.
        parts: the clauses or terms, each a tuple of literals: i for bit i, -i for its negation.

    >>> formula = NormalForm.parse("(x1 | !x2) & (x2 | x3)")
    >>> formula.parts, formula.length, str(formula), formula.threshold().task()("101")
    (((1, -2), (2, 3)), 3, '(x1 | !x2) & (x2 | x3)', 1)
    """

    kind: Literal["cnf", "dnf"]
    length: int
    parts: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        if self.kind not in ("cnf", "dnf"):
            raise InputError("kind", self.kind, "'cnf' or 'dnf'")
        require_integer("length", self.length, low=1)
        if not self.parts or not all(self.parts):
            raise InputError("parts", self.parts, "one or more clauses or terms, none of them empty")
        for part in self.parts:
            for literal in part:
                if require_integer("literal", literal, low=-self.length, high=self.length) == 0:
                    raise InputError("literal", literal, f"a number from 1 to {self.length}, or its negative")

    @classmethod
    def parse(cls, text: str, length: int | None = None) -> NormalForm:
        """From a text such as ``(x1 | !x2) & x3`` or ``(x1 & x2) | (!x1 & x3)``.

        The length is, unless given, the last bit that is named. The signs are & for and, | for or, ! or ~ for not.
        Several literals in brackets are joined by the other sign than the brackets are; without any brackets, & makes
        a conjunction of clauses and | a disjunction of terms.
        """
        if not isinstance(text, str):
            raise InputError("text", text, "a formula such as (x1 | !x2) & x3")
        outside = re.sub(r"\([^()]*\)", "", text)
        inside = "".join(re.findall(r"\(([^()]*)\)", text))
        if {"&", "|"} <= set(outside) or {"&", "|"} <= set(inside):
            raise InputError("text", text, "one sign between brackets, and the other within")
        conjunctive = "&" in outside or ("|" not in outside and "|" in inside)
        outer, inner = ("&", "|") if conjunctive else ("|", "&")
        if outer in inside:
            raise InputError("text", text, f"{inner} within brackets, as {outer} stands between them")
        parts = tuple(_literals(part, inner, text) for part in text.split(outer))
        last = max(abs(literal) for part in parts for literal in part)
        return cls("cnf" if conjunctive else "dnf", last if length is None else length, parts)

    @property
    def width(self) -> int:
        """k, the most different bits in a clause or term."""
        return max(len({abs(literal) for literal in part}) for part in self.parts)

    def threshold(self) -> SparseThreshold:
        """The same function as a threshold: more than 0 terms, or more than all but one clauses, are true.

        Raises :class:`~ccsim.errors.InputError` for more parts than bits.
        """
        how: Literal["any", "all"] = "any" if self.kind == "cnf" else "all"
        features = tuple(SparseFeature.of_literals(part, how) for part in self.parts)
        return SparseThreshold(self.length, features, len(features) - 1 if self.kind == "cnf" else 0)

    def __str__(self) -> str:
        outer, inner = (" & ", " | ") if self.kind == "cnf" else (" | ", " & ")
        return outer.join(_shown(part, inner) for part in self.parts)


def _require_how(how: str) -> str:
    if how not in ("any", "all"):
        raise InputError("how", how, "'any' or 'all'")
    return how


def _literals(part: str, inner: str, text: str) -> tuple[int, ...]:
    found = re.fullmatch(r"\s*(\()?([^()]*)(?(1)\))\s*", part)
    literals = []
    for literal in found.group(2).split(inner) if found else [""]:
        name = re.fullmatch(r"\s*([!~]?)\s*x([1-9][0-9]*)\s*", literal)
        if name is None:
            raise InputError("text", text, f"literals x1, !x1, ... joined by & and |, not {part.strip()!r}")
        literals.append(-int(name.group(2)) if name.group(1) else int(name.group(2)))
    return tuple(literals)


def _shown(part: Sequence[int], inner: str) -> str:
    literals = inner.join(f"{'!' if literal < 0 else ''}x{abs(literal)}" for literal in part)
    return f"({literals})" if len(part) > 1 else literals
