"""Error and cost over coins, against brute force over all coins and all pairs; and intervals where coins are drawn."""

import hashlib
import math
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import (
    AnswerEach,
    Bits,
    Coins,
    InputError,
    Protocol,
    ProtocolError,
    Receive,
    Send,
    SendEach,
    array_party,
    measure_error,
    number_on_forehead,
    rounds,
    simultaneous,
    two_way,
)
from ccsim.engine import randomised
from ccsim.engine.model import draw
from ccsim.engine.randomised import Interval, clopper_pearson
from ccsim.matrices import DONT_CARE
from ccsim.problems import equality
from tests.cases import cases
from tests.strategies import PLAYERS, function_of_table, script, tables

FEW = settings(max_examples=10, deadline=None)


class Noise:
    """A fixed random function of anything, for protocols that look random and can be computed again."""

    def __init__(self, seed):
        self.seed = seed

    def __call__(self, size, *what):
        return int.from_bytes(hashlib.sha256(repr((self.seed, what)).encode()).digest()[:4], "big") % size


def noisy_protocol(seed, table, public, private, answer="both", model=None):
    """Alice sends a word, Bob replies with one, both answer: everything by the noise of input and coins."""
    noise, code = Noise(seed), ("0", "10", "110", "111")
    function = function_of_table(table, (0, 1))
    coins = {role: Coins(size) for role, size in private.items()}

    def alice(x, **own):
        word = code[noise(4, "alice", x, sorted(own.items()))]
        yield Send(word)
        reply = yield Receive()
        return noise(2, "answer", word, str(reply), x if answer == "alice" else 0)

    def bob(y, **own):
        word = str((yield Receive()))
        reply = code[noise(4, "bob", y, sorted(own.items()), word)]
        yield Send(reply)
        return noise(2, "answer", word, reply, y if answer == "bob" else 0)

    options = {"public": None if public is None else Coins(public), "private": coins}
    return Protocol("noise", function, {"alice": alice, "bob": bob}, model or two_way(), answer, **options)


def brute_force(protocol):
    """Oracle: every run on every pair under every coin."""
    function = protocol.function
    publics = [None] if protocol.public is None else range(protocol.public.size)
    privates = [
        dict(zip(protocol.private, outcome, strict=True))
        for outcome in product(*(range(coins.size) for coins in protocol.private.values()))
    ]
    wrong, bits, worst = Counter(), Counter(), 0
    for pair in product(*map(range, function.shape)):
        for public, private in product(publics, privates):
            run = protocol.run(*pair, public=public, private=private)
            if function.codes[pair] != DONT_CARE:
                wrong[pair] += not run.correct
                bits[pair] += run.bits
                worst = max(worst, run.bits)
    return wrong, bits, worst, len(publics) * len(privates)


@FEW
@given(
    st.integers(),
    tables(most_inputs=3, most_answers=2),
    st.none() | st.integers(1, 4),
    st.dictionaries(st.sampled_from(["alice", "bob"]), st.integers(1, 3)),
    st.sampled_from(["both", "alice", "bob"]),
    st.data(),
)
def test_exact_measurement_agrees_with_every_coin_and_every_pair(seed, table, public, private, answer, data):
    protocol = noisy_protocol(seed, table, public, private, answer)
    measured = protocol.measure_error()
    wrong, bits, worst, weight = brute_force(protocol)
    promised = [pair for pair in np.ndindex(table.shape) if table[pair] != DONT_CARE]
    assert not measured.violations
    assert measured.exact
    assert measured.seed is None
    assert measured.weight == weight
    assert measured.worst_bits == worst
    for pair in np.ndindex(table.shape):
        assert measured.wrong[pair] == wrong[pair]
        assert measured.bits[pair] == bits[pair]
    if not promised:
        assert measured.worst_error == measured.expected_bits == 0
        return
    assert measured.worst_error == max(Fraction(wrong[pair], weight) for pair in promised)
    assert measured.expected_bits == max(Fraction(bits[pair], weight) for pair in promised)
    assert wrong[measured.worst_input] == max(wrong[pair] for pair in promised)
    assert measured.distributional_error() == Fraction(sum(wrong.values()), weight * len(promised))
    assert measured.average_bits() == Fraction(sum(bits.values()), weight * len(promised))
    point = measured.worst_error_interval()
    assert (point.low, point.high) == (float(measured.worst_error),) * 2
    weights = np.array(data.draw(st.lists(st.integers(0, 1 << 62), min_size=table.size, max_size=table.size))).reshape(
        table.shape
    )
    total = sum(int(weights[pair]) for pair in promised)
    if total:
        share = Fraction(sum(int(weights[pair]) * wrong[pair] for pair in promised), total * weight)
        assert measured.distributional_error(weights) == share <= measured.worst_error
        mean = Fraction(sum(int(weights[pair]) * bits[pair] for pair in promised), total * weight)
        assert measured.average_bits(weights) == mean <= measured.expected_bits <= measured.worst_bits


