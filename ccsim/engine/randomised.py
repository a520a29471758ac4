"""Randomised protocols: error and cost, exact where the coins are few, with an interval where they are drawn.

Four figures are easily confused, and kept apart here by name:

* worst-case error: the largest, over inputs, of the probability over the coins of a wrong answer;
* distributional error: the probability of a wrong answer over the coins *and* a distribution on inputs;
* worst-case bits: the most bits over inputs and coins;
* expected bits: the largest, over inputs, of the mean number of bits over the coins.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim import lazy
from ccsim.engine.explore import TIMEOUT, Region, ViewRectangle, Walk
from ccsim.engine.model import draw, fresh_seed
from ccsim.engine.party import ProtocolBase
from ccsim.engine.run import Board, Violation, violations_text
from ccsim.errors import Array, InputError, ProtocolError
from ccsim.matrices import DONT_CARE
from ccsim.plain_data import counted

scipy = lazy.load("scipy")

MOST_OUTCOMES = 1 << 12  # public coin outcomes that are gone through one by one
MOST_VIEWS = 1 << 16  # inputs times private coins of one party


@dataclass(frozen=True)
class Interval:
    """A confidence interval: the value lies in [low, high] with at least this confidence."""

    low: float
    high: float
    confidence: float

    def __str__(self) -> str:
        return f"[{self.low:.4g}, {self.high:.4g}] at {self.confidence:.4g}"


@dataclass(frozen=True, eq=False)
class Measurement:
    """Error and cost of a protocol over its coins, on every input.

    Attributes:
        exact: whether all coin outcomes were gone through (else ``outcomes`` public outcomes were drawn).
        outcomes: how many public coin outcomes were tried.
        weight: how many coin outcomes each figure of ``wrong`` and ``bits`` adds up.
        wrong: for each input tuple, how many of them give a wrong answer (0 off the promise).
        bits: for each input tuple, the sum of bits over them.
        most_bits: the most bits over all promised inputs and the outcomes tried.
        violations: rules broken under some outcome. Then it is no protocol: every figure is an error.
        seed: what the drawn outcomes were drawn from; None if exact.
    """

    protocol: ProtocolBase = field(repr=False)
    exact: bool
    outcomes: int
    weight: int
    wrong: Array = field(repr=False)
    bits: Array = field(repr=False)
    most_bits: int = field(repr=False)
    promised: Array = field(repr=False)
    violations: tuple[Violation, ...]
    seed: int | None = None

    def error(self, *inputs: Any) -> Fraction:
        """The share of wrong answers on one input per player: its error probability if exact."""
        self.raise_if_wrong()
        return Fraction(int(self.wrong[tuple(self.protocol.places(inputs))]), self.weight)

    def raise_if_wrong(self) -> Measurement:
        """This measurement, or a :class:`~ccsim.errors.ProtocolError` that names the rule that was broken."""
        if self.violations:
            raise ProtocolError(f"{self.protocol.name}: {violations_text(self.violations)}")
        return self

    @property
    def worst_bits(self) -> int:
        """The most bits over all promised inputs and the outcomes tried."""
        return self.raise_if_wrong().most_bits

    @property
    def worst_error(self) -> Fraction:
        """The largest share of wrong answers over inputs: the worst-case error if exact, else an estimate."""
        self.raise_if_wrong()
        return Fraction(int(self.wrong.max(initial=0)), self.weight)

    @property
    def worst_input(self) -> tuple[Any, ...]:
        """A promised input with the largest share of wrong answers."""
        self.raise_if_wrong()
        place = int(np.argmax(np.where(self.promised, self.wrong, -1)))
        indices = np.unravel_index(place, self.wrong.shape)
        return tuple(part.value(int(i)) for part, i in zip(self.protocol.function.inputs, indices, strict=True))

    @property
    def expected_bits(self) -> Fraction:
        """The largest, over promised inputs, of the mean bits over the coins tried."""
        self.raise_if_wrong()
        return Fraction(int(np.where(self.promised, self.bits, 0).max(initial=0)), self.weight)

    def distributional_error(self, distribution: Array | None = None) -> Fraction:
        """The share of wrong answers when inputs follow ``distribution`` (integer weights; default: uniform)."""
        weights = self._weights(distribution)
        return Fraction(int((weights * self.wrong).sum()), int(weights.sum()) * self.weight)

    def average_bits(self, distribution: Array | None = None) -> Fraction:
        """Mean bits over the coins tried and inputs from ``distribution`` (default: uniform on the promise)."""
        weights = self._weights(distribution)
        return Fraction(int((weights * self.bits).sum()), int(weights.sum()) * self.weight)

    def worst_error_interval(self, confidence: float = 0.99) -> Interval:
        """An interval for the worst-case error that holds with this confidence for all inputs together.

        Clopper-Pearson (1934) for each input, with the failure probability divided by the number of inputs; with
        private coins, of which each draw is a mean, Hoeffding (1963). Exact measurements give a single point.
        """
        share = float(self.worst_error)
        if self.exact:
            return Interval(share, share, 1.0)
        each = 1 - (1 - confidence) / max(int(np.count_nonzero(self.promised)), 1)
        if self.weight == self.outcomes:
            return Interval(*clopper_pearson(int(self.wrong.max(initial=0)), self.outcomes, each), confidence)
        margin = math.sqrt(math.log(2 / (1 - each)) / (2 * self.outcomes))
        return Interval(max(0.0, share - margin), min(1.0, share + margin), confidence)

    @property
    def within_claim(self) -> bool:
        """Whether the claim survives: no rule broken, and the claimed error not exceeded (if sampled: not refuted)."""
        if self.violations:
            return False
        least = self.worst_error if self.exact else self.worst_error_interval().low
        return least <= self.protocol.error

    def _weights(self, distribution: Array | None) -> Array:
        self.raise_if_wrong()
        return self.promised.astype(object) if distribution is None else self.protocol.weights(distribution)

    def __str__(self) -> str:
        if self.violations:
            return f"{self.protocol.name}: {violations_text(self.violations)}"
        how = "exact over all coins" if self.exact else f"{self.outcomes} draws, error in {self.worst_error_interval()}"
        return (
            f"{self.protocol.name}: worst-case error {self.worst_error} ({how}), "
            f"{counted(self.worst_bits, 'bit')} at worst, {float(self.expected_bits):.3f} expected"
        )


def measure_error(
    protocol: ProtocolBase,
    *,
    samples: int = 256,
    seed: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    timeout: float = TIMEOUT,
) -> Measurement:
    """Error and cost of a protocol, with inputs in hand, on every input.

    All private coins are gone through (they are part of a party's view), and so are public coins of at most 4096
    outcomes; else ``samples`` outcomes are drawn from ``seed``. ``progress`` is called with the number of outcomes done
    and in all. A party that sends nothing for ``timeout`` seconds is stopped. Where a rule is broken, the result lists
    the violations, and its figures raise :class:`~ccsim.errors.ProtocolError`.
    """
    if protocol.model.forehead:
        raise InputError("protocol", protocol.name, "inputs in hand")
    for role, coins in protocol.private.items():
        place = protocol.model.players.index(role)
        if coins.size * protocol.function.shape[place] > MOST_VIEWS:
            raise InputError(f"private coins of {role}", coins.size, f"at most {MOST_VIEWS} (input, outcome) pairs")
    exact = protocol.public is None or protocol.public.size <= MOST_OUTCOMES
    if not exact and samples < 1:
        raise InputError("samples", samples, "at least 1")
    seed = fresh_seed() if seed is None else seed
    outcomes: list[int | None] = [None]
    if protocol.public is not None:
        size = protocol.public.size
        outcomes = [*range(size)] if exact else [draw(size, seed, "public", number) for number in range(samples)]
    counter = ErrorCounter(protocol)
    violations: list[Violation] = []
    for done, outcome in enumerate(outcomes, start=1):
        walk = Walk(protocol, protocol.views(outcome), counter.visit, timeout=timeout)
        walk.go()
        violations += walk.violations
        if progress:
            progress(done, len(outcomes))
        if violations:
            break
    weight = len(outcomes) * math.prod(coins.size for coins in protocol.private.values())
    figures = counter.wrong, counter.bits, counter.worst_bits, counter.table != DONT_CARE, tuple(violations)
    return Measurement(protocol, exact, len(outcomes), weight, *figures, None if exact else seed)


class ErrorCounter:
    def __init__(self, protocol: ProtocolBase) -> None:
        self.protocol = protocol
        self.table = protocol.function.codes
        self.wrong = np.zeros(self.table.shape, dtype=np.int64)
        self.bits = np.zeros(self.table.shape, dtype=np.int64)
        self.worst_bits = 0

    def visit(self, region: Region, board: Board, codes: Mapping[str, Array]) -> None:
        """A leaf: for each input, the number of private outcomes that lead here, and how many of them are wrong."""
        assert isinstance(region, ViewRectangle)
        cells = region.cells(self.table)
        promised = cells != DONT_CARE
        if not promised.any():
            return
        bits = board.transcript.bits
        self.worst_bits = max(self.worst_bits, bits)
        wrong = np.zeros(cells.shape, dtype=bool)
        given = [region.spread(role, np.asarray(codes[role])) for role in self.protocol.knowing]
        for answers in given:
            wrong |= self.protocol.function.wrong(cells, answers) | (answers != given[0])
        places = np.ix_(*(region.inputs(player) for player in range(len(region.players))))
        for total, values in ((self.wrong, wrong & promised), (self.bits, np.where(promised, bits, 0))):
            if self.protocol.private:  # of which there may be several views of one input
                np.add.at(total, places, values)
            else:
                total[places] += values


def clopper_pearson(successes: int, trials: int, confidence: float) -> tuple[float, float]:
    """The exact binomial confidence interval of Clopper and Pearson (1934), by the beta distribution's inverse."""
    if not 0 <= successes <= trials or trials < 1 or not 0 < confidence < 1:
        raise InputError("successes, trials, confidence", (successes, trials, confidence), "0 <= s <= t, 0 < c < 1")
    tail = (1 - confidence) / 2
    low = 0.0 if successes == 0 else float(scipy.special.betaincinv(successes, trials - successes + 1, tail))
    high = 1.0 if successes == trials else float(scipy.special.betaincinv(successes + 1, trials - successes, 1 - tail))
    return low, high
