"""Parties that break the rules, and the violation that exploring them must report, with inputs that show it."""

import functools
import gc
import random
import sys
import warnings
from itertools import product

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
from ccsim.problems import equality
from tests.cases import cases
from tests.strategies import function_of_table, script

KINDS = {
    "turn", "prefix", "determinism", "deadlock", "model", "width", "crash", "agreement", "monochromatic", "answer",
}  # fmt: skip
EQ = equality(2)
ZERO = function_of_table(np.zeros((4, 4), dtype=int), (0, 1))


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


def answers_what_is_heard(value):
    return (yield Receive())[0]


def array_answering(codes):
    return array_party(lambda values, heard: AnswerEach(codes) if heard else Receive())


def equal_to_what_is_heard(y):
    return int((yield Receive()) == y)


sends = script(Send)
constant_after_one = script(Receive(), answer=0)


# Looking at the other's input


def peeking_pair(first, forms, keep):
    """Bob claims to compute equality although too little is said: he looks at what is kept of the inputs of Alice."""
    seen, before = [], first is not None

    def alice(x):
        seen.append(x.to_unsigned())
        if before:
            yield Send(x[:first])
        return (yield Receive())[0]

    def bob(y):
        if before:
            yield Receive()
        equal = y.to_unsigned() == keep(seen)
        yield Send(Bits([equal]))
        return int(equal)

    @array_party
    def alice_array(xs, heard):
        seen.extend(xs.tolist())
        if before and not heard:
            return SendEach(xs & (1 << first) - 1, first)
        return AnswerEach(heard[-1].bits[0]) if len(heard) > before else Receive()

    @array_party
    def bob_array(ys, heard):
        if len(heard) < before:
            return Receive()
        return AnswerEach(heard[-1].bits[0]) if len(heard) > before else SendEach(ys == keep(seen or [0]), 1)

    return (alice, alice_array)[forms[0] == "array"], (bob, bob_array)[forms[1] == "array"]


@cases("forms", list(product(("generator", "array"), repeat=2)))
@cases("first", [None, 0, 1])
@cases("n", [2, 4])
def test_a_party_that_looks_at_the_others_input_is_caught(forms, first, n):
    pair = peeking_pair(first, forms, lambda seen: seen[-1])
    caught(*pair, {"determinism", "answer", "agreement", "monochromatic"}, equality(n))


