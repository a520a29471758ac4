"""Sparse thresholds and normal forms, the transformers of two layers for them, and how their numbers grow.

Literals are as in the DIMACS format. In the first layer position i has one head for each bit of the i-th feature, and
relu units look it up in a table of 2^k bits in the stream; the second averages the features (Bhattamishra, Hahn,
Blunsom and Kanade 2024, theorem 13, which does not say how a position knows its feature). The width is
(k + 1) r + 2^k + k + 3 for addresses of r signs; bits that list features without a rule count in the representation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, Literal

import numpy as np

from ccsim.arithmetic import Precision
from ccsim.errors import Array, InputError, require_integer
from ccsim.formulas import exact_value
from ccsim.models import Transformer
from ccsim.problems import SequenceTask, Words
from protocols.constructions.addresses import Addresses, BinaryAddresses
from protocols.constructions.assembling import (
    START,
    ConstructionSize,
    Slots,
    StartedTransformer,
    Stream,
    fetching,
    measured,
    require_hard,
    require_number,
    require_steps,
    size_of,
)
from protocols.constructions.lookup import equality_transformer, index_lookup_transformer
from protocols.constructions.recall import associative_recall_transformer

SOURCE = "Bhattamishra, Hahn, Blunsom and Kanade 2024, Theorem 13"
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
        """A clause (some literal is true) or a term (all are). Literals may repeat or contradict each other."""
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
            expected = f"from 1 to {self.length} features, as there are positions"
            raise InputError("features", len(self.features), expected)
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
        """Whether a function of two bits is 1 for any, or for all, of the pairs (i, N/2 + i)."""
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
            count = sum(feature.evaluate(word) for feature in self.features)
            return np.asarray(count > self.bound, dtype=np.int8)

        features = f"{len(self.features)} features of {self.sparsity} bits"
        name = f"threshold({self.length}, {features}, more than {self.bound})"
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
        """From a text such as ``(x1 | !x2) & x3`` or ``(x1 & x2) | (!x1 & x3)``, up to the length or its last bit.

        The signs are & for and, | for or, ! or ~ for not; literals in brackets are joined by the other sign than the
        brackets are. Without any brackets, & makes a conjunction of clauses and | a disjunction of terms.
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
            raise InputError("text", text, f"{inner} within brackets, as {outer} is between them")
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
        shown = [[f"{'!' if literal < 0 else ''}x{abs(literal)}" for literal in part] for part in self.parts]
        return outer.join(f"({inner.join(part)})" if len(part) > 1 else part[0] for part in shown)


def _require_how(how: str) -> str:
    if how not in ("any", "all"):
        raise InputError("how", how, "'any' or 'all'")
    return how


def _literals(part: str, inner: str, text: str) -> tuple[int, ...]:
    whole = re.fullmatch(r"\s*(\()?([^()]*)(?(1)\))\s*", part)
    literals = []
    for literal in whole.group(2).split(inner) if whole else [""]:
        name = re.fullmatch(r"\s*([!~]?)\s*x([1-9][0-9]*)\s*", literal)
        if name is None:
            raise InputError("text", text, f"literals x1, !x1, ... joined by & and |, not {part.strip()!r}")
        literals.append(-int(name.group(2)) if name.group(1) else int(name.group(2)))
    return tuple(literals)


