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
    two_way,
)
from ccsim.engine import CommunicationModel
from ccsim.problems import Integers, MultipartyFunction, equality
from tests.strategies import PLAYERS, function_of_table, plans, protocol_of_plan, rounds_of, table_of_plan, walk_plan

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


def both_accept(protocol):
    explored = protocol.explore().raise_if_wrong()
    for values in product(*protocol.function.inputs):
        assert protocol.run(*values).correct
    return explored


def speaker(value):
    yield Send(value)
    return None


def answerer(value):
    return int((yield Receive()) == value)


def all_equal(sizes):
    return function_of_table(np.fromfunction(lambda *rows: equal(rows), sizes, dtype=int), (0, 1), "all equal")


def equal(rows):
    return np.logical_and.reduce([row == rows[0] for row in rows]).astype(int)


# One way


@pytest.mark.parametrize("sender", ["alice", "bob"])
def test_one_way_lets_its_sender_speak_and_the_other_answer(sender):
    receiver = "bob" if sender == "alice" else "alice"
    parties = {sender: speaker, receiver: answerer}
    both_accept(Protocol("one way", EQ, parties, model=one_way(sender), answer=receiver))
    wrong = Protocol("wrong way", EQ, parties, model=one_way(receiver), answer=receiver)
    both_refuse(wrong, f"{sender} may not speak")


@pytest.mark.parametrize("sender", ["alice", "bob"])
def test_one_way_does_not_let_the_receiver_reply(sender):
    receiver = "bob" if sender == "alice" else "alice"

    def first(value):
        yield Send(value)
        return (yield Receive())[0]

    def second(value):
        same = (yield Receive()) == value
        yield Send(Bits([same]))
        return int(same)

    parties = {sender: first, receiver: second}
    both_accept(Protocol("two way", EQ, parties))
    both_refuse(Protocol("a reply", EQ, parties, model=one_way(sender)), f"{receiver} may not speak")


def test_several_messages_of_one_sender_are_one_round_of_one_way():
    def alice(x):
        yield Send(x)
        yield Send("")
        yield Send(x)

    def bob(y):
        x = yield Receive()
        yield Receive()
        yield Receive()
        return int(x == y)

    explored = both_accept(Protocol("thrice", EQ, {"alice": alice, "bob": bob}, model=one_way(), answer="bob"))
    assert (explored.worst_rounds, explored.worst_bits) == (1, 2)


def test_one_way_counts_an_empty_reply_as_speaking():
    def bob(y):
        x = yield Receive()
        yield Send("")
        return int(x == y)

    def alice(x):
        yield Send(x)
        yield Receive()

    both_refuse(Protocol("hush", EQ, {"alice": alice, "bob": bob}, model=one_way(), answer="bob"), "bob may not speak")


# Rounds


def talk(number, first):
    def party(value):
        for turn in range(number):
            if (turn % 2 == 0) == first:
                yield Send(value)
            else:
                yield Receive()
        return 0

    return party


@pytest.mark.parametrize("used", range(5))
@pytest.mark.parametrize("allowed", range(5))
def test_a_round_too_many_is_refused(used, allowed):
    zero = function_of_table(np.zeros((2, 2), dtype=int), (0,))
    bits = {"alice": lambda x: talk(used, True)(Bits([x])), "bob": lambda y: talk(used, False)(Bits([y]))}
    protocol = Protocol("rounds", zero, bits, model=rounds(allowed))
    if used <= allowed:
        assert both_accept(protocol).worst_rounds == used
    else:
        sender = PLAYERS[allowed % 2]
        both_refuse(protocol, f"{sender} begins round {allowed + 1} of at most {allowed}")


@pytest.mark.parametrize("first", ["alice", "bob"])
def test_who_speaks_first_is_enforced(first):
    zero = function_of_table(np.zeros((2, 2), dtype=int), (0,))
    bits = {"alice": lambda x: talk(2, True)(Bits([x])), "bob": lambda y: talk(2, False)(Bits([y]))}
    protocol = Protocol("first", zero, bits, model=rounds(2, first=first))
    if first == "alice":
        both_accept(protocol)
    else:
        both_refuse(protocol, "bob speaks first, not alice")


@settings(max_examples=40, deadline=None)
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


SILENT = {"alice": speaker, "bob": speaker}


def with_referee(referee=referee_of_two, answer="referee", **players):
    parties = {**SILENT, **players, "referee": referee}
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


def test_the_referee_may_listen_in_any_order():
    def referee():
        y = yield Receive("bob")
        x = yield Receive("alice", width=1)
        return int(x == y)

    both_accept(with_referee(referee))


def test_a_second_message_to_the_referee_is_refused():
    def twice(value):
        yield Send(value)
        yield Send(value)

    both_refuse(with_referee(alice=twice), "alice sends a second message")


def test_a_second_empty_message_to_the_referee_is_refused():
    def twice(value):
        yield Send(value)
        yield Send("")

    both_refuse(with_referee(bob=twice), "bob sends a second message")


def test_a_player_may_not_receive_before_a_referee():
    def listening(value):
        yield Send(value)
        yield Receive("bob")

    both_refuse(with_referee(alice=listening), "alice may not receive")


