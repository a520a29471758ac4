"""Parties that break the rules, and the violation that exploring them must report, with inputs that show it."""

import functools
import gc
import os
import random
import secrets
import warnings

import numpy as np
import pytest

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
    number_on_forehead,
    point_to_point,
    simultaneous,
)
from ccsim.problems import Integers, MultipartyFunction, disjointness, equality, greater_than
from tests.strategies import function_of_table

KINDS = {
    "turn", "prefix", "determinism", "deadlock", "model", "width", "crash", "agreement", "monochromatic", "answer",
}  # fmt: skip
EQ = equality(2)
GLOBAL = {"x": Bits("00")}


def explored(alice, bob, function=EQ, answer="both"):
    return Protocol("cheat", function, {"alice": alice, "bob": bob}, answer=answer).explore()


def caught(alice, bob, kinds, function=EQ, answer="both"):
    """The violations; at least one, the first of an expected kind, all of them well formed."""
    found = explored(alice, bob, function, answer)
    assert not found.correct
    assert found.violations[0].kind in kinds, str(found.violations[0])
    assert 1 <= len(found.violations) <= 10
    for violation in found.violations:
        assert violation.kind in KINDS
        assert str(violation).startswith(f"{violation.kind}: ")
        for example in violation.inputs:
            for player, text in example.items():
                assert text in [part.show(value) for part in function.inputs for value in part], (player, text)
    with pytest.raises(ProtocolError, match="cheat: "):
        found.raise_if_wrong()
    assert "WRONG" in str(found)
    return found.violations


def receiving(value):
    """A generator party that hears one bit and answers it."""
    return (yield Receive())[0]


@array_party
def receiving_array(values, heard):
    return AnswerEach(heard[0].bits.to_unsigned()) if heard else Receive()


# Looking at the other's input


class Hole:
    """A place through which parties pass what they should not."""

    value = Bits("00")


def peeking_pairs():
    """Name, Alice, Bob: Bob claims to compute equality although too little is said."""

    def through_a_closure():
        shared = {"x": Bits("00")}

        def alice(x):
            shared["x"] = x
            return (yield Receive())[0]

        def bob(y):
            equal = y == shared["x"]
            yield Send(Bits([equal]))
            return int(equal)

        return alice, bob

    def through_a_global():
        def alice(x):
            GLOBAL["x"] = x
            return (yield Receive())[0]

        def bob(y):
            equal = y == GLOBAL["x"]
            yield Send(Bits([equal]))
            return int(equal)

        return alice, bob

    def through_a_class():
        class Alice:
            def __call__(self, x):
                Hole.value = x
                return (yield Receive())[0]

        class Bob:
            def __call__(self, y):
                equal = y == Hole.value
                yield Send(Bits([equal]))
                return int(equal)

        return Alice(), Bob()

    def through_a_function_attribute():
        def alice(x):
            alice.x = x
            return (yield Receive())[0]

        def bob(y):
            equal = y == getattr(alice, "x", None)
            yield Send(Bits([equal]))
            return int(equal)

        return alice, bob

    def after_a_first_bit():
        shared = {}

        def alice(x):
            shared["x"] = x
            yield Send(x[:1])
            return (yield Receive())[0]

        def bob(y):
            yield Receive()
            equal = y == shared["x"]
            yield Send(Bits([equal]))
            return int(equal)

        return alice, bob

    def after_an_empty_message():
        shared = {}

        def alice(x):
            shared["x"] = x
            yield Send("")
            return (yield Receive())[0]

        def bob(y):
            yield Receive()
            equal = y == shared["x"]
            yield Send(Bits([equal]))
            return int(equal)

        return alice, bob

    def bit_by_bit():
        shared = {}

        def alice(x):
            for place in range(2):
                shared["bit"] = x[place]
                if (yield Receive())[0] == 0:
                    return 0
            return 1

        def bob(y):
            for place in range(2):
                same = y[place] == shared.get("bit")
                yield Send(Bits([same]))
                if not same:
                    return 0
            return 1

        return alice, bob

    def both_at_each_other():
        shared = {}

        def alice(x):
            shared["x"] = x
            yield Send("")
            return int(x == shared.get("y"))

        def bob(y):
            shared["y"] = y
            yield Receive()
            return int(y == shared.get("x"))

        return alice, bob

    def array_form():
        shared = {"x": np.zeros(1, dtype=int)}

        @array_party
        def alice(xs, heard):
            shared["x"] = xs
            return AnswerEach(heard[0].bits[0]) if heard else Receive()

        @array_party
        def bob(ys, heard):
            return AnswerEach(heard[0].bits[0]) if heard else SendEach(np.isin(ys, shared["x"][-1:]), 1)

        return alice, bob

    def array_form_after_a_bit():
        shared = {}

        @array_party
        def alice(xs, heard):
            shared["x"] = xs
            if not heard:
                return SendEach(xs & 1, 1)
            return AnswerEach(heard[1].bits[0]) if len(heard) == 2 else Receive()

        @array_party
        def bob(ys, heard):
            if len(heard) == 1:
                return SendEach(np.isin(ys, shared["x"][0]), 1)
            return AnswerEach(heard[1].bits[0]) if heard else Receive()

        return alice, bob

    def array_looks_at_a_generator():
        shared = {"x": 0}

        def alice(x):
            shared["x"] = x.to_unsigned()
            return (yield Receive())[0]

        @array_party
        def bob(ys, heard):
            return AnswerEach(heard[0].bits[0]) if heard else SendEach(ys == shared["x"], 1)

        return alice, bob

    return {
        make.__name__: make
        for make in (
            through_a_closure,
            through_a_global,
            through_a_class,
            through_a_function_attribute,
            after_a_first_bit,
            after_an_empty_message,
            bit_by_bit,
            both_at_each_other,
            array_form,
            array_form_after_a_bit,
            array_looks_at_a_generator,
        )
    }