GROWING: Mapping[str, Callable[[int], Any]] = {
    "index lookup": index_lookup_transformer,
    "index lookup, binary addresses": lambda n: index_lookup_transformer(n, addresses=BinaryAddresses(n)),
    "equality": equality_transformer,
    "equality, binary addresses": lambda n: equality_transformer(n, addresses=BinaryAddresses(n)),
    "intersection": lambda length: threshold_transformer(SparseThreshold.halves(length, lambda a, b: a and b, "any")),
    "recall by address": lambda length: associative_recall_transformer(length // 2),
    "recall by copy": lambda length: associative_recall_transformer(length // 2, route="copy"),
}
"""For each name, what builds the model for words of (about) that length; recall has N/2 pairs."""


def growth_table(names: Iterable[str] | None = None, exponents: Iterable[int] = range(4, 15)) -> list[dict[str, Any]]:
    """For each construction and N = 2^e: the sizes, and their ratios to what is claimed up to a constant.

    Logarithms are to base 2. Models are built, not run. ``bits/N`` compares the representation, whose embeddings are
    made on demand, with the N bits of state that a recurrent model needs.

    >>> row, = growth_table(["equality"], [4])
    >>> row["width"], row["precision"], row["representation"], round(row["representation/claimed"], 1)
    (49, 8, 41256, 644.6)
    """
    chosen = tuple(GROWING) if names is None else tuple(names)
    lengths = [1 << require_integer("exponents", exponent, low=2, high=20) for exponent in exponents]
    rows = []
    for name in chosen:
        if name not in GROWING:
            raise InputError("names", name, f"one of {', '.join(GROWING)}")
        rows += [_row(name, length, size_of(GROWING[name](length))) for length in lengths]
    return rows


def _row(name: str, length: int, size: ConstructionSize) -> dict[str, Any]:
    row: dict[str, Any] = {"construction": name, "N": length}
    row |= {part: getattr(size, part) for part in ("width", "heads", "layers", "precision")}
    row |= {"representation": size.representation_bits, "stored": size.stored_bits}
    claimed = {"width": size.claimed_width, "precision": size.claimed_precision, "representation": size.claimed_bits}
    for part, formula in claimed.items():  # log is to base 2
        row[f"{part}/claimed"] = row[part] / float(exact_value(formula.replace("log(", "log2("), {"N": length}))
    return row | {"bits/N": size.representation_bits / length, "source": size.source}


def threshold_transformer(
    threshold: SparseThreshold | NormalForm,
    *,
    precision: int | Precision | None = None,
    addresses: Addresses | None = None,
    strength: Fraction | int | None = None,
) -> StartedTransformer:
    """A transformer for a threshold of k-sparse features, or a formula: k heads; its task is ``threshold.task()``.

    Positions see each other in both directions, as a feature may lie before its bits.

    Args:
        threshold: the features and the bound, or a k-CNF or k-DNF with at most N parts.
        precision, addresses, strength: as for :func:`equality_transformer`; N + 1 addresses, the first for [BOS].

    Raises :class:`~ccsim.errors.InputError` for a precision in which the inequalities fail.

    >>> model = threshold_transformer(SparseThreshold.majority(5))
    >>> model("01101"), model("01001"), model.mistake(SparseThreshold.majority(5).task())
    (1, 0, None)
    """
    threshold = threshold.threshold() if isinstance(threshold, NormalForm) else threshold
    if not isinstance(threshold, SparseThreshold):
        raise InputError("threshold", threshold, "a SparseThreshold or a NormalForm")
    positions, sparsity = threshold.length + 1, threshold.sparsity
    precision, addresses, steps = fetching(
        precision, positions, addresses, strength, lambda rough: sparsity * rough.scale - 1
    )
    require_hard(precision, addresses, steps)
    require_steps(precision, positions)
    require_number(precision, -sparsity * precision.scale)
    k, signs = max(1, sparsity), addresses.dimension
    asked = {f"asked{j}": signs for j in range(k)}
    slots = Slots(bit=1, fetched=k, table=1 << k, feature=1, mean=1, own=signs, **asked)
    stream, share = Stream(precision, slots), precision.scale // positions  # what one feature adds to the mean
    first = slots["fetched"].start
    heads = [stream.fetch(f"asked{j}", "bit", slice(first + j, first + j + 1), steps) for j in range(k)]
    # Unit a of 2^k: relu(sum_j a_j b_j - k + table[a]) for signs b, which is table[a] if b = a, else 0.
    settings = 2 * (np.arange(1 << k)[:, None] >> np.arange(k - 1, -1, -1) & 1) - 1
    look_up = stream.units(
        {"fetched": settings.T, "table": np.eye(1 << k, dtype=np.int64)},
        np.full(1 << k, -k * precision.scale),
        {"feature": np.ones((1 << k, 1), dtype=np.int64)},
    )
    transformer = stream.transformer(
        Transformer,
        f"{threshold.task().name} by two layers ({precision.bits} bits)",
        ("0", "1", START),
        (0, 1),
        stream.embedding(3, bit=[[-1], [1], [-1]]),
        stream.whole(_positions(threshold, stream, k, addresses)),
        stream.block(*heads, layers=look_up),
        stream.block(stream.average("feature", "mean")),
        read_out=stream.read_out(2, np.array([threshold.bound * share, 0]), mean=[[0], [1]]),
        causal=False,
    )
    model = StartedTransformer(transformer)
    seed_bits = addresses.seed_bits + threshold.description_bits
    return measured(model, generated=positions * model.width, seed_bits=seed_bits, source=SOURCE)


def _positions(threshold: SparseThreshold, stream: Stream, k: int, addresses: Addresses) -> Array:
    """Address, addresses of the feature's bits, and table of each position; position 1 is [BOS], whose feature is 0."""
    slots = stream.slots
    positions = stream.numbers(threshold.length + 1, own=addresses.rows(np.arange(1, threshold.length + 2)))
    asked = np.ones((threshold.length + 1, k), dtype=np.int64)  # [BOS], unless there is a bit to fetch
    for place, feature in enumerate(threshold.features, start=1):
        asked[place, : len(feature.positions)] = np.array(feature.positions, dtype=np.int64) + 1
        missing = k - len(feature.positions)
        table = np.repeat(np.array(feature.table), 1 << missing)  # whatever the missing bits are
        positions[place, slots["table"]] = table
    for j in range(k):
        positions[:, slots[f"asked{j}"]] = addresses.rows(asked[:, j])
    return positions
