"""The least error of one message of so many bits, exactly: for INDEX, and for composing functions.

Kremer, Nisan and Ron 1999; Peng, Narayanan and Papadimitriou 2024, theorem 1. The best division of the sender's inputs
into messages is sought in integers. *Costs* are weights on which the receiver's best strategy is wrong. The least error
on the worst input, with public coins, is 1 less :func:`ccsim.bounds.one_way_success`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from ccsim.engine import AnswerEach, Coins, Cost, Protocol, Receive, SendEach, array_party
from ccsim.errors import Array, InputError, require_integer
from ccsim.matrices import DONT_CARE
from ccsim.plain_data import counted
from ccsim.problems import Partition, TwoPartyFunction, index, index_lookup

MOST_WEIGHT = 1 << 60
MOST_BITS = 16
MOST_STRATEGIES = 1 << 13
"""How many strategies of the receiver are looked at, when those that are of no use are left out."""
NEVER = 1 << 60
MOST_CHOSEN = 4  # so many messages, or fewer, are proved by going through all sets of strategies
MOST_CHOICES = 1_000_000  # sets of strategies
MOST_CLASSES = 200_000  # classes of inputs
MOST_NODES = 1_000_000  # partial divisions into classes
STARTS = 24
MOST_CHECKS = 4  # the words of 2^5 - 1 bits are too many to explore

Class = tuple[int, int, int]
"""Some inputs as a mask, what they cost as one message, how many there are."""


@dataclass(frozen=True, eq=False)
class LeastOneWayError:
    """The least error of one message of ``bits`` bits lies between ``lower`` and ``upper``, both exact.

    No one-way protocol errs with a probability below ``lower``. The one that sends the ``messages``, one for each of
    the sender's inputs, in order, errs with ``upper``, if the receiver gives the answer with the largest weight among
    them.
    """

    bits: int
    lower: Fraction
    upper: Fraction
    messages: tuple[int, ...] = field(repr=False)

    @property
    def exact(self) -> bool:
        """Whether both sides meet."""
        return self.lower == self.upper

    def __str__(self) -> str:
        value = f"= {self.lower}" if self.exact else f"in [{self.lower}, {self.upper}]"
        return f"least error of {counted(self.bits, 'bit')} {value}"


def least_one_way_error(function: TwoPartyFunction, bits: int, *, weights: Any = None) -> LeastOneWayError:
    """The least probability, over inputs, that one message of ``bits`` bits and the receiver's answer are wrong.

    Alice sends and Bob receives and answers, deterministically: under a fixed distribution coins do not help. A message
    is a class of the sender's inputs, so this is the best division into 2^bits classes, by branch and bound with a
    bounded number of steps; what these do not prove is left as a bracket. If the symmetries of a function carry each
    pair of inputs to each other one, the uniform distribution is the hardest one (average a protocol over them), and
    this is also the least worst-case error with public coins.

    Args:
        function: few enough inputs; total or partial.
        bits: the length of the message, from 0 to 16.
        weights: non-negative integers, one per pair of inputs, in proportion to the distribution; None means
            uniform on the promise. Weight off the promise does not count.

    Raises :class:`~ccsim.errors.InputError` for weights that do not fit, and for too many strategies of the receiver.

    >>> from ccsim.problems import index
    >>> [str(least_one_way_error(index(3), bits).upper) for bits in range(4)]
    ['1/2', '1/4', '1/6', '0']
    """
    if not isinstance(function, TwoPartyFunction):
        raise InputError("function", function, "a TwoPartyFunction")
    bits = require_integer("bits", bits, low=0, high=MOST_BITS)
    promised = function.codes != DONT_CARE
    given = promised.astype(np.int64) if weights is None else np.asarray(weights)
    whole = given.dtype.kind in "iu" and given.shape == function.shape and bool((given >= 0).all())
    if not whole or not (given * promised).any() or int(given.sum(dtype=object)) > MOST_WEIGHT:
        expected = f"non-negative integers of shape {function.shape}, some of them positive on the promise"
        raise InputError("weights", weights if weights is None else np.shape(weights), expected)
    codes, given = function.codes.astype(np.int64), np.asarray(given * promised, dtype=np.int64)
    alike, classes = np.unique(np.hstack([codes, given]), axis=0, return_inverse=True)
    copies = np.bincount(classes.ravel(), minlength=len(alike))
    width = codes.shape[1]
    weighted = alike[:, width:] * copies[:, None]
    right, sums = strategy_matrix(alike[:, :width], weighted), weighted.sum(axis=1)
    division = Division(sums - right, 1 << bits)
    division.prove()
    total = int(sums.sum())
    sent = division.costs[division.strategies].argmin(axis=0)
    lower, upper = (Fraction(cost, total) for cost in (division.lower, division.upper))
    return LeastOneWayError(bits, lower, upper, tuple(sent[classes.ravel()].tolist()))


def strategy_matrix(codes: Array, weights: Array) -> Array:
    """For each useful strategy and each of the sender's inputs, the weight on which the receiver is right.

    A strategy is an answer for each column of the codes (-1 off the promise, where weights are 0), alike for columns
    that divide the inputs alike with weights in proportion. One that is nowhere above another is of no use.
    """
    codes, weights = _merged(codes, weights)
    matrix = np.zeros((1, len(codes)), dtype=np.int64)
    for group in _groups(codes):
        useful = np.zeros((1, len(codes)), dtype=np.int64)
        for column in group:
            labels = [label for label in np.unique(codes[:, column]).tolist() if label != DONT_CARE]
            rows = [np.where(codes[:, column] == label, weights[:, column], 0) for label in labels]
            sums = _sums(useful, np.array(rows))
            kept = [not ((sums >= row).all(axis=1) & (sums != row).any(axis=1)).any() for row in sums]
            useful = np.asarray(sums[np.array(kept, dtype=bool)])
        matrix = _sums(matrix, useful)
    return matrix


def _merged(codes: Array, weights: Array) -> tuple[Array, Array]:
    merged: dict[bytes, tuple[Array, Array]] = {}
    for column in range(codes.shape[1]):
        weight = weights[:, column]
        divisor = int(np.gcd.reduce(weight)) if len(weight) else 0
        if divisor:
            labels = dict.fromkeys(label for label in codes[:, column].tolist() if label != DONT_CARE)
            names = {label: place for place, label in enumerate(labels)} | {DONT_CARE: DONT_CARE}
            named = np.array([names[label] for label in codes[:, column].tolist()], dtype=np.int64)
            key = named.tobytes() + (weight // divisor).tobytes()
            merged[key] = named, weight + (merged[key][1] if key in merged else 0)
    if not merged:
        return np.zeros((len(codes), 0), dtype=np.int64), np.zeros((len(codes), 0), dtype=np.int64)
    return tuple(np.stack(columns, axis=1) for columns in zip(*merged.values(), strict=True))  # type: ignore[return-value]


def _groups(codes: Array) -> list[list[int]]:
    order = sorted(range(codes.shape[1]), key=lambda column: -len(np.unique(codes[:, column])))
    groups: list[list[int]] = []
    for column in order:
        for group in groups:
            pairs = np.unique(codes[:, [group[0], column]], axis=0)
            if len(pairs) == len(np.unique(codes[:, group[0]])):
                group.append(column)
                break
        else:
            groups.append([column])
    return groups


def _sums(one: Array, other: Array) -> Array:
    if len(one) * len(other) > 8 * MOST_STRATEGIES:
        raise InputError("function", len(one) * len(other), f"at most {MOST_STRATEGIES} strategies of the receiver")
    sums = np.unique((one[:, None, :] + other[None, :, :]).reshape(-1, one.shape[1]), axis=0)
    if len(sums) > MOST_STRATEGIES:
        raise InputError("function", len(sums), f"at most {MOST_STRATEGIES} strategies of the receiver")
    return sums


def partition_bound(least: Array, messages: int) -> Array:
    """Row k, column s: no division of s inputs into k messages costs less, as far as sizes alone can tell."""
    size = len(least)
    table = np.full((messages + 1, size), NEVER, dtype=np.int64)
    table[0, 0] = 0
    for k in range(1, messages + 1):
        table[k] = table[k - 1]
        for taken in range(1, size):
            np.minimum(table[k, taken:], table[k - 1, : size - taken] + least[taken], out=table[k, taken:])
    return table


class Division:
    """A search for the cheapest division; ``lower`` and ``upper`` are proved, ``strategies`` reach ``upper``."""

    def __init__(self, costs: Array, messages: int) -> None:
        self.costs, self.messages = costs, min(messages, costs.shape[1])
        sums = np.cumsum(np.sort(costs, axis=1), axis=1).min(axis=0)
        self.least = np.concatenate([[0], sums]).astype(np.int64)  # what t inputs cost at least as one message
        self.bound = partition_bound(self.least, self.messages)
        self.lower = int(self.bound[self.messages, -1])
        self.strategies = self._local_search()
        self.upper = self._cost(self.strategies)

    def _cost(self, strategies: list[int]) -> int:
        return int(self.costs[strategies].min(axis=0).sum())

    def prove(self) -> None:
        if self.lower < self.upper and not self._choose_strategies():
            self._choose_classes()

    def _local_search(self) -> list[int]:
        """Change one strategy for another as long as that helps, from several starts drawn from a fixed seed."""
        generator = np.random.Generator(np.random.PCG64(0))
        best: list[int] = []
        for _ in range(STARTS):
            chosen = generator.choice(len(self.costs), self.messages, replace=len(self.costs) < self.messages).tolist()
            self._improve(chosen)
            if not best or self._cost(chosen) < self._cost(best):
                best = chosen
            if self._cost(best) == self.lower:
                break
        return best

    def _improve(self, chosen: list[int]) -> None:
        current, improved = self._cost(chosen), True
        while improved:
            improved = False
            for place in range(len(chosen)):
                others = self.costs[chosen[:place] + chosen[place + 1 :]]
                rest = others.min(axis=0, initial=NEVER)
                totals = np.minimum(self.costs, rest).sum(axis=1)
                candidate = int(totals.argmin())
                if int(totals[candidate]) < current:
                    chosen[place], current, improved = candidate, int(totals[candidate]), True

    # Proving: all sets of strategies

    def _choose_strategies(self) -> bool:
        """Go through all sets of strategies in rising order; False if there are too many to look at."""
        self.budget = MOST_CHOICES
        nothing = np.full(self.costs.shape[1], int(self.costs.max()) + 1, dtype=np.int64)
        if self.messages > MOST_CHOSEN or not self._extend(nothing, [], 0):
            return False
        self.lower = self.upper
        return True

    def _extend(self, current: Array, chosen: list[int], first: int) -> bool:
        self.budget -= 1
        left, value = self.messages - len(chosen), int(current.sum())
        gains = value - np.minimum(self.costs[first:], current).sum(axis=1)
        if self.budget < 0:
            return False
        if left == 1:
            place = int(gains.argmax())
            if value - int(gains[place]) < self.upper:
                self.upper, self.strategies = value - int(gains[place]), [*chosen, first + place]
            return True
        others = int(np.sort(gains)[-(left - 1) :].sum())  # what the other strategies gain at most
        for place in np.flatnonzero(value - gains - others < self.upper).tolist():
            if place + left > len(gains) or value - int(gains[place]) - others >= self.upper:
                continue
            follow = np.minimum(current, self.costs[first + place])
            if not self._extend(follow, [*chosen, first + place], first + place + 1):
                return False
        return True

    # Proving: all divisions into classes

    def _choose_classes(self) -> bool:
        """Go through all divisions into classes that sizes alone do not rule out; False if there are too many."""
        self.budget = MOST_CLASSES
        rest = self.bound[self.messages - 1, ::-1]  # what the other classes cost at least, by the size of this one
        self.limits = self.upper - 1 - rest
        promising = np.where(self.least <= self.limits, self.limits, -1)
        self.reach = np.append(np.maximum.accumulate(promising[::-1])[::-1], -1)
        self.classes: list[list[Class]] = []
        for first in range(self.costs.shape[1]):
            self.classes.append([])
            if not self._grow((1 << first, 0, 1), self.costs[:, first], first + 1):
                return False
        self.budget = MOST_NODES
        self.rests = self.bound.tolist()
        if not self._cover((1 << self.costs.shape[1]) - 1, []):
            return False
        self.lower = self.upper
        return True

    def _grow(self, group: Class, sums: Array, start: int) -> bool:
        mask, _, size = group
        self.budget -= 1
        if self.budget < 0:
            return False
        cost = int(sums.min())
        if cost <= self.limits[size]:
            self.classes[-1].append((mask, cost, size))
        more = self.costs[:, start:] + sums[:, None]
        for place in np.flatnonzero(more.min(axis=0) <= self.reach[size + 1]).tolist():
            larger = mask | 1 << (start + place), 0, size + 1
            if not self._grow(larger, more[:, place], start + place + 1):
                return False
        return True

    def _cover(self, left: int, taken: list[Class]) -> bool:
        self.budget -= 1
        if self.budget < 0:
            return False
        spent = sum(cost for _, cost, _ in taken)
        if not left:
            self.upper = spent
            held = [[place for place in range(len(self.costs[0])) if mask >> place & 1] for mask, _, _ in taken]
            self.strategies = [int(self.costs[:, places].sum(axis=1).argmin()) for places in held]
            return True
        if len(taken) == self.messages:
            return True
        first, size, others = (left & -left).bit_length() - 1, left.bit_count(), self.messages - len(taken) - 1
        for group in self.classes[first]:
            mask, cost, count = group
            hopeful = not mask & ~left and spent + cost + self.rests[others][size - count] < self.upper
            if hopeful and not self._cover(left & ~mask, [*taken, group]):
                return False
        return True


def error_of_balls(n: int, messages: int, symbols: int = 2) -> Fraction:
    """The least error of so many messages on the symbol at one of n places: C(n, r) (s - 1)^r words differ at r places.

    A message for t words errs least if they are the t nearest to one; the sum of the t least distances is convex in t.
    """
    n, words = require_integer("n", n, low=1), symbols**n
    share, larger = divmod(words, require_integer("messages", messages, low=1))

    def nearest(left: int) -> int:
        total = 0
        for distance in range(n + 1):
            here = min(left, comb(n, distance) * (symbols - 1) ** distance)
            total, left = total + distance * here, left - here
        return total

    return Fraction((messages - larger) * nearest(share) + larger * nearest(share + 1), words * n)


def table_lookup(n: int) -> TwoPartyFunction:
    """g(j), where Alice holds a table g of ``n`` values from {1, ..., n}, and Bob a position j in it.

    This is what is left of g(f(x)) when both know x and Bob holds f. Symmetries carry every pair of inputs to every
    other.

    >>> table_lookup(2).shape
    (4, 2)
    """
    n = require_integer("n", n, low=1)
    task = index_lookup(n, tuple(range(1, n + 1)))
    return task.split(Partition.prefix(n + 1, n))


def syndrome_index(checks: int) -> Protocol:
    """INDEX_N for N = 2^r - 1 by one message of N - r bits that is wrong with probability 1 / (N + 1) on each input.

    The syndrome of a word is the exclusive or of the numbers of its places with a 1; the Hamming code are those of
    syndrome 0, and each other word is one flip away. The public coins name a place z, or none, that Alice flips in her
    word. She sends the nearest code word but for its places 1, 2, 4, ..., which Bob restores; he flips z back, and is
    wrong at the place that her syndrome names, which is each of 0, ..., N for one z. No message of so many bits errs
    less (``docs/proofs/index_with_coins.md``). ``checks`` is r, from 2 to 4.
    """
    checks = require_integer("checks", checks, low=2, high=MOST_CHECKS)
    n = (1 << checks) - 1

    @array_party
    def alice(words: Any, heard: Any, public: int) -> Any:
        if heard:
            return AnswerEach(None)
        return SendEach(nearest_words(flipped(words, public, n), checks), n - checks, "the nearest code word")

    @array_party
    def bob(positions: Any, heard: Any, public: int) -> Any:
        if not heard:
            return Receive(width=n - checks)
        word = restored_words(np.array([heard[0].bits.to_unsigned()]), checks)
        return AnswerEach(flipped(word, public, n) >> (n - positions) & 1)

    return Protocol(
        f"syndrome index({n})",
        index(n),
        {"alice": alice, "bob": bob},
        answer="bob",
        cost=Cost("N - r", {"N": n, "r": checks}),
        error=Fraction(1, n + 1),
        public=Coins.bits(checks),
        source="Hamming 1950",
    )


def flipped(words: Array, place: int, n: int) -> Array:
    """Words with the bit at a place, counted from 1 at the front, turned over; 0 is no place."""
    return words ^ (1 << (n - place)) if place else words


def syndromes(words: Array, n: int) -> Array:
    places = np.arange(1, n + 1)
    return np.asarray(np.bitwise_xor.reduce(places * (words[..., None] >> (n - places) & 1), axis=-1))


def nearest_words(words: Array, checks: int) -> Array:
    n = (1 << checks) - 1
    nearest, wrong = np.asarray(words), syndromes(np.asarray(words), n)
    nearest = np.where(wrong > 0, nearest ^ (1 << (n - wrong)), nearest)
    sent = np.zeros_like(nearest)
    for place in _sent_places(n):
        sent = sent << 1 | nearest >> (n - place) & 1
    return sent


def restored_words(sent: Array, checks: int) -> Array:
    n, words = (1 << checks) - 1, np.zeros_like(sent)
    for number, place in enumerate(reversed(_sent_places(n))):
        words |= (sent >> number & 1) << (n - place)
    wrong = syndromes(words, n)
    for check in range(checks):
        words |= (wrong >> check & 1) << (n - (1 << check))
    return words


def _sent_places(n: int) -> list[int]:
    return [place for place in range(1, n + 1) if place & (place - 1)]
