"""Languages whose monoids are too large to be listed, and time limits: the class comes first, the rest with reasons."""

import random
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from itertools import combinations

import numpy as np
import pytest

from ccsim import InputError
from ccsim.bounds.scheduler import Clock, run_steps
from ccsim.certificates.verify import Refused
from ccsim.families import (
    CONSTANT,
    LINEAR,
    LOGARITHMIC,
    FamilyCertificate,
    RegularFamily,
    classify,
    classify_by_pairs,
    commuting_parties,
    language,
    lower_bound,
    named_family,
    partitioned,
    read_language,
    transition_monoid,
    with_blank,
)
from ccsim.families.lower_bounds import short_reduction
from ccsim.families.monoid import fault_of_pairs
from ccsim.families.parties import silent_parties
from ccsim.models.automata import Automaton
from ccsim.models.regular_expressions import from_regular_expression
from tests.cases import cases
from tests.families.test_families import random_family
from tests.printed import printed_json
from tests.speed import patient
from tests.test_cli import ccsim

__all__ = ["ccsim"]


def random_automaton(rng):
    """Transitions by chance, of states that are left for good, of counters, or of permutations and resets."""
    states, letters = rng.randint(2, 6), rng.randint(1, 3)
    ways = [
        lambda q: rng.randrange(states),
        lambda q: rng.randrange(q, states),
        lambda q: min(states - 1, q + rng.choice([0, 0, 1, -q])),
        lambda q: rng.choice([q, (q + 1) % states, rng.randrange(q, states)]),
    ]
    columns = [[way(q) for q in range(states)] for _ in range(letters) for way in [rng.choice(ways)]]
    if rng.random() < 0.3:
        kinds = [rng.sample(range(states), states), [(q + 1) % states for q in range(states)], [0] * states]
        columns = [rng.choice(kinds) for _ in range(letters)]
    outputs = [rng.randrange(2) for _ in range(states)]
    return Automaton.of("abc"[:letters], np.transpose(columns), outputs).minimise()


def random_table(rng):
    return Automaton.of("abc", [[rng.randrange(5) for _ in "abc"] for _ in range(5)], [1, 0, 0, 0, 0]).minimise()


def test_pairs_of_states_decide_the_class_as_the_monoid_does():
    rng, kinds = random.Random(11), set()
    for _ in range(500):
        automaton = random_automaton(rng)
        with suppress(InputError):
            expected, found = classify(transition_monoid(automaton, 600)), classify_by_pairs(automaton)
            assert found.deterministic == expected.deterministic
            assert set(found.properties) <= set(expected.properties)
            if found.deterministic != LINEAR:
                decided = {"J-trivial (piecewise testable)", "a group"}
                assert set(found.properties) | decided == set(expected.properties) | decided
            kinds.add((found.deterministic, "in DA" in found.properties, "in DO," in found.reason))
    assert len(kinds) == 6  # each class, aperiodic or not; the linear one by both reasons


def after(automaton, some, *word):
    """The set of states to which a word leads those of a set."""
    for letter in word:
        some = frozenset(automaton.table[sorted(some), letter].tolist())
    return some


def led(automaton, letters, *starts):
    """The sets of states to which words of these letters lead some sets."""
    seen = front = set(starts)
    while front := {after(automaton, some, letter) for some in front for letter in letters} - seen:
        seen = seen | front
    return seen


def test_a_reason_by_states_is_true_of_these():
    rng, kinds, even = random.Random(17), set(), "((a|b)(a|b))*"
    either = [read_language(each) for each in (f"c(ab)*|d{even}", f"d(ab)*|c{even}")]  # pairs of one part can be merged
    for automaton in [*(random_automaton(rng) for _ in range(100)), *either]:
        why, _ = fault_of_pairs(automaton)
        if why is None:
            continue
        words, states = re.search(r"\{(.*)\}", why)[1].split(", "), re.search(r"states (\d+) and (\d+)", why)
        letters, (p, q) = [automaton.alphabet.index(letter) for letter in words], map(int, states.groups())
        pair, reached = frozenset((p, q)), led(automaton, letters, frozenset((p, q)))
        inside = {some for some in reached if pair in led(automaton, letters, some)}
        assert all(any(after(automaton, some, letter) in inside for some in inside) for letter in letters)
        merged = "or merge them" in why
        if merged:
            assert min(map(len, reached)) == 1
        else:
            exchanged = [
                after(automaton, state, a, b) | after(automaton, state, b, a)
                for state in led(automaton, letters, frozenset([p]))
                for a, b in combinations(letters, 2)
            ]
            assert pair in led(automaton, letters, *exchanged)
        kinds.add(merged)
    assert kinds == {False, True}


LARGE = {
    "(a|b)*a(a|b){10}": LOGARITHMIC,
    "((b*ab*){300})*": CONSTANT,
    "(ab){400}": LOGARITHMIC,
    "(aa|bb){200}": LOGARITHMIC,
    "(ab|c(a|b){12})*": LINEAR,
    "[a-z]*abc[a-z]*xyz": LINEAR,
}


@cases("expression", LARGE)
def test_classes_of_large_languages(expression):
    assert classify_by_pairs(read_language(expression)).deterministic == LARGE[expression]


def test_short_reductions_are_accepted_by_the_checker():
    """Where one is found, the language is linear, and it is found for nearly all that are not in DO."""
    rng, linear, proved, problems = random.Random(3), 0, 0, set()
    square = [random_table(rng) for _ in range(20)]
    for automaton in [*(random_automaton(rng) for _ in range(100)), *square]:
        found = short_reduction(automaton)
        linear += "is not in DO:" in classify_by_pairs(automaton).reason
        if found is not None:
            proved += 1
            problems.add(found.problem)
            lower = FamilyCertificate.of(found.family, lower=found.witness).lower
            assert lower(60 * found.block) > lower(30 * found.block) + 20
            assert classify_by_pairs(automaton).deterministic == LINEAR
    assert linear >= proved >= linear - 1 > 10
    assert problems == {"disjointness", "inner product"}


