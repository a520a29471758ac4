"""Protocols with a fixed schedule: explored level by level, node by node and run singly, with one result."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import InputError, Protocol, TwoPartyFunction, one_way, two_way
from ccsim.engine import schedule
from ccsim.engine.schedule import Conclusion, Field, Schedule
from ccsim.problems import equality
from ccsim.problems.inputs import Integers
from tests.cases import cases


def mixed(seed, *parts):
    """Some fixed function of integers that looks random."""
    total = np.uint64(seed + 1)
    for part in parts:
        part = np.asarray(part).astype(np.uint64)
        total = (total ^ (part if part.ndim < 2 else part.sum(axis=1))) * np.uint64(0x9E3779B97F4A7C15)
        total = total ^ (total >> np.uint64(31))
    return (total >> np.uint64(3)).astype(np.int64)


def random_protocol(seed, sizes, shape, answer="both", knows=("alice", "bob")):
    """A schedule whose numbers look random, and the function that it happens to compute."""
    steps = []
    for place, (sender, bounds) in enumerate(shape):

        def numbers(rows, known, place=place, bounds=bounds):
            said = [known[name] for name in known]
            return np.stack([mixed(seed + 7 * place + i, rows, *said) % b for i, b in enumerate(bounds)], axis=1)

        steps.append(Field("alice" if sender else "bob", f"f{place}", f"field {place}", tuple(bounds), numbers))
        if place % 2:
            steps.append(Conclusion(f"c{place}", lambda known, place=place: mixed(place, known[f"f{place}"]) % 5))

    def from_said(rows, known):
        return mixed(seed, *(known[name] for name in known)) % 3 + 0 * np.asarray(rows)

    schedule = Schedule(tuple(steps), dict.fromkeys(knows, from_said))
    inputs = tuple(Integers(size) for size in sizes)
    unknown = TwoPartyFunction("unknown", inputs, (0, 1, 2), lambda x, y: np.zeros(np.broadcast(x, y).shape, int))
    blank = Protocol("random", unknown, schedule.parties(), answer=answer)
    table = np.array([[_answer(blank, x, y) for y in range(sizes[1])] for x in range(sizes[0])])
    function = TwoPartyFunction("found", inputs, (0, 1, 2), lambda x, y: table[x, y])
    return Protocol("random", function, schedule.parties(), answer=answer)


def _answer(protocol, x, y):
    return next(iter(protocol.run(x, y).answers.values()))


SHAPES = st.lists(st.tuples(st.booleans(), st.lists(st.integers(1, 4), min_size=1, max_size=3)), max_size=4)


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 1000), st.tuples(st.integers(1, 4), st.integers(1, 4)), SHAPES)
def test_levels_find_what_nodes_and_single_runs_find(seed, sizes, shape):
    protocol = random_protocol(seed, sizes, shape)
    fast, plain = protocol.explore(), protocol.explore(keep_tree=True)
    assert fast.correct
    assert plain.correct
    for name in ("leaves", "worst_bits", "total_bits", "pairs", "worst_rounds"):
        assert getattr(fast, name) == getattr(plain, name), name
    assert fast.tree is None
    assert plain.tree is not None
    bits = {protocol.run(x, y).transcript.bits for x in range(sizes[0]) for y in range(sizes[1])}
    assert bits == {fast.worst_bits}


def test_cutting_levels_into_parts_changes_nothing(monkeypatch):
    protocol = random_protocol(3, (12, 11), [(True, [3]), (False, [2, 2]), (True, [4, 3]), (False, [3])])
    whole = protocol.explore()
    monkeypatch.setattr(schedule, "MOST_QUESTIONS", 5)
    monkeypatch.setattr(schedule, "MOST_PAIRS", 3)
    parts = protocol.explore()
    assert whole.correct
    assert parts.correct
    assert (parts.leaves, parts.pairs, parts.total_bits) == (whole.leaves, whole.pairs, whole.total_bits)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(1, 1 << 62), min_size=1, max_size=6), st.randoms())
def test_numbers_are_read_back_from_the_message(bounds, random):
    field = Field("alice", "f", "f", tuple(bounds), lambda rows, known: rows)
    row = np.array([[random.randrange(bound) for bound in bounds]], dtype=np.int64)
    code = field.code(row)[0]
    assert 0 <= code < 1 << field.width or field.width == 0 == code
    assert field.decode(code).tolist() == row.tolist()


def test_a_message_beyond_all_values_is_refused():
    with pytest.raises(InputError, match="a number below 3"):
        Field("alice", "f", "f", (3,), lambda rows, known: rows).decode(3)


def sends(numbers, answer=lambda rows, known: known["x"], bound=4, model=None, **options):
    """Alice sends something about x, and the answer is said to be equality."""
    schedule = Schedule((Field("alice", "x", "x", (bound,), numbers),), {"bob": answer})
    return Protocol("test", equality(2), schedule.parties(), answer="bob", model=model or two_way(), **options)


def same(rows, known):
    return (rows == known["x"]).astype(int)


def test_a_number_that_does_not_fit_is_a_violation():
    for keep_tree in (False, True):
        found = sends(lambda rows, known: rows * 2, same).explore(keep_tree=keep_tree)
        assert not found.correct
        assert found.violations[0].kind == "width"


def test_a_wrong_answer_is_found_with_its_inputs():
    found = sends(lambda rows, known: rows, lambda rows, known: 0 * rows).explore()
    assert found.violations[0].kind == "answer"
    shown = found.violations[0].inputs[0]
    assert shown["alice"] == shown["bob"]


@cases("where", ["message", "answer"])
def test_a_party_that_remembers_is_found(where):
    asked = []

    def moody(rows, known):
        asked.append(len(rows))
        return (rows + len(asked)) % 4 if where == "message" else (rows == known["x"]) ^ (len(asked) % 2 == 0)

    parts = (moody, same) if where == "message" else (lambda rows, known: rows, moody)
    assert sends(*parts).explore().violations[0].kind == "determinism"


def test_a_crash_is_a_violation():
    found = sends(lambda rows, known: rows / 0, same).explore()
    assert found.violations[0].kind == "crash"
    missing = sends(lambda rows, known: known["nothing"], same).explore()
    assert missing.violations[0].kind == "crash"


def test_an_answer_that_not_everybody_can_know_is_found():
    field = Field("alice", "x", "half of x", (2,), lambda rows, known: rows >> 1)
    everything = {}

    def peeking(role):
        def answer(rows, known):
            everything[role] = rows
            other = everything.get("bob" if role == "alice" else "alice", rows)
            return (rows == other[: len(rows)]) if len(other) >= len(rows) else rows == rows

        return answer

    schedule = Schedule((field,), {role: peeking(role) for role in ("alice", "bob")})
    found = Protocol("peeks", equality(2), schedule.parties()).explore()
    assert not found.correct


def test_the_model_of_communication_is_enforced():
    back = Field("bob", "back", "back", (2,), lambda rows, known: 0 * rows)
    schedule = Schedule((Field("alice", "x", "x", (4,), lambda rows, known: rows), back), {"bob": same})
    protocol = Protocol("test", equality(2), schedule.parties(), answer="bob", model=one_way())
    assert protocol.explore().violations[0].kind == "model"
    assert protocol.explore(keep_tree=True).violations[0].kind == "model"
    assert sends(lambda rows, known: rows, same, model=one_way()).explore().correct


def test_bounds_and_names_are_checked():
    with pytest.raises(InputError, match="from 1 to"):
        Field("alice", "x", "x", (0,), lambda rows, known: rows)
    field = Field("alice", "x", "x", (2,), lambda rows, known: rows)
    with pytest.raises(InputError, match="different names"):
        Schedule((field, field), {})


def test_wide_fields_are_carried_and_isolated_parties_agree():
    field = Field("alice", "x", "x many times", (16,) * 20, lambda rows, known: np.stack([rows] * 20, axis=1))
    schedule = Schedule((field,), {"bob": lambda rows, known: (rows == known["x"][:, 7]).astype(int)})
    protocol = Protocol("wide", equality(4), schedule.parties(), answer="bob")
    assert protocol.explore().correct
    assert protocol.explore(keep_tree=True).worst_bits == 80
    assert protocol.run("0110", "0110").transcript[0].bits.to_unsigned() == int("6" * 20, 16)
    isolated = protocol.run("0110", "0111", isolated=True)
    assert isolated.answers["bob"] == 0
    assert isolated.transcript.bits == 80
