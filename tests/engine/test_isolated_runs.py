"""Parties in processes of their own: the same conversation as in one process, and no process left when one fails."""

import contextlib
import os
import signal
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from ccsim import (
    AnswerEach,
    Bits,
    Coins,
    InputError,
    PartyError,
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
from ccsim.problems import BitStrings, TwoPartyFunction, equality
from tests.cases import cases
from tests.slow import slow
from tests.speed import patient
from tests.strategies import PLAYERS, all_say_a_bit, function_of_table, script

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")

EQ = equality(3)
STALL = round(patient(3.0), 1)  # seconds that a stalled party is given
PATIENCE = patient(30.0)


def children():
    """The processes started by this one that are still there, dead ones that nobody waited for included."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[1]) == os.getpid():
                found.add(int(entry.name))
    return found


def is_running(process, within=0.0):
    """Whether a process is still there after so many seconds; one that was killed takes a moment to die."""
    deadline = time.monotonic() + patient(within)
    while time.monotonic() < deadline and is_running(process):
        time.sleep(0.01)
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture(autouse=True)
def nothing_is_left_behind():
    """After every test: no child process, no thread, no open file more than before."""
    before = children(), threading.active_count(), len(os.listdir("/proc/self/fd"))
    yield
    assert children() == before[0]
    assert threading.active_count() == before[1]
    assert len(os.listdir("/proc/self/fd")) == before[2]


def same_both_ways(protocol, *inputs, **options):
    """An isolated run says, answers, and counts what a run in one process does; the bits carried are those counted."""
    isolated = protocol.run(*inputs, isolated=True, **options)
    plain = protocol.run(*inputs, **options)
    assert isolated.transcript == plain.transcript
    assert isolated.answers == plain.answers
    for part in ("inputs", "expected", "public", "private"):
        assert getattr(isolated, part) == getattr(plain, part)
    assert plain.carried is None
    assert isolated.carried == {who: bits for who, bits in isolated.transcript.by_sender.items() if bits}
    assert sum(isolated.carried.values()) == isolated.bits
    return isolated


def sends(value):
    yield Send(value, "input")
    return (yield Receive())[0]


def compares(value):
    same = (yield Receive(width=3)) == value
    yield Send(Bits([same]), "equal?")
    return int(same)


def protocol_with(alice=sends, bob=compares, **options):
    return Protocol("isolated", EQ, {"alice": alice, "bob": bob}, **options)


# The same conversation


def test_generator_parties_of_a_module_say_the_same():
    run = same_both_ways(protocol_with(), "011", "011")
    assert run.answer == 1
    assert run.carried == {"alice": 3, "bob": 1}
    assert [message.label for message in run.transcript] == ["input", "equal?"]


@pytest.mark.slow
def test_a_long_conversation_with_empty_messages_says_the_same():
    def alice(x):
        for place in range(40):
            yield Send(Bits([x[place % 3]]) if place % 4 else Bits())
            yield Receive()
        return 0

    def bob(y):
        for place in range(40):
            yield Receive()
            yield Send(Bits([y[place % 3]] * (place % 11)))
        return 0

    zero = TwoPartyFunction("zero", (BitStrings(3), BitStrings(3)), (0,), lambda x, y: 0 * x + 0 * y)
    run = same_both_ways(Protocol("long", zero, {"alice": alice, "bob": bob}), "101", "011")
    assert len(run.transcript) == 80


@pytest.mark.slow
def test_a_silent_protocol_carries_nothing():
    silent = dict.fromkeys(PLAYERS[:2], script(answer=4))
    run = same_both_ways(Protocol("silent", function_of_table([[0]], (4,)), silent), 0, 0)
    assert run.carried == {}
    assert run.answer == 4


@pytest.mark.slow
def test_three_parties_at_a_blackboard_say_the_same():
    assert same_both_ways(all_say_a_bit(), 1, 1, 1).answer == 1


@pytest.mark.slow
def test_three_parties_with_channels_between_them_say_the_same():
    alice = script(lambda x: Send(Bits([x]), to="carol"), lambda x: Send(Bits([x, x]), to="bob"))

    def bob(y):
        same = (yield Receive("alice"))[0] == y
        yield Send(Bits([same]), to="carol")

    def carol(z):
        same = (yield Receive("bob"))[0]
        return int(same and (yield Receive("alice"))[0] == z)

    parties = {"alice": alice, "bob": bob, "carol": carol}
    protocol = Protocol("pairs", all_say_a_bit().function, parties, point_to_point(), "carol")
    assert same_both_ways(protocol, 1, 1, 1).answers == {"carol": 1}


def test_a_referee_and_private_and_public_coins_say_the_same():
    def player(value, public, private=0):
        yield Send(Bits.unsigned((value.to_unsigned() + public + private) % 16, 4))

    @array_party
    def referee(heard, public):
        if len(heard) < 2:
            return Receive(PLAYERS[len(heard)], 4)
        return AnswerEach(heard[0].bits == heard[1].bits)

    parties = {"alice": player, "bob": player, "referee": referee}
    coins = {"public": Coins(9), "private": {"bob": Coins(2)}}
    protocol = Protocol("referee", EQ, parties, simultaneous(), "referee", **coins)
    run = same_both_ways(protocol, "001", "001", seed=11)
    assert run.seed == 11


@pytest.mark.slow
def test_players_on_foreheads_say_the_same():
    def alice(others):
        y, z = others
        yield Send(Bits([y ^ z]))
        return (yield Receive())[0]

    def carol(others):
        yield Receive()
        return (yield Receive())[0]

    @array_party
    def bob(others, heard):
        xs, _ = others
        if len(heard) == 2:
            return AnswerEach(heard[1].bits[0])
        return SendEach(xs ^ heard[0].bits[0], 1) if heard else Receive()

    function = function_of_table(np.fromfunction(lambda x, y, z: (x + y + z) % 2, (2, 2, 2), dtype=int))
    protocol = Protocol("xor", function, {"alice": alice, "bob": bob, "carol": carol}, number_on_forehead())
    assert same_both_ways(protocol, 1, 1, 1).answer == 1


@pytest.mark.slow
def test_a_message_of_a_million_bits_arrives_whole():
    def alice(x):
        yield Send(Bits.unsigned((1 << 1_000_000) - 5, 1_000_001))
        return (yield Receive()).to_unsigned()

    def bob(y):
        heard = yield Receive()
        right = len(heard) == 1_000_001 and heard.to_unsigned() == (1 << 1_000_000) - 5
        yield Send(Bits([right]))
        return int(right)

    one = function_of_table([[0]], (1,))
    run = Protocol("large", one, {"alice": alice, "bob": bob}).run(0, 0, isolated=True)
    assert run.correct
    assert run.carried == {"alice": 1_000_001, "bob": 1}


# What cannot cross


def test_shared_memory_does_not_cross():
    shared = {}

    def alice(x):
        shared["x"] = x
        yield Send("")
        return (yield Receive())[0]

    def bob(y):
        yield Receive()
        same = shared.get("x") == y
        yield Send(Bits([same]))
        return int(same)

    assert protocol_with(alice, bob).run("101", "101", isolated=True).answer == 0
    assert shared == {}


@pytest.mark.slow
def test_rules_are_enforced_between_processes():
    with pytest.raises(ProtocolError, match="alice and bob both want to send"):
        protocol_with(script(Send("1")), script(Send("1"))).run("000", "000", isolated=True)


@pytest.mark.slow
def test_what_a_party_prints_does_not_mix_with_its_messages():
    def alice(x):
        print("n" * 200_000)  # noqa: T201
        os.write(1, b"\x00\x00\x00\x02xx" * 1000)
        sys.stdout.flush()
        return (yield from sends(x))

    assert protocol_with(alice).run("110", "110", isolated=True).answer == 1


# Parties that fail


def fails(alice=sends, bob=compares, match="", timeout=PATIENCE):
    """The error of an isolated run, which comes in time."""
    started = time.monotonic()
    with pytest.raises(PartyError, match=match):
        protocol_with(alice, bob).run("000", "000", isolated=True, timeout=timeout)
    assert time.monotonic() - started < patient(2 * timeout + 3)


def answers_with_a_lock(y):
    yield Receive()
    yield Send("1")
    return threading.Lock()


def writes_on_every_channel(frame):
    def bob(y):
        yield Receive()
        for channel in map(int, os.listdir("/proc/self/fd")):
            with contextlib.suppress(OSError):
                os.write(channel, frame)
        time.sleep(1000 if b"short" in frame else 0)
        yield Send("1")
        return 0

    return bob


FAILING = {
    "exits": ("bob", script(Receive(), lambda y: os._exit(7)), "bob's process died with exit code 7"),
    "exits after its message": ("alice", script(Send, lambda x: os._exit(0)), "alice's process died with exit code 0"),
    "is killed": ("alice", script(lambda x: os.kill(os.getpid(), signal.SIGKILL)), "died with exit code -9"),
    "raises": ("bob", script(Receive(), lambda y: {}["my own trouble"]), "bob failed(?s:.*)KeyError: 'my own trouble'"),
    "asks to exit": ("bob", script(Receive(), lambda y: sys.exit("enough")), "bob failed(?s:.*)enough"),
    "yields rubbish": ("bob", script(17), "bob failed(?s:.*)yielded step"),
    "closes its channels": ("bob", script(Receive(), lambda y: os.closerange(0, 1024) or Send("1"), Receive()), "bob"),
    "has an answer that cannot be sent": ("bob", answers_with_a_lock, "bob failed"),
    "writes rubbish on its channel": ("bob", writes_on_every_channel(b"\x00\x00\x00\x04rubb"), "what is no message"),
}


@pytest.mark.parametrize("how", [how if how == "raises" else slow(how) for how in FAILING])
def test_a_party_that_fails_is_reported(how):
    role, party, match = FAILING[how]
    fails(**{role: party}, match=match)


@pytest.mark.parametrize("how", [slow("sleeps"), slow("spins"), slow("stops")])
def test_a_party_that_stalls_is_stopped_in_time(how):
    def bob(y):
        yield Receive()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if how == "stops":
            os.kill(os.getpid(), signal.SIGSTOP)
        while how == "spins":
            pass
        time.sleep(1000)
        yield Send("1")

    fails(bob=bob, match=f"bob sent nothing for {STALL:g} seconds and was stopped", timeout=STALL)


@pytest.mark.slow
def test_a_party_that_announces_more_than_it_writes_is_stopped_in_time():
    fails(bob=writes_on_every_channel(b"\x00\xff\xff\xffshort"), match="bob sent nothing", timeout=STALL)


def test_a_party_that_cannot_be_sent_leaves_nobody_behind():
    lock = threading.Lock()

    def bob(y):
        with lock:
            yield Receive()

    with pytest.raises((PartyError, InputError, TypeError), match="pickle"):
        protocol_with(bob=bob).run("000", "000", isolated=True)


@cases("timeout", [0, -1, float("nan")])
def test_a_timeout_must_be_positive(timeout):
    with pytest.raises(InputError, match="timeout"):
        protocol_with().run("000", "000", isolated=True, timeout=timeout)


# Parties with processes and threads of their own


def grandchild_of(how, file):
    """A party that starts a process, tells its number through a file, and goes on honestly."""

    def alice(x):
        if how == "fork":
            child = os.fork()
            if child == 0:
                time.sleep(60)
                os._exit(0)
        else:
            import subprocess

            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]).pid
        Path(file).write_text(str(child))
        return (yield from sends(x))

    return alice


def ends_at_once(protocol, timeout=PATIENCE):
    """Whether an isolated run comes to an end soon; leftovers are waited for."""
    done = threading.Event()

    def run():
        with contextlib.suppress(PartyError):
            protocol.run("000", "000", isolated=True, timeout=timeout)
        done.set()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    soon = done.wait(patient(20))
    return soon, thread


@pytest.mark.parametrize("how", ["fork", slow("subprocess")])
def test_processes_that_a_party_started_are_gone_with_it(how, tmp_path):
    file = tmp_path / "grandchild"
    soon, thread = ends_at_once(protocol_with(grandchild_of(how, file)))
    process = int(file.read_text())
    running = is_running(process, within=10)
    if running:
        os.kill(process, signal.SIGKILL)
    thread.join(patient(20))
    assert soon
    assert not running


@pytest.mark.slow
def test_a_listener_that_stops_in_the_middle_of_a_large_message_is_stopped_in_time(tmp_path):
    file = tmp_path / "bob"

    def alice(x):
        time.sleep(1)
        yield Send(Bits.unsigned(0, 8_000_000))
        return 0

    def bob(y):
        file.write_text(str(os.getpid()))
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGSTOP)).start()
        yield Receive()
        return 0

    soon, thread = ends_at_once(protocol_with(alice, bob), timeout=STALL)
    if not soon:
        os.kill(int(file.read_text()), signal.SIGKILL)
    thread.join(patient(20))
    assert soon


@pytest.mark.slow
def test_each_party_has_a_process_of_its_own():
    def alice(x):
        yield Send(Bits.unsigned(os.getpid(), 40))
        return (yield Receive())[0]

    def bob(y):
        other = (yield Receive()).to_unsigned()
        apart = os.getpid() != other and os.getppid() not in (other, 0)
        yield Send(Bits([apart]))
        return int(apart)

    run = protocol_with(alice, bob).run("101", "101", isolated=True)
    assert run.answer == 1
    assert run.transcript[0].bits.to_unsigned() != os.getpid()