@pytest.mark.parametrize("to", ["bob", "alice", "nobody"])
def test_a_player_may_not_send_to_anybody_but_the_referee(to):
    def misdirected(value):
        yield Send(value, to=to)

    both_refuse(with_referee(alice=misdirected), f"alice sends to '{to}'")


def test_a_player_may_name_the_referee():
    def named(value):
        yield Send(value, to="referee")

    both_accept(with_referee(alice=named))


def test_the_referee_must_read_every_message():
    def careless():
        yield Receive("alice")
        return 0

    both_refuse(with_referee(careless), "referee finished without reading a message", "deadlock")


def test_the_referee_must_say_whom_it_hears():
    def vague():
        yield Receive()
        return 0

    both_refuse(with_referee(vague), "must name whom it receives from")


def test_the_referee_does_not_speak():
    def talkative():
        yield Send("1")
        return 0

    protocol = with_referee(talkative)
    with pytest.raises(ProtocolError):
        protocol.run("0", "0")
    assert not protocol.explore().correct


def test_the_referee_waits_for_somebody_who_says_nothing():
    def mute(value):
        return None
        yield

    both_refuse(with_referee(alice=mute), "referee wait for a message that nobody sends", "deadlock")


def test_a_referee_who_is_wrong_is_caught_with_inputs_of_the_players():
    def careless():
        yield Receive("alice")
        yield Receive("bob")
        return 0

    violations = with_referee(careless).explore().violations
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
    def alice(x):
        yield Send(Bits.unsigned(x, 2), "x")
        return (yield Receive())[0]

    def bob(y):
        same = (yield Receive()).to_unsigned() == y
        yield Send(Bits([same]), "x = y")
        return int(same)

    def carol(z):
        yield Receive()
        return (yield Receive())[0]

    function = function_of_table(
        np.broadcast_to(np.eye(3, dtype=int)[:, :, None], (3, 3, 2)), (0, 1), "first two are equal"
    )
    protocol = Protocol("board", function, {"alice": alice, "bob": bob, "carol": carol}, model=blackboard())
    assert both_accept(protocol).worst_bits == 3
    run = protocol.run(1, 1, 0)
    assert run.answers == {"alice": 1, "bob": 1, "carol": 1}
    assert [message.receivers for message in run.transcript] == [("bob", "carol"), ("alice", "carol")]
    assert run.transcript.by_direction == {"alice → bob, carol": 2, "bob → alice, carol": 1}


def test_four_parties_may_share_a_blackboard():
    def party(own):
        def talk(value):
            values = []
            for turn in range(4):
                if turn == own:
                    yield Send(Bits([value]))
                    values.append(value)
                else:
                    values += yield Receive()
            return int(len(set(values)) == 1)

        return talk

    parties = {player: party(own) for own, player in enumerate(PLAYERS)}
    protocol = Protocol("four", all_equal((2,) * 4), parties, model=blackboard(PLAYERS))
    explored = both_accept(protocol)
    assert (explored.leaves, explored.worst_bits, explored.worst_rounds) == (16, 4, 4)


def test_addressing_one_reader_of_the_blackboard_is_refused():
    def alice(x):
        yield Send("1", to="bob")
        return 0

    protocol = Protocol("letter", EQ, {"alice": alice, "bob": answerer})
    both_refuse(protocol, "alice sends to 'bob'")


def test_two_who_write_on_the_blackboard_at_once_are_refused():
    def eager(value):
        yield Send("1")
        yield Receive()
        return 0

    parties = dict.fromkeys(PLAYERS[:3], eager)
    protocol = Protocol("race", all_equal((2, 2, 2)), parties, model=blackboard())
    both_refuse(protocol, "alice and bob and carol both want to send", "turn")


# Between pairs


def pairs(alice, bob, carol, answer="carol", function=None):
    parties = {"alice": alice, "bob": bob, "carol": carol}
    return Protocol("pairs", function or all_equal((2, 2, 2)), parties, model=point_to_point(), answer=answer)


def passes_on(value):
    same = (yield Receive("alice"))[0] == value
    yield Send(Bits([same, value]), to="carol")


def alice_to_bob(value):
    yield Send(Bits([value]), to="bob")


def carol_decides(value):
    same, bit = yield Receive("bob")
    return int(same and bit == value)


def test_messages_go_from_one_to_one():
    protocol = pairs(alice_to_bob, passes_on, carol_decides)
    assert both_accept(protocol).worst_bits == 3
    assert protocol.run(1, 1, 1).transcript.by_direction == {"alice → bob": 1, "bob → carol": 2}


def test_a_message_may_wait_until_it_is_read():
    def alice(x):
        yield Send(Bits([x]), to="carol")
        yield Send(Bits([x]), to="bob")

    def carol(z):
        same, bit = yield Receive("bob")
        first = yield Receive("alice", width=1)
        return int(same and bit == z == first[0])

    both_accept(pairs(alice, passes_on, carol))