def equality_by_inner_products(n, repeats=1):
    """Public coins: Alice sends <x, r> for each of some random r; Bob compares. Error 2^-repeats, one-sided."""
    function = equality(n)

    def masks(public):
        return [(public >> (n * place)) & ((1 << n) - 1) for place in range(repeats)]

    def alice(x, public):
        yield Send(Bits((x.to_unsigned() & mask).bit_count() % 2 for mask in masks(public)))

    def bob(y, public):
        heard = yield Receive()
        return int(heard == Bits((y.to_unsigned() & mask).bit_count() % 2 for mask in masks(public)))

    coins = {"error": Fraction(1, 2**repeats), "public": Coins.bits(n * repeats)}
    return Protocol("inner products", function, {"alice": alice, "bob": bob}, answer="bob", **coins)


@cases("repeats", [1, 2])
def test_equality_by_inner_products_errs_with_probability_exactly_its_claim(repeats):
    measured = equality_by_inner_products(3, repeats).measure_error()
    assert measured.worst_error == Fraction(1, 2**repeats)
    assert measured.distributional_error() == Fraction(7, 8 * 2**repeats)
    assert (measured.worst_bits, measured.expected_bits) == (repeats, repeats)
    assert measured.within_claim
    assert set(measured.worst_input) <= set(equality(3).alice)
    assert measured.worst_input[0] != measured.worst_input[1]
    assert f"worst-case error 1/{2**repeats} (exact over all coins)" in str(measured)


def test_a_claim_below_the_measured_error_does_not_survive():
    protocol = equality_by_inner_products(3)
    boast = Protocol(
        "boast", protocol.function, protocol.parties, answer="bob", error=Fraction(499, 1000), public=protocol.public
    )
    assert not boast.measure_error().within_claim
    assert not boast.measure_error().violations


def test_distributions_must_be_integer_weights_inside_the_promise():
    measured = noisy_protocol(1, np.array([[0, DONT_CARE]]), None, {}).measure_error()
    with pytest.raises(InputError, match="some weight inside the promise"):
        measured.distributional_error(np.array([[0, 1]]))
    measured, ones = equality_by_inner_products(1).measure_error(), np.ones((2, 2), int)
    for weights in (np.ones((2, 3), int), np.ones((2, 2)), -ones, 0 * ones, ones > 0):
        for figure in (measured.distributional_error, measured.average_bits):
            with pytest.raises(InputError, match="distribution"):
                figure(weights)
    weights = np.array([[1 << 80, 1], [0, 1 << 80]], dtype=object)  # added exactly
    assert measured.distributional_error(weights) == Fraction(1, 2 * ((1 << 81) + 1))


# Violations


