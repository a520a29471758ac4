"""Information cost by hand, by floats, and its inequalities; exact logarithms."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import Bits, Coins, Protocol, Receive, Send
from ccsim.bounds import information_cost
from ccsim.bounds.information import LogSum
from ccsim.errors import InputError, ProtocolError
from ccsim.problems import disjointness, equality, intersection
from protocols.classical import trivial

IC_AND = Fraction(14923, 10000)  # zero error, internal, the worst distribution (ECCC TR12-171: 1.4923)

weights = st.lists(st.integers(0, 6), min_size=4, max_size=4).filter(any).map(lambda four: np.reshape(four, (2, 2)))


def speaker(own, begins):
    """Who begins sends its bit; if that is 1, the other one does, too."""
    if begins:
        yield Send(own, "input")
        return (yield Receive()).to_unsigned() if own.to_unsigned() else 0
    if not (yield Receive()).to_unsigned():
        return 0
    yield Send(own, "input")
    return own.to_unsigned()


def sequential_and():
    roles = {"alice": lambda x: speaker(x, begins=True), "bob": lambda y: speaker(y, begins=False)}
    return Protocol("sequential AND", intersection(1), roles)


def with_public_coins():
    """A fair public coin says who begins."""
    roles = {"alice": lambda x, public: speaker(x, public == 0), "bob": lambda y, public: speaker(y, public == 1)}
    return Protocol("coin AND", intersection(1), roles, public=Coins(2))


def with_private_coins():
    """Alice sends x hidden by a private coin of four sides: the other bit with probability 1/4."""

    def alice(x, private):
        yield Send(Bits([x.to_unsigned() ^ (private == 0)]), "x, perhaps")
        return None

    def bob(y):
        yield Receive()
        return None

    return Protocol("noisy", intersection(1), {"alice": alice, "bob": bob}, answer="bob", private={"alice": Coins(4)})


def entropy(probabilities):
    return -sum(p * math.log2(p) for p in probabilities if p > 0)


def test_sequential_and_under_the_uniform_distribution_by_hand():
    cost = information_cost(sequential_and())
    assert cost.bob_learns == 1  # x
    assert cost.alice_learns == Fraction(1, 2)  # y, if x is 1
    assert cost.internal == cost.external == cost.transcript_entropy == Fraction(3, 2)
    assert cost.expected_bits == Fraction(3, 2)


def test_sequential_and_reaches_log_3_externally():
    worst = np.array([[1, 1], [2, 2]])  # x = 1 with probability 2/3, y a fair coin
    assert information_cost(sequential_and(), worst).external == LogSum.log2(3)
    assert information_cost(sequential_and(), worst).internal == LogSum.log2(3)


def test_the_worst_distribution_costs_at_least_the_infimum():
    for protocol in (sequential_and(), with_public_coins()):
        costs = [
            information_cost(protocol, np.array([[a, b], [c, 1]]))
            for a, b, c in [(1, 1, 1), (2, 2, 1), (1, 2, 2), (1, 1, 2)]
        ]
        assert max(float(cost.internal) for cost in costs) > IC_AND
        assert max(float(cost.external) for cost in costs) <= math.log2(3) + 1e-12


@settings(max_examples=15, deadline=None)
@given(weights)
def test_costs_are_in_order_and_below_log_3(distribution):
    for protocol in (sequential_and(), with_public_coins(), with_private_coins(), trivial(intersection(1))):
        cost = information_cost(protocol, distribution)
        assert LogSum.of(0) <= cost.alice_learns
        assert LogSum.of(0) <= cost.bob_learns
        assert cost.internal <= cost.external <= cost.transcript_entropy
        assert cost.transcript_entropy <= cost.expected_bits
        assert cost.external <= LogSum.log2(3)


@settings(max_examples=15, deadline=None)
@given(weights)
def test_sequential_and_by_floats(distribution):
    p = distribution / distribution.sum()
    x, y = p.sum(axis=1), p.sum(axis=0)
    cost = information_cost(sequential_and(), distribution)
    assert float(cost.bob_learns) == pytest.approx(entropy(p.ravel()) - entropy(y), abs=1e-12)  # H(X | Y)
    learned = x[1] * entropy(p[1] / x[1]) if x[1] else 0
    assert float(cost.alice_learns) == pytest.approx(learned, abs=1e-12)
    assert float(cost.external) == pytest.approx(entropy([x[0], p[1, 0], p[1, 1]]), abs=1e-12)
    assert cost.external == cost.transcript_entropy  # a deterministic transcript


def test_a_noisy_bit_tells_the_capacity_of_its_channel():
    cost = information_cost(with_private_coins(), np.array([[1, 1], [1, 1]]))
    assert cost.bob_learns == cost.external == LogSum.of(1) - LogSum.log2(4) + LogSum.log2(3).times(Fraction(3, 4))
    assert cost.alice_learns == 0
    assert cost.transcript_entropy == cost.expected_bits == 1


def test_public_coins_average():
    cost = information_cost(with_public_coins(), np.array([[1, 1], [2, 2]]))
    orders = (np.array([[1, 1], [2, 2]]), np.array([[1, 2], [1, 2]]))
    first, second = (information_cost(sequential_and(), order) for order in orders)
    assert cost.internal == (first.internal + second.internal).times(Fraction(1, 2))
    assert cost.external == (first.external + second.external).times(Fraction(1, 2))
    assert cost.expected_bits == (first.expected_bits + second.expected_bits) / 2


def test_fractions_weigh_like_integers():
    half = np.array([[Fraction(1, 6), Fraction(1, 6)], [Fraction(1, 3), Fraction(1, 3)]])
    assert information_cost(sequential_and(), half).external == LogSum.log2(3)


def test_other_distributions_are_refused():
    for distribution in [
        np.ones((2, 3), dtype=int),
        np.zeros((2, 2), dtype=int),
        np.ones((2, 2)),
        np.array([[1, 1], [1, -1]]),
    ]:
        with pytest.raises(InputError):
            information_cost(sequential_and(), distribution)


def test_larger_protocols():
    cost = information_cost(trivial(disjointness(3)))
    assert cost.bob_learns == 3
    assert cost.internal <= cost.external <= cost.expected_bits
    assert information_cost(trivial(equality(3))).external.decimal(10) == "3.543564443199"[:12]


def test_a_broken_protocol_is_reported():
    def alice(x):
        yield Send(Bits("0") if x.to_unsigned() else Bits("00"), "not prefix-free")

    def bob(y):
        yield Receive()

    with pytest.raises(ProtocolError):
        information_cost(Protocol("broken", intersection(1), {"alice": alice, "bob": bob}))


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 10**6), st.integers(0, 60))
def test_enclosures_of_logarithms(number, digits):
    low, high = LogSum.log2(number).enclosure(digits)
    assert low <= high <= low + Fraction(1, 10**digits)
    assert float(low) <= math.log2(number) + 1e-12
    assert math.log2(number) <= float(high) + 1e-12
    low, high = (end * 64 for end in (low, high))  # number^64 against powers of two, in integers
    assert 2 ** math.floor(low) <= number**64 <= 2 ** math.ceil(high)


@settings(max_examples=30, deadline=None)
@given(
    st.fractions(min_value=Fraction(1, 1000), max_value=1000), st.fractions(min_value=Fraction(1, 1000), max_value=1000)
)
def test_logarithms_add_and_compare(a, b):
    assert LogSum.log2(a) + LogSum.log2(b) == LogSum.log2(a * b)
    assert (LogSum.log2(a) - LogSum.log2(b)).sign() == (a > b) - (a < b)
    assert (LogSum.log2(a) < LogSum.log2(b)) == (a < b)


def test_near_misses_are_told_apart():
    close = LogSum.log2(Fraction(2**100 + 1, 2**100))
    assert close.sign() == 1
    assert close.decimal(40).startswith("0.000000000000000000000000000001138")
    assert LogSum.log2(3).times(2) - LogSum.log2(9) == 0


def test_decimals_are_rounded_down():
    assert LogSum.log2(3).decimal(20) == "1.58496250072115618145"
    assert LogSum.log2(Fraction(1, 3)).decimal(4) == "-1.5850"
    assert LogSum.of(Fraction(-1, 2)).decimal(3) == "-0.500"
    assert [LogSum.of(value).decimal(0) for value, _ in product((0, 7), (0,))] == ["0", "7"]