def test_two_messages_on_one_channel_arrive_in_order():
    def alice(x):
        yield Send("0", to="carol")
        yield Send(Bits([x]), to="carol")
        yield Send(Bits([x]), to="bob")

    def carol(z):
        assert (yield Receive("alice")) == Bits("0")
        x = (yield Receive("alice"))[0]
        same, _ = yield Receive("bob")
        return int(same and x == z)

    both_accept(pairs(alice, passes_on, carol))


def test_a_receive_without_a_name_is_refused():
    def vague(value):
        yield Receive()
        return 0

    both_refuse(pairs(alice_to_bob, passes_on, vague), "carol must name whom it receives from")


@pytest.mark.parametrize("sender", ["carol", "mallory", "referee"])
def test_a_receive_from_nobody_is_refused(sender):
    def lost(value):
        yield Receive(sender)
        return 0

    both_refuse(pairs(alice_to_bob, passes_on, lost), "carol must name whom it receives from")


@pytest.mark.parametrize("to", ["alice", "mallory", None, ""])
def test_a_send_to_nobody_or_to_oneself_is_refused(to):
    def misdirected(value):
        yield Send("1", to=to)

    both_refuse(pairs(misdirected, passes_on, carol_decides), f"alice sends to {to!r}")


def test_a_message_that_nobody_reads_is_refused():
    def alice(x):
        yield Send(Bits([x]), to="bob")
        yield Send("1", to="carol")

    both_refuse(
        pairs(alice, passes_on, carol_decides), "carol finished without reading a message sent to it", "deadlock"
    )


def test_an_empty_message_that_nobody_reads_is_refused():
    def alice(x):
        yield Send(Bits([x]), to="bob")
        yield Send("", to="carol")

    both_refuse(pairs(alice, passes_on, carol_decides), "carol finished without reading", "deadlock")


def test_a_circle_of_waiting_is_refused():
    def waits(who):
        def party(value):
            yield Receive(who)
            return 0

        return party

    both_refuse(pairs(waits("bob"), waits("carol"), waits("alice")), "wait for a message that nobody sends", "deadlock")


def test_a_wrong_width_on_a_channel_is_refused():
    def carol(z):
        yield Receive("bob", width=5)
        return 0

    both_refuse(pairs(alice_to_bob, passes_on, carol), "carol expected a message of 5 bits and got 2", "width")


# On foreheads


def test_players_on_foreheads_see_the_inputs_of_the_others():
    seen = {}

    def party(own):
        def talk(others):
            seen.setdefault(own, set()).add(others)
            return 0
            yield

        return talk

    function = function_of_table(np.zeros((2, 3, 4), dtype=int), (0,))
    parties = {player: party(player) for player in PLAYERS[:3]}
    protocol = Protocol("look", function, parties, model=number_on_forehead())
    protocol.explore().raise_if_wrong()
    sizes = dict(zip(PLAYERS, (2, 3, 4), strict=False))
    for player in PLAYERS[:3]:
        others = [range(sizes[other]) for other in PLAYERS[:3] if other != player]
        assert seen[player] == set(product(*others))
    seen.clear()
    protocol.run(1, 2, 3)
    assert {player: (2, 3) in seen[player] for player in seen} == {"alice": True, "bob": False, "carol": False}
    assert seen == {"alice": {(2, 3), (0, 0)}, "bob": {(1, 3), (0, 0)}, "carol": {(1, 2), (0, 0)}}  # asked elsewhere


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


@settings(max_examples=30, deadline=None)
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

    def silent(others):
        return None
        yield

    parties = {"alice": silent, "bob": knows, "carol": silent}
    assert Protocol("bob sees x", function, parties, model=number_on_forehead(), answer="bob").explore().correct
    parties = {"alice": knows, "bob": silent, "carol": silent}
    assert not Protocol("alice", function, parties, model=number_on_forehead(), answer="alice").explore().correct


# Who must know


def test_only_those_who_must_know_are_asked_for_the_answer():
    bob_knows = {"alice": speaker, "bob": answerer}
    assert Protocol("bob", EQ, bob_knows, answer="bob").run("0", "0").answers == {"bob": 1}
    assert Protocol("bob", EQ, bob_knows, answer="bob").explore().correct
    with pytest.raises(ProtocolError, match="alice answers None, bob answers 1"):
        Protocol("both", EQ, bob_knows).run("0", "0")
    assert {violation.kind for violation in Protocol("both", EQ, bob_knows).explore().violations} == {"agreement"}
    assert {v.kind for v in Protocol("alice", EQ, bob_knows, answer="alice").explore().violations} == {"answer"}


@pytest.mark.parametrize("answer", ["carol", "referee", "nobody", "", "Both"])
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
        Protocol("no referee", EQ, SILENT, model=simultaneous())
    with pytest.raises(InputError, match="a function of"):
        Protocol("three", EQ, dict.fromkeys(PLAYERS[:3], speaker), model=blackboard())


@pytest.mark.parametrize(
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


def test_models_are_values():
    assert two_way() == two_way() != one_way()
    assert one_way("alice") != one_way("bob")
    assert hash(blackboard(["a", "b"])) == hash(blackboard(("a", "b")))