def test_measuring_finds_broken_rules_under_some_outcome_only():
    def alice(x, public):
        yield Send(x if public != 2 else x[:1] + x[:1] + x[:1] if x[0] else x[:1])

    bob = script(Receive(), answer=0)

    def crashing(x, public):
        yield Send(x[: 1 // (public - 2)])

    one, other = (
        Protocol("sometimes", equality(2), {"alice": party, "bob": bob}, answer="bob", public=Coins(4))
        for party in (alice, crashing)
    )
    assert not one.measure_error().violations
    measured = other.measure_error()
    assert measured.violations[0].kind == "crash"
    assert not measured.within_claim


def test_measuring_enforces_the_model():
    measured = noisy_protocol(1, np.zeros((2, 2), int), 2, {}, model=rounds(1)).measure_error()
    assert {violation.kind for violation in measured.violations} == {"model"}


def test_violations_under_private_coins_show_the_coin():
    def alice(x, private):
        if private == 1:
            raise RuntimeError("tails")
        yield Send("1")

    bob = script(Receive(), answer=0)
    protocol = Protocol("c", equality(1), {"alice": alice, "bob": bob}, answer="bob", private={"alice": Coins(2)})
    violation = protocol.measure_error().violations[0]
    assert violation.kind == "crash"
    assert violation.inputs == ({"alice": "0", "alice's coin": 1},)


def test_a_turn_that_depends_on_a_private_coin_is_caught():
    def alice(x, private):
        if private:
            yield Send("1")
        return 0

    bob = script(Receive(), answer=0)
    protocol = Protocol("turn", equality(1), {"alice": alice, "bob": bob}, private={"alice": Coins(2)})
    assert protocol.measure_error().violations[0].kind == "turn"


def test_parties_that_disagree_under_some_coin_are_wrong_there():
    def party(value, private):
        return private
        yield

    zero = function_of_table([[0, DONT_CARE]], (0, 1))
    protocol = Protocol("coins", zero, {"alice": party, "bob": party}, private={"alice": Coins(2), "bob": Coins(2)})
    assert protocol.measure_error().worst_error == Fraction(3, 4)
    assert protocol.measure_error().wrong.tolist() == [[3, 0]]
    with pytest.raises(ProtocolError, match="disagree"):
        protocol.run(0, 0, private={"alice": 0, "bob": 1})


def test_exploring_a_protocol_with_coins_is_refused():
    with pytest.raises(InputError, match="measure"):
        equality_by_inner_products(2).explore()


def test_private_coins_of_a_referee_model_are_counted():
    def player(value, private):
        yield Send(Bits([value ^ (private == 0)]))

    def referee():
        x = yield Receive("alice")
        y = yield Receive("bob")
        return int(x == y)

    protocol = Protocol(
        "noise to a referee",
        function_of_table(np.eye(2, dtype=int)),
        {"alice": player, "bob": player, "referee": referee},
        simultaneous(),
        "referee",
        private={"alice": Coins(3), "bob": Coins(3)},
    )
    assert protocol.measure_error().worst_error == Fraction(4, 9)


def test_both_forms_of_a_party_are_given_the_same_coins():
    def alice(x, public, private):
        yield Send(Bits.unsigned((x.to_unsigned() + public + private) % 8, 3))

    @array_party
    def alice_array(xs, heard, public, private):
        return AnswerEach(None) if heard else SendEach((xs + public + private) % 8, 3)

    def bob(y, public):
        return int(((yield Receive()).to_unsigned() - public) % 8 == y.to_unsigned())

    coins = {"public": Coins(3), "private": {"alice": Coins(5)}}
    one, two = (
        Protocol("forms", equality(3), {"alice": party, "bob": bob}, answer="bob", **coins).measure_error()
        for party in (alice, alice_array)
    )
    assert (one.wrong == two.wrong).all()
    assert one.worst_error == Fraction(4, 5)


# Sampling


def test_a_fresh_seed_is_reported_and_gives_the_same_again():
    protocol = equality_by_inner_products(2, repeats=7)
    one = protocol.measure_error(samples=12)
    two = protocol.measure_error(samples=12, seed=one.seed)
    assert (one.wrong == two.wrong).all()
    assert one.seed != protocol.measure_error(samples=1).seed


def test_drawn_outcomes_are_those_that_single_runs_would_see():
    protocol = equality_by_inner_products(2, repeats=7)
    assert protocol.public.size == 1 << 14
    measured = protocol.measure_error(samples=8, seed=9)
    assert not measured.exact
    assert (measured.outcomes, measured.weight, measured.seed) == (8, 8, 9)
    assert "8 draws" in str(measured)
    outcomes = [draw(1 << 14, 9, "public", number) for number in range(8)]
    for x, y in product(range(4), repeat=2):
        values = Bits.unsigned(x, 2), Bits.unsigned(y, 2)
        assert measured.wrong[x, y] == sum(not protocol.run(*values, public=outcome).correct for outcome in outcomes)


def wrong_where(is_wrong, size):
    """Bob alone looks at the coins, and is wrong under some of them."""

    def bob(y, public):
        yield Receive()
        return int(is_wrong(public))

    zero, parties = function_of_table([[0]], (0, 1)), {"alice": script(Send("")), "bob": bob}
    return Protocol("wrong at times", zero, parties, answer="bob", public=Coins(size))


def test_exactness_ends_just_above_4096_outcomes(monkeypatch):
    assert randomised.MOST_OUTCOMES == 4096
    monkeypatch.setattr(randomised, "MOST_OUTCOMES", 64)
    few = wrong_where(lambda public: public == 63, 64).measure_error()
    assert few.exact
    assert few.worst_error == Fraction(1, 64)
    many = wrong_where(lambda public: public == 63, 65).measure_error(samples=10, seed=0)
    assert not many.exact
    assert many.outcomes == 10


def test_private_coins_are_exact_for_each_drawn_outcome():
    def alice(x, public, private):
        yield Send(Bits([private == 0]))

    def bob(y, public):
        return (yield Receive())[0]

    coins = {"public": Coins.bits(40), "private": {"alice": Coins(3)}}
    zero, parties = function_of_table([[0]], (0, 1)), {"alice": alice, "bob": bob}
    protocol = Protocol("mixed", zero, parties, answer="bob", **coins)
    measured = protocol.measure_error(samples=30, seed=4)
    assert (measured.outcomes, measured.weight) == (30, 90)
    assert measured.worst_error == Fraction(1, 3)
    interval = measured.worst_error_interval(0.9)
    margin = math.sqrt(math.log(2 / 0.1) / 60)
    assert interval.low == pytest.approx(1 / 3 - margin)
    assert interval.high == pytest.approx(1 / 3 + margin)


def at_least(successes, trials, chance):
    """The probability of so many successes or more."""
    ways = ((k, math.comb(trials, k)) for k in range(successes, trials + 1))
    return sum(way * chance**k * (1 - chance) ** (trials - k) for k, way in ways)


@FEW
@given(st.integers(1, 400), st.data(), st.floats(0.5, 0.9999))
def test_clopper_pearson_has_its_tails(trials, data, confidence):
    successes = data.draw(st.integers(0, trials))
    low, high = clopper_pearson(successes, trials, confidence)
    assert 0 <= low <= successes / trials <= high <= 1
    tail = pytest.approx((1 - confidence) / 2, rel=1e-6)
    assert low == 0 if successes == 0 else at_least(successes, trials, low) == tail
    assert high == 1 if successes == trials else at_least(trials - successes, trials, 1 - high) == tail


@cases("arguments", [(-1, 5, 0.9), (6, 5, 0.9), (0, 0, 0.9), (1, 5, 0), (1, 5, 1), (1, 5, 1.5)])
def test_clopper_pearson_refuses_what_makes_no_sense(arguments):
    with pytest.raises(InputError):
        clopper_pearson(*arguments)


def test_the_interval_for_the_worst_input_allows_for_all_inputs():
    protocol = equality_by_inner_products(2, repeats=7)
    measured = protocol.measure_error(samples=50, seed=3)
    worst = int(measured.wrong.max())
    each = 1 - (1 - 0.95) / 16
    interval = measured.worst_error_interval(0.95)
    assert interval.confidence == 0.95
    assert (interval.low, interval.high) == clopper_pearson(worst, 50, each)
    assert str(Interval(0.25, 0.5, 0.99)) == "[0.25, 0.5] at 0.99"


def test_a_sampled_claim_falls_only_if_it_is_refuted():
    protocol = equality_by_inner_products(2, repeats=7)
    assert protocol.measure_error(samples=32, seed=1).within_claim
    boast = wrong_where(lambda public: public % 8 == 0, 1 << 13)
    assert boast.error == 0
    assert not boast.measure_error(samples=60, seed=1).within_claim


def test_measuring_needs_samples():
    with pytest.raises(InputError, match="samples"):
        equality_by_inner_products(3, repeats=5).measure_error(samples=0)


def test_measuring_tells_its_progress():
    seen = []
    equality_by_inner_products(2).measure_error(progress=lambda done, total: seen.append((done, total)))
    assert seen == [(done, 4) for done in range(1, 5)]
    assert measure_error(equality_by_inner_products(2)).worst_error == Fraction(1, 2)


def test_measuring_on_foreheads_or_with_too_many_private_coins_is_refused():
    zero, silent = function_of_table(np.zeros((2, 2, 2), dtype=int)), script(answer=0)
    parties = dict.fromkeys(PLAYERS[:3], silent)
    with pytest.raises(InputError, match="inputs in hand"):
        Protocol("forehead", zero, parties, number_on_forehead(), public=Coins(2)).measure_error()
    many = Protocol("many", equality(2), dict.fromkeys(PLAYERS[:2], silent), private={"bob": Coins.bits(15)})
    with pytest.raises(InputError, match="private coins of bob"):
        many.measure_error()


# Drawing


def reference_draw(size, seed, *path):
    """The documented scheme once more, written from its description."""
    width, counter = (size - 1).bit_length(), 0
    while True:
        data = b""
        while 8 * len(data) < width:
            data += hashlib.sha256("/".join([str(seed), *map(str, path), str(counter)]).encode()).digest()
            counter += 1
        bits = "".join(f"{byte:08b}" for byte in data)[:width]
        if int(bits or "0", 2) < size:
            return int(bits or "0", 2)


@FEW
@given(st.integers(1, 1 << 700), st.integers() | st.text(max_size=5), st.lists(st.integers() | st.text(max_size=3)))
def test_draws_follow_the_documented_scheme(size, seed, path):
    drawn = draw(size, seed, *path)
    assert drawn == reference_draw(size, seed, *path) == draw(size, seed, *path)
    assert 0 <= drawn < size


def test_coins_need_an_outcome():
    with pytest.raises(InputError, match="at least one outcome"):
        Coins(0)
