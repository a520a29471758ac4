"""Information cost: what a protocol's transcript reveals, in bits, exactly (Braverman 2012).

For inputs X, Y from a distribution, public coins R and transcript T: internal I(X; T | Y, R) + I(Y; T | X, R), external
I(X, Y; T | R). All probabilities are rational, so each cost is an exact sum of logarithms (:class:`LogSum`). Always
internal <= external <= H(T | R) <= expected bits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import total_ordering
from math import floor

import numpy as np

from ccsim import lazy
from ccsim.engine.explore import Region, ViewRectangle, Walk
from ccsim.engine.protocol import Protocol
from ccsim.engine.run import Board
from ccsim.errors import Array, InputError, ProtocolError

flint = lazy.load("flint")
sympy = lazy.load("sympy")


@total_ordering
@dataclass(frozen=True)
class LogSum:
    """The sum of c_p log2(p) over primes p, with rational c_p, exactly: these logarithms are rationally independent."""

    coefficients: Mapping[int, Fraction] = field(default_factory=dict)

    def __post_init__(self) -> None:
        kept = {prime: Fraction(value) for prime, value in sorted(self.coefficients.items()) if value}
        object.__setattr__(self, "coefficients", kept)

    @classmethod
    def of(cls, value: Fraction | int) -> LogSum:
        return cls({2: Fraction(value)})

    @classmethod
    def log2(cls, value: Fraction | int) -> LogSum:
        ratio = Fraction(value)
        if ratio <= 0:
            raise ValueError(f"value = {value}: expected a positive rational")
        powers = {int(prime): Fraction(int(power)) for prime, power in sympy.factorrat(sympy.sympify(ratio)).items()}
        return cls(powers)

    def __add__(self, other: LogSum) -> LogSum:
        coefficients = defaultdict(Fraction, self.coefficients)
        for prime, value in other.coefficients.items():
            coefficients[prime] += value
        return LogSum(coefficients)

    def __sub__(self, other: LogSum) -> LogSum:
        return self + other.times(-1)

    def times(self, factor: Fraction | int) -> LogSum:
        return LogSum({prime: value * factor for prime, value in self.coefficients.items()})

    def enclosure(self, digits: int = 30) -> tuple[Fraction, Fraction]:
        """Rationals around the number, at most 10^-digits apart, by intervals (Arb, Johansson 2017)."""
        odd = [(prime, value) for prime, value in self.coefficients.items() if prime > 2]
        low, high, precision = Fraction(0), Fraction(2), 4 * digits + 64
        while high - low > Fraction(1, 10**digits):
            with flint.ctx.workprec(precision):
                logs = [flint.arb(prime).log() * value.numerator / value.denominator for prime, value in odd]
                total = sum(logs, flint.arb(0)) / flint.arb.const_log2()
                ends = total.lower().man_exp(), total.upper().man_exp()
            rational = self.coefficients.get(2, Fraction(0))
            low, high = (Fraction(int(mantissa)) * Fraction(2) ** int(shift) + rational for mantissa, shift in ends)
            precision *= 2
        return low, high

    def decimal(self, digits: int = 12) -> str:
        """The number to this many decimals, rounded down (towards minus infinity) and every digit right."""
        scale, extra = 10**digits, digits + 5
        while True:
            whole, most = (floor(end * scale) for end in self.enclosure(extra))
            if whole == most:
                shown = str(abs(whole)).rjust(digits + 1, "0")
                point = f"{shown[:-digits]}.{shown[-digits:]}" if digits else shown
                return f"-{point}" if whole < 0 else point
            extra *= 2

    def sign(self) -> int:
        digits = 10
        while self.coefficients:
            low, high = self.enclosure(digits)
            if low > 0 or high < 0:
                return 1 if low > 0 else -1
            digits *= 2
        return 0

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (int, Fraction)):
            other = LogSum.of(other)
        return self.coefficients == other.coefficients if isinstance(other, LogSum) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self.coefficients.items()))

    def __lt__(self, other: LogSum | Fraction | int) -> bool:
        return (self - (other if isinstance(other, LogSum) else LogSum.of(other))).sign() < 0

    def __float__(self) -> float:
        low, high = self.enclosure(25)
        return float((low + high) / 2)

    def __str__(self) -> str:
        parts = [
            str(value) if prime == 2 else f"{value} log2({prime})".removeprefix("1 ")
            for prime, value in self.coefficients.items()
        ]
        return " + ".join(parts).replace("+ -", "- ") or "0"


MOST_OUTCOMES = 1 << 10  # of the public coins
MOST_TERMS = 1 << 20  # (x, y, transcript, public coin) with positive probability


@dataclass(frozen=True, eq=False)
class InformationCost:
    """What a protocol reveals under a distribution on inputs, in bits, exactly.

    Attributes:
        protocol: whose transcript it is.
        alice_learns: I(Y; T | X, R).
        bob_learns: I(X; T | Y, R).
        external: I(X, Y; T | R).
        transcript_entropy: H(T | R), the entropy of the transcript given the public coins.
        expected_bits: the mean number of bits sent, over inputs and coins.
    """

    protocol: Protocol = field(repr=False)
    alice_learns: LogSum
    bob_learns: LogSum
    external: LogSum
    transcript_entropy: LogSum
    expected_bits: Fraction

    @property
    def internal(self) -> LogSum:
        """What both learn: the internal information cost."""
        return self.alice_learns + self.bob_learns

    def __str__(self) -> str:
        figures = (self.internal, self.external, self.transcript_entropy)
        internal, external, entropy = (figure.decimal(6) for figure in figures)
        return (
            f"{self.protocol.name}: internal {internal}, external {external}, "
            f"transcript entropy {entropy}, expected {float(self.expected_bits):.6g} bits"
        )


def information_cost(protocol: Protocol, distribution: Array | None = None) -> InformationCost:
    """The internal and external information cost of a two-party protocol, exactly.

    Args:
        protocol: two parties with inputs in hand, with public and private coins few enough to go through them all; it
            need not be correct, but must keep its model's rules (else a :class:`~ccsim.errors.ProtocolError`).
        distribution: one non-negative integer or Fraction per input pair, not all zero; probabilities are in
            proportion. By default uniform on the promised inputs.

    >>> from ccsim.problems import intersection
    >>> from protocols.classical import trivial
    >>> cost = information_cost(trivial(intersection(1)))  # Alice sends x; Bob sends the answer x and y
    >>> str(cost.internal), str(cost.external), cost.expected_bits
    ('3/2', '3/2', Fraction(2, 1))
    """
    if not isinstance(protocol, Protocol):
        raise InputError("protocol", protocol, "a ccsim.Protocol")
    if protocol.model.forehead or len(protocol.model.players) != 2:
        raise InputError("protocol", protocol.name, "two parties with inputs in hand")
    if protocol.public is not None and protocol.public.size > MOST_OUTCOMES:
        raise InputError("public coins", protocol.public.size, f"at most {MOST_OUTCOMES} outcomes")
    collector = _Leaves(protocol, _probabilities(protocol, distribution))
    outcomes = [None] if protocol.public is None else range(protocol.public.size)
    for outcome in outcomes:
        collector.outcome = outcome
        walk = Walk(protocol, protocol.views(outcome), collector.visit)
        walk.go()
        if walk.violations:
            raise ProtocolError(f"{protocol.name}: {walk.violations[0]}")
    return collector.cost(len(outcomes))


class _Leaves:
    """The joint distribution of inputs, public coins and leaves, entry by entry."""

    def __init__(self, protocol: Protocol, probabilities: Mapping[tuple[int, int], Fraction]) -> None:
        self.protocol, self.probabilities = protocol, probabilities
        self.outcome: int | None = None
        self.leaves = 0
        self.bits = Fraction(0)
        self.joint: dict[tuple[int, int, int, int | None], Fraction] = {}
        coins = [protocol.private.get(player) for player in protocol.model.players]
        self.sizes = [1 if own is None else own.size for own in coins]

    def visit(self, region: Region, board: Board, codes: Mapping[str, Array]) -> None:
        """Each pair of inputs comes here with the share of Alice's private coins times that of Bob's."""
        assert isinstance(region, ViewRectangle)
        shares = []
        for player, size in enumerate(self.sizes):
            inputs, counts = np.unique(region.inputs(player), return_counts=True)
            pairs = zip(inputs.tolist(), counts.tolist(), strict=True)
            shares.append({place: Fraction(count, size) for place, count in pairs})
        for (x, y), probability in self.probabilities.items():
            if x in shares[0] and y in shares[1]:
                here = probability * shares[0][x] * shares[1][y]
                self.joint[x, y, self.leaves, self.outcome] = here
                self.bits += here * board.transcript.bits
        self.leaves += 1
        if len(self.joint) > MOST_TERMS:
            raise InputError("protocol", self.protocol.name, f"at most {MOST_TERMS} terms in the joint distribution")

    def cost(self, outcomes: int) -> InformationCost:
        joint = {key: value / outcomes for key, value in self.joint.items()}
        entropy = {places: _entropy(joint, places) for places in ("xytr", "xyr", "xtr", "xr", "ytr", "yr", "tr", "r")}
        given_both = entropy["xytr"] - entropy["xyr"]
        return InformationCost(
            self.protocol,
            entropy["xtr"] - entropy["xr"] - given_both,
            entropy["ytr"] - entropy["yr"] - given_both,
            entropy["tr"] - entropy["r"] - given_both,
            entropy["tr"] - entropy["r"],
            self.bits / outcomes,
        )


def _entropy(joint: Mapping[tuple[int, int, int, int | None], Fraction], places: str) -> LogSum:
    kept = ["xytr".index(place) for place in places]
    sums: dict[Hashable, Fraction] = defaultdict(Fraction)
    for key, probability in joint.items():
        sums[tuple(key[place] for place in kept)] += probability
    together: dict[Fraction, Fraction] = defaultdict(Fraction)
    for probability in sums.values():
        together[probability] += probability
    coefficients: dict[int, Fraction] = defaultdict(Fraction)
    for probability, weight in together.items():
        for prime, power in LogSum.log2(probability).coefficients.items():
            coefficients[prime] -= weight * power
    return LogSum(coefficients)


def _probabilities(protocol: Protocol, distribution: Array | None) -> dict[tuple[int, int], Fraction]:
    codes = protocol.function.codes
    weights = (codes >= 0).astype(np.int64) if distribution is None else np.asarray(distribution)
    expected = f"non-negative integers or Fractions of shape {codes.shape}, not all zero"
    if weights.shape != codes.shape:
        raise InputError("distribution", weights.shape, expected)
    entries = {(x, y): weights[x, y] for x, y in np.argwhere(weights != 0).tolist()}
    if not entries or not all(isinstance(value, (int, np.integer, Fraction)) for value in entries.values()):
        raise InputError("distribution", weights.dtype, expected)
    exact = {place: Fraction(value if isinstance(value, Fraction) else int(value)) for place, value in entries.items()}
    if min(exact.values()) < 0:
        raise InputError("distribution", str(min(exact.values())), expected)
    total = sum(exact.values(), Fraction(0))
    return {place: value / total for place, value in exact.items()}