SAY_A_BIT_FIRST = ("after_a_first_bit", "array_form_after_a_bit")  # at n = 1 that bit is the whole input


@pytest.mark.parametrize(
    ("name", "n"), [(name, n) for name in peeking_pairs() for n in (1, 2, 4) if n > 1 or name not in SAY_A_BIT_FIRST]
)
def test_a_party_that_looks_at_the_others_input_is_caught(name, n):
    function = equality(n)
    caught(*peeking_pairs()[name](), {"determinism", "answer", "agreement", "monochromatic"}, function)


def test_a_party_that_looks_back_for_the_answer_at_the_end_is_caught_in_both_orders():
    for looker, looked in (("alice", "bob"), ("bob", "alice")):
        shared = {}

        def writes(value, shared=shared):
            shared["other"] = value
            yield Receive()
            return 0

        def looks(value, shared=shared):
            yield Send("")
            return int(shared.get("other") == value)

        found = Protocol("cheat", EQ, {looker: looks, looked: writes}, answer=looker).explore()
        assert not found.correct
        assert found.violations[0].kind in ("determinism", "answer")


def test_looking_through_a_hole_is_caught_whichever_input_is_seen_last():
    for keep in (lambda seen: seen[0], lambda seen: seen[-1], lambda seen: seen[len(seen) // 2], max, min):
        seen = []

        def alice(x, seen=seen):
            seen.append(x.to_unsigned())
            return (yield Receive())[0]

        def bob(y, seen=seen, keep=keep):
            equal = y.to_unsigned() == keep(seen)
            yield Send(Bits([equal]))
            return int(equal)

        caught(alice, bob, {"determinism", "answer"})


def test_a_player_that_looks_at_the_number_on_its_own_forehead_is_caught():
    function = MultipartyFunction(
        "all equal",
        (Integers(3),) * 3,
        (0, 1),
        lambda x, y, z: ((x == y) & (y == z)).astype(np.int8),
        ("alice", "bob", "carol"),
    )
    shared = {}

    def alice(others):
        y, _z = others
        shared["y"] = y
        answer = yield Receive()
        return answer[0]

    def bob(others):
        x, z = others
        answer = int(x == z == shared.get("y"))
        yield Send(Bits([answer]))
        return answer

    parties = {"alice": alice, "bob": bob, "carol": alice}
    found = Protocol("cheat", function, parties, model=number_on_forehead()).explore()
    assert not found.correct
    assert found.violations[0].kind in ("determinism", "answer")


# Hearing what was said to others


def eavesdroppers(form):
    """Alice tells the referee x; Bob, who hears nothing, sends whether y = x all the same."""
    shared = {}

    def alice(x):
        yield Send(x)
        shared["x"] = x

    def bob(y):
        yield Send(Bits([shared.get("x", Bits("00")) == y]))

    def referee():
        yield Receive("alice")
        return (yield Receive("bob"))[0]

    @array_party
    def alice_array(xs, heard):
        if heard:
            shared["x"] = heard[0].bits.to_unsigned()
            return AnswerEach(None)
        return SendEach(xs, 2)

    @array_party
    def bob_array(ys, heard):
        return AnswerEach(None) if heard else SendEach(ys == shared.get("x", 0), 1)

    parties = (alice_array, bob_array) if form == "array" else (alice, bob)
    return dict(zip(("alice", "bob", "referee"), (*parties, referee), strict=True))


@pytest.mark.parametrize("form", ["array", "generator"])
def test_a_simultaneous_player_that_overhears_the_other_is_caught(form):
    protocol = Protocol("cheat", EQ, eavesdroppers(form), model=simultaneous(), answer="referee")
    assert not protocol.explore().correct


def test_a_party_that_overhears_a_channel_between_two_others_is_caught():
    function = MultipartyFunction(
        "first equals last",
        (Integers(4), Integers(2), Integers(4)),
        (0, 1),
        lambda x, y, z: (x == z).astype(np.int8) + 0 * y,
        ("alice", "bob", "carol"),
    )
    shared = {}

    def alice(x):
        yield Send(Bits.unsigned(x, 2), to="bob")
        shared["x"] = x

    def bob(y):
        yield Receive("alice")
        yield Send("", to="carol")

    def carol(z):
        yield Receive("bob")
        return int(shared.get("x") == z)

    parties = {"alice": alice, "bob": bob, "carol": carol}
    assert not Protocol("cheat", function, parties, model=point_to_point(), answer="carol").explore().correct


# Remembering


def test_a_party_that_counts_its_runs_is_caught():
    runs = []

    def alice(x):
        runs.append(x)
        yield Send(Bits.unsigned(len(runs) % 16, 4))

    def bob(y):
        yield Receive()
        return 0

    violation = caught(alice, bob, {"determinism"}, answer="bob")[0]
    assert "alice" in violation.message
    assert set(violation.inputs[0]) == {"alice"}


@pytest.mark.parametrize("form", ["generator", "array"])
@pytest.mark.parametrize("where", ["message", "answer"])
def test_a_party_that_changes_its_mind_at_every_other_run_is_caught(form, where):
    flips = [0]

    def flip():
        flips[0] ^= 1
        return flips[0]

    def alice(x):
        now = flip()
        yield Send(Bits([now if where == "message" else 0]))
        return now if where == "answer" else 0

    @array_party
    def alice_array(xs, heard):
        if not heard:
            return SendEach(np.full(len(xs), flip() if where == "message" else 0), 1)
        return AnswerEach(flip() if where == "answer" else 0)

    zero = function_of_table(np.zeros((4, 4), dtype=int), (0, 1))
    parties = (alice if form == "generator" else alice_array, constant_after_one)
    caught(*parties, {"determinism", "answer", "agreement"}, zero)


def constant_after_one(value):
    yield Receive()
    return 0


def test_a_party_that_remembers_its_last_input_is_caught():
    last = [None]

    def alice(x):
        before, last[0] = last[0], x
        yield Send(Bits([before is not None and before > x]))
        return 0

    zero = function_of_table(np.zeros((4, 4), dtype=int), (0, 1))
    violation = caught(alice, constant_after_one, {"determinism"}, zero)[0]
    assert "alice" in violation.message


def test_a_party_that_behaves_only_the_first_time_it_meets_an_input_is_caught():
    met = set()

    def alice(x):
        first = x not in met
        met.add(x)
        yield Send(x)
        return (yield Receive())[0] if first else 0

    def bob(y):
        equal = (yield Receive()) == y
        yield Send(Bits([equal]))
        return int(equal)

    violation = caught(alice, bob, {"determinism"})[0]
    assert "alice" in violation.message


def test_an_array_party_that_remembers_how_often_it_was_asked_is_caught():
    asked = [0]

    @array_party
    def alice(xs, heard):
        asked[0] += 1
        return SendEach((xs + asked[0]) % 4, 2) if not heard else AnswerEach(None)

    caught(alice, constant_after_one, {"determinism"}, answer="bob")


def test_a_party_that_is_one_generator_object_and_not_a_function_is_refused_or_caught():
    used_up = (step for step in [Send("0")])
    with pytest.raises(InputError, match="generator function"):
        Protocol("cheat", EQ, {"alice": used_up, "bob": receiving})

    def alice(x):
        return used_up

    caught(alice, receiving, {"crash", "determinism", "turn", "answer", "deadlock"}, answer="bob")


# Coins that were not granted

SYSTEM = random.SystemRandom()
COINS = {
    "random.random": lambda: random.random() < 0.5,
    "random.getrandbits": lambda: random.getrandbits(1),
    "random.Random()": lambda: random.Random().random() < 0.5,
    "random.SystemRandom": lambda: SYSTEM.random() < 0.5,
    "numpy.random.rand": lambda: np.random.rand() < 0.5,  # noqa: NPY002
    "numpy default_rng": lambda: np.random.default_rng().random() < 0.5,
    "secrets": lambda: secrets.randbelow(2),
    "os.urandom": lambda: os.urandom(1)[0] & 1,
}


@pytest.mark.parametrize("coin", COINS)
@pytest.mark.parametrize("where", ["message", "answer", "turn"])
def test_a_party_that_tosses_its_own_coins_is_caught(coin, where):
    toss = COINS[coin]

    def alice(x):
        if where == "turn" and toss():
            return 0
        yield Send(Bits([bool(toss())]) if where == "message" else Bits("0"))
        return int(toss()) if where == "answer" else 0

    zero = function_of_table(np.zeros((64, 2), dtype=int), (0, 1))
    caught(alice, constant_after_one, {"determinism", "turn", "answer", "deadlock"}, zero)


@pytest.mark.parametrize(
    "toss",
    [lambda n: np.random.default_rng().integers(0, 2, n), lambda n: np.random.randint(0, 2, n)],  # noqa: NPY002
    ids=["default_rng", "randint"],
)
def test_an_array_party_that_tosses_its_own_coins_is_caught(toss):
    @array_party
    def alice(xs, heard):
        return AnswerEach(None) if heard else SendEach(toss(len(xs)), 1)

    zero = function_of_table(np.zeros((64, 2), dtype=int), (0, 1))
    caught(alice, constant_after_one, {"determinism"}, zero, "bob")


@pytest.mark.parametrize("coin", ["random.random", "numpy.random.rand"])
def test_a_coin_from_the_shared_generators_is_caught_even_if_it_changes_nothing(coin):
    def alice(x):
        COINS[coin]()
        yield Send(x)

    def bob(y):
        return int((yield Receive()) == y)

    violation = caught(alice, bob, {"determinism"}, answer="bob")[0]
    assert "random" in violation.message


def test_a_party_that_tosses_its_own_coins_in_a_public_coin_protocol_is_caught():
    def alice(x, public):
        yield Send(x)

    def bob(y, public):
        equal = (yield Receive()) == y
        return int(equal and SYSTEM.random() < 0.9)

    measured = Protocol(
        "cheat", equality(5), {"alice": alice, "bob": bob}, answer="bob", public=Coins(2)
    ).measure_error()
    assert measured.violations[0].kind == "determinism"
    assert not measured.within_claim


# Array parties whose inputs are not apart


@pytest.mark.parametrize(
    "mark",
    [
        lambda xs: xs == xs[0],
        lambda xs: xs == xs[-1],
        lambda xs: np.arange(len(xs)) // 2 % 2,
        lambda xs: np.cumsum(xs) % 2,
    ],
    ids=["first", "last", "place", "sum so far"],
)
def test_an_array_party_that_depends_on_the_order_of_its_inputs_is_caught(mark):
    @array_party
    def alice(xs, heard):
        return AnswerEach(None) if heard else SendEach(mark(xs), 1)

    zero = function_of_table(np.zeros((5, 2), dtype=int), (0, 1))
    violation = caught(alice, constant_after_one, {"determinism"}, zero, "bob")[0]
    assert "alice" in violation.message


@pytest.mark.parametrize(
    "mark",
    [
        lambda xs: xs == xs.max(),
        lambda xs: xs == xs.min(),
        lambda xs: xs > xs.mean(),
        lambda xs: np.full(len(xs), len(xs) % 2),
        lambda xs: np.full(len(xs), len(xs) > 1),
        lambda xs: np.full(len(xs), xs.sum() % 2 == 0),
        lambda xs: np.arange(len(xs)) % 2,
    ],
    ids=["largest", "least", "above the mean", "count", "company", "sum", "place, read alike from both ends"],
)
def test_an_array_party_that_depends_on_which_other_inputs_are_there_is_caught(mark):
    @array_party
    def alice(xs, heard):
        return AnswerEach(None) if heard else SendEach(mark(xs), 1)

    zero = function_of_table(np.zeros((5, 2), dtype=int), (0, 1))
    caught(alice, constant_after_one, {"determinism"}, zero, "bob")


def test_an_array_party_whose_answer_depends_on_the_other_inputs_is_caught():
    @array_party
    def bob(ys, heard):
        return AnswerEach(ys == ys.max()) if heard else Receive()

    def alice(x):
        yield Send("")

    last = function_of_table(np.array([[0, 0, 1]] * 2), (0, 1))
    caught(alice, bob, {"determinism"}, last, "bob")


@pytest.mark.parametrize("stubborn", [False, True], ids=["plainly", "after making it writable"])
def test_an_array_party_that_writes_into_its_inputs_is_caught_or_harms_nobody(stubborn):
    @array_party
    def alice(xs, heard):
        if stubborn:
            xs.flags.writeable = True
        if heard:
            return AnswerEach(None)
        xs ^= 1
        return SendEach(xs, 2)

    def bob(y):
        return int((yield Receive()).to_unsigned() ^ 1 == y.to_unsigned())

    if not stubborn:
        violation = caught(alice, bob, {"crash"}, answer="bob")[0]
        assert "read-only" in violation.message
    else:
        assert explored(alice, bob, answer="bob").correct


# Messages that do not say where they end


@pytest.mark.parametrize(
    "words",
    [("0", "00", "1", "11"), ("", "0", "10", "11"), ("0", "10", "101", "111"), ("", "1", "1", "1")],
    ids=",".join,
)
@pytest.mark.parametrize("form", ["generator", "array"])
def test_messages_of_which_one_begins_another_are_caught(words, form):
    def alice(x):
        yield Send(words[x.to_unsigned()])

    @array_party
    def alice_array(xs, heard):
        if heard:
            return AnswerEach(None)
        numbers = np.array([int(word or "0", 2) for word in words])
        widths = np.array([len(word) for word in words])
        return SendEach(numbers[xs], widths[xs])

    def bob(y):
        yield Receive()
        return 0

    violation = caught(alice if form == "generator" else alice_array, bob, {"prefix"}, answer="bob")[0]
    one, two = (words[int(example["alice"], 2)] for example in violation.inputs)
    assert one != two
    assert two.startswith(one) or one.startswith(two)
    assert f"sends {min(one, two, key=len) or ''}" in violation.message


# Whose turn it is


def test_a_turn_that_depends_on_the_input_is_caught():
    def alice(x):
        if x[0]:
            yield Send("1")
        else:
            yield Receive()
        return 0

    violation = caught(alice, constant_after_one, {"turn"})[0]
    assert {example["alice"][0] for example in violation.inputs} == {"0", "1"}


def test_finishing_on_some_inputs_only_is_caught():
    def alice(x):
        if x[0]:
            yield Send("1")
        return 0

    violation = caught(alice, constant_after_one, {"turn"})[0]
    assert "answer 0" in violation.message
    assert "send 1" in violation.message


def test_a_receiver_that_depends_on_the_input_is_caught():
    function = function_of_table(np.zeros((2, 1, 1), dtype=int), (0,))

    def alice(x):
        yield Send("1", to="bob" if x else "carol")

    def other(value):
        yield Receive("alice")

    parties = {"alice": alice, "bob": other, "carol": other}
    found = Protocol("cheat", function, parties, model=point_to_point(), answer="alice").explore()
    assert found.violations[0].kind == "turn"
    assert {example["alice"] for example in found.violations[0].inputs} == {"0", "1"}


def test_two_who_speak_at_once_are_caught():
    def eager(value):
        yield Send("1")
        return 0

    violation = caught(eager, eager, {"turn"})[0]
    assert "alice and bob both want to send" in violation.message
    assert set(violation.inputs[0]) == {"alice", "bob"}


def test_two_who_wait_for_each_other_are_caught():
    violation = caught(receiving, receiving, {"deadlock"})[0]
    assert "alice and bob wait" in violation.message


@pytest.mark.parametrize("party", [receiving, receiving_array], ids=["generator", "array"])
def test_waiting_for_somebody_who_has_finished_is_caught(party):
    def alice(x):
        return 0
        yield

    violation = caught(alice, party, {"deadlock"})[0]
    assert "bob wait" in violation.message


def test_speaking_to_somebody_who_has_finished_is_caught():
    def alice(x):
        yield Send("1")
        yield Send("1")
        return 0

    violation = caught(alice, constant_after_one, {"turn"})[0]
    assert "nobody listens" in violation.message
    assert str(violation.transcript.string) == "1"


def test_an_array_party_that_never_stops_listening_is_caught():
    @array_party
    def bob(ys, heard):
        return Receive()

    def alice(x):
        yield Send(x)
        return 0

    caught(alice, bob, {"deadlock"})


# Answers


def test_parties_that_disagree_are_caught_with_an_input_that_shows_it():
    def alice(x):
        yield Send(x)
        return int((yield Receive())[0])

    def bob(y):
        equal = (yield Receive()) == y
        yield Send(Bits([equal]))
        return int(equal) if y != Bits("10") else 0

    violation = caught(alice, bob, {"agreement"})[0]
    assert violation.inputs == ({"alice": "10", "bob": "10"},)
    assert "alice 1, bob 0; expected 1" in violation.message
    assert str(violation.transcript.string) == "101"


def test_a_wrong_answer_is_caught_with_every_input_that_shows_it():
    def alice(x):
        yield Send(x)
        return (yield Receive())[0]

    def bob(y):
        equal = (yield Receive())[0] == y[0]
        yield Send(Bits([equal]))
        return int(equal)

    violations = caught(alice, bob, {"answer"})
    for violation in violations:
        (example,) = violation.inputs
        assert EQ(example["alice"], example["bob"]) == 0
        assert example["alice"][0] == example["bob"][0]
        assert "expected 0" in violation.message


def test_a_leaf_on_which_both_are_right_by_their_own_input_is_not_settled():
    table = np.array([[0, -1], [-1, 1]])
    function = function_of_table(table, (0, 1))

    def silent(value):
        return value
        yield

    violation = caught(silent, silent, {"monochromatic"}, function)[0]
    assert violation.inputs == ({"alice": "0", "bob": "0"}, {"alice": "1", "bob": "1"})
    assert [function(int(one["alice"]), int(one["bob"])) for one in violation.inputs] == [0, 1]
    assert explored(silent, silent, function, "alice").correct
    assert explored(silent, silent, function, "bob").correct


@pytest.mark.parametrize(
    "answer",
    [None, [1], {}, "yes", 2, -1, 0.5, (1,), float("nan"), np.array([1, 0]), object()],
    ids=lambda answer: type(answer).__name__ + str(answer)[:4],
)
def test_an_answer_that_is_none_is_caught(answer):
    def bob(y):
        yield Receive()
        return answer

    def alice(x):
        yield Send(x)

    violation = caught(alice, bob, {"answer"}, answer="bob")[0]
    assert "bob answers" in violation.message


@pytest.mark.parametrize("codes", [None, -1, -2, -300, 2, 300, 1 << 40], ids=str)
def test_answer_codes_out_of_range_are_caught(codes):
    @array_party
    def bob(ys, heard):
        return AnswerEach(codes) if heard else Receive()

    def alice(x):
        yield Send(x)

    caught(alice, bob, {"answer"}, answer="bob")


def test_an_answer_code_beyond_the_last_answer_is_called_what_it_is():
    @array_party
    def bob(ys, heard):
        return AnswerEach(7) if heard else Receive()

    def alice(x):
        yield Send(x)

    violation = caught(alice, bob, {"answer"}, answer="bob")[0]
    assert "an answer that the function never gives" in violation.message


def test_an_answer_that_claims_to_be_equal_to_everything_does_not_break_the_exploration():
    class Chameleon:
        def __eq__(self, other):
            return True

        def __hash__(self):
            raise RuntimeError("no hash today")

    def bob(y):
        yield Receive()
        return Chameleon()

    def alice(x):
        yield Send(x)

    caught(alice, bob, {"crash", "answer"}, answer="bob")


# Rubbish


def test_a_party_that_raises_on_one_input_is_caught_with_that_input():
    def alice(x):
        if x == Bits("10"):
            raise KeyError("lost")
        yield Send(x)

    violation = caught(alice, constant_after_one, {"crash"}, answer="bob")[0]
    assert violation.inputs == ({"alice": "10"},)
    assert "KeyError" in violation.message
    assert "lost" in violation.message


def test_a_party_that_raises_after_some_message_is_caught_with_the_transcript():
    def alice(x):
        yield Send(x)

    def bob(y):
        x = yield Receive()
        return 1 // 0 if x == y == Bits("01") else int(x == y)

    violation = caught(alice, bob, {"crash"}, answer="bob")[0]
    assert violation.inputs == ({"bob": "01"},)
    assert str(violation.transcript.string) == "01"


def test_an_array_party_that_raises_on_one_input_is_caught_with_that_input():
    @array_party
    def alice(xs, heard):
        if (xs == 2).any():
            raise ZeroDivisionError("no twos")
        return AnswerEach(None) if heard else SendEach(xs, 2)

    violation = caught(alice, constant_after_one, {"crash"}, answer="bob")[0]
    assert violation.inputs == ({"alice": "10"},)


@pytest.mark.parametrize("rubbish", [None, "01", Bits("01"), 1, (Send("1"),), Send, Receive, AnswerEach(1)], ids=str)
def test_a_party_that_yields_rubbish_is_caught(rubbish):
    def alice(x):
        yield rubbish
        return 0

    violation = caught(alice, constant_after_one, {"crash"})[0]
    assert "yielded step" in violation.message


@pytest.mark.parametrize(
    "rubbish", [None, 0, Send("1"), "0", SendEach, np.zeros(4)], ids=lambda thing: repr(thing)[:20]
)
def test_an_array_party_that_returns_rubbish_is_caught(rubbish):
    @array_party
    def alice(xs, heard):
        return rubbish

    violation = caught(alice, constant_after_one, {"crash"})[0]
    assert "returned step" in violation.message


@pytest.mark.parametrize("bits", [None, 3, b"01", [0, 1], "2", " 0", 0.5], ids=repr)
def test_sending_what_are_no_bits_is_caught(bits):
    def alice(x):
        yield Send(bits)
        return 0

    assert "expected" in caught(alice, constant_after_one, {"crash"})[0].message


@pytest.mark.parametrize(
    "step",
    [
        lambda xs: SendEach(xs, 1),
        lambda xs: SendEach(xs - 1, 2),
        lambda xs: SendEach(xs, None),
        lambda xs: SendEach(xs, -1),
        lambda xs: SendEach(xs, 63),
        lambda xs: SendEach(xs / 2, 2),
        lambda xs: SendEach(xs[:-1], 2),
        lambda xs: SendEach(np.zeros((len(xs) + 1, 2), dtype=int)),
        lambda xs: SendEach(np.full((len(xs), 2), 2)),
        lambda xs: SendEach(np.zeros((len(xs), 2), dtype=int), 3),
        lambda xs: SendEach(np.zeros((len(xs), 2, 2), dtype=int), 1),
        lambda xs: SendEach(xs, np.array([2, 2])),
        lambda xs: SendEach(["0"] * len(xs), 1),
        lambda xs: SendEach(xs, "2"),
        lambda xs: SendEach(xs, 2.5),
        lambda xs: SendEach(None, 1),
        lambda xs: AnswerEach(0.5),
        lambda xs: AnswerEach("0"),
        lambda xs: AnswerEach(np.zeros(3, dtype=int)),
        lambda xs: AnswerEach(np.zeros((4, 2), dtype=int)),
    ],
)
def test_array_steps_that_do_not_fit_are_caught(step):
    @array_party
    def alice(xs, heard):
        return step(xs)

    caught(alice, constant_after_one, {"crash"})


def test_a_plain_function_is_no_party():
    def alice(x):
        return 0

    assert "generator function" in caught(alice, constant_after_one, {"crash"})[0].message
    with pytest.raises(InputError, match="generator function"):
        Protocol("cheat", EQ, {"alice": alice, "bob": constant_after_one}).run("00", "00")
    with pytest.raises(InputError, match="generator function"):
        Protocol("cheat", EQ, {"alice": 3, "bob": constant_after_one})


def test_a_party_with_too_few_arguments_is_caught():
    def alice():
        yield Send("1")

    assert "TypeError" in caught(alice, constant_after_one, {"crash"})[0].message


def test_a_party_that_wants_coins_is_not_given_any():
    def alice(x, public):
        yield Send(x)

    with pytest.raises(InputError, match="public"):
        explored(alice, constant_after_one)

    def hoping(x, public="nothing", private="nothing"):
        assert (public, private) == ("nothing", "nothing")
        yield Send(x)

    def bob(y):
        return int((yield Receive()) == y)

    assert explored(hoping, bob, answer="bob").correct


def test_a_message_of_the_wrong_width_is_caught():
    def alice(x):
        yield Send(x)

    def bob(y):
        yield Receive(width=3)
        return 0

    violation = caught(alice, bob, {"width"}, answer="bob")[0]
    assert "expected a message of 3 bits and got 2" in violation.message


def test_at_most_ten_violations_are_reported():
    def alice(x):
        yield Send(x)

    def bob(y):
        return 1 - int((yield Receive()) == y)

    assert len(caught(alice, bob, {"answer"}, equality(5), "bob")) == 10


# The same cheats are refused when run


def test_parties_that_disagree_are_refused_in_a_run():
    def alice(x):
        return 0
        yield

    def bob(y):
        return 1
        yield

    with pytest.raises(ProtocolError, match="the parties disagree: alice answers 0, bob answers 1"):
        Protocol("cheat", EQ, {"alice": alice, "bob": bob}).run("00", "00")


@pytest.mark.parametrize(
    ("alice", "bob", "message"),
    [
        (receiving, receiving, "alice and bob wait for a message that nobody sends"),
        (lambda x: (yield Send("1")), lambda y: (yield Send("1")), "both want to send"),
        (lambda x: (yield Send("1")), lambda y: (yield from ()), "nobody listens"),
        (lambda x: (yield Send("1")), lambda y: (yield Receive(width=2)), "expected a message of 2 bits and got 1"),
    ],
    ids=["deadlock", "both speak", "nobody listens", "width"],
)
def test_broken_rules_stop_a_run(alice, bob, message):
    with pytest.raises(ProtocolError, match=message):
        Protocol("cheat", EQ, {"alice": alice, "bob": bob}).run("00", "00")


def test_a_generator_that_will_not_close_does_not_hide_what_happened():
    def stubborn(x):
        try:
            yield Send("1")
        except GeneratorExit:
            yield Send("1")

    def bob(y):
        yield Send("1")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises((ProtocolError, RuntimeError)):
            Protocol("cheat", EQ, {"alice": stubborn, "bob": bob}).run("00", "00")
        gc.collect()


# Honest parties are not accused


@functools.cache
def cached_parity(text):
    return sum(map(int, text)) % 2


class Machine:
    """A callable object with a method that is a party, too; its table never changes."""

    def __init__(self, width):
        self.width = width
        self.calls = 0

    def __call__(self, x):
        yield Send(Bits.unsigned(x.to_unsigned(), self.width))
        return (yield Receive())[0]

    def listen(self, y):
        x = yield Receive(width=self.width)
        equal = x == y
        yield Send(Bits([equal]))
        return int(equal)


def says_input(width, x):
    yield Send(Bits.unsigned(x.to_unsigned(), width))
    return (yield Receive())[0]


def bob_compares(y):
    seen = []
    for _ in range(2):
        seen += yield Receive()
        if len(seen) == 2:
            break
    equal = Bits(seen) == y
    yield Send(Bits([equal]))
    return int(equal)


HONEST = {
    "callable object": (Machine(2), Machine(2).listen),
    "bound method": (Machine(2), Machine(2).listen),
    "partial": (functools.partial(says_input, 2), bob_compares),
    "partial by keyword": (functools.partial(says_input, 2), functools.partial(bob_compares)),
    "lambda": (lambda x: says_input(2, x), bob_compares),
    "one object in both places": (Machine(2), Machine(2).listen),
}


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_party_of_any_shape_is_not_accused(name):
    assert explored(*HONEST[name]).correct


def test_an_honest_party_with_a_cached_helper_is_not_accused():
    function = function_of_table(
        np.array([[(x ^ y).bit_count() % 2 for y in range(16)] for x in range(16)]), (0, 1), "parity"
    )

    def alice(x):
        yield Send(Bits([cached_parity(f"{x:04b}")]))
        return (yield Receive())[0]

    def bob(y):
        both = (yield Receive())[0] ^ cached_parity(f"{y:04b}")
        yield Send(Bits([both]))
        return both

    assert explored(alice, bob, function).worst_bits == 2
    assert explored(alice, bob, function).correct


def test_an_honest_party_that_keeps_a_table_of_its_own_answers_is_not_accused():
    known = {}

    def bob(y):
        x = yield Receive()
        if (x, y) not in known:
            known[x, y] = int(x == y)
        yield Send(Bits([known[x, y]]))
        return known[x, y]

    for _ in range(2):
        assert explored(Machine(2), bob).correct


def test_an_honest_party_that_counts_its_calls_without_using_the_count_is_not_accused():
    calls = []

    def alice(x):
        calls.append(x)
        return (yield from Machine(2)(x))

    assert explored(alice, Machine(2).listen).correct
    assert calls


def test_an_honest_party_that_uses_a_seeded_generator_of_its_own_is_not_accused():
    def alice(x):
        mask = np.random.default_rng(7).integers(0, 4) ^ random.Random(7).randrange(4)
        yield Send(Bits.unsigned(x.to_unsigned() ^ int(mask), 2))
        return (yield Receive())[0]

    def bob(y):
        mask = np.random.default_rng(7).integers(0, 4) ^ random.Random(7).randrange(4)
        equal = (yield Receive()).to_unsigned() ^ int(mask) == y.to_unsigned()
        yield Send(Bits([equal]))
        return int(equal)

    assert explored(alice, bob).correct


def test_honest_array_and_generator_parties_work_together():
    @array_party
    def alice(xs, heard):
        if not heard:
            return SendEach(np.stack([xs >> 1, xs & 1], axis=1))
        return AnswerEach(heard[1].bits[0]) if len(heard) == 2 else Receive(width=1)

    assert explored(alice, bob_compares).correct


@pytest.mark.parametrize("answer", [True, np.int64(1), np.bool_(True), 1.0])
def test_an_answer_equal_to_one_of_the_functions_is_that_answer(answer):
    def bob(y):
        return answer if (yield Receive()) == y else 0

    def alice(x):
        yield Send(x)

    assert explored(alice, bob, answer="bob").correct


@pytest.mark.parametrize("function", [equality(3), disjointness(3), greater_than(3)], ids=lambda f: f.name)
def test_an_honest_party_that_sends_variable_widths_is_not_accused(function):
    def alice(x):
        yield Send(Bits.gamma(x.to_unsigned() + 1), "x in gamma code")
        return (yield Receive())[0]

    def bob(y):
        x = (yield Receive()).reader().gamma() - 1
        answer = function(Bits.unsigned(x, 3), y)
        yield Send(Bits([answer]))
        return answer

    found = explored(alice, bob, function)
    assert found.correct
    assert found.worst_bits == 7 + 1
    # 8 inputs, of gamma lengths 1 3 3 5 5 5 5 7
    assert found.average_bits == sum([1, 3, 3, 5, 5, 5, 5, 7]) * 8 / 64 + 1


def test_exploring_twice_gives_the_same():
    protocol = Protocol("twice", EQ, {"alice": Machine(2), "bob": Machine(2).listen})
    one, two = protocol.explore(), protocol.explore()
    assert one.tree.draw() == two.tree.draw()
    assert str(one) == str(two)


def test_exploring_leaves_the_shared_random_generators_alone():
    random.seed(5)
    np.random.seed(5)  # noqa: NPY002
    before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    Protocol("quiet", EQ, {"alice": Machine(2), "bob": Machine(2).listen}).explore()
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # noqa: NPY002
