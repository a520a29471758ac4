"""What is no protocol is called so, with its violations, by every way to look at it; what people write is read."""

import threading
import time
from fractions import Fraction

import numpy as np
import pytest

import ccsim as cc
from ccsim import Bits, CommunicationMatrix, Cost, Protocol, Receive, Send
from ccsim.engine import Coins
from ccsim.errors import InputError, ProtocolError
from ccsim.exercises import check_error
from ccsim.problems import TwoPartyFunction, equality, karchmer_wigderson
from tests.cases import cases
from tests.speed import patient
from tests.strategies import script

EQ = equality(2)
SEEN = {}
SOON = patient(0.15)  # seconds that a party is given which never says anything


def sends(x):
    yield Send(x, "x")
    return (yield Receive(width=1))[0]


def replies(y):
    same = int((yield Receive()) == y)
    yield Send(Bits([same]), "x = y?")
    return same


def crashes(y):
    raise RuntimeError("broken")
    yield


def crashes_on_one(y):
    heard = yield Receive()
    yield Send(Bits([int(heard == y) // int(y != Bits("10"))]))
    return int(heard == y)


def not_prefix_free(x):
    yield Send(Bits("0" if x == Bits("00") else str(x)))
    return (yield Receive(width=1))[0]


def talks_for_ever(x):
    while True:
        yield Send(Bits("0"))


def remembers(x):
    SEEN["x"] = x
    yield Send(Bits("0"))
    return (yield Receive(width=1))[0]


def peeks(y):
    yield Receive()
    same = int(SEEN.get("x") == y)
    yield Send(Bits([same]))
    return same


def hangs(y):
    while True:
        pass
    yield


def catches_all(y):
    while True:
        try:
            while True:
                pass
        except Exception:
            continue
    yield


BROKEN = {
    "crash": (sends, crashes, {"crash"}),
    "crash on one input": (sends, crashes_on_one, {"crash"}),
    "deadlock": (sends, script(Receive(), Receive()), {"deadlock"}),
    "prefix": (not_prefix_free, replies, {"prefix"}),
    "endless": (talks_for_ever, replies, {"endless", "turn", "deadlock"}),
    "peeking": (remembers, peeks, {"determinism"}),
    "loop that catches errors": (sends, catches_all, {"endless"}),
}


@cases("name", BROKEN)
def test_what_is_no_protocol_has_no_error(name):
    alice, bob, kinds = BROKEN[name]
    broken = Protocol("broken", EQ, {"alice": alice, "bob": bob}, error=Fraction(1, 3))
    found = broken.measure_error(timeout=SOON)
    assert {violation.kind for violation in found.violations} & kinds
    assert "no protocol" in str(found)
    assert str(found.violations[0]) in str(found)
    assert not found.within_claim
    for figure in (
        lambda: found.worst_error,
        lambda: found.worst_bits,
        lambda: found.worst_input,
        lambda: found.expected_bits,
        lambda: found.error("00", "00"),
        found.worst_error_interval,
        found.distributional_error,
        found.average_bits,
    ):
        with pytest.raises(ProtocolError, match="no protocol"):
            figure()
    explored = broken.explore(timeout=SOON)
    assert not explored.correct
    assert "no protocol" in str(explored)


def test_an_exercise_is_not_right_with_what_is_no_protocol():
    reply = check_error(("00", "00"), Protocol("broken", EQ, {"alice": sends, "bob": crashes_on_one}))
    assert not reply.right
    assert "crash" in str(reply)


def test_a_run_ends_where_a_party_sends_nothing():
    start = time.monotonic()
    with pytest.raises(ProtocolError, match="bob sends nothing"):
        Protocol("loop", EQ, {"alice": sends, "bob": catches_all}).run("00", "00", timeout=SOON)
    assert time.monotonic() - start < patient(10)


def test_loops_are_ended_in_other_threads_too():
    found = []
    broken = Protocol("loop", EQ, {"alice": sends, "bob": hangs})
    thread = threading.Thread(target=lambda: found.append(broken.explore(timeout=SOON)))
    thread.start()
    thread.join(patient(20))
    assert found[0].violations[0].kind == "endless"


def right_once(where):
    """Bob, whose message or whose answer is right in the first run only."""
    calls = []

    def bob(y):
        calls.append(y)
        same = int((yield Receive()) == y)
        yield Send(Bits([same and int(where != "message" or len(calls) == 1)]))
        return same and int(where != "answer" or len(calls) == 1)

    return bob


@cases(("alice", "bob"), [(remembers, peeks), (sends, right_once("message")), (sends, right_once("answer"))])
def test_a_run_does_not_return_the_answer_of_a_party_that_cheats(alice, bob):
    with pytest.raises(ProtocolError, match="bob does not do the same"):
        Protocol("cheat", EQ, {"alice": alice, "bob": bob}).run("01", "01")


@cases(
    ("formula", "exact", "right"),
    [("n + 1", True, True), ("n", True, False), ("n + 2", True, False), ("n + 2", False, True), ("n", False, False)],
)
def test_a_wrong_formula_of_the_cost_is_found(formula, exact, right):
    found = Protocol("all", EQ, {"alice": sends, "bob": replies}, cost=Cost(formula, {"n": 2}, exact)).explore()
    assert found.correct is right
    assert right or found.violations[0].kind == "cost"


@cases(
    ("given", "named"),
    [
        ({"public": 8}, "public"),
        ({"private": Coins(4)}, "private"),
        ({"private": {"alice": 4}}, "private"),
        ({"private": {"carol": Coins(4)}}, "private"),
        ({"cost": "n + 1"}, "cost"),
        ({"function": "equality"}, "function"),
        ({"function": 3}, "function"),
        ({"parties": [sends, replies]}, "parties"),
        ({"parties": {"alice": sends}}, "parties"),
        ({"parties": {"alice": sends, "bob": 3}}, "party"),
    ],
)
def test_what_cannot_be_used_is_named(given, named):
    arguments = {"function": EQ, "parties": {"alice": sends, "bob": replies}, **given}
    with pytest.raises(InputError, match=f"^{named} = .*expected"):
        Protocol("mine", **arguments)


def test_coins_that_a_party_needs_are_asked_for():
    def alice(x, public):
        yield Send(Bits([public & 1]))
        return (yield Receive())[0]

    with pytest.raises(InputError, match=r"public = None: expected coins, such as Coins\(8\): alice"):
        Protocol("mine", EQ, {"alice": alice, "bob": replies})


@cases("given", [5, 2.5, None, [2], "012", [[0]]])
def test_bits_of_what_is_no_bits_are_refused(given):
    with pytest.raises(InputError, match="bits"):
        Bits(given)


@cases("table", [[[1, 0], [0, 1]], np.eye(2, dtype=int), CommunicationMatrix.from_array([[1, 0], [0, 1]])])
def test_a_matrix_is_a_function_of_row_and_column_numbers(table):
    def alice(row):
        yield Send(Bits([row]))
        return (yield Receive(width=1))[0]

    def bob(column):
        same = int((yield Receive())[0] == column)
        yield Send(Bits([same]))
        return same

    protocol = Protocol("identity", table, {"alice": alice, "bob": bob})
    assert protocol.explore().correct
    assert protocol.run(1, 1).answer == TwoPartyFunction.from_matrix(table)(1, 1) == 1


def walker(ones, zeros):
    """The game of an exclusive or: Alice sends her first bit, Bob says whether his is the same."""

    def alice(row):
        x = ones[row]
        yield Send(Bits([x >> 1]))
        return 2 if (yield Receive())[0] else 1

    def bob(column):
        same = int((yield Receive())[0] == zeros[column] >> 1)
        yield Send(Bits([same]))
        return 2 if same else 1

    return {"alice": alice, "bob": bob}


def test_protocols_of_karchmer_wigderson_games_run():
    game = karchmer_wigderson("0110")
    protocol = Protocol("formula", game, walker([1, 2], [0, 3]), cost=Cost("2", {}))
    found = protocol.explore()
    assert found.correct, str(found)
    assert found.worst_bits == cc.bounds.deterministic(game).upper == 2
    run = protocol.run(0, 1)
    assert (run.answer, run.expected, run.correct) == (1, frozenset({1}), True)
    assert "expected one of [1]" in str(run)
    assert protocol.measure_error().worst_error == 0


def test_wrong_answers_and_disagreements_in_a_relation_are_found():
    game = karchmer_wigderson("0110")
    swapped = Protocol("swapped", game, walker([1, 2], [3, 0]))
    found = swapped.explore()
    assert {violation.kind for violation in found.violations} == {"answer"}
    assert swapped.measure_error().worst_error == 1
    any_place = karchmer_wigderson("0001")  # Alice holds 11: every place where Bob has a 0 is right

    def alice(row):
        return (yield Receive()).to_unsigned() + 1

    def bob(column):
        place = [0, 0, 1][column]
        yield Send(Bits([place]))
        return place + 1

    def other(column):
        yield Send(Bits([[0, 0, 1][column]]))
        return [2, 1, 2][column]

    assert Protocol("any", any_place, {"alice": alice, "bob": bob}).explore().correct
    found = Protocol("disagree", any_place, {"alice": alice, "bob": other}).explore()
    assert {violation.kind for violation in found.violations} == {"agreement"}


def test_bounds_of_a_relation_are_not_asked_of_its_protocol():
    protocol = Protocol("formula", karchmer_wigderson("0110"), walker([1, 2], [0, 3]))
    with pytest.raises(InputError, match="relation"):
        protocol.function.matrix  # noqa: B018


@cases("public", [None, Coins(2)])
def test_what_is_no_protocol_is_not_certified_with_any_figure(public):
    def alice(x, public=None):
        return (yield from sends(x))

    def bob(y, public=None):
        return (yield from crashes_on_one(y))

    found = cc.certify(Protocol("broken", EQ, {"alice": alice, "bob": bob}, public=public))
    assert (found.verdict, found.measured, found.error, found.average) == ("broken", None, None, None)
    assert str(found).startswith("broken: no protocol: crash: bob raises")