def doubled(family, *orders):
    """Each letter twice, in another order for each party."""
    names = [tuple(range(len(order))) for order in orders]
    table = family.table[:, orders[0]][:, :, orders[1]]
    return RegularFamily("doubled", *names, table, family.outputs)


def test_letters_that_do_the_same_change_no_bound():
    rng = random.Random(9)
    for family in [*(random_family(rng) for _ in range(30)), *map(named_family, ("inner-product", "disjointness"))]:
        twice = doubled(family, [0, *rng.sample([0, 1, 1], 3)], [0, *rng.sample([0, 1, 1, 1], 4)])
        low, again = (lower_bound(one, rounds=2) for one in (family, twice))
        assert low.statements() == again.statements()
        one, other = silent_parties(family), silent_parties(twice)
        assert (one is None) == (other is None)
        if other is not None:
            assert FamilyCertificate.of(twice, upper=other.witness()).upper(9) == one.end_bits


def test_one_letter_kind_of_a_hundred_is_looked_at_once():
    family = partitioned(from_regular_expression("[a-j]{7}"), "AAB")
    begun = time.process_time()
    assert lower_bound(family, rounds=2).lower(1) == 0
    assert time.process_time() - begun < patient(3, time.process_time)


def test_parties_of_three_hundred_states_are_checked():
    automaton = with_blank(read_language("((b*ab*){300})*"))
    parties = commuting_parties(automaton, transition_monoid(automaton), "AB")
    assert FamilyCertificate.of(parties.family, upper=parties.witness()).upper(10**6) == 10


def refuse():
    raise Refused("two words")


def interrupt():
    raise KeyboardInterrupt


def need():
    raise InputError("monoid", 3, "a small monoid")


def test_steps_have_results_or_reasons():
    for clock in (Clock(), Clock.within(patient(20))):
        found, begun = {}, []
        left_out = run_steps(
            {"one": lambda: 1, "no": refuse, "two": lambda: 2, "small": need}, clock, found, begun.append
        )
        assert found == {"one": 1, "two": 2}
        assert left_out == {"no": "the checker does not accept it: two words", "small": "it needs a small monoid"}
        assert begun[0] == "one"
    with pytest.raises(ZeroDivisionError):
        run_steps({"fault": lambda: 1 / 0}, Clock.within(5), {})


def test_a_step_that_takes_long_is_stopped_and_the_next_go_on():
    clock, found, begun = Clock.within(2), {}, time.monotonic()
    steps = {"one": lambda: 1, "long": lambda: time.sleep(60), "two": lambda: 2}
    assert run_steps(steps, clock, found) == {"long": "it takes too long"}
    assert found == {"one": 1, "two": 2}
    assert run_steps({"long": lambda: time.sleep(60)}, clock, found) == {"long": "it takes too long"}
    assert not clock.over
    assert run_steps({"long": lambda: time.sleep(60)}, clock, found, last=True) == {"long": "it takes too long"}
    assert clock.over
    assert time.monotonic() - begun < patient(4)
    assert run_steps({"one": lambda: 1, "two": interrupt}, Clock.within(20), found) == {"two": "stopped"}
    assert run_steps({"one": lambda: 1}, Clock.within(0), found) == {"one": "no time was left"}


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory")
def test_a_step_that_takes_much_memory_is_stopped():
    found = {}
    left_out = run_steps({"large": lambda: len(bytearray(8 << 30)), "one": lambda: 1}, Clock.within(20), found)
    assert (found, left_out) == ({"one": 1}, {"large": "it takes too much memory"})


@cases(
    ("expression", "kind"),
    [
        ("(ab|cd|ef|gh|ij)*", LINEAR),
        ("(a|b)*a(a|b){8}", LOGARITHMIC),
        ("((b*ab*){300})*", CONSTANT),
        ("(aa|bb){200}", LOGARITHMIC),
        ("[a-z]+(\\.[a-z]+)*@[a-z]+(\\.[a-z]+)+", LINEAR),
    ],
)
def test_a_class_is_printed_within_the_seconds_given(ccsim, expression, kind):
    begun = time.monotonic()
    code, out, _ = ccsim("language", expression, "--seconds", "1", "--json")
    assert time.monotonic() - begun < patient(3)
    data = printed_json("language", out)
    assert (code, data["class"]["deterministic"]) == (0, kind)
    parts = {f"partition {one['partition']}" for one in data["partitions"]}
    assert "partition AB" in parts | data["left_out"].keys()
    assert not parts & data["left_out"].keys()


def test_an_interrupt_keeps_what_was_found():
    given = ["language", "[a-j]*a[a-j]*b[a-j]*", "--seconds", "300"]
    script = (
        f"import ccsim.cli.app as c, ccsim.cli.progress as p; p.EVERY = 0.1; raise SystemExit(c.run_app({given!r}))"
    )
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while "partition" not in child.stderr.readline():
        assert child.poll() is None
    child.send_signal(signal.SIGINT)
    out, error = child.communicate(timeout=patient(60))
    assert child.returncode == 130
    assert "Theta(log n), as the syntactic monoid" in " ".join(out.split())
    assert "Left out, as stopped: partition" in out
    assert error.splitlines()[-1] == "ccsim: stopped: what was found is above"


def test_bounds_without_time_are_those_that_need_no_search():
    found = language(read_language("(ab)*"), seconds=0)
    assert (found.classification.deterministic, found.partitions, found.proof) == (LINEAR, (), None)
    assert set(found.left_out.values()) == {"no time was left"}
