"""Every communication model, in single runs and in explorations alike: what it forbids is refused."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import (
    AnswerEach,
    Bits,
    InputError,
    PartyError,
    Protocol,
    ProtocolError,
    Receive,
    Send,
    SendEach,
    array_party,
    blackboard,
    number_on_forehead,
    one_way,
    point_to_point,
    rounds,
    simultaneous,
)
from ccsim.engine import CommunicationModel
from ccsim.problems import Integers, MultipartyFunction, equality
from tests.cases import cases
from tests.strategies import (
    PLAYERS,
    all_say_a_bit,
    function_of_table,
    plans,
    protocol_of_plan,
    rounds_of,
    script,
    table_of_plan,
    walk_plan,
)

EQ = equality(1)


def both_refuse(protocol, message, kind="model", inputs=None):
    """A run raises and an exploration reports, for the same reason."""
    inputs = [part.value(0) for part in protocol.function.inputs] if inputs is None else inputs
    with pytest.raises(ProtocolError, match=message):
        protocol.run(*inputs)
    violations = protocol.explore().violations
    assert violations
    assert violations[0].kind == kind
    assert message in violations[0].message
    return violations[0]


def both_accept(protocol):
    explored = protocol.explore().raise_if_wrong()
    for values in product(*protocol.function.inputs):
        assert protocol.run(*values).correct
    return explored


speaker = script(Send)


def answerer(value):
    return int((yield Receive()) == value)


def all_equal(sizes):
    return function_of_table(np.fromfunction(lambda *rows: equal(rows), sizes, dtype=int), (0, 1), "all equal")


def equal(rows):
    return np.logical_and.reduce([row == rows[0] for row in rows]).astype(int)


# One way


@cases("sender", ["alice", "bob"])
def test_one_way_lets_its_sender_speak_and_the_other_answer(sender):
    receiver = "bob" if sender == "alice" else "alice"
    parties = {sender: speaker, receiver: answerer}
    both_accept(Protocol("one way", EQ, parties, model=one_way(sender), answer=receiver))
    wrong = Protocol("wrong way", EQ, parties, model=one_way(receiver), answer=receiver)
    both_refuse(wrong, f"{sender} may not speak")


@cases("sender", ["alice", "bob"])
@cases("reply", [lambda same: Bits([same]), lambda same: Bits()])
def test_one_way_does_not_let_the_receiver_reply(sender, reply):
    receiver = "bob" if sender == "alice" else "alice"

    def second(value):
        same = (yield Receive()) == value
        yield Send(reply(same))
        return int(same)

    parties = {sender: script(Send, Receive()), receiver: second}
    both_accept(Protocol("two way", EQ, parties, answer=receiver))
    both_refuse(Protocol("a reply", EQ, parties, model=one_way(sender), answer=receiver), f"{receiver} may not speak")


def test_several_messages_of_one_sender_are_one_round_of_one_way():
    def bob(y):
        x = yield Receive()
        yield Receive()
        yield Receive()
        return int(x == y)

    alice = script(Send, Send(""), Send)
    explored = both_accept(Protocol("thrice", EQ, {"alice": alice, "bob": bob}, model=one_way(), answer="bob"))
    assert (explored.worst_rounds, explored.worst_bits) == (1, 2)


# Rounds


def talk(number, model):
    """Alice and Bob send their bits in turn, so many messages in all."""
    steps = {
        player: [(lambda value: Send(Bits([value]))) if turn % 2 == own else Receive() for turn in range(number)]
        for own, player in enumerate(PLAYERS[:2])
    }
    zero = function_of_table(np.zeros((2, 2), dtype=int), (0,))
    return Protocol("rounds", zero, {player: script(*own, answer=0) for player, own in steps.items()}, model=model)


@cases("used", range(5))
@cases("allowed", range(5))
def test_a_round_too_many_is_refused(used, allowed):
    protocol = talk(used, rounds(allowed))
    if used <= allowed:
        assert both_accept(protocol).worst_rounds == used
    else:
        both_refuse(protocol, f"{PLAYERS[allowed % 2]} begins round {allowed + 1} of at most {allowed}")


def test_who_speaks_first_is_enforced():
    both_accept(talk(2, rounds(2, first="alice")))
    both_refuse(talk(2, rounds(2, first="bob")), "bob speaks first, not alice")


@settings(max_examples=10, deadline=None)
@given(plans(), st.integers(0, 4))
def test_random_protocols_are_refused_exactly_if_some_input_needs_more_rounds(planned, allowed):
    function = function_of_table(table_of_plan(planned.plan, planned.sizes), tuple(range(planned.answers)))
    protocol = protocol_of_plan(planned.plan, function, planned.forms, model=rounds(allowed))
    needed = {inputs: rounds_of(walk_plan(planned.plan, inputs)[0]) for inputs in product(*map(range, planned.sizes))}
    explored = protocol.explore()
    assert explored.correct == (max(needed.values()) <= allowed)
    assert {violation.kind for violation in explored.violations} <= {"model"}
    for inputs, count in needed.items():
        if count <= allowed:
            assert protocol.run(*inputs).transcript.rounds == count
        else:
            with pytest.raises(ProtocolError, match="begins round"):
                protocol.run(*inputs)


# A referee


def referee_of_two():
    x = yield Receive("alice")
    y = yield Receive("bob")
    return int(x == y)


SAYING = {"alice": speaker, "bob": speaker}


def with_referee(referee=referee_of_two, answer="referee", **players):
    parties = {**SAYING, **players, "referee": referee}
    return Protocol("referee", EQ, parties, model=simultaneous(), answer=answer)


def test_a_referee_who_hears_both_answers():
    explored = both_accept(with_referee())
    assert explored.worst_bits == 2
    run = with_referee().run("1", "0")
    assert run.answers == {"referee": 0}
    assert {message.direction for message in run.transcript} == {"alice → referee", "bob → referee"}


def test_a_referee_in_array_form_answers_too():
    @array_party
    def referee(heard):
        if len(heard) < 2:
            return Receive(PLAYERS[len(heard)])
        return AnswerEach(heard[0].bits == heard[1].bits)

    @array_party
    def player(values, heard):
        return AnswerEach(None) if heard else SendEach(values, 1)

    assert both_accept(with_referee(referee, alice=player, bob=player)).worst_bits == 2


def test_the_referee_may_listen_in_any_order_and_be_named():
    def referee():
        y = yield Receive("bob")
        x = yield Receive("alice", width=1)
        return int(x == y)

    both_accept(with_referee(referee, alice=script(lambda value: Send(value, to="referee"))))


@cases(
    ("role", "party", "message", "kind"),
    [
        ("alice", script(Send, Send), "alice sends a second message", "model"),
        ("bob", script(Send, Send("")), "bob sends a second message", "model"),
        ("alice", script(Send, Receive("bob")), "alice may not receive", "model"),
        ("alice", script(Send("1", to="bob")), "alice sends to 'bob'", "model"),
        ("alice", script(Send("1", to="nobody")), "alice sends to 'nobody'", "model"),
        ("alice", script(), "referee wait for a message that nobody sends", "deadlock"),
        ("referee", script(Receive("alice"), answer=0), "referee finished without reading a message", "deadlock"),
        ("referee", script(Receive(), answer=0), "must name whom it receives from", "model"),
        ("referee", script(Send("1"), answer=0), "referee finished without reading a message", "deadlock"),
    ],
)
def test_what_is_forbidden_before_a_referee_is_refused(role, party, message, kind):
    both_refuse(with_referee(**{role: party}), message, kind)


def test_a_referee_who_is_wrong_is_caught_with_inputs_of_the_players():
    violations = with_referee(script(Receive("alice"), Receive("bob"), answer=0)).explore().violations
    assert [violation.kind for violation in violations] == ["answer", "answer"]
    assert {(v.inputs[0]["alice"], v.inputs[0]["bob"]) for v in violations} == {("0", "0"), ("1", "1")}


def test_the_referee_sees_no_input():
    def curious(value):
        yield Receive("alice")
        return 0

    violations = with_referee(curious).explore().violations
    assert violations[0].kind == "crash"
    with pytest.raises(PartyError, match="TypeError"):
        with_referee(curious).run("0", "0")


def test_a_referee_may_serve_three_players():
    def referee():
        heard = []
        for player in PLAYERS[:3]:
            heard.append((yield Receive(player)))
        return int(heard[0] == heard[1] == heard[2])

    parties = {player: lambda value: speaker(Bits.unsigned(value, 2)) for player in PLAYERS[:3]}
    protocol = Protocol(
        "three", all_equal((3, 3, 3)), {**parties, "referee": referee}, simultaneous(PLAYERS[:3]), "referee"
    )
    assert both_accept(protocol).worst_bits == 6


# A blackboard


def test_everybody_reads_the_blackboard():
    run = all_say_a_bit().run(1, 1, 0)
    assert run.answers == {"alice": 0, "bob": 0, "carol": 0}
    assert [message.receivers for message in run.transcript] == [("bob", "carol"), ("alice", "carol"), ("alice", "bob")]
    assert run.transcript.by_direction == {"alice → bob, carol": 1, "bob → alice, carol": 1, "carol → alice, bob": 1}


@cases(
    ("alice", "bob", "message", "kind"),
    [
        (script(Send("1", to="bob")), answerer, "alice sends to 'bob'", "model"),
        (script(Send("1")), script(Send("1")), "alice and bob both want to send", "turn"),
        (script(Send("1")), script(Send("1"), Receive()), "alice and bob both want to send", "turn"),
        (script(Send("1"), Send("1")), script(Receive()), "alice sends and nobody listens", "turn"),
        (script(Receive()), script(Receive()), "alice and bob wait for a message that nobody sends", "deadlock"),
        (script(), script(Receive()), "bob wait for a message that nobody sends", "deadlock"),
        (script(), array_party(lambda ys, heard: Receive()), "bob wait for a message that nobody sends", "deadlock"),
        (script(Send("1")), script(Receive(width=2)), "bob expected a message of 2 bits and got 1", "width"),
    ],
)
def test_what_two_must_not_do_where_all_read_is_refused(alice, bob, message, kind):
    violation = both_refuse(Protocol("two", EQ, {"alice": alice, "bob": bob}), message, kind)
    assert str(violation.transcript.string) == ("1" if "nobody listens" in message else "")
    if kind in ("turn", "deadlock"):
        assert set(violation.inputs[0]) == {player for player in PLAYERS[:2] if player in message}


def test_three_who_write_on_the_blackboard_at_once_are_refused():
    parties = dict.fromkeys(PLAYERS[:3], script(Send("1"), Receive(), answer=0))
    protocol = Protocol("race", all_equal((2, 2, 2)), parties, model=blackboard())
    both_refuse(protocol, "alice and bob and carol both want to send", "turn")


# Between pairs


def passes_on(value):
    same = (yield Receive("alice"))[0] == value
    yield Send(Bits([same, value]), to="carol")


def alice_to_bob(value):
    yield Send(Bits([value]), to="bob")


def carol_decides(value):
    same, bit = yield Receive("bob")
    return int(same and bit == value)


def pairs(alice=alice_to_bob, bob=passes_on, carol=carol_decides):
    parties = {"alice": alice, "bob": bob, "carol": carol}
    return Protocol("pairs", all_equal((2, 2, 2)), parties, model=point_to_point(), answer="carol")


def test_messages_go_from_one_to_one():
    protocol = pairs()
    assert both_accept(protocol).worst_bits == 3
    assert protocol.run(1, 1, 1).transcript.by_direction == {"alice → bob": 1, "bob → carol": 2}


def test_a_message_may_wait_until_it_is_read():
    def carol(z):
        same, bit = yield Receive("bob")
        first = yield Receive("alice", width=1)
        return int(same and bit == z == first[0])

    both_accept(pairs(script(lambda x: Send(Bits([x]), to="carol"), lambda x: Send(Bits([x]), to="bob")), carol=carol))


def test_two_messages_on_one_channel_arrive_in_order():
    def alice(x):
        yield Send("0", to="carol")
        yield Send(Bits([x]), to="carol")
        yield Send(Bits([x]), to="bob")

    def carol(z):
        same, _ = yield Receive("bob")
        assert (yield Receive("alice")) == Bits("0")
        x = (yield Receive("alice"))[0]
        return int(same and x == z)

    both_accept(pairs(alice, carol=carol))


BIT_TO_BOB = Send("1", to="bob")


@cases(
    ("parties", "message", "kind"),
    [
        ({"carol": script(Receive())}, "carol must name whom it receives from", "model"),
        ({"carol": script(Receive("carol"))}, "carol must name whom it receives from", "model"),
        ({"carol": script(Receive("mallory"))}, "carol must name whom it receives from", "model"),
        ({"alice": script(Send("1"))}, "alice sends to None", "model"),
        ({"alice": script(Send("1", to="alice"))}, "alice sends to 'alice'", "model"),
        ({"alice": script(Send("1", to="mallory"))}, "alice sends to 'mallory'", "model"),
        ({"alice": script(BIT_TO_BOB, Send("1", to="carol"))}, "carol finished without reading a message", "deadlock"),
        ({"alice": script(BIT_TO_BOB, Send("", to="carol"))}, "carol finished without reading a message", "deadlock"),
        (
            {"alice": script(Receive("bob")), "bob": script(Receive("carol")), "carol": script(Receive("alice"))},
            "alice and bob and carol wait for a message that nobody sends",
            "deadlock",
        ),
    ],
)
def test_what_is_forbidden_between_pairs_is_refused(parties, message, kind):
    both_refuse(pairs(**parties), message, kind)


def test_a_wrong_width_on_a_channel_is_refused():
    carol = script(Receive("bob", width=5), answer=0)
    both_refuse(pairs(carol=carol), "carol expected a message of 5 bits and got 2", "width")


# On foreheads


def test_array_players_on_foreheads_see_the_inputs_of_the_others():
    function = function_of_table(
        np.fromfunction(lambda x, y, z: (x + y + z) % 5, (2, 3, 4), dtype=int), tuple(range(5))
    )

    @array_party
    def alice(others, heard):
        ys, zs = others
        if not heard:
            return SendEach((ys + zs) % 5, 3, "y + z")
        return AnswerEach(heard[1].bits.to_unsigned()) if len(heard) == 2 else Receive()

    @array_party
    def bob(others, heard):
        xs, _zs = others
        if len(heard) == 1:
            return SendEach((xs + heard[0].bits.to_unsigned()) % 5, 3, "sum")
        return AnswerEach(heard[1].bits.to_unsigned()) if heard else Receive()

    @array_party
    def carol(others, heard):
        return AnswerEach(heard[1].bits.to_unsigned()) if len(heard) == 2 else Receive(width=3)

    protocol = Protocol("sum", function, {"alice": alice, "bob": bob, "carol": carol}, model=number_on_forehead())
    explored = both_accept(protocol)
    assert explored.worst_bits == 6
    assert explored.tree is None


@settings(max_examples=8, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 3), st.tuples(*[st.integers(1, 3)] * 3))
def test_forehead_exploration_agrees_with_every_input(random, depth, sizes):
    speakers = {said: random.randrange(3) for length in range(depth) for said in product((0, 1), repeat=length)}
    table = np.array([random.randrange(2) for _ in range(int(np.prod(sizes)))]).reshape(sizes)
    bits = {}

    def bit(said, seen):
        if (said, seen) not in bits:
            bits[said, seen] = random.randrange(2)
        return bits[said, seen]

    def sees(own, inputs):
        return inputs[:own] + inputs[own + 1 :]

    def transcript(inputs):
        said = ()
        while len(said) < depth:
            said += (bit(said, sees(speakers[said], inputs)),)
        return said

    every = list(product(*map(range, sizes)))
    answers = {said: random.randrange(2) for said in product((0, 1), repeat=depth)}

    def party(own):
        def talk(others):
            said = ()
            while len(said) < depth:
                if speakers[said] == own:
                    mine = bit(said, tuple(others))
                    yield Send(Bits([mine]))
                else:
                    mine = (yield Receive())[0]
                said += (mine,)
            return answers[said]

        return talk

    for inputs in every:
        transcript(inputs)
    function = function_of_table(table, (0, 1))
    parties = {player: party(own) for own, player in enumerate(PLAYERS[:3])}
    protocol = Protocol("forehead", function, parties, model=number_on_forehead())
    explored = protocol.explore()
    wrong = {inputs for inputs in every if answers[transcript(inputs)] != table[inputs]}
    assert explored.correct == (not wrong)
    assert explored.leaves == len({transcript(inputs) for inputs in every})
    assert (explored.worst_bits, explored.pairs, explored.total_bits) == (depth, len(every), depth * len(every))
    for violation in explored.violations:
        assert tuple(int(violation.inputs[0][player]) for player in PLAYERS[:3]) in wrong
    for inputs in every:
        assert tuple(protocol.run(*inputs).transcript.string) == transcript(inputs)


def test_what_is_said_on_foreheads_must_not_depend_on_ones_own_number():
    function = MultipartyFunction("own", (Integers(2),) * 3, (0, 1), lambda x, y, z: x + 0 * y + 0 * z, PLAYERS[:3])

    def knows(others):
        return others[0]
        yield

    for player, right in (("bob", True), ("alice", False)):
        parties = {**dict.fromkeys(PLAYERS[:3], script()), player: knows}
        protocol = Protocol("first number", function, parties, model=number_on_forehead(), answer=player)
        assert protocol.explore().correct is right


# Who must know


def test_only_those_who_must_know_are_asked_for_the_answer():
    bob_knows = {"alice": speaker, "bob": answerer}
    assert Protocol("bob", EQ, bob_knows, answer="bob").run("0", "0").answers == {"bob": 1}
    assert Protocol("bob", EQ, bob_knows, answer="bob").explore().correct
    with pytest.raises(ProtocolError, match="alice answers None, bob answers 1"):
        Protocol("both", EQ, bob_knows).run("0", "0")
    assert {violation.kind for violation in Protocol("both", EQ, bob_knows).explore().violations} == {"agreement"}
    assert {v.kind for v in Protocol("alice", EQ, bob_knows, answer="alice").explore().violations} == {"answer"}


@cases("answer", ["carol", "referee", "nobody", "", "Both"])
def test_nobody_else_can_be_the_one_who_must_know(answer):
    with pytest.raises(InputError, match="'both' or one of"):
        Protocol("who", EQ, {"alice": speaker, "bob": answerer}, answer=answer)


# Putting a protocol together


def test_parties_must_be_those_of_the_model():
    with pytest.raises(InputError, match="parties"):
        Protocol("one", EQ, {"alice": speaker})
    with pytest.raises(InputError, match="parties"):
        Protocol("more", EQ, {"alice": speaker, "bob": answerer, "carol": answerer})
    with pytest.raises(InputError, match="parties"):
        Protocol("no referee", EQ, SAYING, model=simultaneous())
    with pytest.raises(InputError, match="a function of"):
        Protocol("three", EQ, dict.fromkeys(PLAYERS[:3], speaker), model=blackboard())


@cases(
    "make",
    [
        lambda: one_way("carol"),
        lambda: rounds(-1),
        lambda: rounds(1, first="carol"),
        lambda: blackboard(["alice"]),
        lambda: blackboard(["alice", "alice"]),
        lambda: simultaneous(["alice", "referee"]),
        lambda: CommunicationModel("none", players=()),
    ],
)
def test_models_that_make_no_sense_are_refused(make):
    with pytest.raises(InputError):
        make()