@cases("keep", [lambda seen: seen[0], lambda seen: seen[-1], lambda seen: seen[len(seen) // 2], max, min])
def test_looking_is_caught_whichever_input_is_seen_last(keep):
    caught(*peeking_pair(None, ("generator", "generator"), keep), {"determinism", "answer"})


@cases("answer", ["alice", "bob", "both"])
@cases("speaker", ["alice", "bob"])
def test_parties_that_look_for_the_answer_at_the_end_are_caught(answer, speaker):
    shared = {}

    def party(own, other):
        def talk(value):
            shared[own] = value
            yield Send("") if own == speaker else Receive()
            return int(shared.get(other) == value)

        return talk

    caught(party("alice", "bob"), party("bob", "alice"), {"determinism", "answer", "agreement"}, answer=answer)


def test_a_player_that_looks_at_the_number_on_its_own_forehead_is_caught():
    function = function_of_table(np.fromfunction(lambda x, y, z: (x == y) & (y == z), (3, 3, 3)).astype(int))
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


def test_a_simultaneous_player_that_overhears_the_other_is_caught():
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

    parties = {"alice": alice, "bob": bob, "referee": referee}
    assert not Protocol("cheat", EQ, parties, model=simultaneous(), answer="referee").explore().correct


def test_a_party_that_overhears_a_channel_between_two_others_is_caught():
    function = function_of_table(np.fromfunction(lambda x, y, z: x == z, (4, 2, 4)).astype(int))
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


def counts_its_runs():
    runs = []

    def alice(x):
        runs.append(x)
        yield Send(Bits.unsigned(len(runs) % 16, 4))
        return 0

    return alice


def remembers_its_last_input():
    last = [None]

    def alice(x):
        before, last[0] = last[0], x
        yield Send(Bits([before is not None and before > x]))
        return 0

    return alice


def behaves_the_first_time():
    met = set()

    def alice(x):
        first = x not in met
        met.add(x)
        yield Send(Bits.unsigned(x, 2))
        return 0 if first else 1

    return alice


def counts_how_often_it_is_asked():
    asked = [0]

    @array_party
    def alice(xs, heard):
        asked[0] += 1
        return AnswerEach(0) if heard else SendEach((xs + asked[0]) % 4, 2)

    return alice


@cases("make", [counts_its_runs, remembers_its_last_input, behaves_the_first_time, counts_how_often_it_is_asked])
def test_a_party_that_remembers_is_caught(make):
    violation = caught(make(), constant_after_one, {"determinism"}, ZERO)[0]
    assert "alice" in violation.message
    assert set(violation.inputs[0]) == {"alice"}


def test_a_party_that_listens_the_first_time_only_is_caught():
    met = set()

    def bob(y):
        step = Send("1") if y in met else Receive()
        met.add(y)
        yield step
        return 0

    violation = caught(script(Send("1"), answer=0), bob, {"determinism"}, ZERO)[0]
    assert "bob received" in violation.message


@cases("form", ["generator", "array"])
@cases("where", ["message", "answer"])
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

    parties = (alice if form == "generator" else alice_array, constant_after_one)
    caught(*parties, {"determinism", "answer", "agreement"}, ZERO)


def test_a_party_that_is_one_generator_object_and_not_a_function_is_refused_or_caught():
    used_up = (step for step in [Send("0")])
    with pytest.raises(InputError, match="generator function"):
        Protocol("cheat", EQ, {"alice": used_up, "bob": answers_what_is_heard})

    def alice(x):
        return used_up

    caught(alice, answers_what_is_heard, {"crash", "determinism", "turn", "answer", "deadlock"}, answer="bob")


# Coins that were not granted

SYSTEM = random.SystemRandom()
COINS = {
    "random.random": lambda: random.random() < 0.5,
    "random.SystemRandom": lambda: SYSTEM.random() < 0.5,
    "numpy.random.rand": lambda: np.random.rand() < 0.5,  # noqa: NPY002
}


@cases("coin", COINS)
@cases("where", ["message", "answer", "turn"])
def test_a_party_that_tosses_its_own_coins_is_caught(coin, where):
    toss = COINS[coin]

    def alice(x):
        if where == "turn" and toss():
            return 0
        yield Send(Bits([bool(toss())]) if where == "message" else Bits("0"))
        return int(toss()) if where == "answer" else 0

    zero = function_of_table(np.zeros((64, 2), dtype=int), (0, 1))
    caught(alice, constant_after_one, {"determinism", "turn", "answer", "deadlock"}, zero)


@cases("coin", ["random.random", "numpy.random.rand"])
def test_a_coin_from_the_shared_generators_is_caught_even_if_it_changes_nothing(coin):
    def alice(x):
        COINS[coin]()
        yield Send(x)

    violation = caught(alice, equal_to_what_is_heard, {"determinism"}, answer="bob")[0]
    assert "random" in violation.message


def test_a_party_that_tosses_its_own_coins_in_a_public_coin_protocol_is_caught():
    def alice(x, public):
        yield Send(x)

    def bob(y, public):
        equal = (yield Receive()) == y
        return int(equal and SYSTEM.random() < 0.9)

    parties = {"alice": alice, "bob": bob}
    measured = Protocol("cheat", equality(5), parties, answer="bob", public=Coins(2)).measure_error()
    assert measured.violations[0].kind == "determinism"
    assert not measured.within_claim


# Array parties whose inputs are not apart


MARKS = {
    "first": lambda xs: xs == xs[0],
    "last": lambda xs: xs == xs[-1],
    "place": lambda xs: np.arange(len(xs)) // 2 % 2,
    "place, read alike from both ends": lambda xs: np.arange(len(xs)) % 2,
    "sum so far": lambda xs: np.cumsum(xs) % 2,
    "largest": lambda xs: xs == xs.max(),
    "least": lambda xs: xs == xs.min(),
    "above the mean": lambda xs: xs > xs.mean(),
    "count": lambda xs: np.full(len(xs), len(xs) % 2),
    "company": lambda xs: np.full(len(xs), len(xs) > 1),
    "sum": lambda xs: np.full(len(xs), xs.sum() % 2 == 0),
}


@cases("mark", MARKS)
@cases("where", ["message", "answer"])
def test_an_array_party_that_depends_on_the_other_inputs_is_caught(mark, where):
    @array_party
    def alice(xs, heard):
        if heard:
            return AnswerEach(MARKS[mark](xs) if where == "answer" else 0)
        return SendEach(MARKS[mark](xs) if where == "message" else 0, 1)

    zero = function_of_table(np.zeros((5, 2), dtype=int), (0, 1))
    violation = caught(alice, constant_after_one, {"determinism"}, zero, "alice")[0]
    assert "alice" in violation.message


@cases("stubborn", [False, True])
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


@cases(
    "words",
    [("0", "00", "1", "11"), ("", "0", "10", "11"), ("0", "10", "101", "111"), ("", "1", "1", "1")],
)
@cases("form", ["generator", "array"])
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

    party = alice if form == "generator" else alice_array
    violation = caught(party, constant_after_one, {"prefix"}, answer="bob")[0]
    one, two = (words[int(example["alice"], 2)] for example in violation.inputs)
    assert one != two
    assert two.startswith(one) or one.startswith(two)
    assert f"sends {min(one, two, key=len) or ''}" in violation.message


# Whose turn it is


@cases("step", [Receive(), None])
def test_a_turn_that_depends_on_the_input_is_caught(step):
    def alice(x):
        if x[0]:
            yield Send("1")
        elif step:
            yield step
        return 0

    violation = caught(alice, constant_after_one, {"turn"})[0]
    assert {example["alice"][0] for example in violation.inputs} == {"0", "1"}
    assert ("receive" if step else "answer 0") in violation.message
    assert "send 1" in violation.message


def test_a_receiver_that_depends_on_the_input_is_caught():
    function = function_of_table(np.zeros((2, 1, 1), dtype=int), (0,))

    alice = script(lambda x: Send("1", to="bob" if x else "carol"))
    parties = {"alice": alice, "bob": script(Receive("alice")), "carol": script(Receive("alice"))}
    found = Protocol("cheat", function, parties, model=point_to_point(), answer="alice").explore()
    assert found.violations[0].kind == "turn"
    assert {example["alice"] for example in found.violations[0].inputs} == {"0", "1"}


# Answers


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


class Chameleon:
    """Claims to be equal to everything."""

    def __eq__(self, other):
        return True

    def __hash__(self):
        raise RuntimeError("no hash today")


@cases(
    "party",
    [
        *(script(Receive(), answer=answer) for answer in (None, [1], 2, "1", float("nan"), np.array([1, 0]))),
        *(array_answering(code) for code in (None, -2, 2, 1 << 40)),
    ],
)
def test_an_answer_that_is_none_is_caught(party):
    assert "bob answers" in caught(sends, party, {"answer"}, answer="bob")[0].message


def test_an_answer_that_claims_to_be_equal_to_everything_does_not_break_the_exploration():
    caught(sends, script(Receive(), answer=Chameleon()), {"crash", "answer"}, answer="bob")


# Rubbish


def test_a_party_that_raises_on_one_input_is_caught_with_that_input():
    def alice(x):
        if x == Bits("10"):
            raise KeyError("lost")
        yield Send(x)

    @array_party
    def alice_array(xs, heard):
        if (xs == 2).any():
            raise KeyError("lost")
        return AnswerEach(None) if heard else SendEach(xs, 2)

    for party in (alice, alice_array):
        violation = caught(party, constant_after_one, {"crash"}, answer="bob")[0]
        assert violation.inputs == ({"alice": "10"},)
        assert "KeyError: 'lost'" in violation.message


def test_a_party_that_raises_after_some_message_is_caught_with_the_transcript():
    def bob(y):
        x = yield Receive()
        return 1 // 0 if x == y == Bits("01") else int(x == y)

    violation = caught(sends, bob, {"crash"}, answer="bob")[0]
    assert violation.inputs == ({"bob": "01"},)
    assert str(violation.transcript.string) == "01"


def yields(rubbish):
    def party(value):
        yield rubbish
        return 0

    return party


@cases(
    ("party", "said"),
    [
        *((yields(rubbish), "yielded step") for rubbish in (None, "01", (Send("1"),), Send, AnswerEach(1))),
        *((array_party(lambda xs, heard, r=r: r), "returned step") for r in (None, Send("1"), SendEach, np.zeros(4))),
        *((script(lambda x, bits=bits: Send(bits)), "expected") for bits in (None, 3, b"01", "2")),
        (script(lambda x: sys.exit(3)), "SystemExit"),
        (lambda x: 0, "generator function"),
        (lambda: (yield Send("1")), "TypeError"),
    ],
)
def test_a_party_that_does_what_is_no_step_is_caught(party, said):
    assert said in caught(party, constant_after_one, {"crash"})[0].message


@cases(
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


def test_a_party_that_can_do_without_coins_is_not_given_any():
    def hoping(x, public="nothing", private="nothing"):
        assert (public, private) == ("nothing", "nothing")
        yield Send(x)

    assert explored(hoping, equal_to_what_is_heard, answer="bob").correct


def test_at_most_ten_violations_are_reported():
    def bob(y):
        return 1 - int((yield Receive()) == y)

    assert len(caught(sends, bob, {"answer"}, equality(5), "bob")) == 10


def test_a_generator_that_will_not_close_does_not_hide_what_happened():
    def stubborn(x):
        try:
            yield Send("1")
        except GeneratorExit:
            yield Send("1")

    bob = script(Send("1"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises((ProtocolError, RuntimeError)):
            Protocol("cheat", EQ, {"alice": stubborn, "bob": bob}).run("00", "00")
        gc.collect()


# Honest parties are not accused


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


def keeps_a_table():
    """Bob keeps a table of his own answers, and a cache that computes them."""
    known, parity = {}, functools.cache(lambda text: sum(map(int, text)) % 2)

    def bob(y):
        x = yield Receive()
        if (x, y) not in known:
            known[x, y] = int(x == y and parity(str(x)) == parity(str(y)))
        yield Send(Bits([known[x, y]]))
        return known[x, y]

    return bob


def seeded_mask():
    """Three numbers from seeded generators that are the party's own."""
    return int(np.random.default_rng(7).integers(0, 4)) ^ random.Random(7).randrange(4)


def says_masked_input(x):
    yield Send(Bits.unsigned(x.to_unsigned() ^ seeded_mask(), 2))
    return (yield Receive())[0]


def unmasks(y):
    equal = (yield Receive()).to_unsigned() ^ seeded_mask() == y.to_unsigned()
    yield Send(Bits([equal]))
    return int(equal)


HONEST = {
    "callable object, bound method": (Machine(2), Machine(2).listen),
    "partial": (functools.partial(says_input, 2), bob_compares),
    "lambda": (lambda x: says_input(2, x), bob_compares),
    "table and cache": (Machine(2), keeps_a_table()),
    "seeded generators": (says_masked_input, unmasks),
}


@cases("name", HONEST)
def test_an_honest_party_is_not_accused_however_it_is_made(name):
    for _ in range(2):
        assert explored(*HONEST[name]).correct


@cases("answer", [True, np.int64(1), np.bool_(True), 1.0])
def test_an_answer_equal_to_one_of_the_functions_is_that_answer(answer):
    def bob(y):
        return answer if (yield Receive()) == y else 0

    assert explored(sends, bob, answer="bob").correct


def test_exploring_leaves_the_shared_random_generators_alone():
    random.seed(5)
    np.random.seed(5)  # noqa: NPY002
    before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    Protocol("quiet", EQ, {"alice": Machine(2), "bob": Machine(2).listen}).explore()
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # noqa: NPY002
